/* Helpers of the core's tests: real files, small models made in memory, failing allocators, and the
 * guarantees of model.h (promises.h). Every failure fails the running test. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include "lerpmesh/assets.h"
#include "lerpmesh/lerpmesh.h"
#include "promises.h"
#include "testing.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Objects that a block owns --------------------------------------------------------------- */

OWNER(lm_archive, lm_archive_free)
OWNER(lm_assets, lm_assets_free)
OWNER(lm_clips, lm_clips_free)
OWNER(lm_comparison, lm_comparison_free)
OWNER(lm_composition, lm_composition_free)
OWNER(lm_edit, lm_edit_free)
OWNER(lm_encode_report, lm_encode_report_free)
OWNER(lm_optimize_report, lm_optimize_report_free)
OWNER(lm_image, lm_image_free)
OWNER(lm_layout, lm_layout_free)
OWNER(lm_md2, lm_md2_free)
OWNER(lm_md3, lm_md3_free)
OWNER(lm_mdc, lm_mdc_free)
OWNER(lm_mds, lm_mds_free)
OWNER(lm_mdl, lm_mdl_free)
OWNER(lm_mesh, lm_mesh_free)
OWNER(lm_model, lm_model_free)
OWNER(lm_report, lm_report_free)
OWNER(lm_skeleton, lm_skeleton_free)
OWNER(lm_skin_choices, lm_skin_choices_free)
OWNER(lm_vfs, lm_vfs_free)

/* ---- Bytes --------------------------------------------------------------------------------- */

/* A file in memory of exactly its size, so that the sanitizer detects reads past its end. */
typedef struct blob {
    uint8_t *data;
    size_t size;
} blob;

blob blob_copy(const void *data, size_t size);
/* Returns a buffer's contents and releases the buffer. */
blob blob_from_buffer(lm_buffer *buffer);
blob blob_read(const char *path);
void blob_free(blob *b);
/* Loads a file's model and checks the guarantees of model.h. Fails the test if loading fails. */
lm_model *load_blob(const blob *file);
lm_model *load_blob_with(const blob *file, const lm_load_options *options);

uint32_t get32(const blob *b, size_t at);
void put32(blob *b, size_t at, uint32_t value);
void put16(blob *b, size_t at, unsigned value);
/* Copies bytes without a NUL, for fields and files. */
void put_bytes(void *out, const char *bytes, size_t size);
void put_real(blob *b, size_t at, float value);

/* ---- Random numbers, the same in every run ------------------------------------------------- */

typedef struct chance {
    uint64_t state;
} chance;

chance chance_from(uint32_t seed);
uint32_t chance_next(chance *c);
uint32_t chance_below(chance *c, uint32_t limit);
float chance_real(chance *c, float low, float high);

/* ---- Reduced runs -------------------------------------------------------------------------- */

/* If the environment has LERPMESH_EACH=N, long tests try every N-th case only: emulators are slow.
 * Return whether to leave out this case, and N. */
bool case_is_skipped(void);
uint32_t case_stride(void);

/* ---- Real files ---------------------------------------------------------------------------- */

/* Lists the models of one format below LERPMESH_CORPUS, ASSIMP_MODELS and the samples, each content
 * once. Leaves out folders named "broken". Fails if all three folders exist and hold none. */
typedef struct file_list {
    size_t count;
    char **paths;
} file_list;

file_list list_models(const char *extension); /* ".md2" */
void free_list(file_list *list);
/* Calls `visit` for every model of the corpus, of all formats. */
void each_model(void (*visit)(const char *path, const blob *file));

/* ---- Small models -------------------------------------------------------------------------- */

/* The size of a synthetic model. The counts determine its contents. Triangle i uses vertices i to
 * i + 2 (modulo their number) and texture coordinates 2i to 2i + 2, so that there are seams. The GL
 * commands draw the same triangles, alternately as a fan and as a strip. */
typedef struct md2_shape {
    int32_t num_skins, num_xyz, num_st, num_tris, num_frames;
    bool no_gl;
} md2_shape;

extern const md2_shape small_md2;
blob make_md2(const md2_shape *shape);

typedef struct mdc_shape {
    int32_t num_frames, num_tags, num_surfaces;
    /* of each surface */
    int32_t num_vertices, num_triangles, num_shaders, num_base_frames, num_comp_frames;
    bool no_tables; /* the frame tables are absent; needs one base frame and no compressed frame */
} mdc_shape;

extern const mdc_shape small_mdc;
blob make_mdc(const mdc_shape *shape);

typedef struct md3_shape {
    int32_t num_frames, num_tags, num_surfaces;
    int32_t num_verts, num_triangles, num_shaders; /* of each surface */
} md3_shape;

extern const md3_shape small_md3;
/* Every second tag's axes are mirrored; none have length 1. */
blob make_md3(const md3_shape *shape);

/* Two skins of 8 x 4 pixels, the second a group of 2; 6 vertices; 4 triangles, every second one on
 * the back; 3 frames, the second a group of 3 poses. */
blob make_mdl(void);
blob make_rapo(void); /* the same as a RAPO, with 5 texture coordinates */
/* The same with skins of another width and `num_images` images in the group. */
blob make_mdl_of(int32_t width, int32_t num_images);

/* Four bones: the root, a child with half the weight of the torso, a tag of the torso, and a child
 * of the legs. 3 frames, 2 tags, 2 surfaces of 5 vertices with 1 to 3 weights and 3 triangles. */
blob make_mds(void);

/* Calls `visit` for the small model of each format. */
void each_small_model(void (*visit)(const char *format, const blob *file));

/* Byte offsets in files, defined independently of the library to expose errors in its list. */
enum {
    MD2_AT_VERSION = 4,
    MD2_AT_SKINWIDTH = 8,
    MD2_AT_SKINHEIGHT = 12,
    MD2_AT_FRAMESIZE = 16,
    MD2_AT_NUM_SKINS = 20,
    MD2_AT_NUM_XYZ = 24,
    MD2_AT_NUM_ST = 28,
    MD2_AT_NUM_TRIS = 32,
    MD2_AT_NUM_GLCMDS = 36,
    MD2_AT_NUM_FRAMES = 40,
    MD2_AT_OFS_SKINS = 44,
    MD2_AT_OFS_ST = 48,
    MD2_AT_OFS_TRIS = 52,
    MD2_AT_OFS_FRAMES = 56,
    MD2_AT_OFS_GLCMDS = 60,
    MD2_AT_OFS_END = 64,

    MDC_AT_NAME = 8,
    MDC_AT_FLAGS = 72,
    MDC_AT_NUM_FRAMES = 76,
    MDC_AT_NUM_TAGS = 80,
    MDC_AT_NUM_SURFACES = 84,
    MDC_AT_NUM_SKINS = 88,
    MDC_AT_OFS_FRAMES = 92,
    MDC_AT_OFS_TAG_NAMES = 96,
    MDC_AT_OFS_TAGS = 100,
    MDC_AT_OFS_SURFACES = 104,
    MDC_AT_OFS_END = 108,

    /* from a surface's start */
    SURFACE_AT_IDENT = 0,
    SURFACE_AT_NAME = 4,
    SURFACE_AT_FLAGS = 68,
    SURFACE_AT_NUM_COMP = 72,
    SURFACE_AT_NUM_BASE = 76,
    SURFACE_AT_NUM_SHADERS = 80,
    SURFACE_AT_NUM_VERTICES = 84,
    SURFACE_AT_NUM_TRIANGLES = 88,
    SURFACE_AT_OFS_TRIANGLES = 92,
    SURFACE_AT_OFS_SHADERS = 96,
    SURFACE_AT_OFS_ST = 100,
    SURFACE_AT_OFS_BASE = 104,
    SURFACE_AT_OFS_COMP = 108,
    SURFACE_AT_OFS_BASE_TABLE = 112,
    SURFACE_AT_OFS_COMP_TABLE = 116,
    SURFACE_AT_OFS_END = 120,

    MD3_AT_NAME = 8,
    MD3_AT_FLAGS = 72,
    MD3_AT_NUM_FRAMES = 76,
    MD3_AT_NUM_TAGS = 80,
    MD3_AT_NUM_SURFACES = 84,
    MD3_AT_NUM_SKINS = 88,
    MD3_AT_OFS_FRAMES = 92,
    MD3_AT_OFS_TAGS = 96,
    MD3_AT_OFS_SURFACES = 100,
    MD3_AT_OFS_END = 104,

    /* from a surface's start */
    MD3_SURFACE_AT_FLAGS = 68,
    MD3_SURFACE_AT_NUM_FRAMES = 72,
    MD3_SURFACE_AT_NUM_SHADERS = 76,
    MD3_SURFACE_AT_NUM_VERTS = 80,
    MD3_SURFACE_AT_NUM_TRIANGLES = 84,
    MD3_SURFACE_AT_OFS_TRIANGLES = 88,
    MD3_SURFACE_AT_OFS_SHADERS = 92,
    MD3_SURFACE_AT_OFS_ST = 96,
    MD3_SURFACE_AT_OFS_XYZ_NORMALS = 100,
    MD3_SURFACE_AT_OFS_END = 104,

    MDS_AT_NAME = 8,
    MDS_AT_NUM_FRAMES = 80,
    MDS_AT_NUM_BONES = 84,
    MDS_AT_OFS_FRAMES = 88,
    MDS_AT_OFS_BONES = 92,
    MDS_AT_TORSO_PARENT = 96,
    MDS_AT_NUM_SURFACES = 100,
    MDS_AT_OFS_SURFACES = 104,
    MDS_AT_NUM_TAGS = 108,
    MDS_AT_OFS_TAGS = 112,
    MDS_AT_OFS_END = 116,
    MDS_FRAME = 52 + 12 * 4, /* bytes, with the four bones of make_mds */

    /* from a surface's start */
    MDS_SURFACE_AT_OFS_HEADER = 140,
    MDS_SURFACE_AT_NUM_VERTS = 144,
    MDS_SURFACE_AT_OFS_VERTS = 148,
    MDS_SURFACE_AT_NUM_TRIANGLES = 152,
    MDS_SURFACE_AT_OFS_TRIANGLES = 156,
    MDS_SURFACE_AT_OFS_COLLAPSE = 160,
    MDS_SURFACE_AT_NUM_REFERENCES = 164,
    MDS_SURFACE_AT_OFS_REFERENCES = 168,
    MDS_SURFACE_AT_OFS_END = 172
};

/* Return the offset of a surface of an MDC, MD3 or MDS, and of one of its lumps. */
size_t surface_start(const blob *b, int32_t surface);
size_t surface_lump(const blob *b, int32_t surface, size_t at);

/* ---- Meshes in the caller's arrays --------------------------------------------------------- */

/* Each takes further members after its last argument: MESH_OF(3, 1, &surface, .name = "box"). */
#define MESH_SURFACE(vertices, at, count, ...)     \
    ((lm_mesh_surface){.num_vertices = (vertices), \
                       .positions = (at),          \
                       .num_triangles = (count),   \
                       .triangles = __VA_ARGS__})
#define MESH_OF(frames, count, ...) \
    ((lm_mesh){.num_frames = (frames), .num_surfaces = (count), .surfaces = __VA_ARGS__})

/* ---- Messages of the library --------------------------------------------------------------- */

/* Notes a line. `assert_matches_golden` compares all lines with those of tests/golden/NAME.txt, so
 * that every word of a message is tested. If sentences changed on purpose, set LERPMESH_RENEW=1 in
 * the environment to write the file again.
 */
void record_output(const char *format, ...) LM_PRINTF(1, 2);
void assert_matches_golden(const char *name);

/* ---- Memory that fails --------------------------------------------------------------------- */

/* Counts allocations, checks the sizes passed to free and realloc, and fails at one call. */
typedef struct counted {
    size_t calls, live_bytes, live_blocks, most_bytes;
    size_t fail_at; /* the call that fails, from 1; 0: none */
    bool zeros;     /* new memory is zeros; otherwise 0xA5, which makes no valid size or index */
} counted;

lm_allocator counting_allocator(counted *counts);
void assert_all_released(const counted *counts);

/* Runs a block with its first allocation failing, then with its second one, until it is done:
 *
 *     EACH_ALLOCATION_FAILS(f) {
 *         OWNED(lm_mesh) *made = lm_mesh_resample(&mesh, NULL, 20, &f.memory, &f.error);
 *         f.done = made != NULL;
 *     }
 *
 * Each run but the last reports the lack of memory, and each run releases all memory. */
typedef struct failing {
    size_t at; /* the number of the allocation that fails */
    counted counts;
    lm_memory memory; /* for the call */
    lm_error error;
    bool done; /* the call succeeded */
} failing;

#define EACH_ALLOCATION_FAILS(f) for (failing f = {.at = 0}; next_allocation(&(f));)
bool next_allocation(failing *f);

#endif
