/* Writes a scene or an import as a model: composes one mesh, simplifies and encodes it. */
#include "convert_internal.h"
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns whether the game finds an image next to the model: whether the folder of its path in the
 * game is also the end of the model's folder. */
static bool is_in_place(const conversion *c, const char *path, const char *file) {
    const size_t length = (size_t)(file - path);
    const char *model = lmi_vfs_base_name(c->vfs, c->options->path);
    const size_t room = (size_t)(model - c->options->path);
    return room >= length && memcmp(model - length, path, length) == 0 &&
           (room == length || model[-(ptrdiff_t)length - 1] == '/');
}

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reports the images written next to the model: `second` of several is the other one, or "...". */
static void report_images(conversion *c, const char *path, const char *second) {
    const char *file = file_of(path), *s = second ? "s" : "";
    const char *between = !second ? "" : strcmp(second, "...") == 0 ? ", " : " and ";
    const char *other = second ? second : "";
    if (c->options->player == LM_PLAYER_QUAKE3 || c->options->player == LM_PLAYER_WEAPON)
        return; /* all its files are listed together */
    if (file == path || is_in_place(c, path, file))
        lm_cv_note(c, "image%s next to the model: %s%s%s", s, file, between, file_of(other));
    else if (c->options->skin_path)
        lm_cv_note(c, "image%s next to the model: %s%s%s; the game searches for %s%s%s", s, file,
                   between, file_of(other), path, between, other);
    else
        lm_cv_note(c,
                   "image%s next to the model: %s%s%s; the game searches for %s%s%s (" OPTION
                   "skin-path)",
                   s, file, between, file_of(other), path, between, other);
}

static bool add_image(conversion *c, const lm_scene_texture *image) {
    const char *slash = strrchr(image->name, '/'), *name = slash ? slash + 1 : image->name;
    const char *dot = strrchr(name, '.');
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_IMAGE, name, "");
    lm_error error;
    if (!side || !lmi_cv_step(c, LM_CV_IMAGES, name))
        return false;
    const bool tga = dot && strcmp(dot, ".tga") == 0, pcx = dot && strcmp(dot, ".pcx") == 0;
    const bool written = lm_pixels_write(image->pixels, image->width, image->height,
                                         pcx   ? LM_PIXELS_PCX
                                         : tga ? LM_PIXELS_TGA
                                               : LM_PIXELS_PNG,
                                         c->palette, &side->file.data, &error);
    return written || lmi_cv_fail_error(c, &error);
}

/* Returns whether the names of materials are paths in a game. */
static bool is_from_game(const conversion *c) {
    const convert_imported *m = &c->imported;
    return m->import ? m->import->own_export && m->mesh == m->import->mesh
                     : c->given && c->given->from_game;
}

/* Adds the images that the mesh refers to. */
static bool add_images(conversion *c, const lm_composition *mesh) {
    const char *first = NULL, *second = NULL;
    for (uint32_t i = 0; i < mesh->num_images; i++) {
        const lm_scene_texture *image = &mesh->images[i];
        if (!add_image(c, image))
            return false;
        second = second ? "..." : first ? image->name : NULL;
        first = first ? first : image->name;
    }
    if (first)
        report_images(c, first, second);
    if (first && !c->palette && c->options->encode.engine == LM_ENGINE_QUAKE2)
        lm_cv_warn(c, "Quake II itself reads only PCX images: " OPTION "palette FILE writes them");
    return true;
}

/* ---- Fewer triangles ------------------------------------------------------------------------- */

static uint64_t count_triangles(const lm_mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_triangles;
    return count;
}

/* Simplifies a mesh, and reports it if the target is not reached. `name`: the name of its file;
 * NULL for the model itself. */
static lm_mesh *decimate(conversion *c, const lm_mesh *mesh, uint64_t triangles, const char *name) {
    lm_error error;
    const uint32_t wanted = triangles > 0 ? (uint32_t)triangles : 1;
    lm_mesh *simplified = lm_mesh_decimate(mesh, wanted, NULL, &error);
    if (!simplified) {
        lmi_cv_fail_error(c, &error);
        return NULL;
    }
    const uint32_t left = (uint32_t)count_triangles(simplified);
    if (left > wanted)
        lm_cv_warn(
            c,
            "%s%s%u triangles remain instead of %u: removing more would tear borders or seams, "
            "flip triangles, or lose a part of the shape",
            name ? name : "", name ? ": " : "", (unsigned)left, (unsigned)wanted);
    return simplified;
}

#define MAX_COORDINATE 511.97 /* the limit of MD3 and MDC, less a margin for rounding */

static double largest(const float *numbers, size_t count, double most) {
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)numbers[i]));
    return most;
}

/* Returns the largest scale, at most `limit` and rounded down to two digits, at which every vertex
 * and tag lies within `limit` units of the origin on each axis. */
static double fitting_scale(const lm_mesh *mesh, double limit) {
    double most = 1;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        most = largest(s->positions, (size_t)mesh->num_frames * s->num_vertices * 3, most);
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        for (uint32_t f = 0; f < mesh->num_frames; f++)
            most = largest(&mesh->tags[i].poses[f].origin.x, 3, most);
    const double scale = limit / most;
    double digit = 1; /* the unit of the second significant digit */
    while (scale >= 100 * digit)
        digit *= 10;
    for (double parts = 10; scale < 10 * digit; parts *= 10)
        digit = 1 / parts;
    return floor(scale / digit) * digit;
}

static bool fail_encode(conversion *c, const lm_mesh *mesh, const lm_error *error) {
    const char *text = error->message, *section = error->section;
    const double scale = c->options->scale > 0 ? (double)c->options->scale : 1;
    const bool limit = error->code == LM_CODE_LIMIT && *section;
    const bool many =
        limit && (!strcmp(section, LM_SECTION_VERTICES) || !strcmp(section, LM_SECTION_TRIANGLES));
    if (many && c->options->decimate == 0)
        return lm_cv_fail_code(c, error->code, "%s (" OPTION "decimate N simplifies it)", text);
    /* What else the formats with tags limit at a place is its distance from the origin. */
    const double fits = fitting_scale(mesh, scale * MAX_COORDINATE);
    if (limit && !many && fits < scale && c->format && (c->format->features & LM_FEATURE_TAGS))
        return lm_cv_fail_code(c, error->code, "%s (" OPTION "scale %g makes it fit)", text, fits);
    return lmi_cv_fail_error(c, error);
}

/* What precedes the number in the names of levels of detail: X_1 (Quake III) and X-lod01 (UFO:
 * Alien Invasion). */
static const char *const marks[] = {"_", "-lod0"};
#define NUM_MARKS (sizeof marks / sizeof *marks)

/* Returns the length of the end of a name that marks a level of detail; 0: it has none. */
static size_t level_mark(const char *stem, size_t length) {
    for (size_t i = 0; i < NUM_MARKS; i++) {
        const size_t all = strlen(marks[i]) + 1;
        if (length > all && stem[length - 1] >= '1' && stem[length - 1] <= '9' &&
            memcmp(stem + length - all, marks[i], all - 1) == 0)
            return all;
    }
    return 0;
}

/* Returns whether the input is a level of detail of a file next to it. */
static bool is_level(conversion *c) {
    size_t length;
    const char *path = c->source, *stem = lmi_vfs_stem(c->vfs, path, &length);
    const size_t mark = level_mark(stem, length);
    const char *full = mark > 0 ? lmi_arena_printf(c->arena, "%.*s%s",
                                                   (int)((size_t)(stem - path) + length - mark),
                                                   path, stem + length)
                                : NULL;
    return full && lmi_vfs_is_file(c->vfs, full);
}

/* Returns whether another input of the batch becomes this level of detail. */
static bool is_given(conversion *c, const char *stem, unsigned number) {
    for (size_t i = 0; i < NUM_MARKS; i++) {
        const char *name =
            lmi_arena_printf(c->arena, "%s%s%u%s", stem, marks[i], number, c->extension);
        if (name && c->calls->is_taken && c->calls->is_taken(c->calls->user, name))
            return true;
    }
    return false;
}

/* Adds X_1.md3 with half of the triangles, X_2.md3 with a quarter. */
static bool make_lod(conversion *c, const lm_encode_options *encode, const lm_mesh *mesh,
                     const char *stem, unsigned number) {
    char suffix[32];
    lm_error error;
    snprintf(suffix, sizeof suffix, "_%u%s", number, c->extension);
    const uint64_t all = count_triangles(mesh);
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, stem, suffix);
    const bool goes_on = side && lmi_cv_step(c, LM_CV_LODS, side->file.name);
    lm_mesh *lod = goes_on ? decimate(c, mesh, all >> number, side->file.name) : NULL;
    if (!lod)
        return false;
    side->file.data.max_size = (size_t)c->options->max_output;
    const bool ok = lm_encode(lod, c->format, encode, &side->file.data, NULL, &error) ||
                    fail_encode(c, lod, &error);
    if (ok)
        lm_cv_note(c, "%s has %u of %u triangles", side->file.name, (unsigned)count_triangles(lod),
                   (unsigned)all);
    lm_mesh_free(lod);
    return ok;
}

bool lmi_cv_encode(conversion *c, const lm_encode_options *encode, const lm_mesh *mesh,
                   const char *stem, lm_buffer *out, lm_encode_report **report) {
    const lm_convert_options *o = c->options;
    lm_error error;
    lm_mesh *simple = NULL;
    if (!lmi_cv_step(c, LM_CV_ENCODE, "encoding"))
        return false;
    if (o->decimate > 0) {
        const uint64_t all = count_triangles(mesh), number = o->decimate;
        simple = decimate(c, mesh, o->decimate_percent ? all * number / 100 : number, NULL);
        if (!simple)
            return false;
        mesh = simple;
    }
    bool ok = (c->iqm ? lmi_cv_encode_iqm(c, mesh, out, report, &error)
                      : lm_encode(mesh, c->format, encode, out, report, &error)) ||
              fail_encode(c, mesh, &error);
    const bool level = o->lods > 0 && level_mark(stem, strlen(stem)) > 0 && is_level(c);
    if (level)
        lm_cv_note(c, "%s is a level of detail itself, and gets none", stem);
    for (unsigned i = 1; ok && !level && i <= o->lods; i++)
        ok = is_given(c, stem, i) || make_lod(c, encode, mesh, stem, i);
    lm_mesh_free(simple);
    return ok;
}

/* ---- A shared grid --------------------------------------------------------------------------- */

/* Reports only why another model cannot be opened: its warnings are reported when it is converted
 * itself. */
static void report_failure(void *user, const lm_convert_message *message) {
    const conversion *c = user;
    if (message->kind == LM_CONVERT_KIND_FAILURE && c->calls->report)
        c->calls->report(c->calls->user, message);
}

/* Returns whether a path is the source, so that a set of files can name all of them. */
static bool is_source(const conversion *c, const char *path) {
    lm_path_identity one, other;
    lmi_path_identify(c->source, &one);
    lmi_path_identify(path, &other);
    return strcmp(c->source, path) == 0 || lmi_path_is_same(&one, &other);
}

/* Opens another model with the same selection of frames. Pieces of one player have the same number
 * of frames. */
static bool open_other(conversion *c, conversion *other, uint32_t num_frames,
                       lm_composition **composition) {
    *composition = lmi_cv_open(other) ? lmi_cv_compose(other) : NULL;
    if (lmi_arena_failed(c->arena))
        return false;
    if (!*composition) {
        lm_cv_fail(c, "cannot read the " OPTION "shared-grid model %s", other->source);
        return false;
    }
    const uint32_t count = (*composition)->mesh->num_frames;
    return count == num_frames ||
           lm_cv_fail(c,
                      OPTION "shared-grid %s has %u frame%s, but this model has %u; the numbers "
                             "must be equal",
                      other->source, (unsigned)count, count == 1 ? "" : "s", (unsigned)num_frames);
}

bool lmi_cv_grid_open(conversion *c, uint32_t num_frames, convert_grid *grid) {
    const uint32_t most = c->options->num_shared_grids;
    *grid = (convert_grid){0};
    if (most == 0)
        return true;
    lm_convert_options *options = lmi_arena_zeros(c->arena, 1, sizeof *options);
    lm_convert_calls *calls = lmi_arena_zeros(c->arena, 1, sizeof *calls);
    grid->others = lmi_arena_zeros(c->arena, most, sizeof *grid->others);
    grid->compositions = lmi_arena_zeros(c->arena, most, sizeof(lm_composition *));
    grid->meshes = lmi_arena_zeros(c->arena, most, sizeof(lm_mesh *));
    if (!options || !calls || !grid->others || !grid->compositions || !grid->meshes)
        return false;
    *options = *c->options;
    options->path = NULL; /* so that no images are read */
    *calls = (lm_convert_calls){.user = c, .report = report_failure};
    for (uint32_t i = 0; i < most; i++) {
        const char *path = c->options->shared_grids[i];
        if (is_source(c, path))
            continue;
        const uint32_t at = grid->count++;
        grid->others[at] = (conversion){.vfs = c->vfs,
                                        .source = path,
                                        .subject = path,
                                        .options = options,
                                        .calls = calls,
                                        .arena = c->arena,
                                        .format = c->format,
                                        .extension = c->extension};
        if (!open_other(c, &grid->others[at], num_frames, &grid->compositions[at]))
            return false;
        grid->meshes[at] = grid->compositions[at]->mesh;
    }
    return true;
}

void lmi_cv_grid_close(convert_grid *grid) {
    for (uint32_t i = 0; i < grid->count; i++) {
        lm_composition_free(grid->compositions[i]);
        lmi_cv_close(&grid->others[i]);
    }
}

/* ---- The model ------------------------------------------------------------------------------- */

/* Reports that a variant which is not encoded becomes the usual one of the same format. */
static void report_variant(conversion *c) {
    const lm_format_info *info = c->format;
    const lm_model *model = c->scene.num_parts == 1 ? c->scene.parts[0].model : NULL;
    if (model && model->format && info->variant_ident && strcmp(model->format, info->name) == 0 &&
        model->version == info->variant_version)
        lm_cv_note(
            c,
            "%s becomes %s, in which each vertex has one texture coordinate: %u vertices become %u",
            info->variant_ident, info->ident,
            (unsigned)(model->num_surfaces > 0 ? model->surfaces[0].num_file_vertices : 0),
            (unsigned)(c->report ? c->report->num_vertices : 0));
}

static bool write_mesh(conversion *c, const lm_mesh *mesh) {
    lm_encode_options encode = c->encode;
    convert_grid grid;
    if (!mesh)
        return false;
    const bool ok = lmi_cv_grid_open(c, mesh->num_frames, &grid);
    encode.num_shared_grids = grid.count;
    encode.shared_grid = grid.meshes;
    const bool written = ok && lmi_cv_encode(c, &encode, mesh, c->stem, &c->out, &c->report);
    lmi_cv_grid_close(&grid);
    if (written)
        report_variant(c);
    return written;
}

static void report_notes(conversion *c, const lm_composition *composition, uint32_t first) {
    for (uint32_t i = first; i < composition->num_notes; i++)
        lmi_cv_tell(c, &composition->notes[i]);
}

static lm_composition *compose(conversion *c, const lm_skeleton *const *skeletons) {
    const lm_convert_options *o = c->options;
    const convert_imported *m = &c->imported;
    const bool several = c->scene.num_parts > 1;
    /* Models of a player share the frames of a clips file, also one in which nothing moves. */
    const bool keeps_frames = o->num_shared_grids > 0 || (c->encode.sidecar_clips && !m->mesh);
    const lm_scene_part *part = &c->parts[0];
    const bool drops = c->iqm && o->num_frames == 0; /* the encoder leaves out frames itself */
    lm_error error;
    const lm_compose_options options = {.still = c->plan.still,
                                        .frame = c->plan.frame,
                                        .first_frame = drops ? 0 : c->plan.first_frame,
                                        .num_frames = drops ? 0 : c->plan.num_frames,
                                        .clips = o->num_clips > 0 && o->num_frames == 0 && !drops,
                                        /* An import already has this scale. */
                                        .fps = m->sampled ? 0 : o->fps,
                                        .scale = m->import || o->vat ? 0 : o->scale,
                                        .player = o->player,
                                        .pcx = c->palette != NULL,
                                        .skeletons = skeletons,
                                        .name = o->player ? c->stem : NULL, /* for the .skin file */
                                        .num_textures = c->scene.num_textures,
                                        .textures = c->scene.textures,
                                        .num_skins = part->num_skins,
                                        .skins = part->skins,
                                        .all_frames = keeps_frames,
                                        .other_skins = o->open.num_skins > 0,
                                        .skinned = c->iqm,
                                        .embedded = m->import || c->scene.num_textures > 0,
                                        .from_game = is_from_game(c)};
    lm_mesh mesh = {0};
    if (m->mesh) {
        mesh = *m->mesh;
        mesh.clips = part->clips;
        mesh.num_clips = part->num_clips;
    }
    lm_composition *composition = m->mesh ? lm_compose_mesh(&mesh, &options, &error)
                                          : lm_compose_scene(&c->scene, &options, &error);
    if (composition)
        report_notes(c, composition, 0);
    else if (several && error.code == LM_CODE_LIMIT)
        lm_cv_fail(c, "%s; select some with " OPTION "clip", error.message);
    else if (o->player && strcmp(error.section, LM_SECTION_TAG) == 0 && m->mesh)
        lm_cv_fail(c, "%s (or make %s the tag: " OPTION "tag NAME=%s)", error.message,
                   o->player == LM_PLAYER_WEAPON ? "an object" : "a bone",
                   o->player == LM_PLAYER_WEAPON ? "OBJECT" : "BONE");
    else
        lmi_cv_fail_error(c, &error);
    return composition;
}

/* Fails if a weapon is wanted of a source that none can be made of, or that has its own rates. */
static bool can_be_weapon(conversion *c) {
    if (c->options->player == LM_PLAYER_WEAPON && !c->imported.mesh)
        return lm_cv_fail(c, OPTION
                          "weapon makes a weapon of a scene, such as a glTF, not of a game's "
                          "models: convert them to weapon.glb, then that with " OPTION "weapon");
    if (c->options->player == LM_PLAYER_WEAPON && is_from_game(c) && c->options->fps > 0)
        return lm_cv_fail(c, OPTION
                          "fps does not apply to a weapon of the game, whose rows have their own "
                          "rates: change them in weapon.cfg");
    return true;
}

lm_composition *lmi_cv_compose(conversion *c) {
    const lm_skeleton *const *skeletons = NULL;
    const bool imported = c->imported.mesh != NULL, wanted = c->options->skeleton && !c->iqm;
    /* Fewer triangles have other vertices than a skeleton. */
    const bool searched = c->iqm ? c->options->decimate == 0 : wanted && !imported;
    if (wanted && imported)
        lm_cv_warn(c, OPTION "skeleton does not apply to imported models, which keep their own");
    const bool ready = can_be_weapon(c) && (!searched || lmi_cv_find_skeletons(c, &skeletons)) &&
                       lmi_cv_step(c, LM_CV_COMPOSE, "composing");
    return ready ? compose(c, skeletons) : NULL;
}

/* Adds the images of the mesh's surfaces, as the format needs them. */
static bool compose_images(conversion *c, lm_composition *composition) {
    const uint32_t reported = composition->num_notes;
    lm_error error;
    const char *path = c->options->path, *folder = c->options->skin_path;
    if (c->options->player == LM_PLAYER_QUAKE3) {
        path = lmi_arena_printf(c->arena, "%s.md3", c->options->player_name);
        folder = c->made.player_folder =
            lmi_arena_printf(c->arena, "models/players/%s", c->options->player_name);
        if (!path || !folder)
            return false;
    }
    if (c->options->player == LM_PLAYER_WEAPON) {
        const char *own = c->made.player_folder = lmi_weapon_folder(c);
        path = lmi_arena_printf(c->arena, "%s/%s.cfg", own ? own : "", c->options->player_name);
        if (!own || !path)
            return false;
    }
    const bool done = lm_compose_images(composition, c->format, path, folder, &error);
    report_notes(c, composition, reported);
    return done || lm_cv_fail(c, "%s", error.message);
}

/* Returns the palette of the game at a path; NULL: there is none. */
static const lm_palette *palette_of(conversion *c, const char *path) {
    lm_error error = {0};
    const lm_game *game = path ? lmi_game_open(c->vfs, path, &error) : NULL;
    lmi_ran_out(c->arena, &error);
    return game ? lmi_game_palette(c->vfs, game, c->arena) : NULL;
}

/* Finds the palette of the images to write. Quake II reads only PCX, in the palette of the game to
 * which the output or the source belongs. */
static bool find_palette(conversion *c) {
    const lm_convert_options *o = c->options;
    const char *unused;
    c->palette = o->palette;
    if (o->encode.engine != LM_ENGINE_QUAKE2 || !o->path || !lmi_cv_has_one_skin(c->format))
        return true;
    for (uint32_t i = 0; i < o->open.num_games && !c->palette; i++)
        c->palette = palette_of(c, o->open.games[i]);
    for (int i = 0; i < 2 && !c->palette; i++)
        c->palette =
            palette_of(c, lmi_game_of(c->vfs, i == 0 ? o->path : c->source, &unused, c->arena));
    return !lmi_arena_failed(c->arena);
}

bool lmi_cv_make_model(conversion *c) {
    lm_composition *made = find_palette(c) ? lmi_cv_compose(c) : NULL;
    c->skeleton = made ? made->skeleton : NULL;
    const bool ok = made && compose_images(c, made) && add_images(c, made) &&
                    (c->options->player == LM_PLAYER_WEAPON ? lmi_cv_weapon_models(c, made)
                     : made->num_models > 0                 ? lmi_cv_player_models(c, made)
                                            : write_mesh(c, lmi_cv_player_skin(c, made)) &&
                                                  lmi_cv_player_make(c, made));
    if (ok && c->options->skin_path && made->num_images == 0)
        lm_cv_warn(c, OPTION "skin-path has no effect, because the model gets no image files; "
                             "lerpmesh edit --path changes its skin paths");
    if (ok && c->options->palette && made->num_images == 0)
        lm_cv_warn(c, OPTION "palette has no effect, because the model gets no image files");
    lm_composition_free(made);
    return ok;
}
