/* The common part of MDC and MD3, some of which MDS has too: frames with bounds, the chain of
 * surfaces, and in each surface triangles, shaders, texture coordinates and vertices of 8 bytes.
 * Each format presents its surfaces as lm_vertex_mesh_surface. */
#ifndef LM_FORMATS_VERTEX_MESH_H
#define LM_FORMATS_VERTEX_MESH_H

#include "core/arena.h"
#include "core/bytes.h"
#include "formats/describe.h"
#include "lerpmesh/load.h"
#include "lerpmesh/model.h"

/* Converts the elements of MD3 and MDC from and to bytes. Indices are not checked. */

/* Sizes of the elements, whose contents lerpmesh/md3.h describes. */
#define LM_VERTEX_MESH_NAME_SIZE 64       /* of the model, a surface, a shader, a tag */
#define LM_VERTEX_MESH_FRAME_SIZE 56      /* bytes */
#define LM_VERTEX_MESH_FRAME_NAME_SIZE 16 /* bytes */
#define LM_VERTEX_MESH_TRIANGLE_SIZE 12   /* bytes */
#define LM_VERTEX_MESH_SHADER_SIZE 68     /* bytes */
#define LM_VERTEX_MESH_ST_SIZE 8          /* bytes per vertex */
#define LM_VERTEX_MESH_VERTEX_SIZE 8      /* bytes per vertex and frame */

#define LM_VERTEX_MESH_STEP (1.0f / 64) /* units: one step of a position */

/* The largest surfaces of Return to Castle Wolfenstein, multiplayer and single player, and of Enemy
 * Territory: their renderers need fewer than SHADER_MAX_VERTEXES vertices, and fewer than 6 times
 * as many indices. */
#define LM_WOLF_LIMIT(engine, owner, member, max, element) \
    {LM_ENGINE_##engine, offsetof(owner, member), max, element, NULL}
#define LM_WOLF_LIMITS(owner, vertices, triangles)                   \
    LM_WOLF_LIMIT(RTCW, owner, vertices, 999, "vertices"),           \
        LM_WOLF_LIMIT(RTCW, owner, triangles, 1999, "triangles"),    \
        LM_WOLF_LIMIT(RTCW_SP, owner, vertices, 3999, "vertices"),   \
        LM_WOLF_LIMIT(RTCW_SP, owner, triangles, 7999, "triangles"), \
        LM_WOLF_LIMIT(ET, owner, vertices, 9999, "vertices"),        \
        LM_WOLF_LIMIT(ET, owner, triangles, 19999, "triangles")

/* Byte offsets in a frame. */
enum {
    LM_VERTEX_MESH_FRAME_BBOX_MIN = 0,
    LM_VERTEX_MESH_FRAME_BBOX_MAX = 12,
    LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN = 24,
    LM_VERTEX_MESH_FRAME_RADIUS = 36,
    LM_VERTEX_MESH_FRAME_NAME = 40
};

typedef struct lm_vertex_mesh_frame {
    lm_vec3 bbox_min, bbox_max;
    lm_vec3 local_origin;
    float radius;
    char name[LM_VERTEX_MESH_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_vertex_mesh_frame;

typedef struct lm_vertex_mesh_vertex {
    int16_t v[3];    /* 1/64 unit per step */
    uint16_t normal; /* rho in the low byte, sigma in the high one */
} lm_vertex_mesh_vertex;

static inline lm_vertex_mesh_frame lmi_vertex_mesh_get_frame(const uint8_t *p) {
    lm_vertex_mesh_frame out = {lmi_get_vec3(p + LM_VERTEX_MESH_FRAME_BBOX_MIN),
                                lmi_get_vec3(p + LM_VERTEX_MESH_FRAME_BBOX_MAX),
                                lmi_get_vec3(p + LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN),
                                lmi_get_f32(p + LM_VERTEX_MESH_FRAME_RADIUS),
                                {0}};
    memcpy(out.name, p + LM_VERTEX_MESH_FRAME_NAME, sizeof out.name);
    return out;
}

static inline void lmi_vertex_mesh_put_frame(uint8_t *out, const lm_vertex_mesh_frame *frame) {
    lmi_put_vec3(out + LM_VERTEX_MESH_FRAME_BBOX_MIN, frame->bbox_min);
    lmi_put_vec3(out + LM_VERTEX_MESH_FRAME_BBOX_MAX, frame->bbox_max);
    lmi_put_vec3(out + LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN, frame->local_origin);
    lmi_put_f32(out + LM_VERTEX_MESH_FRAME_RADIUS, frame->radius);
    memcpy(out + LM_VERTEX_MESH_FRAME_NAME, frame->name, sizeof frame->name);
}

static inline void lmi_vertex_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        vertex[c] = lmi_get_u32(p + 4 * c);
}

static inline void lmi_vertex_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        lmi_put_u32(out + 4 * c, vertex[c]);
}

static inline lm_vec2 lmi_vertex_mesh_get_st(const uint8_t *p) {
    return (lm_vec2){lmi_get_f32(p), lmi_get_f32(p + 4)};
}

static inline void lmi_vertex_mesh_put_st(uint8_t *out, lm_vec2 st) {
    lmi_put_f32(out, st.x);
    lmi_put_f32(out + 4, st.y);
}

static inline lm_vertex_mesh_vertex lmi_vertex_mesh_get_vertex(const uint8_t *p) {
    return (lm_vertex_mesh_vertex){{lmi_get_s16(p), lmi_get_s16(p + 2), lmi_get_s16(p + 4)},
                                   lmi_get_u16(p + 6)};
}

static inline void lmi_vertex_mesh_put_vertex(uint8_t *out, lm_vertex_mesh_vertex vertex) {
    for (size_t i = 0; i < 3; i++)
        lmi_put_u16(out + 2 * i, (uint16_t)vertex.v[i]);
    lmi_put_u16(out + 6, vertex.normal);
}

static inline lm_vec3 lmi_vertex_mesh_get_position(const uint8_t *p) {
    return (lm_vec3){(float)lmi_get_s16(p) * LM_VERTEX_MESH_STEP,
                     (float)lmi_get_s16(p + 2) * LM_VERTEX_MESH_STEP,
                     (float)lmi_get_s16(p + 4) * LM_VERTEX_MESH_STEP};
}

/* ---- Elements ------------------------------------------------------------------------------ */

#define LM_VERTEX_MESH_NUM_FRAME_COLUMNS 11
#define LM_VERTEX_MESH_NUM_ST_COLUMNS 2
#define LM_VERTEX_MESH_NUM_VERTEX_COLUMNS 10
extern const lm_column lmi_vertex_mesh_frame_columns[LM_VERTEX_MESH_NUM_FRAME_COLUMNS];
extern const lm_column lmi_vertex_mesh_st_columns[LM_VERTEX_MESH_NUM_ST_COLUMNS];
extern const lm_column lmi_vertex_mesh_vertex_columns[LM_VERTEX_MESH_NUM_VERTEX_COLUMNS];
extern const lm_unit lmi_vertex_mesh_units[4]; /* of the last five */

/* ---- Views of a parsed document ------------------------------------------------------------ */

typedef struct lm_vertex_mesh_frames {
    const uint8_t *data; /* count * size bytes */
    int32_t count;
    size_t size;   /* bytes from one to the next */
    size_t offset; /* in the file */
} lm_vertex_mesh_frames;

typedef struct lm_vertex_mesh_surface {
    lm_location start;   /* in the file */
    const uint8_t *name; /* 64 bytes */
    int32_t num_shaders, num_vertices, num_triangles;
    const uint8_t *shaders, *triangles, *st;
    /* From the start. Vertices are those of the first frame. */
    int32_t ofs_shaders, ofs_triangles, ofs_st, ofs_vertices;
} lm_vertex_mesh_surface;

static inline lm_vertex_mesh_frame lmi_vertex_mesh_frame_at(const lm_vertex_mesh_frames *frames,
                                                            int32_t frame) {
    return lmi_vertex_mesh_get_frame(frames->data + (size_t)frame * frames->size);
}
/* Returns true if a frame's bounds are finite and its minimum does not exceed its maximum. */
bool lmi_vertex_mesh_frame_valid(const lm_vertex_mesh_frame *frame);

/* ---- Reading ------------------------------------------------------------------------------- */

/* A format for the common reader. Its description begins with frames and ends with the chain of
 * surfaces; a surface's begins with triangles, shaders, st and vertices. */
typedef struct lm_vertex_mesh_kind {
    const lm_header *header;
    uint16_t name, first_count; /* offsetof in a surface: name; field of bad counts */
    /* Returns true if the counts, none of which is negative, are valid; NULL: they always are. */
    bool (*counts_sound)(const void *surface);
    const char *unsound; /* "a negative count" */
    /* Check what only this format has, in the file and in a surface. NULL: nothing. Return false if
     * a listener stopped them. */
    bool (*verify_tags)(const void *document, lm_reporter *reporter);
    bool (*verify_tables)(const void *document, lm_location start, lm_reporter *reporter);
    /* Decode the tags, and a surface's flags and keys. Return false if memory ran out. */
    bool (*decode_tags)(lm_arena *arena, const void *document, lm_model *model);
    bool (*decode_keys)(lm_arena *arena, const void *document, lm_location start, lm_surface *out);
} lm_vertex_mesh_kind;

static inline const lm_header_lump *lmi_vertex_mesh_chain_lump(const lm_vertex_mesh_kind *kind) {
    return &kind->header->lumps.list[kind->header->lumps.count - 1];
}

/* Finds everything and checks that it is inside the file. A tolerant reader cuts counts to the
 * elements that are. Returns false if the call ended. */
bool lmi_vertex_mesh_parse(lm_reading *reading, const lm_vertex_mesh_kind *kind, void *document);

/* Returns the struct of a surface. */
const void *lmi_vertex_mesh_struct_of(const lm_vertex_mesh_kind *kind, const void *document,
                                      uint32_t surface);
lm_vertex_mesh_frames lmi_vertex_mesh_frames_of(const lm_vertex_mesh_kind *kind,
                                                const void *document);
/* Returns a view of the surface whose header is at `start`. */
lm_vertex_mesh_surface lmi_vertex_mesh_surface_at(const lm_vertex_mesh_kind *kind,
                                                  const void *document, lm_location start);
/* Return the location of the first surface, and of the one after a surface. */
lm_location lmi_vertex_mesh_first(const lm_vertex_mesh_kind *kind, const void *document);
lm_location lmi_vertex_mesh_next(const lm_vertex_mesh_kind *kind, const void *document,
                                 lm_location start);

/* Check the contents of lumps: the bounds of frames; the triangles of a surface; all lumps. Return
 * false if a listener stopped them. */
bool lmi_vertex_mesh_verify_frames(const lm_vertex_mesh_frames *frames, lm_reporter *reporter);
bool lmi_vertex_mesh_verify_triangles(const lm_vertex_mesh_surface *surface, lm_reporter *reporter);
bool lmi_vertex_mesh_verify(const lm_vertex_mesh_kind *kind, const void *document,
                            lm_reporter *reporter);

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Decodes a verified document: frames with clips from their names, tags and surfaces. Computes the
 * bounds that are unusable in the file. Returns false if memory ran out. */
bool lmi_vertex_mesh_decode(lm_arena *arena, const lm_vertex_mesh_kind *kind, const void *document,
                            lm_model *model);

/* Sets the bounds of a frame if they are usable. */
void lmi_vertex_mesh_decode_bounds(const lm_vertex_mesh_frame *frame, lm_frame *out);
/* Copies the triangles whose vertices exist to `out`, three vertices each. Returns their number. */
uint32_t lmi_vertex_mesh_usable_triangles(const lm_vertex_mesh_surface *surface, uint32_t *out);
/* Computes the bounds that are unusable in the file. */
void lmi_vertex_mesh_repair_bounds(const lm_vertex_mesh_frames *frames, lm_model *model);

/* ---- Checking ------------------------------------------------------------------------------ */

void lmi_vertex_mesh_check_frame_names(const lm_vertex_mesh_frames *frames, lm_reporter *reporter);
/* Returns true if a position is outside the bounds by more than converters round. */
bool lmi_vertex_mesh_outside_bounds(lm_vec3 p, const lm_vertex_mesh_frame *bounds);
/* Reports triangles that use a vertex twice. Returns the vertices that no triangle uses. */
lm_tally lmi_vertex_mesh_check_use(const lm_vertex_mesh_surface *surface,
                                   const lm_reading *reading);
/* Reports a last surface whose end is not in the file. */
void lmi_vertex_mesh_check_end(const lm_reading *reading, const lm_vertex_mesh_kind *kind,
                               const void *document);
/* Reports oddities of all surfaces. `check_header` checks a surface's header beyond its limits;
 * `leaves` returns true if a frame of a surface with vertices leaves its bounds. */
void lmi_vertex_mesh_check_surfaces(
    lm_reading *reading, const lm_vertex_mesh_kind *kind, const void *document,
    void (*check_header)(const void *document, lm_location start, lm_reporter *reporter),
    bool (*leaves)(const void *surface, int32_t frame, const lm_vertex_mesh_frame *bounds));

#endif
