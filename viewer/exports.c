#include "exports.h"

#include "display_text.h"
#include "image/sheet.h"
#include "image/shots.h"
#include "image/webp.h"
#include "lerpmesh/compose.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/files.h"
#include "lerpmesh/image.h"
#include "text.h"

#include <string.h>

#define SAMPLES 4           /* per pixel */
#define TURNTABLE_SHOTS 72  /* 5 degrees each */
#define TURNTABLE_RATE 24.0 /* images per second */

const char *export_extension(const export_options *options) {
    static const char *const extensions[] = {"png", "webp", "webp", "png", "glb", "obj"};
    return options->kind == EXPORT_MODEL ? options->format->extension : extensions[options->kind];
}

bool export_has_size(const export_options *options) {
    return options->kind <= EXPORT_SHEET;
}

/* ---- Files --------------------------------------------------------------------------------- */

/* The files of an export: the main file comes last. */
typedef struct export_files {
    char *folder;
    GPtrArray *paths;
    GArray *contents; /* lm_buffer */
} export_files;

static void clear_buffer(gpointer buffer) {
    lm_buffer_free(buffer);
}

static export_files files_new(const char *path) {
    export_files files = {g_path_get_dirname(path), g_ptr_array_new_with_free_func(g_free),
                          g_array_new(FALSE, TRUE, sizeof(lm_buffer))};
    g_array_set_clear_func(files.contents, clear_buffer);
    return files;
}

static void files_free(export_files *files) {
    g_free(files->folder);
    g_ptr_array_unref(files->paths);
    g_array_unref(files->contents);
}

/* Adds a file, and takes its contents. `name`: in the folder. */
static void files_add(export_files *files, const char *name, lm_buffer *contents) {
    g_ptr_array_add(files->paths, g_build_filename(files->folder, name, NULL));
    g_array_append_vals(files->contents, contents, 1);
    *contents = (lm_buffer){0};
}

/* Returns whether there is another file with that path. */
static bool is_taken(const char *path, const lm_buffer *contents) {
    char *old = NULL;
    gsize size = 0;
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return false;
    const bool equal = g_file_get_contents(path, &old, &size, NULL) && size == contents->size &&
                       (size == 0 || memcmp(old, contents->data, size) == 0);
    g_free(old);
    return !equal;
}

/* Returns NULL, or a message. */
static char *files_write(export_files *files, const char *path, lm_buffer *contents) {
    lm_error error;
    const guint count = files->paths->len;
    lm_file_output *outputs = g_new0(lm_file_output, count + 1);
    char *message = NULL;
    for (guint i = 0; i < count && !message; i++) {
        const lm_buffer *other = &g_array_index(files->contents, lm_buffer, i);
        const char *name = g_ptr_array_index(files->paths, i);
        outputs[i] = (lm_file_output){.path = name, .data = other->data, .size = other->size};
        if (is_taken(name, other)) {
            char *shown = g_filename_display_name(name);
            message = g_strdup_printf(TEXT_FILE_TAKEN, shown);
            g_free(shown);
        }
    }
    outputs[count] = (lm_file_output){.path = path, .data = contents->data, .size = contents->size};
    if (!message && !lm_file_write_all(outputs, count + 1, false, &error))
        message = display_message(error.code, error.message);
    g_free(outputs);
    return message;
}

/* ---- Images -------------------------------------------------------------------------------- */

static studio_options options_of(const export_options *o) {
    return (studio_options){.width = o->width,
                            .height = o->height,
                            .samples = SAMPLES,
                            .azimuth = o->azimuth,
                            .elevation = o->elevation,
                            .zoom = 1,
                            .transparent = o->transparent,
                            .backdrop = !o->transparent,
                            .shade = o->shade,
                            .show = o->show};
}

/* Returns the name of the clip that the parts play, with that of the torso before it; NULL: only
 * one part plays. */
static char *name_clips(const document *d, const export_options *o) {
    const document_clip *clip = &d->clips[o->clip];
    if (clip->all_frames)
        return NULL;
    return o->torso && clip->part != document_torso(d)
               ? g_strconcat(o->torso, "+", clip->clip.name, NULL)
               : g_strdup(clip->clip.name);
}

static bool plan(const document *d, const export_options *o, const char *name, shot_list *list,
                 lm_error *error) {
    const document_clip *clip = &d->clips[o->clip];
    lm_pose poses[LM_MAX_PARTS];
    *list = (shot_list){.triangles = shots_triangles(document_scene(d))};
    if (o->kind == EXPORT_CLIP)
        return shots_played(list, &clip->clip, name, error);
    document_pose(d, o->clip, NULL, &o->play, poses);
    list->turntable = TURNTABLE_SHOTS;
    list->rate = TURNTABLE_RATE;
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
    char *name = name_clips(d, o);
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

/* ---- glTF and OBJ -------------------------------------------------------------------------- */

/* The lock of the encoded images of all documents. Nothing else uses them. */
static GMutex images_lock;

static bool make_gltf(const document *d, bool with_skeleton, lm_buffer *out, lm_error *error) {
    const lm_skeleton *skeletons[LM_MAX_PARTS] = {NULL};
    for (uint32_t i = 0; with_skeleton && i < document_scene(d)->num_parts; i++)
        skeletons[i] = d->bones[i] ? d->skeletons[i] : NULL;
    const lm_gltf_options options = {.common = {.name = d->name}, .skeletons = skeletons};
    return lm_assets_make_portable(d->assets, NULL, error) &&
           lm_gltf_write_scene(document_scene(d), &options, out, NULL, NULL, error);
}

/* Returns the frame that is nearest to a pose. At the end of a loop, there is nothing between the
 * last frame and the first. */
static double frame_of(const lm_pose *pose) {
    return pose->frame_b == pose->frame_a + 1 ? pose->frame_a + (double)pose->t
           : pose->t < 0.5f                   ? pose->frame_a
                                              : pose->frame_b;
}

static bool make_obj(const document *d, const export_options *o, const char *stem,
                     export_files *files, lm_buffer *out, lm_error *error) {
    const lm_scene *scene = document_scene(d);
    lm_pose poses[LM_MAX_PARTS];
    char *name = g_strconcat(stem, ".mtl", NULL);
    lm_buffer mtl = {0};
    document_pose(d, o->clip, NULL, &o->play, poses);
    const lm_export_options options = {.name = d->name, .still = true, .frame = frame_of(poses)};
    const bool made = lm_assets_make_portable(d->assets, stem, error) &&
                      lm_obj_write_scene(scene, &options, name, out, &mtl, error);
    for (uint32_t i = 0; made && i < scene->num_textures; i++) {
        const lm_scene_texture *texture = &scene->textures[i];
        lm_buffer image = {0};
        lm_buffer_append(&image, texture->data, texture->size);
        if (texture->uri)
            files_add(files, texture->uri, &image);
        lm_buffer_free(&image);
    }
    files_add(files, name, &mtl);
    g_free(name);
    return made;
}

/* ---- Models of games ----------------------------------------------------------------------- */

static bool add_images(const lm_composition *mesh, export_files *files, lm_error *error) {
    bool added = true;
    for (uint32_t i = 0; added && i < mesh->num_images; i++) {
        const lm_scene_texture *image = &mesh->images[i];
        char *name = g_path_get_basename(image->name);
        lm_buffer file = {0};
        added = (g_str_has_suffix(name, ".tga") ? lm_pixels_write_tga : lm_pixels_write_png)(
            image->pixels, image->width, image->height, &file, error);
        if (added)
            files_add(files, name, &file);
        lm_buffer_free(&file);
        g_free(name);
    }
    return added;
}

/* `report` and `files` may be NULL. The composition is freed by the caller. */
static bool make_model(const document *d, const export_options *o, const char *path,
                       export_files *files, lm_composition **mesh, lm_encode_report **report,
                       lm_buffer *out, lm_error *error) {
    *mesh = lm_compose_scene(document_scene(d), NULL, error);
    return *mesh && lm_compose_images(*mesh, o->format, path, NULL, error) &&
           (!files || add_images(*mesh, files, error)) &&
           lm_encode(&(*mesh)->mesh, o->format, NULL, out, report, error);
}

static void list_problems(GString *text, const lm_diagnostic *problems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (problems[i].severity > LM_NOTE) {
            char *problem = display_message(problems[i].code, problems[i].text);
            g_string_append_printf(text, "\n%s", problem);
            g_free(problem);
        }
}

char *export_losses(document *d, const export_options *options, bool *possible) {
    lm_error error;
    lm_composition *mesh;
    lm_encode_report *report = NULL;
    lm_buffer out = {0};
    *possible = make_model(d, options, d->file_name, NULL, &mesh, &report, &out, &error);
    char *failure = *possible ? NULL : display_message(error.code, error.message);
    GString *text = g_string_new(failure);
    g_free(failure);
    if (*possible) {
        char *size = g_format_size(report->size);
        g_string_append_printf(text, TEXT_MODEL_ERROR, size, report->max_error);
        const gsize before = text->len;
        list_problems(text, mesh->notes, mesh->num_notes);
        list_problems(text, report->problems, report->num_problems);
        if (text->len == before)
            g_string_append_printf(text, "\n%s", TEXT_NO_LOSSES);
        g_free(size);
    }
    lm_encode_report_free(report);
    lm_composition_free(mesh);
    lm_buffer_free(&out);
    return g_string_free(text, FALSE);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* Makes a file that is no image. */
static bool make(document *d, const export_options *o, const char *path, export_files *files,
                 lm_buffer *out, lm_error *error) {
    if (o->kind == EXPORT_MODEL) {
        lm_composition *mesh;
        const bool made = make_model(d, o, path, files, &mesh, NULL, out, error);
        lm_composition_free(mesh);
        return made;
    }
    char *name = g_path_get_basename(path), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    g_mutex_lock(&images_lock);
    const bool made = o->kind == EXPORT_GLTF ? make_gltf(d, o->with_skeleton, out, error)
                                             : make_obj(d, o, name, files, out, error);
    g_mutex_unlock(&images_lock);
    g_free(name);
    return made;
}

char *export_write(document *d, const export_options *options, const char *path,
                   export_progress *progress) {
    lm_error error;
    lm_buffer out = {0};
    export_files files = files_new(path);
    const bool made = export_has_size(options) ? draw(d, options, progress, &out, &error)
                                               : make(d, options, path, &files, &out, &error);
    char *message = !made ? display_message(error.code, error.message)
                    : g_atomic_int_get(&progress->stopped) ? g_strdup(TEXT_STOPPED)
                                                           : files_write(&files, path, &out);
    files_free(&files);
    lm_buffer_free(&out);
    return message;
}
