/* lerpmesh/edit.h - changing a model's file: only the named values change, all other bytes stay.
 *
 *     #include <lerpmesh/edit.h>
 *     #include <stdio.h>
 *
 *     // Changes the folder in all skin paths. Returns false if that fails.
 *     bool move_paths(const void *bytes, size_t size, lm_buffer *out) {
 *         lm_error error;
 *         lm_edit *edit = lm_edit_open(bytes, size, NULL, &error);
 *         bool ok = edit && lm_edit_set(edit, "path", "s,^models/,players/,", NULL, &error) &&
 *                   lm_edit_write(edit, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_edit_free(edit);
 *         return ok;
 *     }
 *
 * An edit is a file's document (lm_md2, lm_md3, lm_mdc, lm_mdl) with the layout of the file. It
 * writes the document back over the file: lumps keep their offsets and their order, and bytes
 * between lumps and after the end stay. A change that keeps all sizes, such as a new name, touches
 * only its own bytes. Nothing is decoded and quantised again, except by lm_edit_reencode.
 *
 * Functions that change something return false and fill `error` if they fail. The document is then
 * as it was before the call. Errors: LM_CODE_BAD_ARGUMENT (the named element does not exist, or the
 * format has no such list), LM_CODE_LIMIT (a name is too long, or a count exceeds the format's),
 * LM_CODE_ROUNDING (see lm_edit_transform.round), LM_CODE_OUT_OF_MEMORY.
 *
 * Use an edit in one thread at a time. C++ writes = {} where these headers write = {0}. */
#ifndef LERPMESH_EDIT_H
#define LERPMESH_EDIT_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is being changed. */
typedef struct lm_edit lm_edit;
struct lm_mesh; /* lerpmesh/mesh.h */

/* Opens a file for editing. `data` must live as long as the edit. Of the options, `memory`,
 * `repair` and `strict` apply. `memory` bounds the memory for reading; changed lumps come from its
 * allocator, unbounded. Returns NULL if the file is damaged, by the rules of lm_load_memory.
 *
 * By default, damage that no engine notices stays in the file. `repair` removes all damage, which
 * becomes the first changes of the edit: damaged triangles and GL commands are removed, other
 * damaged values replaced in place. Every other byte stays, if the remaining lumps keep their
 * sizes. */
LM_WRITE_API lm_edit *lm_edit_open(const void *data, size_t size, const lm_load_options *options,
                                   lm_error *error);
/* Frees an edit with its document. */
LM_WRITE_API void lm_edit_free(lm_edit *edit);

/* Returns the file's format. */
LM_WRITE_API const lm_format_info *lm_edit_format(const lm_edit *edit);
/* Returns the document: an lm_md2 *, lm_md3 *, lm_mdc * or lm_mdl *, depending on the format. The
 * edit owns it. You may change it, and the changes are written too. If you change the number of
 * surfaces yourself, bytes between lumps are lost, because their position is no longer known. */
LM_WRITE_API void *lm_edit_document(lm_edit *edit);
/* Appends the changed file to `out`. Before it returns, it reads the file back and compares it with
 * the document. If they differ, it fails and leaves `out` as it was. An unchanged file gives the
 * same bytes. If lumps share bytes and one of them changed, each gets its own bytes. */
LM_WRITE_API bool lm_edit_write(const lm_edit *edit, lm_buffer *out, lm_error *error);

/* ---- Changes by name ------------------------------------------------------------------------ */

/* Makes a change that is written as an option of `lerpmesh edit`: its name and its value. The name
 * may begin with the option's hyphens; if it does, messages name all options with them.
 *     path           s/PATTERN/NEW/, in all skins
 *     set-skin       N=PATH; MD3, MDC: SURFACE:N=PATH, or SURFACE=PATH for skin 0
 *     add-skin       PATH; MD3, MDC: SURFACE=PATH
 *     rename         KIND:OLD=NEW or KIND:s/PATTERN/NEW/
 *     name           NAME, in the header of MD3 and MDC
 *     fix            CODE,CODE or all: what lm_edit_fix can fix of the file as it is now. Fails for
 *                    codes that have no fix. The code damage has no effect here:
 *                    lm_load_options.repair removes it.
 *     keep           KIND:LIST: keeps only these elements
 *     drop           KIND:LIST: removes them
 *     order          KIND:LIST: keeps only these, in this order; frames may be repeated
 *     reverse        LIST of clips, or all: all frames
 *     add-tag        NAME=X,Y,Z: a new last tag with the model's axes, the same in all frames.
 *                    After ,follow or ,follow@FRAME that is its place in frame 0 or FRAME. It
 *                    then moves and turns with the largest triangle at the nearest vertex.
 *     move-tag       LIST=X,Y,Z: moves tags in every frame, along the model's axes
 *     scale          a factor
 *     rotate         degrees about z, from x towards y
 *     move           X,Y,Z
 *     fps            a rate to which every clip is resampled
 *     normals        computed: computes normals from the vertices, as LM_NORMALS_COMPUTED, and
 *                    stores the nearest that the format has
 * These take no value (NULL or ""):
 *     round          allows later changes to round, as lm_edit_transform.round does
 *     reencode       allows later changes to re-encode the model, as lm_edit_reencode does, if they
 *                    are impossible otherwise; fps, and angles other than quarter turns, need it
 *     compute-bounds     computes bounds from the vertices: boxes and radii of frames (MD3, MDC),
 *                        or of poses, groups and the whole model (MDL). MD2 has none.
 *     remove-unused      removes unused vertices, and MD2's unused texture coordinates. The drawn
 *                        model stays the same.
 * KIND is skins, frames, clips, surfaces, tags or header. OLD and SURFACE are
 * names or numbers. A LIST has names, numbers from 0 and ranges of numbers, separated by commas:
 * "run,7,40-45". For skins of MD3 and MDC, it is SURFACE:LIST. Clips stand for their frames. Names
 * are compared case-insensitively; of equal ones the first is meant. Lengths are in units.
 *
 * In PATTERN, . ^ $ [a-z] [^a-z] * + ? | and (...) work as in sed -E, and a backslash quotes the
 * next character. In NEW, & is the match and \1 to \9 are the groups. At the end, g replaces all
 * matches in a name, and i ignores case. Any character that is not a letter may replace the slash
 * of path, and any of # | , ; ! @ % ~ : that of rename.
 *
 * If an element of a LIST, an OLD, an N or a SURFACE does not exist, the change fails
 * (LM_CODE_BAD_ARGUMENT). If `missing` is not NULL, the change sets it to true instead and skips
 * the element. If `edit` is NULL, only checks
 * whether the value is well-formed; LM_CODE_ROUNDING then means that the change needs reencode. A
 * failed fix keeps the fixes before the one that failed. */
LM_WRITE_API bool lm_edit_set(lm_edit *edit, const char *name, const char *value, bool *missing,
                              lm_error *error);

/* Makes the clips of a clips file, as lm_clips_read returns them, those of the edit, in place of
 * the clips that the frames' names form. After frames were selected, each of these clips has those
 * of its frames that still follow its first one; it is gone with that. Renaming one changes the
 * names of its frames; it keeps its own, which is in its file. Fails with LM_CODE_BAD_ARGUMENT for
 * frames that do not exist. */
LM_WRITE_API bool lm_edit_use_clips(lm_edit *edit, const lm_clip *clips, uint32_t num_clips,
                                    lm_error *error);

/* ---- Lists and their names ----------------------------------------------------------------- */

/* The lists of a file. For lists that each surface has, the parameter `surface` of the functions
 * below selects the surface. Other lists ignore it. */
typedef enum lm_edit_list {
    LM_EDIT_SKINS,    /* MD2: paths; MD3, MDC: a surface's shaders; MDL: images, without names */
    LM_EDIT_FRAMES,   /* MDL: poses, including those of groups */
    LM_EDIT_CLIPS,    /* runs of frames with similar names (lerpmesh/clips.h); lm_edit_use_clips */
    LM_EDIT_SURFACES, /* MD3, MDC */
    LM_EDIT_TAGS,     /* MD3, MDC */
    LM_EDIT_HEADER,   /* MD3, MDC: the name in the header */
    LM_NUM_EDIT_LISTS /* not a list: their number */
} lm_edit_list;

/* Returns the number of elements in `count`: 0 if the format has no such list, or the file no such
 * surface. Fails if memory runs out, or with LM_CODE_BAD_ARGUMENT if `list` is not a list. */
LM_WRITE_API bool lm_edit_count(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t *count,
                                lm_error *error);

#define LM_EDIT_NAME_SIZE 80 /* bytes that hold any name of a list, with its NUL */
/* Copies a name into `name`, up to its NUL. If there is none, returns false and an empty name. */
LM_WRITE_API bool lm_edit_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                               char name[LM_EDIT_NAME_SIZE]);
/* Finds the first element with a name, case-insensitively. Returns false if there is none, as for
 * NULL (LM_CODE_BAD_ARGUMENT), or memory runs out. */
LM_WRITE_API bool lm_edit_find(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                               uint32_t *index, lm_error *error);
/* Returns the frames of a clip in `first` and `count`. Returns false if there is no such clip
 * (LM_CODE_BAD_ARGUMENT) or memory runs out. */
LM_WRITE_API bool lm_edit_clip(lm_edit *edit, uint32_t clip, uint32_t *first, uint32_t *count,
                               lm_error *error);

/* Renames an element and fills the rest of the name's field with 0. NULL is no name
 * (LM_CODE_BAD_ARGUMENT). A renamed clip renames its
 * frames: each keeps the part after the clip's name. Frames whose names do not begin with the
 * clip's name are numbered: run01, run02, ... Setting the same name changes nothing. */
LM_WRITE_API bool lm_edit_rename(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                                 const char *name, lm_error *error);

/* ---- Selecting, appending, replacing ------------------------------------------------------- */

/* Keeps only the given elements, in the given order. Frames may be repeated, other elements may
 * not. At least one frame must remain.
 *
 * MD3, MDC: `surface` selects the surface of the skins. Removing a surface removes all its data.
 * MDC: base frames and compressed frames that no frame uses any longer are removed too. MDL:
 * neighbours of one group stay together and keep their durations. Clips cannot be selected; give
 * their frames. */
LM_WRITE_API bool lm_edit_select(lm_edit *edit, lm_edit_list list, uint32_t surface,
                                 const uint32_t *indices, uint32_t count, lm_error *error);

/* Replaces frames by those of a mesh that has the file's own vertices, as lm_mesh_from_model
 * returns them: with as many frames, surfaces, vertices and tags as the file. Names and triangles
 * are ignored. Where a vertex is more than `tolerance` units from its stored position, on any axis,
 * it gets the mesh's position and normal (NULL: it keeps its normal). Where a tag's origin is as
 * far away, or an axis differs by more than 1e-4, it gets the mesh's transform. All other bytes of
 * the frames stay, except for bounds, in two cases. MD2: if a vertex leaves the grid of its frame,
 * all vertices of that frame are rounded to a new grid. MDC: if a change does not fit a compressed
 * frame, or the base frame has other users, the frame becomes a base frame of its own. `changed`
 * receives the number of changed frames; it may be NULL.
 *
 * Errors: LM_CODE_BAD_ARGUMENT (the mesh does not have the vertices of the file; MD2: its frames
 * have more bytes after their vertices), LM_CODE_NOT_FINITE, LM_CODE_LIMIT (a position does not fit
 * the format or, in an MDL, the grid of all frames). Encode the mesh then. */
LM_WRITE_API bool lm_edit_put_frames(lm_edit *edit, const struct lm_mesh *mesh, double tolerance,
                                     uint32_t *changed, lm_error *error);

/* Appends the frames of another file of the same format, with their tags and, for MDL, their
 * groups. The other file must have the same triangles, the same numbers of surfaces and vertices,
 * and tags of the same names. Its frames must also have the same size in bytes (MD2), or the same
 * scale and translate (MDL). `other` may be freed afterwards. */
LM_WRITE_API bool lm_edit_append(lm_edit *edit, const lm_edit *other, lm_error *error);

/* ---- Transforms ---------------------------------------------------------------------------- */

/* A transform of the whole model: it is scaled, then rotated, then moved. */
typedef struct lm_edit_transform {
    float scale;       /* > 0; 0: 1 */
    int quarter_turns; /* about z, from x towards y */
    lm_vec3 move;      /* in units, along the model's axes */
    /* MD3, MDC: allows rounding, of positions to the nearest 1/64 unit and of MDC's differences to
     * the nearest that fits. If false, a transform that needs rounding fails with LM_CODE_ROUNDING
     * and the size of the error. */
    bool round;
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_edit_transform;

/* Transforms a model without encoding it again: vertices, bounds, radii and tags.
 *
 * MD2, MDL: only scale and translate change, unless a rotation reverses an axis; vertices are then
 * mirrored within their bytes, exactly. MD3: vertices are multiples of 1/64 unit. Quarter turns,
 * and moves by multiples of 1/64, are exact, also for normals. MDC: the same. Its compressed frames
 * rotate exactly, except for differences of the largest step, and cannot be scaled. Normals of MD2,
 * MDL and of MDC's compressed frames become the nearest table entries to the rotated normals. */
LM_WRITE_API bool lm_edit_set_transform(lm_edit *edit, const lm_edit_transform *transform,
                                        lm_error *error);

/* Changes that need encoding again: any angle or frame rate, and scaling an MDC with compressed
 * frames. */
typedef struct lm_edit_reencode_options {
    float scale;    /* > 0; 0: 1 */
    double degrees; /* about z, from x towards y */
    lm_vec3 move;   /* in units, after scale and rotation */
    float fps;      /* > 0: every clip is resampled to this rate; 0: frames stay as they are */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_edit_reencode_options;

/* Decodes the model, changes it, and encodes it again with lm_encode's defaults. This is not
 * lossless: bytes between lumps and after the end are lost, positions and normals are rounded
 * again, and surfaces may be split. `max_error` receives the largest error of a vertex, in units;
 * it may be NULL. Later edits apply to the new file. */
LM_WRITE_API bool lm_edit_reencode(lm_edit *edit, const lm_edit_reencode_options *options,
                                   double *max_error, lm_error *error);

/* ---- Fixes --------------------------------------------------------------------------------- */

/* Some problems that lm_check_memory reports have one obvious fix:
 *     skin-path           slashes for backslashes; capital letters stay, as the file may have them
 *     name-junk           zeros after the ends of all names
 *     tag-name            the names of frame 0 in all frames, for all tags
 *     header-name         MDC: ".mdc" for ".md3"
 *     bad-bounds, outside-bounds    compute-bounds of lm_edit_set
 *     identical-normals   normals of lm_edit_set
 * A fix changes only the bytes of these fields. Of the problem, the functions use the code and, in
 * the location, the surface and the index. */

/* Returns whether a problem has a fix. Appends a sentence about the change, if `sentence` is not
 * NULL. The sentence has names from the file: escape it before you show it. */
LM_WRITE_API bool lm_edit_can_fix(lm_edit *edit, const lm_diagnostic *problem, lm_buffer *sentence);
/* Fixes a problem. Fails with LM_CODE_BAD_ARGUMENT if it has no fix. */
LM_WRITE_API bool lm_edit_fix(lm_edit *edit, const lm_diagnostic *problem, lm_error *error);

/* ---- Changes ------------------------------------------------------------------------------- */

/* A change, in the order of the calls. The texts come from files and may have control characters:
 * escape them before you show them. */
typedef struct lm_edit_change {
    const char *what;   /* "skin 0", "surface 2 skin 0", "frames" */
    const char *before; /* NULL: did not exist */
    const char *after;  /* NULL: was removed */
} lm_edit_change;

/* Returns the changes so far, and their number in `count`. The list lasts until the next edit. */
LM_WRITE_API const lm_edit_change *lm_edit_changes(const lm_edit *edit, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
