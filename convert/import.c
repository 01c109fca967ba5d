/* Imports other programs' models with lerpmesh-import, if the build has it. */
#include "convert_internal.h"

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

const lm_gltf_packer *lmi_convert_packer(void) {
#ifdef LM_CONVERT_HAVE_IMPORT
    return lm_meshopt_packer();
#else
    return NULL;
#endif
}

#ifdef LM_CONVERT_HAVE_IMPORT

static bool is_gltf(const conversion *c, const lm_buffer *file) {
    return lm_importer_find(file->data, file->size, NULL) == LM_IMPORTER_GLTF ||
           has_extension(c->subject, ".glb") || has_extension(c->subject, ".gltf");
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
           (is_gltf(c, file) || lmi_convert_imports(c->subject) ||
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

/* Reads a file that the source refers to by URI, never from outside its folder. Neither a file that
 * is too large nor one that is no regular file is read. */
static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    conversion *c = user;
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, c->subject) - c->subject);
    const char *folder = lmi_arena_text(c->arena, c->subject, length);
    const size_t limits[2] = {c->options->open.max_input, out->max_size};
    const bool second = limits[0] == 0 || (limits[1] > 0 && limits[1] < limits[0]);
    char actual[LM_PATH_SIZE] = "";
    lm_path_identity about = {0};
    if (uri[0] == '/' || strchr(uri, ':') || strchr(uri, '\\') || strstr(uri, ".."))
        return lm_fail_plain(error, LM_CODE_UNSAFE_PATH,
                             "the buffer %.200s does not lie below the folder of the file", uri);
    const bool on_disk = lmi_vfs_archive_length(c->vfs, c->subject) == 0;
    if (on_disk && folder &&
        !read_from_disk(c->vfs, folder, uri, limits[second], out, actual, error))
        return false;
    const char *path =
        folder ? lmi_arena_printf(c->arena, "%s%s", folder, on_disk ? actual : uri) : NULL;
    if (!path)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (!on_disk && !lm_vfs_read(c->vfs, path, limits[second], out, error))
        return false;
    lmi_path_identify(path, &about);
    lm_buffer_append(&c->inputs, &about, sizeof about);
    return !c->inputs.failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

lm_import *lmi_cv_read_import(conversion *c, const lm_buffer *file, bool images) {
    const lm_convert_options *o = c->options;
    const float speed = o->speed > 0 ? o->speed : 1;
    /* With a file of clips, all frames are kept, so that their numbers are known. */
    const char *clips = o->open.clips;
    lm_import_options options = {
        .name = lmi_vfs_base_name(c->vfs, c->subject),
        .importer = is_gltf(c, file) ? LM_IMPORTER_GLTF : LM_IMPORTER_ASSIMP,
        .memory.max_bytes = o->import_memory,
        .scale = LM_IMPORT_SCALE * (o->scale > 0 ? o->scale : 1),
        .num_tags = o->num_tags,
        .tags = o->tags,
        .read = c->given && !c->given->path ? NULL : read_sidecar,
        .user = c,
        .images = images,
        .num_loops = o->num_loops,
        .num_onces = o->num_onces,
        .loops = o->loops,
        .onces = o->onces,
        .compute_normals = o->open.load.normals == LM_NORMALS_COMPUTED,
        .all_frames = clips && strcmp(clips, "none") != 0,
    };
    lm_error error;
    if (!c->format) {
        lm_cv_fail(c, "lerpmesh converts this file only to models of games: -o OUT.md3, not %s",
                   c->extension);
        return NULL;
    }
    if (!lmi_cv_check_open(c))
        return NULL;
    /* Frames that are known are resampled when the mesh is composed: those of a file of clips, and
     * of lerpmesh's own exports, whose clips have loops. Other animations are sampled here. */
    const float rate = options.all_frames ? 0 : o->fps / speed;
    lm_import *import = NULL;
    bool done = false;
    c->imported.sampled = rate > 0;
    if (options.importer == LM_IMPORTER_GLTF) {
        import = lm_import_read(file->data, file->size, &options, &error);
        done = !import || import->own_export || rate <= 0;
        c->imported.sampled = !done;
    }
    if (!done) {
        lm_import_free(import);
        options.fps = rate;
        import = options.importer == LM_IMPORTER_ASSIMP
                     ? lmi_cv_read_assimp(c, file, &options)
                     : lm_import_read(file->data, file->size, &options, &error);
    }
    if (!import && options.importer == LM_IMPORTER_GLTF)
        lmi_cv_fail_error(c, &error);
    for (uint32_t i = 0; import && i < import->num_diagnostics; i++)
        lmi_cv_problem(c, LM_CONVERT_KIND_PROBLEM, "warning", &import->diagnostics[i]);
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

#endif

/* ---- Images --------------------------------------------------------------------------------- */

/* Returns an image for the mesh; without pixels if `decoded` is NULL. */
static lm_scene_texture texture_of(const lm_import_image *image, const lm_image *decoded) {
    lm_scene_texture texture = {.name = image->name};
    if (decoded) {
        texture.width = decoded->width;
        texture.height = decoded->height;
        texture.pixels = decoded->pixels;
        texture.alpha = image->transparent && !decoded->opaque ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE;
    }
    return texture;
}

/* Fills a skin for each variant of the materials, [num_variants], with the materials of all
 * surfaces, [num_variants * num_surfaces]. Returns their number. */
static uint32_t set_skins(const lm_import *import, const lm_scene_texture *textures,
                          lm_scene_material *materials, lm_material_set *skins) {
    const uint32_t surfaces = import->mesh->num_surfaces;
    for (size_t i = 0; i < (size_t)import->num_variants * surfaces; i++) {
        const uint32_t image = import->surface_images[i];
        const bool has_pixels = image != LM_IMPORT_NO_IMAGE && textures[image].pixels;
        materials[i] =
            (lm_scene_material){.name = "",
                                .texture = has_pixels ? image : LM_NO_TEXTURE,
                                .alpha = has_pixels ? textures[image].alpha : LM_ALPHA_OPAQUE};
        skins[i / surfaces] =
            (lm_material_set){.name = "", .materials = materials + i / surfaces * surfaces};
    }
    return surfaces > 0 ? import->num_variants : 0;
}

static bool read_image(conversion *c, const lm_import_image *from, lm_image **image) {
    lm_error error = {.code = LM_CODE_OK};
    if (!from->data)
        return true;
    *image = lm_image_read(from->data, from->size, NULL, &error);
    if (!*image)
        lm_cv_warn(c, "cannot read its image \"%.100s\": %s", from->name, error.message);
    return error.code != LM_CODE_OUT_OF_MEMORY;
}

static bool read_images(conversion *c) {
    convert_imported *m = &c->imported;
    const lm_import *import = m->import;
    const size_t variants = import->num_variants, count = import->num_images;
    m->textures = lmi_arena_zeros(c->arena, count, sizeof *m->textures);
    m->images = lmi_arena_zeros(c->arena, count, sizeof(lm_image *));
    m->skins = lmi_arena_zeros(c->arena, variants + 1, sizeof *m->skins);
    m->materials =
        lmi_arena_zeros(c->arena, variants * m->mesh->num_surfaces + 1, sizeof *m->materials);
    bool read = m->textures && m->images && m->skins && m->materials;
    for (uint32_t i = 0; read && i < count; i++) {
        read = read_image(c, &import->images[i], &m->images[i]);
        m->textures[i] = texture_of(&import->images[i], m->images[i]);
    }
    if (!read)
        return lm_cv_fail_memory(c);
    c->scene.num_textures = import->num_images;
    c->scene.textures = m->textures;
    c->parts[0].num_skins = set_skins(import, m->textures, m->materials, m->skins);
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
        m->import = lmi_cv_read_import(c, &c->file, c->options->path != NULL);
        m->mesh = m->import ? m->import->mesh : NULL;
    }
    if (!m->mesh)
        return false;
    static const lm_model empty = {0};
    lm_scene_part part = {
        .model = &empty, .num_clips = m->mesh->num_clips, .clips = m->mesh->clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    if (!read_clips(c, &part) || !lmi_cv_plan(c, &scene, m->mesh->num_frames))
        return false;
    if (!m->import)
        return take_images(c);
    return m->import->num_images == 0 || read_images(c);
}

void lmi_cv_imported_free(convert_imported *m) {
    for (uint32_t i = 0; m->images && i < m->import->num_images; i++)
        lm_image_free(m->images[i]);
    lm_clips_free(m->clips);
    lm_import_free(m->import);
}
