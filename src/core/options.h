/* Checks a caller's options by a table of their members. Unknown values are rejected, so that a
 * later version may define them. */
#ifndef LM_CORE_OPTIONS_H
#define LM_CORE_OPTIONS_H

#include "lerpmesh/base.h"

typedef enum lm_member_kind {
    LM_MEMBER_ENUM,    /* 0 .. limit */
    LM_MEMBER_FLAGS,   /* bits of limit */
    LM_MEMBER_FLOAT,   /* finite, at least 0 */
    LM_MEMBER_DOUBLE,  /* finite, at least 0 */
    LM_MEMBER_VEC3,    /* finite */
    LM_MEMBER_REAL,    /* a finite double */
    LM_MEMBER_MEMORY,  /* an lm_memory with all of its functions set, or none */
    LM_MEMBER_RESERVED /* LM_NUM_RESERVED zeros */
} lm_member_kind;

/* Elements of `reserved`, the last member of option structs. */
#define LM_NUM_RESERVED 4

/* Returns whether `reserved`, the last member of a caller's struct, has only zeros. If not, fails
 * with LM_CODE_BAD_ARGUMENT and a sentence that begins with `of`, a format such as "part %u". */
bool lmi_reserved_valid(const uint64_t *reserved, size_t count, lm_error *error, const char *of,
                        ...) LM_PRINTF(4, 5);
#define LM_RESERVED_VALID(of, error, ...)                                                    \
    lmi_reserved_valid((of)->reserved, sizeof(of)->reserved / sizeof *(of)->reserved, error, \
                       __VA_ARGS__)

typedef struct lm_option_member {
    const char *member;
    size_t offset;
    lm_member_kind kind;
    uint32_t limit;
} lm_option_member;

#define LM_MEMBER(type, member, kind, limit) \
    {#member, offsetof(type, member), LM_MEMBER_##kind, limit}

/* Checks each member of the table. If one is wrong, fills `error` with LM_CODE_BAD_ARGUMENT and a
 * sentence that names `caller`, the member and the value, and returns false. */
bool lmi_options_valid(const void *options, const char *caller, const lm_option_member *table,
                       size_t count, lm_error *error);

/* Returns whether an array of the caller is not NULL, or has no elements; else fails with
 * LM_CODE_BAD_ARGUMENT and a sentence that names `caller` and the member. */
bool lmi_array_valid(const void *array, uint64_t count, const char *caller, const char *member,
                     lm_error *error);

/* Returns whether bytes of the caller are not NULL, or have the size 0; else fails likewise. */
bool lmi_bytes_valid(const void *data, size_t size, const char *caller, lm_error *error);

/* Returns whether no pointer that a caller must pass is NULL; else fails likewise. The macro passes
 * their names and that of the calling function. */
typedef struct lm_pointers {
    const void *list[4];
} lm_pointers;
bool lmi_given(const lm_pointers *pointers, const char *names, const char *caller, lm_error *error);
#define LM_GIVEN(error, ...) lmi_given(&(lm_pointers){{__VA_ARGS__}}, #__VA_ARGS__, __func__, error)

/* Returns whether a buffer of the caller, which may be NULL, has a complete allocator or none; else
 * fails likewise. Every call that takes an lm_error and writes to a buffer begins with it. */
bool lmi_buffer_valid(const lm_buffer *buffer, const char *caller, lm_error *error);

/* A list of the caller: an array and the number of its items. */
typedef struct lm_list {
    const char *name; /* of the array */
    const void *items;
    size_t count, size; /* of the items; of one item, in bytes */
    const char *member; /* a pointer that no item may lack, such as ".path"; "": the item itself */
    size_t offset;      /* of that pointer in the item */
} lm_list;
#define LM_TEXTS(of, list) {#list, (of)->list, (of)->num_##list, sizeof *(of)->list, "", 0}
#define LM_ITEMS(of, list, type, member) \
    {#list, (of)->list, (of)->num_##list, sizeof(type), "." #member, offsetof(type, member)}

/* Checks lists as lmi_array_valid does, and the pointers in them. */
bool lmi_lists_valid(const char *caller, const lm_list *lists, size_t num_lists, lm_error *error);

#endif
