#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl_support.h"
#include "lerpmesh/files.h"
#include "lerpmesh/image.h"
#include "reference.h"
#include "testing.h"

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
    lm_buffer png = {0};
    lm_error error = {0};
    if (!lm_image_write_png(&image, &png, &error) ||
        !lm_file_write(path, png.data, png.size, &error))
        fail_msg("%s", error.message);
    lm_buffer_free(&png);
}

static lm_image *read_reference(const char *name) {
    char path[256];
    lm_error error = {0};
    lm_file file;
    snprintf(path, sizeof path, "tests/images/%s.png", name);
    if (!lm_file_read(source_path(path), 0, &file, &error))
        fail_msg("%s", error.message);
    lm_image *image = lm_image_read(file.data, file.size, NULL, &error);
    if (!image)
        fail_msg("%s: %s", path, error.message);
    lm_file_free(&file);
    assert_true(image && image->width == REFERENCE_SIDE && image->height == REFERENCE_SIDE);
    return image;
}

/* Writes the drawn image and eight times its difference. */
static void write_failure(const char *name, const uint8_t *drawn, const uint8_t *reference) {
    const char *build = getenv("LERPMESH_BUILD_DIR");
    static uint8_t difference[4 * REFERENCE_PIXELS];
    char path[4096];
    for (size_t i = 0; i < 4 * REFERENCE_PIXELS; i++) {
        int d = 8 * abs(drawn[i] - reference[i]);
        difference[i] = i % 4 == 3 ? 255 : (uint8_t)(d < 255 ? d : 255);
    }
    snprintf(path, sizeof path, "%s/images", build ? build : ".");
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/images/%s-drawn.png", build ? build : ".", name);
    write_png(path, drawn);
    snprintf(path, sizeof path, "%s/images/%s-difference.png", build ? build : ".", name);
    write_png(path, difference);
    fprintf(stderr, "look at %s\n", path);
}

bool equals_reference(const char *name, const uint8_t *drawn, bool writing) {
    if (writing) {
        char path[256];
        snprintf(path, sizeof path, "tests/images/%s.png", name);
        write_png(source_path(path), drawn);
        return true;
    }
    lm_image *reference = read_reference(name);
    double error = mean_error(drawn, reference->pixels);
    bool equal = error <= REFERENCE_THRESHOLD;
    printf("%-20s %.4f of %g\n", name, error, REFERENCE_THRESHOLD);
    if (!equal)
        write_failure(name, drawn, reference->pixels);
    lm_image_free(reference);
    return equal;
}
