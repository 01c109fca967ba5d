/* Descriptions of opened models as JSON. */
#include "describe.h"

static void write_value(lm_json *json, const char *key, const lm_field *field) {
    if (field->text)
        lm_json_string(json, key, field->text);
    else if (field->is_real)
        lm_json_float(json, key, field->real);
    else
        lm_json_integer(json, key, field->value);
}

static void write_vector(lm_json *json, const char *key, lm_vec3 vector) {
    lm_json_open(json, key, '[');
    lm_json_float(json, NULL, vector.x);
    lm_json_float(json, NULL, vector.y);
    lm_json_float(json, NULL, vector.z);
    lm_json_close(json);
}

static void write_frames(lm_json *json, const lm_model *model) {
    lm_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < model->num_frames; i++) {
        lm_json_open(json, NULL, '{');
        lm_json_integer(json, "index", i);
        lm_json_string(json, "name", model->frames[i].name);
        write_vector(json, "min", model->frames[i].min);
        write_vector(json, "max", model->frames[i].max);
        lm_json_close(json);
    }
    lm_json_close(json);
}

/* Writes the start of each frame and the end of the last, if the frames differ in length. */
static void write_times(lm_json *json, const lm_clip *clip) {
    if (!clip->times)
        return;
    lm_json_open(json, "times", '[');
    for (uint32_t i = 0; i <= clip->count; i++)
        lm_json_float(json, NULL, clip->times[i] - clip->times[0]);
    lm_json_close(json);
}

/* Writes the clip's loop and its source; `path` is the clips file. */
static void write_source(lm_json *json, const lm_clip *clip, const char *path) {
    static const char *const sources[] = {
        [LM_CLIP_CUSTOM] = "custom",   [LM_CLIP_FRAME_NAMES] = "frame names",
        [LM_CLIP_TABLE] = "table",     [LM_CLIP_GROUP] = "group",
        [LM_CLIP_FILE] = "clips file",
    };
    lm_json_bool(json, "loop", clip->loop_frames > 0);
    lm_json_integer(json, "loop_frames", clip->loop_frames);
    lm_json_bool(json, "backwards", clip->backwards);
    lm_json_string(json, "source", sources[clip->source]);
    if (clip->source == LM_CLIP_FILE && path)
        lm_json_string(json, "clips_file", path);
}

static void write_clips(lm_json *json, const lm_scene_part *part, const char *path) {
    lm_json_open(json, "clips", '[');
    for (uint32_t i = 0; i < part->num_clips; i++) {
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "name", part->clips[i].name);
        lm_json_integer(json, "first", part->clips[i].first);
        lm_json_integer(json, "count", part->clips[i].count);
        lm_json_float(json, "fps", part->clips[i].fps);
        write_times(json, &part->clips[i]);
        write_source(json, &part->clips[i], path);
        lm_json_close(json);
    }
    lm_json_close(json);
}

static void write_surface(lm_json *json, const lm_surface *surface, bool has_base_frames) {
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", surface->name);
    lm_json_integer(json, "vertices", surface->num_file_vertices);
    lm_json_integer(json, "drawn_vertices", surface->num_vertices);
    lm_json_integer(json, "triangles", surface->num_triangles);
    lm_json_open(json, "materials", '[');
    for (uint32_t i = 0; i < surface->num_materials; i++)
        lm_json_string(json, NULL, surface->materials[i].name);
    lm_json_close(json);
    if (has_base_frames) {
        lm_json_integer(json, "base_frames", surface->num_keys);
        lm_json_integer(json, "compressed_frames", surface->num_deltas);
    }
    lm_json_close(json);
}

static void write_names(lm_json *json, const lm_asset *asset) {
    const lm_model *model = asset->model;
    lm_json_open(json, "skins", '[');
    for (uint32_t i = 0; i < model->num_skins; i++)
        lm_json_string(json, NULL, model->skins[i]);
    lm_json_close(json);
    lm_json_open(json, "tags", '[');
    for (uint32_t i = 0; i < model->num_tags; i++)
        lm_json_string(json, NULL, model->tags[i].name);
    lm_json_close(json);
    if (asset->tags_path)
        lm_json_string(json, "tags_file", asset->tags_path);
    if (asset->normals_path)
        lm_json_string(json, "smoothing_file", asset->normals_path);
}

static void write_warning(lm_json *json, const lm_diagnostic *warning) {
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "code", lm_code_name(warning->code));
    lm_json_integer(json, "count", warning->count);
    lm_json_string(json, "message", warning->text);
    lm_json_close(json);
}

static void write_counts(lm_json *json, const lm_report *report) {
    lm_json_open(json, "counts", '{');
    lm_json_integer(json, "errors", report->num_errors);
    lm_json_integer(json, "warnings", report->num_warnings);
    lm_json_integer(json, "notes", report->num_notes);
    lm_json_close(json);
}

static void write_all(const lm_assets *assets, uint32_t part, const lm_layout *layout,
                      const lm_report *report, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[part];
    const lm_model *model = asset->model;
    lm_json json = {.out = out};
    lm_json_open(&json, NULL, '{');
    lm_json_string(&json, "file", asset->path);
    lm_json_string(&json, "format", model->format);
    lm_json_integer(&json, "version", model->version);
    lm_json_integer(&json, "bytes", (int64_t)asset->size);
    lm_json_open(&json, "header", '{');
    for (uint32_t i = 0; i < layout->num_header_fields; i++)
        write_value(&json, layout->fields[i].name, &layout->fields[i]);
    lm_json_close(&json);
    write_frames(&json, model);
    write_clips(&json, &assets->scene->parts[part], asset->clips_path);
    bool has_base_frames = (model->features & LM_FEATURE_BASE_FRAMES) != 0;
    lm_json_open(&json, "surfaces", '[');
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        write_surface(&json, &model->surfaces[i], has_base_frames);
    lm_json_close(&json);
    write_names(&json, asset);
    const lm_gl_commands *commands = &model->gl_commands;
    lm_json_open(&json, "gl_commands", '{');
    lm_json_integer(&json, "integers", commands->num_integers);
    lm_json_integer(&json, "strips", commands->num_strips);
    lm_json_integer(&json, "fans", commands->num_fans);
    lm_json_integer(&json, "triangles", commands->num_triangles);
    lm_json_close(&json);
    lm_json_string(&json, "game", assets->game);
    lm_json_string(&json, "skin_file", asset->skin_path);
    lm_describe_json_textures(assets, part, &json);
    const lm_clips *clips = asset->clips;
    lm_json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < asset->model->num_warnings; i++)
        write_warning(&json, &asset->model->warnings[i]);
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        write_warning(&json, &clips->warnings[i]);
    lm_json_close(&json);
    if (report)
        write_counts(&json, report);
    lm_json_close(&json);
    lm_buffer_text(out, "\n");
}

bool lm_describe_json(const lm_assets *assets, uint32_t part, const lm_report *report,
                      lm_buffer *out, lm_error *error) {
    const lm_asset *asset = &assets->assets[part];
    lm_layout *layout = lm_layout_memory(asset->data, asset->size, NULL, error);
    if (!layout)
        return false;
    write_all(assets, part, layout, report, out);
    lm_layout_free(layout);
    return !out->failed || lm_fail_memory(error);
}

/* ---- Reports ------------------------------------------------------------------------------- */

void lm_describe_report(const lm_report *report, lm_json *json) {
    lm_json_string(json, "format", report->format);
    lm_json_open(json, "problems", '[');
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "code", lm_code_name(problem->code));
        lm_json_string(json, "severity", lm_severity_name(problem->severity));
        lm_json_integer(json, "offset", (int64_t)problem->location.offset);
        lm_json_string(json, "section", problem->location.section);
        lm_json_integer(json, "surface", problem->location.surface);
        lm_json_integer(json, "index", problem->location.index);
        lm_json_string(json, "message", problem->text);
        lm_json_close(json);
    }
    lm_json_close(json);
    write_counts(json, report);
}

/* ---- File layout ----------------------------------------------------------------------------- */

static void write_fields(lm_json *json, const lm_layout *layout, uint32_t first, uint32_t end) {
    lm_json_open(json, "fields", '[');
    for (uint32_t i = first; i < end; i++) {
        const lm_field *field = &layout->fields[i];
        lm_json_open(json, NULL, '{');
        lm_json_integer(json, "offset", (int64_t)field->offset);
        lm_json_string(json, "name", field->name);
        write_value(json, "value", field);
        lm_json_string(json, "meaning", field->meaning);
        lm_json_close(json);
    }
    lm_json_close(json);
}

void lm_describe_layout(const lm_layout *layout, lm_json *json) {
    lm_json_string(json, "format", layout->format);
    lm_json_integer(json, "bytes", (int64_t)layout->file_size);
    write_fields(json, layout, 0, layout->num_header_fields);
    lm_json_open(json, "lumps", '[');
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "name", lump->name);
        lm_json_integer(json, "offset", (int64_t)lump->offset);
        lm_json_integer(json, "count", (int64_t)lump->count);
        lm_json_integer(json, "element_size", (int64_t)lump->element_size);
        lm_json_integer(json, "size", (int64_t)lump->size);
        lm_json_integer(json, "end", (int64_t)lump->end);
        lm_json_bool(json, "outside", lump->outside);
        if (lump->num_fields > 0 && lump->first_field > 0)
            write_fields(json, layout, lump->first_field, lump->first_field + lump->num_fields);
        lm_json_close(json);
    }
    lm_json_close(json);
    lm_json_open(json, "spans", '[');
    for (uint32_t i = 0; i < layout->num_spans; i++) {
        const lm_span *span = &layout->spans[i];
        static const char *const kinds[] = {"gap", "overlap", "trailing"};
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "kind", kinds[span->kind]);
        lm_json_integer(json, "offset", (int64_t)span->offset);
        lm_json_integer(json, "size", (int64_t)span->size);
        lm_json_string(json, "before", span->before);
        lm_json_string(json, "after", span->after);
        lm_json_close(json);
    }
    lm_json_close(json);
}
