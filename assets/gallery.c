/* The pictures in a folder, and how large they are: by their headers, once for all models in it. */
#include "disk.h"

#include "core/text.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 4096   /* that are looked at; players' folders have below a hundred */
#define MAX_PICTURES 256 /* whose headers are read */
#define HEADER 128       /* bytes: PCX has the longest */
#define JPEG_HEADER ((size_t)64 << 10) /* a JPEG has it behind what cameras and editors say */

/* Extensions in the order of texture.h, of formats that tell their size. */
static const char *const extensions[] = {".pcx", ".tga", ".jpg", ".jpeg", ".png"};
#define NUM_EXTENSIONS (sizeof extensions / sizeof *extensions)

typedef struct hanging {
    const lm_shelf *shelf;
    lm_gallery *gallery;
    uint32_t capacity, num_names;
} hanging;

static unsigned rank_of(const char *name) {
    unsigned rank = 0;
    while (rank < NUM_EXTENSIONS && !lm_ends_in(name, extensions[rank]))
        rank++;
    return rank;
}

static bool read_size(const hanging *h, const char *name, bool jpeg, lm_hung *picture) {
    const lm_shelf *shelf = h->shelf;
    char path[2 * LM_PATH_SIZE];
    lm_buffer bytes = {0};
    const lm_files *files = shelf->files;
    int length =
        snprintf(path, sizeof path, "%s%s%s", shelf->folder, *shelf->folder ? "/" : "", name);
    bool known = length > 0 && length < LM_PATH_SIZE &&
                 files->peek(files->user, path, jpeg ? JPEG_HEADER : HEADER, &bytes) &&
                 lm_image_size(bytes.data, bytes.size, &picture->width, &picture->height);
    h->gallery->pool.failed = h->gallery->pool.failed || bytes.failed;
    lm_buffer_free(&bytes);
    return known;
}

static bool hang(void *caller, const char *name, bool is_folder) {
    hanging *h = caller;
    lm_gallery *g = h->gallery;
    unsigned rank = is_folder || name[0] == '.' ? NUM_EXTENSIONS : rank_of(name);
    lm_hung picture = {.rank = rank};
    if (++h->num_names > MAX_NAMES || g->num_pictures == MAX_PICTURES || g->pool.failed)
        return false;
    if (rank == NUM_EXTENSIONS || !read_size(h, name, rank == 2 || rank == 3, &picture))
        return true;
    picture.name = lm_pool_text(&g->pool, name, strlen(name));
    picture.stem = strlen(name) - strlen(extensions[rank]);
    if (picture.name && lm_pool_grow(&g->pool, (void **)&g->pictures, &h->capacity, g->num_pictures,
                                     sizeof *g->pictures))
        g->pictures[g->num_pictures++] = picture;
    return true;
}

static bool mark(void *caller, const char *name, bool is_folder) {
    hanging *h = caller;
    const char *dot = lm_path_is_model(name) && !is_folder ? strrchr(name, '.') : NULL;
    const size_t stem = dot ? (size_t)(dot - name) : 0;
    for (uint32_t i = 0; dot && i < h->gallery->num_pictures; i++) {
        lm_hung *picture = &h->gallery->pictures[i];
        if (picture->stem == stem && lm_begins_same(picture->name, name, stem))
            picture->has_model = true;
    }
    return h->num_names++ < MAX_NAMES;
}

/* X_i is the icon that Quake II's menu shows for X; of X in two formats the one that textures are
 * looked for first counts. */
static void compare(lm_hung *a, lm_hung *b) {
    bool same = lm_begins_same(a->name, b->name, a->stem < b->stem ? a->stem : b->stem);
    if (same && a->stem == b->stem && a->rank < b->rank && a->width == b->width &&
        a->height == b->height)
        b->is_double = true;
    if (same && b->stem == a->stem + 2 && b->name[a->stem] == '_' &&
        lm_lower((uint8_t)b->name[a->stem + 1]) == 'i') {
        a->has_icon = true;
        b->is_icon = true;
    }
}

static void look(hanging *h, lm_list_each each) {
    lm_error error;
    const lm_files *files = h->shelf->files;
    h->num_names = 0;
    if (!files->list(files->user, h->shelf->folder, each, h, &error))
        lm_pool_starved(&h->gallery->pool, error.code);
}

lm_gallery *lm_gallery_open(const lm_shelf *shelf) {
    lm_gallery *made = calloc(1, sizeof *made);
    hanging h = {.shelf = shelf, .gallery = made};
    const lm_files *files = shelf->files;
    if (!made)
        return NULL;
    lm_pool_init(&made->pool, NULL);
    if (files->list && files->peek) {
        look(&h, hang);
        if (made->num_pictures > 0)
            look(&h, mark);
    }
    for (uint32_t i = 0; i < made->num_pictures; i++)
        for (uint32_t k = 0; k < made->num_pictures; k++)
            compare(&made->pictures[i], &made->pictures[k]);
    if (!made->pool.failed)
        return made;
    lm_gallery_close(made);
    return NULL;
}

void lm_gallery_close(lm_gallery *gallery) {
    if (gallery)
        lm_pool_free(&gallery->pool);
    free(gallery);
}
