#include "core/options.h"

#include "core/heap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Members of each kind ------------------------------------------------------------------- */

/* The end of a sentence that describes a fault; empty if there is none. It spells out infinity and
 * NaN, because printf's text for them differs between systems. */
typedef struct fault {
    char text[96];
} fault;

LM_PRINTF(2, 3) static void set_fault(fault *out, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(out->text, sizeof out->text, sentence, arguments);
    va_end(arguments);
}

static void check_number(double value, bool negative, fault *out) {
    if (isnan(value))
        set_fault(out, "is not a number");
    else if (isinf(value))
        set_fault(out, "is infinite");
    else if (value < 0 && !negative)
        set_fault(out, "is %g, but must be 0 or more", value);
}

static void check_numbers(lm_member_kind kind, const void *at, fault *out) {
    double real = 0;
    float values[3] = {0, 0, 0};
    if (kind == LM_MEMBER_DOUBLE || kind == LM_MEMBER_REAL)
        memcpy(&real, at, sizeof real);
    else
        memcpy(values, at, kind == LM_MEMBER_VEC3 ? sizeof values : sizeof *values);
    const bool negative = kind == LM_MEMBER_VEC3 || kind == LM_MEMBER_REAL;
    check_number(real, negative, out);
    for (int i = 0; i < 3 && !*out->text; i++)
        check_number((double)values[i], negative, out);
}

bool lmi_reserved_valid(const uint64_t *reserved, size_t count, lm_error *error, const char *of,
                        ...) {
    char name[64];
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= reserved[i];
    if (bits == 0)
        return true;
    va_list arguments;
    va_start(arguments, of);
    vsnprintf(name, sizeof name, of, arguments);
    va_end(arguments);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: reserved must be 0", name);
}

bool lmi_array_valid(const void *array, uint64_t count, const char *caller, const char *member,
                     lm_error *error) {
    return array || count == 0 ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: %s is NULL, but its number is %llu",
                         caller, member, (unsigned long long)count);
}

bool lmi_bytes_valid(const void *data, size_t size, const char *caller, lm_error *error) {
    return data || size == 0 ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: data is NULL, but its size is %zu",
                         caller, size);
}

bool lmi_given(const lm_pointers *pointers, const char *names, const char *caller,
               lm_error *error) {
    for (size_t i = 0; *names; i++) {
        const size_t length = strcspn(names, ",");
        if (!pointers->list[i])
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: %.*s is NULL", caller,
                                 (int)length, names);
        names += length + strspn(names + length, ", ");
    }
    return true;
}

bool lmi_buffer_valid(const lm_buffer *buffer, const char *caller, lm_error *error) {
    return !buffer || lmi_allocator_valid(&buffer->allocator, "the buffer", caller, error);
}

bool lmi_lists_valid(const char *caller, const lm_list *lists, size_t num_lists, lm_error *error) {
    for (const lm_list *list = lists; list < lists + num_lists; list++) {
        if (!lmi_array_valid(list->items, list->count, caller, list->name, error))
            return false;
        for (size_t i = 0; i < list->count; i++) {
            const void *pointer;
            memcpy(&pointer, (const char *)list->items + i * list->size + list->offset,
                   sizeof pointer);
            if (!pointer)
                return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: %s[%zu]%s is NULL", caller,
                                     list->name, i, list->member);
        }
    }
    return true;
}

bool lmi_options_valid(const void *options, const char *caller, const lm_option_member *table,
                       size_t count, lm_error *error) {
    for (size_t i = 0; i < count; i++) {
        const lm_option_member *option = &table[i];
        const void *at = (const char *)options + option->offset;
        fault found = {""};
        if (option->kind == LM_MEMBER_MEMORY) {
            if (!lmi_allocator_valid(&((const lm_memory *)at)->allocator, "memory", caller, error))
                return false;
        } else if (option->kind == LM_MEMBER_RESERVED) {
            if (!lmi_reserved_valid(at, LM_NUM_RESERVED, error, "%s", caller))
                return false;
        } else if (option->kind == LM_MEMBER_ENUM || option->kind == LM_MEMBER_FLAGS) {
            uint32_t value;
            memcpy(&value, at, sizeof value);
            if (option->kind == LM_MEMBER_ENUM && value > option->limit)
                set_fault(&found, "is %ld, but must be 0 to %lu", (long)(int32_t)value,
                          (unsigned long)option->limit);
            else if (option->kind == LM_MEMBER_FLAGS && (value & ~option->limit) != 0)
                set_fault(&found, "is %lu, but its flags %lu are undefined", (unsigned long)value,
                          (unsigned long)(value & ~option->limit));
        } else
            check_numbers(option->kind, at, &found);
        if (*found.text)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: %s %s", caller, option->member,
                                 found.text);
    }
    return true;
}
