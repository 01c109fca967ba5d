#include "batch.h"

#include "describe.h"

#include <string.h>

typedef struct tally {
    size_t num_files, num_read, num_warned, num_failed, num_skipped; /* read: not skipped */
    /* Of the files that were read. */
    size_t num_inapplicable, num_unwritten, num_same;
    size_t num_missing;            /* textures */
    size_t num_guessed;            /* models with a guessed texture */
    size_t failures[LM_NUM_CODES]; /* files per code; LM_CODE_OK: another reason */
    size_t warnings[LM_NUM_CODES]; /* per code, of the files that were read */
} tally;

static void add(tally *summary, const tool_job *job) {
    bool failed = job->status != TOOL_DONE, warned = false, has_code = false;
    summary->num_files++;
    for (unsigned code = 0; code < LM_NUM_CODES; code++) {
        warned = warned || job->codes[code] != TOOL_CODE_NONE;
        has_code = has_code || job->codes[code] == TOOL_CODE_FAILED;
        summary->failures[code] += failed && job->codes[code] == TOOL_CODE_FAILED;
        summary->warnings[code] += !failed && job->codes[code] != TOOL_CODE_NONE;
    }
    summary->failures[LM_CODE_OK] += failed && !has_code;
    summary->num_failed += failed;
    summary->num_read += !failed && !job->skipped;
    summary->num_skipped += job->skipped;
    summary->num_warned += !failed && warned;
    summary->num_inapplicable += !failed && job->inapplicable;
    summary->num_unwritten += !failed && job->unwritten;
    summary->num_same += !failed && job->same;
    summary->num_missing += job->num_missing;
    summary->num_guessed += job->guessed;
}

static const char *code_name(unsigned code) {
    return code == LM_CODE_OK ? "other" : lm_code_name((lm_code)code);
}

static void print_codes(const size_t *counts, lm_buffer *out) {
    const char *before = "";
    for (unsigned code = 0; code < LM_NUM_CODES; code++) {
        /* The entry without a code comes last. */
        unsigned next = (code + 1) % LM_NUM_CODES;
        if (counts[next] == 0)
            continue;
        lm_buffer_printf(out, "%s%s %zu", before, code_name(next), counts[next]);
        before = ", ";
    }
}

/* Prints nothing for a count of 0. `words`: see lmi_count_words. */
static void print_count(size_t count, const char *words, lm_buffer *out) {
    if (count > 0)
        lm_buffer_printf(out, ", %s", lmi_count_words(count, words).text);
}

/* Names the given options that do not apply to every model. */
static void print_inapplicable(const tally *summary, const tool_args *args, lm_buffer *out) {
    static const lm_option_id options[] = {LM_OPTION_SKIN,   LM_OPTION_ENGINE, LM_OPTION_SURFACE,
                                           LM_OPTION_IMAGES, LM_OPTION_LUMP,   LM_OPTION_PLAY_CLIP};
    bool any = false;
    if (summary->num_inapplicable == 0)
        return;
    lm_buffer_text(out, "lerpmesh: ");
    if (tool_has(args, LM_OPTION_IMAGES) && summary->num_unwritten == summary->num_inapplicable) {
        lm_buffer_printf(
            out, "%s: none is embedded, and no texture file can be read\n",
            lmi_count_words(summary->num_unwritten, "{model has|models have} no images").text);
        return;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (tool_has(args, options[i])) {
            lm_buffer_printf(out, "%s--%s", any ? " or " : "", lmi_option_about(options[i])->name);
            any = true;
        }
    /* Without these options, it is one of edit's. */
    lm_buffer_printf(out, "%s %s\n",
                     any ? " does not apply to" : "the elements to edit are missing in",
                     lmi_count_nouns(summary->num_inapplicable, "files").text);
}

/* Prints one line of text; with --verbose, a second one with the warnings' codes. */
static void print(const tally *summary, const tool_args *args, const char *done, double seconds,
                  lm_buffer *out) {
    lm_buffer_printf(out, "lerpmesh: %s: %zu %s", lmi_count_nouns(summary->num_files, "files").text,
                     summary->num_read - summary->num_same - summary->num_unwritten, done);
    print_count(summary->num_same, "unchanged", out);
    print_count(summary->num_skipped, "skipped", out);
    print_count(summary->num_failed, "failed (", out);
    if (summary->num_failed > 0) {
        print_codes(summary->failures, out);
        lm_buffer_text(out, ")");
    }
    print_count(summary->num_warned, "with warnings", out);
    print_count(summary->num_missing, "{texture|textures} missing", out);
    print_count(summary->num_guessed, "{model|models} with a guessed texture", out);
    lm_buffer_printf(out, "; %.1f s\n", seconds);
    print_inapplicable(summary, args, out);
    if (tool_has(args, LM_OPTION_VERBOSE) && summary->num_warned > 0) {
        lm_buffer_text(out, "lerpmesh: warnings: ");
        print_codes(summary->warnings, out);
        lm_buffer_text(out, "\n");
    }
}

static void json_codes(lm_json *json, const char *key, const size_t *counts) {
    lmi_json_open(json, key, '{');
    for (unsigned code = 0; code < LM_NUM_CODES; code++)
        if (counts[code] > 0)
            lmi_json_integer(json, code_name(code), (int64_t)counts[code]);
    lmi_json_close(json);
}

/* Writes one line of JSON: {"summary": ...}. */
static void write(const tally *summary, const tool_args *args, lm_buffer *out) {
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_open(&json, "summary", '{');
    lmi_json_integer(&json, "files", (int64_t)summary->num_files);
    lmi_json_integer(&json, "read", (int64_t)summary->num_read);
    lmi_json_integer(&json, "same", (int64_t)summary->num_same);
    lmi_json_integer(&json, "warned", (int64_t)summary->num_warned);
    lmi_json_integer(&json, "failed", (int64_t)summary->num_failed);
    lmi_json_integer(&json, "skipped", (int64_t)summary->num_skipped);
    if (tool_accepts(args, LM_OPTION_SKIN)) { /* otherwise the command looks for none */
        lmi_json_integer(&json, "textures_missing", (int64_t)summary->num_missing);
        lmi_json_integer(&json, "models_with_guessed_texture", (int64_t)summary->num_guessed);
    }
    json_codes(&json, "failures", summary->failures);
    json_codes(&json, "warnings", summary->warnings);
    lmi_json_close(&json);
    tool_json_end(&json);
}

bool tool_summary_print(const tool_args *args, const tool_job *jobs, size_t num_jobs,
                        const char *done, bool writes, double seconds) {
    tally summary = {0};
    lm_buffer out = {0}, log = {0};
    bool written = true;
    bool has_found = false; /* an input was a folder, an archive or a pattern */
    for (size_t i = 0; i < num_jobs; i++) {
        add(&summary, &jobs[i]);
        has_found = has_found || jobs[i].tree;
    }
    if (tool_has(args, LM_OPTION_SUMMARY)) {
        write(&summary, args, &out);
        written = tool_write_result(&out);
    }
    const bool several = (writes && num_jobs > 1) || has_found;
    const bool applies =
        summary.num_inapplicable == 0 || summary.num_inapplicable < summary.num_read;
    if (several && !tool_has(args, LM_OPTION_QUIET))
        print(&summary, args, done, seconds, &log);
    else if (!applies)
        print_inapplicable(&summary, args, &log);
    tool_write_error(&log);
    lm_buffer_free(&out);
    return written && applies;
}

/* More different warnings are not counted, but shown by every file, so that the time is linear. */
#define MAX_KINDS 64

typedef struct kind {
    const char *text;
    bool in_results;
    size_t num_files, last_job;
} kind;

struct tool_repeats {
    lm_arena *arena;
    bool all;
    size_t count, num_jobs;
    kind kinds[MAX_KINDS];
    lm_names shown; /* the warnings that are shown once */
};

tool_repeats *tool_repeats_make(lm_arena *arena, bool all) {
    tool_repeats *repeats = lmi_arena_zeros(arena, 1, sizeof *repeats);
    if (!repeats)
        return NULL;
    repeats->arena = repeats->shown.arena = arena;
    repeats->all = all;
    return repeats;
}

/* Finds or adds the kind of a warning; NULL if there are too many, or no memory. */
static kind *find_kind(tool_repeats *r, bool in_results, const char *text, size_t length) {
    for (size_t i = 0; i < r->count; i++)
        if (r->kinds[i].in_results == in_results && lmi_is_word(text, length, r->kinds[i].text))
            return &r->kinds[i];
    const char *copy = r->count < MAX_KINDS ? lmi_arena_text(r->arena, text, length) : NULL;
    if (!copy)
        return NULL;
    r->kinds[r->count] = (kind){.text = copy, .in_results = in_results};
    return &r->kinds[r->count++];
}

/* Counts the file of a warning. Returns whether to show the warning. */
static bool count_warning(tool_repeats *r, const tool_warning *warning, const lm_buffer *text) {
    if (warning->once) {
        const char *line = lmi_arena_text(r->arena, (const char *)text->data + warning->begin,
                                          warning->end - warning->begin);
        lm_name *name = line ? lmi_names_put(&r->shown, line) : NULL;
        return !name || name->number++ == 0;
    }
    kind *k = r->all ? NULL
                     : find_kind(r, warning->in_results, (const char *)text->data + warning->key,
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
        const bool is_inside =
            w.begin <= w.key && w.key <= w.key_end && w.key_end <= w.end && w.end <= text->size;
        if (w.begin < c->next || !is_inside || count_warning(repeats, &w, text))
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
            lm_buffer_printf(k->in_results ? &out : &log, "%s%s: %s; -v lists all\n",
                             k->in_results ? "" : "lerpmesh: ",
                             lmi_count_nouns(k->num_files - TOOL_REPEATS_SHOWN, "more files").text,
                             k->text);
    }
    const bool written = out.size == 0 || tool_write_result(&out);
    tool_write_error(&log);
    lm_buffer_free(&out);
    return written;
}
