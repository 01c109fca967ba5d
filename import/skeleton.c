/* The skeleton of an import: its joints in the poses of the mesh's frames. */
#include "bake.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A joint, and how it moves vertices in the rest pose: world * inverse * rest position. */
typedef struct lm_im_bone {
    uint32_t node; /* IM_NONE: the root of several roots, which does not move */
    bool bound;
    lm_im_matrix inverse;
} lm_im_bone;

typedef struct lm_im_rig {
    importing *im;
    const lm_im_scene *scene;
    const lm_mesh *mesh;
    lm_im_baked_from *from;
    lm_skeleton *made;
    lm_joint *joints;
    lm_im_bone bones[LM_MAX_SKELETON_BONES];
    uint32_t *bone_of;      /* [num_nodes], or IM_NONE */
    lm_im_matrix *of_nodes; /* [num_nodes] from the vertices of a node to the rest pose */
    lm_im_matrix *of_skins; /* [num_skins] the same of a skin */
    double size;            /* of the mesh */
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

/* Marks the nodes that become joints: those of skins, and those that vertices follow themselves.
 * Tags that nothing follows stay tags. */
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
                used[part->node] = true;
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

static void add_bone(lm_im_rig *rig, uint32_t node) {
    const lm_im_gltf *gltf = rig->scene->gltf;
    const uint32_t index = rig->made->num_joints++;
    uint32_t up = node == IM_NONE ? IM_NONE : gltf->nodes[node].parent;
    while (up != IM_NONE && rig->bone_of[up] == IM_NONE)
        up = gltf->nodes[up].parent;
    rig->bones[index].node = node;
    rig->joints[index] = (lm_joint){
        .name = node != IM_NONE && *gltf->nodes[node].name ? gltf->nodes[node].name : "root",
        .parent = up != IM_NONE ? rig->bone_of[up]
                  : index > 0   ? 0
                                : LM_SKELETON_NO_PARENT,
        .mirror = index};
    if (node != IM_NONE)
        rig->bone_of[node] = index;
}

/* Lists the joints, parents first. Returns false if there are none or too many. */
static bool list_bones(lm_im_rig *rig, const bool *marks) {
    const lm_im_gltf *gltf = rig->scene->gltf;
    uint32_t count = 0, roots = 0;
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        count += marks[i];
    for (uint32_t i = 0; i < gltf->num_nodes && count <= LM_MAX_SKELETON_BONES; i++) {
        uint32_t up = gltf->nodes[i].parent;
        while (marks[i] && up != IM_NONE && !marks[up])
            up = gltf->nodes[up].parent;
        roots += marks[i] && up == IM_NONE;
    }
    if (count + (roots > 1) > LM_MAX_SKELETON_BONES)
        lmi_im_note(rig->im, IM_SKELETON, "it has more than 128 joints: its skeleton is not kept");
    if (count == 0 || count + (roots > 1) > LM_MAX_SKELETON_BONES)
        return false;
    if (roots > 1)
        add_bone(rig, IM_NONE);
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        if (marks[gltf->order[i]])
            add_bone(rig, gltf->order[i]);
    return true;
}

/* ---- The rest pose --------------------------------------------------------------------------- */

static const lm_im_matrix still = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void inverse_of(const lm_im_skin *skin, uint32_t joint, lm_im_matrix *out) {
    for (size_t k = 0; k < 16; k++)
        out->m[k] = (double)skin->inverse[16 * (size_t)joint + k];
}

/* Binds the joints of a skin. Skins that share joints may differ in where their vertices are: then
 * those of the later one move. Returns false if a matrix has no inverse. */
static bool bind_skin(lm_im_rig *rig, uint32_t index) {
    const lm_im_skin *skin = &rig->scene->gltf->skins[index];
    lm_im_matrix *to = &rig->of_skins[index], own, back = still;
    if (to->m[15] > 0)
        return true;
    *to = still;
    for (uint32_t j = 0; j < skin->num_joints; j++) {
        const uint32_t b = rig->bone_of[skin->joints[j]];
        if (b == IM_NONE || !rig->bones[b].bound)
            continue;
        inverse_of(skin, j, &own);
        if (!lmi_im_invert(&rig->bones[b].inverse, &back))
            return false;
        lmi_im_multiply(&back, &own, to);
        if (!lmi_im_invert(to, &back))
            return false;
        break;
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

/* Binds a node that vertices follow: in the rest pose, they are where it is at rest. */
static bool bind_node(lm_im_rig *rig, uint32_t node) {
    lm_im_bone *bone = &rig->bones[rig->bone_of[node]];
    const bool bound = bone->bound;
    bone->bound = true;
    return (bound || lmi_im_invert(&rig->from->pose.world[node], &bone->inverse)) &&
           lmi_im_invert(&bone->inverse, &rig->of_nodes[node]);
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

/* Binds all joints, and turns the rest pose as the file shows it. Returns false if that is not
 * possible. */
static bool bind_bones(lm_im_rig *rig) {
    lm_im_pose *pose = &rig->from->pose;
    lm_im_matrix root, turn, back, old;
    lmi_im_pose_at(pose, NULL, 0);
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++) {
        const uint32_t part = rig->from->parts[s];
        if (part != IM_NONE && is_skinned(&rig->scene->parts[part]) &&
            !bind_skin(rig, rig->scene->parts[part].skin))
            return false;
    }
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++) {
        const uint32_t part = rig->from->parts[s];
        const uint32_t node = part != IM_NONE ? rig->scene->parts[part].node : IM_NONE;
        if (node != IM_NONE && rig->bone_of[node] != IM_NONE && !bind_node(rig, node))
            return false;
    }
    const lm_im_bone *first = &rig->bones[rig->bones[0].node == IM_NONE];
    lmi_im_multiply(&pose->world[first->node], &first->inverse, &root);
    find_turn(&root, &turn);
    if (!lmi_im_invert(&turn, &back))
        return false;
    for (uint32_t b = 0; b < rig->made->num_joints; b++) {
        old = rig->bones[b].inverse;
        lmi_im_multiply(&old, &back, &rig->bones[b].inverse);
    }
    for (uint32_t i = 0; i < rig->scene->gltf->num_skins; i++) {
        old = rig->of_skins[i];
        lmi_im_multiply(&turn, &old, &rig->of_skins[i]);
    }
    for (uint32_t i = 0; i < rig->scene->gltf->num_nodes; i++) {
        old = rig->of_nodes[i];
        lmi_im_multiply(&turn, &old, &rig->of_nodes[i]);
    }
    return true;
}

/* Converts a vector to the mesh's axes. */
static lm_vec3 to_mesh(const lm_im_rig *rig, const double v[3], double scale) {
    const lm_vec3 turned = lmi_im_rotate(v, scale);
    return rig->scene->extras->model_axes ? (lm_vec3){turned.y, turned.z, turned.x} : turned;
}

static bool place_joints(lm_im_rig *rig) {
    for (uint32_t b = 0; b < rig->made->num_joints; b++) {
        lm_im_matrix at;
        if (rig->bones[b].node == IM_NONE)
            continue;
        if (!lmi_im_invert(&rig->bones[b].inverse, &at))
            return false;
        rig->joints[b].position = to_mesh(rig, at.m + 12, (double)rig->scene->scale);
    }
    return true;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Keeps the joints with the largest weights of a vertex, the largest first. */
static void keep_largest(const lm_im_rig *rig, const lm_im_part *part, uint32_t vertex,
                         lm_influence *out) {
    const size_t row = (size_t)vertex * part->num_joints;
    double sum = 0;
    *out = (lm_influence){{0}, {0}};
    for (uint32_t k = 0; k < part->num_joints; k++) {
        float weight = part->weights[row + k];
        uint16_t bone =
            (uint16_t)
                rig->bone_of[rig->scene->gltf->skins[part->skin].joints[part->joints[row + k]]];
        for (uint32_t other = 0; other < k; other++)
            if (part->joints[row + other] == part->joints[row + k])
                weight = 0; /* counted by the first */
        for (uint32_t other = k + 1; other < part->num_joints && weight > 0; other++)
            if (part->joints[row + other] == part->joints[row + k])
                weight += part->weights[row + other];
        for (int i = 0; i < LM_SKELETON_WEIGHTS && weight > 0; i++)
            if (weight > out->weights[i]) {
                const float less = out->weights[i];
                const uint16_t next = out->joints[i];
                out->weights[i] = weight;
                out->joints[i] = bone;
                weight = less;
                bone = next;
            }
    }
    for (int i = 0; i < LM_SKELETON_WEIGHTS; i++)
        sum += (double)out->weights[i];
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
    for (uint32_t v = 0; part && v < s->num_vertices; v++) {
        const bool skinned = follows(part, v);
        const lm_im_matrix *to = skinned ? &rig->of_skins[part->skin] : &rig->of_nodes[part->node];
        double p[3], n[3] = {0, 0, 1};
        for (size_t i = 0; i < 3; i++) {
            p[i] = (double)part->positions[3 * (size_t)v + i];
            n[i] = normals && part->normals ? (double)part->normals[3 * (size_t)v + i] : n[i];
        }
        lmi_im_place(to, (double)rig->scene->scale, p, n, &positions[v],
                     normals ? &normals[v] : NULL);
        if (rig->scene->extras->model_axes) {
            positions[v] = (lm_vec3){positions[v].y, positions[v].z, positions[v].x};
            if (normals)
                normals[v] = (lm_vec3){normals[v].y, normals[v].z, normals[v].x};
        }
        if (skinned)
            keep_largest(rig, part, v, &influences[v]);
        else
            influences[v] = (lm_influence){{(uint16_t)rig->bone_of[part->node]}, {1}};
    }
    return true;
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* A rotation by columns, and a place, in the mesh's axes. */
typedef struct lm_im_placed {
    double axes[3][3], at[3];
} lm_im_placed;

/* Finds the rotation of a matrix, without its scale and shear. */
static void find_rotation(const lm_im_rig *rig, const lm_im_matrix *m, double axes[3][3]) {
    static const int from[3] = {2, 0, 1}; /* the models' axes among glTF's: lmi_im_rotate */
    const bool turned = !rig->scene->extras->model_axes;
    for (int c = 0; c < 3; c++) {
        double square = 0;
        for (int r = 0; r < 3; r++)
            axes[c][r] = m->m[4 * (turned ? from[c] : c) + (turned ? from[r] : r)];
        for (int before = 0; before < c; before++) {
            const double *b = axes[before];
            const double dot = axes[c][0] * b[0] + axes[c][1] * b[1] + axes[c][2] * b[2];
            for (int r = 0; r < 3; r++)
                axes[c][r] -= dot * b[r];
        }
        for (int r = 0; r < 3; r++)
            square += axes[c][r] * axes[c][r];
        for (int r = 0; r < 3; r++)
            axes[c][r] = square > 0 ? axes[c][r] / sqrt(square) : r == c;
    }
}

/* Converts a rotation by columns to a quaternion. The largest component is computed first. */
static void to_quaternion(double axes[3][3], float out[4]) {
    const double trace = axes[0][0] + axes[1][1] + axes[2][2];
    double q[4], length = 0;
    int i = axes[1][1] > axes[0][0] ? 1 : 0;
    i = axes[2][2] > axes[i][i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > axes[i][i]) {
        q[3] = 1 + trace;
        q[0] = axes[1][2] - axes[2][1];
        q[1] = axes[2][0] - axes[0][2];
        q[2] = axes[0][1] - axes[1][0];
    } else {
        q[i] = 1 + axes[i][i] - axes[j][j] - axes[k][k];
        q[j] = axes[i][j] + axes[j][i];
        q[k] = axes[i][k] + axes[k][i];
        q[3] = axes[j][k] - axes[k][j];
    }
    for (int n = 0; n < 4; n++)
        length += q[n] * q[n];
    for (int n = 0; n < 4; n++)
        out[n] = (float)(length > 0 ? q[n] / sqrt(length) : n == 3);
}

/* Poses all joints in a frame, relative to their parents. `all`: [num_joints] scratch. */
static void pose_joints(lm_im_rig *rig, uint32_t frame, lm_im_placed *all, lm_joint_pose *out) {
    const lm_im_moment *moment = &rig->from->moments[frame];
    const uint32_t count = rig->made->num_joints;
    lmi_im_pose_at(&rig->from->pose, moment->animation, moment->time);
    for (uint32_t b = 0; b < count; b++) {
        const lm_im_bone *bone = &rig->bones[b];
        const lm_vec3 rest = rig->joints[b].position;
        lm_im_placed *own = &all[b];
        lm_im_matrix moves = still;
        if (bone->node != IM_NONE)
            lmi_im_multiply(&rig->from->pose.world[bone->node], &bone->inverse, &moves);
        find_rotation(rig, &moves, own->axes);
        lm_vec3 at = rest;
        if (bone->node != IM_NONE)
            at = to_mesh(rig, rig->from->pose.world[bone->node].m + 12, (double)rig->scene->scale);
        own->at[0] = (double)at.x, own->at[1] = (double)at.y, own->at[2] = (double)at.z;
        double local[3][3], away[3];
        memcpy(local, own->axes, sizeof local);
        memcpy(away, own->at, sizeof away);
        if (b > 0) {
            const lm_im_placed *up = &all[rig->joints[b].parent];
            for (int r = 0; r < 3; r++) {
                away[r] = 0;
                for (int i = 0; i < 3; i++)
                    away[r] += up->axes[r][i] * (own->at[i] - up->at[i]);
                for (int c = 0; c < 3; c++)
                    local[c][r] = up->axes[r][0] * own->axes[c][0] +
                                  up->axes[r][1] * own->axes[c][1] +
                                  up->axes[r][2] * own->axes[c][2];
            }
        }
        out[b].translation = (lm_vec3){(float)away[0], (float)away[1], (float)away[2]};
        to_quaternion(local, out[b].rotation);
        float dot = 0;
        for (int i = 0; i < 4 && frame > 0; i++)
            dot += out[b].rotation[i] * (out + b - count)->rotation[i];
        for (int i = 0; i < 4 && dot < 0; i++)
            out[b].rotation[i] = -out[b].rotation[i];
    }
}

static double distance(lm_vec3 a, lm_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y,
                 z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Joints that keep their distance but for rounding do not translate. */
#define SAME 1e-5 /* of the mesh's size */

static bool make_poses(lm_im_rig *rig) {
    const uint32_t count = rig->made->num_joints, frames = rig->mesh->num_frames;
    lm_joint_pose *poses = lmi_arena_alloc(rig->im->arena, (uint64_t)count * frames, sizeof *poses);
    lm_im_placed *all = lmi_arena_alloc(&rig->im->scratch, count, sizeof *all);
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
                distance(poses[(size_t)f * count + b].translation, away) > SAME * rig->size;
        for (uint32_t f = 0; f < frames && !rig->joints[b].translates; f++)
            poses[(size_t)f * count + b].translation = away;
        rig->made->num_translating += rig->joints[b].translates;
    }
    rig->made->num_frames = frames;
    rig->made->poses = poses;
    return true;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void add_frame(const lm_im_rig *rig, uint32_t frame, lm_vec3 *scratch, double *square,
                      double *most, uint64_t *numbers) {
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++) {
        const uint32_t count = rig->mesh->surfaces[s].num_vertices;
        const float *at = rig->mesh->surfaces[s].positions + 3 * (size_t)frame * count;
        if (count > 0)
            lm_skeleton_sample(rig->made, s, &(lm_pose){frame, frame, 0, false}, scratch, NULL);
        for (uint32_t v = 0; v < count; v++, at += 3) {
            const double away = distance(scratch[v], (lm_vec3){at[0], at[1], at[2]});
            *square += away * away;
            *most = fmax(*most, away);
        }
        *numbers += 3 * (uint64_t)count;
    }
}

/* Measures the distance between the skeleton and the mesh. */
static bool measure(lm_im_rig *rig) {
    lm_skeleton *made = rig->made;
    uint32_t largest = 0;
    for (uint32_t s = 0; s < rig->mesh->num_surfaces; s++)
        largest = rig->mesh->surfaces[s].num_vertices > largest
                      ? rig->mesh->surfaces[s].num_vertices
                      : largest;
    lm_skeleton_error *frames = lmi_arena_zeros(rig->im->arena, made->num_frames, sizeof *frames);
    lm_skeleton_error *clips = lmi_arena_zeros(rig->im->arena, rig->mesh->num_clips, sizeof *clips);
    lm_vec3 *scratch = lmi_arena_alloc(&rig->im->scratch, largest, sizeof *scratch);
    double all = 0;
    uint64_t each = 0;
    if (!frames || !clips || !scratch)
        return false;
    for (uint32_t f = 0; f < made->num_frames; f++) {
        double square = 0;
        each = 0;
        add_frame(rig, f, scratch, &square, &frames[f].max_error, &each);
        frames[f].rms_error = each > 0 ? sqrt(square / (double)each) : 0;
        made->all.max_error = fmax(made->all.max_error, frames[f].max_error);
        all += square;
    }
    made->all.rms_error = each > 0 ? sqrt(all / (double)each / made->num_frames) : 0;
    for (uint32_t i = 0; i < rig->mesh->num_clips; i++) {
        const lm_clip *clip = &rig->mesh->clips[i];
        double square = 0;
        for (uint32_t f = clip->first; f < clip->first + clip->count; f++) {
            square += frames[f].rms_error * frames[f].rms_error;
            clips[i].max_error = fmax(clips[i].max_error, frames[f].max_error);
        }
        clips[i].rms_error = sqrt(square / clip->count);
    }
    made->uncorrected = made->all;
    made->frames = frames;
    made->clips = clips;
    made->num_clips = rig->mesh->num_clips;
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
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        double least = INFINITY, most = -INFINITY;
        for (uint32_t s = 0; s < mesh->num_surfaces; s++)
            for (size_t v = 0; v < mesh->surfaces[s].num_vertices; v++) {
                const double x = (double)mesh->surfaces[s].positions[3 * v + (size_t)axis];
                least = fmin(least, x);
                most = fmax(most, x);
            }
        size = fmax(size, most - least);
    }
    return size;
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
    lm_joint *joints = lmi_arena_zeros(im->arena, LM_MAX_SKELETON_BONES, sizeof *joints);
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
    rig->of_nodes = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *rig->of_nodes);
    rig->of_skins = lmi_arena_zeros(&im->scratch, gltf->num_skins, sizeof *rig->of_skins);
    const bool *marks = mark_nodes(rig);
    if (!rig->bone_of || !rig->of_nodes || !rig->of_skins || !marks)
        return false;
    memset(rig->bone_of, 0xFF, gltf->num_nodes * sizeof *rig->bone_of);
    if (!list_bones(rig, marks) || !bind_bones(rig) || !place_joints(rig))
        return true;
    made->joints = joints;
    made->num_surfaces = mesh->num_surfaces;
    made->surfaces = surfaces;
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        if (!make_surface(rig, s, &surfaces[s]))
            return false;
    if (!make_poses(rig) || !measure(rig))
        return false;
    im->import->skeleton = made;
    return true;
}
