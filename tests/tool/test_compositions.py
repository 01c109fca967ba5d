"""Opens the compositions in scripts of UFO: Alien Invasion (models.ufo, team_*.ufo) and compares their models and skins
with an independent reader of the scripts (tests/oracle/ufoai.py): for a generated game, and for the game itself if it
is installed. Damaged scripts never crash the command.

Environment: LERPMESH_BINARY (the command), LERPMESH_UFOAI (the game's folder), LERPMESH_EVERY (1: all entries of the
game).
"""
import json
import os
import tempfile
import unittest
import zipfile
from pathlib import Path

from command import call
import skipping
import small_files
import ufoai

GAME = Path(os.environ.get("LERPMESH_UFOAI") or "/usr/share/games/ufoai/base")
EVERY = int(os.environ.get("LERPMESH_EVERY") or 8)  # of the entries of the game's scripts
ABSENT = ["ufo_ripper", "ufo_mothership"]  # the game has no such models

MODELS = """// need (string) a comment with words
menu_model hat { model "aliens/hat" tag "tag_head" parent body skin 1 }
menu_model wing
{
	model	"aliens/wing" /* at the
	body's place */
}
menu_model body { model "aliens/body"
	need hat
	need	wing
	anim "stand"
}
other { menu_model inside { model "aliens/wing" } }
menu_model round { model "aliens/body"
	need circle
}
menu_model circle { model "aliens/wing"
	need round
}
"""
TEAM = """team squad
{
	name "_Squad"
	models {
		male("aliens" "body" "hat" 0 0)
		male("aliens" "body" "hat" 0 1) // the other hat
		female ( "aliens" "body" "hat" 1 2 )
	}
	actorsounds { male { hurtsound "a" } }
	templates ( soldier )
}
team other { models { neutral("aliens" "wing" "" 0 0) } }
"""
SKINS = (b".first", b".second", b".third")


def run(*words: str, status: int = 0) -> tuple[str, str]:
    done = call(*words, status=status)
    return done.stdout, done.stderr


def told(path: str) -> list[str]:
    """Returns the skin that each model of a composition wears, in the order of the scene."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.obj")
        run("convert", "-q", path, "-o", out, "--frames", "0")
        lines = Path(out).read_text().splitlines()
    return [line.split(" ", 1)[1] for line in lines if line.startswith("usemtl ")]


def skin_of(data: bytes, number: int) -> str:
    """Returns the name of a skin; of the first one if there is no such number (taman/neutral9 has one)."""
    count, at = (int.from_bytes(data[i:i + 4], "little") for i in (20, 44))
    at += 64 * (number if number < count else 0)
    return data[at:at + 64].split(b"\0")[0].decode("latin-1")


class Generated(unittest.TestCase):

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.game = Path(folder.name, "base")
        (self.game / "ufos").mkdir(parents=True)
        (self.game / "models/aliens").mkdir(parents=True)
        self.models = self.game / "ufos/models.ufo"
        self.team = self.game / "ufos/team_x.ufo"
        self.models.write_text(MODELS)
        self.team.write_text(TEAM)
        model = small_files.make_md2(skins=SKINS)
        axes = (1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 50.0)
        for name in "body", "hat", "wing":
            (self.game / f"models/aliens/{name}.md2").write_bytes(model)
        (self.game / "models/aliens/body.tag").write_bytes(ufoai.make_tags([ufoai.Tag("tag_head", [axes] * 3)]))
        (self.game / "models/aliens/body.anm").write_text("walk 0 1 10\nstand 2 2 10\n")
        for skin in SKINS:
            (self.game / f"models/aliens/{skin.decode()[1:]}.png").write_bytes(small_files.RED)

    def test_the_models_and_skins_are_those_of_the_script(self) -> None:
        for script in self.models, self.team:
            compositions = ufoai.read_compositions(script.read_text())
            self.assertGreater(len(compositions), 3)
            for name, shown in compositions.items():
                expected = [SKINS[s.skin].decode() for s in shown if not s.model.endswith("/")]
                if name != "inside":
                    self.assertEqual(told(f"{script}/{name}"), expected, name)

    def test_armour_is_appended_to_the_folder(self) -> None:
        (self.game / "models/alienslight").mkdir()
        for path in (self.game / "models/aliens").iterdir():
            data = path.read_bytes().replace(b".second".ljust(64, b"\0"), b".armour".ljust(64, b"\0"))
            (self.game / "models/alienslight" / path.name.replace("second", "armour")).write_bytes(data)
        self.assertEqual(told(f"{self.team}/squad/male2+light"), [".first", ".armour"])
        self.assertIn("the game has no model models/aliensheavy/body",
                      run("convert", f"{self.team}/squad/male2+heavy", "-o", "-", "--format", "obj", status=1)[1])

    def heights(self, name: str) -> set[float]:
        """Returns the heights of the vertices of a composition in its first frame."""
        lines = run("convert", "-q", f"{self.game}/ufos/{name}", "-o", "-", "--format", "obj", "--axes", "model", "--frames",
                    "0")[0].splitlines()
        return {float(line.split()[3]) for line in lines if line.startswith("v ")}

    def test_a_head_is_where_its_tag_is(self) -> None:
        self.assertEqual(self.heights("models.ufo/body"), {0.0, 50.0})

    def test_info_describes_each_model(self) -> None:
        lines = run("info", "--json", f"{self.models}/body")[0].splitlines()
        self.assertEqual([json.loads(line)["file"] for line in lines],
                         [f"{self.game}/models/aliens/{name}.md2" for name in ("body", "hat", "wing")])
        text = run("info", f"{self.models}/body")[0]
        self.assertEqual(text.count("  format       md2"), 3)

    def test_the_game_is_above_the_folder_of_the_script(self) -> None:
        for folder, path in (("ufos", "models.ufo/hat"), (".", "ufos/models.ufo/hat"), ("..", "base/ufos/models.ufo/hat")):
            self.assertEqual(call("info", path, cwd=self.game / folder).stderr, "", path)

    def test_names_that_are_no_paths_are_left_out(self) -> None:
        """Of equal names, the first applies."""
        names = ["../evil", "a/../b", "/evil", "", ".", "c:", "ok", "OK", "sub/ok", "x.ufo"]
        self.models.write_text("".join('menu_model "%s" { model "aliens/body" }\n' % name for name in names))
        out = self.game / "new/out"
        run("convert", "-q", str(self.models), "-o", f"{out}/", "--format", "glb")
        found = sorted(str(path.relative_to(self.game)) for path in self.game.glob("**/*.glb"))
        self.assertEqual(found, ["new/out/ok.glb", "new/out/sub/ok.glb", "new/out/x.glb"])
        self.assertEqual(self.heights("models.ufo/x.ufo"), {0.0})

    def test_models_outside_of_the_game_are_not_found(self) -> None:
        (self.game.parent / "other.md2").write_bytes((self.game / "models/aliens/body.md2").read_bytes())
        for model in "../../other", "/../../other", "aliens/../../../other", str(self.game.parent / "other"):
            self.models.write_text('menu_model a { model "%s" }' % model)
            self.assertIn("the game has no model", run("info", f"{self.models}/a", status=1)[1])
        self.assertIn("the game has no model", run("info", f"{self.team}/squad/male1+/../../../other", status=1)[1])

    def test_needs_are_limited(self) -> None:
        names = ["n%d" % i for i in range(400)]
        self.models.write_text("menu_model a { model aliens/body\n%s\n}\n" % "\n".join("need " + name for name in names)
                               + "".join("menu_model %s { model aliens/wing }\n" % name for name in names))
        parts, log = run("info", "--json", f"{self.models}/a")
        self.assertEqual(len(parts.splitlines()), 256)
        self.assertEqual(log.count("there are too many"), 1)
        self.models.write_text("menu_model a { model aliens/body\n%s\n}\n" % "\n".join("need " + name for name in names))
        self.assertEqual(run("info", f"{self.models}/a")[1].count("no such menu_model"), 255)

    def test_compositions_are_limited(self) -> None:
        """A script lists compositions of at most 4,096 models; each can be named. Equal models are one."""
        lines = ["menu_model hub { model aliens/body %s }" % " ".join("need p%d" % i for i in range(200))]
        lines += ["menu_model p%d { model aliens/wing }" % i for i in range(200)]
        lines += ["menu_model e%d { model aliens/body need hub }" % i for i in range(50)]
        self.models.write_text("\n".join(lines))
        parts, log = run("info", "--json", str(self.models), status=1)
        files = [json.loads(line) for line in parts.splitlines()]
        shown = 201 + 200 + 18 * 202
        self.assertEqual(sum("error" not in file for file in files), shown)
        self.assertIn("models.ufo: 32 compositions are left out: those before name %d models, the most for one list; name "
                      "those that you need\n" % 4096, log)
        parts, log = run("info", "--json", f"{self.models}/e49")
        self.assertEqual((len(parts.splitlines()), log), (202, ""))

    def test_commands_on_files_open_no_composition(self) -> None:
        with zipfile.ZipFile(self.game / "0.pk3", "w") as made:
            made.write(self.models, "ufos/models.ufo")
        for command in "check", "edit", "optimize", "examine":
            options = [*(["--name", "x"] if command == "edit" else []), *(["-n"] if command in ("edit", "optimize") else [])]
            script = f"{self.game}/0.pk3:ufos/models.ufo"
            archive = [f"{self.game}/0.pk3"] if command == "check" else []  # the others change archives, or read a file
            for path in str(self.models), script, f"{self.models}/hat", f"{script}/hat", *archive:
                out, log = run(command, *options, path, status=1)
                self.assertEqual((out + log).count("only compositions of models"), 1, out + log)

    def test_a_script_is_a_folder_of_compositions(self) -> None:
        with zipfile.ZipFile(self.game / "0.pk3", "w") as archive:
            for name in self.models, self.team:
                archive.write(name, "ufos/" + name.name)
        for script in str(self.team), f"{self.game}/0.pk3:ufos/team_x.ufo":
            out = self.game / "out"
            run("convert", "-q", "-f", script, "-o", f"{out}/", "--format", "glb")
            found = sorted(str(path.relative_to(out)) for path in out.glob("**/*.glb"))
            self.assertEqual(found, ["other/neutral1.glb", "squad/female1.glb", "squad/male1.glb", "squad/male2.glb"])
        run("convert", "-q", "-f", f"{self.game}/0.pk3", "-o", f"{self.game}/all/", "--format", "glb")
        scripts = self.game / "all/ufos"
        self.assertEqual(sorted(path.name for path in scripts.iterdir()), ["models.ufo", "team_x.ufo"])
        self.assertEqual(len(list((scripts / "team_x.ufo").glob("**/*.glb"))), len(found))

    def test_what_is_missing_is_named(self) -> None:
        self.assertIn('"bodi"; did you mean "body"?',
                      run("convert", f"{self.models}/bodi", "-o", "-", "--format", "obj", status=1)[1])
        (self.game / "models/aliens/hat.md2").unlink()
        self.assertIn("without the model models/aliens/hat: the game has no such model",
                      run("convert", f"{self.models}/body", "-o", "-", "--format", "obj")[1])
        (self.game / "models/aliens/body.md2").unlink()
        self.assertIn("the game has no model models/aliens/body",
                      run("convert", f"{self.models}/body", "-o", "-", "--format", "obj", status=1)[1])


class Installed(unittest.TestCase):
    """Some entries of each of the game's scripts, and those whose model is absent."""

    def setUp(self) -> None:
        if not (GAME / "0ufos.pk3").exists():
            skipping.skip(self, "UFO: Alien Invasion is not installed")

    def test_the_games_compositions(self) -> None:
        checked, absent = 0, []
        with zipfile.ZipFile(GAME / "0ufos.pk3") as scripts, zipfile.ZipFile(GAME / "0models.pk3") as archive:
            files = set(archive.namelist())
            names = [n for n in scripts.namelist() if n.startswith(("ufos/team_", "ufos/models.ufo"))]
            for script in sorted(names):
                entries = ufoai.read_compositions(scripts.read(script).decode("latin-1"))
                for number, (name, shown) in enumerate(entries.items()):
                    paths = ["models/%s.md2" % s.model for s in shown]
                    path = f"{GAME}/0ufos.pk3:{script}/{name}"
                    if number % EVERY and paths[0] in files:
                        continue
                    if paths[0] not in files:
                        absent.append(name)
                        run("convert", "-q", path, "-o", "-", "--format", "obj", status=1)
                        continue
                    skins = [skin_of(archive.read(p), s.skin) for p, s in zip(paths, shown) if p in files]
                    stems = [os.path.join(os.path.dirname(p), skin[1:]) for p, skin in
                             zip([p for p in paths if p in files], skins)]
                    worn = [skin for stem, skin in zip(stems, skins) if {stem + ".png", stem + ".jpg"} & files]
                    self.assertEqual(told(path), worn, path)
                    checked += 1
        self.assertGreater(checked, 300 // EVERY)
        self.assertEqual(absent, ABSENT)
