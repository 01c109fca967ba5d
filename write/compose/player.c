/* Splits a mesh into the lower body, upper body and head of a player of Quake III. */
#include "compose/composing.h"
#include "core/names.h"
#include "core/report.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define NUM_MODELS (LM_NUM_BODY_PARTS - 1)

static const char *const model_names[NUM_MODELS] = {"lower", "upper", "head"};
static const char torso_tag[] = "tag_torso", head_tag[] = "tag_head", weapon_tag[] = "tag_weapon";

/* ---- Names of surfaces ----------------------------------------------------------------------- */

/* Returns a name as the game compares it: without case, and without a final '_' and the byte after
 * it. NULL if memory ran out. */
static char *game_name(lm_composing *c, const char *name) {
    const size_t length = lmi_skin_name_length(name);
    char *made = lmi_arena_text(&c->arena, name, length);
    for (size_t i = 0; made && i < length; i++)
        made[i] = (char)lmi_lower(made[i]);
    return made;
}

static const char *material_of(const lm_mesh_surface *surface) {
    return surface->num_materials > 0 ? surface->materials[0].name : "";
}

typedef struct renaming {
    lm_names used; /* as the game compares them */
    /* [surfaces] by the index in `used`: the first surface of that name, and the last number that
     * was added to it */
    uint32_t *first, *number;
    uint32_t renamed;
} renaming;

/* Returns a name that the game compares with no other; NULL if memory ran out. `same`: the index of
 * the old name in `used`. */
static const char *new_name(lm_composing *c, renaming *r, const char *old, size_t same) {
    const size_t length = lmi_skin_name_length(old);
    const char *end = old + length; /* "_r" of arm_r, or "" */
    char *name = lmi_arena_printf(&c->arena, "%.*s%s%s", (int)length, old, *end ? "-" : "",
                                  *end ? end + 1 : "");
    const char *compared = name ? game_name(c, name) : NULL;
    while (compared && lmi_names_find(&r->used, compared)) {
        name = lmi_arena_printf(&c->arena, "%s-%u", old, (unsigned)++r->number[same] + 1);
        compared = name ? game_name(c, name) : NULL;
    }
    return compared && lmi_names_put(&r->used, compared) ? name : NULL;
}

static bool rename_surface(lm_composing *c, renaming *r, lm_mesh_surface *surfaces, uint32_t i) {
    const char *old = surfaces[i].name ? surfaces[i].name : "";
    const char *compared = game_name(c, old);
    const size_t known = r->used.count;
    const lm_name *entry = compared ? lmi_names_put(&r->used, compared) : NULL;
    if (!entry)
        return false;
    const size_t same = (size_t)(entry - r->used.names);
    if (same == known) {
        r->first[same] = i;
        return true;
    }
    const lm_mesh_surface *first = &surfaces[r->first[same]];
    if (first->body == surfaces[i].body &&
        strcmp(material_of(first), material_of(&surfaces[i])) == 0)
        return true;
    const char *name = new_name(c, r, old, same);
    if (!name)
        return false;
    r->first[r->used.count - 1] = i;
    if (r->renamed++ == 0)
        lmi_composing_note(
            c, LM_SEVERITY_WARNING,
            "the game cannot tell some surfaces apart, because it ignores case, and a "
            "final '_' with the byte after it: %.60s becomes %.60s",
            *old ? old : "a surface without a name", name);
    surfaces[i].name = name;
    return true;
}

bool lmi_player_rename(lm_composing *c) {
    const uint32_t count = c->mesh.num_surfaces;
    renaming r = {.used = {.arena = &c->arena}};
    lm_mesh_surface *surfaces = lmi_composing_surfaces(c);
    r.first = lmi_composing_alloc(c, count, sizeof *r.first);
    r.number = lmi_composing_alloc(c, count, sizeof *r.number);
    if (!surfaces || !r.first || !r.number)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!rename_surface(c, &r, surfaces, i))
            return false;
    if (r.renamed > 1)
        lmi_composing_note(c, LM_SEVERITY_WARNING, "%u more surfaces were renamed in the same way",
                           (unsigned)r.renamed - 1);
    return true;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Returns whether a name begins with a word, or with its letter and '_'. */
static bool begins_with(const char *name, const char *word) {
    const size_t length = strlen(word);
    if (lmi_lower(*name) == *word && name[1] == '_')
        return true;
    if (strlen(name) < length || !lmi_same_letters(name, word, length))
        return false;
    const int next = lmi_lower(name[length]);
    return !(next >= 'a' && next <= 'z');
}

/* Returns the part of a surface; `other` if neither its file nor its name says it. */
static lm_body_part part_of(const lm_mesh_surface *surface, lm_body_part other) {
    const char *name = surface->name ? surface->name : "";
    if (surface->body != LM_BODY_UNKNOWN)
        return surface->body;
    for (unsigned i = 0; i < NUM_MODELS; i++)
        if (begins_with(name, model_names[i]))
            return (lm_body_part)(LM_BODY_LOWER + i);
    return other;
}

/* Returns the part of surfaces without any. The lower body holds the others, so where both of
 * these hang on tags or lie in objects of their own, the rest is the lower body. */
static lm_body_part rest_of(const lm_mesh *mesh) {
    bool upper = false, head = false;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        upper = upper || mesh->surfaces[i].body == LM_BODY_UPPER;
        head = head || mesh->surfaces[i].body == LM_BODY_HEAD;
    }
    return upper && head ? LM_BODY_LOWER : LM_BODY_UNKNOWN;
}

static bool fail_parts(lm_composing *c, const uint32_t *counts, const char *unknown) {
    const bool any = counts[LM_BODY_LOWER] + counts[LM_BODY_UPPER] + counts[LM_BODY_HEAD] > 0;
    if (any && counts[LM_BODY_UNKNOWN] > 0)
        return lmi_composing_fail(
            c, LM_CODE_BAD_ARGUMENT,
            "the surface \"%.100s\" belongs to no part of the player: its name must begin with l_, "
            "u_ or h_ (lower body, upper body, head), or its object must lie in one named lower, "
            "upper or head",
            unknown);
    for (unsigned i = 0; any && i < NUM_MODELS; i++)
        if (counts[LM_BODY_LOWER + i] == 0)
            return lmi_composing_fail(c, LM_CODE_BAD_ARGUMENT,
                                      "the player has no surfaces for its %s%s: their names begin "
                                      "with %c_, or their objects lie in one named %s",
                                      model_names[i], i < 2 ? " body" : "", *model_names[i],
                                      model_names[i]);
    return any ||
           lmi_composing_fail(
               c, LM_CODE_BAD_ARGUMENT,
               "a player of Quake III has three models, but nothing says which surfaces are "
               "its lower body, upper body and head: begin their names with l_, u_ and h_, or "
               "put their objects into ones named lower, upper and head");
}

static bool find_parts(lm_composing *c) {
    uint32_t counts[LM_NUM_BODY_PARTS] = {0};
    const lm_body_part rest = rest_of(&c->mesh);
    const char *unknown = "";
    lm_mesh_surface *surfaces = lmi_composing_surfaces(c);
    for (uint32_t i = 0; surfaces && i < c->mesh.num_surfaces; i++) {
        surfaces[i].body = part_of(&surfaces[i], rest);
        if (counts[surfaces[i].body]++ == 0 && surfaces[i].body == LM_BODY_UNKNOWN)
            unknown = surfaces[i].name ? surfaces[i].name : "";
    }
    return surfaces && fail_parts(c, counts, unknown);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Marks the tags of each model. */
static void find_tags(const lm_mesh *mesh, const lm_mesh_tag *torso, const lm_mesh_tag *head,
                      bool *tags[NUM_MODELS]) {
    for (uint32_t i = 0; i < mesh->num_tags; i++) {
        const lm_mesh_tag *tag = &mesh->tags[i];
        tags[0][i] = tag == torso;
        tags[1][i] = tag == torso || strcmp(tag->name, torso_tag) != 0;
        tags[2][i] = tag == head;
    }
}

static bool add_models(lm_composing *c, const lm_player_plan *plan, const lm_mesh_tag *torso,
                       const lm_mesh_tag *head) {
    uint32_t rest = plan->rest;
    uint32_t *of_model = lmi_composing_alloc(c, c->mesh.num_surfaces, sizeof *of_model);
    bool *tags[NUM_MODELS];
    for (unsigned i = 0; i < NUM_MODELS; i++)
        tags[i] = lmi_composing_alloc(c, c->mesh.num_tags, 1);
    if (!of_model || !tags[0] || !tags[1] || !tags[2])
        return false;
    find_tags(&c->mesh, torso, head, tags);
    for (uint32_t i = 0; i < c->mesh.num_surfaces; i++)
        of_model[i] = c->mesh.surfaces[i].body - LM_BODY_LOWER;
    c->of_model = of_model;
    const lm_model_split parts[NUM_MODELS] = {
        {model_names[0], tags[0], NULL, lmi_player_lift(c, plan->idle, true), plan->lower},
        {model_names[1], tags[1], torso, 0, plan->upper},
        {model_names[2], tags[2], head, 0, {&rest, 1}},
    };
    return lmi_composing_split(c, parts, NUM_MODELS);
}

bool lmi_player_split(lm_composing *c) {
    const lm_mesh *mesh = &c->mesh;
    const lm_mesh_tag *torso = lmi_compose_find_tag(mesh, torso_tag, 0),
                      *head = lmi_compose_find_tag(mesh, head_tag, 0);
    lm_player_plan plan = {0};
    if (!find_parts(c))
        return false;
    if (!torso || !head)
        return lmi_composing_fail(c, LM_CODE_BAD_ARGUMENT,
                                  "the player has no %s, which holds its %s: add an object of this "
                                  "name at the %s",
                                  torso ? head_tag : torso_tag, torso ? "head" : "upper body",
                                  torso ? "neck" : "waist") ||
               lmi_fail_in(c->heap.call.error, LM_SECTION_TAG);
    if (!lmi_compose_find_tag(mesh, weapon_tag, 0))
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "the player has no %s, which holds the weapon: the game draws it at %s",
                           weapon_tag, torso_tag);
    if (!lmi_player_plan_clips(c, &plan) || !add_models(c, &plan, torso, head))
        return false;
    c->made.num_player_clips = plan.num_rows;
    c->made.player_clips = plan.rows;
    return true;
}
