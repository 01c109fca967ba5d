"""An independent reader and writer of the files that UFO: Alien Invasion keeps next to an MD2: .anm,
.tag and .mdx; and a reader of the compositions in its scripts. Written from the facts about the engine, in double precision, with the standard library
only. Plain and slow on purpose.
"""
import math
import re
import struct
from dataclasses import dataclass
from typing import Sequence

Vec3 = tuple[float, float, float]
MAX_CLIPS = 128
SLOWEST = 0.01
CANCELLED = 1e-6  # a shorter sum of directions is of directions that cancel
FOLLOWED = ("death", "shoot", "cshoot")


@dataclass
class Clip:
    name: str
    first: int
    last: int  # inclusive
    fps: float

    @property
    def loops(self) -> bool:
        """The game itself follows deaths and shots by another clip; others start again."""
        return not self.name.lower().startswith(FOLLOWED)


@dataclass
class Tag:
    name: str
    poses: list[tuple[float, ...]]  # for each frame: three axes, then the origin


def read_clips(text: str) -> list[Clip]:
    """Reads four words per clip, as the engine does, wherever the lines end."""
    words = [word for line in text.splitlines() for word in line.split("//")[0].split()]
    clips = []
    for at in range(0, len(words) - 3, 4):
        fps = float(words[at + 3])
        clips.append(Clip(words[at], int(words[at + 1]), int(words[at + 2]), max(fps, SLOWEST)))
    return clips[:MAX_CLIPS]


def read_tags(data: bytes) -> list[Tag]:
    ident, version, tags, frames, names, poses, end, _ = struct.unpack_from("<4s7i", data)
    assert (ident, version, names, poses) == (b"JDP2", 1, 32, 32 + 64 * tags)
    assert end == len(data) == poses + 48 * tags * frames
    return [Tag(data[names + 64 * t:names + 64 * t + 64].split(b"\0")[0].decode("latin-1"),
                [struct.unpack_from("<12f", data, poses + 48 * (t * frames + f)) for f in range(frames)])
            for t in range(tags)]


def make_tags(tags: Sequence[Tag]) -> bytes:
    names = b"".join(tag.name.encode().ljust(64, b"\0") for tag in tags)
    poses = b"".join(struct.pack("<12f", *pose) for tag in tags for pose in tag.poses)
    count, frames, at = len(tags), len(tags[0].poses), 32 + len(names)
    return struct.pack("<4s7i", b"JDP2", 1, count, frames, 32, at, at + len(poses),
                       at + 64 * count * frames) + names + poses


def read_groups(data: bytes) -> list[int]:
    """Returns the normal that each corner uses."""
    version, normals, corners = struct.unpack_from("<3i", data, 6)
    assert data[:6] == b"UFOMDX" and version == 1 and len(data) == 18 + 4 * corners
    groups = list(struct.unpack_from("<%di" % corners, data, 18))
    assert all(0 <= group < normals for group in groups)
    return groups


def make_groups(groups: Sequence[int]) -> bytes:
    return struct.pack("<6s3i%di" % len(groups), b"UFOMDX", 1, max(groups) + 1, len(groups), *groups)


def subtract(a: Vec3, b: Vec3) -> Vec3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def unit(v: Vec3) -> Vec3:
    length = math.hypot(*v)
    return (v[0] / length, v[1] / length, v[2] / length) if length > 0 else (0.0, 0.0, 0.0)


def direction(a: Vec3, b: Vec3, c: Vec3, scale: Vec3) -> Vec3:
    """The engine's direction of a triangle: (a - b) x (c - b), of length 1. The corners are in steps, so that
    a triangle without area has none."""
    u, v = subtract(a, b), subtract(c, b)
    return unit(((u[1] * v[2] - u[2] * v[1]) * scale[1] * scale[2], (u[2] * v[0] - u[0] * v[2]) * scale[2] * scale[0],
                 (u[0] * v[1] - u[1] * v[0]) * scale[0] * scale[1]))


@dataclass
class Md2:
    """The parts of an MD2 that its sidecars are about."""
    num_frames: int
    triangles: list[tuple[int, ...]]
    steps: list[Vec3]  # of the vertices in the requested frame
    scale: Vec3
    move: Vec3

    @property
    def positions(self) -> list[Vec3]:
        """Returns the vertices in units."""
        return [(p[0] * self.scale[0] + self.move[0], p[1] * self.scale[1] + self.move[1],
                 p[2] * self.scale[2] + self.move[2]) for p in self.steps]


def normals(md2: Md2, groups: Sequence[int]) -> list[Vec3]:
    """Returns the normal of each corner: the sum of the directions at all corners of its group."""
    sums: dict[int, list[float]] = {}
    for t, triangle in enumerate(md2.triangles):
        side = direction(*(md2.steps[v] for v in triangle), md2.scale)
        for group in groups[3 * t:3 * t + 3]:
            total = sums.setdefault(group, [0.0, 0.0, 0.0])
            for i in range(3):
                total[i] += side[i]
    found = {g: (s[0], s[1], s[2]) for g, s in sums.items()}
    return [unit(found[g]) if math.hypot(*found[g]) > CANCELLED else (0.0, 0.0, 1.0) for g in groups]


def read_md2(data: bytes, frame: int = 0) -> Md2:
    (_, _, _, _, size, _, vertices, _, triangles, _, frames, _, _, at_triangles, at_frames, _,
     _) = struct.unpack_from("<4s16i", data)
    corners = [struct.unpack_from("<3H", data, at_triangles + 12 * t) for t in range(triangles)]
    at = at_frames + frame * size
    steps = [struct.unpack_from("<3B", data, at + 40 + 4 * v) for v in range(vertices)]
    return Md2(frames, corners, steps, struct.unpack_from("<3f", data, at), struct.unpack_from("<3f", data, at + 12))


# ---- Scripts -----------------------------------------------------------------------------------

TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?P<quoted>[^"]*)"|(?P<plain>[{}()]|[^\s{}()"]+)', re.DOTALL)


@dataclass
class Shown:
    """A model of a composition: its path below models/ without extension, and its skin's number."""
    model: str
    skin: int
    tag: str | None  # None: it is not attached to a tag


def words_of(text: str) -> list[str]:
    return [m["quoted"] if m["plain"] is None else m["plain"] for m in TOKENS.finditer(text)
            if m["quoted"] is not None or m["plain"] is not None]


def block(words: list[str], at: int) -> int:
    """Returns the index of the brace that closes the one before `at`."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(words[at], 0)
        at += 1
    return at - 1


def read_menu_models(words: list[str]) -> dict[str, list[Shown]]:
    fields: dict[str, list[tuple[str, str]]] = {}
    for at, word in enumerate(words):
        if word == "menu_model":
            inside = words[at + 3:block(words, at + 3)]
            fields.setdefault(words[at + 1], list(zip(inside[::2], inside[1::2])))
    found: dict[str, list[Shown]] = {}
    for name in fields:
        names = [name]
        for shown in names:
            names += [need for key, need in fields[shown] if key == "need" and need in fields and need not in names]
        found[name] = []
        for shown in names:
            pairs = dict(fields[shown])
            found[name].append(Shown(pairs.get("model", ""), int(pairs.get("skin", 0)),
                                     pairs.get("tag") if shown != name else None))
    return found


def read_members(words: list[str]) -> dict[str, list[Shown]]:
    found: dict[str, list[Shown]] = {}
    team = ""
    counts: dict[str, int] = {}
    for at, word in enumerate(words):
        if word == "team" and words[at + 2] == "{":
            team, counts = words[at + 1], {}
        elif word in ("male", "female", "neutral") and words[at + 1] == "(" and words[at + 7] == ")" and team:
            folder, body, head, skin, head_skin = words[at + 2:at + 7]
            counts[word] = counts.get(word, 0) + 1
            found["%s/%s%d" % (team, word, counts[word])] = [Shown(folder + "/" + body, int(skin), None),
                                                             Shown(folder + "/" + head, int(head_skin), "tag_head")]
    return found


def read_compositions(text: str) -> dict[str, list[Shown]]:
    """Returns the models of each composition of a script without errors."""
    words = words_of(text)
    return read_menu_models(words) | read_members(words)
