"""The declarations of lerpmesh._native, for cffi, which runs this file.

API mode compiles a module that contains the static libraries. ABI mode, with LERPMESH_PYTHON_ABI=1 or without a C
compiler, writes a module of declarations; lerpmesh/library.py then loads the shared libraries of the package."""
import os
import shutil
import sys
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import declarations  # noqa: E402

ROOT = HERE.parent
# pip runs this file in python/, so relative paths begin at the root.
BUILD = (ROOT / (os.environ.get("LERPMESH_PYTHON_BUILD") or "build/python")).resolve()
GIVEN = os.environ.get("LERPMESH_PYTHON_LIBRARIES")  # a folder that has the libraries and the command; None: built here
BINARIES = (ROOT / GIVEN).resolve() if GIVEN else BUILD / "cmake"
LIBRARIES = ("lerpmesh-convert", "lerpmesh-import", "lerpmesh-assets", "lerpmesh-write", "lerpmesh")  # in the order of a linker
HEADERS = ["lerpmesh/lerpmesh.h", "lerpmesh/assets.h", "lerpmesh/import.h", "lerpmesh/convert.h"]  # all but gl.h
LINUX = sys.platform.startswith("linux")
ABI = os.environ.get("LERPMESH_PYTHON_ABI") == "1" or not shutil.which(os.environ.get("CC", "cc"))

# Loads several files in one call: models[count] receives each model or NULL.
LOAD_FILES = """static void load_files(const char *const *paths, size_t count, const lm_load_options *options,
                                       lm_model **models)"""

ffibuilder = FFI()
ffibuilder.cdef(declarations.of(ROOT / "include", HEADERS))
if ABI:
    ffibuilder.set_source("lerpmesh._native", None)
else:
    static = [str(BINARIES / f"lib{name}.a") for name in LIBRARIES]
    ffibuilder.cdef(LOAD_FILES.replace("static ", "") + ";")
    ffibuilder.set_source(
        "lerpmesh._native",
        "".join(f'#include "{header}"\n' for header in HEADERS) + LOAD_FILES + """ {
            for (size_t i = 0; i < count; i++)
                models[i] = lm_load_file(paths[i], options, NULL);
        }""",
        include_dirs=[str(ROOT / "include")],
        extra_objects=static, depends=static,  # the module is linked again when a library changes
        libraries=["m", "dl"] if LINUX else [], extra_compile_args=["-fvisibility=hidden"],
        extra_link_args=["-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-s"] if LINUX else [])
