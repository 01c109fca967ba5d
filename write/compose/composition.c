/* Compositions: their frames. */
#include "compose/composing.h"

#include "core/arena.h"
#include "core/options.h"
#include "core/report.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/compose.h"
#include "mesh/mesh_make.h"

#include <math.h>
#include <string.h>

/* ---- Joining poses ------------------------------------------------------------------------ */

/* Returns the name of a tag that the other mesh lacks, or NULL. */
static const char *find_missing(const lm_mesh *mesh, const lm_mesh *other) {
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (!lm_compose_find_tag(other, mesh->tags[i].name, i))
            return mesh->tags[i].name;
    return NULL;
}

static bool same_triangles(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces && b->num_frames == 1;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++) {
        const lm_mesh_surface *x = &a->surfaces[i], *y = &b->surfaces[i];
        same = x->num_vertices == y->num_vertices && x->num_triangles == y->num_triangles &&
               memcmp(x->triangles, y->triangles,
                      (size_t)x->num_triangles * 3 * sizeof *x->triangles) == 0;
    }
    return same;
}

bool lm_mesh_check_pose(const lm_mesh *first, const char *first_name, const lm_mesh *other,
                        const char *name, lm_error *error) {
    if (!same_triangles(first, other))
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT,
            "%s is not a pose of the same model as %s: each file of a sequence needs one pose, "
            "with the same vertices and triangles in the same order",
            name, first_name);
    const char *missing = find_missing(first, other), *more = find_missing(other, first);
    return (!missing && !more) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "%s has no tag %s, but %s has: the files of a sequence need the same tags",
                         missing ? name : first_name, missing ? missing : more,
                         missing ? first_name : name);
}

static void fill_frame(const lm_mesh *pose, uint32_t frame, const lm_mesh *made) {
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        const lm_mesh_surface *s = &pose->surfaces[i], *out = &made->surfaces[i];
        const size_t count = s->num_vertices;
        if (count > 0)
            memcpy(lm_mesh_rows(out->positions) + frame * count, s->positions,
                   count * sizeof(lm_vec3));
        if (count > 0 && out->normals)
            memcpy(lm_mesh_rows(out->normals) + frame * count, s->normals, count * sizeof(lm_vec3));
    }
    for (uint32_t i = 0; i < made->num_tags; i++)
        lm_mesh_poses(made, i)[frame] = lm_compose_find_tag(pose, made->tags[i].name, i)->poses[0];
}

lm_mesh *lm_mesh_join(const lm_mesh *const *poses, uint32_t num_poses, const lm_clip *clips,
                      uint32_t num_clips, const lm_memory *memory, lm_error *error) {
    lm_mesh joined = *poses[0];
    lm_heap heap;
    lm_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    lm_mesh_surface *surfaces = lm_arena_alloc(&arena, joined.num_surfaces, sizeof *surfaces);
    lm_mesh *made = NULL;
    for (uint32_t i = 0; surfaces && i < joined.num_surfaces; i++) {
        surfaces[i] = poses[0]->surfaces[i];
        for (uint32_t f = 1; f < num_poses; f++) /* if any pose lacks normals, all are computed */
            surfaces[i].normals = poses[f]->surfaces[i].normals ? surfaces[i].normals : NULL;
    }
    joined.num_frames = num_poses;
    joined.frame_names = NULL;
    joined.surfaces = surfaces;
    joined.clips = clips;
    joined.num_clips = num_clips;
    if (!surfaces)
        lm_heap_diagnose(&heap);
    else if (lm_mesh_check_clips(&joined, error))
        made = lm_make_mesh(&joined, &heap);
    for (uint32_t f = 0; made && f < num_poses; f++)
        fill_frame(poses[f], f, made);
    lm_arena_free(&arena);
    return made;
}

/* ---- Sizes ---------------------------------------------------------------------------------- */

uint64_t lm_mesh_triangles(const lm_mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_triangles;
    return count;
}

static double largest(const float *numbers, size_t count, double most) {
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)numbers[i]));
    return most;
}

double lm_mesh_fitting_scale(const lm_mesh *mesh, double limit) {
    double most = 1;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        most = largest(s->positions, (size_t)mesh->num_frames * s->num_vertices * 3, most);
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        for (uint32_t f = 0; f < mesh->num_frames; f++)
            most = largest(&mesh->tags[i].poses[f].origin.x, 3, most);
    const double scale = limit / most;
    double digit = 1; /* the unit of the second significant digit */
    while (scale >= 100 * digit)
        digit *= 10;
    for (double parts = 10; scale < 10 * digit; parts *= 10)
        digit = 1 / parts;
    return floor(scale / digit) * digit;
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* The selected frames of a mesh, and their clips. */
typedef struct picking {
    const lm_clip *from;
    uint32_t num_from;
    lm_pose *poses;
    uint32_t num_poses;
    lm_clip *clips;
    uint32_t num_clips;
} picking;

/* Selects every frame of a range, and cuts the clips to it. */
static void pick_range(uint32_t first, uint32_t count, picking *p) {
    for (uint32_t f = 0; f < count; f++)
        p->poses[p->num_poses++] = (lm_pose){first + f, first + f, 0};
    for (uint32_t i = 0; i < p->num_from; i++) {
        lm_clip clip = p->from[i];
        const uint32_t last = clip.first + clip.count;
        const uint32_t end = last < first + count ? last : first + count;
        const uint32_t start = clip.first > first ? clip.first : first;
        if (start >= end)
            continue;
        if (clip.count != end - start)
            clip.times = NULL;
        clip.first = start - first;
        clip.count = end - start;
        clip.loop_frames = clip.loop_frames < clip.count ? clip.loop_frames : clip.count;
        p->clips[p->num_clips++] = clip;
    }
}

static bool check_frames(lm_composing *c, uint32_t frames) {
    const lm_compose_options *options = c->options;
    if (options->still && options->frame > frames - 1)
        return lm_composing_fail(c, LM_CODE_BAD_ARGUMENT,
                                 "frame %g does not exist: the model has frames 0 to %u",
                                 options->frame, (unsigned)frames - 1);
    if (options->first_frame < frames && options->num_frames <= frames - options->first_frame)
        return true;
    return lm_composing_fail(
        c, LM_CODE_BAD_ARGUMENT, "cannot select %u frames from frame %u on: the model has %u",
        (unsigned)options->num_frames, (unsigned)options->first_frame, (unsigned)frames);
}

static bool pick(lm_composing *c, picking *p) {
    const lm_compose_options *options = c->options;
    const uint32_t frames = c->made.mesh.num_frames;
    uint64_t count = frames;
    for (uint32_t i = 0; i < p->num_from; i++)
        count += p->from[i].count;
    if (count > LM_MAX_MESH_FRAMES)
        return lm_composing_fail(c, LM_CODE_LIMIT, "%llu frames are too many; the limit is %u",
                                 (unsigned long long)count, LM_MAX_MESH_FRAMES);
    p->poses = lm_arena_alloc(&c->arena, count, sizeof *p->poses);
    p->clips = lm_arena_alloc(&c->arena, p->num_from, sizeof *p->clips);
    if (!p->poses || !p->clips)
        return false;
    if (options->still)
        lm_model_pose_at(&(lm_model){.num_frames = frames}, options->frame,
                         &p->poses[p->num_poses++]);
    else if (options->clips) {
        /* Select the frames of each clip, one clip after the other. */
        for (uint32_t i = 0; i < p->num_from; i++) {
            lm_clip clip = p->from[i];
            clip.first = p->num_poses;
            for (uint32_t f = 0; f < clip.count; f++)
                p->poses[p->num_poses++] = (lm_pose){p->from[i].first + f, p->from[i].first + f, 0};
            p->clips[p->num_clips++] = clip;
        }
    } else
        pick_range(options->first_frame, options->num_frames > 0 ? options->num_frames : frames, p);
    return true;
}

/* Resamples the clips, which count the selected frames. */
static bool resample(lm_composing *c, const picking *p) {
    const lm_compose_options *options = c->options;
    const lm_skeleton *skeleton = options->skeletons ? options->skeletons[0] : NULL;
    lm_error *error = c->heap.call.error;
    for (uint32_t i = 0; i < p->num_clips; i++) /* a clip's frames follow each other in the mesh */
        p->clips[i].first = p->poses[p->clips[i].first].frame_a;
    return lm_composing_adopt(
        c, lm_mesh_resample(&c->made.mesh, skeleton, options->fps, &options->memory, error));
}

/* Applies the options to the composition's mesh. */
static bool choose_frames(lm_composing *c, const lm_clip *clips, uint32_t num_clips) {
    const lm_compose_options *options = c->options;
    lm_mesh *mesh = &c->made.mesh;
    const lm_memory *memory = &options->memory;
    lm_error *error = c->heap.call.error;
    picking p = {.from = clips, .num_from = num_clips};
    if (!pick(c, &p))
        return false;
    /* Clips from a file replace the names of the model's frames. */
    for (uint32_t i = 0; i < p.num_clips && c->made.from_scene; i++)
        mesh->frame_names = p.clips[i].source == LM_CLIP_FILE ? NULL : mesh->frame_names;
    const bool resamples = options->fps > 0 && !options->still;
    /* The selection may leave every frame as it is; the clips may differ. */
    bool same = p.num_poses == mesh->num_frames;
    for (uint32_t f = 0; same && f < p.num_poses; f++)
        same = p.poses[f].frame_a == f && p.poses[f].frame_b == f;
    if (resamples || same) {
        mesh->clips = p.clips;
        mesh->num_clips = p.num_clips;
    } else if (!lm_composing_adopt(c, lm_mesh_select_frames(mesh, p.poses, p.num_poses, p.clips,
                                                            p.num_clips, memory, error))) {
        return false;
    }
    return (!resamples || resample(c, &p)) && lm_composing_scale(c);
}

/* ---- Composition ---------------------------------------------------------------------------- */

/* Checks the options (NULL: the defaults) and begins a composition. */
static lm_composing *begin(const lm_compose_options *options, lm_error *error) {
    static const lm_compose_options defaults;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_compose_options, memory, MEMORY, 0),
        LM_MEMBER(lm_compose_options, frame, DOUBLE, 0),
        LM_MEMBER(lm_compose_options, fps, FLOAT, 0),
        LM_MEMBER(lm_compose_options, scale, FLOAT, 0),
        LM_MEMBER(lm_compose_options, player, ENUM, LM_NUM_PLAYER_KINDS - 1),
        LM_MEMBER(lm_compose_options, reserved, RESERVED, 0)};
    lm_heap heap;
    options = options ? options : &defaults;
    if (!lm_options_valid(options, "compose", table, sizeof table / sizeof *table, error))
        return NULL;
    lm_mesh_heap(&heap, &options->memory, error);
    lm_composing *c = lm_heap_alloc(&heap, 1, sizeof *c);
    if (!c)
        return lm_heap_diagnose(&heap);
    *c = (lm_composing){.made = {.own = c}, .heap = heap, .options = options, .pcx = options->pcx};
    c->arena.heap = &c->heap;
    return c;
}

static lm_composition *finish(lm_composing *c) {
    const lm_player_kind player = c->options->player;
    const bool named = player == LM_PLAYER_MODEL || player == LM_PLAYER_QUAKE3;
    if (c->heap.call.status == LM_DONE && player == LM_PLAYER_QUAKE2)
        lm_player_fill_table(c);
    if (c->heap.call.status == LM_DONE && named && lm_player_rename(c) &&
        player == LM_PLAYER_QUAKE3)
        lm_player_split(c);
    c->player = player;
    if (c->heap.call.status == LM_DONE)
        return &c->made;
    lm_heap_diagnose(&c->heap);
    lm_composition_free(&c->made);
    return NULL;
}

lm_composition *lm_compose_mesh(const lm_mesh *mesh, const lm_clip *clips, uint32_t num_clips,
                                const lm_compose_options *options, lm_error *error) {
    lm_composing *c = begin(options, error);
    if (!c)
        return NULL;
    c->made.mesh = *mesh;
    if (check_frames(c, mesh->num_frames))
        choose_frames(c, clips, num_clips);
    return finish(c);
}

lm_composition *lm_compose_scene(const lm_scene *scene, const lm_compose_options *options,
                                 lm_error *error) {
    lm_composing *c = lm_scene_check(scene, error) ? begin(options, error) : NULL;
    if (!c)
        return NULL;
    const lm_scene_part *first = &scene->parts[0];
    c->made.num_textures = scene->num_textures;
    c->made.textures = scene->textures;
    c->made.num_skins = first->num_skins;
    c->made.skins = first->skins;
    c->made.skin = first->skin;
    c->made.num_skin_surfaces = first->model->num_surfaces;
    c->made.from_scene = true;
    uint32_t num_clips;
    const lm_clip *clips = lm_scene_clips(first, &num_clips);
    c->made.embedded = scene->num_parts == 1 && first->model->embedded_skins;
    if (!check_frames(c, first->model->num_frames))
        return finish(c);
    if (scene->num_parts > 1)
        lm_compose_merge(c, scene);
    else if (lm_composing_adopt(c, lm_mesh_from_model(first->model, &c->options->memory, error)))
        choose_frames(c, clips, num_clips);
    return finish(c);
}

bool lm_compose_source(const lm_scene *scene, uint32_t index, uint32_t *part, uint32_t *surface) {
    *part = 0;
    *surface = index;
    if (scene->num_parts == 1)
        return index < scene->parts[0].model->num_surfaces;
    for (; *part < scene->num_parts; ++*part) {
        const lm_model *model = scene->parts[*part].model;
        for (*surface = 0; *surface < model->num_surfaces; ++*surface)
            if (model->surfaces[*surface].num_triangles > 0 && index-- == 0)
                return true;
    }
    return false;
}
