/* Stubs for a build without Assimp's headers. */
#include "lerpmesh/import.h"

lm_import *lm_import_assimp(const void *bytes, size_t size, const char *name,
                            const lm_import_options *options, lm_error *error) {
    (void)bytes;
    (void)size;
    (void)name;
    (void)options;
    lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                  "this build cannot read such files: it was built without Assimp");
    return NULL;
}

bool lm_import_assimp_reads(const char *name) {
    (void)name;
    return false;
}
