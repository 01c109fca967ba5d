/* An allocator that counts, and that fails once at a chosen allocation. */
#ifndef COUNTING_H
#define COUNTING_H

#include "lerpmesh/base.h"

typedef struct counting {
    size_t calls;     /* of alloc and realloc */
    size_t fail_at;   /* the call that fails, from 1; 0: none */
    size_t bytes;     /* allocated now */
    size_t allocated; /* blocks allocated now */
} counting;

lm_allocator counting_allocator(counting *count);

#endif
