/* Chooses the texture name of each surface, and the .skin file of a part. */
#include "texture_names.h"

#include "files/file.h"

#include <stdlib.h>
#include <string.h>

/* ---- The .skin file -------------------------------------------------------------------------- */

/* A model's name, with and without its extension. */
typedef struct names {
    const char *file;
    size_t stem; /* length of the name without extension */
    const char *extension;
    bool is_far; /* a distant level of detail: head_1, which uses the skin of head */
} names;

/* Returns whether a path ends in heads/X/X.md3: a head for any player. */
static bool is_head(const char *path, const char *file, size_t stem) {
    static const char folder[] = "heads/";
    const size_t before = sizeof folder - 1 + stem + 1;
    const char *at = (size_t)(file - path) >= before ? file - before : NULL;
    return at && lmi_begins_same(at, folder, sizeof folder - 1) &&
           lmi_begins_same(file - stem - 1, file, stem) && file[-1] == '/' &&
           (at == path || at[-1] == '/' || at[-1] == ':');
}

static names names_of(lm_vfs *vfs, const char *path) {
    names n;
    n.file = lmi_vfs_stem(vfs, path, &n.stem);
    n.extension = lmi_vfs_extension(vfs, path);
    n.is_far = n.stem > 2 && n.file[n.stem - 2] == '_' && n.file[n.stem - 1] >= '1' &&
               n.file[n.stem - 1] <= '9';
    if (is_head(path, n.file, n.stem - (n.is_far ? 2 : 0)))
        n = (names){.file = "head", .stem = strlen("head"), .extension = n.extension};
    return n;
}

static bool read_first(lm_context *c, lm_texture_names *n, const char *name) {
    n->skin = lmi_skin_read(c, n->search, name, &n->skin_path);
    return n->skin != NULL;
}

/* Reads MODEL_NAME.skin, or MODEL.md3_NAME.skin as ports of the engines name it. For a distant
 * level of detail, falls back to the file of the full model. */
static bool read_named(lm_context *c, lm_texture_names *n, const char *skin) {
    const names of = names_of(c->vfs, n->path);
    for (unsigned far = 0; far <= (of.is_far ? 1 : 0); far++)
        for (unsigned extended = 0; extended < 2; extended++) {
            int length = (int)(of.stem - (far ? 2 : 0));
            const char *name = lmi_arena_printf(c->arena, "%.*s%s_%s.skin", length, of.file,
                                                extended ? of.extension : "", skin);
            if (name && read_first(c, n, name))
                return true;
        }
    return false;
}

/* Skins to try if none is requested: the games' default, a port's first, a team's. */
static const char *const default_names[] = {"default", "0", "red", "blue"};
#define NUM_DEFAULT_NAMES (sizeof default_names / sizeof *default_names)

/* Chooses the .skin file of a part, whose search path is open. */
static void find_skin_file(const lm_parts *all, uint32_t part, lm_texture_names *n) {
    lm_context *c = all->context;
    const char *requested = n->settings->skin_name;
    if (all->skins[part]) {
        n->skin = lmi_skin_read(c, &all->search[0], all->skins[part], &n->skin_path);
        n->has_named_skin = n->skin && requested && lmi_same_text(requested, all->skin_name);
        return;
    }
    n->has_named_skin = requested && read_named(c, n, requested);
    for (size_t i = 0; i < NUM_DEFAULT_NAMES && !n->skin; i++)
        n->is_substitute = read_named(c, n, default_names[i]) && i >= 2;
}

bool lmi_is_default_skin(const char *name) {
    for (size_t i = 0; i < NUM_DEFAULT_NAMES; i++)
        if (lmi_same_text(name, default_names[i]))
            return true;
    return false;
}

const char *lmi_skin_name_of_file(lm_vfs *vfs, const char *path, const char *file,
                                  lm_arena *arena) {
    const names n = names_of(vfs, path);
    const size_t length = strlen(file), tail = strlen(".skin"), extension = strlen(n.extension);
    if (length <= tail || !lmi_same_text(file + length - tail, ".skin"))
        return NULL;
    for (unsigned far = 0; far <= (n.is_far ? 1 : 0); far++) {
        size_t begin = n.stem - (far ? 2 : 0);
        if (!lmi_begins_same(file, n.file, begin))
            continue;
        begin += lmi_begins_same(file + begin, n.extension, extension) ? extension : 0;
        if (file[begin] != '_' || length <= begin + 1 + tail)
            continue;
        const char *name = lmi_arena_text(arena, file + begin + 1, length - begin - 1 - tail);
        return name && !strpbrk(name, "./=") ? name : NULL;
    }
    return NULL;
}

typedef struct skin_list {
    lm_vfs *vfs;
    const char *path;
    lm_listing *names;
} skin_list;

static bool collect_skin(void *caller, const char *file, bool is_folder) {
    const skin_list *l = caller;
    const char *name =
        is_folder ? NULL : lmi_skin_name_of_file(l->vfs, l->path, file, l->names->arena);
    return name ? lmi_listing_add_name(l->names, name) : !lmi_arena_failed(l->names->arena);
}

/* Sorts the default skin first. */
static int compare_skins(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const int first = lmi_same_text(y, "default") - lmi_same_text(x, "default");
    return first ? first : strcmp(x, y);
}

void lmi_skin_names_list(lm_vfs *vfs, const lm_search_path *search, const char *path,
                         lm_listing *found) {
    skin_list list = {vfs, path, found};
    for (uint32_t i = 0; i < search->count; i++) {
        const lm_source *source = &search->sources[i];
        lm_error error;
        if (source->folder && source->files->list &&
            !lmi_view_list(source->files, source->folder, collect_skin, &list, &error))
            lmi_ran_out(found->arena, &error);
    }
    if (found->count > 0)
        qsort(found->names, found->count, sizeof *found->names, compare_skins);
}

bool lmi_texture_names_open(const lm_parts *all, uint32_t part, lm_texture_names *n) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[part];
    *n = (lm_texture_names){.settings = all->settings,
                            .path = all->files[part].path,
                            .attached = part > 0,
                            .model = all->files[part].model,
                            .search = search,
                            .known.arena = c->arena};
    find_skin_file(all, part, n);
    if (!n->skin)
        lmi_texture_names_define(all, part, n);
    if (search->problem.code != LM_CODE_OK) /* another source may have the texture */
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, search->problem.code, c->path,
                        "cannot search for textures: %s", search->problem.message);
    /* A NAME may also be an image's, as for Quake II's players. */
    lm_texture texture = {0};
    const lm_model *model = n->model;
    n->has_named_image = n->settings->skin_name && !n->has_named_skin && model->num_surfaces > 0 &&
                         lmi_has_single_texture(n, &model->surfaces[0]) &&
                         lmi_texture_find(n->search, n->settings->skin_name, &texture);
    lmi_arena_out_of_memory(c->arena, texture.out_of_memory);
    return !lmi_arena_failed(c->arena);
}

/* ---- Names --------------------------------------------------------------------------------- */

bool lmi_has_single_texture(const lm_texture_names *n, const lm_surface *surface) {
    return !n->attached && (n->model->num_skins > 0 || surface->num_materials == 0);
}

/* Returns the number of IMAGEs in the options, each of which is a skin; sets `image` to number
 * `skin`, or NULL. */
static uint32_t given_skins(const lm_settings *settings, uint32_t skin, const char **image) {
    uint32_t count = 0;
    *image = NULL;
    for (uint32_t i = 0; i < settings->num_skins; i++)
        if (settings->skins[i].kind == LM_SKIN_IMAGE && count++ == skin)
            *image = settings->skins[i].text;
    return count;
}

/* Returns the image that the options give a surface: the last SURFACE=IMAGE, else, for the first
 * part, the IMAGE of that number. */
static const char *given_image(const lm_texture_names *n, const lm_surface *surface,
                               uint32_t number) {
    const char *image;
    for (uint32_t i = n->settings->num_skins; i > 0; i--) {
        const lm_skin_option *skin = &n->settings->skins[i - 1];
        if (skin->kind == LM_SKIN_OF_SURFACE && lmi_same_text(surface->name, skin->surface))
            return skin->text;
    }
    given_skins(n->settings, number, &image);
    return image && lmi_has_single_texture(n, surface) ? image : NULL;
}

/* Returns the surface's path in the first requested .skin file that lists it. */
static const char *listed_path(const lm_texture_names *n, const lm_surface *surface,
                               lm_texture_source *source) {
    const lm_settings *settings = n->settings;
    const char *path = NULL;
    *source = LM_TEXTURE_OF_OPTION;
    for (uint32_t i = 0; i < settings->num_skins && !path; i++)
        if (settings->skins[i].kind == LM_SKIN_FILE)
            path = lm_skin_file_find(settings->skins[i].file, surface->name);
    if (path || (n->num_guesses > 0 && !n->skin))
        return path;
    *source = LM_TEXTURE_OF_SKIN_FILE;
    return n->skin      ? lm_skin_file_find(n->skin, surface->name)
           : n->defined ? n->defined[surface - n->model->surfaces]
                        : NULL;
}

static const char *name_of_skin(const lm_model *model, uint32_t skin) {
    return skin < model->num_skins && model->skins[skin][0] ? model->skins[skin] : NULL;
}

/* Returns the number of skins to choose from: those that the model lists, if no option decides. */
static uint32_t count_skins(const lm_texture_names *n) {
    const lm_model *model = n->model;
    const char *image;
    uint32_t given = given_skins(n->settings, 0, &image);
    bool decided =
        model->num_surfaces == 0 || n->has_named_image || given_image(n, &model->surfaces[0], 0);
    if (given > 1 && model->num_surfaces > 0 && lmi_has_single_texture(n, &model->surfaces[0]))
        return given;
    if (n->num_guesses > 0)
        return n->num_guesses;
    return model->num_skins > 1 && !decided ? model->num_skins : 1;
}

const char *lmi_skin_name(const lm_texture_names *n, uint32_t skin) {
    const char *image;
    bool given = given_skins(n->settings, skin, &image) > 1 && image;
    if (given || n->num_guesses > 0) {
        const char *path = given ? image : n->guesses[skin], *slash = strrchr(path, '/');
        return slash ? slash + 1 : path;
    }
    return name_of_skin(n->model, skin);
}

/* Returns the texture name of a surface in a skin. Its text, of `length` bytes, belongs to the
 * model or the options. */
static lm_texture_name name_of(lm_vfs *vfs, const lm_texture_names *n, uint32_t surface,
                               uint32_t skin, size_t *length) {
    const lm_surface *s = &n->model->surfaces[surface];
    lm_texture_name name = {
        .text = given_image(n, s, skin), .source = LM_TEXTURE_OF_OPTION, .skin = skin};
    name.given = name.text != NULL;
    if (!name.text)
        name.text = listed_path(n, s, &name.source);
    name.shaded = name.text && !name.given;
    if (!name.text && n->has_named_image && lmi_has_single_texture(n, s)) {
        name.text = n->settings->skin_name;
        name.source = LM_TEXTURE_OF_OPTION;
    }
    if (!name.text && n->num_guesses > 0) {
        name.text = n->guesses[skin];
        name.source = LM_TEXTURE_GUESSED;
    }
    if (!name.text) {
        name.shaded = s->num_materials > 0 && s->materials[0].name[0];
        name.text = name.shaded ? s->materials[0].name : name_of_skin(n->model, skin);
        name.source = n->model->embedded_skins ? LM_TEXTURE_EMBEDDED : LM_TEXTURE_OF_MODEL;
    }
    *length = name.text ? strlen(name.text) : 0;
    if (!name.text && strcmp(n->path, "-") != 0) {
        name.text = lmi_vfs_stem(vfs, n->path, length);
        name.source = LM_TEXTURE_OF_FILE_NAME;
    }
    return name;
}

/* Returns the number of a name; LM_NO_NAME if it is empty or there is no memory. */
static uint32_t number_of(lm_context *c, lm_texture_names *n, lm_texture_name name, size_t length) {
    char key[LM_PATH_SIZE + 1];
    if (length == 0 || length >= LM_PATH_SIZE)
        return LM_NO_NAME;
    /* A given path, a guessed path and a name to search for are different. */
    key[0] = name.given ? 'p' : name.source == LM_TEXTURE_GUESSED ? 'g' : 'n';
    memcpy(key + 1, name.text, length);
    key[1 + length] = '\0';
    const lm_name *known = lmi_names_find(&n->known, key);
    if (known)
        return known->number;
    const char *own = lmi_arena_text(c->arena, key, length + 1);
    lm_name *put = own ? lmi_names_put(&n->known, own) : NULL;
    if (!put ||
        !lmi_arena_grow(c->arena, &n->list, &n->capacity, n->count + (size_t)1, sizeof *n->list))
        return LM_NO_NAME;
    name.text = own + 1;
    n->list[n->count] = name;
    return put->number = n->count++;
}

bool lmi_texture_names_fill(lm_context *c, lm_texture_names *n) {
    const uint32_t count = n->model->num_surfaces;
    n->num_skins = count_skins(n);
    n->of_surfaces =
        lmi_arena_alloc(c->arena, (uint64_t)n->num_skins * count, sizeof *n->of_surfaces);
    for (uint32_t skin = 0; n->of_surfaces && skin < n->num_skins; skin++)
        for (uint32_t i = 0; i < count; i++) {
            size_t length = 0;
            lm_texture_name name = {0};
            if (n->model->surfaces[i].num_triangles > 0)
                name = name_of(c->vfs, n, i, skin, &length);
            n->of_surfaces[(size_t)skin * count + i] = number_of(c, n, name, length);
        }
    return !lmi_arena_failed(c->arena);
}
