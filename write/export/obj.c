#include "export/export_common.h"

#include "core/names.h"
#include "core/options.h"
#include "core/text.h"
#include "math/vectors.h"
#include "scene/check.h"

/* The indices in a face's corner. */
enum {
    OBJ_POSITION,
    OBJ_ST,
    OBJ_NORMAL,
    OBJ_KINDS
};

/* The export of a scene: the pose and world transform of each part. */
typedef struct lm_obj {
    const lm_scene *scene;
    lm_heap heap;
    lm_arena arena;
    lm_export *jobs;
    lm_pose *poses;
    lm_transform *transforms;
    lm_vec3 *scratch; /* two vectors per vertex of the largest surface */
    lm_welding welding;
    uint64_t next[OBJ_KINDS]; /* next numbers in the file, from 1 */
    const char *mtl_name;     /* NULL: no materials */
    lm_buffer *out, *mtl;
    lm_names materials, names;   /* materials written so far; their names in the file */
    const char **material_names; /* by the materials' numbers, from 1 */
    uint32_t num_materials;
} lm_obj;

/* ---- Lines ---------------------------------------------------------------------------------- */

static void append_numbers(lm_buffer *out, const char *key, const float *numbers, unsigned count) {
    lm_buffer_text(out, key);
    for (unsigned i = 0; i < count; i++) {
        lm_buffer_text(out, " ");
        lmi_buffer_float(out, numbers[i]);
    }
    lm_buffer_text(out, "\n");
}

static void append_utf8(lm_buffer *out, const char *name) {
    uint8_t *text = lm_buffer_reserve(out, lmi_utf8_from(name, NULL));
    if (text)
        lmi_utf8_from(name, (char *)text);
}

/* Writes a name up to the end of its line. Replaces control characters, which could end the line.
 * `file`: it names a file and keeps its bytes; other names become UTF-8. */
static void append_line(lm_buffer *out, const char *key, const char *name, bool file) {
    lm_buffer_text(out, key);
    const size_t start = out->size;
    if (file)
        lm_buffer_text(out, name);
    else
        append_utf8(out, name);
    for (size_t i = start; i < out->size; i++)
        out->data[i] = lmi_is_control(out->data[i]) ? '_' : out->data[i];
    lm_buffer_text(out, "\n");
}

/* ---- Materials ------------------------------------------------------------------------------ */

static void append_material(const lm_obj *obj, const char *name,
                            const lm_scene_material *material) {
    lm_buffer *mtl = obj->mtl;
    append_line(mtl, "newmtl ", name, false);
    lm_buffer_text(mtl, "Kd 1 1 1\n");
    if (material->texture == LM_NO_TEXTURE)
        return;
    const char *uri = obj->scene->textures[material->texture].uri;
    append_line(mtl, "map_Kd ", uri, true);
    if (material->alpha != LM_ALPHA_OPAQUE)
        append_line(mtl, "map_d -imfchan m ", uri, true);
}

/* Returns a material's name in the file, and writes the material on first use. The name has no
 * white space, because some readers split it into words. Returns NULL if memory ran out. */
static const char *use_material(lm_obj *obj, const lm_scene_material *material) {
    const char *key = lmi_arena_printf(&obj->arena, "%u %d %s", (unsigned)material->texture,
                                       (int)material->alpha, material->name);
    lm_name *known = key ? lmi_names_put(&obj->materials, key) : NULL;
    if (!known)
        return NULL;
    if (known->number > 0)
        return obj->material_names[known->number - 1];
    char *name = lmi_export_name(&obj->arena, material->name);
    for (char *c = name; c && *c; c++)
        *c = *c == ' ' || lmi_is_control(*c) ? '_' : *c;
    name = name ? lmi_names_unique(&obj->names, name) : NULL;
    if (!name)
        return NULL;
    obj->material_names[obj->num_materials++] = name;
    known->number = obj->num_materials;
    append_material(obj, name, material);
    return name;
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

/* Merges positions, st or normals that are equal in every frame. So each pose of a model has the
 * same number of them, in the same order. */
static bool weld_kind(lm_obj *obj, const lm_export *job, uint32_t index, unsigned kind,
                      lm_arena *arena, lm_welded *welded) {
    const lm_surface *surface = &job->model->surfaces[index];
    lm_welding *w = &obj->welding;
    lm_vec3 *values = obj->scratch;
    lmi_welding_start(w, surface->num_vertices);
    if (kind == OBJ_ST)
        lmi_welding_divide(w, surface->st, sizeof *surface->st, surface->st, 0);
    for (uint32_t i = 0; i < job->model->num_frames && kind != OBJ_ST && w->num_classes < w->count;
         i++) {
        lmi_export_vertices(job, index, &(lm_pose){i, i, 0, false},
                            kind == OBJ_POSITION ? values : NULL,
                            kind == OBJ_NORMAL ? values : NULL);
        lmi_welding_divide(w, values, sizeof(lm_vec3), values, 0);
    }
    return lmi_welding_end(w, arena, welded);
}

/* Writes a surface up to its faces. */
static bool append_vertices(const lm_obj *obj, const lm_export *job, uint32_t index,
                            const lm_welded welded[OBJ_KINDS]) {
    const lm_surface *surface = &job->model->surfaces[index];
    const lm_vec3 *positions = obj->scratch;
    lm_vec3 *normals = obj->scratch + surface->num_vertices;
    if (!lmi_export_sample(job, index, 0, obj->scratch, normals))
        return false;
    append_line(obj->out, "o ", surface->name[0] ? surface->name : job->name, false);
    for (uint32_t i = 0; i < welded[OBJ_POSITION].count; i++)
        append_numbers(obj->out, "v", &positions[welded[OBJ_POSITION].vertices[i]].x, 3);
    for (uint32_t i = 0; i < welded[OBJ_ST].count; i++) {
        const lm_vec2 st = surface->st[welded[OBJ_ST].vertices[i]];
        append_numbers(obj->out, "vt", (const float[]){st.x, 1 - st.y}, 2);
    }
    for (uint32_t i = 0; i < welded[OBJ_NORMAL].count; i++)
        append_numbers(obj->out, "vn", &normals[welded[OBJ_NORMAL].vertices[i]].x, 3);
    return true;
}

/* Writes the corners a, c, b: counter-clockwise. For a mirrored part, a, b, c already are. */
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

static bool append_surface(lm_obj *obj, uint32_t part, uint32_t index, lm_arena *arena) {
    const lm_export *job = &obj->jobs[part];
    lm_welded welded[OBJ_KINDS];
    for (unsigned kind = 0; kind < OBJ_KINDS; kind++)
        if (!weld_kind(obj, job, index, kind, arena, &welded[kind]))
            return false;
    if (!append_vertices(obj, job, index, welded))
        return false;
    const lm_scene_part *p = &obj->scene->parts[part];
    if (obj->mtl_name && p->num_skins > 0) {
        const char *name = use_material(obj, &p->skins[p->skin].materials[index]);
        if (!name)
            return false;
        append_line(obj->out, "usemtl ", name, false);
    }
    const bool mirrored = job->transform && lmi_transform_volume(job->transform) < 0;
    append_faces(obj, &job->model->surfaces[index], mirrored, welded);
    return true;
}

/* ---- Scenes --------------------------------------------------------------------------------- */

static bool resolve_parts(lm_obj *obj, const lm_export_options *options) {
    lm_scene_pose(obj->scene, NULL, 0, obj->poses);
    for (uint32_t i = 0; i < obj->scene->num_parts; i++) {
        const lm_scene_part *part = &obj->scene->parts[i];
        lm_export_options still = *options;
        still.still = true;
        still.name = i > 0 || !still.name ? part->name : still.name;
        still.frame = i > 0 ? 0 : still.frame;
        still.mesh = i > 0 ? NULL : still.mesh;
        obj->jobs[i] = (lm_export){.call = &obj->heap.call, .axes = LM_AXES_GLTF, .scale = 1};
        if (!lmi_export_resolve(part->model, &still, &obj->arena, &obj->jobs[i]))
            return false;
    }
    obj->poses[0] = obj->jobs[0].pose;
    lm_scene_follow(obj->scene, obj->poses);
    if (!lmi_call_join(&obj->heap.call, lm_scene_evaluate(obj->scene, obj->poses, NULL, NULL,
                                                          obj->transforms, obj->heap.call.error)))
        return false;
    for (uint32_t i = 0; i < obj->scene->num_parts; i++) {
        obj->jobs[i].pose = obj->poses[i];
        bool at_origin = lmi_scene_parent(obj->scene, i) == LM_NO_PART;
        obj->jobs[i].transform = at_origin ? NULL : &obj->transforms[i];
    }
    return true;
}

static bool alloc_parts(lm_obj *obj) {
    const uint32_t num_parts = obj->scene->num_parts;
    uint64_t num_surfaces = 0;
    uint32_t most = 0;
    for (uint32_t i = 0; i < num_parts; i++) {
        const lm_model *model = obj->scene->parts[i].model;
        num_surfaces += model->num_surfaces;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            most = model->surfaces[k].num_vertices > most ? model->surfaces[k].num_vertices : most;
    }
    obj->jobs = lmi_arena_alloc(&obj->arena, num_parts, sizeof *obj->jobs);
    obj->poses = lmi_arena_alloc(&obj->arena, num_parts, sizeof *obj->poses);
    obj->transforms = lmi_arena_alloc(&obj->arena, num_parts, sizeof *obj->transforms);
    obj->scratch = lmi_arena_alloc(&obj->arena, most, 2 * sizeof *obj->scratch);
    obj->material_names = lmi_arena_alloc(&obj->arena, num_surfaces, sizeof *obj->material_names);
    lmi_welding_alloc(&obj->welding, &obj->arena, most);
    return obj->heap.call.status == LM_DONE;
}

static void write_parts(lm_obj *obj, const lm_export_options *options) {
    static const lm_export_options defaults;
    if (!alloc_parts(obj) || !resolve_parts(obj, options ? options : &defaults))
        return;
    if (obj->mtl_name)
        append_line(obj->out, "mtllib ", obj->mtl_name, true);
    for (uint32_t part = 0; part < obj->scene->num_parts; part++)
        for (uint32_t i = 0; i < obj->jobs[part].model->num_surfaces; i++) {
            lm_arena arena = {.heap = &obj->heap};
            const bool ok = append_surface(obj, part, i, &arena);
            lmi_arena_free(&arena);
            if (!ok)
                return;
        }
}

bool lm_obj_write(const lm_scene *scene, const lm_export_options *options, const char *mtl_name,
                  lm_buffer *out, lm_buffer *mtl, lm_error *error) {
    if (!LM_GIVEN(error, scene, out) || !lmi_buffer_valid(out, __func__, error) ||
        !lmi_buffer_valid(mtl, __func__, error))
        return false;
    lm_buffer none = {0};
    lm_obj obj = {.scene = scene, .next = {1, 1, 1}, .mtl_name = mtl_name, .out = out, .mtl = mtl};
    lmi_export_begin(&obj.heap, out, error);
    if (!lm_scene_check(scene, error))
        return false;
    if (mtl_name && !mtl)
        return lmi_call_fail(&obj.heap.call, LM_CODE_BAD_ARGUMENT,
                             "an .obj needs a buffer for its .mtl");
    if (mtl_name && !lmi_export_check_uris(&obj.heap.call, scene, "an .mtl"))
        return false;
    obj.mtl = mtl ? mtl : &none;
    obj.arena.heap = &obj.heap;
    obj.materials.arena = obj.names.arena = &obj.arena;
    const lm_buffer_mark mark = lmi_buffer_begin(out), mtl_mark = lmi_buffer_begin(obj.mtl);
    write_parts(&obj, options);
    lmi_arena_free(&obj.arena);
    if (out->failed || obj.mtl->failed)
        lmi_call_end(&obj.heap.call, LM_NO_MEMORY);
    lmi_export_end(&obj.heap, out, mark, "OBJ");
    return lmi_export_end(&obj.heap, obj.mtl, mtl_mark, "MTL");
}
