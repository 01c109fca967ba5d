/* make_samples DIRECTORY: writes lerpmesh's own models into an existing directory.
 *
 * The bytes are the same on every machine (see exact.h). The model formats are written through the
 * public API only. */
#include "tick.h"

#include "lerpmesh/files.h"

#include <stdio.h>

static bool make_pcx(lm_buffer *out, lm_error *error) {
    (void)error;
    return make_skin(out);
}

static const struct {
    const char *name;
    bool (*make)(lm_buffer *out, lm_error *error);
} samples[] = {{"tick.pcx", make_pcx},
               {"tick.md2", make_md2},
               {"tick_head.mdc", make_mdc},
               {"tick_torch.mdl", make_mdl}};

static bool write_sample(const char *directory, size_t index) {
    char path[4096];
    lm_buffer bytes = {0};
    lm_error error = {.message = "out of memory"};
    int used = snprintf(path, sizeof path, "%s/%s", directory, samples[index].name);
    bool written = used > 0 && (size_t)used < sizeof path && samples[index].make(&bytes, &error) &&
                   lm_file_write(path, bytes.data, bytes.size, &error);
    if (written)
        printf("%s\n", path);
    else
        fprintf(stderr, "make_samples: %s: %s\n", samples[index].name, error.message);
    lm_buffer_free(&bytes);
    return written;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_samples DIRECTORY\n");
        return 2;
    }
    bool all = true;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        all = write_sample(argv[1], i) && all;
    return all ? 0 : 1;
}
