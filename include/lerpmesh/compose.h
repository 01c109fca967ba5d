/* lerpmesh/compose.h - composing a scene into one mesh, with its images, for an encoder.
 *
 *     #include <lerpmesh/compose.h>
 *     #include <lerpmesh/encode.h>
 *
 *     // Encodes a scene as one MD2; composition->images are the files that it names.
 *     bool to_md2(const lm_scene *scene, lm_buffer *md2, lm_error *error) {
 *         const lm_format_info *format = lm_format_by_name("md2");
 *         lm_composition *composition = lm_compose_scene(scene, NULL, error);
 *         bool ok = composition && lm_compose_images(composition, format, "models/a/tris.md2",
 *                                                    NULL, error);
 *         ok = ok && lm_encode(composition->mesh, format, NULL, md2, NULL, error);
 *         lm_composition_free(composition);
 *         return ok;
 *     }
 *
 * `= {0}` sets all members of a struct to zero; C++ writes `= {}`. */
#ifndef LERPMESH_COMPOSE_H
#define LERPMESH_COMPOSE_H

#include "lerpmesh/check.h"
#include "lerpmesh/mesh.h"
#include "lerpmesh/scene.h"
#include "lerpmesh/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Composing ----------------------------------------------------------------------------- */

/* The most frames of a mesh composed of several models. */
#define LM_MAX_COMPOSED_FRAMES 65536u

/* What a game needs of a player's model. */
typedef enum lm_player_kind {
    LM_PLAYER_NONE, /* the mesh is no player */
    /* A model of Quake III, RtCW or ET whose .skin file names the surfaces. The games ignore a
     * final '_' and the byte after it, and case. Surfaces with different materials whose names
     * would become equal are renamed (arm_r becomes arm-r), with a note. */
    LM_PLAYER_MODEL,
    /* The same, and the mesh is also split into the three models of Quake III: see `models`. */
    LM_PLAYER_QUAKE3,
    /* A player of Quake II, which plays frames by number: the mesh gets the 198 frames and 20 clips
     * of the standard table (LM_CLIPS_QUAKE2). Clips are found by name. One with another number of
     * frames is resampled, and a missing one replaced by the nearest, each with a note. */
    LM_PLAYER_QUAKE2,
    /* A first-person weapon of Return to Castle Wolfenstein, split into the models of its surfaces'
     * `piece`: v_X, v_X_barrel to v_X_barrel7, v_X_scope and v_X_flash, and the hand: see
     * `models`. */
    LM_PLAYER_WEAPON,
    LM_NUM_PLAYER_KINDS /* not a kind: their number */
} lm_player_kind;

/* Options for composing. Zeros are the defaults. */
typedef struct lm_compose_options {
    lm_memory memory; /* max_bytes 0: no bound */
    bool still;       /* one pose only: that of the first part at the fractional `frame` */
    double frame;     /* from 0, with `still` */
    /* Only frames first_frame .. first_frame + num_frames - 1; num_frames 0: all. Clips are cut to
     * these frames, which are those of the first of several models. */
    uint32_t first_frame, num_frames;
    bool clips;            /* frames clip by clip, instead of all frames */
    float fps;             /* > 0: all clips are resampled to this rate, and last as long */
    float scale;           /* 0: 1 */
    lm_player_kind player; /* the changes that a game needs */
    bool pcx;              /* images of formats with one skin are named for PCX instead of PNG */
    /* [scene->num_parts] The skeleton of each model, which moves its vertices between two frames if
     * clips get another rate: from lm_skeleton_fit of its mesh (lm_mesh_from_model). NULL elements,
     * or NULL: a model's own bones move them, or positions are interpolated linearly. For
     * lm_compose_mesh: one element. */
    const lm_skeleton *const *skeletons;
    const char *name; /* of the only surface of the mesh, if it has none; NULL: none */

    /* For lm_compose_mesh: the images of its surfaces. They must live as long as the composition,
     * which checks only that the lists exist, and the skins. */
    uint32_t num_textures;
    const lm_scene_texture *textures;
    uint32_t num_skins;
    const lm_material_set *skins; /* [num_skins] with a material for each surface */
    bool embedded;    /* the images are in the mesh's own file, and need files of their own */
    bool from_game;   /* the mesh is an exported game model: its names are paths in the game */
    bool all_frames;  /* equal frames stay, too */
    bool other_skins; /* for lm_compose_scene: its skins replace those in the model's file */
    bool skinned; /* without `player`: the mesh gets a skeleton of `skeletons` (see `skeleton`) */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_compose_options;

/* A model of a player or a weapon. */
typedef struct lm_player_model {
    const char *name;    /* "lower", "upper" or "head"; "v_x_hand", "v_x", "v_x_barrel" */
    const lm_mesh *mesh; /* with the frames and tags of this model */
} lm_player_model;

/* The surface of a scene that a composed surface was made of. */
typedef struct lm_surface_source {
    uint32_t part, surface; /* of the scene; of the part's model */
} lm_surface_source;

/* A composition: a mesh with the images of its surfaces. It may point into the scene or mesh that
 * it was made from, which must live as long. */
typedef struct lm_composition {
    const lm_mesh *mesh; /* the scene's parts joined, or the given mesh; changed by each call */
    const lm_surface_source *sources; /* [mesh->num_surfaces]; NULL: made of a mesh */

    /* Images without a file, which the caller must write. The mesh refers to them by `name`, which
     * ends in .png, .tga or .pcx, the format that the game reads. */
    uint32_t num_images;
    const lm_scene_texture *images;

    /* With LM_PLAYER_QUAKE3. The lower body has the frames of the BOTH_ and LEGS_ clips, the upper
     * body those of the BOTH_ and TORSO_ clips, relative to tag_torso, and the head one frame,
     * relative to tag_head. A surface's part is that of its `body`, else the one that its name
     * begins with: l_, u_ or h_, or the words lower, upper or head. The upper body has all tags but
     * tag_torso.
     * `player_clips` are the rows of animation.cfg, in the game's order: 25, or 31 if there is a
     * clip for one of the last six. Clips are found by these names (LEGS_RUN) or common ones (run),
     * whatever their case and punctuation. A row without a clip plays the nearest, with a note.
     *
     * With LM_PLAYER_WEAPON. The hand is first, with all frames and the tags of no other piece.
     * Each other model is relative to its tag: v_X to tag_weapon and barrel N to tag_barrelN of the
     * hand, scope and flash to theirs of v_X. A barrel whose shape changes has the frames of the
     * rows in which it does; the others have one frame. `player_clips` are the rows of weapon.cfg,
     * 12, or 10 without a clip for the last two. A barrel is hidden in rows in which it has no
     * size. */
    uint32_t num_models; /* 0: neither a player of Quake III nor a weapon */
    const lm_player_model *models;
    uint32_t num_player_clips;
    const lm_clip *player_clips; /* LEGS_ clips count the frames of the lower body */

    uint32_t num_notes; /* data that was dropped, in the order of the calls */
    const lm_diagnostic *notes;

    /* With `skinned`: the skeleton of the mesh, in its frames and its scale. Of several parts, each
     * has its joints below the tag that holds it, which is a joint, too; a part without a skeleton
     * follows that tag. Its errors are not measured. It may be that of the options. Where it has
     * normals, the mesh may have none. NULL: no part has a skeleton, one without moves its vertices
     * or changes its size, or there would be more than LM_MAX_SKELETON_JOINTS joints. */
    const lm_skeleton *skeleton;
} lm_composition;

/* Composes a scene into one mesh. A scene of one part becomes a mesh of the frames that the options
 * select. Several parts are joined, each attached to its tag: the mesh has all surfaces and tags at
 * their world transforms in each frame, and all clips, each name once. Surfaces follow each other
 * part by part. If there are several parts, surfaces without triangles are skipped. If nothing
 * moves, the result has one frame and no clips, with a note, unless frames or clips are selected;
 * players, and options.all_frames, keep all frames. Fails with
 * LM_CODE_LIMIT (more than LM_MAX_COMPOSED_FRAMES or LM_MAX_MESH_FRAMES frames) or
 * LM_CODE_BAD_ARGUMENT (also for frames that do not exist, for a player without tag_torso,
 * tag_head or surfaces of one of its parts, and for a weapon without a piece or its tag). */
LM_WRITE_API lm_composition *lm_compose_scene(const lm_scene *scene,
                                              const lm_compose_options *options, lm_error *error);
/* Composes a mesh. It is copied only if it changes. If nothing moves, it gets one frame, too. */
LM_WRITE_API lm_composition *lm_compose_mesh(const lm_mesh *mesh, const lm_compose_options *options,
                                             lm_error *error);
/* Frees a composition, but not the scene or mesh that it was made from. */
LM_WRITE_API void lm_composition_free(lm_composition *composition);

/* ---- Images -------------------------------------------------------------------------------- */

#define LM_MAX_COMPOSED_FOLDER 46u /* bytes of a folder; names in files have 63 */

/* Adapts a mesh's images to a format. If the format cannot embed skins, embedded images become
 * files (`images`); so do all images of LM_PLAYER_QUAKE2 and LM_PLAYER_QUAKE3, except where a
 * shader has a name. If the format has one texture per model, several textures become a texture
 * atlas, and texture coordinates move onto it. Formats with embedded skins receive them in the
 * colours of Quake. For a player of Quake III, surfaces without an image get a grey one, because
 * the game draws them only with an image. LM_PLAYER_QUAKE3 also gets icon_default.tga, a portrait,
 * and LM_PLAYER_QUAKE2 a portrait X_i for each image X, because the game's menu lists no skin
 * without one. `path` is the path of the mesh; its file name gives the images theirs. `folder` is
 * the images' folder in the game. NULL: the folder of `path`, from models/ or players/ on, else
 * models/NAME/. Fails with LM_CODE_BAD_ARGUMENT if `format` is NULL, and with LM_CODE_LIMIT if no
 * atlas has room for all textures. */
LM_WRITE_API bool lm_compose_images(lm_composition *composition, const lm_format_info *format,
                                    const char *path, const char *folder, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
