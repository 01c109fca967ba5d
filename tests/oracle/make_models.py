#!/usr/bin/env python3
"""Generates MD2, MDC, MD3, MDL and MDS models: valid, with every unusual feature.

Usage: make_models.py OUTDIR [--seed N] [--count N] [--formats md2,mdc,md3,mdl,mds] [--damaged]

Next to each model FILE is FILE.json with its features, and for an MDL with its skins and groups. The same seed writes
the same bytes. With --damaged the files are broken ones; see damage.py.
"""
import argparse
import json
import math
import random
import struct
import sys
from pathlib import Path
from typing import Any, Callable, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent))

import damage  # noqa: E402
import mds  # noqa: E402

Features = set[str]
Intent = dict[str, Any]
Triple = tuple[int, int, int]
Strip = tuple[int, list[tuple[int, int]]]


def f32(value: float) -> float:
    """Returns the nearest value that a float of the file can hold."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def junk(rng: random.Random, size: int) -> bytes:
    return bytes(rng.randrange(256) for _ in range(size))


def name_field(rng: random.Random, name: str, size: int, dirty: bool) -> bytes:
    """Returns a name field, with junk after the NUL if dirty; without NUL if the name fills it."""
    raw = name.encode("latin-1")[:size]
    if len(raw) == size:
        return raw
    rest = size - len(raw) - 1
    return raw + b"\0" + (junk(rng, rest) if dirty else bytes(rest))


def place(lumps: dict[str, bytes], start: int, rng: random.Random, features: Features) -> tuple[bytes, dict[str, int]]:
    """Lays lumps out from offset start. Returns the bytes and the start of each lump."""
    names = list(lumps)
    if "shuffled" in features:
        rng.shuffle(names)
    body, offsets = b"", {}
    for name in names:
        if "unaligned" in features:
            body += junk(rng, rng.choice((1, 2, 3, 5, 7)))
        elif "gaps" in features:
            body += junk(rng, 4 * rng.randrange(1, 9))
        offsets[name] = start + len(body)
        body += lumps[name]
    return body, offsets


def grid_triangles(columns: int, rows: int) -> list[Triple]:
    """Makes two triangles for each square of a grid of vertices."""
    triangles = []
    for y in range(rows - 1):
        for x in range(columns - 1):
            a, b = y * columns + x, y * columns + x + 1
            c, d = a + columns, b + columns
            triangles += [(a, c, b), (b, c, d)]
    return triangles


def nasty_triangles(rng: random.Random, num_vertices: int, features: Features) -> list[Triple]:
    """Makes a grid with degenerate, duplicate and odd triangles among its own, in any order."""
    columns = max(2, math.isqrt(num_vertices))
    triangles = grid_triangles(columns, num_vertices // columns)
    if "degenerate" in features:
        v = rng.randrange(num_vertices)
        triangles += [(v, v, rng.randrange(num_vertices)), (v, v, v), triangles[0]]
    if "shuffled_triangles" in features:
        rng.shuffle(triangles)
        triangles.append(tuple(rng.sample(range(num_vertices), 3)))  # type: ignore[arg-type]
    return triangles


FRAME_NAMES: dict[str, Callable[[int], str]] = {
    "numbered": lambda i: f"stand{i + 1:02d}",
    "pain": lambda i: f"pain{i // 4 % 9 + 1}{i % 4 + 1:02d}",
    "unnumbered": lambda i: ("idle", "wave off", "a", "g_view")[i % 4],
    "twice": lambda i: f"run{i // 2 + 1}",
    "full": lambda i: f"sixteen_chars{i % 1000:03d}",
    "empty": lambda i: "",
    "runs": lambda i: f"run{i + 1}" if i < 6 else f"attack{i - 5}",
}


def frame_names(rng: random.Random, count: int, features: Features) -> list[str]:
    style = rng.choice(sorted(FRAME_NAMES))
    for wanted in FRAME_NAMES:
        style = wanted if "names_" + wanted in features else style
    return [FRAME_NAMES[style](i) for i in range(count)]


def frame_count(rng: random.Random, features: Features) -> int:
    if "one_frame" in features:
        return 1
    if "many_frames" in features:
        return 600
    return rng.choice((2, 3, 5, 7, 8, 13, 21))


# MD2 -------------------------------------------------------------------------------------------

MD2_FEATURES = (
    "shuffled unaligned gaps trailing big_framesize no_skins no_glcmds seams junk_names "
    "unused degenerate negative_scale st_edge st_negative one_frame many_frames names_pain "
    "names_unnumbered names_twice names_full names_empty shuffled_triangles other_glcmds "
    "short_glcmds spare_glcmds zero_scale big_st"
).split()


class Md2Source:
    """The source data of an MD2 model."""

    def __init__(self, rng: random.Random, features: Features) -> None:
        self.rng, self.features = rng, features
        self.num_xyz = rng.randrange(6, 14) if "many_frames" in features else rng.randrange(6, 90)
        self.skin = (rng.choice((64, 220, 256, 308)), rng.choice((64, 193, 200, 480)))
        self.triangles = nasty_triangles(rng, self.num_xyz, features)
        if "unused" in features:
            self.num_xyz += 3
        self.num_frames = frame_count(rng, features)
        self.names = frame_names(rng, self.num_frames, features)
        self.st, self.st_triangles = self.make_st()
        self.scales = [self.make_scale() for _ in range(self.num_frames)]
        self.translates = [tuple(f32(rng.uniform(-60, 60)) for _ in range(3)) for _ in range(self.num_frames)]
        self.vertices = [[tuple(rng.randrange(n) for n in (256, 256, 256, 162)) for _ in range(self.num_xyz)]
                         for _ in range(self.num_frames)]
        self.commands = self.make_commands()

    def make_scale(self) -> tuple[float, ...]:
        scale = [f32(self.rng.uniform(0.01, 0.5)) for _ in range(3)]
        if "negative_scale" in self.features:
            scale[self.rng.randrange(3)] *= -1.0
        if "zero_scale" in self.features:
            scale[self.rng.randrange(3)] = 0.0
        return tuple(scale)

    def make_coordinate(self, size: int) -> int:
        if "st_edge" in self.features and self.rng.random() < 0.4:
            return self.rng.choice((0, size))
        if "st_negative" in self.features and self.rng.random() < 0.4:
            return -self.rng.randrange(1, size)
        if "big_st" in self.features and self.rng.random() < 0.2:
            return self.rng.choice((-4 * size, 4 * size))
        return self.rng.randrange(size)

    def make_st(self) -> tuple[list[tuple[int, int]], list[Triple]]:
        """Makes texture coordinates: one per vertex, or several with seams, in any order."""
        per_vertex = 3 if "seams" in self.features else 1
        count = self.num_xyz * per_vertex + ("unused" in self.features)
        st = [tuple(self.make_coordinate(size) for size in self.skin) for _ in range(count)]
        order = list(range(count))
        self.rng.shuffle(order)
        triangles = [tuple(order[v * per_vertex + self.rng.randrange(per_vertex)] for v in triangle)
                     for triangle in self.triangles]
        return st, triangles  # type: ignore[return-value]

    def make_commands(self) -> list[Strip]:
        """Makes strips and fans that draw the triangle list, or different ones on purpose."""
        if "no_glcmds" in self.features:
            return []
        corners = [tuple(zip(v, st)) for v, st in zip(self.triangles, self.st_triangles)]
        if "other_glcmds" in self.features:
            corners = corners[: len(corners) // 2 + 1]
        commands = make_strips(corners)  # type: ignore[arg-type]
        if "short_glcmds" in self.features:
            commands.insert(1, (1, [(0, 0)] * 2))
            commands.append((-1, [(self.num_xyz - 1, 0)]))
        return commands

    def gl_texcoord(self, st: int) -> tuple[float, float]:
        """As in files of id's own tool: half a texel from the triangle list's coordinate."""
        s, t = ((self.st[st][i] + 0.5) / self.skin[i] for i in range(2))
        return f32(s), f32(t)


def make_strips(corners: Sequence[tuple[tuple[int, int], ...]]) -> list[Strip]:
    """Covers triangles, once each, with strips (1) and fans (-1): greedy, the longer one wins."""
    left = list(range(len(corners)))
    commands = []
    while left:
        best = max((grow(corners, left, kind, turn) for kind in (1, -1) for turn in range(3)),
                   key=lambda grown: len(grown[1]))
        commands.append((best[0], best[2]))
        left = [t for t in left if t not in best[1]]
    return commands


def grow(
    corners: Sequence[tuple[tuple[int, int], ...]], left: list[int], kind: int, turn: int
) -> tuple[int, list[int], list[tuple[int, int]]]:
    """Grows a strip or a fan from the first remaining triangle, its corners rotated."""
    first = corners[left[0]]
    run = [first[turn], first[(turn + 1) % 3], first[(turn + 2) % 3]]
    used = [left[0]]
    while len(used) < 24:
        if kind < 0:
            edge = (run[0], run[-1])
        else:
            edge = (run[-1], run[-2]) if len(used) % 2 else (run[-2], run[-1])
        found = next_triangle(corners, left, used, edge)
        if found is None:
            break
        used.append(found[0])
        run.append(found[1])
    return kind, used, run


def next_triangle(corners: Sequence[tuple[tuple[int, int], ...]], left: list[int], used: list[int],
                  edge: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, tuple[int, int]] | None:
    """Returns an unused triangle with this edge in this direction, and its third corner."""
    for t in left:
        if t in used:
            continue
        for i in range(3):
            if (corners[t][i], corners[t][(i + 1) % 3]) == edge:
                return t, corners[t][(i + 2) % 3]
    return None


def md2_glcmds(source: Md2Source) -> bytes:
    if not source.commands:
        return b""
    out = b""
    for kind, run in source.commands:
        out += struct.pack("<i", kind * len(run))
        for vertex, st in run:
            out += struct.pack("<ffi", *source.gl_texcoord(st), vertex)
    out += struct.pack("<i", 0)
    return out + (junk(source.rng, 20) if "spare_glcmds" in source.features else b"")


def md2_frames(source: Md2Source) -> tuple[bytes, int]:
    """Returns the frame lump and the framesize."""
    rng, spare = source.rng, 0
    if "big_framesize" in source.features:
        spare = rng.choice((1, 3, 4, 64, 3 * source.num_xyz + 1))
    out = b""
    for i, name in enumerate(source.names):
        out += struct.pack("<6f", *source.scales[i], *source.translates[i])
        out += name_field(rng, name, 16, "junk_names" in source.features)
        out += b"".join(bytes(v) for v in source.vertices[i]) + junk(rng, spare)
    return out, 40 + 4 * source.num_xyz + spare


def md2_bytes(source: Md2Source) -> bytes:
    rng, features = source.rng, source.features
    frames, framesize = md2_frames(source)
    skins = [] if "no_skins" in features else [r"players\male\Grunt.PCX", "skin.pcx"]
    glcmds = md2_glcmds(source)
    lumps = {"skins": b"".join(name_field(rng, s, 64, "junk_names" in features) for s in skins),
             "st": b"".join(struct.pack("<hh", *st) for st in source.st),
             "tris": b"".join(struct.pack("<6H", *v, *st) for v, st in zip(source.triangles, source.st_triangles)),
             "frames": frames, "glcmds": glcmds}
    body, at = place(lumps, 68, rng, features)
    header = struct.pack("<4s16i", b"IDP2", 8, *source.skin, framesize, len(skins), source.num_xyz, len(source.st),
                         len(source.triangles), len(glcmds) // 4, source.num_frames, at["skins"], at["st"], at["tris"],
                         at["frames"], at["glcmds"], 68 + len(body))
    trailing = junk(rng, rng.choice((1, 2, 60, 128, 131))) if "trailing" in features else b""
    return header + body + trailing


def make_md2(rng: random.Random, features: Features) -> tuple[bytes, Intent]:
    return md2_bytes(Md2Source(rng, features)), {}


# Shared by MDC and MD3 -------------------------------------------------------------------------

SURFACE_NAMES = ("h_head", "u_body", "l_legs", "teeth_up", "h_eye_1", "wing_2")
TAG_NAMES = ("tag_head", "tag_weapon", "tag_torso", "tag_ubelt")


def turned(axis: int, angle: float, v: list[float]) -> list[float]:
    """Rotates v by angle around x, y or z (right-handed)."""
    a, b = (axis + 1) % 3, (axis + 2) % 3
    out, s, c = list(v), math.sin(angle), math.cos(angle)
    out[a], out[b] = v[a] * c - v[b] * s, v[a] * s + v[b] * c
    return out


def rotation(pitch: float, yaw: float, roll: float) -> list[list[float]]:
    """Returns forward, left and up after a roll around x, a pitch around y, a yaw around z (degrees)."""
    axes = []
    for unit in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
        v = turned(0, math.radians(roll), unit)
        axes.append(turned(2, math.radians(yaw), turned(1, math.radians(pitch), v)))
    return axes


def surface_count(rng: random.Random, features: Features) -> int:
    if "tags_only" in features:
        return 0
    return rng.randrange(2, 5) if "surfaces" in features else 1


def texcoord_pairs(rng: random.Random, count: int) -> list[tuple[float, float]]:
    return [(f32(rng.uniform(-1, 2)), f32(rng.uniform(-1, 2))) for _ in range(count)]


def surface_shape(rng: random.Random, features: Features) -> tuple[int, list[Triple]]:
    """Returns the number of vertices, and the triangles."""
    count = rng.randrange(4, 9) if "many_frames" in features else rng.randrange(4, 60)
    triangles = nasty_triangles(rng, count, features)
    if "no_triangles" in features:
        return rng.choice((0, count)), []
    return count + (2 if "unused" in features else 0), triangles


def shader_lump(rng: random.Random, features: Features) -> tuple[bytes, int]:
    """Makes none, one or several shaders, with a name and an index each."""
    names = ["models/players/head.tga", "Textures\\Body.JPG", "x"][: rng.randrange(4)]
    dirty = "junk_names" in features
    return b"".join(name_field(rng, n, 64, dirty) + bytes(4) for n in names), len(names)


def box(points: list[list[float]]) -> list[float]:
    """Returns min and max of points as floats that contain them all, or a box without size."""
    if not points:
        return [0.0] * 6
    columns = list(zip(*points))
    low, high = [f32(min(c) - 1 / 64) for c in columns], [f32(max(c) + 1 / 64) for c in columns]
    return low + high


def frames_lump(rng: random.Random, names: list[str], boxes: list[list[float]], features: Features) -> bytes:
    """Returns the bounding frames."""
    out = b""
    for name, limits in zip(names, boxes):
        origin = [0.0, 0.0, 0.0]
        if "local_origin" in features:
            origin = [f32(rng.uniform(-30, 30)) for _ in range(3)]
        out += struct.pack("<10f", *limits, *origin, f32(rng.uniform(1, 90)))
        out += name_field(rng, name, 16, "junk_names" in features)
    return out


def trailing_bytes(rng: random.Random, features: Features) -> bytes:
    return junk(rng, rng.choice((1, 3, 64, 129))) if "trailing" in features else b""


# MDC -------------------------------------------------------------------------------------------

MDC_FEATURES = (
    "shuffled unaligned gaps trailing base_frames late_base all_compressed shared_comp "
    "no_comp_absent no_comp_empty no_comp_present surfaces slack far_lumps tags tags_only "
    "no_triangles local_origin one_frame many_frames junk_names degenerate unused names_full "
    "names_pain shuffled_triangles unused_keys extreme"
).split()


class MdcSurfaceSource:
    """One surface: stored base and compressed frames, and their use by each frame."""

    def __init__(self, rng: random.Random, index: int, frames: int, features: Features) -> None:
        self.rng, self.features, self.name = rng, features, SURFACE_NAMES[index]
        self.count, self.triangles = surface_shape(rng, features)
        self.st = texcoord_pairs(rng, self.count)
        self.none = bool({"no_comp_absent", "no_comp_empty", "no_comp_present"} & features)
        several = {"base_frames", "late_base", "unused_keys"} & features
        num_base = rng.randrange(2, 6) if several else 1
        num_comp = 0 if self.none else rng.randrange(1, frames + 1)
        self.base = [[self.base_vertex() for _ in range(self.count)] for _ in range(num_base)]
        self.comp = [[self.comp_vertex() for _ in range(self.count)] for _ in range(num_comp)]
        self.base_of = self.make_base_table(frames)
        self.comp_of = self.make_comp_table(frames)

    def base_vertex(self) -> tuple[tuple[int, int, int], tuple[int, int]]:
        """Position in 1/64 units, and rho and sigma of the normal in 1/256 turns."""
        reach = 32767 if "extreme" in self.features else 2000
        position = tuple(self.rng.randint(-reach, reach) for _ in range(3))
        return position, (self.rng.randrange(129), self.rng.randrange(256))  # type: ignore

    def comp_vertex(self) -> tuple[tuple[int, int, int], int]:
        """Offset in steps of 0.05, and the code of the normal."""
        reach = 127 if "extreme" in self.features else 40
        steps = tuple(self.rng.randint(-reach, reach) for _ in range(3))
        return steps, self.rng.randrange(256)  # type: ignore[return-value]

    def make_base_table(self, frames: int) -> list[int]:
        """Chooses any stored base frame for any frame; late: the first frame uses the last stored one."""
        usable = len(self.base) - ("unused_keys" in self.features)
        table = [self.rng.randrange(usable) for _ in range(frames)]
        if "late_base" in self.features:
            table[0] = usable - 1
        return table

    def make_comp_table(self, frames: int) -> list[int | None]:
        """Chooses a stored compressed frame for each frame, or None for its base frame alone."""
        if self.none:
            return [None] * frames
        if "shared_comp" in self.features:
            return [self.rng.randrange(min(2, len(self.comp))) for _ in range(frames)]
        table: list[int | None] = [self.rng.randrange(len(self.comp)) for _ in range(frames)]
        if "all_compressed" not in self.features:
            table = [None if self.rng.random() < 0.4 else c for c in table]
        return table

    def position(self, frame: int, vertex: int) -> list[float]:
        units = self.base[self.base_of[frame]][vertex][0]
        comp = self.comp_of[frame]
        steps = (0, 0, 0) if comp is None else self.comp[comp][vertex][0]
        return [u / 64.0 + s * 0.05 for u, s in zip(units, steps)]

    def lumps(self) -> dict[str, bytes]:
        """Returns the lumps by the names of their offset fields; an absent table has none."""
        base = b"".join(struct.pack("<3hBB", *units, rho, sigma) for key in self.base for units, (rho, sigma) in key)
        comp = b"".join(struct.pack("<4B", *(s + 127 for s in steps), code) for key in self.comp for steps, code in key)
        comp_of = [0xFFFF if c is None else c for c in self.comp_of]
        lumps = {
            "triangles": b"".join(struct.pack("<3i", *t) for t in self.triangles),
            "shaders": b"",
            "texcoords": b"".join(struct.pack("<2f", *st) for st in self.st),
            "base_verts": base,
            "comp_verts": comp,
            "frame_base_frames": struct.pack(f"<{len(self.base_of)}H", *self.base_of),
            "frame_comp_frames": struct.pack(f"<{len(comp_of)}H", *comp_of),
        }
        if "no_comp_empty" in self.features:
            lumps["frame_comp_frames"] = b""
        return lumps


MDC_OFFSETS = "triangles shaders texcoords base_verts comp_verts frame_base_frames frame_comp_frames".split()


def mdc_surface_record(source: MdcSurfaceSource, start: int) -> tuple[bytes, bytes, int | None]:
    """Returns a surface's bytes, a lump after all surfaces, and the position of its offset."""
    rng, features = source.rng, source.features
    lumps = source.lumps()
    lumps["shaders"], num_shaders = shader_lump(rng, features)
    absent = set()
    if "no_comp_absent" in features:
        absent = {"frame_comp_frames", "comp_verts"}
        absent |= {"frame_base_frames"} if len(source.base) == 1 else set()
    far_name = rng.choice(MDC_OFFSETS[:5]) if "far_lumps" in features else None
    far = lumps.get(far_name, b"") if far_name else b""
    kept = {n: lumps[n] for n in MDC_OFFSETS if n != far_name and n not in absent}
    body, at = place(kept, 124, rng, features)
    slack = junk(rng, rng.choice((1, 4, 37))) if "slack" in features else b""
    header = struct.pack("<i", 7) + name_field(rng, source.name, 64, "junk_names" in features)
    header += struct.pack("<6i", 0, len(source.comp), len(source.base), num_shaders, source.count,
                          len(source.triangles))
    header += struct.pack("<7i", *(at.get(n, 0) for n in MDC_OFFSETS))
    header += struct.pack("<i", 124 + len(body) + len(slack))
    patch = start + 92 + 4 * MDC_OFFSETS.index(far_name) if far and far_name else None
    return header + body + slack, far, patch


def mdc_surfaces_lump(sources: list[MdcSurfaceSource]) -> bytes:
    """Returns all surfaces in a row; lumps outside their own surface follow after the last one."""
    out, fars = b"", []
    for source in sources:
        start = len(out)
        record, far, patch = mdc_surface_record(source, start)
        out += record
        if patch is not None:
            fars.append((start, far, patch))
    for start, far, patch in fars:
        out = out[:patch] + struct.pack("<i", len(out) - start) + out[patch + 4 :] + far
    return out


def mdc_tags(rng: random.Random, frames: int, features: Features) -> list[list[tuple[int, ...]]]:
    """tags[frame][tag]: position in 1/64 units, pitch, yaw and roll in 360/32700 degrees."""
    if not {"tags", "tags_only"} & features:
        return []
    count = rng.randrange(1, len(TAG_NAMES) + 1)
    edge = (-32768, 32767, -1, 0, 8175, -8175, 16350)

    def one() -> tuple[int, ...]:
        position = tuple(rng.randint(-32768, 32767) for _ in range(3))
        angles = tuple(rng.choice(edge) if rng.random() < 0.2 else rng.randint(-32768, 32767) for _ in range(3))
        return position + angles

    return [[one() for _ in range(count)] for _ in range(frames)]


def all_points(sources: Sequence[Any], frame: int) -> list[list[float]]:
    return [s.position(frame, v) for s in sources for v in range(s.count)]


def make_mdc(rng: random.Random, features: Features) -> tuple[bytes, Intent]:
    frames = frame_count(rng, features)
    names = frame_names(rng, frames, features)
    sources = [MdcSurfaceSource(rng, i, frames, surface_features(rng, features, MDC_FEATURES))
               for i in range(surface_count(rng, features))]
    tags = mdc_tags(rng, frames, features)
    boxes = [box(all_points(sources, f)) for f in range(frames)]
    num_tags = len(tags[0]) if tags else 0
    dirty = "junk_names" in features
    lumps = {
        "frames": frames_lump(rng, names, boxes, features),
        "tag_names": b"".join(name_field(rng, n, 64, dirty) for n in TAG_NAMES[:num_tags]),
        "tag_frames": b"".join(struct.pack("<6h", *tag) for frame in tags for tag in frame),
        "surfaces": mdc_surfaces_lump(sources),
    }
    body, at = place(lumps, 112, rng, features)
    header = struct.pack("<4si", b"IDPC", 2) + name_field(rng, "models/gen.md3", 64, dirty)
    header += struct.pack("<10i", 0, frames, num_tags, len(sources), 0, at["frames"], at["tag_names"], at["tag_frames"],
                          at["surfaces"], 112 + len(body))
    return header + body + trailing_bytes(rng, features), {}


# MD3 -------------------------------------------------------------------------------------------

MD3_FEATURES = (
    "shuffled unaligned gaps trailing surfaces slack tags tags_only no_triangles local_origin "
    "one_frame many_frames junk_names degenerate unused names_full shuffled_triangles extreme"
).split()


class Md3SurfaceSource:
    """One surface: a position in 1/64 units and two angles for every vertex of every frame."""

    def __init__(self, rng: random.Random, index: int, frames: int, features: Features) -> None:
        self.rng, self.features, self.name = rng, features, SURFACE_NAMES[index]
        self.count, self.triangles = surface_shape(rng, features)
        self.st = texcoord_pairs(rng, self.count)
        reach = 32767 if "extreme" in features else 2000
        self.keys = [[self.key_vertex(reach) for _ in range(self.count)] for _ in range(frames)]

    def key_vertex(self, reach: int) -> tuple[list[int], int, int]:
        """Position in 1/64 units, and rho and sigma of the normal in 1/256 turns."""
        units = [self.rng.randint(-reach, reach) for _ in range(3)]
        return units, self.rng.randrange(129), self.rng.randrange(256)

    def position(self, frame: int, vertex: int) -> list[float]:
        return [u / 64.0 for u in self.keys[frame][vertex][0]]


def md3_surface_record(source: Md3SurfaceSource) -> bytes:
    rng, features = source.rng, source.features
    shaders, num_shaders = shader_lump(rng, features)
    lumps = {"triangles": b"".join(struct.pack("<3i", *t) for t in source.triangles), "shaders": shaders,
             "st": b"".join(struct.pack("<2f", *st) for st in source.st),
             "xyz_normals": b"".join(struct.pack("<3hBB", *units, rho, sigma) for key in source.keys
                                     for units, rho, sigma in key)}
    body, at = place(lumps, 108, rng, features)
    slack = junk(rng, rng.choice((1, 4, 37))) if "slack" in features else b""
    header = b"IDP3" + name_field(rng, source.name, 64, "junk_names" in features)
    header += struct.pack("<10i", 0, len(source.keys), num_shaders, source.count, len(source.triangles),
                          at["triangles"], at["shaders"], at["st"], at["xyz_normals"], 108 + len(body) + len(slack))
    return header + body + slack


def md3_tags(rng: random.Random, frames: int, features: Features) -> list[dict[str, Any]]:
    """Makes tags frame by frame: name, position, axes representable as floats. Some are longer or
    shorter than 1, some mirrored, and some have no length."""
    if not {"tags", "tags_only"} & features:
        return []
    count = rng.randrange(1, len(TAG_NAMES) + 1)
    tags = []
    lengths = [[rng.choice((1, 1, 0.8, 30, -1, 0)) for _ in range(3)] for _ in range(count)]
    for _ in range(frames):
        for n in range(count):
            axes = rotation(*(rng.uniform(-180, 180) for _ in range(3)))
            position = [f32(rng.uniform(-100, 100)) for _ in range(3)]
            tags.append({"name": TAG_NAMES[n], "position": position,
                         "axes": [[f32(c * l) for c in axis] for axis, l in zip(axes, lengths[n])]})
    return tags


def make_md3(rng: random.Random, features: Features) -> tuple[bytes, Intent]:
    frames = frame_count(rng, features)
    names = frame_names(rng, frames, features)
    sources = [Md3SurfaceSource(rng, i, frames, surface_features(rng, features, MD3_FEATURES))
               for i in range(surface_count(rng, features))]
    tags = md3_tags(rng, frames, features)
    boxes = [box(all_points(sources, f)) for f in range(frames)]
    dirty = "junk_names" in features
    lumps = {
        "frames": frames_lump(rng, names, boxes, features),
        "tags": b"".join(
            name_field(rng, t["name"], 64, dirty)
            + struct.pack("<12f", *t["position"], *(c for axis in t["axes"] for c in axis))
            for t in tags
        ),
        "surfaces": b"".join(md3_surface_record(s) for s in sources),
    }
    body, at = place(lumps, 108, rng, features)
    header = struct.pack("<4si", b"IDP3", 15) + name_field(rng, "models/gen.md3", 64, dirty)
    header += struct.pack("<9i", 0, frames, len(tags) // frames, len(sources), 0, at["frames"], at["tags"],
                          at["surfaces"], 108 + len(body))
    return header + body + trailing_bytes(rng, features), {}


# MDL -------------------------------------------------------------------------------------------

MDL_FEATURES = (
    "groups all_groups one_pose_groups skins skin_groups seams onseam_32 odd_width trailing "
    "junk_names junk_boxes st_edge st_negative one_frame many_frames names_pain names_unnumbered "
    "names_twice names_full names_empty degenerate unused shuffled_triangles negative_scale "
    "zero_scale flags holes"
).split()


class MdlSource:
    """The source data of an MDL model."""

    def __init__(self, rng: random.Random, features: Features) -> None:
        self.rng, self.features = rng, features
        count = rng.randrange(6, 14) if "many_frames" in features else rng.randrange(6, 90)
        self.triangles = nasty_triangles(rng, count, features)
        self.count = count + (3 if "unused" in features else 0)
        self.size = (rng.choice((16, 24, 40)) + ("odd_width" in features), rng.choice((8, 19, 30)))
        self.scale = [f32(rng.uniform(0.01, 0.5)) for _ in range(3)]
        if "negative_scale" in features:
            self.scale[rng.randrange(3)] *= -1.0
        if "zero_scale" in features:
            self.scale[rng.randrange(3)] = 0.0
        self.translate = [f32(rng.uniform(-60, 60)) for _ in range(3)]
        self.front = [rng.choice((0, 1, 16)) if "seams" in features else 1 for _ in self.triangles]
        seam = (0, 32) if "onseam_32" in features else (0, 1)
        self.st = [(rng.choice(seam) if "seams" in features else 0, *map(self.coordinate, self.size))
                   for _ in range(self.count)]
        self.skins = [self.make_skin() for _ in range(rng.randrange(2, 5) if "skins" in features else 1)]
        self.ends = self.make_groups(frame_count(rng, features))
        poses = sum(max(1, len(ends)) for ends in self.ends)
        self.names = frame_names(rng, poses, features)
        self.keys = [[tuple(rng.randrange(n) for n in (256, 256, 256, 162)) for _ in range(self.count)]
                     for _ in range(poses)]

    def coordinate(self, size: int) -> int:
        if "st_edge" in self.features and self.rng.random() < 0.4:
            return self.rng.choice((0, size))
        if "st_negative" in self.features and self.rng.random() < 0.4:
            return -self.rng.randrange(1, size)
        return self.rng.randrange(size)

    def make_ends(self, count: int) -> list[float]:
        """Returns increasing times, as floats of the file."""
        ends, end = [], 0.0
        for _ in range(count):
            end = f32(end + self.rng.choice((0.1, 0.2, 0.05, 0.33, 1.0)))
            ends.append(end)
        return ends

    def make_skin(self) -> tuple[list[float], list[bytes]]:
        """Returns end times, none if it is no group, and images."""
        grouped = "skin_groups" in self.features and self.rng.random() < 0.7
        count = self.rng.randrange(1, 5) if grouped else 1
        pixels = [junk(self.rng, self.size[0] * self.size[1]) for _ in range(count)]
        return self.make_ends(count) if grouped else [], pixels

    def make_groups(self, poses: int) -> list[list[float]]:
        """Returns for each frame of the file the end times of its poses; none if it is no group."""
        frames = []
        while poses > 0:
            grouped = "all_groups" in self.features or ("groups" in self.features and self.rng.random() < 0.6)
            count = min(poses, self.rng.randrange(1, 6)) if grouped else 1
            count = 1 if "one_pose_groups" in self.features else count
            frames.append(self.make_ends(count) if grouped else [])
            poses -= count
        return frames


def mdl_box(source: MdlSource, pose: int) -> list[list[int]]:
    """Returns the corners of a pose as packed vertices; with junk_boxes they are wrong."""
    if "junk_boxes" in source.features:
        return [list(junk(source.rng, 4)) for _ in range(2)]
    columns = list(zip(*source.keys[pose]))
    return [[*map(min, columns[:3]), 0], [*map(max, columns[:3]), 0]]


def mdl_group(ends: list[float], box: bytes) -> bytes:
    """Returns the start of a frame or a skin: its type, and for a group count, box and times."""
    if not ends:
        return struct.pack("<i", 0)
    return struct.pack("<2i", 1, len(ends)) + box + struct.pack(f"<{len(ends)}f", *ends)


def mdl_frames(source: MdlSource) -> bytes:
    out, pose = b"", 0
    for ends in source.ends:
        corners = mdl_box(source, pose)
        out += mdl_group(ends, bytes(corners[0] + corners[1]))
        for _ in range(max(1, len(ends))):
            corners = mdl_box(source, pose)
            out += bytes(corners[0] + corners[1])
            out += name_field(source.rng, source.names[pose], 16, "junk_names" in source.features)
            out += b"".join(bytes(key) for key in source.keys[pose])
            pose += 1
    return out


def mdl_flags(source: MdlSource) -> int:
    flags = source.rng.choice((1, 2, 8, 128)) if "flags" in source.features else 0
    return flags | (16384 if "holes" in source.features else 0)


def make_mdl(rng: random.Random, features: Features) -> tuple[bytes, Intent]:
    source = MdlSource(rng, features)
    frames = mdl_frames(source)
    flags = mdl_flags(source)
    data = struct.pack("<4si6f4f", b"IDPO", 6, *source.scale, *source.translate, 40.0, 0.0, 0.0, 24.0)
    data += struct.pack("<8if", len(source.skins), *source.size, source.count, len(source.triangles), len(source.ends),
                        rng.randrange(2), flags, 12.5)
    for ends, pixels in source.skins:
        data += mdl_group(ends, b"") + b"".join(pixels)
    data += b"".join(struct.pack("<3i", *st) for st in source.st)
    data += b"".join(struct.pack("<4i", f, *t) for f, t in zip(source.front, source.triangles))
    intent = {
        "groups": source.ends, "skin_size": source.size, "flags": flags,
        "skins": [{"ends": ends, "pictures": [p.hex() for p in pixels]}
                  for ends, pixels in source.skins],
    }
    return data + frames + trailing_bytes(rng, features), intent


def rapo_of(data: bytes, rng: random.Random) -> bytes:
    """Returns an MDL as a RAPO, of Hexen II's mission pack: corners choose among more texture coordinates."""
    fields = damage.mdl_fields(data)
    places, verts = damage.MdlOffsets(data, fields), fields["num_verts"]
    known = [struct.unpack_from("<3i", data, places.st + 12 * v) for v in range(verts)]
    order = list(range(verts + rng.randrange(4)))
    rng.shuffle(order)
    st = [known[i] if i < verts else (rng.choice((0, 32)), *rng.choice(known)[1:]) for i in order]
    where = {i: place for place, i in enumerate(order)}
    out = b"RAPO" + struct.pack("<i", 50) + data[8:84] + struct.pack("<i", len(st)) + data[84:places.st]
    out += b"".join(struct.pack("<3i", *one) for one in st)
    for at in range(places.tris, places.tris + 16 * fields["num_tris"], 16):
        front, *corners = struct.unpack_from("<4i", data, at)
        chosen = [where[v] if rng.random() < 0.8 else rng.randrange(len(st)) for v in corners]
        out += struct.pack("<i6H", front, *corners, *chosen)
    return out + data[places.tris + 16 * fields["num_tris"]:]


# The command -----------------------------------------------------------------------------------

MAKERS = {
    "md2": (make_md2, MD2_FEATURES),
    "mdc": (make_mdc, MDC_FEATURES),
    "md3": (make_md3, MD3_FEATURES),
    "mdl": (make_mdl, MDL_FEATURES),
    "mds": (mds.make_mds, mds.FEATURES),
}
# At most one of each group, so that a model has one frame count, one style of names and so on.
EXCLUSIVE = (
    {"one_frame", "many_frames"},
    {"no_comp_absent", "no_comp_empty", "no_comp_present", "shared_comp", "all_compressed"},
    {"no_glcmds", "other_glcmds", "short_glcmds", "spare_glcmds"},
    {f for f in MD2_FEATURES + MDC_FEATURES if f.startswith("names_")},
    {"tags_only", "surfaces", "no_triangles"},
    {"groups", "all_groups"},
)
RARE = {"one_frame", "many_frames", "tags_only", "no_triangles"}


def without_exclusive_features(features: Features, keep: str) -> Features:
    """Drops all but one of each exclusive group; keep stays."""
    for group in EXCLUSIVE:
        found = sorted(features & group)
        for extra in found:
            if extra != (keep if keep in found else found[0]):
                features.discard(extra)
    return features


def choose_features(rng: random.Random, all_features: Sequence[str], index: int) -> Features:
    """Chooses each feature in turn, so that each has its model, and others at random."""
    forced = all_features[index % len(all_features)]
    chance = {f: 0.04 if f in RARE else 0.3 for f in all_features}
    features = {f for f in all_features if rng.random() < chance[f]} | {forced}
    return without_exclusive_features(features, forced)


PER_SURFACE = {"base_frames", "late_base", "shared_comp", "all_compressed", "no_comp_absent",
               "no_comp_empty", "no_comp_present", "no_triangles", "unused_keys"}


def surface_features(rng: random.Random, features: Features, known: Sequence[str]) -> Features:
    """Returns the model's features, with some differences between surfaces."""
    if "surfaces" not in features or "uniform" in features:
        return features
    changed = set(features)
    for f in sorted(PER_SURFACE & set(known)):
        if rng.random() < 0.25:
            changed ^= {f}
    return without_exclusive_features(changed, "")


def write_model(out: Path, name: str, data: bytes, intent: Intent) -> None:
    (out / name).write_bytes(data)
    (out / (name + ".json")).write_text(json.dumps(intent, indent=1, sort_keys=True) + "\n")


def make_model(kind: str, seed: int, index: int) -> tuple[bytes, Intent]:
    """Makes model number index of a format; the same for the same seed, independent of other models."""
    maker, all_features = MAKERS[kind]
    rng = random.Random(f"{seed} {kind} {index}")
    features = choose_features(rng, all_features, index)
    data, intent = maker(rng, features)
    return data, {**intent, "format": kind, "features": sorted(features)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write generated models and what they mean.")
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--formats", default=",".join(MAKERS))
    parser.add_argument("--damaged", action="store_true")
    options = parser.parse_args(arguments)
    options.outdir.mkdir(parents=True, exist_ok=True)
    formats = options.formats.split(",")
    if options.damaged:
        kinds = [*formats, *["rapo"] * ("mdl" in formats)]
        for name, data, intent in damage.damaged_models(kinds, options.seed, plain_model):
            write_model(options.outdir, name, data, intent)
        return 0
    for number in range(options.count):
        kind = formats[number % len(formats)]
        data, intent = make_model(kind, options.seed, number // len(formats))
        write_model(options.outdir, f"gen{number:03d}.{kind}", data, intent)
        if kind == "mdl":
            rapo = rapo_of(data, random.Random(number))
            write_model(options.outdir, f"gen{number:03d}_rapo.mdl", rapo, intent)
    return 0


# The basis of the damaged files: a canonical layout with everything that can be damaged.
PLAIN: dict[str, Features] = {
    "md2": {"seams", "names_runs"},
    "mdc": {"surfaces", "uniform", "tags", "base_frames", "all_compressed"},
    "md3": {"surfaces", "uniform", "tags"},
    "mdl": {"groups", "skins", "skin_groups", "seams"},
    "mds": {"surfaces", "shader"},
}


def plain_model(kind: str, seed: int) -> bytes:
    """Makes a valid model in canonical layout to be damaged."""
    rng = random.Random(f"{seed} {kind} plain")
    if kind == "rapo":
        return rapo_of(plain_model("mdl", seed), rng)
    return MAKERS[kind][0](rng, PLAIN[kind])[0]


if __name__ == "__main__":
    sys.exit(main())
