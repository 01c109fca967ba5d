/* A separate program with the writing library: encodes a model. */
#include <lerpmesh/encode.h>
#include <lerpmesh/load.h>

#include <stdio.h>

int main(void) {
    static uint8_t bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, stdin);
    lm_error error;
    lm_buffer out = {0};
    lm_model *model = lm_load_memory(bytes, size, NULL, &error);
    lm_mesh *mesh = model ? lm_mesh_from_model(model, NULL, &error) : NULL;
    const bool done = mesh && lm_encode(mesh, lm_format_by_name("mdc"), NULL, &out, NULL, &error);
    printf("lerpmesh %s: %s\n", lm_version(),
           done ? lm_format_of(out.data, out.size) : error.message);
    lm_mesh_free(mesh);
    lm_model_free(model);
    lm_buffer_free(&out);
    return !done;
}
