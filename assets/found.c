#include "found.h"
#include "files/path.h"
#include "texture.h"

#include <string.h>

const lm_sought *lm_found_shown(const lm_found *found) {
    return found->shown == LM_OWN_PICTURE ? &found->own : &found->pictures[found->shown];
}

/* ---- The picture of a name ------------------------------------------------------------------ */

static bool find(const lm_naming *naming, const lm_sought *sought, lm_texture *found) {
    if (!sought->is_guess)
        return lm_texture_find(naming->places, sought->name, found);
    *found = (lm_texture){.found = true, .root = naming->places->own};
    memcpy(found->path, sought->name, strlen(sought->name) + 1);
    return true;
}

static void seek_file(lm_context *c, const lm_naming *naming, lm_sought *sought) {
    lm_texture texture;
    bool found = find(naming, sought, &texture);
    lm_arena_starve(c->arena, texture.starved);
    sought->unsafe = texture.unsafe;
    sought->num_tried = texture.num_tried;
    if (!found)
        return;
    const lm_source *source = &naming->places->sources[texture.root];
    sought->root = texture.root;
    sought->inside = lm_arena_text(c->arena, texture.path, strlen(texture.path));
    sought->path = lm_source_path(source, texture.path, c->arena);
    sought->shown = lm_join(c->arena, source->files->name, texture.path);
}

void lm_seek_picture(lm_context *c, const lm_naming *naming, lm_sought *sought) {
    sought->picture = LM_NO_TEXTURE;
    if (sought->model)
        sought->path = sought->shown = naming->path;
    else if (sought->given)
        sought->path = sought->shown = sought->name;
    else
        seek_file(c, naming, sought);
}

/* ---- Textures ------------------------------------------------------------------------------ */

/* Whether a picture's path is its name's, whatever their extensions. */
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
                                .picture = LM_NO_TEXTURE},
                        .shown = LM_OWN_PICTURE};
    if (name->shaded && lm_found_shader(c, naming, list, found))
        return;
    lm_seek_picture(c, naming, own);
    if (lm_arena_failed(c->arena))
        return;
    if (own->path)
        found->texture.way = own->model || own->given || is_where_named(own) ? LM_FOUND_BY_NAME
                                                                             : LM_FOUND_BY_FALLBACK;
    else if (name->shaded && lm_found_left_out(c, list, found))
        found->texture.way = LM_FOUND_LEFT_OUT;
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
        if (list->textures[i].texture.way != LM_FOUND_NOT)
            return true;
    return false;
}
