#include "materials.h"

/* The state of the material stage. */
typedef struct making {
    lm_context *context;
    lm_parts *parts;
    uint32_t part;
    const lm_part_textures *all; /* of all parts */
    lm_part_textures *own;       /* of this part */
    const lm_images *images;
} making;

/* ---- Diagnostics of textures ----------------------------------------------------------------- */

/* Returns what the engine of a game does with the damaged script at a path: ioquake3 checks the
 * braces, and the others join all scripts without checking them. */
static const char *reaction_to_damage(const making *m, const char *path) {
    lm_engine engine = m->parts->settings->options->engine;
    if (engine == LM_ENGINE_ANY)
        engine = strstr(path, "etmain/") ? LM_ENGINE_ET
                 : strstr(path, "main/") ? LM_ENGINE_RTCW
                                         : LM_ENGINE_QUAKE3;
    return engine == LM_ENGINE_ET ? "Enemy Territory may misread the scripts after it"
           : engine == LM_ENGINE_RTCW || engine == LM_ENGINE_RTCW_SP
               ? "RtCW may misread the scripts after it"
               : "ioquake3 ignores the script";
}

/* Reports the damage of a script that the model uses, once. */
static void report_damage(const making *m, const lm_scripts_file *file) {
    lm_context *c = m->context;
    const char *text =
        lmi_arena_printf(c->arena, "line %u: %s; %s", (unsigned)file->script->damage_line,
                         file->script->damage, reaction_to_damage(m, file->path));
    bool reported = !text;
    for (size_t i = 0; !reported && i < c->diagnostics.count; i++)
        reported = strcmp(c->diagnostics.list[i].subject, file->path) == 0 &&
                   strcmp(c->diagnostics.list[i].text, text) == 0;
    if (!reported)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, LM_CODE_IO, file->path, "%s",
                        text);
}

/* Returns whether the scripts of that number occur earlier: in this list, or in an earlier
 * part's. */
static bool is_reported(const making *m, uint32_t number) {
    const lm_scripts *scripts = m->own->found.scripts[number];
    for (uint32_t part = 0; part <= m->part; part++) {
        const lm_found_textures *list = &m->all[part].found;
        const uint32_t count = part < m->part ? list->num_scripts : number;
        for (uint32_t i = 0; i < count; i++)
            if (list->scripts[i] == scripts)
                return true;
    }
    return false;
}

static void report_shader(lm_context *c, const lm_found_texture *found) {
    const lm_shader *shader = found->texture.shader;
    const char *path = shader->path;
    for (uint32_t i = 0; i < found->script.num_notes; i++) {
        const lm_script_note *n = &found->script.notes[i];
        lmi_context_add(c, LM_SUBJECT_TEXTURE, n->rejected ? LM_SEVERITY_WARNING : LM_SEVERITY_NOTE,
                        LM_CODE_SHADER_WORD, path, "line %u: shader %s: %s%s", (unsigned)n->line,
                        shader->name, n->text, n->rejected ? "; the games reject the shader" : "");
    }
    for (uint32_t i = 0; i < found->script.num_images; i++) {
        const lm_image_ref *image = &found->images[i];
        if (image->problem)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, image->code, path,
                            "line %u: shader %s: cannot use image %s: %s", (unsigned)shader->line,
                            shader->name, image->shown, image->problem);
        else if (!image->path)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, LM_CODE_SHADER_IMAGE, path,
                            "line %u: shader %s: image %s not found; the games reject the shader",
                            (unsigned)shader->line, shader->name, image->name);
    }
}

/* Adds the diagnostics of a texture when the first surface uses it. */
static void report_new(making *m, uint32_t number) {
    const lm_found_textures *list = &m->own->found;
    const lm_found_texture *found = &list->textures[number];
    if (number < m->own->num_reported)
        return;
    m->own->num_reported = number + 1;
    for (uint32_t i = 0; found->opened_scripts && i < list->num_scripts; i++)
        if (list->scripts[i]->problem_path && !is_reported(m, i)) /* once per source */
            lmi_context_add(m->context, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING,
                            list->scripts[i]->problem.code, list->scripts[i]->problem_path, "%s",
                            list->scripts[i]->problem.message);
    if (found->file && found->file->script->damage)
        report_damage(m, found->file);
    if (found->images)
        report_shader(m->context, found);
}

/* Reports the problem of an image that was not searched for. A program that limits the pixels of
 * textures does without an image that exceeds this limit. */
static void report_problem(const making *m, const lm_image_ref *image) {
    lm_context *c = m->context;
    const bool limited =
        image->code == LM_CODE_LIMIT && m->parts->settings->options->max_pixels > 0;
    if (image->given && !image->map && !limited)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_BAD_OPTION, c->path,
                        "skin %s: %s", image->name, image->problem);
    else
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, image->code, c->path,
                        "cannot use texture %s: %s", image->shown, image->problem);
}

static void report_texture(const making *m, const lm_found_texture *found) {
    lm_context *c = m->context;
    const lm_image_ref *own = &found->own;
    if (found->texture.unsafe)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, LM_CODE_UNSAFE_PATH, c->path,
                        lmi_path_is_absolute(lmi_shown_image(found)->name)
                            ? "the texture name %s is an absolute path; its file name is searched "
                              "for in the model's folder"
                            : "the texture name %s leads outside the search path",
                        lmi_shown_image(found)->name);
    if (own->problem && own->path && !found->texture.shader)
        report_problem(m, own);
    for (unsigned map = 0; found->maps && map < LM_NUM_MAPS; map++)
        if (found->maps[map].problem)
            report_problem(m, &found->maps[map]);
}

/* ---- Textures ------------------------------------------------------------------------------ */

/* Copies a script's shader, with the scene's image numbers instead of the script's. */
static const lm_shader *make_shader(lm_context *c, const lm_found_texture *found) {
    const lm_shader *from = &found->script.shader;
    lm_shader *shader = lmi_arena_alloc(c->arena, 1, sizeof *shader);
    lm_stage *stages = lmi_arena_alloc(c->arena, from->num_stages, sizeof *stages);
    for (uint32_t i = 0; stages && i < from->num_stages; i++) {
        const lm_stage *stage = &from->stages[i];
        uint32_t *numbers = lmi_arena_alloc(c->arena, stage->num_images, sizeof *numbers);
        for (uint32_t k = 0; numbers && k < stage->num_images; k++)
            numbers[k] = found->images[stage->images[k]].image;
        stages[i] = *stage;
        stages[i].images = numbers;
    }
    if (!shader)
        return NULL;
    *shader = *from;
    shader->stages = stages;
    return shader;
}

/* Completes the public description of a part's textures. */
static void publish(const making *m) {
    lm_found_textures *list = &m->own->found;
    lm_asset *asset = &m->parts->files[m->part];
    lm_asset_texture *textures = lmi_arena_alloc(m->context->arena, list->count, sizeof *textures);
    for (uint32_t i = 0; textures && i < list->count; i++) {
        lm_found_texture *found = &list->textures[i];
        const lm_image_ref *shown = lmi_shown_image(found);
        lm_asset_texture *t = &found->texture;
        if (found->images && i >= m->own->num_reported)
            t->shader = make_shader(m->context, found);
        t->path = shown->path;
        t->image = found->is_reflected ? LM_NO_TEXTURE : shown->image;
        t->unsafe = shown->unsafe;
        t->num_tried = shown->num_tried;
        const char **paths = NULL;
        if (found->maps) // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
            paths = lmi_arena_zeros(m->context->arena, LM_NUM_MAPS, sizeof *paths);
        for (unsigned map = 0; paths && map < LM_NUM_MAPS; map++)
            paths[map] = found->maps[map].path;
        t->maps = paths;
        textures[i] = *t;
    }
    asset->skin_path = m->own->names.skin_path;
    asset->textures = textures;
    asset->num_textures = list->count;
}

/* ---- Skins --------------------------------------------------------------------------------- */

/* Returns a material's name: the same as without textures, except for the other skins of an MD2. */
static const char *material_name(const making *m, uint32_t surface, uint32_t skin) {
    const lm_scene_part *part = &m->parts->parts[m->part];
    const lm_surface *s = &part->model->surfaces[surface];
    if (s->num_materials > 0 && s->materials[0].name[0])
        return s->materials[0].name;
    const char *name = lmi_skin_name(&m->own->names, skin);
    return name ? name : part->name;
}

/* Returns a copy of a shader without stages: the options force an alpha mode, or no stage would
 * show anything. */
static lm_shader *without_stages(lm_context *c, const lm_shader *shader) {
    lm_shader *bare = shader ? lmi_arena_alloc(c->arena, 1, sizeof *bare) : NULL;
    if (bare) {
        *bare = *shader;
        bare->num_stages = bare->base = 0;
    }
    return bare;
}

static bool is_missing(const lm_image_ref *image) {
    return !image->path || image->problem;
}

/* Returns whether a script lacks images without which it shows nothing, or only lights, films and
 * reflections over nothing: no stage has its image but blended reflections, or one that is not
 * blended has none and all others are. */
static bool lacks_images(const lm_found_texture *found) {
    const lm_shader *shader = &found->script.shader;
    bool solid_missing = false, any_missing = false, solid = false, any = false;
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const lm_stage *stage = &shader->stages[i];
        if (stage->num_images == 0)
            continue;
        const bool missing = is_missing(&found->images[stage->images[0]]);
        any_missing = any_missing || missing;
        any = any || (!missing && !(stage->blended && stage->tc_gen == LM_TC_GEN_ENVIRONMENT));
        solid_missing = solid_missing || (missing && !stage->blended);
        solid = solid || (!missing && !stage->blended);
    }
    return any_missing && (!any || (solid_missing && !solid));
}

static lm_scene_material make_material(const making *m, const lm_found_texture *found) {
    lm_scene_material material = {.texture = LM_NO_TEXTURE};
    lm_alpha_use use = m->parts->settings->options->alpha;
    if (!found)
        return material;
    const lm_asset_texture *texture = &found->texture;
    /* The images of a texture's maps; NULL: none was read. */
    uint32_t *images = NULL;
    bool any = false;
    if (found->maps)
        images = lmi_arena_alloc(m->context->arena, LM_NUM_MAPS, sizeof *images);
    for (unsigned map = 0; images && map < LM_NUM_MAPS; map++) {
        images[map] = found->maps[map].path ? found->maps[map].image : LM_NO_TEXTURE;
        any = any || images[map] != LM_NO_TEXTURE;
    }
    material.maps = any ? images : NULL;
    material.texture = texture->image;
    material.shader = texture->shader;
    /* Such a surface is drawn as one without a texture. */
    const bool plain = texture->shader && found->images && lacks_images(found);
    if (plain) {
        lm_shader *bare = without_stages(m->context, texture->shader);
        if (bare && texture->image == LM_NO_TEXTURE)
            bare->num_deforms = 0;
        material.shader = bare;
    }
    if (use != LM_ALPHA_USE_AUTO) {
        material.alpha = (lm_alpha)(use - LM_ALPHA_USE_OPAQUE);
        material.shader = without_stages(m->context, texture->shader);
    } else if (texture->shader && !(plain && texture->image == LM_NO_TEXTURE)) {
        lm_shader_summary summary;
        lm_shader_summarize(texture->shader, &summary);
        material.alpha = summary.alpha;
    } else if (texture->image != LM_NO_TEXTURE &&
               !(m->parts->files[m->part].model->features & LM_FEATURE_SURFACES)) {
        material.alpha = m->images->textures[texture->image].alpha;
    }
    return material;
}

/* Returns whether the skin has an image, or a shader, which may work without. */
static bool make_skin(making *m, uint32_t skin, lm_material_set *out) {
    const lm_texture_names *names = &m->own->names;
    const uint32_t count = names->model->num_surfaces;
    const char *name = lmi_skin_name(names, skin);
    bool any = false;
    lm_scene_material *materials = lmi_arena_alloc(m->context->arena, count, sizeof *materials);
    *out = (lm_material_set){.name = name ? name : "default", .materials = materials};
    for (uint32_t i = 0; materials && i < count; i++) {
        const uint32_t index = names->of_surfaces[(size_t)skin * count + i];
        const lm_found_texture *found = index == LM_NO_NAME ? NULL : &m->own->found.textures[index];
        materials[i] = make_material(m, found);
        materials[i].name = material_name(m, i, skin);
        any = any || materials[i].texture != LM_NO_TEXTURE || materials[i].shader;
        if (found) {
            report_new(m, index);
            report_texture(m, found);
        }
    }
    return any;
}

bool lmi_materials_make(lm_parts *parts, uint32_t part, lm_part_textures *textures,
                        const lm_images *images) {
    lm_context *c = parts->context;
    lm_part_textures *own = &textures[part];
    making m = {c, parts, part, textures, own, images};
    lm_scene_part *p = &parts->parts[part];
    const uint32_t count = own->names.num_skins;
    lm_material_set *skins = lmi_arena_alloc(c->arena, count, sizeof *skins);
    publish(&m);
    p->num_skins = p->skin = 0;
    for (uint32_t skin = 0; skins && skin < count && !lmi_arena_failed(c->arena); skin++)
        if (make_skin(&m, skin, &skins[skin]) && p->num_skins == 0) {
            p->num_skins = count;
            p->skin = skin;
        }
    const uint32_t asked = part == 0 ? parts->settings->options->listed_skin : 0;
    const uint32_t listed = asked > 0 ? asked : parts->listed[part];
    if (listed > 0 && listed <= p->num_skins)
        p->skin = listed - 1;
    p->skins = p->num_skins > 0 ? skins : NULL;
    return !lmi_arena_failed(c->arena);
}
