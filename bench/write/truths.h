/* What the encoders are measured with: models that others made. */
#ifndef BENCH_WRITE_TRUTHS_H
#define BENCH_WRITE_TRUTHS_H

#include "lerpmesh/clips.h"
#include "lerpmesh/mesh.h"

typedef struct bench_truth {
    char *name;
    lm_model *model;
    lm_take *take;   /* with the clips of an animation.cfg beside it, where there is one; of an MD2,
                        steadied */
    lm_clips *clips; /* or NULL */
    bool openarena;  /* from an archive, not a file */
    bool mature;     /* from the pack that installations may leave out, and from no other */
} bench_truth;

typedef struct truths {
    bench_truth *list; /* no two with the same bytes */
    size_t count;
} truths;

/* Adds all models below a folder, or of an archive; what is not there or is damaged adds nothing.
 */
void truths_add_files(truths *all, const char *path);
void truths_add_archives(truths *all, const char *folder);
void truths_free(truths *all);

#endif
