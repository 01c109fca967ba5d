"""Shape keys without Blender's evaluation, which finds the key of each curve by its name, on each frame: 250 keys of 19
surfaces take 0.1 s per frame. If only relative keys deform an object, `Blend` computes the same positions from the keys
and their curves. Objects with anything else are left to Blender."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Sequence

import bpy
import numpy as np

from . import slots


class Unmodelled(Exception):
    """The animation has a part that this module does not compute."""


class Curves:
    """The curves of an action that Blender evaluates. The surfaces of a model share them."""

    def __init__(self, curves: Sequence[Any]) -> None:
        self.curves = [c for c in curves if not (c.mute or c.is_empty or (c.group and c.group.mute))]
        self.paths = [curve.data_path for curve in self.curves]
        if any(curve.array_index or not curve.is_valid for curve in self.curves):
            raise Unmodelled
        self.last: tuple[float | None, Any] = None, None

    def at(self, time: float) -> np.ndarray:
        if self.last[0] != time:
            self.last = time, np.array([curve.evaluate(time) for curve in self.curves], dtype=np.float32)
        return self.last[1]


@dataclass
class Strip:
    """An NLA strip, or an action on all frames: `end` is then infinite."""
    curves: Curves
    numbers: np.ndarray  # of the keys that the curves move
    used: np.ndarray  # the curves that move a key
    start: float = -math.inf
    end: float = math.inf
    first: float = 0
    last: float = 0
    repeat: float = 1
    scale: float = 1
    reversed: bool = False
    extrapolation: str = "HOLD"
    mute: bool = False

    def time(self, frame: float) -> float:
        """Returns the frame of the action that the strip shows on a frame of the scene."""
        if math.isinf(self.end):
            return frame
        if frame == self.end and self.repeat == int(self.repeat):
            return self.first if self.reversed else self.last
        into = math.fmod(frame - self.start, ((self.last - self.first) or 1) * self.scale) / self.scale
        return self.last - into if self.reversed else self.first + into


def active_strip(strips: Sequence[Strip], frame: float) -> tuple[Strip | None, float]:
    """Returns the strip that a track plays on a frame, and the frame within its range; None: no strip."""
    previous = None
    for strip in strips:
        if frame < strip.start:
            break
        if frame <= strip.end:
            return strip, frame
        previous = strip
    if previous:
        return (previous if previous.extrapolation != "NOTHING" else None), previous.end
    return (strips[0] if strips[0].extrapolation == "HOLD" else None), strips[0].start


def is_plain(strip: Any) -> bool:
    """Returns whether a strip replaces the values below it, in whole."""
    return strip.type == "CLIP" and strip.action and strip.blend_type == "REPLACE" and not strip.modifiers and \
        not strip.use_animated_influence and not strip.use_animated_time and strip.blend_in == strip.blend_out == 0


class Blend:
    """The shapes of an object that only relative shape keys deform."""

    def __init__(self, made: Any) -> None:
        self.keys = made.data.shape_keys
        blocks = self.keys.key_blocks
        self.numbers = {block.name: i for i, block in enumerate(blocks)}
        self.paths = {f'key_blocks["{bpy.utils.escape_identifier(n)}"].value': i for n, i in self.numbers.items()}
        self.least = np.array([block.slider_min for block in blocks], dtype=np.float32)
        self.most = np.array([block.slider_max for block in blocks], dtype=np.float32)
        self.basis = self.numbers[self.keys.reference_key.name]
        self.is_used = np.array([not block.mute for block in blocks])
        self.is_used[self.basis] = False
        self.points: dict[int, np.ndarray] = {}

    def read(self, actions: dict[Any, Curves]) -> bool:
        """Reads the animation of the keys as it is now. Returns whether `positions` can compute it. `actions`: the
        curves of actions, for all objects."""
        self.actions = actions
        self.fixed = np.array([block.value for block in self.keys.key_blocks], dtype=np.float32)
        try:
            self.tracks = self.read_tracks()
        except Unmodelled:
            return False
        return True

    def strip(self, user: Any, **values: Any) -> Strip:
        key = user.action, getattr(user, "action_slot", None)
        if key not in self.actions:
            self.actions[key] = Curves(slots.curves_of(*key))
        curves = self.actions[key]
        for path in curves.paths:
            if path not in self.paths and self.resolves(path):
                raise Unmodelled
        used = np.array([i for i, path in enumerate(curves.paths) if path in self.paths], dtype=int)
        return Strip(curves, np.array([self.paths[curves.paths[i]] for i in used], dtype=int), used, **values)

    def resolves(self, path: str) -> bool:
        try:
            self.keys.path_resolve(path)
        except ValueError:
            return False
        return True

    def read_tracks(self) -> list[list[Strip]]:
        """Returns the strips of each NLA track that plays, or the action."""
        data = self.keys.animation_data
        if not data:
            return []
        uses_nla = data.use_nla and len(data.nla_tracks) > 0
        if data.drivers or data.use_tweak_mode or (uses_nla and data.action):
            raise Unmodelled
        if not uses_nla:
            return [[self.strip(data)]] if data.action else []
        solo = [track for track in data.nla_tracks if track.is_solo]
        played = [list(track.strips) for track in solo or data.nla_tracks if solo or not track.mute]
        if not all(is_plain(strip) for strips in played for strip in strips):
            raise Unmodelled
        tracks = [[self.strip(
            s, start=s.frame_start, end=s.frame_end, first=s.action_frame_start, last=s.action_frame_end,
            repeat=s.repeat, scale=s.scale, reversed=s.use_reverse, extrapolation=s.extrapolation, mute=s.mute)
            for s in strips] for strips in played if strips]
        for strip in (strip for strips in tracks for strip in strips):
            self.fixed[strip.numbers] = 0  # where no strip plays
        return tracks

    def values(self, frame: float) -> np.ndarray:
        """Returns the values of all keys."""
        out = self.fixed.copy()
        for strips in self.tracks:
            strip, at = active_strip(strips, frame)
            if strip and not strip.mute:
                out[strip.numbers] = strip.curves.at(strip.time(at))[strip.used]
        return np.clip(out, self.least, self.most)

    def key(self, number: int) -> np.ndarray:
        if number not in self.points:
            block = self.keys.key_blocks[number]
            points = np.empty(3 * len(block.data), dtype=np.float32)
            block.data.foreach_get("co", points)
            self.points[number] = points.reshape(-1, 3)
        return self.points[number]

    def positions(self, frame: float) -> np.ndarray:
        """Returns the positions [vertices, 3] of all vertices, in the space of the object."""
        values = self.values(frame)
        out = self.key(self.basis).copy()
        for number in np.flatnonzero(self.is_used & (values != 0)):
            reference = self.numbers[self.keys.key_blocks[number].relative_key.name]
            out -= values[number] * (self.key(reference) - self.key(number))
        return out


# ---- Objects that this module computes -----------------------------------------------------------

def are_keys_alone(made: Any) -> bool:
    """Returns whether relative shape keys, and nothing else, deform an object."""
    keys = made.data.shape_keys if made.type == "MESH" else None
    return bool(keys) and keys.use_relative and len(keys.key_blocks) > 0 and made.mode == "OBJECT" and \
        not made.data.is_editmode and not made.show_only_shape_key and made.parent_type in ("OBJECT", "BONE") and \
        not any(modifier.show_viewport for modifier in made.modifiers) and \
        not any(block.vertex_group for block in keys.key_blocks) and \
        all(len(block.data) == len(made.data.vertices) for block in keys.key_blocks)


INERT = (bpy.types.Scene, bpy.types.Collection, bpy.types.Screen, bpy.types.WorkSpace, bpy.types.WindowManager)


def has_drivers(thing: Any) -> bool:
    return bool(getattr(thing, "animation_data", None) and thing.animation_data.drivers)


def is_inert(user: Any, made: Any) -> bool:
    """Returns whether a data block that refers to an object does not depend on its shape: a scene, or a child."""
    if has_drivers(user):
        return False
    is_child = isinstance(user, bpy.types.Object) and user.parent == made and user.parent_type == "OBJECT"
    return isinstance(user, INERT) or (is_child and not user.constraints and not user.modifiers)


def unneeded(objects: Sequence[Any]) -> set[Any]:
    """Returns those objects whose keys can stop moving without a change of any other data block."""
    ids = {block for made in objects for block in (made, made.data, made.data.shape_keys)}
    users = bpy.data.user_map(subset=ids) if ids else {}
    out = set()
    for made in objects:
        if users[made.data.shape_keys] <= {made.data} and not made.rigid_body and made.instance_type == "NONE" and \
                all(is_inert(user, made) for user in users[made]):
            out.add(made)
    return {made for made in out if all(user in out for user in users[made.data] if user != made.data.shape_keys)}


def is_modelled(scene: Any) -> bool:
    """Returns whether a frame's number alone decides the values of curves."""
    handlers = bpy.app.handlers
    return scene.render.frame_map_old == scene.render.frame_map_new and \
        not handlers.frame_change_pre and not handlers.frame_change_post


def is_still(made: Any) -> bool:
    """Returns whether an object's place is the same on all frames."""
    while made:
        data = made.animation_data
        if made.constraints or made.rigid_body or made.parent_type != "OBJECT" or made.type == "CURVE" or \
                (data and (data.action or data.nla_tracks or data.drivers)):
            return False
        made = made.parent
    return True
