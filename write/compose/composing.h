/* Compositions under construction: their memory, and the functions that change them. */
#ifndef LM_COMPOSE_COMPOSING_H
#define LM_COMPOSE_COMPOSING_H

#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/compose.h"
#include "model/weapon.h"
#include "scene/check.h"

#include <string.h>

#define LM_MAX_SPLIT LM_WEAPON_KINDS /* models of a weapon */

typedef struct lm_composing {
    lm_composition made; /* first: the caller has its address */
    lm_mesh mesh;        /* made.mesh */
    lm_heap heap;        /* with the call: functions that can fail return false after ending it */
    lm_arena arena;
    const lm_compose_options *options; /* of the current call */
    lm_mesh *owned;                    /* the mesh, if the composition owns it */
    lm_mesh_surface *surfaces;         /* of the mesh, if they are in the arena */
    lm_player_kind player;
    bool pcx; /* of the options */
    /* The textures of the scene, and the skins of its first part; of a mesh, those of the
     * options. */
    uint32_t num_textures;
    const lm_scene_texture *textures;
    uint32_t num_skins, skin;
    uint32_t num_skin_surfaces; /* materials of each skin */
    const lm_material_set *skins;
    const lm_model *boned; /* the only model, if it has bones; or NULL */
    bool embedded;         /* the images are in the model's own file, and need files of their own */
    bool from_game;        /* of the options */
    bool from_scene;       /* the names are those of a game's models */
    lm_mesh *models[LM_MAX_SPLIT]; /* of a player or a weapon, as in `made`; NULL: none */
    const uint32_t *of_model;      /* [mesh.num_surfaces] the model of each surface */
    const lm_scene_material
        *shown; /* [mesh.num_surfaces] for several parts; NULL: materials come from the skins */
    lm_scene_texture *images;
    lm_diagnostics notes;
    size_t image_capacity;
} lm_composing;

/* Takes ownership of a mesh that an inner call returned, and frees the previous one. Returns false
 * if it is NULL: the inner call failed. */
bool lmi_composing_adopt(lm_composing *c, lm_mesh *mesh);
/* Scales the mesh by the options' factor. */
bool lmi_composing_scale(lm_composing *c);
/* Returns the surfaces as an array that may be changed, or NULL if memory ran out. */
lm_mesh_surface *lmi_composing_surfaces(lm_composing *c);
void *lmi_composing_alloc(lm_composing *c, uint64_t count, size_t element); /* zeroed */
/* Ends the call with an error. Returns false. */
bool lmi_composing_fail(lm_composing *c, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
void lmi_composing_note(lm_composing *c, lm_severity severity, const char *sentence, ...)
    LM_PRINTF(3, 4);
bool lmi_composing_add_image(lm_composing *c, const char *name, const lm_scene_texture *pixels);

/* Gives each tag a name of its own: engines find the first of a name. One that is where the first
 * is is left out, and others are reported. */
void lmi_composing_name_tags(lm_composing *c);
/* Names the only surface as the options say, if it has no name. */
void lmi_composing_name(lm_composing *c);

/* Returns the material that the mesh shows on a surface; NULL if it has none. */
const lm_scene_material *lmi_composing_material(const lm_composing *c, uint32_t surface);
/* Returns the decoded image of a material; NULL if it has none. */
const lm_scene_texture *lmi_composing_image(const lm_composing *c,
                                            const lm_scene_material *material);
/* Returns the mesh's tag of this name, or NULL. Tries `index` first, because most files agree in
 * their order. */
const lm_mesh_tag *lmi_compose_find_tag(const lm_mesh *mesh, const char *name, uint32_t index);

/* Returns the first clip whose name is one of these words, separated by spaces, without regard to
 * case and punctuation; an earlier word comes first. NULL: there is none. */
const lm_clip *lmi_compose_find_clip(const lm_mesh *mesh, const char *words);

/* Returns whether the mesh gets a skeleton. */
static inline bool lmi_composing_is_skinned(const lm_composing *c) {
    return c->options->skinned && c->options->skeletons && c->options->player == LM_PLAYER_NONE;
}
/* Gives the mesh the skeletons of the options' parts as one, with the options' scale; none if a
 * part changes its shape or size without one, or if there are too many joints. `scene` NULL: the
 * mesh is one part. `poses` and `transforms` [num_frames * num_parts]: of the parts in each frame.
 */
bool lmi_composing_join(lm_composing *c, const lm_scene *scene, uint32_t num_frames,
                        const lm_pose *poses, const lm_transform *transforms,
                        uint32_t num_surfaces);
/* Merges several parts into one mesh. */
bool lmi_compose_merge(lm_composing *c, const lm_scene *scene);

/* The arguments and state of lm_compose_images. */
typedef struct lm_image_plan {
    lm_composing *c;
    const lm_format_info *format;
    char folder[72]; /* of the images in the game, with its '/'; or "" */
    bool folder_given;
    char called[60]; /* the mesh's name, in the characters that games use */
    bool filed;      /* the images are in files */
    const lm_scene_texture *atlas;
} lm_image_plan;

static inline bool lmi_has_feature(const lm_image_plan *plan, lm_feature ability) {
    return (plan->format->features & ability) != 0;
}

/* Returns the extension of images for formats with one skin. */
static inline const char *lmi_compose_extension(const lm_composing *c) {
    return c->pcx ? ".pcx" : ".png";
}

/* Merges several textures into a texture atlas. */
bool lmi_compose_atlas(lm_image_plan *plan);

#define LM_COMPOSE_MAX_PATH 63u /* bytes that formats reserve for a path */

/* Returns the file name in a path, after the last of `separators`, and its length in bytes without
 * the extension. */
const char *lmi_compose_stem(const char *path, const char *separators, size_t *length);
/* Copies a name in lower case. Replaces bytes other than letters, digits and those in `allowed` by
 * '_'. If `wide`, bytes beyond ASCII are kept. */
void lmi_compose_clean(const char *name, size_t length, const char *allowed, bool wide, char *out,
                       size_t room);

/* Chooses the folder of the images in the game. In this order: the given folder; the path from
 * models/ or players/ on, if it has one; models/NAME/, or models/ if the name is long. It is "" if
 * none fits. */
void lmi_compose_folder(lm_image_plan *plan, const char *path, const char *given);

/* Resizes an image of 4 bytes per pixel. Each output pixel is the mean of the input area that it
 * covers. */
void lmi_pixels_resize(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *out,
                       uint32_t new_width, uint32_t new_height);

/* ---- Players and weapons ----------------------------------------------------------------------
 */

/* The frames of one model, as frames of the mesh. */
typedef struct lm_player_frames {
    uint32_t *frames;
    uint32_t count;
} lm_player_frames;

/* One of the models that a mesh is split into. */
typedef struct lm_model_split {
    const char *name;
    const bool *tags;         /* [mesh.num_tags] those of the model */
    const lm_mesh_tag *place; /* the tag that holds the model; NULL: none */
    float lift;               /* moves a model without a tag up */
    lm_player_frames frames;
} lm_model_split;

/* Returns the transform that undoes a tag's; without turning if its axes lie in one plane. */
lm_transform lmi_split_undo(const lm_transform *pose);
/* Makes the models of the mesh's surfaces, which c->of_model numbers. */
bool lmi_composing_split(lm_composing *c, const lm_model_split *splits, uint32_t count);

/* The rows of animation.cfg, and the frames that they play. */
typedef struct lm_player_plan {
    uint32_t num_rows;
    lm_clip *rows; /* [num_rows] */
    lm_player_frames lower, upper;
    uint32_t rest; /* the mesh's frame for the head, which does not move */
    uint32_t idle; /* the mesh's frame in which the legs stand */
} lm_player_plan;

/* Chooses a clip of the mesh for each row, and reports rows without one. Fails with LM_CODE_LIMIT
 * beyond LM_MAX_COMPOSED_FRAMES frames. */
bool lmi_player_plan_clips(lm_composing *c, lm_player_plan *plan);

/* Returns how far to move the player up, and reports it. Scenes often have the floor at 0, the
 * games below a player's origin. `frame`: in which the player stands. `legs`: only the lower body
 * counts. */
float lmi_player_lift(lm_composing *c, uint32_t frame, bool legs);

/* Gives the mesh the 198 frames of Quake II's table, and puts its feet on the game's floor. */
bool lmi_player_fill_table(lm_composing *c);

/* Renames surfaces that the game could not tell apart. */
bool lmi_player_rename(lm_composing *c);
/* Splits the mesh into the models of the player. */
bool lmi_player_split(lm_composing *c);
/* Splits the mesh into the models of a weapon. */
bool lmi_weapon_split(lm_composing *c);
/* Gives grey images to a Quake III player's surfaces that have none, and adds the icons of whole
 * players. */
bool lmi_player_images(lm_image_plan *plan);

#endif
