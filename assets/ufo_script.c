/* The compositions in the scripts of UFO: Alien Invasion: reads them, and loads their models. */
#include "parts.h"

#include "core/text.h"
#include "files/file.h"
#include "files/path.h"
#include "shaders/tokens.h"

#include <string.h>

#define MAX_PATH_BYTES 4096 /* no system opens a longer path */

typedef struct reading {
    lm_ufo_script *all;
    lm_arena *arena;
    lm_tokens tokens;
} reading;

static bool is_word(const reading *r, const char *word) {
    return strcmp(r->tokens.word, word) == 0;
}

/* Reads the next word, which must be this one. */
static bool expect(reading *r, const char *word) {
    return lmi_tokens_next(&r->tokens) && is_word(r, word);
}

static const char *copy_word(reading *r) {
    return lmi_copy_text(r->arena, r->tokens.word);
}

static const char *next_text(reading *r) {
    return lmi_tokens_next(&r->tokens) ? copy_word(r) : NULL;
}

/* Returns a skin's number; 0 for what is none. */
static uint32_t skin_of_word(const reading *r) {
    const float value = lmi_tokens_number(&r->tokens);
    return value > 0 && value < 65536 ? (uint32_t)value : 0;
}

/* Adds an entry, unless another one has its name, or its name is no path. */
static void add_entry(reading *r, const lm_ufo_entry *entry) {
    lm_ufo_script *all = r->all;
    if (!entry->name || !lmi_path_is_clean(entry->name) ||
        !lmi_arena_grow(r->arena, &all->entries, &all->entry_capacity, all->num_entries + 1,
                        sizeof *all->entries))
        return;
    lm_name *name = lmi_names_put(&all->by_name, entry->name);
    if (!name || name->number > 0)
        return;
    all->entries[all->num_entries++] = *entry;
    name->number = (uint32_t)all->num_entries;
}

/* ---- Menu models ----------------------------------------------------------------------------- */

static void add_need(reading *r, lm_ufo_entry *entry) {
    lm_ufo_script *all = r->all;
    if (!lmi_arena_grow(r->arena, &all->needs, &all->need_capacity, all->num_needs + 1,
                        sizeof *all->needs))
        return;
    all->needs[all->num_needs++] = copy_word(r);
    entry->num_needs++;
}

/* Reads "menu_model NAME { ... }" from the name on. Returns false if a brace is missing. */
static bool read_menu_model(reading *r) {
    lm_ufo_entry entry = {
        .name = next_text(r), .model = "", .first_need = (uint32_t)r->all->num_needs};
    const struct {
        const char *key, **value;
    } texts[] = {{"model", &entry.model},
                 {"tag", &entry.tag},
                 {"parent", &entry.parent},
                 {"anim", &entry.clip}};
    if (!expect(r, "{"))
        return false;
    while (lmi_tokens_next(&r->tokens) && !is_word(r, "}")) {
        const char **value = NULL;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            value = is_word(r, texts[i].key) ? texts[i].value : value;
        const bool need = is_word(r, "need"), skin = is_word(r, "skin");
        if (!lmi_tokens_argument(&r->tokens))
            continue;
        if (is_word(r, "}"))
            break;
        if (value)
            *value = copy_word(r);
        else if (need)
            add_need(r, &entry);
        else if (skin)
            entry.skin = skin_of_word(r);
    }
    const bool ended = is_word(r, "}");
    if (ended && !lmi_arena_failed(r->arena))
        add_entry(r, &entry);
    return ended;
}

/* ---- Teams ----------------------------------------------------------------------------------- */

/* Reads `("FOLDER" "BODY" "HEAD" BODYSKIN HEADSKIN)`. Returns false if a bracket is missing. */
static bool read_member(reading *r, const char *team, const char *sex, uint32_t number) {
    lm_ufo_entry entry = {.model = "", .clip = "stand0"};
    if (!expect(r, "("))
        return false;
    for (unsigned i = 0; lmi_tokens_next(&r->tokens) && !is_word(r, ")"); i++) {
        const char **const texts[] = {&entry.folder, &entry.model, &entry.head};
        uint32_t *const skins[] = {&entry.skin, &entry.head_skin};
        if (i < 3)
            *texts[i] = copy_word(r);
        else if (i < 5)
            *skins[i - 3] = skin_of_word(r);
    }
    const bool ended = is_word(r, ")");
    entry.name = lmi_arena_printf(r->arena, "%.63s/%s%u", team, sex, (unsigned)number);
    if (ended && entry.folder && !lmi_arena_failed(r->arena))
        add_entry(r, &entry);
    return ended;
}

/* Reads the members between the braces of `models`. */
static bool read_members(reading *r, const char *team) {
    static const char *const sexes[] = {"female", "male", "neutral"};
    uint32_t counts[sizeof sexes / sizeof *sexes] = {0};
    if (!expect(r, "{"))
        return false;
    while (lmi_tokens_next(&r->tokens) && !is_word(r, "}"))
        for (size_t i = 0; i < sizeof sexes / sizeof *sexes; i++)
            if (is_word(r, sexes[i])) {
                if (!read_member(r, team, sexes[i], ++counts[i]))
                    return false;
                break;
            }
    return is_word(r, "}");
}

/* Reads "team NAME { ... }" from the name on. */
static bool read_team(reading *r) {
    const char *name = next_text(r);
    if (!name || !expect(r, "{"))
        return false;
    while (lmi_tokens_next(&r->tokens) && !is_word(r, "}"))
        if (is_word(r, "models") ? !read_members(r, name)
                                 : is_word(r, "{") && !lmi_tokens_skip_braces(&r->tokens))
            return false;
    return is_word(r, "}");
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* What follows a missing brace is ignored, as is everything but menu_model and team. Fails if there
 * is no memory. */
static bool parse(const void *text, size_t size, lm_ufo_script *all) {
    lm_arena *arena = lmi_arena_of(all);
    const char *at = size > 0 ? text : "";
    reading r = {all, arena, {.at = at, .end = at + size, .line = 1, .marks = "{}()"}};
    bool sound = true;
    all->by_name = (lm_names){.arena = arena, .any_case = true};
    while (sound && !lmi_arena_failed(arena) && lmi_tokens_next(&r.tokens))
        sound = is_word(&r, "menu_model") ? read_menu_model(&r)
                : is_word(&r, "team")     ? read_team(&r)
                                          : !is_word(&r, "{") || lmi_tokens_skip_braces(&r.tokens);
    return !lmi_arena_failed(arena);
}

static bool open_script(const lm_request *request, void *object, lm_error *error) {
    lm_buffer file = {.allocator = *lmi_vfs_memory(request->vfs)};
    if (!lm_vfs_read(request->vfs, request->key, LM_MAX_TEXT_FILE, &file, error))
        return false;
    const bool parsed = parse(file.data, file.size, object);
    lm_buffer_free(&file);
    return parsed;
}

size_t lmi_ufo_length(lm_vfs *vfs, const char *path) {
    char script[MAX_PATH_BYTES];
    if (strlen(path) >= sizeof script)
        return 0;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        const size_t length = (size_t)(dot - path) + strlen(LM_UFO_EXTENSION);
        if (!lmi_begins_same(dot, LM_UFO_EXTENSION, strlen(LM_UFO_EXTENSION)) ||
            (path[length] != '/' && path[length] != '\0'))
            continue;
        memcpy(script, path, length);
        script[length] = '\0';
        if (lmi_vfs_is_file(vfs, script))
            return length;
    }
    return 0;
}

bool lmi_vfs_is_script(lm_vfs *vfs, const char *path) {
    return lmi_ufo_length(vfs, path) > 0;
}

const lm_ufo_script *lmi_ufo_script_of(lm_vfs *vfs, const char *path, size_t length,
                                       lm_error *error) {
    static const lm_opener opener = {LM_CACHED_UFO_SCRIPT, sizeof(lm_ufo_script), open_script,
                                     NULL};
    char script[MAX_PATH_BYTES];
    memcpy(script, path, length);
    script[length] = '\0';
    return lmi_vfs_open_once(&opener, &(lm_request){vfs, script, NULL}, error);
}

const lm_ufo_entry *lmi_ufo_find(const lm_ufo_script *all, const char *name) {
    const lm_name *known = lmi_names_find(&all->by_name, name);
    return known ? &all->entries[known->number - 1] : NULL;
}

/* A model to load. */
typedef struct piece {
    const char *folder, *model; /* below models/ */
    const char *tag;            /* of the parent; NULL: it has the parent's place */
    uint32_t skin;
    const char *clip;
    const lm_ufo_entry *entry;
    uint32_t parent; /* index of an earlier piece */
    uint32_t part;   /* LM_NO_PART: it is left out */
} piece;

typedef struct composing {
    lm_parts *all; /* NULL: the pieces are only counted */
    const lm_ufo_script *script;
    piece pieces[LM_MAX_PARTS];
    uint32_t count;
} composing;

/* ---- Pieces ---------------------------------------------------------------------------------- */

static void warn(const composing *m, const char *what, const char *name, const char *reason) {
    lm_context *c = m->all ? m->all->context : NULL;
    if (c)
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_OK, c->path,
                        "without the %s %s: %s", what, name, reason);
}

/* Returns the index of the piece that shows an entry; `none`: there is no such piece. */
static uint32_t piece_of(const composing *m, const lm_ufo_entry *entry, uint32_t none) {
    for (uint32_t i = 0; entry && i < m->count; i++)
        if (m->pieces[i].entry == entry)
            return i;
    return none;
}

/* Adds an entry that another one needs, unless it is there already. */
static void add_needed(composing *m, uint32_t needed_by, const char *name) {
    const lm_ufo_entry *entry = lmi_ufo_find(m->script, name);
    if (!entry)
        warn(m, "part", name, "the script has no such menu_model");
    if (!entry || piece_of(m, entry, LM_NO_PART) != LM_NO_PART)
        return;
    const lm_ufo_entry *parent = entry->parent ? lmi_ufo_find(m->script, entry->parent) : NULL;
    m->pieces[m->count++] = (piece){.folder = entry->folder ? entry->folder : "",
                                    .model = entry->model,
                                    .tag = entry->tag,
                                    .skin = entry->skin,
                                    .clip = entry->clip,
                                    .entry = entry,
                                    .parent = piece_of(m, parent, needed_by)};
}

/* Adds the entries that the pieces need, and returns the number of needs. It follows a limited
 * number of them, so that scripts cannot make it slow. */
static uint32_t add_needs(composing *m) {
    uint32_t followed = 0;
    const uint32_t most = LM_MAX_PARTS - m->count;
    for (uint32_t i = 0; i < m->count; i++) {
        const lm_ufo_entry *e = m->pieces[i].entry;
        for (uint32_t k = 0; e && k < e->num_needs; k++) {
            const char *need = m->script->needs[e->first_need + k];
            if (followed == most) {
                warn(m, "part", need, "there are too many");
                return followed;
            }
            add_needed(m, i, need);
            followed++;
        }
    }
    return followed;
}

/* Adds everything that an entry shows, whose models are in a folder. Returns the number of models
 * that it names. */
static uint32_t add_pieces(composing *m, const lm_ufo_entry *entry, const char *folder) {
    m->pieces[m->count++] = (piece){.folder = folder,
                                    .model = entry->model,
                                    .skin = entry->skin,
                                    .clip = entry->clip,
                                    .entry = entry};
    if (entry->head && *entry->head)
        m->pieces[m->count++] = (piece){
            .folder = folder, .model = entry->head, .tag = "tag_head", .skin = entry->head_skin};
    const uint32_t own = m->count;
    return own + add_needs(m);
}

uint32_t lmi_ufo_count(const lm_ufo_script *all, const lm_ufo_entry *entry) {
    composing m = {.script = all};
    return add_pieces(&m, entry, "");
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Returns the path of a model in the games; NULL: there is none. */
static const char *find_model(const composing *m, const char *name) {
    static const char *const extensions[] = {"", ".md2", ".md3"};
    lm_arena *arena = m->all->context->arena;
    const lm_settings *s = m->all->settings;
    char actual[LM_PATH_SIZE];
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        const char *path = lmi_arena_printf(arena, "%s%s", name, extensions[i]);
        for (uint32_t k = 0; path && k < s->num_sources; k++) {
            const lm_find found = lmi_find_in(s->sources[k].files, "", path, actual);
            lmi_arena_out_of_memory(arena, found == LM_FIND_OUT_OF_MEMORY);
            if (found == LM_FIND_FILE && lm_format_by_extension(actual))
                return lmi_source_path(&s->sources[k], actual, arena);
        }
    }
    return NULL;
}

/* Loads a piece. Every piece but the first is left out if its model or its tag is missing. */
static bool load_piece(composing *m, uint32_t index) {
    lm_parts *all = m->all;
    lm_context *c = all->context;
    piece *p = &m->pieces[index];
    const char *name =
        lmi_arena_printf(c->arena, "models/%s%s%s", p->folder, *p->folder ? "/" : "", p->model);
    const char *path = name ? find_model(m, name) : NULL, *tag = NULL;
    const uint32_t parent = index > 0 ? m->pieces[p->parent].part : 0, part = all->scene.num_parts;
    p->part = LM_NO_PART;
    if (lmi_arena_failed(c->arena))
        return false;
    if (!path && index == 0)
        return lmi_context_reject(c, LM_CODE_IO, "the game has no model %s", name);
    if (index > 0 && p->tag && parent != LM_NO_PART) { /* as the model of the parent spells it */
        const lm_model *model = all->parts[parent].model;
        const uint32_t found = lm_model_find_tag(model, p->tag);
        tag = found == LM_NO_TAG ? NULL : model->tags[found].name;
    }
    if (!path || parent == LM_NO_PART || (index > 0 && p->tag && !tag)) {
        warn(m, "model", name,
             !path                  ? "the game has no such model"
             : parent == LM_NO_PART ? "the model that it belongs to is left out"
                                    : "the model that it belongs to has no such tag");
        return true;
    }
    if (!lmi_part_add(all, path))
        return false;
    p->part = part;
    all->listed[part] = p->skin + 1;
    all->parts[part].parent = parent;
    all->parts[part].tag = tag;
    all->parts[part].follows = index > 0 && !tag;
    all->parts[part].idle = lm_scene_find_clip(&all->scene, part, p->clip);
    return true;
}

/* ---- Compositions ---------------------------------------------------------------------------- */

bool lmi_parts_compose(lm_parts *all, size_t script) {
    lm_context *c = all->context;
    lm_error error;
    const char *name = c->path + script + (c->path[script] == '/');
    const char *plus = strrchr(name, '+');
    const size_t length = plus ? (size_t)(plus - name) : strlen(name);
    composing *m = lmi_arena_zeros(c->arena, 1, sizeof *m);
    const char *stem = lmi_arena_text(c->arena, name, length);
    if (!m || !stem)
        return false;
    m->all = all;
    m->script = lmi_ufo_script_of(c->vfs, c->path, script, &error);
    if (!m->script)
        return !lmi_ran_out(c->arena, &error) && lmi_context_fail(c, c->path, &error);
    const lm_ufo_entry *entry = lmi_ufo_find(m->script, stem);
    if (!entry || (plus && !entry->folder)) {
        lm_guess guess = {.word = name};
        for (size_t i = 0; i < m->script->num_entries; i++)
            lmi_guess_try(&guess, m->script->entries[i].name);
        return lmi_context_reject(all->context, LM_CODE_BAD_ARGUMENT,
                                  "the script has no menu_model and no member of a team \"%s\"%s",
                                  name, lmi_suggestion(all->context->arena, &guess));
    }
    if (all->settings->num_sources == 0)
        return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT, "the game of this script is unknown");
    const char *folder = lmi_arena_printf(c->arena, "%s%s", entry->folder ? entry->folder : "",
                                          plus ? plus + 1 : ""); /* the armour is part of it */
    if (!folder)
        return false;
    add_pieces(m, entry, folder);
    for (uint32_t i = 0; i < m->count; i++)
        if (!load_piece(m, i))
            return false;
    return !lmi_arena_failed(c->arena);
}
