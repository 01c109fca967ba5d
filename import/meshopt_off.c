/* Stubs for a build without meshoptimizer's header. */
#include "packed.h"

const lm_gltf_packer *lm_meshopt_packer(void) {
    return NULL;
}

bool lm_im_can_unpack(void) {
    return false;
}

bool lm_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                  lm_im_bytes *out) {
    (void)packed;
    (void)out;
    return lm_im_fail(im, LM_CODE_NOT_BUILT_IN, location,
                      "it is compressed, but this build cannot decompress it: export it without "
                      "meshopt compression");
}
