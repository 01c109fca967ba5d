/* Tests threads that import, encode, optimize and compare the same files at the same time: each
 * gets the results of a single thread. The thread sanitizer is the main check (`make test-hard`).
 */
#include "lerpmesh/encode.h"
#include "lerpmesh/import.h"
#include "lerpmesh/mesh.h"
#include "synthetic_gltf.h"

#include "core/bytes.h"

#include <pthread.h>

enum {
    NUM_THREADS = 4,
    NUM_ROUNDS = 2
};

/* A triangle that moves: its positions, the times of three keys, and their translations. */
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
    "\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"animations\":[{\"name\":"
    "\"run\","
    "\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
    "\"path\":\"translation\"}}]}],\"buffers\":[{\"byteLength\":84,\"uri\":\"a.bin\"}],"
    "\"bufferViews\":["
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":36}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},"
    "{\"bufferView\":1,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":3},"
    "{\"bufferView\":2,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}]}";
static const float numbers[21] = {0,    0, 0, 1, 0, 0, 0, 1, 0,    0, 0.1f,
                                  0.2f, 0, 0, 0, 1, 2, 3, 0, 0.5f, 0};

/* The calls of a round; the results of each are one sum. */
typedef enum call {
    ENCODE, /* in each format that is written */
    OPTIMIZE,
    COMPARE,
    IMPORT,
    NUM_CALLS
} call;

typedef struct job {
    const lm_mesh *mesh;   /* shared */
    const lm_buffer *file; /* shared: an MD2 */
    unsigned rounds, first;
    uint64_t sums[NUM_CALLS]; /* 0: a failure */
} job;

/* FNV-1a */
static uint64_t add(uint64_t sum, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static bool read_numbers(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    (void)user;
    (void)uri;
    (void)error;
    uint8_t bytes[sizeof numbers];
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        lm_put_f32(bytes + 4 * i, numbers[i]);
    lm_buffer_append(out, bytes, sizeof bytes);
    return !out->failed;
}

static lm_import *import(void) {
    const lm_import_options options = {.read = read_numbers};
    return lm_import_gltf((const uint8_t *)gltf, sizeof gltf - 1, &options, NULL);
}

static uint64_t sum_import(uint64_t sum) {
    lm_import *made = import();
    const lm_mesh *mesh = made ? made->mesh : NULL;
    if (mesh)
        sum = add(sum, mesh->surfaces[0].positions, (size_t)mesh->num_frames * 9 * sizeof(float));
    lm_import_free(made);
    return mesh ? sum : 0;
}

static uint64_t sum_encode(const lm_mesh *mesh, uint64_t sum) {
    for (uint32_t i = 0; sum && i < lm_format_count(); i++) {
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_encode_report *report = NULL;
        const bool done = lm_encode(mesh, lm_format_at(i), NULL, &out, &report, NULL);
        sum = done ? add(add(sum, out.data, out.size), &report->max_error, sizeof(double)) : 0;
        lm_encode_report_free(report);
    }
    return sum;
}

static uint64_t sum_optimize(const lm_buffer *file, uint64_t sum) {
    lm_buffer out = {0};
    const bool done = lm_optimize(file->data, file->size, NULL, &out, NULL, NULL);
    sum = done ? add(sum, out.data, out.size) : 0;
    lm_buffer_free(&out);
    return sum;
}

static uint64_t sum_compare(const lm_mesh *mesh, const lm_buffer *file, uint64_t sum) {
    lm_model *model = lm_load_memory(file->data, file->size, NULL, NULL);
    lm_mesh *other = model ? lm_mesh_from_model(model, NULL, NULL) : NULL;
    lm_comparison *found = other ? lm_compare(mesh, other, NULL, NULL) : NULL;
    if (found)
        sum = add(sum, &found->all.max_distance, sizeof(double));
    const bool done = found != NULL;
    lm_comparison_free(found);
    lm_mesh_free(other);
    lm_model_free(model);
    return done ? sum : 0;
}

static uint64_t sum_of(const job *j, call which) {
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    switch (which) {
    case IMPORT:
        return sum_import(start);
    case ENCODE:
        return sum_encode(j->mesh, start);
    case OPTIMIZE:
        return sum_optimize(j->file, start);
    default:
        return sum_compare(j->mesh, j->file, start);
    }
}

/* Locked until all threads exist, so that they run at the same time. */
static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

/* Imports last: its lock orders the threads, which would hide races in the other calls. Makes no
 * assertions: cmocka's work only in its own thread. */
static void *work(void *user) {
    job *j = user;
    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    for (unsigned i = 0; i < NUM_CALLS; i++) {
        const unsigned n = i < IMPORT ? (i + j->first) % IMPORT : IMPORT;
        for (unsigned round = 0; round < j->rounds; round++) {
            const uint64_t sum = sum_of(j, (call)n);
            j->sums[n] = round == 0 || j->sums[n] == sum ? sum : 0;
        }
    }
    return NULL;
}

TEST(test_shared_mesh_and_file) {
    job jobs[NUM_THREADS + 1];
    pthread_t threads[NUM_THREADS];
    AT_END(lm_buffer_free) lm_buffer file = {0};
    OWNED(lm_import) *made = import();
    assert_non_null(made);
    assert_true(made->mesh->num_frames > 1);
    assert_true(lm_encode(made->mesh, lm_format_by_name("md2"), NULL, &file, NULL, NULL));
    pthread_mutex_lock(&start);
    for (unsigned t = 0; t < NUM_THREADS; t++) {
        jobs[t] = (job){.mesh = made->mesh, .file = &file, .rounds = NUM_ROUNDS, .first = t};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &jobs[t]), 0);
    }
    pthread_mutex_unlock(&start);
    for (unsigned t = 0; t < NUM_THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    jobs[NUM_THREADS] = (job){.mesh = made->mesh, .file = &file, .rounds = 1};
    work(&jobs[NUM_THREADS]);
    for (unsigned n = 0; n < NUM_CALLS; n++)
        for (unsigned t = 0; t <= NUM_THREADS; t++)
            assert_true(jobs[t].sums[n] != 0 && jobs[t].sums[n] == jobs[NUM_THREADS].sums[n]);
}
