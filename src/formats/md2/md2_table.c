/* Tables of MD2 data that no shape describes. */
#include "formats/md2/md2_format.h"

#include <stdio.h>

/* ---- GL commands --------------------------------------------------------------------------- */

/* Prints a line: the integer's index in the lump, its offset and its meaning. */
static void print_command(lm_buffer *out, uint64_t index, size_t offset, const char *command) {
    lm_buffer_printf(out, "%8llu  0x%08zx  %s\n", (unsigned long long)index, offset, command);
}

static void print_command_vertex(const uint8_t *p, uint64_t index, size_t offset, lm_buffer *out) {
    lm_buffer_printf(out, "%8llu  0x%08zx  %-22s", (unsigned long long)index, offset, "");
    for (int i = 0; i < 2; i++) {
        lm_buffer_text(out, "  ");
        size_t start = out->size;
        lm_print_float(out, lm_get_f32(p + 4 * i));
        lm_align_right(out, start, 13);
    }
    lm_buffer_printf(out, "  %10ld\n", (long)lm_get_s32(p + 8));
}

/* Prints a strip (positive count) or fan (negative count) with its vertices. Returns the number of
 * integers it takes. If it is cut off, prints a note and returns 0. */
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

static void print_glcmds(lm_bytes file, const lm_md2 *md2, lm_buffer *out) {
    size_t offset = (uint32_t)md2->ofs_glcmds;
    uint64_t count = lm_count(md2->num_glcmds);
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
                lm_buffer_printf(out, "(after the stop: %llu integers)\n",
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

/* ---- Vertices ------------------------------------------------------------------------------ */

static const lm_shape vertex_shape = {"vertices", LM_LIST(lm_packed_columns), "vertex", "frame"};

/* Prints the vertices of `frames` frames from `first` on. */
static void print_vertices(lm_bytes file, const lm_md2 *md2, uint64_t first, uint64_t frames,
                           lm_buffer *out) {
    const uint64_t framesize = lm_count(md2->framesize);
    const lm_table table = {.shape = &vertex_shape,
                            .offset = (uint32_t)md2->ofs_frames + first * framesize +
                                      LM_MD2_FRAME_HEADER_SIZE,
                            .groups = frames,
                            .count = lm_count(md2->num_xyz),
                            .stride = LM_MD2_VERTEX_SIZE,
                            .group_stride = framesize,
                            .first_group = first};
    lm_table_print(file, &table, out);
}

/* Prints the vertices of all frames ("vertices") or of one ("frame 12 vertices"). Returns false for
 * any other name. */
static bool print_named_vertices(lm_bytes file, const lm_md2 *md2, const char *lump,
                                 lm_buffer *out) {
    uint64_t frames = lm_count(md2->num_frames), frame;
    if (strcmp(lump, "vertices") == 0) {
        print_vertices(file, md2, 0, frames, out);
        return true;
    }
    if (!lm_table_of_frame(lump, frames, &frame))
        return false;
    print_vertices(file, md2, frame, 1, out);
    return true;
}

bool lm_md2_table(lm_bytes file, const char *lump, lm_buffer *out) {
    lm_md2 md2;
    lm_get_header(&lm_md2_header, file.data, &md2);
    if (strcmp(lump, "glcmds") != 0)
        return print_named_vertices(file, &md2, lump, out);
    print_glcmds(file, &md2, out);
    return true;
}
