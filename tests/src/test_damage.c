/* Tests memory safety: for any bytes every call ends, stays in bounds, and gives a valid model or
 * an error. Most defects appear as reports of the sanitizers. */
#include "documents.h"
#include "support.h"

/* ---- Every way to use the library ---------------------------------------------------------- */

static const lm_load_options ways[] = {
    {.repair = false},
    {.repair = true},
    {.repair = true, .quirks = LM_QUIRK_MDC_PRINZ},
    {.repair = true, .topology = LM_TOPOLOGY_GL_COMMANDS},
};

static void sample_all(const lm_model *m) {
    for (uint32_t s = 0; s < m->num_surfaces; s++) {
        size_t size = (size_t)m->surfaces[s].num_vertices * 12;
        AT_END(drop_bytes)
        float *positions = malloc(size ? size : 1), *normals = malloc(size ? size : 1);
        assert_true(positions && normals);
        for (uint32_t f = 0; f < m->num_frames; f++) {
            lm_pose pose = {f, m->num_frames - 1 - f, 0.25f};
            lm_sample_target target = {.positions = positions, .normals = normals};
            assert_int_equal(lm_sample(m, s, &pose, 1, &target), LM_CODE_OK);
        }
    }
    for (uint32_t t = 0; t < m->num_tags; t++) {
        lm_transform out;
        assert_int_equal(lm_sample_tag(m, t, &(lm_pose){m->num_frames - 1, 0, 0.5f}, &out),
                         LM_CODE_OK);
    }
}

/* Exports may be rejected for their size, and must not fail otherwise. */
static void export_all(const lm_model *m) {
    AT_END(lm_buffer_free) lm_buffer out = {.max_size = 1 << 20};
    lm_gltf_options options = {.quantize = m->num_surfaces % 2 == 1};
    lm_gltf_write(LM_SCENE_OF(m), &options, &out, NULL, NULL, NULL);
    out.size = 0;
    out.failed = false;
    lm_obj_write(LM_SCENE_OF(m), NULL, NULL, &out, NULL, NULL);
    out.size = 0;
    out.failed = false;
    lm_uv_write(m, NULL, &out, NULL, NULL);
}

static bool load_every_way(const blob *file, bool and_export) {
    bool loaded = false;
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        lm_error error = {0};
        AT_END(assert_all_released) counted counts = {0};
        lm_load_options options = ways[i];
        options.memory.allocator = counting_allocator(&counts);
        OWNED(lm_model) *m = lm_load_memory(file->data, file->size, &options, &error);
        assert_true(counts.most_bytes <= LM_MEMORY_MULTIPLE * file->size + LM_MEMORY_EXTRA);
        if (m) {
            assert_model_valid(m);
            sample_all(m);
            if (and_export)
                export_all(m);
        } else {
            assert_error_valid(&error);
        }
        loaded = loaded || m;
    }
    return loaded;
}

static void check_it(const blob *file) {
    lm_error error;
    OWNED(lm_report) *report = lm_check_memory(file->data, file->size, NULL, &error);
    assert_non_null(report);
    for (uint32_t i = 0; i < report->num_problems; i++)
        assert_true(strlen(report->problems[i].text) > 8);
}

static void lay_it_out(const blob *file) {
    lm_error error = {0};
    OWNED(lm_layout) *layout = lm_layout_memory(file->data, file->size, NULL, &error);
    if (!layout) {
        assert_error_valid(&error);
        return;
    }
    for (uint32_t i = 0; i < layout->num_lumps && i < 40; i++) {
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = 1 << 16};
        lm_layout_table(file->data, file->size, layout->lumps[i].name, &out, NULL);
    }
}

/* Checks that every readable document can be written and then reads as the same document. */
static void read_documents(const blob *file) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        const document_kind *kind = documents[format];
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_error error = {0};
        void *document = kind->read(file->data, file->size, &error);
        if (!document)
            continue;
        assert_true(kind->write(document, &out, &error));
        if (format == MDL) { /* has only one layout */
            assert_int_equal(out.size, file->size);
            assert_memory_equal(out.data, file->data, file->size);
        }
        void *again = kind->read(out.data, out.size, &error);
        assert_true(again && kind->equal(document, again));
        kind->free(again);
        kind->free(document);
    }
}

/* Tries everything on a copy of its own, so that a read past the end is detected. Returns whether
 * the file loads. */
static bool try_everything(const uint8_t *data, size_t size, bool and_export) {
    AT_END(blob_free) blob file = blob_copy(data, size);
    bool loaded = load_every_way(&file, and_export);
    check_it(&file);
    lay_it_out(&file);
    read_documents(&file);
    return loaded;
}

static bool try_one_of_many(const uint8_t *data, size_t size, bool and_export) {
    return !case_is_skipped() && try_everything(data, size, and_export);
}

/* ---- Files --------------------------------------------------------------------------------- */

#define SMALL_FILE 3000 /* bytes: small enough to try every prefix */

static void each_small_file(void (*visit)(const blob *file)) {
    static const md2_shape md2_shapes[] = {{2, 6, 9, 4, 3, false}, {0, 3, 3, 1, 1, true}};
    static const mdc_shape mdc_shapes[] = {{4, 2, 2, 5, 3, 1, 2, 2, false},
                                           {3, 3, 0, 0, 0, 0, 0, 0, false},
                                           {2, 0, 1, 3, 1, 1, 1, 0, true}};
    for (size_t i = 0; i < COUNT_OF(md2_shapes); i++) {
        AT_END(blob_free) blob file = make_md2(&md2_shapes[i]);
        visit(&file);
    }
    static const md3_shape md3_shapes[] = {{3, 2, 2, 4, 3, 1}, {2, 2, 0, 0, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(mdc_shapes); i++) {
        AT_END(blob_free) blob file = make_mdc(&mdc_shapes[i]);
        visit(&file);
    }
    for (size_t i = 0; i < COUNT_OF(md3_shapes); i++) {
        AT_END(blob_free) blob file = make_md3(&md3_shapes[i]);
        visit(&file);
    }
    AT_END(blob_free) blob file = make_mdl(), rapo = make_rapo();
    visit(&file);
    visit(&rapo);
}

/* ---- Prefixes ------------------------------------------------------------------------------ */

static void try_prefixes(const blob *file) {
    for (size_t size = 0; size < file->size; size++)
        try_one_of_many(file->data, size, false);
    assert_true(try_everything(file->data, file->size, true));
}

static void try_prefixes_of_real(const char *path, const blob *file) {
    if (file->size < SMALL_FILE)
        try_prefixes(file);
}

TEST(test_every_prefix) {
    each_small_file(try_prefixes);
    each_model(try_prefixes_of_real);
}

/* Tries prefixes of large files that end inside the last lump or near the ends of headers. */
static void try_some_prefixes(const char *path, const blob *file) {
    chance c = chance_from((uint32_t)file->size);
    for (int i = 0; i < 20; i++)
        try_one_of_many(file->data, chance_below(&c, (uint32_t)file->size), false);
    try_one_of_many(file->data, file->size - 1, false);
}

TEST(test_prefixes_of_real_models) {
    each_model(try_some_prefixes);
}

/* ---- Hostile fields ------------------------------------------------------------------------ */

static const uint32_t hostile[] = {0,          1,          2,          3,          0xFFFFFFFF,
                                   0xFFFFFFFC, 0x7FFFFFFF, 0x80000000, 0x80000001, 0x7FFFFFF0,
                                   0x10000000, 0x15555556, 0x00010000, 0xFFFF,     0x40000000,
                                   68,         112,        124,        255,        1000};

static void try_field(const blob *file, size_t at) {
    AT_END(blob_free) blob changed = blob_copy(file->data, file->size);
    uint32_t old = get32(file, at);
    for (size_t i = 0; i < COUNT_OF(hostile); i++) {
        put32(&changed, at, hostile[i]);
        try_one_of_many(changed.data, changed.size, false);
    }
    for (uint32_t step = 1; step < 0x10000; step <<= 2) {
        put32(&changed, at, old + step);
        try_one_of_many(changed.data, changed.size, false);
        put32(&changed, at, old - step);
        try_one_of_many(changed.data, changed.size, false);
    }
}

/* Returns the end of a format's header. MD2 and MDL have neither a name in it nor surfaces. */
static size_t header_size(const blob *file) {
    return file->data[3] == 'C' ? 112 : file->data[3] == '3' ? 108 : file->data[3] == 'O' ? 84 : 68;
}

static bool has_surfaces(const blob *file) {
    return file->data[3] == 'C' || file->data[3] == '3';
}

static void try_header_fields(const blob *file) {
    for (size_t at = 0; at < header_size(file); at += 4)
        if (!has_surfaces(file) || at < MDC_AT_NAME || at >= MDC_AT_FLAGS)
            try_field(file, at);
    size_t surface_end = file->data[3] == 'C' ? 124 : 108;
    for (int32_t s = 0; has_surfaces(file) && s < (int32_t)get32(file, MDC_AT_NUM_SURFACES); s++)
        for (size_t at = SURFACE_AT_FLAGS; at < surface_end; at += 4)
            try_field(file, surface_start(file, s) + at);
}

TEST(test_hostile_header_fields) {
    each_small_file(try_header_fields);
}

/* Changes two fields at once: a count and an offset that together would pass. */
static void try_pairs(const blob *file) {
    size_t first = has_surfaces(file) ? MDC_AT_NUM_FRAMES : MD2_AT_SKINWIDTH;
    size_t end = header_size(file);
    chance c = chance_from(17);
    AT_END(blob_free) blob changed = blob_copy(file->data, file->size);
    for (int i = 0; i < 600; i++) {
        memcpy(changed.data, file->data, file->size);
        for (int k = 0; k < 2; k++) {
            size_t at = first + 4 * chance_below(&c, (uint32_t)(end - first) / 4);
            put32(&changed, at, hostile[chance_below(&c, COUNT_OF(hostile))]);
        }
        try_one_of_many(changed.data, changed.size, false);
    }
}

TEST(test_hostile_pairs) {
    each_small_file(try_pairs);
}

/* ---- Patches ------------------------------------------------------------------------------- */

static void patch(chance *c, blob *b) {
    uint32_t count = 1 + chance_below(c, 4);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = chance_below(c, (uint32_t)b->size);
        uint32_t kind = chance_below(c, 4);
        if (kind == 0)
            b->data[at] = (uint8_t)chance_next(c);
        else if (kind == 1)
            b->data[at] ^= (uint8_t)(1u << chance_below(c, 8));
        else if (kind == 2)
            b->data[at] = chance_next(c) & 1 ? 0xFF : 0;
        else if (at + 4 <= b->size)
            put32(b, at & ~(size_t)3, hostile[chance_below(c, COUNT_OF(hostile))]);
    }
}

static void try_patches(const blob *file) {
    chance c = chance_from(23);
    AT_END(blob_free) blob changed = blob_copy(file->data, file->size);
    size_t loaded = 0;
    for (int i = 0; i < 1000; i++) {
        memcpy(changed.data, file->data, file->size);
        patch(&c, &changed);
        loaded += try_one_of_many(changed.data, changed.size, i % 4 == 0);
    }
    assert_true(loaded * case_stride() >
                500); /* a test of mostly rejected files would not reach far */
}

TEST(test_random_patches) {
    each_small_file(try_patches);
}

/* Tries files of random bytes after a valid start. */
TEST(test_noise) {
    static const char *const heads[] = {"IDP2\x08\0\0\0", "IDPC\x02\0\0\0", "IDP3\x0f\0\0\0",
                                        "IDPO\x06\0\0\0"};
    chance c = chance_from(29);
    for (int i = 0; i < 1200; i++) {
        uint8_t bytes[600];
        size_t size = 8 + chance_below(&c, sizeof bytes - 8);
        for (size_t k = 0; k < size; k++)
            bytes[k] = chance_next(&c) & 3 ? 0 : (uint8_t)chance_next(&c);
        memcpy(bytes, heads[(size_t)i % COUNT_OF(heads)], 8);
        try_one_of_many(bytes, size, false);
    }
}

/* ---- Slow files ---------------------------------------------------------------------------- */

/* Many surfaces of one vertex without tables, over many frames. If each surface were processed
 * frame by frame for nothing, the time would be quadratic: minutes for 10 MB. */
TEST(test_time_is_not_the_square_of_the_file) {
    enum {
        SURFACES = 60000,
        FRAMES = 90000,
        SURFACE_SIZE = 124 + 12 + 8 + 8
    };
    size_t start = 112 + (size_t)FRAMES * 56;
    AT_END(blob_free)
    blob file = {calloc(start + (size_t)SURFACES * SURFACE_SIZE, 1),
                 start + (size_t)SURFACES * SURFACE_SIZE};
    assert_non_null(file.data);
    memcpy(file.data, "IDPC\2", 5);
    put32(&file, MDC_AT_NUM_FRAMES, FRAMES);
    put32(&file, MDC_AT_NUM_SURFACES, SURFACES);
    put32(&file, MDC_AT_OFS_FRAMES, 112);
    put32(&file, MDC_AT_OFS_SURFACES, (uint32_t)start);
    for (size_t s = 0; s < SURFACES; s++) {
        size_t at = start + s * SURFACE_SIZE;
        put32(&file, at + SURFACE_AT_NUM_BASE, 1);
        put32(&file, at + SURFACE_AT_NUM_VERTICES, 1);
        put32(&file, at + SURFACE_AT_OFS_ST, 124 + 12);
        put32(&file, at + SURFACE_AT_OFS_BASE, 124 + 12 + 8);
        put32(&file, at + SURFACE_AT_OFS_END, SURFACE_SIZE);
    }
    assert_null(lm_load_memory(file.data, file.size, NULL, NULL));
    assert_null(lm_mdc_read(file.data, file.size, NULL, NULL));
    check_it(&file);
}

/* ---- Allocations that fail ----------------------------------------------------------------- */

/* A call of the library with an allocator. Returns false if it failed for lack of memory. */
typedef bool operation(const blob *file, const lm_memory *memory, lm_error *error);

static bool op_load(const blob *file, const lm_memory *memory, lm_error *error) {
    const lm_load_options options = {.memory = *memory};
    lm_model *m = lm_load_memory(file->data, file->size, &options, error);
    lm_model_free(m);
    return m != NULL;
}

static bool op_load_gl(const blob *file, const lm_memory *memory, lm_error *error) {
    const lm_load_options options = {.memory = *memory, .topology = LM_TOPOLOGY_GL_COMMANDS};
    lm_model *m = lm_load_memory(file->data, file->size, &options, error);
    lm_model_free(m);
    return m != NULL;
}

static bool op_check(const blob *file, const lm_memory *memory, lm_error *error) {
    const lm_check_options options = {.memory = *memory};
    lm_report *report = lm_check_memory(file->data, file->size, &options, error);
    lm_report_free(report);
    return report != NULL;
}

static bool op_layout(const blob *file, const lm_memory *memory, lm_error *error) {
    lm_layout *layout = lm_layout_memory(file->data, file->size, memory, error);
    lm_layout_free(layout);
    return layout != NULL;
}

static bool op_table(const blob *file, const lm_memory *memory, lm_error *error) {
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory->allocator};
    return lm_layout_table(file->data, file->size, "header", &out, error);
}

static bool op_document(const blob *file, const lm_memory *memory, lm_error *error) {
    if (file->data[3] == 'C') {
        lm_mdc *mdc = lm_mdc_read(file->data, file->size, memory, error);
        lm_mdc_free(mdc);
        return mdc != NULL;
    }
    if (file->data[3] == '3') {
        lm_md3 *md3 = lm_md3_read(file->data, file->size, memory, error);
        lm_md3_free(md3);
        return md3 != NULL;
    }
    if (file->data[3] == 'O') {
        lm_mdl *mdl = lm_mdl_read(file->data, file->size, memory, error);
        lm_mdl_free(mdl);
        return mdl != NULL;
    }
    lm_md2 *md2 = lm_md2_read(file->data, file->size, memory, error);
    lm_md2_free(md2);
    return md2 != NULL;
}

static bool op_write(const blob *file, const lm_memory *memory, lm_error *error) {
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory->allocator};
    for (int format = 0; format < NUM_FORMATS; format++) {
        void *document = documents[format]->read(file->data, file->size, NULL);
        const bool done = !document || documents[format]->write(document, &out, error);
        documents[format]->free(document);
        if (!done)
            return false;
    }
    return true;
}

static bool op_gltf(const blob *file, const lm_memory *memory, lm_error *error) {
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory->allocator}, bin = out;
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, NULL, NULL);
    const lm_gltf_options options = {.bin_uri = "a.bin", .quantize = true};
    return lm_gltf_write(LM_SCENE_OF(m), &options, &out, &bin, NULL, error);
}

static bool op_obj_and_svg(const blob *file, const lm_memory *memory, lm_error *error) {
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory->allocator};
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, NULL, NULL);
    return lm_obj_write(LM_SCENE_OF(m), NULL, NULL, &out, NULL, error) &&
           lm_uv_write(m, NULL, &out, NULL, error);
}

static void fail_each_allocation(operation *run, const blob *file) {
    lm_error error;
    counted counts = {0};
    lm_memory memory = {.allocator = counting_allocator(&counts)};
    assert_true(run(file, &memory, &error));
    assert_all_released(&counts);
    size_t calls = counts.calls;
    assert_true(calls > 0);
    for (size_t n = 1; n <= calls; n++) {
        counts = (counted){.fail_at = n};
        error = (lm_error){0};
        if (run(file, &memory, &error))
            fail_msg("allocation %zu of %zu failed, and nobody noticed", n, calls);
        assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
        assert_error_valid(&error);
        assert_all_released(&counts);
        counts = (counted){.fail_at = n};
        assert_false(run(file, &memory, NULL));
    }
}

static void fail_all_operations(const blob *file) {
    static operation *const operations[] = {op_load,     op_check, op_layout, op_table,
                                            op_document, op_write, op_gltf,   op_obj_and_svg};
    for (size_t i = 0; i < COUNT_OF(operations); i++)
        fail_each_allocation(operations[i], file);
    if (file->data[3] == '2')
        fail_each_allocation(op_load_gl, file);
}

TEST(test_every_allocation_fails_once) {
    AT_END(blob_free)
    blob md2 = make_md2(&small_md2), mdc = make_mdc(&small_mdc), md3 = make_md3(&small_md3);
    AT_END(blob_free) blob mdl = make_mdl(), rapo = make_rapo();
    AT_END(blob_free) blob many = make_mdc(&(mdc_shape){3, 1, 40, 3, 1, 1, 1, 1, false});
    fail_all_operations(&md2);
    fail_all_operations(&mdc);
    fail_all_operations(&md3);
    fail_all_operations(&mdl);
    fail_all_operations(&rapo);
    fail_all_operations(&many);
}
