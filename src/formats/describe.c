#include "formats/describe.h"

#include "core/options.h"
#include "core/text.h"
#include "lerpmesh/check.h"

#include <stddef.h>
#include <stdio.h>

/* ---- Engines ------------------------------------------------------------------------------- */

static const char *const engine_names[] = {
#define LM_ENGINE_NAME(name, text) text,
    LM_ENGINE_LIST(LM_ENGINE_NAME)
#undef LM_ENGINE_NAME
};

const char *lm_engine_name(lm_engine engine) {
    return (unsigned)engine < LM_NUM_ENGINES ? engine_names[engine] : "unknown";
}

lm_engine lm_engine_by_name(const char *name) {
    unsigned engine = name ? 0 : LM_NUM_ENGINES;
    while (engine < LM_NUM_ENGINES && strcmp(engine_names[engine], name) != 0)
        engine++;
    return (lm_engine)engine;
}

/* ---- Headers ------------------------------------------------------------------------------- */

void lmi_get_header(const lm_header *header, const uint8_t *bytes, void *owner) {
    for (size_t i = 0; i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        if (field->kind == LM_HEADER_TEXT)
            memcpy((char *)owner + field->member, bytes + field->at, field->size);
        else if (field->member != LM_NOT_SHOWN)
            lmi_set_number(owner, field->member, lmi_get_s32(bytes + field->at));
    }
    for (size_t i = 0; i < header->lumps.count; i++)
        lmi_set_lump_data(&header->lumps.list[i], owner, NULL);
}

void lmi_get_part(const lm_header *header, lm_bytes file, size_t start, void *owner) {
    lmi_get_header(header, file.data + start, owner);
    if (header->measure)
        header->measure(file, start, owner);
}

bool lmi_counts_valid(const lm_header *header, const void *owner) {
    for (size_t i = 0; i < header->fields.count; i++)
        if (header->fields.list[i].kind == LM_HEADER_COUNT &&
            lmi_number(owner, header->fields.list[i].member) < 0)
            return false;
    return true;
}

void lmi_empty_part(const lm_header *header, void *owner) {
    for (size_t i = 0; i < header->fields.count; i++)
        if (header->fields.list[i].kind == LM_HEADER_COUNT)
            lmi_set_number(owner, header->fields.list[i].member, 0);
    for (size_t i = 0; i < header->lumps.count; i++)
        lmi_set_lump_data(&header->lumps.list[i], owner, NULL);
}

/* ---- Locations ----------------------------------------------------------------------------- */

size_t lmi_field_at(const lm_header *header, size_t member) {
    size_t i = 0;
    while (header->fields.list[i].member != member)
        i++;
    return header->fields.list[i].at;
}

lm_location lmi_file_location(void) {
    return lmi_location_at("header", 0, 0);
}

lm_location lmi_surface_location(uint32_t surface, size_t start) {
    return (lm_location){"header", start, surface, 0};
}

lm_location lmi_field_location(const lm_header *header, lm_location start, size_t member) {
    size_t at = lmi_field_at(header, member);
    start.index = (uint32_t)at / 4;
    start.offset += at;
    return start;
}

lm_location lmi_lump_location(lm_location start, const char *lump, int32_t offset) {
    start.section = lump;
    start.offset = (size_t)((int64_t)start.offset + offset);
    return start;
}

lm_location lmi_element_location(lm_location lump, uint32_t index, size_t element) {
    lump.index = index;
    lump.offset += index * element;
    return lump;
}

/* ---- Lumps --------------------------------------------------------------------------------- */

static uint64_t counted(const lm_count_member *count, const void *document, const void *owner) {
    return lmi_count(lmi_number(count->of_document ? document : owner, count->member));
}

uint64_t lmi_lump_groups(const lm_header_lump *lump, const void *document, const void *owner) {
    return lump->groups.member ? counted(&lump->groups, document, owner) : 1;
}

lm_extent lmi_lump_extent(const lm_header_lump *lump, const void *document, const void *owner) {
    size_t stride =
        lump->stride ? (size_t)lmi_count(lmi_number(owner, lump->stride)) : lump->element;
    return (lm_extent){lmi_lump_groups(lump, document, owner) *
                           counted(&lump->count, document, owner),
                       stride, lump->extra ? lmi_count(lmi_number(owner, lump->extra)) : 0};
}

/* ---- Reading ------------------------------------------------------------------------------- */

bool lmi_read_ident(const lm_reading *reading, const lm_header *header) {
    const lm_bytes file = reading->file;
    if (file.size < header->size)
        return lmi_report_fatal(reading->reporter, LM_CODE_TRUNCATED, lmi_file_location(),
                                "the file has only %zu bytes, but its header needs %d", file.size,
                                header->size);
    const int32_t version = lmi_get_s32(file.data + LM_HEADER_AT_VERSION);
    const lm_location location =
        lmi_location_at("header", LM_HEADER_AT_VERSION / 4, LM_HEADER_AT_VERSION);
    return version == header->version ||
           lmi_report_fatal(reading->reporter, LM_CODE_BAD_VERSION, location,
                            "version %d is not supported, only version %d is", (int)version,
                            (int)header->version);
}

bool lmi_read_count(const lm_reading *reading, const lm_header *header, const void *document,
                    size_t member, const char *element_name) {
    const int32_t count = lmi_number(document, member);
    return count >= 0 ||
           lmi_report_fatal(reading->reporter, LM_CODE_BAD_COUNT,
                            lmi_field_location(header, lmi_file_location(), member),
                            "the number of %s is negative: %d", element_name, (int)count);
}

bool lmi_find_lump(lm_reading *reading, const lm_header_lump *lump, const void *document,
                   void *owner, size_t start) {
    const lm_extent extent = lmi_lump_extent(lump, document, owner);
    const int32_t offset = lmi_number(owner, lump->ofs);
    if (extent.count == 0)
        return true;
    /* A lump before its own surface would belong to another one. */
    if (offset < 0 ||
        !lmi_extent_fits(reading->file.size, (uint64_t)start + (uint32_t)offset, extent))
        return false;
    lmi_set_lump_data(lump, owner, reading->file.data + start + offset);
    reading->lump_bytes += lmi_extent_size(extent);
    return true;
}

static size_t later(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Returns the end of the header at `start` and of the lumps found in it. */
static size_t part_end(const lm_header *header, lm_bytes file, const void *document,
                       const void *owner, size_t start) {
    size_t end = start + header->size;
    for (size_t i = 0; i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[i];
        const uint8_t *data = lump->chain ? NULL : lmi_lump_data(lump, owner);
        if (data)
            end = later(end, (size_t)(data - file.data) +
                                 (size_t)lmi_extent_size(lmi_lump_extent(lump, document, owner)));
    }
    return end;
}

static size_t chain_end(const lm_header_lump *chain, lm_bytes file, const void *document) {
    const uint8_t *surface = lmi_lump_data(chain, document);
    size_t start = (size_t)lmi_number(document, chain->ofs), end = 0;
    for (int32_t i = lmi_number(document, chain->count.member); i > 0; i--) {
        end = later(end, part_end(chain->chain, file, document, surface, start));
        start += (size_t)lmi_number(surface, chain->chain->end);
        surface += chain->chain->struct_size;
    }
    return end;
}

/* "8 base vertices need bytes 304 to 367, but the file ends at 320" */
bool lmi_report_outside(const lm_reading *reading, const lm_header_lump *lump, lm_extent extent,
                        lm_location location, int64_t start) {
    bool (*report)(lm_reporter *, lm_code, lm_location, const char *, ...) =
        lump->required ? lmi_report_fatal : lmi_report_damage;
    char subject[160] = "";
    const unsigned long long size = lmi_extent_size(extent);
    const lm_counted words = lmi_count_nouns(extent.count, lump->shape.name);
    if (!(location.surface & LM_OF_FILE))
        snprintf(subject, sizeof subject, "surface %u: %s", (unsigned)location.surface, words.text);
    else
        snprintf(subject, sizeof subject, "%s", words.text);
    if (start < 0)
        return report(reading->reporter, LM_CODE_BAD_OFFSET, location,
                      "%s would start at byte %lld, before the file", subject, (long long)start);
    return report(reading->reporter, LM_CODE_BAD_OFFSET, location,
                  "%s need%s bytes %lld to %llu, but the file ends at %zu", subject,
                  extent.count == 1 ? "s" : "", (long long)start,
                  (unsigned long long)start + size - 1, reading->file.size);
}

bool lmi_read_end(const lm_reading *reading, const lm_header *header, void *document,
                  const char *named) {
    const lm_bytes file = reading->file;
    size_t data_end = part_end(header, file, document, document, 0);
    for (size_t i = 0; i < header->lumps.count; i++)
        if (header->lumps.list[i].chain)
            data_end = later(data_end, chain_end(&header->lumps.list[i], file, document));
    const int32_t stated = lmi_number(document, header->end);
    const bool wrong = stated < 0 || (size_t)stated < data_end || (size_t)stated > file.size;
    const lm_trailing trailing = {file.data + (wrong ? data_end : (size_t)stated),
                                  file.size - (wrong ? data_end : (size_t)stated)};
    memcpy((char *)document + header->trailing, &trailing, sizeof trailing);
    if (wrong)
        return lmi_report_warning(reading->reporter, LM_CODE_WRONG_END,
                                  lmi_field_location(header, lmi_file_location(), header->end), 1,
                                  "%s is %d, but the data ends at %zu and the file at %zu", named,
                                  (int)stated, data_end, file.size);
    if (trailing.size == 0)
        return true;
    return lmi_report_warning(reading->reporter, LM_CODE_TRAILING_BYTES,
                              lmi_location_at("header", 0, file.size - trailing.size), 1,
                              "%s the end of the model",
                              lmi_count_words(trailing.size, "{byte follows|bytes follow}").text);
}

/* ---- Limits -------------------------------------------------------------------------------- */

/* Returns true if an engine before this one has the same limit, which is reported once if no engine
 * is named. */
static bool repeats(const lm_header *header, const lm_header_limit *limit) {
    for (const lm_header_limit *before = header->limits.list; before < limit; before++)
        if (before->member == limit->member && before->max == limit->max)
            return true;
    return false;
}

void lmi_check_limits(const lm_header *header, const void *owner, lm_location start,
                      lm_reporter *reporter) {
    for (size_t i = 0; i < header->limits.count; i++) {
        const lm_header_limit *limit = &header->limits.list[i];
        if (reporter->engine == LM_ENGINE_ANY && repeats(header, limit))
            continue;
        const lm_location location = lmi_field_location(header, start, limit->member);
        const int32_t found = lmi_number(owner, limit->member);
        const char *engine = lm_engine_name(limit->engine);
        const char *why = limit->why ? limit->why : "";
        if (found > limit->max && !(start.surface & LM_OF_FILE))
            lmi_report_engine(reporter, limit->engine, location,
                              "surface %u has %d %s, but %s loads at most %d%s",
                              (unsigned)start.surface, (int)found, limit->element_name, engine,
                              (int)limit->max, why);
        else if (found > limit->max)
            lmi_report_engine(reporter, limit->engine, location, "%d %s, but %s loads at most %d%s",
                              (int)found, limit->element_name, engine, (int)limit->max, why);
    }
}

/* ---- Anatomy: the file may be damaged in any way -------------------------------------------- */

#define MAX_STRUCT 256 /* bytes of a document or surface */

/* Room for the struct of any header. */
typedef union room {
    max_align_t align;
    char bytes[MAX_STRUCT];
} room;

void lmi_layout_fields(const lm_header *header, const char *name, size_t start,
                       lm_layout_builder *builder) {
    for (size_t i = 0; i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        lm_cell_type type = LM_CELL_S32;
        if (field->kind == LM_HEADER_TEXT || field->kind == LM_HEADER_MARK)
            type = LM_CELL_TEXT;
        else if (field->kind == LM_HEADER_REAL)
            type = LM_CELL_F32;
        lmi_layout_field(builder, start + field->at, type, field->size, field->name,
                         field->meaning);
    }
    lmi_layout_header(builder, name, start, header->size);
}

/* Returns true if a lump that may be absent lies within its surface. */
static bool inside(const lm_header *header, const lm_header_lump *lump, lm_extent extent,
                   const void *owner) {
    const int32_t offset = lmi_number(owner, lump->ofs);
    return offset >= header->size &&
           (int64_t)offset + (int64_t)lmi_extent_size(extent) <= lmi_number(owner, header->end);
}

/* Returns true if any lump that may be absent is needed. All of them are then shown. */
static bool any_needed(const lm_header *header, const void *owner) {
    bool needed = false;
    for (size_t i = 0; i < header->lumps.count; i++)
        needed = needed || (header->lumps.list[i].needed && header->lumps.list[i].needed(owner));
    return needed;
}

static void describe_lumps(const lm_header *header, const void *document, const void *owner,
                           size_t start, lm_layout_builder *builder) {
    const bool needed = any_needed(header, owner);
    for (size_t i = 0; i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[i];
        if (lump->chain)
            continue;
        lm_extent extent = lmi_lump_extent(lump, document, owner);
        if (lump->needed && !needed && !inside(header, lump, extent, owner))
            extent.count = 0;
        const uint64_t groups = lmi_lump_groups(lump, document, owner);
        lmi_layout_lump(builder, &lump->shape,
                        (uint64_t)start + (uint32_t)lmi_number(owner, lump->ofs), groups,
                        groups ? extent.count / groups : 0, extent.element, extent.extra);
    }
}

/* Describes the chain of surfaces as far as it can be followed, with at most as many surfaces as
 * the file has room for. */
static void describe_chain(const lm_header_lump *lump, lm_bytes file, const void *document,
                           lm_layout_builder *builder) {
    const lm_header *header = lump->chain;
    const uint64_t stated = lmi_count(lmi_number(document, lump->count.member));
    const uint64_t max_surfaces = file.size / header->size;
    uint64_t start = (uint32_t)lmi_number(document, lump->ofs);
    room surface;
    for (uint32_t i = 0;
         i < stated && i < max_surfaces && lmi_fits(file.size, start, 1, header->size); i++) {
        lmi_get_part(header, file, (size_t)start, &surface);
        lmi_layout_part(builder, "surface", i);
        lmi_layout_fields(header, "", (size_t)start, builder);
        describe_lumps(header, document, &surface, (size_t)start, builder);
        const int32_t end = lmi_number(&surface, header->end);
        if (end <= 0)
            break;
        start += (uint32_t)end;
    }
    lmi_layout_part(builder, NULL, 0);
}

void lmi_layout_described(const lm_header *header, lm_bytes file, lm_layout_builder *builder) {
    room document;
    if (file.size < header->size)
        return;
    lmi_get_part(header, file, 0, &document);
    lmi_layout_fields(header, "header", 0, builder);
    describe_lumps(header, &document, &document, 0, builder);
    lmi_layout_end(builder, lmi_number(&document, header->end));
    for (size_t i = 0; i < header->lumps.count; i++)
        if (header->lumps.list[i].chain)
            describe_chain(&header->lumps.list[i], file, &document, builder);
}

/* ---- Documents ----------------------------------------------------------------------------- */

static void *read_file(const lm_document_kind *kind, lm_bytes file, const lm_load_options *options,
                       lm_load_reporter *reporter, lm_error *error) {
    lm_heap heap;
    lmi_heap_begin(&heap, &options->memory, file.size, kind->format->info.name, error);
    lmi_load_reporter_init(reporter, &heap.call, options->repair && !options->strict);
    reporter->base.errors = options->strict ? LM_HARMLESS_DAMAGE : 0;
    void *document = lmi_object(&heap, kind->header->struct_size);
    if (!document)
        return lmi_heap_diagnose(&heap);
    lm_arena *arena = lmi_arena_of(document);
    lm_reading reading = {file, arena, &reporter->base, 0};
    arena->apart = true;
    if (!lmi_object_end(document, kind->read(&reading, document)))
        return lmi_heap_diagnose(&heap);
    lmi_object_unbind(document);
    return document;
}

void *lmi_read_document_as(const lm_document_kind *kind, lm_bytes file,
                           const lm_load_options *options, lm_load_reporter *reporter,
                           lm_error *error) {
    if (lmi_find_format(file) == kind->format)
        return read_file(kind, file, options, reporter, error);
    lmi_fail(error, LM_CODE_UNKNOWN_FORMAT, kind->format->info.name, "header", 0,
             "not a file of the format %s", kind->title);
    return NULL;
}

void *lmi_read_document(const lm_document_kind *kind, const void *data, size_t size,
                        const lm_memory *memory, lm_error *error) {
    lm_load_options options = {.repair = false};
    lm_load_reporter reporter;
    if (!lmi_bytes_valid(data, size, kind->format->info.name, error))
        return NULL;
    if (memory)
        options.memory = *memory;
    return lmi_read_document_as(kind, (lm_bytes){data, size}, &options, &reporter, error);
}
