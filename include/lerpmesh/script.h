/* lerpmesh/script.h - shader scripts: scripts/NAME.shader of Quake III, RtCW and ET.
 *
 *     #include <lerpmesh/script.h>
 *     #include <stdio.h>
 *
 *     // Says which pictures the shaders of a script want.
 *     void tell(const void *text, size_t size) {
 *         lm_script *script = lm_script_read(text, size, NULL, NULL);
 *         for (uint32_t i = 0; script && i < script->num_labels; i++) {
 *             lm_script_shader *shader = lm_script_shader_read(script, i, NULL, NULL);
 *             for (uint32_t p = 0; shader && p < shader->num_pictures; p++)
 *                 printf("%s: %s\n", script->labels[i].name, shader->pictures[p]);
 *             lm_script_shader_free(shader);
 *         }
 *         lm_script_free(script);
 *     }
 *
 * A script is a row of NAME { ... }, each of which says how the surfaces of that name are drawn.
 * Reading a script finds the names, which is quick; reading a shader understands one of them. What
 * is not understood is left out and noted: the engines refuse a whole shader for one unknown word.
 *
 * Safe on any bytes, linear in their number. lm_assets_open does all of this by itself.
 */
#ifndef LERPMESH_SCRIPT_H
#define LERPMESH_SCRIPT_H

#include "lerpmesh/shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Scripts ------------------------------------------------------------------------------- */

#define LM_SCRIPT_NAME 1024 /* of a name or a word with its NUL; what is longer is cut */

typedef struct lm_script_label {
    const char *name;    /* as it is written; never empty. The engines compare without case */
    uint32_t line;       /* from 1 */
    uint32_t begin, end; /* its bytes in the text: from the name up to the closing brace */
} lm_script_label;

/* Everything is constant, owned by it but for the text, and goes with lm_script_free. */
typedef struct lm_script {
    const char *text; /* the caller's, which must last */
    uint32_t num_labels;
    const lm_script_label *labels; /* in the order of the file; of equal names the first counts */
    const char *damage; /* braces that do not match, after which nothing was read; NULL: none.
                           ioquake3 leaves such a file out as a whole */
    uint32_t damage_line;
} lm_script;

/* Finds the labels. Fails for want of memory (`memory` may be NULL) and for texts of 4 GiB. */
LM_ASSETS_API lm_script *lm_script_read(const void *text, size_t size, const lm_memory *memory,
                                        lm_error *error);
LM_ASSETS_API void lm_script_free(lm_script *script); /* NULL is allowed */

/* ---- Shaders ------------------------------------------------------------------------------- */

/* Something in a shader that was not understood, or cannot be had here. */
typedef struct lm_script_note {
    uint32_t line;
    bool refused; /* the engines refuse the shader for it */
    const char *sentence;
} lm_script_note;

#define LM_MAX_SCRIPT_NOTES 16 /* of a shader; those beyond are not kept */

/* Everything is constant, owned by it, and goes with lm_script_shader_free. */
typedef struct lm_script_shader {
    lm_shader shader; /* its stages count pictures among those here; name and line are set. Without
                         stages (see there) nothing is drawn, or what the engines draw without a
                         picture */
    uint32_t num_pictures;
    const char *const *pictures; /* as they are written; "": called as the surface is */
    uint32_t num_notes;
    const lm_script_note *notes; /* in the order of their lines */
} lm_script_shader;

/* Reads the label of that number. Fails only for want of memory (`allocator` may be NULL). */
LM_ASSETS_API lm_script_shader *lm_script_shader_read(const lm_script *script, uint32_t label,
                                                      const lm_allocator *allocator,
                                                      lm_error *error);
LM_ASSETS_API void lm_script_shader_free(lm_script_shader *shader); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
