/* MD3: its description and the parts of its reader. */
#ifndef LM_MD3_FORMAT_H
#define LM_MD3_FORMAT_H

#include "core/bytes.h"
#include "formats/describe.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/md3.h"

/* Converts the elements of MD3 from and to bytes. Indices are not checked. */

/* Byte offsets in a tag: its name, then a pose as LM_TAG_AXES. */
enum {
    LM_MD3_TAG_NAME = 0,
    LM_MD3_TAG_ORIGIN = 64,
    LM_MD3_TAG_AXES = 76
};

typedef lm_vertex_mesh_frame lm_md3_frame;

typedef struct lm_md3_tag {
    uint8_t name[LM_MD3_NAME_SIZE]; /* all 64 bytes */
    lm_vec3 origin;
    lm_vec3 axis[3]; /* forward, left, up; may be skewed or left-handed */
} lm_md3_tag;

typedef lm_vertex_mesh_vertex lm_md3_xyz_normal;

static inline void lmi_md3_get_tag(const lm_md3 *md3, int32_t frame, int32_t tag, lm_md3_tag *out) {
    size_t index = (size_t)frame * (size_t)md3->num_tags + (size_t)tag;
    const uint8_t *p = md3->tags + index * LM_MD3_TAG_SIZE;
    memcpy(out->name, p + LM_MD3_TAG_NAME, sizeof out->name);
    out->origin = lmi_get_vec3(p + LM_MD3_TAG_ORIGIN);
    for (size_t i = 0; i < 3; i++)
        out->axis[i] = lmi_get_vec3(p + LM_MD3_TAG_AXES + 12 * i);
}

static inline void lmi_md3_put_tag(uint8_t *out, const lm_md3_tag *tag) {
    memcpy(out + LM_MD3_TAG_NAME, tag->name, sizeof tag->name);
    lmi_put_vec3(out + LM_MD3_TAG_ORIGIN, tag->origin);
    for (size_t i = 0; i < 3; i++)
        lmi_put_vec3(out + LM_MD3_TAG_AXES + 12 * i, tag->axis[i]);
}

static inline void lmi_md3_put_xyz_normal(uint8_t *out, const lm_md3_xyz_normal *vertex) {
    lmi_vertex_mesh_put_vertex(out, *vertex);
}

extern const lm_header lmi_md3_header, lmi_md3_surface_header;

extern const lm_vertex_mesh_kind lmi_md3_mesh;

/* Returns the location of a tag in the file. */
lm_location lmi_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag);

extern const lm_document_kind lmi_md3_kind;

extern const lm_format lmi_format_md3;
extern const lm_examiner lmi_examiner_md3;

/* Reports every problem of a parsed document. */
void lmi_md3_check(lm_reading *reading, const void *document);

#endif
