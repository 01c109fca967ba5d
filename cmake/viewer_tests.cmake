# The tests of the viewer, included by tests/CMakeLists.txt. Those that open windows run on a virtual display with
# their own settings.
find_program(XVFB_RUN xvfb-run)
mark_as_advanced(XVFB_RUN)
file(GLOB viewer_programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/viewer/test_*.c)
file(GLOB viewer_helpers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/support/viewer/*.c)
set(viewer_home ${PROJECT_BINARY_DIR}/viewer-home)
set(viewer_leaks LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/viewer/leaks.supp:print_suppressions=0)
set(viewer_environment ${environment} ${viewer_leaks} LIBGL_ALWAYS_SOFTWARE=1 GDK_BACKEND=x11 NO_AT_BRIDGE=1
    GSETTINGS_BACKEND=memory GTK_A11Y=test
    HOME=${viewer_home} XDG_CACHE_HOME=${viewer_home}/cache
    XDG_RUNTIME_DIR=${viewer_home}/run DBUS_SESSION_BUS_ADDRESS=disabled:)
foreach(directory IN ITEMS cache run)
    file(MAKE_DIRECTORY ${viewer_home}/${directory})
    file(CHMOD ${viewer_home}/${directory} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

# lerpmesh_viewer_test(NAME PROGRAM ENVIRONMENT…)
function(lerpmesh_viewer_test name program)
    if(XVFB_RUN)
        add_test(NAME ${name}
            COMMAND ${XVFB_RUN} -a -s "-screen 0 1600x1200x24 -noreset" $<TARGET_FILE:${program}>)
    else()
        add_test(NAME ${name} COMMAND ${program})
    endif()
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77 LABELS slow ENVIRONMENT "${viewer_environment};${ARGN}")
endfunction()

foreach(source IN LISTS viewer_programs)
    get_filename_component(name ${source} NAME_WE)
    lerpmesh_program(${name} ${source} ${viewer_helpers} ${CMAKE_CURRENT_SOURCE_DIR}/support/gl/stay_loaded.c)
    target_link_options(${name} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/support
        ${CMAKE_CURRENT_SOURCE_DIR}/support/viewer ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE
        lerpmesh-viewer-objects lerpmesh-assets-test-helpers lerpmesh-test-helpers)
    if(TARGET lerpmesh-translations)
        add_dependencies(${name} lerpmesh-translations)
    endif()
    lerpmesh_viewer_test(${name} ${name})
endforeach()

# Tests the program with simulated keys and mouse on a virtual display.
add_test(NAME test_input.py COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/viewer/test_input.py)
set_tests_properties(test_input.py PROPERTIES
    LABELS "script;slow" ENVIRONMENT "${environment}")

# Random keys and clicks on damaged files. Runs in the sanitized build, too. `make test-hard PARTS=events` runs it for an
# hour.
add_test(NAME test_events.py COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/viewer/test_events.py)
set_tests_properties(test_events.py PROPERTIES
    SKIP_RETURN_CODE 77 LABELS slow ENVIRONMENT "${environment};${viewer_leaks}")

# Tests what a screen reader finds, on a session bus of its own.
add_test(NAME test_accessible.py COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/viewer/test_accessible.py)
set_tests_properties(test_accessible.py PROPERTIES
    SKIP_RETURN_CODE 77 LABELS "script;slow" ENVIRONMENT "${environment}")

# Tests the desktop's preference for dark windows, with a portal on a session bus of its own. Runs in the sanitized
# build, too, whose viewer has GTK's style (CMakePresets.json).
add_test(NAME test_color_scheme.py COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/viewer/test_color_scheme.py)
set_tests_properties(test_color_scheme.py PROPERTIES
    SKIP_RETURN_CODE 77 LABELS slow ENVIRONMENT "${environment}")

# Runs test_viewer with OpenGL ES.
lerpmesh_viewer_test(test_viewer_es test_viewer
    GDK_DEBUG=gl-gles LERPMESH_BUILD_DIR=${PROJECT_BINARY_DIR}/es)
set_tests_properties(test_viewer_es PROPERTIES LABELS "script;slow")

# Runs test_viewer_settings with the schema of GSettings.
find_program(GLIB_COMPILE_SCHEMAS glib-compile-schemas)
mark_as_advanced(GLIB_COMPILE_SCHEMAS)
if(GLIB_COMPILE_SCHEMAS)
    set(viewer_schemas ${PROJECT_BINARY_DIR}/schemas)
    set(viewer_schema ${PROJECT_SOURCE_DIR}/data/org.lerpmesh.Viewer.gschema.xml)
    file(MAKE_DIRECTORY ${viewer_schemas})
    add_custom_command(OUTPUT ${viewer_schemas}/gschemas.compiled
        COMMAND ${GLIB_COMPILE_SCHEMAS} --strict --targetdir=${viewer_schemas} ${PROJECT_SOURCE_DIR}/data
        DEPENDS ${viewer_schema} VERBATIM)
    add_custom_target(lerpmesh-viewer-schemas ALL DEPENDS ${viewer_schemas}/gschemas.compiled)
    lerpmesh_viewer_test(test_viewer_gsettings test_viewer_settings
        GSETTINGS_SCHEMA_DIR=${viewer_schemas} LERPMESH_BUILD_DIR=${PROJECT_BINARY_DIR}/gsettings)
    set_tests_properties(test_viewer_gsettings PROPERTIES LABELS "script;slow")
else()
    lerpmesh_left_out(test_viewer_gsettings "no glib-compile-schemas")
endif()
