#include "formats/common_checks.h"

#include "core/arena.h"
#include "core/text.h"

#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

static lm_location location_of(const lm_name_fields *names, lm_location first, uint32_t index) {
    first.index = index;
    first.offset =
        names->locations ? names->locations[index] : first.offset + index * names->stride;
    return first;
}

static bool has_junk(const uint8_t *field, size_t size) {
    for (size_t i = lmi_field_length(field, size); i < size; i++)
        if (field[i] != 0)
            return true;
    return false;
}

void lmi_check_name_fields(const lm_name_fields *names, lm_location location,
                           lm_reporter *reporter) {
    lm_tally junk = {0}, unterminated = {0};
    for (uint32_t i = 0; i < names->count; i++) {
        const uint8_t *field = names->first + i * names->stride;
        const bool ends = lmi_field_length(field, names->size) < names->size;
        lmi_tally_add(&unterminated, !ends, i);
        lmi_tally_add(&junk, ends && has_junk(field, names->size), i);
    }
    if (junk.count)
        lmi_report_warning(reporter, LM_CODE_NAME_JUNK, location_of(names, location, junk.first),
                           junk.count, "%s in %s %s; the first is %u",
                           lmi_count_words(junk.count, "{name|names}").text, location.section,
                           junk.count == 1 ? "has bytes after its end"
                                           : "have bytes after their end",
                           (unsigned)junk.first);
    if (unterminated.count)
        lmi_report_warning(
            reporter, LM_CODE_NAME_UNTERMINATED, location_of(names, location, unterminated.first),
            unterminated.count, "%s in %s %s without a NUL; the first is %u",
            lmi_count_words(unterminated.count, "{name|names}").text, location.section,
            unterminated.count == 1 ? "fills its field" : "fill their field",
            (unsigned)unterminated.first);
}

static size_t trailing_digits(const uint8_t *name, size_t length) {
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    return digits;
}

/* Returns 8 bytes of a name up to its end, from byte `from` on, as a number to sort by. */
static uint64_t name_part(const uint8_t *field, size_t length, size_t from) {
    uint64_t part = 0;
    for (size_t i = from; i < from + 8; i++)
        part = part << 8 | (i < length ? field[i] : 0);
    return part;
}

/* Counts names that repeat an earlier one. Frame names have at most 16 bytes, and are compared by
 * the ranks of their two halves, in linear time. Returns false if memory ran out. */
static bool count_repeated(const lm_name_fields *names, lm_arena *arena, lm_tally *repeated) {
    uint32_t count = names->count, num_ids;
    uint64_t *keys = lmi_arena_alloc(arena, count, sizeof *keys);
    uint32_t *ids = lmi_arena_alloc(arena, (uint64_t)count * 2, sizeof *ids);
    uint8_t *seen = lmi_arena_zeros(arena, count, 1);
    bool done = keys && ids && seen;
    for (uint32_t part = 0; done && part < 2; part++) {
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *field = names->first + i * names->stride;
            keys[i] = name_part(field, lmi_field_length(field, names->size), part * (size_t)8);
        }
        done = lmi_rank_keys(keys, count, ids + part * (size_t)count, &num_ids, arena->heap);
    }
    for (uint32_t i = 0; done && i < count; i++)
        keys[i] = (uint64_t)ids[i] << 32 | ids[count + i];
    done = done && lmi_rank_keys(keys, count, ids, &num_ids, arena->heap);
    for (uint32_t i = 0; done && i < count; i++) {
        lmi_tally_add(repeated, seen[ids[i]], i);
        seen[ids[i]] = 1;
    }
    return done;
}

void lmi_check_frame_names(const lm_name_fields *names, lm_location location, lm_arena *arena,
                           lm_reporter *reporter) {
    lm_tally unnumbered = {0}, three = {0}, repeated = {0};
    for (uint32_t i = 0; i < names->count; i++) {
        const uint8_t *field = names->first + i * names->stride;
        size_t length = lmi_field_length(field, names->size);
        size_t digits = trailing_digits(field, length);
        lmi_tally_add(&unnumbered, digits == 0 && names->count > 1, i);
        lmi_tally_add(&three, digits == 3 && length > 3 && field[length - 3] != '0', i);
    }
    lmi_report_cases(reporter, LM_CODE_FRAME_NAME_NO_NUMBER,
                     location_of(names, location, unnumbered.first), unnumbered,
                     "{frame has|frames have} a name without a number", "frame ");
    lmi_report_cases(
        reporter, LM_CODE_FRAME_NAME_DIGITS, location_of(names, location, three.first), three,
        "frame {name ends|names end} in three digits, of which the first may be the clip's number",
        "frame ");
    if (count_repeated(names, arena, &repeated))
        lmi_report_cases(reporter, LM_CODE_FRAME_NAME_TWICE,
                         location_of(names, location, repeated.first), repeated,
                         "{frame repeats|frames repeat} an earlier name", "frame ");
}

/* ---- Vertices -------------------------------------------------------------------------------- */

void lmi_check_use(lm_weld *weld, lm_location vertices, size_t vertex_size, lm_location triangles,
                   lm_arena *arena, lm_reporter *reporter) {
    lm_tally unused = {0};
    uint32_t seams = 0;
    if (!lmi_weld_corners(weld, arena->heap))
        return;
    for (uint32_t v = 0; v < weld->num_vertices; v++)
        lmi_tally_add(&unused, weld->vertex_attributes[v] == LM_UNUSED, v);
    for (uint32_t i = 0; i < weld->num_copies; i++)
        seams += i == 0 || weld->copy_vertices[i] != weld->copy_vertices[i - 1];
    vertices.offset += unused.first * vertex_size;
    lmi_report_cases(reporter, LM_CODE_UNUSED_VERTICES, vertices, unused,
                     "{vertex is|vertices are} used by no triangle", "");
    if (seams)
        lmi_report_warning(reporter, LM_CODE_SEAMS, triangles, seams,
                           "%s several texture coordinates (seams)",
                           lmi_count_words(seams, "{vertex has|vertices have}").text);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

void lmi_check_path(const uint8_t *field, size_t size, lm_location location,
                    lm_reporter *reporter) {
    const char *fault = lmi_path_fault((const char *)field, lmi_field_length(field, size));
    const int length_of_kind = (int)strlen(location.section) - 1; /* "skin" of "skins" */
    if (fault && !(location.surface & LM_OF_FILE))
        lmi_report_warning(reporter, LM_CODE_SKIN_PATH, location, 1, "surface %u: %.*s path %u %s",
                           (unsigned)location.surface, length_of_kind, location.section,
                           (unsigned)location.index, fault);
    else if (fault)
        lmi_report_warning(reporter, LM_CODE_SKIN_PATH, location, 1, "%.*s path %u %s",
                           length_of_kind, location.section, (unsigned)location.index, fault);
}
