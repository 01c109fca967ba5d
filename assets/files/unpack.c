#include "files/unpack.h"

#include "core/report.h"

#ifdef LM_HAVE_PHYSFS

#include "files/directory.h"

#include <physfs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PhysicsFS is one for the whole process, and so is what guards it. The lock is held while it is
 * started, ended, or its search path changes, and while files are opened and closed; unpacking is
 * free of it, since each open file has its own state. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned num_mounts;
static unsigned last_number;
static bool started_here;

/* ---- A file as PhysicsFS sees it --------------------------------------------------------------
 *
 * It would open paths itself; but it knows archives by their paths, and the same file may be open
 * twice. What duplicates share is the descriptor, which is read at places and never moved. */

typedef struct reader {
    PHYSFS_Io io; /* first: its `opaque` is the reader */
    int descriptor;
    uint64_t at, size;
} reader;

static PHYSFS_Io *make_reader(int descriptor, uint64_t size);

static PHYSFS_sint64 reader_read(PHYSFS_Io *io, void *buffer, PHYSFS_uint64 length) {
    reader *r = io->opaque;
    uint64_t most = length < r->size - r->at ? length : r->size - r->at;
    if (!lm_read_at(r->descriptor, r->at, buffer, (size_t)most)) {
        PHYSFS_setErrorCode(PHYSFS_ERR_IO);
        return -1;
    }
    r->at += most;
    return (PHYSFS_sint64)most;
}

static PHYSFS_sint64 reader_write(PHYSFS_Io *io, const void *buffer, PHYSFS_uint64 length) {
    (void)io;
    (void)buffer;
    (void)length;
    PHYSFS_setErrorCode(PHYSFS_ERR_READ_ONLY);
    return -1;
}

static int reader_seek(PHYSFS_Io *io, PHYSFS_uint64 offset) {
    reader *r = io->opaque;
    if (offset > r->size) {
        PHYSFS_setErrorCode(PHYSFS_ERR_PAST_EOF);
        return 0;
    }
    r->at = offset;
    return 1;
}

static PHYSFS_sint64 reader_tell(PHYSFS_Io *io) {
    return (PHYSFS_sint64)((reader *)io->opaque)->at;
}

static PHYSFS_sint64 reader_length(PHYSFS_Io *io) {
    return (PHYSFS_sint64)((reader *)io->opaque)->size;
}

static PHYSFS_Io *reader_duplicate(PHYSFS_Io *io) {
    const reader *r = io->opaque;
    return make_reader(r->descriptor, r->size);
}

static int reader_flush(PHYSFS_Io *io) {
    (void)io;
    return 1;
}

static void reader_destroy(PHYSFS_Io *io) {
    free(io->opaque);
}

static PHYSFS_Io *make_reader(int descriptor, uint64_t size) {
    reader *r = malloc(sizeof *r);
    if (!r) {
        PHYSFS_setErrorCode(PHYSFS_ERR_OUT_OF_MEMORY);
        return NULL;
    }
    *r = (reader){{0, r, reader_read, reader_write, reader_seek, reader_tell, reader_length,
                   reader_duplicate, reader_flush, reader_destroy},
                  descriptor,
                  0,
                  size};
    return &r->io;
}

/* ---- Mounting ---------------------------------------------------------------------------------
 */

static const char *last_problem(void) {
    const char *text = PHYSFS_getErrorByCode(PHYSFS_getLastErrorCode());
    return text ? text : "it does not say why";
}

/* With the lock held. */
static bool start(void) {
    if (num_mounts > 0 || PHYSFS_isInit())
        return true;
    started_here = PHYSFS_init(NULL) != 0;
    return started_here;
}

static void end_if_unused(void) {
    if (num_mounts > 0 || !started_here)
        return;
    PHYSFS_deinit();
    started_here = false;
}

/* With the lock held. */
static bool mount_locked(lm_mount *mount, int descriptor, uint64_t size, const char *format) {
    if (!start())
        return false;
    unsigned number = ++last_number;
    snprintf(mount->folder, sizeof mount->folder, "lerpmesh-%u", number);
    snprintf(mount->name, sizeof mount->name, "lerpmesh-%u.%s", number,
             strcmp(format, "pak") == 0 ? "pak" : "zip");
    PHYSFS_Io *io = make_reader(descriptor, size);
    mount->mounted = io && PHYSFS_mountIo(io, mount->name, mount->folder, 1);
    if (mount->mounted)
        num_mounts++;
    else if (io)
        io->destroy(io);
    return mount->mounted;
}

bool lm_mount_open(lm_mount *mount, int descriptor, uint64_t size, const char *format,
                   lm_error *error) {
    *mount = (lm_mount){0};
    pthread_mutex_lock(&lock);
    if (!mount_locked(mount, descriptor, size, format)) {
        lm_fail_plain(error, LM_CODE_BAD_ARCHIVE, "%s: PhysicsFS cannot open the archive: %s",
                      format, last_problem());
        end_if_unused();
    }
    pthread_mutex_unlock(&lock);
    return mount->mounted;
}

void lm_mount_close(lm_mount *mount) {
    if (!mount->mounted)
        return;
    pthread_mutex_lock(&lock);
    PHYSFS_unmount(mount->name);
    num_mounts--;
    end_if_unused();
    pthread_mutex_unlock(&lock);
    mount->mounted = false;
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

static PHYSFS_File *open_member(const lm_mount *mount, const char *path, const char **problem) {
    char full[LM_PATH_SIZE + sizeof mount->folder];
    snprintf(full, sizeof full, "%s/%s", mount->folder, path);
    pthread_mutex_lock(&lock);
    PHYSFS_File *file = PHYSFS_openRead(full);
    if (!file)
        *problem = last_problem();
    pthread_mutex_unlock(&lock);
    return file;
}

bool lm_mount_read(const lm_mount *mount, const char *path, uint64_t most, lm_buffer *out,
                   const char **problem) {
    PHYSFS_File *file = open_member(mount, path, problem);
    if (!file)
        return false;
    bool ok = true;
    uint64_t total = 0;
    while (ok && total < most && !out->failed) {
        uint8_t step[16384];
        uint64_t want = most - total < sizeof step ? most - total : sizeof step;
        PHYSFS_sint64 got = PHYSFS_readBytes(file, step, want);
        if (got <= 0) {
            ok = got == 0;
            break;
        }
        lm_buffer_append(out, step, (size_t)got);
        total += (uint64_t)got;
    }
    if (!ok)
        *problem = last_problem();
    pthread_mutex_lock(&lock);
    PHYSFS_close(file);
    pthread_mutex_unlock(&lock);
    return ok;
}

#else

bool lm_mount_open(lm_mount *mount, int descriptor, uint64_t size, const char *format,
                   lm_error *error) {
    (void)descriptor;
    (void)size;
    *mount = (lm_mount){0};
    return lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                         "%s: this build reads no archives: it was made without PhysicsFS", format);
}

void lm_mount_close(lm_mount *mount) {
    (void)mount;
}

bool lm_mount_read(const lm_mount *mount, const char *path, uint64_t most, lm_buffer *out,
                   const char **problem) {
    (void)mount;
    (void)path;
    (void)most;
    (void)out;
    *problem = "this build reads no archives";
    return false;
}

#endif
