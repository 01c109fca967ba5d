#include "shelf.h"

#include <glib.h>

shelf *shelf_new(void) {
    shelf *s = g_atomic_rc_box_new0(shelf);
    s->disk = lm_disk_new(NULL);
    if (!s->disk)
        g_error("out of memory");
    return s;
}

shelf *shelf_ref(shelf *s) {
    return g_atomic_rc_box_acquire(s);
}

static void clear(void *user) {
    lm_disk_free(((shelf *)user)->disk);
}

void shelf_unref(shelf *s) {
    if (s)
        g_atomic_rc_box_release_full(s, clear);
}
