/* Covers triangles with strips and fans. */
#include "gl_commands.h"
#include "elements.h"

#include <stdlib.h>

/* A strip or fan being tried: its corners as texture coordinates, which determine their
 * vertices. */
struct run {
    bool fan;
    int num_corners, num_triangles;
    uint16_t corners[MAX_TRIANGLES + 2];
    uint16_t triangles[MAX_TRIANGLES];
};

struct stripper {
    const struct mesh *mesh;
    int16_t across[MAX_TRIANGLES][3]; /* the triangle across each edge, -1: none */
    bool used[MAX_TRIANGLES];
    struct run best, tried;
};

static void find_neighbours(struct stripper *s) {
    int count = s->mesh->num_triangles;
    for (int i = 0; i < 3 * count; i++) {
        const uint16_t *st = s->mesh->triangle[i / 3].st;
        s->across[i / 3][i % 3] = -1;
        for (int j = 0; j < 3 * count; j++) {
            const uint16_t *other = s->mesh->triangle[j / 3].st;
            if (other[j % 3] == st[(i + 1) % 3] && other[(j + 1) % 3] == st[i % 3])
                s->across[i / 3][i % 3] = (int16_t)(j / 3);
        }
    }
}

/* Returns the edge of the last triangle that the next one shares: a fan keeps its first corner, a
 * strip drops the oldest. */
static int next_edge(const struct stripper *s, const struct run *run) {
    const uint16_t *st = s->mesh->triangle[run->triangles[run->num_triangles - 1]].st;
    uint16_t dropped = run->corners[run->num_corners - (run->fan ? 2 : 3)];
    for (int k = 0; k < 2; k++)
        if (st[k] == dropped)
            return k + 1;
    return 0;
}

/* Returns the corner of a triangle that is not at the run's end. */
static uint16_t new_corner(const struct stripper *s, const struct run *run, int triangle) {
    const uint16_t *st = s->mesh->triangle[triangle].st;
    uint16_t last = run->corners[run->num_corners - 1];
    uint16_t pivot = run->corners[run->fan ? 0 : run->num_corners - 2];
    int k = 0;
    while (st[k] == last || st[k] == pivot)
        k++;
    return st[k];
}

static void grow(struct stripper *s, struct run *run, int first, int corner, bool fan) {
    const uint16_t *st = s->mesh->triangle[first].st;
    run->fan = fan;
    run->num_corners = 3;
    run->num_triangles = 1;
    run->triangles[0] = (uint16_t)first;
    for (int k = 0; k < 3; k++)
        run->corners[k] = st[(corner + k) % 3];
    s->used[first] = true;
    for (;;) {
        int last = run->triangles[run->num_triangles - 1];
        int next = s->across[last][next_edge(s, run)];
        if (next < 0 || s->used[next])
            break;
        uint16_t added = new_corner(s, run, next);
        s->used[next] = true;
        run->corners[run->num_corners++] = added;
        run->triangles[run->num_triangles++] = (uint16_t)next;
    }
    for (int i = 0; i < run->num_triangles; i++)
        s->used[run->triangles[i]] = false;
}

/* Finds the longest of the three strips and three fans from every remaining triangle; at equal
 * length, the strip. */
static void find_best(struct stripper *s) {
    s->best.num_triangles = 0;
    for (int first = 0; first < s->mesh->num_triangles; first++)
        for (int i = 0; i < 6 && !s->used[first]; i++) {
            grow(s, &s->tried, first, i % 3, i >= 3);
            if (s->tried.num_triangles > s->best.num_triangles)
                s->best = s->tried;
        }
    for (int i = 0; i < s->best.num_triangles; i++)
        s->used[s->best.triangles[i]] = true;
}

static void put_run(const struct mesh *mesh, const struct run *run, lm_buffer *out) {
    uint8_t *bytes = lm_buffer_reserve(out, 4 + 12 * (size_t)run->num_corners);
    if (!bytes)
        return;
    lm_md2_put_glcmd(bytes, run->fan ? -run->num_corners : run->num_corners);
    bytes += 4;
    for (int i = 0; i < run->num_corners; i++, bytes += 12) {
        lm_md2_st st = mesh->st[run->corners[i]];
        lm_md2_put_glcmd_float(bytes, ((float)st.s + 0.5f) / SKIN_SIZE);
        lm_md2_put_glcmd_float(bytes + 4, ((float)st.t + 0.5f) / SKIN_SIZE);
        lm_md2_put_glcmd(bytes + 8, mesh->st_vertex[run->corners[i]]);
    }
}

bool put_gl_commands(const struct mesh *mesh, lm_buffer *out) {
    struct stripper *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->mesh = mesh;
    find_neighbours(s);
    for (find_best(s); s->best.num_triangles; find_best(s))
        put_run(mesh, &s->best, out);
    free(s);
    lm_buffer_reserve(out, 4); /* the terminator */
    return !out->failed;
}
