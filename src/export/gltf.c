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

static lm_buffer *const *texts_of(lm_gltf *g, lm_buffer *out[7]) {
    out[0] = &g->accessor_text, out[1] = &g->mesh_text, out[2] = &g->node_text;
    out[3] = &g->material_text, out[4] = &g->animation_text, out[5] = &g->sampler_text;
    out[6] = &g->channel_text;
    return out;
}

static lm_json open_array(lm_buffer *text) {
    lm_json json = {.out = text};
    lm_json_open(&json, NULL, '[');
    return json;
}

static void start(lm_gltf *g, lm_buffer *out, lm_buffer *bin) {
    lm_buffer *texts[7];
    texts_of(g, texts);
    lm_heap_init(&g->heap, &(lm_memory){.allocator = out->allocator, .max_bytes = SIZE_MAX}, 0);
    for (unsigned i = 0; i < 7; i++)
        texts[i]->allocator = out->allocator;
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++) {
        g->streams[i].allocator = out->allocator;
        g->views[i] = LM_NO_INDEX;
    }
    g->accessors = open_array(&g->accessor_text);
    g->meshes = open_array(&g->mesh_text);
    g->nodes = open_array(&g->node_text);
    g->materials = open_array(&g->material_text);
    g->animations = open_array(&g->animation_text);
    g->frame_name_set.heap = g->node_names.heap = &g->heap;
    g->material_names.heap = g->clip_names.heap = &g->heap;
    g->direct = g->options->glb ? out : bin;
    g->direct_start = g->direct->size;
    uint64_t allowed = g->direct->max_size ? g->direct->max_size : SIZE_MAX / 2;
    g->room = allowed > g->direct->size ? allowed - g->direct->size : 0;
    g->room = g->room < UINT32_MAX ? g->room : UINT32_MAX;
}

static void clear(lm_gltf *g) {
    lm_buffer *texts[7];
    texts_of(g, texts);
    const lm_gltf_plan *plan = &g->plan;
    size_t num_meshes = plan->num_parts * plan->num_meshes;
    lm_heap_free(&g->heap, g->frame_names, plan->num_frames * sizeof *g->frame_names);
    lm_heap_free(&g->heap, g->slots, plan->num_frames);
    lm_heap_free(&g->heap, g->mesh_targets, num_meshes * sizeof *g->mesh_targets);
    lm_heap_free(&g->heap, g->mesh_materials, plan->num_meshes * sizeof *g->mesh_materials);
    lm_heap_free(&g->heap, g->tags_move, g->job.model->num_tags * sizeof *g->tags_move);
    lm_names_free(&g->frame_name_set);
    lm_names_free(&g->node_names);
    lm_names_free(&g->material_names);
    lm_names_free(&g->clip_names);
    lm_gltf_free_plan(g);
    for (unsigned i = 0; i < LM_NUM_STREAMS; i++)
        lm_buffer_free(&g->streams[i]);
    for (unsigned i = 0; i < 7; i++)
        lm_buffer_free(texts[i]);
}

static bool alloc_tables(lm_gltf *g) {
    const lm_gltf_plan *plan = &g->plan;
    uint64_t num_meshes = (uint64_t)plan->num_parts * plan->num_meshes;
    g->slots = lm_heap_alloc(&g->heap, plan->num_frames, 1);
    g->mesh_targets = lm_heap_alloc(&g->heap, num_meshes, sizeof *g->mesh_targets);
    g->mesh_materials = lm_heap_alloc(&g->heap, plan->num_meshes, sizeof *g->mesh_materials);
    g->tags_move = lm_heap_alloc(&g->heap, g->job.model->num_tags, sizeof *g->tags_move);
    g->frame_names = lm_heap_alloc(&g->heap, plan->num_frames, sizeof *g->frame_names);
    return g->slots && g->mesh_targets && g->mesh_materials && g->tags_move && g->frame_names;
}

static bool name_frames(lm_gltf *g) {
    char numbered[24];
    for (uint32_t i = 0; i < g->plan.num_frames; i++) {
        uint32_t frame = lm_export_pose(&g->job, i).frame_a;
        const char *name = g->job.model->frames[frame].name;
        snprintf(numbered, sizeof numbered, "frame %u", (unsigned)frame);
        g->frame_names[i] = lm_names_add(&g->frame_name_set, name[0] ? name : numbered);
        if (!g->frame_names[i])
            return false;
    }
    return true;
}

/* Refuses before it starts what cannot fit: the vertices alone of a file that is not quantised. */
static bool has_room(lm_gltf *g) {
    const lm_gltf_plan *plan = &g->plan;
    uint64_t need = 0;
    for (uint32_t mesh = 0; mesh < plan->num_meshes && !g->quantized; mesh++) {
        const uint32_t *poses = plan->poses + (size_t)mesh * plan->num_frames;
        uint64_t size = 24 * (uint64_t)g->job.model->surfaces[plan->surfaces[mesh]].num_vertices;
        for (uint32_t frame = 0; frame < plan->num_frames; frame++)
            need += poses[frame] == frame ? size : 0;
    }
    g->out_of_room = need > g->room;
    return !g->out_of_room;
}

/* ---- Nodes ------------------------------------------------------------------------------------
 */

static void write_vec3(lm_json *json, const char *key, lm_vec3 v) {
    lm_json_open(json, key, '[');
    lm_json_float(json, NULL, v.x);
    lm_json_float(json, NULL, v.y);
    lm_json_float(json, NULL, v.z);
    lm_json_close(json);
}

static bool open_node(lm_gltf *g, const char *wanted) {
    const char *name = lm_names_add(&g->node_names, wanted);
    if (!name)
        return false;
    lm_json_open(&g->nodes, NULL, '{');
    lm_json_string(&g->nodes, "name", name);
    g->num_nodes++;
    return true;
}

static bool write_mesh_node(lm_gltf *g, uint32_t part, uint32_t mesh) {
    const char *name = g->job.model->surfaces[g->plan.surfaces[mesh]].name;
    if (!open_node(g, name[0] ? name : g->job.name))
        return false;
    lm_json_integer(&g->nodes, "mesh", (int64_t)mesh * (int64_t)g->plan.num_parts + part);
    if (g->quantized) {
        float step = g->grid.step;
        write_vec3(&g->nodes, "translation", g->grid.offset);
        write_vec3(&g->nodes, "scale", (lm_vec3){step, step, step});
    }
    lm_json_close(&g->nodes);
    return true;
}

/* The node that shows and hides a part: at first, the first one shows. */
static bool write_part_node(lm_gltf *g, uint32_t part) {
    char name[24];
    snprintf(name, sizeof name, "part %u", (unsigned)part + 1);
    if (!open_node(g, name))
        return false;
    lm_json_open(&g->nodes, "children", '[');
    for (uint32_t mesh = 0; mesh < g->plan.num_meshes; mesh++)
        lm_json_integer(&g->nodes, NULL, lm_gltf_mesh_node(g, part, mesh));
    lm_json_close(&g->nodes);
    if (part > 0)
        write_vec3(&g->nodes, "scale", (lm_vec3){0, 0, 0});
    lm_json_close(&g->nodes);
    return true;
}

static bool write_tag_node(lm_gltf *g, uint32_t tag) {
    const char *name = g->job.model->tags[tag].name;
    lm_vec3 translation;
    float rotation[4];
    bool mirrored;
    if (!lm_gltf_tag(g, tag, 0, &translation, rotation, &mirrored) ||
        !open_node(g, name[0] ? name : "tag"))
        return false;
    write_vec3(&g->nodes, "translation", translation);
    lm_json_open(&g->nodes, "rotation", '[');
    for (unsigned i = 0; i < 4; i++)
        lm_json_float(&g->nodes, NULL, rotation[i]);
    lm_json_close(&g->nodes);
    if (mirrored) /* up is y in glTF's axes, z in the model's */
        write_vec3(&g->nodes, "scale",
                   g->job.axes == LM_AXES_GLTF ? (lm_vec3){1, -1, 1} : (lm_vec3){1, 1, -1});
    lm_json_open(&g->nodes, "extras", '{');
    lm_json_string(&g->nodes, "tag", name);
    lm_json_close(&g->nodes);
    lm_json_close(&g->nodes);
    return true;
}

static bool write_nodes(lm_gltf *g) {
    uint32_t num_parts = (uint32_t)g->plan.num_parts;
    for (uint32_t part = 0; part < num_parts; part++)
        for (uint32_t mesh = 0; mesh < g->plan.num_meshes; mesh++)
            if (!write_mesh_node(g, part, mesh))
                return false;
    for (uint32_t part = 0; part < num_parts && num_parts > 1; part++)
        if (!write_part_node(g, part))
            return false;
    for (uint32_t tag = 0; tag < g->job.model->num_tags; tag++)
        if (!write_tag_node(g, tag))
            return false;
    return true;
}

/* ---- The document -----------------------------------------------------------------------------
 */

static void write_asset(const lm_gltf *g, lm_json *json) {
    char generator[48];
    snprintf(generator, sizeof generator, "lerpmesh %s", lm_version());
    lm_json_open(json, "asset", '{');
    lm_json_string(json, "version", "2.0");
    lm_json_string(json, "generator", g->options->generator ? g->options->generator : generator);
    lm_json_close(json);
    static const char *const keys[] = {"extensionsUsed", "extensionsRequired"};
    for (unsigned i = 0; i < 2 && g->quantized; i++) {
        lm_json_open(json, keys[i], '[');
        lm_json_string(json, NULL, "KHR_mesh_quantization");
        lm_json_close(json);
    }
}

/* The nodes without a parent, and the names of all frames: targets have those of distinct ones. */
static void write_scene(const lm_gltf *g, lm_json *json) {
    lm_json_integer(json, "scene", 0);
    lm_json_open(json, "scenes", '[');
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", g->job.name);
    uint32_t first = g->plan.num_parts > 1 ? lm_gltf_part_node(g, 0) : 0;
    if (first < g->num_nodes) {
        lm_json_open(json, "nodes", '[');
        for (uint32_t node = first; node < g->num_nodes; node++)
            lm_json_integer(json, NULL, node);
        lm_json_close(json);
    }
    lm_json_open(json, "extras", '{');
    lm_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < g->plan.num_frames; i++)
        lm_json_string(json, NULL, g->job.model->frames[lm_export_pose(&g->job, i).frame_a].name);
    for (unsigned i = 0; i < 4; i++)
        lm_json_close(json);
}

static void write_array(lm_json *json, const char *key, lm_json *array, uint32_t count) {
    lm_json_close(array);
    if (count > 0)
        lm_json_raw(json, key, array->out->data, array->out->size);
}

/* A file name as a URI (RFC 3986, 2.3): all but unreserved characters and slashes escaped. */
static bool write_uri(const lm_gltf *g, lm_json *json) {
    lm_buffer text = {.allocator = g->streams[0].allocator};
    for (const char *p = g->options->bin_uri; *p; p++) {
        uint8_t c = (uint8_t)*p;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        lm_buffer_printf(&text, plain ? "%c" : "%%%02X", c);
    }
    lm_buffer_append(&text, "", 1);
    if (!text.failed)
        lm_json_string(json, "uri", (const char *)text.data);
    bool ok = !text.failed;
    lm_buffer_free(&text);
    return ok;
}

static bool write_buffers(lm_gltf *g, lm_json *json, size_t *bin_size) {
    lm_json_open(json, "bufferViews", '[');
    if (!lm_gltf_finish_data(g, json, bin_size))
        return false;
    lm_json_close(json);
    lm_json_open(json, "buffers", '[');
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "byteLength", (int64_t)*bin_size);
    if (!g->options->glb && !write_uri(g, json))
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
    write_array(&json, "meshes", &g->meshes, g->plan.num_meshes);
    write_array(&json, "materials", &g->materials, g->num_materials);
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

static bool any_text_failed(lm_gltf *g) {
    lm_buffer *texts[7];
    texts_of(g, texts);
    bool failed = false;
    for (unsigned i = 0; i < 7; i++)
        failed |= texts[i]->failed;
    return failed;
}

static bool write_all(lm_gltf *g, lm_buffer *out) {
    if (!lm_gltf_make_plan(g) || !alloc_tables(g) || !name_frames(g))
        return false;
    lm_gltf_choose_grid(g);
    return has_room(g) && lm_gltf_find_moving_tags(g) && lm_gltf_write_meshes(g) &&
           write_nodes(g) && lm_gltf_write_animations(g) && !any_text_failed(g) &&
           finish_files(g, out);
}

static void fill_result(const lm_gltf *g, lm_gltf_result *result) {
    if (!result)
        return;
    const lm_gltf_plan *plan = &g->plan;
    *result = (lm_gltf_result){.num_meshes = plan->num_meshes * (uint32_t)plan->num_parts,
                               .num_targets = g->num_targets,
                               .num_animations = g->num_animations,
                               .num_parts = (uint32_t)plan->num_parts,
                               .shared_frames = plan->shared_frames};
}

/* Why writing stopped, where nobody has said so yet. */
static void explain(lm_gltf *g) {
    if (g->out_of_room)
        lm_fail_plain(g->error, LM_CODE_LIMIT, "the glTF would be larger than %zu bytes",
                      g->direct->max_size ? g->direct->max_size : (size_t)UINT32_MAX);
    else if (g->error->code == LM_CODE_OK)
        lm_fail_plain(g->error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing glTF");
}

bool lm_gltf_write(const lm_model *model, const lm_gltf_options *options, lm_buffer *out,
                   lm_buffer *bin, lm_gltf_result *result, lm_error *error) {
    static const lm_gltf_options no_options = {.glb = true};
    static const lm_export defaults = {.axes = LM_AXES_GLTF, .scale = LM_METRES_PER_UNIT};
    lm_error reason = {.code = LM_CODE_OK};
    lm_gltf g = {.options = options ? options : &no_options, .error = &reason};
    if (!g.options->glb && (!bin || !g.options->bin_uri))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "a .gltf needs a buffer and a name for its .bin");
    if (!lm_export_resolve(model, &g.options->common, &defaults, &g.job, error))
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
