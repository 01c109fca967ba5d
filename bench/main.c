/* lerpmesh-bench: measures speed by comparisons. Each figure compares contenders within this one
 * process, so that anyone can repeat it. */
#include "lerpmesh/files.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "lerpmesh-bench [options] [PATH...]\n"
    "  PATH          a model, or a folder of models; without any: $LERPMESH_CORPUS or\n"
    "                ../shared/corpus, $ASSIMP_MODELS or /usr/share/assimp/models, samples\n"
    "  --only NAME   load, peers, memory, process, sample, crowd or growth; may be repeated\n"
    "  --rounds N    batches of each contender (default 101)\n"
    "  --batch MS    how long a batch lasts at least (default 0.5)\n"
    "  --json FILE   the numbers, for programs\n"
    "  --tool PATH   the command (default: lerpmesh beside this program)\n";

enum {
    LOAD,
    PEERS,
    MEMORY,
    PROCESS,
    SAMPLE,
    CROWD,
    GROWTH,
    NUM_SECTIONS
};

static const char *const section_names[NUM_SECTIONS] = {"load",   "peers", "memory", "process",
                                                        "sample", "crowd", "growth"};

typedef struct settings {
    bool only[NUM_SECTIONS];
    bool any_only;
    const char *json;
    const char *tool;
    char tool_path[4096];
    bench_corpus corpus;
    bool any_path;
} settings;

static int wrong(const char *what) {
    fprintf(stderr, "lerpmesh-bench: %s\n%s", what, usage);
    return 2;
}

static bool choose_section(settings *s, const char *name) {
    for (int i = 0; i < NUM_SECTIONS; i++)
        if (strcmp(name, section_names[i]) == 0)
            return s->any_only = s->only[i] = true;
    return false;
}

/* Returns true if the option and its value are valid. */
static bool parse_bench_option(settings *s, bench *b, const char *option, const char *value) {
    if (strcmp(option, "--only") == 0)
        return choose_section(s, value);
    if (strcmp(option, "--rounds") == 0) {
        long rounds = strtol(value, NULL, 10);
        b->rounds = rounds < 100000 ? (unsigned)rounds : 0;
        return rounds >= 3 && b->rounds;
    }
    if (strcmp(option, "--batch") == 0) {
        b->batch_ns = strtod(value, NULL) * 1e6;
        return b->batch_ns > 0 && b->batch_ns < 1e10;
    }
    if (strcmp(option, "--json") == 0)
        return (s->json = value) != NULL;
    return strcmp(option, "--tool") == 0 && (s->tool = value) != NULL;
}

static int parse_bench_arguments(settings *s, bench *b, int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    int folder = slash ? (int)(slash - argv[0]) + 1 : 0;
    snprintf(s->tool_path, sizeof s->tool_path, "%.*slerpmesh", folder, argv[0]);
    s->tool = s->tool_path;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strncmp(argv[i], "--", 2) != 0) {
            size_t before = s->corpus.count;
            bench_corpus_add(&s->corpus, argv[i]);
            s->any_path = true;
            if (s->corpus.count == before)
                fprintf(stderr, "lerpmesh-bench: %s: nothing new to measure\n", argv[i]);
        } else if (i + 1 == argc || !parse_bench_option(s, b, argv[i], argv[i + 1])) {
            return wrong("an option that does not exist, or that lacks a usable value");
        } else {
            i++;
        }
    }
    return 0;
}

static void add_default_paths(bench_corpus *corpus) {
    const char *own = getenv("LERPMESH_CORPUS"), *assimp = getenv("ASSIMP_MODELS");
    bench_corpus_add(corpus, own ? own : "../shared/corpus");
    bench_corpus_add(corpus, assimp ? assimp : "/usr/share/assimp/models");
    bench_corpus_add(corpus, "samples");
}

static void run_sections(settings *s, bench *b) {
    for (int i = 0; i < NUM_SECTIONS; i++) {
        if (s->any_only && !s->only[i])
            continue;
        if (i == LOAD)
            bench_load(b, &s->corpus);
        else if (i == PEERS)
            bench_peers(b, &s->corpus);
        else if (i == MEMORY)
            bench_memory(b, &s->corpus);
        else if (i == PROCESS)
            bench_process(b, &s->corpus, s->tool);
        else if (i == SAMPLE)
            bench_sample(b, &s->corpus);
        else if (i == CROWD)
            bench_all_instances(b);
        else
            bench_growth(b);
    }
}

static bool write_json(const settings *s, bench *b) {
    lm_error error;
    if (!s->json)
        return true;
    lm_buffer_text(&b->text, "\n");
    if (b->text.failed) {
        fprintf(stderr, "lerpmesh-bench: out of memory\n");
        return false;
    }
    if (lm_file_write(s->json, b->text.data, b->text.size, &error))
        return true;
    fprintf(stderr, "lerpmesh-bench: %s\n", error.message);
    return false;
}

int main(int argc, char **argv) {
    static settings s;
    static bench b = {.rounds = 101, .batch_ns = 0.5e6};
    b.json.out = &b.text;
    bench_keep_heap();
    int status = parse_bench_arguments(&s, &b, argc, argv);
    if (status)
        return status;
    if (!s.any_path)
        add_default_paths(&s.corpus);
    bench_corpus_sort(&s.corpus);
    if (s.corpus.count == 0) {
        fprintf(stderr, "lerpmesh-bench: no model found to measure; name a file or a folder\n");
        return 1;
    }
    lm_json_open(&b.json, NULL, '{');
    bench_describe_machine(&b, bench_pin());
    printf("%zu models; %zu more were refused as damaged.\n", s.corpus.count, s.corpus.refused);
    lm_json_open(&b.json, "results", '[');
    run_sections(&s, &b);
    lm_json_close(&b.json);
    lm_json_close(&b.json);
    bool written = write_json(&s, &b);
    bench_corpus_free(&s.corpus);
    lm_buffer_free(&b.text);
    return written && !b.failed ? 0 : 1;
}
