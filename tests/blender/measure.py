"""Measures imports and exports in Blender against the route through glTF: blender -b --python measure.py -- PACKAGE
COMMAND MODEL... prints rows of a table. Times are the best of three, in milliseconds."""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE, COMMAND, *MODELS = sys.argv[sys.argv.index("--") + 1:]
sys.path[:0] = [PACKAGE, str(HERE.parents[1] / "python" / "blender"), str(HERE), str(HERE.parent / "oracle")]

import bpy  # noqa: E402
import numpy  # noqa: E402

numpy.bool = bool  # Debian's glTF add-on needs it
import lerpmesh  # noqa: E402
import lerpmesh_io  # noqa: E402
import support  # noqa: E402

lerpmesh_io.register()


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")


def best(call, runs=3):
    times = []
    for _ in range(runs):
        clear()
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def per_frame():
    scene = bpy.context.scene
    frames = range(scene.frame_start, min(scene.frame_end, scene.frame_start + 40))
    start = time.perf_counter()
    for frame in frames:
        scene.frame_set(frame)
    return 1000 * (time.perf_counter() - start) / max(len(frames), 1)


def error_of(model):
    """Returns the largest distance of a vertex in some frames, in units of the game."""
    worst = 0.0
    for frame in range(0, model.num_frames, max(1, model.num_frames // 12)):
        bpy.context.scene.frame_set(frame)
        for made in bpy.data.objects:
            if "lerpmesh_surface" in made:
                index = made["lerpmesh_surface"]
                count = model.surfaces[index].num_file_vertices
                wanted = model.sample(float(frame), index)[0][:count]
                worst = max(worst, float(abs(support.evaluated(made) - wanted).max()))
    return worst


def size_of(folder):
    path = folder / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    return path.stat().st_size + sum(p.stat().st_size for p in folder.glob("*.mdd"))


def measure(path, folder):
    name = path.rsplit("/", 1)[-1]
    local = folder / name
    local.write_bytes(lerpmesh.read_file(path))
    model = lerpmesh.load(str(local))
    vertices = sum(s.num_file_vertices for s in model.surfaces)
    print(f"## {name}: {model.num_frames} frames, {vertices} vertices")
    for kind in "RELATIVE", "ABSOLUTE", "CACHE":
        if kind == "RELATIVE" and model.num_frames > 500:
            continue
        took = best(lambda k=kind: bpy.ops.import_scene.lerpmesh(
            filepath=str(local), frames=k, related=False, cache_folder=str(folder)))
        for old in sorted(folder.glob("*.mdd"))[:-1]:
            old.unlink()
        played, error = per_frame(), error_of(model)
        start = time.perf_counter()
        out = folder / f"out{local.suffix}"
        bpy.ops.export_scene.lerpmesh(filepath=str(out), format=local.suffix[1:], content="VISIBLE")
        saved = 1000 * (time.perf_counter() - start)
        same = "the same bytes" if out.read_bytes() == local.read_bytes() else "OTHER BYTES"
        actions, size = len(bpy.data.actions), size_of(folder)
        print(f"| add-on, {kind.lower()} | {took:.0f} | {played:.2f} | {error:.1e} | {actions} | {size / 1e6:.1f} | "
              f"{saved:.0f}, {same} |")
        for old in folder.glob("*.mdd"):
            old.unlink()
    glb = folder / "model.glb"
    start = time.perf_counter()
    done = subprocess.run([COMMAND, "convert", "-q", "-f", str(local), "-o", str(glb)], check=False)
    converted = 1000 * (time.perf_counter() - start)
    if done.returncode == 0:
        took = best(lambda: bpy.ops.import_scene.gltf(filepath=str(glb)))
        played = per_frame()
        print(f"| glTF | {converted:.0f} + {took:.0f} | {played:.2f} | | {len(bpy.data.actions)} | "
              f"{size_of(folder) / 1e6:.1f} | |")


for model_path in MODELS:
    with tempfile.TemporaryDirectory() as where:
        measure(model_path, Path(where))
os.sync()
