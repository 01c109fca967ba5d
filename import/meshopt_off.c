/* Stubs for a build without meshoptimizer's header. */
#include "packed.h"

bool lm_im_can_unpack(void) {
    return false;
}

bool lm_im_unpack(importing *im, const char *place, const lm_im_packed *packed, lm_im_bytes *out) {
    (void)packed;
    (void)out;
    return lm_im_fail(
        im, LM_CODE_NOT_BUILT_IN, place,
        "it is compressed, which this build cannot undo: write the file again without "
        "meshopt compression");
}
