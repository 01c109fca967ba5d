/* Reports requested skins and named textures that are missing. */
#include "materials.h"

#include "order.h"

/* ---- Skins --------------------------------------------------------------------------------- */

static bool applies(const lm_texture_names *names, const lm_skin_option *skin,
                    const lm_surface *surface) {
    switch (skin->kind) {
    case LM_SKIN_OF_SURFACE:
        return lmi_same_text(surface->name, skin->surface);
    case LM_SKIN_FILE:
        return lm_skin_file_find(skin->file, surface->name) != NULL;
    case LM_SKIN_IMAGE:
        return lmi_has_single_texture(names, surface);
    case LM_SKIN_NAME:
        return names->has_named_skin || names->has_named_image;
    default:
        return true;
    }
}

static bool binds_any(const lm_parts *parts, const lm_part_textures *textures,
                      const lm_skin_option *skin) {
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_model *model = parts->files[part].model;
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            if (applies(&textures[part].names, skin, &model->surfaces[i]))
                return true;
    }
    return false;
}

static void report_surface(lm_context *c, const lm_parts *parts, const lm_skin_option *skin) {
    lm_guess guess = {.word = skin->surface};
    for (uint32_t part = 0; part < parts->scene.num_parts; part++)
        for (uint32_t i = 0; i < parts->files[part].model->num_surfaces; i++)
            lmi_guess_try(&guess, parts->files[part].model->surfaces[i].name);
    lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_NO_SUCH_SURFACE, c->path,
                    "skin %s=%s: no surface has this name%s", skin->surface, skin->text,
                    lmi_suggestion(c->arena, &guess));
}

void lmi_report_unused_skins(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    for (uint32_t i = 0; i < parts->settings->num_skins; i++) {
        const lm_skin_option *skin = &parts->settings->skins[i];
        if (binds_any(parts, textures, skin))
            continue;
        if (skin->kind == LM_SKIN_OF_SURFACE)
            report_surface(c, parts, skin);
        else {
            const char *problem =
                skin->kind == LM_SKIN_FILE ? "the file lists none of the model's surfaces"
                : skin->kind == LM_SKIN_IMAGE
                    ? "each surface has its own texture: use SURFACE=FILE for one of them"
                    : lmi_arena_printf(
                          c->arena,
                          "no such file, and no ..._%s.skin or image %s in the model's folder",
                          skin->text, skin->text);
            if (problem)
                lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_BAD_OPTION,
                                c->path, "skin %s: %s", skin->text, problem);
        }
    }
}

/* ---- Textures ------------------------------------------------------------------------------ */

/* Reports the textures that stand in for missing ones: a team's colours, which can surprise, for
 * the first part that has them; guesses for each part. */
static void report_substitutes(lm_context *c, const lm_parts *parts,
                               const lm_part_textures *textures) {
    bool reported = false;
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_texture_names *names = &textures[part].names;
        if (names->is_substitute && !reported)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_NOTE, LM_CODE_OK, c->path,
                            "no default skin: using %s", names->skin_path);
        reported = reported || names->is_substitute;
    }
    for (uint32_t part = 0; part < parts->scene.num_parts; part++) {
        const lm_texture_names *names = &textures[part].names;
        if (names->num_guesses > 0)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_NOTE, LM_CODE_OK,
                            parts->files[part].path,
                            "none of its textures was found: using %s, which %s",
                            lmi_skin_name(names, parts->parts[part].skin), names->evidence);
    }
}

#define MAX_LISTED 4u

/* A list of names: some of them, and their number. */
typedef struct name_list {
    lm_buffer names;
    uint32_t count;
} name_list;

static void list_name(name_list *list, const char *name) {
    if (list->count < MAX_LISTED)
        lm_buffer_printf(&list->names, "%s\"%s\"", list->count > 0 ? ", " : "", name);
    list->count++;
}

/* Ends the list. Returns whether it has names; if not, or if memory ran out, nothing is to be
 * reported. */
static bool end_list(lm_context *c, name_list *list) {
    if (list->count > MAX_LISTED)
        lm_buffer_printf(&list->names, " and %u more", list->count - MAX_LISTED);
    lm_buffer_append(&list->names, "", 1);
    return !lmi_arena_out_of_memory(c->arena, list->names.failed) && list->count > 0;
}

/* Reports each name once, even if several parts use it. */
static void report_missing(lm_context *c, const lm_parts *parts, const lm_part_textures *textures) {
    uint32_t tried = 0;
    lm_names known = {.arena = c->arena};
    name_list list = {.names.allocator = *lmi_vfs_memory(c->vfs)};
    for (uint32_t part = 0; part < parts->scene.num_parts; part++)
        for (uint32_t i = 0; i < textures[part].found.count; i++) {
            const lm_found_texture *found = &textures[part].found.textures[i];
            const lm_asset_texture *texture = &found->texture;
            if (texture->match != LM_MATCH_NONE || textures[part].names.num_guesses > 0 ||
                found->own.problem) /* which is reported */
                continue;
            lm_name *name = lmi_names_put(&known, texture->name);
            if (!name || name->number++ > 0)
                continue;
            list_name(&list, texture->name);
            tried += texture->num_tried;
        }
    if (end_list(c, &list))
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_NOTE, LM_CODE_OK, c->path,
                        "texture%s %s not found (%u path%s tried)", list.count == 1 ? "" : "s",
                        (const char *)list.names.data, tried, tried == 1 ? "" : "s");
    lm_buffer_free(&list.names);
}

void lmi_report_engine_skins(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    const lm_engine engine = parts->settings->options->engine;
    const lm_engine_files *demands = lmi_engine_files_of(engine);
    name_list list = {.names.allocator = *lmi_vfs_memory(c->vfs)};
    if (!demands || !(parts->files[0].model->features & LM_FEATURE_SKINS))
        return;
    for (uint32_t i = 0; i < textures[0].found.count; i++) {
        const lm_asset_texture *t = &textures[0].found.textures[i].texture;
        const bool elsewhere = demands->strict && t->match != LM_MATCH_NAME;
        const char *path = t->match == LM_MATCH_NONE ? t->name : t->path;
        if (t->source == LM_TEXTURE_OF_MODEL &&
            (elsewhere || !lmi_engine_reads_image(demands, path)))
            list_name(&list, t->name);
    }
    if (end_list(c, &list))
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_IO, c->path,
                        "%s finds no %s image for the skin%s %s", lm_engine_name(engine),
                        demands->images, list.count == 1 ? "" : "s", (const char *)list.names.data);
    lm_buffer_free(&list.names);
}

void lmi_report_missing_textures(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    report_substitutes(c, parts, textures);
    report_missing(c, parts, textures);
}
