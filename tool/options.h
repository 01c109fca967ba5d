/* The command line. TOOL_OPTION_LIST defines each option once, and each command lists those it
 * takes. The parser, --help, completions and the manual use the same tables. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include "edit_options.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"
#include "lerpmesh/encode.h"
#include "render_options.h"
#include "terminal.h"
#include "text.h"

#define TOOL_ENGINE_TEXT(name, text) " " text

/* Name, letter (0: none), long name, name of its value (NULL: none), help. A GROUP has only the
 * title of the options that follow it in --help-all. */
#define TOOL_OPTION_LIST(X)                                                                        \
    X(GROUP_OUTPUT, 0, NULL, NULL, "Output")                                                       \
    X(OUTPUT, 'o', "output", "OUT", "output file or folder; - is standard output")                 \
    X(FORMAT, 0, "format", "NAME", "format if OUT does not decide: glb gltf obj md2 mdc md3 mdl")  \
    X(IMAGE_FORMAT, 0, "format", "NAME", "format if OUT does not decide: png, webp or raw")        \
    X(UV_FORMAT, 0, "format", "NAME", "format if OUT does not decide: svg or png")                 \
    X(PACK_FORMAT, 0, "format", "NAME", "format if OUT does not decide: pak or pk3")               \
    X(VAT, 0, "vat", "NAME", "a static .glb with animation textures: png or exr")                  \
    X(VNRM, 0, "vnrm", NULL, "with --vat: normals in a texture of their own, OUT_vnrm")            \
    X(EXACT, 0, "exact", NULL, "draw in the skin's size, without margin and legend")               \
    X(IMAGES, 0, "images", NULL, "images of models as PNG, instead of files")                      \
    X(FORCE, 'f', "force", NULL, "replace existing files in the folder OUT")                       \
    X(SKIP_EXISTING, 0, "skip-existing", NULL, "skip inputs whose output exists")                  \
    X(IN_PLACE, 0, "in-place", NULL, "write each file over itself")                                \
    X(BACKUP, 0, "backup", NULL, "with --in-place: keep the old file as FILE.bak")                 \
    X(DRY_RUN, 'n', "dry-run", NULL, "write nothing; only report the changes")                     \
    X(SYNC, 0, "sync", NULL, "wait until outputs are on disk, in case the power fails")            \
    X(MAX_OUTPUT, 0, "max-output", "SIZE", "reject larger outputs (2G; K, M, G)")                  \
    TOOL_EDIT_OPTION_LIST(X)                                                                       \
    X(GROUP_FRAMES, 0, NULL, NULL, "Frames and clips")                                             \
    X(FRAMES, 0, "frames", "A-B", "only frames A to B, inclusive, counted from 0")                 \
    X(FRAME, 0, "frame", "F", "one pose, not animated; 3.5 is halfway between 3 and 4")            \
    X(CLIPS, 0, "clips", "FILE", "clip file (.cfg, .framegroups, .anm), or quake2 or none")        \
    X(CLIP, 0, "clip", "NAMES", "only these: run,jump, or all; LEGS_RUN+TORSO_ATTACK is one")      \
    X(PLAY_CLIP, 0, "clip", "NAME",                                                                \
      "play this clip, or LEGS_RUN+TORSO_ATTACK; in a .png at --time")                             \
    X(TIME, 0, "time", "T", "seconds from the start of the clip")                                  \
    X(RATE, 0, "rate", "N", "images per second, blended between frames (one per frame)")           \
    X(FPS, 0, "fps", "N", "frames per second of every clip")                                       \
    TOOL_RENDER_OPTION_LIST(X)                                                                     \
    X(GROUP_PARTS, 0, NULL, NULL, "Attached models")                                               \
    X(ATTACH, 0, "attach", "TAG=MODEL",                                                            \
      "attach a model to a tag; MODEL@CLIP sets its default clip")                                 \
    X(WITH, 0, "with", "MODEL", "add a model with the same frames, such as weapon.md2")            \
    X(GROUP_TEXTURES, 0, NULL, NULL, "Textures and materials")                                     \
    X(GAME, 0, "game", "DIR", "also search this folder or archive for textures; repeatable")       \
    X(SKIN, 0, "skin", "FILE", "an image, SURFACE=IMAGE, or NAME.skin; repeatable")                \
    X(SURFACE, 0, "surface", "NAME", "draw over the texture of this surface")                      \
    X(PALETTE, 0, "palette", "FILE", "palette of PCX images (MD2: to write): .lmp, .gpl or .pcx")  \
    X(TRANSPARENT_255, 0, "transparent-255", NULL, "index 255 of a PCX is transparent")            \
    X(ALPHA, 0, "alpha", "MODE", "meaning of textures' alpha: auto, opaque, mask or blend")        \
    X(UNLIT, 0, "unlit", NULL, "unlit materials: KHR_materials_unlit")                             \
    X(GROUP_GEOMETRY, 0, NULL, NULL, "Geometry")                                                   \
    X(SCALE, 0, "scale", "S", "size of a unit (glTF: 0.0254, an inch in metres; others: 1)")       \
    X(AXES, 0, "axes", "NAME", "axes: gltf (y up, z forward) or model (z up, x forward)")          \
    X(TOPOLOGY, 0, "topology", "NAME", "triangles, or glcommands: MD2's strips and fans")          \
    X(NORMALS, 0, "normals", "MODE",                                                               \
      "normals: stored, computed, or auto (if stored are unusable)")                               \
    X(FOR, 0, "for", "PROGRAM", "glTF for blender, godot, three, unreal or assimp")                \
    X(QUANTIZE, 0, "quantize", NULL, "smaller glTF: KHR_mesh_quantization, sparse targets")        \
    X(COMPRESS, 0, "compress", "meshopt", "much smaller glTF: EXT_meshopt_compression")            \
    X(SKELETON, 0, "skeleton", "[N]", "glTF: joints instead of morph targets, at most N (40)")     \
    X(CORRECTIVES, 0, "correctives", "K", "with --skeleton: at most K morph targets correct it")   \
    X(GROUP_MODELS, 0, NULL, NULL, "Models to write")                                              \
    X(PLAYER, 0, "player", NULL, "Quake III: a player (DIR/, NAME.pk3), or .skin for a model")     \
    X(SKIN_PATH, 0, "skin-path", "DIR", "the game's folder for the images written with a model")   \
    X(DECIMATE, 0, "decimate", "N", "models: reduce to at most N triangles; 50%: to half of them") \
    X(LODS, 0, "lods", "N", "models: also X_1 and X_2 with 1/2 and 1/4 of the triangles")          \
    X(MAX_ERROR, 0, "max-error", "E", "largest allowed error of a vertex, in units")               \
    X(STRIPS, 0, "strips", "MODE", "MD2: effort spent on GL commands: best, fast or none")         \
    X(REORDER, 0, "reorder", NULL, "reorder triangles even where that may be visible")             \
    X(STABILITY, 0, "stability", "N",                                                              \
      "MD2: stability against accuracy; higher is more stable (64)")                               \
    X(SMOOTH, 0, "smooth", NULL, "MD2: round slow movements so that they do not jerk")             \
    X(SHARED_GRID, 0, "shared-grid", "FILE",                                                       \
      "MD2: share the quantisation grid with a model; repeatable")                                 \
    X(HD, 0, "hd", NULL, "MD2: a second byte per coordinate; other readers skip it")               \
    X(SMALLEST, 0, "smallest", NULL, "MDC: smaller files; cracks may open between surfaces")       \
    X(GROUP_IMPORTS, 0, NULL, NULL, "Imported files")                                              \
    X(TAG, 0, "tag", "NAME=NODE", "imports: make this node a tag; repeatable")                     \
    X(LOOP, 0, "loop", "NAME", "this clip of an imported file loops; repeatable")                  \
    X(ONCE, 0, "once", "NAME", "this clip of an imported file plays once; repeatable")             \
    X(IMPORT_TIME, 0, "import-time", "SECONDS", "imports: processor time of Assimp per file (60)") \
    X(IMPORT_MEMORY, 0, "import-memory", "SIZE", "imports: memory per file (Assimp: 2G; K, M, G)") \
    X(GROUP_LIMITS, 0, NULL, NULL, "Damage and limits")                                            \
    X(ENGINE, 0, "engine", "NAME", "limits:" LM_ENGINE_LIST(TOOL_ENGINE_TEXT))                     \
    X(REPAIR, 0, "repair", NULL, "drop or clamp damaged data, and report the number")              \
    X(STRICT, 0, "strict", NULL, "reject files with any damage, even if no engine notices it")     \
    X(QUIRK, 0, "quirk", "NAME", "decode MDC as its description of 2004 says: mdc-prinz")          \
    X(MAX_INPUT, 0, "max-input", "SIZE", "reject larger inputs (in archives: 256M; K, M, G)")      \
    X(GROUP_REPORTS, 0, NULL, NULL, "Reports")                                                     \
    X(TOLERANCE, 0, "tolerance", "E", "fail if the error exceeds E units")                         \
    X(IMAGE, 0, "image", "OUT", "draw the differences as a heat map (.png)")                       \
    X(LUMP, 0, "lump", "NAME", "print the contents of this lump as a table")                       \
    X(LONG, 'l', "long", NULL, "also sizes and problems")                                          \
    X(JSON, 0, "json", NULL, "one JSON object per file, each on its own line")                     \
    X(SUMMARY, 0, "summary", NULL, "with --json: add a last line with the totals")                 \
    X(QUIET, 'q', "quiet", NULL, "print only errors on standard error")                            \
    X(VERBOSE, 'v', "verbose", NULL, "print more: a line per file, warnings, the paths tried")     \
    X(GROUP_GENERAL, 0, NULL, NULL, "General")                                                     \
    X(JOBS, 'j', "jobs", "N", "files at a time (one per processor, at most 16)")                   \
    X(HELP, 'h', "help", NULL, "show the most important options")                                  \
    X(HELP_ALL, 0, "help-all", NULL, "show all options")

typedef enum tool_option {
    TOOL_NO_OPTION,
#define TOOL_OPTION_ENUM(name, letter, text, value, help) TOOL_##name,
    TOOL_OPTION_LIST(TOOL_OPTION_ENUM)
#undef TOOL_OPTION_ENUM
    TOOL_NUM_OPTIONS
} tool_option;

/* The description of an option. */
typedef struct tool_option_info {
    char letter;      /* 0: none */
    const char *name; /* NULL: a group, whose title is in `help` */
    /* The value's name; NULL: takes none. "[N]" and "[CODES]" may be missing. */
    const char *value;
    const char *help;
} tool_option_info;

const tool_option_info *tool_option_about(tool_option option);

typedef struct tool_args tool_args;

/* The kinds of input that a command expands. */
typedef enum tool_expand {
    TOOL_EXPAND_NONE,    /* none: inputs are not expanded */
    TOOL_EXPAND_MEMBERS, /* members of archives, by name or pattern */
    TOOL_EXPAND_FOLDERS, /* also all models in a folder or an archive */
    TOOL_EXPAND_PLAYERS, /* the same, but a single folder may be opened as a player */
    TOOL_EXPAND_IMPORTS, /* the same, and if there are no models, all glTF files */
    TOOL_EXPAND_FILES    /* files of any kind in archives; with --images like FOLDERS */
} tool_expand;

#define TOOL_MAX_HELP_OPTIONS 12

typedef struct tool_command {
    const char *name;
    const char *usage;   /* the text after the name */
    const char *summary; /* one line */
    const char *about;   /* paragraphs, wrapped by hand */
    /* Terminated by TOOL_NO_OPTION. --help shows the first TOOL_MAX_HELP_OPTIONS of them. */
    tool_option options[62];
    tool_expand expand;
    const char *examples; /* lines, indented */
    int (*run)(const tool_args *args);
} tool_command;

typedef struct tool_given {
    tool_option option;
    const char *value;
} tool_given;

typedef struct tool_input {
    const char *path;
    const char *tree; /* the part of its path that its output keeps below a folder. NULL: it was
                         named itself, and keeps the last part of its path */
    const lm_error *problem; /* why it cannot be read; NULL: no problem */
    bool skipped;            /* the problem is only a warning */
} tool_input;

struct tool_args {
    const tool_command *command;
    size_t num_given;
    tool_given *given; /* options in the order given */
    size_t num_inputs;
    tool_input *inputs;
    lm_vfs *vfs;
    tool_memory *memory; /* for the whole command */
};

/* Parses the arguments after the command's name into `args`, whose command, vfs and memory are set.
 * Reports mistakes, with the most similar word, and returns false. */
bool tool_args_parse(int argc, char **argv, tool_args *args);

/* Returns whether the command takes an option. */
bool tool_accepts(const tool_args *args, tool_option option);
bool tool_has(const tool_args *args, tool_option option);
/* Returns the last value given; NULL: none. */
const char *tool_value(const tool_args *args, tool_option option);
/* Returns the next value of an option that may be repeated, from index `at` on, which starts at 0.
 * NULL after the last. */
const char *tool_next_value(const tool_args *args, tool_option option, size_t *at);
/* Returns all values. NULL if there is no memory. */
const char **tool_values(const tool_args *args, tool_option option, uint32_t *count);

/* Reports a wrong command line on standard error: "lerpmesh COMMAND: SENTENCE", and a pointer to
 * the help. Returns false. */
bool tool_usage(const tool_args *args, const char *sentence, ...) LM_PRINTF(2, 3);

/* Returns the code of a diagnostic with this name; LM_CODE_OK: there is none. */
lm_code tool_code_of(const char *name, size_t length);
/* Returns the rest of a list of codes, "CODE,CODE", from the first word that is none; NULL: all are
 * codes. */
const char *tool_wrong_code(const char *codes);

/* Reads a number within bounds; keeps `value` if the option is not given. */
bool tool_number(const tool_args *args, tool_option option, double min, double max, double *value);

/* Reads --engine; keeps `engine` if it is not given. */
bool tool_engine(const tool_args *args, lm_engine *engine);

/* Finds the value in a space-separated list, and sets `number` to its index. Keeps `number` if the
 * option is not given. */
bool tool_word(const tool_args *args, tool_option option, const char *words, unsigned *number);
/* Returns the space-separated words that an option accepts, also for completion; NULL if it accepts
 * others. */
const char *tool_option_words(tool_option option);
/* tool_word with these words. */
bool tool_known_word(const tool_args *args, tool_option option, unsigned *number);

/* Reads --max-input in bytes; 0 if it is not given. */
bool tool_max_input(const tool_args *args, size_t *max_input);
bool tool_max_output(const tool_args *args, uint64_t *max_output); /* 2G if it is not given */

/* Reads -j: at least 1, and at most the number of inputs. */
bool tool_jobs(const tool_args *args, unsigned *jobs);

/* Prints the help of a command to standard output, with its most important options or with all.
 * Returns an exit code. */
int tool_help(const tool_command *command, bool all);

#endif
