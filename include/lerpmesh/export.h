/* lerpmesh/export.h - models for other programs: glTF 2.0, Wavefront OBJ, SVG of the skin.
 *
 *     #include <lerpmesh/export.h>
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // A model in memory as a .glb; false and a sentence if that cannot be.
 *     bool convert(const void *bytes, size_t size, lm_buffer *glb) {
 *         lm_error error;
 *         lm_model *model = lm_load_memory(bytes, size, NULL, &error);
 *         bool ok = model && lm_gltf_write(model, NULL, glb, NULL, NULL, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_model_free(model);
 *         return ok;
 *     }
 *
 * Output goes to buffers of the caller's; the same model and options give the same bytes on every
 * machine. */
#ifndef LERPMESH_EXPORT_H
#define LERPMESH_EXPORT_H

#include "lerpmesh/clips.h"
#include "lerpmesh/model.h"
#include "lerpmesh/sample.h"
#include "lerpmesh/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lm_axes {
    LM_AXES_DEFAULT, /* LM_AXES_GLTF */
    LM_AXES_GLTF,    /* right-handed, y up, z forward: (x, y, z) becomes (y, z, x), no mirror */
    LM_AXES_MODEL    /* the file's own: x forward, y left, z up */
} lm_axes;

#define LM_METRES_PER_UNIT 0.0254f /* a unit is an inch by custom */

typedef struct lm_export_options {
    const char *name; /* what the model is called, for surfaces and scenes without a name */
    lm_axes axes;
    float scale; /* 0: glTF metres (LM_METRES_PER_UNIT), OBJ 1 */

    /* One pose only, not animated: at the fractional `frame`. */
    bool still;
    double frame;

    /* Frames first_frame .. first_frame + num_frames - 1 only; num_frames 0: all. Clips are cut to
     * them, those outside left out. */
    uint32_t first_frame, num_frames;

    const lm_clip *clips; /* instead of the model's, if num_clips > 0 */
    uint32_t num_clips;
    float fps;            /* > 0: every clip's rate */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_export_options;

typedef struct lm_gltf_options {
    lm_export_options common;
    /* NULL: one binary file, .glb. Else JSON into `out`, whose data are in a file of this name
     * (escaped here as a URI has it), and that file into `bin`. */
    const char *bin_uri;
    /* KHR_mesh_quantization: positions in the file's own steps where these are the same on all axes
     * and in all frames, else in 1/32767 of the model's size; normals in 8 bits but where they turn
     * too far for that; sparse targets and weights where smaller. No position is off by more than
     * half a step. */
    bool quantize;
    bool unlit; /* KHR_materials_unlit: textures as they are, as old games and editors show them */
    const char *generator; /* for asset.generator; NULL: "lerpmesh VERSION" */
    uint64_t reserved[4];  /* zeros: room for later options */
} lm_gltf_options;

/* What an exporter wants to tell: how a model was split, what was left out. */
typedef struct lm_gltf_result {
    uint32_t num_meshes;
    uint32_t num_targets; /* stored, of all meshes; bundles share them */
    uint32_t num_animations;
    uint32_t num_bundles;   /* > 1: more than 255 targets were needed, so the frames were split */
    uint32_t shared_frames; /* frames that were identical to one stored already */
    uint32_t num_textures, num_variants;
    /* Tags whose axes are not at right angles in some frame: no node can say that. They have the
     * nearest rotation, and their scale. */
    uint32_t num_sheared_tags;
    uint32_t num_dropped; /* of shaders: stages, movement, blending that no material can say */
} lm_gltf_result;

/* Writes glTF 2.0. One node and mesh a surface. The base is where the clip of rest begins (of those
 * exported: the part's idle clip, else lm_rest_clip), without clips the first frame; every other
 * frame is a morph target with POSITION and NORMAL (extras.targetNames has the frames' names); each
 * clip, that of rest first, an animation of weights, keyed at its rate, linear between keys: what a
 * glTF viewer shows is what the engine shows. A looped clip ends with its first frame again. Tags
 * are empty nodes with animated translation and rotation. More than 255 targets are split into
 * bundles by clip, of which each animation shows the one it needs (by node scale). Positions are
 * metres. Triangles that use a vertex twice are left out, and so are surfaces that have no others;
 * without anything that moves there are no animations. docs/gltf.md says more.
 *
 * `out` and `bin` are appended to (`bin` may be NULL for a .glb) and keep what they had if this
 * fails. Temporary memory comes from the allocator of `out`. Errors:
 * LM_CODE_BAD_ARGUMENT, LM_CODE_OUT_OF_MEMORY, LM_CODE_NOT_FINITE (the scale overflows a position),
 * LM_CODE_LIMIT (the data would be larger than the buffer's max_size, or than the 4 GiB that glTF
 * can say). */
LM_WRITE_API bool lm_gltf_write(const lm_model *model, const lm_gltf_options *options,
                                lm_buffer *out, lm_buffer *bin, lm_gltf_result *result,
                                lm_error *error);

/* The same of a scene. What hangs on a tag is a child of the tag's node. Each name of a clip, over
 * all parts, is one animation, in which every part does what lm_scene_pose says; it lasts as long
 * as the longest clip of that name, shorter ones go on as they do in a game. Skins with textures
 * become materials with a baseColorTexture, embedded in a .glb and named by `uri` beside a .gltf
 * (writing these files is the caller's); several skins of a part are variants
 * (KHR_materials_variants). Of a shader a material has sides, alpha, and texture coordinates that
 * are scaled (KHR_texture_transform).
 * Of options.common, frames and clips are for the first part; frames of other parts that no
 * animation shows are left out if a range of frames is given. A still pose has the other parts in
 * the first frame of their idle clips. Every texture must be a file. */
LM_WRITE_API bool lm_gltf_write_scene(const lm_scene *scene, const lm_gltf_options *options,
                                      lm_buffer *out, lm_buffer *bin, lm_gltf_result *result,
                                      lm_error *error);

/* Writes one pose (options.frame) as OBJ: an object a surface, `v`, `vt` (t upwards, as OBJ has
 * it), `vn` and faces, counter-clockwise, in the file's order. Of each of the three, those of a
 * surface that are the same in every frame are one: all poses of a model have as many, in the same
 * order. No materials. first_frame,
 * num_frames, clips and fps are not used. Fails as lm_gltf_write does. */
LM_WRITE_API bool lm_obj_write(const lm_model *model, const lm_export_options *options,
                               lm_buffer *out, lm_error *error);

/* The same of a scene, each part where its tag is: the first part in options.frame, followers in
 * that frame too, others as lm_scene_pose has them at 0 seconds of no clip. With `mtl_name`, which
 * is how the OBJ names its file of materials, these go into `mtl`: what each surface wears,
 * textures by their `uri` (writing those files is the caller's). NULL: no materials, and `mtl` may
 * be NULL. */
LM_WRITE_API bool lm_obj_write_scene(const lm_scene *scene, const lm_export_options *options,
                                     const char *mtl_name, lm_buffer *out, lm_buffer *mtl,
                                     lm_error *error);

/* How texture coordinates are drawn; zeros are the defaults. */
typedef struct lm_uv_options {
    /* To lie beneath, for SVG a file (PNG or JPEG), for pixels pixels; NULL: none. */
    const lm_scene_texture *skin;
    bool exact; /* the skin's rectangle and no more, in its pixels: no margin and no legend */
    const bool *surfaces; /* [model->num_surfaces]: which are drawn; NULL: all */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_uv_options;

/* Draws the texture coordinates as SVG: each surface's unwrapped triangles over the skin's
 * rectangle (the pixels of options.skin, where it says how many, else those that an MD2 names, else
 * 512 x 512), one group and colour a surface, with a legend when there are several; coordinates
 * beyond the edge enlarge the picture. */
LM_WRITE_API bool lm_uv_svg_write(const lm_model *model, const lm_uv_options *options,
                                  lm_buffer *out, lm_error *error);

/* The same as pixels: appends 4 * width * height bytes, red, green, blue and alpha (not
 * premultiplied), rows from the top. The skin is opaque and the edges of triangles are lines in
 * their surfaces' colours; there is no legend. `exact`: as large as the skin, and transparent where
 * there is none; else a multiple of it, of at least 1024 pixels. Errors: LM_CODE_OUT_OF_MEMORY,
 * LM_CODE_LIMIT (more than LM_UV_MAX_PIXELS, or than the buffer's max_size). */
#define LM_UV_MAX_PIXELS ((uint64_t)64 << 20)
LM_WRITE_API bool lm_uv_draw(const lm_model *model, const lm_uv_options *options, lm_buffer *pixels,
                             uint32_t *width, uint32_t *height, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
