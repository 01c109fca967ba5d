/* Splits a mesh into the models of a first-person weapon of Return to Castle Wolfenstein, and
 * chooses the rows of its weapon.cfg (cg_weapons.c). */
#include "clips/clip_names.h"
#include "compose/composing.h"
#include "core/report.h"
#include "core/text.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct weapon {
    lm_composing *c;
    const char *name; /* v_NAME, as the first piece spells it */
    size_t length;    /* of the name */
    uint32_t *kinds;  /* [mesh.num_surfaces] */
    bool exists[LM_WEAPON_KINDS];
    const lm_mesh_tag *places[LM_WEAPON_KINDS];
    bool *moved[LM_WEAPON_KINDS];  /* [mesh.num_frames] the shape differs from that at rest */
    bool *hidden[LM_WEAPON_KINDS]; /* [mesh.num_frames] it has no size */
    uint32_t rest[LM_WEAPON_KINDS];
    uint32_t num_rows;
    lm_clip rows[LM_WEAPON_CLIPS];
} weapon;

static uint32_t kind_of(const char *piece, size_t *length) {
    return lmi_weapon_kind_of(piece, strlen(piece), length);
}

/* Finds the name of the weapon: the shortest of the pieces'. */
static bool find_name(weapon *w) {
    const lm_mesh *mesh = &w->c->mesh;
    for (uint32_t i = 0; i < mesh->num_surfaces + mesh->num_tags; i++) {
        const char *piece = i < mesh->num_surfaces ? mesh->surfaces[i].piece
                                                   : mesh->tags[i - mesh->num_surfaces].piece;
        size_t length;
        if (!piece)
            continue;
        kind_of(piece, &length);
        if (w->name && w->length <= length)
            continue;
        w->name = piece;
        w->length = length;
    }
    if (!w->name)
        return lmi_composing_fail(w->c, LM_CODE_BAD_ARGUMENT,
                                  "nothing says what the weapon's models are: name an object v_X, "
                                  "and its barrels v_X_barrel, v_X_barrel2 and so on (a weapon of "
                                  "lerpmesh says it in Blender's Custom Properties: export them)");
    w->name = lmi_arena_text(&w->c->arena, w->name, w->length);
    if (w->name && w->name[strspn(w->name, LM_NAME_CHARACTERS)])
        return lmi_composing_fail(w->c, LM_CODE_BAD_ARGUMENT,
                                  "\"%.60s\" is not a usable name: rename the object with letters, "
                                  "digits, - and _",
                                  w->name);
    return w->name;
}

/* Sets the kind of a piece. Fails if it is no model of the weapon. */
static bool find_kind(weapon *w, const char *piece, uint32_t *kind) {
    size_t length;
    *kind = kind_of(piece, &length);
    w->exists[*kind] = true;
    return (length == w->length && lmi_same_letters(piece, w->name, length)) ||
           lmi_composing_fail(w->c, LM_CODE_BAD_ARGUMENT,
                              "%.60s is no model of the weapon %.60s: these are %.60s_hand, "
                              "_scope, _flash, _barrel and _barrel2 to _barrel7",
                              piece, w->name, w->name);
}

static bool find_models(weapon *w) {
    const lm_mesh *mesh = &w->c->mesh;
    uint32_t unused;
    w->exists[LM_WEAPON_HAND] = w->exists[LM_WEAPON_ITSELF] = true;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        if (!s->piece)
            return lmi_composing_fail(
                w->c, LM_CODE_BAD_ARGUMENT,
                "the surface \"%.100s\" belongs to no model of the weapon: name its object, or one "
                "above it, %.60s, %.60s_barrel or the like",
                s->name ? s->name : "", w->name, w->name);
        if (!find_kind(w, s->piece, &w->kinds[i]))
            return false;
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (mesh->tags[i].piece && !find_kind(w, mesh->tags[i].piece, &unused))
            return false;
    for (uint32_t k = LM_WEAPON_BARREL + 1; k < LM_WEAPON_KINDS; k++)
        if (w->exists[k] && !w->exists[k - 1] && lmi_compare_letters(w->name, "v_mauser") != 0)
            lmi_composing_note(w->c, LM_SEVERITY_WARNING,
                               "the weapon has %s%s, but no %s%s: the game stops there", w->name,
                               lmi_weapon_kinds[k].suffix, w->name, lmi_weapon_kinds[k - 1].suffix);
    return true;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

static bool is_of(const lm_mesh_tag *tag, uint32_t kind) {
    size_t unused;
    return (tag->piece ? kind_of(tag->piece, &unused) : LM_WEAPON_HAND) == kind;
}

/* Returns the tag of a kind of model, else any other model's of this name; NULL: none. */
static const lm_mesh_tag *find_tag(const lm_mesh *mesh, const char *name, uint32_t kind) {
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (is_of(&mesh->tags[i], kind) && strcmp(mesh->tags[i].name, name) == 0)
            return &mesh->tags[i];
    return lmi_compose_find_tag(mesh, name, 0);
}

static bool find_places(weapon *w) {
    for (uint32_t k = LM_WEAPON_ITSELF; k < LM_WEAPON_KINDS; k++) {
        const uint32_t holder =
            k == LM_WEAPON_SCOPE || k == LM_WEAPON_FLASH ? LM_WEAPON_ITSELF : LM_WEAPON_HAND;
        if (!w->exists[k])
            continue;
        w->places[k] = find_tag(&w->c->mesh, lmi_weapon_kinds[k].tag, holder);
        if (!w->places[k])
            return lmi_composing_fail(w->c, LM_CODE_BAD_ARGUMENT,
                                      "the weapon has no %s, which holds %s%s: add an empty of "
                                      "this name",
                                      lmi_weapon_kinds[k].tag, w->name,
                                      lmi_weapon_kinds[k].suffix) ||
                   lmi_fail_in(w->c->heap.call.error, LM_SECTION_TAG);
    }
    return true;
}

/* Marks the tags of a model: its own, each name once, and those that it needs: the hand those that
 * hold the other models, the weapon those at which the game shows its flash and its cartridges. */
static bool *mark_tags(const weapon *w, uint32_t kind) {
    static const char *const needed[] = {"tag_flash", "tag_brass", "tag_scope"};
    const lm_mesh *mesh = &w->c->mesh;
    bool *tags = lmi_composing_alloc(w->c, mesh->num_tags + (uint64_t)1, 1);
    for (uint32_t i = 0; tags && i < mesh->num_tags; i++)
        tags[i] = is_of(&mesh->tags[i], kind) &&
                  find_tag(mesh, mesh->tags[i].name, kind) == &mesh->tags[i];
    for (uint32_t k = LM_WEAPON_ITSELF; tags && kind == LM_WEAPON_HAND && k < LM_WEAPON_KINDS; k++)
        if (w->places[k] && k != LM_WEAPON_SCOPE && k != LM_WEAPON_FLASH)
            tags[w->places[k] - mesh->tags] = true;
    for (size_t i = 0; tags && kind == LM_WEAPON_ITSELF && i < sizeof needed / sizeof *needed;
         i++) {
        const lm_mesh_tag *tag = find_tag(mesh, needed[i], LM_WEAPON_ITSELF);
        if (tag && (is_of(tag, LM_WEAPON_ITSELF) || is_of(tag, LM_WEAPON_HAND)))
            tags[tag - mesh->tags] = true;
    }
    return tags;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

#define NO_SIZE 1e-4f      /* units: what is smaller is not drawn */
#define MOVED (1 / 128.0f) /* units: half a step of MD3 and MDC */

static float distance(lm_vec3 a, lm_vec3 b) {
    return fmaxf(fabsf(a.x - b.x), fmaxf(fabsf(a.y - b.y), fabsf(a.z - b.z)));
}

/* Returns whether all vertices of a model are at one place. */
static bool is_nothing(const weapon *w, uint32_t kind, uint32_t frame) {
    const lm_vec3 *first = NULL;
    for (uint32_t i = 0; i < w->c->mesh.num_surfaces; i++) {
        const lm_mesh_surface *s = &w->c->mesh.surfaces[i];
        const lm_vec3 *p = lmi_mesh_rows(s->positions) + (size_t)frame * s->num_vertices;
        for (uint32_t v = 0; w->kinds[i] == kind && v < s->num_vertices; v++) {
            first = first ? first : p;
            if (distance(p[v], *first) > NO_SIZE)
                return false;
        }
    }
    return first;
}

static lm_vec3 place(const lm_transform *to, lm_vec3 p) {
    lm_transform_vertices(to, &p, NULL, 1, 0);
    return p;
}

/* Returns whether a model has another shape than at rest, seen from its tag. */
static bool is_moved(const weapon *w, uint32_t kind, uint32_t frame) {
    const lm_transform *poses = w->places[kind]->poses;
    const lm_transform to = lmi_split_undo(&poses[frame]);
    const lm_transform rest = lmi_split_undo(&poses[w->rest[kind]]);
    for (uint32_t i = 0; i < w->c->mesh.num_surfaces; i++) {
        const lm_mesh_surface *s = &w->c->mesh.surfaces[i];
        const lm_vec3 *p = lmi_mesh_rows(s->positions) + (size_t)frame * s->num_vertices;
        const lm_vec3 *q = lmi_mesh_rows(s->positions) + (size_t)w->rest[kind] * s->num_vertices;
        for (uint32_t v = 0; w->kinds[i] == kind && v < s->num_vertices; v++)
            if (distance(place(&to, p[v]), place(&rest, q[v])) > MOVED)
                return true;
    }
    return false;
}

static bool compare_shapes(weapon *w) {
    const uint32_t frames = w->c->mesh.num_frames;
    for (uint32_t k = LM_WEAPON_ITSELF; k < LM_WEAPON_KINDS; k++) {
        w->moved[k] = lmi_composing_alloc(w->c, frames, 1);
        w->hidden[k] = lmi_composing_alloc(w->c, frames, 1);
        if (!w->moved[k] || !w->hidden[k])
            return false;
        for (uint32_t f = 0; f < frames && w->exists[k]; f++)
            w->hidden[k][f] = is_nothing(w, k, f);
        w->rest[k] = w->rows[0].first;
        for (uint32_t f = 0; f < frames && w->hidden[k][w->rest[k]]; f++)
            w->rest[k] = f;
        for (uint32_t f = 0; f < frames && w->exists[k]; f++)
            w->moved[k][f] = !w->hidden[k][f] && is_moved(w, k, f);
    }
    return true;
}

/* Returns whether a flag is set in one frame of a row, or with `all` in each. */
static bool flagged(const lm_clip *row, const bool *flags, bool all) {
    for (uint32_t f = 0; f < row->count; f++)
        if (flags[row->first + f] != all)
            return !all;
    return all;
}

/* Forgets the shapes in the frames of rows that have a barrel's bit already. Other rows may show
 * the same frames of the hand. */
static void forget_known(weapon *w, uint32_t kind, unsigned bit) {
    for (uint32_t i = 0; i < w->num_rows; i++)
        if (w->rows[i].animated_barrels & bit)
            memset(w->moved[kind] + w->rows[i].first, 0, w->rows[i].count);
}

/* In rows that hide a model in some frames only, or that cannot hide it, its shapes without a size
 * are shapes like others. */
static void show_hidden(weapon *w, uint32_t kind) {
    for (uint32_t i = 0; i < w->num_rows && w->exists[kind]; i++) {
        const lm_clip *row = &w->rows[i];
        if (lmi_barrel_bit(kind) && flagged(row, w->hidden[kind], true))
            continue;
        for (uint32_t f = row->first; f < row->first + row->count; f++)
            w->moved[kind][f] = w->moved[kind][f] || w->hidden[kind][f];
    }
}

/* Sets the bits of the barrels. Until a barrel's first row with frames of its own, the game shows
 * the first of these, so that a barrel with another shape at rest has frames of its own then. */
static void set_bits(weapon *w) {
    for (uint32_t k = LM_WEAPON_ITSELF; k < LM_WEAPON_KINDS; k++) {
        const unsigned bit = lmi_barrel_bit(k);
        const lm_clip *animated = NULL;
        const char *moves = NULL; /* the first row in which it does */
        show_hidden(w, k);
        forget_known(w, k, bit);
        for (uint32_t i = 0; i < w->num_rows && w->exists[k]; i++) {
            lm_clip *row = &w->rows[i];
            const bool moved = flagged(row, w->moved[k], false);
            moves = moves || !moved ? moves : row->name;
            if (moved)
                row->animated_barrels |= (uint8_t)bit;
            if (flagged(row, w->hidden[k], true))
                row->hidden_barrels |= (uint8_t)bit;
            if (!animated && (row->animated_barrels & bit))
                animated = row;
        }
        if (animated && w->moved[k][animated->first])
            w->rows[0].animated_barrels |= (uint8_t)bit;
        if (moves && !bit)
            lmi_composing_note(w->c, LM_SEVERITY_WARNING,
                               "in %s, %s%s moves away from %s, changes its shape or its size, but "
                               "the game shows only its first frame: make the part that moves a "
                               "barrel",
                               moves, w->name, lmi_weapon_kinds[k].suffix, lmi_weapon_kinds[k].tag);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Of each row of weapon.cfg: other names of its clip, and the row that it plays if it is missing.
 */
static const struct {
    const char *words;
    uint32_t nearest;
    bool repeats; /* a clip that ends as it begins is a loop */
} rows[LM_WEAPON_CLIPS] = {
    {"idle stand", 0, true},
    {"", 0, true},
    {"attack fire shoot", 0, true},
    {"", 2, true},
    {"lastshot attack3", 2, true},
    {"", 0, false},
    {"", 0, false},
    {"reload", 0, false},
    {"", 7, false},
    {"", 7, false},
    {"", 0, false},
    {"", 0, false},
};
static void note_unused(const weapon *w, const bool *used) {
    const lm_mesh *mesh = &w->c->mesh;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        if (!used[i])
            lmi_composing_note(w->c, LM_SEVERITY_NOTE,
                               "the clip %.100s is none that the game plays, but its frames stay",
                               mesh->clips[i].name);
}

/* Chooses a clip for each row. A row without one plays another row's, or the first frame at rest.
 */
static bool choose_rows(weapon *w) {
    const lm_mesh *mesh = &w->c->mesh;
    const lm_clip *rest = lmi_rest_clip(mesh->clips, mesh->num_clips);
    bool own[LM_WEAPON_CLIPS], *used = lmi_composing_alloc(w->c, mesh->num_clips + (uint64_t)1, 1);
    char list[256] = "";
    size_t at = 0;
    for (uint32_t i = 0; used && i < LM_WEAPON_CLIPS; i++) {
        const lm_clip *clip = lmi_compose_find_clip(mesh, lmi_weapon_clips[i]);
        clip = clip ? clip : lmi_compose_find_clip(mesh, rows[i].words);
        own[i] = clip;
        w->num_rows = i < LM_FEWEST_WEAPON_CLIPS || clip ? i + 1 : w->num_rows;
        w->rows[i] = w->rows[rows[i].nearest];
        if (clip) {
            w->rows[i] = *clip;
            used[clip - mesh->clips] = true;
        } else if (rows[i].nearest == 0) {
            w->rows[i] = (lm_clip){.first = i > 0  ? w->rows[0].first
                                            : rest ? rest->first
                                                   : 0,
                                   .count = 1,
                                   .fps = LM_STILL_WEAPON_FPS,
                                   .loop_frames = 1,
                                   .source = LM_CLIP_FILE};
        }
        if (!w->c->options->from_game && !rows[i].repeats && w->rows[i].count > 1 &&
            w->rows[i].loop_frames + 1 == w->rows[i].count) /* nobody asked for the loop */
            w->rows[i].loop_frames = 0;
        w->rows[i].name = lmi_weapon_clips[i];
        w->rows[i].times = NULL;
    }
    for (uint32_t i = 0; used && i < w->num_rows; i++)
        if (!own[i] && at < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "",
                                   lmi_weapon_clips[i]);
    if (used && at > 0)
        lmi_composing_note(w->c, LM_SEVERITY_WARNING,
                           "the weapon has no clip for %s: the game plays the nearest, or the "
                           "weapon at rest",
                           list);
    if (used)
        note_unused(w, used);
    return used;
}

/* ---- The weapon ------------------------------------------------------------------------------ */

/* Lists the frames of a model: all of the hand, those of its rows of a barrel, else one. */
static bool list_frames(const weapon *w, uint32_t kind, lm_player_frames *out) {
    const unsigned bit = lmi_barrel_bit(kind);
    uint64_t most = w->c->mesh.num_frames;
    for (uint32_t i = 0; i < w->num_rows; i++)
        most += w->rows[i].count;
    out->frames = lmi_composing_alloc(w->c, most, sizeof *out->frames);
    for (uint32_t f = 0; out->frames && kind == LM_WEAPON_HAND && f < w->c->mesh.num_frames; f++)
        out->frames[out->count++] = f;
    for (uint32_t i = 0; out->frames && i < w->num_rows; i++)
        for (uint32_t f = 0; (w->rows[i].animated_barrels & bit) && f < w->rows[i].count; f++)
            out->frames[out->count++] = w->rows[i].first + f;
    if (out->frames && out->count == 0)
        out->frames[out->count++] = w->rest[kind];
    return out->frames;
}

static bool add_models(weapon *w) {
    lm_composing *c = w->c;
    uint32_t numbers[LM_WEAPON_KINDS] = {0}, count = 0;
    lm_model_split splits[LM_WEAPON_KINDS] = {0};
    for (uint32_t k = 0; k < LM_WEAPON_KINDS; k++) {
        lm_model_split *split = &splits[count];
        if (!w->exists[k])
            continue;
        numbers[k] = count++;
        split->name = lmi_arena_printf(&c->arena, "%s%s", w->name, lmi_weapon_kinds[k].suffix);
        split->tags = mark_tags(w, k);
        split->place = w->places[k];
        if (!split->name || !split->tags || !list_frames(w, k, &split->frames))
            return false;
    }
    for (uint32_t i = 0; i < c->mesh.num_surfaces; i++)
        w->kinds[i] = numbers[w->kinds[i]];
    c->of_model = w->kinds;
    return lmi_composing_split(c, splits, count);
}

bool lmi_weapon_split(lm_composing *c) {
    weapon w = {.c = c};
    w.kinds = lmi_composing_alloc(c, c->mesh.num_surfaces + (uint64_t)1, sizeof *w.kinds);
    lm_clip *made = lmi_composing_alloc(c, LM_WEAPON_CLIPS, sizeof *made);
    if (!w.kinds || !made || !find_name(&w) || !find_models(&w) || !find_places(&w) ||
        !choose_rows(&w) || !compare_shapes(&w))
        return false;
    set_bits(&w);
    memcpy(made, w.rows, sizeof w.rows);
    c->made.num_player_clips = w.num_rows;
    c->made.player_clips = made;
    return add_models(&w);
}
