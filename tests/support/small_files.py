"""Small files made in memory for tests of several commands: models, archives, images and glTF."""
import io
import itertools
import json
import math
import struct
import zipfile
from typing import Any

import image_files


def make_md2(names=(b"run1", b"run2", b"run3"), skins=(b"a/b.pcx",), vertex=2, normal=5):
    """Makes a triangle of three vertices, each frame one unit higher than the one before."""
    skin = b"".join(name.ljust(64, b"\0") for name in skins)
    st = struct.pack("<6h", 0, 0, 31, 0, 0, 31)
    tris = struct.pack("<6H", 0, 1, vertex, 0, 1, 2)
    frames = b""
    for i, name in enumerate(names):
        frames += struct.pack("<6f", 1, 1, 1, 0, 0, i) + name.ljust(16, b"\0")
        for x, y in (0, 0), (10, 0), (0, 10):
            frames += struct.pack("<4B", x, y, 0, normal)
    glcmds = struct.pack("<i", 3)
    for s, t, index in (0, 0, 0), (1, 0, 1), (0, 1, 2):
        glcmds += struct.pack("<ffi", s, t, index)
    glcmds += struct.pack("<i", 0)
    lumps = [skin, st, tris, frames, glcmds]
    offsets, at = [], 68
    for lump in lumps:
        offsets.append(at)
        at += len(lump)
    header = struct.pack("<4s16i", b"IDP2", 8, 32, 32, 40 + 12, len(skins), 3, 3, 1,
                         len(glcmds) // 4, len(names), *offsets, at)
    return header + b"".join(lumps)


def md2_of(vertices, triangles, st, frames=1, commands=(), skins=()):
    """Makes an MD2 from rows: vertices of 4 bytes per frame, triangles of 6 indices, commands as integers."""
    lumps = [b"".join(skin.ljust(64, b"\0") for skin in skins),
             b"".join(struct.pack("<2h", *pair) for pair in st),
             b"".join(struct.pack("<6H", *triangle) for triangle in triangles),
             b"".join(struct.pack("<6f16s", 1, 1, 1, 0, 0, f, b"f%d" % f) + bytes(itertools.chain(*vertices))
                      for f in range(frames)),
             struct.pack("<%di" % len(commands), *commands)]
    at = [68 + sum(map(len, lumps[:i])) for i in range(6)]
    header = struct.pack("<4s16i", b"IDP2", 8, 64, 64, 40 + 4 * len(vertices), len(skins),
                         len(vertices), len(st), len(triangles), len(commands), frames, *at[:5], at[5])
    return header + b"".join(lumps)


def limb(frames=24, parts=2, vertices=40, bulge=0):
    """Makes an MD2 of stiff parts that bend at joints 50 steps apart. Every third vertex bulges by some steps."""
    rows, triangles = [], []
    for frame in range(frames):
        row = []
        for v in range(vertices * parts):
            x, y, z = 50 * parts * v / (vertices * parts), 8 * math.cos(2.4 * v), 8 * math.sin(2.4 * v)
            y += bulge * (v % 3 == 0) * math.cos(frame / 3)
            for joint in range(int(x // 50), 0, -1):
                angle = 0.5 * math.sin(frame * (joint + 1) / 4)
                x, z = (50 * joint + math.cos(angle) * (x - 50 * joint) + math.sin(angle) * z,
                        math.cos(angle) * z - math.sin(angle) * (x - 50 * joint))
            row.append((round(x) + 20, round(y) + 100, round(z) + 100, 0))
        rows.append(row)
    for v in range(vertices * parts - 2):
        triangles.append((v, v + 1, v + 2, 0, 0, 0))
    return rows, triangles


def limb_md2(frames=24, vertices=40, bulge=0):
    rows, triangles = limb(frames=frames, vertices=vertices, bulge=bulge)
    first = md2_of(rows[0], triangles, [(0, 0)], frames=len(rows))
    at, size = struct.unpack_from("<i", first, 56)[0], struct.unpack_from("<i", first, 16)[0]
    data = bytearray(first)
    for frame, row in enumerate(rows):
        struct.pack_into("<%dB" % (4 * len(row)), data, at + frame * size + 40, *(x for v in row for x in v))
    return bytes(data)


def make_inward_md2():
    """Makes a tetrahedron whose normals point at its centre."""
    corners = ((0, 0, 0, 45), (200, 0, 0, 142), (0, 200, 0, 109), (0, 0, 200, 86))
    sides = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
    points = b"".join(struct.pack("<4B", *corner) for corner in corners)
    lumps = [b"", struct.pack("<2h", 0, 0),
             b"".join(struct.pack("<6H", *side, 0, 0, 0) for side in sides),
             struct.pack("<6f16s", 1, 1, 1, 0, 0, 0, b"still") + points]
    at = [68 + sum(map(len, lumps[:i])) for i in range(5)]
    return struct.pack("<4s16i", b"IDP2", 8, 32, 32, 40 + 16, 0, 4, 1, 4, 0, 1, *at, at[4]) + \
        b"".join(lumps)


def make_md3(surfaces, tags=(), frames=1, bounds=(0, 0, 0, 0, 0, 0, 0, 0, 0, 2)):
    """Makes an MD3. A surface is its name, its shader, triangles, texture coordinates, and the vertices of all frames: x, y
    and z in steps of 1/64, and a normal. A tag is its name and twelve numbers, the same in each frame."""
    head = b"".join(struct.pack("<10f16s", *bounds, b"f%d" % frame) for frame in range(frames))
    places = b"".join(struct.pack("<64s12f", name, *numbers) for name, numbers in tags) * frames
    body = b""
    for name, shader, triangles, st, vertices in surfaces:
        lumps = [b"".join(struct.pack("<3i", *triangle) for triangle in triangles), struct.pack("<64si", shader, 0),
                 b"".join(struct.pack("<2f", *pair) for pair in st),
                 b"".join(struct.pack("<3hH", *vertex) for vertex in vertices)]
        at = [108 + sum(map(len, lumps[:i])) for i in range(5)]
        body += struct.pack("<4s64s10i", b"IDP3", name, 0, frames, 1, len(st), len(triangles), *at) + b"".join(lumps)
    at = [108, 108 + len(head), 108 + len(head + places), 108 + len(head + places + body)]
    header = struct.pack("<4si64s9i", b"IDP3", 15, b"m", 0, frames, len(tags), len(surfaces), 0, *at)
    return header + head + places + body


def md3(shaders: list[str]) -> bytes:
    """Makes a surface of one triangle for each shader."""
    return make_md3([(b"s%d" % i, shader.encode(), [(0, 1, 2)], [(0, 0), (1, 0), (0, 1)],
                      [(0, 0, 0, 0), (64, 0, 0, 0), (0, 64, 0, 0)]) for i, shader in enumerate(shaders)])


def make_pcx(colour=3, size=2):
    """Makes an image of size x size pixels (at most 63), all of one index."""
    header = struct.pack("<4B6H48xBBHH58x", 10, 5, 1, 8, 0, 0, size - 1, size - 1, 72, 72, 0, 1, size, 1)
    return header + bytes([0xC0 + size, colour] * size) + b"\x0C" + bytes(range(256)) * 3


def tga(number: int) -> bytes:
    """Makes a pixel with a unique colour."""
    return struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, 1, 1, 24, 0) + number.to_bytes(3, "little")


def make_pak(members):
    """Makes a PAK as Quake has it: header, contents, directory."""
    contents, directory = b"", b""
    for name, data in members:
        directory += name.ljust(56, b"\0") + struct.pack("<2I", 12 + len(contents), len(data))
        contents += data
    return b"PACK" + struct.pack("<2I", 12 + len(contents), len(directory)) + contents + directory


def make_pk3(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


def plain(red: int, green: int, blue: int) -> bytes:
    """Makes a PNG of one colour with a different corner."""
    rows = [bytes((red, green, blue)) * 4] * 3 + [bytes((red, green, blue)) * 3 + bytes((9, 8, 7))]
    return image_files.png_write(rows, 2)


RED, BLUE = plain(200, 10, 20), plain(10, 20, 200)


def gltf(images: list[dict[str, Any]], materials: list[dict[str, Any]], data: bytes,
         variants: int = 0) -> dict[str, Any]:
    """Makes a square per material, with texture coordinates; variants change the first one's material."""
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0)
    st = struct.pack("<8f", 0, 1, 1, 1, 1, 0, 0, 0)
    corners = struct.pack("<6H", 0, 1, 2, 0, 2, 3)
    at = len(data)
    whole = data + points + st + corners
    views = [{"buffer": 0, "byteOffset": at, "byteLength": 48},
             {"buffer": 0, "byteOffset": at + 48, "byteLength": 32},
             {"buffer": 0, "byteOffset": at + 80, "byteLength": 12}]
    own = [{"buffer": 0, "byteOffset": i["at"], "byteLength": i["size"]} for i in images if "at" in i]
    number = 3
    listed = []
    for image in images:
        entry = {key: value for key, value in image.items() if key in ("name", "uri")}
        if "at" in image:
            entry |= {"bufferView": number, "mimeType": "image/png"}
            number += 1
        listed.append(entry)
    primitives = [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": m}
                  for m in range(len(materials))]
    made: dict[str, Any] = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "square"}], "materials": materials,
        "meshes": [{"primitives": primitives}], "images": listed,
        "textures": [{"source": i} for i in range(len(images))],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]},
                      {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
                      {"bufferView": 2, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": views + own, "buffers": [{"byteLength": len(whole)}]}
    if variants:
        made["extensionsUsed"] = ["KHR_materials_variants"]
        made["extensions"] = {"KHR_materials_variants": {"variants": [{"name": f"look{v}"} for v in range(variants)]}}
        primitives[0]["extensions"] = {"KHR_materials_variants": {
            "mappings": [{"material": v, "variants": [v]} for v in range(variants)]}}
        del primitives[1:]
    made["data"] = whole
    return made


def moving(heights: list[float], name: str = "walk") -> dict[str, Any]:
    """Makes a square that is at another height in each frame."""
    made = gltf([], [{}], b"")
    at, count = len(made["data"]), len(heights)
    made["data"] += struct.pack(f"<{count}f", *(i / 10 for i in range(count)))
    made["data"] += b"".join(struct.pack("<3f", 0, height, 0) for height in heights)
    made["buffers"] = [{"byteLength": len(made["data"])}]
    made["bufferViews"] += [{"buffer": 0, "byteOffset": at, "byteLength": 4 * count},
                            {"buffer": 0, "byteOffset": at + 4 * count, "byteLength": 12 * count}]
    made["accessors"] += [{"bufferView": view, "componentType": 5126, "count": count, "type": kind}
                          for view, kind in ((3, "SCALAR"), (4, "VEC3"))]
    made["animations"] = [{"name": name, "samplers": [{"input": 3, "output": 4}],
                           "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]
    return made


def glb(document: dict[str, Any], data: bytes | None = None) -> bytes:
    """Packs a document with its data, by default its member "data"."""
    if data is None:
        data = document.pop("data")
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    return (struct.pack("<4s2I", b"glTF", 2, 28 + len(text) + len(data))
            + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)


def worn(index: int, **more: Any) -> dict[str, Any]:
    return {"name": f"material{index}", **more, "pbrMetallicRoughness": {"baseColorTexture": {"index": index}}}


def parse_glb(data):
    magic, version, length = struct.unpack_from("<4sII", data)
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    return json.loads(data[20:20 + size])


def obj_vertices(data):
    return [tuple(map(float, line.split()[1:4])) for line in data.decode().splitlines() if line.startswith("v ")]
