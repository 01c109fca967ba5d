/* A heap, preloaded before a program, that fails on demand and fills new memory. The environment
 * configures it:
 *
 *     HEAP_FAIL_AT=K    the K-th allocation fails, counted from 1
 *     HEAP_FAIL_FROM=K  that one and all later ones fail
 *     HEAP_FILL=B       new memory is filled with bytes B, 0 to 255; calloc's stays 0
 *     HEAP_GUARD=1      each allocation ends at an inaccessible page
 *     HEAP_COUNT=FILE   the number of allocations is written to FILE when the program ends
 *     HEAP_PEAK=FILE    the peak number of allocated bytes is written to FILE then
 *
 * Counting begins with the first allocation by the program itself, so the loader is unaffected.
 * From then on, allocations by the C library count as well. Any number of threads may use it. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library wants it
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier): these are the C library's own
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);
// NOLINTEND(bugprone-reserved-identifier)

#define PAGE ((size_t)4096)
#define REGION ((size_t)1 << 40)

static struct {
    uintptr_t start, end; /* of the program's own code */
    unsigned long fail_at, fail_from;
    int fill; /* -1: not filled */
    bool guard, ready;
} heap;
static uint8_t *region;
static atomic_size_t used; /* bytes of the region; addresses are never used twice */
static atomic_bool counting;
static atomic_ulong count;
static atomic_size_t held, peak; /* bytes */

/* The first object is the program. */
static int find_program(struct dl_phdr_info *object, size_t size, void *user) {
    (void)size;
    (void)user;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
            heap.start = object->dlpi_addr + header->p_vaddr;
            heap.end = heap.start + header->p_memsz;
        }
    }
    return 1;
}

static unsigned long number(const char *name, unsigned long otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_program, NULL);
    heap.fail_at = number("HEAP_FAIL_AT", 0);
    heap.fail_from = number("HEAP_FAIL_FROM", 0);
    heap.fill = getenv("HEAP_FILL") ? (int)number("HEAP_FILL", 0) : -1;
    if (number("HEAP_GUARD", 0) != 0) {
        region = mmap(NULL, REGION, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        heap.guard = region != MAP_FAILED;
        if (!heap.guard)
            _exit(99);
    }
    heap.ready = true;
}

static void tell(const char *variable, unsigned long value) {
    const char *path = getenv(variable);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0)
        return;
    char text[32];
    int length = snprintf(text, sizeof text, "%lu\n", value);
    if (write(file, text, (size_t)length) != length)
        _exit(99);
    close(file);
}

__attribute__((destructor)) static void end(void) {
    tell("HEAP_COUNT", atomic_load(&count));
    tell("HEAP_PEAK", atomic_load(&peak));
}

/* Counts an allocation requested by CALLER. Returns whether it fails. */
static bool fails(const void *caller) {
    if (!heap.ready)
        return false;
    if (!atomic_load(&counting)) {
        if ((uintptr_t)caller < heap.start || (uintptr_t)caller >= heap.end)
            return false;
        atomic_store(&counting, true);
    }
    const unsigned long this_one = atomic_fetch_add(&count, 1) + 1;
    const bool failed =
        this_one == heap.fail_at || (heap.fail_from > 0 && this_one >= heap.fail_from);
    if (failed)
        errno = ENOMEM;
    return failed;
}

/* ---- Guarded memory: a page with the size, the bytes, an inaccessible page ------------------- */

typedef struct guarded {
    size_t pages, size; /* of the bytes */
} guarded;

static void *guarded_alloc(size_t size) {
    const size_t wanted = (size + 15) & ~(size_t)15;
    if (wanted < size || wanted > REGION / 2)
        return NULL;
    const size_t pages = wanted ? (wanted + PAGE - 1) / PAGE : 1;
    const size_t start = atomic_fetch_add(&used, (pages + 2) * PAGE);
    uint8_t *page = region + start;
    if (start > REGION / 2 || mprotect(page, (pages + 1) * PAGE, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    *(guarded *)page = (guarded){pages, size};
    return wanted ? page + (pages + 1) * PAGE - wanted : page + PAGE;
}

/* Returns the header page of guarded memory; the bytes begin in the next page. Returns NULL if
 * another heap owns the pointer. */
static guarded *guard_of(void *pointer) {
    uint8_t *const p = pointer;
    if (!region || p < region || p >= region + REGION)
        return NULL;
    return (guarded *)(p - (uintptr_t)p % PAGE - PAGE);
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the library has its own names

/* ---- Replacements of the C library's functions ----------------------------------------------- */

/* Counts the bytes of a block of the C library; NULL has none. */
static void *hold(void *pointer) {
    const size_t now =
        atomic_fetch_add(&held, malloc_usable_size(pointer)) + malloc_usable_size(pointer);
    size_t most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now))
        ;
    return pointer;
}

static void count_freed(void *pointer) {
    atomic_fetch_sub(&held, malloc_usable_size(pointer));
}

static void *fresh(size_t size, const void *caller) {
    if (fails(caller))
        return NULL;
    void *made = heap.guard ? guarded_alloc(size) : hold(__libc_malloc(size));
    if (made && heap.fill >= 0)
        memset(made, heap.fill, size);
    return made;
}

void *malloc(size_t size) {
    return fresh(size, __builtin_return_address(0));
}

void *calloc(size_t members, size_t size) {
    if (fails(__builtin_return_address(0)))
        return NULL;
    if (!heap.guard)
        return hold(__libc_calloc(members, size));
    size_t whole;
    return __builtin_mul_overflow(members, size, &whole) ? NULL : guarded_alloc(whole);
}

void free(void *pointer) {
    guarded *g = guard_of(pointer);
    if (!g) {
        count_freed(pointer);
        __libc_free(pointer);
        return;
    }
    const size_t bytes = (g->pages + 1) * PAGE;
    madvise(g, bytes, MADV_DONTNEED);
    mprotect(g, bytes, PROT_NONE);
}

void *realloc(void *pointer, size_t size) {
    guarded *g = guard_of(pointer);
    if (fails(__builtin_return_address(0)))
        return NULL;
    if (!g && (pointer || !heap.guard) && heap.fill < 0) {
        count_freed(pointer);
        void *grown = __libc_realloc(pointer, size);
        hold(grown ? grown : pointer);
        return grown;
    }
    const size_t old = !pointer ? 0 : g ? g->size : malloc_usable_size(pointer);
    void *made = heap.guard ? guarded_alloc(size) : hold(__libc_malloc(size));
    if (!made)
        return NULL;
    if (heap.fill >= 0)
        memset(made, heap.fill, size);
    if (pointer)
        memcpy(made, pointer, old < size ? old : size);
    free(pointer);
    return made;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : hold(__libc_memalign(alignment, size));
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    void *made = hold(__libc_memalign(alignment, size));
    if (!made)
        return ENOMEM;
    *pointer = made;
    return 0;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
