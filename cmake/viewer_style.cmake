# Chooses the style of the viewer: libadwaita's or GTK's.
set(LERPMESH_ADWAITA AUTO CACHE STRING
    "Give the viewer libadwaita's style: ON, OFF, or AUTO (if libadwaita 1.2 or later is found)")
set_property(CACHE LERPMESH_ADWAITA PROPERTY STRINGS ON OFF AUTO)
set(lerpmesh_style gtk)
set(lerpmesh_style_report "LERPMESH_ADWAITA is off")
if(LERPMESH_ADWAITA)
    pkg_check_modules(ADWAITA libadwaita-1>=1.2)
    if(ADWAITA_FOUND)
        set(lerpmesh_style adwaita)
        set(lerpmesh_style_report "libadwaita is ${ADWAITA_VERSION}")
    elseif(LERPMESH_ADWAITA STREQUAL "AUTO")
        set(lerpmesh_style_report "libadwaita 1.2 or later was not found")
    else()
        message(FATAL_ERROR
            "LERPMESH_ADWAITA is on, but libadwaita 1.2 or later was not found (Debian: libadwaita-1-dev)")
    endif()
endif()
