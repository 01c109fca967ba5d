/* Converts a mesh to an MDL. */
#include "formats/mdl/mdl_write.h"

#include "clips/clip_names.h"
#include "formats/packed_encode.h"
#include "mesh/mesh_make.h"

/* The side of a skin made for a mesh without pixels, and the palette index of its grey. */
#define PLAIN_SIDE 64
#define PLAIN_INDEX 7
/* Half a texel to the left, because a texel's coordinate is that of its centre. */
#define MIDDLE (-0.5)
#define ON_SEAM 0x20 /* the value that id's tool writes; software Quake tests only this bit */

/* An MDL under construction. A vertex of the file has one texture coordinate, or two that are half
 * a skin apart; then it is on the seam. */
typedef struct lm_mdl_draft {
    lm_packed base;
    uint64_t *keys; /* [num_corners] movement and texel, which identify a vertex */
    uint32_t *ids;  /* [num_corners] a number per key; later the vertex in the file */
    uint32_t num_ids;
    bool *seam;    /* [num_ids] true if it represents the id half a skin to the right, too */
    uint32_t *own; /* [num_ids] the id that represents it */
    bool *back;    /* [num_triangles] true if it uses the right halves */
    lm_mdl mdl;
} lm_mdl_draft;

/* ---- Skins ---------------------------------------------------------------------------------- */

/* Returns the end times of elements, relative to the start of the first. If `times` is NULL, they
 * are `step` apart. */
static uint8_t *make_ends(lm_mdl_draft *draft, uint32_t count, const float *times, double step) {
    uint8_t *out = lmi_packed_alloc(&draft->base, count, LM_MDL_TIME_SIZE);
    for (uint32_t i = 0; out && i < count; i++) {
        const double end = times ? (double)times[i + 1] - (double)times[0] : (i + 1) * step;
        lmi_mdl_put_time(out + (size_t)i * LM_MDL_TIME_SIZE, (float)end);
    }
    return out;
}

/* Creates a grey skin if the mesh has no pixels, because the format requires a skin. */
static bool make_plain_skin(lm_mdl_draft *draft) {
    const lm_mesh *mesh = draft->base.encoding->mesh;
    lm_mdl *mdl = &draft->mdl;
    if (mesh->skin_width == 0 || mesh->skin_height == 0)
        mdl->skinwidth = mdl->skinheight = PLAIN_SIDE;
    const size_t size = lmi_mdl_image_size(mdl);
    uint8_t *pixels = lmi_packed_alloc(&draft->base, size, 1);
    if (!pixels)
        return false;
    memset(pixels, PLAIN_INDEX, size);
    mdl->num_skins = 1;
    mdl->skins[0] = (lm_mdl_skin){.num_images = 1, .images = pixels};
    return lmi_encode_note(
        draft->base.encoding, LM_CODE_NOT_HELD, "mesh", 0,
        "the format embeds skins, but the mesh has no pixels: a grey skin of %d x %d is written",
        (int)mdl->skinwidth, (int)mdl->skinheight);
}

static bool fill_skin(lm_mdl_draft *draft, uint32_t index) {
    const lm_embedded_skin *from = &draft->base.encoding->mesh->embedded_skins[index];
    lm_mdl_skin *out = &draft->mdl.skins[index];
    *out = (lm_mdl_skin){.type = from->num_images > 1 || from->times,
                         .num_images = (int32_t)from->num_images,
                         .images = from->pixels};
    if (out->type == 1)
        out->times = make_ends(draft, from->num_images, from->times, 1 / (double)LM_DEFAULT_FPS);
    return out->type == 0 || out->times;
}

static bool fill_skins(lm_mdl_draft *draft) {
    const lm_mesh *mesh = draft->base.encoding->mesh;
    const bool pixels = mesh->num_skins > 0 && mesh->embedded_skins;
    lm_mdl *mdl = &draft->mdl;
    if ((uint64_t)mesh->skin_width * mesh->skin_height > INT32_MAX || mesh->num_skins > INT32_MAX)
        return lmi_call_fail(&draft->base.encoding->heap->call, LM_CODE_LIMIT,
                             "skins of %u x %u pixels do not fit into 2 GiB; make them smaller",
                             (unsigned)mesh->skin_width, (unsigned)mesh->skin_height);
    mdl->skinwidth = (int32_t)mesh->skin_width;
    mdl->skinheight = (int32_t)mesh->skin_height;
    mdl->skins = lmi_packed_alloc(&draft->base, (uint64_t)mesh->num_skins + 1, sizeof *mdl->skins);
    if (!mdl->skins)
        return false;
    if (!pixels)
        return make_plain_skin(draft);
    mdl->num_skins = (int32_t)mesh->num_skins;
    for (uint32_t i = 0; i < mesh->num_skins; i++)
        if (!fill_skin(draft, i))
            return false;
    return true;
}

/* ---- Vertices ------------------------------------------------------------------------------- */

static uint64_t key_of(uint32_t moves, int32_t s, int32_t t) {
    return (uint64_t)moves << 32 | (uint64_t)(uint16_t)s << 16 | (uint16_t)t;
}

static int16_t s_of(uint64_t key) {
    return (int16_t)(uint16_t)(key >> 16);
}

static int16_t t_of(uint64_t key) {
    return (int16_t)(uint16_t)key;
}

static bool find_keys(lm_mdl_draft *draft) {
    const lm_mesh_surface *s = &draft->base.surface;
    const int32_t width = draft->mdl.skinwidth, height = draft->mdl.skinheight;
    draft->keys = lmi_packed_alloc(&draft->base, draft->base.num_corners, sizeof *draft->keys);
    draft->ids = lmi_packed_alloc(&draft->base, draft->base.num_corners, sizeof *draft->ids);
    if (!draft->keys || !draft->ids)
        return false;
    for (uint32_t c = 0; c < draft->base.num_corners; c++) {
        const float *st = s->st + 2 * (size_t)s->st_triangles[c];
        int16_t texel[2] = {0, 0};
        if (!lmi_find_texel(draft->base.encoding, st, width, height, MIDDLE, texel))
            return false;
        draft->keys[c] = key_of(draft->base.moves[c], texel[0], texel[1]);
    }
    return lmi_rank_keys(draft->keys, draft->base.num_corners, draft->ids, &draft->num_ids,
                         draft->base.encoding->heap);
}

/* ---- The seam ------------------------------------------------------------------------------- */

/* Sets rights[id] to the id that moves alike half a skin to the right, or LM_UNUSED. No id is both
 * a left and a right one. */
static bool pair_halves(lm_mdl_draft *draft, uint32_t *rights, bool *is_right) {
    const uint32_t count = draft->num_ids;
    const int32_t half = draft->mdl.skinwidth / 2;
    uint64_t *both = lmi_packed_scratch(&draft->base, 2 * (uint64_t)count, sizeof *both);
    uint32_t *ranks = lmi_packed_scratch(&draft->base, 2 * (uint64_t)count, sizeof *ranks),
             num_ranks = 0;
    uint32_t *of_rank = lmi_packed_scratch(&draft->base, 2 * (uint64_t)count, sizeof *of_rank);
    if (!both || !ranks || !of_rank)
        return false;
    for (uint32_t c = 0; c < draft->base.num_corners; c++) {
        const uint64_t key = draft->keys[c];
        const uint32_t id = draft->ids[c];
        both[id] = key;
        both[count + id] = key_of((uint32_t)(key >> 32), s_of(key) + half, t_of(key));
    }
    if (!lmi_rank_keys(both, 2 * count, ranks, &num_ranks, draft->base.encoding->heap))
        return false;
    memset(of_rank, 0xFF, 2 * (size_t)count * sizeof *of_rank);
    for (uint32_t id = 0; id < count; id++)
        of_rank[ranks[id]] = id;
    for (uint32_t id = 0; id < count; id++) {
        const uint32_t right = of_rank[ranks[count + id]];
        const bool free = right != LM_UNUSED && right != id && !is_right[id] && !is_right[right] &&
                          rights[right] == LM_UNUSED && s_of(both[id]) < half &&
                          s_of(both[id]) + half <= INT16_MAX;
        rights[id] = free ? right : LM_UNUSED;
        if (free)
            is_right[right] = true;
    }
    return true;
}

/* Triangles use the right halves if they have right corners and no left ones. A right corner that
 * is in no other triangle needs no vertex of its own. */
static void join_halves(lm_mdl_draft *draft, const uint32_t *rights, const bool *is_right,
                        bool *in_front) {
    for (uint32_t t = 0; t < draft->base.surface.num_triangles; t++) {
        const uint32_t *ids = draft->ids + 3 * (size_t)t;
        bool left = false, right = false;
        for (size_t c = 0; c < 3; c++) {
            left = left || rights[ids[c]] != LM_UNUSED;
            right = right || is_right[ids[c]];
        }
        draft->back[t] = right && !left;
        for (size_t c = 0; c < 3 && left; c++)
            in_front[ids[c]] = true;
    }
    for (uint32_t id = 0; id < draft->num_ids; id++)
        draft->own[id] = id;
    for (uint32_t id = 0; id < draft->num_ids; id++) {
        const uint32_t right = rights[id];
        draft->seam[id] = right != LM_UNUSED && !in_front[right];
        if (draft->seam[id])
            draft->own[right] = id;
    }
}

static bool find_seam(lm_mdl_draft *draft) {
    uint32_t *rights = lmi_packed_scratch(&draft->base, draft->num_ids, sizeof *rights);
    bool *is_right = lmi_arena_zeros(&draft->base.scratch, draft->num_ids, sizeof *is_right);
    bool *in_front = lmi_arena_zeros(&draft->base.scratch, draft->num_ids, sizeof *in_front);
    draft->seam = lmi_packed_alloc(&draft->base, draft->num_ids, sizeof *draft->seam);
    draft->own = lmi_packed_alloc(&draft->base, draft->num_ids, sizeof *draft->own);
    draft->back =
        lmi_packed_alloc(&draft->base, draft->base.surface.num_triangles, sizeof *draft->back);
    if (!rights || !is_right || !in_front || !draft->seam || !draft->own || !draft->back)
        return false;
    memset(rights, 0xFF, draft->num_ids * sizeof *rights);
    if (!pair_halves(draft, rights, is_right))
        return false;
    join_halves(draft, rights, is_right, in_front);
    return true;
}

static bool number_vertices(lm_mdl_draft *draft) {
    lm_packed *base = &draft->base;
    uint32_t *firsts = lmi_packed_scratch(&draft->base, draft->num_ids, sizeof *firsts);
    const lm_mesh_surface *s = &base->surface;
    uint32_t *owners = lmi_packed_scratch(&draft->base, (uint64_t)draft->num_ids + s->num_vertices,
                                          sizeof *owners);
    uint32_t *numbers = lmi_unused_numbers(&base->scratch, draft->num_ids);
    if (!firsts || !owners || !numbers)
        return false;
    /* `firsts` are corners from before ids were joined, so that their texels are those of the left
     * halves. */
    for (uint32_t c = base->num_corners; c-- > 0;) {
        firsts[draft->ids[c]] = c;
        draft->ids[c] = draft->own[draft->ids[c]];
    }
    const uint32_t count = base->encoding->options->keep_numbers
                               ? lmi_number_by_vertex(draft->ids, base->num_corners, s->triangles,
                                                      s->num_vertices, numbers, owners)
                               : lmi_number_by_use(draft->ids, base->num_corners, numbers, owners);
    uint8_t *st = lmi_packed_alloc(&draft->base, count, LM_MDL_ST_SIZE);
    base->vertices = lmi_packed_alloc(&draft->base, count, sizeof *base->vertices);
    draft->mdl.num_verts = (int32_t)count;
    draft->mdl.st = st;
    for (uint32_t v = 0; st && base->vertices && v < count; v++) {
        const bool used = owners[v] != LM_UNUSED;
        const uint64_t key = used ? draft->keys[firsts[owners[v]]] : key_of(v, 0, 0);
        base->vertices[v] = (uint32_t)(key >> 32);
        lmi_mdl_put_st(
            st + (size_t)v * LM_MDL_ST_SIZE,
            &(lm_mdl_st){used && draft->seam[owners[v]] ? ON_SEAM : 0, s_of(key), t_of(key)});
    }
    return st && base->vertices;
}

static bool fill_triangles(lm_mdl_draft *draft) {
    const uint32_t count = draft->base.surface.num_triangles;
    uint8_t *out = lmi_packed_alloc(&draft->base, count, LM_MDL_TRIANGLE_SIZE);
    draft->mdl.tris = out;
    draft->mdl.num_tris = (int32_t)count;
    for (size_t t = 0; out && t < count; t++) {
        const uint32_t *v = draft->ids + 3 * t;
        lmi_mdl_put_triangle(&draft->mdl, out + t * LM_MDL_TRIANGLE_SIZE,
                             &(lm_mdl_triangle){!draft->back[t],
                                                {(int32_t)v[0], (int32_t)v[1], (int32_t)v[2]},
                                                {0}});
    }
    return out;
}

/* ---- Frames --------------------------------------------------------------------------------- */

static uint8_t nearest_byte(float x, float scale, float translate) {
    const double line =
        scale != 0 ? floor(((double)x - (double)translate) / (double)scale + 0.5) : 0;
    return (uint8_t)(line < 0 ? 0 : line > UINT8_MAX ? UINT8_MAX : line);
}

static bool fill_poses(lm_mdl_draft *draft, uint8_t **poses) {
    const lm_mdl *mdl = &draft->mdl;
    const lm_mesh *mesh = draft->base.encoding->mesh;
    const size_t size = lmi_mdl_pose_size(mdl);
    uint8_t *out = *poses = lmi_packed_alloc(&draft->base, mesh->num_frames, size);
    for (uint32_t f = 0; out && f < mesh->num_frames; f++, out += size) {
        memset(out, 0, LM_MDL_POSE_HEADER_SIZE);
        for (uint32_t v = 0; v < (uint32_t)mdl->num_verts; v++) {
            const float *p = lmi_packed_position(&draft->base, f, v);
            const lm_mdl_vertex vertex = {{nearest_byte(p[0], mdl->scale.x, mdl->translate.x),
                                           nearest_byte(p[1], mdl->scale.y, mdl->translate.y),
                                           nearest_byte(p[2], mdl->scale.z, mdl->translate.z)},
                                          lmi_packed_normal(&draft->base, f, v)};
            lmi_mdl_put_vertex(out + LM_MDL_POSE_VERTICES + (size_t)v * LM_MDL_VERTEX_SIZE,
                               &vertex);
        }
        if (!lmi_encode_text(draft->base.encoding, out + LM_MDL_POSE_NAME, LM_MDL_NAME_SIZE,
                             mesh->frame_names[f], "frames", "its name", f))
            return false;
    }
    return *poses;
}

/* ---- Groups --------------------------------------------------------------------------------- */

static bool note_clip(lm_encoding *encoding, uint32_t index, const uint32_t *groups) {
    const lm_clip *clip = &encoding->mesh->clips[index];
    bool stored = true;
    for (uint32_t f = clip->first; stored && f < clip->first + clip->count; f++)
        stored = groups[f] == (!lmi_plays_normally(clip) ? index + 1 : 0);
    if (!stored &&
        !lmi_encode_note(encoding, LM_CODE_NOT_HELD, "clips", index,
                         "clip %u, \"%s\": another clip has the same frames, and each frame "
                         "belongs to one group at most",
                         (unsigned)index, clip->name))
        return false;
    return !clip->backwards ||
           lmi_encode_note(
               encoding, LM_CODE_NOT_HELD, "clips", index,
               "clip %u, \"%s\", plays backwards, but the game plays all frames forward",
               (unsigned)index, clip->name);
}

static bool find_groups(lm_mdl_draft *draft, uint32_t *groups) {
    lm_encoding *encoding = draft->base.encoding;
    /* Assign the frames of clips with their own timing to groups, if they are free. Only frames in
     * groups can have durations other than the game's. groups[f] is the clip's index + 1. */
    for (uint32_t i = 0; i < encoding->mesh->num_clips; i++) {
        const lm_clip *clip = &encoding->mesh->clips[i];
        bool free = !lmi_plays_normally(clip);
        for (uint32_t f = clip->first; free && f < clip->first + clip->count; f++)
            free = groups[f] == 0;
        for (uint32_t f = clip->first; free && f < clip->first + clip->count; f++)
            groups[f] = i + 1;
    }
    for (uint32_t i = 0; i < encoding->mesh->num_clips; i++)
        if (!lmi_note_clip_name(encoding, i) || !note_clip(encoding, i, groups))
            return false;
    return true;
}

#define NOISE 0x1p-20 /* the error of coordinates that were stored as floats in other units */

/* Returns true if all positions lie on the grid of the mesh, which then is that of the file. */
static bool keeps_grid(lm_mdl_draft *draft) {
    const lm_mesh *mesh = draft->base.encoding->mesh;
    const float *scale = &mesh->grid[0].x, *translate = &mesh->grid[1].x;
    bool kept = scale[0] != 0 || scale[1] != 0 || scale[2] != 0;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        for (uint32_t v = 0; kept && v < (uint32_t)draft->mdl.num_verts; v++) {
            const float *p = lmi_packed_position(&draft->base, f, v);
            for (int i = 0; kept && i < 3; i++) {
                const uint8_t line = nearest_byte(p[i], scale[i], translate[i]);
                const double at = line * (double)scale[i] + (double)translate[i];
                const double most = fabs((double)translate[i]) + UINT8_MAX * fabs((double)scale[i]);
                kept = fabs((double)p[i] - at) <= NOISE * most;
            }
        }
    draft->mdl.scale = mesh->grid[0];
    draft->mdl.translate = mesh->grid[1];
    return kept;
}

/* Fits a grid to all frames: 255 steps from the lowest vertex to the highest. */
static void fit_grid(lm_mdl_draft *draft) {
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t f = 0; f < draft->base.encoding->mesh->num_frames; f++)
        for (uint32_t v = 0; v < (uint32_t)draft->mdl.num_verts; v++)
            lmi_box_add(&box, lmi_vec3_at(lmi_packed_position(&draft->base, f, v), 0));
    float scale[3];
    for (int i = 0; i < 3; i++)
        scale[i] = (float)(((double)box.high[i] - (double)box.low[i]) / UINT8_MAX);
    draft->mdl.scale = (lm_vec3){scale[0], scale[1], scale[2]};
    draft->mdl.translate = lmi_vec3_at(box.low, 0);
}

static bool fill_frames(lm_mdl_draft *draft) {
    const uint32_t num_frames = draft->base.encoding->mesh->num_frames;
    lm_mdl *mdl = &draft->mdl;
    uint8_t *poses = NULL;
    uint32_t *groups = lmi_arena_zeros(&draft->base.scratch, num_frames, sizeof *groups);
    mdl->frames = lmi_packed_alloc(&draft->base, num_frames, sizeof *mdl->frames);
    if (!keeps_grid(draft))
        fit_grid(draft);
    if (!groups || !mdl->frames || !find_groups(draft, groups) || !fill_poses(draft, &poses))
        return false;
    for (uint32_t f = 0, end; f < num_frames; f = end) {
        lm_mdl_frame *out = &mdl->frames[mdl->num_frames++];
        for (end = f + 1; end < num_frames && groups[f] > 0 && groups[end] == groups[f];)
            end++;
        *out = (lm_mdl_frame){.type = groups[f] > 0,
                              .num_poses = (int32_t)(end - f),
                              .poses = poses + f * lmi_mdl_pose_size(mdl)};
        if (groups[f] == 0)
            continue;
        const lm_clip *clip = &draft->base.encoding->mesh->clips[groups[f] - 1];
        out->times = make_ends(draft, end - f, clip->times, 1 / (double)clip->fps);
        out->bounds = lmi_arena_zeros(&draft->base.encoding->arena, 1, LM_MDL_BOUNDS_SIZE);
        if (!out->bounds || !out->times)
            return false;
    }
    lmi_mdl_find_bounds(mdl, poses);
    return true;
}

/* ---- Encoding ------------------------------------------------------------------------------- */

static bool begin(lm_mdl_draft *draft) {
    return lmi_packed_begin(&draft->base, LM_MDL_TRIANGLE_SIZE, LM_MDL_POSE_HEADER_SIZE);
}

static bool finish(lm_mdl_draft *draft) {
    lm_encoding *encoding = draft->base.encoding;
    /* The mean area of a triangle in the first frame. The game chooses its drawing precision by
     * it. */
    const lm_mesh_surface *s = &draft->base.surface;
    double sum = 0;
    for (size_t t = 0; t < s->num_triangles; t++) {
        const uint32_t *v = s->triangles + 3 * t;
        lm_wide p[3];
        for (int i = 0; i < 3; i++)
            p[i] = lmi_wide_of(lmi_vec3_at(s->positions, v[i]));
        sum += lmi_wide_length(lmi_wide_side(p)) / 2;
    }
    draft->mdl.size = (float)(sum / s->num_triangles);
    return lmi_packed_locate_vertices(&draft->base, draft->ids, (uint32_t)draft->mdl.num_verts) &&
           lmi_check_engine(encoding, &lmi_mdl_header, &draft->mdl) &&
           lmi_encode_report_loss(encoding, LM_STORES_FLAGS | LM_STORES_EYE | LM_STORES_PIXELS |
                                                LM_STORES_CLIPS | LM_STORES_SKIN_SIZE);
}

bool lmi_mdl_encode(lm_encoding *encoding, lm_buffer *out) {
    bool (*const steps[])(lm_mdl_draft *) = {begin,       fill_skins,      find_keys,
                                             find_seam,   number_vertices, fill_triangles,
                                             fill_frames, finish};
    const lm_mesh *mesh = encoding->mesh;
    lm_mdl_draft draft = {
        .base = {.encoding = encoding, .scratch = {.heap = encoding->heap}},
        .mdl = {.eye = mesh->eye,
                .synctype = mesh->synctype,
                .flags = mesh->flags | (mesh->transparent_255 ? LM_MDL_TRANSPARENT_255 : 0)}};
    bool done = true;
    for (size_t i = 0; done && i < sizeof steps / sizeof *steps; i++) {
        done = steps[i](&draft);
        lmi_arena_free(&draft.base.scratch);
    }
    return done && lmi_call_join(&encoding->heap->call,
                                 lmi_mdl_put(&draft.mdl, out, encoding->heap->call.error));
}
