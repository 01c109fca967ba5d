/* Tests how calls end: a reader's status and error name exactly the cause that stopped it. */
#include "core/heap.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "support.h"

#define MOST_CALLS 60

/* ---- The rules ----------------------------------------------------------------------------- */

TEST(test_the_first_status_stays) {
    lm_call call = {.name = "md9"};
    assert_false(lm_call_end(&call, LM_DONE));
    assert_int_equal(call.status, LM_DONE);
    assert_false(lm_call_end(&call, LM_STOPPED));
    assert_false(lm_call_end(&call, LM_NO_MEMORY));
    assert_int_equal(call.status, LM_STOPPED);
}

TEST(test_errors_override_missing_memory) {
    lm_error error;
    lm_call call = {.name = "md9", .error = &error};
    lm_call_end(&call, LM_NO_MEMORY);
    assert_false(lm_call_fail(&call, LM_CODE_LIMIT, "%d are too many", 9));
    assert_int_equal(call.status, LM_FAILED);
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.message, "md9: 9 are too many");
}

TEST(test_inner_calls_pass_their_failure_on) {
    lm_call call = {.name = "md9"};
    assert_true(lm_call_join(&call, true));
    assert_int_equal(call.status, LM_DONE);
    assert_false(lm_call_join(&call, false));
    assert_int_equal(call.status, LM_FAILED);
}

/* ---- Each report stops the reader ---------------------------------------------------------- */

typedef struct stopper {
    lm_reporter base;
    unsigned reports, stop_at;
    lm_status how;
} stopper;

static lm_status stop_reader(lm_reporter *reporter, const lm_diagnostic *found) {
    stopper *s = (stopper *)reporter;
    (void)found;
    return ++s->reports == s->stop_at ? s->how : LM_DONE;
}

/* Returns true if the reader reached the report that stops it. */
static bool stop_at(const blob *file, unsigned report, lm_status how) {
    const lm_bytes bytes = {file->data, file->size};
    lm_heap heap;
    lm_heap_begin(&heap, NULL, file->size, "file", NULL);
    stopper s = {
        .base = {.call = &heap.call, .listen = stop_reader}, .stop_at = report, .how = how};
    lm_arena arena = {.heap = &heap};
    const lm_format *format = lm_find_format(bytes);
    lm_reading reading = {bytes, &arena, &s.base, 0};
    const void *document = lm_parse(format, &reading);
    if (document)
        lm_examiner_of(format)->check(&reading, document);
    lm_arena_free(&arena);
    if (s.reports < report)
        return false;
    assert_int_equal(s.reports, report); /* no reports follow it */
    assert_int_equal(heap.call.status, how);
    return true;
}

/* ---- Each allocation fails ----------------------------------------------------------------- */

static lm_code load(const blob *file, int way, counted *counts) {
    const lm_memory memory = {.allocator = counting_allocator(counts)};
    lm_error error = {.code = LM_CODE_OK};
    if (way < 2)
        lm_model_free(lm_load_memory(file->data, file->size,
                                     &(lm_load_options){.memory = memory, .repair = way == 1},
                                     &error));
    else
        lm_report_free(
            lm_check_memory(file->data, file->size, &(lm_check_options){.memory = memory}, &error));
    assert_all_released(counts);
    return error.code;
}

static void fail_each(const blob *file) {
    for (int way = 0; way < 3; way++) {
        counted whole = {0};
        const lm_code code = load(file, way, &whole);
        assert_int_not_equal(code, LM_CODE_OUT_OF_MEMORY);
        assert_int_not_equal(code, LM_CODE_BAD_ARGUMENT);
        assert_true(whole.calls < MOST_CALLS);
        for (size_t n = 1; n <= whole.calls; n++) {
            counted counts = {.fail_at = n};
            assert_int_equal(load(file, way, &counts), LM_CODE_OUT_OF_MEMORY);
        }
    }
}

/* ---- Damaged files ------------------------------------------------------------------------- */

TEST(test_the_diagnosis_is_that_of_the_fault) {
    static const lm_status ways[] = {LM_STOPPED, LM_NO_MEMORY, LM_FAILED};
    blob files[] = {make_md2(&small_md2), make_mdc(&small_mdc), make_md3(&small_md3), make_mdl()};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        for (size_t at = 4; at + 4 <= files[i].size; at += 4) {
            const uint32_t sound = get32(&files[i], at);
            put32(&files[i], at, at % 8 ? 0x7FFFFFFFu : 0xFFFFFFFEu);
            fail_each(&files[i]);
            for (size_t w = 0; w < COUNT_OF(ways); w++)
                for (unsigned n = 1; stop_at(&files[i], n, ways[w]); n++)
                    assert_true(n < 1000);
            put32(&files[i], at, sound);
        }
        blob_free(&files[i]);
    }
}
