#include "counting.h"

#include <stdlib.h>

static bool fails(counting *count) {
    return ++count->calls == count->fail_at;
}

static void *counting_alloc(void *user, size_t size) {
    counting *count = user;
    void *pointer = fails(count) ? NULL : malloc(size);
    if (pointer) {
        count->bytes += size;
        count->allocated++;
    }
    return pointer;
}

static void *counting_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    counting *count = user;
    void *moved = fails(count) ? NULL : realloc(pointer, new_size);
    if (moved)
        count->bytes += new_size - old_size;
    return moved;
}

static void counting_free(void *user, void *pointer, size_t size) {
    counting *count = user;
    count->bytes -= size;
    count->allocated -= pointer != NULL;
    free(pointer);
}

lm_allocator counting_allocator(counting *count) {
    return (lm_allocator){counting_alloc, counting_realloc, counting_free, count};
}
