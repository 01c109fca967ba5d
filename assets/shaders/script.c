/* The labels of a shader script. */
#include "lerpmesh/assets.h"

#include "core/report.h"
#include "shaders/tokens.h"

#include <string.h>

static void set_damage(lm_script *script, const char *damage, uint32_t line) {
    script->damage = damage;
    script->damage_line = line;
}

/* Moves to the next label. Returns false at the end, and at a name without an opening brace. A
 * label without its closing brace is the last. */
static bool next_label(lm_tokens *tokens, lm_script *script, lm_script_label *label) {
    do { /* an empty quoted name is skipped */
        if (!lm_tokens_next(tokens))
            return false;
    } while (tokens->word[0] == '\0');
    label->name = lm_arena_text(lm_arena_of(script), tokens->word, strlen(tokens->word));
    label->line = tokens->word_line;
    label->begin = (uint32_t)(tokens->start - script->text);
    if (!lm_tokens_next(tokens) || strcmp(tokens->word, "{") != 0) {
        set_damage(script, "the shader's name has no opening brace", label->line);
        return false;
    }
    if (!lm_tokens_skip_braces(tokens))
        set_damage(script, "the shader has no closing brace", label->line);
    label->end = (uint32_t)(tokens->start - script->text);
    return true;
}

static bool read_labels(size_t size, lm_script *script) {
    lm_arena *arena = lm_arena_of(script);
    lm_tokens tokens = {.at = script->text, .end = script->text + size, .line = 1};
    lm_script_label *labels = NULL, label;
    size_t count = 0, capacity = 0;
    while (!script->damage && next_label(&tokens, script, &label)) {
        if (!label.name || !lm_arena_grow(arena, &labels, &capacity, count + 1, sizeof *labels))
            return false;
        labels[count++] = label;
    }
    script->num_labels = (uint32_t)count;
    script->labels = labels;
    return true;
}

lm_script *lm_script_read(const void *text, size_t size, const lm_memory *memory, lm_error *error) {
    lm_heap heap;
    if (size > UINT32_MAX - 1) {
        lm_fail_plain(error, LM_CODE_LIMIT, "the shader script exceeds 4 GiB");
        return NULL;
    }
    lm_heap_begin(&heap, memory, size, "shader script", error);
    lm_script *script = lm_object(&heap, sizeof *script);
    if (script)
        script->text = size ? text : "";
    script = lm_object_end(script, script && read_labels(size, script));
    return script ? script : lm_heap_diagnose(&heap);
}

void lm_script_free(lm_script *script) {
    lm_object_free(script);
}
