"""scripts/architecture.py reports each forbidden include that is planted in a copy of the tree, and nothing else."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["LERPMESH_SOURCE_DIR"])
# A file, the text that is added to it, and the fault.
OFFENCES = [
    ("src/core/tall.c", '#  include "lerpmesh/gl.h"\n', "src/core -> gl (src/core/tall.c includes lerpmesh/gl.h)"),
    ("src/formats/md2/other.c", '#include "formats/mdc/mdc_format.h"\n', "src/formats/md2 -> src/formats/mdc ("),
    ("src/other.c", '#include "formats/md2/md2_format.h"\n', "src -> src/formats/md2 ("),
    ("src/scene/other.c", "extern int lm_format_md2;\n", "src/scene/other.c names lm_format_md2 ("),
    ("src/clips/other.c", "#include <unistd.h>\n", "src/clips -> <unistd.h> ("),
    ("write/export/other.c", '#include "lerpmesh/md2.h"\n', "write/export -> src/formats/md2 ("),
    ("write/export/other.c", '#include "lerpmesh/lerpmesh.h"\n',
     "write/export/other.c -> include/lerpmesh/lerpmesh.h ("),
    ("write/formats/md2/other.c", '#include "formats/md3/md3_format.h"\n', "write/formats/md2 -> src/formats/md3 ("),
    ("gl/other.c", '#include "core/heap.h"\n', "gl -> src/core ("),
    ("assets/other.c", '#include "lerpmesh/mesh.h"\n', "assets -> write/mesh ("),
    ("tool/other.c", '#include "../gl/gl_internal.h"\n', "tool -> gl ("),
    ("tool/other.c", '#include "nowhere.h"\n', "tool/other.c -> nowhere.h ("),
    ("include/lerpmesh/other.h", "", "include/lerpmesh/other.h is in no folder"),
    ("src/sample/kernels.h", '#include "sample/scalar.h"\n', "circle of files: src/sample/kernels src/sample/scalar"),
    ("web/lib/blend.js", 'import("./mesh.js");\n', "circle of files: web/lib/blend.js web/lib/mesh.js"),
]


class Architecture(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lerpmesh-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("include", "src", "write", "assets", "import", "gl", "common", "tool", "viewer", "web",
                     "examples"):
            shutil.copytree(ROOT / name, self.folder / name)

    def faults(self):
        result = subprocess.run([sys.executable, ROOT / "scripts/architecture.py", self.folder], text=True,
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, 1 if result.stderr else 0, result)
        return result.stderr.splitlines()

    def test_offences(self):
        self.assertEqual(self.faults(), [])
        for name, text, _ in OFFENCES:
            with open(self.folder / name, "a", encoding="utf-8") as file:
                file.write(text)
        found = self.faults()
        for _, _, fault in OFFENCES:
            lines = [line for line in found if line.startswith("architecture: " + fault)]
            self.assertEqual(len(lines), 1, (fault, found))
        self.assertEqual(len(found), len(OFFENCES))

    def test_new_format_is_found_by_its_folder(self):
        (self.folder / "src/formats/new").mkdir()
        source = self.folder / "src/formats/new/new_read.c"
        source.write_text('#include "formats/md2/md2_format.h"\n', encoding="utf-8")
        (self.folder / "include/lerpmesh/new.h").write_text('#include "lerpmesh/load.h"\n', encoding="utf-8")
        (fault,) = self.faults()
        self.assertIn("src/formats/new -> src/formats/md2 (", fault)

    def test_no_files(self):
        for name in ("src", "write", "tool", "viewer", "web", "assets", "gl"):
            shutil.rmtree(self.folder / name)
        (self.folder / "src/formats").mkdir(parents=True)
        self.assertTrue(any("found only" in line for line in self.faults()))


if __name__ == "__main__":
    unittest.main()
