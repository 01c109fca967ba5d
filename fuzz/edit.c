/* Fuzzes edits of a file with random steps. After accepted and rejected edits, the written file
 * reads as the edited document, and is written back to the same bytes after opening it again. */
#include "fuzz.h"

#include <stdio.h>

#define MAX_STEPS 8
#define MAX_PICKED 16

/* Generates more random numbers than an input has choices: these are the seed. */
static uint32_t chance(uint32_t *state, uint32_t limit) {
    *state = *state * 1664525 + 1013904223;
    return limit > 0 ? (uint32_t)((uint64_t)(*state >> 8) * limit >> 24) : 0;
}

static bool select_some(lm_edit *edit, uint32_t *state, lm_edit_list list, uint32_t surface,
                        lm_error *error) {
    uint32_t selected[MAX_PICKED];
    const uint32_t all = lm_edit_count(edit, list, surface), count = chance(state, MAX_PICKED);
    for (uint32_t i = 0; i < count; i++)
        selected[i] = chance(state, all + (chance(state, 16) == 0));
    return lm_edit_select(edit, list, surface, selected, count, error);
}

static bool transform_model(lm_edit *edit, uint32_t *state, lm_error *error) {
    const lm_edit_transform to = {chance(state, 2) ? 1.5f : 0,
                                  (int)chance(state, 5) - 1,
                                  {(float)chance(state, 9) / 8, -1, 0},
                                  chance(state, 2) == 1};
    return lm_edit_set_transform(edit, &to, error);
}

static bool encode(lm_edit *edit, uint32_t *state, lm_error *error) {
    const lm_edit_reencode to = {.degrees = chance(state, 360), .fps = chance(state, 30)};
    return lm_edit_count(edit, LM_EDIT_FRAMES, 0) > 64 || lm_edit_encode(edit, &to, NULL, error);
}

static bool rename_some(lm_edit *edit, uint32_t *state, lm_edit_list list, uint32_t surface,
                        lm_error *error) {
    static const char *const patterns[] = {"s/(.)(.*)/\\2\\1/", "s/[^a-m]+|b$/&&/g", "s/^/x/i",
                                           "s/.*//"};
    char name[24];
    snprintf(name, sizeof name, "name%u", (unsigned)chance(state, 1u << 24));
    return chance(state, 2)
               ? lm_edit_substitute(edit, list, patterns[chance(state, 4)], NULL, error)
               : lm_edit_rename(edit, list, surface,
                                chance(state, lm_edit_count(edit, list, surface) + 1), name, error);
}

/* Moves a vertex of each surface in a frame, and the tags. */
static bool move_vertices(lm_edit *edit, uint32_t *state, lm_error *error) {
    lm_buffer file = {0};
    PROMISE(lm_edit_write(edit, &file, error));
    lm_model *model = lm_load_memory(file.data, file.size, NULL, error);
    lm_mesh *mesh = model ? lm_mesh_from_model(model, NULL, error) : NULL;
    const uint32_t frame = mesh ? chance(state, mesh->num_frames) : 0;
    const float to = (float)chance(state, 256);
    for (uint32_t s = 0; mesh && s < mesh->num_surfaces; s++) {
        const lm_mesh_surface *surface = &mesh->surfaces[s];
        if (surface->num_vertices > 0)
            ((float *)surface->positions)[3 * (size_t)frame * surface->num_vertices] = to;
    }
    for (uint32_t t = 0; mesh && t < mesh->num_tags; t++)
        ((lm_transform *)mesh->tags[t].poses)[frame].origin.y = to;
    const bool done = mesh && lm_edit_put_frames(edit, mesh, 1e-4, NULL, error);
    lm_mesh_free(mesh);
    lm_model_free(model);
    lm_buffer_free(&file);
    return done;
}

static bool apply_step(lm_edit *edit, uint32_t *state, lm_error *error) {
    const lm_edit_list list = (lm_edit_list)chance(state, LM_NUM_EDIT_LISTS);
    const uint32_t surface = chance(state, 3);
    const lm_vec3 vector = {(float)chance(state, 64) / 4, 0, -1};
    const lm_edit_tag tag = {.origin = vector, .follows = vector.x < 8};
    switch (chance(state, 12)) {
    case 0:
    case 1:
        return rename_some(edit, state, list, surface, error);
    case 2:
    case 3:
        return select_some(edit, state, list, surface, error);
    case 4:
        return lm_edit_append(edit, edit, error);
    case 5:
        return lm_edit_remove_unused(edit, error);
    case 6:
        return transform_model(edit, state, error);
    case 7:
        return chance(state, 2) ? lm_edit_add_tag(edit, "tag_x", &tag, error)
                                : lm_edit_move_tag(edit, chance(state, 4), &vector, error);
    case 8:
        return chance(state, 2) ? lm_edit_compute_normals(edit, error)
                                : lm_edit_compute_bounds(edit, error);
    case 9:
        return chance(state, 4) == 0 ? encode(edit, state, error) : true;
    case 10:
        return move_vertices(edit, state, error);
    default:
        return lm_edit_add_skin(edit, surface, "a/path.tga", error);
    }
}

static void write_twice(const lm_edit *edit) {
    lm_error error = {0};
    lm_buffer out = {0}, twice = {0};
    const bool written = lm_edit_write(edit, &out, &error);
    PROMISE(written);
    lm_edit *again = lm_edit_open(out.data, out.size, NULL, &error);
    PROMISE(again && lm_edit_write(again, &twice, &error));
    fuzz_assert_same(&out, &twice);
    lm_edit_free(again);
    lm_buffer_free(&out);
    lm_buffer_free(&twice);
}

void fuzz_edit(fuzz_input *input) {
    lm_error error = {0};
    const lm_load_options options = {.repair = input->choices >> 31};
    lm_edit *edit = lm_edit_open(input->data, input->size, &options, &error);
    if (!edit)
        assert_error_valid(&error);
    uint32_t state = input->choices;
    for (uint32_t i = state % MAX_STEPS; edit && i > 0; i--)
        if (!apply_step(edit, &state, &error))
            assert_error_valid(&error);
    if (edit)
        write_twice(edit);
    lm_edit_free(edit);
}
