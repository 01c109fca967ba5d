/* Describes the conditions of the numbers: the CPU, the compiler, the clock. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sched.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __clang__
#define BENCH_COMPILER __VERSION__
#else
#define BENCH_COMPILER "gcc " __VERSION__
#endif

#ifdef __GLIBC__
void bench_keep_heap(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

bool bench_give_back_heap(void) {
    malloc_trim(0);
    return true;
}
#else
void bench_keep_heap(void) {}

bool bench_give_back_heap(void) {
    return false;
}
#endif

#ifdef __linux__
int bench_pin(void) {
    cpu_set_t set;
    int cpu = sched_getcpu();
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return -1;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? cpu : -1;
}

void bench_unpin(void) {
    cpu_set_t set;
    /* The kernel removes missing and forbidden CPUs. */
    memset(&set, 0xff, sizeof set);
    (void)sched_setaffinity(0, sizeof set, &set);
}
#else
int bench_pin(void) {
    return -1;
}

void bench_unpin(void) {}
#endif

/* Reads the CPU's name from /proc/cpuinfo. */
static void cpu_model(char *out, size_t size) {
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    snprintf(out, size, "unknown");
    while (info && fgets(line, sizeof line, info)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (info)
        fclose(info);
}

/* Returns the features by which the library chooses its kernels. */
static const char *vector_features(void) {
#if defined(LM_NO_SIMD)
    return "none (LERPMESH_SIMD is off: the scalar reference)";
#elif defined(__x86_64__)
    return __builtin_cpu_supports("avx512vbmi") ? "SSE2, AVX2, AVX-512 VBMI"
           : __builtin_cpu_supports("avx512f")  ? "SSE2, AVX2, AVX-512 F"
           : __builtin_cpu_supports("avx2")     ? "SSE2, AVX2"
                                                : "SSE2";
#elif defined(__aarch64__)
    return "NEON";
#else
    return "unknown";
#endif
}

void bench_describe_machine(bench *b, int cpu) {
    char model[256], date[32] = "";
    double load = -1;
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    cpu_model(model, sizeof model);
    (void)getloadavg(&load, 1);
#ifdef __OPTIMIZE__
    const bool optimised = true;
#else
    const bool optimised = false;
    fprintf(stderr, "lerpmesh-bench: built without optimisation: the numbers mean nothing\n");
#endif
    printf("lerpmesh %s, %s\n%s, %s; load average %.2f\ncompiler " BENCH_COMPILER "\n",
           lm_version(), date, model, cpu < 0 ? "not pinned" : "pinned to one CPU", load);
    printf("vector instructions: %s; lm_sample chooses by itself\n", vector_features());
    printf("%u rounds of batches of %.1f ms, interleaved; medians of CPU time (processes: of wall "
           "time);\n"
           "spread is the distance between the quartiles. "
           "A ratio is taken round by round, and not printed if its spread is above %.0f %%.\n",
           b->rounds, b->batch_ns / 1e6, 100 * BENCH_MAX_SPREAD);
    lm_json_open(&b->json, "machine", '{');
    lm_json_string(&b->json, "lerpmesh", lm_version());
    lm_json_string(&b->json, "date", date);
    lm_json_string(&b->json, "cpu", model);
    lm_json_string(&b->json, "vector_instructions", vector_features());
    lm_json_integer(&b->json, "pinned_to", cpu);
    lm_json_double(&b->json, "load_average", load);
    lm_json_string(&b->json, "compiler", BENCH_COMPILER);
    lm_json_bool(&b->json, "optimised", optimised);
    lm_json_integer(&b->json, "rounds", b->rounds);
    lm_json_double(&b->json, "batch_ns", b->batch_ns);
    lm_json_close(&b->json);
}
