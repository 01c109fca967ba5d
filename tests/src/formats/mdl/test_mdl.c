/* Tests MDL documents and models. Every field is read and written back to the byte. Other tests
 * cover groups of frames and of skins, the seam, damage and its repair, limits, and the file's
 * anatomy. */
#include "documents.h"
#include "elements.h"
#include "formats/mdl/mdl_write.h"

/* Offsets in the file that make_mdl makes, defined independently of the library. */
enum {
    AT_SCALE = 8,
    AT_NUM_SKINS = 48,
    AT_SKINWIDTH = 52,
    AT_SKINHEIGHT = 56,
    AT_NUM_VERTS = 60,
    AT_NUM_TRIS = 64,
    AT_NUM_FRAMES = 68,
    AT_FLAGS = 76,
    AT_SKIN_0 = 84,
    AT_SKIN_1 = AT_SKIN_0 + 4 + 32, /* a group of 2 */
    AT_ST = AT_SKIN_1 + 8 + 2 * 4 + 2 * 32,
    AT_TRIS = AT_ST + 6 * 12,
    AT_FRAME_0 = AT_TRIS + 4 * 16,
    POSE = 24 + 6 * 4,
    AT_FRAME_1 = AT_FRAME_0 + 4 + POSE, /* a group of 3 */
    AT_TIMES = AT_FRAME_1 + 16,
    AT_FRAME_2 = AT_TIMES + 3 * 4 + 3 * POSE,
    SIZE = AT_FRAME_2 + 4 + POSE
};

static lm_model *mend(const blob *file) {
    return load_blob_with(file, &(lm_load_options){.repair = true});
}

static uint32_t warned(const lm_model *m, lm_code code) {
    for (uint32_t i = 0; i < m->num_warnings; i++)
        if (m->warnings[i].code == code)
            return m->warnings[i].count;
    return 0;
}

/* Returns the code of the damage with which a strict reader rejects a file. */
static lm_code refused_strictly(const blob *file) {
    lm_error error = {0};
    const lm_load_options strict = {.strict = true};
    assert_null(lm_load_memory(file->data, file->size, &strict, &error));
    assert_error_valid(&error);
    const lm_code code = error.code;
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, NULL, &error);
    OWNED(lm_mdl) *document = lm_mdl_read(file->data, file->size, NULL, &error);
    const bool harmless = code == LM_CODE_BAD_TYPE || code == LM_CODE_NORMAL_INDEX;
    assert_true(!m == !document);
    if (harmless != (m != NULL) && code != LM_CODE_BAD_TYPE)
        fail_msg("%s", lm_code_name(code));
    return code;
}

static lm_code refused(const blob *file) {
    lm_error error = {0};
    assert_null(lm_load_memory(file->data, file->size, NULL, &error));
    assert_error_valid(&error);
    const lm_code code = error.code;
    assert_null(lm_mdl_read(file->data, file->size, NULL, &error));
    assert_int_equal(error.code, code);
    return code;
}

/* ---- Documents ------------------------------------------------------------------------------- */

TEST(every_field_is_read) {
    AT_END(blob_free) blob file = make_mdl();
    assert_int_equal(file.size, SIZE);
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    assert_true(mdl->scale.x == 0.5f && mdl->scale.y == 0.25f && mdl->scale.z == -0.125f);
    assert_true(mdl->translate.x == -10 && mdl->translate.y == 20 && mdl->translate.z == 30.5f);
    assert_true(mdl->radius == 77 && mdl->eye.x == 1 && mdl->eye.y == 2 && mdl->eye.z == 3);
    const int32_t counts[] = {mdl->num_skins, mdl->skinwidth,  mdl->skinheight, mdl->num_verts,
                              mdl->num_tris,  mdl->num_frames, mdl->synctype,   mdl->flags};
    const int32_t known[] = {2, 8, 4, 6, 4, 3, 1, LM_MDL_ROTATES};
    assert_memory_equal(counts, known, sizeof known);
    assert_true(mdl->size == 9.5f);
    assert_int_equal(mdl->skins[0].type, 0);
    assert_int_equal(mdl->skins[0].num_images, 1);
    assert_null(mdl->skins[0].times);
    assert_ptr_equal(mdl->skins[0].images, file.data + AT_SKIN_0 + 4);
    assert_int_equal(mdl->skins[1].num_images, 2);
    assert_ptr_equal(mdl->skins[1].times, file.data + AT_SKIN_1 + 8);
    assert_true(lmi_mdl_get_time(mdl->skins[1].times, 1) == 1.5f);
    assert_ptr_equal(mdl->st, file.data + AT_ST);
    assert_ptr_equal(mdl->tris, file.data + AT_TRIS);
    assert_int_equal(mdl->frames[1].type, 1);
    assert_int_equal(mdl->frames[1].num_poses, 3);
    assert_ptr_equal(mdl->frames[1].bounds, file.data + AT_FRAME_1 + 8);
    assert_ptr_equal(mdl->frames[1].times, file.data + AT_TIMES);
    assert_ptr_equal(mdl->frames[2].poses, file.data + AT_FRAME_2 + 4);
    lm_mdl_st st;
    lmi_mdl_get_st(mdl, 3, &st);
    assert_int_equal(st.onseam, 32);
    assert_int_equal(st.s, 3);
    lm_mdl_triangle triangle;
    lmi_mdl_get_triangle(mdl, 1, &triangle);
    assert_int_equal(triangle.facesfront, 0);
    assert_int_equal(triangle.vertex[2], 3);
    lm_mdl_pose pose;
    lmi_mdl_get_pose(mdl, 1, 2, &pose);
    assert_string_equal(pose.name, "flame3");
    lm_mdl_vertex vertex;
    lmi_mdl_get_vertex(mdl, 2, 0, 5, &vertex);
    assert_int_equal(vertex.normal, file.data[SIZE - 1]);
}

TEST(unused_numbers_round_trip) {
    AT_END(blob_free) blob file = make_mdl();
    /* Unused numbers are kept, whatever their value. */
    put_real(&file, 32, NAN);
    put_real(&file, 80, INFINITY);
    put32(&file, AT_FLAGS, UINT32_MAX);
    assert_round_trip(&mdl_documents, "odd.mdl", &file);
}

TEST(equal_distinguishes_images_from_groups_of_one) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    /* A single image differs from a group of one. */
    OWNED(lm_mdl) *other = read_document(&mdl_documents, &file);
    other->skins[0].type = 1;
    other->skins[0].times = file.data + AT_TIMES;
    assert_false(lmi_mdl_equal(mdl, other));
    other->skins[0].type = 0;
    assert_true(lmi_mdl_equal(mdl, other));
    other->frames[0].type = 1;
    assert_false(lmi_mdl_equal(mdl, other));
}

static void expect_write_rejected(const lm_mdl *mdl, lm_code code) {
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_buffer_text(&out, "abc");
    assert_false(mdl_documents.write(mdl, &out, &error));
    assert_int_equal(error.code, code);
    assert_error_valid(&error);
    assert_int_equal(out.size, 3);
}

TEST(unreadable_documents_are_not_written) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    lm_mdl wrong = *mdl;
    wrong.num_tris = -1;
    expect_write_rejected(&wrong, LM_CODE_BAD_COUNT);
    wrong = *mdl;
    wrong.skinwidth = -8;
    expect_write_rejected(&wrong, LM_CODE_BAD_COUNT);
    wrong = *mdl;
    wrong.frames = NULL;
    expect_write_rejected(&wrong, LM_CODE_BAD_ARGUMENT);
    wrong = *mdl;
    wrong.st = NULL;
    expect_write_rejected(&wrong, LM_CODE_BAD_ARGUMENT);
    wrong = *mdl;
    wrong.skinwidth = wrong.skinheight = 60000;
    expect_write_rejected(&wrong, LM_CODE_LIMIT);
    wrong = *mdl;
    wrong.num_frames = 0;
    expect_write_rejected(&wrong, LM_CODE_BAD_COUNT);
    mdl->frames[1].times = file.data + AT_FRAME_1 + 4; /* points to the bounds, not to times */
    expect_write_rejected(mdl, LM_CODE_BAD_TIMES);
}

/* ---- Models ---------------------------------------------------------------------------------- */

TEST(groups_become_clips_with_their_own_times) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_model) *m = load_blob(&file);
    assert_string_equal(m->format, "mdl");
    assert_int_equal(m->num_frames, 5);
    assert_string_equal(m->frames[3].name, "flame3");
    assert_int_equal(m->num_clips, 3);
    assert_string_equal(m->clips[1].name, "flame");
    assert_int_equal(m->clips[1].first, 1);
    assert_int_equal(m->clips[1].count, 3);
    const float times[] = {0, 0.1f, 0.4f, 0.5f};
    assert_memory_equal(m->clips[1].times, times, sizeof times);
    assert_float_equal(m->clips[1].fps, 6, 1e-6);
    assert_null(m->clips[0].times);
    assert_null(m->clips[2].times);
    assert_true(m->clips[2].fps == LM_DEFAULT_FPS);
}

TEST(positions_normals_and_bounds) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    OWNED(lm_model) *m = load_blob(&file);
    float positions[12 * 3], normals[12 * 3];
    const lm_surface *s = &m->surfaces[0];
    assert_true(s->num_vertices <= 12);
    const lm_pose pose = {3, 3, 0};
    const lm_sample_target target = {.positions = positions, .normals = normals};
    assert_int_equal(lm_sample(m, 0, &pose, 1, &target), LM_CODE_OK);
    lm_vec3 min = m->frames[3].max, max = m->frames[3].min;
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        lm_mdl_vertex raw;
        lmi_mdl_get_vertex(mdl, 1, 2, (int32_t)s->file_vertices[v], &raw);
        const float *p = positions + 3 * v;
        assert_float_equal(p[0], raw.v[0] * 0.5f - 10, 1e-5);
        assert_float_equal(p[1], raw.v[1] * 0.25f + 20, 1e-5);
        assert_float_equal(p[2], raw.v[2] * -0.125f + 30.5f, 1e-5);
        assert_float_equal(normals[3 * v], lm_normal_table(LM_NUM_NORMALS_162)[raw.normal].x, 1e-5);
        min = (lm_vec3){fminf(min.x, p[0]), fminf(min.y, p[1]), fminf(min.z, p[2])};
        max = (lm_vec3){fmaxf(max.x, p[0]), fmaxf(max.y, p[1]), fmaxf(max.z, p[2])};
    }
    assert_true(min.x == m->frames[3].min.x && min.z == m->frames[3].min.z);
    assert_true(max.x == m->frames[3].max.x && max.z == m->frames[3].max.z);
}

/* Triangle 1 faces back: its corners on the seam are half a skin further right. */
TEST(the_seam) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    OWNED(lm_model) *m = load_blob(&file);
    const lm_surface *s = &m->surfaces[0];
    uint32_t shifted = 0;
    assert_int_equal(s->num_triangles, 4);
    for (int32_t t = 0; t < 4; t++)
        for (int32_t c = 0; c < 3; c++) {
            lm_mdl_triangle raw;
            lmi_mdl_get_triangle(mdl, t, &raw);
            lm_mdl_st st;
            lmi_mdl_get_st(mdl, raw.vertex[c], &st);
            const bool behind = raw.facesfront == 0 && st.onseam != 0;
            const uint32_t drawn = s->triangles[3 * t + c];
            assert_int_equal(s->file_vertices[drawn], raw.vertex[c]);
            assert_float_equal(s->st[drawn].x, (st.s + (behind ? 4 : 0) + 0.5) / 8, 1e-6);
            assert_float_equal(s->st[drawn].y, (st.t + 0.5) / 4, 1e-6);
            shifted += behind;
        }
    assert_true(shifted > 0 && s->num_vertices > s->num_file_vertices);
}

TEST(skins_are_pixels_of_the_games_palette) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(m->num_skins, 2);
    assert_string_equal(m->skins[1], "skin1");
    assert_int_equal(m->skin_width, 8);
    assert_int_equal(m->skin_height, 4);
    assert_int_equal(m->embedded_skins[0].num_images, 1);
    assert_null(m->embedded_skins[0].times);
    assert_memory_equal(m->embedded_skins[0].pixels, file.data + AT_SKIN_0 + 4, 32);
    assert_int_equal(m->embedded_skins[1].num_images, 2);
    assert_memory_equal(m->embedded_skins[1].pixels, file.data + AT_SKIN_1 + 16, 64);
    assert_true(m->embedded_skins[1].times[2] == 1.5f);
    assert_false(m->transparent_255);
    /* Greys first, white next to last; no index is transparent. */
    const uint8_t *p = m->palette;
    assert_true(p[0] == 0 && p[3] == 15 && p[45] == 235 && p[765] == 159 && p[767] == 83);
    assert_true(p[762] == 255 && p[763] == 255 && p[764] == 255);
    lm_model_free(m);
    put32(&file, AT_FLAGS, LM_MDL_TRANSPARENT_255);
    m = load_blob(&file);
    assert_true(m->transparent_255);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

TEST(every_count_is_checked) {
    static const struct {
        size_t at;
        uint32_t value;
        lm_code code;
    } wrong[] = {
        {4, 5, LM_CODE_BAD_VERSION},
        {AT_SKINWIDTH, 0, LM_CODE_BAD_SKIN_SIZE},
        {AT_SKINWIDTH, INT32_MAX, LM_CODE_BAD_OFFSET},
        {AT_SKINHEIGHT, UINT32_MAX, LM_CODE_BAD_SKIN_SIZE},
        {AT_NUM_SKINS, 0, LM_CODE_BAD_COUNT},
        {AT_NUM_SKINS, 3, LM_CODE_BAD_TYPE},
        {AT_NUM_SKINS, INT32_MAX, LM_CODE_BAD_OFFSET},
        {AT_NUM_VERTS, 0, LM_CODE_BAD_COUNT},
        {AT_NUM_VERTS, INT32_MAX, LM_CODE_BAD_OFFSET},
        {AT_NUM_TRIS, 0x80000000u, LM_CODE_BAD_COUNT},
        {AT_NUM_TRIS, 0x10000000u, LM_CODE_BAD_OFFSET},
        {AT_NUM_FRAMES, 0, LM_CODE_BAD_COUNT},
        {AT_NUM_FRAMES, 4, LM_CODE_BAD_OFFSET},
        {AT_NUM_FRAMES, INT32_MAX, LM_CODE_BAD_OFFSET},
        {AT_SKIN_0, 2, LM_CODE_BAD_TYPE},
        {AT_SKIN_1 + 4, 0, LM_CODE_BAD_COUNT},
        {AT_SKIN_1 + 4, INT32_MAX, LM_CODE_BAD_OFFSET},
        {AT_FRAME_1 + 4, UINT32_MAX, LM_CODE_BAD_COUNT},
        {AT_FRAME_1 + 4, 0x40000001u, LM_CODE_BAD_OFFSET},
        {AT_TRIS + 4, 6, LM_CODE_VERTEX_INDEX},
        {AT_TRIS + 8, UINT32_MAX, LM_CODE_VERTEX_INDEX},
        {AT_TIMES, 0, LM_CODE_BAD_TIMES},
        {AT_TIMES + 4, 0x7FC00000u, LM_CODE_BAD_TIMES},
        {AT_SCALE, 0x7F800000u, LM_CODE_NOT_FINITE},
        {SIZE - 4, 0xFF000000u, LM_CODE_NORMAL_INDEX},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        AT_END(blob_free) blob file = make_mdl();
        put32(&file, wrong[i].at, wrong[i].value);
        const lm_code code = refused_strictly(&file);
        if (code != wrong[i].code)
            fail_msg("case %zu: %s instead of %s", i, lm_code_name(code),
                     lm_code_name(wrong[i].code));
    }
}

TEST(every_prefix_is_rejected_or_repaired) {
    AT_END(blob_free) blob file = make_mdl();
    for (size_t size = 0; size < file.size; size++) {
        lm_error error = {0};
        AT_END(blob_free) blob cut = blob_copy(file.data, size);
        assert_null(lm_load_memory(cut.data, size, NULL, &error));
        assert_error_valid(&error);
        OWNED(lm_model) *m =
            lm_load_memory(cut.data, size, &(lm_load_options){.repair = true}, &error);
        /* The first frame must be complete; later ones need not be. */
        assert_int_equal(m != NULL, size >= AT_FRAME_1);
        if (m) {
            assert_model_valid(m);
            assert_true(warned(m, LM_CODE_BAD_OFFSET) == 1);
            assert_int_equal(m->num_frames, size < AT_TIMES + 12 ? 1
                                            : size < AT_FRAME_2  ? 1 + (size - AT_TIMES - 12) / POSE
                                                                 : 4);
        }
    }
}

TEST(repairable_damage_is_repaired) {
    AT_END(blob_free) blob file = make_mdl();
    put32(&file, AT_TRIS + 4, 6);
    file.data[SIZE - 1] = 200;
    put_real(&file, AT_SCALE, NAN);
    put_real(&file, AT_TIMES + 4, -1);
    put32(&file, AT_FRAME_1, 7);
    OWNED(lm_model) *m = mend(&file);
    assert_int_equal(m->surfaces[0].num_triangles, 3);
    assert_int_equal(warned(m, LM_CODE_VERTEX_INDEX), 1);
    assert_int_equal(warned(m, LM_CODE_NORMAL_INDEX), 1);
    assert_int_equal(warned(m, LM_CODE_BAD_TYPE), 1);
    assert_true(m->frames[0].scale.x == 0 && m->frames[0].scale.y == 0.25f);
    assert_int_equal(warned(m, LM_CODE_BAD_TIMES), 1);
    /* As in GLQuake: the first time is the step. */
    assert_float_equal(m->clips[1].times[3], 0.3, 1e-6);
    lm_model_free(m);
    put_real(&file, AT_TIMES, INFINITY);
    m = mend(&file);
    assert_float_equal(m->clips[1].fps, 10, 1e-4);
}

TEST(non_increasing_times_are_reported) {
    AT_END(blob_free) blob file = make_mdl();
    put_real(&file, AT_TIMES, 0.25f);
    put_real(&file, AT_TIMES + 4, 0.25f);
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(warned(m, LM_CODE_GROUP_TIMES), 1);
    assert_float_equal(m->clips[1].times[2], 0.5, 1e-6);
}

/* The game rejects a model without skins or triangles; repair keeps it as it is. */
TEST(models_without_skins_or_triangles) {
    AT_END(blob_free) blob file = make_mdl();
    memmove(file.data + AT_TRIS, file.data + AT_FRAME_0, SIZE - AT_FRAME_0);
    file.size -= AT_FRAME_0 - AT_TRIS;
    put32(&file, AT_NUM_TRIS, 0);
    assert_int_equal(refused(&file), LM_CODE_BAD_COUNT);
    OWNED(lm_model) *m = mend(&file);
    assert_int_equal(m->surfaces[0].num_triangles, 0);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* ---- Checking -------------------------------------------------------------------------------- */

static uint32_t found(const blob *file, lm_engine engine, lm_code code, const char *words) {
    lm_error error;
    OWNED(lm_report) *report =
        lm_check_memory(file->data, file->size, &(lm_check_options){.engine = engine}, &error);
    assert_non_null(report);
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->num_problems; i++)
        count += report->problems[i].code == code && strstr(report->problems[i].text, words);
    return count;
}

TEST(engines_have_limits) {
    const lm_format_info *info = lm_format_by_name("mdl");
    lm_format_limit limit;
    uint32_t count = 0;
    while (lm_format_limits(info, count, &limit)) {
        assert_true(limit.engine == LM_ENGINE_QUAKE || limit.engine == LM_ENGINE_GLQUAKE);
        assert_false(limit.of_surface);
        count++;
    }
    assert_int_equal(count, 7);
    blob file = make_mdl();
    assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_ENGINE_LIMIT, ""), 0);
    blob_free(&file);
    /* Wider than software Quake accepts: the pixels of one more column. */
    AT_END(blob_free) blob wide = make_mdl_of(9, 5);
    assert_int_equal(found(&wide, LM_ENGINE_QUAKE, LM_CODE_ENGINE_LIMIT, "multiple of 4"), 1);
    assert_int_equal(found(&wide, LM_ENGINE_GLQUAKE, LM_CODE_ENGINE_LIMIT, "multiple of 4"), 0);
    assert_int_equal(found(&wide, LM_ENGINE_GLQUAKE, LM_CODE_ENGINE_LIMIT, "5 images"), 1);
}

TEST(oddities_are_located) {
    AT_END(blob_free) blob file = make_mdl();
    assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_SEAMS, "several"), 1);
    assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_OUTSIDE_BOUNDS, ""), 0);
    file.data[AT_FRAME_2 + 4] = 255;               /* the box's least x */
    file.data[AT_TIMES + 12 + POSE + 8 + 9] = 'x'; /* after a name's NUL */
    put32(&file, AT_ST + 4, 99);
    lm_error error;
    OWNED(lm_report) *report = lm_check_memory(file.data, file.size, NULL, &error);
    size_t seen = 0;
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *p = &report->problems[i];
        if (p->code == LM_CODE_OUTSIDE_BOUNDS)
            seen += p->location.offset == AT_FRAME_2 + 4 + 24 && p->location.index == 2;
        if (p->code == LM_CODE_NAME_JUNK)
            seen += p->location.offset == AT_TIMES + 12 + POSE + 8;
        if (p->code == LM_CODE_ST_OUTSIDE)
            seen += p->location.offset == AT_ST;
    }
    assert_int_equal(seen, 3);
}

/* ---- Anatomy --------------------------------------------------------------------------------- */

TEST(every_byte_belongs_to_a_lump) {
    AT_END(blob_free) blob file = make_mdl();
    lm_error error;
    OWNED(lm_layout) *layout = lm_layout_memory(file.data, file.size, NULL, &error);
    assert_non_null(layout);
    assert_int_equal(layout->num_spans, 0);
    uint64_t at = 0;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        assert_int_equal(layout->lumps[i].offset, at);
        at += layout->lumps[i].size;
    }
    assert_int_equal(at, file.size);
    assert_string_equal(layout->fields[2].name, "scale x");
    assert_true(layout->fields[2].is_real && layout->fields[2].real == 0.5f);
}

static void expect_table(const blob *file, const char *lump, const char *words) {
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    assert_done(lm_layout_table(file->data, file->size, lump, &out, &error), error);
    lm_buffer_append(&out, "", 1);
    if (!strstr((const char *)out.data, words))
        fail_msg("%s: no \"%s\" in\n%s", lump, words, (const char *)out.data);
}

TEST(tables) {
    AT_END(blob_free) blob file = make_mdl();
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    expect_table(&file, "header", "eye z");
    expect_table(&file, "header", "-0.125");
    expect_table(&file, "skin 1", "num_images");
    expect_table(&file, "skin 1 times", "1.5");
    expect_table(&file, "triangles", "facesfront");
    expect_table(&file, "frame 1 poses", "flame2");
    expect_table(&file, "frame 1 vertices", "normal");
    expect_table(&file, "frame 2 vertices", "pose");
    expect_table(&file, "frame 2 vertices", "x units");
    assert_false(lm_layout_table(file.data, file.size, "frame 3 vertices", &out, &error));
    assert_error_valid(&error);
    assert_false(lm_layout_table(file.data, file.size, "skin 1 images", &out, &error));
    assert_string_equal(error.message,
                        "mdl: the lump \"skin 1 images\" consists of plain bytes and has no table");
    for (size_t size = LM_MDL_HEADER_SIZE; size < file.size; size++) {
        AT_END(blob_free) blob cut = blob_copy(file.data, size);
        lm_layout_table(cut.data, size, "frame 2 vertices", &out, NULL);
        lm_layout_free(lm_layout_memory(cut.data, size, NULL, NULL));
    }
}

TEST(fullbright_pixels_are_noted) {
    static const struct {
        uint8_t index;
        uint32_t flags, count;
    } cases[] = {{223, 0, 0},
                 {224, 0, 1},
                 {255, 0, 1},
                 {255, LM_MDL_TRANSPARENT_255, 0},
                 {254, LM_MDL_TRANSPARENT_255, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(blob_free) blob file = make_mdl();
        memset(file.data + AT_SKIN_0 + 4, 0, 32);
        memset(file.data + AT_ST - 64, 0, 64);
        file.data[AT_ST - 1] = cases[i].index; /* of the last image of skin 1 */
        put32(&file, AT_FLAGS, cases[i].flags);
        assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_FULLBRIGHT,
                               "1 pixel has a colour of the fullbright range, 224 to 255, which "
                               "the game does not shade; the first is in skin 1"),
                         cases[i].count);
    }
}

TEST(data_of_qme_are_named) {
    for (int named = 0; named < 2; named++) {
        uint8_t bytes[SIZE + 4];
        AT_END(blob_free) blob small = make_mdl();
        memcpy(bytes, small.data, SIZE);
        memcpy(bytes + SIZE, named ? "QMEX" : "QMEY", 4);
        AT_END(blob_free) blob file = blob_copy(bytes, sizeof bytes);
        assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_TRAILING_BYTES, "4 bytes follow"), 1);
        assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_TRAILING_BYTES, "QME (QMEX)"), named);
    }
}

/* ---- RAPO, the variant of Hexen II: Portal of Praevus -----------------------------------------
 */

TEST(a_rapo_has_texture_coordinates_of_its_own) {
    AT_END(blob_free) blob file = make_rapo();
    AT_END(blob_free) blob plain = make_mdl();
    assert_int_equal(file.size, plain.size + 4 - LM_MDL_ST_SIZE);
    assert_string_equal(lm_format_of(file.data, file.size), "mdl");
    assert_round_trip(&mdl_documents, "rapo.mdl", &file);
    OWNED(lm_mdl) *mdl = read_document(&mdl_documents, &file);
    assert_int_equal(mdl->num_st, 5);
    assert_ptr_equal(mdl->skins[0].images, file.data + AT_SKIN_0 + 4 + 4);
    lm_mdl_triangle triangle;
    lmi_mdl_get_triangle(mdl, 1, &triangle);
    assert_memory_equal(triangle.vertex, ((const int32_t[]){1, 2, 3}), sizeof triangle.vertex);
    assert_memory_equal(triangle.st, ((const int32_t[]){1, 2, 2}), sizeof triangle.st);
    OWNED(lm_model) *model = lm_load_memory(file.data, file.size, NULL, NULL);
    assert_int_equal(model->version, 50);
    const lm_surface *s = &model->surfaces[0];
    for (int c = 0; c < 3;
         c++) { /* the triangle faces the back, and odd coordinates are on the seam */
        const uint32_t v = s->triangles[3 + c];
        const float at = (float)triangle.st[c] + (triangle.st[c] % 2 ? 4 : 0);
        assert_int_equal(s->file_vertices[v], triangle.vertex[c]);
        assert_float_equal(s->st[v].x, (at + 0.5f) / 8, 1e-6f);
    }
    expect_table(&file, "header", "num_st");
    expect_table(&file, "triangles", "st 2");
}

TEST(damaged_rapos) {
    AT_END(blob_free) blob whole = make_rapo();
    const size_t last = whole.size - (SIZE - AT_FRAME_0) - LM_MDL_TRIANGLE_SIZE;
    static const struct {
        size_t at; /* from the last triangle */
        uint16_t value;
        lm_code code;
    } cases[] = {
        {8, 6, LM_CODE_VERTEX_INDEX}, {14, 5, LM_CODE_ST_INDEX}, {10, 65535, LM_CODE_ST_INDEX}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(blob_free) blob file = blob_copy(whole.data, whole.size);
        lmi_put_u16(file.data + last + cases[i].at, cases[i].value);
        assert_int_equal(refused(&file), cases[i].code);
        OWNED(lm_model) *model =
            lm_load_memory(file.data, file.size, &(lm_load_options){.repair = true}, NULL);
        assert_int_equal(model->surfaces[0].num_triangles, 3);
    }
    for (int32_t count = -1; count < 1; count++) {
        AT_END(blob_free) blob file = blob_copy(whole.data, whole.size);
        put32(&file, 84, (uint32_t)count);
        assert_int_equal(refused(&file), LM_CODE_BAD_COUNT);
    }
    for (size_t size = 4; size < whole.size; size++) {
        AT_END(blob_free) blob cut = blob_copy(whole.data, size);
        AT_END(lm_buffer_free) lm_buffer out = {0};
        assert_null(lm_load_memory(cut.data, size, NULL, NULL));
        lm_model_free(lm_load_memory(cut.data, size, &(lm_load_options){.repair = true}, NULL));
        lm_report_free(lm_check_memory(cut.data, size, NULL, NULL));
        lm_layout_table(cut.data, size, "frame 2 vertices", &out, NULL);
        lm_layout_free(lm_layout_memory(cut.data, size, NULL, NULL));
    }
    put32(&whole, 4, 6);
    assert_int_equal(refused(&whole), LM_CODE_BAD_VERSION);
}

TEST(quake_loads_no_rapo) {
    AT_END(blob_free) blob file = make_rapo();
    assert_int_equal(found(&file, LM_ENGINE_QUAKE, LM_CODE_ENGINE_LIMIT, "Portal of Praevus"), 1);
    assert_int_equal(found(&file, LM_ENGINE_GLQUAKE, LM_CODE_ENGINE_LIMIT, "Portal of Praevus"), 1);
    assert_int_equal(found(&file, LM_ENGINE_ANY, LM_CODE_ENGINE_LIMIT, ""), 0);
}
