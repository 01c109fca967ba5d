/* lerpmesh/load.h - loads and validates a model: the one call that most programs need.
 *
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Prints the format and the number of frames, or the reason why the file does not load.
 *     bool print_summary(const void *bytes, size_t size) {
 *         lm_error error;
 *         lm_model *model = lm_load_memory(bytes, size, NULL, &error);
 *         if (!model)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         printf("%s, %u frames\n", model->format, (unsigned)model->num_frames);
 *         lm_model_free(model);
 *         return true;
 *     }
 *
 * The format is detected by the first bytes, never by the file name. To load a file from disk, use
 * lm_load_file of lerpmesh/files.h.
 */
#ifndef LERPMESH_LOAD_H
#define LERPMESH_LOAD_H

#include "lerpmesh/base.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats ------------------------------------------------------------------------------- */

/* The formats and their features.
 *
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Prints the formats.
 *     void list_formats(void) {
 *         for (uint32_t i = 0; lm_format_at(i); i++)
 *             printf("%s: models of %s\n", lm_format_at(i)->name, lm_format_at(i)->game);
 *     }
 *
 * Programs that list formats (to search a folder, to fill a file dialog, to register MIME types)
 * use these functions, so that a new format appears in all of their lists. All of the data are
 * constant. Any number of threads may read them.
 */

/* The features of a format, as flags. lm_model.features has the flags of a loaded model. */
typedef enum lm_feature {
    LM_FEATURE_SURFACES = 1 << 0,       /* several surfaces with their own names and materials */
    LM_FEATURE_TAGS = 1 << 1,           /* tags, to which other models are attached */
    LM_FEATURE_SKINS = 1 << 2,          /* skins for the whole model, as paths */
    LM_FEATURE_GL_COMMANDS = 1 << 3,    /* strips and fans, besides the triangles */
    LM_FEATURE_BASE_FRAMES = 1 << 4,    /* base frames, and compressed frames that build on them */
    LM_FEATURE_EMBEDDED_SKINS = 1 << 5, /* skins as pixels in the file itself */
    LM_FEATURE_BONES = 1 << 6           /* bones that move the vertices */
} lm_feature;

/* A format: its names, its identifier and its features. */
typedef struct lm_format_info {
    const char *name;      /* short, in lower case, as lm_format_of returns it: "md2" */
    const char *game;      /* the game that it was made for: "Quake II" */
    const char *ident;     /* the first 4 bytes of a file */
    int32_t version;       /* the number after them, 32 bits, little-endian */
    const char *mime;      /* "model/x-md2" */
    const char *extension; /* of file names, in lower case, without the dot: "md2" */
    unsigned features;     /* lm_feature flags */
    /* The same of another variant, which is read as well and not encoded: MDL's RAPO. NULL and 0:
     * there is none. */
    const char *variant_ident, *variant_game;
    int32_t variant_version; /* of the variant, as `version` */
} lm_format_info;

/* Lists the engines that have their own limits: enum and name. */
#define LM_ENGINE_LIST(X) \
    X(ANY, "any")         \
    X(QUAKE, "quake")     \
    X(GLQUAKE, "glquake") \
    X(QUAKE2, "quake2")   \
    X(Q2PRO, "q2pro")     \
    X(RTCW, "rtcw")       \
    X(RTCW_SP, "rtcw-sp") \
    X(ET, "et")           \
    X(QUAKE3, "quake3")   \
    X(UFOAI, "ufoai")

/* The engines of LM_ENGINE_LIST: LM_ENGINE_QUAKE2 and so on. LM_ENGINE_ANY names none. */
typedef enum lm_engine {
#define LM_ENGINE_ENUM(name, text) LM_ENGINE_##name, /* LM_ENGINE_ and the name */
    LM_ENGINE_LIST(LM_ENGINE_ENUM)
#undef LM_ENGINE_ENUM
    LM_NUM_ENGINES /* not an engine: their number */
} lm_engine;

/* Returns the name of an engine ("q2pro"); "unknown" for a number that is not an engine. */
LM_API const char *lm_engine_name(lm_engine engine);
/* Returns the engine with this name; LM_NUM_ENGINES if there is none, and for NULL. */
LM_API lm_engine lm_engine_by_name(const char *name);

/* A limit: the largest number of some element that an engine loads, per file or per surface. */
typedef struct lm_format_limit {
    const char *element; /* "triangles" */
    lm_engine engine;    /* never LM_ENGINE_ANY */
    int32_t max;         /* the largest number that it loads */
    bool of_surface;     /* the limit is per surface; otherwise per file */
} lm_format_limit;

/* Returns format `index`, counted from 0; NULL after the last. */
LM_API const lm_format_info *lm_format_at(uint32_t index);
/* Returns the format with this name; NULL if there is none, and for NULL. */
LM_API const lm_format_info *lm_format_by_name(const char *name);
/* Returns the format that the extension of a file name or path belongs to, case-insensitive; NULL
 * if there is none, and for NULL. The file's contents may be in another format: use lm_format_of
 * for them. */
LM_API const lm_format_info *lm_format_by_extension(const char *path);
/* Gets limit `index` that engines set for a format, counted from 0. Returns false after the last,
 * and if `info` is NULL. */
LM_API bool lm_format_limits(const lm_format_info *info, uint32_t index, lm_format_limit *limit);

/* ---- Loading ------------------------------------------------------------------------------- */

/* Behaviours of other programs, each with its source. */
typedef enum lm_quirk {
    /* Reads MDC exactly as in W. Prinz, "The MDC File Format" (2004), which differs from the engine
     * in four points. Offsets of compressed frames are scaled by 4/64 instead of 0.05 (4.1). The
     * compressed normal is added to the base normal instead of replacing it (4.2.4). localOrigin is
     * added to every vertex (4.1). Positions of tags are unsigned (2.3). */
    LM_QUIRK_MDC_PRINZ = 1 << 0
} lm_quirk;

/* The list of an MD2 from which the surface is built. The two lists may have different texture
 * coordinates: id's tool shifted those of the GL commands by half a texel. In a few files, they
 * also draw different triangles. A file whose GL commands are damaged is rejected only if they are
 * asked for. Formats without GL commands have triangles only and ignore this option. */
typedef enum lm_topology {
    LM_TOPOLOGY_TRIANGLES,  /* the triangle list */
    LM_TOPOLOGY_GL_COMMANDS /* the strips and fans */
} lm_topology;

/* The normals that the vertices of a model get.
 *
 * Computed normals are averages over the triangles at a vertex, weighted by their angles there, and
 * separate for each frame. Vertices of a surface that have the same position in a frame share their
 * normal, except on the two sides of a sheet. A vertex without triangles has the normal +z. A
 * surface with computed normals is packed as in MD3 (LM_VERTEX_S16, one row per frame), so that
 * code that samples and draws models needs no special case. Its positions stay bit-identical. With
 * bones (MDS), normals are computed in the first frame, and follow the bones in the others. */
typedef enum lm_normals {
    LM_NORMALS_STORED,   /* the file's, bit-identical */
    LM_NORMALS_COMPUTED, /* computed for all surfaces */
    /* Computed for the surfaces whose stored normals are unusable; a warning reports it. Stored
     * normals are unusable in two cases. More than three quarters of the triangles face away from
     * them although the winding is right (LM_CODE_NORMALS_INWARD). Or all vertices of a surface
     * that is not flat have the same normal (LM_CODE_IDENTICAL_NORMALS). If the memory limits leave
     * no room for computed normals, the stored ones are kept. lm_assets_open also uses the
     * smoothing of an .mdx file. */
    LM_NORMALS_AUTO
} lm_normals;

/* The use of the bytes that a model is loaded from. */
typedef enum lm_bytes_use {
    LM_BYTES_COPIED, /* the model has copies, so `data` may be freed after the call */
    /* The model uses the packed vertices in `data`, which must stay valid and unchanged as long as
     * the model exists. */
    LM_BYTES_BORROWED,
    /* The same, and the model takes `data` over: lm_model_free releases its `size` bytes with the
     * allocator of the options, from which they must come. If loading fails, they stay yours. */
    LM_BYTES_ADOPTED
} lm_bytes_use;

/* Options for loading. Zeros are the defaults: `= {0}`, in C++ `= {}`. */
typedef struct lm_load_options {
    lm_memory memory;     /* max_bytes 0: the limit of lm_memory */
    unsigned quirks;      /* lm_quirk flags; 0: behave like the engines */
    lm_topology topology; /* for MD2 */
    /* The tolerance of damage; docs/reference/tolerance.md lists all cases. By default, damage that
     * no engine notices is replaced, and other damage rejects the file. With `repair`, the elements
     * with such other damage are dropped or clamped. The warnings of the model count both. With
     * `strict`, any damage rejects the file, and `repair` has no effect. */
    bool repair, strict;
    lm_normals normals;   /* of all surfaces */
    lm_bytes_use bytes;   /* the model's use of `data` */
    uint64_t reserved[4]; /* zeros; space for later options */
} lm_load_options;

/* Loads a model. On failure, returns NULL and fills `error`. In the model, every index is in range
 * and every number is finite. The model owns everything that it points to, unless it borrows
 * `data` (lm_load_options.bytes). Takes time linear in the sizes of the input
 * and the model. Safe for any bytes. */
LM_API lm_model *lm_load_memory(const void *data, size_t size, const lm_load_options *options,
                                lm_error *error);

/* Releases a model. */
LM_API void lm_model_free(lm_model *model);

/* The lists of a model. */
typedef enum lm_model_list {
    LM_MODEL_FRAMES,   /* frames */
    LM_MODEL_SURFACES, /* surfaces */
    LM_MODEL_TAGS,     /* tags */
    LM_MODEL_CLIPS,    /* clips */
    LM_MODEL_SKINS     /* skins */
} lm_model_list;

/* Returns the number of elements of a list of a model, for languages that do not mirror lm_model.
 * Returns 0 for a number that is no list. */
LM_API uint32_t lm_model_count(const lm_model *model, lm_model_list list);

/* Returns the short name of the format ("md2") that these bytes begin with; NULL if there is none.
 * Reads the identifier only. */
LM_API const char *lm_format_of(const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
