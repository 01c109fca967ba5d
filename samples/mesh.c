/* Defines Tick's parts as tubes of rings, and makes meshes from them. */
#include "elements.h"
#include "tick.h"

const rectangle charts[NUM_CHARTS] = {
    [CHART_BODY] = {0, 0, 160, 88},       [CHART_SKULL] = {0, 88, 160, 88},
    [CHART_JAW] = {0, 176, 112, 40},      [CHART_CREST] = {112, 176, 64, 40},
    [CHART_EYE] = {176, 176, 48, 40},     [CHART_KEY] = {0, 216, 64, 40},
    [CHART_UPPER_ARM] = {160, 0, 96, 36}, [CHART_FOREARM] = {160, 36, 96, 52},
    [CHART_THIGH] = {160, 88, 96, 28},    [CHART_BOOT] = {160, 116, 96, 60},
};

/* An ellipse across the axis at `t`, from top to bottom (or from front to back). Around z its radii
 * a, b and its shift u, v are along x and y; around x they are along y and z. The first and the
 * last ring have no radius: they are points. */
struct ring {
    float t, a, b, u, v;
};

struct part {
    bool around_x;
    int corners, num_rings;
    struct ring rings[MAX_RINGS];
};

static const struct part parts[NUM_CHARTS] = {
    [CHART_BODY] = {false,
                    10,
                    8,
                    {{18, 0, 0, 0, 0},
                     {17, 4.5f, 5.2f, 0, 0},
                     {15, 7.0f, 8.6f, 0, 0},
                     {10, 8.6f, 10, 0, 0},
                     {5, 8.6f, 9.8f, 0, 0},
                     {1.5f, 7.8f, 8.8f, 0, 0},
                     {-1.5f, 5.6f, 6.6f, 0, 0},
                     {-3, 0, 0, 0, 0}}},
    [CHART_SKULL] = {false,
                     10,
                     7,
                     {{17.8f, 0, 0, 0, 0},
                      {16.4f, 4.9f, 4.9f, 0, 0},
                      {13, 8.3f, 8.3f, 0, 0},
                      {8, 9.4f, 9.4f, 0, 0},
                      {3, 8.4f, 8.4f, 0, 0},
                      {0.2f, 5, 5, 0, 0},
                      {-0.3f, 0, 0, 0, 0}}},
    [CHART_JAW] = {false,
                   8,
                   5,
                   {{0.3f, 0, 0, 4, 0},
                    {-0.2f, 6.4f, 7.6f, 3.4f, 0},
                    {-2.4f, 6.6f, 7.2f, 3.6f, 0},
                    {-4.4f, 4.6f, 5, 4, 0},
                    {-4.9f, 0, 0, 4, 0}}},
    [CHART_EYE] = {true,
                   6,
                   4,
                   {{2.7f, 0, 0, 0, 0},
                    {1.9f, 1.8f, 1.8f, 0, 0},
                    {0, 2.7f, 2.7f, 0, 0},
                    {-2.6f, 0, 0, 0, 0}}},
    [CHART_CREST] = {true,
                     4,
                     7,
                     {{8.2f, 0, 0, 0, 12.6f},
                      {6.2f, 1.3f, 2.4f, 0, 15.4f},
                      {1.4f, 1.7f, 3.4f, 0, 17.4f},
                      {-4, 1.8f, 4.0f, 0, 16.6f},
                      {-8.6f, 1.6f, 3.8f, 0, 12.8f},
                      {-11.4f, 1.1f, 2.4f, 0, 8.2f},
                      {-12.4f, 0, 0, 0, 5.4f}}},
    [CHART_KEY] = {true,
                   6,
                   7,
                   {{0.6f, 0, 0, 0, 0},
                    {0.5f, 0.9f, 0.9f, 0, 0},
                    {-3.4f, 0.9f, 0.9f, 0, 0},
                    {-4.2f, 3.6f, 1.0f, 0, 0},
                    {-6, 5.2f, 1.2f, 0, 0},
                    {-7.8f, 3.4f, 0.9f, 0, 0},
                    {-8.2f, 0, 0, 0, 0}}},
    [CHART_UPPER_ARM] = {false,
                         6,
                         7,
                         {{3.2f, 0, 0, 0, 0},
                          {2.2f, 3, 3, 0, 0},
                          {0, 4.2f, 4.2f, 0, 0},
                          {-2.6f, 3.4f, 3.4f, 0, 0},
                          {-3.2f, 2, 2, 0, 0},
                          {-8.4f, 2, 2, 0, 0},
                          {-9, 0, 0, 0, 0}}},
    [CHART_FOREARM] = {false,
                       6,
                       7,
                       {{1.5f, 0, 0, 0, 0},
                        {0.8f, 2.1f, 2.1f, 0, 0},
                        {-3.6f, 2.4f, 2.4f, 0, 0},
                        {-4.4f, 3.5f, 3.5f, 0, 0},
                        {-8, 3.7f, 3.7f, 0, 0},
                        {-10.4f, 2.4f, 2.4f, 0, 0},
                        {-11, 0, 0, 0, 0}}},
    [CHART_THIGH] =
        {false,
         6,
         5,
         {{1.5f, 0, 0, 0, 0},
          {0.5f, 3.4f, 3.4f, 0, 0},
          {-4, 3.4f, 3.4f, 0, 0},
          {-7.6f, 2.7f, 2.7f, 0, 0},
          {-8.6f, 0, 0, 0, 0}}},
    [CHART_BOOT] = {false,
                    8,
                    7,
                    {{1.2f, 0, 0, 0, 0},
                     {0.6f, 2.8f, 2.8f, 0, 0},
                     {-4.2f, 3.0f, 3.0f, 0, 0},
                     {-5, 4.0f, 4.0f, 0.2f, 0},
                     {-7.2f, 4.6f, 3.7f, 1, 0},
                     {-10, 5.8f, 3.9f, 2, 0},
                     {-10, 0, 0, 2, 0}}},
};

int chart_rows(enum chart chart, int rows[MAX_RINGS]) {
    const struct part *part = &parts[chart];
    float along[MAX_RINGS] = {0};
    for (int i = 1; i < part->num_rings; i++) {
        const struct ring *a = &part->rings[i - 1], *b = &part->rings[i];
        lm_vec3 step = {b->t - a->t, b->a - a->a, b->v - a->v};
        along[i] = along[i - 1] + length(step);
    }
    float whole = along[part->num_rings - 1];
    for (int i = 0; i < part->num_rings; i++)
        rows[i] = charts[chart].y + nearest(along[i] / whole * (float)(charts[chart].height - 1));
    return part->num_rings;
}

/* Corner 0, the seam, is at the back (or at the right hand); the next ones follow to the right. */
static lm_vec3 ring_point(const struct part *part, const struct ring *ring, int corner,
                          int corners) {
    float angle = 180 + 360 * (float)corner / (float)corners;
    float p = multiply_add(ring->a, cosine(angle), ring->u);
    float q = multiply_add(ring->b, sine(angle), ring->v);
    return part->around_x ? (lm_vec3){ring->t, p, q} : (lm_vec3){p, q, ring->t};
}

/* The first vertex and texture coordinates of a ring in the mesh. */
struct ring_start {
    int vertex, st;
    bool point;
};

static struct ring_start add_ring(struct mesh *mesh, enum joint joint, enum chart chart, int index,
                                  int row, int corners) {
    const struct part *part = &parts[chart];
    const struct ring *ring = &part->rings[index];
    struct ring_start start = {mesh->num_vertices, mesh->num_st, ring->a <= 0};
    for (int i = 0; i < (start.point ? 1 : corners); i++) {
        mesh->joint[mesh->num_vertices] = (uint8_t)joint;
        mesh->position[mesh->num_vertices++] = ring_point(part, ring, i, corners);
    }
    /* A point has one pair of texture coordinates, in the middle, so that it can be drawn as a fan.
     * A ring has one more than corners, because its seam has two. */
    for (int i = 0; i < (start.point ? 1 : corners + 1); i++) {
        float across = start.point ? 0.5f : (float)i / (float)corners;
        int column = nearest(across * (float)(charts[chart].width - 1));
        mesh->st_vertex[mesh->num_st] = (uint16_t)(start.vertex + (start.point ? 0 : i % corners));
        mesh->st[mesh->num_st++] = (lm_md2_st){(int16_t)(charts[chart].x + column), (int16_t)row};
    }
    return start;
}

static void add_triangle(struct mesh *mesh, int a, int b, int c) {
    lm_md2_triangle *triangle = &mesh->triangle[mesh->num_triangles++];
    const int st[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        triangle->st[i] = (uint16_t)st[i];
        triangle->vertex[i] = mesh->st_vertex[st[i]];
    }
}

static void join_rings(struct mesh *mesh, struct ring_start upper, struct ring_start lower,
                       int corners) {
    for (int i = 0; i < corners; i++) {
        int above = upper.st + (upper.point ? 0 : i), below = lower.st + (lower.point ? 0 : i);
        if (!upper.point)
            add_triangle(mesh, above, above + 1, lower.point ? below : below + 1);
        if (!lower.point)
            add_triangle(mesh, above, below + 1, below);
    }
}

/* Gives each vertex the sum of its triangles' normals, weighted by area. */
static void add_normals(struct mesh *mesh, int first_vertex, int first_triangle) {
    for (int i = first_vertex; i < mesh->num_vertices; i++)
        mesh->normal[i] = (lm_vec3){0, 0, 0};
    for (int i = first_triangle; i < mesh->num_triangles; i++) {
        const uint16_t *v = mesh->triangle[i].vertex;
        lm_vec3 a = mesh->position[v[0]];
        lm_vec3 normal =
            cross(subtract(mesh->position[v[2]], a), subtract(mesh->position[v[1]], a));
        for (int k = 0; k < 3; k++)
            mesh->normal[v[k]] = add(mesh->normal[v[k]], normal);
    }
}

void add_part(struct mesh *mesh, enum joint joint, enum chart chart, int detail) {
    int rows[MAX_RINGS] = {0}, num_rings = chart_rows(chart, rows);
    int first_vertex = mesh->num_vertices, first_triangle = mesh->num_triangles;
    int corners = parts[chart].corners * detail;
    struct ring_start upper = add_ring(mesh, joint, chart, 0, rows[0], corners);
    for (int i = 1; i < num_rings; i++) {
        struct ring_start lower = add_ring(mesh, joint, chart, i, rows[i], corners);
        join_rings(mesh, upper, lower, corners);
        upper = lower;
    }
    add_normals(mesh, first_vertex, first_triangle);
}

void pose_mesh(const struct mesh *mesh, const transform joints[NUM_JOINTS], lm_vec3 *position,
               lm_vec3 *normal) {
    for (int i = 0; i < mesh->num_st; i++) {
        int vertex = mesh->st_vertex[i];
        const transform *joint = &joints[mesh->joint[vertex]];
        position[i] = move(joint, mesh->position[vertex]);
        normal[i] = rotate(joint, mesh->normal[vertex]);
    }
}

void put_mesh(const struct mesh *mesh, lm_buffer *triangles, lm_buffer *st) {
    for (int i = 0; i < mesh->num_triangles; i++) {
        const uint16_t *corner = mesh->triangle[i].st;
        uint8_t *bytes = lm_buffer_reserve(triangles, LM_VERTEX_MESH_TRIANGLE_SIZE);
        if (bytes)
            lm_vertex_mesh_put_triangle(bytes, (uint32_t[]){corner[0], corner[1], corner[2]});
    }
    for (int i = 0; i < mesh->num_st; i++) {
        uint8_t *bytes = lm_buffer_reserve(st, LM_VERTEX_MESH_ST_SIZE);
        if (bytes)
            lm_vertex_mesh_put_st(bytes, (lm_vec2){((float)mesh->st[i].s + 0.5f) / SKIN_SIZE,
                                                   ((float)mesh->st[i].t + 0.5f) / SKIN_SIZE});
    }
}

/* Rounds bounds outwards to quarters: no vertex lies outside, however a reader rounds. */
static float outwards(float value, float direction) {
    return direction * (float)(nearest(value * direction * 4 + 0.5f) + 1) / 4;
}

void put_frame(lm_buffer *out, const struct points *sets, int num_sets, const char name[16]) {
    lm_vec3 low = {1000, 1000, 1000}, high = {-1000, -1000, -1000};
    for (int i = 0; i < num_sets; i++)
        for (int v = 0; v < sets[i].count; v++) {
            lm_vec3 p = sets[i].at[v];
            low = (lm_vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
            high = (lm_vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
        }
    low = (lm_vec3){outwards(low.x, -1), outwards(low.y, -1), outwards(low.z, -1)};
    high = (lm_vec3){outwards(high.x, 1), outwards(high.y, 1), outwards(high.z, 1)};
    lm_vertex_mesh_frame frame = {.bbox_min = low, .bbox_max = high};
    frame.local_origin =
        (lm_vec3){(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    float radius = 0;
    for (int i = 0; i < num_sets; i++)
        for (int v = 0; v < sets[i].count; v++)
            radius = fmaxf(radius, length(subtract(sets[i].at[v], frame.local_origin)));
    frame.radius = outwards(radius, 1);
    memcpy(frame.name, name, sizeof frame.name);
    uint8_t *bytes = lm_buffer_reserve(out, LM_VERTEX_MESH_FRAME_SIZE);
    if (bytes)
        lm_vertex_mesh_put_frame(bytes, &frame);
}
