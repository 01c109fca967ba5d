/* Several models that hang together as one: of the scene a take, whose surfaces and tags are those
 * of all, where they stand in each frame. */
#include "convert_take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 65536u

typedef struct merging {
    tool_job *job;
    const convert_settings *settings;
    const lm_scene *scene;
    convert_take *made;
    lm_take_surface *surfaces;
    lm_take_tag *tags;
    lm_clip *clips;
    lm_pose *poses; /* [num_parts] of one frame */
    lm_transform *places;
    bool *mirrored; /* [num_parts] in the first frame */
} merging;

/* ---- Space -------------------------------------------------------------------------------------
 */

static lm_vec3 turn(const lm_transform *to, lm_vec3 v) {
    const lm_vec3 *a = to->axis;
    return (lm_vec3){v.x * a[0].x + v.y * a[1].x + v.z * a[2].x,
                     v.x * a[0].y + v.y * a[1].y + v.z * a[2].y,
                     v.x * a[0].z + v.y * a[1].z + v.z * a[2].z};
}

static lm_vec3 move(const lm_transform *to, lm_vec3 v) {
    const lm_vec3 turned = turn(to, v);
    return (lm_vec3){turned.x + to->origin.x, turned.y + to->origin.y, turned.z + to->origin.z};
}

static bool mirrors(const lm_transform *to) {
    const lm_vec3 *a = to->axis;
    return a[0].x * (a[1].y * a[2].z - a[1].z * a[2].y) +
               a[0].y * (a[1].z * a[2].x - a[1].x * a[2].z) +
               a[0].z * (a[1].x * a[2].y - a[1].y * a[2].x) <
           0;
}

/* ---- Time --------------------------------------------------------------------------------------
 */

/* How many frames all of a clip's name take at its rate: as many as the longest. */
static uint32_t frames_of(const merging *m, const lm_clip *clip) {
    double seconds = 0;
    for (uint32_t i = 0; i < m->scene->num_parts; i++) {
        const lm_clip *own = lm_scene_find_clip(m->scene, i, clip->name);
        if (own)
            seconds = fmax(
                seconds, lm_clip_duration(own, own->loop_frames > 0 ? LM_PLAY_LOOP : LM_PLAY_ONCE));
    }
    const double count = floor(seconds * (double)clip->fps + 0.5) + (clip->loop_frames == 0);
    return count < 1 ? 1 : count < MOST_FRAMES ? (uint32_t)count : MOST_FRAMES;
}

static bool is_listed(const lm_take *take, const char *name) {
    for (uint32_t i = 0; i < take->num_clips; i++)
        if (strcmp(take->clips[i].name, name) == 0)
            return true;
    return false;
}

/* Each name of a clip once, in the order of the parts; without any a still. */
static bool list_clips(merging *m) {
    lm_take *take = &m->made->take;
    uint64_t most = 1;
    for (uint32_t i = 0; i < m->scene->num_parts; i++)
        most += m->scene->parts[i].num_clips;
    take->clips = m->clips = convert_take_alloc(m->made, m->job, most, sizeof *m->clips);
    uint64_t frames = 0;
    for (uint32_t i = 0; m->clips && i < m->scene->num_parts; i++)
        for (uint32_t k = 0; k < m->scene->parts[i].num_clips && !m->scene->parts[i].follows; k++) {
            lm_clip clip = m->scene->parts[i].clips[k];
            const bool still = i > 0 && m->scene->parts[i].model->num_frames == 1;
            if (still || m->settings->has_frame || is_listed(take, clip.name))
                continue;
            clip.fps = m->settings->fps > 0 ? m->settings->fps : clip.fps;
            clip.count = frames_of(m, &clip);
            clip.first = (uint32_t)frames;
            clip.loop_frames = clip.loop_frames > 0 ? clip.count : 0;
            clip.times = NULL;
            clip.backwards = false;
            clip.source = LM_CLIP_FILE;
            m->clips[take->num_clips++] = clip;
            if ((frames += clip.count) > MOST_FRAMES) {
                tool_fail(m->job,
                          "all clips together have more than %u frames: choose some with "
                          "--clip",
                          MOST_FRAMES);
                return false;
            }
        }
    take->num_frames = frames > 0 ? (uint32_t)frames : 1;
    return m->clips != NULL;
}

static bool pose_frame(const merging *m, const lm_clip *clip, uint32_t frame) {
    if (clip)
        lm_scene_pose(m->scene, clip->name, frame / (double)clip->fps, m->poses);
    else
        lm_scene_pose(m->scene, NULL, 0, m->poses);
    if (m->settings->has_frame) {
        lm_pose_at(m->scene->parts[0].model, m->settings->frame, &m->poses[0]);
        lm_scene_follow(m->scene, m->poses);
    }
    if (lm_scene_place(m->scene, m->poses, m->places) == LM_CODE_OK)
        return true;
    tool_fail(m->job, "the models cannot be placed on each other");
    return false;
}

/* ---- What there is -----------------------------------------------------------------------------
 */

static const char *name_surface(const merging *m, uint32_t part, const lm_surface *surface) {
    const lm_take *take = &m->made->take;
    const char *own = m->scene->parts[part].name ? m->scene->parts[part].name : "model";
    const char *name = *surface->name ? surface->name : own;
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        if (strcmp(take->surfaces[i].name, name) == 0)
            return convert_take_text(m->made, m->job, own, surface->name);
    return name;
}

/* What it wears, else what the file says. */
static bool give_material(const merging *m, uint32_t part, uint32_t index, lm_take_surface *out) {
    const lm_scene_part *p = &m->scene->parts[part];
    const lm_surface *surface = &p->model->surfaces[index];
    const char *name = p->num_skins > 0          ? p->skins[p->skin].materials[index].name
                       : surface->num_materials  ? surface->materials[0].name
                       : p->model->num_skins > 0 ? p->model->skins[0]
                                                 : "";
    lm_material *material = convert_take_alloc(m->made, m->job, 1, sizeof *material);
    if (material)
        material->name = name;
    out->materials = material;
    out->num_materials = name && *name;
    return material != NULL;
}

/* What a mirror turns round is turned back. */
static bool give_triangles(const merging *m, uint32_t part, const lm_surface *surface,
                           lm_take_surface *out) {
    uint32_t *corners =
        convert_take_alloc(m->made, m->job, (uint64_t)surface->num_triangles * 3, sizeof *corners);
    for (size_t t = 0; corners && t < surface->num_triangles; t++) {
        const uint32_t *from = surface->triangles + 3 * t;
        corners[3 * t] = from[0];
        corners[3 * t + 1] = from[m->mirrored[part] ? 2 : 1];
        corners[3 * t + 2] = from[m->mirrored[part] ? 1 : 2];
    }
    out->num_triangles = surface->num_triangles;
    out->triangles = corners;
    return corners != NULL;
}

static bool add_surface(merging *m, uint32_t part, uint32_t index) {
    lm_take *take = &m->made->take;
    const lm_surface *surface = &m->scene->parts[part].model->surfaces[index];
    const uint64_t floats = (uint64_t)take->num_frames * surface->num_vertices * 3;
    lm_take_surface *out = &m->surfaces[take->num_surfaces];
    *out =
        (lm_take_surface){.name = name_surface(m, part, surface),
                          .num_vertices = surface->num_vertices,
                          .positions = convert_take_alloc(m->made, m->job, floats, sizeof(float)),
                          .normals = convert_take_alloc(m->made, m->job, floats, sizeof(float)),
                          .num_st = surface->num_vertices,
                          .st = &surface->st[0].x};
    if (!out->name || !out->positions || !out->normals || !give_triangles(m, part, surface, out) ||
        !give_material(m, part, index, out))
        return false;
    take->num_surfaces++;
    return true;
}

static bool has_tag(const lm_take *take, const char *name) {
    for (uint32_t i = 0; i < take->num_tags; i++)
        if (strcmp(take->tags[i].name, name) == 0)
            return true;
    return false;
}

static bool list_things(merging *m) {
    const lm_scene *scene = m->scene;
    lm_take *take = &m->made->take;
    uint64_t surfaces = 0, tags = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        surfaces += scene->parts[i].model->num_surfaces;
        tags += scene->parts[i].model->num_tags;
    }
    take->surfaces = m->surfaces =
        convert_take_alloc(m->made, m->job, surfaces, sizeof *m->surfaces);
    take->tags = m->tags = convert_take_alloc(m->made, m->job, tags, sizeof *m->tags);
    for (uint32_t i = 0; m->surfaces && m->tags && i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            if (model->surfaces[s].num_triangles > 0 && !add_surface(m, i, s))
                return false;
        for (uint32_t t = 0; t < model->num_tags; t++) {
            if (has_tag(take, model->tags[t].name))
                continue;
            m->tags[take->num_tags] = (lm_take_tag){
                model->tags[t].name,
                convert_take_alloc(m->made, m->job, take->num_frames, sizeof(lm_transform))};
            if (!m->tags[take->num_tags++].poses)
                return false;
        }
    }
    return m->surfaces && m->tags;
}

/* ---- Frames ------------------------------------------------------------------------------------
 */

static void fill_surface(const merging *m, uint32_t part, uint32_t index, uint32_t frame,
                         const lm_take_surface *out) {
    const size_t row = (size_t)frame * out->num_vertices * 3;
    lm_vec3 *positions = (lm_vec3 *)(void *)((float *)out->positions + row);
    lm_vec3 *normals = (lm_vec3 *)(void *)((float *)out->normals + row);
    const lm_sample_target target = {.positions = &positions[0].x, .normals = &normals[0].x};
    lm_sample(m->scene->parts[part].model, index, &m->poses[part], 1, &target);
    for (uint32_t v = 0; v < out->num_vertices; v++) {
        positions[v] = move(&m->places[part], positions[v]);
        normals[v] = turn(&m->places[part], normals[v]);
    }
}

static void fill_frame(const merging *m, uint32_t frame) {
    const lm_take *take = &m->made->take;
    uint32_t surface = 0, tag = 0;
    for (uint32_t i = 0; i < m->scene->num_parts; i++) {
        const lm_model *model = m->scene->parts[i].model;
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            if (model->surfaces[s].num_triangles > 0)
                fill_surface(m, i, s, frame, &take->surfaces[surface++]);
        for (uint32_t t = 0; t < model->num_tags; t++) {
            if (tag == take->num_tags || strcmp(take->tags[tag].name, model->tags[t].name) != 0)
                continue; /* another has that name */
            lm_transform at, *out = (lm_transform *)&take->tags[tag++].poses[frame];
            lm_sample_tag(model, t, &m->poses[i], &at);
            out->origin = move(&m->places[i], at.origin);
            for (int k = 0; k < 3; k++)
                out->axis[k] = turn(&m->places[i], at.axis[k]);
        }
    }
}

static bool fill_frames(const merging *m) {
    const lm_take *take = &m->made->take;
    for (uint32_t i = 0; i < take->num_clips; i++)
        for (uint32_t f = 0; f < take->clips[i].count; f++) {
            if (!pose_frame(m, &take->clips[i], f))
                return false;
            fill_frame(m, take->clips[i].first + f);
        }
    if (take->num_clips == 0)
        fill_frame(m, 0); /* posed already */
    return true;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Surfaces' triangles may have to be turned, which the first frame tells. */
static bool look_at_places(merging *m) {
    const lm_scene *scene = m->scene;
    m->poses = convert_take_alloc(m->made, m->job, scene->num_parts, sizeof *m->poses);
    m->places = convert_take_alloc(m->made, m->job, scene->num_parts, sizeof *m->places);
    m->mirrored = convert_take_alloc(m->made, m->job, scene->num_parts, sizeof *m->mirrored);
    const lm_take *take = &m->made->take;
    if (!m->poses || !m->places || !m->mirrored ||
        !pose_frame(m, take->num_clips > 0 ? &take->clips[0] : NULL, 0))
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        m->mirrored[i] = mirrors(&m->places[i]);
    return true;
}

static void tell_lost(const merging *m) {
    for (uint32_t i = 0; i < m->scene->num_parts && !m->settings->quiet; i++) {
        const lm_scene_part *part = &m->scene->parts[i];
        const uint32_t skins =
            part->num_skins > part->model->num_skins ? part->num_skins : part->model->num_skins;
        const char *name = part->name ? part->name : "model";
        if (skins > 1)
            tool_say(m->job, "%s: of its %u skins one goes along", name, (unsigned)skins);
        if (i > 0 && part->model->flags != 0 && part->model->flags != m->made->take.flags)
            tool_say(m->job, "%s: its flags, 0x%x, are left out: those of the first model go along",
                     name, (unsigned)part->model->flags);
    }
}

/* What a header says of the whole is that of the first. */
static void give_header(const merging *m) {
    const lm_model *first = m->scene->parts[0].model;
    lm_take *take = &m->made->take;
    take->flags = first->flags;
    take->synctype = first->synctype;
    take->eye = first->eye;
}

convert_take *convert_merge(tool_job *job, const convert_settings *settings,
                            const lm_scene *scene) {
    if (settings->has_frames) {
        tool_fail(job,
                  "--frames has no meaning for several models in one file: choose with --clip");
        return NULL;
    }
    merging m = {.job = job, .settings = settings, .scene = scene, .made = convert_take_new(job)};
    if (m.made && list_clips(&m) && look_at_places(&m) && list_things(&m) && fill_frames(&m)) {
        give_header(&m);
        tell_lost(&m);
        return m.made;
    }
    convert_take_free(m.made);
    return NULL;
}
