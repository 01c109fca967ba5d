/* Fuzzes encoding of a mesh in each format. The file loads and has every triangle. One in two files
 * has a report, and one in four of those is proven as accurate as its report states. For an invalid
 * mesh the error is that of lm_mesh_check. A second mesh, after a separator, is the one for the
 * shared grid. */
#include "fuzz.h"

#include "lerpmesh/encode.h"

#include <math.h>

#define MAX_PROBLEMS 1000

typedef struct encoded {
    const lm_mesh *mesh;
    const lm_encode_report *report; /* or NULL */
} encoded;

static const float *position(const lm_mesh_surface *s, uint32_t frame, uint32_t vertex) {
    return s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
}

static double distance(const float *p, const float *q) {
    const double x = (double)p[0] - (double)q[0], y = (double)p[1] - (double)q[1],
                 z = (double)p[2] - (double)q[2];
    return sqrt(x * x + y * y + z * z);
}

/* Returns the smallest distance of `p` from a vertex of a mesh in that frame. */
static double distance_from(const float *p, const lm_mesh *mesh, uint32_t frame) {
    double least = INFINITY;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (uint32_t v = 0; v < mesh->surfaces[i].num_vertices; v++)
            least = fmin(least, distance(p, position(&mesh->surfaces[i], frame, v)));
    return least;
}

/* Checks that each vertex used by a triangle of `one` is as near to one of `other` as the report
 * states. */
static void assert_near(const lm_mesh *one, const lm_mesh *other, double most) {
    for (uint32_t i = 0; i < one->num_surfaces; i++) {
        const lm_mesh_surface *s = &one->surfaces[i];
        for (uint32_t c = 0; c < s->num_triangles * 3; c++)
            for (uint32_t f = 0; f < one->num_frames; f++)
                PROMISE(distance_from(position(s, f, s->triangles[c]), other, f) <= most);
    }
}

static uint32_t count_triangles(const lm_mesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_triangles;
    return count;
}

static void assert_report(const encoded *e, const lm_encode_options *options, size_t size) {
    const lm_encode_report *r = e->report;
    PROMISE(r->size == size && r->num_problems < MAX_PROBLEMS);
    PROMISE(r->max_error >= 0 && r->rms_error <= r->max_error * (1 + 1e-9));
    PROMISE(!(options->max_error > 0) || r->max_error <= options->max_error);
    PROMISE(r->num_triangles == count_triangles(e->mesh));
    PROMISE(r->mean_normal_error >= 0 && r->max_normal_error <= 180);
    PROMISE(r->max_tag_error >= 0 && r->max_tag_angle_error <= 180 && r->jitter >= 0);
    for (uint32_t i = 0; i < r->num_problems; i++)
        PROMISE(r->problems[i].code != LM_CODE_OK && r->problems[i].text[0]);
}

/* Checks a file as a mesh, and its accuracy if `near`. */
static void assert_shown(const encoded *e, const lm_model *model, bool near) {
    lm_error error = {0};
    lm_mesh *shown = lm_mesh_from_model(model, NULL, &error);
    PROMISE(shown && lm_mesh_check(shown, &error));
    PROMISE(count_triangles(shown) == count_triangles(e->mesh));
    if (near) {
        assert_near(e->mesh, shown, e->report->max_error);
        assert_near(shown, e->mesh, e->report->max_error);
    }
    lm_mesh_free(shown);
}

static void assert_written(const encoded *e, const lm_encode_options *options,
                           const lm_buffer *file, bool near) {
    lm_error error = {0};
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    PROMISE(model && model->num_frames == e->mesh->num_frames);
    if (e->report)
        assert_report(e, options, file->size);
    assert_shown(e, model, near && e->report);
    lm_model_free(model);
}

static lm_encode_options choose_options(fuzz_input *input) {
    static const double errors[] = {0, 0.01, 1};
    static const float stability[] = {0, 1, 1e6f};
    lm_encode_options options = {.engine = (lm_engine)fuzz_choose(input, LM_NUM_ENGINES)};
    options.strips = (lm_strips)fuzz_choose(input, LM_STRIPS_NONE + 1);
    options.smooth = fuzz_choose(input, 2) != 0;
    options.high_precision = fuzz_choose(input, 2) != 0;
    options.smallest = fuzz_choose(input, 2) != 0;
    options.max_error = errors[fuzz_choose(input, 3)];
    options.stability = stability[fuzz_choose(input, 3)];
    return options;
}

/* The meshes, shared by both runs. */
static fuzz_mesh meshes[2];

static void encode(fuzz_input input, const lm_allocator *memory, fuzz_output *out) {
    const lm_mesh *mesh = &meshes[0].mesh, *fits = &meshes[1].mesh;
    const lm_format_info *format = lm_format_at(fuzz_choose(&input, 4));
    lm_encode_options options = choose_options(&input);
    options.memory.allocator = *memory;
    options.shared_grid = &fits;
    options.num_shared_grids = meshes[1].num_lists || meshes[1].made ? 1 : 0;
    lm_error check = {0}, other = {0};
    lm_encode_report *report = NULL, **wanted = fuzz_choose(&input, 2) ? NULL : &report;
    const bool sound = lm_mesh_check(mesh, &check);
    lm_mesh_check(fits, &other);
    out->tried = true;
    out->written = lm_encode(mesh, format, &options, &out->file, wanted, &out->error);
    PROMISE((out->written && wanted) == (report != NULL));
    if (!sound)
        PROMISE(!out->written && out->error.code == check.code);
    else if (!out->written && out->error.code != LM_CODE_LIMIT &&
             out->error.code != LM_CODE_BAD_ARGUMENT && out->error.code != other.code)
        promise_broken(out->error.message, __FILE__, __LINE__);
    else if (out->written)
        assert_written(&(encoded){mesh, report}, &options, &out->file, fuzz_one_in(&input, 4));
    lm_encode_report_free(report);
}

void fuzz_encode(fuzz_input *input) {
    fuzz_split(input);
    meshes[1] = (fuzz_mesh){0};
    if (fuzz_mesh_read(&input->parts[0], &meshes[0])) {
        if (input->num_parts > 1)
            fuzz_mesh_read(&input->parts[1], &meshes[1]);
        fuzz_write_twice(input, encode);
    }
    for (size_t i = 0; i < 2; i++)
        fuzz_mesh_free(&meshes[i]);
}
