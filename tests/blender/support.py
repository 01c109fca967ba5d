"""Helpers for the cases in Blender."""
import contextlib
import ctypes
import os
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Iterator

import bpy
import numpy as np


def clear() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        clear()

    def load(self, path: Any, **options: Any) -> Any:
        """Imports a file, and returns the collection of its first part."""
        before = set(bpy.data.collections)
        self.assertEqual(bpy.ops.import_scene.lerpmesh(filepath=str(path), **options), {"FINISHED"})
        made = [c for c in bpy.data.collections if c not in before]
        return next(c for c in made if "lerpmesh_source" in c)

    def save(self, name: str, **options: Any) -> Path:
        """Exports, and returns the path."""
        path = self.folder / name
        options.setdefault("format", path.suffix[1:] or "md3")
        options.setdefault("content", "VISIBLE")
        self.assertEqual(bpy.ops.export_scene.lerpmesh(filepath=str(path), **options), {"FINISHED"})
        return path


# ---- Actions: since Blender 4.4, they have slots with curves -------------------------------------

def new_action(name: str, kind: str = "OBJECT") -> Any:
    """Returns a new action for data blocks of a kind."""
    action = bpy.data.actions.new(name)
    if hasattr(action, "slots"):
        action.slots.new(id_type=kind, name=name)
        action.layers.new("Layer").strips.new(type="KEYFRAME")
    else:
        action.id_root = kind
    return action


def bag_of(action: Any) -> Any:
    """Returns what has the curves and the groups of an action, as `fcurves` and `groups`."""
    if not hasattr(action, "slots"):
        return action
    return action.layers[0].strips[0].channelbag(action.slots[0], ensure=True)


def new_curve(action: Any, path: str, index: int = 0, group: str = "") -> Any:
    key = "group_name" if hasattr(action, "slots") else "action_group"
    return bag_of(action).fcurves.new(path, index=index, **{key: group})


def use(user: Any, action: Any) -> Any:
    """Makes a strip, or the animation of a data block, use an action."""
    if user.action != action:
        user.action = action
    if hasattr(action, "slots"):
        user.action_slot = action.slots[0]
    return user


def evaluated(made: Any) -> np.ndarray:
    """Returns the positions of an object's vertices on the current frame, in the axes of the games."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh = made.evaluated_get(graph).to_mesh()
    points = np.array([v.co for v in mesh.vertices], dtype=np.float64).reshape(-1, 3)
    matrix = np.array(made.matrix_world)
    points = points @ matrix[:3, :3].T + matrix[:3, 3]
    return np.stack((-points[:, 1], points[:, 0], points[:, 2]), axis=1)


def corners_of(model: Any, frame: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the corners of all triangles of a model in a frame, by the independent decoder: positions
    [triangles, 3, 3], normals and texture coordinates."""
    pose = model.pose(float(frame))
    rows = [corner for surface in pose.surfaces for triangle in surface.triangles for corner in triangle]
    points = np.array([c.position for c in rows]).reshape(-1, 3, 3)
    return points, np.array([c.normal for c in rows]).reshape(-1, 3, 3), np.array([c.texcoord for c in rows]).reshape(
        -1, 3, 2)


def values_of(thing: Any) -> Any:
    """Returns what an animation can move: places, poses and values of keys."""
    if isinstance(thing, bpy.types.Key):
        return [key.value for key in thing.key_blocks], thing.eval_time
    pose = [[list(row) for row in bone.matrix_basis] for bone in thing.pose.bones] if thing.pose else []
    custom = [(key, value) for key, value in thing.items() if isinstance(value, (int, float))]
    return [list(row) for row in thing.matrix_basis], list(thing.rotation_quaternion), pose, custom, \
        [modifier.show_viewport for modifier in thing.modifiers]


def state_of(data: Any) -> Any:
    """Returns how a data block is animated."""
    return data and (data.action and data.action.name, data.use_nla, [
        (t.name, t.mute, t.is_solo, [(s.name, s.mute, s.action and s.action.name) for s in t.strips])
        for t in data.nla_tracks])


def snapshot() -> dict[str, Any]:
    """Returns the state of Blender's file, to compare it with a later one."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    blocks = [*bpy.data.objects, *bpy.data.shape_keys]
    data = {name: [block.name for block in getattr(bpy.data, name)] for name in (
        "objects", "collections", "meshes", "shape_keys", "actions", "materials", "images", "armatures", "node_groups")}
    return {
        **data, "values": {b.name: values_of(b) for b in blocks},
        "animation": {b.name: state_of(b.animation_data) for b in blocks},
        "selected": [(o.name, o.select_get(), o.hide_get()) for o in layer.objects],
        "active": layer.objects.active and (layer.objects.active.name, layer.objects.active.mode),
        "layer": layer.active_layer_collection.name,
        "time": (scene.frame_current, scene.frame_subframe, scene.frame_start, scene.frame_end, scene.render.fps,
                 scene.render.fps_base, scene.use_preview_range),
        "markers": [(m.name, m.frame) for m in scene.timeline_markers],
        "clips": [(c.name, c.source, c.start, c.end, c.fps) for c in scene.lerpmesh.clips],
        "units": scene.lerpmesh.units,
    }


def assert_same(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Compares two snapshots."""
    for key, value in before.items():
        assert value == after[key], f"{key}: {value} is now {after[key]}"


@contextlib.contextmanager
def captured(path: Path) -> Iterator[None]:
    """Writes the standard output of Blender itself into a file."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(path, "wb") as out:
        os.dup2(out.fileno(), 1)
    try:
        yield
        ctypes.CDLL(None).fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
