#include "synthetic_gltf.h"

uint32_t put_raw(synthetic_gltf *g, const char *rest, const void *bytes, size_t size) {
    lm_buffer_printf(&g->views, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
                     g->count ? "," : "", (unsigned)g->bytes.size, (unsigned)size);
    lm_buffer_printf(&g->accessors, "%s{\"bufferView\":%u,%s}", g->count ? "," : "",
                     (unsigned)g->count, rest);
    lm_buffer_append(&g->bytes, bytes, size);
    while (g->bytes.size % 4)
        lm_buffer_append(&g->bytes, "", 1);
    return g->count++;
}

static void put_word(lm_buffer *out, uint32_t word) {
    const uint8_t four[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                             (uint8_t)(word >> 24)};
    lm_buffer_append(out, four, 4);
}

uint32_t put_floats(synthetic_gltf *g, const char *type, const float *values, uint32_t count) {
    const size_t width = strcmp(type, "SCALAR") == 0 ? 1
                         : strcmp(type, "MAT4") == 0 ? 16
                                                     : (size_t)(type[3] - '0');
    char rest[96];
    AT_END(lm_buffer_free) lm_buffer bytes = {0};
    snprintf(rest, sizeof rest, "\"componentType\":5126,\"type\":\"%s\",\"count\":%u", type,
             (unsigned)count);
    for (size_t i = 0; i < width * count; i++) {
        uint32_t word;
        memcpy(&word, &values[i], 4);
        put_word(&bytes, word);
    }
    return put_raw(g, rest, bytes.data, bytes.size);
}

static void put_base64(lm_buffer *out, const lm_buffer *bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) { /* of a size that is a multiple of 4 */
        const uint8_t *b = bytes->data + i;
        const size_t left = bytes->size - i;
        const uint32_t word = (uint32_t)b[0] << 16 | (left > 1 ? (uint32_t)b[1] << 8 : 0) |
                              (left > 2 ? (uint32_t)b[2] : 0);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                              left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        lm_buffer_append(out, four, 4);
    }
}

static void put_json(const synthetic_gltf *g, const char *rest, bool uri, lm_buffer *out) {
    lm_buffer_printf(out, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%u",
                     (unsigned)g->bytes.size);
    if (uri) {
        lm_buffer_text(out, ",\"uri\":\"data:application/octet-stream;base64,");
        put_base64(out, &g->bytes);
        lm_buffer_text(out, "\"");
    }
    lm_buffer_text(out, "}],\"bufferViews\":[");
    lm_buffer_append(out, g->views.data, g->views.size);
    lm_buffer_text(out, "],\"accessors\":[");
    lm_buffer_append(out, g->accessors.data, g->accessors.size);
    lm_buffer_text(out, "],");
    lm_buffer_text(out, rest);
    lm_buffer_text(out, "}");
}

static void release(synthetic_gltf *g) {
    lm_buffer_free(&g->bytes);
    lm_buffer_free(&g->views);
    lm_buffer_free(&g->accessors);
}

blob finish_gltf(synthetic_gltf *g, const char *rest) {
    lm_buffer out = {0};
    put_json(g, rest, true, &out);
    release(g);
    return blob_from_buffer(&out);
}

blob finish_glb(synthetic_gltf *g, const char *rest) {
    lm_buffer json = {0}, out = {0};
    put_json(g, rest, false, &json);
    while (json.size % 4)
        lm_buffer_text(&json, " ");
    lm_buffer_text(&out, "glTF");
    put_word(&out, 2);
    put_word(&out, (uint32_t)(12 + 8 + json.size + 8 + g->bytes.size));
    put_word(&out, (uint32_t)json.size);
    lm_buffer_text(&out, "JSON");
    lm_buffer_append(&out, json.data, json.size);
    put_word(&out, (uint32_t)g->bytes.size);
    lm_buffer_append(&out, "BIN", 4);
    lm_buffer_append(&out, g->bytes.data, g->bytes.size);
    lm_buffer_free(&json);
    release(g);
    return blob_from_buffer(&out);
}

blob small_gltf(bool glb) {
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, up[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float target[9] = {0, 0, 0, 0, 0, 0, 0, 2, 0}, st[6] = {0, 0, 1, 0, 0, 1};
    static const float weights[12] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
    static const float times[3] = {0, 0.1f, 0.2f}, moves[9] = {0, 0, 0, 0, 0, 1, 0, 0, 2};
    static const float morphs[3] = {0, 1, 0.5f};
    static const float inverse[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint8_t joints[12] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    static const uint8_t indices[6] = {0, 0, 1, 0, 2, 0};
    synthetic_gltf g = {0};
    put_floats(&g, "VEC3", xyz, 3);
    put_floats(&g, "VEC3", up, 3);
    put_floats(&g, "VEC2", st, 3);
    put_raw(&g, "\"componentType\":5123,\"type\":\"SCALAR\",\"count\":3", indices, 6);
    put_raw(&g, "\"componentType\":5121,\"type\":\"VEC4\",\"count\":3", joints, 12);
    put_floats(&g, "VEC4", weights, 3);
    put_floats(&g, "VEC3", target, 3);
    put_floats(&g, "MAT4", inverse, 2);
    put_floats(&g, "SCALAR", times, 3);
    put_floats(&g, "VEC3", moves, 3);
    put_floats(&g, "SCALAR", morphs, 3);
    const char *rest =
        "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
        "\"nodes\":[{\"name\":\"body\",\"mesh\":0,\"skin\":0},"
        "{\"name\":\"hip\",\"children\":[2,3]},{\"name\":\"arm\"},"
        "{\"name\":\"tag_head\",\"translation\":[0,1,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
        "\"TEXCOORD_0\":2,\"JOINTS_0\":4,\"WEIGHTS_0\":5},\"indices\":3,\"material\":0,"
        "\"targets\":[{\"POSITION\":6}]}]}],\"materials\":[{\"name\":\"cloth\"}],"
        "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":7}],"
        "\"animations\":[{\"name\":\"walk\",\"samplers\":[{\"input\":8,\"output\":9},"
        "{\"input\":8,\"output\":10}],\"channels\":["
        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
        "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}]}]";
    return glb ? finish_glb(&g, rest) : finish_gltf(&g, rest);
}

/* ' stands for " */
static lm_buffer quoted(const char *text) {
    lm_buffer out = {0};
    lm_buffer_append(&out, text, strlen(text) + 1);
    for (size_t i = 0; i < out.size; i++)
        if (out.data[i] == '\'')
            out.data[i] = '"';
    return out;
}

blob small_gltf_with(const char *from, const char *to) {
    AT_END(blob_free) blob file = small_gltf(false);
    lm_buffer old = quoted(from), new = quoted(to), out = {0};
    const size_t length = old.size - 1;
    size_t at = 0;
    while (at + length <= file.size && memcmp(file.data + at, old.data, length) != 0)
        at++;
    if (at + length > file.size)
        fail_msg("%s is not in the file", from);
    lm_buffer_append(&out, file.data, at);
    lm_buffer_append(&out, new.data, new.size - 1);
    lm_buffer_append(&out, file.data + at + length, file.size - at - length);
    lm_buffer_free(&old);
    lm_buffer_free(&new);
    return blob_from_buffer(&out);
}

lm_import *import_of(const blob *file, const lm_import_options *options) {
    lm_error error;
    lm_import *import = lm_import_read(file->data, file->size, options, &error);
    assert_done(import, error);
    assert_true(lm_mesh_check(import->mesh, &error));
    return import;
}
