#include "gltf_reader.h"

#include "core/bytes.h"

static glb open_glb(lm_buffer bytes) {
    glb f = {.bytes = bytes};
    const uint8_t *p = bytes.data;
    size_t json_size = lmi_get_u32(p + 12);
    assert_memory_equal(p, "glTF\2\0\0\0", 8);
    assert_int_equal(lmi_get_u32(p + 8), bytes.size);
    assert_int_equal(json_size % 4, 0);
    assert_memory_equal(p + 16, "JSON", 4);
    f.json = calloc(json_size + 1, 1);
    memcpy(f.json, p + 20, json_size);
    assert_true(json_is_valid(f.json));
    size_t bin_size = json_integer(&f, "buffers/0/byteLength");
    assert_int_equal(bytes.size, 20 + json_size + (bin_size ? 8 + bin_size : 0));
    if (bin_size) {
        assert_int_equal(lmi_get_u32(p + 20 + json_size), bin_size);
        assert_memory_equal(p + 24 + json_size, "BIN\0", 4);
        f.bin = p + 28 + json_size;
    }
    return f;
}

glb write_glb(const lm_model *model, lm_gltf_options options) {
    lm_buffer out = {0};
    lm_error error = {0};
    lm_gltf_result result;
    assert_done(lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, &result, &error), error);
    glb f = open_glb(out);
    f.result = result;
    return f;
}

void close_glb(glb *f) {
    free(f->json);
    lm_buffer_free(&f->bytes);
}

static size_t component_size(size_t type) {
    return type == 5120 || type == 5121 ? 1 : type == 5126 || type == 5125 ? 4 : 2;
}

static double component(const uint8_t *p, size_t type, bool normalized) {
    double value = type == 5120   ? (int8_t)p[0]
                   : type == 5121 ? p[0]
                   : type == 5122 ? lmi_get_s16(p)
                   : type == 5123 ? lmi_get_u16(p)
                   : type == 5125 ? lmi_get_u32(p)
                                  : (double)lmi_get_f32(p);
    const double largest = type == 5120 ? 127 : type == 5121 ? 255 : type == 5122 ? 32767 : 65535;
    return normalized ? fmax(value / largest, -1) : value;
}

/* Finds the data of an accessor, or NULL, and the bytes from one element to the next. */
static const uint8_t *accessor_data(const glb *f, const char *path, size_t *stride,
                                    bool *exponential) {
    static const char packed[] = "extensions/EXT_meshopt_compression";
    const char *view_of = json_at(f->json, "%s/bufferView", path);
    if (!view_of)
        return NULL;
    const size_t view = (size_t)json_number(view_of, 0);
    const bool is_packed = json_at(f->json, "bufferViews/%zu/%s", view, packed) != NULL;
    const char *filter = json_at(f->json, "bufferViews/%zu/%s/filter", view, packed);
    const size_t given = json_integer(f, "bufferViews/%zu/byteStride", view);
    assert_true(!filter || json_is(filter, "EXPONENTIAL"));
    *exponential = filter != NULL;
    *stride = given ? given : *stride;
    return f->bin +
           (is_packed ? json_integer(f, "bufferViews/%zu/%s/byteOffset", view, packed)
                      : json_integer(f, "bufferViews/%zu/byteOffset", view)) +
           json_integer(f, "%s/byteOffset", path);
}

glb_accessor open_accessor(const glb *f, size_t number) {
    char path[64];
    bool plain;
    glb_accessor a = {0};
    snprintf(path, sizeof path, "accessors/%zu", number);
    const char *kind = json_at(f->json, "%s/type", path);
    assert_non_null(kind);
    a.type = json_integer(f, "%s/componentType", path);
    a.count = json_integer(f, "%s/count", path);
    a.normalized = json_at(f->json, "%s/normalized", path) != NULL;
    a.stride = component_size(a.type) * (json_is(kind, "SCALAR") ? 1 : (size_t)(kind[4] - '0'));
    a.value_stride = a.stride;
    a.start = accessor_data(f, path, &a.stride, &a.exponential);
    a.num_sparse = json_integer(f, "%s/sparse/count", path);
    if (a.num_sparse == 0)
        return a;
    snprintf(path, sizeof path, "accessors/%zu/sparse/values", number);
    a.values = accessor_data(f, path, &a.value_stride, &plain);
    snprintf(path, sizeof path, "accessors/%zu/sparse/indices", number);
    a.index_type = json_integer(f, "%s/componentType", path);
    a.index_size = component_size(a.index_type);
    a.indices = accessor_data(f, path, &a.index_size, &plain);
    return a;
}

/* glTF 2.0, 3.6.2, and EXT_meshopt_compression, appendix A */
double read_element(const glb_accessor *a, size_t index, size_t k) {
    size_t offset = k * component_size(a->type);
    assert_true(index < a->count);
    if (a->exponential) {
        const uint32_t word = lmi_get_u32(a->start + index * a->stride + offset);
        return ldexp((int32_t)(word << 8), (int8_t)(word >> 24) - 8);
    }
    for (size_t i = 0; i < a->num_sparse; i++)
        if ((size_t)component(a->indices + i * a->index_size, a->index_type, false) == index)
            return component(a->values + i * a->value_stride + offset, a->type, a->normalized);
    return a->start ? component(a->start + index * a->stride + offset, a->type, a->normalized) : 0;
}

double read_accessor(const glb *f, size_t number, size_t index, size_t k) {
    glb_accessor a = open_accessor(f, number);
    return read_element(&a, index, k);
}

bool find_sampler(const glb *f, size_t animation, size_t node, const char *property, size_t *input,
                  size_t *output) {
    char path[64];
    snprintf(path, sizeof path, "animations/%zu/channels", animation);
    size_t count = json_count(f->json, path);
    for (size_t i = 0; i < count; i++) {
        if (json_integer(f, "%s/%zu/target/node", path, i) != node ||
            !json_is(json_at(f->json, "%s/%zu/target/path", path, i), property))
            continue;
        size_t sampler = json_integer(f, "%s/%zu/sampler", path, i);
        *input = json_integer(f, "animations/%zu/samplers/%zu/input", animation, sampler);
        *output = json_integer(f, "animations/%zu/samplers/%zu/output", animation, sampler);
        return true;
    }
    return false;
}
