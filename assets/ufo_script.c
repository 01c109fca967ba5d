/* Reads the compositions in the scripts of UFO: Alien Invasion. */
#include "ufo_script.h"

#include "core/text.h"
#include "files/path.h"
#include "settings.h"
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
    return lm_tokens_next(&r->tokens) && is_word(r, word);
}

static const char *copy_word(reading *r) {
    return lm_copy_text(r->arena, r->tokens.word);
}

static const char *next_text(reading *r) {
    return lm_tokens_next(&r->tokens) ? copy_word(r) : NULL;
}

/* Returns a skin's number; 0 for what is none. */
static uint32_t skin_of_word(const reading *r) {
    const float value = lm_tokens_number(&r->tokens);
    return value > 0 && value < 65536 ? (uint32_t)value : 0;
}

/* Adds an entry, unless another one has its name, or its name is no path. */
static void add_entry(reading *r, const lm_ufo_entry *entry) {
    lm_ufo_script *all = r->all;
    if (!entry->name || !lm_path_is_clean(entry->name) ||
        !lm_arena_grow(r->arena, &all->entries, &all->entry_capacity, all->num_entries + 1,
                       sizeof *all->entries))
        return;
    lm_name *name = lm_names_put(&all->by_name, entry->name);
    if (!name || name->number > 0)
        return;
    all->entries[all->num_entries++] = *entry;
    name->number = (uint32_t)all->num_entries;
}

/* ---- Menu models ----------------------------------------------------------------------------- */

static void add_need(reading *r, lm_ufo_entry *entry) {
    lm_ufo_script *all = r->all;
    if (!lm_arena_grow(r->arena, &all->needs, &all->need_capacity, all->num_needs + 1,
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
    while (lm_tokens_next(&r->tokens) && !is_word(r, "}")) {
        const char **value = NULL;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            value = is_word(r, texts[i].key) ? texts[i].value : value;
        const bool need = is_word(r, "need"), skin = is_word(r, "skin");
        if (!lm_tokens_argument(&r->tokens))
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
    if (ended && !lm_arena_failed(r->arena))
        add_entry(r, &entry);
    return ended;
}

/* ---- Teams ----------------------------------------------------------------------------------- */

/* Reads `("FOLDER" "BODY" "HEAD" BODYSKIN HEADSKIN)`. Returns false if a bracket is missing. */
static bool read_member(reading *r, const char *team, const char *sex, uint32_t number) {
    lm_ufo_entry entry = {.model = "", .clip = "stand0"};
    if (!expect(r, "("))
        return false;
    for (unsigned i = 0; lm_tokens_next(&r->tokens) && !is_word(r, ")"); i++) {
        const char **const texts[] = {&entry.folder, &entry.model, &entry.head};
        uint32_t *const skins[] = {&entry.skin, &entry.head_skin};
        if (i < 3)
            *texts[i] = copy_word(r);
        else if (i < 5)
            *skins[i - 3] = skin_of_word(r);
    }
    const bool ended = is_word(r, ")");
    entry.name = lm_arena_printf(r->arena, "%.63s/%s%u", team, sex, (unsigned)number);
    if (ended && entry.folder && !lm_arena_failed(r->arena))
        add_entry(r, &entry);
    return ended;
}

/* Reads the members between the braces of `models`. */
static bool read_members(reading *r, const char *team) {
    static const char *const sexes[] = {"female", "male", "neutral"};
    uint32_t counts[sizeof sexes / sizeof *sexes] = {0};
    if (!expect(r, "{"))
        return false;
    while (lm_tokens_next(&r->tokens) && !is_word(r, "}"))
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
    while (lm_tokens_next(&r->tokens) && !is_word(r, "}"))
        if (is_word(r, "models") ? !read_members(r, name)
                                 : is_word(r, "{") && !lm_tokens_skip_braces(&r->tokens))
            return false;
    return is_word(r, "}");
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* What follows a missing brace is ignored, as is everything but menu_model and team. Fails if there
 * is no memory. */
static bool parse(const void *text, size_t size, lm_ufo_script *all) {
    lm_arena *arena = lm_arena_of(all);
    const char *at = size > 0 ? text : "";
    reading r = {all, arena, {.at = at, .end = at + size, .line = 1, .marks = "{}()"}};
    bool sound = true;
    all->by_name = (lm_names){.arena = arena, .any_case = true};
    while (sound && !lm_arena_failed(arena) && lm_tokens_next(&r.tokens))
        sound = is_word(&r, "menu_model") ? read_menu_model(&r)
                : is_word(&r, "team")     ? read_team(&r)
                                          : !is_word(&r, "{") || lm_tokens_skip_braces(&r.tokens);
    return !lm_arena_failed(arena);
}

static bool open_script(const lm_request *request, void *object, lm_error *error) {
    lm_file file;
    if (!lm_vfs_read(request->vfs, request->key, LM_MAX_TEXT_FILE, &file, error))
        return false;
    const bool parsed = parse(file.data, file.size, object);
    lm_file_free(&file);
    return parsed;
}

size_t lm_ufo_length(lm_vfs *vfs, const char *path) {
    char script[MAX_PATH_BYTES];
    if (strlen(path) >= sizeof script)
        return 0;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        const size_t length = (size_t)(dot - path) + strlen(LM_UFO_EXTENSION);
        if (!lm_begins_same(dot, LM_UFO_EXTENSION, strlen(LM_UFO_EXTENSION)) ||
            (path[length] != '/' && path[length] != '\0'))
            continue;
        memcpy(script, path, length);
        script[length] = '\0';
        if (lm_vfs_is_file(vfs, script))
            return length;
    }
    return 0;
}

bool lm_vfs_is_script(lm_vfs *vfs, const char *path) {
    return lm_ufo_length(vfs, path) > 0;
}

const lm_ufo_script *lm_ufo_script_of(lm_vfs *vfs, const char *path, size_t length,
                                      lm_error *error) {
    static const lm_opener opener = {LM_CACHED_UFO_SCRIPT, sizeof(lm_ufo_script), open_script,
                                     NULL};
    char script[MAX_PATH_BYTES];
    memcpy(script, path, length);
    script[length] = '\0';
    return lm_vfs_open_once(&opener, &(lm_request){vfs, script, NULL}, error);
}

const lm_ufo_entry *lm_ufo_find(const lm_ufo_script *all, const char *name) {
    const lm_name *known = lm_names_find(&all->by_name, name);
    return known ? &all->entries[known->number - 1] : NULL;
}
