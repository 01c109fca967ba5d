#!/usr/bin/env python3
"""Reads the outputs of `lerpmesh convert -o X.mdl` with the independent oracle, for every model of the
corpus, of assimp's test models, of our samples and of generated ones. The triangles and their order are
the same. The error is at most the reported one, and at most half a step of the single grid. Texture
coordinates are within half a texel, normals are the nearest of 162, and boxes fit. Skins are unchanged,
or images in Quake's colours.

Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR, LERPMESH_CORPUS, ASSIMP_MODELS.
"""
from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import oracle
import trials
from trials import GENERATED, Mismatch
import image_files
import test_written as written

SEED = 13


def off(value: float, wanted: float, size: int) -> float:
    """Returns the distance of a coordinate from the middle of its intended texel, in texels."""
    here = abs(value - wanted) * size
    # The lower edge of the skin is in its last texel.
    return here if wanted < 1 else min(here, abs(value - (size - 0.5) / size) * size)


def compare_texcoords(source: oracle.Model, made: oracle.MdlModel) -> None:
    for one, other in zip(written.corners_of(source, 0), written.corners_of(made, 0)):
        for a, b in zip(one, other):
            for i in range(2):
                if off(b.texcoord[i], a.texcoord[i], made.skin_size[i]) > 0.5 + 1e-3:
                    raise Mismatch(f"texture coordinate {b.texcoord} instead of {a.texcoord}")


def compare_normals(source: oracle.Model, made: oracle.Model) -> None:
    """The chosen normal is the nearest of the 162; if several are equal, it is the source's."""
    frame = len(source.frames) // 2
    for one, other in zip(written.corners_of(source, frame), written.corners_of(made, frame)):
        for a, b in zip(one, other):
            if math.hypot(*a.normal) < 1e-6:
                continue
            got = sum(x * y for x, y in zip(a.normal, b.normal))
            best = max(sum(x * y for x, y in zip(a.normal, n)) for n in oracle.MD2_NORMALS)
            if got < best - 1e-5:
                raise Mismatch(f"normal {b.normal} for {a.normal}")


def check_grid(made: oracle.MdlModel, reported: float) -> None:
    surface = made.surfaces[0]
    most = math.hypot(*(s / 2 for s in surface.scale))
    if reported > most * 1.001 + 1e-4:
        raise Mismatch(f"off by {reported}, but half a step is {most}")
    for axis in range(3):
        used = {v[axis] for row in surface.keys for v in row}
        if surface.scale[axis] > 0 and (min(used) != 0 or max(used) != 255):
            raise Mismatch(f"axis {axis} uses {min(used)} to {max(used)} of its grid")
    for frame, row in zip(made.frames, surface.keys):
        for axis in range(3):
            ends = [min(v[axis] for v in row), max(v[axis] for v in row)]
            box = [bound[axis] for bound in (frame.min, frame.max)]
            for end, value in zip(ends, box):
                if end * surface.scale[axis] + surface.translate[axis] != value:
                    raise Mismatch(f"the box of {frame.name} does not fit")


def compare_clips(source: oracle.Model, made: oracle.MdlModel) -> None:
    """Groups of one MDL are those of the other, except that a group of one pose is that pose."""
    if not isinstance(source, oracle.MdlModel):
        return
    before = [(group.first, max(1, len(group.ends))) for group in source.groups]
    behind = [(group.first, max(1, len(group.ends))) for group in made.groups]
    if before != behind:
        raise Mismatch(f"groups {behind} instead of {before}")
    if [skin.pictures for skin in source.pictures] != [skin.pictures for skin in made.pictures]:
        raise Mismatch("other skins")


def check(binary: str, path: Path, out: Path, counts: Counter[str]) -> None:
    try:
        source = oracle.load_file(str(path))
    except oracle.OracleError:
        return  # broken on purpose
    reported = written.write(binary, path, out)
    if reported is None:
        counts["refused"] += 1
        return
    made = oracle.load_file(str(out))
    if not isinstance(made, oracle.MdlModel) or len(source.frames) != len(made.frames):
        raise Mismatch("other frames")
    written.compare_positions(source, made, reported)
    compare_texcoords(source, made)
    compare_normals(source, made)
    check_grid(made, reported)
    compare_clips(source, made)
    counts["models"] += 1


def check_images(binary: str, folder: Path) -> None:
    """A texture becomes the skin: each pixel is the nearest of the colours that do not glow. A larger
    texture is reduced to the means of the covered pixels."""
    sample = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2"
    (folder / "tick.md2").write_bytes(sample.read_bytes())
    chance = random.Random(5)
    palette = [tuple(oracle.QUAKE_PALETTE[3 * i:3 * i + 3]) for i in range(224)]
    for width, height, size in ((16, 8, (16, 8)), (15, 9, (16, 9)), (32, 960, (16, 480)), (1, 1, (4, 1))):
        rows = [bytes(chance.randrange(256) for _ in range(3 * width)) for _ in range(height)]
        (folder / "tick.png").write_bytes(image_files.png_write(rows, 2))
        reported = written.write(binary, folder / "tick.md2", folder / "made.mdl")
        made = oracle.load_file(str(folder / "made.mdl"))
        assert reported is not None and isinstance(made, oracle.MdlModel)
        if made.skin_size != size or len(made.pictures) != 1:
            raise Mismatch(f"a skin of {made.skin_size} of a picture of {width} x {height}")
        if (width, height) != size:
            continue
        for y in range(height):
            for x in range(width):
                pixel = rows[y][3 * x:3 * x + 3]
                cost = [sum(w * (a - b) ** 2 for w, a, b in zip((3, 6, 2), pixel, c)) for c in palette]
                got = made.pictures[0].pictures[0][y * width + x]
                if got >= 224 or cost[got] != min(cost):
                    raise Mismatch(f"pixel {tuple(pixel)} became index {got}")
    (folder / "tick.png").unlink()
    done = subprocess.run([binary, "convert", "tick.md2", "-o", "made.mdl"], cwd=folder, check=True,
                          capture_output=True, text=True)
    if "a grey skin of" not in done.stderr:
        raise Mismatch(f"that there is no picture is not said: {done.stderr}")


def try_models(every: trials.Trials) -> None:
    for path in every.models:
        every.attempt(path, check, path, every.folder / "made.mdl", every.counts)
    (every.folder / "pictures").mkdir()
    every.attempt("pictures", check_images, every.folder / "pictures")


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, lambda counts: counts["models"] >= GENERATED))
