/* What the files of the renderer share. */
#ifndef GL_INTERNAL_H
#define GL_INTERNAL_H

#include "gl_api.h"

#include "lerpmesh/scene.h"

/* ---- Shaders ------------------------------------------------------------------------------- */

/* How a vertex is decoded. */
typedef enum gl_decode {
    GL_DECODE_U8,
    GL_DECODE_S16,
    GL_DECODE_S16_DELTA,
    GL_DECODE_FLOAT, /* vertices that were made here, for stages of a shader */
    GL_DECODE_LINES, /* no model: positions and colours as they are */
    GL_NUM_DECODES
} gl_decode;

/* How a fragment gets its colour. */
typedef enum gl_paint {
    GL_PAINT_STUDIO,
    GL_PAINT_ENGINE,
    GL_PAINT_TEXTURE,
    GL_PAINT_NORMALS,
    GL_PAINT_UV,
    GL_PAINT_COLOR,
    GL_PAINT_CAPTURE, /* nothing is painted: positions and normals are recorded */
    GL_NUM_PAINTS
} gl_paint;

typedef struct gl_variant {
    gl_decode decode;
    gl_paint paint;
    bool instanced;
    bool cross_fade; /* between two poses */
    bool alpha_test;
} gl_variant;

typedef struct gl_program {
    GLuint name;                                    /* 0: not compiled yet */
    GLint view, scale, translate, replaced, weight; /* scale to replaced: one per side */
    GLint axes, origin, color;
    GLint test, cover;
    GLint eye, key, fill, rim;       /* the studio's light */
    GLint toward, ambient, directed; /* a game's */
    GLint key_layout, delta_layout, num_vertices, delta_scale, add_normals;
} gl_program;

#define GL_NUM_VARIANTS (GL_NUM_DECODES * GL_NUM_PAINTS * 8)

/* Texture units, as the shaders know them. */
enum {
    GL_UNIT_SKIN,
    GL_UNIT_NORMALS,
    GL_UNIT_KEYS,
    GL_UNIT_DELTAS
};

/* A side is one of the frames that are mixed: two per pose. */
#define GL_NUM_SIDES 4

/* Vertex attributes, as the shaders know them. */
enum {
    GL_ATTRIBUTE_ST,
    GL_ATTRIBUTE_KEY = 1,                                 /* the first of those of the sides */
    GL_ATTRIBUTE_DELTA = GL_ATTRIBUTE_KEY + GL_NUM_SIDES, /* the same */
    GL_ATTRIBUTE_INSTANCE = 1,                            /* the first of those of an instance */
    /* Of vertices that were made here. */
    GL_ATTRIBUTE_MADE_POSITION = 1,
    GL_ATTRIBUTE_MADE_NORMAL = 2,
    GL_ATTRIBUTE_MADE_COLOR = 3,
    /* Of lines. */
    GL_ATTRIBUTE_POSITION = 0,
    GL_ATTRIBUTE_COLOR = 1
};

struct lm_gl {
    gl_api api;
    bool es;
    bool lost;
    int major, minor; /* of the version */
    GLint max_texture_size;
    GLint max_anisotropy; /* that is of use; 1: the driver has none */
    GLuint normals;       /* texture: the tables of 162 and 256, sines and cosines */
    GLuint white;         /* texture of one white texel, in place of a skin */
    GLuint stream;        /* buffer for what changes with each draw: lines, instances, captures */
    GLuint lines_array, made_array;
    gl_program programs[GL_NUM_VARIANTS];
    lm_gl_model *models; /* all that are uploaded */
    lm_gl_skin *skins;   /* those of scenes' textures */
    char driver[160];
};

/* The program of a variant, compiled if need be and in use. NULL and the reason if it fails. */
const gl_program *lm_gl_use_program(lm_gl *gl, gl_variant variant, lm_error *error);
void lm_gl_free_programs(const lm_gl *gl);

/* ---- Models -------------------------------------------------------------------------------- */

/* A run of the index buffer that is drawn at once. */
typedef struct gl_run {
    GLenum mode;
    GLsizei count;
    size_t offset; /* bytes */
} gl_run;

/* A table of texels that wraps into a 2D texture, 1 << shift texels wide: shaders divide slowly. */
typedef struct gl_table {
    GLuint texture;
    GLint shift;
} gl_table;

typedef struct gl_surface {
    const lm_gl *gl;
    const lm_surface *surface;
    gl_decode decode;
    GLuint buffer; /* keys, deltas, texture coordinates; 0 for a surface without triangles */
    size_t keys, deltas, st;   /* bytes: where they begin */
    size_t key_row, delta_row; /* bytes from one frame's to the next */
    GLuint indices, edges;     /* element buffers; edges: 0 until needed */
    GLenum index_type;
    gl_run runs[3];
    unsigned num_runs;
    gl_run edge_run;
    GLuint array, instances_array; /* instances_array: 0 until needed, like the tables */
    gl_table key_table, delta_table;
} gl_surface;

struct lm_gl_model {
    lm_gl *gl;
    const lm_model *model;
    gl_surface *surfaces; /* [model->num_surfaces] */
    size_t num_owners;
    lm_gl_model *next;
};

/* Makes and binds a vertex array with the triangles and texture coordinates of a surface. */
GLuint lm_gl_begin_array(const gl_surface *surface);
/* Enables the attributes of sides `first` to before `end` in the surface's array, which is bound.
 */
void lm_gl_enable_sides(const gl_surface *surface, unsigned first, unsigned end);
bool lm_gl_make_indices(gl_surface *surface, const lm_gl_commands *commands, lm_error *error);
/* Makes the element buffer of edges if it is not there. */
bool lm_gl_need_edges(gl_surface *surface, lm_error *error);
/* Makes the tables and the vertex array for instances if they are not there. */
bool lm_gl_need_tables(lm_gl_model *model, gl_surface *surface, lm_error *error);

struct lm_gl_skin {
    lm_gl *gl;
    GLuint texture;
    lm_gl_alpha alpha;     /* what LM_GL_ALPHA_AUTO means for it */
    const uint8_t *pixels; /* of a scene's texture; NULL: the skin is not shared */
    size_t num_owners;
    lm_gl_skin *next;
};

/* The skin of a scene's texture, which all scenes share while its pixels live. lm_gl_skin_free
 * takes one owner away. */
lm_gl_skin *lm_gl_skin_share(lm_gl *gl, const lm_gl_image *image, lm_error *error);

/* ---- Light --------------------------------------------------------------------------------- */

/* How a game lights a vertex: ambient + directed * cosine, or directed * away * cosine where it is
 * negative, at most 1; times the texture's colour, which was multiplied by `gain` and cut at 1. */
typedef struct gl_engine_light {
    lm_engine engine;
    lm_vec3 toward;            /* where the light comes from, in the world */
    lm_vec3 ambient, directed; /* of red, green, blue */
    float away, gain;
} gl_engine_light;

/* The light of an engine; LM_ENGINE_ANY: of the game that the model's format was made for. */
const gl_engine_light *lm_gl_engine_light(lm_engine engine, const lm_model *model);
/* What programs of these paints need. */
void lm_gl_set_studio(const lm_gl *gl, const gl_program *program, const lm_gl_view *view);
void lm_gl_set_engine(const lm_gl *gl, const gl_program *program, const gl_engine_light *light,
                      bool textured);

/* ---- Drawing ------------------------------------------------------------------------------- */

/* How much a fragment covers what is behind it: what becomes of its alpha in the picture. */
#define GL_COVER_ALPHA 0.0f /* its alpha */
#define GL_COVER_ALL 1.0f
#define GL_COVER_LIGHT 2.0f /* as bright as it is: what glows */

/* How one surface is to be painted. */
typedef struct gl_pass {
    gl_variant variant;
    const lm_gl_skin *skin;
    lm_vec3 color;
    bool blend;
    const gl_engine_light *light; /* of GL_PAINT_ENGINE */
} gl_pass;

/* How a surface is painted; the caller sets the variant's `instanced` and `cross_fade`. */
gl_pass lm_gl_pass_of(const lm_gl_model *model, uint32_t index, const lm_gl_style *style);
/* State that all surfaces of a draw share. */
void lm_gl_set_state(const lm_gl *gl, const lm_gl_style *style);
/* What every program of a pass needs. */
void lm_gl_set_pass(const lm_gl *gl, const gl_program *program, const gl_pass *pass,
                    const lm_gl_view *view);
/* A side of an instance. */
typedef struct gl_side {
    uint32_t frame;
    float share; /* of the frame in its pose */
    float total; /* in what is drawn: `share` times the weight of its pose */
} gl_side;

/* Lists the two sides of the pose of an instance, or four during a cross-fade. Returns how many. */
unsigned lm_gl_list_sides(const lm_gl_instance *instance, gl_side sides[GL_NUM_SIDES]);
/* Whether it is between two poses. */
static inline bool lm_gl_fades(const lm_gl_instance *instance) {
    return instance->weight > 0 && instance->weight < 1;
}
/* Uniforms and pointers for the poses of one instance. */
void lm_gl_set_pose(const lm_gl_model *model, const gl_surface *surface, const gl_program *program,
                    const lm_gl_instance *instance);
/* Textures and uniforms for instances. */
void lm_gl_set_tables(const lm_gl_model *model, const gl_surface *surface,
                      const gl_program *program);
/* Draws a surface's triangles, or its edges behind a pass that fills the depth. `instances` 0: no
 * instances. */
bool lm_gl_draw_runs(const lm_gl *gl, gl_surface *surface, const lm_gl_style *style,
                     GLsizei instances, lm_error *error);
/* Packs instances into the renderer's stream as a surface wants them. */
bool lm_gl_upload_instances(const lm_gl_model *model, const gl_surface *surface,
                            const lm_gl_instance *instances, uint32_t count, bool cross_fade,
                            lm_error *error);
/* Points a surface's instances_array at the stream. */
void lm_gl_bind_instances(const lm_gl *gl, const gl_surface *surface, bool cross_fade);

/* How lines or triangles lie to what is drawn already. */
typedef enum gl_depth {
    GL_DEPTH_AMONG,  /* hidden by what is in front of them */
    GL_DEPTH_CLOSER, /* the same; not by what they lie on */
    GL_DEPTH_FRONT   /* by nothing */
} gl_depth;

/* Draws lines or triangles in colours as they are. */
bool lm_gl_draw_points(lm_gl *gl, const float matrix[16], GLenum mode, gl_depth depth,
                       const lm_gl_point *points, uint32_t num_points, lm_error *error);

/* The view of a model that stands somewhere, so that the shader moves each vertex once. */
lm_gl_view lm_gl_view_of_placed(const lm_gl_view *view, const lm_transform *t);
/* What every program without instances needs to know of where a model stands. */
void lm_gl_set_place(const lm_gl *gl, const gl_program *program, const lm_transform *t);
/* Draws one surface of `count` instances, in the state of lm_gl_set_state. */
typedef bool gl_draw_surface(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                             const lm_gl_instance *instances, uint32_t count,
                             const lm_gl_style *style, lm_error *error);
gl_draw_surface lm_gl_draw_each;      /* one after the other */
gl_draw_surface lm_gl_draw_instanced; /* with one draw call */
/* Checks the arguments and draws all surfaces in this way. */
bool lm_gl_draw_surfaces(lm_gl_model *model, const lm_gl_view *view,
                         const lm_gl_instance *instances, uint32_t count, const lm_gl_style *style,
                         gl_draw_surface *draw, lm_error *error);

/* Sample a surface or a tag of an instance, before its transform. */
lm_code lm_gl_sample(const lm_model *model, uint32_t surface, const lm_gl_instance *instance,
                     const lm_sample_target *target);
lm_code lm_gl_sample_tag(const lm_model *model, uint32_t tag, const lm_gl_instance *instance,
                         lm_transform *out);

/* ---- Shaders of scripts -------------------------------------------------------------------- */

/* As the games do it, vertices are computed here for each stage anew: no two surfaces are alike,
 * and they are small. */
typedef struct gl_made_vertex {
    lm_vec3 position, normal; /* in the model's space */
    lm_vec2 st;
    uint8_t rgba[4];
} gl_made_vertex;

/* A surface in a pose, at a time, from where it is seen; axes and eye are in the model's space. */
typedef struct gl_made {
    const lm_shader *shader;
    double seconds;
    lm_vec3 eye, right, up, toward;
    uint32_t num_vertices;
    gl_made_vertex *vertices; /* as the model has them; what is drawn has other st and rgba */
    const lm_vec2 *st;        /* the model's own */
    bool sprites;             /* every 4 vertices are a square */
} gl_made;

/* Whether a shader turns squares toward the eye. */
bool lm_gl_turns(const lm_shader *shader);
/* Moves the vertices as the shader says. */
void lm_gl_deform(gl_made *made);
/* Texture coordinates and colours of a stage. */
void lm_gl_fill_stage(const gl_made *made, const lm_stage *stage);
/* Draws one stage after the other. `textures`: the scene's; `texture`: the material's, for a shader
 * without stages. */
bool lm_gl_draw_made(const gl_made *made, lm_gl_model *model, uint32_t surface,
                     const lm_gl_skin *const *textures, uint32_t texture, const lm_gl_view *view,
                     const lm_transform *place, const lm_gl_style *style, lm_error *error);

/* ---- Scenes -------------------------------------------------------------------------------- */

/* A part of a scene, ready to be drawn. */
typedef struct gl_scene_part {
    lm_gl_model *model;
    const lm_gl_skin **skins; /* [num_surfaces], entries may be NULL */
} gl_scene_part;

/* A surface in its turn. */
typedef struct gl_scene_surface {
    uint32_t part, surface;
    float sort;
    const lm_scene_material *material; /* NULL: the part has no skin */
} gl_scene_surface;

struct lm_gl_scene {
    lm_gl *gl;
    const lm_scene *scene;
    lm_gl_skin **textures;   /* [scene->num_textures], entries may be NULL */
    gl_scene_part *parts;    /* [scene->num_parts] */
    lm_gl_instance *at;      /* [scene->num_parts] each part in the scene's pose */
    gl_scene_surface *order; /* in which surfaces are drawn; hidden ones are not among them */
    size_t num_ordered;
    lm_vec3 *positions;   /* room for the vertices of any surface */
    gl_made_vertex *made; /* the same */
};

/* Poses the parts of a scene; part i goes to out[i * stride]. */
bool lm_gl_pose_parts(const lm_scene *scene, const lm_gl_scene_instance *instance,
                      lm_gl_instance *out, size_t stride, lm_error *error);

/* Computes a surface of a part that is drawn `at` as its shader moves it, in f->made. False: there
 * is nothing to draw. */
bool lm_gl_make_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                        const lm_gl_view *view, const lm_gl_render_options *options, gl_made *out);

#define GL_TAG_LENGTH 4.0f /* of the axes of a tag, where nothing else tells a size */

/* A scene without surfaces shows its tags: there is nothing else to see. */
bool lm_gl_shows_tags(const lm_gl_scene *f, unsigned show);
/* Join a ball, and a transformed box. */
void lm_gl_join(lm_gl_box *box, lm_vec3 middle, float radius);
void lm_gl_join_box(lm_gl_box *box, const lm_vec3 *min, const lm_vec3 *max,
                    const lm_transform *transform);

/* Called with the corners of a triangle in the scene's pose. */
typedef void (*gl_triangle_visitor)(void *user, const lm_vec3 *a, const lm_vec3 *b,
                                    const lm_vec3 *c);
/* As they are drawn: `view` need have axes only, for what turns toward the eye. `solid`: not those
 * that one sees through. */
void lm_gl_visit_triangles(const lm_gl_scene *f, const lm_gl_view *view,
                           const lm_gl_render_options *options, bool solid,
                           gl_triangle_visitor visit, void *user);

/* Whether a shading shows what surfaces wear. */
static inline bool lm_gl_shows_skin(lm_gl_shade shade) {
    return shade == LM_GL_STUDIO || shade == LM_GL_ENGINE || shade == LM_GL_TEXTURE;
}

/* Draws what is shown over the models: normals, GL commands. */
bool lm_gl_draw_overlays(const lm_gl_scene *f, const lm_gl_view *view, unsigned show,
                         lm_error *error);

/* Draws the shadow on the ground before all else, so that the models hide it. */
bool lm_gl_draw_shadow(const lm_gl_scene *f, const lm_gl_view *view,
                       const lm_gl_render_options *options, lm_error *error);

/* ---- Numbers ------------------------------------------------------------------------------- */

/* A share of 0 .. 1 as a byte. */
static inline uint8_t lm_gl_byte_of(float value) {
    return (uint8_t)(value > 0 ? value < 1 ? value * 255 + 0.5f : 255 : 0);
}

/* An offset into the bound buffer, as OpenGL wants it told. */
static inline const void *lm_gl_offset(size_t offset) {
    return (const void *)(uintptr_t)offset; /* NOLINT(performance-no-int-to-ptr) */
}

/* ---- Errors -------------------------------------------------------------------------------- */

#define GL_SHOW_ALL (2u * LM_GL_SHOW_COMMANDS - 1)

/* Whether arguments have known values, and instances poses of their model. */
bool lm_gl_sound_style(const lm_gl_style *style, lm_error *error);
bool lm_gl_sound_options(const lm_gl_render_options *options, lm_error *error);
/* Fails if one of the zeros with which option structs end is none. */
bool lm_gl_sound_reserved(const uint64_t reserved[4], lm_error *error);
bool lm_gl_sound_instances(const lm_model *model, const lm_gl_instance *instances, uint32_t count,
                           lm_error *error);

/* Says that there is no memory; returns false. */
bool lm_gl_no_memory(lm_error *error);
/* Whether the context is there. */
bool lm_gl_alive(const lm_gl *gl, lm_error *error);
/* Whether what was just made, in words, did not overtax the driver. */
bool lm_gl_made(const lm_gl *gl, const char *what, lm_error *error);
/* Takes errors from the driver until there is none; returns the first. */
GLenum lm_gl_take_errors(const lm_gl *gl);

#endif
