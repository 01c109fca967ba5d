# The viewer. Everything except main() is an object library, which the tests link too.
set(viewer_resources ${PROJECT_SOURCE_DIR}/viewer/ui/viewer.gresource.xml)
set(viewer_resource_code ${CMAKE_CURRENT_BINARY_DIR}/viewer_resources.c)
file(GLOB viewer_ui CONFIGURE_DEPENDS viewer/ui/*)
add_custom_command(OUTPUT ${viewer_resource_code}
    COMMAND ${GLIB_COMPILE_RESOURCES} --generate-source --c-name viewer --internal
        --sourcedir=${PROJECT_SOURCE_DIR}/viewer/ui --sourcedir=${PROJECT_SOURCE_DIR} --target=${viewer_resource_code}
        ${viewer_resources}
    DEPENDS ${viewer_ui} ${PROJECT_SOURCE_DIR}/data/org.lerpmesh.Viewer.svg
        ${PROJECT_SOURCE_DIR}/data/window-icon.png ${PROJECT_SOURCE_DIR}/samples/tick.md2
        ${PROJECT_SOURCE_DIR}/samples/tick.pcx
    VERBATIM)

file(GLOB viewer_sources CONFIGURE_DEPENDS viewer/*.c)
list(FILTER viewer_sources EXCLUDE REGEX "/main\\.c$")
# Not a static library: the linker would drop the resources, which register themselves.
add_library(lerpmesh-viewer-objects OBJECT
    ${viewer_sources} ${viewer_resource_code})
lerpmesh_flags(lerpmesh-viewer-objects POSIX)
if(lerpmesh_style STREQUAL "adwaita")
    target_compile_definitions(lerpmesh-viewer-objects PRIVATE LERPMESH_ADWAITA)
endif()
# GTK's signals decide the parameters of their handlers.
target_compile_options(lerpmesh-viewer-objects PRIVATE -Wno-unused-parameter)
set_source_files_properties(${viewer_resource_code} PROPERTIES COMPILE_OPTIONS -w)
target_include_directories(lerpmesh-viewer-objects PUBLIC viewer)
target_include_directories(lerpmesh-viewer-objects SYSTEM PUBLIC
    ${GTK4_INCLUDE_DIRS} ${ADWAITA_INCLUDE_DIRS} ${EPOXY_INCLUDE_DIR})
# Avoids warnings about functions that are deprecated after the oldest supported version of GTK.
target_compile_definitions(lerpmesh-viewer-objects PUBLIC
    GDK_VERSION_MIN_REQUIRED=GDK_VERSION_4_8 GDK_VERSION_MAX_ALLOWED=GDK_VERSION_4_8)
target_link_directories(lerpmesh-viewer-objects PUBLIC ${GTK4_LIBRARY_DIRS} ${ADWAITA_LIBRARY_DIRS})
target_link_libraries(lerpmesh-viewer-objects PUBLIC
    lerpmesh-images lerpmesh-convert-static lerpmesh-common lerpmesh-write-static lerpmesh-assets-static lerpmesh-gl-static
    ${GTK4_LIBRARIES} ${ADWAITA_LIBRARIES} ${EPOXY_LIBRARY})

include(GNUInstallDirs)
lerpmesh_program(lerpmesh-viewer viewer/main.c)
target_compile_definitions(lerpmesh-viewer PRIVATE LERPMESH_LOCALE_DIR="${CMAKE_INSTALL_FULL_LOCALEDIR}")
target_link_libraries(lerpmesh-viewer PRIVATE lerpmesh-viewer-objects)

# The translations. With LERPMESH_LOCALE_DIR in the environment, the viewer reads those of the build.
find_program(MSGFMT msgfmt)
mark_as_advanced(MSGFMT)
file(GLOB viewer_translations CONFIGURE_DEPENDS viewer/po/*.po)
set(viewer_locale ${CMAKE_CURRENT_BINARY_DIR}/locale)
if(MSGFMT)
    foreach(translation IN LISTS viewer_translations)
        get_filename_component(language ${translation} NAME_WE)
        set(catalogue ${viewer_locale}/${language}/LC_MESSAGES/lerpmesh-viewer.mo)
        file(MAKE_DIRECTORY ${viewer_locale}/${language}/LC_MESSAGES)
        add_custom_command(OUTPUT ${catalogue}
            COMMAND ${MSGFMT} --check -o ${catalogue} ${translation} DEPENDS ${translation} VERBATIM)
        list(APPEND viewer_catalogues ${catalogue})
    endforeach()
    add_custom_target(lerpmesh-translations ALL DEPENDS ${viewer_catalogues})
else()
    lerpmesh_left_out(translations "no msgfmt")
endif()
