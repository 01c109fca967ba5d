"""Builds the libraries from the source around this file, with Conan 2: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class Lerpmesh(ConanFile):
    name = "lerpmesh"
    description = "Reads, checks, animates, converts and writes keyframe meshes (MDL, MD2, MD3, MDC)"
    license = "MIT"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = ["C"]

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "lerpmesh", "base.h"))
        self.version = ".".join(re.findall(r"^#define LM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.M))

    def export_sources(self):
        source = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "assets/*", "cmake/*", "common/*",
                        "docs/*", "gl/*", "import/*", "convert/*", "include/*", "src/*", "web/*", "write/*"):
            copy(self, pattern, source, self.export_sources_folder)

    def requirements(self):
        self.requires("stb/cci.20230920")
        self.requires("jsmn/1.1.0")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "LERPMESH_STB": "ON", "LERPMESH_IMPORT": "ON", "LERPMESH_ASSIMP": "OFF", "LERPMESH_MESHOPT": "OFF",
            "LERPMESH_GL": "ON", "LERPMESH_GL_EPOXY": "OFF", "LERPMESH_TOOL": "OFF", "LERPMESH_VIEWER": "OFF",
            "LERPMESH_TESTS": "OFF", "LERPMESH_BENCH": "OFF", "LERPMESH_EXAMPLES": "OFF",
            "STB_INCLUDE_DIR": self.dependencies["stb"].cpp_info.includedir.replace("\\", "/"),
            "JSMN_INCLUDE_DIR": self.dependencies["jsmn"].cpp_info.includedir.replace("\\", "/")})
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        needs = {"lerpmesh": [], "write": ["lerpmesh"], "assets": ["lerpmesh"], "gl": ["lerpmesh"],
                 "import": ["write", "lerpmesh"], "convert": ["write", "assets", "import", "lerpmesh"]}
        for name, others in needs.items():
            component = self.cpp_info.components[name]
            library = "lerpmesh" if name == "lerpmesh" else f"lerpmesh-{name}"
            component.libs = [library]
            component.requires = list(others)
            component.set_property("cmake_target_name", f"lerpmesh::{name}")
            component.set_property("pkg_config_name", library)
            if self.settings.os in ("Linux", "FreeBSD"):
                component.system_libs = ["m"]
        self.cpp_info.components["assets"].requires.append("stb::stb")
        self.cpp_info.components["import"].requires.append("jsmn::jsmn")
