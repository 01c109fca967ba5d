/* lerpmesh/scene.h - scenes: models attached to tags of other models, skins, shaders, playback.
 *
 *     #include <lerpmesh/scene.h>
 *
 *     // Computes the poses and transforms of a player's models, `seconds` into its run.
 *     bool run(const lm_model *models[3], double seconds, lm_pose *poses, lm_transform *out) {
 *         const lm_scene_part parts[] = {
 *             {.model = models[0], .name = "lower"},
 *             {.model = models[1], .name = "upper", .parent = 0, .tag = "tag_torso"},
 *             {.model = models[2], .name = "head", .parent = 1, .tag = "tag_head"},
 *         };
 *         const lm_scene scene = {.num_parts = 3, .parts = parts};
 *         if (!lm_scene_check(&scene, NULL))
 *             return false;
 *         lm_scene_pose(&scene, "LEGS_RUN", seconds, poses);
 *         return lm_scene_evaluate(&scene, poses, NULL, NULL, out, NULL);
 *     }
 *
 * During a cross-fade between two clips, each part is between two poses. lm_scene_evaluate computes
 * the transforms of the parts then too, and lm_sample_blend their vertices.
 *
 * The caller owns a scene with its models and arrays; the functions only read it. No function here
 * allocates or keeps state. Every function except lm_scene_check requires a scene that has passed
 * that check. In C++, write = {} in place of = {0}.
 */
#ifndef LERPMESH_SCENE_H
#define LERPMESH_SCENE_H

#include "lerpmesh/base.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/model.h"
#include "lerpmesh/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shaders ------------------------------------------------------------------------------- */

/* A shader: the way in which a surface is drawn, from a game's shader script.
 *
 *     #include <lerpmesh/scene.h>
 *
 *     // Computes where a stage shows a point of the skin whose texture coordinates are 0, 0.
 *     lm_vec2 corner(const lm_stage *stage, double seconds) {
 *         lm_stage_state now;
 *         lm_vec2 st = {0, 0};
 *         lm_stage_at(stage, seconds, &now);
 *         for (uint32_t i = 0; i < stage->num_tc_mods; i++) {
 *             const float *m = now.steps[i].matrix;
 *             const lm_vec2 moved = {m[0] * st.x + m[2] * st.y + m[4],
 *                                    m[1] * st.x + m[3] * st.y + m[5]};
 *             st = moved;
 *         }
 *         return st;
 *     }
 *
 * Quake III and the games based on it describe surfaces in scripts/NAME.shader, as images in
 * several stages that blend, move and reflect. An lm_shader is such a description after parsing,
 * with its names resolved. lerpmesh-assets creates shaders (lerpmesh/assets.h), renderers draw
 * them, and exporters write the features that their format supports. Times are in seconds, from any
 * starting point. Coordinates are in model space.
 *
 * The formulas are those of Quake III's renderer (tr_shade_calc.c), without its tables of 1024
 * entries. Light is not doubled (overbright 0), so identityLighting is 1.
 *
 * The structs are plain, and the caller owns them. A zero-initialised struct means the same as a
 * script that leaves everything out. A surface with a zero-initialised lm_shader looks like a
 * surface without a shader. No function here allocates or keeps state.
 */

#define LM_MAX_STAGES 8        /* of a shader */
#define LM_MAX_STAGE_IMAGES 16 /* of a stage, if they play one after another */
#define LM_MAX_TC_MODS 4       /* of a stage */
#define LM_MAX_DEFORMS 3       /* of a shader */

/* ---- Waves --------------------------------------------------------------------------------- */

/* A periodic function F(x), for x from 0 to 1. */
typedef enum lm_wave_function {
    LM_WAVE_SIN,              /* sin 2 pi x */
    LM_WAVE_TRIANGLE,         /* 0, 1 at 1/4, 0, -1 at 3/4, 0 */
    LM_WAVE_SQUARE,           /* 1 below 1/2, then -1 */
    LM_WAVE_SAWTOOTH,         /* x */
    LM_WAVE_INVERSE_SAWTOOTH, /* 1 - x */
    LM_WAVE_NOISE             /* smooth between -1 and 1, and not periodic: lm_wave_value */
} lm_wave_function;

/* A wave: base + amplitude * F(phase + seconds * frequency). */
typedef struct lm_wave {
    float base;                /* added to F */
    float amplitude;           /* factor of F */
    float phase;               /* 0 to 1: part of a period */
    float frequency;           /* periods per second */
    lm_wave_function function; /* F */
} lm_wave;

/* Returns the value of a wave, with `phase` added to its own phase. Noise is the same on every
 * machine. It differs from the engine's noise, which uses rand() of its C library. */
LM_API float lm_wave_value(const lm_wave *wave, double phase, double seconds);

/* ---- Texture coordinates ------------------------------------------------------------------- */

/* The source of texture coordinates for a stage. */
typedef enum lm_tc_gen {
    LM_TC_GEN_BASE,        /* the model's coordinates */
    LM_TC_GEN_ENVIRONMENT, /* reflection: N is the normal of the vertex, V the direction from it to
                          the eye, both of length 1 and in model space, R = 2 (N . V) N - V: s = 1/2
                          + R.y / 2, t = 1/2 - R.z / 2 */
    LM_TC_GEN_LIGHTMAP,    /* lightmap of a map; models have none: as LM_TC_GEN_BASE */
    LM_TC_GEN_VECTOR       /* s = position . vectors[0], t = position . vectors[1] */
} lm_tc_gen;

/* A modification of texture coordinates. Each is applied to the result of the one before. */
typedef enum lm_tc_mod_kind {
    LM_TC_MOD_SCROLL,   /* values: s and t per second; the integer part of the offset is dropped */
    LM_TC_MOD_SCALE,    /* values: factors of s and t */
    LM_TC_MOD_ROTATE,   /* values: degrees per second about (1/2, 1/2) */
    LM_TC_MOD_STRETCH,  /* wave: s and t are divided by it, about (1/2, 1/2) */
    LM_TC_MOD_TURB,     /* wave without its base and function:
                       s += amplitude * sin 2 pi ((x + z) / 1024 + phase + seconds * frequency);
                       t likewise, with y instead of x + z */
    LM_TC_MOD_TRANSFORM /* values: a b c d e f, s' = a s + c t + e, t' = b s + d t + f */
} lm_tc_mod_kind;

/* A modification with its parameters. */
typedef struct lm_tc_mod {
    float values[6];     /* as the kind needs; others are 0 */
    lm_wave wave;        /* for LM_TC_MOD_STRETCH and LM_TC_MOD_TURB */
    lm_tc_mod_kind kind; /* selects the formula */
} lm_tc_mod;

/* A modification at one time. First apply the matrix, in the order of LM_TC_MOD_TRANSFORM's values.
 * Then, if turbulence is not 0, apply s += turbulence * sin 2 pi ((x + z) / 1024 + phase), and to t
 * the same with y. */
typedef struct lm_tc_step {
    float matrix[6];         /* a to f of LM_TC_MOD_TRANSFORM */
    float turbulence, phase; /* phase: 0 to 1 */
} lm_tc_step;

/* ---- Stages -------------------------------------------------------------------------------- */

/* A blend factor. The colours of the image and of the screen are multiplied by their factors and
 * then added. */
typedef enum lm_blend {
    LM_BLEND_ZERO,                /* 0 */
    LM_BLEND_ONE,                 /* 1 */
    LM_BLEND_SRC_COLOR,           /* destination only */
    LM_BLEND_ONE_MINUS_SRC_COLOR, /* destination only: 1 - the image's colour */
    LM_BLEND_DST_COLOR,           /* source only */
    LM_BLEND_ONE_MINUS_DST_COLOR, /* source only: 1 - the screen's colour */
    LM_BLEND_SRC_ALPHA,           /* the image's alpha */
    LM_BLEND_ONE_MINUS_SRC_ALPHA, /* 1 - the image's alpha */
    LM_BLEND_DST_ALPHA,           /* the screen's alpha */
    LM_BLEND_ONE_MINUS_DST_ALPHA, /* 1 - the screen's alpha */
    LM_BLEND_SRC_ALPHA_SATURATE   /* source only */
} lm_blend;

/* An alpha test. Pixels pass by their alpha, which is the image's alpha times the stage's. */
typedef enum lm_alpha_test {
    LM_TEST_NONE,  /* all pixels pass */
    LM_TEST_GT0,   /* above 0 */
    LM_TEST_LT128, /* below one half */
    LM_TEST_GE128  /* one half and above */
} lm_alpha_test;

/* The source of the colour by which the image of a stage is multiplied. Models have no vertex
 * colours, and entity colours depend on the game: both are white here. */
typedef enum lm_rgb_gen {
    LM_RGB_LIGHTING_DIFFUSE,  /* the diffuse light at the vertex; all other sources are unlit */
    LM_RGB_IDENTITY,          /* white */
    LM_RGB_IDENTITY_LIGHTING, /* white; the games darken it by their overbright bits */
    LM_RGB_ENTITY,            /* the entity's colour */
    LM_RGB_ONE_MINUS_ENTITY,  /* its inverse */
    LM_RGB_VERTEX,            /* the vertex's colour, darkened likewise by the games */
    LM_RGB_EXACT_VERTEX,      /* the vertex's colour */
    LM_RGB_ONE_MINUS_VERTEX,  /* its inverse */
    LM_RGB_CONST,             /* lm_stage.rgb */
    LM_RGB_WAVE               /* grey: lm_stage.rgb_wave */
} lm_rgb_gen;

/* The source of the alpha by which the image of a stage is multiplied. */
typedef enum lm_alpha_gen {
    LM_ALPHA_GEN_IDENTITY,         /* 1 */
    LM_ALPHA_GEN_ENTITY,           /* the entity's alpha; here 1 */
    LM_ALPHA_GEN_ONE_MINUS_ENTITY, /* its inverse; here 1 */
    LM_ALPHA_GEN_VERTEX,           /* the vertex's alpha; here 1 */
    LM_ALPHA_GEN_ONE_MINUS_VERTEX, /* its inverse; here 1 */
    LM_ALPHA_GEN_CONST,            /* lm_stage.alpha */
    LM_ALPHA_GEN_WAVE,             /* lm_stage.alpha_wave */
    LM_ALPHA_GEN_PORTAL,           /* distance to the eye / range, at most 1 */
    LM_ALPHA_GEN_SPECULAR /* max(0, R . V) to the power of 4, with V as for LM_TC_GEN_ENVIRONMENT, L
                             the direction to the lamp at (-960, 1980, 96) in model space, R = 2 (N
                             . L) N - L */
} lm_alpha_gen;

/* A stage: one layer of a shader, an image with its colour and its blending. */
typedef struct lm_stage {
    /* The images, as indices into the scene's textures. LM_NO_TEXTURE (UINT32_MAX) is an image that
     * was not found: skip the stage, or draw white if it is the only one. A stage without images is
     * white, too ($whiteimage, and $lightmap on a model). */
    uint32_t num_images; /* at most LM_MAX_STAGE_IMAGES */
    const uint32_t *images;
    float image_rate; /* images per second, if there are several */
    bool clamp;       /* coordinates outside the image show its edge; otherwise the image repeats */

    lm_tc_gen tc_gen;       /* before tc_mods */
    float tc_vectors[2][3]; /* LM_TC_GEN_VECTOR */
    uint32_t num_tc_mods;   /* at most LM_MAX_TC_MODS */
    const lm_tc_mod *tc_mods;

    bool blended;    /* blends with the screen; otherwise overwrites it and ignores the factors */
    lm_blend source; /* factor of the image */
    lm_blend destination;     /* factor of the screen */
    lm_alpha_test alpha_test; /* pixels that fail are not drawn */

    lm_rgb_gen rgb_gen;     /* colour */
    float rgb[3];           /* LM_RGB_CONST */
    lm_wave rgb_wave;       /* LM_RGB_WAVE */
    lm_alpha_gen alpha_gen; /* alpha */
    float alpha;            /* LM_ALPHA_GEN_CONST */
    lm_wave alpha_wave;     /* LM_ALPHA_GEN_WAVE */
    float range;            /* LM_ALPHA_GEN_PORTAL */

    bool keeps_depth; /* does not write depth: blended, without depthWrite */
    bool depth_equal; /* drawn only at the same depth; otherwise there and nearer */
} lm_stage;

/* A stage at one time. */
typedef struct lm_stage_state {
    /* The image to show: an index into the scene's textures. LM_NO_TEXTURE if the stage has no
     * images, or if this one was not found. */
    uint32_t image;
    /* Red, green, blue and alpha that rgb_gen and alpha_gen give to all vertices, each from 0 to 1.
     * A value that depends on the light, the eye or an entity is 1. */
    float rgba[4];
    lm_tc_step steps[LM_MAX_TC_MODS]; /* [num_tc_mods of the stage] its modifications */
    uint64_t reserved[4];             /* zeros */
} lm_stage_state;

/* Evaluates a stage at a time: its image, its colour and its texture coordinates. */
LM_API void lm_stage_at(const lm_stage *stage, double seconds, lm_stage_state *state);

/* ---- Shaders ------------------------------------------------------------------------------- */

/* The sides of a surface that are drawn. */
typedef enum lm_sides {
    LM_SIDES_FRONT, /* visible from outside only */
    LM_SIDES_BACK,  /* visible from inside only */
    LM_SIDES_BOTH   /* both, with the same normal */
} lm_sides;

/* A deformation of the vertices. N is the normal of the vertex at x, y, z, and s is its texture
 * coordinate. A term after + is added to the position. */
typedef enum lm_deform_kind {
    LM_DEFORM_WAVE,       /* + N * wave, with (x + y + z) * spread added to its phase */
    LM_DEFORM_BULGE,      /* + N * values[1] * sin(s * values[0] + seconds * values[2]) */
    LM_DEFORM_MOVE,       /* + values * wave */
    LM_DEFORM_NORMAL,     /* changes the normal only: adds values[0] * noise of (x, y, z) * 0.98 and
                             seconds * values[1], different for each axis; then normalises it */
    LM_DEFORM_AUTOSPRITE, /* every 4 vertices become a square about their centre that faces the eye;
                             half its width is 0.707 times the first vertex's distance from the
                             centre */
    LM_DEFORM_AUTOSPRITE2 /* every 4 vertices turn about their long axis towards the eye */
} lm_deform_kind;

/* A deformation with its parameters. */
typedef struct lm_deform {
    float spread;        /* LM_DEFORM_WAVE: phase per unit */
    float values[3];     /* as the kind needs; others are 0 */
    lm_wave wave;        /* for LM_DEFORM_WAVE and LM_DEFORM_MOVE */
    lm_deform_kind kind; /* selects the formula */
} lm_deform;

/* The order in which surfaces are drawn, lowest first. Values in between are possible. */
#define LM_SORT_PORTAL 1.0f
#define LM_SORT_SKY 2.0f         /* sky boxes */
#define LM_SORT_OPAQUE 3.0f      /* surfaces that hide others */
#define LM_SORT_DECAL 4.0f       /* marks on opaque surfaces */
#define LM_SORT_SEE_THROUGH 5.0f /* with holes, such as grates */
#define LM_SORT_BANNER 6.0f      /* between see-through and underwater surfaces */
#define LM_SORT_UNDERWATER 8.0f  /* in front of a water surface */
#define LM_SORT_BLENDED 9.0f     /* translucent surfaces */
#define LM_SORT_ADDITIVE 10.0f   /* light effects */
#define LM_SORT_NEAREST 16.0f    /* effects close to the eye */

/* A shader: stages, deformations and the state in which they are drawn. */
typedef struct lm_shader {
    const char *name; /* as spelled in the script; NULL: none */
    const char *path; /* of the script, for messages; NULL: none */
    uint32_t line;    /* line of the name in the script, from 1 */

    bool hidden;          /* nothing is drawn, whatever the other members are */
    lm_sides sides;       /* LM_SIDES_FRONT by default */
    float sort;           /* as in the script; 0: not specified, see lm_shader_summary */
    bool polygon_offset;  /* glPolygonOffset(-1, -2): for surfaces on other surfaces */
    bool trans, nodraw;   /* surfaceparm: for map compilers, no effect here */
    uint32_t num_deforms; /* at most LM_MAX_DEFORMS; applied in this order */
    const lm_deform *deforms;
    /* The stages, drawn in this order, each over the one before. At most LM_MAX_STAGES. 0: the
     * surface is drawn as without a shader, in one lit stage with the texture and alpha mode of the
     * material. */
    uint32_t num_stages;
    const lm_stage *stages;
    /* The stage whose first image is the texture of the material: the first with an image that is
     * not an environment map. num_stages: there is none. */
    uint32_t base;
    uint64_t reserved[2]; /* zeros; space for later members */
} lm_shader;

/* The use of an alpha channel, with the names of glTF. */
typedef enum lm_alpha {
    LM_ALPHA_OPAQUE, /* alpha is ignored */
    LM_ALPHA_MASK,   /* drawn if alpha is at least one half */
    LM_ALPHA_BLEND   /* blended with the background */
} lm_alpha;

/* The properties that follow from all members of a shader. */
typedef struct lm_shader_summary {
    /* The position in the drawing order. If the script specifies none, it is decal for shaders with
     * polygon_offset. Otherwise it depends on the first stage: opaque if it is not blended,
     * see-through if it is blended and writes depth, otherwise blended. */
    float sort;
    lm_alpha alpha; /* the mode nearest to the first stage, which is drawn over the background */
    bool moves;     /* the surface changes with time while the pose of the model stays the same */
    uint64_t reserved[4]; /* zeros */
} lm_shader_summary;

/* Summarizes a shader. */
LM_API void lm_shader_summarize(const lm_shader *shader, lm_shader_summary *summary);

/* ---- Scenes -------------------------------------------------------------------------------- */

#define LM_NO_TEXTURE UINT32_MAX /* in place of an index into the scene's textures */
#define LM_MAX_PARTS 256         /* of a scene */
#define LM_NO_PART UINT32_MAX    /* in place of an index of a part */

/* ---- Skins --------------------------------------------------------------------------------- */

/* A texture: an image as a file (PNG or JPEG), for exporters, or as pixels, for the screen, or
 * both. */
typedef struct lm_scene_texture {
    const char *name; /* the origin of the image, for messages */
    const char *mime; /* "image/png" or "image/jpeg"; NULL: no file */
    const void *data; /* the file's bytes, if `mime` is not NULL */
    size_t size;      /* bytes */
    lm_alpha alpha;   /* alpha mode that the pixels suggest; the mode to use is the material's */
    const char *uri;  /* name of a file with these bytes, in the same folder as a .gltf */
    uint32_t width, height; /* pixels; 0: unknown */
    const uint8_t *pixels; /* [4 * width * height] red, green, blue, alpha; rows from the top; NULL:
                              no pixels */
    uint64_t reserved[2];  /* zeros; space for later members */
} lm_scene_texture;

/* The maps of a material: images that describe more of a surface than its colour, for exporters and
 * renderers with their own shading. Their texture coordinates are those of the material's texture,
 * and they mean the same as in glTF. */
typedef enum lm_map {
    LM_MAP_NORMAL,   /* red, green and blue: a normal, with +Y upwards in the image */
    LM_MAP_EMISSIVE, /* red, green and blue: emitted light, added to the lit colour */
    LM_MAP_SPECULAR, /* red, green and blue: colour of reflections */
    /* Green: perceptual roughness, the square root of the slope of microfacets. Blue: 0. */
    LM_MAP_ROUGHNESS,
    LM_NUM_MAPS /* not a map: their number */
} lm_map;

/* A material: the appearance of one surface. */
typedef struct lm_scene_material {
    const char *name; /* not NULL; for exporters and messages */
    uint32_t texture; /* index into the scene's textures; LM_NO_TEXTURE: plain */
    /* The alpha mode. If there is a shader, this is the mode nearest to it. */
    lm_alpha alpha;
    const lm_shader *shader; /* from a shader script; NULL: none */
    /* [LM_NUM_MAPS] indices into the scene's textures; LM_NO_TEXTURE: no such map. NULL: none. */
    const uint32_t *maps;
    uint64_t reserved[2]; /* zeros; space for later members */
} lm_scene_material;

/* A skin: the materials of a model. MD2 lists several skins; a .skin file is one. */
typedef struct lm_material_set {
    const char *name;                   /* not NULL; for exporters and messages */
    const lm_scene_material *materials; /* [model->num_surfaces] */
    uint64_t reserved[2];               /* zeros; space for later members */
} lm_material_set;

/* ---- Parts --------------------------------------------------------------------------------- */

/* A part: a model that is attached to a tag of its parent, or to the parent itself. The first part
 * is at the origin. */
typedef struct lm_scene_part {
    const lm_model *model; /* not NULL */
    const char *name;      /* NULL: "model" */
    uint32_t parent; /* index of an earlier part; LM_NO_PART: none, the part is at the origin. The
                        first part has no parent: 0 or LM_NO_PART */
    const char *tag; /* tag of the parent's model, found as by lm_model_find_tag; NULL: the part has
                        the transform of its parent */

    /* Shows the same frame as its parent, or its own last frame if the parent has more frames: the
     * weapon of an MD2 player. Its clips are ignored. */
    bool follows;
    const lm_clip *clips; /* used instead of the model's clips; NULL: the model's */
    uint32_t num_clips;   /* 0 with `clips` NULL */
    /* The clip that the part plays while other parts play a clip that it does not have. It repeats
     * if it loops. NULL: the part shows frame 0. */
    const lm_clip *idle;

    uint32_t num_skins; /* 0: all surfaces are plain */
    const lm_material_set *skins;
    uint32_t skin;        /* index of the assigned skin */
    uint64_t reserved[2]; /* zeros; space for later members */
} lm_scene_part;

/* A scene: parts and textures. */
typedef struct lm_scene {
    uint32_t num_parts; /* 1 .. LM_MAX_PARTS */
    const lm_scene_part *parts;
    uint32_t num_textures;
    const lm_scene_texture *textures; /* indexed by materials and stages */
    uint64_t reserved[4];             /* zeros; space for later members */
} lm_scene;

/* Checks every requirement of this header: models, parents before their children, tags, clips with
 * their frames, rates and times, skins with their shaders, textures, and zeros in `reserved`. If
 * one is not met, fails with LM_CODE_BAD_ARGUMENT. Of the models, which lm_load_memory has
 * validated, checks only that they have frames and the lists that they count. */
LM_API bool lm_scene_check(const lm_scene *scene, lm_error *error);

#define LM_NO_TAG UINT32_MAX /* in place of an index of a tag */

/* Returns the index of the tag with this name; LM_NO_TAG if the model has none, and for
 * NULL. Names of tags and clips compare by one rule: an exact match comes before a
 * case-insensitive one, and of equal names, the first is used. The engines differ:
 *     - Tags compare exactly: strcmp in R_GetTag of Quake III's and ioquake3's tr_model.c, and in
 *       R_GetMDCTag of RtCW's.
 *     - RtCW compares animations case-insensitively: Q_stricmp in BG_AnimationForString of
 *       bg_animation.c.
 *     - Quake III numbers animations by their rows in animation.cfg and compares no names:
 *       CG_ParseAnimationFile in cg_players.c. */
LM_API uint32_t lm_model_find_tag(const lm_model *model, const char *name);

/* ---- Poses and transforms ------------------------------------------------------------------ */

/* Returns the part's clip with this name, compared as by lm_model_find_tag. `name` may be several
 * names separated by +, of which the first that the part has is used. "LEGS_RUN+TORSO_ATTACK" is
 * the run of the legs and the attack of the torso. Returns NULL if the part has no such clip,
 * follows its parent or does not exist, and for NULL. */
LM_API const lm_clip *lm_scene_find_clip(const lm_scene *scene, uint32_t part, const char *name);

/* Returns the clip that a scene shows first: the first part's idle clip or, if it has none,
 * of the first part that has clips and does not follow its parent, the first clip whose name is,
 * begins with or contains `stand` or `idle`, else the first clip. Returns NULL if there is no such
 * part. */
LM_API const lm_clip *lm_scene_rest_clip(const lm_scene *scene);

/* Computes the pose of each part `seconds` after the clip `name` began, into poses[num_parts].
 * Parts that have the clip play it (LM_PLAY_AS_CLIP). Parts that follow their parents show the same
 * frames as these. All others play their idle clip or show frame 0. If `name` is NULL, no part has
 * the clip. */
LM_API void lm_scene_pose(const lm_scene *scene, const char *name, double seconds, lm_pose *poses);

/* Gives every part that follows its parent the pose of that parent. Use it after you have chosen
 * the poses of the other parts. Frames beyond the last frame of the part become its last frame. */
LM_API void lm_scene_follow(const lm_scene *scene, lm_pose *poses);

/* Evaluates the scene: computes the world transform of each part, into transforms[num_parts], from
 * the poses from[num_parts]. Parts inherit the transforms of their parents: a head turns with its
 * body. A part whose pose is hidden gets axes of length 0; in a cross-fade, the nearer pose
 * counts. `to` and `weights` are NULL, or to[num_parts] and weights[num_parts], 0 .. 1: each part
 * is then in a cross-fade between two poses, and tags are blended as by lm_sample_tag_blend. Blend
 * the vertices with lm_sample_blend; for a part that follows its parent, use the weight of the
 * parent. If all weights are 0, the result is bit-identical to that of `from` alone; if all are 1,
 * to that of `to`. Fails with LM_CODE_BAD_ARGUMENT if the scene has no parts, a pose is out of
 * range for its model, a weight is not in 0 .. 1, or one of `to` and `weights` is NULL; the
 * contents of `transforms` are then unspecified. */
LM_API bool lm_scene_evaluate(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                              const float *weights, lm_transform *transforms, lm_error *error);

/* ---- Playback ------------------------------------------------------------------------------ */

/* The clock of a program that plays clips. It determines the pose to show.
 *
 *     #include <lerpmesh/scene.h>
 *
 *     // Starts a clip in its own mode and direction.
 *     void begin(lm_playback *playback, const lm_clip *clip) {
 *         const lm_playback fresh = {.clip = clip, .playing = true};
 *         *playback = fresh;
 *     }
 *
 *     // Advances the clock and computes the poses to show.
 *     void tick(lm_playback *playback, const lm_scene *scene, double elapsed, lm_pose *poses) {
 *         lm_playback_advance(playback, elapsed);
 *         lm_playback_scene(playback, scene, 0, playback->clip->name, poses);
 *     }
 *
 * The clock depends on no window: the program passes the elapsed time to it. A playback is a plain
 * struct of the caller. No function here allocates, fails or keeps state elsewhere.
 */

/* A playback: a clip, the way in which it plays, and a time. To begin another clip, set `clip`, and
 * `seconds` to 0. */
typedef struct lm_playback {
    /* The clip of the timeline. It belongs to the caller, its model or its scene, and must remain
     * valid as long as functions are called with this playback. NULL, or
     * a clip without frames: frame 0, which stays. */
    const lm_clip *clip;
    lm_play_mode mode;    /* loop, once or ping-pong; changed by lm_playback_set */
    bool playing;         /* the clock runs; changed by lm_playback_set */
    bool backwards;       /* reverses the clip's own direction; changed by lm_playback_set */
    bool stepped;         /* shows whole frames; otherwise blends each frame with the next */
    float speed;          /* factor of the clip's own rate; 0, negative or not finite: 1 */
    double seconds;       /* since the clip began */
    uint64_t reserved[4]; /* zeros; space for later members */
} lm_playback;

/* Sets the mode and the direction, and keeps the position. Starts or stops the clock; if it was
 * stopped and the clip has ended, the clip starts again. */
LM_API void lm_playback_set(lm_playback *playback, lm_play_mode mode, bool backwards, bool playing);

/* Advances the clock by `elapsed` seconds. Stops at the end of a clip that plays once. Returns true
 * if the clock advanced. */
LM_API bool lm_playback_advance(lm_playback *playback, double elapsed);

/* Computes the current pose of each part of a scene, into poses[num_parts]. `part` plays the
 * playback's clip. The others play the clip that lm_scene_find_clip finds by `name`, in the same
 * mode. Parts without such a clip get the pose of lm_scene_pose. If `name` is NULL, only `part`
 * plays. */
LM_API void lm_playback_scene(const lm_playback *playback, const lm_scene *scene, uint32_t part,
                              const char *name, lm_pose *poses);

/* Returns the position on the timeline: 0 is the first frame in the order of the file, count - 1 is
 * the last. Between the last and the first frame of a loop, the position is up to one beyond
 * either. */
LM_API double lm_playback_position(const lm_playback *playback);
/* Moves to a position. A position beyond an end counts as that end; NaN counts as 0. */
LM_API void lm_playback_seek(lm_playback *playback, double position);
/* Stops the clock and moves by `frames` frames, with wrap-around at the ends. */
LM_API void lm_playback_step(lm_playback *playback, int frames);

#ifdef __cplusplus
}
#endif
#endif
