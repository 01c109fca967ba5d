/* Reports requested skins and named textures that are missing. */
#include "materials.h"

/* ---- Skins --------------------------------------------------------------------------------- */

static bool applies(const lm_naming *naming, const lm_skin_option *skin,
                    const lm_surface *surface) {
    switch (skin->kind) {
    case LM_SKIN_OF_SURFACE:
        return lm_same_text(surface->name, skin->surface);
    case LM_SKIN_LIST:
        return lm_skin_path(skin->list, surface->name) != NULL;
    case LM_SKIN_IMAGE:
        return lm_naming_is_full(naming, surface);
    case LM_SKIN_NAME:
        return naming->has_named_skin || naming->has_named_image;
    default:
        return true;
    }
}

static bool binds_any(const lm_parts *parts, const lm_variant *variants,
                      const lm_skin_option *skin) {
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_model *model = parts->files[part].model;
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            if (applies(&variants[part].naming, skin, &model->surfaces[i]))
                return true;
    }
    return false;
}

static void note_surface(lm_context *c, const lm_parts *parts, const lm_skin_option *skin) {
    lm_guess guess = {.word = skin->surface};
    for (uint32_t part = 0; part < parts->scene.num_parts; part++)
        for (uint32_t i = 0; i < parts->files[part].model->num_surfaces; i++)
            lm_guess_try(&guess, parts->files[part].model->surfaces[i].name);
    lm_note(c, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_NO_SUCH_SURFACE, c->path,
            "skin %s=%s: there is no surface of that name%s", skin->surface, skin->text,
            lm_suggestion(c->arena, &guess));
}

static void note_skin(lm_context *c, const lm_skin_option *skin) {
    const char *problem =
        skin->kind == LM_SKIN_LIST ? "it names none of the surfaces"
        : skin->kind == LM_SKIN_IMAGE
            ? "the surfaces have textures of their own; SURFACE=FILE dresses one of them"
            : lm_arena_printf(c->arena,
                              "there is no such file, and no ..._%s.skin nor picture %s beside the "
                              "model",
                              skin->text, skin->text);
    if (problem)
        lm_note(c, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_BAD_OPTION, c->path, "skin %s: %s",
                skin->text, problem);
}

void lm_note_unused_skins(const lm_parts *parts, const lm_variant *variants) {
    lm_context *c = parts->context;
    for (uint32_t i = 0; i < parts->settings->num_skins; i++) {
        const lm_skin_option *skin = &parts->settings->skins[i];
        if (binds_any(parts, variants, skin))
            continue;
        if (skin->kind == LM_SKIN_OF_SURFACE)
            note_surface(c, parts, skin);
        else
            note_skin(c, skin);
    }
}

/* ---- Textures ------------------------------------------------------------------------------ */

/* A team's colours can surprise, so this is reported, for the first part that has them. */
static void note_substitute(lm_context *c, const lm_parts *parts, const lm_variant *variants) {
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_naming *naming = &variants[part].naming;
        if (!naming->is_substitute)
            continue;
        lm_note(c, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, c->path,
                "there is no default skin: %s is worn", naming->skin_path);
        return;
    }
}

static void note_guess(lm_context *c, const lm_parts *parts, const lm_variant *variants) {
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_naming *naming = &variants[part].naming;
        if (naming->num_guesses > 0)
            lm_note(c, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, parts->files[part].path,
                    "none of the textures it names is there: it wears %s, whose size fits",
                    lm_naming_skin_name(naming, parts->parts[part].skin));
    }
}

/* Reports each name once, even if several parts use it. */
static void note_missing(lm_context *c, const lm_parts *parts, const lm_variant *variants) {
    const uint32_t most = 4;
    uint32_t count = 0, tried = 0;
    lm_names known = {.arena = c->arena};
    lm_buffer names = {.allocator = *lm_vfs_memory(c->vfs)};
    for (uint32_t part = 0; part < parts->scene.num_parts; part++)
        for (uint32_t i = 0; i < variants[part].found.count; i++) {
            const lm_asset_texture *texture = &variants[part].found.textures[i].texture;
            if (texture->way != LM_FOUND_NOTHING || variants[part].naming.num_guesses > 0)
                continue;
            lm_name *name = lm_names_put(&known, texture->name);
            if (!name || name->number++ > 0)
                continue;
            if (count < most)
                lm_buffer_printf(&names, "%s%s", count > 0 ? ", " : "", texture->name);
            count++;
            tried += texture->num_tried;
        }
    if (count > most)
        lm_buffer_printf(&names, " and %u more", count - most);
    lm_buffer_append(&names, "", 1);
    if (!lm_arena_out_of_memory(c->arena, names.failed) && count > 0)
        lm_note(c, LM_SUBJECT_TEXTURE, LM_NOTE, LM_CODE_OK, c->path,
                "no texture was found for %s (%u path%s tried)", (const char *)names.data, tried,
                tried == 1 ? "" : "s");
    lm_buffer_free(&names);
}

void lm_note_missing_textures(const lm_parts *parts, const lm_variant *variants) {
    lm_context *c = parts->context;
    note_substitute(c, parts, variants);
    note_guess(c, parts, variants);
    note_missing(c, parts, variants);
}
