"""The package itself: declarations of every public function, types, doctests, and the wheel in a clean environment."""
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile
from pathlib import Path

import package
import skipping
import numpy as np

import lerpmesh

BUILD = Path(os.environ["LERPMESH_BUILD_DIR"])
WHEELS = package.FOLDER.parent
LIBRARIES = ("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-import", "lerpmesh-convert")
PYTHON = package.SOURCE / "python"
MODULES = [importlib.import_module(f"lerpmesh.{module.name}") for module in pkgutil.iter_modules(lerpmesh.__path__)
           if module.name not in ("_native", "__main__")]

# A program that uses the types of the package.
PROGRAM = """
import lerpmesh
import numpy as np
from numpy.typing import NDArray

with lerpmesh.load(b"IDP2", normals="auto") as model:
    positions, normals = model.sample(1.5)
    frames: NDArray[np.float32] = model.bake(0)
    names: list[str] = [clip.name for clip in model.clips]
mesh = lerpmesh.Mesh([lerpmesh.MeshSurface("a", frames, model.surfaces[0].triangles)])
data: bytes = mesh.encode("md3", engine="quake3").data
reveal_type(lerpmesh.open("a", attach=[("tag_head", "head.md3")]).parts[0].skin)
lerpmesh.load(3)
mesh.encode("md3", motor="quake3")
"""


def exported(name):
    """Returns the functions that a shared library exports."""
    done = subprocess.run(["nm", "-D", "--defined-only", BUILD / f"lib{name}.so"], capture_output=True, text=True,
                          check=True)
    return set(re.findall(r" T (lm_\w+?)(?:@.*)?$", done.stdout, re.M))


def public_items():
    """Yields the qualified name and the docstring of each public class, function, method and property."""
    for name in lerpmesh.__all__:
        item = getattr(lerpmesh, name)
        if not (inspect.isclass(item) or inspect.isfunction(item)):
            continue
        yield name, item.__doc__
        for member, value in vars(item).items() if inspect.isclass(item) else ():
            if not member.startswith("_") and (callable(value) or hasattr(value, "fget") or hasattr(value, "func")):
                yield f"{name}.{member}", inspect.getdoc(getattr(item, member))


class Declarations(unittest.TestCase):
    def test_every_public_function_is_declared(self):
        declared = set(dir(lerpmesh.lib))
        if hasattr(lerpmesh.lib, "_libraries"):
            declared |= {name for library in lerpmesh.lib._libraries for name in dir(library)}
        for name in LIBRARIES:
            functions = exported(name)
            self.assertGreater(len(functions), 3, name)
            self.assertEqual(functions - declared, set(), name)

    def test_a_declaration_of_each_kind(self):
        ffi, lib = lerpmesh.ffi, lerpmesh.lib
        self.assertEqual((lib.LM_CODE_OK, lib.LM_CODE_BAD_ARGUMENT, lib.LM_EDIT_NAME_SIZE), (0, 1, 80))
        self.assertEqual((lib.LM_NO_PART, lib.LM_MDC_NO_COMP_FRAME, lib.LM_MEMORY_EXTRA), (2**32 - 1, -1, 2**20))
        self.assertEqual(ffi.sizeof("lm_error"), 8 + 4 + 48 + 2 * 4 + 1024 + 4)
        self.assertEqual(lerpmesh.__version__, ffi.string(lib.lm_version()).decode())


class Structs(unittest.TestCase):
    def test_the_core_knows_the_size_of_each_of_its_structs(self):
        ffi, lib = lerpmesh.ffi, lerpmesh.lib
        headers = ((package.SOURCE / f"include/lerpmesh/{name}.h").read_text(encoding="utf-8") for name in (
            "base", "model", "load", "check", "clips", "sample", "scene", "md2", "md3", "mdc", "mdl"))
        names = re.findall(r"^typedef struct (lm_\w+) \{", "\n".join(headers), re.M)
        self.assertGreater(len(names), 40)
        self.assertEqual([name for name in names if lib.lm_struct_size(name.encode()) != ffi.sizeof(name)], [])
        self.assertEqual((lib.lm_struct_size(b"lm_edit"), lib.lm_struct_size(ffi.NULL)), (0, 0))

    def test_a_library_with_other_structs_is_not_loaded(self):
        with self.assertRaisesRegex(ImportError, "has 7 bytes in the library"):
            lerpmesh.library.check_structs(types.SimpleNamespace(lm_struct_size=lambda name: 7))


class Documentation(unittest.TestCase):
    def test_every_public_name_is_documented(self):
        items = list(public_items())
        self.assertGreater(len(items), 100)
        self.assertEqual([name for name, text in items if not text or re.match(r"\w+\(.*\)$", text, re.S)], [])
        exported_names = {name for name in vars(lerpmesh) if not name.startswith("_")
                          and (name == "lib" or not inspect.ismodule(getattr(lerpmesh, name)))}
        self.assertEqual(exported_names, set(lerpmesh.__all__))

    def test_examples_run(self):
        os.chdir(package.SOURCE)
        names = {**{name: getattr(lerpmesh, name) for name in lerpmesh.__all__}, "np": np, "os": os}
        ran = 0
        for module in (lerpmesh, *MODULES):
            done = doctest.testmod(module, extraglobs=names)
            self.assertEqual(done.failed, 0, module.__name__)
            ran += done.attempted
        for page in (PYTHON / "README.md", package.SOURCE / "docs" / "guides" / "python.md"):
            done = doctest.testfile(str(page), module_relative=False)
            self.assertEqual(done.failed, 0, page)
            self.assertGreater(done.attempted, 1, page)
        self.assertGreater(ran, 15)


class Types(unittest.TestCase):
    def mypy(self, *arguments, cwd=None):
        skipping.need(self, "mypy")
        done = subprocess.run(["mypy", "--strict", "--no-error-summary", "--python-executable", sys.executable,
                               "--cache-dir", "/dev/null", *arguments], capture_output=True, text=True, check=False,
                              cwd=cwd, env={**os.environ, "MYPYPATH": str(package.FOLDER)})
        return (done.stdout + done.stderr).strip().split("\n")

    def test_the_package_is_strictly_typed(self):
        self.assertEqual(self.mypy("lerpmesh", cwd=package.FOLDER), [""])

    def test_programs_see_the_types(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_text(PROGRAM, encoding="utf-8")
            lines = [line for line in self.mypy(str(program)) if "error:" in line or "Revealed" in line]
        self.assertEqual(len(lines), 3, lines)
        self.assertRegex(lines[0], 'Revealed type is ".*lerpmesh.scene.Skin')
        self.assertRegex(lines[1], 'Argument 1 to "load" has incompatible type "int"')
        self.assertRegex(lines[2], 'Unexpected keyword argument "motor"')


class Wheels(unittest.TestCase):
    def test_wheels_work_in_a_clean_environment(self):
        for mode in ("api", "abi"):
            with self.subTest(mode), tempfile.TemporaryDirectory() as folder:
                wheel, = (WHEELS / f"wheels-{mode}").glob("*.whl")
                self.check_contents(wheel, mode)
                self.use(Path(folder), wheel)

    def check_contents(self, wheel, mode):
        names = zipfile.ZipFile(wheel).namelist()
        version = re.escape(lerpmesh.__version__)
        tag = {"api": r"cp39-abi3", "abi": r"py3-none"}[mode]
        self.assertRegex(wheel.name, rf"^lerpmesh-{version}-{tag}-linux_\w+\.whl$")
        self.assertEqual(any(name.endswith(".abi3.so") for name in names), mode == "api")
        self.assertEqual(sum(".so.0." in name for name in names), 0 if mode == "api" else len(LIBRARIES))
        for name in ("lerpmesh/py.typed", "lerpmesh/_native.pyi", "lerpmesh/binaries/lerpmesh"):
            self.assertIn(name, names)

    def use(self, folder, wheel):
        """Installs a wheel into a new environment, and uses it from there."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LERPMESH"))}
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder], check=True,
                       env=clean)
        python = folder / "bin" / "python"

        def run(*words, code=0):
            done = subprocess.run([python, "-I", *words], capture_output=True, text=True, check=False, env=clean,
                                  cwd="/")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            return done.stdout

        run("-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel)
        where = run("-c", "import lerpmesh; print(lerpmesh.__file__)").strip()
        self.assertTrue(where.startswith(str(folder)), where)
        self.assertEqual(run("-c", f"import lerpmesh; print(lerpmesh.load({str(package.TICK)!r}).bake().shape)"),
                         "(49, 538, 3)\n")
        self.assertEqual(run("-m", "lerpmesh", "--version").split()[1], lerpmesh.__version__)
        self.assertIn("49", run("-m", "lerpmesh", "info", str(package.TICK)))
        run("-m", "lerpmesh", "info", "no such file", code=1)
        run("-m", "pip", "uninstall", "-q", "-y", "lerpmesh")
        run("-c", "import lerpmesh", code=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
