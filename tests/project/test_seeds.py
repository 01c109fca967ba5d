"""The fuzzers' seeds: the command still makes those that it made, and each format has a fuzzer that loads it."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

FUZZ = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "fuzz")


class Seeds(unittest.TestCase):
    def test_made_seeds_are_packed(self) -> None:
        packed = {(path.stem, name) for path in (FUZZ / "seeds").glob("*.zip")
                  for name in zipfile.ZipFile(path).namelist() if name.startswith("made-")}
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["bash", FUZZ / "make_seeds.sh", os.environ["LERPMESH_BINARY"], folder], check=True)
            made = {(path.parent.name, path.name) for path in pathlib.Path(folder).glob("*/*") if path.stat().st_size}
        self.assertEqual(made, packed)

    def test_each_format_has_a_fuzzer_that_loads_it(self) -> None:
        formats = re.findall(r"X\((\w+)\)", (FUZZ.parent / "src" / "formats.h").read_text(encoding="utf-8"))
        surfaces = (FUZZ / "fuzz.c").read_text(encoding="utf-8")
        self.assertGreater(len(formats), 0)
        for name in formats:
            self.assertIn(f'{{"load_{name}", "{name}", fuzz_load,', surfaces)
