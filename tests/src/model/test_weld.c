/* Compares the welding of corners with a comparison of every pair, and ranks with their
 * definition. */
#include "support.h"

#include "model/weld.h"

#define MOST 400

typedef struct corners {
    uint32_t count, num_vertices, num_attributes, vertices[MOST], attributes[MOST];
    uint32_t drawn[MOST], attributes_of[MOST], own[MOST], copy_vertices[MOST],
        copy_attributes[MOST];
} corners;

static corners random_corners(chance *c) {
    corners all = {.count = chance_below(c, MOST + 1),
                   .num_vertices = 1 + chance_below(c, 60),
                   .num_attributes = 1 + chance_below(c, 60)};
    for (uint32_t i = 0; i < all.count; i++) {
        all.vertices[i] = chance_below(c, all.num_vertices);
        all.attributes[i] = chance_below(c, all.num_attributes);
    }
    return all;
}

static uint32_t weld(corners *all) {
    counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1000);
    lm_weld w = {.num_corners = all->count,
                 .corners = all->drawn,
                 .attributes = all->attributes_of,
                 .num_vertices = all->num_vertices,
                 .num_attributes = all->num_attributes,
                 .vertex_attributes = all->own,
                 .copy_vertices = all->copy_vertices,
                 .copy_attributes = all->copy_attributes};
    lmi_weld_begin(&w);
    for (uint32_t i = 0; i < all->count; i++)
        lmi_weld_put(&w, i, all->vertices[i], all->attributes[i]);
    assert_true(lmi_weld_corners(&w, &heap));
    assert_all_released(&counts);
    return w.num_copies;
}

static bool same_pair(const corners *all, uint32_t a, uint32_t b) {
    return all->vertices[a] == all->vertices[b] && all->attributes[a] == all->attributes[b];
}

/* Returns the number of corners that are the first with their pair. */
static uint32_t count_pairs(const corners *all) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t before = 0;
        while (before < i && !same_pair(all, before, i))
            before++;
        count += before == i;
    }
    return count;
}

static uint32_t count_used(const corners *all) {
    uint32_t used = 0;
    for (uint32_t v = 0; v < all->num_vertices; v++)
        used += all->own[v] != LM_UNUSED;
    return used;
}

static void expect_corner(const corners *all, uint32_t i, uint32_t num_copies) {
    uint32_t drawn = all->drawn[i];
    if (drawn < all->num_vertices) {
        assert_int_equal(drawn, all->vertices[i]);
        assert_int_equal(all->own[drawn], all->attributes[i]);
        return;
    }
    assert_true(drawn - all->num_vertices < num_copies);
    assert_int_equal(all->copy_vertices[drawn - all->num_vertices], all->vertices[i]);
    assert_int_equal(all->copy_attributes[drawn - all->num_vertices], all->attributes[i]);
}

/* Checks that a vertex keeps the attribute of its last corner and that others get copies. */
static void expect_lasts(const corners *all) {
    bool met[MOST] = {false};
    for (uint32_t i = all->count; i-- > 0;) {
        if (!met[all->vertices[i]])
            assert_int_equal(all->own[all->vertices[i]], all->attributes[i]);
        met[all->vertices[i]] = true;
    }
}

TEST(test_one_drawn_vertex_per_pair) {
    chance c = chance_from(1);
    for (int round = 0; round < 1500; round++) {
        corners all = random_corners(&c);
        uint32_t num_copies = weld(&all);
        assert_int_equal(count_used(&all) + num_copies, count_pairs(&all));
        expect_lasts(&all);
        for (uint32_t i = 0; i < all.count; i++)
            expect_corner(&all, i, num_copies);
        for (uint32_t i = 1; i < num_copies; i++)
            assert_true(all.copy_vertices[i - 1] <= all.copy_vertices[i]);
    }
}

TEST(test_no_corners) {
    corners all = {.count = 0, .num_vertices = 5, .num_attributes = 0};
    assert_int_equal(weld(&all), 0);
}

static void fill_keys(chance *c, uint64_t *keys, uint32_t count, unsigned kind) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t wide = (uint64_t)chance_next(c) << 32 | chance_next(c);
        keys[i] = kind == 0 ? wide : kind == 1 ? wide & 0xF : (wide & 7) << chance_below(c, 8) * 8;
    }
}

/* Checks that ranks are equal exactly for equal keys, start at 0, have no gaps and follow the keys'
 * order. */
static void expect_ranks(const uint64_t *keys, const uint32_t *ids, uint32_t count, uint32_t num) {
    bool used[MOST] = {false};
    for (uint32_t i = 0; i < count; i++) {
        assert_true(ids[i] < num);
        used[ids[i]] = true;
        for (uint32_t k = 0; k < i; k++) {
            assert_int_equal(ids[i] == ids[k], keys[i] == keys[k]);
            assert_int_equal(ids[i] < ids[k], keys[i] < keys[k]);
        }
    }
    for (uint32_t id = 0; id < num; id++)
        assert_true(used[id]);
}

TEST(test_ranks) {
    chance c = chance_from(2);
    for (unsigned round = 0; round < 300; round++) {
        uint64_t keys[MOST];
        uint32_t ids[MOST], num = 77, count = round < 3 ? round : chance_below(&c, MOST + 1);
        AT_END(assert_all_released) counted counts = {0};
        lm_heap heap;
        lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1000);
        fill_keys(&c, keys, count, round % 3);
        assert_true(lmi_rank_keys(keys, count, ids, &num, &heap));
        expect_ranks(keys, ids, count, num);
    }
}

TEST(test_no_memory) {
    AT_END(assert_all_released) counted counts = {.fail_at = 1};
    lm_heap heap;
    uint64_t key = 1;
    uint32_t id, num;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1000);
    assert_false(lmi_rank_keys(&key, 1, &id, &num, &heap));
    counts = (counted){.fail_at = 1};
    assert_false(lmi_weld_corners(&(lm_weld){.num_vertices = 1}, &heap));
}
