/* MDL: its description and the parts of its reader. */
#ifndef LM_MDL_FORMAT_H
#define LM_MDL_FORMAT_H

#include "core/arena.h"
#include "core/bytes.h"
#include "formats/common_checks.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "lerpmesh/base.h"
#include "lerpmesh/mdl.h"
#include "model/weld.h"

/* Converts the elements of MDL from and to bytes. Indices are not checked. */

/* Byte offsets in a pose. */
enum {
    LM_MDL_POSE_NAME = 8,
    LM_MDL_POSE_VERTICES = 24
};

/* Return the bytes of a pose, and of an image. */
static inline size_t lmi_mdl_pose_size(const lm_mdl *mdl) {
    return LM_MDL_POSE_HEADER_SIZE + (size_t)mdl->num_verts * LM_MDL_VERTEX_SIZE;
}

static inline size_t lmi_mdl_image_size(const lm_mdl *mdl) {
    return (size_t)mdl->skinwidth * (size_t)mdl->skinheight;
}

/* Returns the number of texture coordinates. */
static inline int32_t lmi_mdl_num_st(const lm_mdl *mdl) {
    return mdl->num_st > 0 ? mdl->num_st : mdl->num_verts;
}

/* Returns the packed vertices of a pose. */
static inline const uint8_t *lmi_mdl_vertices(const lm_mdl *mdl, const lm_mdl_frame *frame,
                                              int32_t pose) {
    return frame->poses + (size_t)pose * lmi_mdl_pose_size(mdl) + LM_MDL_POSE_VERTICES;
}

typedef struct lm_mdl_st {
    int32_t onseam; /* not 0: back-facing triangles add skinwidth / 2 to s */
    int32_t s, t;   /* pixels of the skin, from its top left */
} lm_mdl_st;

typedef struct lm_mdl_triangle {
    int32_t facesfront;
    int32_t vertex[3]; /* clockwise, seen from outside */
    int32_t st[3];     /* IDPO: `vertex` */
} lm_mdl_triangle;

typedef struct lm_mdl_vertex {
    uint8_t v[3];
    uint8_t normal; /* into lm_normals_162 */
} lm_mdl_vertex;

typedef struct lm_mdl_pose {
    lm_mdl_vertex min, max;
    char name[LM_MDL_NAME_SIZE]; /* all 16 bytes */
} lm_mdl_pose;

static inline void lmi_mdl_get_st(const lm_mdl *mdl, int32_t index, lm_mdl_st *out) {
    const uint8_t *p = mdl->st + (size_t)index * LM_MDL_ST_SIZE;
    *out = (lm_mdl_st){lmi_get_s32(p), lmi_get_s32(p + 4), lmi_get_s32(p + 8)};
}

static inline void lmi_mdl_get_triangle(const lm_mdl *mdl, int32_t index, lm_mdl_triangle *out) {
    const uint8_t *p = mdl->tris + (size_t)index * LM_MDL_TRIANGLE_SIZE;
    out->facesfront = lmi_get_s32(p);
    if (mdl->num_st > 0)
        for (size_t c = 0; c < 3; c++) {
            out->vertex[c] = lmi_get_u16(p + 4 + 2 * c);
            out->st[c] = lmi_get_u16(p + 10 + 2 * c);
        }
    else
        for (size_t c = 0; c < 3; c++)
            out->vertex[c] = out->st[c] = lmi_get_s32(p + 4 + 4 * c);
}

static inline float lmi_mdl_get_time(const uint8_t *times, int32_t index) {
    return lmi_get_f32(times + (size_t)index * LM_MDL_TIME_SIZE);
}

static inline lm_mdl_vertex lmi_mdl_vertex_at(const uint8_t *p) {
    return (lm_mdl_vertex){{p[0], p[1], p[2]}, p[3]};
}

static inline void lmi_mdl_get_pose(const lm_mdl *mdl, int32_t frame, int32_t pose,
                                    lm_mdl_pose *out) {
    const uint8_t *p = mdl->frames[frame].poses + (size_t)pose * lmi_mdl_pose_size(mdl);
    out->min = lmi_mdl_vertex_at(p);
    out->max = lmi_mdl_vertex_at(p + LM_MDL_VERTEX_SIZE);
    memcpy(out->name, p + LM_MDL_POSE_NAME, sizeof out->name);
}

static inline void lmi_mdl_put_st(uint8_t *out, const lm_mdl_st *st) {
    lmi_put_s32(out, st->onseam);
    lmi_put_s32(out + 4, st->s);
    lmi_put_s32(out + 8, st->t);
}

/* Writes a triangle as the document's variant stores it. */
static inline void lmi_mdl_put_triangle(const lm_mdl *mdl, uint8_t *out,
                                        const lm_mdl_triangle *triangle) {
    lmi_put_s32(out, triangle->facesfront);
    for (size_t c = 0; c < 3; c++)
        if (mdl->num_st > 0) {
            lmi_put_u16(out + 4 + 2 * c, (uint16_t)triangle->vertex[c]);
            lmi_put_u16(out + 10 + 2 * c, (uint16_t)triangle->st[c]);
        } else {
            lmi_put_s32(out + 4 + 4 * c, triangle->vertex[c]);
        }
}

static inline void lmi_mdl_put_time(uint8_t *out, float seconds) {
    lmi_put_f32(out, seconds);
}

static inline void lmi_mdl_put_vertex(uint8_t *out, const lm_mdl_vertex *vertex) {
    memcpy(out, vertex->v, 3);
    out[3] = vertex->normal;
}

extern const lm_format lmi_format_mdl;
extern const lm_examiner lmi_examiner_mdl;
extern const lm_document_kind lmi_mdl_kind;
extern const lm_header lmi_mdl_header, lmi_mdl_rapo_header; /* the latter has all fields */
extern const lm_shape lmi_mdl_st_shape, lmi_mdl_triangle_shape, lmi_mdl_time_shape,
    lmi_mdl_pose_shape, lmi_mdl_vertex_shape;

/* Return the header of a file, which may be damaged, and of a document. */
const lm_header *lmi_mdl_file_header(lm_bytes file);
static inline const lm_header *lmi_mdl_header_of(const lm_mdl *mdl) {
    return mdl->num_st > 0 ? &lmi_mdl_rapo_header : &lmi_mdl_header;
}

/* The common part of a skin and a frame. */
typedef struct lm_mdl_group {
    int32_t type, count;
    const uint8_t *bounds, *times, *elements; /* `bounds` only in a frame's group */
    size_t bounds_size, element_size;
    const char *what_times, *what_elements;
} lm_mdl_group;

static inline bool lmi_mdl_triangle_valid(const lm_mdl *mdl, const lm_mdl_triangle *triangle) {
    const int32_t num_st = lmi_mdl_num_st(mdl);
    bool sound = true;
    for (int c = 0; c < 3; c++)
        sound = sound && triangle->vertex[c] >= 0 && triangle->vertex[c] < mdl->num_verts &&
                triangle->st[c] < num_st;
    return sound;
}

/* Returns the location in the file of bytes that a document points to. */
static inline lm_location lmi_mdl_location(lm_bytes file, const char *section, uint32_t index,
                                           const uint8_t *at) {
    return lmi_location_at(section, index, (size_t)(at - file.data));
}
lm_location lmi_mdl_field_location(size_t member);
#define LM_MDL_IN_HEADER(member) lmi_mdl_field_location(offsetof(lm_mdl, member))

/* Finds everything and checks that it is inside the file. A tolerant reader cuts counts to the
 * elements that are. Returns false if reading cannot continue or memory ran out; the latter is not
 * reported. */
bool lmi_mdl_parse(lm_reading *reading, void *document);
/* Checks the contents of the sections. Returns false if a listener stopped it. */
bool lmi_mdl_verify(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter);

/* Collects the poses' names, which are not evenly spaced in the file. Returns false if memory ran
 * out. */
bool lmi_mdl_gather_names(lm_name_fields *names, lm_bytes file, const lm_mdl *mdl, lm_arena *arena);

/* Returns true if the times of a group increase, each by at least a millisecond. */
#define LM_MDL_STEP 0.1f /* seconds per frame without a time in the file */
bool lmi_mdl_times_increase(const uint8_t *times, int32_t count);

/* Begins a weld with the corners of all valid triangles. A texture coordinate is two attributes:
 * its own and, if it is on the seam, that of back-facing triangles. Returns false if memory ran
 * out. */
bool lmi_mdl_put_corners(lm_weld *weld, const lm_mdl *mdl, lm_arena *arena);

/* Appends the table of one frame's vertices. Returns false for any other name. */
bool lmi_mdl_table(lm_bytes file, const char *lump, lm_buffer *out);

/* Reports every problem of a parsed document. */
void lmi_mdl_check(lm_reading *reading, const void *document);

#endif
