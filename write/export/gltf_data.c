#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"

#include <math.h>
#include <stdio.h>

void lmi_gltf_print(lm_json *json, const char *key, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    lmi_json_raw(json, key, text, strlen(text));
}

void lmi_gltf_write_floats(lm_json *json, const char *key, const float *values, unsigned count) {
    lmi_json_open(json, key, '[');
    for (unsigned i = 0; i < count; i++)
        lmi_json_float(json, NULL, values[i]);
    lmi_json_close(json);
}

void lmi_gltf_write_names(lm_json *json, const char *key, const char *const *names,
                          uint32_t count) {
    if (count == 0)
        return;
    lmi_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        lmi_json_string(json, NULL, names[i]);
    lmi_json_close(json);
}

void lmi_gltf_start_list(lm_gltf_list *list) {
    list->text.size = list->count = 0;
    list->json = (lm_json){.out = &list->text};
    lmi_json_open(&list->json, NULL, '[');
}

void lmi_gltf_write_list(lm_json *json, const char *key, lm_gltf_list *list) {
    lmi_json_close(&list->json);
    if (list->count > 0)
        lmi_json_raw(json, key, list->text.data, list->text.size);
}

const char *lmi_gltf_name(lm_names *names, const char *wanted) {
    char *text = lmi_export_name(names->arena, wanted);
    return text ? lmi_names_unique(names, text) : NULL;
}

lm_json *lmi_gltf_open_named(lm_gltf_list *list, const char *name) {
    lmi_json_open(&list->json, NULL, '{');
    lmi_json_string(&list->json, "name", name);
    list->count++;
    return &list->json;
}

lm_json *lmi_gltf_open(lm_gltf_list *list, lm_names *names, const char *wanted) {
    const char *name = lmi_gltf_name(names, wanted);
    return name ? lmi_gltf_open_named(list, name) : NULL;
}

/* ---- Accessors ----------------------------------------------------------------------------- */

bool lmi_gltf_too_large(lm_gltf *g) {
    const size_t given = g->direct->max_size;
    lmi_call_fail(&g->heap.call, LM_CODE_LIMIT, "the glTF would be larger than %zu bytes",
                  given ? given : (size_t)UINT32_MAX);
    return given && lmi_fail_in(g->heap.call.error, LM_SECTION_OUTPUT);
}

uint8_t *lmi_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset) {
    uint64_t padded = (size + 3) & ~(uint64_t)3;
    if (padded > g->room) {
        lmi_gltf_too_large(g);
        return NULL;
    }
    bool direct = stream == LM_STREAM_12 && !g->options->packer;
    lm_buffer *buffer = direct ? g->direct : &g->streams[stream];
    *offset = buffer->size - (direct ? g->direct_start : 0);
    uint8_t *start = lm_buffer_reserve(buffer, (size_t)padded);
    if (start)
        g->room -= padded;
    else
        lmi_call_end(&g->heap.call, LM_NO_MEMORY);
    return start;
}

bool lmi_gltf_reserve_sparse(lm_gltf *g, lm_accessor *accessor, unsigned index_size, size_t size,
                             uint8_t **indices, uint8_t **elements) {
    const uint64_t count = accessor->num_sparse;
    accessor->sparse_component = lmi_gltf_unsigned(index_size);
    if (!lmi_gltf_reserve(g, LM_STREAM_SPARSE, count * index_size, &accessor->sparse_indices) ||
        !lmi_gltf_reserve(g, LM_STREAM_SPARSE, count * size, &accessor->sparse_values))
        return false;
    *indices = g->streams[LM_STREAM_SPARSE].data + accessor->sparse_indices;
    *elements = g->streams[LM_STREAM_SPARSE].data + accessor->sparse_values;
    return true;
}

uint8_t *lmi_gltf_reserve_elements(lm_gltf *g, lm_accessor *accessor, size_t size) {
    return lmi_gltf_reserve(g, accessor->stream, (uint64_t)accessor->count * size,
                            &accessor->offset);
}

uint32_t lmi_gltf_add_view(lm_gltf *g, lm_gltf_stream stream, size_t offset, size_t size) {
    g->views[g->num_views] = (lm_gltf_view){stream, offset, size};
    return g->num_views++;
}

static void write_offset(lm_gltf *g, lm_gltf_stream stream, size_t offset) {
    uint32_t *view = &g->stream_views[stream];
    if (*view == 0)
        *view = lmi_gltf_add_view(g, stream, 0, 0) + 1;
    lmi_json_integer(&g->accessors.json, "bufferView", *view - 1);
    if (offset > 0)
        lmi_json_integer(&g->accessors.json, "byteOffset", (int64_t)offset);
}

static void write_sparse(lm_gltf *g, const lm_accessor *accessor) {
    lm_json *json = &g->accessors.json;
    lmi_json_open(json, "sparse", '{');
    lmi_json_integer(json, "count", accessor->num_sparse);
    lmi_json_open(json, "indices", '{');
    write_offset(g, LM_STREAM_SPARSE, accessor->sparse_indices);
    lmi_json_integer(json, "componentType", accessor->sparse_component);
    lmi_json_close(json);
    lmi_json_open(json, "values", '{');
    write_offset(g, LM_STREAM_SPARSE, accessor->sparse_values);
    lmi_json_close(json);
    lmi_json_close(json);
}

uint32_t lmi_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor) {
    if (!lmi_gltf_continues(g))
        return LM_NO_INDEX;
    lm_json *json = &g->accessors.json;
    lmi_json_open(json, NULL, '{');
    if (!accessor->sparse)
        write_offset(g, accessor->stream, accessor->offset);
    lmi_json_integer(json, "componentType", accessor->component);
    if (accessor->normalized)
        lmi_json_bool(json, "normalized", true);
    lmi_json_integer(json, "count", accessor->count);
    lmi_json_string(json, "type", accessor->type);
    if (accessor->num_bounds) {
        lmi_gltf_write_floats(json, "min", accessor->min, accessor->num_bounds);
        lmi_gltf_write_floats(json, "max", accessor->max, accessor->num_bounds);
    }
    if (accessor->num_sparse > 0)
        write_sparse(g, accessor);
    lmi_json_close(json);
    return g->accessors.count++;
}

/* ---- Vectors ------------------------------------------------------------------------------- */

/* Sets the bounds of an accessor. Returns true if they are in range. */
static bool set_bounds(const lm_vec3 *vectors, lm_accessor *entry) {
    lm_vec3 min = vectors[0], max = vectors[0];
    for (uint32_t i = 1; i < entry->count; i++) {
        const lm_vec3 *v = &vectors[i];
        min = (lm_vec3){fminf(min.x, v->x), fminf(min.y, v->y), fminf(min.z, v->z)};
        max = (lm_vec3){fmaxf(max.x, v->x), fmaxf(max.y, v->y), fmaxf(max.z, v->z)};
    }
    entry->num_bounds = 3;
    memcpy(entry->min, &min, sizeof min);
    memcpy(entry->max, &max, sizeof max);
    return lmi_is_in_range(min) && lmi_is_in_range(max);
}

/* Returns the largest absolute value of the bounds; 0 without bounds. */
static float largest(const lm_accessor *entry) {
    float most = 0;
    for (unsigned k = 0; k < entry->num_bounds; k++)
        most = fmaxf(most, fmaxf(-entry->min[k], entry->max[k]));
    return most;
}

static bool is_zero(const lm_vec3 *v) {
    return v->x == 0 && v->y == 0 && v->z == 0;
}

static void put_integers(uint8_t *out, const lm_vec3 *v, bool wide) {
    const int32_t numbers[] = {(int32_t)v->x, (int32_t)v->y, (int32_t)v->z};
    for (unsigned k = 0; k < 3; k++) {
        if (wide)
            lmi_put_u16(out + 2 * k, (uint16_t)numbers[k]);
        else
            out[k] = (uint8_t)numbers[k];
    }
}

/* Writes only the elements that are not zero. */
static void put_sparse(lm_gltf *g, const lm_vec3 *vectors, bool wide, unsigned index_size,
                       lm_accessor *entry) {
    uint8_t *indices, *elements;
    if (entry->num_sparse == 0 || /* needs no data */
        !lmi_gltf_reserve_sparse(g, entry, index_size, wide ? 6 : 3, &indices, &elements))
        return;
    for (uint32_t i = 0; i < entry->count; i++) {
        if (is_zero(&vectors[i]))
            continue;
        lmi_gltf_put_unsigned(indices, i, index_size);
        put_integers(elements, &vectors[i], wide);
        indices += index_size;
        elements += wide ? 6 : 3;
    }
}

/* Adds integers, in 8 bits if they fit. Differences are sparse if that is smaller. */
static void add_integers(lm_gltf *g, const lm_vec3 *vectors, unsigned kind, lm_accessor *entry) {
    const bool is_signed = kind != LM_VECTORS_INTEGERS;
    const bool wide = largest(entry) > (is_signed ? INT8_MAX : UINT8_MAX);
    const uint32_t count = entry->count;
    const unsigned index_size = count <= UINT8_MAX + 1 ? 1 : count <= UINT16_MAX + 1 ? 2 : 4;
    uint32_t num_sparse = 0;
    entry->component =
        is_signed ? (wide ? LM_GLTF_SHORT : LM_GLTF_BYTE) : lmi_gltf_unsigned(1 + wide);
    entry->normalized = kind & LM_VECTORS_NORMALS;
    for (uint32_t i = 0; i < count; i++)
        num_sparse += !is_zero(&vectors[i]);
    entry->sparse =
        (kind & LM_VECTORS_TARGET) &&
        (uint64_t)num_sparse * (index_size + (wide ? 6u : 3u)) < (uint64_t)count * (wide ? 8 : 4);
    entry->num_sparse = entry->sparse ? num_sparse : 0;
    if (entry->sparse) {
        put_sparse(g, vectors, wide, index_size, entry);
        return;
    }
    const size_t stride = wide ? 8 : 4; /* elements are aligned to 4 bytes */
    entry->stream = wide ? LM_STREAM_8 : LM_STREAM_4;
    uint8_t *out = lmi_gltf_reserve_elements(g, entry, stride);
    for (uint32_t i = 0; out && i < count; i++)
        put_integers(out + i * stride, &vectors[i], wide);
}

uint32_t lmi_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, unsigned kind) {
    lm_accessor entry = {
        .stream = LM_STREAM_12, .component = LM_GLTF_FLOAT, .count = count, .type = "VEC3"};
    if (!(kind & LM_VECTORS_NORMALS) && !set_bounds(vectors, &entry)) {
        lmi_call_fail(&g->heap.call, LM_CODE_NOT_FINITE,
                      "the difference between two frames reaches 2^40");
    } else if (kind & LM_VECTORS_INTEGERS) {
        add_integers(g, vectors, kind, &entry);
    } else {
        uint8_t *out = lmi_gltf_reserve_elements(g, &entry, 12);
        for (uint32_t i = 0; out && i < count; i++)
            lmi_put_vec3(out + 12 * (size_t)i, vectors[i]);
    }
    return lmi_gltf_add_accessor(g, &entry);
}

/* ---- Compression --------------------------------------------------------------------------- */

/* EXT_meshopt_compression. A second buffer has the size of the data before compression, but no
 * bytes, so programs must support the extension. Its buffer views refer to their compressed data in
 * the first buffer. Images stay there as they are. */

/* Returns the bytes from one element of a stream to the next. */
static unsigned stride_of(const lm_gltf *g, lm_gltf_stream stream) {
    static const unsigned strides[LM_NUM_STREAMS] = {12, 12, 8, 4, 0, 4, 4, 4, 4};
    return stream == LM_STREAM_INDICES ? g->index_size : strides[stream];
}

/* Returns indices of 2 or 4 bytes as integers; NULL if memory ran out. */
static uint32_t *read_indices(const lm_gltf *g, const lm_buffer *stream, size_t count,
                              lm_arena *arena) {
    uint32_t *indices = lmi_arena_alloc(arena, count, sizeof *indices);
    const uint8_t *at = stream->data;
    for (size_t i = 0; indices && i < count; i++, at += g->index_size)
        indices[i] = g->index_size == 2 ? lmi_get_u16(at) : lmi_get_u32(at);
    return indices;
}

/* Compresses `count` elements to `out`, or returns the room for them if it is NULL. */
static size_t pack(const lm_gltf *g, lm_gltf_stream stream, const uint32_t *indices, size_t count,
                   void *out, size_t room) {
    const lm_gltf_packer *packer = g->options->packer;
    return indices ? packer->pack_indices(indices, count, out, room)
                   : packer->pack_elements(g->streams[stream].data, count, stride_of(g, stream),
                                           out, room);
}

/* Compresses a stream into the direct one. */
static bool pack_stream(lm_gltf *g, lm_gltf_stream stream, lm_arena *scratch) {
    const lm_buffer *from = &g->streams[stream];
    lm_gltf_packed *packed = &g->packed[stream];
    const size_t count = from->size / stride_of(g, stream);
    const bool is_index = stream == LM_STREAM_INDICES;
    uint32_t *indices = is_index ? read_indices(g, from, count, scratch) : NULL;
    if (is_index && !indices)
        return false;
    const size_t room = pack(g, stream, indices, count, NULL, 0);
    uint8_t *bytes = lmi_arena_alloc(scratch, room, 1);
    if (!bytes)
        return false;
    *packed = (lm_gltf_packed){.offset = g->direct->size - g->direct_start,
                               .size = pack(g, stream, indices, count, bytes, room),
                               .start = g->fallback_size,
                               .whole = from->size};
    if (packed->size == 0)
        return lmi_call_fail(&g->heap.call, LM_CODE_BAD_ARGUMENT, "the data cannot be compressed");
    g->fallback_size += from->size;
    const uint8_t padding[3] = {0};
    lm_buffer_append(g->direct, bytes, packed->size);
    lm_buffer_append(g->direct, padding, (4 - packed->size % 4) % 4);
    return !g->direct->failed;
}

static bool pack_streams(lm_gltf *g) {
    bool ok = true;
    for (unsigned stream = 0; ok && stream < LM_STREAM_IMAGES; stream++) {
        lm_arena scratch = {.heap = &g->heap};
        if (g->streams[stream].size > 0) {
            ok = pack_stream(g, (lm_gltf_stream)stream, &scratch);
            lm_buffer_free(&g->streams[stream]);
        }
        lmi_arena_free(&scratch);
    }
    return ok;
}

/* ---- Buffers and their views ----------------------------------------------------------------- */

static void write_view(const lm_gltf *g, lm_json *json, const lm_gltf_view *view,
                       const size_t starts[LM_NUM_STREAMS + 1]) {
    const lm_gltf_stream stream = view->stream;
    const lm_gltf_packed *packed = &g->packed[stream];
    const bool is_packed = packed->size > 0;
    const size_t offset = (is_packed ? packed->start : starts[stream]) + view->offset;
    const size_t whole = is_packed ? packed->whole : starts[stream + 1] - starts[stream];
    lmi_json_open(json, NULL, '{');
    lmi_json_integer(json, "buffer", is_packed);
    if (offset > 0)
        lmi_json_integer(json, "byteOffset", (int64_t)offset);
    lmi_json_integer(json, "byteLength", (int64_t)(view->size ? view->size : whole));
    if (stream <= LM_STREAM_4) {
        lmi_json_integer(json, "byteStride", stride_of(g, stream));
        lmi_json_integer(json, "target", LM_GLTF_ARRAY_BUFFER);
    } else if (stream == LM_STREAM_INDICES) {
        lmi_json_integer(json, "target", LM_GLTF_ELEMENT_ARRAY_BUFFER);
    }
    if (is_packed)
        lmi_gltf_print(json, "extensions",
                       "{'EXT_meshopt_compression':{'buffer':0,'byteOffset':%zu,'byteLength':%zu,"
                       "'byteStride':%u,'count':%zu,'mode':'%s'%s}}",
                       packed->offset, packed->size, stride_of(g, stream),
                       packed->whole / stride_of(g, stream),
                       stream == LM_STREAM_INDICES ? "INDICES" : "ATTRIBUTES",
                       stream == LM_STREAM_NORMALS ? ",'filter':'EXPONENTIAL'" : "");
    lmi_json_close(json);
}

bool lmi_gltf_write_buffers(lm_gltf *g, lm_json *json, size_t *size) {
    size_t starts[LM_NUM_STREAMS + 1] = {0};
    if (g->options->packer && !pack_streams(g))
        return false;
    starts[LM_STREAM_12 + 1] = g->direct->size - g->direct_start;
    for (unsigned stream = LM_STREAM_12 + 1; stream < LM_NUM_STREAMS; stream++) {
        lm_buffer *buffer = &g->streams[stream];
        lm_buffer_append(g->direct, buffer->data, buffer->size);
        lm_buffer_free(buffer);
        starts[stream + 1] = g->direct->size - g->direct_start;
    }
    *size = g->direct->size - g->direct_start;
    lmi_json_open(json, "bufferViews", '[');
    for (uint32_t i = 0; i < g->num_views; i++)
        write_view(g, json, &g->views[i], starts);
    lmi_json_close(json);
    lmi_json_open(json, "buffers", '[');
    lmi_json_open(json, NULL, '{');
    lmi_json_integer(json, "byteLength", (int64_t)*size);
    if (g->options->bin_uri && !lmi_gltf_write_uri(g, json, g->options->bin_uri))
        return false;
    lmi_json_close(json);
    if (g->fallback_size > 0)
        lmi_gltf_print(json, NULL,
                       "{'byteLength':%zu,'extensions':{'EXT_meshopt_compression':{'fallback':"
                       "true}}}",
                       g->fallback_size);
    lmi_json_close(json);
    return !g->direct->failed;
}
