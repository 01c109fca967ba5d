/* The shader scripts of a folder or an archive. */
#ifndef LM_ASSETS_SCRIPTS_H
#define LM_ASSETS_SCRIPTS_H

#include "core/names.h"
#include "lerpmesh/assets.h"
#include "sources.h"

typedef struct lm_scripts_file {
    const char *path; /* as for lm_vfs_read */
    const char *name; /* below the source's root */
    uint32_t order;
    lm_buffer text;
    lm_script *script;
} lm_scripts_file;

/* A definition that a file has of a name. */
typedef struct lm_scripts_label {
    uint32_t file, label;
    uint32_t next; /* the next definition that the name has in another file; LM_NO_LABEL: none */
    uint32_t last; /* of a name's first definition: its last one so far */
} lm_scripts_label;

#define LM_NO_LABEL UINT32_MAX

typedef struct lm_scripts {
    lm_arena *arena;
    lm_scripts_file *files; /* in the archive's order, or sorted by name for a folder */
    uint32_t num_files;
    size_t capacity;
    lm_scripts_label *labels; /* of a name, from the last file to the first */
    lm_names by_name;         /* to the first of the name's labels + 1 */
    lm_names by_path;         /* of the files */
    uint32_t num_damaged;     /* of them */
    lm_error problem;         /* of the first script that cannot be read */
    const char *problem_path; /* of that script; NULL: all can be read */
} lm_scripts;

/* Returns the scripts of a source, read on the first call. NULL if there is no memory. */
const lm_scripts *lm_scripts_of(lm_vfs *vfs, const lm_source *source);

/* Returns the file with the definition of a name that the engines use. The first source has
 * priority. `label` is the definition's number in the file. NULL: there is none. */
const lm_scripts_file *lm_scripts_find(const lm_scripts *const *all, uint32_t count,
                                       const char *name, uint32_t *label);

#endif
