/* Any bytes as a shader script: every label is one of the text's, and every shader is such as
 * lerpmesh/shader.h allows. */
#include "lerpmesh/scene.h"
#include "lerpmesh/script.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_shader(const lm_script *script, uint32_t label, size_t size) {
    const lm_script_label *l = &script->labels[label];
    const char *what;
    lm_script_shader *shader = lm_script_shader_read(script, label, NULL, NULL);
    if (!l->name[0] || l->line == 0 || l->begin > l->end || l->end > size)
        abort();
    if (!shader || !lm_shader_check(&shader->shader, shader->num_pictures, &what) ||
        shader->shader.line != l->line)
        abort();
    lm_script_shader_free(shader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lm_script *script = lm_script_read(data, size, NULL, NULL);
    for (uint32_t i = 0; script && i < script->num_labels; i++)
        read_shader(script, i, size);
    lm_script_free(script);
    return 0;
}
