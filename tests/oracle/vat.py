"""Reads vertex-animation textures back as a vertex shader does, from their description alone.

A .glb with a second UV set, X_vat.png (16 bits per channel) or X_vat.exr, and X-remap_info.json. A shader
samples the texture at the second UV, moved down by one row per frame. It adds the colour, remapped from
0 .. 1 to Min .. Max and turned from Blender's axes to glTF's, to the vertex of the static mesh. The normal
is (n + 1) / 2 in the lower half, or in X_vnrm.
"""
import array
import json
import math
import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bake
import image_files

Vec = tuple[float, ...]


@dataclass
class Image:
    """Rows from the top; each has 3 * width numbers, 0 to 1."""

    width: int
    height: int
    rows: list[list[float]]

    def at(self, x: int, y: int) -> Vec:
        return tuple(self.rows[y][3 * x:3 * x + 3])


def read_png(data: bytes) -> Image:
    (width, height, bits, colour), _, rows = image_files.png_rows(data)
    assert (bits, colour) == (16, 2), "RGB of 16 bits"
    return Image(width, height, [[v / 65535 for v in struct.unpack(f">{3 * width}H", row)] for row in rows])


# OpenEXR: file layout, version 2 ---------------------------------------------------------------

def text(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(0, at)
    return data[at:end].decode("ascii"), end + 1


def exr_attributes(data: bytes) -> tuple[dict[str, tuple[str, bytes]], int]:
    assert struct.unpack_from("<II", data) == (20000630, 2)
    found, at = {}, 8
    while data[at]:
        name, at = text(data, at)
        kind, at = text(data, at)
        size = struct.unpack_from("<I", data, at)[0]
        assert name not in found
        found[name] = kind, data[at + 4:at + 4 + size]
        at += 4 + size
    return found, at + 1


def unpack_block(packed: bytes, size: int) -> bytes:
    if len(packed) == size:
        return packed
    block = bytearray(zlib.decompress(packed))
    assert len(block) == size
    for i in range(1, size):
        block[i] = (block[i] + block[i - 1] - 128) & 255
    half = (size + 1) // 2
    whole = bytearray(size)
    whole[0::2], whole[1::2] = block[:half], block[half:]
    return bytes(whole)


def read_exr(data: bytes) -> Image:
    found, at = exr_attributes(data)
    assert {n: k for n, (k, _) in found.items()} == {
        "channels": "chlist", "compression": "compression", "dataWindow": "box2i",
        "displayWindow": "box2i", "lineOrder": "lineOrder", "pixelAspectRatio": "float",
        "screenWindowCenter": "v2f", "screenWindowWidth": "float"}
    one = struct.pack("<IIII", 2, 0, 1, 1)
    assert found["channels"][1] == b"".join(c + b"\0" + one for c in (b"B", b"G", b"R")) + b"\0"
    assert found["compression"][1] == b"\3" and found["lineOrder"][1] == b"\0"
    left, top, right, bottom = struct.unpack("<4i", found["dataWindow"][1])
    assert (left, top) == (0, 0) and found["dataWindow"] == found["displayWindow"]
    width, height = right + 1, bottom + 1
    count = (height + 15) // 16
    offsets = struct.unpack_from(f"<{count}Q", data, at)
    rows: list[list[float]] = []
    end = at + 8 * count
    for offset in offsets:
        assert offset == end, "blocks follow each other"
        y, size = struct.unpack_from("<II", data, offset)
        assert y == len(rows)
        lines = min(16, height - y)
        block = unpack_block(data[offset + 8:offset + 8 + size], lines * width * 12)
        values = array.array("f", block)
        if sys.byteorder == "big":
            values.byteswap()
        for line in range(lines):
            part = values[3 * width * line:3 * width * (line + 1)]
            blue, green, red = (part[width * c:width * (c + 1)] for c in range(3))
            rows.append([v for pixel in zip(red, green, blue) for v in pixel])
        end = offset + 8 + size
    assert end == len(data)
    return Image(width, height, rows)


@dataclass
class Primitive:
    positions: list[Vec]
    normals: list[Vec]
    st: list[Vec]
    pixels: list[tuple[int, int]]  # of the first frame
    triangles: list[tuple[int, int, int]]
    material: dict[str, Any]


def to_gltf(v: Vec) -> Vec:
    """From Blender's axes: x right, y back, z up."""
    return v[0], v[2], -v[1]


class Vat:
    """The files that belong to `stem`.glb."""

    def __init__(self, glb: Path) -> None:
        stem = glb.name.removesuffix(".glb")
        self.glb = bake.read_glb(glb.read_bytes())
        info = json.loads((glb.parent / f"{stem}-remap_info.json").read_text())
        self.remap, self.animations = info["os-remap"], info.get("animations", {})
        self.frames: int = self.remap["Frames"]
        texture = self.read(glb.parent, stem + "_vat")
        normals = self.read(glb.parent, stem + "_vnrm")
        assert texture
        self.texture = texture
        self.normal_texture = normals or texture
        self.normal_row = 0 if normals else texture.height // 2
        if normals:
            assert (normals.width, normals.height) == (texture.width, texture.height)
        else:
            assert texture.height % 2 == 0
        self.primitives = [self.primitive(p) for m in self.glb.document.get("meshes", []) for p in m["primitives"]]

    @staticmethod
    def read(folder: Path, name: str) -> Image | None:
        for suffix, reader in ((".png", read_png), (".exr", read_exr)):
            path = folder / (name + suffix)
            if path.exists():
                return reader(path.read_bytes())
        return None

    def primitive(self, entry: dict[str, Any]) -> Primitive:
        position, normal, st, columns = (self.glb.elements(entry["attributes"][k])
                                         for k in ("POSITION", "NORMAL", "TEXCOORD_0", "TEXCOORD_1"))
        indices = [i for (i,) in self.glb.elements(entry["indices"])]
        return Primitive(position, normal, st, [self.pixel(uv) for uv in columns],
                         list(zip(indices[0::3], indices[1::3], indices[2::3])),
                         self.glb.document["materials"][entry["material"]])

    def pixel(self, uv: Vec) -> tuple[int, int]:
        """The pixel whose centre the UV is, to within 1 % of a pixel."""
        x, y = uv[0] * self.texture.width - 0.5, uv[1] * self.texture.height - 0.5
        assert abs(x - round(x)) < 0.01 and abs(y - round(y)) < 0.01, uv
        return round(x), round(y)

    def vertex(self, primitive: Primitive, index: int, frame: int) -> tuple[Vec, Vec]:
        """The position and the normal of a vertex in a frame, from 0."""
        x, y = primitive.pixels[index]
        low, high = self.remap["Min"], self.remap["Max"]
        colour = self.texture.at(x, y + frame)
        offset = to_gltf(tuple(a + c * (b - a) for a, b, c in zip(low, high, colour)))
        stored = self.normal_texture.at(x, y + frame + self.normal_row)
        normal = to_gltf(tuple(2 * c - 1 for c in stored))
        length = math.sqrt(sum(c * c for c in normal)) or 1.0
        base = primitive.positions[index]
        return tuple(a + b for a, b in zip(base, offset)), tuple(c / length for c in normal)
