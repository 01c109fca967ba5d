"""Hostile arguments. Inspection finds every public function, constructor, method and property of the package, and this
test calls each with values that are zero, negative, empty, huge, not finite, of a wrong type, shape or length, and with
closed objects, one wrong argument at a time. Processes of their own do so, because no call may end the interpreter: it
returns or raises an exception. DEMANDED and is_demanded() say which calls must raise one.

    test_python_hostile.py [FILTER]        FILTER: only calls whose names contain it"""
import dataclasses
import inspect
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

import package
import numpy as np

import lerpmesh
from lerpmesh.library import Handle

# ---- Valid values -----------------------------------------------------------------------------

SQUARE = np.array([[[x, y, frame] for x in (0, 8) for y in (0, 8)] for frame in range(4)], np.float32)
PIXELS = np.full((8, 8, 4), 200, np.uint8)


def mesh():
    surface = lerpmesh.MeshSurface("square", SQUARE, np.array([[0, 2, 1], [1, 2, 3]]), SQUARE[0, :, :2] / 8,
                                   np.array([[0, 2, 1], [1, 2, 3]]), SQUARE + 1, [lerpmesh.Material("a.tga", 0)], 0,
                                   "head", "v_square")
    return lerpmesh.Mesh([surface], [clip()], {"tag_top": np.tile(np.eye(4, dtype=np.float32), (4, 1, 1))}, ["skin"], "mesh",
                         ["a1", "a2", "a3", "a4"], [lerpmesh.EmbeddedSkin(np.zeros((1, 8, 8), np.uint8), None)], (8, 8))


def clip():
    return lerpmesh.Clip("a", 0, 4, 10.0, 4, False, (0.0, 0.1, 0.2, 0.3, 0.4))


class World:
    """The files and objects that valid calls use, in the current folder."""

    def __init__(self):
        plain = mesh()
        plain.embedded_skins, plain.skins = [], []
        self.md3, self.md2 = plain.encode("md3").data, plain.encode("md2", engine="any").data
        self.files = {"a.md3": self.md3, "a.md2": self.md2, "a.tga": lerpmesh.write_image(PIXELS, "tga"),
                      "a.png": lerpmesh.write_image(PIXELS, "png"), "a.skin": b"square,a.tga",
                      "animation.cfg": b"0 4 4 10 // RUN", "a.glb": lerpmesh.convert(lerpmesh.load(self.md3), "glb").data}
        for name, data in self.files.items():
            with open(name, "wb") as file:
                file.write(data)
        with zipfile.ZipFile("a.pk3", "w") as archive:
            archive.writestr("models/a.md3", self.md3)
        self.problem = lerpmesh.Diagnostic("name-junk", "warning", "", None, lerpmesh.Location("header", 8, 0, 0), 1)

    def model(self):
        return lerpmesh.load(self.md3)

    def scene(self):
        return lerpmesh.open("a.md3", skin="square=a.tga")

    def instance(self, name):
        """Returns an object of a class of the package."""
        makers = {
            "Model": self.model, "Surface": lambda: self.model().surfaces[0], "Scene": self.scene,
            "Part": lambda: self.scene().parts[0], "Texture": lambda: self.scene().textures[0],
            "Document": lambda: lerpmesh.Document(self.md3), "Archive": lambda: lerpmesh.Archive("a.pk3"),
            "Skeleton": lambda: self.model().skeleton(), "Mesh": mesh, "Clip": clip,
            "MeshSurface": lambda: mesh().surfaces[0], "Error": lambda: lerpmesh.Error("a", "b"),
            "Converted": lambda: lerpmesh.convert("a.md3", "md2")}
        return makers[name]()

    def valid(self, owner, name, parameter):
        """Returns a valid argument, or the parameter's default value."""
        special = {
            ("", "change_clip", "source"): b"0 4 4 10 // RUN", ("", "read_clips", "source"): b"0 4 4 10 // RUN",
            ("", "read_image", "source"): self.files["a.png"], ("", "read_skin", "source"): self.files["a.skin"],
            ("", "import_mesh", "source"): self.files["a.glb"], ("", "import_mesh", "name"): "a.glb",
            ("", "open", "clips"): "none", ("", "open", "attach"): [lerpmesh.Attachment("tag_top", "a.md3")],
            ("", "open", "skin"): ["square=a.tga"], ("", "list_models", "path"): "a.pk3",
            ("", "write_clips", "format"): "animation-cfg", ("", "compose", "format"): "md3",
            ("", "compose", "source"): self.composed, ("", "convert", "source"): self.composed,
            ("", "convert", "path"): "out.md2", ("", "convert", "format"): "md2",
            ("", "write_image", "format"): "png", ("", "write_skin", "surfaces"): {"square": "a.tga"},
            ("", "write_skin", "tags"): ["tag_a"], ("Archive", "read", "path"): "models/a.md3",
            ("Archive", "Archive", "path"): "a.pk3", ("Document", "append", "other"): lambda: lerpmesh.Document(self.md3),
            ("Document", "put_frames", "mesh"): lambda: lerpmesh.Mesh.from_model(self.model()),
            ("Document", "Document", "source"): self.md2, ("Document", "rename", "name"): "b",
            ("Document", "add_skin", "path"): "b.pcx", ("Document", "clip", "index"): 0,
            ("Document", "move_tag", "tag"): 0, ("", "convert", "progress"): lambda: lambda *_: True, ("", "open", "palette"): None,
            ("", "import_mesh", "tags"): [("tag_a", "tag_top")],
            ("Mesh", "select_frames", "poses"): [0, (1, 2, 0.5)], ("Mesh", "select_frames", "clips"): (),
            ("Mesh", "encode", "format"): "mdl",
            ("Model", "bake", "positions"): lambda: np.empty((4, 4, 3), np.float32),
            ("Model", "bake_normals", "normals"): lambda: np.empty((4, 4, 3), np.float32),
            ("Scene", "transforms", "poses"): [(0, 1, 0.5)], ("Scene", "with_skin", "skin"): 0,
            ("Scene", "pose", "clip"): "run", ("Part", "Part", "scene"): self.scene}
        common = {
            "source": self.md3, "path": "a.md3", "paths": ["a.md3", "a.md2", "no file"], "threads": 2, "num_frames": 4,
            "index": 0, "clip": clip, "clips": lambda: [clip()], "a": mesh, "b": self.model, "pixels": PIXELS,
            "palette": np.zeros((256, 3), np.uint8), "files": {"out.txt": b"text"}, "stop": ["other.txt"],
            "optional": ["other.txt"], "tags": [("tag_a", "node")], "loops": ["a"], "onces": ["a"], "games": ["."],
            "textures": [PIXELS], "pose": (0, 1, 0.5), "surface": 0, "positions": lambda: np.empty((4, 3), np.float32),
            "normals": lambda: np.empty((4, 3), np.float32), "tag": "tag_top", "frame": 1, "first": 0, "count": 2,
            "seconds": 0.1, "problem": self.problem, "codes": "name-junk", "what": "frames", "indices": [0, 1, 1],
            "substitution": "s/a/b/", "words": "0", "name": "a",
            "by": (1.0, 0.0, 0.0), "origin": (1.0, 2.0, 3.0), "tolerance": 0.1, "matrix": np.eye(4, dtype=np.float32),
            "triangles": 1, "fps": 5.0, "progress": lambda: lambda *_: True, "shared_grid": lambda: [mesh()],
            "file_name": "animation.cfg", "model": self.model, "mesh": mesh, "folder": "models"}
        value = special.get((owner, name, parameter.name), parameter.default)
        is_option = name == "convert" and parameter.default is None  # as the command's
        if not is_option and (owner, name, parameter.name) not in special and (value in (None, ()) or value is parameter.empty):
            value = common.get(parameter.name, value)
        return value() if inspect.isfunction(value) or inspect.ismethod(value) else value

    @staticmethod
    def composed():
        plain = mesh()
        plain.embedded_skins = []
        return plain


# ---- Wrong values -----------------------------------------------------------------------------


class Liar(list):
    """A list that claims to be longer."""

    def __len__(self):
        return 1000


class Array(np.ndarray):
    """An array that claims to be larger."""

    shape = property(lambda self: (4, 3))


def wrong_arrays(value):
    yield "empty", value[:0]
    yield "flat", value.ravel()
    yield "scalar", value.dtype.type(1)
    for axis in range(value.ndim):
        yield f"side {axis} is 0", np.zeros([0 if i == axis else n for i, n in enumerate(value.shape)], value.dtype)
        yield f"side {axis} is longer", np.repeat(value, 3, axis)
    yield "huge", np.broadcast_to(value[:1], (2**40, *value.shape[1:]))
    for kind in (complex, str, object, bool, np.int64, np.float64, "M8[s]", ">f4", ">u4", "u8"):
        yield f"of {np.dtype(kind)}", value.astype(kind)
    yield "negative", -1 - value.astype(np.int64)
    yield "large", value.astype(np.int64) + 2**40
    yield "not finite", np.full(value.shape, np.nan, np.float32)
    yield "infinite", np.full(value.shape, -np.inf)
    yield "ragged", [[1], [2, 3]]
    yield "with gaps", np.repeat(value, 2, -1)[..., ::2]
    locked = value.copy()
    locked.flags.writeable = False
    yield "locked", locked
    yield "false", value.ravel()[:2].copy().view(Array)


def wrong(value):
    """Yields names and wrong values in the place of a valid one."""
    yield "object", object()
    if isinstance(value, bool):
        yield from {"2": 2, "negative": -1, "none": None, "text": "yes"}.items()
    elif isinstance(value, (int, float)):
        yield from {"zero": 0, "negative": -1, "fraction": 0.5, "2^31": 2**31, "2^32": 2**32, "2^64": 2**64,
                    "large": 1e308, "nan": float("nan"), "infinite": float("inf"), "minus infinite": -float("inf"),
                    "text": "1", "none": None}.items()
    elif isinstance(value, str):
        yield from {"empty": "", "nul": "a\0b", "long": "x" * 70000, "surrogate": "\ud800", "bytes": b"a", "number": 1,
                    "format": "%s%n%99999999d", "name-size": "name-size", "none": None}.items()
    elif isinstance(value, bytes):
        yield from {"empty": b"", "short": value[:20], "zeros": bytes(len(value)), "changed": value[:60] + b"\xff" * 9,
                    "bytearray": bytearray(value), "gaps": memoryview(value)[::2], "count": 2**40, "nul": "\0",
                    "floats": memoryview(np.zeros(8, np.float32)), "none": None, "missing": "no file"}.items()
    elif isinstance(value, np.ndarray):
        yield from wrong_arrays(value)
    elif isinstance(value, Handle):
        value.close()
        yield "closed", value
    elif dataclasses.is_dataclass(value) or hasattr(value, "_fields"):
        names = getattr(value, "_fields", None) or [field.name for field in dataclasses.fields(value)]
        for name in names:
            for label, other in wrong(getattr(value, name)):
                try:
                    changed = value._replace(**{name: other}) if hasattr(value, "_replace") else \
                        dataclasses.replace(value, **{name: other})
                except (TypeError, ValueError):
                    continue
                yield f"{name}: {label}", changed
        if isinstance(value, tuple):
            yield "short", tuple(value)[:1]
    elif isinstance(value, dict):
        yield "empty", {}
        for key, item in value.items():
            yield from ((f"key: {label}", {other: item}) for label, other in wrong(key)
                        if getattr(other, "__hash__", None) and not isinstance(other, np.ndarray))
            yield from ((f"item: {label}", {key: other}) for label, other in wrong(item))
    elif isinstance(value, (list, tuple)):
        yield "empty", value[:0]
        yield "number", 3
        yield "liar", Liar(value)
        yield "long", [*value] * 300
        for item in value[:1]:
            yield from ((f"[0]: {label}", type(value)([other, *value[1:]])) for label, other in wrong(item))
    elif callable(value):
        def fail(*_):
            raise KeyError("no")
        yield from {"failing": fail, "stopping": lambda *_: False, "none": None}.items()
    elif value is None:
        yield from {"zero": 0, "negative": -1, "2^64": 2**64, "nan": float("nan"), "empty": "", "nul": "\0", "text": "x",
                    "list": [], "bytes": b"\0", "true": True}.items()


# ---- Calls ------------------------------------------------------------------------------------

# These raise an exception; so do all calls of is_demanded().
DEMANDED = {
    "load_many(threads = zero)", "load_many(threads = negative)", "Clip(count = zero)", "Clip(count = negative)",
    "write_image(pixels = empty)", "write_image(pixels = side 0 is 0)", "write_image(pixels = side 1 is 0)",
    "write_image(pixels = huge)", "write_image(pixels = of complex128)", "write_image(pixels = of object)",
    "write_image(pixels = large)", "write_image(pixels = negative)", "write_image(palette = empty)",
    "compose(textures = [0]: side 0 is 0)", "compose(textures = [0]: side 1 is 0)", "compose(textures = liar)",
    "convert(textures = [0]: side 0 is 0)", "Mesh.encode(self: surfaces: [0]: triangles: negative)",
    "Mesh.encode(self: surfaces: [0]: triangles: large)", "Mesh.encode(self: surfaces: [0]: positions: not finite)",
    "Mesh.encode(self: embedded_skins: [0]: indices: side 1 is 0)",
    "Clip.pose(self: times: empty)", "Clip.pose(self: fps: nan)", "Clip.pose(self: loop_frames: 2^31)",
    "Clip.duration(self: fps: zero)", "Document.names(what = name-size)", "Document.select(indices = [0]: negative)",
    "Model.sample(surface = negative)", "Model.sample(surface = 2^32)", "Model.sample_into(positions = false)",
    "Model.sample_into(positions = locked)", "Model.bake(positions = with gaps)", "Part(index = negative)",
    "Part(index = 2^31)", "Skeleton.evaluate(frame = negative)", "Scene.transforms(poses = empty)",
    "load(source = count)", "load(source = nul)", "write_clips(clips = [0]: first: 2^32)",
}
# Arguments in whose place any object serves.
ANY = {"Error(message", "Error(code", "Error(offset", "Error(section", "Error(surface", "Error(index", "convert(options",
       "write_files(stop", "write_files(optional", "fix_all(codes", "add_skin(path",
       "add_tag(name", "add_tag(frame"}


def is_demanded(owner, name, label, parameter):
    """Returns true if a call must raise an exception: closed objects, and objects of no use."""
    kind = getattr(lerpmesh, name, None) if not owner or owner == name else None
    if owner == name and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")):
        return False  # values, which are checked when they are used
    if parameter is None or label != "object":
        return label == "closed"
    return not isinstance(parameter.default, bool) and f"{name}({parameter.name}" not in ANY


def callables():
    """Yields the class, or "", the name and the function of everything that is public."""
    for name in lerpmesh.__all__:
        item = getattr(lerpmesh, name)
        if inspect.isfunction(item):
            yield "", name, item
        elif inspect.isclass(item):
            yield name, name, item
            for member, value in inspect.getmembers_static(item) if hasattr(inspect, "getmembers_static") else vars(item).items():
                if not member.startswith("_") and (inspect.isfunction(value) or is_property(value) or
                                                   isinstance(value, staticmethod)):
                    yield name, member, value


def parameters_of(function):
    found = inspect.signature(function).parameters.values()
    return [p for p in found if p.name != "self" and p.kind != p.VAR_KEYWORD]


def is_property(item):
    return hasattr(item, "fget") or hasattr(item, "func")


def is_value(kind):
    """Returns true for classes that only hold what they are given."""
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")


def cases(world, chosen):
    """Yields the name of each call, a function that makes it, and whether it must raise an exception."""
    for owner, name, item in callables():
        kind = getattr(lerpmesh, owner) if owner else None
        title = f"{owner}.{name}" if owner not in ("", name) else name
        if chosen not in title or (owner == name and is_value(kind) and kind is not lerpmesh.Clip):
            continue
        function = item.__func__ if isinstance(item, staticmethod) else item
        parameters = [] if is_property(item) else parameters_of(function)
        is_method = owner not in ("", name) and not isinstance(item, staticmethod)
        if owner == name and issubclass(item, (lerpmesh.Model, lerpmesh.Surface, lerpmesh.Scene, lerpmesh.Texture,
                                               lerpmesh.Skeleton)):
            for bad in (None, 0, -1, "x", object()):
                yield f"{title}({bad!r:.9})", lambda bad=bad: repr(item(*[bad] * len(parameters))), True
            continue

        def call(me, arguments, item=item, name=name, parameters=parameters, is_method=is_method):
            target = getattr(me, name) if is_method else item.__func__ if isinstance(item, staticmethod) else item
            if is_property(item):
                return target
            positional = [v for p, v in zip(parameters, arguments) if p.kind != p.KEYWORD_ONLY]
            return target(*positional, **{p.name: v for p, v in zip(parameters, arguments) if p.kind == p.KEYWORD_ONLY})

        def valid(owner=owner, name=name, parameters=parameters):
            return [world.valid(owner, name, p) for p in parameters]

        def me(owner=owner, is_method=is_method):
            return world.instance(owner) if is_method else None

        yield f"{title}()", lambda call=call, me=me, valid=valid: call(me(), valid()), None
        for i, parameter in enumerate(parameters):
            for number, (label, _) in enumerate(wrong(valid()[i])):
                def changed(call=call, me=me, valid=valid, i=i, number=number):
                    arguments = valid()
                    arguments[i] = next(itertools.islice(wrong(arguments[i]), number, None))[1]
                    return call(me(), arguments)
                text = f"{title}({parameter.name} = {label})"
                yield text, changed, text in DEMANDED or is_demanded(owner, name, label, parameter)
        if is_method and owner != "Error":
            for number, (label, _) in enumerate(wrong(me())):
                if label != "object":
                    def on_wrong(call=call, me=me, valid=valid, number=number):
                        return call(next(itertools.islice(wrong(me()), number, None))[1], valid())
                    text = f"{title}(self: {label})"
                    yield text, on_wrong, label == "closed" and name != "close" or text in DEMANDED


def child(first, chosen):
    """Makes the calls from number `first` on. Prints the number and the name before each, and what is wrong."""
    np.seterr(all="ignore")
    import warnings
    warnings.simplefilter("ignore")
    os.environ["PYTHONUNBUFFERED"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        world = World()
        seen = set()
        for number, (name, call, demanded) in enumerate(cases(world, chosen)):
            seen.add(name)
            if number < first:
                continue
            os.write(1, f"{number}\t{name}\n".encode("utf-8", "replace"))
            try:
                call()
                raised = None
            except Exception as error:
                raised = error
            if isinstance(raised, (SystemError, AssertionError)):
                os.write(1, f"wrong\t{name}: {raised!r}\n".encode("utf-8", "replace"))
            elif demanded is None and raised is not None:
                os.write(1, f"wrong\t{name}: a valid call fails: {raised!r:.300}\n".encode("utf-8", "replace"))
            elif demanded and raised is None:
                os.write(1, f"wrong\t{name}: no exception\n".encode("utf-8", "replace"))
        for name in sorted(DEMANDED - seen) if not chosen else ():
            os.write(1, f"wrong\t{name}: there is no such call\n".encode())
        os.chdir("/")
    os.write(1, b"end\n")


def run(chosen=""):
    """Returns the number of calls and what was wrong."""
    count, found = 0, []
    while True:
        done = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "--child", str(count), chosen],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                              check=False)
        lines = done.stdout.splitlines()
        found += [line[6:] for line in lines if line.startswith("wrong\t")]
        numbered = [line.split("\t", 1) for line in lines if line[:1].isdigit()]
        if lines and lines[-1] == "end":
            return int(numbered[-1][0]) + 1 if numbered else count, found
        if not numbered:
            raise AssertionError(f"status {done.returncode}: {done.stderr[-3000:]}")
        found.append(f"{numbered[-1][1]}: the interpreter ended with {done.returncode}: {done.stderr[-1500:]}")
        count = int(numbered[-1][0]) + 1


# ---- Closing while other threads read ---------------------------------------------------------


def reads_of(world):
    """Yields the name of a class, and a function that uses an object of it."""
    for owner, member, item in callables():
        if owner not in ("Model", "Scene", "Document", "Archive", "Skeleton") or member in ("close", owner):
            continue
        given = [] if is_property(item) else [(p, lambda p=p, owner=owner, member=member: world.valid(owner, member, p))
                                              for p in parameters_of(item)]

        def read(thing, member=member, given=given):
            value = getattr(thing, member)
            if given or inspect.ismethod(value):
                value(*(make() for p, make in given if p.kind != p.KEYWORD_ONLY),
                      **{p.name: make() for p, make in given if p.kind == p.KEYWORD_ONLY})
        yield owner, read
    yield "Model", lerpmesh.Mesh.from_model
    yield "Model", lambda model: lerpmesh.convert(model, "glb")
    yield "Model", lambda model: lerpmesh.compare(model, model)
    yield "Skeleton", lambda skeleton: lerpmesh.convert(world.used, "glb", skeletons=[skeleton])
    yield "Scene", lambda scene: lerpmesh.convert(scene, "glb")
    yield "Scene", lerpmesh.compose
    yield "Scene", lambda scene: [(part.clips, part.skins, texture.data) for part in scene.parts for texture in scene.textures]


def close_while_reading(rounds):
    """Threads use an object in every way while another one closes it. Each gets a result or ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        world = World()
        world.used = world.model()
        for name, read in reads_of(world):
            for _ in range(rounds):
                read_and_close(world.instance(name), read)
        os.chdir("/")


def read_and_close(thing, read):
    started, closed = threading.Event(), threading.Event()

    def repeat():
        started.set()
        late = False
        while not late:
            late = closed.is_set()
            try:
                read(thing)
            except ValueError:
                return
            except lerpmesh.Error:  # of a document that another thread has changed
                pass
        raise AssertionError("a closed object works")

    threads = [threading.Thread(target=repeat) for _ in range(2)]
    for thread in threads:
        thread.start()
    started.wait()
    thing.close()
    closed.set()
    for thread in threads:
        thread.join()


class Hostile(unittest.TestCase):
    maxDiff = None

    def test_no_call_ends_the_interpreter(self):
        count, found = run()
        print(f"{count} calls")
        self.assertGreater(count, 3000)
        self.assertEqual(found, [])

    def test_closing_outlives_readers(self):
        done = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "--close"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:] == ["--close"]:
        sys.setswitchinterval(1e-6)
        close_while_reading(4)
    elif len(sys.argv) > 1:
        print(json.dumps(run(sys.argv[1]), indent=1))
    else:
        unittest.main(argv=sys.argv[:1])
