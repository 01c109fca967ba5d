/* MD2: its description and the parts of its reader. */
#ifndef LM_MD2_FORMAT_H
#define LM_MD2_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "lerpmesh/base.h"
#include "lerpmesh/md2.h"

/* Converts the elements of MD2 from and to bytes. Indices are not checked. */

/* Byte offsets in a frame. */
enum {
    LM_MD2_FRAME_SCALE = 0,
    LM_MD2_FRAME_TRANSLATE = 12,
    LM_MD2_FRAME_NAME = 24,
    LM_MD2_FRAME_VERTICES = 40
};

typedef struct lm_md2_st {
    int16_t s, t; /* pixels of the skin, from its top left */
} lm_md2_st;

typedef struct lm_md2_triangle {
    uint16_t vertex[3];
    uint16_t st[3];
} lm_md2_triangle;

typedef struct lm_md2_vertex {
    uint8_t v[3];
    uint8_t normal; /* into lm_normals_162 */
} lm_md2_vertex;

typedef struct lm_md2_frame {
    lm_vec3 scale, translate;
    char name[LM_MD2_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_md2_frame;

/* Returns the packed vertices of a frame. */
static inline const uint8_t *lmi_md2_frame_vertices(const lm_md2 *md2, int32_t frame) {
    return md2->frames + (size_t)frame * (size_t)md2->framesize + LM_MD2_FRAME_VERTICES;
}

static inline lm_md2_triangle lmi_md2_triangle_at(const lm_md2 *md2, int32_t index) {
    const uint8_t *p = md2->tris + (size_t)index * LM_MD2_TRIANGLE_SIZE;
    return (lm_md2_triangle){{lmi_get_u16(p), lmi_get_u16(p + 2), lmi_get_u16(p + 4)},
                             {lmi_get_u16(p + 6), lmi_get_u16(p + 8), lmi_get_u16(p + 10)}};
}

static inline void lmi_md2_get_st(const lm_md2 *md2, int32_t index, lm_md2_st *out) {
    const uint8_t *p = md2->st + (size_t)index * LM_MD2_ST_SIZE;
    *out = (lm_md2_st){lmi_get_s16(p), lmi_get_s16(p + 2)};
}

static inline void lmi_md2_get_triangle(const lm_md2 *md2, int32_t index, lm_md2_triangle *out) {
    *out = lmi_md2_triangle_at(md2, index);
}

static inline void lmi_md2_get_frame(const lm_md2 *md2, int32_t frame, lm_md2_frame *out) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize;
    out->scale = lmi_get_vec3(p + LM_MD2_FRAME_SCALE);
    out->translate = lmi_get_vec3(p + LM_MD2_FRAME_TRANSLATE);
    memcpy(out->name, p + LM_MD2_FRAME_NAME, sizeof out->name);
}

static inline void lmi_md2_get_vertex(const lm_md2 *md2, int32_t frame, int32_t vertex,
                                      lm_md2_vertex *out) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize +
                       LM_MD2_FRAME_VERTICES + (size_t)vertex * LM_MD2_VERTEX_SIZE;
    *out = (lm_md2_vertex){{p[0], p[1], p[2]}, p[3]};
}

/* Returns a GL command as an integer; a float is returned as its bits. */
static inline int32_t lmi_md2_get_glcmd(const lm_md2 *md2, int32_t index) {
    return lmi_get_s32(md2->glcmds + (size_t)index * LM_MD2_GL_COMMAND_SIZE);
}

static inline void lmi_md2_put_st(uint8_t *out, const lm_md2_st *st) {
    lmi_put_u16(out, (uint16_t)st->s);
    lmi_put_u16(out + 2, (uint16_t)st->t);
}

static inline void lmi_md2_put_triangle(uint8_t *out, const lm_md2_triangle *triangle) {
    for (size_t c = 0; c < 3; c++) {
        lmi_put_u16(out + 2 * c, triangle->vertex[c]);
        lmi_put_u16(out + 6 + 2 * c, triangle->st[c]);
    }
}

static inline void lmi_md2_put_frame(uint8_t *out, const lm_md2_frame *frame) {
    lmi_put_vec3(out + LM_MD2_FRAME_SCALE, frame->scale);
    lmi_put_vec3(out + LM_MD2_FRAME_TRANSLATE, frame->translate);
    memcpy(out + LM_MD2_FRAME_NAME, frame->name, sizeof frame->name);
}

static inline void lmi_md2_put_glcmd(uint8_t *out, int32_t value) {
    lmi_put_s32(out, value);
}

/* The lumps in the order of their offsets in the header, as in id's own files. */
enum {
    LM_MD2_LUMP_SKINS,
    LM_MD2_LUMP_ST,
    LM_MD2_LUMP_TRIS,
    LM_MD2_LUMP_FRAMES,
    LM_MD2_LUMP_GLCMDS,
    LM_MD2_NUM_LUMPS
};

extern const lm_header lmi_md2_header;

/* Returns true if all indices of a triangle are in range. */
static inline bool lmi_md2_triangle_valid(const lm_md2 *md2, const lm_md2_triangle *triangle) {
    const uint16_t *v = triangle->vertex, *st = triangle->st;
    return (v[0] < md2->num_xyz) & (v[1] < md2->num_xyz) & (v[2] < md2->num_xyz) &
           (st[0] < md2->num_st) & (st[1] < md2->num_st) & (st[2] < md2->num_st);
}

/* Return the location in the file of an element of a lump, and of a field of the header. */
lm_location lmi_md2_location(const lm_md2 *md2, int lump, uint32_t index);
lm_location lmi_md2_field_location(size_t member);
#define LM_MD2_IN_HEADER(member) lmi_md2_field_location(offsetof(lm_md2, member))

/* Finds the lumps and checks that they are inside the file. A tolerant reader cuts counts to the
 * elements that are. Returns false if reading cannot continue. */
bool lmi_md2_parse(lm_reading *reading, void *document);
/* A walk over the GL commands, which may be damaged in any way.
 *     lm_md2_gl_walk walk = {.md2 = md2};
 *     while (lmi_md2_gl_next(&walk)) ...
 * Each step is a strip or fan with `count` vertices of 3 integers each, from command `first` on. */
typedef enum lm_md2_gl_end {
    LM_MD2_GL_STOPPED,
    LM_MD2_GL_NO_STOP,
    LM_MD2_GL_CUT_OFF
} lm_md2_gl_end;

typedef struct lm_md2_gl_walk {
    const lm_md2 *md2;
    bool index_first; /* each vertex is stored as index, s, t instead of s, t, index */
    int32_t at;       /* the next command */
    int32_t first;
    uint32_t count;
    bool fan;
    lm_md2_gl_end end; /* the reason for the end */
} lm_md2_gl_walk;

static inline bool lmi_md2_gl_next(lm_md2_gl_walk *walk) {
    const lm_md2 *md2 = walk->md2;
    int32_t count = walk->at < md2->num_glcmds ? lmi_md2_get_glcmd(md2, walk->at) : 0;
    if (count == 0) {
        walk->end = walk->at < md2->num_glcmds ? LM_MD2_GL_STOPPED : LM_MD2_GL_NO_STOP;
        return false;
    }
    uint32_t size = (uint32_t)count, left = (uint32_t)(md2->num_glcmds - walk->at - 1);
    walk->fan = count < 0;
    size = walk->fan ? 0 - size : size;
    if ((uint64_t)size * 3 > left) {
        walk->end = LM_MD2_GL_CUT_OFF;
        return false;
    }
    walk->first = walk->at + 1;
    walk->count = size;
    walk->at = walk->first + 3 * (int32_t)size;
    return true;
}

/* Return vertex `index` of the current strip or fan: its texture coordinates (two floats), and the
 * index of the vertex. */
static inline const uint8_t *lmi_md2_gl_st(const lm_md2_gl_walk *walk, uint32_t index) {
    return walk->md2->glcmds + (size_t)LM_MD2_GL_COMMAND_SIZE *
                                   ((size_t)walk->first + 3 * (size_t)index + walk->index_first);
}
static inline int32_t lmi_md2_gl_index_at(const lm_md2_gl_walk *walk, uint32_t index) {
    return walk->first + 3 * (int32_t)index + (walk->index_first ? 0 : 2);
}
static inline uint32_t lmi_md2_gl_vertex(const lm_md2_gl_walk *walk, uint32_t index) {
    return (uint32_t)lmi_md2_get_glcmd(walk->md2, lmi_md2_gl_index_at(walk, index));
}

/* The totals of a walk. */
typedef struct lm_md2_gl_totals {
    uint32_t strips, fans, vertices, triangles;
} lm_md2_gl_totals;

static inline void lmi_md2_gl_count(lm_md2_gl_totals *totals, const lm_md2_gl_walk *walk) {
    totals->fans += walk->fan;
    totals->strips += !walk->fan;
    totals->vertices += walk->count;
    totals->triangles += walk->count >= 3 ? walk->count - 2 : 0;
}

/* Facts that verifying collects. */
typedef struct lm_md2_facts {
    lm_range_u8 *ranges; /* [num_frames] gets the range of each frame's vertices; may be NULL */
    bool triangles_valid;
    bool numbers_plain; /* every scale and translate is sane, and none is tiny */
    uint8_t max_normal;
    bool gl_valid, gl_index_first;
    lm_md2_gl_totals gl; /* complete only if the GL commands are valid */
} lm_md2_facts;

/* Begins a walk over valid GL commands, in either order. If they are damaged, it ends at once. */
lm_md2_gl_walk lmi_md2_gl_begin(const lm_md2 *md2);

/* Checks the contents of the lumps: numbers, indices and GL commands. Returns false if a listener
 * stopped it. `facts` may be NULL. */
bool lmi_md2_verify(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts);

/* Returns the vertex of a strip or fan that is corner c of its triangle i. */
static inline uint32_t lmi_md2_gl_corner(bool fan, uint32_t triangle, uint32_t corner) {
    if (fan)
        return corner == 0 ? 0 : triangle + corner;
    if (triangle % 2 == 0 || corner == 2)
        return triangle + corner;
    return triangle + 1 - corner; /* odd triangles of a strip are flipped */
}

extern const lm_document_kind lmi_md2_kind;

extern const lm_format lmi_format_md2;
extern const lm_examiner lmi_examiner_md2;

/* Appends the table of the GL commands, or of the vertices of all frames or of one: data that no
 * shape describes. Returns false for any other name. */
bool lmi_md2_table(lm_bytes file, const char *lump, lm_buffer *out);

/* Reports every problem of a parsed document. */
void lmi_md2_check(lm_reading *reading, const void *document);

#endif
