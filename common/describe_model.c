/* Descriptions of what is in a model as JSON. */
#include "describe.h"

static void write_vector(lm_json *json, const char *key, lm_vec3 vector) {
    lmi_json_open(json, key, '[');
    lmi_json_float(json, NULL, vector.x);
    lmi_json_float(json, NULL, vector.y);
    lmi_json_float(json, NULL, vector.z);
    lmi_json_close(json);
}

void lmi_describe_json_frames(const lm_model *model, lm_json *json) {
    lmi_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < model->num_frames; i++) {
        lmi_json_open(json, NULL, '{');
        lmi_json_integer(json, "index", i);
        lmi_json_string(json, "name", model->frames[i].name);
        write_vector(json, "min", model->frames[i].min);
        write_vector(json, "max", model->frames[i].max);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

/* Writes the start of each frame and the end of the last, if the frames differ in length. */
static void write_times(lm_json *json, const lm_clip *clip) {
    if (!clip->times)
        return;
    lmi_json_open(json, "times", '[');
    for (uint32_t i = 0; i <= clip->count; i++)
        lmi_json_float(json, NULL, clip->times[i] - clip->times[0]);
    lmi_json_close(json);
}

/* Writes the clip's loop and its source; `path` is the clips file. */
static void write_source(lm_json *json, const lm_clip *clip, const char *path) {
    static const char *const sources[] = {
        [LM_CLIP_CUSTOM] = "custom",   [LM_CLIP_FRAME_NAMES] = "frame names",
        [LM_CLIP_TABLE] = "table",     [LM_CLIP_GROUP] = "group",
        [LM_CLIP_FILE] = "clips file",
    };
    lmi_json_bool(json, "loop", clip->loop_frames > 0);
    lmi_json_integer(json, "loop_frames", clip->loop_frames);
    lmi_json_bool(json, "backwards", clip->backwards);
    if (clip->hidden)
        lmi_json_bool(json, "hidden", true);
    lmi_json_string(json, "source", sources[clip->source]);
    if (clip->source == LM_CLIP_FILE && path)
        lmi_json_path(json, "clips_file", path);
}

void lmi_describe_json_clips(const lm_clip *clips, uint32_t count, const char *path,
                             lm_json *json) {
    lmi_json_open(json, "clips", '[');
    for (uint32_t i = 0; i < count; i++) {
        const lm_clip *clip = &clips[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", clip->name);
        lmi_json_integer(json, "first", clip->first);
        lmi_json_integer(json, "count", clip->count);
        lmi_json_float(json, "fps", clip->fps);
        write_times(json, clip);
        if (clip->animated_barrels)
            lmi_json_integer(json, "animated_barrels", clip->animated_barrels);
        if (clip->animated_weapon)
            lmi_json_bool(json, "animated_weapon", true);
        if (clip->hidden_barrels)
            lmi_json_integer(json, "hidden_barrels", clip->hidden_barrels);
        write_source(json, clip, path);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

static void write_surface(lm_json *json, const lm_surface *surface, bool has_base_frames) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", surface->name);
    lmi_json_integer(json, "vertices", surface->num_file_vertices);
    lmi_json_integer(json, "drawn_vertices", surface->num_vertices);
    lmi_json_integer(json, "triangles", surface->num_triangles);
    lmi_json_open(json, "materials", '[');
    for (uint32_t i = 0; i < surface->num_materials; i++)
        lmi_json_string(json, NULL, surface->materials[i].name);
    lmi_json_close(json);
    if (has_base_frames) {
        lmi_json_integer(json, "base_frames", surface->num_keys);
        lmi_json_integer(json, "compressed_frames", surface->num_deltas);
    }
    lmi_json_close(json);
}

void lmi_describe_json_surfaces(const lm_model *model, lm_json *json) {
    const bool has_base_frames = (model->features & LM_FEATURE_BASE_FRAMES) != 0;
    lmi_json_open(json, "surfaces", '[');
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        write_surface(json, &model->surfaces[i], has_base_frames);
    lmi_json_close(json);
}

void lmi_describe_json_tags(const lm_model *model, lm_json *json) {
    lmi_json_open(json, "tags", '[');
    for (uint32_t i = 0; i < model->num_tags; i++)
        lmi_json_string(json, NULL, model->tags[i].name);
    lmi_json_close(json);
}

void lmi_describe_json_warning(const lm_diagnostic *warning, lm_json *json) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "code", lm_code_name(warning->code));
    lmi_json_integer(json, "count", warning->count);
    lmi_json_string(json, "message", warning->text);
    lmi_json_close(json);
}
