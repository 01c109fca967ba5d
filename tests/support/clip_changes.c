#include "clip_changes.h"

static bool same_clip(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->loop_frames == b->loop_frames &&
           a->backwards == b->backwards && a->fps == b->fps;
}

static size_t line_end(const uint8_t *text, size_t size, size_t at) {
    while (at < size && text[at] != '\n')
        at++;
    return at;
}

/* Counts the lines that differ, and fails if one has another end. */
static unsigned count_changed_lines(const uint8_t *a, size_t a_size, const lm_buffer *b) {
    unsigned changed = 0;
    size_t i = 0, k = 0;
    while (i < a_size) {
        const size_t i_end = line_end(a, a_size, i), k_end = line_end(b->data, b->size, k);
        const bool equal = i_end - i == k_end - k && memcmp(a + i, b->data + k, i_end - i) == 0;
        changed += !equal;
        if (i_end > i && a[i_end - 1] == '\r')
            assert_true(k_end > k && b->data[k_end - 1] == '\r');
        assert_int_equal(i_end < a_size, k_end < b->size);
        i = i_end + 1, k = k_end + 1;
    }
    assert_true(k >= b->size);
    return changed;
}

static lm_clip random_clip(chance *c, const lm_clip *from, uint32_t num_frames) {
    static const char *const names[] = {"other", "LEGS_X", "a b", "TORSO_GESTURE", "death9"};
    static const float rates[] = {1, 12.5f, 0.1f, 60, 1234.5678f};
    lm_clip to = *from;
    const uint32_t what = 1 + chance_below(c, 31);
    if (what & 1) {
        to.first = chance_below(c, num_frames);
        to.count = 1 + chance_below(c, num_frames - to.first);
    }
    if (what & 2)
        to.fps = rates[chance_below(c, COUNT_OF(rates))];
    if (what & 4)
        to.name = names[chance_below(c, COUNT_OF(names))];
    if (what & 8)
        to.backwards = !to.backwards;
    to.loop_frames = from->loop_frames == from->count ? to.count
                     : from->loop_frames > to.count   ? to.count
                                                      : from->loop_frames;
    if (what & 16)
        to.loop_frames = to.loop_frames > 0 ? 0 : 1 + chance_below(c, to.count);
    return to;
}

/* Fails unless the new text has the change and nothing else. */
static void check_change(const lm_clips *before, const blob *text, const lm_buffer *out,
                         uint32_t num_frames, const lm_clips_options *options, uint32_t clip,
                         const lm_clip *to) {
    OWNED(lm_clips) *after = lm_clips_read(out->data, out->size, num_frames, options, NULL);
    assert_non_null(after);
    assert_int_equal(after->num_clips, before->num_clips);
    assert_string_equal(after->clips[clip].name, to->name);
    for (uint32_t i = 0; i < after->num_clips; i++)
        assert_true(same_clip(&after->clips[i], i == clip ? to : &before->clips[i]));
    assert_true(count_changed_lines(text->data, text->size, out) <= 1);
}

size_t check_clip_changes(const char *file_name, const void *text, size_t size, uint32_t num_frames,
                          uint32_t seed) {
    const lm_clips_options options = {.file_name = file_name};
    const blob file = blob_copy(text, size);
    chance c = chance_from(seed);
    lm_error error = {0};
    size_t changed = 0;
    lm_clips *before = lm_clips_read(file.data, size, num_frames, &options, &error);
    for (uint32_t i = 0; before && i < before->num_clips; i++)
        for (int round = 0; round < 12; round++) {
            const lm_clip to =
                round == 0 ? before->clips[i] : random_clip(&c, &before->clips[i], num_frames);
            AT_END(lm_buffer_free) lm_buffer out = {0};
            if (lm_clips_change(file.data, size, num_frames, &options, i, &to, &out, &error)) {
                check_change(before, &file, &out, num_frames, &options, i, &to);
                changed += round > 0;
            } else {
                assert_true(round > 0 && error.code == LM_CODE_NOT_HELD && out.size == 0);
            }
            if (round == 0)
                assert_true(out.size == size && memcmp(out.data, file.data, size) == 0);
        }
    lm_clips_free(before);
    blob_free((blob *)&file);
    return changed;
}
