/* Fuzzes the search for a skeleton, and movement by it. The result is a tree with weights whose sum
 * is 1, all its numbers are finite, and its error is that of its own evaluation. Between two frames
 * they stay finite, and rotations have length 1. A resampled mesh is valid and keeps frames. For an
 * invalid mesh the error is that of lm_mesh_check. A model's skeleton can be exported. */
#include "fuzz.h"

#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/skeleton.h"
#include "skeleton/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_poses(const lm_joint_pose *poses, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const lm_joint_pose *p = &poses[i];
        float square = 0;
        for (int k = 0; k < 4; k++)
            square += p->rotation[k] * p->rotation[k];
        PROMISE(fabsf(square - 1) < 1e-5f);
        PROMISE(isfinite(p->translation.x + p->translation.y + p->translation.z));
    }
}

static void assert_joints(const lm_skeleton *s, uint32_t most) {
    PROMISE(s->num_joints >= 1 && s->num_joints <= most);
    PROMISE(s->joints[0].parent == LM_SKELETON_NO_PARENT);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        PROMISE(s->joints[j].name[0] && s->joints[j].mirror < s->num_joints);
        PROMISE(j == 0 || s->joints[j].parent < j);
    }
    assert_poses(s->poses, (size_t)s->num_frames * s->num_joints);
}

static void assert_influences(const lm_skeleton *s) {
    for (uint32_t i = 0; i < s->num_surfaces; i++)
        for (uint32_t v = 0; v < s->surfaces[i].num_vertices; v++) {
            const lm_influence *in = &s->surfaces[i].influences[v];
            float sum = 0;
            for (int k = 0; k < LM_SKELETON_WEIGHTS; k++) {
                PROMISE(in->joints[k] < s->num_joints && in->weights[k] >= 0);
                sum += in->weights[k];
            }
            PROMISE(fabsf(sum - 1) < 1e-5f);
        }
}

static void assert_correctives(const lm_skeleton *s, uint32_t most) {
    PROMISE(s->num_correctives <= most);
    for (size_t i = 0; i < (size_t)s->num_frames * s->num_correctives; i++)
        PROMISE(s->corrective_weights[i] >= 0 && s->corrective_weights[i] <= 1);
    PROMISE(s->all.rms_error <= s->uncorrected.rms_error);
}

/* Returns the largest distance of a skinned vertex from the mesh. */
static double measure(const lm_skeleton *s, const lm_mesh *mesh) {
    double most = 0;
    for (uint32_t i = 0; i < s->num_surfaces; i++) {
        const lm_mesh_surface *surface = &mesh->surfaces[i];
        if (surface->num_vertices == 0)
            continue;
        lm_vec3 *found = malloc((surface->num_vertices + (size_t)1) * sizeof *found);
        for (uint32_t f = 0; found && f < s->num_frames; f++) {
            const float *p = surface->positions + 3 * (size_t)f * surface->num_vertices;
            lm_skeleton_sample(s, i, &(lm_pose){f, f, 0, false}, found, NULL);
            for (uint32_t v = 0; v < surface->num_vertices; v++, p += 3) {
                const double x = (double)found[v].x - (double)p[0];
                const double y = (double)found[v].y - (double)p[1];
                const double z = (double)found[v].z - (double)p[2];
                most = fmax(most, sqrt(x * x + y * y + z * z));
            }
        }
        free(found);
    }
    return most;
}

static void assert_skeleton(const lm_skeleton *s, const lm_mesh *mesh,
                            const lm_skeleton_options *options) {
    PROMISE(s->num_frames == mesh->num_frames && s->num_surfaces == mesh->num_surfaces);
    PROMISE((s->verdict == LM_SKELETON_ACCEPTED) == (s->reason[0] == '\0'));
    assert_joints(s, options->max_bones);
    assert_influences(s);
    assert_correctives(s, options->max_correctives);
    const double error = measure(s, mesh);
    PROMISE(isfinite(error) && fabs(error - s->all.max_error) <= 1e-9 * error);
}

/* ---- Between frames ------------------------------------------------------------------------- */

/* Samples a pose into blocks of the exact size. */
static void sample(const lm_skeleton *s, uint32_t surface, const lm_pose *pose) {
    const size_t count = s->surfaces[surface].num_vertices, size = count * sizeof(lm_vec3);
    lm_vec3 *at = malloc(size + 1), *normals = malloc(size + 1), *whole = malloc(size + 1);
    if (!at || !normals || !whole)
        abort();
    lm_skeleton_sample(s, surface, pose, at, s->surfaces[surface].normals ? normals : NULL);
    const uint32_t frame = pose->t < 1 ? pose->frame_a : pose->frame_b;
    lm_skeleton_sample(s, surface, &(lm_pose){frame, frame, 0, false}, whole, NULL);
    for (size_t v = 0; v < count; v++) {
        PROMISE(isfinite(at[v].x) && isfinite(at[v].y) && isfinite(at[v].z));
        PROMISE(!s->surfaces[surface].normals ||
                isfinite(normals[v].x + normals[v].y + normals[v].z));
    }
    if (pose->t == 0 || pose->t == 1 || pose->frame_a == pose->frame_b)
        PROMISE(count == 0 || memcmp(at, whole, size) == 0);
    free(whole);
    free(normals);
    free(at);
}

static void assert_between(const lm_skeleton *s, uint32_t share) {
    lm_joint_pose *joints = malloc(s->num_joints * sizeof *joints);
    if (!joints)
        abort();
    for (uint32_t a = 0; a < s->num_frames; a++) {
        const lm_pose pose = {a, (a * 7 + 1) % s->num_frames, (float)share / 6, false};
        lmi_joints_between(s, &pose, joints);
        assert_poses(joints, s->num_joints);
        for (uint32_t i = 0; i < s->num_surfaces; i++)
            sample(s, i, &pose);
    }
    free(joints);
}

/* It fails as without the skeleton. Clips begin with a frame of the mesh. */
static void assert_resampled(const lm_skeleton *s, const lm_mesh *mesh, float fps) {
    const lm_memory memory = {.max_bytes = 1 << 20};
    lm_error error = {0}, wanted = {0};
    lm_mesh *made = lm_mesh_resample(mesh, s, fps, &memory, &error);
    lm_mesh *mixed = lm_mesh_resample(mesh, NULL, fps, &memory, &wanted);
    PROMISE(made || error.code == (mixed ? LM_CODE_LIMIT : wanted.code));
    PROMISE(!made || (lm_mesh_check(made, &error) && made->num_frames == mixed->num_frames));
    for (uint32_t i = 0; made && i < made->num_surfaces; i++)
        for (uint32_t c = 0; c < made->num_clips; c++) {
            const size_t row = 3 * (size_t)made->surfaces[i].num_vertices;
            const size_t at = row * made->clips[c].first;
            PROMISE(row == 0 ||
                    memcmp(made->surfaces[i].positions + at, mixed->surfaces[i].positions + at,
                           row * sizeof(float)) == 0);
        }
    lm_mesh_free(mixed);
    lm_mesh_free(made);
}

/* ---- The search ----------------------------------------------------------------------------- */

static void export_model(const fuzz_part *file, const lm_skeleton *s) {
    lm_error error = {0};
    lm_buffer glb = {.max_size = 1 << 24};
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    const lm_gltf_options options = {.skeletons = &s, .quantize = file->size % 2 == 0};
    if (model && !lm_gltf_write(LM_SCENE_OF(model), &options, &glb, NULL, NULL, &error))
        PROMISE(error.code == LM_CODE_LIMIT || error.code == LM_CODE_NOT_FINITE ||
                error.code == LM_CODE_BAD_ARGUMENT);
    lm_buffer_free(&glb);
    lm_model_free(model);
}

/* IQM stores any mesh with its skeleton, or the error says why not. */
static void encode_iqm(const lm_mesh *mesh, const lm_skeleton *s) {
    lm_error error = {0};
    lm_buffer out = {.max_size = 1 << 20};
    if (!lm_encode_iqm(mesh, s, &out, NULL, &error)) {
        assert_error_valid(&error);
        PROMISE(out.size == 0);
    }
    lm_buffer_free(&out);
}

void fuzz_skeleton(fuzz_input *input) {
    fuzz_mesh mesh;
    lm_error error = {0}, check = {0};
    fuzz_split(input);
    if (!fuzz_mesh_read(&input->parts[0], &mesh))
        return;
    const lm_skeleton_options options = {.max_bones = 1 + fuzz_choose(input, 12),
                                         .constant_lengths = fuzz_choose(input, 2) != 0,
                                         .max_work = 1,
                                         .max_correctives = fuzz_choose(input, 6)};
    lm_skeleton *s = lm_skeleton_fit(&mesh.mesh, &options, &error);
    if (!lm_mesh_check(&mesh.mesh, &check))
        PROMISE(!s && error.code == check.code);
    else if (!s)
        PROMISE(error.code == LM_CODE_LIMIT);
    else
        assert_skeleton(s, &mesh.mesh, &options);
    if (s) {
        assert_between(s, fuzz_choose(input, 7));
        assert_resampled(s, &mesh.mesh, (float)(1 + fuzz_choose(input, 60)));
    }
    if (s && mesh.made)
        export_model(&input->parts[0], s);
    encode_iqm(&mesh.mesh, s);
    lm_skeleton_free(s);
    fuzz_mesh_free(&mesh);
}
