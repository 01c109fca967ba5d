/* A studio draws images: a context, a renderer and a target, created once for all inputs. */
#ifndef IMAGE_STUDIO_H
#define IMAGE_STUDIO_H

#include "internals.h"
#include "skeletons.h"

#include <stdint.h>

/* An image that was drawn smaller and enlarged, because its triangles fill it too often. */

typedef struct coarse_image {
    double fill, max_fill; /* how often triangles would fill the whole image, and the limit; fill 0:
                              no image was enlarged */
    uint32_t width, height; /* the size that was drawn */
} coarse_image;

/* The options of drawing. */
typedef struct studio_options {
    uint32_t width, height, samples;
    float azimuth, elevation, zoom;
    bool eye; /* a player's camera: at the origin, looks along x, 90 degrees wide; else it fits */
    lm_gl_background background; /* with a gradient, there is a shadow on the ground */
    bool transparent;
    lm_gl_shade shade;
    unsigned show;   /* LM_GL_SHOW_ flags */
    double max_fill; /* draws an image more coarsely if triangles fill it more often
                        (lm_gl_scene_fill); 0: STUDIO_MAX_FILL */
} studio_options;

#define STUDIO_MAX_FILL 250

typedef struct studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    lm_gl_target *rough;    /* the same with one sample per pixel; NULL until needed */
    uint32_t width, height; /* of the target */
    uint32_t samples;       /* as requested */
    uint8_t *pixels;        /* of the last image: 4 * width * height */
    coarse_image coarse;    /* the coarsest since the caller set its `fill` to 0 */
} studio;

/* Creates the context. Fails with `error` filled; close it in any case. */
bool studio_open(studio *s, const studio_options *options, lm_error *error);
void studio_close(studio *s);

/* The subject of images: a scene, and its GPU resources. */
typedef struct studio_subject {
    const lm_scene *scene;
    lm_gl_scene *drawn;
    skeleton_bones *const *bones; /* [num_parts], entries may be NULL; NULL: none to draw */
} studio_subject;

/* One image: a moment of a clip, or a pose of the first model, from a direction. */
typedef struct studio_shot {
    const char *clip; /* NULL: `pose` */
    double seconds;
    lm_pose pose;
    float azimuth; /* added to the view's */
} studio_shot;

/* The camera, and what it shows. */
typedef struct studio_view {
    lm_gl_camera camera;
    float middle[2], scale; /* the centre of the visible area in the camera's image, from -1 to 1,
                               and its zoom */
    lm_gl_box extent;       /* of the shots */
} studio_view;

/* Aims the camera at the visible part of the shots. The ground is below their lowest point.
 * `all_around`: keeps them in view from all sides. Overwrites s->pixels. */
studio_view studio_aim(studio *s, const studio_options *options, const studio_subject *subject,
                       const studio_shot *shots, uint32_t num_shots, bool all_around);

/* Something to draw in front of a background. The first four predict the cost. */
typedef struct studio_drawing {
    lm_gl_scene *scene;
    const lm_gl_scene_instance *instance;
    const lm_gl_view *view;
    const lm_gl_render_options *options;
    const lm_gl_background *background;
    bool (*draw)(const void *user, lm_error *error);
    const void *user;
} studio_drawing;

/* Draws it into s->pixels: at once, or if triangles would fill the image more than max_fill times,
 * in a smaller image that is then enlarged. */
bool studio_draw(studio *s, const studio_drawing *drawing, lm_error *error);

/* Draws a shot into s->pixels. */
bool studio_shoot(studio *s, const studio_options *options, const studio_subject *subject,
                  const studio_view *aim, const studio_shot *shot, lm_error *error);

/* ---- Series of images: an animation, or a turntable of a scene ------------------------------- */

/* A list of shots. Start from {0} with the first three set. Free it in any case. */
typedef struct shot_list {
    double rate;        /* images per second; 0: the clip's rate, which is then filled in */
    uint32_t turntable; /* images per full turn around the scene; 0: no turntable */
    uint64_t triangles; /* in each image; limits the number of images */
    studio_shot *shots;
    uint32_t num_shots;
} shot_list;

/* Returns the number of a scene's triangles. */
uint64_t shots_triangles(const lm_scene *scene);
/* Makes one shot, or a turntable, of one moment. Fails with `error` filled. */
bool shots_still(shot_list *list, const studio_shot *moment, lm_error *error);
/* Makes one shot per frame, or at the given rate; a turntable decides the number of shots. `name`:
 * the clip that all parts play; NULL: the first part alone plays `clip`. */
bool shots_played(shot_list *list, const lm_clip *clip, const char *name, lm_error *error);
void shots_free(shot_list *list);

/* ---- Contact sheets: labelled thumbnails on one page ----------------------------------------- */

typedef struct sheet_cell {
    uint8_t *pixels;           /* of the cell's size; the texts follow them */
    const char *name, *folder; /* one below the other; the folder may be empty */
} sheet_cell;

typedef struct sheet_page {
    uint32_t cell_width, cell_height;
    uint32_t group; /* number of cells that stay in one row */
    size_t num_cells, capacity;
    sheet_cell *cells;
} sheet_page;

/* Adds the first, middle and last frame of every clip, with labels. */
bool sheet_add_clips(const studio_options *options, studio *s, const studio_subject *subject,
                     sheet_page *sheet, lm_error *error);
/* Adds the first frame of the scene's rest clip, labelled with the names of the file and its
 * folder. */
bool sheet_add_thumbnail(const studio_options *options, studio *s, const studio_subject *subject,
                         const char *name, const char *folder, sheet_page *sheet, lm_error *error);
/* Moves the cells to a buffer, for another process. Fails the buffer if there is no memory. */
void sheet_pack(sheet_page *sheet, lm_buffer *out);
/* Adds the cells of a buffer. Returns false if there is no memory. */
bool sheet_unpack(sheet_page *sheet, const lm_buffer *packed);
/* Appends the page as PNG. */
bool sheet_write(const sheet_page *sheet, const studio_options *options, lm_buffer *out,
                 lm_error *error);
void sheet_free(sheet_page *sheet);

/* ---- An image of the differences between two models ------------------------------------------ */

/* Two models and their comparison. */
typedef struct difference_models {
    const char *names[2];
    const lm_model *models[2];
    const lm_mesh *meshes[2];
    const lm_comparison *found;
} difference_models;

/* Draws both models side by side as PNG, in the frame with the largest distance, coloured by
 * distance, with a legend. `coarse`: the coarser side. Fails with `error` filled; always in a build
 * without the renderer. */
bool difference_draw(const difference_models *models, lm_buffer *png, coarse_image *coarse,
                     lm_error *error);

/* ---- Animations as WebP ---------------------------------------------------------------------- */

/* An animation. In a build without libwebp, webp_film_new fails. */
typedef struct webp_film webp_film;
webp_film *webp_film_new(uint32_t width, uint32_t height, double rate, lm_error *error);
bool webp_film_add(webp_film *film, const uint8_t *pixels, lm_error *error);
bool webp_film_finish(webp_film *film, lm_buffer *out, lm_error *error);
void webp_film_free(webp_film *film);

#endif
