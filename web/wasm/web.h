/* The library for JavaScript: what web/lib/module.js calls, and what it answers. WebAssembly of 32
 * bits, one thread.
 *
 * Every export is called web_NAME. Strings are NUL-terminated UTF-8; whoever passes one frees it.
 * A call that fails returns 0 and leaves why in web_error_text; one that gives bytes or JSON
 * returns true and leaves them in the result, until the next call that has one (web_result_data,
 * web_result_size). Structs stay here: JavaScript sees handles, and arrays whose shape is said. */
#ifndef WEB_H
#define WEB_H

#include "describe.h"
#include "internals.h"
#include "lerpmesh/gl.h"
#include "lerpmesh/scene.h"

#define WEB_EXPORT(name) __attribute__((export_name(#name))) name
#define WEB_IMPORT(module, name) __attribute__((import_module(module), import_name(name)))

extern lm_buffer web_result;
extern lm_error web_error;

/* Empties the result, and gives it to be filled. */
lm_buffer *web_begin(void);
/* Empties what a call gives behind its result, and gives it to be filled (web_result_next). */
lm_buffer *web_begin_second(void);
/* Whether the result could be filled; else `web_error` says that there is no memory. */
bool web_end(void);

/* What was opened, and how it stands. */
typedef struct web_scene {
    lm_assets *assets;
    lm_skin_choices *skins;
    lm_gl_scene *drawn; /* NULL: not uploaded */
    lm_playback play;
    uint32_t playing_part;    /* whose clip that is of */
    const char *playing_name; /* that all parts play; NULL: that part alone, all of its frames */
    char *kept_name;          /* where that is not a clip's own */
    lm_buffer marks;          /* lm_problem_triangle, of part marked_part */
    uint32_t marked_part;
    lm_pose poses[LM_MAX_PARTS];
    lm_transform places[LM_MAX_PARTS];
} web_scene;

/* The part's model; NULL with `web_error` filled if there is no such part. */
const lm_model *web_model(const web_scene *scene, uint32_t part);

#endif
