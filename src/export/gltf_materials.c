#include "export/gltf.h"

#include <string.h>

/* glTF 2.0, 5.26 (sampler): as games do, which repeat textures and mix neighbours and mipmaps. */
enum {
    LM_GLTF_LINEAR = 9729,
    LM_GLTF_LINEAR_MIPMAP_LINEAR = 9987,
    LM_GLTF_REPEAT = 10497
};

bool lm_gltf_write_uri(lm_gltf *g, lm_json *json, const char *name) {
    lm_buffer text = {.allocator = g->streams[0].allocator};
    for (const char *p = name; *p; p++) {
        uint8_t c = (uint8_t)*p;
        /* RFC 3986, 2.3: all but unreserved characters and slashes are escaped. */
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        lm_buffer_printf(&text, plain ? "%c" : "%%%02X", c);
    }
    lm_buffer_append(&text, "", 1);
    if (!text.failed)
        lm_json_string(json, "uri", (const char *)text.data);
    bool ok = !text.failed;
    lm_buffer_free(&text);
    return ok;
}

/* ---- Textures ---------------------------------------------------------------------------------
 */

static bool write_image(lm_gltf *g, const lm_scene_texture *texture, struct lm_gltf_image *image) {
    lm_json_open(&g->images, NULL, '{');
    lm_json_string(&g->images, "name", texture->name);
    if (g->options->glb) {
        uint8_t *out = lm_gltf_reserve(g, LM_STREAM_IMAGES, texture->size, &image->offset);
        if (!out)
            return false;
        memcpy(out, texture->data, texture->size);
        image->view = g->num_views++;
        lm_json_integer(&g->images, "bufferView", image->view);
        lm_json_string(&g->images, "mimeType", texture->mime);
    } else if (!lm_gltf_write_uri(g, &g->images, texture->uri)) {
        return false;
    }
    lm_json_close(&g->images);
    return true;
}

/* The file's number for a texture of the scene, which gets one when it is first used. */
static bool use_texture(lm_gltf *g, uint32_t index, uint32_t *number) {
    struct lm_gltf_image *image = &g->image_places[index];
    if (image->texture == LM_NO_INDEX) {
        if (!write_image(g, &g->scene->textures[index], image))
            return false;
        image->texture = g->num_textures++;
        lm_json_open(&g->textures, NULL, '{');
        lm_json_integer(&g->textures, "sampler", 0);
        lm_json_integer(&g->textures, "source", image->texture);
        lm_json_close(&g->textures);
    }
    *number = image->texture;
    return true;
}

/* ---- Materials --------------------------------------------------------------------------------
 */

/* What a model without skins is dressed in: a name. */
static lm_scene_material plain_material(const lm_gltf_body *body, const lm_surface *surface) {
    const lm_model *model = body->job.model;
    const char *name = body->job.name;
    if (surface->num_materials > 0 && surface->materials[0].name[0])
        name = surface->materials[0].name;
    else if (model->num_skins > 0 && model->skins[0][0])
        name = model->skins[0];
    return (lm_scene_material){name, LM_NO_TEXTURE};
}

static uint32_t num_skins(const lm_gltf_body *body) {
    return body->part->num_skins ? body->part->num_skins : 1;
}

static lm_scene_material material_of(const lm_gltf_body *body, uint32_t mesh, uint32_t skin) {
    uint32_t surface = body->plan.surfaces[mesh];
    if (body->part->num_skins == 0)
        return plain_material(body, &body->job.model->surfaces[surface]);
    return body->part->skins[skin].materials[surface];
}

static void write_alpha(lm_gltf *g, lm_alpha alpha) {
    if (alpha == LM_ALPHA_MASK) /* from one half on: what alphaCutoff is by default */
        lm_json_string(&g->materials, "alphaMode", "MASK");
    else if (alpha == LM_ALPHA_BLEND)
        lm_json_string(&g->materials, "alphaMode", "BLEND");
}

static bool write_material(lm_gltf *g, const lm_scene_material *material) {
    uint32_t texture = 0;
    bool textured = material->texture != LM_NO_TEXTURE;
    const char *name = lm_names_add(&g->material_names, material->name);
    if (!name || (textured && !use_texture(g, material->texture, &texture)))
        return false;
    lm_json_open(&g->materials, NULL, '{');
    lm_json_string(&g->materials, "name", name);
    lm_json_open(&g->materials, "pbrMetallicRoughness", '{');
    if (textured) {
        lm_json_open(&g->materials, "baseColorTexture", '{');
        lm_json_integer(&g->materials, "index", texture);
        lm_json_close(&g->materials);
    }
    lm_json_integer(&g->materials, "metallicFactor", 0);
    lm_json_close(&g->materials);
    if (textured)
        write_alpha(g, g->scene->textures[material->texture].alpha);
    lm_json_close(&g->materials);
    g->num_materials++;
    return true;
}

/* A material of the body that was written before and is the same. */
static bool find_same(const lm_gltf_body *body, const lm_scene_material *material, uint32_t end,
                      uint32_t *number) {
    for (uint32_t i = 0; i < end; i++) {
        lm_scene_material other = material_of(body, i / num_skins(body), i % num_skins(body));
        if (other.texture != material->texture || strcmp(other.name, material->name) != 0)
            continue;
        *number = body->mesh_materials[i];
        return true;
    }
    return false;
}

bool lm_gltf_find_materials(lm_gltf *g, uint32_t mesh, uint32_t *worn) {
    const lm_gltf_body *body = g->body;
    uint32_t first = mesh * num_skins(body);
    for (uint32_t skin = 0; skin < num_skins(body); skin++) {
        lm_scene_material material = material_of(body, mesh, skin);
        uint32_t *number = &body->mesh_materials[first + skin];
        if (find_same(body, &material, first + skin, number))
            continue;
        *number = g->num_materials;
        if (!write_material(g, &material))
            return false;
    }
    *worn = body->mesh_materials[first + (body->part->num_skins ? body->part->skin : 0)];
    return true;
}

/* ---- Variants ---------------------------------------------------------------------------------
 */

static bool is_taken(const lm_gltf_body *body, uint32_t skin, uint32_t variant) {
    for (uint32_t i = 0; i < skin; i++)
        if (body->variants[i] == variant)
            return true;
    return false;
}

/* Skins of the same name on several models are one variant. */
static bool find_variant(lm_gltf *g, uint32_t skin) {
    const char *wanted = g->body->part->skins[skin].name;
    uint32_t variant = 0;
    while (variant < g->num_variants &&
           (strcmp(g->variant_texts[variant], wanted) != 0 || is_taken(g->body, skin, variant)))
        variant++;
    g->body->variants[skin] = variant;
    if (variant < g->num_variants)
        return true;
    const char *name = lm_names_add(&g->variant_names, wanted);
    if (!name)
        return false;
    g->variant_texts[g->num_variants++] = wanted;
    lm_json_open(&g->variants, NULL, '{');
    lm_json_string(&g->variants, "name", name);
    lm_json_close(&g->variants);
    return true;
}

bool lm_gltf_find_variants(lm_gltf *g) {
    if (g->body->part->num_skins < 2 || g->body->plan.num_meshes == 0)
        return true;
    for (uint32_t skin = 0; skin < g->body->part->num_skins; skin++)
        if (!find_variant(g, skin))
            return false;
    return true;
}

void lm_gltf_write_mappings(lm_gltf *g, uint32_t mesh) {
    const lm_gltf_body *body = g->body;
    if (body->part->num_skins < 2)
        return;
    lm_json_open(&g->meshes, "extensions", '{');
    lm_json_open(&g->meshes, "KHR_materials_variants", '{');
    lm_json_open(&g->meshes, "mappings", '[');
    for (uint32_t skin = 0; skin < body->part->num_skins; skin++) {
        lm_json_open(&g->meshes, NULL, '{');
        lm_json_integer(&g->meshes, "material",
                        body->mesh_materials[mesh * body->part->num_skins + skin]);
        lm_json_open(&g->meshes, "variants", '[');
        lm_json_integer(&g->meshes, NULL, body->variants[skin]);
        lm_json_close(&g->meshes);
        lm_json_close(&g->meshes);
    }
    for (unsigned i = 0; i < 3; i++)
        lm_json_close(&g->meshes);
}

/* ---- In the document --------------------------------------------------------------------------
 */

void lm_gltf_write_samplers(lm_json *json) {
    lm_json_open(json, "samplers", '[');
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "magFilter", LM_GLTF_LINEAR);
    lm_json_integer(json, "minFilter", LM_GLTF_LINEAR_MIPMAP_LINEAR);
    lm_json_integer(json, "wrapS", LM_GLTF_REPEAT);
    lm_json_integer(json, "wrapT", LM_GLTF_REPEAT);
    lm_json_close(json);
    lm_json_close(json);
}
