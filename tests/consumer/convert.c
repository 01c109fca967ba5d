/* A separate program with the conversion library: a conversion of no model fails. */
#include <lerpmesh/convert.h>

#include <stdio.h>

int main(void) {
    lm_error error;
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_options options = {.format = "md3"};
    const lm_convert_source source = {.vfs = vfs, .path = "a.md2", .data = "IDP2", .size = 4};
    lm_conversion *made = lm_convert(&source, &options, NULL, &error);
    printf("lerpmesh %s: %s\n", lm_version(), made ? "?" : lm_code_name(error.code));
    lm_conversion_free(made);
    lm_vfs_free(vfs);
    return made || error.code != LM_CODE_TRUNCATED;
}
