/* The files that games need for a player's MD3: the clips, the skin, and for a whole player its
 * other models and its icon. Each text is read back before it is written. */
#include "convert_internal.h"

#include "lerpmesh/clips.h"
#include "lerpmesh/files.h"

#include <stdio.h>
#include <string.h>

/* ---- Clips ---------------------------------------------------------------------------------- */

/* Returns the path of the clips file of the only model; NULL: there is none, or several models are
 * merged. */
static const char *clips_path(const conversion *c) {
    return c->assets && c->scene.num_parts == 1 ? c->assets->assets[0].clips_path : NULL;
}

static bool is_called(const conversion *c, const char *path, const char *name) {
    return path && lmi_compare_letters(lmi_vfs_base_name(c->vfs, path), name) == 0;
}

/* Copies the model's own file if all frames are kept. Otherwise the clips are written from
 * scratch. */
static bool copy_clips(const conversion *c, const char *name, lm_buffer *out, lm_error *error) {
    const lm_convert_options *o = c->options;
    const char *path = clips_path(c);
    const bool is_complete =
        o->num_frames == 0 && !o->still && o->fps <= 0 && o->speed <= 0 && o->num_clips == 0;
    return is_complete && is_called(c, path, name) && lm_vfs_read(c->vfs, path, 0, out, error);
}

/* Puts the clips of a hand in the order of the rows of weapon.cfg. Rows without a clip show the
 * hand at rest; sets their number. Returns the number of rows; 0: no clip is one. */
static uint32_t order_rows(const lm_mesh *mesh, lm_clip rows[LM_WEAPON_CLIPS], uint32_t *missing) {
    uint32_t count = 0, found = 0;
    for (uint32_t i = 0; i < LM_WEAPON_CLIPS; i++) {
        uint32_t k = 0;
        while (k < mesh->num_clips && strcmp(mesh->clips[k].name, lmi_weapon_clips[i]) != 0)
            k++;
        rows[i] = (lm_clip){.name = lmi_weapon_clips[i],
                            .first = i > 0 ? rows[0].first : 0,
                            .count = 1,
                            .fps = LM_STILL_WEAPON_FPS,
                            .loop_frames = 1};
        if (k == mesh->num_clips)
            continue;
        rows[i] = mesh->clips[k];
        found++;
        count = i < LM_FEWEST_WEAPON_CLIPS ? LM_FEWEST_WEAPON_CLIPS : i + 1;
    }
    *missing = count - found;
    return count;
}

/* Writes animation.cfg, or weapon.cfg for a model that has one: the hand of a weapon. */
static bool make_clips(conversion *c, const lm_mesh *mesh) {
    if (mesh->num_clips == 0)
        return true;
    lm_clip rows[LM_WEAPON_CLIPS];
    uint32_t missing;
    const uint32_t num_rows =
        is_called(c, clips_path(c), "weapon.cfg") ? order_rows(mesh, rows, &missing) : 0;
    const char *name = num_rows > 0 ? "weapon.cfg" : "animation.cfg";
    convert_side *side = lmi_cv_add(
        c, c->options->player ? LM_CONVERT_ROLE_SIDE : LM_CONVERT_ROLE_OPTIONAL, name, "");
    lm_error error = {.code = LM_CODE_OK};
    if (!side)
        return false;
    lmi_clips_lose_times(mesh->clips, mesh->num_clips, num_rows > 0, &c->times_lost);
    if (copy_clips(c, name, &side->file.data, &error))
        return true;
    if (num_rows > 0 && missing > 0)
        lm_cv_warn(c, "%s the hand at rest",
                   lmi_count_words(missing, "{row of weapon.cfg has no clip and shows|rows of "
                                            "weapon.cfg have no clip and show}")
                       .text);
    if (error.code != LM_CODE_OUT_OF_MEMORY &&
        lm_clips_write(num_rows > 0 ? rows : mesh->clips, num_rows > 0 ? num_rows : mesh->num_clips,
                       mesh->num_frames, num_rows > 0 ? LM_CLIPS_WEAPON_CFG : LM_CLIPS_AUTO,
                       &side->file.data, &error))
        return true;
    return error.code == LM_CODE_NOT_HELD
               ? lm_cv_fail(c,
                            "%s; select clips with " OPTION "clip, or convert a player's models "
                            "one by one",
                            error.message)
               : lm_cv_fail_memory(c);
}

/* ---- The skin ------------------------------------------------------------------------------- */

/* Reads the models' .skin files; NULL for a model without one, or if it cannot be read. */
static bool read_bindings(conversion *c, lm_skin_file **skin_files) {
    lm_error error = {.code = LM_CODE_OK};
    for (uint32_t i = 0; c->assets && i < c->scene.num_parts; i++) {
        const char *path = c->assets->assets[i].skin_path;
        lm_buffer file = {0};
        if (path && lm_vfs_read(c->vfs, path, 0, &file, &error)) {
            skin_files[i] = lm_skin_file_read(file.data, file.size, NULL, &error);
            lm_buffer_free(&file);
        }
        if (error.code == LM_CODE_OUT_OF_MEMORY)
            return lm_cv_fail_memory(c);
    }
    return true;
}

/* Returns the texture of a surface: from its model's .skin file, unless the image is written, else
 * the name in the surface itself. */
static const char *texture_of(const conversion *c, lm_skin_file *const *skin_files,
                              const lm_surface_source *sources, const lm_mesh *mesh,
                              uint32_t index) {
    const lm_mesh_surface *s = &mesh->surfaces[index];
    const lm_surface_source *from = sources ? &sources[index] : NULL;
    const char *path = NULL;
    if (from && skin_files[from->part])
        path = lm_skin_file_find(skin_files[from->part],
                                 c->scene.parts[from->part].model->surfaces[from->surface].name);
    return path                   ? path
           : s->num_materials > 0 ? s->materials[0].name
           : mesh->num_skins > 0  ? mesh->skins[0]
                                  : "";
}

/* Adds the .skin file of a model. `sources` NULL: its surfaces have their own materials only. */
static bool add_skin(conversion *c, const char *stem, lm_skin_file *const *skin_files,
                     const lm_surface_source *sources, const lm_mesh *mesh) {
    lm_error error;
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, stem, "_default.skin");
    lm_skin_entry *entries =
        lmi_arena_zeros(c->arena, mesh->num_surfaces + (size_t)1, sizeof *entries);
    const char **tags = lmi_arena_zeros(c->arena, mesh->num_tags + (size_t)1, sizeof *tags);
    if (!side || !entries || !tags)
        return false;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        entries[i] = (lm_skin_entry){.surface = mesh->surfaces[i].name,
                                     .path = texture_of(c, skin_files, sources, mesh, i)};
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        tags[i] = mesh->tags[i].name;
    return lm_skin_file_write(entries, mesh->num_surfaces, tags, mesh->num_tags, &side->file.data,
                              &error) ||
           lm_cv_fail(c, "%s",
                      error.code == LM_CODE_OUT_OF_MEMORY ? "out of memory" : error.message);
}

static bool make_skin(conversion *c, const lm_composition *composition) {
    lm_skin_file **skin_files =
        lmi_arena_zeros(c->arena, c->scene.num_parts, sizeof(lm_skin_file *));
    const bool ok = skin_files && read_bindings(c, skin_files) &&
                    add_skin(c, c->stem, skin_files, composition->sources, composition->mesh);
    for (uint32_t i = 0; skin_files && i < c->scene.num_parts; i++)
        lm_skin_file_free(skin_files[i]);
    return ok;
}

/* Returns a copy of the mesh whose materials have the names of the .skin files. */
static const lm_mesh *rename_materials(conversion *c, const lm_composition *composition,
                                       lm_skin_file *const *skin_files) {
    const uint32_t count = composition->mesh->num_surfaces;
    lm_mesh *mesh = lmi_arena_zeros(c->arena, 1, sizeof *mesh);
    lm_mesh_surface *surfaces = lmi_arena_zeros(c->arena, count, sizeof *surfaces);
    lm_material *materials = lmi_arena_zeros(c->arena, count, sizeof *materials);
    if (!mesh || !surfaces || !materials)
        return NULL;
    *mesh = *composition->mesh;
    for (uint32_t i = 0; i < count; i++) {
        surfaces[i] = mesh->surfaces[i];
        if (surfaces[i].num_materials > 0)
            materials[i] = surfaces[i].materials[0];
        materials[i].name = lmi_copy_text(
            c->arena, texture_of(c, skin_files, composition->sources, composition->mesh, i));
        surfaces[i].num_materials = materials[i].name && *materials[i].name;
        surfaces[i].materials = &materials[i];
    }
    mesh->surfaces = surfaces;
    return lmi_arena_failed(c->arena) ? NULL : mesh;
}

const lm_mesh *lmi_cv_player_skin(conversion *c, const lm_composition *composition) {
    /* Other models keep their .skin files. */
    if ((c->options->open.num_skins == 0 && !c->path_skin && !c->iqm) || !composition->sources ||
        !lmi_cv_names_skins(c))
        return composition->mesh;
    lm_skin_file **skin_files =
        lmi_arena_zeros(c->arena, c->scene.num_parts, sizeof(lm_skin_file *));
    const lm_mesh *mesh = skin_files && read_bindings(c, skin_files)
                              ? rename_materials(c, composition, skin_files)
                              : NULL;
    for (uint32_t i = 0; skin_files && i < c->scene.num_parts; i++)
        lm_skin_file_free(skin_files[i]);
    return mesh;
}

bool lmi_cv_player_make(conversion *c, const lm_composition *composition) {
    const lm_mesh *mesh = composition->mesh;
    const bool player = c->options->player == LM_PLAYER_MODEL;
    return (!c->encode.sidecar_clips || make_clips(c, mesh)) &&
           (!player || mesh->num_surfaces == 0 || make_skin(c, composition));
}

/* ---- A whole player -------------------------------------------------------------------------- */

static bool add_animation(conversion *c, const lm_composition *composition) {
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, "animation", ".cfg");
    lm_error error;
    uint32_t frames = 1;
    for (uint32_t i = 0; i < composition->num_models; i++)
        frames += composition->models[i].mesh->num_frames;
    return side && (lm_clips_write(composition->player_clips, composition->num_player_clips, frames,
                                   LM_CLIPS_AUTO, &side->file.data, &error) ||
                    lmi_cv_fail_error(c, &error));
}

/* Encodes one model: the first into the output itself. */
static bool add_model(conversion *c, const lm_player_model *model, bool first) {
    lm_encode_report *report = NULL;
    convert_side *side =
        first ? NULL : lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, model->name, c->extension);
    const char *file = lmi_arena_printf(c->arena, "%s%s", model->name, c->extension);
    if ((!first && !side) || !file)
        return false;
    lm_buffer *out = first ? &c->out : &side->file.data;
    out->max_size = (size_t)c->options->max_output;
    const bool ok = lmi_cv_encode(c, &c->encode, model->mesh, model->name, out, &report);
    if (ok)
        lmi_cv_model_done(c, file, report);
    lm_encode_report_free(report);
    return ok && add_skin(c, model->name, NULL, NULL, model->mesh);
}

bool lmi_cv_player_models(conversion *c, const lm_composition *composition) {
    bool ok = add_animation(c, composition);
    for (uint32_t i = 0; ok && i < composition->num_models; i++)
        ok = add_model(c, &composition->models[i], i == 0);
    return ok;
}

/* ---- An archive ------------------------------------------------------------------------------ */

/* The files of a conversion, as a view. */
typedef struct player_files {
    const conversion *c;
    const char **paths; /* in the archive; the first is the output's */
    size_t count;
} player_files;

static const lm_buffer *find_made(const player_files *files, const char *path) {
    const convert_side *side = files->c->sides;
    if (strcmp(path, files->paths[0]) == 0)
        return &files->c->out;
    for (size_t i = 1; side && i < files->count; i++, side = side->next)
        if (strcmp(path, files->paths[i]) == 0)
            return &side->file.data;
    return NULL;
}

static lm_find find_file(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    if (!find_made(user, path))
        return LM_FIND_NOTHING;
    snprintf(actual, LM_PATH_SIZE, "%s", path);
    return LM_FIND_FILE;
}

static bool read_file(void *user, const char *path, size_t max_size, lm_buffer *out,
                      lm_error *error) {
    const lm_buffer *made = find_made(user, path);
    (void)max_size;
    if (!made)
        return lm_fail_plain(error, LM_CODE_IO, "there is no such file");
    lm_buffer_append(out, made->data, made->size);
    return !out->failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

bool lmi_cv_player_pack(conversion *c) {
    const char *folder = c->made.player_folder;
    lm_buffer archive = {.max_size = (size_t)c->options->max_output};
    lm_error error;
    player_files list = {.c = c, .count = 1};
    list.paths = lmi_arena_zeros(c->arena, c->num_sides + (uint64_t)1, sizeof(char *));
    if (!list.paths)
        return false;
    list.paths[0] = lmi_arena_printf(c->arena, "%s/lower%s", folder, c->extension);
    for (const convert_side *s = c->sides; s; s = s->next)
        list.paths[list.count++] = lmi_arena_printf(c->arena, "%s/%s", folder, s->file.name);
    if (lmi_arena_failed(c->arena))
        return false;
    const lm_files files = {
        .user = &list, .name = c->options->path, .find = find_file, .read = read_file};
    const bool made = lm_archive_write(&files, list.paths, list.count, "pk3", &archive, &error);
    lm_buffer_free(&c->out);
    c->out = archive;
    return made || lmi_cv_fail_error(c, &error);
}
