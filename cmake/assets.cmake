# The library for files, archives and images, on top of the core.
file(GLOB_RECURSE assets_sources CONFIGURE_DEPENDS assets/*.c)
lerpmesh_library(assets "${assets_headers}" ${assets_sources})
target_include_directories(lerpmesh-assets-objects PRIVATE assets)
target_compile_definitions(lerpmesh-assets-objects PRIVATE ${lerpmesh_posix} _XOPEN_SOURCE=700)
lerpmesh_uses_inside(assets)
if(lerpmesh_stb_on)
    # As a system header, stb causes no warnings except those about its unused static functions. For an empty
    # chunk of a PNG, it copies 0 bytes to NULL + 0. For damaged JPEG, its sums overflow; -fwrapv makes them
    # wrap on every platform.
    set_source_files_properties(assets/image/stb.c PROPERTIES COMPILE_DEFINITIONS LM_HAVE_STB)
    if(NOT MSVC)
        set_source_files_properties(assets/image/stb.c PROPERTIES COMPILE_OPTIONS
            "-Wno-unused-function;-fwrapv;-fno-sanitize=nonnull-attribute,pointer-overflow")
    endif()
    foreach(target IN ITEMS lerpmesh-assets-objects lerpmesh-assets-shared)
        target_include_directories(${target} SYSTEM PRIVATE ${STB_INCLUDE_DIR})
    endforeach()
endif()
