/* Encodes models in the formats of games: parts of scenes, a program's own arrays, glTF. Belongs to
 * the second module. */
#include "import_skins.h"
#include "web.h"

#include "lerpmesh/check.h"
#include "lerpmesh/compose.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/import.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Results ------------------------------------------------------------------------------- */

static void write_problems(lm_json *json, const lm_diagnostic *problems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "code", lm_code_name(problems[i].code));
        lm_json_string(json, "message", problems[i].text);
        lm_json_close(json);
    }
}

/* Describes the conversion losses in the second result: {"maxError", "rmsError" in units,
 * "problems": features that the format lacks, "images": the number of images without a file}. */
static bool write_losses(const lm_composition *composition, const lm_encode_report *report) {
    lm_json json = {.out = web_begin_second()};
    lm_json_open(&json, NULL, '{');
    lm_json_double(&json, "maxError", report->max_error);
    lm_json_double(&json, "rmsError", report->rms_error);
    lm_json_open(&json, "problems", '[');
    write_problems(&json, composition->notes, composition->num_notes);
    write_problems(&json, report->problems, report->num_problems);
    lm_json_close(&json);
    lm_json_integer(&json, "images", composition->num_images);
    lm_json_close(&json);
    return web_end();
}

static lm_composition *encoded; /* by the last call */

/* An imported mesh and its decoded images. */
typedef struct web_import {
    lm_import *import;
    lm_image **decoded; /* [num_images] NULL: not readable */
    lm_scene_texture *images;
    lm_scene_material *materials; /* [num_variants * num_surfaces] */
    lm_material_set *skins;       /* [num_variants] */
} web_import;

static web_import imported; /* `encoded` may point into it */

static void free_import(void) {
    for (uint32_t i = 0; imported.decoded && i < imported.import->num_images; i++)
        lm_image_free(imported.decoded[i]);
    free(imported.decoded);
    free(imported.images);
    free(imported.materials);
    free(imported.skins);
    lm_import_free(imported.import);
    imported = (web_import){0};
}

/* Frees the images of the last call. */
void WEB_EXPORT(web_encoded_free)(void) {
    lm_composition_free(encoded);
    encoded = NULL;
    free_import();
}

static const lm_format_info *find_format(const char *format) {
    const lm_format_info *info = lm_format_by_name(format);
    if (!info)
        lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no format \"%s\"", format);
    return info;
}

/* Encodes a composition, which it keeps, with the losses as second result. `path` is the future
 * path of the file. */
static bool encode(lm_composition *composition, const lm_format_info *format, const char *path,
                   bool flip_winding) {
    const lm_encode_options options = {.flip_winding = flip_winding};
    lm_encode_report *report = NULL;
    lm_composition_free(encoded);
    encoded = composition;
    const bool ok = encoded && lm_compose_images(encoded, format, path, NULL, &web_error) &&
                    lm_encode(&encoded->mesh, format, &options, web_begin(), &report, &web_error) &&
                    write_losses(encoded, report);
    lm_encode_report_free(report);
    return ok;
}

/* Encodes an image that the last encoded file refers to and that has no file yet, with its file
 * name (without folder) as second result. The source of the call must still exist. */
bool WEB_EXPORT(web_encoded_image)(uint32_t image) {
    if (!encoded || image >= encoded->num_images)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", image);
    const lm_scene_texture *found = &encoded->images[image];
    const char *slash = strrchr(found->name, '/'), *name = slash ? slash + 1 : found->name;
    const char *dot = strrchr(name, '.');
    const bool tga = dot && strcmp(dot, ".tga") == 0;
    lm_buffer_text(web_begin_second(), name);
    return (tga ? lm_pixels_write_tga : lm_pixels_write_png)(
        found->pixels, found->width, found->height, web_begin(), &web_error);
}

/* ---- Parts --------------------------------------------------------------------------------- */

/* Encodes one part in another format, or again in its own. */
bool WEB_EXPORT(web_encode)(const web_scene *scene, uint32_t part, const char *format,
                            const char *path) {
    const lm_format_info *info = find_format(format);
    if (!info || !web_model(scene, part))
        return false;
    lm_scene_part single = scene->assets->scene->parts[part];
    single.parent = LM_NO_PART;
    single.tag = NULL;
    single.follows = false;
    lm_scene one = *scene->assets->scene;
    one.num_parts = 1;
    one.parts = &single;
    return encode(lm_compose_scene(&one, NULL, &web_error), info, path, false);
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
    to->skin = (lm_material_set){"", to->materials};
    for (uint32_t i = 0; i < from->num_surfaces; i++)
        set_surface(&from->surfaces[i], to, i);
    for (uint32_t i = 0; i < from->num_tags; i++)
        to->tags[i] = (lm_mesh_tag){from->tags[i].name, from->tags[i].poses};
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

static bool encode_arrays(arrays *a, uint32_t num_images, const lm_format_info *info,
                          const char *path) {
    if (!lm_mesh_check(&a->mesh, &web_error))
        return false;
    if (num_images == 0 && !(info->features & LM_FEATURE_EMBEDDED_SKINS))
        set_skin_name(a);
    lm_composition *composition =
        lm_compose_mesh(&a->mesh, a->clips, a->mesh.num_clips, NULL, &web_error);
    if (composition && num_images > 0) {
        composition->num_textures = num_images;
        composition->textures = a->images;
        composition->num_skins = 1;
        composition->skins = &a->skin;
        composition->num_skin_surfaces = a->mesh.num_surfaces;
        composition->embedded = true;
    }
    return encode(composition, info, path, true);
}

/* Encodes a mesh whose front faces are counter-clockwise. If there are images, the file refers to
 * them; otherwise to the names of the surfaces' textures. The images must exist until
 * web_encoded_free. */
bool WEB_EXPORT(web_encode_arrays)(const web_mesh *mesh, const char *format, const char *path) {
    const lm_format_info *info = find_format(format);
    arrays a = {.surfaces = calloc(mesh->num_surfaces + 1, sizeof *a.surfaces),
                .names = calloc(mesh->num_surfaces + 1, sizeof *a.names),
                .materials = calloc(mesh->num_surfaces + 1, sizeof *a.materials),
                .tags = calloc(mesh->num_tags + 1, sizeof *a.tags),
                .clips = calloc(mesh->num_clips + 1, sizeof *a.clips),
                .images = calloc(mesh->num_images + 1, sizeof *a.images)};
    const bool full = a.surfaces && a.names && a.materials && a.tags && a.clips && a.images;
    bool ok = info != NULL;
    if (ok && full)
        set_arrays(mesh, &a);
    if (!full)
        ok = lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    ok = ok && encode_arrays(&a, mesh->num_images, info, path);
    free(a.surfaces);
    free(a.names);
    free(a.materials);
    free(a.tags);
    free(a.clips);
    free(a.images);
    return ok;
}

/* ---- glTF ---------------------------------------------------------------------------------- */

static void read_images(web_import *m) {
    for (uint32_t i = 0; i < m->import->num_images; i++) {
        const lm_import_image *from = &m->import->images[i];
        m->decoded[i] = from->data ? lm_image_read(from->data, from->size, NULL, NULL) : NULL;
        m->images[i] = lm_import_texture(from, m->decoded[i]);
    }
}

/* Makes the skins of an import: one for each variant of its materials. */
static bool set_skins(web_import *m, lm_composition *composition) {
    const uint32_t surfaces = m->import->mesh->num_surfaces, variants = m->import->num_variants;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    m->decoded = calloc(m->import->num_images + 1, sizeof *m->decoded);
    m->images = calloc(m->import->num_images + 1, sizeof *m->images);
    m->materials = calloc((size_t)variants * surfaces + 1, sizeof *m->materials);
    m->skins = calloc(variants + 1, sizeof *m->skins);
    if (!m->decoded || !m->images || !m->materials || !m->skins)
        return lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    read_images(m);
    composition->num_textures = m->import->num_images;
    composition->textures = m->images;
    composition->num_skins = lm_import_skins(m->import, m->images, m->materials, m->skins);
    composition->skins = m->skins;
    composition->num_skin_surfaces = surfaces;
    composition->embedded = true;
    composition->from_game = m->import->own_export;
    return true;
}

/* Converts a self-contained glTF (.glb or .gltf) to a model file, as `lerpmesh convert` does. `fps`
 * 0: the rate of its keys. */
bool WEB_EXPORT(web_from_gltf)(const void *data, size_t size, const char *format, const char *path,
                               float fps) {
    const lm_import_options options = {.fps = fps, .images = true};
    const lm_format_info *info = find_format(format);
    if (!info)
        return false;
    web_encoded_free();
    imported.import = lm_import_gltf(data, size, &options, &web_error);
    const lm_mesh *mesh = imported.import ? imported.import->mesh : NULL;
    lm_composition *composition =
        mesh ? lm_compose_mesh(mesh, mesh->clips, mesh->num_clips, NULL, &web_error) : NULL;
    if (composition && !set_skins(&imported, composition)) {
        lm_composition_free(composition);
        composition = NULL;
    }
    return composition && encode(composition, info, path, false);
}
