/* The files that the edit tests change, and the changes that many of them try. */
#ifndef TESTS_EDITS_H
#define TESTS_EDITS_H

#include "documents.h"

/* ---- Files ---------------------------------------------------------------------------------- */

blob make_small(int format);
/* The same, with tags well inside the format's range. */
blob make_with_nearby_tags(int format);

lm_edit *open_edit(const blob *file);
blob write_edit(const lm_edit *edit);
void assert_same_bytes(const char *what, const blob *a, const blob *b);
/* Checks that an edit without changes writes the same bytes. */
void write_unchanged(const char *path, const blob *file);
uint32_t count_of(lm_edit *edit, lm_edit_list list);
void assert_edit_name(lm_edit *edit, lm_edit_list list, uint32_t index, const char *expected);

/* ---- Edits ---------------------------------------------------------------------------------- */

/* The content that an edit needs; not every format has each kind. */
typedef struct edit_needs {
    bool paths;  /* skins are paths */
    bool tags;   /* tags, and surfaces with names */
    bool bounds; /* frames have bounds, stored as numbers */
    bool scale;  /* positions of any size */
} edit_needs;

/* Makes a change by its name. */
#define SET(name, value) lm_edit_set(edit, name, value, NULL, error)

/* Defines an edit by an expression of `edit` and `error`. */
#define EDIT(name, expression)                         \
    static bool name(lm_edit *edit, lm_error *error) { \
        return expression;                             \
    }

typedef struct edit_case {
    const char *name;
    bool (*run)(lm_edit *edit, lm_error *error);
    edit_needs needs;
} edit_case;

extern const edit_case edit_cases[];
extern const size_t num_edit_cases;

bool case_applies(const edit_case *c, int format);

bool edit_drop_frames(lm_edit *edit, lm_error *error);
bool edit_paths(lm_edit *edit, lm_error *error);
bool edit_append(lm_edit *edit, lm_error *error);
bool edit_repeatedly(lm_edit *edit, lm_error *error);
/* Encodes all frames again, at another position and at another rate. */
bool edit_reencode(lm_edit *edit, lm_error *error);
bool edit_rate(lm_edit *edit, lm_error *error);
bool set_edit_transform(lm_edit *edit, float scale, int quarters, float move, bool round,
                        lm_error *error);

/* ---- Vertices ------------------------------------------------------------------------------- */

lm_mesh *mesh_of(const blob *file);
lm_vec3 vector_at(const float *p);
double distance_of(lm_vec3 a, lm_vec3 b);

#endif
