/* Fuzzes scenes of any models: a body, a part attached to its first tag, a clips file and a shader
 * script, as parts between separators. The scene is posed, transformed, and exported twice, in
 * memory filled with different bytes. */
#include "fuzz.h"
#include "shaders/script.h"

/* The smallest PNG. */
static const uint8_t png[] = {0x89, 'P', 'N', 'G',  0x0D, 0x0A, 0x1A, 0x0A, 0,    0, 0, 13,
                              'I',  'H', 'D', 'R',  0,    0,    0,    1,    0,    0, 0, 1,
                              8,    0,   0,   0,    0,    0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0,
                              10,   'I', 'D', 'A',  'T',  0x78, 0x9C, 0x63, 0x60, 0, 0, 0,
                              2,    0,   1,   0x48, 0xAF, 0xA4, 0x71, 0,    0,    0, 0, 'I',
                              'E',  'N', 'D', 0xAE, 0x42, 0x60, 0x82};

enum {
    BODY,
    HELD,
    CLIPS,
    SCRIPT,
    NUM_PARTS = 3,
    NUM_TEXTURES = 2,
    MAX_SURFACES = 8
};

/* Everything that a scene points to. */
typedef struct stage_set {
    fuzz_input input;
    lm_model *models[2];
    lm_clips *clips;
    lm_script *script;
    lm_arena *arena; /* of the shader */
    lm_script_shader parsed, *shader;
    lm_scene_texture textures[NUM_TEXTURES];
    lm_scene_material materials[MAX_SURFACES];
    lm_material_set skins[2];
    lm_scene_part parts[NUM_PARTS];
    lm_scene scene;
} stage_set;

static lm_model *load_part(stage_set *set, size_t part, const lm_allocator *memory) {
    fuzz_input input = set->input;
    if (part >= set->input.num_parts)
        return NULL;
    input.data = set->input.parts[part].data;
    input.size = set->input.parts[part].size;
    return fuzz_load_model(&input, memory);
}

static void read_texts(stage_set *set) {
    lm_error error;
    if (set->input.num_parts > CLIPS)
        set->clips = lm_clips_read(set->input.parts[CLIPS].data, set->input.parts[CLIPS].size,
                                   set->models[0]->num_frames, NULL, &error);
    if (set->input.num_parts > SCRIPT)
        set->script = lmi_script_read(set->input.parts[SCRIPT].data, set->input.parts[SCRIPT].size,
                                      NULL, &error);
    set->arena = lmi_arena_new(NULL);
    if (set->script && set->script->num_labels && set->arena &&
        lmi_shader_fill(set->script, 0, set->arena, &set->parsed) &&
        set->parsed.num_images <= NUM_TEXTURES)
        set->shader = &set->parsed;
}

/* Makes two skins of one image each; surfaces beyond the first few have no material. */
static void bind_materials(stage_set *set) {
    static const char *const uris[NUM_TEXTURES] = {"a.png", "b.png"};
    const uint32_t alpha = fuzz_choose(&set->input, 3);
    for (size_t i = 0; i < NUM_TEXTURES; i++)
        set->textures[i] = (lm_scene_texture){
            .name = uris[i], .mime = "image/png", .data = png, .size = sizeof png, .uri = uris[i]};
    for (size_t i = 0; i < MAX_SURFACES; i++)
        set->materials[i] =
            (lm_scene_material){.name = "skin",
                                .texture = i % 3 < NUM_TEXTURES ? (uint32_t)i % 3 : LM_NO_TEXTURE,
                                .alpha = (lm_alpha)alpha,
                                .shader = set->shader && i % 2 ? &set->shader->shader : NULL};
    if (set->models[0]->num_surfaces >= MAX_SURFACES)
        return;
    set->skins[0] = (lm_material_set){.name = "one", .materials = set->materials};
    set->skins[1] = (lm_material_set){.name = "two", .materials = set->materials + 1};
    set->parts[0].num_skins = fuzz_choose(&set->input, 3);
    set->parts[0].skins = set->skins;
}

static bool build(stage_set *set, const lm_allocator *memory) {
    for (size_t i = 0; i < 2; i++)
        set->models[i] = load_part(set, i, memory);
    if (!set->models[0])
        return false;
    read_texts(set);
    set->parts[0] = (lm_scene_part){.model = set->models[0], .name = "body"};
    if (set->clips) {
        set->parts[0].clips = set->clips->clips;
        set->parts[0].num_clips = set->clips->num_clips;
    }
    set->scene = (lm_scene){.num_parts = 1, .parts = set->parts, .textures = set->textures};
    set->scene.num_textures = NUM_TEXTURES;
    bind_materials(set);
    if (!set->models[1])
        return true;
    set->scene.num_parts = NUM_PARTS;
    set->parts[1] = (lm_scene_part){.model = set->models[1]};
    if (set->models[0]->num_tags)
        set->parts[1].tag = set->models[0]->tags[0].name;
    if (fuzz_choose(&set->input, 2))
        set->parts[1].idle = &set->models[1]->clips[0];
    set->parts[2] = (lm_scene_part){.model = set->models[1], .parent = fuzz_choose(&set->input, 2)};
    set->parts[2].follows = true;
    return true;
}

static void clear(stage_set *set) {
    lmi_arena_delete(set->arena);
    lmi_script_free(set->script);
    lm_clips_free(set->clips);
    lm_model_free(set->models[0]);
    lm_model_free(set->models[1]);
}

static void evaluate(const stage_set *set) {
    lm_pose from[NUM_PARTS], to[NUM_PARTS];
    lm_transform transforms[NUM_PARTS];
    const float weights[NUM_PARTS] = {0.25f, 1, 0.5f};
    const lm_clip *rest = lm_scene_rest_clip(&set->scene);
    lm_scene_pose(&set->scene, rest ? rest->name : NULL, 0.3, from);
    lm_scene_pose(&set->scene, "run+stand", 100, to);
    PROMISE(lm_scene_evaluate(&set->scene, from, NULL, NULL, transforms, NULL));
    PROMISE(lm_scene_evaluate(&set->scene, from, to, weights, transforms, NULL));
}

static void export_scene(stage_set *set, fuzz_output *out) {
    const bool obj = fuzz_choose(&set->input, 3) == 1;
    lm_gltf_options gltf = {.quantize = fuzz_choose(&set->input, 2) != 0};
    gltf.bin_uri = fuzz_choose(&set->input, 2) ? "b.bin" : NULL;
    gltf.common.still = fuzz_choose(&set->input, 3) == 1;
    gltf.common.frame = 0.5 * fuzz_choose(&set->input, 5);
    gltf.common.num_frames = fuzz_choose(&set->input, 3);
    out->written =
        obj ? lm_obj_write(&set->scene, &gltf.common, gltf.bin_uri, &out->file, &out->more,
                           &out->error)
            : lm_gltf_write(&set->scene, &gltf, &out->file, &out->more, NULL, &out->error);
}

static void write_scene(fuzz_input input, const lm_allocator *memory, fuzz_output *out) {
    stage_set set = {.input = input};
    lm_error error = {0};
    out->tried = build(&set, memory) && lm_scene_check(&set.scene, &error);
    if (out->tried) {
        evaluate(&set);
        export_scene(&set, out);
    }
    clear(&set);
}

void fuzz_scene(fuzz_input *input) {
    fuzz_split(input);
    fuzz_write_twice(input, write_scene);
}
