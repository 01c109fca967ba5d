/* A document: an opened model with everything related to it. A worker thread reads it; after that
 * it is constant. Documents are reference-counted; references may be taken and dropped in any
 * thread. */
#ifndef VIEWER_DOCUMENT_H
#define VIEWER_DOCUMENT_H

#include "folder.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"
#include "lerpmesh/scene.h"
#include "skeletons.h"

#include <glib.h>

#define DOCUMENT_ANY_SKIN UINT32_MAX

/* A request to open a document. */
typedef struct document_request {
    char *path; /* a file, or a path into an archive: "pak0.pak:models/a.md2" */
    char *skin; /* as in lm_assets_options.skins, or NULL */
    /* index of a skin that the model lists; DOCUMENT_ANY_SKIN: the first that exists */
    uint32_t listed;
    bool gl_commands; /* MD2: use the strips and fans of the GL commands instead of the triangles */
    bool without_related; /* does not attach the weapon and the head from the same folder */
    bool repair;
    GHashTable *edited; /* bytes by the paths of the files that they replace; NULL: none */
    char **games;       /* as in lm_assets_options.games, terminated by NULL; NULL: none */
    char **attached;    /* further models, as in attachments.h; NULL: none */
} document_request;

document_request document_request_copy(const document_request *request);
void document_request_clear(document_request *request);

/* A clip name. If several parts have a clip of that name, the timeline is the first part's. */
typedef struct document_clip {
    char *name;
    lm_clip clip;
    uint32_t part;
    bool all_frames; /* not a clip of the file: all frames of the first part */
} document_clip;

/* ---- Problems -------------------------------------------------------------------------------- */

typedef enum problem_kind {
    PROBLEM_PART, /* the heading of a part: all its problems, or none */
    PROBLEM_CODE, /* the problems of one code: >= 2 */
    PROBLEM_ONE
} problem_kind;

/* A row: the problems order[first .. first + count - 1], all of one part; LM_NO_PART: of a file
 * that is no model, which is the problem's subject. */
typedef struct problem_row {
    problem_kind kind;
    uint32_t part, first, count;
} problem_row;

/* The reports of a scene's parts. Each is grouped by code: errors, then warnings, then notes. A
 * group of several problems has a row for all of them, followed by one row each. With several
 * parts, each starts with a heading. The problems of other files follow, one row each. */
typedef struct problem_groups {
    GPtrArray *order; /* const lm_diagnostic * */
    GArray *rows;     /* problem_row */
} problem_groups;

/* A report that is NULL has no problems. */
problem_groups problem_groups_new(lm_report *const *reports, uint32_t num_parts);
/* Adds a problem of a file that is no model. */
void problem_groups_add(problem_groups *groups, const lm_diagnostic *problem);
void problem_groups_clear(problem_groups *groups);

/* lm_diagnostic_locate, appending to an array of triangles. */
uint32_t problem_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles);

/* ---- Documents ------------------------------------------------------------------------------- */

typedef struct document {
    document_request request;
    shared_vfs *shared_vfs;
    lm_assets *assets;
    lm_scene drawn; /* the scene, with textures reduced to useful sizes */
    uint32_t num_clips;
    document_clip *clips; /* the last show all frames: of the first part, and of others that move */
    lm_skin_choices *skins; /* of the first part */
    /* Of each part: its name, such as "Legs", and the check report of its file. */
    char *part_names[LM_MAX_PARTS];
    lm_report *reports[LM_MAX_PARTS];
    problem_groups problems; /* the reports, grouped by part and code */
    GPtrArray *fixes; /* char *, a sentence for each row of a problem with a fix, else NULL */
    /* the name in a glTF: the file name without extension, or the player's */
    char *name;
    char *title;            /* the title; a player has its folder's name */
    char *file_name;        /* the title as a file name, for exports */
    char *missing_textures; /* the textures that were not found; NULL: none */
    char *notice;           /* another diagnostic to show immediately; NULL: none */
    /* Of each part, once they are found; set and read in the main thread only. */
    lm_skeleton *skeletons[LM_MAX_PARTS];
    skeleton_bones *bones[LM_MAX_PARTS]; /* NULL: the part has no good skeleton */
} document;

/* Opens a document. Returns NULL if the model cannot be read. May be called from any thread. */
document *document_open(shared_vfs *from, const document_request *request, lm_error *error);
document *document_ref(document *d);
void document_unref(document *d);

const lm_scene *document_scene(const document *d);
/* Returns whether a part has several frames. */
bool document_moves(const document *d);
/* Returns whether a shader of the document is animated. */
bool document_has_animated_shaders(const document *d);
const lm_model *document_model(const document *d); /* the first part's */

/* Counts of a part, or of all. */
typedef struct document_sums {
    uint32_t surfaces, vertices, triangles, tags;
} document_sums;

document_sums document_count(const document *d, uint32_t part); /* LM_NO_PART: all */
/* Finds a surface by its index among those of all parts. Returns false if there is none. */
bool document_surface(const document *d, uint32_t index, uint32_t *part, uint32_t *surface);
/* Returns the part whose file the request names; of a player's folder, the first part. */
uint32_t document_own_part(const document *d);
/* Returns the path of the clips file of a part: the one that was read, else the one that would be
 * found first; free it with g_free. */
char *document_clips_path(const document *d, uint32_t part);
/* Returns the first problem of a row of `problems`. */
const lm_diagnostic *document_problem(const document *d, uint32_t row);
/* Returns the sentence about the fix of a row of `problems`; NULL: it has no fix. */
const char *document_fix(const document *d, uint32_t row);
/* Returns the index of the clip that shows all frames of a part; if there is none, of the first. */
uint32_t document_all_frames(const document *d, uint32_t part);

/* Returns the torso of a player whose legs and torso play clips apart; LM_NO_PART: there is none.
 */
uint32_t document_torso(const document *d);

/* Returns whether a document is a first-person weapon of Return to Castle Wolfenstein. */
bool document_is_weapon(const document *d);

/* Returns the name of a clip of the torso, which count from 1; NULL: there is none. */
const char *document_torso_clip(const document *d, uint32_t row);
/* Returns the names of the clips that the parts play, that of the torso first; NULL: only the
 * clip's own part plays. */
char *document_clip_names(const document *d, uint32_t clip, const char *torso);

/* Computes the pose of each part into poses[num_parts]. Parts that have the clip play it together,
 * followers copy their parents, and all others show their idle pose. `torso`: the name of a clip
 * that the torso plays meanwhile, unless the clip is its own; NULL: none. */
void document_pose(const document *d, uint32_t clip, const char *torso, const lm_playback *play,
                   lm_pose *poses);

/* Returns the playback with the clip that ends last: its own, or the torso's. It is the clock of
 * both. */
lm_playback document_clock(const document *d, uint32_t clip, const char *torso,
                           const lm_playback *play);

/* Returns the folder of the document's file, or of its archive; free it with g_free. */
char *document_folder(const document *d);
/* Returns the files that the document depends on, terminated by NULL; free them with g_strfreev. */
char **document_sources(const document *d);

/* Takes the skeletons of all parts. Those that are refused get no bones. */
void document_set_skeletons(document *d, lm_skeleton **found);

#endif
