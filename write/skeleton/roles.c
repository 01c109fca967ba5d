#include "skeleton/fit.h"

bool lm_fit_name(lm_fit *fit, lm_joint *joints) {
    for (uint32_t j = 0; j < fit->rig.num_bones; j++) {
        joints[j].mirror = j;
        joints[j].name = lm_arena_printf(lm_arena_of(fit->made), "bone.%02u", (unsigned)j);
        if (!joints[j].name)
            return false;
    }
    return true;
}
