/* PhysicsFS behind a curtain: the one place that knows it. */
#ifndef LM_IO_UNPACK_H
#define LM_IO_UNPACK_H

#include "lerpmesh/archive.h"

/* An archive in PhysicsFS' search path. */
typedef struct lm_mount {
    char folder[40]; /* where its members are seen */
    char name[48];   /* by which it is known */
    bool mounted;
} lm_mount;

/* Mounts an open file of a format, which must stay open until it is unmounted. False with `error`
 * filled if PhysicsFS is not built in or does not like the file. */
bool lm_mount_open(lm_mount *mount, int descriptor, uint64_t size, const char *format,
                   lm_error *error);
void lm_mount_close(lm_mount *mount);

/* Appends at most `most` bytes of a member to `out`. False with a phrase in `problem` if it
 * cannot be unpacked; whether that is all of it is for the caller to judge. */
bool lm_mount_read(const lm_mount *mount, const char *path, uint64_t most, lm_buffer *out,
                   const char **problem);

#endif
