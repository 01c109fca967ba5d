/* Tick as a player of Quake III: legs, torso and head as MD3s, and animation.cfg.
 *
 * Legs and torso have frames of their own, which the game combines: the torso is attached to the
 * legs' tag_torso, the head to the torso's tag_head. */
#include "clips.h"
#include "elements.h"
#include "tick.h"

#include "lerpmesh/md3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Movements ----------------------------------------------------------------------------- */

/* Holds a weapon in front of him. */
static struct pose armed(void) {
    struct pose p = at_ease();
    p.arm[RIGHT] = (limb){12, 10, 70, 8};
    p.arm[LEFT] = (limb){34, 6, 62, 34};
    p.body.yaw = 6;
    return p;
}

/* His spring has run down: he sinks to his knees and falls on his face. */
static struct pose run_down(float phase) {
    struct pose p = at_ease();
    float kneel = phase < 0.5f ? sine(180 * phase) : 1;
    float fall = phase < 0.4f ? 0 : 1 - cosine(150 * (phase - 0.4f));
    for (int side = LEFT; side <= RIGHT; side++) {
        p.leg[side] = (limb){40 * kneel - 38 * fall, 4, 96 * kneel - 90 * fall, 0};
        p.arm[side] = (limb){10 * kneel + 120 * fall, 14 + 20 * fall, 16 + 20 * fall, 0};
    }
    p.pelvis.pitch = 12 * kneel + 74 * fall;
    p.head.pitch = 26 * kneel - 60 * fall;
    p.lift = 1.5f * fall;
    p.key = 220 * (1 - (1 - phase) * (1 - phase));
    return p;
}

/* A hit from the right: he falls on his left side. */
static struct pose knocked_over(float phase) {
    struct pose p = at_ease();
    float fall = 1 - cosine(90 * phase), hit = hump(phase, -0.2f, 0.9f);
    p.leg[LEFT] = (limb){12 + 30 * hit, 4, 30 * hit + 20 * fall, 0};
    p.leg[RIGHT] = (limb){-8 * fall, 6 + 14 * hit, 16 * hit + 34 * fall, 0};
    p.arm[LEFT] = (limb){30 * hit, 14 + 130 * fall, 16 + 20 * hit, 0};
    p.arm[RIGHT] = (limb){50 * hit + 30 * fall, 14 + 40 * hit, 16 + 40 * hit + 30 * fall, 0};
    p.pelvis.roll = -86 * fall;
    p.body = (angles){14 * hit, 16 * hit, -8 * hit};
    p.head = (angles){10 * hit, 20 * hit, -14 * fall};
    p.jaw = 20 * hit;
    p.lift = 1.5f * fall + 6 * hump(phase, 0.1f, 0.8f);
    return p;
}

/* A hit from the front: he spins half around and falls. */
static struct pose spun_around(float phase) {
    struct pose p = knocked_over(phase);
    float spin = phase < 0.7f ? phase / 0.7f : 1;
    p.body.yaw += 60 * hump(phase, -0.1f, 1);
    p.pelvis.yaw = 130 * spin;
    p.key = 90 * phase;
    return p;
}

static struct pose gesture(float phase) {
    struct pose waving = wave(phase), p = armed();
    p.arm[RIGHT] = waving.arm[RIGHT];
    p.head = waving.head;
    p.body.roll = waving.body.roll;
    return p;
}

/* The weapon kicks. */
static struct pose attack(float phase) {
    struct pose p = armed();
    float kick = hump(phase, -0.35f, 0.9f);
    for (int side = LEFT; side <= RIGHT; side++) {
        p.arm[side].forward -= 12 * kick;
        p.arm[side].bend += 16 * kick;
    }
    p.body.pitch = -7 * kick;
    p.key = 120 * phase;
    return p;
}

/* He strikes with what is in his right hand. */
static struct pose strike(float phase) {
    struct pose p = armed();
    float swing = hump(phase, -0.1f, 1.1f);
    p.arm[RIGHT] = (limb){12 + 70 * swing, 10 + 20 * hump(phase, 0, 0.5f), 70 - 60 * swing, 8};
    p.arm[LEFT].forward -= 30 * swing;
    p.body = (angles){8 * swing, 6 + 26 * swing, 0};
    p.key = 180 * phase;
    return p;
}

static struct pose put_away(float phase) {
    struct pose p = armed();
    p.arm[RIGHT].forward -= 40 * phase;
    p.arm[RIGHT].bend -= 40 * phase;
    p.arm[LEFT].bend -= 30 * phase;
    p.body.pitch = 8 * phase;
    return p;
}

static struct pose take_out(float phase) {
    return put_away(1 - phase);
}

static struct pose hold(float phase) {
    (void)phase;
    return armed();
}

static struct pose hold_a_torch(float phase) {
    struct pose p = hold(phase);
    p.arm[RIGHT] = (limb){36, 14, 84, 0};
    return p;
}

/* Legs that stride by `reach` degrees, `bent` at the knees. */
static struct pose stride(float phase, float reach, float bent) {
    struct pose p = at_ease();
    for (int side = LEFT; side <= RIGHT; side++) {
        float swing = sine(360 * phase + 180 * (float)side);
        float raised = sine(360 * phase + 180 * (float)side + 80);
        p.leg[side] =
            (limb){bent / 2 + reach * swing, 2, bent + reach * (raised > 0 ? raised : 0), 0};
    }
    p.pelvis = (angles){bent / 8, 0, 2 * sine(360 * phase)};
    return p;
}

static struct pose walk(float phase) {
    return stride(phase, 26, 12);
}

static struct pose walk_crouched(float phase) {
    return stride(phase, 24, 96);
}

static struct pose run_back(float phase) {
    return stride(1 - phase, 32, 30);
}

static struct pose swim(float phase) {
    struct pose p = at_ease();
    for (int side = LEFT; side <= RIGHT; side++) {
        float kick = sine(360 * phase + 180 * (float)side);
        p.leg[side] = (limb){4 + 26 * kick, 4, 16 - 12 * kick, 0};
    }
    p.pelvis.pitch = 34;
    return p;
}

/* The first half of a jump, and the second. */
static struct pose take_off(float phase) {
    return jump(0.1f + 0.42f * phase);
}

static struct pose land(float phase) {
    return jump(0.76f + 0.24f * phase);
}

static struct pose back_flip(struct pose p) {
    p.pelvis.pitch = -p.pelvis.pitch;
    return p;
}

static struct pose take_off_back(float phase) {
    return back_flip(take_off(phase));
}

static struct pose land_back(float phase) {
    return back_flip(land(phase));
}

static struct pose crouch(float phase) {
    return stride(0, 0, 100 + 3 * sine(360 * phase));
}

static struct pose turn(float phase) {
    struct pose p = stride(phase, 7, 16);
    p.leg[LEFT].outward += 6 * sine(360 * phase);
    p.leg[RIGHT].outward -= 6 * sine(360 * phase);
    return p;
}

/* The rows of animation.cfg, which the game reads by position. A row without frames shows the last
 * frame of the row before it. */
enum {
    NUM_BOTH = 6,
    NUM_TORSO = 7,
    NUM_ROWS = 25
};

static const struct clip clips[NUM_ROWS] = {
    {"deatha", 1, 12, run_down, true},     {"deatha", 1, 0, NULL, false},
    {"deathb", 1, 12, knocked_over, true}, {"deathb", 1, 0, NULL, false},
    {"deathc", 1, 12, spun_around, true},  {"deathc", 1, 0, NULL, false},
    {"gesture", 1, 12, gesture, true},     {"attack", 1, 6, attack, true},
    {"strike", 1, 6, strike, true},        {"drop", 1, 5, put_away, true},
    {"raise", 1, 4, take_out, true},       {"hold", 1, 1, hold, false},
    {"torch", 1, 1, hold_a_torch, false},  {"walkcr", 1, 8, walk_crouched, false},
    {"walk", 1, 8, walk, false},           {"run", 1, 8, run, false},
    {"back", 1, 8, run_back, false},       {"swim", 1, 8, swim, false},
    {"jump", 1, 6, take_off, true},        {"land", 1, 4, land, true},
    {"jumpb", 1, 6, take_off_back, true},  {"landb", 1, 4, land_back, true},
    {"idle", 1, 10, stand, false},         {"idlecr", 1, 8, crouch, false},
    {"turn", 1, 6, turn, false},
};

static const struct {
    const char *name;
    int fps;
} rows[NUM_ROWS] = {
    {"BOTH_DEATH1", 15},   {"BOTH_DEAD1", 15},  {"BOTH_DEATH2", 15},  {"BOTH_DEAD2", 15},
    {"BOTH_DEATH3", 15},   {"BOTH_DEAD3", 15},  {"TORSO_GESTURE", 8}, {"TORSO_ATTACK", 15},
    {"TORSO_ATTACK2", 15}, {"TORSO_DROP", 20},  {"TORSO_RAISE", 20},  {"TORSO_STAND", 15},
    {"TORSO_STAND2", 15},  {"LEGS_WALKCR", 12}, {"LEGS_WALK", 12},    {"LEGS_RUN", 15},
    {"LEGS_BACK", 15},     {"LEGS_SWIM", 12},   {"LEGS_JUMP", 15},    {"LEGS_LAND", 12},
    {"LEGS_JUMPB", 15},    {"LEGS_LANDB", 12},  {"LEGS_IDLE", 8},     {"LEGS_IDLECR", 8},
    {"LEGS_TURN", 12},
};

bool make_animations(lm_buffer *out, lm_error *error) {
    (void)error;
    static const char head[] = "// Tick, a clockwork knight\n\nsex n\nfootsteps mech\n\n"
                               "// first frame, frames, looping frames, frames per second\n";
    lm_buffer_append(out, head, sizeof head - 1);
    int first = 0;
    for (int i = 0; i < NUM_ROWS; i++) {
        int count = clips[i].count;
        bool loops = count > 1 && !clips[i].once;
        char line[64];
        int used = snprintf(line, sizeof line, "%d\t%d\t%d\t%d\t// %s\n", count ? first : first - 1,
                            count ? count : 1, loops ? count : 0, rows[i].fps, rows[i].name);
        lm_buffer_append(out, line, (size_t)used);
        first += count;
    }
    return !out->failed;
}

/* ---- Parts --------------------------------------------------------------------------------- */

enum {
    MAX_FRAMES = 128,
    MAX_TAGS = 3
};

typedef struct part {
    const char *file, *surface;
    struct mesh mesh;
    int num_frames, num_tags;
    const char *tags[MAX_TAGS];
    transform tag[MAX_FRAMES][MAX_TAGS];
    char names[MAX_FRAMES][16];
    lm_vec3 position[MAX_FRAMES][MAX_ST], normal[MAX_FRAMES][MAX_ST];
} part;

/* Adds a frame, in which tag number i is on `tags[i]`. `origin`: of the part, in the pose. */
static void add_frame(part *p, transform joints[NUM_JOINTS], const transform *tags, lm_vec3 origin,
                      const char name[16]) {
    int f = p->num_frames++;
    for (int i = 0; i < NUM_JOINTS; i++)
        joints[i].origin = subtract(joints[i].origin, origin);
    for (int i = 0; i < p->num_tags; i++) {
        p->tag[f][i] = tags[i];
        p->tag[f][i].origin = subtract(tags[i].origin, origin);
    }
    pose_mesh(&p->mesh, joints, p->position[f], p->normal[f]);
    memcpy(p->names[f], name, sizeof p->names[f]);
}

/* Returns a frame of the legs: those of both parts, then their own. */
static bool legs_frame(int frame, struct pose *pose, char name[16]) {
    int both = clips[0].count + clips[2].count + clips[4].count;
    int skipped = NUM_BOTH + NUM_TORSO;
    return frame < both ? clip_frame(clips, NUM_BOTH, frame, pose, name)
                        : clip_frame(clips + skipped, NUM_ROWS - skipped, frame - both, pose, name);
}

static const transform at_origin = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

static void build_lower(part *p) {
    struct pose pose;
    transform joints[NUM_JOINTS];
    char name[16] = {0};
    *p = (part){.file = "lower.md3", .surface = "l_legs", .num_tags = 1, .tags = {"tag_torso"}};
    for (int side = LEFT; side <= RIGHT; side++) {
        add_part(&p->mesh, THIGH_LEFT + side, CHART_THIGH, 1);
        add_part(&p->mesh, BOOT_LEFT + side, CHART_BOOT, 1);
    }
    while (p->num_frames < MAX_FRAMES && legs_frame(p->num_frames, &pose, name)) {
        pose_joints(&pose, joints);
        add_frame(p, joints, &joints[PELVIS], at_origin.origin, name);
    }
}

/* tag_weapon points along the right forearm. */
static void build_upper(part *p) {
    struct pose pose;
    transform joints[NUM_JOINTS];
    char name[16] = {0};
    *p = (part){.file = "upper.md3",
                .surface = "u_torso",
                .num_tags = 3,
                .tags = {"tag_torso", "tag_head", "tag_weapon"}};
    add_part(&p->mesh, BODY, CHART_BODY, 1);
    add_part(&p->mesh, KEY, CHART_KEY, 1);
    for (int side = LEFT; side <= RIGHT; side++) {
        add_part(&p->mesh, UPPER_ARM_LEFT + side, CHART_UPPER_ARM, 1);
        add_part(&p->mesh, FOREARM_LEFT + side, CHART_FOREARM, 1);
    }
    static const transform hand = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}, {2, 0, -8.5f}};
    while (p->num_frames < MAX_FRAMES &&
           clip_frame(clips, NUM_BOTH + NUM_TORSO, p->num_frames, &pose, name)) {
        pose.pelvis = (angles){0, 0, 0};
        pose_joints(&pose, joints);
        const transform tags[] = {joints[PELVIS], joints[HEAD],
                                  combine(&joints[FOREARM_RIGHT], &hand)};
        add_frame(p, joints, tags, joints[PELVIS].origin, name);
    }
}

static void build_head(part *p) {
    static const struct pose pose = {.jaw = 2};
    transform joints[NUM_JOINTS] = {0};
    *p = (part){.file = "head.md3", .surface = "h_head", .num_tags = 1, .tags = {"tag_head"}};
    add_part(&p->mesh, HEAD, CHART_SKULL, 1);
    add_part(&p->mesh, HEAD, CHART_CREST, 1);
    add_part(&p->mesh, JAW, CHART_JAW, 1);
    add_part(&p->mesh, EYE_LEFT, CHART_EYE, 1);
    add_part(&p->mesh, EYE_RIGHT, CHART_EYE, 1);
    pose_head(&pose, joints);
    add_frame(p, joints, &at_origin, at_origin.origin, "head\0\0\0\0\0\0\0\0\0\0\0");
}

/* ---- Writing ------------------------------------------------------------------------------- */

static void put_vertices(part *p, int frame, lm_buffer *out) {
    for (int i = 0; i < p->mesh.num_st; i++) {
        lm_vec3 *at = &p->position[frame][i];
        lm_md3_xyz_normal vertex = {.v = {(int16_t)nearest(at->x * 64),
                                          (int16_t)nearest(at->y * 64),
                                          (int16_t)nearest(at->z * 64)}};
        uint8_t rho, sigma;
        lm_nearest_normal_angles(&p->normal[frame][i], &rho, &sigma);
        vertex.normal = (uint16_t)(rho | sigma << 8);
        uint8_t *bytes = lm_buffer_reserve(out, LM_MD3_XYZ_NORMAL_SIZE);
        if (bytes)
            lm_md3_put_xyz_normal(bytes, &vertex);
        *at = (lm_vec3){(float)vertex.v[0] / 64, (float)vertex.v[1] / 64, (float)vertex.v[2] / 64};
    }
}

static void put_tags(const part *p, int frame, lm_buffer *out) {
    for (int i = 0; i < p->num_tags; i++) {
        const transform *at = &p->tag[frame][i];
        lm_md3_tag tag = {.origin = at->origin, .axis = {at->x, at->y, at->z}};
        memcpy(tag.name, p->tags[i], strlen(p->tags[i]));
        uint8_t *bytes = lm_buffer_reserve(out, LM_MD3_TAG_SIZE);
        if (bytes)
            lm_md3_put_tag(bytes, &tag);
    }
}

static bool write_part(part *p, lm_buffer *out, lm_error *error) {
    static const uint8_t shader[LM_MD3_SHADER_SIZE] = "models/players/tick/tick.pcx";
    lm_buffer frames = {0}, tags = {0}, triangles = {0}, st = {0}, vertices = {0};
    put_mesh(&p->mesh, &triangles, &st);
    for (int f = 0; f < p->num_frames; f++) {
        put_vertices(p, f, &vertices);
        put_frame(&frames, &(struct points){p->position[f], p->mesh.num_st}, 1, p->names[f]);
        put_tags(p, f, &tags);
    }
    lm_md3_surface surface = {.ident = LM_MD3_IDENT,
                              .num_frames = p->num_frames,
                              .num_shaders = 1,
                              .num_verts = p->mesh.num_st,
                              .num_triangles = p->mesh.num_triangles,
                              .triangles = triangles.data,
                              .shaders = shader,
                              .st = st.data,
                              .xyz_normals = vertices.data};
    snprintf((char *)surface.name, sizeof surface.name, "%s", p->surface);
    lm_md3 md3 = {.num_frames = p->num_frames,
                  .num_tags = p->num_tags,
                  .num_surfaces = 1,
                  .frames = frames.data,
                  .tags = tags.data,
                  .surfaces = &surface};
    snprintf((char *)md3.name, sizeof md3.name, "models/players/tick/%s", p->file);
    bool there =
        !(frames.failed || tags.failed || triangles.failed || st.failed || vertices.failed);
    bool written = there && lm_md3_write(&md3, out, error);
    lm_buffer_free(&frames);
    lm_buffer_free(&tags);
    lm_buffer_free(&triangles);
    lm_buffer_free(&st);
    lm_buffer_free(&vertices);
    return written;
}

static bool make_part(void (*build)(part *p), lm_buffer *out, lm_error *error) {
    part *p = malloc(sizeof *p);
    if (!p)
        return false;
    build(p);
    bool written = write_part(p, out, error);
    free(p);
    return written;
}

bool make_lower(lm_buffer *out, lm_error *error) {
    return make_part(build_lower, out, error);
}

bool make_upper(lm_buffer *out, lm_error *error) {
    return make_part(build_upper, out, error);
}

bool make_head(lm_buffer *out, lm_error *error) {
    return make_part(build_head, out, error);
}
