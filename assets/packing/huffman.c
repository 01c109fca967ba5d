#include "packing/huffman.h"

#include <stdbool.h>
#include <string.h>

#define MAX_NODES (2 * LM_HUFFMAN_SYMBOLS)

typedef struct tree {
    uint64_t weights[MAX_NODES]; /* 0: taken, or never there */
    uint16_t parents[MAX_NODES];
    unsigned num_nodes;
} tree;

/* The lightest node that is left, the first of equals; it is taken out. num_nodes if none is. */
static unsigned take_lightest(tree *t, uint64_t *weight) {
    unsigned best = t->num_nodes;
    for (unsigned i = 0; i < t->num_nodes; i++)
        if (t->weights[i] && (best == t->num_nodes || t->weights[i] < t->weights[best]))
            best = i;
    if (best < t->num_nodes) {
        *weight = t->weights[best];
        t->weights[best] = 0;
    }
    return best;
}

/* Joins nodes until one is left; symbols are the first nodes. */
static void grow_tree(tree *t, const uint32_t *counts, unsigned num_symbols) {
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < num_symbols; i++)
        t->weights[i] = counts[i];
    t->num_nodes = num_symbols;
    for (;;) {
        uint64_t first = 0, second = 0;
        unsigned a = take_lightest(t, &first), b = take_lightest(t, &second);
        if (b == t->num_nodes)
            return;
        t->parents[a] = t->parents[b] = (uint16_t)t->num_nodes;
        t->weights[t->num_nodes++] = first + second;
    }
}

/* Lengths from depths; false if one is longer than the format allows. */
static bool read_lengths(const tree *t, const uint32_t *counts, unsigned num_symbols,
                         uint8_t *lengths) {
    unsigned depths[MAX_NODES] = {0};
    for (unsigned i = t->num_nodes - 1; i-- > 0;)
        if (t->parents[i])
            depths[i] = depths[t->parents[i]] + 1;
    for (unsigned i = 0; i < num_symbols; i++) {
        if (depths[i] > LM_HUFFMAN_BITS)
            return false;
        lengths[i] = counts[i] ? (uint8_t)depths[i] : 0;
    }
    return true;
}

static void assign_codes(lm_huffman *code, unsigned num_symbols) {
    unsigned next = 0;
    for (unsigned length = 1; length <= LM_HUFFMAN_BITS; length++, next <<= 1)
        for (unsigned i = 0; i < num_symbols; i++) {
            if (code->lengths[i] != length)
                continue;
            unsigned reversed = 0;
            for (unsigned bit = 0; bit < length; bit++)
                reversed |= (next >> bit & 1) << (length - 1 - bit);
            code->codes[i] = (uint16_t)reversed;
            next++;
        }
}

void lm_huffman_make(lm_huffman *code, uint32_t *counts, unsigned num_symbols) {
    tree t;
    unsigned used = 0;
    memset(code, 0, sizeof *code);
    for (unsigned i = 0; i < num_symbols; i++)
        used += counts[i] > 0;
    for (unsigned i = 0; i < 2 && used < 2; i++)
        if (counts[i] == 0) {
            counts[i] = 1;
            used++;
        }
    grow_tree(&t, counts, num_symbols);
    while (!read_lengths(&t, counts, num_symbols, code->lengths)) {
        /* Evening the counts out shortens the longest codes, at little cost. */
        for (unsigned i = 0; i < num_symbols; i++)
            counts[i] = counts[i] ? counts[i] / 2 + 1 : 0;
        grow_tree(&t, counts, num_symbols);
    }
    assign_codes(code, num_symbols);
}
