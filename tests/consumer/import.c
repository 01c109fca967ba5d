/* A separate program with the import library: rejects a file that is no glTF. */
#include <lerpmesh/import.h>

#include <stdio.h>

int main(void) {
    lm_error error;
    lm_import *import = lm_import_read("IDP2", 4, NULL, &error);
    printf("lerpmesh %s: %s\n", lm_version(), import ? "?" : lm_code_name(error.code));
    lm_import_free(import);
    return import || error.code != LM_CODE_UNKNOWN_FORMAT;
}
