#include "export/gltf.h"

#include "core/bytes.h"
#include "core/options.h"
#include "scene/check.h"

#include <stdio.h>
#include <string.h>

/* glTF 2.0, 4.4: a header of 12 bytes, then chunks of a header of 8 bytes each. */
#define GLB_MAGIC 0x46546C67u
#define GLB_VERSION 2u
#define GLB_HEADER 12u
#define GLB_CHUNK_HEADER 8u
#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN 0x004E4942u

/* ---- Setup and cleanup ---------------------------------------------------------------------- */

bool lmi_gltf_start(lm_gltf *g, lm_buffer *out, lm_buffer *bin) {
    g->arena.heap = &g->heap;
    for (unsigned i = 0; i < LM_NUM_LISTS; i++) {
        g->lists[i].text.allocator = out->allocator;
        lmi_gltf_start_list(&g->lists[i]);
    }
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++)
        g->streams[i].allocator = out->allocator;
    g->node_names.arena = g->material_names.arena = &g->arena;
    g->clip_names.arena = g->variant_names.arena = g->variant_keys.arena = &g->arena;
    g->index_size = 2;
    g->direct = g->options->bin_uri ? bin : out;
    g->direct_start = g->direct->size;
    uint64_t allowed = g->direct->max_size ? g->direct->max_size : SIZE_MAX / 2;
    g->room = allowed > g->direct->size ? allowed - g->direct->size : 0;
    g->room = g->room < UINT32_MAX ? g->room : UINT32_MAX;
    const uint32_t num_textures = g->scene->num_textures;
    const uint64_t num_views = (uint64_t)LM_NUM_STREAMS + num_textures;
    g->file_images = lmi_arena_zeros(&g->arena, num_textures, sizeof *g->file_images);
    g->file_textures = lmi_arena_zeros(&g->arena, num_textures, sizeof *g->file_textures);
    g->views = lmi_arena_alloc(&g->arena, num_views, sizeof *g->views);
    return !lmi_arena_failed(&g->arena);
}

void lmi_gltf_clear(lm_gltf *g) {
    lmi_arena_free(&g->arena);
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++)
        lm_buffer_free(&g->streams[i]);
    for (unsigned i = 0; i < LM_NUM_LISTS; i++)
        lm_buffer_free(&g->lists[i].text);
}

/* ---- Bodies -------------------------------------------------------------------------------- */

/* Sets the frames and the pose of a body that follows another. */
static void follow(const lm_export *parent, lm_export *job) {
    uint32_t last = job->model->num_frames - 1;
    job->num_clips = 0;
    if (job->still) {
        job->pose = parent->pose;
        job->pose.frame_a = lmi_least(job->pose.frame_a, last);
        job->pose.frame_b = lmi_least(job->pose.frame_b, last);
    } else {
        job->first = lmi_least(parent->first, last);
        job->count = lmi_least(parent->count, last - job->first + 1);
    }
}

/* Finds the parent of a body's nodes: its tag, or else the parent of its parent's nodes. */
static void find_holder(lm_gltf_body *body) {
    const lm_scene_part *part = body->part;
    body->holder = (int32_t)lmi_scene_parent(body->g->scene, (uint32_t)(body - body->g->bodies));
    if (body->holder < 0)
        return;
    const lm_gltf_body *parent = &body->g->bodies[part->parent];
    if (part->tag) {
        body->tag = lm_model_find_tag(parent->part->model, part->tag);
    } else {
        body->holder = parent->holder;
        body->tag = parent->tag;
    }
}

static bool resolve_body(lm_gltf_body *body, bool first) {
    const lm_scene_part *part = body->part;
    lm_export_options options = body->g->options->common;
    bool own_clips = part->clips && (!first || options.num_clips == 0);
    body->has_frames = first || options.num_frames == 0;
    if (!first || !options.name)
        options.name = part->name;
    if (!first) {
        lm_pose pose = {0}; /* that it shows while other parts play */
        options.mesh = NULL;
        if (part->idle)
            lm_clip_pose(part->idle, 0, LM_PLAY_AS_CLIP, false, &pose);
        options.num_clips = options.first_frame = options.num_frames = 0;
        options.frame = pose.frame_a;
    }
    body->job =
        (lm_export){.call = &body->g->heap.call, .axes = LM_AXES_GLTF, .scale = LM_METRES_PER_UNIT};
    if (!lmi_export_resolve(part->model, &options, &body->g->arena, &body->job))
        return false;
    if (own_clips && !body->job.still) {
        body->job.clips = part->clips;
        body->job.num_clips = part->num_clips;
    }
    if (part->follows)
        follow(&body->g->bodies[part->parent].job, &body->job);
    find_holder(body);
    return true;
}

static bool make_bodies(lm_gltf *g) {
    const lm_scene *scene = g->scene;
    g->bodies = lmi_arena_zeros(&g->arena, scene->num_parts, sizeof *g->bodies);
    if (!g->bodies)
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        body->g = g;
        body->part = &scene->parts[i];
        body->num_skins = body->part->num_skins ? body->part->num_skins : 1;
        if (!resolve_body(body, i == 0) || !lmi_gltf_take_skeleton(body))
            return false;
    }
    return true;
}

static bool alloc_tables(lm_gltf_body *body) {
    lm_arena *arena = &body->g->arena;
    uint32_t num_frames = body->job.count;
    uint64_t num_materials = (uint64_t)body->plan.num_meshes * body->num_skins;
    body->of_pose = lmi_arena_alloc(arena, num_frames, 1);
    body->mesh_materials = lmi_arena_alloc(arena, num_materials, sizeof *body->mesh_materials);
    body->variants = lmi_arena_alloc(arena, body->num_skins, sizeof *body->variants);
    body->tag_uses = lmi_arena_zeros(arena, body->job.model->num_tags, 1);
    body->tag_nodes = lmi_arena_alloc(arena, body->job.model->num_tags, sizeof *body->tag_nodes);
    body->frame_names = lmi_arena_alloc(arena, num_frames, sizeof *body->frame_names);
    return !lmi_arena_failed(arena);
}

static bool name_frames(lm_gltf_body *body) {
    lm_names names = {.arena = &body->g->arena};
    char numbered[24];
    for (uint32_t i = 0; i < body->plan.num_frames; i++) {
        uint32_t frame = lmi_export_pose(&body->job, i).frame_a;
        const char *name = body->job.model->frames[frame].name;
        snprintf(numbered, sizeof numbered, "frame %u", (unsigned)frame);
        body->frame_names[i] = lmi_gltf_name(&names, name[0] ? name : numbered);
    }
    return !lmi_arena_failed(names.arena);
}

/* Returns the size of a body's vertices alone; 0 if it is quantised. */
static uint64_t least_size(const lm_gltf_body *body) {
    const lm_gltf_plan *plan = &body->plan;
    uint64_t need = 0;
    for (uint32_t mesh = 0; mesh < plan->num_meshes && !body->quantized && !body->skeleton;
         mesh++) {
        const uint32_t *poses = lmi_gltf_poses(plan, mesh);
        uint64_t size = 24 * (uint64_t)plan->welds[mesh].count;
        for (uint32_t frame = 0; frame < plan->num_frames; frame++)
            need += poses[frame] == frame ? size : 0;
    }
    return need;
}

/* Plans all bodies. Fails early if the file cannot fit. */
static bool plan_bodies(lm_gltf *g) {
    uint64_t need = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        if (!lmi_gltf_make_plan(body) || !alloc_tables(body) || !name_frames(body))
            return false;
        if (!lmi_gltf_hang_tags(body))
            return false;
        if (!body->skeleton)
            lmi_gltf_choose_grid(body);
        if (g->options->packer && body->quantized && !lmi_gltf_make_steps(body))
            return false;
        need += body->has_frames ? least_size(body) : 0;
        if (!lmi_gltf_inspect_tags(body))
            return false;
    }
    return need <= g->room || lmi_gltf_too_large(g);
}

/* ---- The document -------------------------------------------------------------------------- */

static void write_asset(const lm_gltf *g, lm_json *json) {
    char generator[48];
    snprintf(generator, sizeof generator, "lerpmesh %s", lm_version());
    lmi_json_open(json, "asset", '{');
    lmi_json_string(json, "version", "2.0");
    lmi_json_string(json, "generator", g->options->generator ? g->options->generator : generator);
    lmi_json_close(json);
    bool quantized = false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        quantized = quantized || g->bodies[i].quantized;
    const char *used[6];
    unsigned count = 0;
    if (quantized)
        used[count++] = "KHR_mesh_quantization";
    if (g->options->packer && g->accessors.count > 0)
        used[count++] = "EXT_meshopt_compression";
    const unsigned required = count;
    if (g->variants.count > 0)
        used[count++] = "KHR_materials_variants";
    if (g->uses_transform)
        used[count++] = "KHR_texture_transform";
    if (g->options->unlit && g->materials.count > 0)
        used[count++] = "KHR_materials_unlit";
    if (g->uses_specular)
        used[count++] = "KHR_materials_specular";
    lmi_gltf_write_names(json, "extensionsUsed", used, count);
    lmi_gltf_write_names(json, "extensionsRequired", used, required);
}

static bool write_document(lm_gltf *g, lm_buffer *text, size_t *bin_size) {
    /* The lists of struct lm_gltf, in their order. */
    static const char *const keys[] = {"scenes",    "nodes",      "meshes",   "skins",
                                       "materials", "textures",   "images",   "samplers",
                                       NULL,        "animations", "accessors"};
    lm_json json = {.out = text};
    lmi_json_open(&json, NULL, '{');
    write_asset(g, &json);
    lmi_json_integer(&json, "scene", 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i]) {
            lmi_gltf_write_list(&json, keys[i], &g->lists[i]);
        } else if (g->variants.count > 0) {
            lmi_json_open(&json, "extensions", '{');
            lmi_json_open(&json, "KHR_materials_variants", '{');
            lmi_gltf_write_list(&json, "variants", &g->variants);
            lmi_json_close(&json);
            lmi_json_close(&json);
        }
    }
    if (g->num_views > 0 && !lmi_gltf_write_buffers(g, &json, bin_size))
        return false;
    lmi_json_close(&json);
    return !text->failed;
}

/* ---- Files --------------------------------------------------------------------------------- */

static uint8_t *put_chunk(uint8_t *out, size_t size, uint32_t type) {
    lmi_put_u32(out, (uint32_t)size);
    lmi_put_u32(out + 4, type);
    return out + GLB_CHUNK_HEADER;
}

/* Moves the binary data, which is in `out` already, after the document. */
static bool finish_glb(lm_gltf *g, const lm_buffer *text, size_t bin_size, lm_buffer *out) {
    size_t json_size = (text->size + 3) & ~(size_t)3;
    size_t bin_header = bin_size ? GLB_CHUNK_HEADER : 0;
    size_t front = GLB_HEADER + GLB_CHUNK_HEADER + json_size + bin_header;
    if (json_size > UINT32_MAX || front > UINT32_MAX - bin_size)
        return lmi_gltf_too_large(g);
    if (!lm_buffer_reserve(out, front))
        return false;
    uint8_t *file = out->data + g->direct_start;
    memmove(file + front, file, bin_size);
    lmi_put_u32(file, GLB_MAGIC);
    lmi_put_u32(file + 4, GLB_VERSION);
    lmi_put_u32(file + 8, (uint32_t)(front + bin_size));
    uint8_t *json = put_chunk(file + GLB_HEADER, json_size, GLB_CHUNK_JSON);
    memset(json, ' ', json_size);
    memcpy(json, text->data, text->size);
    if (bin_size)
        put_chunk(json + json_size, bin_size, GLB_CHUNK_BIN);
    return true;
}

bool lmi_gltf_finish_files(lm_gltf *g, lm_buffer *out) {
    lm_buffer text = {.allocator = out->allocator};
    size_t bin_size = 0;
    for (unsigned i = 0; i < LM_NUM_LISTS; i++)
        if (g->lists[i].text.failed)
            return false;
    bool ok = write_document(g, &text, &bin_size);
    if (ok && !g->options->bin_uri)
        ok = finish_glb(g, &text, bin_size, out);
    else if (ok)
        lm_buffer_append(out, text.data, text.size);
    lm_buffer_free(&text);
    return ok && !out->failed;
}

/* ---- Export --------------------------------------------------------------------------------- */

static bool write_all(lm_gltf *g, lm_buffer *out) {
    if (!make_bodies(g) || !lmi_gltf_make_tracks(g) || !plan_bodies(g))
        return false;
    lmi_gltf_number_nodes(g);
    if (!lmi_gltf_name_nodes(g))
        return false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        if (!lmi_gltf_write_meshes(&g->bodies[i]) || !lmi_gltf_write_nodes(&g->bodies[i]))
            return false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        if (!lmi_gltf_write_skin(&g->bodies[i]))
            return false;
    if (!lmi_gltf_write_animations(g) || !lmi_gltf_write_root(g))
        return false;
    return lmi_gltf_finish_files(g, out);
}

static void fill_result(const lm_gltf *g, lm_gltf_result *result) {
    *result = (lm_gltf_result){.num_meshes = g->meshes.count,
                               .num_targets = g->num_targets,
                               .num_animations = g->animations.count,
                               .num_textures = g->textures.count,
                               .num_variants = g->variants.count,
                               .num_sheared_tags = g->num_sheared,
                               .num_dropped = g->num_dropped,
                               .num_leftovers = g->num_leftovers};
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_plan *plan = &g->bodies[i].plan;
        result->shared_frames += plan->shared_frames;
        result->num_joints += g->bodies[i].skeleton ? g->bodies[i].skeleton->num_joints : 0;
        if (plan->num_bundles > result->num_bundles)
            result->num_bundles = (uint32_t)plan->num_bundles;
    }
}

bool lmi_gltf_check_images(const lm_scene *scene, lm_error *error) {
    for (uint32_t i = 0; i < scene->num_textures; i++)
        if (!scene->textures[i].mime)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "texture %u has only pixels; glTF needs a PNG or JPEG file",
                                 (unsigned)i);
    return true;
}

/* Checks that textures are image files. For a .gltf, they also need names, and the .bin needs a
 * buffer. */
static bool check_options(lm_gltf *g, const lm_buffer *bin) {
    static const lm_option_member table[] = {LM_MEMBER(lm_gltf_options, fps, FLOAT, 0),
                                             LM_MEMBER(lm_gltf_options, max_error, DOUBLE, 0),
                                             LM_MEMBER(lm_gltf_options, reserved, RESERVED, 0)};
    lm_call *call = &g->heap.call;
    if (!lmi_call_join(call, lmi_options_valid(g->options, "glTF", table,
                                               sizeof table / sizeof *table, call->error)))
        return false;
    if (!lmi_call_join(call, lmi_gltf_check_images(g->scene, call->error)))
        return false;
    const lm_gltf_packer *packer = g->options->packer;
    if (packer && !lmi_call_join(call, LM_RESERVED_VALID(packer, call->error, "glTF packer")))
        return false;
    if (packer && !(packer->pack_elements && packer->pack_indices))
        return lmi_call_fail(call, LM_CODE_BAD_ARGUMENT,
                             "pack_elements or pack_indices of the packer is NULL");
    if (packer && g->options->quantize)
        return lmi_call_fail(call, LM_CODE_BAD_ARGUMENT,
                             "a glTF is either quantized or compressed, not both");
    if (!g->options->bin_uri)
        return true;
    if (!bin)
        return lmi_call_fail(call, LM_CODE_BAD_ARGUMENT, "a .gltf needs a buffer for its .bin");
    return lmi_export_check_uris(call, g->scene, "a .gltf");
}

bool lm_gltf_write(const lm_scene *scene, const lm_gltf_options *options, lm_buffer *out,
                   lm_buffer *bin, lm_gltf_result *result, lm_error *error) {
    if (!LM_GIVEN(error, scene, out) || !lmi_buffer_valid(out, __func__, error) ||
        !lmi_buffer_valid(bin, __func__, error))
        return false;
    static const lm_gltf_options no_options = {0};
    lm_gltf g = {.scene = scene, .options = options ? options : &no_options};
    lmi_export_begin(&g.heap, out, error);
    if (!lm_scene_check(scene, error) || !check_options(&g, bin))
        return false;
    const bool started = lmi_gltf_start(&g, out, bin);
    const lm_buffer_mark mark = lmi_buffer_begin(out), direct_mark = lmi_buffer_begin(g.direct);
    if (!started || !write_all(&g, out))
        lmi_call_end(&g.heap.call, LM_NO_MEMORY);
    else if (result)
        fill_result(&g, result);
    lmi_export_end(&g.heap, g.direct, direct_mark, "glTF");
    lmi_gltf_clear(&g);
    return lmi_export_end(&g.heap, out, mark, "glTF");
}
