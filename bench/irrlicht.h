/* Irrlicht 1.8, in C++, for the benchmark. Present only if BENCH_IRRLICHT is defined. */
#ifndef BENCH_IRRLICHT_H
#define BENCH_IRRLICHT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns false if it cannot be started without a screen. */
bool irrlicht_start(void);
void irrlicht_stop(void);

/* Loads a model; NULL on failure. Irrlicht keeps it until irrlicht_unload. */
void *irrlicht_load(const char *path);
void irrlicht_unload(void *mesh);
/* Animates to `time`, in quarters of a frame as Irrlicht counts them: 0, 1, 2... Returns the number
 * of corners written. */
uint32_t irrlicht_animate(void *mesh, int32_t time);
/* Returns the bounds of the last animated pose in the file's axes: Irrlicht swaps y and z. */
void irrlicht_box(void *mesh, int32_t time, float min_max[6]);

#ifdef __cplusplus
}
#endif
#endif
