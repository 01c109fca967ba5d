"""The manual: its pages are those of scripts/make_manual.py, which needs an explanation of each option, and mandoc
finds no mistake in them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import skipping

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
PAGES = sorted((ROOT / "docs/man").glob("*.1"))


def make(root: pathlib.Path, out: str) -> str:
    """Makes the manual, and returns the error."""
    return subprocess.run([sys.executable, str(ROOT / "scripts/make_manual.py"), os.environ["LERPMESH_BINARY"], str(root),
                           out], capture_output=True, text=True, timeout=60, check=False).stderr


def contents(folder: pathlib.Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for part in ("docs/man", "docs/reference/commands") for path in (folder / part).iterdir()
            if path.name != "lerpmesh-viewer.1"}


class Manual(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_pages_are_up_to_date(self) -> None:
        self.assertEqual(make(ROOT, self.folder), "")
        made, found = contents(pathlib.Path(self.folder)), contents(ROOT)
        self.assertGreater(len(made), 28)
        stale = {name for name in made.keys() | found.keys() if made.get(name) != found.get(name)}
        self.assertEqual(stale, set(), "run: scripts/make_manual.py build/release/lerpmesh . .")

    def test_options_and_explanations_belong_together(self) -> None:
        root = pathlib.Path(self.folder)
        for name, old, new, error in [
            ("options.md", "### --sync\n", "### --sink\n", "has no explanation of --sync"),
            ("options.md", "### --sync\n", "### --sink\n\nText.\n\n### --sync\n", "options.md explains --sink"),
            ("render.md", "### --zoom\n", "### --fps\n\nText.\n\n### --zoom\n", "render.md explains --fps"),
            ("render.md", "### --zoom\n", "### --zoom\n\n### --view\n", "has a heading twice"),
        ]:
            shutil.rmtree(root / "tool", ignore_errors=True)
            shutil.copytree(ROOT / "tool/manual", root / "tool/manual")
            path = root / "tool/manual" / name
            text = path.read_text(encoding="utf-8")
            self.assertIn(old, text)
            path.write_text(text.replace(old, new), encoding="utf-8")
            self.assertIn(error, make(root, str(root / "out")))

    def test_mandoc_is_quiet(self) -> None:
        if not shutil.which("mandoc"):
            skipping.skip(self, "there is no mandoc")
        self.assertGreater(len(PAGES), 14)
        done = subprocess.run(["mandoc", "-T", "lint", *PAGES], capture_output=True, text=True, timeout=60, check=False)
        # A page may name one that is not installed yet.
        found = [line for line in (done.stdout + done.stderr).splitlines() if "manual not found: Xr lerpmesh 1" not in line]
        self.assertEqual(found, [])
