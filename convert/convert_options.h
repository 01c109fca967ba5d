/* The table of all options, and what else lerpmesh's own programs use of lerpmesh-convert. */
#ifndef LM_CONVERT_CONVERT_OPTIONS_H
#define LM_CONVERT_CONVERT_OPTIONS_H

#include "core/arena.h"
#include "lerpmesh/convert.h"
#include "lerpmesh/edit.h"

/* The options of options.inc: LM_OPTION_QUANTIZE and so on, and the groups. */
typedef enum lm_option_id {
    LM_NO_OPTION,
#define ROW(id, ...) LM_OPTION_##id,
#define GROUP(id, title) LM_OPTION_##id,
#include "options.inc"
#undef ROW
#undef GROUP
    LM_NUM_OPTIONS
} lm_option_id;

typedef enum lm_option_type {
    LM_TYPE_OWN,    /* described by `help`; the client reads it */
    LM_TYPE_FLAG,   /* no value */
    LM_TYPE_NUMBER, /* from `min` to `max` */
    LM_TYPE_WHOLE,  /* the same, without a fraction */
    LM_TYPE_SIZE,   /* in bytes, up to `max`; K, M and G are powers of 1024 */
    LM_TYPE_WORD,   /* one of `words` */
    LM_TYPE_TEXT,
    LM_TYPE_TEXTS, /* may be given several times */
    LM_TYPE_RANGE  /* two whole numbers: 0-39 */
} lm_option_type;

/* One row of options.inc. */
typedef struct lm_option {
    char letter;      /* 0: none */
    const char *name; /* NULL: a group, whose title is in `help` */
    /* The value's name; NULL: takes none. "[N]" may be missing, and follows an equals sign. */
    const char *value;
    const char *commands; /* those that take it, between spaces */
    const char *formats;  /* NULL: all */
    lm_option_type type;
    double min, max;
    const char *words;    /* between spaces; NULL: it is not one of several words */
    const char *unit;     /* NULL: none */
    const char *standard; /* the value without the option; NULL: described by `help`, or none */
    const char *help;
} lm_option;

const lm_option *lmi_option_about(lm_option_id option);
/* Returns the option of a command with this name; LM_NO_OPTION: it has none. */
lm_option_id lmi_option_find(const char *command, const char *name, size_t length);
/* Returns whether a command takes an option. */
bool lmi_option_is_of(lm_option_id option, const char *command);
/* Returns whether an option sets a member of lm_convert_options. */
bool lmi_option_is_set(lm_option_id option);

/* Read the value of a number or a word by the option's row; `number` is the word's index.
 * `prefix`: see lm_convert_options.option_prefix. */
bool lmi_option_number(lm_option_id option, const char *prefix, const char *value, double *number,
                       lm_error *error);
bool lmi_option_word(lm_option_id option, const char *prefix, const char *value, unsigned *number,
                     lm_error *error);

bool lmi_convert_set_option(lm_convert_settings *settings, lm_option_id option, const char *value,
                            lm_error *error);
bool lmi_convert_has(const lm_convert_settings *settings, lm_option_id option);

/* Returns one sentence about the settings for a program; NULL for LM_CONVERT_PROGRAM_ANY. */
const char *lmi_convert_program_about(lm_convert_program program_number);

/* Appends the names of the formats for which an engine has limits: those that it reads. Returns
 * whether `format` is one of them; true for LM_ENGINE_ANY. */
bool lmi_engine_formats(lm_engine engine, const lm_format_info *format, lm_buffer *names);

/* ---- Conversions --------------------------------------------------------------------------- */

/* Appends why no part of the scene plays a clip, or one of those joined with '+', whose name is the
 * first `length` bytes of `name`; nothing if all are played. */
void lmi_convert_check_clip(const lm_scene *scene, const char *name, size_t length,
                            lm_buffer *problem);

/* Loads meshoptimizer, and returns the packer of lm_meshopt_packer; NULL: there is none, or no
 * memory. Call it before other threads start. */
const lm_gltf_packer *lmi_convert_packer(void);

/* Returns whether to report a diagnostic when a model is opened: those about textures follow later,
 * and a palette that changed no image may be that of the image to write. */
bool lmi_convert_shows(const lm_convert_options *options, const lm_diagnostic *diagnostic);

/* Returns the name of format `index` that lm_convert writes, which is also its extension without
 * the dot; NULL after the last. Those that are no models of games come first. */
const char *lmi_convert_format_at(uint32_t index);
/* Returns whether a path has the extension of another program's model, such as .glb or .fbx. */
bool lmi_convert_imports(const char *path);

/* ---- Edits ---------------------------------------------------------------------------------- */

/* Lets an edit name frames by the clips of the file beside a model, which info lists. Sets the
 * file's path, in the arena; NULL: there is none. Those of standard input have none. */
bool lmi_edit_use_clips_of(lm_vfs *vfs, const lm_given_file *file, lm_edit *edit, lm_arena *arena,
                           const char **clips_path, lm_error *error);

/* ---- Numbers as users write them ------------------------------------------------------------ */

/* Parses a text of digits, at most `max`. */
bool lmi_parse_uint(const char *text, uint64_t max, uint64_t *value);
/* Parses two of these with `between` between them; `max` is at most INT32_MAX. */
bool lmi_parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b);
/* Parses a size in bytes: digits, with K, M or G for powers of 1024. */
bool lmi_parse_size(const char *text, uint64_t max, uint64_t *value);
/* Returns the first word of a list between spaces, which is not empty, and moves on to the next. */
const char *lmi_next_word(const char **words, size_t *length);
/* Returns whether a word is in a list between spaces, and sets `number` to its index. */
bool lmi_word_in(const char *words, const char *word, size_t length, unsigned *number);

#endif
