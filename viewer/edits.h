/* Edits of the models of a document and of their clips files, with undo and redo: the bytes before
 * and after each step. Then the files to write for them. Independent of GTK's widgets. */
#ifndef VIEWER_EDITS_H
#define VIEWER_EDITS_H

#include "lerpmesh/assets.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/edit.h"

#include <glib.h>

typedef enum edit_kind {
    EDIT_FIX,  /* of a problem */
    EDIT_NAME, /* a new name in a model's file */
    EDIT_CLIP  /* new values of a clip in a clips file */
} edit_kind;

typedef struct edit_step {
    edit_kind kind;
    guint model, clips;    /* its files; without EDIT_CLIP, only the first counts */
    lm_diagnostic problem; /* of a fix: its code, and the surface and index of its location */
    lm_edit_list list;     /* of a name */
    uint32_t surface, index;
    char *name; /* the new one; of a clip: the one before */
    lm_clip clip;
    uint32_t num_frames; /* of the clip's model */
} edit_step;

/* A file that steps may change. */
typedef struct edited_file {
    char *path;
    GBytes *original; /* NULL: there is none; the first step of a clip makes a .framegroups file
                         with the model's own clips */
    GBytes *current;  /* NULL: no applied step concerns the file */
    bool is_clips;
} edited_file;

typedef struct edits edits;

edits *edits_new(void);
void edits_free(edits *e); /* NULL is allowed */

/* Returns the number of a file. Adds a new one, with its original bytes; its path tells the format
 * of a clips file. */
guint edits_add_file(edits *e, const char *path, GBytes *original, bool is_clips);
/* Returns whether the file at a path is known. */
bool edits_has_file(const edits *e, const char *path);
guint edits_num_files(const edits *e); /* NULL: 0 */
const edited_file *edits_file(const edits *e, guint index);
/* Returns whether a file has other bytes than the original ones. */
bool edits_is_changed(const edited_file *file);
/* Returns whether a file on disk has the original bytes; without these, whether it is missing. */
bool edits_is_untouched(const edited_file *file);
/* Returns the current bytes of all files by path; NULL: no step is applied. */
GHashTable *edits_table(const edits *e);

/* Applies a step after the current ones, and drops those that were undone. Returns false and
 * changes nothing if the step fails. */
bool edits_add(edits *e, const edit_step *step, lm_error *error);
/* Return false if there is no such step. */
bool edits_undo(edits *e);
bool edits_redo(edits *e);
bool edits_can_undo(const edits *e);
bool edits_can_redo(const edits *e);

/* Returns whether the current bytes differ from those last saved. */
bool edits_unsaved(const edits *e);
void edits_mark_saved(edits *e);

/* ---- Copies ---------------------------------------------------------------------------------- */

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
