"""The add-on for Blender without Blender: its modules load with a stand-in for bpy, and its archives are complete."""
import importlib
import subprocess
import sys
import tempfile
import tomllib
import types
import unittest
import zipfile
from pathlib import Path

import package  # noqa: F401

import lerpmesh

BLENDER = Path(__file__).resolve().parents[2] / "python" / "blender"


class Kind(type):
    """A class whose missing attributes are stand-ins."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{cls.__name__}.{name}")


class StandIn(types.ModuleType):
    """A module whose capitalized names are classes, others modules that can be called."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = Kind(name, (), {}) if name[0].isupper() else StandIn(f"{self.__name__}.{name}")
        setattr(self, name, made)
        return made

    def __call__(self, *values, **keys):
        return keys or (values[0] if len(values) == 1 else None)

    def __getitem__(self, name):
        return getattr(self, name)

    def __iter__(self):
        return iter(())


def stand_in():
    """Returns the modules of Blender that the add-on imports."""
    bpy = StandIn("bpy")
    for name in "Bool", "Collection", "Enum", "Float", "Int", "Pointer", "String":
        setattr(bpy.props, f"{name}Property", lambda **keys: keys)
    bpy.app.handlers.persistent = lambda call: call
    bpy_extras = StandIn("bpy_extras")
    return {"bpy": bpy, "bpy.props": bpy.props, "bpy_extras": bpy_extras, "bpy_extras.io_utils": bpy_extras.io_utils,
            "mathutils": StandIn("mathutils"), "blf": StandIn("blf")}


class AddOn(unittest.TestCase):
    def setUp(self):
        sys.modules.update(stand_in())
        sys.path.insert(0, str(BLENDER))

    def tearDown(self):
        sys.path.remove(str(BLENDER))
        for name in [name for name in sys.modules if name.partition(".")[0] in ("lerpmesh_io", *stand_in())]:
            del sys.modules[name]

    def test_modules(self):
        """All modules load, and each operator has a name, a label and a description."""
        for path in sorted((BLENDER / "lerpmesh_io").glob("*.py")):
            importlib.import_module("lerpmesh_io" if path.stem == "__init__" else f"lerpmesh_io.{path.stem}")
        found = [made for module in sys.modules["lerpmesh_io"].MODULES for made in module.CLASSES]
        self.assertGreater(len(found), 20)
        for made in found:
            self.assertTrue(made.__doc__, made)
            if "_OT_" in made.__name__:
                self.assertLessEqual({"bl_idname", "bl_label"}, vars(made).keys(), made)

    def test_choices(self):
        """The formats and engines that a user chooses are those of the library."""
        operators = importlib.import_module("lerpmesh_io.operators")
        mesh = lerpmesh.Mesh.from_model(lerpmesh.load(BLENDER.parents[1] / "samples" / "tick.md2"))
        for kind in operators.KNOWN:
            self.assertTrue(mesh.encode(kind).data)
        for engine, *_ in operators.ENGINES:
            with self.subTest(engine):
                try:
                    mesh.encode("md2", engine=engine)
                except lerpmesh.Error as error:
                    self.assertNotIn("unknown", str(error))

    def test_timeline(self):
        """Frames that no segment shows are those before; the first segment may begin late."""
        timeline = importlib.import_module("lerpmesh_io.timeline")
        segments = [timeline.Segment(5, 20, 2, None), timeline.Segment(1, 10, 3, None), timeline.Segment(2, 11, 1, None)]
        self.assertEqual(timeline.frames_shown(segments), [10, 10, 11, 12, 12, 20, 21])

    def test_a_missing_package(self):
        """Without its packages, the add-on says what it needs."""
        packages = str(BLENDER / "lerpmesh_io" / "packages.py")
        code = f"import runpy, sys; sys.modules['_cffi_backend'] = None; sys.path.insert(0, {lerpmesh.__path__[0][:-9]!r})\n" \
               f"try:\n runpy.run_path({packages!r})\nexcept ImportError as error:\n print(error.name, error)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        python = ".".join(map(str, sys.version_info[:2]))
        self.assertRegex(done.stdout, f"^lerpmesh The Python package lerpmesh cannot be loaded.* for Python {python} on Linux")

    def test_archives(self):
        """The archives of the same wheels have the same bytes; the extension names its platforms and wheels."""
        with tempfile.TemporaryDirectory() as folder:
            wheels = [Path(folder) / f"{name}-linux_x86_64.whl" for name in
                      ("lerpmesh-1-cp39-abi3", "cffi-1-cp311-cp311", "cffi-1-cp313-cp313")]
            for wheel in wheels:
                with zipfile.ZipFile(wheel, "w") as archive:
                    archive.writestr(f"{wheel.stem}.py", "")
            pack = [sys.executable, str(BLENDER / "pack.py"), folder, *map(str, wheels)]
            found = []
            for _ in range(2):
                done = subprocess.run(pack, check=True, capture_output=True, text=True)
                self.assertEqual(done.stderr, "")
                found.append({path.name: path.read_bytes() for path in Path(folder).glob("*.zip")})
            self.assertEqual(found[0], found[1])
            with zipfile.ZipFile(Path(folder) / "lerpmesh_io-addon.zip") as archive:
                unpacked = [name for name in archive.namelist() if "/packages/" in name]
            self.assertEqual(len(unpacked), 2)  # Blender 3.4 to 4.1 have no Python 3.13
            with zipfile.ZipFile(Path(folder) / "lerpmesh_io-extension.zip") as archive:
                manifest, names = tomllib.loads(archive.read("blender_manifest.toml").decode()), archive.namelist()
            for without, lacks in (0, "lerpmesh, "), (1, "cffi for Python 3.11, "), (2, "cffi for Python 3.13, "):
                rest = [str(wheel) for wheel in wheels if wheel != wheels[without]]
                done = subprocess.run([*pack[:3], *rest], check=True, capture_output=True, text=True)
                self.assertRegex(done.stderr, f"^pack.py: no wheel of {lacks}.*\n$")
        for key in "schema_version", "id", "version", "name", "tagline", "maintainer", "type", "blender_version_min", \
                "blender_version_max", "license":
            self.assertTrue(manifest[key], key)
        self.assertLessEqual(len(manifest["tagline"]), 64)
        self.assertLessEqual(len(manifest["permissions"]["files"]), 64)
        self.assertEqual(manifest["platforms"], ["linux-x64"])
        self.assertEqual({wheel.removeprefix("./") for wheel in manifest["wheels"]},
                         {name for name in names if name.startswith("wheels/")})
        self.assertIn("__init__.py", names)


if __name__ == "__main__":
    unittest.main()
