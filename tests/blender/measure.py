"""Compares the routes between the games' models and Blender, in rows of tables, in milliseconds, units and degrees:

    blender -b --python measure.py -- PACKAGE COMMAND [--addons FOLDER] [--scenes] [MODEL...]

MODEL: imports, the best of three, and the export of the unchanged model. --scenes: exports of the made scenes.
--addons: a folder with the modules of published add-ons; routes.py names them. tests/oracle decodes the files."""
from __future__ import annotations

import argparse
import contextlib
import io
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).resolve().parent
parser = argparse.ArgumentParser()
parser.add_argument("package")
parser.add_argument("command")
parser.add_argument("--addons", type=Path, default=Path("/nonexistent"))
parser.add_argument("--scenes", action="store_true")
parser.add_argument("models", nargs="*", type=Path)
OPTIONS = parser.parse_intermixed_args(sys.argv[sys.argv.index("--") + 1:])
sys.path[:0] = [OPTIONS.package, str(HERE.parents[1] / "python" / "blender"), str(HERE), str(HERE.parent / "oracle")]

import bpy  # noqa: E402
import numpy as np  # noqa: E402

np.bool = bool  # type: ignore[misc,assignment]  # Debian's glTF add-on needs it
import lerpmesh  # noqa: E402
import lerpmesh_io  # noqa: E402
import measure_export  # noqa: E402
import oracle  # noqa: E402
import routes  # noqa: E402
import scenes  # noqa: E402

LIMIT = 200  # seconds for a call
MANY = 500  # frames, too many for relative keys
LONG = 60000  # milliseconds after which an import is not repeated
NEAR = 1e-3  # units between vertices at one place


def clear() -> None:
    bpy.ops.wm.read_factory_settings()
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    for made in list(bpy.data.objects):
        bpy.data.objects.remove(made)


def out_of_time(*_: Any) -> None:
    raise TimeoutError(f"more than {LIMIT} s")


def timed(function: Callable[..., Any], *arguments: Any) -> float:
    """Calls a function without its output, and returns the milliseconds."""
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(LIMIT)
    start = time.perf_counter()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function(*arguments)
    finally:
        signal.alarm(0)
    return 1000 * (time.perf_counter() - start)


# ---- What arrives -----------------------------------------------------------------------------

def to_game(points: np.ndarray, route: routes.Route, scale: float) -> np.ndarray:
    return points * scale if route.raw else scenes.to_game(points, scale)


def corners_of(objects: list[Any], route: routes.Route) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns positions, normals and vertices of the corners that objects have now, in the axes of the games."""
    graph = bpy.context.evaluated_depsgraph_get()
    points, normals, vertices, first = [], [], [], 0
    for made in objects:
        mesh = made.evaluated_get(graph).to_mesh()
        mesh.calc_normals_split()
        matrix = np.array(made.matrix_world)
        places = np.array([v.co for v in mesh.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
        index = np.array([loop.vertex_index for loop in mesh.loops])
        turned = np.array([loop.normal for loop in mesh.loops]) @ np.linalg.inv(matrix[:3, :3])
        points.append(to_game(places[index], route, route.scale))
        normals.append(to_game(turned / np.linalg.norm(turned, axis=1)[:, None], route, 1))
        vertices.append(index + first)
        first += len(places)
        made.evaluated_get(graph).to_mesh_clear()
    return np.concatenate(points), np.concatenate(normals), np.concatenate(vertices)


def vertices_of(model: Any, frame: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns positions and normals in a frame, by the independent decoder, and which vertices have triangles."""
    rows = [s.vertex(frame, v, None) for s in model.surfaces for v in range(s.num_vertices)]
    used, first = [], 0
    for surface in model.surfaces:
        used += [first + v for v in sorted({v for t in surface.triangles for v in t.vertices})]
        first += surface.num_vertices
    return np.array([r[0] for r in rows]), np.array([r[1] for r in rows]), np.array(used)


def differences(model: Any, frame: int, objects: list[Any], route: routes.Route) -> tuple[float, list[float]]:
    """Returns the largest distance of a vertex, and the angles of normals. The vertices have the order of the file, or
    the nearest one counts."""
    wanted, normals, used = vertices_of(model, frame)
    points, found, vertices = corners_of(objects, route)
    ordered = not route.prepare and (len(objects) == 1 or "lerpmesh_surface" in objects[0])
    worst, angles = 0.0, []
    for v in used:
        if ordered and v not in vertices:  # only in triangles that Blender leaves out
            continue
        distances = np.linalg.norm(points - wanted[v], axis=1)
        worst = max(worst, float(distances[vertices == v].max() if ordered else distances.min()))
        cosines = found[distances <= distances.min() + NEAR] @ (normals[v] / (np.linalg.norm(normals[v]) or 1))
        angles.append(float(np.degrees(np.arccos(np.clip(cosines, -1, 1))).min()))
    return worst, angles


def tag_error(model: Any, frame: int, route: routes.Route) -> tuple[int, float]:
    """Returns how many tags have an empty, and their largest distance."""
    found, worst = 0, 0.0
    for tag in model.pose(float(frame)).tags:
        for made in bpy.context.scene.objects:
            if made.type == "EMPTY" and made.name.split(".")[0] == tag.name:
                place = to_game(np.array(made.matrix_world.translation), route, route.scale)
                found, worst = found + 1, max(worst, float(np.linalg.norm(place - tag.position)))
                break
    return found, worst


def sampled(model: Any) -> range:
    return range(0, len(model.frames), max(1, len(model.frames) // 24))


def arrived(model: routes.Model, decoded: Any, route: routes.Route) -> str:
    """Returns the columns error, normals, tags, clips, skins."""
    worst, angles, tags, off = 0.0, [0.0], 0, 0.0
    for frame in sampled(decoded):
        distance, turned = differences(decoded, frame, route.show(model, frame), route)
        worst, angles = max(worst, distance), angles + turned
        tags, place = tag_error(decoded, frame, route)
        off = max(off, place)
    names = {a.name for a in bpy.data.actions} | {o.name for o in bpy.data.objects}
    clips = sum(any(n == c.name or n.startswith(f"{c.name}_") or n.endswith(f"_{c.name}") for n in names)
                for c in model.clips)
    images = {n.image.name for m in bpy.data.materials if m.use_nodes for n in m.node_tree.nodes
              if n.type == "TEX_IMAGE" and n.image and n.image.size[0]}
    return (f"{worst:.1e} | {np.mean(angles):.1f} | {tags}/{len(decoded.tag_names)}, {off:.1e} | "
            f"{clips}/{len(model.clips)} | {len(images)}")


def per_frame(model: routes.Model, route: routes.Route) -> float:
    """Returns the milliseconds for a change of the frame in the first clip."""
    route.show(model, 0)
    scene = bpy.context.scene
    frames = range(scene.frame_current, scene.frame_current + min(40, routes.clip_of(model, 0).count))
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for frame in frames:
            scene.frame_set(frame)
        times.append(1000 * (time.perf_counter() - start) / len(frames))
    return min(times)


def size_of(folder: Path) -> float:
    path = folder / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    return (path.stat().st_size + sum(p.stat().st_size for p in folder.glob("*.mdd"))) / 1e6


def back(path: Path, route: routes.Route, folder: Path) -> str:
    """Exports the unchanged model; returns the time, and the largest distance of a vertex that it moved."""
    if not route.save:
        return "–"
    out = folder / f"out{path.suffix}"
    try:
        took = timed(route.save, out)
    except Exception as error:
        return reason(error)
    if out.read_bytes() == path.read_bytes():
        return f"{took:.0f}, the same bytes"
    before, after = oracle.load_file(str(path)), oracle.load_file(str(out))
    if len(before.frames) != len(after.frames):
        return f"{took:.0f}, {len(after.frames)} frames"
    worst = 0.0
    for frame in sampled(before):
        points, moved = vertices_of(after, frame)[0], vertices_of(before, frame)[0]
        worst = max(worst, *(float(np.linalg.norm(points - p, axis=1).min()) for p in moved))
    return f"{took:.0f}, {worst:.2g} units"


def reason(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if "Error" in line] or [f"{type(error).__name__}: {error}"]
    return f"fails: {lines[-1]}"


def import_row(path: Path, model: routes.Model, route: routes.Route, folder: Path, took: str) -> str:
    decoded, rate, actions = oracle.load_file(str(path)), bpy.context.scene.render.fps, len(bpy.data.actions)
    played, size = per_frame(model, route), size_of(folder)
    facts = arrived(model, decoded, route)
    return (f"| {route.name} | {took} | {played:.2f} | {size:.2f} | {actions} | {rate} | {facts} | "
            f"{back(path, route, folder)} |")


def import_once(path: Path, glb: Path, model: routes.Model, route: routes.Route, folder: Path) -> tuple[float, float]:
    """Returns the milliseconds of the conversion and of the import, into an empty scene."""
    clear()
    for old in folder.glob("*.mdd"):
        old.unlink()
    route.enable()
    if not route.prepare:
        return 0, timed(route.load, path)
    bpy.context.scene.render.fps = round(max(c.fps for c in model.clips))  # glTF places keys by seconds
    return timed(route.prepare, path), timed(route.load, glb)


def measure_import(path: Path, folder: Path, known: list[routes.Route]) -> None:
    """Imports by all routes, in turns."""
    glb = next(r.prepare for r in known if r.prepare)(path)
    model = routes.Model(lerpmesh.load(str(path)).frames, lerpmesh.import_mesh(str(glb)).mesh.clips)
    print(f"## {path.name}: {len(model.frames)} frames\n"
          "| route | import | frame | .blend | actions | rate | error | normals | tags | clips | skins | back |")
    many = len(model.frames) > MANY
    usable = [r for r in known if path.suffix[1:] in r.formats and not (many and "relative" in r.name)]
    times: dict[str, list[tuple[float, float]]] = {route.name: [] for route in usable}
    for turn in range(3):
        for route in list(usable):
            try:
                times[route.name].append(import_once(path, glb, model, route, folder))
                if turn == 2 or times[route.name][-1][1] > LONG:
                    usable.remove(route)
                    made, took = (min(column) for column in zip(*times[route.name]))
                    took_text = f"{made:.0f} + {took:.0f}" if route.prepare else f"{took:.0f}"
                    print(import_row(path, model, route, folder, took_text), flush=True)
            except Exception as error:
                usable.remove(route)
                print(f"| {route.name} | {reason(error)} |", flush=True)


with tempfile.TemporaryDirectory() as where:
    lerpmesh_io.register()
    skin_path = Path(where) / "skin.png"
    skin_path.write_bytes(lerpmesh.write_image(np.full((16, 16, 4), 200, np.uint8), "png"))
    published = routes.published_routes(OPTIONS.addons, skin_path)
    all_routes = [*routes.own_routes(Path(where)), routes.gltf_route(OPTIONS.command, Path(where)), *published]
    for model_path in OPTIONS.models:
        measure_import(model_path, Path(where), all_routes)
    if OPTIONS.scenes:
        measure_export.measure(OPTIONS.command, Path(where), published, timed)
