#include "assimp.h"

#include "../motions.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Formats with a defined unit, in metres. Other formats are taken to be in the model's own
 * units. */
static const struct {
    const char *extension;
    double metres;
} units[] = {{"blend", 1}, {"lwo", 1}, {"lws", 1}, {"x3d", 1}, {"wrl", 1}, {"dae", 1}, {"zae", 1}};

/* Returns the unit of an FBX file in metres. UnitScaleFactor is in centimetres. */
static double fbx_unit(const struct aiScene *scene) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0)
            continue;
        double value = 0;
        if (entry->mType == AI_DOUBLE)
            memcpy(&value, entry->mData, sizeof value);
        else if (entry->mType == AI_FLOAT)
            value = (double)*(const float *)entry->mData;
        if (value > 1e-6 && value < 1e6)
            return value * 0.01;
    }
    return 0.01;
}

static float scale_of(const lm_im_assimp *a, const char *extension) {
    double metres = 1 / (double)LM_IMPORT_SCALE;
    if (strcmp(extension, "fbx") == 0)
        metres = fbx_unit(a->scene);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(extension, units[i].extension) == 0)
            metres = units[i].metres;
    return (float)((double)a->im->options->scale * metres);
}

/* Reports known limits of Assimp for this format. */
static void warn(const lm_im_assimp *a, const char *extension) {
    static const char *const still[] = {"iqm", "b3d"};
    static const char *const curved[] = {"fbx", "dae", "zae", "3ds", "ase", "lws", "irr", "ogex"};
    for (size_t i = 0; a->gltf->num_animations > 0 && i < sizeof curved / sizeof *curved; i++)
        if (strcmp(extension, curved[i]) == 0)
            lm_im_note(a->im, IM_CURVES,
                       "Assimp interpolates curved and stepped keys linearly: if that is visible, "
                       "export with a key per frame");
    for (size_t i = 0; a->gltf->num_animations == 0 && i < sizeof still / sizeof *still; i++)
        if (strcmp(extension, still[i]) == 0)
            lm_im_note(a->im, IM_CURVES,
                       "Assimp reads no animations from such files: export to glTF instead");
    if (a->gltf->num_animations == 0 && a->gltf->num_skins > 0 && strcmp(extension, "dae") == 0)
        lm_im_note(a->im, IM_CURVES,
                   "it has bones but no animation: Blender's Collada exporter writes the active "
                   "action and no NLA strips; export to glTF instead");
}

/* Formats with x forward and z up, like the models. rotate_root() rotates their scenes to glTF's
 * axes. */
static const struct {
    const char *extension;
    bool keeps_axes; /* Assimp keeps the axes; false: it makes y up, and x stays forward */
} games[] = {{"smd", true}, {"vta", true}, {"cob", true}, {"scn", true}, {"md5mesh", false}};

static void rotate_root(const lm_im_assimp *a, const char *extension) {
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        if (strcmp(extension, games[i].extension) != 0)
            continue;
        float *m = a->gltf->nodes[0].matrix;
        for (int c = 0; c < 4; c++, m += 4) {
            const float x = m[0], y = m[1], z = m[2];
            m[0] = games[i].keeps_axes ? y : -z;
            m[1] = games[i].keeps_axes ? z : y;
            m[2] = x;
        }
    }
}

/* Returns true if the scene is an FBX of Blender. Its objects, not its root, have the turn from z
 * up to y up. */
static bool is_blender_fbx(const struct aiScene *scene, const char *extension) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && strcmp(extension, "fbx") == 0 && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, AI_METADATA_SOURCE_GENERATOR) == 0 &&
            data->mValues[i].mType == AI_AISTRING)
            return strstr(((const struct aiString *)data->mValues[i].mData)->data, "Blender");
    return false;
}

/* Finds the turn of the file's axes: that of the root, if it only exchanges axes. */
static void find_turn(const lm_im_assimp *a, const char *extension, lm_im_scene *scene) {
    static const double z_up[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    const float *m = a->gltf->nodes[0].matrix;
    if (is_blender_fbx(a->scene, extension)) {
        memcpy(scene->turn, z_up, sizeof z_up);
        scene->is_turned = true;
        return;
    }
    for (int c = 0; c < 3; c++, m += 4) {
        const double length = sqrt((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
        for (int r = 0; r < 3; r++) {
            const double x = length > 0 ? (double)m[r] / length : 2, whole = floor(x + 0.5);
            if (fabs(x - whole) > 1e-4) {
                scene->is_turned = false;
                return;
            }
            scene->turn[3 * c + r] = whole;
            scene->is_turned = scene->is_turned || (r != c && whole != 0);
        }
    }
}

/* Models of games are larger than this, in units, and those in metres smaller. */
#define LEAST_SIZE 3

/* Warns if a file without a unit seems to be in metres. */
static void warn_unit(const lm_im_assimp *a, const char *extension, const lm_mesh *mesh) {
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(extension, units[i].extension) == 0)
            return;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        if (strcmp(extension, games[i].extension) == 0)
            return;
    if (strcmp(extension, "fbx") == 0 || a->im->options->scale != LM_IMPORT_SCALE)
        return;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (size_t v = 0; v < 3 * (size_t)mesh->surfaces[i].num_vertices; v++) {
            low = fminf(low, mesh->surfaces[i].positions[v]);
            high = fmaxf(high, mesh->surfaces[i].positions[v]);
        }
    if (high - low > 0 && high - low < LEAST_SIZE)
        lm_im_note(a->im, IM_UNIT,
                   "the model is smaller than 3 units, and its file states no unit: if that is "
                   "metres, scale it by 39.37");
}

static bool build(lm_im_assimp *a, const char *extension, lm_mesh *mesh) {
    const lm_im_extras extras = {.num_frames = 0};
    lm_im_scene scene = {.gltf = a->gltf, .extras = &extras, .scale = scale_of(a, extension)};
    bool *tagged;
    if (!lm_im_assimp_nodes(a))
        return false;
    rotate_root(a, extension);
    find_turn(a, extension, &scene);
    a->no_weights = strcmp(extension, "fbx") == 0;
    if (!(tagged = lm_arena_zeros(a->im->arena, a->gltf->num_nodes, sizeof *tagged)) ||
        !lm_im_find_tags(a->im, a->gltf, tagged, &scene) || !lm_im_assimp_images(a) ||
        !lm_im_assimp_parts(a, tagged, &scene) || !lm_im_assimp_motion(a))
        return false;
    warn(a, extension);
    if (!lm_im_drop_still(a->im, a->gltf) || !lm_im_bake_scene(a->im, &scene, mesh))
        return false;
    warn_unit(a, extension, mesh);
    return lm_im_assimp_read_images(a);
}

/* Writes a file name's extension in lower case, without the dot. */
static void extension_of(const char *name, char *out, size_t size) {
    const char *dot = strrchr(name, '.');
    snprintf(out, size, "%s", dot ? dot + 1 : "");
    for (; *out; out++)
        *out = (char)tolower((unsigned char)*out);
}

size_t lm_im_assimp_max_bytes(const importing *im) {
    const size_t most = im->options->memory.max_bytes;
    return most > 0 ? most : LM_IMPORT_ASSIMP_BYTES;
}

static bool check_size(importing *im, const lm_im_source *source) {
    const size_t most = lm_im_assimp_max_bytes(im);
    return source->size <= most ||
           lm_im_fail(im, LM_CODE_LIMIT, NULL,
                      "it has %zu bytes, but Assimp receives at most %zu, because its memory "
                      "cannot be limited: export to glTF instead",
                      source->size, most);
}

static bool read_all(importing *im, const lm_im_source *source, lm_mesh *mesh) {
    char extension[16];
    lm_im_gltf gltf = {.bin = {NULL, 0}};
    lm_im_assimp a = {.im = im, .gltf = &gltf};
    extension_of(source->name, extension, sizeof extension);
    if (!check_size(im, source))
        return false;
    a.library = lm_im_library_open(im->error);
    a.scene = a.library ? lm_im_assimp_load(im, a.library, source) : NULL;
    if (!a.scene)
        return false;
    const bool made = lm_im_assimp_check(&a) && build(&a, extension, mesh);
    a.library->aiReleaseImport(a.scene);
    return made;
}

lm_import *lm_import_assimp(const void *bytes, size_t size, const char *name,
                            const lm_import_options *options, lm_error *error) {
    const lm_im_source source = {bytes, size, name};
    return lm_im_import(&source, "import", read_all, options, error);
}

bool lm_import_assimp_reads(const char *name) {
    char extension[18] = ".";
    const lm_im_library *library = lm_im_library_open(NULL);
    extension_of(name, extension + 1, sizeof extension - 1);
    return library && extension[1] && library->aiIsExtensionSupported(extension) == AI_TRUE;
}
