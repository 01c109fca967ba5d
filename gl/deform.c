/* Vertex deformations of shaders (formulas in lerpmesh/scene.h). */
#include "gl_internal.h"
#include "vectors.h"

#include <math.h>

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

bool lm_gl_faces_eye(const lm_shader *shader) {
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

void lm_gl_deform(gl_generated *generated) {
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
