#!/usr/bin/env python3
"""The committed tables equal their generator's output, byte for byte."""
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
TABLES = os.path.join(ROOT, "src", "math")
GIVEN = {"normals_162.inc"}  # numbers without a formula


def contents(folder):
    result = {}
    for path in glob.glob(os.path.join(folder, "*.inc")):
        with open(path, "rb") as file:
            result[os.path.basename(path)] = file.read()
    return result


def main():
    with tempfile.TemporaryDirectory() as folder:
        generator = os.path.join(ROOT, "scripts", "make_tables.py")
        subprocess.run([sys.executable, generator, folder], check=True)
        made, committed = contents(folder), contents(TABLES)
    wrong = [name for name in sorted(made) if made[name] != committed.get(name)]
    stray = sorted(set(committed) - set(made) - GIVEN)
    if len(made) != 4 or wrong or stray:
        sys.exit(f"made {len(made)} tables; differ: {wrong}; not made by the generator: {stray}")
    print(f"{len(made)} tables are what the generator makes")


main()
