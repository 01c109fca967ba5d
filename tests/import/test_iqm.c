/* Tests IQM that are damaged, too large or written with failing memory. */
#include "core/bytes.h"
#include "lerpmesh/encode.h"
#include "synthetic.h"
#include "synthetic_gltf.h"

enum {
    VERTICES = 24,
    FRAMES = 9,
    HEADER = 124
};

/* An arm of two stiff parts along x, the second of which swings about y, with a tag at its end. */
typedef struct arm {
    float positions[FRAMES][VERTICES][3], normals[FRAMES][VERTICES][3];
    uint32_t triangles[VERTICES];
    lm_transform ends[FRAMES];
    lm_mesh_tag tag;
    lm_clip clips[2];
    lm_material material;
    lm_mesh_surface surface;
    lm_mesh mesh;
    lm_skeleton *skeleton;
} arm;

static void make_arm(arm *a) {
    chance random = chance_from(3);
    lm_error error;
    *a = (arm){.material = {.name = "models/arm.tga"}};
    for (uint32_t v = 0; v < VERTICES; v++) {
        const float x = (float)(v + 1), y = chance_real(&random, -2, 2),
                    z = chance_real(&random, -2, 2);
        a->triangles[v] = v;
        for (uint32_t f = 0; f < FRAMES; f++) {
            const float angle = x > 12 ? 0.2f * (float)f : 0, c = cosf(angle), s = sinf(angle);
            const float at[3] = {12 + c * (x - 12) + s * z, y, c * z - s * (x - 12)};
            memcpy(a->positions[f][v], at, sizeof at);
            memcpy(a->normals[f][v], ((const float[3]){s, 0, c}), sizeof at);
        }
    }
    for (uint32_t f = 0; f < FRAMES; f++)
        a->ends[f] =
            (lm_transform){{a->positions[f][20][0], a->positions[f][20][1], a->positions[f][20][2]},
                           {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    a->tag = (lm_mesh_tag){.name = "tag_end", .poses = a->ends};
    a->clips[0] = (lm_clip){.name = "swing", .count = 5, .fps = 10};
    a->clips[1] = (lm_clip){.name = "back", .first = 5, .count = 4, .fps = 10, .loop_frames = 4};
    a->surface =
        MESH_SURFACE(VERTICES, a->positions[0][0], VERTICES / 3, a->triangles, .name = "arm",
                     .normals = a->normals[0][0], .num_materials = 1, .materials = &a->material);
    a->mesh = MESH_OF(FRAMES, 1, &a->surface, .num_tags = 1, .tags = &a->tag, .num_clips = 2,
                      .clips = a->clips);
    a->skeleton = lm_skeleton_fit(&a->mesh, &(lm_skeleton_options){.max_bones = 3}, &error);
    assert_done(a->skeleton, error);
}

static void free_arm(arm *a) {
    lm_skeleton_free(a->skeleton);
}

static blob file_of(const arm *a) {
    lm_buffer out = {0};
    lm_error error;
    assert_done(lm_encode_iqm(&a->mesh, a->skeleton, &out, NULL, &error), error);
    return (blob){out.data, out.size};
}

/* Imports a file, and writes what it gave again. */
static lm_import *read(const blob *file, lm_error *error) {
    lm_import *import = lm_import_read(
        file->data, file->size,
        &(lm_import_options){.skeleton = true, .memory = {.max_bytes = (size_t)1 << 22}}, error);
    if (!import) {
        assert_error_valid(error);
        return NULL;
    }
    lm_buffer out = {0};
    assert_true(lm_mesh_check(import->mesh, error));
    if (import->skeleton && !lm_encode_iqm(import->mesh, import->skeleton, &out, NULL, error))
        assert_int_equal(error->code, LM_CODE_LIMIT);
    lm_buffer_free(&out);
    return import;
}

TEST(test_round_trip) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    lm_error error;
    assert_int_equal(lm_importer_find(file.data, file.size, NULL), LM_IMPORTER_IQM);
    assert_int_equal(lm_importer_find(file.data, 15, "arm.IQM"), LM_IMPORTER_IQM);
    assert_int_equal(lm_importer_find("{", 1, "arm.iqm"), LM_IMPORTER_GLTF);
    OWNED(lm_import) *import = read(&file, &error);
    assert_done(import, error);
    const lm_mesh *mesh = import->mesh;
    assert_int_equal(mesh->num_frames, FRAMES);
    assert_string_equal(mesh->surfaces[0].name, "arm");
    assert_string_equal(mesh->surfaces[0].materials[0].name, "models/arm.tga");
    assert_memory_equal(mesh->surfaces[0].triangles, a.triangles, sizeof a.triangles);
    assert_string_equal(mesh->tags[0].name, "tag_end");
    assert_int_equal(mesh->num_clips, 2);
    assert_int_equal(mesh->clips[0].loop_frames, 0);
    assert_int_equal(mesh->clips[1].loop_frames, 4);
    const lm_skeleton *s = import->skeleton;
    assert_int_equal(s->num_joints, a.skeleton->num_joints);
    assert_true(s->all.max_error < 1e-3);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        assert_string_equal(s->joints[j].name, a.skeleton->joints[j].name);
        assert_int_equal(s->joints[j].parent, a.skeleton->joints[j].parent);
        assert_true(fabsf(s->joints[j].position.x - a.skeleton->joints[j].position.x) < 1e-3f);
    }
    for (uint32_t f = 0; f < FRAMES; f++)
        for (uint32_t v = 0; v < VERTICES; v++)
            for (int i = 0; i < 3; i++) {
                const float *at = mesh->surfaces[0].positions + 3 * ((size_t)f * VERTICES + v);
                assert_true(fabsf(at[i] - a.positions[f][v][i]) < 0.05f);
            }
}

TEST(test_tags_of_one_name) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    const lm_mesh_tag tags[] = {a.tag, a.tag, a.tag};
    lm_mesh mesh = a.mesh;
    mesh.tags = tags;
    mesh.num_tags = COUNT_OF(tags);
    AT_END(lm_buffer_free) lm_buffer out = {0};
    OWNED(lm_encode_report) *report = NULL;
    lm_error error;
    assert_done(lm_encode_iqm(&mesh, a.skeleton, &out, &report, &error), error);
    assert_int_equal(report->num_problems, 2);
    for (uint32_t i = 0; i < report->num_problems; i++) {
        assert_int_equal(report->problems[i].location.index, i + 1);
        assert_string_equal(report->problems[i].text,
                            "a tag with the name of an earlier one is left out");
    }
}

TEST(test_every_prefix_is_rejected) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    for (size_t size = 0; size < file.size; size++) {
        lm_error error;
        AT_END(blob_free) blob part = blob_copy(file.data, size);
        assert_null(lm_import_read(part.data, part.size,
                                   &(lm_import_options){.importer = LM_IMPORTER_IQM}, &error));
        assert_error_valid(&error);
    }
}

/* Odd numbers in each field of the header, the lists and the arrays. */
TEST(test_every_field_is_damaged) {
    static const uint32_t odd[] = {0,          1,          2,          127,        0x7fffffff,
                                   0xffffffff, 0x80000000, 0x7f800000, 0x7fc00000, 0x7f7fffff,
                                   124,        0x10000,    0x00ff00ff, 0xfffffffe};
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    unsigned read_ones = 0;
    for (size_t at = 16; at + 4 <= file.size; at += 4)
        for (size_t i = 0; i < sizeof odd / sizeof *odd + 2; i++) {
            lm_error error;
            AT_END(blob_free) blob damaged = blob_copy(file.data, file.size);
            const uint32_t old = lmi_get_u32(file.data + at);
            lmi_put_u32(damaged.data + at, i < sizeof odd / sizeof *odd ? odd[i]
                                           : i % 2                      ? old + 1
                                                                        : old - 1);
            OWNED(lm_import) *import = read(&damaged, &error);
            read_ones += import != NULL;
        }
    assert_true(read_ones > 1000);
}

static uint32_t field(const blob *file, unsigned index) {
    return lmi_get_u32(file->data + 16 + 4 * (size_t)index);
}

static void assert_rejected(const blob *file, const char *sentence) {
    lm_error error;
    OWNED(lm_import) *import = read(file, &error);
    assert_null(import);
    if (!strstr(error.message, sentence))
        fail_msg("%s", error.message);
}

TEST(test_known_damage_is_named) {
    static const struct {
        unsigned list, offset; /* a field of the header with an offset, and a place behind it */
        uint32_t value;
        const char *sentence;
    } cases[] = {{14, 4, 0, "its parent is joint 0, which is not before it"},
                 {14, 52, 1, "its parent is joint 1, which is not before it"},
                 {14, 52, 0xfffffffe, "its parent is joint -2"},
                 {14, 8, 0x7fc00000, "it has a number that is not finite"},
                 {14, 36, 0, "its base pose has no size"},
                 {16, 8, 0x7f800000, "it has a number that is not finite"},
                 {16, 88 + 48 + 16, 0x7f7fffff, "its numbers are too large"},
                 {16, 4, 0, "channels"},
                 {18, 4, 8, "frames from 8 on, but there are 9"},
                 {11, 0, 99, "uses vertex 99"},
                 {6, 12, 99, "it has 99 vertices"},
                 {6, 0, 9999, "its name is at 9999"}};
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(blob_free) blob damaged = blob_copy(file.data, file.size);
        lmi_put_u32(damaged.data + field(&file, cases[i].list) + cases[i].offset, cases[i].value);
        assert_rejected(&damaged, cases[i].sentence);
    }
    /* The joints of vertices are the array before the last. */
    AT_END(blob_free) blob damaged = blob_copy(file.data, file.size);
    const uint32_t arrays = field(&file, 9);
    damaged.data[lmi_get_u32(file.data + arrays + 4 * 20 + 16)] = 77;
    assert_rejected(&damaged, "vertex 0 follows joint 77");
}

/* Harmless damage is read, with a warning. */
TEST(test_harmless_damage_is_reported) {
    static const uint32_t rates[] = {0, 0x80000000, 0x7f800000, 0x7fc00000, 0x0da24260, 0x7149f2ca};
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    lm_error error;
    /* Adjacency, bounds, comments, extensions: an engine may read them. */
    for (unsigned i = 12; i <= 26; i += i == 12 ? 10 : 2) {
        AT_END(blob_free) blob damaged = blob_copy(file.data, file.size);
        lmi_put_u32(damaged.data + 16 + 4 * (size_t)i, (uint32_t)file.size + 1);
        OWNED(lm_import) *import = read(&damaged, &error);
        assert_done(import, error);
        assert_int_equal(import->num_diagnostics, 1);
        assert_int_equal(import->diagnostics->code, LM_CODE_BAD_OFFSET);
        assert_int_equal(import->diagnostics->severity, LM_SEVERITY_WARNING);
    }
    for (size_t i = 0; i <= COUNT_OF(rates); i++) {
        lm_buffer out = {0};
        lm_buffer_append(&out, file.data, file.size);
        if (i < COUNT_OF(rates))
            lmi_put_u32(out.data + field(&file, 18) + 12, rates[i]);
        else
            lm_buffer_append(&out, "end", 3);
        AT_END(blob_free) blob damaged = blob_from_buffer(&out);
        OWNED(lm_import) *import = read(&damaged, &error);
        assert_done(import, error);
        assert_int_equal(import->num_diagnostics, 1);
        assert_int_equal(import->diagnostics->code,
                         i < COUNT_OF(rates) ? LM_CODE_CLIP_RATE : LM_CODE_TRAILING_BYTES);
        assert_true(import->mesh->clips[0].fps == 10);
    }
    /* Animations without frames, one and then all: the counts of frames of both, or of the file. */
    for (unsigned all = 0; all < 2; all++) {
        AT_END(blob_free) blob damaged = blob_copy(file.data, file.size);
        lmi_put_u32(damaged.data + field(&file, 18) + 8, 0);
        if (all)
            lmi_put_u32(damaged.data + 16 + 4 * 19, 0);
        OWNED(lm_import) *import = read(&damaged, &error);
        assert_done(import, error);
        assert_int_equal(import->num_diagnostics, 1);
        assert_int_equal(import->diagnostics->count, 1 + all);
        assert_string_equal(import->diagnostics->text, "an animation without frames is left out");
        assert_int_equal(import->mesh->num_clips, 1 - all);
    }
}

/* A square of two triangles, each with vertices of its own: as many programs write OBJ. */
TEST(test_equal_vertices_are_merged) {
    static const float square[2][6][3] = {
        {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 0}}};
    static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    float normals[6][3] = {{0}};
    for (int bent = 0; bent < 2; bent++) {
        for (int v = 0; v < 6; v++)
            normals[v][v == 0 && bent] = 1;
        normals[0][0] = (float)!bent;
        const lm_mesh_surface surfaces[2] = {
            MESH_SURFACE(6, square[0][0], 2, triangles, .normals = normals[0]),
            MESH_SURFACE(6, square[0][0], 2, triangles, .normals = normals[0])};
        const lm_mesh mesh = MESH_OF(1, 2, surfaces);
        lm_buffer out = {0};
        lm_error error;
        assert_done(lm_encode_iqm(&mesh, NULL, &out, NULL, &error), error);
        AT_END(blob_free) blob file = blob_from_buffer(&out);
        assert_int_equal(field(&file, 8), bent ? 10 : 8); /* 5 or 4 per surface */
    }
}

/* Frames without channels take no bytes: their number is bounded, and so is memory. */
TEST(test_memory_depends_on_the_input) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    for (uint32_t frames = 1000; frames <= 1000000; frames *= 10) {
        AT_END(blob_free) blob large = blob_copy(file.data, file.size);
        counted counts = {0};
        lm_import_options options = {.skeleton = true,
                                     .memory.allocator = counting_allocator(&counts)};
        lm_error error = {.code = LM_CODE_OK};
        lmi_put_u32(large.data + 16 + 4 * 19, frames);
        lmi_put_u32(large.data + 16 + 4 * 20, 0);
        for (uint32_t j = 0; j < field(&file, 15); j++)
            lmi_put_u32(large.data + field(&file, 16) + 88 * (size_t)j + 4, 0);
        lm_import *import = lm_import_read(large.data, large.size, &options, &error);
        assert_int_equal(import != NULL, frames <= 10000);
        if (!import)
            assert_int_equal(error.code, LM_CODE_LIMIT);
        lm_import_free(import);
        assert_true(counts.most_bytes <=
                    LM_IMPORT_EXTRA + file.size * (size_t)LM_IMPORT_FRAMES_MULTIPLE);
        assert_all_released(&counts);
    }
}

TEST(test_failing_allocations_are_handled) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    AT_END(blob_free) blob file = file_of(&a);
    EACH_ALLOCATION_FAILS (f) {
        const lm_import_options options = {.memory = f.memory, .skeleton = true};
        OWNED(lm_import) *import = lm_import_read(file.data, file.size, &options, &f.error);
        f.done = import != NULL;
    }
    EACH_ALLOCATION_FAILS (g) {
        lm_buffer out = {.allocator = g.memory.allocator};
        lm_encode_report *report = NULL;
        g.done = lm_encode_iqm(&a.mesh, a.skeleton, &out, &report, &g.error);
        lm_encode_report_free(report);
        lm_buffer_free(&out);
    }
}

TEST(test_wrong_arguments) {
    AT_END(free_arm) arm a;
    make_arm(&a);
    lm_error error;
    lm_buffer out = {0};
    assert_false(lm_encode_iqm(&a.mesh, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_HELD);
    assert_non_null(strstr(error.message, "vertices move"));
    a.surface.num_vertices--;
    a.surface.num_triangles--;
    assert_false(lm_encode_iqm(&a.mesh, a.skeleton, &out, NULL, &error));
    assert_non_null(strstr(error.message, "not that of the mesh"));
    a.surface.num_vertices++;
    out.max_size = 1000;
    assert_false(lm_encode_iqm(&a.mesh, a.skeleton, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(out.size, 0);
    lm_buffer_free(&out);
}
