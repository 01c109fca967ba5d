/* What the system says of a path: the few questions that opening asks. */
#ifndef LM_ASSETS_SYSTEM_H
#define LM_ASSETS_SYSTEM_H

#include "lerpmesh/io.h"
#include "pool.h"

/* Links are followed. */
lm_path_kind lm_kind_of(const char *path);
/* A folder, and no link to one. */
bool lm_is_real_folder(const char *path);

/* Whether there is a file that can be opened; else false with the reason: `missing` if there is
 * none. `error` may be NULL. */
bool lm_can_open(const char *path, const char *missing, lm_error *error);

/* The names in a folder but for "." and "..", in byte order; they belong to the pool. False with
 * the reason in `error`. */
typedef struct lm_name_list {
    uint32_t count, capacity;
    const char **names;
} lm_name_list;

bool lm_list_names(const char *folder, lm_pool *pool, lm_name_list *names, lm_error *error);

/* FOLDER/NAME. */
char *lm_join(lm_pool *pool, const char *folder, const char *name);
/* Letters compare without case. */
bool lm_same_text(const char *a, const char *b);
bool lm_begins_same(const char *a, const char *b, size_t length);

#endif
