/* Compositions: their frames. */
#include "compose/composing.h"

#include "core/arena.h"
#include "core/options.h"
#include "core/report.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/compose.h"
#include "lerpmesh/sample.h"
#include "mesh/mesh_make.h"
#include "skeleton/evaluate.h"

#include <math.h>
#include <string.h>

/* ---- Frames --------------------------------------------------------------------------------- */

/* Selects every frame of a range, and cuts the clips to it. */
static void pick_range(uint32_t first, uint32_t count, const lm_clip *from, uint32_t num_from,
                       lm_frame_plan *p) {
    for (uint32_t f = 0; f < count; f++)
        p->poses[p->num_poses++] = (lm_pose){first + f, first + f, 0, false};
    for (uint32_t i = 0; i < num_from; i++) {
        lm_clip clip = from[i];
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
        return lmi_composing_fail(c, LM_CODE_BAD_ARGUMENT,
                                  "frame %g does not exist: the model has frames 0 to %u",
                                  options->frame, (unsigned)frames - 1);
    if (options->first_frame < frames && options->num_frames <= frames - options->first_frame)
        return true;
    return lmi_composing_fail(
        c, LM_CODE_BAD_ARGUMENT, "cannot select %u frames from frame %u on: the model has %u",
        (unsigned)options->num_frames, (unsigned)options->first_frame, (unsigned)frames);
}

/* Selects the frames of the options, and their clips. */
static bool pick(lm_composing *c, const lm_clip *from, uint32_t num_from, lm_frame_plan *p) {
    const lm_compose_options *options = c->options;
    const uint32_t frames = c->mesh.num_frames;
    uint64_t count = frames;
    if (!lmi_call_join(&c->heap.call,
                       lmi_check_clip_frames(from, num_from, frames, c->heap.call.error)))
        return false;
    for (uint32_t i = 0; i < num_from; i++)
        count += from[i].count;
    if (count > LM_MAX_MESH_FRAMES)
        return lmi_composing_fail(c, LM_CODE_LIMIT, "%llu frames are too many; the limit is %u",
                                  (unsigned long long)count, LM_MAX_MESH_FRAMES);
    p->poses = lmi_arena_alloc(&c->arena, count, sizeof *p->poses);
    p->clips = lmi_arena_alloc(&c->arena, num_from, sizeof *p->clips);
    if (!p->poses || !p->clips)
        return false;
    if (options->still)
        lm_model_pose_at(&(lm_model){.num_frames = frames}, options->frame,
                         &p->poses[p->num_poses++]);
    else if (options->clips) {
        /* Select the frames of each clip, one clip after the other. */
        for (uint32_t i = 0; i < num_from; i++) {
            lm_clip clip = from[i];
            clip.first = p->num_poses;
            for (uint32_t f = 0; f < clip.count; f++)
                p->poses[p->num_poses++] =
                    (lm_pose){from[i].first + f, from[i].first + f, 0, false};
            p->clips[p->num_clips++] = clip;
        }
    } else
        pick_range(options->first_frame, options->num_frames > 0 ? options->num_frames : frames,
                   from, num_from, p);
    return true;
}

/* Replaces a plan by that of its clips at the rate of the options. The frames of the mesh lose
 * their names. */
static bool plan_rate(lm_composing *c, lm_frame_plan *p) {
    for (uint32_t i = 0; i < p->num_clips; i++) /* a clip's frames follow each other in the mesh */
        p->clips[i].first = p->poses[p->clips[i].first].frame_a;
    c->mesh.clips = p->clips;
    c->mesh.num_clips = p->num_clips;
    c->mesh.frame_names = NULL;
    return lmi_mesh_plan_rate(&c->mesh, c->options->fps, &c->arena, p, c->heap.call.error) ||
           lmi_call_end(&c->heap.call, LM_FAILED);
}

/* Returns whether the only part gets a skeleton, which then has the normals. */
static bool has_skeleton(const lm_composing *c) {
    return lmi_composing_is_skinned(c) && c->options->skeletons[0];
}

/* Applies the options to the composition's mesh. */
static bool choose_frames(lm_composing *c, const lm_clip *clips, uint32_t num_clips) {
    const lm_compose_options *options = c->options;
    lm_mesh *mesh = &c->mesh;
    lm_frame_plan p = {0};
    if (!pick(c, clips, num_clips, &p))
        return false;
    /* Clips from a file replace the names of the model's frames. */
    for (uint32_t i = 0; i < p.num_clips && c->from_scene; i++)
        mesh->frame_names = p.clips[i].source == LM_CLIP_FILE ? NULL : mesh->frame_names;
    const bool resamples = options->fps > 0 && !options->still;
    if (resamples && !plan_rate(c, &p))
        return false;
    /* The selection may leave every frame as it is; the clips may differ. */
    bool same = p.num_poses == mesh->num_frames;
    for (uint32_t f = 0; same && f < p.num_poses; f++)
        same = p.poses[f].frame_a == f && p.poses[f].frame_b == f;
    const bool moves = options->skeletons && (resamples || has_skeleton(c));
    if (same) {
        mesh->clips = p.clips;
        mesh->num_clips = p.num_clips;
    } else if (!lmi_composing_adopt(
                   c, lmi_mesh_resample(mesh, &p, moves ? options->skeletons[0] : NULL, c->boned,
                                        &options->memory, c->heap.call.error))) {
        return false;
    }
    return lmi_composing_scale(c) &&
           lmi_composing_join(c, NULL, p.num_poses, p.poses, NULL, mesh->num_surfaces);
}

/* Reduces a mesh in which nothing moves to its first frame, unless frames were asked for. Returns
 * whether it did. */
static bool take_first(lm_composing *c) {
    const lm_compose_options *o = c->options;
    const bool asked = o->still || o->num_frames > 0 || o->clips || o->all_frames || o->player;
    const uint32_t frames = c->mesh.num_frames;
    if (asked || c->heap.call.status != LM_DONE || !lmi_mesh_is_static(&c->mesh) ||
        !lmi_composing_adopt(c, lm_mesh_select_frames(&c->mesh, &(lm_pose){0, 0, 0, false}, 1, NULL,
                                                      0, &o->memory, c->heap.call.error)))
        return false;
    lmi_composing_note(c, LM_SEVERITY_NOTE,
                       "nothing moves: the %u frames are equal, and become one", (unsigned)frames);
    return true;
}

/* Takes the frames of the options, and scales the mesh. */
static bool take_frames(lm_composing *c, const lm_clip *clips, uint32_t num_clips) {
    if (has_skeleton(c) && !lmi_skeleton_fits_mesh(c->options->skeletons[0], &c->mesh))
        return lmi_composing_fail(c, LM_CODE_BAD_ARGUMENT,
                                  "the skeleton is not that of the mesh: it has other numbers of "
                                  "frames, surfaces or vertices");
    if (take_first(c))
        return lmi_composing_scale(c) && lmi_composing_join(c, NULL, 1, &(lm_pose){0, 0, 0, false},
                                                            NULL, c->mesh.num_surfaces);
    return c->heap.call.status == LM_DONE && choose_frames(c, clips, num_clips);
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
    if (!lmi_options_valid(options, "compose", table, sizeof table / sizeof *table, error))
        return NULL;
    lmi_mesh_heap(&heap, &options->memory, error);
    lm_composing *c = lmi_heap_alloc(&heap, 1, sizeof *c);
    if (!c)
        return lmi_heap_diagnose(&heap);
    *c = (lm_composing){.heap = heap, .options = options, .pcx = options->pcx};
    c->made.mesh = &c->mesh;
    c->arena.heap = &c->heap;
    return c;
}

static lm_composition *finish(lm_composing *c) {
    const lm_player_kind player = c->options->player;
    const bool named = player == LM_PLAYER_MODEL || player == LM_PLAYER_QUAKE3;
    if (c->heap.call.status == LM_DONE && player == LM_PLAYER_QUAKE2)
        lmi_player_fill_table(c);
    if (c->heap.call.status == LM_DONE && named && lmi_player_rename(c) &&
        player == LM_PLAYER_QUAKE3)
        lmi_player_split(c);
    if (c->heap.call.status == LM_DONE && player == LM_PLAYER_WEAPON)
        lmi_weapon_split(c);
    if (c->heap.call.status == LM_DONE && player == LM_PLAYER_NONE)
        lmi_composing_name_tags(c);
    c->player = player;
    lmi_composing_name(c);
    if (c->heap.call.status == LM_DONE)
        return &c->made;
    lmi_heap_diagnose(&c->heap);
    lm_composition_free(&c->made);
    return NULL;
}

/* Lists the surfaces of a part, as the sources of the composed ones. */
static bool list_sources(lm_composing *c, const lm_model *model) {
    lm_surface_source *sources = lmi_composing_alloc(c, model->num_surfaces, sizeof *sources);
    for (uint32_t i = 0; sources && i < model->num_surfaces; i++)
        sources[i].surface = i;
    c->made.sources = sources;
    return sources;
}

/* Returns whether the images of a game with one skin for all surfaces get other paths: Quake III
 * searches for them elsewhere. */
static bool moves_skins(const lm_composing *c, uint32_t num_skins) {
    const lm_player_kind player = c->options->player;
    return num_skins > 0 && (player == LM_PLAYER_MODEL || player == LM_PLAYER_QUAKE3);
}

/* Lets a player in a folder of its own have the images of all parts. In Quake III, surfaces that a
 * shader script draws get its name instead, by which the game finds the script. */
static bool take_player_images(lm_composing *c, const lm_scene_part *first) {
    const uint32_t count = c->mesh.num_surfaces;
    c->embedded = c->from_game = true;
    if (c->options->player == LM_PLAYER_QUAKE2 && !c->shown)
        return true; /* all skins of the model */
    lm_material_set *skin = lmi_composing_alloc(c, 1, sizeof *skin);
    lm_scene_material *shown = lmi_composing_alloc(c, count, sizeof *shown);
    lm_material *scripts = lmi_composing_alloc(c, count, sizeof *scripts);
    lm_mesh_surface *surfaces = lmi_composing_surfaces(c);
    if (!skin || !shown || !scripts || !surfaces)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const lm_scene_material *material = lmi_composing_material(c, i);
        shown[i] = material ? *material : (lm_scene_material){.texture = LM_NO_TEXTURE};
        if (c->options->player == LM_PLAYER_QUAKE2 || !shown[i].shader || !shown[i].shader->name)
            continue;
        shown[i].texture = LM_NO_TEXTURE;
        scripts[i].name = shown[i].shader->name;
        surfaces[i].num_materials = 1;
        surfaces[i].materials = &scripts[i];
    }
    if (!c->shown && first->num_skins > 0)
        c->shown = first->skins[first->skin].materials; /* for the icon */
    *skin = (lm_material_set){.name = "", .materials = shown};
    c->skins = skin;
    c->num_skins = 1;
    c->skin = 0;
    c->num_skin_surfaces = count;
    return true;
}

/* Checks the images of the options, for a mesh of `num_surfaces` surfaces. */
static bool images_valid(const lm_compose_options *options, uint32_t num_surfaces,
                         lm_error *error) {
    const lm_scene images = {.num_textures = options->num_textures, .textures = options->textures};
    if (!lmi_array_valid(images.textures, images.num_textures, "compose", "textures", error) ||
        !lmi_array_valid(options->skins, options->num_skins, "compose", "skins", error))
        return false;
    for (uint32_t i = 0; i < images.num_textures; i++)
        if (!LM_RESERVED_VALID(&images.textures[i], error, "compose: texture %u", (unsigned)i))
            return false;
    for (uint32_t i = 0; i < options->num_skins; i++)
        if (!lmi_scene_skin_valid(&images, num_surfaces, &options->skins[i]))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "compose: skin %u is invalid",
                                 (unsigned)i);
    return true;
}

lm_composition *lm_compose_mesh(const lm_mesh *mesh, const lm_compose_options *options,
                                lm_error *error) {
    lm_composing *c = lm_mesh_check(mesh, error) ? begin(options, error) : NULL;
    if (!c)
        return NULL;
    options = c->options;
    if (!lmi_call_join(&c->heap.call, images_valid(options, mesh->num_surfaces, error)))
        return finish(c);
    c->mesh = *mesh;
    c->num_textures = options->num_textures;
    c->textures = options->textures;
    c->num_skins = options->num_skins;
    c->skins = options->skins;
    c->num_skin_surfaces = mesh->num_surfaces;
    c->embedded = options->embedded;
    c->from_game = options->from_game && !moves_skins(c, mesh->num_skins);
    if (check_frames(c, mesh->num_frames))
        take_frames(c, mesh->clips, mesh->num_clips);
    return finish(c);
}

lm_composition *lm_compose_scene(const lm_scene *scene, const lm_compose_options *options,
                                 lm_error *error) {
    lm_composing *c = lm_scene_check(scene, error) ? begin(options, error) : NULL;
    if (!c)
        return NULL;
    const lm_scene_part *first = &scene->parts[0];
    const lm_model *model = first->model;
    c->num_textures = scene->num_textures;
    c->textures = scene->textures;
    c->num_skins = first->num_skins;
    c->skins = first->skins;
    c->skin = first->skin;
    c->num_skin_surfaces = model->num_surfaces;
    c->from_scene = true;
    c->boned = scene->num_parts == 1 && model->bones ? model : NULL;
    uint32_t num_clips;
    const lm_clip *clips = lmi_scene_clips(first, &num_clips);
    c->embedded =
        scene->num_parts == 1 && (model->embedded_skins || moves_skins(c, model->num_skins));
    if (!check_frames(c, model->num_frames))
        return finish(c);
    if (scene->num_parts > 1) {
        if (lmi_compose_merge(c, scene) && take_first(c) && c->made.skeleton)
            ((lm_skeleton *)c->made.skeleton)->num_frames = 1;
    } else if (list_sources(c, model) &&
               lmi_composing_adopt(
                   c, lmi_mesh_from_model(model, !has_skeleton(c), &c->options->memory, error)))
        take_frames(c, clips, num_clips);
    if (c->options->other_skins && c->mesh.embedded_skins) {
        c->mesh.num_skins = 0;
        c->mesh.embedded_skins = NULL;
    }
    if (c->options->player > LM_PLAYER_MODEL && !c->embedded && c->heap.call.status == LM_DONE)
        take_player_images(c, first);
    return finish(c);
}
