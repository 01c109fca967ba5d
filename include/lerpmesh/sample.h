/* lerpmesh/sample.h - from a pose to floats.
 *
 *     #include <lerpmesh/clips.h>
 *     #include <lerpmesh/sample.h>
 *
 *     // A surface's vertices, 3 floats each, so many seconds after the model's first clip began.
 *     bool vertices(const lm_model *model, uint32_t surface, double seconds, float *xyz) {
 *         lm_pose pose;
 *         lm_clip_pose(&model->clips[0], seconds, LM_PLAY_AS_CLIP, false, &pose);
 *         lm_sample_target target = {0};
 *         target.positions = xyz;
 *         return lm_sample(model, surface, &pose, 1, &target) == LM_CODE_OK;
 *     }
 *
 * No call here allocates, keeps state or fails on a model that loaded, except by its arguments.
 */
#ifndef LERPMESH_SAMPLE_H
#define LERPMESH_SAMPLE_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pose at a fractional frame: between floor(frame) and the frame after it, clamped to the
 * model's first and last. */
LM_API void lm_pose_at(const lm_model *model, double frame, lm_pose *out);

/* Memory of the caller's that a surface is sampled into. For pose p and vertex v (of
 * surface.num_vertices), three floats go to
 *     (char *)positions + p * pose_stride + v * stride
 * and the same for normals. A pointer that is NULL is not written. Strides are in bytes, multiples
 * of 4; 0 means packed: stride 12, pose_stride num_vertices * stride. Zero-initialised members keep
 * their meaning in later versions.
 *     Interleaved:  positions = p, normals = p + 3, stride = 24 (or 32, with 8 bytes between).
 *     For the GPU:  positions = p, packed_normals = (int8_t *)(p + 3), stride = 16.
 *     Six planes:   positions = p, normals = p + 3 * n, plane_stride = 4 * n.
 * These and stride 12 are fast; any other works. */
typedef struct lm_sample_target {
    float *positions;
    float *normals; /* of length 1 */
    size_t stride;
    size_t pose_stride;
    /* Normals as four signed bytes, x, y, z and 0, 127 for 1 (snorm8): each coordinate times
     * 127 / length, in single precision, rounded to the nearest, a half to the even one. So a half
     * of a table's normal, whose length is 1 but for its last digit, is 63 or 64. For pose p and
     * vertex v at packed_normals + p * pose_stride + v * stride. With nothing but these, stride 0
     * means 4. */
    int8_t *packed_normals;
    /* Not 0: x, y and z lie in planes, y plane_stride bytes after x, and z after y; stride 0 then
     * means 4. A multiple of 4. */
    size_t plane_stride;
    /* t may be any finite number; what is beyond 0 .. 1 goes on in the same direction. */
    bool extrapolate;
    /* Each vertex is the `stride` bytes from its position on: those that nothing goes to become 0,
     * else they are left alone. Needs positions and no planes. A crowd's buffer much larger than
     * the caches is then written past them, if it is interleaved with stride 32, packed, and
     * begins at a multiple of 32. */
    bool zero_gaps;
} lm_sample_target;

/* Samples `num_poses` poses of one surface: one, or a crowd. Normals are decoded, mixed linearly
 * and normalised; where two opposite ones cancel, the nearer frame's is taken. A t nearer to 0 than
 * 1e-12 counts as 0. Returns LM_CODE_OK, or LM_CODE_BAD_ARGUMENT (nothing is written) if the
 * surface or a frame is out of range, t is not in 0 .. 1 (extrapolate: not finite), or a stride is
 * no multiple of 4 or too small for what goes there.
 *
 * The fastest kernel for the processor is chosen by itself; all give the same bits. Threads may
 * write to disjoint targets at the same time. */
LM_API lm_code lm_sample(const lm_model *model, uint32_t surface, const lm_pose *poses,
                         size_t num_poses, const lm_sample_target *target);

/* Samples the change from one pose to another: for a clip that fades over into the next, both of
 * which go on meanwhile. Positions are mixed linearly, (1-weight)*from + weight*to, normals the
 * same and normalised; where two opposite ones cancel, the nearer pose's is taken. A weight of 0 is
 * `from` to the bit, 1 is `to`. One pose is written; target's pose_stride is not looked at. About
 * twice the work of lm_sample and a little; errors and threads as there, and weight must be in
 * 0 .. 1. */
LM_API lm_code lm_sample_mix(const lm_model *model, uint32_t surface, const lm_pose *from,
                             const lm_pose *to, float weight, const lm_sample_target *target);

/* Where a tag is, for what hangs on it. As the engines do (R_LerpTag), origins and axes of the two
 * frames are mixed linearly and each axis is normalised, in whole frames too: files store axes of
 * any length (MD3), which lm_md3_get_tag gives. They need not be square, nor right-handed: a mirror
 * stays one. An axis of length 0 stays 0, so that what hangs there is flat; where two opposite ones
 * cancel, the nearer frame's is taken. Errors as above. */
LM_API lm_code lm_sample_tag(const lm_model *model, uint32_t tag, const lm_pose *pose,
                             lm_transform *out);

/* Where a tag is during the change from one pose to another, as lm_sample_mix mixes them. */
LM_API lm_code lm_tag_mix(const lm_model *model, uint32_t tag, const lm_pose *from,
                          const lm_pose *to, float weight, lm_transform *out);

/* The angles of a tag in a frame, in degrees: x is pitch, y yaw, z roll. As the file stores them,
 * or computed from the axes that it stores (for mirrored ones, from the first two). Errors as
 * above. */
LM_API lm_code lm_tag_angles(const lm_model *model, uint32_t tag, uint32_t frame, lm_vec3 *angles);

/* The box around all vertices of all surfaces in `count` frames from `first`, computed from the
 * vertices and not from what the file says. Without vertices: the frames' own boxes. False (and
 * nothing written) if the frames are out of range or count is 0. */
LM_API bool lm_bounds(const lm_model *model, uint32_t first, uint32_t count, lm_vec3 *min,
                      lm_vec3 *max);

/* ---- Vertex buffers ------------------------------------------------------------------------ */

/* A frame of packed rows: position = step * scale + translate. */
typedef struct lm_packed_frame {
    lm_vec3 scale, translate;
} lm_packed_frame;

#define LM_PACKED_SIZE 8 /* bytes per vertex */

/* Packs frames first .. first + count - 1 of a surface into rows for a vertex buffer, so that a
 * vertex shader of your own animates the model without fetching texels. A row has
 * surface.num_vertices vertices of LM_PACKED_SIZE bytes, in the order that the triangles use, and
 * row i begins at i * num_vertices * LM_PACKED_SIZE. A vertex is, in the byte order of this
 * machine: offset 0: int16_t x, y, z   steps from translate (GL_SHORT, 3, not normalised) offset 6:
 * int8_t u, v       the normal on an octahedron (GL_BYTE, 2, not normalised) Bind the rows of the
 * two frames of a pose as attributes a and b, with stride LM_PACKED_SIZE:
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
 * Scale and translate of each frame go to frames[count]. Steps are those of the file, but in frames
 * that MDC stores as differences, which get 65,535 steps along each side of their box. Normals are
 * within 1 degree. A cross-fade binds four rows. LM_CODE_BAD_ARGUMENT, and nothing written, if the
 * surface or a frame is out of range. */
LM_API lm_code lm_pack_frames(const lm_model *model, uint32_t surface, uint32_t first,
                              uint32_t count, void *rows, lm_packed_frame *frames);

#ifdef __cplusplus
}
#endif
#endif
