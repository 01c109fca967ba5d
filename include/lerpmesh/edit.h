/* lerpmesh/edit.h - changing a model's file: what is named changes, and every other byte stays.
 *
 *     #include <lerpmesh/edit.h>
 *     #include <stdio.h>
 *
 *     // A file whose paths lead elsewhere; false, and why on the way out, if that cannot be.
 *     bool move_paths(const void *bytes, size_t size, lm_buffer *out) {
 *         const char *how = "s,^models/,players/,";
 *         lm_error error;
 *         lm_edit *edit = lm_edit_open(bytes, size, NULL, &error);
 *         bool ok = edit && lm_edit_substitute(edit, LM_EDIT_SKINS, how, NULL, &error) &&
 *                   lm_edit_write(edit, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_edit_free(edit);
 *         return ok;
 *     }
 *
 * An edit is a file's document (lm_md2, lm_md3, lm_mdc, lm_mdl) with what is needed to write it
 * back over the file: lumps stay where and in the order in which they were, bytes between them and
 * behind the end stay too. A change that keeps every size, as a name's does, touches its own bytes
 * alone. Nothing is decoded and quantised again.
 *
 * Functions that change something return false, and say why in `error`, where
 * they cannot; the document is then as it was before the call. LM_CODE_BAD_ARGUMENT: what is named
 * is not there, or the format has no such thing. LM_CODE_LIMIT: a name is too long, or there would
 * be more than the format counts. LM_CODE_ROUNDING: lm_edit_place.round. LM_CODE_OUT_OF_MEMORY.
 *
 * An edit is for one thread at a time.
 */
#ifndef LERPMESH_EDIT_H
#define LERPMESH_EDIT_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_edit lm_edit;

/* Reads a file to change it. `data` must stay as long as the edit does. `memory` bounds what
 * reading takes; lumps that changed are taken from its allocator. NULL if the file is damaged, as
 * lm_load_memory without `repair` finds it. */
LM_WRITE_API lm_edit *lm_edit_open(const void *data, size_t size, const lm_memory *memory,
                                   lm_error *error);
LM_WRITE_API void lm_edit_free(lm_edit *edit);

/* Which format the file has. */
LM_WRITE_API const lm_format_info *lm_edit_format(const lm_edit *edit);
/* The document: an lm_md2 *, lm_md3 *, lm_mdc * or lm_mdl *, as the format says. It is the edit's;
 * what you change in it is written too. Where you give it another number of surfaces than the file
 * has, and no call here did, bytes between lumps do not stay: nobody could say whose they were. */
LM_WRITE_API void *lm_edit_document(lm_edit *edit);

/* Appends the changed file. It is read back before anybody sees it, and is the document, or nothing
 * is written: `out` is then as it was. A file in which nothing changed comes out as the same bytes.
 * Where lumps share bytes and one of them changed, each gets its own. */
LM_WRITE_API bool lm_edit_write(const lm_edit *edit, lm_buffer *out, lm_error *error);

/* ---- Lists and their names ----------------------------------------------------------------- */

/* What a file lists. `surface` is that of a surface's skins; elsewhere it is not looked at. */
typedef enum lm_edit_list {
    LM_EDIT_SKINS,    /* MD2: paths; MD3, MDC: a surface's shaders; MDL: pictures, without names */
    LM_EDIT_FRAMES,   /* MDL: poses, those of groups too */
    LM_EDIT_CLIPS,    /* runs of frames with like names, as lerpmesh/clips.h tells them */
    LM_EDIT_SURFACES, /* MD3, MDC */
    LM_EDIT_TAGS,     /* MD3, MDC */
    LM_EDIT_HEADER,   /* MD3, MDC: the one name in the file's header */
    LM_NUM_EDIT_LISTS
} lm_edit_list;

/* "skins", "frames", ...; and one of them: "skin"; "unknown" for a number that is no list. */
LM_WRITE_API const char *lm_edit_list_name(lm_edit_list list);
LM_WRITE_API const char *lm_edit_item_name(lm_edit_list list);

/* Whether files of this format have such a list; and whether it is one of each surface. */
LM_WRITE_API bool lm_edit_has(const lm_edit *edit, lm_edit_list list);
LM_WRITE_API bool lm_edit_by_surface(const lm_edit *edit, lm_edit_list list);

/* How many there are; 0 where the format has no such thing. (Clips are found when they are asked
 * for: where memory fails there are none.) */
LM_WRITE_API uint32_t lm_edit_count(lm_edit *edit, lm_edit_list list, uint32_t surface);

#define LM_EDIT_NAME_SIZE 80
/* A name up to its NUL, into `name`; false, and an empty one, if there is none. */
LM_WRITE_API bool lm_edit_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                               char name[LM_EDIT_NAME_SIZE]);
/* Finds the first of that name, letters in either case. Returns false if there is none
 * (LM_CODE_BAD_ARGUMENT) or memory failed. */
LM_WRITE_API bool lm_edit_find(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                               uint32_t *index, lm_error *error);
/* Returns the frames of a clip in `first` and `count`; false if there is no such clip
 * (LM_CODE_BAD_ARGUMENT) or memory failed. */
LM_WRITE_API bool lm_edit_clip(lm_edit *edit, uint32_t clip, uint32_t *first, uint32_t *count,
                               lm_error *error);

/* Gives one a name; the rest of its field becomes 0. A clip's frames keep what follows the clip's
 * name in theirs, or are numbered (run01, run02, ...) where theirs do not begin so. A name that is
 * there already changes nothing. */
LM_WRITE_API bool lm_edit_rename(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                                 const char *name, lm_error *error);

/* Replaces by a pattern in every name of a list, of all surfaces: "s/PATTERN/NEW/", where any
 * character that is no letter may stand for the slash. In the pattern . ^ $ [a-z] [^a-z] * + ? |
 * and
 * (...) mean what they do in sed -E, a backslash takes a character as it is; in NEW & is what was
 * found, \1 to \9 are the groups. Behind the last slash g replaces all that is found in a name, i
 * takes letters in either case. `changed` may be NULL; it gets the number of names that changed. */
LM_WRITE_API bool lm_edit_substitute(lm_edit *edit, lm_edit_list list, const char *substitution,
                                     uint32_t *changed, lm_error *error);
/* Whether a substitution is understood, before there is anything to try it on. */
LM_WRITE_API bool lm_edit_check_substitution(const char *substitution, lm_error *error);

/* ---- What there is, and in which order ----------------------------------------------------- */

/* Keeps the named ones, in this order; what is not named goes. Frames may come more than once, the
 * others may not. At least one frame stays.
 *
 * MD3, MDC: skins are a surface's; a surface goes with all that it has. MDC: base frames and
 * differences that no frame uses any longer go too. MDL: neighbours of one group stay together,
 * each as long as it lasted; a clip cannot be selected: name its frames. */
LM_WRITE_API bool lm_edit_select(lm_edit *edit, lm_edit_list list, uint32_t surface,
                                 const uint32_t *indices, uint32_t count, lm_error *error);

/* Elements by words, with commas between them: names, numbers from 0, and ranges of them ("run,7,
 * 40-45"). What is not there is an error (LM_CODE_BAD_ARGUMENT), or, with `missing`, which then
 * becomes true, passed over. */

/* Finds elements. `count` is how many they are, of which `most` at most are in `indices`. */
LM_WRITE_API bool lm_edit_pick(lm_edit *edit, lm_edit_list list, uint32_t surface,
                               const char *words, bool *missing, uint32_t *indices, uint32_t most,
                               uint32_t *count, lm_error *error);

typedef enum lm_edit_choice {
    LM_EDIT_KEEP, /* only the named ones stay */
    LM_EDIT_DROP, /* the named ones go */
    LM_EDIT_ORDER /* only the named ones stay, in this order */
} lm_edit_choice;

/* Selects by words, of clips their frames. Where a list is each surface's, they are
 * "SURFACE:WORDS". */
LM_WRITE_API bool lm_edit_choose(lm_edit *edit, lm_edit_list list, lm_edit_choice choice,
                                 const char *words, bool *missing, lm_error *error);
/* Reverses the frames of clips, or of the model ("all"). */
LM_WRITE_API bool lm_edit_reverse(lm_edit *edit, const char *words, bool *missing, lm_error *error);

/* Adds a skin's path behind the others, of MD3 and MDC to a surface. MDL: there are none. */
LM_WRITE_API bool lm_edit_add_skin(lm_edit *edit, uint32_t surface, const char *path,
                                   lm_error *error);

/* Adds the frames of another file of the same format behind those that there are: with their tags,
 * and, of MDL, their groups. The other must have the same triangles of as many vertices in as many
 * surfaces, and tags of the same names; of MD2 as many bytes a frame, of MDL the same scale and
 * translate. `other` may go then. */
LM_WRITE_API bool lm_edit_append(lm_edit *edit, const lm_edit *other, lm_error *error);

/* Takes out vertices that nothing draws, MD2's texture coordinates too, and numbers the others
 * anew. What is drawn stays the same. */
LM_WRITE_API bool lm_edit_trim(lm_edit *edit, lm_error *error);

/* ---- Where things are ---------------------------------------------------------------------- */

/* Another place for all of a model: first it is scaled, then turned, then moved. */
typedef struct lm_edit_place {
    float scale;       /* > 0; 0: 1 */
    int quarter_turns; /* around z, from x towards y */
    lm_vec3 move;
    /* MD3, MDC: positions may be rounded to the nearest 64th of a unit, MDC's differences to what
     * fits. Without it that is an error (LM_CODE_ROUNDING), with the number. */
    bool round;
} lm_edit_place;

/* Puts a model elsewhere without encoding it anew: vertices, bounds, radii and tags.
 *
 * MD2, MDL: what bytes are multiplied by, and what is added, changes; the bytes themselves only
 * where an axis is turned around, exactly. MD3: vertices are whole 64ths of a unit: quarter turns,
 * and moves by whole 64ths, are exact; normals turn exactly. MDC: the same; its differences turn
 * exactly but for their largest step, and cannot be scaled. Normals of MD2, MDL and of MDC's
 * differences are the nearest of their tables to the turned ones. */
LM_WRITE_API bool lm_edit_set_place(lm_edit *edit, const lm_edit_place *place, lm_error *error);

/* Adds a tag behind the others: at one place in every frame, with the model's axes. Moves one in
 * every frame, along the model's axes. MDC: to the nearest 64th of a unit. */
LM_WRITE_API bool lm_edit_add_tag(lm_edit *edit, const char *name, const lm_vec3 *origin,
                                  lm_error *error);
LM_WRITE_API bool lm_edit_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by, lm_error *error);

/* Computes what a file says about its vertices of where they are. Normals, as LM_NORMALS_COMPUTED
 * has them, to the nearest that the format has; bounds and radii of frames (MD3, MDC), of poses,
 * groups and the whole model (MDL). MD2 has no bounds. */
LM_WRITE_API bool lm_edit_compute_normals(lm_edit *edit, lm_error *error);
LM_WRITE_API bool lm_edit_compute_bounds(lm_edit *edit, lm_error *error);

/* What no document can be changed into: other turns, other sizes of MDC's differences, frames
 * between those that there are. */
typedef struct lm_edit_recast {
    double scale;   /* > 0; 0: 1 */
    double degrees; /* around z, from x towards y */
    lm_vec3 move;
    double fps; /* > 0: every clip has so many frames a second; 0: frames stay as they are */
} lm_edit_recast;

/* Decodes what the file shows, changes that, and encodes it anew (lm_encode, with its defaults),
 * which is not lossless: bytes between lumps and behind the end are gone, positions and normals are
 * rounded once more, surfaces may be split. `max_error`, which may be NULL, gets how far a vertex
 * is off at most, in units. The changes that are made afterwards are to what was made. */
LM_WRITE_API bool lm_edit_encode(lm_edit *edit, const lm_edit_recast *recast, double *max_error,
                                 lm_error *error);

/* ---- What changed -------------------------------------------------------------------------- */

/* A change, in the order in which they were made. Texts come from files: show them with
 * control characters made harmless. */
typedef struct lm_edit_change {
    const char *what;   /* "skin 0", "surface 2 skin 0", "frames" */
    const char *before; /* NULL: was not there */
    const char *after;  /* NULL: is no more */
} lm_edit_change;

/* The changes so far; `count` gets how many. They last until the edit changes again. */
LM_WRITE_API const lm_edit_change *lm_edit_changes(const lm_edit *edit, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
