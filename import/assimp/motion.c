/* Converts animations: keys of nodes and of morph targets, with times in ticks. */
#include "assimp.h"

#include <math.h>
#include <string.h>

/* The rate if a file gives none, as in Assimp's own viewers. */
#define DEFAULT_TICKS 25.0

/* State of reading one animation. */
typedef struct lm_im_motion {
    lm_im_assimp *a;
    double ticks; /* per second */
    lm_im_channel *channels;
    uint32_t num_channels;
} lm_im_motion;

/* Reads key number `index` into a row of numbers, and returns its time in ticks. */
typedef double key_reader(const void *keys, uint32_t index, uint32_t width, float *row);

static double read_vector(const void *keys, uint32_t index, uint32_t width, float *row) {
    const struct aiVectorKey *key = (const struct aiVectorKey *)keys + index;
    memcpy(row, (const float[]){key->mValue.x, key->mValue.y, key->mValue.z}, width * sizeof *row);
    return key->mTime;
}

static double read_rotation(const void *keys, uint32_t index, uint32_t width, float *row) {
    const struct aiQuatKey *key = (const struct aiQuatKey *)keys + index;
    const struct aiQuaternion *q = &key->mValue;
    memcpy(row, (const float[]){q->x, q->y, q->z, q->w}, width * sizeof *row);
    return key->mTime;
}

static double read_morph(const void *keys, uint32_t index, uint32_t width, float *row) {
    const struct aiMeshMorphKey *key = (const struct aiMeshMorphKey *)keys + index;
    memset(row, 0, width * sizeof *row);
    for (unsigned k = 0; k < key->mNumValuesAndWeights; k++)
        if (key->mValues[k] < width && isfinite(key->mWeights[k]) && fabs(key->mWeights[k]) < 1e6)
            row[key->mValues[k]] = (float)key->mWeights[k];
    return key->mTime;
}

/* Reads a channel, if it has keys. Skips keys with a number that is not finite, and those that are
 * not after the previous key. */
static bool read_keys(lm_im_motion *m, lm_im_channel channel, const void *keys, uint32_t count,
                      key_reader *read) {
    const uint32_t width = channel.width;
    if (count == 0 || width == 0)
        return true;
    float *times = lmi_arena_zeros(m->a->im->arena, count, sizeof *times);
    float *values = lmi_arena_zeros(m->a->im->arena, (uint64_t)count * width, sizeof *values);
    if (!times || !values)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        float *row = values + (size_t)channel.num_keys * width;
        const float time = (float)(read(keys, i, width, row) / m->ticks);
        bool sound =
            isfinite(time) && (channel.num_keys == 0 || time > times[channel.num_keys - 1]);
        for (uint32_t k = 0; k < width; k++)
            sound = sound && isfinite(row[k]);
        times[channel.num_keys] = time;
        channel.num_keys += sound;
    }
    channel.times = times;
    channel.values = values;
    m->channels[m->num_channels] = channel;
    m->num_channels += channel.num_keys > 0;
    return true;
}

/* Returns true if a morph channel of that name moves the node. It has the name of the node or of
 * one of its meshes; "*" and a number may follow. */
static bool moves_node(const lm_im_assimp *a, uint32_t node, const struct aiString *name) {
    const char *star = memchr(name->data, '*', name->length);
    const size_t length = star ? (size_t)(star - name->data) : name->length;
    const struct aiNode *n = a->nodes[node];
    for (unsigned k = 0; k <= n->mNumMeshes; k++) {
        const struct aiString *called =
            k > 0 ? &a->scene->mMeshes[n->mMeshes[k - 1]]->mName : &n->mName;
        if (called->length == length && memcmp(called->data, name->data, length) == 0)
            return true;
    }
    return false;
}

static bool read_channels(lm_im_motion *m, const struct aiAnimation *from) {
    for (unsigned i = 0; i < from->mNumChannels; i++) {
        const struct aiNodeAnim *c = from->mChannels[i];
        const uint32_t node = lmi_im_assimp_find(m->a, &c->mNodeName);
        if (node == IM_NONE) {
            lmi_im_note(m->a->im, IM_CHANNEL, "the animation of a missing node is skipped");
            continue;
        }
        const lm_im_channel place = {.node = node, .path = IM_TRANSLATION, .width = 3},
                            turn = {.node = node, .path = IM_ROTATION, .width = 4},
                            scale = {.node = node, .path = IM_SCALE, .width = 3};
        if (!read_keys(m, place, c->mPositionKeys, c->mNumPositionKeys, read_vector) ||
            !read_keys(m, turn, c->mRotationKeys, c->mNumRotationKeys, read_rotation) ||
            !read_keys(m, scale, c->mScalingKeys, c->mNumScalingKeys, read_vector))
            return false;
    }
    return true;
}

/* Reads each morph channel for the first node that it moves. */
static bool read_morph_channels(lm_im_motion *m, const struct aiAnimation *from) {
    for (unsigned i = 0; i < from->mNumMorphMeshChannels; i++) {
        const struct aiMeshMorphAnim *c = from->mMorphMeshChannels[i];
        for (uint32_t node = 0; node < m->a->gltf->num_nodes; node++) {
            const uint32_t width = m->a->gltf->num_targets[node];
            if (width == 0 || !moves_node(m->a, node, &c->mName))
                continue;
            const lm_im_channel weights = {.node = node, .path = IM_WEIGHTS, .width = width};
            if (!read_keys(m, weights, c->mKeys, c->mNumKeys, read_morph))
                return false;
            break;
        }
    }
    return true;
}

static bool read_animation(lm_im_assimp *a, const struct aiAnimation *from, lm_im_animation *out) {
    const uint64_t most = (uint64_t)from->mNumChannels * 3 + from->mNumMorphMeshChannels;
    lm_im_motion m = {.a = a,
                      .ticks = from->mTicksPerSecond,
                      .channels = lmi_arena_zeros(a->im->arena, most, sizeof(lm_im_channel))};
    if (!(m.ticks > 0) || !isfinite(m.ticks))
        m.ticks = DEFAULT_TICKS;
    out->name = lmi_im_assimp_text(a->im, &from->mName);
    const char *bar = out->name ? strrchr(out->name, '|') : NULL;
    if (bar) /* Blender's FBX: "object|action" */
        out->name = bar + 1;
    if (!m.channels || !out->name || !read_channels(&m, from) || !read_morph_channels(&m, from))
        return false;
    if (from->mNumMeshChannels > 0)
        lmi_im_note(a->im, IM_CHANNEL, "an animation that replaces whole meshes is skipped");
    out->channels = m.channels;
    out->num_channels = m.num_channels;
    return true;
}

bool lmi_im_assimp_motion(lm_im_assimp *a) {
    const struct aiScene *scene = a->scene;
    lm_im_animation *animations =
        lmi_arena_zeros(a->im->arena, scene->mNumAnimations, sizeof *animations);
    a->gltf->animations = animations;
    for (unsigned i = 0; animations && i < scene->mNumAnimations; i++) {
        lm_im_animation *animation = &animations[a->gltf->num_animations];
        if (!read_animation(a, scene->mAnimations[i], animation))
            return false;
        a->gltf->num_animations += animation->num_channels > 0;
    }
    return animations != NULL;
}
