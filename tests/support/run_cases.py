"""run_cases.py SCRIPT [NAME…]: runs the test cases of a script, all or those named."""
import importlib
import pathlib
import sys
import unittest

script = pathlib.Path(sys.argv.pop(1))
sys.path[0] = str(script.parent)
unittest.main(importlib.import_module(script.stem))
