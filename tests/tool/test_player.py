"""Converts whole scenes to players of Quake III: convert SCENE -o players/NAME/ --player. The files are read by the
rules of the engine, written here again: animation.cfg by position, .skin files by names as the game cuts them,
positions by its tags. The scene is played by the independent evaluator of glTF."""
import io
import json
import os
import pathlib
import re
import shutil
import zipfile

from command import ImportCase
import bake
import image_files
import oracle
from player_scene import BODY, Scene, robot
from small_files import make_pak, make_pcx

UNIT = 1 / .0254
ROWS = """BOTH_DEATH1 BOTH_DEAD1 BOTH_DEATH2 BOTH_DEAD2 BOTH_DEATH3 BOTH_DEAD3 TORSO_GESTURE TORSO_ATTACK TORSO_ATTACK2
TORSO_DROP TORSO_RAISE TORSO_STAND TORSO_STAND2 LEGS_WALKCR LEGS_WALK LEGS_RUN LEGS_BACK LEGS_SWIM LEGS_JUMP LEGS_LAND
LEGS_JUMPB LEGS_LANDB LEGS_IDLE LEGS_IDLECR LEGS_TURN""".split()
LOOPING = {"TORSO_STAND", "TORSO_STAND2", "LEGS_WALKCR", "LEGS_WALK", "LEGS_RUN", "LEGS_BACK", "LEGS_SWIM",
           "LEGS_IDLE", "LEGS_IDLECR", "LEGS_TURN"}
MODELS = ("lower", "upper", "head")


def read_animation(text: str) -> list[list[float]]:
    """Reads rows as CG_ParseAnimationFile does: by position, and with the legs' offset."""
    rows = [[float(word) for word in line.split("//")[0].split()] for line in text.splitlines()]
    rows = [row for row in rows if row]
    skip = rows[13][0] - rows[6][0]
    for row in rows[13:25]:
        row[0] -= skip
    return rows


def read_skin(text: str) -> dict[str, str]:
    pairs = [line.split(",") for line in text.splitlines()]
    return {name.lower(): path for name, path in pairs if not name.startswith("tag_")}


def game_name(name: str) -> str:
    """Returns the name of a surface as R_LoadMD3 changes it."""
    name = name.lower()
    return name[:-2] if len(name) > 2 and name[-2] == "_" else name


def read_tga(data: bytes) -> tuple[int, int, set[bytes]]:
    """Returns the size and the colours of an image."""
    width, height, pixels = image_files.tga_read(data)
    return width, height, {pixels[i:i + 3] for i in range(0, len(pixels), 4)}


class Case(ImportCase):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "players" / "hero"

    def to_player(self, scene: bytes, *options: str, out: str = "players/hero/", status: int = 0) -> str:
        (self.folder / "scene.glb").write_bytes(scene)
        return self.convert("scene.glb", "-o", out, "--player", *options, status=status)

    def model(self, name: str) -> oracle.Model:
        return oracle.load((self.out / (name + ".md3")).read_bytes())

    def rows(self) -> list[list[float]]:
        return read_animation((self.out / "animation.cfg").read_text(encoding="utf-8"))

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.out.iterdir()} if self.out.exists() else {}


def as_model(point: list[float]) -> tuple[float, float, float]:
    """Converts glTF's axes and metres to a model's."""
    return (point[2] * UNIT, point[0] * UNIT, point[1] * UNIT)


def attached(tag: oracle.Tag, point: tuple[float, float, float]) -> tuple[float, float, float]:
    o = tag.position
    return tuple(o[i] + sum(point[k] * tag.axes[k][i] for k in range(3)) for i in range(3))  # type: ignore[return-value]


class Places(Case):
    """Each model, put onto its tag as the game does it, stands where it stands in the scene."""

    def posed(self, name: str, frame: int) -> list[tuple[float, float, float]]:
        model = self.model(name)
        pose = model.pose(frame)
        return [corner.position for surface in pose.surfaces for triangle in surface.triangles for corner in triangle]

    def tag(self, name: str, tag: str, frame: int) -> oracle.Tag:
        model = self.model(name)
        return model.tag(frame, model.tag_names.index(tag), None)

    def expected(self, scene: Scene, clip: str, time: float, part: str) -> list[tuple[float, float, float]]:
        gltf = bake.Gltf(scene.document, scene.data)
        animation = next(a for a in scene.document["animations"] if a["name"] == clip)
        world, weights = gltf.pose(animation, time)
        points = []
        for name, body in BODY.items():
            node = scene.document["nodes"][scene.index[name]]
            for primitive in scene.document["meshes"][node["mesh"]]["primitives"] if body == part else ():
                points += [as_model(p) for p in gltf.vertices(scene.index[name], primitive, world, weights)]
        return points

    def near(self, made: list[tuple[float, float, float]], wanted: list[tuple[float, float, float]]) -> None:
        self.assertGreater(len(made), 0)
        for one, other in ((made, wanted), (wanted, made)):
            for p in one:
                self.assertLess(min(sum((a - b) ** 2 for a, b in zip(p, q)) for q in other) ** .5, .04)

    def check_places(self, names: str, floor: float) -> None:
        scene = Scene(names, floor=floor)
        scene.animate_usual()
        self.to_player(scene.glb())
        rows = self.rows()
        down = -24 if floor == 0 else 0
        for row, clip in ((0, "death"), (15, "run"), (22, "idle")):
            for k in range(int(rows[row][1])):
                frame, time = int(rows[row][0]) + k, k / rows[row][3]
                wanted = self.expected(scene, clip, time, "lower")
                self.near(self.posed("lower", frame), [(x, y, z + down) for x, y, z in wanted])
        # Both halves play a death together.
        for k in range(10):
            torso = self.tag("lower", "tag_torso", k)
            head = self.tag("upper", "tag_head", k)
            for part in "upper", "head":
                made = self.posed(part, k if part == "upper" else 0)
                made = [attached(torso, attached(head, p) if part == "head" else p) for p in made]
                wanted = self.expected(scene, "death", k / 10, part)
                self.near(made, [(x, y, z + down) for x, y, z in wanted])
        # The arms swing while the torso plays; tag_torso itself stays.
        for k in range(int(rows[7][1])):
            made = self.posed("upper", int(rows[7][0]) + k)
            wanted = self.expected(scene, "attack", k / rows[7][3], "upper")
            self.near([(x, y, z + (.8 + floor) * UNIT) for x, y, z in made], wanted)

    def test_marked_by_names(self) -> None:
        self.check_places("prefix", 0)

    def test_marked_by_collections(self) -> None:
        self.check_places("collection", 0)

    def test_a_scene_with_the_games_floor_is_not_moved(self) -> None:
        self.check_places("prefix", -24 * .0254)

    def test_tags_of_the_models(self) -> None:
        self.to_player(robot())
        tags = {name: set(self.model(name).tag_names) for name in MODELS}
        self.assertEqual(tags, {"lower": {"tag_torso"}, "upper": {"tag_torso", "tag_head", "tag_weapon"},
                                "head": {"tag_head"}})
        self.assertEqual(len(self.model("head").frames), 1)


class Animation(Case):
    def test_rows_of_a_usual_scene(self) -> None:
        log = self.to_player(robot())
        text = (self.out / "animation.cfg").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"// (\w+)$", text, re.M), ROWS)
        rows = self.rows()
        frames = {name: len(self.model(name).frames) for name in MODELS}
        for name, (first, count, loop, fps) in zip(ROWS, rows):
            for model in {"B": ("lower", "upper"), "T": ("upper",), "L": ("lower",)}[name[0]]:
                self.assertLessEqual(first + abs(count), frames[model], name)
            self.assertGreaterEqual(first, 0)
            self.assertNotEqual(count, 0)
            self.assertEqual(loop, abs(count) if name in LOOPING else 0, name)
            self.assertEqual(fps, 10)
        row = dict(zip(ROWS, rows))
        self.assertEqual(row["LEGS_BACK"][:2], [row["LEGS_RUN"][0], -row["LEGS_RUN"][1]])
        self.assertEqual(row["LEGS_RUN"][1], 8)  # nine keys, of which the last repeats the first
        self.assertEqual(row["LEGS_SWIM"], row["LEGS_WALK"])
        self.assertEqual(row["TORSO_GESTURE"][1], 5)  # idle, played once, with its last frame
        self.assertEqual(row["BOTH_DEAD1"][1], 1)
        # Other readers expect the legs' first frames after those of the torso.
        plain = [int(line.split()[0]) for line in text.splitlines()[1:]]
        self.assertEqual(plain[13] - plain[6], frames["upper"] - plain[6])
        for name in ("LEGS_LAND", "TORSO_DROP", "LEGS_BACK", "BOTH_DEATH3"):
            self.assertRegex(log, f"no clip for [^:]*{name}")
        for name in ("LEGS_RUN", "BOTH_DEATH1", "TORSO_ATTACK"):
            self.assertNotRegex(log, f"no clip for [^:]*{name}\\b")

    def test_names_of_rows_come_first(self) -> None:
        scene = Scene()
        for i, name in enumerate(("run", "legs run", "Both-Death1", "death", "TORSO_NEGATIVE", "taunt", "dance")):
            scene.animate(name, 4 + i, 10, 20 + i)
        log = self.to_player(scene.glb())
        rows = self.rows()
        self.assertEqual(len(rows), 31)
        self.assertEqual(rows[15][1], 4)   # legs run, whose last frame repeats the first
        self.assertEqual(rows[0][1], 6)    # Both-Death1: its last frame is kept
        self.assertEqual(rows[30][1], 8)   # TORSO_NEGATIVE
        self.assertEqual(rows[25], rows[6])
        self.assertIn("2 clips are not among those that the game plays, such as death", log)

    def test_a_scene_without_animation(self) -> None:
        log = self.to_player(Scene().glb())
        self.assertEqual({tuple(row) for row in self.rows()[:6]}, {(0, 1, 0, 10)})
        self.assertIn("the player has no clips", log)
        self.assertEqual(len(self.model("lower").frames), 2)  # of both halves, and of the legs

    def test_existing_clips_stay(self) -> None:
        """Other clips stop the command before it writes anything. The same clips stay."""
        self.out.mkdir(parents=True)
        (self.out / "animation.cfg").write_text("0 1 0 10 // BOTH_DEATH1\n", encoding="utf-8")
        log = self.to_player(robot(), out="players/hero/lower.md3", status=1)
        self.assertIn("animation.cfg exists; --force replaces it", log)
        self.assertEqual([path.name for path in self.out.iterdir()], ["animation.cfg"])
        self.assertEqual(self.rows_of_text(), 1)
        self.to_player(robot(), "-f", out="players/hero/lower.md3")
        self.assertEqual(self.rows_of_text(), 6)
        self.to_player(robot(), out="players/hero/lower.md3")

    def rows_of_text(self) -> int:
        return (self.out / "animation.cfg").read_text(encoding="utf-8").count("// ") - \
            (self.out / "animation.cfg").read_text(encoding="utf-8").startswith("// ")


class Files(Case):
    def check_skins(self, name: str = "hero") -> set[str]:
        """Every surface gets a TGA that exists. Returns the used images."""
        used = set()
        for part in MODELS:
            skin = read_skin((self.out / f"{part}_default.skin").read_text(encoding="utf-8"))
            surfaces = [surface.name for surface in self.model(part).surfaces]
            self.assertEqual(set(skin), {game_name(surface) for surface in surfaces})
            for path in skin.values():
                folder, _, image = path.rpartition("/")
                self.assertEqual(folder, f"models/players/{name}")
                read_tga((self.out / image).read_bytes())
                used.add(image)
        return used

    def test_names_that_the_game_cuts(self) -> None:
        self.assertIn("l_leg_r becomes l_leg-r", self.to_player(robot()))
        self.check_skins()
        colours = {}
        for part in MODELS:
            colours.update(read_skin((self.out / f"{part}_default.skin").read_text(encoding="utf-8")))
        self.assertEqual(len(colours), 7)
        # The left limbs are red, the right ones blue; the chest consists of two primitives.
        for surface, colour in (("l_leg", "red"), ("l_leg-r", "blue"), ("u_arm", "red"), ("u_arm-r", "blue"),
                                ("u_chest", "green"), ("u_chest-2", "yellow"), ("h_face", "yellow")):
            self.assertEqual(colours[surface], f"models/players/hero/hero_{colour}.tga")

    def test_all_files(self) -> None:
        self.to_player(robot())
        self.assertEqual(set(self.files()), {
            "animation.cfg", "icon_default.tga", *(f"{m}.md3" for m in MODELS), *(f"{m}_default.skin" for m in MODELS),
            *(f"hero_{colour}.tga" for colour in ("red", "green", "blue", "yellow"))})
        width, height, colours = read_tga(self.files()["icon_default.tga"])
        self.assertEqual((width, height), (64, 64))
        # The yellow face from the front, in full light, before the background.
        self.assertIn(bytes((220, 200, 40)), colours)
        self.assertIn(bytes((48, 48, 56)), colours)

    def test_a_player_without_images(self) -> None:
        log = self.to_player(robot(textures=False))
        self.assertEqual(self.check_skins(), {"plain.tga"})
        self.assertIn('the surface "l_leg_l" has no image, so that the game would not draw it', log)
        self.assertIn("so do 6 more surfaces", log)

    def test_an_archive(self) -> None:
        self.to_player(robot())
        self.assertIn("the player hero", self.to_player(robot(), out="hero.pk3"))
        with zipfile.ZipFile(io.BytesIO((self.folder / "hero.pk3").read_bytes())) as archive:
            packed = {name: archive.read(name) for name in archive.namelist()}
        self.assertEqual(packed, {f"models/players/hero/{name}": data for name, data in self.files().items()})
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"scene.glb", "players", "hero.pk3"})

    def test_nothing_is_replaced_without_force(self) -> None:
        self.to_player(robot())
        before = self.files()
        changed = Scene()
        changed.animate("walk", 9, 10, 60)
        self.assertIn("--force replaces it", self.to_player(changed.glb(), status=1))
        self.assertEqual(self.files(), before)
        for name in before:
            if name != "lower.md3":
                (self.out / "lower.md3").unlink(missing_ok=True)
                for other in set(before) - {name}:
                    (self.out / other).unlink(missing_ok=True)
                (self.out / name).write_bytes(b"mine")
                self.assertIn(f"{name} exists; --force replaces it", self.to_player(robot(), status=1))
                self.assertEqual(self.files(), {name: b"mine"})
        self.to_player(changed.glb(), "-f")
        self.assertNotEqual(self.files()["lower.md3"], before["lower.md3"])

    def test_levels_of_detail(self) -> None:
        self.to_player(robot(), "--lods", "1")
        self.assertLessEqual({"lower_1.md3", "upper_1.md3", "head_1.md3"}, set(self.files()))

    def test_a_player_again(self) -> None:
        """The player's folder becomes a scene, and that a player with the same clips."""
        self.to_player(robot())
        first = self.rows()
        self.convert("players/hero", "-o", "hero.glb")
        log = self.to_player((self.folder / "hero.glb").read_bytes(), out="players/two/")
        self.out = self.folder / "players/two"
        self.check_skins("two")
        self.assertNotIn("has no clip", log)
        # glTF gives a clip of one frame two keys.
        self.assertEqual([row[1] for i, row in enumerate(self.rows()) if i != ROWS.index("LEGS_IDLECR")],
                         [abs(row[1]) for i, row in enumerate(first) if i != ROWS.index("LEGS_IDLECR")])
        # The folder itself, without a scene in between.
        images = self.files()
        self.convert("players/hero", "-o", "players/three/", "--player")
        self.out = self.folder / "players/three"
        self.assertEqual(len(self.rows()), 25)
        self.check_skins("three")
        self.assertEqual({name for name in self.files() if name.endswith(".tga")},
                         {name.replace("two_", "") for name in images if name.endswith(".tga")})

    def test_scripts_of_a_player_stay(self) -> None:
        """A surface that a shader script draws keeps the name of the script; the others get images."""
        self.to_player(robot())
        shutil.move(self.folder / "players", self.folder / "baseoa/models/players")
        skin = self.folder / "baseoa/models/players/hero/head_default.skin"
        skin.write_text(skin.read_text(encoding="utf-8").replace("hero_yellow.tga", "face"), encoding="utf-8")
        (self.folder / "baseoa/scripts").mkdir()
        (self.folder / "baseoa/scripts/hero.shader").write_text(
            "models/players/hero/face\n{\n{\nmap models/players/hero/hero_yellow.tga\n}\n}\n", encoding="utf-8")
        self.convert("baseoa/models/players/hero", "-o", "three/", "--player")
        self.out = self.folder / "three"
        self.assertEqual(read_skin((self.out / "head_default.skin").read_text(encoding="utf-8")),
                         {"h_face": "models/players/hero/face"})
        self.assertIn("hero_red.tga", self.files())


# Name and number of frames, in the game's order: m_player.h of Quake II's published source.
TABLE = (("stand", 40), ("run", 6), ("attack", 8), ("pain1", 4), ("pain2", 4), ("pain3", 4), ("jump", 6), ("flip", 12),
         ("salute", 11), ("taunt", 17), ("wave", 11), ("point", 12), ("crstnd", 19), ("crwalk", 6), ("crattak", 9),
         ("crpain", 4), ("crdeath", 5), ("death1", 6), ("death2", 6), ("death3", 8))


class Quake2(Case):
    """An MD2 gets the frames that Quake II plays by number."""

    def made(self, scene: Scene) -> tuple[str, list[list[tuple[float, float, float]]]]:
        """Returns the messages, and the corners of each frame."""
        self.out.mkdir(parents=True)
        log = self.to_player(scene.glb(), "--engine", "quake2", out="players/hero/tris.md2")
        model = oracle.load((self.out / "tris.md2").read_bytes())
        poses = [[c.position for s in model.pose(f).surfaces for t in s.triangles for c in t]
                 for f in range(len(model.frames))]
        names = [frame.name.rstrip("0123456789") for frame in model.frames]
        self.assertEqual(names, [re.sub(r"\d$", "", name) for name, count in TABLE for _ in range(count)])
        return log, poses

    def check_table(self, floor: float) -> None:
        scene = Scene(floor=floor)
        for i, (name, count) in enumerate(reversed(TABLE)):
            scene.animate(name.upper(), count + (name in ("stand", "run", "crstnd", "crwalk")), 10, 3 + i)
        log, poses = self.made(scene)
        self.assertNotIn("lacks", log)
        gltf = bake.Gltf(scene.document, scene.data)
        at, down = 0, 24 if floor == 0 else 0
        for name, count in TABLE:
            animation = next(a for a in scene.document["animations"] if a["name"] == name.upper())
            for k in (0, 1, count // 2, count - 1):
                world, weights = gltf.pose(animation, k / 10)
                wanted = [(x, y, z - down) for part in BODY for primitive in scene.document["meshes"][
                    scene.document["nodes"][scene.index[part]]["mesh"]]["primitives"]
                          for x, y, z in map(as_model, gltf.vertices(scene.index[part], primitive, world, weights))]
                for p in wanted:
                    self.assertLess(min(sum((a - b) ** 2 for a, b in zip(p, q)) for q in poses[at + k]) ** .5, .4,
                                    (name, k))
            at += count

    def test_all_clips_in_another_order(self) -> None:
        self.check_table(0)

    def test_a_scene_with_the_games_floor_is_not_moved(self) -> None:
        self.check_table(-24 * .0254)

    def test_missing_clips_are_named_and_replaced(self) -> None:
        scene = Scene()
        scene.animate_usual()
        log, poses = self.made(scene)
        missing = re.search("the player lacks ([^:]*) of the game's 20 clips", log)
        assert missing
        self.assertEqual(set(missing[1].split(", ")), {name for name, _ in TABLE} - {
            "stand", "run", "attack", "jump", "death1"})
        self.assertIn("resampled: stand (4 to 40), run (8 to 6), attack (4 to 8), death1 (10 to 6)", log)
        # death2 is death1; the last frame lies on the ground.
        starts = {name: sum(n for _, n in TABLE[:i]) for i, (name, _) in enumerate(TABLE)}
        for k in range(6):
            self.assertEqual(poses[starts["death2"] + k], poses[starts["death1"] + k])
        self.assertLess(max(p[2] for p in poses[starts["death3"] + 7]), -4)
        self.assertGreater(max(p[2] for p in poses[starts["death3"]]), 26)

    def test_icons(self) -> None:
        scene = Scene()
        scene.animate_usual()
        self.made(scene)
        skins = {name for name in self.files() if name.endswith(".png") and not name.endswith("_i.png")}
        self.assertEqual(set(self.files()), {"tris.md2", *skins, *(name[:-4] + "_i.png" for name in skins)})
        self.assertEqual(len(skins), 1)
        for skin in skins:
            width, height, pixels = image_files.png_read(self.files()[skin[:-4] + "_i.png"])
            self.assertEqual((width, height), (32, 32))
            # The yellow face at the top, lit from the front, before the background; no leg below it.
            colours = {tuple(pixels[i:i + 3]) for i in range(0, len(pixels), 4)}
            self.assertIn((220, 200, 40), colours)
            self.assertIn((48, 48, 56), colours)

    def test_the_palette_of_the_game(self) -> None:
        """Quake II reads PCX. Its palette is found in the game of the output, of the source, or that is named."""
        scene, palette = Scene(), make_pcx()[-768:]
        scene.animate_usual()
        for words, where, found in (((), "pak0.pak", True), ((), "pics/Colormap.pcx", True), ((), "q2/pak0.pak", False),
                                    (("--game", "q2"), "q2/pak0.pak", True),
                                    (("--palette", "grey.lmp"), "pak0.pak", False)):
            path = self.folder / where
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(make_pak([(b"pics/colormap.pcx", make_pcx())]) if path.suffix == ".pak" else make_pcx())
            (self.folder / "grey.lmp").write_bytes(bytes(i // 3 for i in range(768)))
            self.out.mkdir(parents=True)
            log = self.to_player(scene.glb(), "--engine", "quake2", *words, out="players/hero/tris.md2")
            files = self.files()
            self.assertEqual(files.pop("tris.md2")[:4], b"IDP2")
            kind = "pcx" if found or "--palette" in words else "png"
            self.assertEqual({name.rpartition(".")[2] for name in files}, {kind}, (words, where))
            self.assertEqual(len({name[:-4].removesuffix("_i") for name in files}) * 2, len(files))
            self.assertEqual({data[-768:] == palette for data in files.values()}, {found}, (words, where))
            self.assertEqual("Quake II itself reads only PCX" in log, kind == "png", (words, where))
            shutil.rmtree(self.folder / "players")
            path.unlink()

    def test_the_clips_of_a_quake3_player(self) -> None:
        """They fill the table, with the other parts in their idle clips. The skins that are not written are named."""
        player = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples/models/players/tick"
        log = self.convert(player, "-o", "players/hero/tris.md2", "--player", "--engine", "quake2")
        missing = re.search("the player lacks ([^:]*) of the game's 20 clips", log)
        assert missing
        self.assertEqual(missing[1].split(", "), "pain1 pain2 pain3 flip salute wave point crattak crpain crdeath".split())
        left_out = 'warning [not-held] 1 of the player\'s skins is left out: "red"; --skin red writes it instead'
        self.assertIn(left_out, log)
        for kind in "glb", "md3", "iqm", "md2", "mdl", "obj":
            self.assertIn(left_out, self.convert(player, "-o", "both." + kind))
            self.assertNotIn("left out", self.convert(player, "-o", "red." + kind, "--skin", "red"))
        with zipfile.ZipFile(self.folder / "a.pk3", "w") as archive:
            for path in sorted(player.iterdir()):
                archive.write(path, f"models/players/tick/{path.name}")
        for kind in "md3", "iqm":
            for name, skin in ("red", ["--skin", "red"]), ("both", []):
                self.convert("a.pk3:models/players/tick", "-o", "packed." + kind, "-f", *skin)
                self.assertEqual(*((self.folder / f"{one}.{kind}").read_bytes() for one in (name, "packed")))
            red, both = ((self.folder / f"{name}.{kind}").read_bytes() for name in ("red", "both"))
            self.assertEqual(re.findall(rb"/tick\w*\.pcx", red), [b"/tick_red.pcx"] * both.count(b"/tick.pcx"))
        self.convert(player, "-o", "whole.md2")
        whole, made = (oracle.load((self.folder / name).read_bytes()) for name in ("whole.md2", "players/hero/tris.md2"))
        clips = {clip["name"]: clip for clip in json.loads(
            self.call("info", "--json", "whole.md2").stdout)["clips"]}
        for name, own, last in (("stand", "LEGS_IDLE", False), ("run", "LEGS_RUN", False), ("jump", "LEGS_JUMP", True),
                                ("taunt", "TORSO_GESTURE", True), ("attack", "TORSO_ATTACK", False),
                                ("crstnd", "LEGS_IDLECR", False), ("crwalk", "LEGS_WALKCR", False),
                                ("crdeath", "BOTH_DEATH1", True), ("death1", "BOTH_DEATH1", True),
                                ("death2", "BOTH_DEATH2", True), ("death3", "BOTH_DEATH3", True)):
            at = sum(count for _, count in TABLE[:[word for word, _ in TABLE].index(name)])
            clip = clips[own]
            pairs = [(at, clip["first"])]
            if last:
                pairs.append((at + dict(TABLE)[name] - 1, clip["first"] + clip["count"] - 1))
            for frame, other in pairs:
                corners = [[c.position for s in model.pose(f).surfaces for t in s.triangles for c in t]
                           for model, f in ((made, frame), (whole, other))]
                self.assertLess(max(abs(a - b) for p, q in zip(*corners, strict=True) for a, b in zip(p, q)), .4, name)

    def test_the_images_of_models(self) -> None:
        """A player that is made of a model, or of another player's folder, has their images in its own folder."""
        samples = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples"
        for source, image in (samples / "tick.md2", "tick"), (samples / "models/players/tick", "tick"):
            self.convert(source, "-o", "players/hero/tris.md2", "--player", "--engine", "quake2")
            self.assertEqual(set(self.files()), {"tris.md2", f"{image}.png", f"{image}_i.png"})
            model = oracle.load((self.out / "tris.md2").read_bytes())
            self.assertEqual(model.skins, [f"players/hero/{image}.png"])
            shutil.rmtree(self.out)


class Mistakes(Case):
    def test_parts_that_are_missing(self) -> None:
        self.assertIn("nothing says which surfaces are its lower body", self.to_player(robot("none"), status=1))
        for old, new, wanted in (("h_face", "hface", 'the surface "hface" belongs to no part'),
                                 ("h_face", "u_face", "no surfaces for its head"),
                                 ("tag_torso", "waist", "has no tag_torso, which holds its upper body"),
                                 ("tag_head", "neck", "has no tag_head, which holds its head")):
            scene = Scene()
            scene.document["nodes"][scene.index[{"h_face": "face"}.get(old, old)]]["name"] = new
            self.assertIn(wanted, self.to_player(scene.glb(), status=1))
            self.assertEqual(self.files(), {})
        scene = Scene()
        scene.document["nodes"][scene.index["tag_torso"]]["name"] = "waist"
        self.to_player(scene.glb(), "--tag", "tag_torso=waist")

    def test_a_missing_weapon_tag_is_reported(self) -> None:
        scene = Scene()
        scene.document["nodes"][scene.index["tag_weapon"]]["name"] = "hand"
        self.assertIn("has no tag_weapon", self.to_player(scene.glb()))
