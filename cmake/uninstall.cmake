# cmake -DMANIFEST=build/release/install_manifest.txt -DCMAKE_INSTALL_PREFIX=PREFIX -P uninstall.cmake
# removes what `cmake --install` installed last, below DESTDIR where that is set, and those of its
# folders that are ours and empty then.
if(NOT EXISTS "${MANIFEST}")
    message(FATAL_ERROR "Nothing was installed from here: there is no ${MANIFEST}")
endif()
file(STRINGS "${MANIFEST}" files)
foreach(file IN LISTS files)
    file(REMOVE "$ENV{DESTDIR}${file}")
    get_filename_component(folder "$ENV{DESTDIR}${file}" DIRECTORY)
    while(folder MATCHES "/lerpmesh(/|$)")
        list(APPEND folders "${folder}")
        get_filename_component(folder "${folder}" DIRECTORY)
    endwhile()
endforeach()
# What is deeper sorts behind.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
    execute_process(COMMAND rmdir ${folder} RESULT_VARIABLE ignored ERROR_QUIET)
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/desktop_caches.cmake)
