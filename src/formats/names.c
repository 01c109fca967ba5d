#include "formats/names.h"

#include "core/utf8.h"
#include "model/weld.h"

#include <string.h>

static lm_location location_of(const lm_name_fields *names, lm_location first, uint32_t index) {
    first.index = index;
    first.offset =
        names->locations ? names->locations[index] : first.offset + index * names->stride;
    return first;
}

static bool has_junk(const uint8_t *field, size_t size) {
    for (size_t i = lm_field_length(field, size); i < size; i++)
        if (field[i] != 0)
            return true;
    return false;
}

void lm_check_name_fields(const lm_name_fields *names, lm_location location,
                          lm_reporter *reporter) {
    uint32_t junk = 0, open = 0, first_junk = 0, first_open = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const uint8_t *field = names->first + i * names->stride;
        if (lm_field_length(field, names->size) == names->size) {
            first_open = open++ ? first_open : i;
        } else if (has_junk(field, names->size)) {
            first_junk = junk++ ? first_junk : i;
        }
    }
    if (junk)
        lm_report_oddity(reporter, LM_CODE_NAME_JUNK, location_of(names, location, first_junk),
                         junk, "%u names in %s have bytes behind their end, the first is %u",
                         (unsigned)junk, location.section, (unsigned)first_junk);
    if (open)
        lm_report_oddity(reporter, LM_CODE_NAME_UNTERMINATED,
                         location_of(names, location, first_open), open,
                         "%u names in %s fill their field without a NUL, the first is %u",
                         (unsigned)open, location.section, (unsigned)first_open);
}

static size_t trailing_digits(const uint8_t *name, size_t length) {
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    return digits;
}

/* 16 bytes of a name, cut at its end, as two numbers to sort by. */
static uint64_t name_half(const uint8_t *field, size_t length, size_t from) {
    uint64_t half = 0;
    for (size_t i = from; i < from + 8; i++)
        half = half << 8 | (i < length ? field[i] : 0);
    return half;
}

/* How many names stood before: names are frames', at most 16 bytes, compared through their ranks
 * of 8 bytes each, in linear time. */
static bool count_repeated(const lm_name_fields *names, lm_heap *heap, uint32_t *repeated,
                           uint32_t *first) {
    uint32_t count = names->count, num_ids;
    uint64_t *keys = lm_heap_alloc(heap, count, sizeof *keys);
    uint32_t *ids = lm_heap_alloc(heap, (uint64_t)count * 3, sizeof *ids);
    bool done = keys && ids;
    for (uint32_t half = 0; done && half < 2; half++) {
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *field = names->first + i * names->stride;
            keys[i] = name_half(field, lm_field_length(field, names->size), half * (size_t)8);
        }
        done = lm_rank_keys(keys, count, ids + half * (size_t)count, &num_ids, heap);
    }
    for (uint32_t i = 0; done && i < count; i++)
        keys[i] = (uint64_t)ids[i] << 32 | ids[count + i];
    done = done && lm_rank_keys(keys, count, ids, &num_ids, heap);
    uint32_t *seen = ids ? ids + 2 * (size_t)count : NULL;
    if (done)
        memset(seen, 0, count * sizeof *seen);
    for (uint32_t i = 0; done && i < count; i++)
        if (seen[ids[i]]++)
            *first = (*repeated)++ ? *first : i;
    lm_heap_free(heap, ids, (size_t)count * 3 * sizeof *ids);
    lm_heap_free(heap, keys, (size_t)count * sizeof *keys);
    return done;
}

bool lm_check_frame_names(const lm_name_fields *names, lm_location location, lm_heap *heap,
                          lm_reporter *reporter) {
    uint32_t bare = 0, three = 0, repeated = 0, first_bare = 0, first_three = 0, first_repeated = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const uint8_t *field = names->first + i * names->stride;
        size_t length = lm_field_length(field, names->size);
        size_t digits = trailing_digits(field, length);
        if (digits == 0)
            first_bare = bare++ ? first_bare : i;
        else if (digits == 3 && length > 3 && field[length - 3] != '0')
            first_three = three++ ? first_three : i;
    }
    if (bare && names->count > 1)
        lm_report_oddity(reporter, LM_CODE_FRAME_NAME_NO_NUMBER,
                         location_of(names, location, first_bare), bare,
                         "%u frames have a name without a number, the first is frame %u",
                         (unsigned)bare, (unsigned)first_bare);
    if (three)
        lm_report_oddity(reporter, LM_CODE_FRAME_NAME_DIGITS,
                         location_of(names, location, first_three), three,
                         "%u frame names end in three digits, of which the first may count "
                         "clips, the first is frame %u",
                         (unsigned)three, (unsigned)first_three);
    if (!count_repeated(names, heap, &repeated, &first_repeated))
        return false;
    if (repeated)
        lm_report_oddity(reporter, LM_CODE_FRAME_NAME_TWICE,
                         location_of(names, location, first_repeated), repeated,
                         "%u frames have a name that stood before, the first is frame %u",
                         (unsigned)repeated, (unsigned)first_repeated);
    return true;
}

void lm_check_path(const uint8_t *field, size_t size, lm_location location, lm_reporter *reporter) {
    size_t length = lm_field_length(field, size);
    bool upper = false;
    for (size_t i = 0; i < length; i++)
        upper = upper || (field[i] >= 'A' && field[i] <= 'Z');
    const char *what = NULL;
    if (memchr(field, '\\', length))
        what = "has backslashes, which other systems do not take for folders";
    else if (length > 0 && !memchr(field, '/', length))
        what = "has no folder";
    else if (upper)
        what = "has upper-case letters, which some systems tell apart";
    if (what)
        lm_report_oddity(reporter, LM_CODE_SKIN_PATH, location, 1, "path %u of the %s %s",
                         (unsigned)location.index, location.section, what);
}
