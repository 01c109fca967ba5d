/* MDL: its description and the parts of its reader. */
#ifndef LM_MDL_FORMAT_H
#define LM_MDL_FORMAT_H

#include "core/arena.h"
#include "formats/common_checks.h"
#include "formats/describe.h"
#include "formats/document.h"
#include "formats/format.h"
#include "formats/mdl/mdl_elements.h"
#include "lerpmesh/base.h"
#include "model/weld.h"

extern const lm_format lm_format_mdl;
extern const lm_examiner lm_examiner_mdl;
extern const lm_document_kind lm_mdl_kind;
extern const lm_header lm_mdl_header;
extern const lm_shape lm_mdl_st_shape, lm_mdl_triangle_shape, lm_mdl_time_shape, lm_mdl_pose_shape,
    lm_mdl_vertex_shape;

/* The common part of a skin and a frame. */
typedef struct lm_mdl_group {
    int32_t type, count;
    const uint8_t *bounds, *times, *elements; /* `bounds` only in a frame's group */
    size_t bounds_size, element_size;
    const char *what_times, *what_elements;
} lm_mdl_group;

static inline bool lm_mdl_triangle_valid(const lm_mdl *mdl, const lm_mdl_triangle *triangle) {
    bool sound = true;
    for (int c = 0; c < 3; c++)
        sound = sound && triangle->vertex[c] >= 0 && triangle->vertex[c] < mdl->num_verts;
    return sound;
}

/* Returns the location in the file of bytes that a document points to. */
static inline lm_location lm_mdl_location(lm_bytes file, const char *section, uint32_t index,
                                          const uint8_t *at) {
    return lm_location_at(section, index, (size_t)(at - file.data));
}
lm_location lm_mdl_field_location(size_t member);
#define LM_MDL_IN_HEADER(member) lm_mdl_field_location(offsetof(lm_mdl, member))

/* Finds everything and checks that it is inside the file. A tolerant reader cuts counts to the
 * elements that are. Returns false if reading cannot continue or memory ran out; the latter is not
 * reported. */
bool lm_mdl_parse(lm_reading *reading, void *document);
/* Checks the contents of the sections. Returns false if a listener stopped it. */
bool lm_mdl_verify(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter);

/* Collects the poses' names, which are not evenly spaced in the file. Returns false if memory ran
 * out. */
bool lm_mdl_gather_names(lm_name_fields *names, lm_bytes file, const lm_mdl *mdl, lm_arena *arena);

/* Returns true if the times of a group increase, each by at least a millisecond. */
#define LM_MDL_STEP 0.1f /* seconds per frame without a time in the file */
bool lm_mdl_times_increase(const uint8_t *times, int32_t count);

/* Begins a weld with the corners of all valid triangles. A vertex has two attributes: its own
 * texture coordinate and, if it is on the seam, that of back-facing triangles. Returns false if
 * memory ran out. */
bool lm_mdl_put_corners(lm_weld *weld, const lm_mdl *mdl, lm_arena *arena);

void lm_mdl_layout(lm_bytes file, lm_layout_builder *builder);
/* Appends the table of one frame's vertices. Returns false for any other name. */
bool lm_mdl_table(lm_bytes file, const char *lump, lm_buffer *out);

/* Reports every problem of a parsed document. */
void lm_mdl_check(lm_reading *reading, const void *document);

#endif
