/* lerpmesh/base.h - used by all other headers: codes, errors, memory, output buffers, vectors.
 *
 *     #include <lerpmesh/base.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         lm_buffer out = {0};
 *         lm_buffer_printf(&out, "lerpmesh %s\n", lm_version());
 *         if (out.failed)
 *             return fprintf(stderr, "%s\n", lm_code_meaning(LM_CODE_OUT_OF_MEMORY)), 1;
 *         fwrite(out.data, 1, out.size, stdout);
 *         lm_buffer_free(&out);
 *         return 0;
 *     }
 *
 * The core library keeps no globals, opens no files and reads no environment variables. Any number
 * of threads may use it at the same time, as long as no two of them write to the same object. All
 * threads may read a `const` object. Initialise option structs with zeros: zero is the default of
 * every option.
 *
 * NULL: the parameters named options, memory, allocator, error, report and result may be NULL, for
 * the defaults or for an output that the caller does not want. Every lm_..._free function accepts
 * NULL and does nothing. Bytes of size 0, and arrays without elements, may be NULL. No other
 * pointer may be NULL unless its comment allows it. Functions that can fail, which take an lm_error
 * or return an lm_code, reject such a NULL with LM_CODE_BAD_ARGUMENT. Other functions do not check
 * their pointers.
 *
 * Structs may grow: a new minor version may add members, in which 0 or NULL means the earlier
 * behaviour. Therefore initialise every struct that you fill with `= {0}` (`= {}` in C++), set its
 * members by name, and recompile for a new minor version. An old program never runs with larger
 * structs: until 1.0, the name of the shared library contains the minor version, and no struct
 * changes within one. Option structs end with `reserved`. New options take their space from it, so
 * that the size of the struct stays the same: docs/internals/abi.md.
 */
#ifndef LERPMESH_BASE_H
#define LERPMESH_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbol visibility. On Windows, define LM_SHARED to use the DLLs instead of the static libraries;
 * CMake's targets define it for you. */
#if defined(_WIN32)
#define LM_PRINTF(text, first)
#if defined(LM_SHARED)
#define LM_EXPORT __declspec(dllexport)
#define LM_IMPORT __declspec(dllimport)
#else
#define LM_EXPORT
#define LM_IMPORT
#endif
#elif defined(__GNUC__)
#define LM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define LM_EXPORT __attribute__((visibility("default")))
#define LM_IMPORT LM_EXPORT
#else
#define LM_PRINTF(text, first) /* lets compilers check a format's arguments */
#define LM_EXPORT              /* marks symbols that this library exports */
#define LM_IMPORT              /* marks symbols of another library */
#endif

/* Symbol visibility of each library. LM_BUILDS_... is defined while that library itself is
 * compiled. LM_CORE_INSIDE is defined for a shared library that contains its own copy of the
 * core. */
#ifdef LM_CORE_INSIDE
#define LM_API
#else
#ifdef LM_BUILDS_CORE
#define LM_API LM_EXPORT
#else
#define LM_API LM_IMPORT
#endif
#endif
#ifdef LM_BUILDS_WRITE
#define LM_WRITE_API LM_EXPORT
#else
#define LM_WRITE_API LM_IMPORT /* marks functions of lerpmesh-write */
#endif
#ifdef LM_BUILDS_ASSETS
#define LM_ASSETS_API LM_EXPORT
#else
#define LM_ASSETS_API LM_IMPORT /* marks functions of lerpmesh-assets */
#endif
#ifdef LM_BUILDS_IMPORT
#define LM_IMPORT_API LM_EXPORT
#else
#define LM_IMPORT_API LM_IMPORT /* marks functions of lerpmesh-import */
#endif
#ifdef LM_BUILDS_CONVERT
#define LM_CONVERT_API LM_EXPORT
#else
#define LM_CONVERT_API LM_IMPORT /* marks functions of lerpmesh-convert */
#endif
#ifdef LM_BUILDS_GL
#define LM_GL_API LM_EXPORT
#else
#define LM_GL_API LM_IMPORT /* marks functions of lerpmesh-gl */
#endif

/* The version of the headers. */
#define LM_VERSION_MAJOR 0 /* grows with changes that break programs, from 1.0 on */
#define LM_VERSION_MINOR 1 /* grows with new functions; until 1.0 also with such changes */
#define LM_VERSION_PATCH 0 /* grows with corrections */

/* The version as one number that grows with each release: 10203 for 1.2.3. */
#define LM_VERSION_NUMBER (LM_VERSION_MAJOR * 10000 + LM_VERSION_MINOR * 100 + LM_VERSION_PATCH)

/* Returns the version of the library that is linked or loaded: "0.1.0". The macros hold the version
 * of the headers. */
LM_API const char *lm_version(void);

/* Returns the size of a public struct of the core library in bytes, by its name: "lm_model".
 * Returns 0 for NULL and for any other name, also for structs of the other libraries, such as
 * lm_mesh. A binding of another language compares its own structs with these sizes when it loads.
 */
LM_API size_t lm_struct_size(const char *name);

/* ---- Codes --------------------------------------------------------------------------------- */

/* The severity of a diagnostic. */
typedef enum lm_severity {
    LM_SEVERITY_NOTE,    /* information; nothing is wrong */
    LM_SEVERITY_WARNING, /* legal or repaired, but some programs have trouble with it */
    LM_SEVERITY_ERROR    /* a reader must reject the file */
} lm_severity;

/* Every enum has 32 bits, as in the compiled library. One check is enough, because compilers
 * shorten all enums or none. */
#ifdef __cplusplus
static_assert(sizeof(lm_severity) == 4, "lerpmesh: compile without -fshort-enums");
#else
_Static_assert(sizeof(lm_severity) == 4, "lerpmesh: compile without -fshort-enums");
#endif

/* Lists every code with its stable name, usual severity and meaning. The enum, lm_code_name() and
 * docs/reference/diagnostics.md are generated from this list. Names do not change after a release.
 */
#define LM_CODE_LIST(X)                                                                            \
    X(OK, "ok", NOTE, "there is no error")                                                         \
    X(BAD_ARGUMENT, "bad-argument", ERROR, "an argument is invalid")                               \
    X(OUT_OF_MEMORY, "out-of-memory", ERROR, "an allocation failed")                               \
    X(LIMIT, "limit", ERROR, "the call needs more memory or allocations than the options allow")   \
    X(IO, "io", ERROR, "a file could not be opened, read or written")                              \
    X(GRAPHICS, "graphics", ERROR, "the graphics driver is missing, too old, or reports an error") \
    X(UNKNOWN_FORMAT, "unknown-format", ERROR, "the first bytes match no supported format")        \
    X(BAD_VERSION, "bad-version", ERROR, "the format is supported, but not this version")          \
    X(TRUNCATED, "truncated", ERROR, "the file ends inside its header")                            \
    X(BAD_COUNT, "bad-count", ERROR, "a count is negative, too large, or 0")                       \
    X(BAD_OFFSET, "bad-offset", ERROR, "a lump lies outside the file")                             \
    X(BAD_FRAMESIZE, "bad-framesize", ERROR, "a frame is too small for its vertices")              \
    X(BAD_SKIN_SIZE, "bad-skin-size", ERROR, "the skin's width or height is not greater than 0")   \
    X(VERTEX_INDEX, "vertex-index", ERROR, "a triangle uses a vertex that does not exist")         \
    X(ST_INDEX, "st-index", ERROR, "a triangle uses a texture coordinate that does not exist")     \
    X(NORMAL_INDEX, "normal-index", WARNING, "a normal index is beyond the table of 162 normals")  \
    X(BAD_TYPE, "bad-type", WARNING, "the type of a skin or frame is neither single nor group")    \
    X(BAD_TIMES, "bad-times", ERROR, "a time of a group is not a finite number greater than 0")    \
    X(FRAME_INDEX, "frame-index", ERROR, "a frame table refers to a frame that does not exist")    \
    X(BONE_INDEX, "bone-index", ERROR,                                                             \
      "a reference to a bone that does not exist, or comes later")                                 \
    X(BAD_WEIGHT, "bad-weight", ERROR,                                                             \
      "a vertex has no weights or too many, or a weight is not between 0 and 1")                   \
    X(GL_COMMANDS, "gl-commands", WARNING,                                                         \
      "the GL commands are cut off or use vertices that do not exist")                             \
    X(GL_COMMAND_ORDER, "gl-command-order", WARNING,                                               \
      "the GL commands have each vertex before its texture coordinates")                           \
    X(NOT_FINITE, "not-finite", ERROR, "a number is infinite or NaN, or overflows")                \
    X(ENGINE_LIMIT, "engine-limit", WARNING, "a count exceeds the limit of an engine")             \
    X(DENORMAL, "denormal", WARNING,                                                               \
      "a scale is so small that it slows arithmetic; 0 is used instead")                           \
    X(BAD_BOUNDS, "bad-bounds", WARNING, "a frame's bounding box is not finite or inside out")     \
    X(BAD_ST, "bad-st", WARNING, "a texture coordinate is not a number below 2^31; 0 is used")     \
    X(TRAILING_BYTES, "trailing-bytes", WARNING, "bytes follow the end that the header gives")     \
    X(WRONG_END, "wrong-end", WARNING, "the end that the header gives is not the end of the data") \
    X(OVERLAP, "overlap", WARNING, "two lumps share bytes")                                        \
    X(NO_SKINS, "no-skins", WARNING, "no skins are listed; a game searches the model's folder")    \
    X(SKIN_PATH, "skin-path", WARNING,                                                             \
      "a skin path has backslashes, capital letters, or no folder")                                \
    X(NOT_HELD, "not-held", WARNING, "the format cannot store a property of the animation")        \
    X(NAME_SHORTENED, "name-shortened", WARNING,                                                   \
      "a name is too long for the format and was shortened")                                       \
    X(NAME_JUNK, "name-junk", WARNING, "bytes other than 0 follow the end of a name")              \
    X(NAME_UNTERMINATED, "name-unterminated", WARNING, "a name fills its field without a NUL")     \
    X(FRAME_NAME_DIGITS, "frame-name-digits", NOTE,                                                \
      "names such as pain101: the first digit may be the clip's number")                           \
    X(FRAME_NAME_NO_NUMBER, "frame-name-no-number", WARNING, "a frame name has no number")         \
    X(FRAME_NAME_TWICE, "frame-name-twice", WARNING, "two frames have the same name")              \
    X(GROUP_TIMES, "group-times", WARNING, "the times of a group do not increase")                 \
    X(SEAMS, "seams", NOTE, "vertices have several texture coordinates")                           \
    X(ST_OUTSIDE, "st-outside", WARNING,                                                           \
      "texture coordinates lie on or beyond the edge of the skin")                                 \
    X(DEGENERATE_TRIANGLES, "degenerate-triangles", WARNING, "triangles use a vertex twice")       \
    X(UNUSED_VERTICES, "unused-vertices", WARNING, "vertices are used by no triangle")             \
    X(GL_COMMANDS_DIFFER, "gl-commands-differ", WARNING,                                           \
      "the GL commands draw other triangles than the triangle list")                               \
    X(NO_GL_COMMANDS, "no-gl-commands", WARNING,                                                   \
      "there are no GL commands, so Quake II draws nothing")                                       \
    X(IDENTICAL_NORMALS, "identical-normals", WARNING, "all normals of a frame are the same")      \
    X(NORMALS_INWARD, "normals-inward", WARNING, "most triangles face away from their normals")    \
    X(INVERTED, "inverted", WARNING, "the triangles of a closed mesh face inward")                 \
    X(OUTSIDE_BOUNDS, "outside-bounds", WARNING, "vertices lie outside their frame's bounds")      \
    X(EMPTY_SURFACE, "empty-surface", WARNING, "a surface has no triangles")                       \
    X(HEADER_NAME, "header-name", NOTE, "the name in the header has another format's extension")   \
    X(SURFACE_IDENT, "surface-ident", WARNING, "the identifier of a surface is not the usual one") \
    X(WEIGHT_SUM, "weight-sum", WARNING, "the weights of a vertex do not add up to 1")             \
    X(COLLAPSE_CIRCLE, "collapse-circle", WARNING,                                                 \
      "the replacements of a vertex in a collapse map lead back to it")                            \
    X(SURFACE_FRAMES, "surface-frames", WARNING,                                                   \
      "a surface's frame count differs from the file's")                                           \
    X(TAG_NAME, "tag-name", WARNING, "a tag has another name in a later frame")                    \
    X(TAG_SCALE, "tag-scale", WARNING, "a tag's axes are not of length 1; engines normalise them") \
    X(CLIP_LINE, "clip-line", WARNING, "a line of a clips file is not a clip")                     \
    X(CLIP_FRAMES, "clip-frames", WARNING, "a clip is empty or extends beyond the model's frames") \
    X(CLIP_RATE, "clip-rate", WARNING, "a clip's rate is invalid; 10 fps is used")                 \
    X(CLIP_PART, "clip-part", NOTE, "a clip belongs to the other part of a player: legs or torso") \
    X(BAD_IMAGE, "bad-image", ERROR, "an image's header is inconsistent, or its data are cut off") \
    X(NOT_BUILT_IN, "not-built-in", ERROR, "this build of the library lacks a required feature")   \
    X(NO_PALETTE, "no-palette", WARNING, "an indexed image has no palette of its own")             \
    X(SKIN_LINE, "skin-line", WARNING, "a line of a skin file is not SURFACE,PATH")                \
    X(SHADER_WORD, "shader-word", WARNING, "a word in a shader script is unknown")                 \
    X(SHADER_IMAGE, "shader-image", WARNING, "an image named in a shader script was not found")    \
    X(UNSAFE_PATH, "unsafe-path", WARNING, "a path leads outside the searched folders")            \
    X(BAD_ARCHIVE, "bad-archive", ERROR, "the directory of a PAK or PK3 is inconsistent")          \
    X(BAD_MEMBER, "bad-member", ERROR, "a file in an archive is damaged or encrypted")             \
    X(BAD_GLTF, "bad-gltf", ERROR, "a glTF file violates the specification")                       \
    X(INPUT_LIMIT, "input-limit", ERROR, "a file is larger than the options allow")                \
    X(BAD_OPTION, "bad-option", ERROR, "the value of an option cannot be used, or has no effect")  \
    X(NO_SUCH_SURFACE, "no-such-surface", ERROR, "a skin is for a surface that no model has")      \
    X(NO_SUCH_TAG, "no-such-tag", ERROR,                                                           \
      "no model has the tag to which another model is attached")                                   \
    X(ROUNDING, "rounding", ERROR,                                                                 \
      "an edit would round a position; lm_edit_transform.round allows this")                       \
    X(FIXED_RATE, "fixed-rate", WARNING,                                                           \
      "clips have another rate than the one at which a game plays them")                           \
    X(STOPPED, "stopped", ERROR, "the caller stopped the call")                                    \
    X(EQUAL_FRAMES, "equal-frames", NOTE, "all frames are equal: nothing in the model moves")      \
    X(FULLBRIGHT, "fullbright", NOTE, "pixels of a skin have colours that Quake does not shade")   \
    X(ENGINE_FILE, "engine-file", ERROR,                                                           \
      "an engine does not find a file that it needs, or cannot read it")

/* The codes of errors and diagnostics, from LM_CODE_LIST: LM_CODE_BAD_OFFSET and so on. */
typedef enum lm_code {
#define LM_CODE_ENUM(name, text, severity, meaning) LM_CODE_##name, /* LM_CODE_ and the name */
    LM_CODE_LIST(LM_CODE_ENUM)
#undef LM_CODE_ENUM
    LM_NUM_CODES /* not a code: their number */
} lm_code;

/* Returns the stable name of a code ("bad-offset"); "unknown" for a number that is not a code. */
LM_API const char *lm_code_name(lm_code code);
/* Returns a phrase that explains a code. */
LM_API const char *lm_code_meaning(lm_code code);
/* Returns the usual severity of a code. */
LM_API lm_severity lm_code_severity(lm_code code);
LM_API const char *lm_severity_name(lm_severity severity); /* "note", "warning", "error" */

#define LM_MESSAGE_SIZE 1024 /* bytes of an error's message, with its NUL */

/* An error: a code for programs, an offset for hex editors and a message for people. Functions that
 * fail fill it; functions that succeed leave it unchanged. */
typedef struct lm_error {
    size_t offset;    /* byte in the input; 0 if the error has no location */
    lm_code code;     /* never LM_CODE_OK after a failure */
    char section[48]; /* "header", "triangles", "surface 2 shaders", ...; may be empty */
    /* With a section, as in lm_location. Errors of a mesh give its surface and the vertex, triangle
     * or texture coordinate, as in "surface 2 vertices". */
    uint32_t surface, index;
    /* One sentence: "md2: triangle 17 uses vertex 900, but the model has 342 (byte 0x1a2c)". Never
     * empty after a failure. If a path is too long for the message, its middle is left out. */
    char message[LM_MESSAGE_SIZE];
} lm_error;

/* Fills `error`, if it is not NULL, with a code and a formatted sentence, but no byte offset.
 * Shortens a sentence that is too long. Your own callbacks may use it too. Returns false. */
LM_API bool lm_fail_plain(lm_error *error, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);

/* A location in a file. */
typedef struct lm_location {
    const char *section; /* "header", "triangles", "surface 2 triangles", ...; may be NULL */
    size_t offset;       /* byte in the file */
    uint32_t surface;    /* 0 if the section belongs to no surface */
    uint32_t index;      /* the triangle, frame, vertex, ... of the section */
} lm_location;

/* A diagnostic: an error, a warning or a note about a file, a model or a conversion. */
typedef struct lm_diagnostic {
    const char *text;     /* one sentence; never NULL */
    const char *subject;  /* the file, part or clip that is concerned; may be NULL */
    lm_location location; /* its section is NULL if there is none */
    lm_code code;         /* LM_CODE_OK if no code fits */
    lm_severity severity; /* usually lm_code_severity(code) */
    uint32_t count; /* number of cases, at least 1; `text` and `location` describe the first */
} lm_diagnostic;

/* ---- Memory -------------------------------------------------------------------------------- */

/* An allocator. Set all functions or none; if none is set, malloc, realloc and free are used. A
 * call rejects an lm_memory or an lm_buffer that lacks some of them (LM_CODE_BAD_ARGUMENT); the
 * functions lm_buffer_... set `failed`. alloc and realloc
 * return NULL on failure. The `size` passed to free is the size that was requested. */
typedef struct lm_allocator {
    void *(*alloc)(void *user, size_t size);                                       /* as malloc */
    void *(*realloc)(void *user, void *pointer, size_t old_size, size_t new_size); /* as realloc */
    void (*free)(void *user, void *pointer, size_t size);                          /* as free */
    void *user; /* passed to all three */
} lm_allocator;

#define LM_MEMORY_MULTIPLE 16      /* bytes per byte of input: see lm_memory */
#define LM_MEMORY_EXTRA (1u << 20) /* bytes for any input */

/* An allocator with limits. Loading needs at most LM_MEMORY_MULTIPLE times the size of the input
 * plus LM_MEMORY_EXTRA bytes. If a file would need more, loading fails with LM_CODE_LIMIT. No real
 * model comes near this limit, and no malicious file can exceed it. */
typedef struct lm_memory {
    lm_allocator allocator; /* all NULL: malloc */
    size_t max_bytes;       /* in use at one time, including temporary memory; 0: the limit above */
    size_t max_allocations; /* per call; 0: no limit */
} lm_memory;

/* ---- Output buffers ------------------------------------------------------------------------ */

/* A growing buffer to which writers and exporters append. Start from {0}, or set `allocator` and
 * `max_size` first. Release it with lm_buffer_free. If an append fails (out of memory, or more than
 * max_size), it sets `failed` and keeps the contents. Later appends do nothing, so one check at the
 * end is enough.
 *
 * Functions that write a whole file (lm_gltf_write, lm_encode, ...) append it to the contents.
 * If such a function fails, it leaves the buffer unchanged, including `size` and `failed`, and
 * reports the reason, for example LM_CODE_LIMIT if the file would exceed max_size, or
 * LM_CODE_OUT_OF_MEMORY. */
typedef struct lm_buffer {
    uint8_t *data;          /* [capacity] bytes, of which the first `size` are the contents */
    size_t size;            /* bytes */
    size_t capacity;        /* bytes */
    size_t max_size;        /* 0: no limit */
    bool failed;            /* an append failed */
    bool full;              /* the append failed because of max_size */
    lm_allocator allocator; /* all NULL: malloc */
} lm_buffer;

/* Appends `size` bytes. */
LM_API void lm_buffer_append(lm_buffer *buffer, const void *bytes, size_t size);
/* Appends `size` zero bytes. Returns their start, or NULL on failure. The pointer is valid until
 * the next append. */
LM_API uint8_t *lm_buffer_reserve(lm_buffer *buffer, size_t size);
/* Appends a text without its NUL. */
LM_API void lm_buffer_text(lm_buffer *buffer, const char *text);
/* Appends formatted text, as printf does. */
LM_API void lm_buffer_printf(lm_buffer *buffer, const char *format, ...) LM_PRINTF(2, 3);
/* Frees the contents. `failed`, `full`, `max_size` and `allocator` stay. */
LM_API void lm_buffer_free(lm_buffer *buffer);

/* ---- Vectors ------------------------------------------------------------------------------- */

/* A point in an image: s and t of a texture coordinate, from the top left. */
typedef struct lm_vec2 {
    float x; /* to the right */
    float y; /* down */
} lm_vec2;

/* A position or a direction in a model, in units; or a colour. */
typedef struct lm_vec3 {
    float x; /* forward; red */
    float y; /* left; green */
    float z; /* up; blue */
} lm_vec3;

/* A transform, such as that of a tag in its model or of a part in its scene. It maps the point p to
 * origin + p.x * axis[0] + p.y * axis[1] + p.z * axis[2]. The axes are forward, left and up. They
 * need not be orthogonal, of length 1, or right-handed. Functions that read a transform take NULL
 * as the identity. */
typedef struct lm_transform {
    lm_vec3 origin;  /* image of the point (0, 0, 0) */
    lm_vec3 axis[3]; /* images of the directions x, y and z */
} lm_transform;

/* The initialiser of the identity: lm_transform transform = LM_TRANSFORM_IDENTITY; */
#define LM_TRANSFORM_IDENTITY               \
    {                                       \
        {0, 0, 0}, {                        \
            {1, 0, 0}, {0, 1, 0}, {0, 0, 1} \
        }                                   \
    }

/* Transforms the positions and the normals of `count` vertices in place. Each is three floats
 * (float[3], lm_vec3). Either may be NULL. `stride` is the number of bytes from one to the next, as
 * in an lm_sample_target; 0: they are packed (12 bytes). Normals have length 1. They are multiplied
 * by the inverse transpose and normalised, so that they stay perpendicular to their surface if axes
 * are scaled or not orthogonal. */
LM_API void lm_transform_vertices(const lm_transform *transform, void *positions, void *normals,
                                  size_t count, size_t stride);

/* Composes two transforms: *out = parent * child, which applies `child` first. `out` may be either
 * of them. */
LM_API void lm_transform_nest(const lm_transform *parent, const lm_transform *child,
                              lm_transform *out);

/* ---- Normal tables ------------------------------------------------------------------------- */

/* The normal tables of the formats.
 *
 * Sources: the 162 normals are Quake's (md2: "anorms"), with six decimals as in its engines. The
 * 256 are generated from the table of rho ranges in W. Prinz, "The MDC File Format", section 5.
 * They match the engine's to within 7e-7.
 */

#define LM_NUM_NORMALS_162 162 /* entries of the table of MD2, MDL and Quake */
#define LM_NUM_NORMALS_256 256 /* entries of the table of MDC's compressed frames */

/* Returns the table with `count` entries: LM_NUM_NORMALS_162 or LM_NUM_NORMALS_256. Returns NULL
 * for other counts. */
LM_API const lm_vec3 *lm_normal_table(uint32_t count);

/* Decodes a normal of MD3 or a base normal of MDC. `rho` turns from +z towards +x, `sigma` from +x
 * towards +y, in steps of 360/256 degrees: (cos s * sin r, sin s * sin r, cos r). */
LM_API void lm_normal_from_angles(uint8_t rho, uint8_t sigma, lm_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
