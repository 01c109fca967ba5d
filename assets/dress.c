/* Textures found, pictures read, parts dressed. */
#include "opening.h"

#include "core/names.h"
#include "core/report.h"
#include "system.h"

#include <stdio.h>
#include <string.h>

#define MAX_COMPARED 256 /* textures of a part that are looked for once; those beyond each time */

/* ---- Textures ------------------------------------------------------------------------------ */

static lm_worn *find_worn(const lm_part_state *state, const lm_texture_name *name) {
    for (uint32_t i = 0; i < state->num_worn && i < MAX_COMPARED; i++) {
        lm_worn *worn = &state->worn[i];
        if (worn->sought.given == name->given &&
            worn->sought.is_guess == (name->source == LM_TEXTURE_GUESSED) &&
            strncmp(worn->texture.name, name->text, name->length) == 0 &&
            worn->texture.name[name->length] == '\0')
            return worn;
    }
    return NULL;
}

/* Whether a picture's path is its name's, whatever their extensions. */
static bool is_where_named(const lm_sought *sought) {
    char path[LM_PATH_SIZE];
    const char *found = sought->inside, *dot = strrchr(found, '.');
    size_t length = dot ? (size_t)(dot - found) : strlen(found);
    return lm_path_clean(sought->name, path) && lm_begins_same(path, found, length) &&
           (path[length] == '\0' || path[length] == '.');
}

static void find_texture(lm_opening *o, lm_lookup *lookup, lm_worn *worn, bool shaded) {
    lm_asset_texture *t = &worn->texture;
    lm_sought *sought = &worn->sought;
    if (!shaded || !lm_shade(o, lookup, worn)) {
        lm_seek_picture(o, lookup, sought);
        if (sought->path && o->settings.options->pictures != LM_PICTURES_FOUND)
            lm_read_picture(o, lookup, sought);
        if (sought->path)
            t->way = sought->model || sought->given || is_where_named(sought)
                         ? LM_FOUND_BY_NAME
                         : LM_FOUND_BY_FALLBACK;
        else if (shaded && lm_leave_out(o, lookup, worn))
            t->way = LM_FOUND_LEFT_OUT;
    }
    t->path = sought->path;
    t->picture = sought->picture;
    t->unsafe = sought->unsafe;
    t->num_tried = sought->num_tried;
}

/* The texture that a surface wears in a skin, found and, where that is wanted, read; NULL if it
 * wears none, or without memory. */
static lm_worn *wear(lm_opening *o, uint32_t part, uint32_t surface, uint32_t skin) {
    lm_part_state *state = &o->states[part];
    lm_texture_name name = lm_lookup_name(o->disk, &state->lookup, surface, skin);
    lm_worn *worn = name.text ? find_worn(state, &name) : NULL;
    if (!name.text || worn)
        return worn;
    if (!lm_pool_grow(&o->pool, (void **)&state->worn, &state->worn_capacity, state->num_worn,
                      sizeof *state->worn))
        return NULL;
    worn = &state->worn[state->num_worn];
    *worn = (lm_worn){.sought = {.given = name.given,
                                 .is_guess = name.source == LM_TEXTURE_GUESSED,
                                 .skin = skin,
                                 .picture = LM_NO_TEXTURE}};
    worn->texture.name = worn->sought.name = lm_pool_text(&o->pool, name.text, name.length);
    worn->texture.source = name.source;
    if (name.source == LM_TEXTURE_EMBEDDED)
        worn->sought.model = state->lookup.model;
    if (!worn->texture.name)
        return NULL;
    find_texture(o, &state->lookup, worn, name.shaded);
    state->num_worn++;
    return worn;
}

static void note_worn(lm_opening *o, const lm_worn *worn) {
    if (worn->texture.unsafe)
        lm_note(o, LM_SUBJECT_TEXTURE, LM_WARNING, LM_CODE_UNSAFE_PATH, o->path,
                lm_path_is_absolute(worn->sought.name)
                    ? "the texture name %s is an absolute path, which is ignored: only its last "
                      "part is looked for, beside the model"
                    : "the texture name %s leads outside the folders where textures are looked for",
                worn->sought.name);
    if (worn->sought.problem)
        lm_note(o, LM_SUBJECT_TEXTURE, LM_WARNING, worn->sought.code, o->path,
                "the texture %s is not used: %s", worn->sought.shown, worn->sought.problem);
}

/* ---- Skins --------------------------------------------------------------------------------- */

/* What a material is called: as without textures, but for the other skins of an MD2. */
static const char *material_name(const lm_scene_part *part, const lm_lookup *lookup,
                                 uint32_t surface, uint32_t skin) {
    const lm_surface *s = &part->model->surfaces[surface];
    if (s->num_materials > 0 && s->materials[0].name[0])
        return s->materials[0].name;
    const char *name = lm_lookup_skin_name(lookup, skin);
    return name ? name : part->name;
}

/* Of a shader that is told what alpha is for, all but the stages. */
static const lm_shader *without_stages(lm_opening *o, const lm_shader *shader) {
    lm_shader *bare = shader ? lm_pool_get(&o->pool, 1, sizeof *bare) : NULL;
    if (!bare)
        return NULL;
    *bare = *shader;
    bare->num_stages = bare->base = 0;
    return bare;
}

static lm_scene_material make_material(lm_opening *o, uint32_t part, const lm_asset_texture *worn) {
    lm_scene_material material = {.texture = LM_NO_TEXTURE};
    lm_alpha_use use = o->settings.options->alpha;
    if (!worn)
        return material;
    material.texture = worn->picture;
    material.shader = worn->shader;
    if (use != LM_ALPHA_AUTO) {
        material.alpha = (lm_alpha)(use - LM_ALPHA_ALL_OPAQUE);
        material.shader = without_stages(o, worn->shader);
    } else if (worn->shader) {
        material.alpha = lm_shader_alpha(worn->shader);
    } else if (worn->picture != LM_NO_TEXTURE &&
               !(o->files[part].model->abilities & LM_ABILITY_SURFACES)) {
        material.alpha = o->textures[worn->picture].alpha;
    }
    return material;
}

/* Returns whether the skin has a picture, or a shader that may do without. */
static bool dress_skin(lm_opening *o, uint32_t part, uint32_t skin, lm_scene_skin *out) {
    const lm_model *model = o->files[part].model;
    const lm_lookup *lookup = &o->states[part].lookup;
    const char *name = lm_lookup_skin_name(lookup, skin);
    bool any = false;
    lm_scene_material *materials = lm_pool_get(&o->pool, model->num_surfaces, sizeof *materials);
    *out = (lm_scene_skin){name ? name : "default", materials};
    for (uint32_t i = 0; i < model->num_surfaces && !o->pool.failed; i++) {
        const lm_worn *worn = model->surfaces[i].num_triangles > 0 ? wear(o, part, i, skin) : NULL;
        materials[i] = make_material(o, part, worn ? &worn->texture : NULL);
        materials[i].name = material_name(&o->parts[part], lookup, i, skin);
        any = any || materials[i].texture != LM_NO_TEXTURE || materials[i].shader;
        if (worn)
            note_worn(o, worn);
    }
    return any;
}

static void publish(lm_opening *o, uint32_t part) {
    lm_part_state *state = &o->states[part];
    state->textures = lm_pool_get(&o->pool, state->num_worn, sizeof *state->textures);
    for (uint32_t i = 0; state->textures && i < state->num_worn; i++)
        state->textures[i] = state->worn[i].texture;
    o->files[part].skin_path = state->lookup.skin_path;
    o->files[part].textures = state->textures;
    o->files[part].num_textures = state->num_worn;
}

/* Wears the first skin of which a picture was read, or the one that was asked for; a part that has
 * none stays plain. */
static void dress_skins(lm_opening *o, uint32_t part) {
    lm_scene_part *p = &o->parts[part];
    uint32_t count = lm_lookup_skins(&o->states[part].lookup);
    lm_scene_skin *skins = lm_pool_get(&o->pool, count, sizeof *skins);
    for (uint32_t skin = 0; skins && skin < count; skin++) {
        bool any = dress_skin(o, part, skin, &skins[skin]);
        if (any && p->num_skins == 0) {
            p->num_skins = count;
            p->skin = skin;
        }
    }
    uint32_t listed = part == 0 ? o->settings.options->listed_skin : 0;
    if (listed > 0 && listed <= p->num_skins)
        p->skin = listed - 1;
    p->skins = p->num_skins > 0 ? skins : NULL;
}

/* Whether a picture was found, read or not. */
static bool has_found(const lm_part_state *state) {
    for (uint32_t i = 0; i < state->num_worn; i++)
        if (state->worn[i].texture.way != LM_FOUND_NOT)
            return true;
    return false;
}

static bool dress_part(lm_opening *o, uint32_t part) {
    lm_part_state *state = &o->states[part];
    if (!lm_lookup_open(o, part))
        return false;
    dress_skins(o, part);
    if (!has_found(state) && lm_lookup_guess(o, &state->lookup))
        dress_skins(o, part);
    publish(o, part);
    return !o->pool.failed;
}

/* ---- What is missing ----------------------------------------------------------------------- */

/* Whether a name that was not found was not found for an earlier part too. */
static bool is_known(const lm_opening *o, uint32_t part, const lm_worn *worn) {
    for (uint32_t p = 0; p < part; p++)
        for (uint32_t i = 0; i < o->states[p].num_worn && i < MAX_COMPARED; i++) {
            const lm_worn *other = &o->states[p].worn[i];
            if (other->texture.way == LM_FOUND_NOT &&
                strcmp(other->texture.name, worn->texture.name) == 0)
                return true;
        }
    return false;
}

static void note_missing(lm_opening *o) {
    const uint32_t most = 4;
    uint32_t count = 0, tried = 0;
    lm_buffer names = {.allocator = o->pool.allocator};
    for (uint32_t part = 0; part < o->scene.num_parts; part++)
        for (uint32_t i = 0; i < o->states[part].num_worn; i++) {
            const lm_worn *worn = &o->states[part].worn[i];
            if (worn->texture.way != LM_FOUND_NOT || o->states[part].lookup.num_guesses > 0 ||
                (i < MAX_COMPARED && is_known(o, part, worn)))
                continue;
            if (count < most)
                lm_buffer_printf(&names, "%s%s", count > 0 ? ", " : "", worn->texture.name);
            count++;
            tried += worn->texture.num_tried;
        }
    if (count > most)
        lm_buffer_printf(&names, " and %u more", count - most);
    lm_buffer_append(&names, "", 1);
    o->pool.failed = o->pool.failed || names.failed;
    if (count > 0 && !names.failed)
        lm_note(o, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, o->path,
                "no texture was found for %s (%u path%s tried)", (const char *)names.data, tried,
                tried == 1 ? "" : "s");
    lm_buffer_free(&names);
}

/* A team's colours are not what one would expect: said of the first part that wears them. */
static void note_substitute(lm_opening *o) {
    for (uint32_t part = 0; part < o->scene.num_parts; part++) {
        const lm_lookup *lookup = &o->states[part].lookup;
        if (!lookup->is_substitute)
            continue;
        lm_note(o, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, o->path,
                "there is no default skin: %s is worn", lookup->skin_path);
        return;
    }
}

static void note_guess(lm_opening *o) {
    for (uint32_t part = 0; part < o->scene.num_parts; part++) {
        const lm_lookup *lookup = &o->states[part].lookup;
        if (lookup->num_guesses > 0)
            lm_note(o, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, o->files[part].path,
                    "none of the textures it names is there: it wears %s, whose size fits",
                    lm_lookup_skin_name(lookup, o->parts[part].skin));
    }
}

/* ---- All of it ----------------------------------------------------------------------------- */

bool lm_dress(lm_opening *o) {
    lm_pictures pictures = o->settings.options->pictures;
    bool ok = true;
    if (o->settings.plain)
        pictures = LM_PICTURES_NONE;
    for (uint32_t part = 0; ok && part < o->scene.num_parts && pictures != LM_PICTURES_NONE; part++)
        ok = dress_part(o, part);
    o->scene.textures = o->textures;
    if (ok && pictures != LM_PICTURES_NONE)
        lm_note_demands(o);
    if (ok && pictures < LM_PICTURES_FOUND) {
        note_substitute(o);
        note_guess(o);
        note_missing(o);
    }
    return ok && !o->pool.failed;
}

void lm_undress(lm_opening *o) {
    for (uint32_t i = 0; i < o->scene.num_textures; i++) {
        lm_buffer_free(&o->pictures[i].bytes);
        lm_image_free(o->pictures[i].image);
    }
}

bool lm_assets_tried(const lm_assets *assets, uint32_t part, uint32_t texture, uint32_t index,
                     char *out, size_t size) {
    const lm_opening *o = (const lm_opening *)(const void *)assets;
    char path[LM_PATH_SIZE];
    uint32_t root;
    if (!assets->scene || part >= o->scene.num_parts || texture >= o->states[part].num_worn)
        return false;
    const lm_worn *worn = &o->states[part].worn[texture];
    const lm_lookup *lookup = &o->states[part].lookup;
    if (index >= worn->texture.num_tried ||
        !lm_texture_candidate(&lookup->search, worn->sought.name, index, &root, path))
        return false;
    const lm_shelf *shelf = &lookup->shelves[root];
    const char *where = shelf->files->name;
    bool ends = *where && where[strlen(where) - 1] == '/';
    snprintf(out, size, "%s%s%s", where, shelf->archive ? ":" : ends ? "" : "/", path);
    return true;
}

/* ---- Files for exporters ------------------------------------------------------------------- */

/* Puts one name. Each number is tried once behind each name: what is taken stays so. */
static bool name_file(lm_opening *o, uint32_t index, const char *stem, lm_names *names) {
    lm_scene_texture *texture = &o->textures[index];
    size_t length;
    const char *file = lm_disk_stem(o->disk, o->pictures[index].path, &length);
    const char *end = strcmp(texture->mime, "image/png") == 0 ? ".png" : ".jpg";
    char *uri = lm_pool_printf(&o->pool, "%s_%.*s%s", stem, (int)length, file, end);
    lm_name *first = uri ? lm_names_put(names, uri) : NULL, *name = first;
    while (uri && name->number > 0) {
        uri = lm_pool_printf(&o->pool, "%s_%.*s_%u%s", stem, (int)length, file,
                             (unsigned)++first->number, end);
        name = uri ? lm_names_put(names, uri) : NULL;
    }
    if (uri)
        name->number = 1;
    texture->uri = uri;
    return uri != NULL;
}

bool lm_assets_make_portable(lm_assets *assets, const char *stem, lm_error *error) {
    lm_opening *o = (lm_opening *)(void *)assets;
    lm_names names = {.any_case = true};
    if (stem && o->scene.num_textures)
        names.names = lm_pool_get(&o->pool, o->scene.num_textures, sizeof *names.names);
    if (o->pool.failed)
        return lm_fail_memory(error);
    for (uint32_t i = 0; i < o->scene.num_textures; i++)
        if ((!o->textures[i].mime && !lm_make_portable(&o->pictures[i], &o->textures[i], error)) ||
            (stem && !name_file(o, i, stem, &names) && !lm_fail_memory(error)))
            return false;
    return true;
}
