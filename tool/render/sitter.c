/* Inputs as the driver has them: the models of a scene and what they wear. */
#include "studio.h"

bool sitter_open(tool_job *job, const render_settings *settings, render_studio *s,
                 render_sitter *out) {
    lm_error error;
    *out = (render_sitter){.assets = tool_open(job, &settings->wishes, false)};
    if (!out->assets)
        return false;
    tool_tell_textures(job, out->assets, &settings->wishes, LM_WARNING);
    out->scene = lm_gl_scene_new(s->gl, out->assets->scene, &error);
    if (out->scene) {
        const tool_wishes all = {.quiet = false};
        if (settings->verbose || (!settings->quiet && !job->tree))
            tool_tell_textures(job, out->assets, &all, LM_NOTE);
        return true;
    }
    tool_fail(job, "%s", error.message);
    sitter_close(out);
    return false;
}

void sitter_close(render_sitter *sitter) {
    lm_gl_scene_free(sitter->scene);
    lm_assets_free(sitter->assets);
}
