/* lerpmesh-bench-write: measures the encoders against bounds: accuracy, size and time. Accuracy is
 * what lm_encode measures on the file that it reads back, compared with what the format permits. */
#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/files.h"
#include "lerpmesh/skeleton.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints a figure and its maximum `most`; 0: it has none. A broken bound is worth investigating. */
static void bound(const char *what, double reached, double most) {
    printf("  %-56s %9.4g", what, reached);
    if (most > 0)
        printf("  at most %7.4g%s", most, reached <= most ? "" : "  BROKEN");
    putchar('\n');
}

/* Returns whether a model is from an archive. */
static bool is_from_game(const bench_file *file) {
    return strstr(file->path, ".pk3:") != NULL;
}

/* Squared figures of many models, relative to a reference, together and of the worst model. */
typedef struct ratio {
    double ours, reference, worst;
} ratio;

static void add(ratio *r, double ours, double reference, double weight) {
    if (!(reference > 0))
        return;
    r->ours += ours * ours * weight;
    r->reference += reference * reference * weight;
    r->worst = fmax(r->worst, ours / reference);
}

static double together(const ratio *r) {
    return sqrt(r->ours / r->reference);
}

/* Encodes a mesh and returns the report; NULL on failure, which it prints. */
static lm_encode_report *encode(const lm_mesh *mesh, const char *format,
                                const lm_encode_options *options) {
    lm_buffer out = {0};
    lm_error error = {0};
    lm_encode_report *report = NULL;
    if (!lm_encode(mesh, lm_format_by_name(format), options, &out, &report, &error))
        bench_require(false, error.message);
    lm_buffer_free(&out);
    return report;
}

/* Leaves out two packs of OpenArena that an installation may lack. */
static bool is_animated_md3(const bench_file *file) {
    return strcmp(file->model->format, "md3") == 0 && file->model->num_frames > 1 &&
           file->model->num_surfaces > 0 && !strstr(file->path, "mature") &&
           !strstr(file->path, "patch088");
}

/* ---- MD2 ----------------------------------------------------------------------------------- */

/* The errors that an exact rounding to 255 steps over each frame's own box would have: the root
 * mean square of the distance, and the largest possible one of any frame. */
static void ideal_errors(const lm_mesh *mesh, double *rms, double *most) {
    double squares = 0;
    *most = 0;
    for (uint32_t f = 0; f < mesh->num_frames; f++) {
        double diagonal = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            double low = INFINITY, high = -INFINITY;
            for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
                const lm_mesh_surface *s = &mesh->surfaces[i];
                for (size_t v = (size_t)f * s->num_vertices; v < (f + (size_t)1) * s->num_vertices;
                     v++) {
                    low = fmin(low, (double)s->positions[3 * v + axis]);
                    high = fmax(high, (double)s->positions[3 * v + axis]);
                }
            }
            diagonal += (high - low) * (high - low) / (255.0 * 255.0);
        }
        squares += diagonal / 12; /* the variance of a rounding error is a twelfth of the square */
        *most = fmax(*most, sqrt(diagonal) / 2);
    }
    *rms = sqrt(squares / mesh->num_frames);
}

/* The grids of an MD2's own frames would hide the jitter of static vertices, so models of other
 * formats are encoded. */
static void write_md2(const bench_corpus *corpus) {
    ratio rms = {0}, most = {0}, jitter = {0}, smooth_rms = {0};
    const lm_encode_options plain = {.strips = LM_STRIPS_NONE};
    const lm_encode_options smooth = {.strips = LM_STRIPS_NONE, .smooth = true};
    unsigned count = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        if (!is_animated_md3(&corpus->files[i]))
            continue;
        double ideal_rms, ideal_most;
        lm_mesh *mesh = lm_mesh_from_model(corpus->files[i].model, NULL, NULL);
        lm_encode_report *report = encode(mesh, "md2", &plain);
        lm_encode_report *smoothed = encode(mesh, "md2", &smooth);
        if (report && smoothed) {
            const double weight = (double)report->num_vertices * mesh->num_frames;
            ideal_errors(mesh, &ideal_rms, &ideal_most);
            add(&rms, report->rms_error, ideal_rms, weight);
            add(&smooth_rms, smoothed->rms_error, ideal_rms, weight);
            add(&most, report->max_error, ideal_most, 1);
            add(&jitter, report->jitter, ideal_rms, (double)report->num_still);
            count++;
        }
        lm_encode_report_free(report);
        lm_encode_report_free(smoothed);
        lm_mesh_free(mesh);
    }
    if (count == 0)
        return;
    printf("\nMD2: %u animated MD3s, relative to rounding in each frame's own box\n", count);
    bound("RMS error", together(&rms), 1.05);
    bound("RMS error, smooth", together(&smooth_rms), 1.06);
    bound("maximum error, worst model", most.worst, 1.25);
    bound("jitter of static vertices / RMS error", together(&jitter), 0.05);
    bound("jitter of static vertices, worst model", jitter.worst, 0.3);
}

/* ---- MD3 and MDC --------------------------------------------------------------------------- */

/* A rotation and a small translation: positions are not 64ths and normals are not exact angles. */
static const lm_transform rotation = {
    {0.3f, -0.2f, 0.1f}, {{0.8f, 0.6f, 0}, {-0.48f, 0.64f, 0.6f}, {0.36f, -0.48f, 0.8f}}};

/* Errors of rotated models. */
typedef struct rounding {
    double most, degrees, most_degrees, weight;
} rounding;

static void add_rounding(const bench_file *file, const char *format, rounding *r) {
    lm_mesh *mesh = lm_mesh_from_model(file->model, NULL, NULL);
    lm_mesh *turned = lm_mesh_transform(mesh, &rotation, NULL, NULL);
    lm_encode_report *report = encode(turned, format, NULL);
    if (report) {
        const double weight = (double)report->num_vertices * turned->num_frames;
        r->most = fmax(r->most, report->max_error);
        r->degrees += report->mean_normal_error * weight;
        r->most_degrees = fmax(r->most_degrees, report->max_normal_error);
        r->weight += weight;
    }
    lm_encode_report_free(report);
    lm_mesh_free(turned);
    lm_mesh_free(mesh);
}

/* A surface with more vertices than the engine draws is split. */
static void split_surface(void) {
    lm_mesh *mesh = bench_make_mesh(20000, 1);
    lm_encode_report *report = encode(mesh, "md3", NULL);
    if (report) {
        printf("\nMD3: a tube of 20,000 vertices, in surfaces of 999\n");
        bound("surfaces / fewest possible", report->num_surfaces / ceil(20000.0 / 999), 1.05);
        bound("vertices / those of the tube", report->num_vertices / 20000.0, 1.03);
    }
    lm_encode_report_free(report);
    lm_mesh_free(mesh);
}

static void write_md3_and_mdc(const bench_corpus *corpus) {
    rounding md3 = {0}, mdc = {0};
    double sizes[3] = {0}; /* MD3, MDC, MDC with `smallest` */
    unsigned count = 0, from_games = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (!is_animated_md3(file))
            continue;
        from_games += is_from_game(file);
        lm_mesh *mesh = lm_mesh_from_model(file->model, NULL, NULL);
        lm_encode_report *reports[3] = {
            encode(mesh, "md3", NULL), encode(mesh, "mdc", NULL),
            encode(mesh, "mdc", &(lm_encode_options){.smallest = true})};
        for (int k = 0; k < 3; k++) {
            if (reports[0] && reports[1] && reports[2])
                sizes[k] += (double)reports[k]->size;
            lm_encode_report_free(reports[k]);
        }
        lm_mesh_free(mesh);
        add_rounding(file, "md3", &md3);
        add_rounding(file, "mdc", &mdc);
        count++;
    }
    if (count > 0) {
        printf("\nMD3 and MDC: %u animated MD3s; errors of the rotated models\n", count);
        bound("MDC / MD3, bytes", sizes[1] / sizes[0], from_games ? 0.44 : 0);
        bound("MDC / MD3, bytes, smallest", sizes[2] / sizes[0], from_games ? 0.43 : 0);
        bound("MD3, maximum error in units", md3.most, sqrt(3) / 128 + 1e-5);
        bound("MDC, maximum error in units", mdc.most, 0.025 * sqrt(3) + 1e-5);
        bound("MD3, normals, mean degrees", md3.degrees / md3.weight, 0.5);
        bound("MD3, normals, most degrees", md3.most_degrees, 1);
        bound("MDC, normals, mean degrees", mdc.degrees / mdc.weight, 3.6);
    }
    split_surface();
}

/* ---- GL commands --------------------------------------------------------------------------- */

#define ROUNDS 7

/* Returns the shortest time of encoding, without a report, in milliseconds. */
static double time_encoding(const lm_mesh *mesh, const char *format, lm_strips strips) {
    const lm_encode_options options = {.strips = strips};
    double least = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        lm_buffer out = {0};
        const double start = bench_now_ms();
        bench_require(lm_encode(mesh, lm_format_by_name(format), &options, &out, NULL, NULL),
                      format);
        least = fmin(least, bench_now_ms() - start);
        lm_buffer_free(&out);
    }
    return least;
}

/* Compares with the commands that the models of files came with, except our own samples. */
static void write_strips(const bench_corpus *corpus) {
    double shipped = 0, fast = 0, best = 0, ms = 0, thousands = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (strcmp(file->model->format, "md2") != 0 || strncmp(file->name, "tick", 4) == 0 ||
            is_from_game(file) || file->model->gl_commands.num_integers < 2)
            continue;
        lm_mesh *mesh = lm_mesh_from_model(file->model, NULL, NULL);
        lm_encode_report *fast_one =
            encode(mesh, "md2", &(lm_encode_options){.strips = LM_STRIPS_FAST});
        lm_encode_report *best_one = encode(mesh, "md2", NULL);
        if (fast_one && best_one) {
            shipped += file->model->gl_commands.num_integers;
            fast += fast_one->num_gl_integers;
            best += best_one->num_gl_integers;
            ms += time_encoding(mesh, "md2", LM_STRIPS_BEST) -
                  time_encoding(mesh, "md2", LM_STRIPS_FAST);
            thousands += file->model->surfaces[0].num_triangles / 1000.0;
        }
        lm_encode_report_free(fast_one);
        lm_encode_report_free(best_one);
        lm_mesh_free(mesh);
    }
    if (!(thousands > 0))
        return;
    printf("\nGL commands of MD2s\n");
    bound("integers, fast / shipped", fast / shipped, 0.89);
    bound("integers, best / shipped", best / shipped, 0.85);
    bound("ms of CPU time per 1,000 triangles, best", ms / thousands, 100);
}

/* ---- Speed --------------------------------------------------------------------------------- */

static void write_speed(const bench_corpus *corpus) {
    lm_mesh *mesh = bench_make_mesh(1000, 500);
    printf("\nSpeed: ms of CPU time, the least of %d runs\n", ROUNDS);
    bound("MDC, 500 frames of 1,000 vertices", time_encoding(mesh, "mdc", LM_STRIPS_BEST), 60);
    lm_mesh_free(mesh);
    for (size_t i = 0; i < corpus->count; i++) {
        if (strcmp(corpus->files[i].name, "sydney.md2") != 0)
            continue;
        mesh = lm_mesh_from_model(corpus->files[i].model, NULL, NULL);
        bound("sydney again as MD2", time_encoding(mesh, "md2", LM_STRIPS_BEST), 60);
        lm_mesh_free(mesh);
        break;
    }
}

/* ---- Skeletons: errors in quanta of the file's rounding, and time -------------------------- */

/* Returns whether an archive's model is a part of a player that moves by itself, or a body without
 * its head in full detail, and a file's one a whole character. */
static bool is_character(const bench_file *file) {
    if (!is_from_game(file))
        return strcmp(file->model->format, "md2") == 0;
    if (strstr(file->path, "models/players/"))
        return strcmp(file->name, "lower.md3") == 0 || strcmp(file->name, "upper.md3") == 0;
    return strcmp(file->model->format, "md2") == 0 && !strstr(file->path, "head") &&
           !strstr(file->path, "-lod") && !strstr(file->path, "weapon");
}

static void write_skeletons(const bench_corpus *corpus) {
    static const char *const verdicts[] = {"accepted", "warned", "refused"};
    unsigned counts[3] = {0};
    double slowest = 0, slowest_long = 0; /* of up to 100,000 and of up to 1,000,000 positions */
    printf("\nSkeletons: frames, joints, translating; error in q; largest, units; CPU "
           "time\n");
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (file->model->num_frames < 20 || !is_character(file))
            continue;
        lm_error error = {0};
        const lm_skeleton_options options = {.quantum = lm_skeleton_quantum(file->model)};
        lm_mesh *mesh = lm_mesh_from_model(file->model, NULL, &error);
        const double start = bench_now_ms();
        lm_skeleton *s = mesh ? lm_skeleton_fit(mesh, &options, &error) : NULL;
        const double seconds = (bench_now_ms() - start) / 1e3;
        if (!mesh || !s) {
            bench_require(false, error.message);
        } else {
            double positions = 0;
            for (uint32_t k = 0; k < mesh->num_surfaces; k++)
                positions += (double)mesh->surfaces[k].num_vertices * mesh->num_frames;
            printf("  %-50.50s %5u %3u %3u %6.2f %8.3g %7.2f s  %s\n", file->path,
                   (unsigned)s->num_frames, (unsigned)s->num_joints, (unsigned)s->num_translating,
                   s->all.rms_error / s->quantum, s->all.max_error, seconds, verdicts[s->verdict]);
            counts[s->verdict]++;
            if (positions <= 1e5 && seconds > slowest)
                slowest = seconds;
            if (positions <= 1e6 && seconds > slowest_long)
                slowest_long = seconds;
        }
        lm_skeleton_free(s);
        lm_mesh_free(mesh);
    }
    printf("  %u accepted, %u warned, %u refused\n", counts[0], counts[1], counts[2]);
    bound("seconds for up to 100,000 positions", slowest, 1.5);
    bound("seconds for up to 1,000,000 positions", slowest_long, 6);
}

/* ---- All ----------------------------------------------------------------------------------- */

static const char usage[] =
    "lerpmesh-bench-write [--skeletons] [PATH...]\n"
    "  --skeletons  only the skeletons\n"
    "  PATH    a model, or a folder of models; without any: the archives of OpenArena and UFO:\n"
    "          Alien Invasion, $LERPMESH_CORPUS, $ASSIMP_MODELS or /usr/share/assimp/models,\n"
    "          samples\n";

/* Adds the models of a folder's archives whose paths contain `part`. */
static void add_archives(bench_corpus *corpus, const char *folder, const char *part) {
    char path[4096];
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        lm_archive *archive = strstr(path, ".pk3") ? lm_archive_open(path, NULL, NULL, NULL) : NULL;
        for (size_t i = 0; archive && i < archive->num_members; i++) {
            const lm_member *member = archive->members[i];
            lm_buffer bytes = {0};
            snprintf(path, sizeof path, "%s:%s", entry->d_name, member->path);
            if (lm_format_by_extension(member->path) && strstr(member->path, part) &&
                lm_archive_read(archive, member->path, 0, &bytes, NULL))
                bench_corpus_add(corpus, path, bytes.data, bytes.size);
            lm_buffer_free(&bytes);
        }
        lm_archive_free(archive);
    }
    if (entries)
        closedir(entries);
}

int main(int argc, char **argv) {
    static const char *const bodies[] = {"models/aliens/", "models/civilians/", "models/pilots/",
                                         "models/soldiers/"};
    bench_corpus corpus = {0};
    bool skeletons = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--skeletons") == 0)
            skeletons = true;
        else
            bench_corpus_add_path(&corpus, argv[i]);
    }
    if (argc == 1 + skeletons) {
        add_archives(&corpus, "/usr/share/games/openarena/baseoa", "");
        for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
            add_archives(&corpus, "/usr/share/games/ufoai/base", bodies[i]);
        bench_corpus_add_defaults(&corpus);
    }
    bench_corpus_sort(&corpus);
    if (corpus.count == 0) {
        fprintf(stderr, "lerpmesh-bench-write: no model found to measure\n%s", usage);
        return 1;
    }
    bench_pin();
    bench_describe_machine();
    printf("%zu models\n", corpus.count);
    if (!skeletons) {
        write_md2(&corpus);
        write_md3_and_mdc(&corpus);
        write_strips(&corpus);
        write_speed(&corpus);
    }
    write_skeletons(&corpus);
    bench_corpus_free(&corpus);
    return bench_failed ? 1 : 0;
}
