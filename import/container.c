/* Reads a file's JSON and buffers. */
#include "bake.h"

#include "core/bytes.h"

#include <string.h>

/* Returns the offset of the first character after a byte order mark and white space. */
static size_t skip_space(const uint8_t *bytes, size_t size) {
    size_t i = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < size &&
           (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    return i;
}

static bool is_binary(const void *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

bool lmi_im_is_gltf(const void *bytes, size_t size) {
    const uint8_t *b = bytes;
    if (is_binary(b, size))
        return true;
    const size_t i = size > 0 ? skip_space(b, size) : 0;
    return i < size && b[i] == '{';
}

/* ---- GLB ------------------------------------------------------------------------------------- */

#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN 0x004E4942u

static bool read_glb(importing *im, const uint8_t *bytes, size_t size, lm_im_bytes *json,
                     lm_im_bytes *bin) {
    if (size < 12)
        return lmi_im_fail(im, LM_CODE_TRUNCATED, NULL, "the file ends within its header");
    if (lmi_get_u32(bytes + 4) != 2)
        return lmi_im_fail(im, LM_CODE_BAD_VERSION, NULL,
                           "version %u is not supported, only version 2",
                           (unsigned)lmi_get_u32(bytes + 4));
    uint64_t end = lmi_get_u32(bytes + 8), at = 12;
    if (end > size)
        return lmi_im_fail(im, LM_CODE_TRUNCATED, NULL,
                           "the file has %zu of the %llu bytes in its header", size,
                           (unsigned long long)end);
    for (unsigned chunk = 0; at + 8 <= end; chunk++) {
        const uint64_t length = lmi_get_u32(bytes + at);
        const uint32_t type = lmi_get_u32(bytes + at + 4);
        at += 8;
        if (length > end - at)
            return lmi_im_fail(im, LM_CODE_BAD_OFFSET, NULL,
                               "chunk %u extends beyond the end of the file", chunk);
        if (chunk == 0 && type == CHUNK_JSON)
            *json = (lm_im_bytes){bytes + at, length};
        else if (chunk == 1 && type == CHUNK_BIN)
            *bin = (lm_im_bytes){bytes + at, length};
        at += (length + 3) / 4 * 4; /* the padding of the last chunk may be missing */
    }
    return json->data || lmi_im_fail(im, LM_CODE_TRUNCATED, NULL, "the first chunk is not JSON");
}

/* ---- Extensions and version ------------------------------------------------------------------ */

static const struct {
    const char *name;
    const char *advice; /* NULL: supported, or affects only appearance */
} extensions[] = {
    {"KHR_mesh_quantization", NULL},
    {"KHR_texture_transform", NULL},
    {"KHR_materials_variants", NULL},
    {"KHR_draco_mesh_compression", "export it without Draco compression"},
    {"EXT_meshopt_compression", "export it without meshopt compression (gltfpack: without -c and "
                                "-cc), or install meshoptimizer"},
    {"KHR_meshopt_compression", "export it without meshopt compression (gltfpack: without -c and "
                                "-cc), or install meshoptimizer"},
};

/* Returns true for extensions that affect only the look of surfaces, images and lights. */
static bool is_appearance(lm_im_ref name) {
    static const char *const begins[] = {"KHR_materials_", "KHR_texture_",  "EXT_texture_",
                                         "KHR_lights_",    "MSFT_texture_", "EXT_materials_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i]);
        if (name->kind == IM_STRING && name->length >= length &&
            memcmp(name->text, begins[i], length) == 0)
            return true;
    }
    return false;
}

static bool check_extensions(importing *im, lm_im_ref root) {
    const lm_im_ref required = lmi_im_member(root, "extensionsRequired");
    uint32_t index = 0;
    for (lm_im_ref e = lmi_im_first(required); e; e = lmi_im_next(required, e), index++) {
        size_t i = 0;
        const size_t known = sizeof extensions / sizeof *extensions;
        while (i < known && !lmi_im_is_string(e, extensions[i].name))
            i++;
        if (i < known && (!extensions[i].advice ||
                          (strstr(extensions[i].name, "meshopt") && lmi_im_can_unpack())))
            continue;
        if (i == known && is_appearance(e)) {
            lmi_im_note(im, IM_EXTENSION, "an extension for the appearance of surfaces is ignored");
            continue;
        }
        char *name = lmi_im_string(im, e);
        return name &&
               lmi_im_fail(im, LM_CODE_NOT_BUILT_IN,
                           lmi_im_location(im, "extensionsRequired[%u]", (unsigned)index),
                           "the file requires %s, which is not supported: %s", name,
                           i < known ? extensions[i].advice : "export it without that extension");
    }
    return true;
}

static bool check_version(importing *im, lm_im_ref root) {
    const lm_im_ref asset = lmi_im_member(root, "asset");
    const lm_im_ref version = lmi_im_member(asset, "version");
    if (!asset || !version)
        return lmi_im_fail(im, LM_CODE_UNKNOWN_FORMAT, "asset.version",
                           "it is missing: this JSON is not a glTF");
    if (version->kind != IM_STRING || version->length == 0 || version->text[0] != '2')
        return lmi_im_fail(im, LM_CODE_BAD_VERSION, "asset.version", "only version 2 is supported");
    return true;
}

bool lmi_im_read_container(importing *im, const void *bytes, size_t size, lm_im_gltf *gltf) {
    lm_im_bytes json = {NULL, 0};
    if (!bytes || !lmi_im_is_gltf(bytes, size))
        return lmi_im_fail(im, LM_CODE_UNKNOWN_FORMAT, NULL, "it does not begin like a glTF");
    if (is_binary(bytes, size)) {
        if (!read_glb(im, bytes, size, &json, &gltf->bin))
            return false;
    } else {
        const size_t start = skip_space(bytes, size);
        json = (lm_im_bytes){(const uint8_t *)bytes + start, size - start};
    }
    return lmi_im_json_read(im, (const char *)json.data, (size_t)json.size, &gltf->root) &&
           check_version(im, gltf->root) && check_extensions(im, gltf->root);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static int base64_value(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

/* Decodes a data: URI. Returns false if it is not base64, or if there is no memory. */
static bool read_data_uri(importing *im, const char *uri, lm_im_bytes *out) {
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 12 || memcmp(comma - 7, ";base64", 7) != 0)
        return false;
    const char *at = comma + 1;
    uint8_t *bytes = lmi_arena_zeros(im->arena, strlen(at) / 4 * 3 + 3, 1);
    uint32_t word = 0;
    unsigned bits = 0;
    *out = (lm_im_bytes){bytes, 0};
    for (; bytes && *at && *at != '='; at++) {
        const int value = base64_value(*at);
        if (value < 0)
            return false;
        word = word << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[out->size++] = (uint8_t)(word >> bits);
        }
    }
    return bytes != NULL;
}

/* Decodes %20 and the like in place. */
static void unescape_uri(char *uri) {
    char *out = uri;
    for (; *uri; uri++) {
        const int high = *uri == '%' ? lmi_im_hex_digit(uri[1]) : -1;
        const int low = high >= 0 ? lmi_im_hex_digit(uri[2]) : -1;
        if (low >= 0 && (high > 0 || low > 0)) {
            *out++ = (char)(high * 16 + low);
            uri += 2;
        } else {
            *out++ = *uri;
        }
    }
    *out = '\0';
}

static bool read_sidecar(importing *im, const char *location, const char *uri, lm_im_bytes *out) {
    const lm_import_options *options = im->options;
    lm_buffer file = {.allocator = options->memory.allocator,
                      .max_size = lmi_im_max_file(im, LM_MAX_IMPORT_BYTES)};
    if (!options->read)
        return lmi_im_fail(im, LM_CODE_IO, location,
                           "it refers to the file %.200s, which cannot be read here", uri);
    lm_error reason = {0};
    bool ok = options->read(options->user, uri, &file, &reason);
    if (!ok && !*reason.message)
        lmi_im_fail(im, reason.code ? reason.code : LM_CODE_IO, location,
                    "it refers to the file %.200s, which cannot be read", uri);
    else if (!ok && im->error)
        *im->error = reason;
    lmi_im_add_input(im, ok ? file.size : 0);
    uint8_t *bytes =
        ok && !file.failed ? lmi_arena_zeros(im->arena, file.size + (uint64_t)1, 1) : NULL;
    if (ok && file.full)
        lm_fail_plain(im->error, LM_CODE_LIMIT, "%s: %s: %.200s exceeds the memory limit", im->what,
                      location, uri);
    else
        lmi_arena_out_of_memory(im->arena, ok && file.failed);
    if (bytes && file.size > 0)
        memcpy(bytes, file.data, file.size);
    *out = (lm_im_bytes){bytes, file.size};
    lm_buffer_free(&file);
    return bytes != NULL;
}

/* Returns true for a placeholder buffer, which has no bytes of its own: decoded views replace
 * it. */
static bool is_fallback(lm_im_ref buffer) {
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    const lm_im_ref own = lmi_im_member(buffer, "extensions");
    for (size_t i = 0; i < 2; i++)
        if (lmi_im_is_true(lmi_im_member(lmi_im_member(own, names[i]), "fallback")))
            return true;
    return false;
}

bool lmi_im_read_uri(importing *im, const char *location, const char *uri, lm_im_bytes *out) {
    if (strncmp(uri, "data:", 5) == 0)
        return read_data_uri(im, uri, out) ||
               (!lmi_arena_failed(im->arena) &&
                lmi_im_fail(im, LM_CODE_BAD_GLTF, location, "its data: URI is not base64"));
    char *path = lmi_copy_text(im->arena, uri);
    if (!path)
        return false;
    unescape_uri(path);
    return read_sidecar(im, location, path, out);
}

static bool read_buffer(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref, void *to) {
    lm_im_bytes *out = to;
    const lm_im_ref uri = lmi_im_member(ref, "uri");
    const char *location = lmi_im_location(im, "buffers[%u]", (unsigned)index);
    uint32_t length;
    if (!lmi_im_index_of(im, ref, location, "byteLength", UINT32_MAX, 0, &length))
        return false;
    if (uri) {
        const char *text = lmi_im_string(im, uri);
        if (!text || !lmi_im_read_uri(im, location, text, out))
            return false;
    } else if (is_fallback(ref)) {
        *out = (lm_im_bytes){(const uint8_t *)"", 0};
        return gltf->packed = true;
    } else if (index == 0 && gltf->bin.data) {
        *out = gltf->bin;
    } else {
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no data");
    }
    if (out->size < length)
        return lmi_im_fail(im, LM_CODE_TRUNCATED,
                           lmi_im_location(im, "buffers[%u].byteLength", (unsigned)index),
                           "it is %u, but the buffer has %llu bytes", (unsigned)length,
                           (unsigned long long)out->size);
    out->size = length;
    return true;
}

bool lmi_im_read_buffers(importing *im, lm_im_gltf *gltf) {
    gltf->buffers = lmi_im_read_array(im, gltf, "buffers", sizeof *gltf->buffers, read_buffer,
                                      &gltf->num_buffers);
    return gltf->buffers != NULL;
}
