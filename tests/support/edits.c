#include "edits.h"

/* ---- Files ---------------------------------------------------------------------------------- */

/* Some frames have no differences. */
static blob make_simpler_mdc(void) {
    blob file = make_mdc(&small_mdc);
    put16(&file, surface_lump(&file, 0, SURFACE_AT_OFS_COMP_TABLE) + 2 * 2, 0xFFFF);
    put16(&file, surface_lump(&file, 1, SURFACE_AT_OFS_COMP_TABLE), 0xFFFF);
    return file;
}

blob make_small(int format) {
    return format == MDC ? make_simpler_mdc() : documents[format]->make();
}

blob make_with_nearby_tags(int format) {
    blob file = make_small(format);
    for (size_t i = 0; format == MDC && i < 8; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            const size_t at = get32(&file, MDC_AT_OFS_TAGS) + 12 * i + 2 * axis;
            put16(&file, at, (unsigned)(axis * 1000 + i * 64));
        }
    return file;
}

lm_edit *open_edit(const blob *file) {
    lm_error error;
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, &error);
    assert_done(edit, error);
    return edit;
}

blob write_edit(const lm_edit *edit) {
    lm_error error;
    lm_buffer out = {0};
    assert_done(lm_edit_write(edit, &out, &error), error);
    return blob_from_buffer(&out);
}

void assert_same_bytes(const char *what, const blob *a, const blob *b) {
    size_t at = 0;
    while (at < a->size && at < b->size && a->data[at] == b->data[at])
        at++;
    if (a->size != b->size || at < a->size)
        fail_msg("%s: %zu bytes and %zu, which differ from byte %zu on", what, a->size, b->size,
                 at);
}

void write_unchanged(const char *path, const blob *file) {
    OWNED(lm_edit) *edit = open_edit(file);
    uint32_t count = 1;
    AT_END(blob_free) blob made = write_edit(edit);
    assert_same_bytes(path, &made, file);
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 0);
}

uint32_t count_of(lm_edit *edit, lm_edit_list list) {
    uint32_t count;
    assert_true(lm_edit_count(edit, list, 0, &count, NULL));
    return count;
}

void assert_edit_name(lm_edit *edit, lm_edit_list list, uint32_t index, const char *expected) {
    char name[LM_EDIT_NAME_SIZE];
    lm_edit_name(edit, list, 0, index, name);
    assert_string_equal(name, expected);
}

/* ---- Edits ---------------------------------------------------------------------------------- */

EDIT(edit_without_changes, true)
EDIT(edit_skin, lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "a/new path.tga", error))

bool edit_paths(lm_edit *edit, lm_error *error) {
    return SET("path", "s#^.*/#x/#");
}

EDIT(edit_frame, lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 1, "other", error))
EDIT(edit_header, lm_edit_rename(edit, LM_EDIT_HEADER, 0, 0, "a name", error))
EDIT(edit_surface, lm_edit_rename(edit, LM_EDIT_SURFACES, 0, 1, "h_head", error))
EDIT(edit_tag, lm_edit_rename(edit, LM_EDIT_TAGS, 0, 1, "tag_x", error))

bool edit_drop_frames(lm_edit *edit, lm_error *error) {
    static const uint32_t indices[] = {0, 2};
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, indices, 2, error);
}

EDIT(edit_repeat_frames,
     lm_edit_select(edit, LM_EDIT_FRAMES, 0, (const uint32_t[]){2, 1, 0, 1, 2}, 5, error))
EDIT(edit_drop_skins, lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, error))
EDIT(edit_add_skin,
     SET("add-skin",
         strcmp(lm_edit_format(edit)->name, "md2") == 0 ? "one/more.tga" : "0=one/more.tga"))
EDIT(edit_drop_surface, lm_edit_select(edit, LM_EDIT_SURFACES, 0, (const uint32_t[]){1}, 1, error))
EDIT(edit_transform_surfaces,
     lm_edit_select(edit, LM_EDIT_SURFACES, 0, (const uint32_t[]){1, 0}, 2, error))
EDIT(edit_drop_tag, lm_edit_select(edit, LM_EDIT_TAGS, 0, (const uint32_t[]){1}, 1, error))

bool edit_append(lm_edit *edit, lm_error *error) {
    return lm_edit_append(edit, edit, error) &&
           lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "first", error);
}

EDIT(edit_remove_unused, SET("remove-unused", NULL))

bool set_edit_transform(lm_edit *edit, float scale, int quarters, float move, bool round,
                        lm_error *error) {
    const lm_edit_transform to = {scale, quarters, {move, 2 * move, -move}, round, {0}};
    return lm_edit_set_transform(edit, &to, error);
}

EDIT(edit_rotate_quarter, set_edit_transform(edit, 0, 1, 0, true, error))
EDIT(edit_move, set_edit_transform(edit, 0, 0, 0.25f, false, error))
EDIT(edit_scale, set_edit_transform(edit, 1.5f, -1, 3, true, error))
EDIT(edit_add_tag, SET("add-tag", "tag_new=1,-2.5,3"))
EDIT(edit_move_tag, SET("move-tag", "1=1,-2.5,3"))
EDIT(edit_normals, SET("normals", "computed"))
EDIT(edit_bounds, SET("compute-bounds", ""))

/* A vertex and the tags of the last frame move. */
static bool edit_vertex(lm_edit *edit, lm_error *error) {
    AT_END(lm_buffer_free) lm_buffer file = {0};
    lm_model *model = NULL;
    lm_mesh *mesh = NULL;
    const bool read = lm_edit_write(edit, &file, error) &&
                      (model = lm_load_memory(file.data, file.size, NULL, error)) != NULL &&
                      (mesh = lm_mesh_from_model(model, NULL, error)) != NULL;
    if (read) {
        const size_t last = mesh->num_frames - 1, count = mesh->surfaces[0].num_vertices;
        float *at = (float *)mesh->surfaces[0].positions + 3 * last * count;
        at[0] = at[3 * (count - 1)];
        for (uint32_t t = 0; t < mesh->num_tags; t++)
            ((lm_transform *)mesh->tags[t].poses)[last].origin.x = 2.5f;
    }
    const bool done = read && lm_edit_put_frames(edit, mesh, 1e-4, NULL, error);
    lm_mesh_free(mesh);
    lm_model_free(model);
    return done;
}

bool edit_repeatedly(lm_edit *edit, lm_error *error) {
    return edit_repeat_frames(edit, error) && edit_frame(edit, error) &&
           edit_drop_frames(edit, error) && SET("rename", "frames:s/[0-9]+$/&&/");
}

bool edit_reencode(lm_edit *edit, lm_error *error) {
    const lm_edit_reencode_options options = {.scale = 0.5f, .degrees = 30, .move = {1, 2, 3}};
    return lm_edit_reencode(edit, &options, NULL, error);
}

bool edit_rate(lm_edit *edit, lm_error *error) {
    return SET("reencode", NULL) && SET("fps", "20");
}

const edit_case edit_cases[] = {
    {"nothing", edit_without_changes, {0}},
    {"a skin's path", edit_skin, {.paths = true}},
    {"paths by a pattern", edit_paths, {.paths = true}},
    {"a frame's name", edit_frame, {0}},
    {"the header's name", edit_header, {.tags = true}},
    {"a surface's name", edit_surface, {.tags = true}},
    {"a tag's name", edit_tag, {.tags = true}},
    {"fewer frames", edit_drop_frames, {0}},
    {"frames again", edit_repeat_frames, {0}},
    {"no skins", edit_drop_skins, {.paths = true}},
    {"one skin more", edit_add_skin, {.paths = true}},
    {"a surface less", edit_drop_surface, {.tags = true}},
    {"surfaces turned", edit_transform_surfaces, {.tags = true}},
    {"a tag less", edit_drop_tag, {.tags = true}},
    {"the same frames appended", edit_append, {0}},
    {"no vertices that nothing draws", edit_remove_unused, {0}},
    {"a quarter turn", edit_rotate_quarter, {0}},
    {"a move", edit_move, {0}},
    {"larger, turned and moved", edit_scale, {.scale = true}},
    {"one tag more", edit_add_tag, {.tags = true}},
    {"a tag moved", edit_move_tag, {.tags = true}},
    {"computed normals", edit_normals, {0}},
    {"computed bounds", edit_bounds, {.bounds = true}},
    {"a vertex moved", edit_vertex, {0}},
    {"several things", edit_repeatedly, {0}},
};
const size_t num_edit_cases = COUNT_OF(edit_cases);

bool case_applies(const edit_case *c, int format) {
    static const edit_needs formats[NUM_EDITABLE] = {
        [MD2] = {.paths = true, .scale = true},
        [MD3] = {.paths = true, .tags = true, .bounds = true, .scale = true},
        [MDC] = {.paths = true, .tags = true, .bounds = true},
        [MDL] = {.bounds = true, .scale = true},
    };
    const edit_needs *needs = &c->needs, *has = &formats[format];
    return (!needs->paths || has->paths) && (!needs->tags || has->tags) &&
           (!needs->bounds || has->bounds) && (!needs->scale || has->scale);
}

/* ---- Vertices ------------------------------------------------------------------------------- */

lm_mesh *mesh_of(const blob *file) {
    lm_error error;
    OWNED(lm_model) *model = load_blob(file);
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, &error);
    assert_done(mesh, error);
    return mesh;
}

lm_vec3 vector_at(const float *p) {
    return (lm_vec3){p[0], p[1], p[2]};
}

double distance_of(lm_vec3 a, lm_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}
