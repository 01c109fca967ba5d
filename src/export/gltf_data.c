#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"

#include <math.h>

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

static uint32_t view_of(lm_gltf *g, lm_gltf_stream stream) {
    if (g->views[stream] == LM_NO_INDEX)
        g->views[stream] = g->num_views++;
    return g->views[stream];
}

static void write_place(lm_gltf *g, lm_gltf_stream stream, size_t offset) {
    lm_json_integer(&g->accessors, "bufferView", view_of(g, stream));
    if (offset > 0)
        lm_json_integer(&g->accessors, "byteOffset", (int64_t)offset);
}

static void write_bounds(lm_gltf *g, const char *key, const float *values, unsigned count) {
    lm_json_open(&g->accessors, key, '[');
    for (unsigned i = 0; i < count; i++)
        lm_json_float(&g->accessors, NULL, values[i]);
    lm_json_close(&g->accessors);
}

static void write_sparse(lm_gltf *g, const lm_accessor *accessor) {
    lm_json_open(&g->accessors, "sparse", '{');
    lm_json_integer(&g->accessors, "count", accessor->num_sparse);
    lm_json_open(&g->accessors, "indices", '{');
    write_place(g, LM_STREAM_SPARSE, accessor->sparse_indices);
    lm_json_integer(&g->accessors, "componentType", accessor->sparse_component);
    lm_json_close(&g->accessors);
    lm_json_open(&g->accessors, "values", '{');
    write_place(g, LM_STREAM_SPARSE, accessor->sparse_values);
    lm_json_close(&g->accessors);
    lm_json_close(&g->accessors);
}

uint32_t lm_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor) {
    lm_json_open(&g->accessors, NULL, '{');
    if (!accessor->sparse)
        write_place(g, accessor->stream, accessor->offset);
    lm_json_integer(&g->accessors, "componentType", accessor->component);
    if (accessor->normalized)
        lm_json_bool(&g->accessors, "normalized", true);
    lm_json_integer(&g->accessors, "count", accessor->count);
    lm_json_string(&g->accessors, "type", accessor->type);
    if (accessor->num_bounds) {
        write_bounds(g, "min", accessor->min, accessor->num_bounds);
        write_bounds(g, "max", accessor->max, accessor->num_bounds);
    }
    if (accessor->num_sparse > 0)
        write_sparse(g, accessor);
    lm_json_close(&g->accessors);
    return g->num_accessors++;
}

static bool find_bounds(const lm_vec3 *vectors, uint32_t count, lm_accessor *out) {
    lm_vec3 min = vectors[0], max = vectors[0];
    for (uint32_t i = 1; i < count; i++) {
        const lm_vec3 *v = &vectors[i];
        min = (lm_vec3){fminf(min.x, v->x), fminf(min.y, v->y), fminf(min.z, v->z)};
        max = (lm_vec3){fmaxf(max.x, v->x), fmaxf(max.y, v->y), fmaxf(max.z, v->z)};
    }
    const float bounds[] = {min.x, min.y, min.z, max.x, max.y, max.z};
    out->num_bounds = 3;
    for (unsigned i = 0; i < 3; i++) {
        out->min[i] = bounds[i];
        out->max[i] = bounds[3 + i];
        if (!isfinite(out->min[i]) || !isfinite(out->max[i]))
            return false;
    }
    return true;
}

bool lm_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, bool bounds,
                         uint32_t *accessor) {
    lm_accessor entry = {
        .stream = LM_STREAM_12, .component = LM_GLTF_FLOAT, .count = count, .type = "VEC3"};
    if (bounds && !find_bounds(vectors, count, &entry))
        return lm_fail_plain(g->error, LM_CODE_NOT_FINITE,
                             "the difference of two frames is beyond what a float can hold");
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_12, (uint64_t)count * 12, &entry.offset);
    if (!out)
        return false;
    for (uint32_t i = 0; i < count; i++)
        lm_put_vec3(out + 12 * (size_t)i, vectors[i]);
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* ---- Buffer views -----------------------------------------------------------------------------
 */

static void write_view(const lm_gltf *g, lm_json *json, lm_gltf_stream stream, size_t start,
                       size_t size) {
    static const int strides[LM_NUM_STREAMS] = {12, 8, 4, 0, 0, 0, 0};
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "buffer", 0);
    if (start > g->direct_start)
        lm_json_integer(json, "byteOffset", (int64_t)(start - g->direct_start));
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
    size_t starts[LM_NUM_STREAMS] = {g->direct_start}, sizes[LM_NUM_STREAMS];
    sizes[LM_STREAM_12] = g->direct->size - g->direct_start;
    for (unsigned stream = LM_STREAM_8; stream < LM_NUM_STREAMS; stream++) {
        lm_buffer *buffer = &g->streams[stream];
        starts[stream] = g->direct->size;
        sizes[stream] = buffer->size;
        lm_buffer_append(g->direct, buffer->data, buffer->size);
        lm_buffer_free(buffer);
    }
    for (uint32_t view = 0; view < g->num_views; view++) {
        for (unsigned stream = 0; stream < LM_NUM_STREAMS; stream++)
            if (g->views[stream] == view)
                write_view(g, views, (lm_gltf_stream)stream, starts[stream], sizes[stream]);
        for (uint32_t i = 0; i < g->scene->num_textures; i++)
            if (g->image_places[i].texture != LM_NO_INDEX && g->image_places[i].view == view)
                write_view(g, views, LM_STREAM_IMAGES,
                           starts[LM_STREAM_IMAGES] + g->image_places[i].offset,
                           g->scene->textures[i].size);
    }
    *size = g->direct->size - g->direct_start;
    return !g->direct->failed;
}
