"""Damaged models: a valid model in canonical layout, with one fault in each.

Each has a reason and the expected result: "refuse" (an error, except with repair), "harmless" (damage that no
engine notices: a warning, but an error for a strict reader), "accept" (unusual, but valid), or "either" (the
descriptions do not define it).
"""
import struct
from typing import Any, Callable, Iterator

import mds
import oracle

Damaged = tuple[str, str, str, bytes]  # name, expectation, reason, bytes
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
NOT_FINITE = {"nan": float("nan"), "inf": float("inf"), "minus_inf": float("-inf")}


def patched(data: bytes, at: int, layout: str, *values: Any) -> bytes:
    raw = struct.pack("<" + layout, *values)
    assert 0 <= at and at + len(raw) <= len(data)
    return data[:at] + raw + data[at + len(raw) :]


def integer(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<i", data, at)[0])


class Fields:
    """Header fields of a model, or of one surface, by name."""

    def __init__(self, data: bytes, start: int, names: list[str]) -> None:
        self.data = data
        self.at = {name: start + 4 * i for i, name in enumerate(names)}

    def __getitem__(self, name: str) -> int:
        return integer(self.data, self.at[name])

    def with_value(self, name: str, value: int) -> bytes:
        return patched(self.data, self.at[name], "i", value)


def counts_and_lumps(fields: Fields, lumps: dict[str, tuple[str, int]], base: int) -> Iterator[Damaged]:
    """For each lump (offset field, record size) of a count field: possible faults of both.

    Offsets count from base; a record size of 0 leaves out faults that depend on it.
    """
    size = len(fields.data) - base
    for count, (offset, record) in lumps.items():
        yield f"{count}_negative", "refuse", f"{count} is -1", fields.with_value(count, -1)
        yield f"{count}_min", "refuse", f"{count} is INT_MIN", fields.with_value(count, INT_MIN)
        yield f"{offset}_negative", "refuse", f"{offset} is -4", fields.with_value(offset, -4)
        yield f"{offset}_max", "refuse", f"{offset} is INT_MAX", fields.with_value(offset, INT_MAX)
        if record:
            beyond = fields.with_value(offset, size - fields[count] * record + 1)
            reason = f"{offset}: the lump ends one byte beyond the file"
            yield f"{offset}_one_beyond", "refuse", reason, beyond
            many = 2**32 // record + 1
            if many <= INT_MAX:
                yield (f"{count}_overflow", "refuse", f"{count} x {record} bytes pass 32 bits",
                       fields.with_value(count, many))


def truncated(data: bytes, needed: int) -> Iterator[Damaged]:
    """Cut within the ident, within the header, and one byte before the last necessary one."""
    for size in (0, 3, 4, 7, 40, needed - 1):
        yield f"cut_{size}", "refuse", f"only the first {size} bytes", data[:size]


# MD2 -------------------------------------------------------------------------------------------

def md2_damage(data: bytes) -> Iterator[Damaged]:
    h = Fields(data, 8, oracle.MD2_HEADER)
    yield from truncated(data, len(data))
    yield "version_7", "refuse", "version 7", patched(data, 4, "i", 7)
    lumps = {"num_skins": ("ofs_skins", 64), "num_st": ("ofs_st", 4), "num_tris": ("ofs_tris", 12),
             "num_frames": ("ofs_frames", h["framesize"]), "num_glcmds": ("ofs_glcmds", 4)}
    yield from counts_and_lumps(h, lumps, 0)
    yield from md2_header_damage(h)
    yield from md2_index_damage(data, h)
    yield from md2_frame_damage(data, h)
    yield from md2_command_damage(data, h)


def md2_header_damage(h: Fields) -> Iterator[Damaged]:
    for name in ("skinwidth", "skinheight"):
        for value in (0, -1):
            reason = f"{name} {value}: texture coordinates have no meaning"
            yield f"{name}_{value}", "refuse", reason, h.with_value(name, value)
    small = 40 + 4 * h["num_xyz"] - 1
    yield "framesize_small", "refuse", "framesize one too small", h.with_value("framesize", small)
    for value in (0, -1, INT_MIN):
        yield f"framesize_{value}", "refuse", f"framesize {value}", h.with_value("framesize", value)
        yield f"num_xyz_{value}", "refuse", f"num_xyz {value}", h.with_value("num_xyz", value)
    yield "num_xyz_overflow", "refuse", "40 + 4 x num_xyz passes 32 bits", h.with_value("num_xyz", 2**30)
    yield "num_frames_0", "refuse", "no frames", h.with_value("num_frames", 0)
    beyond = h.with_value("ofs_end", len(h.data) + 1)
    yield "ofs_end_beyond", "either", "ofs_end is one beyond the file", beyond


def md2_index_damage(data: bytes, h: Fields) -> Iterator[Damaged]:
    last = h["ofs_tris"] + 12 * (h["num_tris"] - 1)
    for name, at, value in (
        ("vertex_last", last + 4, h["num_xyz"]),
        ("vertex_ffff", last, 0xFFFF),
        ("st_last", last + 10, h["num_st"]),
        ("st_ffff", last + 6, 0xFFFF),
    ):
        yield name, "refuse", f"the last triangle has index {value}", patched(data, at, "H", value)


def md2_frame_damage(data: bytes, h: Fields) -> Iterator[Damaged]:
    last = h["ofs_frames"] + h["framesize"] * (h["num_frames"] - 1)
    for value in (162, 200, 255):
        at = last + 40 + 4 * (h["num_xyz"] - 1) + 3
        yield f"normal_{value}", "harmless", f"normal {value} of 162", patched(data, at, "B", value)
    for name, number in NOT_FINITE.items():
        for where, at in (("scale", last + 4), ("translate", last + 20)):
            reason = f"{where} of the last frame is {name}"
            yield f"{where}_{name}", "refuse", reason, patched(data, at, "f", number)
    reason = "scale of the last frame is denormal"
    yield "scale_denormal", "accept", reason, patched(data, last, "f", 1e-40)


def md2_command_damage(data: bytes, h: Fields) -> Iterator[Damaged]:
    at, count = h["ofs_glcmds"], h["num_glcmds"]
    first = integer(data, at)
    yield "glcmds_cut", "harmless", "GL commands cut within a packet", h.with_value("num_glcmds", count - 3)
    yield "glcmds_no_end", "harmless", "GL commands without their 0", h.with_value("num_glcmds", count - 1)
    for name, value in (("overlong", count), ("overlong_fan", -count), ("min", INT_MIN), ("max", INT_MAX),
                        ("wraps", 0x55555556)):
        reason = f"first GL command has count {value} in place of {first}"
        yield f"glcmds_{name}", "harmless", reason, patched(data, at, "i", value)
    for name, value in (("vertex", h["num_xyz"]), ("vertex_negative", -1)):
        reason = f"a GL command uses vertex {value}"
        yield f"glcmds_{name}", "harmless", reason, patched(data, at + 12, "i", value)
    reason = "a GL command's s is not a number"
    yield "glcmds_nan", "harmless", reason, patched(data, at + 4, "f", NOT_FINITE["nan"])


# MDC -------------------------------------------------------------------------------------------

def mdc_damage(data: bytes) -> Iterator[Damaged]:
    h = Fields(data, 72, oracle.MDC_HEADER)
    yield from truncated(data, len(data))
    yield "version_3", "refuse", "version 3", patched(data, 4, "i", 3)
    lumps = {"num_frames": ("ofs_frames", 56), "num_tags": ("ofs_tag_names", 64), "num_surfaces": ("ofs_surfaces", 0)}
    yield from counts_and_lumps(h, lumps, 0)
    yield "num_frames_0", "refuse", "no frames", h.with_value("num_frames", 0)
    end = len(data) - 12 * h["num_tags"] * h["num_frames"]
    yield "tag_frames_one_beyond", "refuse", "tag frames end one byte beyond", h.with_value("ofs_tag_frames", end + 1)
    starts = surface_starts(data, h["ofs_surfaces"], h["num_surfaces"], 120)
    yield from surface_end_damage(data, h, starts, 120)
    yield from mdc_surface_damage(data, starts[-1], h["num_frames"])


def surface_starts(data: bytes, start: int, count: int, end_field: int) -> list[int]:
    starts = [start]
    while len(starts) < count:
        starts.append(starts[-1] + integer(data, starts[-1] + end_field))
    return starts


def surface_end_damage(data: bytes, h: Fields, starts: list[int], end_field: int) -> Iterator[Damaged]:
    """The chain of surfaces: without progress, backwards, in a circle, out of the file."""
    at = starts[0] + end_field
    for name, value in (("0", 0), ("negative", -16), ("min", INT_MIN), ("inside", end_field),
                        ("outside", len(data)), ("max", INT_MAX)):
        reason = f"the first surface's ofs_end is {value}"
        yield f"surface_end_{name}", "refuse", reason, patched(data, at, "i", value)
    circle = patched(data, h.at["num_surfaces"], "i", len(starts) + 1)
    circle = patched(circle, starts[-1] + end_field, "i", starts[0] - starts[-1])
    yield "surface_end_circle", "refuse", "the last surface leads back to the first", circle
    yield "surface_end_last_0", "either", "the last surface's ofs_end is 0, but nothing follows", (
        patched(data, starts[-1] + end_field, "i", 0)
    )
    reason = "one surface more than there are"
    yield "surfaces_too_many", "refuse", reason, h.with_value("num_surfaces", len(starts) + 1)


def mdc_surface_damage(data: bytes, start: int, num_frames: int) -> Iterator[Damaged]:
    """The last surface's own header, tables and indices."""
    s = Fields(data, start + 68, oracle.MDC_SURFACE)
    lumps = {
        "num_triangles": ("ofs_triangles", 12),
        "num_vertices": ("ofs_texcoords", 8),
        "num_base_frames": ("ofs_base_verts", 8 * s["num_vertices"]),
        "num_comp_frames": ("ofs_comp_verts", 4 * s["num_vertices"]),
    }
    yield from counts_and_lumps(s, lumps, start)
    reason = "num_base_frames x num_vertices passes 32 bits"
    both = s.with_value("num_vertices", 0x10000)
    both = patched(both, s.at["num_base_frames"], "i", 0x10000)
    yield "base_product_overflow", "refuse", reason, both
    yield "num_base_frames_0", "refuse", "no base frames", s.with_value("num_base_frames", 0)
    yield from mdc_table_damage(data, start, s, num_frames)
    at = start + s["ofs_triangles"]
    yield from triangle_damage(data, at, s["num_triangles"], s["num_vertices"])


def mdc_table_damage(data: bytes, start: int, s: Fields, frames: int) -> Iterator[Damaged]:
    for table, count in (("base", "num_base_frames"), ("comp", "num_comp_frames")):
        field = f"ofs_frame_{table}_frames"
        for name, value in (("outside", len(data)), ("negative", -8), ("absent", 0),
                            ("one_beyond", len(data) - start - 2 * frames + 1)):
            reason = f"{field} is {value}"
            yield f"{table}_table_{name}", "refuse", reason, s.with_value(field, value)
        last = start + s[field] + 2 * (frames - 1)
        for value in (s[count], 0x7FFF, 0x8000, 0xFFFE):
            reason = f"the last frame uses {table} frame {value} of {s[count]}"
            # The engine treats any negative entry as "no compressed frame", the description only 0xFFFF.
            expect = "either" if table == "comp" and value >= 0x8000 else "refuse"
            yield f"{table}_entry_{value}", expect, reason, patched(data, last, "H", value)
    at = start + s["ofs_frame_base_frames"]
    reason = "frame 0 has base frame 0xFFFF"
    yield "base_entry_65535", "refuse", reason, patched(data, at, "H", 0xFFFF)


def triangle_damage(data: bytes, at: int, count: int, num_vertices: int) -> Iterator[Damaged]:
    last = at + 12 * (count - 1) + 8
    for name, value in (("vertex_last", num_vertices), ("vertex_negative", -1),
                        ("vertex_ffff", 0xFFFF), ("vertex_min", INT_MIN)):
        reason = f"the last triangle has index {value}"
        yield name, "refuse", reason, patched(data, last, "i", value)


# MD3 -------------------------------------------------------------------------------------------

def md3_damage(data: bytes) -> Iterator[Damaged]:
    h = Fields(data, 72, oracle.MD3_HEADER)
    yield from truncated(data, len(data))
    yield "version_14", "refuse", "version 14", patched(data, 4, "i", 14)
    lumps = {"num_frames": ("ofs_frames", 56), "num_surfaces": ("ofs_surfaces", 0),
             "num_tags": ("ofs_tags", 112 * h["num_frames"])}
    yield from counts_and_lumps(h, lumps, 0)
    starts = surface_starts(data, h["ofs_surfaces"], h["num_surfaces"], 104)
    yield from surface_end_damage(data, h, starts, 104)
    s = Fields(data, starts[-1] + 68, oracle.MD3_SURFACE)
    shape = {"num_triangles": ("ofs_triangles", 12), "num_verts": ("ofs_st", 8)}
    yield from counts_and_lumps(s, shape, starts[-1])
    at = starts[-1] + s["ofs_triangles"]
    yield from triangle_damage(data, at, s["num_triangles"], s["num_verts"])


# MDL -------------------------------------------------------------------------------------------

def mdl_fields(data: bytes) -> Fields:
    """The counts of an IDPO or a RAPO."""
    fields = Fields(data, 48, [*oracle.MDL_COUNTS, "size", "num_st"])
    if data[:4] != b"RAPO":
        fields.at["num_st"] = fields.at["num_verts"]
    return fields


def mdl_damage(data: bytes) -> Iterator[Damaged]:
    h = mdl_fields(data)
    yield from truncated(data, len(data))
    for version in (3, 7, -6, 56 - integer(data, 4)):
        yield f"version_{version}", "refuse", f"version {version}", patched(data, 4, "i", version)
    for name in [*oracle.MDL_COUNTS[:6], *["num_st"] * (data[:4] == b"RAPO")]:
        for value in (0, -1, INT_MIN, INT_MAX, 0x10000, 0x55555556):
            reason = f"{name} is {value}"
            yield f"{name}_{value}", "refuse", reason, h.with_value(name, value)
    wide = patched(h.with_value("skinwidth", 0x10000), h.at["skinheight"], "i", 0x10000)
    yield "skin_overflow", "refuse", "width x height passes 32 bits", wide
    for name in ("num_verts", "num_frames", "num_skins"):
        more = h.with_value(name, h[name] + 1)
        yield f"{name}_one_more", "refuse", f"one more than there are: {name}", more
    for name, value in (("synctype", 7), ("flags", -1)):
        yield f"{name}_{value}", "accept", f"{name} is {value}", h.with_value(name, value)
    yield from mdl_float_damage(data)
    yield from mdl_section_damage(data, h)


def mdl_float_damage(data: bytes) -> Iterator[Damaged]:
    for name, number in NOT_FINITE.items():
        for where, at in (("scale", 12), ("translate", 28)):
            reason = f"{where} is {name}"
            yield f"{where}_{name}", "refuse", reason, patched(data, at, "f", number)
        reason = f"the radius, the eye and the size are {name}: nobody needs them"
        odd = patched(patched(data, 32, "4f", *[number] * 4), 80, "f", number)
        yield f"unused_{name}", "accept", reason, odd
    yield "scale_denormal", "accept", "a scale is denormal", patched(data, 8, "f", 1e-40)


class MdlOffsets:
    """Offsets of a valid MDL: found by walking along its counts."""

    def __init__(self, data: bytes, h: Fields) -> None:
        self.data, self.at = data, oracle.mdl_header_size(data)
        pixels, verts = h["skinwidth"] * h["skinheight"], h["num_verts"]
        self.skins = [self.group(0, pixels) for _ in range(h["num_skins"])]
        self.st = self.skip(12 * h["num_st"])
        self.tris = self.skip(16 * h["num_tris"])
        self.frames = [self.group(8, 24 + 4 * verts) for _ in range(h["num_frames"])]

    def skip(self, size: int) -> int:
        self.at += size
        return self.at - size

    def group(self, box: int, size: int) -> tuple[int, int]:
        """Its start, and the start of its times: 0 if it is no group."""
        start, times = self.skip(4), 0
        count = 1
        if integer(self.data, start) == 1:
            count = integer(self.data, self.skip(4))
            self.skip(box)
            times = self.skip(4 * count)
        self.skip(count * size)
        return start, times


def mdl_section_damage(data: bytes, h: Fields) -> Iterator[Damaged]:
    places = MdlOffsets(data, h)
    last = places.tris + 16 * (h["num_tris"] - 1)
    for name, value in (("vertex_last", h["num_verts"]), ("vertex_negative", -1),
                        ("vertex_min", INT_MIN), ("vertex_max", INT_MAX)):
        reason = f"the last triangle has index {value}"
        wide = data[:4] != b"RAPO"
        if wide or value >= 0:
            value = value if wide else min(value, 0xFFFF)
            yield name, "refuse", reason, patched(data, last + (12 if wide else 8), "i" if wide else "H", value)
    for value in (h["num_st"], 0xFFFF) if data[:4] == b"RAPO" else ():
        yield f"st_index_{value}", "refuse", f"a corner has st {value}", patched(data, last + 14, "H", value)
    for value in (162, 255):
        # The last byte of the file is the last vertex's normal.
        reason = f"normal {value} of 162"
        yield f"normal_{value}", "harmless", reason, patched(data, len(data) - 1, "B", value)
    yield from mdl_group_damage(data, "skin", places.skins)
    yield from mdl_group_damage(data, "frame", places.frames)
    edge = patched(data, places.st + 4, "2i", INT_MAX, INT_MIN)
    yield "st_far", "accept", "a texture coordinate is as far off as can be", edge


def mdl_group_damage(data: bytes, what: str, found: list[tuple[int, int]]) -> Iterator[Damaged]:
    """Types, counts and times of groups of skins or frames."""
    start, times = next((s, t) for s, t in found if t > 0)
    for value in (2, -1, INT_MIN):
        reason = f"a {what}'s type is {value}"
        yield f"{what}_type_{value}", "harmless", reason, patched(data, start, "i", value)
    for value in (0, -1, INT_MIN, INT_MAX, 0x10000):
        reason = f"a group of {value} {what}s"
        yield f"{what}_group_{value}", "refuse", reason, patched(data, start + 4, "i", value)
    for name, number in {**NOT_FINITE, "zero": 0.0, "below": -0.5}.items():
        reason = f"a {what}'s time is {name}"
        yield f"{what}_time_{name}", "refuse", reason, patched(data, times, "f", number)
    count = integer(data, start + 4)
    if count > 1:
        reason = f"the times of a group of {what}s do not increase"
        still = patched(data, times, f"{count}f", *[0.5] * count)
        yield f"{what}_times_still", "accept", reason, still


# Look-alikes -----------------------------------------------------------------------------------

LOOK_ALIKES = (
    ("anachronox_14", b"IDP2" + struct.pack("<hh", 14, 0), "Anachronox"),
    ("anachronox_15", b"IDP2" + struct.pack("<hh", 15, 1), "Anachronox"),
    ("kingpin", b"IDPX" + struct.pack("<i", 4), "Kingpin"),
    ("daikatana", b"DKMD" + struct.pack("<i", 1), "Daikatana"),
    ("nonsense", b"\x7fELF\x02\x01\x01\0", ""),
    ("zeros", bytes(8), ""),
)


def lookalikes() -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    """Starts of other formats under this project's names; the message should name the format."""
    for name, beginning, title in LOOK_ALIKES:
        reason = f"another format: {title}" if title else "no known format"
        intent = {"expect": "refuse", "reason": reason, "names": title}
        yield f"lookalike_{name}.md2", beginning + bytes(200), intent


DAMAGE = {"md2": md2_damage, "mdc": mdc_damage, "md3": md3_damage, "mdl": mdl_damage, "rapo": mdl_damage,
          "mds": mds.mds_damage}


def damaged_models(
    formats: list[str], seed: int, plain_model: Callable[[str, int], bytes]
) -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    """Returns every damaged model of these formats, and the look-alikes."""
    for kind in formats:
        for name, expect, reason, data in DAMAGE[kind](plain_model(kind, seed)):
            extension = "mdl" if kind == "rapo" else kind
            intent = {"expect": expect, "reason": reason, "format": extension}
            yield f"{kind}_{name}.{extension}", data, intent
    yield from lookalikes()
