/* Tests MD3 documents and models: every field is read and written back to the byte, in any valid
 * layout, with tags as stored. Damage is in test_damage.c, engine limits in test_check.c. */
#include "documents.h"
#include "elements.h"
#include "formats/write_document.h"
#include "json_reader.h"

static lm_model *load(const blob *file, bool repair) {
    lm_error error;
    const lm_load_options options = {.repair = repair};
    lm_model *m = lm_load_memory(file->data, file->size, &options, &error);
    assert_done(m, error);
    assert_model_valid(m);
    return m;
}

/* ---- Fields -------------------------------------------------------------------------------- */

TEST(test_header_fields_are_read) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file);
    const int32_t values[] = {md3->flags,        md3->num_frames,   md3->num_tags,
                              md3->num_surfaces, md3->num_skins,    md3->ofs_frames,
                              md3->ofs_tags,     md3->ofs_surfaces, md3->ofs_end};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_int_equal((uint32_t)values[i], get32(&file, MD3_AT_FLAGS + 4 * i));
    const int32_t known[] = {5, 4, 2, 2, 1, 108, 108 + 4 * 56, 108 + 4 * 56 + 8 * 112};
    assert_memory_equal(values, known, sizeof known);
    assert_memory_equal(md3->name, file.data + MD3_AT_NAME, 64);
}

TEST(test_surface_fields_are_read) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file);
    for (int32_t s = 0; s < 2; s++) {
        const lm_md3_surface *f = &md3->surfaces[s];
        size_t start = surface_start(&file, s);
        const int32_t values[] = {
            f->flags,         f->num_frames,  f->num_shaders, f->num_verts,       f->num_triangles,
            f->ofs_triangles, f->ofs_shaders, f->ofs_st,      f->ofs_xyz_normals, f->ofs_end};
        for (size_t i = 0; i < COUNT_OF(values); i++)
            assert_int_equal((uint32_t)values[i],
                             get32(&file, start + MD3_SURFACE_AT_FLAGS + 4 * i));
        const int32_t known[] = {s, 4, 1, 5, 3, 108};
        assert_memory_equal(values, known, sizeof known);
        assert_int_equal(f->ident, LM_MD3_IDENT);
        assert_memory_equal(f->name, file.data + start + 4, 64);
        assert_ptr_equal(f->xyz_normals,
                         file.data + surface_lump(&file, s, MD3_SURFACE_AT_OFS_XYZ_NORMALS));
    }
}

TEST(test_elements_are_read) {
    uint32_t triangle[3];
    AT_END(blob_free) blob file = make_md3(&small_md3);
    size_t vertices = surface_lump(&file, 1, MD3_SURFACE_AT_OFS_XYZ_NORMALS);
    memcpy(file.data + vertices + 8 * (3 * 5 + 4), "\x00\x80\xff\x7f\xfe\xff\x12\x34", 8);
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file);
    lm_md3_xyz_normal v;
    lmi_md3_get_xyz_normal(&md3->surfaces[1], 3, 4, &v);
    assert_int_equal(v.v[0], INT16_MIN);
    assert_int_equal(v.v[1], INT16_MAX);
    assert_int_equal(v.v[2], -2);
    assert_int_equal(v.normal, 0x3412);
    lmi_md3_get_triangle(&md3->surfaces[1], 2, triangle);
    assert_memory_equal(triangle, ((uint32_t[]){2, 3, 4}), sizeof triangle);
    lm_vec2 st;
    lmi_md3_get_st(&md3->surfaces[1], 0, &st);
    assert_true(st.x < 1);
    lm_md3_frame frame;
    lmi_md3_get_frame(md3, 3, &frame);
    assert_string_equal(frame.name, "frame3");
    assert_true(frame.bbox_max.z == 33);
    lm_md3_tag tag;
    lmi_md3_get_tag(md3, 3, 1, &tag);
    assert_string_equal((const char *)tag.name, "tag_1");
    assert_true(tag.origin.x == 7 && tag.origin.z == -1.5f && tag.axis[1].x == -2);
}

/* ---- Round trips --------------------------------------------------------------------------- */

TEST(test_unreadable_documents_are_not_written) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    uint8_t triangles[3 * 12] = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file);
    lmi_md3_put_triangle(triangles + 24, (const uint32_t[]){0, 1, 5});
    md3->surfaces[1].triangles = triangles;
    assert_false(lmi_write_document(&lmi_md3_kind, md3, &out, &error));
    assert_int_equal(error.code, LM_CODE_VERTEX_INDEX);
    assert_int_equal(out.size, 0);
    md3->surfaces[1].num_shaders = -1;
    assert_false(lmi_write_document(&lmi_md3_kind, md3, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_COUNT);
}

/* ---- Models -------------------------------------------------------------------------------- */

TEST(test_model_preserves_the_file) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_model) *m = load(&file, false);
    assert_string_equal(m->format, "md3");
    assert_int_equal(m->version, 15);
    assert_string_equal(m->name, "models/test/test.md3");
    assert_int_equal(m->num_surfaces, 2);
    const lm_surface *s = &m->surfaces[1];
    assert_string_equal(s->name, "part1");
    assert_string_equal(s->materials[0].name, "models/test/part1.tga");
    assert_int_equal(s->num_keys, 4);
    assert_null(s->frame_keys);
    assert_null(s->frame_deltas);
    assert_memory_equal(s->keys, file.data + surface_lump(&file, 1, MD3_SURFACE_AT_OFS_XYZ_NORMALS),
                        4 * 5 * 8);
    assert_true(m->frames[2].min.x == -32 && m->frames[2].radius == 40);
    assert_int_equal(m->num_clips, 1);
    assert_int_equal(m->clips[0].count, 4);
}

/* camera.md3 of the corpus declares 0 frames in its surface, and has one. */
TEST(test_surfaces_use_the_files_frame_count) {
    static const uint32_t stated[] = {0, 3, 5, 0xFFFFFFFF};
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_model) *plain = load(&file, false);
    for (size_t i = 0; i < COUNT_OF(stated); i++) {
        put32(&file, surface_start(&file, 1) + MD3_SURFACE_AT_NUM_FRAMES, stated[i]);
        OWNED(lm_model) *m = load(&file, false);
        assert_int_equal(m->surfaces[1].num_keys, 4);
        assert_memory_equal(m->surfaces[1].keys, plain->surfaces[1].keys, 4 * 5 * 8);
        assert_round_trip(&md3_documents, "another number of frames", &file);
    }
}

TEST(test_meaningless_names_make_one_clip) {
    static const char *const names[] = {"(from ASE)", "", "\x01\xff%d", "\x03\x90 %d.x"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        AT_END(blob_free) blob file = make_md3(&small_md3);
        for (int f = 0; f < 4; f++) {
            char *name = (char *)file.data + get32(&file, MD3_AT_OFS_FRAMES) + 56 * f + 40;
            memset(name, 0, 16);
            memcpy(name, names[i], strlen(names[i]));
            if (i >= 2)
                name[1] = (char)(0x80 + 7 * f);
        }
        OWNED(lm_model) *m = load(&file, false);
        if (m->num_clips != 1 || m->clips[0].count != 4)
            fail_msg("names such as \"%s\" make %u clips", names[i], (unsigned)m->num_clips);
    }
}

/* ---- Tags ---------------------------------------------------------------------------------- */

static void expect_vec3(lm_vec3 got, lm_vec3 want, double tolerance) {
    if (fabs((double)got.x - want.x) > tolerance || fabs((double)got.y - want.y) > tolerance ||
        fabs((double)got.z - want.z) > tolerance)
        fail_msg("%g %g %g instead of %g %g %g", got.x, got.y, got.z, want.x, want.y, want.z);
}

static lm_vec3 mean(lm_vec3 a, lm_vec3 b, bool normalise) {
    double x = ((double)a.x + b.x) / 2, y = ((double)a.y + b.y) / 2, z = ((double)a.z + b.z) / 2;
    double length = normalise ? sqrt(x * x + y * y + z * z) : 1;
    return (lm_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
}

/* Expects the result of R_LerpTag halfway between frames `from` and `to`. */
static void expect_lerp_tag(const lm_md3 *md3, const lm_model *m, int32_t from, int32_t to) {
    for (int32_t t = 0; t < md3->num_tags; t++) {
        lm_md3_tag a, b;
        lmi_md3_get_tag(md3, from, t, &a);
        lmi_md3_get_tag(md3, to, t, &b);
        lm_transform pose;
        const lm_pose halfway = {(uint32_t)from, (uint32_t)to, 0.5f};
        assert_int_equal(lm_sample_tag(m, (uint32_t)t, &halfway, &pose), LM_CODE_OK);
        expect_vec3(pose.origin, mean(a.origin, b.origin, false), 1e-5);
        for (int i = 0; i < 3; i++)
            expect_vec3(pose.axis[i], mean(a.axis[i], b.axis[i], true), 1e-6);
    }
}

/* The axes are neither orthogonal nor right-handed, but have length 1, in and between whole frames.
 * Every way of asking for a frame gives the same bits. */
TEST(test_tags_are_blended_and_normalised) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file);
    OWNED(lm_model) *m = load(&file, false);
    assert_string_equal(m->tags[1].name, "tag_1");
    expect_lerp_tag(md3, m, 0, 3);
    for (uint32_t f = 0; f < 4; f++) {
        lm_transform one, other;
        expect_lerp_tag(md3, m, (int32_t)f, (int32_t)f);
        assert_int_equal(lm_sample_tag(m, 1, &(lm_pose){f, 0, 0}, &one), LM_CODE_OK);
        assert_int_equal(lm_sample_tag(m, 1, &(lm_pose){3 - f, f, 1}, &other), LM_CODE_OK);
        assert_memory_equal(&one, &other, sizeof one);
        for (int i = 0; i < 3; i++) {
            lm_vec3 v = one.axis[i];
            assert_true(fabs((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z - 1) < 1e-6);
        }
    }
}

/* The frames differ by half a turn: between them an axis equals the nearer frame's and does not
 * vanish at the change. */
TEST(test_opposite_axes_do_not_vanish) {
    const lm_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, back = {-1, 0, 0}, down = {0, 0, -1};
    const float ways[] = {0, 0.25f, nextafterf(0.5f, 0), 0.5f, nextafterf(0.5f, 1), 0.75f, 1};
    AT_END(blob_free) blob file = make_md3(&(md3_shape){2, 1, 0, 0, 0, 0});
    const size_t tags = get32(&file, MD3_AT_OFS_TAGS);
    lmi_md3_put_tag(file.data + tags, &(lm_md3_tag){.name = "tag_0", .axis = {x, y, z}});
    lmi_md3_put_tag(file.data + tags + 112,
                    &(lm_md3_tag){.name = "tag_0", .axis = {back, y, down}});
    OWNED(lm_model) *m = load(&file, false);
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        lm_transform place;
        assert_int_equal(lm_sample_tag(m, 0, &(lm_pose){0, 1, ways[i]}, &place), LM_CODE_OK);
        expect_vec3(place.axis[0], ways[i] < 0.5f ? x : back, 1e-6);
        expect_vec3(place.axis[1], y, 1e-6);
        expect_vec3(place.axis[2], ways[i] < 0.5f ? z : down, 1e-6);
    }
}

/* ---- glTF ---------------------------------------------------------------------------------- */

/* Returns a vector transformed by a tag's node: rotation times scale, in the model's axes. */
static lm_vec3 placed(const char *json, uint32_t node, lm_vec3 v) {
    double q[4], s[3];
    for (unsigned i = 0; i < 4; i++)
        q[i] = json_number(json_at(json, "nodes/%u/rotation/%u", (unsigned)node, i), NAN);
    for (unsigned i = 0; i < 3; i++)
        s[i] = json_number(json_at(json, "nodes/%u/scale/%u", (unsigned)node, i), 1);
    double x = v.x * s[0], y = v.y * s[1], z = v.z * s[2];
    double a = 2 * (q[1] * z - q[2] * y), b = 2 * (q[2] * x - q[0] * z);
    double c = 2 * (q[0] * y - q[1] * x);
    return (lm_vec3){(float)(x + q[3] * a + q[1] * c - q[2] * b),
                     (float)(y + q[3] * b + q[2] * a - q[0] * c),
                     (float)(z + q[3] * c + q[0] * b - q[1] * a)};
}

static void expect_node(const lm_vec3 axis[3], const lm_vec3 want[3], bool sheared) {
    AT_END(blob_free) blob file = make_md3(&(md3_shape){1, 1, 0, 0, 0, 0});
    lm_md3_tag tag = {.name = "tag_0", .axis = {axis[0], axis[1], axis[2]}};
    AT_END(lm_buffer_free) lm_buffer out = {0}, bin = {0};
    const lm_gltf_options options = {.bin_uri = "a.bin", .common.axes = LM_AXES_MODEL};
    lmi_md3_put_tag(file.data + get32(&file, MD3_AT_OFS_TAGS), &tag);
    OWNED(lm_model) *m = load(&file, false);
    lm_gltf_result result;
    assert_true(lm_gltf_write(LM_SCENE_OF(m), &options, &out, &bin, &result, NULL));
    assert_int_equal(result.num_sheared_tags, sheared);
    lm_buffer_append(&out, "", 1);
    const char *json = (const char *)out.data;
    uint32_t node = 0;
    while (node < json_count(json, "nodes") &&
           !json_is(json_at(json, "nodes/%u/name", (unsigned)node), "tag_0"))
        node++;
    assert_non_null(json_at(json, "nodes/%u/rotation", (unsigned)node));
    for (int i = 0; i < 3; i++)
        expect_vec3(placed(json, node, (lm_vec3){i == 0, i == 1, i == 2}), want[i], 1e-5);
}

TEST(test_nodes_of_any_axes) {
    const lm_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, down = {0, 0, -1}, back = {-1, 0, 0};
    const lm_vec3 none = {0, 0, 0}, far = {1e9f, 0, 0};
    expect_node((lm_vec3[]){x, y, z}, (lm_vec3[]){x, y, z}, false);
    expect_node((lm_vec3[]){y, back, z}, (lm_vec3[]){y, back, z}, false);
    expect_node((lm_vec3[]){x, y, down}, (lm_vec3[]){x, y, down}, false); /* mirrored */
    expect_node((lm_vec3[]){y, x, z}, (lm_vec3[]){y, x, z}, false);       /* mirrored */
    expect_node((lm_vec3[]){{0, 2, 0}, {-3, 0, 0}, z}, (lm_vec3[]){y, back, z}, false);
    expect_node((lm_vec3[]){far, y, {0, 0, -1e-20f}}, (lm_vec3[]){x, y, down}, false);
    expect_node((lm_vec3[]){x, none, z}, (lm_vec3[]){x, none, z}, false); /* flat */
    expect_node((lm_vec3[]){none, none, none}, (lm_vec3[]){none, none, none}, false);
    /* Left is atan(1/3) off the right angle: forward and left each turn by half of it. */
    const float lean = 0.5f * atanf(1.0f / 3), c = cosf(lean), d = sinf(lean);
    expect_node((lm_vec3[]){{0, 5, 0}, {-3, 1, 0}, none}, (lm_vec3[]){{d, c, 0}, {-c, d, 0}, none},
                true);
}

TEST(test_unusable_numbers_in_tags) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e31f};
    for (size_t field = 0; field < 12; field++) {
        lm_error error;
        AT_END(blob_free) blob file = make_md3(&small_md3);
        size_t tag = get32(&file, MD3_AT_OFS_TAGS) + 112 * 5;
        put_real(&file, tag + 64 + 4 * field, bad[field % COUNT_OF(bad)]);
        assert_null(lm_load_memory(file.data, file.size, NULL, &error));
        assert_int_equal(error.code, LM_CODE_NOT_FINITE);
        assert_int_equal(error.offset, tag);
        OWNED(lm_model) *m = load(&file, true);
        lm_transform pose;
        lm_sample_tag(m, 1, &(lm_pose){2, 2, 0}, &pose);
        const float *values = (const float *)&pose;
        assert_true(values[field] == 0);
    }
}
