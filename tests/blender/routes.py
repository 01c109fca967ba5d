"""The routes between the games' models and Blender that measure.py compares: the add-on of this project, glTF with the
command, and published add-ons, whose code is no part of this project."""
from __future__ import annotations

import importlib
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Callable

import bpy
import lerpmesh

METRE = 1 / 0.0254
GLTF = {"export_format": "GLB", "export_morph_normal": True, "export_extras": True}


@dataclass
class Model:
    frames: tuple[lerpmesh.Frame, ...]
    clips: tuple[lerpmesh.Clip, ...]


@dataclass
class Route:
    name: str
    formats: tuple[str, ...]
    load: Callable[[Path], None]
    show: Callable[[Any, int], list[Any]]  # shows a frame of a model, and returns its mesh objects
    save: Callable[[Path], None] | None
    prepare: Callable[[Path], Path] | None = None  # converts a file for load
    enable: Callable[[], None] = lambda: None
    scale: float = 1.0  # units per unit of Blender
    raw: bool = False  # Blender's axes are those of the file


def call(operator: str, **options: Any) -> None:
    group, function = operator.split(".")
    if getattr(getattr(bpy.ops, group), function)(**options) != {"FINISHED"}:
        raise RuntimeError(f"{operator} was cancelled")


def run(*arguments: Any) -> None:
    subprocess.run([str(a) for a in arguments], check=True, capture_output=True)


def meshes() -> list[Any]:
    found = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    return sorted(found, key=lambda o: o.get("lerpmesh_surface", 0))


def set_time(time: float) -> None:
    whole = int(time + 1e-4)
    bpy.context.scene.frame_set(whole, subframe=max(0.0, time - whole))


def clip_of(model: Any, frame: int) -> lerpmesh.Clip:
    """Returns the first clip with a frame. The command calls the frames between clips "frames 3-7"."""
    for clip in model.clips:
        if frame in clip.frames:
            return clip
    for action in bpy.data.actions:
        found = re.match(r"(frames? (\d+)(?:-(\d+))?)_", action.name)
        if found and int(found[2]) <= frame <= int(found[3] or found[2]):
            return lerpmesh.Clip(found[1], int(found[2]), 1 + int(found[3] or found[2]) - int(found[2]))
    raise RuntimeError(f"no action has frame {frame}")


# ---- Where a frame is -------------------------------------------------------------------------

def on_timeline(_: Any, frame: int) -> list[Any]:
    set_time(frame)
    return meshes()


def on_every_tenth(_: Any, frame: int) -> list[Any]:
    set_time(10 * frame)
    return meshes()


def in_objects(model: Any, frame: int) -> list[Any]:
    """An object for each name of frames without its number; the first frame of each is on frame 1."""
    names = [f.name.rstrip("0123456789_") or "Anim" for f in model.frames]
    set_time(1 + names[:frame].count(names[frame]))
    return [o for o in meshes() if o.name.endswith(f"_{names[frame]}")]


def in_actions(model: Any, frame: int) -> list[Any]:
    """The actions CLIP_OBJECT of glTF. Objects of scale 0 are hidden."""
    clip = clip_of(model, frame)
    for made in bpy.context.scene.objects:
        made["rest"] = made.get("rest", made.scale[:])
        made.scale = made["rest"]
        action = bpy.data.actions.get(f"{clip.name}_{made.name}")
        for owner, kind in (made, "OBJECT"), (getattr(made.data, "shape_keys", None), "KEY"):
            if owner and owner.animation_data:
                owner.animation_data.use_nla = False
                owner.animation_data.action = action if action and action.id_root == kind else None
    local = frame - clip.first
    set_time((clip.times[local] if clip.times else local / clip.fps) * bpy.context.scene.render.fps)
    return [o for o in meshes() if abs(o.matrix_world.determinant()) > 1e-9]


# ---- The routes -------------------------------------------------------------------------------

def own_routes(folder: Path) -> list[Route]:
    def save(path: Path) -> None:
        call("export_scene.lerpmesh", filepath=str(path), format=path.suffix[1:], content="VISIBLE")

    def loader(frames: str) -> Callable[[Path], None]:
        return lambda path: call("import_scene.lerpmesh", filepath=str(path), frames=frames, related=False,
                                 cache_folder=str(folder))
    return [Route(f"add-on, {frames.lower()}", ("md2", "md3", "mdc", "mdl"), loader(frames), on_timeline, save)
            for frames in ("RELATIVE", "ABSOLUTE", "CACHE")]


def export_gltf(command: str, path: Path, **options: Any) -> None:
    call("export_scene.gltf", filepath=str(path.with_suffix(".glb")), **{**GLTF, **options})
    run(command, "convert", "-q", "-f", path.with_suffix(".glb"), "-o", path)


def gltf_route(command: str, folder: Path) -> Route:
    def prepare(path: Path) -> Path:
        run(command, "convert", "-q", "-f", path, "-o", folder / "model.glb")
        return folder / "model.glb"

    return Route("glTF and convert", ("md2", "md3", "mdc", "mdl"),
                 lambda path: call("import_scene.gltf", filepath=str(path)), in_actions,
                 lambda path: export_gltf(command, path), prepare, scale=METRE)


def save_q2md2(path: Path, scale: float = 1.0) -> None:
    bpy.context.view_layer.objects.active = meshes()[0]
    call("export_scene.md2", filepath=str(path), scale=scale, frame_sampling=True)


def save_md3(path: Path) -> None:
    """Empties stop that exporter, unless they are hidden: it asks for a property that Blender 2.80 renamed."""
    for made in bpy.context.scene.objects:
        made.hide_viewport = made.type == "EMPTY"
    call("export_scene.md3", filepath=str(path))


enabled: list[Any] = []


def enable(module: Any) -> None:
    """Registers an add-on instead of the last one: two have the same operators."""
    if enabled:
        enabled.pop().unregister()
    module.register()
    enabled.append(module)


def published_routes(folder: Path, skin: Path) -> list[Route]:
    """The published add-ons of which folder has the module. skin: an image for those that need one."""
    def load_hypov8(path: Path) -> None:
        call("import_scene.md3", filepath=str(path), files=[{"name": path.name}])

    def load_lennart(path: Path) -> None:
        call("import_md2.some_data", filepath=str(path), use_custom_skin=True, custom_skin_path=str(skin))

    known = {
        "q2md2": Route("Shockblast/blender-q2md2-importer", ("md2",),
                       lambda path: call("import_scene.md2", filepath=str(path)), in_objects, save_q2md2),
        "io_import_md2": Route("lennart-g/blender-md2-importer", ("md2",), load_lennart, on_every_tenth, None),
        "io_scene_md3": Route("laurirasanen/blender-md3", ("md3",),
                              lambda path: call("import_scene.md3", filepath=str(path)), on_timeline, save_md3),
        "hypov8_md3": Route("hypov8/blender-md3_2.7-3.2", ("md3",), load_hypov8, on_timeline, None)}
    sys.path.append(str(folder))
    found = [name for name in known if (folder / name).is_dir()]
    for name in found:
        known[name].raw, known[name].enable = True, partial(enable, importlib.import_module(name))
    return [known[name] for name in found]
