/* A small reader of .glb files for tests, independent of the writer. */
#ifndef GLTF_READER_H
#define GLTF_READER_H

#include "json_reader.h"
#include "support.h"

typedef struct glb {
    lm_buffer bytes;
    char *json;
    const uint8_t *bin;
    lm_gltf_result result;
} glb;

/* The number at a path, or 0 if it is absent: the default in glTF for all members read here. */
#define json_integer(f, ...) ((size_t)json_number(json_at((f)->json, __VA_ARGS__), 0))

/* Writes a model, and checks the file's chunks. */
glb write_glb(const lm_model *model, lm_gltf_options options);
void close_glb(glb *f);

/* An accessor. The data of compressed files must be copies (copy_packer.h). */
typedef struct glb_accessor {
    size_t type, count, stride, num_sparse, index_type, index_size, value_stride;
    bool normalized, exponential;
    const uint8_t *start, *indices, *values; /* NULL: there are none */
} glb_accessor;

glb_accessor open_accessor(const glb *f, size_t number);
/* Return component `k` of element `index`. */
double read_element(const glb_accessor *a, size_t index, size_t k);
double read_accessor(const glb *f, size_t number, size_t index, size_t k);

/* Finds the sampler of a node's property in an animation. Returns false if nothing animates it. */
bool find_sampler(const glb *f, size_t animation, size_t node, const char *property, size_t *input,
                  size_t *output);

#endif
