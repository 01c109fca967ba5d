/* From a surface's name to the shader that a script gives it, with its pictures. */
#include "found.h"

#include "shaders/shader.h"

#include <string.h>

/* ---- Finding ------------------------------------------------------------------------------- */

/* The model's own archive is a place as the games are, but its folder is none. */
static bool open_places(lm_context *c, const lm_naming *naming, lm_found_list *list,
                        lm_found *found) {
    const lm_places *places = naming->places;
    if (list->scripts)
        return true;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    list->scripts = lm_arena_alloc(c->arena, places->count, sizeof *list->scripts);
    for (uint32_t i = 0; list->scripts && i < places->count; i++) {
        const lm_source *source = &places->sources[i];
        if (i == places->own && !source->archive)
            continue;
        const lm_scripts *scripts = lm_scripts_of(c->disk, source);
        if (!lm_arena_starve(c->arena, !scripts) && (scripts->num_files > 0 || scripts->problem))
            list->scripts[list->num_scripts++] = scripts;
    }
    found->opened_scripts = true;
    return !lm_arena_failed(c->arena);
}

static size_t stem_length(const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    return dot && dot > (slash ? slash : name) ? (size_t)(dot - name) : strlen(name);
}

/* The engines ask for a name without its extension; Wolfenstein's with '/' for '\\'. */
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

/* ---- Pictures ------------------------------------------------------------------------------ */

uint32_t lm_found_base(const lm_found *found) {
    const lm_shader *shader = &found->script.shader;
    return shader->base < shader->num_stages ? shader->stages[shader->base].pictures[0]
                                             : found->script.num_pictures;
}

static void seek_all(lm_context *c, const lm_naming *naming, lm_found *found) {
    const lm_script_shader *script = &found->script;
    found->pictures = lm_arena_zeros(c->arena, script->num_pictures, sizeof *found->pictures);
    for (uint32_t i = 0; found->pictures && i < script->num_pictures; i++) {
        const char *name = script->pictures[i];
        found->pictures[i].name = *name ? name : found->texture.name;
        found->pictures[i].is_texture = i == lm_found_base(found);
        lm_seek_picture(c, naming, &found->pictures[i]);
    }
}

/* The picture that stands for all of them: the material's, else the first that there is. */
static uint32_t shown_picture(const lm_found *found) {
    const uint32_t count = found->script.num_pictures, base = lm_found_base(found);
    for (uint32_t i = 0; base == count && i < count; i++)
        if (found->pictures[i].path)
            return i;
    return base;
}

/* What the name leads to. A script without stages, or without its picture, leaves the picture that
 * has the name itself, which is more than the games show. */
static void choose(lm_context *c, const lm_naming *naming, lm_found *found) {
    const uint32_t shown = shown_picture(found);
    const lm_sought *picture = shown < found->script.num_pictures ? &found->pictures[shown] : NULL;
    const bool plain = found->script.shader.num_stages == 0 && !found->script.shader.hidden;
    found->texture.way = LM_FOUND_BY_SCRIPT;
    if (plain || (picture && !picture->path)) {
        lm_seek_picture(c, naming, &found->own);
        found->texture.way = found->own.path ? LM_FOUND_BY_FALLBACK : LM_FOUND_NOT;
    }
    if (picture && !found->own.path)
        found->shown = shown;
    found->is_reflected = picture && shown != lm_found_base(found);
}

bool lm_found_shader(lm_context *c, const lm_naming *naming, lm_found_list *list, lm_found *found) {
    uint32_t label;
    const lm_scripts_file *file = find_label(c, naming, list, found, &label);
    if (!file || !lm_shader_fill(file->script, label, c->arena, &found->script))
        return false;
    seek_all(c, naming, found);
    lm_shader *shader = &found->script.shader;
    shader->path = lm_arena_text(c->arena, file->path, strlen(file->path));
    /* The games show a grey picture where a model names what is not whole, and nothing where a
     * .skin file does: which is how parts of a player are left out. */
    shader->hidden = shader->num_stages == 0 && found->texture.source != LM_TEXTURE_OF_MODEL;
    choose(c, naming, found);
    return !lm_arena_failed(c->arena);
}

/* ---- Nothing ------------------------------------------------------------------------------- */

/* Where the game's files may only be missing here, "nodraw" is believed, and where its scripts are
 * here, what is no path of a picture. */
static bool means_nothing(const lm_found_list *list, const char *name) {
    static const char nothing[] = "nodraw";
    size_t length = stem_length(name), size = sizeof nothing - 1;
    bool ends = length >= size && lm_begins_same(name + length - size, nothing, size);
    if (ends && (length == size || strchr("/\\", name[length - size - 1])))
        return true;
    return list->num_scripts > 0 && !strpbrk(name, "/\\.");
}

bool lm_found_left_out(lm_context *c, const lm_found_list *list, lm_found *found) {
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
