# What desktops want to know: file types and their icon, thumbnails by the command, and the viewer.
set(icons_dir ${CMAKE_INSTALL_DATADIR}/icons/hicolor)

install(FILES data/lerpmesh.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES data/lerpmesh.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
install(FILES data/org.lerpmesh.Viewer.svg DESTINATION ${icons_dir}/scalable/apps)
if(lerpmesh_viewer_on)
    install(FILES data/org.lerpmesh.Viewer-symbolic.svg DESTINATION ${icons_dir}/symbolic/apps)
    install(FILES data/org.lerpmesh.Viewer.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES data/org.lerpmesh.Viewer.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
endif()

# Desktops read caches of these folders. Where a program is missing there is no desktop to tell, and
# what goes into a package is told by the system that the package is installed on.
install(CODE [[
    if("$ENV{DESTDIR}" STREQUAL "")
        set(share "${CMAKE_INSTALL_PREFIX}/share")
        foreach(update IN ITEMS "update-mime-database;${share}/mime"
                "update-desktop-database;-q;${share}/applications"
                "gtk-update-icon-cache;-q;-t;-f;${share}/icons/hicolor")
            execute_process(COMMAND ${update} RESULT_VARIABLE ignored OUTPUT_QUIET ERROR_QUIET)
        endforeach()
    endif()
]])
