/* The images in a folder, and those that may be textures of a model there: Quake II searches a
 * player's folder for skins, whatever the model's file lists. */
#include "texture_names.h"

#include "core/text.h"
#include "files/file.h"
#include "image/decoded_image.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAMES 4096 /* read per folder; players' folders have fewer than a hundred */
#define MAX_IMAGES 256 /* whose headers are read */
#define HEADER 128     /* bytes: PCX has the longest header */
#define JPEG_HEADER ((size_t)64 << 10) /* metadata precedes a JPEG's frame header */

/* The extensions of formats that store their size, in the order of lmi_texture_find. */
static const char *const extensions[] = {".pcx", ".tga", ".jpg", ".jpeg", ".png", ".bmp"};
#define NUM_EXTENSIONS (sizeof extensions / sizeof *extensions)

typedef struct collecting {
    const lm_source *source;
    lm_folder_images *found;
    uint32_t num_names;
} collecting;

size_t lmi_image_stem(const char *path, unsigned *rank) {
    *rank = 0;
    while (*rank < NUM_EXTENSIONS && !lmi_ends_in(path, extensions[*rank]))
        ++*rank;
    return strlen(path) - (*rank < NUM_EXTENSIONS ? strlen(extensions[*rank]) : 0);
}

static bool read_size(const collecting *c, const char *name, lm_folder_image *image) {
    const bool jpeg = image->rank == 2 || image->rank == 3;
    char path[LM_PATH_SIZE];
    const lm_files *files = c->source->files;
    lm_buffer bytes = {.allocator = lmi_arena_of(c->found)->heap->allocator};
    bool known = lmi_path_join(c->source->folder, name, path) &&
                 files->peek(files->user, path, jpeg ? JPEG_HEADER : HEADER, &bytes) &&
                 lmi_image_size(bytes.data, bytes.size, &image->width, &image->height);
    lmi_arena_out_of_memory(lmi_arena_of(c->found), bytes.failed);
    lm_buffer_free(&bytes);
    return known;
}

static bool collect_image(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    lm_folder_images *f = c->found;
    lm_arena *arena = lmi_arena_of(f);
    lm_folder_image image = {.width = 0};
    image.stem = lmi_image_stem(name, &image.rank);
    if (++c->num_names > MAX_NAMES || f->count == MAX_IMAGES || lmi_arena_failed(arena))
        return false;
    if (is_folder || name[0] == '.' || image.rank == NUM_EXTENSIONS || !read_size(c, name, &image))
        return true;
    image.name = lmi_copy_text(arena, name);
    if (image.name &&
        lmi_arena_grow(arena, &f->images, &f->capacity, f->count + (size_t)1, sizeof *f->images))
        f->images[f->count++] = image;
    return true;
}

static bool mark_model(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    const char *dot = lm_format_by_extension(name) && !is_folder ? strrchr(name, '.') : NULL;
    const size_t stem = dot ? (size_t)(dot - name) : 0;
    c->found->num_models += dot != NULL;
    for (uint32_t i = 0; dot && i < c->found->count; i++) {
        lm_folder_image *image = &c->found->images[i];
        if (image->stem == stem && lmi_begins_same(image->name, name, stem))
            image->has_model = true;
    }
    return c->num_names++ < MAX_NAMES;
}

/* Sets the relations of two images. X_i is the icon that Quake II's menu shows for X. If X exists
 * in two formats, the one that is searched for first is used. */
static void compare(lm_folder_image *a, lm_folder_image *b) {
    bool same = lmi_begins_same(a->name, b->name, a->stem < b->stem ? a->stem : b->stem);
    if (same && a->stem == b->stem && a->rank < b->rank && a->width == b->width &&
        a->height == b->height)
        b->is_duplicate = true;
    if (same && b->stem == a->stem + 2 && b->name[a->stem] == '_' &&
        lmi_lower((uint8_t)b->name[a->stem + 1]) == 'i') {
        a->has_icon = true;
        b->is_icon = true;
    }
    b->is_map = b->is_map || lmi_is_map_of(b->name, b->stem, a->name, a->stem);
}

static void list_folder(collecting *c, lm_list_each each) {
    lm_error error;
    const lm_files *files = c->source->files;
    c->num_names = 0;
    const bool listed = lmi_view_list(files, c->source->folder, each, c, &error);
    lmi_arena_out_of_memory(lmi_arena_of(c->found), !listed && error.code == LM_CODE_OUT_OF_MEMORY);
}

static bool open_images(const lm_request *request, void *object, lm_error *error) {
    const lm_source *source = request->context;
    lm_folder_images *images = object;
    collecting c = {.source = source, .found = images};
    (void)error;
    if (source->files->list && source->files->peek) {
        list_folder(&c, collect_image);
        if (images->count > 0)
            list_folder(&c, mark_model);
    }
    for (uint32_t i = 0; i < images->count; i++)
        for (uint32_t k = 0; k < images->count; k++)
            compare(&images->images[i], &images->images[k]);
    return true;
}

const lm_folder_images *lmi_folder_images_of(lm_vfs *vfs, const lm_source *source) {
    static const lm_opener opener = {LM_CACHED_IMAGES, sizeof(lm_folder_images), open_images, NULL};
    char key[4096 + LM_PATH_SIZE]; /* keys cut to this length share images */
    lm_error error;
    snprintf(key, sizeof key, "%s:%s", source->folder, source->files->name);
    return lmi_vfs_open_once(&opener, &(lm_request){vfs, key, source}, &error);
}

/* ---- Guesses --------------------------------------------------------------------------------- */

#define MAX_GUESSES 64

/* How to learn whether an image can be used. */
typedef struct guess_check {
    lm_guess_usable usable;
    void *user;
} guess_check;

typedef struct fitting {
    const lm_model *model;
    const char *stem, *folder; /* the names of the model's file and its folder */
    size_t stem_length, folder_length;
    bool is_weapon, is_player, icons_only;
    bool is_only_choice; /* one image fits, and there is no other model */
    bool only_pictures;  /* so do only pictures */
    const lm_folder_images *found;
    bool *unusable; /* [found->count] cannot be read */
} fitting;

static bool is_called(const lm_folder_image *image, const char *name, size_t length) {
    return image->stem == length && lmi_begins_same(image->name, name, length);
}

/* Returns whether a name is one of players' weapons. */
static bool names_weapon(const char *name, size_t length) {
    return (length == 6 && lmi_begins_same(name, "weapon", 6)) ||
           (length > 2 && lmi_begins_same(name, "w_", 2));
}

/* Returns whether an image is named skin, as Cube, Sauerbraten and AssaultCube name all skins. */
static bool is_cubes(const fitting *f, const lm_folder_image *image) {
    return !f->is_weapon && is_called(image, "skin", 4);
}

static bool has_size(const fitting *f, const lm_folder_image *image) {
    return image->width == f->model->skin_width && image->height == f->model->skin_height;
}

/* Returns whether there is the same image with a better extension, which can be used. */
static bool is_replaced(const fitting *f, const lm_folder_image *image) {
    for (uint32_t i = 0; image->is_duplicate && i < f->found->count; i++) {
        const lm_folder_image *other = &f->found->images[i];
        if (other->rank < image->rank && !f->unusable[i] && other->width == image->width &&
            other->height == image->height && is_called(other, image->name, image->stem))
            return true;
    }
    return false;
}

/* Returns whether an image can be the model's skin: it has the name of skins or of the model, or
 * the right size. Weapons use images with their own name or named weapon. Players use no weapon's
 * image. No model uses an image with another model's name, or another image's map. */
static bool fits(const fitting *f, const lm_folder_image *image) {
    const bool is_own = is_called(image, f->stem, f->stem_length);
    if (f->unusable[image - f->found->images])
        return false;
    if (image->has_model && !is_own && !(f->is_weapon && is_called(image, "weapon", 6)))
        return false;
    if ((!is_own && !is_cubes(f, image) && !has_size(f, image)) || image->is_icon ||
        image->is_map || is_replaced(f, image) || (f->icons_only && !image->has_icon))
        return false;
    return f->is_weapon ? is_own || is_called(image, "weapon", 6)
                        : !names_weapon(image->name, image->stem);
}

/* Returns whether a name has a word at its start or end. */
static bool has_word(const char *name, size_t length, const char *word) {
    static const char separators[] = "_-.0123456789";
    const size_t size = strlen(word);
    const size_t end = length >= size ? length - size : 0;
    if (length < size)
        return false;
    return (lmi_begins_same(name, word, size) && (end == 0 || strchr(separators, name[size]))) ||
           (end > 0 && lmi_begins_same(name + end, word, size) &&
            strchr(separators, name[end - 1]));
}

/* Returns whether an image is a picture of the model for a menu or a map, by its name. The digits
 * at its end do not count. */
static bool is_picture(const fitting *f, const lm_folder_image *image) {
    static const char *const words[] = {"preview", "icon", "map"};
    size_t length = image->stem;
    if (is_called(image, f->stem, f->stem_length) || is_called(image, f->folder, f->folder_length))
        return false;
    while (length > 0 && strchr("_-.0123456789", image->name[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(image->name, length, words[i]))
            return true;
    return false;
}

/* Returns what else than its size shows that an image which fits is the model's; NULL: nothing. */
static const char *evidence(const fitting *f, const lm_folder_image *image) {
    return is_cubes(f, image)                              ? "has the name of skins"
           : is_called(image, f->stem, f->stem_length)     ? "has the model's name"
           : is_called(image, f->folder, f->folder_length) ? "has the folder's name"
           : f->is_weapon                                  ? "has the name of weapons' skins"
           : image->has_icon                               ? "has an icon"
           : f->is_player                                  ? "is in a player's folder"
           : f->is_only_choice && !is_picture(f, image)
               ? "is the only choice of the folder's only model"
           : f->only_pictures ? "is a picture of the folder's only model"
                              : NULL;
}

static bool is_skin(const fitting *f, const lm_folder_image *image) {
    return fits(f, image) && evidence(f, image);
}

/* Ranks an image, smaller is better: named skin, the model's name, its folder's name, any other, a
 * team's (Quake II's ctf_r, ctf_b), a picture. */
static unsigned distance(const fitting *f, const lm_folder_image *image) {
    const bool is_teams = image->stem > 4 && lmi_begins_same(image->name, "ctf_", 4);
    return is_cubes(f, image)                              ? 0
           : is_called(image, f->stem, f->stem_length)     ? 1
           : is_called(image, f->folder, f->folder_length) ? 2
           : is_picture(f, image)                          ? 5
           : !is_teams                                     ? 3
                                                           : 4;
}

static const char *path_of(lm_context *c, const lm_texture_names *n, const lm_folder_image *image) {
    const char *folder = n->search->sources[n->search->own].folder;
    return lmi_arena_printf(c->arena, "%s%s%s", folder, *folder ? "/" : "", image->name);
}

/* Compares the images with each other, for `fits` and `evidence`. Pictures count only if nothing
 * else fits. */
static void compare_images(fitting *f) {
    const lm_folder_images *found = f->found;
    uint32_t count = 0, pictures = 0;
    f->icons_only = f->is_only_choice = f->only_pictures = false;
    for (uint32_t i = 0; i < found->count; i++)
        f->icons_only = f->icons_only ||
                        (!f->is_weapon && found->images[i].has_icon && fits(f, &found->images[i]));
    for (uint32_t i = 0; i < found->count; i++)
        if (fits(f, &found->images[i]))
            ++*(is_picture(f, &found->images[i]) ? &pictures : &count);
    f->is_only_choice = count == 1 && found->num_models == 1;
    f->only_pictures = count == 0 && pictures > 0 && found->num_models == 1;
}

/* Adds an image, if it can be used; else it no longer fits. */
static bool add(lm_context *c, lm_texture_names *n, fitting *f, const lm_folder_image *image,
                const guess_check *check) {
    const char *path = path_of(c, n, image);
    const bool usable = path && check->usable(c, n, path, check->user);
    f->unusable[image - f->found->images] = !usable;
    if (usable && n->num_guesses < MAX_GUESSES)
        n->guesses[n->num_guesses++] = path;
    return usable;
}

static const lm_folder_image *find_best(fitting *f) {
    const lm_folder_image *best = NULL;
    compare_images(f);
    for (uint32_t i = 0; i < f->found->count; i++) {
        const lm_folder_image *image = &f->found->images[i];
        if (is_skin(f, image) && (!best || distance(f, image) < distance(f, best)))
            best = image;
    }
    return best;
}

static void add_all(lm_context *c, lm_texture_names *n, fitting *f, const guess_check *check) {
    const lm_folder_image *best = find_best(f), *images = f->found->images;
    while (best && !lmi_arena_failed(c->arena) && !add(c, n, f, best, check))
        best = find_best(f);
    if (!best || n->num_guesses == 0)
        return;
    n->evidence =
        lmi_arena_printf(c->arena, "%s%s", has_size(f, best) ? "has the size of its skin and " : "",
                         evidence(f, best));
    /* Cube's models have one skin. */
    const bool further = !f->is_weapon && (f->icons_only || !is_cubes(f, best));
    for (unsigned pictures = 0; further && pictures < 2; pictures++)
        for (uint32_t i = 0; i < f->found->count; i++)
            if (&images[i] != best && is_picture(f, &images[i]) == (pictures == 1) &&
                is_skin(f, &images[i]))
                add(c, n, f, &images[i], check);
}

/* Returns whether a skin's name leads elsewhere than the model's folder, so that an image there may
 * be meant. */
static bool names_other_folders(const lm_model *model) {
    for (uint32_t i = 0; i < model->num_skins; i++)
        if (lmi_texture_is_beside(model->skins[i]))
            return false;
    return true;
}

/* Returns whether a source has an image named skin in a folder that can be used. If so, it is the
 * guess. */
static bool guess_skin(lm_context *c, lm_texture_names *n, uint32_t number, const char *folder,
                       const guess_check *check) {
    const lm_files *files = n->search->sources[number].files;
    n->guess_source = number;
    for (size_t i = 0; i < NUM_EXTENSIONS && n->num_guesses == 0; i++) {
        char name[16], actual[LM_PATH_SIZE];
        snprintf(name, sizeof name, "skin%s", extensions[i]);
        const lm_find found = lmi_find_in(files, folder, name, actual);
        lmi_arena_out_of_memory(c->arena, found == LM_FIND_OUT_OF_MEMORY);
        const char *path = found == LM_FIND_FILE ? lmi_copy_text(c->arena, actual) : NULL;
        if (path && check->usable(c, n, path, check->user))
            n->guesses[n->num_guesses++] = path;
    }
    n->evidence = "has the name of skins";
    return n->num_guesses > 0;
}

/* Searches for an image named skin in the folder above the model's, as Cube does. */
static void guess_above(lm_context *c, lm_texture_names *n, const guess_check *check) {
    for (uint32_t i = 0; i < n->search->count && n->num_guesses == 0; i++) {
        const char *folder = n->search->sources[i].folder;
        const char *slash = folder ? strrchr(folder, '/') : NULL;
        const char *above = slash ? lmi_arena_text(c->arena, folder, (size_t)(slash - folder)) : "";
        if (folder && *folder && above)
            guess_skin(c, n, i, above, check);
    }
    if (n->num_guesses == 0 && n->search->has_above)
        guess_skin(c, n, n->search->count, "", check);
}

bool lmi_texture_names_guess(lm_context *c, lm_texture_names *n, lm_guess_usable usable,
                             void *user) {
    const guess_check check = {usable, user};
    const lm_model *model = n->model;
    if (model->num_surfaces == 0 || model->embedded_skins || !names_other_folders(model) ||
        n->search->own == LM_NO_SOURCE)
        return false;
    n->guess_source = n->search->own;
    const lm_folder_images *all = lmi_folder_images_of(c->vfs, &n->search->sources[n->search->own]);
    fitting f = {.model = model, .found = all};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    n->guesses = lmi_arena_alloc(c->arena, MAX_GUESSES, sizeof *n->guesses);
    if (all)
        f.unusable = lmi_arena_zeros(c->arena, all->count, sizeof *f.unusable);
    if (lmi_arena_out_of_memory(c->arena, !all) || !n->guesses || !f.unusable)
        return false;
    const char *path = n->path;
    f.stem = lmi_vfs_stem(c->vfs, path, &f.stem_length);
    const char *end = lmi_vfs_base_name(c->vfs, path);
    end -= end > path;
    f.folder = end;
    while (f.folder > path && f.folder[-1] != '/' && f.folder[-1] != ':')
        f.folder--;
    f.folder_length = (size_t)(end - f.folder);
    f.is_weapon = names_weapon(f.stem, f.stem_length);
    f.is_player = f.stem_length == 4 && lmi_begins_same(f.stem, "tris", 4);
    add_all(c, n, &f, &check);
    if (!f.is_weapon && n->num_guesses == 0)
        guess_above(c, n, &check);
    return n->num_guesses > 0;
}
