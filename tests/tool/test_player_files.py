"""Tests the sidecar files that convert --player writes for an MD3 or MDC. Our own readers find the same clips
and surfaces in them. Unsupported content is rejected, and then nothing is written."""
import json
import os
import shutil
import struct
from pathlib import Path

from command import FolderCase
from small_files import make_md3

TICK = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2"


def part(frames: int, surfaces: tuple[str, ...] = ("u_torso",)) -> bytes:
    """Makes a triangle per surface, and a tag."""
    vertices = [(64 * i, f, i * i, 0) for f in range(frames) for i in range(3)]
    tags = [(b"tag_head", (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1))]
    return make_md3([(name.encode(), b"own/%d" % i, [(0, 1, 2)], [(0, 0)] * 3, vertices)
                     for i, name in enumerate(surfaces)], tags, frames)


class Case(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "in").mkdir()
        (self.folder / "out").mkdir()

    def run_tool(self, *words: str, status: int = 0) -> tuple[str, str]:
        done = self.call(*words, status=status)
        return done.stdout, done.stderr

    def clips(self, path: str, *words: str) -> list[tuple[object, ...]]:
        """Returns the clips that a reader finds, with the animation.cfg in the model's folder."""
        model = json.loads(self.run_tool("info", "--json", path, *words)[0])
        return [(c["name"], c["first"], c["count"], c["loop"], c["backwards"], round(c["fps"], 3))
                for c in model["clips"]]

    def put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def names(self) -> set[str]:
        return {path.name for path in (self.folder / "out").iterdir()}


class Clips(Case):
    def test_player_of_another_game(self) -> None:
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        self.run_tool("convert", "in/tick.md2", "-o", "out/tick.md3", "--player")
        self.assertEqual(self.names(), {"tick.md3", "tick_default.skin", "animation.cfg", "plain.tga"})
        before = self.clips("in/tick.md2")
        self.assertGreater(len(before), 4)
        self.assertEqual(self.clips("out/tick.md3"), before)
        self.run_tool("convert", "in/tick.md2", "-o", "out/some.mdc", "--player", "-f", "--clip", "run,jump")
        self.assertEqual([clip[0] for clip in self.clips("out/some.mdc")], ["run", "jump"])

    def test_clips_of_a_model_that_is_no_player(self) -> None:
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        self.run_tool("convert", "in/tick.md2", "-o", "out/tick.md3", "--write-clips")
        self.assertEqual(self.names(), {"tick.md3", "animation.cfg"})
        self.assertEqual(self.clips("out/tick.md3"), self.clips("in/tick.md2"))
        for output in ["out/a.md2"], ["out/a.mdl"], ["out/a.glb"], ["-", "--format", "md3"]:
            self.assertIn("--write-clips", self.run_tool("convert", "in/tick.md2", "--write-clips", "-o", *output, status=2)[1])
        words = "convert", "in/tick.md2", "-o", "out/tick.md3", "--write-clips", "--fps", "20", "--json"
        for text, stays in ("other", True), (None, False):  # a file that stays is not one of those written
            if text:
                self.put("out/animation.cfg", text)
            else:
                (self.folder / "out/animation.cfg").unlink()
            printed, errors = self.run_tool(*words)
            self.assertEqual([file["name"] for file in json.loads(printed)["files"]],
                             ["tick.md3"] if stays else ["animation.cfg", "tick.md3"])
            self.assertEqual("warning [not-held] the format stores no times" in errors, stays, errors)

    def test_a_player_keeps_its_animation_cfg(self) -> None:
        text = "sex f\n// of both halves\n" + "".join(
            f"{row} // {name}\n" for name, row in (
                ("BOTH_DEATH1", "0 3 0 25"), ("TORSO_GESTURE", "3 3 0 15"), ("TORSO_STAND", "6 2 2 10"),
                ("LEGS_WALKCR", "8 2 2 20"), ("LEGS_BACK", "10 -3 3 12")))
        self.put("in/animation.cfg", text)
        for name, frames in (("upper", 8), ("lower", 8)):
            (self.folder / "in" / (name + ".md3")).write_bytes(part(frames))
            self.run_tool("convert", f"in/{name}.md3", "-o", f"out/{name}.md3", "--player")
            self.assertEqual((self.folder / "out/animation.cfg").read_text(encoding="utf-8"), text)
            self.assertEqual(self.clips(f"out/{name}.md3"), self.clips(f"in/{name}.md3"))

    def test_clips_in_a_sidecar_file_are_preserved(self) -> None:
        """Times that no animation.cfg can store are kept in another file."""
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        for words, expected in (("--player",), False), ((), True):
            _, errors = self.run_tool("convert", "in/tick.md2", "-o", "out/tick.md3", "--fps", "20", *words)
            self.assertEqual("belong in an animation.cfg" in errors, expected, errors)

    def test_clips_of_a_hand_belong_in_another_file(self) -> None:
        hand = TICK.parent / "models/weapons2/winder/v_winder_hand.mdc"
        self.assertIn("belong in a weapon.cfg", self.run_tool("convert", str(hand), "-o", "out/v_winder_hand.mdc")[1])

    def test_a_player_at_another_rate(self) -> None:
        self.put("in/animation.cfg", "0 4 0 10 // BOTH_DEATH1\n4 3 3 10 // TORSO_GESTURE\n"
                                     "7 2 0 10 // TORSO_STAND\n9 4 4 10 // LEGS_WALKCR\n"
                                     "13 -3 3 10 // LEGS_BACK\n")
        (self.folder / "in" / "head.md3").write_bytes(part(12))
        for words in (("--frames", "0-11"), ("--scale", "2")):
            self.run_tool("convert", "in/head.md3", "-o", "out/head.md3", "--player", "-f", *words)
            self.assertEqual(self.clips("out/head.md3"), self.clips("in/head.md3"))
        self.run_tool("convert", "in/head.md3", "-o", "out/x.md3", "--player", "-f", "--clip", "LEGS_BACK,BOTH_DEATH1")
        self.assertEqual([clip[0] for clip in self.clips("out/x.md3")], ["LEGS_BACK", "BOTH_DEATH1"])

    def test_player_of_selected_frames(self) -> None:
        """A shortened clip can still be played by a game, also at another rate."""
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        self.assertEqual(self.clips("in/tick.md2")[:2], [("stand", 0, 12, True, False, 10),
                                                         ("run", 12, 8, True, False, 10)])
        for words, wanted in ((("0-9",), ("stand", 0, 10, True, False, 10)),
                              (("12-19",), ("run", 0, 8, True, False, 10)),
                              (("12-19", "--fps", "20"), ("run", 0, 16, True, False, 20))):
            self.run_tool("convert", "in/tick.md2", "-o", "out/tick.md3", "--player", "-f", "--frames", *words)
            self.assertEqual(self.clips("out/tick.md3"), [wanted])
            self.assertEqual(len(json.loads(self.run_tool("info", "--json", "out/tick.md3")[0])["frames"]), wanted[2])

    def test_player_of_several_models(self) -> None:
        """Their frames belong to no single model: clips follow each other."""
        self.put("in/animation.cfg", "0 3 0 25 // BOTH_DEATH1\n2 1 0 25 // BOTH_DEAD1\n1 2 2 5 // WAIT\n")
        for name in "a", "b":
            (self.folder / "in" / (name + ".md3")).write_bytes(part(3, (name,)))
        both = ("convert", "in/a.md3", "--attach", "tag_head=in/b.md3", "-o", "out/both.md3", "--player")
        self.run_tool(*both)
        self.assertEqual(self.clips("out/both.md3"),
                         [("BOTH_DEATH1", 0, 3, False, False, 25), ("BOTH_DEAD1", 3, 1, False, False, 25),
                          ("WAIT", 4, 2, True, False, 5)])
        self.put("in/animation.cfg", "0 1 0 10 // TORSO_GESTURE\n1 2 0 10 // LEGS_WALKCR\n")
        _, errors = self.run_tool(*both, status=1)
        self.assertIn("select clips with --clip, or convert a player's models one by one", errors)
        self.run_tool(*both, "-f", "--clip", "TORSO_GESTURE")
        self.assertEqual([clip[:3] for clip in self.clips("out/both.md3")], [("TORSO_GESTURE", 0, 1)])

    def test_clips_that_animation_cfg_cannot_store(self) -> None:
        """Legs and torso in one sequence of frames: games would compute another offset for the legs."""
        self.put("in/animation.cfg", "0 2 0 10 // TORSO_GESTURE\n2 2 0 10 // TORSO_STAND\n"
                                     "4 2 0 10 // LEGS_WALK\n")
        (self.folder / "in" / "a.md3").write_bytes(part(6))
        self.run_tool("convert", "in/a.md3", "-o", "out/a.glb")
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        self.put("in/both.framegroups", "0 4 10 1 // TORSO_GESTURE\n4 4 10 1 // LEGS_WALKCR\n")
        _, errors = self.run_tool("convert", "in/tick.md2", "--clips-from", "in/both.framegroups",
                                  "-o", "out/tick.md3", "--player", status=1)
        self.assertIn("an animation.cfg cannot store these clips", errors)
        self.assertEqual(self.names(), {"a.glb"})


class Skins(Case):
    def skin(self, name: str) -> list[str]:
        return (self.folder / "out" / name).read_text(encoding="utf-8").splitlines()

    def test_shaders_of_surfaces(self) -> None:
        (self.folder / "in" / "a.md3").write_bytes(part(2, ("U_Torso", "belt, left")))
        self.run_tool("convert", "in/a.md3", "-o", "out/upper.md3", "--player")
        self.assertEqual(self.skin("upper_default.skin"), ["U_Torso,own/0", '"belt, left",own/1', "tag_head,"])

    def test_the_models_skin(self) -> None:
        (self.folder / "in" / "upper.md3").write_bytes(part(2, ("u_torso", "belt")))
        self.put("in/upper_default.skin", "u_torso,models/x/one.tga\n")
        self.run_tool("convert", "in/upper.md3", "-o", "out/new.md3", "--player")
        self.assertEqual(self.skin("new_default.skin"), ["u_torso,models/x/one.tga", "belt,own/1", "tag_head,"])
        textures = json.loads(self.run_tool("info", "--json", "out/new.md3")[0])["textures"]
        self.assertIn("models/x/one.tga", json.dumps(textures))

    def test_the_skins_of_several_models(self) -> None:
        for name in "a", "b":
            (self.folder / "in" / (name + ".md3")).write_bytes(part(1, ("skin", name)))
            self.put(f"in/{name}_default.skin", f"skin,models/x/{name}.tga\n")
        self.run_tool("convert", "in/a.md3", "--attach", "tag_head=in/b.md3", "-o", "out/two.md3", "--player")
        self.assertEqual(self.skin("two_default.skin"), ["skin,models/x/a.tga", "a,own/1",
                                                         "b_skin,models/x/b.tga", "b,own/1", "tag_head,"])

    def test_a_surface_without_a_name_is_called_like_the_model(self) -> None:
        shutil.copy(TICK, self.folder / "in" / "tick.md2")
        self.run_tool("convert", "in/tick.md2", "-o", "out/robot.md3", "--player")
        self.assertEqual(self.skin("robot_default.skin"), ["robot,models/robot/plain.tga"])
        model = json.loads(self.run_tool("info", "--json", "out/robot.md3")[0])
        self.assertEqual([s["name"] for s in model["surfaces"]], ["robot"])

    def test_the_image_of_another_games_skin(self) -> None:
        """Quake III finds no image in players/, and reads no PCX."""
        for name in "tick.md2", "tick.pcx":
            shutil.copy(TICK.parent / name, self.folder / "in" / name)
        (self.folder / "out/baseq3/models/players/tick").mkdir(parents=True)
        out = "out/baseq3/models/players/tick/upper"
        _, log = self.run_tool("convert", "in/tick.md2", "-o", out + ".md3", "--player")
        self.assertEqual((self.folder / (out + "_default.skin")).read_text(encoding="utf-8"),
                         "upper,models/players/tick/upper.tga\n")
        image = (self.folder / (out + ".tga")).read_bytes()
        self.assertEqual(struct.unpack_from("<2xB9xHHB", image), (2, 256, 256, 24))
        # The image lies where the game searches for it.
        self.assertIn("image next to the model: upper.tga\n", log)
        _, log = self.run_tool("convert", "in/tick.md2", "-o", "out/upper.md3", "--player")
        self.assertIn("upper.tga; the game searches for models/upper/upper.tga (--skin-path)", log)
        # What is not written is not described.
        (self.folder / "out/upper.tga").write_bytes(b"mine")
        _, log = self.run_tool("convert", "in/tick.md2", "-o", "out/upper.md3", "--player", status=1)
        self.assertEqual(log, "lerpmesh: in/tick.md2: out/upper.tga exists; --force replaces it\n")

    def test_the_image_of_another_games_skin_in_a_scene(self) -> None:
        for name in "tick.md2", "tick.pcx":
            shutil.copy(TICK.parent / name, self.folder / "in" / name)
        self.run_tool("convert", "in/tick.md2", "-o", "in/tick.glb")
        _, log = self.run_tool("convert", "in/tick.glb", "-o", "out/upper.md3", "--player")
        self.assertEqual(self.skin("upper_default.skin"), ["upper,models/upper/upper.tga"])
        self.assertEqual(self.names(), {"upper.md3", "upper_default.skin", "animation.cfg", "upper.tga"})
        self.assertNotIn("no image", log)

    def test_surfaces_of_one_name(self) -> None:
        """Names that the game takes for equal are changed."""
        names = ("same", "Same", "arm_l", "arm_r", "same-2", "arm-r", "a_b", "a", "x_y")
        (self.folder / "in" / "a.md3").write_bytes(part(2, names))
        _, errors = self.run_tool("convert", "in/a.md3", "-o", "out/a.md3", "--player")
        self.assertIn("Same becomes Same-2", errors)
        self.assertIn("4 more surfaces were renamed", errors)
        model = json.loads(self.run_tool("info", "--json", "out/a.md3")[0])
        made = [s["name"] for s in model["surfaces"]]
        self.assertEqual(made, ["same", "Same-2", "arm_l", "arm-r", "same-2-2", "arm-r-2", "a_b", "a-2", "x_y"])
        self.assertEqual(self.skin("a_default.skin")[:9],
                         ["same,own/0", "Same-2,own/1", "arm,own/2", "arm-r,own/3", "same-2-2,own/4", "arm-r-2,own/5",
                          "a,own/6", "a-2,own/7", "x,own/8"])

    def test_surfaces_of_one_name_and_material_keep_it(self) -> None:
        """So do the parts into which a large surface is split: one line applies to all."""
        data = part(1, ("body", "body_1", "body_2")).replace(b"own/1", b"own/0").replace(b"own/2", b"own/0")
        (self.folder / "in" / "a.md3").write_bytes(data)
        self.assertNotIn("becomes", self.run_tool("convert", "in/a.md3", "-o", "out/a.md3", "--player")[1])
        self.assertEqual(set(self.skin("a_default.skin")), {"body,own/0", "tag_head,"})
