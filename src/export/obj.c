#include "export/export_common.h"
#include "export/names.h"

#include "core/heap.h"
#include "core/report.h"

#include <string.h>

static void append_vector(lm_buffer *out, const char *key, lm_vec3 v) {
    lm_buffer_text(out, key);
    lm_buffer_float(out, v.x);
    lm_buffer_text(out, " ");
    lm_buffer_float(out, v.y);
    lm_buffer_text(out, " ");
    lm_buffer_float(out, v.z);
    lm_buffer_text(out, "\n");
}

/* A name ends with its line, so nothing in it may end a line. */
static bool append_name(lm_buffer *out, const char *name) {
    uint8_t *text = lm_buffer_reserve(out, lm_name_utf8(name, NULL));
    if (!text)
        return false;
    size_t length = lm_name_utf8(name, (char *)text);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] < ' ' ? '_' : text[i];
    return true;
}

/* The corners a, c, b: counter-clockwise. Indices count from 1 over the whole file. */
static void append_faces(lm_buffer *out, const lm_surface *surface, uint64_t first) {
    for (uint32_t i = 0; i < surface->num_triangles; i++) {
        const uint32_t *corners = surface->triangles + 3 * (size_t)i;
        lm_buffer_text(out, "f");
        for (unsigned k = 0; k < 3; k++) {
            unsigned long long corner = first + corners[(3 - k) % 3];
            lm_buffer_printf(out, " %llu/%llu/%llu", corner, corner, corner);
        }
        lm_buffer_text(out, "\n");
    }
}

static bool append_surface(const lm_export *job, uint32_t index, lm_vec3 *scratch, uint64_t first,
                           lm_buffer *out, lm_error *error) {
    const lm_surface *surface = &job->model->surfaces[index];
    lm_vec3 *normals = scratch + surface->num_vertices;
    if (!lm_export_sample(job, index, 0, scratch, normals, error))
        return false;
    lm_buffer_text(out, "o ");
    append_name(out, surface->name[0] ? surface->name : job->name);
    lm_buffer_text(out, "\n");
    for (uint32_t i = 0; i < surface->num_vertices; i++)
        append_vector(out, "v ", scratch[i]);
    for (uint32_t i = 0; i < surface->num_vertices; i++) {
        lm_buffer_text(out, "vt ");
        lm_buffer_float(out, surface->st[i].x);
        lm_buffer_text(out, " ");
        lm_buffer_float(out, 1 - surface->st[i].y);
        lm_buffer_text(out, "\n");
    }
    for (uint32_t i = 0; i < surface->num_vertices; i++)
        append_vector(out, "vn ", normals[i]);
    append_faces(out, surface, first);
    return true;
}

static bool append_surfaces(const lm_export *job, lm_vec3 *scratch, lm_buffer *out,
                            lm_error *error) {
    uint64_t first = 1;
    for (uint32_t i = 0; i < job->model->num_surfaces; i++) {
        if (!append_surface(job, i, scratch, first, out, error))
            return false;
        first += job->model->surfaces[i].num_vertices;
    }
    return true;
}

static bool fail_full(const lm_buffer *out, lm_error *error) {
    if (out->max_size)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "the OBJ needs more than the %zu bytes allowed, or than there are",
                             out->max_size);
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing OBJ");
}

bool lm_obj_write(const lm_model *model, const lm_export_options *options, lm_buffer *out,
                  lm_error *error) {
    static const lm_export defaults = {.axes = LM_AXES_MODEL, .scale = 1};
    lm_export_options still = options ? *options : (lm_export_options){0};
    lm_export job;
    lm_heap heap;
    still.still = true;
    if (!lm_export_resolve(model, &still, &defaults, &job, error))
        return false;
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        most = model->surfaces[i].num_vertices > most ? model->surfaces[i].num_vertices : most;
    lm_heap_init(&heap, &(lm_memory){.allocator = out->allocator, .max_bytes = SIZE_MAX}, 0);
    lm_vec3 *scratch = lm_heap_alloc(&heap, most, 2 * sizeof *scratch);
    if (!scratch)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing OBJ");
    size_t start = out->size;
    bool ok = append_surfaces(&job, scratch, out, error);
    lm_heap_free(&heap, scratch, most * 2 * sizeof *scratch);
    if (ok && out->failed)
        ok = fail_full(out, error);
    if (!ok)
        out->size = start;
    return ok;
}
