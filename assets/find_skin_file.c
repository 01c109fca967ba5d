/* Chooses the .skin file of a part. */
#include "texture_names.h"

#include <string.h>

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
    return at && lm_begins_same(at, folder, sizeof folder - 1) &&
           lm_begins_same(file - stem - 1, file, stem) && file[-1] == '/' &&
           (at == path || at[-1] == '/' || at[-1] == ':');
}

static names names_of(lm_vfs *vfs, const char *path) {
    names n;
    n.file = lm_vfs_stem(vfs, path, &n.stem);
    n.extension = lm_vfs_extension(vfs, path);
    n.is_far = n.stem > 2 && n.file[n.stem - 2] == '_' && n.file[n.stem - 1] >= '1' &&
               n.file[n.stem - 1] <= '9';
    if (is_head(path, n.file, n.stem - (n.is_far ? 2 : 0)))
        n = (names){.file = "head", .stem = strlen("head"), .extension = n.extension};
    return n;
}

/* Reads a .skin file from the first source that has it. */
static bool read_first(lm_context *c, lm_texture_names *n, const char *name) {
    char actual[LM_PATH_SIZE];
    const lm_memory memory = {.allocator = *lm_vfs_memory(c->vfs)};
    lm_buffer bytes = {.allocator = memory.allocator};
    const lm_source *source = lm_search_path_find(n->search, name, c->arena, actual);
    const lm_files *files = source ? source->files : NULL;
    lm_error error = {0};
    if (files && files->read(files->user, actual, LM_MAX_TEXT_FILE, &bytes, &error))
        n->skin = lm_skin_read(bytes.data, bytes.size, &memory, &error);
    lm_buffer_free(&bytes);
    if (n->skin)
        n->skin_path = lm_source_path(source, actual, c->arena);
    else if (!lm_ran_out(c->arena, &error) && files)
        lm_context_add(c, LM_SUBJECT_TEXTURE, LM_WARNING, error.code, c->path,
                       "cannot use skin file %s: %s", name, error.message);
    return n->skin != NULL;
}

/* Reads MODEL_NAME.skin, or MODEL.md3_NAME.skin as ports of the engines name it. For a distant
 * level of detail, falls back to the file of the full model. */
static bool read_named(lm_context *c, lm_texture_names *n, const char *skin) {
    const names of = names_of(c->vfs, n->path);
    for (unsigned far = 0; far <= (of.is_far ? 1 : 0); far++)
        for (unsigned extended = 0; extended < 2; extended++) {
            int length = (int)(of.stem - (far ? 2 : 0));
            const char *name = lm_arena_printf(c->arena, "%.*s%s_%s.skin", length, of.file,
                                               extended ? of.extension : "", skin);
            if (name && read_first(c, n, name))
                return true;
        }
    return false;
}

/* Skins to try if none is requested: the games' default, a port's first, a team's. */
static const char *const default_names[] = {"default", "0", "red", "blue"};
#define NUM_DEFAULT_NAMES (sizeof default_names / sizeof *default_names)

void lm_find_skin_file(lm_context *c, lm_texture_names *n) {
    const char *requested = n->settings->skin_name;
    n->has_named_skin = requested && read_named(c, n, requested);
    for (size_t i = 0; i < NUM_DEFAULT_NAMES && !n->skin; i++)
        n->is_substitute = read_named(c, n, default_names[i]) && i >= 2;
}

bool lm_is_default_skin(const char *name) {
    for (size_t i = 0; i < NUM_DEFAULT_NAMES; i++)
        if (lm_same_text(name, default_names[i]))
            return true;
    return false;
}

const char *lm_skin_name_of_file(lm_vfs *vfs, const char *path, const char *file, lm_arena *arena) {
    const names n = names_of(vfs, path);
    const size_t length = strlen(file), tail = strlen(".skin"), extension = strlen(n.extension);
    if (length <= tail || !lm_same_text(file + length - tail, ".skin"))
        return NULL;
    for (unsigned far = 0; far <= (n.is_far ? 1 : 0); far++) {
        size_t begin = n.stem - (far ? 2 : 0);
        if (!lm_begins_same(file, n.file, begin))
            continue;
        begin += lm_begins_same(file + begin, n.extension, extension) ? extension : 0;
        if (file[begin] != '_' || length <= begin + 1 + tail)
            continue;
        const char *name = lm_arena_text(arena, file + begin + 1, length - begin - 1 - tail);
        return name && !strpbrk(name, "./=") ? name : NULL;
    }
    return NULL;
}
