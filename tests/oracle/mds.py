"""An independent decoder of MDS (version 4), the skeletal format of Return to Castle Wolfenstein.

Written from the facts of the game's published source (qfiles.h, tr_model.c, tr_animation.c), in double precision, with the
standard library only. Plain and slow on purpose: each vertex of each pose is computed from the file's numbers.

A pose of the legs and one of the torso are (old, new, backlerp), as in the game: new * (1 - backlerp) + old * backlerp.
"""
import math
import random
import struct
from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import oracle
from oracle import Axes, OracleError, Reader, Triple, Vec2, Vec3, angle_axes, finite, indices_in_range, text

MAX_BONES = 128
STEP = 360.0 / 65536.0  # degrees of an angle

PoseOf = tuple[int, int, float]
Transform = tuple[Vec3, Axes]


@dataclass
class Bone:
    name: str
    parent: int
    torso_weight: float
    parent_dist: float
    flags: int


@dataclass
class BoneFrame:
    """Degrees: of the rotation, and of the direction from the parent."""

    angles: Vec3
    offset_angles: Vec2


@dataclass
class Frame:
    low: Vec3
    high: Vec3
    origin: Vec3
    radius: float
    parent_offset: Vec3
    bones: list[BoneFrame]


@dataclass
class Vertex:
    """weights: bone, weight, offset."""

    normal: Vec3
    st: Vec2
    weights: list[tuple[int, float, Vec3]]


@dataclass
class Surface:
    name: str
    shader: str
    vertices: list[Vertex]
    triangles: list[Triple]


def shortest(a: float, b: float) -> float:
    """From angle a to b, the shorter way, in degrees."""
    return (b - a + 180.0) % 360.0 - 180.0


def unit(v: Sequence[float]) -> Vec3:
    size = math.sqrt(sum(c * c for c in v))
    return (v[0] / size, v[1] / size, v[2] / size) if size else (0.0, 0.0, 0.0)


def mixed(a: Sequence[float], b: Sequence[float], t: float) -> Vec3:
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))


def turned(rows: Sequence[Vec3], v: Vec3) -> Vec3:
    x, y, z = (sum(r * c for r, c in zip(row, v)) for row in rows)
    return x, y, z


@dataclass
class Mds:
    frames: list[Frame]
    bones: list[Bone]
    torso_parent: int
    tags: list[tuple[str, int]]
    surfaces: list[Surface]
    format = "mds"
    gl_triangles: tuple[()] = ()

    def between(self, pose: PoseOf, bone: int) -> tuple[Vec3, Vec3]:
        """The angles of a bone and the direction from its parent, in a pose of two frames."""
        old, new, back = self.frames[pose[0]].bones[bone], self.frames[pose[1]].bones[bone], pose[2]
        angles = [n + back * shortest(n, o) for o, n in zip(old.angles, new.angles)]
        ends = [angle_axes(*one.offset_angles, 0.0)[0] for one in (new, old)]
        return (angles[0], angles[1], angles[2]), unit(mixed(ends[0], ends[1], back))

    def skeleton(self, legs: PoseOf, torso: PoseOf, turn: Vec3 = (0.0, 0.0, 0.0)) -> list[Transform]:
        """The transform of each bone: its translation, and its rows."""
        made: list[Transform] = []
        for number, bone in enumerate(self.bones):
            (angles, way), (others, other) = self.between(legs, number), self.between(torso, number)
            weight = bone.torso_weight
            blended = [a + weight * shortest(a, b) for a, b in zip(angles, others)]
            way = unit(mixed(way, other, weight))
            if bone.parent < 0:
                origin = mixed(self.frames[legs[1]].parent_offset, self.frames[legs[0]].parent_offset, legs[2])
            else:
                parent = made[bone.parent][0]
                origin = (parent[0] + bone.parent_dist * way[0], parent[1] + bone.parent_dist * way[1],
                          parent[2] + bone.parent_dist * way[2])
            made.append((origin, angle_axes(*blended)))
        return self.turned_torso(made, turn) if any(turn) else made

    def turned_torso(self, bones: list[Transform], turn: Vec3) -> list[Transform]:
        """Bones of the torso turn about the torso's parent, by their weight."""
        about, axes, made = bones[self.torso_parent][0], angle_axes(*turn), []
        for bone, (origin, rows) in zip(self.bones, bones):
            w = bone.torso_weight
            if w > 0.0:
                matrix = [tuple((1.0 - w) * (i == k) + w * axes[k][i] for k in range(3)) for i in range(3)]
                arm = turned(matrix, (origin[0] - about[0], origin[1] - about[1], origin[2] - about[2]))
                origin = (about[0] + arm[0], about[1] + arm[1], about[2] + arm[2])
                if bone.flags & 1:
                    rows = (turned(matrix, rows[0]), turned(matrix, rows[1]), turned(matrix, rows[2]))
                else:
                    columns = [turned(matrix, (rows[0][k], rows[1][k], rows[2][k])) for k in range(3)]
                    rows = tuple((columns[0][i], columns[1][i], columns[2][i]) for i in range(3))
            made.append((origin, rows))
        return made

    def vertices(self, bones: list[Transform], surface: int) -> list[tuple[Vec3, Vec3]]:
        """The position and the normal of each vertex of a surface."""
        made = []
        for vertex in self.surfaces[surface].vertices:
            place = [0.0, 0.0, 0.0]
            for bone, weight, offset in vertex.weights:
                origin, rows = bones[bone]
                moved = turned(rows, offset)
                place = [p + weight * (m + o) for p, m, o in zip(place, moved, origin)]
            made.append(((place[0], place[1], place[2]), turned(bones[vertex.weights[0][0]][1], vertex.normal)))
        return made


    def pose(self, frame: float, quirk: str | None = None, topology: str = "triangles") -> oracle.Pose:
        """Everything drawn at a fractional frame, as oracle.Model does for vertices that do not follow bones."""
        first = math.floor(frame)
        pose = (first, first + (frame > first), 1.0 - (frame - first))  # backlerp is the share of the first
        bones = self.skeleton(pose, pose)
        surfaces = []
        for number, surface in enumerate(self.surfaces):
            done = self.vertices(bones, number)
            corners = [oracle.Corner(v, place, unit(normal), 1.0, surface.vertices[v].st)
                       for v, (place, normal) in enumerate(done)]
            surfaces.append(oracle.SurfacePose(surface.name, [(corners[a], corners[b], corners[c])
                                                              for a, b, c in surface.triangles]))
        tags = [oracle.Tag(name, *bones[bone]) for name, bone in self.tags]
        return oracle.Pose(frame, surfaces, tags)


# Reading ---------------------------------------------------------------------------------------


def read_frame(reader: Reader, at: int, num_bones: int) -> Frame:
    numbers = reader.unpack("13f", at)
    finite("frame", numbers)
    bones = []
    for row in reader.records("bone frame", at + 52, num_bones, "6h"):
        steps = [n * STEP for n in row]
        bones.append(BoneFrame((steps[0], steps[1], steps[2]), (steps[4], steps[5])))
    return Frame(numbers[0:3], numbers[3:6], numbers[6:9], numbers[9], numbers[10:13], bones)


def read_surface(reader: Reader, start: int, num_bones: int) -> tuple[Surface, int]:
    name, shader = reader.unpack("4x64s64s", start)
    _, _, _, num_verts, ofs_verts, num_triangles, ofs_triangles, _, _, _, end = reader.unpack("11i", start + 132)
    vertices, at = [], start + ofs_verts
    for _ in range(num_verts):
        x, y, z, s, t, count = reader.unpack("5fi", at)
        rows = reader.records("weight", at + 32, count, "if3f")
        indices_in_range("bone", [row[0] for row in rows], num_bones)
        if count < 1:
            raise OracleError("a vertex without weights")
        vertices.append(Vertex((x, y, z), (s, t), [(row[0], row[1], row[2:5]) for row in rows]))
        at += 32 + 20 * count
    triangles = reader.records("triangle", start + ofs_triangles, num_triangles, "3i")
    indices_in_range("triangle", [v for triangle in triangles for v in triangle], num_verts)
    return Surface(text(name), text(shader), vertices, [(a, b, c) for a, b, c in triangles]), start + end


def read_mds(data: bytes) -> Mds:
    reader = Reader(data)
    if reader.unpack("4si", 0) != (b"MDSW", 4):
        raise OracleError("not MDS version 4")
    (num_frames, num_bones, ofs_frames, ofs_bones, torso_parent, num_surfaces, at, num_tags, ofs_tags,
     _) = reader.unpack("10i", 80)
    if num_bones > MAX_BONES:
        raise OracleError("too many bones")
    size = 52 + 12 * num_bones
    frames = [read_frame(reader, ofs_frames + f * size, num_bones) for f in range(num_frames)]
    bones = [Bone(text(b[0]), *b[1:]) for b in reader.records("bone", ofs_bones, num_bones, "64siffi")]
    if any(bone.parent >= number for number, bone in enumerate(bones)):
        raise OracleError("a bone comes before its parent")
    tags = [(text(name), bone) for name, _, bone in reader.records("tag", ofs_tags, num_tags, "64sfi")]
    surfaces = []
    for _ in range(num_surfaces):
        surface, at = read_surface(reader, at, num_bones)
        surfaces.append(surface)
    return Mds(frames, bones, torso_parent, tags, surfaces)


# Generating ------------------------------------------------------------------------------------

FEATURES = ("one_frame", "many_bones", "rigid", "many_weights", "names_junk", "shader", "no_tags", "tags_only", "gaps",
            "trailing", "surfaces", "still")
HEADER = ["num_frames", "num_bones", "ofs_frames", "ofs_bones", "torso_parent", "num_surfaces", "ofs_surfaces",
          "num_tags", "ofs_tags", "ofs_end"]
SURFACE = ["shader_index", "min_lod", "ofs_header", "num_verts", "ofs_verts", "num_triangles", "ofs_triangles",
           "ofs_collapse_map", "num_bone_references", "ofs_bone_references", "ofs_end"]


def padded(rng: random.Random, name: str, junk: bool) -> bytes:
    raw = name.encode("latin-1") + b"\0"
    return raw + (rng.randbytes(64 - len(raw)) if junk else bytes(64 - len(raw)))


def make_vertex(rng: random.Random, num_bones: int, features: set[str]) -> bytes:
    count = 1 if "rigid" in features else rng.randint(1, 5)
    if "many_weights" in features and rng.random() < 0.2:
        count = rng.randint(6, 40)
    shares = [rng.random() + 0.05 for _ in range(count)]
    data = struct.pack("<5fiif", *unit([rng.uniform(-1, 1) for _ in range(3)]), rng.random(), rng.random(), count, 0, 0.0)
    for share in shares:
        data += struct.pack("<if3f", rng.randrange(num_bones), share / sum(shares), *(rng.uniform(-9, 9) for _ in range(3)))
    return data


def make_surface(rng: random.Random, number: int, start: int, num_bones: int, shape: tuple[int, int],
                 features: set[str]) -> bytes:
    """shape: the numbers of vertices and of triangles."""
    num_verts, num_triangles = shape
    lumps = [b"".join(make_vertex(rng, num_bones, features) for _ in range(num_verts)),
             b"".join(struct.pack("<3i", *rng.sample(range(num_verts), 3)) for _ in range(num_triangles)),
             struct.pack(f"<{num_verts}i", *(max(0, v - 1) for v in range(num_verts))),
             struct.pack(f"<{num_bones}i", *range(num_bones))]
    offsets, at = [], 176
    for n, lump in enumerate(lumps):
        if "gaps" in features:
            lumps[n] = bytes(4 * rng.randint(0, 3)) + lump
        at += len(lumps[n])
        offsets.append(at - len(lump))
    shader = f"models/made/skin{number}.tga" if "shader" in features else ""
    header = struct.pack("<i", 8) + padded(rng, f"part{number}", "names_junk" in features)
    header += padded(rng, shader, "names_junk" in features)
    header += struct.pack("<11i", 0, num_verts // 2, -start, num_verts, offsets[0], num_triangles, offsets[1], offsets[2],
                          num_bones, offsets[3], at)
    return header + b"".join(lumps)


def make_bones(rng: random.Random, count: int, features: set[str]) -> bytes:
    data = b""
    for number in range(count):
        parent = rng.randrange(number) if number else -1
        weight = rng.choice((0.0, 0.0, 0.3, 0.55, 1.0, 1.0)) if number else 0.0
        tag = number % 3 == 2
        data += padded(rng, f"tag_{number}" if tag else f"Bip01 {number}", "names_junk" in features)
        data += struct.pack("<iffi", parent, weight, rng.uniform(0.1, 20.0), int(tag))
    return data


def make_mds(rng: random.Random, features: set[str]) -> tuple[bytes, dict[str, Any]]:
    """A valid model with these features."""
    tiny = "tiny" in features
    num_frames = 1 if "one_frame" in features else 2 if tiny else rng.randint(2, 12)
    num_bones = MAX_BONES if "many_bones" in features else 3 if tiny else rng.randint(3, 20)
    count = 0 if "tags_only" in features else rng.randint(2, 4) if "surfaces" in features else 1
    # Of a few random triangles, all may face away from their normals.
    shapes = [(3, 2) if tiny else (rng.randint(3, 20), rng.randint(30, 50)) for _ in range(count)]
    return build_mds(rng, num_frames, num_bones, shapes, features), {}


def build_mds(rng: random.Random, num_frames: int, num_bones: int, shapes: list[tuple[int, int]],
              features: set[str]) -> bytes:
    bones = make_bones(rng, num_bones, features)
    still = struct.pack(f"<{6 * num_bones}h", *(rng.randint(-32768, 32767) for _ in range(6 * num_bones)))
    frames = b""
    for _ in range(num_frames):
        root = (0.0, 0.0, 0.0) if "still" in features else tuple(rng.uniform(-30, 30) for _ in range(3))
        frames += struct.pack("<13f", *(-900.0,) * 3, *(900.0,) * 3, 0.0, 0.0, 0.0, 1560.0, *root)
        turned = struct.pack(f"<{6 * num_bones}h", *(rng.randint(-32768, 32767) for _ in range(6 * num_bones)))
        frames += still if "still" in features else turned
    tags = [] if "no_tags" in features else list(range(2, num_bones, 3))
    at = 120 + len(frames) + len(bones)
    surfaces = b""
    for number, shape in enumerate(shapes):
        surfaces += make_surface(rng, number, at + len(surfaces), num_bones, shape, features)
    ofs_tags = at + len(surfaces)
    tag_lump = b"".join(padded(rng, f"tag_{bone}", False) + struct.pack("<fi", 0.0, bone) for bone in tags)
    header = b"MDSW" + struct.pack("<i", 4) + padded(rng, "made.mds", "names_junk" in features)
    header += struct.pack("<2f10i", 1.0, 0.0, num_frames, num_bones, 120, 120 + len(frames), rng.randrange(num_bones), len(shapes),
                          at, len(tags), ofs_tags, ofs_tags + len(tag_lump))
    trailing = rng.randbytes(rng.randint(1, 99)) if "trailing" in features else b""
    return header + frames + bones + surfaces + tag_lump + trailing


# A player ---------------------------------------------------------------------------------------

# Name, parent, share of the torso, distance from the parent.
PLAYER_BONES = (("hips", -1, 0.0, 0.0), ("spine", 0, 0.4, 9.0), ("neck", 1, 1.0, 12.0), ("arm", 1, 1.0, 8.0),
                ("leg", 0, 0.0, 7.0), ("foot", 4, 0.0, 11.0), ("tag_head", 2, 1.0, 3.0), ("tag_back", 1, 0.4, 4.0))
PLAYER_FRAMES = 12


def make_player(weights: int = 3, seed: int = 1, spread: float = 0.0, num_frames: int = PLAYER_FRAMES) -> bytes:
    """Makes an MDS whose points meet in a rest pose that no frame has, or miss each other by `spread`."""
    rng = random.Random(seed)

    def angle() -> int:
        return rng.randint(-6000, 6000)

    rest: list[Transform] = []
    for _, parent, _, distance in PLAYER_BONES:
        rows = angle_axes(*(rng.uniform(-40, 40) for _ in range(3)))
        x, y, z = rest[parent][0] if parent >= 0 else (0.0, 0.0, 0.0)
        way = angle_axes(rng.uniform(-40, 40), rng.uniform(-40, 40), 0.0)[0]
        rest.append(((x + distance * way[0], y + distance * way[1], z + distance * way[2]), rows))
    frames = b""
    for _ in range(num_frames):
        frames += struct.pack("<13f", *(-90.0,) * 3, *(90.0,) * 3, *(0.0,) * 3, 160.0,
                              *(rng.uniform(-5, 5) for _ in range(3)))
        frames += b"".join(struct.pack("<6h", angle(), angle(), angle(), 0, angle(), angle()) for _ in PLAYER_BONES)
    bones = b"".join(struct.pack("<64siffi", name.encode(), parent, share, distance, int(name.startswith("tag_")))
                     for name, parent, share, distance in PLAYER_BONES)
    vertices = b""
    for v in range(60):
        point = [rng.uniform(-20, 20) for _ in range(3)]
        chosen = rng.sample(range(6), min(6, 1 + v % weights))
        shares = [rng.uniform(0.1, 1) for _ in chosen]
        vertices += struct.pack("<5fiif", 0, 0, 1, rng.random(), rng.random(), len(chosen), 0, 0.0)
        for bone, share in zip(chosen, shares):
            origin, rows = rest[bone]
            away = [p - o for p, o in zip(point, origin)]
            offset = [sum(rows[k][i] * away[k] for k in range(3)) + rng.uniform(-spread, spread) for i in range(3)]
            vertices += struct.pack("<if3f", bone, share / sum(shares), *offset)
    lumps = [vertices, b"".join(struct.pack("<3i", v, v + 1, v + 2) for v in range(58)),
             struct.pack("<60i", *range(60)), struct.pack("<6i", *range(6))]
    at = [176 + sum(map(len, lumps[:i])) for i in range(5)]
    start = 120 + len(frames) + len(bones)
    surface = struct.pack("<i64s64s11i", 8, b"u_body", b"", 0, 60, -start, 60, at[0], 58, at[1], at[2], 6, at[3], at[4])
    surface += b"".join(lumps)
    tags = b"".join(struct.pack("<64sfi", PLAYER_BONES[b][0].encode(), 0.0, b) for b in (6, 7))
    header = struct.pack("<4si64s2f10i", b"MDSW", 4, b"made", 1.0, 0.0, num_frames, len(PLAYER_BONES), 120,
                         120 + len(frames), 1, 1, start, 2,
                         start + len(surface), start + len(surface) + len(tags))
    return header + frames + bones + surface + tags


# Damage ----------------------------------------------------------------------------------------


def mds_damage(data: bytes) -> Iterator[tuple[str, str, str, bytes]]:
    """A valid model with one fault in each: see damage.py."""
    import damage

    patched, h = damage.patched, damage.Fields(data, 80, HEADER)
    yield from damage.truncated(data, len(data))
    for version in (3, 5, -4):
        yield f"version_{version}", "refuse", f"version {version}", patched(data, 4, "i", version)
    size = 52 + 12 * h["num_bones"]
    lumps = {"num_frames": ("ofs_frames", size), "num_surfaces": ("ofs_surfaces", 0), "num_tags": ("ofs_tags", 72)}
    yield from damage.counts_and_lumps(h, lumps, 0)
    for name in "num_frames", "num_bones":
        yield f"{name}_0", "refuse", f"no {name[4:]}", h.with_value(name, 0)
    for value in (-1, MAX_BONES + 1, 2**31 - 1, -(2**31)):
        yield f"num_bones_{value}", "refuse", f"{value} bones", h.with_value("num_bones", value)
    for value in (-1, h["num_bones"]):
        yield f"torso_parent_{value}", "refuse", f"the torso turns about bone {value}", h.with_value("torso_parent", value)
    yield from bone_damage(data, h)
    starts = damage.surface_starts(data, h["ofs_surfaces"], h["num_surfaces"], 172)
    yield from damage.surface_end_damage(data, h, starts, 172)
    yield from surface_damage(data, starts[-1], h["num_bones"])


def bone_damage(data: bytes, h: Any) -> Iterator[tuple[str, str, str, bytes]]:
    import damage

    patched, last = damage.patched, h["ofs_bones"] + 80 * (h["num_bones"] - 1)
    for value in (-2, h["num_bones"] - 1, h["num_bones"], 2**31 - 1, -(2**31)):
        yield f"parent_{value}", "refuse", f"the last bone's parent is {value}", patched(data, last + 64, "i", value)
    circle = patched(patched(data, h["ofs_bones"] + 64, "i", 1), h["ofs_bones"] + 144, "i", 0)
    yield "parents_circle", "refuse", "two bones are each other's parents", circle
    for name, number in {**damage.NOT_FINITE, "negative": -0.5, "large": 1.5}.items():
        yield f"torso_weight_{name}", "refuse", f"a torso weight is {name}", patched(data, last + 68, "f", number)
    for name, number in damage.NOT_FINITE.items():
        yield f"distance_{name}", "refuse", f"a distance is {name}", patched(data, last + 72, "f", number)
        root = patched(data, h["ofs_frames"] + 40, "f", number)
        yield f"root_{name}", "refuse", f"the position of a frame's roots is {name}", root
        yield f"bounds_{name}", "harmless", f"a bound is {name}", patched(data, h["ofs_frames"], "f", number)
    yield "flags", "accept", "unknown flags", patched(data, last + 76, "i", -1)
    for value in (-1, h["num_bones"], -(2**31)):
        yield f"tag_{value}", "refuse", f"a tag is bone {value}", patched(data, h["ofs_tags"] + 68, "i", value)


def surface_damage(data: bytes, start: int, num_bones: int) -> Iterator[tuple[str, str, str, bytes]]:
    """The last surface's own header, vertices and indices."""
    import damage

    patched, s = damage.patched, damage.Fields(data, start + 132, SURFACE)
    lumps = {"num_verts": ("ofs_verts", 0), "num_triangles": ("ofs_triangles", 12),
             "num_bone_references": ("ofs_bone_references", 4)}
    yield from damage.counts_and_lumps(s, lumps, start)
    yield "ofs_header", "refuse", "the file's header is elsewhere", s.with_value("ofs_header", 16 - start)
    yield from damage.triangle_damage(data, start + s["ofs_triangles"], s["num_triangles"], s["num_verts"])
    vertex, last = start + s["ofs_verts"], s["num_verts"] - 1
    for value in (-1, 0, MAX_BONES + 1, 2**31 - 1, -(2**31), 0x0CCCCCCD):
        yield f"num_weights_{value}", "refuse", f"a vertex has {value} weights", patched(data, vertex + 20, "i", value)
    for value in (-1, num_bones, -(2**31)):
        yield f"bone_{value}", "refuse", f"a vertex follows bone {value}", patched(data, vertex + 32, "i", value)
        reference = patched(data, start + s["ofs_bone_references"], "i", value)
        yield f"reference_{value}", "refuse", f"the surface refers to bone {value}", reference
    for name, number in {**damage.NOT_FINITE, "negative": -0.5, "large": 1.5}.items():
        yield f"weight_{name}", "refuse", f"a weight is {name}", patched(data, vertex + 36, "f", number)
    yield "weight_sum", "accept", "weights do not add up to 1", patched(data, vertex + 36, "f", 0.125)
    for name, number in damage.NOT_FINITE.items():
        for where, at in (("normal", 0), ("st", 12), ("offset", 40)):
            yield f"{where}_{name}", "refuse", f"a vertex's {where} is {name}", patched(data, vertex + at, "f", number)
        yield f"unused_{name}", "accept", f"fixedDist is {name}", patched(data, vertex + 28, "f", number)
    for value in (-1, s["num_verts"], 2**31 - 1):
        at = start + s["ofs_collapse_map"] + 4 * last
        yield f"collapse_{value}", "refuse", f"a vertex collapses to {value}", patched(data, at, "i", value)
    yield "collapse_circle", "accept", "a vertex collapses to itself", patched(data, at, "i", last)
