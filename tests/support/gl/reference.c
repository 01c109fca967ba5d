
#include "reference.h"
#include "gl_support.h"
#include "lerpmesh/files.h"

#include <sys/stat.h>

double mean_error(const uint8_t *a, const uint8_t *b) {
    double sum = 0;
    for (size_t i = 0; i < 4 * REFERENCE_PIXELS; i++)
        sum += abs(a[i] - b[i]);
    return sum / (4 * (double)REFERENCE_PIXELS);
}

static void write_png(const char *path, const uint8_t *pixels) {
    const lm_image image = {.format = "",
                            .width = REFERENCE_SIDE,
                            .height = REFERENCE_SIDE,
                            .pixels = pixels,
                            .opaque = true};
    AT_END(lm_buffer_free) lm_buffer png = {0};
    lm_error error = {0};
    assert_done(lm_image_write_png(&image, &png, &error) &&
                    lm_file_write(path, png.data, png.size, &error),
                error);
}

static lm_image *read_reference(const char *name) {
    char member[64];
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer png = {0};
    snprintf(member, sizeof member, "%s.png", name);
    lm_archive *archive = lm_archive_open(source_path("tests/images.zip"), NULL, &error);
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
