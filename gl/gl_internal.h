/* The renderer's internal declarations. */
#ifndef GL_INTERNAL_H
#define GL_INTERNAL_H

#include "gl_api.h"

#include "lerpmesh/scene.h"

#include <math.h>

/* ---- Shaders ------------------------------------------------------------------------------- */

/* The encoding of vertices. */
typedef enum gl_decode {
    GL_DECODE_U8,
    GL_DECODE_S16,
    GL_DECODE_S16_DELTA,
    GL_DECODE_FLOAT, /* vertices computed by the CPU: stages of a shader, and vertices with bones */
    GL_DECODE_LINES, /* no model: plain positions and colours */
    GL_NUM_DECODES
} gl_decode;

/* The source of a fragment's colour. */
typedef enum gl_paint {
    GL_PAINT_STUDIO,
    GL_PAINT_ENGINE,
    GL_PAINT_TEXTURE,
    GL_PAINT_NORMALS,
    GL_PAINT_UV,
    GL_PAINT_COLOR,
    GL_PAINT_CAPTURE, /* no fragments: records positions and normals */
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
    GLint studio;                    /* the studio's lights, or an environment */
    GLint toward, ambient, directed; /* a game's light */
    GLint key_layout, delta_layout, num_vertices, delta_scale, add_normals;
} gl_program;

#define GL_NUM_VARIANTS (GL_NUM_DECODES * GL_NUM_PAINTS * 8)

/* Texture units, as in the shaders. */
enum {
    GL_UNIT_TEXTURE,
    GL_UNIT_NORMALS,
    GL_UNIT_KEYS,
    GL_UNIT_DELTAS
};

/* A side is one of the frames that are blended: two per pose. */
#define GL_NUM_SIDES 4

/* Vertex attributes, as in the shaders. */
enum {
    GL_ATTRIBUTE_ST,
    GL_ATTRIBUTE_KEY = 1,                                 /* the first of one per side */
    GL_ATTRIBUTE_DELTA = GL_ATTRIBUTE_KEY + GL_NUM_SIDES, /* the same */
    GL_ATTRIBUTE_INSTANCE = 1,                            /* the first of an instance */
    /* For vertices computed by the CPU. */
    GL_ATTRIBUTE_GENERATED_POSITION = 1,
    GL_ATTRIBUTE_GENERATED_NORMAL = 2,
    GL_ATTRIBUTE_GENERATED_COLOR = 3,
    /* For lines. */
    GL_ATTRIBUTE_POSITION = 0,
    GL_ATTRIBUTE_COLOR = 1
};

#define GL_NUM_TEXTURE_LISTS 4096

struct lm_gl {
    gl_api api;
    bool es;
    bool lost;
    int major, minor; /* of the OpenGL version */
    GLint max_texture_size;
    GLint max_anisotropy; /* limited to a useful value; 1: not supported */
    GLuint normals;       /* texture: the tables of 162 and 256 normals, sines and cosines */
    GLuint white;         /* texture with one white texel, for models without a texture */
    GLuint stream;        /* buffer for per-draw data: lines, instances, captures */
    GLuint lines_array, generated_array;
    gl_program programs[GL_NUM_VARIANTS];
    lm_gl_model *models; /* all uploaded models */
    /* The textures of scenes, shared by their pixels, in lists by a hash of the address. */
    lm_gl_texture *textures[GL_NUM_TEXTURE_LISTS];
    char driver[160];
};

/* Uses the program of a variant, and compiles it first if necessary. NULL with `error` filled on
 * failure. */
const gl_program *lmi_gl_use_program(lm_gl *gl, gl_variant variant, lm_error *error);
void lmi_gl_free_programs(const lm_gl *gl);

/* ---- Models -------------------------------------------------------------------------------- */

/* A range of the index buffer for one draw call. */
typedef struct gl_run {
    GLenum mode;
    GLsizei count;
    size_t offset; /* in bytes */
} gl_run;

/* A table of texels in a 2D texture, 1 << shift texels wide, because division is slow in
 * shaders. */
typedef struct gl_table {
    GLuint texture;
    GLint shift;
} gl_table;

typedef struct gl_surface {
    const lm_gl *gl;
    const lm_surface *surface;
    gl_decode decode;
    /* Keys, deltas, texture coordinates; 0 for a surface without vertices, and with bones. */
    GLuint buffer;
    size_t keys, deltas, st;   /* offsets in bytes */
    size_t key_row, delta_row; /* bytes per frame */
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

/* Creates and binds a vertex array with the triangles and texture coordinates of a surface. */
GLuint lmi_gl_begin_array(const gl_surface *surface);
/* Enables the attributes of sides `first` to `end` - 1 in the surface's vertex array, which must be
 * bound. */
void lmi_gl_enable_sides(const gl_surface *surface, unsigned first, unsigned end);
/* Creates the element buffer of edges if it does not exist. */
bool lmi_gl_need_edges(gl_surface *surface, lm_error *error);
/* Creates the tables and the vertex array for instances if they do not exist. */
bool lmi_gl_need_tables(lm_gl_model *model, gl_surface *surface, lm_error *error);

/* Creates a texture with nearest filtering, bound to a unit, and prepares to fill it. */
GLuint lmi_gl_make_texture(const lm_gl *gl, GLenum unit);

struct lm_gl_texture {
    lm_gl *gl;
    GLuint name;
    lm_gl_alpha alpha;     /* the mode that LM_GL_ALPHA_AUTO selects */
    const uint8_t *pixels; /* of a scene's texture; NULL: not shared */
    size_t num_owners;
    lm_gl_texture *next;
};

/* Uploads a texture of a scene, or returns the one with the same pixels that a scene has already
 * uploaded. lm_gl_texture_free drops one owner. */
lm_gl_texture *lmi_gl_texture_share(lm_gl *gl, const lm_gl_image *image, lm_error *error);

/* ---- Light --------------------------------------------------------------------------------- */

/* The light of a game at a vertex: ambient + directed * cosine, or directed * away * cosine if the
 * cosine is negative, at most 1. Multiplied by `gain`, it multiplies the texture's colour. Games
 * clamp the product, and bright textures turn white. The renderer compresses it instead: with m,
 * the largest of its red, green and blue, it multiplies the product by 1 - m * (gain - 1) / gain^2.
 * This keeps the hue, leaves dark colours nearly unchanged, and turns `gain` into 1. */
typedef struct gl_engine_light {
    lm_engine engine;
    lm_vec3 toward;            /* direction to the light, in the world */
    lm_vec3 ambient, directed; /* red, green, blue */
    float away, gain;
} gl_engine_light;

/* Returns an engine's light; LM_ENGINE_ANY: that of the game of the model's format. */
const gl_engine_light *lmi_gl_engine_light(lm_engine engine, const lm_model *model);
/* Set the uniforms of programs with these paints. */
void lmi_gl_set_studio(const lm_gl *gl, const gl_program *program, const lm_gl_view *view,
                       const lm_gl_style *style);
void lmi_gl_set_engine(const lm_gl *gl, const gl_program *program, const gl_engine_light *light);

/* ---- Drawing ------------------------------------------------------------------------------- */

/* The coverage of a fragment: its alpha in the image. */
#define GL_COVER_ALPHA 0.0f /* its own alpha */
#define GL_COVER_ALL 1.0f
#define GL_COVER_LIGHT 2.0f /* its brightness, for glowing surfaces */

/* The program, texture, colour, blending and light of one surface. */
typedef struct gl_pass {
    gl_variant variant;
    const lm_gl_texture *texture;
    lm_vec3 color;
    bool blend;
    const gl_engine_light *light; /* for GL_PAINT_ENGINE */
    const lm_gl_style *style;     /* the environment and exposure for GL_PAINT_STUDIO */
} gl_pass;

/* Sets the state that all surfaces of a draw share. */
void lmi_gl_set_state(const lm_gl *gl, const lm_gl_style *style);
/* Sets the uniforms and textures that every program of a pass needs. */
void lmi_gl_set_pass(const lm_gl *gl, const gl_program *program, const gl_pass *pass,
                     const lm_gl_view *view);
/* A side of an instance. */
typedef struct gl_side {
    uint32_t frame;
    float share; /* of the frame in its pose */
    float total; /* in the result: `share` times the weight of its pose */
} gl_side;

/* Lists the two sides of an instance's pose, or four during a cross-fade. Returns their number. */
unsigned lmi_gl_list_sides(const lm_gl_instance *instance, gl_side sides[GL_NUM_SIDES]);
/* Returns where an instance is. */
static inline const lm_transform *lmi_gl_place(const lm_gl_instance *instance) {
    static const lm_transform identity = LM_TRANSFORM_IDENTITY;
    return instance->transform ? instance->transform : &identity;
}
/* Returns whether an instance is between two poses. */
static inline bool lmi_gl_fades(const lm_gl_instance *instance) {
    return instance->weight > 0 && instance->weight < 1;
}
/* Sets the uniforms and pointers of one instance's poses. */
void lmi_gl_set_pose(const lm_gl_model *model, const gl_surface *surface, const gl_program *program,
                     const lm_gl_instance *instance);
/* Sets the textures and uniforms for instances. */
void lmi_gl_set_tables(const lm_gl_model *model, const gl_surface *surface,
                       const gl_program *program);
/* Draws a surface's triangles, or its edges after a pass that fills the depth. `instances` 0: no
 * instancing. */
bool lmi_gl_draw_runs(const lm_gl *gl, gl_surface *surface, const lm_gl_style *style,
                      GLsizei instances, lm_error *error);
/* Packs instances for a surface into the renderer's stream buffer. */
bool lmi_gl_upload_instances(const lm_gl_model *model, const gl_surface *surface,
                             const lm_gl_instance *instances, uint32_t count, bool cross_fade,
                             lm_error *error);
/* Points a surface's instances_array at the stream buffer. */
void lmi_gl_bind_instances(const lm_gl *gl, const gl_surface *surface, bool cross_fade);

/* The depth test of lines or triangles. */
typedef enum gl_depth {
    GL_DEPTH_AMONG,  /* hidden by anything in front of them */
    GL_DEPTH_CLOSER, /* the same, but not by the surface they are on */
    GL_DEPTH_FRONT   /* never hidden */
} gl_depth;

/* A corner of lines or triangles. */
typedef struct lm_gl_point {
    lm_vec3 position; /* in the space of the view */
    uint8_t rgba[4];
} lm_gl_point;

/* Draws lines or triangles in plain colours. */
bool lmi_gl_draw_points(lm_gl *gl, const float matrix[16], GLenum mode, gl_depth depth,
                        const lm_gl_point *points, uint32_t num_points, lm_error *error);
/* Draws the gradient of a background. */
bool lmi_gl_draw_gradient(lm_gl *gl, const lm_gl_background *background, lm_error *error);
/* Draws bones (LM_GL_LINE_BONE). */
bool lmi_gl_draw_bones(lm_gl *gl, const lm_gl_view *view, const lm_gl_line *bones,
                       uint32_t num_bones, lm_error *error);
/* Draws the edges of a box. */
bool lmi_gl_draw_box(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                     const lm_vec3 *min, const lm_vec3 *max, lm_error *error);
/* Draws axes of a length: x (forward) red, y (left) green, z (up) blue. */
bool lmi_gl_draw_axes(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                      float length, lm_error *error);
/* Draws a square grid on the ground, centred at `center`. Its spacing is a power of two, with about
 * 16 lines across. */
bool lmi_gl_draw_grid(lm_gl *gl, const lm_gl_view *view, const lm_vec3 *center, float half_size,
                      lm_error *error);
/* Draws the tags of a model as axes. */
bool lmi_gl_draw_tags(lm_gl_model *model, const lm_gl_view *view, const lm_gl_instance *instance,
                      float length, lm_error *error);

/* Returns the view of a transformed model, so that the shader transforms each vertex only once. */
lm_gl_view lmi_gl_view_of_transformed(const lm_gl_view *view, const lm_transform *t);
/* Sets the uniforms of the world transform, which every program without instances needs. */
void lmi_gl_set_transform(const lm_gl *gl, const gl_program *program, const lm_transform *t);
/* Draws one surface of `count` instances, in the state set by lmi_gl_set_state. */
typedef bool gl_draw_surface(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                             const lm_gl_instance *instances, uint32_t count,
                             const lm_gl_style *style, lm_error *error);
gl_draw_surface lmi_gl_draw_each;      /* one by one */
gl_draw_surface lmi_gl_draw_instanced; /* with one draw call */

/* Sample a surface or a tag of an instance, before its transform. */
lm_code lmi_gl_sample(const lm_model *model, uint32_t surface, const lm_gl_instance *instance,
                      const lm_sample_target *target);
lm_code lmi_gl_sample_tag(const lm_model *model, uint32_t tag, const lm_gl_instance *instance,
                          lm_transform *out);

/* ---- Shaders of scripts -------------------------------------------------------------------- */

/* The CPU computes the vertices for each stage, as the games do: every surface is different, and
 * they are small. */
typedef struct gl_generated_vertex {
    lm_vec3 position, normal; /* in model space */
    lm_vec2 st;
    uint8_t rgba[4];
} gl_generated_vertex;

/* A surface in a pose, at a time, seen from an eye; axes and eye are in model space. */
typedef struct gl_generated {
    const lm_shader *shader;
    double seconds;
    lm_vec3 eye, right, up, toward;
    uint32_t num_vertices;
    gl_generated_vertex *vertices; /* the model's vertices; st and rgba are set per stage */
    const lm_vec2 *st;             /* the model's texture coordinates */
    bool sprites;                  /* each 4 vertices are a square */
} gl_generated;

/* Copies vertices to the renderer's stream buffer, and binds it with the surface's triangles. */
bool lmi_gl_upload_generated(lm_gl *gl, const gl_generated_vertex *vertices, uint32_t count,
                             const gl_surface *surface, lm_error *error);
/* Returns whether a shader rotates squares to face the eye. */
bool lmi_gl_faces_eye(const lm_shader *shader);
/* Applies the shader's deformations to the vertices. */
void lmi_gl_deform(gl_generated *generated);
/* Draws all stages in order. `textures`: the scene's; `texture`: the material's, for a shader
 * without stages. */
bool lmi_gl_draw_generated(const gl_generated *generated, lm_gl_model *model, uint32_t surface,
                           const lm_gl_texture *const *textures, uint32_t texture,
                           const lm_gl_view *view, const lm_transform *transform,
                           const lm_gl_style *style, lm_error *error);

/* ---- Fitting ------------------------------------------------------------------------------- */

/* The points that a camera is fitted to. */
typedef struct gl_fit {
    double axes[3][3];     /* right, up, toward the eye */
    double width, height;  /* half of the image's, at distance 1 */
    double axis[2];        /* x and y of the vertical axis, if `orbits` */
    bool orbits;           /* the camera orbits that axis */
    bool any;              /* there is at least one point */
    double extent[4];      /* of the view frustum to the right, left, up and down */
    double min[3], max[3]; /* of all points, from the axis */
} gl_fit;

/* Begins a fit. `axis`: the camera orbits a vertical axis through this point, and all points stay
 * in the image. NULL: the camera keeps its angles. */
void lmi_gl_fit_begin(gl_fit *fit, const lm_gl_camera *camera, const lm_vec3 *axis);
/* Adds a point. A point that is not finite is ignored. */
void lmi_gl_fit_point(gl_fit *fit, const lm_vec3 *point);
/* Sets the camera's target, distance and radius. Without any point, it aims at the origin. */
void lmi_gl_fit_end(const gl_fit *fit, lm_gl_camera *camera);
/* Returns the box of all points. */
lm_gl_box lmi_gl_fit_box(const gl_fit *fit);

/* ---- Scenes -------------------------------------------------------------------------------- */

/* An uploaded part of a scene. */
typedef struct gl_scene_part {
    lm_gl_model *model;
    const lm_gl_texture **textures; /* [num_surfaces], entries may be NULL */
} gl_scene_part;

/* A surface in drawing order. */
typedef struct gl_scene_surface {
    uint32_t part, surface;
    float sort;
    const lm_scene_material *material; /* NULL: the part has no skin */
} gl_scene_surface;

struct lm_gl_scene {
    lm_gl *gl;
    const lm_scene *scene;
    lm_gl_texture **textures; /* [scene->num_textures], entries may be NULL */
    gl_scene_part *parts;     /* [scene->num_parts] */
    /* The posed instance: each part, [scene->num_parts], and the time of shaders. */
    lm_gl_instance *at;
    lm_transform *transforms; /* of `at` */
    double seconds;
    gl_scene_surface *order; /* the drawing order of the surfaces, without hidden ones */
    size_t num_ordered;
    lm_vec3 *positions;             /* memory for the vertices of any surface */
    gl_generated_vertex *generated; /* the same */
};

/* Poses the scene for the functions below. */
bool lmi_gl_pose_scene(lm_gl_scene *f, const lm_gl_scene_instance *instance, lm_error *error);

/* Computes the deformed vertices of a surface whose part is drawn `at`, in f->generated. Returns
 * false if there is nothing to draw. */
bool lmi_gl_make_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                         const lm_gl_view *view, double seconds, gl_generated *out);

#define GL_TAG_LENGTH 4.0f /* length of a tag's axes, if nothing else defines a size */

/* Returns whether to draw the tags. A scene without surfaces always shows them. */
bool lmi_gl_shows_tags(const lm_gl_scene *f, unsigned show);
/* Extend a box by a sphere, and by a transformed box. */
void lmi_gl_join(lm_gl_box *box, lm_vec3 middle, float radius);
void lmi_gl_join_box(lm_gl_box *box, const lm_vec3 *min, const lm_vec3 *max,
                     const lm_transform *transform);
/* Extends a box by the bounds of the posed scene, and its tags if they are shown. */
void lmi_gl_join_scene(const lm_gl_scene *f, unsigned show, lm_gl_box *box);

/* Returns a corner of a box, 0 to 7. */
static inline lm_vec3 lmi_gl_corner_of(const lm_vec3 *min, const lm_vec3 *max, unsigned i) {
    return (lm_vec3){i & 1 ? max->x : min->x, i & 2 ? max->y : min->y, i & 4 ? max->z : min->z};
}

/* Returns the longest side of a box. */
static inline float lmi_gl_size_of(const lm_vec3 *min, const lm_vec3 *max) {
    return fmaxf(max->x - min->x, fmaxf(max->y - min->y, max->z - min->z));
}

/* What the box, the axes and the grid are drawn around. */
typedef struct gl_guides {
    lm_gl_box box;             /* around all parts, in the scene */
    lm_vec3 min, max;          /* the box to draw */
    const lm_transform *place; /* of that box: a single part's turns with it; NULL: in the scene */
    float length;              /* of the axes */
} gl_guides;
gl_guides lmi_gl_find_guides(const lm_gl_scene *f);

/* Called with the corners of a triangle, posed in the scene. */
typedef void (*gl_triangle_visitor)(void *user, const lm_vec3 *a, const lm_vec3 *b,
                                    const lm_vec3 *c);
/* Visits the triangles of a surface as they are drawn. `view` only needs axes, for shaders that
 * face the eye. */
void lmi_gl_visit_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_view *view,
                          const lm_gl_render_options *options, gl_triangle_visitor visit,
                          void *user);
/* Visits those of all surfaces. `solid`: skips transparent surfaces. */
void lmi_gl_visit_triangles(const lm_gl_scene *f, const lm_gl_view *view,
                            const lm_gl_render_options *options, bool solid,
                            gl_triangle_visitor visit, void *user);

/* Returns whether a shading shows the textures. */
static inline bool lmi_gl_shows_textures(lm_gl_shade shade) {
    return shade == LM_GL_SHADE_STUDIO || shade == LM_GL_SHADE_ENGINE ||
           shade == LM_GL_SHADE_TEXTURE;
}

/* Called with the corners of lines or triangles, as `mode` says. */
typedef struct gl_overlay_visitor {
    bool (*visit)(void *user, GLenum mode, const lm_gl_point *points, uint32_t num_points,
                  lm_error *error);
    void *user;
} gl_overlay_visitor;

/* Visits the overlays of the models: normals, GL commands. */
bool lmi_gl_visit_overlays(const lm_gl_scene *f, const lm_gl_view *view, unsigned show,
                           const gl_overlay_visitor *visitor, lm_error *error);
/* Draws them. */
bool lmi_gl_draw_overlays(const lm_gl_scene *f, const lm_gl_view *view, unsigned show,
                          lm_error *error);

/* Draws the marks of the options. */
bool lmi_gl_draw_marks(const lm_gl_scene *f, const lm_gl_view *view,
                       const lm_gl_render_options *options, lm_error *error);

/* Draws the shadow on the ground, before the models, which cover it. */
bool lmi_gl_draw_shadow(const lm_gl_scene *f, const lm_gl_view *view,
                        const lm_gl_render_options *options, lm_error *error);

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Returns a + share * b. */
static inline lm_vec3 gl_sum(lm_vec3 a, lm_vec3 b, float share) {
    return (lm_vec3){a.x + b.x * share, a.y + b.y * share, a.z + b.z * share};
}

static inline float gl_dot(lm_vec3 a, lm_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline lm_vec3 gl_cross(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float gl_length(lm_vec3 v) {
    return sqrtf(gl_dot(v, v));
}

/* Returns the vector with length 1; `otherwise` if its length is 0. */
static inline lm_vec3 gl_unit(lm_vec3 v, lm_vec3 otherwise) {
    float length = gl_length(v);
    return length > 0 ? (lm_vec3){v.x / length, v.y / length, v.z / length} : otherwise;
}

static inline void gl_put(float out[4], lm_vec3 v, float scale, float w) {
    out[0] = v.x * scale, out[1] = v.y * scale, out[2] = v.z * scale, out[3] = w;
}

/* Converts 0 .. 1 to a byte. */
static inline uint8_t lmi_gl_byte_of(float value) {
    return (uint8_t)(value > 0 ? value < 1 ? value * 255 + 0.5f : 255 : 0);
}

/* Converts an offset in the bound buffer to OpenGL's pointer argument. */
static inline const void *lmi_gl_offset(size_t offset) {
    return (const void *)(uintptr_t)offset; /* NOLINT(performance-no-int-to-ptr) */
}

/* ---- Errors -------------------------------------------------------------------------------- */

#define GL_SHOW_ALL (2u * LM_GL_SHOW_COMMANDS - 1)

/* Return whether the arguments are valid, and the instances' poses exist in the model. */
bool lmi_gl_sound_style(const lm_gl_style *style, lm_error *error);
/* `options` NULL: the defaults, which it then is. */
bool lmi_gl_sound_options(const lm_gl_scene *f, const lm_gl_render_options **options,
                          lm_error *error);
/* Fails if a reserved field of a struct is not 0. */
bool lmi_gl_sound_reserved(const uint64_t *reserved, unsigned count, lm_error *error);
/* Fails if an array is NULL, but has elements. */
bool lmi_gl_sound_array(const void *array, uint32_t count, const char *member, lm_error *error);
bool lmi_gl_sound_view(const lm_gl_view *view, lm_error *error);
bool lmi_gl_sound_instances(const lm_model *model, const lm_gl_instance *instances, uint32_t count,
                            lm_error *error);

/* Reports lack of memory; returns false. */
bool lmi_gl_no_memory(lm_error *error);
/* Fails if the context was lost. */
bool lmi_gl_alive(const lm_gl *gl, lm_error *error);
/* Like lmi_gl_alive, and discards the errors of the caller's own calls, which lmi_gl_created would
 * report as ours. */
bool lmi_gl_ready(const lm_gl *gl, lm_error *error);
/* Fails if the driver reports an error after creating `what`. */
bool lmi_gl_created(const lm_gl *gl, const char *what, lm_error *error);
/* Clears the driver's errors; returns the first. */
GLenum lmi_gl_take_errors(const lm_gl *gl);

#endif
