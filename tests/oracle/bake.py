"""Evaluates glTF 2.0 by the text of its specification, slowly: every vertex and node at a time. It
shares nothing with the library's reader. Matrices are lists of 4 rows."""
import json
import math
import struct

TYPES = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", 0), 5126: ("f", 0)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    def __init__(self, document, data):
        self.document, self.data = document, data

    def view(self, index):
        """Returns a buffer view's bytes."""
        view = self.document["bufferViews"][index]
        at = view.get("byteOffset", 0)
        return self.data[at:at + view["byteLength"]]

    def elements(self, index):
        """Returns an accessor's elements as tuples of floats."""
        a = self.document["accessors"][index]
        letter, most = TYPES[a["componentType"]]
        width = WIDTHS[a["type"]]

        def unpack(view, offset, count, letter, width, stride=None):
            v = self.document["bufferViews"][view]
            size = struct.calcsize("<" + letter) * width
            step = stride or v.get("byteStride", size)
            start = v.get("byteOffset", 0) + offset
            return [struct.unpack_from(f"<{width}{letter}", self.data, start + i * step) for i in range(count)]

        rows = [(0,) * width] * a["count"]
        if "bufferView" in a:
            rows = unpack(a["bufferView"], a.get("byteOffset", 0), a["count"], letter, width)
        if "sparse" in a:
            s = a["sparse"]
            where = unpack(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"],
                           TYPES[s["indices"]["componentType"]][0], 1)
            what = unpack(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], letter, width)
            for (i,), value in zip(where, what):
                rows[i] = value
        if a.get("normalized"):
            rows = [tuple(max(x / most, -1.0) for x in row) for row in rows]
        return rows

    # ---- Animation

    def sampled(self, sampler, time, width, turns):
        keys = [t for (t,) in self.elements(sampler["input"])]
        flat = [x for row in self.elements(sampler["output"]) for x in row]
        kind = sampler.get("interpolation", "LINEAR")
        each = 3 if kind == "CUBICSPLINE" else 1
        rows = [flat[i * width:(i + 1) * width] for i in range(len(keys) * each)]
        value = lambda k: rows[k * each + (1 if each == 3 else 0)]
        if time <= keys[0]:
            return value(0)
        if time >= keys[-1]:
            return value(len(keys) - 1)
        k = max(i for i, t in enumerate(keys) if t <= time)
        if kind == "STEP":
            return value(k)
        span = keys[k + 1] - keys[k]
        t = (time - keys[k]) / span
        a, b = value(k), value(k + 1)
        if kind == "CUBICSPLINE":
            out, into = rows[3 * k + 2], rows[3 * k + 3]
            return [(2 * t**3 - 3 * t**2 + 1) * a[i] + span * (t**3 - 2 * t**2 + t) * out[i]
                    + (3 * t**2 - 2 * t**3) * b[i] + span * (t**3 - t**2) * into[i]
                    for i in range(width)]
        if turns:
            dot = sum(x * y for x, y in zip(a, b))
            if dot < 0:
                b, dot = [-y for y in b], -dot
            angle = math.acos(min(dot, 1.0))
            if angle > 1e-6:
                return [(math.sin((1 - t) * angle) * x + math.sin(t * angle) * y) / math.sin(angle)
                        for x, y in zip(a, b)]
        return [x + t * (y - x) for x, y in zip(a, b)]

    def pose(self, animation, time):
        """Returns the matrix of every node, and the weights of every node's mesh."""
        nodes = self.document["nodes"]
        changes = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            width = {"rotation": 4, "weights": 0}.get(path, 3)
            if path == "weights":
                mesh = self.document["meshes"][nodes[node]["mesh"]]
                width = len(mesh["primitives"][0]["targets"])
            changes[node, path] = self.sampled(animation["samplers"][channel["sampler"]], time,
                                               width, path == "rotation")
        parents = {c: i for i, node in enumerate(nodes) for c in node.get("children", [])}
        local = [local_matrix(node, i, changes) for i, node in enumerate(nodes)]

        def whole(i):
            return product(whole(parents[i]), local[i]) if i in parents else local[i]

        weights = [changes.get((i, "weights"), node.get("weights") or (
            self.document["meshes"][node["mesh"]].get("weights", []) if "mesh" in node else []))
                   for i, node in enumerate(nodes)]
        return [whole(i) for i in range(len(nodes))], weights

    # ---- Vertices

    def vertices(self, node_index, primitive, world, weights):
        node = self.document["nodes"][node_index]
        attributes = primitive["attributes"]
        points = [list(p) for p in self.elements(attributes["POSITION"])]
        for k, target in enumerate(primitive.get("targets", [])):
            weight = weights[node_index][k] if k < len(weights[node_index]) else 0
            for p, d in zip(points, self.elements(target["POSITION"])):
                for i in range(3):
                    p[i] += weight * d[i]
        joints = self.joint_matrices(node, attributes, world)
        return [moved(joints[v] if joints else world[node_index], p) for v, p in enumerate(points)]

    def joint_matrices(self, node, attributes, world):
        """Returns each vertex's weighted sum of its joints' matrices; None without a skin."""
        if "skin" not in node:
            return None
        skin = self.document["skins"][node["skin"]]
        inverse = [[[m[4 * c + r] for c in range(4)] for r in range(4)]
                   for m in self.elements(skin["inverseBindMatrices"])]
        joints = [product(world[j], m) for j, m in zip(skin["joints"], inverse)]
        sets = [(self.elements(attributes[f"JOINTS_{n}"]), self.elements(attributes[f"WEIGHTS_{n}"]))
                for n in range(4) if f"JOINTS_{n}" in attributes]
        out = []
        for v in range(len(sets[0][0])):
            pairs = [(int(j), w) for js, ws in sets for j, w in zip(js[v], ws[v])]
            total = sum(w for _, w in pairs)
            out.append([[sum(w / total * joints[j][r][c] for j, w in pairs) for c in range(4)] for r in range(4)])
        return out

    def normals(self, node_index, primitive, world, weights):
        """Returns normals of length 1, or None where they are undefined."""
        node = self.document["nodes"][node_index]
        attributes = primitive["attributes"]
        rows = [list(n) for n in self.elements(attributes["NORMAL"])]
        for k, target in enumerate(primitive.get("targets", [])):
            weight = weights[node_index][k] if k < len(weights[node_index]) else 0
            for n, d in zip(rows, self.elements(target["NORMAL"]) if "NORMAL" in target else []):
                for i in range(3):
                    n[i] += weight * d[i]
        joints = self.joint_matrices(node, attributes, world)
        return [turned(joints[v] if joints else world[node_index], n) for v, n in enumerate(rows)]

    def texture_coordinates(self, primitive):
        """Returns those of the base colour, transformed as the texture requires."""
        material = self.document["materials"][primitive["material"]]
        texture = material["pbrMetallicRoughness"]["baseColorTexture"]
        transform = texture.get("extensions", {}).get("KHR_texture_transform", {})
        chosen = transform.get("texCoord", texture.get("texCoord", 0))
        angle = transform.get("rotation", 0)
        scale, offset = transform.get("scale", [1, 1]), transform.get("offset", [0, 0])
        out = []
        for u, v in self.elements(primitive["attributes"][f"TEXCOORD_{chosen}"]):
            u, v = u * scale[0], v * scale[1]
            out.append((math.cos(angle) * u + math.sin(angle) * v + offset[0],
                        -math.sin(angle) * u + math.cos(angle) * v + offset[1]))
        return out


def product(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def moved(m, p):
    return [sum(m[r][k] * p[k] for k in range(3)) + m[r][3] for r in range(3)]


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v] if length > 1e-6 else None


def determinant(m):
    return sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3])
               for i in range(3))


def turned(m, n):
    """Transforms a normal by the inverse transpose, solved by Cramer's rule: m^T x = n."""
    d = determinant(m)
    if abs(d) < 1e-4 or unit(n) is None:
        return None
    t = [[m[c][r] for c in range(3)] for r in range(3)]
    x = []
    for k in range(3):
        changed = [[n[r] if c == k else t[r][c] for c in range(3)] for r in range(3)]
        x.append(determinant(changed) / d)
    return unit(x)


def local_matrix(node, index, changes):
    if "matrix" in node:
        m = node["matrix"]
        return [[m[4 * c + r] for c in range(4)] for r in range(4)]
    t = changes.get((index, "translation"), node.get("translation", [0, 0, 0]))
    q = changes.get((index, "rotation"), node.get("rotation", [0, 0, 0, 1]))
    s = changes.get((index, "scale"), node.get("scale", [1, 1, 1]))
    length = math.sqrt(sum(x * x for x in q))
    x, y, z, w = (v / length for v in q)
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)] + [[0, 0, 0, 1]]


def read_glb(data, kind=Gltf):
    """Returns the scene of a .glb with one buffer."""
    magic, version, size, length, chunk = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, size, chunk) == (b"glTF", 2, len(data), b"JSON")
    return kind(json.loads(data[20:20 + length]), data[28 + length:])
