/* The files that the tests of editing change, and the changes that many of them try. */
#ifndef TESTS_EDITS_H
#define TESTS_EDITS_H

#include "documents.h"

/* ---- Files ---------------------------------------------------------------------------------- */

blob make_small(int format);
/* The same with tags that are not as far out as the format reaches. */
blob make_with_near_tags(int format);
/* The same file with its lumps in another order and `gap` bytes without meaning before each. MDL
 * has room for neither. */
blob lay_out(int format, const blob *file, size_t order, size_t gap);

lm_edit *open_edit(const blob *file);
blob write_edit(const lm_edit *edit);
void assert_same_bytes(const char *what, const blob *a, const blob *b);
/* An edit that changes nothing writes the same bytes. */
void write_unchanged(const char *path, const blob *file);
void assert_edit_name(lm_edit *edit, lm_edit_list list, uint32_t index, const char *expected);

/* ---- Edits ---------------------------------------------------------------------------------- */

/* A kind of content that not every format has. */
typedef struct edit_needs {
    bool paths;  /* skins are paths */
    bool tags;   /* tags, and surfaces with names */
    bool bounds; /* of frames, as numbers of their own */
    bool scale;  /* positions of any size */
} edit_needs;

typedef struct edit_case {
    const char *name;
    bool (*run)(lm_edit *edit, lm_error *error);
    edit_needs needs;
} edit_case;

extern const edit_case edit_cases[];
extern const size_t num_edit_cases;

bool case_applies(const edit_case *c, int format);
/* Returns what the file becomes. */
blob run_edit_case(const edit_case *c, const blob *file);

bool edit_drop_frames(lm_edit *edit, lm_error *error);
bool edit_paths(lm_edit *edit, lm_error *error);
bool edit_append(lm_edit *edit, lm_error *error);
bool edit_much(lm_edit *edit, lm_error *error);
/* Encodes all frames again, elsewhere and at another rate. */
bool edit_recast(lm_edit *edit, lm_error *error);
bool edit_rate(lm_edit *edit, lm_error *error);
bool set_place(lm_edit *edit, float scale, int quarters, float move, bool round, lm_error *error);

/* ---- Vertices ------------------------------------------------------------------------------- */

lm_take *take_of(const blob *file);
lm_vec3 vector_at(const float *p);
double distance_of(lm_vec3 a, lm_vec3 b);
/* A frame of one take shows the same as a frame of another, to the bit. */
void assert_frame(const lm_take *a, uint32_t frame_a, const lm_take *b, uint32_t frame_b);

#endif
