"""Runs a file of cases in Blender: blender -b --python run_inside.py -- NAME PACKAGE. Exits with 1 if one fails."""
import importlib
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME, PACKAGE = sys.argv[sys.argv.index("--") + 1:][:2]
sys.path[:0] = [PACKAGE, str(HERE.parents[1] / "python" / "blender"), str(HERE), str(HERE.parent / "oracle")]

import lerpmesh_io  # noqa: E402

lerpmesh_io.register()
suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(NAME))
result = unittest.TextTestRunner(verbosity=1).run(suite)
if not result.wasSuccessful() or not result.testsRun:
    sys.exit(1)
lerpmesh_io.unregister()
print(f"{result.testsRun} cases passed")
