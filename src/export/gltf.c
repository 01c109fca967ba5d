#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"

#include <stdio.h>
#include <string.h>

/* glTF 2.0, 4.4: a header of 12 bytes, then chunks of a header of 8 bytes each. */
#define GLB_MAGIC 0x46546C67u
#define GLB_VERSION 2u
#define GLB_HEADER 12u
#define GLB_CHUNK_HEADER 8u
#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN 0x004E4942u

/* ---- Setting up and clearing away -------------------------------------------------------------
 */

static lm_json open_array(lm_buffer *text) {
    lm_json json = {.out = text};
    lm_json_open(&json, NULL, '[');
    return json;
}

static void open_texts(lm_gltf *g) {
    g->accessors = open_array(&g->texts[LM_TEXT_ACCESSORS]);
    g->meshes = open_array(&g->texts[LM_TEXT_MESHES]);
    g->nodes = open_array(&g->texts[LM_TEXT_NODES]);
    g->materials = open_array(&g->texts[LM_TEXT_MATERIALS]);
    g->textures = open_array(&g->texts[LM_TEXT_TEXTURES]);
    g->images = open_array(&g->texts[LM_TEXT_IMAGES]);
    g->variants = open_array(&g->texts[LM_TEXT_VARIANTS]);
    g->animations = open_array(&g->texts[LM_TEXT_ANIMATIONS]);
}

static void start(lm_gltf *g, lm_buffer *out, lm_buffer *bin) {
    lm_heap_init(&g->heap, &(lm_memory){.allocator = out->allocator, .max_bytes = SIZE_MAX}, 0);
    for (unsigned i = 0; i < LM_NUM_TEXTS; i++)
        g->texts[i].allocator = out->allocator;
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++) {
        g->streams[i].allocator = out->allocator;
        g->views[i] = LM_NO_INDEX;
    }
    open_texts(g);
    g->node_names.heap = g->material_names.heap = &g->heap;
    g->clip_names.heap = g->variant_names.heap = &g->heap;
    g->direct = g->options->glb ? out : bin;
    g->direct_start = g->direct->size;
    uint64_t allowed = g->direct->max_size ? g->direct->max_size : SIZE_MAX / 2;
    g->room = allowed > g->direct->size ? allowed - g->direct->size : 0;
    g->room = g->room < UINT32_MAX ? g->room : UINT32_MAX;
}

static uint32_t num_skins(const lm_gltf_body *body) {
    return body->part->num_skins ? body->part->num_skins : 1;
}

static void clear_body(lm_gltf *g) {
    lm_gltf_body *body = g->body;
    const lm_gltf_plan *plan = &body->plan;
    lm_heap_free(&g->heap, body->frame_names, plan->num_frames * sizeof *body->frame_names);
    lm_heap_free(&g->heap, body->slots, plan->num_frames);
    lm_heap_free(&g->heap, body->mesh_materials,
                 (size_t)plan->num_meshes * num_skins(body) * sizeof *body->mesh_materials);
    lm_heap_free(&g->heap, body->variants, num_skins(body) * sizeof *body->variants);
    lm_heap_free(&g->heap, body->tag_uses, body->job.model->num_tags);
    lm_heap_free(&g->heap, body->tracks, g->max_animations * sizeof *body->tracks);
    lm_names_free(&body->frame_name_set);
    lm_gltf_free_plan(g);
}

static void clear(lm_gltf *g) {
    for (uint32_t i = 0; g->bodies && i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        clear_body(g);
    }
    lm_heap_free(&g->heap, g->bodies, g->scene->num_parts * sizeof *g->bodies);
    lm_heap_free(&g->heap, g->track_names, g->max_animations * sizeof *g->track_names);
    lm_heap_free(&g->heap, g->variant_texts, g->max_variants * sizeof *g->variant_texts);
    lm_heap_free(&g->heap, g->image_places, g->scene->num_textures * sizeof *g->image_places);
    lm_names_free(&g->node_names);
    lm_names_free(&g->material_names);
    lm_names_free(&g->clip_names);
    lm_names_free(&g->variant_names);
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++)
        lm_buffer_free(&g->streams[i]);
    for (unsigned i = 0; i < LM_NUM_TEXTS; i++)
        lm_buffer_free(&g->texts[i]);
}

/* ---- Bodies -----------------------------------------------------------------------------------
 */

/* Where a body's nodes go: to its tag, or to where those of its parent are. */
static void find_holder(lm_gltf *g, lm_gltf_body *body) {
    const lm_scene_part *part = body->part;
    body->holder = part->parent;
    if (part->parent < 0)
        return;
    const lm_gltf_body *parent = &g->bodies[part->parent];
    if (part->tag) {
        body->tag = lm_find_tag(parent->part->model, part->tag);
    } else {
        body->holder = parent->holder;
        body->tag = parent->tag;
    }
}

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

/* The frames and the pose of a body that follows another. */
static void follow(const lm_gltf *g, lm_gltf_body *body) {
    const lm_export *parent = &g->bodies[body->part->parent].job;
    lm_export *job = &body->job;
    uint32_t last = job->model->num_frames - 1;
    job->num_clips = 0;
    if (job->still) {
        job->pose = parent->pose;
        job->pose.frame_a = at_most(job->pose.frame_a, last);
        job->pose.frame_b = at_most(job->pose.frame_b, last);
    } else {
        job->first = at_most(parent->first, last);
        job->count = at_most(parent->count, last - job->first + 1);
    }
}

/* The frame that a part stands on while the others play. */
static uint32_t first_of(const lm_clip *idle) {
    lm_pose pose = {0};
    if (idle)
        lm_clip_pose(idle, 0, LM_PLAY_AS_CLIP, false, &pose);
    return pose.frame_a;
}

static bool resolve_body(lm_gltf *g, uint32_t index) {
    static const lm_export defaults = {.axes = LM_AXES_GLTF, .scale = LM_METRES_PER_UNIT};
    lm_gltf_body *body = &g->bodies[index];
    const lm_scene_part *part = body->part = &g->scene->parts[index];
    lm_export_options options = g->options->common;
    bool own_clips = part->clips && (index > 0 || options.num_clips == 0);
    body->has_frames = index == 0 || options.num_frames == 0;
    if (index > 0 || !options.name)
        options.name = part->name;
    if (index > 0) {
        options.num_clips = options.first_frame = options.num_frames = 0;
        options.frame = first_of(part->idle);
    }
    body->frame_name_set.heap = &g->heap;
    if (!lm_export_resolve(part->model, &options, &defaults, &body->job, g->error))
        return false;
    if (own_clips && !body->job.still) {
        body->job.clips = part->clips;
        body->job.num_clips = part->num_clips;
    }
    if (part->follows)
        follow(g, body);
    find_holder(g, body);
    return true;
}

static bool make_bodies(lm_gltf *g) {
    const lm_scene *scene = g->scene;
    g->bodies = lm_heap_alloc(&g->heap, scene->num_parts, sizeof *g->bodies);
    if (!g->bodies)
        return false;
    memset(g->bodies, 0, scene->num_parts * sizeof *g->bodies);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        g->bodies[i].part = &scene->parts[i];
        g->bodies[i].job.model = scene->parts[i].model;
        g->max_variants += num_skins(&g->bodies[i]);
    }
    g->variant_texts = lm_heap_alloc(&g->heap, g->max_variants, sizeof *g->variant_texts);
    g->image_places = lm_heap_alloc(&g->heap, scene->num_textures, sizeof *g->image_places);
    if (!g->variant_texts || !g->image_places)
        return false;
    for (uint32_t i = 0; i < scene->num_textures; i++)
        g->image_places[i] = (struct lm_gltf_image){.texture = LM_NO_INDEX, .view = LM_NO_INDEX};
    for (uint32_t i = 0; i < scene->num_parts; i++)
        if (!resolve_body(g, i))
            return false;
    return true;
}

static bool alloc_tables(lm_gltf *g) {
    lm_gltf_body *body = g->body;
    const lm_gltf_plan *plan = &body->plan;
    uint64_t num_materials = (uint64_t)plan->num_meshes * num_skins(body);
    body->slots = lm_heap_alloc(&g->heap, plan->num_frames, 1);
    body->mesh_materials = lm_heap_alloc(&g->heap, num_materials, sizeof *body->mesh_materials);
    body->variants = lm_heap_alloc(&g->heap, num_skins(body), sizeof *body->variants);
    body->tag_uses = lm_heap_alloc(&g->heap, body->job.model->num_tags, 1);
    body->frame_names = lm_heap_alloc(&g->heap, plan->num_frames, sizeof *body->frame_names);
    return body->slots && body->mesh_materials && body->variants && body->tag_uses &&
           body->frame_names;
}

static bool name_frames(lm_gltf *g) {
    lm_gltf_body *body = g->body;
    char numbered[24];
    for (uint32_t i = 0; i < body->plan.num_frames; i++) {
        uint32_t frame = lm_export_pose(&body->job, i).frame_a;
        const char *name = body->job.model->frames[frame].name;
        snprintf(numbered, sizeof numbered, "frame %u", (unsigned)frame);
        body->frame_names[i] = lm_names_add(&body->frame_name_set, name[0] ? name : numbered);
        if (!body->frame_names[i])
            return false;
    }
    return true;
}

/* How much the vertices alone of a body take that is not quantised. */
static uint64_t least_size(const lm_gltf_body *body) {
    const lm_gltf_plan *plan = &body->plan;
    uint64_t need = 0;
    for (uint32_t mesh = 0; mesh < plan->num_meshes && !body->quantized; mesh++) {
        const uint32_t *poses = plan->poses + (size_t)mesh * plan->num_frames;
        uint64_t size = 24 * (uint64_t)body->job.model->surfaces[plan->surfaces[mesh]].num_vertices;
        for (uint32_t frame = 0; frame < plan->num_frames; frame++)
            need += poses[frame] == frame ? size : 0;
    }
    return need;
}

/* Plans all bodies. Refuses before it starts what cannot fit. */
static bool plan_bodies(lm_gltf *g) {
    uint64_t need = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        if (!lm_gltf_make_plan(g) || !alloc_tables(g) || !name_frames(g))
            return false;
        lm_gltf_choose_grid(g);
        need += g->body->has_frames ? least_size(g->body) : 0;
        if (!lm_gltf_look_at_tags(g))
            return false;
    }
    g->out_of_room = need > g->room;
    return !g->out_of_room;
}

/* ---- The document -----------------------------------------------------------------------------
 */

static bool is_quantized(const lm_gltf *g) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        if (g->bodies[i].quantized)
            return true;
    return false;
}

static void write_extensions(const lm_gltf *g, lm_json *json) {
    bool quantized = is_quantized(g);
    if (quantized || g->num_variants > 0) {
        lm_json_open(json, "extensionsUsed", '[');
        if (quantized)
            lm_json_string(json, NULL, "KHR_mesh_quantization");
        if (g->num_variants > 0)
            lm_json_string(json, NULL, "KHR_materials_variants");
        lm_json_close(json);
    }
    if (quantized) {
        lm_json_open(json, "extensionsRequired", '[');
        lm_json_string(json, NULL, "KHR_mesh_quantization");
        lm_json_close(json);
    }
}

static void write_asset(const lm_gltf *g, lm_json *json) {
    char generator[48];
    snprintf(generator, sizeof generator, "lerpmesh %s", lm_version());
    lm_json_open(json, "asset", '{');
    lm_json_string(json, "version", "2.0");
    lm_json_string(json, "generator", g->options->generator ? g->options->generator : generator);
    lm_json_close(json);
    write_extensions(g, json);
}

/* The nodes without a parent, and the names of all frames of the first model: targets have those of
 * distinct ones. */
static void write_scene(const lm_gltf *g, lm_json *json) {
    const lm_export *job = &g->bodies[0].job;
    lm_json_integer(json, "scene", 0);
    lm_json_open(json, "scenes", '[');
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", job->name);
    lm_gltf_write_held(g, json, "nodes", -1, LM_NO_TAG);
    lm_json_open(json, "extras", '{');
    lm_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < job->count; i++)
        lm_json_string(json, NULL, job->model->frames[lm_export_pose(job, i).frame_a].name);
    for (unsigned i = 0; i < 4; i++)
        lm_json_close(json);
}

static void write_array(lm_json *json, const char *key, lm_json *array, uint32_t count) {
    lm_json_close(array);
    if (count > 0)
        lm_json_raw(json, key, array->out->data, array->out->size);
}

/* The arrays of textures, and the variants. */
static void write_textures(lm_gltf *g, lm_json *json) {
    write_array(json, "textures", &g->textures, g->num_textures);
    write_array(json, "images", &g->images, g->num_textures);
    if (g->num_textures > 0)
        lm_gltf_write_samplers(json);
    if (g->num_variants == 0)
        return;
    lm_json_open(json, "extensions", '{');
    lm_json_open(json, "KHR_materials_variants", '{');
    write_array(json, "variants", &g->variants, g->num_variants);
    lm_json_close(json);
    lm_json_close(json);
}

static bool write_buffers(lm_gltf *g, lm_json *json, size_t *bin_size) {
    lm_json_open(json, "bufferViews", '[');
    if (!lm_gltf_finish_data(g, json, bin_size))
        return false;
    lm_json_close(json);
    lm_json_open(json, "buffers", '[');
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "byteLength", (int64_t)*bin_size);
    if (!g->options->glb && !lm_gltf_write_uri(g, json, g->options->bin_uri))
        return false;
    lm_json_close(json);
    lm_json_close(json);
    return true;
}

static bool write_document(lm_gltf *g, lm_buffer *text, size_t *bin_size) {
    lm_json json = {.out = text};
    lm_json_open(&json, NULL, '{');
    write_asset(g, &json);
    write_scene(g, &json);
    write_array(&json, "nodes", &g->nodes, g->num_nodes);
    write_array(&json, "meshes", &g->meshes, g->num_meshes);
    write_array(&json, "materials", &g->materials, g->num_materials);
    write_textures(g, &json);
    write_array(&json, "animations", &g->animations, g->num_animations);
    write_array(&json, "accessors", &g->accessors, g->num_accessors);
    if (g->num_views > 0 && !write_buffers(g, &json, bin_size))
        return false;
    lm_json_close(&json);
    return !text->failed;
}

/* ---- Files ------------------------------------------------------------------------------------
 */

static bool fits(lm_gltf *g, const lm_buffer *buffer, uint64_t size) {
    uint64_t allowed = buffer->max_size ? buffer->max_size : SIZE_MAX / 2;
    g->out_of_room = buffer->size > allowed || size > allowed - buffer->size;
    return !g->out_of_room;
}

static void put_chunk(uint8_t *out, size_t size, uint32_t type) {
    lm_put_u32(out, (uint32_t)size);
    lm_put_u32(out + 4, type);
}

/* Moves the binary data, which is in `out` already, behind the document. */
static bool finish_glb(lm_gltf *g, const lm_buffer *text, size_t bin_size, lm_buffer *out) {
    size_t json_size = (text->size + 3) & ~(size_t)3;
    size_t bin_header = bin_size ? GLB_CHUNK_HEADER : 0;
    size_t front = GLB_HEADER + GLB_CHUNK_HEADER + json_size + bin_header;
    g->out_of_room = json_size > UINT32_MAX || front > UINT32_MAX - bin_size;
    if (g->out_of_room || !fits(g, out, front) || !lm_buffer_reserve(out, front))
        return false;
    uint8_t *start_of_file = out->data + g->direct_start;
    memmove(start_of_file + front, start_of_file, bin_size);
    lm_put_u32(start_of_file, GLB_MAGIC);
    lm_put_u32(start_of_file + 4, GLB_VERSION);
    lm_put_u32(start_of_file + 8, (uint32_t)(front + bin_size));
    uint8_t *json = start_of_file + GLB_HEADER;
    put_chunk(json, json_size, GLB_CHUNK_JSON);
    memset(json + GLB_CHUNK_HEADER, ' ', json_size);
    memcpy(json + GLB_CHUNK_HEADER, text->data, text->size);
    if (bin_size)
        put_chunk(json + GLB_CHUNK_HEADER + json_size, bin_size, GLB_CHUNK_BIN);
    return true;
}

static bool finish_files(lm_gltf *g, lm_buffer *out) {
    lm_buffer text = {.allocator = out->allocator};
    size_t bin_size = 0;
    bool ok = write_document(g, &text, &bin_size);
    if (ok && g->options->glb) {
        ok = finish_glb(g, &text, bin_size, out);
    } else if (ok && fits(g, out, text.size)) {
        lm_buffer_append(out, text.data, text.size);
        ok = !out->failed;
    }
    lm_buffer_free(&text);
    return ok && !g->out_of_room;
}

/* ---- All of it --------------------------------------------------------------------------------
 */

static bool any_text_failed(const lm_gltf *g) {
    bool failed = false;
    for (unsigned i = 0; i < LM_NUM_TEXTS; i++)
        failed |= g->texts[i].failed;
    return failed;
}

static bool write_all(lm_gltf *g, lm_buffer *out) {
    if (!make_bodies(g) || !lm_gltf_make_tracks(g) || !plan_bodies(g))
        return false;
    lm_gltf_number_nodes(g);
    return lm_gltf_write_meshes(g) && lm_gltf_write_nodes(g) && lm_gltf_write_animations(g) &&
           !any_text_failed(g) && finish_files(g, out);
}

static void fill_result(const lm_gltf *g, lm_gltf_result *result) {
    if (!result)
        return;
    *result = (lm_gltf_result){.num_meshes = g->num_meshes,
                               .num_targets = g->num_targets,
                               .num_animations = g->num_animations,
                               .num_textures = g->num_textures,
                               .num_variants = g->num_variants,
                               .num_sheared_tags = g->num_sheared};
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_plan *plan = &g->bodies[i].plan;
        result->shared_frames += plan->shared_frames;
        if (plan->num_parts > result->num_parts)
            result->num_parts = (uint32_t)plan->num_parts;
    }
}

/* Why writing stopped, where nobody has said so yet. */
static void explain(lm_gltf *g) {
    if (g->out_of_room)
        lm_fail_plain(g->error, LM_CODE_LIMIT, "the glTF would be larger than %zu bytes",
                      g->direct->max_size ? g->direct->max_size : (size_t)UINT32_MAX);
    else if (g->error->code == LM_CODE_OK)
        lm_fail_plain(g->error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing glTF");
}

/* Textures must be files, and beside a .gltf they need names. */
static bool check_options(const lm_scene *scene, const lm_gltf_options *options,
                          const lm_buffer *bin, lm_error *error) {
    for (uint32_t i = 0; i < scene->num_textures; i++)
        if (!scene->textures[i].mime)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "texture %u is neither PNG nor JPEG, but pixels only",
                                 (unsigned)i);
    if (options->glb)
        return true;
    if (!bin || !options->bin_uri)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "a .gltf needs a buffer and a name for its .bin");
    for (uint32_t i = 0; i < scene->num_textures; i++)
        if (!scene->textures[i].uri)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "a .gltf needs a name for the file of texture %u", (unsigned)i);
    return true;
}

bool lm_gltf_write_scene(const lm_scene *scene, const lm_gltf_options *options, lm_buffer *out,
                         lm_buffer *bin, lm_gltf_result *result, lm_error *error) {
    static const lm_gltf_options no_options = {.glb = true};
    lm_error reason = {.code = LM_CODE_OK};
    lm_gltf g = {.scene = scene, .options = options ? options : &no_options, .error = &reason};
    if (!lm_scene_check(scene, error) || !check_options(scene, g.options, bin, error))
        return false;
    start(&g, out, bin);
    size_t out_start = out->size;
    bool ok = write_all(&g, out);
    if (ok) {
        fill_result(&g, result);
    } else {
        explain(&g);
        if (error)
            *error = reason;
        g.direct->size = g.direct_start;
        out->size = out_start;
    }
    clear(&g);
    return ok;
}

bool lm_gltf_write(const lm_model *model, const lm_gltf_options *options, lm_buffer *out,
                   lm_buffer *bin, lm_gltf_result *result, lm_error *error) {
    const lm_scene_part part = {.model = model, .parent = -1};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    return lm_gltf_write_scene(&scene, options, out, bin, result, error);
}
