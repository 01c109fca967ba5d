"""Builds the Python package for its tests, in both modes: FOLDER/api and FOLDER/abi are importable, and
FOLDER/wheels-api and FOLDER/wheels-abi have a wheel each.

build_package.py FOLDER LIBRARIES"""
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[2] / "python"
NEEDED = {"cffi": "python3-cffi", "numpy": "python3-numpy", "setuptools": "python3-setuptools",
          "wheel": "python3-wheel", "pip": "python3-pip"}


def build(folder: Path, libraries: str, mode: str) -> None:
    wheels, target = folder / f"wheels-{mode}", folder / mode
    for old in (wheels, target):
        shutil.rmtree(old, ignore_errors=True)
    environment = {**os.environ, "LERPMESH_PYTHON_BUILD": str(folder / "build"), "PIP_ROOT_USER_ACTION": "ignore",
                   "LERPMESH_PYTHON_LIBRARIES": libraries, "LERPMESH_PYTHON_ABI": str(int(mode == "abi"))}
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "wheel", "-q", "--no-build-isolation", "--no-index", "--no-deps", "-w", wheels, PYTHON],
                   check=True, env=environment)
    wheel, = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "-q", "--no-index", "--no-deps", "--target", target, wheel], check=True,
                   env=environment)


def main() -> int:
    missing = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing.append("python3-dev")
    if missing:
        print(f"skipped: python_package: not installed: {' '.join(missing)}")
        return 77
    for mode in ("api", "abi"):
        build(Path(sys.argv[1]), sys.argv[2], mode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
