/* lerpmesh/compose.h - one mesh of a whole scene, with its images, as a format takes them.
 *
 *     #include <lerpmesh/compose.h>
 *     #include <lerpmesh/encode.h>
 *
 *     // A scene as one MD2; made->images are the files that it names. False, and why, if it fails.
 *     bool to_md2(const lm_scene *scene, lm_buffer *md2, lm_error *error) {
 *         const lm_format_info *format = lm_format_by_name("md2");
 *         lm_composition *made = lm_compose_scene(scene, NULL, error);
 *         bool ok = made && lm_compose_images(made, format, "models/a/tris.md2", NULL, error);
 *         ok = ok && lm_encode(&made->mesh, format, NULL, md2, NULL, error);
 *         lm_composition_free(made);
 *         return ok;
 *     }
 */
#ifndef LERPMESH_COMPOSE_H
#define LERPMESH_COMPOSE_H

#include "lerpmesh/check.h"
#include "lerpmesh/mesh.h"
#include "lerpmesh/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One mesh ------------------------------------------------------------------------------ */

/* The most frames of several models that become one mesh. */
#define LM_COMPOSE_MOST_FRAMES 65536u

typedef struct lm_compose_options {
    lm_memory memory; /* max_bytes 0: no bound */
    bool still;       /* one pose only: the first part's at the fractional `frame` */
    double frame;
    /* Frames first_frame .. first_frame + num_frames - 1; num_frames 0: all. Clips are cut to
     * them. Of one model only. */
    uint32_t first_frame, num_frames;
    bool clips;           /* the frames of the clips instead, one clip after the other */
    float fps;            /* > 0: every clip's rate */
    float scale;          /* 0: 1 */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_compose_options;

/* A mesh with the images of its surfaces. It may point into the scene or mesh that it was made of,
 * which must live as long. */
typedef struct lm_composition {
    lm_take mesh;

    /* The skins of the first part, each with the materials of its `num_skin_surfaces` surfaces, and
     * the one that is shown. Of an imported mesh the caller may set them. */
    uint32_t num_textures;
    const lm_scene_texture *textures;
    uint32_t num_skins, skin, num_skin_surfaces;
    const lm_scene_skin *skins;
    bool embedded;   /* the images are in the model's own file, and need files of their own */
    bool from_game;  /* the mesh is a game's model again: names in it are paths of a game */
    bool from_scene; /* names in it are those of a game's models */

    /* Images that the mesh names by their `name`, and that have no file yet. A name ends in .png or
     * .tga, the format that the game reads. */
    uint32_t num_images;
    const lm_scene_texture *images;

    uint32_t num_notes; /* about things that were left out, in the order of the calls */
    const lm_diagnostic *notes;

    struct lm_composing *own;
} lm_composition;

/* Makes one mesh of a scene's parts. One part is a mesh of the frames that the options name.
 * Several parts are joined where they are attached: all clips, each name once, and every surface
 * and tag at its place in each frame. Fails with LM_CODE_LIMIT (more than
 * LM_COMPOSE_MOST_FRAMES or LM_TAKE_MAX_POSES frames), LM_CODE_BAD_ARGUMENT (also for frames that are
 * not there). */
LM_WRITE_API lm_composition *lm_compose_scene(const lm_scene *scene,
                                              const lm_compose_options *options, lm_error *error);
/* The same of a mesh, with these clips instead of its own. A mesh that stays as it is is not
 * copied. */
LM_WRITE_API lm_composition *lm_compose_mesh(const lm_take *mesh, const lm_clip *clips,
                                             uint32_t num_clips, const lm_compose_options *options,
                                             lm_error *error);
LM_WRITE_API void lm_composition_free(lm_composition *composition);

/* Returns which surface of which part surface `index` of a scene's mesh is: they follow each other
 * part by part; of several parts without those that have no triangles. False after the last. */
LM_WRITE_API bool lm_compose_source(const lm_scene *scene, uint32_t index, uint32_t *part,
                                    uint32_t *surface);

/* Gives the only surface of the mesh, if it has no name, one. The name must live as long. */
LM_WRITE_API void lm_compose_name(lm_composition *composition, const char *name);

/* ---- Images -------------------------------------------------------------------------------- */

#define LM_COMPOSE_MOST_FOLDER 46u /* bytes of a folder: names in files have 63 */

/* Fits a mesh's images to a format. Images in the model's own file become files (`images`), where
 * the format has none in its own. Where the whole model has one texture, several become a texture
 * atlas, and texture coordinates move onto it. Formats with embedded skins get them in the colours
 * of Quake. `path` is where the mesh will be: its name gives the images theirs. `folder` is the
 * folder of the images in the game; NULL: from models/ or players/ on as in `path`, else
 * models/NAME/. Fails with LM_CODE_LIMIT (no atlas has room for all textures). */
LM_WRITE_API bool lm_compose_images(lm_composition *composition, const lm_format_info *format,
                                    const char *path, const char *folder, lm_error *error);

/* Whether lm_compose_images needs the pixels of textures for a format. */
LM_WRITE_API bool lm_compose_needs_pixels(const lm_format_info *format);

/* ---- Several meshes ------------------------------------------------------------------------ */

/* Whether meshes are poses of the same model: the same vertices, triangles and tags, and one frame
 * each. If not, fails with a sentence that calls them by these names. */
LM_WRITE_API bool lm_take_is_pose(const lm_take *first, const char *first_name,
                                  const lm_take *other, const char *name, lm_error *error);
/* Joins poses of one model as the frames of one mesh with these clips; all else is the first's. */
LM_WRITE_API lm_take *lm_take_join(const lm_take *const *poses, uint32_t num_poses,
                                   const lm_clip *clips, uint32_t num_clips,
                                   const lm_memory *memory, lm_error *error);

/* Returns how many triangles all surfaces have. */
LM_WRITE_API uint64_t lm_take_triangles(const lm_take *take);
/* Returns the largest factor of two digits, `reach` at most, with which every vertex and tag lies
 * within `reach` (> 0) units of the origin on each axis. */
LM_WRITE_API double lm_take_fitting_scale(const lm_take *take, double reach);

#ifdef __cplusplus
}
#endif
#endif
