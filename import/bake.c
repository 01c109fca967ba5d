#include "bake.h"

#include "core/names.h"
#include "math/vectors.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Normals ------------------------------------------------------------------------------ */

/* A vertex with its position and normal at rest. */
typedef struct lm_im_rest {
    float at[6];
    uint32_t vertex;
} lm_im_rest;

static int compare_at(const lm_im_rest *a, const lm_im_rest *b) {
    for (int i = 0; i < 6; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

static int compare_rest(const void *x, const void *y) {
    const lm_im_rest *a = x, *b = y;
    const int order = compare_at(a, b);
    return order != 0 ? order : a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static bool lacks_normals(const lm_im_part *part) {
    for (uint32_t t = 0; part->normals && t < part->num_targets; t++)
        if (part->targets[t].positions && !part->targets[t].normals)
            return true;
    return false;
}

/* Groups the vertices that share their position and normal at rest, so that sharp edges stay sharp.
 * `groups` receives the first vertex of each vertex's group; NULL if all targets have normals, or
 * if the part has none. Returns false if memory ran out. */
static bool im_find_groups(importing *im, const lm_im_part *part, const uint32_t **groups) {
    *groups = NULL;
    if (!lacks_normals(part))
        return true;
    lm_arena once = {.heap = im->scratch.heap};
    lm_im_rest *rest = lmi_arena_alloc(&once, part->num_vertices, sizeof *rest);
    uint32_t *out = lmi_arena_alloc(&im->scratch, part->num_vertices, sizeof *out);
    if (rest && out) {
        for (uint32_t v = 0; v < part->num_vertices; v++) {
            memcpy(rest[v].at, part->positions + 3 * (size_t)v, 3 * sizeof(float));
            memcpy(rest[v].at + 3, part->normals + 3 * (size_t)v, 3 * sizeof(float));
            rest[v].vertex = v;
        }
        qsort(rest, part->num_vertices, sizeof *rest, compare_rest);
        for (uint32_t i = 0; i < part->num_vertices; i++) {
            const bool same = i > 0 && compare_at(&rest[i], &rest[i - 1]) == 0;
            out[rest[i].vertex] = same ? out[rest[i - 1].vertex] : rest[i].vertex;
        }
        *groups = out;
    }
    lmi_arena_free(&once);
    return *groups != NULL;
}

/* Adds a triangle's normal to the sums of its corners, weighted by their angles. */
static void add_triangle(const uint32_t *groups, const uint32_t *corners, const lm_vec3 *at,
                         lm_wide *sums) {
    lm_wide edges[3];
    for (int c = 0; c < 3; c++)
        edges[c] =
            lmi_wide_sum(lmi_wide_of(at[corners[(c + 1) % 3]]), lmi_wide_of(at[corners[c]]), -1);
    const lm_wide normal = lmi_wide_cross(edges[0], edges[1]);
    const double length = lmi_wide_length(normal);
    for (int c = 0; c < 3 && length > 0; c++) {
        const lm_wide *leaves = &edges[c], *enters = &edges[(c + 2) % 3];
        const double cosine =
            -lmi_wide_dot(*leaves, *enters) / (lmi_wide_length(*leaves) * lmi_wide_length(*enters));
        lm_wide *sum = &sums[groups[corners[c]]];
        *sum = lmi_wide_sum(*sum, normal, lmi_arc_cosine(cosine) / length);
    }
}

/* Computes a frame's normals from its positions `at`: for each group the mean of its triangles'
 * normals, weighted by their angles. Vertices without triangles that have an area keep theirs.
 * `sums`: [num_vertices] scratch. */
static void im_smooth(const lm_im_part *part, const uint32_t *groups, bool mirrored,
                      const lm_vec3 *at, lm_wide *sums, lm_vec3 *normals) {
    memset(sums, 0, part->num_vertices * sizeof *sums);
    for (size_t t = 0; t < part->num_triangles; t++)
        add_triangle(groups, part->triangles + 3 * t, at, sums);
    for (uint32_t v = 0; v < part->num_vertices; v++) {
        const lm_wide n = sums[groups[v]];
        const double length = lmi_wide_length(n) * (mirrored ? -1 : 1);
        if (fabs(length) > 1e-9)
            normals[v] =
                (lm_vec3){(float)(n.x / length), (float)(n.y / length), (float)(n.z / length)};
    }
}

/* The limit of steps, above the needs of any model: a small file cannot cause hours of work. */
#define STEPS_PER_BYTE 1024u /* of the input */
#define MORE_STEPS ((uint64_t)1 << 26)
/* Poses that differ by less than this fraction of the model's size are equal. */
#define SAME 1e-5f

/* A part in all frames. */
typedef struct lm_im_baked {
    lm_vec3 *positions, *normals; /* normals: NULL if the file has none */
    uint8_t *seen;                /* in each frame: 0 if it is scaled to nothing */
    const uint32_t *groups;       /* whose normals are computed in each frame; or NULL */
    double turned;                /* determinant of its node; < 0: mirrored */
    bool merged;                  /* into another part */
} lm_im_baked;

typedef struct lm_im_baking {
    importing *im;
    const lm_im_scene *scene;
    float scale;
    lm_im_pose pose;
    uint32_t num_frames, most_frames;
    lm_im_baked *parts;
    lm_transform **tags;
    double *morphed;       /* [largest part * 6] */
    lm_im_matrix **joints; /* [num_skins] of the skins that parts use, in the current frame */
    const bool *is_joint;  /* [num_nodes] */
    lm_im_moment *moments; /* [most_frames] */
    lm_names rows;         /* of the weapon.cfg that the file was made of: 1 + index */
} lm_im_baking;

/* ---- One frame ------------------------------------------------------------------------------- */

lm_vec3 lmi_im_rotate(const double v[3], double scale) {
    return (lm_vec3){(float)(v[2] * scale), (float)(v[0] * scale), (float)(v[1] * scale)};
}

static void morph(const lm_im_baking *b, const lm_im_part *part, const float *weights) {
    double *positions = b->morphed, *normals = positions + (size_t)part->num_vertices * 3;
    const size_t count = (size_t)part->num_vertices * 3;
    for (size_t i = 0; i < count; i++)
        positions[i] = (double)part->positions[i];
    for (size_t i = 0; part->normals && i < count; i++)
        normals[i] = (double)part->normals[i];
    for (uint32_t t = 0; t < part->num_targets; t++) {
        const lm_im_target *target = &part->targets[t];
        const double weight = (double)weights[t];
        if (weights[t] == 0)
            continue;
        for (size_t i = 0; target->positions && i < count; i++)
            positions[i] += weight * (double)target->positions[i];
        for (size_t i = 0; target->normals && part->normals && i < count; i++)
            normals[i] += weight * (double)target->normals[i];
    }
}

/* Returns the weighted mean of a vertex's joint matrices; the node's own matrix if it follows no
 * joint. */
static const lm_im_matrix *blend(const lm_im_baking *b, const lm_im_part *part, uint32_t vertex,
                                 lm_im_matrix *out) {
    const uint32_t *joints = part->joints + (size_t)vertex * part->num_joints;
    const float *weights = part->weights + (size_t)vertex * part->num_joints;
    bool any = false;
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < part->num_joints; k++) {
        const double weight = (double)weights[k];
        const double *m = b->joints[part->skin][joints[k]].m;
        if (weights[k] == 0)
            continue;
        any = true;
        for (int i = 0; i < 16; i++)
            out->m[i] += weight * m[i];
    }
    return any ? out : &b->pose.world[part->node];
}

void lmi_im_place(const lm_im_matrix *to, double scale, const double *p, const double *n,
                  lm_vec3 *position, lm_vec3 *normal) {
    const double *m = to->m;
    double v[3];
    for (int r = 0; r < 3; r++)
        v[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
    *position = lmi_im_rotate(v, scale);
    if (!normal)
        return;
    /* Multiplies by the inverse transpose, times a positive factor. */
    const double sign = lmi_im_determinant(m) < 0 ? -1 : 1;
    for (int r = 0; r < 3; r++) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        v[r] = sign * ((m[4 + r1] * m[8 + r2] - m[4 + r2] * m[8 + r1]) * n[0] +
                       (m[8 + r1] * m[r2] - m[8 + r2] * m[r1]) * n[1] +
                       (m[r1] * m[4 + r2] - m[r2] * m[4 + r1]) * n[2]);
    }
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    *normal = lmi_im_rotate(v, length > 0 ? 1 / length : 0);
    if (!(length > 0))
        *normal = (lm_vec3){0, 0, 1};
}

static void bake_part(lm_im_baking *b, uint32_t index, uint32_t frame) {
    const lm_im_part *part = &b->scene->parts[index];
    lm_im_baked *baked = &b->parts[index];
    const lm_im_matrix *world = &b->pose.world[part->node];
    const bool skinned = part->skin != IM_NONE && part->num_joints > 0;
    const double turned = skinned ? 1 : lmi_im_determinant(world->m);
    const size_t row = (size_t)frame * part->num_vertices;
    morph(b, part, b->pose.weights + b->pose.first_weight[part->node]);
    baked->seen[frame] = skinned || fabs(turned) > 0;
    if (baked->turned == 0)
        baked->turned = turned;
    for (uint32_t v = 0; v < part->num_vertices; v++) {
        lm_im_matrix blended;
        const lm_im_matrix *to = skinned ? blend(b, part, v, &blended) : world;
        const double *p = b->morphed + (size_t)v * 3;
        lmi_im_place(to, (double)b->scale, p, p + (size_t)part->num_vertices * 3,
                     &baked->positions[row + v], baked->normals ? &baked->normals[row + v] : NULL);
    }
    if (baked->groups)
        im_smooth(part, baked->groups, turned < 0, baked->positions + row,
                  (lm_wide *)(void *)b->morphed, baked->normals + row);
}

static lm_vec3 unit_axis(const double *column, int otherwise) {
    const double length =
        sqrt(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
    const double plain[3] = {otherwise == 0, otherwise == 1, otherwise == 2};
    return length > 0 ? lmi_im_rotate(column, 1 / length) : lmi_im_rotate(plain, 1);
}

/* Bakes a tag. Models attached to a node follow it in glTF's axes: z forward, x left, y up. One
 * that is scaled to 0 keeps its turn. */
static void bake_tag(lm_im_baking *b, uint32_t tag, uint32_t frame) {
    const lm_im_scene *scene = b->scene;
    const uint32_t node = scene->tags[tag].node;
    const double *m = b->pose.is_flat[node] ? b->pose.whole[node].m : b->pose.world[node].m;
    double turned[12];
    memcpy(turned, m, sizeof turned);
    if (scene->is_turned && (scene->turns_joints || !b->is_joint[node])) {
        /* Take the turn of the file's axes back, on the right: a tag that is not turned in the file
         * is not turned in the model. */
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) {
                turned[4 * c + r] = 0;
                for (int k = 0; k < 3; k++)
                    turned[4 * c + r] += m[4 * k + r] * scene->turn[3 * k + c];
            }
    }
    b->tags[tag][frame] =
        (lm_transform){lmi_im_rotate(b->pose.world[node].m + 12, (double)b->scale),
                       {unit_axis(turned + 8, 2), unit_axis(turned, 0), unit_axis(turned + 4, 1)}};
}

static void bake_frame(lm_im_baking *b, const lm_im_moment *moment) {
    lmi_im_pose_at(&b->pose, moment);
    b->moments[b->num_frames] = *moment;
    const lm_im_gltf *gltf = b->scene->gltf;
    for (uint32_t i = 0; i < gltf->num_skins; i++)
        for (uint32_t j = 0; b->joints[i] && j < gltf->skins[i].num_joints; j++) {
            lm_im_matrix inverse;
            for (size_t k = 0; k < 16; k++)
                inverse.m[k] = (double)gltf->skins[i].inverse[(size_t)j * 16 + k];
            lmi_im_multiply(&b->pose.world[gltf->skins[i].joints[j]], &inverse, &b->joints[i][j]);
        }
    for (uint32_t i = 0; i < b->scene->num_parts; i++)
        bake_part(b, i, b->num_frames);
    for (uint32_t i = 0; i < b->scene->num_tags; i++)
        bake_tag(b, i, b->num_frames);
    b->num_frames++;
}

/* ---- Clips ----------------------------------------------------------------------------------- */

static float farther(lm_vec3 a, lm_vec3 b) {
    return fmaxf(fabsf(a.x - b.x), fmaxf(fabsf(a.y - b.y), fabsf(a.z - b.z)));
}

/* Returns the model's largest extent along an axis in a frame, from its first vertex. */
static float size_in(const lm_im_baking *b, uint32_t frame) {
    float size = 0;
    const lm_vec3 origin =
        b->scene->num_parts ? b->parts[0].positions[(size_t)frame * b->scene->parts[0].num_vertices]
                            : (lm_vec3){0, 0, 0};
    for (uint32_t i = 0; i < b->scene->num_parts; i++) {
        const uint32_t count = b->scene->parts[i].num_vertices;
        for (uint32_t v = 0; v < count; v++)
            size = fmaxf(size, farther(origin, b->parts[i].positions[(size_t)frame * count + v]));
    }
    for (uint32_t i = 0; i < b->scene->num_tags; i++)
        size = fmaxf(size, farther(origin, b->tags[i][frame].origin));
    return size;
}

/* Returns whether the vertices and the places of tags in two frames are at most `place` apart, and
 * the axes of tags at most `axis`. `hides`: in the frame that was baked last, `g`, also if a part
 * is scaled to nothing, with its tags. */
static bool same_frames(const lm_im_baking *b, uint32_t f, uint32_t g, float place, float axis,
                        bool hides) {
    for (uint32_t i = 0; i < b->scene->num_parts; i++) {
        const uint32_t count = b->scene->parts[i].num_vertices;
        const lm_vec3 *at = b->parts[i].positions;
        for (uint32_t v = 0; (!hides || b->parts[i].seen[g]) && v < count; v++)
            if (farther(at[(size_t)f * count + v], at[(size_t)g * count + v]) > place)
                return false;
    }
    for (uint32_t i = 0; i < b->scene->num_tags; i++) {
        const lm_transform *p = &b->tags[i][f], *q = &b->tags[i][g];
        if (hides && lmi_im_determinant(b->pose.world[b->scene->tags[i].node].m) == 0)
            continue;
        if (farther(p->origin, q->origin) > place)
            return false;
        for (int k = 0; k < 3; k++)
            if (farther(p->axis[k], q->axis[k]) > axis)
                return false;
    }
    return true;
}

static bool is_same_pose(const lm_im_baking *b, uint32_t f, uint32_t g) {
    return same_frames(b, f, g, SAME * size_in(b, f), SAME, false);
}

/* What the game shows alike: half a step of MD3 and MDC, and as much of an axis. */
#define ALIKE (1 / 128.0f)

static bool shows_same(const lm_im_baking *b, uint32_t f, uint32_t g, bool hides) {
    return same_frames(b, f, g, ALIKE, ALIKE, hides);
}

#define MOST_ROWS 12 /* of a weapon.cfg, which are compared with each other */

/* Lets a row of a weapon.cfg that shares frames of the hand with other rows have its own if its
 * animation shows something else: if barrels move in it, or somebody changed it. Equal rows share
 * these, too. */
static void bake_row(lm_im_baking *b, lm_clip *rows, uint32_t index) {
    const lm_im_extras *extras = b->scene->extras;
    const lm_im_animation *animation = extras->animations[index];
    lm_clip *row = &rows[index];
    const lm_im_moment *moments = extras->moments + row->first;
    const uint32_t first = b->num_frames;
    uint32_t own = 0;
    while (own < row->count && moments[own].animation == animation &&
           moments[own].time == (float)lm_clip_seconds(row, own))
        own++;
    if (own == row->count || row->backwards) /* the game has no such rows */
        return;
    bool same = true;
    for (uint32_t k = 0; k < row->count; k++) {
        bake_frame(b, &(lm_im_moment){animation, (float)lm_clip_seconds(row, k), 0});
        same = same && shows_same(b, row->first + k, first + k, row->hidden_barrels != 0);
    }
    if (!same)
        row->first = first;
    for (uint32_t i = index; i > 0 && index - i < MOST_ROWS && row->first == first; i--) {
        const lm_clip *other = &rows[i - 1];
        uint32_t k =
            other->first >= extras->num_frames && other->count == row->count ? 0 : UINT32_MAX;
        while (k < row->count && shows_same(b, other->first + k, first + k, false))
            k++;
        if (k == row->count)
            row->first = other->first;
    }
    if (row->first != first)
        b->num_frames = first;
}

/* Collects the names of the rows of a weapon.cfg. Of equal ones the first counts. */
static bool name_rows(lm_im_baking *b) {
    const lm_im_extras *extras = b->scene->extras;
    b->rows.arena = &b->im->scratch;
    for (uint32_t i = 0; extras->is_weapon && i < extras->num_clips; i++) {
        lm_name *name = lmi_names_put(&b->rows, extras->clips[i].name);
        if (!name)
            return false;
        if (name->number == 0)
            name->number = i + 1;
    }
    return true;
}

/* Returns the row of a weapon.cfg that an animation was made of; NULL: none. */
static const lm_clip *find_row(const lm_im_baking *b, const char *animation) {
    const lm_name *row = lmi_names_find(&b->rows, animation);
    return row ? &b->scene->extras->clips[row->number - 1] : NULL;
}

/* Returns the clip that an animation was made of, as the extras describe it; NULL: unknown. Clips
 * of a file number all frames, and with `keys` the keys alone count. */
static const lm_clip *clip_of(const lm_im_baking *b, const lm_im_animation *animation) {
    const lm_import_options *options = b->im->options;
    const bool known = animation->clip.count > 0 && !options->all_frames && !options->keys;
    return known ? &animation->clip : find_row(b, animation->name);
}

/* Bakes an animation as a clip. If its last pose equals its first, the clip loops and the last
 * frame is dropped, or in a weapon's new clips the first is left out of the loop, unless the
 * options say how the clip ends. */
static void bake_clip(lm_im_baking *b, const lm_im_animation *animation, const lm_im_span *span,
                      lm_clip *clip) {
    const uint32_t first = b->num_frames;
    const double early = 4 * (double)FLT_EPSILON * fmax(fabs(span->first), fabs(span->last));
    for (uint32_t f = 0; f < span->num_frames; f++) { /* the last one shows the end */
        const double time = span->first + f / span->fps;
        const bool ends = f > 0 && f + 1 == span->num_frames;
        bake_frame(
            b, &(lm_im_moment){animation, !ends && time < span->last ? time : span->last, early});
    }
    const lm_clip *row = clip_of(b, animation);
    lm_im_ending ending = lmi_im_ending_of(b->im->options, animation->name);
    const bool asked = ending == IM_LOOPS;
    if (row && ending == IM_AS_IT_BEGAN && !b->im->options->all_frames)
        ending = row->loop_frames > 0 ? IM_LOOPS : IM_PLAYS_ONCE;
    const bool closes = row && (row->loop_frames > 0 || row->count == 1); /* by a key of its own */
    const bool ends =
        span->num_frames > 1 &&
        (closes || (ending != IM_PLAYS_ONCE && is_same_pose(b, first, b->num_frames - 1)));
    const bool loops = ending == IM_LOOPS || (ends && ending == IM_AS_IT_BEGAN);
    const bool stays = !row && !asked && b->im->options->weapon; /* the row may not loop */
    b->num_frames -= ends && !stays;
    *clip = (lm_clip){.name = animation->name,
                      .first = first,
                      .count = b->num_frames - first,
                      .fps = (float)span->fps,
                      .loop_frames = loops ? b->num_frames - first - (ends && stays) : 0,
                      .source = LM_CLIP_FILE};
    if (!row)
        return;
    if (!asked && row->loop_frames < row->count && row->loop_frames < clip->loop_frames)
        clip->loop_frames = row->loop_frames;
    clip->animated_barrels = row->animated_barrels;
    clip->animated_weapon = row->animated_weapon;
    clip->hidden_barrels = row->hidden_barrels;
}

static bool is_same_clip(const lm_im_baking *b, const lm_clip *one, const lm_clip *other) {
    bool same = one->count == other->count && one->loop_frames == other->loop_frames &&
                one->fps == other->fps;
    for (uint32_t f = 0; same && f < one->count; f++)
        same = is_same_pose(b, one->first + f, other->first + f);
    return same;
}

/* Lets a clip show the frames of an earlier one if it shows the same, and the rows that both were
 * made of share theirs. Keys do not tell: they are the same at another rate. */
static void share_frames(lm_im_baking *b, const lm_clip *clips, lm_clip *clip) {
    const lm_clip *row = b->im->options->keys ? NULL : find_row(b, clip->name);
    const lm_clip *other = clip - clips > MOST_ROWS ? clip - MOST_ROWS : clips;
    for (; row && other < clip; other++) {
        const lm_clip *shared = find_row(b, other->name);
        uint32_t k = shared && shared->first == row->first && shared->count == row->count &&
                             other->count == clip->count
                         ? 0
                         : UINT32_MAX;
        while (k < clip->count && shows_same(b, other->first + k, clip->first + k, false))
            k++;
        if (k == clip->count) {
            b->num_frames = clip->first;
            clip->first = other->first;
            return;
        }
    }
}

/* Bakes each animation as a clip. Blender's FBX exporter writes actions once for each object: of
 * clips with the same name and the same poses, only the first is kept. */
static bool bake_clips(lm_im_baking *b, const lm_im_span *spans, lm_clip *clips, uint32_t *count) {
    const lm_im_gltf *gltf = b->scene->gltf;
    lm_names names = {.arena = &b->im->scratch};
    for (uint32_t i = 0; i < gltf->num_animations; i++) {
        lm_clip *clip = &clips[*count];
        bake_clip(b, &gltf->animations[i], &spans[i], clip);
        lm_name *name = lmi_names_put(&names, clip->name);
        if (!name)
            return false;
        if (name->number > 0 && is_same_clip(b, &clips[name->number - 1], clip)) {
            lmi_im_note(b->im, IM_COPIES,
                        "an animation repeats an earlier one of its name and is left out");
            b->num_frames = clip->first;
            continue;
        }
        if (name->number > 0 && *clip->name)
            lmi_im_note(b->im, IM_SAME_CLIPS,
                        "several different animations have the same name: if each object of a "
                        "Blender scene has an action, export FBX without All Actions");
        share_frames(b, clips, clip);
        ++*count;
        if (name->number == 0)
            name->number = *count;
    }
    return true;
}

/* ---- All frames ------------------------------------------------------------------------------ */

static uint64_t numbers_in(const lm_im_animation *animation) {
    uint64_t numbers = 0;
    for (uint32_t k = 0; animation && k < animation->num_channels; k++)
        numbers += animation->channels[k].width;
    return numbers;
}

/* Returns the steps of finding an animation's frame rate. */
static uint64_t keys_in(const lm_im_animation *animation) {
    uint64_t keys = 0;
    for (uint32_t k = 0; k < animation->num_channels; k++)
        keys += animation->channels[k].shares_times ? 1 : animation->channels[k].num_keys;
    return keys;
}

/* Returns the steps of one frame, not counting the animations. */
static uint64_t steps_of(const lm_im_scene *scene) {
    const lm_im_gltf *gltf = scene->gltf;
    uint64_t steps = gltf->num_nodes;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_im_part *part = &scene->parts[i];
        steps +=
            (uint64_t)part->num_vertices * (part->num_joints + part->num_targets + (uint64_t)2);
        steps += part->num_targets > 0 ? part->num_triangles : 0;
    }
    for (uint32_t i = 0; i < gltf->num_skins; i++)
        steps += gltf->skins[i].num_joints;
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        if (gltf->nodes[i].mesh != IM_NONE)
            steps += gltf->num_targets[gltf->nodes[i].mesh];
    return steps;
}

/* Counts the frames and steps of all animations. Fails if they exceed the limits. */
static bool count_frames(lm_im_baking *b, lm_im_span *spans) {
    const lm_im_gltf *gltf = b->scene->gltf;
    const lm_im_extras *extras = b->scene->extras;
    uint64_t frames = extras->num_frames > 0 ? extras->num_frames : gltf->num_animations == 0;
    const uint64_t max_steps = b->im->input * STEPS_PER_BYTE + MORE_STEPS;
    uint64_t played = 0;
    for (uint32_t f = 0; f < extras->num_frames && played <= max_steps; f++)
        played += numbers_in(extras->moments[f].animation);
    const uint32_t num_rows = extras->num_frames > 0 && extras->is_weapon ? extras->num_clips : 0;
    for (uint32_t i = 0; i < num_rows && played <= max_steps; i++) {
        frames += extras->clips[i].count;
        played += numbers_in(extras->animations[i]) * extras->clips[i].count;
    }
    if (frames > LM_MAX_IMPORT_FRAMES)
        return lmi_im_fail(b->im, LM_CODE_LIMIT, "scenes[0].extras.clips",
                           "the rows of the weapon have more than %u frames with those of the hand",
                           LM_MAX_IMPORT_FRAMES);
    for (uint32_t i = 0; extras->num_frames == 0 && i < gltf->num_animations; i++) {
        played += keys_in(&gltf->animations[i]);
        if (played > max_steps)
            break;
        lmi_im_span_of(b->im, &gltf->animations[i], clip_of(b, &gltf->animations[i]), &spans[i]);
        frames += spans[i].num_frames;
        if (frames > LM_MAX_IMPORT_FRAMES)
            return lmi_im_fail(b->im, LM_CODE_LIMIT,
                               lmi_im_location(b->im, "animations[%u]", (unsigned)i),
                               "the animations up to this one have more than %u frames: lower the "
                               "frame rate or remove animations",
                               LM_MAX_IMPORT_FRAMES);
        played += numbers_in(&gltf->animations[i]) * spans[i].num_frames;
    }
    b->most_frames = (uint32_t)frames;
    return (played <= max_steps && frames * steps_of(b->scene) <= max_steps) ||
           lmi_im_fail(b->im, LM_CODE_LIMIT, NULL,
                       "%llu frames are too many for this number of vertices, targets and joints: "
                       "lower the frame rate",
                       (unsigned long long)frames);
}

static bool alloc_baking(lm_im_baking *b) {
    const lm_im_scene *scene = b->scene;
    const lm_im_gltf *gltf = scene->gltf;
    lm_arena *arena = b->im->arena;
    uint64_t largest = 0;
    b->im->multiple = LM_IMPORT_FRAMES_MULTIPLE;
    lmi_im_add_input(b->im, 0);
    b->parts = lmi_arena_zeros(&b->im->scratch, scene->num_parts, sizeof *b->parts);
    b->tags = lmi_arena_zeros(arena, scene->num_tags, sizeof(lm_transform *));
    b->joints = lmi_arena_zeros(arena, gltf->num_skins, sizeof(lm_im_matrix *));
    b->is_joint = lmi_im_joints(b->im, gltf);
    b->moments = lmi_arena_zeros(&b->im->scratch, b->most_frames, sizeof *b->moments);
    if (lmi_arena_failed(arena))
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_im_part *part = &scene->parts[i];
        const uint64_t rows = (uint64_t)part->num_vertices * b->most_frames;
        lm_im_baked *baked = &b->parts[i];
        baked->positions = lmi_arena_zeros(arena, rows, sizeof *baked->positions);
        baked->seen = lmi_arena_zeros(arena, b->most_frames, 1);
        if (part->normals && !b->im->options->compute_normals) {
            baked->normals = lmi_arena_zeros(arena, rows, sizeof *baked->normals);
            if (!im_find_groups(b->im, part, &baked->groups))
                return false;
        }
        if (part->skin != IM_NONE && part->num_joints > 0 && !b->joints[part->skin])
            b->joints[part->skin] =
                lmi_arena_zeros(arena, gltf->skins[part->skin].num_joints, sizeof **b->joints);
        largest = part->num_vertices > largest ? part->num_vertices : largest;
    }
    for (uint32_t i = 0; i < scene->num_tags; i++)
        b->tags[i] = lmi_arena_zeros(arena, b->most_frames, sizeof **b->tags);
    b->morphed = lmi_arena_zeros(arena, largest * 6, sizeof *b->morphed);
    return !lmi_arena_failed(arena) && lmi_im_pose_init(b->im, gltf, &b->pose);
}

static bool play(lm_im_baking *b, lm_mesh *mesh) {
    const lm_im_gltf *gltf = b->scene->gltf;
    lm_im_span *spans = lmi_arena_zeros(b->im->arena, gltf->num_animations, sizeof *spans);
    const uint32_t num_clips =
        b->scene->extras->num_frames > 0 ? b->scene->extras->num_clips : gltf->num_animations;
    lm_clip *clips = lmi_arena_zeros(b->im->arena, num_clips, sizeof *clips);
    if (!spans || !clips || !name_rows(b) || !count_frames(b, spans) || !alloc_baking(b))
        return false;
    if (b->scene->extras->num_frames > 0) {
        /* Bake each frame of the original model at the moment that shows it. */
        const lm_im_extras *extras = b->scene->extras;
        for (uint32_t f = 0; f < extras->num_frames; f++)
            bake_frame(b, &extras->moments[f]);
        for (uint32_t i = 0; i < extras->num_clips; i++) {
            const lm_im_ending ending = lmi_im_ending_of(b->im->options, extras->clips[i].name);
            clips[i] = extras->clips[i];
            if (extras->is_weapon)
                bake_row(b, clips, i);
            if (ending != IM_AS_IT_BEGAN)
                clips[i].loop_frames = ending == IM_LOOPS ? clips[i].count : 0;
        }
        if (b->num_frames > extras->num_frames)
            mesh->frame_names = NULL;
        mesh->num_frames = b->num_frames;
        mesh->num_clips = extras->num_clips;
        mesh->clips = clips;
        return true;
    }
    if (gltf->num_animations == 0)
        bake_frame(b, &(lm_im_moment){.animation = NULL});
    if (!bake_clips(b, spans, clips, &mesh->num_clips))
        return false;
    mesh->num_frames = b->num_frames;
    mesh->clips = clips;
    return true;
}

/* ---- Bundles -----------------------------------------------------------------------------------
 *
 * lm_gltf_write cuts what has many frames into bundles: copies of the same surfaces with other
 * targets, of which the others are scaled to nothing. */

typedef struct lm_im_sorted {
    uint32_t same_as[3], part;
} lm_im_sorted;

static int compare_sorted(const void *x, const void *y) {
    const lm_im_sorted *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->same_as[i] != b->same_as[i])
            return a->same_as[i] < b->same_as[i] ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Returns true if exactly one of the parts is visible in each frame. */
static bool alternate(const lm_im_baking *b, const lm_im_sorted *parts, uint32_t count) {
    for (uint32_t f = 0; f < b->num_frames; f++) {
        unsigned seen = 0;
        for (uint32_t i = 0; i < count; i++)
            seen += b->parts[parts[i].part].seen[f];
        if (seen != 1)
            return false;
    }
    return true;
}

static void merge(lm_im_baking *b, const lm_im_sorted *parts, uint32_t count) {
    const lm_im_baked *into = &b->parts[parts[0].part];
    const uint32_t vertices = b->scene->parts[parts[0].part].num_vertices;
    for (uint32_t i = 1; i < count; i++) {
        lm_im_baked *from = &b->parts[parts[i].part];
        from->merged = true;
        for (uint32_t f = 0; f < b->num_frames; f++) {
            const size_t row = (size_t)f * vertices, size = vertices * sizeof(lm_vec3);
            if (!from->seen[f])
                continue;
            memcpy(into->positions + row, from->positions + row, size);
            if (into->normals && from->normals)
                memcpy(into->normals + row, from->normals + row, size);
        }
    }
}

static bool merge_bundles(lm_im_baking *b) {
    const uint32_t count = b->scene->num_parts;
    lm_im_sorted *sorted = lmi_arena_zeros(&b->im->scratch, count, sizeof *sorted);
    if (!sorted)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(sorted[i].same_as, b->scene->parts[i].same_as, sizeof sorted[i].same_as);
        sorted[i].part = i;
    }
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_sorted);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && memcmp(sorted[i].same_as, sorted[end].same_as,
                                                sizeof sorted[i].same_as) == 0;)
            end++;
        if (end - i > 1 && alternate(b, sorted + i, end - i))
            merge(b, sorted + i, end - i);
    }
    return true;
}

/* ---- The mesh -------------------------------------------------------------------------------- */

/* Copies triangles. Front faces become clockwise. */
static const uint32_t *wind(lm_arena *arena, const lm_im_part *part, bool mirrored) {
    uint32_t *out = lmi_arena_alloc(arena, (uint64_t)part->num_triangles * 3, sizeof *out);
    for (uint32_t t = 0; out && t < part->num_triangles; t++) {
        const uint32_t *from = part->triangles + (size_t)t * 3;
        uint32_t *corners = out + (size_t)t * 3;
        corners[0] = from[0];
        corners[1] = from[mirrored ? 1 : 2];
        corners[2] = from[mirrored ? 2 : 1];
    }
    return out;
}

/* Adds the surfaces without triangles of an export, as far as their numbers follow. */
static bool add_empty(lm_im_baking *b, lm_im_ref *next, lm_mesh_surface *surfaces,
                      uint32_t *count) {
    const lm_im_ref list = b->scene->extras->empty;
    uint64_t index;
    while (*next && b->scene->extras->num_frames > 0 &&
           lmi_im_integer(lmi_im_member(*next, "index"), &index) && index == *count) {
        const char *name = lmi_im_string(b->im, lmi_im_member(*next, "name"));
        if (!name)
            return false;
        surfaces[(*count)++] = (lm_mesh_surface){.name = name};
        *next = lmi_im_next(list, *next);
    }
    return true;
}

static bool set_surfaces(lm_im_baking *b, lm_mesh *mesh, uint32_t **parts) {
    const lm_im_scene *scene = b->scene;
    lm_arena *arena = b->im->arena;
    lm_im_ref empty = lmi_im_first(scene->extras->empty);
    const uint64_t most = (uint64_t)scene->num_parts + lmi_im_count(scene->extras->empty);
    lm_mesh_surface *surfaces = lmi_arena_zeros(arena, most, sizeof *surfaces);
    lm_mesh_tag *tags = lmi_arena_zeros(arena, scene->num_tags, sizeof *tags);
    const uint32_t **images = lmi_arena_zeros(&b->im->scratch, most, sizeof *images);
    *parts = lmi_arena_alloc(&b->im->scratch, most, sizeof **parts);
    for (uint64_t i = 0; *parts && i < most; i++)
        (*parts)[i] = IM_NONE;
    if (!*parts || !surfaces || !tags || !images ||
        !add_empty(b, &empty, surfaces, &mesh->num_surfaces))
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_im_part *part = &scene->parts[i];
        const lm_im_baked *baked = &b->parts[i];
        if (baked->merged)
            continue;
        images[mesh->num_surfaces] = part->images;
        (*parts)[mesh->num_surfaces] = i;
        surfaces[mesh->num_surfaces++] =
            (lm_mesh_surface){.name = part->name,
                              .num_vertices = part->num_vertices,
                              .positions = &baked->positions[0].x,
                              .normals = baked->normals ? &baked->normals[0].x : NULL,
                              .num_st = part->st ? part->num_vertices : 0,
                              .st = part->st,
                              .num_triangles = part->num_triangles,
                              .triangles = wind(arena, part, baked->turned < 0),
                              .num_materials = part->num_materials,
                              .materials = part->materials,
                              .flags = part->flags,
                              .body = scene->gltf->nodes[part->node].body,
                              .piece = scene->gltf->nodes[part->node].piece};
        if (!add_empty(b, &empty, surfaces, &mesh->num_surfaces))
            return false;
    }
    for (uint32_t i = 0; i < scene->num_tags; i++)
        tags[i] = (lm_mesh_tag){
            .name = scene->tags[i].name, .poses = b->tags[i], .piece = scene->tags[i].piece};
    mesh->surfaces = surfaces;
    mesh->num_tags = scene->num_tags;
    mesh->tags = tags;
    return !lmi_arena_failed(arena) &&
           (!b->im->options->images || lmi_im_bind_images(b->im, lmi_im_num_variants(scene->gltf),
                                                          mesh->num_surfaces, images));
}

bool lmi_im_bake(importing *im, const lm_im_scene *scene, lm_mesh *mesh, lm_im_baked_from *from) {
    lm_im_baking b = {.im = im, .scene = scene, .scale = scene->scale};
    uint32_t *parts;
    if (!play(&b, mesh) || !merge_bundles(&b) || !set_surfaces(&b, mesh, &parts))
        return false;
    *from = (lm_im_baked_from){b.pose, b.moments, parts};
    return true;
}
