/* Tests MDS documents and models: every field, the engine's numbers, bones, and damage. */
#include "documents.h"
#include "edits.h"
#include "formats/write_document.h"
#include "lerpmesh/edit.h"
#include "lerpmesh/mds.h"
#include "lerpmesh/sample.h"
#include "scene/join.h"
#include "skipping.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* ---- Documents ----------------------------------------------------------------------------- */

TEST(header_fields_are_read) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_mds) *mds = read_document(&mds_documents, &file);
    const int32_t values[] = {
        mds->num_frames,   mds->num_bones,    mds->ofs_frames, mds->ofs_bones, mds->torso_parent,
        mds->num_surfaces, mds->ofs_surfaces, mds->num_tags,   mds->ofs_tags,  mds->ofs_end};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_int_equal((uint32_t)values[i], get32(&file, MDS_AT_NUM_FRAMES + 4 * i));
    assert_int_equal(mds->num_bones, 4);
    assert_int_equal(mds->frame_size, 100);
    assert_int_equal(mds->ofs_frames, 120);
    assert_memory_equal(mds->name, file.data + MDS_AT_NAME, 64);
    assert_true(mds->lod_scale == 1 && mds->lod_bias == 0);
    for (int32_t i = 0; i < 2; i++) {
        const lm_mds_surface *s = &mds->surfaces[i];
        assert_int_equal(s->num_verts, 5);
        assert_int_equal(s->weights_size, 9 * 20);
        assert_int_equal(s->ofs_header, -(int32_t)surface_start(&file, i));
        assert_ptr_equal(s->verts, file.data + surface_lump(&file, i, MDS_SURFACE_AT_OFS_VERTS));
        assert_string_equal((const char *)s->shader, "models/test/skin.tga");
    }
}

TEST(the_model_has_bones_and_no_keys) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    const lm_bones *bones = model->bones;
    assert_non_null(bones);
    assert_int_equal(bones->num_bones, 4);
    assert_int_equal(bones->torso_parent, 1);
    assert_string_equal(bones->bones[2].name, "tag_head");
    assert_int_equal(bones->bones[2].flags, LM_BONE_TAG);
    assert_int_equal(bones->bones[0].parent, LM_NO_BONE);
    assert_int_equal(bones->bones[3].parent, 0);
    assert_int_equal(model->num_tags, 2);
    assert_int_equal(bones->tag_bones[1], 3);
    assert_int_equal(model->num_frames, 3);
    assert_int_equal(model->num_clips, 1);
    for (uint32_t s = 0; s < 2; s++) {
        const lm_surface *surface = &model->surfaces[s];
        assert_int_equal(surface->encoding, LM_VERTEX_WEIGHTS);
        assert_int_equal(surface->weights->firsts[5], 9);
        assert_int_equal(surface->num_materials, 1);
        assert_string_equal(surface->materials[0].name, "models/test/skin.tga");
        lm_packing packing = {.format = LM_ROW_4_BYTES};
        assert_int_equal(lm_model_pack_frames(model, s, 0, 1, &packing), LM_CODE_BAD_ARGUMENT);
    }
}

/* ---- The engine's numbers ------------------------------------------------------------------- */

/* The largest errors of positions, normals, and axes of tags. */
typedef struct errors {
    double position, normal, axis;
    size_t vertices, tags;
} errors;

static void add_error(double *worst, const float *a, const float *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        *worst = fmax(*worst, fabs((double)a[i] - (double)b[i]));
}

/* A line of numbers. Returns false at the end of the file. */
static bool read_line(FILE *file, char *kind, float *numbers, size_t *count) {
    char line[512];
    if (!fgets(line, sizeof line, file))
        return false;
    *kind = line[0];
    char *at = strrchr(line, ')') ? strrchr(line, ')') + 1 : line + 1, *end;
    for (*count = 0; *count < 16; at = end) {
        numbers[*count] = strtof(at, &end);
        if (end == at)
            break;
        ++*count;
    }
    return true;
}

static void compare_vertex(const lm_vec3 *xyz, const lm_vec3 *normals, const float *n, errors *e) {
    const size_t v = (size_t)n[1];
    /* The engine does not normalise: turned by less than the torso, a normal is shorter. */
    const float length = sqrtf(n[5] * n[5] + n[6] * n[6] + n[7] * n[7]);
    const float unit[] = {n[5] / length, n[6] / length, n[7] / length};
    add_error(&e->position, &xyz[v].x, n + 2, 3);
    add_error(&e->normal, &normals[v].x, unit, 3);
    e->vertices++;
}

/* Compares all lines of mds.txt with a model. */
static void compare_lines(FILE *file, const lm_model *model, errors *e) {
    static lm_vec3 xyz[4][400], normals[4][400];
    lm_transform bones[LM_MAX_BONES];
    char kind;
    size_t count;
    for (float n[16]; read_line(file, &kind, n, &count);) {
        if (kind == 'p') {
            /* The game's backlerp is the share of the old frame. */
            const lm_pose legs = {(uint32_t)n[1], (uint32_t)n[0], n[2]};
            const lm_pose torso = {(uint32_t)n[4], (uint32_t)n[3], n[5]};
            const lm_vec3 turn = {n[6], n[7], n[8]};
            assert_int_equal(count, 9);
            assert_int_equal(lm_sample_bones(model, &legs, &torso, &turn, bones), LM_CODE_OK);
            for (uint32_t s = 0; s < model->num_surfaces; s++)
                assert_int_equal(lm_sample_weights(model, s, bones,
                                                   &(lm_sample_target){.positions = &xyz[s]->x,
                                                                       .normals = &normals[s]->x}),
                                 LM_CODE_OK);
        } else if (kind == 'v') {
            compare_vertex(xyz[(size_t)n[0]], normals[(size_t)n[0]], n, e);
        } else {
            const lm_transform *tag = &bones[model->bones->tag_bones[(size_t)n[0]]];
            add_error(&e->position, &tag->origin.x, n + 2, 3);
            add_error(&e->axis, &tag->axis->x, n + 5, 9);
            e->tags++;
        }
    }
}

/* Opens a file of the game's data; NULL if there is none here. */
static FILE *open_real(const char *name, char path[4096]) {
    const char *corpus = getenv("LERPMESH_CORPUS");
    snprintf(path, 4096, "%s/../rtcw/%s", corpus ? corpus : "", name);
    return corpus ? fopen(path, "rb") : NULL;
}

TEST(poses_are_those_of_the_engine) {
    char path[4096];
    errors e = {0};
    FILE *numbers = open_real("engine/mds.txt", path);
    if (!numbers)
        SKIP("there are no numbers of the engine");
    FILE *body = open_real("main/models/players/multi/body.mds", path);
    assert_non_null(body);
    fclose(body);
    AT_END(blob_free) blob file = blob_read(path);
    OWNED(lm_model) *model = load_blob(&file);
    compare_lines(numbers, model, &e);
    fclose(numbers);
    assert_int_equal(e.vertices, 6 * 875);
    assert_int_equal(e.tags, 6 * 17);
    assert_true(e.position < 1e-4 && e.normal < 1e-4 && e.axis < 1e-4);
}

/* ---- Sampling ------------------------------------------------------------------------------- */

#define VERTS 5

static void sample_as(const lm_model *model, const lm_pose *pose, lm_sample_target target) {
    assert_int_equal(lm_sample(model, 1, pose, 1, &target), LM_CODE_OK);
}

/* Every layout has the same numbers, and padding is set only where it is asked for. */
TEST(targets_of_all_layouts_agree) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    const lm_pose pose = {0, 2, 0.375f};
    float apart[2][3 * VERTS], wide[8 * VERTS], planes[2][3 * VERTS];
    int8_t packed[4 * VERTS];
    memset(wide, 0x7F, sizeof wide);
    sample_as(model, &pose, (lm_sample_target){.positions = apart[0], .normals = apart[1]});
    sample_as(model, &pose,
              (lm_sample_target){
                  .positions = wide, .normals = wide + 3, .stride = 32, .zero_padding = true});
    sample_as(model, &pose,
              (lm_sample_target){.positions = planes[0],
                                 .normals = planes[1],
                                 .component_stride = sizeof(float) * VERTS});
    sample_as(model, &pose, (lm_sample_target){.packed_normals = packed});
    for (size_t v = 0; v < VERTS; v++)
        for (size_t i = 0; i < 3; i++) {
            const float p = apart[0][3 * v + i], n = apart[1][3 * v + i];
            assert_true(wide[8 * v + i] == p && wide[8 * v + 3 + i] == n && wide[8 * v + 6] == 0);
            assert_true(planes[0][VERTS * i + v] == p && planes[1][VERTS * i + v] == n);
            assert_true(fabsf((float)packed[4 * v + i] - 127 * n) <= 0.51f);
        }
}

TEST(whole_frames_and_cross_fades_are_exact) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    const lm_pose first = {1, 1, 0}, last = {2, 2, 0};
    const lm_pose to_first = {1, 2, 0}, to_last = {1, 2, 1}, tiny = {1, 2, 1e-13f};
    float a[3 * VERTS], b[3 * VERTS], c[3 * VERTS];
    sample_as(model, &first, (lm_sample_target){.positions = a});
    sample_as(model, &last, (lm_sample_target){.positions = b});
    const lm_pose *const same[] = {&to_first, &tiny};
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        sample_as(model, same[i], (lm_sample_target){.positions = c});
        assert_memory_equal(a, c, sizeof a);
    }
    sample_as(model, &to_last, (lm_sample_target){.positions = c});
    assert_memory_equal(b, c, sizeof b);
    const lm_sample_target target = {.positions = c};
    assert_int_equal(lm_sample_blend(model, 1, &first, &last, 0.25f, &target), LM_CODE_OK);
    for (size_t i = 0; i < COUNT_OF(c); i++)
        assert_true(fabsf(c[i] - (0.75f * a[i] + 0.25f * b[i])) < 1e-5f);
    assert_int_equal(lm_sample_blend(model, 1, &first, &last, 1, &target), LM_CODE_OK);
    assert_memory_equal(b, c, sizeof b);
}

TEST(tags_and_bounds_are_those_of_the_bones) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    lm_transform bones[LM_MAX_BONES], tag;
    lm_vec3 min, max, xyz[VERTS];
    const lm_pose pose = {2, 0, 0.5f}, still = {1, 1, 0};
    assert_int_equal(lm_sample_bones(model, &pose, &pose, NULL, bones), LM_CODE_OK);
    for (uint32_t t = 0; t < model->num_tags; t++) {
        const lm_transform *bone = &bones[model->bones->tag_bones[t]];
        assert_int_equal(lm_sample_tag(model, t, &pose, &tag), LM_CODE_OK);
        assert_memory_equal(&tag.origin, &bone->origin, sizeof tag.origin);
        for (int i = 0; i < 3; i++)
            assert_true(distance_of(tag.axis[i], bone->axis[i]) < 1e-6);
    }
    assert_int_equal(lm_model_bounds(model, 1, 1, &min, &max), LM_CODE_OK);
    for (uint32_t s = 0; s < 2; s++) {
        assert_int_equal(lm_sample(model, s, &still, 1, &(lm_sample_target){.positions = &xyz->x}),
                         LM_CODE_OK);
        for (size_t v = 0; v < VERTS; v++)
            assert_true(xyz[v].x >= min.x && xyz[v].y >= min.y && xyz[v].z >= min.z &&
                        xyz[v].x <= max.x && xyz[v].y <= max.y && xyz[v].z <= max.z);
    }
}

TEST(wrong_arguments_are_refused) {
    AT_END(blob_free) blob file = make_mds(), other = make_md2(&small_md2);
    OWNED(lm_model) *model = load_blob(&file), *keys = load_blob(&other);
    lm_transform bones[LM_MAX_BONES] = {{.origin = {0, 0, 0}}};
    float xyz[3 * VERTS];
    const lm_sample_target target = {.positions = xyz};
    const lm_pose good = {0, 1, 0.5f}, poses[] = {{3, 0, 0}, {0, 3, 0}, {0, 1, 1.5f}, {0, 1, NAN}};
    const lm_vec3 turn = {0, NAN, 0};
    for (size_t i = 0; i < COUNT_OF(poses); i++) {
        assert_int_equal(lm_sample_bones(model, &poses[i], &good, NULL, bones),
                         LM_CODE_BAD_ARGUMENT);
        assert_int_equal(lm_sample_bones(model, &good, &poses[i], NULL, bones),
                         LM_CODE_BAD_ARGUMENT);
    }
    assert_int_equal(lm_sample_bones(model, &good, &good, &turn, bones), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_bones(model, NULL, &good, NULL, bones), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_bones(keys, &good, &good, NULL, bones), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_weights(keys, 0, bones, &target), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_weights(model, 2, bones, &target), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_weights(model, 0, NULL, &target), LM_CODE_BAD_ARGUMENT);
}

TEST(computed_normals_follow_the_bones) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *stored = load_blob(&file);
    const lm_load_options options = {.normals = LM_NORMALS_COMPUTED};
    OWNED(lm_model) *model = load_blob_with(&file, &options);
    const lm_pose pose = {0, 0, 0};
    lm_vec3 xyz[VERTS], n[VERTS];
    const lm_sample_target target = {.positions = &xyz->x, .normals = &n->x};
    assert_int_equal(model->surfaces->encoding, LM_VERTEX_WEIGHTS);
    assert_memory_equal(model->surfaces->weights->weights, stored->surfaces->weights->weights,
                        9 * sizeof(lm_weight));
    assert_int_equal(lm_sample(model, 0, &pose, 1, &target), LM_CODE_OK);
    /* Vertex 0 is in triangle 0 only, whose normal it has. */
    const lm_vec3 a = {xyz[2].x - xyz[0].x, xyz[2].y - xyz[0].y, xyz[2].z - xyz[0].z};
    const lm_vec3 b = {xyz[1].x - xyz[0].x, xyz[1].y - xyz[0].y, xyz[1].z - xyz[0].z};
    const lm_vec3 side = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    const float length = sqrtf(side.x * side.x + side.y * side.y + side.z * side.z);
    assert_true(distance_of(n[0], (lm_vec3){side.x / length, side.y / length, side.z / length}) <
                1e-4);
}

/* ---- Damage --------------------------------------------------------------------------------- */

/* A change of 4 bytes: in the header; with `lump`, from the offset there on; in surface 0. */
typedef struct change {
    size_t lump, at;
    uint32_t value;
    lm_code code;
    bool of_surface;
} change;

static void assert_whole_weights(const lm_weights *weights, uint32_t num_vertices) {
    for (uint32_t v = 0; v < num_vertices; v++) {
        float sum = 0;
        for (uint32_t w = weights->firsts[v]; w < weights->firsts[v + 1]; w++)
            sum += weights->weights[w].weight;
        assert_true(fabsf(sum - 1) < 1e-6f);
    }
}

/* Damage is refused, and repaired into a model that keeps every promise. */
TEST(damage_is_refused_and_repaired) {
    static const change changes[] = {
        {0, MDS_AT_TORSO_PARENT, 4, LM_CODE_BONE_INDEX, false},
        {MDS_AT_OFS_BONES, 80 + 64, 1, LM_CODE_BONE_INDEX, false}, /* its own parent */
        {MDS_AT_OFS_BONES, 80 + 64, 2, LM_CODE_BONE_INDEX, false}, /* a circle */
        {MDS_AT_OFS_BONES, 80 + 64, (uint32_t)-2, LM_CODE_BONE_INDEX, false},
        {MDS_AT_OFS_BONES, 80 + 68, 0x7FC00000, LM_CODE_BAD_WEIGHT, false},
        {MDS_AT_OFS_BONES, 80 + 72, 0x7F800000, LM_CODE_NOT_FINITE, false},
        {MDS_AT_OFS_TAGS, 68, 4, LM_CODE_BONE_INDEX, false},
        {MDS_AT_OFS_FRAMES, 40, 0x7F800000, LM_CODE_NOT_FINITE, false},
        {0, MDS_SURFACE_AT_OFS_HEADER, 0, LM_CODE_BAD_OFFSET, true},
        {0, MDS_SURFACE_AT_NUM_VERTS, 0x7FFFFFFF, LM_CODE_BAD_COUNT, true},
        {0, MDS_SURFACE_AT_OFS_VERTS, 0x7FFFFFFF, LM_CODE_BAD_COUNT, true},
        {MDS_SURFACE_AT_OFS_VERTS, 20, 0, LM_CODE_BAD_WEIGHT, true},
        {MDS_SURFACE_AT_OFS_VERTS, 20, 129, LM_CODE_BAD_WEIGHT, true},
        {MDS_SURFACE_AT_OFS_VERTS, 32, 4, LM_CODE_BONE_INDEX, true},
        {MDS_SURFACE_AT_OFS_VERTS, 36, 0xBF000000, LM_CODE_BAD_WEIGHT, true},
        {MDS_SURFACE_AT_OFS_VERTS, 36, 0x7FC00000, LM_CODE_BAD_WEIGHT, true},
        {MDS_SURFACE_AT_OFS_VERTS, 40, 0x7FC00000, LM_CODE_NOT_FINITE, true},
        {MDS_SURFACE_AT_OFS_VERTS, 0, 0x7FC00000, LM_CODE_NOT_FINITE, true},
        {MDS_SURFACE_AT_OFS_TRIANGLES, 4, 5, LM_CODE_VERTEX_INDEX, true},
        {MDS_SURFACE_AT_OFS_COLLAPSE, 8, 5, LM_CODE_VERTEX_INDEX, true},
        {MDS_SURFACE_AT_OFS_REFERENCES, 0, 4, LM_CODE_BONE_INDEX, true},
    };
    const lm_load_options repair = {.repair = true};
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        const change *c = &changes[i];
        AT_END(blob_free) blob file = make_mds();
        const size_t start = c->of_surface ? surface_start(&file, 0) : 0;
        put32(&file, start + (c->lump ? get32(&file, start + c->lump) : 0) + c->at, c->value);
        lm_error error;
        assert_null(lm_load_memory(file.data, file.size, NULL, &error));
        assert_int_equal(error.code, c->code);
        assert_null(lm_mds_read(file.data, file.size, NULL, &error));
        assert_int_equal(error.code, c->code);
        OWNED(lm_model) *model = load_blob_with(&file, &repair);
        assert_true(model->num_warnings > 0);
        /* Repaired in the file, it is the same model, and has no damage. */
        OWNED(lm_edit) *edit = lm_edit_open(file.data, file.size, &repair, &error);
        assert_done(edit, error);
        lm_buffer out = {0};
        assert_done(lm_edit_write(edit, &out, &error), error);
        AT_END(blob_free) blob mended = blob_from_buffer(&out);
        OWNED(lm_model) *sound = load_blob(&mended);
        assert_int_equal(sound->num_surfaces, model->num_surfaces);
        assert_int_equal(sound->num_tags, model->num_tags);
        for (uint32_t s = 0; s < model->num_surfaces; s++) {
            lm_vec3 places[2][8];
            for (int k = 0; k < 2; k++)
                assert_int_equal(lm_sample(k ? sound : model, s, &(lm_pose){1, 1, 0, false}, 1,
                                           &(lm_sample_target){.positions = &places[k]->x}),
                                 LM_CODE_OK);
            assert_int_equal(sound->surfaces[s].num_triangles, model->surfaces[s].num_triangles);
            assert_memory_equal(places[0], places[1],
                                model->surfaces[s].num_vertices * sizeof(lm_vec3));
            assert_whole_weights(model->surfaces[s].weights, model->surfaces[s].num_vertices);
        }
    }
}

/* The game draws at least 3 vertices. It replaces others until it has one that it draws. */
TEST(collapse_maps_that_never_end_are_reported) {
    static const struct {
        uint32_t min_lod, third, fourth; /* the last two entries */
        uint32_t circles, first;
    } maps[] = {{3, 4, 3, 1, 3}, {3, 3, 3, 1, 3},           {3, 2, 4, 1, 4}, {3, 3, 4, 2, 3},
                {4, 3, 3, 0, 0}, {0, 4, 0, 0, 0},           {9, 4, 3, 0, 0}, {3, 4, 0, 0, 0},
                {0, 4, 3, 1, 3}, {(uint32_t)-1, 3, 0, 1, 3}};
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        AT_END(blob_free) blob file = make_mds();
        lm_error error;
        put32(&file, surface_start(&file, 0) + 136, maps[i].min_lod);
        const size_t map = surface_lump(&file, 0, MDS_SURFACE_AT_OFS_COLLAPSE);
        put32(&file, map + 12, maps[i].third);
        put32(&file, map + 16, maps[i].fourth);
        OWNED(lm_report) *report = lm_check_memory(file.data, file.size, NULL, &error);
        uint32_t circles = 0;
        for (uint32_t p = 0; p < report->num_problems; p++)
            if (report->problems[p].code == LM_CODE_COLLAPSE_CIRCLE) {
                circles = report->problems[p].count;
                assert_int_equal(report->problems[p].location.index, maps[i].first);
                assert_int_equal(report->problems[p].location.offset, map + 4 * maps[i].first);
            }
        assert_int_equal(circles, maps[i].circles);
    }
}

/* A file says once what is wrong: what follows from it is not reported. */
TEST(each_damage_is_reported_once) {
    static const struct {
        size_t at;
        uint32_t value;
        bool of_surface; /* the last one */
        lm_code code;
    } cases[] = {
        {MDS_AT_NUM_FRAMES, 0x7FFFFFFF, false, LM_CODE_BAD_OFFSET},
        {MDS_AT_OFS_FRAMES, 0xFFFFFFFF, false, LM_CODE_BAD_OFFSET},
        {MDS_AT_OFS_BONES, 0x7FFFFFFF, false, LM_CODE_BAD_OFFSET},
        {MDS_AT_OFS_END, 0x7FFFFFFF, false, LM_CODE_WRONG_END},
        {MDS_AT_OFS_END, 130, false, LM_CODE_WRONG_END},
        {MDS_SURFACE_AT_OFS_END, 0, true, LM_CODE_WRONG_END},
        {MDS_SURFACE_AT_OFS_END, 0xFFFFFFFF, true, LM_CODE_WRONG_END},
        {MDS_SURFACE_AT_OFS_END, 0x7FFFFFFF, true, LM_CODE_WRONG_END},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(blob_free) blob file = make_mds();
        lm_error error;
        put32(&file, (cases[i].of_surface ? surface_start(&file, 1) : 0) + cases[i].at,
              cases[i].value);
        OWNED(lm_report) *report = lm_check_memory(file.data, file.size, NULL, &error);
        uint32_t found = 0;
        for (uint32_t p = 0; p < report->num_problems; p++)
            found += report->problems[p].code == cases[i].code ||
                     report->problems[p].code == LM_CODE_BAD_OFFSET ||
                     report->problems[p].code == LM_CODE_TRAILING_BYTES;
        assert_int_equal(found, 1);
    }
}

TEST(a_shader_without_a_folder_is_named) {
    AT_END(blob_free) blob file = make_mds();
    lm_error error;
    memcpy(file.data + surface_start(&file, 1) + 68, "skin.tga", 9);
    OWNED(lm_report) *report = lm_check_memory(file.data, file.size, NULL, &error);
    const lm_diagnostic *found = NULL;
    for (uint32_t p = 0; p < report->num_problems; p++)
        if (report->problems[p].code == LM_CODE_SKIN_PATH)
            found = &report->problems[p];
    assert_non_null(found);
    assert_non_null(strstr(found->text, "surface 1: shader path 0 has no folder"));
}

/* Each of several joined clips takes the memory of its own frames only. */
TEST(joined_clips_take_linear_memory) {
    static const char *const names[] = {"a+h", "b+h", "c+h", "d+h", "e+h", "f+h", "g+h"};
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    lm_clip clips[8] = {[7] = {.name = "h", .count = 3, .fps = 1}};
    for (int i = 0; i < 7; i++)
        clips[i] = (lm_clip){.name = &"a\0b\0c\0d\0e\0f\0g"[2 * i], .count = 3, .fps = 1000};
    const lm_scene_part part = {.model = model, .num_clips = 8, .clips = clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
        counted counts = {0};
        lm_heap heap;
        lmi_heap_init(
            &heap,
            &(lm_memory){.allocator = counting_allocator(&counts), .max_bytes = (size_t)1 << 30},
            0);
        lm_arena arena = {.heap = &heap};
        const lm_scene *joined = lmi_scene_join(&scene, names, k == 0 ? 1 : 7, &arena);
        assert_int_equal(joined->parts->num_clips, k == 0 ? 9 : 15);
        assert_int_equal(joined->parts->model->num_frames, 3 + 2001 * (k == 0 ? 1 : 7));
        bytes[k] = counts.most_bytes;
        lmi_arena_free(&arena);
    }
    assert_true(bytes[1] < 8 * bytes[0]);
}

TEST(every_allocation_may_fail) {
    AT_END(blob_free) blob file = make_mds();
    EACH_ALLOCATION_FAILS (f) {
        const lm_load_options options = {.memory = f.memory, .normals = LM_NORMALS_COMPUTED};
        OWNED(lm_model) *model = lm_load_memory(file.data, file.size, &options, &f.error);
        f.done = model != NULL;
    }
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_mds) *mds = lm_mds_read(file.data, file.size, &f.memory, &f.error);
        f.done = mds != NULL;
    }
}

/* ---- Editing -------------------------------------------------------------------------------- */

TEST(edits_that_move_surfaces_keep_their_way_back) {
    AT_END(blob_free) blob file = make_mds();
    lm_error error;
    OWNED(lm_edit) *edit = lm_edit_open(file.data, file.size, NULL, &error);
    assert_done(edit, error);
    const uint32_t frame[] = {2}, surface[] = {1};
    assert_done(lm_edit_select(edit, LM_EDIT_FRAMES, 0, frame, 1, &error), error);
    assert_done(lm_edit_select(edit, LM_EDIT_SURFACES, 0, surface, 1, &error), error);
    assert_false(lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, &error));
    assert_false(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "run1", &error));
    assert_done(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "other.tga", &error), error);
    lm_buffer out = {0};
    assert_done(lm_edit_write(edit, &out, &error), error);
    AT_END(blob_free) blob made = blob_from_buffer(&out);
    OWNED(lm_mds) *mds = read_document(&mds_documents, &made);
    OWNED(lm_mds) *old = read_document(&mds_documents, &file);
    assert_int_equal(mds->num_frames, 1);
    assert_memory_equal(mds->frames, old->frames + 2 * MDS_FRAME, MDS_FRAME);
    assert_int_equal(mds->surfaces->ofs_header, -mds->ofs_surfaces);
    assert_memory_equal(mds->surfaces->verts, old->surfaces[1].verts, 5 * 32 + 9 * 20);
    assert_string_equal((const char *)mds->surfaces->shader, "other.tga");
}
