#include "formats/vertex_mesh/vertex_mesh_edit.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>

/* ---- Lists ---------------------------------------------------------------------------------- */

uint32_t lm_mesh_count(const lm_mesh_lists *lists, lm_edit_list list) {
    switch (list) {
    case LM_EDIT_SKINS:
        return (uint32_t)*lists->num_shaders;
    case LM_EDIT_FRAMES:
        return (uint32_t)lists->num_frames;
    case LM_EDIT_SURFACES:
        return (uint32_t)lists->num_surfaces;
    case LM_EDIT_TAGS:
        return (uint32_t)lists->tags.count;
    case LM_EDIT_HEADER:
        return 1;
    default:
        return 0;
    }
}

/* A name that is no part of a lump; NULL if it is. */
static uint8_t *header_name(const lm_mesh_lists *lists, lm_edit_list list) {
    return list == LM_EDIT_SURFACES ? lists->surface
           : list == LM_EDIT_HEADER ? lists->header
                                    : NULL;
}

static lm_name_array names_of(const lm_mesh_lists *lists, lm_edit_list list) {
    if (list == LM_EDIT_TAGS)
        return lists->tags;
    if (list == LM_EDIT_SKINS)
        return (lm_name_array){.lump = lists->shaders,
                               .count = *lists->num_shaders,
                               .stride = LM_MESH_SHADER_SIZE,
                               .room = LM_MESH_NAME_SIZE};
    return (lm_name_array){.lump = lists->frames,
                           .count = lists->num_frames,
                           .stride = LM_MESH_FRAME_SIZE,
                           .at = LM_MESH_FRAME_NAME,
                           .room = LM_MESH_FRAME_NAME_SIZE};
}

const uint8_t *lm_mesh_name(const lm_mesh_lists *lists, lm_edit_list list, uint32_t index,
                            size_t *room) {
    const uint8_t *own = header_name(lists, list);
    *room = LM_MESH_NAME_SIZE;
    if (own)
        return own;
    const lm_name_array names = names_of(lists, list);
    *room = names.room;
    return lm_name_field(&names, index);
}

bool lm_mesh_put_name(const lm_mesh_lists *lists, lm_edit_list list, uint32_t index,
                      const uint8_t *field) {
    uint8_t *own = header_name(lists, list);
    if (own) {
        memcpy(own, field, LM_MESH_NAME_SIZE);
        return true;
    }
    const lm_name_array names = names_of(lists, list);
    return lm_put_name_field(lists->owned, &names, index, field);
}

bool lm_mesh_pick_shaders(const lm_mesh_lists *lists, const uint32_t *indices, uint32_t count) {
    const uint8_t *picked =
        lm_pick(lists->owned, *lists->shaders, LM_MESH_SHADER_SIZE, indices, count);
    if (!picked)
        return false;
    *lists->shaders = picked;
    *lists->num_shaders = (int32_t)count;
    return true;
}

bool lm_mesh_add_shader(const lm_mesh_lists *lists, const uint8_t *field) {
    const size_t count = (size_t)*lists->num_shaders;
    uint8_t *shaders =
        lm_lengthen(lists->owned, *lists->shaders, LM_MESH_SHADER_SIZE, (uint32_t)count);
    if (!shaders)
        return false;
    memcpy(shaders + count * LM_MESH_SHADER_SIZE, field, LM_MESH_NAME_SIZE);
    *lists->shaders = shaders;
    ++*lists->num_shaders;
    return true;
}

const uint32_t *lm_mesh_pick_origins(const lm_edit *edit, lm_owned *owned, const uint32_t *indices,
                                     uint32_t count) {
    uint32_t *origins = lm_own(owned, NULL, (uint64_t)count + 1, sizeof *origins);
    for (uint32_t i = 0; origins && i < count; i++)
        origins[i] = edit->origins ? edit->origins[indices[i]] : indices[i];
    return origins;
}

/* ---- Vertices that nothing draws ------------------------------------------------------------ */

bool lm_mesh_number(lm_owned *owned, const uint8_t *triangles, int32_t num_triangles,
                    int32_t num_vertices, lm_mesh_numbers *numbers) {
    const size_t count = (size_t)num_vertices + 1;
    uint32_t *memory = lm_own(owned, NULL, count, 2 * sizeof *memory + sizeof(bool));
    uint8_t *made = lm_own(owned, NULL, (uint64_t)num_triangles + 1, LM_MESH_TRIANGLE_SIZE);
    if (!memory || !made)
        return false;
    *numbers = (lm_mesh_numbers){.places = memory, .kept = memory + count, .triangles = made};
    numbers->used = (bool *)(memory + 2 * count);
    memset(numbers->used, 0, count * sizeof(bool));
    uint32_t vertex[3];
    for (int32_t i = 0; i < num_triangles; i++) {
        lm_mesh_get_triangle(triangles + (size_t)i * LM_MESH_TRIANGLE_SIZE, vertex);
        for (int c = 0; c < 3; c++)
            numbers->used[vertex[c]] = true;
    }
    numbers->count =
        lm_edit_number(numbers->used, (uint32_t)num_vertices, numbers->places, numbers->kept);
    for (int32_t i = 0; i < num_triangles; i++) {
        lm_mesh_get_triangle(triangles + (size_t)i * LM_MESH_TRIANGLE_SIZE, vertex);
        for (int c = 0; c < 3; c++)
            vertex[c] = numbers->places[vertex[c]];
        lm_mesh_put_triangle(made + (size_t)i * LM_MESH_TRIANGLE_SIZE, vertex);
    }
    return true;
}

bool lm_mesh_note_numbers(lm_edit *edit, uint32_t surface, int32_t num_vertices, uint32_t kept) {
    char what[LM_EDIT_WHAT_SIZE];
    snprintf(what, sizeof what, "surface %u vertices", (unsigned)surface);
    return kept == (uint32_t)num_vertices ||
           lm_edit_note_count(edit, what, (uint32_t)num_vertices, kept);
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

uint8_t *lm_mesh_turn_frames(lm_owned *owned, const lm_edit_turn *turn, const uint8_t *frames,
                             uint32_t count) {
    uint8_t *turned = lm_join_lumps(owned, frames, (size_t)count * LM_MESH_FRAME_SIZE, NULL, 0);
    for (size_t i = 0; turned && i < count; i++) {
        lm_mesh_frame frame = lm_mesh_get_frame(turned + i * LM_MESH_FRAME_SIZE);
        if (!lm_mesh_frame_sound(&frame)) /* nobody goes by it */
            continue;
        lm_edit_turn_box(turn, &frame.bbox_min, &frame.bbox_max);
        frame.local_origin = lm_edit_turn_point(turn, frame.local_origin);
        frame.radius = (float)((double)frame.radius * turn->scale);
        lm_mesh_put_frame(turned + i * LM_MESH_FRAME_SIZE, &frame);
    }
    return turned;
}

static bool turn_vertex(lm_edit *edit, const lm_edit_turn *turn, const char *what, uint32_t index,
                        uint8_t *bytes) {
    const lm_mesh_vertex vertex = lm_mesh_get_vertex(bytes);
    lm_mesh_vertex turned;
    for (int axis = 0; axis < 3; axis++) {
        const double from = (double)vertex.v[turn->from[axis]] * turn->scale;
        const double steps =
            (turn->negative[axis] ? -from : from) + turn->move[axis] / (double)LM_MESH_STEP;
        if (!lm_edit_round(edit, turn, steps, (double)LM_MESH_STEP, what, index, &turned.v[axis]))
            return false;
    }
    /* sigma, in the high byte, turns around z in 256 steps */
    turned.normal = (uint16_t)(vertex.normal + (turn->quarters << 14));
    lm_mesh_put_vertex(bytes, turned);
    return true;
}

uint8_t *lm_mesh_turn_vertices(lm_edit *edit, lm_owned *owned, const lm_edit_turn *turn,
                               const uint8_t *vertices, size_t count, uint32_t surface) {
    char what[LM_EDIT_WHAT_SIZE];
    uint8_t *turned = lm_join_lumps(owned, vertices, count * LM_MESH_VERTEX_SIZE, NULL, 0);
    snprintf(what, sizeof what, "surface %u: vertex", (unsigned)surface);
    for (size_t i = 0; turned && i < count; i++)
        if (!turn_vertex(edit, turn, what, (uint32_t)i, turned + i * LM_MESH_VERTEX_SIZE))
            return NULL;
    return turned;
}

/* ---- Bounds --------------------------------------------------------------------------------- */

void lm_mesh_grow_bounds(lm_mesh_bounds *bounds, lm_vec3 p) {
    const double x = (double)p.x - (double)bounds->origin.x;
    const double y = (double)p.y - (double)bounds->origin.y;
    const double z = (double)p.z - (double)bounds->origin.z;
    const lm_vec3 min = bounds->any ? bounds->min : p, max = bounds->any ? bounds->max : p;
    bounds->min = (lm_vec3){fminf(min.x, p.x), fminf(min.y, p.y), fminf(min.z, p.z)};
    bounds->max = (lm_vec3){fmaxf(max.x, p.x), fmaxf(max.y, p.y), fmaxf(max.z, p.z)};
    bounds->radius = fmax(bounds->radius, x * x + y * y + z * z);
    bounds->any = true;
}

void lm_mesh_put_bounds(const lm_mesh_bounds *bounds, uint8_t *bytes) {
    lm_mesh_frame frame = lm_mesh_get_frame(bytes);
    if (!bounds->any) /* it shows nothing: what was said of it stays */
        return;
    frame.bbox_min = bounds->min;
    frame.bbox_max = bounds->max;
    frame.radius = (float)sqrt(bounds->radius);
    lm_mesh_put_frame(bytes, &frame);
}

bool lm_mesh_note_bounds(lm_edit *edit, const uint8_t *before, const uint8_t *after,
                         uint32_t count) {
    char text[160];
    uint32_t changed = 0;
    for (size_t i = 0; i < count; i++)
        changed += memcmp(before + i * LM_MESH_FRAME_SIZE, after + i * LM_MESH_FRAME_SIZE,
                          LM_MESH_FRAME_SIZE) != 0;
    snprintf(text, sizeof text, "computed, of %s",
             lm_count_words(changed, "{frame another|frames others}").text);
    return changed == 0 || lm_edit_note(edit, "bounds", "as stored", text);
}
