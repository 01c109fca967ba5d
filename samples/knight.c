/* The whole knight as an MD2. */
#include "clips.h"
#include "elements.h"
#include "gl_commands.h"
#include "tick.h"

#include "lerpmesh/base.h"

#include <stdlib.h>
#include <string.h>

/* ---- Movements ----------------------------------------------------------------------------- */

/* A hit from the front: he bends back and throws up his arms. */
static struct pose pain_front(float phase) {
    struct pose p = at_ease();
    float hit = hump(phase, -0.3f, 1);
    for (int side = LEFT; side <= RIGHT; side++) {
        p.leg[side] = (limb){22 * hit, 5, 26 * hit, 0};
        p.arm[side] = (limb){40 * hit, 14 + 44 * hit, 16 + 30 * hit, 0};
    }
    p.body.pitch = -20 * hit;
    p.head = (angles){-16 * hit, 14 * hit, 0};
    p.jaw = 24 * hit;
    return p;
}

/* A hit from the left: he turns and doubles up. */
static struct pose pain_side(float phase) {
    struct pose p = at_ease();
    float hit = hump(phase, -0.3f, 1);
    p.leg[LEFT] = (limb){34 * hit, 6, 58 * hit, 0};
    p.leg[RIGHT] = (limb){12 * hit, 6, 20 * hit, 0};
    p.arm[LEFT] = (limb){30 * hit, 14, 16 + 74 * hit, -20 * hit};
    p.arm[RIGHT] = (limb){-24 * hit, 14 + 30 * hit, 16, 0};
    p.body = (angles){16 * hit, -24 * hit, 12 * hit};
    p.head = (angles){10 * hit, -16 * hit, 12 * hit};
    p.jaw = 14 * hit;
    return p;
}

static const struct clip clips[] = {
    {"stand", 1, 12, stand, false},    {"run", 1, 8, run, false},
    {"jump", 1, 9, jump, true},        {"pain", 101, 4, pain_front, true},
    {"pain", 201, 4, pain_side, true}, {"wave", 1, 12, wave, true},
};

/* ---- The document -------------------------------------------------------------------------- */

enum {
    NUM_CLIPS = sizeof clips / sizeof *clips,
    MAX_FRAMES = 64
};

typedef struct knight {
    struct mesh mesh;
    int num_frames;
    char names[MAX_FRAMES][16];
    lm_vec3 position[MAX_FRAMES][MAX_VERTICES];
    lm_vec3 normal[MAX_FRAMES][MAX_VERTICES];
    lm_vec3 lowest, highest; /* of all frames */
} knight;

static void build(struct mesh *mesh) {
    static const struct {
        enum joint joint;
        enum chart chart;
    } parts[] = {
        {BODY, CHART_BODY},
        {HEAD, CHART_SKULL},
        {JAW, CHART_JAW},
        {EYE_LEFT, CHART_EYE},
        {EYE_RIGHT, CHART_EYE},
        {HEAD, CHART_CREST},
        {KEY, CHART_KEY},
        {UPPER_ARM_LEFT, CHART_UPPER_ARM},
        {UPPER_ARM_RIGHT, CHART_UPPER_ARM},
        {FOREARM_LEFT, CHART_FOREARM},
        {FOREARM_RIGHT, CHART_FOREARM},
        {THIGH_LEFT, CHART_THIGH},
        {THIGH_RIGHT, CHART_THIGH},
        {BOOT_LEFT, CHART_BOOT},
        {BOOT_RIGHT, CHART_BOOT},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_part(mesh, parts[i].joint, parts[i].chart, 1);
}

static void enclose(knight *k, lm_vec3 p) {
    k->lowest =
        (lm_vec3){fminf(k->lowest.x, p.x), fminf(k->lowest.y, p.y), fminf(k->lowest.z, p.z)};
    k->highest =
        (lm_vec3){fmaxf(k->highest.x, p.x), fmaxf(k->highest.y, p.y), fmaxf(k->highest.z, p.z)};
}

static void animate(knight *k) {
    struct pose pose;
    transform joints[NUM_JOINTS];
    while (k->num_frames < MAX_FRAMES &&
           clip_frame(clips, NUM_CLIPS, k->num_frames, &pose, k->names[k->num_frames])) {
        pose_joints(&pose, joints);
        for (int i = 0; i < k->mesh.num_vertices; i++) {
            const transform *joint = &joints[k->mesh.joint[i]];
            lm_vec3 *position = &k->position[k->num_frames][i];
            *position = move(joint, k->mesh.position[i]);
            k->normal[k->num_frames][i] = rotate(joint, k->mesh.normal[i]);
            enclose(k, *position);
        }
        k->num_frames++;
    }
}

static uint8_t quantise(float value, float scale, float translate) {
    int step = nearest((value - translate) / scale);
    return (uint8_t)(step < 0 ? 0 : step > 255 ? 255 : step);
}

/* Uses one scale for all frames, unlike id's tool with one for each: static vertices have the same
 * bytes in every frame and do not jitter. */
static void put_frames(const knight *k, lm_buffer *out) {
    lm_vec3 low = k->lowest, size = subtract(k->highest, k->lowest);
    lm_md2_frame frame = {.scale = {size.x / 255, size.y / 255, size.z / 255}, .translate = low};
    for (int f = 0; f < k->num_frames; f++) {
        memcpy(frame.name, k->names[f], sizeof frame.name);
        uint8_t *bytes = lm_buffer_reserve(
            out, LM_MD2_FRAME_HEADER_SIZE + LM_MD2_VERTEX_SIZE * (size_t)k->mesh.num_vertices);
        if (!bytes)
            return;
        lm_md2_put_frame(bytes, &frame);
        bytes += LM_MD2_FRAME_HEADER_SIZE;
        for (int i = 0; i < k->mesh.num_vertices; i++, bytes += LM_MD2_VERTEX_SIZE) {
            lm_vec3 p = k->position[f][i];
            lm_md2_put_vertex(bytes, &(lm_md2_vertex){{quantise(p.x, frame.scale.x, low.x),
                                                       quantise(p.y, frame.scale.y, low.y),
                                                       quantise(p.z, frame.scale.z, low.z)},
                                                      lm_nearest_normal_162(&k->normal[f][i])});
        }
    }
}

static void put_triangles(const struct mesh *mesh, lm_buffer *st, lm_buffer *triangles) {
    for (int i = 0; i < mesh->num_st; i++) {
        uint8_t *bytes = lm_buffer_reserve(st, LM_MD2_ST_SIZE);
        if (bytes)
            lm_md2_put_st(bytes, &mesh->st[i]);
    }
    for (int i = 0; i < mesh->num_triangles; i++) {
        uint8_t *bytes = lm_buffer_reserve(triangles, LM_MD2_TRIANGLE_SIZE);
        if (bytes)
            lm_md2_put_triangle(bytes, &mesh->triangle[i]);
    }
}

static bool write_knight(const knight *k, lm_buffer *out, lm_error *error) {
    static const uint8_t skin[LM_MD2_SKIN_SIZE] = "players/tick/tick.pcx";
    lm_buffer st = {0}, triangles = {0}, frames = {0}, glcmds = {0};
    put_triangles(&k->mesh, &st, &triangles);
    put_frames(k, &frames);
    put_gl_commands(&k->mesh, &glcmds);
    lm_md2 md2 = {
        .skinwidth = SKIN_SIZE,
        .skinheight = SKIN_SIZE,
        .framesize = LM_MD2_FRAME_HEADER_SIZE + LM_MD2_VERTEX_SIZE * k->mesh.num_vertices,
        .num_skins = 1,
        .num_xyz = k->mesh.num_vertices,
        .num_st = k->mesh.num_st,
        .num_tris = k->mesh.num_triangles,
        .num_glcmds = (int32_t)(glcmds.size / LM_MD2_GL_COMMAND_SIZE),
        .num_frames = k->num_frames,
        .skins = skin,
        .st = st.data,
        .tris = triangles.data,
        .frames = frames.data,
        .glcmds = glcmds.data,
    };
    bool there = !(st.failed || triangles.failed || frames.failed || glcmds.failed);
    bool written = there && lm_md2_write(&md2, out, error);
    lm_buffer_free(&st);
    lm_buffer_free(&triangles);
    lm_buffer_free(&frames);
    lm_buffer_free(&glcmds);
    return written;
}

bool make_md2(lm_buffer *out, lm_error *error) {
    knight *k = calloc(1, sizeof *k);
    if (!k)
        return false;
    k->lowest = (lm_vec3){1000, 1000, 1000};
    k->highest = (lm_vec3){-1000, -1000, -1000};
    build(&k->mesh);
    animate(k);
    bool written = write_knight(k, out, error);
    free(k);
    return written;
}
