/* Reads bytes into a document: finds consecutive sections and verifies them. */
#include "formats/mdl/mdl_format.h"

#include "core/text.h"
#include "math/vectors.h"

#include <stddef.h>

#define LM_MDL_MIN_STEP 1e-3f /* seconds: shorter steps are invisible */

lm_location lmi_mdl_field_location(size_t member) {
    return lmi_field_location(&lmi_mdl_rapo_header, lmi_file_location(), member);
}

/* ---- Header -------------------------------------------------------------------------------- */

/* Reads a count that must be positive: otherwise there is nothing to draw, or section sizes are
 * unknown. */
static bool read_positive(const lm_reading *reading, const lm_mdl *mdl, lm_code code, size_t member,
                          const char *what) {
    const int32_t count = lmi_number(mdl, member);
    return count > 0 || lmi_report_fatal(reading->reporter, code, lmi_mdl_field_location(member),
                                         "the number of %s is %d, but it must be greater than 0",
                                         what, (int)count);
}

/* Reads a count that should be positive. The game rejects a model without skins or triangles; a
 * tolerant reader shows the rest. */
static bool read_some(const lm_reading *reading, const lm_mdl *mdl, size_t member,
                      const char *what) {
    if (!lmi_read_count(reading, &lmi_mdl_rapo_header, mdl, member, what))
        return false;
    return lmi_number(mdl, member) > 0 ||
           lmi_report_damage(reading->reporter, LM_CODE_BAD_COUNT, lmi_mdl_field_location(member),
                             "the model has no %s", what);
}

static bool parse_header(const lm_reading *reading, lm_mdl *mdl) {
    const lm_header *header = lmi_mdl_file_header(reading->file);
    if (!lmi_read_ident(reading, header))
        return false;
    lmi_get_header(header, reading->file.data, mdl);
    return read_positive(reading, mdl, LM_CODE_BAD_SKIN_SIZE, offsetof(lm_mdl, skinwidth),
                         "columns of a skin") &&
           read_positive(reading, mdl, LM_CODE_BAD_SKIN_SIZE, offsetof(lm_mdl, skinheight),
                         "rows of a skin") &&
           read_positive(reading, mdl, LM_CODE_BAD_COUNT, offsetof(lm_mdl, num_verts),
                         "vertices") &&
           read_positive(reading, mdl, LM_CODE_BAD_COUNT, offsetof(lm_mdl, num_frames), "frames") &&
           (header == &lmi_mdl_header ||
            read_positive(reading, mdl, LM_CODE_BAD_COUNT, offsetof(lm_mdl, num_st),
                          "texture coordinates")) &&
           read_some(reading, mdl, offsetof(lm_mdl, num_skins), "skins") &&
           read_some(reading, mdl, offsetof(lm_mdl, num_tris), "triangles");
}

/* ---- Sections ------------------------------------------------------------------------------ */

/* The next bytes to read in a section. */
typedef struct lm_mdl_walk {
    const lm_reading *reading;
    size_t at;
    const char *section, *element; /* "skins", "skin" */
    uint32_t index;                /* of the element in the section */
    bool enough;                   /* the data so far makes a model */
    bool continues;                /* a tolerant reader continues without the rest */
} lm_mdl_walk;

static lm_location here(const lm_mdl_walk *walk) {
    return lmi_location_at(walk->section, walk->index, walk->at);
}

static uint64_t room_for(const lm_mdl_walk *walk, uint64_t element) {
    return (walk->reading->file.size - walk->at) / element;
}

/* Returns `count` elements and moves past them. Returns NULL if they are not inside the file. */
static const uint8_t *read_block(lm_mdl_walk *walk, uint64_t count, uint64_t element) {
    const lm_bytes file = walk->reading->file;
    if (!lmi_fits(file.size, walk->at, count, element))
        return NULL;
    const uint8_t *bytes = file.data + walk->at;
    walk->at += (size_t)(count * element);
    return bytes;
}

/* Reports that the file ends inside a section. Returns false. */
static bool fail_cut(lm_mdl_walk *walk) {
    bool (*const report)(lm_reporter *, lm_code, lm_location, const char *, ...) =
        walk->enough ? lmi_report_damage : lmi_report_fatal;
    walk->continues = report(walk->reading->reporter, LM_CODE_BAD_OFFSET, here(walk),
                             "the file ends inside %s %u", walk->element, (unsigned)walk->index);
    return false;
}

static const uint8_t *read_section(lm_mdl_walk *walk, const char *section, int32_t count,
                                   size_t element) {
    walk->section = section;
    walk->index = 0;
    const uint8_t *bytes = read_block(walk, (uint64_t)count, element);
    if (!bytes)
        lmi_report_fatal(walk->reading->reporter, LM_CODE_BAD_OFFSET, here(walk),
                         "%s need%s %llu bytes, but only %llu are left",
                         lmi_count_nouns((uint64_t)count, section).text, count == 1 ? "s" : "",
                         (unsigned long long)count * element,
                         (unsigned long long)room_for(walk, 1));
    return bytes;
}

static bool read_number(lm_mdl_walk *walk, int32_t *number) {
    const uint8_t *bytes = read_block(walk, 1, 4);
    if (!bytes)
        return fail_cut(walk);
    *number = lmi_get_s32(bytes);
    return true;
}

/* Returns the location of the last number read. */
static lm_location number_location(const lm_mdl_walk *walk) {
    lm_location location = here(walk);
    location.offset -= 4;
    return location;
}

static bool read_type(lm_mdl_walk *walk, int32_t *type) {
    if (!read_number(walk, type))
        return false;
    return *type == 0 || *type == 1 || /* the game treats any other value as a group */
           lmi_report_warning(walk->reading->reporter, LM_CODE_BAD_TYPE, number_location(walk), 1,
                              "%s %u has type %d, but only 0 and 1 are defined", walk->element,
                              (unsigned)walk->index, (int)*type);
}

/* Reads the beginning of a skin or a frame. */
static bool read_group(lm_mdl_walk *walk, size_t bounds_size, lm_mdl_group *group) {
    *group = (lm_mdl_group){.count = 1};
    if (!read_type(walk, &group->type))
        return false;
    if (group->type == 0)
        return true;
    if (!read_number(walk, &group->count))
        return false;
    if (group->count <= 0)
        return lmi_report_fatal(walk->reading->reporter, LM_CODE_BAD_COUNT, number_location(walk),
                                "%s %u is a group of %d, but needs at least 1", walk->element,
                                (unsigned)walk->index, (int)group->count);
    group->bounds = bounds_size ? read_block(walk, 1, bounds_size) : NULL;
    group->times = read_block(walk, (uint64_t)group->count, LM_MDL_TIME_SIZE);
    return (group->times && (group->bounds || !bounds_size)) || fail_cut(walk);
}

static bool parse_skins(lm_mdl_walk *walk, lm_mdl *mdl) {
    const uint64_t size = (uint64_t)mdl->skinwidth * (uint64_t)mdl->skinheight;
    const uint64_t most = room_for(walk, 4 + size);
    walk->section = "skins";
    walk->element = "skin";
    if ((uint64_t)mdl->num_skins > most) {
        walk->index = (uint32_t)most;
        return fail_cut(walk);
    }
    mdl->skins =
        lmi_arena_alloc(walk->reading->arena, (uint64_t)mdl->num_skins, sizeof *mdl->skins);
    if (!mdl->skins)
        return false;
    for (; walk->index < (uint32_t)mdl->num_skins; walk->index++) {
        lm_mdl_group group;
        if (!read_group(walk, 0, &group))
            return false;
        const uint8_t *images = read_block(walk, (uint64_t)group.count, size);
        if (!images)
            return fail_cut(walk);
        mdl->skins[walk->index] = (lm_mdl_skin){group.type, group.count, group.times, images};
    }
    return true;
}

/* Reads the poses of a frame. A group that is cut off keeps its complete poses. */
static bool read_poses(lm_mdl_walk *walk, const lm_mdl *mdl, const lm_mdl_group *group,
                       lm_mdl_frame *frame) {
    /* Not lmi_mdl_pose_size: until poses are there, the number of vertices may be any, and 32 bits
     * too few for their bytes. */
    const uint64_t size = LM_MDL_POSE_HEADER_SIZE + (uint64_t)mdl->num_verts * LM_MDL_VERTEX_SIZE;
    const uint64_t there = room_for(walk, size);
    const bool complete = (uint64_t)group->count <= there;
    if (!complete &&
        !lmi_report_damage(walk->reading->reporter, LM_CODE_BAD_OFFSET, here(walk),
                           "frame %u needs %llu bytes, but only %llu are left",
                           (unsigned)walk->index, (unsigned long long)(uint64_t)group->count * size,
                           (unsigned long long)room_for(walk, 1)))
        return false;
    *frame = (lm_mdl_frame){group->type, complete ? group->count : (int32_t)there, group->bounds,
                            group->times, NULL};
    frame->poses = read_block(walk, (uint64_t)frame->num_poses, size);
    if (!complete)
        walk->at = walk->reading->file.size;
    return true;
}

/* Reads the frames: as many as are complete, if the file ends before the last one. */
static bool parse_frames(lm_mdl_walk *walk, lm_mdl *mdl) {
    const uint64_t most = room_for(walk, 4) + 1; /* with the incomplete one */
    const int32_t stated = mdl->num_frames;
    mdl->num_frames = 0;
    walk->section = "frames";
    walk->element = "frame";
    walk->index = 0;
    mdl->frames =
        lmi_arena_alloc(walk->reading->arena, (uint64_t)stated < most ? (uint64_t)stated : most,
                        sizeof *mdl->frames);
    if (!mdl->frames)
        return false;
    for (; walk->index < (uint32_t)stated; walk->index++) {
        lm_mdl_frame *frame = &mdl->frames[walk->index];
        lm_mdl_group group;
        walk->enough = mdl->num_frames > 0;
        if (!read_group(walk, LM_MDL_BOUNDS_SIZE, &group)) {
            walk->at = walk->continues ? walk->reading->file.size : walk->at;
            return walk->continues;
        }
        if (!read_poses(walk, mdl, &group, frame))
            return false;
        mdl->num_frames += frame->num_poses > 0;
        if (frame->num_poses < group.count)
            return true;
    }
    return true;
}

LM_COLD bool lmi_mdl_parse(lm_reading *reading, void *document) {
    lm_mdl *mdl = document;
    lm_mdl_walk walk = {.reading = reading, .at = lmi_mdl_file_header(reading->file)->size};
    if (!parse_header(reading, mdl) || !parse_skins(&walk, mdl))
        return false;
    mdl->st = read_section(&walk, "st", lmi_mdl_num_st(mdl), LM_MDL_ST_SIZE);
    if (!mdl->st)
        return false;
    mdl->tris = read_section(&walk, "triangles", mdl->num_tris, LM_MDL_TRIANGLE_SIZE);
    if (!(mdl->tris && parse_frames(&walk, mdl)))
        return false;
    const lm_bytes file = walk.reading->file;
    mdl->trailing = file.data + walk.at;
    mdl->num_trailing = file.size - walk.at;
    if (mdl->num_frames == 0)
        return lmi_report_fatal(walk.reading->reporter, LM_CODE_BAD_OFFSET,
                                LM_MDL_IN_HEADER(num_frames),
                                "the file contains no complete frame");
    if (mdl->num_trailing == 0)
        return true;
    const bool qme = mdl->num_trailing >= 4 && memcmp(mdl->trailing, "QMEX", 4) == 0;
    return lmi_report_warning(
        walk.reading->reporter, LM_CODE_TRAILING_BYTES, lmi_location_at("frames", 0, walk.at), 1,
        "%s the end of the model%s",
        lmi_count_words(mdl->num_trailing, "{byte follows|bytes follow}").text,
        qme ? ": data of the editor QME (QMEX), which games ignore" : "");
}

/* ---- Contents of sections ------------------------------------------------------------------ */

static bool verify_numbers(const lm_mdl *mdl, lm_reporter *reporter) {
    const float numbers[6] = {mdl->scale.x,     mdl->scale.y,     mdl->scale.z,
                              mdl->translate.x, mdl->translate.y, mdl->translate.z};
    bool sane = true, tiny = false;
    for (int i = 0; i < 6; i++) {
        sane = sane && lmi_sane(numbers[i]);
        tiny = tiny || lmi_tiny(numbers[i]);
    }
    if (!sane)
        return lmi_report_damage(reporter, LM_CODE_NOT_FINITE, LM_MDL_IN_HEADER(scale.x),
                                 "the scale or translate is not a number below 2^31");
    return !tiny || lmi_report_warning(reporter, LM_CODE_DENORMAL, LM_MDL_IN_HEADER(scale.x), 1,
                                       "the scale or translate is below 1e-25; 0 is used instead");
}

static bool verify_triangles(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle t;
        lmi_mdl_get_triangle(mdl, i, &t);
        if (lmi_mdl_triangle_valid(mdl, &t))
            continue;
        int c = 0;
        while (c < 3 && t.vertex[c] >= 0 && t.vertex[c] < mdl->num_verts)
            c++;
        const bool of_st = c == 3; /* then one of them is wrong */
        for (c %= 3; of_st && t.st[c] < lmi_mdl_num_st(mdl);)
            c++;
        if (!lmi_report_damage(reporter, of_st ? LM_CODE_ST_INDEX : LM_CODE_VERTEX_INDEX,
                               lmi_mdl_location(file, "triangles", (uint32_t)i,
                                                mdl->tris + (size_t)i * LM_MDL_TRIANGLE_SIZE),
                               "triangle %d uses %s %d, but the model has %d", (int)i,
                               of_st ? "texture coordinate" : "vertex",
                               (int)(of_st ? t.st[c] : t.vertex[c]),
                               (int)(of_st ? lmi_mdl_num_st(mdl) : mdl->num_verts)))
            return false;
    }
    return true;
}

bool lmi_mdl_times_increase(const uint8_t *times, int32_t count) {
    float before = 0;
    for (int32_t i = 0; i < count; i++) {
        const float end = lmi_mdl_get_time(times, i);
        if (!(end - before >= LM_MDL_MIN_STEP) || !lmi_sane(end))
            return false;
        before = end;
    }
    return true;
}

static bool verify_times(lm_bytes file, const char *section, const char *element, uint32_t index,
                         const uint8_t *times, int32_t count, lm_reporter *reporter) {
    for (int32_t i = 0; times && i < count; i++) {
        const float end = lmi_mdl_get_time(times, i);
        if (!(end > 0) || !lmi_sane(end))
            return lmi_report_damage(
                reporter, LM_CODE_BAD_TIMES,
                lmi_mdl_location(file, section, index, times + (size_t)i * LM_MDL_TIME_SIZE),
                "%s %u has a time that is not a finite number greater than 0", element,
                (unsigned)index);
    }
    return !times || lmi_mdl_times_increase(times, count) ||
           lmi_report_warning(reporter, LM_CODE_GROUP_TIMES,
                              lmi_mdl_location(file, section, index, times), 1,
                              "the times of %s %u do not increase: each of its elements lasts as "
                              "long as the first",
                              element, (unsigned)index);
}

static bool verify_normals(lm_bytes file, const lm_mdl *mdl, int32_t index, int32_t pose,
                           lm_reporter *reporter) {
    const uint8_t *vertices = lmi_mdl_vertices(mdl, &mdl->frames[index], pose);
    for (int32_t v = 0; v < mdl->num_verts; v++) {
        const uint8_t *normal = vertices + (size_t)v * LM_MDL_VERTEX_SIZE + 3;
        if (*normal >= LM_NUM_NORMALS_162 &&
            !lmi_report_warning(reporter, LM_CODE_NORMAL_INDEX,
                                lmi_mdl_location(file, "frames", (uint32_t)index, normal), 1,
                                "vertex %d of frame %d uses normal %d, but there are only %d",
                                (int)v, (int)index, *normal, LM_NUM_NORMALS_162))
            return false;
    }
    return true;
}

bool lmi_mdl_verify(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    bool continues = verify_numbers(mdl, reporter);
    for (int32_t i = 0; continues && i < mdl->num_skins; i++)
        continues = verify_times(file, "skins", "skin", (uint32_t)i, mdl->skins[i].times,
                                 mdl->skins[i].num_images, reporter);
    continues = continues && verify_triangles(file, mdl, reporter);
    for (int32_t i = 0; continues && i < mdl->num_frames; i++) {
        const lm_mdl_frame *frame = &mdl->frames[i];
        continues = verify_times(file, "frames", "frame", (uint32_t)i, frame->times,
                                 frame->num_poses, reporter);
        for (int32_t p = 0; continues && p < frame->num_poses; p++)
            continues = verify_normals(file, mdl, i, p, reporter);
    }
    return continues;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Returns the group of a frame's poses; 0 if there is none. A group of one pose is a single
 * frame. */
static uint32_t group_of(const lm_mdl *mdl, int32_t frame) {
    return mdl->frames[frame].type != 0 && mdl->frames[frame].num_poses > 1 ? (uint32_t)frame + 1
                                                                            : 0;
}

bool lmi_mdl_gather_names(lm_name_fields *names, lm_bytes file, const lm_mdl *mdl,
                          lm_arena *arena) {
    uint64_t count = 0;
    for (int32_t i = 0; i < mdl->num_frames; i++)
        count += (uint64_t)mdl->frames[i].num_poses;
    size_t *offsets = lmi_arena_alloc(arena, count, sizeof *offsets);
    uint32_t *groups = lmi_arena_alloc(arena, count, sizeof *groups);
    uint8_t *fields = lmi_arena_alloc(arena, count, LM_MDL_NAME_SIZE);
    if (!offsets || !groups || !fields)
        return false;
    *names = (lm_name_fields){.first = fields,
                              .stride = LM_MDL_NAME_SIZE,
                              .size = LM_MDL_NAME_SIZE,
                              .count = (uint32_t)count,
                              .groups = groups,
                              .locations = offsets};
    for (int32_t i = 0; i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++, fields += LM_MDL_NAME_SIZE) {
            const uint8_t *name =
                mdl->frames[i].poses + (size_t)p * lmi_mdl_pose_size(mdl) + LM_MDL_POSE_NAME;
            *offsets++ = (size_t)(name - file.data);
            *groups++ = group_of(mdl, i);
            memcpy(fields, name, LM_MDL_NAME_SIZE);
        }
    return true;
}

/* ---- Documents ---------------------------------------------------------------------------- */

static bool read(lm_reading *reading, void *document) {
    return lmi_mdl_parse(reading, document) &&
           lmi_mdl_verify(reading->file, document, reading->reporter);
}

const lm_document_kind lmi_mdl_kind = {&lmi_format_mdl, "MDL", &lmi_mdl_rapo_header, read};

LM_DOCUMENT_READ(mdl, lmi_mdl_kind)
