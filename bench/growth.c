/* Measures the growth of time: the exponent e of time = c * size^e, by least squares over the
 * logarithms. */
#include "instances.h"
#include "models.h"
#include "poses.h"
#include "sections.h"

#include <math.h>
#include <stdio.h>

#define NUM_SIZES 8
static const uint32_t vertex_counts[NUM_SIZES] = {50,    200,    1000,   5000,
                                                  20000, 100000, 500000, 2000000};
/* Vertices per frame: enough that triangles do not dominate the cost of a load. */
#define FRAME_VERTICES 64u
#define NUM_FRAME_SIZES 9
static const uint32_t frame_counts[NUM_FRAME_SIZES] = {30,    100,   300,    1000,  3000,
                                                       10000, 30000, 100000, 300000};
#define NUM_INSTANCE_SIZES 5
static const uint32_t instance_counts[NUM_INSTANCE_SIZES] = {10, 100, 1000, 10000,
                                                             BENCH_NUM_INSTANCES};
/* With more vertices in all frames, a run takes so long that only few rounds are measured. */
#define MANY_VERTICES 500000u
#define FEW_ROUNDS 9u

enum {
    GROW_SEED,
    GROW_SAMPLE,
    GROW_LOAD,
    GROW_COUNT
};

typedef struct synthetic_file {
    lm_buffer buffer;
    lm_model *model;
} synthetic_file;

static bool make(bench *b, uint32_t vertices, uint32_t frames, synthetic_file *out) {
    *out = (synthetic_file){0};
    bench_make_md2(vertices, frames, &out->buffer);
    out->model = lm_load_memory(out->buffer.data, out->buffer.size, NULL, NULL);
    const bool right = out->model && out->model->surfaces->num_vertices == vertices;
    return bench_require(b, right, "a made MD2");
}

static void unmake(synthetic_file *file) {
    lm_model_free(file->model);
    lm_buffer_free(&file->buffer);
}

static void run_load(void *context) {
    const synthetic_file *file = context;
    lm_model_free(lm_load_memory(file->buffer.data, file->buffer.size, NULL, NULL));
}

/* Returns the slope of log(time) over log(size); the times are per unit of size. */
static double exponent(const uint32_t *sizes, const bench_spread *times, unsigned count) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (unsigned i = 0; i < count; i++) {
        double lx = log(sizes[i]), ly = log(times[i].median * sizes[i]);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static bool is_meaningless(const bench_spread *times, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (bench_share_of(times[i]) > BENCH_MAX_GROWTH_SPREAD)
            return true;
    return false;
}

static void report(bench *b, const char *what, const uint32_t *sizes, const bench_spread *times,
                   unsigned count, const char *unit) {
    double slope = exponent(sizes, times, count);
    const bool meaningless = is_meaningless(times, count);
    char number[48] = "(no exponent: the spread is too large)";
    if (!meaningless)
        snprintf(number, sizeof number, "%.3f", slope);
    printf("  > %s: time grows as %s to the power of %s (from %u to %u)\n", what, unit, number,
           sizes[0], sizes[count - 1]);
    lm_json_open(&b->json, NULL, '{');
    lm_json_string(&b->json, "section", "growth");
    lm_json_string(&b->json, "subject", what);
    lm_json_string(&b->json, "over", unit);
    lm_json_bool(&b->json, "meaningless", meaningless);
    if (!meaningless)
        lm_json_double(&b->json, "exponent", slope);
    lm_json_close(&b->json);
}

/* Times the three contenders for one size, in nanoseconds per vertex. */
static bool compare_vertices(bench *b, bench_poses *poses, synthetic_file *file,
                             bench_spread *times) {
    char subject[64];
    bench_spread spreads[GROW_COUNT];
    const uint32_t vertices = poses->num_vertices;
    bench_run run = {poses, BENCH_STRIDE_24, NULL};
    const bench_contender contenders[GROW_COUNT] = {
        [GROW_SEED] = {"seed loop", bench_run_plain, poses},
        [GROW_SAMPLE] = {"lm_sample, stride 24", bench_run_sample, &run},
        [GROW_LOAD] = {"lm_load_memory (2 frames, 2 triangles a vertex)", run_load, file}};
    snprintf(subject, sizeof subject, "growth: %u vertices", vertices);
    if (!bench_poses_agree(b, &run, subject))
        return false;
    bench_compare(b,
                  &(bench_comparison){.section = "growth",
                                      .subject = subject,
                                      .unit = "ns a vertex",
                                      .units = vertices,
                                      .contenders = contenders,
                                      .num_contenders = GROW_COUNT},
                  spreads);
    for (size_t c = 0; c < GROW_COUNT; c++)
        times[c * NUM_SIZES] = spreads[c];
    return true;
}

static bool grow_vertices(bench *b, uint32_t vertices, bench_spread *times) {
    bench_poses poses = {0};
    synthetic_file file;
    bool done = make(b, vertices, 2, &file) && bench_poses_md2(file.model, 1, &poses) &&
                compare_vertices(b, &poses, &file, times);
    bench_poses_free(&poses);
    unmake(&file);
    return done;
}

static bool grow_frames(bench *b, uint32_t frames, bench_spread *time) {
    char subject[64];
    synthetic_file file;
    bool made = make(b, FRAME_VERTICES, frames, &file);
    if (made) {
        const bench_contender contender = {"lm_load_memory", run_load, &file};
        snprintf(subject, sizeof subject, "growth: %u frames of %u vertices", frames,
                 FRAME_VERTICES);
        bench_compare(b,
                      &(bench_comparison){.section = "growth",
                                          .subject = subject,
                                          .unit = "ns a frame",
                                          .units = frames,
                                          .contenders = &contender,
                                          .num_contenders = 1},
                      time);
    }
    unmake(&file);
    return made;
}

static void time_instances(bench *b, bench_instances *instances, bench_spread *time) {
    char subject[64];
    const bench_contender contender = {"lm_sample, stride 32, one call", bench_run_instances,
                                       instances};
    snprintf(subject, sizeof subject, "growth: %zu instances of %u vertices", instances->count,
             BENCH_INSTANCE_VERTICES);
    bench_compare(b,
                  &(bench_comparison){.section = "growth",
                                      .subject = subject,
                                      .unit = "ns an instance",
                                      .units = (double)instances->count,
                                      .contenders = &contender,
                                      .num_contenders = 1},
                  time);
}

static unsigned rounds_for(unsigned rounds, uint32_t vertices) {
    return vertices >= MANY_VERTICES && rounds > FEW_ROUNDS ? FEW_ROUNDS : rounds;
}

/* Returns false if there is too little memory. */
static bool grow_instances(bench *b, bench_spread *times) {
    bench_instances instances;
    const unsigned rounds = b->rounds;
    const bool made = bench_instances_make(b, &instances);
    for (unsigned i = 0; i < NUM_INSTANCE_SIZES && made; i++) {
        instances.count = instance_counts[i];
        b->rounds = rounds_for(rounds, instance_counts[i] * BENCH_INSTANCE_VERTICES);
        time_instances(b, &instances, &times[i]);
    }
    b->rounds = rounds;
    bench_instances_free(&instances);
    return made;
}

void bench_growth(bench *b) {
    static const char *const names[] = {"seed loop", "lm_sample", "lm_load_memory"};
    bench_spread times[GROW_COUNT][NUM_SIZES], frame_times[NUM_FRAME_SIZES];
    bench_spread instance_times[NUM_INSTANCE_SIZES];
    const unsigned rounds = b->rounds;
    bool done = true;
    for (unsigned i = 0; i < NUM_SIZES && done; i++) {
        b->rounds = rounds_for(rounds, vertex_counts[i]);
        done = grow_vertices(b, vertex_counts[i], &times[0][i]);
    }
    for (unsigned i = 0; i < NUM_FRAME_SIZES && done; i++) {
        b->rounds = rounds_for(rounds, frame_counts[i] * FRAME_VERTICES);
        done = grow_frames(b, frame_counts[i], &frame_times[i]);
    }
    b->rounds = rounds;
    if (!done)
        return;
    const bool instances = grow_instances(b, instance_times);
    putchar('\n');
    for (unsigned c = 0; c < GROW_COUNT; c++)
        report(b, names[c], vertex_counts, times[c], NUM_SIZES, "vertices");
    report(b, names[GROW_LOAD], frame_counts, frame_times, NUM_FRAME_SIZES, "frames");
    if (instances)
        report(b, names[GROW_SAMPLE], instance_counts, instance_times, NUM_INSTANCE_SIZES,
               "instances");
}
