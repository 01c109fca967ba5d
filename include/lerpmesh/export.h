/* lerpmesh/export.h - exporting models to glTF 2.0, vertex-animation textures and Wavefront OBJ,
 * and texture coordinates to SVG.
 *
 *     #include <lerpmesh/export.h>
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Exports a model in memory as a .glb. Returns false if that fails.
 *     bool convert(const void *bytes, size_t size, lm_buffer *glb) {
 *         lm_error error;
 *         lm_model *model = lm_load_memory(bytes, size, NULL, &error);
 *         lm_scene_part part = {.model = model};
 *         lm_scene scene = {.num_parts = 1, .parts = &part};
 *         bool ok = model && lm_gltf_write(&scene, NULL, glb, NULL, NULL, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_model_free(model);
 *         return ok;
 *     }
 *
 * The exporters write scenes. A model alone is a scene of one part, as above (LM_SCENE_OF).
 *
 * Output is appended to the caller's buffers. The same scene and options give the same bytes on
 * every machine. `= {0}` sets all members of a struct to zero; C++ writes `= {}`. */
#ifndef LERPMESH_EXPORT_H
#define LERPMESH_EXPORT_H

#include "lerpmesh/clips.h"
#include "lerpmesh/mesh.h"
#include "lerpmesh/model.h"
#include "lerpmesh/sample.h"
#include "lerpmesh/scene.h"
#include "lerpmesh/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The address of a scene of one model, which lives as long as the block around it. In C only. */
#define LM_SCENE_OF(of) \
    (&(const lm_scene){.num_parts = 1, .parts = &(const lm_scene_part){.model = (of)}})

/* The axes of exported coordinates. */
typedef enum lm_axes {
    LM_AXES_DEFAULT, /* LM_AXES_GLTF */
    LM_AXES_GLTF,    /* right-handed, y up, z forward: (x, y, z) becomes (y, z, x), not mirrored */
    LM_AXES_MODEL    /* the file's own: x forward, y left, z up */
} lm_axes;

#define LM_METRES_PER_UNIT 0.0254f /* by custom, a unit is an inch */

/* Options of all exporters. Zeros are the defaults. */
typedef struct lm_export_options {
    const char *name; /* for surfaces and scenes without a name */
    lm_axes axes;     /* the space of all coordinates */
    float scale;      /* 0: for glTF metres (LM_METRES_PER_UNIT), for OBJ 1 */

    /* Exports one pose, at the fractional `frame`, without animation. */
    bool still;
    double frame; /* from 0, with `still` */

    /* Exports only frames first_frame .. first_frame + num_frames - 1; num_frames 0: all. Clips are
     * cut to these frames, and clips outside of them are skipped. */
    uint32_t first_frame, num_frames;

    const lm_clip *clips; /* replace the model's, if num_clips > 0 */
    uint32_t num_clips;   /* 0: the model's own clips */
    /* The vertices of the first part, in place of those of its model, which has as many frames, and
     * the same surfaces with as many vertices. NULL: the model's. */
    const lm_mesh *mesh;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_export_options;

/* Compresses arrays for EXT_meshopt_compression. lm_meshopt_packer (import.h) returns one. Both
 * functions write at most `room` bytes to `out` and return their number, or 0 if they fail. With
 * `out` NULL, they return the room that always suffices. Both are safe in any thread. */
typedef struct lm_gltf_packer {
    /* Neither may be NULL. Mode ATTRIBUTES, version 0: elements of `stride` bytes, a multiple of 4
     * up to 256. */
    size_t (*pack_elements)(const void *elements, size_t count, size_t stride, void *out,
                            size_t room);
    /* Mode INDICES, version 1. */
    size_t (*pack_indices)(const uint32_t *indices, size_t count, void *out, size_t room);
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_gltf_packer;

/* Options for glTF. Zeros are the defaults. */
typedef struct lm_gltf_options {
    lm_export_options common; /* as for all exporters */
    /* NULL: `out` receives one binary file, .glb. Otherwise `out` receives JSON, .gltf, and `bin`
     * its data as a file of this name. The name is escaped here as a URI. */
    const char *bin_uri;
    /* KHR_mesh_quantization. Positions use the file's own steps if these are the same on all axes
     * and in all frames, otherwise 1/32767 of the model's size. Normals have 8 bits, unless they
     * rotate too far for that. Targets and weights are sparse if that is smaller. No position is
     * off by more than half a step. */
    bool quantize;
    bool unlit; /* KHR_materials_unlit: textures without lighting, as in old games and editors */
    const char *generator; /* for asset.generator; NULL: "lerpmesh VERSION" */
    /* EXT_meshopt_compression: all data but images is compressed; NULL: none is. It excludes
     * `quantize`. A target may hold the difference from another target, which then also has weight
     * 1. Targets have no names. The limit of `out` or `bin` also applies to the data before
     * compression. */
    const lm_gltf_packer *packer;
    /* With `packer`: the largest error of a vertex [units], unless 1/30000 of the model's size is
     * more. From 0.01, 0.04 and 0.1 on, normals are coarser too: their mean error is then 0.07,
     * 0.13 and 0.26 degrees, else 0.03. 0: at most 0.0015 units on each axis. */
    double max_error;
    /* > 0: animations have this many keys per second, between two frames if necessary. They take as
     * long as before. 0: a key per frame. */
    float fps;
    const char *loop_suffix; /* ends the names of animations that loop: "-loop"; NULL: none */
    /* [scene->num_parts] The skeleton of each model, from lm_skeleton_fit of its mesh
     * (lm_mesh_from_model); NULL elements: none. Such a model becomes a skinned mesh with joints
     * instead of morph targets. With `quantize`, rotations have 16 bits, and nothing else of it is
     * quantized. NULL: no skeletons. They exclude `packer`. */
    const lm_skeleton *const *skeletons;
    /* The metres in a unit of the models, without any other scale: the file records it and the
     * axes, so that lm_import_read restores the size. 0: LM_METRES_PER_UNIT. */
    float unit;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gltf_options;

/* Statistics of an export: how the model was split, and how much was dropped. */
typedef struct lm_gltf_result {
    uint32_t num_meshes;     /* glTF meshes: one per surface and bundle */
    uint32_t num_targets;    /* stored, over all meshes; bundles share them */
    uint32_t num_animations; /* glTF animations */
    uint32_t num_bundles; /* > 1: the frames were split, because they need more than 255 targets */
    uint32_t shared_frames; /* frames identical to one that was stored already */
    uint32_t num_textures;  /* glTF textures */
    uint32_t num_variants;  /* variants of KHR_materials_variants */
    /* Tags with a shear, that is, whose axes are not at right angles in some frame. glTF nodes
     * cannot store it; they have the nearest rotation, and the tag's scale. */
    uint32_t num_sheared_tags;
    uint32_t num_dropped;   /* shader features that materials lack: stages, movement, blending */
    uint32_t num_leftovers; /* animations of frames that no clip has */
    uint32_t num_joints;    /* of all skeletons */
    uint64_t reserved[4];   /* zeros */
} lm_gltf_result;

/* Writes a scene as glTF 2.0, with one node and one mesh per surface.
 *
 * Animation: the base mesh is the first exported frame, or, if there are clips, the first frame of
 * the clip at rest (of those exported, the part's idle clip, else by its name). Every other frame
 * is a morph target with POSITION and NORMAL; extras.targetNames lists the frames' names. Each clip
 * is an animation of the weights, with a key per frame at the clip's rate and linear interpolation,
 * so a glTF viewer shows the same as the engine. The clip at rest comes first. A looping clip ends
 * with its first frame again. If nothing moves, there are no animations. More than 255 targets are
 * split into bundles by clip; each animation shows the bundle that it needs, by node scale.
 *
 * Tags are empty nodes with animated translation and rotation. A model attached to a tag is a
 * child of the tag's node. All clips of one name, over all parts, become one animation, in which
 * the parts play as in lm_scene_pose. It lasts as long as the longest of these clips; shorter ones
 * continue as in the game. Positions are in metres. Triangles that use a vertex twice are skipped,
 * and so are surfaces without other triangles. docs/reference/gltf.md has the details.
 *
 * Skins with textures become materials with a baseColorTexture. A .glb embeds the textures; a .gltf
 * refers to them by `uri`, and the caller writes these files. If a part has several skins, they
 * become variants (KHR_materials_variants). From shaders, materials take sides, alpha, and scaled
 * texture coordinates (KHR_texture_transform). Every texture must be a file.
 *
 * In options.common, frames and clips apply to the first part. With a range of frames, frames of
 * other parts that no animation shows are skipped. With a still pose, the other parts show the
 * first frame of their idle clips.
 *
 * Appends to `out` and `bin`; `bin` may be NULL for a .glb. If this fails, both keep their previous
 * contents. Temporary memory comes from the allocator of `out`. Errors: LM_CODE_BAD_ARGUMENT,
 * LM_CODE_OUT_OF_MEMORY, LM_CODE_NOT_FINITE (a scaled position reaches 2^40), LM_CODE_LIMIT (the
 * data exceed the buffer's max_size, or the 4 GiB of a glTF file). */
LM_WRITE_API bool lm_gltf_write(const lm_scene *scene, const lm_gltf_options *options,
                                lm_buffer *out, lm_buffer *bin, lm_gltf_result *result,
                                lm_error *error);

/* ---- Vertex-animation textures ------------------------------------------------------------- */

#define LM_MAX_VAT_SIZE                                                      \
    8192u /* width and height of a texture, the limit of many graphics cards \
           */

/* Options for vertex-animation textures. Zeros are the defaults. */
typedef struct lm_vat_options {
    const char *name; /* of the mesh in the .glb; NULL: the mesh's own, or "model" */
    float scale;      /* 0: LM_METRES_PER_UNIT */
    /* The normals become a texture of their own, instead of the lower half of the only one. */
    bool separate_normals;
    /* [mesh->num_surfaces] the surfaces' materials; NULL: only the names in the mesh */
    const lm_scene_material *materials;
    uint32_t num_textures;
    const lm_scene_texture *textures; /* of the materials; all are PNG or JPEG files */
    bool unlit;                       /* as in lm_gltf_options */
    const char *generator;            /* as in lm_gltf_options */
    uint64_t reserved[4];             /* zeros: room for later options */
} lm_vat_options;

/* The layout of the textures, and the counts of the .glb. */
typedef struct lm_vat_result {
    uint32_t width, height; /* pixels of each texture */
    uint32_t num_images;    /* 2 with separate normals, else 1 */
    uint32_t num_vertices;  /* after welding */
    uint32_t num_rows;      /* frames in a texture; a backwards clip has its frames again */
    uint32_t num_wraps; /* rows per frame; > 1 if there are more than LM_MAX_VAT_SIZE vertices */
    uint32_t num_primitives; /* surfaces with triangles */
    uint32_t num_animations; /* in `info`, one per clip */
    uint32_t num_textures;   /* skins in `glb` */
    /* Half a step of a texture with 16 bits per channel: the largest error of a coordinate, in
     * units of the mesh. */
    double max_error;
    uint64_t reserved[4]; /* zeros */
} lm_vat_result;

/* Writes an animated mesh as vertex-animation textures in the layout of OpenVAT: a static mesh, and
 * textures from which a vertex shader reads the position of each vertex in each frame.
 *
 * `glb` receives the mesh in its first frame, as one glTF mesh with a primitive per surface.
 * Vertices that are equal in all frames are welded. TEXCOORD_1 is the centre of the vertex's pixel
 * in the first frame. The pixel of frame f lies f rows below it. A mesh with more than
 * LM_MAX_VAT_SIZE vertices has several blocks of rows, one below the other.
 *
 * `pixels` receives the textures: [height][width][3] floats from 0 to 1, rows from the top. Red,
 * green and blue are the offset from the first frame on Blender's axes (x right, y back, z up:
 * (x, y, z) of glTF becomes (x, -z, y)), remapped from Min .. Max to 0 .. 1. Normals are
 * (n + 1) / 2 on the same axes. They fill the lower half of the texture, or a second texture that
 * follows the first. The caller encodes the floats: lm_floats_write of
 * lerpmesh/image.h does. 8 bits are not precise enough. The buffer's size must be a multiple of 4.
 *
 * `info` receives the text of X-remap_info.json: the object `os-remap` with Min, Max and Frames,
 * and for each clip an object in `animations` with startFrame, endFrame (from 1, both included),
 * framerate and looping. A backwards clip has rows of its own, so that it plays forwards.
 *
 * Tags are not written. Surfaces with vertices need normals. Fails as lm_mesh_check does, and with
 * LM_CODE_BAD_ARGUMENT, LM_CODE_OUT_OF_MEMORY, LM_CODE_NOT_FINITE (a scaled position
 * overflows) or LM_CODE_LIMIT (a texture would be higher than LM_MAX_VAT_SIZE; a buffer's
 * max_size). The buffers then keep their previous contents. Takes linear time. Temporary memory
 * comes from the allocator of `glb`. */
LM_WRITE_API bool lm_vat_write(const lm_mesh *mesh, const lm_vat_options *options, lm_buffer *glb,
                               lm_buffer *info, lm_buffer *pixels, lm_vat_result *result,
                               lm_error *error);

/* Writes one pose of a scene (options.frame) as OBJ: an object per surface, with `v`, `vt` (t
 * upwards, as in OBJ), `vn` and counter-clockwise faces in the file's order. Within a surface,
 * positions, texture coordinates and normals that are equal in every frame are written once. All
 * poses of a scene therefore have as many of each, in the same order. first_frame, num_frames,
 * clips are ignored.
 *
 * Each part is at its tag. The first part, and parts that follow it, have the pose of
 * options.frame. Other parts have the pose that lm_scene_pose gives them without a clip, at 0
 * seconds.
 *
 * `mtl_name` is the name of the material file in the OBJ. `mtl` receives that file: the material of
 * each surface, with textures by their `uri`. The caller writes these files. `mtl_name` NULL: no
 * materials, and `mtl` may be NULL. Fails as lm_gltf_write does. */
LM_WRITE_API bool lm_obj_write(const lm_scene *scene, const lm_export_options *options,
                               const char *mtl_name, lm_buffer *out, lm_buffer *mtl,
                               lm_error *error);

/* Options for drawing texture coordinates. Zeros are the defaults. */
typedef struct lm_uv_options {
    bool pixels; /* draws pixels instead of SVG */
    /* The background: a PNG or JPEG file for SVG, decoded pixels for pixels. NULL: none. */
    const lm_scene_texture *skin;
    bool exact; /* only the skin's rectangle, at its size in pixels, without margin and legend */
    const bool *surfaces; /* [model->num_surfaces] surfaces to draw; NULL: all */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_uv_options;

/* The size of a drawing in pixels. */
typedef struct lm_uv_result {
    uint32_t width, height; /* of pixels; 0 for SVG */
    uint64_t reserved[4];   /* zeros */
} lm_uv_result;

#define LM_MAX_UV_PIXELS ((uint64_t)64 << 20) /* width * height of a drawing in pixels */

/* Draws the texture coordinates of a model: the unwrapped triangles of each surface over the
 * rectangle of the skin. The rectangle has the size of options.skin if that is known, else the skin
 * size of the model's header, else 512 x 512 pixels. Each surface has a colour of its own. Textures
 * repeat: islands of triangles that lie on another tile are moved by whole tiles onto the skin.
 * Those that still reach beyond its edge enlarge the image.
 *
 * `out` receives SVG, in which each surface is a group. If there are several, there is a legend.
 *
 * With options.pixels, `out` receives 4 * width * height bytes: red, green, blue and alpha (not
 * premultiplied), rows from the top. The skin is opaque. The edges of triangles are lines, and
 * there is no legend. With options.exact, the image has the size of the skin, and is transparent if
 * there is none. Otherwise its size is a multiple of the skin's, of at least 1024 pixels.
 *
 * Errors: LM_CODE_BAD_ARGUMENT, LM_CODE_OUT_OF_MEMORY, LM_CODE_LIMIT (more than LM_MAX_UV_PIXELS,
 * or than the buffer's max_size). `out` then keeps its previous contents. */
LM_WRITE_API bool lm_uv_write(const lm_model *model, const lm_uv_options *options, lm_buffer *out,
                              lm_uv_result *result, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
