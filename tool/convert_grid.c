/* --grid-with: the takes of other files that must fit what is written without cracks. */
#include "convert.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

bool convert_grid_read(const tool_args *args, const convert_settings *settings) {
    if (!tool_has(args, TOOL_GRID_WITH))
        return true;
    if (strcmp(settings->model->name, "md2") != 0)
        return tool_usage(args, "--grid-with has no meaning for %s files, whose grid is no choice",
                          settings->extension + 1);
    if (settings->decimate > 0 || settings->lods > 0)
        return tool_usage(args, "--grid-with cannot be combined with --decimate and --lods, by "
                                "which pieces no longer fit");
    return true;
}

/* A file that is one of a set: the input itself too, if it is named for all of them. */
static bool is_input(const tool_job *job, const char *path) {
    lm_path_about one, other;
    if (strcmp(job->path, path) == 0)
        return true;
    lm_path_look(job->path, &one);
    lm_path_look(path, &other);
    return one.kind == LM_PATH_FILE && other.kind == LM_PATH_FILE && one.disk == other.disk &&
           one.number == other.number;
}

/* The frames of another file, chosen as the job's are. What it says of itself is told when it is
 * converted itself; what fails is the job's. */
static bool open_fellow(tool_job *job, const convert_settings *settings, const char *path,
                        convert_fellow *out) {
    convert_settings quiet = *settings;
    tool_job fellow = {.index = job->index,
                       .path = path,
                       .disk = job->disk,
                       .max_input = job->max_input,
                       .brief = true};
    quiet.quiet = quiet.wishes.quiet = true;
    quiet.wishes.options.pictures = LM_PICTURES_NONE;
    quiet.output.kind = TOOL_TO_STDOUT; /* no pictures are for it */
    out->made = convert_open(&fellow, &quiet, &out->opened)
                    ? convert_compose(&fellow, &quiet, &out->opened)
                    : NULL;
    if (!out->made) {
        lm_buffer_append(&job->log, fellow.log.data, fellow.log.size);
        tool_fail(job, "--grid-with %s cannot be read as it is", path);
    }
    lm_buffer_free(&fellow.log);
    lm_buffer_free(&fellow.beside);
    lm_buffer_free(&fellow.out);
    return out->made != NULL;
}

/* Pieces of one player play the same frames. */
static bool check_frames(tool_job *job, const char *path, uint32_t count, uint32_t wanted) {
    if (count == wanted)
        return true;
    tool_fail(job, "--grid-with %s has %u frame%s, but this has %u: one grid is for as many", path,
              (unsigned)count, count == 1 ? "" : "s", (unsigned)wanted);
    return false;
}

bool convert_grid_open(tool_job *job, const convert_settings *settings, uint32_t num_frames,
                       convert_grid *grid) {
    const tool_args *args = settings->args;
    *grid = (convert_grid){0};
    if (!tool_has(args, TOOL_GRID_WITH))
        return true;
    grid->fellows = calloc(args->num_given, sizeof *grid->fellows);
    grid->meshes = (const lm_take **)calloc(args->num_given, sizeof(lm_take *));
    if (!grid->fellows || !grid->meshes) {
        tool_fail(job, "out of memory");
        return false;
    }
    for (size_t i = 0; i < args->num_given; i++) {
        const char *path = args->given[i].value;
        if (args->given[i].option != TOOL_GRID_WITH || is_input(job, path))
            continue;
        convert_fellow *fellow = &grid->fellows[grid->count++];
        if (!open_fellow(job, settings, path, fellow) ||
            !check_frames(job, path, fellow->made->mesh.num_frames, num_frames))
            return false;
        grid->meshes[grid->count - 1] = &fellow->made->mesh;
    }
    return true;
}

void convert_grid_close(convert_grid *grid) {
    for (uint32_t i = 0; i < grid->count; i++) {
        lm_composition_free(grid->fellows[i].made);
        convert_close(&grid->fellows[i].opened);
    }
    free(grid->fellows);
    free((void *)grid->meshes);
}
