/* lerpmesh/load.h - from bytes to a checked model: the call that most programs need.
 *
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Says what a file has; false, and why on the way out, if it does not load.
 *     bool tell(const void *bytes, size_t size) {
 *         lm_error error;
 *         lm_model *model = lm_load_memory(bytes, size, NULL, &error);
 *         if (!model)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         printf("%s, %u frames\n", model->format, (unsigned)model->num_frames);
 *         lm_model_free(model);
 *         return true;
 *     }
 *
 * The format is found by its first bytes, never by a file name. Files on disk are read by
 * lm_load_file in lerpmesh/io.h, a layer above.
 */
#ifndef LERPMESH_LOAD_H
#define LERPMESH_LOAD_H

#include "lerpmesh/format.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Named behaviours of other programs, each with its source. */
typedef enum lm_quirk {
    /* MDC by the letter of W. Prinz, "The MDC File Format" (2004), where it guessed what the engine
     * does: offsets of compressed frames scaled by 4/64 instead of 0.05 (4.1), the compressed
     * normal added to the base normal instead of replacing it (4.2.4), localOrigin added to every
     * vertex (4.1), positions of tags unsigned (2.3). */
    LM_QUIRK_MDC_PRINZ = 1 << 0
} lm_quirk;

/* Which of an MD2's two lists the surface is built from. They may differ in their texture
 * coordinates (id's tool put the GL commands' half a texel off) and, in a few files, in what they
 * draw. Formats without GL commands have triangles only and ignore this. */
typedef enum lm_topology {
    LM_TOPOLOGY_TRIANGLES,
    LM_TOPOLOGY_GL_COMMANDS
} lm_topology;

/* Which normals the vertices of a model have. Computed ones take each triangle by its angle at the
 * vertex, in every frame anew; vertices of a surface that lie in one place in a frame share theirs,
 * but for the two sides of a sheet. Such a surface is packed as MD3 packs it (LM_VERTEX_S16, a row
 * a frame), so that whatever samples and draws models has nothing to do; its positions stay the
 * same to the bit. A vertex without a triangle has a normal upwards. */
typedef enum lm_normals {
    LM_NORMALS_STORED,   /* the file's, to the bit */
    LM_NORMALS_COMPUTED, /* computed for all surfaces */
    LM_NORMALS_AUTO /* computed where those of the file are no use, which a warning says: more than
                       three quarters of the triangles face away from them though their winding
                       is right (LM_CODE_NORMALS_INWARD), or there is but one for all vertices of
                       something that is not flat (LM_CODE_IDENTICAL_NORMALS). Where the bounds of
                       memory leave no room for that, those of the file are kept */
} lm_normals;

typedef struct lm_load_options {
    lm_memory memory;
    unsigned quirks; /* lm_quirk flags; 0: as the engines do */
    lm_topology topology;
    /* Drop or clamp what is damaged instead of refusing the file; docs/tolerance.md lists each
     * repair. Each is counted in the model's warnings. */
    bool repair;
    lm_normals normals;
    /* Leave packed vertices where they are instead of copying them: `data` must then stay, and stay
     * as it is, for as long as the model. */
    bool borrow;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_load_options;

/* Returns a model, every index of which is in range and every number finite, or NULL and the
 * reason. The model owns all it points to, and `data` may go as soon as the call
 * returns (but for `borrow`). Time is
 * linear in the input plus the model. Safe on any bytes. */
LM_API lm_model *lm_load_memory(const void *data, size_t size, const lm_load_options *options,
                                lm_error *error);

/* Releases a model; NULL is allowed. */
LM_API void lm_model_free(lm_model *model);

/* Hands the bytes that a model borrows from (lm_load_options.borrow) over to it: `size` bytes of
 * the allocator that it was loaded with, which lm_model_free releases too. */
LM_API void lm_model_adopt(lm_model *model, void *memory, size_t size);

/* The short name of the format that these bytes begin with ("md2"; lerpmesh/format.h has all), NULL
 * if none.
 * Looks at the identifier only. */
LM_API const char *lm_format_of(const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
