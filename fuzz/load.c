/* Fuzzes loading of one format with all options: the model keeps its guarantees, or there is an
 * error message; and checking and examining a file. */
#include "core/bytes.h"
#include "elements.h"
#include "formats/mds/mds_format.h"
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Models and their documents -------------------------------------------------------------- */

/* Compares a model, loaded without `repair`, with its document: nothing is missing and no number
 * differs. The two are decoded separately. So the comparison also detects damage that checks accept
 * and decoding would drop silently. */

/* Smaller numbers are loaded as 0. */
#define SMALLEST 1e-25f

static bool near(float ours, float theirs) {
    return fabsf(ours - theirs) <= SMALLEST; /* false for values that are not finite */
}

static bool near_vec(lm_vec3 a, lm_vec3 b) {
    return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z);
}

static bool warned(const lm_model *model, lm_code code) {
    uint32_t i = 0;
    while (i < model->num_warnings && model->warnings[i].code != code)
        i++;
    return i < model->num_warnings;
}

/* Checks that corner c of a triangle is that vertex of the file. */
static void same_corner(const lm_surface *surface, size_t c, int64_t vertex) {
    PROMISE(surface->file_vertices[surface->triangles[c]] == vertex);
}

static void same_frame(const lm_model *model, int32_t f, const lm_vertex_mesh_frame *frame) {
    const lm_frame *ours = &model->frames[f];
    const bool same = near_vec(ours->min, frame->bbox_min) &&
                      near_vec(ours->max, frame->bbox_max) && near(ours->radius, frame->radius);
    uint32_t num_vertices = 0;
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        num_vertices += model->surfaces[s].num_vertices;
    PROMISE(same || num_vertices == 0 || warned(model, LM_CODE_BAD_BOUNDS));
}

static void same_st(const lm_model *model, float ours, float stored) {
    PROMISE(near(ours, stored) || (ours == 0 && warned(model, LM_CODE_BAD_ST)));
}

/* Compares the parts that MD3 and MDC share. */
#define SAME_MESHES(kind, vertices_of)                                    \
    PROMISE(model->num_frames == (uint32_t)document->num_frames);         \
    PROMISE(model->num_tags == (uint32_t)document->num_tags);             \
    PROMISE(model->num_surfaces == (uint32_t)document->num_surfaces);     \
    for (int32_t f = 0; f < document->num_frames; f++) {                  \
        lm_vertex_mesh_frame frame;                                       \
        lmi_##kind##_get_frame(document, f, &frame);                      \
        same_frame(model, f, &frame);                                     \
    }                                                                     \
    for (uint32_t s = 0; s < model->num_surfaces; s++) {                  \
        const lm_##kind##_surface *surface = &document->surfaces[s];      \
        const lm_surface *ours = &model->surfaces[s];                     \
        PROMISE(ours->num_triangles == (uint32_t)surface->num_triangles); \
        PROMISE(ours->num_vertices == (uint32_t)surface->vertices_of);    \
        for (int32_t i = 0; i < surface->num_triangles; i++) {            \
            uint32_t vertex[3];                                           \
            lmi_##kind##_get_triangle(surface, i, vertex);                \
            for (size_t c = 0; c < 3; c++)                                \
                same_corner(ours, 3 * (size_t)i + c, vertex[c]);          \
        }                                                                 \
        for (int32_t v = 0; v < surface->vertices_of; v++) {              \
            lm_vec2 st;                                                   \
            lmi_##kind##_get_st(surface, v, &st);                         \
            same_st(model, ours->st[v].x, st.x);                          \
            same_st(model, ours->st[v].y, st.y);                          \
        }                                                                 \
    }

static void same_md3(const lm_model *model, const lm_md3 *document) {
    SAME_MESHES(md3, num_verts)
    for (int32_t f = 0; f < document->num_frames; f++)
        for (int32_t t = 0; t < document->num_tags; t++) {
            const lm_tag *ours = &model->tags[t];
            const uint8_t *pose = ours->poses + (size_t)f * ours->pose_stride;
            lm_md3_tag tag;
            lmi_md3_get_tag(document, f, t, &tag);
            PROMISE(near_vec(tag.origin, lmi_get_vec3(pose)));
            for (size_t i = 0; i < 3; i++)
                PROMISE(near_vec(tag.axis[i], lmi_get_vec3(pose + 12 * (i + 1))));
        }
}

static void same_mdc(const lm_model *model, const lm_mdc *document) {
    SAME_MESHES(mdc, num_vertices)
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        for (int32_t f = 0; f < document->num_frames; f++) {
            const lm_mdc_surface *surface = &document->surfaces[s];
            const lm_surface *ours = &model->surfaces[s];
            /* Without compressed frames the engine does not read their table. */
            const int32_t delta =
                surface->num_comp_frames ? lmi_mdc_get_frame_comp_frame(surface, f) : -1;
            if (surface->num_vertices == 0)
                continue;
            PROMISE((ours->frame_keys ? ours->frame_keys[f] : f) ==
                    lmi_mdc_get_frame_base_frame(surface, f));
            PROMISE((ours->frame_deltas ? ours->frame_deltas[f] : LM_NO_DELTA) ==
                    (delta < 0 ? LM_NO_DELTA : delta));
        }
}

static void same_md2(const lm_model *model, const lm_md2 *document) {
    const lm_surface *ours = &model->surfaces[0];
    PROMISE(model->num_frames == (uint32_t)document->num_frames);
    PROMISE(ours->num_file_vertices == (uint32_t)document->num_xyz);
    PROMISE(ours->num_triangles == (uint32_t)document->num_tris);
    for (int32_t i = 0; i < document->num_tris; i++) {
        lm_md2_triangle triangle;
        lmi_md2_get_triangle(document, i, &triangle);
        for (size_t c = 0; c < 3; c++) {
            same_corner(ours, 3 * (size_t)i + c, triangle.vertex[c]);
            PROMISE(triangle.st[c] < document->num_st);
        }
    }
    for (int32_t f = 0; f < document->num_frames; f++) {
        lm_md2_frame frame;
        lmi_md2_get_frame(document, f, &frame);
        PROMISE(near_vec(model->frames[f].scale, frame.scale));
        PROMISE(near_vec(model->frames[f].translate, frame.translate));
    }
}

static void same_mdl(const lm_model *model, const lm_mdl *document) {
    const lm_surface *ours = &model->surfaces[0];
    PROMISE(ours->num_file_vertices == (uint32_t)document->num_verts);
    PROMISE(ours->num_triangles == (uint32_t)document->num_tris);
    PROMISE(model->num_skins == (uint32_t)document->num_skins);
    PROMISE(near_vec(model->frames[0].scale, document->scale));
    PROMISE(near_vec(model->frames[0].translate, document->translate));
    for (int32_t i = 0; i < document->num_tris; i++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(document, i, &triangle);
        for (size_t c = 0; c < 3; c++) {
            same_corner(ours, 3 * (size_t)i + c, triangle.vertex[c]);
            PROMISE(triangle.st[c] < lmi_mdl_num_st(document));
        }
    }
}

static void same_mds(const lm_model *model, const lm_mds *document) {
    PROMISE(model->num_frames == (uint32_t)document->num_frames);
    PROMISE(model->num_tags == (uint32_t)document->num_tags);
    PROMISE(model->bones->num_bones == (uint32_t)document->num_bones);
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const lm_surface *ours = &model->surfaces[s];
        const lm_mds_surface *surface = &document->surfaces[s];
        PROMISE(ours->num_triangles == (uint32_t)surface->num_triangles);
        PROMISE(ours->num_file_vertices == (uint32_t)surface->num_verts);
        PROMISE(ours->weights->firsts[ours->num_file_vertices] * LM_MDS_WEIGHT_SIZE ==
                (uint32_t)surface->weights_size);
        for (size_t i = 0; i < (size_t)3 * ours->num_triangles; i++)
            PROMISE(ours->triangles[i] == lmi_get_u32(surface->triangles + 4 * i));
    }
}

/* The formats whose documents are compared with models here. */
#define COMPARED(X) X(md2) X(mdc) X(md3) X(mdl) X(mds)

#define COMPARE(kind)                                                                 \
    static void compare_##kind(const fuzz_input *input, const lm_model *model) {      \
        lm_##kind *document = lm_##kind##_read(input->data, input->size, NULL, NULL); \
        if (document)                                                                 \
            same_##kind(model, document);                                             \
        lm_##kind##_free(document);                                                   \
    }
COMPARED(COMPARE)

static void assert_faithful(const fuzz_input *input) {
    lm_model *model = lm_load_memory(input->data, input->size, NULL, NULL);
    if (!model)
        return;
#define CALL(kind)                         \
    if (strcmp(model->format, #kind) == 0) \
        compare_##kind(input, model);
    COMPARED(CALL)
    lm_model_free(model);
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Loads again while one of the first allocations fails. */
static void load_with_few_allocations(fuzz_input *input) {
    lm_error error = {0};
    lm_load_options options = {.repair = true};
    options.memory.max_allocations = 1 + fuzz_choose(input, 24);
    lm_model *model = lm_load_memory(input->data, input->size, &options, &error);
    if (!model)
        assert_error_valid(&error);
    lm_model_free(model);
}

void fuzz_load(fuzz_input *input) {
    const char *format = lm_format_of(input->data, input->size);
    if (format && strcmp(format, input->kind) != 0)
        return;
    lm_model_free(fuzz_load_model(input, NULL));
    if (fuzz_choose(input, 8) == 1)
        load_with_few_allocations(input);
    if (fuzz_choose(input, 2) == 0)
        assert_faithful(input);
}

/* ---- Checking -------------------------------------------------------------------------------- */

static void assert_report(const lm_report *report, size_t size) {
    uint32_t counts[LM_SEVERITY_ERROR + 1] = {0};
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        PROMISE(problem->code > LM_CODE_OK && problem->code < LM_NUM_CODES);
        PROMISE(problem->severity <= LM_SEVERITY_ERROR);
        PROMISE(problem->location.offset <= size);
        PROMISE(strlen(problem->text) > 8 && problem->location.section);
        counts[problem->severity]++;
    }
    PROMISE(counts[LM_SEVERITY_ERROR] <= report->num_errors &&
            counts[LM_SEVERITY_WARNING] <= report->num_warnings &&
            counts[LM_SEVERITY_NOTE] <= report->num_notes);
}

/* Compares the report with loading: every failure except for memory limits is an error of the
 * report, and nothing else is. */
static void compare_with_load(const fuzz_input *input, const lm_report *report) {
    lm_error error = {0};
    lm_model *model = lm_load_memory(input->data, input->size, NULL, &error);
    PROMISE(model ? report->num_errors == 0
                  : report->num_errors > 0 || error.code == LM_CODE_LIMIT);
    lm_model_free(model);
}

/* Checking finds errors exactly in files that loading rejects. */
void fuzz_check(fuzz_input *input) {
    lm_error error = {0};
    lm_check_options options = {.engine = (lm_engine)fuzz_choose(input, LM_NUM_ENGINES)};
    options.max_per_code = fuzz_choose(input, 4);
    lm_report *report = lm_check_memory(input->data, input->size, &options, &error);
    if (report)
        assert_report(report, input->size);
    else
        PROMISE(error.code == LM_CODE_LIMIT);
    if (report && options.engine == LM_ENGINE_ANY)
        compare_with_load(input, report);
    lm_report_free(report);
}

/* ---- Examining ------------------------------------------------------------------------------- */

#define MAX_TABLES 3
#define MAX_OUTPUT (1 << 13)

static void print_table(const fuzz_input *input, const char *name) {
    lm_error error = {0};
    lm_buffer out = {.max_size = MAX_OUTPUT};
    if (!lm_layout_table(input->data, input->size, name, &out, &error)) {
        assert_error_valid(&error);
        PROMISE(out.size == 0);
    }
    lm_buffer_free(&out);
}

static void assert_layout(const lm_layout *layout, size_t size) {
    PROMISE(layout->file_size == size);
    PROMISE(layout->num_header_fields <= layout->num_fields);
    for (uint32_t i = 0; i < layout->num_fields; i++)
        PROMISE(layout->fields[i].offset + 4 <= size);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        PROMISE(lump->outside == (lump->size > 0 && lump->end > size));
        PROMISE(lump->first_field + lump->num_fields <= layout->num_fields);
    }
    for (uint32_t i = 0; i < layout->num_spans; i++) {
        PROMISE(layout->spans[i].offset + layout->spans[i].size <= size);
        PROMISE(i == 0 || layout->spans[i - 1].offset <= layout->spans[i].offset);
    }
}

/* Fields lie in the file, each lump with a table prints it, and spans are ordered. */
void fuzz_examine(fuzz_input *input) {
    lm_error error = {0};
    const uint32_t first = fuzz_choose(input, 256);
    lm_layout *layout = lm_layout_memory(input->data, input->size, NULL, &error);
    if (layout) {
        char name[48];
        assert_layout(layout, input->size);
        for (uint32_t i = first; i < layout->num_lumps && i - first < MAX_TABLES; i++)
            print_table(input, layout->lumps[i].name);
        snprintf(name, sizeof name, "frame %u vertices", (unsigned)fuzz_choose(input, 256));
        print_table(input, name);
        print_table(input, "vertices");
    } else {
        assert_error_valid(&error);
    }
    lm_layout_free(layout);
}
