/* Vertex-animation textures: a static .glb with its textures and remap_info.json. */
#include "convert_internal.h"

#define EXACT 0.001 /* units; larger errors are visible as jitter */

/* ---- Files --------------------------------------------------------------------------------- */

/* Returns the materials of the composed surfaces, those of the parts' current skins. */
static const lm_scene_material *list_materials(conversion *c, const lm_composition *composition) {
    const lm_mesh *mesh = composition->mesh;
    lm_scene_material *materials =
        lmi_arena_zeros(c->arena, mesh->num_surfaces + (size_t)1, sizeof *materials);
    for (uint32_t i = 0; materials && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const char *name = s->num_materials > 0 ? s->materials[0].name : s->name;
        const lm_surface_source *from = &composition->sources[i];
        const lm_scene_part *p = &c->scene.parts[from->part];
        materials[i] = p->num_skins > 0 ? p->skins[p->skin].materials[from->surface]
                                        : (lm_scene_material){.name = name ? name : "",
                                                              .texture = LM_NO_TEXTURE};
    }
    return materials;
}

/* Adds a texture file of floats, OUT_NAME.png or .exr. */
static bool add_texture(conversion *c, const char *name, const float *rgb) {
    const bool exr = c->options->vat == LM_CONVERT_VAT_EXR;
    const char *suffix = lmi_arena_printf(c->arena, "_%s.%s", name, exr ? "exr" : "png");
    convert_side *side = suffix ? lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, c->stem, suffix) : NULL;
    lm_error error;
    if (!side)
        return false;
    return lm_floats_write(rgb, c->vat.width, c->vat.height, exr ? LM_FLOATS_EXR : LM_FLOATS_PNG,
                           &side->file.data, &error) ||
           lmi_cv_fail_error(c, &error);
}

/* Reports what the textures cannot hold, and what some shaders do not read. */
static void report_losses(conversion *c, const lm_mesh *mesh) {
    if (mesh->num_tags > 0)
        lm_cv_note(c, "%u tag%s dropped: the textures hold vertices only", (unsigned)mesh->num_tags,
                   mesh->num_tags == 1 ? " is" : "s are");
    if (c->options->vat == LM_CONVERT_VAT_PNG && c->vat.max_error > EXACT)
        lm_cv_note(c, "16 bits are not exact to %g units for this movement; use " OPTION "vat exr",
                   EXACT);
    if (c->vat.num_wraps > 1)
        lm_cv_warn(
            c,
            "%u vertices are more than %u: each frame has %u rows, which shaders for a single "
            "row cannot read",
            (unsigned)c->vat.num_vertices, LM_MAX_VAT_SIZE, (unsigned)c->vat.num_wraps);
}

static bool write_files(conversion *c, const lm_composition *composition) {
    const lm_mesh *mesh = composition->mesh;
    convert_side *info = lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, c->stem, "-remap_info.json");
    const lm_vat_options options = {.name = c->stem,
                                    .scale = c->plan.scale,
                                    .separate_normals = c->options->vat_normals,
                                    .materials = list_materials(c, composition),
                                    .num_textures = c->scene.num_textures,
                                    .textures = c->scene.textures,
                                    .unlit = c->options->unlit};
    lm_buffer pixels = {0};
    lm_error error;
    if (!info || !options.materials)
        return false;
    c->out.max_size = 0; /* all files together are checked when they are complete */
    bool made = lm_vat_write(mesh, &options, &c->out, &info->file.data, &pixels, &c->vat, &error) ||
                lmi_cv_fail_error(c, &error);
    const float *rgb = (const float *)(const void *)pixels.data;
    const size_t count = 3 * (size_t)c->vat.width * c->vat.height;
    made = made && add_texture(c, "vat", rgb) &&
           (c->vat.num_images < 2 || add_texture(c, "vnrm", rgb + count));
    lm_buffer_free(&pixels);
    if (made)
        report_losses(c, mesh);
    return made;
}

bool lmi_cv_make_vat(conversion *c) {
    lm_composition *composition = lmi_cv_compose(c);
    const bool made = composition && write_files(c, composition);
    lm_composition_free(composition);
    return made;
}
