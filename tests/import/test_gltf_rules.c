/* Tests the parts of glTF that are read, left out and rejected, with files made by hand. It
 * compares complete messages. */

#include "synthetic_gltf.h"

/* ---- Rejected files -------------------------------------------------------------------------- */

#define VIEW_0 "{'buffer':0,'byteOffset':0,'byteLength':36}"
#define ACCESSOR_0 "{'bufferView':0,'componentType':5126,"
#define PRIMITIVE "'targets':[{'POSITION':6}]}"
#define SPARSE(indices, values)                                                  \
    "{'bufferView':0,'sparse':{'count':1,'indices':" indices ",'values':" values \
    "},'componentType':5126,"

/* Texts, and their replacements. */
static const struct {
    const char *from, *to;
} contradictions[] = {
    {"'2.0'", "'1.0'"},
    {"'2.0'", "2.0"},
    {"'2.0'", "''"},
    {"{'version':'2.0'}", "[]"},
    {"'scene':0", "'extensionsRequired':['KHR_draco_mesh_compression']"},
    {"'scene':0", "'extensionsRequired':['KHR_mesh_quantization','EXT_other_compression']"},
    {"'scene':0", "'scene':1"},
    {"'scenes':[{'nodes':[0,1]}]", "'scenes':{}"},
    {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[0,4]}]"},
    {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[2]}]"},
    /* Buffers and their contents. */
    {"data:application/octet-stream;base64,", "body%20%26%2.bin?"},
    {"base64,A", "base64,!"},
    {"'uri':'data", "'url':'data"},
    {"'byteLength':388,", "'byteLength':389,"},
    {VIEW_0, "{'byteOffset':0,'byteLength':36}"},
    {VIEW_0, "{'buffer':0,'byteOffset':0,'byteLength':389}"},
    {VIEW_0, "{'buffer':0,'byteOffset':0,'byteLength':36,'byteStride':253}"},
    {VIEW_0, "{'buffer':0,'byteOffset':0,'byteLength':36,'byteStride':252}"},
    {"'byteOffset':36", "'byteOffset':4000000000"},
    {ACCESSOR_0, "{'bufferView':99,'componentType':5126,"},
    {ACCESSOR_0, "{'bufferView':0,'byteOffset':4,'componentType':5126,"},
    {"'type':'VEC3','count':3", "'type':'VEC3','count':4"},
    {"'type':'VEC3','count':3", "'type':'VEC3','count':2147483647"},
    {"'componentType':5123", "'componentType':5124"},
    {"'componentType':5123", "'componentType':5119"},
    {"'componentType':5123", "'componentType':5127"},
    {ACCESSOR_0, SPARSE("{'componentType':5123}", "{'bufferView':0}")},
    {ACCESSOR_0, SPARSE("{'bufferView':3,'componentType':5123}", "{}")},
    {ACCESSOR_0, SPARSE("{'bufferView':3,'componentType':5122}", "{'bufferView':0}")},
    {ACCESSOR_0, SPARSE("{'bufferView':3,'componentType':5120}", "{'bufferView':0}")},
    {ACCESSOR_0, SPARSE("{'bufferView':3}", "{'bufferView':0}")},
    {ACCESSOR_0, SPARSE("{'bufferView':5,'componentType':5125}", "{'bufferView':0}")},
    {ACCESSOR_0,
     SPARSE("{'bufferView':3,'componentType':5123,'byteOffset':5}", "{'bufferView':0}")},
    {ACCESSOR_0,
     SPARSE("{'bufferView':3,'componentType':5123}", "{'bufferView':0,'byteOffset':25}")},
    {"{'bufferView':0,", "{'bufferView':0,'sparse':{'count':4},"},
    /* Nodes and skins. */
    {"'children':[2,3]", "'children':[1,3]"},
    {"'children':[2,3]", "'children':[2,2]"},
    {"'children':[2,3]", "'children':[2,4]"},
    {"'children':[2,3]", "'children':[2,2.5]"},
    {"'mesh':0", "'mesh':1"},
    {"'mesh':0", "'mesh':-1"},
    {"'mesh':0", "'mesh':0.5"},
    {"'translation':[0,1,0]", "'translation':[0,1]"},
    {"'translation':[0,1,0]", "'translation':[0,1e99,0]"},
    {"'translation':[0,1,0]", "'translation':[0,'1',0]"},
    {"'joints':[1,2]", "'joints':[1,4]"},
    {"'joints':[1,2]", "'joints':[1]"},
    {"'joints':[1,2]", "'joints':[]"},
    {"'inverseBindMatrices':7", "'inverseBindMatrices':5"},
    {"'joints':[1,2]", "'joints':[1,2,1]"},
    /* Meshes. */
    {"'NORMAL':1", "'NORMAL':2"},
    {"'JOINTS_0':4", "'JOINTS_0':5"},
    {"'WEIGHTS_0':5", "'WEIGHTS_1':5"},
    {"'indices':3", "'indices':0"},
    {"'indices':3", "'indices':8"},
    {"{'bufferView':3,", "{'bufferView':8,"},
    {"'indices':3", "'indices':3,'mode':7"},
    {PRIMITIVE, PRIMITIVE ",{'attributes':{'POSITION':0}}"},
    {"'material':0", "'material':1"},
    /* Animations. */
    {"'input':8,'output':9", "'input':8,'output':8"},
    {"'input':8,'output':9", "'input':10,'output':9"},
    {"'input':8,'output':9", "'input':9,'output':9"},
    {"'input':8,'output':9", "'output':9"},
    {"'input':8,'output':9", "'input':8"},
    {"'input':8,'output':9", "'input':8,'output':9,'interpolation':'CUBICSPLINE'"},
    {"'sampler':0,", ""},
    {"'sampler':1", "'sampler':2"},
    /* JSON. */
    {"'scene':0", "'a':[1 2}"},
    {"'scene':0", "'a' 'b'"},
    {"'scene':0", "'a':tru"},
    {"'scene':0", "'a':truth"},
    {"'scene':0", ",'a':1"},
    {"'scene':0", "'a':1,"},
    {"'scene':0", "'a':[1,]"},
    {"'scene':0", "'a':[1,,2]"},
    {"'scene':0", "'a':[1:2]"},
    {"'scene':0", "'a':[1 2]"},
    {"'scene':0", "'a'::1"},
    {"'scene':0", "'a':'x\ty'"},
    {"{'asset'", "[{'asset'"},
};

static void record_rejection(const char *from, const char *to, blob *file,
                             const lm_import_options *options) {
    lm_error error = {.code = LM_CODE_OK};
    lm_import *import = lm_import_read(file->data, file->size, options, &error);
    if (import)
        fail_msg("%s for %s is read", to, from);
    record_output("%s for %s:", to, from);
    record_output("    %s %s: %s", lm_code_name(error.code), error.section, error.message);
    blob_free(file);
}

TEST(test_contradictions_are_rejected_with_their_location) {
    for (size_t i = 0; i < COUNT_OF(contradictions); i++) {
        blob file = small_gltf_with(contradictions[i].from, contradictions[i].to);
        record_rejection(contradictions[i].from, contradictions[i].to, &file, NULL);
    }
}

TEST(test_damaged_containers_are_rejected) {
    static const struct {
        const char *what;
        size_t at;
        uint32_t more;
    } changes[] = {{"version", 4, 1},
                   {"size", 8, 1},
                   {"JSON chunk's size", 12, 1000000},
                   {"JSON chunk's type", 16, 1}};
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        blob file = small_gltf(true);
        put32(&file, changes[i].at, get32(&file, changes[i].at) + changes[i].more);
        record_rejection(changes[i].what, "more", &file, NULL);
    }
    blob file = small_gltf(true), header = blob_copy(file.data, 11);
    record_rejection("header", "11 bytes", &header, NULL);
    blob_free(&file);
    header = blob_copy("no", 2);
    record_rejection("header", "no", &header, NULL);
    /* White space alone is no glTF, and nothing behind it is read. */
    static const char text[] = "\xEF\xBB\xBF \t\r\n{";
    for (size_t size = 0; size < sizeof text; size++) {
        AT_END(blob_free) blob part = blob_copy(text, size);
        assert_int_equal(lm_importer_find(part.data, part.size, NULL),
                         size == sizeof text - 1 ? LM_IMPORTER_GLTF : LM_IMPORTER_UNKNOWN);
    }
    assert_int_equal(lm_importer_find("\xEF\xBB{", 3, NULL), LM_IMPORTER_UNKNOWN);
    assert_int_equal(lm_importer_find("glTF", 4, NULL), LM_IMPORTER_GLTF);
    assert_int_equal(lm_importer_find("glTF", 3, NULL), LM_IMPORTER_UNKNOWN);
}

/* Chunks of a .glb are padded to multiples of 4; the last one may lack padding, and others may
 * follow. */
TEST(test_unpadded_chunks_are_read) {
    AT_END(blob_free) blob file = small_gltf(true);
    lm_buffer out = {0};
    lm_buffer_append(&out, file.data, file.size);
    lm_buffer_append(&out, "\3\0\0\0ELSEabc", 11);
    AT_END(blob_free) blob more = blob_from_buffer(&out);
    put32(&more, 8, (uint32_t)more.size);
    for (uint32_t padding = 0; padding < 2; padding++) {
        lm_import *import = import_of(&more, NULL);
        assert_int_equal(import->mesh->num_surfaces, 1);
        lm_import_free(import);
        if (padding == 0) { /* the JSON's padding: some writers exclude it from the chunk's size */
            const uint32_t length = get32(&more, 12);
            size_t spaces = 0;
            while (more.data[20 + length - spaces - 1] == ' ')
                spaces++;
            put32(&more, 12, length - (uint32_t)spaces);
        }
    }
}

TEST(test_options_out_of_bounds_are_rejected) {
    static const lm_import_options wrong[] = {{.fps = -1},   {.fps = 1000.5f},  {.fps = NAN},
                                              {.scale = -1}, {.scale = 1.1e9f}, {.num_tags = 1}};
    lm_error error;
    blob file = small_gltf(true);
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(lm_import_read(file.data, file.size, &wrong[i], &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        record_output("%s", error.message);
    }
    lm_import_free(import_of(&file, &(lm_import_options){.fps = 1000, .scale = 1e9f}));
    const lm_import_tag tag = {.name = "tag_weapon", .node = "leg"};
    record_rejection("tag", "leg", &file, &(lm_import_options){.num_tags = 1, .tags = &tag});
}

TEST(test_unknown_importers_and_members_are_rejected) {
    const lm_import_tag later = {.name = "tag_weapon", .node = "arm", .reserved = {0, 1}};
    const lm_import_options wrong[] = {{.importer = (lm_importer)(LM_IMPORTER_IQM + 1)},
                                       {.importer = LM_IMPORTER_ASSIMP},
                                       {.num_tags = 1, .tags = &later},
                                       {.num_tags = 1, .tags = &(lm_import_tag){.name = "a"}},
                                       {.num_tags = 1, .tags = &(lm_import_tag){.node = "arm"}},
                                       {.num_loops = 1},
                                       {.num_loops = 1, .loops = (const char *const[]){NULL}},
                                       {.num_onces = 1},
                                       {.num_onces = 1, .onces = (const char *const[]){NULL}},
                                       {.reserved = {1}}};
    AT_END(blob_free) blob file = small_gltf(true);
    lm_error error;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(lm_import_read(file.data, file.size, &wrong[i], &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
}

/* With exactly the memory that it needs a file is read; with a byte or a block less it is not. */
TEST(test_memory_limits_are_exact) {
    blob file = small_gltf(true);
    counted counts = {0};
    lm_error error;
    lm_import_options options = {.memory.allocator = counting_allocator(&counts), .fps = 1000};
    lm_import_free(import_of(&file, &options));
    const size_t bytes = counts.most_bytes, blocks = counts.calls;
    assert_true(blocks > 2);
    for (size_t less = 0; less < 2; less++) {
        options.memory.max_bytes = bytes - less;
        options.memory.max_allocations = 0;
        OWNED(lm_import) *import = lm_import_read(file.data, file.size, &options, &error);
        assert_int_equal(import != NULL, less == 0);
        lm_import_free(import);
        options.memory.max_bytes = 0;
        options.memory.max_allocations = blocks - less;
        import = lm_import_read(file.data, file.size, &options, &error);
        assert_int_equal(import != NULL, less == 0);
    }
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_all_released(&counts);
    record_rejection("memory", "10 bytes", &file, &(lm_import_options){.memory.max_bytes = 10});
}

/* ---- Sidecar files --------------------------------------------------------------------------- */

typedef struct beside {
    const char *uri;
    const lm_buffer *bytes;
    size_t size;
    int asked;
} beside;

static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    beside *b = user;
    b->asked++;
    assert_string_equal(uri, b->uri);
    if (!b->bytes)
        return lm_fail_plain(error, LM_CODE_IO, "it is gone");
    lm_buffer_append(out, b->bytes->data, b->size);
    return true;
}

static bool read_silently(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    (void)user, (void)uri, (void)out, (void)error;
    return false;
}

TEST(test_external_buffers_are_read) {
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    synthetic_gltf g = {0};
    put_floats(&g, "VEC3", xyz, 3);
    AT_END(lm_buffer_free) lm_buffer bytes = {0};
    lm_buffer_append(&bytes, g.bytes.data, g.bytes.size);
    blob_free(&(blob[]){finish_glb(&g, "\"a\":0")}[0]);
    const char *text =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,"
        "\"uri\":\"a%20b%2fc%zz%00%4A%4.bin%6`%6g%6@%6G%6Ff%\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
        "\"count\":3,\"type\":\"VEC3\"}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}";
    beside b = {"a b/c%zz%00J%4.bin%6`%6g%6@%6Gof%", &bytes, 36, 0};
    lm_import_options options = {.read = read_sidecar, .user = &b, .scale = 1};
    AT_END(blob_free) blob file = blob_copy(text, strlen(text));
    lm_import *import = import_of(&file, &options);
    assert_int_equal(b.asked, 1);
    assert_int_equal(import->mesh->surfaces[0].positions[4], 1);
    lm_import_free(import);
    b.size = 35;
    lm_error error;
    assert_null(lm_import_read(file.data, file.size, &options, &error));
    record_output("%s", error.message);
    b.bytes = NULL;
    assert_null(lm_import_read(file.data, file.size, &options, &error));
    assert_string_equal(error.message, "it is gone");
    options.read = read_silently; /* the library gives the reason that is missing */
    memset(&error, 0x5a, sizeof error);
    assert_null(lm_import_read(file.data, file.size, &options, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_non_null(strstr(error.message, "which cannot be read"));
}

/* ---- Accepted files -------------------------------------------------------------------------- */

/* Numbers in every notation, compared with strtod, and invalid ones. */
TEST(test_json_number_syntax) {
    static const char numbers[] =
        "0 -0 7 -12.5 0.125 1e0 1E+1 10e-1 2.5e-3 0.5E2 1234567.875 0.000000000000000000001e21 "
        "1e-320 1e-400 0e999999 123456789012345678901234567890e-28 0.1000000000000000000000001 "
        "99999999999999999999e-19 -3.4e11 1e00000000002";
    static const char *const none[] = {"+1",  ".5",  "1.",    "1e",   "1e+",   "-",
                                       "01",  "-01", "1.e1",  "0x1",  "1e400", "NaN",
                                       "nul", "1-",  "1e1.5", "truer"};
    char to[96], number[64];
    int length;
    for (const char *left = numbers; sscanf(left, "%63s%n", number, &length) == 1; left += length) {
        snprintf(to, sizeof to, "'translation':[0,%s,0]", number);
        AT_END(blob_free) blob file = small_gltf_with("'translation':[0,1,0]", to);
        OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
        const double read = (double)import->mesh->tags[0].poses[0].origin.z;
        const double expected = (double)strtof(number, NULL);
        if (!(fabs(read - expected) <= fabs(expected) * 1e-7))
            fail_msg("%s is read as %g", number, read);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        lm_error error;
        snprintf(to, sizeof to, "'a':%s", none[i]);
        AT_END(blob_free) blob file = small_gltf_with("'scene':0", to);
        if (lm_import_read(file.data, file.size, NULL, &error))
            fail_msg("%s is read as a number", none[i]);
        assert_int_equal(error.code, LM_CODE_BAD_GLTF);
    }
}

/* Up to 64 nested brackets are allowed; those in strings do not count. */
TEST(test_json_nesting_limit_is_64) {
    for (int deep = 63; deep < 65; deep++) {
        AT_END(lm_buffer_free) lm_buffer to = {0};
        lm_error error;
        lm_buffer_text(&to, "'b':'[[[[\\\\'");
        lm_buffer_text(&to, ",'a':");
        for (int i = 0; i < deep; i++)
            lm_buffer_text(&to, "[");
        for (int i = 0; i < deep; i++)
            lm_buffer_text(&to, "]");
        lm_buffer_append(&to, "", 1);
        AT_END(blob_free) blob file = small_gltf_with("'scene':0", (const char *)to.data);
        OWNED(lm_import) *import = lm_import_read(file.data, file.size, NULL, &error);
        assert_int_equal(import != NULL, deep == 63);
        if (!import)
            record_output("%s %zu", error.message, error.offset);
    }
}

/* Left out parts are reported; the rest is a model. */
TEST(test_skipped_data_is_reported) {
    static const struct {
        const char *from, *to;
    } odd[] = {
        {"'path':'weights'", "'path':'colour'"},
        {"'node':1,", ""},
        {"'indices':3", "'indices':3,'mode':3"},
        {PRIMITIVE, PRIMITIVE ",{'attributes':{'NORMAL':1}},{'attributes':{}}"},
        {"'translation':[0,1,0]", "'mesh':0"},
        {"'scene':0", "'extensionsRequired':['KHR_materials_unlit','EXT_texture_webp']"},
        {"'scene':0", "'extensionsRequired':['KHR_texture_transform']"},
        {"'name':'hip'", "'name':'tag_hip','extras':{'tag':'tag_x'}"},
    };
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        AT_END(blob_free) blob file = small_gltf_with(odd[i].from, odd[i].to);
        OWNED(lm_import) *import = import_of(&file, NULL);
        record_output("%s for %s: %u surfaces, %u tags, %u frames", odd[i].to, odd[i].from,
                      (unsigned)import->mesh->num_surfaces, (unsigned)import->mesh->num_tags,
                      (unsigned)import->mesh->num_frames);
        for (uint32_t t = 0; t < import->mesh->num_tags; t++)
            record_output("    tag %s", import->mesh->tags[t].name);
        for (uint32_t f = 0; f < import->num_diagnostics; f++)
            record_output("    %s %u: %s", lm_code_name(import->diagnostics[f].code),
                          (unsigned)import->diagnostics[f].count, import->diagnostics[f].text);
    }
}

/* ---- Keys ------------------------------------------------------------------------------------ */

#define STEP_KEYS 11

/* Each frame of a clip has its own key, also if the key's time is rounded up. */
TEST(test_frames_have_the_key_of_their_time) {
    static const double rates[] = {8, 10, 12, 15, 20, 24, 25, 30, 60}, starts[] = {0, 0.7, 100};
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < 2 * COUNT_OF(rates) * COUNT_OF(starts); i++) {
        const double rate = rates[i / 2 % COUNT_OF(rates)];
        const double start = starts[i / 2 / COUNT_OF(rates)];
        float times[STEP_KEYS], values[3 * STEP_KEYS] = {0};
        char rest[400];
        for (int k = 0; k < STEP_KEYS; k++) {
            times[k] = (float)(start + k / rate);
            values[3 * k + 1] = (float)k;
        }
        synthetic_gltf g = {0};
        put_floats(&g, "VEC3", xyz, 3);
        put_floats(&g, "SCALAR", times, STEP_KEYS);
        put_floats(&g, "VEC3", values, STEP_KEYS);
        snprintf(
            rest, sizeof rest,
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
            "\"nodes\":[{\"mesh\":0}],\"animations\":[{\"name\":\"run\",\"samplers\":["
            "{\"input\":1,\"output\":2,\"interpolation\":\"%s\"}],\"channels\":[{\"sampler\":0,"
            "\"target\":{\"node\":0,\"path\":\"translation\"}}]}]",
            i % 2 ? "STEP" : "LINEAR");
        AT_END(blob_free) blob file = finish_glb(&g, rest);
        OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
        const lm_mesh *mesh = import->mesh;
        assert_int_equal(mesh->num_frames, STEP_KEYS);
        for (int k = 0; k < STEP_KEYS; k++) {
            const double at = (double)mesh->surfaces[0].positions[9 * k + 2];
            if (!(fabs(at - k) < 0.01))
                fail_msg("%s, %g fps from %g: frame %d is at %g", i % 2 ? "STEP" : "LINEAR", rate,
                         start, k, at);
        }
    }
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Five vertices as triangles, a strip and a fan, with and without indices (glTF 2.0, 3.7.2.1). The
 * winding is reversed. */
TEST(test_strips_and_fans_become_triangles) {
    static const float xyz[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
    static const struct {
        unsigned mode, count;
        uint32_t triangles[9];
    } modes[] = {{4, 1, {0, 2, 1}},
                 {5, 3, {0, 2, 1, 1, 2, 3, 2, 4, 3}},
                 {6, 3, {1, 0, 2, 2, 0, 3, 3, 0, 4}}};
    static const uint8_t indices[5] = {0, 1, 2, 3, 4};
    for (size_t i = 0; i < 2 * COUNT_OF(modes); i++) {
        char rest[256];
        synthetic_gltf g = {0};
        put_floats(&g, "VEC3", xyz, 5);
        put_raw(&g, "\"componentType\":5121,\"type\":\"SCALAR\",\"count\":5", indices, 5);
        snprintf(rest, sizeof rest,
                 "\"meshes\":[{\"name\":\"net\",\"primitives\":[{\"mode\":%u,%s"
                 "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]",
                 modes[i / 2].mode, i % 2 ? "\"indices\":1," : "");
        AT_END(blob_free) blob file = finish_glb(&g, rest);
        OWNED(lm_import) *import = import_of(&file, NULL);
        const lm_mesh_surface *s = &import->mesh->surfaces[0];
        assert_string_equal(s->name, "net");
        assert_int_equal(s->num_triangles, modes[i / 2].count);
        assert_memory_equal(s->triangles, modes[i / 2].triangles, 12 * (size_t)modes[i / 2].count);
    }
}

/* ---- Rates ----------------------------------------------------------------------------------- */

/* Imports a triangle whose node moves at these times. */
static lm_import *moved_at(const float *times, uint32_t count, const lm_import_options *options) {
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    float moves[24] = {0};
    synthetic_gltf g = {0};
    assert_true(count <= 8);
    for (uint32_t i = 0; i < count; i++)
        moves[3 * i] = (float)(i + 1);
    put_floats(&g, "VEC3", xyz, 3);
    put_floats(&g, "SCALAR", times, count);
    put_floats(&g, "VEC3", moves, count);
    AT_END(blob_free)
    blob file = finish_glb(
        &g, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
            "\"nodes\":[{\"mesh\":0}],\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],"
            "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}]");
    return import_of(&file, options);
}

TEST(test_evenly_spaced_keys_set_the_rate) {
    static const struct {
        uint32_t count;
        float times[8], fps;
        uint32_t num_frames;
    } cases[] = {
        {4, {0, 1 / 30.f, 2 / 30.f, 3 / 30.f}, 30, 4},
        {4, {1, 1 + 1 / 24.f, 1 + 2 / 24.f, 1 + 3 / 24.f}, 24, 4},
        {3, {0, 0.2f, 0.4f}, 5, 3},
        {3, {0, 0.001f, 0.002f}, 1000, 3},
        {2, {0, 0.125f}, 8, 2},
        {3, {0, 0.08f, 0.16f}, 12.5f, 3},
        {3, {0, 0.07f, 0.14f}, 1 / 0.07f, 3},
        {3, {0, 0.25f, 0.5f}, LM_DEFAULT_FPS, 6},      /* 4 fps are too few */
        {3, {0, 0.0009f, 0.0018f}, LM_DEFAULT_FPS, 1}, /* more than 1000 fps are too many */
        {3, {0, 0.1f, 0.25f}, LM_DEFAULT_FPS, 4},      /* 2.5 frames, rounded up at the half */
        {3, {0, 0.098f, 0.2f}, LM_DEFAULT_FPS, 3},     /* 2 % off */
        {3, {0, 0.0995f, 0.2f}, 10, 3},                /* 0.5 % off */
        {1, {5}, LM_DEFAULT_FPS, 1},
    };
    assert_int_equal(LM_DEFAULT_FPS, 10);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OWNED(lm_import) *import = moved_at(cases[i].times, cases[i].count, NULL);
        const lm_clip *clip = &import->mesh->clips[0];
        if (fabsf(clip->fps - cases[i].fps) > 1e-5f * cases[i].fps ||
            import->mesh->num_frames != cases[i].num_frames)
            fail_msg("case %zu: %u frames, %.9g a second", i, (unsigned)import->mesh->num_frames,
                     (double)clip->fps);
        assert_int_equal(clip->count, cases[i].num_frames);
        assert_int_equal(clip->first, 0);
        assert_int_equal(clip->source, LM_CLIP_FILE);
    }
    /* The last frame is the last key, at any rate. */
    OWNED(lm_import) *import =
        moved_at((const float[]){0, 0.1f, 0.26f}, 3, &(lm_import_options){.fps = 10, .scale = 1});
    assert_int_equal(import->mesh->num_frames, 4);
    assert_true(fabsf(import->mesh->surfaces[0].positions[9 * 3 + 1] - 3) < 1e-5f);
}

TEST(test_65536_frames_are_the_limit) {
    const lm_import_options options = {.fps = 100};
    OWNED(lm_import) *import = moved_at((const float[]){0, 655.35f}, 2, &options);
    assert_int_equal(import->mesh->num_frames, LM_MAX_IMPORT_FRAMES);
}

TEST(all_messages) {
    assert_matches_golden("import");
}
