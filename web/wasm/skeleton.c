/* Finds, keeps and draws skeletons. Belongs to the second module.
 *
 * JavaScript keeps a skeleton as bytes, so that a worker can find it for a page: 32-bit numbers,
 *     size of all of this in bytes, joints, frames, surfaces, more influences
 *     each joint: parent, position [3], translates, mirror, name [NAME_SIZE bytes]
 *     the poses of all frames: lm_joint_pose
 *     each surface: vertices, 1 if it has normals, positions, normals, lists of the
 *         lm_influence of each vertex
 * A size of 4 means that the part has no skeleton. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 80

typedef struct stored_joint {
    uint32_t parent;
    lm_vec3 position;
    uint32_t translates, mirror;
    char name[NAME_SIZE]; /* ends with a NUL */
} stored_joint;

/* ---- Finding ------------------------------------------------------------------------------- */

static bool report(void *user, double share) {
    (void)user;
    return web_progress(share) != 0;
}

static void store_joints(const lm_skeleton *s, lm_buffer *out) {
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_joint *joint = &s->joints[j];
        stored_joint stored = {.parent = joint->parent,
                               .position = joint->position,
                               .translates = joint->translates,
                               .mirror = joint->mirror};
        strncpy(stored.name, joint->name, NAME_SIZE - 1);
        lm_buffer_append(out, &stored, sizeof stored);
    }
}

static void store(const lm_skeleton *s, lm_buffer *out) {
    uint32_t head[5] = {0, s->num_joints, s->num_frames, s->num_surfaces, s->more_influences};
    lm_buffer_append(out, head, sizeof head);
    store_joints(s, out);
    lm_buffer_append(out, s->poses, (size_t)s->num_frames * s->num_joints * sizeof *s->poses);
    for (uint32_t i = 0; i < s->num_surfaces; i++) {
        const lm_skeleton_surface *from = &s->surfaces[i];
        const size_t vectors = from->num_vertices * sizeof(lm_vec3);
        const uint32_t counts[2] = {from->num_vertices, from->normals != NULL};
        lm_buffer_append(out, counts, sizeof counts);
        lm_buffer_append(out, from->positions, vectors);
        lm_buffer_append(out, from->normals, from->normals ? vectors : 0);
        lm_buffer_append(out, from->influences,
                         (s->more_influences + (size_t)1) * from->num_vertices *
                             sizeof *from->influences);
    }
    head[0] = (uint32_t)out->size;
    if (!out->failed)
        memcpy(out->data, head, sizeof head);
}

static void describe_joints(const lm_skeleton *s, lm_json *json) {
    lmi_json_open(json, "joints", '[');
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_joint *joint = &s->joints[j];
        const float position[3] = {joint->position.x, joint->position.y, joint->position.z};
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", joint->name);
        lmi_json_integer(json, "parent", j == 0 ? -1 : (int64_t)joint->parent);
        lmi_json_open(json, "position", '[');
        for (unsigned i = 0; i < 3; i++)
            lmi_json_double(json, NULL, (double)position[i]);
        lmi_json_close(json);
        lmi_json_bool(json, "translates", joint->translates);
        lmi_json_integer(json, "mirror", joint->mirror);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

static void describe_errors(const lm_skeleton_error *error, lm_json *json) {
    lmi_json_double(json, "maxError", error->max_error);
    lmi_json_double(json, "rmsError", error->rms_error);
}

static void describe(const lm_skeleton *s, const lm_model *model, lm_json *json) {
    static const char *const verdicts[] = {"accepted", "warned", "refused"};
    lmi_json_open(json, NULL, '{');
    describe_joints(s, json);
    lmi_json_string(json, "verdict", verdicts[s->verdict]);
    lmi_json_string(json, "reason", s->reason);
    describe_errors(&s->all, json);
    lmi_json_double(json, "quantum", s->quantum);
    lmi_json_open(json, "clips", '[');
    for (uint32_t i = 0; i < s->num_clips; i++) {
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", model->clips[i].name);
        describe_errors(&s->clips[i], json);
        lmi_json_close(json);
    }
    lmi_json_close(json);
    lmi_json_close(json);
}

/* Finds the skeleton of a part: JSON, with its bytes as second result. 0 is the default of each
 * number. Calls web_progress. */
bool WEB_EXPORT(web_skeleton)(const web_scene *scene, uint32_t part, uint32_t max_bones,
                              double max_error, bool constant_lengths) {
    const lm_model *model = web_model(scene, part);
    const lm_skeleton_options options = {.max_bones = max_bones,
                                         .max_error = max_error,
                                         .constant_lengths = constant_lengths,
                                         .progress = report};
    lm_skeleton *found = model ? lm_skeleton_of_model(model, &options, &web_error) : NULL;
    lm_json json = {.out = web_begin()};
    if (!found)
        return false;
    describe(found, model, &json);
    store(found, web_begin_second());
    lm_skeleton_free(found);
    return web_end();
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The rest of the bytes. */
typedef struct reader {
    const uint8_t *at;
    size_t size;
} reader;

/* Returns the next `count` elements; NULL if there are fewer. */
static const void *take(reader *r, uint64_t count, size_t size) {
    const uint8_t *at = r->at;
    if (count > r->size / size)
        return NULL;
    r->at += (size_t)count * size;
    r->size -= (size_t)count * size;
    return at;
}

static bool read_joints(reader *r, given_skeleton *out) {
    const uint32_t count = out->skeleton.num_joints;
    const stored_joint *stored = take(r, count, sizeof *stored);
    if (!stored || count == 0 || !(out->joints = calloc(count, sizeof *out->joints)))
        return false;
    for (uint32_t j = 0; j < count; j++) {
        const stored_joint *from = &stored[j];
        if ((j > 0 && from->parent >= j) || from->mirror >= count || from->name[NAME_SIZE - 1])
            return false;
        out->joints[j] = (lm_joint){.name = from->name,
                                    .parent = j > 0 ? from->parent : LM_SKELETON_NO_PARENT,
                                    .position = from->position,
                                    .translates = from->translates != 0,
                                    .mirror = from->mirror};
    }
    out->skeleton.joints = out->joints;
    return true;
}

static bool read_surface(reader *r, const lm_skeleton *s, lm_skeleton_surface *out) {
    const uint32_t *counts = take(r, 2, sizeof *counts);
    if (!counts)
        return false;
    const uint64_t num_influences = (s->more_influences + (uint64_t)1) * counts[0];
    out->num_vertices = counts[0];
    out->positions = take(r, counts[0], sizeof *out->positions);
    out->normals = counts[1] ? take(r, counts[0], sizeof *out->normals) : NULL;
    out->influences = take(r, num_influences, sizeof *out->influences);
    if (!out->positions || (counts[1] && !out->normals) || !out->influences)
        return false;
    for (uint64_t v = 0; v < num_influences; v++)
        for (unsigned i = 0; i < LM_SKELETON_WEIGHTS; i++)
            if (out->influences[v].joints[i] >= s->num_joints)
                return false;
    return true;
}

/* Reads a skeleton of exactly the reader's bytes, for a model. */
static bool read_skeleton(reader *r, const lm_model *model, given_skeleton *out) {
    const uint32_t *head = take(r, 5, sizeof *head);
    lm_skeleton *s = &out->skeleton;
    if (!head || head[2] != model->num_frames || head[3] != model->num_surfaces)
        return false;
    s->num_joints = head[1], s->num_frames = head[2], s->num_surfaces = head[3];
    s->more_influences = head[4];
    if (!read_joints(r, out))
        return false;
    s->poses = take(r, (uint64_t)s->num_frames * s->num_joints, sizeof *s->poses);
    out->surfaces = calloc(s->num_surfaces + (size_t)1, sizeof *out->surfaces);
    s->surfaces = out->surfaces;
    for (uint32_t i = 0; i < s->num_surfaces; i++)
        if (!out->surfaces || !read_surface(r, s, &out->surfaces[i]) ||
            out->surfaces[i].num_vertices != model->surfaces[i].num_file_vertices)
            return false;
    return s->poses && out->surfaces && r->size == 0;
}

/* Reads the skeleton of a part. */
static bool read_part(reader *all, const lm_model *model, given_skeleton *out) {
    const size_t word = sizeof(uint32_t);
    reader part = {all->at, all->size < word ? 0 : *(const uint32_t *)(const void *)all->at};
    return part.size >= word && part.size % word == 0 && take(all, part.size, 1) &&
           (part.size == word || read_skeleton(&part, model, out));
}

bool web_skeletons_read(const web_scene *scene, const uint8_t *bytes, size_t size,
                        web_skeletons *out) {
    const lm_scene *opened = scene->assets->scene;
    reader all = {bytes, size};
    bool ok = true;
    memset(out, 0, sizeof *out);
    out->num_parts = opened->num_parts;
    for (uint32_t i = 0; ok && i < out->num_parts; i++) {
        const lm_model *model = opened->parts[i].model;
        ok = read_part(&all, model, &out->parts[i]);
        out->pointers[i] = ok && out->parts[i].joints ? &out->parts[i].skeleton : NULL;
        if (!out->pointers[i] || !model->bones)
            continue; /* the bytes lack the poses of bones between frames */
        out->pointers[i] = out->own[i] = lm_skeleton_of_model(model, NULL, &web_error);
        if (!out->own[i])
            return false;
    }
    return (ok && all.size == 0) || lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT,
                                                  "the skeletons are not those of the model");
}

void web_skeletons_free(web_skeletons *skeletons) {
    for (uint32_t i = 0; i < skeletons->num_parts; i++) {
        free(skeletons->parts[i].joints);
        free(skeletons->parts[i].surfaces);
        lm_skeleton_free(skeletons->own[i]);
    }
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static void free_bones(web_scene *scene) {
    for (uint32_t i = 0; i < scene->assets->scene->num_parts; i++) {
        skeleton_bones_free(scene->bones[i]);
        scene->bones[i] = NULL;
    }
    scene->draw_overlay = NULL;
}

static bool draw_bones(web_scene *scene, lm_gl *gl, const lm_gl_view *view) {
    if (view)
        return skeletons_draw(gl, view, scene->assets->scene, scene->poses, scene->bones,
                              &web_error);
    free_bones(scene);
    return true;
}

/* Makes stages draw skeletons over the scene. `size` 0: none. */
bool WEB_EXPORT(web_bones)(web_scene *scene, const uint8_t *bytes, size_t size) {
    web_skeletons skeletons = {0};
    bool ok = size == 0 || web_skeletons_read(scene, bytes, size, &skeletons);
    if (ok) {
        free_bones(scene);
        scene->draw_overlay = size > 0 ? draw_bones : NULL;
    }
    for (uint32_t i = 0; ok && i < skeletons.num_parts; i++)
        if (skeletons.pointers[i])
            ok = (scene->bones[i] = skeleton_bones_new(skeletons.pointers[i])) != NULL ||
                 lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    web_skeletons_free(&skeletons);
    return ok;
}
