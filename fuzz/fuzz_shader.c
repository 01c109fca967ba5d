/* Fuzzes shader scripts: every label occurs in the text, every shader is valid by lerpmesh/scene.h,
 * and can be evaluated at any time. */
#include "fuzz.h"

#include <math.h>

#define MAX_LABELS 32 /* per script; each is parsed again from its text */

static void query_stage(const lm_stage *stage, double seconds) {
    float rgba[4];
    lm_tc_step step;
    PROMISE(stage->num_images == 0 || lm_stage_image(stage, seconds) < stage->num_images);
    lm_stage_color(stage, seconds, rgba);
    for (size_t i = 0; i < 4; i++)
        PROMISE(rgba[i] >= 0 && rgba[i] <= 1);
    for (uint32_t i = 0; i < stage->num_tc_mods; i++)
        lm_tc_mod_at(&stage->tc_mods[i], seconds, &step);
}

static void query(const lm_shader *shader, double seconds) {
    for (uint32_t i = 0; i < shader->num_stages; i++)
        query_stage(&shader->stages[i], seconds);
    for (uint32_t i = 0; i < shader->num_deforms; i++)
        (void)lm_wave_value(&shader->deforms[i].wave, 0.5, seconds);
    PROMISE(!isnan(lm_shader_sort(shader)) && lm_shader_alpha(shader) <= LM_ALPHA_BLEND);
    (void)lm_shader_moves(shader);
}

static void read_shader(const lm_script *script, uint32_t label, size_t size) {
    static const double times[] = {0, 0.3, -7, 1e9};
    const lm_script_label *l = &script->labels[label];
    const char *what;
    lm_script_shader *shader = lm_script_shader_read(script, label, NULL, NULL);
    PROMISE(l->name[0] && l->line > 0 && l->begin <= l->end && l->end <= size);
    PROMISE(shader && lm_shader_check(&shader->shader, shader->num_images, &what));
    PROMISE(shader->shader.line == l->line && shader->num_notes <= LM_MAX_SCRIPT_NOTES);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        query(&shader->shader, times[i]);
    lm_script_shader_free(shader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    lm_script *script = lm_script_read(input.data, input.size, NULL, NULL);
    for (uint32_t i = 0; script && i < script->num_labels && i < MAX_LABELS; i++)
        read_shader(script, i, input.size);
    lm_script_free(script);
    fuzz_close(&input);
    return 0;
}
