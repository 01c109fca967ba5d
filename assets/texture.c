/* Lists the files that may be a texture, and finds the first that exists. Opens no file. */
#include "lerpmesh/files.h"

#include "core/text.h"
#include "files/file.h"
#include "files/path.h"
#include "sources.h"

#include <stdio.h>
#include <string.h>

/* ---- Candidates ------------------------------------------------------------------------------ */

static const char *const extensions[LM_NUM_EXTENSIONS] = {".tga", ".jpg",  ".jpeg", ".png",
                                                          ".pcx", ".webp", ".bmp"};
const char *const lmi_extensions_beside[LM_NUM_EXTENSIONS] = {".png", ".jpg",  ".jpeg", ".tga",
                                                              ".pcx", ".webp", ".bmp"};
#define MAX_STEMS 4
#define MAX_EXTENSION 5 /* letters: longer ones count as a part of the name */

bool lmi_texture_is_beside(const char *name) {
    return name[0] == '.' && name[1] != '\0' && !strchr("./\\", name[1]);
}

/* Returns the start of the extension; the end of the path if there is none. */
static size_t extension_start(const char *path) {
    size_t end = strlen(path), at = end;
    while (at > 0 && path[at - 1] != '/' && path[at - 1] != '.')
        at--;
    bool found = at > 1 && path[at - 1] == '.' && path[at - 2] != '/' && end > at &&
                 end - at <= MAX_EXTENSION;
    return found ? at - 1 : end;
}

/* The names to search for in a source, each with every extension. */
typedef struct stems {
    unsigned count;
    unsigned num_named; /* the first ones are the name itself; the others are elsewhere */
    bool is_safe;       /* the name leads nowhere out of the root */
    bool beside;        /* the names have extensions of their own, which do not count */
    char paths[MAX_STEMS][LM_PATH_SIZE];
} stems;

static void add_stem(stems *s, const char *folder, const char *path) {
    char *out = s->paths[s->count];
    if (path[0] == '\0')
        return;
    int length = snprintf(out, LM_PATH_SIZE, "%s%s%s", folder, *folder ? "/" : "", path);
    bool fits = length > 0 && length < LM_PATH_SIZE - MAX_EXTENSION - 1;
    for (unsigned i = 0; fits && i < s->count; i++)
        fits = strcmp(out, s->paths[i]) != 0;
    s->count += fits;
}

static void make_stems(const lm_search_path *search, uint32_t source, const char *name, stems *s) {
    char path[LM_PATH_SIZE], base[LM_PATH_SIZE], folder[LM_PATH_SIZE] = "", full[2 * LM_PATH_SIZE];
    const char *models = search->sources[source].folder;
    s->count = 0;
    s->beside = lmi_texture_is_beside(name);
    name += s->beside;
    s->is_safe = lmi_path_clean(name, path);
    lmi_path_base_name(name, base);
    const bool sound = models && (*models == '\0' || lmi_path_clean(models, folder));
    /* An archive's member may have ".." parts in its own name. */
    if (!s->beside && s->is_safe && search->sources[source].archive && strstr(name, ".."))
        add_stem(s, "", name);
    if (!s->beside)
        add_stem(s, "", path);
    else if (sound)
        add_stem(s, folder, path);
    s->num_named = s->count;
    if (sound && !s->is_safe && *base && !lmi_path_is_absolute(name) &&
        snprintf(full, sizeof full, "%s/%s", folder, name) < (int)sizeof full) {
        /* A name that leads out of the root may be meant from the model's folder. */
        s->is_safe = lmi_path_clean(full, path);
        add_stem(s, "", path);
        path[0] = '\0';
    }
    if (!sound || source != search->own)
        return;
    add_stem(s, folder, path);
    add_stem(s, folder, base);
}

/* Makes the path of stem number `stem` with extension number `index`. The stem's own extension
 * comes first and is not repeated; beside the model, it is dropped. Returns false after the last.
 */
static bool with_extension(const stems *s, unsigned stem, unsigned index, char path[LM_PATH_SIZE]) {
    const char *text = s->paths[stem];
    const char *const *list = s->beside ? lmi_extensions_beside : extensions;
    size_t start = extension_start(text);
    const char *named = s->beside ? "" : text + start;
    memcpy(path, text, strlen(text) + 1);
    if (*named != '\0' && index-- == 0)
        return true;
    for (unsigned i = 0; i < LM_NUM_EXTENSIONS; i++) {
        if (lmi_compare_letters(named, list[i]) == 0)
            continue;
        if (index-- == 0) {
            memcpy(path + start, list[i], strlen(list[i]) + 1);
            return true;
        }
    }
    return false;
}

bool lmi_texture_candidate(const lm_search_path *search, const char *name, uint32_t index,
                           uint32_t *source, char path[LM_PATH_SIZE]) {
    stems s;
    for (*source = 0; *source < search->count; ++*source) {
        make_stems(search, *source, name, &s);
        for (unsigned i = 0; i < s.count; i++)
            for (unsigned e = 0; with_extension(&s, i, e, path); e++)
                if (index-- == 0)
                    return true;
    }
    path[0] = '\0';
    return false;
}

/* Tries a stem with each extension, except for the first `skip` candidates of the search. */
static void find_stem(const lm_files *files, const stems *s, unsigned stem, uint32_t skip,
                      lm_texture *result) {
    char path[LM_PATH_SIZE];
    for (unsigned e = 0; !result->found && with_extension(s, stem, e, path); e++) {
        if (result->num_tried++ < skip)
            continue;
        lm_find found = files->find(files->user, path, result->path);
        result->found = found == LM_FIND_FILE;
        result->unsafe = result->unsafe || found == LM_FIND_OUTSIDE;
        result->out_of_memory = result->out_of_memory || found == LM_FIND_OUT_OF_MEMORY;
    }
}

bool lmi_texture_find_next(const lm_search_path *search, const char *name, lm_texture *result) {
    const uint32_t skip = result->num_tried;
    stems s;
    bool is_safe = name[0] == '\0' || search->count == 0;
    *result = (lm_texture){.found = false};
    for (uint32_t i = 0; i < search->count && !result->found; i++) {
        make_stems(search, i, name, &s);
        is_safe = is_safe || s.is_safe;
        result->source = i;
        for (unsigned k = 0; k < s.count && !result->found; k++) {
            find_stem(search->sources[i].files, &s, k, skip, result);
            result->is_named = result->found && k < s.num_named;
        }
    }
    result->unsafe = result->unsafe || !is_safe;
    if (!result->found)
        result->path[0] = '\0';
    return result->found;
}

bool lmi_texture_find(const lm_search_path *search, const char *name, lm_texture *result) {
    result->num_tried = 0;
    return lmi_texture_find_next(search, name, result);
}

/* ---- Maps ------------------------------------------------------------------------------------ */

/* The endings of maps' names. The first, in the order of lm_map, are those of UFO: Alien Invasion
 * (R_FindImage in r_image.cpp; the meanings in cook-torrance_fs.glsl and write_fragment_fs.glsl).
 * Materials do not use the others: those of DarkPlaces and FTEQW (R_SkinFrame_LoadExternal in
 * gl_rmain.c), Doom 3's local, and what tools for textures write. */
static const char endings[] = "nm\0gm\0sm\0rm\0norm\0normal\0local\0bump\0gloss\0spec\0glow\0luma\0"
                              "pants\0shirt\0";
#define LENGTH_OF_ENDING 3 /* of the first ones, with the NUL */

bool lmi_is_map_of(const char *name, size_t length, const char *image, size_t image_length) {
    if (!lmi_begins_same(name, image, image_length) || name[image_length++] != '_')
        return false;
    size_t size;
    for (const char *end = endings; (size = strlen(end)) > 0; end += size + 1)
        if (image_length + size == length && lmi_begins_same(name + image_length, end, size))
            return true;
    return false;
}

lm_find lmi_map_find(const lm_source *source, const char *path, lm_map map,
                     char actual[LM_PATH_SIZE]) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    lm_find found = LM_FIND_NOTHING;
    for (unsigned i = 0; i < LM_NUM_EXTENSIONS && found == LM_FIND_NOTHING; i++) {
        char candidate[LM_PATH_SIZE];
        const int length = snprintf(candidate, sizeof candidate, "%.*s_%s%s", stem, path,
                                    endings + map * LENGTH_OF_ENDING, lmi_extensions_beside[i]);
        if (length < (int)sizeof candidate)
            found = source->files->find(source->files->user, candidate, actual);
    }
    return found;
}
