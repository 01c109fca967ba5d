/* Reads buffer views, accessors and their numbers. */
#include "gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Finds the bytes of a buffer view, or of its compressed data. */
static bool read_range(importing *im, const lm_im_gltf *gltf, const char *location, lm_im_ref ref,
                       lm_im_bytes *out) {
    uint32_t buffer, offset, length;
    if (!lmi_im_index_of(im, ref, location, "buffer", gltf->num_buffers, IM_NONE, &buffer) ||
        !lmi_im_index_of(im, ref, location, "byteOffset", UINT32_MAX, 0, &offset) ||
        !lmi_im_index_of(im, ref, location, "byteLength", UINT32_MAX, 0, &length))
        return false;
    if (buffer == IM_NONE)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no buffer");
    const lm_im_bytes *bytes = &gltf->buffers[buffer];
    if (offset > bytes->size || length > bytes->size - offset)
        return lmi_im_fail(im, LM_CODE_BAD_OFFSET, location,
                           "bytes %u to %llu exceed buffer %u, which has %llu", (unsigned)offset,
                           (unsigned long long)offset + length, (unsigned)buffer,
                           (unsigned long long)bytes->size);
    *out = (lm_im_bytes){bytes->data + offset, length};
    return true;
}

/* Returns the index of a member's string in `words`; 0 if the member is missing, `count` if the
 * string is unknown. */
static unsigned word_of(lm_im_ref object, const char *name, const char *const *words,
                        unsigned count) {
    const lm_im_ref member = lmi_im_member(object, name);
    unsigned i = 0;
    while (member && i < count && !lmi_im_is_string(member, words[i]))
        i++;
    return i;
}

/* Returns true if EXT_meshopt_compression allows this combination. */
static bool is_allowed(const lm_im_packed *p) {
    if (p->mode != IM_ATTRIBUTES)
        return (p->stride == 2 || p->stride == 4) && p->filter == IM_NO_FILTER &&
               (p->mode == IM_INDICES || p->count % 3 == 0);
    return p->stride > 0 && p->stride % 4 == 0 && p->stride <= 256 &&
           (p->filter != IM_OCTAHEDRAL || p->stride == 4 || p->stride == 8) &&
           (p->filter != IM_QUATERNION || p->stride == 8);
}

static bool read_packed(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                        lm_im_bytes *out) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    char location[48];
    lm_im_packed packed = {.count = 0};
    snprintf(location, sizeof location, "bufferViews[%u].extensions", (unsigned)index);
    if (!read_range(im, gltf, location, ref, &packed.bytes) ||
        !lmi_im_index_of(im, ref, location, "count", INT32_MAX, 0, &packed.count) ||
        !lmi_im_index_of(im, ref, location, "byteStride", 257, 0, &packed.stride))
        return false;
    const unsigned mode = word_of(ref, "mode", modes, 3);
    const unsigned filter = word_of(ref, "filter", filters, 4);
    packed.mode = (lm_im_pack_mode)mode;
    packed.filter = (lm_im_filter)filter;
    if (mode == 3 || filter == 4 || !is_allowed(&packed))
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                           "its compression mode or filter is invalid");
    return lmi_im_unpack(im, location, &packed, out);
}

static bool read_view(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref, void *out) {
    lm_im_view *view = out;
    const char *location = lmi_im_location(im, "bufferViews[%u]", (unsigned)index);
    const lm_im_ref extensions = lmi_im_member(ref, "extensions");
    lm_im_ref packed = lmi_im_member(extensions, "EXT_meshopt_compression");
    if (!packed)
        packed = lmi_im_member(extensions, "KHR_meshopt_compression");
    if (!lmi_im_index_of(im, ref, location, "byteStride", 253, 0, &view->stride))
        return false;
    return packed && (lmi_im_can_unpack() || gltf->packed)
               ? read_packed(im, gltf, index, packed, &view->bytes)
               : read_range(im, gltf, location, ref, &view->bytes);
}

static uint32_t size_of(lm_im_component component) {
    return component <= IM_UNSIGNED_BYTE ? 1 : component <= IM_UNSIGNED_SHORT ? 2 : 4;
}

static bool is_component(uint32_t component) {
    return component >= IM_BYTE && component <= IM_FLOAT && component != 5124;
}

static uint32_t width_of(lm_im_ref type) {
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (lmi_im_is_string(type, types[i].name))
            return types[i].width;
    return 0; /* MAT2 and MAT3 are never needed */
}

/* Returns the address of `count` elements of `size` bytes from `offset`, `stride` apart. If they
 * are not all in the view, returns NULL and fills the error. */
static const uint8_t *bytes_of(importing *im, const lm_im_gltf *gltf, const char *location,
                               uint32_t view, uint32_t offset, uint32_t count, uint32_t stride,
                               uint32_t size) {
    const lm_im_bytes *v = &gltf->views[view].bytes;
    const uint64_t need = count == 0 ? 0 : (uint64_t)(count - 1) * stride + size;
    if (offset <= v->size && need <= v->size - offset)
        return v->data + offset;
    lmi_im_fail(im, LM_CODE_BAD_OFFSET, location,
                "%u elements from byte %u exceed buffer view %u, which has %llu bytes",
                (unsigned)count, (unsigned)offset, (unsigned)view, (unsigned long long)v->size);
    return NULL;
}

static bool read_sparse(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref sparse,
                        lm_im_accessor *a) {
    const char *location = lmi_im_location(im, "accessors[%u].sparse", (unsigned)index);
    const lm_im_ref indices = lmi_im_member(sparse, "indices"),
                    values = lmi_im_member(sparse, "values");
    uint32_t views[2], offsets[2], component;
    if (!lmi_im_index_of(im, sparse, location, "count", a->count + (uint64_t)1, 0,
                         &a->num_sparse) ||
        !lmi_im_index_of(im, indices, location, "bufferView", gltf->num_views, IM_NONE,
                         &views[0]) ||
        !lmi_im_index_of(im, values, location, "bufferView", gltf->num_views, IM_NONE, &views[1]) ||
        !lmi_im_index_of(im, indices, location, "byteOffset", UINT32_MAX, 0, &offsets[0]) ||
        !lmi_im_index_of(im, values, location, "byteOffset", UINT32_MAX, 0, &offsets[1]) ||
        !lmi_im_index_of(im, indices, location, "componentType", IM_FLOAT, 0, &component))
        return false;
    if (views[0] == IM_NONE || views[1] == IM_NONE || !is_component(component) ||
        component == IM_BYTE || component == IM_SHORT)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                           "its indices or values need a buffer view and a valid component type");
    const uint32_t index_size = size_of((lm_im_component)component);
    const uint32_t value_size = size_of(a->component) * a->width;
    a->sparse_component = (lm_im_component)component;
    a->sparse_indices =
        bytes_of(im, gltf, location, views[0], offsets[0], a->num_sparse, index_size, index_size);
    a->sparse_values = !a->sparse_indices ? NULL
                                          : bytes_of(im, gltf, location, views[1], offsets[1],
                                                     a->num_sparse, value_size, value_size);
    return a->sparse_values != NULL;
}

static bool read_accessor(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                          void *out) {
    lm_im_accessor *a = out;
    const char *location = lmi_im_location(im, "accessors[%u]", (unsigned)index);
    uint32_t view, offset, component;
    if (!lmi_im_index_of(im, ref, location, "bufferView", gltf->num_views, IM_NONE, &view) ||
        !lmi_im_index_of(im, ref, location, "byteOffset", UINT32_MAX, 0, &offset) ||
        !lmi_im_index_of(im, ref, location, "count", INT32_MAX, 0, &a->count) ||
        !lmi_im_index_of(im, ref, location, "componentType", IM_FLOAT + 1, 0, &component))
        return false;
    a->width = width_of(lmi_im_member(ref, "type"));
    if (!is_component(component))
        return lmi_im_fail(im, LM_CODE_BAD_GLTF,
                           lmi_im_location(im, "accessors[%u].componentType", index),
                           "%u is not a component type of glTF 2", (unsigned)component);
    a->component = (lm_im_component)component;
    const lm_im_ref normalized = lmi_im_member(ref, "normalized");
    a->normalized = lmi_im_is_true(normalized);
    const uint32_t size = size_of(a->component) * a->width;
    if (view != IM_NONE && a->width > 0) {
        a->stride = gltf->views[view].stride ? gltf->views[view].stride : size;
        a->data = bytes_of(im, gltf, location, view, offset, a->count, a->stride, size);
        if (!a->data)
            return false;
    }
    const lm_im_ref sparse = lmi_im_member(ref, "sparse");
    return !sparse || a->width == 0 || read_sparse(im, gltf, index, sparse, a);
}

bool lmi_im_read_accessors(importing *im, lm_im_gltf *gltf) {
    gltf->views = lmi_im_read_array(im, gltf, "bufferViews", sizeof *gltf->views, read_view,
                                    &gltf->num_views);
    if (gltf->views)
        gltf->accessors = lmi_im_read_array(im, gltf, "accessors", sizeof *gltf->accessors,
                                            read_accessor, &gltf->num_accessors);
    if (gltf->accessors)
        gltf->numbers = lmi_arena_zeros(im->arena, gltf->num_accessors, sizeof *gltf->numbers);
    return gltf->numbers != NULL;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint32_t get_integer(const uint8_t *at, lm_im_component component) {
    uint32_t value = 0;
    for (uint32_t i = size_of(component); i > 0; i--)
        value = value << 8 | at[i - 1];
    return value;
}

static float get_float(const uint8_t *at, lm_im_component component, bool normalized) {
    const uint32_t integer = get_integer(at, component);
    float value;
    switch (component) {
    case IM_BYTE:
        value = (float)(int8_t)integer;
        return !normalized ? value : value < -127 ? -1 : value / 127;
    case IM_UNSIGNED_BYTE:
        return normalized ? (float)integer / 255 : (float)integer;
    case IM_SHORT:
        value = (float)(int16_t)integer;
        return !normalized ? value : value < -32767 ? -1 : value / 32767;
    case IM_UNSIGNED_SHORT:
        return normalized ? (float)integer / 65535 : (float)integer;
    case IM_UNSIGNED_INT:
        return (float)integer;
    default:
        memcpy(&value, &integer, sizeof value);
        return value;
    }
}

static void get_row(const lm_im_accessor *a, const uint8_t *at, float *out) {
    const uint32_t size = size_of(a->component);
    for (uint32_t k = 0; k < a->width; k++)
        out[k] = get_float(at + (size_t)k * size, a->component, a->normalized);
}

static uint32_t sparse_index(const lm_im_accessor *a, uint32_t i) {
    return get_integer(a->sparse_indices + (size_t)i * size_of(a->sparse_component),
                       a->sparse_component);
}

#define SPARSE_PER_BYTE 16u /* elements of all sparse accessors, which may share them */

/* Looks once at the indices of an accessor that may be sparse. */
static bool check_sparse(importing *im, const lm_im_gltf *gltf, uint32_t accessor) {
    const lm_im_accessor *a = &gltf->accessors[accessor];
    lm_im_numbers *numbers = &gltf->numbers[accessor];
    if (numbers->knows_sparse)
        return true;
    numbers->orders_sparse = true;
    im->sparse += a->num_sparse;
    if (im->sparse > im->input * SPARSE_PER_BYTE)
        return lmi_im_fail(im, LM_CODE_LIMIT,
                           lmi_im_location(im, "accessors[%u].sparse", (unsigned)accessor),
                           "the accessors up to this one have %llu elements, too many for the file",
                           (unsigned long long)im->sparse);
    for (uint32_t i = 0; i < a->num_sparse; i++) {
        const uint32_t index = sparse_index(a, i);
        if (index >= a->count)
            return lmi_im_fail(im, LM_CODE_BAD_GLTF,
                               lmi_im_location(im, "accessors[%u].sparse", (unsigned)accessor),
                               "index %u refers to element %u, but there are %u", (unsigned)i,
                               (unsigned)index, (unsigned)a->count);
        numbers->orders_sparse &= i == 0 || index > sparse_index(a, i - 1);
    }
    numbers->knows_sparse = true;
    return true;
}

/* Returns which of the sparse elements, whose indices increase, replaces an element; num_sparse:
 * none. */
static uint32_t find_sparse(const lm_im_accessor *a, uint32_t element) {
    uint32_t first = 0, end = a->num_sparse;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (sparse_index(a, middle) < element)
            first = middle + 1;
        else
            end = middle;
    }
    return first < a->num_sparse && sparse_index(a, first) == element ? first : a->num_sparse;
}

/* Checks rows of numbers. `elements` NULL: they are the accessor's first. */
static bool check_finite(importing *im, uint32_t accessor, const uint32_t *elements,
                         const float *numbers, uint64_t count, uint32_t width) {
    for (uint64_t i = 0; i < count * width; i++)
        if (!isfinite(numbers[i]))
            return lmi_im_fail(im, LM_CODE_NOT_FINITE,
                               lmi_im_location(im, "accessors[%u]", (unsigned)accessor),
                               "element %u has a number that is not finite",
                               (unsigned)(elements ? elements[i / width] : i / width));
    return true;
}

const float *lmi_im_shared_floats(importing *im, const lm_im_gltf *gltf, uint32_t accessor) {
    const lm_im_accessor *a = &gltf->accessors[accessor];
    lm_im_numbers *numbers = &gltf->numbers[accessor];
    const uint32_t row = size_of(a->component) * a->width;
    if (numbers->floats)
        return numbers->floats;
    float *out = lmi_arena_zeros(im->arena, (uint64_t)a->count * a->width, sizeof *out);
    if (!out || !check_sparse(im, gltf, accessor))
        return NULL;
    for (uint32_t i = 0; a->data && i < a->count; i++)
        get_row(a, a->data + (size_t)i * a->stride, out + (size_t)i * a->width);
    for (uint32_t i = 0; i < a->num_sparse; i++)
        get_row(a, a->sparse_values + (size_t)i * row, out + (size_t)sparse_index(a, i) * a->width);
    numbers->floats = check_finite(im, accessor, NULL, out, a->count, a->width) ? out : NULL;
    return numbers->floats;
}

float *lmi_im_read_floats(importing *im, lm_arena *arena, const lm_im_gltf *gltf, uint32_t accessor,
                          lm_im_rows rows) {
    const lm_im_accessor *a = &gltf->accessors[accessor];
    const uint32_t size = size_of(a->component) * a->width;
    const float *all = NULL;
    if (!check_sparse(im, gltf, accessor))
        return NULL;
    if (!gltf->numbers[accessor].orders_sparse) {
        all = lmi_im_shared_floats(im, gltf, accessor);
        if (!all)
            return NULL;
    }
    float *out = lmi_arena_zeros(arena, (uint64_t)rows.count * a->width, sizeof *out);
    for (uint32_t i = 0; out && i < rows.count; i++) {
        const uint32_t element = rows.list[i], sparse = all ? 0 : find_sparse(a, element);
        float *to = out + (size_t)i * a->width;
        if (all)
            memcpy(to, all + (size_t)element * a->width, a->width * sizeof *to);
        else if (sparse < a->num_sparse)
            get_row(a, a->sparse_values + (size_t)sparse * size, to);
        else if (a->data)
            get_row(a, a->data + (size_t)element * a->stride, to);
    }
    return out && check_finite(im, accessor, rows.list, out, rows.count, a->width) ? out : NULL;
}

uint32_t *lmi_im_read_integers(importing *im, lm_arena *arena, const lm_im_gltf *gltf,
                               uint32_t accessor, lm_im_rows rows) {
    const lm_im_accessor *a = &gltf->accessors[accessor];
    const uint32_t size = size_of(a->component), count = rows.list ? rows.count : a->count;
    uint32_t *out = lmi_arena_zeros(arena, (uint64_t)count * a->width, sizeof *out);
    if (!out)
        return NULL;
    if (a->num_sparse > 0 ||
        (a->component != IM_UNSIGNED_BYTE && a->component != IM_UNSIGNED_SHORT &&
         a->component != IM_UNSIGNED_INT)) {
        lmi_im_fail(im, LM_CODE_BAD_GLTF, lmi_im_location(im, "accessors[%u]", (unsigned)accessor),
                    "indices must be unsigned integers and not sparse");
        return NULL;
    }
    for (uint32_t i = 0; a->data && i < count; i++) {
        const uint8_t *at = a->data + (size_t)(rows.list ? rows.list[i] : i) * a->stride;
        for (uint32_t k = 0; k < a->width; k++)
            out[(size_t)i * a->width + k] = get_integer(at + (size_t)k * size, a->component);
    }
    return out;
}
