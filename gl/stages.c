/* Draws surfaces with shader scripts: deforms them, and draws them stage by stage. The CPU computes
 * each vertex (formulas in lerpmesh/scene.h). */
#include "gl_internal.h"

#include <stdlib.h>

/* ---- Single vertices ------------------------------------------------------------------------- */

static void wave(gl_generated_vertex *v, const lm_deform *d, double seconds) {
    double spread =
        ((double)v->position.x + (double)v->position.y + (double)v->position.z) * (double)d->spread;
    v->position = gl_sum(v->position, v->normal, lm_wave_value(&d->wave, spread, seconds));
}

static void bulge(gl_generated_vertex *v, const lm_deform *d, float s, double seconds) {
    double at = (double)s * (double)d->values[0] + seconds * (double)d->values[2];
    v->position = gl_sum(v->position, v->normal, d->values[1] * (float)sin(at));
}

static void shake_normal(gl_generated_vertex *v, const lm_deform *d, double seconds) {
    const lm_wave noise = {.function = LM_WAVE_NOISE, .amplitude = d->values[0], .frequency = 1};
    double at = ((double)v->position.x + (double)v->position.y + (double)v->position.z) * 0.98;
    double time = seconds * (double)d->values[1];
    lm_vec3 n = v->normal;
    n.x += lm_wave_value(&noise, at, time);
    n.y += lm_wave_value(&noise, at + 100, time);
    n.z += lm_wave_value(&noise, at + 200, time);
    v->normal = gl_unit(n, v->normal);
}

/* ---- Squares ------------------------------------------------------------------------------- */

/* Rotates a square to face the eye, with its texture upright. */
static void face_eye(const gl_generated *generated, gl_generated_vertex *v) {
    lm_vec3 middle = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        middle = gl_sum(middle, v[i].position, 0.25f);
    float half = 0.707f * gl_length(gl_sum(v[0].position, middle, -1));
    for (int i = 0; i < 4; i++) {
        float right = i == 1 || i == 2 ? half : -half, up = i < 2 ? half : -half;
        v[i].position = gl_sum(gl_sum(middle, generated->right, right), generated->up, up);
        v[i].normal = generated->toward;
        v[i].st = (lm_vec2){right > 0, up < 0};
    }
}

/* Pairs of a square's corners: its sides and diagonals. */
static const unsigned char pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* Rotates a square about the line through the midpoints of its two shortest sides. */
static void rotate_about_axis(const gl_generated *generated, gl_generated_vertex *v) {
    unsigned shortest = 0;
    for (unsigned i = 1; i < 6; i++)
        if (gl_length(gl_sum(v[pairs[i][0]].position, v[pairs[i][1]].position, -1)) <
            gl_length(gl_sum(v[pairs[shortest][0]].position, v[pairs[shortest][1]].position, -1)))
            shortest = i;
    /* The opposite side has the other two corners: pair 5 - i. */
    lm_vec3 middles[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned char *p = pairs[i ? 5 - shortest : shortest];
        middles[i] = gl_sum(v[p[0]].position, v[p[1]].position, 1);
        middles[i] = (lm_vec3){middles[i].x / 2, middles[i].y / 2, middles[i].z / 2};
    }
    lm_vec3 across =
        gl_unit(gl_cross(gl_sum(middles[1], middles[0], -1), generated->toward), generated->right);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned char *p = pairs[i ? 5 - shortest : shortest];
        float half = gl_length(gl_sum(v[p[0]].position, v[p[1]].position, -1)) / 2;
        float side = gl_dot(gl_sum(v[p[0]].position, middles[i], -1), across) < 0 ? -half : half;
        v[p[0]].position = gl_sum(middles[i], across, side);
        v[p[1]].position = gl_sum(middles[i], across, -side);
    }
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

bool lmi_gl_faces_eye(const lm_shader *shader) {
    for (uint32_t i = 0; i < shader->num_deforms; i++)
        if (shader->deforms[i].kind == LM_DEFORM_AUTOSPRITE ||
            shader->deforms[i].kind == LM_DEFORM_AUTOSPRITE2)
            return true;
    return false;
}

static void deform_vertices(gl_generated *generated, const lm_deform *d) {
    lm_vec3 move = {d->values[0], d->values[1], d->values[2]};
    float share = lm_wave_value(&d->wave, 0, generated->seconds);
    for (uint32_t i = 0; i < generated->num_vertices; i++) {
        gl_generated_vertex *v = &generated->vertices[i];
        if (d->kind == LM_DEFORM_WAVE)
            wave(v, d, generated->seconds);
        else if (d->kind == LM_DEFORM_BULGE)
            bulge(v, d, generated->st[i].x, generated->seconds);
        else if (d->kind == LM_DEFORM_MOVE)
            v->position = gl_sum(v->position, move, share);
        else
            shake_normal(v, d, generated->seconds);
    }
}

void lmi_gl_deform(gl_generated *generated) {
    for (uint32_t k = 0; k < generated->shader->num_deforms; k++) {
        const lm_deform *d = &generated->shader->deforms[k];
        bool faces = d->kind == LM_DEFORM_AUTOSPRITE;
        if (!faces && d->kind != LM_DEFORM_AUTOSPRITE2) {
            deform_vertices(generated, d);
            continue;
        }
        generated->sprites = generated->sprites || faces;
        for (uint32_t i = 0; i + 4 <= generated->num_vertices; i += 4)
            (faces ? face_eye : rotate_about_axis)(generated, &generated->vertices[i]);
    }
}

/* ---- Directions ---------------------------------------------------------------------------- */

static lm_vec3 direction(lm_vec3 from, lm_vec3 to) {
    lm_vec3 d = gl_sum(to, from, -1);
    return gl_unit(d, d);
}

/* Returns the reflection of direction `d`: 2 (n . d) n - d. */
static lm_vec3 reflect(lm_vec3 n, lm_vec3 d) {
    const lm_vec3 back = {-d.x, -d.y, -d.z};
    return gl_sum(back, n, 2 * gl_dot(n, d));
}

/* ---- Texture coordinates ------------------------------------------------------------------- */

/* `own`: the model's coordinates, or those of a square's corner. */
static lm_vec2 generate(const gl_generated *generated, const lm_stage *stage,
                        const gl_generated_vertex *v, lm_vec2 own) {
    const lm_vec3 *p = &v->position;
    if (stage->tc_gen == LM_TC_GEN_ENVIRONMENT) {
        lm_vec3 r = reflect(v->normal, direction(*p, generated->eye));
        return (lm_vec2){0.5f + r.y / 2, 0.5f - r.z / 2};
    }
    if (stage->tc_gen == LM_TC_GEN_VECTOR) {
        const float(*a)[3] = stage->tc_vectors;
        return (lm_vec2){p->x * a[0][0] + p->y * a[0][1] + p->z * a[0][2],
                         p->x * a[1][0] + p->y * a[1][1] + p->z * a[1][2]};
    }
    return own;
}

#define TWO_PI 6.2831853f

static lm_vec2 step(const lm_tc_step *m, const lm_vec3 *p, lm_vec2 in) {
    const float *a = m->matrix;
    lm_vec2 out = {in.x * a[0] + in.y * a[2] + a[4], in.x * a[1] + in.y * a[3] + a[5]};
    if (m->turbulence != 0) {
        out.x += m->turbulence * sinf(TWO_PI * fmodf((p->x + p->z) / 1024 + m->phase, 1));
        out.y += m->turbulence * sinf(TWO_PI * fmodf(p->y / 1024 + m->phase, 1));
    }
    return out;
}

/* ---- Colours ------------------------------------------------------------------------------- */

static float specular(const gl_generated *generated, const gl_generated_vertex *v) {
    static const lm_vec3 lamp = {-960, 1980, 96};
    lm_vec3 r = reflect(v->normal, direction(v->position, lamp));
    float cosine = fmaxf(gl_dot(r, direction(v->position, generated->eye)), 0);
    return cosine * cosine * cosine * cosine;
}

static float alpha_of(const gl_generated *generated, const lm_stage *stage,
                      const gl_generated_vertex *v, float constant) {
    if (stage->alpha_gen == LM_ALPHA_GEN_SPECULAR)
        return fminf(specular(generated, v), 1);
    if (stage->alpha_gen == LM_ALPHA_GEN_PORTAL)
        return stage->range > 0
                   ? fminf(gl_length(gl_sum(generated->eye, v->position, -1)) / stage->range, 1)
                   : 1;
    return constant;
}

/* Computes the texture coordinates and colours of a stage. */
static void gl_fill_stage(const gl_generated *generated, const lm_stage *stage) {
    lm_stage_state state;
    lm_stage_at(stage, generated->seconds, &state);
    for (uint32_t i = 0; i < generated->num_vertices; i++) {
        gl_generated_vertex *v = &generated->vertices[i];
        const lm_vec2 corner = {i % 4 == 1 || i % 4 == 2, i % 4 >= 2};
        lm_vec2 st = generate(generated, stage, v, generated->sprites ? corner : generated->st[i]);
        for (uint32_t k = 0; k < stage->num_tc_mods; k++)
            st = step(&state.steps[k], &v->position, st);
        v->st = st;
        for (int c = 0; c < 3; c++)
            v->rgba[c] = lmi_gl_byte_of(state.rgba[c]);
        v->rgba[3] = lmi_gl_byte_of(alpha_of(generated, stage, v, state.rgba[3]));
    }
}

/* ---- State --------------------------------------------------------------------------------- */

static const GLenum factors[] = {
    [LM_BLEND_ZERO] = GL_ZERO,
    [LM_BLEND_ONE] = GL_ONE,
    [LM_BLEND_SRC_COLOR] = GL_SRC_COLOR,
    [LM_BLEND_ONE_MINUS_SRC_COLOR] = GL_ONE_MINUS_SRC_COLOR,
    [LM_BLEND_DST_COLOR] = GL_DST_COLOR,
    [LM_BLEND_ONE_MINUS_DST_COLOR] = GL_ONE_MINUS_DST_COLOR,
    [LM_BLEND_SRC_ALPHA] = GL_SRC_ALPHA,
    [LM_BLEND_ONE_MINUS_SRC_ALPHA] = GL_ONE_MINUS_SRC_ALPHA,
    [LM_BLEND_DST_ALPHA] = GL_DST_ALPHA,
    [LM_BLEND_ONE_MINUS_DST_ALPHA] = GL_ONE_MINUS_DST_ALPHA,
    [LM_BLEND_SRC_ALPHA_SATURATE] = GL_SRC_ALPHA_SATURATE,
};

static bool is_of_alpha(lm_blend factor) {
    return factor == LM_BLEND_SRC_ALPHA || factor == LM_BLEND_ONE_MINUS_SRC_ALPHA ||
           factor == LM_BLEND_SRC_ALPHA_SATURATE;
}

/* Returns how much a stage covers a transparent background. */
static float cover_of(const lm_stage *stage) {
    if (!stage->blended)
        return GL_COVER_ALL;
    return is_of_alpha(stage->source) || is_of_alpha(stage->destination) ? GL_COVER_ALPHA
                                                                         : GL_COVER_LIGHT;
}

/* Returns whether a stage only changes existing colours, and covers nothing. */
static bool hides_nothing(const lm_stage *stage) {
    return stage->source == LM_BLEND_DST_COLOR || stage->source == LM_BLEND_ZERO ||
           stage->source == LM_BLEND_ONE_MINUS_DST_COLOR ||
           stage->destination == LM_BLEND_SRC_ALPHA;
}

static void set_sides(const lm_gl *gl, const gl_generated *generated, bool two_sided) {
    const lm_shader *shader = generated->shader;
    /* A square that faces the eye has no back. */
    bool both = two_sided || lmi_gl_faces_eye(shader) || shader->sides == LM_SIDES_BOTH;
    (both ? gl->api.Disable : gl->api.Enable)(GL_CULL_FACE);
    gl->api.CullFace(shader->sides == LM_SIDES_BACK ? GL_FRONT : GL_BACK);
    if (shader->polygon_offset) {
        gl->api.Enable(GL_POLYGON_OFFSET_FILL);
        gl->api.PolygonOffset(-1, -2);
    }
}

static void set_wrap(const lm_gl *gl, bool clamp) {
    GLint wrap = clamp ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Only stages that the game lights are lit. */
static gl_variant variant_of(const lm_stage *stage, lm_gl_shade shade) {
    bool lit = stage->rgb_gen == LM_RGB_LIGHTING_DIFFUSE && shade != LM_GL_SHADE_TEXTURE;
    gl_paint paint = !lit                          ? GL_PAINT_TEXTURE
                     : shade == LM_GL_SHADE_ENGINE ? GL_PAINT_ENGINE
                                                   : GL_PAINT_STUDIO;
    return (gl_variant){
        .decode = GL_DECODE_FLOAT, .paint = paint, .alpha_test = stage->alpha_test != LM_TEST_NONE};
}

/* Makes two triangles per four vertices. */
static uint32_t split_squares(const gl_generated *generated, gl_generated_vertex *out) {
    static const unsigned char corners[6] = {0, 1, 3, 3, 1, 2};
    uint32_t count = 0;
    for (uint32_t i = 0; i + 4 <= generated->num_vertices; i += 4)
        for (unsigned k = 0; k < 6; k++)
            out[count++] = generated->vertices[i + corners[k]];
    return count;
}

bool lmi_gl_upload_generated(lm_gl *gl, const gl_generated_vertex *vertices, uint32_t count,
                             const gl_surface *surface, lm_error *error) {
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    gl->api.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *vertices), vertices,
                       GL_STREAM_DRAW);
    gl->api.BindVertexArray(gl->generated_array);
    gl->api.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->indices);
    return lmi_gl_created(gl, "computed vertices", error);
}

static bool draw_vertices(lm_gl *gl, const gl_generated *generated, gl_surface *surface,
                          const lm_gl_style *style, lm_error *error) {
    if (!generated->sprites)
        return lmi_gl_upload_generated(gl, generated->vertices, generated->num_vertices, surface,
                                       error) &&
               lmi_gl_draw_runs(gl, surface, style, 0, error);
    gl_generated_vertex *squares =
        malloc(sizeof *squares * (generated->num_vertices / 4 * 6 + (size_t)1));
    if (!squares)
        return lmi_gl_no_memory(error);
    uint32_t count = split_squares(generated, squares);
    bool uploaded = lmi_gl_upload_generated(gl, squares, count, surface, error);
    if (uploaded)
        gl->api.DrawArrays(GL_TRIANGLES, 0, (GLsizei)count);
    free(squares);
    return uploaded;
}

static const lm_gl_texture *image_of(const gl_generated *generated, const lm_stage *stage,
                                     const lm_gl_texture *const *textures) {
    lm_stage_state state;
    lm_stage_at(stage, generated->seconds, &state);
    return state.image == LM_NO_TEXTURE ? NULL : textures[state.image];
}

/* A stage that keeps the background by its own alpha, with an alpha of 1 everywhere, is additive.
 * This replaces its blend factor, so that a transparent image gets its light. */
static lm_stage simplified(const lm_stage *stage, const lm_gl_texture *texture) {
    lm_stage out = *stage;
    if (stage->destination == LM_BLEND_SRC_ALPHA && stage->alpha_gen == LM_ALPHA_GEN_IDENTITY &&
        !(texture && texture->alpha != LM_GL_ALPHA_OPAQUE))
        out.destination = LM_BLEND_ONE;
    return out;
}

static bool draw_stage(const gl_generated *generated, lm_gl_model *model, uint32_t surface,
                       const lm_stage *stage, const lm_gl_texture *texture,
                       const lm_gl_view *model_view, const lm_transform *transform,
                       const lm_gl_style *style, lm_error *error) {
    lm_gl *gl = model->gl;
    const gl_pass pass = {.variant = variant_of(stage, style->shade),
                          .texture = texture,
                          .color = {1, 1, 1},
                          .light = lmi_gl_engine_light(style->engine, model->model),
                          .style = style};
    const gl_program *program = lmi_gl_use_program(gl, pass.variant, error);
    const lm_stage simple = simplified(stage, texture);
    if (!program)
        return false;
    gl_fill_stage(generated, stage);
    lmi_gl_set_pass(gl, program, &pass, model_view);
    lmi_gl_set_transform(gl, program, transform);
    static const float tests[][2] = {[LM_TEST_NONE] = {0, 1},
                                     [LM_TEST_GT0] = {1 / 512.0f, 1},
                                     [LM_TEST_LT128] = {127.5f / 255, -1},
                                     [LM_TEST_GE128] = {127.5f / 255, 1}};
    bool keeps = hides_nothing(&simple);
    (simple.blended ? gl->api.Enable : gl->api.Disable)(GL_BLEND);
    gl->api.BlendFuncSeparate(factors[simple.source], factors[simple.destination],
                              keeps ? GL_ZERO : GL_ONE, keeps ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
    gl->api.Uniform2f(program->test, tests[simple.alpha_test][0], tests[simple.alpha_test][1]);
    gl->api.Uniform1f(program->cover, cover_of(&simple));
    gl->api.DepthMask(!simple.keeps_depth);
    gl->api.DepthFunc(simple.depth_equal ? GL_EQUAL : GL_LEQUAL);
    if (texture)
        set_wrap(gl, stage->clamp);
    bool drawn = draw_vertices(gl, generated, &model->surfaces[surface], style, error);
    if (texture && stage->clamp) {
        gl->api.BindTexture(GL_TEXTURE_2D, texture->name);
        set_wrap(gl, false);
    }
    return drawn;
}

/* Returns whether a stage has images, but lacks the one to show now. */
static bool lacks_image(const gl_generated *generated, const lm_stage *stage,
                        const lm_gl_texture *const *textures) {
    return stage->num_images > 0 && !image_of(generated, stage, textures);
}

static bool shows_any(const gl_generated *generated, const lm_gl_texture *const *textures) {
    for (uint32_t i = 0; i < generated->shader->num_stages; i++)
        if (!lacks_image(generated, &generated->shader->stages[i], textures))
            return true;
    return false;
}

bool lmi_gl_draw_generated(const gl_generated *generated, lm_gl_model *model, uint32_t surface,
                           const lm_gl_texture *const *textures, uint32_t texture,
                           const lm_gl_view *view, const lm_transform *transform,
                           const lm_gl_style *style, lm_error *error) {
    const lm_gl *gl = model->gl;
    const lm_stage plain = {.num_images = 1, .images = &texture};
    const lm_shader *shader = generated->shader;
    const lm_gl_view model_view = lmi_gl_view_of_transformed(view, transform);
    bool drawn = true, any = shows_any(generated, textures);
    set_sides(gl, generated, style->two_sided);
    for (uint32_t i = 0; drawn && i < (shader->num_stages ? shader->num_stages : 1); i++) {
        const lm_stage *stage = shader->num_stages ? &shader->stages[i] : &plain;
        if (any && lacks_image(generated, stage, textures))
            continue;
        drawn = draw_stage(generated, model, surface, stage, image_of(generated, stage, textures),
                           &model_view, transform, style, error);
    }
    if (shader->polygon_offset)
        gl->api.Disable(GL_POLYGON_OFFSET_FILL);
    lmi_gl_set_state(gl, style);
    return drawn;
}
