#include "export/gltf.h"

#include "core/bytes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* KHR_mesh_quantization: what positions and normals may be, and that every element starts at a
 * multiple of 4 bytes. Targets are signed, so the base must stay within 15 bits. */
#define LM_MAX_STEP INT16_MAX
#define LM_NORMAL_STEPS 127

/* ---- The grid ------------------------------------------------------------------------------- */

static bool is_whole(double value) {
    return fabs(value - round(value)) < 1e-4;
}

static bool has_deltas(const lm_model *model) {
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (model->surfaces[i].num_deltas > 0)
            return true;
    return false;
}

/* Whether all coordinates of the exported frames are whole multiples of `step` apart. */
static bool is_common_step(const lm_export *job, double step) {
    const lm_frame *frames = job->model->frames + job->first;
    if (job->still || (has_deltas(job->model) && !is_whole((double)job->model->delta_scale / step)))
        return false;
    for (uint32_t i = 0; i < job->count; i++) {
        const lm_vec3 *scale = &frames[i].scale, *move = &frames[i].translate;
        const lm_vec3 *first = &frames[0].translate;
        if (!is_whole((double)scale->x / step) || !is_whole((double)scale->y / step) ||
            !is_whole((double)scale->z / step) || !is_whole(((double)move->x - first->x) / step) ||
            !is_whole(((double)move->y - first->y) / step) ||
            !is_whole(((double)move->z - first->z) / step))
            return false;
    }
    return true;
}

/* The largest step that all coordinates are multiples of, or 0: the file's own, or for MDC the
 * 1/320 that both its 1/64 and its 0.05 are multiples of. */
static double own_step(const lm_export *job, double extent) {
    double scale = (double)job->model->frames[job->first].scale.x;
    for (unsigned divisor = 1; scale > 0 && divisor <= 16; divisor++) {
        double step = scale / divisor;
        if (extent / step > LM_MAX_STEP)
            return 0;
        if (is_common_step(job, step))
            return step;
    }
    return 0;
}

void lm_gltf_choose_grid(lm_gltf_body *body) {
    const lm_export *job = &body->job;
    lm_vec3 min, max;
    uint32_t first = job->still ? job->pose.frame_a : job->first;
    uint32_t count = job->still ? job->pose.frame_b - job->pose.frame_a + 1 : job->count;
    if (!body->g->options->quantize || body->plan.num_meshes == 0 ||
        !lm_bounds(job->model, first, count, &min, &max))
        return;
    double extent = fmax(fmax((double)max.x - min.x, (double)max.y - min.y), (double)max.z - min.z);
    double step = own_step(job, extent);
    if (step == 0)
        step = extent > 0 ? extent / LM_MAX_STEP : 1;
    min = lm_export_axes(job, min);
    body->grid.offset = (lm_vec3){min.x * job->scale, min.y * job->scale, min.z * job->scale};
    body->grid.step = (float)(step * (double)job->scale);
    body->quantized = body->grid.step >= FLT_MIN && isfinite(body->grid.step);
}

static int32_t to_step(float value, float offset, float step) {
    double steps = round(((double)value - (double)offset) / (double)step);
    return (int32_t)fmin(fmax(steps, 0), LM_MAX_STEP);
}

static void positions_to_steps(const lm_gltf_grid *grid, const lm_vec3 *positions, uint32_t count,
                               lm_gltf_ints *out) {
    for (uint32_t i = 0; i < count; i++) {
        const lm_vec3 *p = &positions[i];
        out[i] = (lm_gltf_ints){{to_step(p->x, grid->offset.x, grid->step),
                                 to_step(p->y, grid->offset.y, grid->step),
                                 to_step(p->z, grid->offset.z, grid->step)}};
    }
}

static void normals_to_steps(const lm_vec3 *normals, uint32_t count, lm_gltf_ints *out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = (lm_gltf_ints){{(int32_t)lrintf(normals[i].x * LM_NORMAL_STEPS),
                                 (int32_t)lrintf(normals[i].y * LM_NORMAL_STEPS),
                                 (int32_t)lrintf(normals[i].z * LM_NORMAL_STEPS)}};
}

static void subtract(lm_gltf_ints *from, const lm_gltf_ints *what, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++)
            from[i].v[k] -= what[i].v[k];
}

/* ---- Accessors of integers ------------------------------------------------------------------ */

typedef struct lm_int_range {
    lm_gltf_ints min, max;
    int32_t magnitude; /* the largest number without its sign */
    uint32_t num_used; /* elements that are not zero */
} lm_int_range;

static bool is_zero(const lm_gltf_ints *element) {
    return element->v[0] == 0 && element->v[1] == 0 && element->v[2] == 0;
}

static lm_int_range find_range(const lm_gltf_ints *values, uint32_t count) {
    lm_int_range range = {values[0], values[0], 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const int32_t value = values[i].v[k], size = abs(value);
            range.min.v[k] = value < range.min.v[k] ? value : range.min.v[k];
            range.max.v[k] = value > range.max.v[k] ? value : range.max.v[k];
            range.magnitude = size > range.magnitude ? size : range.magnitude;
        }
        range.num_used += !is_zero(&values[i]);
    }
    return range;
}

static void put_element(uint8_t *out, const lm_gltf_ints *element, bool wide) {
    for (unsigned k = 0; k < 3; k++) {
        if (wide)
            lm_put_u16(out + 2 * k, (uint16_t)element->v[k]);
        else
            out[k] = (uint8_t)element->v[k];
    }
}

static bool put_dense(lm_gltf *g, const lm_gltf_ints *values, bool wide, lm_accessor *entry) {
    size_t stride = wide ? 8 : 4;
    entry->stream = wide ? LM_STREAM_8 : LM_STREAM_4;
    uint8_t *out = lm_gltf_reserve_elements(g, entry, stride);
    for (uint32_t i = 0; out && i < entry->count; i++)
        put_element(out + i * stride, &values[i], wide);
    return out;
}

/* Bytes of an index into `count` elements. */
static unsigned index_size(uint32_t count) {
    return count <= UINT8_MAX + 1 ? 1 : count <= UINT16_MAX + 1 ? 2 : 4;
}

static void put_index(uint8_t *out, uint32_t index, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        out[i] = (uint8_t)(index >> 8 * i);
}

static bool put_sparse(lm_gltf *g, const lm_gltf_ints *values, bool wide, lm_accessor *entry) {
    static const int components[] = {0, LM_GLTF_UNSIGNED_BYTE, LM_GLTF_UNSIGNED_SHORT, 0,
                                     LM_GLTF_UNSIGNED_INT};
    unsigned size = index_size(entry->count);
    entry->sparse_component = components[size];
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_SPARSE, (uint64_t)entry->num_sparse * size,
                                   &entry->sparse_indices);
    for (uint32_t i = 0; out && i < entry->count; i++)
        if (!is_zero(&values[i])) {
            put_index(out, i, size);
            out += size;
        }
    size_t element = wide ? 6 : 3;
    if (out)
        out = lm_gltf_reserve(g, LM_STREAM_SPARSE, (uint64_t)entry->num_sparse * element,
                              &entry->sparse_values);
    for (uint32_t i = 0; out && i < entry->count; i++)
        if (!is_zero(&values[i])) {
            put_element(out, &values[i], wide);
            out += element;
        }
    return out;
}

/* Whether naming only the elements that are not zero takes less. */
static bool sparse_pays(uint32_t count, uint32_t num_used, bool wide) {
    uint64_t sparse = (uint64_t)num_used * (index_size(count) + (wide ? 6u : 3u));
    return sparse < (uint64_t)count * (wide ? 8 : 4);
}

static void set_bounds(lm_accessor *entry, const lm_int_range *range) {
    entry->num_bounds = 3;
    for (unsigned k = 0; k < 3; k++) {
        entry->min[k] = (float)range->min.v[k];
        entry->max[k] = (float)range->max.v[k];
    }
}

/* Adds differences, as 8 bits if they fit. */
static bool add_differences(lm_gltf *g, const lm_gltf_ints *values, uint32_t count, bool normals,
                            uint32_t *accessor) {
    lm_int_range range = find_range(values, count);
    bool wide = range.magnitude > INT8_MAX;
    lm_accessor entry = {.component = wide ? LM_GLTF_SHORT : LM_GLTF_BYTE,
                         .normalized = normals,
                         .count = count,
                         .type = "VEC3"};
    if (!normals)
        set_bounds(&entry, &range);
    entry.sparse = sparse_pays(count, range.num_used, wide);
    entry.num_sparse = entry.sparse ? range.num_used : 0;
    bool ok = true; /* all zero needs no data at all */
    if (!entry.sparse)
        ok = put_dense(g, values, wide, &entry);
    else if (entry.num_sparse > 0)
        ok = put_sparse(g, values, wide, &entry);
    if (ok)
        *accessor = lm_gltf_add_accessor(g, &entry);
    return ok;
}

/* ---- Base and targets ----------------------------------------------------------------------- */

bool lm_gltf_quantize_base(lm_gltf_mesh *mesh) {
    lm_gltf *g = mesh->body->g;
    positions_to_steps(&mesh->body->grid, mesh->base_positions, mesh->count, mesh->base_steps);
    normals_to_steps(mesh->base_normals, mesh->count, mesh->base_normal_steps);
    lm_int_range range = find_range(mesh->base_steps, mesh->count);
    bool wide = range.magnitude > UINT8_MAX;
    lm_accessor entry = {.component = wide ? LM_GLTF_UNSIGNED_SHORT : LM_GLTF_UNSIGNED_BYTE,
                         .count = mesh->count,
                         .type = "VEC3"};
    set_bounds(&entry, &range);
    if (!put_dense(g, mesh->base_steps, wide, &entry))
        return false;
    mesh->position = lm_gltf_add_accessor(g, &entry);
    entry = (lm_accessor){
        .component = LM_GLTF_BYTE, .normalized = true, .count = mesh->count, .type = "VEC3"};
    if (!put_dense(g, mesh->base_normal_steps, false, &entry))
        return false;
    mesh->normal = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* Normals that turn further than a normalised integer can say (a component changes by more than 1)
 * stay floats. */
static bool add_float_normals(lm_gltf_mesh *mesh, uint32_t *accessor) {
    for (uint32_t i = 0; i < mesh->count; i++) {
        const int32_t *base = mesh->base_normal_steps[i].v;
        lm_vec3 *n = &mesh->normals[i];
        *n = (lm_vec3){n->x - (float)base[0] / LM_NORMAL_STEPS,
                       n->y - (float)base[1] / LM_NORMAL_STEPS,
                       n->z - (float)base[2] / LM_NORMAL_STEPS};
    }
    return lm_gltf_add_vectors(mesh->body->g, mesh->normals, mesh->count, false, accessor);
}

bool lm_gltf_quantize_target(lm_gltf_mesh *mesh, uint32_t *position, uint32_t *normal) {
    lm_gltf *g = mesh->body->g;
    positions_to_steps(&mesh->body->grid, mesh->positions, mesh->count, mesh->steps);
    subtract(mesh->steps, mesh->base_steps, mesh->count);
    if (!add_differences(g, mesh->steps, mesh->count, false, position))
        return false;
    normals_to_steps(mesh->normals, mesh->count, mesh->steps);
    subtract(mesh->steps, mesh->base_normal_steps, mesh->count);
    lm_int_range range = find_range(mesh->steps, mesh->count);
    if (range.magnitude > LM_NORMAL_STEPS)
        return add_float_normals(mesh, normal);
    return add_differences(g, mesh->steps, mesh->count, true, normal);
}

/* ---- Texture coordinates -------------------------------------------------------------------- */

bool lm_gltf_can_quantize_st(const lm_surface *surface) {
    for (uint32_t i = 0; i < surface->num_vertices; i++) {
        const lm_vec2 *st = &surface->st[i];
        if (!(st->x >= 0 && st->x <= 1 && st->y >= 0 && st->y <= 1))
            return false;
    }
    return true;
}

bool lm_gltf_quantize_st(lm_gltf_mesh *mesh) {
    const lm_vec2 *st = mesh->surface->st;
    lm_accessor entry = {.stream = LM_STREAM_4,
                         .component = LM_GLTF_UNSIGNED_SHORT,
                         .normalized = true,
                         .count = mesh->count,
                         .type = "VEC2"};
    uint8_t *out = lm_gltf_reserve_elements(mesh->body->g, &entry, 4);
    for (uint32_t i = 0; out && i < entry.count; i++) {
        const lm_vec2 *at = &st[mesh->weld->vertices[i]];
        lm_put_u16(out + 4 * (size_t)i, (uint16_t)lrintf(at->x * UINT16_MAX));
        lm_put_u16(out + 4 * (size_t)i + 2, (uint16_t)lrintf(at->y * UINT16_MAX));
    }
    if (out)
        mesh->st = lm_gltf_add_accessor(mesh->body->g, &entry);
    return out;
}
