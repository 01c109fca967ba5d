/* Tests the smallest set of nodes that covers a graph, and the search for rows within reach. */
#include "encode/cover.h"

#include "encoded.h"

#define MAX_NODES 200

typedef struct graph {
    uint32_t count;
    uint64_t covers[MAX_NODES * LM_COVER_WORDS(MAX_NODES)];
} graph;

static bool covers(const graph *g, uint32_t a, uint32_t b) {
    return g->covers[a * LM_COVER_WORDS(g->count) + b / 64] >> b % 64 & 1;
}

static void join(graph *g, uint32_t a, uint32_t b) {
    g->covers[a * LM_COVER_WORDS(g->count) + b / 64] |= UINT64_C(1) << b % 64;
}

/* Each node covers itself and random others; like frames, near ones are more likely. */
static void make_graph(graph *g, chance *c, uint32_t count, uint32_t near, uint32_t far) {
    memset(g, 0, sizeof *g);
    g->count = count;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            const uint32_t apart = a > b ? a - b : b - a;
            if (a == b || chance_below(c, 100) < (apart < 5 ? near : far))
                join(g, a, b);
        }
}

static bool is_cover(const graph *g, const bool *chosen) {
    for (uint32_t b = 0; b < g->count; b++) {
        bool found = false;
        for (uint32_t a = 0; a < g->count; a++)
            found = found || (chosen[a] && covers(g, a, b));
        if (!found)
            return false;
    }
    return true;
}

static uint32_t count_chosen(const bool *chosen, uint32_t count) {
    uint32_t chosen_ones = 0;
    for (uint32_t i = 0; i < count; i++)
        chosen_ones += chosen[i];
    return chosen_ones;
}

/* Repeatedly takes the first of the nodes that cover most of the rest. Returns their number. */
static uint32_t count_greedy(const graph *g) {
    bool covered[MAX_NODES] = {false};
    for (uint32_t rounds = 0;; rounds++) {
        uint32_t best = 0, most = 0;
        for (uint32_t a = 0; a < g->count; a++) {
            uint32_t gain = 0;
            for (uint32_t b = 0; b < g->count; b++)
                gain += covers(g, a, b) && !covered[b];
            if (gain > most) {
                most = gain;
                best = a;
            }
        }
        if (most == 0)
            return rounds;
        for (uint32_t b = 0; b < g->count; b++)
            covered[b] = covered[b] || covers(g, best, b);
    }
}

static uint32_t count_fewest(const graph *g) {
    uint32_t fewest = g->count;
    for (uint32_t set = 1; set < 1u << g->count; set++) {
        bool chosen[MAX_NODES] = {false};
        for (uint32_t i = 0; i < g->count; i++)
            chosen[i] = set >> i & 1;
        const uint32_t count = count_chosen(chosen, g->count);
        if (count < fewest && is_cover(g, chosen))
            fewest = count;
    }
    return fewest;
}

TEST(test_covers_are_complete_and_no_larger_than_greedy_ones) {
    chance c = chance_from(1);
    lm_heap heap = plain_heap();
    uint32_t fewer = 0;
    for (int i = 0; i < 200; i++) {
        static graph g;
        bool chosen[MAX_NODES];
        make_graph(&g, &c, 1 + chance_below(&c, MAX_NODES), 10 + chance_below(&c, 80),
                   chance_below(&c, 8));
        assert_true(lmi_cover(g.count, g.covers, chosen, &heap));
        assert_true(is_cover(&g, chosen));
        const uint32_t count = count_chosen(chosen, g.count), greedy = count_greedy(&g);
        assert_in_range(count, 1, greedy);
        fewer += count < greedy;
        for (uint32_t n = 0; n < g.count; n++) { /* none is superfluous */
            bool less[MAX_NODES];
            memcpy(less, chosen, sizeof less);
            less[n] = false;
            assert_true(!chosen[n] || !is_cover(&g, less));
        }
    }
    assert_true(fewer > 60);
    assert_int_equal(heap.used, 0);
}

TEST(test_small_covers_are_minimal) {
    chance c = chance_from(2);
    lm_heap heap = plain_heap();
    for (int i = 0; i < 100; i++) {
        static graph g;
        bool chosen[MAX_NODES];
        make_graph(&g, &c, 1 + chance_below(&c, 12), 10 + chance_below(&c, 40),
                   chance_below(&c, 40));
        assert_true(lmi_cover(g.count, g.covers, chosen, &heap));
        assert_int_equal(count_chosen(chosen, g.count), count_fewest(&g));
    }
}

/* For any budget, the lower bound holds and the cover found is valid. With a larger budget they are
 * closer together. */
TEST(test_exact_search_keeps_its_budget) {
    chance c = chance_from(5);
    lm_heap heap = plain_heap();
    uint32_t proven = 0, open = 0;
    for (int i = 0; i < 60; i++) {
        static graph g;
        bool chosen[MAX_NODES];
        lm_cover_bounds bounds;
        make_graph(&g, &c, 1 + chance_below(&c, 12), 10 + chance_below(&c, 40),
                   chance_below(&c, 40));
        const uint32_t fewest = count_fewest(&g);
        for (uint64_t budget = 1; budget < 100000; budget *= 8) {
            for (uint32_t n = 0; n < g.count; n++)
                chosen[n] = true;
            assert_true(lmi_cover_exact(g.count, g.covers, budget, chosen, &bounds, &heap));
            assert_true(is_cover(&g, chosen));
            assert_int_equal(count_chosen(chosen, g.count), bounds.found);
            assert_in_range(fewest, bounds.least, bounds.found);
            open += bounds.least < bounds.found;
        }
        proven += bounds.least == fewest && bounds.found == fewest;
    }
    assert_int_equal(proven, 60);
    assert_true(open > 60);
    assert_int_equal(heap.used, 0);
}

TEST(test_each_node_is_assigned) {
    chance c = chance_from(3);
    lm_heap heap = plain_heap();
    for (int i = 0; i < 50; i++) {
        static graph g;
        bool chosen[MAX_NODES];
        uint32_t assigned[MAX_NODES];
        make_graph(&g, &c, 1 + chance_below(&c, MAX_NODES), 80, chance_below(&c, 8));
        assert_true(lmi_cover(g.count, g.covers, chosen, &heap));
        lmi_cover_assign(g.count, g.covers, chosen, assigned);
        for (uint32_t n = 0; n < g.count; n++) {
            assert_true(chosen[assigned[n]] && covers(&g, assigned[n], n));
            if (chosen[n])
                assert_int_equal(assigned[n], n);
            else if (n > 0 && covers(&g, assigned[n - 1], n))
                assert_int_equal(assigned[n], assigned[n - 1]);
        }
    }
    assert_true(lmi_cover(0, NULL, NULL, &heap));
}

/* ---- Reach ---------------------------------------------------------------------------------- */

TEST(test_nearby_rows_are_found) {
    enum {
        ROWS = 70,
        BLOCKS = 2,
        VALUES = BLOCKS * LM_NEARBY_BLOCK
    };
    chance c = chance_from(4);
    static int16_t values[ROWS * VALUES];
    for (int i = 0; i < ROWS; i++) {
        const int near = i < 2 ? 0 : (int)chance_below(&c, (uint32_t)i);
        for (int v = 0; v < VALUES; v++)
            values[i * VALUES + v] =
                (int16_t)(values[near * VALUES + v] + (int)chance_below(&c, 300) - 150);
    }
    const lm_nearby extent = {ROWS, BLOCKS, values, -408, 411};
    uint64_t out[ROWS * LM_COVER_WORDS(ROWS)];
    uint32_t reached = 0;
    lmi_find_nearby(&extent, LM_COVER_WORDS(ROWS), out);
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) {
            bool within = true;
            for (int v = 0; v < VALUES; v++) {
                const int d = values[b * VALUES + v] - values[a * VALUES + v];
                within = within && d >= -408 && d <= 411;
            }
            assert_int_equal(out[(size_t)a * LM_COVER_WORDS(ROWS) + (size_t)b / 64] >> b % 64 & 1,
                             within);
            reached += within;
        }
    assert_in_range(reached, ROWS + 100, ROWS * ROWS - 100);
}

/* Reach in one direction does not imply reach in the other. */
TEST(test_offset_range_is_exact) {
    static const int steps[] = {-409, -408, 411, 412};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        int16_t values[2 * LM_NEARBY_BLOCK] = {0};
        uint64_t out[2];
        values[LM_NEARBY_BLOCK + 5] = (int16_t)steps[i];
        lmi_find_nearby(&(lm_nearby){2, 1, values, -408, 411}, 1, out);
        assert_int_equal(out[0], steps[i] == -408 || steps[i] == 411 ? 3 : 1);
        assert_int_equal(out[1], steps[i] == -408 || steps[i] == -409 ? 3 : 2);
    }
}
