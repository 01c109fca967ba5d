/* Deflate (RFC 1951), also as a zlib stream (RFC 1950). There are two reasons for an encoder of our
 * own: the bytes are the same on every machine and in the browser, and lack of memory is an
 * ordinary error. */
#include "packing/deflate.h"

#include "core/heap.h"

#include <string.h>

#define WINDOW 32768u
#define HASHES 32768u
#define MIN_MATCH 3u
#define MAX_MATCH 258u
#define MAX_TRIES 64u
#define BLOCK_TOKENS 32768u
#define END_OF_BLOCK 256u
#define NUM_LITERALS 286u
#define NUM_DISTANCES 30u

/* A literal byte (distance 0), or a match. */
typedef struct token {
    uint16_t value; /* the byte, or the length */
    uint16_t distance;
} token;

typedef struct deflater {
    lm_buffer *out;
    const uint8_t *data;
    size_t size, at;
    uint64_t bits; /* not yet written, the next one lowest */
    unsigned num_bits;
    unsigned num_tokens;
    uint32_t heads[HASHES]; /* the last position of bytes with this hash, + 1 */
    uint32_t chain[WINDOW]; /* the position before that */
    token tokens[BLOCK_TOKENS];
} deflater;

static void put_bits(deflater *d, uint32_t value, unsigned count) {
    d->bits |= (uint64_t)value << d->num_bits;
    d->num_bits += count;
    uint8_t bytes[8];
    size_t size = 0;
    for (; d->num_bits >= 8; d->num_bits -= 8, d->bits >>= 8)
        bytes[size++] = (uint8_t)d->bits;
    lm_buffer_append(d->out, bytes, size);
}

/* ---- Matches -------------------------------------------------------------------------------- */

static unsigned hash_of(const uint8_t *p) {
    uint32_t three = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (three * 2654435761u) >> 17;
}

static void remember(deflater *d, size_t at) {
    if (d->size - at < MIN_MATCH)
        return;
    unsigned hash = hash_of(d->data + at);
    d->chain[at % WINDOW] = d->heads[hash];
    d->heads[hash] = (uint32_t)at + 1;
}

static unsigned match_length(const deflater *d, size_t before, unsigned most) {
    unsigned length = 0;
    while (length + 8 <= most &&
           memcmp(d->data + before + length, d->data + d->at + length, 8) == 0)
        length += 8;
    while (length < most && d->data[before + length] == d->data[d->at + length])
        length++;
    return length;
}

/* Returns the longest match for the bytes at d->at, the nearest of equals; length 0: none. */
static token find_match(const deflater *d) {
    token best = {0, 0};
    size_t left = d->size - d->at;
    unsigned most = left < MAX_MATCH ? (unsigned)left : MAX_MATCH;
    if (most < MIN_MATCH)
        return best;
    uint32_t next = d->heads[hash_of(d->data + d->at)];
    for (unsigned tries = 0; next && tries < MAX_TRIES; tries++) {
        size_t before = next - 1;
        if (d->at - before >= WINDOW)
            break;
        next = d->chain[before % WINDOW];
        /* If this byte differs, the match cannot be longer than the best. */
        if (d->data[before + best.value] != d->data[d->at + best.value])
            continue;
        unsigned length = match_length(d, before, most);
        if (length >= MIN_MATCH && length > best.value)
            best = (token){(uint16_t)length, (uint16_t)(d->at - before)};
        if (length == most)
            break;
    }
    return best;
}

static void collect_tokens(deflater *d) {
    for (d->num_tokens = 0; d->num_tokens < BLOCK_TOKENS && d->at < d->size;) {
        token found = find_match(d);
        size_t step = found.value ? found.value : 1;
        d->tokens[d->num_tokens++] = found.value ? found : (token){d->data[d->at], 0};
        for (; step > 0; step--)
            remember(d, d->at++);
    }
}

/* ---- Symbols (RFC 1951, 3.2.5) --------------------------------------------------------------- */

typedef struct symbol {
    unsigned code, extra_bits, extra;
} symbol;

/* Both alphabets double their steps at regular intervals. `value` counts from 0. `group` codes (a
 * power of two, 4 or 2) share a number of extra bits. From the second group on, each has one
 * more. */
static symbol stepped(unsigned value, unsigned group_bits) {
    unsigned extra_bits = 0, group = 1u << group_bits;
    while (value >> extra_bits >= 2 * group)
        extra_bits++;
    unsigned code = (value >> extra_bits) + extra_bits * group;
    return (symbol){code, extra_bits, value & ((1u << extra_bits) - 1)};
}

static symbol length_symbol(unsigned length) {
    if (length == MAX_MATCH)
        return (symbol){285, 0, 0};
    symbol s = stepped(length - MIN_MATCH, 2);
    s.code += 257;
    return s;
}

static symbol distance_symbol(unsigned distance) {
    return stepped(distance - 1, 1);
}

/* ---- Codes (RFC 1951, 3.2.2) --------------------------------------------------------------- */

#define MAX_BITS 15

typedef struct huffman {
    uint8_t lengths[NUM_LITERALS]; /* 0: not used */
    uint16_t codes[NUM_LITERALS];  /* the first bit to write is the lowest */
} huffman;

#define MAX_NODES (2 * NUM_LITERALS)

typedef struct tree {
    uint64_t weights[MAX_NODES]; /* 0: removed, or unused */
    uint16_t parents[MAX_NODES];
    unsigned num_nodes;
} tree;

/* Removes the lightest node that is left, the first of equals. Returns num_nodes if there is
 * none. */
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

/* Joins nodes until one is left; the symbols are the first nodes. */
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

/* Computes lengths from depths. Returns false if one is longer than the format allows. */
static bool read_lengths(const tree *t, const uint32_t *counts, unsigned num_symbols,
                         uint8_t *lengths) {
    unsigned depths[MAX_NODES] = {0};
    for (unsigned i = t->num_nodes - 1; i-- > 0;)
        if (t->parents[i])
            depths[i] = depths[t->parents[i]] + 1;
    for (unsigned i = 0; i < num_symbols; i++) {
        if (depths[i] > MAX_BITS)
            return false;
        lengths[i] = counts[i] ? (uint8_t)depths[i] : 0;
    }
    return true;
}

static void assign_codes(huffman *code, unsigned num_symbols) {
    unsigned next = 0;
    for (unsigned length = 1; length <= MAX_BITS; length++, next <<= 1)
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

/* Makes the codes of symbols that occur `counts` times; changes the counts. At least two symbols
 * get a code, because some decoders require a complete one. */
static void make_code(huffman *code, uint32_t *counts, unsigned num_symbols) {
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
        /* Levelling the counts shortens the longest codes at little cost. */
        for (unsigned i = 0; i < num_symbols; i++)
            counts[i] = counts[i] ? counts[i] / 2 + 1 : 0;
        grow_tree(&t, counts, num_symbols);
    }
    assign_codes(code, num_symbols);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Writes the lengths of the codes with a fixed code: all lengths 0..15 take four bits. Repeat codes
 * are not used. */
static void put_lengths(deflater *d, const uint8_t *lengths, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        unsigned l = lengths[i];
        put_bits(d, (l & 1) << 3 | (l & 2) << 1 | (l & 4) >> 1 | l >> 3, 4);
    }
}

static void put_symbol(deflater *d, const huffman *code, symbol s) {
    put_bits(d, code->codes[s.code], code->lengths[s.code]);
    put_bits(d, s.extra, s.extra_bits);
}

static void put_block(deflater *d) {
    uint32_t counts[NUM_LITERALS], distance_counts[NUM_DISTANCES];
    huffman literals, distances;
    memset(counts, 0, NUM_LITERALS * sizeof *counts);
    memset(distance_counts, 0, NUM_DISTANCES * sizeof *distance_counts);
    counts[END_OF_BLOCK] = 1;
    for (unsigned i = 0; i < d->num_tokens; i++) {
        const token *t = &d->tokens[i];
        counts[t->distance ? length_symbol(t->value).code : t->value]++;
        if (t->distance)
            distance_counts[distance_symbol(t->distance).code]++;
    }
    make_code(&literals, counts, NUM_LITERALS);
    make_code(&distances, distance_counts, NUM_DISTANCES);
    put_bits(d, d->at == d->size, 1);
    put_bits(d, 2, 2); /* a block with dynamic codes */
    put_bits(d, NUM_LITERALS - 257, 5);
    put_bits(d, NUM_DISTANCES - 1, 5);
    put_bits(d, 19 - 4, 4);
    for (unsigned i = 0; i < 19; i++)
        put_bits(d, i < 3 ? 0 : 4, 3); /* 16, 17 and 18 come first */
    put_lengths(d, literals.lengths, NUM_LITERALS);
    put_lengths(d, distances.lengths, NUM_DISTANCES);
    for (unsigned i = 0; i < d->num_tokens; i++) {
        const token *t = &d->tokens[i];
        if (t->distance) {
            put_symbol(d, &literals, length_symbol(t->value));
            put_symbol(d, &distances, distance_symbol(t->distance));
        } else {
            put_symbol(d, &literals, (symbol){t->value, 0, 0});
        }
    }
    put_symbol(d, &literals, (symbol){END_OF_BLOCK, 0, 0});
}

/* Writes the checksum of a zlib stream. */
static void put_adler(lm_buffer *out, const uint8_t *data, size_t size) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size;) {
        /* As many sums fit into 32 bits. */
        for (size_t end = size - i < 5552 ? size : i + 5552; i < end; i++) {
            a += data[i];
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    uint8_t bytes[4] = {(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a};
    lm_buffer_append(out, bytes, sizeof bytes);
}

void lmi_deflate_append(lm_buffer *out, const uint8_t *data, size_t size) {
    lm_allocator allocator = lmi_allocator_or_default(&out->allocator);
    deflater *d = allocator.alloc(allocator.user, sizeof *d);
    if (!d) {
        out->failed = true;
        return;
    }
    memset(d, 0, sizeof *d);
    d->out = out;
    d->data = data;
    d->size = size;
    do {
        collect_tokens(d);
        put_block(d);
    } while (d->at < d->size && !out->failed);
    put_bits(d, 0, 7 & (8 - d->num_bits));
    allocator.free(allocator.user, d, sizeof *d);
}

void lmi_zlib_append(lm_buffer *out, const uint8_t *data, size_t size) {
    static const uint8_t header[] = {0x78, 0xDA};
    lm_buffer_append(out, header, sizeof header);
    lmi_deflate_append(out, data, size);
    put_adler(out, data, size);
}
