/* A file being edited: what formats give to editing, and what their doors share. */
#ifndef LM_EDIT_EDITING_H
#define LM_EDIT_EDITING_H

#include "core/arena.h"
#include "core/bytes.h"
#include "lerpmesh/edit.h"
#include "lerpmesh/model.h"

struct lm_take;

/* A place, ready to be used: where x and y come from, and which of them the other way round. */
typedef struct lm_edit_turn {
    double scale, move[3];
    int quarters; /* 0 .. 3 */
    int from[3];
    bool negative[3];
    bool round;
} lm_edit_turn;

/* Whether what numbers of a file became is a number that a reader takes; says so if not. */
bool lm_edit_sane(lm_edit *edit, lm_vec3 v);
/* Where a coordinate goes. */
static inline double lm_edit_turned(const lm_edit_turn *turn, const double p[3], int axis) {
    const double there = p[turn->from[axis]] * turn->scale;
    return (turn->negative[axis] ? -there : there) + turn->move[axis];
}
lm_vec3 lm_edit_turn_point(const lm_edit_turn *turn, lm_vec3 p);
/* The same without scale and move: of a direction. */
lm_vec3 lm_edit_turn_direction(const lm_edit_turn *turn, lm_vec3 d);
/* Of a box its corners, in their order again. */
void lm_edit_turn_box(const lm_edit_turn *turn, lm_vec3 *min, lm_vec3 *max);
/* A table of normals, each as the nearest one to what it is when turned. */
void lm_edit_turn_normals(const lm_edit_turn *turn, const lm_vec3 *normals, size_t count,
                          uint8_t (*nearest)(const lm_vec3 *direction), uint8_t *turned);
/* Packed vertices of 4 bytes, position and normal: an axis that is the other way round counts from
 * its far end. `normals` has the other of each normal; NULL: the last byte is none. */
void lm_edit_turn_packed(const lm_edit_turn *turn, const uint8_t *normals, uint8_t *vertices,
                         size_t count);
/* The numbers that such bytes are multiplied by and added to. Returns whether they are sane, and
 * fails if not. */
bool lm_edit_turn_grid(lm_edit *edit, const lm_edit_turn *turn, lm_vec3 *scale, lm_vec3 *translate);
/* Rounds a number of steps of `unit` units; says so and returns false where that must not be, or
 * does not fit. `what` has it: "surface 2: vertex 7". */
bool lm_edit_round(lm_edit *edit, const lm_edit_turn *turn, double steps, double unit,
                   const char *what, uint32_t index, int16_t *out);

/* The frame that a format looked for last, so that the next need not be looked for from the first.
 * Start from {0}; good as long as frames stay. */
typedef struct lm_edit_walk {
    uint32_t count, at, first; /* the format's own */
} lm_edit_walk;

/* A format's door to editing. Lists are those that the format has; the shared part has looked that
 * surfaces, indices and counts are there and in range. What changes a document does so when nothing
 * can fail any more; it returns false if the edit's call ended. */
typedef struct lm_editor {
    const struct lm_document_kind *kind; /* formats/document.h */
    const struct lm_edit_tables *tables; /* formats/edit_document.h; NULL: the format has hooks */
    /* Append a document without reading it back, and compare two; NULL: by the description. */
    bool (*put)(const void *document, lm_buffer *out, lm_error *error);
    bool (*equal)(const void *a, const void *b);
    unsigned lists; /* 1 << LM_EDIT_... */
    uint32_t (*count)(const lm_edit *edit, lm_edit_list list, uint32_t surface);
    /* The field of a name, and its bytes; NULL if the list has no names. */
    const uint8_t *(*name)(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                           size_t *room);
    /* Writes the whole field. It can only fail if memory runs out, and not a second time for the
     * same name. */
    bool (*put_name)(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field);
    /* Keeps these, in this order (lm_edit_select). */
    bool (*select)(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                   uint32_t count);
    /* Adds a skin with a path behind the others; NULL: skins have no paths. */
    bool (*add_skin)(lm_edit *edit, uint32_t surface, const uint8_t *field);
    size_t skin_room; /* bytes of that field */
    /* The rest may be NULL: there is no such thing in the format.
     * Adds the frames of another document of the format, which does not stay. */
    bool (*append)(lm_edit *edit, const void *other);
    bool (*trim)(lm_edit *edit);
    bool (*place)(lm_edit *edit, const lm_edit_turn *turn);
    bool (*add_tag)(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin);
    bool (*move_tag)(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
    /* Normals of a take of the file's own vertices. */
    bool (*put_normals)(lm_edit *edit, const struct lm_take *take);
    bool (*bounds)(lm_edit *edit);
    /* Frames of one group are one clip (clips/clip_names.h); NULL: names alone decide. */
    uint32_t (*group)(lm_edit *edit, uint32_t frame);
} lm_editor;

/* A name that is to be written. */
typedef struct lm_edit_name_plan {
    lm_edit_list list;
    uint32_t surface, index;
    uint8_t field[LM_EDIT_NAME_SIZE];
} lm_edit_name_plan;

typedef struct lm_edit_clips {
    uint32_t count;
    const lm_clip *list;
} lm_edit_clips;

struct lm_edit {
    const lm_editor *editor;
    const lm_format_info *info;
    lm_bytes file;
    void *document;
    void *original;          /* the document as it was read, for writing over the file */
    const uint32_t *origins; /* which of the file's each surface was; NULL: they are as they were */
    lm_heap heap;            /* without bounds; it has the call under way */
    lm_call *call;           /* which is heap.call */
    lm_arena arena;          /* of what is told */
    lm_edit_change *changes;
    size_t num_changes, num_noted, max_changes; /* noted: those of a change that is under way too */
    lm_edit_name_plan *plans;
    size_t num_plans, max_plans;
    lm_buffer made;       /* what was encoded anew: `file` then */
    lm_edit_clips *clips; /* NULL: not known */
    lm_edit_walk walk;    /* of the call under way */
};

/* Begins a call. */
void lm_edit_begin(lm_edit *edit, lm_error *error);
/* Ends it: what was noted counts if it succeeded, and is forgotten if not. Returns `done`, which is
 * false only if something has ended the call. */
bool lm_edit_end(lm_edit *edit, bool done);
/* Notes a change. `what`, "skin 0", is as lm_edit_what makes it; texts are copied. */
bool lm_edit_note(lm_edit *edit, const char *what, const char *before, const char *after);
/* Notes that there are so many of something. */
bool lm_edit_note_count(lm_edit *edit, const char *what, uint32_t before, uint32_t after);
#define LM_EDIT_WHAT_SIZE 64
void lm_edit_what(const lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                  char what[LM_EDIT_WHAT_SIZE]);

/* Whether the format has such a list, and the file such a surface and such an element of it; says
 * so if not. */
bool lm_edit_has_list(lm_edit *edit, lm_edit_list list, uint32_t surface);
bool lm_edit_has_item(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index);

/* Fails the call if a format has no function for it; `what` it does not do: "has no bounds". */
bool lm_edit_can(lm_edit *edit, bool can, const char *what);
/* Puts a text into a field of `room` zeros; fails the call if it is too long. `what` names it:
 * "the path". */
bool lm_edit_fit(lm_edit *edit, const char *what, const char *text, size_t length, size_t room,
                 uint8_t *field);
/* Finds the first of that name, letters in either case; LM_EDIT_NONE: none has it. */
#define LM_EDIT_NONE UINT32_MAX
bool lm_edit_seek(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                  uint32_t *index);
/* lm_edit_select as a part of another call. */
bool lm_edit_keep(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                  uint32_t count);

/* The clips that the frames make; NULL if memory ran out. They last until names or frames change.
 */
const lm_edit_clips *lm_edit_know_clips(lm_edit *edit);
void lm_edit_forget_clips(lm_edit *edit);

#endif
