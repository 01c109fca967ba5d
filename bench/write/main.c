/* lerpmesh-bench-write: measures the accuracy of the encoders, next to ports of other programs'
 * methods. */
#include "bounds.h"
#include "harness.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "lerpmesh-bench-write [--list] [--skeletons] [PATH...]\n"
    "  --list  each model's figures too\n"
    "  --skeletons  only the skeletons\n"
    "  PATH    a model, or a folder of models; without any: OpenArena's archives,\n"
    "          $LERPMESH_CORPUS or ../shared/corpus, $ASSIMP_MODELS or /usr/share/assimp/models,\n"
    "          samples\n";

static void add_defaults(truths *all) {
    const char *own = getenv("LERPMESH_CORPUS"), *assimp = getenv("ASSIMP_MODELS");
    truths_add_archives(all, "/usr/share/games/openarena/baseoa", NULL);
    truths_add_archives(all, "/usr/share/games/openarena/missionpack", NULL);
    truths_add_files(all, own ? own : "../shared/corpus");
    truths_add_files(all, assimp ? assimp : "/usr/share/assimp/models");
    truths_add_files(all, "samples");
}

int main(int argc, char **argv) {
    static bench b;
    truths all = {0};
    bool listed = false, any = false, skeletons = false;
    b.json.out = &b.text;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        listed = listed || strcmp(argv[i], "--list") == 0;
        skeletons = skeletons || strcmp(argv[i], "--skeletons") == 0;
        if (argv[i][0] != '-')
            truths_add_files(&all, argv[i]);
        any = any || argv[i][0] != '-';
    }
    if (!any)
        add_defaults(&all);
    if (all.count == 0) {
        fprintf(stderr, "lerpmesh-bench-write: no model found to measure\n%s", usage);
        return 1;
    }
    if (!skeletons)
        truths_steady(&all);
    bench_describe_machine(&b, bench_pin());
    bool done = true;
    bool (*const sections[])(const truths *, bool) = {write_skeletons, write_md2, write_mdc,
                                                      write_md3, write_speed};
    for (size_t i = 0; i < (skeletons ? 1 : sizeof sections / sizeof *sections); i++)
        done = sections[i](&all, listed) && done;
    bounds_print();
    truths_free(&all);
    lm_buffer_free(&b.text);
    return done ? 0 : 1;
}
