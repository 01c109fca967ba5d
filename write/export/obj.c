#include "export/export_common.h"
#include "export/export_weld.h"

#include "core/names.h"
#include "core/report.h"
#include "core/utf8.h"
#include "core/writing.h"
#include "math/vectors.h"
#include "scene/check.h"

#include <stdio.h>
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
    uint8_t *text = lm_buffer_reserve(out, lm_utf8_from(name, NULL));
    if (!text)
        return false;
    size_t length = lm_utf8_from(name, (char *)text);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] < ' ' ? '_' : text[i];
    return true;
}

static bool is_mirrored(const lm_transform *place) {
    return place && lm_transform_volume(place) < 0;
}

/* ---- Scenes --------------------------------------------------------------------------------- */

/* What a corner of a face names. */
enum {
    OBJ_POSITION,
    OBJ_ST,
    OBJ_NORMAL,
    OBJ_KINDS
};

/* What each part shows and where it stands then. */
typedef struct lm_obj {
    const lm_scene *scene;
    lm_export *jobs;
    lm_pose *poses;
    lm_transform *places;
    lm_vec3 *scratch; /* two vectors for each vertex of the largest surface */
    lm_welding welding;
    uint64_t next[OBJ_KINDS]; /* numbers of what comes next, from 1 over the whole file */
    lm_arena *arena;
    const char *mtl_name; /* NULL: no materials */
    lm_buffer *out, *mtl;
    lm_names materials, names;   /* those that were written, and what they are called */
    const char **material_names; /* by the number of the first, from 1 */
    size_t num_materials, capacity;
} lm_obj;

/* ---- Materials ------------------------------------------------------------------------------ */

static void append_line(lm_buffer *out, const char *key, const char *name) {
    lm_buffer_text(out, key);
    append_name(out, name);
    lm_buffer_text(out, "\n");
}

static void append_material(const lm_obj *obj, const char *name,
                            const lm_scene_material *material) {
    lm_buffer *mtl = obj->mtl;
    append_line(mtl, "newmtl ", name);
    lm_buffer_text(mtl, "Kd 1 1 1\n");
    if (material->texture == LM_NO_TEXTURE)
        return;
    const char *uri = obj->scene->textures[material->texture].uri;
    append_line(mtl, "map_Kd ", uri);
    if (material->alpha != LM_ALPHA_OPAQUE)
        append_line(mtl, "map_d -imfchan m ", uri);
}

/* A name without what ends a word, as some readers have it. */
static char *copy_name(const lm_obj *obj, const char *text) {
    size_t length = lm_utf8_from(text, NULL);
    char *name = lm_arena_alloc(obj->arena, (uint64_t)length + LM_NAME_ROOM, 1);
    if (!name)
        return NULL;
    lm_utf8_from(text, name);
    name[length] = '\0';
    for (char *c = name; *c; c++)
        *c = (uint8_t)*c <= ' ' ? '_' : *c;
    return name;
}

/* The name of a material in the file, which is written when it is first used. NULL: no memory. */
static const char *use_material(lm_obj *obj, const lm_scene_material *material) {
    size_t size = strlen(material->name) + 24;
    char *key = lm_arena_alloc(obj->arena, size, 1), *name;
    if (!key)
        return NULL;
    snprintf(key, size, "%u %d %s", (unsigned)material->texture, (int)material->alpha,
             material->name);
    lm_name *known = lm_names_put(&obj->materials, key);
    if (!known)
        return NULL;
    if (known->number > 0)
        return obj->material_names[known->number - 1];
    name = lm_arena_grow(obj->arena, &obj->material_names, &obj->capacity, obj->num_materials + 1,
                         sizeof *obj->material_names)
               ? copy_name(obj, material->name)
               : NULL;
    name = name ? lm_names_unique(&obj->names, name) : NULL;
    if (!name)
        return NULL;
    obj->material_names[obj->num_materials++] = name;
    known->number = (uint32_t)obj->num_materials;
    append_material(obj, name, material);
    return name;
}

static bool append_use(lm_obj *obj, uint32_t part, uint32_t surface) {
    const lm_scene_part *p = &obj->scene->parts[part];
    if (!obj->mtl_name || p->num_skins == 0)
        return true;
    const char *name = use_material(obj, &p->skins[p->skin].materials[surface]);
    if (name)
        append_line(obj->out, "usemtl ", name);
    return name;
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

/* Those of one kind that are the same in every frame: in each pose of a model there are as many, in
 * the same order. */
static bool weld_kind(lm_obj *obj, const lm_model *model, uint32_t index, unsigned kind,
                      lm_arena *arena, lm_welded *welded) {
    const lm_surface *surface = &model->surfaces[index];
    lm_welding *w = &obj->welding;
    const float *values = &obj->scratch->x;
    lm_sample_target target = {.positions = kind == OBJ_POSITION ? &obj->scratch->x : NULL,
                               .normals = kind == OBJ_NORMAL ? &obj->scratch->x : NULL};
    lm_welding_start(w, surface->num_vertices);
    if (kind == OBJ_ST)
        lm_welding_divide(w, surface->st, sizeof *surface->st, surface->st, 0);
    for (uint32_t i = 0; i < model->num_frames && kind != OBJ_ST && w->num_classes < w->count;
         i++) {
        const lm_pose pose = {i, i, 0};
        lm_sample(model, index, &pose, 1, &target);
        lm_welding_divide(w, values, sizeof(lm_vec3), values, 0);
    }
    return lm_welding_end(w, arena, welded);
}

static void append_st(lm_buffer *out, lm_vec2 st) {
    lm_buffer_text(out, "vt ");
    lm_buffer_float(out, st.x);
    lm_buffer_text(out, " ");
    lm_buffer_float(out, 1 - st.y);
    lm_buffer_text(out, "\n");
}

/* The surface up to its faces. */
static bool append_vertices(const lm_obj *obj, const lm_export *job, uint32_t index,
                            const lm_welded welded[OBJ_KINDS], lm_error *error) {
    const lm_surface *surface = &job->model->surfaces[index];
    const lm_vec3 *positions = obj->scratch;
    lm_vec3 *normals = obj->scratch + surface->num_vertices;
    lm_buffer *out = obj->out;
    if (!lm_export_sample(job, index, 0, obj->scratch, normals, error))
        return false;
    append_line(out, "o ", surface->name[0] ? surface->name : job->name);
    for (uint32_t i = 0; i < welded[OBJ_POSITION].count; i++)
        append_vector(out, "v ", positions[welded[OBJ_POSITION].vertices[i]]);
    for (uint32_t i = 0; i < welded[OBJ_ST].count; i++)
        append_st(out, surface->st[welded[OBJ_ST].vertices[i]]);
    for (uint32_t i = 0; i < welded[OBJ_NORMAL].count; i++)
        append_vector(out, "vn ", normals[welded[OBJ_NORMAL].vertices[i]]);
    return true;
}

/* The corners a, c, b: counter-clockwise; a mirror has turned them already. */
static void append_faces(lm_obj *obj, const lm_surface *surface, bool mirrored,
                         const lm_welded welded[OBJ_KINDS]) {
    for (uint32_t i = 0; i < surface->num_triangles; i++) {
        const uint32_t *corners = surface->triangles + 3 * (size_t)i;
        lm_buffer_text(obj->out, "f");
        for (unsigned k = 0; k < 3; k++)
            for (unsigned kind = 0; kind < OBJ_KINDS; kind++) {
                uint32_t vertex = corners[mirrored ? k : (3 - k) % 3];
                unsigned long long number = obj->next[kind] + welded[kind].drawn[vertex];
                lm_buffer_printf(obj->out, "%c%llu", kind == 0 ? ' ' : '/', number);
            }
        lm_buffer_text(obj->out, "\n");
    }
    for (unsigned kind = 0; kind < OBJ_KINDS; kind++)
        obj->next[kind] += welded[kind].count;
}

static bool append_surface(lm_obj *obj, uint32_t part, uint32_t index, lm_arena *arena,
                           lm_error *error) {
    const lm_export *job = &obj->jobs[part];
    const lm_surface *surface = &job->model->surfaces[index];
    lm_welded welded[OBJ_KINDS];
    bool ok = true;
    for (unsigned kind = 0; kind < OBJ_KINDS && ok; kind++)
        ok = weld_kind(obj, job->model, index, kind, arena, &welded[kind]);
    if (ok && !append_vertices(obj, job, index, welded, error))
        return false;
    if (!ok || !append_use(obj, part, index))
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing OBJ");
    append_faces(obj, surface, is_mirrored(job->place), welded);
    return true;
}

static bool append_surfaces(lm_obj *obj, uint32_t part, lm_error *error) {
    bool ok = true;
    for (uint32_t i = 0; i < obj->jobs[part].model->num_surfaces && ok; i++) {
        lm_arena arena = {.heap = obj->arena->heap};
        ok = append_surface(obj, part, i, &arena, error);
        lm_arena_free(&arena);
    }
    return ok;
}

static bool resolve_parts(const lm_obj *obj, const lm_export_options *options, lm_error *error) {
    static const lm_export defaults = {.axes = LM_AXES_GLTF, .scale = 1};
    lm_scene_pose(obj->scene, NULL, 0, obj->poses);
    for (uint32_t i = 0; i < obj->scene->num_parts; i++) {
        const lm_scene_part *part = &obj->scene->parts[i];
        lm_export_options still = *options;
        still.still = true;
        if (i > 0 || !still.name)
            still.name = part->name;
        if (i > 0)
            still.frame = 0;
        if (!lm_export_resolve(part->model, &still, &defaults, &obj->jobs[i], error))
            return false;
    }
    obj->poses[0] = obj->jobs[0].pose;
    lm_scene_follow(obj->scene, obj->poses);
    lm_code code = lm_scene_place(obj->scene, obj->poses, obj->places);
    if (code != LM_CODE_OK)
        return lm_fail_plain(error, code, "the tags cannot be sampled");
    for (uint32_t i = 0; i < obj->scene->num_parts; i++) {
        obj->jobs[i].pose = obj->poses[i];
        bool at_origin = lm_scene_parent(obj->scene, i) == LM_NO_PART;
        obj->jobs[i].place = at_origin ? NULL : &obj->places[i];
    }
    return true;
}

static uint32_t most_vertices(const lm_scene *scene) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        for (uint32_t k = 0; k < scene->parts[i].model->num_surfaces; k++) {
            uint32_t count = scene->parts[i].model->surfaces[k].num_vertices;
            most = count > most ? count : most;
        }
    return most;
}

static bool alloc_parts(lm_obj *obj, lm_arena *arena) {
    uint32_t num_parts = obj->scene->num_parts;
    obj->jobs = lm_arena_alloc(arena, num_parts, sizeof *obj->jobs);
    obj->poses = lm_arena_alloc(arena, num_parts, sizeof *obj->poses);
    obj->places = lm_arena_alloc(arena, num_parts, sizeof *obj->places);
    const uint32_t most = most_vertices(obj->scene);
    obj->scratch = lm_arena_alloc(arena, most, 2 * sizeof *obj->scratch);
    return obj->jobs && obj->poses && obj->places && obj->scratch &&
           lm_welding_alloc(&obj->welding, arena, most);
}

static bool write_parts(lm_obj *obj, const lm_export_options *options, lm_error *error) {
    for (unsigned kind = 0; kind < OBJ_KINDS; kind++)
        obj->next[kind] = 1;
    if (!resolve_parts(obj, options, error))
        return false;
    if (obj->mtl_name)
        append_line(obj->out, "mtllib ", obj->mtl_name);
    for (uint32_t i = 0; i < obj->scene->num_parts; i++)
        if (!append_surfaces(obj, i, error))
            return false;
    return true;
}

/* A file of materials needs a buffer, and names for the textures that it names. */
static bool check_files(const lm_obj *obj, lm_error *error) {
    if (obj->mtl_name && !obj->mtl)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "an .obj needs a buffer for its .mtl");
    for (uint32_t i = 0; obj->mtl_name && i < obj->scene->num_textures; i++)
        if (!obj->scene->textures[i].uri)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "an .mtl needs a name for the file of texture %u", (unsigned)i);
    return true;
}

bool lm_obj_write_scene(const lm_scene *scene, const lm_export_options *options,
                        const char *mtl_name, lm_buffer *out, lm_buffer *mtl, lm_error *error) {
    static const lm_export_options no_options = {0};
    lm_heap heap;
    lm_arena arena = {.heap = &heap};
    lm_obj obj = {.scene = scene, .arena = &arena, .mtl_name = mtl_name, .out = out, .mtl = mtl};
    lm_buffer none = {0};
    if (!lm_scene_check(scene, error) || !check_files(&obj, error))
        return false;
    obj.mtl = mtl ? mtl : &none;
    obj.materials.arena = obj.names.arena = &arena;
    lm_heap_init(&heap, &(lm_memory){.allocator = out->allocator, .max_bytes = SIZE_MAX}, 0);
    lm_buffer_mark mark = lm_buffer_begin(out), mtl_mark = lm_buffer_begin(obj.mtl);
    bool ok = alloc_parts(&obj, &arena);
    if (ok)
        ok = write_parts(&obj, options ? options : &no_options, error);
    else
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing OBJ");
    lm_arena_free(&arena);
    ok = lm_buffer_end(obj.mtl, mtl_mark, ok && !out->failed, "MTL", error);
    return lm_buffer_end(out, mark, ok, "OBJ", error);
}

bool lm_obj_write(const lm_model *model, const lm_export_options *options, lm_buffer *out,
                  lm_error *error) {
    const lm_scene_part part = {.model = model};
    return lm_obj_write_scene(&(lm_scene){.num_parts = 1, .parts = &part}, options, NULL, out, NULL,
                              error);
}
