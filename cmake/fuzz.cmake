# The fuzzers: one program, for all surfaces that the table in fuzz/fuzz.c lists. With LERPMESH_FUZZ, libFuzzer is its
# main(). In the tests, our own runs the seeds in fuzz/seeds/*.zip and the files in fuzz/regressions, with any compiler.
if(NOT LERPMESH_ASSETS OR NOT lerpmesh_write_on OR WIN32 OR NOT (LERPMESH_FUZZ OR lerpmesh_tests_on))
    lerpmesh_report_part(fuzzers OFF
        "they are for LERPMESH_FUZZ or the tests, and need LERPMESH_ASSETS, LERPMESH_WRITE and POSIX")
    return()
endif()
lerpmesh_report_part(fuzzers ON "LERPMESH_FUZZ is ${LERPMESH_FUZZ}, tests are ${lerpmesh_tests_on}")

add_executable(lerpmesh-fuzz fuzz/fuzz.c fuzz/mesh.c fuzz/load.c fuzz/sample.c fuzz/write.c fuzz/encode.c fuzz/compare.c
    fuzz/skeleton.c fuzz/files.c fuzz/scene.c fuzz/assets.c fuzz/sheet.c tests/support/promises.c)
# Code of programs: contact sheets without a renderer, and the command without its main() and without Assimp, which is
# not ours.
add_library(lerpmesh-fuzz-programs OBJECT common/image/sheet.c common/image/font.c)
set(instrumented lerpmesh-objects lerpmesh-write-objects lerpmesh-assets-objects lerpmesh-common lerpmesh-fuzz-programs)
if(lerpmesh_import_on)
    list(APPEND instrumented lerpmesh-import-objects)
    file(GLOB tool_sources CONFIGURE_DEPENDS tool/*.c convert/*.c)
    list(FILTER tool_sources EXCLUDE REGEX "/(assimp|isolate)\\.c$")
    target_sources(lerpmesh-fuzz-programs PRIVATE ${tool_sources})
    target_sources(lerpmesh-fuzz PRIVATE fuzz/import.c fuzz/tool.c)
    target_compile_definitions(lerpmesh-fuzz PRIVATE FUZZ_HAVE_IMPORT)
endif()
if(lerpmesh_assimp_on)
    target_sources(lerpmesh-fuzz PRIVATE fuzz/assimp.c)
    target_compile_definitions(lerpmesh-fuzz PRIVATE FUZZ_HAVE_ASSIMP)
    target_include_directories(lerpmesh-fuzz PRIVATE import)
    target_include_directories(lerpmesh-fuzz SYSTEM PRIVATE ${ASSIMP_INCLUDE_DIR})
endif()
find_package(Threads REQUIRED)
foreach(target IN ITEMS lerpmesh-fuzz lerpmesh-fuzz-programs)
    lerpmesh_flags(${target} POSIX)
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)
    target_include_directories(${target} PRIVATE fuzz src write assets convert tool tests/support)
    if(lerpmesh_import_on)
        target_link_libraries(${target} PRIVATE lerpmesh-import-static)
    endif()
    target_link_libraries(${target} PRIVATE lerpmesh-common lerpmesh-write-static lerpmesh-assets-static lerpmesh-static
        Threads::Threads ${lerpmesh_math})
    if(NOT LERPMESH_SIMD)
        target_compile_definitions(${target} PRIVATE LM_NO_SIMD)
    endif()
endforeach()
target_compile_definitions(lerpmesh-fuzz-programs PRIVATE main=lerpmesh_main LM_CONVERT_HAVE_IMPORT LM_ISOLATES=0)
target_compile_options(lerpmesh-fuzz-programs PRIVATE -Wno-missing-prototypes)
target_sources(lerpmesh-fuzz PRIVATE $<TARGET_OBJECTS:lerpmesh-fuzz-programs>)
set_target_properties(lerpmesh-fuzz PROPERTIES OUTPUT_NAME fuzz)

if(LERPMESH_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "LERPMESH_FUZZ needs Clang, but the compiler is ${CMAKE_C_COMPILER_ID}")
    endif()
    target_sources(lerpmesh-fuzz PRIVATE fuzz/mutate.c)
    foreach(objects IN LISTS instrumented)
        target_compile_definitions(${objects} PRIVATE LM_ARENA_APART)
    endforeach()
    # OSS-Fuzz chooses the engine, and its flags are in CFLAGS (fuzz/build.sh).
    if(DEFINED ENV{LIB_FUZZING_ENGINE})
        target_link_libraries(lerpmesh-fuzz PRIVATE $ENV{LIB_FUZZING_ENGINE})
    else()
        target_link_options(lerpmesh-fuzz PRIVATE -fsanitize=fuzzer)
        foreach(objects IN LISTS instrumented)
            # Tracing comparisons takes more than half of the time and reaches nothing beyond the dictionaries and
            # the mutator. memcmp and strcmp are traced anyway.
            target_compile_options(${objects} PRIVATE
                -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
        endforeach()
    endif()
else()
    target_sources(lerpmesh-fuzz PRIVATE fuzz/main.c)
endif()

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

add_dependencies(lerpmesh-fuzz lerpmesh-seeds)
if(LERPMESH_FUZZ)
    return()
endif()

add_dependencies(lerpmesh-tests lerpmesh-fuzz)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS fuzz/fuzz.c)
file(STRINGS fuzz/fuzz.c surfaces REGEX "^    {\"")
foreach(line IN LISTS surfaces)
    string(REGEX REPLACE "[{},\"]" "" line "${line}")
    separate_arguments(kinds UNIX_COMMAND "${line}")
    list(POP_FRONT kinds name kind function size dictionary)
    if((function MATCHES "_(import|tool)$" AND NOT lerpmesh_import_on) OR
            (function STREQUAL "fuzz_assimp" AND NOT lerpmesh_assimp_on))
        continue()
    endif()
    # A surface without findings has no folder of regressions. The program fails if a folder is empty.
    list(TRANSFORM kinds PREPEND ${seeds}/)
    file(GLOB regressions CONFIGURE_DEPENDS fuzz/regressions/${name}/*)
    add_test(NAME fuzz_${name} COMMAND lerpmesh-fuzz ${name} ${kinds} ${regressions})
    set_tests_properties(fuzz_${name} PROPERTIES
        TIMEOUT 300 ENVIRONMENT "ASAN_OPTIONS=strict_string_checks=1;UBSAN_OPTIONS=print_stacktrace=1")
endforeach()
