
#include "gl_support.h"
#include "lerpmesh/files.h"

#include <dlfcn.h>
#include <epoxy/gl.h>

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
    lm_gl_target_begin(world.target, (const float[4]){0, 0, 0, 0});
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
