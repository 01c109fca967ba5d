#include "shaders/tokens.h"

#include "core/exact.h"
#include "core/report.h"
#include "core/text.h"
#include "lerpmesh/assets.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Bytes ---------------------------------------------------------------------------------- */

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_space(char c) {
    return (unsigned char)c <= ' ';
}

static bool begins_with(const lm_tokens *tokens, const char *two) {
    return tokens->end - tokens->at >= 2 && tokens->at[0] == two[0] && tokens->at[1] == two[1];
}

/* Skips one byte. Of "\r\n", only the second byte ends the line. */
static void skip_byte(lm_tokens *tokens) {
    tokens->line += is_line_end(*tokens->at) && !begins_with(tokens, "\r\n");
    tokens->at++;
}

/* ---- Comments ------------------------------------------------------------------------------- */

/* Skips a comment, but not the line end after it. Returns false if there is none. */
static bool skip_comment(lm_tokens *tokens) {
    if (begins_with(tokens, "//")) {
        while (tokens->at < tokens->end && !is_line_end(*tokens->at))
            tokens->at++;
        return true;
    }
    if (!begins_with(tokens, "/*"))
        return false;
    tokens->at += 2;
    while (tokens->at < tokens->end && !begins_with(tokens, "*/"))
        skip_byte(tokens);
    tokens->at += tokens->at < tokens->end ? 2 : 0;
    return true;
}

/* Skips spaces and comments. Returns whether there was a line end outside of comments. */
static bool skip_spaces(lm_tokens *tokens) {
    bool ended = false;
    while (tokens->at < tokens->end) {
        if (skip_comment(tokens))
            continue;
        if (!is_space(*tokens->at))
            break;
        ended = ended || is_line_end(*tokens->at);
        skip_byte(tokens);
    }
    return ended;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void add_byte(lm_tokens *tokens, size_t *length) {
    if (*length + 1 < sizeof tokens->word)
        tokens->word[(*length)++] = *tokens->at;
    skip_byte(tokens);
}

static bool is_mark(const lm_tokens *tokens) {
    return tokens->marks && *tokens->at && strchr(tokens->marks, *tokens->at);
}

static bool read_word(lm_tokens *tokens) {
    size_t length = 0;
    bool found = tokens->at < tokens->end;
    tokens->start = tokens->at;
    tokens->word_line = tokens->line;
    if (found && *tokens->at == '"') {
        for (tokens->at++; tokens->at < tokens->end && *tokens->at != '"';)
            add_byte(tokens, &length);
        tokens->at += tokens->at < tokens->end;
    } else if (found && is_mark(tokens)) {
        add_byte(tokens, &length);
    } else {
        while (tokens->at < tokens->end && !is_space(*tokens->at) && !is_mark(tokens))
            if (!skip_comment(tokens)) /* the engines remove comments first: the word goes on */
                add_byte(tokens, &length);
    }
    tokens->word[length] = '\0';
    return found;
}

bool lmi_tokens_next(lm_tokens *tokens) {
    skip_spaces(tokens);
    return read_word(tokens);
}

bool lmi_tokens_argument(lm_tokens *tokens) {
    lm_tokens *t = tokens;
    const char *at = t->at;
    uint32_t line = t->line;
    if (!skip_spaces(t))
        return read_word(t);
    t->at = at;
    t->line = line;
    t->word[0] = '\0';
    return false;
}

void lmi_tokens_skip_line(lm_tokens *tokens) {
    while (lmi_tokens_argument(tokens))
        ;
}

bool lmi_tokens_skip_braces(lm_tokens *tokens) {
    uint32_t depth = 1;
    while (depth > 0 && lmi_tokens_next(tokens))
        depth = lmi_tokens_is(tokens, "{")   ? depth + 1
                : lmi_tokens_is(tokens, "}") ? depth - 1
                                             : depth;
    return depth == 0;
}

bool lmi_tokens_is(const lm_tokens *tokens, const char *word) {
    return lmi_compare_letters(tokens->word, word) == 0;
}

float lmi_tokens_number(const lm_tokens *tokens) {
    double value = 0;
    lmi_read_decimal((const uint8_t *)tokens->word, strlen(tokens->word), &value);
    return value == 0 ? 0 : (float)fmax(-FLT_MAX, fmin(value, FLT_MAX));
}

/* ---- Scripts ------------------------------------------------------------------------------ */

static void set_damage(lm_script *script, const char *damage, uint32_t line) {
    script->damage = damage;
    script->damage_line = line;
}

/* Moves to the next label. Returns false at the end, and at a name without an opening brace. A
 * label without its closing brace is the last. */
static bool next_label(lm_tokens *tokens, lm_script *script, lm_script_label *label) {
    do { /* an empty quoted name is skipped */
        if (!lmi_tokens_next(tokens))
            return false;
    } while (tokens->word[0] == '\0');
    label->name = lmi_arena_text(lmi_arena_of(script), tokens->word, strlen(tokens->word));
    label->line = tokens->word_line;
    label->begin = (uint32_t)(tokens->start - script->text);
    if (!lmi_tokens_next(tokens) || strcmp(tokens->word, "{") != 0) {
        set_damage(script, "the shader's name has no opening brace", label->line);
        return false;
    }
    if (!lmi_tokens_skip_braces(tokens))
        set_damage(script, "the shader has no closing brace", label->line);
    label->end = (uint32_t)(tokens->start - script->text);
    return true;
}

static bool read_labels(size_t size, lm_script *script) {
    lm_arena *arena = lmi_arena_of(script);
    lm_tokens tokens = {.at = script->text, .end = script->text + size, .line = 1};
    lm_script_label *labels = NULL, label;
    size_t count = 0, capacity = 0;
    while (!script->damage && next_label(&tokens, script, &label)) {
        if (!label.name || !lmi_arena_grow(arena, &labels, &capacity, count + 1, sizeof *labels))
            return false;
        labels[count++] = label;
    }
    script->num_labels = (uint32_t)count;
    script->labels = labels;
    return true;
}

lm_script *lmi_script_read(const void *text, size_t size, const lm_memory *memory,
                           lm_error *error) {
    lm_heap heap;
    if (size > UINT32_MAX - 1) {
        lm_fail_plain(error, LM_CODE_LIMIT, "the shader script exceeds 4 GiB");
        return NULL;
    }
    lmi_heap_begin(&heap, memory, size, "shader script", error);
    lm_script *script = lmi_object(&heap, sizeof *script);
    if (script)
        script->text = size ? text : "";
    script = lmi_object_end(script, script && read_labels(size, script));
    return script ? script : lmi_heap_diagnose(&heap);
}

void lmi_script_free(lm_script *script) {
    lmi_object_free(script);
}
