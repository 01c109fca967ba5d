/* The shader scripts of a folder or an archive, and the choice between several definitions of a
 * name. */
#include "scripts.h"

#include "core/text.h"
#include "files/file.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "scripts"
#define MAX_FILES 4096 /* per source; OpenArena's largest archive has 57 */
#define MAX_FILE ((size_t)4 << 20)
#define MAX_TEXT ((size_t)16 << 20) /* of all files of a source, in bytes */

/* ---- Files ---------------------------------------------------------------------------------- */

typedef struct collecting {
    lm_scripts *scripts;
    const lm_source *source;
    size_t size; /* bytes read so far */
} collecting;

static void read_file(collecting *c, const char *actual) {
    lm_scripts *s = c->scripts;
    const lm_files *files = c->source->files;
    const lm_archive *archive = c->source->archive;
    const lm_memory memory = {.allocator = s->arena->heap->allocator};
    lm_error error;
    if (!lm_arena_grow(s->arena, &s->files, &s->capacity, s->num_files + (size_t)1,
                       sizeof *s->files))
        return;
    lm_scripts_file *file = &s->files[s->num_files];
    *file = (lm_scripts_file){.path = lm_source_path(c->source, actual, s->arena),
                              .name = lm_copy_text(s->arena, actual),
                              .text.allocator = memory.allocator};
    if (lm_arena_failed(s->arena))
        return;
    const lm_member *member = archive ? lm_archive_find(archive, actual) : NULL;
    file->order = member ? member->order : 0;
    if (files->read(files->user, actual, MAX_FILE, &file->text, &error))
        file->script = lm_script_read(file->text.data, file->text.size, &memory, &error);
    c->size += file->text.size;
    if (file->script) {
        s->num_files++;
        s->num_damaged += file->script->damage != NULL;
        return;
    }
    if (!lm_ran_out(s->arena, &error) && !s->problem_path) {
        s->problem = error;
        s->problem_path = file->path;
    }
    lm_buffer_free(&file->text);
}

static bool each_file(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    char actual[LM_PATH_SIZE];
    const bool wanted = !is_folder && lm_ends_in(name, ".shader");
    const lm_find found =
        wanted ? lm_find_in(c->source->files, FOLDER, name, actual) : LM_FIND_NOTHING;
    if (!lm_arena_out_of_memory(c->scripts->arena, found == LM_FIND_OUT_OF_MEMORY) &&
        found == LM_FIND_FILE)
        read_file(c, actual);
    return c->scripts->num_files < MAX_FILES && c->size < MAX_TEXT &&
           !lm_arena_failed(c->scripts->arena);
}

static int compare_files(const void *a, const void *b) {
    const lm_scripts_file *first = a, *second = b;
    if (first->order != second->order)
        return first->order < second->order ? -1 : 1;
    return strcmp(first->name, second->name);
}

/* Adds a definition to those of its name. Of equal names in a file, the first counts. */
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

static bool index_labels(lm_scripts *s) {
    size_t capacity = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_files; i++)
        capacity += s->files[i].script->num_labels;
    lm_scripts_label *labels = lm_arena_alloc(s->arena, capacity, sizeof *labels);
    s->labels = labels;
    s->by_name.names = lm_arena_alloc(s->arena, capacity, sizeof *s->by_name.names);
    s->by_path.names = lm_arena_alloc(s->arena, s->num_files, sizeof *s->by_path.names);
    s->by_name.any_case = s->by_path.any_case = true;
    if (!labels || !s->by_name.names || !s->by_path.names)
        return false;
    for (uint32_t i = s->num_files; i > 0; i--) {
        lm_names_put(&s->by_path, s->files[i - 1].name);
        for (uint32_t k = 0; k < s->files[i - 1].script->num_labels; k++)
            add_label(s, labels, i - 1, k, &count);
    }
    return true;
}

/* ---- Sources -------------------------------------------------------------------------------- */

static void close_scripts(void *object) {
    const lm_scripts *scripts = object;
    for (uint32_t i = 0; i < scripts->num_files; i++) {
        lm_script_free(scripts->files[i].script);
        lm_buffer_free(&scripts->files[i].text);
    }
}

static bool open_scripts(const lm_request *request, void *object, lm_error *error) {
    const lm_source *source = request->context;
    const lm_files *files = source->files;
    lm_scripts *scripts = object;
    collecting c = {.scripts = scripts, .source = source};
    lm_error problem;
    (void)error;
    scripts->arena = lm_arena_of(scripts);
    if (files->list && !files->list(files->user, FOLDER, each_file, &c, &problem))
        lm_arena_out_of_memory(scripts->arena, problem.code == LM_CODE_OUT_OF_MEMORY);
    if (scripts->num_files > 0)
        qsort(scripts->files, scripts->num_files, sizeof *scripts->files, compare_files);
    return index_labels(scripts);
}

const lm_scripts *lm_scripts_of(lm_vfs *vfs, const lm_source *source) {
    static const lm_opener opener = {LM_CACHED_SCRIPTS, sizeof(lm_scripts), open_scripts,
                                     close_scripts};
    lm_error error;
    return lm_vfs_open_once(&opener, &(lm_request){vfs, source->files->name, source}, &error);
}

/* Returns whether a source of higher priority has a script of the same path, which replaces this
 * one. */
static bool is_hidden(const lm_scripts *const *all, uint32_t number, const char *name) {
    for (uint32_t i = 0; i < number; i++)
        if (lm_names_find(&all[i]->by_path, name))
            return true;
    return false;
}

/* The engines join all scripts, with those of the first source last, and use a name's first
 * definition. Within one source, the last file's definition applies. */
const lm_scripts_file *lm_scripts_find(const lm_scripts *const *all, uint32_t count,
                                       const char *name, uint32_t *label) {
    for (uint32_t number = count; number > 0; number--) {
        const lm_scripts *s = all[number - 1];
        const lm_name *known = lm_names_find(&s->by_name, name);
        uint32_t at = known ? known->number - 1 : LM_NO_LABEL;
        for (; at != LM_NO_LABEL; at = s->labels[at].next) {
            const lm_scripts_file *file = &s->files[s->labels[at].file];
            *label = s->labels[at].label;
            if (!is_hidden(all, number - 1, file->name))
                return file;
        }
    }
    return NULL;
}
