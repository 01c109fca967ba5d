#include "option_values.h"

#define OPTIONS_SIZE 1024

static void *never(void *user, size_t size) {
    fail_msg("an allocator without all of its functions is used");
    return NULL;
}

static void assert_rejected(const option_of_call *of, const void *value, size_t size) {
    _Alignas(16) unsigned char options[OPTIONS_SIZE] = {0};
    lm_error error = {.code = LM_CODE_OK};
    assert_true(of->option.offset + size <= sizeof options);
    memcpy(options + of->option.offset, value, size);
    if (of->call(options, &error))
        fail_msg("a bad value of %s is accepted", of->option.member);
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    const char *dot = strrchr(of->option.member, '.'), *name = dot ? dot + 1 : of->option.member;
    if (!strstr(error.message, name))
        fail_msg("\"%s\" does not name %s", error.message, name);
}

static void try_integers(const option_of_call *of) {
    const bool flags = of->option.kind == LM_MEMBER_FLAGS;
    const uint32_t beyond = flags ? ~of->option.limit : of->option.limit + 1;
    const uint32_t values[] = {beyond, 77, 0xff00, UINT32_MAX, 0x80000000};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_rejected(of, &values[i], sizeof values[i]);
}

static void try_numbers(const option_of_call *of) {
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.5};
    const lm_member_kind kind = of->option.kind;
    const bool negative = kind == LM_MEMBER_VEC3 || kind == LM_MEMBER_REAL;
    for (size_t i = 0; i < COUNT_OF(values) - (negative ? 1 : 0); i++) {
        lm_vec3 vector = {0, 0, (float)values[i]};
        if (kind == LM_MEMBER_DOUBLE || kind == LM_MEMBER_REAL)
            assert_rejected(of, &values[i], sizeof values[i]);
        else
            assert_rejected(of, kind == LM_MEMBER_VEC3 ? &vector.x : &vector.z,
                            kind == LM_MEMBER_VEC3 ? sizeof vector : sizeof vector.z);
    }
}

static void try_reserved(const option_of_call *of) {
    for (size_t i = 0; i < LM_NUM_RESERVED; i++) {
        uint64_t reserved[LM_NUM_RESERVED] = {0};
        reserved[i] = (uint64_t)1 << 63;
        assert_rejected(of, reserved, sizeof reserved);
    }
}

void assert_bad_values_rejected(const option_of_call *list, size_t count) {
    const lm_memory memory = {.allocator = {.alloc = never}};
    for (size_t i = 0; i < count; i++) {
        if (list[i].option.kind == LM_MEMBER_MEMORY)
            assert_rejected(&list[i], &memory, sizeof memory);
        else if (list[i].option.kind == LM_MEMBER_RESERVED)
            try_reserved(&list[i]);
        else if (list[i].option.kind <= LM_MEMBER_FLAGS)
            try_integers(&list[i]);
        else
            try_numbers(&list[i]);
    }
}
