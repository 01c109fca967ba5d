#include "export/gltf.h"

bool lm_gltf_round_trips(const lm_gltf *g) {
    return g->scene->num_parts == 1 && !g->bodies[0].job.still;
}

/* Writes a clip. `name` NULL: frames in no clip; `animation` NULL: it has none, because nothing
 * moves. */
static void write_clip(lm_json *json, const char *name, const char *animation,
                       const lm_clip *clip) {
    lm_json_open(json, NULL, '{');
    if (name)
        lm_json_string(json, "name", name);
    if (animation)
        lm_json_string(json, "animation", animation);
    lm_json_integer(json, "first", clip->first);
    lm_json_integer(json, "count", clip->count);
    lm_json_float(json, "fps", clip->fps);
    if (clip->loop_frames > 0)
        lm_json_integer(json, "loop", clip->loop_frames);
    if (clip->backwards)
        lm_json_bool(json, "backwards", true);
    if (clip->times) {
        lm_json_open(json, "times", '[');
        for (uint32_t i = 0; i <= clip->count; i++)
            lm_json_float(json, NULL, clip->times[i] - clip->times[0]);
        lm_json_close(json);
    }
    lm_json_close(json);
}

/* Writes the frames of each animation, in the model's order of clips. */
static void write_clips(const lm_gltf_body *body, lm_json *json) {
    const lm_gltf *g = body->g;
    lm_clip clip;
    lm_json_open(json, "clips", '[');
    for (uint32_t i = 0; i < body->job.num_clips; i++)
        if (lm_export_clip(&body->job, &body->job.clips[i], &clip))
            write_clip(json, clip.name, g->written_names[i], &clip);
    for (uint32_t i = 0; i < g->num_tracks; i++)
        if (body->tracks[i].number >= body->job.num_clips)
            write_clip(json, NULL, g->written_names[body->tracks[i].number], &body->tracks[i].clip);
    lm_json_close(json);
}

/* Writes the header's data; the eye is converted like a vertex. */
static void write_header(const lm_export *job, lm_json *json) {
    const lm_model *model = job->model;
    const lm_vec3 eye = lm_export_point(job, model->eye);
    if (*model->name)
        lm_json_string(json, "model", model->name);
    if (model->flags != 0)
        lm_json_integer(json, "flags", (uint32_t)model->flags);
    if (model->synctype != 0)
        lm_json_integer(json, "synctype", (uint32_t)model->synctype);
    if (model->eye.x != 0 || model->eye.y != 0 || model->eye.z != 0)
        lm_gltf_write_floats(json, "eye", &eye.x, 3);
}

void lm_gltf_write_extras(const lm_gltf *g, lm_json *json) {
    const lm_gltf_body *body = &g->bodies[0];
    const lm_export *job = &body->job;
    lm_json_open(json, "extras", '{');
    lm_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < job->count; i++)
        lm_json_string(json, NULL, job->model->frames[lm_export_pose(job, i).frame_a].name);
    lm_json_close(json);
    if (lm_gltf_round_trips(g)) {
        write_header(job, json);
        write_clips(body, json);
        const lm_model *model = job->model;
        lm_gltf_write_names(json, "skins", model->skins, model->num_skins);
        if (model->skin_width > 0 && model->skin_height > 0) {
            lm_json_open(json, "skinSize", '[');
            lm_json_integer(json, NULL, model->skin_width);
            lm_json_integer(json, NULL, model->skin_height);
            lm_json_close(json);
        }
    }
    lm_json_close(json);
}
