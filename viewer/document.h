/* What is open: a model with all that belongs to it, read by a thread of its own and constant from
 * then on. Documents are shared by reference counts, which any thread may take and drop. */
#ifndef VIEWER_DOCUMENT_H
#define VIEWER_DOCUMENT_H

#include "findings.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"
#include "lerpmesh/scene.h"
#include "shelf.h"

#include <glib.h>

#define DOCUMENT_ANY_SKIN UINT32_MAX

/* What to open, and how. */
typedef struct document_wish {
    char *path;      /* of a file, or into an archive: "pak0.pak:models/a.md2" */
    char *skin;      /* as lm_assets_options.skins has it, or NULL */
    uint32_t listed; /* which of the skins that a model lists, or DOCUMENT_ANY_SKIN that is there */
    bool gl_commands; /* the MD2's strips and fans instead of its triangles */
    bool alone;       /* without the weapon and the head that lie beside it */
    bool repair;
    char **games; /* as lm_assets_options.games, NULL at the end; NULL: none */
} document_wish;

document_wish document_wish_copy(const document_wish *wish);
void document_wish_clear(document_wish *wish);

/* A clip by name. Several parts may have one of that name; the timeline is that of the first. */
typedef struct document_clip {
    char *name;
    lm_clip clip;
    uint32_t part;
    bool whole; /* no clip of the file's: all frames of the first part */
} document_clip;

typedef struct document {
    document_wish wish;
    shelf *shelf;
    lm_assets *assets;
    lm_scene drawn; /* the scene, with pictures no larger than a screen shows them */
    uint32_t num_clips;
    document_clip *clips;   /* the last shows all frames */
    lm_skin_choices *skins; /* of the first part */
    lm_report *report;      /* what `lerpmesh check` finds in the first part's file */
    findings problems;      /* the same by kinds */
    char *name;             /* in a glTF: that of the file, without extension, or of a player */
    char *title;            /* what it is called: a whole player as his folder is */
    char *file_name;        /* the same, for files that are made of it */
    char *info;             /* what `lerpmesh info` says of it */
    char *remarks;          /* lines of what was odd about its textures and clips */
    char *remark;           /* that of them which is to be told at once; NULL: none */
} document;

/* Reads it all. Returns NULL and a sentence, to be freed, if the model cannot be read. Any thread
 * may call this. */
document *document_open(shelf *from, const document_wish *wish, char **sentence);
document *document_ref(document *d);
void document_unref(document *d);

const lm_scene *document_scene(const document *d);
/* Whether what it wears moves by itself. */
bool document_moves(const document *d);
const lm_model *document_model(const document *d); /* the first part's */

/* The pose of each part, into poses[num_parts]: those that have the clip play it with the others,
 * followers show what their parents show, the rest stands as it does at rest. */
void document_pose(const document *d, uint32_t clip, const lm_playback *play, lm_pose *poses);

/* Files that make another document when they change, NULL at the end; g_strfreev. */
char **document_sources(const document *d);

/* Writes a .glb of the scene with all its clips. Any thread may call this. Returns NULL, or a
 * sentence to be freed. */
char *document_export(const document *d, const char *path);

#endif
