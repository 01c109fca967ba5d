/* A shader that is being read. */
#ifndef LM_SHADERS_READING_H
#define LM_SHADERS_READING_H

#include "core/arena.h"
#include "shaders/tokens.h"

/* Those that are kept, and one that is not. */
#define LM_READ_STAGES (LM_MAX_STAGES + 1)

/* What a stage has said so far, beyond what it is. */
typedef struct lm_stage_words {
    bool has_picture; /* or is white: it has a map */
    bool writes_depth;
    bool has_rgb;
    bool ended;         /* the engines end the chain of tcMods at one that they do not know */
    lm_tc_mod *mods;    /* [LM_MAX_TC_MODS] */
    uint32_t *pictures; /* [LM_MAX_STAGE_PICTURES] */
} lm_stage_words;

typedef struct lm_reading {
    lm_tokens tokens;
    lm_arena *arena;
    lm_script_shader *out;
    lm_shader *shader;
    lm_stage *stages; /* [LM_READ_STAGES], and so the next two */
    lm_tc_mod (*mods)[LM_MAX_TC_MODS];
    uint32_t (*numbers)[LM_MAX_STAGE_PICTURES];
    lm_stage *stage; /* the one that is read */
    lm_stage_words words;
    lm_deform *deforms; /* [LM_MAX_DEFORMS] */
    const char **pictures;
    size_t picture_capacity;
    lm_script_note *notes; /* [LM_MAX_SCRIPT_NOTES] */
    bool missing;          /* a word or a number was, since somebody made this false */
} lm_reading;

/* A word, and what reads what follows it. */
typedef struct lm_script_word {
    const char *text;
    void (*read)(lm_reading *r);
} lm_script_word;

/* Reads what follows the word that was read last, if the table, which ends in {0}, has it. */
bool lm_reading_dispatch(lm_reading *r, const lm_script_word *words);

/* Words that are passed over: alone, with the word or with the line that follows. */
void lm_reading_skip(lm_reading *r);
void lm_reading_skip_word(lm_reading *r);
void lm_reading_skip_line(lm_reading *r);

/* Notes something at the last word; `refused`: the engines go no further. */
void lm_reading_note(lm_reading *r, bool refused, const char *sentence, ...) LM_PRINTF(3, 4);

/* The next word's number in a list that ends in NULL; -1, with a note, if it is none of them or
 * there is no more on the line. `what` is the word before it. */
int lm_reading_choice(lm_reading *r, const char *what, const char *const *words);
/* The next number of the line; 0 with a note if there is none. */
float lm_reading_number(lm_reading *r, const char *what);
void lm_reading_numbers(lm_reading *r, const char *what, float *out, unsigned count);
/* "( x y z )" */
void lm_reading_vector(lm_reading *r, const char *what, float out[3]);
/* A function with its four numbers; or, where there is none to choose, the numbers alone. */
void lm_reading_wave(lm_reading *r, const char *what, lm_wave *wave);
void lm_reading_wave_numbers(lm_reading *r, const char *what, lm_wave *wave);
/* The number of a picture's name among those of the shader. */
uint32_t lm_reading_picture(lm_reading *r, const char *name);

/* lm_script_shader_read into memory of an arena's. False if there is none. */
bool lm_shader_fill(const lm_script *script, uint32_t number, lm_arena *arena,
                    lm_script_shader *out);

/* A stage behind its opening brace. */
void lm_reading_stage(lm_reading *r);
/* Begins the stage of that number, and ends it: it counts if it has a picture and there is room. */
void lm_stage_begin(lm_reading *r, uint32_t number);
void lm_stage_end(lm_reading *r);

#endif
