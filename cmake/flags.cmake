# Feature macros for file systems. 32-bit systems need 64-bit offsets and inode numbers; macOS hides O_NOFOLLOW
# and the number of processors from strict POSIX.
set(lerpmesh_posix _POSIX_C_SOURCE=200809L)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    list(APPEND lerpmesh_posix _FILE_OFFSET_BITS=64)
endif()
if(APPLE)
    list(APPEND lerpmesh_posix _DARWIN_C_SOURCE)
endif()

# Finds flags that make the compiler compute floats in single precision, since excess precision changes the
# output. Most machines need none. src/core/exact.h rejects machines on which no flags help.
include(CheckCSourceCompiles)
set(lerpmesh_float_flags "")
set(standard -std=c11)
if(MSVC)
    set(standard /std:c11)
endif()
foreach(flags IN ITEMS "" "-msse2 -mfpmath=sse" "-fexcess-precision=fast")
    set(CMAKE_REQUIRED_FLAGS "${standard} ${flags}")
    string(MAKE_C_IDENTIFIER "LERPMESH_PLAIN_FLOATS${flags}" plain)
    check_c_source_compiles("#include <float.h>
        _Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, \"\");
        int main(void) { return 0; }" ${plain})
    if(${plain})
        separate_arguments(lerpmesh_float_flags UNIX_COMMAND "${flags}")
        break()
    endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)

# The library of sqrt(), floor() and similar functions. Microsoft's C library contains them.
set(lerpmesh_math m)
if(MSVC)
    set(lerpmesh_math "")
endif()

# lerpmesh_flags(TARGET [POSIX]): sets the flags of our own targets. POSIX is for programs; the core must not
# use it.
function(lerpmesh_flags target)
    cmake_parse_arguments(PARSE_ARGV 1 flags "POSIX" "" "")
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        # The formats use the same names for corresponding static functions, such as `decode_surface`.
        UNITY_BUILD OFF)
    target_compile_definitions(${target} PRIVATE LM_NO_CONTRACTION)
    if(MSVC)
        # /fp:precise rounds each operation once. Never run: no Windows machine was at hand.
        target_compile_options(${target} PRIVATE /fp:precise /utf-8 $<$<BOOL:${LERPMESH_WERROR}>:/WX>)
        target_compile_definitions(${target} PRIVATE _CRT_SECURE_NO_WARNINGS _CRT_NONSTDC_NO_WARNINGS)
        return()
    endif()
    # -ffp-contract=off: a fused multiply-add rounds once instead of twice, so the output would depend on the
    # machine. -fno-math-errno: a square root is one instruction; saves 5 kB with the same results.
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno ${lerpmesh_float_flags})
    if(PROJECT_IS_TOP_LEVEL)
        target_compile_options(${target} PRIVATE
            -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
    else()
        # Ignores the clang-tidy rules of a parent project.
        set_target_properties(${target} PROPERTIES C_CLANG_TIDY "")
    endif()
    if(MINGW)
        # Enables C99's printf (%zu). MinGW's isfinite() causes float conversion warnings.
        target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
        target_compile_options(${target} PRIVATE -Wno-float-conversion)
    endif()
    if(LERPMESH_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(flags_POSIX)
        target_compile_definitions(${target} PRIVATE ${lerpmesh_posix})
    endif()
    if(LERPMESH_SANITIZE)
        if(LERPMESH_SANITIZE STREQUAL "memory")
            set(sanitize -fsanitize=memory -fsanitize-memory-track-origins)
        elseif(LERPMESH_SANITIZE STREQUAL "thread")
            set(sanitize -fsanitize=thread)
        else()
            # Out-of-range float conversions are undefined behaviour too, but not part of "undefined".
            set(sanitize -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all)
            if(NOT LERPMESH_SANITIZE STREQUAL "undefined") # under Clang, which also finds offsets of null pointers
                list(APPEND sanitize -fsanitize=address)
            endif()
            # Allocates every piece of an arena separately, so that the sanitizer detects overruns and tests can
            # make each allocation fail.
            target_compile_definitions(${target} PRIVATE LM_ARENA_APART)
        endif()
        target_compile_options(${target} PRIVATE ${sanitize} -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE ${sanitize})
    endif()
    if(LERPMESH_COVERAGE)
        target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()
