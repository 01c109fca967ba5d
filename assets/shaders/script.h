/* Shader scripts: scripts/NAME.shader of Quake III, RtCW and ET. A script is a list of shaders,
 * NAME { ... }. Reading a script only finds the names, which is fast. Reading a shader then parses
 * one of them. Unknown words are skipped and noted, although a single one makes the engines reject
 * the whole shader. Safe on any bytes. Takes linear time. */
#ifndef LM_SHADERS_SCRIPT_H
#define LM_SHADERS_SCRIPT_H

#include "core/arena.h"
#include "lerpmesh/scene.h"

#define LM_SCRIPT_NAME 1024 /* bytes of a name or a word, with its NUL; longer ones are cut */

/* A label: the name and the location of a shader in a script. */
typedef struct lm_script_label {
    const char *name;    /* as in the file, never empty; engines ignore its case */
    uint32_t line;       /* from 1 */
    uint32_t begin, end; /* its bytes in the text, from the name to the closing brace */
} lm_script_label;

/* A script. All members except the text are constant, and freed by lmi_script_free. */
typedef struct lm_script {
    const char *text; /* the caller's, which must live as long */
    uint32_t num_labels;
    const lm_script_label *labels; /* in the order of the file; of equal names the first applies */
    const char *damage;   /* unbalanced braces, where reading stopped; NULL: none. ioquake3 ignores
                             the whole file */
    uint32_t damage_line; /* line of the damage, from 1; 0: none */
} lm_script;

/* Finds the shaders of a script. Fails if memory runs out, or for texts of 4 GiB. */
lm_script *lmi_script_read(const void *text, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a script, but not its text. */
void lmi_script_free(lm_script *script);

/* A part of a shader that is unknown, or not supported here. */
typedef struct lm_script_note {
    uint32_t line;    /* from 1 */
    bool rejected;    /* the engines reject the shader for it */
    const char *text; /* one phrase for a message */
} lm_script_note;

#define LM_MAX_SCRIPT_NOTES 16 /* per shader; further notes are dropped */

/* A shader of a script, in the memory of an arena. */
typedef struct lm_script_shader {
    /* With name and line. Its stages index `images`. Without stages, it draws nothing, or what the
     * engines draw without an image: see lm_shader. */
    lm_shader shader;
    uint32_t num_images;
    const char *const *images; /* as in the script; "": the name of the surface's shader */
    uint32_t num_notes;
    const lm_script_note *notes; /* in the order of lines */
} lm_script_shader;

/* Reads one shader of a script, by the index of its label, into an arena's memory. Fails if there
 * is none. */
bool lmi_shader_fill(const lm_script *script, uint32_t label, lm_arena *arena,
                     lm_script_shader *out);

#endif
