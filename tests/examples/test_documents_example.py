"""Checks that examples/documents.c lists the lumps and the names of a file of each format."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import mds

NAMES = {"md2": "frames", "md3": "surface flag", "mdc": "surface 0 triangles", "mdl": "frame wave01", "mds": "bone "}

with tempfile.TemporaryDirectory() as folder:
    for end, name in NAMES.items():
        path = os.path.join(folder, "flag." + end)
        if end == "mds":
            pathlib.Path(path).write_bytes(mds.make_mds(random.Random(1), set())[0])
        else:
            subprocess.run([os.environ["LERPMESH_MAKE"], path], check=True)
        done = subprocess.run([os.environ["LERPMESH_DOCUMENTS"], path], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if done.returncode or "0 header" not in lines[0] or name not in done.stdout:
            sys.exit(f"{end}: {done.returncode} {done.stderr} {lines}")
