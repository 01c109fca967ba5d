#include "image/studio.h"

#include "image/labels.h"
#include "orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool studio_open(studio *s, const studio_options *options, lm_error *error) {
    *s = (studio){.width = options->width,
                  .height = options->height,
                  .samples = options->samples,
                  .coarse.max_fill = options->max_fill > 0 ? options->max_fill : STUDIO_MAX_FILL};
    s->headless = lm_gl_headless_new(NULL, error);
    s->gl = s->headless ? lm_gl_new(NULL, error) : NULL;
    if (s->gl)
        s->target = lm_gl_target_new(s->gl, s->width, s->height, options->samples, error);
    if (!s->target)
        return false;
    s->pixels = malloc((size_t)s->width * s->height * 4);
    return s->pixels || lmi_fail_memory(error);
}

void studio_close(studio *s) {
    lm_gl_target_free(s->target);
    lm_gl_target_free(s->rough);
    lm_gl_free(s->gl);
    lm_gl_headless_free(s->headless);
    free(s->pixels);
}

#define WITHOUT_MARGIN 0.95f /* fraction of the image */

/* ---- Poses ----------------------------------------------------------------------------------- */

static void pose_parts(const lm_scene *scene, const studio_shot *shot, lm_pose *poses) {
    lm_scene_pose(scene, shot->clip, shot->seconds, poses);
    if (!shot->clip)
        poses[0] = shot->pose;
    lm_scene_follow(scene, poses);
}

static lm_gl_render_options options_of(const studio_options *options) {
    return (lm_gl_render_options){
        .shade = options->shade,
        .show = options->show |
                (options->background.gradient && !options->eye ? LM_GL_SHOW_SHADOW : 0u)};
}

/* ---- The camera ---------------------------------------------------------------------------- */

/* Aims at the vertices of all triangles. */
static studio_view aim_at_corners(const studio *s, const studio_options *options,
                                  const studio_subject *subject, const studio_shot *shots,
                                  uint32_t num_shots, bool all_around, float zoom) {
    const size_t parts = subject->scene->num_parts;
    const lm_gl_render_options render = options_of(options);
    studio_view aim = {.camera = {.azimuth = options->azimuth,
                                  .elevation = options->elevation,
                                  .aspect = (float)s->width / (float)s->height,
                                  .zoom = zoom * WITHOUT_MARGIN,
                                  .orbits = all_around},
                       .scale = 1};
    lm_pose *poses = calloc(num_shots + (size_t)1, parts * sizeof *poses);
    lm_gl_scene_instance *instances = calloc(num_shots + (size_t)1, sizeof *instances);
    lm_error error; /* drawing reports it */
    for (uint32_t i = 0; poses && instances && i < num_shots; i++) {
        instances[i] =
            (lm_gl_scene_instance){.poses = poses + i * parts, .seconds = shots[i].seconds};
        pose_parts(subject->scene, &shots[i], poses + i * parts);
    }
    if (poses && instances)
        (void)lm_gl_scene_fit(subject->drawn, instances, num_shots, &render, &aim.camera,
                              &aim.extent, &error);
    free(poses);
    free(instances);
    return aim;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Returns the camera's view, zoomed to the area of interest. */
static lm_gl_view view_of(const studio_view *aim, float azimuth) {
    lm_gl_camera camera = aim->camera;
    camera.azimuth += azimuth;
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    for (int column = 0; column < 16; column += 4)
        for (int i = 0; i < 2; i++)
            view.matrix[column + i] =
                aim->scale * (view.matrix[column + i] - aim->middle[i] * view.matrix[column + 3]);
    return view;
}

#define MIN_PIXELS (64.0 * 64.0) /* smaller images cost little, and have the limit of this size */

/* Chooses the size of the image to draw: the image's own, or half of it as often as needed to fill
 * no more pixels than max_fill times those of the whole image. */
static bool choose_size(studio *s, const studio_drawing *d, uint32_t size[2], lm_error *error) {
    const double max_pixels = s->coarse.max_fill * fmax((double)s->width * s->height, MIN_PIXELS);
    double fill, first = 0;
    for (uint32_t divisor = 1;; divisor *= 2) {
        size[0] = (s->width + divisor - 1) / divisor;
        size[1] = (s->height + divisor - 1) / divisor;
        if (!lm_gl_scene_fill(d->scene, d->view, d->instance, size[0], size[1], d->options, &fill,
                              error))
            return false;
        first = divisor == 1 ? fill : first;
        if (fill * size[0] * size[1] <= max_pixels || (size[0] == 1 && size[1] == 1))
            break;
    }
    if ((size[0] < s->width || size[1] < s->height) && first > s->coarse.fill)
        s->coarse = (coarse_image){first, s->coarse.max_fill, size[0], size[1]};
    return true;
}

/* Draws with a target into pixels of its size. */
static bool draw_on(const studio *s, lm_gl_target *target, const studio_drawing *d, uint8_t *pixels,
                    lm_error *error) {
    return lm_gl_begin(s->gl, target, 0, 0, d->background, error) && d->draw(d->user, error) &&
           lm_gl_target_read(target, pixels, error);
}

bool studio_draw(studio *s, const studio_drawing *d, lm_error *error) {
    uint32_t size[2];
    if (!choose_size(s, d, size, error))
        return false;
    if (size[0] == s->width && size[1] == s->height)
        return draw_on(s, s->target, d, s->pixels, error);
    lm_gl_target *target = lm_gl_target_new(s->gl, size[0], size[1], s->samples, error);
    if (!target)
        return false;
    uint8_t *small = malloc((size_t)4 * size[0] * size[1]);
    const bool drawn = small && draw_on(s, target, d, small, error);
    if (drawn) {
        uint8_t *pixel = s->pixels;
        for (size_t y = 0; y < s->height; y++)
            for (size_t x = 0; x < s->width; x++, pixel += 4)
                memcpy(pixel,
                       small + 4 * (y * size[1] / s->height * size[0] + x * size[0] / s->width), 4);
    } else if (!small)
        lmi_fail_memory(error);
    lm_gl_target_free(target);
    free(small);
    return drawn;
}

/* A shot to draw, for draw_shot. */
typedef struct shot_drawing {
    const studio *studio;
    const studio_options *options;
    const studio_subject *subject;
    const lm_gl_scene_instance *instance;
    const lm_gl_view *view;
    const lm_gl_render_options *render;
} shot_drawing;

static bool draw_shot(const void *user, lm_error *error) {
    const shot_drawing *d = user;
    const studio_subject *subject = d->subject;
    const labels_image image = {d->studio->width, d->studio->height, 1};
    const lm_pose *poses = d->instance->poses;
    return lm_gl_scene_draw(subject->drawn, d->view, d->instance, 1, d->render, error) &&
           (!subject->bones ||
            skeletons_draw(d->studio->gl, d->view, subject->scene, poses, subject->bones, error)) &&
           labels_draw(d->studio->gl, d->view, subject->scene, poses, d->options->show, &image,
                       error);
}

bool studio_shoot(studio *s, const studio_options *options, const studio_subject *subject,
                  const studio_view *aim, const studio_shot *shot, lm_error *error) {
    const lm_gl_view view = view_of(aim, shot->azimuth);
    lm_gl_render_options render = options_of(options);
    lm_pose poses[LM_MAX_PARTS];
    const lm_gl_scene_instance instance = {.poses = poses, .seconds = shot->seconds};
    const shot_drawing d = {s, options, subject, &instance, &view, &render};
    pose_parts(subject->scene, shot, poses);
    render.extent = &aim->extent;
    return studio_draw(s,
                       &(studio_drawing){subject->drawn, &instance, &view, &render,
                                         &options->background, draw_shot, &d},
                       error);
}

/* ---- Aiming at visible pixels ---------------------------------------------------------------
 *
 * The textures of flames and flashes are black or transparent near their edges, so their triangles
 * are much larger than their visible parts. */

static bool may_be_transparent(const lm_scene *scene) {
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_scene_part *part = &scene->parts[p];
        for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++) {
            const lm_scene_material *material = &part->skins[part->skin].materials[i];
            if (material->shader || material->alpha != LM_ALPHA_OPAQUE)
                return true;
        }
    }
    return false;
}

/* Columns and rows from `min` up to, but not including, `max`. */
typedef struct visible_box {
    uint32_t min[2], max[2];
} visible_box;

/* A colour that models hardly ever have. */
static const uint8_t key[3] = {128, 102, 153};

#define MIN_DIFFERENCE 6 /* of 255: smaller differences do not count as visible */

static void add_visible(const studio *s, visible_box *box) {
    const uint8_t *pixel = s->pixels;
    for (uint32_t y = 0; y < s->height; y++)
        for (uint32_t x = 0; x < s->width; x++, pixel += 4) {
            const uint32_t at[2] = {x, y};
            if (abs(pixel[0] - key[0]) <= MIN_DIFFERENCE &&
                abs(pixel[1] - key[1]) <= MIN_DIFFERENCE &&
                abs(pixel[2] - key[2]) <= MIN_DIFFERENCE)
                continue;
            for (int i = 0; i < 2; i++) {
                box->min[i] = at[i] < box->min[i] ? at[i] : box->min[i];
                box->max[i] = at[i] < box->max[i] ? box->max[i] : at[i] + 1;
            }
        }
}

/* Returns the box in which the shots differ from an empty image. False if they do not differ. */
static bool find_visible(studio *s, const studio_options *options, const studio_subject *subject,
                         const studio_view *aim, const studio_shot *shots, uint32_t num_shots,
                         visible_box *box) {
    studio rough = *s;
    studio_options plain = *options;
    lm_error error; /* drawing reports it */
    if (!s->rough)
        s->rough = lm_gl_target_new(s->gl, s->width, s->height, 1, &error);
    if (!s->rough)
        return false;
    rough.target = s->rough;
    rough.samples = 1;
    plain.background = (lm_gl_background){.color = {0, 0, 0, 1}}; /* without a shadow */
    for (int i = 0; i < 3; i++)
        plain.background.color[i] = (float)key[i] / 255;
    *box = (visible_box){{UINT32_MAX, UINT32_MAX}, {0, 0}};
    for (uint32_t i = 0; i < num_shots; i++)
        if (studio_shoot(&rough, &plain, subject, aim, &shots[i], &error))
            add_visible(s, box);
    return box->max[0] > 0;
}

#define MIN_FILLED 0.9f /* of the image's width or height is enough */
#define MAX_SCALE 10.0f

/* Zooms until the box fills the image, times `zoom`. Returns false if it already does. */
static bool enlarge(const studio *s, const visible_box *box, float zoom, studio_view *aim) {
    const float size[2] = {(float)s->width, (float)s->height};
    float filled = 0;
    for (int i = 0; i < 2; i++) {
        filled = fmaxf(filled, (float)(box->max[i] - box->min[i]) / size[i]);
        aim->middle[i] = (float)(box->max[i] + box->min[i]) / size[i] - 1;
    }
    aim->middle[1] = -aim->middle[1]; /* rows count downwards */
    aim->scale = zoom * fminf(WITHOUT_MARGIN / filled, MAX_SCALE);
    return filled < MIN_FILLED;
}

studio_view studio_aim(studio *s, const studio_options *options, const studio_subject *subject,
                       const studio_shot *shots, uint32_t num_shots, bool all_around) {
    visible_box visible;
    if (options->eye) {
        studio_view aim = aim_at_corners(s, options, subject, shots, num_shots, false, 1);
        aim.camera = orbit_eye(aim.camera.aspect, options->zoom);
        return aim;
    }
    if (may_be_transparent(subject->scene)) {
        studio_view aim = aim_at_corners(s, options, subject, shots, num_shots, all_around, 1);
        if (find_visible(s, options, subject, &aim, shots, num_shots, &visible) &&
            enlarge(s, &visible, options->zoom, &aim))
            return aim;
    }
    return aim_at_corners(s, options, subject, shots, num_shots, all_around, options->zoom);
}

/* ---- Series of images ------------------------------------------------------------------------ */

#define MAX_SHOTS 100000
#define MAX_TRIANGLES ((uint64_t)1 << 28)

uint64_t shots_triangles(const lm_scene *scene) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        for (uint32_t k = 0; k < scene->parts[i].model->num_surfaces; k++)
            count += scene->parts[i].model->surfaces[k].num_triangles;
    return count;
}

static bool make_room(shot_list *list, double count, lm_error *error) {
    if (count > MAX_SHOTS)
        return lm_fail_plain(error, LM_CODE_LIMIT, "%.0f images are too many; the maximum is %d",
                             count, MAX_SHOTS);
    if (count > 1 && count * (double)list->triangles > (double)MAX_TRIANGLES)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "%.0f images of %llu triangles are too many; --frames, --clip and "
                             "--rate draw fewer",
                             count, (unsigned long long)list->triangles);
    list->num_shots = count < 1 ? 1 : (uint32_t)count;
    list->shots = calloc(list->num_shots, sizeof *list->shots);
    return list->shots || lmi_fail_memory(error);
}

static void turn(shot_list *list) {
    for (uint32_t i = 0; i < list->num_shots && list->turntable > 0; i++)
        list->shots[i].azimuth = 360.0f * (float)i / (float)list->num_shots;
}

bool shots_still(shot_list *list, const studio_shot *moment, lm_error *error) {
    if (!make_room(list, list->turntable, error))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++)
        list->shots[i] = *moment;
    list->rate = list->rate > 0 ? list->rate : (double)LM_DEFAULT_FPS;
    turn(list);
    return true;
}

bool shots_played(shot_list *list, const lm_clip *clip, const char *name, lm_error *error) {
    const double rate = list->rate > 0 ? list->rate : (double)clip->fps;
    const double duration = lm_clip_duration(clip, LM_PLAY_AS_CLIP);
    const double count = floor(duration * rate + 1e-3) + (clip->loop_frames == 0);
    if (!make_room(list, list->turntable > 0 ? list->turntable : count, error))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++) {
        list->shots[i] = (studio_shot){.clip = name, .seconds = i / rate};
        lm_clip_pose(clip, i / rate, LM_PLAY_AS_CLIP, false, &list->shots[i].pose);
    }
    list->rate = rate;
    turn(list);
    return true;
}

void shots_free(shot_list *list) {
    free(list->shots);
}
