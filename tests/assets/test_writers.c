/* Tests guarantees of every function that writes a file. One that fails leaves the buffer
 * unchanged, with LM_CODE_LIMIT for a full buffer and LM_CODE_OUT_OF_MEMORY without memory. NULL
 * for options means zeros. Uninitialised memory is never read. */
#include "elements.h"
#include "formats/write_document.h"
#include "image/decoded_image.h"
#include "support.h"
#include "synthetic.h"

/* The written objects: a model, a scene of it twice with textures, an image, documents. */
typedef struct subject {
    lm_model *model;
    lm_mesh *mesh;
    lm_scene_part parts[2];
    lm_scene_material materials[2];
    lm_material_set skin;
    lm_scene_texture textures[2];
    lm_scene scene;
    uint8_t pixels[4 * 12];
    lm_image image;
    blob files[3];
    lm_md2 *md2;
    lm_md3 *md3;
    lm_mdc *mdc;
} subject;

static void set_up(subject *s) {
    *s = (subject){.model = make_model(&(synthetic_options){.num_frames = 5})};
    s->mesh = lm_mesh_from_model(s->model, NULL, NULL);
    s->textures[0] = (lm_scene_texture){.name = "a", .mime = "image/png", .data = "PNG", .size = 3};
    s->textures[1] =
        (lm_scene_texture){.name = "b", .mime = "image/png", .data = "PNGS", .size = 4};
    s->textures[0].uri = "a.png";
    s->textures[1].uri = "b.png";
    s->materials[0] = (lm_scene_material){.name = "cloth", .texture = 0};
    s->materials[1] = (lm_scene_material){.name = "iron", .texture = 1};
    s->skin = (lm_material_set){.name = "red", .materials = s->materials};
    s->parts[0] = (lm_scene_part){.model = s->model};
    s->parts[1] = (lm_scene_part){.model = s->model, .name = "head"};
    for (unsigned i = 0; i < 2; i++) {
        s->parts[i].skins = &s->skin;
        s->parts[i].num_skins = 1;
    }
    s->scene =
        (lm_scene){.num_parts = 2, .parts = s->parts, .num_textures = 2, .textures = s->textures};
    for (unsigned i = 0; i < sizeof s->pixels; i++)
        s->pixels[i] = (uint8_t)(i * 37);
    s->image = (lm_image){.width = 4, .height = 3, .pixels = s->pixels};
    s->files[0] = make_md2(&small_md2);
    s->files[1] = make_md3(&small_md3);
    s->files[2] = make_mdc(&small_mdc);
    s->md2 = lm_md2_read(s->files[0].data, s->files[0].size, NULL, NULL);
    s->md3 = lm_md3_read(s->files[1].data, s->files[1].size, NULL, NULL);
    s->mdc = lm_mdc_read(s->files[2].data, s->files[2].size, NULL, NULL);
    assert_true(s->mesh && s->md2 && s->md3 && s->mdc);
}

static void clean(subject *s) {
    lm_mesh_free(s->mesh);
    free_synthetic_model(s->model);
    lm_md2_free(s->md2);
    lm_md3_free(s->md3);
    lm_mdc_free(s->mdc);
    for (unsigned i = 0; i < 3; i++)
        blob_free(&s->files[i]);
}

/* ---- All of them --------------------------------------------------------------------------- */

/* Defines a writer by an expression. */
#define WRITER(name, expression)                                                          \
    static bool name(const subject *s, lm_buffer *out, lm_buffer *bin, lm_error *error) { \
        return expression;                                                                \
    }

WRITER(write_glb, lm_gltf_write(LM_SCENE_OF(s->model), NULL, out, NULL, NULL, error))
WRITER(write_gltf, lm_gltf_write(&s->scene, &(const lm_gltf_options){.bin_uri = "a.bin"}, out, bin,
                                 NULL, error))

static bool write_quantized(const subject *s, lm_buffer *out, lm_buffer *bin, lm_error *error) {
    const lm_gltf_options options = {.quantize = true};
    return lm_gltf_write(&s->scene, &options, out, NULL, NULL, error);
}

WRITER(write_obj, lm_obj_write(&s->scene, NULL, NULL, out, NULL, error))
WRITER(write_svg, lm_uv_write(s->model, NULL, out, NULL, error))
WRITER(write_png, lmi_image_write_png(&s->image, out, error))

static const float floats[3 * 4 * 33] = {0.25f, [7] = 1, [100] = 0.1f};

WRITER(write_deep_png, lm_floats_write(floats, 4, 33, LM_FLOATS_PNG, out, error))
WRITER(write_exr, lm_floats_write(floats, 4, 33, LM_FLOATS_EXR, out, error))

/* Writes vertex-animation textures; the third buffer is dropped. */
static bool write_vat(const subject *s, lm_buffer *out, lm_buffer *bin, lm_error *error) {
    const lm_vat_options options = {
        .materials = s->materials, .num_textures = 2, .textures = s->textures};
    AT_END(lm_buffer_free) lm_buffer pixels = {.allocator = out->allocator};
    return lm_vat_write(s->mesh, &options, out, bin, &pixels, NULL, error);
}

static bool write_vat_pixels(const subject *s, lm_buffer *out, lm_buffer *bin, lm_error *error) {
    const lm_vat_options options = {.separate_normals = true};
    AT_END(lm_buffer_free) lm_buffer info = {.allocator = out->allocator};
    return lm_vat_write(s->mesh, &options, bin, &info, out, NULL, error);
}

WRITER(write_md2, lmi_write_document(&lmi_md2_kind, s->md2, out, error))
WRITER(write_md3, lmi_write_document(&lmi_md3_kind, s->md3, out, error))
WRITER(write_mdc, lmi_write_document(&lmi_mdc_kind, s->mdc, out, error))
WRITER(write_header, lm_layout_table(s->files[0].data, s->files[0].size, "header", out, error))
WRITER(write_table, lm_layout_table(s->files[0].data, s->files[0].size, "triangles", out, error))

typedef bool writer(const subject *s, lm_buffer *out, lm_buffer *bin, lm_error *error);

static const struct {
    const char *name;
    writer *write;
} writers[] = {{"glb", write_glb},
               {"gltf", write_gltf},
               {"quantized", write_quantized},
               {"obj", write_obj},
               {"svg", write_svg},
               {"png", write_png},
               {"deep png", write_deep_png},
               {"exr", write_exr},
               {"vat", write_vat},
               {"vat pixels", write_vat_pixels},
               {"md2", write_md2},
               {"md3", write_md3},
               {"mdc", write_mdc},
               {"header", write_header},
               {"table", write_table}};

/* ---- Failures ------------------------------------------------------------------------------ */

/* The earlier contents fill a buffer's initial capacity, so that everything else needs memory. */
static const uint8_t before[4096] = "before";
#define BEFORE (sizeof before)

static void assert_buffer_unchanged(const char *name, const lm_buffer *buffer) {
    if (buffer->size != BEFORE || memcmp(buffer->data, before, BEFORE) != 0 || buffer->failed)
        fail_msg("%s: the buffer is not as it was", name);
}

static void expect_failure(size_t which, const subject *s, lm_buffer *out, lm_buffer *bin,
                           lm_code code) {
    lm_error error = {0};
    if (writers[which].write(s, out, bin, &error))
        fail_msg("%s: written all the same", writers[which].name);
    assert_error_valid(&error);
    if (error.code != code)
        fail_msg("%s: %s", writers[which].name, error.message);
    assert_buffer_unchanged(writers[which].name, out);
    assert_buffer_unchanged(writers[which].name, bin);
}

TEST(full_buffers_report_the_limit) {
    AT_END(clean) subject s;
    set_up(&s);
    for (size_t i = 0; i < COUNT_OF(writers); i++) {
        AT_END(lm_buffer_free) lm_buffer whole = {0}, whole_bin = {0};
        assert_true(writers[i].write(&s, &whole, &whole_bin, NULL));
        for (int which = 0; which < 2; which++) {
            size_t size = which ? whole_bin.size : whole.size;
            for (size_t limit = BEFORE; limit < BEFORE + size; limit += 1 + size / 97) {
                AT_END(lm_buffer_free) lm_buffer out = {0}, bin = {0};
                lm_buffer_append(&out, before, BEFORE);
                lm_buffer_append(&bin, before, BEFORE);
                *(which ? &bin.max_size : &out.max_size) = limit;
                expect_failure(i, &s, &out, &bin, LM_CODE_LIMIT);
                out.max_size = bin.max_size = 0; /* the buffer is still usable */
                assert_true(writers[i].write(&s, &out, &bin, NULL));
                assert_int_equal(out.size, BEFORE + whole.size);
                assert_memory_equal(out.data + BEFORE, whole.data, whole.size);
            }
        }
    }
}

TEST(each_failing_allocation_is_reported) {
    AT_END(clean) subject s;
    set_up(&s);
    for (size_t i = 0; i < COUNT_OF(writers); i++) {
        size_t calls = SIZE_MAX;
        for (size_t fail_at = 0; fail_at <= calls; fail_at++) { /* first pass: counts them */
            AT_END(assert_all_released) counted counts = {0};
            AT_END(lm_buffer_free) lm_buffer out = {.allocator = counting_allocator(&counts)};
            AT_END(lm_buffer_free) lm_buffer bin = {.allocator = counting_allocator(&counts)};
            lm_buffer_append(&out, before, BEFORE);
            lm_buffer_append(&bin, before, BEFORE);
            counts.fail_at = fail_at ? counts.calls + fail_at : 0;
            if (fail_at) {
                expect_failure(i, &s, &out, &bin, LM_CODE_OUT_OF_MEMORY);
            } else {
                size_t first = counts.calls;
                assert_true(writers[i].write(&s, &out, &bin, NULL));
                calls = counts.calls - first;
            }
        }
        assert_true(calls > 0);
    }
}

TEST(failed_buffers_stay_failed) {
    AT_END(clean) subject s;
    set_up(&s);
    for (size_t i = 0; i < COUNT_OF(writers); i++) {
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = 4}, bin = {0};
        lm_error error = {0};
        lm_buffer_text(&out, "five!");
        assert_false(writers[i].write(&s, &out, &bin, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_true(out.failed && out.size == 0 && bin.size == 0);
    }
    lm_buffer_free(NULL);
}

/* ---- Successes ----------------------------------------------------------------------------- */

TEST(uninitialised_memory_is_never_read) {
    AT_END(clean) subject s;
    set_up(&s);
    for (size_t i = 0; i < COUNT_OF(writers); i++) {
        counted counts[2] = {{.zeros = true}, {.zeros = false}};
        lm_buffer out[2] = {0}, bin[2] = {0};
        for (unsigned k = 0; k < 2; k++) {
            out[k].allocator = bin[k].allocator = counting_allocator(&counts[k]);
            assert_true(writers[i].write(&s, &out[k], &bin[k], NULL));
        }
        if (out[0].size != out[1].size || memcmp(out[0].data, out[1].data, out[0].size) != 0)
            fail_msg("%s: what was in fresh memory shows", writers[i].name);
        assert_int_equal(bin[0].size, bin[1].size);
        for (unsigned k = 0; k < 2; k++) {
            lm_buffer_free(&out[k]);
            lm_buffer_free(&bin[k]);
            assert_all_released(&counts[k]);
        }
    }
}

TEST(null_options_equal_zeros) {
    AT_END(clean) subject s;
    set_up(&s);
    lm_buffer glb[2] = {0}, obj[2] = {0};
    const lm_gltf_options gltf_zeros = {0};
    const lm_export_options obj_zeros = {0};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(lm_gltf_write(&s.scene, i ? &gltf_zeros : NULL, &glb[i], NULL, NULL, NULL));
        assert_true(lm_obj_write(&s.scene, i ? &obj_zeros : NULL, NULL, &obj[i], NULL, NULL));
    }
    assert_int_equal(glb[0].size, glb[1].size);
    assert_memory_equal(glb[0].data, glb[1].data, glb[0].size);
    assert_memory_equal(glb[0].data, "glTF", 4);
    assert_int_equal(obj[0].size, obj[1].size);
    assert_memory_equal(obj[0].data, obj[1].data, obj[0].size);
    for (unsigned i = 0; i < 2; i++) {
        lm_buffer_free(&glb[i]);
        lm_buffer_free(&obj[i]);
    }
}
