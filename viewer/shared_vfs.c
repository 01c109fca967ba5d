#include "shared_vfs.h"

#include "internals.h"
#include "lerpmesh/files.h"
#include "text.h"

#include <gio/gio.h>
#include <string.h>

/* ---- The sample ------------------------------------------------------------------------------ */

#define FOLDER "/org/lerpmesh/Viewer/samples/"

static char *resource_of(const char *path) {
    g_autofree char *lower = g_ascii_strdown(path, -1);
    return g_strconcat(FOLDER, lower, NULL);
}

static lm_find find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    g_autofree char *resource = resource_of(path);
    bool found = strchr(path, '/') == NULL && *path && strlen(path) < LM_PATH_SIZE &&
                 g_resources_get_info(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
    if (found)
        g_strlcpy(actual, resource + strlen(FOLDER), LM_PATH_SIZE);
    return found ? LM_FIND_FILE : LM_FIND_NOTHING;
}

/* A sample is far below any limit. */
static bool read_sample(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    g_autofree char *resource = resource_of(path);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (!bytes)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s", TEXT_OUT_OF_MEMORY);
    lm_buffer_append(out, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    return true;
}

/* ---- References ------------------------------------------------------------------------------ */

shared_vfs *shared_vfs_new(void) {
    static const lm_files samples = {.name = "samples", .find = find, .read = read_sample};
    shared_vfs *s = g_atomic_rc_box_new0(shared_vfs);
    s->vfs = lm_vfs_new(NULL);
    if (!s->vfs || !lm_vfs_mount(s->vfs, "lerpmesh-samples", &samples, NULL))
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
