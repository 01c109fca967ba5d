/* The picture of a name. */
#include "found.h"

#include <string.h>

static bool find(const lm_naming *naming, const lm_sought *sought, lm_texture *found) {
    if (!sought->is_guess)
        return lm_texture_find(&naming->search.roots, sought->name, found);
    *found = (lm_texture){.found = true, .root = naming->search.own};
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
    const lm_source *source = &naming->search.sources[texture.root];
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
