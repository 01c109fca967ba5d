/* From names to files: images, and the shaders that scripts define. */
#include "found.h"

#include "shaders/shader.h"
#include "texture.h"

#include <string.h>

const lm_sought *lm_found_shown(const lm_found *found) {
    return found->shown == LM_OWN_IMAGE ? &found->own : &found->images[found->shown];
}

/* ---- Images of names ------------------------------------------------------------------------- */

static void seek_file(lm_context *c, const lm_naming *naming, lm_sought *sought) {
    lm_texture texture = {.found = sought->is_guess, .root = naming->places->own};
    if (sought->is_guess)
        memcpy(texture.path, sought->name, strlen(sought->name) + 1);
    else
        lm_texture_find(naming->places, sought->name, &texture);
    lm_arena_out_of_memory(c->arena, texture.out_of_memory);
    sought->unsafe = texture.unsafe;
    sought->num_tried = texture.num_tried;
    if (!texture.found)
        return;
    const lm_source *source = &naming->places->sources[texture.root];
    sought->root = texture.root;
    sought->inside = lm_copy_text(c->arena, texture.path);
    sought->path = lm_source_path(source, texture.path, c->arena);
    sought->shown = lm_join(c->arena, source->files->name, texture.path);
}

/* Searches for the image of a name. */
static void seek_image(lm_context *c, const lm_naming *naming, lm_sought *sought) {
    sought->image = LM_NO_TEXTURE;
    if (sought->model)
        sought->path = sought->shown = naming->path;
    else if (sought->given)
        sought->path = sought->shown = sought->name;
    else
        seek_file(c, naming, sought);
}

/* ---- Shaders ------------------------------------------------------------------------------- */

/* Opens the scripts of all places. The model's own archive is one of them, as the games' are; a
 * plain folder is not. */
static bool open_places(lm_context *c, const lm_naming *naming, lm_found_list *list,
                        lm_found *found) {
    const lm_search_paths *places = naming->places;
    if (list->scripts)
        return true;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    list->scripts = lm_arena_alloc(c->arena, places->count, sizeof *list->scripts);
    for (uint32_t i = 0; list->scripts && i < places->count; i++) {
        const lm_source *source = &places->sources[i];
        if (i == places->own && !source->archive)
            continue;
        const lm_scripts *scripts = lm_scripts_of(c->vfs, source);
        if (!scripts)
            lm_arena_out_of_memory(c->arena, true);
        else if (scripts->num_files > 0 || scripts->problem_path)
            list->scripts[list->num_scripts++] = scripts;
    }
    found->opened_scripts = true;
    return !lm_arena_failed(c->arena);
}

static size_t stem_length(const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    return dot && dot > (slash ? slash : name) ? (size_t)(dot - name) : strlen(name);
}

/* Searches for a name without its extension, as the engines do; then with '/' for '\\', as
 * Wolfenstein does. */
static const lm_scripts_file *find_label(lm_context *c, const lm_naming *naming,
                                         lm_found_list *list, lm_found *found, uint32_t *label) {
    const char *name = found->texture.name;
    char *asked = lm_arena_text(c->arena, name, stem_length(name));
    if (!asked || !open_places(c, naming, list, found))
        return NULL;
    const lm_scripts_file *file = lm_scripts_find(list->scripts, list->num_scripts, asked, label);
    if (file || !strchr(asked, '\\'))
        return file;
    for (char *at = asked; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    return lm_scripts_find(list->scripts, list->num_scripts, asked, label);
}

/* ---- Images of shaders ----------------------------------------------------------------------- */

/* Returns the index of the image that is the script's texture; the number of images if there is
 * none. */
static uint32_t base_of(const lm_found *found) {
    const lm_shader *shader = &found->script.shader;
    return shader->base < shader->num_stages ? shader->stages[shader->base].images[0]
                                             : found->script.num_images;
}

static void seek_all(lm_context *c, const lm_naming *naming, lm_found *found) {
    const lm_script_shader *script = &found->script;
    found->images = lm_arena_zeros(c->arena, script->num_images, sizeof *found->images);
    for (uint32_t i = 0; found->images && i < script->num_images; i++) {
        const char *name = script->images[i];
        found->images[i].name = *name ? name : found->texture.name;
        found->images[i].is_texture = i == base_of(found);
        seek_image(c, naming, &found->images[i]);
    }
}

/* Returns the image that represents the shader: the material's texture, else the first that
 * exists. */
static uint32_t shown_image(const lm_found *found) {
    const uint32_t count = found->script.num_images, base = base_of(found);
    for (uint32_t i = 0; base == count && i < count; i++)
        if (found->images[i].path)
            return i;
    return base;
}

/* Decides how to show a name that a script defines. If the script has no stages or its image is
 * missing, falls back to the image of the name itself, which the games do not do. */
static void choose(lm_context *c, const lm_naming *naming, lm_found *found) {
    const uint32_t shown = shown_image(found);
    const lm_sought *image = shown < found->script.num_images ? &found->images[shown] : NULL;
    const bool plain = found->script.shader.num_stages == 0 && !found->script.shader.hidden;
    found->texture.way = LM_FOUND_BY_SCRIPT;
    if (plain || (image && !image->path)) {
        seek_image(c, naming, &found->own);
        found->texture.way = found->own.path ? LM_FOUND_BY_FALLBACK : LM_FOUND_NOTHING;
    }
    if (image && !found->own.path)
        found->shown = shown;
    found->is_reflected = image && shown != base_of(found);
}

/* Returns whether a script defines the texture's name. If so, fills its shader and searches for its
 * images; the stages use the script's image indices. */
static bool find_shader(lm_context *c, const lm_naming *naming, lm_found_list *list,
                        lm_found *found) {
    uint32_t label;
    const lm_scripts_file *file = find_label(c, naming, list, found, &label);
    if (!file || !lm_shader_fill(file->script, label, c->arena, &found->script))
        return false;
    seek_all(c, naming, found);
    lm_shader *shader = &found->script.shader;
    shader->path = lm_copy_text(c->arena, file->path);
    /* For a shader without a stage, the games show a grey image if a model names it, and nothing if
     * a .skin file does. Skins leave out parts of a player in this way. */
    shader->hidden = shader->num_stages == 0 && found->texture.source != LM_TEXTURE_OF_MODEL;
    choose(c, naming, found);
    return !lm_arena_failed(c->arena);
}

/* ---- Surfaces that are not drawn ------------------------------------------------------------- */

/* Returns whether a name means that nothing is drawn: "nodraw", even if the game's files are
 * missing here; and if its scripts are here, any name that cannot be an image's path. */
static bool means_nothing(const lm_found_list *list, const char *name) {
    static const char nothing[] = "nodraw";
    size_t length = stem_length(name), size = sizeof nothing - 1;
    bool ends = length >= size && lm_begins_same(name + length - size, nothing, size);
    if (ends && (length == size || strchr("/\\", name[length - size - 1])))
        return true;
    return list->num_scripts > 0 && !strpbrk(name, "/\\.");
}

/* Returns whether a .skin file leaves out a surface, for whose texture there is neither script nor
 * image. If so, sets a hidden shader. */
static bool leave_out(lm_context *c, const lm_found_list *list, lm_found *found) {
    lm_asset_texture *t = &found->texture;
    if (t->source == LM_TEXTURE_OF_MODEL || !means_nothing(list, t->name))
        return false;
    lm_shader *shader = lm_arena_alloc(c->arena, 1, sizeof *shader);
    if (!shader)
        return false;
    *shader = (lm_shader){.name = t->name, .hidden = true};
    t->shader = shader;
    return true;
}

/* ---- Textures ------------------------------------------------------------------------------ */

/* Returns whether an image's path equals its name, ignoring the extensions. */
static bool is_where_named(const lm_sought *sought) {
    char path[LM_PATH_SIZE];
    const char *found = sought->inside, *dot = strrchr(found, '.');
    size_t length = dot ? (size_t)(dot - found) : strlen(found);
    return lm_path_clean(sought->name, path) && lm_begins_same(path, found, length) &&
           (path[length] == '\0' || path[length] == '.');
}

static void fill(lm_context *c, const lm_naming *naming, lm_found_list *list,
                 const lm_texture_name *name, lm_found *found) {
    lm_sought *own = &found->own;
    *found = (lm_found){.texture = {.name = name->text, .source = name->source},
                        .own = {.name = name->text,
                                .model = name->source == LM_TEXTURE_EMBEDDED ? naming->model : NULL,
                                .skin = name->skin,
                                .given = name->given,
                                .is_guess = name->source == LM_TEXTURE_GUESSED,
                                .is_texture = true,
                                .image = LM_NO_TEXTURE},
                        .shown = LM_OWN_IMAGE};
    if (name->shaded && find_shader(c, naming, list, found))
        return;
    seek_image(c, naming, own);
    if (lm_arena_failed(c->arena))
        return;
    if (own->path)
        found->texture.way = own->model || own->given || is_where_named(own) ? LM_FOUND_BY_NAME
                                                                             : LM_FOUND_BY_FALLBACK;
    else if (name->shaded && leave_out(c, list, found))
        found->texture.way = LM_FOUND_NOT_DRAWN;
}

bool lm_found_fill(lm_context *c, const lm_naming *naming, lm_found_list *list) {
    if (!lm_arena_grow(c->arena, &list->textures, &list->capacity, naming->num_names,
                       sizeof *list->textures))
        return false;
    for (; list->count < naming->num_names && !lm_arena_failed(c->arena); list->count++)
        fill(c, naming, list, &naming->names[list->count], &list->textures[list->count]);
    return !lm_arena_failed(c->arena);
}

bool lm_found_any(const lm_found_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->textures[i].texture.way != LM_FOUND_NOTHING)
            return true;
    return false;
}
