"""Clips and poses."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Sequence, Union

from .library import (Data, Diagnostic, Kept, PathLike, array_of, count_of, data_of, diagnostics, enum, ffi, items,
                      lib, names_of, new_error, owned, read, text, written)


class Pose(NamedTuple):
    """A pose: two frames and a fraction. Positions are blended linearly, (1 - t) * a + t * b."""

    frame_a: int
    frame_b: int
    t: float = 0.0
    hidden: bool = False
    """A hidden clip plays: the part of a scene is not drawn."""


PoseLike = Union[float, "tuple[int, int, float]", Pose]
"""A pose, or a fractional frame, which means the pose between the two frames around it."""


@dataclass(frozen=True)
class Clip:
    """A clip: a range of frames that plays as one animation."""

    name: str
    first: int
    """The first frame."""
    count: int
    """The number of frames, at least 1."""
    fps: float = 10.0
    loop_frames: int = 0
    """The number of frames at the end that repeat. `count` makes a plain loop; 0 stops on the last frame."""
    backwards: bool = False
    """Plays from the last frame to the first."""
    times: Optional[tuple[float, ...]] = None
    """[count + 1] seconds at which each frame begins, and the last one ends; None: each lasts 1 / fps seconds."""
    source: str = "custom"
    """"custom", "frame-names", "table", "group" or "file"."""
    hidden: bool = False
    """The part of a scene that plays the clip is not drawn."""
    animated_barrels: int = 0
    """Of a row of weapon.cfg, a bit for each barrel with frames of its own."""
    hidden_barrels: int = 0
    """The same for each barrel that is not drawn."""
    animated_weapon: bool = False
    """The same for the weapon; no game uses it."""

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"clip {self.name!r} has no frames")

    @property
    def frames(self) -> range:
        """The numbers of the frames, in the order of the file."""
        return range(self.first, self.first + self.count)

    def pose(self, seconds: float, mode: str = "as-clip", backwards: bool = False) -> Pose:
        """Returns the pose `seconds` after the start. Modes: "as-clip", "loop", "once", "ping-pong"."""
        pose = ffi.new("lm_pose *")
        kept = Kept()
        lib.lm_clip_pose(clips_to_c([self], kept), seconds, enum("LM_PLAY_", mode), backwards, pose)
        return Pose(pose.frame_a, pose.frame_b, pose.t, pose.hidden)

    def duration(self, mode: str = "as-clip") -> float:
        """Returns the seconds until the clip ends or starts again."""
        kept = Kept()
        return float(lib.lm_clip_duration(clips_to_c([self], kept), enum("LM_PLAY_", mode)))


SOURCES = names_of("LM_CLIP_")


def clip_of(clip: Any) -> Clip:
    """Returns an lm_clip."""
    times = tuple(ffi.unpack(clip.times, clip.count + 1)) if clip.times else None
    return Clip(text(clip.name), clip.first, clip.count, clip.fps, clip.loop_frames, clip.backwards, times,
                SOURCES[clip.source], clip.hidden, clip.animated_barrels, clip.hidden_barrels, clip.animated_weapon)


def clips_of(pointer: Any, count: int) -> tuple[Clip, ...]:
    """Returns an array of lm_clip."""
    return tuple(clip_of(clip) for clip in items(pointer, count))


def clips_to_c(clips: Sequence[Clip], kept: Kept) -> Any:
    """Returns clips as an array of lm_clip, with values that lm_clip_pose can take on trust."""
    sources = {name: value for value, name in SOURCES.items()}
    given = list(clips)
    made = kept.structs("lm_clip", [{
        "name": kept.text(clip.name), "first": clip.first, "count": clip.count, "fps": clip.fps,
        "loop_frames": clip.loop_frames, "backwards": clip.backwards,
        "times": kept.numbers(array_of(clip.times, "f4", (clip.count + 1,), f"the times of clip {clip.name!r}")),
        "source": sources[clip.source], "hidden": clip.hidden, "animated_barrels": clip.animated_barrels,
        "hidden_barrels": clip.hidden_barrels, "animated_weapon": clip.animated_weapon} for clip in given])
    for clip, value in zip(given, items(made, len(given))):
        if value.count < 1 or value.loop_frames > value.count:
            raise ValueError(f"clip {clip.name!r} has {value.count} frames, of which {value.loop_frames} repeat")
        if not (value.fps > 0 and (value.times or math.isfinite(value.fps))):
            raise ValueError(f"clip {clip.name!r} has {value.fps} frames per second")
        times = ffi.unpack(value.times, value.count + 1) if value.times else [0.0]
        if not (all(a < b for a, b in zip(times, times[1:])) and math.isfinite(times[0]) and math.isfinite(times[-1])):
            raise ValueError(f"clip {clip.name!r} has times that do not increase")
    return made


class ClipsFile(NamedTuple):
    """The clips of a file, and the lines that were not understood."""

    clips: tuple[Clip, ...]
    warnings: list[Diagnostic]


def _options(source: Union[Data, PathLike], format: str, part: str, file_name: Optional[str], kept: Kept) -> Any:
    name = file_name if file_name is not None or isinstance(source, (bytes, bytearray, memoryview)) else str(source)
    return ffi.new("lm_clips_options *", {
        "format": enum("LM_CLIPS_", format), "file_name": kept.text(name),
        "player_part": lib.LM_PART_FULL if part == "full-body" else enum("LM_PART_", part)})


def read_clips(source: Union[Data, PathLike], num_frames: int, *, format: str = "auto", part: str = "full-body",
               file_name: Optional[str] = None) -> ClipsFile:
    """Reads a clips file for a model of `num_frames` frames: animation.cfg, weapon.cfg, .framegroups or .anm.

    `source` is a path, or the bytes of the file. Formats: "auto", "animation-cfg", "weapon-cfg", "framegroups",
    "anm". For a part of a Quake III player, `part` is "legs" or "torso".

    >>> read_clips(b"0 30 30 20 // BOTH_IDLE", 30).clips[0].name
    'BOTH_IDLE'
    """
    data = data_of(read(source))
    kept = Kept()
    options = _options(source, format, part, file_name, kept)
    error = new_error()
    clips = owned(lib.lm_clips_read(data, len(data), num_frames, options, error), lib.lm_clips_free, error)
    return ClipsFile(clips_of(clips.clips, clips.num_clips), diagnostics(clips.num_warnings, clips.warnings))


def change_clip(source: Union[Data, PathLike], num_frames: int, index: int, clip: Clip, *, format: str = "auto",
                part: str = "full-body", file_name: Optional[str] = None) -> bytes:
    """Returns the text of a clips file with other values of one clip; every other byte stays. `index` counts the clips
    of read_clips() with the same arguments.

    >>> change_clip(b"0 30 30 20 // IDLE, calm", 30, 0, Clip("IDLE", 0, 30, fps=15, loop_frames=30))
    b'0 30 30 15 // IDLE, calm'
    """
    data = data_of(read(source))
    kept = Kept()
    options = _options(source, format, part, file_name, kept)
    changed = clips_to_c([clip], kept)
    return written(lambda out, error: lib.lm_clips_change(data, len(data), num_frames, index, changed, options, out,
                                                          error))


def write_clips(clips: Sequence[Clip], num_frames: int, *, format: str = "animation-cfg") -> bytes:
    """Returns the text of a clips file, "animation-cfg", "weapon-cfg" or "framegroups", for a model of `num_frames` frames.

    >>> write_clips([Clip("run", 0, 6, fps=10, loop_frames=6)], 6).split()[-6:]
    [b'0', b'6', b'6', b'10', b'//', b'run']
    """
    kept = Kept()
    array = clips_to_c(clips, kept)
    return written(lambda out, error: lib.lm_clips_write(array, count_of(array), num_frames,
                                                         enum("LM_CLIPS_", format), out, error))


def quake2_clips(num_frames: int = 198) -> tuple[Clip, ...]:
    """Returns the 20 animations of Quake II's players; those beyond `num_frames` are shortened or dropped."""
    error = new_error()
    options = ffi.new("lm_clips_options *", {"format": lib.LM_CLIPS_QUAKE2})
    clips = owned(lib.lm_clips_read(ffi.NULL, 0, num_frames, options, error), lib.lm_clips_free, error)
    return clips_of(clips.clips, clips.num_clips)
