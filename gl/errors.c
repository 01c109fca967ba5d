/* Checks of arguments, the context and the driver. */
#include "gl_internal.h"

/* ---- Arguments ----------------------------------------------------------------------------- */

static bool sound_choices(lm_gl_shade shade, lm_engine engine, float exposure) {
    return (unsigned)shade <= LM_GL_ENGINE && (unsigned)engine < LM_NUM_ENGINES && exposure >= 0 &&
           isfinite(exposure);
}

bool lm_gl_sound_reserved(const uint64_t reserved[4], lm_error *error) {
    return (reserved[0] | reserved[1] | reserved[2] | reserved[3]) == 0 ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: `reserved` must be 0");
}

bool lm_gl_sound_style(const lm_gl_style *style, lm_error *error) {
    if (sound_choices(style->shade, style->engine, style->exposure) &&
        (unsigned)style->alpha <= LM_GL_ALPHA_BLEND &&
        (style->textures || style->num_textures == 0))
        return lm_gl_sound_reserved(style->reserved, error);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: unknown value in lm_gl_style");
}

static bool sound_fit(const lm_gl_fit *fit) {
    bool sound = true;
    for (int i = 0; i < 3; i++)
        sound = sound && isfinite((float)fit->min[i]) && isfinite((float)fit->max[i]);
    return sound;
}

bool lm_gl_sound_options(const lm_gl_render_options **options, lm_error *error) {
    static const lm_gl_render_options plain = {.shade = LM_GL_STUDIO};
    const lm_gl_render_options *o = *options = *options ? *options : &plain;
    if (sound_choices(o->shade, o->engine, o->exposure) && o->show <= GL_SHOW_ALL &&
        isfinite(o->seconds) && (!o->fit || !o->fit->any || sound_fit(o->fit)))
        return lm_gl_sound_reserved(o->reserved, error);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: unknown value in lm_gl_render_options");
}

static bool sound_pose(const lm_model *model, const lm_pose *pose) {
    return pose->frame_a < model->num_frames && pose->frame_b < model->num_frames && pose->t >= 0 &&
           pose->t <= 1;
}

static bool sound_instance(const lm_model *model, const lm_gl_instance *instance) {
    return sound_pose(model, &instance->pose) && sound_pose(model, &instance->to) &&
           instance->weight >= 0 && instance->weight <= 1;
}

bool lm_gl_sound_instances(const lm_model *model, const lm_gl_instance *instances, uint32_t count,
                           lm_error *error) {
    if (count > INT32_MAX)
        return lm_fail_plain(error, LM_CODE_LIMIT, "gl: %u instances are too many", count);
    for (uint32_t i = 0; i < count; i++)
        if (!sound_instance(model, &instances[i]))
            return lm_fail_plain(
                error, LM_CODE_BAD_ARGUMENT,
                "gl: the pose of instance %u is not valid for the model, which has "
                "%u frames",
                i, model->num_frames);
    return true;
}

bool lm_gl_no_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: out of memory");
}

/* ---- The driver ---------------------------------------------------------------------------- */

bool lm_gl_alive(const lm_gl *gl, lm_error *error) {
    return !gl->lost || lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the context was lost");
}

bool lm_gl_ready(const lm_gl *gl, lm_error *error) {
    if (!lm_gl_alive(gl, error))
        return false;
    lm_gl_take_errors(gl);
    return true;
}

/* The loop is bounded, because a lost context may report errors forever. */
GLenum lm_gl_take_errors(const lm_gl *gl) {
    GLenum first = gl->api.GetError();
    for (int i = 0; first != GL_NO_ERROR && i < 16 && gl->api.GetError() != GL_NO_ERROR; i++)
        continue;
    return first;
}

bool lm_gl_created(const lm_gl *gl, const char *what, lm_error *error) {
    GLenum code = lm_gl_take_errors(gl);
    if (code == GL_NO_ERROR)
        return true;
    if (code == GL_OUT_OF_MEMORY)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: not enough graphics memory for %s",
                             what);
    return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver rejects %s (error 0x%04x)", what,
                         (unsigned)code);
}
