/* The skeleton of a composition: those of its parts, each below the tag that holds the part. A part
 * without a skeleton is rigid, and follows that tag. */
#include "compose/composing.h"
#include "core/names.h"
#include "math/vectors.h"
#include "sample/smooth.h"
#include "skeleton/evaluate.h"

#include <math.h>

#define ROUNDED 1e-3 /* of an axis, which files round */
#define NO_JOINT LM_SKELETON_NO_PARENT

/* What a joint is: one of a part's skeleton, or a tag of its model. */
typedef struct joined {
    uint32_t part, index;
    bool is_tag;
    uint32_t follows; /* a tag's joint in the skeleton of the part */
} joined;

typedef struct joining {
    lm_composing *c;
    const lm_scene *scene; /* NULL: the mesh is one part, and its tags stay tags */
    uint32_t num_parts, num_frames;
    const lm_pose *poses;           /* [num_frames * num_parts] */
    const lm_transform *transforms; /* [num_frames * num_parts]; NULL: none */
    const lm_skeleton *const *skeletons;
    lm_skeleton *made;
    lm_joint *joints;  /* [LM_MAX_SKELETON_JOINTS] */
    joined *from;      /* the same */
    uint32_t *holders; /* [num_parts] the joint above; NO_JOINT: none */
    uint32_t *firsts;  /* [num_parts] the first joint of the skeleton, or the holder */
    float *scales;     /* [num_parts] */
    lm_transform *tag; /* scratch of its poses, for the longest skeleton */
    lm_names names;
    bool full;
} joining;

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Finds the scale of a part. Returns false if it changes, or if the axes are not perpendicular:
 * joints have no scale. */
static bool find_scale(joining *j, uint32_t part) {
    const float all = j->c->options->scale;
    double scale = 1;
    for (uint32_t f = 0; j->transforms && f < j->num_frames; f++) {
        const lm_transform *t = &j->transforms[(size_t)f * j->num_parts + part];
        scale = f == 0 ? lmi_wide_length(lmi_wide_of(t->axis[0])) : scale;
        if (!(scale > 0) || !(lmi_transform_volume(t) > 0))
            return false;
        for (int i = 0; i < 3; i++)
            for (int k = i; k < 3; k++) {
                const double dot = lmi_wide_dot(lmi_wide_of(t->axis[i]), lmi_wide_of(t->axis[k]));
                if (!(fabs(dot / (scale * scale) - (i == k)) < 2 * ROUNDED))
                    return false;
            }
    }
    j->scales[part] = (float)scale * (all > 0 ? all : 1);
    return true;
}

/* Returns whether a part can follow its tag as a whole: nothing but the tag moves it. */
static bool is_rigid(const joining *j, uint32_t part) {
    const lm_model *model = j->scene ? j->scene->parts[part].model : NULL;
    bool rigid = model != NULL;
    for (uint32_t i = 0; rigid && model->num_frames > 1 && i < model->num_surfaces; i++)
        rigid = lmi_surface_is_static(model, i, &j->c->heap);
    return rigid;
}

/* Returns false for parts that do not move at all, too. */
static bool can_join(joining *j) {
    bool moves = j->num_frames > 1;
    for (uint32_t p = 0; p < j->num_parts; p++) {
        moves = moves || j->skeletons[p];
        if ((!j->skeletons[p] && !is_rigid(j, p)) || !find_scale(j, p))
            return false;
    }
    return moves;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* Adds a joint. Returns its index. */
static uint32_t add(joining *j, joined from, uint32_t parent, lm_vec3 position, bool translates) {
    const uint32_t index = j->made->num_joints;
    if (index == LM_MAX_SKELETON_JOINTS) {
        j->full = true;
        return 0;
    }
    j->from[index] = from;
    j->joints[index] = (lm_joint){
        .parent = parent, .position = position, .translates = translates, .mirror = index};
    return j->made->num_joints++;
}

/* Returns the pose of a joint in a frame. `placed`: the joints of the part's skeleton, for tags;
 * `own`: their poses, for other joints. */
static lm_joint_pose pose_of(const joining *j, const joined *from, uint32_t frame,
                             const lm_placed *placed, const lm_joint_pose *own) {
    const lm_pose *pose = &j->poses[(size_t)frame * j->num_parts + from->part];
    const float scale = j->scales[from->part];
    lm_joint_pose out;
    if (from->is_tag) {
        lm_transform tag;
        lm_sample_tag(j->scene->parts[from->part].model, from->index, pose, &tag);
        lm_placed at = lmi_place_tag(&tag);
        if (j->skeletons[from->part])
            at = lmi_placed_relative(&placed[from->follows], &at);
        out.translation = lmi_placed_split(&at, NULL, out.rotation);
    } else {
        out = own[from->index];
    }
    const lm_vec3 t = out.translation;
    out.translation = (lm_vec3){t.x * scale, t.y * scale, t.z * scale};
    return out;
}

static lm_vec3 sum(lm_vec3 a, lm_vec3 b, float scale) {
    return (lm_vec3){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static lm_vec3 place_of(const joining *j, uint32_t joint) {
    return joint == NO_JOINT ? (lm_vec3){0, 0, 0} : j->joints[joint].position;
}

/* Returns the joint of a tag; NO_JOINT: it is none. */
static uint32_t find_tag(const joining *j, uint32_t part, uint32_t tag) {
    uint32_t i = 0;
    while (i < j->made->num_joints &&
           !(j->from[i].is_tag && j->from[i].part == part && j->from[i].index == tag))
        i++;
    return i < j->made->num_joints ? i : NO_JOINT;
}

/* Returns whether a tag holds a part. */
static bool holds(const joining *j, uint32_t part, uint32_t tag) {
    for (uint32_t p = part + 1; p < j->num_parts; p++) {
        const lm_scene_part *other = &j->scene->parts[p];
        if (other->tag && other->parent == part &&
            lm_model_find_tag(j->scene->parts[part].model, other->tag) == tag)
            return true;
    }
    return false;
}

static uint32_t find_holder(const joining *j, uint32_t part) {
    const uint32_t up = j->scene ? lmi_scene_parent(j->scene, part) : LM_NO_PART;
    if (up == LM_NO_PART)
        return j->made->num_joints > 0 ? 0 : NO_JOINT;
    const char *tag = j->scene->parts[part].tag;
    return tag ? find_tag(j, up, lm_model_find_tag(j->scene->parts[up].model, tag))
               : j->holders[up];
}

/* Adds the tags of a part. Of several with one name, the mesh has the first. */
static void add_tags(joining *j, uint32_t part) {
    const lm_model *model = j->scene->parts[part].model;
    const lm_skeleton *s = j->skeletons[part];
    for (uint32_t tag = 0; tag < model->num_tags; tag++) {
        lm_name *name = lmi_names_put(&j->names, model->tags[tag].name);
        if (!name || (name->number > 0 && !holds(j, part, tag)))
            continue;
        joined from = {.part = part, .index = tag, .is_tag = true};
        lm_placed placed[LM_MAX_SKELETON_JOINTS];
        if (s) {
            lmi_sample_tag_poses(s, model, tag, j->tag);
            from.follows = lmi_joint_of_tag(s, tag, j->tag);
            lmi_place_joints(s, &j->poses[part], placed);
        }
        const uint32_t parent = j->firsts[part] + (s ? from.follows : 0);
        const lm_joint_pose first = pose_of(j, &from, 0, placed, NULL);
        const uint32_t made =
            add(j, from, parent, sum(place_of(j, parent), first.translation, 1), true);
        j->joints[made].name = lmi_names_unique_copy(&j->names, model->tags[tag].name);
    }
}

/* Adds the joints of a part, and its tags. */
static void add_part(joining *j, uint32_t part) {
    const lm_skeleton *s = j->skeletons[part];
    const uint32_t holder = find_holder(j, part), first = j->made->num_joints;
    j->holders[part] = holder;
    j->firsts[part] = s ? first : holder;
    for (uint32_t k = 0; s && k < s->num_joints; k++) {
        const lm_joint *own = &s->joints[k];
        const lm_vec3 at = sum(place_of(j, holder), own->position, j->scales[part]);
        add(j, (joined){.part = part, .index = k}, k == 0 ? holder : first + own->parent, at,
            k == 0 || own->translates);
    }
    if (j->scene)
        add_tags(j, part);
}

/* Names the joints of skeletons. Tags keep their names. */
static void name_joints(joining *j) {
    for (uint32_t i = 0; i < j->made->num_joints; i++) {
        const joined *from = &j->from[i];
        const lm_skeleton *s = from->part != NO_JOINT ? j->skeletons[from->part] : NULL;
        if (!from->is_tag)
            j->joints[i].name =
                lmi_names_unique_copy(&j->names, s ? s->joints[from->index].name : "root");
    }
}

/* Lists the joints, below a root that stands still if there would be several roots. Returns false
 * if there are too many. */
static bool list_joints(joining *j) {
    uint32_t roots = 1;
    for (uint32_t p = 1; p < j->num_parts; p++) {
        uint32_t up = p;
        while (up > 0 && up != LM_NO_PART && !j->scene->parts[up].tag)
            up = lmi_scene_parent(j->scene, up);
        roots += up == 0 || up == LM_NO_PART;
    }
    if (roots > 1 || !j->skeletons[0])
        add(j, (joined){.part = NO_JOINT}, NO_JOINT, (lm_vec3){0, 0, 0}, false);
    for (uint32_t p = 0; p < j->num_parts; p++)
        add_part(j, p);
    name_joints(j);
    for (uint32_t i = 1; i < j->made->num_joints; i++)
        j->made->num_translating += j->joints[i].translates;
    return !j->full;
}

static void pose_frame(const joining *j, uint32_t frame, lm_joint_pose *out) {
    lm_placed placed[LM_MAX_SKELETON_JOINTS];
    lm_joint_pose own[LM_MAX_SKELETON_JOINTS];
    const uint32_t count = j->made->num_joints;
    uint32_t part = NO_JOINT; /* of both */
    for (uint32_t i = 0; i < count; i++) {
        const joined *from = &j->from[i];
        if (from->part == NO_JOINT) {
            out[i] = (lm_joint_pose){{0, 0, 0, 1}, {0, 0, 0}};
            continue;
        }
        const lm_skeleton *s = j->skeletons[from->part];
        const lm_pose *pose = &j->poses[(size_t)frame * j->num_parts + from->part];
        if (from->part != part && s) {
            lmi_joints_between(s, pose, own);
            lmi_place_joints(s, pose, placed);
        }
        part = from->part;
        out[i] = pose_of(j, from, frame, placed, own);
        float dot = 0;
        for (int k = 0; k < 4 && frame > 0; k++)
            dot += out[i].rotation[k] * (out + i - count)->rotation[k];
        for (int k = 0; k < 4 && dot < 0; k++) /* the nearer sign */
            out[i].rotation[k] = -out[i].rotation[k];
    }
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Copies the rest pose of a surface from its skeleton, or from its only pose. `file`: the vertices
 * of the skeleton; NULL: those of the mesh. */
static void fill_surface(const joining *j, lm_surface_source from, const uint32_t *file,
                         lm_skeleton_surface *out) {
    const lm_skeleton *s = j->skeletons[from.part];
    const lm_skeleton_surface *own = s ? &s->surfaces[from.surface] : NULL;
    lm_vec3 *positions = (lm_vec3 *)out->positions, *normals = (lm_vec3 *)out->normals;
    lm_influence *influences = (lm_influence *)out->influences;
    const uint32_t first = j->firsts[from.part];
    const lm_vec3 base = place_of(j, j->holders[from.part]);
    if (!s) {
        const lm_sample_target target = {.positions = &positions->x, .normals = &normals->x};
        lm_sample(j->scene->parts[from.part].model, from.surface, &j->poses[from.part], 1, &target);
    }
    for (uint32_t v = 0; v < out->num_vertices; v++) {
        const uint32_t at = file ? file[v] : v;
        positions[v] = sum(base, own ? own->positions[at] : positions[v], j->scales[from.part]);
        if (normals && own)
            normals[v] = own->normals[at];
        if (!own)
            influences[v] = (lm_influence){{(uint16_t)first}, {1}};
        for (uint32_t k = 0; own && k <= s->more_influences; k++) {
            lm_influence *to = &influences[(size_t)k * out->num_vertices + v];
            *to = own->influences[(size_t)k * own->num_vertices + at];
            for (int i = 0; i < LM_SKELETON_WEIGHTS; i++)
                to->joints[i] = (uint16_t)(to->weights[i] > 0 ? to->joints[i] + first : 0);
        }
    }
}

static bool fill_surfaces(joining *j, uint32_t count) {
    lm_arena *arena = &j->c->arena;
    lm_skeleton_surface *out = lmi_arena_zeros(arena, count, sizeof *out);
    for (uint32_t p = 0; p < j->num_parts; p++)
        if (j->skeletons[p] && j->skeletons[p]->more_influences > j->made->more_influences)
            j->made->more_influences = j->skeletons[p]->more_influences;
    for (uint32_t i = 0; out && i < count; i++) {
        const lm_surface_source from = j->scene ? j->c->made.sources[i] : (lm_surface_source){0, i};
        const lm_skeleton *s = j->skeletons[from.part];
        const lm_surface *drawn =
            j->scene ? &j->scene->parts[from.part].model->surfaces[from.surface] : NULL;
        if (!drawn && !s) /* never: a mesh alone has a skeleton */
            return false;
        const uint32_t vertices = drawn ? drawn->num_vertices : s->surfaces[i].num_vertices;
        out[i].num_vertices = vertices;
        out[i].positions = lmi_arena_alloc(arena, vertices, sizeof(lm_vec3));
        out[i].normals = s && !s->surfaces[from.surface].normals
                             ? NULL
                             : lmi_arena_alloc(arena, vertices, sizeof(lm_vec3));
        out[i].influences = lmi_arena_zeros(
            arena, (j->made->more_influences + (uint64_t)1) * vertices, sizeof(lm_influence));
        if (lmi_arena_failed(arena))
            return false;
        fill_surface(j, from, drawn ? drawn->file_vertices : NULL, &out[i]);
    }
    j->made->num_surfaces = count;
    j->made->surfaces = out;
    return out != NULL;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool prepare(joining *j) {
    lm_arena *arena = &j->c->arena;
    uint32_t most = 0;
    for (uint32_t p = 0; p < j->num_parts; p++)
        if (j->skeletons[p] && j->skeletons[p]->num_frames > most)
            most = j->skeletons[p]->num_frames;
    j->names.arena = arena;
    j->made = lmi_arena_zeros(arena, 1, sizeof *j->made);
    j->joints = lmi_arena_zeros(arena, LM_MAX_SKELETON_JOINTS, sizeof *j->joints);
    j->from = lmi_arena_zeros(arena, LM_MAX_SKELETON_JOINTS, sizeof *j->from);
    j->holders = lmi_arena_zeros(arena, j->num_parts, sizeof *j->holders);
    j->firsts = lmi_arena_zeros(arena, j->num_parts, sizeof *j->firsts);
    j->scales = lmi_arena_zeros(arena, j->num_parts, sizeof *j->scales);
    j->tag = lmi_arena_alloc(arena, most, sizeof *j->tag);
    return !lmi_arena_failed(arena);
}

bool lmi_composing_join(lm_composing *c, const lm_scene *scene, uint32_t num_frames,
                        const lm_pose *poses, const lm_transform *transforms,
                        uint32_t num_surfaces) {
    joining j = {.c = c,
                 .scene = scene,
                 .num_parts = scene ? scene->num_parts : 1,
                 .num_frames = num_frames,
                 .poses = poses,
                 .transforms = transforms,
                 .skeletons = c->options->skeletons};
    if (!lmi_composing_is_skinned(c) || (!scene && !j.skeletons[0]))
        return true;
    const float scale = c->options->scale;
    const bool copied = scene || (scale > 0 && scale != 1);
    bool same = !copied && num_frames == j.skeletons[0]->num_frames;
    for (uint32_t f = 0; same && f < num_frames; f++)
        same = poses[f].frame_a == f && poses[f].frame_b == f;
    if (same) {
        c->made.skeleton = j.skeletons[0];
        return true;
    }
    if (!prepare(&j))
        return false;
    if (!can_join(&j) || !list_joints(&j))
        return !lmi_arena_failed(&c->arena);
    const uint32_t count = j.made->num_joints;
    lm_joint_pose *out = lmi_arena_alloc(&c->arena, (uint64_t)num_frames * count, sizeof *out);
    if (!out || !fill_surfaces(&j, num_surfaces))
        return false;
    for (uint32_t f = 0; f < num_frames; f++)
        pose_frame(&j, f, out + (size_t)f * count);
    j.made->joints = j.joints;
    if (!scene) {
        j.made->num_tags = j.skeletons[0]->num_tags;
        j.made->tag_joints = j.skeletons[0]->tag_joints;
    }
    j.made->num_frames = num_frames;
    j.made->poses = out;
    j.made->reason = "";
    c->made.skeleton = j.made;
    return true;
}
