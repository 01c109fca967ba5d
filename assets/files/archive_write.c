/* Writes PAK and PK3. The same files give the same bytes on every machine at any time. */
#include "lerpmesh/files.h"

#include "core/arena.h"
#include "core/bytes.h"
#include "core/crc.h"
#include "core/options.h"
#include "core/report.h"
#include "core/writing.h"
#include "files/directory.h"
#include "files/file.h"
#include "files/path.h"
#include "packing/deflate.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ARCHIVE ((size_t)INT32_MAX) /* engines use signed 32-bit offsets */

enum {
    PAK_MAX_MEMBERS = 1 << 20,
    ZIP_NAME = 256, /* MAX_ZPATH of Quake III, including the NUL */
    ZIP_MAX_MEMBERS = 65534,
    ZIP_VERSION = 20,
    ZIP_MADE_BY_UNIX = 3 << 8 | ZIP_VERSION,
    ZIP_UTF8 = 1 << 11,
    ZIP_DATE = 1 << 5 | 1 /* 1 January 1980, the earliest date of the format */
};
#define PAK_IDENT 0x4B434150u /* "PACK" */
#define ZIP_LOCAL_IDENT 0x04034B50u
#define ZIP_CENTRAL_IDENT 0x02014B50u
#define ZIP_END_IDENT 0x06054B50u
#define ZIP_PLAIN_FILE (0100644u << 16) /* a regular file, readable by all */

typedef struct packed {
    const char *path;
    uint32_t start, size, packed_size, crc;
    bool deflated;
} packed;

typedef struct packer {
    const lm_files *files;
    const char *format;
    bool zip;
    lm_buffer *out;
    size_t start; /* where the archive begins in `out` */
    packed *members;
    size_t num_members;
    lm_arena *arena; /* holds the members */
    lm_error *error;
} packer;

/* ---- Members' names -------------------------------------------------------------------------- */

static bool is_ascii(const char *text) {
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

static bool check_name(const packer *p, const char *path) {
    const size_t limit = p->zip ? ZIP_NAME : PAK_NAME, length = strlen(path);
    if (length >= limit)
        return lm_fail_plain(p->error, LM_CODE_LIMIT,
                             "%s: the name has %zu bytes, but a %s allows at most %zu: shorten it",
                             path, length, p->zip ? "PK3" : "PAK", limit - 1);
    if (!lmi_path_is_clean(path) || strchr(path, ':'))
        return lm_fail_plain(p->error, LM_CODE_UNSAFE_PATH,
                             "%s: games cannot find a file of this name in an archive", path);
    return true;
}

/* Sorts the members by the bytes of their names. */
static bool list_members(packer *p, const char *const *paths, size_t count) {
    const size_t max_count = p->zip ? ZIP_MAX_MEMBERS : PAK_MAX_MEMBERS;
    if (count > max_count)
        return lm_fail_plain(p->error, LM_CODE_LIMIT,
                             "%zu files exceed the limit of a %s, %zu: make several archives",
                             count, p->zip ? "PK3" : "PAK", max_count);
    p->members = lmi_arena_zeros(p->arena, count, sizeof *p->members);
    if (!p->members)
        return lmi_fail_memory(p->error);
    for (size_t i = 0; i < count; i++) {
        if (!check_name(p, paths[i]))
            return false;
        p->members[i].path = paths[i];
    }
    qsort(p->members, count, sizeof *p->members, lmi_compare_names);
    for (size_t i = 1; i < count; i++)
        if (strcmp(p->members[i - 1].path, p->members[i].path) == 0)
            return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "duplicate name %s",
                                 p->members[i].path);
    p->num_members = count;
    return true;
}

/* Fails if `size` more bytes exceed the limit. */
static bool fits(const packer *p, uint64_t size) {
    return p->out->size - p->start + size <= MAX_ARCHIVE ||
           lm_fail_plain(
               p->error, LM_CODE_LIMIT,
               "the archive would exceed 2 GiB, the limit of 31-bit offsets: make several "
               "archives");
}

/* ---- Members -------------------------------------------------------------------------------- */

/* Writes a member's local header or its directory record, with its name. Most fields are common to
 * both. */
static void put_header(const packer *p, const packed *member, bool central) {
    uint8_t *raw = lm_buffer_reserve(p->out, central ? ZIP_CENTRAL : ZIP_LOCAL);
    const size_t length = strlen(member->path);
    if (!raw)
        return;
    lmi_put_u32(raw, central ? ZIP_CENTRAL_IDENT : ZIP_LOCAL_IDENT);
    if (central) {
        lmi_put_u16(raw + 4, ZIP_MADE_BY_UNIX);
        lmi_put_u32(raw + 38, ZIP_PLAIN_FILE);
        lmi_put_u32(raw + 42, member->start);
    }
    raw += central ? 6 : 4;
    lmi_put_u16(raw, ZIP_VERSION);
    lmi_put_u16(raw + 2, is_ascii(member->path) ? 0 : ZIP_UTF8);
    lmi_put_u16(raw + 4, member->deflated ? ZIP_DEFLATED : ZIP_STORED);
    lmi_put_u16(raw + 8, ZIP_DATE);
    lmi_put_u32(raw + 10, member->crc);
    lmi_put_u32(raw + 14, member->packed_size);
    lmi_put_u32(raw + 18, member->size);
    lmi_put_u16(raw + 22, (uint16_t)length);
    lm_buffer_append(p->out, member->path, length);
}

/* Deflates the member if that makes it smaller. */
static bool put_zipped(const packer *p, packed *member, const lm_buffer *bytes) {
    lm_buffer stream = {.allocator = p->out->allocator};
    lmi_deflate_append(&stream, bytes->data, bytes->size);
    const bool made = !stream.failed;
    member->deflated = made && stream.size < bytes->size;
    const lm_buffer *body = member->deflated ? &stream : bytes;
    member->crc = lmi_crc32(0, bytes->data, bytes->size);
    member->packed_size = (uint32_t)body->size;
    const bool done = made && fits(p, ZIP_LOCAL + strlen(member->path) + body->size);
    if (done) {
        put_header(p, member, false);
        lm_buffer_append(p->out, body->data, body->size);
    }
    lm_buffer_free(&stream);
    return done || (!made && lmi_fail_memory(p->error));
}

static bool put_member(const packer *p, packed *member) {
    lm_buffer bytes = {.allocator = p->out->allocator};
    bool ok = lmi_view_read(p->files, member->path, MAX_ARCHIVE, &bytes, p->error);
    member->start = (uint32_t)(p->out->size - p->start);
    member->size = member->packed_size = (uint32_t)bytes.size;
    if (ok && p->zip) {
        ok = put_zipped(p, member, &bytes);
    } else if (ok) {
        ok = fits(p, bytes.size);
        if (ok)
            lm_buffer_append(p->out, bytes.data, bytes.size);
    }
    lm_buffer_free(&bytes);
    return ok;
}

/* ---- Directories ---------------------------------------------------------------------------- */

static bool put_pak_directory(const packer *p) {
    const size_t at = p->out->size - p->start, size = p->num_members * PAK_ENTRY;
    if (!fits(p, size))
        return false;
    uint8_t *raw = lm_buffer_reserve(p->out, size);
    for (size_t i = 0; raw && i < p->num_members; i++, raw += PAK_ENTRY) {
        const packed *member = &p->members[i];
        memcpy(raw, member->path, strlen(member->path));
        lmi_put_u32(raw + PAK_NAME, member->start);
        lmi_put_u32(raw + PAK_NAME + 4, member->size);
    }
    if (!p->out->failed) {
        uint8_t *header = p->out->data + p->start;
        lmi_put_u32(header, PAK_IDENT);
        lmi_put_u32(header + 4, (uint32_t)at);
        lmi_put_u32(header + 8, (uint32_t)size);
    }
    return true;
}

static bool put_zip_directory(const packer *p) {
    const size_t at = p->out->size - p->start;
    uint64_t size = 0;
    for (size_t i = 0; i < p->num_members; i++)
        size += ZIP_CENTRAL + strlen(p->members[i].path);
    if (!fits(p, size + ZIP_END))
        return false;
    for (size_t i = 0; i < p->num_members; i++)
        put_header(p, &p->members[i], true);
    uint8_t *raw = lm_buffer_reserve(p->out, ZIP_END);
    if (raw) {
        lmi_put_u32(raw, ZIP_END_IDENT);
        lmi_put_u16(raw + 8, (uint16_t)p->num_members);
        lmi_put_u16(raw + 10, (uint16_t)p->num_members);
        lmi_put_u32(raw + 12, (uint32_t)size);
        lmi_put_u32(raw + 16, (uint32_t)at);
    }
    return true;
}

static bool put_archive(const packer *p) {
    if (!p->zip)
        lm_buffer_reserve(p->out, PAK_HEADER);
    for (size_t i = 0; i < p->num_members; i++)
        if (!put_member(p, &p->members[i]))
            return false;
    return p->zip ? put_zip_directory(p) : put_pak_directory(p);
}

/* ---- Reading back --------------------------------------------------------------------------- */

static bool check_member(const packer *p, const lm_archive *archive, const packed *member) {
    lm_buffer expected = {.allocator = p->out->allocator}, read = expected;
    bool ok = lmi_view_read(p->files, member->path, MAX_ARCHIVE, &expected, p->error) &&
              lm_archive_read(archive, member->path, MAX_ARCHIVE, &read, p->error);
    if (ok && (expected.size != read.size ||
               (expected.size > 0 && memcmp(expected.data, read.data, expected.size) != 0)))
        ok = lm_fail_plain(p->error, LM_CODE_IO, "%s changed while it was packed", member->path);
    lm_buffer_free(&expected);
    lm_buffer_free(&read);
    return ok;
}

static bool check_archive(const packer *p) {
    const lm_reader made = {.user = p->out->data + p->start, .size = p->out->size - p->start};
    const lm_memory memory = {.allocator = p->out->allocator};
    lm_archive *archive = lm_archive_open(p->format, &made, &memory, p->error);
    bool ok = archive != NULL;
    for (size_t i = 0; ok && i < p->num_members; i++)
        ok = check_member(p, archive, &p->members[i]);
    lm_archive_free(archive);
    return ok;
}

bool lm_archive_write(const lm_files *files, const char *const *paths, size_t num_paths,
                      const char *format, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const bool zip = format && strcmp(format, "pk3") == 0;
    if (!zip && (!format || strcmp(format, "pak") != 0))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "unknown archive format \"%s\": use pak or pk3", format ? format : "");
    const lm_list list = {"paths", paths, num_paths, sizeof *paths, "", 0};
    if (!lmi_view_valid(files, false, error) || !lmi_lists_valid("the archive", &list, 1, error))
        return false;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    packer p = {files, format, zip, out, out->size, NULL, 0, lmi_arena_new(&out->allocator), error};
    const bool ok = p.arena ? list_members(&p, paths, num_paths) && put_archive(&p) &&
                                  (out->failed || check_archive(&p))
                            : lmi_fail_memory(error);
    lmi_arena_delete(p.arena);
    return lmi_buffer_end(out, mark, ok, format, error);
}
