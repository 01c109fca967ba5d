#include "repeats.h"

#include <string.h>

/* More different warnings are not counted, but shown by every file, so that the time is linear. */
#define MAX_KINDS 64

typedef struct kind {
    const char *text;
    bool in_results;
    size_t num_files, last_job;
} kind;

struct tool_repeats {
    tool_memory *memory;
    size_t count, num_jobs;
    kind kinds[MAX_KINDS];
};

tool_repeats *tool_repeats_make(tool_memory *memory) {
    tool_repeats *repeats = tool_alloc(memory, 1, sizeof *repeats);
    if (repeats)
        repeats->memory = memory;
    return repeats;
}

/* Finds or adds the kind of a warning; NULL if there are too many, or no memory. */
static kind *find_kind(tool_repeats *r, bool in_results, const char *text, size_t length) {
    for (size_t i = 0; i < r->count; i++)
        if (r->kinds[i].in_results == in_results && lm_is_word(text, length, r->kinds[i].text))
            return &r->kinds[i];
    const char *copy = r->count < MAX_KINDS ? tool_copy(r->memory, text, length) : NULL;
    if (!copy)
        return NULL;
    r->kinds[r->count] = (kind){.text = copy, .in_results = in_results};
    return &r->kinds[r->count++];
}

/* Counts the file of a warning. Returns whether to show the warning. */
static bool count_warning(tool_repeats *r, const tool_warning *warning, const lm_buffer *text) {
    kind *k = find_kind(r, warning->in_results, (const char *)text->data + warning->key,
                        warning->key_end - warning->key);
    if (!k)
        return true;
    k->num_files += k->num_files == 0 || k->last_job != r->num_jobs;
    k->last_job = r->num_jobs;
    return k->num_files <= TOOL_REPEATS_SHOWN;
}

/* The removal of lines from a text: the bytes kept so far, and the next one to look at. */
typedef struct cutting {
    size_t kept, next;
} cutting;

static void keep(lm_buffer *text, cutting *c, size_t end) {
    memmove(text->data + c->kept, text->data + c->next, end - c->next);
    c->kept += end - c->next;
    c->next = end;
}

static bool is_inside(const tool_warning *warning, const lm_buffer *text) {
    return warning->begin <= warning->key && warning->key <= warning->key_end &&
           warning->key_end <= warning->end && warning->end <= text->size;
}

void tool_repeats_cut(tool_repeats *repeats, tool_job *job) {
    const size_t count = job->warnings.size / sizeof(tool_warning);
    lm_buffer *const texts[2] = {&job->log, &job->out};
    cutting cuttings[2] = {{0}};
    if (job->warnings.failed)
        tool_no_memory();
    repeats->num_jobs++;
    for (size_t i = 0; i < count && job->status == TOOL_DONE; i++) {
        tool_warning w;
        memcpy(&w, job->warnings.data + i * sizeof w, sizeof w);
        lm_buffer *text = texts[w.in_results];
        cutting *c = &cuttings[w.in_results];
        if (w.begin < c->next || !is_inside(&w, text) || count_warning(repeats, &w, text))
            continue;
        keep(text, c, w.begin);
        c->next = w.end;
    }
    for (size_t i = 0; i < 2; i++)
        if (cuttings[i].next > 0) {
            keep(texts[i], &cuttings[i], texts[i]->size);
            texts[i]->size = cuttings[i].kept;
        }
}

bool tool_repeats_print(const tool_repeats *repeats) {
    lm_buffer out = {0}, log = {0};
    for (size_t i = 0; i < repeats->count; i++) {
        const kind *k = &repeats->kinds[i];
        if (k->num_files > TOOL_REPEATS_SHOWN)
            lm_buffer_printf(k->in_results ? &out : &log, "%s%zu more file%s: %s; -v lists all\n",
                             k->in_results ? "" : "lerpmesh: ", k->num_files - TOOL_REPEATS_SHOWN,
                             k->num_files == TOOL_REPEATS_SHOWN + 1 ? "" : "s", k->text);
    }
    const bool written = out.size == 0 || tool_write_result(&out);
    tool_write_error(&log);
    lm_buffer_free(&out);
    return written;
}
