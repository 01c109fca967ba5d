#include "bake.h"

#include "core/names.h"
#include "core/options.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

size_t lmi_im_max_file(const importing *im, size_t otherwise) {
    const size_t given = im->options->memory.max_bytes;
    return given > 0 ? given : otherwise;
}

void lmi_im_add_input(importing *im, uint64_t bytes) {
    lm_heap *heap = im->arena->heap;
    im->input += bytes;
    if (im->options->memory.max_bytes > 0)
        return;
    heap->max_bytes = LM_MAX_IMPORT_BYTES;
    if (im->input < (LM_MAX_IMPORT_BYTES - LM_IMPORT_EXTRA) / im->multiple)
        heap->max_bytes = LM_IMPORT_EXTRA + (size_t)im->input * im->multiple;
}

const char *lmi_im_location(importing *im, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(im->location, sizeof im->location, format, values);
    va_end(values);
    return im->location;
}

bool lmi_im_fail(importing *im, lm_code code, const char *location, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list values;
    va_start(values, sentence);
    vsnprintf(text, sizeof text, sentence, values);
    va_end(values);
    lm_fail_plain(im->error, code, location ? "%s: %s: %s" : "%s: %s%s", im->what,
                  location ? location : "", text);
    if (im->error && location)
        snprintf(im->error->section, sizeof im->error->section, "%s", location);
    return false;
}

void lmi_im_note(importing *im, lm_im_issue issue, const char *sentence) {
    lm_diagnostic *diagnostic = &im->diagnostics[issue];
    if (diagnostic->count++ == 0) {
        diagnostic->code = issue == IM_TRAILING  ? LM_CODE_TRAILING_BYTES
                           : issue == IM_RATE    ? LM_CODE_CLIP_RATE
                           : issue == IM_OUTSIDE ? LM_CODE_BAD_OFFSET
                                                 : LM_CODE_NOT_HELD;
        diagnostic->severity = LM_SEVERITY_WARNING;
        diagnostic->text = sentence;
    }
}

void lmi_im_note_colors(importing *im) {
    lmi_im_note(im, IM_COLORS, "a surface loses its vertex colours: these models have none");
}

/* The result of an import. */
typedef struct lm_im_result {
    lm_import import; /* first: the caller has its address */
    lm_mesh mesh;
    lm_diagnostic diagnostics[IM_NUM_ISSUES];
} lm_im_result;

/* ---- Tags ------------------------------------------------------------------------------------ */

/* Returns whether a name is a word, perhaps with the number that Blender appends: "Upper.001". */
static bool is_called(const char *name, const char *word) {
    const size_t length = strlen(word);
    return strlen(name) >= length && lmi_same_letters(name, word, length) &&
           name[length + strspn(name + length, ".0123456789")] == '\0';
}

/* Finds the part of a player that each node belongs to: that of a tag or collection above it. */
static void find_bodies(const lm_im_gltf *gltf) {
    static const struct {
        const char *name;
        lm_body_part body;
    } known[] = {{"tag_torso", LM_BODY_UPPER},
                 {"tag_head", LM_BODY_HEAD},
                 {"lower", LM_BODY_LOWER},
                 {"upper", LM_BODY_UPPER},
                 {"head", LM_BODY_HEAD}};
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        lm_im_node *node = &gltf->nodes[gltf->order[i]];
        const char *name = node->tag ? node->tag : node->name;
        if (node->parent != IM_NONE)
            node->body = gltf->nodes[node->parent].body;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (is_called(name, known[k].name))
                node->body = known[k].body;
    }
}

/* Returns the length of a name without the number that Blender appends. */
static size_t unnumbered(const char *name) {
    const size_t length = strlen(name);
    const bool numbered =
        length > 4 && name[length - 4] == '.' && strspn(name + length - 3, "0123456789") == 3;
    return numbered ? length - 4 : length;
}

/* Finds the model of a weapon that each node belongs to: the one that a tag above it holds, in our
 * own exports, or the nearest node named v_SOMETHING, without the number that Blender appends. */
static bool find_pieces(importing *im, const lm_im_gltf *gltf) {
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        lm_im_node *node = &gltf->nodes[gltf->order[i]];
        const lm_im_node *above = node->parent != IM_NONE ? &gltf->nodes[node->parent] : NULL;
        node->piece = above ? above->piece : NULL;
        node->is_held = node->holds || (above && above->is_held);
        if (node->holds)
            node->piece = node->holds;
        else if (!node->is_held && lmi_lower(*node->name) == 'v' && node->name[1] == '_' &&
                 !(node->piece = lmi_arena_text(im->arena, node->name, unnumbered(node->name))))
            return false;
    }
    return true;
}

/* Returns the tag that a node's name makes it; NULL: none. */
static const char *tag_of(importing *im, const char *name) {
    if (!im->options->weapon || (strlen(name) < 4 || !lmi_same_letters(name, "tag_", 4)))
        return strncmp(name, "tag_", 4) == 0 ? name : NULL;
    char *tag = lmi_arena_text(im->arena, name, unnumbered(name));
    for (char *at = tag; at && *at; at++)
        *at = (char)lmi_lower(*at);
    return tag;
}

bool lmi_im_find_tags(importing *im, const lm_im_gltf *gltf, bool *tagged, lm_im_scene *scene) {
    const lm_import_options *options = im->options;
    lm_im_tag *tags =
        lmi_arena_zeros(im->arena, gltf->num_nodes + (uint64_t)options->num_tags, sizeof *tags);
    scene->tags = tags;
    if (!tags || !find_pieces(im, gltf))
        return false;
    find_bodies(gltf);
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        const lm_im_node *node = &gltf->nodes[i];
        const char *name = node->tag ? node->tag : tag_of(im, node->name);
        if (!node->shown || !name)
            continue;
        tagged[i] = true;
        tags[scene->num_tags++] =
            (lm_im_tag){name, i, node->parent != IM_NONE ? gltf->nodes[node->parent].piece : NULL};
    }
    for (uint32_t k = 0; k < options->num_tags; k++) {
        const lm_import_tag *requested = &options->tags[k];
        uint32_t i = 0;
        while (i < gltf->num_nodes && strcmp(gltf->nodes[i].name, requested->node) != 0)
            i++;
        if (i == gltf->num_nodes)
            return lmi_im_fail(im, LM_CODE_BAD_ARGUMENT, NULL,
                               "there is no node \"%.100s\" for the tag \"%.100s\"",
                               requested->node, requested->name);
        tags[scene->num_tags++] = (lm_im_tag){lmi_copy_text(im->arena, requested->name), i, NULL};
    }
    return !lmi_arena_failed(im->arena);
}

/* ---- Model names and skins ------------------------------------------------------------------- */

static bool read_variants(importing *im, const lm_im_gltf *gltf, lm_mesh *mesh) {
    const lm_im_ref extension =
        lmi_im_member(lmi_im_member(gltf->root, "extensions"), "KHR_materials_variants");
    const lm_im_ref list = lmi_im_member(extension, "variants");
    const char **skins = lmi_arena_zeros(im->arena, lmi_im_count(list), sizeof *skins);
    mesh->skins = skins;
    for (lm_im_ref e = lmi_im_first(list); skins && e; e = lmi_im_next(list, e)) {
        const char *name = lmi_im_string(im, lmi_im_member(e, "name"));
        if (!name)
            return false;
        skins[mesh->num_skins++] = name;
    }
    return skins != NULL;
}

static bool set_names(importing *im, const lm_im_scene *scene, lm_mesh *mesh) {
    const lm_im_gltf *gltf = scene->gltf;
    const lm_im_extras *extras = scene->extras;
    if (!gltf->own_export)
        return read_variants(im, gltf, mesh);
    mesh->name = extras->model;
    mesh->flags = extras->flags;
    mesh->synctype = extras->synctype;
    mesh->eye = lmi_im_rotate(extras->eye, (double)scene->scale);
    mesh->num_skins = extras->num_skins;
    mesh->skins = extras->skins;
    mesh->skin_width = extras->skin_width;
    mesh->skin_height = extras->skin_height;
    memcpy(mesh->grid, extras->grid, sizeof extras->grid);
    mesh->frame_names = extras->num_frames > 0 ? extras->frame_names : NULL;
    return true;
}

/* ---- Import ---------------------------------------------------------------------------------- */

/* Undoes lmi_im_rotate: `count` vectors have the model's axes already. */
static void turn_back(const float *vectors, size_t count) {
    lm_vec3 *v = (lm_vec3 *)(void *)vectors; /* of the import's own mesh */
    for (size_t i = 0; v && i < count; i++)
        v[i] = (lm_vec3){v[i].y, v[i].z, v[i].x};
}

/* Restores a mesh whose file has the model's axes. */
static void keep_axes(lm_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        turn_back(s->positions, (size_t)mesh->num_frames * s->num_vertices);
        turn_back(s->normals, (size_t)mesh->num_frames * s->num_vertices);
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        for (uint32_t f = 0; f < mesh->num_frames; f++) {
            lm_transform *pose = (lm_transform *)&mesh->tags[i].poses[f];
            const lm_vec3 first = pose->axis[0];
            turn_back(&pose->origin.x, 1);
            pose->axis[0] = pose->axis[1];
            pose->axis[1] = pose->axis[2];
            pose->axis[2] = first;
            turn_back(&pose->axis[0].x, 3);
        }
    turn_back(&mesh->eye.x, 1);
}

/* Adds the rows of a weapon.cfg in which nothing moves, which have no animation. */
static bool add_still_rows(importing *im, lm_im_gltf *gltf, const lm_im_extras *extras) {
    lm_im_animation *all =
        lmi_arena_zeros(im->arena, gltf->num_animations + (uint64_t)extras->num_clips, sizeof *all);
    uint32_t count = gltf->num_animations;
    lm_names names = {.arena = &im->scratch};
    for (uint32_t i = 0; all && i < count; i++) {
        all[i] = gltf->animations[i];
        if (!lmi_names_put(&names, all[i].name))
            return false;
    }
    for (uint32_t i = 0; all && i < extras->num_clips; i++)
        if (extras->still[i] && !lmi_names_find(&names, extras->clips[i].name))
            all[count++].name = extras->clips[i].name;
    gltf->animations = all;
    gltf->num_animations = count;
    return all;
}

bool lmi_im_bake_scene(importing *im, const lm_im_scene *scene, lm_mesh *mesh) {
    lm_im_baked_from from;
    if (scene->num_parts == 0 && scene->num_tags == 0)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, "scenes", "there are no triangles");
    if (!lmi_im_bake(im, scene, mesh, &from))
        return false;
    if (scene->extras->model_axes)
        keep_axes(mesh);
    return lmi_im_check_endings(im, mesh) && lm_mesh_check(mesh, im->error) &&
           (!im->options->skeleton || lmi_im_make_skeleton(im, scene, mesh, &from));
}

static bool read_all(importing *im, const lm_im_source *source, lm_mesh *mesh) {
    lm_im_gltf gltf = {.bin = {NULL, 0}};
    lm_im_extras extras = {.num_frames = 0};
    lm_im_scene scene = {.gltf = &gltf, .extras = &extras, .scale = im->options->scale};
    if (!lmi_im_read_container(im, source->bytes, source->size, &gltf) ||
        !lmi_im_read_buffers(im, &gltf) || !lmi_im_read_accessors(im, &gltf) ||
        !lmi_im_read_nodes(im, &gltf) || !lmi_im_read_skins(im, &gltf) ||
        !lmi_im_read_animations(im, &gltf) || !lmi_im_read_extras(im, &gltf, &extras))
        return false;
    gltf.own_export = im->import->own_export = extras.num_frames > 0 || extras.is_weapon;
    scene.scale = (float)((double)scene.scale * (double)LM_METRES_PER_UNIT / extras.unit);
    if (im->options->fps > 0 || im->options->keys)
        extras.num_frames = 0;
    if (extras.num_frames == 0 &&
        !(extras.is_weapon ? add_still_rows(im, &gltf, &extras) : lmi_im_drop_still(im, &gltf)))
        return false;
    bool *tagged = lmi_arena_zeros(im->arena, gltf.num_nodes, sizeof *tagged);
    if (!tagged || !lmi_im_find_tags(im, &gltf, tagged, &scene) ||
        !lmi_im_read_parts(im, &gltf, tagged, lmi_im_count(extras.empty), &scene.parts,
                           &scene.num_parts) ||
        !set_names(im, &scene, mesh) || !lmi_im_bake_scene(im, &scene, mesh))
        return false;
    return lmi_im_read_images(im, &gltf);
}

static bool check_options(const lm_import_options *options, lm_error *error) {
    static const lm_option_member table[] = {
        LM_MEMBER(lm_import_options, importer, ENUM, LM_IMPORTER_IQM),
        LM_MEMBER(lm_import_options, memory, MEMORY, 0),
        LM_MEMBER(lm_import_options, reserved, RESERVED, 0)};
    const lm_list lists[] = {LM_TEXTS(options, loops), LM_TEXTS(options, onces),
                             LM_ITEMS(options, tags, lm_import_tag, name),
                             LM_ITEMS(options, tags, lm_import_tag, node)};
    if (!lmi_options_valid(options, "import", table, sizeof table / sizeof *table, error) ||
        !lmi_lists_valid("import", lists, sizeof lists / sizeof *lists, error))
        return false;
    if (options->importer == LM_IMPORTER_ASSIMP && !options->name)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "import: Assimp needs a name");
    if (!(options->fps >= 0 && options->fps <= LM_MAX_IMPORT_FPS))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "import: fps is %g, but must be 0 to 1000", (double)options->fps);
    if (!(options->scale >= 0 && options->scale <= LM_MAX_IMPORT_SCALE))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "import: scale is %g, but must be 0 to 10^9", (double)options->scale);
    for (uint32_t i = 0; i < options->num_tags; i++)
        if (!LM_RESERVED_VALID(&options->tags[i], error, "import: tag %u", (unsigned)i))
            return false;
    return true;
}

lm_import *lmi_im_import(const lm_im_source *source, const char *what, lm_im_reader *reader,
                         const lm_import_options *options, lm_error *error) {
    lm_import_options given = options ? *options : (lm_import_options){.fps = 0};
    if (!check_options(&given, error))
        return NULL;
    if (given.scale == 0)
        given.scale = LM_IMPORT_SCALE;
    lm_heap heap;
    lmi_heap_init(&heap, &given.memory, 0);
    lm_im_result *result = lmi_object(&heap, sizeof *result);
    importing im = {.what = result ? what : "import",
                    .options = &given,
                    .multiple = LM_IMPORT_MULTIPLE,
                    .arena = result ? lmi_arena_of(result) : NULL,
                    .scratch = {.heap = &heap},
                    .error = error};
    if (result) {
        result->import = (lm_import){.mesh = &result->mesh, .diagnostics = result->diagnostics};
        im.import = &result->import;
        lmi_im_add_input(&im, source->size);
    }
    const bool done = result && reader(&im, source, &result->mesh);
    lmi_arena_free(&im.scratch);
    /* Fill the error if an allocation failed. */
    if (heap.over_limit)
        lmi_im_fail(&im, LM_CODE_LIMIT, NULL,
                    "the import needs more than %zu bytes of memory: raise the limit, lower the "
                    "frame rate or simplify the model",
                    heap.max_bytes);
    else if (heap.failed_size > 0)
        lm_fail_plain(im.error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    result = lmi_object_end(result, done);
    if (!result)
        return NULL;
    for (unsigned i = 0; i < IM_NUM_ISSUES; i++)
        if (im.diagnostics[i].count > 0)
            result->diagnostics[result->import.num_diagnostics++] = im.diagnostics[i];
    return &result->import;
}

lm_importer lm_importer_find(const void *data, size_t size, const char *name) {
    return data && lmi_im_is_gltf(data, size)  ? LM_IMPORTER_GLTF
           : data && lmi_im_is_iqm(data, size) ? LM_IMPORTER_IQM
           : name && lmi_ends_in(name, ".iqm") ? LM_IMPORTER_IQM
           : name && lmi_im_assimp_reads(name) ? LM_IMPORTER_ASSIMP
                                               : LM_IMPORTER_UNKNOWN;
}

lm_import *lm_import_read(const void *data, size_t size, const lm_import_options *options,
                          lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    const lm_im_source source = {data, size, options ? options->name : NULL};
    lm_importer with = options ? options->importer : LM_IMPORTER_UNKNOWN;
    if (with == LM_IMPORTER_UNKNOWN)
        with = lm_importer_find(data, size, source.name);
    if (with == LM_IMPORTER_UNKNOWN && !source.name)
        with = LM_IMPORTER_GLTF;
    return with == LM_IMPORTER_GLTF ? lmi_im_import(&source, "gltf", read_all, options, error)
           : with == LM_IMPORTER_IQM
               ? lmi_im_import(&source, "iqm", lmi_im_read_iqm, options, error)
               : lmi_im_import(&source, "import", lmi_im_read_assimp, options, error);
}

void lm_import_free(lm_import *import) {
    lmi_object_free(import);
}

/* ---- Builds without the headers of Assimp or meshoptimizer ----------------------------------- */

#ifndef LM_IM_ASSIMP_FILE
bool lmi_im_read_assimp(importing *im, const lm_im_source *source, lm_mesh *mesh) {
    (void)source;
    (void)mesh;
    return lm_fail_plain(im->error, LM_CODE_NOT_BUILT_IN,
                         "this build cannot read such files: it was built without Assimp");
}

bool lmi_im_assimp_reads(const char *name) {
    (void)name;
    return false;
}
#endif

#ifndef LM_IM_MESHOPT_FILE
const lm_gltf_packer *lm_meshopt_packer(void) {
    return NULL;
}

bool lmi_im_can_unpack(void) {
    return false;
}

bool lmi_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                   lm_im_bytes *out) {
    (void)packed;
    (void)out;
    return lmi_im_fail(im, LM_CODE_NOT_BUILT_IN, location,
                       "it is compressed, but this build cannot decompress it: export it without "
                       "meshopt compression");
}
#endif
