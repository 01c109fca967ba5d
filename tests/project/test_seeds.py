#!/usr/bin/env python3
"""Packing the fuzzers' seeds is reproducible, and the packed seeds are those of fuzz/make_seeds.py and those found
by fuzzers."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FUZZ = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "fuzz")
sys.path.insert(0, str(FUZZ))
import seeds  # noqa: E402


class Seeds(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, seeds, "PACKED", seeds.PACKED)
        self.folder = pathlib.Path(folder.name)

    def test_packing_again_gives_the_same_bytes(self) -> None:
        packed = {path.name: path.read_bytes() for path in seeds.PACKED.glob("*.zip")}
        seeds.unpack(self.folder / "seeds")
        seeds.PACKED = self.folder / "packed"
        seeds.PACKED.mkdir()
        seeds.pack(self.folder / "seeds")
        self.assertGreater(len(packed), 0)
        self.assertEqual({path.name: path.read_bytes() for path in seeds.PACKED.glob("*.zip")}, packed)

    def test_synthetic_seeds_are_packed(self) -> None:
        subprocess.run([sys.executable, FUZZ / "make_seeds.py", self.folder], check=True)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), seeds.kinds())
        for kind in seeds.kinds():
            synthetic = {path.name: path.read_bytes() for path in (self.folder / kind).iterdir()}
            found = {name for name in seeds.read(kind) if name.startswith("found-")}
            self.assertEqual({name: data for name, data in seeds.read(kind).items() if name not in found}, synthetic)

    def test_each_format_has_a_fuzzer_that_loads_it(self) -> None:
        formats = re.findall(r"X\((\w+)\)", (FUZZ.parent / "src" / "formats.h").read_text(encoding="utf-8"))
        surfaces = (FUZZ / "fuzz.c").read_text(encoding="utf-8")
        self.assertGreater(len(formats), 0)
        for name in formats:
            self.assertIn(f'{{"load_{name}", "{name}", fuzz_load,', surfaces)


if __name__ == "__main__":
    unittest.main()
