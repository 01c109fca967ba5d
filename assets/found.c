#include "found.h"

#include <string.h>

const lm_sought *lm_found_shown(const lm_found *found) {
    return found->shown == LM_OWN_PICTURE ? &found->own : &found->pictures[found->shown];
}

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
