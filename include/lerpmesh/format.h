/* lerpmesh/format.h - which formats there are, and what each can.
 *
 *     #include <lerpmesh/format.h>
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
#ifndef LERPMESH_FORMAT_H
#define LERPMESH_FORMAT_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
