/* Fewer triangles: of the model that is written, and of those that stand for it from afar. */
#include "convert.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool convert_lods_read(const tool_args *args, convert_settings *settings) {
    const char *decimate = tool_value(args, TOOL_DECIMATE), *lods = tool_value(args, TOOL_LODS);
    uint64_t number = 0;
    if (decimate) {
        const size_t length = strlen(decimate);
        const bool share = length > 0 && decimate[length - 1] == '%';
        char digits[16] = "";
        if (length < sizeof digits)
            memcpy(digits, decimate, length - share);
        if (!tool_parse_uint(digits, share ? 100 : INT32_MAX, &number) || number == 0)
            return tool_usage(args,
                              "--decimate takes a number of triangles or a share of them, such as "
                              "500 or 50%%, not \"%s\"",
                              decimate);
        settings->decimate = (uint32_t)number;
        settings->decimate_share = share;
    }
    if (lods) {
        if (!tool_parse_uint(lods, CONVERT_MOST_LODS, &number) || number == 0)
            return tool_usage(args,
                              "--lods is 1 or 2, how many smaller models games look for, not "
                              "\"%s\"",
                              lods);
        settings->lods = (uint32_t)number;
        if (settings->output.kind == TOOL_TO_STDOUT)
            return tool_usage(args, "--lods writes files beside the model, which goes to standard "
                                    "output: name a file with -o");
    }
    return true;
}

/* A simpler take, and a word where it is not as simple as it was meant to be. `name` is of the file
 * that it is for, NULL for the model itself. */
static lm_take *decimate(tool_job *job, const lm_take *take, uint32_t triangles, const char *name) {
    lm_error error;
    lm_take *made = lm_take_decimate(take, triangles, NULL, &error);
    if (!made) {
        tool_fail_error(job, &error, false);
        return NULL;
    }
    const uint32_t left = (uint32_t)lm_take_triangles(made);
    if (left > triangles)
        tool_complain(
            job,
            "%s%s%u triangles are left, not %u: more cannot go without tearing borders or "
            "seams or turning triangles over",
            name ? name : "", name ? ": " : "", (unsigned)left, (unsigned)triangles);
    return made;
}

#define FARTHEST 511.97 /* of MD3 and MDC, but for what rounding adds */

static bool fail_encode(tool_job *job, const convert_settings *settings, const lm_take *take,
                        const lm_error *error) {
    lm_error said = *error;
    const double scale = settings->scale > 0 ? (double)settings->scale : 1;
    const bool size = strstr(error->message, "vertices") || strstr(error->message, "triangles") ||
                      strstr(error->message, "surfaces");
    const bool many = size && !strstr(error->message, "no triangles");
    if (error->code == LM_CODE_LIMIT && many && !strstr(error->message, "off by") &&
        settings->decimate == 0)
        lm_fail_plain(&said, error->code, "%s (--decimate N makes it simpler)", error->message);
    if (strstr(error->message, "make the model smaller") && strstr(error->message, "reaches from"))
        lm_fail_plain(&said, error->code, "%s (--scale %g does)", error->message,
                      lm_take_fitting_scale(take, scale * FARTHEST));
    if (strstr(error->message, "more than the output may have"))
        lm_fail_plain(&said, error->code, "%s (max-output)", error->message);
    tool_fail_error(job, &said, false);
    return false;
}

/* X_1.md3, X_2.md3: half of the triangles, then a quarter. */
static bool make_lod(tool_job *job, const convert_settings *settings, const lm_take *take,
                     unsigned number, convert_made *made) {
    char suffix[32];
    lm_error error;
    snprintf(suffix, sizeof suffix, "_%u%s", number, settings->extension);
    convert_beside *beside = convert_beside_add(job, made, made->stem, suffix);
    if (!beside)
        return false;
    const uint32_t all = (uint32_t)lm_take_triangles(take), wanted = all >> number;
    lm_take *lod = decimate(job, take, wanted > 0 ? wanted : 1, beside->name);
    if (!lod)
        return false;
    beside->data.max_size = (size_t)settings->max_output;
    const bool ok =
        lm_encode(lod, settings->model, &settings->encoding, &beside->data, NULL, &error) ||
        fail_encode(job, settings, lod, &error);
    if (ok && !settings->quiet)
        tool_say(job, "%s has %u of %u triangles", beside->name, (unsigned)lm_take_triangles(lod),
                 (unsigned)all);
    lm_take_free(lod);
    return ok;
}

bool convert_write_take(tool_job *job, const convert_settings *settings, const lm_take *take,
                        convert_made *made) {
    lm_error error;
    lm_take *simple = NULL;
    if (settings->decimate > 0) {
        const uint64_t all = lm_take_triangles(take);
        const uint64_t share = all * settings->decimate / 100;
        const uint32_t wanted = settings->decimate_share ? (uint32_t)share : settings->decimate;
        simple = decimate(job, take, wanted > 0 ? wanted : 1, NULL);
        if (!simple)
            return false;
        take = simple;
    }
    bool ok =
        lm_encode(take, settings->model, &settings->encoding, made->out, made->report, &error);
    if (!ok)
        fail_encode(job, settings, take, &error);
    for (unsigned i = 1; ok && i <= settings->lods; i++)
        ok = make_lod(job, settings, take, i, made);
    lm_take_free(simple);
    return ok;
}

/* ---- Files beside --------------------------------------------------------------------------- */

convert_beside *convert_beside_add(tool_job *job, convert_made *made, const char *stem,
                                   const char *suffix) {
    const size_t size = strlen(stem) + strlen(suffix) + 1;
    convert_beside *beside = calloc(1, sizeof *beside), **end = &made->beside;
    char *name = malloc(size);
    if (!beside || !name) {
        tool_fail(job, "out of memory");
        free(beside);
        free(name);
        return NULL;
    }
    snprintf(name, size, "%s%s", stem, suffix);
    beside->name = name;
    while (*end)
        end = &(*end)->next;
    *end = beside;
    return beside;
}

void convert_beside_free(convert_beside *list) {
    while (list) {
        convert_beside *next = list->next;
        lm_buffer_free(&list->path);
        lm_buffer_free(&list->data);
        free(list->name);
        free(list);
        list = next;
    }
}
