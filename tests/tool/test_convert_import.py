"""`lerpmesh convert` with other programs' files: formats are recognised by content, frames and clips can be
selected, and our own exports are restored."""
import base64
import json
import os
import random
import re
import resource
import shutil
import struct
from pathlib import Path

from command import TOOL, ImportCase, call
import corpus
import make_models
import oracle
import skipping
from small_files import glb, gltf, moving

SAMPLE = corpus.source_dir() / "samples" / "tick.md2"


class Convert(ImportCase):
    def setUp(self) -> None:
        super().setUp()
        shutil.copy(SAMPLE, self.folder / "tick.md2")
        self.run_tool("convert", "tick.md2", "-o", "tick.glb")

    def run_tool(self, *arguments: str, status: int = 0, stdin: Path | None = None) -> str:
        with open(stdin or os.devnull, "rb") as given:
            done = self.call(*arguments, status=status, stdin=given)
        return done.stdout + done.stderr

    def info(self, path: str) -> dict:
        return json.loads(self.run_tool("info", "--json", path))

    def names(self, path: str) -> list[str]:
        return [frame["name"] for frame in self.info(path)["frames"]]

    def clips(self, path: str) -> list[tuple]:
        return [(c["name"], c["first"], c["count"]) for c in self.info(path)["clips"]]

    def test_a_model_round_trips(self) -> None:
        self.run_tool("convert", "tick.glb", "-o", "back.md2")
        was, now = self.info("tick.md2"), self.info("back.md2")
        self.assertEqual(self.names("back.md2"), self.names("tick.md2"))
        self.assertEqual(now["clips"], was["clips"])
        for field in ("skinwidth", "skinheight", "num_tris", "num_skins", "num_frames"):
            self.assertEqual(now["header"][field], was["header"][field], field)
        steps = [(h - l) / 255 for f in was["frames"] for l, h in zip(f["min"], f["max"])]
        compared = json.loads(self.run_tool("compare", "--json", "tick.md2", "back.md2"))
        self.assertLess(compared["max_distance"], max(steps))

    def test_an_mdl_keeps_its_grid(self) -> None:
        """The points of real files often use a part of their grid. Another one would move them."""
        for index, features in enumerate(({"groups"}, {"negative_scale", "seams"}, {"zero_scale", "unused"})):
            data = make_models.make_mdl(random.Random(index), features)[0]
            (self.folder / "a.mdl").write_bytes(data)
            self.run_tool("convert", "-f", "a.mdl", "-o", "a.glb")
            self.run_tool("convert", "-f", "a.mdl", "-o", "b.mdl")
            self.run_tool("convert", "-f", "a.glb", "-o", "c.mdl")
            self.run_tool("convert", "-f", "a.mdl", "-o", "twice.mdl", "--scale", "2")
            for name in "b.mdl", "c.mdl":
                self.assertEqual((self.folder / name).read_bytes()[8:32], data[8:32], (name, index))
                compared = json.loads(self.run_tool("compare", "--json", "a.mdl", name))
                self.assertEqual(compared["max_distance"], 0, (name, index))
            self.assertNotEqual((self.folder / "twice.mdl").read_bytes()[8:32], data[8:32])

    def test_what_is_written_is_read_again(self) -> None:
        """Readers replace the texture coordinates, and exporters refuse the scales, that imports would refuse."""
        data = bytearray(make_models.make_md3(random.Random(3), {"surfaces"})[0])
        surface, scale = struct.unpack_from("<i", data, 100)[0], self.folder / "scale.glb"
        st = surface + struct.unpack_from("<i", data, surface + 96)[0]
        for number in 2.0**31, -2.8e29, float("nan"), 2.0**31 - 128:
            struct.pack_into("<f", data, st + 4, number)
            (self.folder / "a.md3").write_bytes(data)
            said = self.run_tool("convert", "-f", "-v", "a.md3", "-o", "a.glb")
            self.assertEqual("warning [bad-st] md3: surface 0" in said, number != 2.0**31 - 128, number)
            self.run_tool("convert", "-f", "a.glb", "-o", "b.md3")
            self.run_tool("convert", "-f", "a.md3", "-o", "c.md3")
            for name in "b.md3", "c.md3":
                compared = json.loads(self.run_tool("compare", "--json", "a.md3", name))
                self.assertEqual(compared["max_st"], 0, (name, number))
        for exponent in 20, 40, 100:
            done = self.call("convert", "-f", "tick.md2", "-o", scale, "--scale", str(2.0**exponent), status=None)
            self.assertEqual(done.returncode == 0, exponent < 40, done.stderr)
            if done.returncode == 0:
                self.run_tool("convert", "-f", "scale.glb", "-o", "scale.md2")

    def test_surfaces_without_triangles_keep_their_numbers(self) -> None:
        """Games address surfaces by number; glTF has no meshes without triangles."""
        data = bytearray(make_models.make_md3(random.Random(3), {"surfaces"})[0])
        count, at = struct.unpack_from("<i12xi", data, 84)
        self.assertGreater(count, 2)
        for index in range(count):
            if index != 1:
                struct.pack_into("<i", data, at + 84, 0)
            at += struct.unpack_from("<i", data, at + 104)[0]
        (self.folder / "a.md3").write_bytes(data)
        self.run_tool("convert", "a.md3", "-o", "a.glb")
        self.run_tool("convert", "a.glb", "-o", "b.md3")
        was, now = ([(s["name"], s["triangles"]) for s in self.info(name)["surfaces"]] for name in ("a.md3", "b.md3"))
        self.assertEqual(now, was)

    def test_header_fields_round_trip(self) -> None:
        """Members of Quake's header that control the game's effects, and MD3's flags."""
        torch = bytearray((SAMPLE.parent / "tick_torch.mdl").read_bytes())
        struct.pack_into("<3f", torch, 36, 1.5, -2, 24.25)
        struct.pack_into("<2i", torch, 72, 1, 8 | 1 << 14)
        (self.folder / "torch.mdl").write_bytes(torch)
        self.run_tool("convert", "torch.mdl", "-o", "torch.glb")
        self.run_tool("convert", "torch.glb", "-o", "back.mdl")
        self.run_tool("convert", "torch.mdl", "-o", "twice.mdl", "--scale", "2")
        for name, scale in ("back.mdl", 1), ("twice.mdl", 2):
            made = (self.folder / name).read_bytes()
            self.assertEqual(struct.unpack_from("<2i", made, 72), (1, 8 | 1 << 14), name)
            for got, was in zip(struct.unpack_from("<3f", made, 36), (1.5, -2, 24.25)):
                self.assertAlmostEqual(got, scale * was, 5)
        output = self.run_tool("convert", "torch.mdl", "-o", "torch.md2")
        for words in ("flags, 16392, are dropped", "position, 1.5 -2 24.25, is dropped", "(synctype) is dropped"):
            self.assertIn(words, output)
        self.run_tool("convert", "tick.md2", "-o", "flags.md3")
        made = bytearray((self.folder / "flags.md3").read_bytes())
        surface, = struct.unpack_from("<i", made, 100)
        struct.pack_into("<i", made, 72, 6)
        struct.pack_into("<i", made, surface + 68, -7)
        (self.folder / "flags.md3").write_bytes(made)
        self.run_tool("convert", "flags.md3", "-o", "flags.glb")
        for name, other in ("flags.glb", "back.md3"), ("flags.md3", "flags.mdc"):
            self.run_tool("convert", name, "-o", other)
            made = (self.folder / other).read_bytes()
            self.assertEqual(struct.unpack_from("<i", made, 72), (6,), other)
            surface, = struct.unpack_from("<i", made, 100)
            self.assertEqual(struct.unpack_from("<i", made, surface + 68), (-7,), other)

    def test_bytes_and_not_names_decide_the_format(self) -> None:
        for name in ("tick", "tick.dat", "other.md2"):
            shutil.copy(self.folder / "tick.glb", self.folder / name)
            self.run_tool("convert", name, "-o", "out.md3", "-f")
            self.assertEqual(len(self.names("out.md3")), len(self.names("tick.md2")), name)
        self.run_tool("convert", "-", "-o", "stdin.md3", stdin=self.folder / "tick.glb")
        self.assertEqual((self.folder / "stdin.md3").read_bytes(), (self.folder / "out.md3").read_bytes())
        self.run_tool("convert", "-", "-o", "model.md3", stdin=self.folder / "tick.md2")
        shutil.copy(self.folder / "tick.md2", self.folder / "model.glb")
        self.run_tool("convert", "model.glb", "-o", "named.md3")
        self.assertEqual(len(self.names("named.md3")), len(self.names("tick.md2")))
        with open(self.folder / "vast.glb", "wb") as file:
            file.truncate(3 << 30)
        output = self.run_tool("convert", "vast.glb", "-o", "x.md3", status=1)
        self.assertIn("vast.glb: cannot read: it exceeds the limit of 2147483647 bytes", output)
        (self.folder / "empty.glb").write_bytes(b"")
        self.assertIn("does not begin like a glTF", self.run_tool("convert", "empty.glb", "-o", "x.md3", status=1))

    def test_frames_and_clips_are_chosen(self) -> None:
        names, clips = self.names("tick.md2"), self.clips("tick.md2")
        self.assertGreater(len(clips), 2)
        first, last = clips[0], clips[-1]
        for source in ("tick.glb", "tick.md2"):
            self.run_tool("convert", source, "-o", "out.md2", "-f", "--clip", f"{first[0]},{last[0]}")
            self.assertEqual(self.clips("out.md2"), [(first[0], 0, first[2]), (last[0], first[2], last[2])])
            self.assertEqual(self.names("out.md2"), names[:first[2]] + names[last[1]:][:last[2]])
            self.run_tool("convert", source, "-o", "out.md2", "-f", "--frames", "2-5")
            self.assertEqual(self.names("out.md2"), names[2:6])
            self.run_tool("convert", source, "-o", "out.md2", "-f", "--frames", "3")
            self.assertEqual(self.names("out.md2"), names[3:4])
        (self.folder / "grey.lmp").write_bytes(bytes(768))
        for options, sentence in ((("--clip", "no such"), 'there is no clip "no such"'),
                                  (("--frames", "0-9999"), "there are no frames 0-9999"),
                                  (("--frames", "9999"), "there is no frame 9999"),
                                  (("--loop", "no such"), 'there is no clip "no such"'),
                                  (("--once", "no such"), 'there is no clip "no such"'),
                                  (("--attach", "tag_x=tick.md2"), "--attach does not apply"),
                                  (("--with", "tick.md2"), "--with does not apply"),
                                  (("--skin", "none=tick.md2"), "skin none=tick.md2: no surface has this name"),
                                  (("--skin", "red"), "--skin takes an image, SURFACE=IMAGE or none"),
                                  (("--skin", "grey.lmp"), "--skin grey.lmp: image: not an image that lerpmesh reads")):
            self.assertIn(sentence, self.run_tool("convert", "tick.glb", "-o", "x.md2", *options, status=1))
        self.assertIn('--tag takes NAME=NODE, such as tag_weapon=Hand.R, not "tag_x="',
                      self.run_tool("convert", "tick.glb", "-o", "x.md2", "--tag", "tag_x=", status=2))
        for word, *value in ("palette", "grey.lmp"), ("transparent-255",):
            self.assertIn(f"--{word} does not apply to imported files",
                          self.run_tool("convert", "tick.glb", "-o", "x.mdl", f"--{word}", *value, status=1))
        self.assertEqual([path.name for path in self.folder.glob("x.*")], [])

    def test_clips_loop_or_play_once_as_requested(self) -> None:
        """The last frame of an animation that ends as it began counts only if it plays once."""
        (self.folder / "moving.glb").write_bytes(glb(moving([0, 1, 2, 0])))
        (self.folder / "cut.cfg").write_text("0 2 0 10 // first\n2 2 2 10 // second\n")
        for options, clips in (((), [("walk", 0, 3)]), (("--once", "walk"), [("walk", 0, 4)]),
                               (("--loop", "walk"), [("walk", 0, 3)]), (("--clips-from", "none"), [("walk", 0, 3)]),
                               (("--clips-from", "cut.cfg"), [("first", 0, 2), ("second", 2, 2)]),
                               (("--clips-from", "cut.cfg", "--clip", "second"), [("second", 0, 2)])):
            self.run_tool("convert", "moving.glb", "-f", "-o", "moving.md2", *options)
            self.assertEqual(self.clips("moving.md2"), clips, options)
        self.assertIn("--loop applies only to imported files",
                      self.run_tool("convert", "tick.md2", "-o", "x.md2", "--loop", "run"))
        self.assertIn("do not apply to numbered files",
                      self.run_tool("convert", "moving{frame}.glb", "-o", "y.md2", "--once", "a", status=1))

    def test_a_fitting_scale_is_suggested_for_large_models(self) -> None:
        for source, scale in ("tick.md2", "60"), ("tick.glb", "700"):
            for out in "large.md3", "large.mdc":
                output = self.run_tool("convert", source, "-o", out, "--scale", scale, status=1)
                found = re.search(r"scale the model down \(--scale ([0-9.]+) makes it fit\)$", output.strip())
                self.assertIsNotNone(found, output)
                assert found
                self.assertLess(float(found[1]), float(scale))
                self.run_tool("convert", source, "-o", out, "--scale", found[1])
                self.run_tool("convert", source, "-o", out, "--scale", str(1.2 * float(found[1])), status=1)

    def test_tag_option_applies_only_to_imports(self) -> None:
        shutil.copy(SAMPLE.parent / "tick_head.mdc", self.folder)
        for options, expected in ((), False), (("--tag", "tag_x=head"), True):
            output = self.run_tool("convert", "tick_head.mdc", "-o", "head.md3", *options)
            self.assertEqual("--tag applies only to imported files" in output, expected)

    def test_tags_without_surfaces_are_rejected(self) -> None:
        (self.folder / "hand.mdc").write_bytes(
            struct.pack("<4si64s10i", b"IDPC", 2, b"hand", 0, 1, 1, 0, 0, 112, 168, 232, 244, 244)
            + struct.pack("<10f16s", *10 * (0.0,), b"hand")
            + struct.pack("<64s", b"tag_weapon") + bytes(12))
        for out in "hand.md2", "hand.mdl":
            output = self.run_tool("convert", "hand.mdc", "-o", out, status=1)
            self.assertTrue(output.endswith("MD3 and MDC do not\n"), output)
        self.run_tool("convert", "hand.mdc", "-o", "hand.md3")

    def test_assimps_formats_are_read(self) -> None:
        self.run_tool("convert", "tick.md2", "-o", "tick.obj", "--frames", "3")
        done = self.call("convert", "tick.obj", "-o", "obj.md3", status=None)
        if "Assimp" in done.stderr and done.returncode:
            skipping.skip(self, "built without Assimp")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_tool("convert", "tick.md2", "-o", "still.md3", "--frames", "3")
        compared = json.loads(self.run_tool("compare", "--json", "still.md3", "obj.md3"))
        self.assertLess(compared["max_distance"], 0.02)
        (self.folder / "bad.fbx").write_bytes(b"no FBX at all")
        self.assertIn("Assimp cannot read it", self.run_tool("convert", "bad.fbx", "-o", "x.md3", status=1))
        self.run_tool("convert", "tick.obj", "-o", "x.glb")
        self.run_tool("convert", "x.glb", "-o", "x.md3")
        self.assertLess(json.loads(self.run_tool("compare", "--json", "still.md3", "x.md3"))["max_distance"], 0.03)

    def test_missing_assimp_is_reported(self) -> None:
        """Another file has the library's name."""
        for name in re.findall(rb"libassimp\.so[.\d]*", Path(TOOL).read_bytes()):
            (self.folder / name.decode()).write_bytes(b"no library")
        for name in "a.fbx", "b.DAE", "c.unknown":
            (self.folder / name).write_bytes(b"whatever it may be")
            done = self.call("convert", name, "-o", "x.md3", status=1,
                             env={**os.environ, "LD_LIBRARY_PATH": str(self.folder)})
            self.assertRegex(done.stderr, "not a supported model format" if name == "c.unknown" else
                             "this needs Assimp.*which cannot be loaded|it was made without Assimp")

    def test_damaged_input_is_read_or_rejected(self) -> None:
        """One file of each folder of Assimp's own models, and those that once caused trouble."""
        folders = sorted(p for p in corpus.assimp_dir().glob("*") if p.is_dir())
        if not folders:
            skipping.skip(self, "Assimp's models are not here")
        files = [sorted(p for p in f.iterdir() if p.is_file())[:1] for f in folders]
        files += [sorted((corpus.assimp_dir() / "RAW").glob("*.raw"))]
        files += [sorted((corpus.assimp_dir() / "invalid").glob("*.obj"))]
        for path in [p for some in files for p in some if p.name != "OutOfMemory.off"]:
            done = self.call("convert", path, "-o", "out.md3", "-f", "--scale", "0.01", status=None)
            self.assertIn(done.returncode, (0, 1), path)
            if done.returncode:
                self.assertTrue(done.stderr, path)

    def test_buffers_are_read_from_the_folder_only(self) -> None:
        """The spelling may differ in case. A link out of the folder, a pipe, a device and a file larger than the memory
        limit are not read; a pipe would block, and a sparse file of 2 GB costs nothing until it is."""
        (self.folder / "in").mkdir()
        self.run_tool("convert", "tick.md2", "-o", "in/tick.gltf")
        text = (self.folder / "in/tick.gltf").read_text().replace('"tick.bin"', '"Tick.BIN"')
        (self.folder / "in/tick.gltf").write_text(text)
        inside, outside = self.folder / "in/Tick.BIN", self.folder / "tick.bin"
        self.run_tool("convert", "in/tick.gltf", "-o", "spelled.md2")
        shutil.move(self.folder / "in/tick.bin", outside)
        link = "cannot open Tick.BIN: it is a link out of the folder\n"
        for make, message in ((lambda: inside.symlink_to("../tick.bin"), link),
                              (lambda: inside.symlink_to("/dev/zero"), link),
                              (lambda: os.mkfifo(inside), "cannot open Tick.BIN: there is no such file"),
                              (lambda: os.truncate(os.open(inside, os.O_CREAT | os.O_WRONLY), 2047 << 20), "limit of")):
            make()
            for path, folder, *more in (("in/tick.gltf", "."), ("tick.gltf", "in", "--max-input", "2147483647")):
                done = call("convert", path, "-o", "x.md2", *more, status=1, cwd=self.folder / folder, timeout=20,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
                self.assertIn(message, done.stderr)
            inside.unlink()
        inside.symlink_to("other.bin")
        shutil.move(outside, self.folder / "in/other.bin")
        self.run_tool("convert", "in/tick.gltf", "-o", "linked.md2")

    def test_buffers_are_read_from_the_archive(self) -> None:
        (self.folder / "in").mkdir()
        self.run_tool("convert", "tick.md2", "-o", "in/tick.gltf")
        self.run_tool("pack", "in", "-o", "whole.pk3")
        self.run_tool("convert", "whole.pk3:tick.gltf", "-o", "out.md2")
        (self.folder / "in/tick.bin").unlink()
        self.run_tool("pack", "in", "-o", "half.pk3")
        output = self.run_tool("convert", "half.pk3:tick.gltf", "-o", "x.md2", status=1)
        self.assertIn("no file tick.bin in half.pk3", output)

    def test_numbered_files_are_frames(self) -> None:
        names, clips = self.names("tick.md2"), self.clips("tick.md2")
        for clip, first, count in clips[:2]:
            for f in range(count):
                self.run_tool("convert", "tick.md2", "-o", f"{clip}_{f + 1}.obj", "--frames", str(first + f))
        done = self.call("convert", "{clip}_{frame}.obj", "-o", "all.md3", status=None)
        if "Assimp" in done.stderr and done.returncode:
            skipping.skip(self, "built without Assimp")
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted = sorted(clips[:2])
        self.assertEqual([(n, c) for n, _, c in self.clips("all.md3")], [(n, c) for n, _, c in wanted])
        total = sum(c for _, _, c in wanted)
        self.assertEqual(len(self.names("all.md3")), total)
        one = wanted[1]
        self.run_tool("convert", f"{one[0]}_{{frame}}.obj", "-o", "one.md3")
        self.run_tool("convert", "tick.md2", "-o", "ref.md3", "--clip", one[0])
        compared = json.loads(self.run_tool("compare", "--json", "ref.md3", "one.md3"))
        self.assertLess(compared["max_distance"], 0.02)
        self.assertEqual(self.names("one.md3"), names[one[1]:][:one[2]])
        (self.folder / f"{one[0]}_9999.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assertIn("is not a pose of the same model", self.run_tool("convert", f"{one[0]}_{{frame}}.obj", "-o",
                                                        "x.md3", status=1))
        self.assertIn("no file matches the pattern", self.run_tool("convert", "x_{frame}.obj", "-o", "x.md3", status=1))
        self.assertFalse((self.folder / "x.md3").exists())

    def make_hand(self, name: str, step: int, tags: tuple[str, ...]) -> None:
        """Makes a glTF of a triangle and of nodes, which are further up at each step."""
        points = struct.pack("<9f", 0, step, 0, 1, step, 0, 0, step, 1)
        nodes = [{"mesh": 0}, *({"name": tag, "translation": [i, step, 0]} for i, tag in enumerate(tags))]
        (self.folder / name).write_text(json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": "data:;base64," + base64.b64encode(points).decode()}]}))

    def test_nothing_moves(self) -> None:
        """Equal frames become one, with a note, unless frames are asked for. `check` notes them, and
        `optimize --static` removes them."""
        for step in range(3):
            self.make_hand(f"still_{step}.gltf", 1, ("tag_x",))
        self.assertIn("nothing moves: the 3 frames are equal, and become one",
                      self.run_tool("convert", "still_{frame}.gltf", "-o", "still.md3"))
        self.assertEqual(len(self.names("still.md3")), 1)
        still = bytearray((self.folder / "tick.md2").read_bytes())
        size, count, start = (struct.unpack_from("<i", still, at)[0] for at in (16, 40, 56))
        for frame in range(start + size, start + count * size, size):
            still[frame:frame + 24] = still[start:start + 24]
            still[frame + 40:frame + size] = still[start + 40:start + size]
        (self.folder / "still.md2").write_bytes(still)
        for extension in "md2", "md3", "mdc", "mdl":
            name = f"still.{extension}"
            if extension != "md2":
                self.run_tool("convert", "still.md2", "-o", name, "--frames", f"0-{count - 1}")
            self.assertIn(f"nothing moves: the {count} frames are equal, and become one",
                          self.run_tool("convert", name, "-o", f"first.{extension}"))
            self.assertEqual(len(oracle.load_file(str(self.folder / name)).frames), count)
            self.assertIn("note [equal-frames] ", self.run_tool("check", "-v", name))
            self.run_tool("convert", name, "-o", f"{name}.glb")
            self.assertIn("become one", self.run_tool("convert", f"{name}.glb", "-o", f"back.{extension}"))
            self.run_tool("optimize", "--static", name, "-o", f"one.{extension}")
            self.run_tool("convert", name, "-o", f"clip.{extension}", "--clip", "run")
            self.assertGreater(len(oracle.load_file(str(self.folder / f"clip.{extension}")).frames), 1)
            for made in f"first.{extension}", f"back.{extension}", f"one.{extension}":
                self.assertEqual(len(oracle.load_file(str(self.folder / made)).frames), 1, made)
        self.assertIn("become one", self.run_tool("convert", "still.md2", "-o", "vat.glb", "--vat", "png"))
        self.run_tool("optimize", "--static", "tick.md2", "-o", "same.md2")
        self.assertEqual(len(self.names("same.md2")), count)
        self.assertNotIn("equal-frames", self.run_tool("check", "-v", "tick.md2"))

    def test_units_and_axes_come_back(self) -> None:
        """An export has its unit and axes, and returns to the model's; a scale stays. Also by hand-made extras."""
        samples = SAMPLE.parent
        for source in (samples / "tick_torch.mdl", samples / "models/players/tick/upper.md3"):
            for options in (("--unit", "1", "--axes", "model"), ("--axes", "model"), ("--unit", "0.01"), ()):
                for more in (), ("--fps", "7"):
                    out = "made" + source.suffix
                    self.run_tool("convert", str(source), "-o", "made.glb", *options)
                    self.run_tool("convert", "made.glb", "-o", out, *more)
                    if not more:
                        self.assertRegex(self.run_tool("compare", str(source), out), "positions: maximum error 0 units")
                    sizes = [self.size_of(path) for path in (str(source), out)]
                    self.assertLess(max(abs(a - b) for a, b in zip(*sizes)), 0.3, (options, more))
        self.run_tool("convert", "tick.md2", "-o", "made.glb", "--unit", "1", "--scale", "2")
        self.run_tool("convert", "made.glb", "-o", "made.md2")
        self.assertLess(abs(self.size_of("made.md2")[0] - 2 * self.size_of("tick.md2")[0]), 0.05)
        for unit in '"x"', "0", "-1", "[]", "null", "1e999", "1e-300":  # the default, or no number of a model
            self.edit_scene("tick.glb", "odd.glb", f'"unit":{unit},"axes":7,')
            status = self.call("convert", "odd.glb", "-o", "odd.md2", status=None).returncode
            self.assertEqual(status, unit in ("1e999", "1e-300"), unit)
            if status == 0:
                for size, wanted in zip(self.size_of("odd.md2"), self.size_of("tick.md2")):
                    self.assertAlmostEqual(size, wanted, 4)

    def size_of(self, path: str) -> list[float]:
        poses = oracle.load_file(str(self.folder / path)).pose(0.0, None, "triangles").surfaces
        points = [c.position for surface in poses for triangle in surface.triangles for c in triangle]
        return [max(p[axis] for p in points) for axis in range(3)] + [min(p[axis] for p in points) for axis in range(3)]

    def edit_scene(self, source: str, made: str, text: str) -> None:
        data = (self.folder / source).read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        document = data[20:20 + length].replace(b'"extras":{"frames"', f'"extras":{{{text}"frames"'.encode(), 1).rstrip()
        document += b" " * (-len(document) % 4)
        rest = data[20 + length:]
        (self.folder / made).write_bytes(b"glTF" + struct.pack("<III", 2, 20 + len(document) + len(rest), len(document)) +
                                         b"JSON" + document + rest)

    def test_numbered_files_have_tags(self) -> None:
        """Nodes with tag names, and those of --tag, in each frame, in any order."""
        for step in range(3):
            self.make_hand(f"up_{step}.gltf", step, ("tag_x", "Hand") if step < 2 else ("Hand", "tag_x"))
        self.run_tool("convert", "up_{frame}.gltf", "--tag", "tag_weapon=Hand", "-o", "up.md3")
        data = (self.folder / "up.md3").read_bytes()
        frames, tags, _, _, _, at = struct.unpack_from("<6i", data, 76)
        self.assertEqual((frames, tags), (3, 2))
        found = [struct.unpack_from("<64s3f", data, at + 112 * i) for i in range(6)]
        self.assertEqual([name.rstrip(b"\0") for name, *_ in found], 3 * [b"tag_x", b"tag_weapon"])
        # An inch is a unit, and up in glTF becomes z.
        for i, (_, _, _, z) in enumerate(found):
            self.assertAlmostEqual(z, (i // 2) / 0.0254, 3)
        for wrong, expected in ((("tag_x", "tag_more"), "up_0.gltf has no tag tag_more, but up_1.gltf has"),
                            ((), "up_1.gltf has no tag tag_x, but up_0.gltf has")):
            self.make_hand("up_1.gltf", 1, wrong)
            self.assertIn(expected, self.run_tool("convert", "up_{frame}.gltf", "-o", "x.md3", status=1))

    def test_numbered_files_have_a_limit_together(self) -> None:
        """Each file has 200 vertices."""
        for i in range(300):
            (self.folder / f"s_{i}.glb").write_bytes(glb(gltf([], [{}] * 50, b"")))
        self.assertIn("the frames of 300 files need more than 1048576 bytes of memory (--import-memory)",
                      self.run_tool("convert", "s_{frame}.glb", "--import-memory", "1M", "-o", "x.md3", status=1))
        self.run_tool("convert", "s_{frame}.glb", "--import-memory", "2M", "-o", "x.md3")

    def test_more_files_than_frames(self) -> None:
        for i in range(65537):
            (self.folder / f"n_{i}.obj").touch()
        self.assertIn("more than 65536 files match the pattern",
                      self.run_tool("convert", "n_{frame}.obj", "-o", "x.md3", status=1))

    def test_several_models_become_one(self) -> None:
        """Directly, and through a glTF of the scene."""
        samples = corpus.source_dir() / "samples"
        scene = [str(samples / "tick_head.mdc"), "--attach", "tag_hat=tick.md2", "--attach",
                 f"tag_mouth={samples / 'tick_torch.mdl'}", "--clip", "idle,stand,run,wave"]
        self.assertIn("skins is written", self.run_tool("convert", *scene, "-o", "one.md3"))
        self.run_tool("convert", *scene, "-o", "scene.glb")
        self.run_tool("convert", "scene.glb", "-o", "other.md3", "--fps", "10")
        compared = json.loads(self.run_tool("compare", "--json", "one.md3", "other.md3"))
        self.assertLess(compared["max_distance"], 0.02)
        self.assertLess(compared["max_tag_distance"], 1e-4)
        self.assertEqual(self.clips("one.md3"), self.clips("other.md3"))
        self.assertEqual([n for n, _, _ in self.clips("one.md3")], ["idle", "stand", "run", "wave"])
        still = [*scene[:-2], "--frames", "3"]
        self.run_tool("convert", *still, "-o", "still.md3")
        self.run_tool("convert", *still, "-o", "still.glb")
        self.run_tool("convert", "still.glb", "-o", "back.md3")
        compared = json.loads(self.run_tool("compare", "--json", "still.md3", "back.md3"))
        self.assertLess(compared["max_distance"], 0.02)
        for frames, clips in ("5-12", [("idle", 0, 3), ("talk", 3, 5)]), ("30-33", [("look", 0, 2), ("laugh", 2, 2)]):
            cut = [*scene[:-2], "--frames", frames]
            self.run_tool("convert", "-f", *cut, "-o", "cut.md3")
            self.run_tool("convert", "-f", *cut, "-o", "cut.glb")
            self.run_tool("convert", "-f", "cut.glb", "-o", "back.md3", "--fps", "10")
            compared = json.loads(self.run_tool("compare", "--json", "cut.md3", "back.md3"))
            self.assertLess(compared["max_distance"], 0.02)
            self.assertLess(compared["max_tag_distance"], 1e-4)
            self.assertEqual(self.clips("cut.md3"), clips)

    def test_fps_resamples_the_animations(self) -> None:
        rate = 2 * self.info("tick.md2")["clips"][0]["fps"]
        self.run_tool("convert", "tick.glb", "-o", "out.md3", "--fps", f"{rate:g}")
        counts = [c for _, _, c in self.clips("tick.md2")]
        total = len(self.names("out.md3"))
        self.assertTrue(2 * sum(counts) - len(counts) <= total <= 2 * sum(counts), total)
