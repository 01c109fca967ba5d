/* The library's interface for JavaScript (web/lib/module.js): 32-bit WebAssembly, one thread.
 *
 * Every export is named web_NAME. Strings are NUL-terminated UTF-8; the caller frees them. A call
 * that fails returns 0 and leaves the reason in web_error (web_error_json). A call that produces
 * bytes or JSON returns true and leaves them in the result (web_result_data, web_result_size) until
 * the next call that produces one. JavaScript never sees structs, only handles and arrays of a
 * documented shape. */
#ifndef WEB_H
#define WEB_H

#include "describe.h"
#include "internals.h"
#include "lerpmesh/gl.h"
#include "lerpmesh/scene.h"
#include "skeletons.h"

#define WEB_EXPORT(name) __attribute__((export_name(#name))) name
#define WEB_IMPORT(module, name) __attribute__((import_module(module), import_name(name)))

extern lm_buffer web_result;
extern lm_error web_error;

/* Empties the result and returns it, to be filled. */
lm_buffer *web_begin(void);
/* Empties the call's second result and returns it, to be filled. See web_result_next. */
lm_buffer *web_begin_second(void);
/* Returns true if the results are complete, or false with `web_error` filled if out of memory. */
bool web_end(void);

/* Makes an image the result: width and height (uint32 each), then RGBA pixels. Returns as web_end.
 */
bool web_write_image(const uint8_t *pixels, uint32_t width, uint32_t height);

/* Draws `bones` over a scene by the second module; without `view`, frees them. */
typedef struct web_scene web_scene;
typedef bool web_overlay(web_scene *scene, lm_gl *gl, const lm_gl_view *view);

/* An open scene, its playback state and its current pose. */
struct web_scene {
    const lm_scene *scene;
    lm_assets *assets; /* own the scene; NULL in the core */
    lm_skin_choices *skins;
    lm_gl_scene *gl_scene;     /* NULL: not uploaded */
    web_overlay *draw_overlay; /* NULL: there are no bones */
    skeleton_bones *bones[LM_MAX_PARTS];
    lm_playback play;
    lm_clip all_frames;       /* of the part that plays all its frames */
    uint32_t playing_part;    /* the part whose clip sets the timeline */
    const char *playing_name; /* played by all parts; NULL: playing_part alone, all its frames */
    char *owned_name;         /* owns `playing_name`, unless that is a clip's name */
    lm_buffer marks;          /* of lm_diagnostic_triangle, on part marked_part */
    uint32_t marked_part;
    lm_pose poses[LM_MAX_PARTS];
    lm_transform world_transforms[LM_MAX_PARTS];
};

/* Each returns NULL with `web_error` filled if there is no such part or surface. */
const lm_model *web_model(const web_scene *scene, uint32_t part);
const lm_surface *web_surface_of(const web_scene *scene, uint32_t part, uint32_t surface);

/* Poses all parts as `poses` says. */
bool web_evaluate(web_scene *scene);

/* Writes the grid that an MDL or MD2 has in all frames, if there is one. */
void web_write_grid(lm_json *json, const lm_model *model);
/* Writes the clips of all parts, and the name of the rest clip. */
void web_write_clips(lm_json *json, const lm_scene *scene);

/* ---- The second module's -------------------------------------------------------------------- */

/* A skeleton whose arrays are in the bytes of web_skeleton. */
typedef struct given_skeleton {
    lm_skeleton skeleton;
    lm_skeleton_surface *surfaces;
    lm_joint *joints; /* NULL: none was given */
} given_skeleton;

/* The skeletons of a scene's parts. */
typedef struct web_skeletons {
    uint32_t num_parts;
    given_skeleton parts[LM_MAX_PARTS];
    lm_skeleton *own[LM_MAX_PARTS];            /* of models with bones, made again; or NULL */
    const lm_skeleton *pointers[LM_MAX_PARTS]; /* NULL: none */
} web_skeletons;

/* Reads the skeletons of all parts, one after the other. The bytes are of any origin, are aligned
 * to 4 bytes, and must live until web_skeletons_free, which is called in any case. */
bool web_skeletons_read(const web_scene *scene, const uint8_t *bytes, size_t size,
                        web_skeletons *out);
void web_skeletons_free(web_skeletons *skeletons);

/* Reports the finished share of a long call. Returns whether to continue. */
WEB_IMPORT("web", "progress") int web_progress(double share);

#endif
