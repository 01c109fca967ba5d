# The libraries: each is a folder, and every .c file in it belongs to it. What stands on what is said
# here, and the linker holds them to it.

# lerpmesh_dll(PREFIX NAME SOURCES…): the shared library on Windows, from objects of its own: what it
# exports, and what it imports from the core's, is marked in them.
function(lerpmesh_dll prefix name)
    add_library(${prefix}shared SHARED ${ARGN})
    foreach(what IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
        set_property(TARGET ${prefix}shared PROPERTY ${what}
            $<TARGET_PROPERTY:${prefix}objects,${what}>)
    endforeach()
    if(NOT name)
        set(name core)
    endif()
    string(TOUPPER ${name} NAME)
    target_compile_definitions(${prefix}shared PRIVATE LM_BUILDS_${NAME} PUBLIC LM_SHARED)
endfunction()

# lerpmesh_library(NAME HEADERS SOURCES…): builds liblerpmesh[-NAME], static and shared, from one set
# of objects, and says lerpmesh::NAME (for the core lerpmesh::lerpmesh) to whichever
# BUILD_SHARED_LIBS asks for. NAME is "" for the core.
function(lerpmesh_library name headers)
    set(dash "")
    if(name)
        set(dash "${name}-")
    endif()
    string(REGEX REPLACE "-$" "" output "lerpmesh-${dash}")
    add_library(lerpmesh-${dash}objects OBJECT ${ARGN} ${headers})
    set_target_properties(lerpmesh-${dash}objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(lerpmesh-${dash}objects PUBLIC ${PROJECT_SOURCE_DIR}/include)
    lerpmesh_flags(lerpmesh-${dash}objects)
    foreach(kind IN ITEMS static shared)
        string(TOUPPER ${kind} KIND)
        if(WIN32 AND kind STREQUAL "shared")
            lerpmesh_dll(lerpmesh-${dash} "${name}" ${ARGN})
        else()
            add_library(lerpmesh-${dash}${kind} ${KIND} $<TARGET_OBJECTS:lerpmesh-${dash}objects>)
        endif()
        add_library(lerpmesh::${dash}${kind} ALIAS lerpmesh-${dash}${kind})
        set_target_properties(lerpmesh-${dash}${kind} PROPERTIES
            OUTPUT_NAME ${output} EXPORT_NAME ${dash}${kind} LINKER_LANGUAGE C)
        target_include_directories(lerpmesh-${dash}${kind} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
        target_link_libraries(lerpmesh-${dash}${kind} PRIVATE m)
        if(name)
            target_link_libraries(lerpmesh-${dash}${kind} PUBLIC lerpmesh-${kind})
        endif()
        lerpmesh_flags(lerpmesh-${dash}${kind})
    endforeach()
    # Until 1.0 a minor version may change the ABI, so it is part of the soname.
    set_target_properties(lerpmesh-${dash}shared PROPERTIES VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    set(alias lerpmesh)
    if(name)
        set(alias ${name})
    endif()
    if(BUILD_SHARED_LIBS)
        add_library(lerpmesh::${alias} ALIAS lerpmesh-${dash}shared)
    else()
        add_library(lerpmesh::${alias} ALIAS lerpmesh-${dash}static)
    endif()
endfunction()

# The core is plain C11: no files, no threads, no POSIX.
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS src/*.c)
# A header belongs to the library whose keyword its declarations have.
file(GLOB core_headers CONFIGURE_DEPENDS include/lerpmesh/*.h)
set(assets_headers "")
set(gl_headers "")
set(import_headers "")
foreach(header IN LISTS core_headers)
    file(STRINGS ${header} declared REGEX "^LM_(ASSETS|GL|IMPORT)_API " LIMIT_COUNT 1)
    if(declared MATCHES "^LM_([A-Z]+)_API")
        string(TOLOWER ${CMAKE_MATCH_1} library)
        list(APPEND ${library}_headers ${header})
    endif()
endforeach()
list(REMOVE_ITEM core_headers ${assets_headers} ${gl_headers} ${import_headers})
lerpmesh_library("" "${core_headers}" ${core_sources})
target_include_directories(lerpmesh-objects PRIVATE src)
if(NOT LERPMESH_SIMD)
    target_compile_definitions(lerpmesh-objects PRIVATE LM_NO_SIMD)
endif()
# Without optimisation these run 14 times slower, and compilers take half a minute for them: a parent
# project's Debug build, or one without a type, has them optimised all the same.
if(NOT LERPMESH_SANITIZE AND NOT LERPMESH_COVERAGE)
    file(GLOB hot_sources CONFIGURE_DEPENDS src/sample/*.c)
    set_property(SOURCE ${hot_sources} APPEND PROPERTY COMPILE_OPTIONS
        $<$<OR:$<CONFIG:Debug>,$<STREQUAL:$<CONFIG>,>>:-O2>)
endif()

if(LERPMESH_ASSETS)
    include(cmake/assets.cmake)
endif()

# Other programs' models, over the public headers of the core alone.
if(lerpmesh_import_on)
    file(GLOB import_sources CONFIGURE_DEPENDS import/*.c)
    if(lerpmesh_assimp_on)
        file(GLOB assimp_sources CONFIGURE_DEPENDS import/assimp/*.c)
        list(APPEND import_sources ${assimp_sources})
        list(REMOVE_ITEM import_sources ${PROJECT_SOURCE_DIR}/import/assimp_off.c)
    endif()
    if(lerpmesh_meshopt_on)
        list(APPEND import_sources import/meshopt/unpack.c)
        list(REMOVE_ITEM import_sources ${PROJECT_SOURCE_DIR}/import/meshopt_off.c)
    endif()
    lerpmesh_library(import "${import_headers}" ${import_sources})
    set_source_files_properties(import/json.c PROPERTIES COMPILE_OPTIONS -Wno-unused-function)
    target_include_directories(lerpmesh-import-objects SYSTEM PRIVATE ${JSMN_INCLUDE_DIR})
    if(WIN32)
        target_include_directories(lerpmesh-import-shared SYSTEM PRIVATE ${JSMN_INCLUDE_DIR})
    endif()
    if(lerpmesh_assimp_on)
        target_include_directories(lerpmesh-import-objects SYSTEM PRIVATE ${ASSIMP_INCLUDE_DIR})
        target_compile_definitions(lerpmesh-import-objects PRIVATE
            LM_IM_ASSIMP_FILE="${assimp_file}")
    endif()
    if(lerpmesh_meshopt_on)
        target_include_directories(lerpmesh-import-objects SYSTEM PRIVATE ${MESHOPT_INCLUDE_DIR})
        target_compile_definitions(lerpmesh-import-objects PRIVATE
            LM_IM_MESHOPT_FILE="${meshopt_file}")
    endif()
    if(lerpmesh_assimp_on OR lerpmesh_meshopt_on)
        target_compile_definitions(lerpmesh-import-objects PRIVATE
            ${lerpmesh_posix} _XOPEN_SOURCE=700)
        foreach(kind IN ITEMS static shared)
            target_link_libraries(lerpmesh-import-${kind} PRIVATE ${CMAKE_DL_LIBS})
        endforeach()
    endif()
endif()

# The renderer, over the public headers of the core alone.
if(lerpmesh_gl_on)
    file(GLOB gl_sources CONFIGURE_DEPENDS gl/*.c)
    lerpmesh_library(gl "${gl_headers}" ${gl_sources})
    if(lerpmesh_epoxy_on)
        target_compile_definitions(lerpmesh-gl-objects PRIVATE LM_GL_HAVE_EPOXY)
        target_include_directories(lerpmesh-gl-objects SYSTEM PRIVATE
            ${EPOXY_INCLUDE_DIR} ${EGL_INCLUDE_DIR})
        foreach(kind IN ITEMS static shared)
            target_link_libraries(lerpmesh-gl-${kind} PRIVATE
                $<BUILD_INTERFACE:${EPOXY_LIBRARY}>$<INSTALL_INTERFACE:epoxy> ${CMAKE_DL_LIBS})
        endforeach()
    endif()
endif()
