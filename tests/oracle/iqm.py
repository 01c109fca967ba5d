"""An independent reader and maker of IQM (version 2), the Inter-Quake Model, in double precision, with the standard
library only. Written from the format's public definition. Reading is strict: what the definition demands is checked."""
import math
import random
import struct
from dataclasses import dataclass, field

from oracle import OracleError, Reader, finite, indices_in_range

MAGIC = b"INTERQUAKEMODEL\0"
FIELDS = ("version filesize flags num_text ofs_text num_meshes ofs_meshes num_vertexarrays num_vertexes ofs_vertexarrays "
          "num_triangles ofs_triangles ofs_adjacency num_joints ofs_joints num_poses ofs_poses num_anims ofs_anims num_frames "
          "num_framechannels ofs_frames ofs_bounds num_comment ofs_comment num_extensions ofs_extensions").split()
ARRAYS = {0: ("position", "3f"), 1: ("st", "2f"), 2: ("normal", "3f"), 3: ("tangent", "4f"), 4: ("joints", "4B"), 5: ("weights", "4B")}
FORMATS = {"B": 1, "f": 7}
IDENTITY = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))


def product(a, b):
    return tuple(tuple(sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4))
                 for r in range(3))


def inverse(m):
    """Of a rotation with scale and a translation."""
    def minor(r, c):
        a, b, i, k = (r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3
        return m[a][i] * m[b][k] - m[a][k] * m[b][i]

    size = sum(m[0][c] * minor(0, c) for c in range(3))
    turn = [[minor(c, r) / size for c in range(3)] for r in range(3)]
    return tuple((*turn[r], -sum(turn[r][c] * m[c][3] for c in range(3))) for r in range(3))


def matrix(channels):
    """Of ten channels: translation, rotation, scale."""
    x, y, z, w = (q / math.hypot(*channels[3:7]) for q in channels[3:7])
    turn = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return tuple((*(turn[r][c] * channels[7 + c] for c in range(3)), channels[r]) for r in range(3))


def moved(m, p):
    return tuple(m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3] for r in range(3))


@dataclass
class Joint:
    name: str
    parent: int
    base: tuple[float, ...]


@dataclass
class Mesh:
    name: str
    material: str
    vertices: range
    triangles: list[tuple[int, int, int]]


@dataclass
class Clip:
    name: str
    first: int
    count: int
    fps: float
    loops: bool


@dataclass
class Iqm:
    meshes: list[Mesh] = field(default_factory=list)
    arrays: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)
    joints: list[Joint] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    frames: list[list[tuple[float, ...]]] = field(default_factory=list)
    bounds: list[tuple[float, ...]] = field(default_factory=list)

    def world(self, poses):
        """Returns the matrices of all joints in the model's space."""
        out = []
        for joint, channels in zip(self.joints, poses):
            local = matrix(channels)
            out.append(product(out[joint.parent], local) if joint.parent >= 0 else local)
        return out

    def vertices(self, frame):
        """Returns the positions of all vertices in a frame."""
        if not self.frames:
            return self.arrays["position"]
        base = self.world([joint.base for joint in self.joints])
        skin = [product(world, inverse(rest)) for world, rest in zip(self.world(self.frames[frame]), base)]
        out = []
        for p, joints, weights in zip(self.arrays["position"], self.arrays["joints"], self.arrays["weights"]):
            places = [(moved(skin[j], p), w / 255) for j, w in zip(joints, weights) if w > 0]
            out.append(tuple(sum(q[i] * w for q, w in places) for i in range(3)))
        return out


def read(data: bytes) -> Iqm:
    reader = Reader(data)
    if data[:16] != MAGIC:
        raise OracleError("no IQM")
    h = dict(zip(FIELDS, reader.unpack("27I", 16)))
    if h["version"] != 2 or h["filesize"] != len(data):
        raise OracleError(f"version {h['version']}, {h['filesize']} bytes of {len(data)}")
    for name, offset in h.items():
        if name.startswith("ofs_") and offset % 4:
            raise OracleError(f"{name} is {offset}")
    texts = data[h["ofs_text"]:h["ofs_text"] + h["num_text"]]

    def text(at):
        return texts[at:texts.index(b"\0", at)].decode("latin-1")

    out = Iqm()
    triangles = reader.records("triangles", h["ofs_triangles"], h["num_triangles"], "3I")
    for kind, _, code, width, offset in reader.records("arrays", h["ofs_vertexarrays"], h["num_vertexarrays"], "5I"):
        name, layout = ARRAYS[kind]
        if (code, width) != (FORMATS[layout[1]], int(layout[0])):
            raise OracleError(f"{name} of {width} numbers of format {code}")
        out.arrays[name] = reader.records(name, offset, h["num_vertexes"], layout)
        finite(name, [x for row in out.arrays[name] for x in row])
    for name, material, first, count, start, num in reader.records("meshes", h["ofs_meshes"], h["num_meshes"], "6I"):
        own = triangles[start:start + num]
        indices_in_range(text(name), [v - first for row in own for v in row], count)
        out.meshes.append(Mesh(text(name), text(material), range(first, first + count), own))
    for index, (name, parent, *base) in enumerate(reader.records("joints", h["ofs_joints"], h["num_joints"], "Ii10f")):
        if not -1 <= parent < index:
            raise OracleError(f"joint {index} below {parent}")
        out.joints.append(Joint(text(name), parent, tuple(base)))
    for joints, weights in zip(out.arrays.get("joints", ()), out.arrays.get("weights", ())):
        indices_in_range("joints", joints, len(out.joints))
        if sum(weights) != 255:
            raise OracleError(f"weights {weights}")
    poses = reader.records("poses", h["ofs_poses"], h["num_poses"], "iI10f10f")
    channels = sum((pose[1] & 1023).bit_count() for pose in poses)
    if channels != h["num_framechannels"] or len(poses) not in (0, len(out.joints)):
        raise OracleError(f"{channels} channels of {len(poses)} poses")
    for frame in reader.records("frames", h["ofs_frames"], h["num_frames"], f"{channels}H") if channels else [()] * h["num_frames"]:
        steps = iter(frame)
        out.frames.append([tuple(pose[2 + c] + (next(steps) * pose[12 + c] if pose[1] >> c & 1 else 0) for c in range(10))
                           for pose in poses])
    for name, first, count, fps, flags in reader.records("anims", h["ofs_anims"], h["num_anims"], "IIIfI"):
        indices_in_range(text(name), [first, first + count - 1], h["num_frames"])
        out.clips.append(Clip(text(name), first, count, fps, flags == 1))
    if h["ofs_bounds"]:
        out.bounds = reader.records("bounds", h["ofs_bounds"], h["num_frames"], "8f")
    return out


# ---- Making ---------------------------------------------------------------------------------------

def rotation(random_: random.Random):
    q = [random_.gauss(0, 1) for _ in range(4)]
    return [x / math.hypot(*q) for x in q]


def make(random_: random.Random, joints=5, frames=7, vertices=12, scale=1.0, tag="tag_hand", material="models/body.tga",
         repeats=0):
    """Returns an IQM of one chain of joints, whose base poses are turned. Its last joint is a tag, turned as well. It has
    two clips, and as many of all frames as `repeats` says."""
    texts = bytearray(b"\0")

    def text(name):
        texts.extend(name.encode() + b"\0")
        return len(texts) - len(name) - 1

    names = [f"bone{i}" for i in range(joints - 1)] + [tag]
    arrays = [(0, 7, 3, [random_.uniform(-20, 20) for _ in range(3 * vertices)], "f"),
              (1, 7, 2, [random_.random() for _ in range(2 * vertices)], "f"),
              (4, 1, 4, [random_.randrange(joints - 1) for _ in range(4 * vertices)], "B"),
              (5, 1, 4, [x for _ in range(vertices) for x in (*[50 + random_.randrange(30)] * 2, 20, 0)], "B")]
    for i in range(0, 4 * vertices, 4):  # sums of 255
        arrays[3][3][i + 3] = 255 - sum(arrays[3][3][i:i + 3])
    channels = 7 if scale == 1 else 10
    parts = {"meshes": (1, struct.pack("<6I", text("body"), text(material), 0, vertices, 0, vertices // 3)),
             "triangles": (vertices // 3, struct.pack(f"<{vertices // 3 * 3}I", *range(vertices // 3 * 3))),
             "joints": (joints, b"".join(struct.pack("<Ii10f", text(name), i - 1, *[random_.uniform(-9, 9) for _ in range(3)],
                                                     *rotation(random_), 1, 1, 1) for i, name in enumerate(names))),
             "poses": (joints, b"".join(struct.pack("<iI10f10f", i - 1, (1 << channels) - 1, -9, -9, -9, -1, -1, -1, -1, *[scale] * 3,
                                                    *[18 / 65535] * 3, *[2 / 65535] * 4, *[scale / 65535] * 3) for i in range(joints))),
             "anims": (2 + repeats, struct.pack("<IIIfI", text("walk"), 0, frames - 2, 20, 1) +
                       struct.pack("<IIIfI", text("fall"), frames - 2, 2, 7.5, 0) +
                       b"".join(struct.pack("<IIIfI", text(f"all{i}"), 0, frames, 10, 0) for i in range(repeats))),
             "frames": (frames, b"".join(struct.pack(f"<{channels}H", *[random_.randrange(65536) for _ in range(channels)])
                                         for _ in range(frames * joints)))}
    header = dict.fromkeys(FIELDS, 0) | {"version": 2, "num_vertexes": vertices, "num_framechannels": channels * joints,
                                         "num_vertexarrays": len(arrays)}
    body = bytearray(124)
    rows = []
    for kind, code, width, values, letter in arrays:
        rows.append(struct.pack("<5I", kind, 0, code, width, len(body)))
        body += struct.pack(f"<{len(values)}{letter}", *values)
    for name, (count, raw) in {"vertexarrays": (len(arrays), b"".join(rows)), **parts, "text": (len(texts), bytes(texts))}.items():
        body += bytes(-len(body) % 4)
        header |= {"num_" + name: count, "ofs_" + name: len(body)}
        body += raw
    header["filesize"] = len(body)
    body[:124] = MAGIC + struct.pack("<27I", *header.values())
    return bytes(body)
