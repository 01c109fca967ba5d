/* Checks of arguments, the context and the driver. */
#include "gl_internal.h"

/* ---- Arguments ----------------------------------------------------------------------------- */

static bool sound_choices(lm_gl_shade shade, lm_engine engine, float exposure) {
    return (unsigned)shade <= LM_GL_SHADE_ENGINE && (unsigned)engine < LM_NUM_ENGINES &&
           exposure >= 0 && isfinite(exposure);
}

bool lmi_gl_sound_reserved(const uint64_t *reserved, unsigned count, lm_error *error) {
    for (unsigned i = 0; i < count; i++)
        if (reserved[i] != 0)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: reserved must be 0");
    return true;
}

bool lmi_gl_sound_array(const void *array, uint32_t count, const char *member, lm_error *error) {
    return array || count == 0 ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: %s is NULL, but its number is %u",
                         member, count);
}

bool lmi_gl_sound_view(const lm_gl_view *view, lm_error *error) {
    return lmi_gl_sound_reserved(view->reserved, 4, error);
}

static bool sound_environment(const lm_gl_environment *environment, lm_error *error) {
    return !environment || lmi_gl_sound_reserved(environment->reserved, 4, error);
}

bool lmi_gl_sound_style(const lm_gl_style *style, lm_error *error) {
    if (sound_choices(style->shade, style->engine, style->exposure) &&
        (unsigned)style->alpha <= LM_GL_ALPHA_BLEND)
        return lmi_gl_sound_array((const void *)style->textures, style->num_textures, "textures",
                                  error) &&
               lmi_gl_sound_reserved(style->reserved, 4, error) &&
               sound_environment(style->environment, error);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: unknown value in lm_gl_style");
}

static bool is_finite(const lm_vec3 *v) {
    return isfinite(v->x) && isfinite(v->y) && isfinite(v->z);
}

static bool sound_extent(const lm_gl_box *box) {
    return !box || !box->any || (is_finite(&box->min) && is_finite(&box->max));
}

static bool sound_marks(const lm_gl_scene *f, const lm_gl_render_options *o) {
    if (o->num_marks > 0 && (!o->marks || o->marked_part >= f->scene->num_parts))
        return false;
    for (uint32_t i = 0; i < o->num_marks; i++) {
        const lm_model *model = f->scene->parts[o->marked_part].model;
        for (int k = 0; k < 3; k++)
            if (o->marks[i].surface >= model->num_surfaces ||
                o->marks[i].vertices[k] >= model->surfaces[o->marks[i].surface].num_vertices)
                return false;
    }
    return true;
}

bool lmi_gl_sound_options(const lm_gl_scene *f, const lm_gl_render_options **options,
                          lm_error *error) {
    static const lm_gl_render_options plain = {.shade = LM_GL_SHADE_STUDIO};
    const lm_gl_render_options *o = *options = *options ? *options : &plain;
    if (sound_choices(o->shade, o->engine, o->exposure) && o->show <= GL_SHOW_ALL &&
        sound_extent(o->extent) && sound_marks(f, o))
        return lmi_gl_sound_reserved(o->reserved, 4, error) &&
               sound_environment(o->environment, error) &&
               (!o->extent || lmi_gl_sound_reserved(o->extent->reserved, 4, error));
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

bool lmi_gl_sound_instances(const lm_model *model, const lm_gl_instance *instances, uint32_t count,
                            lm_error *error) {
    if (count > INT32_MAX)
        return lm_fail_plain(error, LM_CODE_LIMIT, "gl: %u instances are too many", count);
    if (!lmi_gl_sound_array(instances, count, "instances", error))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!lmi_gl_sound_reserved(instances[i].reserved, 2, error))
            return false;
        else if (!sound_instance(model, &instances[i]))
            return lm_fail_plain(
                error, LM_CODE_BAD_ARGUMENT,
                "gl: the pose of instance %u is not valid for the model, which has "
                "%u frames",
                i, model->num_frames);
    return true;
}

bool lmi_gl_no_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: out of memory");
}

/* ---- The driver ---------------------------------------------------------------------------- */

bool lmi_gl_alive(const lm_gl *gl, lm_error *error) {
    return !gl->lost || lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the context was lost");
}

bool lmi_gl_ready(const lm_gl *gl, lm_error *error) {
    if (!lmi_gl_alive(gl, error))
        return false;
    lmi_gl_take_errors(gl);
    return true;
}

/* The loop is bounded, because a lost context may report errors forever. */
GLenum lmi_gl_take_errors(const lm_gl *gl) {
    GLenum first = gl->api.GetError();
    for (int i = 0; first != GL_NO_ERROR && i < 16 && gl->api.GetError() != GL_NO_ERROR; i++)
        continue;
    return first;
}

bool lmi_gl_created(const lm_gl *gl, const char *what, lm_error *error) {
    GLenum code = lmi_gl_take_errors(gl);
    if (code == GL_NO_ERROR)
        return true;
    if (code == GL_OUT_OF_MEMORY)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: not enough graphics memory for %s",
                             what);
    return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver rejects %s (error 0x%04x)", what,
                         (unsigned)code);
}
