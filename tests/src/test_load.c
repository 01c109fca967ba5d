/* Tests loading: the model's contents, rejected files and their messages, and repairs. */
#include "elements.h"
#include "formats/write_document.h"
#include "support.h"

static void load_and_free(const char *path, const blob *file) {
    static const lm_load_options options[] = {
        {.repair = false},
        {.repair = true},
        {.quirks = LM_QUIRK_MDC_PRINZ},
        {.topology = LM_TOPOLOGY_GL_COMMANDS},
    };
    for (size_t i = 0; i < COUNT_OF(options); i++)
        lm_model_free(load_blob_with(file, &options[i]));
}

TEST(test_corpus_loads_every_way) {
    each_model(load_and_free);
}

/* ---- MD2 ----------------------------------------------------------------------------------- */

TEST(test_md2_header_and_skins) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    memcpy(file.data + 68 + 40, "junk", 4);
    OWNED(lm_model) *m = load_blob(&file);
    assert_string_equal(m->format, "md2");
    assert_int_equal(m->version, 8);
    assert_string_equal(m->name, "");
    assert_int_equal(m->num_frames, 3);
    assert_int_equal(m->num_surfaces, 1);
    assert_int_equal(m->num_tags, 0);
    assert_int_equal(m->num_skins, 2);
    assert_string_equal(m->skins[0], "players/test/skin0.pcx");
    assert_string_equal(m->frames[2].name, "run3");
    assert_int_equal(m->skin_width, 64);
    assert_int_equal(m->skin_height, 32);
    assert_int_equal(m->num_clips, 2);
    assert_string_equal(m->clips[0].name, "stand");
}

/* Checks that a triangle's corners lead back to the file's vertices and texture coordinates, and
 * that no pair occurs twice. */
static void expect_seams_split(const lm_md2 *md2, const lm_model *m) {
    const lm_surface *s = &m->surfaces[0];
    assert_int_equal(s->num_triangles, md2->num_tris);
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lmi_md2_get_triangle(md2, i, &t);
        for (size_t c = 0; c < 3; c++) {
            uint32_t v = s->triangles[3 * (size_t)i + c];
            lm_md2_st st;
            lmi_md2_get_st(md2, t.st[c], &st);
            assert_int_equal(s->file_vertices[v], t.vertex[c]);
            assert_true(s->st[v].x == (float)st.s / (float)md2->skinwidth);
            assert_true(s->st[v].y == (float)st.t / (float)md2->skinheight);
        }
    }
    for (uint32_t f = 0; f < m->num_frames; f++)
        for (uint32_t v = 0; v < s->num_vertices; v++) {
            lm_md2_vertex raw;
            lmi_md2_get_vertex(md2, (int32_t)f, (int32_t)s->file_vertices[v], &raw);
            const uint8_t *key = s->keys + f * s->key_stride + 4 * (size_t)s->file_vertices[v];
            assert_memory_equal(key, raw.v, 3);
            assert_int_equal(key[3], raw.normal);
        }
}

static void visit_seams(const char *path, const blob *file) {
    if (file->data[3] != '2')
        return;
    OWNED(lm_md2) *md2 = lm_md2_read(file->data, file->size, NULL, NULL);
    OWNED(lm_model) *m = load_blob(file);
    assert_non_null(md2);
    expect_seams_split(md2, m);
}

TEST(test_md2_seams_are_split) {
    static const md2_shape shapes[] = {
        {2, 6, 9, 4, 3, false}, {0, 3, 1, 5, 1, true}, {0, 2, 40, 100, 2, false}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        AT_END(blob_free) blob file = make_md2(&shapes[i]);
        visit_seams("", &file);
    }
    each_model(visit_seams);
}

TEST(test_md2_bounds_are_the_vertices) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    put_real(&file, get32(&file, MD2_AT_OFS_FRAMES) + 64 + 4, -0.25f); /* frame 1, scale y */
    OWNED(lm_model) *m = load_blob(&file);
    OWNED(lm_md2) *md2 = lm_md2_read(file.data, file.size, NULL, NULL);
    for (int32_t f = 0; f < 3; f++) {
        lm_md2_frame raw;
        lmi_md2_get_frame(md2, f, &raw);
        float min = INFINITY, max = -INFINITY;
        for (int32_t v = 0; v < 6; v++) {
            lm_md2_vertex vertex;
            lmi_md2_get_vertex(md2, f, v, &vertex);
            float y = (float)vertex.v[1] * raw.scale.y + raw.translate.y;
            min = fminf(min, y);
            max = fmaxf(max, y);
        }
        const lm_frame *frame = &m->frames[f];
        assert_true(frame->min.y == min && frame->max.y == max);
        assert_true(frame->scale.y == raw.scale.y && frame->translate.x == raw.translate.x);
        float x = frame->max.x - frame->min.x, y = max - min, z = frame->max.z - frame->min.z;
        assert_true(fabsf(frame->radius - sqrtf(x * x + y * y + z * z) / 2) < 1e-3f);
        assert_true(fabsf(frame->origin.y - (min + max) / 2) < 1e-4f);
    }
}

TEST(test_md2_gl_commands) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_model) *m = load_blob(&file);
    const lm_gl_commands *gl = &m->gl_commands;
    assert_int_equal(gl->num_integers, 41);
    assert_int_equal(gl->num_fans, 2);
    assert_int_equal(gl->num_strips, 2);
    assert_int_equal(gl->num_triangles, 4);
    assert_true(gl->primitives[0].fan && !gl->primitives[1].fan);
    assert_int_equal(gl->vertices[4].vertex, 2);
    assert_true(gl->vertices[1].s == 7.5f / 64 && gl->vertices[1].t == 5.5f / 32);
    assert_null(gl->drawn);
}

/* Makes an MD2 with these GL commands, each a count and its vertices, and then 0. */
static blob md2_with_gl_commands(const int32_t *commands, size_t count) {
    static uint8_t glcmds[256];
    lm_buffer out = {0};
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 9, 9, 1, 2, false});
    OWNED(lm_md2) *md2 = lm_md2_read(file.data, file.size, NULL, NULL);
    int32_t words = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        if (left == 0) {
            left = commands[i] < 0 ? -commands[i] : commands[i];
            lmi_md2_put_glcmd(glcmds + 4 * words++, commands[i]);
            continue;
        }
        lmi_md2_put_glcmd_float(glcmds + 4 * words++, (float)commands[i] / 16);
        lmi_md2_put_glcmd_float(glcmds + 4 * words++, (float)left / 8);
        lmi_md2_put_glcmd(glcmds + 4 * words++, commands[i]);
        left--;
    }
    md2->glcmds = glcmds;
    md2->num_glcmds = words;
    assert_true(lmi_write_document(&lmi_md2_kind, md2, &out, NULL));
    return blob_from_buffer(&out);
}

TEST(test_md2_drawn_by_gl_commands) {
    /* One strip and one fan: strip 0 1 2 3 4 is 012 213 234, fan 5 6 7 8 is 567 578. */
    static const int32_t commands[] = {5, 0, 1, 2, 3, 4, -4, 5, 6, 7, 8, 2, 0, 1, 0};
    static const uint32_t expected[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 5, 6, 7, 5, 7, 8};
    AT_END(blob_free) blob file = md2_with_gl_commands(commands, COUNT_OF(commands));
    OWNED(lm_model) *m =
        load_blob_with(&file, &(lm_load_options){.topology = LM_TOPOLOGY_GL_COMMANDS});
    const lm_surface *s = &m->surfaces[0];
    const lm_gl_commands *gl = &m->gl_commands;
    assert_int_equal(s->num_triangles, 5);
    assert_int_equal(gl->num_triangles, 5);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_int_equal(s->file_vertices[s->triangles[i]], expected[i]);
    assert_non_null(gl->drawn);
    for (uint32_t v = 0; v < gl->num_vertices; v++) {
        assert_true(s->st[gl->drawn[v]].x == gl->vertices[v].s);
        assert_true(s->st[gl->drawn[v]].y == gl->vertices[v].t);
    }
}

TEST(test_joints_of_gl_commands_are_not_counted) {
    /* Two strips, 0 1 2 and 3 4 5, joined by repeated vertices, and a fan that repeats its centre.
     */
    static const int32_t commands[] = {8, 0, 1, 2, 2, 3, 3, 4, 5, -4, 6, 7, 6, 8, 0};
    AT_END(blob_free) blob file = md2_with_gl_commands(commands, COUNT_OF(commands));
    OWNED(lm_model) *m =
        load_blob_with(&file, &(lm_load_options){.topology = LM_TOPOLOGY_GL_COMMANDS});
    assert_int_equal(m->gl_commands.num_triangles, 2);
    assert_int_equal(m->surfaces[0].num_triangles, 8);
}

TEST(test_gl_commands_are_needed_to_draw_by_them) {
    lm_error error;
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 3, 3, 1, 1, true});
    const lm_load_options options = {.topology = LM_TOPOLOGY_GL_COMMANDS, .repair = true};
    assert_null(lm_load_memory(file.data, file.size, &options, &error));
    assert_int_equal(error.code, LM_CODE_GL_COMMANDS);
    assert_error_valid(&error);
}

/* ---- MDC ----------------------------------------------------------------------------------- */

static void expect_surface_preserved(const lm_mdc *mdc, const lm_model *m, uint32_t index) {
    const lm_mdc_surface *raw = &mdc->surfaces[index];
    const lm_surface *s = &m->surfaces[index];
    assert_string_equal(s->name, (const char *)raw->name);
    assert_int_equal(s->num_vertices, raw->num_vertices);
    assert_int_equal(s->num_file_vertices, raw->num_vertices);
    assert_int_equal(s->num_materials, raw->num_shaders);
    assert_int_equal(s->encoding, LM_VERTEX_S16);
    for (int32_t i = 0; i < raw->num_triangles; i++) {
        uint32_t t[3];
        lmi_mdc_get_triangle(raw, i, t);
        assert_memory_equal(s->triangles + 3 * (size_t)i, t, sizeof t);
    }
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        lm_vec2 st;
        lmi_mdc_get_st(raw, (int32_t)v, &st);
        assert_true(s->st[v].x == st.x && s->st[v].y == st.y);
        assert_int_equal(s->file_vertices[v], v);
    }
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        int32_t comp = lmi_mdc_get_frame_comp_frame(raw, f);
        assert_int_equal(s->frame_keys[f], lmi_mdc_get_frame_base_frame(raw, f));
        uint32_t delta = s->frame_deltas ? s->frame_deltas[f] : LM_NO_DELTA;
        assert_int_equal(delta, comp < 0 ? LM_NO_DELTA : comp);
    }
    size_t keys = (size_t)raw->num_base_frames * s->key_stride;
    assert_memory_equal(s->keys, raw->base_vertices, keys);
    if (raw->num_comp_frames)
        assert_memory_equal(s->deltas, raw->comp_vertices,
                            (size_t)raw->num_comp_frames * s->delta_stride);
}

static void visit_mdc(const char *path, const blob *file) {
    if (file->data[3] != 'C')
        return;
    OWNED(lm_mdc) *mdc = lm_mdc_read(file->data, file->size, NULL, NULL);
    OWNED(lm_model) *m = load_blob(file);
    assert_non_null(mdc);
    assert_int_equal(m->num_surfaces, mdc->num_surfaces);
    for (uint32_t s = 0; s < m->num_surfaces; s++)
        expect_surface_preserved(mdc, m, s);
    for (uint32_t t = 0; t < m->num_tags; t++) {
        assert_string_equal(m->tags[t].name, (const char *)mdc->tag_names + 64 * (size_t)t);
        for (uint32_t f = 0; f < m->num_frames; f++)
            assert_memory_equal(m->tags[t].poses + f * m->tags[t].pose_stride,
                                mdc->tags + 12 * ((size_t)f * m->num_tags + t), 12);
    }
}

TEST(test_mdc_model_preserves_the_file) {
    static const mdc_shape shapes[] = {{4, 2, 2, 5, 3, 1, 2, 2, false},
                                       {3, 0, 2, 3, 1, 0, 1, 0, true},
                                       {5, 1, 1, 4, 2, 2, 1, 3, false}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        AT_END(blob_free) blob file = make_mdc(&shapes[i]);
        visit_mdc("", &file);
    }
    each_model(visit_mdc);
}

TEST(test_mdc_frames_and_materials) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    put32(&file, surface_lump(&file, 1, SURFACE_AT_OFS_SHADERS) + 64, 0x80000001);
    OWNED(lm_model) *m = load_blob(&file);
    assert_string_equal(m->format, "mdc");
    assert_string_equal(m->name, "models/test/test.mdc");
    assert_true(m->frames[3].min.x == -33 && m->frames[3].max.z == 33);
    assert_true(m->frames[3].origin.z == 3 && m->frames[3].radius == 40);
    assert_true(m->frames[0].scale.x == 1.0f / 64 && m->frames[0].translate.x == 0);
    assert_true(m->delta_scale == 0.05f && !m->delta_normals_add);
    assert_string_equal(m->surfaces[1].materials[0].name, "models/test/part1.tga");
    assert_int_equal(m->surfaces[1].materials[0].flags, 0x80000001);
}

TEST(test_quirk_prinz) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    OWNED(lm_model) *m = load_blob_with(&file, &(lm_load_options){.quirks = LM_QUIRK_MDC_PRINZ});
    assert_true(m->delta_scale == 0.0625f && m->delta_normals_add);
    for (uint32_t f = 0; f < m->num_frames; f++) {
        const lm_frame *frame = &m->frames[f];
        assert_true(frame->translate.x == 1 && frame->translate.y == 2 && frame->translate.z == 3);
        assert_true(frame->min.x == -29 - (float)f && frame->max.z == 33 + (float)f);
    }
}

TEST(test_tags_without_surfaces) {
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){.num_frames = 3, .num_tags = 4});
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(m->num_surfaces, 0);
    assert_int_equal(m->num_tags, 4);
    assert_string_equal(m->tags[3].name, "tag_3");
}

/* There is nothing to bound. */
TEST(test_tags_have_no_bounds) {
    AT_END(blob_free) blob mdc = make_mdc(&(mdc_shape){3, 4, 0, 0, 0, 0, 0, 0, false});
    AT_END(blob_free) blob md3 = make_md3(&(md3_shape){3, 4, 0, 0, 0, 0});
    put_real(&mdc, get32(&mdc, MDC_AT_OFS_FRAMES) + 56, NAN);
    put_real(&md3, get32(&md3, MD3_AT_OFS_FRAMES) + 56, 1e6f); /* inside out */
    OWNED(lm_model) *a = load_blob(&mdc), *b = load_blob(&md3);
    assert_int_equal(a->num_warnings + b->num_warnings, 0);
    assert_true(a->frames[1].min.x == 0 && b->frames[1].max.x == 0);
}

/* Invalid bounds are computed from the vertices. */
TEST(test_mdc_bad_bounds_are_computed) {
    static const size_t fields[] = {0, 12, 24, 36}; /* min, max, origin, radius */
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        lm_vec3 min, max;
        AT_END(blob_free) blob file = make_mdc(&small_mdc);
        put_real(&file, get32(&file, MDC_AT_OFS_FRAMES) + 56 + fields[i], NAN);
        OWNED(lm_model) *m = load_blob(&file);
        assert_int_equal(lm_model_bounds(m, 1, 1, &min, &max), LM_CODE_OK);
        assert_memory_equal(&m->frames[1].min, &min, sizeof min);
        assert_memory_equal(&m->frames[1].max, &max, sizeof max);
        assert_int_equal(m->num_warnings, 1);
        assert_int_equal(m->warnings[0].code, LM_CODE_BAD_BOUNDS);
    }
}

/* ---- Rejected files ------------------------------------------------------------------------ */

typedef struct lookalike {
    const char *bytes, *named;
} lookalike;

TEST(test_lookalikes_are_named) {
    static const lookalike list[] = {{"IDP2\x0e\0", "Anachronox"},
                                     {"IDP2\x0f\0", "Anachronox"},
                                     {"IDPX\4\0", "Kingpin"},
                                     {"DKMD\1\0", "Daikatana"},
                                     {"MDMW\3\0", "MDM"},
                                     {"MDXW\2\0", "MDX"},
                                     {"RIFF\1\0", "RIFF"},
                                     {"PACK\1\0", "PAK"},
                                     {"PK\3\4\1\0", "PK3"},
                                     {"glTF\2\0", "glTF"},
                                     {"IDSP\1\0", "sprite"},
                                     {"IDS2\2\0", "sprite"},
                                     {"IDST\12\0", "Half-Life"},
                                     {"IDSQ\12\0", "Half-Life"},
                                     {"MDL3\0\0", "GameStudio"},
                                     {"MDL5\0\0", "GameStudio"},
                                     {"MDL7\0\0", "GameStudio"},
                                     {"INTE\0\0", "IQM"},
                                     {"hello!", "not a supported model format"},
                                     {"IDP", "not a supported model format"},
                                     {"", "empty"}};
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        lm_error error;
        size_t size = strlen(list[i].bytes) < 4 ? strlen(list[i].bytes) : 6;
        AT_END(blob_free) blob file = blob_copy(list[i].bytes, size);
        assert_null(lm_load_memory(file.data, file.size, NULL, &error));
        assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
        if (!strstr(error.message, list[i].named))
            fail_msg("\"%s\" does not name %s", error.message, list[i].named);
        record_output("%s", error.message);
        assert_null(lm_format_of(file.data, file.size));
    }
    assert_string_equal(lm_format_of("IDP2", 4), "md2");
    assert_string_equal(lm_format_of("IDPC", 4), "mdc");
    assert_string_equal(lm_format_of("IDP3", 4), "md3");
    assert_string_equal(lm_format_of("IDPO", 4), "mdl");
    assert_string_equal(lm_format_of("MDSW", 4), "mds");
}

/* One change to a file and its message. If `lump_at` is 0, the change is at `at` in the header;
 * otherwise `at` bytes after the offset in that field of the header. */
typedef struct change {
    size_t lump_at, at;
    uint32_t value;
    bool half; /* 16 bit */
    lm_code code;
    const char *sentence; /* a part of the message */
} change;

static blob change_file(const blob *file, const change *c) {
    blob changed = blob_copy(file->data, file->size);
    size_t at = c->at + (c->lump_at ? get32(file, c->lump_at) : 0);
    if (c->half)
        put16(&changed, at, c->value);
    else
        put32(&changed, at, c->value);
    return changed;
}

static const lm_diagnostic *find_warning(const lm_model *m, lm_code code) {
    for (uint32_t i = 0; i < m->num_warnings; i++)
        if (m->warnings[i].code == code)
            return &m->warnings[i];
    return NULL;
}

/* Loads a changed file strictly, which rejects any damage. */
static void expect_call_rejected(const blob *file, const change *c) {
    static const lm_load_options strict = {.strict = true, .repair = true};
    lm_error error = {0};
    char byte[40];
    AT_END(blob_free) blob changed = change_file(file, c);
    lm_model *m = lm_load_memory(changed.data, changed.size, &strict, &error);
    if (m)
        fail_msg("loaded in spite of %s", c->sentence);
    assert_error_valid(&error);
    if (error.code != c->code || !strstr(error.message, c->sentence))
        fail_msg("\"%s\" (%s), but expected %s", error.message, lm_code_name(error.code),
                 c->sentence);
    record_output("%s", error.message);
    snprintf(byte, sizeof byte, "(byte %zu)", error.offset);
    assert_non_null(strstr(error.message, byte));
    assert_true(error.offset <= file->size);
}

#define MD2(at, value, code, sentence) {0, MD2_AT_##at, (uint32_t)(value), false, code, sentence}

static const change md2_damage[] = {
    MD2(VERSION, 7, LM_CODE_BAD_VERSION,
        "md2: version 7 is not supported, only version 8 is (byte 4)"),
    MD2(NUM_SKINS, -1, LM_CODE_BAD_COUNT, "skins is negative: -1 (byte 20)"),
    MD2(NUM_XYZ, 0, LM_CODE_BAD_COUNT, "num_xyz is 0 (byte 24)"),
    MD2(NUM_XYZ, 7, LM_CODE_BAD_FRAMESIZE, "framesize is 64, but a frame of 7 vertices takes 68"),
    MD2(NUM_FRAMES, 0, LM_CODE_BAD_COUNT, "no frames (byte 40)"),
    MD2(FRAMESIZE, 63, LM_CODE_BAD_FRAMESIZE, "framesize is 63"),
    MD2(SKINWIDTH, 0, LM_CODE_BAD_SKIN_SIZE, "0 x 32"),
    MD2(SKINHEIGHT, -5, LM_CODE_BAD_SKIN_SIZE, "64 x -5"),
    MD2(OFS_TRIS, 700, LM_CODE_BAD_OFFSET,
        "4 triangles need bytes 700 to 747, but the file ends at"),
    MD2(OFS_SKINS, -1, LM_CODE_BAD_OFFSET, "2 skins would start at byte -1"),
    MD2(NUM_FRAMES, 0x7fffffff, LM_CODE_BAD_OFFSET, "2147483647 frames"),
    MD2(NUM_ST, 7, LM_CODE_ST_INDEX, "triangle 3 uses texture coordinate 7, but the model has 7"),
    {MD2_AT_OFS_TRIS, 12, 900, true, LM_CODE_VERTEX_INDEX,
     "md2: triangle 1 uses vertex 900, but the model has 6 (byte 244)"},
    {MD2_AT_OFS_TRIS, 10, 0xFFFF, true, LM_CODE_ST_INDEX,
     "triangle 0 uses texture coordinate 65535"},
    {MD2_AT_OFS_FRAMES, 64 + 40 + 8, 0xA2000000, false, LM_CODE_NORMAL_INDEX,
     "vertex 2 of frame 1 uses normal 162, but there are only 162"},
    {MD2_AT_OFS_FRAMES, 4, 0x7fc00000, false, LM_CODE_NOT_FINITE, "frame 0 has a scale"},
    {MD2_AT_OFS_FRAMES, 128 + 20, 0xff800000, false, LM_CODE_NOT_FINITE, "frame 2 has a scale"},
    {MD2_AT_OFS_GLCMDS, 12, 6, false, LM_CODE_GL_COMMANDS, "uses vertex 6, but the model has 6"},
    {MD2_AT_OFS_GLCMDS, 12, 0x80000000, false, LM_CODE_GL_COMMANDS, "uses vertex -2147483648"},
    {MD2_AT_OFS_GLCMDS, 4, 0x7f800000, false, LM_CODE_GL_COMMANDS, "texture coordinate"},
    {MD2_AT_OFS_GLCMDS, 0, 14, false, LM_CODE_GL_COMMANDS, "has the count 14"},
    {MD2_AT_OFS_GLCMDS, 0, 0x80000000, false, LM_CODE_GL_COMMANDS, "has the count -2147483648"},
    {MD2_AT_OFS_GLCMDS, 160, 1, false, LM_CODE_GL_COMMANDS, "has the count 1,"},
    MD2(NUM_GLCMDS, 40, LM_CODE_GL_COMMANDS, "do not end with 0"),
};

TEST(test_md2_damage_is_rejected_with_a_message) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    for (size_t i = 0; i < COUNT_OF(md2_damage); i++)
        expect_call_rejected(&file, &md2_damage[i]);
}

static bool loads(const blob *file, const lm_load_options *options, lm_code *code) {
    lm_error error = {0};
    lm_model *m = lm_load_memory(file->data, file->size, options, &error);
    *code = error.code;
    for (uint32_t i = 0; m && i < m->num_warnings; i++)
        *code = m->warnings[i].code != LM_CODE_SEAMS ? m->warnings[i].code : *code;
    if (m)
        assert_model_valid(m);
    lm_model_free(m);
    return m != NULL;
}

/* Damage that no engine notices loads with a warning; other damage needs repair. Damaged GL
 * commands reject the file if they are asked for. */
TEST(test_md2_damage_has_levels) {
    static const lm_load_options commands = {.topology = LM_TOPOLOGY_GL_COMMANDS};
    AT_END(blob_free) blob file = make_md2(&small_md2);
    size_t harmless = 0;
    for (size_t i = 0; i < COUNT_OF(md2_damage); i++) {
        const lm_code code = md2_damage[i].code;
        const bool is_harmless = code == LM_CODE_NORMAL_INDEX || code == LM_CODE_GL_COMMANDS;
        lm_code found;
        AT_END(blob_free) blob changed = change_file(&file, &md2_damage[i]);
        if (loads(&changed, NULL, &found) != is_harmless || found != code)
            fail_msg("%s: %s", md2_damage[i].sentence, lm_code_name(found));
        assert_int_equal(loads(&changed, &commands, &found), code == LM_CODE_NORMAL_INDEX);
        assert_int_equal(found, code);
        harmless += is_harmless;
    }
    assert_int_equal(harmless, 8);
}

#define MDC(at, value, code, sentence) {0, MDC_AT_##at, (uint32_t)(value), false, code, sentence}
#define SURFACE(at, value, code, sentence) \
    {MDC_AT_OFS_SURFACES, SURFACE_AT_##at, (uint32_t)(value), false, code, sentence}

static const change mdc_damage[] = {
    {0, 4, 3, false, LM_CODE_BAD_VERSION,
     "mdc: version 3 is not supported, only version 2 is (byte 4)"},
    MDC(NUM_FRAMES, 0, LM_CODE_BAD_COUNT, "no frames"),
    MDC(NUM_FRAMES, -1, LM_CODE_BAD_COUNT, "frames is negative: -1"),
    MDC(NUM_TAGS, -7, LM_CODE_BAD_COUNT, "tags is negative: -7"),
    MDC(NUM_SURFACES, 0x80000000, LM_CODE_BAD_COUNT, "surfaces is negative"),
    MDC(NUM_SURFACES, 3, LM_CODE_BAD_OFFSET, "surface 2 of 3 starts at byte"),
    MDC(OFS_FRAMES, 5000, LM_CODE_BAD_OFFSET,
        "4 frames need bytes 5000 to 5223, but the file ends at"),
    MDC(OFS_TAG_NAMES, -1, LM_CODE_BAD_OFFSET, "2 tag names"),
    MDC(OFS_TAGS, 0x7fffffff, LM_CODE_BAD_OFFSET, "8 tags"),
    MDC(OFS_SURFACES, -1, LM_CODE_BAD_OFFSET, "surface 0 of 2"),
    SURFACE(NUM_COMP, -1, LM_CODE_BAD_COUNT, "surface 0 has a negative count"),
    SURFACE(NUM_BASE, 0, LM_CODE_BAD_COUNT, "vertices but no base frame"),
    SURFACE(NUM_VERTICES, -1, LM_CODE_BAD_COUNT, "surface 0 has a negative count"),
    SURFACE(OFS_TRIANGLES, 0x7fffffff, LM_CODE_BAD_OFFSET, "surface 0: 3 triangles need bytes"),
    SURFACE(OFS_ST, 0x80000000, LM_CODE_BAD_OFFSET, " st would start at byte -"),
    SURFACE(OFS_BASE, 0x7ffffff0, LM_CODE_BAD_OFFSET, "base vertices"),
    SURFACE(OFS_COMP, 0x7ffffff0, LM_CODE_BAD_OFFSET, "compressed vertices"),
    SURFACE(OFS_SHADERS, 0x7ffffff0, LM_CODE_BAD_OFFSET, "1 shader needs"),
    SURFACE(OFS_END, 0, LM_CODE_BAD_OFFSET, "ends 0 bytes after its start"),
    SURFACE(OFS_END, -4, LM_CODE_BAD_OFFSET, "ends -4 bytes after its start"),
};

TEST(test_mdc_damage_is_rejected_with_a_message) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    for (size_t i = 0; i < COUNT_OF(mdc_damage); i++)
        expect_call_rejected(&file, &mdc_damage[i]);
}

/* The contents of surface 1's lumps: offsets are computed here. */
TEST(test_mdc_contents_are_rejected_with_a_message) {
    static const struct {
        size_t lump, at;
        uint32_t value;
        bool half;
        lm_code code;
        const char *sentence;
    } list[] = {
        {SURFACE_AT_OFS_TRIANGLES, 12 + 8, 5, false, LM_CODE_VERTEX_INDEX,
         "mdc: surface 1: triangle 1 uses vertex 5, but the surface has 5"},
        {SURFACE_AT_OFS_TRIANGLES, 0, 0xFFFFFFFF, false, LM_CODE_VERTEX_INDEX, "4294967295"},
        {SURFACE_AT_OFS_BASE_TABLE, 4, 2, true, LM_CODE_FRAME_INDEX,
         "surface 1: frame 2 uses base frame 2, but the surface has 2"},
        {SURFACE_AT_OFS_BASE_TABLE, 6, 0xFFFF, true, LM_CODE_FRAME_INDEX, "base frame -1"},
        {SURFACE_AT_OFS_COMP_TABLE, 0, 2, true, LM_CODE_FRAME_INDEX, "compressed frame 2"},
    };
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        change c = {0,
                    surface_lump(&file, 1, list[i].lump) + list[i].at,
                    list[i].value,
                    list[i].half,
                    list[i].code,
                    list[i].sentence};
        expect_call_rejected(&file, &c);
    }
}

/* The engines of MDC and MD3 do not check texture coordinates. Two models of Return to Castle
 * Wolfenstein have such numbers. */
TEST(test_unusable_texture_coordinates_are_0) {
    static const struct {
        float number, read;
    } cases[] = {{NAN, 0},      {INFINITY, 0}, {-2.8e29f, 0},      {0x1p31f, 0},
                 {-0x1p31f, 0}, {1e-30f, 0},   {0x1p30f, 0x1p30f}, {-28.5f, -28.5f}};
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    const size_t st = surface_lump(&file, 1, SURFACE_AT_OFS_ST);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const bool usable = cases[i].read != 0 || fabsf(cases[i].number) < 1;
        lm_code found;
        put_real(&file, st + 8 + 4, cases[i].number);
        OWNED(lm_model) *m = load_blob(&file);
        const lm_diagnostic *warning = find_warning(m, LM_CODE_BAD_ST);
        assert_true(m->surfaces[1].st[1].y == cases[i].read);
        assert_true(usable ? !warning : warning && warning->location.offset == st + 8);
        assert_true(usable || warning->severity == LM_SEVERITY_WARNING);
        assert_true(loads(&file, &(lm_load_options){.strict = true}, &found) == usable);
        assert_true(usable || found == LM_CODE_BAD_ST);
    }
}

/* ---- Repairs ------------------------------------------------------------------------------- */

/* Checks that every damage above except the first kind (no usable header) gives a valid model with
 * a warning about the repair. */
static void expect_repaired(const blob *file, const change *list, size_t count) {
    size_t mended = 0;
    for (size_t i = 0; i < count; i++) {
        lm_error error = {0};
        AT_END(blob_free) blob changed = change_file(file, &list[i]);
        const lm_load_options options = {.repair = true};
        OWNED(lm_model) *m = lm_load_memory(changed.data, changed.size, &options, &error);
        if (m) {
            assert_model_valid(m);
            const lm_diagnostic *warning = find_warning(m, list[i].code);
            if (!warning || !strstr(warning->text, list[i].sentence))
                fail_msg("nothing is said of %s", list[i].sentence);
            for (uint32_t w = 0; w < m->num_warnings; w++)
                record_output("%u: %s", (unsigned)m->warnings[w].count, m->warnings[w].text);
            mended++;
        } else {
            assert_error_valid(&error);
            record_output("%s", error.message);
        }
    }
    assert_true(mended > count / 2);
}

TEST(test_damage_is_repaired_and_counted) {
    AT_END(blob_free) blob md2 = make_md2(&small_md2), mdc = make_mdc(&small_mdc);
    expect_repaired(&md2, md2_damage, COUNT_OF(md2_damage));
    expect_repaired(&mdc, mdc_damage, COUNT_OF(mdc_damage));
}

/* Numbers that are not finite become 0. */
TEST(test_bad_texture_coordinates_are_replaced) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e31f};
    for (size_t i = 0; i < 2 * COUNT_OF(bad); i++) {
        AT_END(blob_free) blob mdc = make_mdc(&small_mdc), md3 = make_md3(&small_md3);
        put_real(&mdc, surface_lump(&mdc, 1, SURFACE_AT_OFS_ST) + 8 + 4 * (i % 2), bad[i / 2]);
        put_real(&md3, surface_lump(&md3, 1, MD3_SURFACE_AT_OFS_ST) + 8 + 4 * (i % 2), bad[i / 2]);
        for (int k = 0; k < 2; k++) {
            lm_code found = LM_CODE_OK;
            const blob *file = k ? &md3 : &mdc;
            OWNED(lm_model) *m = load_blob(file);
            const lm_vec2 *st = &m->surfaces[1].st[1];
            assert_true((i % 2 ? st->y : st->x) == 0 && (i % 2 ? st->x : st->y) != 0);
            assert_int_equal(m->num_warnings, 1);
            assert_int_equal(m->warnings[0].code, LM_CODE_BAD_ST);
            assert_false(loads(file, &(lm_load_options){.strict = true, .repair = true}, &found));
            assert_int_equal(found, LM_CODE_BAD_ST);
        }
    }
}

/* Some exporters write an empty surface with a shader and offsets of 0, and do not count it. */
typedef struct surface_layout {
    blob (*make)(void);
    size_t header, at_ofs_surfaces, at_num_shaders, at_end;
} surface_layout;

static blob make_two_mdc(void) {
    return make_mdc(&small_mdc);
}

static blob make_two_md3(void) {
    return make_md3(&small_md3);
}

static const surface_layout layouts[] = {
    {make_two_mdc, 124, MDC_AT_OFS_SURFACES, SURFACE_AT_NUM_SHADERS, SURFACE_AT_OFS_END},
    {make_two_md3, 108, MD3_AT_OFS_SURFACES, MD3_SURFACE_AT_NUM_SHADERS, MD3_SURFACE_AT_OFS_END}};

/* Returns a file with an empty surface before that of a number; `at` is its first byte. */
static blob insert_empty(const surface_layout *to, const blob *file, int32_t number, size_t *at) {
    const size_t size = to->header + 68;
    blob out = {malloc(file->size + size), file->size + size};
    *at = get32(file, to->at_ofs_surfaces);
    for (int32_t s = 0; s < number; s++)
        *at += get32(file, *at + to->at_end);
    memcpy(out.data, file->data, *at);
    memset(out.data + *at, 0, size);
    memcpy(out.data + *at, file->data + *at, 4);
    memcpy(out.data + *at + 4, "empty", 5);
    put32(&out, *at + to->at_num_shaders, 1);
    memcpy(out.data + *at + to->header, "models/shader", 13);
    memcpy(out.data + *at + size, file->data + *at, file->size - *at);
    return out;
}

TEST(test_surfaces_after_an_uncounted_empty_one) {
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int32_t number = 0; number < 2; number++) {
            size_t at, second;
            lm_code found = LM_CODE_OK;
            AT_END(blob_free) blob whole = layouts[i].make();
            AT_END(blob_free) blob file = insert_empty(&layouts[i], &whole, number, &at);
            AT_END(blob_free) blob twice = insert_empty(&layouts[i], &file, number, &second);
            assert_false(loads(&file, NULL, &found));
            assert_int_equal(found, LM_CODE_BAD_OFFSET);
            OWNED(lm_model) *m = load_blob(&whole);
            for (uint32_t more = 1; more <= 2; more++) {
                const blob *damaged = more == 1 ? &file : &twice;
                const lm_load_options options = {.repair = true};
                OWNED(lm_model) *r = lm_load_memory(damaged->data, damaged->size, &options, NULL);
                assert_model_valid(r);
                assert_int_equal(r->num_surfaces, m->num_surfaces + more);
                for (uint32_t s = 0; s < r->num_surfaces; s++) {
                    const bool is_empty = s - (uint32_t)number < more;
                    const lm_surface *surface = &r->surfaces[s];
                    assert_int_equal(surface->num_triangles == 0, is_empty);
                    if (is_empty) {
                        assert_string_equal(surface->name, "empty");
                        assert_string_equal(surface->materials[0].name, "models/shader");
                    } else
                        assert_string_equal(surface->name,
                                            m->surfaces[s < (uint32_t)number ? s : s - more].name);
                }
            }
        }
}

/* What follows is no surface, or the empty surface has another size: as without its end. */
TEST(test_no_surface_is_guessed_after_an_empty_one) {
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        size_t at;
        AT_END(blob_free) blob whole = layouts[i].make();
        AT_END(blob_free) blob file = insert_empty(&layouts[i], &whole, 0, &at);
        const size_t shaders = at + layouts[i].at_num_shaders, next = at + layouts[i].header + 68;
        const change list[] = {{0, next, 1, false, LM_CODE_BAD_OFFSET, "cannot be found"},
                               {0, shaders, 2, false, LM_CODE_BAD_OFFSET, "cannot be found"},
                               {0, shaders, INT32_MAX, false, LM_CODE_BAD_OFFSET, "shaders need"},
                               {0, shaders, 0x80000000, false, LM_CODE_BAD_COUNT, "surface 0 has"}};
        for (size_t k = 0; k < COUNT_OF(list); k++) {
            AT_END(blob_free) blob changed = change_file(&file, &list[k]);
            const lm_load_options options = {.repair = true};
            OWNED(lm_model) *m = lm_load_memory(changed.data, changed.size, &options, NULL);
            assert_model_valid(m);
            assert_int_equal(m->num_surfaces, 1);
            const lm_diagnostic *warning = find_warning(m, list[k].code);
            assert_true(warning && strstr(warning->text, list[k].sentence));
        }
        for (size_t size = 0; size < file.size; size++) {
            const lm_load_options options = {.repair = true};
            OWNED(lm_model) *m = lm_load_memory(file.data, size, &options, NULL);
            if (m)
                assert_model_valid(m);
        }
    }
}

TEST(test_bad_triangles_are_dropped_and_counted) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    size_t tris = get32(&file, MD2_AT_OFS_TRIS);
    put16(&file, tris + 12, 0xFFFF);
    put16(&file, tris + 24 + 2, 0xFFFF);
    put16(&file, tris + 24 + 4, 77);
    OWNED(lm_model) *m = load_blob_with(&file, &(lm_load_options){.repair = true});
    assert_int_equal(m->surfaces[0].num_triangles, 2);
    assert_int_equal(m->surfaces[0].file_vertices[m->surfaces[0].triangles[3]], 3);
    assert_int_equal(find_warning(m, LM_CODE_VERTEX_INDEX)->count, 3);
    assert_non_null(strstr(find_warning(m, LM_CODE_VERTEX_INDEX)->text, "triangle 1"));
}

TEST(test_bad_normals_are_clamped_and_counted) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    size_t frames = get32(&file, MD2_AT_OFS_FRAMES);
    for (size_t v = 0; v < 5; v++)
        file.data[frames + 64 + 40 + 4 * v + 3] = (uint8_t)(162 + v);
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(find_warning(m, LM_CODE_NORMAL_INDEX)->count, 5);
    const lm_surface *s = &m->surfaces[0];
    const lm_vec3 up = lm_normal_table(LM_NUM_NORMALS_162)[s->keys[s->key_stride + 3]];
    assert_true(up.x == 0 && up.y == 0 && up.z == 1);
}

/* Moves the index of each vertex of the GL commands before its texture coordinates, and back. */
static void turn_commands(blob *file, bool back) {
    const size_t start = get32(file, MD2_AT_OFS_GLCMDS);
    int32_t count;
    for (size_t at = start; (count = (int32_t)get32(file, at)) != 0;) {
        at += 4;
        for (uint32_t i = (uint32_t)abs(count); i > 0; i--, at += 12) {
            const uint32_t words[3] = {get32(file, at), get32(file, at + 4), get32(file, at + 8)};
            for (size_t k = 0; k < 3; k++)
                put32(file, at + 4 * ((k + (back ? 2 : 1)) % 3), words[k]);
        }
    }
}

TEST(test_index_first_commands_are_read_as_usual) {
    static const lm_load_options commands = {.topology = LM_TOPOLOGY_GL_COMMANDS};
    lm_code found;
    AT_END(blob_free) blob file = make_md2(&small_md2), other = make_md2(&small_md2);
    turn_commands(&other, false);
    assert_false(loads(&other, &(lm_load_options){.strict = true}, &found));
    assert_int_equal(found, LM_CODE_GL_COMMAND_ORDER);
    for (int way = 0; way < 2; way++) {
        OWNED(lm_model) *a = load_blob_with(&file, way ? &commands : NULL);
        OWNED(lm_model) *b = load_blob_with(&other, way ? &commands : NULL);
        assert_null(find_warning(a, LM_CODE_GL_COMMAND_ORDER));
        assert_int_equal(find_warning(b, LM_CODE_GL_COMMAND_ORDER)->count, 1);
        assert_true(a->gl_commands.num_vertices > 8);
        assert_int_equal(a->gl_commands.num_vertices, b->gl_commands.num_vertices);
        assert_memory_equal(a->gl_commands.vertices, b->gl_commands.vertices,
                            a->gl_commands.num_vertices * sizeof *a->gl_commands.vertices);
        assert_int_equal(a->gl_commands.num_triangles, b->gl_commands.num_triangles);
        assert_int_equal(a->surfaces[0].num_vertices, b->surfaces[0].num_vertices);
        assert_memory_equal(a->surfaces[0].st, b->surfaces[0].st,
                            a->surfaces[0].num_vertices * sizeof *a->surfaces[0].st);
    }
    turn_commands(&other, true);
    assert_memory_equal(file.data, other.data, file.size);
}

/* Files in either order with one bad vertex are damaged, whichever word is bad. */
TEST(test_one_bad_vertex_is_not_another_order) {
    for (int turned = 0; turned < 2; turned++)
        for (size_t word = 1; word <= 9; word++) {
            lm_code found;
            AT_END(blob_free) blob file = make_md2(&small_md2);
            if (turned)
                turn_commands(&file, false);
            put32(&file, get32(&file, MD2_AT_OFS_GLCMDS) + 4 * word, 0x7f800000);
            assert_true(loads(&file, NULL, &found));
            assert_int_equal(found, LM_CODE_GL_COMMANDS);
            OWNED(lm_model) *m = load_blob(&file);
            assert_int_equal(m->gl_commands.num_vertices, 0);
            assert_int_equal(m->surfaces[0].num_triangles, 4);
        }
}

/* Invalid GL commands are left out; the triangles stay. */
TEST(test_bad_gl_commands_are_dropped) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    put32(&file, get32(&file, MD2_AT_OFS_GLCMDS) + 12, 6);
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(m->gl_commands.num_integers, 0);
    assert_int_equal(m->gl_commands.num_vertices, 0);
    assert_int_equal(m->surfaces[0].num_triangles, 4);
}

TEST(test_oddities_are_warnings) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){0, 3, 3, 0, 2, true});
    put_real(&file, get32(&file, MD2_AT_OFS_FRAMES), 1e-30f);
    put32(&file, MD2_AT_OFS_END, (uint32_t)file.size - 1);
    OWNED(lm_model) *m = load_blob(&file);
    assert_int_equal(find_warning(m, LM_CODE_NO_SKINS)->count, 1);
    assert_non_null(find_warning(m, LM_CODE_EMPTY_SURFACE));
    assert_non_null(find_warning(m, LM_CODE_DENORMAL));
    assert_non_null(find_warning(m, LM_CODE_WRONG_END));
    assert_true(m->frames[0].scale.x == 0);
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void expect_memory_bounded(const char *path, const blob *file) {
    AT_END(assert_all_released) counted counts = {0};
    lm_error error;
    const lm_load_options options = {.memory.allocator = counting_allocator(&counts)};
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, &options, &error);
    assert_non_null(m);
    if (counts.most_bytes > 3 * file->size + LM_MEMORY_EXTRA)
        fail_msg("%s takes %zu bytes", path, counts.most_bytes);
}

TEST(test_memory_of_real_models) {
    each_model(expect_memory_bounded);
}

/* A file that would grow enormously if each drawn vertex were kept in each frame: many texture
 * coordinates make copies of one vertex in many frames. */
TEST(test_memory_of_a_hostile_file_is_bounded) {
    static const md2_shape shape = {0, 1, 32767, 16000, 5000, true};
    AT_END(assert_all_released) counted counts = {0};
    lm_error error = {0};
    AT_END(blob_free) blob file = make_md2(&shape);
    const lm_load_options options = {.memory.allocator = counting_allocator(&counts)};
    OWNED(lm_model) *model = lm_load_memory(file.data, file.size, &options, &error);
    assert_non_null(model);
    assert_true(counts.most_bytes <= 5 * file.size);
}

TEST(test_callers_limits) {
    lm_error error;
    AT_END(blob_free) blob file = make_md2(&small_md2);
    AT_END(assert_all_released) counted counts = {0};
    lm_load_options options = {.memory.allocator = counting_allocator(&counts)};
    lm_model_free(lm_load_memory(file.data, file.size, &options, &error));
    size_t need = counts.most_bytes, calls = counts.calls;
    options.memory.max_bytes = need;
    options.memory.max_allocations = calls;
    lm_model *m = lm_load_memory(file.data, file.size, &options, &error);
    assert_non_null(m);
    lm_model_free(m);
    options.memory.max_bytes = need - 1;
    assert_null(lm_load_memory(file.data, file.size, &options, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    options.memory.max_bytes = need;
    options.memory.max_allocations = calls - 1;
    assert_null(lm_load_memory(file.data, file.size, &options, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    char told[64];
    snprintf(told, sizeof told, "more than the limit of %zu allocations", calls - 1);
    assert_non_null(strstr(error.message, told));
}

/* The model no longer needs the file. */
TEST(test_model_outlives_its_file) {
    blob files[] = {make_md2(&small_md2), make_mdc(&small_mdc)};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        OWNED(lm_model) *m = load_blob(&files[i]);
        memset(files[i].data, 0xFF, files[i].size);
        blob_free(&files[i]);
        assert_model_valid(m);
    }
    lm_model_free(NULL);
}

TEST(test_all_messages) {
    assert_matches_golden("load");
}
