/* lerpmesh/files.h - files, folders and archives. Part of lerpmesh-assets; lerpmesh itself reads
 * only bytes in memory.
 *
 *     #include <lerpmesh/files.h>
 *     #include <stdio.h>
 *
 *     // Loads a model. Prints the reason and returns NULL if that fails.
 *     lm_model *open_model(const char *path) {
 *         lm_error error;
 *         lm_model *model = lm_load_file(path, NULL, &error);
 *         if (!model)
 *             fprintf(stderr, "%s: %s\n", path, error.message);
 *         return model;
 *     }
 *
 * C++ writes `= {}` for `= {0}`. */
#ifndef LERPMESH_FILES_H
#define LERPMESH_FILES_H

#include "lerpmesh/base.h"
#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views of files ------------------------------------------------------------------------ */

/* A view of files (lm_files) gives folders, archives and a program's own storage one interface.
 *
 *     #include <lerpmesh/files.h>
 *
 *     // Reads a file of a folder or an archive, case-insensitively.
 *     bool read_any(const lm_files *files, const char *path, lm_buffer *out) {
 *         char actual[LM_PATH_SIZE];
 *         return files->find(files->user, path, actual) == LM_FIND_FILE &&
 *                files->read(files->user, actual, 0, out, NULL);
 *     }
 */

#define LM_PATH_SIZE 512 /* of a path in a view, with its NUL */

/* The result of a search in a view. */
typedef enum lm_find {
    LM_FIND_NOTHING,      /* no such file */
    LM_FIND_FILE,         /* a regular file */
    LM_FIND_OUTSIDE,      /* rejected: the path exists, but a link leads out of the view */
    LM_FIND_OUT_OF_MEMORY /* the search ran out of memory */
} lm_find;

/* Receives one name of a folder. Returns false to stop listing. */
typedef bool (*lm_list_each)(void *caller, const char *name, bool is_folder);

/* A view of files. Paths are relative to the view's root and separated by '/', without empty, "."
 * or ".." parts. A view must reject all other paths.
 *
 * Of the functions, only `list` and `peek` may be NULL. If `read` or `list` fails without a code
 * and a message, the library fills them: LM_CODE_OUT_OF_MEMORY or LM_CODE_LIMIT if an append to the
 * buffer failed, else LM_CODE_IO with the path. The library removes what a failing `read` appended.
 */
typedef struct lm_files {
    void *user;       /* passed to every function of the view */
    const char *name; /* of the folder or archive, for messages; may be NULL in a program's view */
    /* Finds a regular file, case-insensitively, and writes its actual spelling to `actual`. The
     * library's views find nothing for NULL. */
    lm_find (*find)(void *user, const char *path, char actual[LM_PATH_SIZE]);
    /* Appends the bytes of a file; `path` is spelled exactly as `find` returned it. Returns false
     * on failure and fills `error` (lm_fail_plain): LM_CODE_LIMIT if the file has more than
     * max_size bytes (0: no limit). */
    bool (*read)(void *user, const char *path, size_t max_size, lm_buffer *out, lm_error *error);
    /* Calls `each` with the names of the files and folders directly in a folder ("": the root), in
     * byte order. `folder` is case-insensitive. Returns false and fills `error` if there is no such
     * folder; returns true if `each` stops it. NULL if the view cannot list. */
    bool (*list)(void *user, const char *folder, lm_list_each each, void *caller, lm_error *error);
    /* Appends the first `size` bytes of a file, or all of a shorter one, without reading much more.
     * Returns false on failure, with out->failed set if memory ran out. NULL if the view cannot do
     * this. */
    bool (*peek)(void *user, const char *path, size_t size, lm_buffer *out);
    uint64_t reserved[4]; /* zeros: room for later functions */
} lm_files;

/* ---- Files --------------------------------------------------------------------------------- */

/* Reads a file and appends its bytes; "-" is standard input. On failure, `out` has the same bytes
 * as before, and no memory if it was empty. Fails with LM_CODE_LIMIT if the file has more than
 * `max_size` bytes (0: no limit), before reading if its size is known.
 *
 * Files are read, not mapped into memory. If another process truncates a mapped file, the system
 * kills the programs that use it. For files of this size, mapping is also slower than reading into
 * memory that is already in use (docs/internals/performance.md). To load a mapped file, pass it to
 * lm_load_memory with LM_BYTES_BORROWED. */
LM_ASSETS_API bool lm_file_read(const char *path, size_t max_size, lm_buffer *out, lm_error *error);

/* What becomes of an existing file with other contents. */
typedef enum lm_existing {
    LM_EXISTING_REPLACED, /* the new one replaces it */
    LM_EXISTING_STOPS,    /* writing fails with LM_CODE_IO before anything is written */
    LM_EXISTING_STAYS     /* the new one is not written */
} lm_existing;

/* A file to write. */
typedef struct lm_file_output {
    const char *path; /* "-": standard output; missing folders are created */
    const void *data; /* [size] bytes */
    size_t size;      /* bytes */
    /* The new file gets the permissions of this file, and its owner and group as far as the system
     * allows, before anything is written. NULL: those of the file that it replaces. If there is no
     * such file, the permissions of any new file. */
    const char *like;
    /* The end of `path`, after a folder that the caller trusts. In this part, a link as a folder is
     * an error, and so is a pipe, a socket or a device with the file's name; a link with the file's
     * name is replaced. NULL: links are followed, and special files are written to directly. On
     * POSIX systems this holds even if another program replaces a folder by a link at the same
     * time. */
    const char *below;
    /* If not LM_EXISTING_REPLACED, a file with the same bytes stays, and so does a .png, .tga or
     * .pcx with the same pixels. */
    lm_existing existing;
    bool *stayed;         /* receives whether LM_EXISTING_STAYS had an effect; NULL: not needed */
    uint64_t reserved[2]; /* zeros: room for later members */
} lm_file_output;

/* Writes a file, or a group of files, atomically: writes the data under temporary names in the same
 * folders, reads them back, compares, and then renames the files. No program ever sees an
 * incomplete or damaged file. A file keeps the permissions of the one that it replaces, and its
 * owner and group as far as the system allows.
 *
 *     lm_file_output file = {.path = "a.png", .data = png.data, .size = png.size};
 *     bool written = lm_file_write(&file, 1, false, &error);
 *
 * The last file of a group refers to the others, as a .gltf to its .bin. No program ever sees the
 * last file with other files than its own, even if the process is killed: an existing last file is
 * removed before the others are renamed, and the new one is renamed finally. If a file cannot be
 * written, the existing files stay, and no folder that was created for it is left empty. `flush`
 * waits until the data are on disk, which is slow, but also protects against power failures. Fails
 * with LM_CODE_BAD_ARGUMENT if `files`, a path or its data are NULL. */
LM_ASSETS_API bool lm_file_write(const lm_file_output *files, size_t num_files, bool flush,
                                 lm_error *error);

/* The largest model file, in bytes: all formats store offsets in 31 bits. */
#define LM_MAX_MODEL_FILE ((size_t)INT32_MAX)

/* Reads a file and loads it as lm_load_memory does. Fails with LM_CODE_LIMIT if the file has more
 * than memory.max_bytes, or LM_MAX_MODEL_FILE if that is 0; before reading, if the file's size is
 * known. */
LM_ASSETS_API lm_model *lm_load_file(const char *path, const lm_load_options *options,
                                     lm_error *error);

/* ---- Archives ------------------------------------------------------------------------------ */

/* Archives of the games: PAK (Quake, Quake II) and PK3 (a zip).
 *
 *     #include <lerpmesh/files.h>
 *     #include <stdio.h>
 *
 *     // Lists an archive and reads one file of it. Returns false if that fails.
 *     bool unpack(const char *pak, const char *path, lm_buffer *out) {
 *         lm_error error;
 *         lm_archive *archive = lm_archive_open(pak, NULL, NULL, &error);
 *         for (uint32_t i = 0; archive && i < archive->num_members; i++)
 *             puts(archive->members[i]->path);
 *         bool ok = archive && lm_archive_read(archive, path, 0, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_archive_free(archive);
 *         return ok;
 *     }
 *
 * stb unpacks the compressed (deflated) members of a PK3. In a build without stb (CMake's
 * LERPMESH_STB option), reading them fails with LM_CODE_NOT_BUILT_IN.
 *
 * The archive and its directory use malloc or the caller's allocator. Members are read into
 * buffers, which have allocators of their own.
 *
 * Threads: archives may be opened and closed in any thread, and any number of threads may read from
 * one archive at once. Call lm_archive_free after all of them. There is no global state. */

/* The largest member that is unpacked, in bytes, unless the caller passes another limit. */
#define LM_MAX_ARCHIVE_MEMBER ((size_t)256 << 20)

/* A member of an archive: one file. */
typedef struct lm_member {
    /* The name, with ".." parts resolved: untrusted bytes, not always UTF-8. It is a safe path,
     * inside the archive, only if `code` is LM_CODE_OK. Members of different names may have the
     * same path. Zips made on FAT file systems may use '\', which reads as '/'. */
    const char *path;
    uint64_t size;        /* unpacked, according to the directory */
    uint64_t packed_size; /* stored in the archive */
    /* LM_CODE_OK if the member can be read. LM_CODE_UNSAFE_PATH: its path leads outside the
     * archive, or is not a valid file name. LM_CODE_BAD_MEMBER: it lies outside the archive,
     * overlaps another member, is encrypted, or uses an unknown compression. In a PAK, members may
     * have exactly the same bytes, if all files together have at most 16 times the bytes of the
     * archive. LM_CODE_LIMIT: its path has more than 510 bytes or 64 folders.
     * LM_CODE_BAD_ARCHIVE: it has no name, a folder has the same name, or another member of the
     * same name hides it: as in the games, an earlier one in a PAK, a later one in a PK3. */
    lm_code code;
    const char *problem; /* the reason as a phrase; "" if there is none */
    uint32_t order;      /* its index in the archive's own list */
    const char *name;    /* as the archive spells it */
} lm_member;

/* An open archive. All members are constant, and freed by lm_archive_free. */
typedef struct lm_archive {
    const char *format; /* "pak" or "pk3" */
    uint32_t num_members;
    /* [num_members] Without folders; sorted by path, case-insensitively, then in byte order. Of
     * equal paths, the member that is found by the path comes first. */
    const lm_member *const *members;
    /* The archive as a view of files, for any number of threads. It reads no file larger than
     * LM_MAX_ARCHIVE_MEMBER. */
    const lm_files *files;
} lm_archive;

/* Returns whether a path is a regular file that begins with "PACK" or "PK", as archives do. */
LM_ASSETS_API bool lm_archive_is(const char *path);

/* A source of bytes at offsets: a program's own storage, or bytes in memory. */
typedef struct lm_reader {
    void *user;    /* passed to read_at, or the bytes in memory; must live as long as the archive */
    uint64_t size; /* in total */
    /* Fills `bytes` with `size` bytes from `offset`, or returns false. The range is always inside
     * the source. Called from every thread that reads from the archive. NULL: `user` points to the
     * bytes. */
    bool (*read_at)(void *user, uint64_t offset, void *bytes, size_t size);
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_reader;

/* Opens a PAK or PK3, by its contents, not its file name: the file at `path`, or the bytes of a
 * reader (NULL: none), for which `path` is the name in messages. Both are copied. Reads only the
 * directory. Fails if the directory is damaged (LM_CODE_BAD_ARCHIVE, LM_CODE_TRUNCATED), or has
 * more than 1,048,576 members (LM_CODE_LIMIT). Zip64 and multi-part archives are not supported.
 * Only the allocator of `memory` (NULL: malloc) is used, also by threads that list the view's
 * members. */
LM_ASSETS_API lm_archive *lm_archive_open(const char *path, const lm_reader *reader,
                                          const lm_memory *memory, lm_error *error);
/* Closes an archive and frees its view and members. */
LM_ASSETS_API void lm_archive_free(lm_archive *archive);

/* Returns the member with a path, case-insensitively; NULL if there is none, and for NULL. A
 * member of this name comes first, then one with this path, whose ".." parts are resolved. The
 * exact spelling is preferred, then members that can be read. */
LM_ASSETS_API const lm_member *lm_archive_find(const lm_archive *archive, const char *path);

/* Unpacks a member and appends it to `out`, whose allocator provides all memory for this. Fails
 * with LM_CODE_LIMIT if the member has more than `max_size` bytes (0: LM_MAX_ARCHIVE_MEMBER), even
 * if the directory lists fewer. Fails with LM_CODE_BAD_MEMBER if the size or the checksum differs
 * from the directory's. On failure, `out` is restored as by lm_file_read. */
LM_ASSETS_API bool lm_archive_read(const lm_archive *archive, const char *path, size_t max_size,
                                   lm_buffer *out, lm_error *error);

/* Appends an archive, "pak" or "pk3", with the files at `paths` in a view, each under that path.
 * The paths are spelled as `find` or `list` of the view returns them; only its `read` is called.
 * Members are sorted by the bytes of their names and have no times. Members of a PK3 are deflated
 * if that is smaller. The same files give the same bytes on every machine. Finally,
 * it reads the archive back and compares it with the files. Memory: the archive and the largest
 * file, twice. Errors: LM_CODE_LIMIT (a name of more than 55 bytes in a PAK, 255 in a PK3; more
 * than 1,048,576 files in a PAK, 65,534 in a PK3; more than 2 GiB), LM_CODE_UNSAFE_PATH (a name
 * that lm_archive_read would reject), LM_CODE_BAD_ARGUMENT (a duplicate name, or NULL), LM_CODE_IO
 * (a file changed meanwhile), LM_CODE_NOT_BUILT_IN (a PK3 in a build without stb, which reads it
 * back), and those of the view. */
LM_ASSETS_API bool lm_archive_write(const lm_files *files, const char *const *paths,
                                    size_t num_paths, const char *format, lm_buffer *out,
                                    lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
