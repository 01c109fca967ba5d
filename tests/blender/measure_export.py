"""Exports the made scenes by each route, and compares the files with the meshes that Blender evaluates."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import bpy
import cases_scenes
import lerpmesh
import numpy as np
import oracle
import routes
import scenes
import support


@dataclass
class Exporter:
    name: str
    formats: tuple[str, ...]
    save: Callable[[str, Path], None]  # of a scene's name
    each_clip: bool = False  # knows no clips: a file for each, of the timeline
    raw: bool = False  # Blender's axes are those of the file
    enlarged: bool = False  # has no scale
    enable: Callable[[], None] = lambda: None


def obj_sequence(command: str, path: Path) -> None:
    scene = bpy.context.scene
    for old in path.parent.glob("walk_*.obj"):
        old.unlink()
    routes.call("wm.obj_export", filepath=str(path.with_name("walk_.obj")), export_animation=True,
                start_frame=scene.frame_start, end_frame=scene.frame_end)
    routes.run(command, "convert", "-q", "-f", path.with_name("walk_{frame}.obj"), "-o", path, "--scale", routes.METRE)


def exporters(command: str, published: list[routes.Route]) -> list[Exporter]:
    every = ("md2", "md3", "mdc")
    found = [
        Exporter("add-on", every, lambda _, path: routes.call(
            "export_scene.lerpmesh", filepath=str(path), format=path.suffix[1:], content="VISIBLE")),
        Exporter("glTF and convert", every, lambda name, path: routes.export_gltf(
            command, path, export_nla_strips=name in ("rig", "keys", "player"))),
        Exporter("OBJ sequence and convert", every, lambda _, path: obj_sequence(command, path), each_clip=True)]
    for route in (r for r in published if r.save):
        md3 = route.save == routes.save_md3
        found.append(Exporter(route.name, route.formats, lambda _, path, md3=md3: routes.save_md3(path) if md3 else
                              routes.save_q2md2(path, routes.METRE), md3, True, md3, route.enable))
    return found


def make(name: str, exporter: Exporter) -> tuple[list[scenes.Clip], list[scenes.Shape]]:
    """Makes a scene: for an exporter without a scale, under an empty that makes one unit of Blender one of the game."""
    clips = scenes.SCENES[name]()
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.context.scene.lerpmesh.units = "METRES"
    shapes = scenes.shapes(clips, routes.METRE)
    exporter.enable()
    if exporter.enlarged:
        top = scenes.empty("top", (0, 0, 0))
        top.scale = [routes.METRE] * 3
        for made in bpy.context.scene.objects:
            if not made.parent and made != top:
                made.parent = top
    return clips, shapes


def save(exporter: Exporter, name: str, clips: list[scenes.Clip], path: Path) -> list[Path]:
    if not exporter.each_clip:
        exporter.save(name, path)
        return [path]
    made = []
    for clip in clips:
        for rig in (o for o in bpy.context.scene.objects if o.type == "ARMATURE" and clip.action):
            rig.animation_data.action, rig.animation_data.use_nla = bpy.data.actions[clip.action], False
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = clip.start, clip.end
        made.append(path.with_stem(f"{path.stem}_{clip.name}"))
        exporter.save(name, made[-1])
    return made


# ---- Comparing --------------------------------------------------------------------------------

def expected(clips: list[scenes.Clip], shapes: list[scenes.Shape], path: Path) -> list[scenes.Shape]:
    """Returns the shapes of a file's frames: its clips have their own order, and may lack a last frame that equals the
    first one."""
    count = len(oracle.load_file(str(path)).frames)
    kept = set(cases_scenes.frames_kept(clips, shapes))
    kept = kept if count == len(kept) else set(range(len(shapes)))
    first, parts = 0, {}
    for clip in clips:
        parts[clip.name] = [i for i in range(first, first + clip.end - clip.start + 1) if i in kept]
        first += clip.end - clip.start + 1
    names = [c.name for c in lerpmesh.load(str(path)).clips]
    order = names if sorted(names) == sorted(parts) else list(parts)
    return [shapes[i] for name in order for i in parts[name]]


def apart(wanted: np.ndarray, found: np.ndarray) -> str:
    """Says how far the corners are away from the nearest ones, if the triangles do not match."""
    worst = max(float(np.linalg.norm(f.reshape(-1, 3) - corner, axis=1).min())
                for w, f in zip(wanted, found) for corner in w.reshape(-1, 3))
    return f"{worst:.3f}, other triangles" if worst < 1 else f"{worst:.0f} off"


def compare(shapes: list[scenes.Shape], path: Path, raw: bool) -> tuple[float, float, int] | str:
    """Returns the largest distance and angle, and the number of triangles that are inside out; or what is wrong."""
    model = oracle.load_file(str(path))
    if len(model.frames) != len(shapes):
        return "does not move" if len(model.frames) == 1 else f"{len(model.frames)} of {len(shapes)} frames"
    posed = [support.corners_of(model, f) for f in range(len(shapes))]
    wanted, found = np.array([s.corners for s in shapes]), np.array([p[0] for p in posed])
    if wanted.shape != found.shape:
        return f"{found.shape[1]} of {wanted.shape[1]} triangles"
    if np.ptp(found, axis=0).max() < 1e-3 < np.ptp(wanted, axis=0).max():
        return "does not move"
    normals = np.array([p[1] for p in posed])
    if raw:
        found, normals = scenes.to_game(found, 1), scenes.to_game(normals, 1)
    moved, turned = [], []  # as they are, and inside out
    for order in [0, 1, 2], [0, 2, 1]:
        index, turn = cases_scenes.match(wanted, found[:, :, order])
        index, columns = index[:, None], (np.arange(3) + turn[:, None]) % 3
        moved.append(np.linalg.norm(found[:, :, order][:, index, columns] - wanted, axis=-1).max(axis=(0, 2)))
        turned.append(cases_scenes.angles(normals[:, :, order][:, index, columns],
                                          np.array([s.normals for s in shapes])).max(axis=(0, 2)))
    inside_out = moved[1] < moved[0] - 1e-3
    if np.minimum(*moved).max() > 1:
        return apart(wanted, found)
    angle = np.where(inside_out, turned[1], turned[0]).max()
    return float(np.minimum(*moved).max()), float(angle), int(inside_out.sum())


def result(clips: list[scenes.Clip], shapes: list[scenes.Shape], paths: list[Path], exporter: Exporter) -> str:
    if exporter.each_clip:
        starts = np.cumsum([0] + [c.end - c.start + 1 for c in clips])
        found = [compare(shapes[a:b], p, exporter.raw) for p, a, b in zip(paths, starts, starts[1:])]
    else:
        found = [compare(expected(clips, shapes, paths[0]), paths[0], exporter.raw)]
    words = [f for f in found if isinstance(f, str)]
    if words:
        return words[0]
    distance, angle, inside_out = (max(column) for column in zip(*found))
    return f"{distance:.3f}, {angle:.1f}" + (f", {inside_out} triangles inside out" if inside_out else "")


def measure(command: str, folder: Path, published: list[routes.Route], timed: Callable[..., float]) -> None:
    """Exports each scene three times by all routes, in turns."""
    for kind in "md2", "md3", "mdc":
        known = [e for e in exporters(command, published) if kind in e.formats]
        cells: dict[str, list[str]] = {e.name: [] for e in known}
        for name in scenes.SCENES:
            times: dict[str, list[float]] = {e.name: [] for e in known}
            usable = list(known)
            for turn in range(3):
                for exporter in list(usable):
                    clips, shapes = make(name, exporter)
                    paths: list[Path] = []
                    try:
                        times[exporter.name].append(timed(
                            lambda: paths.extend(save(exporter, name, clips, folder / f"{name}.{kind}"))))
                    except Exception as error:
                        usable.remove(exporter)
                        cells[exporter.name].append(f"fails: {error}".splitlines()[-1])
                        continue
                    if turn == 2:
                        size = sum(p.stat().st_size for p in paths) / 1e3
                        cells[exporter.name].append(f"{result(clips, shapes, paths, exporter)}, "
                                                    f"{min(times[exporter.name]):.0f} ms, {size:.1f} kB")
        print(f"## {kind}: distance, angle, time, size\n| route | {' | '.join(scenes.SCENES)} |")
        for route, row in cells.items():
            print(f"| {route} | {' | '.join(row)} |", flush=True)
