/* Skeletons: joints instead of morph targets. */
#include "convert_internal.h"

/* Reports a skeleton, or why a part has none. `name`: that of one of several parts, or NULL. `own`:
 * it is the model's own. */
static void report(conversion *c, const char *name, bool own, const lm_skeleton *s) {
    const bool refused = s->verdict == LM_SKELETON_REFUSED;
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

/* Returns whether a part without bones of its own gets a skeleton that is found. Nothing moves in
 * one frame. */
static bool is_searched(const conversion *c, uint32_t part) {
    const lm_convert_options *o = c->options;
    const lm_mesh *mesh = c->imported.mesh;
    const uint32_t frames = mesh ? mesh->num_frames : c->scene.parts[part].model->num_frames;
    if (c->iqm)
        return frames > 1 && !o->still && o->num_frames != 1;
    return o->skeleton && (c->scene.num_parts == 1 || frames > 1); /* a head has one */
}

/* Returns the largest number of joints of each part. An IQM of several has one skeleton. */
static uint32_t most_bones(const conversion *c) {
    const uint32_t wanted = c->options->max_bones ? c->options->max_bones : LM_SKELETON_BONES;
    uint32_t used = 1, searched = 0;
    for (uint32_t i = 0; i < c->scene.num_parts; i++) {
        const lm_model *model = c->scene.parts[i].model;
        used += model->num_tags + (model->bones ? model->bones->num_bones : 0);
        searched += !model->bones && is_searched(c, i);
    }
    const uint32_t left = used < LM_MAX_SKELETON_BONES ? LM_MAX_SKELETON_BONES - used : 0;
    const uint32_t room = searched > 1 && c->iqm ? left / searched : wanted;
    return room > wanted ? wanted : room > 0 ? room : 1;
}

static lm_skeleton_options skeleton_options(search *progress) {
    const lm_convert_options *o = progress->c->options;
    return (lm_skeleton_options){.progress = report_progress,
                                 .user = progress,
                                 .max_bones = most_bones(progress->c),
                                 .max_correctives = o->max_correctives};
}

/* Returns the skeleton of an import whose mesh follows it; NULL: none. */
static const lm_skeleton *imported_skeleton(conversion *c) {
    const lm_import *import = c->imported.import;
    const lm_skeleton *own = import && import->mesh == c->imported.mesh ? import->skeleton : NULL;
    if (!own || own->verdict != LM_SKELETON_REFUSED)
        return own;
    lm_cv_warn(c, "the file's skeleton is not kept: %s", own->reason);
    return NULL;
}

/* Warns that a number of joints has no effect on the skeleton that a file has. */
static void warn_of_number(conversion *c, const lm_skeleton *own) {
    if (c->options->max_bones > 0)
        lm_cv_warn(c, OPTION "skeleton=%u has no effect: the file has its own skeleton of %s",
                   (unsigned)c->options->max_bones,
                   lmi_count_nouns(own->num_joints, "joints").text);
}

void lmi_cv_warn_of_morphing(conversion *c) {
    const lm_import *import = c->imported.import;
    bool own = import && import->skeleton && import->skeleton->verdict != LM_SKELETON_REFUSED;
    for (uint32_t i = 0; i < c->scene.num_parts; i++)
        own = own || c->scene.parts[i].model->bones;
    if (own)
        lm_cv_warn(c, OPTION "compress does not keep the file's skeleton: its poses become morph "
                             "targets");
}

/* Finds the skeleton of one part; NULL if it has no good one. */
static bool find_skeleton(conversion *c, uint32_t part, lm_skeleton **found) {
    const lm_model *model = c->scene.parts[part].model;
    search progress = {c, part};
    const lm_skeleton_options options = skeleton_options(&progress);
    lm_error error;
    if (!model->bones && !is_searched(c, part))
        return true;
    lm_skeleton *s = c->imported.mesh ? lm_skeleton_fit(c->imported.mesh, &options, &error)
                                      : lm_skeleton_of_model(model, &options, &error);
    if (!s) /* lmi_cv_step has reported that it was stopped */
        return error.code != LM_CODE_STOPPED && lmi_cv_fail_error(c, &error);
    const bool refused = s->verdict == LM_SKELETON_REFUSED;
    if (refused && c->iqm)
        c->refused = lmi_copy_text(c->arena, s->reason);
    else
        report(c, c->scene.num_parts > 1 ? c->scene.parts[part].name : NULL, model->bones, s);
    if (model->bones)
        warn_of_number(c, s);
    *found = refused ? NULL : s;
    if (refused)
        lm_skeleton_free(s);
    return true;
}

/* Returns whether a part may get a skeleton. */
static bool may_have_skeletons(const conversion *c) {
    bool may = c->options->skeleton || c->iqm || c->imported.import;
    for (uint32_t i = 0; i < c->scene.num_parts; i++)
        may = may || c->scene.parts[i].model->bones;
    return may;
}

bool lmi_cv_find_skeletons(conversion *c, const lm_skeleton *const **found) {
    const uint32_t count = c->scene.num_parts;
    *found = NULL;
    if (!may_have_skeletons(c))
        return true;
    if (c->given && c->given->skeletons && !c->joined) {
        *found = c->given->skeletons;
        return true;
    }
    const lm_skeleton *own = imported_skeleton(c);
    const lm_skeleton **list = lmi_arena_zeros(c->arena, count + (uint64_t)1, sizeof *list);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    c->skeletons = lmi_arena_zeros(c->arena, count + (uint64_t)1, sizeof *c->skeletons);
    if (!list || !c->skeletons)
        return false;
    if (own) {
        report(c, NULL, true, own);
        warn_of_number(c, own);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!own && !find_skeleton(c, i, &c->skeletons[i]))
            return false;
        list[i] = own ? own : c->skeletons[i];
    }
    *found = list;
    return true;
}

/* ---- IQM ------------------------------------------------------------------------------------- */

/* Returns the largest error by rounding of the models that a mesh was composed of; 0: unknown. */
static double quantum_of(const conversion *c) {
    double most = 0;
    for (uint32_t i = 0; i < c->scene.num_parts && !c->imported.mesh; i++) {
        const double quantum = lm_skeleton_quantum(c->scene.parts[i].model);
        most = quantum > most ? quantum : most;
    }
    return c->options->scale > 0 ? most * (double)c->options->scale : most;
}

static bool fail_refused(const conversion *c, const char *reason, lm_error *error) {
    return lmi_cv_option_fail(c->options->option_prefix, error,
                              "IQM needs a skeleton to move vertices, but %s; .glb and .md3 hold "
                              "all frames, and " OPTION "frames 0 writes one as IQM",
                              reason);
}

/* Encodes a mesh whose parts have no skeletons that could be joined, that has fewer triangles than
 * they, or too many joints and tags: with the one that its vertices follow. */
static bool encode_found(conversion *c, const lm_mesh *mesh, lm_buffer *out,
                         lm_encode_report **result, lm_error *error) {
    search progress = {c, 0};
    lm_skeleton_options options = skeleton_options(&progress);
    if (c->refused && c->scene.num_parts == 1)
        return fail_refused(c, c->refused, error);
    const uint32_t tags = mesh->num_tags, most = LM_MAX_SKELETON_BONES;
    const uint32_t room = tags < most ? most - tags : 1;
    options.max_bones = options.max_bones < room ? options.max_bones : room;
    options.quantum = quantum_of(c);
    lm_skeleton *found = lm_skeleton_fit(mesh, &options, error);
    bool ok = found && found->verdict != LM_SKELETON_REFUSED;
    if (ok) {
        report(c, NULL, false, found);
        ok = lm_encode_iqm(mesh, found, out, result, error);
    } else if (found) {
        fail_refused(c, found->reason, error);
    }
    lm_skeleton_free(found);
    return ok;
}

/* Returns whether a mesh was not encoded because of its joints and tags. Reports why they are not
 * kept. */
static bool has_too_many(conversion *c, const lm_mesh *mesh, const lm_error *error) {
    const uint64_t all = c->skeleton ? c->skeleton->num_joints + (uint64_t)mesh->num_tags : 0;
    const bool many = error->code == LM_CODE_LIMIT && all > LM_MAX_SKELETON_BONES;
    if (many)
        lm_cv_warn(c, "the skeleton is not kept: %s", error->message);
    return many;
}

bool lmi_cv_encode_iqm(conversion *c, const lm_mesh *mesh, lm_buffer *out,
                       lm_encode_report **result, lm_error *error) {
    const double max_error = c->options->encode.max_error;
    bool ok = lm_encode_iqm(mesh, c->skeleton, out, result, error) ||
              ((error->code == LM_CODE_NOT_HELD || has_too_many(c, mesh, error)) &&
               encode_found(c, mesh, out, result, error));
    if (ok && max_error > 0 && (*result)->max_error > max_error)
        ok = lm_fail_plain(error, LM_CODE_LIMIT,
                           "iqm: a vertex has an error of %g units, more than %g",
                           (*result)->max_error, max_error);
    return ok;
}
