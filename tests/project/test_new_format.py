"""Adding a format needs only its folder, its header and its line in a list; adding an option its row and its implementation.

Copies the sources, adds a format by the recipe of docs/internals/architecture.md, and builds the command and the
fuzzers. Then uses the format with the command: info, check, examine, convert from and to it, edit, compare. No other file is
changed. The option appears in help, manual, completion, JSON and JavaScript's types."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import skipping

SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
TOY = SOURCE / "tests" / "project" / "toy_format"
FILES = {
    "toy.h.in": "include/lerpmesh/toy.h",
    "toy_format.h.in": "src/formats/toy/toy_format.h",
    "toy_format.c.in": "src/formats/toy/toy_format.c",
    "toy_writer.c.in": "write/formats/toy/toy_writer.c",
}
LIST = "src/formats.inc"
OPTION = [
    ("convert/options.inc", "ROW(UNLIT,", 'ROW(TOY, 0, "toy-level", "N", "convert", "gltf", NUMBER(toy_level, 0.5, 9, NULL, "1"),\n'
     '    "a level for this test")\n'),
    ("include/lerpmesh/convert.h", "    bool unlit;                   /* glTF", "    double toy_level;\n"),
    ("convert/conversion.c", "    c->out.max_size = c->buffer.max_size", "    if (o->toy_level > 0)\n"
     '        lm_cv_note(c, "the level is %g", o->toy_level);\n'),
]
TARGETS = ("lerpmesh-tool", "lerpmesh-fuzz", "lerpmesh-manual")


def copy_sources(to: pathlib.Path) -> None:
    shutil.copytree(SOURCE, to, symlinks=True, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    for name, path in FILES.items():
        (to / path).parent.mkdir(exist_ok=True)
        shutil.copyfile(TOY / name, to / path)
    text = (to / LIST).read_text(encoding="utf-8")
    (to / LIST).write_text(text.replace("#undef X\n", "X(toy)\n#undef X\n"), encoding="utf-8")
    for path, before, added in OPTION:
        text = (to / path).read_text(encoding="utf-8")
        assert text.count(before) == 1, (path, before)
        (to / path).write_text(text.replace(before, added + before), encoding="utf-8")


def build(tree: pathlib.Path) -> None:
    options = ["-DCMAKE_BUILD_TYPE=Debug", "-DLERPMESH_TESTS=ON", "-DLERPMESH_WERROR=ON", "-DLERPMESH_VIEWER=OFF",
               "-DLERPMESH_BENCH=OFF", "-DLERPMESH_GL=OFF"]
    for command in (["cmake", "-S", tree, "-B", tree / "build", *options],
                    ["cmake", "--build", tree / "build", "-j", "2", "--target", *TARGETS]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{done.stdout[-6000:]}{done.stderr[-6000:]}")


class NewFormat(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tree = pathlib.Path(folder.name, "lerpmesh")
        cls.folder = pathlib.Path(folder.name, "models")
        cls.folder.mkdir()
        copy_sources(cls.tree)
        build(cls.tree)
        cls.tick = str(SOURCE / "samples" / "tick.md2")
        cls.toy = str(cls.folder / "tick.toy")
        cls.run_command("convert", cls.tick, "-o", cls.toy)

    @classmethod
    def run_command(cls, *arguments: str, status: int = 0) -> str:
        done = subprocess.run([cls.tree / "build" / "lerpmesh", *arguments], capture_output=True, text=True,
                              check=False)
        if done.returncode != status:
            raise AssertionError(f"{arguments}: {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def edited(self, *options: str) -> str:
        path = str(self.folder / "edited.toy")
        self.run_command("edit", self.toy, *options, "-o", path, "--force")
        return path

    def test_folders(self) -> None:
        done = subprocess.run([sys.executable, "scripts/architecture.py"], cwd=self.tree, capture_output=True,
                              text=True, check=False)
        faults = [line for line in (done.stdout + done.stderr).splitlines() if "toy" in line and "->" in line]
        self.assertEqual(faults, [])

    def test_info_of_a_folder(self) -> None:
        below = self.folder / "below"
        below.mkdir()
        shutil.copyfile(self.toy, below / "tick.TOY")
        info = json.loads(self.run_command("info", "--json", str(below)).splitlines()[0])
        self.assertEqual((info["format"], info["version"]), ("toy", 1))
        of_tick = json.loads(self.run_command("info", "--json", self.tick))
        self.assertEqual(info["skins"], of_tick["skins"])
        for key in ("frames", "clips"):
            self.assertEqual([one["name"] for one in info[key]], [one["name"] for one in of_tick[key]], key)
        self.assertIn('"name":"toy"', self.run_command("formats", "--json"))

    def test_check_and_examine(self) -> None:
        self.run_command("check", self.toy)
        self.assertIn("ofs_vertices", self.run_command("examine", self.toy))
        self.assertIn("vertex 2", self.run_command("examine", self.toy, "--lump", "triangles"))
        whole = pathlib.Path(self.toy).read_bytes()
        cut = self.folder / "cut.bad"
        cut.write_bytes(whole[:-40])
        self.assertIn("do not lie in the file", self.run_command("check", str(cut), status=1))

    def test_convert(self) -> None:
        self.run_command("compare", self.tick, self.toy, "--tolerance", "0.02")
        for extension in ("md2", "md3", "mdc", "mdl", "glb", "obj"):
            result = self.folder / f"result.{extension}"
            self.run_command("convert", self.toy, "-o", str(result))
            self.assertGreater(result.stat().st_size, 0)
        again = str(self.folder / "again.toy")
        self.run_command("convert", str(self.folder / "result.md3"), "-o", again)
        self.run_command("compare", self.toy, again, "--tolerance", "0.02")

    def frames_of(self, path: str) -> list[str]:
        return [frame["name"] for frame in json.loads(self.run_command("info", "--json", path))["frames"]]

    def test_edit(self) -> None:
        before = pathlib.Path(self.toy).read_bytes()
        names = self.frames_of(self.toy)
        same = self.edited("--rename", f"frames:{names[0]}={names[0]}")
        self.assertEqual(pathlib.Path(same).read_bytes(), before)
        renamed = self.edited("--rename", f"frames:{names[0]}=first")
        self.assertEqual(self.frames_of(renamed), ["first", *names[1:]])
        changed = [a != b for a, b in zip(before, pathlib.Path(renamed).read_bytes(), strict=True)]
        self.assertLessEqual(sum(changed), 16)
        self.assertIn('"skins":["new.pcx"', self.run_command("info", "--json", self.edited("--set-skin", "0=new.pcx")))
        self.assertEqual(self.frames_of(self.edited("--keep", "frames:0-3")), names[:4])
        self.assertEqual(self.frames_of(self.edited("--append", self.toy)), 2 * names)

    def test_missing_functions_are_reported(self) -> None:
        out = str(self.folder / "out.toy")
        for options in (["--remove-unused"], ["--normals", "computed"], ["--compute-bounds"], ["--move", "1,0,0"]):
            self.assertIn("toy: this format", self.run_command("edit", self.toy, *options, "-o", out, status=1))
        self.assertIn("toy: this format", self.run_command("optimize", self.toy, "-o", out, status=1))

    def test_option(self) -> None:
        glb, obj = (str(self.folder / name) for name in ("toy.glb", "toy.obj"))
        self.assertIn("the level is 2.5", self.run_command("convert", self.tick, "-o", glb, "--toy-level", "2.5"))
        for out, level, error in ((obj, "2", "--toy-level does not apply to obj files"), (glb, "9.5", "--toy-level must be at most 9"),
                                  (glb, "x", '--toy-level needs a number, not "x"'), (glb, "0.1", "--toy-level must be at least 0.5")):
            self.assertIn(error, self.run_command("convert", self.tick, "-o", out, "-f", "--toy-level", level, status=2))
        self.assertIn("no option --toy-level", self.run_command("info", self.tick, "--toy-level", "2", status=2))
        self.assertIn("--toy-level N          a level for this test", self.run_command("convert", "--help-all"))
        self.assertIn("--toy-level", self.run_command("completions", "bash"))
        listed = self.run_command("help", "convert", "--json")
        self.assertEqual([option for option in json.loads(listed) if option["name"] == "toy-level"],
                         [{"name": "toy-level", "letter": None, "group": "Textures and materials", "type": "number",
                           "value": "N", "words": None, "min": 0.5, "max": 9, "unit": None,
                           "default": "1", "commands": ["convert"], "formats": ["gltf"], "help": "a level for this test"}])
        manual = (self.tree / "build" / "manual" / "man" / "lerpmesh-convert.1").read_text(encoding="utf-8")
        self.assertIn("A level for this test.", manual)
        made = self.folder / "_convert.py"
        subprocess.run([sys.executable, SOURCE / "python/convert_options.py", made], input=listed, text=True, check=True)
        self.assertIn("toy_level: Optional[float] = None", made.read_text(encoding="utf-8"))
        self.assertIn("- `toy_level`: a level for this test", made.read_text(encoding="utf-8"))
        if not shutil.which("node"):
            skipping.skip(self, "there is no Node for JavaScript's types")
        types = subprocess.run(["node", "scripts/web_pack.mjs", "types"], cwd=self.tree, input=listed, capture_output=True,
                               text=True, check=True).stdout
        self.assertIn("/** a level for this test (gltf) */\n  toyLevel?: number;", types)

    def test_fuzzers(self) -> None:
        for name in ("rewrite", "edit"):
            done = subprocess.run([self.tree / "build" / "fuzz", name, self.toy], env={**os.environ, "TOY_READS": "1"},
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("toy: read", done.stderr, name)
