"""Compares shader scripts read by lerpmesh-assets with the oracle in oracle/shaders.py: synthetic and
damaged ones, or those in the given archives.

The reader is internal, so the test compiles a library that calls it.

Environment: LERPMESH_SOURCE_DIR, LERPMESH_ASSETS_STATIC_LIBRARY, LERPMESH_STATIC_LIBRARY, CC."""
import ctypes
import math
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from ctypes import POINTER, Structure, c_bool, c_char_p, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

import shaders as oracle

MADE = 400
DAMAGED = 1200
SEED = 7

# ---- lerpmesh/scene.h, lerpmesh/assets.h -----------------------------------------------------------

class Wave(Structure):
    _fields_ = [("base", c_float), ("amplitude", c_float), ("phase", c_float), ("frequency", c_float),
                ("function", c_int)]

    def tuple(self):
        return (self.function, self.base, self.amplitude, self.phase, self.frequency)


class TcMod(Structure):
    _fields_ = [("values", c_float * 6), ("wave", Wave), ("kind", c_int)]


class Stage(Structure):
    _fields_ = [("num_images", c_uint32), ("pictures", POINTER(c_uint32)), ("image_rate", c_float),
                ("clamp", c_bool), ("tc_gen", c_int), ("tc_vectors", c_float * 6),
                ("num_tc_mods", c_uint32), ("tc_mods", POINTER(TcMod)), ("blended", c_bool),
                ("source", c_int), ("destination", c_int), ("alpha_test", c_int), ("rgb_gen", c_int),
                ("rgb", c_float * 3), ("rgb_wave", Wave), ("alpha_gen", c_int), ("alpha", c_float),
                ("alpha_wave", Wave), ("range", c_float), ("keeps_depth", c_bool),
                ("depth_equal", c_bool)]


class Deform(Structure):
    _fields_ = [("spread", c_float), ("values", c_float * 3), ("wave", Wave), ("kind", c_int)]


class Shader(Structure):
    _fields_ = [("name", c_char_p), ("path", c_char_p), ("line", c_uint32), ("hidden", c_bool),
                ("sides", c_int), ("sort", c_float), ("polygon_offset", c_bool), ("trans", c_bool),
                ("nodraw", c_bool), ("num_deforms", c_uint32), ("deforms", POINTER(Deform)),
                ("num_stages", c_uint32), ("stages", POINTER(Stage)), ("base", c_uint32), ("reserved", c_uint64 * 2)]


class ScriptShader(Structure):
    _fields_ = [("shader", Shader), ("num_images", c_uint32), ("pictures", POINTER(c_char_p))]


class Script(Structure):
    _fields_ = [("text", c_char_p), ("num_labels", c_uint32)]


CALLS = """
#include "shaders/script.h"
lm_script *script_read(const char *text, size_t size) { return lmi_script_read(text, size, NULL, NULL); }
lm_script_shader *shader_read(const lm_script *script, uint32_t label) {
    lm_script_shader *shader = lmi_object_new(NULL, sizeof *shader);
    return lmi_shader_fill(script, label, lmi_arena_of(shader), shader) ? shader : NULL;
}
void object_free(void *object) { lmi_object_free(object); }
size_t struct_size(const char *name) { return lm_struct_size(name); }
"""


def load():
    source = os.environ["LERPMESH_SOURCE_DIR"]
    folders = [f"-I{source}/{folder}" for folder in ("include", "src", "assets")]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", *folders, "-o", path, "-x", "c", "-", "-x", "none",
                        os.environ["LERPMESH_ASSETS_STATIC_LIBRARY"], os.environ["LERPMESH_STATIC_LIBRARY"], "-lm"],
                       input=CALLS, text=True, check=True)
        library = ctypes.CDLL(path)
    library.struct_size.restype = c_size_t
    for mirror in (Wave, TcMod, Stage, Deform, Shader):
        name = "lm_tc_mod" if mirror is TcMod else f"lm_{mirror.__name__.lower()}"
        if library.struct_size(name.encode()) != ctypes.sizeof(mirror):
            sys.exit(f"this test has {ctypes.sizeof(mirror)} bytes for {name}, the library "
                     f"{library.struct_size(name.encode())}")
    library.script_read.restype = POINTER(Script)
    library.script_read.argtypes = [c_char_p, c_size_t]
    library.shader_read.restype = POINTER(ScriptShader)
    library.shader_read.argtypes = [POINTER(Script), c_uint32]
    library.object_free.argtypes = [c_void_p]
    return library


# ---- Comparing --------------------------------------------------------------------------------------

def stage_of(read: ScriptShader, stage: Stage) -> list:
    moves = [(m.kind, *m.values, *m.wave.tuple()) for m in stage.tc_mods[:stage.num_tc_mods]]
    return [[read.pictures[stage.pictures[i]].split(b"\0")[0] for i in range(stage.num_images)],
            stage.image_rate, stage.clamp, stage.tc_gen, list(stage.tc_vectors), moves,
            (stage.source, stage.destination) if stage.blended else None, stage.alpha_test,
            stage.rgb_gen, list(stage.rgb), stage.rgb_wave.tuple(), stage.alpha_gen, stage.alpha,
            stage.alpha_wave.tuple(), stage.range, stage.depth_equal, stage.keeps_depth]


def shader_of(read: ScriptShader) -> list:
    s = read.shader
    deforms = [(d.kind, *d.values, d.spread, *d.wave.tuple()) for d in s.deforms[:s.num_deforms]]
    return [s.name, s.sides, s.sort, s.polygon_offset, s.trans, s.nodraw, deforms, s.base,
            [stage_of(read, stage) for stage in s.stages[:s.num_stages]]]


def expected_of(s: oracle.Shader) -> list:
    stages = [[t.pictures, t.rate, t.clamp, t.tc_gen, t.vectors, t.moves, t.blend, t.test, t.rgb_gen,
               t.rgb, t.rgb_wave, t.alpha_gen, t.alpha, t.alpha_wave, t.range, t.depth_equal,
               t.blend is not None and not t.writes_depth] for t in s.stages]
    return [s.name, s.sides, s.sort, s.offset, s.trans, s.nodraw, s.deforms, s.base, stages]


def is_same(a, b) -> bool:
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-37)
    return a == b


def compare(library, text: bytes) -> str | None:
    script = library.script_read(text, len(text))
    found = []
    for label in range(script.contents.num_labels):
        shader = library.shader_read(script, label)
        found.append(shader_of(shader.contents))
        library.object_free(shader)
    library.object_free(script)
    expected = [expected_of(shader) for shader in oracle.read(text)]
    if len(found) != len(expected):
        return f"{len(found)} shaders, the oracle has {len(expected)}"
    for got, wanted in zip(found, expected):
        if not is_same(got, wanted):
            return f"{got}\nthe oracle has\n{wanted}"
    return None


# ---- Scripts ----------------------------------------------------------------------------------------

class Maker:
    """Makes scripts of the grammar's elements, and a few errors."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def pick(self, words):
        word = self.random.choice(list(words))
        return word.upper() if self.random.random() < 0.1 else word

    def number(self) -> str:
        return self.random.choice(["0", "1", "-2.5", ".5", "1e2", "-3.25e-1", "7x", "+4", "1e99", "x"])

    def numbers(self, count: int) -> str:
        count -= self.random.random() < 0.05
        return " ".join(self.number() for _ in range(count))

    def wave(self) -> str:
        return self.pick([*oracle.FUNCTIONS, "jitter"]) + " " + self.numbers(4)

    def vector(self) -> str:
        return f"( {self.numbers(3)} )"

    def picture(self) -> str:
        return self.pick(["a.tga", "models/b", '"c d.jpg"', "$whiteimage", "$lightmap", '""', "e/*f*/g"])

    def factor(self) -> str:
        return "GL_" + self.pick([*oracle.FACTORS, "half"])

    def general(self) -> str:
        return self.random.choice([
            lambda: "cull " + self.pick([*oracle.SIDES, "front", ""]),
            lambda: "sort " + self.pick([*oracle.SORTS, "5.5", "-1"]),
            lambda: "surfaceparm " + self.pick(["trans", "nodraw", "sky"]),
            lambda: "polygonOffset",
            lambda: "nopicmip cull none",
            lambda: "q3map_sun 1 2 3",
            lambda: "fogparms " + self.vector() + " 5",
            lambda: "tesssize 64",
            lambda: "light 1",
            lambda: "jitter 1 2",
            lambda: "deformVertexes wave " + self.numbers(1) + " " + self.wave(),
            lambda: "deformVertexes bulge " + self.numbers(3),
            lambda: "deformVertexes move " + self.numbers(3) + " " + self.wave(),
            lambda: "deformVertexes " + self.pick(["normal 1 2", "autosprite", "autosprite2", "text3"]),
            lambda: self.pick(["implicitMap", "implicitMask", "implicitBlend"]) + " "
            + self.pick(["-", "", "x.tga"])])()

    def word(self) -> str:
        return self.random.choice([lambda: self.pick(["map", "clampmap", "map32", "map16", "mapcomp", "mapnocomp"])
                                   + " " + self.picture(), lambda: "animMap " + self.number() + " "
                                   + " ".join(self.picture() for _ in range(self.random.choice([0, 1, 3, 20]))),
                                   lambda: "blendFunc " + self.pick(["add", "filter", "blend", "half"]),
                                   lambda: f"blendFunc {self.factor()} {self.factor()}", lambda: "rgbGen wave "
                                   + self.wave(), lambda: "rgbGen const " + self.vector(), lambda: "rgbGen "
                                   + self.pick([*oracle.RGB[:8], "dynamic"]), lambda: "alphaGen "
                                   + self.pick([*oracle.ALPHA[:5], "portal 64", "const 0.5", "portal"]),
                                   lambda: "alphaGen wave " + self.wave(), lambda: "tcGen "
                                   + self.pick(["base", "environment", "lightmap", "texture", "sphere"]),
                                   lambda: f"texgen vector {self.vector()} {self.vector()}", lambda: "tcMod "
                                   + self.pick(["scroll", "scale", "rotate", "transform", "jitter"]) + " "
                                   + self.numbers(self.random.choice([1, 2, 6])), lambda: "tcMod turb "
                                   + self.numbers(4), lambda: "tcMod stretch " + self.wave(), lambda: "alphaFunc "
                                   + self.pick(["GT0", "LT128", "GE128", "EQ5"]),
                                   lambda: self.pick(["depthWrite", "depthFunc equal", "depthFunc lequal", "detail",
                                                      "fog off"]), lambda: "jitter { 1 }"])()

    def end(self) -> str:
        return self.random.choice(["\n", "\r\n", "\r", " ", "\t// c\n", " /* d\n */\n", "\n\n"])

    def block(self, lines) -> str:
        return "{" + self.end() + "".join(line + self.end() for line in lines) + "\n}" + self.end()

    def script(self) -> bytes:
        text = ""
        for _ in range(self.random.randint(1, 4)):
            parts = [self.general() for _ in range(self.random.randint(0, 5))]
            parts += [self.block(self.word() for _ in range(self.random.randint(0, 7)))
                      for _ in range(self.random.choice([0, 1, 2, 3, 10]))]
            self.random.shuffle(parts)
            text += self.pick(["models/a", "b.c", '"d e"', "f//g\n"]) + self.end() + self.block(parts)
        return text.encode("latin-1")

    def damage(self, text: bytes) -> bytes:
        out = bytearray(text)
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randrange(max(len(out), 1))
            kind = self.random.randrange(3)
            if kind == 0 and out:
                out[at] = self.random.choice(b'{}"/*\n\r \0\xffa0(')
            elif kind == 1:
                del out[at:at + self.random.randint(1, 9)]
            else:
                out[at:at] = self.random.choice([b"{", b"}", b'"', b"//", b"/*", b"\n", b" } ", b" { "])
        return bytes(out) or b" "


def packed(path: str):
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.lower().endswith(".shader"):
                yield f"{path}:{name}", archive.read(name)


def main() -> None:
    library = load()
    maker = Maker(SEED)
    texts = [text for path in sys.argv[1:] for text in packed(path)]
    if not texts:
        made = [maker.script() for _ in range(MADE)]
        texts = [(f"made script {i}", text) for i, text in enumerate(made)]
        texts += [(f"damaged script {i}", maker.damage(made[i % MADE])) for i in range(DAMAGED)]
    bad = 0
    for name, text in texts:
        problem = compare(library, text)
        if problem:
            bad += 1
            if bad <= 3:
                print(f"{name}: {problem}\n{text[:4000]!r}\n")
    stages = sum(len(shader.stages) for _, text in texts for shader in oracle.read(text))
    print(f"{len(texts)} scripts with {stages} stages, {bad} differ")
    sys.exit(1 if bad or stages == 0 else 0)


if __name__ == "__main__":
    main()
