/* What every stage of opening is given, and where it leaves what it met.
 *
 * The stages, each with a header for its input and output, of which none includes a later one:
 *     settings.h  the options, with what they name, and the games
 *     parts.h     the models that make the scene, with their clips
 *     naming.h    the name of the texture of each surface
 *     found.h     the files of these names
 *     images.h    the pixels of these files
 *     materials.h the scene's materials and skins, and what is to be said of all that
 * places.h, player.h and disk.h are below all of them; materials.h has all of it together. */
#ifndef LM_ASSETS_CONTEXT_H
#define LM_ASSETS_CONTEXT_H

#include "core/guess.h"
#include "disk.h"

typedef struct lm_context {
    lm_disk *disk;
    lm_arena *arena;  /* of what is opened: all of it goes at once */
    const char *path; /* that is opened */
    lm_diagnostics findings;
    lm_error error; /* why there is no scene */
} lm_context;

/* Notes a finding about `path`, in a section (LM_FINDING_MODEL, ...). */
void lm_note(lm_context *c, const char *section, lm_severity severity, lm_code code,
             const char *path, const char *sentence, ...) LM_PRINTF(6, 7);
/* Notes why there is no scene; returns false. The sentence does not say the path again. */
bool lm_note_failure(lm_context *c, const char *path, const lm_error *error);
bool lm_note_refusal(lm_context *c, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);

/* "; did you mean "WORD"?", or "" if no word is near. */
const char *lm_suggestion(lm_arena *arena, const lm_guess *guess);

/* Appends to `out` a message that begins "cannot open PATH: ..." without the path. */
const char *lm_without_path(const lm_error *error, const char *path, char out[LM_MESSAGE_SIZE]);

#endif
