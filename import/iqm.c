/* Reads IQM, the Inter-Quake Model: meshes, joints and animations become those of a glTF, which is
 * then baked. */
#include "bake.h"

#include "core/bytes.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

#define MAGIC "INTERQUAKEMODEL"
#define HEADER_SIZE 124
#define NUM_CHANNELS 10 /* of a pose: translation, rotation, scale */

static const char not_finite[] = "it has a number that is not finite";

/* A list of the file: elements of `size` bytes each. */
typedef struct iqm_list {
    const uint8_t *data;
    uint32_t count;
} iqm_list;

/* The vertex arrays that are read. */
typedef enum iqm_array {
    IQM_POSITION,
    IQM_TEXCOORD,
    IQM_NORMAL,
    IQM_BLEND_JOINTS = 4,
    IQM_BLEND_WEIGHTS,
    IQM_COLOR,
    IQM_NUM_ARRAYS
} iqm_array;
#define IQM_UBYTE 1
#define IQM_FLOAT 7

typedef struct iqm {
    importing *im;
    lm_bytes file;
    lm_im_gltf *gltf;
    iqm_list text, meshes, arrays, triangles, joints, poses, anims, frames;
    uint32_t num_vertices, num_channels;
    const uint8_t *vertices[IQM_NUM_ARRAYS]; /* NULL: the file has none */
    bool bytes[IQM_NUM_ARRAYS];              /* of unsigned bytes instead of floats */
} iqm;

bool lmi_im_is_iqm(const void *bytes, size_t size) {
    return size >= sizeof MAGIC && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static uint32_t header(const iqm *q, unsigned index) {
    return lmi_get_u32(q->file.data + sizeof MAGIC + 4 * (size_t)index);
}

/* Reads where a list is: its number and, in the field after that, its offset. */
static bool find_list(const iqm *q, unsigned field, const char *name, size_t size, uint32_t count,
                      iqm_list *out) {
    const uint32_t offset = header(q, field + 1);
    *out = (iqm_list){q->file.data, count};
    if (count == 0)
        return true;
    if (!lmi_fits(q->file.size, offset, count, size))
        return lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, name,
                           "%u x %zu bytes at %u exceed the file, which has %zu bytes",
                           (unsigned)count, size, (unsigned)offset, q->file.size);
    out->data += offset;
    return true;
}

/* Copies a text; NULL: it fails. */
static char *read_text(const iqm *q, const char *location, uint32_t offset) {
    if (offset == 0 && q->text.count == 0)
        return lmi_copy_text(q->im->arena, "");
    if (offset >= q->text.count || !memchr(q->text.data + offset, '\0', q->text.count - offset)) {
        lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, location,
                    "its name is at %u of the texts, which have %u bytes, or does not end",
                    (unsigned)offset, (unsigned)q->text.count);
        return NULL;
    }
    char *text = lmi_copy_text(q->im->arena, (const char *)q->text.data + offset);
    for (char *c = text; c && *c; c++)
        *c = (char)(lmi_is_control(*c) ? '_' : *c);
    return text;
}

/* Warns about lists that are not read, because they are empty or of no use, if they are not in the
 * file. */
static bool check_others(const iqm *q) {
    static const struct {
        unsigned char count, offset; /* fields of the header */
        unsigned char size;
        const char *name;
    } lists[] = {{3, 4, 1, "text"},         {5, 6, 24, "meshes"},      {7, 9, 20, "vertexarrays"},
                 {10, 11, 12, "triangles"}, {10, 12, 12, "adjacency"}, {13, 14, 48, "joints"},
                 {15, 16, 88, "poses"},     {17, 18, 20, "anims"},     {19, 21, 0, "frames"},
                 {19, 22, 32, "bounds"},    {23, 24, 1, "comments"},   {25, 26, 16, "extensions"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const uint32_t offset = header(q, lists[i].offset);
        if (offset == 0 || lmi_fits(q->file.size, offset, header(q, lists[i].count), lists[i].size))
            continue;
        const char *text =
            lmi_arena_printf(q->im->arena, "the list of %s at %u exceeds the file; it is not read",
                             lists[i].name, (unsigned)offset);
        if (!text)
            return false;
        lmi_im_note(q->im, IM_OUTSIDE, text);
    }
    return true;
}

static bool read_header(iqm *q) {
    importing *im = q->im;
    const size_t begun = q->file.size < sizeof MAGIC ? q->file.size : sizeof MAGIC;
    if (begun > 0 && memcmp(q->file.data, MAGIC, begun) != 0)
        return lmi_im_fail(im, LM_CODE_UNKNOWN_FORMAT, NULL, "this is no IQM");
    if (q->file.size < HEADER_SIZE)
        return lmi_im_fail(im, LM_CODE_TRUNCATED, NULL, "the file has %zu bytes, but its header %d",
                           q->file.size, HEADER_SIZE);
    if (header(q, 0) != 2)
        return lmi_im_fail(im, LM_CODE_BAD_VERSION, "header", "its version is %u, but must be 2",
                           (unsigned)header(q, 0));
    if (header(q, 1) > q->file.size)
        return lmi_im_fail(im, LM_CODE_TRUNCATED, "header",
                           "the file has %zu bytes, but should have %u", q->file.size,
                           (unsigned)header(q, 1));
    if (header(q, 1) < q->file.size)
        lmi_im_note(im, IM_TRAILING, "bytes follow the end that the header gives");
    q->num_vertices = header(q, 8);
    q->num_channels = header(q, 20);
    const uint32_t num_frames = header(q, 19);
    if (num_frames > LM_MAX_IMPORT_FRAMES)
        return lmi_im_fail(im, LM_CODE_LIMIT, "frames", "there are %u, but at most %u are read",
                           (unsigned)num_frames, LM_MAX_IMPORT_FRAMES);
    /* The offset of the vertex arrays and of the frames follows another number. */
    return find_list(q, 3, "text", 1, header(q, 3), &q->text) &&
           find_list(q, 5, "meshes", 24, header(q, 5), &q->meshes) &&
           find_list(q, 8, "vertexarrays", 20, header(q, 7), &q->arrays) &&
           find_list(q, 10, "triangles", 12, header(q, 10), &q->triangles) &&
           find_list(q, 13, "joints", 48, header(q, 13), &q->joints) &&
           find_list(q, 15, "poses", 88, header(q, 15), &q->poses) &&
           find_list(q, 17, "anims", 20, header(q, 17), &q->anims) &&
           find_list(q, 20, "frames", 2 * (size_t)q->num_channels, num_frames, &q->frames) &&
           check_others(q);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

static bool find_array(iqm *q, const uint8_t *at) {
    static const uint8_t widths[IQM_NUM_ARRAYS] = {3, 2, 3, 0, 4, 4, 4};
    static const char *const names[IQM_NUM_ARRAYS] = {
        "positions", "texture coordinates", "normals", "", "blend indices", "blend weights"};
    const uint32_t type = lmi_get_u32(at), format = lmi_get_u32(at + 8);
    const uint32_t width = lmi_get_u32(at + 12), offset = lmi_get_u32(at + 16);
    if (type == IQM_COLOR)
        lmi_im_note_colors(q->im);
    if (type >= IQM_COLOR || widths[type] == 0 || q->vertices[type])
        return true;
    const bool bytes =
        format == IQM_UBYTE && (type == IQM_BLEND_JOINTS || type == IQM_BLEND_WEIGHTS);
    if (width != widths[type] || !(bytes || (format == IQM_FLOAT && type != IQM_BLEND_JOINTS)))
        return lmi_im_fail(q->im, LM_CODE_NOT_BUILT_IN, "vertexarrays",
                           "%s with %u numbers of format %u are not supported", names[type],
                           (unsigned)width, (unsigned)format);
    if (!lmi_fits(q->file.size, offset, q->num_vertices, width * (bytes ? 1 : 4)))
        return lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, "vertexarrays",
                           "%s of %u vertices at %u exceed the file, which has %zu bytes",
                           names[type], (unsigned)q->num_vertices, (unsigned)offset, q->file.size);
    q->vertices[type] = q->file.data + offset;
    q->bytes[type] = bytes;
    return true;
}

/* Reads the floats of some vertices; NULL: it fails. */
static float *read_floats(const iqm *q, iqm_array array, uint32_t first, uint32_t count,
                          uint32_t width) {
    const uint8_t *from = q->vertices[array] + 4 * (size_t)width * first;
    float *out = lmi_arena_alloc(q->im->arena, (uint64_t)count * width, sizeof *out);
    for (size_t i = 0; out && i < (size_t)count * width; i++) {
        out[i] = lmi_get_f32(from + 4 * i);
        if (!isfinite(out[i])) {
            lmi_im_fail(q->im, LM_CODE_NOT_FINITE, "vertexarrays",
                        "vertex %zu has a number that is not finite", first + i / width);
            return NULL;
        }
    }
    return out;
}

/* Reads the joints and weights of some vertices. A weight of 0 has no joint. */
static bool read_weights(const iqm *q, uint32_t first, lm_im_part *part) {
    const uint64_t all = (uint64_t)part->num_vertices * 4;
    part->num_joints = 4;
    uint32_t *joints = lmi_arena_alloc(q->im->arena, all, sizeof *joints);
    float *weights = joints ? lmi_arena_alloc(q->im->arena, all, sizeof *weights) : NULL;
    if (!weights)
        return false;
    for (size_t i = 0; i < all; i++) {
        const size_t at = 4 * (size_t)first + i;
        const uint8_t *weight = q->vertices[IQM_BLEND_WEIGHTS];
        weights[i] =
            q->bytes[IQM_BLEND_WEIGHTS] ? (float)weight[at] / 255 : lmi_get_f32(weight + 4 * at);
        joints[i] = q->vertices[IQM_BLEND_JOINTS][at];
        if (!isfinite(weights[i]))
            return lmi_im_fail(q->im, LM_CODE_NOT_FINITE, "vertexarrays",
                               "a weight of vertex %zu is not finite", at / 4);
        if (weights[i] != 0 && joints[i] >= q->joints.count)
            return lmi_im_fail(q->im, LM_CODE_VERTEX_INDEX, "vertexarrays",
                               "vertex %zu follows joint %u, but there are %u", at / 4,
                               (unsigned)joints[i], (unsigned)q->joints.count);
        if (weights[i] == 0)
            joints[i] = 0;
    }
    lmi_im_normalise_weights(q->im, part, weights);
    part->joints = joints;
    part->weights = weights;
    part->skin = 0;
    return true;
}

/* ---- Meshes ---------------------------------------------------------------------------------- */

/* Reads triangles, whose front faces become counter-clockwise. */
static bool read_triangles(const iqm *q, const char *location, uint32_t first_vertex,
                           uint32_t first, lm_im_part *part) {
    part->triangles =
        lmi_arena_alloc(&q->im->scratch, (uint64_t)part->num_triangles * 3, sizeof(uint32_t));
    for (size_t i = 0; part->triangles && i < (size_t)part->num_triangles * 3; i++) {
        const uint32_t vertex = lmi_get_u32(q->triangles.data + 12 * (size_t)first + 4 * i);
        if (vertex < first_vertex || vertex - first_vertex >= part->num_vertices)
            return lmi_im_fail(q->im, LM_CODE_VERTEX_INDEX, location,
                               "triangle %zu uses vertex %u, but the mesh has %u from %u on",
                               first + i / 3, (unsigned)vertex, (unsigned)part->num_vertices,
                               (unsigned)first_vertex);
        part->triangles[i % 3 == 0 ? i : i / 3 * 3 + 3 - i % 3] = vertex - first_vertex;
    }
    return part->triangles != NULL;
}

static bool read_mesh(const iqm *q, uint32_t index, lm_im_part *part) {
    const uint8_t *at = q->meshes.data + 24 * (size_t)index;
    const char *location = lmi_im_location(q->im, "meshes[%u]", (unsigned)index);
    const uint32_t first = lmi_get_u32(at + 8), count = lmi_get_u32(at + 12);
    const uint32_t first_triangle = lmi_get_u32(at + 16), triangles = lmi_get_u32(at + 20);
    lm_material *material = lmi_arena_zeros(q->im->arena, 1, sizeof *material);
    *part = (lm_im_part){.skin = IM_NONE,
                         .same_as = {index, 0, 0},
                         .num_vertices = count,
                         .num_triangles = triangles,
                         .materials = material,
                         .name = read_text(q, location, lmi_get_u32(at))};
    if (!material || !part->name || !(material->name = read_text(q, location, lmi_get_u32(at + 4))))
        return false;
    part->num_materials = *material->name != '\0';
    if (!lmi_fits(q->num_vertices, first, count, 1) ||
        !lmi_fits(q->triangles.count, first_triangle, triangles, 1))
        return lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, location,
                           "it has %u vertices from %u on and %u triangles from %u on, but there "
                           "are %u and %u",
                           (unsigned)count, (unsigned)first, (unsigned)triangles,
                           (unsigned)first_triangle, (unsigned)q->num_vertices,
                           (unsigned)q->triangles.count);
    part->positions = read_floats(q, IQM_POSITION, first, count, 3);
    if (!part->positions || !read_triangles(q, location, first, first_triangle, part))
        return false;
    if (q->vertices[IQM_NORMAL] && !(part->normals = read_floats(q, IQM_NORMAL, first, count, 3)))
        return false;
    if (q->vertices[IQM_TEXCOORD] && !(part->st = read_floats(q, IQM_TEXCOORD, first, count, 2)))
        return false;
    return q->gltf->num_skins == 0 || !q->vertices[IQM_BLEND_JOINTS] ||
           !q->vertices[IQM_BLEND_WEIGHTS] || read_weights(q, first, part);
}

/* A mesh without triangles shows nothing. */
static bool read_meshes(iqm *q, lm_im_scene *scene) {
    for (uint32_t i = 0; i < q->arrays.count; i++)
        if (!find_array(q, q->arrays.data + 20 * (size_t)i))
            return false;
    if (q->meshes.count > 0 && !q->vertices[IQM_POSITION])
        return lmi_im_fail(q->im, LM_CODE_TRUNCATED, "vertexarrays", "there are no positions");
    scene->parts = lmi_arena_zeros(q->im->arena, q->meshes.count, sizeof *scene->parts);
    for (uint32_t i = 0; scene->parts && i < q->meshes.count; i++) {
        lm_im_part *part = &scene->parts[scene->num_parts];
        if (!read_mesh(q, i, part))
            return false;
        scene->num_parts += part->num_triangles > 0;
    }
    return scene->parts != NULL;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* Reads the joints as the nodes after the root, which turns the model's axes to those of glTF. */
static bool read_joints(iqm *q) {
    static const lm_im_node plain = {.name = "",
                                     .parent = IM_NONE,
                                     .mesh = IM_NONE,
                                     .skin = IM_NONE,
                                     .matrix = {[2] = 1, [4] = 1, [9] = 1, [15] = 1},
                                     .rotation = {0, 0, 0, 1},
                                     .scale = {1, 1, 1},
                                     .shown = true};
    const uint32_t count = q->joints.count;
    uint32_t *order = lmi_arena_zeros(q->im->arena, count + (uint64_t)1, sizeof *order);
    lm_im_node *nodes = lmi_arena_alloc(q->im->arena, count + (uint64_t)1, sizeof *nodes);
    if (!order || !nodes)
        return false;
    nodes[0] = plain;
    nodes[0].has_matrix = true;
    for (uint32_t i = 1; i <= count; i++) {
        const uint8_t *at = q->joints.data + 48 * (size_t)(i - 1);
        const char *location = lmi_im_location(q->im, "joints[%u]", (unsigned)(i - 1));
        const int32_t parent = lmi_get_s32(at + 4);
        lm_im_node *node = &nodes[i];
        float numbers[NUM_CHANNELS];
        bool finite = true;
        for (size_t k = 0; k < NUM_CHANNELS; k++) {
            numbers[k] = lmi_get_f32(at + 8 + 4 * k);
            finite = finite && isfinite(numbers[k]);
        }
        order[i] = i;
        *node = plain;
        memcpy(node->translation, numbers, sizeof node->translation);
        memcpy(node->rotation, numbers + 3, sizeof node->rotation);
        memcpy(node->scale, numbers + 7, sizeof node->scale);
        node->name = read_text(q, location, lmi_get_u32(at));
        node->parent = parent < 0 ? 0 : (uint32_t)parent + 1;
        if (!node->name)
            return false;
        if (parent < -1 || node->parent >= i)
            return lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, location,
                               "its parent is joint %d, which is not before it", (int)parent);
        if (!finite)
            return lmi_im_fail(q->im, LM_CODE_NOT_FINITE, location, not_finite);
    }
    q->gltf->order = order;
    q->gltf->nodes = nodes;
    q->gltf->num_nodes = count + 1;
    return true;
}

/* Makes a skin of all joints: at rest, they are at the base pose. */
static bool make_skin(iqm *q) {
    lm_im_gltf *gltf = q->gltf;
    const uint32_t count = q->joints.count;
    lm_im_skin *skin = lmi_arena_zeros(q->im->arena, 1, sizeof *skin);
    uint32_t *joints = lmi_arena_alloc(q->im->arena, count, sizeof *joints);
    float *inverse = lmi_arena_alloc(q->im->arena, count, 16 * sizeof *inverse);
    lm_im_matrix *base = lmi_arena_alloc(&q->im->scratch, count + (uint64_t)1, sizeof *base);
    if (!skin || !joints || !inverse || !base)
        return false;
    base[0] = (lm_im_matrix){{[0] = 1, [5] = 1, [10] = 1, [15] = 1}};
    for (uint32_t i = 0; i < count; i++) {
        lm_im_matrix local;
        lmi_im_local_at(gltf, i + 1, NULL, &local);
        lmi_im_multiply(&base[gltf->nodes[i + 1].parent], &local, &base[i + 1]);
        if (!lmi_im_invert(&base[i + 1], &local))
            return lmi_im_fail(q->im, LM_CODE_NOT_FINITE,
                               lmi_im_location(q->im, "joints[%u]", (unsigned)i),
                               "its base pose has no size, or its numbers are too large");
        for (size_t k = 0; k < 16; k++)
            inverse[16 * (size_t)i + k] = (float)local.m[k];
        joints[i] = i + 1;
    }
    *skin = (lm_im_skin){count, joints, inverse};
    gltf->skins = skin;
    gltf->num_skins = count > 0;
    return true;
}

/* ---- Animations ------------------------------------------------------------------------------ */

/* Adds the channels of a joint: three, for translation, rotation and scale. Each has a key per
 * frame if it varies. `column` is the first of the joint in a frame. */
static bool add_channels(const iqm *q, uint32_t joint, uint32_t *column, const float *times,
                         lm_im_channel *channels) {
    static const struct {
        lm_im_path path;
        uint32_t width, first;
    } paths[3] = {{IM_TRANSLATION, 3, 0}, {IM_ROTATION, 4, 3}, {IM_SCALE, 3, 7}};
    const uint8_t *pose = q->poses.data + 88 * (size_t)joint;
    const uint32_t mask = lmi_get_u32(pose + 4);
    for (int p = 0; p < 3; p++) {
        const uint32_t width = paths[p].width, first = paths[p].first;
        const bool varies = (mask >> first & ((1u << width) - 1)) != 0;
        const uint32_t num_keys = varies ? q->frames.count : 1;
        float *values = lmi_arena_alloc(q->im->arena, (uint64_t)num_keys * width, sizeof *values);
        if (!values)
            return false;
        channels[p] = (lm_im_channel){.node = joint + 1,
                                      .path = paths[p].path,
                                      .num_keys = num_keys,
                                      .width = width,
                                      .times = times,
                                      .values = values,
                                      .shares_times = true};
        for (uint32_t i = 0; i < width; i++) {
            const size_t channel = first + (size_t)i;
            const float offset = lmi_get_f32(pose + 8 + 4 * channel);
            const float scale = lmi_get_f32(pose + 48 + 4 * channel);
            const bool moves = mask >> channel & 1;
            if (!isfinite(offset) || (moves && !isfinite(offset + UINT16_MAX * scale)))
                return lmi_im_fail(
                    q->im, LM_CODE_NOT_FINITE, lmi_im_location(q->im, "poses[%u]", (unsigned)joint),
                    isfinite(offset) && isfinite(scale) ? "its numbers are too large" : not_finite);
            for (uint32_t f = 0; f < num_keys; f++) {
                const uint8_t *at = q->frames.data + 2 * ((size_t)f * q->num_channels + *column);
                values[(size_t)f * width + i] =
                    offset + (moves ? (float)lmi_get_u16(at) * scale : 0);
            }
            *column += moves;
        }
    }
    return true;
}

/* Checks that the poses fit the joints and the frames. */
static bool check_poses(const iqm *q) {
    uint64_t channels = 0;
    for (uint32_t i = 0; i < q->poses.count; i++)
        for (uint32_t k = 0; k < NUM_CHANNELS; k++)
            channels += lmi_get_u32(q->poses.data + 88 * (size_t)i + 4) >> k & 1;
    return (q->poses.count == q->joints.count && channels == q->num_channels) ||
           lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, "poses",
                       "there are %u with %llu channels, but %u joints, and frames of %u channels",
                       (unsigned)q->poses.count, (unsigned long long)channels,
                       (unsigned)q->joints.count, (unsigned)q->num_channels);
}

static void note_empty(importing *im) {
    lmi_im_note(im, IM_EMPTY, "an animation without frames is left out");
}

/* Reads the clips. One animation has all frames: each is at the second of its number. */
static bool read_clips(iqm *q, lm_im_extras *extras) {
    const uint32_t count = q->frames.count;
    lm_im_animation *animation = lmi_arena_zeros(q->im->arena, 1, sizeof *animation);
    float *times = lmi_arena_alloc(q->im->arena, count, sizeof *times);
    lm_im_channel *channels = lmi_arena_alloc(q->im->arena, q->joints.count, 3 * sizeof *channels);
    lm_clip *clips = lmi_arena_zeros(q->im->arena, q->anims.count, sizeof *clips);
    lm_im_moment *moments = lmi_arena_alloc(q->im->arena, count, sizeof *moments);
    uint32_t column = 0;
    if (!animation || !times || !channels || !clips || !moments || !check_poses(q))
        return false;
    for (uint32_t f = 0; f < count; f++) {
        times[f] = (float)f;
        moments[f] = (lm_im_moment){animation, f, 0};
    }
    for (uint32_t i = 0; i < q->joints.count; i++)
        if (!add_channels(q, i, &column, times, channels + 3 * (size_t)i))
            return false;
    animation->name = "";
    animation->num_channels = 3 * q->joints.count;
    animation->channels = channels;
    extras->num_frames = count;
    extras->moments = moments;
    extras->clips = clips;
    for (uint32_t i = 0; i < q->anims.count; i++) {
        const uint8_t *at = q->anims.data + 20 * (size_t)i;
        const char *location = lmi_im_location(q->im, "anims[%u]", (unsigned)i);
        lm_clip *clip = &clips[extras->num_clips];
        const float fps = lmi_get_f32(at + 12);
        const bool playable = (double)fps >= IM_SLOWEST_FPS && fps <= LM_MAX_IMPORT_FPS;
        if (!playable)
            lmi_im_note(q->im, IM_RATE, "the rate of a clip is invalid; 10 fps is used");
        *clip = (lm_clip){.name = read_text(q, location, lmi_get_u32(at)),
                          .first = lmi_get_u32(at + 4),
                          .count = lmi_get_u32(at + 8),
                          .fps = playable ? fps : LM_DEFAULT_FPS,
                          .source = LM_CLIP_FILE};
        if (!clip->name)
            return false;
        if (!lmi_fits(count, clip->first, clip->count, 1))
            return lmi_im_fail(q->im, LM_CODE_BAD_OFFSET, location,
                               "it has %u frames from %u on, but there are %u",
                               (unsigned)clip->count, (unsigned)clip->first, (unsigned)count);
        clip->loop_frames = lmi_get_u32(at + 16) & 1 ? clip->count : 0;
        if (clip->count > 0)
            extras->num_clips++;
        else
            note_empty(q->im);
    }
    return true;
}

/* ---- All ------------------------------------------------------------------------------------- */

bool lmi_im_read_iqm(importing *im, const lm_im_source *source, lm_mesh *mesh) {
    lm_im_gltf gltf = {.bin = {NULL, 0}};
    lm_im_extras extras = {.num_frames = 0};
    /* Tags are joints, and have the model's axes. */
    lm_im_scene scene = {.gltf = &gltf,
                         .extras = &extras,
                         .scale = im->options->scale / LM_IMPORT_SCALE,
                         .is_turned = true,
                         .turns_joints = true,
                         .turn = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    iqm q = {.im = im, .file = {source->bytes, source->size}, .gltf = &gltf};
    if (!read_header(&q) || !read_joints(&q) || !make_skin(&q))
        return false;
    bool *tagged = lmi_arena_zeros(im->arena, gltf.num_nodes, sizeof *tagged);
    const bool moves = q.frames.count > 0 && q.joints.count > 0;
    for (uint32_t i = 0; i < q.anims.count && !moves; i++)
        note_empty(im);
    if (!tagged || (moves && !read_clips(&q, &extras)) ||
        !lmi_im_find_tags(im, &gltf, tagged, &scene) || !read_meshes(&q, &scene))
        return false;
    im->import->own_export = true; /* materials are as in the game */
    return lmi_im_bake_scene(im, &scene, mesh);
}
