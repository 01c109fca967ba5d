/* A temporary folder of small files that exists while a test program runs, and assets opened from
 * there. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "archive_maker.h"

/* For TEST_GROUP. */
int tree_make(void **state);
int tree_remove(void **state);

/* Returns the path of NAME in the folder. The result stays valid for a few calls. */
const char *tree_at(const char *name);
void tree_folder(const char *name); /* and its parent folders */
void tree_put(const char *name, const void *data, size_t size);
void tree_put_text(const char *name, const char *text);
void tree_put_blob(const char *name, blob b); /* and frees the blob */
void tree_put_buffer(const char *name, lm_buffer b);
void tree_drop(const char *name); /* removes a file */
/* Creates a symbolic link. Skips the test on systems without them (Windows). */
void tree_link(const char *target, const char *name);

/* The names that a view lists, with "/" after folders and a space after each, for `tell`. */
typedef struct told_names {
    char text[512];
    unsigned left; /* entries until there are enough */
} told_names;
bool tell(void *caller, const char *name, bool is_folder);

/* ---- Opened assets --------------------------------------------------------------------------- */

/* Opens a valid scene with a new, empty cache. Only one is open at a time. */
lm_assets *open_fresh(const char *path, const lm_assets_options *options);
lm_vfs *fresh_vfs(void);
void close_fresh(lm_assets *assets);
/* AT_END(drop_fresh) lm_assets *assets = … */
static inline void drop_fresh(lm_assets **assets) {
    close_fresh(*assets);
}
OWNER(lm_path_list, lm_path_list_free)

/* Does the same with the caller's file system. Free the result with lm_assets_free. */
lm_assets *open_without_errors(lm_vfs *vfs, const char *path, const lm_assets_options *options);

/* Opens a model with its first allocation failing, then with its second one, until none fails. Each
 * time the scene is complete, or lack of memory is reported, and all memory is released. */
void assert_opening_needs_memory(const char *path, const lm_assets_options *options);

/* Returns the first diagnostic whose sentence contains `piece`, or NULL if there is none. */
const lm_diagnostic *diagnostic(const lm_assets *assets, const char *piece);

#endif
