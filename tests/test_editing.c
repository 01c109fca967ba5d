/* lerpmesh/edit.h: what is named changes, in every format and wherever lumps lie, and every other
 * byte stays. Where what stands is known here from the formats' descriptions, not from the library.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>

/* ---- Files ---------------------------------------------------------------------------------- */

typedef struct lump_place {
    size_t ofs_at;
    size_t element;  /* bytes; 0: here are the surfaces */
    size_t count_at; /* in the header; `times_at` in the file's: so often; 0: once */
    size_t times_at;
    size_t stride_at; /* in the header: the bytes of an element; 0: those above */
} lump_place;

typedef struct header_place {
    size_t size, end_at, num_lumps;
    lump_place lumps[7];
} header_place;

typedef struct format_place {
    header_place file, surface;
    size_t num_surfaces_at;
} format_place;

static const format_place places[] = {
    {{68,
      MD2_AT_OFS_END,
      5,
      {{MD2_AT_OFS_SKINS, 64, MD2_AT_NUM_SKINS, 0, 0},
       {MD2_AT_OFS_ST, 4, MD2_AT_NUM_ST, 0, 0},
       {MD2_AT_OFS_TRIS, 12, MD2_AT_NUM_TRIS, 0, 0},
       {MD2_AT_OFS_FRAMES, 1, MD2_AT_NUM_FRAMES, 0, MD2_AT_FRAMESIZE},
       {MD2_AT_OFS_GLCMDS, 4, MD2_AT_NUM_GLCMDS, 0, 0}}},
     {0},
     0},
    {{108,
      MD3_AT_OFS_END,
      3,
      {{MD3_AT_OFS_FRAMES, 56, MD3_AT_NUM_FRAMES, 0, 0},
       {MD3_AT_OFS_TAGS, 112, MD3_AT_NUM_TAGS, MD3_AT_NUM_FRAMES, 0},
       {MD3_AT_OFS_SURFACES, 0, 0, 0, 0}}},
     {108,
      MD3_SURFACE_AT_OFS_END,
      4,
      {{MD3_SURFACE_AT_OFS_TRIANGLES, 12, MD3_SURFACE_AT_NUM_TRIANGLES, 0, 0},
       {MD3_SURFACE_AT_OFS_SHADERS, 68, MD3_SURFACE_AT_NUM_SHADERS, 0, 0},
       {MD3_SURFACE_AT_OFS_ST, 8, MD3_SURFACE_AT_NUM_VERTS, 0, 0},
       {MD3_SURFACE_AT_OFS_XYZ_NORMALS, 8, MD3_SURFACE_AT_NUM_VERTS, MD3_AT_NUM_FRAMES, 0}}},
     MD3_AT_NUM_SURFACES},
    {{112,
      MDC_AT_OFS_END,
      4,
      {{MDC_AT_OFS_FRAMES, 56, MDC_AT_NUM_FRAMES, 0, 0},
       {MDC_AT_OFS_TAG_NAMES, 64, MDC_AT_NUM_TAGS, 0, 0},
       {MDC_AT_OFS_TAGS, 12, MDC_AT_NUM_TAGS, MDC_AT_NUM_FRAMES, 0},
       {MDC_AT_OFS_SURFACES, 0, 0, 0, 0}}},
     {124,
      SURFACE_AT_OFS_END,
      7,
      {{SURFACE_AT_OFS_TRIANGLES, 12, SURFACE_AT_NUM_TRIANGLES, 0, 0},
       {SURFACE_AT_OFS_SHADERS, 68, SURFACE_AT_NUM_SHADERS, 0, 0},
       {SURFACE_AT_OFS_ST, 8, SURFACE_AT_NUM_VERTICES, 0, 0},
       {SURFACE_AT_OFS_BASE, 8, SURFACE_AT_NUM_VERTICES, SURFACE_AT_NUM_BASE, 0},
       {SURFACE_AT_OFS_COMP, 4, SURFACE_AT_NUM_VERTICES, SURFACE_AT_NUM_COMP, 0},
       {SURFACE_AT_OFS_BASE_TABLE, 2, 0, MDC_AT_NUM_FRAMES, 0},
       {SURFACE_AT_OFS_COMP_TABLE, 2, 0, MDC_AT_NUM_FRAMES, 0}}},
     MDC_AT_NUM_SURFACES},
};

enum {
    MD2,
    MD3,
    MDC,
    MDL,
    NUM_FORMATS
};

/* Some frames have no differences. */
static blob make_plainer_mdc(void) {
    blob file = make_mdc(&small_mdc);
    put16(&file, surface_lump(&file, 0, SURFACE_AT_OFS_COMP_TABLE) + 2 * 2, 0xFFFF);
    put16(&file, surface_lump(&file, 1, SURFACE_AT_OFS_COMP_TABLE), 0xFFFF);
    return file;
}

static blob make(int format) {
    return format == MD2   ? make_md2(&small_md2)
           : format == MD3 ? make_md3(&small_md3)
           : format == MDC ? make_plainer_mdc()
                           : make_mdl();
}

/* Where the number of an MDC's base or compressed frames stands is in the surface's header, that of
 * its frames in the file's. */
static size_t lump_size(const blob *file, size_t from, const lump_place *lump) {
    size_t size = lump->stride_at ? get32(file, from + lump->stride_at) : lump->element;
    if (lump->count_at)
        size *= get32(file, from + lump->count_at);
    const bool own = lump->times_at == SURFACE_AT_NUM_BASE || lump->times_at == SURFACE_AT_NUM_COMP;
    if (lump->times_at)
        size *=
            get32(file, (own && from > 0 && lump->count_at == SURFACE_AT_NUM_VERTICES ? from : 0) +
                            lump->times_at);
    return size;
}

static void put_at(lm_buffer *out, size_t at, size_t value) {
    blob written = {out->data, out->size};
    put32(&written, at, (uint32_t)value);
}

static void put_gap(lm_buffer *out, size_t gap) {
    for (size_t i = 0; i < gap; i++)
        lm_buffer_append(out, "\xEE", 1);
}

static size_t in_order(size_t i, size_t order, size_t count) {
    return ((order / count % 2 ? count - 1 - i : i) + order) % count;
}

static void lay_out_part(const blob *file, const format_place *place, const header_place *header,
                         size_t from, size_t order, size_t gap, lm_buffer *out) {
    const size_t start = out->size;
    lm_buffer_append(out, file->data + from, header->size);
    for (size_t i = 0; i < header->num_lumps; i++) {
        const lump_place *lump = &header->lumps[in_order(i, order, header->num_lumps)];
        put_gap(out, gap);
        put_at(out, start + lump->ofs_at, out->size - start);
        if (lump->element) {
            lm_buffer_append(out, file->data + from + get32(file, from + lump->ofs_at),
                             lump_size(file, from, lump));
            continue;
        }
        size_t surface = get32(file, lump->ofs_at);
        for (uint32_t s = 0; s < get32(file, place->num_surfaces_at); s++) {
            lay_out_part(file, place, &place->surface, surface, order, gap, out);
            surface += get32(file, surface + place->surface.end_at);
        }
    }
    put_gap(out, gap);
    put_at(out, start + header->end_at, out->size - start);
}

/* The same file with its lumps in another order and bytes that say nothing around each. MDL has no
 * room for either. */
static blob lay_out(int format, const blob *file, size_t order, size_t gap) {
    lm_buffer out = {0};
    if (format == MDL)
        return blob_copy(file->data, file->size);
    lay_out_part(file, &places[format], &places[format].file, 0, order, gap, &out);
    lm_buffer_text(&out, "trailing");
    return blob_from_buffer(&out);
}

static lm_edit *open_edit(const blob *file) {
    lm_error error;
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, &error);
    if (!edit)
        fail_msg("%s", error.message);
    return edit;
}

static blob write_edit(const lm_edit *edit) {
    lm_error error;
    lm_buffer out = {0};
    if (!lm_edit_write(edit, &out, &error))
        fail_msg("%s", error.message);
    return blob_from_buffer(&out);
}

static void assert_same(const char *what, const blob *a, const blob *b) {
    size_t at = 0;
    while (at < a->size && at < b->size && a->data[at] == b->data[at])
        at++;
    if (a->size != b->size || at < a->size)
        fail_msg("%s: %zu bytes and %zu, which differ from byte %zu on", what, a->size, b->size,
                 at);
}

/* ---- Edits ---------------------------------------------------------------------------------- */

typedef struct edit_case {
    const char *name;
    unsigned formats; /* 1 << MD2 ... */
    bool (*run)(lm_edit *edit, lm_error *error);
} edit_case;

#define WITH_TAGS (1u << MD3 | 1u << MDC)
#define WITH_PATHS (WITH_TAGS | 1u << MD2)
#define ALL_FORMATS (WITH_PATHS | 1u << MDL)

static bool edit_nothing(lm_edit *edit, lm_error *error) {
    (void)edit;
    (void)error;
    return true;
}

static bool edit_skin(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "a/new path.tga", error);
}

static bool edit_paths(lm_edit *edit, lm_error *error) {
    uint32_t changed = 0;
    bool done = lm_edit_substitute(edit, LM_EDIT_SKINS, "s#^.*/#x/#", &changed, error);
    assert_true(!done || changed == 2);
    return done;
}

static bool edit_frame(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 1, "other", error);
}

static bool edit_header(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_HEADER, 0, 0, "a name", error);
}

static bool edit_surface(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SURFACES, 0, 1, "h_head", error);
}

static bool edit_tag(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_TAGS, 0, 1, "tag_x", error);
}

static bool edit_drop_frames(lm_edit *edit, lm_error *error) {
    static const uint32_t kept[] = {0, 2};
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, kept, 2, error);
}

static bool edit_repeat_frames(lm_edit *edit, lm_error *error) {
    static const uint32_t kept[] = {2, 1, 0, 1, 2};
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, kept, 5, error);
}

static bool edit_drop_skins(lm_edit *edit, lm_error *error) {
    return lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, error);
}

static bool edit_add_skin(lm_edit *edit, lm_error *error) {
    return lm_edit_add_skin(edit, 0, "one/more.tga", error);
}

static bool edit_drop_surface(lm_edit *edit, lm_error *error) {
    static const uint32_t kept[] = {1};
    return lm_edit_select(edit, LM_EDIT_SURFACES, 0, kept, 1, error);
}

static bool edit_turn_surfaces(lm_edit *edit, lm_error *error) {
    static const uint32_t kept[] = {1, 0};
    return lm_edit_select(edit, LM_EDIT_SURFACES, 0, kept, 2, error);
}

static bool edit_drop_tag(lm_edit *edit, lm_error *error) {
    static const uint32_t kept[] = {1};
    return lm_edit_select(edit, LM_EDIT_TAGS, 0, kept, 1, error);
}

static bool edit_append(lm_edit *edit, lm_error *error) {
    return lm_edit_append(edit, edit, error) &&
           lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "first", error);
}

static bool edit_trim(lm_edit *edit, lm_error *error) {
    return lm_edit_trim(edit, error);
}

static bool place(lm_edit *edit, float scale, int quarters, float move, bool round,
                  lm_error *error) {
    const lm_edit_place to = {scale, quarters, {move, 2 * move, -move}, round};
    return lm_edit_set_place(edit, &to, error);
}

static bool edit_quarter(lm_edit *edit, lm_error *error) {
    return place(edit, 0, 1, 0, true, error);
}

static bool edit_move(lm_edit *edit, lm_error *error) {
    return place(edit, 0, 0, 0.25f, false, error);
}

static bool edit_scale(lm_edit *edit, lm_error *error) {
    return place(edit, 1.5f, -1, 3, true, error);
}

static bool edit_add_tag(lm_edit *edit, lm_error *error) {
    static const lm_vec3 at = {1, -2.5f, 3};
    return lm_edit_add_tag(edit, "tag_new", &at, error);
}

static bool edit_move_tag(lm_edit *edit, lm_error *error) {
    static const lm_vec3 by = {1, -2.5f, 3};
    return lm_edit_move_tag(edit, 1, &by, error);
}

static bool edit_normals(lm_edit *edit, lm_error *error) {
    return lm_edit_compute_normals(edit, error);
}

static bool edit_bounds(lm_edit *edit, lm_error *error) {
    return lm_edit_compute_bounds(edit, error);
}

static bool edit_much(lm_edit *edit, lm_error *error) {
    return edit_repeat_frames(edit, error) && edit_frame(edit, error) &&
           edit_drop_frames(edit, error) &&
           lm_edit_substitute(edit, LM_EDIT_FRAMES, "s/[0-9]+$/&&/", NULL, error);
}

static const edit_case cases[] = {
    {"nothing", ALL_FORMATS, edit_nothing},
    {"a skin's path", WITH_PATHS, edit_skin},
    {"paths by a pattern", WITH_PATHS, edit_paths},
    {"a frame's name", ALL_FORMATS, edit_frame},
    {"the header's name", WITH_TAGS, edit_header},
    {"a surface's name", WITH_TAGS, edit_surface},
    {"a tag's name", WITH_TAGS, edit_tag},
    {"fewer frames", ALL_FORMATS, edit_drop_frames},
    {"frames again", ALL_FORMATS, edit_repeat_frames},
    {"no skins", WITH_PATHS, edit_drop_skins},
    {"one skin more", WITH_PATHS, edit_add_skin},
    {"a surface less", WITH_TAGS, edit_drop_surface},
    {"surfaces turned", WITH_TAGS, edit_turn_surfaces},
    {"a tag less", WITH_TAGS, edit_drop_tag},
    {"the same frames behind them", ALL_FORMATS, edit_append},
    {"no vertices that nothing draws", ALL_FORMATS, edit_trim},
    {"a quarter turn", ALL_FORMATS, edit_quarter},
    {"a move", ALL_FORMATS, edit_move},
    {"larger, turned and moved", ALL_FORMATS & ~(1u << MDC), edit_scale},
    {"one tag more", WITH_TAGS, edit_add_tag},
    {"a tag moved", WITH_TAGS, edit_move_tag},
    {"computed normals", ALL_FORMATS, edit_normals},
    {"computed bounds", ALL_FORMATS & ~(1u << MD2), edit_bounds},
    {"several things", ALL_FORMATS, edit_much},
};

static blob run_case(const edit_case *c, const blob *file) {
    lm_error error;
    lm_edit *edit = open_edit(file);
    if (!c->run(edit, &error))
        fail_msg("%s: %s", c->name, error.message);
    blob made = write_edit(edit);
    lm_edit_free(edit);
    return made;
}

/* Wherever the lumps lie, an edit does the same and leaves what lies between them. */
static void test_other_bytes_stay(void **state) {
    (void)state;
    static const size_t gaps[] = {0, 1, 6};
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            if (!(cases[i].formats >> format & 1))
                continue;
            blob file = make(format), made = run_case(&cases[i], &file);
            for (size_t order = 0; order < 14; order++)
                for (size_t g = 0; g < COUNT_OF(gaps); g++) {
                    blob laid = lay_out(format, &file, order, gaps[g]);
                    blob expected = lay_out(format, &made, order, gaps[g]);
                    blob found = run_case(&cases[i], &laid);
                    assert_same(cases[i].name, &found, &expected);
                    blob_free(&laid);
                    blob_free(&expected);
                    blob_free(&found);
                }
            blob_free(&file);
            blob_free(&made);
        }
}

/* Lumps on top of each other, of which one changes, come apart. */
static void test_shared_bytes_come_apart(void **state) {
    (void)state;
    blob file = make_md2(&small_md2);
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
    put32(&file, MD2_AT_OFS_ST, (uint32_t)skins); /* they say the same bytes: nine pairs of them */
    lm_edit *edit = open_edit(&file);
    blob same = write_edit(edit);
    assert_same("shared lumps", &same, &file);
    assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "b", NULL));
    blob made = write_edit(edit);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_ST), file.data + skins, 36);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_SKINS), "b\0\0", 3);
    lm_edit_free(edit);
    blob_free(&same);
    blob_free(&made);
    blob_free(&file);
}

static void write_unchanged(const char *path, const blob *file) {
    lm_edit *edit = open_edit(file);
    uint32_t count = 1;
    blob made = write_edit(edit);
    assert_same(path, &made, file);
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 0);
    blob_free(&made);
    lm_edit_free(edit);
}

static void test_real_files_stay_as_they_are(void **state) {
    (void)state;
    each_model(write_unchanged);
}

/* Of a real file a new path touches its own field, and the same path nothing at all. */
static void change_a_path(const char *path, const blob *file) {
    lm_edit *edit = open_edit(file);
    lm_error error;
    char name[LM_EDIT_NAME_SIZE];
    if (lm_edit_name(edit, LM_EDIT_SKINS, 0, 0, name)) {
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, name, &error));
        blob same = write_edit(edit);
        assert_same(path, &same, file);
        blob_free(&same);
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "~~", &error));
        blob made = write_edit(edit);
        size_t first = 0, last = file->size;
        assert_int_equal(made.size, file->size);
        while (made.data[first] == file->data[first])
            first++;
        while (made.data[last - 1] == file->data[last - 1])
            last--;
        assert_true(last - first <= 64);
        assert_memory_equal(made.data + first, "~~", 3);
        blob_free(&made);
    }
    lm_edit_free(edit);
}

static void test_a_path_touches_its_field(void **state) {
    (void)state;
    each_model(change_a_path);
}

/* What a program changes in the document itself is written too. */
static void test_the_document_may_be_changed(void **state) {
    (void)state;
    blob plain = make_md3(&small_md3), file = lay_out(MD3, &plain, 3, 5);
    lm_edit *edit = open_edit(&file);
    lm_md3 *md3 = lm_edit_document(edit);
    md3->flags = 0x11223344;
    blob made = write_edit(edit);
    assert_int_equal(get32(&made, MD3_AT_FLAGS), 0x11223344);
    put32(&made, MD3_AT_FLAGS, get32(&file, MD3_AT_FLAGS));
    assert_same("flags", &made, &file);
    lm_md3_surface surfaces[3] = {md3->surfaces[0], md3->surfaces[1], md3->surfaces[0]};
    for (int32_t count = 1; count <= 3; count += 2) {
        md3->surfaces = surfaces;
        md3->num_surfaces = count;
        blob other = write_edit(edit);
        lm_md3 *again = lm_md3_read(other.data, other.size, NULL, NULL);
        assert_true(lm_md3_equal(again, md3));
        lm_md3_free(again);
        blob_free(&other);
    }
    lm_edit_free(edit);
    blob_free(&made);
    blob_free(&file);
    blob_free(&plain);
}

/* ---- Frames --------------------------------------------------------------------------------- */

static void assert_frame(const lm_take *a, uint32_t frame_a, const lm_take *b, uint32_t frame_b) {
    assert_int_equal(a->num_surfaces, b->num_surfaces);
    assert_string_equal(a->frame_names[frame_a], b->frame_names[frame_b]);
    for (uint32_t s = 0; s < a->num_surfaces; s++) {
        const size_t row = (size_t)3 * a->surfaces[s].num_vertices;
        assert_int_equal(a->surfaces[s].num_vertices, b->surfaces[s].num_vertices);
        assert_memory_equal(a->surfaces[s].positions + frame_a * row,
                            b->surfaces[s].positions + frame_b * row, row * sizeof(float));
        assert_memory_equal(a->surfaces[s].normals + frame_a * row,
                            b->surfaces[s].normals + frame_b * row, row * sizeof(float));
    }
    for (uint32_t t = 0; t < a->num_tags; t++)
        assert_memory_equal(&a->tags[t].poses[frame_a], &b->tags[t].poses[frame_b],
                            sizeof(lm_transform));
}

/* What is shown in each frame is what the frame that was picked showed, to the bit. */
static void pick_frames(const blob *file, chance *c) {
    uint32_t picked[40];
    lm_error error;
    lm_edit *edit = open_edit(file);
    lm_model *before = load_blob(file);
    const uint32_t count = 1 + chance_below(c, COUNT_OF(picked));
    for (uint32_t i = 0; i < count; i++)
        picked[i] = chance_below(c, before->num_frames);
    if (!lm_edit_select(edit, LM_EDIT_FRAMES, 0, picked, count, &error))
        fail_msg("%s", error.message);
    blob made = write_edit(edit);
    lm_model *after = load_blob(&made);
    lm_take *a = lm_take_from_model(before, NULL, &error);
    lm_take *b = lm_take_from_model(after, NULL, &error);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(b->num_frames, count);
    for (uint32_t i = 0; i < count; i++)
        assert_frame(a, picked[i], b, i);
    lm_take_free(a);
    lm_take_free(b);
    lm_model_free(before);
    lm_model_free(after);
    lm_edit_free(edit);
    blob_free(&made);
}

static void pick_frames_of(const char *path, const blob *file) {
    chance c = chance_from(7);
    (void)path;
    pick_frames(file, &c);
}

static void test_picked_frames_show_the_same(void **state) {
    (void)state;
    chance c = chance_from(3);
    for (int round = 0; round < 50; round++)
        for (int format = 0; format < NUM_FORMATS; format++) {
            blob file = make(format);
            pick_frames(&file, &c);
            blob_free(&file);
        }
    each_model(pick_frames_of);
}

/* What no frame uses any longer goes: base frames, and differences. */
static void test_mdc_loses_what_nobody_uses(void **state) {
    (void)state;
    blob file = make_mdc(&small_mdc);
    for (uint32_t frame = 0; frame < 4; frame++) {
        lm_edit *edit = open_edit(&file);
        assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, &frame, 1, NULL));
        const lm_mdc *mdc = lm_edit_document(edit);
        for (int32_t s = 0; s < mdc->num_surfaces; s++) {
            assert_int_equal(mdc->surfaces[s].num_base_frames, 1);
            assert_true(mdc->surfaces[s].num_comp_frames <= 1);
        }
        lm_edit_free(edit);
    }
    blob_free(&file);
}

/* What nobody used before stays: it is none of our business. */
static void test_mdc_keeps_what_nobody_used(void **state) {
    (void)state;
    static const uint32_t kept[] = {1, 2};
    blob file = make_mdc(&small_mdc);
    for (size_t f = 0; f < 4; f++)
        put16(&file, surface_lump(&file, 0, SURFACE_AT_OFS_BASE_TABLE) + 2 * f, 1);
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, kept, 2, NULL));
    const lm_mdc *mdc = lm_edit_document(edit);
    assert_int_equal(mdc->surfaces[0].num_base_frames, 2);
    assert_int_equal(lm_mdc_get_frame_base_frame(&mdc->surfaces[0], 1), 1);
    lm_edit_free(edit);
    blob_free(&file);
}

/* The poses of a group stay a group, and each lasts as long as it did. */
static void test_mdl_groups_keep_their_times(void **state) {
    (void)state;
    blob file = make_mdl();
    lm_mdl *before = lm_mdl_read(file.data, file.size, NULL, NULL);
    assert_int_equal(before->frames[1].num_poses, 3);
    const float first = lm_mdl_get_time(before->frames[1].times, 0);
    const float second = lm_mdl_get_time(before->frames[1].times, 1);
    const float third = lm_mdl_get_time(before->frames[1].times, 2);
    static const uint32_t kept[] = {3, 1};
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, kept, 2, NULL));
    const lm_mdl *after = lm_edit_document(edit);
    assert_int_equal(after->num_frames, 1);
    assert_int_equal(after->frames[0].num_poses, 2);
    assert_float_equal(lm_mdl_get_time(after->frames[0].times, 0), third - second, 1e-6);
    assert_float_equal(lm_mdl_get_time(after->frames[0].times, 1), third - second + first, 1e-6);
    lm_edit_free(edit);
    lm_mdl_free(before);
    blob_free(&file);
}

/* ---- Where things are ----------------------------------------------------------------------- */

static lm_take *take_of(const blob *file) {
    lm_error error;
    lm_model *model = load_blob(file);
    lm_take *take = lm_take_from_model(model, NULL, &error);
    if (!take)
        fail_msg("%s", error.message);
    lm_model_free(model);
    return take;
}

static lm_vec3 vector_at(const float *p) {
    return (lm_vec3){p[0], p[1], p[2]};
}

static double distance(lm_vec3 a, lm_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Each vertex and tag is where the transform puts the one that was there. */
static void assert_placed(const lm_take *before, const lm_take *after, const lm_transform *to,
                          double most, double turn) {
    assert_int_equal(before->num_surfaces, after->num_surfaces);
    assert_int_equal(before->num_frames, after->num_frames);
    for (uint32_t s = 0; s < before->num_surfaces; s++) {
        const lm_take_surface *a = &before->surfaces[s], *b = &after->surfaces[s];
        for (size_t i = 0; i < (size_t)before->num_frames * a->num_vertices; i++) {
            lm_vec3 p = vector_at(a->positions + 3 * i), n = vector_at(a->normals + 3 * i);
            lm_transform_points(to, &p, 1);
            lm_transform_normals(to, &n, 1);
            assert_true(distance(p, vector_at(b->positions + 3 * i)) <= most);
            assert_true(distance(n, vector_at(b->normals + 3 * i)) <= turn);
        }
    }
    for (uint32_t t = 0; t < before->num_tags; t++)
        for (uint32_t f = 0; f < before->num_frames; f++) {
            const lm_transform *a = &before->tags[t].poses[f], *b = &after->tags[t].poses[f];
            lm_vec3 origin = a->origin, axes[3] = {a->axis[0], a->axis[1], a->axis[2]};
            lm_transform_points(to, &origin, 1);
            lm_transform_normals(to, axes, 3);
            assert_true(distance(origin, b->origin) <= most);
            for (int i = 0; i < 3; i++)
                assert_true(distance(axes[i], b->axis[i]) < 1e-4);
        }
}

static void place_and_look(int format, const blob *file, float scale, int quarters, float move,
                           bool round, double most) {
    static const double turns[] = {0.2, 1e-5, 0.22, 0.2}; /* how far a table's normals are apart */
    static const lm_vec3 xs[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    const lm_vec3 x = xs[quarters & 3], y = xs[(quarters + 1) & 3];
    const lm_transform to = {
        {move, 2 * move, -move},
        {{x.x * scale, x.y * scale, 0}, {y.x * scale, y.y * scale, 0}, {0, 0, scale}}};
    lm_error error;
    lm_edit *edit = open_edit(file);
    if (!place(edit, scale, quarters, move, round, &error))
        fail_msg("%s", error.message);
    blob made = write_edit(edit);
    lm_take *before = take_of(file), *after = take_of(&made);
    assert_placed(before, after, &to, most, quarters & 3 ? turns[format] : 1e-5);
    lm_take_free(before);
    lm_take_free(after);
    lm_edit_free(edit);
    blob_free(&made);
}

/* Tags that are not as far out as the format reaches. */
static blob make_with_near_tags(int format) {
    blob file = make(format);
    for (size_t i = 0; format == MDC && i < 8; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            const size_t at = get32(&file, MDC_AT_OFS_TAGS) + 12 * i + 2 * axis;
            put16(&file, at, (unsigned)(axis * 1000 + i * 64));
        }
    return file;
}

/* Exact but for what floats round; MD3 and MDC where they may be within half a 64th on each axis.
 */
static void test_places(void **state) {
    (void)state;
    for (int format = 0; format < NUM_FORMATS; format++) {
        blob file = make_with_near_tags(format);
        const bool whole = format == MD3 || format == MDC;
        for (int quarters = -2; quarters <= 5; quarters++) {
            place_and_look(format, &file, 1, quarters, 0, format == MDC,
                           format == MDC ? 0.09 : 1e-4);
            place_and_look(format, &file, 1, quarters, 1.25f, format == MDC,
                           format == MDC ? 0.09 : 1e-4);
        }
        if (format != MDC)
            place_and_look(format, &file, 0.7f, 3, 0.3f, true, whole ? 0.015 : 1e-4);
        blob_free(&file);
    }
}

static void test_four_quarters_are_none(void **state) {
    (void)state;
    lm_error error;
    blob file = make_md3(&small_md3);
    lm_edit *edit = open_edit(&file);
    for (int i = 0; i < 4; i++)
        assert_true(place(edit, 0, 1, 0, false, &error));
    blob made = write_edit(edit);
    assert_same("four quarters", &made, &file);
    lm_edit_free(edit);
    blob_free(&made);
    blob_free(&file);
}

static void test_appended_frames_show_the_same(void **state) {
    (void)state;
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        blob file = make(format);
        lm_edit *edit = open_edit(&file), *other = open_edit(&file);
        static const uint32_t kept[] = {2, 0};
        assert_true(lm_edit_select(other, LM_EDIT_FRAMES, 0, kept, 2, &error));
        if (!lm_edit_append(edit, other, &error))
            fail_msg("%s", error.message);
        lm_edit_free(other);
        blob made = write_edit(edit);
        lm_take *a = take_of(&file), *b = take_of(&made);
        assert_int_equal(b->num_frames, a->num_frames + 2);
        for (uint32_t f = 0; f < a->num_frames; f++)
            assert_frame(a, f, b, f);
        assert_frame(a, 2, b, a->num_frames);
        assert_frame(a, 0, b, a->num_frames + 1);
        lm_take_free(a);
        lm_take_free(b);
        lm_edit_free(edit);
        blob_free(&made);
        blob_free(&file);
    }
}

/* Triangles' corners are where they were, of fewer vertices. */
static void assert_drawn_alike(const lm_take *a, const lm_take *b) {
    for (uint32_t s = 0; s < a->num_surfaces; s++) {
        const lm_take_surface *x = &a->surfaces[s], *y = &b->surfaces[s];
        assert_int_equal(x->num_triangles, y->num_triangles);
        for (uint32_t i = 0; i < 3 * x->num_triangles; i++)
            for (size_t f = 0; f < a->num_frames; f++) {
                const size_t at = 3 * (f * x->num_vertices + x->triangles[i]);
                const size_t now = 3 * (f * y->num_vertices + y->triangles[i]);
                assert_memory_equal(x->positions + at, y->positions + now, 12);
                assert_memory_equal(x->normals + at, y->normals + now, 12);
            }
        for (uint32_t i = 0; i < 3 * x->num_triangles; i++) {
            const uint32_t at = x->st_triangles ? x->st_triangles[i] : x->triangles[i];
            const uint32_t now = y->st_triangles ? y->st_triangles[i] : y->triangles[i];
            assert_memory_equal(x->st + 2 * (size_t)at, y->st + 2 * (size_t)now, 8);
        }
    }
}

static void trim_and_look(blob file, uint32_t vertices) {
    lm_error error;
    lm_edit *edit = open_edit(&file);
    if (!lm_edit_trim(edit, &error))
        fail_msg("%s", error.message);
    blob made = write_edit(edit);
    lm_take *a = take_of(&file), *b = take_of(&made);
    assert_int_equal(b->surfaces[0].num_vertices, vertices);
    assert_drawn_alike(a, b);
    write_unchanged("trimmed", &made);
    assert_true(lm_edit_trim(edit, &error));
    blob again = write_edit(edit);
    assert_same("trimmed twice", &again, &made);
    lm_take_free(a);
    lm_take_free(b);
    lm_edit_free(edit);
    blob_free(&again);
    blob_free(&made);
    blob_free(&file);
}

static void test_unused_vertices_go(void **state) {
    (void)state;
    static const md2_shape loose_md2 = {2, 12, 40, 4, 3, false};
    static const md3_shape loose_md3 = {4, 2, 2, 12, 3, 1};
    static const mdc_shape loose_mdc = {4, 2, 2, 12, 3, 1, 2, 2, false};
    trim_and_look(make_md2(&loose_md2), 6);
    trim_and_look(make_md3(&loose_md3), 5);
    trim_and_look(make_mdc(&loose_mdc), 5);
}

/* GL commands use vertices too. */
static void test_vertices_of_gl_commands_stay(void **state) {
    (void)state;
    static const md2_shape loose = {2, 12, 40, 4, 3, false};
    blob file = make_md2(&loose);
    put32(&file, get32(&file, MD2_AT_OFS_GLCMDS) + 4 + 8, 9);
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_trim(edit, NULL));
    const lm_md2 *md2 = lm_edit_document(edit);
    assert_int_equal(md2->num_xyz, 7);
    assert_int_equal(lm_md2_get_glcmd(md2, 3), 6);
    lm_md2_vertex before, after;
    lm_md2 *was = lm_md2_read(file.data, file.size, NULL, NULL);
    lm_md2_get_vertex(was, 2, 9, &before);
    lm_md2_get_vertex(md2, 2, 6, &after);
    assert_memory_equal(&before, &after, sizeof before);
    lm_md2_free(was);
    lm_edit_free(edit);
    blob_free(&file);
}

/* Surfaces of MD3 say how many frames there are, too. */
static void test_surfaces_count_their_frames(void **state) {
    (void)state;
    blob file = make(MD3);
    lm_edit *edit = open_edit(&file);
    assert_true(edit_append(edit, NULL));
    const lm_md3 *md3 = lm_edit_document(edit);
    assert_int_equal(md3->surfaces[1].num_frames, 8);
    assert_true(edit_drop_frames(edit, NULL));
    assert_int_equal(md3->surfaces[0].num_frames, 2);
    lm_edit_free(edit);
    blob_free(&file);
}

/* As near as the format's normals come to those that are computed for drawing. */
static void test_normals_are_computed(void **state) {
    (void)state;
    static const double most[] = {0.2, 0.02, 0.2, 0.2};
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        const lm_load_options options = {.normals = LM_NORMALS_COMPUTED};
        blob file = make(format);
        lm_model *model = lm_load_memory(file.data, file.size, &options, &error);
        lm_take *expected = lm_take_from_model(model, NULL, &error);
        lm_edit *edit = open_edit(&file);
        if (!lm_edit_compute_normals(edit, &error))
            fail_msg("%s", error.message);
        blob made = write_edit(edit);
        lm_take *found = take_of(&made);
        for (uint32_t s = 0; s < expected->num_surfaces; s++) {
            const lm_take_surface *x = &expected->surfaces[s], *y = &found->surfaces[s];
            const size_t count = (size_t)expected->num_frames * x->num_vertices;
            assert_memory_equal(x->positions, y->positions, count * 12);
            for (size_t i = 0; i < count; i++)
                assert_true(distance(vector_at(x->normals + 3 * i), vector_at(y->normals + 3 * i)) <
                            most[format]);
        }
        lm_take_free(expected);
        lm_take_free(found);
        lm_model_free(model);
        lm_edit_free(edit);
        blob_free(&made);
        blob_free(&file);
    }
}

static void assert_bounded(const lm_model *model, const lm_take *take, uint32_t frame) {
    lm_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
    for (uint32_t s = 0; s < take->num_surfaces; s++)
        for (size_t v = 0; v < take->surfaces[s].num_vertices; v++) {
            const size_t at = 3 * ((size_t)frame * take->surfaces[s].num_vertices + v);
            const lm_vec3 p = vector_at(take->surfaces[s].positions + at);
            min = (lm_vec3){fminf(min.x, p.x), fminf(min.y, p.y), fminf(min.z, p.z)};
            max = (lm_vec3){fmaxf(max.x, p.x), fmaxf(max.y, p.y), fmaxf(max.z, p.z)};
            radius = fmax(radius, distance(p, model->frames[frame].origin));
        }
    assert_true(distance(min, model->frames[frame].min) < 1e-5);
    assert_true(distance(max, model->frames[frame].max) < 1e-5);
    assert_float_equal(radius, (double)model->frames[frame].radius, 1e-4);
}

static void test_bounds_are_computed(void **state) {
    (void)state;
    for (int format = MD3; format <= MDC; format++) {
        blob file = make(format);
        lm_edit *edit = open_edit(&file);
        assert_true(lm_edit_compute_bounds(edit, NULL));
        blob made = write_edit(edit);
        lm_model *model = load_blob(&made);
        lm_take *take = take_of(&made);
        for (uint32_t f = 0; f < model->num_frames; f++)
            assert_bounded(model, take, f);
        lm_take_free(take);
        lm_model_free(model);
        lm_edit_free(edit);
        blob_free(&made);
        blob_free(&file);
    }
}

static void test_tags_come_and_move(void **state) {
    (void)state;
    for (int format = MD3; format <= MDC; format++) {
        static const lm_vec3 at = {1.5f, -2, 0.25f}, by = {-0.5f, 1, 2};
        blob file = make(format);
        lm_edit *edit = open_edit(&file);
        lm_error error;
        char longest[65] = "";
        memset(longest, 't', 64); /* a byte more than its field has room for */
        assert_false(lm_edit_add_tag(edit, longest, &at, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_non_null(strstr(error.message, "has 64 bytes, but there is room for 63"));
        assert_true(lm_edit_add_tag(edit, "tag_new", &at, NULL));
        assert_true(lm_edit_move_tag(edit, 0, &by, NULL));
        assert_true(lm_edit_move_tag(edit, 2, &by, NULL));
        blob made = write_edit(edit);
        lm_take *a = take_of(&file), *b = take_of(&made);
        assert_int_equal(b->num_tags, a->num_tags + 1);
        assert_string_equal(b->tags[2].name, "tag_new");
        for (uint32_t f = 0; f < a->num_frames; f++) {
            const lm_vec3 was = a->tags[0].poses[f].origin;
            const lm_vec3 moved = {was.x + by.x, was.y + by.y, was.z + by.z};
            assert_true(distance(b->tags[0].poses[f].origin, moved) < 1e-5);
            assert_true(distance(b->tags[2].poses[f].origin, (lm_vec3){1, -1, 2.25f}) < 1e-6);
            assert_memory_equal(&b->tags[1].poses[f], &a->tags[1].poses[f], sizeof(lm_transform));
        }
        lm_take_free(a);
        lm_take_free(b);
        lm_edit_free(edit);
        blob_free(&made);
        blob_free(&file);
    }
}

/* ---- Clips ---------------------------------------------------------------------------------- */

static void assert_name(lm_edit *edit, lm_edit_list list, uint32_t index, const char *expected) {
    char name[LM_EDIT_NAME_SIZE];
    lm_edit_name(edit, list, 0, index, name);
    assert_string_equal(name, expected);
}

static void test_a_clip_names_its_frames(void **state) {
    (void)state;
    blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    lm_edit *edit = open_edit(&file);
    uint32_t first, count;
    assert_int_equal(lm_edit_count(edit, LM_EDIT_CLIPS, 0), 2);
    assert_true(lm_edit_clip(edit, 1, &first, &count));
    assert_int_equal(first, 2);
    assert_int_equal(count, 1);
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "idle", NULL));
    assert_name(edit, LM_EDIT_FRAMES, 0, "idle01");
    assert_name(edit, LM_EDIT_FRAMES, 1, "idle02");
    assert_name(edit, LM_EDIT_CLIPS, 0, "idle");
    assert_true(lm_edit_substitute(edit, LM_EDIT_CLIPS, "s/^/x/", &count, NULL));
    assert_int_equal(count, 2);
    assert_name(edit, LM_EDIT_FRAMES, 0, "xidle01");
    assert_name(edit, LM_EDIT_FRAMES, 2, "xrun3");
    assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 1, "walk07", NULL));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_CLIPS, 0), 3);
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 4);
    lm_edit_free(edit);
    blob_free(&file);
}

static void test_names_are_found(void **state) {
    (void)state;
    blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    lm_edit *edit = open_edit(&file);
    uint32_t index = 9;
    assert_false(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand", &index));
    assert_false(lm_edit_find(edit, LM_EDIT_SKINS, 0, "stand02", &index));
    assert_int_equal(index, 9);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand02", &index));
    assert_int_equal(index, 1);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "RUN3", &index));
    assert_int_equal(index, 2);
    assert_true(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index));
    assert_int_equal(index, 1);
    lm_edit_free(edit);
    blob_free(&file);
}

/* As many frames as before, of which one comes twice, are a change. */
static void test_a_frame_takes_the_place_of_another(void **state) {
    (void)state;
    blob file = make_md2(&small_md2);
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, (const uint32_t[]){1, 1, 2}, 3, NULL));
    assert_name(edit, LM_EDIT_FRAMES, 0, "stand02");
    assert_name(edit, LM_EDIT_FRAMES, 2, "run3");
    lm_edit_free(edit);
    blob_free(&file);
}

/* What is told of many frames ends with dots, and is right as far as it goes. */
static void test_a_long_list_is_told_in_part(void **state) {
    (void)state;
    uint32_t indices[60], count;
    char all[400] = "60: 0";
    blob file = make_md2(&(md2_shape){0, 4, 3, 2, 120, true});
    lm_edit *edit = open_edit(&file);
    for (uint32_t i = 0; i < 60; i++) {
        indices[i] = 2 * i;
        if (i > 0)
            snprintf(all + strlen(all), 8, ", %u", (unsigned)indices[i]);
    }
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, indices, 60, NULL));
    const lm_edit_change *changes = lm_edit_changes(edit, &count);
    assert_int_equal(count, 1);
    const size_t told = strlen(changes[0].after) - strlen(", ...");
    assert_in_range(told, 100, 200);
    assert_string_equal(changes[0].after + told, ", ...");
    assert_memory_equal(changes[0].after, all, told);
    assert_true(all[told] == ',');
    lm_edit_free(edit);
    blob_free(&file);
}

/* Two clips of one name are told apart, which their frames' names do not show. */
static void test_a_clip_that_was_told_apart(void **state) {
    (void)state;
    blob file = make_md2(&small_md2);
    lm_edit *edit = open_edit(&file);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, i, i == 1 ? "b01" : "run01", NULL));
    assert_name(edit, LM_EDIT_CLIPS, 2, "run_2");
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 2, "sprint", NULL));
    assert_name(edit, LM_EDIT_FRAMES, 2, "sprint01");
    assert_name(edit, LM_EDIT_FRAMES, 0, "run01");
    lm_edit_free(edit);
    blob_free(&file);
}

/* ---- Patterns ------------------------------------------------------------------------------- */

static void test_patterns(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *name, *expected;
    } tries[] = {
        {"s/a/b/", "banana", "bbnana"},
        {"s/a/b/g", "banana", "bbnbnb"},
        {"s#^models/#players/#", "models/a/b.pcx", "players/a/b.pcx"},
        {"s#^models/#players/#", "xmodels/a", "xmodels/a"},
        {"s#\\.pcx$#.tga#", "a.pcx.pcx", "a.pcx.tga"},
        {"s/.pcx/x/", "apcx", "x"},
        {"s/.pcx/x/", "apcxx.pcx", "xx.pcx"},
        {"s/PCX/tga/i", "a.pcX", "a.tga"},
        {"s/[A-C]/x/gi", "aBcD", "xxxD"},
        {"s/[^a-c/]/-/g", "ab/de", "ab/--"},
        {"s/[]x]/-/g", "a]x", "a--"},
        {"s/[]/]/-/g", "a]/", "a--"},
        {"s/[^]/]/-/g", "a]/b", "-]/-"},
        {"s/(.*)\\/(.*)/\\2 of \\1/", "a/b/c", "c of a/b"},
        {"s/a*/x/", "baaa", "xbaaa"},
        {"s/a*/x/g", "baac", "xbxcx"},
        {"s/a+/x/g", "baac", "bxc"},
        {"s/(ab)+/<&>/", "xababa", "x<abab>a"},
        {"s/colou?r/x/", "color", "x"},
        {"s/cat|dog/pet/g", "cat dog cow", "pet pet cow"},
        {"s/^(a|ab)(c|bcd)$/\\2\\1/", "abcd", "bcda"},
        {"s/$/!/", "a", "a!"},
        {"s/^/!/g", "a", "!a"},
        {"s/x/a\\&b/", "x", "a&b"},
        {"s,a\\,b,c,", "a,b", "c"},
        {"s/a\\/b/c/", "a/b", "c"},
        {"s/(a)|b/[\\1]/g", "ab", "[a][]"},
        {"s/(a*)*b/x/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", ""},
        {"s/^(abcdefghijkl)*z$/x/", "abcdefghijklabcdefghijklz", "x"},
        {"s/^abcdefghijkl|m$/x/", "abcdefghijklm", "xm"},
        {"s/(a|a)*(a|a)*(a|a)*$/x/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabx"},
        {"s/a//", "a", ""},
    };
    blob file = make_md3(&small_md3);
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        lm_error error;
        lm_edit *edit = open_edit(&file);
        const char *expected =
            *tries[i].expected || strlen(tries[i].name) < 2 ? tries[i].expected : tries[i].name;
        assert_true(lm_edit_rename(edit, LM_EDIT_HEADER, 0, 0, tries[i].name, NULL));
        if (!lm_edit_substitute(edit, LM_EDIT_HEADER, tries[i].pattern, NULL, &error))
            fail_msg("%s", error.message);
        assert_name(edit, LM_EDIT_HEADER, 0, expected);
        lm_edit_free(edit);
    }
    blob_free(&file);
}

static void test_patterns_that_are_none(void **state) {
    (void)state;
    static const char *const none[] = {"",
                                       "s",
                                       "x/a/b/",
                                       "s/a/b",
                                       "s/a",
                                       "sxaxbx",
                                       "s/a/b/q",
                                       "s/(a/b/",
                                       "s/a)/b/",
                                       "s/[a/b/",
                                       "s/*a/b/",
                                       "s/a|+/b/",
                                       "s/(/b/",
                                       "s/[]/b/",
                                       "s\\a\\b\\",
                                       "s a b ",
                                       "s/((((((((((a))))))))))/b/",
                                       ("s/[a][a][a][a][a][a][a][a][a][a][a][a]"
                                        "[a][a][a][a][a]/b/")};
    /* Patterns of as many steps as there may be, 255, and of one more, by each way to a step. */
    static const struct {
        int plain;
        const char *behind;
        bool fits;
    } edges[] = {{255, "", true},    {256, "", false},  {253, "b*", false}, {252, "b*", true},
                 {254, "b*", false}, {255, "*", false}, {255, "+", false},  {254, "+", true},
                 {255, "?", false},  {254, "?", true},  {254, "|", false},  {253, "|", true},
                 {255, "|", false},  {255, "(", false}, {254, "()", false}, {253, "()", true}};
    char longer[700] = "s/";
    lm_error error;
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        if (lm_edit_check_substitution(none[i], &error))
            fail_msg("%s is understood", none[i]);
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        note_said("%s", error.message);
    }
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        memset(longer + 2, 'a', (size_t)edges[i].plain);
        snprintf(longer + 2 + edges[i].plain, 8, "%s/b/", edges[i].behind);
        if (lm_edit_check_substitution(longer, &error) != edges[i].fits)
            fail_msg("%d bytes and %s", edges[i].plain, edges[i].behind);
        if (!edges[i].fits)
            assert_non_null(strstr(error.message, "too long"));
    }
    memset(longer + 2, 'a', 500);
    memcpy(longer + 502, "/b/", 4);
    assert_false(lm_edit_check_substitution(longer, &error));
    note_said("%.120s", strstr(error.message, " is not"));
    assert_said_as_before("patterns");
}

/* ---- Encoding anew -------------------------------------------------------------------------- */

static bool edit_recast(lm_edit *edit, lm_error *error) {
    const lm_edit_recast recast = {.scale = 0.5, .degrees = 30, .move = {1, 2, 3}};
    return lm_edit_encode(edit, &recast, NULL, error);
}

static bool edit_rate(lm_edit *edit, lm_error *error) {
    const lm_edit_recast recast = {.fps = 20};
    return lm_edit_encode(edit, &recast, NULL, error);
}

/* Cases that leave nothing of the file as it was. */
static const edit_case recasts[] = {
    {"elsewhere", ALL_FORMATS, edit_recast},
    {"more frames", ALL_FORMATS, edit_rate},
};

/* Where the corners of triangles are: an encoder may weld vertices, and leaves the triangles. */
static void test_what_is_encoded_anew_is_where_it_should_be(void **state) {
    (void)state;
    const float c = 0.5f * (float)cos(M_PI / 6), s = 0.5f * (float)sin(M_PI / 6);
    const lm_transform to = {{1, 2, 3}, {{c, s, 0}, {-s, c, 0}, {0, 0, 0.5f}}};
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        double most = -1;
        const lm_edit_recast recast = {.scale = 0.5, .degrees = 30, .move = {1, 2, 3}};
        blob file = make_with_near_tags(format);
        lm_edit *edit = open_edit(&file);
        if (!lm_edit_encode(edit, &recast, &most, &error))
            fail_msg("%s", error.message);
        assert_true(most >= 0 && most < 1.5);
        blob made = write_edit(edit);
        lm_take *a = take_of(&file), *b = take_of(&made);
        assert_int_equal(a->num_frames, b->num_frames);
        for (uint32_t k = 0; k < a->num_surfaces; k++) {
            const lm_take_surface *x = &a->surfaces[k], *y = &b->surfaces[k];
            assert_int_equal(x->num_triangles, y->num_triangles);
            for (uint32_t i = 0; i < 3 * x->num_triangles && format == MD2; i++) {
                lm_vec3 p = vector_at(x->positions + (size_t)3 * x->triangles[i]);
                lm_transform_points(&to, &p, 1);
                assert_true(distance(p, vector_at(y->positions + (size_t)3 * y->triangles[i])) <
                            most + 1e-4);
            }
        }
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "after", &error));
        blob renamed = write_edit(edit);
        assert_int_equal(renamed.size, made.size);
        lm_take_free(a);
        lm_take_free(b);
        lm_edit_free(edit);
        blob_free(&renamed);
        blob_free(&made);
        blob_free(&file);
    }
}

static void test_a_rate_makes_frames(void **state) {
    (void)state;
    blob file = make_md2(&small_md2); /* stand01, stand02, which loop; run3 */
    lm_edit *edit = open_edit(&file);
    assert_true(edit_rate(edit, NULL));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_FRAMES, 0), 4 + 2);
    assert_name(edit, LM_EDIT_CLIPS, 0, "stand");
    assert_name(edit, LM_EDIT_CLIPS, 1, "run");
    lm_edit_free(edit);
    blob_free(&file);
}

/* ---- What cannot be ------------------------------------------------------------------------- */

typedef struct refusal {
    int format;
    lm_code code;
    bool (*run)(lm_edit *edit, lm_error *error);
} refusal;

static bool refuse_index(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 0, 7, "a", error);
}

static bool refuse_surface(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 7, 0, "a", error);
}

static bool refuse_length(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "sixteen letters.", error);
}

static bool refuse_made_length(lm_edit *edit, lm_error *error) {
    return lm_edit_substitute(edit, LM_EDIT_FRAMES, "s/a/0123456789abcdef/", NULL, error);
}

static bool refuse_tags(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_TAGS, 0, 0, "a", error);
}

static bool refuse_no_frames(lm_edit *edit, lm_error *error) {
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, NULL, 0, error);
}

static bool refuse_twice(lm_edit *edit, lm_error *error) {
    static const uint32_t twice[] = {0, 1, 0};
    return lm_edit_select(edit, LM_EDIT_SKINS, 0, twice, 3, error);
}

static bool refuse_far_frame(lm_edit *edit, lm_error *error) {
    static const uint32_t far[] = {0, 3000000000u};
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, far, 2, error);
}

static bool refuse_clips(lm_edit *edit, lm_error *error) {
    static const uint32_t first[] = {0};
    return lm_edit_select(edit, LM_EDIT_CLIPS, 0, first, 1, error);
}

static bool refuse_empty_clip(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "", error);
}

static bool refuse_list(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, (lm_edit_list)77, 0, 0, "a", error);
}

static bool refuse_long_path(lm_edit *edit, lm_error *error) {
    return lm_edit_add_skin(
        edit, 0, "0123456789012345678901234567890123456789012345678901234567890123", error);
}

static bool refuse_picture_name(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "a", error);
}

static bool refuse_no_picture(lm_edit *edit, lm_error *error) {
    return lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, error);
}

static bool refuse_picture(lm_edit *edit, lm_error *error) {
    return lm_edit_add_skin(edit, 0, "a", error);
}

static bool refuse_rounding(lm_edit *edit, lm_error *error) {
    return place(edit, 0, 0, 0.01f, false, error);
}

static bool refuse_far_place(lm_edit *edit, lm_error *error) {
    return place(edit, 0, 0, 400, true, error);
}

static bool refuse_scale(lm_edit *edit, lm_error *error) {
    return place(edit, 2, 0, 0, true, error);
}

static bool refuse_no_scale(lm_edit *edit, lm_error *error) {
    return place(edit, -1, 0, 0, true, error);
}

static bool refuse_tag_far_away(lm_edit *edit, lm_error *error) {
    static const lm_vec3 far = {0, 0, 1e6f};
    return lm_edit_add_tag(edit, "tag_far", &far, error);
}

static bool refuse_huge(lm_edit *edit, lm_error *error) {
    return place(edit, 3e38f, 0, 1e38f, true, error);
}

static bool refuse_huge_tag(lm_edit *edit, lm_error *error) {
    static const lm_vec3 far = {0, 3e38f, 0};
    return lm_edit_add_tag(edit, "tag_far", &far, error);
}

static bool refuse_huge_move(lm_edit *edit, lm_error *error) {
    static const lm_vec3 far = {0, 0, -3e38f};
    return lm_edit_move_tag(edit, 0, &far, error);
}

static bool refuse_no_place(lm_edit *edit, lm_error *error) {
    static const lm_vec3 none = {0, NAN, 0};
    return lm_edit_add_tag(edit, "tag_none", &none, error);
}

static bool refuse_append(lm_edit *edit, lm_error *error) {
    static const md2_shape md2 = {2, 7, 9, 4, 3, false};
    static const md3_shape md3 = {4, 1, 2, 5, 3, 1};
    static const mdc_shape mdc = {4, 2, 2, 6, 3, 1, 2, 2, false};
    const char *format = lm_edit_format(edit)->name;
    blob file = strcmp(format, "md2") == 0   ? make_md2(&md2)
                : strcmp(format, "md3") == 0 ? make_md3(&md3)
                : strcmp(format, "mdc") == 0 ? make_mdc(&mdc)
                                             : make_md2(&small_md2);
    lm_edit *other = open_edit(&file);
    const bool done = lm_edit_append(edit, other, error);
    lm_edit_free(other);
    blob_free(&file);
    return done;
}

static bool refuse_bounds(lm_edit *edit, lm_error *error) {
    return lm_edit_compute_bounds(edit, error);
}

static bool refuse_rate(lm_edit *edit, lm_error *error) {
    const lm_edit_recast recast = {.fps = 1e9};
    return lm_edit_encode(edit, &recast, NULL, error);
}

static bool refuse_recast(lm_edit *edit, lm_error *error) {
    const lm_edit_recast recast = {.degrees = NAN};
    return lm_edit_encode(edit, &recast, NULL, error);
}

static const refusal refusals[] = {
    {MD2, LM_CODE_LIMIT, refuse_huge},
    {MD3, LM_CODE_LIMIT, refuse_huge},
    {MDL, LM_CODE_LIMIT, refuse_huge},
    {MD3, LM_CODE_LIMIT, refuse_huge_tag},
    {MD3, LM_CODE_LIMIT, refuse_huge_move},
    {MD2, LM_CODE_LIMIT, refuse_rate},
    {MD3, LM_CODE_BAD_ARGUMENT, refuse_recast},
    {MD3, LM_CODE_LIMIT, refuse_rounding},
    {MDC, LM_CODE_LIMIT, refuse_rounding},
    {MD3, LM_CODE_LIMIT, refuse_far_place},
    {MDC, LM_CODE_LIMIT, refuse_far_place},
    {MDC, LM_CODE_LIMIT, refuse_scale},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_no_scale},
    {MDC, LM_CODE_LIMIT, refuse_tag_far_away},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_no_place},
    {MD3, LM_CODE_BAD_ARGUMENT, refuse_no_place},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_append},
    {MD3, LM_CODE_BAD_ARGUMENT, refuse_append},
    {MDC, LM_CODE_BAD_ARGUMENT, refuse_append},
    {MDL, LM_CODE_BAD_ARGUMENT, refuse_append},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_bounds},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_index},
    {MD3, LM_CODE_BAD_ARGUMENT, refuse_index},
    {MDC, LM_CODE_BAD_ARGUMENT, refuse_surface},
    {MD2, LM_CODE_LIMIT, refuse_length},
    {MDL, LM_CODE_LIMIT, refuse_length},
    {MD3, LM_CODE_LIMIT, refuse_made_length},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_tags},
    {MDL, LM_CODE_BAD_ARGUMENT, refuse_tags},
    {MD3, LM_CODE_BAD_ARGUMENT, refuse_no_frames},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_twice},
    {MDC, LM_CODE_BAD_ARGUMENT, refuse_far_frame},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_clips},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_empty_clip},
    {MD2, LM_CODE_BAD_ARGUMENT, refuse_list},
    {MD2, LM_CODE_LIMIT, refuse_long_path},
    {MDL, LM_CODE_BAD_ARGUMENT, refuse_picture_name},
    {MDL, LM_CODE_BAD_ARGUMENT, refuse_picture},
    {MDL, LM_CODE_BAD_ARGUMENT, refuse_no_picture},
};

static void test_what_cannot_be_changes_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        lm_error error = {0};
        uint32_t count;
        blob file = make(refusals[i].format);
        lm_edit *edit = open_edit(&file);
        if (refusals[i].run(edit, &error))
            fail_msg("refusal %zu was done", i);
        assert_false(refusals[i].run(edit, NULL));
        assert_int_equal(error.code, refusals[i].code);
        note_said("%s", error.message);
        lm_edit_changes(edit, &count);
        assert_int_equal(count, 0);
        blob made = write_edit(edit);
        assert_same("a refusal", &made, &file);
        blob_free(&made);
        lm_edit_free(edit);
        blob_free(&file);
    }
    assert_said_as_before("edit");
}

static void test_changes_are_told(void **state) {
    (void)state;
    static const char *const formats[] = {"MD2", "MD3", "MDC", "MDL"};
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 1; i < COUNT_OF(cases); i++) {
            if (!(cases[i].formats >> format & 1))
                continue;
            uint32_t count;
            blob file = make(format);
            lm_edit *edit = open_edit(&file);
            assert_true(cases[i].run(edit, NULL));
            const lm_edit_change *changes = lm_edit_changes(edit, &count);
            note_said("%s, %s", formats[format], cases[i].name);
            for (uint32_t k = 0; k < count; k++)
                note_said("  %s: %s -> %s", changes[k].what,
                          changes[k].before ? changes[k].before : "(none)",
                          changes[k].after ? changes[k].after : "(none)");
            lm_edit_free(edit);
            blob_free(&file);
        }
    assert_said_as_before("changes");
}

/* ---- Damage, memory ------------------------------------------------------------------------- */

static void test_damaged_files(void **state) {
    (void)state;
    chance c = chance_from(11);
    for (int format = 0; format < NUM_FORMATS; format++) {
        blob file = make(format);
        for (size_t size = 0; size < file.size; size++) {
            blob cut = blob_copy(file.data, size);
            lm_error error = {0};
            lm_edit *edit = lm_edit_open(cut.data, cut.size, NULL, &error);
            if (!edit)
                assert_error_told(&error);
            lm_edit_free(edit);
            blob_free(&cut);
        }
        for (int round = 0; round < 3000; round++) {
            blob bad = blob_copy(file.data, file.size);
            bad.data[8 + chance_below(&c, (uint32_t)(bad.size - 8))] = (uint8_t)chance_next(&c);
            lm_edit *edit = lm_edit_open(bad.data, bad.size, NULL, NULL);
            const edit_case *it = &cases[chance_below(&c, COUNT_OF(cases))];
            if (edit && it->formats >> format & 1 && it->run != edit_paths)
                it->run(edit, NULL);
            if (edit) {
                blob made = write_edit(edit);
                blob_free(&made);
            }
            lm_edit_free(edit);
            blob_free(&bad);
        }
        blob_free(&file);
    }
    assert_null(lm_edit_open("abcdefgh", 8, NULL, NULL));
    lm_edit_free(NULL);
}

/* Every allocation fails once: the edit is then as it was, or done. */
static void fail_each_allocation(int format, const edit_case *c) {
    blob file = make(format), expected = run_case(c, &file);
    bool done = false;
    for (size_t at = 1; !done; at++) {
        counted counts = {.fail_at = at};
        lm_error error = {0};
        const lm_memory memory = {.allocator = counting_allocator(&counts)};
        lm_edit *edit = lm_edit_open(file.data, file.size, &memory, &error);
        const bool ran = edit && c->run(edit, &error);
        lm_buffer out = {.allocator = memory.allocator};
        const bool written = ran && lm_edit_write(edit, &out, &error);
        done = written && counts.calls < at;
        if (!written && error.code != LM_CODE_OUT_OF_MEMORY)
            fail_msg("%s: allocation %zu: %s", c->name, at, error.message);
        if (written) {
            blob made = {out.data, out.size};
            assert_same(c->name, &made, &expected);
        } else if (edit && !ran && c->run != edit_much && c->run != edit_append) {
            counts.fail_at = 0;
            assert_true(lm_edit_write(edit, &out, &error));
            blob made = {out.data, out.size};
            assert_same(c->name, &made, &file);
        }
        lm_buffer_free(&out);
        lm_edit_free(edit);
        assert_all_released(&counts);
    }
    blob_free(&file);
    blob_free(&expected);
}

static void test_every_allocation_fails_once(void **state) {
    (void)state;
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 0; i < COUNT_OF(cases); i++)
            if (cases[i].formats >> format & 1)
                fail_each_allocation(format, &cases[i]);
    fail_each_allocation(MD3, &recasts[0]);
    fail_each_allocation(MD2, &recasts[1]);
}

static void test_a_buffer_that_is_full(void **state) {
    (void)state;
    for (int format = 0; format < NUM_FORMATS; format++) {
        blob file = make(format);
        lm_edit *edit = open_edit(&file);
        lm_error error = {0};
        lm_buffer out = {.max_size = file.size + 2};
        lm_buffer_text(&out, "abc");
        assert_false(lm_edit_write(edit, &out, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_int_equal(out.size, 3);
        assert_false(out.failed);
        out.max_size++;
        assert_true(lm_edit_write(edit, &out, &error));
        assert_memory_equal(out.data + 3, file.data, file.size);
        lm_buffer_free(&out);
        lm_edit_free(edit);
        blob_free(&file);
    }
}

/* ---- Scripts of chance ---------------------------------------------------------------------- */

static void take_a_step(lm_edit *edit, chance *c) {
    static const char *const patterns[] = {"s/a/bb/g", "s/^/x/", "s/.$//", "s/(.)(.)/\\2\\1/g"};
    const lm_edit_list list = (lm_edit_list)chance_below(c, LM_NUM_EDIT_LISTS);
    const uint32_t surface = chance_below(c, 3), count = lm_edit_count(edit, list, surface);
    char name[20];
    uint32_t picked[12], num = chance_below(c, 12);
    lm_error error = {0};
    bool done = false;
    snprintf(name, sizeof name, "n%u", (unsigned)chance_below(c, 1000));
    const lm_vec3 vector = {(float)chance_below(c, 9) - 4, 0, 0.5f};
    switch (chance_below(c, 10)) {
    case 0:
        done = lm_edit_rename(edit, list, surface, chance_below(c, count + 1), name, &error);
        break;
    case 1:
        done = lm_edit_substitute(edit, list, patterns[chance_below(c, 4)], NULL, &error);
        break;
    case 2:
        for (uint32_t i = 0; i < num; i++)
            picked[i] = chance_below(c, count + (chance_below(c, 20) == 0));
        done = lm_edit_select(edit, list, surface, picked, num, &error);
        break;
    case 3:
        done = lm_edit_append(edit, edit, &error);
        break;
    case 4:
        done = lm_edit_trim(edit, &error);
        break;
    case 5:
        done = place(edit, chance_below(c, 2) ? 1.25f : 1, (int)chance_below(c, 4), vector.x,
                     chance_below(c, 2), &error);
        break;
    case 6:
        done = lm_edit_add_tag(edit, name, &vector, &error);
        break;
    case 7:
        done = lm_edit_move_tag(edit, chance_below(c, 3), &vector, &error);
        break;
    case 8:
        done = chance_below(c, 2) ? lm_edit_compute_normals(edit, &error)
                                  : lm_edit_compute_bounds(edit, &error);
        break;
    default:
        done = lm_edit_add_skin(edit, surface, name, &error);
    }
    if (!done)
        assert_error_told(&error);
}

/* Whatever was done and refused, what is written reads as the document, and again as itself. */
static void test_scripts_of_chance(void **state) {
    (void)state;
    chance c = chance_from(5);
    for (int round = 0; round < 400; round++) {
        const int format = round % NUM_FORMATS;
        blob plain = make(format);
        blob file = lay_out(format, &plain, chance_below(&c, 14), chance_below(&c, 3));
        lm_edit *edit = open_edit(&file);
        for (uint32_t i = 0, steps = chance_below(&c, 12); i < steps; i++)
            take_a_step(edit, &c);
        blob made = write_edit(edit);
        write_unchanged("what was written", &made);
        lm_edit_free(edit);
        blob_free(&made);
        blob_free(&file);
        blob_free(&plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_bytes_stay),
        cmocka_unit_test(test_shared_bytes_come_apart),
        cmocka_unit_test(test_real_files_stay_as_they_are),
        cmocka_unit_test(test_a_path_touches_its_field),
        cmocka_unit_test(test_the_document_may_be_changed),
        cmocka_unit_test(test_picked_frames_show_the_same),
        cmocka_unit_test(test_mdc_loses_what_nobody_uses),
        cmocka_unit_test(test_mdc_keeps_what_nobody_used),
        cmocka_unit_test(test_mdl_groups_keep_their_times),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_four_quarters_are_none),
        cmocka_unit_test(test_appended_frames_show_the_same),
        cmocka_unit_test(test_unused_vertices_go),
        cmocka_unit_test(test_vertices_of_gl_commands_stay),
        cmocka_unit_test(test_surfaces_count_their_frames),
        cmocka_unit_test(test_normals_are_computed),
        cmocka_unit_test(test_bounds_are_computed),
        cmocka_unit_test(test_tags_come_and_move),
        cmocka_unit_test(test_a_clip_names_its_frames),
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_a_frame_takes_the_place_of_another),
        cmocka_unit_test(test_a_long_list_is_told_in_part),
        cmocka_unit_test(test_a_clip_that_was_told_apart),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_patterns_that_are_none),
        cmocka_unit_test(test_what_is_encoded_anew_is_where_it_should_be),
        cmocka_unit_test(test_a_rate_makes_frames),
        cmocka_unit_test(test_what_cannot_be_changes_nothing),
        cmocka_unit_test(test_changes_are_told),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_a_buffer_that_is_full),
        cmocka_unit_test(test_scripts_of_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
