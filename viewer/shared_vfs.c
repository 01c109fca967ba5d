#include "shared_vfs.h"

#include "sample.h"
#include "text.h"

#include <glib.h>

shared_vfs *shared_vfs_new(void) {
    shared_vfs *s = g_atomic_rc_box_new0(shared_vfs);
    s->vfs = lm_vfs_new(NULL);
    if (!s->vfs || !sample_mount(s->vfs))
        g_error("%s", TEXT_OUT_OF_MEMORY);
    return s;
}

shared_vfs *shared_vfs_ref(shared_vfs *s) {
    return g_atomic_rc_box_acquire(s);
}

static void clear(void *user) {
    lm_vfs_free(((shared_vfs *)user)->vfs);
}

void shared_vfs_unref(shared_vfs *s) {
    if (s)
        g_atomic_rc_box_release_full(s, clear);
}
