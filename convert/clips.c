/* The frames and clips to write. */
#include "convert_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns whether the scene has a clip whose name is the first `length` bytes, exactly or
 * case-insensitively. */
static bool has_clip_as(const lm_scene *scene, const char *name, size_t length, bool exact) {
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        uint32_t count;
        const lm_clip *clips = lmi_scene_clips(&scene->parts[p], &count);
        for (uint32_t i = 0; i < count; i++)
            if (exact ? lmi_is_word(name, length, clips[i].name)
                      : lmi_compare_part(clips[i].name, name, length) == 0)
                return true;
    }
    return false;
}

static bool has_clip(const lm_scene *scene, const char *name, size_t length) {
    return has_clip_as(scene, name, length, false);
}

/* Returns whether a name means a clip. Case matters if a clip has exactly this name. */
static bool is_meant(const lm_scene *scene, const char *name, size_t length, const lm_clip *clip) {
    return lmi_compare_part(clip->name, name, length) == 0 &&
           (lmi_is_word(name, length, clip->name) || !has_clip_as(scene, name, length, true));
}

/* Appends that there is no such clip, with the most similar name. */
static void describe_unknown(const lm_scene *scene, const char *name, size_t length,
                             lm_buffer *problem) {
    lm_buffer word = {0};
    lm_buffer_append(&word, name, length);
    lm_buffer_append(&word, "", 1);
    lm_guess guess = {.word = word.failed ? "" : (const char *)word.data};
    uint32_t all = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        uint32_t count;
        const lm_clip *clips = lmi_scene_clips(&scene->parts[p], &count);
        all += count;
        for (uint32_t i = 0; i < count; i++)
            lmi_guess_try(&guess, clips[i].name);
    }
    lm_buffer_printf(problem, "there is no clip \"%s\"", guess.word);
    if (guess.best)
        lm_buffer_printf(problem, "; did you mean \"%s\"?", guess.best);
    else if (all == 0)
        lm_buffer_text(problem, ": the model has no clips");
    else
        lm_buffer_printf(problem, "; lerpmesh info lists the %u clip%s", all, all == 1 ? "" : "s");
    problem->failed = problem->failed || word.failed;
    lm_buffer_free(&word);
}

/* Returns whether a part plays a clip, which is one of those joined in `names`. A part plays the
 * first of them that it has, and one with bones the first two. */
static bool is_played_by(const lm_scene_part *part, const char *names, const char *name,
                         size_t length) {
    uint32_t count, left = part->model->bones ? 2 : 1;
    const lm_clip *clips = lmi_scene_clips(part, &count);
    while (left > 0 && names <= name) {
        const size_t size = names < name ? strcspn(names, "+") : length;
        const bool has = lmi_find_name(clips, count, sizeof *clips, names, size) != LM_NO_NAME;
        if (has && names == name)
            return true;
        left -= has;
        names += size + 1;
    }
    return false;
}

void lmi_convert_check_clip(const lm_scene *scene, const char *name, size_t length,
                            lm_buffer *problem) {
    const char *const names = name;
    const size_t whole = length;
    if (has_clip(scene, name, length))
        return;
    for (const char *end = name + length, *plus = name; plus; name = plus + 1) {
        plus = memchr(name, '+', (size_t)(end - name));
        length = (size_t)((plus ? plus : end) - name);
        if (!has_clip(scene, name, length)) {
            describe_unknown(scene, name, length, problem);
            return;
        }
        uint32_t part = 0;
        while (part < scene->num_parts && !is_played_by(&scene->parts[part], names, name, length))
            part++;
        if (part < scene->num_parts)
            continue;
        lm_buffer_printf(problem,
                         "no model plays \"%.*s\" in \"%.*s\": each plays one clip at a time, one "
                         "with bones two",
                         (int)length, name, (int)whole, names);
        return;
    }
}

static bool check_frames(conversion *c, uint32_t num_frames) {
    const lm_convert_options *o = c->options;
    const uint32_t last = num_frames - 1;
    char frames[48] = "1 frame, number 0";
    if (last > 0)
        snprintf(frames, sizeof frames, "%u frames, 0 to %u", num_frames, last);
    if (o->num_frames > 0 && (o->first_frame > last || o->num_frames - 1 > last - o->first_frame))
        return lm_cv_fail(c, "there are no frames %u-%llu: the model has %s", o->first_frame,
                          (unsigned long long)o->first_frame + o->num_frames - 1, frames);
    return !o->still || o->frame <= (double)last ||
           lm_cv_fail(c, "there is no frame %g: the model has %s", o->frame, frames);
}

/* ---- Names between commas -------------------------------------------------------------------- */

/* Returns the length of the first name. A clip whose name contains commas must be the only one. */
static size_t name_length(const lm_scene *scene, const char *names) {
    size_t length = strlen(names);
    return has_clip(scene, names, length) ? length : strcspn(names, ",");
}

static const char *next_name(const char *name, size_t length) {
    return name[length] == ',' ? name + length + 1 : name + length;
}

/* Returns whether a name means all clips. */
static bool is_all(const lm_scene *scene, const char *name, size_t length) {
    return lmi_is_word(name, length, "all") && !has_clip_as(scene, name, length, true);
}

static bool check_name(conversion *c, const lm_scene *scene, const char *name, size_t length) {
    lm_buffer problem = {0};
    lmi_convert_check_clip(scene, name, length, &problem);
    const bool known = problem.size == 0 && !problem.failed;
    if (!known)
        lm_cv_fail(c, "%.*s", (int)problem.size, (const char *)problem.data);
    lm_buffer_free(&problem);
    return known;
}

static bool check_names(conversion *c, const lm_scene *scene, const char *names) {
    if (*names == '\0')
        return check_name(c, scene, names, 0);
    while (*names) {
        size_t length = name_length(scene, names);
        if (!is_all(scene, names, length) && !check_name(c, scene, names, length))
            return false;
        names = next_name(names, length);
    }
    return true;
}

static bool is_among(const lm_scene *scene, const lm_clip *clip, const char *names) {
    while (*names) {
        size_t length = name_length(scene, names);
        if (is_meant(scene, names, length, clip) || is_all(scene, names, length))
            return true;
        names = next_name(names, length);
    }
    return false;
}

/* Returns whether the options name a clip; without names, all are wanted. */
static bool is_wanted(const conversion *c, const lm_scene *scene, const lm_clip *clip) {
    for (uint32_t i = 0; i < c->options->num_clips; i++)
        if (is_among(scene, clip, c->options->clips[i]))
            return true;
    return c->options->num_clips == 0;
}

/* ---- Selecting ------------------------------------------------------------------------------- */

/* Selects the frames to write: those requested, else those of the requested clips, else all. */
static void plan_frames(const lm_convert_options *o, const lm_clip *clips, uint32_t num_clips,
                        lm_export_options *plan) {
    if (o->num_frames > 0) {
        plan->first_frame = o->first_frame;
        plan->num_frames = o->num_frames;
    } else if (o->num_clips > 0) {
        uint32_t first = num_clips > 0 ? clips[0].first : 0, end = first + 1;
        for (uint32_t i = 0; i < num_clips; i++) {
            if (clips[i].first < first)
                first = clips[i].first;
            if (clips[i].first + clips[i].count > end)
                end = clips[i].first + clips[i].count;
        }
        plan->first_frame = first;
        plan->num_frames = end - first;
    }
}

static bool check_overlap(conversion *c, const lm_clip *clip) {
    const uint32_t first = c->plan.first_frame, end = first + c->plan.num_frames;
    if (clip->first < end && clip->first + clip->count > first)
        return true;
    return lm_cv_fail(c, "the clip \"%s\" (frames %u-%u) lies outside " OPTION "frames %u-%u",
                      clip->name, clip->first, clip->first + clip->count - 1, first, end - 1);
}

/* For clips that are joined with '+', gives each part's clip the joined name, so that they become
 * one animation. Returns the number added to `picked`. */
static uint32_t pick_joined(conversion *c, const lm_scene *scene, uint32_t part, const char *names,
                            lm_clip *picked) {
    uint32_t count = 0;
    for (size_t length; *names; names = next_name(names, length)) {
        length = name_length(scene, names);
        const char *name =
            has_clip(scene, names, length) ? NULL : lmi_arena_text(c->arena, names, length);
        const lm_clip *clip = name ? lm_scene_find_clip(scene, part, name) : NULL;
        if (clip) {
            picked[count] = *clip;
            picked[count++].name = name;
        }
    }
    return count;
}

static bool is_picked(const lm_clip *picked, uint32_t count, const lm_clip *clip) {
    for (uint32_t i = 0; i < count; i++)
        if (picked[i].name == clip->name && picked[i].first == clip->first)
            return true;
    return false;
}

/* Selects the clips that the options name, in the order of the names. */
static uint32_t pick_in_order(const conversion *c, const lm_scene *scene, const lm_clip *clips,
                              uint32_t num_clips, lm_clip *picked) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < c->options->num_clips; k++) {
        const char *names = c->options->clips[k];
        for (size_t length; *names; names = next_name(names, length)) {
            length = name_length(scene, names);
            const bool all = is_all(scene, names, length);
            for (uint32_t i = 0; i < num_clips; i++)
                if ((all || is_meant(scene, names, length, &clips[i])) &&
                    !is_picked(picked, count, &clips[i]))
                    picked[count++] = clips[i];
        }
    }
    return count;
}

/* Selects the clips of one part into `picked`. Returns their number. A model gets its frames in the
 * order of the names. */
static uint32_t pick_clips(conversion *c, const lm_scene *scene, uint32_t part, lm_clip *picked) {
    const bool ordered = (c->format || c->options->vat) && c->options->num_clips > 0;
    uint32_t num_clips;
    const lm_clip *clips = lmi_scene_clips(&scene->parts[part], &num_clips);
    uint32_t count = ordered ? pick_in_order(c, scene, clips, num_clips, picked) : 0;
    for (uint32_t i = 0; i < num_clips && !ordered; i++)
        if (is_wanted(c, scene, &clips[i]))
            picked[count++] = clips[i];
    for (uint32_t i = 0; i < c->options->num_clips; i++)
        count += pick_joined(c, scene, part, c->options->clips[i], picked + count);
    return count;
}

/* Makes a clip play as fast as the options say. Returns false if memory runs out. */
static bool hasten(conversion *c, lm_clip *clip) {
    const float speed = c->options->speed, *own = clip->times;
    if (!(speed > 0))
        return true;
    clip->fps *= speed;
    float *times = own ? lmi_arena_alloc(c->arena, clip->count + (uint64_t)1, sizeof *times) : NULL;
    for (uint32_t i = 0; times && i <= clip->count; i++)
        times[i] = own[i] / speed;
    clip->times = times;
    return times || !own;
}

static bool plan_clips(conversion *c, const lm_scene *scene, lm_clip *end) {
    for (uint32_t i = 0; i < c->options->num_clips; i++)
        if (!check_names(c, scene, c->options->clips[i]))
            return false;
    /* A part's idle clip follows its other clips. It is needed while other parts play clips that
     * this one does not have. */
    for (uint32_t part = 0; part < scene->num_parts; part++) {
        lm_scene_part *p = &c->parts[part];
        p->clips = end;
        p->num_clips = pick_clips(c, scene, part, end);
        end += p->num_clips;
        if (p->idle) {
            *end = *p->idle;
            p->idle = end++;
        }
        for (lm_clip *clip = end - p->num_clips - (p->idle != NULL); clip < end; clip++)
            if (!hasten(c, clip))
                return false;
    }
    const lm_scene_part *body = &c->parts[0];
    plan_frames(c->options, body->clips, body->num_clips + (body->idle != NULL), &c->plan);
    for (uint32_t i = 0; i < body->num_clips && c->options->num_clips > 0; i++)
        if (!check_overlap(c, &body->clips[i]))
            return false;
    return true;
}

/* Returns the largest number of names that the options have. */
static size_t count_names(const conversion *c) {
    size_t count = c->options->num_clips;
    for (uint32_t i = 0; i < c->options->num_clips; i++)
        for (const char *names = c->options->clips[i]; *names; names++)
            count += *names == ',';
    return count;
}

/* Allocates the clips of all parts. */
static lm_clip *make_clips(conversion *c, const lm_scene *scene) {
    size_t most = 1 + scene->num_parts;
    const size_t joined = count_names(c);
    for (uint32_t i = 0, count; i < scene->num_parts; i++, most += count + joined)
        lmi_scene_clips(&scene->parts[i], &count);
    return lmi_arena_zeros(c->arena, most, sizeof(lm_clip));
}

static float scale_of(const conversion *c) {
    const lm_convert_options *o = c->options;
    const float unit = o->unit > 0 ? o->unit : LM_METRES_PER_UNIT;
    return (o->scale > 0 ? o->scale : 1) * (c->format || c->obj ? 1 : unit);
}

/* Makes clips of those that the options join, for models with bones. NULL: there is no memory. */
static const lm_scene *join_clips(conversion *c, const lm_scene *scene) {
    const char **list = lmi_arena_zeros(c->arena, count_names(c), sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < c->options->num_clips; i++)
        for (const char *names = c->options->clips[i]; *names;) {
            const size_t length = name_length(scene, names);
            list[count] = lmi_arena_text(c->arena, names, length);
            if (!list[count++])
                return NULL;
            names = next_name(names, length);
        }
    return list ? lmi_scene_join(scene, list, count, c->arena) : NULL;
}

/* What an import takes for each frame: vertices with their normals, of which a file has more than a
 * model, and joints or tags with their keys. */
#define VERTEX_BYTES 32u
#define JOINT_BYTES 64u

/* Fails if a rate gives a glTF or IQM more frames than an import of it takes. */
static bool check_rate(conversion *c) {
    const double fps = (double)c->options->fps, memory = (double)lmi_cv_import_memory(c);
    double frames = 0, each = 1;
    if (!(fps > 0) || c->plan.still || c->obj || c->options->vat || (c->format && !c->iqm))
        return true;
    for (uint32_t i = 0; i < c->parts[0].num_clips; i++) {
        const lm_clip *clip = &c->parts[0].clips[i];
        const double seconds = lm_clip_duration(clip, LM_PLAY_AS_CLIP);
        frames += lmi_frames_at(seconds, clip->loop_frames > 0, fps);
    }
    for (uint32_t part = 0; part < c->scene.num_parts; part++) {
        const lm_model *model = c->parts[part].model;
        const uint32_t joints = model->bones ? model->bones->num_bones : LM_SKELETON_BONES;
        each += JOINT_BYTES * ((double)model->num_tags + joints);
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            each += VERTEX_BYTES * (double)(c->imported.mesh
                                                ? c->imported.mesh->surfaces[i].num_vertices
                                                : model->surfaces[i].num_file_vertices);
    }
    const double most = fmin(LM_MAX_IMPORT_FRAMES, floor(memory / each));
    return frames <= most ||
           lm_cv_fail_code(c, LM_CODE_LIMIT,
                           OPTION "fps %g gives %.0f frames, but an import of the file takes at "
                                  "most %.0f: lower the rate or select clips with " OPTION "clip",
                           fps, frames, most);
}

bool lmi_cv_plan(conversion *c, const lm_scene *given, uint32_t num_frames) {
    const lm_convert_options *o = c->options;
    const lm_scene *scene = join_clips(c, given);
    if (!scene)
        return false;
    c->joined = scene != given;
    lm_clip *clips = make_clips(c, scene);
    c->scene = *scene;
    c->scene.parts = c->parts =
        lmi_arena_zeros(c->arena, scene->num_parts + (uint64_t)1, sizeof *c->parts);
    c->plan = (lm_export_options){
        .axes = o->axes,
        .scale = scale_of(c),
        .still = o->still || c->obj,
        .frame = o->frame,
    };
    if (!clips || !c->parts)
        return false;
    memcpy(c->parts, scene->parts, scene->num_parts * sizeof *c->parts);
    c->made.num_frames = num_frames;
    return check_frames(c, num_frames) && (c->plan.still || plan_clips(c, scene, clips)) &&
           check_rate(c);
}
