/* Tests meshes that Assimp reads: a small file made by hand, invalid files, and failing memory. */

#include "math/colours.h"
#include "synthetic_gltf.h"

static const char triangle[] =
    "mtllib a.mtl\nv 0 0 0\nv 0 0 2\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 1 0 0\n"
    "o body\nusemtl cloth\nf 1/1/1 2/2/1 3/3/1\n";

static bool read_material(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    (*(int *)user)++;
    if (strcmp(uri, "a.mtl") == 0)
        lm_buffer_text(out, "newmtl cloth\nmap_Kd textures\\cloth.tga\n");
    else if (strcmp(uri, "cloth.tga") == 0)
        lm_buffer_text(out, "PICTURE");
    else
        return lm_fail_plain(error, LM_CODE_IO, "%s is not there", uri);
    return true;
}

static lm_import *import_text(const char *text, const char *name, const lm_import_options *options,
                              lm_error *error) {
    lm_import_options named = options ? *options : (lm_import_options){0};
    named.name = name;
    named.importer = LM_IMPORTER_ASSIMP;
    return lm_import_read(text, strlen(text), &named, error);
}

static void assert_at(const float *at, float x, float y, float z) {
    if (fabsf(at[0] - x) > 1e-6f || fabsf(at[1] - y) > 1e-6f || fabsf(at[2] - z) > 1e-6f)
        fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)at[0], (double)at[1], (double)at[2],
                 (double)x, (double)y, (double)z);
}

TEST(test_a_small_file_is_read) {
    lm_error error;
    int asked = 0;
    const lm_import_options options = {.read = read_material, .user = &asked};
    OWNED(lm_import) *import = import_text(triangle, "a.obj", &options, &error);
    assert_done(import, error);
    assert_true(asked > 0);
    const lm_mesh *mesh = import->mesh;
    assert_true(lm_mesh_check(mesh, &error));
    assert_int_equal(mesh->num_frames, 1);
    assert_int_equal(mesh->num_surfaces, 1);
    const lm_mesh_surface *s = &mesh->surfaces[0];
    assert_string_equal(s->name, "body");
    assert_int_equal(s->num_materials, 1);
    assert_string_equal(s->materials[0].name, "cloth");
    assert_int_equal(s->num_triangles, 1);
    /* y of the file is up, z forward, x left; the winding is reversed, and t starts at the top. */
    const uint32_t *c = s->triangles;
    assert_at(s->positions + 3 * (size_t)c[0], 0, 0, 0);
    assert_at(s->positions + 3 * (size_t)c[1], 0, 0, 1);
    assert_at(s->positions + 3 * (size_t)c[2], 2, 0, 0);
    assert_at(s->normals, 0, 1, 0);
    assert_true(s->st[2 * (size_t)c[0] + 1] == 1 && s->st[2 * (size_t)c[1] + 1] == 0);
    lm_import_free(import);
    import =
        import_text(triangle, "b.obj", &(lm_import_options){.scale = 2 * LM_IMPORT_SCALE}, &error);
    assert_non_null(import); /* without its materials, and twice as large */
    assert_at(import->mesh->surfaces[0].positions +
                  3 * (size_t)import->mesh->surfaces[0].triangles[2],
              4, 0, 0);
}

/* Assimp leaks its memory when it gives up with abort(), and some nodes of RAW. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define LOSE(on) ((on) ? __lsan_disable() : __lsan_enable())
#else
#define LOSE(on) (void)(on)
#endif

/* Assimp leaves null pointers for nodes of RAW, even for the last one. */
TEST(test_missing_nodes) {
    static const char *const texts[] = {"a\n0 0 0 0 0 2 0 1 0\nb\n0 0 0 0 0 3 0 2 0\n",
                                        "a\n0 0 0 0 0 2 0 1 0\nb\n0 0 0 0 0 3 0 2 0\nc\n"
                                        "1 0 0 0 0 3 0 2 0\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lm_error error;
        LOSE(true);
        OWNED(lm_import) *import = import_text(texts[i], "a.raw", NULL, &error);
        LOSE(false);
        assert_done(import, error);
        assert_true(import->mesh->num_surfaces > 0);
    }
}

/* A model with NaN normals loads without normals. */
TEST(test_invalid_normals_are_ignored) {
    for (int bad = 0; bad < 3; bad++) {
        char text[160];
        lm_error error;
        snprintf(text, sizeof text,
                 "v 0 0 0\nv 0 0 2\nv 0 1 0\nvn %s 0 0\nvn %s 0 0\nvn 1 0 0\nf 1//1 2//2 3//3\n",
                 bad == 1 ? "nan" : "1", bad == 2 ? "inf" : "1");
        OWNED(lm_import) *import = import_text(text, "a.obj", NULL, &error);
        assert_done(import, error);
        assert_true(lm_mesh_check(import->mesh, &error));
        assert_int_equal(import->mesh->surfaces[0].num_triangles, 1);
    }
}

TEST(test_nodes_are_tags) {
    lm_error error;
    const lm_import_tag tag = {.name = "tag_hand", .node = "body"};
    const lm_import_options options = {.num_tags = 1, .tags = &tag};
    OWNED(lm_import) *import = import_text(triangle, "a.obj", &options, &error);
    assert_non_null(import);
    assert_int_equal(import->mesh->num_tags, 1);
    assert_string_equal(import->mesh->tags[0].name, "tag_hand");
    assert_at(&import->mesh->tags[0].poses[0].axis[2].x, 0, 0, 1);
}

/* Formats of games have x forward and z up, like the models. */
TEST(test_axes_of_games_stay) {
    static const char text[] =
        "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\n"
        "triangles\ncloth\n0 1 2 3 0 0 1 0 0\n0 5 2 4 0 0 1 1 0\n0 1 7 6 0 0 1 0 1\nend\n";
    static const float at[3][3] = {{1, 2, 3}, {5, 2, 4}, {1, 7, 6}};
    lm_error error;
    OWNED(lm_import) *import = import_text(text, "a.smd", NULL, &error);
    assert_done(import, error);
    const lm_mesh_surface *s = &import->mesh->surfaces[0];
    assert_int_equal(s->num_triangles, 1);
    uint32_t found = 0;
    for (uint32_t c = 0; c < 3; c++)
        for (uint32_t k = 0; k < 3; k++) {
            const float *p = s->positions + 3 * (size_t)s->triangles[c];
            found += fabsf(p[0] - at[k][0]) < 1e-4f && fabsf(p[1] - at[k][1]) < 1e-4f &&
                     fabsf(p[2] - at[k][2]) < 1e-4f;
        }
    assert_int_equal(found, 3);
}

/* Imports a triangle whose node has this matrix, with keys for its position only if `moved`. A
 * comma before a digit would be a decimal point. */
static lm_import *import_node(const char *matrix, bool moved) {
    char text[600];
    lm_error error;
    snprintf(text, sizeof text,
             "xof 0303txt 0032\nFrame a {\nFrameTransformMatrix {\n%s;;\n}\nMesh {\n3;\n0;0;0;,\n"
             "1;0;0;,\n0;2;3;;\n1;\n3;0, 1, 2;;\n}\n}\n%s",
             matrix,
             moved ? "AnimationSet b {\nAnimation {\n{a}\nAnimationKey {\n2;\n2;\n0;3;0, 0, 0;;,\n"
                     "4800;3;0, 4, 0;;;\n}\n}\n}\n"
                   : "");
    lm_import *import = import_text(text, "a.x", NULL, &error);
    assert_done(import, error);
    return import;
}

/* A node whose animation only moves it stays mirrored, turned and scaled: Assimp completes its
 * keys. */
TEST(test_moved_nodes_keep_their_shape) {
    static const char *const matrices[] = {
        "1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1",
        "0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1",
        "0.6, 0.8, 0, 0, 0.8, -0.6, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1",
        "1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, 0.8, -0.6, 0, 0, 0, 0, 1",
        "1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1"};
    for (size_t i = 0; i < COUNT_OF(matrices); i++) {
        OWNED(lm_import) *still = import_node(matrices[i], false),
                         *moved = import_node(matrices[i], true);
        assert_true(moved->mesh->num_frames > 1);
        for (size_t v = 0; v < 3; v++) {
            const float *p = still->mesh->surfaces[0].positions + 3 * v;
            assert_at(moved->mesh->surfaces[0].positions + 3 * v, p[0], p[1], p[2]);
        }
    }
}

static void check_image(const lm_import *import) {
    assert_int_equal(import->num_variants, 1);
    assert_int_equal(import->num_images, 1);
    assert_int_equal(import->surface_images[0], 0);
    assert_string_equal(import->images[0].name, "textures\\cloth.tga");
    assert_int_equal(import->images[0].size, 7);
    assert_memory_equal(import->images[0].data, "PICTURE", 7);
    assert_false(import->images[0].transparent);
}

TEST(test_images_are_read_if_requested) {
    lm_error error;
    int asked = 0;
    lm_import_options options = {.read = read_material, .user = &asked, .images = true};
    OWNED(lm_import) *import = import_text(triangle, "a.obj", &options, &error);
    assert_non_null(import);
    assert_int_equal(asked, 3); /* the material, the image at its stated path, and in the same
                                 * folder */
    assert_int_equal(import->num_diagnostics, 1); /* it is small */
    assert_non_null(strstr(import->diagnostics[0].text, "states no unit"));
    check_image(import);
    lm_import_free(import);
    options.images = false;
    import = import_text(triangle, "a.obj", &options, &error);
    assert_non_null(import);
    assert_int_equal(asked, 4);
    assert_int_equal(import->num_images, 0);
    lm_import_free(import);
    options = (lm_import_options){.images = true};
    import = import_text(triangle, "a.obj", &options, &error);
    assert_non_null(import); /* without its materials nothing is missing */
    assert_int_equal(import->num_diagnostics, 1);
}

/* Assimp has decoded this image; it becomes a TGA of blue, green, red and alpha, from the top. */
TEST(test_images_of_raw_texels) {
    AT_END(blob_free) blob file = make_mdl();
    lm_error error;
    OWNED(lm_model) *model = load_blob(&file);
    assert_non_null(model);
    OWNED(lm_import) *import = lm_import_read(
        file.data, file.size, &(lm_import_options){.name = "a.mdl", .images = true}, &error);
    assert_done(import, error);
    const lm_import_image *image = &import->images[import->surface_images[0]];
    const uint8_t *bytes = image->data;
    const uint32_t w = model->skin_width, h = model->skin_height;
    assert_string_equal(image->name, "");
    assert_int_equal(image->size, 18 + 4 * w * h);
    assert_true(bytes[2] == 2 && bytes[12] == w && bytes[14] == h && bytes[16] == 32);
    assert_int_equal(bytes[17], 0x28);
    for (uint32_t i = 0; i < w * h; i++) {
        const uint8_t *rgb = lmi_quake_palette() + 3 * (size_t)model->embedded_skins[0].pixels[i];
        const uint8_t *bgra = bytes + 18 + 4 * (size_t)i;
        assert_true(bgra[0] == rgb[2] && bgra[1] == rgb[1] && bgra[2] == rgb[0]);
    }
}

TEST(test_invalid_files_are_rejected) {
    static const struct {
        const char *text, *name;
    } cases[] = {{"", "a.obj"},         {"v 1 2", "a.obj"},
                 {"x", "a.unknown"},    {triangle, ""},
                 {"<COLLADA", "a.dae"}, {"v 0 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 9\n", "a.obj"},
                 {"not it", "a.fbx"},   {"v 0 0 0\nv 1 1 1\nl 1 2\n", "a.obj"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lm_error error = {.code = LM_CODE_OK};
        LOSE(true);
        assert_null(import_text(cases[i].text, cases[i].name, NULL, &error));
        LOSE(false);
        assert_error_valid(&error);
    }
    assert_int_equal(lm_importer_find("x", 1, "a.FBX"), LM_IMPORTER_ASSIMP);
    assert_int_equal(lm_importer_find("{", 1, "a.FBX"), LM_IMPORTER_GLTF);
    assert_int_equal(lm_importer_find("x", 1, NULL), LM_IMPORTER_UNKNOWN);
    assert_int_equal(lm_importer_find(NULL, 0, "a"), LM_IMPORTER_UNKNOWN);
    assert_int_equal(lm_importer_find(NULL, 0, "a.unknown"), LM_IMPORTER_UNKNOWN);
}

TEST(test_large_files_are_rejected) {
    lm_error error = {.code = LM_CODE_OK};
    static char text[100001]; /* a comment */
    memset(text, '#', sizeof text);
    lm_import_options options = {.name = "a.obj", .memory.max_bytes = sizeof text - 1};
    assert_null(lm_import_read(text, sizeof text, &options, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_non_null(strstr(error.message, "it has 100001 bytes"));
    assert_non_null(strstr(error.message, "at most 100000, because"));
    LOSE(true);
    assert_null(lm_import_read(text, sizeof text - 1, &options, &error));
    LOSE(false);
    assert_null(strstr(error.message, "at most 100000"));
    static const char start[16] = "v 0 0 0"; /* all that tells the format of a file */
    options.memory.max_bytes = 0;
    assert_null(lm_import_read(start, LM_IMPORT_ASSIMP_BYTES + 1, &options, &error));
    assert_non_null(strstr(error.message, "at most 268435456"));
}

/* The material comes first, so that half a file would still be valid. */
static bool read_large(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    static const char comment[100000] = {'#'};
    if (strcmp(uri, "a.mtl") != 0)
        return false;
    lm_buffer_text(out, "newmtl cloth\nmap_Kd cloth.tga\n");
    for (size_t i = 0; i < *(const size_t *)user; i++)
        lm_buffer_append(out, comment, i == 0 ? 1000 : sizeof comment);
    return true;
}

TEST(test_large_external_files_are_not_read) {
    for (size_t pieces = 1; pieces <= 4; pieces++) {
        lm_error error;
        const lm_import_options options = {
            .read = read_large, .user = &pieces, .images = true, .memory.max_bytes = 250000};
        OWNED(lm_import) *import = import_text(triangle, "a.obj", &options, &error);
        assert_done(import, error);
        assert_int_equal(import->num_images, pieces <= 3);
    }
}

TEST(test_failing_allocations_are_handled) {
    for (size_t at = 1;; at++) {
        counted counts = {.fail_at = at};
        lm_error error = {.code = LM_CODE_OK};
        int asked = 0;
        const lm_import_options options = {.memory.allocator = counting_allocator(&counts),
                                           .read = read_material,
                                           .user = &asked,
                                           .images = true};
        lm_import *import = import_text(triangle, "a.obj", &options, &error);
        if (!import)
            assert_error_valid(&error);
        else if (import->num_images > 0) /* otherwise Assimp had no memory to read the material */
            check_image(import);
        lm_import_free(import);
        assert_all_released(&counts);
        if (import && at > 40)
            break;
    }
}

int main(void) {
    lm_error error;
    lm_import *import = import_text(triangle, "a.obj", NULL, &error);
    lm_import_free(import);
    if (!import && error.code == LM_CODE_NOT_BUILT_IN) {
        printf("skipped: Assimp: %s\n", error.message);
        return 77;
    }
    return run_test_list();
}
