"""An independent decoder of MD2 (version 8), MDC (version 2), MD3 (version 15) and MDL (version 6).

Written from the descriptions of the formats only, in double precision, with the standard library
only, to be compared with what the C code exports. Plain and slow on purpose. The sources:

- "Henry": David Henry, MD2 file format (Quake 2's models), 19 December 2004.
- "Kaitai": Quake II player model (version 8), format specification, CC0-1.0.
- "Prinz": Wolfgang Prinz, The MDC File Format, 2 May 2004, with the corrections from the engine's
  published source where the author could only estimate; quirk mdc-prinz undoes the corrections.
- MDL by the public facts of Quake: its header, and skins, texture coordinates, triangles and frames
  that follow one another; texture coordinates as GLQuake draws them.
"""
import math
import struct
from dataclasses import dataclass, field
from typing import Any, Sequence

Vec3 = tuple[float, float, float]
Vec2 = tuple[float, float]
Axes = tuple[Vec3, Vec3, Vec3]
Triple = tuple[int, int, int]

PRINZ = "mdc-prinz"

# The 162 normals of MD2 in millionths: numbers from Kaitai, anorms_table.
MD2_NORMALS: tuple[Vec3, ...] = tuple((x / 1e6, y / 1e6, z / 1e6) for x, y, z in (
    map(int, normal.split()) for normal in """
    -525731 0 850651, -442863 238856 864188, -295242 0 955423, -309017 500000 809017, -162460 262866 951056,
    0 0 1000000, 0 850651 525731, -147621 716567 681718, 147621 716567 681718, 0 525731 850651, 309017 500000 809017,
    525731 0 850651, 295242 0 955423, 442863 238856 864188, 162460 262866 951056, -681718 147621 716567,
    -809017 309017 500000, -587785 425325 688191, -850651 525731 0, -864188 442863 238856, -716567 681718 147621,
    -688191 587785 425325, -500000 809017 309017, -238856 864188 442863, -425325 688191 587785,
    -716567 681718 -147621, -500000 809017 -309017, -525731 850651 0, 0 850651 -525731, -238856 864188 -442863,
    0 955423 -295242, -262866 951056 -162460, 0 1000000 0, 0 955423 295242, -262866 951056 162460,
    238856 864188 442863, 262866 951056 162460, 500000 809017 309017, 238856 864188 -442863, 262866 951056 -162460,
    500000 809017 -309017, 850651 525731 0, 716567 681718 147621, 716567 681718 -147621, 525731 850651 0,
    425325 688191 587785, 864188 442863 238856, 688191 587785 425325, 809017 309017 500000, 681718 147621 716567,
    587785 425325 688191, 955423 295242 0, 1000000 0 0, 951056 162460 262866, 850651 -525731 0, 955423 -295242 0,
    864188 -442863 238856, 951056 -162460 262866, 809017 -309017 500000, 681718 -147621 716567, 850651 0 525731,
    864188 442863 -238856, 809017 309017 -500000, 951056 162460 -262866, 525731 0 -850651, 681718 147621 -716567,
    681718 -147621 -716567, 850651 0 -525731, 809017 -309017 -500000, 864188 -442863 -238856, 951056 -162460 -262866,
    147621 716567 -681718, 309017 500000 -809017, 425325 688191 -587785, 442863 238856 -864188, 587785 425325 -688191,
    688191 587785 -425325, -147621 716567 -681718, -309017 500000 -809017, 0 525731 -850651, -525731 0 -850651,
    -442863 238856 -864188, -295242 0 -955423, -162460 262866 -951056, 0 0 -1000000, 295242 0 -955423,
    162460 262866 -951056, -442863 -238856 -864188, -309017 -500000 -809017, -162460 -262866 -951056,
    0 -850651 -525731, -147621 -716567 -681718, 147621 -716567 -681718, 0 -525731 -850651, 309017 -500000 -809017,
    442863 -238856 -864188, 162460 -262866 -951056, 238856 -864188 -442863, 500000 -809017 -309017,
    425325 -688191 -587785, 716567 -681718 -147621, 688191 -587785 -425325, 587785 -425325 -688191, 0 -955423 -295242,
    0 -1000000 0, 262866 -951056 -162460, 0 -850651 525731, 0 -955423 295242, 238856 -864188 442863,
    262866 -951056 162460, 500000 -809017 309017, 716567 -681718 147621, 525731 -850651 0, -238856 -864188 -442863,
    -500000 -809017 -309017, -262866 -951056 -162460, -850651 -525731 0, -716567 -681718 -147621,
    -716567 -681718 147621, -525731 -850651 0, -500000 -809017 309017, -238856 -864188 442863, -262866 -951056 162460,
    -864188 -442863 238856, -809017 -309017 500000, -688191 -587785 425325, -681718 -147621 716567,
    -442863 -238856 864188, -587785 -425325 688191, -309017 -500000 809017, -147621 -716567 681718,
    -425325 -688191 587785, -162460 -262866 951056, 442863 -238856 864188, 162460 -262866 951056,
    309017 -500000 809017, 147621 -716567 681718, 0 -525731 850651, 425325 -688191 587785, 587785 -425325 688191,
    688191 -587785 425325, -955423 295242 0, -951056 162460 262866, -1000000 0 0, -850651 0 525731, -955423 -295242 0,
    -951056 -162460 262866, -864188 442863 -238856, -951056 162460 -262866, -809017 309017 -500000,
    -864188 -442863 -238856, -951056 -162460 -262866, -809017 -309017 -500000, -681718 147621 -716567,
    -681718 -147621 -716567, -850651 0 -525731, -688191 587785 -425325, -587785 425325 -688191,
    -425325 688191 -587785, -425325 -688191 -587785, -587785 -425325 -688191, -688191 -587785 -425325
    """.split(",")))

# Prinz section 5.1, table 1: (sigma width, null offset) of the 15 rho bands, medians 11.25 degrees
# apart from 11.25 to 168.75.
MDC_BANDS = ((4, 252), (8, 244), (12, 232), (16, 216), (20, 196), (24, 172), (28, 144), (32, 0), (28, 32), (24, 60),
             (20, 84), (16, 104), (12, 120), (8, 132), (4, 140))
MDC_BASE_SCALE = 1.0 / 64.0  # Prinz section 4.1; MD3 uses it too
MDC_OFFSET_BIAS = 127  # Prinz section 4.1
MDC_OFFSET_SCALE = 0.05  # the engine's
MDC_OFFSET_SCALE_PRINZ = 4.0 / 64.0  # Prinz section 1.2.4, "a good guess"
MDC_TAG_ANGLE_SCALE = 360.0 / 32700.0  # degrees a step, the engine's
NO_COMPRESSED_FRAME = 0xFFFF  # Prinz section 4.1


class OracleError(ValueError):
    """The file violates a rule of its format."""


def spherical(rho_degrees: float, sigma_degrees: float) -> Vec3:
    """Prinz section 4.2.2: z rotated by rho towards x, then by sigma from x towards y.

    The formula for y printed in section 4.2.4 is a misprint that contradicts section 4.2.2.
    """
    rho, sigma = math.radians(rho_degrees), math.radians(sigma_degrees)
    return (math.cos(sigma) * math.sin(rho), math.sin(sigma) * math.sin(rho), math.cos(rho))


def make_mdc_normals() -> tuple[Vec3, ...]:
    """The 256 compressed normals, by Prinz section 5.5."""
    normals: list[Vec3 | None] = [None] * 256
    for band, (width, null_offset) in enumerate(MDC_BANDS):
        rho = 180.0 / 16.0 * (band + 1)
        for n in range(width):
            normals[null_offset + n] = spherical(rho, 360.0 / width * n)
    assert None not in normals
    return tuple(n for n in normals if n is not None)


MDC_NORMALS = make_mdc_normals()


def base_normal(packed: int) -> Vec3:
    """Prinz section 4.2.3: low byte rho, high byte sigma, 360/256 degrees per step (MD3 as well)."""
    step = 360.0 / 256.0
    return spherical((packed & 0xFF) * step, (packed >> 8) * step)


def length(v: Sequence[float]) -> float:
    return math.sqrt(sum(c * c for c in v))


def normalised(v: Vec3) -> Vec3:
    """v with length one; a vector without length stays as it is."""
    size = length(v)
    return v if size == 0.0 else (v[0] / size, v[1] / size, v[2] / size)


def lerp(a: Vec3, b: Vec3, t: float) -> Vec3:
    """Henry, Animation: a + t * (b - a)."""
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))


def angle_axes(pitch: float, yaw: float, roll: float) -> Axes:
    """Degrees to forward, left, up: id's AngleVectors, with left the opposite of its right."""
    sp, cp = math.sin(math.radians(pitch)), math.cos(math.radians(pitch))
    sy, cy = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    sr, cr = math.sin(math.radians(roll)), math.cos(math.radians(roll))
    forward = (cp * cy, cp * sy, -sp)
    right = (-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp)
    up = (cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp)
    return forward, (-right[0], -right[1], -right[2]), up


def text(raw: bytes) -> str:
    """A name field up to its NUL; real files have junk after it, or no NUL at all."""
    return raw.split(b"\0", 1)[0].decode("latin-1")


@dataclass
class Frame:
    name: str
    min: Vec3
    max: Vec3
    local_origin: Vec3 = (0.0, 0.0, 0.0)
    radius: float = 0.0


@dataclass
class Tag:
    name: str
    position: Vec3
    axes: Axes


@dataclass
class Corner:
    """One corner of a triangle in a pose.

    normal_length is the length before normalising: near zero the direction is meaningless. It is
    zero also where a frame's own normal has no direction.
    """

    vertex: int
    position: Vec3
    normal: Vec3
    normal_length: float
    texcoord: Vec2


@dataclass
class SurfacePose:
    name: str
    triangles: list[tuple[Corner, Corner, Corner]]


@dataclass
class Pose:
    frame: float
    surfaces: list[SurfacePose]
    tags: list[Tag]


@dataclass
class Triangle:
    """Vertex indices and texture coordinates of three corners, in file order (clockwise front)."""

    vertices: Triple
    texcoords: tuple[Vec2, Vec2, Vec2]


@dataclass
class Surface:
    """Shared by all formats; each format stores the vertices of a frame in its own way."""

    name: str
    num_vertices: int
    triangles: list[Triangle]
    shaders: list[str] = field(default_factory=list)

    def vertex(self, frame: int, vertex: int, quirk: str | None) -> tuple[Vec3, Vec3]:
        """Position and normal of one vertex in one whole frame."""
        raise NotImplementedError


@dataclass
class Model:
    format: str
    frames: list[Frame]
    surfaces: list[Surface]
    tag_names: list[str] = field(default_factory=list)
    skins: list[str] = field(default_factory=list)
    gl_triangles: list[Triangle] = field(default_factory=list)

    def tag(self, frame: int, tag: int, quirk: str | None) -> Tag:
        """One tag in one whole frame."""
        raise OracleError("no tags")

    def split(self, frame: float) -> tuple[int, int, float]:
        """The two whole frames around a fractional one, and the fraction between them."""
        first = math.floor(frame)
        t = frame - first
        if first < 0 or first + (1 if t > 0.0 else 0) >= len(self.frames):
            raise OracleError(f"frame {frame} of {len(self.frames)}")
        return first, first + (1 if t > 0.0 else 0), t

    def pose(self, frame: float, quirk: str | None = None, topology: str = "triangles") -> Pose:
        """Everything drawn at a fractional frame."""
        a, b, t = self.split(frame)
        surfaces = []
        for surface in self.surfaces:
            triangles = self.gl_triangles if topology == "glcommands" else surface.triangles
            surfaces.append(pose_surface(surface, triangles, (a, b, t), quirk))
        tags = [self.pose_tag(n, (a, b, t), quirk) for n in range(len(self.tag_names))]
        return Pose(frame, surfaces, tags)

    def pose_tag(self, tag: int, between: tuple[int, int, float], quirk: str | None) -> Tag:
        """Origin and axes between two frames: linear, then the axes get length one."""
        a, b, t = between
        one, two = self.tag(a, tag, quirk), self.tag(b, tag, quirk)
        axes = tuple(normalised(lerp(p, q, t)) for p, q in zip(one.axes, two.axes))
        return Tag(one.name, lerp(one.position, two.position, t), axes)  # type: ignore[arg-type]


def pose_surface(surface: Surface, triangles: list[Triangle], between: tuple[int, int, float],
                 quirk: str | None) -> SurfacePose:
    """The corners of a surface between two frames (Henry, Animation: normals likewise)."""
    a, b, t = between
    done: dict[int, tuple[Vec3, Vec3, float]] = {}

    def corner(vertex: int, texcoord: Vec2) -> Corner:
        if vertex not in done:
            (p, n), (q, m) = surface.vertex(a, vertex, quirk), surface.vertex(b, vertex, quirk)
            direction = lerp(n, m, t)
            known = length(n) > 0.0 and length(m) > 0.0
            done[vertex] = lerp(p, q, t), normalised(direction), length(direction) if known else 0.0
        return Corner(vertex, *done[vertex], texcoord)

    posed = []
    for tri in triangles:
        one, two, three = (corner(v, c) for v, c in zip(tri.vertices, tri.texcoords))
        posed.append((one, two, three))
    return SurfacePose(surface.name, posed)


class Reader:
    """Little-endian access to a file's bytes; every lump is checked against the end."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def lump(self, what: str, offset: int, count: int, size: int) -> int:
        """Checks that count records of size bytes lie within the file; returns the offset."""
        if count < 0:
            raise OracleError(f"{what}: count {count} is negative")
        if count and (offset < 0 or offset + count * size > len(self.data)):
            raise OracleError(f"{what}: {count} x {size} bytes at {offset} pass the end")
        return offset

    def unpack(self, layout: str, offset: int) -> tuple[Any, ...]:
        """struct.unpack_from, little-endian, with the end checked."""
        self.lump(layout, offset, 1, struct.calcsize("<" + layout))
        return struct.unpack_from("<" + layout, self.data, offset)

    def records(self, what: str, offset: int, count: int, layout: str) -> list[tuple[Any, ...]]:
        """count records of one layout in sequence."""
        size = struct.calcsize("<" + layout)
        self.lump(what, offset, count, size)
        raw = self.data[offset : offset + count * size] if count else b""
        return list(struct.iter_unpack("<" + layout, raw))


def finite(what: str, values: Sequence[float]) -> None:
    if not all(math.isfinite(v) for v in values):
        raise OracleError(f"{what}: not a finite number")


def indices_in_range(what: str, indices: Sequence[int], count: int) -> None:
    for index in indices:
        if not 0 <= index < count:
            raise OracleError(f"{what}: index {index} of {count}")


def bounds(points: Sequence[Vec3]) -> tuple[Vec3, Vec3]:
    """The box around points (the origin if there are none)."""
    columns = list(zip(*points)) or [(0.0,)] * 3
    low, high = [min(c) for c in columns], [max(c) for c in columns]
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


# MD2 -------------------------------------------------------------------------------------------

MD2_HEADER = (
    "skinwidth skinheight framesize num_skins num_xyz num_st num_tris num_glcmds num_frames "
    "ofs_skins ofs_st ofs_tris ofs_frames ofs_glcmds ofs_end"
).split()


@dataclass
class Md2Frame:
    scale: Vec3
    translate: Vec3
    vertices: list[tuple[int, int, int, int]]


@dataclass
class Md2Surface(Surface):
    stored: list[Md2Frame] = field(default_factory=list)

    def vertex(self, frame: int, vertex: int, quirk: str | None) -> tuple[Vec3, Vec3]:
        """Henry, Frames: v * scale + translate; the normal is one of the 162."""
        f = self.stored[frame]
        x, y, z, normal = f.vertices[vertex]
        position = (x * f.scale[0] + f.translate[0], y * f.scale[1] + f.translate[1], z * f.scale[2] + f.translate[2])
        return position, MD2_NORMALS[normal]


def md2_triangles(reader: Reader, header: dict[str, int]) -> list[Triangle]:
    """Henry, Triangles and Texture coordinates: s / skinwidth, t / skinheight."""
    h = header
    st = reader.records("ofs_st", h["ofs_st"], h["num_st"], "hh")
    width, height = h["skinwidth"], h["skinheight"]
    triangles = []
    for record in reader.records("ofs_tris", h["ofs_tris"], h["num_tris"], "6H"):
        indices_in_range("triangle vertex", record[:3], h["num_xyz"])
        indices_in_range("triangle st", record[3:], h["num_st"])
        a, b, c = ((st[i][0] / width, st[i][1] / height) for i in record[3:])
        triangles.append(Triangle((record[0], record[1], record[2]), (a, b, c)))
    return triangles


def md2_frame(reader: Reader, offset: int, num_xyz: int) -> tuple[Frame, Md2Frame]:
    """Henry, Frames: scale, translate, name, then the vertices."""
    values = reader.unpack("6f16s", offset)
    finite("frame", values[:6])
    vertices = reader.records("vertices", offset + 40, num_xyz, "4B")
    indices_in_range("normal", [v[3] for v in vertices], len(MD2_NORMALS))
    stored = Md2Frame(values[0:3], values[3:6], vertices)  # type: ignore[arg-type]
    probe = Md2Surface("", num_xyz, [], [], [stored])
    low, high = bounds([probe.vertex(0, v, None)[0] for v in range(num_xyz)])
    return Frame(text(values[6]), low, high), stored


def expand(count: int, corners: list[tuple[int, Vec2]]) -> list[Triangle]:
    """Henry, Using OpenGL commands: a strip if count > 0, else a fan, as GL draws them."""
    triangles = []
    for i in range(len(corners) - 2):
        if count < 0:
            picked = (corners[0], corners[i + 1], corners[i + 2])
        elif i % 2 == 0:
            picked = (corners[i], corners[i + 1], corners[i + 2])
        else:
            picked = (corners[i + 1], corners[i], corners[i + 2])
        (v0, t0), (v1, t1), (v2, t2) = picked
        triangles.append(Triangle((v0, v1, v2), (t0, t1, t2)))
    return triangles


def md2_gl_triangles(reader: Reader, header: dict[str, int]) -> list[Triangle]:
    """Henry, Using OpenGL commands: packets until a count of 0, within num_glcmds integers."""
    left, offset = header["num_glcmds"], header["ofs_glcmds"]
    reader.lump("ofs_glcmds", offset, left, 4)
    triangles: list[Triangle] = []
    while left > 0:
        (count,) = reader.unpack("i", offset)
        left, offset = left - 1, offset + 4
        if count == 0:
            return triangles
        if abs(count) * 3 > left:
            raise OracleError(f"GL command of {abs(count)} vertices, {left} integers left")
        packets = reader.records("GL command", offset, abs(count), "ffi")
        for s, t, vertex in packets:
            finite("GL command", (s, t))
            indices_in_range("GL command", [vertex], header["num_xyz"])
        triangles += expand(count, [(v, (s, t)) for s, t, v in packets])
        left, offset = left - abs(count) * 3, offset + abs(count) * 12
    if header["num_glcmds"] > 0:
        raise OracleError("GL commands end without a count of 0")
    return triangles


def read_md2(data: bytes) -> Model:
    """Henry, The header; frames are framesize apart."""
    reader = Reader(data)
    ident, version = reader.unpack("4si", 0)
    if ident != b"IDP2" or version != 8:
        raise OracleError(f"not MD2 version 8: {ident!r} {version}")
    h = dict(zip(MD2_HEADER, reader.unpack("15i", 8)))
    if h["skinwidth"] <= 0 or h["skinheight"] <= 0:
        raise OracleError("skin without size")
    if h["num_xyz"] <= 0 or h["num_frames"] <= 0:
        raise OracleError("no vertices or no frames")
    if h["framesize"] < 40 + 4 * h["num_xyz"]:
        raise OracleError("framesize too small")
    skins = reader.records("ofs_skins", h["ofs_skins"], h["num_skins"], "64s")
    triangles = md2_triangles(reader, h)
    reader.lump("ofs_frames", h["ofs_frames"], h["num_frames"], h["framesize"])
    read = [md2_frame(reader, h["ofs_frames"] + i * h["framesize"], h["num_xyz"]) for i in range(h["num_frames"])]
    surface = Md2Surface("", h["num_xyz"], triangles, [], [stored for _, stored in read])
    gl_triangles = md2_gl_triangles(reader, h)
    frames = [frame for frame, _ in read]
    return Model("md2", frames, [surface], [], [text(s[0]) for s in skins], gl_triangles)


# Shared by MDC and MD3 -------------------------------------------------------------------------

def bounding_frames(reader: Reader, offset: int, count: int) -> list[Frame]:
    """Prinz section 2.2, BoundingFrames."""
    frames = []
    for r in reader.records("frames", offset, count, "10f16s"):
        frames.append(Frame(text(r[10]), r[0:3], r[3:6], r[6:9], r[9]))
    return frames


def indexed_triangles(reader: Reader, start: int, count: int, st_offset: int, num_vertices: int) -> list[Triangle]:
    """Prinz sections 3.2 and 3.4: vertex indices, and texture coordinates of each vertex."""
    st = reader.records("texture coordinates", st_offset, num_vertices, "ff")
    triangles = []
    for record in reader.records("triangles", start, count, "3i"):
        indices_in_range("triangle", record, num_vertices)
        a, b, c = (st[v] for v in record)
        triangles.append(Triangle((record[0], record[1], record[2]), (a, b, c)))
    return triangles


def surface_starts(reader: Reader, offset: int, count: int, end_field: int) -> list[int]:
    """Prinz section 3.1: ulOffsetEnd leads from each surface to the next one."""
    starts: list[int] = []
    for _ in range(count):
        (end,) = reader.unpack("i", offset + end_field)
        starts.append(offset)
        if end < end_field + 4 and len(starts) < count:
            raise OracleError(f"surface {len(starts) - 1} ends at {end}, inside itself")
        offset += end
    return starts


def sized(value: float) -> float:
    """A base coordinate in units: Prinz section 4.1."""
    return value * MDC_BASE_SCALE


# MDC -------------------------------------------------------------------------------------------

MDC_HEADER = (
    "flags num_frames num_tags num_surfaces num_skins ofs_frames ofs_tag_names ofs_tag_frames "
    "ofs_surfaces ofs_end"
).split()
MDC_SURFACE = (
    "flags num_comp_frames num_base_frames num_shaders num_vertices num_triangles ofs_triangles "
    "ofs_shaders ofs_texcoords ofs_base_verts ofs_comp_verts ofs_frame_base_frames "
    "ofs_frame_comp_frames ofs_end"
).split()


@dataclass
class MdcSurface(Surface):
    """base[k][v] is x, y, z, packed normal; comp[k][v] is x, y, z, normal as bytes."""

    base: list[list[tuple[int, int, int, int]]] = field(default_factory=list)
    comp: list[list[tuple[int, int, int, int]]] = field(default_factory=list)
    frame_base_frames: list[int] = field(default_factory=list)
    frame_comp_frames: list[int] = field(default_factory=list)
    local_origins: list[Vec3] = field(default_factory=list)

    def vertex(self, frame: int, vertex: int, quirk: str | None) -> tuple[Vec3, Vec3]:
        """Prinz section 4, as the engine reads it, or by the description's text (quirk)."""
        base = self.base[self.frame_base_frames[frame]][vertex]
        position = (sized(base[0]), sized(base[1]), sized(base[2]))
        normal = base_normal(base[3])
        if quirk == PRINZ:
            position = added(position, self.local_origins[frame])
        which = self.frame_comp_frames[frame]
        if which == NO_COMPRESSED_FRAME:
            return position, normal
        comp = self.comp[which][vertex]
        scale = MDC_OFFSET_SCALE_PRINZ if quirk == PRINZ else MDC_OFFSET_SCALE
        x, y, z = ((c - MDC_OFFSET_BIAS) * scale for c in comp[:3])
        if quirk == PRINZ:
            return added(position, (x, y, z)), prinz_normal(normal, MDC_NORMALS[comp[3]])
        return added(position, (x, y, z)), MDC_NORMALS[comp[3]]


def added(a: Vec3, b: Vec3) -> Vec3:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def prinz_normal(base: Vec3, compressed: Vec3) -> Vec3:
    """Prinz section 4.2.4: the sum of both; its length is meaningless (4.2.1), so it becomes one.

    Opposite normals cancel out and leave no direction: a zero, which the rounding of the sine and
    the cosine must not hide.
    """
    total = added(base, compressed)
    return (0.0, 0.0, 0.0) if length(total) < 1e-3 else normalised(total)


@dataclass
class MdcModel(Model):
    """tag_frames[frame * num_tags + tag] is x, y, z, pitch, yaw, roll as stored (signed)."""

    tag_frames: list[tuple[int, ...]] = field(default_factory=list)

    def tag(self, frame: int, tag: int, quirk: str | None) -> Tag:
        """Prinz section 2.3 (position unsigned there); the engine's scales for both."""
        raw = self.tag_frames[frame * len(self.tag_names) + tag]
        x, y, z = (v & 0xFFFF if quirk == PRINZ else v for v in raw[:3])
        pitch, yaw, roll = (v * MDC_TAG_ANGLE_SCALE for v in raw[3:])
        axes = angle_axes(pitch, yaw, roll)
        return Tag(self.tag_names[tag], (sized(x), sized(y), sized(z)), axes)


def frame_table(reader: Reader, start: int, offset: int, num_frames: int) -> list[int]:
    """One unsigned short for each frame (Prinz section 3.5)."""
    if offset == 0:
        raise OracleError("a frame table is needed but absent")
    return [r[0] for r in reader.records("frame table", start + offset, num_frames, "H")]


def frame_tables(reader: Reader, start: int, h: dict[str, int], num_frames: int) -> tuple[list[int], list[int]]:
    """Prinz sections 3.5 and 3.6: the base and the compressed frame of each frame.

    A surface without compressed frames may lack both tables (offset 0). The second is meaningless
    then, and the first is optional only with a single base frame.
    """
    base, comp = [0] * num_frames, [NO_COMPRESSED_FRAME] * num_frames
    if h["num_comp_frames"] > 0:
        comp = frame_table(reader, start, h["ofs_frame_comp_frames"], num_frames)
    if h["num_comp_frames"] > 0 or h["num_base_frames"] != 1 or h["ofs_frame_base_frames"] != 0:
        base = frame_table(reader, start, h["ofs_frame_base_frames"], num_frames)
    indices_in_range("FrameBaseFrames", base, h["num_base_frames"])
    used = [c for c in comp if c != NO_COMPRESSED_FRAME]
    indices_in_range("FrameCompFrames", used, h["num_comp_frames"])
    return base, comp


def vertex_frames(reader: Reader, what: str, offset: int, shape: tuple[int, int], layout: str) -> list[list[Any]]:
    """shape[0] stored frames of shape[1] vertices each."""
    frames, vertices = shape
    if frames < 0 or vertices < 0:
        raise OracleError(f"{what}: a negative count")
    flat = reader.records(what, offset, frames * vertices, layout)
    return [flat[k * vertices : (k + 1) * vertices] for k in range(frames)]


def read_mdc_surface(reader: Reader, start: int, frames: list[Frame]) -> MdcSurface:
    """Prinz section 3: all offsets count from the start of the surface."""
    (name,) = reader.unpack("64s", start + 4)
    h = dict(zip(MDC_SURFACE, reader.unpack("14i", start + 68)))
    for key in MDC_SURFACE[6:-1]:
        if h[key] < 0:
            raise OracleError(f"{key} is negative")
    vertices = h["num_vertices"]
    triangles = indexed_triangles(reader, start + h["ofs_triangles"], h["num_triangles"], start + h["ofs_texcoords"],
                                  vertices)
    shaders = reader.records("shaders", start + h["ofs_shaders"], h["num_shaders"], "64si")
    base_table, comp_table = frame_tables(reader, start, h, len(frames))
    shapes = (h["num_base_frames"], vertices), (h["num_comp_frames"], vertices)
    return MdcSurface(text(name), vertices, triangles, [text(s[0]) for s in shaders],
                      vertex_frames(reader, "base frames", start + h["ofs_base_verts"], shapes[0], "3hH"),
                      vertex_frames(reader, "compressed frames", start + h["ofs_comp_verts"], shapes[1], "4B"),
                      base_table, comp_table, [f.local_origin for f in frames])


def read_mdc(data: bytes) -> Model:
    """Prinz section 2; the tags of one frame are adjacent."""
    reader = Reader(data)
    ident, version = reader.unpack("4si", 0)
    if ident != b"IDPC" or version != 2:
        raise OracleError(f"not MDC version 2: {ident!r} {version}")
    h = dict(zip(MDC_HEADER, reader.unpack("10i", 72)))
    if h["num_frames"] <= 0:
        raise OracleError("no frames")
    if h["num_tags"] < 0 or h["num_surfaces"] < 0:
        raise OracleError("a negative count")
    frames = bounding_frames(reader, h["ofs_frames"], h["num_frames"])
    names = reader.records("tag names", h["ofs_tag_names"], h["num_tags"], "64s")
    num_tag_frames = h["num_tags"] * h["num_frames"]
    tag_frames = reader.records("tag frames", h["ofs_tag_frames"], num_tag_frames, "6h")
    starts = surface_starts(reader, h["ofs_surfaces"], h["num_surfaces"], 120)
    surfaces: list[Surface] = [read_mdc_surface(reader, s, frames) for s in starts]
    return MdcModel("mdc", frames, surfaces, [text(n[0]) for n in names], tag_frames=tag_frames)


# MD3 -------------------------------------------------------------------------------------------

MD3_HEADER = "flags num_frames num_tags num_surfaces num_skins ofs_frames ofs_tags ofs_surfaces ofs_end".split()
MD3_SURFACE = (
    "flags num_frames num_shaders num_verts num_triangles ofs_triangles ofs_shaders ofs_st "
    "ofs_xyz_normals ofs_end"
).split()


@dataclass
class Md3Surface(Surface):
    """keys[frame][v] is x, y, z, packed normal."""

    keys: list[list[tuple[int, int, int, int]]] = field(default_factory=list)

    def vertex(self, frame: int, vertex: int, quirk: str | None) -> tuple[Vec3, Vec3]:
        """Three signed shorts of 1/64 and a normal as MDC's base normal."""
        x, y, z, normal = self.keys[frame][vertex]
        return (sized(x), sized(y), sized(z)), base_normal(normal)


@dataclass
class Md3Model(Model):
    """tag_records[frame * num_tags + tag] is name, origin, three axes."""

    tag_records: list[tuple[Any, ...]] = field(default_factory=list)

    def tag(self, frame: int, tag: int, quirk: str | None) -> Tag:
        """Origin and axes as they are stored."""
        r = self.tag_records[frame * len(self.tag_names) + tag]
        return Tag(text(r[0]), r[1:4], (r[4:7], r[7:10], r[10:13]))  # type: ignore[arg-type]


def read_md3_surface(reader: Reader, start: int, num_frames: int) -> Md3Surface:
    """All offsets count from the start of the surface, as in MDC.

    A real file (an editor's camera) leaves the surface's ident and frame count at 0.
    """
    (name,) = reader.unpack("64s", start + 4)
    h = dict(zip(MD3_SURFACE, reader.unpack("10i", start + 68)))
    for key in MD3_SURFACE[5:-1]:
        if h[key] < 0:
            raise OracleError(f"{key} is negative")
    verts = h["num_verts"]
    triangles = indexed_triangles(reader, start + h["ofs_triangles"], h["num_triangles"], start + h["ofs_st"], verts)
    shaders = reader.records("shaders", start + h["ofs_shaders"], h["num_shaders"], "64si")
    at = start + h["ofs_xyz_normals"]
    keys = vertex_frames(reader, "xyz normals", at, (num_frames, verts), "3hH")
    return Md3Surface(text(name), verts, triangles, [text(s[0]) for s in shaders], keys)


def read_md3(data: bytes) -> Model:
    """Similar to MDC: header, frames, tags per frame, surfaces."""
    reader = Reader(data)
    ident, version = reader.unpack("4si", 0)
    if ident != b"IDP3" or version != 15:
        raise OracleError(f"not MD3 version 15: {ident!r} {version}")
    h = dict(zip(MD3_HEADER, reader.unpack("9i", 72)))
    if h["num_frames"] <= 0 or h["num_tags"] < 0 or h["num_surfaces"] < 0:
        raise OracleError("no frames, or a negative count")
    frames = bounding_frames(reader, h["ofs_frames"], h["num_frames"])
    records = reader.records("tags", h["ofs_tags"], h["num_tags"] * h["num_frames"], "64s12f")
    starts = surface_starts(reader, h["ofs_surfaces"], h["num_surfaces"], 104)
    surfaces: list[Surface] = [read_md3_surface(reader, s, h["num_frames"]) for s in starts]
    names = [text(r[0]) for r in records[: h["num_tags"]]]
    return Md3Model("md3", frames, surfaces, names, tag_records=records)


# MDL -------------------------------------------------------------------------------------------

MDL_COUNTS = "num_skins skinwidth skinheight num_verts num_tris num_frames synctype flags".split()
MDL_HEADER_SIZE = 84

# Quake's palette, gfx/palette.lmp of the game, which its author placed in the public domain: red,
# green and blue of each index, 16 colours per line.
QUAKE_PALETTE = bytes.fromhex(
    "0000000f0f0f1f1f1f2f2f2f3f3f3f4b4b4b5b5b5b6b6b6b7b7b7b8b8b8b9b9b9babababbbbbbbcbcbcbdbdbdbebebeb"
    "0f0b07170f0b1f170b271b0f2f2313372b173f2f174b371b533b1b5b431f634b1f6b531f73571f7b5f238367238f6f23"
    "0b0b0f13131b1b1b272727332f2f3f37374b3f3f574747674f4f735b5b7f63638b6b6b977373a37b7baf8383bb8b8bcb"
    "0000000707000b0b001313001b1b002323002b2b072f2f073737073f3f074747074b4b0b53530b5b5b0b63630b6b6b0f"
    "0700000f00001700001f00002700002f00003700003f00004700004f00005700005f00006700006f00007700007f0000"
    "1313001b1b002323002f2b00372f004337004b3b075743075f47076b4b0b77530f8357138b5b13975f1ba3631faf6723"
    "2313072f170b3b1f0f4b2313572b17632f1f7337237f3b2b8f43339f4f33af632fbf772fcf8f2bdfab27efcb1ffff31b"
    "0b07001b13002b230f372b1347331b533723633f2b6f47337f533f8b5f479b6b53a77b5fb7876bc3937bd3a38be3b397"
    "ab8ba39f7f979373878b677b7f5b6f7753636b4b575f3f4b5737434b2f3743272f371f232b171b231313170b0b0f0707"
    "bb739faf6b8fa35f839757778b4f6b7f4b5f7343536b3b4b5f333f532b3747232b3b1f232f171b231313170b0b0f0707"
    "dbc3bbcbb3a7bfa39baf978ba3877b977b6f876f5f7b63536b57475f4b3b533f33433327372b1f271f171b130f0f0b07"
    "6f837b677b6f5f7367576b5f4f6357475b4f3f5347374b3f2f43372b3b2f2333271f2b1f1723170f1b130b130b070b07"
    "fff31befdf17dbcb13cbb70fbba70fab970b9b83078b73077b63076b53005b47004b37003b2b002b1f001b0f000b0700"
    "0000ff0b0bef1313df1b1bcf2323bf2b2baf2f2f9f2f2f8f2f2f7f2f2f6f2f2f5f2b2b4f23233f1b1b2f13131f0b0b0f"
    "2b00003b00004b07005f07006f0f007f1707931f07a3270bb7330fc34b1bcf632bdb7f3be3974fe7ab5fefbf77f7d38b"
    "a77b3bb79b37c7c337e7e3577fbfffabe7ffd7ffff6700008b0000b30000d70000ff0000fff393fff7c7ffffff9f5b53"
)


@dataclass
class MdlSkin:
    """A skin: images of indices, and their end times (none if it is no group)."""

    ends: list[float]
    pictures: list[bytes]


@dataclass
class MdlGroup:
    """A frame in the game's sense: one pose, or several with their own times."""

    first: int
    ends: list[float]


@dataclass
class MdlSurface(Surface):
    """keys[pose][v] is x, y, z, normal as bytes; one scale for all."""

    keys: list[list[tuple[int, int, int, int]]] = field(default_factory=list)
    scale: Vec3 = (1.0, 1.0, 1.0)
    translate: Vec3 = (0.0, 0.0, 0.0)

    def vertex(self, frame: int, vertex: int, quirk: str | None) -> tuple[Vec3, Vec3]:
        """Bytes times scale plus translate; the normals are those of MD2."""
        x, y, z, normal = self.keys[frame][vertex]
        return unpacked((x, y, z), self.scale, self.translate), MD2_NORMALS[normal]


def unpacked(v: Sequence[int], scale: Vec3, translate: Vec3) -> Vec3:
    a, b, c = (v[i] * scale[i] + translate[i] for i in range(3))
    return a, b, c


@dataclass
class MdlModel(Model):
    """All poses are frames; groups lists those with times of their own."""

    skin_size: tuple[int, int] = (0, 0)
    pictures: list[MdlSkin] = field(default_factory=list)
    groups: list[MdlGroup] = field(default_factory=list)
    flags: int = 0


class Walk:
    """Consecutive sections: each read advances the position."""

    def __init__(self, reader: Reader, at: int) -> None:
        self.reader, self.at = reader, at

    def take(self, what: str, count: int, layout: str) -> list[tuple[Any, ...]]:
        records = self.reader.records(what, self.at, count, layout)
        self.at += count * struct.calcsize("<" + layout)
        return records

    def integer(self, what: str) -> int:
        return int(self.take(what, 1, "i")[0][0])

    def group(self, what: str, boxed: bool) -> tuple[list[float], int]:
        """The end times of a group, none for a single element, and the number of elements."""
        kind = self.integer(what + " type")
        if kind == 0:
            return [], 1
        if kind != 1:
            raise OracleError(f"{what} type {kind}")
        count = self.integer(what + " count")
        if count < 1:
            raise OracleError(f"{what}: a group of {count}")
        if boxed:
            self.take(what + " bounds", 8, "B")
        ends = [r[0] for r in self.take(what + " times", count, "f")]
        if any(not math.isfinite(e) or e <= 0.0 for e in ends):
            raise OracleError(f"{what}: a group's time is not above 0")
        return ends, count


def mdl_texcoord(st: tuple[int, int, int], front: int, size: tuple[int, int]) -> Vec2:
    """The middle of a texel; after the seam half a skin further right."""
    onseam, s, t = st
    if onseam and not front:
        s += size[0] // 2
    return (s + 0.5) / size[0], (t + 0.5) / size[1]


def mdl_triangles(walk: Walk, verts: int, tris: int, size: tuple[int, int], num_st: int) -> list[Triangle]:
    """num_st: that of a RAPO, whose corners have texture coordinates of their own; 0: those of their vertices."""
    st = walk.take("texture coordinates", num_st or verts, "3i")
    triangles = []
    for front, *corners in walk.take("triangles", tris, "i6H" if num_st else "4i"):
        corners, chosen = corners[:3], corners[-3:]
        indices_in_range("triangle", corners, verts)
        indices_in_range("texture coordinate", chosen, len(st))
        a, b, c = (mdl_texcoord(st[k], front, size) for k in chosen)
        triangles.append(Triangle((corners[0], corners[1], corners[2]), (a, b, c)))
    return triangles


def mdl_poses(
    walk: Walk, verts: int, count: int, scale: Vec3, translate: Vec3
) -> tuple[list[Frame], list[MdlGroup], list[list[Any]]]:
    """Frames and the frames of groups in one sequence."""
    frames: list[Frame] = []
    groups: list[MdlGroup] = []
    keys: list[list[Any]] = []
    for _ in range(count):
        ends, poses = walk.group("frame", True)
        groups.append(MdlGroup(len(frames), ends))
        for _ in range(poses):
            low, high, name = walk.take("frame", 1, "4s4s16s")[0]
            box = (unpacked(low, scale, translate), unpacked(high, scale, translate))
            frames.append(Frame(text(name), *box))
            keys.append(walk.take("vertices", verts, "4B"))
            indices_in_range("normal", [v[3] for v in keys[-1]], len(MD2_NORMALS))
    return frames, groups, keys


def mdl_header_size(data: bytes) -> int:
    return MDL_HEADER_SIZE + 4 * (data[:4] == b"RAPO")


def read_mdl(data: bytes) -> Model:
    """Header, skins, texture coordinates, triangles, frames."""
    reader = Reader(data)
    ident, version, *floats = reader.unpack("4si10f", 0)
    if (ident, version) not in ((b"IDPO", 6), (b"RAPO", 50)):
        raise OracleError(f"not MDL version 6 or 50: {ident!r} {version}")
    num_st, = reader.unpack("i", 84) if ident == b"RAPO" else (0,)
    h = dict(zip(MDL_COUNTS, reader.unpack("8i", 48)))
    if any(h[name] < 1 for name in MDL_COUNTS[:6]):
        raise OracleError("a count, or a side of the skin, is not above 0")
    if ident == b"RAPO" and num_st < 1:
        raise OracleError("the number of texture coordinates is not above 0")
    finite("scale or translate", floats[:6])
    reader.lump("skin", mdl_header_size(data), 1, h["skinwidth"] * h["skinheight"])
    scale: Vec3 = (floats[0], floats[1], floats[2])
    translate: Vec3 = (floats[3], floats[4], floats[5])
    size, walk = (h["skinwidth"], h["skinheight"]), Walk(reader, mdl_header_size(data))
    pictures = []
    for _ in range(h["num_skins"]):
        ends, count = walk.group("skin", False)
        raw = walk.take("skin", count, f"{size[0] * size[1]}s")
        pictures.append(MdlSkin(ends, [r[0] for r in raw]))
    triangles = mdl_triangles(walk, h["num_verts"], h["num_tris"], size, num_st)
    frames, groups, keys = mdl_poses(walk, h["num_verts"], h["num_frames"], scale, translate)
    surface = MdlSurface("", h["num_verts"], triangles, [], keys, scale, translate)
    return MdlModel("mdl", frames, [surface], skin_size=size, pictures=pictures, groups=groups, flags=h["flags"])


# Any of them -----------------------------------------------------------------------------------

READERS = {b"IDP2": read_md2, b"IDPC": read_mdc, b"IDP3": read_md3, b"IDPO": read_mdl,
           b"RAPO": read_mdl}


def load(data: bytes) -> Model:
    """A model from a file's bytes, by its ident."""
    if data[:4] == b"MDSW":
        import mds  # which builds on this module

        return mds.read_mds(data)
    reader = READERS.get(data[:4])
    if reader is None:
        raise OracleError(f"no model: {data[:4]!r}")
    return reader(data)


def load_file(path: str) -> Model:
    with open(path, "rb") as stream:
        return load(stream.read())
