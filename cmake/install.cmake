# Install rules: libraries, headers, pkg-config files, CMake package, command, man pages, viewer.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lerpmesh)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The pkg-config files find the prefix relative to their own folder, so that it can be chosen at install time.
file(RELATIVE_PATH pc_to_prefix
    ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})

# lerpmesh_install(NAME): installs liblerpmesh[-NAME], static and shared, its pkg-config file, and its part of the
# CMake package. NAME is the same as for lerpmesh_library.
function(lerpmesh_install name)
    set(dash "")
    if(name)
        set(dash "-${name}")
    endif()
    set(targets lerpmesh${dash}-static)
    if(TARGET lerpmesh${dash}-shared)
        list(APPEND targets lerpmesh${dash}-shared)
    endif()
    install(TARGETS ${targets} EXPORT lerpmesh${dash}-targets
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT lerpmesh${dash}-targets NAMESPACE lerpmesh:: DESTINATION ${package_dir})
    configure_file(cmake/lerpmesh${dash}.pc.in lerpmesh${dash}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lerpmesh${dash}.pc DESTINATION ${pkgconfig_dir})
endfunction()

set(lerpmesh_gc_sections "")
if(UNIX AND NOT APPLE)
    set(lerpmesh_gc_sections " -Wl,--gc-sections")
endif()
lerpmesh_install("")
set(installed_headers ${core_headers})
if(lerpmesh_write_on)
    lerpmesh_install(write)
    list(APPEND installed_headers ${write_headers})
endif()
if(LERPMESH_ASSETS)
    lerpmesh_install(assets)
    list(APPEND installed_headers ${assets_headers})
endif()
if(lerpmesh_gl_on)
    set(lerpmesh_gl_requires "")
    if(lerpmesh_epoxy_on)
        set(lerpmesh_gl_requires epoxy)
    endif()
    lerpmesh_install(gl)
    list(APPEND installed_headers ${gl_headers})
endif()
if(lerpmesh_import_on)
    lerpmesh_install(import)
    list(APPEND installed_headers ${import_headers})
endif()
# Its header includes that of imports.
if(lerpmesh_convert_on AND lerpmesh_import_on)
    lerpmesh_install(convert)
    list(APPEND installed_headers ${convert_headers})
endif()
install(FILES ${installed_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lerpmesh)

configure_package_config_file(cmake/lerpmesh-config.cmake.in lerpmesh-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(lerpmesh-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/lerpmesh-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/lerpmesh-config-version.cmake
    DESTINATION ${package_dir})

set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/lerpmesh)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${doc_dir})
install(DIRECTORY docs/ DESTINATION ${doc_dir}/docs FILES_MATCHING PATTERN *.md PATTERN man EXCLUDE PATTERN images EXCLUDE PATTERN _* EXCLUDE)
install(DIRECTORY docs/images DESTINATION ${doc_dir}/docs)

# lerpmesh_complete(SHELL FOLDER FILE): installs a shell's completions, which the command generates.
function(lerpmesh_complete shell folder file)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/completions/${file})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/completions)
    add_custom_command(OUTPUT ${script} DEPENDS lerpmesh-tool VERBATIM
        COMMAND lerpmesh-tool completions ${shell} > ${script})
    add_custom_target(lerpmesh-${shell} ALL DEPENDS ${script})
    install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder})
endfunction()

if(lerpmesh_command_on)
    install(TARGETS lerpmesh-tool)
    if(NOT CMAKE_CROSSCOMPILING)
        lerpmesh_complete(bash bash-completion/completions lerpmesh)
        lerpmesh_complete(zsh zsh/site-functions _lerpmesh)
        lerpmesh_complete(fish fish/vendor_completions.d lerpmesh.fish)
    endif()
    # The command's tables are the source of its manual pages.
    find_package(Python3 COMPONENTS Interpreter)
    if(CMAKE_CROSSCOMPILING OR NOT UNIX)
        lerpmesh_report_part(manual OFF "it needs a build for this Unix, which runs the command")
    elseif(NOT Python3_Interpreter_FOUND)
        lerpmesh_report_part(manual OFF "there is no Python 3")
    else()
        lerpmesh_report_part(manual ON "Python is ${Python3_VERSION}")
        set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
        file(GLOB manual_texts CONFIGURE_DEPENDS tool/manual/*.md)
        add_custom_command(OUTPUT ${manual}/man/lerpmesh.1 VERBATIM
            DEPENDS lerpmesh-tool scripts/make_manual.py ${manual_texts}
            COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/make_manual.py
                $<TARGET_FILE:lerpmesh-tool> ${PROJECT_SOURCE_DIR} ${manual})
        add_custom_target(lerpmesh-manual ALL DEPENDS ${manual}/man/lerpmesh.1)
        install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
    install(FILES docs/LICENSE-DejaVu.txt DESTINATION ${doc_dir}/docs)
    if(lerpmesh_viewer_on)
        install(TARGETS lerpmesh-viewer)
        install(FILES docs/man/lerpmesh-viewer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
        if(TARGET lerpmesh-translations)
            install(DIRECTORY ${viewer_locale}/ DESTINATION ${CMAKE_INSTALL_LOCALEDIR})
        endif()
    endif()
    if(lerpmesh_epoxy_on)
        include(cmake/desktop.cmake)
    endif()
endif()
