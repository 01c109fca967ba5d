/* Fuzzes the comparison of two meshes. Each has distance 0 (except for rounding) from itself, from
 * a selection of all its frames, and from its identity transform. The distance between the two does
 * not depend on their order. */
#include "fuzz.h"

#include <math.h>

#define MAX_POSES 6

/* Returns NULL only if one of the meshes is invalid. */
static lm_comparison *compare(const lm_mesh *a, const lm_mesh *b) {
    lm_error error = {0}, check = {0};
    const bool sound = lm_mesh_check(a, &check) && lm_mesh_check(b, &check);
    lm_comparison *found = lm_mesh_compare(a, b, NULL, &error);
    PROMISE(sound == (found != NULL));
    if (!found)
        PROMISE(error.code == check.code);
    for (uint32_t i = 0; found && i < found->num_differences; i++)
        PROMISE(found->differences[i].subject[0] && found->differences[i].text[0]);
    return found;
}

static bool is_number(double number) {
    return number >= 0 && isfinite(number);
}

/* `max_angle`: tolerance in degrees for tags, whose axes a transform makes of length 1. */
static void assert_same(const lm_mesh *a, const lm_mesh *b, double max_angle) {
    lm_comparison *found = compare(a, b);
    if (found) {
        PROMISE(found->all.max_distance <= 1e-9 && found->all.rms_distance <= 1e-9);
        PROMISE(found->max_st <= 1e-9 && found->max_tag_distance == 0 &&
                found->max_tag_angle_error <= max_angle);
        PROMISE(found->num_differences == 0);
    }
    lm_comparison_free(found);
}

static void assert_symmetric(const lm_mesh *a, const lm_mesh *b) {
    lm_comparison *one = compare(a, b), *other = compare(b, a);
    PROMISE(!one == !other);
    if (one) {
        PROMISE(is_number(one->all.rms_distance) && is_number(one->all.mean_angle_error));
        PROMISE(one->all.rms_distance <= one->all.max_distance * (1 + 1e-9));
        PROMISE(is_number(one->max_st) && is_number(one->max_tag_distance));
        PROMISE(one->num_differences == other->num_differences);
        PROMISE(one->all.max_distance == other->all.max_distance && one->max_st == other->max_st);
        PROMISE(one->max_tag_distance == other->max_tag_distance &&
                one->all.max_angle_error == other->all.max_angle_error);
    }
    lm_comparison_free(one);
    lm_comparison_free(other);
}

/* ---- Changes -------------------------------------------------------------------------------- */

/* Selects each frame once; the lists are the mesh's own. */
static void pick_all(const lm_mesh *mesh) {
    lm_pose poses[16] = {{0}};
    lm_error error = {0};
    PROMISE(mesh->num_frames <= 16);
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        poses[f] = (lm_pose){f, f, 0, false};
    lm_mesh *selected = lm_mesh_select_frames(mesh, poses, mesh->num_frames, mesh->clips,
                                              mesh->num_clips, NULL, &error);
    PROMISE(selected);
    assert_same(mesh, selected, 0);
    lm_mesh_free(selected);
}

/* Selects arbitrary poses, whose frames may not exist. */
static void pick_some(const lm_mesh *mesh, fuzz_input *input) {
    lm_pose poses[MAX_POSES];
    lm_error error = {0}, check = {0};
    const uint32_t count = fuzz_choose(input, MAX_POSES + 1);
    for (uint32_t i = 0; i < count; i++)
        poses[i] = (lm_pose){fuzz_choose(input, 5), fuzz_choose(input, 3),
                             0.5f * (float)fuzz_choose(input, 3), false};
    const lm_clip clip = {.name = "all", .count = fuzz_choose(input, 4), .fps = 5};
    lm_mesh *selected =
        lm_mesh_select_frames(mesh, poses, count, &clip, fuzz_choose(input, 2), NULL, &error);
    if (selected)
        PROMISE(selected->num_frames == count && lm_mesh_check(selected, &check));
    else
        assert_error_valid(&error);
    lm_mesh_free(selected);
}

static const lm_transform here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void transform_mesh(const lm_mesh *mesh, fuzz_input *input) {
    static const float numbers[] = {0, 1, -1, 0.5f, 1e30f, NAN};
    lm_transform to = here;
    lm_error error = {0};
    lm_mesh *placed = lm_mesh_transform(mesh, &to, NULL, &error);
    PROMISE(placed);
    assert_same(mesh, placed, 0.1);
    lm_mesh_free(placed);
    float *axes[] = {&to.origin.x, &to.axis[0].x, &to.axis[1].z, &to.axis[2].y};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        *axes[i] = numbers[fuzz_choose(input, sizeof numbers / sizeof *numbers)];
    placed = lm_mesh_transform(mesh, &to, NULL, &error);
    if (!placed)
        assert_error_valid(&error);
    lm_mesh_free(placed);
}

void fuzz_compare(fuzz_input *input) {
    fuzz_mesh meshes[2] = {0};
    lm_error error;
    fuzz_split(input);
    const bool made = fuzz_mesh_read(&input->parts[0], &meshes[0]);
    const lm_mesh *mesh = &meshes[0].mesh;
    if (made && input->num_parts > 1 && fuzz_mesh_read(&input->parts[1], &meshes[1]))
        assert_symmetric(mesh, &meshes[1].mesh);
    if (made && lm_mesh_check(mesh, &error)) {
        assert_same(mesh, mesh, 0);
        if (mesh->num_frames <= 16)
            pick_all(mesh);
        pick_some(mesh, input);
        transform_mesh(mesh, input);
    }
    for (size_t i = 0; i < 2; i++)
        fuzz_mesh_free(&meshes[i]);
}
