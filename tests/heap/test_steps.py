#!/usr/bin/env python3
"""Tests the cost of hostile files: for each family of them, of sizes n, 2n and 4n, the number of
instructions grows in proportion to the size. valgrind counts the instructions, so that no clock is
involved; it starts once for many commands (tests/support/steps). A command's peak memory stays below 16 times its input
plus a megabyte, without outputs, as counted by the heap of tests/support/heap."""
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import import_families  # noqa: F401
import model_families  # noqa: F401
import iqm
import mds
import skipping
from command import TOOL, commands
from families import (FAMILIES, add, clips, family, gltf_of, md3_of, mdl_of, models, named_surfaces, nodes_of, pk3,
                      scaled, strip, triangle, unused, variants)
from small_files import RED, glb, gltf, make_md2, make_pak, make_pcx, md2_of, md3, tga, worn

SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
HEAP = os.environ.get("LERPMESH_HEAP")
SERVER = os.environ.get("LERPMESH_STEPS")
JOBS = os.cpu_count() or 2
# Twice the input takes twice the steps, with room for a logarithm.
GROWTH = 2.3
# The comparison uses the additional cost of the larger file: smaller values are noise.
STEPS = 200_000
MEMORY_REST = 1 << 20

# ---- Clips ---------------------------------------------------------------------------------------

add("clips by name", (200, 400), "info a.md2", lambda n: {"a.md2": clips(n)})
# With 255 morph targets or more a key stores no more weights.
add("clips in gltf", 300, "convert a.md2 -o a.glb", lambda n: {"a.md2": clips(n)}, memory=17)
add("clips of a file", 300, "info a.md2 --clips-from a.cfg",
    lambda n: {"a.md2": make_md2(skins=()), "a.cfg": b"".join(b"0 2 0 10 // CLIP%d\n" % i for i in range(n))})
add("clips of one name", 300, "info a.md2 --clips-from a.cfg",
    lambda n: {"a.md2": make_md2(skins=()), "a.cfg": b"0 2 0 10 // CLIP\n" * n})
for output in "b.glb", "b.iqm", "b.md3":
    add("clips of the same frames to " + output, 100, "convert a.iqm -o " + output, status=1,
        make=lambda n: {"a.iqm": iqm.make(random.Random(1), frames=n, repeats=n)})
add("sixteen clips of the same frames", 100, "convert a.iqm -o a.glb",
    lambda n: {"a.iqm": iqm.make(random.Random(1), frames=n, repeats=13)})
# The positions of all frames measure the error; the skeleton has the normals.
add("frames of bones", (100, 400), "convert a.mds -o a.iqm", lambda n: {"a.mds": mds.make_player(num_frames=n)},
    memory=8)
add("frames of one name", (100, 200), "convert a.md2 -o a.glb", lambda n: {"a.md2": make_md2([b"run1"] * n, ())})

# ---- Shapes --------------------------------------------------------------------------------------

@family(2000, "convert a.md2 -o a.glb")
def seams_at_one_vertex(n):
    triangles = [(0, 1, 2, i, 0, 0) for i in range(n)]
    return {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], triangles,
                            [(i % 181, i // 181) for i in range(n)])}


@family(1000, "convert a.md2 --normals computed -o a.glb")
def vertices_at_one_position(n):
    triangles = [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)]
    return {"a.md2": md2_of([(i % 2, 0, 0, 0) for i in range(n)], triangles, [(0, 0)])}


@family(300, "convert a.md2 -o a.obj")
def corners_of_an_obj(n):
    triangles = [(i, (i + 1) % n, (i + 2) % n, i, 0, 0) for i in range(n)]
    return {"a.md2": md2_of([(i % 7, i // 7 % 200, 0, 0) for i in range(n)], triangles,
                            [(i % 181, i // 181) for i in range(n)])}


@family(1000, "check a.md2")
def gl_commands(n):
    triangles = [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)]
    commands = [x for i in range(n) for x in (3, 0, 0, i, 0, 0, (i + 2) % n, 0, 0, (i + 1) % n)]
    return {"a.md2": md2_of([(i % 7, i // 7 % 200, 0, 0) for i in range(n)], triangles, [(0, 0)],
                            commands=commands + [0])}


add("equal frames", (100, 200), "convert a.md2 -o a.glb", lambda n: {"a.md2": triangle(n)})


@family(1000, "check a.md2", status=1)
def wrong_indices(n):
    triangles = [(9, 9, 9, 9, 9, 9)] * n
    return {"a.md2": md2_of([(0, 0, 0, 255)], triangles, [(0, 0)])}


# ---- Surfaces and textures -----------------------------------------------------------------------

add("surfaces", 200, "info a.md3", lambda n: {"a.md3": named_surfaces(n)})
add("surfaces checked", 200, "check --json a.md3", lambda n: {"a.md3": named_surfaces(n)})
add("surfaces examined", (30, 60), "examine a.md3", lambda n: {"a.md3": named_surfaces(n)})


@family(100, "convert a.md3 -o a.glb")
def surfaces_of_one_name(n):
    model = md3(["t"] * n)
    return {"a.md3": re.sub(rb"IDP3s\d+", lambda m: b"IDP3s".ljust(len(m[0]), b"0"), model)}


@family(200, "info g.pk3:a.md3 --skin a_default.skin")
def skin_lines(n):
    lines = b"".join(b"s%d,t%d.tga\n" % (n - i, i) for i in range(n))
    return {"g.pk3": pk3([("a.md3", md3(["x"] * n)), ("a_default.skin", lines)]), "a_default.skin": lines}


add("textures of one stem", (10, 40), "convert g.pk3:a.md3 -o a.gltf",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["%d/t" % i for i in range(n)]))]
                            + [("%d/t.tga" % i, tga(i)) for i in range(n)])})
add("skins of an md2", 200, "info a.md2",
    lambda n: {"a.md2": make_md2(skins=[b"players/x/%d.pcx" % i for i in range(n)])})


@family(60, "info g.pk3:a.md3")
def shaders(n):
    script = "".join("s/%d\n{\n{\nmap t/%d.tga\n}\n}\n" % (i, i) for i in range(n)).encode()
    return {"g.pk3": pk3([("a.md3", md3(["s/%d" % i for i in range(n)])), ("scripts/a.shader", script)])}


@family(300, "info g.pk3:a.md3")
def stages_of_a_shader(n):
    script = b"s\n{\n" + b"{\nmap t.tga\ntcMod scroll 1 1\n}\n" * n + b"}\n"
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", script)])}


@family(40, "info -j1 -q g.pk3")
def models_in_modeldef(n):
    """Each of n models has one of 50 n definitions."""
    text = "".join("Model A { Path m Model 0 %d.md2 Skin 0 t.png }\n" % i for i in range(50 * n))
    return {"g.pk3": pk3([*models(n).items(), ("MODELDEF", text)])}


@family(300, "info g.pk3:m/a.md2")
def frames_in_modeldef(n):
    text = "".join("Frame S%d A 0 clip%dx1\n" % (i, n - 1 - i) for i in range(n))
    return {"g.pk3": pk3([("m/a.md2", clips(n)), ("MODELDEF", "Model A { Path m Model 0 a.md2\n%s}" % text)])}


add("rows of md3.cfg", 300, "info m/a.md3",
    lambda n: {"m/a.md3": named_surfaces(n), "m/md3.cfg": b"".join(b"md3skin s%d t.png\n" % (n - i) for i in range(n))})
add("braces", 20000, "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", b"s\n" + b"{" * n)])})
add("comments", 20000, "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", b"/*" * n)])})
add("scripts", 100, "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["s"]))] + [("scripts/%d.shader" % i, b"s\n{\n}\n") for i in range(n)])})
add("shaders in separate scripts", 60, "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["s/%d" % i for i in range(n)]))]
                            + [("scripts/%d.shader" % i, b"s/%d\n{\n}\n" % i) for i in range(n)])})

# ---- Archives and folders ------------------------------------------------------------------------

add("members", 1000, "ls g.pk3", lambda n: {"g.pk3": pk3([("m/%d" % i, b"") for i in range(n)])})
add("members of a pak", 1000, "ls g.pak", lambda n: {"g.pak": make_pak([(b"m/%d" % i, b"") for i in range(n)])})


@family(45, "info -j1 -q m.ufo", status=1, memory=64)
def needs_of_needs(n):
    """Each of n compositions shows the n models of another one. The first has no model."""
    lines = ["menu_model none { model a/none }",
             "menu_model hub { model a/body %s }" % " ".join("need p%d" % i for i in range(n))]
    lines += ["menu_model p%d { model a/body }" % i for i in range(n)]
    lines += ["menu_model e%d { model a/body need hub }" % i for i in range(n)]
    return {"m.ufo": "\n".join(lines).encode(), "models/a/body.md2": make_md2(skins=())}


@family((50, 200), "info g.pk3:a.md3")
def spellings_of_a_name(n):
    names = variants("textures/abcdef", n)
    return {"g.pk3": pk3([("a.md3", md3([name + ".tga" for name in names]))]
                         + [(name + ".tga", tga(0)) for name in names])}


# None of them is spelled as in the model.
add("spellings without a match", (25, 200), "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["Textures/abcdef%d.tga" % i for i in range(n)]))]
                            + [("textures/ABCDEF%d.tga" % i, tga(0)) for i in range(n)])})
add("models in a folder", (10, 40), "info -j1 -q m", models)
# Different models, equal ones, and ones that differ only in the scale of their frame.
add("models in a table", (40, 80), "info --csv -j1 -q m",
    lambda n: {"m/%d.md2" % i: md2_of([(0, 0, 0, 0), (i % 200, 1 + i // 200, 0, 0), (0, 9, 0, 0)],
                                      [(0, 1, 2, 0, 0, 0)], [(0, 0)]) for i in range(n)})
add("equal models in a table", (40, 80), "info --csv -j1 -q m",
    lambda n: {"m/%d.md2" % i: triangle(1) for i in range(n)})
add("scaled models in a table", (40, 80), "info --csv -j1 -q m",
    lambda n: {"m/%d.md2" % i: scaled(triangle(1), 1 + i) for i in range(n)})
add("models in an archive", (10, 40), "info -j1 -q g.pk3", lambda n: {"g.pk3": pk3(models(n).items())})
add("models converted", (8, 16), "convert -j1 -q g.pk3 -o out/", lambda n: {"g.pk3": pk3(models(n).items())})
add("models edited in an archive", (10, 40), "edit -j1 -q --path 's#^#{dir}/#' g.pk3 -o out.pk3",
    lambda n: {"g.pk3": pk3(models(n).items())})


# A model examines up to 256 images in its folder and uses up to 64, each a line of the output. Below that,
# the cost grows as models times images.
@family(100, "info -j1 -q m")
def models_and_images(n):
    files = {"m/%d.md2" % i: make_md2(skins=(b"y/x.pcx",)) for i in range(n)}
    return {**files, **{"m/p%d.pcx" % i: make_pcx(size=32) for i in range(n)}}


add("players in a folder", (6, 25), "info -j1 -q m",
    lambda n: {"m/%d/%s" % (i, name): make_md2(skins=(b"y/x.pcx",)) for i in range(n)
               for name in ("tris.md2", "weapon.md2")})

# ---- Files of other programs ---------------------------------------------------------------------

add("images with one name", 50, "convert -q a.glb -o a.md3", lambda n: {"a.glb": glb(gltf_of(n, name="skin"))})
add("images for one atlas", (25, 50), "convert -q a.glb -o a.md2", lambda n: {"a.glb": glb(gltf_of(n))})


@family(100, "convert -q a.glb -o a.md2")
def variants_without_images(n):
    made = gltf_of(n, variants=50 * n)
    for name in "images", "textures":
        del made[name]
    return {"a.glb": glb(made)}


@family(100, "convert -q a.glb -o a.md3")
def nodes_of_a_mesh_with_unused_members(n):
    made = nodes_of(gltf_of(1), n)
    made["meshes"][0] = unused(n) | made["meshes"][0]
    return {"a.glb": glb(made)}


@family(100, "convert -q a.glb -o a.md3")
def nodes_of_a_mesh_with_unused_attributes(n):
    made = nodes_of(gltf_of(1), n)
    primitive = made["meshes"][0]["primitives"][0]
    primitive["attributes"] = unused(n) | primitive["attributes"]
    return {"a.glb": glb(made)}


@family(100, "convert -q a.glb -o a.md3")
def primitives_of_a_material_with_unused_members(n):
    made = gltf_of(1)
    made["materials"][0] = unused(n) | made["materials"][0]
    made["meshes"][0]["primitives"] *= n
    return {"a.glb": glb(made)}


@family(100, "convert -q a.glb -o a.md3")
def variants_of_a_material_with_unused_members(n):
    made = gltf_of(1, variants=n)
    made["materials"][0] = unused(n) | made["materials"][0]
    return {"a.glb": glb(made)}


@family(100, "convert -q a.glb -o a.md3")
def materials_of_a_texture_with_unused_members(n):
    made = gltf_of(1)
    made["textures"][0] = unused(n) | made["textures"][0]
    made["materials"] *= n
    return {"a.glb": glb(made)}


@family((50, 100), "convert -q a.gltf -o out.md3")
def images_in_one_folder(n):
    """The folder is listed once."""
    made = gltf([{"uri": "p%d.png" % i} for i in range(n)], [worn(i) for i in range(n)], b"")
    data = made.pop("data")
    made["buffers"][0]["uri"] = "a.bin"
    return {"a.gltf": json.dumps(made).encode(), "a.bin": data, **{"p%d.png" % i: RED for i in range(n)}}


@family(500, "convert -q a.glb -o a.md3")
def channels_of_one_sampler(n):
    """There are too many keys per second: the default frame rate gives two frames."""
    made = nodes_of(gltf_of(1), n)
    made["nodes"][1:] = [{}] * (n - 1)
    keys = struct.pack("<%df" % n, *(0.05 * i / n for i in range(n)))
    at = len(made["data"])
    made["data"] += keys + bytes(12 * n)
    made["buffers"][0]["byteLength"] = len(made["data"])
    view, accessor = len(made["bufferViews"]), len(made["accessors"])
    made["bufferViews"] += [{"buffer": 0, "byteOffset": at, "byteLength": 4 * n},
                            {"buffer": 0, "byteOffset": at + 4 * n, "byteLength": 12 * n}]
    made["accessors"] += [{"bufferView": view, "componentType": 5126, "count": n, "type": "SCALAR"},
                          {"bufferView": view + 1, "componentType": 5126, "count": n, "type": "VEC3"}]
    made["animations"] = [{"samplers": [{"input": accessor, "output": accessor + 1}],
                           "channels": [{"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(n)]}]
    return {"a.glb": glb(made)}


# ---- Geometry ------------------------------------------------------------------------------------

@family(400, "compare a.md3 b.md3")
def vertices_in_planes(n):
    """The longest axis does not separate vertices."""
    rng = random.Random(n)
    sides = [[(30000 * (i % 2), rng.randrange(3000), rng.randrange(3000)) for i in range(n)] for _ in "ab"]
    return {name: md3_of([side], strip(n)) for name, side in zip(("a.md3", "b.md3"), sides)}


add("equal surfaces compared", 60, "compare a.md3 a.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)], n)})
add("vertices alike in the first frame", 400, "compare a.md3 a.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0)] * n, [(i % 30000, i // 30000, 0) for i in range(n)]], strip(n))})


@family(200, "convert -q a.md3 --decimate 50% -o b.md3")
def triangles_around_one_vertex(n):
    rim = [(round(30000 * math.cos(math.tau * i / n)), round(30000 * math.sin(math.tau * i / n)), 0) for i in range(n)]
    return {"a.md3": md3_of([[(0, 0, 9999), *rim]], [(0, 1 + i, 1 + (i + 1) % n) for i in range(n)])}


# ---- Editing -------------------------------------------------------------------------------------

add("poses renamed", 1000, "edit a.mdl --rename 'frames:s/^f/x/' -o b.mdl", lambda n: {"a.mdl": mdl_of(n, False)})
add("poses of a clip renamed", 1000, "edit a.mdl --rename clips:f=run -o b.mdl", lambda n: {"a.mdl": mdl_of(n, False)})
add("poses of a group renamed", 1000, "edit a.mdl --rename 'frames:s/^f/x/' -o b.mdl",
    lambda n: {"a.mdl": mdl_of(n, True)})
add("triangles to follow", 1000, "edit a.md3 --add-tag tag_x=1,2,3,follow -o b.md3",
    lambda n: {"a.md3": md3_of([[(i % 30000, i // 30000, i % 7) for i in range(n)]], strip(n))})
add("poses picked", 1000, "edit a.mdl --keep clips:f --reverse all --drop frames:f7 -o b.mdl",
    lambda n: {"a.mdl": mdl_of(n, False)})


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, name, size):
        """Makes the folder of a family. Returns it, and the number of bytes in its files."""
        files = FAMILIES[name].make(size)
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        return folder, sum(len(path) + len(data) for path, data in files.items())

    @staticmethod
    def run_tool(before, name, folder, **environment):
        done = subprocess.run([*before, TOOL, *FAMILIES[name].arguments], cwd=folder, capture_output=True, timeout=600,
                              check=False, env={**os.environ, **environment})
        if done.returncode != FAMILIES[name].status:
            raise AssertionError("%s ended with %d: %s" % (name, done.returncode, done.stderr[-500:]))
        return done.stderr.decode()

    def run_in(self, server, where, name, times):
        """Runs a family's command in the process that valgrind runs, or in a copy of it. Returns its process."""
        folder, _ = self.make(name, times * FAMILIES[name].size)
        print(where, folder, *FAMILIES[name].arguments, sep="\t", file=server.stdin, flush=True)
        process, status = map(int, server.stdout.readline().split() or (0, 255))
        shutil.rmtree(folder)
        if status != FAMILIES[name].status:
            raise AssertionError("%s ended with %d: %s" % (name, status, (self.folder / "messages").read_text()[-500:]))
        return process

    def steps_of(self, names):
        """Returns the instructions of each family's command for once, twice and four times its size. The first run is
        not counted: after it valgrind has translated the command's code, and copies of that process follow. Each counts
        what happened before the copy too, so that only differences tell something."""
        log = self.folder / ("log of " + names[0].replace(":", ""))
        before = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-file=%s" % log]
        with (self.folder / "messages").open("a") as messages, subprocess.Popen(
                [*before, TOOL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, text=True,
                env={**os.environ, "LD_PRELOAD": SERVER, "STEPS_OF": TOOL}) as server:
            counted, seen = {}, 0
            for name in names:
                self.run_in(server, "here", name, 1)
                counted[name] = []
                for times in (1, 2, 4):
                    process = self.run_in(server, "apart", name, times)
                    # Only what this copy wrote: the system gives the number of a process again.
                    text = log.read_text()
                    counted[name] += [int(steps.replace(",", "")) for steps in re.findall(
                        r"^==%d== I +refs: +([\d,]+)" % process, text[seen:], re.M)]
                    seen = len(text)
        return counted

    def test_commands(self):
        """Each command that reads files has a family."""
        without_files = {"formats", "completions"}
        elsewhere = {"render": SOURCE / "tests/gl/test_render_cost.py"}
        have = {family.arguments[0] for family in FAMILIES.values()}
        self.assertEqual(set(commands()) - without_files - elsewhere.keys(), have)
        for path in elsewhere.values():
            self.assertTrue(path.is_file(), path)

    def test_steps(self):
        if not (shutil.which("valgrind") and SERVER):
            skipping.skip(self, "it needs valgrind")
        shares = [CHOSEN[i::JOBS] for i in range(min(JOBS, len(CHOSEN)))]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            counted = {name: steps for share in pool.map(self.steps_of, shares) for name, steps in share.items()}
        for name in CHOSEN:
            with self.subTest(name):
                once, twice, four_times = counted[name]
                growth = (four_times - twice) / (twice - once)
                if VERBOSE:
                    print("%-60s %12d %12d more  %.2f" % (name, twice - once, four_times - twice, growth))
                self.assertGreater(twice - once, STEPS, "too small to tell")
                self.assertLess(growth, GROWTH)

    def test_memory(self):
        if not HEAP:
            skipping.skip(self, "it needs the heap that counts")
        for name in CHOSEN:
            with self.subTest(name):
                folder, size = self.make(name, 4 * FAMILIES[name].most)
                self.run_tool([], name, folder, LD_PRELOAD=HEAP, HEAP_PEAK=str(folder / "peak"))
                peak = int((folder / "peak").read_text())
                outputs = max(0, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) - size)
                shutil.rmtree(folder)
                if VERBOSE:
                    print("%-60s %10d bytes, %10d of memory, %10d of outputs: %.1f" % (
                        name, size, peak, outputs, (peak - 3 * outputs) / size))
                self.assertLess(peak, FAMILIES[name].memory * size + MEMORY_REST + 3 * outputs)


# test_steps.py [--verbose] [FAMILY...]: FAMILY is a part of a name.
VERBOSE = "--verbose" in sys.argv
PARTS = [argument for argument in sys.argv[1:] if argument != "--verbose"]
CHOSEN = [name for name in FAMILIES if not PARTS or any(part in name for part in PARTS)]

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
