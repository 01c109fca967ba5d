"""The manual: the site has the pages of scripts/make_manual.py, which needs an option for each explanation, and mandoc
finds no mistake in the man pages."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import skipping

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])


def make(root: pathlib.Path, out: str) -> str:
    """Makes the manual, and returns the error."""
    return subprocess.run([sys.executable, str(ROOT / "scripts/make_manual.py"), os.environ["LERPMESH_BINARY"], str(root),
                           out], capture_output=True, text=True, timeout=60, check=False).stderr


def contents(folder: pathlib.Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


class Manual(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_pages_of_the_site_are_up_to_date(self) -> None:
        self.assertEqual(make(ROOT, self.folder), "")
        made, found = contents(pathlib.Path(self.folder, "commands")), contents(ROOT / "docs/reference/commands")
        self.assertGreater(len(made), 14)
        stale = {name for name in made.keys() | found.keys() if made.get(name) != found.get(name)}
        self.assertEqual(stale, set(), "run: cp build/release/manual/commands/* docs/reference/commands")

    def test_mandoc_is_quiet(self) -> None:
        if not shutil.which("mandoc"):
            skipping.skip(self, "there is no mandoc")
        self.assertEqual(make(ROOT, self.folder), "")
        pages = [*pathlib.Path(self.folder, "man").iterdir(), ROOT / "docs/man/lerpmesh-viewer.1"]
        self.assertGreater(len(pages), 15)
        done = subprocess.run(["mandoc", "-T", "lint", *pages], capture_output=True, text=True, timeout=60, check=False)
        # A page may name one that is not installed yet.
        found = [line for line in (done.stdout + done.stderr).splitlines() if "manual not found: Xr lerpmesh 1" not in line]
        self.assertEqual(found, [])
