/* The skeleton of an import: its joints in the poses of the mesh's frames. */
#include "bake.h"

#include "core/names.h"
#include "math/turn.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A joint, and how it moves vertices in the rest pose: world * inverse * rest position. */
typedef struct lm_im_bone {
    uint32_t node; /* IM_NONE: the root of several roots, which does not move */
    bool bound;
    lm_im_matrix inverse, rest; /* the inverse of `inverse` */
} lm_im_bone;

typedef struct lm_im_rig {
    importing *im;
    const lm_im_scene *scene;
    const lm_mesh *mesh;
    lm_im_baked_from *from;
    lm_skeleton *made;
    lm_joint *joints;
    lm_im_bone bones[LM_MAX_SKELETON_JOINTS];
    uint32_t *bone_of;        /* [num_nodes], or IM_NONE */
    uint32_t *carrier;        /* [num_nodes] the node that moves it: itself, or one above */
    lm_im_matrix *to_carrier; /* [num_nodes] its transform below that */
    double size;              /* of the mesh */
} lm_im_rig;

bool lmi_im_invert(const lm_im_matrix *from, lm_im_matrix *out) {
    const double *m = from->m, determinant = lmi_im_determinant(m);
    bool finite = true;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            const int a = (c + 1) % 3, b = (c + 2) % 3, i = (r + 1) % 3, k = (r + 2) % 3;
            /* The cofactor of row c and column r. */
            out->m[4 * c + r] =
                (m[4 * i + a] * m[4 * k + b] - m[4 * i + b] * m[4 * k + a]) / determinant;
        }
    for (int r = 0; r < 3; r++) {
        out->m[12 + r] = -(out->m[r] * m[12] + out->m[4 + r] * m[13] + out->m[8 + r] * m[14]);
        out->m[4 * r + 3] = 0;
    }
    out->m[15] = 1;
    for (int i = 0; i < 16; i++)
        finite = finite && fabs(out->m[i]) < (double)FLT_MAX;
    return finite;
}

static const lm_im_matrix still = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

/* ---- Joints ---------------------------------------------------------------------------------- */

static bool is_skinned(const lm_im_part *part) {
    return part->skin != IM_NONE && part->num_joints > 0;
}

/* Returns whether a vertex follows a joint of its skin; otherwise it follows its node. */
static bool follows(const lm_im_part *part, uint32_t vertex) {
    for (uint32_t k = 0; is_skinned(part) && k < part->num_joints; k++)
        if (part->weights[(size_t)vertex * part->num_joints + k] != 0)
            return true;
    return false;
}

/* Finds the node that carries each one: a node that no animation moves, and that is no joint, keeps
 * its place below the node above it. Returns false if memory ran out. */
static bool find_carriers(lm_im_rig *rig) {
    const lm_im_gltf *gltf = rig->scene->gltf;
    const bool *joints = lmi_im_joints(rig->im, gltf);
    bool *moves = lmi_im_joints(rig->im, gltf);
    rig->carrier = lmi_arena_alloc(&rig->im->scratch, gltf->num_nodes, sizeof *rig->carrier);
    rig->to_carrier = lmi_arena_alloc(&rig->im->scratch, gltf->num_nodes, sizeof *rig->to_carrier);
    if (!joints || !moves || !rig->carrier || !rig->to_carrier)
        return false;
    for (uint32_t a = 0; a < gltf->num_animations; a++)
        for (uint32_t k = 0; k < gltf->animations[a].num_channels; k++)
            moves[gltf->animations[a].channels[k].node] = true;
    for (uint32_t at = 0; at < gltf->num_nodes; at++) {
        const uint32_t i = gltf->order[at], parent = gltf->nodes[i].parent;
        lm_im_matrix own;
        bool carries = moves[i] || parent == IM_NONE;
        if (!carries && joints[rig->carrier[parent]]) {
            lmi_im_local_at(gltf, rig->carrier[parent], NULL, &own);
            carries = !(fabs(lmi_im_determinant(own.m) - 1) < 1e-3); /* skeletons have no scale */
        }
        rig->carrier[i] = carries ? i : rig->carrier[parent];
        rig->to_carrier[i] = still;
        if (carries)
            continue;
        lmi_im_local_at(gltf, i, NULL, &own);
        lmi_im_multiply(&rig->to_carrier[parent], &own, &rig->to_carrier[i]);
    }
    return true;
}

/* Marks the nodes that become joints: those of skins, and those that carry vertices. Tags that
 * nothing follows stay tags. */
static bool *mark_nodes(lm_im_rig *rig) {
    const lm_im_gltf *gltf = rig->scene->gltf;
    bool *marks = lmi_arena_zeros(&rig->im->scratch, gltf->num_nodes, sizeof *marks);
    bool *used = lmi_arena_zeros(&rig->im->scratch, gltf->num_nodes, sizeof *used);
    bool *tags = lmi_arena_zeros(&rig->im->scratch, gltf->num_nodes, sizeof *tags);
    if (!marks || !used || !tags)
        return NULL;
    for (uint32_t t = 0; t < rig->scene->num_tags; t++)
        tags[rig->scene->tags[t].node] = true;
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++) {
        if (rig->from->parts[s] == IM_NONE)
            continue;
        const lm_im_part *part = &rig->scene->parts[rig->from->parts[s]];
        const lm_im_skin *skin = is_skinned(part) ? &gltf->skins[part->skin] : NULL;
        for (uint32_t j = 0; skin && j < skin->num_joints; j++)
            marks[skin->joints[j]] = true;
        for (uint32_t v = 0; v < part->num_vertices; v++) {
            if (!follows(part, v))
                used[rig->carrier[part->node]] = true;
            for (size_t k = 0; skin && k < part->num_joints; k++)
                if (part->weights[(size_t)v * part->num_joints + k] != 0)
                    used[skin->joints[part->joints[(size_t)v * part->num_joints + k]]] = true;
        }
    }
    for (uint32_t at = gltf->num_nodes; at-- > 0;) { /* children before parents */
        const uint32_t i = gltf->order[at], parent = gltf->nodes[i].parent;
        marks[i] = used[i] || (marks[i] && !tags[i]);
        if (marks[i] && parent != IM_NONE && marks[parent])
            used[parent] = true;
    }
    return marks;
}

/* Returns the nearest joint above a node, or IM_NONE. */
static uint32_t joint_above(const lm_im_gltf *gltf, const bool *marks, uint32_t node) {
    uint32_t up = gltf->nodes[node].parent;
    while (up != IM_NONE && !marks[up])
        up = gltf->nodes[up].parent;
    return up;
}

/* Lists the joints, parents first; a root of several roots is the first. A joint without a name
 * gets one that no other has. Returns false if there are none or too many. */
static bool list_bones(lm_im_rig *rig, const bool *marks) {
    const lm_im_gltf *gltf = rig->scene->gltf;
    uint32_t count = 0, roots = 0;
    for (uint32_t i = 0; i < gltf->num_nodes && count <= LM_MAX_SKELETON_JOINTS; i++) {
        count += marks[i];
        roots += marks[i] && joint_above(gltf, marks, i) == IM_NONE;
    }
    count += roots > 1;
    if (count > LM_MAX_SKELETON_JOINTS)
        lmi_im_note(rig->im, IM_SKELETON, "it has more than 256 joints: its skeleton is not kept");
    if (count == 0 || count > LM_MAX_SKELETON_JOINTS)
        return false;
    lm_names names = {.arena = rig->im->arena};
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        lm_name *name = marks[i] ? lmi_names_put(&names, gltf->nodes[i].name) : NULL;
        if (name)
            name->number = 1;
    }
    rig->made->num_joints = roots > 1;
    rig->joints[0] = (lm_joint){.name = "root", .parent = LM_SKELETON_NO_PARENT};
    rig->bones[0].node = IM_NONE;
    for (uint32_t at = 0; at < gltf->num_nodes; at++) {
        const uint32_t node = gltf->order[at], index = rig->made->num_joints;
        if (!marks[node])
            continue;
        const uint32_t up = joint_above(gltf, marks, node);
        rig->joints[index] =
            (lm_joint){.name = *gltf->nodes[node].name
                                   ? gltf->nodes[node].name
                                   : lmi_names_unique_copy(&names, index > 0 ? "joint" : "root"),
                       .parent = up != IM_NONE ? rig->bone_of[up]
                                 : index > 0   ? 0
                                               : LM_SKELETON_NO_PARENT,
                       .mirror = index};
        rig->bones[index].node = node;
        rig->bone_of[node] = rig->made->num_joints++;
    }
    return !lmi_arena_failed(rig->im->arena);
}

/* ---- The rest pose --------------------------------------------------------------------------- */

static void inverse_of(const lm_im_skin *skin, uint32_t joint, lm_im_matrix *out) {
    for (size_t k = 0; k < 16; k++)
        out->m[k] = (double)skin->inverse[16 * (size_t)joint + k];
}

/* Returns the first joint of a skin that is bound, or IM_NONE. */
static uint32_t bound_joint(const lm_im_rig *rig, const lm_im_skin *skin) {
    for (uint32_t j = 0; j < skin->num_joints; j++)
        if (rig->bone_of[skin->joints[j]] != IM_NONE &&
            rig->bones[rig->bone_of[skin->joints[j]]].bound)
            return j;
    return IM_NONE;
}

/* Binds the joints of a skin. Skins that share joints may differ in where their vertices are: then
 * those of the later one move. Returns false if a matrix has no inverse. */
static bool bind_skin(lm_im_rig *rig, const lm_im_skin *skin) {
    lm_im_matrix own, inverse, back = still; /* from the rest pose to the skin's vertices */
    const uint32_t shared = bound_joint(rig, skin);
    if (shared != IM_NONE) {
        inverse_of(skin, shared, &own);
        if (!lmi_im_invert(&own, &inverse))
            return false;
        lmi_im_multiply(&inverse, &rig->bones[rig->bone_of[skin->joints[shared]]].inverse, &back);
    }
    for (uint32_t j = 0; j < skin->num_joints; j++) {
        const uint32_t b = rig->bone_of[skin->joints[j]];
        if (b == IM_NONE || rig->bones[b].bound)
            continue;
        inverse_of(skin, j, &own);
        lmi_im_multiply(&own, &back, &rig->bones[b].inverse);
        rig->bones[b].bound = true;
    }
    return true;
}

/* Finds the exchange of axes and the scale that are nearest to a matrix. */
static void find_turn(const lm_im_matrix *m, lm_im_matrix *turn) {
    const double size = cbrt(fabs(lmi_im_determinant(m->m)));
    const double scale = fabs(size - 1) < 1e-3 ? 1 : size;
    int rows[3] = {0, 0, 0};
    double signs[3];
    *turn = (lm_im_matrix){{[15] = 1}};
    for (int c = 0; c < 2; c++) {
        for (int r = 1; r < 3; r++)
            if ((c == 1 && rows[1] == rows[0]) ||
                (fabs(m->m[4 * c + r]) > fabs(m->m[4 * c + rows[c]]) && (c == 0 || r != rows[0])))
                rows[c] = r;
        signs[c] = m->m[4 * c + rows[c]] < 0 ? -1 : 1;
    }
    rows[2] = 3 - rows[0] - rows[1];
    signs[2] = signs[0] * signs[1] * (rows[1] == (rows[0] + 1) % 3 ? 1 : -1);
    for (int c = 0; c < 3; c++)
        turn->m[4 * c + rows[c]] = signs[c] * scale;
}

/* Turns a vector to the mesh's axes, if the file has the model's. */
static lm_vec3 in_mesh(const lm_im_rig *rig, lm_vec3 v) {
    return rig->scene->extras->model_axes ? (lm_vec3){v.y, v.z, v.x} : v;
}

/* Returns where a matrix moves the origin. */
static lm_vec3 place_of(const lm_im_rig *rig, const lm_im_matrix *m) {
    return in_mesh(rig, lmi_im_rotate(m->m + 12, (double)rig->scene->scale));
}

/* Binds all joints, and turns the rest pose as the file shows it. Vertices that follow a node are
 * in the rest pose where it is at rest. Returns false if that is not possible. */
static bool bind_bones(lm_im_rig *rig) {
    lm_im_pose *pose = &rig->from->pose;
    lm_im_matrix root, turn, back;
    lmi_im_pose_at(pose, &(lm_im_moment){.animation = NULL});
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++) {
        const uint32_t part = rig->from->parts[s];
        if (part != IM_NONE && is_skinned(&rig->scene->parts[part]) &&
            !bind_skin(rig, &rig->scene->gltf->skins[rig->scene->parts[part].skin]))
            return false;
    }
    lm_im_bone *first = &rig->bones[rig->bones[0].node == IM_NONE];
    for (lm_im_bone *bone = first; bone < rig->bones + rig->made->num_joints; bone++)
        if (!bone->bound && !lmi_im_invert(&pose->world[bone->node], &bone->inverse))
            return false;
    lmi_im_multiply(&pose->world[first->node], &first->inverse, &root);
    find_turn(&root, &turn);
    if (!lmi_im_invert(&turn, &back))
        return false;
    for (lm_im_bone *bone = first; bone < rig->bones + rig->made->num_joints; bone++) {
        const lm_im_matrix own = bone->inverse;
        lmi_im_multiply(&own, &back, &bone->inverse);
        if (!lmi_im_invert(&bone->inverse, &bone->rest))
            return false;
        rig->joints[bone - rig->bones].position = place_of(rig, &bone->rest);
    }
    return true;
}

/* Lists the joint that each tag is, or the next one above it, if there is one. */
static bool list_tags(lm_im_rig *rig, const bool *marks) {
    const lm_im_scene *scene = rig->scene;
    uint32_t *joints = lmi_arena_zeros(rig->im->arena, scene->num_tags, sizeof *joints);
    for (uint32_t t = 0; joints && t < scene->num_tags; t++) {
        const uint32_t node = scene->tags[t].node;
        const uint32_t up = marks[node] ? node : joint_above(scene->gltf, marks, node);
        joints[t] = up != IM_NONE ? rig->bone_of[up] : LM_SKELETON_NO_PARENT;
    }
    rig->made->num_tags = scene->num_tags;
    rig->made->tag_joints = joints;
    return joints;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Keeps the joints with the largest weights of a vertex, the largest first. */
static void keep_largest(const lm_im_rig *rig, const lm_im_part *part, uint32_t vertex,
                         lm_influence *out) {
    const uint32_t *joints = part->joints + (size_t)vertex * part->num_joints;
    const float *weights = part->weights + (size_t)vertex * part->num_joints;
    double shares[LM_MAX_SKELETON_JOINTS] = {0}, sum = 0;
    for (uint32_t k = 0; k < part->num_joints; k++)
        if (weights[k] > 0)
            shares[rig->bone_of[rig->scene->gltf->skins[part->skin].joints[joints[k]]]] +=
                (double)weights[k];
    for (int i = 0; i < LM_SKELETON_WEIGHTS; i++) {
        uint32_t most = 0;
        for (uint32_t b = 1; b < rig->made->num_joints; b++)
            most = shares[b] > shares[most] ? b : most;
        out->joints[i] = (uint16_t)(shares[most] > 0 ? most : 0);
        out->weights[i] = (float)shares[most];
        sum += shares[most];
        shares[most] = 0;
    }
    for (int i = 0; i < LM_SKELETON_WEIGHTS && sum > 0; i++)
        out->weights[i] = (float)((double)out->weights[i] / sum);
}

static bool make_surface(lm_im_rig *rig, uint32_t index, lm_skeleton_surface *out) {
    lm_arena *arena = rig->im->arena;
    const lm_mesh_surface *s = &rig->mesh->surfaces[index];
    const lm_im_part *part =
        rig->from->parts[index] != IM_NONE ? &rig->scene->parts[rig->from->parts[index]] : NULL;
    lm_vec3 *positions = lmi_arena_zeros(arena, s->num_vertices, sizeof *positions);
    lm_vec3 *normals = s->normals ? lmi_arena_zeros(arena, s->num_vertices, sizeof *normals) : NULL;
    lm_influence *influences = lmi_arena_zeros(arena, s->num_vertices, sizeof *influences);
    if (!positions || !influences || (s->normals && !normals))
        return false;
    *out = (lm_skeleton_surface){s->num_vertices, positions, normals, influences, NULL};
    const lm_im_skin *skin = part && is_skinned(part) ? &rig->scene->gltf->skins[part->skin] : NULL;
    const uint32_t bound = skin ? bound_joint(rig, skin) : IM_NONE;
    const uint32_t carrier = part ? rig->bone_of[rig->carrier[part->node]] : IM_NONE;
    lm_im_matrix own, of_skin = still, of_node = still; /* from the vertices to the rest pose */
    if (carrier != IM_NONE)
        lmi_im_multiply(&rig->bones[carrier].rest, &rig->to_carrier[part->node], &of_node);
    if (bound != IM_NONE) {
        inverse_of(skin, bound, &own);
        lmi_im_multiply(&rig->bones[rig->bone_of[skin->joints[bound]]].rest, &own, &of_skin);
    }
    for (uint32_t v = 0; part && v < s->num_vertices; v++) {
        const bool skinned = follows(part, v);
        const lm_im_matrix *to = skinned ? &of_skin : &of_node;
        double p[3], n[3] = {0, 0, 1};
        for (size_t i = 0; i < 3; i++) {
            p[i] = (double)part->positions[3 * (size_t)v + i];
            n[i] = normals && part->normals ? (double)part->normals[3 * (size_t)v + i] : n[i];
        }
        lmi_im_place(to, (double)rig->scene->scale, p, n, &positions[v],
                     normals ? &normals[v] : NULL);
        positions[v] = in_mesh(rig, positions[v]);
        if (normals)
            normals[v] = in_mesh(rig, normals[v]);
        if (skinned)
            keep_largest(rig, part, v, &influences[v]);
        else
            influences[v] = (lm_influence){{(uint16_t)carrier}, {1}};
    }
    return true;
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* Poses all joints in a frame, relative to their parents. `all`: [num_joints] scratch. */
static void pose_joints(lm_im_rig *rig, uint32_t frame, lm_placed *all, lm_joint_pose *out) {
    static const int axes_of[2][3] = {{2, 0, 1}, {0, 1, 2}}; /* in the file: lmi_im_rotate */
    const int *from = axes_of[rig->scene->extras->model_axes];
    const uint32_t count = rig->made->num_joints;
    lmi_im_pose_at(&rig->from->pose, &rig->from->moments[frame]);
    for (uint32_t b = 0; b < count; b++) {
        const lm_im_bone *bone = &rig->bones[b];
        lm_im_matrix moves = still;
        lm_vec3 at = rig->joints[b].position;
        double axes[3][3];
        if (bone->node != IM_NONE) {
            const lm_im_matrix *world = &rig->from->pose.world[bone->node];
            lmi_im_multiply(world, &bone->inverse, &moves);
            at = place_of(rig, world);
        }
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                axes[r][c] = moves.m[4 * from[c] + from[r]];
        all[b] = lmi_placed_nearest(axes, at);
        const lm_placed local =
            b > 0 ? lmi_placed_relative(&all[rig->joints[b].parent], &all[b]) : all[b];
        out[b].translation = lmi_placed_split(
            &local, frame > 0 ? (out + b - count)->rotation : NULL, out[b].rotation);
    }
}

/* Joints that keep their distance but for rounding do not translate. */
#define SAME 1e-5 /* of the mesh's size */

static bool make_poses(lm_im_rig *rig) {
    const uint32_t count = rig->made->num_joints, frames = rig->mesh->num_frames;
    lm_joint_pose *poses = lmi_arena_alloc(rig->im->arena, (uint64_t)count * frames, sizeof *poses);
    lm_placed *all = lmi_arena_alloc(&rig->im->scratch, count, sizeof *all);
    if (!poses || !all)
        return false;
    for (uint32_t f = 0; f < frames; f++)
        pose_joints(rig, f, all, poses + (size_t)f * count);
    for (uint32_t b = 1; b < count; b++) {
        const lm_vec3 at = rig->joints[b].position,
                      up = rig->joints[rig->joints[b].parent].position;
        const lm_vec3 away = {at.x - up.x, at.y - up.y, at.z - up.z};
        for (uint32_t f = 0; f < frames && !rig->joints[b].translates; f++)
            rig->joints[b].translates =
                lmi_distance_between(poses[(size_t)f * count + b].translation, away) >
                SAME * rig->size;
        for (uint32_t f = 0; f < frames && !rig->joints[b].translates; f++)
            poses[(size_t)f * count + b].translation = away;
        rig->made->num_translating += rig->joints[b].translates;
    }
    rig->made->num_frames = frames;
    rig->made->poses = poses;
    return true;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Measures the distance between the skeleton and the mesh in a frame. */
static lm_skeleton_error measure_frame(const lm_im_rig *rig, uint32_t frame, lm_vec3 *scratch) {
    double square = 0, most = 0, count = 0;
    for (uint32_t i = 0; i < rig->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &rig->mesh->surfaces[i];
        if (s->num_vertices == 0)
            continue;
        const float *row = s->positions + 3 * (size_t)frame * s->num_vertices;
        lm_skeleton_sample(rig->made, i, &(lm_pose){frame, frame, 0, false}, scratch, NULL);
        for (uint32_t v = 0; v < s->num_vertices; v++) {
            const double away = lmi_square_between(scratch[v], lmi_vec3_at(row, v));
            square += away;
            most = fmax(most, away);
        }
        count += 3.0 * s->num_vertices;
    }
    return (lm_skeleton_error){count > 0 ? sqrt(square / count) : 0, sqrt(most)};
}

/* Returns the error over some frames, which have the same vertices. */
static lm_skeleton_error error_over(const lm_skeleton_error *frames, uint32_t count) {
    lm_skeleton_error out = {0, 0};
    for (uint32_t f = 0; f < count; f++) {
        out.rms_error += frames[f].rms_error * frames[f].rms_error / count;
        out.max_error = fmax(out.max_error, frames[f].max_error);
    }
    out.rms_error = sqrt(out.rms_error);
    return out;
}

static bool measure(lm_im_rig *rig) {
    lm_skeleton *made = rig->made;
    const lm_mesh *mesh = rig->mesh;
    uint32_t largest = 0;
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        if (mesh->surfaces[s].num_vertices > largest)
            largest = mesh->surfaces[s].num_vertices;
    lm_skeleton_error *frames = lmi_arena_alloc(rig->im->arena, mesh->num_frames, sizeof *frames);
    lm_skeleton_error *clips = lmi_arena_alloc(rig->im->arena, mesh->num_clips, sizeof *clips);
    lm_vec3 *scratch = lmi_arena_alloc(&rig->im->scratch, largest, sizeof *scratch);
    if (!frames || !clips || !scratch)
        return false;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        frames[f] = measure_frame(rig, f, scratch);
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        clips[i] = error_over(frames + mesh->clips[i].first, mesh->clips[i].count);
    made->all = made->uncorrected = error_over(frames, mesh->num_frames);
    made->frames = frames;
    made->clips = clips;
    made->num_clips = mesh->num_clips;
    made->quantum = rig->size / 255 / sqrt(12); /* as that of lm_skeleton_fit */
    made->reason = "";
    if (made->all.rms_error > 2 * made->quantum) {
        made->verdict = LM_SKELETON_REFUSED;
        made->reason = "shapes move its vertices, or its joints change their size, which skeletons "
                       "of models do not hold";
    }
    return true;
}

/* Returns the largest extent of the first frame. */
static double size_of(const lm_mesh *mesh) {
    lm_box box = LM_EMPTY_BOX;
    float size = 0;
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        for (uint32_t v = 0; v < mesh->surfaces[s].num_vertices; v++)
            lmi_box_add(&box, lmi_vec3_at(mesh->surfaces[s].positions, v));
    for (int axis = 0; axis < 3; axis++)
        size = fmaxf(size, lmi_box_side(&box, axis));
    return (double)size;
}

/* ---- All ------------------------------------------------------------------------------------- */

bool lmi_im_make_skeleton(importing *im, const lm_im_scene *scene, const lm_mesh *mesh,
                          lm_im_baked_from *from) {
    const lm_im_gltf *gltf = scene->gltf;
    bool skinned = mesh->num_frames > 1;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        skinned = skinned || is_skinned(&scene->parts[i]);
    if (!skinned)
        return true;
    lm_im_rig *rig = lmi_arena_zeros(&im->scratch, 1, sizeof *rig);
    lm_skeleton *made = lmi_arena_zeros(im->arena, 1, sizeof *made);
    lm_joint *joints = lmi_arena_zeros(im->arena, LM_MAX_SKELETON_JOINTS, sizeof *joints);
    lm_skeleton_surface *surfaces =
        lmi_arena_zeros(im->arena, mesh->num_surfaces, sizeof *surfaces);
    if (!rig || !made || !joints || !surfaces)
        return false;
    *rig = (lm_im_rig){.im = im,
                       .scene = scene,
                       .mesh = mesh,
                       .from = from,
                       .made = made,
                       .joints = joints,
                       .size = size_of(mesh)};
    rig->bone_of = lmi_arena_alloc(&im->scratch, gltf->num_nodes, sizeof *rig->bone_of);
    const bool *marks = find_carriers(rig) ? mark_nodes(rig) : NULL;
    if (!rig->bone_of || !marks)
        return false;
    memset(rig->bone_of, 0xFF, gltf->num_nodes * sizeof *rig->bone_of);
    if (!list_bones(rig, marks) || !bind_bones(rig))
        return !lmi_arena_failed(im->arena);
    made->joints = joints;
    made->num_surfaces = mesh->num_surfaces;
    made->surfaces = surfaces;
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        if (!make_surface(rig, s, &surfaces[s]))
            return false;
    if (!make_poses(rig) || !list_tags(rig, marks) || !measure(rig))
        return false;
    im->import->skeleton = made;
    return true;
}
