#include "skeleton/evaluate.h"
#include "skeleton/fit.h"

/* ---- Joints --------------------------------------------------------------------------------- */

static bool build_joints(lm_fit *fit, lm_arena *arena) {
    const lm_rig *rig = &fit->rig;
    const double *centre = fit->centres[fit->rest_frame];
    lm_joint *joints = lmi_arena_zeros(arena, rig->num_bones, sizeof *joints);
    if (!joints)
        return false;
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        const double *at = fit->tree.joints[j];
        joints[j].parent = j == 0 ? LM_SKELETON_NO_PARENT : fit->tree.parents[j];
        joints[j].position = (lm_vec3){(float)(at[0] + centre[0]), (float)(at[1] + centre[1]),
                                       (float)(at[2] + centre[2])};
        joints[j].translates = j > 0 && fit->tree.stiffness[j] < INFINITY;
        fit->made->num_translating += joints[j].translates;
    }
    fit->made->num_joints = rig->num_bones;
    fit->made->joints = joints;
    return lmi_fit_name(fit, joints);
}

/* ---- Poses ---------------------------------------------------------------------------------- */

/* Returns where a joint is: its bone moves its place in the rest pose. */
static lm_placed place_joint(const lm_fit *fit, uint32_t joint, uint32_t index) {
    const double *m = lmi_rig_bone(&fit->rig, joint, index), *c = fit->tree.joints[joint];
    lm_placed out;
    for (int i = 0; i < 3; i++, m += 4) {
        memcpy(out.m[i], m, sizeof out.m[i]);
        out.m[i][3] += m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    }
    return out;
}

/* Finds the pose of a joint relative to its parent. `before`: that of the frame before; NULL: there
 * is none. */
static lm_joint_pose pose_of(const lm_fit *fit, uint32_t joint, uint32_t index, uint32_t frame,
                             const lm_joint_pose *before) {
    const lm_joint *made = &fit->made->joints[joint];
    lm_placed own = place_joint(fit, joint, index);
    lm_joint_pose pose;
    if (joint > 0) {
        const lm_placed up = place_joint(fit, made->parent, index);
        own = lmi_placed_relative(&up, &own);
    }
    for (int i = 0; i < 3 && joint == 0; i++)
        own.m[i][3] += fit->centres[frame][i];
    pose.translation = lmi_placed_split(&own, before ? before->rotation : NULL, pose.rotation);
    if (joint > 0 && !made->translates) {
        const lm_vec3 up = fit->made->joints[made->parent].position;
        pose.translation =
            (lm_vec3){made->position.x - up.x, made->position.y - up.y, made->position.z - up.z};
    }
    return pose;
}

static bool build_poses(lm_fit *fit, lm_arena *arena) {
    const uint32_t count = fit->rig.num_bones, num_frames = fit->mesh->num_frames;
    lm_joint_pose *poses = lmi_arena_alloc(arena, (uint64_t)count * num_frames, sizeof *poses);
    for (uint32_t frame = 0; poses && frame < num_frames; frame++) {
        const uint32_t rest = fit->rest_frame; /* the first of the rig: lmi_fit_frame */
        const uint32_t index = frame < rest ? frame + (num_frames - rest) : frame - rest;
        lm_joint_pose *out = poses + (size_t)frame * count;
        for (uint32_t j = 0; j < count; j++)
            out[j] = pose_of(fit, j, index, frame, frame > 0 ? out + j - count : NULL);
    }
    fit->made->num_frames = num_frames;
    fit->made->poses = poses;
    return poses != NULL;
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

/* Computes the mean over all frames of a vertex's normal in the rest pose. */
static lm_vec3 rest_normal(const lm_fit *fit, const lm_mesh_surface *s, uint32_t vertex,
                           const lm_influence *influence) {
    double sum[3] = {0};
    for (uint32_t i = 0; i < fit->mesh->num_frames; i++) {
        const uint32_t frame = lmi_fit_frame(fit, 1, i);
        const float *normal = s->normals + 3 * ((size_t)frame * s->num_vertices + vertex);
        for (int k = 0; k < LM_SKELETON_WEIGHTS && influence->weights[k] > 0; k++) {
            const double *m = lmi_rig_bone(&fit->rig, influence->joints[k], i);
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    sum[d] += (double)influence->weights[k] * m[4 * c + d] * (double)normal[c];
        }
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (!(length > 0))
        return (lm_vec3){0, 0, 1};
    return (lm_vec3){(float)(sum[0] / length), (float)(sum[1] / length), (float)(sum[2] / length)};
}

static bool build_surface(lm_fit *fit, lm_arena *arena, uint32_t index, const uint32_t *places,
                          lm_skeleton_surface *out) {
    const lm_mesh_surface *s = &fit->mesh->surfaces[index];
    const double *centre = fit->centres[fit->rest_frame];
    lm_vec3 *positions = lmi_arena_alloc(arena, s->num_vertices, sizeof *positions);
    lm_vec3 *normals = s->normals ? lmi_arena_alloc(arena, s->num_vertices, sizeof *normals) : NULL;
    lm_influence *influences = lmi_arena_alloc(arena, s->num_vertices, sizeof *influences);
    if (!positions || !influences || (s->normals && !normals))
        return false;
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        const double *rest = fit->rig.rest + 3 * (size_t)places[v];
        positions[v] = (lm_vec3){(float)(rest[0] + centre[0]), (float)(rest[1] + centre[1]),
                                 (float)(rest[2] + centre[2])};
        const uint16_t *joints = fit->rig.joints + (size_t)LM_SKELETON_WEIGHTS * places[v];
        const double *weights = fit->rig.weights + (size_t)LM_SKELETON_WEIGHTS * places[v];
        influences[v] = (lm_influence){{0}, {0}};
        for (int i = 0; i < LM_SKELETON_WEIGHTS && weights[i] > 0; i++) {
            influences[v].joints[i] = joints[i];
            influences[v].weights[i] = (float)weights[i];
        }
        if (normals)
            normals[v] = rest_normal(fit, s, v, &influences[v]);
    }
    *out = (lm_skeleton_surface){.num_vertices = s->num_vertices,
                                 .positions = positions,
                                 .normals = normals,
                                 .influences = influences};
    return true;
}

bool lmi_fit_build(lm_fit *fit) {
    lm_arena *arena = lmi_arena_of(fit->made);
    const uint32_t count = fit->mesh->num_surfaces;
    lm_skeleton_surface *surfaces = lmi_arena_alloc(arena, count, sizeof *surfaces);
    const uint32_t *places = fit->places;
    if (!surfaces || !build_joints(fit, arena) || !build_poses(fit, arena))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!build_surface(fit, arena, i, places, &surfaces[i]))
            return false;
        places += fit->mesh->surfaces[i].num_vertices;
    }
    fit->made->num_surfaces = count;
    fit->made->surfaces = surfaces;
    fit->made->quantum = fit->options.quantum;
    *lmi_fit_work(fit->made) = fit->rig.work;
    return true;
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Properties of the errors other than their size. */
typedef struct evidence {
    double *vertices; /* [all vertices] sums of squares */
    double *before;   /* [3 * all vertices] errors of the frame before */
    double products;  /* sum of products of the errors of a frame and the one before */
} evidence;

static lm_skeleton_error measure_frame(const lm_fit *fit, uint32_t frame, lm_vec3 *scratch,
                                       evidence *e) {
    lm_placed joints[LM_MAX_SKELETON_BONES];
    double sum = 0, most = 0;
    size_t all = 0;
    lmi_move_joints(fit->made, &(lm_pose){frame, frame, 0, false}, joints);
    for (uint32_t i = 0; i < fit->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &fit->mesh->surfaces[i];
        if (s->num_vertices == 0)
            continue;
        const float *p = s->positions + 3 * (size_t)frame * s->num_vertices;
        lmi_move_surface(fit->made, i, &(lm_pose){frame, frame, 0, false}, joints, scratch, NULL);
        for (uint32_t v = 0; v < s->num_vertices; v++, all++, p += 3) {
            const double away[3] = {(double)scratch[v].x - (double)p[0],
                                    (double)scratch[v].y - (double)p[1],
                                    (double)scratch[v].z - (double)p[2]};
            double square = 0;
            for (int c = 0; c < 3; c++) {
                square += away[c] * away[c];
                e->products += away[c] * e->before[3 * all + (size_t)c];
                e->before[3 * all + (size_t)c] = away[c];
            }
            sum += square;
            most = fmax(most, square);
            e->vertices[all] += square;
        }
    }
    return (lm_skeleton_error){all > 0 ? sqrt(sum / (3.0 * (double)all)) : 0, sqrt(most)};
}

/* ---- The verdict ---------------------------------------------------------------------------- */

/* In quanta, as sydney's error is 1.1 and that of sculpted movements 5. */
#define FRAME_WARNING 8
#define VERTEX_WARNING 20
#define LARGE_WARNING 0.05   /* of the size */
#define SCULPTED_WARNING 0.5 /* correlation of the errors of consecutive frames */

static bool say(lm_fit *fit, lm_skeleton_verdict verdict, const char *sentence, ...)
    LM_PRINTF(3, 4);

static bool say(lm_fit *fit, lm_skeleton_verdict verdict, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    fit->made->verdict = verdict;
    fit->made->reason = lmi_arena_sentence(lmi_arena_of(fit->made), sentence, arguments);
    va_end(arguments);
    return fit->made->reason != NULL;
}

static bool judge(lm_fit *fit, const evidence *e) {
    const lm_skeleton *made = fit->made;
    const double q = made->quantum, error = made->all.rms_error, limit = fit->options.max_error;
    double frame = 0, vertex = 0;
    size_t all = 0;
    for (uint32_t f = 0; f < made->num_frames; f++)
        frame = fmax(frame, made->frames[f].rms_error);
    for (uint32_t i = 0; i < made->num_surfaces; i++)
        for (uint32_t v = 0; v < made->surfaces[i].num_vertices; v++, all++)
            vertex = fmax(vertex, sqrt(e->vertices[all] / (3.0 * made->num_frames)));
    fit->made->verdict = LM_SKELETON_ACCEPTED;
    fit->made->reason = "";
    if (all == 0)
        return say(fit, LM_SKELETON_REFUSED, "there are no vertices");
    if (!fit->moves)
        return say(fit, LM_SKELETON_REFUSED, "nothing moves");
    if (error > 2 * limit)
        return say(fit, LM_SKELETON_REFUSED,
                   "no skeleton of %u joint%s explains the movement: its error is %.3g units, %.3g "
                   "times that of the file's rounding",
                   (unsigned)made->num_joints, made->num_joints == 1 ? "" : "s", error, error / q);
    if (error > limit)
        return say(fit, LM_SKELETON_WARNED, "the error is %.3g units, %.3g times that of rounding",
                   error, error / q);
    if (frame > FRAME_WARNING * q && frame > 2 * limit)
        return say(fit, LM_SKELETON_WARNED, "in the worst frame, the error is %.3g units", frame);
    if (vertex > VERTEX_WARNING * q && vertex > 2 * limit)
        return say(fit, LM_SKELETON_WARNED, "of the worst vertex, the error is %.3g units", vertex);
    if (made->all.max_error > LARGE_WARNING * fit->size)
        return say(fit, LM_SKELETON_WARNED, "a vertex is off by %.3g units in one frame",
                   made->all.max_error);
    if (e->products > SCULPTED_WARNING * error * error * 3.0 * (double)all * made->num_frames &&
        error > 1.5 * q)
        return say(fit, LM_SKELETON_WARNED,
                   "the movement looks sculpted: errors persist from frame to frame");
    return true;
}

/* ---- All ------------------------------------------------------------------------------------ */

bool lmi_fit_measure(lm_fit *fit) {
    lm_arena *arena = lmi_arena_of(fit->made);
    lm_skeleton *made = fit->made;
    evidence e = {lmi_arena_zeros(&fit->arena, fit->num_vertices, sizeof *e.vertices),
                  lmi_arena_zeros(&fit->arena, fit->num_vertices, 3 * sizeof *e.before), 0};
    lm_vec3 *scratch = lmi_arena_alloc(&fit->arena, fit->num_vertices, sizeof *scratch);
    lm_skeleton_error *frames = lmi_arena_alloc(arena, fit->mesh->num_frames, sizeof *frames);
    lm_skeleton_error *clips = lmi_arena_alloc(arena, fit->mesh->num_clips, sizeof *clips);
    if (lmi_arena_failed(arena) || lmi_arena_failed(&fit->arena))
        return false;
    for (uint32_t f = 0; f < fit->mesh->num_frames; f++)
        frames[f] = measure_frame(fit, f, scratch, &e);
    for (uint32_t i = 0; i < fit->mesh->num_clips; i++)
        clips[i] = lmi_error_over(frames + fit->mesh->clips[i].first, fit->mesh->clips[i].count);
    made->all = lmi_error_over(frames, fit->mesh->num_frames);
    made->frames = frames;
    made->num_clips = fit->mesh->num_clips;
    made->clips = clips;
    if (made->num_correctives == 0)
        made->uncorrected = made->all;
    return judge(fit, &e);
}
