/* Archives: lists their members, finds them and unpacks them. */
#include "lerpmesh/files.h"

#include "core/crc.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "files/directory.h"
#include "files/file.h"
#include "files/os.h"
#include "files/path.h"
#include "packing/deflate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PEEKED ((size_t)4 << 20)

/* An archive is constant once it is opened. Listing uses memory of its own. */
typedef struct open_archive {
    lm_archive archive; /* first: the caller's view of this struct */
    lm_files files;
    lm_reader reader;
    int file; /* -1: the caller provides the reader */
    lm_directory directory;
} open_archive;

static const open_archive *of(const void *archive) {
    return archive;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Opens a regular file; never blocks on anything else. -1 with errno set. */
static int open_regular(const char *path, uint64_t *size) {
    int file = lmi_os_open(path, false);
    lm_path_kind kind = file < 0 ? LM_PATH_NOTHING : lmi_os_stat(file, size);
    if (file < 0 || kind == LM_PATH_FILE)
        return file;
    int problem = kind == LM_PATH_FOLDER ? EISDIR : kind == LM_PATH_OTHER ? EINVAL : errno;
    lmi_os_close(file);
    errno = problem;
    return -1;
}

static bool read_all_at(int file, uint64_t offset, uint8_t *bytes, size_t size) {
    for (int64_t got = 0; size > 0; offset += (uint64_t)got, bytes += got, size -= (size_t)got)
        if ((got = lmi_os_read_at(file, offset, bytes, size)) <= 0)
            return false;
    return true;
}

static bool read_file(void *user, uint64_t offset, void *bytes, size_t size) {
    return read_all_at(of(user)->file, offset, bytes, size);
}

static bool read_memory(void *user, uint64_t offset, void *bytes, size_t size) {
    memcpy(bytes, (const uint8_t *)user + offset, size);
    return true;
}

bool lm_archive_is(const char *path) {
    uint64_t size;
    uint8_t magic[4];
    int file = open_regular(path, &size);
    if (file < 0)
        return false;
    bool read = size >= sizeof magic && read_all_at(file, 0, magic, sizeof magic);
    lmi_os_close(file);
    return read && (memcmp(magic, "PACK", 4) == 0 || memcmp(magic, "PK\3\4", 4) == 0 ||
                    memcmp(magic, "PK\5\6", 4) == 0);
}

static lm_find archive_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    const lm_member *member = path ? lm_archive_find(user, path) : NULL;
    /* Of the paths that are not clean, only members' own names are accepted. */
    const bool found = member && member->code == LM_CODE_OK &&
                       (lmi_path_is_clean(path) || lmi_compare_letters(member->name, path) == 0);
    snprintf(actual, LM_PATH_SIZE, "%s", found ? lmi_member_address(user, member) : "");
    return found ? LM_FIND_FILE : LM_FIND_NOTHING;
}

static bool archive_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                         lm_error *error) {
    bool capped = max_size > 0 && max_size < LM_MAX_ARCHIVE_MEMBER;
    return lm_archive_read(user, path, capped ? max_size : 0, out, error);
}

static bool archive_peek(void *user, const char *path, size_t size, lm_buffer *out);

/* Returns the first entry that is not before a path; `exact`: as it is spelled, too. */
static size_t lower_bound(const lm_directory *directory, const char *path, bool exact) {
    size_t first = 0, end = directory->num_entries;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const char *name = directory->entries[middle].member.path;
        const int order = lmi_compare_letters(name, path);
        if (order < 0 || (order == 0 && exact && strcmp(name, path) < 0))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Lists the sound members below a folder, case-insensitive. The members of a folder are
 * consecutive, but those of a folder that is spelled in several ways are not, and folders' names
 * are unsorted. */
static bool archive_list(void *user, const char *folder, lm_list_each each, void *caller,
                         lm_error *error) {
    const open_archive *archive = user;
    const lm_directory *directory = &archive->directory;
    char prefix[LM_PATH_SIZE + 1];
    snprintf(prefix, sizeof prefix, "%s%s", folder, *folder ? "/" : "");
    size_t length = strlen(prefix);
    lm_heap heap = *lmi_arena_of(archive)->heap; /* the allocator, with this thread's own state */
    lm_arena arena = {.heap = &heap};
    lm_listing listing = {.arena = &arena};
    for (size_t i = lower_bound(directory, prefix, false); i < directory->num_entries; i++) {
        const lm_member *member = &directory->entries[i].member;
        if (strlen(member->path) < length || !lmi_same_letters(member->path, prefix, length))
            break;
        const char *name = member->path + length;
        size_t size = strcspn(name, "/");
        if (member->code == LM_CODE_OK)
            lmi_listing_add(&listing, name, size, name[size] ? LM_PATH_FOLDER : LM_PATH_FILE);
    }
    bool exists = listing.count > 0 || *folder == '\0';
    if (listing.failed)
        lmi_fail_memory(error);
    else if (!exists)
        lm_fail_plain(error, LM_CODE_IO, "no folder %s in %s", folder, archive->files.name);
    const bool listed = exists && !listing.failed;
    lmi_listing_sort(&listing);
    for (size_t i = 0; listed && i < listing.count; i++)
        if (!each(caller, listing.names[i].name, listing.names[i].kind == LM_PATH_FOLDER))
            break;
    lmi_arena_free(&arena);
    return listed;
}

static bool list_members(open_archive *o, lm_arena *arena, lm_error *error) {
    const size_t count = o->directory.num_entries;
    const lm_member **members = lmi_arena_alloc(arena, count, sizeof(lm_member *));
    if (!members)
        return lmi_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        members[i] = &o->directory.entries[i].member;
    o->archive = (lm_archive){o->directory.format, (uint32_t)count, members, &o->files};
    return true;
}

/* `file` is an open file, which the archive takes over; -1 if the caller provides the reader. */
static lm_archive *make_archive(const lm_reader *reader, int file, const char *name,
                                const lm_memory *memory, lm_error *error) {
    open_archive *o = lmi_object_new(memory ? &memory->allocator : NULL, sizeof *o);
    lm_arena *arena = o ? lmi_arena_of(o) : NULL;
    const char *copy = o ? lmi_copy_text(arena, name) : NULL;
    if (copy) {
        *o = (open_archive){.files = {.user = o,
                                      .name = copy,
                                      .find = archive_find,
                                      .read = archive_read,
                                      .list = archive_list,
                                      .peek = archive_peek},
                            .reader = *reader,
                            .file = file};
        if (file >= 0)
            o->reader.user = o;
        if (!reader->read_at)
            o->reader.read_at = file >= 0 ? read_file : read_memory;
        if (lmi_directory_read(&o->reader, arena, &o->directory, error) &&
            list_members(o, arena, error))
            return &o->archive;
    } else {
        lmi_fail_memory(error);
    }
    if (file >= 0)
        lmi_os_close(file);
    lmi_object_free(o);
    return NULL;
}

lm_archive *lm_archive_open(const char *path, const lm_reader *reader, const lm_memory *memory,
                            lm_error *error) {
    lm_reader own = {0};
    if (!path) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the path of the archive is NULL");
        return NULL;
    }
    if (reader && reader->size > 0 && !reader->read_at && !reader->user) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "read_at and user of the reader are NULL");
        return NULL;
    }
    if (!lmi_allocator_valid(memory ? &memory->allocator : NULL, "memory", NULL, error) ||
        (reader && !LM_RESERVED_VALID(reader, error, "the reader")))
        return NULL;
    if (reader)
        return make_archive(reader, -1, path, memory, error);
    int file = open_regular(path, &own.size);
    if (file >= 0)
        return make_archive(&own, file, path, memory, error);
    lm_fail_plain(error, LM_CODE_IO, "cannot open %s: %s", path, strerror(errno));
    return NULL;
}

void lm_archive_free(lm_archive *archive) {
    if (!archive)
        return;
    if (of(archive)->file >= 0)
        lmi_os_close(of(archive)->file);
    lmi_object_free((void *)archive);
}

/* ---- Members --------------------------------------------------------------------------------- */

/* Finds a name with ".." parts. */
static const lm_entry *find_parent(const lm_directory *directory, const char *name) {
    const lm_entry *any = NULL;
    size_t first = 0, end = directory->num_parents;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (lmi_compare_letters(directory->parents[middle]->member.name, name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < directory->num_parents; first++) {
        const lm_entry *entry = directory->parents[first];
        if (lmi_compare_letters(entry->member.name, name) != 0)
            break;
        if (strcmp(entry->member.name, name) == 0)
            return entry;
        any = any && (any->member.code == LM_CODE_OK || entry->member.code != LM_CODE_OK) ? any
                                                                                          : entry;
    }
    return any;
}

static const lm_entry *find_entry(const lm_directory *directory, const char *path) {
    const lm_entry *any = NULL;
    char resolved[LM_PATH_SIZE];
    if (strstr(path, "..") && lmi_path_clean(path, resolved)) {
        const lm_entry *literal = find_parent(directory, path);
        if (literal)
            return literal;
        path = resolved;
    }
    const size_t exact = lower_bound(directory, path, true);
    if (exact < directory->num_entries && strcmp(directory->entries[exact].member.path, path) == 0)
        return &directory->entries[exact]; /* of several, the first is the valid one */
    for (size_t i = lower_bound(directory, path, false); i < directory->num_entries; i++) {
        const lm_entry *entry = &directory->entries[i];
        if (lmi_compare_letters(entry->member.path, path) != 0)
            break;
        if (entry->member.code == LM_CODE_OK)
            return entry;
        any = any ? any : entry;
    }
    return any;
}

const lm_member *lm_archive_find(const lm_archive *archive, const char *path) {
    const lm_entry *entry = archive && path ? find_entry(&of(archive)->directory, path) : NULL;
    return entry ? &entry->member : NULL;
}

const char *lmi_member_address(const lm_archive *archive, const lm_member *member) {
    return lm_archive_find(archive, member->path) == member ? member->path : member->name;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool fail_unpack(lm_error *error, const lm_entry *entry, const char *problem) {
    return lm_fail_plain(error, LM_CODE_BAD_MEMBER, "cannot unpack %s: %s", entry->member.path,
                         problem);
}

static bool fail_memory(lm_error *error, const lm_entry *entry) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory", entry->member.path);
}

static bool inflate_member(const open_archive *archive, const lm_entry *entry, uint64_t position,
                           const lm_allocator *memory, uint8_t *bytes, lm_error *error) {
    const lm_member *member = &entry->member;
    const lm_allocator from = lmi_allocator_or_default(memory);
    size_t size = (size_t)member->size, packed = (size_t)member->packed_size;
    uint8_t *stream = from.alloc(from.user, packed + LM_INFLATE_MARGIN);
    if (!stream)
        return fail_memory(error, entry);
    memset(stream + packed, 0, LM_INFLATE_MARGIN);
    bool read = lmi_read_at(&archive->reader, position, stream, packed);
    lm_code code = read ? lmi_inflate(stream, packed, bytes, &size) : LM_CODE_IO;
    from.free(from.user, stream, packed + LM_INFLATE_MARGIN);
    if (!read)
        return fail_unpack(error, entry, "it cannot be read");
    if (code == LM_CODE_NOT_BUILT_IN)
        return lm_fail_plain(error, code, "cannot unpack %s: this lerpmesh was built without stb",
                             member->path);
    if (code != LM_CODE_OK)
        return fail_unpack(error, entry, "its compressed data are damaged");
    if (size != member->size)
        return lm_fail_plain(error, LM_CODE_BAD_MEMBER,
                             "%s unpacks to %zu bytes, but the directory lists %llu", member->path,
                             size, (unsigned long long)member->size);
    return true;
}

static bool unpack(const open_archive *archive, const lm_entry *entry, const lm_allocator *memory,
                   uint8_t *bytes, lm_error *error) {
    uint64_t position;
    size_t size = (size_t)entry->member.size;
    if (!lmi_entry_locate(&archive->reader, entry, &position))
        return fail_unpack(error, entry, "its local header is damaged");
    if (entry->deflated) {
        if (!inflate_member(archive, entry, position, memory, bytes, error))
            return false;
    } else if (!lmi_read_at(&archive->reader, position, bytes, size)) {
        return fail_unpack(error, entry, "it cannot be read");
    }
    return !entry->zipped || lmi_crc32(0, bytes, size) == entry->crc ||
           lm_fail_plain(error, LM_CODE_BAD_MEMBER,
                         "%s is damaged: its checksum differs from the directory's",
                         entry->member.path);
}

bool lm_archive_read(const lm_archive *archive, const char *path, size_t max_size, lm_buffer *out,
                     lm_error *error) {
    if (!LM_GIVEN(error, archive, path, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const lm_entry *entry = find_entry(&of(archive)->directory, path);
    size_t limit = max_size ? max_size : LM_MAX_ARCHIVE_MEMBER;
    if (!entry)
        return lm_fail_plain(error, LM_CODE_IO, "no file %s in %s", path, archive->files->name);
    if (entry->member.code != LM_CODE_OK)
        return lm_fail_plain(error, entry->member.code, "cannot read %s in %s: %s", path,
                             archive->files->name, entry->member.problem);
    if (entry->member.size > limit)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "%s unpacks to %llu bytes, which exceeds the limit of %zu", path,
                             (unsigned long long)entry->member.size, limit);
    if (entry->deflated && !lmi_inflates_to(entry->member.packed_size, entry->member.size))
        return fail_unpack(error, entry,
                           "its compressed data cannot have the size in the directory");
    size_t before = out->size;
    uint8_t none[1], *bytes = none;
    if (entry->member.size > 0)
        bytes = lm_buffer_reserve(out, (size_t)entry->member.size);
    const bool reserved = bytes && !out->failed;
    bool done = reserved ? unpack(of(archive), entry, &out->allocator, bytes, error)
                         : fail_memory(error, entry);
    if (!done)
        lmi_restore(out, before);
    return done;
}

/* A compressed member can only be unpacked as a whole, so this rejects large ones. */
static bool archive_peek(void *user, const char *path, size_t size, lm_buffer *out) {
    const open_archive *archive = user;
    const lm_entry *entry = find_entry(&archive->directory, path);
    const size_t before = out->size;
    uint64_t position;
    if (!entry || entry->member.code != LM_CODE_OK)
        return false;
    size = entry->member.size < size ? (size_t)entry->member.size : size;
    bool done;
    if (entry->deflated) {
        lm_error error;
        done = lm_archive_read(user, path, MAX_PEEKED, out, &error);
        out->failed = out->failed || (!done && error.code == LM_CODE_OUT_OF_MEMORY);
    } else {
        uint8_t *bytes = lm_buffer_reserve(out, size);
        done = bytes && lmi_entry_locate(&archive->reader, entry, &position) &&
               lmi_read_at(&archive->reader, position, bytes, size);
    }
    out->size = before + (done ? size : 0);
    return done;
}
