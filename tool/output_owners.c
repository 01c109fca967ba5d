#include "output_owners.h"
#include "convert_options.h"

#include <pthread.h>
#include <string.h>

typedef struct owner {
    const char *name;
    size_t input;
} owner;

/* Sorted by name. Names mostly arrive in order, and are then appended at the end. */
typedef struct owner_list {
    owner *owners;
    size_t count, capacity;
} owner_list;

struct tool_owners {
    tool_memory *memory;
    owner_list names, files; /* files: keyed by path, guarded by `lock` */
    size_t num_inputs, *first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Finds a name, or its insertion position. */
static bool find(const owner_list *list, const char *name, size_t length, size_t *at) {
    size_t end = list->count;
    *at = 0;
    while (*at < end) {
        const size_t middle = *at + (end - *at) / 2;
        /* A longer name with this prefix comes after it. */
        if (strncmp(list->owners[middle].name, name, length) < 0)
            *at = middle + 1;
        else
            end = middle;
    }
    return *at < list->count && lm_is_word(name, length, list->owners[*at].name);
}

/* Inserts an owner at position `at`. */
static bool insert(tool_memory *memory, owner_list *list, size_t at, const char *name,
                   size_t input) {
    owner *grown =
        tool_grow(memory, list->owners, list->count, &list->capacity, sizeof *list->owners);
    const char *copy = tool_copy(memory, name, strlen(name));
    if (!grown || !copy)
        return false;
    list->owners = grown;
    memmove(list->owners + at + 1, list->owners + at, (list->count++ - at) * sizeof *list->owners);
    list->owners[at] = (owner){copy, input};
    return true;
}

tool_owners *tool_owners_make(tool_memory *memory, size_t num_inputs) {
    tool_owners *owners = tool_alloc(memory, 1, sizeof *owners);
    size_t *first = tool_alloc(memory, num_inputs + 1, sizeof *first);
    if (!owners || !first)
        return NULL;
    *owners = (tool_owners){.memory = memory, .first = first};
    return owners;
}

bool tool_owners_add_name(tool_owners *owners, const char *name) {
    const size_t input = owners->num_inputs++;
    size_t at;
    const bool found = find(&owners->names, name, strlen(name), &at);
    owners->first[input] = found ? owners->names.owners[at].input : input;
    return found || insert(owners->memory, &owners->names, at, name, input);
}

size_t tool_owners_first(const tool_owners *owners, size_t input) {
    return owners->first[input];
}

bool tool_owners_find_name(const tool_owners *owners, const char *name, size_t length,
                           size_t *input) {
    size_t at;
    const bool found = find(&owners->names, name, length, &at);
    if (found)
        *input = owners->names.owners[at].input;
    return found;
}

bool tool_owners_add(tool_owners *owners, const char *path, size_t input) {
    size_t at;
    pthread_mutex_lock(&lock);
    const bool added = find(&owners->files, path, strlen(path), &at) ||
                       insert(owners->memory, &owners->files, at, path, input);
    pthread_mutex_unlock(&lock);
    return added;
}

bool tool_owners_find(tool_owners *owners, const char *path, size_t *input) {
    size_t at;
    pthread_mutex_lock(&lock);
    const bool found = find(&owners->files, path, strlen(path), &at);
    if (found)
        *input = owners->files.owners[at].input;
    pthread_mutex_unlock(&lock);
    return found;
}
