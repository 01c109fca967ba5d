"""Registers families of hostile files: for each of them, how to make its files of size n, and the command that reads
them. The modules beside this one and test_steps.py add families."""
import collections
import io
import itertools
import shlex
import struct
import zipfile

from small_files import RED, gltf, make_md2, make_md3, md2_of, md3, worn

FAMILIES = {}


Family = collections.namedtuple("Family", "size most arguments make status memory")


def add(name, size, command, make, status=0, memory=16):
    """Adds a function that makes files of a size: the smallest size, the command's words in the files' folder, its exit
    status, and the memory that it may need, in multiples of its input. Two sizes: for the steps, which are counted
    slowly, and for the memory."""
    arguments = shlex.split(command)
    name = arguments[0] + ": " + name
    assert name not in FAMILIES, name
    FAMILIES[name] = Family(*(size if isinstance(size, tuple) else (size, size)), arguments, make, status, memory)


def family(size, command, **more):
    """Adds the function below, under its own name."""
    return lambda make: add(make.__name__.replace("_", " "), size, command, make, **more)


def variants(word, count):
    """Returns spellings of a word with mixed case."""
    spellings = itertools.product(*((c.lower(), c.upper()) for c in word))
    return list(itertools.islice(dict.fromkeys("".join(letters) for letters in spellings), count))


def pk3(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def md3_of(frames, triangles, surfaces=1, tags=()):
    """Makes an MD3 whose surfaces are equal: frames of positions in 1/64 units, and triangles."""
    rows = [(*position, 0) for frame in frames for position in frame]
    return make_md3([(b"s", b"t", triangles, [(0, 0)] * len(frames[0]), rows)] * surfaces, tags, len(frames))


def gltf_of(count, variants=0, name=None):
    """Makes `count` squares, each with a material and an image of its own."""
    images = [{"at": 0, "size": len(RED), "name": name or "p%d" % i} for i in range(count)]
    made = gltf(images, [worn(i) for i in range(count)], RED)
    if variants:
        made |= {"extensionsUsed": ["KHR_materials_variants"],
                 "extensions": {"KHR_materials_variants": {"variants": [{"name": "v"}] * variants}}}
    return made


def nodes_of(made, count):
    """Makes `count` nodes with the mesh, all in the scene."""
    made["nodes"] = [{"mesh": 0, "name": "n%d" % i} for i in range(count)]
    made["scenes"] = [{"nodes": list(range(count))}]
    return made


def unused(count, prefix="_unused"):
    return {prefix + str(i): 0 for i in range(count)}


def strip(count):
    return [(i, i + 1, i + 2) for i in range(count - 2)]


def triangle(frames):
    return md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)], frames)


def scaled(model, scale):
    """Scales the first frame of an MD2."""
    at, = struct.unpack_from("<i", model, 56)
    return model[:at] + struct.pack("<3f", scale, scale, scale) + model[at + 12:]


def waving(frames):
    return md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(frames)], [(0, 1, 2)])


def around_an_edge(count):
    return md3_of([[(0, 0, 0), (64, 0, 0)] + [(i % 999, i * 7 % 997, i % 31) for i in range(count)]],
                  [(0, 1, 2 + i) for i in range(count)])


def named_surfaces(count):
    return md3(["t%d" % i for i in range(count)])


def clips(count):
    return make_md2([b"clip%dx1" % i for i in range(count)], ())


def models(count):
    return {"m/%d.md2" % i: make_md2(skins=(b"x.pcx",)) for i in range(count)}


def mdl_of(poses, grouped):
    """Makes an MDL of a triangle: its poses are separate frames, or one group."""
    head = struct.pack("<4si3f3ff3f8if", b"IDPO", 6, 1, 1, 1, 0, 0, 0, 10, 0, 0, 0, 1, 4, 4, 3, 1,
                       1 if grouped else poses, 0, 0, 1.0)
    data = [head, struct.pack("<i", 0), bytes(16)]
    data += [struct.pack("<3i", 0, i, i) for i in range(3)] + [struct.pack("<4i", 1, 0, 1, 2)]
    if grouped:
        data += [struct.pack("<2i", 1, poses), bytes(8)]
        data += [struct.pack("<f", 0.1 * (i + 1)) for i in range(poses)]
    for i in range(poses):
        data += [b"" if grouped else struct.pack("<i", 0), bytes(8), (b"f%d" % i).ljust(16, b"\0"),
                 bytes((0, 0, 0, 0, 9, i % 200, 0, 0, 0, 9, 0, 0))]
    return b"".join(data)
