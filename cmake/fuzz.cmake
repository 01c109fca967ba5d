# The fuzzers of fuzz/fuzzers.txt. With LERPMESH_FUZZ, libFuzzer runs them. In the tests, our own main() runs the
# seeds in fuzz/seeds/*.zip and the files in fuzz/regressions, with any compiler.
if(NOT LERPMESH_ASSETS OR NOT lerpmesh_write_on OR WIN32 OR NOT (LERPMESH_FUZZ OR lerpmesh_tests_on))
    lerpmesh_report_part(fuzzers OFF
        "they are for LERPMESH_FUZZ or the tests, and need LERPMESH_ASSETS, LERPMESH_WRITE and POSIX")
    return()
endif()
lerpmesh_report_part(fuzzers ON "LERPMESH_FUZZ is ${LERPMESH_FUZZ}, tests are ${lerpmesh_tests_on}")

file(STRINGS fuzz/fuzzers.txt fuzzers REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS fuzz/fuzzers.txt)

set(sources fuzz/fuzz.c fuzz/faithful.c fuzz/mesh.c tests/support/promises.c)
if(LERPMESH_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "LERPMESH_FUZZ needs Clang, but the compiler is ${CMAKE_C_COMPILER_ID}")
    endif()
    set(watched lerpmesh-objects lerpmesh-write-objects lerpmesh-assets-objects lerpmesh-common)
    if(lerpmesh_import_on)
        list(APPEND watched lerpmesh-import-objects)
    endif()
    foreach(objects IN LISTS watched)
        # Tracing comparisons takes more than half of the time and reaches nothing beyond the dictionaries and
        # the mutator. memcmp and strcmp are traced anyway.
        target_compile_options(${objects} PRIVATE
            -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
        target_compile_definitions(${objects} PRIVATE LM_ARENA_APART)
    endforeach()
else()
    list(APPEND sources fuzz/main.c)
endif()

# Sets the flags and libraries of a fuzzer, or of the fuzzers' shared code.
function(lerpmesh_fuzzer target)
    lerpmesh_flags(${target} POSIX)
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)
    target_include_directories(${target} PRIVATE fuzz src write tests/support)
    if(lerpmesh_import_on)
        target_link_libraries(${target} PRIVATE lerpmesh-import-static)
    endif()
    target_link_libraries(${target} PRIVATE
        lerpmesh-common lerpmesh-write-static lerpmesh-assets-static lerpmesh-static ${lerpmesh_math})
    if(NOT LERPMESH_SIMD)
        target_compile_definitions(${target} PRIVATE LM_NO_SIMD)
    endif()
endfunction()
add_library(lerpmesh-fuzz-shared OBJECT ${sources})
add_library(lerpmesh-fuzz-mutate OBJECT EXCLUDE_FROM_ALL fuzz/mutate.c)
lerpmesh_fuzzer(lerpmesh-fuzz-shared)
lerpmesh_fuzzer(lerpmesh-fuzz-mutate)

# The command for fuzz_tool, without its main(), without Assimp, which is not ours, and without a renderer.
find_package(Threads REQUIRED)
file(GLOB tool_sources CONFIGURE_DEPENDS tool/*.c)
list(FILTER tool_sources EXCLUDE REGEX "/(convert_assimp|isolate)\\.c$")
add_library(lerpmesh-fuzz-tool OBJECT EXCLUDE_FROM_ALL ${tool_sources})
target_compile_definitions(lerpmesh-fuzz-tool PRIVATE main=lerpmesh_main TOOL_ISOLATES=0)
add_library(lerpmesh-fuzz-sheet OBJECT EXCLUDE_FROM_ALL common/image/sheet.c common/image/font.c)
foreach(target IN ITEMS lerpmesh-fuzz-tool lerpmesh-fuzz-sheet)
    lerpmesh_fuzzer(${target})
    target_include_directories(${target} PRIVATE tool)
    if(lerpmesh_import_on)
        target_compile_definitions(${target} PRIVATE TOOL_HAVE_IMPORT)
    endif()
    if(LERPMESH_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
    endif()
endforeach()
target_compile_options(lerpmesh-fuzz-tool PRIVATE -Wno-missing-prototypes)

# Unpacks each fuzz/seeds/KIND.zip into its own folder.
set(seeds ${PROJECT_BINARY_DIR}/seeds)
file(GLOB packed_seeds CONFIGURE_DEPENDS fuzz/seeds/*.zip)
set(unpacked_seeds "")
foreach(packed IN LISTS packed_seeds)
    get_filename_component(kind ${packed} NAME_WE)
    add_custom_command(OUTPUT ${seeds}/${kind}.stamp
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${seeds}/${kind}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${seeds}/${kind}
        COMMAND ${CMAKE_COMMAND} -E chdir ${seeds}/${kind} ${CMAKE_COMMAND} -E tar xf ${packed}
        COMMAND ${CMAKE_COMMAND} -E touch ${seeds}/${kind}.stamp
        DEPENDS ${packed} VERBATIM)
    list(APPEND unpacked_seeds ${seeds}/${kind}.stamp)
endforeach()
add_custom_target(lerpmesh-seeds DEPENDS ${unpacked_seeds})

foreach(line IN LISTS fuzzers)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words name source kind size dictionary mutator)
    if(source MATCHES "^(import|tool)$" AND NOT lerpmesh_import_on)
        continue()
    endif()
    # A fuzzer without findings has no folder of regressions. The program fails if a folder is empty.
    list(TRANSFORM words PREPEND ${seeds}/)
    file(GLOB regressions CONFIGURE_DEPENDS fuzz/regressions/${name}/*)
    set(name fuzz_${name})
    add_executable(${name} fuzz/fuzz_${source}.c $<TARGET_OBJECTS:lerpmesh-fuzz-shared>)
    lerpmesh_fuzzer(${name})
    add_dependencies(${name} lerpmesh-seeds)
    target_compile_definitions(${name} PRIVATE FUZZ_KIND="${kind}")
    if(TARGET lerpmesh-fuzz-${source})
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:lerpmesh-fuzz-${source}>)
        target_include_directories(${name} PRIVATE tool)
        target_link_libraries(${name} PRIVATE Threads::Threads)
    endif()
    if(LERPMESH_FUZZ)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        if(mutator STREQUAL "mutate")
            target_sources(${name} PRIVATE $<TARGET_OBJECTS:lerpmesh-fuzz-mutate>)
        endif()
        continue()
    endif()
    add_dependencies(lerpmesh-tests ${name})
    add_test(NAME ${name} COMMAND ${name} ${words} ${regressions})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT 300 ENVIRONMENT "ASAN_OPTIONS=strict_string_checks=1;UBSAN_OPTIONS=print_stacktrace=1")
endforeach()
