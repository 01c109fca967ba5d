#include "export/gltf.h"

#include <stdlib.h>
#include <string.h>

uint32_t lmi_gltf_count_triangles(const lm_welded *weld, const uint32_t *triangles,
                                  uint32_t num_triangles) {
    uint32_t corners[3], count = 0;
    for (uint32_t i = 0; i < num_triangles; i++)
        count += lmi_gltf_corners(weld, triangles + 3 * (size_t)i, corners);
    return count;
}

/* ---- Equal poses ---------------------------------------------------------------------------- */

/* The search for equal poses of a mesh. A pose is positions, then normals. */
typedef struct lm_pose_search {
    const lm_gltf_body *body;
    lm_index index;
    uint64_t *hashes; /* [num_frames] */
    lm_welding welding;
    uint32_t surface, num_vertices;
    lm_vec3 *pose, *other;
} lm_pose_search;

static bool same_hash(const void *context, uint32_t a, uint32_t b) {
    const uint64_t *hashes = context;
    return hashes[a] == hashes[b];
}

static bool sample(const lm_pose_search *search, uint32_t frame, lm_vec3 *out) {
    return lmi_export_sample(&search->body->job, search->surface, frame, out,
                             out + search->num_vertices);
}

/* Finds the first frame with the pose of `frame`, which may be that frame itself. */
static bool find_pose(lm_pose_search *search, uint32_t frame, uint32_t *first) {
    const size_t size = 2 * (size_t)search->num_vertices * sizeof *search->pose;
    if (!sample(search, frame, search->pose))
        return false;
    search->hashes[frame] = lmi_hash_bytes(0, search->pose, size);
    *first =
        lmi_index_find(&search->index, search->hashes[frame], frame, same_hash, search->hashes);
    if (*first == frame)
        return true;
    if (!sample(search, *first, search->other))
        return false;
    if (memcmp(search->pose, search->other, size) != 0)
        *first = frame;
    return true;
}

static bool search_mesh(lm_pose_search *search, uint32_t *poses) {
    const uint32_t num_frames = search->body->plan.num_frames;
    lmi_index_clear(&search->index, num_frames);
    const lm_surface *surface = &search->body->job.model->surfaces[search->surface];
    const lm_skeleton *skeleton = search->body->skeleton;
    lmi_welding_start(&search->welding, search->num_vertices);
    lmi_welding_divide(&search->welding, surface->st, sizeof *surface->st, surface->st, 0);
    /* Vertices that only clips of others would part stay apart. */
    if (skeleton && surface->num_file_vertices == surface->num_vertices) {
        const lm_influence *follow = skeleton->surfaces[search->surface].influences;
        lmi_welding_divide(&search->welding, follow, sizeof *follow, follow, 0);
    }
    for (uint32_t frame = 0; frame < num_frames; frame++) {
        if (!find_pose(search, frame, &poses[frame]))
            return false;
        if (poses[frame] == frame)
            lmi_welding_divide(&search->welding, search->pose, sizeof *search->pose,
                               search->pose + search->num_vertices, sizeof *search->pose);
    }
    return true;
}

static bool same_pose(const void *context, uint32_t frame, uint32_t other) {
    const lm_gltf_plan *plan = context;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++)
        if (plan->groups[mesh] == mesh &&
            lmi_gltf_poses(plan, mesh)[frame] != lmi_gltf_poses(plan, mesh)[other])
            return false;
    return true;
}

/* Searches all surfaces. Those without triangles after welding become no meshes. */
static bool search_meshes(lm_pose_search *search, lm_gltf_plan *plan, lm_arena *arena) {
    const lm_model *model = search->body->job.model;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const uint32_t mesh = plan->num_meshes;
        search->surface = i;
        search->num_vertices = model->surfaces[i].num_vertices;
        if (!search_mesh(search, plan->poses + (size_t)mesh * plan->num_frames) ||
            !lmi_welding_end(&search->welding, arena, &plan->welds[mesh]))
            return false;
        plan->surfaces[mesh] = i;
        plan->triangles[mesh] = lmi_gltf_count_triangles(
            &plan->welds[mesh], model->surfaces[i].triangles, model->surfaces[i].num_triangles);
        plan->num_meshes += plan->triangles[mesh] > 0;
    }
    return true;
}

static bool find_poses(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    lm_arena *arena = &body->g->arena;
    const lm_model *model = body->job.model;
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        most = model->surfaces[i].num_vertices > most ? model->surfaces[i].num_vertices : most;
    lm_pose_search search = {.body = body};
    search.pose = lmi_arena_alloc(arena, most, 2 * sizeof *search.pose);
    search.other = lmi_arena_alloc(arena, most, 2 * sizeof *search.other);
    search.hashes = lmi_arena_alloc(arena, plan->num_frames, sizeof *search.hashes);
    search.index.slots =
        lmi_arena_alloc(arena, lmi_index_slots(plan->num_frames), sizeof *search.index.slots);
    lmi_welding_alloc(&search.welding, arena, most);
    if (lmi_arena_failed(arena) || !search_meshes(&search, plan, arena))
        return false;
    /* Group meshes whose poses change at the same frames; they share weights. */
    size_t size = plan->num_frames * sizeof *plan->poses;
    for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++) {
        uint32_t group = 0;
        while (group < mesh &&
               (plan->groups[group] != group ||
                memcmp(lmi_gltf_poses(plan, group), lmi_gltf_poses(plan, mesh), size) != 0))
            group++;
        plan->groups[mesh] = group;
    }
    /* Find for each frame the first with equal poses of all meshes. */
    lm_index *index = &search.index;
    lmi_index_clear(index, plan->num_frames);
    for (uint32_t frame = 0; frame < plan->num_frames; frame++) {
        uint64_t hash = 0;
        for (uint32_t mesh = 0; mesh < plan->num_meshes; mesh++)
            hash = lmi_hash(hash, lmi_gltf_poses(plan, mesh)[frame]);
        plan->model_poses[frame] = lmi_index_find(index, hash, frame, same_pose, plan);
        plan->shared_frames += plan->model_poses[frame] != frame && plan->num_meshes > 0;
    }
    return true;
}

/* ---- Tracks and bundles ---------------------------------------------------------------------- */

static bool new_bundle(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    if (!lmi_arena_grow(&body->g->arena, &plan->bundles, &plan->bundles_capacity,
                        plan->num_bundles + 1, sizeof *plan->bundles))
        return false;
    plan->bundles[plan->num_bundles++].count = 0;
    return true;
}

static lm_gltf_bundle *last_bundle(const lm_gltf_plan *plan) {
    return &plan->bundles[plan->num_bundles - 1];
}

/* Returns true if the last bundle lacks the pose of `frame`. Every bundle has the base's pose. */
static bool is_missing(const lm_gltf_plan *plan, uint32_t frame) {
    uint32_t pose = plan->model_poses[frame];
    return pose != plan->model_poses[plan->base] && plan->in_bundle[pose] != plan->num_bundles;
}

static void add_frame(lm_gltf_plan *plan, uint32_t frame) {
    lm_gltf_bundle *bundle = last_bundle(plan);
    if (!is_missing(plan, frame))
        return;
    plan->in_bundle[plan->model_poses[frame]] = (uint32_t)plan->num_bundles;
    bundle->frames[bundle->count++] = plan->model_poses[frame];
}

static void add_key(lm_gltf_plan *plan, lm_pose pose) {
    add_frame(plan, pose.frame_a);
    add_frame(plan, pose.frame_b);
}

/* Counts the targets that the last bundle would need for keys of a track. */
static uint32_t count_missing(lm_gltf_plan *plan, const lm_gltf_track *track, uint32_t key,
                              uint32_t end) {
    uint32_t missing = 0;
    plan->count_serial++;
    for (; key < end; key++) {
        lm_pose pose = lmi_gltf_key_pose(track, key);
        const uint32_t frames[] = {pose.frame_a, pose.frame_b};
        for (unsigned i = 0; i < 2; i++) {
            uint32_t *counted = &plan->counted[plan->model_poses[frames[i]]];
            missing += is_missing(plan, frames[i]) && *counted != plan->count_serial;
            *counted = plan->count_serial;
        }
    }
    return missing;
}

static bool add_segment(lm_gltf_body *body, uint32_t first_key, uint32_t end_key) {
    lm_gltf_plan *plan = &body->plan;
    if (!lmi_arena_grow(&body->g->arena, &plan->segments, &plan->segments_capacity,
                        plan->num_segments + 1, sizeof *plan->segments))
        return false;
    plan->segments[plan->num_segments++] =
        (lm_gltf_segment){(uint32_t)plan->num_bundles - 1, first_key, end_key - first_key};
    return true;
}

/* Puts a track into the last bundle if it fits there, else into a new one, else into several, one
 * after the other in time. Consecutive bundles share a frame. */
static bool plan_track(lm_gltf_body *body, const lm_gltf_track *track) {
    lm_gltf_plan *plan = &body->plan;
    uint32_t size = last_bundle(plan)->count, first_key = 0;
    if (size > 0 && size + count_missing(plan, track, 0, track->num_keys) > LM_MAX_TARGETS &&
        !new_bundle(body))
        return false;
    for (uint32_t key = 0; key < track->num_keys; key++) {
        size = last_bundle(plan)->count;
        if (size + count_missing(plan, track, key, key + 1) > LM_MAX_TARGETS) {
            if (!add_segment(body, first_key, key + 1) || !new_bundle(body))
                return false;
            first_key = key - 1;
            add_key(plan, lmi_gltf_key_pose(track, first_key));
        }
        add_key(plan, lmi_gltf_key_pose(track, key));
    }
    return add_segment(body, first_key, track->num_keys);
}

/* Adds frames that no animation shows as targets. */
static bool plan_leftovers(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    for (uint32_t frame = 0; frame < plan->num_frames; frame++) {
        if (plan->model_poses[frame] != frame || plan->in_bundle[frame] != 0 ||
            !is_missing(plan, frame))
            continue;
        if (last_bundle(plan)->count == LM_MAX_TARGETS && !new_bundle(body))
            return false;
        add_frame(plan, frame);
    }
    return true;
}

static int compare_frames(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool plan_bundles(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    if (!new_bundle(body))
        return false;
    for (uint32_t i = 0; i < body->g->num_tracks; i++) {
        lm_gltf_track *track = &body->tracks[i];
        track->first_segment = plan->num_segments;
        if (track->num_keys > 0 &&
            !(body->skeleton ? add_segment(body, 0, track->num_keys) : plan_track(body, track)))
            return false;
        track->num_segments = plan->num_segments - track->first_segment;
    }
    if (body->has_frames && !body->skeleton && !plan_leftovers(body))
        return false;
    for (size_t i = 0; i < plan->num_bundles; i++)
        qsort(plan->bundles[i].frames, plan->bundles[i].count, sizeof(uint32_t), compare_frames);
    return true;
}

bool lmi_gltf_make_plan(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    lm_arena *arena = &body->g->arena;
    const uint32_t most = body->job.model->num_surfaces;
    const bool moves = body->g->num_tracks > 0 && body->tracks[0].num_keys > 0;
    size_t row = (plan->num_frames = body->job.count) * sizeof(uint32_t);
    /* The pose of the model at rest is the start of the first animation. */
    plan->base = moves ? lmi_gltf_key_pose(&body->tracks[0], 0).frame_a : 0;
    plan->surfaces = lmi_arena_alloc(arena, most, sizeof *plan->surfaces);
    plan->triangles = lmi_arena_alloc(arena, most, sizeof *plan->triangles);
    plan->groups = lmi_arena_alloc(arena, most, sizeof *plan->groups);
    plan->welds = lmi_arena_alloc(arena, most, sizeof *plan->welds);
    plan->poses = lmi_arena_alloc(arena, most, row);
    plan->model_poses = lmi_arena_alloc(arena, 1, row);
    plan->in_bundle = lmi_arena_zeros(arena, 1, row);
    plan->counted = lmi_arena_zeros(arena, 1, row);
    return !lmi_arena_failed(arena) && find_poses(body) && plan_bundles(body);
}

lm_gltf_targets lmi_gltf_find_targets(const lm_gltf_plan *plan, uint32_t bundle, uint32_t mesh,
                                      uint8_t *of_pose) {
    const uint32_t *poses = lmi_gltf_poses(plan, mesh);
    lm_gltf_targets targets = {.of_pose = of_pose};
    if (plan->references)
        targets.references = lmi_gltf_references(plan, bundle, plan->groups[mesh]);
    memset(of_pose, 0, plan->num_frames);
    for (uint32_t i = 0; i < plan->bundles[bundle].count; i++) {
        uint32_t frame = plan->bundles[bundle].frames[i];
        if (poses[frame] == poses[plan->base] || of_pose[poses[frame]] != 0)
            continue;
        targets.frames[targets.count++] = frame;
        of_pose[poses[frame]] = (uint8_t)targets.count;
    }
    return targets;
}
