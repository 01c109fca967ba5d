/* `lerpmesh render`: one GL context for all inputs. */
#include "batch.h"
#include "image/studio.h"
#include "render.h"

#include <string.h>

/* The state shared by the jobs, which run one after the other. */
typedef struct render_context {
    const render_settings *settings;
    studio *studio;
    sheet_page *sheet; /* NULL: no contact sheet */
    render_gallery *gallery;
} render_context;

/* ---- Images of an input ---------------------------------------------------------------------- */

/* Returns the clip of --clip, from the first part that has it. If several clips are joined, returns
 * the longest. */
static const lm_clip *find_clip(tool_job *job, const char *name, const lm_scene *scene) {
    const lm_clip *found = NULL;
    if (!tool_check_clip(job, scene, name, strlen(name)))
        return NULL;
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_clip *clip = lm_scene_find_clip(scene, p, name);
        if (clip && (!found || (strcmp(clip->name, found->name) != 0 &&
                                lm_clip_duration(clip, LM_PLAY_AS_CLIP) >
                                    lm_clip_duration(found, LM_PLAY_AS_CLIP))))
            found = clip;
    }
    return found;
}

static bool check_frames(tool_job *job, const render_settings *settings, const lm_model *model) {
    uint32_t last = model->num_frames - 1;
    if (settings->has_frames && settings->last_frame > last)
        return tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                              "there are no frames %u-%u: the last frame is %u",
                              settings->first_frame, settings->last_frame, last);
    return !settings->has_frame || settings->frame <= (double)last ||
           tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "there is no frame %g: the last frame is %u",
                          settings->frame, last);
}

/* Returns the frames to play without a clip: those of --frames, or all frames. */
static lm_clip frames_of(const render_settings *settings, const lm_model *model) {
    lm_clip clip = {.name = "", .count = model->num_frames, .fps = LM_DEFAULT_FPS};
    if (settings->has_frames) {
        clip.first = settings->first_frame;
        clip.count = settings->last_frame - settings->first_frame + 1;
    }
    return clip;
}

static bool plan_series(const render_settings *settings, const lm_scene *scene,
                        const lm_clip *named, shot_list *list, lm_error *error) {
    const lm_model *model = scene->parts[0].model;
    if (named && (settings->has_time || !render_is_animated(settings)))
        return shots_still(list, &(studio_shot){.clip = settings->clip, .seconds = settings->time},
                           error);
    if (named)
        return shots_played(list, named, settings->clip, error);
    const bool still = !render_is_animated(settings) || settings->has_frame ||
                       (settings->turntable > 0 && !settings->has_frames);
    const bool other = still ? settings->has_frame : settings->has_frames;
    const lm_clip *rest = other ? NULL : lm_scene_rest_clip(scene);
    if (still) {
        studio_shot shot = {.clip = rest ? rest->name : NULL};
        lm_model_pose_at(model, settings->frame, &shot.pose);
        return shots_still(list, &shot, error);
    }
    if (rest && rest->count > 1)
        return shots_played(list, rest, rest->name, error);
    const lm_clip clip = frames_of(settings, model);
    return shots_played(list, &clip, NULL, error);
}

/* Applies the settings to a model. Reports mistakes and fails the job. Free the list in any
 * case. */
static bool plan_shots(tool_job *job, const render_settings *settings, const lm_scene *scene,
                       shot_list *list) {
    const lm_clip *named = NULL;
    lm_error error;
    *list = (shot_list){.rate = settings->rate,
                        .turntable = settings->turntable,
                        .triangles = shots_triangles(scene)};
    if (!check_frames(job, settings, scene->parts[0].model) ||
        (settings->clip && !(named = find_clip(job, settings->clip, scene))))
        return false;
    return plan_series(settings, scene, named, list, &error) || tool_fail_error(job, &error);
}

/* ---- Drawing -------------------------------------------------------------------------------- */

/* If a texture is too large for so small an image, reports the limit and how to raise it. */
static void report_texture_limit(tool_job *job, const render_settings *settings,
                                 const lm_assets *assets) {
    const uint64_t max = settings->options.max_pixels;
    bool limited = false;
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) /* not those of scripts */
        limited =
            limited || (strcmp(assets->diagnostics[i].location.section, LM_SUBJECT_TEXTURE) == 0 &&
                        assets->diagnostics[i].code == LM_CODE_LIMIT &&
                        strstr(assets->diagnostics[i].text, " pixels exceed"));
    if (limited && max)
        tool_note(job,
                  "images of this size read textures of at most %llu pixels; a larger --size "
                  "reads larger ones",
                  (unsigned long long)max);
}

/* Uploads the scene, and reports the diagnostics of its textures. */
static bool load(tool_job *job, const render_context *work, const lm_assets *assets,
                 studio_subject *subject) {
    lm_error error;
    tool_report_textures(job, assets, LM_SEVERITY_WARNING);
    report_texture_limit(job, work->settings, assets);
    const char *clip = work->settings->clip ? work->settings->clip : "";
    subject->scene = lmi_scene_join(assets->scene, &clip, 1, job->arena);
    if (!subject->scene)
        return tool_fail_memory(job);
    subject->drawn = lm_gl_scene_new(work->studio->gl, subject->scene, &error);
    if (!subject->drawn)
        return tool_fail_error(job, &error);
    if (tool_has(job->args, LM_OPTION_VERBOSE) || !job->tree)
        tool_report_textures(job, assets, LM_SEVERITY_NOTE);
    return true;
}

/* Finds the skeletons of the parts, and reports those that are not good. Free the bones in any
 * case. */
static bool find_bones(tool_job *job, const render_settings *settings, const lm_scene *scene,
                       skeleton_bones **bones) {
    const lm_skeleton_options options = {.max_bones = settings->max_bones};
    lm_skeleton *found[LM_MAX_PARTS];
    lm_error error;
    bool made = true;
    if (!skeletons_find(scene, &options, found, &error))
        return tool_fail_error(job, &error);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const bool refused = found[i]->verdict == LM_SKELETON_REFUSED;
        /* The static head of a player needs none. */
        if (found[i]->verdict != LM_SKELETON_ACCEPTED &&
            (scene->num_parts == 1 || scene->parts[i].model->num_frames > 1))
            tool_warn(job, "%s: %s", refused ? "no skeleton" : "skeleton", found[i]->reason);
        if (settings->max_bones > 0 && scene->parts[i].model->bones)
            tool_warn(job, "--skeleton=%u has no effect: the file has its own skeleton of %s",
                      (unsigned)settings->max_bones,
                      lmi_count_nouns(found[i]->num_joints, "joints").text);
        bones[i] = refused ? NULL : skeleton_bones_new(found[i]);
        made = made && (refused || bones[i]);
    }
    skeletons_free(found, scene->num_parts);
    return made || tool_fail_memory(job);
}

/* If an image was drawn coarsely, reports why, and how to draw it in full. */
static void report_coarse(tool_job *job, const coarse_image *image) {
    if (image->fill > 0)
        tool_warn(
            job,
            "its triangles fill an image %.0f times, more than %g times: drawn at %u x %u and "
            "enlarged (--max-fill)",
            image->fill, image->max_fill, image->width, image->height);
}

static bool draw_shots(tool_job *job, const render_context *work, const studio_subject *subject,
                       const shot_list *list, image_sink *sink) {
    lm_error error;
    studio_view aim = studio_aim(work->studio, &work->settings->drawing, subject, list->shots,
                                 list->num_shots, work->settings->turntable > 0);
    for (uint32_t i = 0; i < list->num_shots; i++) {
        if (!studio_shoot(work->studio, &work->settings->drawing, subject, &aim, &list->shots[i],
                          &error))
            return tool_fail_error(job, &error);
        if (!sink_add(sink, work->studio->pixels))
            return false;
    }
    return sink_finish(sink);
}

static void report_result(tool_job *job, const render_context *work, const image_sink *sink) {
    const render_settings *s = work->settings;
    const char *file = s->output.before ? s->output.path : sink->path;
    const uint32_t written = sink->count - sink->kept;
    tool_output_note_kept(job, sink->kept);
    if (job->json)
        render_write_json(job, s, file, written);
    else
        tool_note(job, "wrote %s: %s of %u x %u", file ? file : "standard output",
                  lmi_count_nouns(written, "images").text, sink->width, sink->height);
}

static void draw_input(tool_job *job, const render_context *work, const studio_subject *subject) {
    shot_list list;
    image_sink sink;
    if (plan_shots(job, work->settings, subject->scene, &list)) {
        if (sink_open(&sink, job, work->settings, list.rate) &&
            draw_shots(job, work, subject, &list, &sink))
            report_result(job, work, &sink);
        sink_close(&sink);
    }
    shots_free(&list);
}

/* Returns whether a sheet shows several models: several inputs, or the contents of a folder or an
 * archive. */
static bool has_thumbnails(const tool_args *args) {
    return args->num_inputs > 1 || (args->num_inputs == 1 && args->inputs[0].tree);
}

static bool add_thumbnail(tool_job *job, const render_context *work, const studio_subject *subject,
                          lm_error *error) {
    const char *name = lmi_vfs_base_name(job->vfs, job->path);
    const char *tree = job->tree ? job->tree : name, *slash = strrchr(tree, '/');
    const char *folder = lmi_arena_text(job->arena, tree, slash ? (size_t)(slash - tree) : 0);
    return folder ? sheet_add_thumbnail(&work->settings->drawing, work->studio, subject,
                                        slash ? slash + 1 : name, folder, work->sheet, error)
                  : lmi_fail_memory(error);
}

static void add_to_sheet(tool_job *job, const render_context *work, const studio_subject *subject) {
    lm_error error;
    const uint32_t before = (uint32_t)work->sheet->num_cells;
    if (!(has_thumbnails(job->args) ? add_thumbnail(job, work, subject, &error)
                                    : sheet_add_clips(&work->settings->drawing, work->studio,
                                                      subject, work->sheet, &error)))
        tool_fail_error(job, &error);
    else if (job->json)
        render_write_json(job, work->settings, NULL, (uint32_t)work->sheet->num_cells - before);
}

/* Notes what the player's camera is for, unless a path looks like that of a weapon. */
static void note_eye(tool_job *job, const char *path) {
    if (strncmp(path, "v_", 2) != 0 && !strstr(path, "/v_") && !strstr(path, "weapon") &&
        !lmi_is_hand(job->vfs, path))
        tool_note(job, "the eye is at the model's origin, for first-person weapons");
}

static void render_file(tool_job *job, const void *context) {
    const render_context *work = context;
    skeleton_bones *bones[LM_MAX_PARTS] = {NULL};
    studio_subject subject = {.bones = work->settings->skeleton ? bones : NULL};
    lm_assets *assets = tool_open(job, &work->settings->options,
                                  lmi_vfs_is_weapon(job->vfs, job->path, false, job->arena));
    work->studio->coarse.fill = 0;
    if (assets && work->settings->drawing.eye)
        note_eye(job, assets->assets[0].path);
    if (assets && load(job, work, assets, &subject) &&
        (!subject.bones || find_bones(job, work->settings, subject.scene, bones))) {
        if (work->settings->gallery)
            render_gallery_add(job, work->settings, work->studio, &subject, assets);
        else
            (work->sheet ? add_to_sheet : draw_input)(job, work, &subject);
    }
    report_coarse(job, &work->studio->coarse);
    if (work->sheet)
        sheet_pack(work->sheet, &job->passed);
    for (uint32_t i = 0; i < LM_MAX_PARTS; i++)
        skeleton_bones_free(bones[i]);
    lm_gl_scene_free(subject.drawn);
    lm_assets_free(assets);
}

static void take(tool_job *job, const void *context) {
    const render_context *work = context;
    if (work->settings->gallery)
        render_gallery_take(work->gallery, job);
    if (work->sheet && !sheet_unpack(work->sheet, &job->passed))
        tool_fail_memory(job);
}

static bool begin(const void *context, lm_error *error) {
    const render_context *work = context;
    return studio_open(work->studio, &work->settings->drawing, error);
}

static void end(const void *context) {
    studio_close(((const render_context *)context)->studio);
}

/* Writes the page of --sheet for all inputs. */
static int write_sheet(const render_settings *settings, const sheet_page *sheet) {
    tool_job job = page_begin(settings);
    lm_buffer png = {0};
    lm_error error;
    if (!sheet_write(sheet, &settings->drawing, &png, &error))
        tool_fail(&job, "%s", error.message);
    else if (page_put(&job, settings, &png))
        tool_note(&job, "wrote a page of %s of %u x %u",
                  lmi_count_nouns(sheet->num_cells, "images").text, sheet->cell_width,
                  sheet->cell_height);
    lm_buffer_free(&png);
    return page_end(&job);
}

int render_run(const tool_args *args) {
    render_settings settings;
    studio renderer = {0};
    if (!render_settings_read(args, &settings))
        return TOOL_USAGE;
    if (settings.gallery && !render_gallery_begin(&settings))
        return TOOL_FAILED;
    sheet_page page = {.cell_width = settings.drawing.width,
                       .cell_height = settings.drawing.height,
                       .group = has_thumbnails(args) ? 1 : 3};
    render_gallery gallery = {.settings = &settings};
    const render_context work = {&settings, &renderer, settings.sheet ? &page : NULL, &gallery};
    int status = tool_batch_run(
        &(tool_batch){.args = args,
                      .work = render_file,
                      .apart = true,
                      .begin = begin,
                      .end = end,
                      .passed = take,
                      .context = &work,
                      .done = "drawn",
                      .output = settings.gallery ? &settings.pictures : &settings.output});
    if (page.num_cells > 0 && write_sheet(&settings, &page) != TOOL_DONE)
        status = TOOL_FAILED;
    if (gallery.count > 0 && render_gallery_write(&gallery) != TOOL_DONE)
        status = TOOL_FAILED;
    sheet_free(&page);
    render_gallery_free(&gallery);
    return status;
}
