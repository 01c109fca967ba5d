/* Reads and writes .skin files. */
#include "lerpmesh/assets.h"

#include "core/bytes.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "core/writing.h"
#include "files/file.h"

#include <stdlib.h>
#include <string.h>

static bool is_space(uint8_t c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Skips spaces and comments. */
static void skip_blank(lm_lines *lines, lm_text_span *line) {
    do {
        lmi_pass_comment(lines, line);
        while (line->at < line->end && is_space(*line->at))
            line->at++;
        if (lmi_begins_with(line, "//"))
            line->at = line->end;
    } while (lmi_begins_with(line, "/*"));
}

/* Returns whether a comment follows. Within a line it needs a space before it: paths may contain
 * "//". */
static bool comment_follows(lm_text_span s) {
    return is_space(*s.at) && (s.at++, lmi_begins_with(&s, "//") || lmi_begins_with(&s, "/*"));
}

/* Reads a part of a line: quoted, or up to a comma, a comment or the end. Removes spaces around
 * it. */
static lm_text_span read_part(lm_text_span *line) {
    lm_text_span part = *line;
    if (line->at < line->end && *line->at == '"') {
        part.at = ++line->at;
        while (line->at < line->end && *line->at != '"')
            line->at++;
        part.end = line->at;
        line->at += line->at < line->end;
        return part;
    }
    while (line->at < line->end && *line->at != ',' && !comment_follows(*line))
        line->at++;
    part.end = line->at;
    while (part.end > part.at && is_space(part.end[-1]))
        part.end--;
    return part;
}

/* ---- Entries --------------------------------------------------------------------------------- */

static bool has_nul(lm_text_span s) {
    return s.at < s.end && memchr(s.at, 0, (size_t)(s.end - s.at));
}

typedef enum line_kind {
    LINE_BLANK,
    LINE_SKIN,
    LINE_TAG,
    LINE_BAD
} line_kind;

static line_kind parse_line(lm_lines *lines, lm_text_span line, lm_text_span *name,
                            lm_text_span *path) {
    skip_blank(lines, &line);
    if (line.at == line.end)
        return LINE_BLANK;
    *name = read_part(&line);
    skip_blank(lines, &line);
    bool comma = line.at < line.end && *line.at == ',';
    line.at += comma;
    skip_blank(lines, &line);
    *path = read_part(&line);
    skip_blank(lines, &line);
    /* The rest of the line is ignored: a last comma, or another column. */
    if (has_nul(*name) || has_nul(*path) || name->at == name->end)
        return LINE_BAD;
    if (name->end - name->at >= 4 && lmi_same_letters(name->at, "tag_", 4))
        return LINE_TAG;
    return comma && path->at < path->end ? LINE_SKIN : LINE_BAD;
}

static char *copy_text(lm_arena *arena, lm_text_span text, bool lowered) {
    size_t length = (size_t)(text.end - text.at);
    char *copy = lmi_arena_text(arena, (const char *)text.at, length);
    for (size_t i = 0; copy && lowered && i < length; i++)
        copy[i] = (char)lmi_lower(copy[i]);
    return copy;
}

/* The result so far. */
typedef struct skin_parts {
    lm_skin_entry *entries;
    const char **tags;
    size_t num_entries, entry_capacity, num_tags, tag_capacity;
} skin_parts;

static bool add_line(lm_arena *arena, line_kind kind, uint32_t number, lm_text_span name,
                     lm_text_span path, skin_parts *parts) {
    if (kind == LINE_TAG) {
        if (!lmi_arena_grow(arena, &parts->tags, &parts->tag_capacity, parts->num_tags + 1,
                            sizeof *parts->tags))
            return false;
        parts->tags[parts->num_tags++] = copy_text(arena, name, true);
        return true;
    }
    if (!lmi_arena_grow(arena, &parts->entries, &parts->entry_capacity, parts->num_entries + 1,
                        sizeof *parts->entries))
        return false;
    parts->entries[parts->num_entries++] = (lm_skin_entry){.surface = copy_text(arena, name, true),
                                                           .path = copy_text(arena, path, false),
                                                           .line = number};
    return true;
}

/* Fails if there is no memory. */
static bool read_lines(lm_bytes file, lm_arena *arena, lm_reporter *reporter, skin_parts *parts) {
    lm_lines lines = lmi_lines_of(file.data, file.size);
    lm_text_span line, name, path;
    while (lmi_next_line(&lines, &line)) {
        line_kind kind = parse_line(&lines, line, &name, &path);
        if (kind == LINE_BAD)
            lmi_report_warning(reporter, LM_CODE_SKIN_LINE,
                               lmi_location_at("lines", 0, (size_t)(line.at - file.data)), 1,
                               "line %u is not SURFACE,PATH", (unsigned)lines.number);
        if ((kind == LINE_SKIN || kind == LINE_TAG) &&
            !add_line(arena, kind, (uint32_t)lines.number, name, path, parts))
            return false;
    }
    return !lmi_arena_failed(arena);
}

static int compare_entries(const void *a, const void *b) {
    const lm_skin_entry *const *x = a, *const *y = b;
    const int order = strcmp((*x)->surface, (*y)->surface);
    return order ? order : (*x > *y) - (*x < *y);
}

static bool read_skin(lm_bytes file, lm_load_reporter *reporter, lm_skin_file *skin) {
    lm_arena *arena = lmi_arena_of(skin);
    skin_parts parts = {0};
    if (!read_lines(file, arena, &reporter->base, &parts))
        return false;
    const lm_skin_entry **order =
        lmi_arena_alloc(arena, parts.num_entries, sizeof(lm_skin_entry *));
    for (size_t i = 0; order && i < parts.num_entries; i++)
        order[i] = &parts.entries[i];
    if (order && parts.num_entries > 0)
        qsort((void *)order, parts.num_entries, sizeof(lm_skin_entry *), compare_entries);
    skin->num_entries = (uint32_t)parts.num_entries;
    skin->entries = parts.entries;
    skin->by_surface = order;
    skin->num_tags = (uint32_t)parts.num_tags;
    skin->tags = parts.tags;
    skin->num_warnings = lmi_warnings_copy(arena, reporter, &skin->warnings);
    return order != NULL;
}

lm_skin_file *lm_skin_file_read(const void *data, size_t size, const lm_memory *memory,
                                lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    lm_heap heap;
    lm_load_reporter reporter;
    lmi_heap_begin(&heap, memory, size, "skin file", error);
    lmi_load_reporter_init(&reporter, &heap.call, false);
    lm_skin_file *skin = lmi_object(&heap, sizeof *skin);
    skin = lmi_object_end(skin, skin && read_skin((lm_bytes){data, size}, &reporter, skin));
    return skin ? skin : lmi_heap_diagnose(&heap);
}

void lm_skin_file_free(lm_skin_file *skin) {
    lmi_object_free(skin);
}

const char *lm_skin_file_find(const lm_skin_file *skin, const char *surface) {
    if (!skin || !surface)
        return NULL;
    const size_t length = lmi_skin_name_length(surface);
    uint32_t first = 0, end = skin->num_entries;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (lmi_compare_part(skin->by_surface[middle]->surface, surface, length) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    const bool found = first < skin->num_entries &&
                       lmi_compare_part(skin->by_surface[first]->surface, surface, length) == 0;
    return found ? skin->by_surface[first]->path : NULL;
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Writes a line without the name's last bytes that the engine ignores. */
static void write_line(const char *name, size_t length, const char *path, lm_buffer *out) {
    const char *mark = strpbrk(name, " \t,") ? "\"" : "";
    const char *path_mark = strpbrk(path, " \t,") ? "\"" : "";
    lm_buffer_printf(out, "%s%.*s%s,%s%s%s\n", mark, (int)length, name, mark, path_mark, path,
                     path_mark);
}

/* Returns whether reading the text gives each surface its path. */
static bool check_reading_back(const lm_skin_entry *entries, uint32_t num_entries, const void *text,
                               size_t size, lm_error *error) {
    lm_skin_file *skin = lm_skin_file_read(text, size, NULL, error);
    if (!skin)
        return false;
    bool same = skin->num_warnings == 0;
    for (uint32_t i = 0; same && i < num_entries; i++) {
        const char *path = lm_skin_file_find(skin, entries[i].surface);
        same = path && strcmp(path, entries[i].path) == 0;
    }
    lm_skin_file_free(skin);
    return same || lm_fail_plain(error, LM_CODE_NOT_HELD,
                                 "a .skin file cannot tell the surfaces apart: each needs a unique "
                                 "name and a texture");
}

bool lm_skin_file_write(const lm_skin_entry *entries, uint32_t num_entries, const char *const *tags,
                        uint32_t num_tags, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const lm_list lists[] = {
        {"entries", entries, num_entries, sizeof *entries, ".surface",
         offsetof(lm_skin_entry, surface)},
        {"entries", entries, num_entries, sizeof *entries, ".path", offsetof(lm_skin_entry, path)},
        {"tags", tags, num_tags, sizeof *tags, "", 0}};
    if (!lmi_lists_valid("skin file", lists, sizeof lists / sizeof *lists, error))
        return false;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    for (uint32_t i = 0; i < num_entries; i++)
        write_line(entries[i].surface, lmi_skin_name_length(entries[i].surface), entries[i].path,
                   out);
    for (uint32_t i = 0; i < num_tags; i++)
        write_line(tags[i], strlen(tags[i]), "", out);
    const bool done =
        !out->failed && check_reading_back(entries, num_entries, out->data + mark.size,
                                           out->size - mark.size, error);
    return lmi_buffer_end(out, mark, done, ".skin file", error);
}
