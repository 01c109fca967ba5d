/* Tests threads that read one archive, load, sample and export its contents at the same time: each
 * gets the results of a single thread. The thread sanitizer is the main check (`make
 * test-hard`). */
#include "archive_maker.h"
#include "support.h"

#include <pthread.h>

enum {
    NUM_MODELS = 4,
    NUM_THREADS = 4,
    NUM_ROUNDS = 10
};

static const char *const names[NUM_MODELS] = {"a.md2", "b.md3", "c.mdc", "d.mdl"};

typedef struct job {
    const lm_archive *archive;
    uint64_t sums[NUM_MODELS]; /* of everything made of each model; 0: a failure */
    unsigned rounds, first;    /* `first`: the model that it starts with */
} job;

/* FNV-1a */
static uint64_t add(uint64_t sum, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t add_samples(uint64_t sum, const lm_model *model, uint32_t surface) {
    const size_t count = 6 * (size_t)model->surfaces[surface].num_vertices;
    float *values = calloc(count + 1, sizeof *values);
    const lm_sample_target target = {.positions = values, .normals = values + 3, .stride = 24};
    for (uint32_t half = 0; values && half < 2 * model->num_frames; half++) {
        lm_pose pose;
        lm_pose_at(model, half / 2.0, &pose);
        if (lm_sample(model, surface, &pose, 1, &target) == LM_CODE_OK)
            sum = add(sum, values, count * sizeof *values);
    }
    free(values);
    return sum;
}

static uint64_t add_exports(uint64_t sum, const lm_model *model) {
    lm_buffer outs[4] = {{0}};
    const lm_gltf_options small = {.quantize = true};
    const bool ok = lm_gltf_write(model, NULL, &outs[0], NULL, NULL, NULL) &&
                    lm_gltf_write(model, &small, &outs[1], NULL, NULL, NULL) &&
                    lm_obj_write(model, NULL, &outs[2], NULL) &&
                    lm_uv_svg_write(model, NULL, &outs[3], NULL);
    for (size_t i = 0; i < COUNT_OF(outs); i++) {
        sum = add(sum, outs[i].data, outs[i].size);
        lm_buffer_free(&outs[i]);
    }
    return ok ? sum : 0;
}

static uint64_t sum_of(const lm_archive *archive, const char *name) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    lm_buffer file = {0};
    lm_model *model = lm_archive_read(archive, name, 0, &file, NULL)
                          ? lm_load_memory(file.data, file.size, NULL, NULL)
                          : NULL;
    for (uint32_t s = 0; model && s < model->num_surfaces; s++)
        sum = add_samples(sum, model, s);
    sum = model ? add_exports(sum, model) : 0;
    lm_model_free(model);
    lm_buffer_free(&file);
    return sum;
}

/* Returns the sum, equal in each round, or 0. It makes no assertions: cmocka's work only in its own
 * thread. */
static void *work(void *user) {
    job *j = user;
    for (unsigned i = 0; i < NUM_MODELS * j->rounds; i++) {
        const unsigned n = (i + j->first) % NUM_MODELS;
        const uint64_t sum = sum_of(j->archive, names[n]);
        j->sums[n] = i < NUM_MODELS || j->sums[n] == sum ? sum : 0;
    }
    return NULL;
}

TEST(test_one_archive) {
    blob models[NUM_MODELS] = {make_md2(&small_md2), make_md3(&small_md3), make_mdc(&small_mdc),
                               make_mdl()};
    packed_file files[NUM_MODELS];
    for (unsigned i = 0; i < NUM_MODELS; i++)
        files[i] = (packed_file){
            .name = names[i], .data = models[i].data, .size = (uint32_t)models[i].size};
    blob pk3 = make_pk3(files, NUM_MODELS);
    lm_archive *archive = lm_archive_open_memory(pk3.data, pk3.size, "test.pk3", NULL, NULL);
    assert_non_null(archive);

    job jobs[NUM_THREADS + 1];
    pthread_t threads[NUM_THREADS];
    for (unsigned t = 0; t < NUM_THREADS; t++) {
        jobs[t] = (job){.archive = archive, .rounds = NUM_ROUNDS, .first = t};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &jobs[t]), 0);
    }
    for (unsigned t = 0; t < NUM_THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    jobs[NUM_THREADS] = (job){.archive = archive, .rounds = 1};
    work(&jobs[NUM_THREADS]);
    for (unsigned n = 0; n < NUM_MODELS; n++)
        for (unsigned t = 0; t <= NUM_THREADS; t++)
            assert_true(jobs[t].sums[n] != 0 && jobs[t].sums[n] == jobs[NUM_THREADS].sums[n]);

    lm_archive_free(archive);
    blob_free(&pk3);
    for (unsigned i = 0; i < NUM_MODELS; i++)
        blob_free(&models[i]);
}
