/* Finds images, and the shaders that scripts define, by their names. */
#include "find_textures.h"

#include "core/text.h"
#include "files/file.h"

#include <stdlib.h>
#include <string.h>

/* The shader scripts of a folder or an archive, and the choice between several definitions of a
 * name. */

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
    if (!lmi_arena_grow(s->arena, &s->files, &s->capacity, s->num_files + (size_t)1,
                        sizeof *s->files))
        return;
    lm_scripts_file *file = &s->files[s->num_files];
    *file = (lm_scripts_file){.path = lmi_source_path(c->source, actual, s->arena),
                              .name = lmi_copy_text(s->arena, actual),
                              .text.allocator = memory.allocator};
    if (lmi_arena_failed(s->arena))
        return;
    const lm_member *member = archive ? lm_archive_find(archive, actual) : NULL;
    file->order = member ? member->order : 0;
    if (lmi_view_read(files, actual, MAX_FILE, &file->text, &error))
        file->script = lmi_script_read(file->text.data, file->text.size, &memory, &error);
    c->size += file->text.size;
    if (file->script) {
        s->num_files++;
        return;
    }
    if (!lmi_ran_out(s->arena, &error) && !s->problem_path) {
        s->problem = error;
        s->problem_path = file->path;
    }
    lm_buffer_free(&file->text);
}

static bool each_file(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    char actual[LM_PATH_SIZE];
    const bool wanted = lmi_ends_in(name, ".shader");
    const lm_find found = wanted && !is_folder ? lmi_find_in(c->source->files, FOLDER, name, actual)
                                               : LM_FIND_NOTHING;
    if (wanted && is_folder && !c->scripts->problem_path) {
        lm_fail_plain(&c->scripts->problem, LM_CODE_IO, "this is a folder, not a script");
        c->scripts->problem_path = lmi_source_path(
            c->source, lmi_path_join(FOLDER, name, actual) ? actual : name, c->scripts->arena);
    }
    if (!lmi_arena_out_of_memory(c->scripts->arena, found == LM_FIND_OUT_OF_MEMORY) &&
        found == LM_FIND_FILE)
        read_file(c, actual);
    return c->scripts->num_files < MAX_FILES && c->size < MAX_TEXT &&
           !lmi_arena_failed(c->scripts->arena);
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
    lm_name *name = lmi_names_put(&s->by_name, s->files[file].script->labels[label].name);
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
    lm_scripts_label *labels = lmi_arena_alloc(s->arena, capacity, sizeof *labels);
    s->labels = labels;
    s->by_name.names = lmi_arena_alloc(s->arena, capacity, sizeof *s->by_name.names);
    s->by_path.names = lmi_arena_alloc(s->arena, s->num_files, sizeof *s->by_path.names);
    s->by_name.any_case = s->by_path.any_case = true;
    if (!labels || !s->by_name.names || !s->by_path.names)
        return false;
    for (uint32_t i = s->num_files; i > 0; i--) {
        lmi_names_put(&s->by_path, s->files[i - 1].name);
        for (uint32_t k = 0; k < s->files[i - 1].script->num_labels; k++)
            add_label(s, labels, i - 1, k, &count);
    }
    return true;
}

/* ---- Sources -------------------------------------------------------------------------------- */

static void close_scripts(void *object) {
    const lm_scripts *scripts = object;
    for (uint32_t i = 0; i < scripts->num_files; i++) {
        lmi_script_free(scripts->files[i].script);
        lm_buffer_free(&scripts->files[i].text);
    }
}

static bool make_scripts(const lm_request *request, void *object, lm_error *error) {
    const lm_source *source = request->context;
    const lm_files *files = source->files;
    lm_scripts *scripts = object;
    collecting c = {.scripts = scripts, .source = source};
    lm_error problem;
    (void)error;
    scripts->arena = lmi_arena_of(scripts);
    if (files->list && !lmi_view_list(files, FOLDER, each_file, &c, &problem))
        lmi_arena_out_of_memory(scripts->arena, problem.code == LM_CODE_OUT_OF_MEMORY);
    if (scripts->num_files > 0)
        qsort(scripts->files, scripts->num_files, sizeof *scripts->files, compare_files);
    return index_labels(scripts);
}

/* Returns the scripts of a source, read on the first call. NULL if there is no memory. */
static const lm_scripts *scripts_of(lm_vfs *vfs, const lm_source *source) {
    static const lm_opener opener = {LM_CACHED_SCRIPTS, sizeof(lm_scripts), make_scripts,
                                     close_scripts};
    lm_error error;
    return lmi_vfs_open_once(&opener, &(lm_request){vfs, source->files->name, source}, &error);
}

/* Returns whether a source of higher priority has a script of the same path, which replaces this
 * one. */
static bool is_hidden(const lm_scripts *const *all, uint32_t number, const char *name) {
    for (uint32_t i = 0; i < number; i++)
        if (lmi_names_find(&all[i]->by_path, name))
            return true;
    return false;
}

/* Returns the file with the definition of a name that the engines use, whose number in the file is
 * `label`; NULL: there is none. The engines join all scripts, with those of the first source last,
 * and use a name's first definition. Within one source, the last file's definition applies. */
static const lm_scripts_file *find_script(const lm_scripts *const *all, uint32_t count,
                                          const char *name, uint32_t *label) {
    for (uint32_t number = count; number > 0; number--) {
        const lm_scripts *s = all[number - 1];
        const lm_name *known = lmi_names_find(&s->by_name, name);
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

const lm_image_ref *lmi_shown_image(const lm_found_texture *found) {
    return found->shown == LM_OWN_IMAGE ? &found->own : &found->images[found->shown];
}

/* ---- Images by name -------------------------------------------------------------------------- */

/* Sets what was found. */
static void set_file(lm_context *c, const lm_texture_names *names, const lm_texture *texture,
                     lm_image_ref *ref) {
    const lm_source *source = &names->search->sources[texture->source];
    ref->is_named = texture->is_named;
    ref->unsafe = texture->unsafe;
    ref->num_tried = texture->num_tried;
    if (!texture->found)
        return;
    ref->source = texture->source;
    ref->inside = lmi_copy_text(c->arena, texture->path);
    ref->path = ref->shown = lmi_source_path(source, texture->path, c->arena);
}

/* Searches for the next file of a name: among the candidates, then by its base name. `by_name`: the
 * file that was found last was found so. */
static void find_next(lm_context *c, const lm_texture_names *names, const lm_image_ref *ref,
                      bool *by_name, lm_texture *texture) {
    if (ref->is_guess) {
        *texture =
            (lm_texture){.found = !ref->problem, .is_named = true, .source = names->guess_source};
        memcpy(texture->path, ref->name, strlen(ref->name) + 1);
    } else if (*by_name) {
        texture->found = false;
    } else if (!lmi_texture_find_next(names->search, ref->name, texture) &&
               !lmi_texture_is_beside(ref->name)) {
        *by_name = true;
        lmi_texture_find_by_name(c, names->search, ref->name, texture);
    }
    lmi_arena_out_of_memory(c->arena, texture->out_of_memory);
}

static void report_unusable(lm_context *c, const lm_image_ref *ref) {
    if (ref->problem)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, ref->code, c->path,
                        "cannot use texture %s: %s", ref->shown, ref->problem);
}

/* Searches for the first file of a name that can be used. Reports the others, but leaves the last
 * problem of a script's image to the script's diagnostics. */
static void find_file(lm_context *c, const lm_texture_names *names, lm_image_ref *ref,
                      bool in_script, lm_images *images) {
    lm_texture texture = {.found = false};
    bool by_name = false;
    do {
        find_next(c, names, ref, &by_name, &texture);
        if (texture.found || !in_script)
            report_unusable(c, ref);
        ref->path = NULL;
        set_file(c, names, &texture, ref);
    } while (texture.found && !lmi_arena_failed(c->arena) && !lmi_image_use(c, names, ref, images));
}

/* Searches for the image of a name. */
static void find_image(lm_context *c, const lm_texture_names *names, lm_image_ref *ref,
                       bool in_script, lm_images *images) {
    ref->image = LM_NO_TEXTURE;
    if (!ref->model && !ref->given) {
        find_file(c, names, ref, in_script, images);
        return;
    }
    ref->path = ref->shown = ref->model ? names->path : ref->name;
    lmi_image_use(c, names, ref, images);
}

bool lmi_guess_is_usable(lm_context *c, const lm_texture_names *names, const char *path,
                         void *images) {
    lm_image_ref ref = {.name = path, .is_guess = true, .is_texture = true};
    find_image(c, names, &ref, false, images);
    return ref.path != NULL;
}

/* ---- Maps ---------------------------------------------------------------------------------- */

/* Adds a map, if its file exists. */
static void find_map(lm_context *c, const lm_texture_names *names, const lm_source *source,
                     const char *path, lm_map map, lm_found_texture *found, lm_images *images) {
    char actual[LM_PATH_SIZE];
    const lm_find result = lmi_map_find(source, path, map, actual);
    lmi_arena_out_of_memory(c->arena, result == LM_FIND_OUT_OF_MEMORY);
    if (result == LM_FIND_FILE && !found->maps)
        found->maps = lmi_arena_zeros(c->arena, LM_NUM_MAPS, sizeof *found->maps);
    if (result != LM_FIND_FILE || !found->maps)
        return;
    const char *file = lmi_source_path(source, actual, c->arena);
    found->maps[map] = (lm_image_ref){.name = file,
                                      .given = true,
                                      .map = map + 1u,
                                      .path = file,
                                      .shown = file,
                                      .image = LM_NO_TEXTURE};
    if (!lmi_image_use(c, names, &found->maps[map], images))
        found->maps[map].path = NULL;
}

/* Finds the maps of the image that was found. */
static void find_maps(lm_context *c, const lm_texture_names *names, lm_found_texture *found,
                      lm_images *images) {
    const char *inside;
    lm_source source;
    lm_error error;
    if (!lmi_source_of(c->vfs, found->own.path, c->arena, &source, &inside, &error)) {
        lmi_ran_out(c->arena, &error);
        return;
    }
    for (unsigned map = 0; map < LM_NUM_MAPS; map++)
        find_map(c, names, &source, inside, (lm_map)map, found, images);
}

/* ---- Shaders ------------------------------------------------------------------------------- */

/* Opens the scripts of all sources. The model's own archive is one of them, as the games' are; a
 * plain folder is not. */
static bool open_scripts(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                         lm_found_texture *found) {
    const lm_search_path *search = names->search;
    if (list->scripts)
        return true;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    list->scripts = lmi_arena_alloc(c->arena, search->count, sizeof *list->scripts);
    for (uint32_t i = 0; list->scripts && i < search->count; i++) {
        const lm_source *source = &search->sources[i];
        if (i == search->own && !source->archive)
            continue;
        const lm_scripts *scripts = scripts_of(c->vfs, source);
        if (!scripts)
            lmi_arena_out_of_memory(c->arena, true);
        else if (scripts->num_files > 0 || scripts->problem_path)
            list->scripts[list->num_scripts++] = scripts;
    }
    found->opened_scripts = true;
    return !lmi_arena_failed(c->arena);
}

static size_t stem_length(const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    return dot && dot > (slash ? slash : name) ? (size_t)(dot - name) : strlen(name);
}

/* Searches for a name without its extension, as the engines do; then with '/' for '\\', as
 * Wolfenstein does. */
static const lm_scripts_file *find_label(lm_context *c, const lm_texture_names *names,
                                         lm_found_textures *list, lm_found_texture *found,
                                         uint32_t *label) {
    const char *name = found->texture.name;
    char *stem = lmi_arena_text(c->arena, name, stem_length(name));
    if (!stem || !open_scripts(c, names, list, found))
        return NULL;
    const lm_scripts_file *file = find_script(list->scripts, list->num_scripts, stem, label);
    if (file || !strchr(stem, '\\'))
        return file;
    for (char *at = stem; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    return find_script(list->scripts, list->num_scripts, stem, label);
}

/* ---- Images of shaders ----------------------------------------------------------------------- */

/* Returns the index of the image that is the script's texture; the number of images if there is
 * none. */
static uint32_t base_of(const lm_found_texture *found) {
    const lm_shader *shader = &found->script.shader;
    return shader->base < shader->num_stages ? shader->stages[shader->base].images[0]
                                             : found->script.num_images;
}

/* Returns the image that represents the shader: the material's texture, else the first that
 * exists. */
static uint32_t shown_image(const lm_found_texture *found) {
    const uint32_t count = found->script.num_images, base = base_of(found);
    for (uint32_t i = 0; base == count && i < count; i++)
        if (found->images[i].path)
            return i;
    return base;
}

/* Decides how to show a name that a script defines. If the script has no stages or its image is
 * missing, falls back to the image of the name itself, which the games do not do. */
static void choose_image(lm_context *c, const lm_texture_names *names, lm_found_texture *found,
                         lm_images *images) {
    const uint32_t shown = shown_image(found);
    const lm_image_ref *image =
        found->images && shown < found->script.num_images ? &found->images[shown] : NULL;
    const bool plain = found->script.shader.num_stages == 0 && !found->script.shader.hidden;
    found->texture.match = LM_MATCH_SCRIPT;
    if (plain || (image && !image->path)) {
        find_image(c, names, &found->own, false, images);
        found->texture.match = found->own.path ? LM_MATCH_FALLBACK : LM_MATCH_NONE;
    }
    if (image && !found->own.path)
        found->shown = shown;
    found->is_reflected = image && shown != base_of(found);
}

/* Returns whether a script defines the texture's name. If so, fills its shader and searches for its
 * images; the stages use the script's image indices. */
static bool find_shader(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                        lm_found_texture *found, lm_images *images) {
    uint32_t label;
    const lm_scripts_file *file = find_label(c, names, list, found, &label);
    if (!file || !lmi_shader_fill(file->script, label, c->arena, &found->script))
        return false;
    const lm_script_shader *script = &found->script;
    found->file = file;
    found->images = lmi_arena_zeros(c->arena, script->num_images, sizeof *found->images);
    if (!found->images)
        return false;
    for (uint32_t i = 0; i < script->num_images; i++) {
        const char *name = script->images[i];
        found->images[i].name = *name ? name : found->texture.name;
        found->images[i].is_texture = i == base_of(found);
        find_image(c, names, &found->images[i], true, images);
    }
    lm_shader *shader = &found->script.shader;
    shader->path = lmi_copy_text(c->arena, file->path);
    /* For a shader without a stage, the games show a grey image if a model names it, and nothing if
     * a .skin file does. Skins hide parts of a player in this way. */
    shader->hidden = shader->num_stages == 0 && found->texture.source != LM_TEXTURE_OF_MODEL;
    choose_image(c, names, found, images);
    return !lmi_arena_failed(c->arena);
}

/* ---- Surfaces that are not drawn ------------------------------------------------------------- */

/* Returns whether a name means that nothing is drawn: "nodraw", even if the game's files are
 * missing here; and if its scripts are here, any name that cannot be an image's path. */
static bool names_nothing(const lm_found_textures *list, const char *name) {
    static const char nothing[] = "nodraw";
    size_t length = stem_length(name), size = sizeof nothing - 1;
    bool ends = length >= size && lmi_begins_same(name + length - size, nothing, size);
    if (ends && (length == size || strchr("/\\", name[length - size - 1])))
        return true;
    return list->num_scripts > 0 && !strpbrk(name, "/\\.");
}

/* Returns whether a .skin file hides a surface: its texture has neither script nor image. If so,
 * sets a hidden shader. */
static bool hide(lm_context *c, const lm_found_textures *list, lm_found_texture *found) {
    lm_asset_texture *t = &found->texture;
    if (t->source == LM_TEXTURE_OF_MODEL || !names_nothing(list, t->name))
        return false;
    lm_shader *shader = lmi_arena_alloc(c->arena, 1, sizeof *shader);
    if (!shader)
        return false;
    *shader = (lm_shader){.name = t->name, .hidden = true};
    t->shader = shader;
    return true;
}

/* ---- Textures ------------------------------------------------------------------------------ */

static void fill(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                 const lm_texture_name *name, lm_found_texture *found, lm_images *images) {
    lm_image_ref *own = &found->own;
    *found = (lm_found_texture){
        .texture = {.name = name->text, .source = name->source},
        .own = {.name = name->text,
                .model = name->source == LM_TEXTURE_EMBEDDED ? names->model : NULL,
                .skin = name->skin,
                .given = name->given,
                .is_guess = name->source == LM_TEXTURE_GUESSED,
                .is_texture = true,
                .image = LM_NO_TEXTURE},
        .shown = LM_OWN_IMAGE};
    if (name->shaded && find_shader(c, names, list, found, images))
        return;
    find_image(c, names, own, false, images);
    if (lmi_arena_failed(c->arena))
        return;
    if (own->path && !own->model)
        find_maps(c, names, found, images);
    if (own->path)
        found->texture.match =
            own->model || own->given || own->is_named ? LM_MATCH_NAME : LM_MATCH_FALLBACK;
    else if (name->shaded && hide(c, list, found))
        found->texture.match = LM_MATCH_NOT_DRAWN;
}

bool lmi_find_textures(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                       lm_images *images) {
    if (!lmi_arena_grow(c->arena, &list->textures, &list->capacity, names->count,
                        sizeof *list->textures))
        return false;
    for (; list->count < names->count && !lmi_arena_failed(c->arena); list->count++)
        fill(c, names, list, &names->list[list->count], &list->textures[list->count], images);
    return !lmi_arena_failed(c->arena);
}

bool lmi_any_texture_found(const lm_found_textures *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->textures[i].texture.match != LM_MATCH_NONE)
            return true;
    return false;
}
