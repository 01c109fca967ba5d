"""Builds the program of README.md against the package, and runs it."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy


class LerpmeshTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        source = os.path.join(self.recipe_folder, "..", "..", "..")
        copy(self, "pose.c", os.path.join(source, "examples"), self.build_folder)
        copy(self, "tick.md2", os.path.join(source, "samples"), self.build_folder)
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            pose = os.path.join(self.cpp.build.bindirs[0], "pose")
            self.run(f'"{pose}" "{os.path.join(self.build_folder, "tick.md2")}"', env="conanrun")
