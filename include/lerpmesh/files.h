/* lerpmesh/files.h - files: a thin layer above the core, which knows only bytes.
 *
 *     #include <lerpmesh/files.h>
 *     #include <stdio.h>
 *
 *     // The model of a file; NULL, and why on the way out, if there is none.
 *     lm_model *open_model(const char *path) {
 *         lm_error error;
 *         lm_model *model = lm_load_file(path, NULL, &error);
 *         if (!model)
 *             fprintf(stderr, "%s: %s\n", path, error.message);
 *         return model;
 *     }
 */
#ifndef LERPMESH_FILES_H
#define LERPMESH_FILES_H

#include "lerpmesh/base.h"
#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views of files ------------------------------------------------------------------------ */

/* Views of files: a folder and an archive look alike.
 *
 *     #include <lerpmesh/files.h>
 *
 *     // The bytes of a file in a folder or an archive, in whatever spelling it is there.
 *     bool read_any(const lm_files *files, const char *path, lm_buffer *out) {
 *         char actual[LM_PATH_SIZE];
 *         return files->find(files->user, path, actual) == LM_FIND_FILE &&
 *                files->read(files->user, actual, 0, out, NULL);
 *     }
 */

/* ---- Views of files ------------------------------------------------------------------------ */

#define LM_PATH_SIZE 512 /* of a path in a view, with its NUL */

typedef enum lm_find {
    LM_FIND_NOTHING, /* there is no such file */
    LM_FIND_FILE,
    LM_FIND_OUTSIDE, /* there is, but by a link that leads out of the view: refused */
    LM_FIND_STARVED  /* there was no memory to look for it */
} lm_find;

/* What is told of a name in a folder; false: enough. */
typedef bool (*lm_list_each)(void *caller, const char *name, bool is_folder);

/* Paths are separated by '/', below the view's root, without empty, "." or ".." parts. A view must
 * itself refuse what is not like that. */
typedef struct lm_files {
    void *user;
    const char *name; /* for messages: the folder, the archive */
    /* Finds a regular file, letters in either case; writes its real spelling. */
    lm_find (*find)(void *user, const char *path, char actual[LM_PATH_SIZE]);
    /* Appends the bytes of a file, named as `find` spelled it; more than max_size bytes (0: no
     * limit) are refused with LM_CODE_LIMIT. */
    bool (*read)(void *user, const char *path, size_t max_size, lm_buffer *out, lm_error *error);
    /* Calls `each` with the names of the files and folders right below a folder ("": the root), in
     * byte order. Letters of `folder` are matched in either case. False with `error` filled if
     * there is no such folder. May be NULL: a view that cannot list. */
    bool (*list)(void *user, const char *folder, lm_list_each each, void *caller, lm_error *error);
    /* Appends the first bytes of a file, `size` at most, without reading much more; false if it
     * cannot, for want of memory with out->failed set. May be NULL: a view that cannot. */
    bool (*peek)(void *user, const char *path, size_t size, lm_buffer *out);
} lm_files;

/* ---- Files --------------------------------------------------------------------------------- */

/* The bytes of a file; read-only. */
typedef struct lm_file {
    const uint8_t *data;
    size_t size;
    void *mapping; /* internal */
} lm_file;

/* Reads a file whole; "-" is standard input. More than `max_size` bytes (0: no limit) are refused,
 * before they are read where the file says how many it has.
 * Files are read, never mapped: whoever truncates a mapped file kills the programs that look at it,
 * and for files of this size mapping takes longer than reading into memory that is in use already
 * (docs/performance.md). Who wants it can map a file and give it to lm_load_memory with `borrow`.
 */
LM_ASSETS_API bool lm_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error);
LM_ASSETS_API void lm_file_free(lm_file *file);

/* Writes a file so that it is never seen half-written, nor otherwise than it was meant: under a
 * temporary name in the same folder, which is read back and compared byte for byte, then renamed.
 * "-" is standard output. */
LM_ASSETS_API bool lm_file_write(const char *path, const void *data, size_t size, lm_error *error);

/* A file to be written. */
typedef struct lm_file_output {
    const char *path;
    const void *data;
    size_t size;
} lm_file_output;

/* Writes files that belong together, of which the last names the others: a .bin and its .gltf. None
 * is ever seen half-written, nor the last beside others than its own, even if the program is killed
 * meanwhile: all are written under temporary names before the first is renamed, and a last one that
 * is there already goes away before others take the place of its companions. If one cannot be
 * written, those that are there already stay. `flush` waits until the disk has them, which takes
 * long, for those who fear that the power fails. */
LM_ASSETS_API bool lm_file_write_all(const lm_file_output *files, size_t count, bool flush,
                                     lm_error *error);

/* No format of models can describe a larger file: their offsets have 31 bits. */
#define LM_MAX_MODEL_FILE ((size_t)INT32_MAX)

/* lm_load_memory of a file. One of more than memory.max_bytes, where that is not set of more than
 * LM_MAX_MODEL_FILE, is refused with LM_CODE_LIMIT, before it is read where it says how large it
 * is. */
LM_ASSETS_API lm_model *lm_load_file(const char *path, const lm_load_options *options,
                                     lm_error *error);

/* ---- Folders ------------------------------------------------------------------------------- */

/* A folder as a view of files (lerpmesh/files.h): letters are matched in either case, the exact
 * spelling first, then in byte order. Symbolic links are followed as long as they end below the
 * folder. What a folder holds is remembered when it is first looked into: what is put there later
 * is not found. Any number of threads may use a view at once. */
typedef struct lm_folder lm_folder;

/* The folder and what it remembers are in the memory of an allocator (NULL: malloc's), which is
 * then called from every thread that uses the view, but by one at a time. What the system takes
 * while it is asked is malloc's. */
LM_ASSETS_API lm_folder *lm_folder_open(const char *path, const lm_allocator *memory,
                                        lm_error *error);
/* The view; it holds as long as the folder is open. */
LM_ASSETS_API const lm_files *lm_folder_files(const lm_folder *folder);
LM_ASSETS_API void lm_folder_free(lm_folder *folder);

/* ---- Archives ------------------------------------------------------------------------------ */

/* Archives of the games: PAK (Quake, Quake II) and PK3 (a zip).
 *
 *     #include <lerpmesh/files.h>
 *     #include <stdio.h>
 *
 *     // Lists an archive and reads a file of it; false, and why on the way out, if that fails.
 *     bool unpack(const char *pak, const char *path, lm_buffer *out) {
 *         lm_error error;
 *         lm_archive *archive = lm_archive_open(pak, NULL, &error);
 *         for (size_t i = 0; archive && i < lm_archive_num_members(archive); i++)
 *             puts(lm_archive_member(archive, i)->path);
 *         bool ok = archive && lm_archive_read(archive, path, 0, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_archive_free(archive);
 *         return ok;
 *     }
 *
 * Members of a PK3 that are packed (deflated) are unpacked by stb, which a build may be without
 * (CMake's LERPMESH_STB): then reading these fails with LM_CODE_NOT_BUILT_IN.
 *
 * An archive and its directory, like a folder and its listings (lerpmesh/files.h), are in malloc's
 * memory, or in that of an allocator of the caller's; what is read goes into buffers, which have
 * allocators of their own.
 *
 * Threads: archives may be opened and closed in any thread, and any number of threads may read from
 * one archive at once; only lm_archive_free must come after everything else. No global state.
 */

/* No member is unpacked beyond this, unless the caller allows it. */
#define LM_ARCHIVE_MAX_MEMBER ((size_t)256 << 20)

/* A file in an archive. */
typedef struct lm_member {
    /* As the archive spells it: bytes, not always UTF-8, and whatever a stranger chose. Only where
     * `code` is LM_CODE_OK is it a path that stays in the archive (see lm_path_clean). A zip made
     * on a FAT file system may have '\', which reads as '/'. */
    const char *path;
    uint64_t size;        /* unpacked, as the directory says */
    uint64_t packed_size; /* in the archive */
    /* LM_CODE_OK, or why it is not read: LM_CODE_UNSAFE_PATH (its name leads out, or is none that a
     * file here can have), LM_CODE_BAD_MEMBER (outside the archive, overlaps another, encrypted,
     * packed in an unknown way, hidden by a later one of the same name in a PAK). */
    lm_code code;
    const char *problem; /* that as a phrase, "" if there is none */
    uint32_t order;      /* its number in the archive's own list */
} lm_member;

typedef struct lm_archive lm_archive;

/* Whether a file begins like an archive: a regular file with "PACK" or "PK". Opens it to look. */
LM_ASSETS_API bool lm_archive_is(const char *path);

/* Opens a PAK or a PK3, by its contents and whatever its name. Reads the directory only. Refused
 * whole is what has no sound directory (LM_CODE_BAD_ARCHIVE, LM_CODE_TRUNCATED), more than 1048576
 * members, or a name of more than LM_PATH_SIZE bytes or 64 folders (LM_CODE_LIMIT). Zip64 and
 * archives of several files are not read. `memory` (NULL: malloc's) is also called where members
 * are listed through lm_archive_files, from every thread that does so. */
LM_ASSETS_API lm_archive *lm_archive_open(const char *path, const lm_allocator *memory,
                                          lm_error *error);

/* Bytes that are read at places: of a file, or whatever a program has. */
typedef struct lm_reader {
    void *user;
    uint64_t size; /* of all of it */
    /* Fills `bytes` with the `size` bytes from `offset` on, which always lie inside, or returns
     * false. Called from every thread that reads from the archive. */
    bool (*read_at)(void *user, uint64_t offset, void *bytes, size_t size);
} lm_reader;

/* The same of what `reader` reads, whose user must live as long as the archive; and of bytes in
 * memory, which must. `name` is for messages. Both are copied. */
LM_ASSETS_API lm_archive *lm_archive_open_reader(const lm_reader *reader, const char *name,
                                                 const lm_allocator *memory, lm_error *error);
LM_ASSETS_API lm_archive *lm_archive_open_memory(const void *data, size_t size, const char *name,
                                                 const lm_allocator *memory, lm_error *error);
LM_ASSETS_API void lm_archive_free(lm_archive *archive);

/* Members, sorted by their paths (letters in either case, then in byte order). Folders are not
 * listed. */
LM_ASSETS_API size_t lm_archive_num_members(const lm_archive *archive);
LM_ASSETS_API const lm_member *lm_archive_member(const lm_archive *archive, size_t index);
/* The member of that path: the exact spelling first, then letters in either case, and those that
 * can be read first. NULL if there is none. */
LM_ASSETS_API const lm_member *lm_archive_find(const lm_archive *archive, const char *path);

/* Unpacks a member and appends it to `out`, whose allocator gives all memory that this takes. More
 * than `max_size` bytes (0: LM_ARCHIVE_MAX_MEMBER) are refused with LM_CODE_LIMIT, whatever the
 * directory says; what does not unpack to the size and checksum that the directory states, with
 * LM_CODE_BAD_MEMBER. */
LM_ASSETS_API bool lm_archive_read(const lm_archive *archive, const char *path, size_t max_size,
                                   lm_buffer *out, lm_error *error);

/* The archive as a view of files (lerpmesh/files.h), for any number of threads. Its limit for
 * reading is never above LM_ARCHIVE_MAX_MEMBER. It holds as long as the archive is open. */
LM_ASSETS_API const lm_files *lm_archive_files(const lm_archive *archive);

/* Appends an archive, "pak" or "pk3", of the files at `paths` in a view, each under that path:
 * sorted by the bytes of their names, without times, in a PK3 deflated where that is smaller, so
 * that the same files give the same bytes on every machine. It is read back and compared with the
 * files before this returns. Errors: LM_CODE_LIMIT (a name of more than 55 bytes in a PAK, 255 in a
 * PK3; more than 1048576 and 65534 files; more than 2 GiB), LM_CODE_UNSAFE_PATH (a name that could
 * not be read again), LM_CODE_BAD_ARGUMENT (a name twice), LM_CODE_IO (files that change
 * meanwhile), LM_CODE_NOT_BUILT_IN (a PK3 in a build without stb, which reads it back), and those
 * of the view. Memory: the archive and a file, twice. */
LM_ASSETS_API bool lm_archive_write(const lm_files *files, const char *const *paths,
                                    size_t num_paths, const char *format, lm_buffer *out,
                                    lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
