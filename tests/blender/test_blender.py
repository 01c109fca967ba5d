#!/usr/bin/env python3
"""The add-on in Blender without a window: each file cases_*.py runs in a Blender of its own, with factory settings.

LERPMESH_PYTHON_PACKAGE is the folder of the Python package; without it, that of `make python`."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "oracle"))
import skipping  # noqa: E402

PACKAGE = Path(os.environ.get("LERPMESH_PYTHON_PACKAGE") or ROOT / "build" / "python" / "lib")
BLENDER = shutil.which("blender")


class InBlender(unittest.TestCase):
    def run_cases(self, name: str) -> None:
        """Runs a file of cases; passes on the lines about skipped tests."""
        if not BLENDER:
            skipping.skip(self, "there is no Blender")
        if not (PACKAGE / "lerpmesh").is_dir():
            skipping.skip(self, "the Python package was not built: make python")
        done = subprocess.run(
            [BLENDER, "-b", "--factory-startup", "--python-exit-code", "1", "--python", str(HERE / "run_inside.py"),
             "--", name, str(PACKAGE)], capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            if line.startswith("skipped: "):
                print(f"\n{line}", flush=True)
        self.assertEqual(done.returncode, 0, f"{done.stdout[-4000:]}\n{done.stderr[-6000:]}")
        self.assertIn("cases passed", done.stdout)

    def test_scenes(self) -> None:
        self.run_cases("cases_scenes")

    def test_models(self) -> None:
        self.run_cases("cases_models")

    def test_round_trips(self) -> None:
        self.run_cases("cases_round_trips")

    def test_operators(self) -> None:
        self.run_cases("cases_operators")


if __name__ == "__main__":
    unittest.main()
