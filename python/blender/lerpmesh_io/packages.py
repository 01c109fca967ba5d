"""The Python package lerpmesh: installed, from the wheels of the extension, or from the folder `packages` of the add-on."""
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "packages"
if FOLDER.is_dir() and str(FOLDER) not in sys.path:
    sys.path.append(str(FOLDER))

try:
    import lerpmesh
except ImportError as reason:
    raise ImportError(f"The Python package lerpmesh cannot be loaded in Blender's Python: {reason}. It needs numpy and "
                      "cffi. On Debian, install python3-cffi.") from reason
from lerpmesh import Clip  # noqa: E402

__all__ = ["Clip", "lerpmesh"]
