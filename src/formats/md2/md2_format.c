/* The layout of MD2 files. The names of fields are those of the header table in the Japanese
 * examination of the format ("num_xyz", "ofs_st"); the names of lumps, those of D. Henry, "MD2 file
 * format". */
#include "formats/md2/md2_format.h"

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_md2, member, #member, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"IDP2\""),
    LM_HEADER_VERSION("version", "always 8"),
    FIELD(NUMBER, 8, skinwidth, "width of the skin in pixels: divisor of s"),
    FIELD(NUMBER, 12, skinheight, "height of the skin in pixels: divisor of t"),
    FIELD(NUMBER, 16, framesize, "bytes per frame, at least 40 + 4 * num_xyz"),
    FIELD(COUNT, 20, num_skins, "number of skin paths"),
    FIELD(COUNT, 24, num_xyz, "number of vertices per frame"),
    FIELD(COUNT, 28, num_st, "number of texture coordinates"),
    FIELD(COUNT, 32, num_tris, "number of triangles"),
    FIELD(COUNT, 36, num_glcmds, "size of the GL commands in integers of 4 bytes"),
    FIELD(COUNT, 40, num_frames, "number of frames"),
    FIELD(OFFSET, 44, ofs_skins, "offset of the skin paths: 64 bytes each"),
    FIELD(OFFSET, 48, ofs_st, "offset of the texture coordinates: 4 bytes each"),
    FIELD(OFFSET, 52, ofs_tris, "offset of the triangles: 12 bytes each"),
    FIELD(OFFSET, 56, ofs_frames, "offset of the frames: framesize bytes each"),
    FIELD(OFFSET, 60, ofs_glcmds, "offset of the GL commands"),
    FIELD(OFFSET, 64, ofs_end, "offset of the end of the file"),
};

static const lm_column skin_columns[] = {{"path", 0, LM_CELL_TEXT, LM_MD2_SKIN_SIZE}};

static const lm_column st_columns[] = {{"s", 0, LM_CELL_S16, 0}, {"t", 2, LM_CELL_S16, 0}};

static const lm_column triangle_columns[] = {
    {"vertex 0", 0, LM_CELL_U16, 0}, {"vertex 1", 2, LM_CELL_U16, 0},
    {"vertex 2", 4, LM_CELL_U16, 0}, {"st 0", 6, LM_CELL_U16, 0},
    {"st 1", 8, LM_CELL_U16, 0},     {"st 2", 10, LM_CELL_U16, 0}};

static const lm_column frame_columns[] = {LM_COLUMNS_F32("scale ", 0),
                                          LM_COLUMNS_F32("translate ", 12),
                                          {"name", 24, LM_CELL_TEXT, LM_MD2_FRAME_NAME_SIZE}};

#define LUMP(array, size)                                                                     \
    .ofs = offsetof(lm_md2, ofs_##array), .data = offsetof(lm_md2, array), .element = (size), \
    .count = {.member = offsetof(lm_md2, num_##array)}

static const lm_header_lump lumps[LM_MD2_NUM_LUMPS] = {
    {.shape = {.name = "skins", LM_COLUMNS(skin_columns)}, LUMP(skins, LM_MD2_SKIN_SIZE)},
    {.shape = {.name = "st", LM_COLUMNS(st_columns)}, LUMP(st, LM_MD2_ST_SIZE)},
    {.shape = {.name = "triangles", LM_COLUMNS(triangle_columns)},
     LUMP(tris, LM_MD2_TRIANGLE_SIZE)},
    {.shape = {.name = "frames", LM_COLUMNS(frame_columns)},
     LUMP(frames, 0),
     .stride = offsetof(lm_md2, framesize)},
    {.shape = {.name = "glcmds"}, LUMP(glcmds, LM_MD2_GL_COMMAND_SIZE)},
};

#define LIMIT(engine, member, max, element) \
    {LM_ENGINE_##engine, offsetof(lm_md2, member), max, element, NULL}

/* Sources: Quake II: Henry, "Constants". Rows of skins and today's engines: the table of real files
 * in docs/reference/formats.md. UFO: Alien Invasion: docs/reference/formats/ufoai.md. */
static const lm_header_limit limits[] = {
    LIMIT(QUAKE2, num_tris, 4096, "triangles"),
    LIMIT(QUAKE2, num_xyz, 2048, "vertices"),
    LIMIT(QUAKE2, num_st, 2048, "texture coordinates"),
    LIMIT(QUAKE2, num_frames, 512, "frames"),
    LIMIT(QUAKE2, num_skins, 32, "skins"),
    LIMIT(QUAKE2, skinheight, 480, "rows in a skin"),
    LIMIT(Q2PRO, num_tris, 4096, "triangles"),
    LIMIT(Q2PRO, num_xyz, 2048, "vertices"),
    LIMIT(Q2PRO, num_frames, 1024, "frames"),
    LIMIT(Q2PRO, num_skins, 32, "skins"),
    LIMIT(UFOAI, num_tris, 4095, "triangles"),
};

const lm_header lmi_md2_header = {
    .size = LM_MD2_HEADER_SIZE,
    .struct_size = sizeof(lm_md2),
    .ident = LM_MD2_IDENT,
    .version = LM_MD2_VERSION,
    .fields = {LM_LIST(fields)},
    .lumps = {LM_LIST(lumps)},
    .limits = {LM_LIST(limits)},
    .end = offsetof(lm_md2, ofs_end),
    .trailing = offsetof(lm_md2, trailing),
};

/* ---- The examiner ------------------------------------------------------------------------- */

/* Sources: Quake II, ref_gl/gl_mesh.c draws by the GL commands, and gl_model.c refuses a model
 * without triangles; UFO: Alien Invasion, docs/reference/formats/ufoai.md. */
static const lm_refusal refusals[] = {
    {LM_ENGINE_QUAKE2, LM_CODE_BIT(GL_COMMANDS) | LM_CODE_BIT(GL_COMMAND_ORDER) |
                           LM_CODE_BIT(NO_GL_COMMANDS) | LM_CODE_BIT(EMPTY_SURFACE)},
    {LM_ENGINE_UFOAI, LM_CODE_BIT(WRONG_END) | LM_CODE_BIT(TRAILING_BYTES) | LM_CODE_BIT(NO_SKINS)},
};

const lm_examiner lmi_examiner_md2 = {.format = &lmi_format_md2,
                                      .refusals = {LM_LIST(refusals)},
                                      .check = lmi_md2_check,
                                      .more_tables = "vertices, frame N vertices",
                                      .table = lmi_md2_table};
