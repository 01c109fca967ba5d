/* A temporary folder of small files that exists while a test program runs. */
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

#endif
