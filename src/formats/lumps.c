#include "formats/lumps.h"

void lm_order_lumps(const int32_t *offsets, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && offsets[order[at - 1]] > offsets[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
