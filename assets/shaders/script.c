/* The labels of a shader script. */
#include "lerpmesh/assets.h"

#include "core/report.h"
#include "shaders/tokens.h"

#include <string.h>

/* What a pass over the text found; the first only counts. */
typedef struct found {
    uint32_t num_labels;
    size_t names_size; /* of all names with their NULs */
    const char *damage;
    uint32_t damage_line;
} found;

typedef struct script_job {
    const char *text;
    size_t size;
    found counts;
} script_job;

static void damaged(found *f, const char *what, uint32_t line) {
    f->damage = what;
    f->damage_line = line;
}

/* Goes on to the next label; false at the end, and where the braces do not match. One without an
 * end is the last. */
static bool next_label(lm_tokens *tokens, found *f, lm_script_label *label,
                       char name[LM_SCRIPT_NAME], const char *text) {
    do { /* an empty name in quotes names nothing */
        if (!lm_tokens_next(tokens))
            return false;
    } while (tokens->word[0] == '\0');
    memcpy(name, tokens->word, strlen(tokens->word) + 1);
    label->line = tokens->word_line;
    label->begin = (uint32_t)(tokens->start - text);
    if (!lm_tokens_next(tokens) || strcmp(tokens->word, "{") != 0) {
        damaged(f, "a shader's name without an opening brace", label->line);
        return false;
    }
    if (!lm_tokens_skip_braces(tokens))
        damaged(f, "a shader without its closing brace", label->line);
    label->end = (uint32_t)(tokens->start - text);
    return true;
}

static found read_labels(const script_job *job, char *names, lm_script_label *labels) {
    lm_tokens tokens = {.at = job->text, .end = job->text + job->size, .line = 1};
    found f = {0};
    lm_script_label label;
    char name[LM_SCRIPT_NAME];
    while (!f.damage && next_label(&tokens, &f, &label, name, job->text)) {
        size_t length = strlen(name) + 1;
        if (labels) {
            label.name = memcpy(names + f.names_size, name, length);
            labels[f.num_labels] = label;
        }
        f.names_size += length;
        f.num_labels++;
    }
    return f;
}

static void *carve_script(lm_block *block, void *context) {
    const script_job *job = context;
    lm_script *script = lm_carve(block, 1, sizeof *script);
    lm_script_label *labels = lm_carve(block, job->counts.num_labels, sizeof *labels);
    char *names = lm_carve(block, job->counts.names_size, 1);
    if (script) {
        found f = read_labels(job, names, labels);
        *script = (lm_script){job->text, f.num_labels, labels, f.damage, f.damage_line};
    }
    return script;
}

lm_script *lm_script_read(const void *text, size_t size, const lm_memory *memory, lm_error *error) {
    lm_heap heap;
    script_job job = {.text = size ? text : "", .size = size};
    if (size > UINT32_MAX - 1) {
        lm_fail_plain(error, LM_CODE_LIMIT, "a shader script of more than 4 GiB");
        return NULL;
    }
    lm_heap_begin(&heap, memory, size, "shader script", error);
    job.counts = read_labels(&job, NULL, NULL);
    lm_script *script = lm_make(&heap, carve_script, &job);
    return script ? script : lm_heap_diagnose(&heap);
}

void lm_script_free(lm_script *script) {
    lm_release(script);
}
