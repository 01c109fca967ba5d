"""Builds the package: the C libraries and the command by CMake, the module lerpmesh._native by cffi.

Environment: LERPMESH_PYTHON_BUILD, a folder for all files of the build (default: build/python);
LERPMESH_PYTHON_ABI=1: no module is compiled, the package carries the shared libraries (see native.py);
LERPMESH_PYTHON_LIBRARIES, a folder that CMake built already: its libraries and its command are used."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build import build
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

sys.path.insert(0, str(Path(__file__).resolve().parent))
import convert_options  # noqa: E402
import native  # noqa: E402

# Without what a machine may lack: OpenGL and WebP. The linker removes symbols, and the paths of this machine.
OPTIONS = ("-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DLERPMESH_GL=OFF", "-DLERPMESH_VIEWER=OFF", "-DLERPMESH_WEBP=OFF",
           "-DLERPMESH_TESTS=OFF", "-DLERPMESH_BENCH=OFF", "-DLERPMESH_EXAMPLES=OFF", "-DLERPMESH_IMPORT=ON",
           "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON", "-DCMAKE_EXE_LINKER_FLAGS=-s", "-DCMAKE_SHARED_LINKER_FLAGS=-s")
COMMAND = "lerpmesh.exe" if os.name == "nt" else "lerpmesh"


def version() -> str:
    text = (native.ROOT / "include/lerpmesh/base.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define LM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text, re.M))


def binaries() -> list[Path]:
    """Builds the libraries and the command, and returns the files that the package carries."""
    if not native.GIVEN:
        kind = "shared" if native.ABI else "static"
        subprocess.run(["cmake", "-S", str(native.ROOT), "-B", str(native.BINARIES), *OPTIONS], check=True,
                       stdout=sys.stderr)
        subprocess.run(["cmake", "--build", str(native.BINARIES), "--parallel", str(os.cpu_count() or 1), "--target",
                        "lerpmesh-tool", f"lerpmesh-convert-{kind}"],
                       check=True, stdout=sys.stderr)
    return [native.BINARIES / COMMAND, *(shared_libraries() if native.ABI else [])]


def shared_libraries() -> list[Path]:
    """Returns the shared libraries under their full names: liblerpmesh.so.0.1.0."""
    return [native.BINARIES / f"lib{name}.so.{version()}" for name in native.LIBRARIES]


class Build(build):
    def run(self) -> None:
        native.BUILD.mkdir(parents=True, exist_ok=True)
        self.files = binaries()
        super().run()


class BuildPy(build_py):
    """Copies the binaries. A shared library gets the name by which the others refer to it. Writes convert() with the
    options that the command lists. Modules of an earlier build that are gone are not packed."""

    def run(self) -> None:
        for module in Path(self.build_lib, "lerpmesh").glob("*.py"):
            module.unlink()
        super().run()
        folder = Path(self.build_lib) / "lerpmesh" / "binaries"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in self.get_finalized_command("build").files:
            shutil.copy(file, folder / re.sub(r"(\.so\.\d+\.\d+)\.\d+$", r"\1", file.name))
        listed = subprocess.run([native.BINARIES / COMMAND, "help", "convert", "--json"], check=True,
                                capture_output=True, text=True)
        convert_options.write(folder.parent / "_convert.py", listed.stdout)


class Platform(Distribution):
    """The package is for one platform, even without a compiled module."""

    def has_ext_modules(self) -> bool:
        return True


class BdistWheel(bdist_wheel):
    """The wheel works with every later Python, in both modes."""

    def get_tag(self) -> tuple[str, str, str]:
        platform = super().get_tag()[2]
        return ("py3", "none", platform) if native.ABI else ("cp39", "abi3", platform)


native.BUILD.mkdir(parents=True, exist_ok=True)
setup(
    name="lerpmesh",
    version=version(),
    description="Reads, checks, animates, converts and writes keyframe meshes (MDL, MD2, MD3, MDC)",
    long_description=(native.HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="MIT",
    packages=["lerpmesh"],
    package_data={"lerpmesh": ["py.typed", "*.pyi"]},
    python_requires=">=3.9",
    install_requires=["cffi>=1.15", "numpy>=1.21"],
    cffi_modules=["native.py:ffibuilder"],
    distclass=Platform,
    cmdclass={"build": Build, "build_py": BuildPy, "bdist_wheel": BdistWheel},
    options={"build": {"build_base": str(native.BUILD / ("abi" if native.ABI else "api"))},
             "egg_info": {"egg_base": str(native.BUILD)}},
    zip_safe=False,
)
