/* A folder for the length of a test program, to be filled with small files. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "archive_maker.h"

/* For cmocka_run_group_tests. */
int tree_make(void **state);
int tree_remove(void **state);

/* The path of what is called so below it; of a few calls at a time. */
const char *tree_at(const char *name);
void tree_folder(const char *name); /* with those that it is in */
void tree_put(const char *name, const void *data, size_t size);
void tree_put_text(const char *name, const char *text);
void tree_put_blob(const char *name, blob b); /* and frees it */
void tree_put_buffer(const char *name, lm_buffer b);
void tree_drop(const char *name); /* a file */
/* A symbolic link; skips the test where there are none (Windows). */
void tree_link(const char *target, const char *name);

#endif
