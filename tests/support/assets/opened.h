/* What a person names, opened, and what was told of it. */
#ifndef TESTS_OPENED_H
#define TESTS_OPENED_H

#include "support.h"

#include "lerpmesh/assets.h"

/* Opens a sound scene from a disk that remembers nothing; one at a time. */
lm_assets *open_fresh(const char *path, const lm_assets_options *options);
lm_disk *fresh_disk(void);
void close_fresh(lm_assets *assets);

/* The same from a disk of the caller's, to be freed with lm_assets_free. */
lm_assets *open_sound(lm_disk *disk, const char *path, const lm_assets_options *options);

/* The first finding with this in its sentence; NULL: there is none. */
const lm_diagnostic *finding(const lm_assets *assets, const char *piece);

#endif
