/* Reports requested skins and named textures that are missing. */
#include "materials.h"

#include "core/text.h"
#include "files/file.h"
#include "order.h"

#include <string.h>

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

/* Returns "; its skins are ..."; "" if the first part has no .skin files. */
static const char *list_skins(lm_context *c, const lm_parts *parts) {
    name_list list = {.names.allocator = *lmi_vfs_memory(c->vfs)};
    lm_listing skins = {.arena = c->arena};
    const char *text = "", *last = "";
    lmi_skin_names_list(c->vfs, &parts->search[0], parts->files[0].path, &skins);
    for (size_t i = 0; i < skins.count; last = skins.names[i++].name)
        if (strcmp(skins.names[i].name, last) != 0)
            list_name(&list, skins.names[i].name);
    if (end_list(c, &list))
        text = lmi_arena_printf(c->arena, "; its skins are %s", (const char *)list.names.data);
    lm_buffer_free(&list.names);
    return text ? text : "";
}

void lmi_report_unused_skins(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    const uint32_t listed = parts->settings->options->listed_skin,
                   count = parts->files[0].model->num_skins;
    if (listed > 1 && listed > count)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_BAD_OPTION, c->path,
                        "skin number %u: the model lists %s", (unsigned)listed,
                        lmi_count_nouns(count, "skins").text);
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
                          "no such file, and no %s_%s.skin or image %s in the model's folder%s",
                          parts->skin_name ? "body" : "...", skin->text, skin->text,
                          list_skins(c, parts));
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

/* ---- Engines -------------------------------------------------------------------------------- */

/* What an engine demands of the files around a model. */
typedef struct demanding {
    lm_context *context;
    const lm_engine_files *demands;
    const char *name; /* of the engine */
    const lm_texture_names *names;
    lm_listing skins; /* the images of a player's folder that it reads by their extension */
} demanding;

/* Returns whether a file is an image that the engine reads; reports the reason if not. */
static bool is_readable(const demanding *d, const char *path) {
    lm_context *c = d->context;
    const lm_image_options how = {.memory.allocator = *lmi_vfs_memory(c->vfs)};
    lm_buffer file = {.allocator = how.memory.allocator};
    lm_error error = {0};
    lm_image *image = NULL;
    if (lm_vfs_read(c->vfs, path, 0, &file, &error))
        image = lm_image_read(file.data, file.size, &how, &error);
    const bool readable = image && lmi_engine_reads_format(d->demands, image->format);
    if (!readable && !lmi_ran_out(c->arena, &error))
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_ENGINE_FILE, c->path,
                        "%s cannot read the image %s: %s", d->name, path,
                        image ? "its contents have another format than its name says"
                              : error.message);
    lm_image_free(image);
    lm_buffer_free(&file);
    return readable;
}

/* ---- Players' folders ------------------------------------------------------------------------ */

static bool collect_image(void *caller, const char *name, bool is_folder) {
    demanding *d = caller;
    if (!is_folder && *name != '.' && lmi_engine_reads_image(d->demands, name))
        return lmi_listing_add_name(&d->skins, name);
    return true;
}

/* Returns whether the model is the body of a player. */
static bool is_player(lm_vfs *vfs, const char *path, lm_arena *arena) {
    size_t length;
    const char *stem = lmi_vfs_stem(vfs, path, &length);
    const char *folder = stem > path ? lmi_arena_text(arena, path, (size_t)(stem - path - 1)) : ".";
    return length == 4 && lmi_begins_same(stem, "tris", 4) && folder &&
           lmi_vfs_is_player_folder(vfs, folder);
}

/* Returns the path of an image in the model's folder; NULL: there is none. */
static const char *find_beside(const demanding *d, const char *name) {
    char actual[LM_PATH_SIZE];
    lm_arena *arena = d->context->arena;
    const lm_source *source = lmi_search_path_find(d->names->search, name, arena, actual);
    return source ? lmi_source_path(source, actual, arena) : NULL;
}

/* Returns whether a player's skin has its icon, and both can be read. `is_skin`: it is no icon. */
static bool has_icon(const demanding *d, const char *name, bool *is_skin) {
    unsigned rank;
    lm_arena *arena = d->context->arena;
    const size_t stem = lmi_image_stem(name, &rank), size = strlen(d->demands->icon);
    const char *icon =
        lmi_arena_printf(arena, "%.*s%s%s", (int)stem, name, d->demands->icon, name + stem);
    const char *path = find_beside(d, name), *icon_path = icon ? find_beside(d, icon) : NULL;
    const bool readable = path && is_readable(d, path);
    *is_skin = stem <= size || !lmi_begins_same(name + stem - size, d->demands->icon, size);
    return readable && *is_skin && icon_path && is_readable(d, icon_path);
}

/* Reports a player whom the engine's menu does not list, and images that the engine cannot read. */
static void report_player(demanding *d) {
    lm_context *c = d->context;
    const lm_search_path *search = d->names->search;
    const char *without = NULL;
    bool complete = false;
    lm_error error;
    for (uint32_t i = 0; i < search->count; i++)
        if (search->sources[i].folder && search->sources[i].files->list &&
            !lmi_view_list(search->sources[i].files, search->sources[i].folder, collect_image, d,
                           &error))
            lmi_ran_out(c->arena, &error);
    lmi_listing_sort(&d->skins);
    for (size_t i = 0; i < d->skins.count && !lmi_arena_failed(c->arena); i++) {
        bool is_skin;
        const bool has = has_icon(d, d->skins.names[i].name, &is_skin);
        complete = complete || has;
        without = without || !is_skin ? without : d->skins.names[i].name;
    }
    if (complete || lmi_arena_failed(c->arena))
        return;
    unsigned rank;
    const int stem = without ? (int)lmi_image_stem(without, &rank) : 0;
    if (without)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_ENGINE_FILE, c->path,
                        "%s does not list the player: the skin %s has no icon %.*s%s%s", d->name,
                        without, stem, without, d->demands->icon, without + stem);
    else
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_ENGINE_FILE, c->path,
                        "%s does not list the player: the folder has no %s skin with an icon",
                        d->name, d->demands->images);
}

/* ---- Skins that a model lists ---------------------------------------------------------------- */

static void report_listed(const demanding *d, const lm_found_textures *found) {
    lm_context *c = d->context;
    name_list list = {.names.allocator = *lmi_vfs_memory(c->vfs)};
    for (uint32_t i = 0; i < found->count; i++) {
        const lm_asset_texture *t = &found->textures[i].texture;
        const bool elsewhere = d->demands->strict && t->match != LM_MATCH_NAME;
        const bool missing = t->match == LM_MATCH_NONE;
        const char *path = missing ? t->name : t->path;
        if (t->source != LM_TEXTURE_OF_MODEL)
            continue;
        if (elsewhere || !lmi_engine_reads_image(d->demands, path))
            list_name(&list, t->name);
        else if (!missing)
            is_readable(d, path);
        else if (found->textures[i].own.problem)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_ENGINE_FILE, c->path,
                            "%s cannot read the image %s: %s", d->name,
                            found->textures[i].own.shown, found->textures[i].own.problem);
    }
    if (end_list(c, &list))
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, LM_CODE_ENGINE_FILE, c->path,
                        "%s finds no %s image for the skin%s %s", d->name, d->demands->images,
                        list.count == 1 ? "" : "s", (const char *)list.names.data);
    lm_buffer_free(&list.names);
}

void lmi_report_engine_skins(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    const lm_engine engine = parts->settings->options->engine;
    demanding d = {.context = c,
                   .demands = lmi_engine_files_of(engine),
                   .name = lm_engine_name(engine),
                   .names = &textures[0].names,
                   .skins.arena = c->arena};
    if (!d.demands || !(parts->files[0].model->features & LM_FEATURE_SKINS))
        return;
    if (d.demands->icon && is_player(c->vfs, parts->files[0].path, c->arena))
        report_player(&d);
    else
        report_listed(&d, &textures[0].found);
}

/* ---- All ------------------------------------------------------------------------------------- */

void lmi_report_missing_textures(const lm_parts *parts, const lm_part_textures *textures) {
    lm_context *c = parts->context;
    report_substitutes(c, parts, textures);
    report_missing(c, parts, textures);
}
