/* A file being edited: the interface of the formats' editors, and the functions that they share. */
#ifndef LM_EDIT_EDITING_H
#define LM_EDIT_EDITING_H

#include "core/arena.h"
#include "core/bytes.h"
#include "lerpmesh/edit.h"
#include "lerpmesh/model.h"

struct lm_mesh;
struct lm_moves; /* mesh/mesh_make.h */

/* A transform, prepared for use: the source axes of x and y, and their signs. */
typedef struct lm_edit_transformation {
    double scale, move[3];
    int quarters; /* 0 .. 3 */
    int from[3];
    bool negative[3];
    bool round;
} lm_edit_transformation;

/* Returns true if readers accept the vector's numbers; ends the call with an error if not. */
bool lmi_edit_sane(lm_edit *edit, lm_vec3 v);
/* Transforms a point. */
lm_vec3 lmi_edit_transform_point(const lm_edit_transformation *to, lm_vec3 p);
/* The same without scale and move, for directions. */
lm_vec3 lmi_edit_rotate_direction(const lm_edit_transformation *to, lm_vec3 d);
/* Transforms a box, and restores the order of its corners. */
void lmi_edit_transform_box(const lm_edit_transformation *to, lm_vec3 *min, lm_vec3 *max);
/* Rotates a table of normals: `transformed` receives for each the nearest index in the table. */
void lmi_edit_rotate_normals(const lm_edit_transformation *to, const lm_vec3 *normals, size_t count,
                             uint8_t (*nearest)(const lm_vec3 *direction), uint8_t *transformed);
/* Rotates packed vertices of 4 bytes, position and normal. If an axis is reversed, its bytes count
 * from the far end. `normals` has the rotated index of each normal; NULL: the last byte is no
 * normal. */
void lmi_edit_rotate_packed(const lm_edit_transformation *to, const uint8_t *normals,
                            uint8_t *vertices, size_t count);
/* Transforms the scale and translation of such bytes. Returns true if readers accept the result;
 * ends the call with an error if not. */
bool lmi_edit_transform_grid(lm_edit *edit, const lm_edit_transformation *to, lm_vec3 *scale,
                             lm_vec3 *translate);
/* Rounds a number of steps of `unit` units. Fails if the result does not fit, or if it is inexact
 * and rounding is not allowed. `what` names it: "surface 2: vertex 7". */
bool lmi_edit_round(lm_edit *edit, const lm_edit_transformation *to, double steps, double unit,
                    const char *what, uint32_t index, int16_t *out);

/* The frame that a format looked up last, where its next search starts. Begin with {0}. Valid as
 * long as frames stay. */
typedef struct lm_edit_walk {
    uint32_t count, at, first; /* for the format only */
} lm_edit_walk;

/* A format's interface to editing. The shared part has checked that the format has the list, and
 * that surfaces, indices and counts are in range. A function changes the document only when nothing
 * can fail any more. It returns false if the edit's call ended. */
typedef struct lm_editor {
    const struct lm_document_kind *kind; /* formats/describe.h */
    const struct lm_edit_tables
        *tables; /* formats/edit_document.h; NULL: the format has hooks instead */
    /* Append a document without reading it back, and compare two documents. NULL: by the
     * description. */
    bool (*put)(const void *document, lm_buffer *out, lm_error *error);
    bool (*equal)(const void *a, const void *b);
    uint32_t (*count)(const lm_edit *edit, lm_edit_list list, uint32_t surface);
    /* Returns the field of a name, and its size; NULL if the list has no names. */
    const uint8_t *(*name)(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                           size_t *room);
    /* Writes the whole field. Fails only if memory runs out, and never the second time for the same
     * name. */
    bool (*put_name)(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field);
    /* Keeps these elements, in this order (lm_edit_select). */
    bool (*select)(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                   uint32_t count);
    /* Appends a skin with a path; NULL: skins have no paths. */
    bool (*add_skin)(lm_edit *edit, uint32_t surface, const uint8_t *field);
    /* Appends the frames of another document of the format, which need not outlive the call. */
    bool (*append)(lm_edit *edit, const void *other);
    unsigned lists;   /* 1 << LM_EDIT_... */
    size_t skin_room; /* bytes of the field of a skin's path */
    /* The rest may be NULL if the format lacks the feature. */
    bool (*remove_unused)(lm_edit *edit);
    bool (*transform)(lm_edit *edit, const lm_edit_transformation *to);
    bool (*add_tag)(lm_edit *edit, const uint8_t *field, const lm_transform *poses); /* [frames] */
    bool (*move_tag)(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
    /* Writes normals from a mesh of the file's own vertices. */
    bool (*put_normals)(lm_edit *edit, const struct lm_mesh *mesh);
    bool (*bounds)(lm_edit *edit);
    /* Writes the vertices and tags that move. */
    bool (*put_frames)(lm_edit *edit, const struct lm_moves *moves);
    /* Returns a number; consecutive frames with the same one other than 0 are one clip
     * (clips/clip_names.h). NULL: names alone define clips. */
    uint32_t (*group)(lm_edit *edit, uint32_t frame);
    /* Clears the bytes after the ends of names that are in no list. Returns false if memory ran
     * out. */
    bool (*clean)(lm_edit *edit);
    /* Repairs a document that a tolerant reader read. What it leaves is found when the file is
     * written. */
    bool (*mend)(lm_edit *edit);
} lm_editor;

/* A name to be written. */
typedef struct lm_edit_name_plan {
    lm_edit_list list;
    uint32_t surface, index;
    uint8_t field[LM_EDIT_NAME_SIZE];
} lm_edit_name_plan;

typedef struct lm_edit_clips {
    uint32_t count;
    const lm_clip *list;
} lm_edit_clips;

/* Moves the clips of a clips file with their frames after a selection of frames. Returns false if
 * memory ran out. */
bool lmi_edit_move_clips(lm_edit *edit, uint32_t num_before, const uint32_t *indices,
                         uint32_t count);

struct lm_edit {
    const lm_editor *editor;
    const lm_format_info *info;
    lm_bytes file;
    void *document;
    void *original;          /* the document as it was read, to write over the file */
    const uint32_t *origins; /* original indices of the surfaces; NULL: unchanged */
    lm_heap heap;            /* without bounds; has the current call */
    lm_call *call;           /* &heap.call */
    lm_arena arena;          /* of the recorded changes */
    lm_edit_change *changes;
    size_t num_changes, num_noted, max_changes; /* num_noted includes those of the current call */
    lm_edit_name_plan *plans;
    size_t num_plans, max_plans;
    lm_buffer made;       /* the re-encoded file; then `file` points into it */
    lm_edit_clips *clips; /* NULL: not known */
    bool given;           /* the clips are those of a clips file */
    bool round, reencode; /* what lm_edit_set may do */
    lm_edit_walk walk;    /* of the current call */
};

/* Begins a call. */
void lmi_edit_begin(lm_edit *edit, lm_error *error);
/* Ends it. If it succeeded, its changes are kept; otherwise they are dropped. Returns `done`, which
 * is false only if the call has ended already. */
bool lmi_edit_end(lm_edit *edit, bool done);
/* Records a change. `what`, such as "skin 0", comes from lmi_edit_what. Copies the texts. */
bool lmi_edit_note(lm_edit *edit, const char *what, const char *before, const char *after);
/* Records a change of a count. */
bool lmi_edit_note_count(lm_edit *edit, const char *what, uint32_t before, uint32_t after);
#define LM_EDIT_WHAT_SIZE 64
void lmi_edit_what(const lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                   char what[LM_EDIT_WHAT_SIZE]);

/* Return true if the format has the list, and the file the surface and the element; end the call
 * with an error if not. */
bool lmi_edit_has_list(lm_edit *edit, lm_edit_list list, uint32_t surface);
bool lmi_edit_has_item(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index);

/* Fails the call if the format has no function for it. `what` is the rest of the sentence: "has no
 * bounds". */
bool lmi_edit_can(lm_edit *edit, bool can, const char *what);
/* Return the name of a list, "skins", and of one element of it, "skin". */
const char *lmi_edit_list_name(lm_edit_list list);
const char *lmi_edit_item_name(lm_edit_list list);
/* Returns whether the format has a list. */
bool lmi_edit_has(const lm_edit *edit, lm_edit_list list);
/* Returns whether each surface has a list of its own. */
bool lmi_edit_by_surface(const lm_edit *edit, lm_edit_list list);
/* As lm_edit_count, within a call. Returns 0 if memory ran out. */
uint32_t lmi_edit_size(lm_edit *edit, lm_edit_list list, uint32_t surface);

/* Copies a text into a field of `room` zeros. Fails the call if it is too long. `what` names it:
 * "the path". */
bool lmi_edit_fit(lm_edit *edit, const char *what, const char *text, size_t length, size_t room,
                  uint8_t *field);
/* Finds the first element with a name, case-insensitively. Sets `index` to LM_EDIT_NONE if there is
 * none. */
#define LM_EDIT_NONE UINT32_MAX
bool lmi_edit_seek(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                   uint32_t *index);

/* Plans to write an element's name again, with zeros after its end, and that of a tag in all
 * frames. */
bool lmi_edit_plan_clean_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index);
/* Writes the planned names: all, or none if memory runs out. */
bool lmi_edit_write_plans(lm_edit *edit);

/* Forgets the clips that names form, after names or frames have changed. */
void lmi_edit_forget_clips(lm_edit *edit);

/* ---- Calls of lm_edit_set -------------------------------------------------------------------- */

/* Parses an index at the start of a word. Returns its end; NULL: there is none that fits an int. */
const char *lmi_edit_read_index(const char *word, uint32_t *index);
/* Finds the only surface that a word names; LM_EDIT_NONE if it is missing and may be. */
bool lmi_edit_pick_surface(lm_edit *edit, const char *word, bool *missing, uint32_t *surface,
                           lm_error *error);

/* The use of the elements that words name. */
typedef enum lm_edit_choice {
    LM_EDIT_KEEP, /* keep only the named elements */
    LM_EDIT_DROP, /* remove the named elements */
    LM_EDIT_ORDER /* keep only the named elements, in the order of the words */
} lm_edit_choice;

/* Selects elements by words; for clips, their frames. */
bool lmi_edit_choose(lm_edit *edit, lm_edit_list list, lm_edit_choice choice, const char *words,
                     bool *missing, lm_error *error);
/* Reverses the frames of each named clip, or all frames ("all"). */
bool lmi_edit_reverse(lm_edit *edit, const char *words, bool *missing, lm_error *error);
/* Replaces a pattern in all names of a list, in all surfaces. */
bool lmi_edit_substitute(lm_edit *edit, lm_edit_list list, const char *substitution,
                         lm_error *error);
bool lmi_edit_add_skin(lm_edit *edit, uint32_t surface, const char *path, lm_error *error);

/* A new tag. */
typedef struct lm_edit_tag {
    uint32_t frame; /* in which the tag has the origin and the model's axes */
    lm_vec3 origin; /* in that frame, in units */
    bool follows;   /* the surface; if false, all frames are alike */
} lm_edit_tag;

bool lmi_edit_add_tag(lm_edit *edit, const char *name, const lm_edit_tag *tag, lm_error *error);
/* Moves a tag, within a call. */
bool lmi_edit_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lmi_edit_move_tags(lm_edit *edit, const char *words, const lm_vec3 *by, bool *missing,
                        lm_error *error);

bool lmi_edit_remove_unused(lm_edit *edit, lm_error *error);
bool lmi_edit_compute_normals(lm_edit *edit, lm_error *error);
bool lmi_edit_compute_bounds(lm_edit *edit, lm_error *error);

/* ---- Patterns for names and their replacement: "s/PATTERN/NEW/flags" ------------------------- */

#define LM_MAX_PATTERN 256 /* steps */
#define LM_PATTERN_GROUPS 10
#define LM_PATTERN_CLASSES 16

typedef struct lm_pattern_step {
    uint8_t kind, byte;  /* number of a class or a mark */
    uint16_t one, other; /* next steps */
} lm_pattern_step;

typedef struct lm_pattern {
    lm_pattern_step steps[LM_MAX_PATTERN];
    uint32_t num_steps;
    uint32_t classes[LM_PATTERN_CLASSES][8]; /* a bit per byte value */
    uint32_t num_classes, num_groups;
    const char *replacement; /* points into the compiled text */
    size_t replacement_length;
    char delimiter;
    bool all, any_case;
} lm_pattern;

/* Compiles a substitution, which must outlive the pattern. Returns false and sets the error if it
 * is invalid. */
bool lmi_pattern_compile(lm_pattern *pattern, const char *substitution, lm_error *error);

/* Applies a pattern to a name, and writes the result to `out`, with a NUL. Returns the number of
 * replacements. `length` is that of the whole result, which may exceed `room`. Takes at most time
 * proportional to the product of the lengths of name and pattern. */
unsigned lmi_pattern_apply(const lm_pattern *pattern, const char *name, char *out, size_t room,
                           size_t *length);

#endif
