"""Runs the command on malicious files, from the corpus's folder attack/. It ends quickly, and its
results are the same in every run."""
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import tempfile
import unittest
import zipfile
import zlib

import corpus
import image_files
import skipping
from small_files import glb, gltf, md3, tga, worn

TOOL = os.environ["LERPMESH_BINARY"]
ATTACK = corpus.corpus_dir() / "attack"
# About ten times the processor time that each needs.
SECONDS = 4


class Attacks(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def attack(self, name: str) -> pathlib.Path:
        if not (ATTACK / name).exists():
            skipping.skip(self, f"there is no attack/{name}")
        return ATTACK / name

    def run_tool(self, *arguments: object, expected: int = 0, **environment: str) -> str:
        """Runs the command with SECONDS of processor time, however busy the machine is."""
        done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, **environment},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
        self.assertEqual(done.returncode, expected,
                         f"{arguments[0]} {arguments[1]}, in {SECONDS} s: {done.stderr[-400:]}")
        return done.stdout

    def copies(self, name: str, count: int) -> list[pathlib.Path]:
        original = self.attack(name)
        return [shutil.copy(original, self.folder / f"{i}-{name}") for i in range(count)]

    def test_names_of_clips_that_collide(self) -> None:
        self.run_tool("info", "-j1", *self.copies("02-hashdos-clipnames.md2", 4))

    def test_names_of_members_that_collide(self) -> None:
        name = "04-physfs-collisions-16000.pk3"
        self.assertEqual(self.run_tool("ls", self.attack(name)).count("\n"), 16000)
        # It contains no model, which is reported.
        self.run_tool("info", "-j1", *self.copies(name, 20), expected=1)

    def test_textures_of_one_stem(self) -> None:
        """Each becomes a file with a unique name, in the order of the model."""
        count = 2000
        with zipfile.ZipFile(self.folder / "pak.pk3", "w") as archive:
            archive.writestr("m.md3", md3([f"d{i}/x.tga" for i in range(count)]))
            for i in range(count):
                archive.writestr(f"d{i}/x.tga", tga(i))
        self.run_tool("convert", self.folder / "pak.pk3", "-o", self.folder / "o.gltf")
        gltf = json.loads((self.folder / "o.gltf").read_text(encoding="utf-8"))
        self.assertEqual([image["uri"] for image in gltf["images"]],
                         ["o_x.png"] + [f"o_x_{i}.png" for i in range(2, count + 1)])

    def test_images_of_one_colour(self) -> None:
        """8 KB of PNG that would unpack to 64 megapixels are rejected without using memory."""
        packer = zlib.compressobj(9)
        rows = b"".join(packer.compress(bytes(1025 * 64)) for _ in range(128)) + packer.flush()
        header = struct.pack(">IIBBBBB", 8192, 8192, 1, 0, 0, 0, 0)
        chunks = (b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")
        picture = self.folder / "plain.png"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(image_files.chunk(*each) for each in chunks))
        self.assertLess(picture.stat().st_size, 9000)
        (self.folder / "m.md3").write_bytes(md3(["x"]))
        done = subprocess.run([TOOL, "convert", self.folder / "m.md3", "--skin", f"s0={picture}", "-o",
                               self.folder / "o.glb"], capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("8192 x 8192 pixels exceed the limit of 17", done.stderr)

    def test_images_of_the_same_bytes(self) -> None:
        """20 images of 16 megapixels in 8 KB: 64 megapixels are read."""
        data = image_files.plain_png(4096)
        images = [{"name": f"i{i}", "at": 0, "size": len(data)} for i in range(20)]
        (self.folder / "a.glb").write_bytes(glb(gltf(images, [worn(i) for i in range(20)], data)))
        done = subprocess.run([TOOL, "convert", self.folder / "a.glb", "-o", self.folder / "o.glb"],
                              capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 29, 1 << 29)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("the images of the model exceed the limit of "), 16)

    def test_files_with_holes(self) -> None:
        """Sparse files of 5 GB are rejected by their size, before they are read."""
        (self.folder / "m.md3").write_bytes(md3(["x"]))
        for name, option, limit in (("a.cfg", "--clips-from", 1 << 20), ("a.lmp", "--palette", 16 << 20),
                                    ("a.skin", "--skin", 1 << 20), ("a.png", "--skin", 256 << 20)):
            value = self.folder / name
            with open(value, "wb") as file:
                file.truncate(5 << 30)
            done = subprocess.run(
                [TOOL, "convert", self.folder / "m.md3", option,
                 f"s0={value}" if name == "a.png" else value, "-o",
                 self.folder / "o.glb"], capture_output=True, text=True, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20)))
            self.assertIn(f"exceeds the limit of {limit} bytes", done.stderr)

    def test_views_of_embedded_images(self) -> None:
        """A .gltf next to its images has views of its numbers only, whatever uninitialised memory contains."""
        model = self.attack("07-gltf-textures") / "t.md3"
        filler = self.folder / "filler.so"
        subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", filler,
                        self.attack("07-zero-filling-malloc.c")], check=True)
        written = []
        for byte in "0", "1", "165":
            self.run_tool("convert", model, "-o", self.folder / "o.gltf", LD_PRELOAD=str(filler), ZFILL=byte)
            written.append((self.folder / "o.gltf").read_text(encoding="utf-8"))
        self.assertEqual(written, written[:1] * 3)
        gltf = json.loads(written[0])
        self.assertEqual(sorted(image["uri"] for image in gltf["images"]), [f"o_f{i}.png" for i in range(4)])
        self.assertEqual({accessor["bufferView"] for accessor in gltf["accessors"]},
                         set(range(len(gltf["bufferViews"]))))
        for view in gltf["bufferViews"]:
            self.assertGreater(view["byteLength"], 0)
            self.assertLessEqual(view.get("byteOffset", 0) + view["byteLength"],
                                 gltf["buffers"][view["buffer"]]["byteLength"])
