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
 * lm_load_file in lerpmesh/files.h, a layer above.
 */
#ifndef LERPMESH_LOAD_H
#define LERPMESH_LOAD_H

#include "lerpmesh/base.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats ------------------------------------------------------------------------------- */

/* Which formats there are, and what each can.
 *
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Lists the formats.
 *     void list_formats(void) {
 *         for (uint32_t i = 0; i < lm_format_count(); i++)
 *             printf("%s: models of %s\n", lm_format_at(i)->name, lm_format_at(i)->game);
 *     }
 *
 * Programs that list formats (what to look for in a folder, what a dialog offers, what a desktop
 * is told) ask here, so that a new format is in all of those lists at once. All of it is constant,
 * and may be read by any number of threads.
 */

/* What a format has room for. lm_model.abilities says the same of a model that was loaded. */
typedef enum lm_ability {
    LM_ABILITY_SURFACES = 1 << 0,      /* several surfaces, with names and materials of their own */
    LM_ABILITY_TAGS = 1 << 1,          /* places that other models are attached to */
    LM_ABILITY_SKINS = 1 << 2,         /* skins for the whole model, by their paths */
    LM_ABILITY_GL_COMMANDS = 1 << 3,   /* strips and fans beside the triangles */
    LM_ABILITY_BASE_FRAMES = 1 << 4,   /* base frames and compressed frames that build on them */
    LM_ABILITY_EMBEDDED_SKINS = 1 << 5 /* skins as pixels in the file itself */
} lm_ability;

typedef struct lm_format_info {
    const char *name;      /* short, in lower case: "md2", as lm_format_of says */
    const char *game;      /* that it was made for: "Quake II" */
    const char *ident;     /* the first 4 bytes of a file */
    int32_t version;       /* the number behind them, 32 bits, little-endian */
    const char *mime;      /* "model/x-md2" */
    const char *extension; /* of file names, in lower case and without the dot: "md2" */
    unsigned abilities;    /* lm_ability flags */
} lm_format_info;

/* Engines with limits of their own: enum and name. */
#define LM_ENGINE_LIST(X) \
    X(ANY, "any")         \
    X(QUAKE, "quake")     \
    X(GLQUAKE, "glquake") \
    X(QUAKE2, "quake2")   \
    X(Q2PRO, "q2pro")     \
    X(RTCW, "rtcw")       \
    X(ET, "et")           \
    X(QUAKE3, "quake3")

typedef enum lm_engine {
#define LM_ENGINE_ENUM(name, text) LM_ENGINE_##name,
    LM_ENGINE_LIST(LM_ENGINE_ENUM)
#undef LM_ENGINE_ENUM
    LM_NUM_ENGINES
} lm_engine;

LM_API const char *lm_engine_name(lm_engine engine);
/* The engine of that name; LM_NUM_ENGINES if there is none. */
LM_API lm_engine lm_engine_by_name(const char *name);

/* What an engine loads at most of something that a file, or each of its surfaces, has. */
typedef struct lm_format_limit {
    const char *what; /* "triangles" */
    lm_engine engine;
    int32_t most;
    bool of_surface; /* of each surface; else of the file */
} lm_format_limit;

LM_API uint32_t lm_format_count(void);
/* Format `index`, counted from 0; NULL behind the last. */
LM_API const lm_format_info *lm_format_at(uint32_t index);
/* The format of that name, NULL if there is none. */
LM_API const lm_format_info *lm_format_by_name(const char *name);
/* The format that a file's name or path says it has, in upper or lower case; NULL if none. What is
 * in the file may be another: lm_format_of in lerpmesh/load.h looks. */
LM_API const lm_format_info *lm_format_by_extension(const char *path);
/* Limit `index` of those that engines have for the format, counted from 0; false beyond the last.
 */
LM_API bool lm_format_limits(const lm_format_info *info, uint32_t index, lm_format_limit *limit);

/* ---- Loading ------------------------------------------------------------------------------- */

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

/* Releases a model; */
LM_API void lm_model_free(lm_model *model);

/* Hands the bytes that a model borrows from (lm_load_options.borrow) over to it: `size` bytes of
 * the allocator that it was loaded with, which lm_model_free releases too. */
LM_API void lm_model_adopt(lm_model *model, void *memory, size_t size);

/* The short name of the format that these bytes begin with ("md2"; lerpmesh/load.h has all), NULL
 * if none.
 * Looks at the identifier only. */
LM_API const char *lm_format_of(const void *data, size_t size);

/* ---- MD3 and MDC --------------------------------------------------------------------------- */

/* What MDC and MD3 documents have in common.
 *
 * Source: W. Prinz, "The MDC File Format" (2004), sections 2.2 and 3.5: MDC took both from MD3.
 */

/* Bytes of each element on disk, by offset; numbers are little-endian.
 *     frame     0 float min[3]; 12 float max[3]: bounds; 24 float origin[3]; 36 float radius;
 *               40 char name[16]
 *     triangle  0 uint32 vertex[3], clockwise from outside
 *     shader    0 char name[64]; 64 int32: MD3's index, MDC's flags
 *     st        0 float s, t: 0 to 1 across the texture, from its top left
 *     vertex    0 int16 position[3]: 1/64 unit per step; 6 uint8 rho, sigma: the normal's angles
 *               (lm_normal_from_angles) */
#define LM_MESH_NAME_SIZE 64 /* of the model, a surface, a shader, a tag */
#define LM_MESH_FRAME_SIZE 56
#define LM_MESH_FRAME_NAME_SIZE 16
#define LM_MESH_TRIANGLE_SIZE 12
#define LM_MESH_SHADER_SIZE 68
#define LM_MESH_ST_SIZE 8
#define LM_MESH_VERTEX_SIZE 8

#ifdef __cplusplus
}
#endif
#endif
