/* MDS: its description and the parts of its reader. */
#ifndef LM_MDS_FORMAT_H
#define LM_MDS_FORMAT_H

#include "formats/describe.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/mds.h"

/* Byte offsets in the elements, which lerpmesh/mds.h describes. */
enum {
    LM_MDS_FRAME_PARENT_OFFSET = 40,
    LM_MDS_BONE_PARENT = 64,
    LM_MDS_BONE_TORSO_WEIGHT = 68,
    LM_MDS_BONE_PARENT_DIST = 72,
    LM_MDS_BONE_FLAGS = 76,
    LM_MDS_TAG_BONE = 68,
    LM_MDS_VERTEX_ST = 12,
    LM_MDS_VERTEX_NUM_WEIGHTS = 20,
    LM_MDS_WEIGHT_WEIGHT = 4,
    LM_MDS_WEIGHT_OFFSET = 8
};

/* Returns the number of a vertex's weights; 0 if the number in the file is invalid. */
static inline uint32_t lmi_mds_num_weights(const uint8_t *vertex) {
    const uint32_t count = lmi_get_u32(vertex + LM_MDS_VERTEX_NUM_WEIGHTS);
    return count <= LM_MAX_BONES ? count : 0;
}

static inline const uint8_t *lmi_mds_weight(const uint8_t *vertex, uint32_t weight) {
    return vertex + LM_MDS_VERTEX_SIZE + (size_t)weight * LM_MDS_WEIGHT_SIZE;
}

/* Returns the vertex after this one. */
static inline const uint8_t *lmi_mds_next_vertex(const uint8_t *vertex) {
    return lmi_mds_weight(vertex, lmi_mds_num_weights(vertex));
}

/* Returns the part of a surface that is as in MD3: its triangles. */
lm_vertex_mesh_surface lmi_mds_view(const lm_mds_surface *surface, lm_location start);

extern const lm_header lmi_mds_header, lmi_mds_surface_header;

extern const lm_vertex_mesh_kind lmi_mds_mesh;

extern const lm_document_kind lmi_mds_kind;

extern const lm_format lmi_format_mds;
extern const lm_examiner lmi_examiner_mds;

/* Returns a weight as a tolerant reader takes it: 0 if it is not between 0 and 1. */
float lmi_mds_usable_weight(float weight);
/* Gets the weights of a vertex, at most LM_MAX_BONES, as a tolerant reader takes them: 0 for one
 * that is not usable or has no bone; the others then add up to 1. Returns whether all are sound. */
bool lmi_mds_get_weights(const lm_mds *mds, const uint8_t *vertex, float *weights);
/* Checks the contents of the lumps. Returns false if a listener stopped it. */
bool lmi_mds_verify(const lm_mds *mds, lm_reporter *reporter);
/* Reports every problem of a parsed document. */
void lmi_mds_check(lm_reading *reading, const void *document);
/* Appends the table of vertices or of the bones of a frame. */
bool lmi_mds_table(lm_bytes file, const char *lump, lm_buffer *out);

#endif
