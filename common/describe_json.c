/* Descriptions of opened models as JSON. */
#include "describe.h"

static void write_value(lm_json *json, const char *key, const lm_field *field) {
    if (field->text)
        lmi_json_string(json, key, field->text);
    else if (field->is_real)
        lmi_json_float(json, key, field->real);
    else
        lmi_json_integer(json, key, field->value);
}

/* Writes the skins that the model lists, or those of a player by the names of its .skin files. */
static void write_skins(lm_json *json, const lm_assets *assets, uint32_t part) {
    const lm_model *model = assets->assets[part].model;
    const bool player = part == 0 && model->bones && assets->assets[0].skin_path;
    lm_skin_choices *skins = player ? lm_assets_list_skins(assets, NULL) : NULL;
    lmi_json_open(json, "skins", '[');
    for (uint32_t i = 0; i < model->num_skins; i++)
        lmi_json_string(json, NULL, model->skins[i]);
    for (uint32_t i = 0; skins && i < skins->num_choices; i++)
        lmi_json_string(json, NULL, skins->choices[i].name);
    lmi_json_close(json);
    json->out->failed = json->out->failed || (player && !skins);
    lm_skin_choices_free(skins);
}

static void write_names(lm_json *json, const lm_asset *asset) {
    const lm_model *model = asset->model;
    for (uint32_t i = 0, groups = 0; model->embedded_skins && i <= model->num_skins; i++) {
        const lm_embedded_skin *group = &model->embedded_skins[i];
        if (i == model->num_skins && groups > 0)
            lmi_json_close(json);
        if (i == model->num_skins || !group->times)
            continue;
        if (groups++ == 0)
            lmi_json_open(json, "skin_groups", '[');
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "skin", model->skins[i]);
        lmi_json_open(json, "ends", '[');
        for (uint32_t k = 1; k <= group->num_images; k++)
            lmi_json_float(json, NULL, group->times[k]);
        lmi_json_close(json);
        lmi_json_close(json);
    }
    lmi_describe_json_tags(model, json);
    if (asset->tags_path)
        lmi_json_path(json, "tags_file", asset->tags_path);
    if (asset->normals_path)
        lmi_json_path(json, "smoothing_file", asset->normals_path);
}

/* Writes the models of a scene of several, and the tags that hold them. */
static void write_parts(lm_json *json, const lm_assets *assets) {
    const lm_scene *scene = assets->scene;
    lmi_json_open(json, "parts", '[');
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "file", assets->assets[i].path);
        lmi_json_string(json, "name", scene->parts[i].name);
        if (i > 0) {
            lmi_json_integer(json, "parent", scene->parts[i].parent);
            lmi_json_string(json, "tag", scene->parts[i].tag);
        }
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

static void write_counts(lm_json *json, const lm_report *report) {
    lmi_json_open(json, "counts", '{');
    lmi_json_integer(json, "errors", report->num_errors);
    lmi_json_integer(json, "warnings", report->num_warnings);
    lmi_json_integer(json, "notes", report->num_notes);
    lmi_json_close(json);
}

static void write_all(const lm_assets *assets, uint32_t part, const lm_layout *layout,
                      const lm_report *report, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[part];
    const lm_scene_part *scene_part = &assets->scene->parts[part];
    const lm_model *model = asset->model;
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_path(&json, "file", asset->path);
    lmi_json_string(&json, "format", model->format);
    lmi_json_integer(&json, "version", model->version);
    lmi_json_integer(&json, "bytes", (int64_t)asset->size);
    lmi_json_open(&json, "header", '{');
    for (uint32_t i = 0; i < layout->num_header_fields; i++)
        write_value(&json, layout->fields[i].name, &layout->fields[i]);
    lmi_json_close(&json);
    lmi_describe_json_frames(model, &json);
    lmi_describe_json_clips(scene_part->clips, scene_part->num_clips, asset->clips_path, &json);
    if (part == 0 && assets->scene->num_parts > 1)
        write_parts(&json, assets);
    lmi_describe_json_surfaces(model, &json);
    write_skins(&json, assets, part);
    write_names(&json, asset);
    const lm_gl_commands *commands = &model->gl_commands;
    lmi_json_open(&json, "gl_commands", '{');
    lmi_json_integer(&json, "integers", commands->num_integers);
    lmi_json_integer(&json, "strips", commands->num_strips);
    lmi_json_integer(&json, "fans", commands->num_fans);
    lmi_json_integer(&json, "triangles", commands->num_triangles);
    lmi_json_close(&json);
    lmi_json_string(&json, "game", assets->game);
    lmi_json_path(&json, "skin_file", asset->skin_path);
    lmi_describe_json_textures(assets, part, &json);
    const lm_clips *clips = asset->clips;
    lmi_json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < asset->model->num_warnings; i++)
        lmi_describe_json_warning(&asset->model->warnings[i], &json);
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        lmi_describe_json_warning(&clips->warnings[i], &json);
    lmi_json_close(&json);
    if (report)
        write_counts(&json, report);
    lmi_json_close(&json);
    lm_buffer_text(out, "\n");
}

bool lmi_describe_json(const lm_assets *assets, uint32_t part, const lm_report *report,
                       lm_buffer *out, lm_error *error) {
    const lm_asset *asset = &assets->assets[part];
    lm_layout *layout = lm_layout_memory(asset->data, asset->size, NULL, error);
    if (!layout)
        return false;
    write_all(assets, part, layout, report, out);
    lm_layout_free(layout);
    return !out->failed || lmi_fail_memory(error);
}

/* ---- Reports ------------------------------------------------------------------------------- */

void lmi_describe_report(const lm_report *report, lm_json *json) {
    lmi_json_string(json, "format", report->format);
    lmi_json_open(json, "problems", '[');
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "code", lm_code_name(problem->code));
        lmi_json_string(json, "severity", lm_severity_name(problem->severity));
        lmi_json_integer(json, "offset", (int64_t)problem->location.offset);
        lmi_json_string(json, "section", problem->location.section);
        lmi_json_integer(json, "surface", problem->location.surface);
        lmi_json_integer(json, "index", problem->location.index);
        lmi_json_string(json, "message", problem->text);
        lmi_json_close(json);
    }
    lmi_json_close(json);
    write_counts(json, report);
}

/* ---- File layout ----------------------------------------------------------------------------- */

static void write_fields(lm_json *json, const lm_layout *layout, uint32_t first, uint32_t end) {
    lmi_json_open(json, "fields", '[');
    for (uint32_t i = first; i < end; i++) {
        const lm_field *field = &layout->fields[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_integer(json, "offset", (int64_t)field->offset);
        lmi_json_string(json, "name", field->name);
        write_value(json, "value", field);
        lmi_json_string(json, "meaning", field->meaning);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

void lmi_describe_layout(const lm_layout *layout, lm_json *json) {
    lmi_json_string(json, "format", layout->format);
    lmi_json_integer(json, "bytes", (int64_t)layout->file_size);
    write_fields(json, layout, 0, layout->num_header_fields);
    lmi_json_open(json, "lumps", '[');
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", lump->name);
        lmi_json_integer(json, "offset", (int64_t)lump->offset);
        lmi_json_integer(json, "count", (int64_t)lump->count);
        lmi_json_integer(json, "element_size", (int64_t)lump->element_size);
        lmi_json_integer(json, "size", (int64_t)lump->size);
        lmi_json_integer(json, "end", (int64_t)lump->end);
        lmi_json_bool(json, "outside", lump->outside);
        if (lump->num_fields > 0 && lump->first_field > 0)
            write_fields(json, layout, lump->first_field, lump->first_field + lump->num_fields);
        lmi_json_close(json);
    }
    lmi_json_close(json);
    lmi_json_open(json, "spans", '[');
    for (uint32_t i = 0; i < layout->num_spans; i++) {
        const lm_span *span = &layout->spans[i];
        static const char *const kinds[] = {"gap", "overlap", "trailing"};
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "kind", kinds[span->kind]);
        lmi_json_integer(json, "offset", (int64_t)span->offset);
        lmi_json_integer(json, "size", (int64_t)span->size);
        lmi_json_string(json, "before", span->before);
        lmi_json_string(json, "after", span->after);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}
