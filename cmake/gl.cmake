# The renderer: a library of its own over the public headers, static and shared like the core.
file(GLOB gl_sources CONFIGURE_DEPENDS gl/*.c)
add_library(lerpmesh-gl-objects OBJECT ${gl_sources} include/lerpmesh/gl.h)
set_target_properties(lerpmesh-gl-objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(lerpmesh-gl-objects PUBLIC include)
target_include_directories(lerpmesh-gl-objects SYSTEM PRIVATE
    ${EPOXY_INCLUDE_DIR} ${EGL_INCLUDE_DIR})
lerpmesh_flags(lerpmesh-gl-objects)

foreach(kind IN ITEMS static shared)
    string(TOUPPER ${kind} KIND)
    add_library(lerpmesh-gl-${kind} ${KIND} $<TARGET_OBJECTS:lerpmesh-gl-objects>)
    add_library(lerpmesh::gl-${kind} ALIAS lerpmesh-gl-${kind})
    set_target_properties(lerpmesh-gl-${kind} PROPERTIES
        OUTPUT_NAME lerpmesh-gl EXPORT_NAME gl-${kind} LINKER_LANGUAGE C)
    target_link_libraries(lerpmesh-gl-${kind} PUBLIC lerpmesh-${kind}
        PRIVATE $<BUILD_INTERFACE:${EPOXY_LIBRARY}>$<INSTALL_INTERFACE:epoxy> m ${CMAKE_DL_LIBS})
    lerpmesh_flags(lerpmesh-gl-${kind})
endforeach()
set_target_properties(lerpmesh-gl-shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

if(BUILD_SHARED_LIBS)
    add_library(lerpmesh::gl ALIAS lerpmesh-gl-shared)
else()
    add_library(lerpmesh::gl ALIAS lerpmesh-gl-static)
endif()
