/* `lerpmesh render`: one context for all inputs. */
#include "render.h"

#include "batch.h"
#include "paths.h"
#include "picture/sheet.h"
#include "pictures.h"
#include "shots.h"
#include "terminal.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* What the jobs share; they run one after the other. */
typedef struct shoot {
    const render_settings *settings;
    studio *studio;
    sheet_page *sheet; /* NULL: no contact sheet */
} shoot;

static bool draw_shots(tool_job *job, const shoot *work, render_sitter *sitter,
                       const shot_list *list, picture_sink *sink) {
    lm_error error;
    studio_view aim = studio_aim(work->studio, &work->settings->look, &sitter->subject, list->shots,
                                 list->num_shots, work->settings->turntable > 0);
    for (uint32_t i = 0; i < list->num_shots; i++) {
        if (!studio_shoot(work->studio, &work->settings->look, &sitter->subject, &aim,
                          &list->shots[i], &error)) {
            tool_fail(job, "%s", error.message);
            return false;
        }
        if (!sink_add(sink, work->studio->pixels))
            return false;
    }
    return sink_finish(sink);
}

static void tell_result(tool_job *job, const shoot *work, const picture_sink *sink) {
    const render_settings *s = work->settings;
    const char *where = s->numbered           ? s->output.path
                        : sink->path.size > 0 ? (const char *)sink->path.data
                                              : "standard output";
    if (!s->quiet)
        tool_say(job, "wrote %s: %u picture%s of %u x %u", where, sink->count,
                 sink->count == 1 ? "" : "s", sink->width, sink->height);
}

static void draw_input(tool_job *job, const shoot *work, render_sitter *sitter) {
    shot_list list;
    picture_sink sink;
    if (shots_plan(job, work->settings, sitter->assets->scene, &list)) {
        if (sink_open(&sink, job, work->settings, list.rate) &&
            draw_shots(job, work, sitter, &list, &sink))
            tell_result(job, work, &sink);
        sink_close(&sink);
    }
    shots_free(&list);
}

/* Whether a sheet is of many models: of several, or of what a folder or an archive holds. */
static bool has_thumbnails(const tool_args *args) {
    return args->num_inputs > 1 || (args->num_inputs == 1 && args->trees && args->trees[0]);
}

static bool add_thumbnail(const tool_job *job, const shoot *work, const studio_subject *subject,
                          lm_error *error) {
    const char *name = lm_disk_base_name(job->disk, job->path);
    const char *tree = job->tree ? job->tree : name, *slash = strrchr(tree, '/');
    char *folder = tool_copy(tree, slash ? (size_t)(slash - tree) : 0);
    const bool added =
        folder ? sheet_add_thumbnail(&work->settings->look, work->studio, subject,
                                     slash ? slash + 1 : name, folder, work->sheet, error)
               : lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    free(folder);
    return added;
}

static void add_to_sheet(tool_job *job, const shoot *work, const studio_subject *subject) {
    lm_error error;
    if (!(has_thumbnails(work->settings->args)
              ? add_thumbnail(job, work, subject, &error)
              : sheet_add_clips(&work->settings->look, work->studio, subject, work->sheet, &error)))
        tool_fail(job, "%s", error.message);
}

static void render_file(tool_job *job, const void *context) {
    const shoot *work = context;
    render_sitter sitter;
    if (!work->sheet && !work->settings->numbered &&
        tool_output_skips(job, &work->settings->output))
        return;
    if (!sitter_open(job, work->settings, work->studio, &sitter))
        return;
    if (work->sheet)
        add_to_sheet(job, work, &sitter.subject);
    else
        draw_input(job, work, &sitter);
    sitter_close(&sitter);
}

/* The page of --sheet, which all inputs share. */
static int write_sheet(const render_settings *settings, const sheet_page *sheet) {
    tool_job job = {.path = settings->output.path, .sync = tool_has(settings->args, TOOL_SYNC)};
    lm_buffer png = {0}, path = {0};
    lm_error error;
    if (!sheet_write(sheet, &settings->look, &png, &error))
        tool_fail(&job, "%s", error.message);
    else if (settings->output.kind == TOOL_TO_STDOUT)
        job.status = tool_write_result(&png) ? TOOL_DONE : TOOL_FAILED;
    else if (tool_output_path(&job, &settings->output, &path, NULL) &&
             tool_output_write(&job, (const char *)path.data, png.data, png.size) &&
             !settings->quiet)
        tool_say(&job, "wrote a page of %zu picture%s of %u x %u", sheet->num_cells,
                 sheet->num_cells == 1 ? "" : "s", sheet->cell_width, sheet->cell_height);
    tool_write_error(&job.log);
    lm_buffer_free(&job.log);
    lm_buffer_free(&path);
    lm_buffer_free(&png);
    return job.status;
}

static int fail_studio(const tool_args *args, const lm_error *error) {
    tool_job job = {.path = args->inputs[0]};
    tool_fail(&job, "%s", error->message);
    tool_write_error(&job.log);
    lm_buffer_free(&job.log);
    return TOOL_FAILED;
}

static int render_all(const render_settings *settings) {
    const tool_args *args = settings->args;
    sheet_page page = {.cell_width = settings->look.width,
                       .cell_height = settings->look.height,
                       .group = has_thumbnails(args) ? 1 : 3};
    lm_error error;
    studio place = {0};
    int status;
    if (args->num_inputs > 0 && !studio_open(&place, &settings->look, &error)) {
        status = fail_studio(args, &error);
    } else {
        shoot work = {settings, &place, settings->sheet ? &page : NULL};
        status = tool_batch_run(&(tool_batch){.args = args,
                                              .work = render_file,
                                              .context = &work,
                                              .done = "drawn",
                                              .writes = true,
                                              .one_thread = true});
        if (settings->sheet && page.num_cells > 0 && write_sheet(settings, &page) != TOOL_DONE)
            status = TOOL_FAILED;
    }
    sheet_free(&page);
    studio_close(&place);
    return status;
}

int render_run(const tool_args *args) {
    render_settings settings;
    int status = TOOL_USAGE;
    if (render_settings_read(args, &settings)) {
        status = tool_output_prepare(&settings.output);
        if (status == TOOL_DONE)
            status = render_all(&settings);
    }
    render_settings_free(&settings);
    return status;
}
