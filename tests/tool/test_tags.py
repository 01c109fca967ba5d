#!/usr/bin/env python3
"""Compares the transforms of attached models with those of the independent oracle.

A probe, a model of four points, is attached to every tag of a model, and the OBJ shows the positions of its origin and
the ends of its three axes. For every MD3 and MDC of the corpus and of our samples, and for generated ones: at first,
last, middle and fractional frames.

Usage: test_tags.py [ARCHIVE…]      the models in these PK3s instead
"""
import math
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import oracle
import trials
from small_files import make_md3
from trials import Mismatch

SEED = 7
GENERATED = 80
REACH = 256  # units: the probe's arms
TOLERANCE = 2e-4  # of an axis: OBJ has decimals, and distant positions have fewer
ODD_LENGTH = 0.01
# --attach would treat names with these characters as options, or cut them.
SPECIAL = set(",=@")


def probe() -> bytes:
    """Makes an MD3 of one frame: its origin and the ends of its axes, in one triangle each."""
    ends = [(0, 0, 0), (REACH, 0, 0), (0, REACH, 0), (0, 0, REACH)]
    return make_md3([(b"probe", b"", [(0, i, i % 3 + 1) for i in (1, 2, 3)], [(0.5, 0.5)] * 4,
                      [(*(64 * c for c in end), 0) for end in ends])])


def frames_of(count: int) -> list[float]:
    last = count - 1
    return sorted({0.0, last // 2, last, *((0.25, last - 0.5) if last else ())})


def attachable(names: list[str]) -> list[int]:
    """Returns the first of tags with the same name; nothing can be attached to the others, or to nameless ones."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name and name.isascii() and not SPECIAL & set(name):
            first.setdefault(name.lower(), index)
    return sorted(first.values())


def points_of(obj: str, count: int) -> list[list[tuple[float, ...]]]:
    """Returns the four points of each of the last `count` objects: the probes, in the order of attaching."""
    points = [tuple(map(float, line.split()[1:4])) for line in obj.splitlines() if line.startswith("v ")]
    probes = points[len(points) - 4 * count :]
    return [probes[4 * i : 4 * i + 4] for i in range(count)]


def compare(got: list[tuple[float, ...]], want: oracle.Tag, what: str) -> None:
    origin, *ends = got
    far = max(1.0, *map(abs, want.position)) / REACH
    if max(abs(a - b) for a, b in zip(origin, want.position)) > TOLERANCE * far * REACH:
        raise Mismatch(f"{what} is at {origin}, by the oracle at {want.position}")
    for i, (end, axis) in enumerate(zip(ends, want.axes)):
        arm = [(e - o) / REACH for e, o in zip(end, origin)]
        if max(abs(a - b) for a, b in zip(arm, axis)) > TOLERANCE * max(1.0, far):
            raise Mismatch(f"axis {i} of {what} is {arm}, by the oracle {axis}")


def check(binary: str, name: str, data: bytes, folder: Path, counts: Counter[str]) -> None:
    model = oracle.load(data)
    which = attachable(model.tag_names)
    if not which:
        return
    attached = [word for t in which for word in ("--attach", f"{model.tag_names[t]}={folder / 'probe.md3'}")]
    out = folder / "out.obj"
    for frame in frames_of(len(model.frames)):
        done = subprocess.run([binary, "convert", "-f", name, "--frames", repr(frame), "--axes", "model", *attached,
                               "-o", str(out)], capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            raise Mismatch(f"exit {done.returncode}: {done.stderr[:300]}")
        tags = model.pose(frame).tags
        for tag, got in zip(which, points_of(out.read_text(encoding="utf-8", errors="replace"), len(which))):
            compare(got, tags[tag], f"{tags[tag].name} in frame {frame}")
            counts["tags in poses"] += 1
    lengths = [math.hypot(*axis) for frame in range(len(model.frames)) for tag in range(len(model.tag_names))
               for axis in model.tag(frame, tag, None).axes]
    counts["models with axes of other length"] += any(abs(length - 1) > ODD_LENGTH for length in lengths)


def models_of(paths: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Returns each model as the command's argument, with its bytes."""
    for archive in sys.argv[1:]:
        with zipfile.ZipFile(archive) as pk3:
            yield from ((f"{archive}:{name}", pk3.read(name)) for name in sorted(pk3.namelist()))
    if not sys.argv[1:]:
        yield from ((str(path), path.read_bytes()) for path in paths)


def try_models(every: trials.Trials) -> None:
    (every.folder / "probe.md3").write_bytes(probe())
    for name, data in models_of(every.models):
        if name.lower().endswith((".md3", ".mdc")):
            every.attempt(name, check, name, data, every.folder, every.counts)


def enough(counts: Counter[str]) -> bool:
    return counts["tags in poses"] >= 100 and counts["models with axes of other length"] > 0


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, enough, GENERATED))
