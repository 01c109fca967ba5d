"""The Python package for its tests: imports it from LERPMESH_PYTHON_PACKAGE, which build_package.py wrote."""
import os
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("LERPMESH_SOURCE_DIR") or Path(__file__).resolve().parents[2])
FOLDER = Path(os.environ.get("LERPMESH_PYTHON_PACKAGE") or SOURCE / "build" / "python" / "lib")
TICK = SOURCE / "samples" / "tick.md2"

if not (FOLDER / "lerpmesh").is_dir():
    print(f"skipped: {Path(sys.argv[0]).name}: the package was not built, see build_package.py")
    sys.exit(77)
sys.path.insert(0, str(FOLDER))


def environment() -> dict[str, str]:
    """Returns the environment of a process that imports the package."""
    return {**os.environ, "PYTHONPATH": str(FOLDER)}
