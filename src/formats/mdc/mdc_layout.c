/* The header and each surface as fields, the lumps as tables. Source of the names: W. Prinz, "The
 * MDC File Format", sections 2 and 3. */
#include "formats/mdc/mdc_format.h"

#include <stdio.h>
#include <string.h>

static const lm_header_field file_fields[] = {
    {"ulIdent", "the format's mark, \"IDPC\"", 4},
    {"ulVersion", "always 2", 0},
    {"ucName", "the name that the file had when it was made", LM_MDC_NAME_SIZE},
    {"ulFlags", "meaning unknown; 0 in real files", 0},
    {"ulNumFrames", "frames of the animation", 0},
    {"ulNumTags", "tags in each frame", 0},
    {"ulNumSurfaces", "surfaces", 0},
    {"ulNumSkins", "skins; 0 in real files", 0},
    {"ulOffsetBorderFrames", "where the frames' bounds and names start: 56 bytes each", 0},
    {"ulOffsetTagNames", "where the tag names start: 64 bytes each", 0},
    {"ulOffsetTagFrames", "where the tags start: 12 bytes each, frame by frame", 0},
    {"ulOffsetSurfaces", "where the first surface starts", 0},
    {"ulOffsetEnd", "where the file ends", 0},
};

static const lm_header_field surface_fields[] = {
    {"ulIdent", "7 in real files; readers ignore it", 0},
    {"ucName", "the surface's name", LM_MDC_NAME_SIZE},
    {"ulFlags", "meaning unknown; 0 in real files", 0},
    {"ulNumCompFrames", "compressed frames", 0},
    {"ulNumBaseFrames", "base frames", 0},
    {"ulNumShaders", "shaders", 0},
    {"ulNumVertices", "vertices in each base or compressed frame", 0},
    {"ulNumTriangles", "triangles", 0},
    {"ulOffsetTriangles", "where the triangles start, from the surface's start: 12 bytes each", 0},
    {"ulOffsetShaders", "where the shaders start: 68 bytes each", 0},
    {"ulOffsetTexCoords", "where the texture coordinates start: 8 bytes a vertex", 0},
    {"ulOffsetBaseVerts", "where the base frames start: 8 bytes a vertex", 0},
    {"ulOffsetCompVerts", "where the compressed frames start: 4 bytes a vertex", 0},
    {"ulOffsetFrameBaseFrames", "where the base frame of each frame is named: 2 bytes each", 0},
    {"ulOffsetFrameCompFrames", "where the compressed frame of each is named, -1: none", 0},
    {"ulOffsetEnd", "where the next surface starts", 0},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The numbers behind the header's name. */
typedef struct file_header {
    int32_t flags, num_frames, num_tags, num_surfaces, num_skins;
    int32_t ofs_frames, ofs_tag_names, ofs_tags, ofs_surfaces, ofs_end;
} file_header;

static file_header read_file_header(lm_bytes file) {
    int32_t n[10];
    for (int i = 0; i < 10; i++)
        n[i] = lm_get_s32(file.data + 72 + 4 * i);
    return (file_header){n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]};
}

typedef struct surface_header {
    size_t start;
    uint64_t num_comp_frames, num_base_frames, num_shaders, num_vertices, num_triangles;
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_base_vertices, ofs_comp_vertices;
    int32_t ofs_base_table, ofs_comp_table, ofs_end;
} surface_header;

static surface_header read_surface_header(lm_bytes file, size_t start) {
    int32_t n[14];
    for (int i = 0; i < 14; i++)
        n[i] = lm_get_s32(file.data + start + 68 + 4 * i);
    return (surface_header){start,          lm_count(n[1]), lm_count(n[2]), lm_count(n[3]),
                            lm_count(n[4]), lm_count(n[5]), n[6],           n[7],
                            n[8],           n[9],           n[10],          n[11],
                            n[12],          n[13]};
}

static lm_mesh_chain_layout chain_of(const file_header *header) {
    return (lm_mesh_chain_layout){header->ofs_surfaces, header->num_surfaces,
                                  LM_MDC_SURFACE_HEADER_SIZE, LM_MDC_SURFACE_AT_OFS_END};
}

/* A frame table may be absent where it has nothing to say: its offset is then 0, or it would not
 * fit into the surface. */
static uint64_t frame_table_length(const surface_header *s, int32_t offset, uint64_t num_frames) {
    bool needed = s->num_comp_frames > 0 || s->num_base_frames > 1;
    bool inside = offset >= LM_MDC_SURFACE_HEADER_SIZE &&
                  (int64_t)offset + (int64_t)num_frames * LM_MDC_FRAME_INDEX_SIZE <= s->ofs_end;
    return needed || inside ? num_frames : 0;
}

static void describe_surface(lm_layout_builder *builder, uint32_t index, const surface_header *s,
                             uint64_t num_frames) {
    lm_layout_surface(builder, index, s->start);
    lm_layout_fields(builder, s->start, surface_fields, COUNT(surface_fields));
    lm_layout_header(builder, "", s->start, LM_MDC_SURFACE_HEADER_SIZE);
    lm_layout_lump(builder, "triangles", s->ofs_triangles, s->num_triangles, LM_MDC_TRIANGLE_SIZE);
    lm_layout_lump(builder, "shaders", s->ofs_shaders, s->num_shaders, LM_MDC_SHADER_SIZE);
    lm_layout_lump(builder, "st", s->ofs_st, s->num_vertices, LM_MDC_ST_SIZE);
    lm_layout_lump(builder, "base vertices", s->ofs_base_vertices,
                   s->num_base_frames * s->num_vertices, LM_MDC_BASE_VERTEX_SIZE);
    lm_layout_lump(builder, "compressed vertices", s->ofs_comp_vertices,
                   s->num_comp_frames * s->num_vertices, LM_MDC_COMP_VERTEX_SIZE);
    lm_layout_lump(builder, "base frame table", s->ofs_base_table,
                   frame_table_length(s, s->ofs_base_table, num_frames), LM_MDC_FRAME_INDEX_SIZE);
    lm_layout_lump(builder, "compressed frame table", s->ofs_comp_table,
                   frame_table_length(s, s->ofs_comp_table, num_frames), LM_MDC_FRAME_INDEX_SIZE);
}

void lm_mdc_layout(lm_bytes file, lm_layout_builder *builder) {
    if (file.size < LM_MDC_HEADER_SIZE)
        return;
    file_header h = read_file_header(file);
    uint64_t frames = lm_count(h.num_frames);
    lm_layout_fields(builder, 0, file_fields, COUNT(file_fields));
    lm_layout_header(builder, "header", 0, LM_MDC_HEADER_SIZE);
    lm_layout_lump(builder, "frames", h.ofs_frames, frames, LM_MDC_FRAME_SIZE);
    lm_layout_lump(builder, "tag names", h.ofs_tag_names, lm_count(h.num_tags),
                   LM_MDC_TAG_NAME_SIZE);
    lm_layout_lump(builder, "tags", h.ofs_tags, frames * lm_count(h.num_tags), LM_MDC_TAG_SIZE);
    lm_layout_end(builder, h.ofs_end);
    const lm_mesh_chain_layout chain = chain_of(&h);
    uint64_t surfaces = lm_mesh_most_surfaces(file, &chain);
    size_t start = (uint32_t)h.ofs_surfaces;
    bool more = lm_mesh_has_surface(file, &chain, start);
    for (uint32_t i = 0; more && i < surfaces; i++) {
        surface_header surface = read_surface_header(file, start);
        describe_surface(builder, i, &surface, frames);
        more = lm_mesh_next_surface(file, &chain, &start);
    }
    lm_layout_end_of_surfaces(builder);
}

/* ---- Tables -------------------------------------------------------------------------------- */

static const lm_column tag_name_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MDC_TAG_NAME_SIZE}};

static const lm_column tag_columns[] = {{"x", 0, LM_CELL_S16, 0},   {"y", 2, LM_CELL_S16, 0},
                                        {"z", 4, LM_CELL_S16, 0},   {"pitch", 6, LM_CELL_S16, 0},
                                        {"yaw", 8, LM_CELL_S16, 0}, {"roll", 10, LM_CELL_S16, 0}};

static const lm_column triangle_columns[] = {{"ulVertex1", 0, LM_CELL_S32, 0},
                                             {"ulVertex2", 4, LM_CELL_S32, 0},
                                             {"ulVertex3", 8, LM_CELL_S32, 0}};

static const lm_column shader_columns[] = {{"ucName", 0, LM_CELL_TEXT, LM_MDC_NAME_SIZE},
                                           {"ulFlags", 64, LM_CELL_S32, 0}};

static const lm_column comp_columns[] = {{"x", 0, LM_CELL_U8, 0},
                                         {"y", 1, LM_CELL_U8, 0},
                                         {"z", 2, LM_CELL_U8, 0},
                                         {"normal", 3, LM_CELL_U8, 0}};

static const lm_column base_table_columns[] = {{"base frame", 0, LM_CELL_S16, 0}};
static const lm_column comp_table_columns[] = {{"compressed frame", 0, LM_CELL_S16, 0}};

#define COLUMNS(array) (array), COUNT(array)

/* Where a lump of a surface starts in the file. */
static uint64_t place(const surface_header *s, int32_t offset) {
    return (uint64_t)s->start + (uint32_t)offset;
}

static bool print_surface_lump(lm_bytes file, const surface_header *s, uint64_t frames,
                               const char *part, lm_buffer *out) {
    if (strcmp(part, "triangles") == 0)
        lm_table_array(file, place(s, s->ofs_triangles), s->num_triangles, LM_MDC_TRIANGLE_SIZE,
                       COLUMNS(triangle_columns), out);
    else if (strcmp(part, "shaders") == 0)
        lm_table_array(file, place(s, s->ofs_shaders), s->num_shaders, LM_MDC_SHADER_SIZE,
                       COLUMNS(shader_columns), out);
    else if (strcmp(part, "st") == 0)
        lm_table_array(file, place(s, s->ofs_st), s->num_vertices, LM_MDC_ST_SIZE,
                       COLUMNS(lm_mesh_st_columns), out);
    else if (strcmp(part, "base vertices") == 0)
        lm_table_groups(file, place(s, s->ofs_base_vertices), "base frame", s->num_base_frames,
                        "vertex", s->num_vertices, LM_MDC_BASE_VERTEX_SIZE,
                        COLUMNS(lm_mesh_vertex_columns), out);
    else if (strcmp(part, "compressed vertices") == 0)
        lm_table_groups(file, place(s, s->ofs_comp_vertices), "compressed frame",
                        s->num_comp_frames, "vertex", s->num_vertices, LM_MDC_COMP_VERTEX_SIZE,
                        COLUMNS(comp_columns), out);
    else if (strcmp(part, "base frame table") == 0)
        lm_table_array(file, place(s, s->ofs_base_table),
                       frame_table_length(s, s->ofs_base_table, frames), LM_MDC_FRAME_INDEX_SIZE,
                       COLUMNS(base_table_columns), out);
    else if (strcmp(part, "compressed frame table") == 0)
        lm_table_array(file, place(s, s->ofs_comp_table),
                       frame_table_length(s, s->ofs_comp_table, frames), LM_MDC_FRAME_INDEX_SIZE,
                       COLUMNS(comp_table_columns), out);
    else
        return false;
    return true;
}

bool lm_mdc_table(lm_bytes file, const char *lump, lm_buffer *out) {
    if (file.size < LM_MDC_HEADER_SIZE)
        return false;
    file_header h = read_file_header(file);
    uint64_t frames = lm_count(h.num_frames), tags = lm_count(h.num_tags);
    unsigned long index = 0;
    int length = 0;
    const lm_mesh_chain_layout chain = chain_of(&h);
    size_t start;
    if (strcmp(lump, "frames") == 0)
        lm_table_array(file, (uint32_t)h.ofs_frames, frames, LM_MDC_FRAME_SIZE,
                       COLUMNS(lm_mesh_frame_columns), out);
    else if (strcmp(lump, "tag names") == 0)
        lm_table_array(file, (uint32_t)h.ofs_tag_names, tags, LM_MDC_TAG_NAME_SIZE,
                       COLUMNS(tag_name_columns), out);
    else if (strcmp(lump, "tags") == 0)
        lm_table_groups(file, (uint32_t)h.ofs_tags, "frame", frames, "tag", tags, LM_MDC_TAG_SIZE,
                        COLUMNS(tag_columns), out);
    else if (sscanf(lump, "surface %9lu %n", &index, &length) == 1 && length &&
             lm_mesh_find_surface(file, &chain, index, &start)) {
        surface_header surface = read_surface_header(file, start);
        return print_surface_lump(file, &surface, frames, lump + length, out);
    } else
        return false;
    return true;
}
