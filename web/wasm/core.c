/* The core: opens one model from its bytes, without files, archives and scripts. JavaScript finds
 * its textures (web/lib/loading.js). */
#include "web.h"

#include "image/decoded_image.h"

#include <stdlib.h>

/* Each frees what it owns. */
typedef struct core_scene {
    web_scene base; /* first: the other functions get its address */
    lm_scene scene;
    lm_scene_part part;
    lm_model *model;
} core_scene;

void WEB_EXPORT(web_close)(core_scene *core) {
    free(core->base.owned_name);
    lm_model_free(core->model);
    free(core);
}

/* Options of web_open. web/lib/loading.js has the same numbers. */
enum {
    CORE_REPAIR = 1,
    CORE_STRICT = 2,
    CORE_GL_COMMANDS = 4
};

/* Opens a model. */
core_scene *WEB_EXPORT(web_open)(const void *bytes, size_t size, lm_normals normals,
                                 unsigned flags) {
    const lm_load_options options = {.normals = normals,
                                     .repair = (flags & CORE_REPAIR) != 0,
                                     .strict = (flags & CORE_STRICT) != 0,
                                     .topology = (flags & CORE_GL_COMMANDS) != 0
                                                     ? LM_TOPOLOGY_GL_COMMANDS
                                                     : LM_TOPOLOGY_TRIANGLES};
    core_scene *core = calloc(1, sizeof *core);
    if (!core) {
        lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    core->model = lm_load_memory(bytes, size, &options, &web_error);
    if (core->model) {
        core->part = (lm_scene_part){
            .model = core->model, .clips = core->model->clips, .num_clips = core->model->num_clips};
        core->scene = (lm_scene){.num_parts = 1, .parts = &core->part};
        core->base.scene = &core->scene;
        if (web_evaluate(&core->base))
            return core;
    }
    web_close(core);
    return NULL;
}

/* Describes the scene: its part, with all that a texture's name depends on, its clips, and the rest
 * clip. */
bool WEB_EXPORT(web_scene_json)(const web_scene *scene) {
    const lm_model *model = scene->scene->parts[0].model;
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_json_string(&json, "format", model->format);
    lmi_json_integer(&json, "frames", model->num_frames);
    lmi_json_bool(&json, "hasSurfaces", (model->features & LM_FEATURE_SURFACES) != 0);
    lmi_json_integer(&json, "embedded", model->embedded_skins ? model->num_skins : 0);
    web_write_grid(&json, model);
    lmi_json_open(&json, "skins", '[');
    for (uint32_t i = 0; i < model->num_skins; i++)
        lmi_json_string(&json, NULL, model->skins[i]);
    lmi_json_close(&json);
    web_write_clips(&json, scene->scene);
    lmi_json_close(&json);
    return web_end();
}

/* Describes the model: the part of `lerpmesh info --json` that JavaScript reads. */
bool WEB_EXPORT(web_part_json)(const web_scene *scene, uint32_t part) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_describe_json_frames(model, &json);
    lmi_describe_json_clips(model->clips, model->num_clips, NULL, &json);
    lmi_describe_json_surfaces(model, &json);
    lmi_describe_json_tags(model, &json);
    lmi_json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < model->num_warnings; i++)
        lmi_describe_json_warning(&model->warnings[i], &json);
    lmi_json_close(&json);
    lmi_json_close(&json);
    return web_end();
}

/* ---- Images -------------------------------------------------------------------------------- */

static bool return_image(lm_image *image) {
    const bool done = image && web_write_image(image->pixels, image->width, image->height);
    lm_image_free(image);
    return done;
}

/* Decodes a PCX, BMP or TGA image. */
bool WEB_EXPORT(web_image)(const void *data, size_t size, bool transparent_255) {
    const lm_image_options options = {.transparent_255 = transparent_255};
    return return_image(lm_image_read(data, size, &options, &web_error));
}

/* Returns the lm_alpha of the pixels of an image. */
lm_alpha WEB_EXPORT(web_alpha)(const uint8_t *pixels, size_t size) {
    return lmi_pixels_alpha(pixels, size / 4);
}

/* Decodes a skin that is in the model's file. */
bool WEB_EXPORT(web_embedded)(const web_scene *scene, uint32_t skin, bool transparent_255) {
    const lm_model *model = scene->scene->parts[0].model;
    const lm_image_options options = {.transparent_255 = transparent_255 || model->transparent_255};
    if (!model->embedded_skins || skin >= model->num_skins)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no skin %u", skin);
    return return_image(lmi_image_of_indices(model->skin_width, model->skin_height,
                                             model->embedded_skins[skin].pixels, model->palette,
                                             &options, &web_error));
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Writes the shortest decimal that reads back as the same number: as a float if `single`. Returns
 * its length. libc's functions would make the module's download larger. */
WEB_IMPORT("web", "number") size_t web_number(double value, bool single, char *out);

void lmi_buffer_double(lm_buffer *buffer, double value) {
    char text[32];
    lm_buffer_append(buffer, text, web_number(value, false, text));
}

void lmi_buffer_float(lm_buffer *buffer, float value) {
    char text[32];
    lm_buffer_append(buffer, text, web_number((double)value, true, text));
}
