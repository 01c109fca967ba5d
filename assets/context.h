/* The context of opening: every stage gets it, and adds its diagnostics to it.
 *
 * The stages, each with a header for its input and output. No header includes that of a later
 * stage:
 *     settings.h       the options, the files that they name, and the games
 *     parts.h          the models that make the scene, with their clips
 *     texture_names.h  the texture name of each surface
 *     find_textures.h  the files of these names
 *     images.h         the pixels of these files
 *     materials.h      the scene's materials and skins, and the diagnostics about them
 * sources.h and vfs.h are below all stages; materials.h combines them. */
#ifndef LM_ASSETS_CONTEXT_H
#define LM_ASSETS_CONTEXT_H

#include "core/text.h"
#include "vfs.h"

typedef struct lm_context {
    lm_vfs *vfs;
    lm_arena *arena;  /* owns the whole result, which is freed at once */
    const char *path; /* the path to open */
    lm_diagnostics diagnostics;
    lm_error error; /* the reason why there is no scene */
} lm_context;

/* Adds a diagnostic about `path`, in a section (LM_SUBJECT_MODEL, ...). */
void lm_context_add(lm_context *c, const char *section, lm_severity severity, lm_code code,
                    const char *path, const char *sentence, ...) LM_PRINTF(6, 7);
/* Make opening fail: add the error, and return false. The sentence does not repeat the path. */
bool lm_context_fail(lm_context *c, const char *path, const lm_error *error);
bool lm_context_reject(lm_context *c, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);

/* Returns "; did you mean "WORD"?", or "" if no word is similar. */
const char *lm_suggestion(lm_arena *arena, const lm_guess *guess);

/* Copies an error's message to `out` without the path: "cannot open PATH: ..." becomes "cannot
 * open: ...". */
const char *lm_without_path(const lm_error *error, const char *path, char out[LM_MESSAGE_SIZE]);

#endif
