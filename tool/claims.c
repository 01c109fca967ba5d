#include "claims.h"

#include "text.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct claim {
    const char *name;
    size_t input;
} claim;

struct tool_claims {
    lm_buffer names;
    claim *named;  /* [num_inputs], by name and input */
    size_t *first; /* [num_inputs] */
    size_t num_inputs;
    claim *files; /* by their paths, which are copies; `lock` guards them */
    size_t num_files, capacity;
    pthread_mutex_t lock;
};

static int compare_claims(const void *a, const void *b) {
    const claim *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->input < y->input ? -1 : x->input > y->input;
}

/* The first of a sorted list that does not come before a name. */
static size_t find(const claim *list, size_t count, const char *name, size_t length) {
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        /* A longer name that begins so comes behind this one. */
        if (strncmp(list[middle].name, name, length) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static bool is_named(const claim *found, const char *name, size_t length) {
    return strncmp(found->name, name, length) == 0 && found->name[length] == '\0';
}

static void sort_names(tool_claims *claims) {
    const char *name = (const char *)claims->names.data;
    for (size_t i = 0; i < claims->num_inputs; i++, name += strlen(name) + 1)
        claims->named[i] = (claim){name, i};
    qsort(claims->named, claims->num_inputs, sizeof *claims->named, compare_claims);
    for (size_t i = 0, head = 0; i < claims->num_inputs; i++) {
        if (strcmp(claims->named[head].name, claims->named[i].name) != 0)
            head = i;
        claims->first[claims->named[i].input] = claims->named[head].input;
    }
}

tool_claims *tool_claims_make(lm_buffer *names, size_t num_inputs) {
    tool_claims *claims = names->failed ? NULL : calloc(1, sizeof *claims);
    if (!claims) {
        lm_buffer_free(names);
        return NULL;
    }
    pthread_mutex_init(&claims->lock, NULL);
    claims->names = *names;
    *names = (lm_buffer){0};
    claims->num_inputs = num_inputs;
    claims->named = calloc(num_inputs + 1, sizeof *claims->named);
    claims->first = calloc(num_inputs + 1, sizeof *claims->first);
    if (!claims->named || !claims->first) {
        tool_claims_free(claims);
        return NULL;
    }
    sort_names(claims);
    return claims;
}

void tool_claims_free(tool_claims *claims) {
    if (!claims)
        return;
    for (size_t i = 0; i < claims->num_files; i++)
        free((void *)claims->files[i].name);
    free(claims->files);
    free(claims->first);
    free(claims->named);
    lm_buffer_free(&claims->names);
    pthread_mutex_destroy(&claims->lock);
    free(claims);
}

size_t tool_claims_first(const tool_claims *claims, size_t input) {
    return claims->first[input];
}

bool tool_claims_find_name(const tool_claims *claims, const char *name, size_t length,
                           size_t *input) {
    const size_t at = find(claims->named, claims->num_inputs, name, length);
    if (at == claims->num_inputs || !is_named(&claims->named[at], name, length))
        return false;
    *input = claims->named[at].input;
    return true;
}

/* At `at`, before what is there. */
static bool insert(tool_claims *claims, size_t at, const char *path, size_t input) {
    if (claims->num_files == claims->capacity) {
        const size_t capacity = 2 * claims->capacity + 64;
        claim *grown = realloc(claims->files, capacity * sizeof *grown);
        if (!grown)
            return false;
        claims->files = grown;
        claims->capacity = capacity;
    }
    const char *copy = tool_copy(path, strlen(path));
    if (!copy)
        return false;
    memmove(claims->files + at + 1, claims->files + at,
            (claims->num_files++ - at) * sizeof *claims->files);
    claims->files[at] = (claim){copy, input};
    return true;
}

bool tool_claims_add(tool_claims *claims, const char *path, size_t input) {
    pthread_mutex_lock(&claims->lock);
    const bool added =
        insert(claims, find(claims->files, claims->num_files, path, strlen(path)), path, input);
    pthread_mutex_unlock(&claims->lock);
    return added;
}

bool tool_claims_find(tool_claims *claims, const char *path, size_t *input) {
    const size_t length = strlen(path);
    pthread_mutex_lock(&claims->lock);
    const size_t at = find(claims->files, claims->num_files, path, length);
    const bool found = at < claims->num_files && is_named(&claims->files[at], path, length);
    if (found)
        *input = claims->files[at].input;
    pthread_mutex_unlock(&claims->lock);
    return found;
}
