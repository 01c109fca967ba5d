/* The text files that games need for a player's MD3: the clips and the skin. Each is read back
 * before it is written. */
#include "convert.h"

#include "lerpmesh/clips.h"

#include <string.h>

/* ---- Clips ---------------------------------------------------------------------------------- */

/* Copies the model's own animation.cfg if all frames are kept. If several models are merged, the
 * clips are written from scratch. */
static bool copy_clips(const conversion *c, lm_buffer *out, lm_error *error) {
    const convert_settings *settings = c->settings;
    lm_file file;
    const char *path = c->assets ? c->assets->assets[0].clips_path : NULL;
    const bool is_complete = c->scene.num_parts == 1 && !settings->has_frames &&
                             !settings->has_frame && settings->fps <= 0 &&
                             !tool_has(settings->args, TOOL_CLIP);
    if (!is_complete || !path ||
        strcmp(lm_vfs_base_name(c->job->vfs, path), "animation.cfg") != 0 ||
        !lm_vfs_read(c->job->vfs, path, 0, &file, error))
        return false;
    lm_buffer_append(out, file.data, file.size);
    lm_file_free(&file);
    return !out->failed;
}

static bool make_clips(conversion *c, const lm_mesh *mesh) {
    if (mesh->num_clips == 0)
        return true;
    convert_sidecar *sidecar = convert_sidecar_add(c, "animation", ".cfg");
    lm_error error = {.code = LM_CODE_OK};
    if (!sidecar)
        return false;
    if (copy_clips(c, &sidecar->data, &error) ||
        (error.code != LM_CODE_OUT_OF_MEMORY &&
         lm_clips_write(mesh->clips, mesh->num_clips, mesh->num_frames, &sidecar->data, &error)))
        return true;
    return tool_fail(c->job,
                     error.code == LM_CODE_NOT_HELD
                         ? "%s; select clips with --clip, or convert a player's models one by one"
                         : "out of memory",
                     error.message);
}

/* ---- The skin ------------------------------------------------------------------------------- */

/* Reads the models' .skin files; NULL for a model without one, or if it cannot be read. */
static bool read_bindings(const conversion *c, lm_skin_file **skin_files) {
    lm_error error = {.code = LM_CODE_OK};
    for (uint32_t i = 0; c->assets && i < c->scene.num_parts; i++) {
        const char *path = c->assets->assets[i].skin_path;
        lm_file file;
        if (path && lm_vfs_read(c->job->vfs, path, 0, &file, &error)) {
            skin_files[i] = lm_skin_read(file.data, file.size, NULL, &error);
            lm_file_free(&file);
        }
        if (error.code == LM_CODE_OUT_OF_MEMORY)
            return tool_fail(c->job, "out of memory");
    }
    return true;
}

/* Returns the texture of a surface: from its model's .skin file, else the name in the surface
 * itself. */
static const char *texture_of(const conversion *c, lm_skin_file *const *skin_files,
                              const lm_mesh *mesh, uint32_t index) {
    const lm_mesh_surface *s = &mesh->surfaces[index];
    uint32_t part, own;
    const char *path = NULL;
    if (!c->imported.mesh && lm_compose_source(&c->scene, index, &part, &own) && skin_files[part])
        path = lm_skin_path(skin_files[part], c->scene.parts[part].model->surfaces[own].name);
    return path                   ? path
           : s->num_materials > 0 ? s->materials[0].name
           : mesh->num_skins > 0  ? mesh->skins[0]
                                  : "";
}

static bool write_skin(conversion *c, lm_skin_file *const *skin_files, const lm_mesh *mesh,
                       lm_buffer *out) {
    tool_memory *memory = &c->job->memory;
    lm_error error;
    lm_skin_entry *entries = tool_alloc(memory, mesh->num_surfaces + (size_t)1, sizeof *entries);
    const char **tags = tool_alloc(memory, mesh->num_tags + (size_t)1, sizeof *tags);
    if (!entries || !tags)
        return false;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        entries[i] = (lm_skin_entry){.surface = mesh->surfaces[i].name,
                                     .path = texture_of(c, skin_files, mesh, i)};
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        tags[i] = mesh->tags[i].name;
    return lm_skin_write(entries, mesh->num_surfaces, tags, mesh->num_tags, out, &error) ||
           tool_fail(c->job, "%s",
                     error.code == LM_CODE_OUT_OF_MEMORY ? "out of memory" : error.message);
}

static bool make_skin(conversion *c, const lm_mesh *mesh) {
    convert_sidecar *sidecar = convert_sidecar_add(c, c->stem, "_default.skin");
    lm_skin_file **skin_files =
        tool_alloc(&c->job->memory, c->scene.num_parts, sizeof(lm_skin_file *));
    const bool ok = sidecar && skin_files && read_bindings(c, skin_files) &&
                    write_skin(c, skin_files, mesh, &sidecar->data);
    for (uint32_t i = 0; skin_files && i < c->scene.num_parts; i++)
        lm_skin_free(skin_files[i]);
    return ok;
}

bool convert_player_make(conversion *c, const lm_mesh *mesh) {
    return !c->settings->player ||
           (make_clips(c, mesh) && (mesh->num_surfaces == 0 || make_skin(c, mesh)));
}

bool convert_player_read(const tool_args *args, convert_settings *settings) {
    settings->player = settings->encoding.sidecar_clips = tool_has(args, TOOL_PLAYER);
    if (!settings->player)
        return true;
    const char *format = settings->model ? settings->model->name : "";
    if (strcmp(format, "md3") != 0 && strcmp(format, "mdc") != 0)
        return tool_usage(args, "--player applies only to .md3 and .mdc");
    return settings->output.kind == TOOL_TO_FILE ||
           tool_usage(args,
                      "--player writes animation.cfg, and a folder can have only one: convert one "
                      "model into one file");
}
