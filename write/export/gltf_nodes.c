#include "export/gltf.h"

#include "lerpmesh/load.h"
#include "math/turn.h"
#include "math/vectors.h"
#include "model/grid.h"

#include <stdio.h>

static uint32_t end_node(const lm_gltf_body *body) {
    return lmi_gltf_joint_node(body, body->skeleton ? body->skeleton->num_joints : 0);
}

void lmi_gltf_number_nodes(lm_gltf *g) {
    uint32_t node = 0, mesh = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        body->first_node = node;
        body->first_mesh = mesh;
        node = end_node(body);
        mesh += (uint32_t)body->plan.num_bundles * body->plan.num_meshes;
    }
}

bool lmi_gltf_name_nodes(lm_gltf *g) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        const lm_model *model = body->job.model;
        const uint32_t num_joints = body->skeleton ? body->skeleton->num_joints : 0;
        body->joint_names = lmi_arena_alloc(&g->arena, num_joints, sizeof *body->joint_names);
        body->tag_names = lmi_arena_alloc(&g->arena, model->num_tags, sizeof *body->tag_names);
        if (lmi_arena_failed(&g->arena))
            return false;
        for (uint32_t j = 0; j < num_joints; j++)
            body->joint_names[j] = lmi_gltf_name(&g->node_names, body->skeleton->joints[j].name);
        for (uint32_t tag = 0; tag < model->num_tags; tag++) {
            const char *name = model->tags[tag].name;
            if (body->tag_uses[tag] != LM_TAG_JOINT)
                body->tag_names[tag] = lmi_gltf_name(&g->node_names, name[0] ? name : "tag");
        }
    }
    return !lmi_arena_failed(&g->arena);
}

/* Returns whether a node of a body is written below a tag of `holder`; -1: in the scene. */
static bool is_held(const lm_gltf_body *body, uint32_t node, int32_t holder, uint32_t tag) {
    const bool here = body->holder == holder && (holder < 0 || body->tag == tag);
    if (!body->skeleton)
        return here;
    if (node < lmi_gltf_first_tag_node(body)) /* joints alone move a skinned mesh */
        return holder < 0;
    return here && node == lmi_gltf_joint_node(body, 0); /* the others are below it */
}

void lmi_gltf_list_node(lm_json *json, const char *key, bool *any, uint32_t node) {
    if (!*any)
        lmi_json_open(json, key, '[');
    *any = true;
    lmi_json_integer(json, NULL, node);
}

void lmi_gltf_write_range(lm_json *json, const char *key, uint32_t first, uint32_t count) {
    lmi_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        lmi_json_integer(json, NULL, first + i);
    lmi_json_close(json);
}

void lmi_gltf_list_held(const lm_gltf *g, lm_json *json, const char *key, bool *any, int32_t holder,
                        uint32_t tag) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_body *body = &g->bodies[i];
        /* With several bundles, the meshes are children of the groups. */
        bool groups = body->plan.num_bundles > 1;
        uint32_t node = groups ? lmi_gltf_bundle_node(body, 0) : body->first_node;
        for (; node < end_node(body); node++)
            if (is_held(body, node, holder, tag))
                lmi_gltf_list_node(json, key, any, node);
    }
}

static bool write_mesh_node(lm_gltf_body *body, uint32_t bundle, uint32_t mesh) {
    const char *name = body->job.model->surfaces[body->plan.surfaces[mesh]].name;
    uint64_t index = body->first_mesh + (uint64_t)mesh * body->plan.num_bundles + bundle;
    lm_json *json =
        lmi_gltf_open(&body->g->nodes, &body->g->node_names, name[0] ? name : body->job.name);
    if (!json)
        return false;
    lmi_json_integer(json, "mesh", (int64_t)index);
    if (body->skeleton)
        lmi_json_integer(json, "skin", body->skin);
    if (body->quantized) {
        const float step = body->grid.step, steps[] = {step, step, step};
        lmi_gltf_write_floats(json, "translation", &body->grid.offset.x, 3);
        lmi_gltf_write_floats(json, "scale", steps, 3);
    }
    lmi_json_close(json);
    return true;
}

/* Writes the node that shows and hides a bundle. Initially, the first bundle is visible. */
static bool write_bundle_node(lm_gltf_body *body, uint32_t bundle) {
    static const float nothing[] = {0, 0, 0};
    char name[24];
    snprintf(name, sizeof name, "part %u", (unsigned)bundle + 1);
    lm_json *json = lmi_gltf_open(&body->g->nodes, &body->g->node_names, name);
    if (!json)
        return false;
    lmi_gltf_write_range(json, "children", lmi_gltf_mesh_node(body, bundle, 0),
                         body->plan.num_meshes);
    if (bundle > 0)
        lmi_gltf_write_floats(json, "scale", nothing, 3);
    lmi_json_close(json);
    return true;
}

static bool is_scaled(const lm_gltf_transform *transform) {
    return transform->scale.x != 1 || transform->scale.y != 1 || transform->scale.z != 1;
}

void lmi_gltf_write_tag_extras(const lm_gltf_body *body, lm_json *json, uint32_t tag) {
    lmi_json_open(json, "extras", '{');
    lmi_json_string(json, "tag", body->job.model->tags[tag].name);
    for (uint32_t i = 1; i < body->g->scene->num_parts && lmi_gltf_is_weapon(body->g); i++)
        if (body->g->bodies[i].holder == body - body->g->bodies && body->g->bodies[i].tag == tag)
            lmi_json_string(json, "holds", body->g->scene->parts[i].name);
    lmi_json_close(json);
}

static bool write_tag_node(lm_gltf_body *body, uint32_t tag) {
    bool any = false;
    lm_gltf_transform transform;
    if (!lmi_gltf_transform_tag(body, tag, lmi_export_pose(&body->job, body->plan.base),
                                &transform))
        return false;
    lm_json *json = lmi_gltf_open_named(&body->g->nodes, body->tag_names[tag]);
    lmi_gltf_list_held(body->g, json, "children", &any, (int32_t)(body - body->g->bodies), tag);
    if (any)
        lmi_json_close(json);
    lmi_gltf_write_floats(json, "translation", &transform.translation.x, 3);
    lmi_gltf_write_floats(json, "rotation", transform.rotation, 4);
    if (is_scaled(&transform))
        lmi_gltf_write_floats(json, "scale", &transform.scale.x, 3);
    lmi_gltf_write_tag_extras(body, json, tag);
    lmi_json_close(json);
    return true;
}

bool lmi_gltf_write_nodes(lm_gltf_body *body) {
    uint32_t num_bundles = (uint32_t)body->plan.num_bundles;
    for (uint32_t bundle = 0; bundle < num_bundles; bundle++)
        for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++)
            if (!write_mesh_node(body, bundle, mesh))
                return false;
    for (uint32_t bundle = 0; bundle < num_bundles && num_bundles > 1; bundle++)
        if (!write_bundle_node(body, bundle))
            return false;
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++)
        if (body->tag_uses[tag] != LM_TAG_JOINT && !write_tag_node(body, tag))
            return false;
    return lmi_gltf_write_joints(body);
}

/* Tolerance for axes to count as a rotation, because files round them. */
#define LM_ROUNDED 1e-3

/* ---- Axes that are no rotation ----------------------------------------------------------------
 *
 * A column of length 0 becomes a scale of 0; lm_sample_tag returns no lengths other than 0 and 1.
 * Mirrored axes get a negative scale for the model's left. Axes that are not perpendicular become
 * the nearest rotation. The rest, a shear, is lost. */

/* Returns a vector perpendicular to the other two columns; its length is their area. */
static lm_wide side_of(const lm_wide axis[3], unsigned column) {
    return lmi_wide_cross(axis[(column + 1) % 3], axis[(column + 2) % 3]);
}

static double volume_of(const lm_wide axis[3]) {
    return lmi_wide_dot(axis[0], side_of(axis, 0));
}

static bool is_rotation(const lm_wide axis[3]) {
    for (unsigned i = 0; i < 3; i++)
        if (fabs(lmi_wide_dot(axis[i], axis[i]) - 1) > LM_ROUNDED ||
            fabs(lmi_wide_dot(axis[i], axis[(i + 1) % 3])) > LM_ROUNDED)
            return false;
    return volume_of(axis) > 0;
}

static void set_identity(lm_wide axis[3]) {
    for (unsigned i = 0; i < 3; i++)
        axis[i] = (lm_wide){(double)(i == 0), (double)(i == 1), (double)(i == 2)};
}

/* Splits axes into a rotation, which stays in `axis`, and a scale. `left` is the column of the
 * model's left. Returns true if the axes that stay are sheared. */
static bool split_scale(lm_wide axis[3], unsigned left, float scale[3]) {
    /* Make a column without length perpendicular to the others, and set its scale to 0. */
    unsigned num_flat = 0, flat = 0;
    for (unsigned i = 0; i < 3; i++) {
        scale[i] = lmi_wide_dot(axis[i], axis[i]) > 0;
        if (scale[i] > 0)
            continue;
        flat = i;
        num_flat++;
    }
    if (num_flat == 1)
        axis[flat] = side_of(axis, flat);
    else if (num_flat > 1)
        set_identity(axis);
    if (volume_of(axis) < 0) {
        scale[left] = -scale[left];
        axis[left] = (lm_wide){-axis[left].x, -axis[left].y, -axis[left].z};
    }
    if (is_rotation(axis))
        return false;
    if (volume_of(axis) < 1e-6)
        set_identity(axis);
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Finds the transform of a tag relative to the model. */
static bool place_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose,
                      lm_gltf_transform *out) {
    const lm_export *job = &body->job;
    lm_transform transform;
    lm_code code = lm_sample_tag(job->model, tag, &pose, &transform);
    if (code != LM_CODE_OK)
        return lmi_call_fail(job->call, code, "tag %u cannot be sampled", (unsigned)tag);
    out->translation = lmi_export_point(job, transform.origin);
    /* The attached model has the target's axes too: its x is the model's y, and so on. */
    const unsigned turned = job->axes == LM_AXES_GLTF;
    lm_wide axis[3];
    for (unsigned i = 0; i < 3; i++)
        axis[i] = lmi_wide_of(lmi_export_axes(job, transform.axis[(i + turned) % 3]));
    float scale[3] = {1, 1, 1};
    out->sheared = !is_rotation(axis) && split_scale(axis, 1 - turned, scale);
    double rows[3][3] = {{axis[0].x, axis[1].x, axis[2].x},
                         {axis[0].y, axis[1].y, axis[2].y},
                         {axis[0].z, axis[1].z, axis[2].z}};
    double turn[3][3], quaternion[4];
    if (out->sheared)
        lmi_nearest_turn(rows, turn);
    lmi_turn_to_quaternion(out->sheared ? turn : rows, quaternion);
    for (int i = 0; i < 4; i++)
        out->rotation[i] = (float)quaternion[i];
    out->scale = (lm_vec3){scale[0], scale[1], scale[2]};
    return (lmi_is_in_range(out->translation) && lmi_is_in_range(out->scale)) ||
           lmi_call_fail(job->call, LM_CODE_NOT_FINITE,
                         "a scale of %g is too large: tags reach 2^40", (double)job->scale);
}

bool lmi_gltf_transform_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose,
                            lm_gltf_transform *out) {
    if (!place_tag(body, tag, pose, out))
        return false;
    if (body->skeleton)
        lmi_gltf_hang_tag(body, tag, pose, out);
    return true;
}

static bool same_transform(const lm_gltf_transform *a, const lm_gltf_transform *b) {
    for (unsigned i = 0; i < 4; i++)
        if (a->rotation[i] != b->rotation[i])
            return false;
    return lmi_same_vec3(a->translation, b->translation) && lmi_same_vec3(a->scale, b->scale);
}

/* Lets each animation set the scale of a tag whose model is hidden in one of them. Otherwise
 * Blender keeps the scale of the one that it showed before. */
static void scale_hiding_tags(const lm_gltf_body *body) {
    const lm_gltf *g = body->g;
    for (uint32_t i = 1; i < g->scene->num_parts && g->num_hidden > 0; i++) {
        const lm_scene_part *part = &g->scene->parts[i];
        const bool held = part->tag && &g->bodies[part->parent] == body;
        const uint32_t tag = held ? lm_model_find_tag(body->job.model, part->tag) : LM_NO_TAG;
        for (uint32_t k = 0; tag != LM_NO_TAG && k < g->num_tracks; k++)
            if (g->bodies[i].tracks[k].clip.hidden)
                body->tag_uses[tag] = LM_TAG_SCALES;
    }
}

/* Tags that are joints have their nodes, which are after those of the other tags. */
static void number_tags(lm_gltf_body *body) {
    const uint32_t count = body->job.model->num_tags;
    body->num_tag_nodes = 0;
    for (uint32_t tag = 0; tag < count; tag++)
        if (body->tag_uses[tag] != LM_TAG_JOINT)
            body->tag_nodes[tag] = body->num_tag_nodes++;
    for (uint32_t tag = 0; tag < count; tag++)
        if (body->tag_uses[tag] == LM_TAG_JOINT)
            body->tag_nodes[tag] = body->num_tag_nodes + body->tag_joints[tag];
}

bool lmi_gltf_inspect_tags(lm_gltf_body *body) {
    const bool is_blend = body->job.still && body->job.pose.t > 0;
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++) {
        lm_gltf_transform first = {0}, transform = {0};
        bool moves = false, scales = false, sheared = false;
        for (uint32_t frame = 0; frame < body->job.count; frame++) {
            if (!lmi_gltf_transform_tag(body, tag, lmi_export_pose(&body->job, frame), &transform))
                return false;
            first = frame == 0 ? transform : first;
            moves |= !same_transform(&first, &transform);
            scales |= is_scaled(&transform);
            sheared |=
                transform.sheared && !is_blend; /* blending slightly bends the axes of any tag */
        }
        if (body->tag_uses[tag] != LM_TAG_JOINT)
            body->tag_uses[tag] = !moves ? LM_TAG_STILL : scales ? LM_TAG_SCALES : LM_TAG_MOVES;
        body->g->num_sheared += sheared;
    }
    scale_hiding_tags(body);
    number_tags(body);
    return true;
}

/* ---- Extras -------------------------------------------------------------------------------- */

bool lmi_gltf_is_weapon(const lm_gltf *g) {
    return g->scene->num_parts > 1 && g->bodies[0].job.model->num_surfaces == 0;
}

bool lmi_gltf_round_trips(const lm_gltf *g) {
    return !g->bodies[0].job.still && (g->scene->num_parts == 1 || lmi_gltf_is_weapon(g));
}

/* Writes a clip. `name` NULL: frames in no clip; `animation` NULL: it has none, because nothing
 * moves. */
static void write_clip(lm_json *json, const char *name, const char *animation,
                       const lm_clip *clip) {
    lmi_json_open(json, NULL, '{');
    if (name)
        lmi_json_string(json, "name", name);
    if (animation)
        lmi_json_string(json, "animation", animation);
    lmi_json_integer(json, "first", clip->first);
    lmi_json_integer(json, "count", clip->count);
    lmi_json_float(json, "fps", clip->fps);
    if (clip->loop_frames > 0)
        lmi_json_integer(json, "loop", clip->loop_frames);
    if (clip->backwards)
        lmi_json_bool(json, "backwards", true);
    if (clip->animated_barrels)
        lmi_json_integer(json, "animatedBarrels", clip->animated_barrels);
    if (clip->animated_weapon)
        lmi_json_bool(json, "animatedWeapon", true);
    if (clip->hidden_barrels)
        lmi_json_integer(json, "hiddenBarrels", clip->hidden_barrels);
    if (clip->times) {
        lmi_json_open(json, "times", '[');
        for (uint32_t i = 0; i <= clip->count; i++)
            lmi_json_float(json, NULL, clip->times[i] - clip->times[0]);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

/* Writes the frames of each animation, in the model's order of clips. */
static void write_clips(const lm_gltf_body *body, lm_json *json) {
    const lm_gltf *g = body->g;
    lm_clip clip;
    lmi_json_open(json, "clips", '[');
    for (uint32_t i = 0; i < body->job.num_clips; i++)
        if (lmi_export_clip(&body->job, &body->job.clips[i], &clip))
            write_clip(json, clip.name, g->written_names[i], &clip);
    for (uint32_t i = 0; i < g->num_tracks; i++)
        if (body->tracks[i].number >= body->job.num_clips)
            write_clip(json, NULL, g->written_names[body->tracks[i].number], &body->tracks[i].clip);
    lmi_json_close(json);
}

/* Writes the header's data; the eye is converted like a vertex. */
static void write_header(const lm_export *job, lm_json *json) {
    const lm_model *model = job->model;
    const lm_vec3 eye = lmi_export_point(job, model->eye);
    if (*model->name)
        lmi_json_string(json, "model", model->name);
    if (model->flags != 0)
        lmi_json_integer(json, "flags", (uint32_t)model->flags);
    if (model->synctype != 0)
        lmi_json_integer(json, "synctype", (uint32_t)model->synctype);
    if (model->eye.x != 0 || model->eye.y != 0 || model->eye.z != 0)
        lmi_gltf_write_floats(json, "eye", &eye.x, 3);
}

/* Writes the surfaces that draw nothing, which become no meshes. */
static void write_empty_surfaces(const lm_gltf_body *body, lm_json *json) {
    const lm_model *model = body->job.model;
    const lm_gltf_plan *plan = &body->plan;
    if (plan->num_meshes == model->num_surfaces)
        return;
    lmi_json_open(json, "emptySurfaces", '[');
    for (uint32_t i = 0, mesh = 0; i < model->num_surfaces; i++) {
        if (mesh < plan->num_meshes && plan->surfaces[mesh] == i) {
            mesh++;
            continue;
        }
        lmi_json_open(json, NULL, '{');
        lmi_json_integer(json, "index", i);
        lmi_json_string(json, "name", model->surfaces[i].name);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

/* Writes the scene's extras. */
static void write_extras(const lm_gltf *g, lm_json *json) {
    const lm_gltf_body *body = &g->bodies[0];
    const lm_export *job = &body->job;
    lmi_json_open(json, "extras", '{');
    lmi_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < job->count; i++)
        lmi_json_string(json, NULL, job->model->frames[lmi_export_pose(job, i).frame_a].name);
    lmi_json_close(json);
    if (job->axes == LM_AXES_MODEL)
        lmi_json_string(json, "axes", "model");
    if (g->options->unit > 0 && g->options->unit != LM_METRES_PER_UNIT)
        lmi_json_float(json, "unit", g->options->unit);
    if (lmi_gltf_is_weapon(g))
        lmi_json_string(json, "hand", body->part->name);
    if (lmi_gltf_round_trips(g)) {
        write_header(job, json);
        if (g->options->fps == 0) /* else keys are not frames */
            write_clips(body, json);
        const lm_model *model = job->model;
        lmi_gltf_write_names(json, "skins", model->skins, model->num_skins);
        if (model->skin_width > 0 && model->skin_height > 0)
            lmi_gltf_print(json, "skinSize", "[%u,%u]", (unsigned)model->skin_width,
                           (unsigned)model->skin_height);
        write_empty_surfaces(body, json);
        lm_vec3 grid[2]; /* in units of the file, so that it comes back exactly */
        if ((model->features & LM_FEATURE_EMBEDDED_SKINS) && lmi_model_grid(model, grid))
            lmi_gltf_write_floats(json, "grid", &grid[0].x, 6);
    }
    lmi_json_close(json);
}

bool lmi_gltf_write_root(lm_gltf *g) {
    /* Not the name of a node, because programs with unique names would rename the mesh. */
    const char *name = lmi_arena_printf(&g->arena, "%s scene", g->bodies[0].job.name);
    lm_json *json = name ? lmi_gltf_open(&g->scenes, &g->node_names, name) : NULL;
    if (!json)
        return false;
    bool any = false;
    lmi_gltf_list_held(g, json, "nodes", &any, -1, LM_NO_TAG);
    if (any)
        lmi_json_close(json);
    write_extras(g, json);
    lmi_json_close(json);
    return true;
}
