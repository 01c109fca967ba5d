#!/usr/bin/env python3
"""Reads the MD3s and MDCs written by `lerpmesh convert` with the independent oracle, for every model of the
corpus, of assimp's test models, of our samples and of generated ones. No triangle is lost or added. Texture
coordinates are equal bit for bit, and no coordinate is further off than the format's half step. Normals and
tags are as near as the format allows, and no surface exceeds the limits of the format's game.

Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR, LERPMESH_CORPUS, ASSIMP_MODELS.
"""
from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import make_models
import oracle
import trials
from trials import GENERATED, Mismatch

SEED = 12
# The format, the maximum error of a coordinate (units) and of a normal (degrees), and the maximum numbers of
# vertices and triangles per surface.
WRITTEN = {"md3": (1 / 128, 1.0, 999, 1999), "mdc": (0.025, 11.3, 3999, 7999)}
TAG_STEP = 1 / 128

Corners = tuple[oracle.Corner, ...]


def triangles_of(model: oracle.Model, frame: int) -> list[Corners]:
    pose = model.pose(float(frame), None)
    return [corners for surface in pose.surfaces for corners in surface.triangles]


def key_of(corners: Corners) -> tuple[object, ...]:
    return tuple(tuple(make_models.f32(x) + 0.0 for x in corner.texcoord) for corner in corners)


def frames_of(model: oracle.Model) -> list[int]:
    count = len(model.frames)
    return sorted({0, 1 % count, count // 3, count // 2, count - 1})


def apart(a: Corners, b: Corners) -> float:
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p.position, q.position))


def unlike(a: Corners, b: Corners) -> float:
    """Returns the distance, plus a little for the angle between normals, which decides between equal
    distances."""
    return apart(a, b) + 1e-6 * max(turn(p, q) for p, q in zip(a, b))


def pair_up(source: list[list[Corners]], made: list[list[Corners]]) -> list[tuple[int, int]]:
    """Matches triangles with the same texture coordinates by the smallest distance in all frames."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, corners in enumerate(made[0]):
        groups[key_of(corners)].append(index)
    pairs = []
    for index, corners in enumerate(source[0]):
        group = groups[key_of(corners)]
        if not group:
            raise Mismatch(f"triangle {index} is lost")
        best = min(group, key=lambda i: max(unlike(a[index], b[i]) for a, b in zip(source, made)))
        group.remove(best)
        pairs.append((index, best))
    return pairs


def turn(a: oracle.Corner, b: oracle.Corner) -> float:
    cosine = sum(x * y for x, y in zip(a.normal, b.normal))
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def compare_triangles(source: oracle.Model, made: oracle.Model, step: float, degrees: float) -> None:
    frames = frames_of(source)
    before = [triangles_of(source, frame) for frame in frames]
    behind = [triangles_of(made, frame) for frame in frames]
    if len(before[0]) != len(behind[0]):
        raise Mismatch(f"{len(behind[0])} triangles instead of {len(before[0])}")
    for index, best in pair_up(before, behind):
        for one, other in zip(before, behind):
            off = apart(one[index], other[best])
            if off > step + 1e-4:
                raise Mismatch(f"triangle {index} is off by {off}")
            for a, b in zip(one[index], other[best]):
                if a.normal_length > 0.5 and turn(a, b) > degrees:
                    raise Mismatch(f"triangle {index}: a normal is off by {turn(a, b)} degrees")


def compare_tags(source: oracle.Model, made: oracle.Model) -> None:
    for frame in frames_of(source):
        before, behind = source.pose(float(frame), None).tags, made.pose(float(frame), None).tags
        if [tag.name for tag in before] != [tag.name for tag in behind]:
            raise Mismatch("other tags")
        for a, b in zip(before, behind):
            if max(abs(x - y) for x, y in zip(a.position, b.position)) > TAG_STEP + 1e-4:
                raise Mismatch(f"tag {a.name} is elsewhere in frame {frame}")


def check_sizes(made: oracle.Model, vertices: int, triangles: int) -> None:
    for surface in made.surfaces:
        if surface.num_vertices > vertices or len(surface.triangles) > triangles:
            raise Mismatch(f"surface {surface.name} has {surface.num_vertices} vertices")


def check(binary: str, path: Path, out: Path, counts: Counter[str]) -> None:
    try:
        source = oracle.load_file(str(path))
    except oracle.OracleError:
        return  # broken on purpose
    step, degrees, vertices, triangles = WRITTEN[out.suffix[1:]]
    out.unlink(missing_ok=True)
    command = [binary, "convert", str(path), "-o", str(out)]
    if subprocess.run(command, capture_output=True).returncode:
        counts["refused"] += 1
        return
    made = oracle.load_file(str(out))
    if [len(source.frames), out.suffix[1:]] != [len(made.frames), made.format]:
        raise Mismatch("other frames")
    compare_triangles(source, made, step, degrees)
    compare_tags(source, made)
    check_sizes(made, vertices, triangles)
    counts[out.suffix[1:]] += 1


def try_models(every: trials.Trials) -> None:
    for path in every.models:
        for format in WRITTEN:
            every.attempt(f"{path} as {format}", check, path, every.folder / f"made.{format}", every.counts)


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, lambda counts: min(counts[format] for format in WRITTEN) >= GENERATED))
