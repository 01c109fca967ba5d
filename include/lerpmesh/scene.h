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

#include "lerpmesh/clips.h"
#include "lerpmesh/model.h"
#include "lerpmesh/sample.h"
#include "lerpmesh/shader.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * names the first. (Quake III compares tags exactly, RtCW animations in either case.) */
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

#ifdef __cplusplus
}
#endif
#endif
