#include "value_checks.h"

/* ---- Options --------------------------------------------------------------------------------- */

#define OPTIONS_SIZE 1024

static void *never(void *user, size_t size) {
    fail_msg("an allocator without all of its functions is used");
    return NULL;
}

static void assert_rejected(const option_of_call *of, const void *value, size_t size) {
    _Alignas(16) unsigned char options[OPTIONS_SIZE] = {0};
    lm_error error = {.code = LM_CODE_OK};
    assert_true(of->option.offset + size <= sizeof options);
    memcpy(options + of->option.offset, value, size);
    if (of->call(options, &error))
        fail_msg("a bad value of %s is accepted", of->option.member);
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    const char *dot = strrchr(of->option.member, '.'), *name = dot ? dot + 1 : of->option.member;
    if (!strstr(error.message, name))
        fail_msg("\"%s\" does not name %s", error.message, name);
}

static void try_integers(const option_of_call *of) {
    const bool flags = of->option.kind == LM_MEMBER_FLAGS;
    const uint32_t beyond = flags ? ~of->option.limit : of->option.limit + 1;
    const uint32_t values[] = {beyond, 77, 0xff00, UINT32_MAX, 0x80000000};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_rejected(of, &values[i], sizeof values[i]);
}

static void try_numbers(const option_of_call *of) {
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.5};
    const lm_member_kind kind = of->option.kind;
    const bool negative = kind == LM_MEMBER_VEC3 || kind == LM_MEMBER_REAL;
    for (size_t i = 0; i < COUNT_OF(values) - (negative ? 1 : 0); i++) {
        lm_vec3 vector = {0, 0, (float)values[i]};
        if (kind == LM_MEMBER_DOUBLE || kind == LM_MEMBER_REAL)
            assert_rejected(of, &values[i], sizeof values[i]);
        else
            assert_rejected(of, kind == LM_MEMBER_VEC3 ? &vector.x : &vector.z,
                            kind == LM_MEMBER_VEC3 ? sizeof vector : sizeof vector.z);
    }
}

static void try_reserved(const option_of_call *of) {
    for (size_t i = 0; i < LM_NUM_RESERVED; i++) {
        uint64_t reserved[LM_NUM_RESERVED] = {0};
        reserved[i] = (uint64_t)1 << 63;
        assert_rejected(of, reserved, sizeof reserved);
    }
}

void assert_bad_values_rejected(const option_of_call *list, size_t count) {
    const lm_memory memory = {.allocator = {.alloc = never}};
    for (size_t i = 0; i < count; i++) {
        if (list[i].option.kind == LM_MEMBER_MEMORY)
            assert_rejected(&list[i], &memory, sizeof memory);
        else if (list[i].option.kind == LM_MEMBER_RESERVED)
            try_reserved(&list[i]);
        else if (list[i].option.kind <= LM_MEMBER_FLAGS)
            try_integers(&list[i]);
        else
            try_numbers(&list[i]);
    }
}

/* ---- Changes of clips files ------------------------------------------------------------------ */

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
            if (lm_clips_change(file.data, size, num_frames, i, &to, &options, &out, &error)) {
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
