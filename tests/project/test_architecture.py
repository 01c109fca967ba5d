"""scripts/architecture.py reports forbidden includes in copies of the tree. scripts/circles.py finds call cycles in
small trees."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
SCRIPT = os.path.join(ROOT, "scripts", "architecture.py")
CIRCLES = os.path.join(ROOT, "scripts", "circles.py")
FOLDERS = ("include", "src", "write", "assets", "gl", "tool", "viewer", "examples")


class Offences(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lerpmesh-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in FOLDERS:
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.makedirs(os.path.join(self.folder, "docs", "images"))
        self.before = self.faults("--write")

    def faults(self, *words):
        result = subprocess.run([sys.executable, SCRIPT, *words, self.folder], text=True,
                                capture_output=True, check=False)
        self.assertIn(result.returncode, (0, 1))
        self.assertEqual(result.returncode == 0, "no circle" in result.stdout, result.stderr)
        return set(result.stderr.splitlines())

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    def expect(self, *sentences):
        """Expects exactly one new error line for each of the sentences; call cycles may also change."""
        new = sorted(self.faults("--write") - self.before)
        for sentence in sentences:
            self.assertTrue(any(sentence in line for line in new), (sentence, new))
        for line in new:
            self.assertTrue("circle" in line or any(s in line for s in sentences), new)

    def test_current_tree(self):
        self.assertEqual(self.faults() - self.before, set())

    def test_forbidden_arrow(self):
        self.write("src/model/build.h", '#include "lerpmesh/scene.h"\n')
        self.expect("model -> scene", "circle of folders")

    def test_forbidden_arrow_without_a_circle(self):
        self.write("src/core/tall.c", '#  include "lerpmesh/gl.h"\n')
        self.expect("core -> gl (src/core/tall.c includes lerpmesh/gl.h)")

    def test_sibling(self):
        self.write("src/formats/md2/other.c", '#include "formats/mdc/mdc_format.h"\n')
        self.expect("md2 -> mdc")

    def test_new_format_is_found_by_its_folder(self):
        self.write("src/formats/new/new_read.c", '#include "formats/format.h"\n'
                   '#include "formats/md2/md2_format.h"\n')
        self.write("include/lerpmesh/new.h", '#include "lerpmesh/load.h"\n')
        self.write("src/formats.h", "#define MORE X(new)\n")
        self.expect("new -> md2")

    def test_folders_that_must_not_name_formats(self):
        self.write("write/export/other.c", '#include "lerpmesh/md2.h"\n')
        self.write("src/other.c", '#include "formats/md2/md2_format.h"\n')
        self.write("src/scene/other.c", "extern int lm_format_md2;\n")
        self.expect("export -> md2", "load -> md2", "src/scene/other.c names lm_format_md2")

    def test_circle_of_files(self):
        self.write("src/sample/one.h", '#include "sample/two.h"\n')
        self.write("src/sample/two.c", '#include "sample/one.h"\n')
        self.write("src/sample/two.h", "")
        self.expect("circle of files: src/sample/one src/sample/two")

    def test_system(self):
        self.write("src/clips/other.c", "#include <unistd.h>\n")
        self.expect("clips -> <unistd.h>")

    def test_internal_headers_of_a_library(self):
        self.write("gl/other.c", '#include "core/heap.h"\n')
        self.write("tool/other.c", '#include "../gl/gl_internal.h"\n')
        self.write("viewer/other.c", '#include "../assets/other.h"\n')
        self.write("assets/other.h", "")
        self.expect("gl -> core", "tool -> gl", "viewer -> assets")

    def test_umbrella_header_is_for_programs(self):
        self.write("write/export/other.c", '#include "lerpmesh/lerpmesh.h"\n')
        self.expect("write/export/other.c -> include/lerpmesh/lerpmesh.h")

    def test_no_folder(self):
        self.write("include/lerpmesh/other.h", "")
        self.expect("include/lerpmesh/other.h is in no listed folder")

    def test_no_file(self):
        self.write("tool/other.c", '#include "nowhere.h"\n')
        self.expect("tool/other.c -> nowhere.h")

    def test_arrows_between_libraries(self):
        with open(os.path.join(ROOT, "docs", "images", "architecture.svg"), encoding="utf-8") as file:
            text = file.read()
        for library in ("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-import", "lerpmesh-gl"):
            self.assertEqual(text.count(f">{library}</text>"), 1, library)

    def test_old_diagram(self):
        self.write("src/scene/other.c", '#include "core/heap.h"\n')
        self.assertEqual(self.faults() - self.before, set())
        self.write("src/formats/mdl/other.c", '#include "formats/vertex_mesh/vertex_mesh.h"\n')
        (line,) = self.faults() - self.before
        self.assertIn("architecture.svg is out of date", line)
        os.remove(os.path.join(self.folder, "docs/images/architecture.svg"))
        self.assertEqual(self.faults() - self.before, {line})

    def test_no_files(self):
        for name in FOLDERS[1:]:
            shutil.rmtree(os.path.join(self.folder, name))
        os.makedirs(os.path.join(self.folder, "src", "formats"))
        self.assertTrue(any("found only" in line for line in self.faults()))


class Circles(unittest.TestCase):
    def lines(self, **files):
        """Returns the script's lines about files of src/."""
        with tempfile.TemporaryDirectory(prefix="lerpmesh-") as folder:
            os.makedirs(os.path.join(folder, "src", "deep"))
            for name, text in files.items():
                with open(os.path.join(folder, "src", "deep", name + ".c"), "w", encoding="utf-8") as file:
                    file.write(text)
            result = subprocess.run([sys.executable, CIRCLES, folder], text=True, capture_output=True, check=False)
            self.assertEqual(result.returncode, 1 if result.stderr else 0, result)
            return result.stderr.splitlines()

    ONE = "void lm_one(void) {\n    lm_two();\n}\n"
    TWO = "static int x;\n\nint *lm_two(int a,\n    int b) {\n    each(lm_three);\n}\n"
    THREE = "const char *\nlm_three(void) {\n    lm_one();\n}\n"
    PATHS = "src/deep/one.c src/deep/three.c src/deep/two.c"

    def test_circle_of_three(self):
        self.assertEqual(self.lines(one=self.ONE, two=self.TWO, three=self.THREE),
                         ["circles: 3 files call each other: " + self.PATHS])

    def test_circle_of_two_is_allowed(self):
        self.assertEqual(self.lines(one=self.ONE, two="void lm_two(void) {\n    lm_one();\n}\n"), [])

    def test_comments_strings_and_statics_are_not_calls(self):
        for three in ('void lm_three(void) {\n    // lm_one();\n    say("lm_one");\n}\n/* lm_one() */',
                      "static void lm_one(void) {\n}\n\nvoid lm_three(void) {\n    lm_one();\n}\n"):
            self.assertEqual(self.lines(one=self.ONE, two=self.TWO, three=three), [])


if __name__ == "__main__":
    unittest.main()
