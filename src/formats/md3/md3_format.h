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

/* The lumps of the file and of a surface, each list in the order of its offsets in the header.
 * Those that are not named here both formats have. */
enum {
    LM_MD3_LUMP_TAGS = 1,
    LM_MD3_NUM_LUMPS,
    LM_MD3_NUM_SURFACE_LUMPS = LM_MESH_NUM_LUMPS
};

extern const lm_mesh_kind lm_md3_kind;

/* Where a tag's bytes lie in the file. */
lm_place lm_md3_tag_place(const lm_md3 *md3, int32_t frame, int32_t tag);

/* What lm_mesh_kind wants. */
bool lm_md3_verify_tags(const lm_mesh_reading *reading, lm_reporter *reporter);
void lm_md3_check_file(const lm_mesh_reading *reading, lm_reporter *reporter);
void lm_md3_check_surface(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter);
bool lm_md3_outside(const void *surface, int32_t frame, int32_t vertex,
                    const lm_mesh_frame *bounds);
void lm_md3_carve_keys(lm_block *block, const void *document, const void *surface, lm_surface *out);

lm_model *lm_md3_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter);
bool lm_md3_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter);
void lm_md3_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_md3_table(lm_bytes file, const char *lump, lm_buffer *out);

extern const lm_format lm_format_md3;

#endif
