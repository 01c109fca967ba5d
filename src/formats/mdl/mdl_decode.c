/* From a document to the neutral model: poses in one row, those of a group in a clip of their own
 * with its times, seams split, skins as the pixels that they are. */
#include "formats/mdl/mdl_format.h"

#include "clips/clip_names.h"
#include "model/build.h"

#include <math.h>
#include <stdio.h>

#define LM_MDL_STEP 0.1f /* seconds that a frame lasts where the file does not say */

/* Quake's palette, gfx/palette.lmp, which its author gave to the public domain (so says the source
 * of DarkPlaces, palette.c): red, green and blue of each index. */
static const uint8_t palette[256 * 3] = {
#include "formats/mdl/quake_palette.inc"
};

const uint8_t *lm_mdl_palette(void) {
    return palette;
}

/* What is known before the model is carved. */
typedef struct lm_mdl_plan {
    const lm_mdl *mdl;
    lm_name_fields names; /* one a pose */
    lm_weld weld;
} lm_mdl_plan;

bool lm_mdl_put_corners(lm_weld *weld, const lm_mdl *mdl, lm_heap *heap) {
    const uint32_t count = (uint32_t)mdl->num_verts;
    *weld = (lm_weld){.num_vertices = count, .num_attributes = 2 * count};
    if (!lm_weld_alloc(weld, (uint64_t)mdl->num_tris * 3, heap))
        return false;
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle t;
        lm_mdl_get_triangle(mdl, i, &t);
        for (int c = 0; c < 3 && lm_mdl_triangle_sound(mdl, &t); c++) {
            lm_mdl_st st;
            lm_mdl_get_st(mdl, t.vertex[c], &st);
            const bool behind = t.facesfront == 0 && st.onseam != 0;
            const uint32_t vertex = (uint32_t)t.vertex[c];
            lm_weld_put(weld, weld->num_corners++, vertex, vertex + (behind ? count : 0));
        }
    }
    return true;
}

/* ---- Frames and clips ------------------------------------------------------------------------ */

/* The box of a pose's packed vertices, whatever the signs of the scale. */
static void fill_bounds(const lm_mdl *mdl, const uint8_t *vertices, lm_frame *frame) {
    uint8_t low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
    float ends[2][3];
    const float scale[3] = {frame->scale.x, frame->scale.y, frame->scale.z};
    const float translate[3] = {frame->translate.x, frame->translate.y, frame->translate.z};
    for (int32_t v = 0; v < mdl->num_verts; v++, vertices += LM_MDL_VERTEX_SIZE)
        for (int i = 0; i < 3; i++) {
            low[i] = vertices[i] < low[i] ? vertices[i] : low[i];
            high[i] = vertices[i] > high[i] ? vertices[i] : high[i];
        }
    for (int i = 0; i < 3; i++) {
        const float a = (float)low[i] * scale[i] + translate[i];
        const float b = (float)high[i] * scale[i] + translate[i];
        ends[0][i] = fminf(a, b);
        ends[1][i] = fmaxf(a, b);
    }
    frame->min = (lm_vec3){ends[0][0], ends[0][1], ends[0][2]};
    frame->max = (lm_vec3){ends[1][0], ends[1][1], ends[1][2]};
    lm_box_sphere(frame->min, frame->max, &frame->origin, &frame->radius);
}

static void carve_frames(lm_block *block, const lm_mdl_plan *plan, lm_model *model) {
    const lm_mdl *mdl = plan->mdl;
    model->num_frames = plan->names.count;
    lm_frame *frames = lm_carve(block, model->num_frames, sizeof *frames), *frame = frames;
    char *names = lm_carve(block, model->num_frames, LM_MDL_NAME_SIZE + 1);
    model->frames = frames;
    for (int32_t i = 0; frames && i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++, frame++) {
            char *name = names + (size_t)(frame - frames) * (LM_MDL_NAME_SIZE + 1);
            lm_mdl_pose pose;
            lm_mdl_get_pose(mdl, i, p, &pose);
            memcpy(name, pose.name, LM_MDL_NAME_SIZE);
            name[LM_MDL_NAME_SIZE] = '\0';
            *frame = (lm_frame){.name = name,
                                .scale = lm_tame_vec3(mdl->scale),
                                .translate = lm_tame_vec3(mdl->translate)};
            fill_bounds(mdl, lm_mdl_vertices(mdl, &mdl->frames[i], p), frame);
        }
}

/* When each element of a group begins, and the last ends. Times that say nothing useful are as
 * GLQuake takes all: the first is the step. */
static const float *carve_times(lm_block *block, const uint8_t *ends, int32_t count) {
    float *times = lm_carve(block, (uint64_t)count + 1, sizeof *times);
    if (!times)
        return NULL;
    const float first = lm_mdl_get_time(ends, 0);
    const bool grow = lm_mdl_times_grow(ends, count);
    const float step = lm_mdl_times_grow(ends, 1) ? first : LM_MDL_STEP;
    for (int32_t i = 0; i <= count; i++)
        times[i] = !grow ? (float)i * step : i == 0 ? 0.0f : lm_mdl_get_time(ends, i - 1);
    return times;
}

static void set_times(lm_clip *clip, const float *times) {
    clip->times = times;
    clip->fps = (float)clip->count / times[clip->count];
}

static void carve_clips(lm_block *block, const lm_mdl_plan *plan, lm_model *model) {
    const lm_mdl *mdl = plan->mdl;
    const lm_name_fields *names = &plan->names;
    lm_clip *clips;
    uint32_t first = 0, clip = 0;
    model->num_clips = lm_clips_carve(block, names, &clips);
    model->clips = clips;
    for (int32_t i = 0; i < mdl->num_frames; first += (uint32_t)mdl->frames[i++].num_poses) {
        if (names->groups[first] == 0)
            continue;
        const float *times = carve_times(block, mdl->frames[i].times, mdl->frames[i].num_poses);
        if (!times)
            continue;
        while (clips[clip].first < first)
            clip++;
        set_times(&clips[clip], times);
    }
}

/* ---- Surface --------------------------------------------------------------------------------- */

/* The middle of a texel, as GLQuake draws it. */
static lm_vec2 texcoord(const lm_mdl *mdl, uint32_t attribute) {
    const uint32_t count = (uint32_t)mdl->num_verts;
    if (attribute == LM_UNUSED)
        return (lm_vec2){0, 0};
    lm_mdl_st st;
    lm_mdl_get_st(mdl, (int32_t)(attribute % count), &st);
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

/* The packed vertices of all poses without what lies between them. Normals that a tolerant reader
 * let pass become 0. */
static const uint8_t *carve_keys(lm_block *block, const lm_mdl_plan *plan) {
    const lm_mdl *mdl = plan->mdl;
    const size_t row = (size_t)mdl->num_verts * LM_MDL_VERTEX_SIZE;
    uint8_t *keys = lm_carve(block, plan->names.count, row), *out = keys;
    for (int32_t i = 0; keys && i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++, out += row) {
            memcpy(out, lm_mdl_vertices(mdl, &mdl->frames[i], p), row);
            for (size_t at = 3; at < row; at += LM_MDL_VERTEX_SIZE)
                out[at] = out[at] < LM_NUM_NORMALS_162 ? out[at] : 0;
        }
    return keys;
}

static void carve_surface(lm_block *block, const lm_mdl_plan *plan, lm_model *model) {
    const lm_weld *weld = &plan->weld;
    const uint32_t num_vertices = weld->num_vertices + weld->num_copies;
    lm_surface *surface = lm_carve(block, 1, sizeof *surface);
    uint32_t *file_vertices = lm_carve(block, num_vertices, sizeof *file_vertices);
    lm_vec2 *st = lm_carve(block, num_vertices, sizeof *st);
    uint32_t *triangles = lm_carve(block, weld->num_corners, sizeof *triangles);
    const uint8_t *keys = carve_keys(block, plan);
    model->num_surfaces = 1;
    model->surfaces = surface;
    if (!surface)
        return;
    lm_weld_file_vertices(weld, file_vertices);
    fill_st(plan, st);
    memcpy(triangles, weld->corners, weld->num_corners * sizeof *triangles);
    *surface = (lm_surface){.name = "",
                            .num_vertices = num_vertices,
                            .num_file_vertices = weld->num_vertices,
                            .file_vertices = file_vertices,
                            .st = st,
                            .num_triangles = weld->num_corners / 3,
                            .triangles = triangles,
                            .encoding = LM_VERTEX_U8,
                            .num_keys = model->num_frames,
                            .keys = keys,
                            .key_size = LM_MDL_VERTEX_SIZE,
                            .key_stride = weld->num_vertices * (size_t)LM_MDL_VERTEX_SIZE};
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static void carve_skins(lm_block *block, const lm_mdl *mdl, lm_model *model) {
    const size_t room = sizeof "skin4294967295";
    const char **names = lm_carve(block, (uint64_t)mdl->num_skins, sizeof *names);
    char *text = lm_carve(block, (uint64_t)mdl->num_skins, room);
    lm_embedded_skin *skins = lm_carve(block, (uint64_t)mdl->num_skins, sizeof *skins);
    for (int32_t i = 0; i < mdl->num_skins; i++) {
        const lm_mdl_skin *from = &mdl->skins[i];
        const uint8_t *pixels = lm_carve_bytes(block, from->pictures, (uint64_t)from->num_pictures,
                                               lm_mdl_picture_size(mdl));
        const float *times =
            from->num_pictures > 1 ? carve_times(block, from->times, from->num_pictures) : NULL;
        if (!skins)
            continue;
        names[i] = text + (size_t)i * room;
        snprintf(text + (size_t)i * room, room, "skin%u", (unsigned)i);
        skins[i] = (lm_embedded_skin){(uint32_t)from->num_pictures, pixels, times};
    }
    model->num_skins = (uint32_t)mdl->num_skins;
    model->skins = names;
    model->embedded_skins = mdl->num_skins > 0 ? skins : NULL;
    model->palette = palette;
    model->holes = (mdl->flags & LM_MDL_HOLES) != 0;
    model->skin_width = (uint32_t)mdl->skinwidth;
    model->skin_height = (uint32_t)mdl->skinheight;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void carve_model(lm_block *block, const void *context, lm_model *model) {
    const lm_mdl_plan *plan = context;
    model->format = "mdl";
    model->version = LM_MDL_VERSION;
    model->flags = plan->mdl->flags;
    model->synctype = plan->mdl->synctype;
    model->eye =
        (lm_vec3){lm_tame(plan->mdl->eye.x), lm_tame(plan->mdl->eye.y), lm_tame(plan->mdl->eye.z)};
    carve_frames(block, plan, model);
    carve_clips(block, plan, model);
    carve_skins(block, plan->mdl, model);
    carve_surface(block, plan, model);
}

static lm_model *decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter) {
    lm_mdl mdl = {0};
    lm_mdl_plan plan = {.mdl = &mdl};
    lm_owned owned = {.allocator = heap->allocator};
    lm_arena arena = {.heap = heap};
    lm_reading reading = {.file = file, .heap = heap, .reporter = &reporter->base};
    lm_model *model = NULL;
    (void)options; /* no quirk is known, and there are no GL commands */
    if (lm_mdl_parse(&reading, &owned, &mdl) && lm_mdl_verify(file, &mdl, &reporter->base) &&
        lm_mdl_gather_names(&plan.names, file, &mdl, &arena) &&
        lm_mdl_put_corners(&plan.weld, &mdl, heap) && lm_weld_corners(&plan.weld, heap))
        model = lm_build_model(heap, reporter, carve_model, &plan);
    lm_weld_free(&plan.weld, heap);
    lm_arena_free(&arena);
    lm_disown(&owned);
    return model;
}

const lm_format lm_format_mdl = {
    .info = {"mdl", "Quake", "IDPO", LM_MDL_VERSION, "model/x-mdl", "mdl",
             LM_ABILITY_EMBEDDED_SKINS},
    .header = &lm_mdl_header,
    .decode = decode,
};
