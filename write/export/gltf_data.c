#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"
#include "core/utf8.h"

#include <math.h>

void lm_gltf_write_floats(lm_json *json, const char *key, const float *values, unsigned count) {
    lm_json_open(json, key, '[');
    for (unsigned i = 0; i < count; i++)
        lm_json_float(json, NULL, values[i]);
    lm_json_close(json);
}

void lm_gltf_write_list(lm_json *json, const char *key, lm_gltf_list *list) {
    lm_json_close(&list->json);
    if (list->count > 0)
        lm_json_raw(json, key, list->text.data, list->text.size);
}

/* ---- Names ----------------------------------------------------------------------------------- */

const char *lm_gltf_name(lm_gltf *g, lm_names *names, const char *wanted) {
    size_t length = lm_utf8_from(wanted, NULL);
    char *text = lm_arena_alloc(&g->arena, (uint64_t)length + LM_NAME_ROOM, 1);
    if (!text)
        return NULL;
    lm_utf8_from(wanted, text);
    text[length] = '\0';
    return lm_names_unique(names, text);
}

/* ---- Accessors ----------------------------------------------------------------------------- */

uint8_t *lm_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset) {
    uint64_t padded = (size + 3) & ~(uint64_t)3;
    if (padded > g->room) {
        g->out_of_room = true;
        return NULL;
    }
    bool direct = stream == LM_STREAM_12;
    lm_buffer *buffer = direct ? g->direct : &g->streams[stream];
    *offset = buffer->size - (direct ? g->direct_start : 0);
    uint8_t *start = lm_buffer_reserve(buffer, (size_t)padded);
    if (start)
        g->room -= padded;
    return start;
}

uint8_t *lm_gltf_reserve_elements(lm_gltf *g, lm_accessor *accessor, size_t size) {
    return lm_gltf_reserve(g, accessor->stream, (uint64_t)accessor->count * size,
                           &accessor->offset);
}

uint32_t lm_gltf_add_view(lm_gltf *g, lm_gltf_stream stream, size_t offset, size_t size) {
    g->views[g->num_views] = (lm_gltf_view){stream, offset, size};
    return g->num_views++;
}

static void write_offset(lm_gltf *g, lm_gltf_stream stream, size_t offset) {
    uint32_t *view = &g->stream_views[stream];
    if (*view == LM_NO_INDEX)
        *view = lm_gltf_add_view(g, stream, 0, 0);
    lm_json_integer(&g->accessors.json, "bufferView", *view);
    if (offset > 0)
        lm_json_integer(&g->accessors.json, "byteOffset", (int64_t)offset);
}

static void write_sparse(lm_gltf *g, const lm_accessor *accessor) {
    lm_json *json = &g->accessors.json;
    lm_json_open(json, "sparse", '{');
    lm_json_integer(json, "count", accessor->num_sparse);
    lm_json_open(json, "indices", '{');
    write_offset(g, LM_STREAM_SPARSE, accessor->sparse_indices);
    lm_json_integer(json, "componentType", accessor->sparse_component);
    lm_json_close(json);
    lm_json_open(json, "values", '{');
    write_offset(g, LM_STREAM_SPARSE, accessor->sparse_values);
    lm_json_close(json);
    lm_json_close(json);
}

uint32_t lm_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor) {
    lm_json *json = &g->accessors.json;
    lm_json_open(json, NULL, '{');
    if (!accessor->sparse)
        write_offset(g, accessor->stream, accessor->offset);
    lm_json_integer(json, "componentType", accessor->component);
    if (accessor->normalized)
        lm_json_bool(json, "normalized", true);
    lm_json_integer(json, "count", accessor->count);
    lm_json_string(json, "type", accessor->type);
    if (accessor->num_bounds) {
        lm_gltf_write_floats(json, "min", accessor->min, accessor->num_bounds);
        lm_gltf_write_floats(json, "max", accessor->max, accessor->num_bounds);
    }
    if (accessor->num_sparse > 0)
        write_sparse(g, accessor);
    lm_json_close(json);
    return g->accessors.count++;
}

static bool find_bounds(const lm_vec3 *vectors, uint32_t count, lm_accessor *out) {
    lm_vec3 min = vectors[0], max = vectors[0];
    for (uint32_t i = 1; i < count; i++) {
        const lm_vec3 *v = &vectors[i];
        min = (lm_vec3){fminf(min.x, v->x), fminf(min.y, v->y), fminf(min.z, v->z)};
        max = (lm_vec3){fmaxf(max.x, v->x), fmaxf(max.y, v->y), fmaxf(max.z, v->z)};
    }
    out->num_bounds = 3;
    out->min[0] = min.x, out->min[1] = min.y, out->min[2] = min.z;
    out->max[0] = max.x, out->max[1] = max.y, out->max[2] = max.z;
    return lm_is_finite(min) && lm_is_finite(max);
}

bool lm_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, bool bounds,
                         uint32_t *accessor) {
    lm_accessor entry = {
        .stream = LM_STREAM_12, .component = LM_GLTF_FLOAT, .count = count, .type = "VEC3"};
    if (bounds && !find_bounds(vectors, count, &entry))
        return lm_fail_plain(g->error, LM_CODE_NOT_FINITE,
                             "the difference between two frames is too large for a float");
    uint8_t *out = lm_gltf_reserve_elements(g, &entry, 12);
    if (!out)
        return false;
    for (uint32_t i = 0; i < count; i++)
        lm_put_vec3(out + 12 * (size_t)i, vectors[i]);
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* ---- Buffer views -------------------------------------------------------------------------- */

static void write_view(lm_json *json, lm_gltf_stream stream, size_t offset, size_t size) {
    static const int strides[LM_NUM_STREAMS] = {12, 8, 4, 0, 0, 0, 0};
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "buffer", 0);
    if (offset > 0)
        lm_json_integer(json, "byteOffset", (int64_t)offset);
    lm_json_integer(json, "byteLength", (int64_t)size);
    if (strides[stream])
        lm_json_integer(json, "byteStride", strides[stream]);
    if (strides[stream])
        lm_json_integer(json, "target", LM_GLTF_ARRAY_BUFFER);
    else if (stream == LM_STREAM_INDICES)
        lm_json_integer(json, "target", LM_GLTF_ELEMENT_ARRAY_BUFFER);
    lm_json_close(json);
}

bool lm_gltf_finish_data(lm_gltf *g, lm_json *views, size_t *size) {
    size_t starts[LM_NUM_STREAMS + 1] = {0, g->direct->size - g->direct_start};
    for (unsigned stream = LM_STREAM_8; stream < LM_NUM_STREAMS; stream++) {
        lm_buffer *buffer = &g->streams[stream];
        lm_buffer_append(g->direct, buffer->data, buffer->size);
        lm_buffer_free(buffer);
        starts[stream + 1] = g->direct->size - g->direct_start;
    }
    for (uint32_t i = 0; i < g->num_views; i++) {
        const lm_gltf_view *view = &g->views[i];
        size_t start = starts[view->stream], whole = starts[view->stream + 1] - start;
        write_view(views, view->stream, start + view->offset, view->size ? view->size : whole);
    }
    *size = g->direct->size - g->direct_start;
    return !g->direct->failed;
}
