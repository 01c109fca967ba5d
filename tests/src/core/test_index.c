/* Compares the index of equal elements with a comparison of every pair, and measures its cost when
 * hashes collide. */
#include "support.h"

#include "core/index.h"

#define MOST 500

typedef struct things {
    uint32_t values[4 * MOST];
    uint64_t *comparisons; /* counts them */
} things;

static bool equal(const void *context, uint32_t a, uint32_t b) {
    const things *t = context;
    ++*t->comparisons;
    return t->values[a] == t->values[b];
}

static uint32_t first_equal(const things *t, uint32_t number) {
    uint32_t first = 0;
    while (t->values[first] != t->values[number])
        first++;
    return first;
}

/* Finds the first of each kind. Returns the number of comparisons. */
static uint64_t find(things *t, uint32_t count, const uint64_t *hashes, uint32_t *firsts) {
    uint64_t comparisons = 0;
    counted counts = {0};
    lm_heap heap;
    lm_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1 << 20);
    t->comparisons = &comparisons;
    assert_true(lm_find_equal(count, hashes, equal, t, firsts, &heap));
    assert_all_released(&counts);
    return comparisons;
}

TEST(the_first_equal_thing_is_found) {
    chance c = {7};
    static things t;
    uint64_t hashes[MOST];
    uint32_t firsts[MOST];
    for (unsigned round = 0; round < 300; round++) {
        const uint32_t count = chance_below(&c, MOST + 1), kinds = 1 + chance_below(&c, 2 * MOST);
        for (uint32_t i = 0; i < count; i++) {
            t.values[i] = chance_below(&c, kinds);
            hashes[i] = lm_hash_bytes(0, &t.values[i], sizeof t.values[i]);
        }
        find(&t, count, hashes, firsts);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(firsts[i], first_equal(&t, i));
    }
}

/* Different elements with one hash cost a bounded number of comparisons each. */
TEST(equal_hashes_cost_linear_time) {
    static things t;
    static uint64_t hashes[4 * MOST];
    static uint32_t firsts[4 * MOST];
    uint64_t before = 0;
    for (uint32_t i = 0; i < 4 * MOST; i++)
        t.values[i] = i;
    for (uint32_t count = MOST; count <= 4 * MOST; count *= 2) {
        const uint64_t comparisons = find(&t, count, hashes, firsts);
        assert_true(comparisons > 0);
        if (before > 0)
            assert_true(comparisons <= before * 9 / 4);
        before = comparisons;
    }
}

/* The hash spreads consecutive numbers, in whatever bits of a word they are: those of floats and
 * doubles are the high ones. */
TEST(different_hashes_cost_few_comparisons) {
    static things t;
    static uint64_t hashes[4 * MOST];
    static uint32_t firsts[4 * MOST];
    for (uint32_t i = 0; i < 4 * MOST; i++)
        t.values[i] = i;
    for (unsigned shift = 0; shift <= 52; shift++)
        for (uint32_t count = MOST; count <= 4 * MOST; count *= 2) {
            for (uint32_t i = 0; i < count; i++)
                hashes[i] = lm_hash(0, (uint64_t)i << shift);
            assert_true(find(&t, count, hashes, firsts) <= count);
        }
}

typedef struct search {
    const uint32_t *values;
    uint32_t wanted;
} search;

static bool is_wanted(const void *context, uint32_t a, uint32_t b) {
    const search *s = context;
    assert_int_equal(b, LM_NOT_INDEXED);
    return s->values[a] == s->wanted;
}

/* Every thing in the index is found, and nothing else; a search adds nothing. */
TEST(things_are_found_without_adding_them) {
    static things t;
    static uint32_t slots[4 * MOST];
    uint64_t comparisons = 0;
    lm_index index = {.slots = slots};
    assert_true(lm_index_slots(MOST) <= COUNT_OF(slots));
    t.comparisons = &comparisons;
    lm_index_clear(&index, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        t.values[i] = i / 2;
        assert_int_equal(lm_index_find(&index, lm_hash(0, i / 2), i, equal, &t), i / 2 * 2);
    }
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t wanted = 0; wanted < MOST; wanted++) {
            const search s = {t.values, wanted};
            assert_int_equal(lm_index_get(&index, lm_hash(0, wanted), is_wanted, &s),
                             wanted < MOST / 2 ? 2 * wanted : LM_NOT_INDEXED);
        }
}

TEST(bytes_have_the_hash_of_their_words) {
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    assert_true(lm_hash_bytes(9, bytes, 6) == lm_hash(lm_hash(lm_hash(9, 0x04030201), 5), 6));
}

TEST(search_fails_without_memory) {
    counted counts = {.fail_at = 1};
    lm_heap heap;
    lm_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1000);
    const uint64_t hash = 0;
    uint32_t first;
    assert_false(lm_find_equal(1, &hash, equal, NULL, &first, &heap));
}
