/* Decodes a document into a model: all poses in one row, each group in a clip of its own with its
 * times, vertices split at seams, and skins as palette indices. */
#include "formats/mdl/mdl_format.h"

#include "clips/clip_names.h"
#include "math/colours.h"
#include "math/vectors.h"

/* The results of the checks before the model is made. */
typedef struct lm_mdl_plan {
    const lm_mdl *mdl;
    lm_name_fields names; /* one per pose */
    lm_weld weld;
} lm_mdl_plan;

bool lmi_mdl_put_corners(lm_weld *weld, const lm_mdl *mdl, lm_arena *arena) {
    const uint32_t count = (uint32_t)lmi_mdl_num_st(mdl);
    *weld = (lm_weld){.num_vertices = (uint32_t)mdl->num_verts, .num_attributes = 2 * count};
    if (!lmi_weld_alloc(weld, (uint64_t)mdl->num_tris * 3, arena))
        return false;
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle t;
        lmi_mdl_get_triangle(mdl, i, &t);
        if (!lmi_mdl_triangle_valid(mdl, &t))
            continue;
        for (int c = 0; c < 3; c++) {
            lm_mdl_st st;
            lmi_mdl_get_st(mdl, t.st[c], &st);
            const bool on_back = t.facesfront == 0 && st.onseam != 0;
            lmi_weld_put(weld, weld->num_corners++, (uint32_t)t.vertex[c],
                         (uint32_t)t.st[c] + (on_back ? count : 0));
        }
    }
    return true;
}

/* ---- Frames and clips ------------------------------------------------------------------------ */

static bool decode_frames(lm_arena *arena, const lm_mdl_plan *plan, lm_model *model) {
    const lm_mdl *mdl = plan->mdl;
    model->num_frames = plan->names.count;
    lm_frame *frames = lmi_arena_alloc(arena, model->num_frames, sizeof *frames), *frame = frames;
    char *names = lmi_arena_alloc(arena, model->num_frames, LM_MDL_NAME_SIZE + 1);
    model->frames = frames;
    if (!frames || !names)
        return false;
    for (int32_t i = 0; i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++, frame++) {
            char *name = names + (size_t)(frame - frames) * (LM_MDL_NAME_SIZE + 1);
            const lm_packed_rows vertices = {lmi_mdl_vertices(mdl, &mdl->frames[i], p), 0, 1,
                                             (size_t)mdl->num_verts};
            lm_mdl_pose pose;
            lm_range_u8 range;
            lmi_mdl_get_pose(mdl, i, p, &pose);
            memcpy(name, pose.name, LM_MDL_NAME_SIZE);
            name[LM_MDL_NAME_SIZE] = '\0';
            *frame = (lm_frame){.name = name,
                                .scale = lmi_sanitize_vec3(mdl->scale),
                                .translate = lmi_sanitize_vec3(mdl->translate)};
            lmi_measure_rows(&vertices, &range);
            lmi_range_bounds(&range, frame);
        }
    return true;
}

/* Returns the times [count + 1] at which the elements of a group begin, and the last one ends. If
 * the file's times are unusable, all elements take as long as the first, as in GLQuake; or
 * LM_MDL_STEP, if that time is unusable too. NULL if memory ran out. */
static const float *decode_times(lm_arena *arena, const uint8_t *ends, int32_t count) {
    float *times = lmi_arena_alloc(arena, (uint64_t)count + 1, sizeof *times);
    if (!times)
        return NULL;
    const bool grow = lmi_mdl_times_increase(ends, count);
    const float step = lmi_mdl_times_increase(ends, 1) ? lmi_mdl_get_time(ends, 0) : LM_MDL_STEP;
    for (int32_t i = 0; i <= count; i++)
        times[i] = !grow ? (float)i * step : i == 0 ? 0.0f : lmi_mdl_get_time(ends, i - 1);
    return times;
}

static bool decode_clips(lm_arena *arena, const lm_mdl_plan *plan, lm_model *model) {
    const lm_mdl *mdl = plan->mdl;
    const lm_name_fields *names = &plan->names;
    uint32_t first = 0;
    if (!lmi_clips_of_names(arena, names, &model->clips, &model->num_clips))
        return false;
    lm_clip *clip = (lm_clip *)model->clips;
    for (int32_t i = 0; i < mdl->num_frames; first += (uint32_t)mdl->frames[i++].num_poses) {
        if (names->groups[first] == 0)
            continue;
        const float *times = decode_times(arena, mdl->frames[i].times, mdl->frames[i].num_poses);
        if (!times)
            return false;
        while (clip->first < first)
            clip++;
        clip->times = times;
        clip->fps = (float)clip->count / times[clip->count];
    }
    return true;
}

/* ---- Surface --------------------------------------------------------------------------------- */

/* Returns the centre of a texel, as GLQuake draws it. */
static lm_vec2 texcoord(const lm_mdl *mdl, uint32_t attribute) {
    const uint32_t count = (uint32_t)lmi_mdl_num_st(mdl);
    if (attribute == LM_UNUSED)
        return (lm_vec2){0, 0};
    lm_mdl_st st;
    lmi_mdl_get_st(mdl, (int32_t)(attribute % count), &st);
    const int32_t shift = attribute >= count ? mdl->skinwidth / 2 : 0;
    return (lm_vec2){(float)(((double)st.s + shift + 0.5) / mdl->skinwidth),
                     (float)(((double)st.t + 0.5) / mdl->skinheight)};
}

static void fill_st(const lm_mdl_plan *plan, lm_vec2 *st) {
    const lm_weld *weld = &plan->weld;
    for (uint32_t v = 0; v < weld->num_vertices; v++)
        st[v] = texcoord(plan->mdl, weld->vertex_attributes[v]);
    for (uint32_t i = 0; i < weld->num_copies; i++)
        st[weld->num_vertices + i] = texcoord(plan->mdl, weld->copy_attributes[i]);
}

/* Returns a copy of the packed vertices of all poses without the bytes between them. Normals that
 * are out of range are replaced. */
static const uint8_t *decode_keys(lm_arena *arena, const lm_mdl_plan *plan) {
    const lm_mdl *mdl = plan->mdl;
    const size_t row = (size_t)mdl->num_verts * LM_MDL_VERTEX_SIZE;
    uint8_t *keys = lmi_arena_alloc(arena, plan->names.count, row), *out = keys;
    for (int32_t i = 0; keys && i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++, out += row) {
            memcpy(out, lmi_mdl_vertices(mdl, &mdl->frames[i], p), row);
            for (size_t at = 3; at < row; at += LM_MDL_VERTEX_SIZE)
                out[at] = lmi_known_normal(out[at]);
        }
    return keys;
}

static bool decode_surface(lm_arena *arena, const lm_mdl_plan *plan, lm_model *model) {
    const lm_weld *weld = &plan->weld;
    uint32_t *triangles;
    lm_vec2 *st = lmi_weld_surface(weld, decode_keys(arena, plan),
                                   weld->num_vertices * (size_t)LM_MDL_VERTEX_SIZE,
                                   weld->num_corners / 3, arena, model, &triangles);
    if (st)
        fill_st(plan, st);
    return st != NULL;
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool decode_skin(lm_arena *arena, const lm_mdl *mdl, const lm_mdl_skin *from,
                        lm_embedded_skin *out) {
    const uint64_t count = (uint64_t)from->num_images;
    const bool group = from->times != NULL;
    out->num_images = (uint32_t)count;
    out->pixels = lmi_arena_bytes(arena, from->images, count, lmi_mdl_image_size(mdl));
    out->times = group ? decode_times(arena, from->times, from->num_images) : NULL;
    return out->pixels && (out->times || !group);
}

static bool decode_skins(lm_arena *arena, const lm_mdl *mdl, lm_model *model) {
    const uint32_t count = (uint32_t)mdl->num_skins;
    const char **names = lmi_arena_alloc(arena, count, sizeof *names);
    lm_embedded_skin *skins = lmi_arena_alloc(arena, count, sizeof *skins);
    if (!names || !skins)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = lmi_arena_printf(arena, "skin%u", (unsigned)i);
        if (!decode_skin(arena, mdl, &mdl->skins[i], &skins[i]))
            return false;
    }
    model->num_skins = count;
    model->skins = names;
    model->embedded_skins = count > 0 ? skins : NULL;
    model->palette = lmi_quake_palette();
    model->transparent_255 = (mdl->flags & LM_MDL_TRANSPARENT_255) != 0;
    model->skin_width = (uint32_t)mdl->skinwidth;
    model->skin_height = (uint32_t)mdl->skinheight;
    return true;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    lm_arena *arena = lmi_arena_of(model);
    const lm_mdl *mdl = document;
    lm_mdl_plan plan = {.mdl = mdl};
    (void)options; /* MDL has no quirks and no GL commands */
    if (!lmi_mdl_verify(reading->file, mdl, reading->reporter) ||
        !lmi_mdl_gather_names(&plan.names, reading->file, mdl, reading->arena) ||
        !lmi_mdl_put_corners(&plan.weld, mdl, reading->arena) ||
        !lmi_weld_corners(&plan.weld, reading->arena->heap))
        return false;
    model->version = lmi_mdl_header_of(mdl)->version;
    model->flags = mdl->flags;
    model->synctype = mdl->synctype;
    model->eye = lmi_sanitize_vec3(mdl->eye);
    return decode_frames(arena, &plan, model) && decode_clips(arena, &plan, model) &&
           decode_skins(arena, mdl, model) && decode_surface(arena, &plan, model);
}

const lm_format lmi_format_mdl = {
    .info = {.name = "mdl",
             .game = "Quake",
             .ident = "IDPO",
             .version = LM_MDL_VERSION,
             .mime = "model/x-mdl",
             .extension = "mdl",
             .features = LM_FEATURE_EMBEDDED_SKINS,
             .variant_ident = "RAPO",
             .variant_game = "Hexen II: Portal of Praevus",
             .variant_version = LM_MDL_RAPO_VERSION},
    .header = &lmi_mdl_header,
    .parse = lmi_mdl_parse,
    .decode = decode,
};
