#include "gl_support.h"
#include "lerpmesh/files.h"

#include <dlfcn.h>
#include <epoxy/gl.h>
#include <sys/stat.h>

static unsigned num_messages;

static void heard(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                  const GLchar *message, const void *user) {
    if (type == GL_DEBUG_TYPE_OTHER || type == GL_DEBUG_TYPE_PERFORMANCE ||
        severity == GL_DEBUG_SEVERITY_NOTIFICATION)
        return;
    fprintf(stderr, "OpenGL: %s\n", message);
    num_messages++;
}

void expect_quiet(void) {
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(num_messages, 0);
}

/* Keeps the driver loaded. If it were unloaded with the last context, the sanitizer would report
 * the memory in its globals as a leak. */
static void pin_driver(void) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        char *path = strchr(line, '/');
        if (!path || (!strstr(path, "_dri.so") && !strstr(path, "libgallium")))
            continue;
        path[strcspn(path, "\n")] = '\0';
        dlopen(path, RTLD_NOW | RTLD_NODELETE);
    }
    fclose(maps);
}

gl_world world;

void world_open(bool es) {
    lm_error error = {0};
    world.headless = lm_gl_headless_new(&(lm_gl_headless_options){.es = es, .debug = true}, &error);
    assert_done(world.headless, error);
    pin_driver();
    assert_true(epoxy_is_desktop_gl() == !es);
    assert_true(epoxy_has_gl_extension("GL_KHR_debug"));
    num_messages = 0;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(heard, NULL);
    world.gl = lm_gl_new(NULL, &error);
    assert_done(world.gl, error);
    world.target = lm_gl_target_new(world.gl, 64, 64, 0, &error);
    assert_done(world.target, error);
    begin_image(world.target, 0, 0, 0, 0);
}

void world_close(void) {
    lm_gl_target_free(world.target);
    lm_gl_free(world.gl);
    expect_quiet();
    lm_gl_headless_free(world.headless);
}

int open_world(void **state) {
    world_open(false);
    return 0;
}

int close_world(void **state) {
    world_close();
    return 0;
}

void begin_image(lm_gl_target *target, float r, float g, float b, float a) {
    lm_error error = {0};
    const lm_gl_background background = {.color = {r, g, b, a}};
    assert_done(lm_gl_begin(world.gl, target, 0, 0, &background, &error), error);
}

lm_gl_view fitted_view(lm_gl_camera *camera, lm_vec3 min, lm_vec3 max) {
    lm_gl_view view;
    lm_gl_camera_fit(camera, &min, &max);
    lm_gl_camera_view(camera, &view);
    return view;
}

const char *source_path(const char *path) {
    static char full[4096];
    const char *root = getenv("LERPMESH_SOURCE_DIR");
    snprintf(full, sizeof full, "%s/%s", root ? root : ".", path);
    return full;
}

lm_model *load(const char *path, lm_topology topology, unsigned quirks) {
    lm_error error = {0};
    lm_load_options options = {.topology = topology, .quirks = quirks};
    lm_model *model = lm_load_file(path, &options, &error);
    if (!model)
        fail_msg("%s: %s", path, error.message);
    return model;
}

/* ---- Models ---------------------------------------------------------------------------------- */

void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles) {
    *h = (handmade){.keys = malloc((size_t)num_vertices * 8 + 1),
                    .st = calloc(num_vertices + (size_t)1, sizeof(lm_vec2)),
                    .triangles = malloc(((size_t)num_triangles * 3 + 1) * sizeof(uint32_t)),
                    .file_vertices = malloc((num_vertices + (size_t)1) * sizeof(uint32_t))};
    assert_true(h->keys && h->st && h->triangles && h->file_vertices);
    for (uint32_t i = 0; i < num_vertices; i++)
        h->file_vertices[i] = i;
    for (size_t i = 0; i < (size_t)num_vertices * 2; i++) {
        uint8_t *key = h->keys + 4 * i;
        key[0] = (uint8_t)(i * 7);
        key[1] = (uint8_t)(i * 13);
        key[2] = (uint8_t)(i * 29);
        key[3] = (uint8_t)(i % 162);
    }
    for (size_t i = 0; i < (size_t)num_triangles * 3; i++)
        h->triangles[i] = (uint32_t)((i / 3 + i % 3) % (num_vertices ? num_vertices : 1));
    for (int i = 0; i < 2; i++)
        h->frames[i] = (lm_frame){.name = "", .max = {255, 255, 255}, .scale = {1, 1, 1}};
    h->surface = (lm_surface){.name = "",
                              .num_vertices = num_vertices,
                              .num_file_vertices = num_vertices,
                              .file_vertices = h->file_vertices,
                              .st = h->st,
                              .num_triangles = num_triangles,
                              .triangles = h->triangles,
                              .num_keys = 2,
                              .keys = h->keys,
                              .key_size = 4,
                              .key_stride = (size_t)num_vertices * 4};
    h->model = (lm_model){.format = "md2",
                          .name = "",
                          .num_frames = 2,
                          .frames = h->frames,
                          .num_surfaces = 1,
                          .surfaces = &h->surface};
}

void free_model(handmade *h) {
    free(h->keys);
    free(h->st);
    free(h->triangles);
    free(h->file_vertices);
}

lm_gl_view any_view(void) {
    lm_gl_camera camera = {.azimuth = 30, .elevation = 10};
    return fitted_view(&camera, (lm_vec3){0, 0, 0}, (lm_vec3){255, 255, 255});
}

/* ---- Images ---------------------------------------------------------------------------------- */

double mean_error(const uint8_t *a, const uint8_t *b) {
    double sum = 0;
    for (size_t i = 0; i < 4 * REFERENCE_PIXELS; i++)
        sum += abs(a[i] - b[i]);
    return sum / (4 * (double)REFERENCE_PIXELS);
}

static void write_png(const char *path, const uint8_t *pixels) {
    AT_END(lm_buffer_free) lm_buffer png = {0};
    lm_error error = {0};
    const bool made =
        lm_pixels_write(pixels, REFERENCE_SIDE, REFERENCE_SIDE, LM_PIXELS_PNG, NULL, &png, &error);
    const lm_file_output file = {.path = path, .data = png.data, .size = png.size};
    assert_done(made && lm_file_write(&file, 1, false, &error), error);
}

static lm_image *read_reference(const char *name) {
    char member[64];
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer png = {0};
    snprintf(member, sizeof member, "%s.png", name);
    lm_archive *archive = lm_archive_open(source_path("tests/images.zip"), NULL, NULL, &error);
    assert_done(archive && lm_archive_read(archive, member, 0, &png, &error), error);
    lm_archive_free(archive);
    lm_image *image = lm_image_read(png.data, png.size, NULL, &error);
    if (!image)
        fail_msg("%s: %s", member, error.message);
    assert_true(image && image->width == REFERENCE_SIDE && image->height == REFERENCE_SIDE);
    return image;
}

/* Returns a path in the folder `images` of the build. */
static const char *output_path(const char *name, const char *ending) {
    static char path[4096];
    const char *build = getenv("LERPMESH_BUILD_DIR");
    snprintf(path, sizeof path, "%s/images", build ? build : ".");
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/images/%s%s.png", build ? build : ".", name, ending);
    return path;
}

/* Writes the drawn image and eight times its difference. */
static void write_failure(const char *name, const uint8_t *drawn, const uint8_t *reference) {
    static uint8_t difference[4 * REFERENCE_PIXELS];
    for (size_t i = 0; i < 4 * REFERENCE_PIXELS; i++) {
        int d = 8 * abs(drawn[i] - reference[i]);
        difference[i] = i % 4 == 3 ? 255 : (uint8_t)(d < 255 ? d : 255);
    }
    write_png(output_path(name, "-drawn"), drawn);
    write_png(output_path(name, "-difference"), difference);
    fprintf(stderr, "look at %s\n", output_path(name, "-difference"));
}

bool equals_reference(const char *name, const uint8_t *drawn, bool writing) {
    if (writing) {
        write_png(output_path(name, ""), drawn);
        return true;
    }
    OWNED(lm_image) *reference = read_reference(name);
    double error = mean_error(drawn, reference->pixels);
    bool equal = error <= REFERENCE_THRESHOLD;
    printf("%-20s %.4f of %g\n", name, error, REFERENCE_THRESHOLD);
    if (!equal)
        write_failure(name, drawn, reference->pixels);
    return equal;
}
