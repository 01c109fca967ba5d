#include "claims.h"

#include <pthread.h>
#include <string.h>

typedef struct claim {
    const char *name;
    size_t input;
} claim;

/* Sorted by name. Names mostly arrive in order, and are then appended at the end. */
typedef struct claim_list {
    claim *claims;
    size_t count, capacity;
} claim_list;

struct tool_claims {
    tool_memory *memory;
    claim_list names, files; /* files: keyed by path, guarded by `lock` */
    size_t num_inputs, *first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Finds a name, or its insertion position. */
static bool find(const claim_list *list, const char *name, size_t length, size_t *at) {
    size_t end = list->count;
    *at = 0;
    while (*at < end) {
        const size_t middle = *at + (end - *at) / 2;
        /* A longer name with this prefix comes after it. */
        if (strncmp(list->claims[middle].name, name, length) < 0)
            *at = middle + 1;
        else
            end = middle;
    }
    return *at < list->count && tool_is_word(name, length, list->claims[*at].name);
}

/* Inserts a claim at position `at`. */
static bool insert(tool_memory *memory, claim_list *list, size_t at, const char *name,
                   size_t input) {
    claim *grown =
        tool_grow(memory, list->claims, list->count, &list->capacity, sizeof *list->claims);
    const char *copy = tool_copy(memory, name, strlen(name));
    if (!grown || !copy)
        return false;
    list->claims = grown;
    memmove(list->claims + at + 1, list->claims + at, (list->count++ - at) * sizeof *list->claims);
    list->claims[at] = (claim){copy, input};
    return true;
}

tool_claims *tool_claims_make(tool_memory *memory, size_t num_inputs) {
    tool_claims *claims = tool_alloc(memory, 1, sizeof *claims);
    size_t *first = tool_alloc(memory, num_inputs + 1, sizeof *first);
    if (!claims || !first)
        return NULL;
    *claims = (tool_claims){.memory = memory, .first = first};
    return claims;
}

bool tool_claims_add_name(tool_claims *claims, const char *name) {
    const size_t input = claims->num_inputs++;
    size_t at;
    const bool found = find(&claims->names, name, strlen(name), &at);
    claims->first[input] = found ? claims->names.claims[at].input : input;
    return found || insert(claims->memory, &claims->names, at, name, input);
}

size_t tool_claims_first(const tool_claims *claims, size_t input) {
    return claims->first[input];
}

bool tool_claims_find_name(const tool_claims *claims, const char *name, size_t length,
                           size_t *input) {
    size_t at;
    const bool found = find(&claims->names, name, length, &at);
    if (found)
        *input = claims->names.claims[at].input;
    return found;
}

bool tool_claims_add(tool_claims *claims, const char *path, size_t input) {
    size_t at;
    pthread_mutex_lock(&lock);
    const bool added = find(&claims->files, path, strlen(path), &at) ||
                       insert(claims->memory, &claims->files, at, path, input);
    pthread_mutex_unlock(&lock);
    return added;
}

bool tool_claims_find(tool_claims *claims, const char *path, size_t *input) {
    size_t at;
    pthread_mutex_lock(&lock);
    const bool found = find(&claims->files, path, strlen(path), &at);
    if (found)
        *input = claims->files.claims[at].input;
    pthread_mutex_unlock(&lock);
    return found;
}
