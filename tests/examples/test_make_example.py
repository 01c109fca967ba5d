"""Checks that examples/make.c saves a flag from its own arrays in each format, as the independent oracle
reads it, and rejects unknown formats and unwritable files."""
import math
import os
import subprocess
import sys
import tempfile

import oracle

MAKE = os.environ["LERPMESH_MAKE"]
SIDE, FRAMES = 9, 20


def run(*arguments):
    return subprocess.run([MAKE, *arguments], capture_output=True, text=True, check=False)


def position(frame, x, z):
    return 8 * x, 2 * x * math.sin(2 * math.pi * (frame / FRAMES - x / SIDE)) / SIDE, 6 * z


with tempfile.TemporaryDirectory() as folder:
    for end in "md2", "md3", "mdc", "mdl":
        path = os.path.join(folder, "flag." + end)
        done = run(path)
        if done.returncode or done.stderr:
            sys.exit(f"{end}: {done.returncode} {done.stderr}")
        model = oracle.load_file(path)
        if model.format != end or len(model.frames) != FRAMES or model.frames[3].name != "wave04" \
                and end in ("md2", "mdl"):
            sys.exit(f"{end}: {model.format} with {len(model.frames)} frames, {model.frames[3].name}")
        for frame in 0, 7, FRAMES - 1:
            for surface in model.pose(float(frame), None).surfaces:
                for corner in (corner for triangle in surface.triangles for corner in triangle):
                    x, z = round(corner.position[0] / 8), round(corner.position[2] / 6)
                    if math.dist(corner.position, position(frame, x, z)) > 0.25:
                        sys.exit(f"{end}: a corner at {corner.position} in frame {frame}")
    for wrong in ([], ["flag.txt"], [os.path.join(folder, "flag.md2", "flag.md2")]):
        done = run(*wrong)
        if done.returncode != 1 or not done.stderr:
            sys.exit(f"{wrong}: accepted, but {done.returncode} and '{done.stderr}'")
