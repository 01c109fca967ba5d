# Files, archives and pictures: the library above the core.
file(GLOB_RECURSE assets_sources CONFIGURE_DEPENDS assets/*.c)
lerpmesh_library(assets "${assets_headers}" ${assets_sources})
target_include_directories(lerpmesh-assets-objects PRIVATE assets)
target_compile_definitions(lerpmesh-assets-objects PRIVATE ${lerpmesh_posix} _XOPEN_SOURCE=700)
lerpmesh_uses_inside(assets)
if(lerpmesh_stb_on)
    # Its folder is a system's, so that its warnings are not ours; that some of its static functions
    # are left out is warned of all the same. For an empty chunk of a PNG it copies 0 bytes to NULL + 0.
    # Of damaged JPEG its sums overflow: they wrap, the same everywhere.
    set_source_files_properties(assets/pictures/stb.c PROPERTIES COMPILE_DEFINITIONS LM_HAVE_STB
        COMPILE_OPTIONS "-Wno-unused-function;-fwrapv;-fno-sanitize=nonnull-attribute,pointer-overflow")
    foreach(target IN ITEMS lerpmesh-assets-objects lerpmesh-assets-shared)
        target_include_directories(${target} SYSTEM PRIVATE ${STB_INCLUDE_DIR})
    endforeach()
endif()
