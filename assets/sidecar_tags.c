/* Reads .tag files: the tags of a model whose own format has none
 * (docs/reference/formats/ufoai.md). */
#include "sidecars.h"

#include "core/bytes.h"
#include "math/vectors.h"

/* The header, as eight 32-bit integers; the last two, the end and another one, are not
 * needed. */
enum {
    HEADER_TAGS = 8,
    HEADER_FRAMES = 12,
    HEADER_NAMES = 16,
    HEADER_POSES = 20
};
#define NAME_SIZE 64
#define POSE_SIZE 48 /* three axes, then the origin */
#define AXES_SIZE 36

typedef struct tag_file {
    uint32_t num_tags, num_frames;
    const uint8_t *names, *poses;
} tag_file;

static bool read_header(const lm_file *file, tag_file *t, lm_error *error) {
    const uint8_t *data = file->data;
    const uint32_t names = lm_get_u32(data + HEADER_NAMES), poses = lm_get_u32(data + HEADER_POSES);
    *t = (tag_file){lm_get_u32(data + HEADER_TAGS), lm_get_u32(data + HEADER_FRAMES), data, data};
    if (t->num_tags == 0 || t->num_frames == 0 || t->num_tags > file->size / NAME_SIZE)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "it has %lu tags in %lu frames",
                             (unsigned long)t->num_tags, (unsigned long)t->num_frames);
    if (!lm_fits(file->size, names, t->num_tags, NAME_SIZE) ||
        !lm_fits(file->size, poses, (uint64_t)t->num_tags * t->num_frames, POSE_SIZE))
        return lm_fail_plain(error, LM_CODE_BAD_OFFSET,
                             "its tags extend beyond the end of the file");
    t->names += names;
    t->poses += poses;
    return true;
}

static bool all_finite(const tag_file *t) {
    for (size_t i = 0; i < (size_t)t->num_tags * t->num_frames * (POSE_SIZE / 4); i++)
        if (!lm_sane(lm_get_f32(t->poses + 4 * i)))
            return false;
    return true;
}

bool lm_sidecar_tags(const lm_sidecar *s, lm_error *error) {
    tag_file t = {0};
    if (!read_header(s->file, &t, error))
        return false;
    if (t.num_frames != s->model->num_frames)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "it has %lu frames, but the model has %lu",
                             (unsigned long)t.num_frames, (unsigned long)s->model->num_frames);
    if (!all_finite(&t))
        return lm_fail_plain(error, LM_CODE_NOT_FINITE, "a number is infinite or NaN");
    lm_arena *arena = s->result;
    const size_t num_poses = (size_t)t.num_tags * t.num_frames;
    lm_tag *tags = lm_arena_alloc(arena, t.num_tags, sizeof *tags);
    uint8_t *poses = lm_arena_alloc(arena, num_poses, POSE_SIZE);
    for (size_t i = 0; tags && poses && i < t.num_tags; i++)
        tags[i] = (lm_tag){lm_arena_field(arena, t.names + i * NAME_SIZE, NAME_SIZE), LM_TAG_AXES,
                           poses + i * t.num_frames * POSE_SIZE, POSE_SIZE};
    if (!tags || !poses || lm_arena_failed(arena))
        return false;
    /* Copy poses with the origin first, and make tiny numbers 0. */
    for (size_t i = 0; i < num_poses; i++, poses += POSE_SIZE, t.poses += POSE_SIZE)
        for (size_t k = 0; k < POSE_SIZE; k += 4)
            lm_put_f32(poses + (k < AXES_SIZE ? k + POSE_SIZE - AXES_SIZE : k - AXES_SIZE),
                       lm_sanitize(lm_get_f32(t.poses + k)));
    s->model->tags = tags;
    s->model->num_tags = t.num_tags;
    return true;
}
