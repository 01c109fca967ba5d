/* Fuzzes contact sheets without a renderer: a model's clips, thumbnails with any names, and the
 * page around them. The page is a PNG of the size that its cells need. The first part is a model;
 * each other one is the name and, after a line feed, the folder of a thumbnail. */
#include "fuzz.h"

#include "image/studio.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CLIPS 4 /* packing a page takes most of the time */

/* ---- In place of the renderer ---------------------------------------------------------------- */

studio_view studio_aim(studio *s, const studio_options *options, const studio_subject *subject,
                       const studio_shot *shots, uint32_t num_shots, bool all_around) {
    (void)s;
    (void)options;
    (void)all_around;
    PROMISE(subject->scene->num_parts > 0 && num_shots > 0 && (shots[0].clip || num_shots < 4));
    return (studio_view){.scale = 1};
}

bool studio_shoot(studio *s, const studio_options *options, const studio_subject *subject,
                  const studio_view *aim, const studio_shot *shot, lm_error *error) {
    (void)aim;
    (void)error;
    if (!shot->clip)
        PROMISE(shot->pose.frame_a < subject->scene->parts[0].model->num_frames);
    memset(s->pixels, 0x55, (size_t)4 * options->width * options->height);
    return true;
}

/* ---- Sheets ---------------------------------------------------------------------------------- */

static void add_thumbnails(const fuzz_input *input, const studio_options *options, studio *s,
                           const studio_subject *subject, sheet_page *page) {
    lm_error error;
    for (size_t i = 1; i < input->num_parts; i++) {
        char *name = fuzz_text(&input->parts[i]);
        char *second = strchr(name, '\n'), none[1] = "";
        if (second)
            *second++ = '\0';
        PROMISE(
            sheet_add_thumbnail(options, s, subject, name, second ? second : none, page, &error));
        free(name);
    }
}

static void assert_page(const sheet_page *page, const studio_options *options) {
    lm_error error = {0};
    lm_buffer png = {0};
    const bool written = sheet_write(page, options, &png, &error);
    lm_image *image = written ? lm_image_read(png.data, png.size, NULL, &error) : NULL;
    PROMISE(written ? image != NULL : error.code == LM_CODE_LIMIT);
    PROMISE(!image || (uint64_t)image->width * image->height >=
                          (uint64_t)page->num_cells * page->cell_width * page->cell_height);
    lm_image_free(image);
    lm_buffer_free(&png);
}

static void make_sheet(fuzz_input *input, const lm_scene *scene) {
    static const uint32_t sizes[] = {8, 1, 20, 3};
    lm_error error;
    const bool clips = fuzz_choose(input, 2) == 0;
    studio_options options = {.width = sizes[fuzz_choose(input, 4)],
                              .height = sizes[fuzz_choose(input, 4)],
                              .transparent = fuzz_choose(input, 2) != 0,
                              .show = fuzz_choose(input, 2) ? LM_GL_SHOW_TAGS : 0};
    studio s = {.pixels = malloc((size_t)4 * options.width * options.height)};
    sheet_page page = {
        .cell_width = options.width, .cell_height = options.height, .group = clips ? 3 : 1};
    const studio_subject subject = {.scene = scene};
    if (!s.pixels)
        abort();
    if (clips)
        PROMISE(sheet_add_clips(&options, &s, &subject, &page, &error));
    else
        add_thumbnails(input, &options, &s, &subject, &page);
    if (page.num_cells > 0)
        assert_page(&page, &options);
    sheet_free(&page);
    free(s.pixels);
}

void fuzz_sheet(fuzz_input *input) {
    fuzz_split(input);
    lm_model *model = lm_load_memory(input->parts[0].data, input->parts[0].size, NULL, NULL);
    if (model) {
        const lm_scene_part part = {.model = model,
                                    .clips = model->clips,
                                    .num_clips = model->num_clips < MAX_CLIPS ? model->num_clips
                                                                              : MAX_CLIPS};
        const lm_scene scene = {.parts = &part, .num_parts = 1};
        make_sheet(input, &scene);
    }
    lm_model_free(model);
}
