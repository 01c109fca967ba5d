"""The Python package lerpmesh: installed, from the wheel of the extension, or from the folder `packages` of the add-on."""
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "packages"
if FOLDER.is_dir() and str(FOLDER) not in sys.path:
    sys.path.append(str(FOLDER))

import lerpmesh  # noqa: E402
from lerpmesh import Clip  # noqa: E402

__all__ = ["Clip", "lerpmesh"]
