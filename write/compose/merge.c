/* Merges several attached models into one mesh. It has all their surfaces and tags, at their world
 * transforms in each frame. */
#include "clips/clip_names.h"
#include "compose/composing.h"
#include "core/names.h"
#include "lerpmesh/clips.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "skeleton/evaluate.h"

typedef struct merging {
    lm_composing *c;
    const lm_scene *scene;
    lm_mesh mesh;
    lm_mesh_surface *surfaces;
    lm_material *materials;   /* [mesh.num_surfaces] */
    lm_scene_material *shown; /* [mesh.num_surfaces] */
    lm_mesh_tag *tags;
    lm_clip *clips;
    double *starts; /* [mesh.num_clips] seconds of a clip before the first selected frame */
    lm_surface_source *sources; /* [mesh.num_surfaces] */
    lm_surface_source *tag_sources;
    lm_names clip_names, surface_names, tag_names;
    lm_pose *poses;           /* [mesh.num_frames * num_parts] */
    lm_transform *transforms; /* [mesh.num_frames * num_parts] */
    lm_vec3 *scratch;         /* [4 * largest surface] with skeletons */
} merging;

/* ---- Time ----------------------------------------------------------------------------------- */

/* Returns whether the options select frames by number. */
static bool is_range(const merging *m) {
    return m->c->options->num_frames > 0 && !m->c->options->clips;
}

/* Cuts a clip of the first model to the selected frames. Returns the seconds that are cut off
 * before them. */
static double cut_clip(const lm_compose_options *options, lm_clip *clip) {
    const uint32_t first = options->first_frame, last = clip->first + clip->count;
    const uint32_t end = first + options->num_frames < last ? first + options->num_frames : last;
    const uint32_t start = clip->first > first ? clip->first : first;
    const uint32_t before = clip->backwards ? last - end : start - clip->first;
    const double seconds = clip->times ? (double)clip->times[before] : before / (double)clip->fps;
    clip->times = end - start == clip->count ? clip->times : NULL;
    clip->first = start;
    clip->count = end - start;
    clip->loop_frames = clip->loop_frames < clip->count ? clip->loop_frames : clip->count;
    return seconds;
}

static void list_clip(merging *m, lm_clip clip) {
    const lm_compose_options *options = m->c->options;
    const bool cuts = is_range(m);
    const double start = cuts ? cut_clip(options, &clip) : 0;
    /* The number of frames that the longest clip of this name needs at the clip's rate. */
    double seconds = cuts ? lm_clip_duration(&clip, LM_PLAY_AS_CLIP) : 0;
    clip.fps = options->fps > 0 ? options->fps : clip.fps;
    for (uint32_t i = 0; i < m->scene->num_parts && !cuts; i++) {
        const lm_clip *own = lm_scene_find_clip(m->scene, i, clip.name);
        if (own)
            seconds = fmax(seconds, lm_clip_duration(own, LM_PLAY_AS_CLIP));
    }
    const double count = lmi_frames_at(seconds, clip.loop_frames > 0, (double)clip.fps);
    clip.count = count < LM_MAX_COMPOSED_FRAMES ? (uint32_t)count : LM_MAX_COMPOSED_FRAMES;
    clip.first = m->mesh.num_frames;
    clip.loop_frames = clip.loop_frames > 0 ? clip.count : 0;
    clip.times = NULL;
    clip.backwards = false;
    clip.source = LM_CLIP_FILE;
    m->starts[m->mesh.num_clips] = start;
    m->clips[m->mesh.num_clips++] = clip;
    m->mesh.num_frames += clip.count;
}

/* Returns whether a clip of a part shows selected frames, which are those of the first. */
static bool is_selected(const merging *m, uint32_t part, const lm_clip *clip) {
    const uint32_t first = m->c->options->first_frame, count = m->c->options->num_frames;
    return !is_range(m) ||
           (part == 0 && clip->first < first + count && clip->first + clip->count > first);
}

/* Lists each clip name once, in the order of the parts. Without clips, the mesh has the selected
 * frames, or one. */
static bool list_clips(merging *m) {
    uint64_t most = 0;
    uint32_t count;
    for (uint32_t i = 0; i < m->scene->num_parts; i++, most += count)
        lmi_scene_clips(&m->scene->parts[i], &count);
    m->mesh.clips = m->clips = lmi_composing_alloc(m->c, most, sizeof *m->clips);
    m->starts = lmi_composing_alloc(m->c, most, sizeof *m->starts);
    if (!m->clips || !m->starts)
        return false;
    for (uint32_t i = 0; i < m->scene->num_parts; i++) {
        const lm_scene_part *part = &m->scene->parts[i];
        if (m->c->options->still || (i > 0 && part->model->num_frames == 1))
            continue;
        const lm_clip *clips = lmi_scene_clips(part, &count);
        for (uint32_t k = 0; k < count; k++) {
            lm_name *name = lmi_names_put(&m->clip_names, clips[k].name);
            if (!name)
                return false;
            if (is_selected(m, i, &clips[k]) && name->number++ == 0)
                list_clip(m, clips[k]);
            if (m->mesh.num_frames > LM_MAX_COMPOSED_FRAMES)
                return lmi_composing_fail(m->c, LM_CODE_LIMIT,
                                          "the clips have more than %u frames in total",
                                          LM_MAX_COMPOSED_FRAMES);
        }
    }
    if (m->mesh.num_clips == 0 && is_range(m) && m->c->options->fps > 0)
        return lmi_composing_fail(m->c, LM_CODE_BAD_ARGUMENT, "there are no clips to resample");
    if (m->mesh.num_clips == 0)
        m->mesh.num_frames = is_range(m) ? m->c->options->num_frames : 1;
    return true;
}

/* Poses a frame of the mesh: of a clip, or without clips a selected one. */
static bool pose_frame(merging *m, const lm_clip *clip, double start, uint32_t frame) {
    const lm_compose_options *options = m->c->options;
    const size_t first = ((clip ? clip->first : 0) + (size_t)frame) * m->scene->num_parts;
    lm_pose *poses = m->poses + first;
    lm_scene_pose(m->scene, clip ? clip->name : NULL, clip ? start + frame / (double)clip->fps : 0,
                  poses);
    if (!clip && (options->still || is_range(m))) {
        lm_model_pose_at(m->scene->parts[0].model,
                         options->still ? options->frame : options->first_frame + (double)frame,
                         &poses[0]);
        lm_scene_follow(m->scene, poses);
    }
    lm_call *call = &m->c->heap.call;
    return lmi_call_join(
        call, lm_scene_evaluate(m->scene, poses, NULL, NULL, m->transforms + first, call->error));
}

static bool pose_frames(merging *m) {
    const uint64_t count = (uint64_t)m->mesh.num_frames * m->scene->num_parts;
    m->poses = lmi_composing_alloc(m->c, count, sizeof *m->poses);
    m->transforms = lmi_composing_alloc(m->c, count, sizeof *m->transforms);
    if (!m->poses || !m->transforms)
        return false;
    for (uint32_t i = 0; i < m->mesh.num_clips; i++)
        for (uint32_t f = 0; f < m->clips[i].count; f++)
            if (!pose_frame(m, &m->clips[i], m->starts[i], f))
                return false;
    for (uint32_t f = 0; m->mesh.num_clips == 0 && f < m->mesh.num_frames; f++)
        if (!pose_frame(m, NULL, 0, f))
            return false;
    return true;
}

/* ---- Surfaces and tags ---------------------------------------------------------------------- */

static const char *name_of(const lm_scene_part *part) {
    return part->name ? part->name : "model";
}

/* Returns NULL if memory ran out. */
static const char *name_surface(merging *m, uint32_t part, const lm_surface *surface) {
    const char *own = name_of(&m->scene->parts[part]);
    const char *wanted = *surface->name ? surface->name : own;
    lm_name *name = lmi_names_put(&m->surface_names, wanted);
    if (!name || name->number++ == 0)
        return name ? wanted : NULL;
    const char *made =
        lmi_arena_printf(&m->c->arena, *surface->name ? "%s_%s" : "%s", own, surface->name);
    name = made ? lmi_names_put(&m->surface_names, made) : NULL;
    if (name)
        name->number++;
    return name ? made : NULL;
}

/* Returns the part of a player that a model of the scene is, by the tag that holds it. */
static lm_body_part body_of(const merging *m, uint32_t part) {
    const char *tag = part > 0 && m->scene->parts[part].tag ? m->scene->parts[part].tag : "";
    return strcmp(tag, "tag_torso") == 0  ? LM_BODY_UPPER
           : strcmp(tag, "tag_head") == 0 ? LM_BODY_HEAD
           : part == 0                    ? LM_BODY_LOWER
                                          : LM_BODY_UNKNOWN;
}

/* Adds a surface. Its material is that of the current skin; without skins, the file's. */
static bool add_surface(merging *m, uint32_t part, uint32_t index) {
    static const float any;
    const lm_scene_part *p = &m->scene->parts[part];
    const lm_surface *surface = &p->model->surfaces[index];
    const uint32_t own = m->mesh.num_surfaces++;
    const char *name = p->num_skins > 0          ? p->skins[p->skin].materials[index].name
                       : surface->num_materials  ? surface->materials[0].name
                       : p->model->num_skins > 0 ? p->model->skins[0]
                                                 : "";
    m->materials[own].name = name;
    m->shown[own] = p->num_skins > 0 ? p->skins[p->skin].materials[index]
                                     : (lm_scene_material){.texture = LM_NO_TEXTURE};
    m->sources[own] = (lm_surface_source){part, index};
    m->surfaces[own] = (lm_mesh_surface){.name = name_surface(m, part, surface),
                                         .num_vertices = surface->num_vertices,
                                         .normals = &any, /* not NULL: normals follow */
                                         .num_st = surface->num_vertices,
                                         .st = &surface->st[0].x,
                                         .num_triangles = surface->num_triangles,
                                         .triangles = surface->triangles,
                                         .num_materials = name && *name,
                                         .materials = &m->materials[own],
                                         .body = body_of(m, part),
                                         .piece = p->name};
    return m->surfaces[own].name;
}

/* Adds a tag. Of several with one name, a player of a game has the first. */
static bool add_tag(merging *m, uint32_t part, uint32_t index) {
    lm_name *name = lmi_names_put(&m->tag_names, m->scene->parts[part].model->tags[index].name);
    if (!name || (name->number++ > 0 && m->c->options->player != LM_PLAYER_NONE))
        return name;
    m->tag_sources[m->mesh.num_tags] = (lm_surface_source){part, index};
    m->tags[m->mesh.num_tags].piece = m->scene->parts[part].name;
    m->tags[m->mesh.num_tags++].name = name->text;
    return true;
}

static bool list_elements(merging *m) {
    const lm_scene *scene = m->scene;
    uint64_t surfaces = 0, tags = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        surfaces += scene->parts[i].model->num_surfaces;
        tags += scene->parts[i].model->num_tags;
    }
    m->c->shown = m->shown = lmi_composing_alloc(m->c, surfaces, sizeof *m->shown);
    m->c->made.sources = m->sources = lmi_composing_alloc(m->c, surfaces, sizeof *m->sources);
    m->materials = lmi_composing_alloc(m->c, surfaces, sizeof *m->materials);
    m->mesh.surfaces = m->surfaces = lmi_composing_alloc(m->c, surfaces, sizeof *m->surfaces);
    m->mesh.tags = m->tags = lmi_composing_alloc(m->c, tags, sizeof *m->tags);
    m->tag_sources = lmi_composing_alloc(m->c, tags, sizeof *m->tag_sources);
    bool done = m->c->heap.call.status == LM_DONE;
    for (uint32_t i = 0; done && i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        for (uint32_t s = 0; done && s < model->num_surfaces; s++)
            done = model->surfaces[s].num_triangles == 0 || add_surface(m, i, s);
        for (uint32_t t = 0; done && t < model->num_tags; t++)
            done = add_tag(m, i, t);
    }
    return done;
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* Moves the vertices of a surface by the skeleton of its model, if one was found. */
static void move_between(const merging *m, lm_surface_source from, const lm_pose *pose,
                         lm_vec3 *p) {
    const lm_model *model = m->scene->parts[from.part].model;
    const lm_surface *s = &model->surfaces[from.surface];
    if (!m->scratch || model->bones || !m->c->options->skeletons[from.part] ||
        !lmi_is_between(pose))
        return;
    lm_vec3 *a = m->scratch, *b = a + s->num_vertices, *scratch = b + s->num_vertices;
    lm_sample(model, from.surface, &(lm_pose){pose->frame_a, pose->frame_a, 0, false}, 1,
              &(lm_sample_target){.positions = &a->x});
    lm_sample(model, from.surface, &(lm_pose){pose->frame_b, pose->frame_b, 0, false}, 1,
              &(lm_sample_target){.positions = &b->x});
    lmi_move_between(m->c->options->skeletons[from.part], from.surface, pose, a, b, scratch, p);
    for (uint32_t v = s->num_file_vertices; v < s->num_vertices; v++)
        p[v] = p[s->file_vertices[v]];
}

static bool prepare_skeletons(merging *m) {
    const lm_skeleton *const *skeletons = m->c->options->skeletons;
    uint32_t most = 0;
    if (!skeletons)
        return true;
    for (uint32_t i = 0; i < m->scene->num_parts; i++) {
        const lm_model *model = m->scene->parts[i].model;
        if (skeletons[i] && !lmi_skeleton_fits(skeletons[i], model))
            return lmi_composing_fail(m->c, LM_CODE_BAD_ARGUMENT,
                                      "skeleton %u is not that of the model: it has other numbers "
                                      "of frames, surfaces or vertices",
                                      (unsigned)i);
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            if (model->surfaces[s].num_vertices > most)
                most = model->surfaces[s].num_vertices;
    }
    m->scratch = lmi_composing_alloc(m->c, most, 4 * sizeof *m->scratch);
    return m->scratch;
}

static void fill_surface(const merging *m, uint32_t surface, const lm_mesh_surface *made) {
    const lm_surface_source from = m->sources[surface];
    const uint32_t count = made->num_vertices;
    /* A part that is mirrored in the first frame gets its triangles' winding reversed. */
    if (lmi_transform_volume(&m->transforms[from.part]) < 0)
        lmi_mesh_rotate((uint32_t *)made->triangles, made->num_triangles);
    for (uint32_t f = 0; f < m->mesh.num_frames; f++) {
        const size_t at = (size_t)f * m->scene->num_parts + from.part;
        const size_t row = (size_t)f * count;
        lm_vec3 *p = lmi_mesh_rows(made->positions) + row;
        lm_vec3 *n = made->normals ? lmi_mesh_rows(made->normals) + row : NULL;
        const lm_sample_target target = {.positions = &p->x, .normals = (float *)n};
        lm_sample(m->scene->parts[from.part].model, from.surface, &m->poses[at], 1, &target);
        move_between(m, from, &m->poses[at], p);
        lm_transform_vertices(&m->transforms[at], p, NULL, count, 0);
        lm_transform_vertices(&m->transforms[at], NULL, n, n ? count : 0, 0);
    }
}

/* ---- Merging -------------------------------------------------------------------------------- */

static void note_loss(const merging *m) {
    for (uint32_t i = 0; i < m->scene->num_parts; i++) {
        const lm_scene_part *part = &m->scene->parts[i];
        const uint32_t skins =
            part->num_skins > part->model->num_skins ? part->num_skins : part->model->num_skins;
        if (skins > 1)
            lmi_composing_note(m->c, LM_SEVERITY_NOTE, "%s: only one of its %u skins is written",
                               name_of(part), (unsigned)skins);
        if (i > 0 && part->model->flags != 0 && part->model->flags != m->mesh.flags)
            lmi_composing_note(m->c, LM_SEVERITY_NOTE,
                               "%s: its flags, %u, are dropped: the first model's are written",
                               name_of(part), (unsigned)part->model->flags);
    }
}

bool lmi_compose_merge(lm_composing *c, const lm_scene *scene) {
    const lm_model *first = scene->parts[0].model;
    merging m = {.c = c, .scene = scene};
    m.clip_names.arena = m.surface_names.arena = m.tag_names.arena = &c->arena;
    m.mesh.flags = first->flags;
    m.mesh.synctype = first->synctype;
    m.mesh.eye = first->eye;
    if (!list_clips(&m) || !pose_frames(&m) || !list_elements(&m) || !prepare_skeletons(&m) ||
        !lmi_composing_join(c, scene, m.mesh.num_frames, m.poses, m.transforms,
                            m.mesh.num_surfaces))
        return false;
    for (uint32_t i = 0; i < m.mesh.num_surfaces && c->made.skeleton; i++)
        m.surfaces[i].normals = NULL; /* the skeleton has them */
    if (!lmi_composing_adopt(c, lmi_make_mesh(&m.mesh, &c->heap)))
        return false;
    for (uint32_t i = 0; i < c->owned->num_surfaces; i++)
        fill_surface(&m, i, &c->owned->surfaces[i]);
    for (uint32_t i = 0; i < c->owned->num_tags; i++) {
        lm_transform *poses = lmi_mesh_poses(c->owned, i);
        const lm_surface_source from = m.tag_sources[i];
        for (uint32_t f = 0; f < m.mesh.num_frames; f++) {
            const size_t at = (size_t)f * m.scene->num_parts + from.part;
            lm_sample_tag(m.scene->parts[from.part].model, from.surface, &m.poses[at], &poses[f]);
            lm_transform_nest(&m.transforms[at], &poses[f], &poses[f]);
            for (int axis = 0; axis < 3; axis++)
                poses[f].axis[axis] = lmi_unit(poses[f].axis[axis]);
        }
    }
    note_loss(&m);
    return lmi_composing_scale(c) &&
           lmi_call_join(&c->heap.call, lm_mesh_check(&c->mesh, c->heap.call.error));
}
