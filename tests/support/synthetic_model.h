/* A model made by hand, for the tests of everything after loading. */
#ifndef SYNTHETIC_MODEL_H
#define SYNTHETIC_MODEL_H

#include "lerpmesh/model.h"

/* Frame f shows pose f % period of the surface "body"; "still" never moves. All poses differ. */
typedef struct synthetic_options {
    uint32_t num_frames, period;
    bool no_surfaces, numbered; /* numbered: its shaders have a number */
    const char *name;           /* of the first surface; NULL: "body" */
} synthetic_options;

/* Releases with free_synthetic_model. */
lm_model *make_model(const synthetic_options *options);
void free_synthetic_model(lm_model *model);
static inline void drop_synthetic_model(lm_model **model) {
    free_synthetic_model(*model);
}

/* Makes a model that its block frees: SYNTHETIC_MODEL(model, .num_frames = 3); */
#define SYNTHETIC_MODEL(name, ...) \
    AT_END(drop_synthetic_model)   \
    lm_model *name = make_model(&(synthetic_options){__VA_ARGS__})

#endif
