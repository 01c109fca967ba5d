/* Tests the fixes of problems. */
#include "edit/editing.h"
#include "edits.h"
#include "elements.h"
#include "formats/write_document.h"

/* Returns the problem of a code, copied without its texts. */
static bool find_problem(const blob *file, lm_code code, lm_diagnostic *found) {
    OWNED(lm_report) *report = lm_check_memory(file->data, file->size, NULL, NULL);
    bool any = false;
    for (uint32_t i = 0; i < report->num_problems && !any; i++)
        if (report->problems[i].code == code) {
            *found = report->problems[i];
            found->text = NULL;
            found->location.section = NULL;
            any = true;
        }
    return any;
}

/* Fixes all problems of a code, one at a time: none is left, and all sizes stay. */
static void fix_code(const char *path, const blob *file, lm_code code) {
    lm_diagnostic problem;
    lm_error error;
    if (!find_problem(file, code, &problem))
        return;
    lm_edit *edit = open_edit(file);
    blob made = write_edit(edit);
    for (int i = 0; i < 200 && find_problem(&made, code, &problem); i++) {
        lm_buffer sentence = {0};
        if (!lm_edit_can_fix(edit, &problem, &sentence)) {
            assert_int_equal(sentence.size, 0);
            assert_false(lm_edit_fix(edit, &problem, &error));
            assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
            break;
        }
        assert_true(sentence.size > 0 && sentence.data[sentence.size - 1] == '.');
        assert_true(lm_edit_fix(edit, &problem, &error));
        lm_buffer_free(&sentence);
        blob next = write_edit(edit);
        assert_int_equal(next.size, file->size);
        if (memcmp(next.data, made.data, next.size) == 0)
            fail_msg("%s: %s: the fix changed nothing", path, lm_code_name(code));
        blob_free(&made);
        made = next;
    }
    if (find_problem(&made, code, &problem) && lm_edit_can_fix(edit, &problem, NULL))
        fail_msg("%s: %s is left", path, lm_code_name(code));
    lm_edit_free(edit);
    blob_free(&made);
}

static const lm_code codes[] = {
    LM_CODE_SKIN_PATH,      LM_CODE_NAME_JUNK,  LM_CODE_TAG_NAME,         LM_CODE_HEADER_NAME,
    LM_CODE_OUTSIDE_BOUNDS, LM_CODE_BAD_BOUNDS, LM_CODE_IDENTICAL_NORMALS};

static void fix_all(const char *path, const blob *file) {
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        fix_code(path, file, codes[i]);
}

TEST(test_real_files) {
    each_model(fix_all);
}

/* Returns the bytes that differ. */
static size_t count_changed(const blob *a, const blob *b, size_t *first, size_t *end) {
    size_t count = 0;
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++)
        if (a->data[i] != b->data[i]) {
            *first = count++ ? *first : i;
            *end = i + 1;
        }
    return count;
}

/* Only the path's field changes. */
TEST(test_path) {
    static const char *const paths[][2] = {{"Models\\Box\\SKIN.pcx", "Models/Box/SKIN.pcx"},
                                           {"models\\\xffX.pcx", "models/\xffX.pcx"},
                                           {"models\\\nx.pcx", "models/\nx.pcx"}};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        AT_END(blob_free) blob file = make_md2(&small_md2);
        OWNED(lm_edit) *edit = open_edit(&file);
        lm_diagnostic problem;
        lm_error error;
        size_t first = 0, end = 0;
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, paths[i][0], NULL));
        AT_END(blob_free) blob bad = write_edit(edit);
        lm_edit_free(edit);
        assert_true(find_problem(&bad, LM_CODE_SKIN_PATH, &problem));
        edit = open_edit(&bad);
        assert_true(lm_edit_fix(edit, &problem, &error));
        assert_edit_name(edit, LM_EDIT_SKINS, 0, paths[i][1]);
        AT_END(blob_free) blob good = write_edit(edit);
        const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
        assert_true(count_changed(&bad, &good, &first, &end) > 0);
        assert_true(first >= skins && end <= skins + 64);
        assert_false(lm_edit_fix(edit, &problem, &error)); /* there is nothing left */
    }
}

/* Bytes after a name become zeros, and no other byte changes. */
TEST(test_junk) {
    blob file = make_md2(&small_md2), good;
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
    size_t first = 0, end = 0;
    lm_diagnostic problem;
    lm_error error;
    file.data[skins + 60] = 'x';
    assert_true(find_problem(&file, LM_CODE_NAME_JUNK, &problem));
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_fix(edit, &problem, &error));
    good = write_edit(edit);
    assert_int_equal(count_changed(&file, &good, &first, &end), 1);
    assert_int_equal(first, skins + 60);
    lm_edit_free(edit);
    blob_free(&good);
    blob_free(&file);
}

TEST(test_no_fix) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit = open_edit(&file);
    lm_error error;
    for (int code = 0; code <= LM_NUM_CODES; code++) {
        const lm_diagnostic odd = {.code = (lm_code)code,
                                   .location = {.surface = UINT32_MAX, .index = UINT32_MAX}};
        if (!lm_edit_can_fix(edit, &odd, NULL))
            assert_false(lm_edit_fix(edit, &odd, &error));
    }
}

/* ---- Each fix ------------------------------------------------------------------------------ */

/* `count` pieces of `length` bytes in a small model, `stride` apart: the first lies `at` bytes
 * after the lump whose offset stands at `lump` in the header, or after the start of the file (0).
 */
typedef struct pieces {
    size_t lump, at, stride, count, length;
    const char *bytes; /* of each */
} pieces;

static const char md3_name[64] = "models/a.md3";

static const struct fault {
    lm_code code;
    int format;
    pieces made[2], may_change[3];
} faults[] = {
    {LM_CODE_SKIN_PATH,
     MD2,
     {{MD2_AT_OFS_SKINS, 64, 0, 1, 8, "A\\b.pcx"}},
     {{MD2_AT_OFS_SKINS, 64, 0, 1, 64, NULL}}},
    /* Bytes after the names of a skin and of the last frame. */
    {LM_CODE_NAME_JUNK,
     MD2,
     {{MD2_AT_OFS_SKINS, 60, 0, 1, 1, "x"}, {MD2_AT_OFS_FRAMES, 2 * 64 + 39, 0, 1, 1, "x"}},
     {{MD2_AT_OFS_SKINS, 60, 0, 1, 1, NULL}, {MD2_AT_OFS_FRAMES, 2 * 64 + 39, 0, 1, 1, NULL}}},
    {LM_CODE_TAG_NAME,
     MD3,
     {{MD3_AT_OFS_TAGS, 112 * 3 + 4, 0, 1, 1, "x"}},
     {{MD3_AT_OFS_TAGS, 112 * 3, 0, 1, 64, NULL}}},
    {LM_CODE_HEADER_NAME,
     MDC,
     {{0, MDC_AT_NAME, 0, 1, 64, md3_name}},
     {{0, MDC_AT_NAME + 11, 0, 1, 1, NULL}}},
    /* The box and the radius of a frame, but not its origin and its name: min.x is 100, and max.x
     * is -29.25. */
    {LM_CODE_BAD_BOUNDS,
     MDC,
     {{MDC_AT_OFS_FRAMES, 0, 0, 1, 4, "\0\0\xC8\x42"}},
     {{MDC_AT_OFS_FRAMES, 0, 56, 4, 24, NULL}, {MDC_AT_OFS_FRAMES, 36, 56, 4, 4, NULL}}},
    {LM_CODE_OUTSIDE_BOUNDS,
     MDC,
     {{MDC_AT_OFS_FRAMES, 12, 0, 1, 4, "\0\0\xEA\xC1"}},
     {{MDC_AT_OFS_FRAMES, 0, 56, 4, 24, NULL}, {MDC_AT_OFS_FRAMES, 36, 56, 4, 4, NULL}}},
    {LM_CODE_IDENTICAL_NORMALS,
     MD2,
     {{MD2_AT_OFS_FRAMES, 43, 4, 6, 1, "\x09"}},
     {{MD2_AT_OFS_FRAMES, 43, 4, 6, 1, NULL},
      {MD2_AT_OFS_FRAMES, 64 + 43, 4, 6, 1, NULL},
      {MD2_AT_OFS_FRAMES, 2 * 64 + 43, 4, 6, 1, NULL}}}};

static size_t start_of(const blob *file, const pieces *p) {
    return (p->lump ? get32(file, p->lump) : 0) + p->at;
}

static blob make_faulty(const struct fault *fault) {
    blob file = documents[fault->format]->make();
    for (size_t i = 0; i < COUNT_OF(fault->made); i++)
        for (size_t k = 0; k < fault->made[i].count; k++)
            memcpy(file.data + start_of(&file, &fault->made[i]) + k * fault->made[i].stride,
                   fault->made[i].bytes, fault->made[i].length);
    return file;
}

static bool may_change(const struct fault *fault, const blob *file, size_t at) {
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(fault->may_change); i++) {
        const pieces *p = &fault->may_change[i];
        for (size_t k = 0; k < p->count; k++)
            found |= at - start_of(file, p) - k * p->stride < p->length;
    }
    return found;
}

/* Finds the problem whose fix changes the faulty element. */
static void find_fault(const struct fault *fault, const blob *file, lm_diagnostic *problem) {
    if (!find_problem(file, fault->code, problem))
        fail_msg("%s is not reported", lm_code_name(fault->code));
    if (fault->code == LM_CODE_SKIN_PATH)
        problem->location.index = 1;
}

/* Each fix changes only bytes of the fields that it names. */
TEST(test_bytes) {
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        AT_END(blob_free) blob file = make_faulty(&faults[i]);
        lm_diagnostic problem;
        lm_error error;
        size_t changed = 0;
        find_fault(&faults[i], &file, &problem);
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_true(lm_edit_fix(edit, &problem, &error));
        AT_END(blob_free) blob made = write_edit(edit);
        assert_int_equal(made.size, file.size);
        for (size_t at = 0; at < file.size; at++) {
            if (made.data[at] == file.data[at])
                continue;
            changed++;
            if (!may_change(&faults[i], &file, at))
                fail_msg("%s changes byte %zu", lm_code_name(faults[i].code), at);
        }
        assert_true(changed > 0);
    }
}

/* A fix that runs out of memory changes nothing. Returns the calls of a fix that does not. */
static size_t starve(const struct fault *fault) {
    AT_END(blob_free) blob file = make_faulty(fault);
    lm_diagnostic problem;
    bool fixed = false;
    size_t calls = 0;
    find_fault(fault, &file, &problem);
    for (size_t after = 1; !fixed; after++) {
        AT_END(assert_all_released) counted counts = {0};
        lm_error error = {0};
        const lm_load_options options = {.memory = {.allocator = counting_allocator(&counts)}};
        OWNED(lm_edit) *edit = lm_edit_open(file.data, file.size, &options, NULL);
        assert_non_null(edit);
        const size_t before = counts.calls;
        counts.fail_at = before + after;
        fixed = lm_edit_fix(edit, &problem, &error);
        calls = counts.calls - before;
        assert_int_equal(fixed, calls < after);
        counts.fail_at = 0;
        AT_END(blob_free) blob made = write_edit(edit);
        assert_int_equal(error.code, fixed ? LM_CODE_OK : LM_CODE_OUT_OF_MEMORY);
        assert_int_equal(memcmp(made.data, file.data, file.size) == 0, !fixed);
    }
    return calls;
}

TEST(test_lack_of_memory) {
    for (size_t i = 0; i < COUNT_OF(faults); i++)
        if (starve(&faults[i]) == 0)
            fail_msg("%s allocates nothing", lm_code_name(faults[i].code));
}

/* Tests edits of damaged files, with failing allocations, and at random. */

TEST(test_damaged_files) {
    chance c = chance_from(11);
    for (int format = 0; format < NUM_EDITABLE; format++) {
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

/* Returns the same file with its lumps in another order and `padding` unused bytes before each. MDL
 * supports neither. */
static blob lay_out(int format, const blob *file, size_t order, size_t padding) {
    lm_buffer out = {0};
    AT_END(blob_free) blob other = rearrange(format, file, order, padding);
    lm_buffer_append(&out, other.data, other.size);
    if (format != MDL)
        lm_buffer_text(&out, "trailing");
    return blob_from_buffer(&out);
}

/* Returns the file that the edit writes. */
static blob run_edit_case(const edit_case *c, const blob *file) {
    lm_error error;
    OWNED(lm_edit) *edit = open_edit(file);
    if (!c->run(edit, &error))
        fail_msg("%s: %s", c->name, error.message);
    return write_edit(edit);
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
    for (int format = 0; format < NUM_EDITABLE; format++)
        for (size_t i = 0; i < num_edit_cases; i++)
            if (case_applies(&edit_cases[i], format))
                fail_each_allocation(format, &edit_cases[i]);
    fail_each_allocation(MD3, &(edit_case){"elsewhere", edit_reencode, {0}});
    fail_each_allocation(MD2, &(edit_case){"more frames", edit_rate, {0}});
}

/* Tests that an edit changes exactly its subject, in any order of lumps; every other byte stays. */

/* In any order of lumps, an edit has the same effect and keeps the bytes between them. */
TEST(test_other_bytes_stay) {
    static const size_t gaps[] = {0, 1, 6};
    for (int format = 0; format < NUM_EDITABLE; format++)
        for (size_t i = 0; i < num_edit_cases; i++) {
            if (!case_applies(&edit_cases[i], format))
                continue;
            AT_END(blob_free)
            blob file = make_small(format), made = run_edit_case(&edit_cases[i], &file);
            for (size_t order = 0; order < 14; order++)
                for (size_t g = 0; g < COUNT_OF(gaps); g++) {
                    AT_END(blob_free) blob laid = lay_out(format, &file, order, gaps[g]);
                    AT_END(blob_free) blob expected = lay_out(format, &made, order, gaps[g]);
                    AT_END(blob_free) blob found = run_edit_case(&edit_cases[i], &laid);
                    assert_same_bytes(edit_cases[i].name, &found, &expected);
                }
        }
}

/* If one of several overlapping lumps changes, they are separated. */
TEST(test_shared_bytes_are_separated) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
    put32(&file, MD2_AT_OFS_ST, (uint32_t)skins); /* both have the same bytes: nine pairs */
    OWNED(lm_edit) *edit = open_edit(&file);
    AT_END(blob_free) blob same = write_edit(edit);
    assert_same_bytes("shared lumps", &same, &file);
    assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "b", NULL));
    AT_END(blob_free) blob made = write_edit(edit);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_ST), file.data + skins, 36);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_SKINS), "b\0\0", 3);
}

TEST(test_real_files_are_unchanged) {
    each_model(write_unchanged);
}

/* In a real file a new path changes only its own field, and the same path changes nothing. */
static void change_a_path(const char *path, const blob *file) {
    OWNED(lm_edit) *edit = open_edit(file);
    lm_error error;
    char name[LM_EDIT_NAME_SIZE];
    if (lm_edit_name(edit, LM_EDIT_SKINS, 0, 0, name)) {
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, name, &error));
        blob same = write_edit(edit);
        assert_same_bytes(path, &same, file);
        blob_free(&same);
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "~~", &error));
        AT_END(blob_free) blob made = write_edit(edit);
        size_t first = 0, last = file->size;
        assert_int_equal(made.size, file->size);
        while (made.data[first] == file->data[first])
            first++;
        while (made.data[last - 1] == file->data[last - 1])
            last--;
        assert_true(last - first <= 64);
        assert_memory_equal(made.data + first, "~~", 3);
    }
}

TEST(test_a_path_touches_its_field) {
    each_model(change_a_path);
}

/* Changes that a program makes in the document itself are written too. */
TEST(test_the_document_may_be_changed) {
    AT_END(blob_free) blob plain = make_md3(&small_md3), file = lay_out(MD3, &plain, 3, 5);
    OWNED(lm_edit) *edit = open_edit(&file);
    lm_md3 *md3 = edit->document;
    md3->flags = 0x11223344;
    AT_END(blob_free) blob made = write_edit(edit);
    assert_int_equal(get32(&made, MD3_AT_FLAGS), 0x11223344);
    put32(&made, MD3_AT_FLAGS, get32(&file, MD3_AT_FLAGS));
    assert_same_bytes("flags", &made, &file);
    lm_md3_surface surfaces[3] = {md3->surfaces[0], md3->surfaces[1], md3->surfaces[0]};
    for (int32_t count = 1; count <= 3; count += 2) {
        md3->surfaces = surfaces;
        md3->num_surfaces = count;
        AT_END(blob_free) blob other = write_edit(edit);
        OWNED(lm_md3) *again = lm_md3_read(other.data, other.size, NULL, NULL);
        assert_true(lmi_equal_documents(&lmi_md3_kind, again, md3));
    }
}

TEST(test_full_output_buffer) {
    for (int format = 0; format < NUM_EDITABLE; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        lm_error error = {0};
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = file.size + 2};
        lm_buffer_text(&out, "abc");
        assert_false(lm_edit_write(edit, &out, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_int_equal(out.size, 3);
        assert_false(out.failed);
        out.max_size++;
        assert_true(lm_edit_write(edit, &out, &error));
        assert_memory_equal(out.data + 3, file.data, file.size);
    }
}
