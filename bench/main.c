/* lerpmesh-bench: measures speed by comparisons. Each figure compares contenders within this one
 * process, so that anyone can repeat it. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "lerpmesh-bench [options] [PATH...]\n"
    "  PATH          a model, or a folder of models; without any: $LERPMESH_CORPUS,\n"
    "                $ASSIMP_MODELS or /usr/share/assimp/models, samples\n"
    "  --only NAME   load, sample or growth; may be repeated\n"
    "  --rounds N    batches of each contender (default 101)\n"
    "  --batch MS    how long a batch lasts at least (default 0.5)\n";

static struct {
    const char *name;
    bench_section *run;
    bool wanted;
} sections[] = {
    {"load", bench_load, false}, {"sample", bench_sample, false}, {"growth", bench_growth, false}};
static const size_t num_sections = sizeof sections / sizeof *sections;
static bool any_wanted;

/* Returns true if the option and its value are valid. */
static bool parse_option(const char *option, const char *value) {
    for (size_t i = 0; i < num_sections && strcmp(option, "--only") == 0; i++)
        if (strcmp(value, sections[i].name) == 0)
            return any_wanted = sections[i].wanted = true;
    if (strcmp(option, "--rounds") == 0) {
        const long rounds = strtol(value, NULL, 10);
        bench_rounds = (unsigned)rounds;
        return rounds >= 3 && rounds < 100000;
    }
    if (strcmp(option, "--batch") != 0)
        return false;
    bench_batch_ns = strtod(value, NULL) * 1e6;
    return bench_batch_ns > 0 && bench_batch_ns < 1e10;
}

int main(int argc, char **argv) {
    bench_corpus corpus = {0};
    bool any_path = false;
    bench_keep_heap();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strncmp(argv[i], "--", 2) != 0) {
            bench_corpus_add_path(&corpus, argv[i]);
            any_path = true;
        } else if (i + 1 == argc || !parse_option(argv[i], argv[i + 1])) {
            fprintf(stderr, "lerpmesh-bench: %s: no such option, or no usable value\n%s", argv[i],
                    usage);
            return 2;
        } else {
            i++;
        }
    }
    if (!any_path)
        bench_corpus_add_defaults(&corpus);
    if (corpus.count == 0) {
        fprintf(stderr, "lerpmesh-bench: no model found to measure; name a file or a folder\n");
        return 1;
    }
    bench_corpus_sort(&corpus);
    bench_pin();
    bench_describe_machine();
    printf("%zu models; %u rounds of batches of %.1f ms, interleaved\n", corpus.count, bench_rounds,
           bench_batch_ns / 1e6);
    for (size_t i = 0; i < num_sections; i++)
        if (sections[i].wanted || !any_wanted)
            sections[i].run(&corpus);
    bench_corpus_free(&corpus);
    return bench_failed ? 1 : 0;
}
