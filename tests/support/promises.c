/* Checks of the headers' guarantees, shared by tests and fuzzers. */
#include "promises.h"

#include <math.h>
#include <string.h>

void assert_error_valid(const lm_error *error) {
    PROMISE(error->code > LM_CODE_OK && error->code < LM_NUM_CODES);
    size_t length = strnlen(error->message, sizeof error->message);
    PROMISE(length >= 8 && length <= sizeof error->message - 1);
    PROMISE(strnlen(error->section, sizeof error->section) <= sizeof error->section - 1);
    PROMISE(!strchr(error->message, '\n'));
}

static void assert_finite_vec(lm_vec3 v) {
    PROMISE(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
}

static void assert_frames_valid(const lm_model *model) {
    PROMISE(model->num_frames >= 1);
    PROMISE(model->frames);
    for (uint32_t f = 0; f < model->num_frames; f++) {
        const lm_frame *frame = &model->frames[f];
        PROMISE(strlen(frame->name) <= 16);
        assert_finite_vec(frame->min);
        assert_finite_vec(frame->max);
        assert_finite_vec(frame->origin);
        assert_finite_vec(frame->scale);
        assert_finite_vec(frame->translate);
        PROMISE(isfinite(frame->radius));
        PROMISE(frame->min.x <= frame->max.x && frame->min.y <= frame->max.y &&
                frame->min.z <= frame->max.z);
    }
}

/* Reads every byte, so that the sanitizer checks it. */
static void touch(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        (void)((const volatile uint8_t *)bytes)[i];
}

static void assert_keys_valid(const lm_model *model, const lm_surface *s) {
    size_t key_size = s->encoding == LM_VERTEX_U8 ? 4 : 8;
    PROMISE(s->key_size == key_size);
    PROMISE(s->key_stride >= s->num_file_vertices * key_size);
    for (uint32_t f = 0; f < model->num_frames && s->num_vertices > 0; f++) {
        uint32_t key = s->frame_keys ? s->frame_keys[f] : f;
        uint32_t delta = s->frame_deltas ? s->frame_deltas[f] : LM_NO_DELTA;
        PROMISE(key < s->num_keys);
        PROMISE(delta == LM_NO_DELTA || delta < s->num_deltas);
        const uint8_t *row = s->keys + key * s->key_stride;
        touch(row, s->num_file_vertices * key_size);
        if (delta != LM_NO_DELTA)
            touch(s->deltas + delta * s->delta_stride, (size_t)4 * s->num_file_vertices);
        for (uint32_t v = 0; v < s->num_file_vertices && s->encoding == LM_VERTEX_U8; v++)
            PROMISE(row[4 * (size_t)v + 3] < LM_NUM_NORMALS_162);
    }
}

static void assert_weights_valid(const lm_model *model, const lm_surface *s) {
    const lm_weights *weights = s->weights;
    PROMISE(model->bones && weights && !s->keys && !s->frame_deltas);
    PROMISE(weights->firsts[0] == 0);
    for (uint32_t v = 0; v < s->num_file_vertices; v++) {
        PROMISE(weights->firsts[v + 1] > weights->firsts[v]);
        const lm_vec3 n = weights->normals[v];
        PROMISE(fabsf(n.x * n.x + n.y * n.y + n.z * n.z - 1) < 1e-5f);
    }
    for (uint32_t w = 0; w < weights->firsts[s->num_file_vertices]; w++) {
        PROMISE(weights->weights[w].bone < model->bones->num_bones);
        PROMISE(fabsf(weights->weights[w].weight - 0.5f) <= 0.501f);
        assert_finite_vec(weights->weights[w].offset);
    }
}

static void assert_bones_valid(const lm_model *model) {
    const lm_bones *bones = model->bones;
    PROMISE(bones->num_bones >= 1 && bones->num_bones <= LM_MAX_BONES);
    PROMISE(bones->torso_parent < bones->num_bones);
    for (uint32_t b = 0; b < bones->num_bones; b++) {
        PROMISE(strlen(bones->bones[b].name) <= 64);
        PROMISE(bones->bones[b].parent == LM_NO_BONE || bones->bones[b].parent < b);
        PROMISE(isfinite(bones->bones[b].parent_dist));
        PROMISE(fabsf(bones->bones[b].torso_weight - 0.5f) <= 0.501f);
    }
    for (uint32_t f = 0; f < model->num_frames; f++)
        touch(bones->poses + f * bones->pose_stride, (size_t)12 * bones->num_bones);
}

static void assert_surface_valid(const lm_model *model, const lm_surface *s) {
    PROMISE(s->name);
    PROMISE(s->num_vertices >= s->num_file_vertices);
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        PROMISE(s->file_vertices[v] < s->num_file_vertices);
        PROMISE(v >= s->num_file_vertices || s->file_vertices[v] == v);
        PROMISE(isfinite(s->st[v].x) && isfinite(s->st[v].y));
    }
    for (size_t i = 0; i < (size_t)3 * s->num_triangles; i++)
        PROMISE(s->triangles[i] < s->num_vertices);
    for (uint32_t m = 0; m < s->num_materials; m++)
        PROMISE(strlen(s->materials[m].name) <= 64);
    if (s->encoding == LM_VERTEX_WEIGHTS)
        assert_weights_valid(model, s);
    else
        assert_keys_valid(model, s);
}

/* Checks that clips made from names hold every frame exactly once, in order. */
static void assert_clips_valid(const lm_model *model) {
    uint32_t next = 0;
    PROMISE(model->num_clips >= 1);
    for (uint32_t i = 0; i < model->num_clips; i++) {
        const lm_clip *clip = &model->clips[i];
        PROMISE(clip->name);
        PROMISE(clip->first == next);
        PROMISE(clip->count >= 1 && clip->count <= model->num_frames - clip->first);
        PROMISE(clip->fps > 0 && isfinite(clip->fps));
        PROMISE(clip->loop_frames <= clip->count);
        next += clip->count;
    }
    PROMISE(next == model->num_frames);
}

static bool has_area(const lm_gl_commands *gl, const lm_gl_primitive *primitive, uint32_t third) {
    const lm_gl_vertex *v = gl->vertices + primitive->first;
    const uint32_t a = v[primitive->fan ? 0 : third - 2].vertex, b = v[third - 1].vertex;
    return a != b && b != v[third].vertex && v[third].vertex != a;
}

static void assert_gl_valid(const lm_model *model) {
    const lm_gl_commands *gl = &model->gl_commands;
    uint32_t vertices = 0, triangles = 0, fans = 0;
    for (uint32_t p = 0; p < gl->num_primitives; p++) {
        PROMISE(gl->primitives[p].first == vertices);
        PROMISE(gl->primitives[p].count >= 1);
        vertices += gl->primitives[p].count;
        for (uint32_t i = 2; i < gl->primitives[p].count; i++)
            triangles += has_area(gl, &gl->primitives[p], i);
        fans += gl->primitives[p].fan;
    }
    PROMISE(gl->num_vertices == vertices);
    PROMISE(gl->num_triangles == triangles);
    PROMISE(gl->num_fans == fans);
    PROMISE(gl->num_fans + gl->num_strips == gl->num_primitives);
    for (uint32_t v = 0; v < gl->num_vertices; v++) {
        const lm_surface *s = &model->surfaces[0];
        PROMISE(gl->vertices[v].vertex < s->num_file_vertices);
        PROMISE(isfinite(gl->vertices[v].s) && isfinite(gl->vertices[v].t));
        if (gl->drawn) {
            PROMISE(gl->drawn[v] < s->num_vertices);
            PROMISE(s->file_vertices[gl->drawn[v]] == gl->vertices[v].vertex);
        }
    }
}

static void assert_tags_valid(const lm_model *model) {
    for (uint32_t t = 0; t < model->num_tags; t++) {
        PROMISE(strlen(model->tags[t].name) <= 64);
        if (model->tags[t].encoding == LM_TAG_BONE) {
            PROMISE(model->bones->tag_bones[t] < model->bones->num_bones);
            continue;
        }
        for (uint32_t f = 0; f < model->num_frames; f++)
            touch(model->tags[t].poses + f * model->tags[t].pose_stride,
                  model->tags[t].encoding == LM_TAG_AXES ? 48 : 12);
    }
}

static void assert_warnings_valid(const lm_model *model) {
    bool seen[LM_NUM_CODES] = {false};
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_diagnostic *w = &model->warnings[i];
        PROMISE(w->code > LM_CODE_OK && w->code < LM_NUM_CODES);
        PROMISE(!seen[w->code]);
        seen[w->code] = true;
        PROMISE(w->count >= 1);
        PROMISE(strlen(w->text) > 8);
    }
}

void assert_model_valid(const lm_model *model) {
    PROMISE(model);
    PROMISE(model->name);
    PROMISE(lm_format_by_name(model->format));
    assert_frames_valid(model);
    if (model->bones)
        assert_bones_valid(model);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        assert_surface_valid(model, &model->surfaces[s]);
    for (uint32_t i = 0; i < model->num_skins; i++)
        PROMISE(strlen(model->skins[i]) <= 64);
    assert_clips_valid(model);
    assert_gl_valid(model);
    assert_tags_valid(model);
    assert_warnings_valid(model);
    PROMISE(isfinite(model->delta_scale));
}
