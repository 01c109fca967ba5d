/* Opens assets and inspects their diagnostics. */
#ifndef TESTS_OPENED_H
#define TESTS_OPENED_H

#include "support.h"

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
