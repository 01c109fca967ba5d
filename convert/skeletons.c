/* Skeletons: joints instead of morph targets. */
#include "convert_internal.h"

/* Reports a skeleton, or why a part has none. */
static void report(conversion *c, uint32_t part, const lm_skeleton *s) {
    const bool refused = s->verdict == LM_SKELETON_REFUSED;
    const bool own = c->scene.parts[part].model->bones;
    const char *name = c->scene.num_parts > 1 ? c->scene.parts[part].name : NULL;
    lm_buffer text = {0};
    if (name)
        lm_buffer_printf(&text, "%s: ", name);
    if (refused) {
        lm_buffer_printf(&text, "no skeleton, but %s: %s",
                         lmi_cv_resamples(c->options, c->format) ? "positions are mixed"
                                                                 : "morph targets",
                         s->reason);
    } else {
        lm_buffer_printf(&text, "skeleton of %s", lmi_count_nouns(s->num_joints, "joints").text);
    }
    if (!refused && s->num_correctives > 0)
        lm_buffer_printf(&text, " and %s (without: %.3g units, %.2f times the file's rounding)",
                         lmi_count_nouns(s->num_correctives, "corrective shapes").text,
                         s->uncorrected.rms_error, s->uncorrected.rms_error / s->quantum);
    if (own && !refused)
        lm_buffer_printf(&text, ", the model's own, at most %.3g units off", s->all.max_error);
    if (!refused && !own && s->num_translating > 0)
        lm_buffer_printf(&text, ", of which %u change their distance to the parent",
                         (unsigned)s->num_translating);
    if (!refused && !own)
        lm_buffer_printf(&text, "; error %.3g units (%.2f times the file's rounding), at most %.3g",
                         s->all.rms_error, s->all.rms_error / s->quantum, s->all.max_error);
    const char *line = lmi_cv_take_text(c, &text);
    if (line)
        lmi_cv_say(c, refused ? LM_CONVERT_KIND_WARNING : LM_CONVERT_KIND_NOTE, LM_CODE_OK, "%s",
                   line);
    if (s->verdict == LM_SKELETON_WARNED)
        lm_cv_warn(c, "skeleton: %s", s->reason);
}

/* A skeleton that is looked for. */
typedef struct search {
    conversion *c;
    uint32_t part;
} search;

static bool report_progress(void *user, double share) {
    const search *s = user;
    const double all = (s->part + share) / s->c->scene.num_parts;
    return lmi_cv_step(s->c, LM_CV_SKELETONS + (LM_CV_COMPOSE - LM_CV_SKELETONS) * all, "skeleton");
}

/* Finds the skeleton of one part; NULL if it has no good one. */
static bool find_skeleton(conversion *c, uint32_t part, lm_skeleton **found) {
    const lm_model *model = c->scene.parts[part].model;
    search progress = {c, part};
    const lm_skeleton_options options = {.progress = report_progress,
                                         .user = &progress,
                                         .max_bones = c->options->max_bones,
                                         .max_correctives = c->options->max_correctives};
    lm_error error;
    if (!model->bones && (!c->options->skeleton ||
                          (c->scene.num_parts > 1 && model->num_frames == 1))) /* as a head */
        return true;
    *found = lm_skeleton_of_model(model, &options, &error);
    if (!*found) /* lmi_cv_step has reported that it was stopped */
        return error.code != LM_CODE_STOPPED && lmi_cv_fail_error(c, &error);
    report(c, part, *found);
    if ((*found)->verdict == LM_SKELETON_REFUSED) {
        lm_skeleton_free(*found);
        *found = NULL;
    }
    return true;
}

bool lmi_cv_wants_skeletons(const conversion *c) {
    bool wanted = c->options->skeleton;
    for (uint32_t i = 0; i < c->scene.num_parts && !c->options->compress; i++)
        wanted = wanted || c->scene.parts[i].model->bones;
    return wanted;
}

bool lmi_cv_find_skeletons(conversion *c, const lm_skeleton *const **found) {
    const uint32_t count = c->scene.num_parts;
    if (c->given && c->given->skeletons && !c->joined) {
        *found = c->given->skeletons;
        return true;
    }
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    c->skeletons = lmi_arena_zeros(c->arena, count + (uint64_t)1, sizeof *c->skeletons);
    if (!c->skeletons)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!find_skeleton(c, i, &c->skeletons[i]))
            return false;
    *found = (const lm_skeleton *const *)c->skeletons;
    return true;
}
