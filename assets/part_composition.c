/* Loads the models of a composition from the game. */
#include "files/file.h"
#include "parts.h"
#include "ufo_script.h"

#include <string.h>

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
    lm_parts *all;
    const lm_ufo_script *script;
    piece pieces[LM_MAX_PARTS];
    uint32_t count;
} composing;

/* ---- Pieces ---------------------------------------------------------------------------------- */

static void warn(const composing *m, const char *what, const char *name, const char *reason) {
    lm_context *c = m->all->context;
    lm_context_add(c, LM_SUBJECT_MODEL, LM_WARNING, LM_CODE_OK, c->path, "without the %s %s: %s",
                   what, name, reason);
}

/* Returns the index of the piece that shows an entry; `none`: there is no such piece. */
static uint32_t piece_of(const composing *m, const lm_ufo_entry *entry, uint32_t none) {
    for (uint32_t i = 0; entry && i < m->count; i++)
        if (m->pieces[i].entry == entry)
            return i;
    return none;
}

/* Adds an entry that another one needs, unless it is there already. */
static void add_need(composing *m, uint32_t needed_by, const char *name) {
    const lm_ufo_entry *entry = lm_ufo_find(m->script, name);
    if (!entry)
        warn(m, "part", name, "the script has no such menu_model");
    if (!entry || piece_of(m, entry, LM_NO_PART) != LM_NO_PART)
        return;
    const lm_ufo_entry *parent = entry->parent ? lm_ufo_find(m->script, entry->parent) : NULL;
    m->pieces[m->count++] = (piece){.folder = entry->folder ? entry->folder : "",
                                    .model = entry->model,
                                    .tag = entry->tag,
                                    .skin = entry->skin,
                                    .clip = entry->clip,
                                    .entry = entry,
                                    .parent = piece_of(m, parent, needed_by)};
}

/* Adds the entries that the pieces need. It follows a limited number of needs, so that scripts
 * cannot make it slow. */
static void add_needs(composing *m) {
    uint32_t left = LM_MAX_PARTS - m->count;
    for (uint32_t i = 0; i < m->count; i++) {
        const lm_ufo_entry *e = m->pieces[i].entry;
        for (uint32_t k = 0; e && k < e->num_needs; k++) {
            const char *need = m->script->needs[e->first_need + k];
            if (left == 0) {
                warn(m, "part", need, "there are too many");
                return;
            }
            add_need(m, i, need);
            left--;
        }
    }
}

/* Adds everything that an entry shows. `armour` is appended to the folder of a team's member. */
static void add_pieces(composing *m, const lm_ufo_entry *entry, const char *armour) {
    const char *folder =
        lm_arena_printf(m->all->context->arena, "%s%s", entry->folder ? entry->folder : "", armour);
    if (!folder)
        return;
    m->pieces[m->count++] = (piece){.folder = folder,
                                    .model = entry->model,
                                    .skin = entry->skin,
                                    .clip = entry->clip,
                                    .entry = entry};
    if (entry->head && *entry->head)
        m->pieces[m->count++] = (piece){
            .folder = folder, .model = entry->head, .tag = "tag_head", .skin = entry->head_skin};
    add_needs(m);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Returns the path of a model in the games; NULL: there is none. */
static const char *find_model(const composing *m, const char *name) {
    static const char *const extensions[] = {"", ".md2", ".md3"};
    lm_arena *arena = m->all->context->arena;
    const lm_settings *s = m->all->settings;
    char actual[LM_PATH_SIZE];
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        const char *path = lm_arena_printf(arena, "%s%s", name, extensions[i]);
        for (uint32_t k = 0; path && k < s->num_sources; k++) {
            const lm_find found = lm_find_in(s->sources[k].files, "", path, actual);
            lm_arena_out_of_memory(arena, found == LM_FIND_OUT_OF_MEMORY);
            if (found == LM_FIND_FILE && lm_format_by_extension(actual))
                return lm_source_path(&s->sources[k], actual, arena);
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
        lm_arena_printf(c->arena, "models/%s%s%s", p->folder, *p->folder ? "/" : "", p->model);
    const char *path = name ? find_model(m, name) : NULL, *tag = NULL;
    const uint32_t parent = index > 0 ? m->pieces[p->parent].part : 0, part = all->scene.num_parts;
    p->part = LM_NO_PART;
    if (lm_arena_failed(c->arena))
        return false;
    if (!path && index == 0)
        return lm_context_reject(c, LM_CODE_IO, "the game has no model %s", name);
    if (index > 0 && p->tag && parent != LM_NO_PART) { /* as the model of the parent spells it */
        const lm_model *model = all->parts[parent].model;
        const uint32_t found = lm_find_tag(model, p->tag);
        tag = found == LM_NO_TAG ? NULL : model->tags[found].name;
    }
    if (!path || parent == LM_NO_PART || (index > 0 && p->tag && !tag)) {
        warn(m, "model", name,
             !path                  ? "the game has no such model"
             : parent == LM_NO_PART ? "the model that it belongs to is left out"
                                    : "the model that it belongs to has no such tag");
        return true;
    }
    if (!lm_part_add(all, path))
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

bool lm_parts_compose(lm_parts *all, size_t script) {
    lm_context *c = all->context;
    lm_error error;
    const char *name = c->path + script + (c->path[script] == '/');
    const char *plus = strrchr(name, '+');
    const size_t length = plus ? (size_t)(plus - name) : strlen(name);
    composing *m = lm_arena_zeros(c->arena, 1, sizeof *m);
    const char *stem = lm_arena_text(c->arena, name, length);
    if (!m || !stem)
        return false;
    m->all = all;
    m->script = lm_ufo_script_of(c->vfs, c->path, script, &error);
    if (!m->script)
        return !lm_ran_out(c->arena, &error) && lm_context_fail(c, c->path, &error);
    const lm_ufo_entry *entry = lm_ufo_find(m->script, stem);
    if (!entry || (plus && !entry->folder)) {
        lm_guess guess = {.word = name};
        for (size_t i = 0; i < m->script->num_entries; i++)
            lm_guess_try(&guess, m->script->entries[i].name);
        return lm_context_reject(all->context, LM_CODE_BAD_ARGUMENT,
                                 "the script has no menu_model and no member of a team \"%s\"%s",
                                 name, lm_suggestion(all->context->arena, &guess));
    }
    if (all->settings->num_sources == 0)
        return lm_context_reject(c, LM_CODE_BAD_ARGUMENT, "the game of this script is unknown");
    add_pieces(m, entry, plus ? plus + 1 : "");
    for (uint32_t i = 0; i < m->count; i++)
        if (!load_piece(m, i))
            return false;
    return !lm_arena_failed(c->arena);
}
