"""Compares Assimp's bones, as used by lerpmesh-import, with the same computed here from the files' numbers. The models
are synthetic MD5, whose vertices are sums of points in joints, and synthetic Collada, whose joints have matrices."""
import ctypes
import os
import random
import subprocess
import sys
import tempfile

import bake
import test_bake

READ = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
COUNT = 40


def rotation_of(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def matrix_of(place, q):
    return [row + [place[r]] for r, row in enumerate(rotation_of(q))] + [[0, 0, 0, 1]]


def random_rotation(chance):
    """Has w below 0, as MD5 requires, and large enough to compute it from the others."""
    while True:
        q = [chance.uniform(-1, 1) for _ in range(3)] + [chance.uniform(-1, -0.3)]
        length = sum(x * x for x in q) ** 0.5
        q = [round(x / length, 8) for x in q]
        rest = 1 - sum(x * x for x in q[:3])
        if rest > 0.05:
            return q[:3] + [-rest ** 0.5]


def vector(v):
    return "( " + " ".join(f"{x:.9g}" for x in v) + " )"


class Body:
    """Joints in a tree, some triangles, and a few frames."""

    def __init__(self, seed):
        self.chance = chance = random.Random(seed)
        self.parents = [-1] + [chance.randrange(j) for j in range(1, chance.randint(2, 6))]
        self.joints = len(self.parents)
        point = lambda: [round(chance.uniform(-9, 9), 5) for _ in range(3)]
        self.triangles = [[3 * t, 3 * t + 1, 3 * t + 2] for t in range(chance.randint(1, 6))]
        self.frames = [[(point(), random_rotation(chance)) for _ in self.parents] for _ in range(chance.randint(2, 6))]
        # Each vertex has a rest position, and is (joint, weight, the same point relative to the joint).
        self.rest = [point() for _ in range(3 * len(self.triangles))]
        seen = [inverse_of(m) for m in self.world(self.frames[0])]
        self.vertices = []
        for place in self.rest:
            joints = chance.sample(range(self.joints), chance.randint(1, min(3, self.joints)))
            shares = [chance.uniform(0.1, 1) for _ in joints]
            self.vertices.append([(j, s / sum(shares), bake.moved(seen[j], place)) for j, s in zip(joints, shares)])

    def world(self, pose):
        out = []
        for parent, (place, turn) in zip(self.parents, pose):
            local = matrix_of(place, turn)
            out.append(bake.product(out[parent], local) if parent >= 0 else local)
        return out


def md5_files(body):
    world = body.world(body.frames[0])
    mesh = [f'MD5Version 10\ncommandline ""\n\nnumJoints {body.joints}\nnumMeshes 1\n\njoints {{']
    turns = []
    for j, parent in enumerate(body.parents):
        q = body.frames[0][j][1]
        turns.append(multiplied(turns[parent], q) if parent >= 0 else q)
        q = turns[j] if turns[j][3] < 0 else [-x for x in turns[j]]
        mesh.append(f'\t"bone{j}" {parent} {vector([world[j][r][3] for r in range(3)])} '
                    f'{vector(q[:3])}')
    mesh.append('}\n\nmesh {\n\tshader "cloth"\n\n\tnumverts %d' % len(body.vertices))
    weights = []
    for v, parts in enumerate(body.vertices):
        mesh.append(f"\tvert {v} ( 0.25 0.75 ) {len(weights)} {len(parts)}")
        weights += parts
    mesh.append(f"\n\tnumtris {len(body.triangles)}")
    mesh += [f"\ttri {t} {a} {b} {c}" for t, (a, b, c) in enumerate(body.triangles)]
    mesh.append(f"\n\tnumweights {len(weights)}")
    mesh += [f"\tweight {w} {j} {share:.9g} {vector(p)}" for w, (j, share, p) in enumerate(weights)]
    mesh.append("}\n")
    anim = [f'MD5Version 10\ncommandline ""\n\nnumFrames {len(body.frames)}\nnumJoints '
            f'{body.joints}\nframeRate 20\nnumAnimatedComponents {6 * body.joints}\n\nhierarchy {{']
    anim += [f'\t"bone{j}" {p} 63 {6 * j}' for j, p in enumerate(body.parents)]
    anim.append("}\n\nbounds {")
    anim += ["\t( -99 -99 -99 ) ( 99 99 99 )" for _ in body.frames]
    anim.append("}\n\nbaseframe {")
    anim += ["\t( 0 0 0 ) ( 0 0 0 )" for _ in body.parents]
    anim.append("}\n")
    for f, pose in enumerate(body.frames):
        anim.append(f"frame {f} {{")
        anim += ["\t" + " ".join(f"{x:.9g}" for x in place + turn[:3]) for place, turn in pose]
        anim.append("}\n")
    return "\n".join(mesh).encode(), "\n".join(anim).encode()


def multiplied(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def md5_points(body, frame):
    """x forward, y left, z up, in the file as in the model."""
    world = body.world(body.frames[frame])
    return [[sum(share * bake.moved(world[j], p)[k] for j, share, p in parts) for k in range(3)]
            for parts in body.vertices]


# ---- Collada: vertices at rest, and the inverse of each joint's matrix there

def inverse_of(m):
    turn = [[m[c][r] for c in range(3)] for r in range(3)]
    return [turn[r] + [-sum(turn[r][c] * m[c][3] for c in range(3))] for r in range(3)] + [[0, 0, 0, 1]]


def flat(m):
    return " ".join(f"{x:.9g}" for row in m for x in row)


def source(name, values, stride, kind="float", param="X"):
    array = "Name_array" if kind == "name" else "float_array"
    return (f'<source id="{name}"><{array} id="{name}-a" count="{len(values)}">'
            f'{" ".join(x if kind == "name" else f"{x:.9g}" for x in values)}</{array}>'
            f'<technique_common><accessor source="#{name}-a" count="{len(values) // stride}" '
            f'stride="{stride}">' + (f'<param name="{param}" type="{kind}"/>' if stride != 3 else
                                     "".join(f'<param name="{p}" type="float"/>' for p in "XYZ"))
            + '</accessor></technique_common></source>')


def collada(body, metres):
    rest = body.world(body.frames[0])
    joints = [f"bone{j}" for j in range(body.joints)]
    shares = [s for parts in body.vertices for _, s, _ in parts]
    pairs, n = [], 0
    for parts in body.vertices:
        for j, _, _ in parts:
            pairs += [j, n]
            n += 1
    indices = " ".join(str(i) for t in body.triangles for i in t)
    local = [matrix_of(*pose) for pose in body.frames[0]]

    def node(j):
        below = "".join(node(k) for k, p in enumerate(body.parents) if p == j)
        return (f'<node id="bone{j}" sid="bone{j}" name="bone{j}" type="JOINT"><matrix sid="transform">'
                f'{flat(local[j])}</matrix>{below}</node>')

    times = [0.05 * f for f in range(len(body.frames))]
    moves = "".join(
        f'<animation id="m{j}">{source(f"m{j}-in", times, 1, param="TIME")}'
        + source(f"m{j}-out", [x for pose in body.frames for row in matrix_of(*pose[j]) for x in row],
                 16, "float4x4", "TRANSFORM").replace("float4x4_array", "float_array")
        + source(f"m{j}-how", ["LINEAR"] * len(times), 1, "name", "INTERPOLATION")
        + f'<sampler id="m{j}-s"><input semantic="INPUT" source="#m{j}-in"/>'
          f'<input semantic="OUTPUT" source="#m{j}-out"/>'
          f'<input semantic="INTERPOLATION" source="#m{j}-how"/></sampler>'
          f'<channel source="#m{j}-s" target="bone{j}/transform"/></animation>'
        for j in range(body.joints))
    return ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
            f'version="1.4.1"><asset><unit name="u" meter="{metres}"/><up_axis>Z_UP</up_axis></asset>'
            '<library_geometries><geometry id="g" name="g"><mesh>'
            + source("p", [x for p in body.rest for x in p], 3)
            + f'<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
            f'<triangles count="{len(body.triangles)}"><input semantic="VERTEX" source="#v" offset="0"/>'
            f'<p>{indices}</p></triangles></mesh></geometry></library_geometries>'
            '<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>'
            f'1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>'
            + source("j", joints, 1, "name", "JOINT")
            + source("i", [x for m in rest for row in inverse_of(m) for x in row], 16, "float4x4",
                     "TRANSFORM")
            + source("w", shares, 1, param="WEIGHT")
            + '<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" '
            f'source="#i"/></joints><vertex_weights count="{len(body.rest)}"><input semantic="JOINT" '
            'source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>'
            + " ".join(str(len(v)) for v in body.vertices) + "</vcount><v>"
            + " ".join(map(str, pairs)) + "</v></vertex_weights></skin></controller>"
            f"</library_controllers><library_animations>{moves}</library_animations>"
            '<library_visual_scenes><visual_scene id="s">' + node(0)
            + '<node id="mesh" name="mesh"><instance_controller url="#c"><skeleton>#bone0</skeleton>'
            "</instance_controller></node></visual_scene></library_visual_scenes><scene>"
            '<instance_visual_scene url="#s"/></scene></COLLADA>').encode()


def collada_points(body, frame, metres):
    """z up, seen from -y: (x, y, z) is (-y, x, z) of a model that faces along its x."""
    rest, world = body.world(body.frames[0]), body.world(body.frames[frame])
    moved = [bake.product(w, inverse_of(r)) for w, r in zip(world, rest)]
    out = []
    for place, parts in zip(body.rest, body.vertices):
        p = [0, 0, 0]
        for j, share, _ in parts:
            p = [a + share * b for a, b in zip(p, bake.moved(moved[j], place))]
        out.append([-p[1] * metres, p[0] * metres, p[2] * metres])
    return out


# ---- Comparing

ASSIMP = 2  # LM_IMPORTER_ASSIMP

def imported(library, name, data, beside, scale):
    def read(_user, uri, out, _error):
        if uri.decode() not in beside:
            return False
        library.lm_buffer_append(out, beside[uri.decode()], len(beside[uri.decode()]))
        return True

    callback = READ(read)
    options = test_bake.Options(name=name.encode(), importer=ASSIMP, scale=scale)
    options.read = ctypes.cast(callback, ctypes.c_void_p)
    error = ctypes.create_string_buffer(4096)
    made = library.lm_import_read(data, len(data), ctypes.byref(options), error)
    if not made:
        sys.exit(f"{name}: {bytes(c for c in error.raw if 31 < c < 127)[-300:]}")
    return made


def compare(library, made, what, frames, expected, triangles):
    """Triangles stay in their order; the winding is the format's and equal for all. Returns the largest
    difference relative to the size."""
    mesh = made.contents.mesh.contents
    assert (mesh.num_frames, mesh.num_surfaces) == (frames, 1), (what, mesh.num_frames)
    surface, worst, size = mesh.surfaces[0], 0.0, 1e-9
    assert surface.num_triangles == len(triangles), what
    ways = set()
    for frame in range(frames):
        points = expected(frame)
        for t, corners in enumerate(triangles):
            got = []
            for v in surface.triangles[3 * t:3 * t + 3]:
                at = 3 * (frame * surface.num_vertices + v)
                got.append(surface.positions[at:at + 3])
            wanted = [points[c] for c in corners]
            size = max(size, *(abs(x) for p in wanted for x in p))
            off = {}
            for way in (0, 1):
                order = wanted if way == 0 else wanted[::-1]
                for k in range(3):
                    turned = order[k:] + order[:k]
                    off[way] = min(off.get(way, 1e30), max(abs(x - y) for p, q in zip(got, turned)
                                                           for x, y in zip(p, q)))
            ways.add(min(off, key=off.get))
            worst = max(worst, min(off.values()))
    assert len(ways) == 1, what
    library.lm_import_free(made)
    return worst / size, ways.pop()


def reach_of(made):
    """Returns for each surface the largest distance of a vertex from its first position."""
    mesh, out = made.contents.mesh.contents, []
    for s in range(mesh.num_surfaces):
        surface, size = mesh.surfaces[s], 3 * mesh.surfaces[s].num_vertices
        rows = surface.positions[:mesh.num_frames * size]
        out.append(max(abs(x - rows[i % size]) for i, x in enumerate(rows)))
    return out


def compare_morphs(library, tool, sample):
    """A glTF of morph targets, which Assimp reads too, moves as far as without Assimp, except for its unit."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.glb")
        subprocess.run([tool, "convert", "-q", sample, "-o", path], check=True)
        with open(path, "rb") as file:
            data = file.read()
    own = library.lm_import_read(data, len(data), None, None)
    made = imported(library, "made.glb", data, {}, 0)
    wanted, got = reach_of(own), reach_of(made)
    library.lm_import_free(own)
    library.lm_import_free(made)
    assert len(got) == len(wanted) and min(wanted) > 0, wanted
    unit = wanted[0] / got[0]
    assert all(abs(unit * a - b) < 0.02 * b for a, b in zip(got, wanted)), (got, wanted)
    print(f"{len(got)} surfaces of morph targets move as far")


def main():
    path = os.environ.get("LERPMESH_IMPORT_SHARED_LIBRARY")
    if not path:
        print("skipped: built without lerpmesh-import")
        sys.exit(77)
    library = test_bake.load(path)
    library.lm_buffer_append.restype = None
    library.lm_buffer_append.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    if library.lm_importer_find(None, ctypes.c_size_t(0), b"x.md5mesh") != ASSIMP:
        print("skipped: built without Assimp, or it is not installed")
        sys.exit(77)
    compare_morphs(library, os.environ["LERPMESH_BINARY"],
                   os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples", "tick_head.mdc"))
    worst = {"MD5": 0.0, "Collada": 0.0}
    for seed in range(COUNT):
        body = Body(seed)
        mesh, anim = md5_files(body)
        made = imported(library, "made.md5mesh", mesh, {"made.md5anim": anim}, 1 / 0.0254)
        assert made.contents.num_diagnostics == 0, seed
        off, way = compare(library, made, f"md5 {seed}", len(body.frames),
                           lambda f: md5_points(body, f), body.triangles)
        assert way == 0, seed  # clockwise there too
        worst["MD5"] = max(worst["MD5"], off)
        metres = body.chance.choice([1, 0.01, 2.5])
        made = imported(library, "made.dae", collada(body, metres), {}, 1)
        assert made.contents.num_diagnostics == 1, seed  # Collada may have curves between its keys
        off, way = compare(library, made, f"collada {seed}", len(body.frames),
                           lambda f: collada_points(body, f, metres), body.triangles)
        assert way == 1, seed  # counter-clockwise
        worst["Collada"] = max(worst["Collada"], off)
    for name, off in worst.items():
        print(f"{COUNT} files of {name}, off by {off:.3g} of the model's size at most")
    if max(worst.values()) > 1e-5:
        sys.exit(1)


if __name__ == "__main__":
    main()
