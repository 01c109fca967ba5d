/* --skeleton: joints instead of morph targets. */
#include "convert.h"

#include "describe.h"

bool convert_skeleton_read(const tool_args *args, convert_settings *settings) {
    static const tool_option others[] = {TOOL_COMPRESS, TOOL_VAT, TOOL_FRAME};
    const char *most = tool_value(args, TOOL_SKELETON);
    uint64_t number = 0;
    if (!tool_has(args, TOOL_SKELETON))
        return true;
    if (settings->format != CONVERT_GLB && settings->format != CONVERT_GLTF)
        return tool_usage(args, "--skeleton applies to glTF only");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(args, others[i]))
            return tool_usage(args, "--%s cannot be combined with --skeleton",
                              tool_option_about(others[i])->name);
    settings->skeleton = true;
    if (!most)
        return true;
    if (!tool_parse_uint(most, LM_MAX_SKELETON_BONES, &number) || number == 0)
        return tool_usage(args, "--skeleton takes a number of joints up to %u, not \"%s\"",
                          LM_MAX_SKELETON_BONES, most);
    settings->max_bones = (uint32_t)number;
    return true;
}

static void report(const conversion *c, uint32_t part, const lm_skeleton *s) {
    lm_buffer text = {0};
    const char *name = c->scene.num_parts > 1 ? c->scene.parts[part].name : NULL;
    if (name)
        lm_buffer_printf(&text, "%s: ", name);
    lm_buffer_text(&text, "skeleton of ");
    lm_text_count(&text, s->num_joints, "joint");
    if (s->num_translating > 0)
        lm_buffer_printf(&text, ", of which %u change their distance to the parent",
                         (unsigned)s->num_translating);
    lm_buffer_printf(&text, "; error %.3g units (%.2f times the file's rounding), at most %.3g",
                     s->all.rms_error, s->all.rms_error / s->quantum, s->all.max_error);
    const char *line = tool_take_text(&c->job->memory, &text);
    if (line)
        tool_note(c->job, "%s", line);
    if (s->verdict == LM_SKELETON_WARNED)
        tool_warn(c->job, "skeleton: %s", s->reason);
}

/* Finds the skeleton of one part; NULL if it has no good one. */
static bool find_skeleton(const conversion *c, uint32_t part, lm_skeleton **found) {
    const lm_model *model = c->scene.parts[part].model;
    const lm_skeleton_options options = {.max_bones = c->settings->max_bones,
                                         .quantum = lm_skeleton_quantum(model)};
    lm_error error;
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, &error);
    *found = mesh ? lm_skeleton_fit(mesh, &options, &error) : NULL;
    lm_mesh_free(mesh);
    if (!*found)
        return tool_fail_error(c->job, &error);
    if ((*found)->verdict != LM_SKELETON_REFUSED) {
        report(c, part, *found);
        return true;
    }
    tool_warn(c->job, "no skeleton, but morph targets: %s", (*found)->reason);
    lm_skeleton_free(*found);
    *found = NULL;
    return true;
}

bool convert_find_skeletons(conversion *c, lm_skeleton ***found) {
    const uint32_t count = c->scene.num_parts;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    *found = tool_alloc(&c->job->memory, count + (size_t)1, sizeof **found);
    if (!*found)
        return false;
    for (uint32_t i = 0; i < count; i++)
        (*found)[i] = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!find_skeleton(c, i, &(*found)[i]))
            return false;
    return true;
}

void convert_free_skeletons(const conversion *c, lm_skeleton **skeletons) {
    for (uint32_t i = 0; skeletons && i < c->scene.num_parts; i++)
        lm_skeleton_free(skeletons[i]);
}
