#include "folder_images.h"

#include "core/text.h"
#include "files/file.h"
#include "maps.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAMES 4096 /* read per folder; players' folders have fewer than a hundred */
#define MAX_IMAGES 256 /* whose headers are read */
#define HEADER 128     /* bytes: PCX has the longest header */
#define JPEG_HEADER ((size_t)64 << 10) /* metadata precedes a JPEG's frame header */

/* The extensions of formats that store their size, in the order of texture.h. */
static const char *const extensions[] = {".pcx", ".tga", ".jpg", ".jpeg", ".png"};
#define NUM_EXTENSIONS (sizeof extensions / sizeof *extensions)

typedef struct collecting {
    const lm_source *source;
    lm_folder_images *found;
    uint32_t num_names;
} collecting;

size_t lm_image_stem(const char *path, unsigned *rank) {
    *rank = 0;
    while (*rank < NUM_EXTENSIONS && !lm_ends_in(path, extensions[*rank]))
        ++*rank;
    return strlen(path) - (*rank < NUM_EXTENSIONS ? strlen(extensions[*rank]) : 0);
}

static bool read_size(const collecting *c, const char *name, lm_folder_image *image) {
    const bool jpeg = image->rank == 2 || image->rank == 3;
    char path[LM_PATH_SIZE];
    const lm_files *files = c->source->files;
    lm_buffer bytes = {.allocator = lm_arena_of(c->found)->heap->allocator};
    bool known = lm_path_join(c->source->folder, name, path) &&
                 files->peek(files->user, path, jpeg ? JPEG_HEADER : HEADER, &bytes) &&
                 lm_image_size(bytes.data, bytes.size, &image->width, &image->height);
    lm_arena_out_of_memory(lm_arena_of(c->found), bytes.failed);
    lm_buffer_free(&bytes);
    return known;
}

static bool collect_image(void *caller, const char *name, bool is_folder) {
    collecting *c = caller;
    lm_folder_images *f = c->found;
    lm_arena *arena = lm_arena_of(f);
    lm_folder_image image = {.width = 0};
    image.stem = lm_image_stem(name, &image.rank);
    if (++c->num_names > MAX_NAMES || f->count == MAX_IMAGES || lm_arena_failed(arena))
        return false;
    if (is_folder || name[0] == '.' || image.rank == NUM_EXTENSIONS || !read_size(c, name, &image))
        return true;
    image.name = lm_copy_text(arena, name);
    if (image.name &&
        lm_arena_grow(arena, &f->images, &f->capacity, f->count + (size_t)1, sizeof *f->images))
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
        if (image->stem == stem && lm_begins_same(image->name, name, stem))
            image->has_model = true;
    }
    return c->num_names++ < MAX_NAMES;
}

/* Sets the relations of two images. X_i is the icon that Quake II's menu shows for X. If X exists
 * in two formats, the one that is searched for first is used. */
static void compare(lm_folder_image *a, lm_folder_image *b) {
    bool same = lm_begins_same(a->name, b->name, a->stem < b->stem ? a->stem : b->stem);
    if (same && a->stem == b->stem && a->rank < b->rank && a->width == b->width &&
        a->height == b->height)
        b->is_duplicate = true;
    if (same && b->stem == a->stem + 2 && b->name[a->stem] == '_' &&
        lm_lower((uint8_t)b->name[a->stem + 1]) == 'i') {
        a->has_icon = true;
        b->is_icon = true;
    }
    b->is_map = b->is_map || lm_is_map_of(b->name, b->stem, a->name, a->stem);
}

static void list_folder(collecting *c, lm_list_each each) {
    lm_error error;
    const lm_files *files = c->source->files;
    c->num_names = 0;
    const bool listed = files->list(files->user, c->source->folder, each, c, &error);
    lm_arena_out_of_memory(lm_arena_of(c->found), !listed && error.code == LM_CODE_OUT_OF_MEMORY);
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

const lm_folder_images *lm_folder_images_of(lm_vfs *vfs, const lm_source *source) {
    static const lm_opener opener = {LM_CACHED_IMAGES, sizeof(lm_folder_images), open_images, NULL};
    char key[4096 + LM_PATH_SIZE]; /* keys cut to this length share images */
    lm_error error;
    snprintf(key, sizeof key, "%s:%s", source->folder, source->files->name);
    return lm_vfs_open_once(&opener, &(lm_request){vfs, key, source}, &error);
}
