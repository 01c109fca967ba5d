/* Tests a scene composed as one mesh: transforms of attached parts, and the copies that it
 * needs. */
#include "core/bytes.h"
#include "skipping.h"
#include "synthetic.h"
#include "value_checks.h"

static lm_model *model_of_mesh(const lm_mesh *mesh) {
    lm_buffer out = {0};
    lm_error error;
    assert_done(lm_encode(mesh, lm_format_by_name("md3"), NULL, &out, NULL, &error), error);
    AT_END(blob_free) blob file = blob_from_buffer(&out);
    return load_blob(&file);
}

/* Two models; the second is attached to a tag with these axes. */
typedef struct attached {
    lm_model *model, body;
    lm_tag tag;
    uint8_t pose[48]; /* as in a file */
    lm_scene_part parts[2];
    lm_scene scene;
} attached;

static void attach(attached *a, const float pose[12]) {
    synthetic_mesh m;
    make_mesh(&m);
    a->model = model_of_mesh(&m.mesh);
    for (size_t i = 0; i < 12; i++)
        lmi_put_f32(a->pose + 4 * i, pose[i]);
    a->tag = (lm_tag){"tag_head", LM_TAG_AXES, a->pose, 0};
    a->body = *a->model;
    a->body.num_tags = 1;
    a->body.tags = &a->tag;
    a->parts[0] = (lm_scene_part){.model = &a->body, .name = "body"};
    a->parts[1] =
        (lm_scene_part){.model = a->model, .name = "head", .parent = 0, .tag = "tag_head"};
    a->scene = (lm_scene){.num_parts = 2, .parts = a->parts};
    lm_error error;
    assert_done(lm_scene_check(&a->scene, &error), error);
}

static float nearest(const char *obj, const float normal[3]) {
    float best = INFINITY, v[3];
    for (const char *at = strstr(obj, "\nvn "); at; at = strstr(at + 1, "\nvn ")) {
        char *end = (char *)at + 4;
        float sum = 0;
        for (int i = 0; i < 3; i++) {
            v[i] = strtof(end, &end);
            sum += (v[i] - normal[i]) * (v[i] - normal[i]);
        }
        best = fminf(best, sqrtf(sum));
    }
    return best;
}

/* Checks that the OBJ and the mesh of a scene have the same normals. */
static void compare_normals(const float pose[12]) {
    attached a;
    lm_error error;
    lm_buffer obj = {0};
    attach(&a, pose);
    const lm_export_options export = {.still = true, .axes = LM_AXES_MODEL};
    assert_true(lm_obj_write(&a.scene, &export, NULL, &obj, NULL, &error));
    lm_buffer_append(&obj, "", 1);
    const lm_compose_options options = {.still = true};
    lm_composition *made = lm_compose_scene(&a.scene, &options, &error);
    assert_non_null(made);
    assert_int_equal(made->mesh->num_surfaces, 2);
    const lm_mesh_surface *head = &made->mesh->surfaces[1];
    for (uint32_t v = 0; v < head->num_vertices; v++)
        assert_true(nearest((const char *)obj.data, head->normals + 3 * (size_t)v) < 1e-4f);
    lm_composition_free(made);
    lm_buffer_free(&obj);
    lm_model_free(a.model);
}

TEST(test_sheared_tag) {
    compare_normals((const float[12]){1, 2, 3, 1, 0, 0, 0.8f, 0.6f, 0, 0, 0, 1});
}

TEST(test_mirrored_tag) {
    compare_normals((const float[12]){1, 2, 3, 0, 1, 0, 1, 0, 0, 0, 0, 1});
}

/* The triangles of a mirrored part are reversed. */
TEST(test_mirrored_triangles) {
    attached a;
    attach(&a, (const float[12]){0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 1});
    lm_composition *made = lm_compose_scene(&a.scene, NULL, NULL);
    assert_non_null(made);
    const uint32_t *body = made->mesh->surfaces[0].triangles,
                   *head = made->mesh->surfaces[1].triangles;
    for (uint32_t t = 0; t < 3 * made->mesh->surfaces[0].num_triangles; t += 3) {
        assert_int_equal(head[t], body[t]);
        assert_int_equal(head[t + 1], body[t + 2]);
        assert_int_equal(head[t + 2], body[t + 1]);
    }
    lm_composition_free(made);
    lm_model_free(a.model);
}

/* Returns the largest distance between a composed mesh and its skeleton. */
static float distance_of(const lm_composition *made) {
    float most = 0;
    for (uint32_t i = 0; i < made->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &made->mesh->surfaces[i];
        lm_vec3 *at = calloc(s->num_vertices, sizeof *at);
        for (uint32_t f = 0; f < made->mesh->num_frames; f++) {
            lm_skeleton_sample(made->skeleton, i, &(lm_pose){f, f, 0, false}, at, NULL);
            for (size_t v = 0; v < s->num_vertices; v++) {
                const float *p = s->positions + 3 * ((size_t)f * s->num_vertices + v);
                most = fmaxf(most, hypotf(hypotf(at[v].x - p[0], at[v].y - p[1]), at[v].z - p[2]));
            }
        }
        free(at);
    }
    return most;
}

/* The skeletons of a body and of a part that a turned tag holds, or of the body alone. */
TEST(test_joined_skeletons) {
    attached a;
    lm_error error;
    attach(&a, (const float[12]){5, -2, 9, 0, 1, 0, -1, 0, 0, 0, 0, 1});
    OWNED(lm_skeleton) *body = lm_skeleton_of_model(&a.body, NULL, &error);
    OWNED(lm_skeleton) *head = lm_skeleton_of_model(a.model, NULL, &error);
    assert_non_null(head);
    const lm_skeleton *both[] = {body, head}, *one[] = {body, NULL}, *none[] = {NULL, NULL};
    lm_compose_options options = {.scale = 0.5f, .skeletons = both, .skinned = true};
    lm_composition *made = lm_compose_scene(&a.scene, &options, &error);
    assert_non_null(made);
    /* The head's tag_head is the second of its name. */
    assert_int_equal(made->skeleton->num_joints,
                     body->num_joints + head->num_joints + a.model->num_tags);
    assert_true(distance_of(made) <= 0.51 * fmax(body->all.max_error, head->all.max_error) + 1e-3);
    assert_null(made->mesh->surfaces[0].normals);
    const lm_joint *root = &made->skeleton->joints[body->num_joints + 1];
    assert_string_equal(made->skeleton->joints[root->parent].name, "tag_head");
    lm_composition_free(made);
    EACH_ALLOCATION_FAILS (f) {
        options.memory = f.memory;
        OWNED(lm_composition) *some = lm_compose_scene(&a.scene, &options, &f.error);
        f.done = some != NULL;
    }
    /* A head that moves its own vertices, but has no skeleton. */
    options = (lm_compose_options){.skeletons = one, .skinned = true};
    made = lm_compose_scene(&a.scene, &options, &error);
    assert_null(made->skeleton);
    assert_non_null(made->mesh->surfaces[0].normals);
    lm_composition_free(made);
    /* One that does not. */
    lm_model still = *a.model;
    still.num_frames = 1;
    a.parts[1].model = &still;
    still.num_clips = 0;
    made = lm_compose_scene(&a.scene, &options, &error);
    assert_non_null(made);
    assert_true(distance_of(made) <= 1.01 * body->all.max_error + 1e-3);
    lm_composition_free(made);
    options.skeletons = none;
    made = lm_compose_scene(&a.scene, &options, &error);
    assert_null(made->skeleton);
    lm_composition_free(made);
    /* A tag that shears cannot be a joint. */
    lm_model_free(a.model);
    attach(&a, (const float[12]){1, 2, 3, 1, 0, 0, 0.8f, 0.6f, 0, 0, 0, 1});
    options.skeletons = both;
    made = lm_compose_scene(&a.scene, &options, &error);
    assert_null(made->skeleton);
    lm_composition_free(made);
    lm_model_free(a.model);
}

/* Repeats the first frame of everything that moves. */
static void make_static(synthetic_mesh *m) {
    for (size_t f = 1; f < MESH_FRAMES; f++) {
        const size_t row = (size_t)MESH_VERTICES * 3;
        memcpy(m->positions + f * row, m->positions, row * sizeof *m->positions);
        memcpy(m->normals + f * row, m->normals, row * sizeof *m->normals);
        m->poses[0][f] = m->poses[0][0];
        m->poses[1][f] = m->poses[1][0];
    }
}

static void compose_frames(const synthetic_mesh *m, const lm_compose_options *options,
                           uint32_t frames) {
    lm_composition *made = lm_compose_mesh(&m->mesh, options, NULL);
    const bool fewer = frames == 1;
    assert_non_null(made);
    assert_int_equal(made->mesh->num_frames, frames);
    assert_int_equal(made->mesh->num_clips, fewer ? 0 : 2);
    assert_int_equal(made->num_notes, fewer);
    if (fewer) {
        assert_int_equal(made->notes[0].severity, LM_SEVERITY_NOTE);
        assert_string_equal(made->notes[0].text,
                            "nothing moves: the 12 frames are equal, and become one");
    }
    lm_composition_free(made);
}

/* A mesh becomes one frame if no vertex, normal or tag moves. */
TEST(test_equal_frames) {
    static const lm_compose_options all = {.all_frames = true},
                                    player = {.player = LM_PLAYER_MODEL};
    synthetic_mesh m;
    make_mesh(&m);
    compose_frames(&m, NULL, MESH_FRAMES);
    make_static(&m);
    compose_frames(&m, NULL, 1);
    compose_frames(&m, &(lm_compose_options){.scale = 2, .fps = 20}, 1);
    compose_frames(&m, &(lm_compose_options){.num_frames = MESH_FRAMES}, MESH_FRAMES);

    compose_frames(&m, &all, MESH_FRAMES);
    compose_frames(&m, &player, MESH_FRAMES);
    float *const moved[] = {&m.positions[MESH_VERTICES * 3 * 4], &m.normals[MESH_VERTICES * 3 * 9],
                            &m.poses[1][10].origin.z, &m.poses[0][1].axis[2].x};
    for (size_t i = 0; i < COUNT_OF(moved); i++) {
        const float before = *moved[i];
        *moved[i] += 1e-7f;
        compose_frames(&m, NULL, 1);
        *moved[i] += 0.01f;
        compose_frames(&m, NULL, MESH_FRAMES);
        *moved[i] = before;
    }
}

/* An unchanged mesh is not copied; one with selected frames is copied once. */
TEST(test_copies) {
    synthetic_mesh m;
    make_mesh(&m);
    AT_END(assert_all_released) counted counts = {0};
    const size_t positions = sizeof m.positions + sizeof m.normals;
    lm_compose_options options = {.memory = {.allocator = counting_allocator(&counts)}};
    OWNED(lm_composition) *made = lm_compose_mesh(&m.mesh, &options, NULL);
    assert_non_null(made);
    assert_ptr_equal(made->mesh->surfaces[0].positions, m.positions);
    assert_int_equal(made->mesh->num_clips, 2);
    lm_composition_free(made);
    assert_all_released(&counts);
    options.clips = true;
    m.mesh.num_clips = 1;
    made = lm_compose_mesh(&m.mesh, &options, NULL);
    assert_non_null(made);
    assert_int_equal(made->mesh->num_frames, 5);
    assert_true(counts.live_bytes > positions * 5 / MESH_FRAMES);
}

/* Composes a scene of two parts with a texture each as an MDL. Returns false if that fails. */
static bool to_mdl(attached *a, const lm_memory *memory, const char *format, lm_error *error) {
    static const uint8_t pixels[2][4 * 16];
    const lm_scene_texture textures[] = {
        {.name = "a.png", .width = 4, .height = 4, .pixels = pixels[0]},
        {.name = "b.png", .width = 4, .height = 4, .pixels = pixels[1]}};
    const lm_scene_material materials[2][2] = {
        {{.name = "a", .texture = 0}, {.name = "b", .texture = 1}},
        {{.name = "b", .texture = 1}, {.name = "a", .texture = 0}}};
    const lm_material_set skins[] = {{.name = "x", .materials = materials[0]},
                                     {.name = "y", .materials = materials[1]}};
    for (int i = 0; i < 2; i++) {
        a->parts[i].num_skins = 1;
        a->parts[i].skins = &skins[i];
    }
    a->scene.num_textures = 2;
    a->scene.textures = textures;
    const lm_compose_options options = {.memory = *memory, .scale = 2};
    OWNED(lm_composition) *made = lm_compose_scene(&a->scene, &options, error);
    const bool done =
        made && lm_compose_images(made, lm_format_by_name(format), "progs/a.mdl", NULL, error);
    if (done)
        assert_int_equal(made->mesh->num_skins, 1);
    return done;
}

TEST(test_composing_errors) {
    attached a;
    lm_memory memory = {0};
    lm_error error;
    attach(&a, (const float[12]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    EACH_ALLOCATION_FAILS (f) {
        f.done = to_mdl(&a, &f.memory, "mdl", &f.error);
        assert_true(f.done ? f.at > 4 : strstr(f.error.message, "out of memory (") != NULL);
    }
    assert_false(to_mdl(&a, &memory, "fbx", &error)); /* lm_format_by_name returns NULL */
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    memory.max_bytes = 2000;
    assert_false(to_mdl(&a, &memory, "mdl", &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    lm_model_free(a.model);
}

TEST(test_missing_frames) {
    static const lm_compose_options none[] = {{.still = true, .frame = MESH_FRAMES - 0.5},
                                              {.first_frame = MESH_FRAMES},
                                              {.first_frame = 1, .num_frames = MESH_FRAMES},
                                              {.num_frames = 1u << 20}};
    synthetic_mesh m;
    lm_error error = {.code = LM_CODE_OK};
    make_mesh(&m);
    OWNED(lm_model) *model = model_of_mesh(&m.mesh);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        assert_null(lm_compose_mesh(&m.mesh, &none[i], &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "the model has"));
        error = (lm_error){.code = LM_CODE_OK};
        assert_null(lm_compose_scene(&scene, &none[i], &error));
        assert_non_null(strstr(error.message, "the model has"));
    }
}

TEST(test_clips_written) {
    lm_clip clips[] = {{.name = "BOTH_DEATH1", .first = 0, .count = 5, .fps = 12.5f},
                       {.name = "a, b", .first = 5, .count = 6, .loop_frames = 6, .fps = 10}};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    lm_buffer_text(&out, "before\n");
    assert_true(lm_clips_write(clips, 2, 12, LM_CLIPS_AUTO, &out, &error));
    lm_buffer_append(&out, "", 1);
    assert_string_equal(
        (const char *)out.data,
        "before\n// first frame, number of frames, looping frames, frames per second\n"
        "0\t5\t0\t12.5\t\t// BOTH_DEATH1\n5\t6\t6\t10\t\t// a__b\n");
    const size_t size = out.size;
    clips[1].first = 7; /* beyond the last frame */
    assert_false(lm_clips_write(clips, 2, 12, LM_CLIPS_AUTO, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(out.size, size);
    assert_false(lm_clips_write(NULL, 1, 12, LM_CLIPS_AUTO, &out, &error));
    assert_string_equal(error.message, "clips: clips is NULL, but its number is 1");
    clips[1] = (lm_clip){0};
    assert_false(lm_clips_write(clips, 2, 12, LM_CLIPS_AUTO, &out, &error));
    assert_string_equal(error.message, "clip 1 has no name");
    clips[1] = (lm_clip){.name = "", .count = 1, .fps = 10};
    assert_false(lm_clips_write(clips, 2, 12, LM_CLIPS_FRAMEGROUPS, &out, &error));
    assert_string_equal(error.message, "clip 1 has no name");
    assert_int_equal(out.size, size);
    assert_false(lm_clips_write(clips, 1, 12, LM_CLIPS_ANM, &out, &error));
    assert_string_equal(error.message,
                        "clips are written as animation.cfg, weapon.cfg or .framegroups only");
}

TEST(test_weapon_clips_written) {
    lm_clip clips[] = {{.name = "IDLE1", .first = 0, .count = 5, .fps = 12.5f, .hidden_barrels = 1},
                       {.name = "IDLE2",
                        .first = 5,
                        .count = 6,
                        .loop_frames = 2,
                        .fps = 10,
                        .animated_barrels = 6,
                        .animated_weapon = true}};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_true(lm_clips_write(clips, 2, 12, LM_CLIPS_WEAPON_CFG, &out, &error));
    lm_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data,
                        "newfmt\n// first frame, number of frames, frames per second, looping "
                        "frames, animated barrels, animated weapon, hidden barrels\n"
                        "0\t5\t12.5\t0\t0\t0\t1\t\t// IDLE1\n5\t6\t10\t2\t6\t1\t0\t\t// IDLE2\n");
    /* The rows are the game's, by their order, and play forwards. */
    clips[1].name = "ATTACK1";
    assert_false(lm_clips_write(clips, 2, 12, LM_CLIPS_WEAPON_CFG, &out, &error));
    assert_int_equal(error.code, LM_CODE_NOT_HELD);
    clips[0].backwards = true;
    assert_false(lm_clips_write(clips, 1, 12, LM_CLIPS_WEAPON_CFG, &out, &error));
    assert_int_equal(error.code, LM_CODE_NOT_HELD);
}

/* Tests changes in the text of clips files. */

static const char cfg[] = "\xef\xbb\xbf// animation config file\r\n"
                          "sex f\r\n"
                          "/* a block\r\n 1 2 3 4 // NOT_A_CLIP */\r\n"
                          "0\t30\t0\t25\t\t// BOTH_DEATH1\r\n"
                          "29 1 0 25 // BOTH_DEAD1 (the last of it)\r\n"
                          "30 40 40 18 /* why */ // TORSO_GESTURE\n"
                          "70 -6 1 15\t \n"
                          "not a clip\n"
                          "76 8 -1 20 // LEGS_WALKCR\r"
                          "84 99 4 12.5 // LEGS_RUN, to the end\n"
                          "RUN 1 2 2 10 7 8 // --\n"
                          "5 6 7 8 // ---\n"
                          "5 6 7 8 //\n"
                          "6 6 7 8";
static const char groups[] = "1 56 60 0 // dieone\n57 46\t30 1   //  two words  \r\n"
                             "3 4\n5 6 7\n8 9 10 1 fifth // comment\n1 2 3 4 // dieone\n";
static const char anm[] = "// UFO\nrifle 0\n death1\t826  856 30\nstand0 207 237 0.001 // x\n"
                          "shoot 1 2 1e1\n";

static void expect(const char *name, const char *text, uint32_t clip, const lm_clip *to,
                   const char *expected) {
    const lm_clips_options options = {.file_name = name};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    const size_t size = strlen(text);
    lm_buffer_text(&out, "kept ");
    const bool done = lm_clips_change(text, size, 100, clip, to, &options, &out, &error);
    assert_true(done == (expected[0] != '!'));
    lm_buffer_append(&out, "", 1);
    assert_string_equal(done ? (const char *)out.data + 5 : error.message,
                        done ? expected : expected + 1);
    if (!done)
        assert_string_equal((const char *)out.data, "kept ");
}

TEST(test_values) {
    const lm_clip same = {.name = "run", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    lm_clip to = same;
    expect("a.cfg", "\t2 6 -1 10.0 // run (x)\r\n", 0, &to, "\t2 6 -1 10.0 // run (x)\r\n");
    to.fps = 12.5f;
    expect("a.cfg", "\t2 6 -1 10.0 // run (x)\r\n", 0, &to, "\t2 6 -1 12.5 // run (x)\r\n");
    to = same, to.count = 4, to.loop_frames = 4;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 4 -1 10 // run");
    expect("a.cfg", "2 6 6 10 // run", 0, &to, "2 4 6 10 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "run 2 5 10");
    expect("a.framegroups", "2 6 // run", 0, &to, "2 4 // run");
    to = same, to.loop_frames = 0;
    expect("a.framegroups", "2 6 // run", 0, &to, "2 6 10 0 // run");
    expect("a.framegroups", "2 6 10 1 // run", 0, &to, "2 6 10 0 // run");
    expect("a.framegroups", "2 \"6\" // run", 0, &to, "2 \"6\" 10 0 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "!a.anm: the file cannot store this loop of a clip");
    to.loop_frames = 2;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 6 2 10 // run");
    expect("a.framegroups", "2 6 10 1 // run", 0, &to,
           "!a.framegroups: the file cannot store this loop of a clip");
    to = same, to.first = 3;
    expect("a.anm", "run 2 7 10", 0, &to, "run 3 8 10");
    expect("a.cfg", "run 2 6 6 10 more", 0, &to, "run 3 6 6 10 more");
    to = same, to.backwards = true;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 -6 -1 10 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "!a.anm: the file cannot store this direction");
    to = same, to.fps = 0;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to,
           "!clip 0 has a rate that is not a finite number above 0");
    to = same, to.first = 98;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "!clip 0 has frames 98 to 103, but there are 100");
    expect("a.cfg", "2 6 -1 10 // run", 1, &same, "!a.cfg: there is no clip 1");
    expect("a.cfg", "nothing", 0, &same,
           "!a.cfg: no line has the form of an animation.cfg, weapon.cfg, .framegroups "
           "or .anm file");
}

TEST(test_values_of_weapons) {
#define OTHER_ROW "\n0 1\n20 1 0 0 1 // x\n"
    static const char text[] = "newfmt\n2 6 0 2 0 0 0 // idle" OTHER_ROW;
    static const char old[] =
        "2 6 20 2 // IDLE1\n1 2 20 0\n1 2 20 0\n1 2 20 0\n1 2 20 0\n1 2 20 0\n"
        "1 2 20 0\n1 2 20 0\n1 2 20 0\n1 2 20 0\n";
    const lm_clip same = {.name = "IDLE1", .first = 2, .count = 6, .fps = 1, .loop_frames = 2};
    lm_clip to = same;
    expect("weapon.cfg", text, 0, &to, text);
    to.fps = 14, to.loop_frames = 1;
    expect("weapon.cfg", text, 0, &to, "newfmt\n2 6 14 1 0 0 0 // idle" OTHER_ROW);
    to = same, to.animated_barrels = 3;
    expect("weapon.cfg", text, 0, &to, "newfmt\n2 6 0 2 3 0 0 // idle" OTHER_ROW);
    to = (lm_clip){
        .name = "IDLE2", .count = 1, .fps = 20, .loop_frames = 1, .animated_weapon = true};
    expect("weapon.cfg", text, 1, &to, "newfmt\n2 6 0 2 0 0 0 // idle\n0 1\n20 1 0 1 0 // x\n");
    to.name = "x";
    expect("weapon.cfg", text, 1, &to, "!weapon.cfg: the file cannot store this name of a clip");
    to = same, to.backwards = true;
    expect("weapon.cfg", text, 0, &to, "!weapon.cfg: other clips would change too");
    to = same, to.fps = 20, to.hidden_barrels = 1; /* the old layout has no bits */
    expect("weapon.cfg", old, 0, &to, "!weapon.cfg: the file cannot store these barrels");
}

TEST(test_names) {
    lm_clip to = {.name = "walk", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    expect("a.cfg", "2 6 6 10 // run (x)\n", 0, &to, "2 6 6 10 // walk (x)\n");
    expect("a.cfg", "run 2 6 6 10\n", 0, &to, "walk 2 6 6 10\n");
    expect("a.cfg", "2 6 6 10 \r\n", 0, &to, "2 6 6 10\t// walk \r\n");
    expect("a.cfg", "2 6 6 10 // -- \n", 0, &to, "2 6 6 10 // -- walk \n");
    expect("a.framegroups", "2 6 10 1 run // x\n", 0, &to, "2 6 10 1 walk // x\n");
    expect("a.framegroups", "2 6 10 1 //\n", 0, &to, "2 6 10 1 // walk\n");
    expect("a.anm", "run 2 7 10 // run\n", 0, &to, "walk 2 7 10 // run\n");
    /* LEGS_ clips begin 10 frames later in the file. */
    to.name = "LEGS_X";
    expect("a.cfg", "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n2 6 6 10 // run\n", 2, &to,
           "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n12 6 6 10 // LEGS_X\n");
    to = (lm_clip){.name = "run", .first = 5, .count = 6, .fps = 9, .loop_frames = 6};
    expect("a.cfg", "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n12 6 6 10 // LEGS_X\n", 0,
           &to, "!a.cfg: other clips would change too");
    to = (lm_clip){.name = "a b", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    expect("a.framegroups", "2 6 10 1 // run\n", 0, &to, "2 6 10 1 // a b\n");
    expect("a.cfg", "2 6 6 10 // x\n", 0, &to, "!a.cfg: the file cannot store this name of a clip");
    to.name = "";
    expect("a.cfg", "2 6 6 10 // x\n", 0, &to, "!a.cfg: the file cannot store this name of a clip");
    to.reserved[0] = 1;
    expect("a.cfg", "2 6 6 10 // x\n", 0, &to, "!clip 0: reserved must be 0");
    lm_error error;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    assert_false(lm_clips_write(&to, 1, 100, LM_CLIPS_AUTO, &out, &error));
    assert_string_equal(error.message, "clip 0: reserved must be 0");
    const lm_clips_options table = {.format = LM_CLIPS_QUAKE2};
    assert_false(lm_clips_change("", 0, 198, 0, &to, &table, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST(test_properties) {
    const struct {
        const char *name, *text;
        size_t size;
    } files[] = {{"a.cfg", cfg, sizeof cfg - 1},    {"a.framegroups", groups, sizeof groups - 1},
                 {"a.anm", anm, sizeof anm - 1},    {NULL, cfg, sizeof cfg - 1},
                 {NULL, groups, sizeof groups - 1}, {NULL, anm, sizeof anm - 1}};
    for (size_t i = 0; i < COUNT_OF(files); i++)
        for (uint32_t frames = 1; frames < 1000; frames = frames * 3 + 1) {
            const size_t changed = check_clip_changes(files[i].name, files[i].text, files[i].size,
                                                      frames, (uint32_t)i + frames);
            assert_true(changed > 0 || frames < 600);
        }
}

/* Prefixes, and texts with random bytes. The fuzzer of texts tries many more. */
TEST(test_damage) {
    const char *const texts[] = {cfg, groups, anm};
    const char *const names[] = {"a.cfg", "a.framegroups", "a.anm"};
    chance c = chance_from(5);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const size_t size = strlen(texts[i]);
        for (size_t length = 0; length < size; length += 3 * (size_t)case_stride())
            check_clip_changes(names[i], texts[i], length, 90, (uint32_t)length);
        for (unsigned round = 0; round < 100; round += case_stride()) {
            AT_END(blob_free) blob text = blob_copy(texts[i], size);
            for (unsigned k = 0; k < 8; k++)
                text.data[chance_below(&c, (uint32_t)size)] =
                    k % 2 ? (uint8_t)chance_next(&c)
                          : (uint8_t)" /*\n\r-.9\"\0"[chance_below(&c, 10)];
            check_clip_changes(names[i], text.data, text.size, 90, round);
        }
    }
}

TEST(test_memory) {
    const lm_clip to = {.name = "x", .first = 1, .count = 2, .fps = 3, .loop_frames = 2};
    EACH_ALLOCATION_FAILS (f) {
        const lm_clips_options options = {.file_name = "a.cfg", .memory = f.memory};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_clips_change(cfg, sizeof cfg - 1, 90, 1, &to, &options, &out, &f.error);
        assert_true(f.done ? f.at > 5 : out.size == 0);
    }
}

/* The bytes of memory grow with the clips. */
TEST(test_linear) {
    size_t most[3];
    for (unsigned i = 0; i < COUNT_OF(most); i++) {
        const unsigned rows = 500U << i;
        AT_END(assert_all_released) counted counts = {0};
        const lm_clips_options options = {.file_name = "a.cfg",
                                          .memory.allocator = counting_allocator(&counts)};
        const lm_clip to = {.name = "x", .first = 1, .count = 2, .fps = 3, .loop_frames = 2};
        AT_END(lm_buffer_free) lm_buffer text = {0}, out = {0};
        for (unsigned k = 0; k < rows; k++)
            lm_buffer_text(&text, "1 2 2 10 // run\n");
        assert_true(lm_clips_change(text.data, text.size, 90, rows / 2, &to, &options, &out, NULL));
        most[i] = counts.most_bytes;
    }
    assert_true(most[2] < 5 * most[0]);
}

TEST(test_sample) {
    char path[4096];
    const char *root = getenv("LERPMESH_SOURCE_DIR");
    if (!root)
        SKIP("LERPMESH_SOURCE_DIR is not set");
    snprintf(path, sizeof path, "%s/samples/models/players/tick/animation.cfg", root);
    AT_END(blob_free) blob text = blob_read(path);
    assert_true(check_clip_changes(path, text.data, text.size, 500, 1) > 0);
}
