# Desktop integration: MIME types and their icon, thumbnails by the command, and the viewer.
set(icons_dir ${CMAKE_INSTALL_DATADIR}/icons/hicolor)

# The build runs the command to list the formats. If it cannot run (in a cross build without an emulator), there is no
# desktop integration.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
endif()
set(desktop_dir ${CMAKE_CURRENT_BINARY_DIR}/data)
file(GLOB desktop_templates CONFIGURE_DEPENDS data/*.in viewer/po/*.po)
find_program(MSGFMT msgfmt)
mark_as_advanced(MSGFMT)
add_custom_command(OUTPUT ${desktop_dir}/formats.json
    COMMAND ${CMAKE_COMMAND} -E make_directory ${desktop_dir}
    COMMAND lerpmesh-tool formats --json > ${desktop_dir}/formats.json
    COMMAND ${CMAKE_COMMAND} -DFORMATS=${desktop_dir}/formats.json
        -DSOURCE=${PROJECT_SOURCE_DIR}/data -DOUT=${desktop_dir} -DMSGFMT=${MSGFMT}
        -DPO=${PROJECT_SOURCE_DIR}/viewer/po
        -P ${PROJECT_SOURCE_DIR}/cmake/desktop_types.cmake
    DEPENDS lerpmesh-tool cmake/desktop_types.cmake ${desktop_templates} VERBATIM)
add_custom_target(lerpmesh-desktop ALL DEPENDS ${desktop_dir}/formats.json)

install(FILES ${desktop_dir}/lerpmesh.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES ${desktop_dir}/lerpmesh.thumbnailer
    DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
install(FILES data/org.lerpmesh.Viewer.svg DESTINATION ${icons_dir}/scalable/apps)
if(lerpmesh_viewer_on)
    install(FILES data/org.lerpmesh.Viewer-symbolic.svg DESTINATION ${icons_dir}/symbolic/apps)
    install(FILES ${desktop_dir}/org.lerpmesh.Viewer.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${desktop_dir}/org.lerpmesh.Viewer.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES data/org.lerpmesh.Viewer.gschema.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/glib-2.0/schemas)
endif()

install(SCRIPT cmake/desktop_caches.cmake)
