/* The command line. TOOL_OPTION_LIST defines each option once, and each command lists those it
 * takes. The parser and --help use the same tables. */
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

/* Name, letter (0: none), long name, name of its value (NULL: none), help. */
#define TOOL_OPTION_LIST(X)                                                                       \
    X(OUTPUT, 'o', "output", "OUT", "where to write; - is standard output")                       \
    X(FORMAT, 0, "format", "NAME", "glb, gltf, obj, md2, mdc, md3, mdl, if OUT does not say")     \
    X(FRAMES, 0, "frames", "A-B", "only frames A to B, both included, counted from 0")            \
    X(FRAME, 0, "frame", "F", "one pose, not animated; 3.5 is midway between 3 and 4")            \
    X(CLIPS, 0, "clips", "FILE", "animation.cfg or .framegroups; quake2: its 20 clips; none")     \
    X(CLIP, 0, "clip", "NAMES", "only these clips: run,jump; LEGS_RUN+TORSO_ATTACK is one")       \
    X(FPS, 0, "fps", "N", "frames a second, for every clip")                                      \
    X(SCALE, 0, "scale", "S", "size of a unit (glTF: 0.0254, an inch in metres; OBJ: 1)")         \
    X(AXES, 0, "axes", "NAME", "gltf: y up, z forward (also for OBJ); model: z up, x forward")    \
    X(TOPOLOGY, 0, "topology", "NAME", "triangles, or glcommands: MD2's strips and fans")         \
    X(ATTACH, 0, "attach", "TAG=MODEL",                                                           \
      "hang a model on a tag; MODEL@CLIP: what it plays at rest")                                 \
    X(WITH, 0, "with", "MODEL", "a model that plays the same frames: weapon.md2")                 \
    X(GAME, 0, "game", "DIR", "textures of a game's folder or an archive too; may be repeated")   \
    X(SKIN, 0, "skin", "FILE", "a picture, SURFACE=IMAGE, or NAME.skin; may be repeated")         \
    X(PALETTE, 0, "palette", "FILE", "colours for 8-bit PCX: .lmp, .gpl or .pcx")                 \
    X(TRANSPARENT_255, 0, "transparent-255", NULL, "index 255 of a PCX is transparent")           \
    X(ALPHA, 0, "alpha", "USE", "auto, opaque, mask or blend: what alpha of textures is for")     \
    X(NORMALS, 0, "normals", "WHICH",                                                             \
      "stored, computed, or auto: computed where stored ones are bad")                            \
    X(QUIRK, 0, "quirk", "NAME", "mdc-prinz: MDC by the letter of its 2004 description")          \
    X(REPAIR, 0, "repair", NULL, "drop or clamp what is damaged, and say how much")               \
    X(QUANTIZE, 0, "quantize", NULL, "smaller: KHR_mesh_quantization, sparse targets")            \
    X(UNLIT, 0, "unlit", NULL, "textures as they are: KHR_materials_unlit")                       \
    X(MAX_ERROR, 0, "max-error", "E",                                                             \
      "models: refuse to be further off than E units; optimize: may be")                          \
    X(TOLERANCE, 0, "tolerance", "E", "fail if they are more than E units apart")                 \
    X(IMAGE, 0, "image", "OUT", "draw where they differ, in colours of heat, as PNG")             \
    X(STRIPS, 0, "strips", "HOW", "md2: GL commands that are best, fast to find, or none")        \
    X(STABILITY, 0, "stability", "N", "md2: how still is to stand still, against exact (64)")     \
    X(SMOOTH, 0, "smooth", NULL, "md2: slow movements are rounded so that they do not jerk")      \
    X(SHARED_GRID, 0, "shared-grid", "FILE",                                                      \
      "md2: fit this piece of the same player without cracks")                                    \
    X(HD, 0, "hd", NULL, "md2: low bytes behind each frame, which other readers skip")            \
    X(SMALLEST, 0, "smallest", NULL, "mdc: surfaces by themselves; cracks may open")              \
    X(DECIMATE, 0, "decimate", "N", "models: of N triangles at most; 50%: of half of them")       \
    X(LODS, 0, "lods", "N", "models: X_1, X_2 too, of half and a quarter of the triangles")       \
    X(PLAYER, 0, "player", NULL, "md3, mdc: animation.cfg and X_default.skin beside it")          \
    X(SKIN_PATH, 0, "skin-path", "DIR", "where the game has the pictures written beside a model") \
    X(TAG, 0, "tag", "NAME=NODE", "imports: a node that is a tag; may be repeated")               \
    TOOL_EDIT_OPTION_LIST(X)                                                                      \
    X(MAX_OUTPUT, 0, "max-output", "SIZE", "refuse to write more than this (2G; K, M, G)")        \
    TOOL_RENDER_OPTION_LIST(X)                                                                    \
    X(UV_FORMAT, 0, "format", "NAME", "svg or png, where the name of OUT does not say")           \
    X(PACK_FORMAT, 0, "format", "NAME", "pak or pk3, where the name of OUT does not say")         \
    X(EXACT, 0, "exact", NULL, "the size of the skin, without margin and legend")                 \
    X(SURFACE, 0, "surface", "NAME", "the texture of this surface, and all that wear it")         \
    X(IMAGES, 0, "images", NULL, "of models, as PNG, instead of files as they are")               \
    X(LUMP, 0, "lump", "NAME", "print the contents of this lump as a table")                      \
    X(ENGINE, 0, "engine", "NAME", "limits of:" LM_ENGINE_LIST(TOOL_ENGINE_TEXT))                 \
    X(MAX_INPUT, 0, "max-input", "SIZE", "refuse to read larger files (archives: 256M; K, M, G)") \
    X(LONG, 'l', "long", NULL, "sizes too, and what is odd")                                      \
    X(SUMMARY, 0, "summary", NULL, "with --json: a last line that sums all of it up")             \
    X(JSON, 0, "json", NULL, "one JSON object a file, on a line of its own")                      \
    X(JOBS, 'j', "jobs", "N", "files at a time; default: one a processor, 16 at most")            \
    X(FORCE, 'f', "force", NULL, "replace files that are in the folder OUT already")              \
    X(SYNC, 0, "sync", NULL, "wait until the disk has the outputs, should the power fail")        \
    X(SKIP_EXISTING, 0, "skip-existing", NULL, "leave out inputs whose output is there already")  \
    X(QUIET, 'q', "quiet", NULL, "print nothing but errors on standard error")                    \
    X(VERBOSE, 'v', "verbose", NULL,                                                              \
      "print more: a line for each file, the paths that were tried")                              \
    X(HELP, 'h', "help", NULL, "this page")

typedef enum tool_option {
    TOOL_NO_OPTION,
#define TOOL_OPTION_ENUM(name, letter, text, value, help) TOOL_##name,
    TOOL_OPTION_LIST(TOOL_OPTION_ENUM)
#undef TOOL_OPTION_ENUM
    TOOL_NUM_OPTIONS
} tool_option;

/* The description of an option. */
typedef struct tool_option_info {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* the value's name; NULL: takes none */
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
    TOOL_EXPAND_FILES    /* files of any kind in archives; with --images like FOLDERS */
} tool_expand;

typedef struct tool_command {
    const char *name;
    const char *usage;       /* the text after the name */
    const char *summary;     /* one line */
    const char *about;       /* paragraphs, wrapped by hand */
    tool_option options[48]; /* terminated by TOOL_NO_OPTION */
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

/* Parses the arguments after the verb into `args`, whose command, disk and memory are set. Reports
 * mistakes, with the most similar word, and returns false. */
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

/* Reports a wrong command line on standard error: "lerpmesh VERB: SENTENCE", and a pointer to the
 * help. Returns false. */
bool tool_usage(const tool_args *args, const char *sentence, ...) LM_PRINTF(2, 3);

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

/* Reads -j: at least 1, and at most the number of inputs. */
bool tool_jobs(const tool_args *args, unsigned *jobs);

/* Prints the help of a command to standard output. Returns an exit code. */
int tool_help(const tool_command *command);

#endif
