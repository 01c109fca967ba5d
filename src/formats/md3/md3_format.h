/* MD3 on disk: where header fields lie, and the parts of the reader. */
#ifndef LM_MD3_FORMAT_H
#define LM_MD3_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "formats/format.h"
#include "formats/lumps.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/md3.h"

/* Byte offsets of the header's fields behind those that MDC has too. */
enum {
    LM_MD3_AT_OFS_FRAMES = 92,
    LM_MD3_AT_OFS_TAGS = 96,
    LM_MD3_AT_OFS_SURFACES = 100,
    LM_MD3_AT_OFS_END = 104
};

/* Bytes within a surface's header, behind what MDC has too. */
enum {
    LM_MD3_SURFACE_AT_NUM_FRAMES = 72,
    LM_MD3_SURFACE_AT_NUM_SHADERS = 76,
    LM_MD3_SURFACE_AT_NUM_VERTS = 80,
    LM_MD3_SURFACE_AT_NUM_TRIANGLES = 84,
    LM_MD3_SURFACE_AT_OFS_TRIANGLES = 88,
    LM_MD3_SURFACE_AT_OFS_SHADERS = 92,
    LM_MD3_SURFACE_AT_OFS_ST = 96,
    LM_MD3_SURFACE_AT_OFS_XYZ_NORMALS = 100,
    LM_MD3_SURFACE_AT_OFS_END = 104
};

/* Bytes within a tag: its name, then what LM_TAG_AXES decodes. */
enum {
    LM_MD3_TAG_NAME = 0,
    LM_MD3_TAG_ORIGIN = 64,
    LM_MD3_TAG_AXES = 76
};

/* The lumps of the file and of a surface, each list in the order of its offsets in the header. */
enum {
    LM_MD3_LUMP_FRAMES,
    LM_MD3_LUMP_TAGS,
    LM_MD3_NUM_LUMPS
};
extern const lm_lump_member lm_md3_lumps[LM_MD3_NUM_LUMPS];

enum {
    LM_MD3_LUMP_TRIANGLES,
    LM_MD3_LUMP_SHADERS,
    LM_MD3_LUMP_ST,
    LM_MD3_LUMP_XYZ_NORMALS,
    LM_MD3_NUM_SURFACE_LUMPS
};
extern const lm_lump_member lm_md3_surface_lumps[LM_MD3_NUM_SURFACE_LUMPS];

lm_extent lm_md3_file_extent(const lm_md3 *md3, int lump);
lm_extent lm_md3_surface_extent(const lm_md3 *md3, const lm_md3_surface *surface, int lump);

/* The document and where each surface starts in the file (for the places of problems). */
typedef struct lm_md3_reading {
    lm_md3 md3; /* md3.surfaces is memory of the heap */
    size_t *surface_starts;
    size_t capacity, capacity_starts; /* in surfaces */
} lm_md3_reading;

/* Finds everything and checks that it lies in the file. After damage that was let pass, counts are
 * cut to what is there. False if reading cannot go on, or memory ran out (then the reporter heard
 * nothing). Release in either case. */
bool lm_md3_parse(lm_bytes file, lm_heap *heap, lm_reporter *reporter, lm_md3_reading *reading);
void lm_md3_release(lm_heap *heap, lm_md3_reading *reading);
/* Checks what the lumps hold. False if a listener stopped it. */
bool lm_md3_verify(const lm_md3_reading *reading, lm_reporter *reporter);

/* Where a tag's bytes lie in the file. */
lm_place lm_md3_tag_place(const lm_md3 *md3, int32_t frame, int32_t tag);
/* What MDC has too. */
lm_mesh_frames lm_md3_frames(const lm_md3 *md3);
lm_mesh_surface lm_md3_mesh_surface(const lm_md3_reading *reading, uint32_t index);

lm_model *lm_md3_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter);
bool lm_md3_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter);
void lm_md3_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_md3_table(lm_bytes file, const char *lump, lm_buffer *out);

#endif
