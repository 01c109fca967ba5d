#include "export/export_common.h"

#include "clips/clip_names.h"
#include "core/names.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "encode/encoding.h"
#include "scene/check.h"

#include <string.h>

/* Outside of this range, times in seconds are not strictly increasing floats. */
#define LM_MIN_FPS 1e-3f
#define LM_MAX_FPS 1e6f

/* ---- The call ------------------------------------------------------------------------------- */

void lmi_export_begin(lm_heap *heap, const lm_buffer *out, lm_error *error) {
    const lm_memory memory = {.allocator = out->allocator, .max_bytes = SIZE_MAX};
    lmi_heap_begin(heap, &memory, 0, NULL, error);
}

bool lmi_export_end(lm_heap *heap, lm_buffer *out, lm_buffer_mark mark, const char *name) {
    lm_call *call = &heap->call;
    if (call->status == LM_NO_MEMORY)
        lmi_call_fail(call, LM_CODE_OUT_OF_MEMORY, "out of memory while writing %s", name);
    return lmi_call_join(call,
                         lmi_buffer_end(out, mark, call->status == LM_DONE, name, call->error));
}

/* ---- Options -------------------------------------------------------------------------------- */

static bool resolve_frames(const lm_export_options *options, lm_export *out) {
    uint32_t num_frames = out->model->num_frames;
    if (options->still) {
        if (!isfinite(options->frame) || options->frame < 0 || options->frame > num_frames - 1)
            return lmi_call_fail(out->call, LM_CODE_BAD_ARGUMENT,
                                 "frame %g does not exist: the model has frames 0 to %u",
                                 options->frame, (unsigned)num_frames - 1);
        out->still = true;
        lm_model_pose_at(out->model, options->frame, &out->pose);
        out->count = 1;
        return true;
    }
    if (options->first_frame >= num_frames ||
        options->num_frames > num_frames - options->first_frame)
        return lmi_call_fail(out->call, LM_CODE_BAD_ARGUMENT,
                             "cannot select %u frames from frame %u on: the model has %u",
                             (unsigned)options->num_frames, (unsigned)options->first_frame,
                             (unsigned)num_frames);
    out->first = options->first_frame;
    out->count = options->num_frames ? options->num_frames : num_frames - options->first_frame;
    out->clips = options->num_clips ? options->clips : out->model->clips;
    out->num_clips = options->num_clips ? options->num_clips : out->model->num_clips;
    return true;
}

static bool options_sound(const lm_export_options *options, uint32_t num_frames, lm_error *error) {
    static const lm_option_member table[] = {
        LM_MEMBER(lm_export_options, axes, ENUM, LM_AXES_MODEL),
        LM_MEMBER(lm_export_options, scale, FLOAT, 0),
        LM_MEMBER(lm_export_options, reserved, RESERVED, 0)};
    if (!lmi_options_valid(options, "export", table, sizeof table / sizeof *table, error))
        return false;
    if (options->num_clips > 0 && !options->clips)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "export: num_clips is %u, but clips is NULL",
                             (unsigned)options->num_clips);
    for (uint32_t i = 0; i < options->num_clips; i++)
        if (!lmi_clip_valid(&options->clips[i], num_frames, "export: clip", i, error))
            return false;
    return true;
}

/* Takes the vertices of a mesh, with smooth normals where it has none. */
static bool take_mesh(const lm_mesh *mesh, lm_arena *arena, lm_export *out) {
    const lm_model *model = out->model;
    const uint32_t count = mesh->num_surfaces;
    lm_mesh_surface *surfaces = lmi_arena_alloc(arena, count, sizeof *surfaces);
    bool fits = count == model->num_surfaces && mesh->num_frames == model->num_frames;
    if (!surfaces || !lmi_call_join(out->call, lm_mesh_check(mesh, out->call->error)))
        return false;
    for (uint32_t i = 0; fits && i < count; i++) {
        surfaces[i] = mesh->surfaces[i];
        fits = surfaces[i].num_vertices == model->surfaces[i].num_vertices;
    }
    if (!fits)
        return lmi_call_fail(out->call, LM_CODE_BAD_ARGUMENT,
                             "export: the mesh has other numbers of frames, surfaces or vertices "
                             "than the model");
    out->surfaces = surfaces;
    return lmi_encode_fill_normals(mesh, surfaces, arena);
}

bool lmi_export_resolve(const lm_model *model, const lm_export_options *options, lm_arena *arena,
                        lm_export *out) {
    if (!lmi_call_join(out->call, options_sound(options, model->num_frames, out->call->error)))
        return false;
    out->model = model;
    if (options->mesh && !take_mesh(options->mesh, arena, out))
        return false;
    out->name = options->name && *options->name ? options->name : "model";
    out->axes = options->axes ? options->axes : out->axes;
    out->scale = options->scale != 0 ? options->scale : out->scale;
    return resolve_frames(options, out);
}

bool lmi_export_check_uris(lm_call *call, const lm_scene *scene, const char *what) {
    for (uint32_t i = 0; i < scene->num_textures; i++)
        if (!scene->textures[i].uri)
            return lmi_call_fail(call, LM_CODE_BAD_ARGUMENT, "%s needs the uri of texture %u", what,
                                 (unsigned)i);
    return true;
}

/* ---- Frames --------------------------------------------------------------------------------- */

static float usable_fps(float fps) {
    if (!(fps > 0) || !isfinite(fps))
        return LM_DEFAULT_FPS;
    return fminf(fmaxf(fps, LM_MIN_FPS), LM_MAX_FPS);
}

bool lmi_export_clip(const lm_export *job, const lm_clip *clip, lm_clip *out) {
    *out = *clip;
    uint64_t end = (uint64_t)clip->first + clip->count;
    uint64_t last = (uint64_t)job->first + job->count;
    uint64_t first = out->first > job->first ? out->first : job->first;
    end = end < last ? end : last;
    if (first >= end)
        return false;
    out->first = (uint32_t)(first - job->first);
    out->count = (uint32_t)(end - first);
    out->loop_frames = out->loop_frames < out->count ? out->loop_frames : out->count;
    out->fps = usable_fps(out->fps);
    if (out->times) /* times are in playback order */
        out->times +=
            clip->backwards ? (uint64_t)clip->first + clip->count - end : first - clip->first;
    return true;
}

lm_pose lmi_export_pose(const lm_export *job, uint32_t frame) {
    if (job->still)
        return job->pose;
    return (lm_pose){job->first + frame, job->first + frame, 0, false};
}

lm_vec3 lmi_export_axes(const lm_export *job, lm_vec3 v) {
    return job->axes == LM_AXES_GLTF ? (lm_vec3){v.y, v.z, v.x} : v;
}

lm_vec3 lmi_export_point(const lm_export *job, lm_vec3 v) {
    const lm_vec3 p = lmi_export_axes(job, v);
    return (lm_vec3){p.x * job->scale, p.y * job->scale, p.z * job->scale};
}

/* Returns a vector of one frame, or between two. */
static lm_vec3 vector_between(const float *rows, size_t count, const lm_pose *pose, size_t v) {
    const lm_vec3 a = lmi_vec3_at(rows, pose->frame_a * count + v);
    const lm_vec3 b = lmi_vec3_at(rows, pose->frame_b * count + v);
    const float t = pose->t, s = 1 - t;
    return (lm_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

void lmi_export_vertices(const lm_export *job, uint32_t surface, const lm_pose *pose,
                         lm_vec3 *positions, lm_vec3 *normals) {
    if (!job->surfaces) {
        const lm_sample_target target = {.positions = (float *)positions,
                                         .normals = (float *)normals};
        lm_sample(job->model, surface, pose, 1, &target);
        return;
    }
    const lm_mesh_surface *s = &job->surfaces[surface];
    for (size_t v = 0; v < s->num_vertices; v++) {
        if (positions)
            positions[v] = vector_between(s->positions, s->num_vertices, pose, v);
        if (normals)
            normals[v] = lmi_unit(vector_between(s->normals, s->num_vertices, pose, v));
    }
}

bool lmi_export_sample(const lm_export *job, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                       lm_vec3 *normals) {
    const lm_pose pose = lmi_export_pose(job, frame);
    bool in_range = true;
    lmi_export_vertices(job, surface, &pose, positions, normals);
    uint32_t count = job->model->surfaces[surface].num_vertices;
    lm_transform_vertices(job->transform, positions, NULL, count, 0);
    lm_transform_vertices(job->transform, NULL, normals, count, 0);
    for (uint32_t i = 0; i < count; i++) {
        positions[i] = lmi_export_point(job, positions[i]);
        normals[i] = lmi_export_axes(job, normals[i]);
        in_range &= lmi_is_in_range(positions[i]);
    }
    return in_range ||
           lmi_call_fail(job->call, LM_CODE_NOT_FINITE,
                         "a scale of %g is too large: positions reach 2^40", (double)job->scale);
}

bool lmi_is_on_skin(const lm_surface *surface) {
    for (uint32_t i = 0; i < surface->num_vertices; i++) {
        const lm_vec2 *st = &surface->st[i];
        if (!(st->x >= 0 && st->x <= 1 && st->y >= 0 && st->y <= 1))
            return false;
    }
    return true;
}

/* ---- Names ---------------------------------------------------------------------------------- */

char *lmi_export_name(lm_arena *arena, const char *name) {
    const size_t length = lmi_utf8_from(name, NULL);
    char *text = lmi_arena_alloc(arena, (uint64_t)length + LM_NAME_ROOM, 1);
    if (!text)
        return NULL;
    lmi_utf8_from(name, text);
    text[length] = '\0';
    return text;
}

/* ---- Welding ------------------------------------------------------------------------------ */

/* All vertices begin in one class, and each step divides classes by two values of their vertices.
 * Vertices that stay together are equal in every value. A step looks up every vertex once in an
 * index of the different ones so far. */

/* The two values by which a step divides vertices. */
typedef struct step {
    const lm_welding *welding;
    const uint8_t *values[2];
    size_t sizes[2];
} step;

void lmi_welding_alloc(lm_welding *w, lm_arena *arena, uint32_t most_vertices) {
    w->classes = lmi_arena_alloc(arena, most_vertices, sizeof *w->classes);
    w->divided = lmi_arena_alloc(arena, most_vertices, sizeof *w->divided);
    w->index.slots = lmi_arena_alloc(arena, lmi_index_slots(most_vertices), sizeof *w->index.slots);
}

static uint64_t hash_of(const step *s, uint32_t vertex) {
    uint64_t hash = s->welding->classes[vertex];
    for (unsigned i = 0; i < 2; i++)
        hash = lmi_hash_bytes(hash, s->values[i] + vertex * s->sizes[i], s->sizes[i]);
    return hash;
}

static bool is_equal(const void *context, uint32_t a, uint32_t b) {
    const step *s = context;
    const uint32_t *classes = s->welding->classes;
    return classes[a] == classes[b] &&
           memcmp(s->values[0] + a * s->sizes[0], s->values[0] + b * s->sizes[0], s->sizes[0]) ==
               0 &&
           memcmp(s->values[1] + a * s->sizes[1], s->values[1] + b * s->sizes[1], s->sizes[1]) == 0;
}

void lmi_welding_start(lm_welding *w, uint32_t num_vertices) {
    w->count = num_vertices;
    w->num_classes = num_vertices > 0;
    memset(w->classes, 0, w->count * sizeof *w->classes);
}

void lmi_welding_divide(lm_welding *w, const void *first, size_t first_size, const void *second,
                        size_t second_size) {
    const step s = {w, {first, second}, {first_size, second_size}};
    if (w->num_classes == w->count)
        return; /* all vertices are different already */
    lmi_index_clear(&w->index, w->count);
    w->num_classes = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        w->divided[i] = lmi_index_find(&w->index, hash_of(&s, i), i, is_equal, &s);
        w->num_classes += w->divided[i] == i;
    }
    uint32_t *swap = w->classes;
    w->classes = w->divided;
    w->divided = swap;
}

bool lmi_welding_end(const lm_welding *w, lm_arena *arena, lm_welded *welded) {
    welded->vertices = lmi_arena_alloc(arena, w->num_classes, sizeof *welded->vertices);
    welded->drawn = lmi_arena_alloc(arena, w->count, sizeof *welded->drawn);
    welded->count = 0;
    if (!welded->vertices || !welded->drawn)
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        welded->drawn[i] = w->classes[i] == i ? welded->count : welded->drawn[w->classes[i]];
        if (w->classes[i] == i)
            welded->vertices[welded->count++] = i;
    }
    return true;
}
