# Updates the desktop's caches below CMAKE_INSTALL_PREFIX. If a program is missing, there is no desktop that
# uses its cache. With DESTDIR, the system that installs the package updates its own caches.
if("$ENV{DESTDIR}" STREQUAL "")
    set(share "${CMAKE_INSTALL_PREFIX}/share")
    foreach(update IN ITEMS "update-mime-database;${share}/mime"
            "update-desktop-database;-q;${share}/applications"
            "glib-compile-schemas;${share}/glib-2.0/schemas"
            "gtk-update-icon-cache;-q;-t;-f;${share}/icons/hicolor")
        execute_process(COMMAND ${update} RESULT_VARIABLE ignored OUTPUT_QUIET ERROR_QUIET)
    endforeach()
endif()
