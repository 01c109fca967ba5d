#include "export/gltf.h"

/* EXT_meshopt_compression. A second buffer has the size of the data before compression, but no
 * bytes, so programs must support the extension. Its buffer views refer to their compressed data in
 * the first buffer. Images stay there as they are. */

static const char *const modes[] = {"ATTRIBUTES", "INDICES"};

static bool is_index(lm_gltf_stream stream) {
    return stream == LM_STREAM_INDICES;
}

static unsigned stride_of(const lm_gltf *g, lm_gltf_stream stream) {
    static const unsigned strides[LM_NUM_STREAMS] = {12, 12, 8, 4, 0, 4, 4, 4, 4};
    return is_index(stream) ? g->index_size : strides[stream];
}

/* Returns indices of 2 or 4 bytes as integers; NULL if memory ran out. */
static uint32_t *read_indices(const lm_gltf *g, const lm_buffer *stream, size_t count,
                              lm_arena *arena) {
    uint32_t *indices = lm_arena_alloc(arena, count, sizeof *indices);
    const uint8_t *at = stream->data;
    for (size_t i = 0; indices && i < count; i++, at += g->index_size) {
        indices[i] = 0;
        for (unsigned k = 0; k < g->index_size; k++)
            indices[i] |= (uint32_t)at[k] << 8 * k;
    }
    return indices;
}

/* Compresses `count` elements to `out`, or returns the room for them if it is NULL. */
static size_t pack(const lm_gltf *g, lm_gltf_stream stream, const uint32_t *indices, size_t count,
                   void *out, size_t room) {
    const lm_gltf_packer *packer = g->options->packer;
    return is_index(stream) ? packer->pack_indices(indices, count, out, room)
                            : packer->pack_elements(g->streams[stream].data, count,
                                                    stride_of(g, stream), out, room);
}

static bool pack_stream(lm_gltf *g, lm_gltf_stream stream, lm_arena *scratch) {
    const lm_buffer *from = &g->streams[stream];
    lm_gltf_packed *packed = &g->packed[stream];
    const size_t count = from->size / stride_of(g, stream);
    uint32_t *indices = is_index(stream) ? read_indices(g, from, count, scratch) : NULL;
    if (is_index(stream) && !indices)
        return false;
    const size_t room = pack(g, stream, indices, count, NULL, 0);
    uint8_t *bytes = lm_arena_alloc(scratch, room, 1);
    if (!bytes)
        return false;
    *packed = (lm_gltf_packed){.offset = g->direct->size - g->direct_start,
                               .size = pack(g, stream, indices, count, bytes, room),
                               .start = g->fallback_size,
                               .whole = from->size};
    if (packed->size == 0)
        return lm_call_fail(&g->heap.call, LM_CODE_BAD_ARGUMENT, "the data cannot be compressed");
    g->fallback_size += from->size;
    const uint8_t padding[3] = {0};
    lm_buffer_append(g->direct, bytes, packed->size);
    lm_buffer_append(g->direct, padding, (4 - packed->size % 4) % 4);
    return !g->direct->failed;
}

bool lm_gltf_pack(lm_gltf *g) {
    bool ok = true;
    for (unsigned stream = 0; ok && stream < LM_NUM_STREAMS; stream++) {
        lm_arena scratch = {.heap = &g->heap};
        if (stream != LM_STREAM_IMAGES && g->streams[stream].size > 0) {
            ok = pack_stream(g, (lm_gltf_stream)stream, &scratch);
            lm_buffer_free(&g->streams[stream]);
        }
        lm_arena_free(&scratch);
    }
    return ok;
}

void lm_gltf_write_packing(const lm_gltf *g, lm_json *json, lm_gltf_stream stream) {
    const lm_gltf_packed *packed = &g->packed[stream];
    lm_json_open(json, "extensions", '{');
    lm_json_open(json, "EXT_meshopt_compression", '{');
    lm_json_integer(json, "buffer", 0);
    lm_json_integer(json, "byteOffset", (int64_t)packed->offset);
    lm_json_integer(json, "byteLength", (int64_t)packed->size);
    lm_json_integer(json, "byteStride", stride_of(g, stream));
    lm_json_integer(json, "count", (int64_t)(packed->whole / stride_of(g, stream)));
    lm_json_string(json, "mode", modes[is_index(stream)]);
    if (stream == LM_STREAM_NORMALS)
        lm_json_string(json, "filter", "EXPONENTIAL");
    lm_json_close(json);
    lm_json_close(json);
}

void lm_gltf_write_fallback(const lm_gltf *g, lm_json *json) {
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "byteLength", (int64_t)g->fallback_size);
    lm_json_open(json, "extensions", '{');
    lm_json_open(json, "EXT_meshopt_compression", '{');
    lm_json_bool(json, "fallback", true);
    lm_json_close(json);
    lm_json_close(json);
    lm_json_close(json);
}
