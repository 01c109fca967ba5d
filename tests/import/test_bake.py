"""Compares glTF read by lerpmesh-import with the oracle in oracle/bake.py. Synthetic files have every interpolation and
component type, sparse and strided accessors, two skins' sets, nested nodes and matrices. Every frame must agree within
1e-5 of the model's size, as must normals, tags, texture coordinates, triangles, names and variants."""
import ctypes
import ctypes.util
import json
import math
import os
import random
import struct
import sys

import bake
from small_files import glb

FPS = 10


class Material(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint64 * 2)]


class Surface(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("num_vertices", ctypes.c_uint32),
                ("positions", ctypes.POINTER(ctypes.c_float)),
                ("normals", ctypes.POINTER(ctypes.c_float)), ("num_st", ctypes.c_uint32),
                ("st", ctypes.POINTER(ctypes.c_float)), ("num_triangles", ctypes.c_uint32),
                ("triangles", ctypes.POINTER(ctypes.c_uint32)), ("st_triangles", ctypes.c_void_p),
                ("num_materials", ctypes.c_uint32), ("materials", ctypes.POINTER(Material)),
                ("flags", ctypes.c_int32), ("body", ctypes.c_int), ("reserved", ctypes.c_uint64 * 2)]


class Tag(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("poses", ctypes.POINTER(ctypes.c_float * 12)),
                ("reserved", ctypes.c_uint64 * 2)]


class Mesh(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("num_frames", ctypes.c_uint32),
                ("frame_names", ctypes.c_void_p), ("num_surfaces", ctypes.c_uint32),
                ("surfaces", ctypes.POINTER(Surface)), ("num_tags", ctypes.c_uint32),
                ("tags", ctypes.POINTER(Tag)), ("num_clips", ctypes.c_uint32),
                ("clips", ctypes.c_void_p), ("num_skins", ctypes.c_uint32),
                ("skins", ctypes.POINTER(ctypes.c_char_p))]


class Import(ctypes.Structure):
    _fields_ = [("mesh", ctypes.POINTER(Mesh)), ("num_diagnostics", ctypes.c_uint32)]


class Memory(ctypes.Structure):
    _fields_ = [("allocator", ctypes.c_void_p * 4), ("max_bytes", ctypes.c_size_t),
                ("max_allocations", ctypes.c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("importer", ctypes.c_int), ("memory", Memory), ("fps", ctypes.c_float),
                ("scale", ctypes.c_float),
                ("num_tags", ctypes.c_uint32), ("tags", ctypes.c_void_p), ("read", ctypes.c_void_p),
                ("user", ctypes.c_void_p), ("images", ctypes.c_bool),
                ("num_loops", ctypes.c_uint32), ("num_onces", ctypes.c_uint32),
                ("loops", ctypes.c_void_p), ("onces", ctypes.c_void_p),
                ("compute_normals", ctypes.c_bool), ("all_frames", ctypes.c_bool),
                ("reserved", ctypes.c_uint64 * 4)]


class Maker:
    """Makes a file with random choices, the same in every run."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.data = bytearray()
        self.document = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": [],
                         "nodes": [], "meshes": [], "skins": [], "animations": []}

    def view(self, data, stride=0):
        while len(self.data) % 4:
            self.data.append(0)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        if stride:
            view["byteStride"] = stride
        self.data += data
        self.document["bufferViews"].append(view)
        return len(self.document["bufferViews"]) - 1

    def accessor(self, rows, component=5126, normalized=False, plain=False):
        """Writes rows of numbers, packed, strided or sparse."""
        letter = bake.TYPES[component][0]
        width = len(rows[0])
        kind = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[width]
        a = {"componentType": component, "type": kind, "count": len(rows)}
        if normalized:
            a["normalized"] = True
        pack = lambda row: struct.pack(f"<{width}{letter}", *row)
        way = "plain" if plain else self.chance.choice(["plain", "strided", "sparse", "nothing"])
        if way == "strided":
            size = len(pack(rows[0]))
            stride = (size + 7) // 4 * 4
            a["bufferView"] = self.view(b"".join(pack(r).ljust(stride, b"\xff") for r in rows), stride)
        elif way == "plain":
            a["bufferView"] = self.view(b"".join(map(pack, rows)))
        else:  # the base has other values, or zeros
            some = [i for i in range(len(rows)) if any(rows[i])]
            if way == "sparse":
                some = some[::2]
                a["bufferView"] = self.view(b"".join(pack([0] * width if i in some else r) for i, r in enumerate(rows)))
            if self.chance.random() < 0.2:  # glTF requires their order
                self.chance.shuffle(some)
            if some:
                index = self.chance.choice([5121, 5123, 5125])
                a["sparse"] = {
                    "count": len(some),
                    "indices": {"componentType": index, "bufferView": self.view(struct.pack(
                        f"<{len(some)}{bake.TYPES[index][0]}", *some))},
                    "values": {"bufferView": self.view(b"".join(pack(rows[i]) for i in some))}}
        self.document["accessors"].append(a)
        return len(self.document["accessors"]) - 1

    def real(self, low=-1.0, high=1.0):
        return self.chance.uniform(low, high)

    def vectors(self, count, size=1.0):
        if self.chance.random() < 0.5:
            return self.accessor([[self.real() * size for _ in range(3)] for _ in range(count)])
        component = self.chance.choice([5120, 5122])  # KHR_mesh_quantization
        most = bake.TYPES[component][1]
        normalized = self.chance.random() < 0.5
        return self.accessor([[self.chance.randint(-most - 1, most) if normalized
                               else self.chance.randint(-3, 3) for _ in range(3)]
                              for _ in range(count)], component, normalized)

    def turn(self):
        q = [self.real() for _ in range(4)]
        length = sum(x * x for x in q) ** 0.5
        return [x / length for x in q]

    def node(self, **members):
        node = {"name": self.chance.choice(["a", "b", "a"]), **members}  # repeated names
        if self.chance.random() < 0.3:
            node["matrix"] = [self.real() if i % 4 != 3 else float(i == 15) for i in range(16)]
        else:
            node["translation"] = [self.real() for _ in range(3)]
            node["rotation"] = self.turn()
            node["scale"] = [self.real(0.3, 1.5) for _ in range(3)]
        self.document["nodes"].append(node)
        return len(self.document["nodes"]) - 1

    def channel(self, animation, node, path, width, targets=0):
        kind = self.chance.choice(["LINEAR", "STEP", "CUBICSPLINE"])
        keys, time = [], self.real(0, 0.2)
        for _ in range(self.chance.randint(1, 5)):
            keys.append([time])
            time += self.real(0.05, 0.4)
        each = 3 if kind == "CUBICSPLINE" else 1
        rows = []
        for k in range(len(keys) * each):
            if path == "rotation" and (each == 1 or k % 3 == 1):
                rows.append(self.turn())
            else:
                rows.append([self.real(0.2, 1.2) for _ in range(targets or width)])
        if path == "weights":
            rows = [[x] for row in rows for x in row]
        component = 5126
        if path in ("rotation", "weights") and kind == "LINEAR" and self.chance.random() < 0.4:
            component = self.chance.choice([5120, 5122] if path == "rotation" else [5121, 5123])
            most = bake.TYPES[component][1]
            rows = [[round(min(x, 1) * most) for x in row] for row in rows]
        animation["samplers"].append({"input": self.accessor(keys, plain=True), "interpolation": kind,
                                      "output": self.accessor(rows, component, component != 5126, plain=True)})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                      "target": {"node": node, "path": path}})

    def material(self):
        texture = {"index": 0}
        if self.chance.random() < 0.5:
            texture["texCoord"] = self.chance.randrange(2)
        if self.chance.random() < 0.7:
            transform = {}
            for name, width in (("offset", 2), ("scale", 2), ("rotation", 0), ("texCoord", 0)):
                if self.chance.random() < 0.6:
                    transform[name] = (self.chance.randrange(2) if name == "texCoord" else
                                       [self.real(-2, 2) for _ in range(width)] if width
                                       else self.real(-4, 4))
            texture["extensions"] = {"KHR_texture_transform": transform}
        materials = self.document.setdefault("materials", [])
        materials.append({"name": f"cloth {len(materials)}", "pbrMetallicRoughness": {"baseColorTexture": texture}})
        return len(materials) - 1

    def mesh(self, skinned, joints):
        count, targets = self.chance.randint(4, 9), self.chance.choice([0, 0, 1, 3])
        attributes = {"POSITION": self.vectors(count), "NORMAL": self.vectors(count)}
        for n in range(2):
            component = self.chance.choice([5126, 5121, 5123])
            most = bake.TYPES[component][1]
            attributes[f"TEXCOORD_{n}"] = self.accessor(
                [[self.chance.randint(0, most) if most else self.real(-1, 2) for _ in range(2)]
                 for _ in range(count)], component, component != 5126)
        for n in range(self.chance.choice([1, 2]) if skinned else 0):
            component = self.chance.choice([5121, 5123])
            attributes[f"JOINTS_{n}"] = self.accessor([[self.chance.randrange(joints) for _ in range(4)]
                                                       for _ in range(count)], component, plain=True)
            attributes[f"WEIGHTS_{n}"] = self.accessor([[self.chance.randint(1, 255) for _ in range(4)]
                                                        for _ in range(count)], 5121, True, plain=True)
        primitive = {"attributes": attributes, "targets": [
            {"POSITION": self.vectors(count, 0.5),
             **({"NORMAL": self.vectors(count, 0.5)} if self.chance.random() < 0.7 else {})}
            for _ in range(targets)]}
        primitive["material"] = self.material()
        triangles = self.chance.sample(range(count - 2), self.chance.randint(1, count - 2))
        primitive["indices"] = self.accessor([[i] for t in triangles for i in (t, t + 1, t + 2)],
                                             self.chance.choice([5121, 5123, 5125]), plain=True)
        mesh = {"primitives": [primitive], "weights": [self.real() for _ in range(targets)]}
        if not targets:
            del primitive["targets"], mesh["weights"]
        self.document["meshes"].append(mesh)
        return len(self.document["meshes"]) - 1, targets

    def make(self):
        chain = [self.node() for _ in range(4)]
        for parent, child in zip(chain, chain[1:]):
            self.document["nodes"][parent]["children"] = [child]
        self.document["skins"].append({"joints": chain[1:], "inverseBindMatrices": self.accessor(
            [[self.real() if i % 4 != 3 else float(i == 15) for i in range(16)] for _ in range(3)],
            plain=True)})
        meshes = []
        for skinned in (False, True, False):
            mesh, targets = self.mesh(skinned, 3)
            node = self.node(mesh=mesh, **({"skin": 0} if skinned else {}))
            meshes.append((node, targets))
        self.document["nodes"][chain[2]].setdefault("children", []).append(meshes[2][0])
        tag = self.node()
        self.document["nodes"][tag]["name"] = "tag_\u043e\u0440\u0443\u0436\u0438\u0435"
        self.document["nodes"][self.chance.choice(chain)].setdefault("children", []).append(tag)
        self.document["textures"] = [{}]
        self.document["extensions"] = {"KHR_materials_variants": {"variants": [
            {"name": f"\u8272 {n}"} for n in range(self.chance.randrange(3))]}}
        for name in ("walk", "walk", "run"):
            animation = {"name": name, "samplers": [], "channels": []}
            for node in chain + [m for m, _ in meshes] + [tag]:
                if "matrix" in self.document["nodes"][node]:
                    continue
                for path, width in (("translation", 3), ("rotation", 4), ("scale", 3)):
                    if self.chance.random() < 0.6:
                        self.channel(animation, node, path, width)
            for node, targets in meshes:
                if targets:
                    self.channel(animation, node, "weights", 0, targets)
            if animation["channels"]:
                self.document["animations"].append(animation)
        self.document["buffers"] = [{"byteLength": len(self.data)}]
        self.document["scenes"] = [{"nodes": [chain[0]] + [m for m, _ in meshes[:2]]}]
        if not self.document["animations"]:
            del self.document["animations"]
        return bake.Gltf(self.document, bytes(self.data))


def encoded(meshopt, name, data, count, stride):
    """Returns data as one of meshoptimizer's encoders writes it."""
    out = ctypes.create_string_buffer(2 * len(data) + 8192)
    size = getattr(meshopt, f"meshopt_encode{name}")(out, ctypes.c_size_t(len(out)), data,
                                                     *map(ctypes.c_size_t, (count, stride)))
    assert size > 0
    return out.raw[:size]


def exponents_of(chance, data):
    """Returns floats as 24-bit integers with an exponent each, and the floats that these represent."""
    packed, plain = bytearray(), bytearray()
    for (value,) in struct.iter_unpack("<f", data):
        exponent = chance.randint(-20, -14)
        whole = max(-(1 << 23), min((1 << 23) - 1, round(value * 2.0 ** -exponent)))
        packed += struct.pack("<I", (exponent & 0xff) << 24 | whole & 0xffffff)
        plain += struct.pack("<f", whole * 2.0 ** exponent)
    return bytes(packed), bytes(plain)


def pack(gltf, meshopt, chance):
    """Returns the same file with EXT_meshopt_compression. Changes by the compression, of triangles' rotation
    and floats' digits, are made in `gltf` too."""
    document, data, out = json.loads(json.dumps(gltf.document)), bytearray(gltf.data), bytearray()
    indices = {m["primitives"][0]["indices"] for m in gltf.document["meshes"]}
    kinds = {a["bufferView"]: a["componentType"] for a in gltf.document["accessors"]
             if "bufferView" in a and "sparse" not in a}
    of_indices = {gltf.document["accessors"][i]["bufferView"] for i in indices}
    for number, view in enumerate(document["bufferViews"]):
        start, length = view["byteOffset"], view["byteLength"]
        plain = bytes(data[start:start + length])
        width = {5123: 2, 5125: 4}.get(kinds.get(number))
        entry = {"buffer": 0, "byteOffset": len(out)}
        if number in of_indices and width:
            numbers = struct.unpack(f"<{length // width}{'H' if width == 2 else 'I'}", plain)
            words = struct.pack(f"<{len(numbers)}I", *numbers)
            mode = chance.choice(["TRIANGLES", "INDICES"])
            name = "IndexBuffer" if mode == "TRIANGLES" else "IndexSequence"
            room = ctypes.create_string_buffer(4 * len(words) + 8192)
            size = getattr(meshopt, f"meshopt_encode{name}")(
                room, ctypes.c_size_t(len(room)), words, ctypes.c_size_t(len(numbers)))
            coded = room.raw[:size]
            again = ctypes.create_string_buffer(length)
            assert getattr(meshopt, f"meshopt_decode{name}")(
                again, ctypes.c_size_t(len(numbers)), ctypes.c_size_t(width), coded,
                ctypes.c_size_t(len(coded))) == 0
            data[start:start + length] = again.raw
            entry.update(mode=mode, count=len(numbers), byteStride=width)
        elif length % 4 == 0:
            entry.update(mode="ATTRIBUTES", count=length // 4, byteStride=4)
            if kinds.get(number) == 5126 and "byteStride" not in view and chance.random() < 0.5:
                plain, data[start:start + length] = exponents_of(chance, plain)
                entry["filter"] = "EXPONENTIAL"
            coded = encoded(meshopt, "VertexBuffer", plain, length // 4, 4)
        else:
            view.update(buffer=0, byteOffset=len(out))
            out += plain + bytes(-length % 4)
            continue
        entry["byteLength"] = len(coded)
        view.update(buffer=1, extensions={"EXT_meshopt_compression": entry})
        out += coded + bytes(-len(coded) % 4)
    document["buffers"] = [{"byteLength": len(out)}, {
        "byteLength": len(data), "extensions": {"EXT_meshopt_compression": {"fallback": True}}}]
    document["extensionsRequired"] = document["extensionsUsed"] = ["EXT_meshopt_compression"]
    gltf.data = bytes(data)
    return glb(document, bytes(out))


def frames_of(gltf):
    """Returns (animation, time) of each frame."""
    out = []
    for animation in gltf.document.get("animations", []):
        keys = [t for s in animation["samplers"] for (t,) in gltf.elements(s["input"])]
        first, last = min(keys), max(keys)
        count = int((last - first) * FPS + 0.5)  # the last frame shows the end
        out.append([(animation, min(first + f / FPS, last)) for f in range(count)] + [(animation, last if count else first)])
    return out


def used(gltf, primitive):
    """Returns the vertices that triangles use."""
    return sorted({int(c) for (c,) in gltf.elements(primitive["indices"])})


def compare_still(gltf, mesh, parts, pose, seed):
    """Compares static data: texture coordinates, triangles, names."""
    for s, (i, node) in enumerate(parts):
        surface = mesh.surfaces[s]
        primitive = gltf.document["meshes"][node["mesh"]]["primitives"][0]
        vertices, pairs = used(gltf, primitive), gltf.texture_coordinates(primitive)
        assert surface.num_vertices == len(vertices), (seed, s)
        for k, pair in enumerate(pairs[v] for v in vertices):
            for axis in range(2):
                assert abs(surface.st[2 * k + axis] - pair[axis]) < 1e-5, (seed, s, k)
        mirrored = "skin" not in node and bake.determinant(pose[i]) < 0
        corners = [vertices.index(c) for (c,) in gltf.elements(primitive["indices"])]
        for t in range(0, len(corners), 3):
            a, b, c = corners[t:t + 3]
            assert surface.triangles[t:t + 3] == ([a, b, c] if mirrored else [a, c, b]), (seed, s, t)
        name = gltf.document["materials"][primitive["material"]]["name"]
        assert (surface.num_materials, surface.materials[0].name) == (1, name.encode()), seed
    variants = gltf.document["extensions"]["KHR_materials_variants"]["variants"]
    assert [mesh.skins[k].decode() for k in range(mesh.num_skins)] == [v["name"] for v in variants]


def compare_tag(gltf, mesh, frame, world, seed):
    index, node = next((i, n) for i, n in enumerate(gltf.document["nodes"]) if n["name"].startswith("tag_"))
    assert (mesh.num_tags, mesh.tags[0].name.decode()) == (1, node["name"]), seed
    pose, m = mesh.tags[0].poses[frame], world[index]
    columns = [[m[r][c] for r in range(3)] for c in range(4)]
    expected = [columns[3]] + [bake.unit(columns[c]) for c in (2, 0, 1)]
    for row, v in enumerate(expected):
        if v is not None:
            size = max(1, *map(abs, v))
            for k, e in enumerate((v[2], v[0], v[1])):
                assert abs(pose[3 * row + k] - e) < 1e-5 * size, (seed, frame, row, pose[:], e)


def compare(library, seed, meshopt=None):
    """Returns the largest difference, relative to the model's size."""
    gltf = Maker(seed).make()
    data = pack(gltf, meshopt, random.Random(seed)) if meshopt else glb(gltf.document, gltf.data)
    error = ctypes.create_string_buffer(4096)
    options = Options(fps=FPS, scale=1)
    imported = library.lm_import_read(data, len(data), ctypes.byref(options), error)
    if not imported:
        sys.exit(f"seed {seed}: {error.raw.split(bytes(8))[-2:]}")
    mesh = imported.contents.mesh.contents
    parts = [(i, node) for i, node in enumerate(gltf.document["nodes"]) if "mesh" in node]
    assert mesh.num_surfaces == len(parts), seed
    frame, worst, size = 0, 0.0, 1e-9
    for clip in frames_of(gltf):
        seen, normals, worlds = [], [], []
        for animation, time in clip:
            world, weights = gltf.pose(animation, time)
            rows, turns = [], []
            for i, node in parts:
                primitive = gltf.document["meshes"][node["mesh"]]["primitives"][0]
                places, directions = (find(i, primitive, world, weights) for find in (gltf.vertices, gltf.normals))
                rows.append([places[v] for v in used(gltf, primitive)])
                turns.append([directions[v] for v in used(gltf, primitive)])
            seen.append(rows)
            normals.append(turns)
            worlds.append(world)
        tag = next(i for i, n in enumerate(gltf.document["nodes"]) if n["name"].startswith("tag_"))
        flat = lambda f: [x for row in seen[f] + [worlds[f][tag]] for p in row for x in p]
        if len(seen) > 1 and all(abs(x - y) < 1e-7 for x, y in zip(flat(0), flat(-1))):
            for rows in (seen, normals, worlds):
                rows.pop()  # it continues with its first frame
        if frame == 0:
            compare_still(gltf, mesh, parts, worlds[0], seed)
        for rows, turns, world in zip(seen, normals, worlds):
            compare_tag(gltf, mesh, frame, world, seed)
            for s, row in enumerate(turns):
                node = parts[s][1]
                targets = gltf.document["meshes"][node["mesh"]]["primitives"][0].get("targets", [])
                if any("POSITION" in target and "NORMAL" not in target for target in targets):
                    continue  # test_blender_files.py tests the normals that are computed
                for v, n in enumerate(row):
                    at = 3 * (frame * mesh.surfaces[s].num_vertices + v)
                    for k, e in enumerate((n[2], n[0], n[1]) if n else ()):
                        assert abs(mesh.surfaces[s].normals[at + k] - e) < 1e-4, (seed, s, v, frame)
            for s, row in enumerate(rows):
                surface = mesh.surfaces[s]
                assert surface.num_vertices == len(row), seed
                for v, (x, y, z) in enumerate(row):
                    at = 3 * (frame * surface.num_vertices + v)
                    size = max(size, abs(x), abs(y), abs(z))
                    worst = max(worst, *(abs(surface.positions[at + k] - e) for k, e in enumerate((z, x, y))))
            frame += 1
    if "animations" in gltf.document:
        assert mesh.num_frames == frame, (seed, mesh.num_frames, frame)
    library.lm_import_free(imported)
    return worst / size


def load(path):
    """Loads the library. lm_struct_size knows the structs of the core only."""
    library = ctypes.CDLL(path)
    library.lm_struct_size.restype = ctypes.c_size_t
    for name, mirror in {"lm_material": Material, "lm_memory": Memory, "lm_transform": ctypes.c_float * 12}.items():
        if library.lm_struct_size(name.encode()) != ctypes.sizeof(mirror):
            sys.exit(f"this test has {ctypes.sizeof(mirror)} bytes for {name}, the library "
                     f"{library.lm_struct_size(name.encode())}")
    library.lm_import_read.restype = ctypes.POINTER(Import)
    library.lm_import_read.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p]
    library.lm_import_free.argtypes = [ctypes.c_void_p]
    return library


def main():
    path = os.environ.get("LERPMESH_IMPORT_SHARED_LIBRARY")
    if not path:
        print("skipped: built without lerpmesh-import")
        sys.exit(77)
    library = load(path)
    worst = max((compare(library, seed), seed) for seed in range(60))
    print(f"60 files, off by {worst[0]:.3g} of the model's size at most (file {worst[1]})")
    if worst[0] > 1e-5:
        sys.exit(1)
    compare_packed(library)


# ---- Filters ---------------------------------------------------------------------------------------


def decoded(meshopt, name, shape, rows):
    """Returns rows as meshoptimizer's own filter decodes them."""
    stride = struct.calcsize(shape)
    data = ctypes.create_string_buffer(b"".join(struct.pack(shape, *row) for row in rows), len(rows) * stride)
    getattr(meshopt, f"meshopt_decodeFilter{name}")(data, *map(ctypes.c_size_t, (len(rows), stride)))
    return [list(row) for row in struct.iter_unpack(shape, data.raw)]


def turned(q, v):
    """Returns a vector rotated by a quaternion of any length."""
    size = math.sqrt(sum(c * c for c in q))
    x, y, z, w = (c / size for c in q)
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def make_filtered(meshopt, chance, bits, letter):
    """Makes a file with filtered normals (octahedral, of this many bits in numbers of 8 or 16) and node
    rotations (quaternions, of 12 bits or more), and returns the expected values."""
    count, keys, most = 24, 9, 127 if letter == "b" else 32767
    one = (1 << bits - 1) - 1
    points = [[chance.uniform(-1, 1) for _ in range(3)] for _ in range(count)]
    rows = [[round(chance.uniform(-1, 1) * one), round(chance.uniform(-1, 1) * one), one, chance.randint(-most, most)]
            for _ in range(count)]
    turns = []
    for key in range(keys):
        scale = (1 << chance.randint(11, 15)) - 1  # its two low bits are free
        three = [chance.uniform(-0.5, 0.5) for _ in range(3)]
        turns.append([round(v * scale) for v in three] + [scale & ~3 | key % 4])
    packed = [("<3f", 12, points, None), (f"<4{letter}", 8 if letter == "h" else 4, rows, "OCTAHEDRAL"),
              ("<f", 4, [[key / FPS] for key in range(keys)], None), ("<4h", 8, turns, "QUATERNION")]
    data, views = b"", []
    for shape, stride, elements, kind in packed:
        plain = b"".join(struct.pack(shape, *row) for row in elements)
        coded = encoded(meshopt, "VertexBuffer", plain, len(elements), stride)
        entry = {"buffer": 0, "byteOffset": len(data), "byteLength": len(coded), "mode": "ATTRIBUTES",
                 "count": len(elements), "byteStride": stride}
        views.append({"buffer": 1, "byteOffset": 0, "byteLength": len(plain),
                      "extensions": {"EXT_meshopt_compression": entry | ({"filter": kind} if kind else {})}})
        data += coded + bytes(-len(coded) % 4)
    views[1]["byteStride"] = packed[1][1]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "n"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3",
             "min": [-1] * 3, "max": [1] * 3},
            {"bufferView": 1, "componentType": 5122 if letter == "h" else 5120, "normalized": True,
             "count": count, "type": "VEC3"},
            {"bufferView": 2, "componentType": 5126, "count": keys, "type": "SCALAR", "min": [0],
             "max": [(keys - 1) / FPS]},
            {"bufferView": 3, "componentType": 5122, "normalized": True, "count": keys, "type": "VEC4"}],
        "animations": [{"name": "turn", "samplers": [{"input": 2, "output": 3}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}],
        "bufferViews": views, "buffers": [{"byteLength": len(data)}, {
            "byteLength": 1 << 12, "extensions": {"EXT_meshopt_compression": {"fallback": True}}}],
        "extensionsUsed": ["EXT_meshopt_compression", "KHR_mesh_quantization"],
        "extensionsRequired": ["EXT_meshopt_compression", "KHR_mesh_quantization"]}
    normals = [row[:3] for row in decoded(meshopt, "Oct", packed[1][0], rows)]
    return glb(document, data), points, normals, decoded(meshopt, "Quat", "<4h", turns)


def compare_filters(library, meshopt):
    """Returns the largest distances of positions and normals from the expected values of filtered rows."""
    worst, compared = [0.0, 0.0], 0
    for seed in range(10):
        chance = random.Random(seed)
        letter = chance.choice("bh")
        bits = 8 if letter == "b" else chance.randint(9, 16)
        data, points, normals, turns = make_filtered(meshopt, chance, bits, letter)
        error = ctypes.create_string_buffer(4096)
        imported = library.lm_import_read(data, len(data), ctypes.byref(Options(fps=FPS, scale=1)), error)
        if not imported:
            sys.exit(f"filters {seed}: {error.raw.split(bytes(8))[-2:]}")
        mesh = imported.contents.mesh.contents
        surface = mesh.surfaces[0]
        assert (mesh.num_frames, surface.num_vertices) == (len(turns), len(points)), seed
        for frame, q in enumerate(turns):
            for v, (point, normal) in enumerate(zip(points, normals)):
                size = math.sqrt(sum(c * c for c in normal))
                for k, wanted in enumerate((point, [c / size for c in normal])):
                    x, y, z = turned(q, wanted)
                    rows = (surface.positions, surface.normals)[k]
                    at = 3 * (frame * surface.num_vertices + v)
                    worst[k] = max(worst[k], *(abs(rows[at + i] - e) for i, e in enumerate((z, x, y))))
                    compared += 1
        library.lm_import_free(imported)
    print(f"{compared} filtered vectors: positions off by {worst[0]:.3g}, normals by {worst[1]:.3g}")
    if worst[0] > 1e-4 or worst[1] > 1e-4:
        sys.exit(1)


def compare_packed(library):
    name = ctypes.util.find_library("meshoptimizer")
    if not name:
        print("skipped: meshoptimizer: it is not installed")
        return
    meshopt = ctypes.CDLL(name)
    for encoder in ("VertexBuffer", "IndexBuffer", "IndexSequence"):
        getattr(meshopt, f"meshopt_encode{encoder}").restype = ctypes.c_size_t
    error = ctypes.create_string_buffer(4096)
    data = pack(Maker(0).make(), meshopt, random.Random(0))
    imported = library.lm_import_read(data, len(data), None, error)
    cache = open(os.path.join(os.environ["LERPMESH_BUILD_DIR"], "CMakeCache.txt")).read()
    if "MESHOPT_LIBRARY:FILEPATH=/" not in cache or "LERPMESH_MESHOPT:STRING=OFF" in cache:
        print("skipped: meshoptimizer: built without it")
        return
    assert imported, error.raw
    library.lm_import_free(imported)
    worst = max(compare(library, seed, meshopt) for seed in range(20))
    print(f"20 of them with EXT_meshopt_compression, off by {worst:.3g}")
    if worst > 1e-5:
        sys.exit(1)
    compare_filters(library, meshopt)
    chance, refused = random.Random(1), 0
    for _ in range(400):  # damaged files give an error or a mesh
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(20, len(data))] = chance.randrange(256)
        imported = library.lm_import_read(bytes(damaged), len(damaged), None, error)
        refused += not imported
        if imported:
            library.lm_import_free(imported)
    assert 0 < refused < 400, refused


if __name__ == "__main__":
    main()
