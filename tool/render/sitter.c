/* Inputs as the driver has them: the models of a scene and what they wear. */
#include "lerpmesh/image.h"
#include "studio.h"

#include <stdlib.h>
#include <string.h>

static bool upload_texture(render_studio *s, const lm_scene_texture *texture, lm_gl_skin **skin,
                           lm_error *error) {
    lm_image *image = lm_image_read(texture->data, texture->size, NULL, error);
    if (!image)
        return false;
    const lm_gl_image picture = {image->width, image->height, image->pixels};
    *skin = lm_gl_skin_new(s->gl, &picture, LM_GL_SMOOTH, error);
    lm_image_free(image);
    return *skin != NULL;
}

static bool upload_textures(render_studio *s, render_sitter *sitter, lm_error *error) {
    for (uint32_t i = 0; i < sitter->wardrobe.num_pictures; i++)
        if (!upload_texture(s, &sitter->wardrobe.textures[i], &sitter->textures[i], error))
            return false;
    return true;
}

static bool upload_part(render_studio *s, render_sitter *sitter, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &sitter->scene.scene.parts[index];
    render_part *out = &sitter->parts[index];
    out->skins = calloc(part->model->num_surfaces + (size_t)1, sizeof(lm_gl_skin *));
    if (!out->skins) {
        *error = (lm_error){.code = LM_CODE_OUT_OF_MEMORY, .message = "there is not enough memory"};
        return false;
    }
    for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++) {
        uint32_t texture = part->skins[part->skin].materials[i].texture;
        out->skins[i] = texture == LM_NO_TEXTURE ? NULL : sitter->textures[texture];
    }
    out->model = lm_gl_model_new(s->gl, part->model, error);
    return out->model != NULL;
}

static bool make_room(render_sitter *sitter) {
    size_t parts = sitter->scene.scene.num_parts, pictures = sitter->wardrobe.num_pictures;
    sitter->textures =
        calloc(pictures + 1, sizeof(lm_gl_skin *)); /* NOLINT(bugprone-sizeof-expression) */
    sitter->parts = calloc(parts, sizeof *sitter->parts);
    sitter->poses = calloc(parts, sizeof *sitter->poses);
    sitter->places = calloc(parts, sizeof *sitter->places);
    return sitter->textures && sitter->parts && sitter->poses && sitter->places;
}

static bool upload(tool_job *job, render_studio *s, render_sitter *sitter) {
    lm_error error;
    if (!make_room(sitter)) {
        tool_fail(job, "there is not enough memory");
        return false;
    }
    bool uploaded = upload_textures(s, sitter, &error);
    for (uint32_t i = 0; uploaded && i < sitter->scene.scene.num_parts; i++)
        uploaded = upload_part(s, sitter, i, &error);
    if (!uploaded)
        tool_fail(job, "%s", error.message);
    return uploaded;
}

/* --skin none undresses all. */
static bool dress(tool_job *job, const render_settings *settings, render_sitter *sitter) {
    const char *skin = tool_value(settings->args, TOOL_SKIN);
    return (skin && strcmp(skin, "none") == 0) ||
           tool_wardrobe_fill(job, &settings->textures, &sitter->scene, &sitter->wardrobe);
}

bool sitter_open(tool_job *job, const render_settings *settings, render_studio *s,
                 render_sitter *out) {
    *out = (render_sitter){.scene = {0}};
    if (!tool_scene_open(job, settings->args, &settings->load, &out->scene))
        return false;
    if (dress(job, settings, out) && upload(job, s, out)) {
        if (settings->verbose)
            tool_wardrobe_tell(job, &settings->textures, &out->wardrobe);
        return true;
    }
    sitter_close(out);
    return false;
}

void sitter_close(render_sitter *sitter) {
    for (uint32_t i = 0; sitter->parts && i < sitter->scene.scene.num_parts; i++) {
        lm_gl_model_free(sitter->parts[i].model);
        free(sitter->parts[i].skins);
    }
    for (uint32_t i = 0; sitter->textures && i < sitter->wardrobe.num_pictures; i++)
        lm_gl_skin_free(sitter->textures[i]);
    free(sitter->textures);
    free(sitter->parts);
    free(sitter->poses);
    free(sitter->places);
    tool_wardrobe_close(&sitter->wardrobe);
    tool_scene_close(&sitter->scene);
}
