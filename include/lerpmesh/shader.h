/* lerpmesh/shader.h - how a surface is drawn, as a game's shader script says.
 *
 *     #include <lerpmesh/shader.h>
 *
 *     // The picture that a stage shows at a time, if it has one, and the colour in which.
 *     bool show(const lm_stage *stage, double seconds, uint32_t *picture, float rgba[4]) {
 *         lm_stage_color(stage, seconds, rgba);
 *         if (stage->num_pictures > 0)
 *             *picture = stage->pictures[lm_stage_picture(stage, seconds)];
 *         return stage->num_pictures > 0;
 *     }
 *
 * Quake III and its children describe surfaces in scripts/NAME.shader: pictures in several stages,
 * which blend, move and reflect. A lm_shader is such a description, read and resolved, without its
 * language; lerpmesh-assets makes them (lerpmesh/script.h), renderers draw them, exporters say of
 * them what their format can. Times are seconds, from any beginning; coordinates are the model's.
 *
 * Formulas are those of Quake III's renderer (tr_shade_calc.c) without its tables of 1024 entries.
 * Its light is not doubled here (overbright 0): identityLighting is 1.
 *
 * Structs are plain and the caller's; zero-initialised each is as where the script says nothing,
 * and a surface with a zero-initialised lm_shader looks like one without. No call here allocates or
 * keeps state.
 */
#ifndef LERPMESH_SHADER_H
#define LERPMESH_SHADER_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MAX_STAGES 8
#define LM_MAX_STAGE_PICTURES 16
#define LM_MAX_TC_MODS 4
#define LM_MAX_DEFORMS 3

/* ---- Waves --------------------------------------------------------------------------------- */

/* F(x) for x from 0 to 1, which then comes again. */
typedef enum lm_wave_function {
    LM_WAVE_SIN,              /* sin 2 pi x */
    LM_WAVE_TRIANGLE,         /* 0, 1 at 1/4, 0, -1 at 3/4, 0 */
    LM_WAVE_SQUARE,           /* 1, from 1/2 on -1 */
    LM_WAVE_SAWTOOTH,         /* x */
    LM_WAVE_INVERSE_SAWTOOTH, /* 1 - x */
    LM_WAVE_NOISE             /* smooth between -1 and 1, and comes not again: lm_wave_value */
} lm_wave_function;

/* base + amplitude * F(phase + seconds * frequency) */
typedef struct lm_wave {
    float base, amplitude, phase, frequency;
    lm_wave_function function;
} lm_wave;

/* The wave's value, with `phase` added to its own. Noise is the same on every machine, but is not
 * the engine's, which comes from its C library's rand(). */
LM_API float lm_wave_value(const lm_wave *wave, double phase, double seconds);

/* ---- Texture coordinates ------------------------------------------------------------------- */

/* Where a stage's texture coordinates come from. */
typedef enum lm_tc_gen {
    LM_TC_BASE,        /* the model */
    LM_TC_ENVIRONMENT, /* with N the vertex's normal, V the direction from it to the eye, both of
                          length 1 and in the model's space, R = 2 (N . V) N - V:
                          s = 1/2 + R.y / 2, t = 1/2 - R.z / 2 */
    LM_TC_LIGHTMAP,    /* a map's; a model has none: as LM_TC_BASE */
    LM_TC_VECTOR       /* s = position . vectors[0], t = position . vectors[1] */
} lm_tc_gen;

/* What then happens to them, each to the result of the one before. */
typedef enum lm_tc_mod_kind {
    LM_TC_SCROLL,   /* values: s and t a second; the whole part of what is added goes */
    LM_TC_SCALE,    /* values: factors of s and t */
    LM_TC_ROTATE,   /* values: degrees a second about (1/2, 1/2) */
    LM_TC_STRETCH,  /* wave: s and t are divided by it, about (1/2, 1/2) */
    LM_TC_TURB,     /* wave without its base and function: s += amplitude * sin 2 pi ((x + z) /
                       1024 + phase + seconds * frequency), t with y instead of x + z */
    LM_TC_TRANSFORM /* values: a b c d e f, s' = a s + c t + e, t' = b s + d t + f */
} lm_tc_mod_kind;

typedef struct lm_tc_mod {
    float values[6];
    lm_wave wave;
    lm_tc_mod_kind kind;
} lm_tc_mod;

/* A lm_tc_mod at one time: first the matrix, as LM_TC_TRANSFORM's values, then, where turbulence is
 * not 0, s += turbulence * sin 2 pi ((x + z) / 1024 + phase) and t with y. */
typedef struct lm_tc_step {
    float matrix[6];
    float turbulence, phase; /* phase: 0 to 1 */
} lm_tc_step;

LM_API void lm_tc_mod_at(const lm_tc_mod *mod, double seconds, lm_tc_step *step);

/* ---- Stages -------------------------------------------------------------------------------- */

/* What a picture's and the screen's colours are multiplied by before they are added. */
typedef enum lm_blend {
    LM_BLEND_ZERO,
    LM_BLEND_ONE,
    LM_BLEND_SRC_COLOR, /* for the screen only */
    LM_BLEND_ONE_MINUS_SRC_COLOR,
    LM_BLEND_DST_COLOR, /* for the picture only */
    LM_BLEND_ONE_MINUS_DST_COLOR,
    LM_BLEND_SRC_ALPHA,
    LM_BLEND_ONE_MINUS_SRC_ALPHA,
    LM_BLEND_DST_ALPHA,
    LM_BLEND_ONE_MINUS_DST_ALPHA,
    LM_BLEND_SRC_ALPHA_SATURATE /* for the picture only */
} lm_blend;

/* Which alpha of the stage (its picture's times its own) is shown at all. */
typedef enum lm_alpha_test {
    LM_TEST_NONE,
    LM_TEST_GT0,   /* above 0 */
    LM_TEST_LT128, /* below one half */
    LM_TEST_GE128  /* one half and above */
} lm_alpha_test;

/* What a stage's picture is multiplied by. Models have no colours at their vertices, and what their
 * entity has is the game's business: both are white. */
typedef enum lm_rgb_gen {
    LM_RGB_LIGHTING_DIFFUSE, /* the light that falls on it; all others are not lit */
    LM_RGB_IDENTITY,
    LM_RGB_IDENTITY_LIGHTING,
    LM_RGB_ENTITY,
    LM_RGB_ONE_MINUS_ENTITY,
    LM_RGB_VERTEX,
    LM_RGB_EXACT_VERTEX,
    LM_RGB_ONE_MINUS_VERTEX,
    LM_RGB_CONST,
    LM_RGB_WAVE
} lm_rgb_gen;

typedef enum lm_alpha_gen {
    LM_ALPHA_GEN_IDENTITY, /* 1 */
    LM_ALPHA_GEN_ENTITY,
    LM_ALPHA_GEN_ONE_MINUS_ENTITY,
    LM_ALPHA_GEN_VERTEX,
    LM_ALPHA_GEN_ONE_MINUS_VERTEX,
    LM_ALPHA_GEN_CONST,
    LM_ALPHA_GEN_WAVE,
    LM_ALPHA_GEN_PORTAL,  /* the distance to the eye / range, at most 1 */
    LM_ALPHA_GEN_SPECULAR /* max(0, R . V) to the power of 4, with V as for LM_TC_ENVIRONMENT, L the
                             direction to the lamp at (-960, 1980, 96) in the model's space and
                             R = 2 (N . L) N - L */
} lm_alpha_gen;

typedef struct lm_stage {
    /* Of the scene's textures; LM_NO_TEXTURE (UINT32_MAX): one that was not found: leave the stage
     * out, or draw white where there is no other. None is white too: $whiteimage, and $lightmap on
     * a model. */
    uint32_t num_pictures; /* at most LM_MAX_STAGE_PICTURES */
    const uint32_t *pictures;
    float picture_rate; /* pictures a second, where there are several */
    bool clamp;         /* coordinates beyond the picture show its edge; else it repeats */

    lm_tc_gen tc_gen;
    float tc_vectors[2][3]; /* LM_TC_VECTOR */
    uint32_t num_tc_mods;   /* at most LM_MAX_TC_MODS */
    const lm_tc_mod *tc_mods;

    bool blended; /* else what is behind is covered, and the factors do not count */
    lm_blend source, destination;
    lm_alpha_test alpha_test;

    lm_rgb_gen rgb_gen;
    float rgb[3];     /* LM_RGB_CONST */
    lm_wave rgb_wave; /* LM_RGB_WAVE */
    lm_alpha_gen alpha_gen;
    float alpha;        /* LM_ALPHA_GEN_CONST */
    lm_wave alpha_wave; /* LM_ALPHA_GEN_WAVE */
    float range;        /* LM_ALPHA_GEN_PORTAL */

    bool keeps_depth; /* does not write depth: blended, without depthWrite */
    bool depth_equal; /* shown only at the depth that is there; else there and nearer */
} lm_stage;

/* Which of its pictures a stage with some shows: 0 .. num_pictures - 1. */
LM_API uint32_t lm_stage_picture(const lm_stage *stage, double seconds);
/* What rgb_gen and alpha_gen give all vertices alike, each from 0 to 1; 1 where light, the eye or
 * an entity decides. */
LM_API void lm_stage_color(const lm_stage *stage, double seconds, float rgba[4]);

/* ---- Shaders ------------------------------------------------------------------------------- */

typedef enum lm_sides {
    LM_SIDES_FRONT, /* shown from outside only */
    LM_SIDES_BACK,  /* from inside only */
    LM_SIDES_BOTH   /* the normal is not turned */
} lm_sides;

/* What moves the vertices. N is the normal at the vertex at x, y, z, s its texture coordinate. */
typedef enum lm_deform_kind {
    LM_DEFORM_WAVE,       /* + N * wave, with (x + y + z) * spread added to its phase */
    LM_DEFORM_BULGE,      /* + N * values[1] * sin(s * values[0] + seconds * values[2]) */
    LM_DEFORM_MOVE,       /* + values * wave */
    LM_DEFORM_NORMAL,     /* the normal only: + values[0] * noise of (x, y, z) * 0.98 and seconds *
                             values[1], another for each axis, then of length 1 */
    LM_DEFORM_AUTOSPRITE, /* every 4 vertices become a square that faces the eye about their middle,
                             half as wide as 0.707 times the first's distance from it */
    LM_DEFORM_AUTOSPRITE2 /* every 4 turn about their long axis towards the eye */
} lm_deform_kind;

typedef struct lm_deform {
    float spread;
    float values[3];
    lm_wave wave;
    lm_deform_kind kind;
} lm_deform;

/* The order in which surfaces are drawn, lowest first, and by numbers between. */
#define LM_SORT_PORTAL 1.0f
#define LM_SORT_SKY 2.0f
#define LM_SORT_OPAQUE 3.0f
#define LM_SORT_DECAL 4.0f
#define LM_SORT_SEE_THROUGH 5.0f
#define LM_SORT_BANNER 6.0f
#define LM_SORT_UNDERWATER 8.0f
#define LM_SORT_BLENDED 9.0f
#define LM_SORT_ADDITIVE 10.0f
#define LM_SORT_NEAREST 16.0f

typedef struct lm_shader {
    const char *name; /* as the script spells it; NULL: it has none */
    const char *path; /* of the script, for people; NULL: none */
    uint32_t line;    /* of the name, from 1 */

    bool hidden; /* nothing of it is drawn, whatever follows */
    lm_sides sides;
    float sort;           /* what the script says; 0: nothing, see lm_shader_sort */
    bool polygon_offset;  /* glPolygonOffset(-1, -2): lies on another surface */
    bool trans, nodraw;   /* surfaceparm: said to compilers of maps, and without effect */
    uint32_t num_deforms; /* at most LM_MAX_DEFORMS; in this order */
    const lm_deform *deforms;
    /* Drawn one after the other, each over the one before. At most LM_MAX_STAGES; 0: as without a
     * shader, one lit stage of the material's texture, whose alpha the material says. */
    uint32_t num_stages;
    const lm_stage *stages;
    /* The stage whose first picture is the material's texture: the first with a picture that is no
     * environment map. num_stages: there is none. */
    uint32_t base;
} lm_shader;

/* The order of drawing: what the script says, else decal with polygon_offset, else by the first
 * stage: blended, where it is that (see-through if it writes depth), else opaque. */
LM_API float lm_shader_sort(const lm_shader *shader);

/* What a picture's alpha is for, as glTF names it. */
typedef enum lm_alpha {
    LM_ALPHA_OPAQUE, /* nothing */
    LM_ALPHA_MASK,   /* shown from one half on, else not */
    LM_ALPHA_BLEND   /* mixed with what is behind */
} lm_alpha;

/* What comes nearest to what the first stage, which covers what is behind the surface, does. */
LM_API lm_alpha lm_shader_alpha(const lm_shader *shader);

/* Whether what is drawn changes with time, while the model keeps its pose. */
LM_API bool lm_shader_moves(const lm_shader *shader);

/* Whether counts, kinds and pictures (below `num_textures`) are such as this header allows. If not,
 * `what` is a phrase that says which is not. lm_scene_check asks it. */
LM_API bool lm_shader_check(const lm_shader *shader, uint32_t num_textures, const char **what);

#ifdef __cplusplus
}
#endif
#endif
