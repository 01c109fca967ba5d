#include "convert_take.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct convert_piece {
    convert_piece *next;
    alignas(max_align_t) unsigned char bytes[];
};

convert_take *convert_take_new(tool_job *job) {
    convert_take *made = calloc(1, sizeof *made);
    if (!made)
        tool_fail(job, "out of memory");
    return made;
}

void *convert_take_alloc(convert_take *made, tool_job *job, uint64_t count, size_t element) {
    convert_piece *piece = NULL;
    if (count <= (SIZE_MAX / 4 - sizeof *piece) / element)
        piece = calloc(1, sizeof *piece + (size_t)count * element);
    if (!piece) {
        tool_fail(job, "out of memory");
        return NULL;
    }
    piece->next = made->pieces;
    made->pieces = piece;
    return piece->bytes;
}

const char *convert_take_text(convert_take *made, tool_job *job, const char *a, const char *b) {
    const size_t size = strlen(a) + strlen(b) + 2;
    char *text = convert_take_alloc(made, job, size, 1);
    if (text)
        snprintf(text, size, *b ? "%s_%s" : "%s", a, b);
    return text;
}

void convert_take_free(convert_take *made) {
    convert_piece *next;
    if (!made)
        return;
    for (uint32_t i = 0; i < made->num_images; i++)
        lm_image_free(made->images[i]);
    for (convert_piece *piece = made->pieces; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    convert_import_free(made->import);
    free(made);
}

bool convert_plan_take(tool_job *job, const convert_settings *settings, const lm_take *take,
                       convert_subject *subject) {
    lm_model outline = {.num_frames = take->num_frames};
    lm_scene_part part = {.model = &outline, .num_clips = take->num_clips, .clips = take->clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    if (!convert_plan(job, settings, &scene, subject))
        return false;
    subject->outline = outline;
    subject->parts[0].model = &subject->outline;
    subject->take = take;
    return true;
}
