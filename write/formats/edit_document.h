/* Editing by the description of a format: names, selecting, appending and adding use the tables of
 * lumps. A change is made to a copy of the document's struct and its surfaces. The copy replaces
 * the original when nothing can fail any more. */
#ifndef LM_FORMATS_EDIT_DOCUMENT_H
#define LM_FORMATS_EDIT_DOCUMENT_H

#include "edit/editing.h"
#include "formats/write_document.h"

/* ---- Lumps --------------------------------------------------------------------------------- */

/* Returns a lump as memory of the document: the lump itself if the document owns it, else a copy.
 * Returns NULL if memory ran out. */
uint8_t *lmi_own_lump(lm_arena *arena, const uint8_t *lump, size_t size);
/* Returns a copy of a lump's elements, in the order of `indices`, or NULL if memory ran out. */
uint8_t *lmi_pick(lm_arena *arena, const uint8_t *lump, size_t element, const uint32_t *indices,
                  uint32_t count);
/* Returns the concatenation of two lumps, or NULL if memory ran out. */
uint8_t *lmi_join_lumps(lm_arena *arena, const uint8_t *a, size_t size_a, const uint8_t *b,
                        size_t size_b);

/* The renumbering of a lump's elements: begin, set `used`, end. All in one allocation. */
typedef struct lm_renumbered {
    uint32_t of, count; /* elements before and after */
    bool *used;
    uint32_t *new_indices,
        *old_indices; /* new index of each used element; old index of each kept one */
} lm_renumbered;

/* Begins with no element used. Returns false if memory ran out. */
bool lmi_begin_renumbering(lm_arena *arena, int32_t of, lm_renumbered *numbers);
void lmi_end_renumbering(lm_renumbered *numbers);

/* ---- Descriptions -------------------------------------------------------------------------- */

/* A list of a document: its count, and the location of its names. All lumps and groups with the
 * same count belong to the list. If the format has surfaces, each surface has its own skins. */
typedef struct lm_edit_names {
    uint16_t count;    /* offsetof, in the document or surface; 0: the owner is the only element */
    uint16_t lump;     /* offsetof the pointer to the names' lump; 0: the struct has the name */
    uint16_t at, room; /* offset of the name in an element or the struct; bytes of its field */
} lm_edit_names;

#define LM_EDIT_NAMES(owner, array, number, ...) \
    {.count = offsetof(owner, number), .lump = offsetof(owner, array), __VA_ARGS__}

/* Hooks may be NULL. They return false if the edit's call ended. */
typedef struct lm_edit_tables {
    lm_edit_names names[LM_NUM_EDIT_LISTS];
    /* offsetof the repeated number of frames in a surface, which readers ignore; 0: none */
    uint16_t surface_frames;
    /* Returns true if the frames of another document fit; ends the call with an error if not. */
    bool (*fits)(lm_edit *edit, const void *other);
    /* Change the parts of a surface's frames that tables cannot express. They are called after
     * frames of `old` were selected into `made`, and after those of `other` were appended to it. */
    bool (*select_frames)(const lm_edit *edit, const void *old, void *made, uint32_t count);
    bool (*append_frames)(lm_edit *edit, uint32_t surface, void *made, const void *other);
} lm_edit_tables;

/* Append a document without reading it back, and compare two documents, by the format's own
 * functions if it has them. */
bool lmi_put_as(const lm_editor *editor, const void *document, lm_buffer *out, lm_error *error);
bool lmi_equal_as(const lm_editor *editor, const void *a, const void *b);

/* ---- Changes ------------------------------------------------------------------------------- */

lm_arena *lmi_edit_arena(const lm_edit *edit);
static inline lm_part lmi_edit_part(const lm_edit *edit) {
    return lmi_document_part(edit->editor->kind->header, edit->document);
}

/* Return a copy of the document's struct and of its surfaces, owned by the document; NULL if memory
 * ran out. */
void *lmi_copy_document(const lm_document_kind *kind, const void *document);
void *lmi_begin_change(const lm_edit *edit);
/* Makes the copy the document. Returns true. */
bool lmi_commit_change(lm_edit *edit, const void *made);
/* Returns a surface of such a copy. */
void *lmi_new_surface(const lm_edit *edit, void *made, uint32_t index);

/* Returns the lump whose pointer is at this offset of the owner's struct. */
const lm_header_lump *lmi_lump_at(const lm_header *header, size_t data);
/* Copies one of a part's lumps, and makes `made` point to the copy. Returns the copy, or NULL if
 * memory ran out. */
uint8_t *lmi_copy_lump(const lm_edit *edit, const lm_part *part, size_t data, void *made);
/* Selects elements of every lump with this count. If `of_document`, the count is the document's,
 * and the part may be a surface. Sets the count only in the part that has it. Returns false if
 * memory ran out. */
bool lmi_select_counted(const lm_edit *edit, const lm_part *part, size_t count_member,
                        bool of_document, const uint32_t *indices, uint32_t count, void *made);
/* Adds an element at the end of a list: a name in the lump with names, zeros in the others. Returns
 * false if memory ran out. */
bool lmi_add_named(const lm_edit *edit, lm_edit_list list, uint32_t surface, const uint8_t *field,
                   void *made);

/* ---- Members of an lm_editor ---------------------------------------------------------------- */

uint32_t lmi_described_count(const lm_edit *edit, lm_edit_list list, uint32_t surface);
const uint8_t *lmi_described_name(lm_edit *edit, lm_edit_list list, uint32_t surface,
                                  uint32_t index, size_t *room);
/* The same for another document of the format. */
const uint8_t *lmi_described_name_in(const lm_edit *edit, const void *document, lm_edit_list list,
                                     uint32_t surface, uint32_t index);
bool lmi_described_put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                            const uint8_t *field);
bool lmi_described_select(lm_edit *edit, lm_edit_list list, uint32_t surface,
                          const uint32_t *indices, uint32_t count);
bool lmi_described_add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field);
bool lmi_described_append(lm_edit *edit, const void *other);

/* The members of an lm_editor that need only the tables. */
#define LM_DESCRIBED_EDITOR(document_kind, described)                               \
    .kind = &(document_kind), .tables = &(described), .count = lmi_described_count, \
    .name = lmi_described_name, .put_name = lmi_described_put_name,                 \
    .select = lmi_described_select, .add_skin = lmi_described_add_skin,             \
    .append = lmi_described_append

#endif
