# Desktops read caches of the folders that lie below CMAKE_INSTALL_PREFIX. Where a program is missing
# there is no desktop to tell, and what goes into a package is told by the system that the package is
# installed on.
if("$ENV{DESTDIR}" STREQUAL "")
    set(share "${CMAKE_INSTALL_PREFIX}/share")
    foreach(update IN ITEMS "update-mime-database;${share}/mime"
            "update-desktop-database;-q;${share}/applications"
            "gtk-update-icon-cache;-q;-t;-f;${share}/icons/hicolor")
        execute_process(COMMAND ${update} RESULT_VARIABLE ignored OUTPUT_QUIET ERROR_QUIET)
    endforeach()
endif()
