/* Imports other programs' models with lerpmesh-import, if the build has it. */
#include "convert_internal.h"
#include "files/os.h"
#include "image/decoded_image.h"
#include "isolate.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

static bool has_extension(const char *path, const char *extension) {
    return lmi_ends_in(path, extension) && strlen(path) > strlen(extension);
}

bool lmi_convert_imports(const char *path) {
    static const char *const known[] = {
        ".3ds", ".3mf", ".ac",   ".ase", ".b3d", ".blend", ".bvh", ".cob", ".dae",     ".dxf",
        ".fbx", ".glb", ".gltf", ".iqm", ".irr", ".lwo",   ".lws", ".lxo", ".md5mesh", ".ms3d",
        ".obj", ".off", ".ply",  ".pmx", ".smd", ".stl",   ".x",   ".x3d"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_extension(path, known[i]))
            return true;
    return false;
}

#if defined LM_CONVERT_HAVE_IMPORT && LM_ISOLATES
static void load_packer(void *user) {
    (void)user;
    (void)lm_meshopt_packer();
}

/* glibc's loader ends a process that has no memory for a library, so another process tries to load
 * it first. */
static bool can_load_packer(void) {
    lm_shared *shared = lmi_shared_new(1, NULL);
    const lm_isolation trial = {
        .shared = shared, .max_bytes = (size_t)1 << 28, .max_seconds = 60, .work = load_packer};
    int number;
    const bool loaded = shared && lmi_isolate(&trial, &number) == LM_RETURNED;
    lmi_shared_free(shared);
    return loaded;
}
#else
static bool can_load_packer(void) {
    return true;
}
#endif

const lm_gltf_packer *lmi_convert_packer(void) {
#ifdef LM_CONVERT_HAVE_IMPORT
    return can_load_packer() ? lm_meshopt_packer() : NULL;
#else
    return NULL;
#endif
}

/* Returns the number of images that replace those of all surfaces. */
static uint32_t count_given(const lm_settings *s) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < s->num_skins; i++)
        given += s->skins[i].kind == LM_SKIN_IMAGE;
    return given;
}

#ifdef LM_CONVERT_HAVE_IMPORT

/* Returns what reads a file without Assimp. Asks about the contents and about the name of an IQM:
 * the question about another name would load Assimp. */
static lm_importer own_importer(const conversion *c, const lm_buffer *file) {
    const bool named = has_extension(c->subject, ".glb") || has_extension(c->subject, ".gltf");
    const char *iqm = has_extension(c->subject, ".iqm") ? c->subject : NULL;
    const lm_importer found = lm_importer_find(file->data, file->size, iqm);
    return found == LM_IMPORTER_UNKNOWN && named ? LM_IMPORTER_GLTF : found;
}

/* Returns whether a file has the extension of a game's format, for which Assimp is not used. */
static bool is_models(const conversion *c) {
    const char *extension = lmi_vfs_extension(c->vfs, c->subject);
    for (uint32_t i = 0; *extension && lm_format_at(i); i++)
        if (lmi_compare_letters(extension + 1, lm_format_at(i)->extension) == 0)
            return true;
    return false;
}

bool lmi_cv_is_import(conversion *c, const lm_buffer *file) {
    return !lm_format_of(file->data, file->size) &&
           (own_importer(c, file) != LM_IMPORTER_UNKNOWN || lmi_convert_imports(c->subject) ||
            (!is_models(c) && lmi_cv_assimp_reads(c)));
}

/* Reads a file below a folder of the disk, also if its spelling differs in case. Follows no link
 * out of the folder. `actual` gets the spelling. */
static bool read_from_disk(lm_vfs *vfs, const char *folder, const char *name, size_t max_size,
                           lm_buffer *out, char actual[LM_PATH_SIZE], lm_error *error) {
    char clean[LM_PATH_SIZE];
    const lm_files *files = lm_vfs_folder(vfs, *folder ? folder : ".", error);
    const lm_find found = files && lmi_path_clean(name, clean)
                              ? files->find(files->user, clean, actual)
                              : LM_FIND_NOTHING;
    if (!files)
        return false;
    if (found == LM_FIND_FILE)
        return lmi_view_read(files, actual, max_size, out, error);
    if (found == LM_FIND_OUT_OF_MEMORY)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    return lm_fail_plain(error, found == LM_FIND_OUTSIDE ? LM_CODE_UNSAFE_PATH : LM_CODE_IO,
                         found == LM_FIND_OUTSIDE
                             ? "cannot open %.200s: it is a link out of the folder"
                             : "cannot open %.200s: there is no such file",
                         name);
}

/* Returns the source's folder below a game's, "" for the game's own; NULL: it lies elsewhere. */
static const char *folder_below(conversion *c, const char *folder, const char *game) {
    char *real = lmi_os_real_path(*folder ? folder : "."), *root = lmi_os_real_path(game);
    const size_t length = root ? strlen(root) : 0;
    const char *below = NULL;
    if (real && root && strncmp(real, root, length) == 0 && strchr("/", real[length]))
        below = lmi_copy_text(c->arena, real + length + (real[length] != '\0'));
    free(real);
    free(root);
    return below;
}

/* Reads a file below the folder or an archive of a game. `path` gets its path, as for
 * lm_vfs_read. */
static bool read_from_game(conversion *c, const struct lm_game_path *game, const char *name,
                           size_t max_size, lm_buffer *out, const char **path, lm_error *error) {
    char actual[LM_PATH_SIZE];
    if (game->archive > 0) {
        *path = lmi_arena_printf(c->arena, "%s:%s", game->path, name);
        return *path && lm_vfs_read(c->vfs, *path, max_size, out, error);
    }
    if (!read_from_disk(c->vfs, game->path, name, max_size, out, actual, error))
        return false;
    *path = lmi_arena_printf(c->arena, "%s/%s", game->path, actual);
    return *path != NULL;
}

/* Searches the games for a file: from the source's folder, if that is below the game's, else from
 * the game's root, without the "../" in front. Nothing outside the games is read. */
static bool read_from_games(conversion *c, const char *folder, const char *uri, size_t max_size,
                            lm_buffer *out, const char **path, lm_error *error) {
    const lm_settings *s = c->imported.settings;
    const char *rest = uri;
    while (strncmp(rest, "../", 3) == 0 || strncmp(rest, "./", 2) == 0)
        rest += rest[1] == '.' ? 3 : 2;
    for (uint32_t g = 0; s && g < s->num_games; g++) {
        char clean[2][LM_PATH_SIZE] = {"", ""};
        const char *below = folder_below(c, folder, s->games[g]->path);
        const char *full = below ? lmi_arena_printf(c->arena, "%s/%s", below, uri) : NULL;
        if (full)
            lmi_path_clean(full + (*below == '\0'), clean[0]);
        lmi_path_clean(rest, clean[1]);
        for (size_t k = 0; k < 2 * s->games[g]->num_paths; k++)
            if (*clean[k % 2] && read_from_game(c, &s->games[g]->paths[k / 2], clean[k % 2],
                                                max_size, out, path, error))
                return true;
    }
    return false;
}

/* Reads a file that the source refers to by URI, never from outside its folder and the games.
 * Neither a file that is too large nor one that is no regular file is read. */
static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    conversion *c = user;
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, c->subject) - c->subject);
    const char *folder = lmi_arena_text(c->arena, c->subject, length), *path = NULL;
    const size_t limits[2] = {c->options->open.max_input, out->max_size};
    const size_t limit =
        limits[0] == 0 || (limits[1] > 0 && limits[1] < limits[0]) ? limits[1] : limits[0];
    char actual[LM_PATH_SIZE] = "";
    lm_path_identity about = {0};
    lm_error found = {.code = LM_CODE_OK};
    bool read = false;
    if (uri[0] == '/' || strchr(uri, ':') || strchr(uri, '\\') || strstr(uri, "..")) {
        lm_fail_plain(error, LM_CODE_UNSAFE_PATH,
                      "the file %.200s does not lie below the folder of the source", uri);
    } else if (folder) {
        const bool on_disk = lmi_vfs_archive_length(c->vfs, c->subject) == 0;
        read = !on_disk || read_from_disk(c->vfs, folder, uri, limit, out, actual, error);
        path = lmi_arena_printf(c->arena, "%s%s", folder, on_disk ? actual : uri);
        read = read && path && (on_disk || lm_vfs_read(c->vfs, path, limit, out, error));
    }
    if (!read && folder && error->code != LM_CODE_OUT_OF_MEMORY && error->code != LM_CODE_LIMIT)
        read = read_from_games(c, folder, uri, limit, out, &path, &found);
    if (!folder || lmi_arena_failed(c->arena))
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (!read && found.code != LM_CODE_OK && found.code != LM_CODE_IO)
        *error = found; /* which precedes that there is no such file */
    else if (!read && error->code == LM_CODE_UNSAFE_PATH && c->imported.settings &&
             c->imported.settings->num_games > 0)
        lm_fail_plain(error, LM_CODE_IO,
                      "the file %.200s is neither below the folder of the source nor in the "
                      "folders of the game",
                      uri);
    if (read) {
        lmi_path_identify(path, &about);
        lm_buffer_append(&c->inputs, &about, sizeof about);
        read = !c->inputs.failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    }
    /* Assimp goes on without the file. */
    (void)lmi_arena_out_of_memory(c->arena, !read && error->code == LM_CODE_OUT_OF_MEMORY);
    return read;
}

/* Reads the skins and the games of the options, or the game that the source's path implies. */
static bool read_options(conversion *c) {
    lm_assets_options open = c->options->open;
    const char *current;
    lm_error error;
    if (c->imported.settings)
        return true;
    lm_settings *s = lmi_arena_zeros(c->arena, 1, sizeof *s);
    if (!s)
        return lm_cv_fail_memory(c);
    open.clips = open.palette = NULL;
    if (!lmi_settings_read(c->vfs, &open, c->arena, s, &error))
        return lmi_cv_fail_error(c, &error);
    s->options = &c->options->open;
    for (uint32_t i = 0; i < s->num_skins && !c->imported.named; i++)
        if (s->skins[i].kind == LM_SKIN_FILE || s->skins[i].kind == LM_SKIN_NAME)
            return lm_cv_fail(c,
                              OPTION "skin takes an image, SURFACE=IMAGE or none for imported "
                                     "files, not \"%s\"",
                              s->skins[i].text);
    const char *derived =
        s->num_games == 0 ? lmi_game_of(c->vfs, c->source, &current, c->arena) : NULL;
    const lm_game *game = derived ? lmi_game_open(c->vfs, derived, &error) : NULL;
    if (game)
        s->games[s->num_games++] = game;
    c->imported.settings = s;
    return !lmi_arena_failed(c->arena) || lm_cv_fail_memory(c);
}

/* Returns whether a surface has an image that could not be read. */
static bool lacks_image(const lm_import *import) {
    const size_t count = (size_t)import->num_variants * import->mesh->num_surfaces;
    for (size_t i = 0; import->num_images > 0 && i < count; i++)
        if (import->surface_images[i] != LM_IMPORT_NO_IMAGE &&
            !import->images[import->surface_images[i]].data)
            return true;
    return false;
}

static lm_import_options options_of(conversion *c, const lm_buffer *file) {
    const lm_convert_options *o = c->options;
    /* With a file of clips, all frames are kept, so that their numbers are known. */
    const char *clips = o->open.clips;
    const lm_importer own = own_importer(c, file);
    return (lm_import_options){
        .name = lmi_vfs_base_name(c->vfs, c->subject),
        .importer = own != LM_IMPORTER_UNKNOWN ? own : LM_IMPORTER_ASSIMP,
        .memory.max_bytes = o->import_memory,
        .scale = LM_IMPORT_SCALE * (c->format && o->scale > 0 ? o->scale : 1),
        .num_tags = o->num_tags,
        .tags = o->tags,
        .read = c->given && !c->given->path ? NULL : read_sidecar,
        .user = c,
        .num_loops = o->num_loops,
        .num_onces = o->num_onces,
        .loops = o->loops,
        .onces = o->onces,
        .compute_normals = o->open.load.normals == LM_NORMALS_COMPUTED,
        .skeleton = c->iqm || !c->format,
        .all_frames = clips && strcmp(clips, "none") != 0,
        .weapon = o->player == LM_PLAYER_WEAPON,
    };
}

lm_import *lmi_cv_import_keys(conversion *c) {
    const lm_import *import = c->imported.import;
    const bool own = import && import->own_export && c->options->num_clips == 0;
    lm_import_options options = options_of(c, &c->file);
    options.keys = true;
    return own && !options.all_frames ? lm_import_read(c->file.data, c->file.size, &options, NULL)
                                      : NULL;
}

lm_import *lmi_cv_read_import(conversion *c, const lm_buffer *file, bool images) {
    const lm_convert_options *o = c->options;
    const float speed = o->speed > 0 ? o->speed : 1;
    lm_import_options options = options_of(c, file);
    lm_error error;
    if (o->vat) {
        lm_cv_fail(c, OPTION "vat does not apply to imported files: convert this one to .md3, then "
                             "that with " OPTION "vat");
        return NULL;
    }
    c->imported.named = options.importer == LM_IMPORTER_IQM && lmi_cv_images(c) != LM_IMAGES_NONE;
    if (!lmi_cv_check_open(c) || !read_options(c))
        return NULL;
    options.images =
        images && !c->imported.settings->no_textures && count_given(c->imported.settings) == 0;
    /* Frames that are known are resampled when the mesh is composed: those of a file of clips, and
     * of lerpmesh's own exports, whose clips have loops. Other animations are sampled here. */
    const float rate = options.all_frames ? 0 : o->fps / speed;
    lm_import *import = NULL;
    c->imported.sampled = rate > 0;
    if (options.importer == LM_IMPORTER_ASSIMP) {
        options.fps = rate;
        import = lmi_cv_read_assimp(c, file, &options);
    } else {
        import = lm_import_read(file->data, file->size, &options, &error);
        c->imported.sampled = import && !import->own_export && rate > 0;
        if (c->imported.sampled) {
            lm_import_free(import);
            options.fps = rate;
            import = lm_import_read(file->data, file->size, &options, &error);
        }
        if (!import)
            lmi_cv_fail_error(c, &error);
    }
    for (uint32_t i = 0; import && i < import->num_diagnostics; i++)
        lmi_cv_problem(c, LM_CONVERT_KIND_PROBLEM, "warning", &import->diagnostics[i]);
    if (import && lacks_image(import) && o->open.num_games > 0)
        lm_cv_note(c, "name the image with " OPTION "skin");
    else if (import && lacks_image(import))
        lm_cv_note(c, "name the image with " OPTION
                      "skin, or a folder above it and the model with " OPTION "game");
    return import;
}

#else

bool lmi_cv_is_import(conversion *c, const lm_buffer *file) {
    return lmi_convert_imports(c->subject) && !lm_format_of(file->data, file->size);
}

lm_import *lmi_cv_read_import(conversion *c, const lm_buffer *file, bool images) {
    (void)file, (void)images;
    lm_cv_fail(c, "this build cannot import glTF or other programs' files: it was built without "
                  "jsmn");
    return NULL;
}

lm_import *lmi_cv_import_keys(conversion *c) {
    (void)c;
    return NULL;
}

#endif

/* ---- Images --------------------------------------------------------------------------------- */

/* Makes an image for the mesh. Exporters get a file: of an image that is neither PNG nor JPEG, a
 * PNG. */
static bool make_texture(conversion *c, const lm_import_image *image, const lm_image *decoded,
                         lm_scene_texture *out) {
    const bool jpeg = strcmp(decoded->format, "jpeg") == 0;
    const bool portable = image->data && (jpeg || strcmp(decoded->format, "png") == 0);
    const bool masked = image->transparent && !decoded->opaque;
    lm_buffer png = {0};
    lm_error error;
    *out = (lm_scene_texture){.name = image->name,
                              .width = decoded->width,
                              .height = decoded->height,
                              .pixels = decoded->pixels,
                              .alpha = masked ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE};
    if (portable) {
        out->data = image->data;
        out->size = image->size;
    } else if (!c->format && lm_pixels_write(decoded->pixels, decoded->width, decoded->height,
                                             LM_PIXELS_PNG, NULL, &png, &error)) {
        out->data = lmi_arena_bytes(c->arena, png.data, png.size, 1);
        out->size = png.size;
    }
    out->mime = !out->data ? NULL : portable && jpeg ? "image/jpeg" : "image/png";
    lm_buffer_free(&png);
    return c->format || out->data;
}

/* Fills the skins, with the materials of all surfaces, [num_surfaces] each: a variant of the
 * file, or an image of the options. Images of single surfaces precede both. `places`: the textures
 * of the images. */
static void set_skins(const conversion *c, const uint32_t *places, uint32_t num_skins,
                      uint32_t num_variants) {
    const convert_imported *m = &c->imported;
    const lm_import *import = m->import;
    const lm_settings *s = m->settings;
    const uint32_t surfaces = m->mesh->num_surfaces;
    uint32_t *images = m->surface_images;
    for (uint32_t k = 0; k < num_skins; k++)
        for (uint32_t i = 0; i < surfaces; i++)
            images[k * surfaces + i] =
                k < num_variants ? import->surface_images[k * surfaces + i] : LM_IMPORT_NO_IMAGE;
    for (uint32_t i = 0, given = 0; i < s->num_skins; i++) {
        const bool whole = s->skins[i].kind == LM_SKIN_IMAGE;
        for (uint32_t k = whole ? given : 0; k < (whole ? given + 1 : num_skins); k++)
            for (uint32_t n = 0; n < surfaces; n++)
                if (whole || lmi_same_text(m->mesh->surfaces[n].name, s->skins[i].surface))
                    images[k * surfaces + n] = import->num_images + i;
        given += whole;
    }
    for (size_t i = 0; i < (size_t)num_skins * surfaces; i++) {
        const lm_mesh_surface *own = &m->mesh->surfaces[i % surfaces];
        const uint32_t texture =
            images[i] == LM_IMPORT_NO_IMAGE ? LM_NO_TEXTURE : places[images[i]];
        m->materials[i] = (lm_scene_material){
            .name = own->num_materials > 0     ? own->materials[0].name
                    : texture != LM_NO_TEXTURE ? m->textures[texture].name
                                               : "",
            .texture = texture,
            .alpha = texture == LM_NO_TEXTURE ? LM_ALPHA_OPAQUE : m->textures[texture].alpha};
        m->skins[i / surfaces] =
            (lm_material_set){.name = "", .materials = m->materials + i / surfaces * surfaces};
    }
}

/* Images of the source's own bytes count those once: many may be the same ones. All images of an
 * import stay within the memory of an import. */
static void count_bytes(const conversion *c, const lm_import_image *image, lm_image_total *total) {
    const uint8_t *at = image->data;
    const uint64_t most = lmi_cv_import_memory(c);
    const uint64_t pixels = most / 4 > LM_MAX_IMAGE_PIXELS ? most / 4 - LM_MAX_IMAGE_PIXELS : 0;
    if (total->bytes == 0)
        total->bytes = c->file.size;
    if (at < c->file.data || at >= c->file.data + c->file.size)
        total->bytes += image->size;
    if (total->bytes > pixels / LM_IMAGE_PIXELS_PER_BYTE)
        total->bytes = pixels / LM_IMAGE_PIXELS_PER_BYTE;
}

static bool read_image(conversion *c, const lm_import_image *from, lm_image_total *total,
                       lm_image **image) {
    lm_image_options options = {.max_pixels = 0};
    lm_error error = {.code = LM_CODE_OK};
    if (!from->data)
        return true;
    count_bytes(c, from, total);
    *image = lmi_image_read_within(total, from->data, from->size, &options, &error);
    if (!*image)
        lm_cv_warn(c, "cannot read its image \"%.100s\": %s", from->name, error.message);
    return error.code != LM_CODE_OUT_OF_MEMORY;
}

/* Reads the image of an option. */
static bool read_given(conversion *c, const lm_skin_option *skin, lm_import_image *bytes,
                       lm_image **image) {
    const convert_imported *m = &c->imported;
    const uint32_t surfaces = m->mesh->num_surfaces;
    lm_buffer file = {0};
    lm_error error;
    lm_path_identity about;
    uint32_t same = 0;
    while (skin->surface && same < surfaces &&
           !lmi_same_text(m->mesh->surfaces[same].name, skin->surface))
        same++;
    if (skin->surface && same == surfaces)
        return lm_cv_fail_code(c, LM_CODE_NO_SUCH_SURFACE, "skin %s=%s: no surface has this name",
                               skin->surface, skin->text);
    if (lm_vfs_read(c->vfs, skin->text, c->options->open.max_input, &file, &error))
        *image = lm_image_read(file.data, file.size, NULL, &error);
    bytes->data = c->format ? NULL : lmi_arena_bytes(c->arena, file.data, file.size, 1);
    bytes->size = bytes->data ? file.size : 0;
    lm_buffer_free(&file);
    if (!*image)
        return lm_cv_fail_code(c, error.code, OPTION "skin %s: %s", skin->text, error.message);
    lmi_path_identify(skin->text, &about);
    lm_buffer_append(&c->inputs, &about, sizeof about);
    return !c->inputs.failed || lm_cv_fail_memory(c);
}

static bool read_images(conversion *c) {
    convert_imported *m = &c->imported;
    const lm_import *import = m->import;
    const lm_settings *s = m->settings;
    const uint32_t surfaces = m->mesh->num_surfaces, count = import->num_images + s->num_skins;
    const uint32_t variants = import->num_images > 0 ? import->num_variants : 0;
    const uint32_t given = count_given(s);
    const uint32_t skins = given > 0 ? given : variants > 0 ? variants : 1;
    uint32_t *places = lmi_arena_alloc(c->arena, count, sizeof *places), num_textures = 0;
    m->textures = lmi_arena_zeros(c->arena, count, sizeof *m->textures);
    m->images = lmi_arena_zeros(c->arena, count, sizeof(lm_image *));
    m->skins = lmi_arena_zeros(c->arena, skins, sizeof *m->skins);
    m->materials = lmi_arena_zeros(c->arena, (uint64_t)skins * surfaces + 1, sizeof *m->materials);
    m->surface_images =
        lmi_arena_zeros(c->arena, (uint64_t)skins * surfaces + 1, sizeof *m->surface_images);
    if (lmi_arena_failed(c->arena))
        return lm_cv_fail_memory(c);
    m->num_images = count;
    lm_image_total total = {0};
    for (uint32_t i = 0; i < count; i++) {
        const bool own = i < import->num_images;
        const lm_skin_option *skin = own ? NULL : &s->skins[i - import->num_images];
        lm_import_image image = {.transparent = true};
        if (own)
            image = import->images[i];
        else
            image.name = lmi_vfs_base_name(c->vfs, skin->text);
        if (own && !read_image(c, &image, &total, &m->images[i]))
            return lm_cv_fail_memory(c);
        if (!own && !read_given(c, skin, &image, &m->images[i]))
            return false;
        places[i] = m->images[i] ? num_textures : LM_NO_TEXTURE;
        if (m->images[i] && !make_texture(c, &image, m->images[i], &m->textures[num_textures++]))
            return lm_cv_fail_memory(c);
    }
    c->scene.num_textures = num_textures;
    c->scene.textures = m->textures;
    set_skins(c, places, skins, variants);
    c->parts[0].num_skins = surfaces > 0 ? skins : 0;
    c->parts[0].skins = m->skins;
    return true;
}

/* ---- Importing ------------------------------------------------------------------------------- */

/* Reads the option "clips": a file, or a word. `part` receives the clips. */
static bool read_clips(conversion *c, lm_scene_part *part) {
    convert_imported *m = &c->imported;
    const char *path = c->options->open.clips;
    lm_buffer file = {0};
    lm_error error;
    if (!path || strcmp(path, "none") == 0)
        return true;
    const bool table = strcmp(path, "quake2") == 0;
    const lm_clips_options options = {.file_name = path,
                                      .format = table ? LM_CLIPS_QUAKE2 : LM_CLIPS_AUTO};
    if (table || lm_vfs_read(c->vfs, path, c->options->open.max_input, &file, &error))
        m->clips = lm_clips_read(file.data, file.size, m->mesh->num_frames, &options, &error);
    lm_buffer_free(&file);
    if (!m->clips)
        return lmi_cv_fail_error(c, &error);
    part->num_clips = m->clips->num_clips;
    part->clips = m->clips->clips;
    return true;
}

/* Takes the caller's images and skins. They are checked like those of a model with the mesh's
 * surfaces. */
static bool take_images(conversion *c) {
    const lm_frame frame = {.name = ""};
    const uint32_t count = c->imported.mesh->num_surfaces;
    const lm_model model = {.num_frames = 1,
                            .frames = &frame,
                            .num_surfaces = count,
                            .surfaces =
                                lmi_arena_zeros(c->arena, count + (uint64_t)1, sizeof(lm_surface))};
    const lm_scene_part part = {
        .model = &model, .num_skins = c->given->num_skins, .skins = c->given->skins};
    const lm_scene scene = {.num_parts = 1,
                            .parts = &part,
                            .num_textures = c->given->num_textures,
                            .textures = c->given->textures};
    lm_error error;
    if (!model.surfaces)
        return false;
    if (!lm_scene_check(&scene, &error))
        return lmi_cv_fail_error(c, &error);
    const bool embeds = c->format && (c->format->features & LM_FEATURE_EMBEDDED_SKINS);
    if (c->given->num_textures > 0 && !c->options->path && !embeds)
        lm_cv_warn(c, "the images are dropped: an output without a path has no files next to it");
    c->scene.num_textures = c->given->num_textures;
    c->scene.textures = c->given->textures;
    c->parts[0].num_skins = c->given->num_skins;
    c->parts[0].skins = c->given->skins;
    return true;
}

/* Finds the images that the materials of an IQM name, as those of a model of a game. */
static bool find_images(conversion *c, const lm_model *host) {
    lm_assets_options options = c->options->open;
    options.images = lmi_cv_images(c);
    options.clips = "none";
    c->assets = lmi_assets_of_model(c->vfs, c->source, host, &options);
    if (!c->assets)
        return lm_cv_fail_memory(c);
    for (uint32_t i = 0; i < c->assets->num_diagnostics; i++) {
        const lm_diagnostic *d = &c->assets->diagnostics[i];
        if (lmi_convert_shows(c->options, d) || d->severity == LM_SEVERITY_NOTE)
            lmi_cv_problem(c, LM_CONVERT_KIND_PROBLEM, NULL, d);
    }
    if (!c->assets->scene)
        return lmi_cv_fail_error(c, lmi_assets_reason(c->assets));
    const lm_scene_part *part = &c->assets->scene->parts[0];
    c->scene.num_textures = c->assets->scene->num_textures;
    c->scene.textures = c->assets->scene->textures;
    c->parts[0].num_skins = part->num_skins;
    c->parts[0].skins = part->skins;
    c->parts[0].skin = part->skin;
    return true;
}

bool lmi_cv_import(conversion *c) {
    convert_imported *m = &c->imported;
    lm_error error;
    if (c->given && c->given->mesh) {
        m->mesh = c->given->mesh;
        if (!c->format)
            return lm_cv_fail(c, "a mesh becomes a model, not %s", c->extension);
        if (!lm_mesh_check(m->mesh, &error))
            return lmi_cv_fail_error(c, &error);
    } else if (lmi_cv_is_sequence(c)) {
        if (c->options->num_loops > 0 || c->options->num_onces > 0)
            return lm_cv_fail(c, OPTION "loop and " OPTION "once do not apply to numbered files");
        m->mesh = lmi_cv_sequence(c, &m->import);
    } else {
        m->import = lmi_cv_read_import(c, &c->file, c->options->path || (!c->format && !c->obj));
        m->mesh = m->import ? m->import->mesh : NULL;
    }
    if (!m->mesh)
        return false;
    static const lm_model empty = {0};
    const lm_model *host = c->format && !m->named ? &empty : lmi_cv_host(c, m->mesh);
    if (!host)
        return lm_cv_fail_memory(c);
    lm_scene_part part = {.model = c->format ? &empty : host,
                          .num_clips = m->mesh->num_clips,
                          .clips = m->mesh->clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    if (!read_clips(c, &part) || !lmi_cv_plan(c, &scene, m->mesh->num_frames))
        return false;
    c->plan.mesh = m->mesh;
    if (!m->import)
        return take_images(c);
    if (m->named)
        return find_images(c, host);
    return m->settings->no_textures || m->import->num_images + m->settings->num_skins == 0 ||
           read_images(c);
}

void lmi_cv_imported_free(convert_imported *m) {
    for (uint32_t i = 0; i < m->num_images; i++)
        lm_image_free(m->images[i]);
    lm_clips_free(m->clips);
    lm_import_free(m->import);
}
