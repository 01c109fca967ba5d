/* Fuzzes the search for a skeleton. The result is a tree with weights whose sum is 1, all its
 * numbers are finite, and its error is that of its own evaluation. For an invalid mesh the error is
 * that of lm_mesh_check. A model's skeleton can be exported. */
#include "mesh.h"

#include "lerpmesh/export.h"
#include "lerpmesh/skeleton.h"

#include <math.h>
#include <stdlib.h>

static void assert_joints(const lm_skeleton *s, uint32_t most) {
    PROMISE(s->num_joints >= 1 && s->num_joints <= most);
    PROMISE(s->joints[0].parent == LM_SKELETON_NO_PARENT);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        PROMISE(s->joints[j].name[0] && s->joints[j].mirror < s->num_joints);
        PROMISE(j == 0 || s->joints[j].parent < j);
    }
    for (size_t i = 0; i < (size_t)s->num_frames * s->num_joints; i++) {
        const lm_joint_pose *p = &s->poses[i];
        float square = 0;
        for (int k = 0; k < 4; k++)
            square += p->rotation[k] * p->rotation[k];
        PROMISE(fabsf(square - 1) < 1e-5f);
        PROMISE(isfinite(p->translation.x + p->translation.y + p->translation.z));
    }
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
            lm_skeleton_evaluate(s, i, f, found, NULL);
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

static void assert_skeleton(const lm_skeleton *s, const lm_mesh *mesh, uint32_t most) {
    PROMISE(s->num_frames == mesh->num_frames && s->num_surfaces == mesh->num_surfaces);
    PROMISE((s->verdict == LM_SKELETON_ACCEPTED) == (s->reason[0] == '\0'));
    assert_joints(s, most);
    assert_influences(s);
    const double error = measure(s, mesh);
    PROMISE(isfinite(error) && fabs(error - s->all.max_error) <= 1e-9 * error);
}

static void export_model(const uint8_t *data, size_t size, const lm_skeleton *s) {
    lm_error error = {0};
    lm_buffer glb = {.max_size = 1 << 24};
    lm_model *model = lm_load_memory(data, size, NULL, &error);
    const lm_gltf_options options = {.skeletons = &s, .quantize = size % 2 == 0};
    if (model && !lm_gltf_write(model, &options, &glb, NULL, NULL, &error))
        PROMISE(error.code == LM_CODE_LIMIT || error.code == LM_CODE_NOT_FINITE ||
                error.code == LM_CODE_BAD_ARGUMENT);
    lm_buffer_free(&glb);
    lm_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    fuzz_parts parts;
    static fuzz_mesh mesh;
    lm_error error = {0}, check = {0};
    fuzz_split(&input, &parts);
    if (fuzz_mesh_read(parts.parts[0].data, parts.parts[0].size, &mesh)) {
        const lm_skeleton_options options = {.max_bones = 1 + fuzz_choose(&input, 12),
                                             .constant_lengths = fuzz_choose(&input, 2) != 0,
                                             .max_work = 1};
        lm_skeleton *s = lm_skeleton_fit(&mesh.mesh, &options, &error);
        if (!lm_mesh_check(&mesh.mesh, &check))
            PROMISE(!s && error.code == check.code);
        else if (!s)
            PROMISE(error.code == LM_CODE_LIMIT);
        else
            assert_skeleton(s, &mesh.mesh, options.max_bones);
        if (s && mesh.made)
            export_model(parts.parts[0].data, parts.parts[0].size, s);
        lm_skeleton_free(s);
        fuzz_mesh_free(&mesh);
    }
    fuzz_parts_free(&parts);
    fuzz_close(&input);
    return 0;
}
