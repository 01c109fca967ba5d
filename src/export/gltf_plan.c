#include "export/gltf.h"

#include "core/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- Surfaces that are drawn ------------------------------------------------------------------
 */

static bool draws_something(const lm_surface *surface) {
    for (uint32_t i = 0; i < surface->num_triangles; i++)
        if (!lm_is_degenerate(surface->triangles + 3 * (size_t)i))
            return true;
    return false;
}

static bool list_meshes(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    const lm_model *model = g->body->job.model;
    plan->surfaces = lm_heap_alloc(&g->heap, model->num_surfaces, sizeof *plan->surfaces);
    plan->groups = lm_heap_alloc(&g->heap, model->num_surfaces, sizeof *plan->groups);
    if (!plan->surfaces || !plan->groups)
        return false;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (draws_something(&model->surfaces[i]))
            plan->surfaces[plan->num_meshes++] = i;
    return true;
}

/* ---- Poses that are the same ------------------------------------------------------------------
 */

/* What finding equal poses of one mesh needs: two poses, and the frames seen so far by hash. */
typedef struct lm_pose_search {
    uint32_t surface, num_vertices;
    lm_vec3 *pose, *other; /* positions, then normals */
    uint64_t *hashes;      /* [num_frames] */
    uint32_t *table;       /* frame + 1, open addressing */
    size_t table_size;     /* a power of two */
} lm_pose_search;

static uint64_t hash_pose(const lm_vec3 *pose, size_t count) {
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        uint32_t words[3];
        memcpy(words, &pose[i], sizeof words);
        for (unsigned k = 0; k < 3; k++) {
            hash = (hash ^ words[k]) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

static bool sample(lm_gltf *g, const lm_pose_search *search, uint32_t frame, lm_vec3 *out) {
    return lm_export_sample(&g->body->job, search->surface, frame, out, out + search->num_vertices,
                            g->error);
}

/* Finds the first frame that has the pose of `frame`, which may be that frame itself. */
static bool find_pose(lm_gltf *g, lm_pose_search *search, uint32_t frame, uint32_t *first) {
    size_t size = 2 * (size_t)search->num_vertices;
    if (!sample(g, search, frame, search->pose))
        return false;
    search->hashes[frame] = hash_pose(search->pose, size);
    size_t i = (size_t)search->hashes[frame] & (search->table_size - 1);
    for (; search->table[i]; i = (i + 1) & (search->table_size - 1)) {
        uint32_t seen = search->table[i] - 1;
        if (search->hashes[seen] != search->hashes[frame])
            continue;
        if (!sample(g, search, seen, search->other))
            return false;
        if (memcmp(search->pose, search->other, size * sizeof *search->pose) == 0) {
            *first = seen;
            return true;
        }
    }
    search->table[i] = frame + 1;
    *first = frame;
    return true;
}

static bool search_mesh(lm_gltf *g, lm_pose_search *search, uint32_t *poses) {
    memset(search->table, 0, search->table_size * sizeof *search->table);
    for (uint32_t frame = 0; frame < g->body->plan.num_frames; frame++)
        if (!find_pose(g, search, frame, &poses[frame]))
            return false;
    return true;
}

static bool search_meshes(lm_gltf *g, lm_pose_search *search) {
    lm_gltf_plan *plan = &g->body->plan;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++) {
        search->surface = plan->surfaces[mesh];
        search->num_vertices = g->body->job.model->surfaces[search->surface].num_vertices;
        if (!search_mesh(g, search, plan->poses + (size_t)mesh * plan->num_frames))
            return false;
    }
    return true;
}

static bool find_poses(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    size_t most = 0;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++) {
        size_t count = g->body->job.model->surfaces[plan->surfaces[mesh]].num_vertices;
        most = count > most ? count : most;
    }
    lm_pose_search search = {.table_size = 16};
    while (search.table_size < 2 * (size_t)plan->num_frames)
        search.table_size *= 2;
    size_t pose_size = 2 * sizeof(lm_vec3);
    search.pose = lm_heap_alloc(&g->heap, most, pose_size);
    search.other = lm_heap_alloc(&g->heap, most, pose_size);
    search.hashes = lm_heap_alloc(&g->heap, plan->num_frames, sizeof *search.hashes);
    search.table = lm_heap_alloc(&g->heap, search.table_size, sizeof *search.table);
    bool ok = search.pose && search.other && search.hashes && search.table;
    ok = ok && search_meshes(g, &search);
    lm_heap_free(&g->heap, search.table, search.table_size * sizeof *search.table);
    lm_heap_free(&g->heap, search.hashes, plan->num_frames * sizeof *search.hashes);
    lm_heap_free(&g->heap, search.other, most * pose_size);
    lm_heap_free(&g->heap, search.pose, most * pose_size);
    return ok;
}

static const uint32_t *poses_of(const lm_gltf_plan *plan, uint32_t mesh) {
    return plan->poses + (size_t)mesh * plan->num_frames;
}

/* Meshes whose poses change at the same frames share the weights of their targets. */
static void group_meshes(lm_gltf_plan *plan) {
    size_t size = plan->num_frames * sizeof *plan->poses;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++) {
        uint32_t group = 0;
        while (group < mesh && (plan->groups[group] != group ||
                                memcmp(poses_of(plan, group), poses_of(plan, mesh), size) != 0))
            group++;
        plan->groups[mesh] = group;
    }
}

static bool same_pose(const lm_gltf_plan *plan, uint32_t frame, uint32_t other) {
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++)
        if (plan->groups[mesh] == mesh &&
            poses_of(plan, mesh)[frame] != poses_of(plan, mesh)[other])
            return false;
    return true;
}

static uint64_t hash_frame(const lm_gltf_plan *plan, uint32_t frame) {
    uint64_t hash = 0;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++) {
        hash = (hash ^ poses_of(plan, mesh)[frame]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Finds for each frame the first where all meshes have the same pose. */
static bool find_model_poses(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    size_t size = 16;
    while (size < 2 * (size_t)plan->num_frames)
        size *= 2;
    uint32_t *table = lm_heap_alloc(&g->heap, size, sizeof *table); /* frame + 1 */
    if (!table)
        return false;
    memset(table, 0, size * sizeof *table);
    for (uint32_t frame = 0; frame < plan->num_frames; frame++) {
        size_t i = (size_t)hash_frame(plan, frame) & (size - 1);
        while (table[i] && !same_pose(plan, frame, table[i] - 1))
            i = (i + 1) & (size - 1);
        plan->shared_frames += table[i] != 0 && plan->num_meshes > 0;
        table[i] = table[i] ? table[i] : frame + 1;
        plan->model_poses[frame] = table[i] - 1;
    }
    lm_heap_free(&g->heap, table, size * sizeof *table);
    return true;
}

/* ---- Tracks and parts -------------------------------------------------------------------------
 */

static bool new_part(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    void *parts = plan->parts;
    bool ok = lm_heap_grow(&g->heap, &parts, &plan->parts_capacity, plan->num_parts + 1,
                           sizeof *plan->parts);
    plan->parts = parts;
    if (ok)
        plan->parts[plan->num_parts++] = (lm_gltf_part){.first = plan->num_part_frames};
    return ok;
}

static uint32_t part_size(const lm_gltf_plan *plan) {
    return plan->parts[plan->num_parts - 1].count;
}

/* Whether the last part lacks the pose of `frame`. Pose 0 is the base, which every part has. */
static bool is_missing(const lm_gltf_plan *plan, uint32_t frame) {
    uint32_t pose = plan->model_poses[frame];
    return pose != 0 && plan->in_part[pose] != plan->num_parts;
}

static bool add_frame(lm_gltf *g, uint32_t frame) {
    lm_gltf_plan *plan = &g->body->plan;
    if (!is_missing(plan, frame))
        return true;
    void *frames = plan->part_frames;
    bool ok = lm_heap_grow(&g->heap, &frames, &plan->part_frames_capacity,
                           plan->num_part_frames + 1, sizeof *plan->part_frames);
    plan->part_frames = frames;
    if (!ok)
        return false;
    uint32_t pose = plan->model_poses[frame];
    plan->part_frames[plan->num_part_frames++] = pose;
    plan->parts[plan->num_parts - 1].count++;
    plan->in_part[pose] = (uint32_t)plan->num_parts;
    return true;
}

/* Counts what the last part lacks of a key. */
static uint32_t count_missing_of_key(lm_gltf_plan *plan, lm_pose pose) {
    const uint32_t frames[] = {pose.frame_a, pose.frame_b};
    uint32_t missing = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t model_pose = plan->model_poses[frames[i]];
        if (!is_missing(plan, frames[i]) || plan->counted[model_pose] == plan->count_serial)
            continue;
        plan->counted[model_pose] = plan->count_serial;
        missing++;
    }
    return missing;
}

/* How many targets the last part would get from a track. */
static uint32_t count_missing(lm_gltf_plan *plan, const lm_gltf_track *track) {
    uint32_t missing = 0;
    plan->count_serial++;
    for (uint32_t key = 0; key < track->num_keys; key++)
        missing += count_missing_of_key(plan, lm_gltf_key_pose(track, key));
    return missing;
}

static bool add_segment(lm_gltf *g, uint32_t first_key, uint32_t end_key) {
    lm_gltf_plan *plan = &g->body->plan;
    void *segments = plan->all_segments;
    bool ok = lm_heap_grow(&g->heap, &segments, &plan->segments_capacity, plan->num_segments + 1,
                           sizeof *plan->all_segments);
    plan->all_segments = segments;
    if (ok)
        plan->all_segments[plan->num_segments++] =
            (lm_gltf_segment){(uint32_t)plan->num_parts - 1, first_key, end_key - first_key};
    return ok;
}

static bool add_key(lm_gltf *g, lm_pose pose) {
    return add_frame(g, pose.frame_a) && add_frame(g, pose.frame_b);
}

/* Puts a track into the last part if it fits there, else into a new one, else into several, one
 * after the other in time; where they meet, both have the frame. */
static bool plan_track(lm_gltf *g, const lm_gltf_track *track) {
    lm_gltf_plan *plan = &g->body->plan;
    uint32_t missing = count_missing(plan, track);
    if (part_size(plan) > 0 && part_size(plan) + missing > LM_MAX_TARGETS && !new_part(g))
        return false;
    uint32_t first_key = 0;
    for (uint32_t key = 0; key < track->num_keys; key++) {
        lm_pose pose = lm_gltf_key_pose(track, key);
        plan->count_serial++;
        if (part_size(plan) + count_missing_of_key(plan, pose) > LM_MAX_TARGETS) {
            if (!add_segment(g, first_key, key) || !new_part(g) ||
                !add_key(g, lm_gltf_key_pose(track, key - 1)))
                return false;
            plan->all_segments[plan->num_segments - 1].num_keys++;
            first_key = key - 1;
        }
        if (!add_key(g, pose))
            return false;
    }
    return add_segment(g, first_key, track->num_keys);
}

/* Frames that no animation shows are targets all the same. */
static bool plan_leftovers(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    for (uint32_t frame = 1; frame < plan->num_frames; frame++) {
        if (plan->model_poses[frame] != frame || plan->in_part[frame] != 0)
            continue;
        if (part_size(plan) == LM_MAX_TARGETS && !new_part(g))
            return false;
        if (!add_frame(g, frame))
            return false;
    }
    return true;
}

static int compare_frames(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool plan_parts(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    if (!new_part(g))
        return false;
    for (uint32_t i = 0; i < g->num_tracks; i++) {
        const lm_gltf_track *track = &g->body->tracks[i];
        plan->segments[i] = plan->num_segments;
        if (track->num_keys > 0 && !plan_track(g, track))
            return false;
    }
    plan->segments[g->num_tracks] = plan->num_segments;
    if (g->body->has_frames && !plan_leftovers(g))
        return false;
    for (size_t i = 0; i < plan->num_parts; i++)
        if (plan->parts[i].count > 0)
            qsort(plan->part_frames + plan->parts[i].first, plan->parts[i].count,
                  sizeof *plan->part_frames, compare_frames);
    return true;
}

static uint32_t *alloc_per_frame(lm_gltf *g, uint64_t rows) {
    size_t size = g->body->plan.num_frames * sizeof(uint32_t);
    uint32_t *out = lm_heap_alloc(&g->heap, rows, size);
    if (out)
        memset(out, 0, (size_t)rows * size);
    return out;
}

bool lm_gltf_make_plan(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    plan->num_frames = g->body->job.count;
    if (!list_meshes(g))
        return false;
    plan->segments =
        lm_heap_alloc(&g->heap, (uint64_t)g->max_animations + 1, sizeof *plan->segments);
    plan->poses = alloc_per_frame(g, plan->num_meshes);
    plan->model_poses = alloc_per_frame(g, 1);
    plan->in_part = alloc_per_frame(g, 1);
    plan->counted = alloc_per_frame(g, 1);
    if (!plan->segments || !plan->poses || !plan->model_poses || !plan->in_part || !plan->counted)
        return false;
    if (!find_poses(g))
        return false;
    group_meshes(plan);
    return find_model_poses(g) && plan_parts(g);
}

uint32_t lm_gltf_slots(const lm_gltf_plan *plan, uint32_t part, uint32_t mesh, uint8_t *slots,
                       uint32_t *frames) {
    const uint32_t *poses = poses_of(plan, mesh);
    uint32_t count = 0;
    memset(slots, 0, plan->num_frames);
    for (uint32_t i = 0; i < plan->parts[part].count; i++) {
        uint32_t frame = plan->part_frames[plan->parts[part].first + i];
        if (poses[frame] == 0 || slots[poses[frame]] != 0)
            continue;
        frames[count++] = frame;
        slots[poses[frame]] = (uint8_t)count;
    }
    return count;
}

void lm_gltf_free_plan(lm_gltf *g) {
    lm_gltf_plan *plan = &g->body->plan;
    size_t row = plan->num_frames * sizeof(uint32_t);
    uint32_t num_surfaces = g->body->job.model->num_surfaces;
    lm_heap_free(&g->heap, plan->surfaces, num_surfaces * sizeof *plan->surfaces);
    lm_heap_free(&g->heap, plan->groups, num_surfaces * sizeof *plan->groups);
    lm_heap_free(&g->heap, plan->poses, plan->num_meshes * row);
    lm_heap_free(&g->heap, plan->model_poses, row);
    lm_heap_free(&g->heap, plan->in_part, row);
    lm_heap_free(&g->heap, plan->counted, row);
    lm_heap_free(&g->heap, plan->segments,
                 ((size_t)g->max_animations + 1) * sizeof *plan->segments);
    lm_heap_free(&g->heap, plan->parts, plan->parts_capacity * sizeof *plan->parts);
    lm_heap_free(&g->heap, plan->part_frames,
                 plan->part_frames_capacity * sizeof *plan->part_frames);
    lm_heap_free(&g->heap, plan->all_segments,
                 plan->segments_capacity * sizeof *plan->all_segments);
}
