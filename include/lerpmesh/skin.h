/* lerpmesh/skin.h - .skin files: which texture each surface of an MD3 or MDC wears.
 *
 *     #include <lerpmesh/skin.h>
 *     #include <stdio.h>
 *
 *     // Says what each surface of a model wears by a .skin file.
 *     void tell(const lm_model *model, const void *text, size_t size) {
 *         lm_skin_file *skin = lm_skin_read(text, size, NULL, NULL);
 *         for (uint32_t s = 0; skin && s < model->num_surfaces; s++) {
 *             const char *path = lm_skin_path(skin, model->surfaces[s].name);
 *             printf("%s: %s\n", model->surfaces[s].name, path ? path : "nothing");
 *         }
 *         lm_skin_free(skin);
 *     }
 *
 * A line is `surface,path`; it wins over the shader that the surface itself names. Lines of tags
 * (`tag_head,`) have no path.
 */
#ifndef LERPMESH_SKIN_H
#define LERPMESH_SKIN_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_skin_entry {
    const char *surface; /* in lower case; never empty */
    const char *path;    /* as in the file; never empty */
    uint32_t line;       /* from 1 */
} lm_skin_entry;

/* Everything is constant, owned by it, and goes with lm_skin_free. */
typedef struct lm_skin_file {
    uint32_t num_entries;
    const lm_skin_entry *entries;           /* in the order of the file */
    const lm_skin_entry *const *by_surface; /* by their names; of equal ones the first first */
    uint32_t num_tags;
    const char *const *tags; /* names of the lines whose name begins with tag_, in lower case */
    uint32_t num_warnings;
    const lm_diagnostic *warnings;
} lm_skin_file;

/* Reads a .skin file: `//` and slash-star comments, quotes around either part, blank lines, spaces
 * around the parts and any kind of line end are understood. A line that is none of these is left
 * out and counted (LM_CODE_SKIN_LINE). Fails only for want of memory (`memory` may be NULL). The
 * text may go when the call returns. Safe on any bytes, linear in their number. */
LM_ASSETS_API lm_skin_file *lm_skin_read(const void *text, size_t size, const lm_memory *memory,
                                         lm_error *error);
LM_ASSETS_API void lm_skin_free(lm_skin_file *skin); /* NULL is allowed */

/* Appends a .skin file: the surfaces with their paths, then the tags. Names with spaces or commas
 * are quoted. The text is read back: if a surface had another path, fails with LM_CODE_NOT_HELD. */
LM_ASSETS_API bool lm_skin_write(const lm_skin_entry *entries, uint32_t num_entries,
                                 const char *const *tags, uint32_t num_tags, lm_buffer *out,
                                 lm_error *error);

/* The path for a surface as the engine finds it: the surface's name in lower case, if it is longer
 * than that without a trailing '_' and the byte behind it, the first entry of that name. NULL if
 * there is none. */
LM_ASSETS_API const char *lm_skin_path(const lm_skin_file *skin, const char *surface);

#ifdef __cplusplus
}
#endif
#endif
