/* Irrlicht 1.8, which is C++, for the benchmark. Only there if BENCH_IRRLICHT is defined. */
#ifndef BENCH_IRRLICHT_H
#define BENCH_IRRLICHT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* False if it cannot be started without a screen. */
bool irrlicht_start(void);
void irrlicht_stop(void);

/* A model as it loads it, or NULL; it keeps it until irrlicht_unload. */
void *irrlicht_load(const char *path);
void irrlicht_unload(void *mesh);
/* A quarter of a frame, as it counts them, for time 0, 1, 2...; gives the corners that it has
 * written. */
uint32_t irrlicht_animate(void *mesh, int32_t time);
/* The box of what was animated last, in the file's axes: its y and z are swapped. */
void irrlicht_box(void *mesh, int32_t time, float min_max[6]);

#ifdef __cplusplus
}
#endif
#endif
