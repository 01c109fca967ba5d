/* Whatever convert is given, opened: a scene or an imported mesh, and one mesh of it. */
#include "convert.h"
#include "paths.h"

/* Whether a model's skins are in its file. */
static bool has_pixels(const lm_file *file) {
    const char *name = lm_format_of(file->data, file->size);
    const lm_format_info *format = name ? lm_format_by_name(name) : NULL;
    return format && (format->abilities & LM_ABILITY_EMBEDDED_SKINS);
}

/* What cannot be read is for the model's opening to say, but for want of memory: a file may be
 * read there that is no model. */
bool convert_open(tool_job *job, const convert_settings *settings, convert_opened *o) {
    tool_wishes wishes = settings->wishes;
    lm_error error;
    if (convert_is_sequence(job))
        return convert_sequence(job, settings, o);
    const bool folder = lm_disk_is_folder(job->disk, job->path);
    if (!folder && !lm_disk_read(job->disk, job->path, job->max_input, &o->file, &error)) {
        if (error.code == LM_CODE_OUT_OF_MEMORY) {
            tool_fail_error(job, &error, false);
            return false;
        }
    } else if (!folder) {
        if (convert_is_import(job, &o->file))
            return convert_import(job, settings, &o->file, o);
        wishes.options.file = &o->file;
        if (convert_has_beside(settings) && has_pixels(&o->file))
            wishes.options.pictures = LM_PICTURES_PIXELS;
    }
    if (tool_has(settings->args, TOOL_TAG))
        tool_complain(job, "--tag names nodes of glTF, FBX and the like; this model's tags stay as "
                           "they are");
    return (o->assets = tool_open(job, &wishes, false)) != NULL &&
           convert_plan(job, settings, o->assets->scene,
                        o->assets->scene->parts[0].model->num_frames, &o->subject);
}

void convert_close(convert_opened *o) {
    convert_subject_free(&o->subject);
    convert_imported_free(&o->imported);
    lm_assets_free(o->assets);
    lm_file_free(&o->file);
}

/* ---- One mesh ------------------------------------------------------------------------------- */

static void tell_notes(tool_job *job, const convert_settings *settings, const lm_composition *made,
                       uint32_t first) {
    for (uint32_t i = first; i < made->num_notes; i++)
        if (made->notes[i].severity > LM_NOTE)
            tool_complain(job, "%s", made->notes[i].text);
        else if (!settings->quiet)
            tool_say(job, "%s", made->notes[i].text);
}

lm_composition *convert_compose(tool_job *job, const convert_settings *settings,
                                const convert_opened *opened) {
    const convert_subject *subject = &opened->subject;
    const lm_export_options *plan = &subject->plan;
    const bool several = subject->scene.num_parts > 1;
    const lm_scene_part *part = &subject->parts[0];
    lm_error error;
    lm_compose_options options = {.still = plan->still,
                                  .frame = plan->frame,
                                  .first_frame = plan->first_frame,
                                  .num_frames = plan->num_frames,
                                  .clips =
                                      tool_has(settings->args, TOOL_CLIP) && !settings->has_frames,
                                  .fps = settings->fps,
                                  .scale = settings->scale};
    if (several && settings->has_frames) {
        tool_fail(job,
                  "--frames has no meaning for several models in one file: choose with --clip");
        return NULL;
    }
    if (subject->mesh) /* which was imported at that rate and scale */
        options.fps = options.scale = 0;
    lm_composition *made = subject->mesh ? lm_compose_mesh(subject->mesh, part->clips,
                                                           part->num_clips, &options, &error)
                                         : lm_compose_scene(&subject->scene, &options, &error);
    if (made)
        tell_notes(job, settings, made, 0);
    else if (several && error.code == LM_CODE_LIMIT)
        tool_fail(job, "%s: choose some with --clip", error.message);
    else
        tool_fail_error(job, &error, false);
    return made;
}

bool convert_dress(tool_job *job, const convert_settings *settings, const convert_opened *opened,
                   const char *path, lm_composition *made) {
    const uint32_t told = made->num_notes;
    const lm_import *import = opened->imported.import;
    lm_error error;
    if (import) {
        made->num_textures = opened->subject.scene.num_textures;
        made->textures = opened->subject.scene.textures;
        made->num_skins = opened->subject.parts[0].num_skins;
        made->skins = opened->subject.parts[0].skins;
        made->num_skin_surfaces = made->mesh.num_surfaces;
        made->embedded = true;
        made->from_game = import->ours && !opened->imported.joined;
    }
    const bool done = lm_compose_images(made, settings->model, path, settings->skin_path, &error);
    tell_notes(job, settings, made, told);
    if (!done)
        tool_fail(job, "%s", error.message);
    return done;
}
