/* Skeletons of a scene, from the bytes that web_skeleton returned. */
#ifndef WEB_SKELETON_H
#define WEB_SKELETON_H

#include "skeletons.h"
#include "web.h"

/* A skeleton whose arrays are in the bytes. */
typedef struct given_skeleton {
    lm_skeleton skeleton;
    lm_skeleton_surface *surfaces;
    lm_joint *joints; /* NULL: none was given */
} given_skeleton;

/* The skeletons of a scene's parts. */
typedef struct web_skeletons {
    uint32_t num_parts;
    given_skeleton *parts;        /* [num_parts] */
    const lm_skeleton **pointers; /* [num_parts] NULL: none */
} web_skeletons;

/* Reads the skeletons of all parts, one after the other. The bytes are of any origin, are aligned
 * to 4 bytes, and must live until web_skeletons_free, which is called in any case. */
bool web_skeletons_read(const web_scene *scene, const uint8_t *bytes, size_t size,
                        web_skeletons *out);
void web_skeletons_free(web_skeletons *skeletons);

/* Reports the finished share of a long call. Returns whether to continue. */
WEB_IMPORT("web", "progress") int web_progress(double share);

#endif
