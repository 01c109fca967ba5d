"""The transform of a tag in Quake III's engines: a second, independent implementation of R_LerpTag.

Written from the published descriptions. MD3 stores twelve floats per tag and frame (origin, three
axes), MDC six signed shorts (origin in 1/64, then pitch, yaw and roll in 360/32700 degrees, which
AngleVectors converts to axes). Both blend two frames linearly, and VectorNormalize gives each of the
three axes length 1, in whole frames too; an axis without length stays as it is.
"""
from __future__ import annotations

import math
import struct
from dataclasses import dataclass

Vec = tuple[float, ...]


@dataclass
class Place:
    origin: Vec
    axes: tuple[Vec, Vec, Vec]


@dataclass
class Tags:
    num_frames: int
    names: list[str]
    stored: list[list[Place]]  # [frame][tag]

    def lerp(self, tag: int, old: int, new: int, frac: float) -> Place:
        """R_LerpTag with backLerp 1 - frac and frontLerp frac."""
        start, end = self.stored[old][tag], self.stored[new][tag]
        axes = [mix(a, b, frac) for a, b in zip(start.axes, end.axes)]
        forward, left, up = (normalised(axis) for axis in axes)
        return Place(mix(start.origin, end.origin, frac), (forward, left, up))

    def odd_lengths(self, tolerance: float) -> int:
        """Counts the tags, in all frames, with an axis whose length is not 1."""
        return sum(
            any(abs(math.hypot(*axis) - 1.0) > tolerance for axis in place.axes)
            for frame in self.stored for place in frame
        )


def mix(a: Vec, b: Vec, frac: float) -> Vec:
    return tuple(p * (1.0 - frac) + q * frac for p, q in zip(a, b))


def normalised(v: Vec) -> Vec:
    size = math.hypot(*v)
    return v if size == 0.0 else tuple(c / size for c in v)


def axes_of_angles(pitch: float, yaw: float, roll: float) -> tuple[Vec, Vec, Vec]:
    """Three rotations in sequence: about x by roll, about y by pitch, about z by yaw."""

    def turned(v: Vec) -> Vec:
        x, y, z = v
        y, z = y * math.cos(roll) - z * math.sin(roll), y * math.sin(roll) + z * math.cos(roll)
        x, z = x * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - x * math.sin(pitch)
        return x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw), z

    return turned((1.0, 0.0, 0.0)), turned((0.0, 1.0, 0.0)), turned((0.0, 0.0, 1.0))


def name_of(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("latin-1")


def read_md3(data: bytes) -> Tags:
    num_frames, num_tags = struct.unpack_from("<2i", data, 76)
    (offset,) = struct.unpack_from("<i", data, 96)
    records = [struct.unpack_from("<64s12f", data, offset + 112 * i)
               for i in range(num_frames * num_tags)]
    places = [Place(r[1:4], (r[4:7], r[7:10], r[10:13])) for r in records]
    rows = [places[f * num_tags : (f + 1) * num_tags] for f in range(num_frames)]
    return Tags(num_frames, [name_of(r[0]) for r in records[:num_tags]], rows)


def read_mdc(data: bytes) -> Tags:
    num_frames, num_tags = struct.unpack_from("<2i", data, 76)
    names_at, frames_at = struct.unpack_from("<2i", data, 96)
    names = [name_of(data[names_at + 64 * t : names_at + 64 * t + 64]) for t in range(num_tags)]
    rows = []
    for f in range(num_frames):
        row = []
        for t in range(num_tags):
            raw = struct.unpack_from("<6h", data, frames_at + 12 * (f * num_tags + t))
            turns = (math.radians(angle * 360.0 / 32700.0) for angle in raw[3:])
            row.append(Place(tuple(c / 64.0 for c in raw[:3]), axes_of_angles(*turns)))
        rows.append(row)
    return Tags(num_frames, names, rows)


def read(data: bytes) -> Tags:
    return read_mdc(data) if data[:4] == b"IDPC" else read_md3(data)
