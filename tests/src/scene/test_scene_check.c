/* Tests the guarantees of lm_scene_check: it rejects a scene that breaks one, with the reason.
 * Scenes that pass can be posed, transformed and sampled, whatever else they contain. */
#include "support.h"
#include "synthetic.h"

#include <float.h>

enum {
    NUM_PARTS = 3,
    NUM_CLIPS = 2
};

/* A body, a head on its tag, and a follower, each with clips, skins and a texture. */
typedef struct stage {
    lm_model *body, *head;
    float times[4];
    lm_clip clips[NUM_CLIPS], idle;
    uint32_t images[2];
    lm_stage stage;
    lm_shader shader;
    lm_scene_material materials[2];
    lm_material_set skins[2];
    lm_scene_part parts[NUM_PARTS];
    lm_scene_texture texture;
    lm_scene scene;
} stage;

static const uint8_t pixel[4];

static void set_up(stage *s) {
    *s = (stage){.body = make_model(&(synthetic_options){.num_frames = 9}),
                 .head = make_model(&(synthetic_options){.num_frames = 5}),
                 .times = {0, 1, 2, 4},
                 .stage = {.num_images = 1},
                 .texture = {.name = "t", .pixels = pixel, .width = 1, .height = 1}};
    s->clips[0] = (lm_clip){.name = "run", .first = 1, .count = 4, .fps = 10, .loop_frames = 2};
    s->clips[1] = (lm_clip){.name = "die", .first = 2, .count = 3, .fps = 1, .times = s->times};
    s->idle = (lm_clip){.name = "nod", .count = 5, .fps = 5, .loop_frames = 5};
    s->stage.images = s->images;
    s->shader = (lm_shader){.num_stages = 1, .stages = &s->stage};
    for (int i = 0; i < 2; i++) {
        s->materials[i] = (lm_scene_material){.name = "m", .shader = i ? &s->shader : NULL};
        s->skins[i] = (lm_material_set){.name = "s", .materials = s->materials};
    }
    for (int i = 0; i < NUM_PARTS; i++)
        s->parts[i] = (lm_scene_part){.model = i ? s->head : s->body, .num_skins = 2};
    for (int i = 0; i < NUM_PARTS; i++)
        s->parts[i].skins = s->skins;
    s->parts[0].clips = s->clips;
    s->parts[0].num_clips = NUM_CLIPS;
    s->parts[1].tag = s->body->tags[0].name;
    s->parts[1].idle = &s->idle;
    s->parts[2].parent = 1;
    s->parts[2].follows = true;
    s->scene = (lm_scene){
        .num_parts = NUM_PARTS, .parts = s->parts, .num_textures = 1, .textures = &s->texture};
}

static void tear_down(stage *s) {
    free_synthetic_model(s->body);
    free_synthetic_model(s->head);
}

/* ---- One guarantee each ---------------------------------------------------------------------- */

static void assert_rejected(stage *s, const char *breach, const char *reason) {
    lm_error error = {.code = LM_CODE_OK};
    if (lm_scene_check(&s->scene, &error))
        fail_msg("a scene with %s passes", breach);
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    if (!strstr(error.message, reason))
        fail_msg("%s: \"%s\" instead of \"%s\"", breach, error.message, reason);
}

#define REJECTED(member, value, reason)                      \
    do {                                                     \
        stage s;                                             \
        set_up(&s);                                          \
        assert_true(lm_scene_check(&s.scene, NULL));         \
        s.member = (value);                                  \
        assert_rejected(&s, #member " = " #value, (reason)); \
        tear_down(&s);                                       \
    } while (0)

TEST(test_parts) {
    REJECTED(scene.num_parts, 0, "has 1 to 256 parts");
    REJECTED(scene.num_parts, LM_MAX_PARTS + 1, "has 1 to 256 parts");
    REJECTED(scene.parts, NULL, "parts is NULL");
    REJECTED(parts[1].model, NULL, "part 1 has no model");
    static const lm_model nothing;
    REJECTED(parts[1].model, &nothing, "part 1 has a model without frames, or without a list");
    REJECTED(parts[1].parent, 1, "part 1 is attached to part 1");
    REJECTED(parts[1].parent, 2, "part 1 is attached to part 2");
    REJECTED(parts[0].parent, 2, "part 0 is attached to part 2");
    REJECTED(parts[1].parent, LM_NO_PART,
             "part 1 follows a parent or uses a tag, but has no parent");
    REJECTED(parts[2].parent, LM_NO_PART,
             "part 2 follows a parent or uses a tag, but has no parent");
    REJECTED(parts[1].tag, "tag_none", "\"tag_none\"");
    REJECTED(parts[1].tag, "tag", "\"tag\"");
    REJECTED(parts[0].tag, "tag_\xE9nd", "part 0 follows a parent or uses a tag");
    REJECTED(parts[0].follows, true, "part 0 follows a parent or uses a tag");
}

TEST(test_clips) {
    static const char rate[] = "rate that is not a finite number above 0";
    static const float values[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        REJECTED(clips[0].fps, values[i], rate);
        REJECTED(idle.fps, values[i], rate);
        if (values[i] != INFINITY)
            REJECTED(clips[1].fps, values[i], rate);
        REJECTED(times[3], values[i] == INFINITY ? 2 : values[i], "times that do not increase");
        REJECTED(times[0], values[i] <= 0 ? 1 : values[i], "times that do not increase");
    }
    REJECTED(times[3], INFINITY, "times that do not increase");
    REJECTED(clips[0].name, NULL, "clip 0 has no name");
    REJECTED(clips[1].count, 0, "clip 1 has no frames");
    REJECTED(clips[0].first, 9, "but there are");
    REJECTED(clips[0].loop_frames, 99, "clip 0 has loop_frames above count");
    REJECTED(clips[0].source, (lm_clip_source)77, "clip 0 has an unknown source");
    REJECTED(clips[1].reserved[1], 1, "clip 1: reserved must be 0");
    REJECTED(clips[0].count, 9, "but there are");
    REJECTED(clips[0].count, UINT32_MAX, "but there are");
    REJECTED(idle.first, 1, "the idle clip of part 1 has frames");
    REJECTED(parts[0].clips, NULL, "part 0 has a number of clips");
}

TEST(test_skins_and_textures) {
    static const char skin[] = "part 0 has an invalid skin";
    static const char texture[] = "texture 0";
    REJECTED(parts[0].skins, NULL, skin);
    REJECTED(parts[0].skin, 2, skin);
    REJECTED(skins[1].name, NULL, skin);
    REJECTED(skins[1].materials, NULL, skin);
    REJECTED(materials[1].name, NULL, skin);
    REJECTED(materials[1].texture, 1, skin);
    static const uint32_t beyond[LM_NUM_MAPS] = {LM_NO_TEXTURE, 0, LM_NO_TEXTURE, 1};
    REJECTED(materials[1].maps, beyond, skin);
    REJECTED(materials[1].alpha, (lm_alpha)-1, skin);
    REJECTED(materials[1].alpha, (lm_alpha)77, skin);
    REJECTED(stage.num_images, LM_MAX_STAGE_IMAGES + 1, skin);
    REJECTED(images[0], 1, skin);
    REJECTED(shader.stages, NULL, skin);
    REJECTED(scene.textures, NULL, "textures is NULL");
    REJECTED(texture.name, NULL, texture);
    REJECTED(texture.pixels, NULL, texture);
    REJECTED(texture.alpha, (lm_alpha)77, texture);
    REJECTED(texture.width, 0, texture);
}

/* Members of later versions must be 0. */
TEST(test_reserved) {
    static const char skin[] = "part 0 has an invalid skin";
    REJECTED(scene.reserved[3], 1, "scene: reserved must be 0");
    REJECTED(parts[1].reserved[1], 1, "part 1: reserved must be 0");
    REJECTED(skins[1].reserved[1], 1, skin);
    REJECTED(materials[1].reserved[1], 1, skin);
    REJECTED(shader.reserved[1], 1, skin);
    REJECTED(texture.reserved[1], 1, "texture 0: reserved must be 0");
}

/* Textures are files or pixels. */
#define TEXTURE(...) ((lm_scene_texture){__VA_ARGS__})

TEST(test_textures) {
    static const char reason[] = "texture 0 has no name or bytes, or is neither PNG nor JPEG";
    const lm_scene_texture sound[] = {{.name = "a", .mime = "image/png", .data = "x", .size = 1},
                                      {.name = "a", .mime = "image/jpeg", .data = "x", .size = 1},
                                      {.name = "a", .pixels = pixel, .width = 1, .height = 1}};
    for (size_t i = 0; i < COUNT_OF(sound); i++) {
        stage s;
        set_up(&s);
        s.texture = sound[i];
        assert_true(lm_scene_check(&s.scene, NULL));
        tear_down(&s);
    }
    REJECTED(texture, TEXTURE(.name = "a", .mime = "image/gif", .data = "x", .size = 1), reason);
    REJECTED(texture,
             TEXTURE(.name = "a", .mime = "image/gif", .pixels = pixel, .width = 1, .height = 1),
             reason);
    REJECTED(texture,
             TEXTURE(.name = "a", .mime = "image/png", .pixels = pixel, .width = 1, .height = 1),
             reason);
    REJECTED(texture, TEXTURE(.name = "a", .mime = "image/png", .data = "x"), reason);
    REJECTED(texture, TEXTURE(.name = "a", .mime = "image/png", .size = 1), reason);
    REJECTED(texture, TEXTURE(.name = "a", .data = "x", .size = 1), reason);
    REJECTED(texture, TEXTURE(.name = "a", .width = 1, .height = 1), reason);
    REJECTED(texture, TEXTURE(.name = "a", .pixels = pixel, .width = 1), reason);
    REJECTED(texture, TEXTURE(.name = "a", .pixels = pixel, .height = 1), reason);
    REJECTED(texture, TEXTURE(.mime = "image/png", .data = "x", .size = 1), reason);
}

/* ---- Scenes that pass ------------------------------------------------------------------------ */

static double number(chance *c) {
    static const double values[] = {
        0, -1, 1, 10, 1e-30, 1e30, FLT_MAX, FLT_MIN, 1e-45, (double)NAN, (double)INFINITY, -0.0};
    return values[chance_below(c, COUNT_OF(values))];
}

static uint32_t integer(chance *c) {
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 77, INT32_MAX, UINT32_MAX};
    return values[chance_below(c, COUNT_OF(values))];
}

static void change_clip(lm_clip *clip, stage *s, chance *c) {
    switch (chance_below(c, 6)) {
    case 0:
        clip->first = integer(c);
        break;
    case 1:
        clip->count = integer(c);
        break;
    case 2:
        clip->fps = (float)number(c);
        break;
    case 3:
        clip->loop_frames = integer(c);
        break;
    case 4:
        clip->backwards = !clip->backwards;
        break;
    default:
        s->times[chance_below(c, 4)] = (float)number(c);
        break;
    }
}

static void change(stage *s, chance *c) {
    lm_scene_part *part = &s->parts[chance_below(c, NUM_PARTS)];
    switch (chance_below(c, 12)) {
    case 0:
        part->parent = integer(c);
        break;
    case 1:
        part->follows = !part->follows;
        break;
    case 2:
        part->tag = part->tag ? NULL : "TAG_\xE9ND";
        break;
    case 3:
        part->num_clips = chance_below(c, NUM_CLIPS + 1);
        break;
    case 4:
        part->clips = part->clips ? NULL : s->clips;
        break;
    case 5:
        part->idle = part->idle ? NULL : &s->idle;
        break;
    case 6:
        part->skin = integer(c);
        break;
    case 7:
        s->materials[chance_below(c, 2)].texture = integer(c);
        break;
    case 8:
        s->images[0] = integer(c);
        break;
    case 9:
        part->model = chance_below(c, 2) ? s->body : s->head;
        break;
    case 10:
        change_clip(&s->idle, s, c);
        break;
    default:
        change_clip(&s->clips[chance_below(c, NUM_CLIPS)], s, c);
        break;
    }
}

static void sample(const lm_scene_part *part, const lm_pose *pose) {
    AT_END(drop_bytes)
    float *out = malloc(sizeof(float) * 6 * part->model->surfaces[0].num_vertices);
    const lm_sample_target target = {.positions = out, .normals = out + 3, .stride = 24};
    assert_non_null(out);
    assert_int_equal(lm_sample(part->model, 0, pose, 1, &target), LM_CODE_OK);
}

/* Poses, transforms and samples the whole scene at some time. */
static void use(const lm_scene *scene, double seconds) {
    static const char *const names[] = {"run", "die", "nod", "RUN+NOD", NULL};
    lm_pose poses[NUM_PARTS];
    lm_transform places[NUM_PARTS];
    lm_scene_rest_clip(scene);
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        lm_scene_pose(scene, names[n], seconds, poses);
        assert_true(lm_scene_evaluate(scene, poses, NULL, NULL, places, NULL));
        for (uint32_t i = 0; i < scene->num_parts; i++) {
            const lm_clip *clip = lm_scene_find_clip(scene, i, names[n]);
            sample(&scene->parts[i], &poses[i]);
            if (!clip)
                continue;
            lm_playback play = {.clip = clip, .mode = LM_PLAY_PING_PONG, .playing = true};
            lm_playback_advance(&play, seconds);
            lm_playback_step(&play, -1);
            lm_playback_set(&play, play.mode, true, false);
            lm_playback_scene(&play, scene, i, names[n], poses);
            assert_true(lm_scene_evaluate(scene, poses, NULL, NULL, places, NULL));
        }
    }
}

TEST(test_scenes_that_pass_can_be_used) {
    unsigned passed = 0, rejected = 0;
    chance c = chance_from(23);
    for (int round = 0; round < 3000; round++) {
        stage s;
        set_up(&s);
        for (uint32_t i = 1 + chance_below(&c, 6); i > 0; i--)
            change(&s, &c);
        const bool passes = lm_scene_check(&s.scene, NULL);
        passed += passes, rejected += !passes;
        if (passes)
            use(&s.scene, chance_below(&c, 4) ? (double)chance_real(&c, -3, 9) : number(&c));
        tear_down(&s);
    }
    assert_true(passed > 300 && rejected > 300);
}
