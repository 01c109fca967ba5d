#!/usr/bin/env python3
"""Reads the outputs of `lerpmesh convert -o X.md2` with the independent oracle, for every model of the corpus,
of assimp's test models, of our samples and of generated ones. They have the same triangles in the same
order, errors within the reported ones, and GL commands that draw them with the source's own texture
coordinates.

Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR, LERPMESH_CORPUS, ASSIMP_MODELS.
"""
from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import make_models
import oracle
import trials
from trials import GENERATED, Mismatch

SEED = 11
# If a model has more frames, only some of them are checked.
ALL_FRAMES = 12

Vec = tuple[float, ...]


def write(binary: str, path: Path, out: Path) -> float | None:
    """Converts, and returns the maximum error that the command reports; None if it rejects the model."""
    out.unlink(missing_ok=True)
    done = subprocess.run(
        [binary, "convert", str(path), "-o", str(out)], capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        return None
    found = re.search(r"maximum error (\S+) units", done.stdout + done.stderr)
    if not found:
        raise Mismatch(f"how far off is not said: {done.stdout}")
    return float(found.group(1))


def corners_of(model: oracle.Model, frame: int, topology: str = "triangles") -> list[tuple[oracle.Corner, ...]]:
    pose = model.pose(float(frame), None, topology)
    return [corners for surface in pose.surfaces for corners in surface.triangles]


def frames_of(model: oracle.Model) -> list[int]:
    count = len(model.frames)
    return list(range(count)) if count <= ALL_FRAMES else sorted({0, 1, count // 3, count // 2, count - 1})


def compare_positions(source: oracle.Model, made: oracle.Model, reported: float) -> None:
    most, size = 0.0, 1e-30
    frames = frames_of(source)
    for frame in frames:
        before, behind = corners_of(source, frame), corners_of(made, frame)
        if len(before) != len(behind):
            raise Mismatch(f"{len(behind)} triangles instead of {len(before)}")
        for one, other in zip(before, behind):
            for a, b in zip(one, other):
                most = max(most, math.dist(a.position, b.position))
                size = max(size, *(abs(x) for x in a.position))
    room = 0.006 * reported + 1e-6 * size
    if most > reported + room:
        raise Mismatch(f"off by {most}, but {reported} was reported")
    if len(frames) == len(source.frames) and most < reported - room:
        raise Mismatch(f"off by {most} only, but {reported} was reported")


def smallest_first(items: list[tuple[int, Vec]]) -> tuple[tuple[int, Vec], ...]:
    turns = [tuple(items[i:] + items[:i]) for i in range(3)]
    return min(turns)


def compare_commands(source: oracle.Model, made: oracle.Model) -> int:
    """The commands' triangles are the list's, with the source's texture coordinates."""
    wanted: Counter[object] = Counter()
    for one, other in zip(corners_of(source, 0), corners_of(made, 0)):
        vertices = [corner.vertex for corner in other]
        if len(set(vertices)) == 3:
            texcoords = [tuple(make_models.f32(x) + 0.0 for x in corner.texcoord) for corner in one]
            wanted[smallest_first(list(zip(vertices, texcoords)))] += 1
    drawn: Counter[object] = Counter()
    for triangle in made.gl_triangles:
        if len(set(triangle.vertices)) == 3:
            drawn[smallest_first([(v, tuple(c)) for v, c in zip(triangle.vertices, triangle.texcoords)])] += 1
    if wanted != drawn:
        raise Mismatch(f"GL commands differ by {sum(((wanted - drawn) + (drawn - wanted)).values())} triangles")
    return sum(drawn.values())


def check(binary: str, path: Path, out: Path, counts: Counter[str]) -> None:
    try:
        source = oracle.load_file(str(path))
    except oracle.OracleError:
        return  # broken on purpose
    reported = write(binary, path, out)
    if reported is None:
        counts["refused"] += 1
        return
    made = oracle.load_file(str(out))
    if [len(source.frames), made.format] != [len(made.frames), "md2"]:
        raise Mismatch("other frames")
    compare_positions(source, made, reported)
    counts["triangles of GL commands"] += compare_commands(source, made)
    counts["models"] += 1


def try_models(every: trials.Trials) -> None:
    for path in every.models:
        every.attempt(path, check, path, every.folder / "made.md2", every.counts)


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, lambda counts: counts["models"] >= GENERATED))
