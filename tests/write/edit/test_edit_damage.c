/* Tests edits of damaged files, with failing allocations, and at random. */
#include "edits.h"

#include <stdio.h>

TEST(test_damaged_files) {
    chance c = chance_from(11);
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = make_small(format);
        for (size_t size = 0; size < file.size; size++) {
            AT_END(blob_free) blob cut = blob_copy(file.data, size);
            lm_error error = {0};
            OWNED(lm_edit) *edit = lm_edit_open(cut.data, cut.size, NULL, &error);
            if (!edit)
                assert_error_valid(&error);
        }
        for (int round = 0; round < 3000; round++) {
            AT_END(blob_free) blob bad = blob_copy(file.data, file.size);
            bad.data[8 + chance_below(&c, (uint32_t)(bad.size - 8))] = (uint8_t)chance_next(&c);
            OWNED(lm_edit) *edit = lm_edit_open(bad.data, bad.size, NULL, NULL);
            const edit_case *it = &edit_cases[chance_below(&c, (uint32_t)num_edit_cases)];
            if (edit && case_applies(it, format) && it->run != edit_paths)
                it->run(edit, NULL);
            if (edit) {
                AT_END(blob_free) blob made = write_edit(edit);
            }
        }
    }
    assert_null(lm_edit_open("abcdefgh", 8, NULL, NULL));
    lm_edit_free(NULL);
}

/* Each allocation fails once: the edit is then either unchanged or complete. */
static void fail_each_allocation(int format, const edit_case *c) {
    AT_END(blob_free) blob file = make_small(format), expected = run_edit_case(c, &file);
    bool done = false;
    for (size_t at = 1; !done; at++) {
        AT_END(assert_all_released) counted counts = {.fail_at = at};
        lm_error error = {0};
        const lm_memory memory = {.allocator = counting_allocator(&counts)};
        OWNED(lm_edit) *edit =
            lm_edit_open(file.data, file.size, &(lm_load_options){.memory = memory}, &error);
        const bool ran = edit && c->run(edit, &error);
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory.allocator};
        const bool written = ran && lm_edit_write(edit, &out, &error);
        done = written && counts.calls < at;
        if (!written && error.code != LM_CODE_OUT_OF_MEMORY)
            fail_msg("%s: allocation %zu: %s", c->name, at, error.message);
        if (written) {
            blob made = {out.data, out.size};
            assert_same_bytes(c->name, &made, &expected);
        } else if (edit && !ran && c->run != edit_repeatedly && c->run != edit_append) {
            counts.fail_at = 0;
            assert_true(lm_edit_write(edit, &out, &error));
            blob made = {out.data, out.size};
            assert_same_bytes(c->name, &made, &file);
        }
    }
}

TEST(test_every_allocation_fails_once) {
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 0; i < num_edit_cases; i++)
            if (case_applies(&edit_cases[i], format))
                fail_each_allocation(format, &edit_cases[i]);
    fail_each_allocation(MD3, &(edit_case){"elsewhere", edit_reencode, {0}});
    fail_each_allocation(MD2, &(edit_case){"more frames", edit_rate, {0}});
}

static void apply_random_step(lm_edit *edit, chance *c) {
    static const char *const patterns[] = {"s/a/bb/g", "s/^/x/", "s/.$//", "s/(.)(.)/\\2\\1/g"};
    const lm_edit_list list = (lm_edit_list)chance_below(c, LM_NUM_EDIT_LISTS);
    const uint32_t surface = chance_below(c, 3), count = lm_edit_count(edit, list, surface);
    char name[20];
    uint32_t picked[12], num = chance_below(c, 12);
    lm_error error = {0};
    bool done = false;
    snprintf(name, sizeof name, "n%u", (unsigned)chance_below(c, 1000));
    const lm_vec3 vector = {(float)chance_below(c, 9) - 4, 0, 0.5f};
    switch (chance_below(c, 10)) {
    case 0:
        done = lm_edit_rename(edit, list, surface, chance_below(c, count + 1), name, &error);
        break;
    case 1:
        done = lm_edit_substitute(edit, list, patterns[chance_below(c, 4)], NULL, &error);
        break;
    case 2:
        for (uint32_t i = 0; i < num; i++)
            picked[i] = chance_below(c, count + (chance_below(c, 20) == 0));
        done = lm_edit_select(edit, list, surface, picked, num, &error);
        break;
    case 3:
        done = lm_edit_append(edit, edit, &error);
        break;
    case 4:
        done = lm_edit_remove_unused(edit, &error);
        break;
    case 5:
        done = set_edit_transform(edit, chance_below(c, 2) ? 1.25f : 1, (int)chance_below(c, 4),
                                  vector.x, chance_below(c, 2), &error);
        break;
    case 6:
        done = lm_edit_add_tag(edit, name,
                               &(lm_edit_tag){.frame = chance_below(c, 3),
                                              .origin = vector,
                                              .follows = chance_below(c, 2)},
                               &error);
        break;
    case 7:
        done = lm_edit_move_tag(edit, chance_below(c, 3), &vector, &error);
        break;
    case 8:
        done = chance_below(c, 2) ? lm_edit_compute_normals(edit, &error)
                                  : lm_edit_compute_bounds(edit, &error);
        break;
    default:
        done = lm_edit_add_skin(edit, surface, name, &error);
    }
    if (!done)
        assert_error_valid(&error);
}

/* After any accepted and rejected edits, the written file reads as the document and is written back
 * to the same bytes. */
TEST(test_random_scripts) {
    chance c = chance_from(5);
    for (int round = 0; round < 400; round++) {
        const int format = round % NUM_FORMATS;
        AT_END(blob_free) blob plain = make_small(format);
        AT_END(blob_free)
        blob file = lay_out(format, &plain, chance_below(&c, 14), chance_below(&c, 3));
        OWNED(lm_edit) *edit = open_edit(&file);
        for (uint32_t i = 0, steps = chance_below(&c, 12); i < steps; i++)
            apply_random_step(edit, &c);
        AT_END(blob_free) blob made = write_edit(edit);
        write_unchanged("what was written", &made);
    }
}
