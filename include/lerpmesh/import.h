/* lerpmesh/import.h - importing animated models of other programs as meshes: glTF 2.0, IQM, and
 * all formats that Assimp reads. The library lerpmesh-import, built on lerpmesh-write.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/import.h>
 *     #include <stdio.h>
 *
 *     // Converts a .glb in memory to an MD3. Returns false if that fails.
 *     bool glb_to_md3(const void *glb, size_t size, lm_buffer *md3) {
 *         lm_error error;
 *         lm_import_options options = {0};
 *         options.fps = 10;
 *         lm_import *import = lm_import_read(glb, size, &options, &error);
 *         bool ok = import && lm_encode(import->mesh, lm_format_by_name("md3"), NULL, md3, NULL,
 *                                       &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_import_free(import);
 *         return ok;
 *     }
 *
 * The importer plays nodes, skins, morph targets and animations. Each frame of the mesh is one
 * moment of an animation. docs/reference/gltf.md and docs/reference/import.md describe the mapping.
 * Importing glTF is safe on any bytes; Assimp has limits, see lm_import_read. Any number of threads
 * may import at once. `= {0}` sets all members of a struct to zero; C++ writes `= {}`. */
#ifndef LERPMESH_IMPORT_H
#define LERPMESH_IMPORT_H

#include "lerpmesh/export.h"
#include "lerpmesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What imports a file. */
typedef enum lm_importer {
    LM_IMPORTER_UNKNOWN, /* none: it is neither glTF nor IQM, and Assimp is not available or cannot
                            read it */
    LM_IMPORTER_GLTF,    /* lerpmesh itself: glTF 2.0, .glb or .gltf */
    LM_IMPORTER_ASSIMP,  /* the library Assimp: FBX, Collada, OBJ, MD5, 3DS, X and many more */
    LM_IMPORTER_IQM      /* lerpmesh itself: IQM, the Inter-Quake Model */
} lm_importer;

/* A tag from a node: the node's transform in every frame. */
typedef struct lm_import_tag {
    const char *name;     /* of the tag: "tag_weapon" */
    const char *node;     /* of the node: "Hand.R"; the first node of that name is used */
    uint64_t reserved[2]; /* zeros: room for later members */
} lm_import_tag;

/* Units per metre, the unit of glTF. lm_gltf_write uses the same scale. */
#define LM_IMPORT_SCALE (1 / 0.0254f)

#define LM_MAX_IMPORT_FRAMES 65536u    /* per import */
#define LM_MAX_IMPORT_FPS 1000         /* of lm_import_options.fps */
#define LM_MAX_IMPORT_SCALE 1000000000 /* of lm_import_options.scale */
#define LM_MAX_IMPORT_DEPTH 64u        /* levels of a glTF's JSON; glTF itself needs 9 */
#define LM_MAX_IMPORT_SETS 4u          /* of a glTF's joints and weights; each has 4 per vertex */
/* The memory of an import, if the options have no bound: LM_IMPORT_MULTIPLE times the bytes of the
 * file and of the files that it refers to, plus LM_IMPORT_EXTRA. With the vertices of all frames it
 * is LM_IMPORT_FRAMES_MULTIPLE times the bytes, plus LM_IMPORT_EXTRA. Both are at most
 * LM_MAX_IMPORT_BYTES. */
#define LM_IMPORT_MULTIPLE 64u
#define LM_IMPORT_FRAMES_MULTIPLE 256u        /* times the bytes, with the vertices of all frames */
#define LM_IMPORT_EXTRA ((size_t)1 << 26)     /* bytes for any file */
#define LM_MAX_IMPORT_BYTES ((size_t)1 << 30) /* bytes */
/* The largest file for Assimp, and the largest of each file that it refers to, if the options have
 * no bound. Assimp needs ten times as much memory and more, and cannot be limited. */
#define LM_IMPORT_ASSIMP_BYTES ((size_t)1 << 28)

/* Options for importing. Zeros are the defaults. */
typedef struct lm_import_options {
    /* The file's name without its folder, whose extension tells IQM and the formats of Assimp.
     * NULL: only glTF and IQM are imported, which their first bytes tell. */
    const char *name;
    lm_importer importer; /* LM_IMPORTER_UNKNOWN: that of lm_importer_find for this name */
    /* Bounds; max_bytes 0: the default above. A small file can describe a long animation of many
     * vertices, so set max_bytes for such files. */
    lm_memory memory;
    /* Frames per second of each animation, at most LM_MAX_IMPORT_FPS. 0: if an animation's keys are
     * evenly spaced, at 5 per second or more, each key is a frame, and two keys of one pose are one
     * frame that lasts as long; otherwise LM_DEFAULT_FPS. */
    float fps;
    float scale; /* units per metre, at most LM_MAX_IMPORT_SCALE; 0: LM_IMPORT_SCALE */
    /* Additional tags. Nodes named tag_SOMETHING always become tags. */
    uint32_t num_tags;
    const lm_import_tag *tags;
    /* Appends the bytes of a file that a .gltf refers to. Returns false and fills `error`
     * (lm_fail_plain; otherwise the library reports LM_CODE_IO) if it cannot be read. `uri` is as
     * in the file, with %20 and the like decoded. The callback must reject URIs outside the folder.
     * NULL: such files are rejected. It is called only for the buffers of the animation, and with
     * `images` for images. */
    bool (*read)(void *user, const char *uri, lm_buffer *out, lm_error *error);
    void *user;  /* passed to `read` */
    bool images; /* also reads the images that surfaces use */
    /* Clips that loop or play once, whatever their poses are. Other clips loop if they end as they
     * began. The last frame of a looping clip is dropped if it equals the first. Names are
     * case-insensitive. Names that no clip has fail with LM_CODE_BAD_ARGUMENT. */
    uint32_t num_loops, num_onces;
    const char *const *loops; /* [num_loops] clips that loop */
    const char *const *onces; /* [num_onces] clips that play once */
    /* Ignores the file's normals: encoders compute smooth ones. */
    bool compute_normals;
    /* Keeps all frames of all animations, so that their numbers are known. No clip loops unless
     * `loops` has its name. */
    bool all_frames;
    bool skeleton; /* also makes lm_import.skeleton */
    /* The clips are rows of a weapon.cfg. One that ends as it began keeps its last frame, and
     * loops from its second; one that holds an object still is one frame. Tags may be named
     * Tag_SOMETHING and tag_SOMETHING.001. */
    bool weapon;
    /* Samples the rows of a weapon.cfg at the keys of their animations, not at their own rates. */
    bool keys;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_import_options;

/* An image of a model's surfaces, as file contents: PNG, JPEG, ... `data` may point into the input
 * bytes, which must then live as long as it is used. */
typedef struct lm_import_image {
    const char *name; /* of the image's file, else of the image, else ""; any text */
    const void *data; /* NULL: not used by a surface, or not readable, with a diagnostic */
    size_t size;      /* bytes */
    bool transparent; /* a material uses its alpha */
} lm_import_image;

#define LM_IMPORT_NO_IMAGE UINT32_MAX /* for surfaces without an image */

/* An import: a mesh with its diagnostics and images. */
typedef struct lm_import {
    const lm_mesh *mesh; /* freed with the import */
    /* Data that was skipped or repaired: points and lines, vertices without weights, ... */
    uint32_t num_diagnostics;
    const lm_diagnostic *diagnostics;
    /* With `images` of the options. num_variants counts glTF's material variants; without
     * variants it is 1. In variant v, surface s uses the image
     * surface_images[v * mesh->num_surfaces + s], or LM_IMPORT_NO_IMAGE. */
    uint32_t num_images, num_variants;
    const lm_import_image *images;  /* [num_images] */
    const uint32_t *surface_images; /* [num_variants * mesh->num_surfaces] */
    bool own_export; /* made by lerpmesh, or an IQM; materials have the game model's names */
    /* With `skeleton` of the options: the joints of the file's skins, and the nodes of its other
     * meshes, with the poses of all frames. Its errors are those against the mesh: joints that
     * scale, morph targets and more than LM_SKELETON_WEIGHTS joints per vertex cause them. Vertices
     * are those of the mesh. NULL: nothing moves, or it has more than LM_MAX_SKELETON_JOINTS. */
    const lm_skeleton *skeleton;
} lm_import;

/* Finds what imports a file: glTF and IQM by their first bytes, IQM and other formats also by the
 * extension of `name`. `data` may be the beginning of the file, or NULL. `name` NULL: without
 * Assimp, which is otherwise loaded. */
LM_IMPORT_API lm_importer lm_importer_find(const void *data, size_t size, const char *name);

/* Imports a file. Skins, morph targets and animations are played. Returns NULL if it fails.
 *
 * glTF: errors are LM_CODE_UNKNOWN_FORMAT (not glTF), LM_CODE_BAD_VERSION, LM_CODE_TRUNCATED,
 * LM_CODE_BAD_GLTF (invalid JSON content), LM_CODE_BAD_OFFSET, LM_CODE_VERTEX_INDEX,
 * LM_CODE_NOT_FINITE, LM_CODE_NOT_BUILT_IN (an unsupported extension), LM_CODE_LIMIT (a bound
 * above; a JSON of 1 GiB; or more steps than 1024 per byte of input and 2^26, where each frame
 * takes a step per vertex, target and joint), LM_CODE_OUT_OF_MEMORY, LM_CODE_BAD_ARGUMENT (a tag's
 * node does not exist, or an array or a name in it is NULL), or those of `read`. The error's
 * `section` is the location in the JSON: "accessors[3].bufferView".
 *
 * IQM: the same errors, but not those of JSON; the error's `section` is a list of the file:
 * "joints[3]". Materials keep their names. Joints named tag_SOMETHING are tags.
 *
 * Other formats, with a name (docs/reference/import.md): this library must be built with
 * Assimp's headers; Assimp itself is loaded on first use. `read` of the options is called for the
 * files that it refers to. The axes are those of glTF: y up, z forward. For formats that define a
 * unit, such as FBX and Collada, `scale` is in units per metre. For other formats, LM_IMPORT_SCALE
 * leaves sizes as they are. Errors: LM_CODE_NOT_BUILT_IN (Assimp is not available),
 * LM_CODE_UNKNOWN_FORMAT (with Assimp's message), and those above.
 *
 * Assimp is not made for untrusted input: `memory` bounds the results made here, not Assimp itself.
 * So its input is bounded, by max_bytes of the options, else LM_IMPORT_ASSIMP_BYTES
 * (LM_CODE_LIMIT). Assimp runs in the caller's process: if it crashes, the process ends, and if it
 * does not return, neither does this function. For untrusted files, choose LM_IMPORTER_GLTF, or
 * call this function in a process of its own with limits of time and memory, as the command does
 * (docs/reference/import.md, convert/isolate.h). Assimp imports one file at a time; other threads
 * wait. */
LM_IMPORT_API lm_import *lm_import_read(const void *data, size_t size,
                                        const lm_import_options *options, lm_error *error);

/* Frees an import with its mesh and images. */
LM_IMPORT_API void lm_import_free(lm_import *import);

/* Returns the compressor for lm_gltf_options.packer. It uses meshoptimizer, which is loaded on the
 * first call. Returns NULL if it is not installed, or was not present when this library was
 * built. */
LM_IMPORT_API const lm_gltf_packer *lm_meshopt_packer(void);

#ifdef __cplusplus
}
#endif
#endif
