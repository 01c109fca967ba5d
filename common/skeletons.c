#include "skeletons.h"

#include "internals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Finding ------------------------------------------------------------------------------- */

/* The progress of all parts: each counts by its positions. */
typedef struct progress_sum {
    const lm_skeleton_options *options;
    double done, part, all;
} progress_sum;

static bool report(void *user, double share) {
    const progress_sum *sum = user;
    const lm_skeleton_options *options = sum->options;
    return !options->progress ||
           options->progress(options->user, (sum->done + share * sum->part) / sum->all);
}

static double count_positions(const lm_model *model) {
    double vertices = 1;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        vertices += model->surfaces[i].num_file_vertices;
    return vertices * model->num_frames;
}

static lm_skeleton *find(const lm_model *model, progress_sum *sum, lm_error *error) {
    lm_skeleton_options options = *sum->options;
    options.progress = report;
    options.user = sum;
    return lm_skeleton_of_model(model, &options, error);
}

bool skeletons_find(const lm_scene *scene, const lm_skeleton_options *options, lm_skeleton **found,
                    lm_error *error) {
    progress_sum sum = {.options = options};
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        sum.all += count_positions(scene->parts[i].model);
        found[i] = NULL;
    }
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        sum.part = count_positions(scene->parts[i].model);
        found[i] = find(scene->parts[i].model, &sum, error);
        if (!found[i]) {
            skeletons_free(found, scene->num_parts);
            return false;
        }
        sum.done += sum.part;
    }
    return true;
}

void skeletons_free(lm_skeleton **found, uint32_t num_parts) {
    for (uint32_t i = 0; i < num_parts; i++) {
        lm_skeleton_free(found[i]);
        found[i] = NULL;
    }
}

/* ---- Bones --------------------------------------------------------------------------------- */

/* A bone from a joint to a point: the place of `child`, or `tip` in the joint's space. */
typedef struct bone {
    uint32_t joint, child; /* LM_SKELETON_NO_PARENT: no child */
    lm_vec3 tip;
} bone;

static lm_vec3 rotate(const float q[4], lm_vec3 v) {
    const lm_vec3 t = {2 * (q[1] * v.z - q[2] * v.y), 2 * (q[2] * v.x - q[0] * v.z),
                       2 * (q[0] * v.y - q[1] * v.x)};
    return (lm_vec3){v.x + q[3] * t.x + q[1] * t.z - q[2] * t.y,
                     v.y + q[3] * t.y + q[2] * t.x - q[0] * t.z,
                     v.z + q[3] * t.z + q[0] * t.y - q[1] * t.x};
}

static lm_vec3 point_of(const lm_joint_pose *pose, lm_vec3 p) {
    const lm_vec3 r = rotate(pose->rotation, p);
    return (lm_vec3){pose->translation.x + r.x, pose->translation.y + r.y,
                     pose->translation.z + r.z};
}

/* Composes the pose of a child with that of its parent. */
static lm_joint_pose compose(const lm_joint_pose *parent, const lm_joint_pose *child) {
    const float *a = parent->rotation, *b = child->rotation;
    return (lm_joint_pose){.rotation = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                                        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                                        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                                        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]},
                           .translation = point_of(parent, child->translation)};
}

/* Measures the vertices that mainly follow a joint, in its space. Without `along`, adds them to
 * `sum`; else returns the largest product of one with `along`. */
static double measure_limb(const lm_skeleton *s, uint32_t joint, const lm_vec3 *along,
                           lm_vec3 *sum) {
    const lm_vec3 origin = s->joints[joint].position;
    double reach = 0;
    for (uint32_t i = 0; i < s->num_surfaces; i++)
        for (uint32_t v = 0; v < s->surfaces[i].num_vertices; v++) {
            const lm_vec3 at = s->surfaces[i].positions[v];
            const lm_vec3 p = {at.x - origin.x, at.y - origin.y, at.z - origin.z};
            if (s->surfaces[i].influences[v].joints[0] != joint)
                continue;
            if (along)
                reach = fmax(reach, (double)(p.x * along->x + p.y * along->y + p.z * along->z));
            else
                *sum = (lm_vec3){sum->x + p.x, sum->y + p.y, sum->z + p.z};
        }
    return reach;
}

/* Returns the end of the limb that follows a joint: as far as its vertices, in their direction. */
static lm_vec3 tip_of(const lm_skeleton *s, uint32_t joint) {
    lm_vec3 along = {0, 0, 0};
    measure_limb(s, joint, NULL, &along);
    const double reach = measure_limb(s, joint, &along, NULL);
    const float square = along.x * along.x + along.y * along.y + along.z * along.z;
    const float share = square > 0 ? (float)reach / square : 0;
    return (lm_vec3){along.x * share, along.y * share, along.z * share};
}

/* Lists the bones. Returns their number, at most twice that of the joints. */
static uint32_t list_bones(const lm_skeleton *s, bone *bones) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const uint32_t before = count;
        for (uint32_t k = j + 1; k < s->num_joints; k++)
            if (s->joints[k].parent == j)
                bones[count++] = (bone){.joint = j, .child = k};
        if (count == before)
            bones[count++] = (bone){j, LM_SKELETON_NO_PARENT, tip_of(s, j)};
    }
    return count;
}

/* Sets the ends of all bones in a frame. `world`: memory for the joints. */
static void pose_bones(const lm_skeleton *s, uint32_t frame, const bone *bones, uint32_t num_bones,
                       lm_joint_pose *world, lm_vec3 (*ends)[2]) {
    const lm_joint_pose *poses = s->poses + (size_t)frame * s->num_joints;
    for (uint32_t j = 0; j < s->num_joints; j++)
        world[j] = j == 0 ? poses[0] : compose(&world[s->joints[j].parent], &poses[j]);
    for (uint32_t i = 0; i < num_bones; i++) {
        const lm_joint_pose *at = &world[bones[i].joint];
        ends[i][0] = at->translation;
        ends[i][1] = bones[i].child == LM_SKELETON_NO_PARENT ? point_of(at, bones[i].tip)
                                                             : world[bones[i].child].translation;
    }
}

static void color_bone(const char *name, uint8_t color[4]) {
    static const uint8_t left[4] = {90, 170, 255, 255}, right[4] = {255, 150, 70, 255},
                         middle[4] = {240, 232, 190, 255};
    const size_t length = strlen(name);
    const char *end = name + (length > 2 ? length - 2 : length);
    memcpy(color, strcmp(end, ".L") == 0 ? left : strcmp(end, ".R") == 0 ? right : middle, 4);
}

static bool fill(skeleton_bones *out, const lm_skeleton *s, bone *bones, lm_joint_pose *world) {
    if (!bones || !world)
        return false;
    out->num_bones = list_bones(s, bones);
    out->num_frames = s->num_frames;
    out->colors = malloc(out->num_bones * sizeof *out->colors);
    out->ends = calloc(s->num_frames, out->num_bones * sizeof *out->ends);
    if (!out->colors || !out->ends)
        return false;
    for (uint32_t i = 0; i < out->num_bones; i++)
        color_bone(s->joints[bones[i].joint].name, out->colors[i]);
    for (uint32_t f = 0; f < s->num_frames; f++)
        pose_bones(s, f, bones, out->num_bones, world, out->ends + (size_t)f * out->num_bones);
    return true;
}

skeleton_bones *skeleton_bones_new(const lm_skeleton *s) {
    skeleton_bones *out = calloc(1, sizeof *out);
    bone *bones = malloc(2 * (size_t)s->num_joints * sizeof *bones);
    lm_joint_pose *world = malloc(s->num_joints * sizeof *world);
    if (out && !fill(out, s, bones, world)) {
        skeleton_bones_free(out);
        out = NULL;
    }
    free(world);
    free(bones);
    return out;
}

void skeleton_bones_free(skeleton_bones *bones) {
    if (!bones)
        return;
    free(bones->colors);
    free(bones->ends);
    free(bones);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static lm_vec3 blend(lm_vec3 a, lm_vec3 b, float t) {
    return (lm_vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static void place_bones(const skeleton_bones *bones, const lm_pose *pose,
                        const lm_transform *transform, lm_gl_line *out) {
    const lm_vec3(*a)[2] =
        (const lm_vec3(*)[2])bones->ends + (size_t)pose->frame_a * bones->num_bones;
    const lm_vec3(*b)[2] =
        (const lm_vec3(*)[2])bones->ends + (size_t)pose->frame_b * bones->num_bones;
    for (uint32_t i = 0; i < bones->num_bones; i++) {
        lm_vec3 ends[2] = {blend(a[i][0], b[i][0], pose->t), blend(a[i][1], b[i][1], pose->t)};
        lm_transform_vertices(transform, ends, NULL, 2, 0);
        out[i].from = ends[0];
        out[i].to = ends[1];
        memcpy(out[i].rgba, bones->colors[i], sizeof out[i].rgba);
    }
}

bool skeletons_draw(lm_gl *gl, const lm_gl_view *view, const lm_scene *scene, const lm_pose *poses,
                    skeleton_bones *const *parts, lm_error *error) {
    lm_transform transforms[LM_MAX_PARTS];
    uint32_t count = 0;
    if (!lm_scene_evaluate(scene, poses, NULL, NULL, transforms, error))
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        count += parts[i] ? parts[i]->num_bones : 0;
    lm_gl_line *bones = malloc((count + (size_t)1) * sizeof *bones);
    if (!bones)
        return lmi_fail_memory(error);
    count = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        if (parts[i]) {
            place_bones(parts[i], &poses[i], &transforms[i], bones + count);
            count += parts[i]->num_bones;
        }
    const bool ok = lm_gl_draw_lines(gl, view, bones, count, LM_GL_LINE_BONE, error);
    free(bones);
    return ok;
}
