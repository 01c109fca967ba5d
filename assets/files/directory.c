/* Reads the directories of PAK and zip files, as untrusted input. */
#include "files/directory.h"

#include "core/bytes.h"
#include "core/report.h"
#include "core/text.h"
#include "files/path.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MEMBERS ((uint32_t)1 << 20)
#define MAX_ZIP_DIRECTORY ((uint64_t)64 << 20)
#define MAX_NAME 510   /* bytes; lmi_path_clean accepts no longer one */
#define MAX_FOLDERS 64 /* in a path */
#define MAX_SHARED 16  /* times the size of a PAK */

bool lmi_read_at(const lm_reader *reader, uint64_t offset, void *out, size_t size) {
    return lmi_fits(reader->size, offset, size, 1) &&
           (size == 0 || reader->read_at(reader->user, offset, out, size));
}

/* The state while a directory is read. Its result stays in `arena`; the raw bytes are in
 * `scratch`. */
typedef struct reading {
    const lm_reader *reader;
    lm_arena *arena, scratch;
    lm_directory *directory;
    lm_error *error;
} reading;

/* Returns `size` bytes from a position, in a block with room for one more. */
static uint8_t *read_bytes(reading *r, uint64_t offset, size_t size) {
    uint8_t *bytes = lmi_arena_alloc(&r->scratch, (uint64_t)size + 1, 1);
    if (bytes && lmi_read_at(r->reader, offset, bytes, size))
        return bytes;
    if (bytes)
        lmi_fail(r->error, LM_CODE_IO, r->directory->format, "directory", 0,
                 "cannot read the directory");
    else
        lmi_fail_memory(r->error);
    return NULL;
}

static bool allocate(reading *r, uint64_t members, uint64_t names) {
    lm_directory *directory = r->directory;
    directory->entries = lmi_arena_alloc(r->arena, members + 1, sizeof *directory->entries);
    directory->names = lmi_arena_alloc(r->arena, names + 1, 1);
    return (directory->entries && directory->names) || lmi_fail_memory(r->error);
}

static void mark_bad(lm_entry *entry, lm_code code, const char *problem) {
    if (entry->member.code != LM_CODE_OK)
        return;
    entry->member.code = code;
    entry->member.problem = problem;
}

/* Resolves ".." in a name. Marks names that no file can have, and those that are too expensive to
 * process. A colon marks a drive, or an alternate stream of a file, on systems that have them. */
static void check_name(reading *r, lm_entry *entry) {
    char resolved[LM_PATH_SIZE];
    const char *path = entry->member.name;
    size_t length = 0, folders = 0;
    /* Quake II's own archive has "models/monsters/tank/../ctank/skin.pcx". */
    if (strstr(path, "..") && lmi_path_clean(path, resolved) && strcmp(path, resolved) != 0) {
        path = lmi_copy_text(r->arena, resolved);
        if (!path)
            return;
        entry->member.path = path;
        r->directory->num_parents++;
    }
    for (; path[length]; length++)
        folders += path[length] == '/';
    if (length == 0)
        mark_bad(entry, LM_CODE_BAD_ARCHIVE, "it has no name");
    else if (length > MAX_NAME || folders > MAX_FOLDERS)
        mark_bad(entry, LM_CODE_LIMIT, "its name has more than 510 bytes or 64 folders");
    else if (!lmi_path_is_clean(path) || strchr(path, ':'))
        mark_bad(entry, LM_CODE_UNSAFE_PATH,
                 "its name leads outside the archive, or is not a valid file name");
}

/* ---- PAK ------------------------------------------------------------------------------------- */

/* `name`: storage for PAK_NAME bytes and a NUL. */
static void add_pak_member(reading *r, const uint8_t *raw, char *name) {
    lm_directory *directory = r->directory;
    const uint64_t file_size = r->reader->size;
    const size_t length = lmi_field_length(raw, PAK_NAME);
    memcpy(name, raw, length);
    name[length] = '\0';
    uint64_t start = lmi_get_u32(raw + PAK_NAME), size = lmi_get_u32(raw + PAK_NAME + 4);
    uint32_t order = (uint32_t)directory->num_entries;
    lm_entry *entry = &directory->entries[directory->num_entries++];
    *entry = (lm_entry){.member = {name, size, size, LM_CODE_OK, "", order, name},
                        .start = start,
                        .end = start + size};
    if (length == PAK_NAME)
        mark_bad(entry, LM_CODE_BAD_ARCHIVE, "its name has no terminating NUL");
    check_name(r, entry);
    if (start > file_size || size > file_size - start)
        mark_bad(entry, LM_CODE_BAD_MEMBER, "it lies outside the archive");
}

static bool read_pak(reading *r, const uint8_t *header) {
    lm_directory *directory = r->directory;
    lm_error *error = r->error;
    uint64_t file_size = r->reader->size, offset = lmi_get_u32(header + 4),
             size = lmi_get_u32(header + 8);
    uint64_t count = size / PAK_ENTRY;
    directory->format = "pak";
    directory->limit = file_size;
    if (offset > file_size || size > file_size - offset)
        return lmi_fail(error, LM_CODE_BAD_ARCHIVE, "pak", "header", 4,
                        "the directory (%u bytes at %u) lies outside the file", (unsigned)size,
                        (unsigned)offset);
    if (size % PAK_ENTRY != 0)
        return lmi_fail(error, LM_CODE_BAD_ARCHIVE, "pak", "header", 8,
                        "the directory has %u bytes, which is not a multiple of 64",
                        (unsigned)size);
    if (count > MAX_MEMBERS)
        return lmi_fail(error, LM_CODE_LIMIT, "pak", "header", 8,
                        "the archive has more than %u members", (unsigned)MAX_MEMBERS);
    if (!allocate(r, count, count * (PAK_NAME + 1)))
        return false;
    const uint8_t *bytes = read_bytes(r, offset, (size_t)size);
    for (size_t i = 0; bytes && i < count; i++)
        add_pak_member(r, bytes + i * PAK_ENTRY, directory->names + i * (PAK_NAME + 1));
    return bytes != NULL;
}

/* ---- Zip ------------------------------------------------------------------------------------- */

enum {
    ZIP_MAX_COMMENT = 65535,
    ZIP_HOST_FAT = 0,
    ZIP_ENCRYPTED = 1
};

typedef struct zip_end {
    uint64_t shift; /* of every offset: the number of bytes in front of the zip */
    uint64_t start, size;
    uint32_t count;
} zip_end;

static bool parse_zip_end(const uint8_t *at, uint64_t position, zip_end *end, lm_error *error) {
    uint32_t size = lmi_get_u32(at + 12), offset = lmi_get_u32(at + 16);
    *end = (zip_end){.size = size, .count = lmi_get_u16(at + 10)};
    if (end->count == 0xFFFF || offset == UINT32_MAX)
        return lmi_fail(error, LM_CODE_BAD_ARCHIVE, "pk3", "end record", (size_t)position,
                        "this is a zip64 archive, which no game reads");
    if (lmi_get_u16(at + 4) != 0 || lmi_get_u16(at + 6) != 0 || lmi_get_u16(at + 8) != end->count)
        return lmi_fail(error, LM_CODE_BAD_ARCHIVE, "pk3", "end record", (size_t)position,
                        "this is one part of a multi-part archive");
    if (size > position || offset > position - size)
        return lmi_fail(error, LM_CODE_BAD_ARCHIVE, "pk3", "end record", (size_t)position,
                        "the directory (%u bytes at %u) lies outside the file", size, offset);
    if (size > MAX_ZIP_DIRECTORY)
        return lmi_fail(error, LM_CODE_LIMIT, "pk3", "end record", (size_t)position,
                        "the directory has more than %u bytes", (unsigned)MAX_ZIP_DIRECTORY);
    end->start = position - size;
    end->shift = end->start - offset;
    return true;
}

/* Finds the last end record whose comment ends the file. */
static bool find_zip_end(reading *r, zip_end *end) {
    lm_error *error = r->error;
    uint64_t file_size = r->reader->size;
    size_t size = file_size < ZIP_END + ZIP_MAX_COMMENT ? (size_t)file_size
                                                        : (size_t)(ZIP_END + ZIP_MAX_COMMENT);
    uint8_t *tail = read_bytes(r, file_size - size, size);
    bool ok = tail != NULL, found = false;
    for (size_t at = size < ZIP_END ? 0 : size - ZIP_END + 1; ok && !found && at-- > 0;) {
        found = memcmp(tail + at, "PK\5\6", 4) == 0 &&
                lmi_get_u16(tail + at + 20) == size - at - ZIP_END;
        if (found)
            ok = parse_zip_end(tail + at, file_size - size + at, end, error);
    }
    if (ok && !found)
        return lmi_fail(error, LM_CODE_TRUNCATED, "pk3", "end record", (size_t)file_size,
                        "the end record is missing: the file is cut off, or extra bytes follow it");
    return ok;
}

/* Marks a member as unreadable if its directory record is unsafe or unsupported. */
static void check_zip_member(reading *r, lm_entry *entry, const uint8_t *raw, const zip_end *end) {
    uint32_t method = lmi_get_u16(raw + 10), mode = lmi_get_u32(raw + 38) >> 16;
    uint64_t limit = end->start;
    check_name(r, entry);
    if (mode >> 12 == 10) /* S_IFLNK */
        mark_bad(entry, LM_CODE_UNSAFE_PATH, "it is a symbolic link");
    if (lmi_get_u16(raw + 8) & ZIP_ENCRYPTED)
        mark_bad(entry, LM_CODE_BAD_MEMBER, "it is encrypted");
    if (method != ZIP_STORED && method != ZIP_DEFLATED)
        mark_bad(entry, LM_CODE_BAD_MEMBER, "it uses a compression method that no game reads");
    if (entry->start >= limit || entry->end > limit)
        mark_bad(entry, LM_CODE_BAD_MEMBER, "it lies outside the archive");
    if (method == ZIP_STORED && entry->member.size != entry->member.packed_size)
        mark_bad(entry, LM_CODE_BAD_MEMBER, "it is not compressed, but its two sizes differ");
}

/* Adds the record at `raw`, whose name was copied to `name`. Skips folders, which have no
 * contents. */
static void add_zip_member(reading *r, const uint8_t *raw, const zip_end *end, char *name,
                           size_t length) {
    lm_directory *directory = r->directory;
    uint32_t order = (uint32_t)directory->num_entries;
    lm_entry *entry = &directory->entries[directory->num_entries];
    if (raw[5] == ZIP_HOST_FAT)
        for (size_t i = 0; i < length; i++)
            if (name[i] == '\\')
                name[i] = '/';
    if (length > 0 && name[length - 1] == '/' && lmi_get_u32(raw + 24) == 0)
        return;
    uint64_t packed = lmi_get_u32(raw + 20), start = end->shift + lmi_get_u32(raw + 42);
    *entry =
        (lm_entry){.member = {name, lmi_get_u32(raw + 24), packed, LM_CODE_OK, "", order, name},
                   .start = start,
                   .end = start + ZIP_LOCAL + length + packed,
                   .crc = lmi_get_u32(raw + 16),
                   .zipped = true,
                   .deflated = lmi_get_u16(raw + 10) == ZIP_DEFLATED};
    if (strlen(name) != length)
        mark_bad(entry, LM_CODE_UNSAFE_PATH, "its name contains a NUL");
    check_zip_member(r, entry, raw, end);
    directory->num_entries++;
}

static bool parse_zip(reading *r, const uint8_t *bytes, const zip_end *end) {
    size_t at = 0, size = (size_t)end->size, used = 0;
    for (uint32_t i = 0; i < end->count; i++) {
        size_t position = (size_t)end->start + at;
        const uint8_t *raw = bytes + at;
        if (size - at < ZIP_CENTRAL || memcmp(raw, "PK\1\2", 4) != 0)
            return lmi_fail(r->error, LM_CODE_BAD_ARCHIVE, "pk3", "directory", position,
                            "the directory has no record of member %u here", i);
        size_t length = lmi_get_u16(raw + 28), record = ZIP_CENTRAL + length;
        record += lmi_get_u16(raw + 30) + (size_t)lmi_get_u16(raw + 32);
        if (record > size - at)
            return lmi_fail(r->error, LM_CODE_BAD_ARCHIVE, "pk3", "directory", position,
                            "the record of member %u extends beyond the directory", i);
        char *name = r->directory->names + used;
        memcpy(name, raw + ZIP_CENTRAL, length);
        name[length] = '\0';
        used += length + 1;
        add_zip_member(r, raw, end, name, length);
        at += record;
    }
    return true;
}

static bool read_zip(reading *r) {
    zip_end end = {0};
    r->directory->format = "pk3";
    if (!find_zip_end(r, &end) || !allocate(r, end.count, end.size + end.count))
        return false;
    r->directory->limit = end.start;
    const uint8_t *bytes = read_bytes(r, end.start, (size_t)end.size);
    return bytes && parse_zip(r, bytes, &end);
}

/* Each member of a zip has a local header in front of its bytes, whose name and extra field may be
 * longer than the directory's. The member's bytes still must not reach into the next member. */
bool lmi_entry_locate(const lm_reader *reader, const lm_entry *entry, uint64_t *position) {
    uint8_t raw[ZIP_LOCAL];
    *position = entry->start;
    if (!entry->zipped)
        return true;
    if (!lmi_read_at(reader, entry->start, raw, sizeof raw) || memcmp(raw, "PK\3\4", 4) != 0 ||
        lmi_get_u16(raw + 8) != (entry->deflated ? ZIP_DEFLATED : ZIP_STORED))
        return false;
    *position += ZIP_LOCAL + (uint64_t)lmi_get_u16(raw + 26) + lmi_get_u16(raw + 28);
    return lmi_fits(entry->limit, *position, entry->member.packed_size, 1);
}

/* ---- Conflicts between members --------------------------------------------------------------- */

/* Sorts the member first that the games read. In a PAK, they search from the first one on (Quake's
 * COM_FindFile, Quake II's FS_FOpenFile); in a zip, a later one comes first in its chain of hashes
 * (Quake III's FS_LoadZipFile). */
static int compare_order(const lm_entry *a, const lm_entry *b) {
    return (a->member.order < b->member.order) == a->zipped ? 1 : -1;
}

static int compare_entries(const void *left, const void *right) {
    const lm_entry *a = left, *b = right;
    int difference = lmi_compare_letters(a->member.path, b->member.path);
    if (difference == 0)
        difference = strcmp(a->member.path, b->member.path);
    if (difference == 0)
        difference = (a->member.name != a->member.path) - (b->member.name != b->member.path);
    if (difference == 0)
        difference = strcmp(a->member.name, b->member.name);
    return difference ? difference : compare_order(a, b);
}

static int compare_names(const void *left, const void *right) {
    const lm_entry *a = *(lm_entry *const *)left, *b = *(lm_entry *const *)right;
    int difference = lmi_compare_letters(a->member.name, b->member.name);
    if (difference == 0)
        difference = strcmp(a->member.name, b->member.name);
    return difference ? difference : compare_order(a, b);
}

static int compare_starts(const void *left, const void *right) {
    const lm_entry *a = *(lm_entry *const *)left, *b = *(lm_entry *const *)right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return compare_order(a, b);
}

/* Returns the rank of a byte in an order that puts a folder right before its contents. */
static int rank(char c) {
    return c == '/' ? 1 : c ? (unsigned char)c + 1 : 0;
}

static int compare_trees(const void *left, const void *right) {
    const char *a = (*(lm_entry *const *)left)->member.path;
    const char *b = (*(lm_entry *const *)right)->member.path;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return rank(*a) - rank(*b);
}

/* In a PAK, members may have exactly the same bytes: packers store equal files once. But all files
 * together must not be much larger than the archive. */
static bool may_share_bytes(const lm_directory *directory) {
    uint64_t sum = 0;
    for (size_t i = 0; i < directory->num_entries; i++)
        if (directory->entries[i].member.code == LM_CODE_OK)
            sum += directory->entries[i].member.size;
    return strcmp(directory->format, "pak") == 0 && sum <= MAX_SHARED * directory->limit;
}

/* Marks members that share bytes: a zip bomb, or damage. Sets each entry's limit. */
static void mark_overlaps(const lm_directory *directory, lm_entry **order) {
    const bool may_share = may_share_bytes(directory);
    lm_entry *before = NULL; /* the one that ends last */
    qsort((void *)order, directory->num_entries, sizeof(lm_entry *), compare_starts);
    for (size_t i = 0; i < directory->num_entries; i++) {
        lm_entry *entry = order[i];
        if (entry->start == entry->end)
            continue;
        bool identical = before && before->start == entry->start && before->end == entry->end;
        if (before && entry->start < before->end && !(identical && may_share)) {
            mark_bad(before, LM_CODE_BAD_MEMBER, "it overlaps another member");
            mark_bad(entry, LM_CODE_BAD_MEMBER, "it overlaps another member");
        }
        if (!before || entry->end > before->end)
            before = entry;
    }
    uint64_t limit = directory->limit;
    for (size_t i = directory->num_entries; i-- > 0; limit = order[i]->start)
        order[i]->limit = limit;
}

/* Marks files with the name of a folder, which cannot both be unpacked. */
static void mark_folders(const lm_directory *directory, lm_entry **order) {
    size_t count = 0;
    for (size_t i = 0; i < directory->num_entries; i++)
        if (directory->entries[i].member.code == LM_CODE_OK)
            order[count++] = &directory->entries[i];
    qsort((void *)order, count, sizeof(lm_entry *), compare_trees);
    for (size_t i = 1; i < count; i++) {
        const char *file = order[i - 1]->member.path, *next = order[i]->member.path;
        const size_t length = strlen(file);
        if (strncmp(file, next, length) == 0 && next[length] == '/')
            mark_bad(order[i - 1], LM_CODE_BAD_ARCHIVE, "a folder has the same name");
    }
}

static bool check_conflicts(reading *r) {
    lm_directory *directory = r->directory;
    const size_t count = directory->num_entries;
    lm_entry **order = lmi_arena_alloc(&r->scratch, count, sizeof(lm_entry *));
    if (!order)
        return lmi_fail_memory(r->error);
    for (size_t i = 0; i < count; i++)
        order[i] = &directory->entries[i];
    mark_overlaps(directory, order);
    qsort(directory->entries, count, sizeof *directory->entries, compare_entries);
    /* Mark members that others of exactly the same name hide. */
    for (size_t i = 1; i < directory->num_entries; i++) {
        lm_member *member = &directory->entries[i].member;
        if (strcmp(directory->entries[i - 1].member.name, member->name) != 0)
            continue;
        member->code = LM_CODE_BAD_ARCHIVE;
        member->problem = directory->entries[i].zipped
                              ? "as in the games, a later member of the same name hides it"
                              : "as in the games, an earlier member of the same name hides it";
    }
    mark_folders(directory, order);
    return true;
}

/* Lists the entries whose name has ".." parts. */
static bool list_parents(reading *r) {
    lm_directory *directory = r->directory;
    const size_t count = directory->num_parents;
    directory->parents = lmi_arena_alloc(r->arena, count, sizeof(lm_entry *));
    if (!directory->parents || lmi_arena_failed(r->arena))
        return lmi_fail_memory(r->error);
    directory->num_parents = 0;
    for (size_t i = 0; i < directory->num_entries; i++)
        if (directory->entries[i].member.name != directory->entries[i].member.path)
            directory->parents[directory->num_parents++] = &directory->entries[i];
    if (count > 0)
        qsort((void *)directory->parents, count, sizeof(lm_entry *), compare_names);
    return true;
}

bool lmi_directory_read(const lm_reader *reader, lm_arena *arena, lm_directory *directory,
                        lm_error *error) {
    uint8_t header[PAK_HEADER];
    reading r = {reader, arena, {.heap = arena->heap}, directory, error};
    *directory = (lm_directory){0};
    if (!lmi_read_at(reader, 0, header, sizeof header))
        return lm_fail_plain(error, LM_CODE_TRUNCATED, "the file is too short for an archive");
    const bool pak = memcmp(header, "PACK", 4) == 0;
    if (!pak && memcmp(header, "PK", 2) != 0)
        return lm_fail_plain(error, LM_CODE_UNKNOWN_FORMAT, "not a PAK or PK3");
    const bool ok =
        (pak ? read_pak(&r, header) : read_zip(&r)) && check_conflicts(&r) && list_parents(&r);
    lmi_arena_free(&r.scratch);
    return ok;
}
