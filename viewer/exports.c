#include "exports.h"

#include "display_text.h"
#include "image/studio.h"
#include "lerpmesh/convert.h"
#include "lerpmesh/files.h"
#include "lerpmesh/image.h"
#include "text.h"

#include <string.h>

#define SAMPLES 4 /* per pixel */

const char *export_extension(const export_options *options) {
    static const char *const extensions[] = {"png", "webp", "webp", "png", "glb", "obj", "iqm"};
    return options->kind == EXPORT_MODEL ? options->format->extension : extensions[options->kind];
}

bool export_has_size(const export_options *options) {
    return options->kind <= EXPORT_SHEET;
}

/* ---- Images -------------------------------------------------------------------------------- */

static studio_options options_of(const export_options *o) {
    return (studio_options){.width = o->width,
                            .height = o->height,
                            .samples = SAMPLES,
                            .azimuth = o->azimuth,
                            .elevation = o->elevation,
                            .zoom = 1,
                            .eye = o->eye && o->kind != EXPORT_TURNTABLE,
                            .transparent = o->transparent,
                            .background.gradient = !o->transparent,
                            .shade = o->shade,
                            .show = o->show};
}

static bool plan(const document *d, const export_options *o, const char *name, shot_list *list,
                 lm_error *error) {
    const document_clip *clip = &d->clips[o->clip];
    lm_pose poses[LM_MAX_PARTS];
    *list = (shot_list){.triangles = shots_triangles(document_scene(d))};
    if (o->kind == EXPORT_CLIP)
        return shots_played(list, &clip->clip, name, error);
    document_pose(d, o->clip, NULL, &o->play, poses);
    list->turntable = o->images;
    list->rate = o->rate;
    return shots_still(
        list, &(studio_shot){.clip = name, .seconds = o->play.seconds, .pose = poses[clip->part]},
        error);
}

static bool draw_film(studio *s, const studio_subject *subject, const export_options *o,
                      const shot_list *list, export_progress *progress, lm_buffer *out,
                      lm_error *error) {
    const studio_options options = options_of(o);
    webp_film *film = webp_film_new(o->width, o->height, list->rate, error);
    const studio_view aim =
        studio_aim(s, &options, subject, list->shots, list->num_shots, o->kind == EXPORT_TURNTABLE);
    bool drawn = film != NULL;
    for (uint32_t i = 0; drawn && i < list->num_shots; i++) {
        g_atomic_int_set(&progress->permille, (gint)((uint64_t)i * 1000 / list->num_shots));
        if (g_atomic_int_get(&progress->stopped))
            drawn = lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_STOPPED);
        drawn = drawn && studio_shoot(s, &options, subject, &aim, &list->shots[i], error) &&
                webp_film_add(film, s->pixels, error);
    }
    drawn = drawn && webp_film_finish(film, out, error);
    webp_film_free(film);
    return drawn;
}

static bool draw_sheet(studio *s, const studio_subject *subject, const export_options *o,
                       lm_buffer *out, lm_error *error) {
    const studio_options options = options_of(o);
    sheet_page page = {.cell_width = o->width, .cell_height = o->height, .group = 3};
    const bool drawn = sheet_add_clips(&options, s, subject, &page, error) &&
                       sheet_write(&page, &options, out, error);
    sheet_free(&page);
    return drawn;
}

static bool draw(document *d, const export_options *o, export_progress *progress, lm_buffer *out,
                 lm_error *error) {
    const studio_options options = options_of(o);
    studio s = {0};
    shot_list list = {0};
    studio_subject subject = {.scene = &d->drawn, .bones = o->with_skeleton ? d->bones : NULL};
    char *name = d->clips[o->clip].all_frames ? NULL : document_clip_names(d, o->clip, o->torso);
    bool drawn = studio_open(&s, &options, error);
    if (drawn)
        subject.drawn = lm_gl_scene_new(s.gl, &d->drawn, error);
    drawn = drawn && subject.drawn &&
            (o->kind == EXPORT_SHEET ? draw_sheet(&s, &subject, o, out, error)
                                     : plan(d, o, name, &list, error) &&
                                           draw_film(&s, &subject, o, &list, progress, out, error));
    shots_free(&list);
    g_free(name);
    lm_gl_scene_free(subject.drawn);
    studio_close(&s);
    return drawn;
}

/* ---- glTF, OBJ and models of games --------------------------------------------------------- */

/* The lock of the encoded images of all documents. Nothing else uses them. */
static GMutex images_lock;

/* An export to convert. */
typedef struct conversion {
    lm_convert_settings *settings;
    GString *losses;           /* NULL: not needed */
    export_progress *progress; /* NULL: not shown */
} conversion;

/* Returns the frame that is nearest to a pose. At the end of a loop, there is nothing between the
 * last frame and the first. */
static double frame_of(const lm_pose *pose) {
    return pose->frame_b == pose->frame_a + 1 ? pose->frame_a + (double)pose->t
           : pose->t < 0.5f                   ? pose->frame_a
                                              : pose->frame_b;
}

static void add_loss(GString *losses, lm_code code, const char *sentence) {
    char *message = display_message(code, sentence);
    g_string_append_printf(losses, "\n%s", message);
    g_free(message);
}

static void hear(void *user, const lm_convert_message *message) {
    const conversion *c = user;
    if (c->losses && message->kind == LM_CONVERT_KIND_WARNING)
        add_loss(c->losses, message->code, message->text);
}

static bool follow(void *user, double share, const char *what) {
    const conversion *c = user;
    if (c->progress)
        g_atomic_int_set(&c->progress->permille, (gint)(share * 1000));
    return !c->progress || !g_atomic_int_get(&c->progress->stopped);
}

/* The caller frees `settings`, too, in any case. */
static lm_conversion *convert(const document *d, const export_options *o, const char *path,
                              conversion *c, lm_error *error) {
    const lm_convert_calls calls = {.user = c, .report = hear, .progress = follow};
    const lm_skeleton *skeletons[LM_MAX_PARTS];
    lm_pose poses[LM_MAX_PARTS];
    c->settings = lm_convert_settings_new(d->shared_vfs->vfs, "--", error);
    if (!c->settings)
        return NULL;
    lm_convert_options *options = &c->settings->options;
    options->format = o->kind == EXPORT_MODEL ? o->format->name : export_extension(o);
    options->path = path;
    options->skeleton = o->kind == EXPORT_GLTF && o->with_skeleton;
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++)
        skeletons[i] = d->bones[i] ? d->skeletons[i] : NULL;
    if (o->kind == EXPORT_OBJ) {
        document_pose(d, o->clip, NULL, &o->play, poses);
        options->still = true;
        options->frame = frame_of(poses);
    }
    if (!lm_convert_set_words(c->settings, o->more, error) ||
        !lm_convert_settings_check(c->settings, error))
        return NULL;
    const lm_convert_source source = {.vfs = d->shared_vfs->vfs,
                                      .path = d->request.path,
                                      .name = d->name,
                                      .assets = d->assets,
                                      .skeletons = options->skeleton ? skeletons : NULL};
    g_mutex_lock(&images_lock);
    lm_conversion *made = lm_convert(&source, options, &calls, error);
    g_mutex_unlock(&images_lock);
    return made;
}

char *export_losses(document *d, const export_options *options, bool *possible) {
    lm_error error;
    conversion c = {.losses = g_string_new(NULL)};
    lm_conversion *made = convert(d, options, d->file_name, &c, &error);
    *possible = made != NULL;
    if (!made) {
        g_string_free(c.losses, TRUE);
        lm_convert_settings_free(c.settings);
        return display_message(error.code, error.message);
    }
    const lm_encode_report *report = made->report;
    for (uint32_t i = 0; i < report->num_problems; i++)
        if (report->problems[i].severity > LM_SEVERITY_NOTE)
            add_loss(c.losses, report->problems[i].code, report->problems[i].text);
    if (c.losses->len == 0)
        g_string_append_printf(c.losses, "\n%s", _("The format can store all else."));
    char *size = g_format_size(report->size);
    char *head = g_strdup_printf(TEXT_MODEL_ERROR, size, report->max_error);
    g_string_prepend(c.losses, head);
    g_free(head);
    g_free(size);
    lm_conversion_free(made);
    lm_convert_settings_free(c.settings);
    return g_string_free(c.losses, FALSE);
}

/* ---- Writing ------------------------------------------------------------------------------- */

static bool fail_stopped(const export_progress *progress, lm_error *error) {
    return g_atomic_int_get(&progress->stopped) &&
           !lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_STOPPED);
}

static bool write_images(document *d, const export_options *o, const char *path,
                         export_progress *progress, lm_error *error) {
    lm_buffer out = {0};
    const bool written =
        draw(d, o, progress, &out, error) && !fail_stopped(progress, error) &&
        lm_file_write(&(lm_file_output){.path = path, .data = out.data, .size = out.size}, 1, false,
                      error);
    lm_buffer_free(&out);
    return written;
}

static bool write_converted(document *d, const export_options *o, const char *path,
                            export_progress *progress, lm_error *error) {
    conversion c = {.progress = progress};
    lm_conversion *made = convert(d, o, path, &c, error);
    const bool written =
        !fail_stopped(progress, error) && made && lm_convert_write(made, NULL, error);
    lm_conversion_free(made);
    lm_convert_settings_free(c.settings);
    return written;
}

char *export_write(document *d, const export_options *options, const char *path,
                   export_progress *progress) {
    lm_error error;
    const bool written = (export_has_size(options) ? write_images : write_converted)(
        d, options, path, progress, &error);
    return written ? NULL : display_message(error.code, error.message);
}
