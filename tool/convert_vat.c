/* Vertex-animation textures: a static .glb with its textures and remap_info.json. */
#include "convert.h"

#include "describe.h"

#define EXACT 0.001 /* units; larger errors are visible as jitter */

bool convert_vat_read(const tool_args *args, convert_settings *settings) {
    static const tool_option others[] = {TOOL_FRAME, TOOL_AXES, TOOL_QUANTIZE};
    unsigned format = 0;
    if (tool_has(args, TOOL_VNRM) && !tool_has(args, TOOL_VAT))
        return tool_usage(args, "--vnrm needs --vat");
    if (!tool_has(args, TOOL_VAT))
        return true;
    if (!tool_known_word(args, TOOL_VAT, &format))
        return false;
    if (settings->format != CONVERT_GLB || settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "--vat writes several files; name the first: -o FILE.glb");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(args, others[i]))
            return tool_usage(args, "--%s cannot be combined with --vat",
                              tool_option_about(others[i])->name);
    settings->vat = format == 0 ? CONVERT_VAT_PNG : CONVERT_VAT_EXR;
    settings->vnrm = tool_has(args, TOOL_VNRM);
    return true;
}

/* ---- Files --------------------------------------------------------------------------------- */

/* Returns the materials of the composed surfaces, those of the parts' current skins. */
static const lm_scene_material *list_materials(const conversion *c, const lm_mesh *mesh) {
    lm_scene_material *materials =
        tool_alloc(&c->job->memory, mesh->num_surfaces + (size_t)1, sizeof *materials);
    uint32_t part, surface;
    for (uint32_t i = 0; materials && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const char *name = s->num_materials > 0 ? s->materials[0].name : s->name;
        lm_compose_source(&c->scene, i, &part, &surface);
        const lm_scene_part *p = &c->scene.parts[part];
        materials[i] = p->num_skins > 0 ? p->skins[p->skin].materials[surface]
                                        : (lm_scene_material){.name = name ? name : "",
                                                              .texture = LM_NO_TEXTURE};
    }
    return materials;
}

/* Adds a texture file of floats, OUT_NAME.png or .exr. */
static bool add_texture(conversion *c, const char *name, const float *rgb) {
    const bool exr = c->settings->vat == CONVERT_VAT_EXR;
    const char *suffix = tool_format(&c->job->memory, "_%s.%s", name, exr ? "exr" : "png");
    convert_sidecar *sidecar = suffix ? convert_sidecar_add(c, c->stem, suffix) : NULL;
    lm_error error;
    if (!sidecar)
        return false;
    return lm_floats_write(rgb, c->vat.width, c->vat.height, exr ? LM_FLOATS_EXR : LM_FLOATS_PNG,
                           &sidecar->data, &error) ||
           tool_fail_error(c->job, &error);
}

static bool add_textures(conversion *c, const lm_buffer *pixels) {
    const float *rgb = (const float *)(const void *)pixels->data;
    const size_t count = 3 * (size_t)c->vat.width * c->vat.height;
    return add_texture(c, "vat", rgb) &&
           (c->vat.num_images < 2 || add_texture(c, "vnrm", rgb + count));
}

/* Reports what the textures cannot hold, and what some shaders do not read. */
static void report_losses(const conversion *c, const lm_mesh *mesh) {
    if (mesh->num_tags > 0)
        tool_note(c->job, "%u tag%s dropped: the textures hold vertices only",
                  (unsigned)mesh->num_tags, mesh->num_tags == 1 ? " is" : "s are");
    if (c->settings->vat == CONVERT_VAT_PNG && (double)c->vat.max_error > EXACT)
        tool_note(c->job, "16 bits are not exact to %g units for this movement; use --vat exr",
                  EXACT);
    if (c->vat.num_wraps > 1)
        tool_warn(
            c->job,
            "%u vertices are more than %u: each frame has %u rows, which shaders for a single "
            "row cannot read",
            (unsigned)c->vat.num_vertices, LM_MAX_VAT_SIZE, (unsigned)c->vat.num_wraps);
}

static bool write_files(conversion *c, const lm_mesh *mesh) {
    convert_sidecar *info = convert_sidecar_add(c, c->stem, "-remap_info.json");
    const lm_vat_options options = {.name = c->stem,
                                    .scale = c->settings->scale,
                                    .separate_normals = c->settings->vnrm,
                                    .materials = list_materials(c, mesh),
                                    .num_textures = c->scene.num_textures,
                                    .textures = c->scene.textures,
                                    .unlit = tool_has(c->settings->args, TOOL_UNLIT)};
    lm_buffer pixels = {0};
    lm_error error;
    if (!info || !options.materials)
        return false;
    c->out.max_size = 0; /* all files together are checked when they are complete */
    bool made = lm_vat_write(mesh, &options, &c->out, &info->data, &pixels, &c->vat, &error) ||
                tool_fail_error(c->job, &error);
    made = made && add_textures(c, &pixels);
    lm_buffer_free(&pixels);
    if (made)
        report_losses(c, mesh);
    return made;
}

bool convert_write_vat(conversion *c) {
    lm_composition *composition = convert_compose(c);
    const bool made = composition && write_files(c, &composition->mesh);
    lm_composition_free(composition);
    return made;
}

void convert_describe_vat(const conversion *c, lm_buffer *text) {
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->vat.num_vertices, "vertex");
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->vat.num_rows, "frame");
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->vat.num_animations, "animation");
    lm_buffer_printf(text, "; %u x %u pixels", (unsigned)c->vat.width, (unsigned)c->vat.height);
    if (c->settings->vat == CONVERT_VAT_PNG)
        lm_buffer_printf(text, ", maximum error %.3g units", (double)c->vat.max_error);
}
