/* Thumbnails of models. A thread draws those that are wanted; the latest stay in memory. All
 * functions are for the main thread. */
#ifndef VIEWER_THUMBNAILS_H
#define VIEWER_THUMBNAILS_H

#include "folder.h"

#include <gdk/gdk.h>

#define THUMBNAILS_MAX_BYTES ((size_t)32 << 20) /* of pixels, if fewer thumbnails are wanted */

typedef struct thumbnails thumbnails;

/* `drawn` is called in the main thread when a thumbnail is complete, or cannot be drawn. */
thumbnails *thumbnails_new(void (*drawn)(void *user, const char *path), void *user);
/* Does not wait for the thread, which may be drawing a thumbnail. NULL is allowed. */
void thumbnails_free(thumbnails *t);
/* Waits for the threads of all freed thumbnails. Call it before the program ends. */
void thumbnails_end(void);

/* Draws all thumbnails again; thumbnails_find returns the old ones until then. Paths now belong to
 * `vfs`; `games` as in lm_assets_options.games, terminated by NULL; NULL: none. Both are copied.
 * `size` is the width and the height in pixels. */
void thumbnails_reset(thumbnails *t, shared_vfs *vfs, const char *const *games, uint32_t size);
/* Sets the paths whose thumbnails are wanted, terminated by NULL, in the order to draw them. Those
 * wanted before are not drawn any more, unless they are again. */
void thumbnails_want(thumbnails *t, const char *const *paths);

/* Returns whether a thumbnail is complete or has failed; `texture` is then NULL if it has. */
bool thumbnails_find(thumbnails *t, const char *path, GdkTexture **texture);
/* Returns why no thumbnail can be drawn, which one that has failed tells; NULL: some can. */
const char *thumbnails_problem(const thumbnails *t);
/* Returns whether thumbnails are wanted that are not complete. */
bool thumbnails_is_busy(thumbnails *t);
/* Return how many thumbnails were begun since thumbnails_new, and how many are in memory. */
guint thumbnails_count_drawn(thumbnails *t);
guint thumbnails_count_kept(thumbnails *t);

#endif
