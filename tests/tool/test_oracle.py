#!/usr/bin/env python3
"""Compares `lerpmesh convert --frames F --axes model -o X.obj` with the independent oracle.

The models are every MD2, MDC, MD3, MDL and MDS of the corpus, of assimp's test models and of our samples, and generated ones.
They are compared at first, last, middle and fractional frames, by triangle list and by GL commands, with MDC decoded as
in the engine and by the text of its description. Triangles are compared one by one in file order.
"""
import math
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Sequence

import oracle
import trials
from trials import Mismatch

SEED = 2
GENERATED = 150
FORMATS = (*trials.FORMATS, "mds")

POSITION_TOLERANCE = 1e-5  # of the model's size
NORMAL_TOLERANCE = 1e-3
TEXCOORD_TOLERANCE = 1e-6  # of 1, or of the coordinate if that is larger
# Two opposite normals cancel out between frames: below this length the direction is only rounding.
UNDEFINED_NORMAL = 0.02
SECONDS = 30

Vec = tuple[float, ...]
ObjCorner = tuple[Vec, Vec, Vec]  # position, texture coordinate, normal


@dataclass
class ObjSurface:
    name: str
    triangles: list[tuple[ObjCorner, ...]] = field(default_factory=list)


@dataclass
class Job:
    """One pose to export and compare."""

    path: Path
    frame: float
    quirk: str | None = None
    topology: str = "triangles"

    def arguments(self, out: Path) -> list[str]:
        frame = repr(self.frame).removesuffix(".0")
        words = ["convert", str(self.path), "--frames", frame, "--axes", "model", "-o", str(out)]
        words += ["--quirk", self.quirk] if self.quirk else []
        return words + (["--topology", self.topology] if self.topology != "triangles" else [])

    def title(self) -> str:
        return " ".join([self.path.name, *self.arguments(Path("X.obj"))[2:]])


# Reading the OBJ -------------------------------------------------------------------------------

def numbers(words: Sequence[str], count: int) -> Vec:
    values = tuple(float(w) for w in words)
    if len(values) != count or not all(math.isfinite(v) for v in values):
        raise Mismatch(f"not {count} finite numbers: {' '.join(words)}")
    return values


def pick(values: list[Vec], index: str) -> Vec:
    number = int(index)
    if not 1 <= number <= len(values):
        raise Mismatch(f"face index {number} of {len(values)} so far")
    return values[number - 1]


def parse_obj(content: str) -> list[ObjSurface]:
    """Returns the surfaces of an OBJ as our exporter writes it: o, v, vt, vn, and f with a/a/a."""
    lists: dict[str, list[Vec]] = {"v": [], "vt": [], "vn": []}
    surfaces: list[ObjSurface] = []
    for line in content.splitlines():
        key, _, rest = line.strip().partition(" ")
        if key == "o":
            surfaces.append(ObjSurface(rest.strip()))
        elif key in lists:
            lists[key].append(numbers(rest.split(), 2 if key == "vt" else 3))
        elif key == "f":
            if not surfaces:
                raise Mismatch("a face before the first o")
            surfaces[-1].triangles.append(face(rest.split(), lists))
    return surfaces


def face(words: list[str], lists: dict[str, list[Vec]]) -> tuple[ObjCorner, ...]:
    corners = []
    for word in words:
        indices = word.split("/")
        if len(indices) != 3:
            raise Mismatch(f"face corner {word!r} is not v/vt/vn")
        v, vt, vn = (pick(lists[k], i) for k, i in zip(("v", "vt", "vn"), indices))
        corners.append((v, vt, vn))
    if len(corners) != 3:
        raise Mismatch(f"a face of {len(corners)} corners")
    return tuple(corners)


# Comparing -------------------------------------------------------------------------------------

def pose_size(pose: oracle.Pose) -> float:
    """The model's size: its largest coordinate or extent, whichever is larger."""
    points = [c.position for s in pose.surfaces for t in s.triangles for c in t]
    low, high = oracle.bounds(points)
    return max(1e-3, *(max(abs(a), abs(b), b - a) for a, b in zip(low, high)))


def largest_difference(a: Sequence[float], b: Sequence[float]) -> float:
    return max(abs(x - y) for x, y in zip(a, b))


def corner_fault(got: ObjCorner, want: oracle.Corner, size: float) -> str | None:
    """Returns the fault of one corner, or None. OBJ counts t from below: vt is s, 1 - t."""
    position, texcoord, normal = got
    if largest_difference(position, want.position) > POSITION_TOLERANCE * size:
        return f"position {position}, oracle {want.position}"
    s, t = want.texcoord
    limit = TEXCOORD_TOLERANCE * max(1.0, abs(s), abs(t))
    if largest_difference(texcoord, (s, 1.0 - t)) > limit:
        return f"vt {texcoord}, oracle {(s, 1.0 - t)}"
    if want.normal_length < UNDEFINED_NORMAL:
        return None
    if largest_difference(normal, want.normal) > NORMAL_TOLERANCE:
        return f"normal {normal}, oracle {want.normal}"
    return None


def triangle_fault(got: Sequence[ObjCorner], want: Sequence[oracle.Corner], size: float) -> str | None:
    """Returns the fault in the best of the three rotations of one triangle against the other."""
    faults = []
    for turn in range(3):
        corners = (corner_fault(got[(i + turn) % 3], want[i], size) for i in range(3))
        fault = next((f for f in corners if f), None)
        if fault is None:
            return None
        faults.append(fault)
    return next((f for f in faults if not f.startswith("position")), faults[0])


def compare_surface(got: ObjSurface, want: oracle.SurfacePose, size: float) -> None:
    """Front faces are clockwise in the file, counter-clockwise in OBJ: a, b, c becomes a, c, b."""
    if want.name and re.fullmatch(r"\w+", want.name) and got.name != want.name:
        raise Mismatch(f"surface {got.name!r}, oracle {want.name!r}")
    if len(got.triangles) != len(want.triangles):
        raise Mismatch(f"{len(got.triangles)} triangles, oracle {len(want.triangles)}")
    for n, (triangle, (a, b, c)) in enumerate(zip(got.triangles, want.triangles)):
        fault = triangle_fault(triangle, (a, c, b), size)
        if fault and triangle_fault(triangle, (a, b, c), size) is None:
            fault = "is not reversed: clockwise in the OBJ"
        if fault:
            raise Mismatch(f"{want.name} triangle {n}: {fault}")


def compare(got: list[ObjSurface], pose: oracle.Pose) -> Counter[str]:
    """Compares surface by surface; counts the comparisons."""
    if len(got) != len(pose.surfaces):
        raise Mismatch(f"{len(got)} surfaces, oracle {len(pose.surfaces)}")
    size = pose_size(pose)
    for one, want in zip(got, pose.surfaces):
        compare_surface(one, want, size)
    corners = [c for s in pose.surfaces for t in s.triangles for c in t]
    undefined = sum(c.normal_length < UNDEFINED_NORMAL for c in corners)
    return Counter(poses=1, corners=len(corners), undefined=undefined)


# Running ---------------------------------------------------------------------------------------

def jobs_of(path: Path, model: oracle.Model) -> list[Job]:
    """Returns first, middle, last, and between the first two and the last two."""
    last = len(model.frames) - 1
    whole = sorted({0.0, float(last // 2), float(last)})
    between = sorted({0.25, last - 0.5}) if last > 0 else []
    jobs = [Job(path, f) for f in whole + between]
    some = [0.0, *between]
    if model.gl_triangles:
        jobs += [Job(path, f, topology="glcommands") for f in some]
    if model.format == "mdc":
        jobs += [Job(path, f, quirk=oracle.PRINZ) for f in sorted({*some, float(last)})]
    return jobs


def export(binary: str, job: Job, out: Path) -> list[ObjSurface]:
    """Runs the command for one pose and reads its output."""
    done = subprocess.run([binary, *job.arguments(out)], capture_output=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        errors = done.stderr.decode(errors="replace").strip()
        raise Mismatch(f"exit {done.returncode}: {errors[:300]}")
    content = out.read_text(encoding="utf-8", errors="replace")
    out.unlink()
    return parse_obj(content)


def run_model(binary: str, path: Path, folder: Path) -> tuple[Counter[str], list[str]]:
    """Compares all poses of one model. Returns the counts and the failures."""
    model = oracle.load_file(str(path))
    counts, failures = Counter({f"models of {model.format}": 1}), []
    out = folder / f"{path.parent.name}_{path.name}.obj"
    for job in jobs_of(path, model):
        pose = model.pose(job.frame, job.quirk, job.topology)
        try:
            counts += compare(export(binary, job, out), pose)
        except (Mismatch, OSError, ValueError, subprocess.SubprocessError) as error:
            failures.append(f"{job.title()}: {error}")
    return counts, failures


def try_models(every: trials.Trials) -> None:
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for counts, failures in pool.map(lambda path: run_model(every.binary, path, every.folder), every.models):
            every.counts += counts
            every.failures += failures


def enough(counts: Counter[str]) -> bool:
    """Enough models, and few corners without a normal to compare."""
    return (min(counts[f"models of {kind}"] for kind in FORMATS) >= GENERATED // len(FORMATS)
            and counts["undefined"] * 20 <= counts["corners"])


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, enough, GENERATED, FORMATS))
