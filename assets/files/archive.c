/* Archives: what members there are, which may be read, and what they unpack to. */
#include "lerpmesh/archive.h"

#include "core/report.h"
#include "files/directory.h"
#include "files/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct lm_archive {
    lm_files files;
    char *name;
    int descriptor;
    lm_directory directory;
    lm_mount mount;
};

/* ---- Opening ----------------------------------------------------------------------------------
 */

/* Opens a regular file, without waiting for what is none. -1 with errno set. */
static int open_regular(const char *path, uint64_t *size) {
    struct stat info;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)) {
        *size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
        return descriptor;
    }
    bool folder = S_ISDIR(info.st_mode);
    close(descriptor);
    errno = folder ? EISDIR : EINVAL;
    return -1;
}

bool lm_archive_is(const char *path) {
    uint64_t size;
    uint8_t magic[4];
    int descriptor = open_regular(path, &size);
    if (descriptor < 0)
        return false;
    bool read = lm_read_at(descriptor, 0, magic, sizeof magic);
    close(descriptor);
    return read && (memcmp(magic, "PACK", 4) == 0 || memcmp(magic, "PK\3\4", 4) == 0 ||
                    memcmp(magic, "PK\5\6", 4) == 0);
}

static lm_find archive_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    const lm_member *member = lm_archive_find(user, path);
    bool found = member && member->code == LM_CODE_OK;
    actual[0] = '\0';
    if (found)
        memcpy(actual, member->path, strlen(member->path) + 1);
    return found ? LM_FIND_FILE : LM_FIND_NOTHING;
}

static bool archive_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                         lm_error *error) {
    bool capped = max_size > 0 && max_size < LM_ARCHIVE_MAX_MEMBER;
    return lm_archive_read(user, path, capped ? max_size : 0, out, error);
}

static bool open_archive(lm_archive *archive, const char *path, lm_error *error) {
    uint64_t size;
    size_t length = strlen(path) + 1;
    archive->name = malloc(length);
    if (!archive->name)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "there is not enough memory");
    memcpy(archive->name, path, length);
    archive->descriptor = open_regular(path, &size);
    if (archive->descriptor < 0)
        return lm_fail_plain(error, LM_CODE_IO, "cannot open %s: %s", path, strerror(errno));
    archive->files = (lm_files){archive, archive->name, archive_find, archive_read};
    /* PhysicsFS takes an empty zip for none; it is not asked for what has nothing to unpack. */
    return lm_directory_read(archive->descriptor, size, &archive->directory, error) &&
           (archive->directory.num_entries == 0 ||
            lm_mount_open(&archive->mount, archive->descriptor, size, archive->directory.format,
                          error));
}

lm_archive *lm_archive_open(const char *path, lm_error *error) {
    lm_archive *archive = calloc(1, sizeof *archive);
    if (!archive) {
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "there is not enough memory");
        return NULL;
    }
    archive->descriptor = -1;
    if (open_archive(archive, path, error))
        return archive;
    lm_archive_close(archive);
    return NULL;
}

void lm_archive_close(lm_archive *archive) {
    if (!archive)
        return;
    lm_mount_close(&archive->mount);
    lm_directory_free(&archive->directory);
    if (archive->descriptor >= 0)
        close(archive->descriptor);
    free(archive->name);
    free(archive);
}

/* ---- Members ----------------------------------------------------------------------------------
 */

const char *lm_archive_format(const lm_archive *archive) {
    return archive->directory.format;
}

size_t lm_archive_num_members(const lm_archive *archive) {
    return archive->directory.num_entries;
}

const lm_member *lm_archive_member(const lm_archive *archive, size_t index) {
    return &archive->directory.entries[index].member;
}

const lm_files *lm_archive_files(const lm_archive *archive) {
    return &archive->files;
}

/* The first entry that is not before `path`, letters in either case. */
static size_t lower_bound(const lm_directory *directory, const char *path) {
    size_t first = 0, end = directory->num_entries;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (lm_compare_letters(directory->entries[middle].member.path, path) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static const lm_entry *find_entry(const lm_directory *directory, const char *path) {
    const lm_entry *sound = NULL, *any = NULL;
    for (size_t i = lower_bound(directory, path); i < directory->num_entries; i++) {
        const lm_entry *entry = &directory->entries[i];
        if (lm_compare_letters(entry->member.path, path) != 0)
            break;
        if (strcmp(entry->member.path, path) == 0)
            return entry; /* the first of its spelling is the one that counts */
        any = any ? any : entry;
        if (!sound && entry->member.code == LM_CODE_OK)
            sound = entry;
    }
    return sound ? sound : any;
}

const lm_member *lm_archive_find(const lm_archive *archive, const char *path) {
    const lm_entry *entry = find_entry(&archive->directory, path);
    return entry ? &entry->member : NULL;
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

/* CRC-32 as zip and PNG have it (ISO 3309), half a byte at a time. */
static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t table[16], crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (int bit = 0; bit < 4; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320u : 0);
    }
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static bool check_contents(const lm_entry *entry, const uint8_t *data, size_t size,
                           lm_error *error) {
    const char *path = entry->member.path;
    if (size != entry->member.size)
        return lm_fail_plain(error, LM_CODE_BAD_MEMBER,
                             "%.80s unpacks to %zu bytes, but the directory says %llu", path, size,
                             (unsigned long long)entry->member.size);
    if (entry->has_crc && crc_of(data, size) != entry->crc)
        return lm_fail_plain(error, LM_CODE_BAD_MEMBER,
                             "%.80s is damaged: its checksum is not that of the directory", path);
    return true;
}

static bool unpack(const lm_archive *archive, const lm_entry *entry, lm_buffer *out,
                   lm_error *error) {
    const char *problem = "";
    size_t before = out->size;
    bool ok = lm_mount_read(&archive->mount, entry->member.path, entry->member.size, out, &problem);
    if (!ok)
        lm_fail_plain(error, LM_CODE_BAD_MEMBER, "%.80s cannot be unpacked: %s", entry->member.path,
                      problem);
    else if (out->failed)
        ok = lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%.80s: there is not enough memory",
                           entry->member.path);
    else
        ok = check_contents(entry, before < out->size ? out->data + before : NULL,
                            out->size - before, error);
    if (!ok)
        out->size = before;
    return ok;
}

bool lm_archive_read(const lm_archive *archive, const char *path, size_t max_size, lm_buffer *out,
                     lm_error *error) {
    const lm_entry *entry = find_entry(&archive->directory, path);
    size_t most = max_size ? max_size : LM_ARCHIVE_MAX_MEMBER;
    if (!entry)
        return lm_fail_plain(error, LM_CODE_IO, "there is no %.80s in %s", path, archive->name);
    if (entry->member.code != LM_CODE_OK)
        return lm_fail_plain(error, entry->member.code, "%.80s in %.80s is not read: %s", path,
                             archive->name, entry->member.problem);
    if (entry->member.size > most)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "%.80s unpacks to %llu bytes, more than the limit of %zu", path,
                             (unsigned long long)entry->member.size, most);
    return unpack(archive, entry, out, error);
}

bool lm_archive_read_file(const lm_archive *archive, const char *path, size_t max_size,
                          lm_file *file, lm_error *error) {
    lm_buffer bytes = {0};
    *file = (lm_file){0};
    if (!lm_archive_read(archive, path, max_size, &bytes, error)) {
        lm_buffer_free(&bytes);
        return false;
    }
    *file = (lm_file){bytes.data, bytes.size, bytes.data};
    return true;
}
