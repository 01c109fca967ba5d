/* lerpmesh/import.h - other programs' animated models as takes: glTF 2.0, and what Assimp
 * reads. The library
 * lerpmesh-import, above lerpmesh.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/import.h>
 *     #include <stdio.h>
 *
 *     // A .glb in memory as an MD3; false, and why on the way out, if that cannot be.
 *     bool glb_to_md3(const void *glb, size_t size, lm_buffer *md3) {
 *         lm_error error;
 *         lm_import_options options = {0};
 *         options.fps = 10;
 *         lm_import *import = lm_import_gltf(glb, size, &options, &error);
 *         bool ok = import && lm_encode(import->take, lm_format_by_name("md3"), NULL, md3, NULL,
 *                                       &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_import_free(import);
 *         return ok;
 *     }
 *
 * Nodes, skins, morph targets and animations are played, and what is seen in each frame becomes a
 * frame of the take: docs/gltf.md says what of a file becomes what. Safe on any bytes. Any number
 * of threads may import at once.
 */
#ifndef LERPMESH_IMPORT_H
#define LERPMESH_IMPORT_H

#include "lerpmesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place of the model that a node says, in every frame. */
typedef struct lm_import_tag {
    const char *name; /* what it will be called: "tag_weapon" */
    const char *node; /* the name of the node, the first that is called so: "Hand.R" */
} lm_import_tag;

/* Units of the model to a metre, which is glTF's unit: what lm_gltf_write takes too. */
#define LM_IMPORT_SCALE (1 / 0.0254f)

#define LM_IMPORT_MOST_FRAMES 65536u          /* of one import */
#define LM_IMPORT_MAX_BYTES ((size_t)1 << 30) /* where the options have no bound */
/* What Assimp is handed at most, of a file and of each beside it, where the options have no bound:
 * it takes ten and more times as much, and nobody can tell it not to. */
#define LM_IMPORT_ASSIMP_BYTES ((size_t)1 << 28)

typedef struct lm_import_options {
    /* Bounds; max_bytes 0: LM_IMPORT_MAX_BYTES. A few bytes can mean a long animation of many
     * vertices, so that the size of the input says little. */
    lm_memory memory;
    /* Frames a second of each animation. 0: an animation whose keys are evenly spaced, five a
     * second at least, has a frame a key; others LM_DEFAULT_FPS. */
    float fps;
    float scale; /* 0: LM_IMPORT_SCALE */
    /* Besides nodes that are called tag_SOMETHING, which are tags by themselves. */
    uint32_t num_tags;
    const lm_import_tag *tags;
    /* Appends the bytes of a file beside a .gltf, which its buffers name; false, with `error`
     * filled (lm_fail_plain), if it cannot be read. `uri` is as in the file but for %20 and the
     * like; that it leads nowhere else is the callback's to see to. NULL: such files are refused.
     * Only asked for what the animation is made of, and with `pictures` for these. */
    bool (*read)(void *user, const char *uri, lm_buffer *out, lm_error *error);
    void *user;
    bool pictures;        /* those that are worn are read too */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_import_options;

/* A picture of a model's surfaces, as the file that it is: PNG, JPEG, ... It may lie in the bytes
 * that were given, which must then live as long as it is looked at. */
typedef struct lm_import_picture {
    const char *name; /* its file's, or its own, ""; any text */
    const void *data; /* NULL: nobody wears it, or it cannot be read, which is a finding */
    size_t size;
    bool transparent; /* a material says that its alpha is to be looked at */
} lm_import_picture;

#define LM_IMPORT_NO_PICTURE UINT32_MAX

typedef struct lm_import {
    const lm_take *take;
    /* What was left out or mended: points and lines, vertices without weights, ... */
    uint32_t num_findings;
    const lm_diagnostic *findings;
    /* With `pictures` of the options. What each surface wears, in each of the ways in which the
     * whole can be dressed (glTF's variants; one without): the picture of surface s in the way d is
     * worn[d * take->num_surfaces + s]. */
    uint32_t num_pictures, num_dresses;
    const lm_import_picture *pictures;
    const uint32_t *worn;
    bool ours; /* our own export: its skins and materials have the names of the model that it was */
} lm_import;

/* Whether these are the first bytes of a glTF file, binary (.glb) or text (.gltf). */
LM_IMPORT_API bool lm_import_is_gltf(const void *bytes, size_t size);

/* Reads glTF 2.0, .glb or .gltf. NULL after a failure:
 * LM_CODE_UNKNOWN_FORMAT (no glTF), LM_CODE_BAD_VERSION, LM_CODE_TRUNCATED, LM_CODE_BAD_GLTF (its
 * JSON contradicts itself), LM_CODE_BAD_OFFSET, LM_CODE_VERTEX_INDEX, LM_CODE_NOT_FINITE,
 * LM_CODE_NOT_BUILT_IN (an extension that is not read), LM_CODE_LIMIT, LM_CODE_OUT_OF_MEMORY,
 * LM_CODE_BAD_ARGUMENT (a tag's node is not there), or what `read` says. `section` of the error is
 * where in the JSON: "accessors[3].bufferView". */
LM_IMPORT_API lm_import *lm_import_gltf(const void *bytes, size_t size,
                                        const lm_import_options *options, lm_error *error);

/* Reads what the library Assimp reads: FBX, Collada, OBJ, MD5, 3DS, X and many more
 * (docs/import.md), where this library was built with its headers; Assimp itself is loaded when it
 * is needed first. `name` is the file's, without its folder, for its extension says what it is;
 * `read` of the options is asked for what it names beside it. Skins, morph targets and animations
 * are played as those of glTF are. Of FBX and Collada, which say in what they count, scale is units
 * to a metre too; of others, which do not, LM_IMPORT_SCALE leaves it as it is. y is up, z forward.
 *
 * glTF and the formats of lerpmesh/load.h have readers of their own, which know better. Assimp is
 * not made for files of strangers: bounds are kept by what is made of its result, not by itself.
 * So what it is handed is bounded: max_bytes of the options, else LM_IMPORT_ASSIMP_BYTES
 * (LM_CODE_LIMIT); who reads strangers' files bounds the process (docs/import.md).
 * Imports wait for each other. Errors: LM_CODE_NOT_BUILT_IN (it is not there),
 * LM_CODE_UNKNOWN_FORMAT (with what Assimp says), and those above. */
LM_IMPORT_API lm_import *lm_import_assimp(const void *bytes, size_t size, const char *name,
                                          const lm_import_options *options, lm_error *error);
/* Whether Assimp is there, and reads files that are called so. */
LM_IMPORT_API bool lm_import_assimp_reads(const char *name);

LM_IMPORT_API void lm_import_free(lm_import *import);

#ifdef __cplusplus
}
#endif
#endif
