#!/usr/bin/env python3
"""Reads the outputs of `lerpmesh optimize` with the independent oracle, for every model of the corpus, of
assimp's test models, of our samples and of generated ones. Every frame draws the same triangles with the
same positions, normals and texture coordinates, bit for bit, and so do GL commands; tags and names are
the same. No file is larger, and optimizing again changes nothing.

Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR, LERPMESH_CORPUS, ASSIMP_MODELS.
"""
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import corpus
import oracle
import trials
from trials import FORMATS, GENERATED, Mismatch

SEED = 30
# Limits the compared corners of one model: of larger ones every N-th frame and the last are compared.
MOST_CORNERS = 40_000


def turned(corners: list[tuple[object, ...]]) -> tuple[tuple[object, ...], ...]:
    """Returns a triangle beginning with its least corner, its winding kept."""
    first = corners.index(min(corners))
    return tuple(corners[first:] + corners[:first])


def drawn(surface: oracle.SurfacePose, areas: bool) -> Counter[object]:
    """Returns triangles by their visible properties; those of GL commands only if they have an area."""
    seen: Counter[object] = Counter()
    for triangle in surface.triangles:
        if areas and len({corner.vertex for corner in triangle}) < 3:
            continue
        seen[turned([(c.position, c.normal, c.texcoord) for c in triangle])] += 1
    return seen


def frames_of(model: oracle.Model) -> list[int]:
    corners = 3 * sum(len(surface.triangles) for surface in model.surfaces)
    step = max(1, corners * len(model.frames) // MOST_CORNERS)
    return sorted({*range(0, len(model.frames), step), len(model.frames) - 1})


def compare_frame(before: oracle.Model, after: oracle.Model, frame: int) -> None:
    topologies = ["triangles", *(["glcommands"] if before.gl_triangles or after.gl_triangles else [])]
    for topology in topologies:
        a = before.pose(float(frame), None, topology)
        b = after.pose(float(frame), None, topology)
        if repr(a.tags) != repr(b.tags):
            raise Mismatch(f"tags differ in frame {frame}")
        for one, other in zip(a.surfaces, b.surfaces):
            areas = topology == "glcommands"
            if drawn(one, areas) != drawn(other, areas):
                raise Mismatch(f"surface {one.name} draws other {topology} in frame {frame}")


def compare(before: oracle.Model, after: oracle.Model) -> None:
    names = [
        [model.format, [frame.name for frame in model.frames], model.tag_names, model.skins,
         [(surface.name, surface.shaders) for surface in model.surfaces]]
        for model in (before, after)
    ]
    if names[0] != names[1]:
        raise Mismatch("names differ")
    for frame in frames_of(before):
        compare_frame(before, after, frame)


def check(binary: str, path: Path, folder: Path, counts: Counter[str]) -> None:
    for options in ([], ["--reorder"]):
        check_with(options, binary, path, folder, counts)


def check_with(options: list[str], binary: str, path: Path, folder: Path, counts: Counter[str]) -> None:
    try:
        before = oracle.load_file(str(path))
    except oracle.OracleError:
        return  # broken on purpose
    once, twice = (folder / f"{name}{path.suffix.lower()}" for name in ("once", "twice"))
    for source, target in ((path, once), (once, twice)):
        command = [binary, "optimize", "--quiet", *options, str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Mismatch(done.stderr.strip())
    if once.read_bytes() != twice.read_bytes():
        raise Mismatch("optimizing twice changes it again")
    if once.stat().st_size > path.stat().st_size:
        raise Mismatch("it became larger")
    compare(before, oracle.load_file(str(once)))
    counts[before.format] += 1
    counts["smaller"] += once.stat().st_size < path.stat().st_size


def check_command(binary: str, folder: Path) -> None:
    """Optimizes in place, without writing, and with machine-readable output."""
    sample = corpus.source_dir() / "samples" / "tick.md2"
    path, backup = folder / "tick.md2", folder / "tick.md2.bak"
    path.write_bytes(sample.read_bytes())

    def report(*options: str) -> dict[str, object]:
        command = [binary, "optimize", "--json", *options, str(path)]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    dry_run, wrote, again = report("--dry-run"), report("--in-place", "--backup"), report("--in-place")
    gains = dry_run["gains"]
    assert isinstance(gains, dict)
    sizes = [sample.stat().st_size, path.stat().st_size]
    for what, is_so in {
        "--dry-run writes nothing": dry_run["written"] is None,
        "--in-place writes the file": wrote["written"] == str(path) and sizes[1] < sizes[0],
        "--backup keeps it": backup.read_bytes() == sample.read_bytes(),
        "what is optimized stays": again["written"] is None and again["size_after"] == sizes[1],
        "sizes are told": [wrote["size_before"], wrote["size_after"]] == sizes,
        "gains add up": sum(gain["bytes"] for gain in gains.values()) == sizes[0] - sizes[1],
    }.items():
        if not is_so:
            raise Mismatch(f"not so: {what}")


def try_models(every: trials.Trials) -> None:
    every.attempt("the command", check_command, every.folder)
    for path in every.models:
        every.attempt(path, check, path, every.folder, every.counts)


def enough(counts: Counter[str]) -> bool:
    return counts["smaller"] >= 5 and min(counts[format] for format in FORMATS) >= GENERATED // 4


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, enough))
