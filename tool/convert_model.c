/* A model in another format: a scene or an import becomes one mesh, and the mesh a file. */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

/* Says that so many pictures are beside the model, of which it names the first so. */
static void tell_pictures(tool_job *job, const convert_settings *settings, const char *path,
                          uint32_t count) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *are = count > 1 ? "s are" : " is", *more = count > 1 ? ", ..." : "";
    if (settings->quiet)
        return;
    if (slash)
        tool_say(job, "its picture%s beside it: %s%s; the game looks for %s%s%s", are, file, more,
                 path, more, settings->skin_path ? "" : " (--skin-path)");
    else
        tool_say(job, "its picture%s beside it: %s%s", are, file, more);
}

static bool add_picture(tool_job *job, const lm_scene_texture *image, convert_made *made) {
    const char *slash = strrchr(image->name, '/'), *name = slash ? slash + 1 : image->name;
    const char *dot = strrchr(name, '.');
    convert_beside *beside = convert_beside_add(job, made, name, "");
    lm_error error;
    if (!beside)
        return false;
    beside->picture = true;
    const bool tga = dot && strcmp(dot, ".tga") == 0;
    if ((tga ? lm_pixels_write_tga : lm_pixels_write_png)(image->pixels, image->width,
                                                          image->height, &beside->data, &error))
        return true;
    tool_fail_error(job, &error, false);
    return false;
}

/* The pictures that the mesh names go beside its file. */
static bool add_pictures(tool_job *job, const convert_settings *settings,
                         const lm_composition *mesh, convert_made *made) {
    bool added = true;
    for (uint32_t i = 0; added && i < mesh->num_images; i++)
        added = add_picture(job, &mesh->images[i], made);
    if (added && mesh->num_images > 0)
        tell_pictures(job, settings, mesh->images[0].name, mesh->num_images);
    return added;
}

static bool write_mesh(tool_job *job, const convert_settings *settings, const lm_take *mesh,
                       convert_made *made) {
    convert_settings fitted = *settings;
    convert_grid grid;
    const bool ok = convert_grid_open(job, settings, mesh->num_frames, &grid);
    fitted.encoding.num_grid_with = grid.count;
    fitted.encoding.grid_with = grid.meshes;
    const bool written = ok && convert_write_take(job, &fitted, mesh, made);
    convert_grid_close(&grid);
    return written;
}

bool convert_encode(tool_job *job, const convert_settings *settings, const convert_opened *opened,
                    convert_made *made) {
    lm_composition *mesh = convert_compose(job, settings, opened);
    if (mesh && settings->player)
        lm_compose_name(mesh, made->stem); /* for the .skin file */
    const bool ok = mesh && convert_dress(job, settings, opened, made->path, mesh) &&
                    add_pictures(job, settings, mesh, made) &&
                    write_mesh(job, settings, &mesh->mesh, made) &&
                    convert_player_make(job, settings, &opened->subject.scene, &mesh->mesh, made);
    if (ok && settings->skin_path && mesh->num_images == 0)
        tool_complain(job, "--skin-path changed nothing, as no picture is written beside it: "
                           "lerpmesh edit --path changes the paths that a model has");
    lm_composition_free(mesh);
    return ok;
}
