/* The layout of MDS files. The names are those of the game's source (qfiles.h). */
#include "formats/mds/mds_format.h"

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_mds, member, #member, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"MDSW\""),
    LM_HEADER_VERSION("version", "always 4"),
    FIELD(TEXT, 8, name, "name of the file when it was created"),
    FIELD(REAL, 72, lod_scale, "how fast the detail falls with the distance"),
    FIELD(REAL, 76, lod_bias, "added to the level of detail"),
    FIELD(COUNT, 80, num_frames, "number of frames"),
    FIELD(COUNT, 84, num_bones, "number of bones"),
    FIELD(OFFSET, 88, ofs_frames, "offset of the frames: 52 bytes each, and 12 per bone"),
    FIELD(OFFSET, 92, ofs_bones, "offset of the bones: 80 bytes each"),
    FIELD(NUMBER, 96, torso_parent, "the bone about which the torso turns"),
    FIELD(COUNT, 100, num_surfaces, "number of surfaces"),
    FIELD(OFFSET, 104, ofs_surfaces, "offset of the first surface"),
    FIELD(COUNT, 108, num_tags, "number of tags"),
    FIELD(OFFSET, 112, ofs_tags, "offset of the tags: 72 bytes each"),
    FIELD(OFFSET, 116, ofs_end, "offset of the end of the file"),
};

#define SURFACE_FIELD(kind, at, member, meaning) \
    LM_HEADER_FIELD(kind, at, lm_mds_surface, member, #member, meaning)

static const lm_header_field surface_fields[] = {
    SURFACE_FIELD(NUMBER, 0, ident, "8 in real files; engines ignore it"),
    SURFACE_FIELD(TEXT, 4, name, "name of the surface"),
    SURFACE_FIELD(TEXT, 68, shader, "name of the shader; empty: a .skin file decides"),
    SURFACE_FIELD(NUMBER, 132, shader_index, "for the engine at run time"),
    SURFACE_FIELD(NUMBER, 136, min_lod, "the smallest number of vertices drawn at a distance"),
    SURFACE_FIELD(OFFSET, 140, ofs_header, "offset of the file's header from the surface's start"),
    SURFACE_FIELD(COUNT, 144, num_verts, "number of vertices"),
    SURFACE_FIELD(OFFSET, 148, ofs_verts,
                  "offset of the vertices: 32 bytes each, and 20 per weight"),
    SURFACE_FIELD(COUNT, 152, num_triangles, "number of triangles"),
    SURFACE_FIELD(OFFSET, 156, ofs_triangles, "offset of the triangles: 12 bytes each"),
    SURFACE_FIELD(OFFSET, 160, ofs_collapse_map, "offset of the collapse map: 4 bytes per vertex"),
    SURFACE_FIELD(COUNT, 164, num_bone_references, "number of bones that the surface uses"),
    SURFACE_FIELD(OFFSET, 168, ofs_bone_references, "offset of these bones: 4 bytes each"),
    SURFACE_FIELD(OFFSET, 172, ofs_end, "offset of the next surface"),
};

static const lm_column frame_columns[] = {
    LM_COLUMNS_F32("min ", 0),
    LM_COLUMNS_F32("max ", 12),
    LM_COLUMNS_F32("origin ", 24),
    {"radius", 36, LM_CELL_F32, 0},
    LM_COLUMNS_F32("parentOffset ", LM_MDS_FRAME_PARENT_OFFSET)};

static const lm_column bone_columns[] = {{"parent", LM_MDS_BONE_PARENT, LM_CELL_S32, 0},
                                         {"torsoWeight", LM_MDS_BONE_TORSO_WEIGHT, LM_CELL_F32, 0},
                                         {"parentDist", LM_MDS_BONE_PARENT_DIST, LM_CELL_F32, 0},
                                         {"flags", LM_MDS_BONE_FLAGS, LM_CELL_S32, 0},
                                         {"name", 0, LM_CELL_TEXT, LM_MDS_NAME_SIZE}};

static const lm_column tag_columns[] = {{"torsoWeight", 64, LM_CELL_F32, 0},
                                        {"bone", LM_MDS_TAG_BONE, LM_CELL_S32, 0},
                                        {"name", 0, LM_CELL_TEXT, LM_MDS_NAME_SIZE}};

static const lm_column triangle_columns[] = {{"vertex 0", 0, LM_CELL_S32, 0},
                                             {"vertex 1", 4, LM_CELL_S32, 0},
                                             {"vertex 2", 8, LM_CELL_S32, 0}};

static const lm_column collapse_columns[] = {{"replaced by", 0, LM_CELL_S32, 0}};
static const lm_column reference_columns[] = {{"bone", 0, LM_CELL_S32, 0}};

static const lm_header_lump surface_lumps[] = {
    {LM_HEADER_LUMP(lm_mds_surface, verts, LM_MDS_VERTEX_SIZE, "vertices"),
     .count = LM_COUNTED_BY(lm_mds_surface, num_verts),
     .extra = offsetof(lm_mds_surface, weights_size)},
    {LM_HEADER_LUMP(lm_mds_surface, triangles, LM_MDS_TRIANGLE_SIZE, "triangles",
                    LM_COLUMNS(triangle_columns)),
     .count = LM_COUNTED_BY(lm_mds_surface, num_triangles)},
    {LM_HEADER_LUMP(lm_mds_surface, collapse_map, LM_MDS_INDEX_SIZE, "collapse map",
                    LM_COLUMNS(collapse_columns), .index_name = "vertex"),
     .count = LM_COUNTED_BY(lm_mds_surface, num_verts)},
    {LM_HEADER_LUMP(lm_mds_surface, bone_references, LM_MDS_INDEX_SIZE, "bone references",
                    LM_COLUMNS(reference_columns)),
     .count = LM_COUNTED_BY(lm_mds_surface, num_bone_references)},
};

static const lm_header_lump lumps[] = {
    {LM_HEADER_LUMP(lm_mds, frames, 0, "frames", LM_COLUMNS(frame_columns)),
     .count = LM_COUNTED_BY(lm_mds, num_frames), .stride = offsetof(lm_mds, frame_size),
     .required = true},
    {LM_HEADER_LUMP(lm_mds, bones, LM_MDS_BONE_SIZE, "bones", LM_COLUMNS(bone_columns)),
     .count = LM_COUNTED_BY(lm_mds, num_bones), .required = true},
    {LM_HEADER_LUMP(lm_mds, tags, LM_MDS_TAG_SIZE, "tags", LM_COLUMNS(tag_columns)),
     .count = LM_COUNTED_BY(lm_mds, num_tags)},
    {LM_HEADER_LUMP(lm_mds, surfaces, 0, "surfaces"), .count = LM_COUNTED_BY(lm_mds, num_surfaces),
     .chain = &lmi_mds_surface_header},
};

static const lm_header_limit surface_limits[] = {
    LM_WOLF_LIMITS(lm_mds_surface, num_verts, num_triangles),
};

/* ---- Sizes --------------------------------------------------------------------------------- */

static void measure_file(lm_bytes file, size_t start, void *owner) {
    lm_mds *mds = owner;
    const uint64_t bones = lmi_count(mds->num_bones);
    (void)file;
    (void)start;
    mds->frame_size = bones > LM_MAX_BONES
                          ? INT32_MAX
                          : (int32_t)(LM_MDS_FRAME_SIZE + bones * LM_MDS_BONE_POSE_SIZE);
}

/* Adds up the weights of all vertices. The vertices end before the next surface, so that chained
 * surfaces take linear time; otherwise the size is negative. */
static void measure_surface(lm_bytes file, size_t start, void *owner) {
    lm_mds_surface *s = owner;
    const size_t rest = file.size - start;
    const size_t stated = (size_t)(s->ofs_end > 0 ? s->ofs_end : INT32_MAX);
    const size_t end = stated < rest ? stated : rest;
    const size_t count = (size_t)lmi_count(s->num_verts);
    size_t at = (size_t)lmi_count(s->ofs_verts);
    s->weights_size = count > 0 ? -1 : 0;
    if (s->ofs_verts < 0 || !lmi_fits(end, at, count, LM_MDS_VERTEX_SIZE))
        return;
    const size_t fixed = count * LM_MDS_VERTEX_SIZE;
    for (size_t v = 0; v < count; v++) {
        if (!lmi_fits(end, at, 1, LM_MDS_VERTEX_SIZE))
            return;
        at += (size_t)LM_MDS_VERTEX_SIZE +
              lmi_mds_num_weights(file.data + start + at) * (size_t)LM_MDS_WEIGHT_SIZE;
    }
    if (at <= end)
        s->weights_size = (int32_t)(at - (size_t)lmi_count(s->ofs_verts) - fixed);
}

const lm_header lmi_mds_surface_header = {
    .size = LM_MDS_SURFACE_HEADER_SIZE,
    .struct_size = sizeof(lm_mds_surface),
    .fields = {LM_LIST(surface_fields)},
    .lumps = {LM_LIST(surface_lumps)},
    .limits = {LM_LIST(surface_limits)},
    .measure = measure_surface,
    .back = offsetof(lm_mds_surface, ofs_header),
    .end = offsetof(lm_mds_surface, ofs_end),
};

const lm_header lmi_mds_header = {
    .size = LM_MDS_HEADER_SIZE,
    .struct_size = sizeof(lm_mds),
    .ident = LM_MDS_IDENT,
    .version = LM_MDS_VERSION,
    .fields = {LM_LIST(fields)},
    .lumps = {LM_LIST(lumps)},
    .measure = measure_file,
    .end = offsetof(lm_mds, ofs_end),
    .trailing = offsetof(lm_mds, trailing),
};

/* ---- Tables -------------------------------------------------------------------------------- */

static const lm_unit pose_units[] = {{360.0f / 65536, 0}};

static const lm_column pose_columns[] = {{"pitch", 0, LM_CELL_S16, 0},
                                         {"yaw", 2, LM_CELL_S16, 0},
                                         {"roll", 4, LM_CELL_S16, 0},
                                         {"unused", 6, LM_CELL_S16, 0},
                                         {"ofs pitch", 8, LM_CELL_S16, 0},
                                         {"ofs yaw", 10, LM_CELL_S16, 0},
                                         {"pitch degrees", 0, LM_CELL_S16_UNITS, 0},
                                         {"yaw degrees", 2, LM_CELL_S16_UNITS, 0},
                                         {"roll degrees", 4, LM_CELL_S16_UNITS, 0},
                                         {"ofs pitch degrees", 8, LM_CELL_S16_UNITS, 0},
                                         {"ofs yaw degrees", 10, LM_CELL_S16_UNITS, 0}};

static const lm_shape pose_shape = {
    .name = "bones", LM_COLUMNS(pose_columns), .index_name = "bone", .units = pose_units};

#define WIDTH 12 /* of a column */

static void print_number(const uint8_t *bytes, bool real, lm_buffer *out) {
    const size_t start = out->size;
    if (real)
        lmi_print_float(out, lmi_get_f32(bytes));
    else
        lm_buffer_printf(out, "%ld", (long)lmi_get_s32(bytes));
    lmi_align_right(out, start, WIDTH);
}

/* Prints numbers of 4 bytes each. */
static void print_numbers(const uint8_t *bytes, size_t integers, size_t reals, lm_buffer *out) {
    for (size_t i = 0; i < integers + reals; i++) {
        lm_buffer_text(out, "  ");
        print_number(bytes + 4 * i, i >= integers, out);
    }
}

static void print_names(const char *const *names, size_t count, lm_buffer *out) {
    for (size_t i = 0; i < count; i++)
        lm_buffer_printf(out, "  %*s", WIDTH, names[i]);
    lm_buffer_text(out, "\n");
}

static void print_vertex(const uint8_t *vertex, uint32_t index, const uint8_t *file,
                         lm_buffer *out) {
    lm_buffer_printf(out, "%6u  %*zu", (unsigned)index, WIDTH, (size_t)(vertex - file));
    print_numbers(vertex, 0, 5, out);
    print_numbers(vertex + LM_MDS_VERTEX_NUM_WEIGHTS, 2, 1, out);
    lm_buffer_text(out, "\n");
}

static void print_weights(const uint8_t *vertex, uint32_t index, const uint8_t *file,
                          lm_buffer *out) {
    for (uint32_t w = 0; w < lmi_mds_num_weights(vertex); w++) {
        const uint8_t *weight = lmi_mds_weight(vertex, w);
        lm_buffer_printf(out, "%6u  %5u  %*zu", (unsigned)index, (unsigned)w, WIDTH,
                         (size_t)(weight - file));
        print_numbers(weight, 1, 4, out);
        lm_buffer_text(out, "\n");
    }
}

/* Prints the vertices of a surface, or a row for each of their weights. */
static void print_surface(lm_bytes file, size_t start, bool weights, lm_buffer *out) {
    static const char *const vertex_names[] = {"offset",     "normal x",    "normal y",
                                               "normal z",   "s",           "t",
                                               "numWeights", "fixedParent", "fixedDist"};
    static const char *const weight_names[] = {"offset", "bone", "weight", "x", "y", "z"};
    lm_mds_surface s;
    lmi_get_part(&lmi_mds_surface_header, file, start, &s);
    lm_buffer_text(out, weights ? "vertex  index" : "vertex");
    if (weights)
        print_names(weight_names, sizeof weight_names / sizeof *weight_names, out);
    else
        print_names(vertex_names, sizeof vertex_names / sizeof *vertex_names, out);
    if (s.weights_size < 0 || s.num_verts < 0)
        return;
    const uint8_t *vertex = file.data + start + lmi_count(s.ofs_verts);
    for (uint32_t v = 0; v < (uint32_t)s.num_verts && !out->failed; v++) {
        (weights ? print_weights : print_vertex)(vertex, v, file.data, out);
        vertex = lmi_mds_next_vertex(vertex);
    }
}

/* Finds the start of a surface. Returns false if it is not in the file. */
static bool find_surface(lm_bytes file, const lm_mds *mds, uint64_t index, size_t *start) {
    const size_t end_at = lmi_field_at(&lmi_mds_surface_header, offsetof(lm_mds_surface, ofs_end));
    uint64_t at = lmi_count(mds->ofs_surfaces);
    for (; lmi_fits(file.size, at, 1, LM_MDS_SURFACE_HEADER_SIZE); index--) {
        const int32_t end = lmi_get_s32(file.data + at + end_at);
        *start = (size_t)at;
        if (index == 0)
            return true;
        if (end <= 0)
            return false;
        at += (uint32_t)end;
    }
    return false;
}

bool lmi_mds_table(lm_bytes file, const char *lump, lm_buffer *out) {
    lm_mds mds;
    uint64_t index;
    lmi_get_part(&lmi_mds_header, file, 0, &mds);
    if (lmi_table_of(lump, "frame", "bones", lmi_count(mds.num_frames), &index)) {
        lmi_table_print(file,
                        &(lm_table){.shape = &pose_shape,
                                    .offset = (uint64_t)lmi_count(mds.ofs_frames) +
                                              index * (uint64_t)mds.frame_size + LM_MDS_FRAME_SIZE,
                                    .groups = 1,
                                    .count = lmi_count(mds.num_bones),
                                    .stride = LM_MDS_BONE_POSE_SIZE},
                        out);
        return true;
    }
    const uint64_t surfaces = lmi_count(mds.num_surfaces);
    const bool weights = lmi_table_of(lump, "surface", "weights", surfaces, &index);
    size_t start;
    if ((!weights && !lmi_table_of(lump, "surface", "vertices", surfaces, &index)) ||
        !find_surface(file, &mds, index, &start))
        return false;
    print_surface(file, start, weights, out);
    return true;
}

const lm_examiner lmi_examiner_mds = {.format = &lmi_format_mds,
                                      .check = lmi_mds_check,
                                      .more_tables = "frame N bones, surface N weights",
                                      .table = lmi_mds_table};
