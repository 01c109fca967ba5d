#include "support.h"
#include "synthetic.h"

enum {
    NUM_VERTICES = 5,
    NUM_FILE_VERTICES = 4, /* the last is drawn twice */
    NUM_TRIANGLES = 4
};

static char *write_text(const lm_model *model, lm_export_options options) {
    lm_buffer out = {0};
    lm_error error = {0};
    assert_done(lm_obj_write(LM_SCENE_OF(model), &options, NULL, &out, NULL, &error), error);
    lm_buffer_append(&out, "", 1);
    return (char *)out.data; /* allocated by malloc, as no allocator was set */
}

/* Reads the numbers of the lines that begin with `key`. Returns how many there are. */
static size_t read_numbers(const char *text, const char *key, double *out, size_t most) {
    size_t count = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        char *p = (char *)line + strlen(key);
        while (*p == ' ' || *p == '/') {
            assert_true(count < most);
            out[count++] = strtod(p + 1, &p);
        }
    }
    return count;
}

static void sample(const lm_model *model, lm_pose pose, const lm_sample_target *target) {
    assert_int_equal(lm_sample(model, 0, &pose, 1, target), LM_CODE_OK);
}

typedef struct obj {
    size_t num_v, num_vt, num_vn, num_f; /* numbers */
    double v[64], vt[64], vn[64], f[128];
} obj;

static obj read_obj(char *text) {
    obj o = {0};
    o.num_v = read_numbers(text, "v", o.v, 64);
    o.num_vt = read_numbers(text, "vt", o.vt, 64);
    o.num_vn = read_numbers(text, "vn", o.vn, 64);
    o.num_f = read_numbers(text, "f", o.f, 128);
    free(text);
    return o;
}

/* Returns the vertex of its surface at a corner; faces are reversed. `numbers` receives the
 * corner's three indices. */
static uint32_t corner_of(const lm_model *model, const obj *o, size_t corner, size_t numbers[3]) {
    const lm_surface *surface = &model->surfaces[corner / (3 * (size_t)NUM_TRIANGLES)];
    const size_t within = corner % (3 * (size_t)NUM_TRIANGLES), k = within % 3;
    for (size_t i = 0; i < 3; i++) {
        numbers[i] = (size_t)o->f[3 * corner + i];
        assert_true(numbers[i] > 0);
        numbers[i]--;
    }
    assert_true(3 * numbers[0] < o->num_v && 2 * numbers[1] < o->num_vt &&
                3 * numbers[2] < o->num_vn);
    return surface->triangles[within - k + (3 - k) % 3];
}

TEST(numbers_match_the_sampler) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    obj o = read_obj(write_text(model, (lm_export_options){.frame = 1.25, .axes = LM_AXES_MODEL}));
    float p[3 * NUM_VERTICES], n[3 * NUM_VERTICES];
    sample(model, (lm_pose){1, 2, 0.25f}, &(lm_sample_target){.positions = p, .normals = n});
    assert_int_equal(o.num_f, 2 * NUM_TRIANGLES * 9);
    for (size_t corner = 0; corner < 3 * (size_t)NUM_TRIANGLES; corner++) {
        size_t at[3];
        uint32_t vertex = corner_of(model, &o, corner, at);
        for (size_t k = 0; k < 3; k++) {
            assert_true((float)o.v[3 * at[0] + k] == p[3 * vertex + k]);
            assert_true((float)o.vn[3 * at[2] + k] == n[3 * vertex + k]);
        }
        assert_true((float)o.vt[2 * at[1]] == model->surfaces[0].st[vertex].x);
        assert_true((float)o.vt[2 * at[1] + 1] == 1 - model->surfaces[0].st[vertex].y);
    }
}

TEST(a_mesh_gives_the_vertices) {
    SYNTHETIC_MODEL(model, .num_frames = 2);
    float rows[2][2][3 * NUM_VERTICES]; /* of each surface and frame */
    lm_mesh_surface surfaces[2];
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 6 * NUM_VERTICES; i++)
            rows[s][i / (3 * NUM_VERTICES)][i % (3 * NUM_VERTICES)] = (float)(i * i % 97 + s);
        surfaces[s] = MESH_SURFACE(NUM_VERTICES, rows[s][0], model->surfaces[s].num_triangles,
                                   model->surfaces[s].triangles);
    }
    lm_mesh mesh = MESH_OF(2, 2, surfaces);
    const lm_export_options options = {.mesh = &mesh, .frame = 0.5, .axes = LM_AXES_MODEL};
    obj o = read_obj(write_text(model, options));
    for (size_t corner = 0; corner < 6 * (size_t)NUM_TRIANGLES; corner++) {
        size_t at[3];
        const uint32_t vertex = corner_of(model, &o, corner, at);
        const int s = corner >= 3 * (size_t)NUM_TRIANGLES;
        for (size_t k = 0; k < 3; k++)
            assert_true((float)o.v[3 * at[0] + k] ==
                        (rows[s][0][3 * vertex + k] + rows[s][1][3 * vertex + k]) / 2);
    }
    lm_buffer out = {0};
    lm_error error;
    mesh.num_frames = 1;
    assert_false(lm_obj_write(LM_SCENE_OF(model), &options, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST(axes_and_scale_are_applied) {
    SYNTHETIC_MODEL(model, .num_frames = 2);
    obj o = read_obj(write_text(model, (lm_export_options){.scale = 2}));
    float p[3 * NUM_VERTICES], n[3 * NUM_VERTICES];
    sample(model, (lm_pose){0, 0, 0}, &(lm_sample_target){.positions = p, .normals = n});
    for (size_t corner = 0; corner < 3 * (size_t)NUM_TRIANGLES; corner++) {
        size_t at[3];
        uint32_t vertex = corner_of(model, &o, corner, at);
        for (size_t k = 0; k < 3; k++) {
            size_t from = 3 * vertex + (k + 1) % 3; /* x of glTF is y of the model, and so on */
            assert_true((float)o.v[3 * at[0] + k] == 2 * p[from]);
            assert_true((float)o.vn[3 * at[2] + k] == n[from]);
        }
    }
}

/* Each surface's numbers continue those of the one before. */
TEST(faces_are_counter_clockwise_in_file_order) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    obj o = read_obj(write_text(model, (lm_export_options){0}));
    const unsigned wanted[] = {0, 2, 1, 2, 1, 2, 0, 1, 3, 4, 3, 2};
    assert_int_equal(o.num_v, 2 * 3 * NUM_FILE_VERTICES);
    assert_int_equal(o.num_vt, 2 * 2 * NUM_VERTICES);
    assert_int_equal(o.num_vn, 2 * 3 * NUM_FILE_VERTICES);
    assert_int_equal(o.num_f, 2 * NUM_TRIANGLES * 9);
    for (size_t i = 0; i < 3 * (size_t)NUM_TRIANGLES; i++)
        for (size_t k = 0; k < 3; k++) {
            unsigned count = k == 1 ? NUM_VERTICES : NUM_FILE_VERTICES;
            unsigned number = (wanted[i] < count ? wanted[i] : count - 1) + 1;
            assert_int_equal((unsigned)o.f[3 * i + k], number);
            assert_int_equal((unsigned)o.f[9 * NUM_TRIANGLES + 3 * i + k], number + count);
        }
}

/* Copies another vertex's data of a key, from byte `from` up to `end`. */
static void copy_vertex(const lm_model *model, uint32_t key, uint32_t to, uint32_t vertex,
                        size_t from, size_t end) {
    const lm_surface *surface = &model->surfaces[0];
    uint8_t *keys = (uint8_t *)surface->keys + key * surface->key_stride;
    memcpy(keys + to * surface->key_size + from, keys + vertex * surface->key_size + from,
           end - from);
}

/* Positions, texture coordinates and normals are welded separately. Elements that are equal in some
 * frames only stay separate, so that all frames of a model have the same elements in the same
 * order. */
TEST(values_equal_in_all_frames_are_written_once) {
    enum {
        POSITION_END = 6,
        NORMAL_END = 8
    };
    SYNTHETIC_MODEL(model, .num_frames = 3);
    obj all = read_obj(write_text(model, (lm_export_options){0}));
    for (uint32_t key = 0; key < 3; key++)
        copy_vertex(model, key, 3, 1, 0, POSITION_END);
    copy_vertex(model, 0, 2, 1, 0, POSITION_END);
    for (uint32_t key = 0; key < 3; key++)
        copy_vertex(model, key, 2, 0, POSITION_END, NORMAL_END);
    for (uint32_t frame = 0; frame < 3; frame++) {
        obj o = read_obj(write_text(model, (lm_export_options){.frame = frame}));
        size_t at[3];
        assert_int_equal(o.num_v, all.num_v - 3);
        assert_int_equal(o.num_vn, all.num_vn - 3);
        assert_int_equal(o.num_vt, all.num_vt);
        assert_int_equal(corner_of(model, &o, 9, at), 4);
        assert_int_equal(at[0], 1);
        assert_int_equal(at[1], 4);
        assert_int_equal(at[2], 2);
        assert_int_equal(corner_of(model, &o, 11, at), 2);
        assert_int_equal(at[0], 2);
        assert_int_equal(at[2], 0);
    }
}

TEST(names_stay_on_their_line) {
    SYNTHETIC_MODEL(model, .num_frames = 1,
                    .name = "a\nv 1\x7f"
                            "2 3\xE9");
    AT_END(drop_bytes) char *text = write_text(model, (lm_export_options){0});
    assert_non_null(strstr(text, "o a_v 1_2 3\xC3\xA9\n"));
    free(text);
    free_synthetic_model(model);
    model = make_model(&(synthetic_options){.num_frames = 1, .name = ""});
    text = write_text(model, (lm_export_options){.name = "knight"});
    assert_non_null(strstr(text, "o knight\n"));
}

TEST(failures_leave_the_buffer) {
    SYNTHETIC_MODEL(model, .num_frames = 2);
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_obj_write(LM_SCENE_OF(model), NULL, NULL, &out, NULL, &f.error);
        assert_true(f.done || out.size == 0);
    }
    lm_buffer small = {.max_size = 300};
    lm_error error = {0};
    assert_false(lm_obj_write(LM_SCENE_OF(model), NULL, NULL, &small, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(small.size, 0);
    lm_buffer_free(&small);
    assert_false(lm_obj_write(LM_SCENE_OF(model), &(lm_export_options){.frame = 2}, NULL, &small,
                              NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

static void record(const char *format, const blob *file) {
    OWNED(lm_model) *model = load_blob(file);
    AT_END(drop_bytes)
    char *text = write_text(model, (lm_export_options){.frame = 0.5, .name = "a"});
    record_output("%s", text);
}

TEST(outputs_of_small_models) {
    each_small_model(record);
    assert_matches_golden("obj");
}
