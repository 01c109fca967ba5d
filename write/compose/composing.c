/* The memory, diagnostics and mesh of a composition under construction. */
#include "compose/composing.h"

#include "core/names.h"
#include "core/text.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#include <stdio.h>

/* ---- Memory --------------------------------------------------------------------------------- */

void lm_composition_free(lm_composition *composition) {
    if (!composition)
        return;
    lm_composing *c = (lm_composing *)composition; /* its first member */
    lm_mesh_free(c->owned);
    for (unsigned i = 0; i < LM_MAX_SPLIT; i++)
        lm_mesh_free(c->models[i]);
    lmi_arena_free(&c->arena);
    lm_heap heap = c->heap;
    lmi_heap_free(&heap, c, sizeof *c);
}

void *lmi_composing_alloc(lm_composing *c, uint64_t count, size_t element) {
    return lmi_arena_zeros(&c->arena, count, element);
}

lm_mesh_surface *lmi_composing_surfaces(lm_composing *c) {
    lm_mesh *mesh = &c->mesh;
    if (c->surfaces)
        return c->surfaces;
    c->surfaces = lmi_arena_alloc(&c->arena, mesh->num_surfaces, sizeof *c->surfaces);
    for (uint32_t i = 0; c->surfaces && i < mesh->num_surfaces; i++)
        c->surfaces[i] = mesh->surfaces[i];
    if (c->surfaces)
        mesh->surfaces = c->surfaces;
    return c->surfaces;
}

bool lmi_composing_fail(lm_composing *c, lm_code code, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    lmi_fail_vplain(c->heap.call.error, code, sentence, arguments);
    va_end(arguments);
    return lmi_call_join(&c->heap.call, false);
}

void lmi_composing_note(lm_composing *c, lm_severity severity, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const lm_diagnostic note = {.code = LM_CODE_NOT_HELD, .severity = severity, .count = 1};
    lmi_diagnostics_vprintf(&c->notes, &c->arena, note, sentence, arguments);
    va_end(arguments);
    c->made.num_notes = (uint32_t)c->notes.count;
    c->made.notes = c->notes.list;
}

bool lmi_composing_add_image(lm_composing *c, const char *name, const lm_scene_texture *pixels) {
    if (!lmi_arena_grow(&c->arena, (void *)&c->images, &c->image_capacity,
                        c->made.num_images + (size_t)1, sizeof *c->images))
        return false;
    c->images[c->made.num_images] = *pixels;
    c->images[c->made.num_images++].name = name;
    c->made.images = c->images;
    return true;
}

const lm_scene_material *lmi_composing_material(const lm_composing *c, uint32_t surface) {
    if (c->shown)
        return &c->shown[surface];
    return c->num_skins > 0 && surface < c->num_skin_surfaces
               ? &c->skins[c->skin].materials[surface]
               : NULL;
}

const lm_scene_texture *lmi_composing_image(const lm_composing *c,
                                            const lm_scene_material *material) {
    const bool any = material && material->texture != LM_NO_TEXTURE;
    const lm_scene_texture *texture = any ? &c->textures[material->texture] : NULL;
    return texture && texture->pixels ? texture : NULL;
}

/* ---- The mesh -------------------------------------------------------------------------------- */

/* Tags that differ by less are at the same place. */
#define SAME_PLACE 0.05 /* units */
#define SAME_AXIS 0.01

const lm_mesh_tag *lmi_compose_find_tag(const lm_mesh *mesh, const char *name, uint32_t index) {
    if (index < mesh->num_tags && strcmp(mesh->tags[index].name, name) == 0)
        return &mesh->tags[index];
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (strcmp(mesh->tags[i].name, name) == 0)
            return &mesh->tags[i];
    return NULL;
}

bool lmi_composing_adopt(lm_composing *c, lm_mesh *mesh) {
    if (!lmi_call_join(&c->heap.call, mesh != NULL))
        return false;
    lm_mesh_free(c->owned);
    c->owned = mesh;
    c->mesh = *mesh;
    return true;
}

bool lmi_composing_scale(lm_composing *c) {
    const float s = c->options->scale;
    const lm_transform to = {{0, 0, 0}, {{s, 0, 0}, {0, s, 0}, {0, 0, s}}};
    lm_error *error = c->heap.call.error;
    if (s > 0 && !c->owned)
        return lmi_composing_adopt(c, lm_mesh_transform(&c->mesh, &to, &c->options->memory, error));
    return s <= 0 || lmi_call_join(&c->heap.call, lmi_mesh_move(&c->mesh, &to, error));
}

/* Returns whether two tags are at the same place in all frames, but for the rounding of files. */
static bool is_same_tag(const lm_composing *c, const lm_mesh_tag *a, const lm_mesh_tag *b) {
    const double scale = c->options->scale > 0 ? (double)c->options->scale : 1;
    bool same = true;
    for (uint32_t f = 0; same && f < c->mesh.num_frames; f++) {
        const lm_transform *x = &a->poses[f], *y = &b->poses[f];
        same = lmi_distance_between(x->origin, y->origin) < SAME_PLACE * scale;
        for (int i = 0; i < 3; i++)
            same = same && lmi_distance_between(x->axis[i], y->axis[i]) < SAME_AXIS;
    }
    return same;
}

void lmi_composing_name_tags(lm_composing *c) {
    const lm_mesh_tag *tags = c->mesh.tags;
    lm_names firsts = {.arena = &c->arena}, used = {.arena = &c->arena};
    lm_mesh_tag *made = lmi_composing_alloc(c, c->mesh.num_tags, sizeof *made);
    uint32_t count = 0;
    for (uint32_t i = 0; made && i < c->mesh.num_tags; i++) {
        lm_name *name = lmi_names_put(&firsts, tags[i].name);
        if (name && name->number > 0 && is_same_tag(c, &tags[name->number - 1], &tags[i]))
            continue;
        made[count] = tags[i];
        if (!name || !(made[count].name = lmi_names_unique_copy(&used, tags[i].name)))
            return;
        if (name->number > 0)
            lmi_composing_note(c, LM_SEVERITY_WARNING,
                               "several tags have the name \"%s\": one becomes \"%s\"",
                               tags[i].name, made[count].name);
        name->number = name->number > 0 ? name->number : i + 1;
        count++;
    }
    if (made && count > 0) {
        c->mesh.tags = made;
        c->mesh.num_tags = count;
    }
}

void lmi_composing_name(lm_composing *c) {
    const lm_mesh *mesh = &c->mesh;
    if (!c->options->name || mesh->num_surfaces != 1 ||
        (mesh->surfaces[0].name && *mesh->surfaces[0].name))
        return;
    lm_mesh_surface *surfaces = lmi_composing_surfaces(c);
    if (surfaces)
        surfaces[0].name = lmi_copy_text(&c->arena, c->options->name);
}

/* ---- Paths -------------------------------------------------------------------------------- */

#define MAX_FOLDER 47u  /* bytes; the rest of the path is for the image's name */
#define MAX_GUESSED 20u /* bytes of a name that occurs twice in the path */

const char *lmi_compose_stem(const char *path, const char *separators, size_t *length) {
    const char *name = path + strlen(path);
    while (name > path && !strchr(separators, name[-1]))
        name--;
    const char *dot = strrchr(name, '.');
    *length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

void lmi_compose_clean(const char *name, size_t length, const char *allowed, bool wide, char *out,
                       size_t room) {
    for (; length > 0 && room > 1; name++, length--, room--) {
        const char small = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        const bool plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
                           strchr(allowed, small) || (wide && (unsigned char)small >= 0x80);
        *out++ = plain ? small : '_';
    }
    *out = '\0';
}

/* Returns the start of the last folder with this name in a file's path, or NULL. */
static const char *find_folder(const char *path, const char *name) {
    const size_t length = strlen(name);
    const char *found = NULL;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '/')
            found = at;
    }
    return found;
}

void lmi_compose_folder(lm_image_plan *plan, const char *path, const char *given) {
    const size_t size = sizeof plan->folder;
    if (given) {
        const size_t length = strlen(given);
        snprintf(plan->folder, size, "%s%s", given,
                 length > 0 && given[length - 1] != '/' ? "/" : "");
        return;
    }
    const bool climbs = strstr(path, "../") != NULL;
    const char *found = climbs ? NULL : find_folder(path, "models");
    found = found || climbs ? found : find_folder(path, "players");
    const size_t room = found ? (size_t)(strrchr(path, '/') + 1 - found) : 0;
    if (room >= size || room > MAX_FOLDER)
        return;
    if (found)
        snprintf(plan->folder, size, "%.*s", (int)room, found);
    else if (strlen(plan->called) <= MAX_GUESSED)
        snprintf(plan->folder, size, "models/%s/", plan->called);
    else
        snprintf(plan->folder, size, "models/");
}
