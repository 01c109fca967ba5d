#!/usr/bin/env python3
"""Compares the transforms of attached models with a second implementation of the engines' R_LerpTag.

A probe, a model of four points, is attached to every tag of a model, and the OBJ shows the positions
of its origin and the ends of its three axes. For every MD3 and MDC of the corpus and of our samples,
and for generated ones: at first, last, middle and fractional frames.

Usage: test_tags.py [ARCHIVE…]      the models in these PK3s instead
Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR, LERPMESH_CORPUS, ASSIMP_MODELS.
"""
from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import corpus
import lerp_tag
import make_models

FORMATS = ("md3", "mdc")
GENERATED = 40
SEED = 7
REACH = 256  # units: the probe's arms
TOLERANCE = 2e-4  # of an axis: OBJ has decimals, and distant positions have fewer
ODD_LENGTH = 0.01
REPORTED = 20
SECONDS = 60
# --attach would treat names with these characters as options, or cut them.
SPECIAL = set(",=@")


class Mismatch(Exception):
    """The command and R_LerpTag disagree about a transform."""


def probe() -> bytes:
    """Makes an MD3 of one frame: its origin and the ends of its axes, in one triangle each."""
    ends = [(0, 0, 0), (REACH, 0, 0), (0, REACH, 0), (0, 0, REACH)]
    triangles = b"".join(struct.pack("<3i", 0, i, i % 3 + 1) for i in (1, 2, 3))
    st = struct.pack("<8f", *([0.5] * 8))
    points = b"".join(struct.pack("<3hH", *(64 * c for c in end), 0) for end in ends)
    sizes = [108, len(triangles), 0, len(st), len(points)]
    at = [sum(sizes[: i + 1]) for i in range(5)]
    surface = struct.pack("<4s64s10i", b"IDP3", b"probe", 0, 1, 0, 4, 3, *at)
    frame = struct.pack("<10f16s", 0, 0, 0, *([REACH] * 3), 0, 0, 0, 2 * REACH, b"probe")
    body = frame + surface + triangles + st + points
    counts = (0, 1, 0, 1, 0, 108, 108 + len(frame), 108 + len(frame), 108 + len(body))
    return struct.pack("<4si64s9i", b"IDP3", 15, b"probe", *counts) + body


def poses_of(num_frames: int) -> list[tuple[int, int, float]]:
    last = num_frames - 1
    whole = [(f, f, 0.0) for f in sorted({0, last // 2, last})]
    return whole + ([(0, 1, 0.25), (last - 1, last, 0.5)] if last else [])


def attachable(names: list[str]) -> list[int]:
    """Returns the first of tags with the same name; nothing can be attached to the others, or to
    nameless ones."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name and name.isascii() and not SPECIAL & set(name):
            first.setdefault(name.lower(), index)
    return sorted(first.values())


def points_of(obj: str, count: int) -> list[list[tuple[float, ...]]]:
    """Returns the four points of each of the last `count` objects: the probes, in the order of
    attaching."""
    points = [tuple(map(float, line.split()[1:4])) for line in obj.splitlines()
              if line.startswith("v ")]
    probes = points[len(points) - 4 * count :]
    return [probes[4 * i : 4 * i + 4] for i in range(count)]


def compare(got: list[tuple[float, ...]], want: lerp_tag.Place, what: str) -> None:
    origin, *ends = got
    far = max(1.0, *map(abs, want.origin)) / REACH
    if max(abs(a - b) for a, b in zip(origin, want.origin)) > TOLERANCE * far * REACH:
        raise Mismatch(f"{what} is at {origin}, by R_LerpTag at {want.origin}")
    for i, (end, axis) in enumerate(zip(ends, want.axes)):
        arm = [(e - o) / REACH for e, o in zip(end, origin)]
        if max(abs(a - b) for a, b in zip(arm, axis)) > TOLERANCE * max(1.0, far):
            raise Mismatch(f"axis {i} of {what} is {arm}, by R_LerpTag {axis}")


def check_model(binary: str, name: str, tags: lerp_tag.Tags, folder: Path) -> int:
    """Returns the number of tags, in all poses, that agree."""
    which = attachable(tags.names)
    if not which:
        return 0
    words = [f"{tags.names[t]}={folder / 'probe.md3'}" for t in which]
    attached = [word for text in words for word in ("--attach", text)]
    out = folder / "out.obj"
    for old, new, frac in poses_of(tags.num_frames):
        arguments = ["convert", name, "--frame", repr(old + frac), "--axes", "model", *attached,
                     "-o", str(out)]
        done = subprocess.run([binary, *arguments], capture_output=True, timeout=SECONDS,
                              check=False)
        if done.returncode != 0:
            raise Mismatch(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
        probes = points_of(out.read_text(encoding="utf-8", errors="replace"), len(which))
        for tag, got in zip(which, probes):
            want = tags.lerp(tag, old, new, frac)
            compare(got, want, f"{tags.names[tag]} in frame {old + frac}")
    return len(which) * len(poses_of(tags.num_frames))


def models_of(archives: list[str], folder: Path) -> list[tuple[str, bytes]]:
    """Returns each model as the command's argument, with its bytes."""
    if archives:
        found = []
        for archive in archives:
            with zipfile.ZipFile(archive) as pk3:
                found += [(f"{archive}:{name}", pk3.read(name)) for name in sorted(pk3.namelist())
                          if name.lower().endswith((".md3", ".mdc"))]
        return found
    paths = corpus.real_models(FORMATS) + corpus.sample_models(FORMATS)
    options = ["--count", str(GENERATED), "--seed", str(SEED), "--formats", ",".join(FORMATS)]
    make_models.main([str(folder / "generated"), *options])
    paths += corpus.models_below(folder / "generated", FORMATS)
    return [(str(path), path.read_bytes()) for path in paths]


def run(binary: str, archives: list[str], folder: Path) -> int:
    counts: Counter[str] = Counter()
    failures = []
    (folder / "probe.md3").write_bytes(probe())
    for name, data in models_of(archives, folder):
        tags = lerp_tag.read(data)
        counts["models with tags"] += bool(tags.names)
        counts["of them with axes of other length"] += tags.odd_lengths(ODD_LENGTH) > 0
        try:
            counts["tags in poses compared"] += check_model(binary, name, tags, folder)
        except (Mismatch, OSError, ValueError, subprocess.SubprocessError) as error:
            failures.append(f"{name}: {error}")
    for what, count in counts.items():
        print(f"{count:9d} {what}")
    print("\n".join(f"FAIL {failure}" for failure in failures[:REPORTED]))
    print(f"{len(failures)} failures")
    nothing = counts["tags in poses compared"] < 100 or not counts[
        "of them with axes of other length"]
    return 1 if failures or nothing else 0


def main() -> int:
    binary = os.environ.get("LERPMESH_BINARY")
    if not binary or not os.access(binary, os.X_OK):
        print(f"LERPMESH_BINARY does not name a program: {binary!r}")
        return 1
    with tempfile.TemporaryDirectory() as name:
        return run(binary, sys.argv[1:], Path(name))


if __name__ == "__main__":
    sys.exit(main())
