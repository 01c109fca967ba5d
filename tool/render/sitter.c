/* Inputs as the driver has them: the models of a scene and what they wear. */
#include "settings.h"

#include <string.h>

/* Says how a texture that is too large for so small a picture is seen nevertheless. */
static void tell_way_out(tool_job *job, const render_settings *settings, const lm_assets *assets) {
    const uint64_t most = settings->options.max_pixels;
    bool limited = false;
    for (uint32_t i = 0; i < assets->num_findings; i++)
        limited =
            limited || (strcmp(assets->findings[i].location.section, LM_FINDING_TEXTURE) == 0 &&
                        assets->findings[i].code == LM_CODE_LIMIT);
    if (limited && most)
        tool_say(job,
                 "textures of up to %llu pixels are read for pictures of this size, larger "
                 "ones for a larger --size",
                 (unsigned long long)most);
}

bool sitter_open(tool_job *job, const render_settings *settings, const studio *s,
                 render_sitter *out) {
    lm_error error;
    *out = (render_sitter){.assets = tool_open(job, &settings->options)};
    if (!out->assets)
        return false;
    tool_tell_textures(job, out->assets, LM_WARNING);
    tell_way_out(job, settings, out->assets);
    out->subject.scene = out->assets->scene;
    out->subject.drawn = lm_gl_scene_new(s->gl, out->assets->scene, &error);
    if (out->subject.drawn) {
        if (tool_has(job->args, TOOL_VERBOSE) || !job->tree)
            tool_tell_textures(job, out->assets, LM_NOTE);
        return true;
    }
    sitter_close(out);
    return tool_fail(job, "%s", error.message);
}

void sitter_close(render_sitter *sitter) {
    lm_gl_scene_free(sitter->subject.drawn);
    lm_assets_free(sitter->assets);
}
