/* --shared-grid: other files that must fit the output without cracks. */
#include "convert.h"
#include "isolate.h"

#include <string.h>

bool convert_grid_read(const tool_args *args, const convert_settings *settings) {
    if (!tool_has(args, TOOL_SHARED_GRID))
        return true;
    if (strcmp(settings->model->name, "md2") != 0)
        return tool_usage(args,
                          "--shared-grid does not apply to %s files; only MD2 has a grid to choose",
                          settings->extension + 1);
    if (settings->decimate > 0 || settings->lods > 0)
        return tool_usage(args,
                          "--shared-grid cannot be combined with --decimate and --lods, which "
                          "open cracks between the models");
    return true;
}

/* Returns whether a path is the job's input, so that a set of files can name all of them. */
static bool is_input(const tool_job *job, const char *path) {
    lm_path_identity one, other;
    lm_path_identify(job->path, &one);
    lm_path_identify(path, &other);
    return strcmp(job->path, path) == 0 || tool_is_same(&one, &other);
}

/* Opens another file with the same selection of frames as the job. Its warnings are reported when
 * it is converted itself; its errors fail the job. Pieces of one player have the same number of
 * frames. */
static bool open_other(tool_job *job, convert_shared *f, const char *path, uint32_t num_frames) {
    f->job = (tool_job){.index = job->index,
                        .path = path,
                        .args = job->args,
                        .vfs = job->vfs,
                        .max_input = job->max_input,
                        .quiet = true};
    f->composition = convert_open(&f->opened) ? convert_compose(&f->opened) : NULL;
    job->memory.failed = job->memory.failed || f->job.memory.failed;
    if (!f->composition && f->job.memory.failed)
        return false;
    if (!f->composition) {
        lm_buffer_append(&job->log, f->job.log.data, f->job.log.size);
        return tool_fail(job, "cannot read the --shared-grid model %s", path);
    }
    const uint32_t count = f->composition->mesh.num_frames;
    return count == num_frames ||
           tool_fail(
               job,
               "--shared-grid %s has %u frame%s, but this model has %u; the numbers must be equal",
               path, (unsigned)count, count == 1 ? "" : "s", (unsigned)num_frames);
}

bool convert_grid_open(const conversion *c, uint32_t num_frames, convert_grid *grid) {
    const tool_args *args = c->settings->args;
    const char *path;
    *grid = (convert_grid){.settings = *c->settings};
    if (!tool_has(args, TOOL_SHARED_GRID))
        return true;
    grid->settings.options.images = LM_IMAGES_NONE;
    grid->settings.output.kind = TOOL_TO_STDOUT; /* so that no images are read */
    grid->others = tool_alloc(&c->job->memory, args->num_given, sizeof *grid->others);
    grid->meshes = tool_alloc(&c->job->memory, args->num_given, sizeof(lm_mesh *));
    if (!grid->others || !grid->meshes)
        return false;
    for (size_t at = 0; (path = tool_next_value(args, TOOL_SHARED_GRID, &at));) {
        if (is_input(c->job, path))
            continue;
        convert_shared *other = &grid->others[grid->count++];
        other->opened = (conversion){.job = &other->job, .settings = &grid->settings};
        if (!open_other(c->job, other, path, num_frames))
            return false;
        grid->meshes[grid->count - 1] = &other->composition->mesh;
    }
    return true;
}

void convert_grid_close(convert_grid *grid) {
    for (uint32_t i = 0; i < grid->count; i++) {
        convert_shared *f = &grid->others[i];
        lm_composition_free(f->composition);
        convert_close(&f->opened);
        lm_buffer_free(&f->job.log);
        lm_buffer_free(&f->job.sidecar_inputs);
        lm_buffer_free(&f->job.out);
        tool_memory_free(&f->job.memory);
        tool_shared_free(f->job.shared);
    }
}
