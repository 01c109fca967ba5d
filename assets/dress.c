/* What a player of Return to Castle Wolfenstein wears (cg_players.c): rows of .skin files name the
 * models, and the tags that hold them. */
#include "files/file.h"
#include "texture_names.h"

#include <string.h>

#define EXTENSION ".skin"

lm_skin_file *lmi_skin_read(lm_context *c, const lm_search_path *search, const char *name,
                            const char **path) {
    char actual[LM_PATH_SIZE];
    const lm_memory memory = {.allocator = *lmi_vfs_memory(c->vfs)};
    lm_buffer bytes = {.allocator = memory.allocator};
    const lm_source *source = lmi_search_path_find(search, name, c->arena, actual);
    const lm_files *files = source ? source->files : NULL;
    lm_skin_file *skin = NULL;
    lm_error error = {0};
    if (files && lmi_view_read(files, actual, LM_MAX_TEXT_FILE, &bytes, &error))
        skin = lm_skin_file_read(bytes.data, bytes.size, &memory, &error);
    lm_buffer_free(&bytes);
    if (skin)
        *path = lmi_source_path(source, actual, c->arena);
    for (uint32_t i = 0; skin && *path && i < skin->num_warnings; i++) {
        const lm_diagnostic *w = &skin->warnings[i];
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, w->code, *path,
                        w->count > 1 ? "%s (first of %u such lines)" : "%s", w->text,
                        (unsigned)w->count);
    }
    if (!skin && !lmi_ran_out(c->arena, &error) && files)
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, error.code, c->path,
                        "cannot use skin file %s: %s", name, error.message);
    return skin;
}

/* ---- The skin -------------------------------------------------------------------------------- */

#define BODY "body_"
#define HEAD "head_"

/* Returns the NAME of body_NAME.skin, or of another word; NULL for other files. */
static const char *skin_of(const char *begin, const char *file, lm_arena *arena) {
    const size_t length = strlen(file), around = strlen(begin) + sizeof EXTENSION - 1;
    return length > around && lmi_begins_same(file, begin, strlen(begin)) &&
                   lmi_ends_in(file, EXTENSION)
               ? lmi_arena_text(arena, file + strlen(begin), length - around)
               : NULL;
}

const char *lmi_player_of_skin(lm_vfs *vfs, const char *path, lm_arena *arena, const char **name) {
    const char *base = lmi_vfs_base_name(vfs, path);
    const char *skin = skin_of(BODY, base, arena);
    skin = skin ? skin : skin_of(HEAD, base, arena);
    const bool at_root = base > path && base[-1] == ':';
    if (!skin || at_root || !lmi_vfs_is_file(vfs, path))
        return path;
    const size_t length = (size_t)(base - path);
    const char *folder = length > 0 ? lmi_arena_text(arena, path, length - (length > 1)) : ".";
    lm_pieces pieces = {0};
    if (folder)
        lmi_pieces_find(vfs, folder, arena, &pieces);
    if (!folder || !pieces.is_dressed)
        return folder ? path : NULL;
    *name = skin;
    return folder;
}

/* Returns whether two paths lead to one folder, which may be in an archive. */
static bool is_same_folder(const char *a, const char *b) {
    lm_path_identity one, other;
    size_t length = strlen(a), end = strlen(b);
    while (length > 1 && a[length - 1] == '/')
        length--;
    while (end > 1 && b[end - 1] == '/')
        end--;
    lmi_path_identify(a, &one);
    lmi_path_identify(b, &other);
    return (length == end && memcmp(a, b, end) == 0) || lmi_path_is_same(&one, &other);
}

bool lmi_settings_name_skins(lm_context *c, lm_settings *s) {
    for (uint32_t i = 0; i < s->num_skins; i++) {
        lm_skin_option *skin = &s->skins[i];
        const char *name = NULL, *folder = NULL;
        if (skin->kind == LM_SKIN_FILE)
            folder = lmi_player_of_skin(c->vfs, skin->text, c->arena, &name);
        if (!name || !is_same_folder(folder, c->path))
            continue;
        if (s->skin_name && !lmi_same_text(s->skin_name, name))
            return lmi_context_reject(c, LM_CODE_BAD_OPTION, "skin " LM_ONE_SKIN_NAME, s->skin_name,
                                      name);
        *skin = (lm_skin_option){.kind = LM_SKIN_NAME, .text = name};
        s->skin_name = name;
    }
    return !lmi_arena_failed(c->arena);
}

const char *lmi_player_skin(const lm_parts *all) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[0];
    const char *wanted = all->settings->skin_name;
    lm_listing skins = {.arena = c->arena};
    char actual[LM_PATH_SIZE];
    const char *file = wanted ? lmi_arena_printf(c->arena, BODY "%s" EXTENSION, wanted) : NULL;
    if (file && lmi_search_path_find(search, file, c->arena, actual))
        return wanted;
    lmi_skin_names_list(c->vfs, search, all->files[0].path, &skins);
    return skins.count > 0 ? skins.names[0].name : NULL;
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Returns the path of a model that a skin names; the game tries .mdc before .md3. NULL: none. */
static const char *find_model(const lm_parts *all, const char *name) {
    lm_arena *arena = all->context->arena;
    const lm_source *source = NULL;
    char actual[LM_PATH_SIZE];
    const size_t stem = strlen(name) - 4;
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !source; i++) {
        const char *other =
            lmi_arena_printf(arena, "%.*s%s", (int)stem, name, lmi_model_extensions[i]);
        source = other && lm_format_by_extension(other)
                     ? lmi_search_path_find(&all->search[0], other, arena, actual)
                     : NULL;
    }
    return !source                                 ? NULL
           : strcmp(source->files->name, ".") == 0 ? lmi_copy_text(arena, actual)
                                                   : lmi_source_path(source, actual, arena);
}

/* Reports a row of a .skin file whose model is left out. */
static bool leave_out(lm_context *c, const char *skin, const char *name, const char *reason) {
    lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_IO, skin ? skin : c->path,
                    "the skin names %s, %s", name, reason);
    return !lmi_arena_failed(c->arena);
}

/* Adds the model that a row of the .skin file `from` names, at a tag of a part: NAME.md3, or a
 * .skin whose md3_part names it. A model that is missing is left out with a warning. */
static bool wear(lm_parts *all, const char *from, const char *name, const char *skin,
                 uint32_t held_by, const char *tag, uint32_t *part) {
    static const char other[] = "which is no .md3 file";
    lm_context *c = all->context;
    *part = LM_NO_PART;
    if (!lmi_ends_in(name, ".md3")) {
        const bool is_skin = lmi_ends_in(name, EXTENSION);
        if (!is_skin && lm_format_by_extension(name))
            return leave_out(c, from, name, other);
        skin = is_skin ? name : lmi_arena_printf(c->arena, "%s" EXTENSION, name);
        const char *path = NULL;
        lm_skin_file *file = skin ? lmi_skin_read(c, &all->search[0], skin, &path) : NULL;
        const char *model = file ? lm_skin_file_find(file, "md3_part") : NULL;
        const bool read = file != NULL;
        model = model ? lmi_copy_text(c->arena, model) : NULL;
        lm_skin_file_free(file);
        if (!model)
            return leave_out(c, from, name,
                             read      ? "a skin without an md3_part"
                             : is_skin ? "which cannot be read"
                                       : "but there is no such .skin file");
        if (!lmi_ends_in(model, ".md3"))
            return leave_out(c, path, model, other);
        name = model;
        from = path;
    }
    const lm_piece piece = {.path = find_model(all, name), .tag = tag};
    if (!piece.path)
        return leave_out(c, from, name, "which is missing");
    if (!lmi_part_add_piece(all, &piece, held_by, part))
        return false;
    if (*part == LM_NO_PART)
        return true;
    /* The game shows its frame 0. */
    static const lm_clip none;
    all->parts[*part].clips = &none;
    all->parts[*part].num_clips = 0;
    all->skins[*part] = skin;
    return true;
}

/* Rows of a skin, and the tags of their models. */
typedef struct wearing {
    const char *row, *tag;
} wearing;

static bool wear_rows(lm_parts *all, const char *path, const lm_skin_file *skin,
                      const wearing *rows, size_t count, uint32_t held_by) {
    for (size_t i = 0; i < count; i++) {
        const char *name = lm_skin_file_find(skin, rows[i].row);
        uint32_t part;
        if (name && !wear(all, path, name, NULL, held_by, rows[i].tag, &part))
            return false;
    }
    return true;
}

bool lmi_parts_dress(lm_parts *all) {
    static const wearing of_body[] = {{"md3_beltr", "tag_bright"},  {"md3_beltl", "tag_bleft"},
                                      {"md3_belt", "tag_ubelt"},    {"md3_back", "tag_back"},
                                      {"md3_weapon", "tag_weapon"}, {"md3_weapon2", "tag_weapon2"}};
    static const wearing of_head[] = {
        {"md3_hat", "tag_mouth"}, {"md3_hat2", "tag_mouth"}, {"md3_hat3", "tag_mouth"}};
    lm_context *c = all->context;
    const char *name = lmi_player_skin(all), *body_path = NULL, *head_path = NULL;
    if (!name && !lmi_arena_failed(c->arena))
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, all->files[0].path,
                        "without " BODY "NAME" EXTENSION
                        ", which names what the player wears and is missing");
    if (!name)
        return !lmi_arena_failed(c->arena);
    const char *body_file = lmi_arena_printf(c->arena, BODY "%s" EXTENSION, name);
    const char *head_file = lmi_arena_printf(c->arena, HEAD "%s" EXTENSION, name);
    if (!body_file || !head_file)
        return false;
    all->skin_name = name;
    all->skins[0] = body_file;
    lm_skin_file *body = lmi_skin_read(c, &all->search[0], body_file, &body_path);
    lm_skin_file *head = lmi_skin_read(c, &all->search[0], head_file, &head_path);
    const char *model = head ? lm_skin_file_find(head, "md3_part") : NULL;
    uint32_t part = LM_NO_PART;
    if (!model && !lmi_arena_failed(c->arena))
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_IO, c->path,
                        "the player has no head: no %s with an md3_part", head_file);
    bool done = !model || wear(all, head_path, model, head_file, 0, "tag_head", &part);
    if (done && part != LM_NO_PART)
        done = wear_rows(all, head_path, head, of_head, sizeof of_head / sizeof *of_head, part);
    if (done && body)
        done = wear_rows(all, body_path, body, of_body, sizeof of_body / sizeof *of_body, 0);
    lm_skin_file_free(body);
    lm_skin_file_free(head);
    return done && !lmi_arena_failed(c->arena);
}
