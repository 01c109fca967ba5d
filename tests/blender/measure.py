"""Measures import and export in Blender: blender -b --python measure.py -- PACKAGE MODEL... prints a line for each model:
its name, and the milliseconds of its import and of its export, unchanged, the best of three."""
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE, *MODELS = sys.argv[sys.argv.index("--") + 1:]
sys.path[:0] = [PACKAGE, str(HERE.parents[1] / "python" / "blender")]

import bpy  # noqa: E402

import lerpmesh_io  # noqa: E402


def measured(path: Path, folder: str) -> tuple[float, float]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    start = time.perf_counter()
    bpy.ops.import_scene.lerpmesh(filepath=str(path), related=False, cache_folder=folder)
    middle = time.perf_counter()
    bpy.ops.export_scene.lerpmesh(filepath=f"{folder}/again{path.suffix}", replace=True)
    return middle - start, time.perf_counter() - middle


lerpmesh_io.register()
for model in map(Path, MODELS):
    with tempfile.TemporaryDirectory() as place:
        best = [min(times) for times in zip(*(measured(model, place) for _ in range(3)))]
    print("measured", model.name, *(f"{1000 * seconds:.0f}" for seconds in best))
