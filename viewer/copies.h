/* The files to write for edits. Independent of GTK's widgets. */
#ifndef VIEWER_COPIES_H
#define VIEWER_COPIES_H

#include "edits.h"
#include "lerpmesh/assets.h"

/* A file to write. */
typedef struct saved_file {
    char *path;
    GBytes *bytes;
    bool is_asked; /* the user chose this very file */
} saved_file;

/* Returns whether a copy is one file, the model at `request`, with its clips file next to it. The
 * parts of a player are copied to a folder instead, under their names. */
bool copies_are_one(const edits *e, const char *request);
/* Returns the files of a copy, saved_file: at a path for one model, else in a folder. Clips files
 * come first. */
GPtrArray *copies_at(lm_vfs *vfs, const edits *e, const char *request, const char *target);
/* Returns the changed files under their own names. */
GPtrArray *copies_over_originals(const edits *e);
/* Returns the paths, one a line, as text; `existing`: those that exist and were not asked about. */
char *copies_text(const GPtrArray *files, bool existing);

/* Returns the path of the clips file that lerpmesh finds for a copy of a model; free it with
 * g_free. `clips` is the path of the model's own: an animation.cfg keeps its name, others have the
 * copy's.
 */
char *copy_clips_path(lm_vfs *vfs, const char *clips, const char *copy);

#endif
