"""lerpmesh convert: a model of one format becomes a model of another."""
import json
import os
import struct

from small_files import make_md2, parse_glb
from tool_case import PLAYER, SOURCE, ToolTest


class Models(ToolTest):
    def made(self, *arguments, status=0):
        _, errors = self.run_tool("convert", *arguments, status=status)
        return errors

    def info(self, name):
        return self.run_json("info", "--json", name)[0]

    def clips(self, name):
        return [(c["name"], c["first"], c["count"]) for c in self.info(name)["clips"]]

    def test_a_player_becomes_another_format(self):
        errors = self.made(PLAYER, "-o", "a.md3")
        self.assertRegex(errors, r"^lerpmesh: .*: wrote a\.md3: \d+ bytes, 1 surface, \d+ vertices, "
                                 r"\d+ triangles; maximum error 0\.\d+ units, RMS 0\.\d+\n$")
        old, new = self.run_json("info", "--json", PLAYER)[0], self.info("a.md3")
        self.assertEqual(new["format"], "md3")
        self.assertEqual(new["clips"], old["clips"])
        self.run_tool("check", "a.md3")
        self.assertEqual(self.made("-q", PLAYER, "-o", "b.md3"), "")
        self.assertEqual(self.read("a.md3"), self.read("b.md3"))

    def test_frames_and_clips_are_selected(self):
        self.made(PLAYER, "-o", "a.md3", "--clip", "run")
        self.assertEqual(self.clips("a.md3"), [("run", 0, 6)])
        self.made(PLAYER, "-o", "a.md3", "--frames", "38-41")
        self.assertEqual(self.clips("a.md3"), [("stand", 0, 2), ("run", 2, 2)])
        self.made(PLAYER, "-o", "a.md3", "--frame", "2.5")
        self.assertEqual(len(self.info("a.md3")["frames"]), 1)

    def test_clips_follow_each_other_in_the_order_of_the_names(self):
        self.made(PLAYER, "-o", "a.md2", "--clip", "jump,run,jump", "--clip", "stand,run")
        self.assertEqual(self.clips("a.md2"), [("jump", 0, 6), ("run", 6, 6), ("stand", 12, 40)])
        self.made(PLAYER, "-o", "b.md2", "--clip", "run", "--clip", "jump")
        self.assertEqual(self.clips("b.md2"), [("run", 0, 6), ("jump", 6, 6)])

    def test_fps_resamples_the_frames(self):
        self.made(PLAYER, "-o", "a.md3", "--clip", "run,jump", "--fps", "20")
        # A loop of 6 frames gets twice as many; of 6 frames without a loop the last is not doubled.
        self.assertEqual(self.clips("a.md3"), [("run", 0, 12), ("jump", 12, 11)])
        self.made(PLAYER, "-o", "b.md3", "--clip", "run,jump")
        for file, step in ("a.md3", 2), ("b.md3", 1):
            self.made(file, "-o", file + ".obj", "--frame", str(2 * step))
        vertices = [{line for line in self.read(name).splitlines() if line.startswith(b"v ")}
                    for name in ("a.md3.obj", "b.md3.obj")]
        self.assertEqual(*vertices)
        self.assertGreater(len(vertices[0]), 100)
        self.assertIn("wrote c.md3", self.made(PLAYER, "-o", "c.md3", "--fps", "1000", "--clip", "stand"))

    def test_clips_of_a_file_name_the_frames(self):
        self.write("a.md2")
        self.write("a.cfg", b"0 1 0 10 // sitting\n1 1 0 10 // standing\n")
        self.made("a.md2", "--clips", "a.cfg", "-o", "a.md3")
        self.assertEqual([name for name, _, _ in self.clips("a.md3")][:2], ["sitting", "standing"])

    def test_frames_that_no_clip_has(self):
        """glTF gets them as animations, unless --clip all is given; a model loses them then."""
        self.write("a.md2", make_md2(names=[b"f%d" % i for i in range(9)]))
        self.write("a.framegroups", b"0 2 10 1 // walk\n4 3 10 1 // run\n")

        def animations(*options):
            errors = self.made("a.md2", *options, "-o", "a.glb")
            return [clip["name"] for clip in parse_glb(self.read("a.glb")).get("animations", [])], errors
        names, errors = animations()
        self.assertEqual(names, ["walk", "run", "frames 2-3", "frames 7-8"])
        self.assertIn("a.md2: 2 animations are of frames that no clip has; --clip all leaves them out\n", errors)
        names, errors = animations("--clip", "all")
        self.assertEqual(names, ["walk", "run"])
        self.assertNotIn("no clip has", errors)
        self.made("a.md2", "--clip", "all", "-o", "b.md3")
        self.assertEqual(self.clips("b.md3"), [("walk", 0, 2), ("run", 2, 3)])
        self.made("a.md2", "--clip", "run,all", "-o", "c.md3")
        self.assertEqual(self.clips("c.md3"), [("run", 0, 3), ("walk", 3, 2)])
        # A clip of this name is meant itself.
        self.write("a.framegroups", b"0 2 10 1 // all\n4 3 10 1 // run\n")
        self.assertEqual(animations("--clip", "all")[0], ["all"])

    def test_scale(self):
        self.made(PLAYER, "-o", "a.md3", "--frame", "0")
        self.made(PLAYER, "-o", "b.md3", "--frame", "0", "--scale", "2")
        one, two = self.info("a.md3")["frames"][0], self.info("b.md3")["frames"][0]
        for a, b in zip(one["min"] + one["max"], two["min"] + two["max"]):
            self.assertAlmostEqual(2 * a, b, delta=0.04)
        errors = self.made(PLAYER, "-o", "c.md3", "--scale", "100", status=1)
        self.assertIn("the format stores -511.98 to 511.98 units", errors)
        self.assertFalse(os.path.exists(self.path("c.md3")))

    def test_max_error(self):
        errors = self.made(PLAYER, "-o", "a.md3", "--max-error", "0.001", status=1)
        self.assertRegex(errors, r"md3: surface 0: vertex \d+ in frame \d+ would have an error of 0\.01\d* units; the maximum allowed is 0\.001")
        self.assertEqual(self.files(), [])
        self.made(PLAYER, "-o", "a.md3", "--max-error", "0.02")

    def test_several_models_become_one(self):
        for name in "tris", "weapon":
            self.write("p/%s.md2" % name)
        self.made("p", "-o", "a.md3")
        info = json.loads(self.run_tool("info", "--json", "a.md3")[0])
        self.assertEqual([s["name"] for s in info["surfaces"]], ["tris", "weapon"])

    def test_texture_coordinates_on_the_edge_of_a_skin_stay_inside(self):
        """Engines that draw an MD2's triangles reject the edge; the GL commands have the exact coordinates."""
        self.made(os.path.join(SOURCE, "samples", "tick_torch.mdl"), "-o", "a.md2")
        data = self.read("a.md2")
        width, height = struct.unpack_from("<2i", data, 8)
        count, at = struct.unpack_from("<i", data, 28)[0], struct.unpack_from("<i", data, 48)[0]
        pairs = [struct.unpack_from("<2h", data, at + 4 * i) for i in range(count)]
        self.assertLess(max(s for s, _ in pairs), width)
        self.assertEqual(max(t for _, t in pairs), height - 1)
