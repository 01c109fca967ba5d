/* --skeleton: joints instead of morph targets. */
#include "convert.h"

#include "describe.h"

/* Reads a number of joints or shapes from 1 to `most`. */
static bool read_number(const tool_args *args, tool_option option, const char *things,
                        unsigned most, uint32_t *out) {
    const char *value = tool_value(args, option);
    uint64_t number = 0;
    if (!value)
        return true;
    if (!tool_parse_uint(value, most, &number) || number == 0)
        return tool_usage(args, "--%s takes a number of %s up to %u, not \"%s\"",
                          tool_option_about(option)->name, things, most, value);
    *out = (uint32_t)number;
    return true;
}

/* Returns whether frames are added between those of the input. */
static bool resamples(const convert_settings *settings) {
    return settings->fps > 0 && (settings->format == CONVERT_MODEL || settings->vat);
}

bool convert_skeleton_read(const tool_args *args, convert_settings *settings) {
    static const tool_option others[] = {TOOL_COMPRESS, TOOL_FRAME, TOOL_VAT};
    if (!tool_has(args, TOOL_SKELETON))
        return !tool_has(args, TOOL_CORRECTIVES) ||
               tool_usage(args, "--correctives needs --skeleton");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(args, others[i]) && !(others[i] == TOOL_VAT && resamples(settings)))
            return tool_usage(args, "--%s cannot be combined with --skeleton",
                              tool_option_about(others[i])->name);
    if (settings->format != CONVERT_GLB && settings->format != CONVERT_GLTF && !resamples(settings))
        return tool_usage(args, "--skeleton applies to glTF, and with --fps to other models");
    settings->skeleton = true;
    return read_number(args, TOOL_SKELETON, "joints", LM_MAX_SKELETON_BONES,
                       &settings->max_bones) &&
           read_number(args, TOOL_CORRECTIVES, "corrective shapes", LM_MAX_SKELETON_CORRECTIVES,
                       &settings->max_correctives);
}

/* Begins a message about a part, which has a name if there are several. */
static lm_buffer begin_text(const conversion *c, uint32_t part) {
    lm_buffer text = {0};
    const char *name = c->scene.num_parts > 1 ? c->scene.parts[part].name : NULL;
    if (name)
        lm_buffer_printf(&text, "%s: ", name);
    return text;
}

static void report(const conversion *c, uint32_t part, const lm_skeleton *s) {
    lm_buffer text = begin_text(c, part);
    lm_buffer_text(&text, "skeleton of ");
    lm_text_count(&text, s->num_joints, "joint");
    if (s->num_correctives > 0) {
        lm_buffer_text(&text, " and ");
        lm_text_count(&text, s->num_correctives, "corrective shape");
        lm_buffer_printf(&text, " (without: %.3g units, %.2f times the file's rounding)",
                         s->uncorrected.rms_error, s->uncorrected.rms_error / s->quantum);
    }
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

static void report_refusal(const conversion *c, uint32_t part, const lm_skeleton *s) {
    lm_buffer text = begin_text(c, part);
    lm_buffer_printf(&text, "no skeleton, but %s: %s",
                     resamples(c->settings) ? "positions are mixed" : "morph targets", s->reason);
    const char *line = tool_take_text(&c->job->memory, &text);
    if (line)
        tool_warn(c->job, "%s", line);
}

/* Finds the skeleton of one part; NULL if it has no good one. */
static bool find_skeleton(const conversion *c, uint32_t part, lm_skeleton **found) {
    const lm_model *model = c->scene.parts[part].model;
    const lm_skeleton_options options = {.max_bones = c->settings->max_bones,
                                         .max_correctives = c->settings->max_correctives,
                                         .quantum = lm_skeleton_quantum(model)};
    lm_error error;
    if (c->scene.num_parts > 1 && model->num_frames == 1) /* such as a head */
        return true;
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, &error);
    *found = mesh ? lm_skeleton_fit(mesh, &options, &error) : NULL;
    lm_mesh_free(mesh);
    if (!*found)
        return tool_fail_error(c->job, &error);
    if ((*found)->verdict != LM_SKELETON_REFUSED) {
        report(c, part, *found);
        return true;
    }
    report_refusal(c, part, *found);
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
