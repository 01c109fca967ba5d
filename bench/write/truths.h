/* Models by other authors, as the encoders' test data. */
#ifndef BENCH_WRITE_TRUTHS_H
#define BENCH_WRITE_TRUTHS_H

#include "lerpmesh/clips.h"
#include "lerpmesh/mesh.h"

typedef struct bench_truth {
    char *name;
    lm_model *model;
    lm_mesh *mesh;   /* with the clips of an animation.cfg in the same folder, if there is one; of
                      * an MD2 after truths_steady, steadied */
    lm_clips *clips; /* or NULL */
    bool openarena;  /* from an archive, not a file */
    bool mature;     /* only in the pack that installations may leave out */
} bench_truth;

typedef struct truths {
    bench_truth *list; /* all contents differ */
    size_t count;
} truths;

/* Adds all models below a folder. Missing and damaged ones add nothing. */
void truths_add_files(truths *all, const char *path);
/* Adds the models of a folder's archives; with `wanted`, those for whose paths it returns true. */
void truths_add_archives(truths *all, const char *folder, bool (*wanted)(const char *path));
/* Removes the jitter from rounding from the meshes of MD2s (stable_mesh). Takes minutes for long
 * ones. */
void truths_steady(truths *all);
void truths_free(truths *all);

#endif
