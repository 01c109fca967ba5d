#include "core/crc.h"
#include "export/gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Shaders ------------------------------------------------------------------------------ */

/* Converts the properties of a shader that glTF can express: sides, alpha, scaled textures. Counts
 * the others. */

static void read_coordinates(const lm_stage *stage, lm_gltf_appearance *appearance) {
    lm_stage_state state;
    lm_stage_at(stage, 0, &state);
    appearance->clamp = stage->clamp;
    for (uint32_t i = 0; i < stage->num_tc_mods; i++) {
        const lm_tc_mod *mod = &stage->tc_mods[i];
        const float *matrix = state.steps[i].matrix;
        /* KHR_texture_transform scales, then shifts, without animation. */
        if (mod->kind != LM_TC_MOD_SCALE &&
            (mod->kind != LM_TC_MOD_TRANSFORM || mod->values[1] != 0 || mod->values[2] != 0)) {
            appearance->num_dropped++;
            continue;
        }
        for (unsigned k = 0; k < 2; k++) {
            appearance->scale[k] *= matrix[3 * k];
            appearance->offset[k] = appearance->offset[k] * matrix[3 * k] + matrix[4 + k];
        }
    }
    bool finite = isfinite(appearance->scale[0]) && isfinite(appearance->scale[1]) &&
                  isfinite(appearance->offset[0]) && isfinite(appearance->offset[1]);
    appearance->moved = finite && (appearance->scale[0] != 1 || appearance->scale[1] != 1 ||
                                   appearance->offset[0] != 0 || appearance->offset[1] != 0);
    appearance->num_dropped += !finite;
}

static void read_stages(const lm_shader *shader, lm_gltf_appearance *appearance) {
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const lm_stage *stage = &shader->stages[i];
        if (i == 0) {
            /* alphaMode has no other blend factors, and no test for lower values. */
            const bool mixed = stage->source == LM_BLEND_SRC_ALPHA &&
                               stage->destination == LM_BLEND_ONE_MINUS_SRC_ALPHA;
            appearance->num_dropped +=
                (uint32_t)(stage->blended && !mixed) + (stage->alpha_test == LM_TEST_LT128);
            if (stage->alpha_test == LM_TEST_GT0) /* less than the smallest 8-bit alpha above 0 */
                appearance->cutoff = 1 / 512.f;
        }
        if (i != shader->base) {
            appearance->num_dropped++;
            continue;
        }
        read_coordinates(stage, appearance);
        appearance->num_dropped += (uint32_t)(stage->num_images > 1) +
                                   (stage->rgb_gen >= LM_RGB_CONST) +
                                   (stage->alpha_gen >= LM_ALPHA_GEN_CONST);
    }
}

static lm_gltf_appearance appearance_of(const lm_scene_material *material) {
    const lm_shader *shader = material->shader;
    lm_gltf_appearance appearance = {.alpha = material->alpha, .scale = {1, 1}};
    if (!shader)
        return appearance;
    appearance.hidden = shader->hidden;
    if (appearance.hidden)
        return appearance;
    appearance.both_sides = shader->sides == LM_SIDES_BOTH;
    appearance.num_dropped = shader->num_deforms + (shader->sides == LM_SIDES_BACK);
    read_stages(shader, &appearance);
    return appearance;
}

/* glTF 2.0, 5.26 (sampler): like the games, with linear filters and mipmaps. Textures repeat,
 * except for those of `clampmap`. */
enum {
    LM_GLTF_LINEAR = 9729,
    LM_GLTF_LINEAR_MIPMAP_LINEAR = 9987,
    LM_GLTF_REPEAT = 10497,
    LM_GLTF_CLAMP_TO_EDGE = 33071
};

bool lmi_gltf_write_uri(lm_gltf *g, lm_json *json, const char *name) {
    char *text = lmi_arena_alloc(&g->arena, 3 * (uint64_t)strlen(name) + 1, 1), *out = text;
    if (!text)
        return false;
    for (; *name; name++) {
        const uint8_t c = (uint8_t)*name;
        /* RFC 3986, 2.3: escape all but unreserved characters and slashes. */
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        out += snprintf(out, 4, plain ? "%c" : "%%%02X", c);
    }
    *out = '\0';
    lmi_json_string(json, "uri", text);
    return true;
}

/* ---- Textures ------------------------------------------------------------------------------- */

static bool write_image(lm_gltf *g, const lm_scene_texture *texture) {
    lm_json *json = &g->images.json;
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", texture->name);
    if (g->options->bin_uri) {
        if (!lmi_gltf_write_uri(g, json, texture->uri))
            return false;
    } else {
        size_t offset;
        uint8_t *out = lmi_gltf_reserve(g, LM_STREAM_IMAGES, texture->size, &offset);
        if (!out)
            return false;
        memcpy(out, texture->data, texture->size);
        uint32_t view = lmi_gltf_add_view(g, LM_STREAM_IMAGES, offset, texture->size);
        lmi_json_integer(json, "bufferView", view);
        lmi_json_string(json, "mimeType", texture->mime);
    }
    lmi_json_close(json);
    g->images.count++;
    return true;
}

/* Finds the file's index for a texture of the scene, and writes the texture on first use. */
static bool use_texture(lm_gltf *g, uint32_t index, bool clamp, uint32_t *number) {
    uint32_t *known = &g->file_textures[index][clamp], *image = &g->file_images[index];
    if (*image == 0) {
        if (!write_image(g, &g->scene->textures[index]))
            return false;
        *image = g->images.count;
    }
    if (g->samplers_of[clamp] == 0) {
        const int wrap = clamp ? LM_GLTF_CLAMP_TO_EDGE : LM_GLTF_REPEAT;
        lmi_gltf_print(&g->texture_samplers.json, NULL,
                       "{'magFilter':%d,'minFilter':%d,'wrapS':%d,'wrapT':%d}", LM_GLTF_LINEAR,
                       LM_GLTF_LINEAR_MIPMAP_LINEAR, wrap, wrap);
        g->samplers_of[clamp] = ++g->texture_samplers.count;
    }
    if (*known == 0) {
        *known = ++g->textures.count;
        lmi_gltf_print(&g->textures.json, NULL, "{'sampler':%u,'source':%u}",
                       (unsigned)g->samplers_of[clamp] - 1, (unsigned)*image - 1);
    }
    *number = *known - 1;
    return true;
}

/* ---- Materials ----------------------------------------------------------------------------- */

/* Returns the material of a surface in a skin; if the model has no skins, only a name. */
static lm_scene_material material_of(const lm_gltf_body *body, uint32_t mesh, uint32_t skin) {
    uint32_t index = body->plan.surfaces[mesh];
    const lm_model *model = body->job.model;
    const lm_surface *surface = &model->surfaces[index];
    if (body->part->num_skins > 0)
        return body->part->skins[skin].materials[index];
    const char *name = body->job.name;
    if (surface->num_materials > 0 && surface->materials[0].name[0])
        name = surface->materials[0].name;
    else if (model->num_skins > 0 && model->skins[0][0])
        name = model->skins[0];
    return (lm_scene_material){.name = name, .texture = LM_NO_TEXTURE};
}

static void write_texture(lm_gltf *g, lm_json *json, uint32_t texture,
                          const lm_gltf_appearance *appearance) {
    lmi_json_open(json, "baseColorTexture", '{');
    lmi_json_integer(json, "index", texture);
    if (appearance->moved) {
        g->uses_transform = true;
        lmi_json_open(json, "extensions", '{');
        lmi_json_open(json, "KHR_texture_transform", '{');
        lmi_gltf_write_floats(json, "offset", appearance->offset, 2);
        lmi_gltf_write_floats(json, "scale", appearance->scale, 2);
        lmi_json_close(json);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

static void write_map(lm_json *json, const char *key, uint32_t texture) {
    lmi_gltf_print(json, key, "{'index':%u}", (unsigned)texture);
}

/* Finds the file's textures for a material's maps; LM_NO_INDEX: no such map. Unlit materials have
 * none. */
static bool use_maps(lm_gltf *g, const lm_scene_material *material, uint32_t maps[LM_NUM_MAPS]) {
    for (unsigned i = 0; i < LM_NUM_MAPS; i++) {
        maps[i] = LM_NO_INDEX;
        if (material->maps && material->maps[i] != LM_NO_TEXTURE && !g->options->unlit &&
            !use_texture(g, material->maps[i], false, &maps[i]))
            return false;
    }
    return true;
}

/* Writes the maps that core glTF has outside pbrMetallicRoughness. */
static void write_maps(lm_json *json, const uint32_t maps[LM_NUM_MAPS]) {
    static const float one[] = {1, 1, 1};
    if (maps[LM_MAP_NORMAL] != LM_NO_INDEX)
        write_map(json, "normalTexture", maps[LM_MAP_NORMAL]);
    if (maps[LM_MAP_EMISSIVE] == LM_NO_INDEX)
        return;
    write_map(json, "emissiveTexture", maps[LM_MAP_EMISSIVE]);
    lmi_gltf_write_floats(json, "emissiveFactor", one, 3);
}

static void write_material_extensions(lm_gltf *g, lm_json *json, uint32_t specular) {
    if (g->options->unlit)
        lmi_gltf_print(json, "extensions", "{'KHR_materials_unlit':{}}");
    else if (specular != LM_NO_INDEX)
        lmi_gltf_print(json, "extensions",
                       "{'KHR_materials_specular':{'specularColorTexture':{'index':%u}}}",
                       (unsigned)specular);
    g->uses_specular = g->uses_specular || (!g->options->unlit && specular != LM_NO_INDEX);
}

/* Writes the shader's name, and the file name of its script; of a weapon also the image and the sum
 * of its bytes, by which an import knows whether it is still the game's. */
static void write_extras(const lm_gltf *g, lm_json *json, const lm_scene_material *material) {
    const lm_shader *shader = material->shader && material->shader->name ? material->shader : NULL;
    const bool image = material->texture != LM_NO_TEXTURE && lmi_gltf_is_weapon(g);
    const char *path = shader && shader->path ? shader->path : "", *slash = strrchr(path, '/');
    if (!shader && !image)
        return;
    lmi_json_open(json, "extras", '{');
    if (shader)
        lmi_json_string(json, "shader", shader->name);
    if (*path)
        lmi_json_string(json, "script", slash ? slash + 1 : path);
    if (image) {
        const lm_scene_texture *texture = &g->scene->textures[material->texture];
        char sum[9];
        snprintf(sum, sizeof sum, "%08x", (unsigned)lmi_crc32(0, texture->data, texture->size));
        if (shader)
            lmi_json_string(json, "image", texture->name);
        lmi_json_string(json, "imageSum", sum);
    }
    lmi_json_close(json);
}

/* Writes a material with its textures, as the last of the list. */
static bool write_material(lm_gltf *g, const lm_scene_material *material) {
    uint32_t texture = LM_NO_INDEX, maps[LM_NUM_MAPS];
    const lm_gltf_appearance appearance = appearance_of(material);
    lm_json *json = lmi_gltf_open(&g->materials, &g->material_names, material->name);
    if (!json ||
        (material->texture != LM_NO_TEXTURE &&
         !use_texture(g, material->texture, appearance.clamp, &texture)) ||
        !use_maps(g, material, maps))
        return false;
    const uint32_t roughness = maps[LM_MAP_ROUGHNESS];
    static const float transparent[] = {1, 1, 1, 0};
    lmi_json_open(json, "pbrMetallicRoughness", '{');
    if (appearance.hidden) /* present, and below any cutoff */
        lmi_gltf_write_floats(json, "baseColorFactor", transparent, 4);
    if (texture != LM_NO_INDEX)
        write_texture(g, json, texture, &appearance);
    if (roughness != LM_NO_INDEX)
        write_map(json, "metallicRoughnessTexture", roughness);
    lmi_json_integer(json, "metallicFactor", 0);
    lmi_json_close(json);
    write_maps(json, maps);
    if (appearance.hidden || material->texture != LM_NO_TEXTURE) {
        if (appearance.hidden || appearance.alpha == LM_ALPHA_MASK)
            lmi_json_string(json, "alphaMode", "MASK");
        else if (appearance.alpha == LM_ALPHA_BLEND)
            lmi_json_string(json, "alphaMode", "BLEND");
        if (appearance.alpha == LM_ALPHA_MASK && appearance.cutoff > 0) /* 0.5 is the default */
            lmi_json_float(json, "alphaCutoff", appearance.cutoff);
    }
    if (appearance.both_sides)
        lmi_json_bool(json, "doubleSided", true);
    write_material_extensions(g, json, maps[LM_MAP_SPECULAR]);
    write_extras(g, json, material);
    lmi_json_close(json);
    g->num_dropped += appearance.num_dropped;
    return true;
}

static bool is_same_material(const lm_scene_material *a, const lm_scene_material *b) {
    const bool same_maps = a->maps && b->maps
                               ? memcmp(a->maps, b->maps, LM_NUM_MAPS * sizeof *a->maps) == 0
                               : a->maps == b->maps;
    return a->texture == b->texture && a->alpha == b->alpha && a->shader == b->shader &&
           same_maps && strcmp(a->name, b->name) == 0;
}

bool lmi_gltf_use_material(lm_gltf *g, uint32_t first, const lm_scene_material *material,
                           uint32_t *number) {
    for (*number = first; *number < g->materials.count; ++*number)
        if (is_same_material(&g->written_materials[*number], material))
            return true;
    if (!lmi_arena_grow(&g->arena, &g->written_materials, &g->materials_capacity,
                        *number + (size_t)1, sizeof *g->written_materials))
        return false;
    g->written_materials[*number] = *material;
    return write_material(g, material);
}

bool lmi_gltf_find_materials(lm_gltf_body *body, uint32_t mesh, uint32_t *current) {
    uint32_t *numbers = body->mesh_materials + (size_t)mesh * body->num_skins;
    if (mesh == 0)
        body->first_material = body->g->materials.count;
    for (uint32_t skin = 0; skin < body->num_skins; skin++) {
        const lm_scene_material material = material_of(body, mesh, skin);
        if (!lmi_gltf_use_material(body->g, body->first_material, &material, &numbers[skin]))
            return false;
    }
    *current = numbers[body->part->num_skins ? body->part->skin : 0];
    return true;
}

/* ---- Variants ------------------------------------------------------------------------------- */

/* Finds the variant of a skin. Skins with the same name on several models share one. */
static bool find_variant(lm_gltf_body *body, uint32_t skin) {
    lm_gltf *g = body->g;
    const char *wanted = body->part->skins[skin].name;
    unsigned num_same = 0; /* earlier skins of this name that look different */
    for (uint32_t i = 0; i < skin; i++)
        num_same +=
            body->variants[i] != LM_NO_INDEX && strcmp(body->part->skins[i].name, wanted) == 0;
    const char *text = lmi_arena_printf(&g->arena, "%u %s", num_same, wanted);
    lm_name *key = text ? lmi_names_put(&g->variant_keys, text) : NULL;
    if (!key)
        return false;
    if (key->number == 0) {
        lm_json *json = lmi_gltf_open(&g->variants, &g->variant_names, wanted);
        if (!json)
            return false;
        lmi_json_close(json);
        key->number = g->variants.count;
    }
    body->variants[skin] = key->number - 1;
    return true;
}

static bool uses_same(const lm_gltf_body *body, uint32_t skin, uint32_t other) {
    for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++) {
        lm_scene_material a = material_of(body, mesh, skin), b = material_of(body, mesh, other);
        if (!is_same_material(&a, &b))
            return false;
    }
    return true;
}

/* Marks duplicates of earlier skins, which get no variant. */
static bool find_repeated(lm_gltf_body *body) {
    lm_names names = {.arena = &body->g->arena};
    uint32_t count = 0;
    for (uint32_t skin = 0; skin < body->part->num_skins; skin++) {
        lm_name *name = lmi_names_put(&names, body->part->skins[skin].name);
        if (!name)
            return false;
        bool again = name->number > 0 && uses_same(body, name->number - 1, skin);
        name->number = name->number > 0 ? name->number : skin + 1;
        body->variants[skin] = again ? LM_NO_INDEX : 0;
        count += !again;
    }
    body->has_variants = count > 1;
    return true;
}

bool lmi_gltf_find_variants(lm_gltf_body *body) {
    if (body->part->num_skins < 2 || body->plan.num_meshes == 0)
        return true;
    if (!find_repeated(body))
        return false;
    for (uint32_t skin = 0; skin < body->part->num_skins && body->has_variants; skin++)
        if (body->variants[skin] != LM_NO_INDEX && !find_variant(body, skin))
            return false;
    return true;
}

void lmi_gltf_write_mappings(const lm_gltf_body *body, uint32_t mesh) {
    lm_json *json = &body->g->meshes.json;
    if (!body->has_variants)
        return;
    lmi_json_open(json, "extensions", '{');
    lmi_json_open(json, "KHR_materials_variants", '{');
    lmi_json_open(json, "mappings", '[');
    for (uint32_t skin = 0; skin < body->num_skins; skin++) {
        if (body->variants[skin] == LM_NO_INDEX)
            continue;
        lmi_gltf_print(json, NULL, "{'material':%u,'variants':[%u]}",
                       (unsigned)body->mesh_materials[mesh * body->num_skins + skin],
                       (unsigned)body->variants[skin]);
    }
    for (unsigned i = 0; i < 3; i++)
        lmi_json_close(json);
}
