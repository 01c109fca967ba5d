#!/usr/bin/env python3
"""Reads the outputs of `lerpmesh convert` in each format with the independent oracle, for every model of the corpus, of
assimp's test models, of our samples and of generated ones. No triangle is lost or added, and errors are those that the
format allows, or within those that the command reports.

MD2: the triangles have the same order, and GL commands draw them with the source's own texture coordinates. The frames
of an MD2 lie on grids of 256 lines already, and keep their positions, also through glTF. MD3 and MDC: texture coordinates are equal bit for bit, normals and tags are as near as the format allows, and no surface exceeds the
limits of the format's game. MDL: the error is at most half a step of the single grid, texture coordinates are within
half a texel, normals are the nearest of 162, boxes fit, and skins are unchanged, or images in Quake's colours.
"""
import contextlib
import math
import os
import random
import re
import subprocess
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import image_files
import make_models
import oracle
import skipping
import trials
from trials import GENERATED, Mismatch

SEED = 11
# If a model has more frames, only some of them are checked.
ALL_FRAMES = 12
# The maximum error of a coordinate (units) and of a normal (degrees), and the maximum numbers of vertices and triangles
# per surface.
WRITTEN = {"md3": (1 / 128, 1.0, 999, 1999), "mdc": (0.025, 11.3, 3999, 7999)}
TAG_STEP = 1 / 128
# The rounding of floats that are stored and scaled several times, as a fraction of the model. Half a step is 0.002.
SAME = 1e-5
GAME = Path("/usr/share/games/ufoai/base/0models.pk3")
PART = 40  # every 40th model of the game: all of them take minutes

Vec = tuple[float, ...]
Corners = tuple[oracle.Corner, ...]


def write(binary: str, path: Path, out: Path, *options: str) -> float | None:
    """Converts, and returns the maximum error that the command reports; None if it rejects the model. Generated normals
    may all point inwards, so that others would be computed."""
    out.unlink(missing_ok=True)
    done = subprocess.run([binary, "convert", "--normals", "stored", str(path), "-o", str(out), *options],
                          capture_output=True, text=True, errors="replace")
    if done.returncode:
        return None
    found = re.search(r"maximum error (\S+) units", done.stdout + done.stderr)
    if not found:
        raise Mismatch(f"how far off is not said: {done.stdout}")
    return float(found.group(1))


def corners_of(model: oracle.Model, frame: int, topology: str = "triangles") -> list[Corners]:
    pose = model.pose(float(frame), None, topology)
    return [corners for surface in pose.surfaces for corners in surface.triangles]


def frames_of(model: oracle.Model) -> list[int]:
    count = len(model.frames)
    return list(range(count)) if count <= ALL_FRAMES else sorted({0, 1, count // 3, count // 2, count - 1})


# ---- MD2 ---------------------------------------------------------------------------------------

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


def moving_corners(model: oracle.Model) -> list[tuple[Vec, ...]]:
    """Returns the positions of each corner in some frames, of the triangles with an area in one of them."""
    frames = [corners_of(model, frame) for frame in frames_of(model)]
    rows = [[tuple(x for triangles in frames for x in triangles[t][k].position) for k in range(3)]
            for t in range(len(frames[0]))]
    return [row for triangle in rows if len(set(triangle)) == 3 for row in triangle]


def check_grids(binary: str, path: Path, folder: Path, counts: Counter[str]) -> None:
    before = moving_corners(oracle.load_file(str(path)))
    size = max(max(row[k::3]) - min(row[k::3]) for k in range(3) for row in [[x for corner in before for x in corner]])
    for way in ("grid.md2",), ("grid.glb", "grid.md2"):
        source = path
        for name in way:
            subprocess.run([binary, "convert", "-q", "-f", str(source), "-o", str(folder / name)], check=True)
            source = folder / name
        after = moving_corners(oracle.load_file(str(source)))
        counts["grids"] += 1
        counts["kept grids"] += len(before) == len(after) and \
            max(map(math.dist, before, after)) <= SAME * size * len(before[0]) ** 0.5


def game_models(folder: Path) -> Iterator[Path]:
    """Extracts some models of a game that the oracle, which is strict, can read."""
    if not GAME.exists():
        skipping.report_skipped("grids", f"there is no {GAME}: install ufoai-data")
        return
    with zipfile.ZipFile(GAME) as archive:
        for name in [name for name in archive.namelist() if name.endswith(".md2")][::PART]:
            path = folder / name.replace("/", "__")
            path.write_bytes(archive.read(name))
            with contextlib.suppress(oracle.OracleError):
                oracle.load_file(str(path))
                yield path


def check_md2(source: oracle.Model, made: oracle.Model, reported: float) -> None:
    compare_positions(source, made, reported)
    compare_commands(source, made)


# ---- MD3 and MDC -------------------------------------------------------------------------------

def key_of(corners: Corners) -> tuple[object, ...]:
    return tuple(tuple(make_models.f32(x) + 0.0 for x in corner.texcoord) for corner in corners)


def apart(a: Corners, b: Corners) -> float:
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p.position, q.position))


def unlike(a: Corners, b: Corners) -> float:
    """Returns the distance, plus a little for the angle between normals, which decides between equal distances."""
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
    before = [corners_of(source, frame) for frame in frames]
    behind = [corners_of(made, frame) for frame in frames]
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


def check_md3(source: oracle.Model, made: oracle.Model, reported: float) -> None:
    step, degrees, vertices, triangles = WRITTEN[made.format]
    compare_triangles(source, made, step, degrees)
    compare_tags(source, made)
    check_sizes(made, vertices, triangles)


# ---- MDL ---------------------------------------------------------------------------------------

def off(value: float, wanted: float, size: int) -> float:
    """Returns the distance of a coordinate from the middle of its intended texel, in texels."""
    here = abs(value - wanted) * size
    # The lower edge of the skin is in its last texel.
    return here if wanted < 1 else min(here, abs(value - (size - 0.5) / size) * size)


def compare_texcoords(source: oracle.Model, made: oracle.MdlModel) -> None:
    for one, other in zip(corners_of(source, 0), corners_of(made, 0)):
        for a, b in zip(one, other):
            for i in range(2):
                if off(b.texcoord[i], a.texcoord[i], made.skin_size[i]) > 0.5 + 1e-3:
                    raise Mismatch(f"texture coordinate {b.texcoord} instead of {a.texcoord}")


def compare_normals(source: oracle.Model, made: oracle.Model) -> None:
    """The chosen normal is the nearest of the 162; if several are equal, it is the source's."""
    frame = len(source.frames) // 2
    for one, other in zip(corners_of(source, frame), corners_of(made, frame)):
        for a, b in zip(one, other):
            if math.hypot(*a.normal) < 1e-6:
                continue
            got = sum(x * y for x, y in zip(a.normal, b.normal))
            best = max(sum(x * y for x, y in zip(a.normal, n)) for n in oracle.MD2_NORMALS)
            if got < best - 1e-5:
                raise Mismatch(f"normal {b.normal} for {a.normal}")


def check_grid(source: oracle.Model, made: oracle.MdlModel, reported: float) -> None:
    """An MDL keeps its grid. Others get one that their points use from end to end, unless they lie on their own."""
    surface = made.surfaces[0]
    if isinstance(source, oracle.MdlModel):
        before = source.surfaces[0]
        if (surface.scale, surface.translate) != (before.scale, before.translate) and any(before.scale):
            raise Mismatch(f"another grid: {surface.scale} {surface.translate}")
    most = math.hypot(*(s / 2 for s in surface.scale))
    if reported > most * 1.001 + 1e-4:
        raise Mismatch(f"off by {reported}, but half a step is {most}")
    for axis in range(3):
        used = {v[axis] for row in surface.keys for v in row}
        if reported > 0 and surface.scale[axis] > 0 and (min(used) != 0 or max(used) != 255):
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


def check_mdl(source: oracle.Model, made: oracle.Model, reported: float) -> None:
    assert isinstance(made, oracle.MdlModel)
    compare_positions(source, made, reported)
    compare_texcoords(source, made)
    compare_normals(source, made)
    check_grid(source, made, reported)
    compare_clips(source, made)


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
        reported = write(binary, folder / "tick.md2", folder / "made.mdl")
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


# ---- All ---------------------------------------------------------------------------------------

CHECKS = {"md2": check_md2, "md3": check_md3, "mdc": check_md3, "mdl": check_mdl}


def check(binary: str, path: Path, out: Path, counts: Counter[str]) -> None:
    source, kind = oracle.load_file(str(path)), out.suffix[1:]
    reported = write(binary, path, out)
    if reported is None:
        counts["refused"] += 1
        return
    made = oracle.load_file(str(out))
    if len(made.frames) == 1 < len(source.frames):
        if any(corners_of(source, 0) != corners_of(source, frame) for frame in range(1, len(source.frames))):
            raise Mismatch("one frame of a model that moves")
        reported = write(binary, path, out, "--frames", f"0-{len(source.frames) - 1}") or 0
        made = oracle.load_file(str(out))
        counts["still"] += 1
    if [len(source.frames), kind] != [len(made.frames), made.format]:
        raise Mismatch("other frames")
    CHECKS[kind](source, made, reported)
    counts[kind] += 1


def try_models(every: trials.Trials) -> None:
    for path in every.models:
        for kind in CHECKS:
            every.attempt(f"{path} as {kind}", check, path, every.folder / f"made.{kind}", every.counts)
    for path in [path for path in every.models if path.suffix == ".md2" and "generated" not in path.parts] + \
            list(game_models(every.folder)):
        every.attempt(path, check_grids, path, every.folder, every.counts)
    (every.folder / "pictures").mkdir()
    every.attempt("pictures", check_images, every.folder / "pictures")


def enough(counts: Counter[str]) -> bool:
    return (min(counts[kind] for kind in CHECKS) >= GENERATED
            and counts["kept grids"] >= max(1, 0.99 * counts["grids"]))


if __name__ == "__main__":
    sys.exit(trials.run(SEED, try_models, enough))
