/* Mesh simplification, for the model itself and for its levels of detail. */
#include "convert.h"

#include <stdio.h>
#include <string.h>

bool convert_lods_read(const tool_args *args, convert_settings *settings) {
    const char *decimate = tool_value(args, TOOL_DECIMATE), *lods = tool_value(args, TOOL_LODS);
    uint64_t number = 0;
    if (decimate) {
        const size_t length = strlen(decimate);
        const bool share = length > 0 && decimate[length - 1] == '%';
        const char *digits = tool_copy(args->memory, decimate, length - share);
        if (!digits || !tool_parse_uint(digits, share ? 100 : INT32_MAX, &number) || number == 0)
            return tool_usage(
                args,
                "--decimate takes a number or percentage of triangles, such as 500 or "
                "50%%, not \"%s\"",
                decimate);
        settings->decimate = (uint32_t)number;
        settings->decimate_share = share;
    }
    if (lods) {
        if (!tool_parse_uint(lods, CONVERT_MAX_LODS, &number) || number == 0)
            return tool_usage(args, "--lods must be 1 or 2, not \"%s\"", lods);
        settings->lods = (uint32_t)number;
        if (settings->output.kind == TOOL_TO_STDOUT)
            return tool_usage(args,
                              "--lods writes files next to the model, which needs a file: -o FILE");
    }
    return true;
}

/* Simplifies a mesh, and reports it if the target is not reached. `name`: the name of its file;
 * NULL for the model itself. */
static lm_mesh *decimate(tool_job *job, const lm_mesh *mesh, uint64_t triangles, const char *name) {
    lm_error error;
    const uint32_t wanted = triangles > 0 ? (uint32_t)triangles : 1;
    lm_mesh *simplified = lm_mesh_decimate(mesh, wanted, NULL, &error);
    if (!simplified) {
        tool_fail_error(job, &error);
        return NULL;
    }
    const uint32_t left = (uint32_t)lm_mesh_triangles(simplified);
    if (left > wanted)
        tool_warn(
            job,
            "%s%s%u triangles remain instead of %u: removing more would tear borders or seams, "
            "flip triangles, or lose a part of the shape",
            name ? name : "", name ? ": " : "", (unsigned)left, (unsigned)wanted);
    return simplified;
}

#define MAX_COORDINATE 511.97 /* the limit of MD3 and MDC, less a margin for rounding */

static bool fail_encode(tool_job *job, const convert_settings *settings, const lm_mesh *mesh,
                        const lm_error *error) {
    lm_error hinted = *error;
    const double scale = settings->scale > 0 ? (double)settings->scale : 1;
    const bool size = strstr(error->message, "vertices") || strstr(error->message, "triangles") ||
                      strstr(error->message, "surfaces");
    const bool many = size && !strstr(error->message, "no triangles");
    if (error->code == LM_CODE_LIMIT && many && !strstr(error->message, "error of") &&
        settings->decimate == 0)
        lm_fail_plain(&hinted, error->code, "%s (--decimate N simplifies it)", error->message);
    if (strstr(error->message, "scale the model down"))
        lm_fail_plain(&hinted, error->code, "%s (--scale %g makes it fit)", error->message,
                      lm_mesh_fitting_scale(mesh, scale * MAX_COORDINATE));
    if (strstr(error->message, "the output is limited"))
        lm_fail_plain(&hinted, error->code, "%s (--max-output)", error->message);
    return tool_fail_error(job, &hinted);
}

/* What precedes the number in the names of levels of detail: X_1 (Quake III) and X-lod01 (UFO:
 * Alien Invasion). */
static const char *const marks[] = {"_", "-lod0"};
#define NUM_MARKS (sizeof marks / sizeof *marks)

/* Returns the length of the end of a name that marks a level of detail; 0: it has none. */
static size_t level_mark(const char *stem, size_t length) {
    for (size_t i = 0; i < NUM_MARKS; i++) {
        const size_t all = strlen(marks[i]) + 1;
        if (length > all && stem[length - 1] >= '1' && stem[length - 1] <= '9' &&
            tool_is_word(stem + length - all, all - 1, marks[i]))
            return all;
    }
    return 0;
}

/* Returns whether the input is a level of detail of a file next to it. */
static bool is_level(const conversion *c) {
    size_t length;
    const char *path = c->job->path, *stem = lm_vfs_stem(c->job->vfs, path, &length);
    const size_t mark = level_mark(stem, length);
    const char *full =
        mark > 0 ? tool_format(&c->job->memory, "%.*s%s",
                               (int)((size_t)(stem - path) + length - mark), path, stem + length)
                 : NULL;
    return full && lm_vfs_is_file(c->job->vfs, full);
}

/* Returns whether another input of the batch becomes this level of detail. */
static bool is_given(const conversion *c, const char *stem, unsigned number) {
    for (size_t i = 0; i < NUM_MARKS; i++) {
        const char *name = tool_format(&c->job->memory, "%s%s%u%s", stem, marks[i], number,
                                       c->settings->extension);
        if (name && tool_output_is_taken(c->job, &c->settings->output, c->path, name))
            return true;
    }
    return false;
}

/* Adds X_1.md3 with half of the triangles, X_2.md3 with a quarter. */
static bool make_lod(conversion *c, const lm_encode_options *encoding, const lm_mesh *mesh,
                     const char *stem, unsigned number) {
    char suffix[32];
    lm_error error;
    snprintf(suffix, sizeof suffix, "_%u%s", number, c->settings->extension);
    const uint64_t all = lm_mesh_triangles(mesh);
    convert_sidecar *sidecar = convert_sidecar_add(c, stem, suffix);
    lm_mesh *lod = sidecar ? decimate(c->job, mesh, all >> number, sidecar->name) : NULL;
    if (!lod)
        return false;
    sidecar->data.max_size = (size_t)c->settings->max_output;
    const bool ok = lm_encode(lod, c->settings->model, encoding, &sidecar->data, NULL, &error) ||
                    fail_encode(c->job, c->settings, lod, &error);
    if (ok)
        tool_note(c->job, "%s has %u of %u triangles", sidecar->name,
                  (unsigned)lm_mesh_triangles(lod), (unsigned)all);
    lm_mesh_free(lod);
    return ok;
}

bool convert_write_mesh(conversion *c, const lm_encode_options *encoding, const lm_mesh *mesh,
                        const convert_target *target) {
    const convert_settings *settings = c->settings;
    lm_error error;
    lm_mesh *simple = NULL;
    if (settings->decimate > 0) {
        const uint64_t all = lm_mesh_triangles(mesh), number = settings->decimate;
        simple =
            decimate(c->job, mesh, settings->decimate_share ? all * number / 100 : number, NULL);
        if (!simple)
            return false;
        mesh = simple;
    }
    bool ok = lm_encode(mesh, settings->model, encoding, target->out, target->report, &error) ||
              fail_encode(c->job, settings, mesh, &error);
    const char *stem = target->stem ? target->stem : "";
    const bool level = settings->lods > 0 && level_mark(stem, strlen(stem)) > 0 && is_level(c);
    if (level)
        tool_note(c->job, "%s is a level of detail itself, and gets none", stem);
    for (unsigned i = 1; ok && !level && i <= settings->lods; i++)
        ok = is_given(c, target->stem, i) || make_lod(c, encoding, mesh, target->stem, i);
    lm_mesh_free(simple);
    return ok;
}
