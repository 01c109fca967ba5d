/* Reads a mesh from bytes: counts first, then the counted elements. Missing bytes at the end are 0.
 *
 *     mesh    number of frames, surfaces, tags, clips and skins (a byte each, modulo the
 *             maximum + 1), flags, the missing list, the skin's width and height
 *             (a byte each), the mesh's name, its lists
 *     name    its length (a byte), its bytes; from 0xF0 on: none, or a long one
 *     number  64 times it in 2 bytes; 0x8000: a float of 4 bytes follows
 *     index   a byte, modulo the number of elements; from 250 on: the first invalid one,
 *             or far beyond it
 *     rows    a list of numbers for the first frame; then for each of the others, as flags
 *             select, either one movement of all (3 numbers) or numbers of its own */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Flags of a mesh, and of a surface. */
enum {
    FRAME_NAMES = 1,
    EMBEDDED = 2,
    MESH_TIMES = 4, /* frames of clips and images of skins have different durations */
    OWN_ROWS = 1,
    NORMALS = 2,
    ST = 4,
    ST_TRIANGLES = 8
};

enum {
    MAX_FRAMES = 9,
    MAX_SURFACES = 4,
    MAX_TAGS = 3,
    MAX_CLIPS = 4,
    MAX_SKINS = 3,
    MAX_MATERIALS = 3,
    MAX_VERTICES = 12,
    MAX_TRIANGLES = 15,
    MAX_IMAGES = 3,
    MAX_SIDE = 16, /* of a skin */
    NO_NAME = 0xF0,
    LONG_NAME = 0xF1,
    LONG = 90, /* a path has at most 63 */
    NO_INDEX = 250
};

typedef struct reader {
    const uint8_t *data;
    size_t size;
    fuzz_mesh *out;
    unsigned flags;
} reader;

static unsigned byte(reader *r) {
    if (!r->size)
        return 0;
    r->size--;
    return *r->data++;
}

static unsigned below(reader *r, unsigned most) {
    return byte(r) % (most + 1);
}

/* Makes a list of zeros, owned by the mesh. */
static void *make_list(reader *r, size_t count, size_t size) {
    fuzz_mesh *out = r->out;
    void *list = calloc(count ? count : 1, size);
    if (!list || out->num_lists == FUZZ_MAX_LISTS)
        abort();
    out->lists[out->num_lists++] = list;
    return list;
}

static const void *give(const reader *r, const void *list) {
    return r->out->num_lists == r->out->missing ? NULL : list;
}

static const char *read_name(reader *r) {
    const unsigned length = byte(r);
    if (length == NO_NAME)
        return NULL;
    const size_t most = length >= LONG_NAME ? LONG : length % 24;
    char *name = make_list(r, most + 1, 1);
    for (size_t i = 0; i < most; i++)
        name[i] = length >= LONG_NAME ? (char)('a' + i % 26) : (char)byte(r);
    return name;
}

static float read_number(reader *r) {
    const unsigned low = byte(r), bits = low | byte(r) << 8;
    if (bits != 0x8000)
        return (float)(int16_t)bits / 64;
    uint32_t raw = 0;
    float number;
    for (int i = 0; i < 4; i++)
        raw |= (uint32_t)byte(r) << 8 * i;
    memcpy(&number, &raw, sizeof number);
    return number;
}

static uint32_t read_index(reader *r, uint32_t limit) {
    const unsigned index = byte(r);
    if (index == NO_INDEX)
        return limit;
    return index > NO_INDEX ? UINT32_MAX - (index - NO_INDEX - 1) : limit ? index % limit : 0;
}

static const float *read_numbers(reader *r, size_t count) {
    float *list = make_list(r, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = read_number(r);
    return give(r, list);
}

static const uint32_t *read_indices(reader *r, size_t count, uint32_t limit) {
    uint32_t *list = make_list(r, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = read_index(r, limit);
    return give(r, list);
}

/* Reads three numbers per vertex and frame. */
static const float *read_rows(reader *r, size_t frames, size_t vertices, bool own) {
    const size_t each = vertices * 3;
    float *list = make_list(r, frames * each, sizeof *list);
    for (size_t f = 0; f < frames; f++) {
        float moved[3] = {0, 0, 0};
        for (size_t k = 0; f && !own && k < 3; k++)
            moved[k] = read_number(r);
        for (size_t i = 0; i < each; i++)
            list[f * each + i] = f && !own ? list[i] + moved[i % 3] : read_number(r);
    }
    return give(r, list);
}

static const lm_material *read_materials(reader *r, uint32_t count) {
    lm_material *list = make_list(r, count, sizeof *list);
    const void *given = give(r, list);
    for (uint32_t i = 0; i < count; i++)
        list[i].name = read_name(r);
    return given;
}

static void read_surface(reader *r, uint32_t frames, lm_mesh_surface *s) {
    const unsigned flags = byte(r);
    s->name = read_name(r);
    s->num_vertices = below(r, MAX_VERTICES);
    s->num_triangles = below(r, MAX_TRIANGLES);
    s->num_materials = below(r, MAX_MATERIALS);
    s->materials = s->num_materials ? read_materials(r, s->num_materials) : NULL;
    s->num_st = flags & ST_TRIANGLES ? below(r, MAX_VERTICES) : flags & ST ? s->num_vertices : 0;
    s->st = s->num_st ? read_numbers(r, (size_t)s->num_st * 2) : NULL;
    s->triangles = read_indices(r, (size_t)s->num_triangles * 3, s->num_vertices);
    if (flags & ST_TRIANGLES)
        s->st_triangles = read_indices(r, (size_t)s->num_triangles * 3, s->num_st);
    s->positions = read_rows(r, frames, s->num_vertices, flags & OWN_ROWS);
    if (flags & NORMALS)
        s->normals = read_rows(r, frames, s->num_vertices, flags & OWN_ROWS);
}

static void read_tag(reader *r, uint32_t frames, lm_mesh_tag *tag) {
    lm_transform *poses = make_list(r, frames, sizeof *poses);
    tag->poses = give(r, poses);
    tag->name = read_name(r);
    for (uint32_t f = 0; f < frames; f++) {
        float *numbers = &poses[f].origin.x;
        for (size_t i = 0; i < sizeof *poses / sizeof *numbers; i++)
            numbers[i] = read_number(r);
    }
}

/* Reads times, in ascending order or unsorted. */
static const float *read_times(reader *r, uint32_t count) {
    float *list = make_list(r, (size_t)count + 1, sizeof *list);
    for (uint32_t i = 0; i <= count; i++)
        list[i] = (float)i + read_number(r);
    return give(r, list);
}

static void read_clip(reader *r, uint32_t frames, lm_clip *clip) {
    clip->name = read_name(r);
    clip->first = read_index(r, frames);
    clip->count = 1 + read_index(r, frames > clip->first ? frames - clip->first : 1);
    clip->loop_frames = byte(r);
    clip->fps = read_number(r);
    clip->backwards = clip->loop_frames & 1;
    if (r->flags & MESH_TIMES && clip->count <= frames)
        clip->times = read_times(r, clip->count);
}

static const lm_embedded_skin *read_embedded(reader *r, const lm_mesh *mesh) {
    lm_embedded_skin *list = make_list(r, mesh->num_skins, sizeof *list);
    const void *given = give(r, list);
    for (uint32_t i = 0; i < mesh->num_skins; i++) {
        const uint32_t images = below(r, MAX_IMAGES);
        const size_t size = (size_t)images * mesh->skin_width * mesh->skin_height;
        uint8_t *pixels = make_list(r, size, 1);
        list[i] = (lm_embedded_skin){.num_images = images, .pixels = give(r, pixels)};
        for (size_t p = 0; p < size; p++)
            pixels[p] = (uint8_t)(p < 8 ? byte(r) : pixels[p - 8]);
        if (r->flags & MESH_TIMES)
            list[i].times = read_times(r, images);
    }
    return given;
}

static const char *const *read_names(reader *r, uint32_t count) {
    const char **list = make_list(r, count, sizeof *list);
    const void *given = give(r, list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = read_name(r);
    return given;
}

static void read_mesh(reader *r, lm_mesh *mesh) {
    mesh->num_frames = below(r, MAX_FRAMES);
    mesh->num_surfaces = below(r, MAX_SURFACES);
    mesh->num_tags = below(r, MAX_TAGS);
    mesh->num_clips = below(r, MAX_CLIPS);
    mesh->num_skins = below(r, MAX_SKINS);
    r->flags = byte(r);
    r->out->missing = byte(r);
    mesh->skin_width = below(r, MAX_SIDE);
    mesh->skin_height = below(r, MAX_SIDE);
    mesh->name = read_name(r);
    if (r->flags & FRAME_NAMES)
        mesh->frame_names = read_names(r, mesh->num_frames);
    lm_clip *clips = make_list(r, mesh->num_clips, sizeof *clips);
    mesh->clips = give(r, clips);
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        read_clip(r, mesh->num_frames, &clips[i]);
    mesh->skins = read_names(r, mesh->num_skins);
    if (r->flags & EMBEDDED)
        mesh->embedded_skins = read_embedded(r, mesh);
    lm_mesh_tag *tags = make_list(r, mesh->num_tags, sizeof *tags);
    mesh->tags = give(r, tags);
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        read_tag(r, mesh->num_frames, &tags[i]);
    lm_mesh_surface *surfaces = make_list(r, mesh->num_surfaces, sizeof *surfaces);
    mesh->surfaces = give(r, surfaces);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        read_surface(r, mesh->num_frames, &surfaces[i]);
}

bool fuzz_mesh_read(const fuzz_part *part, fuzz_mesh *out) {
    *out = (fuzz_mesh){0};
    if (!lm_format_of(part->data, part->size)) {
        reader r = {part->data, part->size, out, 0};
        read_mesh(&r, &out->mesh);
        return true;
    }
    lm_error error;
    lm_model *model = lm_load_memory(part->data, part->size, NULL, &error);
    out->made = model ? lm_mesh_from_model(model, NULL, &error) : NULL;
    PROMISE(!model || out->made);
    if (out->made)
        out->mesh = *out->made;
    lm_model_free(model);
    return out->made != NULL;
}

void fuzz_mesh_free(fuzz_mesh *mesh) {
    for (size_t i = 0; i < mesh->num_lists; i++)
        free(mesh->lists[i]);
    lm_mesh_free(mesh->made);
}

/* ---- Printing ------------------------------------------------------------------------------- */

static void print_name(const char *name, lm_buffer *out) {
    lm_buffer_append(out, name ? name : "?", name ? strlen(name) + 1 : 1);
}

static void print_list(const void *list, size_t size, lm_buffer *out) {
    if (list)
        lm_buffer_append(out, list, size);
    else
        print_name(NULL, out);
}

static void print_surface(const lm_mesh_surface *s, uint32_t frames, lm_buffer *out) {
    const size_t row = sizeof(float) * 3 * frames * s->num_vertices;
    const size_t corners = sizeof(uint32_t) * 3 * s->num_triangles;
    const uint32_t counts[] = {s->num_vertices, s->num_st, s->num_triangles, s->num_materials};
    print_name(s->name, out);
    lm_buffer_append(out, counts, sizeof counts);
    print_list(s->positions, row, out);
    print_list(s->normals, row, out);
    print_list(s->st, sizeof(float) * 2 * s->num_st, out);
    print_list(s->triangles, corners, out);
    print_list(s->st_triangles, corners, out);
    for (uint32_t i = 0; i < s->num_materials; i++)
        print_name(s->materials[i].name, out);
}

static void print_clip(const lm_clip *clip, lm_buffer *out) {
    const uint32_t numbers[] = {clip->first, clip->count, clip->loop_frames, clip->backwards,
                                (uint32_t)clip->source};
    print_name(clip->name, out);
    lm_buffer_append(out, numbers, sizeof numbers);
    lm_buffer_append(out, &clip->fps, sizeof clip->fps);
    print_list(clip->times, sizeof(float) * ((size_t)clip->count + 1), out);
}

static void print_skins(const lm_mesh *mesh, lm_buffer *out) {
    const size_t image = (size_t)mesh->skin_width * mesh->skin_height;
    for (uint32_t i = 0; i < mesh->num_skins; i++) {
        print_name(mesh->skins[i], out);
        if (!mesh->embedded_skins)
            continue;
        const lm_embedded_skin *skin = &mesh->embedded_skins[i];
        lm_buffer_append(out, &skin->num_images, sizeof skin->num_images);
        print_list(skin->pixels, image * skin->num_images, out);
        print_list(skin->times, sizeof(float) * ((size_t)skin->num_images + 1), out);
    }
}

void fuzz_mesh_print(const lm_mesh *mesh, lm_buffer *out) {
    const uint32_t counts[] = {mesh->num_frames, mesh->num_surfaces, mesh->num_tags,
                               mesh->num_clips,  mesh->num_skins,    mesh->skin_width,
                               mesh->skin_height};
    lm_buffer_append(out, counts, sizeof counts);
    print_name(mesh->name, out);
    for (uint32_t f = 0; mesh->frame_names && f < mesh->num_frames; f++)
        print_name(mesh->frame_names[f], out);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        print_surface(&mesh->surfaces[i], mesh->num_frames, out);
    for (uint32_t i = 0; i < mesh->num_tags; i++) {
        print_name(mesh->tags[i].name, out);
        print_list(mesh->tags[i].poses, sizeof(lm_transform) * mesh->num_frames, out);
    }
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        print_clip(&mesh->clips[i], out);
    print_skins(mesh, out);
}
