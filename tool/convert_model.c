/* Writes a scene or an import as a model: composes one mesh and encodes it. */
#include "convert.h"

#include <string.h>

/* Returns whether the game finds an image next to the model: whether the folder of its path in the
 * game is also the end of the model's folder. */
static bool is_in_place(const conversion *c, const char *path, const char *file) {
    const size_t length = (size_t)(file - path);
    const char *model = lm_vfs_base_name(c->job->vfs, c->path);
    const size_t room = (size_t)(model - c->path);
    return room >= length && memcmp(model - length, path, length) == 0 &&
           (room == length || model[-(ptrdiff_t)length - 1] == '/');
}

/* Reports the number of images written next to the model, and the name of the first. */
static void report_images(const conversion *c, const char *path, uint32_t count) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *s = count > 1 ? "s" : "", *more = count > 1 ? ", ..." : "";
    if (c->settings->player == LM_PLAYER_QUAKE3)
        return; /* all its files are listed together */
    if (slash && !is_in_place(c, path, file))
        tool_note(c->job, "image%s next to the model: %s%s; the game searches for %s%s%s", s, file,
                  more, path, more, c->settings->skin_path ? "" : " (--skin-path)");
    else
        tool_note(c->job, "image%s next to the model: %s%s", s, file, more);
}

static bool add_image(conversion *c, const lm_scene_texture *image) {
    const char *slash = strrchr(image->name, '/'), *name = slash ? slash + 1 : image->name;
    const char *dot = strrchr(name, '.');
    convert_sidecar *sidecar = convert_sidecar_add(c, name, "");
    lm_error error;
    if (!sidecar)
        return false;
    sidecar->image = true;
    const bool tga = dot && strcmp(dot, ".tga") == 0, pcx = dot && strcmp(dot, ".pcx") == 0;
    const bool written =
        pcx ? lm_pixels_write_pcx(image->pixels, image->width, image->height, c->settings->palette,
                                  &sidecar->data, &error)
            : (tga ? lm_pixels_write_tga : lm_pixels_write_png)(
                  image->pixels, image->width, image->height, &sidecar->data, &error);
    return written || tool_fail_error(c->job, &error);
}

/* Adds the images that the mesh refers to. */
static bool add_images(conversion *c, const lm_composition *mesh) {
    bool added = true;
    for (uint32_t i = 0; added && i < mesh->num_images; i++)
        added = add_image(c, &mesh->images[i]);
    if (added && mesh->num_images > 0)
        report_images(c, mesh->images[0].name, mesh->num_images);
    return added;
}

static bool write_mesh(conversion *c, const lm_mesh *mesh) {
    lm_encode_options encoding = c->settings->encoding;
    convert_grid grid;
    const bool ok = convert_grid_open(c, mesh->num_frames, &grid);
    encoding.num_shared_grids = grid.count;
    encoding.shared_grid = grid.meshes;
    const bool written = ok && convert_write_mesh(c, &encoding, mesh,
                                                  &(convert_target){c->stem, &c->out, &c->report});
    convert_grid_close(&grid);
    return written;
}

static void report_notes(tool_job *job, const lm_composition *composition, uint32_t first) {
    for (uint32_t i = first; i < composition->num_notes; i++)
        (composition->notes[i].severity > LM_NOTE ? tool_warn : tool_note)(
            job, "%s", composition->notes[i].text);
}

static lm_composition *compose(conversion *c, lm_skeleton **skeletons) {
    const convert_settings *settings = c->settings;
    const lm_mesh *mesh = c->imported.mesh;
    const bool several = c->scene.num_parts > 1;
    const lm_scene_part *part = &c->parts[0];
    lm_error error;
    const lm_compose_options options = {.still = c->plan.still,
                                        .frame = c->plan.frame,
                                        .first_frame = c->plan.first_frame,
                                        .num_frames = c->plan.num_frames,
                                        .clips = tool_has(settings->args, TOOL_CLIP) &&
                                                 !settings->has_frames,
                                        /* An imported mesh already has this rate and scale. */
                                        .fps = mesh ? 0 : settings->fps,
                                        .scale = mesh || settings->vat ? 0 : settings->scale,
                                        .player = settings->player,
                                        .pcx = settings->palette != NULL,
                                        .skeletons = (const lm_skeleton *const *)skeletons};
    if (several && settings->has_frames) {
        tool_fail(
            c->job,
            "--frames does not apply to several models in one file; select clips with --clip");
        return NULL;
    }
    lm_composition *composition =
        mesh ? lm_compose_mesh(mesh, part->clips, part->num_clips, &options, &error)
             : lm_compose_scene(&c->scene, &options, &error);
    if (composition)
        report_notes(c->job, composition, 0);
    else if (several && error.code == LM_CODE_LIMIT)
        tool_fail(c->job, "%s; select some with --clip", error.message);
    else if (settings->player == LM_PLAYER_QUAKE3 && strstr(error.message, "has no tag_") && mesh)
        tool_fail(c->job, "%s (or make a bone the tag: --tag NAME=BONE)", error.message);
    else
        tool_fail_error(c->job, &error);
    return composition;
}

lm_composition *convert_compose(conversion *c) {
    lm_skeleton **skeletons = NULL;
    lm_composition *composition = NULL;
    const bool imported = c->imported.mesh != NULL;
    if (c->settings->skeleton && imported)
        tool_warn(c->job, "--skeleton does not apply to imported models, which keep their own");
    if (!c->settings->skeleton || imported || convert_find_skeletons(c, &skeletons))
        composition = compose(c, skeletons);
    convert_free_skeletons(c, skeletons);
    return composition;
}

/* Adds the images of the mesh's surfaces, as the format needs them. */
static bool compose_images(conversion *c, lm_composition *composition) {
    const uint32_t reported = composition->num_notes;
    const lm_import *import = c->imported.import;
    lm_error error;
    const char *path = c->path, *folder = c->settings->skin_path;
    if (c->settings->player == LM_PLAYER_QUAKE3) {
        path = tool_format(&c->job->memory, "%s.md3", c->settings->player_name);
        folder = convert_player_folder(c);
        if (!path || !folder)
            return false;
    }
    const bool quake3 = c->settings->player && c->settings->player != LM_PLAYER_QUAKE2;
    if (quake3 && composition->mesh.num_skins > 0 && c->scene.num_parts == 1)
        composition->embedded = true; /* Quake III has other paths than the skins' game */
    if (import) {
        composition->num_textures = c->scene.num_textures;
        composition->textures = c->scene.textures;
        composition->num_skins = c->parts[0].num_skins;
        composition->skins = c->parts[0].skins;
        composition->num_skin_surfaces = composition->mesh.num_surfaces;
        composition->embedded = true;
        composition->from_game = import->own_export && !c->imported.joined;
    }
    const bool done = lm_compose_images(composition, c->settings->model, path, folder, &error);
    report_notes(c->job, composition, reported);
    return done || tool_fail(c->job, "%s", error.message);
}

bool convert_encode(conversion *c) {
    lm_composition *mesh = convert_compose(c);
    if (mesh && c->settings->player)
        lm_compose_name(mesh, c->stem); /* for the .skin file */
    const bool ok =
        mesh && compose_images(c, mesh) && add_images(c, mesh) &&
        (mesh->num_models > 0 ? convert_player_models(c, mesh)
                              : write_mesh(c, &mesh->mesh) && convert_player_make(c, &mesh->mesh));
    if (ok && c->settings->skin_path && mesh->num_images == 0)
        tool_warn(c->job, "--skin-path has no effect, because the model gets no image files; "
                          "lerpmesh edit --path changes its skin paths");
    if (ok && c->settings->palette && mesh->num_images == 0)
        tool_warn(c->job, "--palette has no effect, because the model gets no image files");
    lm_composition_free(mesh);
    return ok;
}
