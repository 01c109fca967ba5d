/* The shader scripts of a folder or an archive, and which definition of a name counts. */
#include "disk.h"

#include "core/text.h"
#include "lerpmesh/archive.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "scripts"
#define MAX_FILES 4096 /* of a place; OpenArena's largest archive has 57 */
#define MAX_FILE ((size_t)4 << 20)
#define MAX_TEXT ((size_t)16 << 20) /* of all files of a place */

/* ---- Files ---------------------------------------------------------------------------------- */

typedef struct collecting {
    lm_scripts *scripts;
    const lm_shelf *shelf;
    size_t size; /* of what was read */
} collecting;

static void note_problem(lm_scripts *scripts, const char *path, const lm_error *error) {
    if (scripts->problem)
        return;
    scripts->problem = lm_pool_text(&scripts->pool, error->message, strlen(error->message));
    scripts->problem_path = path;
    scripts->problem_code = error->code;
}

static void read_file(collecting *c, const char *actual) {
    lm_scripts *s = c->scripts;
    const lm_files *files = c->shelf->files;
    lm_error error;
    if (!lm_pool_grow(&s->pool, (void **)&s->files, &s->capacity, s->num_files, sizeof *s->files))
        return;
    lm_scripts_file *file = &s->files[s->num_files];
    *file = (lm_scripts_file){.path = lm_shelf_path(c->shelf, actual, &s->pool),
                              .name = lm_pool_text(&s->pool, actual, strlen(actual))};
    if (s->pool.failed)
        return;
    const lm_member *member = c->shelf->archive ? lm_archive_find(c->shelf->archive, actual) : NULL;
    file->order = member ? member->order : 0;
    if (files->read(files->user, actual, MAX_FILE, &file->text, &error))
        file->script = lm_script_read(file->text.data, file->text.size, NULL, &error);
    c->size += file->text.size;
    if (file->script) {
        s->num_files++;
        s->num_damaged += file->script->damage != NULL;
    } else {
        if (!lm_pool_starved(&s->pool, error.code))
            note_problem(s, file->path, &error);
        lm_buffer_free(&file->text);
    }
}

static bool each_file(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    char path[LM_PATH_SIZE], actual[LM_PATH_SIZE];
    int length = snprintf(path, sizeof path, FOLDER "/%s", name);
    bool wanted =
        !is_folder && length > 0 && (size_t)length < sizeof path && lm_ends_in(name, ".shader");
    const lm_files *files = c->shelf->files;
    const lm_find met = wanted ? files->find(files->user, path, actual) : LM_FIND_NOTHING;
    if (met == LM_FIND_STARVED)
        c->scripts->pool.failed = true;
    else if (met == LM_FIND_FILE)
        read_file(c, actual);
    return c->scripts->num_files < MAX_FILES && c->size < MAX_TEXT && !c->scripts->pool.failed;
}

static int compare_files(const void *a, const void *b) {
    const lm_scripts_file *first = a, *second = b;
    if (first->order != second->order)
        return first->order < second->order ? -1 : 1;
    return strcmp(first->name, second->name);
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* Of equal names in a file the first counts, of those in several the one of the last. */
static void add_label(lm_scripts *s, lm_scripts_label *labels, uint32_t file, uint32_t label,
                      uint32_t *count) {
    lm_name *name = lm_names_put(&s->by_name, s->files[file].script->labels[label].name);
    lm_scripts_label *first = name->number > 0 ? &labels[name->number - 1] : NULL;
    if (first && labels[first->last].file == file)
        return;
    labels[*count] = (lm_scripts_label){file, label, LM_NO_LABEL, *count};
    if (first) {
        labels[first->last].next = *count;
        first->last = *count;
    } else {
        name->number = *count + 1;
    }
    ++*count;
}

static void index_labels(lm_scripts *s) {
    size_t most = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_files; i++)
        most += s->files[i].script->num_labels;
    lm_scripts_label *labels = lm_pool_get(&s->pool, most, sizeof *labels);
    s->names = lm_pool_get(&s->pool, most, sizeof *s->names);
    s->paths = lm_pool_get(&s->pool, s->num_files, sizeof *s->paths);
    s->by_name = (lm_names){.names = s->names, .any_case = true};
    s->by_path = (lm_names){.names = s->paths, .any_case = true};
    s->labels = labels;
    if (!labels || !s->names || !s->paths)
        return;
    for (uint32_t i = s->num_files; i > 0; i--) {
        lm_names_put(&s->by_path, s->files[i - 1].name);
        for (uint32_t k = 0; k < s->files[i - 1].script->num_labels; k++)
            add_label(s, labels, i - 1, k, &count);
    }
}

/* ---- Places --------------------------------------------------------------------------------- */

lm_scripts *lm_scripts_read(const lm_shelf *shelf) {
    lm_scripts *made = calloc(1, sizeof *made);
    const lm_files *files = shelf->files;
    collecting c = {.scripts = made, .shelf = shelf};
    if (!made)
        return NULL;
    lm_pool_init(&made->pool, NULL);
    lm_error error;
    if (files->list && !files->list(files->user, FOLDER, each_file, &c, &error))
        lm_pool_starved(&made->pool, error.code);
    if (made->num_files > 0)
        qsort(made->files, made->num_files, sizeof *made->files, compare_files);
    index_labels(made);
    if (!made->pool.failed)
        return made;
    lm_scripts_free(made);
    return NULL;
}

void lm_scripts_free(lm_scripts *scripts) {
    if (!scripts)
        return;
    for (uint32_t i = 0; i < scripts->num_files; i++) {
        lm_script_free(scripts->files[i].script);
        lm_buffer_free(&scripts->files[i].text);
    }
    lm_pool_free(&scripts->pool);
    free(scripts);
}

/* Whether a better place has a script of the same path, which is read instead. */
static bool is_hidden(const lm_scripts *const *places, uint32_t place, const char *name) {
    for (uint32_t i = 0; i < place; i++)
        if (lm_names_find(&places[i]->by_path, name))
            return true;
    return false;
}

/* The engines join all scripts, those of the best place last, and take a name's first definition.
 */
const lm_scripts_file *lm_scripts_find(const lm_scripts *const *places, uint32_t count,
                                       const char *name, uint32_t *label) {
    for (uint32_t place = count; place > 0; place--) {
        const lm_scripts *s = places[place - 1];
        const lm_name *found = lm_names_find(&s->by_name, name);
        uint32_t at = found ? found->number - 1 : LM_NO_LABEL;
        for (; at != LM_NO_LABEL; at = s->labels[at].next) {
            const lm_scripts_file *file = &s->files[s->labels[at].file];
            *label = s->labels[at].label;
            if (!is_hidden(places, place - 1, file->name))
                return file;
        }
    }
    return NULL;
}
