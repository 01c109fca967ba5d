/* Imports other programs' models with lerpmesh-import, if the build has it. */
#include "convert.h"
#include "import_skins.h"
#include "inputs.h"

#include <string.h>

static bool has_extension(const tool_job *job, const char *extension) {
    return tool_same_text(lm_vfs_extension(job->vfs, job->path), extension);
}

#ifdef TOOL_HAVE_IMPORT

static bool is_gltf(const tool_job *job, const lm_file *file) {
    return lm_import_is_gltf(file->data, file->size) || has_extension(job, ".glb") ||
           has_extension(job, ".gltf");
}

/* Returns whether a file has the extension of a game's format, for which Assimp is not used. */
static bool is_models(const tool_job *job) {
    const char *extension = lm_vfs_extension(job->vfs, job->path);
    for (uint32_t i = 0; *extension && i < lm_format_count(); i++)
        if (tool_same_text(extension + 1, lm_format_at(i)->extension))
            return true;
    return false;
}

bool convert_is_import(tool_job *job, const lm_file *file) {
    return !lm_format_of(file->data, file->size) &&
           (is_gltf(job, file) || tool_inputs_import(job->args, job->path) ||
            (!is_models(job) && convert_assimp_reads(job)));
}

/* Reads a file below a folder of the disk, also if its spelling differs in case. Follows no link
 * out of the folder. `actual` gets the spelling. */
static bool read_from_disk(lm_vfs *vfs, const char *folder, const char *name, size_t max_size,
                           lm_buffer *out, char actual[LM_PATH_SIZE], lm_error *error) {
    char clean[LM_PATH_SIZE];
    const lm_files *files = lm_vfs_folder(vfs, *folder ? folder : ".", error);
    const lm_find found = files && lm_path_clean(name, clean)
                              ? files->find(files->user, clean, actual)
                              : LM_FIND_NOTHING;
    if (!files)
        return false;
    if (found == LM_FIND_FILE)
        return files->read(files->user, actual, max_size, out, error);
    if (found == LM_FIND_OUT_OF_MEMORY)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    return lm_fail_plain(error, found == LM_FIND_OUTSIDE ? LM_CODE_UNSAFE_PATH : LM_CODE_IO,
                         found == LM_FIND_OUTSIDE
                             ? "cannot open %.200s: it is a link out of the folder"
                             : "cannot open %.200s: there is no such file",
                         name);
}

/* Reads a file that the job's file refers to by URI, never from outside its folder. Neither a file
 * that is too large nor one that is no regular file is read. */
static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    tool_job *job = user;
    const size_t length = (size_t)(lm_vfs_base_name(job->vfs, job->path) - job->path);
    const char *folder = tool_copy(&job->memory, job->path, length);
    const size_t limits[2] = {job->max_input, out->max_size};
    const bool second = limits[0] == 0 || (limits[1] > 0 && limits[1] < limits[0]);
    char actual[LM_PATH_SIZE] = "";
    lm_path_identity about = {0};
    if (uri[0] == '/' || strchr(uri, ':') || strchr(uri, '\\') || strstr(uri, ".."))
        return lm_fail_plain(error, LM_CODE_UNSAFE_PATH,
                             "the buffer %.200s does not lie below the folder of the file", uri);
    const bool on_disk = lm_vfs_archive_length(job->vfs, job->path) == 0;
    if (on_disk && folder &&
        !read_from_disk(job->vfs, folder, uri, limits[second], out, actual, error))
        return false;
    const char *path =
        folder ? tool_format(&job->memory, "%s%s", folder, on_disk ? actual : uri) : NULL;
    if (!path)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (!on_disk) {
        lm_file file;
        if (!lm_vfs_read(job->vfs, path, limits[second], &file, error))
            return false;
        lm_buffer_append(out, file.data, file.size);
        lm_file_free(&file);
    }
    lm_path_identify(path, &about);
    lm_buffer_append(&job->sidecar_inputs, &about, sizeof about);
    return !job->sidecar_inputs.failed ||
           lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

/* Rejects options that only apply to other input formats. */
static bool check_options(tool_job *job, const convert_settings *settings) {
    static const tool_option others[] = {
        TOOL_TOPOLOGY, TOOL_QUIRK, TOOL_REPAIR, TOOL_STRICT,  TOOL_ATTACH,
        TOOL_WITH,     TOOL_GAME,  TOOL_SKIN,   TOOL_PALETTE, TOOL_TRANSPARENT_255};
    if (settings->format != CONVERT_MODEL)
        return tool_fail(job,
                         "lerpmesh converts this file only to models of games: -o OUT.md3, not %s",
                         settings->extension);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(settings->args, others[i]) &&
            !(others[i] == TOOL_PALETTE && settings->palette))
            return tool_fail(job, "--%s does not apply to imported files",
                             tool_option_about(others[i])->name);
    return true;
}

/* Reads the options about clips. With a file of clips, all frames are kept, so that their numbers
 * are known. */
static bool read_clip_options(tool_job *job, lm_import_options *options) {
    const char **loops = tool_values(job->args, TOOL_LOOP, &options->num_loops);
    const char **onces = tool_values(job->args, TOOL_ONCE, &options->num_onces);
    unsigned normals = 0;
    options->loops = loops;
    options->onces = onces;
    const char *clips = tool_value(job->args, TOOL_CLIPS);
    options->all_frames = clips && strcmp(clips, "none") != 0;
    if (!loops || !onces || !tool_known_word(job->args, TOOL_NORMALS, &normals))
        return false;
    options->compute_normals = normals == LM_NORMALS_COMPUTED;
    return true;
}

/* Reads the --tag options. */
static bool read_tags(tool_job *job, lm_import_options *options) {
    const char *value;
    lm_import_tag *tags = tool_alloc(&job->memory, job->args->num_given + 1, sizeof *tags);
    options->tags = tags;
    for (size_t at = 0; tags && (value = tool_next_value(job->args, TOOL_TAG, &at));) {
        char *name = tool_copy(&job->memory, value, strlen(value));
        char *equals = name ? strchr(name, '=') : NULL;
        if (!name)
            return false;
        if (!equals || equals == name || equals[1] == '\0')
            return tool_fail(job, "--tag takes NAME=NODE, such as tag_weapon=Hand.R, not \"%s\"",
                             value);
        *equals = '\0';
        tags[options->num_tags++] = (lm_import_tag){name, equals + 1};
    }
    return tags != NULL;
}

static lm_import *read_gltf(tool_job *job, const lm_file *file, const lm_import_options *options) {
    lm_error error;
    lm_import *import = lm_import_gltf(file->data, file->size, options, &error);
    if (!import)
        tool_fail_error(job, &error);
    return import;
}

lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool images) {
    lm_import_options options = {.memory.max_bytes = settings->import_memory,
                                 .fps = settings->fps,
                                 .scale =
                                     LM_IMPORT_SCALE * (settings->scale > 0 ? settings->scale : 1),
                                 .read = read_sidecar,
                                 .user = job,
                                 .images = images};
    if (!check_options(job, settings) || !read_tags(job, &options) ||
        !read_clip_options(job, &options))
        return NULL;
    lm_import *import = is_gltf(job, file) ? read_gltf(job, file, &options)
                                           : convert_read_assimp(job, settings, file, &options);
    for (uint32_t i = 0; import && i < import->num_diagnostics; i++)
        tool_note_warning(job, "warning", &import->diagnostics[i]);
    return import;
}

void convert_import_free(lm_import *import) {
    lm_import_free(import);
}

#else

bool convert_is_import(tool_job *job, const lm_file *file) {
    return tool_inputs_import(job->args, job->path) && !lm_format_of(file->data, file->size);
}

lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool images) {
    (void)settings;
    (void)file;
    (void)images;
    tool_fail(job,
              "this build cannot import glTF or other programs' files: it was built without jsmn");
    return NULL;
}

void convert_import_free(lm_import *import) {
    (void)import;
}

#endif

/* ---- Images --------------------------------------------------------------------------------- */

static bool read_image(tool_job *job, const lm_import_image *from, lm_image **image) {
    lm_error error = {.code = LM_CODE_OK};
    if (!from->data)
        return true;
    *image = lm_image_read(from->data, from->size, NULL, &error);
    if (!*image)
        tool_warn(job, "cannot read its image \"%.100s\": %s", from->name, error.message);
    return error.code != LM_CODE_OUT_OF_MEMORY;
}

static bool read_images(conversion *c) {
    convert_imported *m = &c->imported;
    tool_memory *memory = &c->job->memory;
    const lm_import *import = m->import;
    const size_t variants = import->num_variants, count = import->num_images;
    m->textures = tool_alloc(memory, count, sizeof *m->textures);
    m->images = tool_alloc(memory, count, sizeof(lm_image *));
    m->skins = tool_alloc(memory, variants + 1, sizeof *m->skins);
    m->materials = tool_alloc(memory, variants * m->mesh->num_surfaces + 1, sizeof *m->materials);
    bool read = m->textures && m->images && m->skins && m->materials;
    for (uint32_t i = 0; read && i < count; i++) {
        read = read_image(c->job, &import->images[i], &m->images[i]);
        m->textures[i] = lm_import_texture(&import->images[i], m->images[i]);
    }
    if (!read)
        return tool_fail(c->job, "out of memory");
    c->scene.num_textures = import->num_images;
    c->scene.textures = m->textures;
    c->parts[0].num_skins = lm_import_skins(import, m->textures, m->materials, m->skins);
    c->parts[0].skins = m->skins;
    return true;
}

/* ---- Importing ------------------------------------------------------------------------------- */

/* Reads --clips: a file, or a word. `part` receives the clips. */
static bool read_clips(conversion *c, lm_scene_part *part) {
    tool_job *job = c->job;
    convert_imported *m = &c->imported;
    const char *path = tool_value(job->args, TOOL_CLIPS);
    const lm_clips_options options = {.file_name = path};
    lm_file file = {0};
    lm_error error;
    if (!path || strcmp(path, "none") == 0)
        return true;
    if (strcmp(path, "quake2") == 0) {
        m->clips = lm_clips_quake2(m->mesh->num_frames, NULL, &error);
    } else if (lm_vfs_read(job->vfs, path, job->max_input, &file, &error)) {
        m->clips = lm_clips_read(file.data, file.size, m->mesh->num_frames, &options, &error);
        lm_file_free(&file);
    }
    if (!m->clips)
        return tool_fail_error(job, &error);
    part->num_clips = m->clips->num_clips;
    part->clips = m->clips->clips;
    return true;
}

bool convert_import(conversion *c) {
    convert_imported *m = &c->imported;
    if (convert_is_sequence(c->job)) {
        if (tool_has(c->job->args, TOOL_LOOP) || tool_has(c->job->args, TOOL_ONCE))
            return tool_fail(c->job, "--loop and --once do not apply to numbered files");
        m->mesh = m->joined = convert_sequence(c, &m->import);
    } else {
        m->import =
            convert_read_import(c->job, c->settings, &c->file, convert_has_sidecar(c->settings));
        m->mesh = m->import ? m->import->mesh : NULL;
    }
    if (!m->mesh)
        return false;
    lm_scene_part part = {.num_clips = m->mesh->num_clips, .clips = m->mesh->clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    return read_clips(c, &part) && convert_plan(c, &scene, m->mesh->num_frames) &&
           (m->import->num_images == 0 || read_images(c));
}

void convert_imported_free(convert_imported *m) {
    for (uint32_t i = 0; m->images && i < m->import->num_images; i++)
        lm_image_free(m->images[i]);
    lm_mesh_free(m->joined);
    lm_clips_free(m->clips);
    convert_import_free(m->import);
}
