"""The Python package lerpmesh: installed, from the wheels of the extension, or from the folder `packages` of the add-on."""
import platform
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "packages"
if FOLDER.is_dir() and str(FOLDER) not in sys.path:
    sys.path.append(str(FOLDER))

try:
    import lerpmesh
except ImportError as reason:
    python = ".".join(map(str, sys.version_info[:2]))
    raise ImportError(f"The Python package lerpmesh cannot be loaded: {reason}. The archive of the add-on has no packages "
                      f"that work in this Blender: lerpmesh and cffi for Python {python} on {platform.system()} "
                      f"{platform.machine()}. On Debian, install python3-cffi", name="lerpmesh") from None
from lerpmesh import Clip  # noqa: E402

__all__ = ["Clip", "lerpmesh"]
