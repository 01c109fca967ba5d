#include "lerpmesh/sample.h"

#include "core/bytes.h"
#include "math/vectors.h"
#include "model/pose.h"
#include "sample/bones.h"

/* The steps of a tag's position and angles as the engine reads them (docs/reference/formats.md,
 * MDC). */
#define TAG_STEP (1.0f / 64)
#define TAG_DEGREES (360.0f / 32700)

static float tag_coordinate(const uint8_t *p, lm_tag_encoding encoding) {
    return encoding == LM_TAG_U16 ? (float)lmi_get_u16(p) : (float)lmi_get_s16(p);
}

static void stored_axes(const uint8_t *p, lm_vec3 axis[3]) {
    double turns[3];
    for (size_t i = 0; i < 3; i++)
        turns[i] = (double)((float)lmi_get_s16(p + 6 + 2 * i) * TAG_DEGREES) / 360;
    lmi_axes_of_turns(turns, axis);
}

/* Returns a tag as stored: its axes may have any length. */
static lm_transform stored_tag(const lm_tag *tag, uint32_t frame) {
    const uint8_t *p = tag->poses + frame * tag->pose_stride;
    if (tag->encoding == LM_TAG_AXES)
        return (lm_transform){lmi_get_vec3(p),
                              {lmi_get_vec3(p + 12), lmi_get_vec3(p + 24), lmi_get_vec3(p + 36)}};
    lm_transform transform = {.origin = {tag_coordinate(p, tag->encoding) * TAG_STEP,
                                         tag_coordinate(p + 2, tag->encoding) * TAG_STEP,
                                         tag_coordinate(p + 4, tag->encoding) * TAG_STEP}};
    stored_axes(p, transform.axis);
    return transform;
}

static lm_vec3 blend(lm_vec3 a, lm_vec3 b, float t) {
    float s = 1 - t;
    return (lm_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

static double length_of(lm_vec3 v) {
    return lmi_wide_length(lmi_wide_of(v));
}

/* Blends two axes. Opposite axes would cancel, as in the engine, and flatten attached models for a
 * moment; the nearer axis is used instead. */
static lm_vec3 blended_axis(lm_vec3 a, lm_vec3 b, float t) {
    lm_vec3 v = blend(a, b, t);
    return length_of(v) < 1e-6 * fmax(length_of(a), length_of(b)) ? t < 0.5f ? a : b : v;
}

static void blend_into(lm_transform *a, const lm_transform *b, float t) {
    a->origin = blend(a->origin, b->origin, t);
    for (int i = 0; i < 3; i++)
        a->axis[i] = blended_axis(a->axis[i], b->axis[i], t);
}

/* A zero axis stays zero, as in the engine, and flattens attached models. */
static void normalise(lm_transform *transform) {
    for (int i = 0; i < 3; i++)
        transform->axis[i] = lmi_unit(transform->axis[i]);
}

lm_code lm_sample_tag(const lm_model *model, uint32_t tag, const lm_pose *pose, lm_transform *out) {
    if (!model || !pose || !out || tag >= model->num_tags ||
        !lmi_pose_sound(pose, model->num_frames, false))
        return LM_CODE_BAD_ARGUMENT;
    if (lmi_has_bones(model)) {
        lm_transform bones[LM_MAX_BONES];
        const uint32_t bone = model->bones->tag_bones[tag];
        lmi_pose_bones(model, pose, pose, bone, bones);
        *out = bones[bone];
        normalise(out);
        return LM_CODE_OK;
    }
    /* A pose of exactly one frame equals that frame bit for bit, as with vertices. */
    *out = stored_tag(&model->tags[tag], pose->t < 1 ? pose->frame_a : pose->frame_b);
    if (pose->t > 0 && pose->t < 1) {
        lm_transform b = stored_tag(&model->tags[tag], pose->frame_b);
        blend_into(out, &b, pose->t);
    }
    normalise(out);
    return LM_CODE_OK;
}

lm_code lm_sample_tag_blend(const lm_model *model, uint32_t tag, const lm_pose *from,
                            const lm_pose *to, float weight, lm_transform *out) {
    lm_transform a, b;
    if (!out || !(weight >= 0 && weight <= 1) ||
        lm_sample_tag(model, tag, from, &a) != LM_CODE_OK ||
        lm_sample_tag(model, tag, to, &b) != LM_CODE_OK)
        return LM_CODE_BAD_ARGUMENT;
    *out = weight < 1 ? a : b;
    if (weight > 0 && weight < 1) {
        blend_into(out, &b, weight);
        normalise(out);
    }
    return LM_CODE_OK;
}
