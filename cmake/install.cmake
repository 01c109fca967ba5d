# make install: both libraries, headers, pkg-config file, CMake package, command, man pages, viewer.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lerpmesh)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(libraries lerpmesh-static lerpmesh-shared lerpmesh-assets-static lerpmesh-assets-shared)
if(lerpmesh_gl_on)
    list(APPEND libraries lerpmesh-gl-static lerpmesh-gl-shared)
    list(APPEND public_headers include/lerpmesh/gl.h)
endif()
install(TARGETS ${libraries} EXPORT lerpmesh-targets)
install(EXPORT lerpmesh-targets NAMESPACE lerpmesh:: DESTINATION ${package_dir})
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lerpmesh)

configure_package_config_file(cmake/lerpmesh-config.cmake.in lerpmesh-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(lerpmesh-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/lerpmesh-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/lerpmesh-config-version.cmake
    DESTINATION ${package_dir})

# The pkg-config file finds its prefix from where it lies, so the prefix may be chosen at install.
file(RELATIVE_PATH pc_to_prefix
    ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
set(pkgconfig_names lerpmesh lerpmesh-assets)
if(lerpmesh_gl_on)
    list(APPEND pkgconfig_names lerpmesh-gl)
endif()
foreach(name IN LISTS pkgconfig_names)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
endforeach()

if(lerpmesh_command_on)
    install(TARGETS lerpmesh-tool)
    if(EXISTS ${PROJECT_SOURCE_DIR}/docs/lerpmesh.1)
        install(FILES docs/lerpmesh.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
    if(lerpmesh_viewer_on)
        install(TARGETS lerpmesh-viewer)
        install(FILES docs/lerpmesh-viewer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
    if(lerpmesh_gl_on)
        include(cmake/desktop.cmake)
    endif()
endif()
