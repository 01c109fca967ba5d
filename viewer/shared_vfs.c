#include "shared_vfs.h"

#include "internals.h"
#include "lerpmesh/files.h"
#include "text.h"

#include <gio/gio.h>
#include <string.h>

/* ---- The sample ------------------------------------------------------------------------------ */

#define FOLDER "/org/lerpmesh/Viewer/samples/"

static char *resource_of(const char *path) {
    char *lower = g_ascii_strdown(path, -1), *resource = g_strconcat(FOLDER, lower, NULL);
    g_free(lower);
    return resource;
}

static lm_find find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    char *resource = resource_of(path);
    bool found = strchr(path, '/') == NULL && *path && strlen(path) < LM_PATH_SIZE &&
                 g_resources_get_info(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
    if (found)
        g_strlcpy(actual, resource + strlen(FOLDER), LM_PATH_SIZE);
    g_free(resource);
    return found ? LM_FIND_FILE : LM_FIND_NOTHING;
}

/* A sample is far below any limit. */
static bool read_sample(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    char *resource = resource_of(path);
    GBytes *bytes = g_resources_lookup_data(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    bool found = bytes != NULL;
    if (found)
        lm_buffer_append(out, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    else
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s", TEXT_OUT_OF_MEMORY);
    g_clear_pointer(&bytes, g_bytes_unref);
    g_free(resource);
    return found;
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
