"""The timeline of an import: the frames of Blender on which the frames of each part appear.

A model alone keeps its numbers: frame n of the file is frame n of Blender. Several animated parts, such as the legs and
the torso of a player, number their frames differently. Their clips then follow one another, each name once, and a part
without the clip repeats its idle clip. This module does not need Blender."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Sequence

from .packages import Clip


@dataclass
class Part:
    num_frames: int
    clips: Sequence[Clip]
    idle: Clip | None = None
    follows: int = -1  # the part whose frame it shows; -1: it has its own clips


@dataclass(frozen=True)
class Segment:
    """Frames first .. first + count - 1 of a part, from frame `start` of Blender on. `clip` names its action; None:
    frames that belong to no clip."""
    start: int
    first: int
    count: int
    clip: Clip | None
    is_idle: bool = False  # the part plays its idle clip because it lacks that of the timeline


@dataclass(frozen=True)
class Range:
    """A clip on the timeline."""
    name: str
    start: int
    count: int
    fps: float
    loop_frames: int
    backwards: bool


@dataclass
class Timeline:
    ranges: list[Range] = field(default_factory=list)
    segments: list[list[Segment]] = field(default_factory=list)  # of each part
    num_frames: int = 1


def unused_runs(part: Part) -> list[tuple[int, int]]:
    """Returns the runs (first, count) of frames that no clip contains."""
    used = [False] * part.num_frames
    for clip in part.clips:
        used[clip.first:clip.first + clip.count] = [True] * clip.count
    runs: list[tuple[int, int]] = []
    for frame, is_used in enumerate(used):
        if is_used:
            continue
        if runs and sum(runs[-1]) == frame:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((frame, 1))
    return runs


def range_of(clip: Clip, start: int, count: int) -> Range:
    return Range(clip.name, start, count, clip.fps, clip.loop_frames, clip.backwards)


def as_in_file(part: Part) -> tuple[list[Range], list[Segment]]:
    segments = [Segment(clip.first, clip.first, clip.count, clip) for clip in part.clips]
    segments += [Segment(first, first, count, None) for first, count in unused_runs(part)]
    return [range_of(clip, clip.first, clip.count) for clip in part.clips], segments


def find(part: Part, name: str) -> Clip | None:
    return next((clip for clip in part.clips if clip.name.lower() == name.lower()), None)


def repeat(clip: Clip, start: int, count: int, is_idle: bool) -> list[Segment]:
    """Returns segments that repeat a clip until `count` frames are full; a clip that does not loop holds its end."""
    out, at = [], start
    while at < start + count:
        length = min(clip.count, start + count - at)
        out.append(Segment(at, clip.first, length, clip, is_idle))
        at += length
        if not clip.loop_frames:
            break
    return out


def one_after_another(parts: Sequence[Part]) -> Timeline:
    """Lays out the clips of all parts by their names."""
    out = Timeline(segments=[[] for _ in parts], num_frames=0)
    names: dict[str, str] = {}
    for part in parts:
        for clip in part.clips if part.num_frames > 1 else ():
            names.setdefault(clip.name.lower(), clip.name)
    for name in names.values():
        clips = [find(part, name) if part.num_frames > 1 else None for part in parts]
        longest = max((clip for clip in clips if clip), key=lambda clip: clip.count)
        out.ranges.append(range_of(longest, out.num_frames, longest.count))
        for part, clip, segments in zip(parts, clips, out.segments):
            playing = clip or part.idle
            if playing and part.num_frames > 1:
                segments += repeat(playing, out.num_frames, longest.count, not clip)
        out.num_frames += longest.count
    for part, segments in zip(parts, out.segments):
        for first, count in unused_runs(part) if part.num_frames > 1 else ():
            segments.append(Segment(out.num_frames, first, count, None))
            out.num_frames += count
    return out


def lay_out(parts: Sequence[Part]) -> Timeline:
    """Returns the timeline of parts. A part that follows another shows the same frame, or its last one."""
    animated = [i for i, part in enumerate(parts) if part.num_frames > 1 and part.follows < 0]
    if len(animated) > 1:
        own = [part if part.follows < 0 else Part(part.num_frames, ()) for part in parts]
        out = one_after_another(own)
    else:
        out = Timeline(segments=[[] for _ in parts])
        for i in animated:
            out.ranges, out.segments[i] = as_in_file(parts[i])
            out.num_frames = parts[i].num_frames
    for i, part in enumerate(parts):
        if part.follows >= 0 and part.num_frames > 1:
            out.segments[i] = [s for s in out.segments[part.follows] if s.first + s.count <= part.num_frames]
    return out


def frames_shown(segments: Sequence[Segment]) -> list[int]:
    """Returns the frame of the file that each frame of the timeline shows; where no segment is, the one before."""
    out: list[int] = []
    for segment in sorted(segments, key=lambda s: s.start):
        out += [out[-1] if out else segment.first] * (segment.start - len(out))
        out[segment.start:] = [*range(segment.first, segment.first + segment.count), *out[segment.start + segment.count:]]
    return out


def tracks(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Distributes segments to as few tracks as possible, so that none overlaps another of its track."""
    out: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda s: s.start):
        for track in out:
            if track[-1].start + track[-1].count <= segment.start:
                track.append(segment)
                break
        else:
            out.append([segment])
    return out
