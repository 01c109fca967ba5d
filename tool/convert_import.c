/* Other programs' models: read by lerpmesh-import, where the build has it. */
#include "convert.h"
#include "paths.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static bool has_extension(const tool_job *job, const char *extension) {
    return tool_same_text(lm_disk_extension(job->disk, job->path), extension);
}

/* What Assimp is known for: where it is not there to say what it reads, that can be said then. */
static bool is_well_known(const tool_job *job) {
    static const char *const known[] = {
        ".3ds", ".3mf", ".ac",  ".ase", ".b3d", ".blend", ".bvh", ".cob",     ".dae",
        ".dxf", ".fbx", ".iqm", ".irr", ".lwo", ".lws",   ".lxo", ".md5mesh", ".ms3d",
        ".obj", ".off", ".ply", ".pmx", ".smd", ".stl",   ".x",   ".x3d"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_extension(job, known[i]))
            return true;
    return false;
}

#ifdef TOOL_HAVE_IMPORT

static bool is_gltf(const tool_job *job, const lm_file *file) {
    return lm_import_is_gltf(file->data, file->size) || has_extension(job, ".glb") ||
           has_extension(job, ".gltf");
}

/* Assimp reads some of the games' formats too, and is not asked for them. */
static bool is_models(const tool_job *job) {
    const char *extension = lm_disk_extension(job->disk, job->path);
    for (uint32_t i = 0; *extension && i < lm_format_count(); i++)
        if (tool_same_text(extension + 1, lm_format_at(i)->extension))
            return true;
    return false;
}

bool convert_is_import(const tool_job *job, const lm_file *file) {
    return !lm_format_of(file->data, file->size) &&
           (is_gltf(job, file) || is_well_known(job) ||
            (!is_models(job) && lm_import_assimp_reads(job->path)));
}

static lm_import *read_import(const tool_job *job, const lm_file *file,
                              const lm_import_options *options, lm_error *error) {
    return is_gltf(job, file)
               ? lm_import_gltf(file->data, file->size, options, error)
               : lm_import_assimp(file->data, file->size, lm_disk_base_name(job->disk, job->path),
                                  options, error);
}

/* Reads a file below the folder that the job's path has in its first bytes. */
static bool read_below(tool_job *job, size_t folder, const char *name, lm_file *file,
                       lm_error *error) {
    lm_buffer path = {0};
    lm_buffer_append(&path, job->path, folder);
    lm_buffer_append(&path, name, strlen(name) + 1);
    bool ok = path.failed
                  ? lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory")
                  : lm_disk_read(job->disk, (const char *)path.data, job->max_input, file, error);
    if (ok) {
        lm_path_about about;
        lm_path_look((const char *)path.data, &about);
        lm_buffer_append(&job->beside, &about, sizeof about);
        ok = !job->beside.failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    }
    lm_buffer_free(&path);
    return ok;
}

/* How a file below that folder is spelled: other systems do not tell large letters from small. */
static lm_find find_below(const tool_job *job, size_t folder, const char *name,
                          char actual[LM_PATH_SIZE]) {
    char *path = folder > 0 ? tool_copy(job->path, folder) : tool_copy(".", 1);
    char clean[LM_PATH_SIZE];
    lm_error error = {.code = LM_CODE_OUT_OF_MEMORY};
    lm_folder *opened = path ? lm_folder_open(path, NULL, &error) : NULL;
    lm_find found =
        opened || error.code != LM_CODE_OUT_OF_MEMORY ? LM_FIND_NOTHING : LM_FIND_STARVED;
    if (opened && lm_path_clean(name, clean)) {
        const lm_files *files = lm_folder_files(opened);
        found = files->find(files->user, clean, actual);
    }
    lm_folder_free(opened);
    free(path);
    return found;
}

/* Files beside a .gltf, as its URIs name them: never outside its folder. */
static bool read_beside(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    tool_job *job = user;
    const size_t folder = (size_t)(lm_disk_base_name(job->disk, job->path) - job->path);
    char actual[LM_PATH_SIZE];
    lm_file file = {0};
    if (uri[0] == '/' || strchr(uri, ':') || strchr(uri, '\\') || strstr(uri, ".."))
        return lm_fail_plain(error, LM_CODE_UNSAFE_PATH,
                             "the buffer %.200s does not lie below the folder of the file", uri);
    bool ok = read_below(job, folder, uri, &file, error);
    if (!ok && error->code == LM_CODE_IO) {
        const lm_find found = find_below(job, folder, uri, actual);
        if (found == LM_FIND_STARVED)
            return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
        ok = found == LM_FIND_FILE && read_below(job, folder, actual, &file, error);
    }
    if (ok)
        lm_buffer_append(out, file.data, file.size);
    lm_file_free(&file);
    return ok;
}

/* Options that say something of the models that are read otherwise. */
static bool check_options(tool_job *job, const convert_settings *settings) {
    static const tool_option others[] = {
        TOOL_CLIPS, TOOL_TOPOLOGY, TOOL_NORMALS, TOOL_QUIRK,   TOOL_REPAIR,         TOOL_ATTACH,
        TOOL_WITH,  TOOL_GAME,     TOOL_SKIN,    TOOL_PALETTE, TOOL_TRANSPARENT_255};
    if (settings->format != CONVERT_MODEL) {
        tool_fail(job, "such a file becomes a model: -o OUT.md3, not %s", settings->extension);
        return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(settings->args, others[i])) {
            tool_fail(job, "--%s has no meaning for such a file",
                      tool_option_about(others[i])->name);
            return false;
        }
    return true;
}

/* The --tag options; NULL, and the job failed, if one is none. */
static lm_import_tag *read_tags(tool_job *job, const convert_settings *settings, char **texts,
                                uint32_t *count) {
    const tool_args *args = settings->args;
    lm_import_tag *tags = calloc(args->num_given + 1, sizeof *tags);
    size_t size = 1;
    for (size_t i = 0; i < args->num_given; i++)
        size += args->given[i].option == TOOL_TAG ? strlen(args->given[i].value) + 1 : 0;
    char *text = *texts = malloc(size);
    for (size_t i = 0; tags && text && i < args->num_given; i++) {
        const char *value = args->given[i].value;
        if (args->given[i].option != TOOL_TAG)
            continue;
        const size_t length = strlen(value) + 1;
        char *name = memcpy(text, value, length), *equals = strchr(name, '=');
        text += length;
        if (!equals || equals == name || equals[1] == '\0') {
            tool_fail(job, "--tag takes NAME=NODE, such as tag_weapon=Hand.R, not \"%s\"", value);
            free(tags);
            return NULL;
        }
        *equals = '\0';
        tags[(*count)++] = (lm_import_tag){name, equals + 1};
    }
    if (tags && text)
        return tags;
    tool_fail(job, "out of memory");
    free(tags);
    return NULL;
}

static void tell_findings(tool_job *job, const convert_settings *settings,
                          const lm_import *import) {
    for (uint32_t i = 0; i < import->num_findings && !settings->quiet; i++)
        tool_tell_warning(job, "warning", &import->findings[i]);
}

lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool pictures) {
    lm_import_options options = {.fps = settings->fps,
                                 .scale =
                                     LM_IMPORT_SCALE * (settings->scale > 0 ? settings->scale : 1),
                                 .read = read_beside,
                                 .user = job,
                                 .pictures = pictures};
    lm_import *import = NULL;
    char *texts = NULL;
    lm_error error;
    lm_import_tag *tags =
        check_options(job, settings) ? read_tags(job, settings, &texts, &options.num_tags) : NULL;
    options.tags = tags;
    if (tags) {
        import = read_import(job, file, &options, &error);
        if (import)
            tell_findings(job, settings, import);
        else
            tool_fail_error(job, &error, false);
    }
    free(tags);
    free(texts);
    return import;
}

void convert_import_free(lm_import *import) {
    lm_import_free(import);
}

#else

bool convert_is_import(const tool_job *job, const lm_file *file) {
    return (has_extension(job, ".glb") || has_extension(job, ".gltf") || is_well_known(job)) &&
           !lm_format_of(file->data, file->size);
}

lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool pictures) {
    (void)settings;
    (void)file;
    (void)pictures;
    tool_fail(job,
              "this build reads no glTF, and nothing else of other programs: it was made without "
              "jsmn");
    return NULL;
}

void convert_import_free(lm_import *import) {
    (void)import;
}

#endif

/* ---- Images --------------------------------------------------------------------------------- */

static bool read_picture(tool_job *job, const lm_import_picture *from, lm_image **image,
                         lm_scene_texture *out) {
    lm_error error = {.code = LM_CODE_OK};
    *out = (lm_scene_texture){.name = from->name};
    if (!from->data)
        return true;
    *image = lm_image_read(from->data, from->size, NULL, &error);
    if (!*image) {
        tool_complain(job, "a picture of it, \"%.100s\", cannot be read: %s", from->name,
                      error.message);
        return error.code != LM_CODE_OUT_OF_MEMORY;
    }
    out->width = (*image)->width;
    out->height = (*image)->height;
    out->pixels = (*image)->pixels;
    out->alpha = from->transparent && !(*image)->opaque ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE;
    return true;
}

static void give_skins(const convert_imported *m, lm_scene_part *part) {
    const lm_import *import = m->import;
    const uint32_t surfaces = m->mesh->num_surfaces;
    for (size_t i = 0; i < (size_t)import->num_dresses * surfaces; i++) {
        const uint32_t worn = import->worn[i];
        const bool there = worn != LM_IMPORT_NO_PICTURE && m->textures[worn].pixels;
        m->materials[i] =
            (lm_scene_material){.name = "",
                                .texture = there ? worn : LM_NO_TEXTURE,
                                .alpha = there ? m->textures[worn].alpha : LM_ALPHA_OPAQUE};
        m->skins[i / surfaces] = (lm_scene_skin){"", m->materials + i / surfaces * surfaces};
    }
    part->skins = m->skins;
    part->num_skins = surfaces > 0 ? import->num_dresses : 0;
}

static bool read_pictures(tool_job *job, convert_imported *m, convert_subject *subject) {
    const lm_import *import = m->import;
    const size_t dresses = import->num_dresses;
    m->textures = calloc(import->num_pictures, sizeof *m->textures);
    m->images = (lm_image **)calloc(import->num_pictures, sizeof(lm_image *));
    m->skins = calloc(dresses + 1, sizeof *m->skins);
    m->materials = calloc(dresses * m->mesh->num_surfaces + 1, sizeof *m->materials);
    bool read = m->textures && m->images && m->skins && m->materials;
    for (uint32_t i = 0; read && i < import->num_pictures; i++)
        read = read_picture(job, &import->pictures[i], &m->images[i], &m->textures[i]);
    if (!read) {
        tool_fail(job, "out of memory");
        return false;
    }
    subject->scene.num_textures = import->num_pictures;
    subject->scene.textures = m->textures;
    give_skins(m, &subject->parts[0]);
    return true;
}

/* ---- All of it ------------------------------------------------------------------------------ */

bool convert_plan_import(tool_job *job, const convert_settings *settings, convert_opened *o) {
    const lm_take *mesh = o->imported.mesh;
    const lm_scene_part part = {.num_clips = mesh->num_clips, .clips = mesh->clips};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    o->subject.mesh = mesh;
    return convert_plan(job, settings, &scene, mesh->num_frames, &o->subject) &&
           (o->imported.import->num_pictures == 0 || read_pictures(job, &o->imported, &o->subject));
}

bool convert_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                    convert_opened *opened) {
    convert_imported *m = &opened->imported;
    m->import = convert_read_import(job, settings, file, convert_has_beside(settings));
    m->mesh = m->import ? m->import->take : NULL;
    return m->import && convert_plan_import(job, settings, opened);
}

void convert_imported_free(convert_imported *m) {
    for (uint32_t i = 0; m->images && i < m->import->num_pictures; i++)
        lm_image_free(m->images[i]);
    free((void *)m->images);
    free(m->textures);
    free(m->skins);
    free(m->materials);
    lm_take_free(m->joined);
    convert_import_free(m->import);
}
