/* Skeletons: their errors, in quanta of the file's rounding, and the time that they take. */
#include "bounds.h"
#include "lerpmesh/load.h"
#include "lerpmesh/skeleton.h"
#include "sections.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST_FRAMES = 20
};

typedef struct skeleton_figures {
    uint32_t accepted, warned, count;
    double slowest, slowest_long; /* seconds: of up to 100,000 and of up to 1,000,000 positions */
} skeleton_figures;

static bool has_word(const char *path, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(path, words[i]))
            return true;
    return false;
}

/* Returns whether a model is a body of UFO: Alien Invasion: not a head or one with less detail. */
static bool is_body(const char *path) {
    static const char *const folders[] = {"models/aliens/", "models/civilians/", "models/pilots/",
                                          "models/soldiers/"};
    static const char *const others[] = {"head", "-lod", "weapon"};
    return has_word(path, folders, sizeof folders / sizeof *folders) &&
           !has_word(path, others, sizeof others / sizeof *others);
}

/* Returns whether an archive's model is a part of a player that moves by itself, and a file's one a
 * whole character. */
static bool is_character(const bench_truth *t) {
    static const char *const parts[] = {"/lower.md3", "/upper.md3"};
    return t->openarena ? strstr(t->name, "models/players/") && has_word(t->name, parts, 2)
                        : strcmp(t->model->format, "md2") == 0;
}

static double size_of(const lm_mesh *mesh, uint64_t *num_vertices) {
    *num_vertices = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        *num_vertices += mesh->surfaces[i].num_vertices;
    return (double)*num_vertices * mesh->num_frames;
}

static bool fit_one(const bench_truth *t, skeleton_figures *f) {
    static const char *const verdicts[] = {"accepted", "warned", "refused"};
    lm_error error;
    uint64_t num_vertices;
    const lm_skeleton_options options = {.quantum = lm_skeleton_quantum(t->model)};
    lm_mesh *mesh = lm_mesh_from_model(t->model, NULL, &error);
    const double start = now_ms();
    lm_skeleton *s = mesh ? lm_skeleton_fit(mesh, &options, &error) : NULL;
    const double seconds = (now_ms() - start) / 1e3;
    if (s) {
        const double positions = size_of(mesh, &num_vertices), q = s->quantum;
        printf("  %-42.42s %5u x %-5u %3u %3u %6.2f %6.2f %8.3g %7.2f s  %s\n", t->name,
               (unsigned)s->num_frames, (unsigned)num_vertices, (unsigned)s->num_joints,
               (unsigned)s->num_translating, s->free_error / q, s->all.rms_error / q,
               s->all.max_error, seconds, verdicts[s->verdict]);
        f->count++;
        f->accepted += s->verdict == LM_SKELETON_ACCEPTED;
        f->warned += s->verdict == LM_SKELETON_WARNED;
        if (positions <= 1e5 && seconds > f->slowest)
            f->slowest = seconds;
        if (positions <= 1e6 && seconds > f->slowest_long)
            f->slowest_long = seconds;
    } else {
        printf("  %s: %s\n", t->name, error.message);
    }
    const bool done = s != NULL;
    lm_skeleton_free(s);
    lm_mesh_free(mesh);
    return done;
}

static bool fit_all(const truths *all, skeleton_figures *f, bool any) {
    bool done = true;
    for (size_t i = 0; i < all->count; i++) {
        const bench_truth *t = &all->list[i];
        if (t->model->num_frames >= LEAST_FRAMES && (any || is_character(t)))
            done = fit_one(t, f) && done;
    }
    return done;
}

bool write_skeletons(const truths *all, bool listed) {
    skeleton_figures f = {0};
    truths bodies = {0};
    (void)listed;
    truths_add_archives(&bodies, "/usr/share/games/ufoai/base", is_body);
    printf("\n%-44s %-13s joints, translating; free error, error in q; largest, units; CPU time\n",
           "Skeletons", "frames x vertices");
    bool done = fit_all(all, &f, false);
    done = fit_all(&bodies, &f, true) && done;
    printf("  %u of %u accepted, %u warned\n", (unsigned)f.accepted, (unsigned)f.count,
           (unsigned)f.warned);
    truths_free(&bodies);
    if (f.count > 0) {
        bound("a skeleton for up to 100,000 positions, s", 1.5, f.slowest, "all of the table");
        bound("a skeleton for up to 1,000,000 positions, s", 6, f.slowest_long, "the same");
    }
    return done;
}
