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

/* The lumps of the file and of a surface, each list in the order of its offsets in the header. */

enum {
    LM_MDC_LUMP_FRAMES,
    LM_MDC_LUMP_TAG_NAMES,
    LM_MDC_LUMP_TAGS,
    LM_MDC_NUM_LUMPS
};
extern const lm_lump_member lm_mdc_lumps[LM_MDC_NUM_LUMPS];

enum {
    LM_MDC_LUMP_TRIANGLES,
    LM_MDC_LUMP_SHADERS,
    LM_MDC_LUMP_ST,
    LM_MDC_LUMP_BASE_VERTICES,
    LM_MDC_LUMP_COMP_VERTICES,
    LM_MDC_LUMP_FRAME_BASE_FRAMES,
    LM_MDC_LUMP_FRAME_COMP_FRAMES,
    LM_MDC_NUM_SURFACE_LUMPS
};
extern const lm_lump_member lm_mdc_surface_lumps[LM_MDC_NUM_SURFACE_LUMPS];

lm_extent lm_mdc_file_extent(const lm_mdc *mdc, int lump);
lm_extent lm_mdc_surface_extent(const lm_mdc *mdc, const lm_mdc_surface *surface, int lump);

/* The document and where each surface starts in the file (for the places of problems). */
typedef struct lm_mdc_reading {
    lm_mdc mdc; /* mdc.surfaces is memory of the heap */
    size_t *surface_starts;
    size_t capacity, capacity_starts; /* in surfaces */
} lm_mdc_reading;

/* Finds everything and checks that it lies in the file. After damage that was let pass, counts are
 * cut to what is there. False if reading cannot go on, or memory ran out (then the reporter heard
 * nothing). Release in either case. */
bool lm_mdc_parse(lm_bytes file, lm_heap *heap, lm_reporter *reporter, lm_mdc_reading *reading);
void lm_mdc_release(lm_heap *heap, lm_mdc_reading *reading);
/* Checks what the lumps hold. False if a listener stopped it. */
bool lm_mdc_verify(const lm_mdc_reading *reading, lm_reporter *reporter);

/* Where an element of a surface's lump lies in the file. */
lm_place lm_mdc_place(const lm_mdc_reading *reading, uint32_t surface, int lump, uint32_t index);
/* What MD3 has too. */
lm_mesh_frames lm_mdc_frames(const lm_mdc *mdc);
lm_mesh_surface lm_mdc_mesh_surface(const lm_mdc_reading *reading, uint32_t index);

lm_model *lm_mdc_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter);
bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter);
void lm_mdc_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_mdc_table(lm_bytes file, const char *lump, lm_buffer *out);

#endif
