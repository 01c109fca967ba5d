#!/usr/bin/env python3
"""The counts of fuzzing campaigns add up over folders and over the table of a page."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "scripts", "fuzz_table.py")
HEAD = "when\tfuzzer\texecutions\tseconds\tedges\tfeatures\tfindings\n"
TABLE = """| fuzzer | executions | hours | edges | findings |
|---|--:|--:|--:|--:|
| `a` | 1,000,500 | 1.5 | 30 | 2 |
| `b` | 7 | 0.0 | 5 | 1 |
| all | 1,000,507 | 1.5 | | 3 |
"""
MORE = """| fuzzer | executions | hours | edges | findings |
|---|--:|--:|--:|--:|
| `a` | 1,000,506 | 2.5 | 40 | 2 |
| `b` | 7 | 0.0 | 5 | 1 |
| `c` | 12 | 0.5 | 3 | 0 |
| all | 1,000,525 | 3.0 | | 3 |
"""


class Counts(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(f"Before\n\n<!-- fuzzing -->\n{TABLE}<!-- /fuzzing -->\nAfter\n", encoding="utf-8")
        for name, rows in (("A", "t\ta\t5\t1800\t40\t9\t0\n"), ("B", "t\tc\t12\t1800\t3\t4\t0\nt\ta\t1\t1800\t2\t2\t0\n")):
            (self.folder / name).mkdir()
            (self.folder / name / "counts.tsv").write_text(HEAD + rows, encoding="utf-8")

    def run_script(self, *args: object, status: int = 0) -> str:
        done = subprocess.run([sys.executable, SCRIPT, *map(str, args)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def test_a_page_and_two_folders_add_up(self) -> None:
        self.assertEqual(self.run_script(self.page, self.folder / "A", self.folder / "B"), MORE)

    def test_a_campaign_continues_from_a_page(self) -> None:
        start = self.folder / "start"
        self.run_script(self.page, "--counts", start)
        self.assertEqual(self.run_script(start), TABLE)
        self.assertEqual(self.run_script(start, self.folder / "A", self.folder / "B"), MORE)
        self.run_script(self.page, "--counts", start, status=1)  # it exists

    def test_the_table_replaces_that_of_the_page(self) -> None:
        self.run_script(self.page, self.folder / "A", self.folder / "B", "--page", self.page)
        self.assertEqual(self.page.read_text(encoding="utf-8"),
                         f"Before\n\n<!-- fuzzing -->\n{MORE}<!-- /fuzzing -->\nAfter\n")

    def test_a_page_without_a_table_is_rejected(self) -> None:
        self.page.write_text("nothing\n", encoding="utf-8")
        self.run_script(self.page, status=1)


if __name__ == "__main__":
    unittest.main()
