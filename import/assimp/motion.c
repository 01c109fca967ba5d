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

/* Stores a key's time in seconds. Returns false if it is not finite, or not after the previous
 * key. */
static bool put_time(const lm_im_motion *m, double ticks, float *times, uint32_t count) {
    times[count] = (float)(ticks / m->ticks);
    return isfinite(times[count]) && (count == 0 || times[count] > times[count - 1]);
}

static lm_im_channel *add_channel(lm_im_motion *m, uint32_t node, lm_im_path path, uint32_t width,
                                  uint32_t keys, float **times, float **values) {
    *times = lm_arena_zeros(m->a->im->arena, keys, sizeof **times);
    *values =
        *times ? lm_arena_zeros(m->a->im->arena, (uint64_t)keys * width, sizeof **values) : NULL;
    if (!*values)
        return NULL;
    lm_im_channel *channel = &m->channels[m->num_channels];
    *channel = (lm_im_channel){
        .node = node, .path = path, .width = width, .times = *times, .values = *values};
    return channel;
}

static bool read_vectors(lm_im_motion *m, uint32_t node, lm_im_path path,
                         const struct aiVectorKey *keys, uint32_t count) {
    float *times, *values;
    if (count == 0)
        return true;
    lm_im_channel *channel = add_channel(m, node, path, 3, count, &times, &values);
    for (uint32_t i = 0; channel && i < count; i++) {
        const struct aiVector3D *v = &keys[i].mValue;
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z) ||
            !put_time(m, keys[i].mTime, times, channel->num_keys))
            continue;
        memcpy(values + 3 * (size_t)channel->num_keys++, (const float[3]){v->x, v->y, v->z},
               3 * sizeof *values);
    }
    m->num_channels += channel && channel->num_keys > 0;
    return channel != NULL;
}

static bool read_rotations(lm_im_motion *m, uint32_t node, const struct aiQuatKey *keys,
                           uint32_t count) {
    float *times, *values;
    if (count == 0)
        return true;
    lm_im_channel *channel = add_channel(m, node, IM_ROTATION, 4, count, &times, &values);
    for (uint32_t i = 0; channel && i < count; i++) {
        const struct aiQuaternion *q = &keys[i].mValue;
        if (!isfinite(q->x) || !isfinite(q->y) || !isfinite(q->z) || !isfinite(q->w) ||
            !put_time(m, keys[i].mTime, times, channel->num_keys))
            continue;
        memcpy(values + 4 * (size_t)channel->num_keys++, (const float[4]){q->x, q->y, q->z, q->w},
               4 * sizeof *values);
    }
    m->num_channels += channel && channel->num_keys > 0;
    return channel != NULL;
}

/* Returns true if a morph channel of that name moves the node. It has the name of the node or of
 * one of its meshes; "*" and a number may follow. */
static bool moves_node(const lm_im_assimp *a, uint32_t node, const struct aiString *name) {
    const char *star = memchr(name->data, '*', name->length);
    const size_t length = star ? (size_t)(star - name->data) : name->length;
    const struct aiString *called = &a->nodes[node]->mName;
    if (called->length == length && memcmp(called->data, name->data, length) == 0)
        return true;
    for (unsigned k = 0; k < a->nodes[node]->mNumMeshes; k++) {
        called = &a->scene->mMeshes[a->nodes[node]->mMeshes[k]]->mName;
        if (called->length == length && memcmp(called->data, name->data, length) == 0)
            return true;
    }
    return false;
}

static bool read_morphs(lm_im_motion *m, uint32_t node, const struct aiMeshMorphAnim *from) {
    const uint32_t width = m->a->gltf->num_targets[node];
    float *times, *values;
    if (from->mNumKeys == 0 || width == 0)
        return true;
    lm_im_channel *channel =
        add_channel(m, node, IM_WEIGHTS, width, from->mNumKeys, &times, &values);
    for (uint32_t i = 0; channel && i < from->mNumKeys; i++) {
        const struct aiMeshMorphKey *key = &from->mKeys[i];
        float *row = values + (size_t)channel->num_keys * width;
        if (!put_time(m, key->mTime, times, channel->num_keys))
            continue;
        for (unsigned k = 0; k < key->mNumValuesAndWeights; k++)
            if (key->mValues[k] < width && isfinite(key->mWeights[k]) &&
                fabs(key->mWeights[k]) < 1e6)
                row[key->mValues[k]] = (float)key->mWeights[k];
        channel->num_keys++;
    }
    m->num_channels += channel && channel->num_keys > 0;
    return channel != NULL;
}

static bool read_channels(lm_im_motion *m, const struct aiAnimation *from) {
    for (unsigned i = 0; i < from->mNumChannels; i++) {
        const struct aiNodeAnim *c = from->mChannels[i];
        const uint32_t node = lm_im_assimp_find(m->a, &c->mNodeName);
        if (node == IM_NONE) {
            lm_im_note(m->a->im, IM_CHANNEL, "the animation of a missing node is skipped");
            continue;
        }
        if (!read_vectors(m, node, IM_TRANSLATION, c->mPositionKeys, c->mNumPositionKeys) ||
            !read_rotations(m, node, c->mRotationKeys, c->mNumRotationKeys) ||
            !read_vectors(m, node, IM_SCALE, c->mScalingKeys, c->mNumScalingKeys))
            return false;
    }
    return true;
}

/* Reads each morph channel for the first node that it moves. */
static bool read_morph_channels(lm_im_motion *m, const struct aiAnimation *from) {
    for (unsigned i = 0; i < from->mNumMorphMeshChannels; i++)
        for (uint32_t node = 0; node < m->a->gltf->num_nodes; node++)
            if (m->a->gltf->num_targets[node] > 0 &&
                moves_node(m->a, node, &from->mMorphMeshChannels[i]->mName)) {
                if (!read_morphs(m, node, from->mMorphMeshChannels[i]))
                    return false;
                break;
            }
    return true;
}

static bool read_animation(lm_im_assimp *a, const struct aiAnimation *from, lm_im_animation *out) {
    const uint64_t most = (uint64_t)from->mNumChannels * 3 + from->mNumMorphMeshChannels;
    lm_im_motion m = {.a = a,
                      .ticks = from->mTicksPerSecond,
                      .channels = lm_arena_zeros(a->im->arena, most, sizeof(lm_im_channel))};
    if (!(m.ticks > 0) || !isfinite(m.ticks))
        m.ticks = DEFAULT_TICKS;
    out->name = lm_im_assimp_text(a->im, &from->mName);
    const char *bar = out->name ? strrchr(out->name, '|') : NULL;
    if (bar) /* Blender's FBX: "object|action" */
        out->name = bar + 1;
    if (!m.channels || !out->name || !read_channels(&m, from) || !read_morph_channels(&m, from))
        return false;
    if (from->mNumMeshChannels > 0)
        lm_im_note(a->im, IM_CHANNEL, "an animation that replaces whole meshes is skipped");
    out->channels = m.channels;
    out->num_channels = m.num_channels;
    return true;
}

bool lm_im_assimp_motion(lm_im_assimp *a) {
    const struct aiScene *scene = a->scene;
    lm_im_animation *animations =
        lm_arena_zeros(a->im->arena, scene->mNumAnimations, sizeof *animations);
    a->gltf->animations = animations;
    for (unsigned i = 0; animations && i < scene->mNumAnimations; i++) {
        lm_im_animation *animation = &animations[a->gltf->num_animations];
        if (!read_animation(a, scene->mAnimations[i], animation))
            return false;
        a->gltf->num_animations += animation->num_channels > 0;
    }
    return animations != NULL;
}
