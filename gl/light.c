/* The light of the studio and of the games. */
#include "gl_internal.h"
#include "vectors.h"

/* ---- The games ----------------------------------------------------------------------------- */

#define DIAGONAL 0.70710678f
#define GREY(value) {(value) / 255.0f, (value) / 255.0f, (value) / 255.0f}

/* Quake and Quake II store their light in a table of 16 directions by 162 normals (anorm_dots.h).
 * It has 1 + cosine, or 1 + 0.3 * cosine if that is negative, from (1, 0, 1). Models here are at
 * direction 0. GLQuake (R_DrawAliasModel) limits ambient light to 128 and the sum of both to 192,
 * and divides by 200: at most 96 / 200. Quake II's `intensity` doubles textures; a light of half
 * the maximum, as in maps, shows them in their own colours where the cosine is 0. Without a map
 * (R_SetupEntityLighting), Quake III has 150 of 255 each, and 32 more ambient light, which RtCW
 * adds to some models only. */
static const gl_engine_light lights[] = {
    {LM_ENGINE_QUAKE2, {DIAGONAL, 0, DIAGONAL}, GREY(127.5f), GREY(127.5f), 0.3f, 2},
    {LM_ENGINE_QUAKE, {DIAGONAL, 0, DIAGONAL}, GREY(122.4f), GREY(122.4f), 0.3f, 1},
    {LM_ENGINE_QUAKE3, {0.4286f, 0.2857f, 0.8571f}, GREY(182), GREY(150), 0, 1},
    {LM_ENGINE_RTCW, {0.4286f, 0.2857f, 0.8571f}, GREY(150), GREY(150), 0, 1},
    {LM_ENGINE_ET,
     {-0.5298f, 0.5298f, 0.6623f},
     {64 / 255.0f, 64 / 255.0f, 96 / 255.0f},
     {1, 232 / 255.0f, 224 / 255.0f},
     0,
     1},
};

static const gl_engine_light *find_light(lm_engine engine) {
    if (engine == LM_ENGINE_GLQUAKE)
        engine = LM_ENGINE_QUAKE;
    for (size_t i = 0; i < sizeof lights / sizeof *lights; i++)
        if (lights[i].engine == engine)
            return &lights[i];
    return &lights[0]; /* Quake II's, also for its ports */
}

const gl_engine_light *lm_gl_engine_light(lm_engine engine, const lm_model *model) {
    const lm_format_info *format = lm_format_by_name(model->format);
    lm_format_limit limit;
    if (engine == LM_ENGINE_ANY && format && lm_format_limits(format, 0, &limit))
        engine = limit.engine;
    return find_light(engine);
}

void lm_gl_set_engine(const lm_gl *gl, const gl_program *program, const gl_engine_light *light) {
    const lm_vec3 *l = &light->toward;
    gl->api.Uniform3f(program->toward, l->x, l->y, l->z);
    const lm_vec3 *a = &light->ambient, *d = &light->directed;
    gl->api.Uniform4f(program->ambient, a->x, a->y, a->z, light->away);
    gl->api.Uniform4f(program->directed, d->x, d->y, d->z, light->gain);
}

/* ---- The studio ---------------------------------------------------------------------------- */

/* A warm key light, and ambient light from above and below. */
static const lm_gl_environment studio = {
    .ambient = {{0, 0, 0}, {0, 0, 0}, {0.10f, 0.12f, 0.15f}, {0.20f, 0.21f, 0.23f}},
    .key = {1.62f, 1.55f, 1.44f}};

/* Puts a lamp that moves with the camera: its offsets to the right, up and toward the camera. */
static void put_lamp(float out[4], const lm_gl_view *view, lm_vec3 l, float scale, float w) {
    const lm_vec3 zero = {0, 0, 0};
    const lm_vec3 side = gl_sum(gl_sum(zero, view->right, l.x), view->up, l.y);
    gl_put(out, gl_sum(side, view->toward, l.z), scale, w);
}

/* The studio's key light, a cool fill light, and a rim light from the rear move with the camera. An
 * environment does not, and has no others. */
void lm_gl_set_studio(const lm_gl *gl, const gl_program *program, const lm_gl_view *view,
                      const lm_gl_style *style) {
    const lm_gl_environment *e = style->environment ? style->environment : &studio;
    float values[9][4] = {{0}};
    gl_put(values[0], view->eye, 1, style->exposure > 0 ? style->exposure : 1);
    gl_put(values[1], e->toward, 1, 0);
    gl_put(values[4], e->key, 1, 0);
    for (unsigned i = 0; i < 4; i++)
        gl_put(values[5 + i], e->ambient[i], 1, 0);
    if (e == &studio) {
        put_lamp(values[1], view, (lm_vec3){-0.50f, 0.62f, 0.60f}, 1, 0);
        put_lamp(values[2], view, (lm_vec3){0.80f, -0.05f, 0.60f}, 0.6f, 0.4f);
        put_lamp(values[3], view, (lm_vec3){0.45f, 0.60f, -0.66f}, 0.7f, 0.3f);
    }
    gl->api.Uniform4fv(program->studio, 9, *values);
}
