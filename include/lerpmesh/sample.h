/* lerpmesh/sample.h - samples a model in a pose: vertices, normals, tags and bounds, as floats.
 *
 *     #include <lerpmesh/clips.h>
 *     #include <lerpmesh/sample.h>
 *
 *     // Samples a surface [3 * num_vertices], `seconds` after the model's first clip began.
 *     bool vertices(const lm_model *model, uint32_t surface, double seconds, float *xyz) {
 *         lm_pose pose;
 *         lm_clip_pose(&model->clips[0], seconds, LM_PLAY_AS_CLIP, false, &pose);
 *         lm_sample_target target = {0};
 *         target.positions = xyz;
 *         return lm_sample(model, surface, &pose, 1, &target) == LM_CODE_OK;
 *     }
 *
 * No function here allocates or keeps state. With a loaded model, a call fails only if an argument
 * is wrong. Functions that can fail return LM_CODE_OK or LM_CODE_BAD_ARGUMENT and take no lm_error,
 * unlike those of the other headers, because a program calls them for every frame that it draws.
 * In C++, write lm_sample_target target = {}; in place of = {0}.
 */
#ifndef LERPMESH_SAMPLE_H
#define LERPMESH_SAMPLE_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the pose at a fractional frame: between floor(frame) and the frame after it, clamped to
 * the model's first and last frame. */
LM_API void lm_model_pose_at(const lm_model *model, double frame, lm_pose *out);

/* A sample target: memory of the caller into which a surface is sampled. For vertex v (of
 * surface.num_vertices) in pose p, three floats are written to
 *     (char *)positions + p * pose_stride + v * stride
 * and likewise for normals. A pointer that is NULL is not written. Strides are in bytes and
 * multiples of 4. 0 means packed: stride 12, pose_stride num_vertices * stride. Later versions keep
 * the meaning of zero-initialised members.
 *     Interleaved:  positions = p, normals = p + 3, stride = 24 (or 32, with 8 bytes between).
 *     For the GPU:  positions = p, packed_normals = (int8_t *)(p + 3), stride = 16.
 *     Arrays:       positions = p, normals = p + 3 * n, component_stride = 4 * n.
 * Arrays are the layout called structure of arrays. These layouts and stride 12 are fast; all
 * others work too. */
typedef struct lm_sample_target {
    float *positions;   /* three floats per vertex and pose, in units */
    float *normals;     /* of length 1 */
    size_t stride;      /* bytes from one vertex to the next */
    size_t pose_stride; /* bytes from one pose to the next */
    /* Normals as four signed bytes x, y, z and 0, with 127 for 1 (snorm8). Each coordinate is
     * multiplied by 127 / length in single precision and rounded to nearest, ties to even. The
     * length of a normal from a table is 1 except for the last digit, so a coordinate of 0.5
     * becomes 63 or 64. The normal of vertex v in pose p is written to
     *     packed_normals + p * pose_stride + v * stride
     * If packed normals are the only output, stride 0 means 4. */
    int8_t *packed_normals;
    /* If not 0, the output is a structure of arrays: y is component_stride bytes after x, and z
     * after y. Stride 0 then means 4. A multiple of 4. */
    size_t component_stride;
    /* Allows any finite t. Outside 0 .. 1, the motion continues in the same direction. */
    bool extrapolate;
    /* Sets padding to 0; otherwise padding is left unchanged. Padding is every byte that no output
     * fills, of the `stride` bytes from each position on. Needs positions and component_stride 0.
     * Output much larger than the CPU caches is then written with non-temporal stores, if the
     * target is interleaved with stride 32, packed, and aligned to 32 bytes. */
    bool zero_padding;
    uint64_t reserved[4]; /* zeros; space for later members */
} lm_sample_target;

/* Samples `num_poses` poses of one surface: a single pose, or one pose per instance. Normals are
 * decoded, blended linearly and normalised. If two opposite normals cancel, the normal of the
 * nearer frame is used. A t nearer to 0 than 1e-12 counts as 0.
 *
 * Returns LM_CODE_OK. Fails with LM_CODE_BAD_ARGUMENT, without writing anything, in these cases:
 * the surface or a frame is out of range; t is outside 0 .. 1 (with `extrapolate`: not finite); a
 * stride is not a multiple of 4 or is too small for its data; `reserved` is not 0.
 *
 * Selects the fastest kernel for the processor; the results of all kernels are bit-identical.
 * Threads may write to disjoint targets at the same time. */
LM_API lm_code lm_sample(const lm_model *model, uint32_t surface, const lm_pose *poses,
                         uint32_t num_poses, const lm_sample_target *target);

/* Samples a cross-fade between two poses, such as the poses of two clips that both keep playing.
 * Positions are blended linearly, (1-weight)*from + weight*to. Normals are blended in the same way
 * and normalised. If two opposite normals cancel, the normal of the nearer pose is used. Weight 0
 * is bit-identical to `from`, weight 1 to `to`. Writes one pose and ignores pose_stride. Takes
 * slightly more than twice as long as lm_sample. Errors and thread safety are those of lm_sample;
 * `weight` must be in 0 .. 1. */
LM_API lm_code lm_sample_blend(const lm_model *model, uint32_t surface, const lm_pose *from,
                               const lm_pose *to, float weight, const lm_sample_target *target);

/* Samples the transform of a tag. As in the engines (R_LerpTag), the origins and axes of the two
 * frames are blended linearly, and each axis is normalised. Axes are normalised at whole frames
 * too, because MD3 files store axes of any length. The axes need not be orthogonal or right-handed;
 * mirrored axes stay mirrored. An axis of length 0 stays 0, so that an attached model is flat. If
 * two opposite axes cancel, the axis of the nearer frame is used. Errors are those of lm_sample. */
LM_API lm_code lm_sample_tag(const lm_model *model, uint32_t tag, const lm_pose *pose,
                             lm_transform *out);

/* Samples the transform of a tag in a cross-fade between two poses, blended as by lm_sample_blend.
 */
LM_API lm_code lm_sample_tag_blend(const lm_model *model, uint32_t tag, const lm_pose *from,
                                   const lm_pose *to, float weight, lm_transform *out);

/* Computes the box around all vertices of all surfaces in frames first .. first + count - 1. It
 * comes from the vertices, not from the bounds in the file. If the model has no vertices, it is the
 * box around the boxes of the frames. Fails, without writing anything, if a frame is out of range
 * or `count` is 0. */
LM_API lm_code lm_model_bounds(const lm_model *model, uint32_t first, uint32_t count, lm_vec3 *min,
                               lm_vec3 *max);

/* ---- Bones ------------------------------------------------------------------------------------
 *
 *     #include <lerpmesh/sample.h>
 *
 *     // Samples a surface of a player (MDS) that walks with its legs and aims with its torso.
 *     bool player(const lm_model *model, uint32_t surface, const lm_pose *walk, const lm_pose *aim,
 *                 float *xyz) {
 *         lm_transform bones[LM_MAX_BONES];
 *         const lm_vec3 turn = {0, 30, 0}; // 30 degrees to its left
 *         lm_sample_target target = {0};
 *         target.positions = xyz;
 *         return lm_sample_bones(model, walk, aim, &turn, bones) == LM_CODE_OK &&
 *                lm_sample_weights(model, surface, bones, &target) == LM_CODE_OK;
 *     }
 *
 * The functions above pose all bones of such a model alike, without turning its torso.
 */

/* Computes the bones of a model that has them (lm_model.bones), as the game does. The legs have one
 * pose and the torso another: a bone with torso_weight w between 0 and 1 has the angles of the legs
 * plus w times the shorter way to those of the torso, and a direction from its parent that is
 * blended in the same way. Then the bones of the torso turn about the torso's parent by their
 * weight: by pitch, yaw and roll in degrees (`turn`; NULL: they do not turn).
 *
 * `out` is [num_bones]. The bone is at `origin`. Of a bone that is a tag, `axis` has the axes, as
 * lm_sample_tag returns them; while the torso turns, their length may not be 1. Of other bones,
 * `axis` has the rows of the matrix that rotates the offsets of vertices.
 *
 * Fails with LM_CODE_BAD_ARGUMENT if the model has no bones, a frame is out of range, t is outside
 * 0 .. 1, or an angle is not finite. */
LM_API lm_code lm_sample_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                               const lm_vec3 *turn, lm_transform *out);

/* Samples a surface whose bones lm_sample_bones has computed. Writes one pose and ignores
 * pose_stride. Errors are those of lm_sample. */
LM_API lm_code lm_sample_weights(const lm_model *model, uint32_t surface, const lm_transform *bones,
                                 const lm_sample_target *target);

/* ---- Vertex buffers ------------------------------------------------------------------------ */

/* Packs frames for the buffers of a GPU. A vertex shader of your own can then animate the model
 * without texture fetches.
 *
 *     #include <lerpmesh/sample.h>
 *
 *     // Packs an MD2 or MDL: 4 bytes per vertex and frame, and 16-bit indices.
 *     bool pack(const lm_model *model, uint8_t *rows, lm_packed_frame *frames, uint16_t *indices) {
 *         lm_packing out = {0};
 *         out.format = LM_ROW_4_BYTES;
 *         out.rows = rows;
 *         out.frames = frames;
 *         out.indices = indices;
 *         return lm_model_pack_frames(model, 0, 0, model->num_frames, &out) == LM_CODE_OK;
 *     }
 *
 * A model's own arrays can be uploaded directly, too: lm_surface.triangles are 32-bit indices, and
 * lm_surface.st are two floats per vertex.
 */

/* The layout of a vertex in packed rows. Positions are steps from lm_packed_frame.translate. Bind
 * them without normalisation. Numbers have this machine's byte order. */
typedef enum lm_row_format {
    /* 8 bytes, for every model:
     *     offset 0: int16_t x, y, z   (GL_SHORT, 3)
     *     offset 6: int8_t u, v       the normal on an octahedron (GL_BYTE, 2)
     * Steps are those of the file. Compressed frames of MDC, and frames of MDS, get 65,535 steps
     * along each side of their box. Normals are accurate to 1 degree. */
    LM_ROW_8_BYTES,
    /* 4 bytes as in the file, for MD2 and MDL:
     *     offset 0: uint8_t x, y, z, n   (GL_UNSIGNED_BYTE, 4)
     * n is the index of the normal in lm_normal_table(LM_NUM_NORMALS_162): a uniform array of 162
     * vectors. */
    LM_ROW_4_BYTES
} lm_row_format;

/* The quantisation of a packed frame: position = step * scale + translate. */
typedef struct lm_packed_frame {
    lm_vec3 scale;     /* units per step */
    lm_vec3 translate; /* units */
} lm_packed_frame;

/* Packed rows: memory of the caller for the buffers of a surface. A pointer that is NULL is not
 * written. */
typedef struct lm_packing {
    void *rows;              /* [count][num_vertices] of 8 or 4 bytes, one frame after another */
    lm_packed_frame *frames; /* [count]; not NULL if `rows` is not NULL */
    lm_row_format format;    /* of `rows` */
    uint16_t *indices;       /* [3 * num_triangles] lm_surface.triangles as 16-bit indices */
    /* Texture coordinates: two floats per vertex, 0 .. 1 across the skin from its top left. Those
     * of vertex v are written to (char *)st + v * st_stride. Stride 0 means packed: 8. */
    float *st;
    size_t st_stride;     /* bytes from one vertex to the next; 0 or a multiple of 4 from 8 on */
    uint64_t reserved[4]; /* zeros; space for later members */
} lm_packing;

/* Packs frames first .. first + count - 1 of a surface, its indices and its texture coordinates for
 * the buffers of a GPU. Vertices are in the order that the triangles refer to.
 *
 * Bind the rows of a pose's two frames as attributes a and b. With 8 bytes:
 *
 *     vec3 unpack(vec2 uv) {
 *         vec3 n = vec3(uv, 127.0 - abs(uv.x) - abs(uv.y));
 *         float fold = max(-n.z, 0.0);
 *         n.xy += vec2(n.x < 0.0 ? fold : -fold, n.y < 0.0 ? fold : -fold);
 *         return normalize(n);
 *     }
 *     vec3 position = mix(steps_a * scale_a + translate_a, steps_b * scale_b + translate_b, t);
 *     vec3 normal = normalize(mix(unpack(uv_a), unpack(uv_b), t));
 *
 * With 4 bytes, the normals are table[int(a.w)] and table[int(b.w)], and the steps a.xyz and b.xyz.
 * A cross-fade binds four rows.
 *
 * Fails, without writing anything, in these cases: the surface or a frame is out of range; the
 * model has other vertices than those of `format` (lm_surface.encoding); there are `indices`, but
 * more than 65,536 vertices; `st_stride` or `reserved` is invalid. */
LM_API lm_code lm_model_pack_frames(const lm_model *model, uint32_t surface, uint32_t first,
                                    uint32_t count, const lm_packing *packing);

#ifdef __cplusplus
}
#endif
#endif
