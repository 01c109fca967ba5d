#include "optimize/optimizing.h"

#include "lerpmesh/sample.h"
#include "model/weld.h"
#include "sample/smooth.h"

#include <stdlib.h>
#include <string.h>

/* The original and the optimized model. */
typedef struct proof {
    const lm_optimizing *o;
    const lm_model *models[2];
    lm_arena arena;
    const char *broken; /* the first difference; NULL: none, or memory ran out */
} proof;

static bool differs(proof *p, const char *what) {
    p->broken = what;
    return false;
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* Compares bits: -0 differs from 0. */
static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

static bool same_names(proof *p) {
    const lm_model *a = p->models[0], *b = p->models[1];
    if (a->num_frames != b->num_frames || a->num_surfaces != b->num_surfaces ||
        a->num_tags != b->num_tags || a->num_skins != b->num_skins || !same_text(a->name, b->name))
        return differs(p, "the number of frames, surfaces, tags or skins");
    for (uint32_t f = 0; f < a->num_frames; f++)
        if (!same_text(a->frames[f].name, b->frames[f].name))
            return differs(p, "a frame's name");
    for (uint32_t i = 0; i < a->num_skins; i++)
        if ((a->skins[i] == NULL) != (b->skins[i] == NULL) ||
            (a->skins[i] && !same_text(a->skins[i], b->skins[i])))
            return differs(p, "a skin");
    for (uint32_t i = 0; i < a->num_tags; i++)
        for (uint32_t f = 0; f < a->num_frames; f++) {
            lm_transform x, y;
            lm_sample_tag(a, i, &(lm_pose){f, f, 0, false}, &x);
            lm_sample_tag(b, i, &(lm_pose){f, f, 0, false}, &y);
            if (!same_bits(&x, &y, sizeof x) || !same_text(a->tags[i].name, b->tags[i].name))
                return differs(p, "a tag");
        }
    return true;
}

static bool same_materials(proof *p, const lm_surface *a, const lm_surface *b) {
    if (a->num_materials != b->num_materials || !same_text(a->name, b->name))
        return differs(p, "a surface's name");
    for (uint32_t i = 0; i < a->num_materials; i++)
        if (!same_text(a->materials[i].name, b->materials[i].name) ||
            a->materials[i].flags != b->materials[i].flags)
            return differs(p, "a material");
    return true;
}

/* Checks that each triangle occurs once, with the mapped corners and the same texture
 * coordinates. */
static bool same_triangles(proof *p, uint32_t index) {
    const lm_optimized_surface *map = &p->o->surfaces[index];
    const lm_surface *a = &p->models[0]->surfaces[index], *b = &p->models[1]->surfaces[index];
    bool *seen = lmi_arena_zeros(&p->arena, a->num_triangles, sizeof *seen);
    if (!seen)
        return false;
    if (a->num_triangles != b->num_triangles || map->num_triangles != a->num_triangles ||
        map->num_vertices != a->num_file_vertices)
        return differs(p, "the number of triangles");
    for (uint32_t t = 0; t < a->num_triangles; t++) {
        const uint32_t was = map->order[t];
        if (was >= a->num_triangles || seen[was])
            return differs(p, "the triangles");
        seen[was] = true;
        if (was != t && lmi_optimize_keeps_order(p->o))
            return differs(p, "the order of the triangles");
        for (size_t c = 0; c < 3; c++) {
            const uint32_t v = a->triangles[3 * (size_t)was + c],
                           w = b->triangles[3 * (size_t)t + c];
            if (map->new_indices[a->file_vertices[v]] != b->file_vertices[w] ||
                !same_bits(&a->st[v], &b->st[w], sizeof a->st[v]))
                return differs(p, "a triangle's corner");
        }
    }
    return true;
}

/* Checks that each remaining vertex has the same position and normal in every frame. */
static bool same_vertices(proof *p, uint32_t index) {
    const uint32_t *new_indices = p->o->surfaces[index].new_indices;
    const uint32_t counts[2] = {p->models[0]->surfaces[index].num_file_vertices,
                                p->models[1]->surfaces[index].num_file_vertices};
    lm_vec3 *rows[2];
    for (int side = 0; side < 2; side++)
        if (!(rows[side] = lmi_arena_alloc(&p->arena, counts[side], 2 * sizeof *rows[side])))
            return false;
    for (uint32_t f = 0; f < p->models[0]->num_frames; f++) {
        for (int side = 0; side < 2; side++)
            lmi_sample_own(p->models[side], index, f, rows[side], rows[side] + counts[side]);
        for (uint32_t v = 0; v < counts[0]; v++) {
            const uint32_t w = new_indices[v];
            if (w != v && p->o->options->keep_numbers)
                return differs(p, "a vertex's number");
            if (w == LM_UNUSED)
                continue;
            if (w >= counts[1] || !same_bits(&rows[0][v], &rows[1][w], sizeof(lm_vec3)) ||
                !same_bits(&rows[0][counts[0] + v], &rows[1][counts[1] + w], sizeof(lm_vec3)))
                return differs(p, "a vertex");
        }
    }
    return true;
}

/* A triangle of GL commands. Per corner: the new vertex index and the bits of both coordinates. */
typedef struct gl_triangle {
    uint32_t corners[3][3];
} gl_triangle;

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(gl_triangle));
}

static void put_triangle(gl_triangle *out, const lm_gl_vertex *const corners[3],
                         const uint32_t *new_indices) {
    uint32_t all[3][3];
    size_t least = 0;
    for (size_t c = 0; c < 3; c++) {
        all[c][0] = new_indices ? new_indices[corners[c]->vertex] : corners[c]->vertex;
        memcpy(&all[c][1], &corners[c]->s, sizeof all[c][1]);
        memcpy(&all[c][2], &corners[c]->t, sizeof all[c][2]);
        if (memcmp(all[c], all[least], sizeof all[c]) < 0)
            least = c;
    }
    for (size_t c = 0; c < 3; c++)
        memcpy(out->corners[c], all[(least + c) % 3], sizeof out->corners[c]);
}

/* Lists the triangles with three different vertices, sorted unless their order must be the same.
 * Returns NULL if memory ran out. */
static gl_triangle *list_drawn(proof *p, int side, uint32_t *count) {
    const lm_gl_commands *gl = &p->models[side]->gl_commands;
    const uint32_t *new_indices = side == 0 ? p->o->surfaces[0].new_indices : NULL;
    gl_triangle *list = lmi_arena_alloc(&p->arena, gl->num_triangles, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; list && i < gl->num_primitives; i++) {
        const lm_gl_primitive *primitive = &gl->primitives[i];
        const lm_gl_vertex *v = gl->vertices + primitive->first;
        for (uint32_t k = 0; k + 2 < primitive->count; k++) {
            const bool turned = !primitive->fan && k % 2 == 1;
            const lm_gl_vertex *const c[3] = {primitive->fan ? &v[0] : &v[k + turned],
                                              &v[primitive->fan ? k + 1 : k + !turned], &v[k + 2]};
            gl_triangle t;
            put_triangle(&t, c, new_indices);
            if (t.corners[0][0] != t.corners[1][0] && t.corners[1][0] != t.corners[2][0] &&
                t.corners[2][0] != t.corners[0][0])
                list[(*count)++] = t;
        }
    }
    if (list && *count > 0 && !p->o->options->keep_draw_order)
        qsort(list, *count, sizeof *list, by_bytes);
    return list;
}

static bool prove(proof *p) {
    if (!same_names(p))
        return false;
    for (uint32_t i = 0; i < p->models[0]->num_surfaces; i++)
        if (!same_materials(p, &p->models[0]->surfaces[i], &p->models[1]->surfaces[i]) ||
            !same_triangles(p, i) || !same_vertices(p, i))
            return false;
    uint32_t counts[2];
    if (!(p->models[0]->features & LM_FEATURE_GL_COMMANDS))
        return true;
    const gl_triangle *before = list_drawn(p, 0, &counts[0]);
    const gl_triangle *after = before ? list_drawn(p, 1, &counts[1]) : NULL;
    if (!after)
        return false;
    return (counts[0] == counts[1] &&
            (counts[0] == 0 || memcmp(before, after, counts[0] * sizeof *before) == 0)) ||
           differs(p, "the triangles of the GL commands");
}

bool lmi_prove_same(lm_optimizing *o, const lm_model *before, const lm_model *after) {
    proof p = {.o = o, .models = {before, after}, .arena = {.heap = o->heap}};
    const bool proven = prove(&p);
    if (p.broken)
        lmi_call_fail(
            &o->heap->call, LM_CODE_BAD_ARGUMENT,
            "optimizing would change %s, so nothing is written; this is a bug in lerpmesh",
            p.broken);
    lmi_arena_free(&p.arena);
    return proven;
}
