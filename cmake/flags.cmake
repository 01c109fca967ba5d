# What a system of files is asked with. Machines of 32 bits do not read folders and files with numbers
# of 64 unless they are told to; macOS hides O_NOFOLLOW and the number of processors from POSIX.
set(lerpmesh_posix _POSIX_C_SOURCE=200809L)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    list(APPEND lerpmesh_posix _FILE_OFFSET_BITS=64)
endif()
if(APPLE)
    list(APPEND lerpmesh_posix _DARWIN_C_SOURCE)
endif()

# Floats that are not computed as floats give other bytes: what makes the compiler do that, nothing
# for most machines. src/core/exact.h refuses the rest.
include(CheckCSourceCompiles)
set(lerpmesh_float_flags "")
foreach(flags IN ITEMS "" "-msse2 -mfpmath=sse" "-fexcess-precision=fast")
    set(CMAKE_REQUIRED_FLAGS "-std=c11 ${flags}")
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

# lerpmesh_flags(TARGET [POSIX]): the flags of everything that we compile. POSIX is for programs;
# the core must do without.
function(lerpmesh_flags target)
    cmake_parse_arguments(PARSE_ARGV 1 flags "POSIX" "" "")
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        # The formats call alike what is alike in them: `fields`, `decode_surface`.
        UNITY_BUILD OFF)
    # A fused multiply-add rounds once instead of twice: without this flag the same input would
    # give other bytes on another machine.
    # A square root is one instruction, without a call for errno: 5 kB less, and the same bits.
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno ${lerpmesh_float_flags})
    target_compile_definitions(${target} PRIVATE LM_NO_CONTRACTION)
    if(PROJECT_IS_TOP_LEVEL)
        target_compile_options(${target} PRIVATE
            -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
    else()
        # A parent project's rules for clang-tidy are not ours.
        set_target_properties(${target} PROPERTIES C_CLANG_TIDY "")
    endif()
    if(MINGW)
        # %zu and the rest of C99's printf; and its isfinite() casts to all three types at once.
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
            # Converting a float that does not fit is undefined too, but "undefined" leaves it out.
            set(sanitize -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
            # Every piece of an arena is an allocation: it ends where the sanitizer sees it, and tests
            # that let allocations fail reach each.
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
