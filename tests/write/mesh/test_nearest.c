/* Compares the search in the tree with a search through all vertices. */
#include "mesh/nearest.h"

#include "encoded.h"

enum {
    FRAMES = 20,
    MOST = 300 /* vertices: fewer than a search examines at most */
};

/* A cloud of vertices, each with one texture coordinate. */
typedef struct cloud {
    float positions[FRAMES * MOST * 3], normals[FRAMES * MOST * 3], st[MOST * 2];
    uint32_t triangles[MOST];
    lm_mesh_surface surface;
    lm_mesh mesh;
    lm_drawn drawn;
} cloud;

/* Coordinates are integers below `side`, and texture coordinates multiples of 1/4, so that all
 * distances are exact and many are equal. Normals lie along the axes. */
static void make_cloud(cloud *c, chance *random, uint32_t count, unsigned side) {
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < FRAMES * count * 3; i++)
        c->positions[i] = (float)chance_below(random, side);
    for (uint32_t i = 0; i < FRAMES * count; i++)
        c->normals[3 * i + chance_below(random, 3)] = chance_below(random, 2) ? 1 : -1;
    for (uint32_t i = 0; i < count * 2; i++)
        c->st[i] = (float)chance_below(random, 3) / 4;
    for (uint32_t i = 0; i < count; i++)
        c->triangles[i] = i;
    c->surface = MESH_SURFACE(count, c->positions, count / 3, c->triangles, .normals = c->normals,
                              .num_st = count, .st = c->st);
    c->mesh = (lm_mesh){.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &c->surface};
}

/* The distance of two vertices: its parts in the order in which they decide. */
typedef struct distance {
    double sample, st, normals, all;
} distance;

static double square(const float *a, const float *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sum;
}

static double widest(const cloud *a, const cloud *b, uint32_t of_a, uint32_t of_b,
                     const lm_frame_pair *pairs, uint32_t count) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most =
            fmax(most, square(a->positions + 3 * (pairs[i].a * a->surface.num_vertices + of_a),
                              b->positions + 3 * (pairs[i].b * b->surface.num_vertices + of_b), 3));
    return most;
}

/* The first `sampled` pairs are the sample. */
static distance distance_of(const cloud *a, const cloud *b, uint32_t of_a, uint32_t of_b,
                            const lm_frame_pair *pairs, uint32_t sampled, uint32_t count) {
    return (distance){widest(a, b, of_a, of_b, pairs, sampled),
                      fmin(square(a->st + 2 * of_a, b->st + 2 * of_b, 2), 1),
                      !a->surface.normals || !b->surface.normals
                          ? 0
                          : square(a->normals + 3 * (pairs[0].a * a->surface.num_vertices + of_a),
                                   b->normals + 3 * (pairs[0].b * b->surface.num_vertices + of_b),
                                   3),
                      widest(a, b, of_a, of_b, pairs, count)};
}

static int compare_distances(const distance *a, const distance *b) {
    const double x[] = {a->sample, a->st, a->normals, a->all},
                 y[] = {b->sample, b->st, b->normals, b->all};
    for (int i = 0; i < 4; i++)
        if (x[i] < y[i] || x[i] > y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void find(cloud *a, cloud *b, const lm_frame_pair *pairs, uint32_t count,
                 uint32_t nearest[MOST]) {
    lm_heap heap = plain_heap();
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    assert_true(lmi_find_drawn(&a->mesh, &arena, &a->drawn));
    assert_true(lmi_find_drawn(&b->mesh, &arena, &b->drawn));
    assert_int_equal(a->drawn.count, a->surface.num_vertices);
    assert_int_equal(b->drawn.count, b->surface.num_vertices);
    for (uint32_t i = 0; i < b->drawn.count; i++) /* so that both searches number them alike */
        assert_int_equal(b->drawn.vertices[i].vertex, i);
    assert_true(lmi_find_nearest(&a->drawn, &b->drawn, pairs, count, &arena, nearest));
}

/* Checks each result against all vertices. Of equally near ones, the first counts, unless they are
 * all at the same place. */
static void assert_nearest(cloud *a, cloud *b, const lm_frame_pair *pairs, uint32_t sampled,
                           uint32_t count) {
    uint32_t nearest[MOST];
    find(a, b, pairs, count, nearest);
    for (uint32_t i = 0; i < a->drawn.count; i++) {
        uint32_t best = 0;
        distance least = distance_of(a, b, i, 0, pairs, sampled, count);
        for (uint32_t k = 1; k < b->drawn.count; k++) {
            const distance d = distance_of(a, b, i, k, pairs, sampled, count);
            if (compare_distances(&d, &least) < 0) {
                least = d;
                best = k;
            }
        }
        const distance d = distance_of(a, b, i, nearest[i], pairs, sampled, count);
        if (compare_distances(&d, &least) != 0 || (least.all > 0 && nearest[i] != best))
            fail_msg("vertex %u: found %u, but %u is nearer", (unsigned)i, (unsigned)nearest[i],
                     (unsigned)best);
    }
}

TEST(test_a_few_pairs_give_the_nearest_vertex) {
    static cloud a, b;
    chance random = chance_from(7);
    for (int turn = 0; turn < 60; turn++) {
        const uint32_t count = 3 * (1 + chance_below(&random, MOST / 3));
        const unsigned side = 2 + chance_below(&random, 40);
        make_cloud(&a, &random, 90, side);
        make_cloud(&b, &random, count, side);
        lm_frame_pair pairs[8];
        for (int i = 0; i < 8; i++)
            pairs[i] =
                (lm_frame_pair){chance_below(&random, FRAMES), chance_below(&random, FRAMES)};
        if (turn % 5 == 0)
            b.surface.normals = NULL;
        if (turn % 7 == 0)
            a.surface.normals = NULL;
        const uint32_t num_pairs = 1 + (uint32_t)turn % 8;
        assert_nearest(&a, &b, pairs, num_pairs, num_pairs);
    }
}

/* All vertices stay alike but in one frame, in the sample or not: that frame decides. */
TEST(test_one_frame_of_many_decides) {
    static cloud a, b;
    chance random = chance_from(11);
    lm_frame_pair pairs[FRAMES];
    for (uint32_t f = 0; f < FRAMES; f++)
        pairs[f] = (lm_frame_pair){f, f};
    for (uint32_t moving = 0; moving < FRAMES; moving++) {
        cloud *both[] = {&a, &b};
        make_cloud(&a, &random, 30, 50);
        make_cloud(&b, &random, 120, 50);
        for (int side = 0; side < 2; side++) {
            cloud *c = both[side];
            const uint32_t row = 3 * c->surface.num_vertices;
            memset(c->st, 0, sizeof c->st);
            c->surface.normals = NULL;
            for (uint32_t f = 0; f < FRAMES; f++)
                for (uint32_t i = 0; f != moving && i < row; i++)
                    c->positions[f * row + i] = 1;
        }
        /* If the frame is not in the sample, all vertices are equally near there. So the frame
         * itself is a sample with the same result. */
        const lm_frame_pair only = pairs[moving];
        uint32_t nearest[MOST];
        find(&a, &b, pairs, FRAMES, nearest);
        for (uint32_t i = 0; i < a.drawn.count; i++)
            for (uint32_t k = 0; k < b.drawn.count; k++)
                assert_true(widest(&a, &b, i, nearest[i], &only, 1) <=
                            widest(&a, &b, i, k, &only, 1));
    }
}

/* Each half of these vertices splits off one of them only, so the tree is as deep as it may be. */
TEST(test_a_deep_tree_is_exact) {
    static cloud a, b;
    chance random = chance_from(13);
    for (uint32_t axis = 0; axis < 3; axis++) {
        make_cloud(&a, &random, 120, 2);
        make_cloud(&b, &random, 120, 1);
        for (uint32_t i = 0; i < 120; i++) {
            float *p = b.positions + 3 * (size_t)i;
            p[axis] = ldexpf(1, -(int)(i * 77 % 120));
            a.positions[3 * i + axis] = 1.01f * p[axis];
            a.positions[3 * i + (axis + 1) % 3] = 0;
            a.positions[3 * i + (axis + 2) % 3] = 0;
        }
        memcpy(a.st, b.st, sizeof a.st);
        a.surface.normals = NULL;
        uint32_t nearest[MOST];
        find(&a, &b, (lm_frame_pair[]){{0, 0}}, 1, nearest);
        for (uint32_t i = 0; i < 120; i++)
            assert_int_equal(nearest[i], i);
    }
}

/* The tree leads to the right vertex of many more than a search examines. */
TEST(test_each_of_many_vertices_finds_itself) {
    enum {
        SIDE = 90,
        COUNT = SIDE * SIDE
    };
    static float positions[COUNT * 3];
    static uint32_t corners[COUNT], nearest[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t place = i * 7 % COUNT, row = place / SIDE;
        positions[3 * i] = (float)row;
        positions[3 * i + 1] = (float)(place % SIDE);
        corners[i] = i;
    }
    const lm_mesh_surface surface = MESH_SURFACE(COUNT, positions, COUNT / 3, corners);
    const lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface};
    lm_heap heap = plain_heap();
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    lm_drawn drawn;
    assert_true(lmi_find_drawn(&mesh, &arena, &drawn));
    assert_int_equal(drawn.count, COUNT);
    assert_true(lmi_find_nearest(&drawn, &drawn, (lm_frame_pair[]){{0, 0}}, 1, &arena, nearest));
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(nearest[i], i);
}
