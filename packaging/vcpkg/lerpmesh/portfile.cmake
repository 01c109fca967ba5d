# An overlay port that builds the source around it:
#   vcpkg install lerpmesh --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        gl     LERPMESH_GL
        import LERPMESH_IMPORT
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DLERPMESH_STB=ON
        -DLERPMESH_ASSIMP=OFF
        -DLERPMESH_MESHOPT=OFF
        -DLERPMESH_GL_EPOXY=OFF
        -DLERPMESH_TOOL=OFF
        -DLERPMESH_VIEWER=OFF
        -DLERPMESH_TESTS=OFF
        -DLERPMESH_BENCH=OFF
        -DLERPMESH_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lerpmesh)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc"
)
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
