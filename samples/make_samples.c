/* make_samples DIRECTORY: writes lerpmesh's own models into an existing directory.
 *
 * The bytes are the same on every machine (see exact.h). The model formats are written through the
 * public API only. */
#include "tick.h"

#include "lerpmesh/files.h"

#include <stdio.h>
#include <string.h>

static bool make_blue_skin(lm_buffer *out, lm_error *error) {
    (void)error;
    return make_skin(out, false);
}

static bool make_red_skin(lm_buffer *out, lm_error *error) {
    (void)error;
    return make_skin(out, true);
}

static bool make_blue_icon(lm_buffer *out, lm_error *error) {
    (void)error;
    return make_icon(out, false);
}

static bool make_red_icon(lm_buffer *out, lm_error *error) {
    (void)error;
    return make_icon(out, true);
}

#define PLAYER "models/players/tick/"
#define TAGGED(image) image "\ntag_head,\ntag_weapon,\ntag_torso,\n"

static const struct {
    const char *name;
    bool (*make)(lm_buffer *out, lm_error *error); /* NULL: the file is `text` */
    const char *text;
} samples[] = {
    {"tick.pcx", make_blue_skin, NULL},
    {"tick.md2", make_md2, NULL},
    {"tick_head.mdc", make_mdc, NULL},
    {"tick_torch.mdl", make_mdl, NULL},
    {PLAYER "lower.md3", make_lower, NULL},
    {PLAYER "upper.md3", make_upper, NULL},
    {PLAYER "head.md3", make_head, NULL},
    {PLAYER "animation.cfg", make_animations, NULL},
    {PLAYER "tick.pcx", make_blue_skin, NULL},
    {PLAYER "tick_red.pcx", make_red_skin, NULL},
    {PLAYER "icon_default.tga", make_blue_icon, NULL},
    {PLAYER "icon_red.tga", make_red_icon, NULL},
    {PLAYER "lower_default.skin", NULL, TAGGED("l_legs," PLAYER "tick.pcx")},
    {PLAYER "upper_default.skin", NULL, TAGGED("u_torso," PLAYER "tick.pcx")},
    {PLAYER "head_default.skin", NULL, TAGGED("h_head," PLAYER "tick.pcx")},
    {PLAYER "lower_red.skin", NULL, TAGGED("l_legs," PLAYER "tick_red.pcx")},
    {PLAYER "upper_red.skin", NULL, TAGGED("u_torso," PLAYER "tick_red.pcx")},
    {PLAYER "head_red.skin", NULL, TAGGED("h_head," PLAYER "tick_red.pcx")},
};

static bool make_sample(size_t index, lm_buffer *out, lm_error *error) {
    if (samples[index].make)
        return samples[index].make(out, error);
    lm_buffer_append(out, samples[index].text, strlen(samples[index].text));
    return !out->failed;
}

static bool write_sample(const char *directory, size_t index) {
    char path[4096];
    lm_buffer bytes = {0};
    lm_error error = {.message = "out of memory"};
    const char *name = samples[index].name;
    int used = snprintf(path, sizeof path, "%s/%s", directory, name);
    bool made = used > 0 && (size_t)used < sizeof path && make_sample(index, &bytes, &error);
    const char *below = strchr(name, '/') ? path + used - strlen(name) : NULL; /* its folders */
    lm_file_output file = {path, bytes.data, bytes.size, NULL, below};
    bool written = made && lm_file_write_all(&file, 1, false, &error);
    if (written)
        printf("%s\n", path);
    else
        fprintf(stderr, "make_samples: %s: %s\n", name, error.message);
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
