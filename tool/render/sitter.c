/* Inputs as the driver has them: the models of a scene and what they wear. */
#include "studio.h"

#include <stdlib.h>
#include <string.h>

static bool upload(tool_job *job, const render_studio *s, render_sitter *sitter) {
    lm_error error = {.message = "there is not enough memory"};
    const tool_wardrobe *w = &sitter->wardrobe;
    lm_image **images = (lm_image **)calloc(w->num_pictures + (size_t)1, sizeof(void *));
    for (uint32_t i = 0; images && i < w->num_pictures; i++)
        images[i] = w->pictures[i].image;
    bool uploaded =
        images && figure_upload(&sitter->figure, s->gl, &sitter->scene.scene, images, &error);
    free((void *)images);
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
    figure_free(&sitter->figure);
    tool_wardrobe_close(&sitter->wardrobe);
    tool_scene_close(&sitter->scene);
}
