/* MDC on disk: where header fields lie, and the parts of the reader. */
#ifndef LM_MDC_FORMAT_H
#define LM_MDC_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "formats/format.h"
#include "formats/lumps.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/mdc.h"

/* Byte offsets of the header's fields behind those that MD3 has too (Prinz, 2.1). */
enum {
    LM_MDC_AT_OFS_FRAMES = 92,
    LM_MDC_AT_OFS_TAG_NAMES = 96,
    LM_MDC_AT_OFS_TAGS = 100,
    LM_MDC_AT_OFS_SURFACES = 104,
    LM_MDC_AT_OFS_END = 108
};

/* Bytes within a surface's header, behind what MD3 has too (3.1). */
enum {
    LM_MDC_SURFACE_AT_NUM_COMP_FRAMES = 72,
    LM_MDC_SURFACE_AT_NUM_BASE_FRAMES = 76,
    LM_MDC_SURFACE_AT_NUM_SHADERS = 80,
    LM_MDC_SURFACE_AT_NUM_VERTICES = 84,
    LM_MDC_SURFACE_AT_NUM_TRIANGLES = 88,
    LM_MDC_SURFACE_AT_OFS_TRIANGLES = 92,
    LM_MDC_SURFACE_AT_OFS_SHADERS = 96,
    LM_MDC_SURFACE_AT_OFS_ST = 100,
    LM_MDC_SURFACE_AT_OFS_BASE_VERTICES = 104,
    LM_MDC_SURFACE_AT_OFS_COMP_VERTICES = 108,
    LM_MDC_SURFACE_AT_OFS_FRAME_BASE_FRAMES = 112,
    LM_MDC_SURFACE_AT_OFS_FRAME_COMP_FRAMES = 116,
    LM_MDC_SURFACE_AT_OFS_END = 120
};

/* One step of a compressed offset in the engine, and as Prinz guessed (1.2.4: 4 base steps). */
#define LM_MDC_COMP_STEP 0.05f
#define LM_MDC_COMP_STEP_PRINZ (4.0f / 64)

/* The lumps of the file and of a surface, each list in the order of its offsets in the header.
 * Those that are not named here both formats have. */
enum {
    LM_MDC_LUMP_TAG_NAMES = 1,
    LM_MDC_LUMP_TAGS,
    LM_MDC_NUM_LUMPS
};
enum {
    LM_MDC_LUMP_BASE_VERTICES = LM_MESH_LUMP_VERTICES,
    LM_MDC_LUMP_COMP_VERTICES,
    LM_MDC_LUMP_FRAME_BASE_FRAMES,
    LM_MDC_LUMP_FRAME_COMP_FRAMES,
    LM_MDC_NUM_SURFACE_LUMPS
};

extern const lm_mesh_kind lm_mdc_kind;

/* What lm_mesh_kind wants. */
bool lm_mdc_verify_tables(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter);
void lm_mdc_check_file(const lm_mesh_reading *reading, lm_reporter *reporter);
void lm_mdc_check_surface(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter);
bool lm_mdc_outside(const void *surface, int32_t frame, int32_t vertex,
                    const lm_mesh_frame *bounds);
void lm_mdc_carve_keys(lm_block *block, const void *document, const void *surface, lm_surface *out);

lm_model *lm_mdc_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter);
bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter);
void lm_mdc_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_mdc_table(lm_bytes file, const char *lump, lm_buffer *out);

extern const lm_format lm_format_mdc;

#endif
