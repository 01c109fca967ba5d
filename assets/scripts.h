/* The shader scripts of a folder or an archive. */
#ifndef LM_ASSETS_SCRIPTS_H
#define LM_ASSETS_SCRIPTS_H

#include "core/names.h"
#include "lerpmesh/assets.h"
#include "sources.h"

typedef struct lm_scripts_file {
    const char *path; /* as lm_disk_read takes it */
    const char *name; /* below the source's root */
    uint32_t order;
    lm_buffer text;
    lm_script *script;
    lm_names labels; /* their numbers + 1; of equal ones the first only */
} lm_scripts_file;

typedef struct lm_scripts {
    lm_arena *arena;
    lm_scripts_file *files; /* as the archive lists them, a folder's by their names */
    uint32_t num_files;
    size_t capacity;
    uint32_t num_damaged;     /* of them */
    lm_error problem;         /* of the first script that cannot be read */
    const char *problem_path; /* of that; NULL: all can */
} lm_scripts;

/* Those of a source, read when they are first asked for. NULL if there is no memory. */
const lm_scripts *lm_scripts_of(lm_disk *disk, const lm_source *source);

/* The definition of a name that counts where there are several places, the best of them first: NULL
 * if there is none. `label` is its number there. */
const lm_scripts_file *lm_scripts_find(const lm_scripts *const *places, uint32_t count,
                                       const char *name, uint32_t *label);

#endif
