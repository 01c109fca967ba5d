"""Frames as shape keys or as a cache file, and clips as actions in NLA tracks."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

import bpy
import mathutils
import numpy as np

from . import slots, timeline
from .jobs import FRAMES

LINEAR = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
CACHE = "Frames"  # the name of the modifier
MAX_KEYS = 300  # relative shape keys play slowly beyond
MAX_KEY_COST = 200_000  # likewise, surfaces * frames * frames: about 25 ms per frame


def key_names(names: Sequence[str]) -> list[str]:
    """Returns a different name for each frame: its own, with a number if an earlier frame has it."""
    out: list[str] = []
    used: dict[str, int] = {}
    for i, name in enumerate(names):
        base = unique = name or f"frame{i}"
        while unique in used:
            used[base] += 1
            unique = f"{base}.{used[base]}"
        used.setdefault(unique, 1)
        out.append(unique)
    return out


def add_curve(curves: Any, path: str, index: int, points: np.ndarray, interpolation: int, group: str = "") -> None:
    """Adds a curve through points [n, 2], frame and value, to those of an action."""
    curve = curves.new(path, index=index, **{"group_name" if slots.HAS_SLOTS else "action_group": group})
    curve.keyframe_points.add(len(points))
    curve.keyframe_points.foreach_set("co", np.ascontiguousarray(points, dtype=np.float32).ravel())
    curve.keyframe_points.foreach_set("interpolation", np.full(len(points), interpolation, dtype=np.int32))
    curve.update()


# ---- Shape keys --------------------------------------------------------------------------------

def are_keys_fast(frames: int, surfaces: int) -> bool:
    """Returns whether relative shape keys play well. Blender finds each key by its name, on each frame."""
    return frames <= MAX_KEYS and surfaces * frames * frames <= MAX_KEY_COST


def add_keys(made: Any, positions: np.ndarray, names: Sequence[str]) -> Iterator[int]:
    """Adds a shape key for each frame, positions [frames, vertices, 3]. Yields the number of frames after a block."""
    for frame, name in enumerate(names):
        block = made.shape_key_add(name=name, from_mix=False)
        block.data.foreach_set("co", np.ascontiguousarray(positions[frame], dtype=np.float32).ravel())
        block.interpolation = "KEY_LINEAR"
        if frame % FRAMES == FRAMES - 1:
            yield frame + 1


def key_curves(curves: Any, names: Sequence[str], frames: Sequence[int]) -> None:
    """Adds the curves of relative keys: each is 1 on its frame and 0 on the next ones. Frame 0 is the basis."""
    shown: dict[int, list[int]] = {}
    for time, frame in enumerate(frames):
        shown.setdefault(frame, []).append(time)
    for frame, times in sorted(shown.items()):
        if frame == 0:
            continue
        near = sorted({t for time in times for t in (time - 1, time, time + 1) if 0 <= t < len(frames)})
        points = np.array([(t, float(t in times)) for t in near])
        add_curve(curves, f'key_blocks["{bpy.utils.escape_identifier(names[frame])}"].value', 0, points, LINEAR)


def key_times(keys: Any) -> np.ndarray:
    """Returns the times of absolute keys. Blender places them about 10 apart."""
    times = np.empty(len(keys.key_blocks), dtype=np.float32)
    keys.key_blocks.foreach_get("frame", times)
    return times


# ---- Cache files -------------------------------------------------------------------------------

def write_mdd(path: Path, positions: np.ndarray, fps: float) -> Iterator[int]:
    """Writes frames [frames, vertices, 3] as a file of Blender's Mesh Cache modifier: big-endian, times in seconds.
    Yields the number of frames after each block."""
    frames, vertices = positions.shape[:2]
    with open(path, "wb") as out:
        np.array((frames, vertices), dtype=">i4").tofile(out)
        (np.arange(frames) / fps).astype(">f4").tofile(out)
        for frame in range(0, frames, FRAMES):
            positions[frame:frame + FRAMES].astype(">f4").tofile(out)
            yield min(frame + FRAMES, frames)


def add_cache(made: Any, path: str) -> Any:
    """Adds the modifier that plays a cache file by its property eval_frame."""
    cache = made.modifiers.new(CACHE, "MESH_CACHE")
    cache.cache_format, cache.filepath = "MDD", path
    cache.time_mode, cache.play_mode = "FRAME", "CUSTOM"
    cache.interpolation = "LINEAR"
    return cache


# ---- Clips -------------------------------------------------------------------------------------

def frames_of(segment: timeline.Segment) -> list[int]:
    """Returns the file's frames of a segment's clip in playing order; the segment may be a part of it."""
    run = segment.clip or segment
    frames = list(range(run.first, run.first + run.count))
    return frames[::-1] if segment.clip and segment.clip.backwards else frames


def value_curve(curves: Any, path: str, values: np.ndarray) -> None:
    """Adds a curve through a value for each frame."""
    add_curve(curves, path, 0, np.stack((np.arange(len(values)), values), axis=1), LINEAR)


# Adds the curves of some frames of the file to those of an action.
Writer = Callable[[Any, Sequence[int]], None]


def surface_writer(kind: str, block: Any, names: Sequence[str]) -> Writer:
    """Returns what adds the curves of a surface. `kind`: "relative", "absolute" or "cache"."""
    if kind == "relative":
        return lambda curves, frames: key_curves(curves, names, frames)
    if kind == "absolute":
        times = key_times(block)
        return lambda curves, frames: value_curve(curves, "eval_time", times[frames])
    path = f'modifiers["{CACHE}"].eval_frame'
    return lambda curves, frames: value_curve(curves, path, np.asarray(frames, np.float32))


def add_strip(track: Any, name: str, segment: timeline.Segment, block: Any, action: Any, first: float,
              hold: bool) -> None:
    strip = track.strips.new(name, segment.start, action)
    slot = slots.slot_of(block, action)
    slots.assign(strip, action, slot)
    slots.prefer(block, slot)
    strip.name = name
    strip.action_frame_start = first
    strip.action_frame_end = first + max(segment.count - 1, .5)  # a single frame ends before the next strip
    strip.use_sync_length = False
    strip.extrapolation = "HOLD_FORWARD" if hold else "NOTHING"
    # The timeline shows the frames in the order of the file.
    strip.use_reverse = bool(segment.clip and segment.clip.backwards)


class Strips:
    """The actions of a part, and the NLA tracks that play them."""

    def __init__(self, segments: Sequence[timeline.Segment], prefix: str, model: str) -> None:
        """`prefix`: of the actions' names; `model`: a name that the actions of all parts share."""
        self.segments, self.tracks = segments, timeline.tracks(segments)
        self.prefix, self.model = prefix, model
        self.actions: dict[tuple[str, object], Any] = {}

    def label(self, segment: timeline.Segment) -> str:
        name = segment.clip.name if segment.clip else f"frames {segment.first} to {segment.first + segment.count - 1}"
        return f"{self.prefix} {name}" if self.prefix else name

    def action(self, block: Any, segment: timeline.Segment, tag: str, write: Writer) -> Any:
        """Makes the action of one clip, for data blocks of the kind of `block`."""
        label = self.label(segment)
        action, curves = slots.new_action(f"{label} {tag}" if tag else label, block, self.model)
        frames = frames_of(segment)
        write(curves, frames)
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0, max(len(frames) - 1, 1)
        clip = segment.clip
        action["lerpmesh_model"], action["lerpmesh_clip"] = self.model, clip.name if clip else label
        if clip:
            action.use_cyclic = clip.loop_frames >= clip.count
            action["lerpmesh_fps"] = clip.fps
            action["lerpmesh_loop_frames"] = clip.loop_frames
            action["lerpmesh_backwards"] = clip.backwards
        return action

    def play(self, block: Any, kind: str, write: Writer, tag: str = "") -> Iterator[None]:
        """Adds NLA tracks with an action for each clip to a data block; yields after each. Blocks of one `kind` share
        their actions. `tag`: its name."""
        data = block.animation_data_create()
        for row, segments in enumerate(self.tracks):
            track = data.nla_tracks.new()
            track.name = "Clips" if row == 0 else f"Clips {row + 1}"
            for segment in segments:
                key = kind, segment.clip or (segment.first, segment.count)
                if key not in self.actions:
                    self.actions[key] = self.action(block, segment, tag, write)
                clip = segment.clip
                first = clip.count - segment.count if clip and clip.backwards else 0
                add_strip(track, self.label(segment), segment, block, self.actions[key], first, row == 0)
                yield

    def hold(self, block: Any, write: Writer, tag: str = "") -> None:
        """Makes an action of all frames of the timeline the data block's own: there, Blender inserts keys. A curve has a
        key on each frame, so that a new one changes no other frame. `tag`: its name."""
        name = self.prefix or self.model
        action, curves = slots.new_action(f"{name} {tag}" if tag else name, block, self.model)
        write(curves, timeline.frames_shown(self.segments))
        action["lerpmesh_model"] = self.model
        slots.assign(block.animation_data_create(), action, slots.slot_of(block, action))


# ---- Tags --------------------------------------------------------------------------------------

PLACES = (("location", 0, 3), ("rotation_quaternion", 3, 4), ("scale", 7, 3))  # of ten values


def places_of(matrices: np.ndarray) -> np.ndarray:
    """Returns location, rotation and scale [frames, 10] of matrices [frames, 4, 4]."""
    rows = np.zeros((len(matrices), 10))
    last = None
    for i, matrix in enumerate(matrices):
        location, rotation, scale = mathutils.Matrix(matrix.tolist()).decompose()
        if last is not None:
            rotation.make_compatible(last)
        last = rotation
        rows[i] = (*location, *rotation, *scale)
    return rows


def place_writer(rows: np.ndarray, writes_all: bool) -> Writer | None:
    """Returns what adds the curves of a tag; None: it does not move. All clips have curves of the same values.
    `writes_all`: also of values that do not move."""
    moving = [(path, first, count) for path, first, count in PLACES
              if writes_all or np.ptp(rows[:, first:first + count], axis=0).max() > 0]

    def write(curves: Any, frames: Sequence[int]) -> None:
        times = np.arange(len(frames), dtype=np.float64)
        for path, first, count in moving:
            for index in range(count):
                add_curve(curves, path, index, np.stack((times, rows[frames, first + index]), axis=1), LINEAR)

    return write if moving else None
