#include "export/gltf.h"

void lm_gltf_write_floats(lm_json *json, const char *key, const float *values, unsigned count) {
    lm_json_open(json, key, '[');
    for (unsigned i = 0; i < count; i++)
        lm_json_float(json, NULL, values[i]);
    lm_json_close(json);
}

void lm_gltf_write_names(lm_json *json, const char *key, const char *const *names, uint32_t count) {
    if (count == 0)
        return;
    lm_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        lm_json_string(json, NULL, names[i]);
    lm_json_close(json);
}

void lm_gltf_start_list(lm_gltf_list *list) {
    list->text.size = list->count = 0;
    list->json = (lm_json){.out = &list->text};
    lm_json_open(&list->json, NULL, '[');
}

void lm_gltf_write_list(lm_json *json, const char *key, lm_gltf_list *list) {
    lm_json_close(&list->json);
    if (list->count > 0)
        lm_json_raw(json, key, list->text.data, list->text.size);
}

const char *lm_gltf_name(lm_names *names, const char *wanted) {
    char *text = lm_export_name(names->arena, wanted);
    return text ? lm_names_unique(names, text) : NULL;
}

lm_json *lm_gltf_open(lm_gltf_list *list, lm_names *names, const char *wanted) {
    const char *name = lm_gltf_name(names, wanted);
    if (!name)
        return NULL;
    lm_json_open(&list->json, NULL, '{');
    lm_json_string(&list->json, "name", name);
    list->count++;
    return &list->json;
}

/* ---- Accessors ----------------------------------------------------------------------------- */

bool lm_gltf_too_large(lm_gltf *g) {
    return lm_call_fail(&g->heap.call, LM_CODE_LIMIT, "the glTF would be larger than %zu bytes",
                        g->direct->max_size ? g->direct->max_size : (size_t)UINT32_MAX);
}

uint8_t *lm_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset) {
    uint64_t padded = (size + 3) & ~(uint64_t)3;
    if (padded > g->room) {
        lm_gltf_too_large(g);
        return NULL;
    }
    bool direct = stream == LM_STREAM_12 && !g->options->packer;
    lm_buffer *buffer = direct ? g->direct : &g->streams[stream];
    *offset = buffer->size - (direct ? g->direct_start : 0);
    uint8_t *start = lm_buffer_reserve(buffer, (size_t)padded);
    if (start)
        g->room -= padded;
    else
        lm_call_end(&g->heap.call, LM_NO_MEMORY);
    return start;
}

bool lm_gltf_reserve_sparse(lm_gltf *g, lm_accessor *accessor, unsigned index_size, size_t size,
                            uint8_t **indices, uint8_t **elements) {
    const uint64_t count = accessor->num_sparse;
    accessor->sparse_component = lm_gltf_unsigned(index_size);
    if (!lm_gltf_reserve(g, LM_STREAM_SPARSE, count * index_size, &accessor->sparse_indices) ||
        !lm_gltf_reserve(g, LM_STREAM_SPARSE, count * size, &accessor->sparse_values))
        return false;
    *indices = g->streams[LM_STREAM_SPARSE].data + accessor->sparse_indices;
    *elements = g->streams[LM_STREAM_SPARSE].data + accessor->sparse_values;
    return true;
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
    if (*view == 0)
        *view = lm_gltf_add_view(g, stream, 0, 0) + 1;
    lm_json_integer(&g->accessors.json, "bufferView", *view - 1);
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

/* ---- Buffer views -------------------------------------------------------------------------- */

static void write_view(const lm_gltf *g, lm_json *json, lm_gltf_stream stream, size_t offset,
                       size_t size) {
    static const int strides[LM_NUM_STREAMS] = {12, 12, 8, 4};
    const bool packed = g->packed[stream].size > 0;
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "buffer", packed);
    if (offset > 0)
        lm_json_integer(json, "byteOffset", (int64_t)offset);
    lm_json_integer(json, "byteLength", (int64_t)size);
    if (strides[stream])
        lm_json_integer(json, "byteStride", strides[stream]);
    if (strides[stream])
        lm_json_integer(json, "target", LM_GLTF_ARRAY_BUFFER);
    else if (stream == LM_STREAM_INDICES)
        lm_json_integer(json, "target", LM_GLTF_ELEMENT_ARRAY_BUFFER);
    if (packed)
        lm_gltf_write_packing(g, json, stream);
    lm_json_close(json);
}

bool lm_gltf_finish_data(lm_gltf *g, lm_json *views, size_t *size) {
    size_t starts[LM_NUM_STREAMS + 1] = {0};
    if (g->options->packer && !lm_gltf_pack(g))
        return false;
    starts[LM_STREAM_12 + 1] = g->direct->size - g->direct_start;
    for (unsigned stream = LM_STREAM_12 + 1; stream < LM_NUM_STREAMS; stream++) {
        lm_buffer *buffer = &g->streams[stream];
        lm_buffer_append(g->direct, buffer->data, buffer->size);
        lm_buffer_free(buffer);
        starts[stream + 1] = g->direct->size - g->direct_start;
    }
    for (uint32_t i = 0; i < g->num_views; i++) {
        const lm_gltf_view *view = &g->views[i];
        const lm_gltf_packed *packed = &g->packed[view->stream];
        size_t start = starts[view->stream], whole = starts[view->stream + 1] - start;
        if (packed->size > 0) {
            start = packed->start;
            whole = packed->whole;
        }
        write_view(g, views, view->stream, start + view->offset, view->size ? view->size : whole);
    }
    *size = g->direct->size - g->direct_start;
    return !g->direct->failed;
}
