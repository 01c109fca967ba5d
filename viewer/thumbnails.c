#include "thumbnails.h"

#include "display_text.h"
#include "image/studio.h"

#include <string.h>

#define SAMPLES 4                             /* per pixel */
#define PAINTER_REST (2 * G_TIME_SPAN_SECOND) /* without work, after which the context is freed */

/* The origin of thumbnails. */
typedef struct origin {
    guint generation; /* counts thumbnails_reset */
    shared_vfs *vfs;
    char **games;
    uint32_t size;
} origin;

/* A thumbnail in memory. */
typedef struct kept {
    char *path;
    guint generation;    /* of its origin; an older one is shown until it is drawn again */
    GdkTexture *texture; /* NULL: it cannot be drawn */
    GList *use;          /* in thumbnails.uses */
} kept;

struct thumbnails {
    void (*drawn)(void *user, const char *path); /* NULL: thumbnails_free was called */
    void *user;
    GThread *thread;  /* NULL: not started */
    char *problem;    /* why nothing can be drawn; NULL: it can */
    GHashTable *kept; /* by path */
    GQueue uses;      /* of struct kept, the last used first */
    size_t bytes;
    guint num_wanted;

    origin origin;
    GPtrArray *queue;  /* paths to draw */
    GAsyncQueue *jobs; /* for the thread: struct job, at most one at a time */
    struct job *job;   /* which the thread has, or has done; NULL: none */
    guint num_drawn;
};

/* A thumbnail on its way to the thread and back. */
typedef struct job {
    thumbnails *t;
    origin from;
    char *path; /* NULL: the thread ends */
    GdkTexture *texture;
    char *problem; /* as in struct thumbnails */
} job;

static void origin_clear(origin *o) {
    shared_vfs_unref(o->vfs);
    g_strfreev(o->games);
    *o = (origin){.generation = o->generation};
}

/* ---- Drawing: in the thread ------------------------------------------------------------------ */

/* The thread's context. */
typedef struct painter {
    studio studio;
    studio_options options;
    bool open, failed; /* without OpenGL, nothing can be drawn */
    lm_error error;    /* why it failed */
} painter;

static void close_painter(painter *p) {
    if (p->open)
        studio_close(&p->studio);
    p->open = false;
}

static bool prepare(painter *p, uint32_t size) {
    if (p->options.width != size)
        close_painter(p);
    if (!p->open && !p->failed) {
        p->options = (studio_options){.width = size,
                                      .height = size,
                                      .samples = SAMPLES,
                                      .azimuth = 30,
                                      .elevation = 15,
                                      .zoom = 1,
                                      .background.gradient = true};
        p->open = studio_open(&p->studio, &p->options, &p->error);
        p->failed = !p->open;
        if (p->failed)
            studio_close(&p->studio);
    }
    return p->open;
}

static GdkTexture *draw_scene(painter *p, const lm_scene *scene) {
    lm_error error;
    const uint32_t size = p->options.width;
    sheet_page page = {.cell_width = size, .cell_height = size};
    studio_subject subject = {.scene = scene,
                              .drawn = lm_gl_scene_new(p->studio.gl, scene, &error)};
    GdkTexture *texture = NULL;
    if (subject.drawn &&
        sheet_add_thumbnail(&p->options, &p->studio, &subject, "", "", &page, &error)) {
        g_autoptr(GBytes) bytes = g_bytes_new(page.cells[0].pixels, (size_t)size * size * 4);
        texture = gdk_memory_texture_new((int)size, (int)size, GDK_MEMORY_R8G8B8A8, bytes,
                                         (size_t)size * 4);
    }
    lm_gl_scene_free(subject.drawn);
    sheet_free(&page);
    return texture;
}

/* Draws what opening the path shows. Returns NULL if that fails. */
static GdkTexture *draw(painter *p, const origin *from, const char *path) {
    const lm_assets_options options = {.load.normals = LM_NORMALS_AUTO,
                                       .related = true,
                                       .num_games = from->games ? g_strv_length(from->games) : 0,
                                       .games = (const char *const *)from->games,
                                       .max_pixels = LM_IMAGE_PLAIN_PIXELS};
    if (!prepare(p, from->size))
        return NULL;
    lm_assets *assets = lm_assets_open(from->vfs->vfs, path, &options, NULL);
    GdkTexture *texture = assets && assets->scene ? draw_scene(p, assets->scene) : NULL;
    lm_assets_free(assets);
    return texture;
}

static gboolean deliver(gpointer user);

static gboolean join(gpointer user);

/* Without work for a while, frees the context. */
static job *wait_for_job(thumbnails *t, painter *p) {
    job *next = p->open ? g_async_queue_timeout_pop(t->jobs, PAINTER_REST) : NULL;
    if (!next)
        close_painter(p);
    return next ? next : g_async_queue_pop(t->jobs);
}

static gpointer run(gpointer user) {
    thumbnails *t = user;
    painter p = {.open = false};
    job *next;
    while ((next = wait_for_job(t, &p))->path) {
        next->texture = draw(&p, &next->from, next->path);
        next->problem = p.failed ? display_message(p.error.code, p.error.message) : NULL;
        g_idle_add_full(G_PRIORITY_DEFAULT, deliver, next, NULL);
    }
    g_free(next);
    close_painter(&p);
    g_idle_add(join, t);
    return NULL;
}

/* ---- Keeping --------------------------------------------------------------------------------- */

static size_t size_of(const kept *k) {
    return k->texture ? (size_t)gdk_texture_get_width(k->texture) *
                            (size_t)gdk_texture_get_height(k->texture) * 4
                      : 0;
}

static void free_kept(gpointer user) {
    kept *k = user;
    g_clear_object(&k->texture);
    g_free(k->path);
    g_free(k);
}

static void use(thumbnails *t, kept *k) {
    g_queue_unlink(&t->uses, k->use);
    g_queue_push_head_link(&t->uses, k->use);
}

static void drop(thumbnails *t, kept *k) {
    g_queue_delete_link(&t->uses, k->use);
    t->bytes -= size_of(k);
    g_hash_table_remove(t->kept, k->path);
}

/* Drops the thumbnails that were used least recently, but none that is wanted. */
static void drop_old(thumbnails *t) {
    while (t->bytes > THUMBNAILS_MAX_BYTES && t->uses.length > t->num_wanted)
        drop(t, g_queue_peek_tail(&t->uses));
}

/* Keeps a thumbnail in place of an older one. */
static void keep(thumbnails *t, const char *path, GdkTexture *texture) {
    kept *old = g_hash_table_lookup(t->kept, path), *k = g_new(kept, 1);
    if (old)
        drop(t, old);
    *k = (kept){g_strdup(path), t->origin.generation, texture ? g_object_ref(texture) : NULL, NULL};
    g_queue_push_head(&t->uses, k);
    k->use = t->uses.head;
    t->bytes += size_of(k);
    g_hash_table_insert(t->kept, k->path, k);
    drop_old(t);
}

static void unref(thumbnails *t);

/* Gives the next path to the thread, unless it is busy. */
static void draw_next(thumbnails *t) {
    if (t->job || t->queue->len == 0)
        return;
    t->job = g_new0(job, 1);
    t->job->t = g_atomic_rc_box_acquire(t);
    t->job->from = (origin){t->origin.generation, shared_vfs_ref(t->origin.vfs),
                            g_strdupv(t->origin.games), t->origin.size};
    t->job->path = g_ptr_array_steal_index(t->queue, 0);
    t->num_drawn++;
    g_async_queue_push(t->jobs, t->job);
    if (!t->thread)
        t->thread = g_thread_new("thumbnails", run, g_atomic_rc_box_acquire(t));
}

static gboolean deliver(gpointer user) {
    job *done = user;
    thumbnails *t = done->t;
    t->job = NULL;
    if (t->drawn && done->from.generation == t->origin.generation) {
        keep(t, done->path, done->texture);
        t->problem = t->problem ? t->problem : g_steal_pointer(&done->problem);
        t->drawn(t->user, done->path);
    }
    draw_next(t);
    origin_clear(&done->from);
    g_clear_object(&done->texture);
    g_free(done->problem);
    g_free(done->path);
    g_free(done);
    unref(t);
    return G_SOURCE_REMOVE;
}

/* ---- For the main thread --------------------------------------------------------------------- */

thumbnails *thumbnails_new(void (*drawn)(void *user, const char *path), void *user) {
    thumbnails *t = g_atomic_rc_box_new0(thumbnails);
    t->drawn = drawn;
    t->user = user;
    t->kept = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_kept);
    g_queue_init(&t->uses);
    t->jobs = g_async_queue_new();
    t->queue = g_ptr_array_new_with_free_func(g_free);
    return t;
}

static void clear(void *user) {
    thumbnails *t = user;
    g_queue_clear(&t->uses);
    g_hash_table_unref(t->kept);
    origin_clear(&t->origin);
    g_ptr_array_unref(t->queue);
    g_async_queue_unref(t->jobs);
    g_free(t->problem);
}

static void unref(thumbnails *t) {
    g_atomic_rc_box_release_full(t, clear);
}

static guint num_ending; /* threads of freed thumbnails */

/* Called in the main thread when the thread has ended. */
static gboolean join(gpointer user) {
    thumbnails *t = user;
    g_thread_join(t->thread);
    num_ending--;
    unref(t);
    return G_SOURCE_REMOVE;
}

void thumbnails_free(thumbnails *t) {
    if (!t)
        return;
    t->drawn = NULL;
    g_ptr_array_set_size(t->queue, 0);
    if (t->thread) {
        num_ending++;
        g_async_queue_push(t->jobs, g_new0(job, 1));
    }
    unref(t);
}

void thumbnails_end(void) {
    while (num_ending > 0)
        g_main_context_iteration(NULL, TRUE);
}

void thumbnails_reset(thumbnails *t, shared_vfs *vfs, const char *const *games, uint32_t size) {
    g_ptr_array_set_size(t->queue, 0);
    origin_clear(&t->origin);
    t->origin = (origin){t->origin.generation + 1, shared_vfs_ref(vfs),
                         g_strdupv((char **)(void *)games), size};
}

/* Queues a path, unless it is complete or the thread has it. */
static void want(thumbnails *t, const char *path) {
    kept *k = g_hash_table_lookup(t->kept, path);
    if (k)
        use(t, k);
    if (k && k->generation == t->origin.generation)
        return;
    if (!t->job || t->job->from.generation != t->origin.generation ||
        strcmp(t->job->path, path) != 0)
        g_ptr_array_add(t->queue, g_strdup(path));
}

void thumbnails_want(thumbnails *t, const char *const *paths) {
    if (!t->origin.vfs)
        return;
    t->num_wanted = g_strv_length((char **)(void *)paths);
    g_ptr_array_set_size(t->queue, 0);
    for (; *paths; paths++)
        want(t, *paths);
    drop_old(t);
    draw_next(t);
}

bool thumbnails_find(thumbnails *t, const char *path, GdkTexture **texture) {
    const kept *k = g_hash_table_lookup(t->kept, path);
    *texture = k ? k->texture : NULL;
    return k != NULL;
}

const char *thumbnails_problem(const thumbnails *t) {
    return t->problem;
}

bool thumbnails_is_busy(thumbnails *t) {
    return t->job || t->queue->len > 0;
}

guint thumbnails_count_drawn(thumbnails *t) {
    return t->num_drawn;
}

guint thumbnails_count_kept(thumbnails *t) {
    return g_hash_table_size(t->kept);
}
