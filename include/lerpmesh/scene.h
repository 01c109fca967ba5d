/* lerpmesh/scene.h - models that carry models: a head on a body, a weapon in a hand, their skins.
 *
 *     #include <lerpmesh/scene.h>
 *
 *     // Where a player's models stand, and in which poses, so many seconds after it began to run.
 *     bool run(const lm_model *models[3], double seconds, lm_pose *poses, lm_transform *places) {
 *         const lm_scene_part parts[] = {
 *             {.model = models[0], .name = "lower"},
 *             {.model = models[1], .name = "upper", .parent = 0, .tag = "tag_torso"},
 *             {.model = models[2], .name = "head", .parent = 1, .tag = "tag_head"},
 *         };
 *         const lm_scene scene = {.num_parts = 3, .parts = parts};
 *         if (!lm_scene_check(&scene, NULL))
 *             return false;
 *         lm_scene_pose(&scene, "LEGS_RUN", seconds, poses);
 *         return lm_scene_place(&scene, poses, places) == LM_CODE_OK;
 *     }
 *
 * While one clip fades over into another, each part is between two poses, one of either clip: then
 * lm_scene_place_mix says where it stands, and lm_sample_mix where its vertices are.
 *
 * A scene is the caller's, models, arrays and all, and is only read. No call here allocates or
 * keeps state. Every call but lm_scene_check wants a scene that passed it.
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

/* How a surface is drawn, as a game's shader script says.
 *
 *     #include <lerpmesh/scene.h>
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
 * language; lerpmesh-assets makes them (lerpmesh/assets.h), renderers draw them, exporters say of
 * them what their format can. Times are seconds, from any beginning; coordinates are the model's.
 *
 * Formulas are those of Quake III's renderer (tr_shade_calc.c) without its tables of 1024 entries.
 * Its light is not doubled here (overbright 0): identityLighting is 1.
 *
 * Structs are plain and the caller's; zero-initialised each is as where the script says nothing,
 * and a surface with a zero-initialised lm_shader looks like one without. No call here allocates or
 * keeps state.
 */

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

/* ---- Scenes -------------------------------------------------------------------------------- */

#define LM_NO_TEXTURE UINT32_MAX
#define LM_MAX_PARTS 256
#define LM_NO_PART UINT32_MAX

/* ---- Skins --------------------------------------------------------------------------------- */

/* A picture: as a file (PNG or JPEG), which exporters need, as pixels, which screens need, or
 * both. */
typedef struct lm_scene_texture {
    const char *name; /* where it comes from, for people */
    const char *mime; /* "image/png" or "image/jpeg"; NULL: there is no file */
    const void *data;
    size_t size;
    lm_alpha alpha; /* what its alpha could be for, by its pixels; a material says what it is for */
    const char *uri; /* the name of a file of these bytes, for a .gltf beside which it lies */
    uint32_t width, height;
    const uint8_t *pixels; /* [4 * width * height] red, green, blue, alpha; rows from the top; NULL:
                              there are none */
} lm_scene_texture;

typedef struct lm_scene_material {
    const char *name;
    uint32_t texture; /* of the scene's, or LM_NO_TEXTURE: plain */
    /* What the texture's alpha is for: to be drawn where there is no shader, and as near as one
     * word comes to it where there is one. */
    lm_alpha alpha;
    const lm_shader *shader; /* how it is drawn, as a script says; NULL: no script does */
} lm_scene_material;

/* One way to dress a model: MD2 lists several, a .skin file is one. */
typedef struct lm_scene_skin {
    const char *name;
    const lm_scene_material *materials; /* [model->num_surfaces] */
} lm_scene_skin;

/* ---- Parts --------------------------------------------------------------------------------- */

/* A model and its transform: attached to a tag of its parent, or to the parent itself. The first
 * part is at the origin. */
typedef struct lm_scene_part {
    const lm_model *model;
    const char *name; /* NULL: "model" */
    uint32_t parent;  /* the index of a part before this one; LM_NO_PART: none, this part is at the
                         origin. The first part has none: 0 or LM_NO_PART */
    const char *tag;  /* of the parent's model, as lm_find_tag finds it; NULL: the transform of the
                         parent itself */

    /* Shows the same frame as its parent, or its own last where the parent has more: an MD2
     * player's weapon. Clips are not looked at. */
    bool follows;
    const lm_clip *clips; /* instead of the model's; NULL: those */
    uint32_t num_clips;
    /* What it plays while the others play a clip that it does not have, over and over if that clip
     * loops; NULL: it stands on its first frame. */
    const lm_clip *idle;

    uint32_t num_skins; /* 0: plain */
    const lm_scene_skin *skins;
    uint32_t skin; /* the one that is worn */
} lm_scene_part;

typedef struct lm_scene {
    uint32_t num_parts; /* 1 .. LM_MAX_PARTS */
    const lm_scene_part *parts;
    uint32_t num_textures;
    const lm_scene_texture *textures;
} lm_scene;

/* Checks every promise of this header: models, parents before their children, tags, clips with
 * their frames, rates and times, skins and textures. If one is broken, fills `error` with
 * LM_CODE_BAD_ARGUMENT and returns false. The models are not checked: they come from
 * lm_load_memory. */
LM_API bool lm_scene_check(const lm_scene *scene, lm_error *error);

/* Returns the model's tag of that name, LM_NO_TAG if it has none. Names of tags and clips compare
 * by one rule: the exact spelling comes first, then one with letters in another case, and of equal
 * names the first. The engines differ: tags compare exactly (strcmp in R_GetTag of Quake III's and
 * ioquake3's tr_model.c, and in R_GetMDCTag of RtCW's); RtCW compares animations in either case
 * (Q_stricmp in BG_AnimationForString of bg_animation.c); Quake III numbers them by their rows in
 * animation.cfg and compares no names (CG_ParseAnimationFile in cg_players.c). */
#define LM_NO_TAG UINT32_MAX
LM_API uint32_t lm_find_tag(const lm_model *model, const char *name);

/* Returns the part to which a model on a tag of that name is attached: the last one with such a
 * tag, LM_NO_PART if there is none. `tag` gets the name as the part's model spells it. */
LM_API uint32_t lm_scene_find_tag(const lm_scene *scene, const char *name, const char **tag);

/* ---- Time and place ------------------------------------------------------------------------ */

/* Returns the part's clip of that name, by the rule of lm_find_tag. Of several names with + between
 * them the first that the part has counts: "LEGS_RUN+TORSO_ATTACK" is the legs' run, and the
 * torso's attack. NULL if it has none, follows, or `name` is NULL. */
LM_API const lm_clip *lm_scene_find_clip(const lm_scene *scene, uint32_t part, const char *name);

/* The clip that a scene opens on: the first part's idle clip, else lm_rest_clip of the first part
 * that has clips of its own. NULL if none has. */
LM_API const lm_clip *lm_scene_rest(const lm_scene *scene);

/* The pose of each part `seconds` after the clip `name` began, into poses[num_parts]: parts that
 * have the clip play it (LM_PLAY_AS_CLIP), followers show what their parents show, others play
 * their idle clip or stand on frame 0. With NULL no part has the clip. */
LM_API void lm_scene_pose(const lm_scene *scene, const char *name, double seconds, lm_pose *poses);

/* The same with a clip and a time for each part, clips[num_parts] and seconds[num_parts]: a player
 * whose legs run while its torso attacks. NULL: idle. */
LM_API void lm_scene_pose_parts(const lm_scene *scene, const lm_clip *const *clips,
                                const double *seconds, lm_pose *poses);

/* Gives every part that follows the pose of its parent, where the caller chose the poses of the
 * others: frames that a follower does not have are its last. */
LM_API void lm_scene_follow(const lm_scene *scene, lm_pose *poses);

/* Where each part stands in the scene, into places[num_parts]. Tags nest: a head turns with the
 * body that carries it. LM_CODE_BAD_ARGUMENT (nothing usable is written) if a pose is not one of
 * its model. */
LM_API lm_code lm_scene_place(const lm_scene *scene, const lm_pose *poses, lm_transform *places);

/* Where each part stands while it changes from one pose to another: from[num_parts], to[num_parts],
 * and weights[num_parts], 0 .. 1, of `to`. What hangs on a part is carried by its tag as lm_tag_mix
 * has it; lm_sample_mix gives its vertices, of a part that follows with its parent's weight. With
 * all weights 0 it is lm_scene_place of `from` to the bit, with 1 of `to`. Errors as there. */
LM_API lm_code lm_scene_place_mix(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                                  const float *weights, lm_transform *places);

/* ---- Playback ------------------------------------------------------------------------------ */

/* The clock of a program that plays clips: which pose is shown now.
 *
 *     #include <lerpmesh/scene.h>
 *
 *     // Begins to play a clip, as it is meant.
 *     void begin(lm_playback *playback, const lm_clip *clip) {
 *         const lm_playback fresh = {.playing = true};
 *         *playback = fresh;
 *         lm_playback_begin(playback, clip);
 *     }
 *
 *     // What it shows, so many seconds after it was last asked.
 *     void tick(lm_playback *playback, const lm_scene *scene, double elapsed, lm_pose *poses) {
 *         lm_playback_advance(playback, elapsed);
 *         lm_playback_scene(playback, scene, 0, playback->clip.name, poses);
 *     }
 *
 * Knows no window: time is told to it. A playback is the caller's, a plain struct; no call here
 * allocates, fails or keeps state elsewhere.
 */

typedef struct lm_playback {
    lm_clip clip; /* that the timeline is of */
    lm_play_mode mode;
    bool playing;
    bool backwards; /* turns the clip's own direction */
    bool stepped;   /* shows whole frames; else mixes each frame with the next */
    double speed;   /* times the clip's own rate; 0, negative or not finite: 1 */
    double seconds; /* since the clip began */
} lm_playback;

/* Plays a clip from its start; how it is played stays as it is. */
LM_API void lm_playback_begin(lm_playback *playback, const lm_clip *clip);

/* Starts or stops. What has come to its end starts again. */
LM_API void lm_playback_set_playing(lm_playback *playback, bool playing);

/* Lets so many seconds pass. Stops at the end of what is played once. Returns whether it moved. */
LM_API bool lm_playback_advance(lm_playback *playback, double elapsed);

/* The pose of `clip` now: of the playback's own, or of another part's of the same name. */
LM_API void lm_playback_pose(const lm_playback *playback, const lm_clip *clip, lm_pose *out);

/* The pose of each part of a scene now, into poses[num_parts]: of `part` the playback's clip, of
 * the others the clip that lm_scene_find_clip finds by `name`, in the same mode; else as
 * lm_scene_pose has it. `name` NULL: `part` alone plays. */
LM_API void lm_playback_scene(const lm_playback *playback, const lm_scene *scene, uint32_t part,
                              const char *name, lm_pose *poses);

/* Where on the timeline it is: 0 is the clip's first frame in the file's order, count - 1 its last;
 * between the last and the first of a loop up to one beyond either. */
LM_API double lm_playback_position(const lm_playback *playback);
/* Goes there; beyond the ends counts as the end, what is not a number as 0. */
LM_API void lm_playback_seek(lm_playback *playback, double position);
/* Stops, and goes to a neighbouring frame, around the ends. */
LM_API void lm_playback_step(lm_playback *playback, int frames);

/* Turns the direction and stays where it is. */
LM_API void lm_playback_set_backwards(lm_playback *playback, bool backwards);
LM_API void lm_playback_set_mode(lm_playback *playback, lm_play_mode mode);

#ifdef __cplusplus
}
#endif
#endif
