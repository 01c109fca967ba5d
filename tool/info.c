#include "batch.h"
#include "describe.h"

#include <inttypes.h>
#include <string.h>

typedef struct info_settings {
    lm_assets_options options;
    lm_geometries *known; /* of earlier inputs; NULL: no --csv */
} info_settings;

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Adds a text as a cell in quotation marks. An apostrophe keeps spreadsheets from calculating a
 * text that looks like a formula. */
static void add_cell(lm_buffer *out, const char *text) {
    lm_buffer harmless = {0};
    lmi_text_harmless(&harmless, text);
    lm_buffer_text(out, *text && strchr("=+-@", *text) ? "\"'" : "\"");
    for (size_t i = 0; i < harmless.size; i++) {
        lm_buffer_append(out, "\"", harmless.data[i] == '"');
        lm_buffer_append(out, harmless.data + i, 1);
    }
    lm_buffer_text(out, "\"");
    out->failed = out->failed || harmless.failed;
    lm_buffer_free(&harmless);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Returns the path of the first model with equal geometry; "": this is the first one. Inputs wait
 * for earlier ones, so only one at a time is here. */
static const char *find_equal(tool_job *job, lm_geometries *known, const lm_asset *asset) {
    lm_geometry own;
    if (!lmi_geometry_of(asset->model, job->arena, &own))
        return "";
    job->await_earlier(job);
    const char *first = lmi_geometries_put(known, &own, asset->path);
    return first ? first : "";
}

static void add_missing(const lm_asset *asset, lm_buffer *names) {
    for (uint32_t i = 0; i < asset->num_textures; i++)
        if (asset->textures[i].match == LM_MATCH_NONE)
            lm_buffer_printf(names, "%s%s", names->size > 0 ? "; " : "", asset->textures[i].name);
}

static void add_codes(tool_job *job) {
    const char *before = "";
    for (unsigned code = 0; code < LM_NUM_CODES; code++)
        if (job->codes[code] != TOOL_CODE_NONE) {
            lm_buffer_printf(&job->out, "%s%s", before, lm_code_name((lm_code)code));
            before = " ";
        }
}

/* Adds the row of a model; `asset` NULL: of a file that cannot be opened. */
static void add_row(tool_job *job, lm_geometries *known, const lm_asset *asset, uint32_t clips) {
    lm_buffer file = {0}, missing = {0};
    lm_buffer *out = &job->out;
    const lm_model *model = asset ? asset->model : NULL;
    const char *equal = asset ? find_equal(job, known, asset) : "";
    uint64_t triangles = 0;
    lm_error error = {0};
    add_cell(out, asset ? asset->path : job->path);
    if (model) {
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            triangles += model->surfaces[i].num_triangles;
        add_missing(asset, &missing);
        lm_buffer_printf(out, ",%s,%zu,%08" PRIx32 ",%u,%u,%" PRIu64 ",%u,", model->format,
                         asset->size, lmi_crc32(0, asset->data, asset->size), model->num_frames,
                         model->num_surfaces, triangles, clips);
    } else if (lm_vfs_read(job->vfs, job->path, job->max_input, &file, &error)) {
        const char *format = lm_format_of(file.data, file.size);
        const char *other = format ? NULL : lmi_lookalike_name(file.data, file.size);
        lm_buffer_printf(out, ",%s", format ? format : "");
        if (other)
            add_cell(out, other);
        lm_buffer_printf(out, ",%zu,%08" PRIx32 ",,,,,", file.size,
                         lmi_crc32(0, file.data, file.size));
    } else {
        lm_buffer_text(out, ",,,,,,,,");
    }
    lm_buffer_append(&missing, "", 1);
    add_cell(out, missing.failed ? "" : (const char *)missing.data);
    lm_buffer_text(out, ",");
    add_codes(job);
    lm_buffer_text(out, ",");
    add_cell(out, equal);
    lm_buffer_text(out, "\n");
    (void)lmi_arena_out_of_memory(job->arena,
                                  missing.failed || error.code == LM_CODE_OUT_OF_MEMORY);
    lm_buffer_free(&missing);
    lm_buffer_free(&file);
}

/* ---- Text and JSON --------------------------------------------------------------------------- */

/* Names the option for models whose tags are in a file of their own: other models go there. */
static void print_use_of_tags(const lm_assets *assets, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[0];
    if (!asset->tags_path || assets->scene->num_parts > 1)
        return;
    lm_buffer_text(out,
                   "\n  Attachments\n    none; convert and render attach a model with --attach ");
    lmi_text_harmless(out, asset->model->tags[0].name);
    lm_buffer_text(out, "=MODEL\n");
}

static void print(tool_job *job, lm_geometries *known, const lm_assets *assets, uint32_t part,
                  const lm_report *report) {
    lm_error error;
    lm_report all = *report;
    if (part == 0)
        lmi_assets_add_problems(assets, job->arena, &all);
    if (job->json && !lmi_describe_json(assets, part, &all, &job->out, &error)) {
        tool_fail_error(job, &error);
        return;
    }
    tool_mark_report(job, &all);
    if (known) {
        add_row(job, known, &assets->assets[part], assets->scene->parts[part].num_clips);
    } else if (!job->json) {
        lmi_describe(assets, part, tool_has(job->args, LM_OPTION_VERBOSE), &job->out);
        print_use_of_tags(assets, &job->out);
        if (all.num_errors + all.num_warnings > 0)
            lm_buffer_printf(&job->out, "\n  Problems\n    %s, %s; lerpmesh check lists them\n",
                             lmi_count_nouns(all.num_errors, "errors").text,
                             lmi_count_nouns(all.num_warnings, "warnings").text);
    }
}

/* Prints the parts. A file that several of them share is checked once. */
static void print_parts(tool_job *job, lm_geometries *known, const lm_assets *assets,
                        uint32_t count) {
    lm_report *reports[LM_MAX_PARTS] = {NULL};
    lm_error error;
    for (uint32_t part = 0; part < count; part++) {
        const lm_asset *asset = &assets->assets[part];
        uint32_t first = 0;
        while (assets->assets[first].data != asset->data)
            first++;
        if (first == part)
            reports[part] = lm_check_memory(asset->data, asset->size, NULL, &error);
        if (part > 0 && !job->json && !known)
            lm_buffer_text(&job->out, "\n");
        if (reports[first])
            print(job, known, assets, part, reports[first]);
        else
            tool_fail_error(job, &error);
    }
    for (uint32_t part = 0; part < count; part++)
        lm_report_free(reports[part]);
}

/* Reports files that cannot be used. The list of textures already shows the warnings about names
 * and shaders. */
static void report_files(tool_job *job, const lm_assets *assets) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) {
        const lm_diagnostic *d = &assets->diagnostics[i];
        if (strcmp(d->location.section, LM_SUBJECT_TEXTURE) == 0 &&
            d->severity > LM_SEVERITY_NOTE && d->code != LM_CODE_UNSAFE_PATH &&
            d->code != LM_CODE_SHADER_WORD && d->code != LM_CODE_SHADER_IMAGE)
            tool_report(job, d);
    }
}

static void info_file(tool_job *job, const void *user) {
    const info_settings *settings = user;
    const bool hand = lmi_vfs_is_weapon(job->vfs, job->path, true, job->arena);
    lm_assets *assets = tool_open(job, &settings->options, hand);
    if (!assets && settings->known)
        add_row(job, settings->known, NULL, 0);
    if (!assets)
        return;
    report_files(job, assets);
    const bool whole = hand || assets->assets[0].model->bones; /* as one, with a list of parts */
    print_parts(job, settings->known, assets, whole ? 1 : assets->scene->num_parts);
    lm_assets_free(assets);
}

static int run_info(const tool_args *args) {
    info_settings settings = {.options = {.images = LM_IMAGES_FOUND}};
    lm_geometries known = {.names = {.arena = args->arena}};
    const bool csv = tool_has(args, LM_OPTION_CSV);
    lm_buffer heading = {0};
    if (!tool_open_options_read(args, &settings.options) ||
        (csv && tool_has(args, LM_OPTION_JSON) &&
         !tool_usage(args, "--csv and --json cannot be combined")))
        return TOOL_USAGE;
    if (csv && args->num_inputs > 0) {
        settings.known = &known;
        lm_buffer_text(&heading, "path,format,size,crc32,frames,surfaces,triangles,clips,"
                                 "missing_textures,problems,duplicate_of\n");
        if (!tool_write_result(&heading))
            return TOOL_FAILED;
    }
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = info_file,
                                        .context = &settings,
                                        .done = "read",
                                        .blank_lines = !csv && !tool_has(args, LM_OPTION_JSON)});
}

const tool_command tool_info = {
    .name = "info",
    .usage = "[options] FILE|DIR|ARCHIVE...",
    .summary = "show a model's format, frames, clips, surfaces, skins and tags",
    .about =
        "Shows each model's format, size, frames, bounds, clips, surfaces, skins, tags, GL\n"
        "commands and warnings, and counts the problems that check lists. For each texture,\n"
        "shows the file that was found, or how many paths were tried. -v lists every frame and\n"
        "every path. Clips come from a file in the model's folder if there is one:\n"
        "tris.md2.framegroups, tris.framegroups, tris.anm or animation.cfg; weapon.cfg for the\n"
        "hand of a weapon, wolfanim.cfg for body.mds. An MD2's tags come from tris.tag. --csv\n"
        "writes a report of a collection: a row per model with its checksum, counts, problems and\n"
        "an earlier model of equal geometry.",
    .usual = {LM_OPTION_JSON, LM_OPTION_CSV, LM_OPTION_VERBOSE, LM_OPTION_CLIPS, LM_OPTION_GAME,
              LM_OPTION_SKIN, LM_OPTION_REPAIR, LM_OPTION_STRICT, LM_OPTION_MAX_INPUT,
              LM_OPTION_JOBS, LM_OPTION_SUMMARY, LM_OPTION_QUIET},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh info tris.md2\n"
                "  lerpmesh info --json models/*.mdc | jq .surfaces\n"
                "  lerpmesh info --csv models/ > models.csv\n"
                "  lerpmesh info pak0.pk3:models/leg.mdc 'pak0.pak:models/**/*.md2'\n",
    .run = run_info,
};
