/* A separate program with the library for files: opens a missing file. */
#include <lerpmesh/assets.h>

#include <stdio.h>

int main(void) {
    lm_error error;
    lm_model *model = lm_load_file("no such file", NULL, &error);
    printf("lerpmesh %s: %s\n", lm_version(), model ? "?" : lm_code_name(error.code));
    lm_model_free(model);
    return model || error.code != LM_CODE_IO;
}
