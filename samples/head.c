/* The knight's head as an MDC: it talks, looks around and laughs. */
#include "clips.h"
#include "elements.h"
#include "tick.h"

#include "lerpmesh/base.h"
#include "lerpmesh/mdc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE_STEP (1.0f / 64)
#define COMP_STEP 0.05f
#define COMP_REACH 127

/* ---- Movements ----------------------------------------------------------------------------- */

static struct pose idle(float phase) {
    struct pose p = {.head = {2 * sine(360 * phase), 0, 0}};
    p.eyes = (angles){0, 24 * sine(360 * phase), 0};
    return p;
}

static struct pose talk(float phase) {
    struct pose p = {.head = {5 * sine(720 * phase), 4 * sine(360 * phase), 0}};
    float open = sine(1080 * phase) + 0.5f * sine(1800 * phase);
    p.jaw = open > 0 ? 24 * open : 0;
    p.eyes.yaw = 6 * sine(360 * phase);
    return p;
}

static struct pose look(float phase) {
    struct pose p = {.head = {-6 * sine(720 * phase), 58 * sine(360 * phase), 0}};
    p.eyes.yaw = 26 * sine(360 * phase + 50);
    return p;
}

static struct pose laugh(float phase) {
    float back = sine(180 * phase), shake = sine(1440 * phase);
    struct pose p = {.head = {(-26 + 6 * shake) * back, 0, 14 * back}};
    p.jaw = (26 + 8 * shake) * back;
    p.eyes.pitch = -18 * back;
    return p;
}

static const struct clip clips[] = {{"idle", 1, 8, idle, false},
                                    {"talk", 1, 12, talk, false},
                                    {"look", 1, 12, look, false},
                                    {"laugh", 1, 10, laugh, true}};

enum {
    NUM_CLIPS = sizeof clips / sizeof *clips,
    MAX_FRAMES = 48,
    NUM_TAGS = 2
};

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Vertices are those of the mesh's texture coordinates: MDC has one pair per vertex. */
typedef struct surface {
    const char *name;
    bool base_at_rest; /* the first base frame is the rest pose, which need not be a frame */
    struct mesh mesh;
    lm_vec3 position[MAX_FRAMES][MAX_ST], normal[MAX_FRAMES][MAX_ST];
    lm_vec3 rest[MAX_ST], rest_normal[MAX_ST];
    lm_vec3 decoded[MAX_FRAMES][MAX_ST]; /* as decoded by readers */
    int num_base_frames, num_comp_frames;
    lm_mdc_base_vertex base[MAX_FRAMES][MAX_ST];
    lm_buffer triangles, st, base_vertices, comp_vertices, base_table, comp_table;
} surface;

enum {
    NUM_SURFACES = 4
};

typedef struct head {
    int num_frames;
    char names[MAX_FRAMES][16];
    transform skull[MAX_FRAMES], jaw[MAX_FRAMES];
    struct pose poses[MAX_FRAMES];
    surface surfaces[NUM_SURFACES];
} head;

static void build(head *h) {
    static const char *const names[NUM_SURFACES] = {"h_skull", "h_jaw", "h_eyes", "h_crest"};
    for (int i = 0; i < NUM_SURFACES; i++)
        h->surfaces[i].name = names[i];
    h->surfaces[2].base_at_rest = true;
    add_part(&h->surfaces[0].mesh, HEAD, CHART_SKULL, 2);
    add_part(&h->surfaces[1].mesh, JAW, CHART_JAW, 2);
    add_part(&h->surfaces[2].mesh, EYE_LEFT, CHART_EYE, 2);
    add_part(&h->surfaces[2].mesh, EYE_RIGHT, CHART_EYE, 2);
    add_part(&h->surfaces[3].mesh, HEAD, CHART_CREST, 2);
}

static void animate(head *h) {
    transform joints[NUM_JOINTS];
    struct pose rest = {.jaw = 6, .eyes = {20, 0, 0}};
    pose_head(&rest, joints);
    for (int i = 0; i < NUM_SURFACES; i++)
        pose_mesh(&h->surfaces[i].mesh, joints, h->surfaces[i].rest, h->surfaces[i].rest_normal);
    int f = 0;
    while (f < MAX_FRAMES && clip_frame(clips, NUM_CLIPS, f, &h->poses[f], h->names[f])) {
        pose_head(&h->poses[f], joints);
        h->skull[f] = joints[HEAD];
        h->jaw[f] = joints[JAW];
        for (int i = 0; i < NUM_SURFACES; i++)
            pose_mesh(&h->surfaces[i].mesh, joints, h->surfaces[i].position[f],
                      h->surfaces[i].normal[f]);
        f++;
    }
    h->num_frames = f;
}

/* ---- Base and compressed frames ------------------------------------------------------------ */

static void add_base_frame(surface *s, const lm_vec3 *position, const lm_vec3 *normal) {
    lm_mdc_base_vertex *base = s->base[s->num_base_frames++];
    for (int i = 0; i < s->mesh.num_st; i++) {
        const float v[3] = {position[i].x, position[i].y, position[i].z};
        uint8_t rho, sigma;
        lm_nearest_normal_angles(&normal[i], &rho, &sigma);
        for (int k = 0; k < 3; k++)
            base[i].v[k] = (int16_t)nearest(v[k] * 64);
        base[i].normal = (uint16_t)(rho | sigma << 8);
        uint8_t *bytes = lm_buffer_reserve(&s->base_vertices, LM_MDC_BASE_VERTEX_SIZE);
        if (bytes)
            lm_mdc_put_base_vertex(bytes, &base[i]);
    }
}

/* Computes the steps from a base vertex to a point. Returns false if they exceed a byte. */
static bool offset_from(const lm_mdc_base_vertex *base, lm_vec3 point, int steps[3]) {
    const float v[3] = {point.x, point.y, point.z};
    bool near = true;
    for (int k = 0; k < 3; k++) {
        steps[k] = nearest((v[k] - (float)base->v[k] * BASE_STEP) / COMP_STEP);
        near = near && steps[k] >= -COMP_REACH && steps[k] <= COMP_REACH;
    }
    return near;
}

static bool can_serve(const surface *s, const lm_mdc_base_vertex *base, const lm_vec3 *position) {
    int steps[3];
    for (int i = 0; i < s->mesh.num_st; i++)
        if (!offset_from(&base[i], position[i], steps))
            return false;
    return true;
}

/* Returns true if the frame equals the base frame: all steps are 0. */
static bool equals_base(const surface *s, const lm_mdc_base_vertex *base, const lm_vec3 *position) {
    int steps[3];
    for (int i = 0; i < s->mesh.num_st; i++)
        if (!offset_from(&base[i], position[i], steps) || steps[0] || steps[1] || steps[2])
            return false;
    return true;
}

static void put_comp_frame(surface *s, const lm_mdc_base_vertex *base, const lm_vec3 *position,
                           const lm_vec3 *normal) {
    for (int i = 0; i < s->mesh.num_st; i++) {
        int steps[3];
        offset_from(&base[i], position[i], steps);
        lm_mdc_comp_vertex vertex = {.normal = lm_nearest_normal_256(&normal[i])};
        for (int k = 0; k < 3; k++)
            vertex.v[k] = (uint8_t)(steps[k] + COMP_REACH);
        uint8_t *bytes = lm_buffer_reserve(&s->comp_vertices, LM_MDC_COMP_VERTEX_SIZE);
        if (bytes)
            lm_mdc_put_comp_vertex(bytes, &vertex);
    }
    s->num_comp_frames++;
}

static void put_index(lm_buffer *table, int index) {
    uint8_t *bytes = lm_buffer_reserve(table, LM_MDC_FRAME_INDEX_SIZE);
    if (bytes)
        lm_mdc_put_frame_index(bytes, index);
}

static void decode(surface *s, int frame, const lm_mdc_base_vertex *base, bool compressed) {
    for (int i = 0; i < s->mesh.num_st; i++) {
        int steps[3] = {0, 0, 0};
        if (compressed)
            offset_from(&base[i], s->position[frame][i], steps);
        s->decoded[frame][i] =
            (lm_vec3){multiply_add(COMP_STEP, (float)steps[0], (float)base[i].v[0] * BASE_STEP),
                      multiply_add(COMP_STEP, (float)steps[1], (float)base[i].v[1] * BASE_STEP),
                      multiply_add(COMP_STEP, (float)steps[2], (float)base[i].v[2] * BASE_STEP)};
    }
}

/* Compresses each frame against the first base frame that is near enough, or else makes it a new
 * base frame. */
static void compress(surface *s, int num_frames) {
    if (s->base_at_rest)
        add_base_frame(s, s->rest, s->rest_normal);
    for (int f = 0; f < num_frames; f++) {
        int base = 0;
        while (base < s->num_base_frames && !can_serve(s, s->base[base], s->position[f]))
            base++;
        if (base == s->num_base_frames)
            add_base_frame(s, s->position[f], s->normal[f]);
        bool compressed = !equals_base(s, s->base[base], s->position[f]);
        put_index(&s->base_table, base);
        put_index(&s->comp_table, compressed ? s->num_comp_frames : LM_MDC_NO_COMP_FRAME);
        if (compressed)
            put_comp_frame(s, s->base[base], s->position[f], s->normal[f]);
        decode(s, f, s->base[base], compressed);
    }
}

/* ---- Frames and tags ----------------------------------------------------------------------- */

static int16_t angle_steps(float degrees) {
    return (int16_t)nearest(degrees * 32700 / 360);
}

static lm_mdc_tag make_tag(lm_vec3 position, angles a) {
    return (lm_mdc_tag){{(int16_t)nearest(position.x * 64), (int16_t)nearest(position.y * 64),
                         (int16_t)nearest(position.z * 64)},
                        {angle_steps(a.pitch), angle_steps(a.yaw), angle_steps(a.roll)}};
}

/* tag_hat is on the crown; tag_mouth follows the jaw, with the head's orientation. */
static void put_frames(const head *h, lm_buffer *frames, lm_buffer *tags) {
    for (int f = 0; f < h->num_frames; f++) {
        struct points sets[NUM_SURFACES];
        for (int i = 0; i < NUM_SURFACES; i++)
            sets[i] = (struct points){h->surfaces[i].decoded[f], h->surfaces[i].mesh.num_st};
        put_frame(frames, sets, NUM_SURFACES, h->names[f]);
        lm_mdc_tag hat = make_tag(move(&h->skull[f], (lm_vec3){0, 0, 17.5f}), h->poses[f].head);
        lm_mdc_tag mouth = make_tag(move(&h->jaw[f], (lm_vec3){9.5f, 0, 0}), h->poses[f].head);
        uint8_t *bytes = lm_buffer_reserve(tags, NUM_TAGS * LM_MDC_TAG_SIZE);
        if (bytes) {
            lm_mdc_put_tag(bytes, &hat);
            lm_mdc_put_tag(bytes + LM_MDC_TAG_SIZE, &mouth);
        }
    }
}

/* ---- The document -------------------------------------------------------------------------- */

static lm_mdc_surface document_surface(const surface *s) {
    static const uint8_t shader[LM_MDC_SHADER_SIZE] = "models/players/tick/tick.pcx";
    lm_mdc_surface out = {
        .ident = LM_MDC_SURFACE_IDENT,
        .num_comp_frames = s->num_comp_frames,
        .num_base_frames = s->num_base_frames,
        .num_shaders = 1,
        .num_vertices = s->mesh.num_st,
        .num_triangles = s->mesh.num_triangles,
        .triangles = s->triangles.data,
        .shaders = shader,
        .st = s->st.data,
        .base_vertices = s->base_vertices.data,
        .comp_vertices = s->comp_vertices.data,
        .frame_base_frames = s->base_table.data,
        .frame_comp_frames = s->comp_table.data,
    };
    snprintf((char *)out.name, sizeof out.name, "%s", s->name);
    return out;
}

static bool has_failed(const surface *s) {
    return s->triangles.failed || s->st.failed || s->base_vertices.failed ||
           s->comp_vertices.failed || s->base_table.failed || s->comp_table.failed;
}

static bool write_head(const head *h, lm_buffer *out, lm_error *error) {
    static const uint8_t tag_names[NUM_TAGS][LM_MDC_TAG_NAME_SIZE] = {"tag_hat", "tag_mouth"};
    lm_mdc_surface surfaces[NUM_SURFACES];
    lm_buffer frames = {0}, tags = {0};
    bool there = true;
    put_frames(h, &frames, &tags);
    for (int i = 0; i < NUM_SURFACES; i++) {
        surfaces[i] = document_surface(&h->surfaces[i]);
        there = there && !has_failed(&h->surfaces[i]);
    }
    lm_mdc mdc = {.name = "models/players/tick/tick_head.mdc",
                  .num_frames = h->num_frames,
                  .num_tags = NUM_TAGS,
                  .num_surfaces = NUM_SURFACES,
                  .frames = frames.data,
                  .tag_names = tag_names[0],
                  .tags = tags.data,
                  .surfaces = surfaces};
    bool written = there && !frames.failed && !tags.failed && lm_mdc_write(&mdc, out, error);
    lm_buffer_free(&frames);
    lm_buffer_free(&tags);
    return written;
}

static void free_surface(surface *s) {
    lm_buffer_free(&s->triangles);
    lm_buffer_free(&s->st);
    lm_buffer_free(&s->base_vertices);
    lm_buffer_free(&s->comp_vertices);
    lm_buffer_free(&s->base_table);
    lm_buffer_free(&s->comp_table);
}

bool make_mdc(lm_buffer *out, lm_error *error) {
    head *h = calloc(1, sizeof *h);
    if (!h)
        return false;
    build(h);
    animate(h);
    for (int i = 0; i < NUM_SURFACES; i++) {
        compress(&h->surfaces[i], h->num_frames);
        put_mesh(&h->surfaces[i].mesh, &h->surfaces[i].triangles, &h->surfaces[i].st);
    }
    bool written = write_head(h, out, error);
    for (int i = 0; i < NUM_SURFACES; i++)
        free_surface(&h->surfaces[i]);
    free(h);
    return written;
}
