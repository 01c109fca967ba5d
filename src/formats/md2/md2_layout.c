/* The header as a table of fields, the lumps as tables of elements. Source of the names: the
 * header table of the Japanese examination of the format ("num_xyz", "ofs_st"); of the lumps:
 * D. Henry, "MD2 file format". */
#include "formats/md2/md2_layout.h"

#include "lerpmesh/md2.h"

#include <stdio.h>
#include <string.h>

/* The header's fields are 17 numbers of 4 bytes in this order; the first is shown as text. */
enum {
    IDENT,
    VERSION,
    SKINWIDTH,
    SKINHEIGHT,
    FRAMESIZE,
    NUM_SKINS,
    NUM_XYZ,
    NUM_ST,
    NUM_TRIS,
    NUM_GLCMDS,
    NUM_FRAMES,
    OFS_SKINS,
    OFS_ST,
    OFS_TRIS,
    OFS_FRAMES,
    OFS_GLCMDS,
    OFS_END,
    NUM_FIELDS
};

static const struct {
    const char *name, *meaning;
} header_fields[NUM_FIELDS] = {
    {"ident", "the format's mark, \"IDP2\""},
    {"version", "always 8"},
    {"skinwidth", "width of the skin in pixels: what s is divided by"},
    {"skinheight", "height of the skin in pixels: what t is divided by"},
    {"framesize", "bytes from one frame to the next, at least 40 + 4 * num_xyz"},
    {"num_skins", "how many skin paths are listed"},
    {"num_xyz", "vertices in each frame"},
    {"num_st", "texture coordinates"},
    {"num_tris", "triangles"},
    {"num_glcmds", "GL commands, counted in integers of 4 bytes"},
    {"num_frames", "frames of the animation"},
    {"ofs_skins", "where the skin paths start: 64 bytes each"},
    {"ofs_st", "where the texture coordinates start: 4 bytes each"},
    {"ofs_tris", "where the triangles start: 12 bytes each"},
    {"ofs_frames", "where the frames start: framesize bytes each"},
    {"ofs_glcmds", "where the GL commands start"},
    {"ofs_end", "where the file ends"},
};

static int32_t header_value(lm_bytes file, int field) {
    return lm_get_s32(file.data + 4 * field);
}

void lm_md2_layout(lm_bytes file, lm_layout_builder *builder) {
    if (file.size < LM_MD2_HEADER_SIZE)
        return;
    int32_t header[NUM_FIELDS];
    lm_layout_text(builder, 0, 4, header_fields[IDENT].name, header_fields[IDENT].meaning);
    for (int i = 0; i < NUM_FIELDS; i++)
        header[i] = header_value(file, i);
    for (int i = VERSION; i < NUM_FIELDS; i++)
        lm_layout_number(builder, 4 * (size_t)i, header_fields[i].name, header_fields[i].meaning);
    lm_layout_header(builder, "header", 0, LM_MD2_HEADER_SIZE);
    lm_layout_lump(builder, "skins", header[OFS_SKINS], lm_count(header[NUM_SKINS]),
                   LM_MD2_SKIN_SIZE);
    lm_layout_lump(builder, "st", header[OFS_ST], lm_count(header[NUM_ST]), LM_MD2_ST_SIZE);
    lm_layout_lump(builder, "triangles", header[OFS_TRIS], lm_count(header[NUM_TRIS]),
                   LM_MD2_TRIANGLE_SIZE);
    lm_layout_lump(builder, "frames", header[OFS_FRAMES], lm_count(header[NUM_FRAMES]),
                   lm_count(header[FRAMESIZE]));
    lm_layout_lump(builder, "glcmds", header[OFS_GLCMDS], lm_count(header[NUM_GLCMDS]),
                   LM_MD2_GL_COMMAND_SIZE);
    lm_layout_end(builder, header[OFS_END]);
    lm_layout_more_tables(builder, "vertices, frame N vertices");
}

/* ---- GL commands --------------------------------------------------------------------------- */

/* A line: the integer's number in the lump, its offset, and what stands there. */
static void print_command(lm_buffer *out, uint64_t index, size_t offset, const char *command) {
    lm_buffer_printf(out, "%8llu  0x%08zx  %s\n", (unsigned long long)index, offset, command);
}

static void print_command_vertex(const uint8_t *bytes, uint64_t index, size_t offset,
                                 lm_buffer *out) {
    lm_buffer_printf(out, "%8llu  0x%08zx  %-22s", (unsigned long long)index, offset, "");
    for (int i = 0; i < 2; i++) {
        lm_buffer_text(out, "  ");
        size_t start = out->size;
        lm_print_float(out, lm_get_f32(bytes + 4 * i));
        lm_align_right(out, start, 13);
    }
    lm_buffer_printf(out, "  %10ld\n", (long)lm_get_s32(bytes + 8));
}

/* A strip (positive count) or fan (negative) and its vertices. Returns how many integers it took;
 * 0 if it is cut off, and then says so. */
static uint64_t print_primitive(lm_bytes lump, size_t lump_offset, uint64_t index, lm_buffer *out) {
    int64_t count = lm_get_s32(lump.data + 4 * index);
    uint64_t vertices = (uint64_t)(count < 0 ? -count : count);
    uint64_t left = lump.size / 4 - index - 1;
    char command[96];
    snprintf(command, sizeof command, "%s of %llu", count > 0 ? "strip" : "fan",
             (unsigned long long)vertices);
    print_command(out, index, lump_offset + (size_t)index * 4, command);
    uint64_t there = vertices <= left / 3 ? vertices : left / 3;
    for (uint64_t i = 0; i < there && !out->failed; i++) {
        uint64_t at = index + 1 + 3 * i;
        print_command_vertex(lump.data + 4 * at, at, lump_offset + (size_t)at * 4, out);
    }
    if (there == vertices)
        return 1 + 3 * vertices;
    lm_buffer_printf(out, "(cut off: %llu vertices are missing)\n",
                     (unsigned long long)(vertices - there));
    return 0;
}

static void print_glcmds(lm_bytes file, lm_buffer *out) {
    size_t offset = (uint32_t)header_value(file, OFS_GLCMDS);
    uint64_t count = lm_count(header_value(file, NUM_GLCMDS));
    uint64_t there = offset < file.size ? (file.size - offset) / 4 : 0;
    there = there < count ? there : count;
    lm_bytes lump = {there ? file.data + offset : file.data, (size_t)there * 4};
    lm_buffer_printf(out, "%8s  %10s  %-22s  %13s  %13s  %10s\n", "index", "offset", "command", "s",
                     "t", "vertex");
    uint64_t index = 0;
    while (index < there && !out->failed) {
        if (lm_get_s32(lump.data + 4 * index) == 0) {
            print_command(out, index, offset + (size_t)index * 4, "stop");
            if (index + 1 < count)
                lm_buffer_printf(out, "(behind the stop: %llu integers)\n",
                                 (unsigned long long)(count - index - 1));
            return;
        }
        uint64_t taken = print_primitive(lump, offset, index, out);
        if (taken == 0)
            return;
        index += taken;
    }
    if (there < count)
        lm_buffer_printf(out, "(the file ends here, after %llu of %llu integers)\n",
                         (unsigned long long)there, (unsigned long long)count);
    else if (count)
        lm_buffer_text(out, "(no stop)\n");
}

/* ---- Arrays -------------------------------------------------------------------------------- */

static const lm_column skin_columns[] = {{"path", 0, LM_CELL_TEXT, LM_MD2_SKIN_SIZE}};

static const lm_column st_columns[] = {{"s", 0, LM_CELL_S16, 0}, {"t", 2, LM_CELL_S16, 0}};

static const lm_column triangle_columns[] = {
    {"vertex 0", 0, LM_CELL_U16, 0}, {"vertex 1", 2, LM_CELL_U16, 0},
    {"vertex 2", 4, LM_CELL_U16, 0}, {"st 0", 6, LM_CELL_U16, 0},
    {"st 1", 8, LM_CELL_U16, 0},     {"st 2", 10, LM_CELL_U16, 0}};

static const lm_column frame_columns[] = {{"scale x", 0, LM_CELL_F32, 0},
                                          {"scale y", 4, LM_CELL_F32, 0},
                                          {"scale z", 8, LM_CELL_F32, 0},
                                          {"translate x", 12, LM_CELL_F32, 0},
                                          {"translate y", 16, LM_CELL_F32, 0},
                                          {"translate z", 20, LM_CELL_F32, 0},
                                          {"name", 24, LM_CELL_TEXT, LM_MD2_FRAME_NAME_SIZE}};

static const lm_column vertex_columns[] = {{"x", 0, LM_CELL_U8, 0},
                                           {"y", 1, LM_CELL_U8, 0},
                                           {"z", 2, LM_CELL_U8, 0},
                                           {"normal", 3, LM_CELL_U8, 0}};

#define COLUMNS(array) (array), sizeof(array) / sizeof *(array)

static void print_array(lm_bytes file, int offset_field, int count_field, size_t stride,
                        const lm_column *columns, size_t num_columns, lm_buffer *out) {
    lm_table table = {.offset = (uint32_t)header_value(file, offset_field),
                      .count = lm_count(header_value(file, count_field)),
                      .stride = stride,
                      .index_name = "index",
                      .groups = 1,
                      .columns = columns,
                      .num_columns = num_columns};
    lm_table_print(file, &table, out);
}

/* The vertices of `frames` frames from `first` on. */
static void print_vertices(lm_bytes file, uint64_t first, uint64_t frames, lm_buffer *out) {
    size_t framesize = (size_t)lm_count(header_value(file, FRAMESIZE));
    uint64_t offset = (uint32_t)header_value(file, OFS_FRAMES) + first * (uint64_t)framesize +
                      LM_MD2_FRAME_HEADER_SIZE;
    lm_table table = {.offset = offset < file.size ? (size_t)offset : file.size,
                      .count = lm_count(header_value(file, NUM_XYZ)),
                      .stride = LM_MD2_VERTEX_SIZE,
                      .index_name = "vertex",
                      .groups = frames,
                      .group_stride = framesize,
                      .group_name = "frame",
                      .first_group = first,
                      .columns = vertex_columns,
                      .num_columns = sizeof vertex_columns / sizeof *vertex_columns};
    lm_table_print(file, &table, out);
}

/* "vertices" is all frames', "frame 12 vertices" one's. */
static bool print_named_vertices(lm_bytes file, const char *lump, lm_buffer *out) {
    uint64_t frames = lm_count(header_value(file, NUM_FRAMES));
    if (strcmp(lump, "vertices") == 0) {
        print_vertices(file, 0, frames, out);
        return true;
    }
    unsigned long frame = 0;
    int length = 0;
    if (sscanf(lump, "frame %9lu vertices%n", &frame, &length) != 1 || length == 0 ||
        lump[length] || frame >= frames)
        return false;
    print_vertices(file, frame, 1, out);
    return true;
}

bool lm_md2_table(lm_bytes file, const char *lump, lm_buffer *out) {
    if (file.size < LM_MD2_HEADER_SIZE)
        return false;
    if (strcmp(lump, "skins") == 0)
        print_array(file, OFS_SKINS, NUM_SKINS, LM_MD2_SKIN_SIZE, COLUMNS(skin_columns), out);
    else if (strcmp(lump, "st") == 0)
        print_array(file, OFS_ST, NUM_ST, LM_MD2_ST_SIZE, COLUMNS(st_columns), out);
    else if (strcmp(lump, "triangles") == 0)
        print_array(file, OFS_TRIS, NUM_TRIS, LM_MD2_TRIANGLE_SIZE, COLUMNS(triangle_columns), out);
    else if (strcmp(lump, "frames") == 0)
        print_array(file, OFS_FRAMES, NUM_FRAMES, (size_t)lm_count(header_value(file, FRAMESIZE)),
                    COLUMNS(frame_columns), out);
    else if (strcmp(lump, "glcmds") == 0)
        print_glcmds(file, out);
    else
        return print_named_vertices(file, lump, out);
    return true;
}
