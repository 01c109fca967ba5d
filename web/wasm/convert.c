/* Converts by lm_convert: scenes, parts of scenes, a program's own arrays, other programs' files.
 * Belongs to the second module. */
#include "convert_options.h"
#include "web.h"

#include <stdlib.h>
#include <string.h>

/* ---- Converting ---------------------------------------------------------------------------- */

/* The last conversion. */
static struct {
    lm_vfs *vfs;
    lm_convert_settings *settings;
    lm_conversion *made;
    web_skeletons skeletons;
} last;

/* Frees the files of the last conversion. */
void WEB_EXPORT(web_converted_free)(void) {
    lm_conversion_free(last.made);
    lm_convert_settings_free(last.settings);
    lm_vfs_free(last.vfs);
    web_skeletons_free(&last.skeletons);
    memset(&last, 0, sizeof last);
}

/* Starts a conversion to a format. `path`: of the output; "" if it has no files next to it. */
static lm_convert_options *begin(const char *format, const char *path) {
    web_converted_free();
    last.vfs = lm_vfs_new(NULL, &web_error);
    if (!last.vfs)
        lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    else
        last.settings = lm_convert_settings_new(last.vfs, NULL, &web_error);
    if (!last.settings)
        return NULL;
    last.settings->options.format = format;
    last.settings->options.path = *path ? path : NULL;
    return &last.settings->options;
}

static void write_problem(lm_json *json, lm_code code, lm_severity severity, const char *text) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "code", code ? lm_code_name(code) : NULL);
    lmi_json_string(json, "severity", lm_severity_name(severity));
    lmi_json_string(json, "message", text);
    lmi_json_close(json);
}

/* Adds what differs from what one would expect. */
static void report(void *user, const lm_convert_message *message) {
    const lm_convert_kind kind = message->kind;
    const lm_severity severity = kind == LM_CONVERT_KIND_PROBLEM   ? message->problem->severity
                                 : kind == LM_CONVERT_KIND_WARNING ? LM_SEVERITY_WARNING
                                                                   : LM_SEVERITY_NOTE;
    if ((kind == LM_CONVERT_KIND_NOTE && message->code) || kind == LM_CONVERT_KIND_WARNING ||
        kind == LM_CONVERT_KIND_PROBLEM || kind == LM_CONVERT_KIND_DETAIL)
        write_problem(user, message->code, severity, message->text);
}

static bool follow(void *user, double share, const char *what) {
    (void)user;
    (void)what;
    return web_progress(share) != 0;
}

/* Converts with options, pairs of names and values that end with an empty name. The value of
 * "options" is several, as the command takes them. Describes the result: {"problems": what the
 * format cannot hold, "maxError", "rmsError": of a model, in units, "files": their names, the main
 * one last}. web_converted returns the files. */
static bool convert(lm_convert_source *source, const char *pairs) {
    lm_json json = {.out = web_begin()};
    const lm_convert_calls calls = {.user = &json, .report = report, .progress = follow};
    source->vfs = last.vfs;
    while (*pairs) {
        const char *value = pairs + strlen(pairs) + 1;
        const bool set =
            strcmp(pairs, "options") == 0
                ? lm_convert_set_words(last.settings, value, &web_error)
                : lm_convert_set(last.settings, pairs, *value ? value : NULL, &web_error);
        if (!set)
            return false;
        pairs = value + strlen(value) + 1;
    }
    lmi_json_open(&json, NULL, '{');
    lmi_json_open(&json, "problems", '[');
    if (!lm_convert_settings_check(last.settings, &web_error) ||
        !(last.made = lm_convert(source, &last.settings->options, &calls, &web_error)))
        return false;
    const lm_conversion *made = last.made;
    const lm_encode_report *encoded = made->report;
    for (uint32_t i = 0; encoded && i < encoded->num_problems; i++)
        write_problem(&json, encoded->problems[i].code, encoded->problems[i].severity,
                      encoded->problems[i].text);
    lmi_json_close(&json);
    lmi_json_double(&json, "maxError", encoded ? encoded->max_error : 0);
    lmi_json_double(&json, "rmsError", encoded ? encoded->rms_error : 0);
    lmi_json_open(&json, "files", '[');
    for (uint32_t i = 0; i < made->num_files; i++)
        lmi_json_string(&json, NULL, made->files[i].name);
    lmi_json_close(&json);
    lmi_json_close(&json);
    return web_end();
}

/* Returns a file of the last conversion. */
bool WEB_EXPORT(web_converted)(uint32_t number) {
    if (!last.made || number >= last.made->num_files)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no file %u", number);
    lm_buffer_append(web_begin(), last.made->files[number].data.data,
                     last.made->files[number].data.size);
    return web_end();
}

/* Lists the options of conversions: see lm_options_json. */
bool WEB_EXPORT(web_options)(void) {
    lm_options_json("convert", true, web_begin());
    return web_end();
}

/* ---- Sources ------------------------------------------------------------------------------- */

/* Converts a scene; `name`: of the model in a glTF or OBJ. `size` > 0: with the skeletons of
 * web_skeleton for all parts. */
bool WEB_EXPORT(web_convert)(web_scene *scene, const char *format, const char *path,
                             const char *name, const char *pairs, const uint8_t *bytes,
                             size_t size) {
    lm_convert_source source = {.path = name, .name = name, .assets = scene->assets};
    lm_convert_options *options = begin(format, path);
    if (!options || (size > 0 && !web_skeletons_read(scene, bytes, size, &last.skeletons)))
        return false;
    source.skeletons = last.skeletons.pointers;
    options->skeleton = size > 0;
    return convert(&source, pairs);
}

/* Converts one part to a model, or again to its own format. */
bool WEB_EXPORT(web_convert_part)(const web_scene *scene, uint32_t part, const char *format,
                                  const char *path, const char *pairs) {
    if (!web_model(scene, part))
        return false;
    lm_scene_part single = scene->assets->scene->parts[part];
    single.parent = LM_NO_PART;
    single.tag = NULL;
    single.follows = false;
    lm_scene one = *scene->assets->scene;
    one.num_parts = 1;
    one.parts = &single;
    lm_convert_source source = {.path = path, .scene = &one};
    return begin(format, path) && convert(&source, pairs);
}

/* Converts the bytes of a file, whose name decides its format. */
bool WEB_EXPORT(web_convert_file)(const void *data, size_t size, const char *file,
                                  const char *format, const char *path, const char *pairs) {
    lm_convert_source source = {.path = file, .data = data, .size = size};
    return begin(format, path) && convert(&source, pairs);
}

/* ---- Arrays -------------------------------------------------------------------------------- */

/* JavaScript's description of a mesh: rows of 32-bit words, which are numbers and addresses. */
typedef struct web_surface {
    const char *name;
    uint32_t vertices, triangles;
    const float *positions, *normals, *st; /* `normals` and `st` may be NULL */
    const uint32_t *corners;
    const char *material; /* name of its texture, or "" */
    uint32_t image;       /* index, or LM_NO_TEXTURE */
    lm_alpha alpha;
} web_surface;

typedef struct web_tag {
    const char *name;
    const lm_transform *poses;
} web_tag;

typedef struct web_clip {
    const char *name;
    uint32_t first, count;
    float fps;
    uint32_t loop_frames, backwards;
    const float *times; /* may be NULL */
} web_clip;

typedef struct web_pixels {
    const char *name;
    uint32_t width, height;
    const uint8_t *pixels;
} web_pixels;

typedef struct web_mesh {
    uint32_t num_frames;
    const char *const *frame_names; /* may be NULL */
    uint32_t num_surfaces;
    const web_surface *surfaces;
    uint32_t num_tags;
    const web_tag *tags;
    uint32_t num_clips;
    const web_clip *clips;
    uint32_t num_images;
    const web_pixels *images;
    const lm_vec3 *grid; /* [2] of lm_mesh, or NULL */
} web_mesh;

/* The library's description. */
typedef struct arrays {
    lm_mesh mesh;
    lm_mesh_surface *surfaces;
    lm_material *names;           /* [num_surfaces] */
    lm_scene_material *materials; /* [num_surfaces] */
    lm_material_set skin;         /* of these */
    lm_mesh_tag *tags;
    lm_clip *clips;
    lm_scene_texture *images;
} arrays;

static void set_surface(const web_surface *from, arrays *to, uint32_t i) {
    to->names[i] = (lm_material){.name = from->material};
    to->materials[i] =
        (lm_scene_material){.name = "", .texture = from->image, .alpha = from->alpha};
    to->surfaces[i] = (lm_mesh_surface){.name = from->name,
                                        .num_vertices = from->vertices,
                                        .positions = from->positions,
                                        .normals = from->normals,
                                        .num_st = from->st ? from->vertices : 0,
                                        .st = from->st,
                                        .num_triangles = from->triangles,
                                        .triangles = from->corners,
                                        .num_materials = *from->material ? 1 : 0,
                                        .materials = &to->names[i]};
}

static void set_clip(const web_clip *from, lm_clip *to) {
    *to = (lm_clip){.name = from->name,
                    .first = from->first,
                    .count = from->count,
                    .fps = from->fps,
                    .loop_frames = from->loop_frames,
                    .backwards = from->backwards != 0,
                    .times = from->times};
}

/* Fills in the lists, which have their sizes. */
static void set_arrays(const web_mesh *from, arrays *to) {
    to->mesh = (lm_mesh){.num_frames = from->num_frames,
                         .frame_names = from->frame_names,
                         .num_surfaces = from->num_surfaces,
                         .surfaces = to->surfaces,
                         .num_tags = from->num_tags,
                         .tags = to->tags,
                         .num_clips = from->num_clips,
                         .clips = to->clips};
    if (from->grid)
        memcpy(to->mesh.grid, from->grid, sizeof to->mesh.grid);
    to->skin = (lm_material_set){.name = "", .materials = to->materials};
    for (uint32_t i = 0; i < from->num_surfaces; i++)
        set_surface(&from->surfaces[i], to, i);
    for (uint32_t i = 0; i < from->num_tags; i++)
        to->tags[i] = (lm_mesh_tag){.name = from->tags[i].name, .poses = from->tags[i].poses};
    for (uint32_t i = 0; i < from->num_clips; i++)
        set_clip(&from->clips[i], &to->clips[i]);
    for (uint32_t i = 0; i < from->num_images; i++)
        to->images[i] = (lm_scene_texture){.name = from->images[i].name,
                                           .width = from->images[i].width,
                                           .height = from->images[i].height,
                                           .pixels = from->images[i].pixels};
}

/* Lists the first texture name as the skin, for formats that have one for the whole model. */
static void set_skin_name(arrays *a) {
    for (uint32_t i = 0; i < a->mesh.num_surfaces && a->mesh.num_skins == 0; i++)
        if (*a->names[i].name) {
            a->mesh.num_skins = 1;
            a->mesh.skins = &a->names[i].name;
        }
}

/* Converts a mesh whose front faces are counter-clockwise. If there are images, the file refers to
 * them; otherwise to the names of the surfaces' textures. */
bool WEB_EXPORT(web_convert_arrays)(const web_mesh *mesh, const char *format, const char *path,
                                    const char *pairs) {
    const lm_format_info *info = lm_format_by_name(format);
    lm_convert_options *options = begin(format, path);
    arrays a = {.surfaces = calloc(mesh->num_surfaces + 1, sizeof *a.surfaces),
                .names = calloc(mesh->num_surfaces + 1, sizeof *a.names),
                .materials = calloc(mesh->num_surfaces + 1, sizeof *a.materials),
                .tags = calloc(mesh->num_tags + 1, sizeof *a.tags),
                .clips = calloc(mesh->num_clips + 1, sizeof *a.clips),
                .images = calloc(mesh->num_images + 1, sizeof *a.images)};
    bool ok = a.surfaces && a.names && a.materials && a.tags && a.clips && a.images;
    if (!ok)
        lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (ok && options) {
        set_arrays(mesh, &a);
        if (mesh->num_images == 0 && info && !(info->features & LM_FEATURE_EMBEDDED_SKINS))
            set_skin_name(&a);
        lm_convert_source source = {.path = path,
                                    .mesh = &a.mesh,
                                    .num_textures = mesh->num_images,
                                    .textures = a.images,
                                    .num_skins = mesh->num_images > 0,
                                    .skins = &a.skin};
        options->encode.flip_winding = true;
        ok = convert(&source, pairs);
    }
    free(a.surfaces);
    free(a.names);
    free(a.materials);
    free(a.tags);
    free(a.clips);
    free(a.images);
    return ok && options;
}
