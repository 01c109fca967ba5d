"""Random lists of options, and folders with unusual names. The command ends with 0, 1 or 2 and a message, writes
nothing if it was used wrongly, and writes the same files for any folder name. LERPMESH_OPTION_RUNS sets the number
of lists."""
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = os.environ["LERPMESH_BINARY"]
SAMPLES = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples"
RUNS = int(os.environ.get("LERPMESH_OPTION_RUNS", "240"))
INPUTS = ("tick.md2", "tick_head.mdc", "tick_torch.mdl", "tick.pcx", "cut.md2", "none.md2", "folder", "-", "--", "")
OUTPUTS = ("out/x.md2", "out/x.md3", "out/x.mdc", "out/x.mdl", "out/x.glb", "out/x.gltf", "out/x.obj", "out/x.png",
           "out/x.svg", "out/x.webp", "out/x.pk3", "out/", "out/deeper/", "-", "out/none/x.md3", "out/x")
VALUES = ("", "0", "1", "-1", "2", "10", "0.5", "1e9", "1e-9", "nan", "inf", "0x10", "50%", "101%", "9" * 40, "0-3", "3-0",
          "run", "stand,run", "no such", "all", "none", "auto", "quake2", "md3", "glb", "png", "webp", "json", "32x32",
          "tag_x=1,2,3", "tag_head=tick_head.mdc", "tick.md2", "tick_head.mdc", "tick.pcx", "tick.pcx=", "folder", "=", "a=b",
          "clips:run", "frames:0-9,12", "clips:run=walk", "s#^players#models#", "s#(#x#", "s/a", "models/robot", "../x", "/",
          "%s%n%x", "\xe4\u4e16\U0001f600", "x" * 5000, "\n", "-o", "--json", "ffffff", "1K", "2G", "\\", "iso", "90,0")
# Likely values of options; other options get any of those.
LIKELY = {"--fps": ("10", "0.5"), "--scale": ("2", "0.5"), "--clip": ("run,stand", "no such"), "--frames": ("0-3", "3.5"),
          "--skin": ("tick.pcx", "none.png"), "--engine": ("quake2", "any", "rtcw"),
          "--format": ("md3", "glb", "png", "pk3"), "--axes": ("model",), "--quirk": ("mdc-prinz",),
          "--topology": ("glcommands",), "--normals": ("computed",), "--strips": ("fast", "none"), "--decimate": ("50%",),
          "--lods": ("2",), "--skeleton": ("2", "128"), "--correctives": ("2", "64"), "--skin-path": ("models/x", ""),
          "--max-error": ("0.1", "9"), "--attach": ("tag_x=tick_head.mdc",),
          "--with": ("tick_head.mdc",), "--shared-grid": ("tick.md2", "none.md2"), "--palette": ("tick.pcx",),
          "--keep": ("clips:run", "frames:0-9,12"), "--drop": ("clips:run",), "--order": ("frames:3,2,1",),
          "--rename": ("clips:run=walk",), "--path": ("s#^players#models#",), "--set-skin": ("0=a/b.tga",),
          "--add-skin": ("a/b.tga",), "--append": ("tick.md2",), "--add-tag": ("tag_y=1,2,3",), "--rotate": ("90", "45"),
          "--move": ("1,2,3",), "--reverse": ("run", "all"), "--tolerance": ("1",), "--alpha": ("mask",), "-j": ("2",),
          "--jobs": ("2",), "--max-input": ("1K", "2G"), "--max-output": ("1K", "2G"),
          "--import-time": ("9",), "--import-memory": ("1K", "2G"), "--clips-from": ("quake2", "none")}


def run(folder: Path, words: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([TOOL, *words], cwd=folder, capture_output=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL)


def page(*words: str) -> str:
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True).stdout


def options_of(command: str) -> list[tuple[str, bool]]:
    """Returns each spelling, and whether it takes a value."""
    return [(name, bool(option["value"])) for option in json.loads(page("help", command, "--json"))
            for name in ("--" + option["name"], option["letter"] and "-" + option["letter"]) if name]


def make_files(folder: Path) -> None:
    for name in "tick.md2", "tick_head.mdc", "tick_torch.mdl", "tick.pcx":
        shutil.copy(SAMPLES / name, folder / name)
    (folder / "cut.md2").write_bytes((SAMPLES / "tick.md2").read_bytes()[:9000])
    (folder / "folder").mkdir()
    shutil.copy(SAMPLES / "tick.md2", folder / "folder" / "tris.md2")
    (folder / "out").mkdir()


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Options(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def list_words(self, chance: random.Random, command: str, options: list[tuple[str, bool]]) -> list[str]:
        words = [command]
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 5)) if options else 0):
            name, takes = chance.choice(options)
            value = chance.choice(LIKELY.get(name, VALUES) if chance.random() < 0.7 else VALUES)
            if takes and name.startswith("--") and chance.random() < 0.3:
                words.append(f"{name}={value}")
            elif takes and chance.random() < 0.95:
                words += [name, value]
            else:
                words.append(name + ("=x" if chance.random() < 0.05 else ""))
        words += chance.sample(INPUTS, chance.choice((0, 1, 1, 1, 2))) if chance.random() < 0.5 else ["tick.md2"]
        if chance.random() < 0.8 and ("-o", True) in options:
            words += ["-o", chance.choice(OUTPUTS)]
        if chance.random() < 0.1:
            words[1:] = chance.sample(words[1:], len(words) - 1)  # any order
        return words

    def check_run(self, number: int, words: list[str]) -> str:
        place = self.folder / str(number)
        place.mkdir()
        make_files(place)
        before = tree(place)
        done = run(place, words)
        errors = done.stderr.decode(errors="replace")
        after = tree(place)
        lost = [name for name in before if name not in after
                or (after[name] != before[name] and "--in-place" not in words)]
        shutil.rmtree(place)
        if done.returncode not in (0, 1, 2):
            return f"status {done.returncode}: {errors[-300:]}"
        if done.returncode == 2 and (after != before or not errors.startswith("lerpmesh") or not errors.endswith("\n")):
            return f"wrong usage: {errors[-300:]}"
        if done.returncode == 1 and not (errors or done.stdout):
            return "failed without a word"
        return f"lost {lost}" if lost and not any(w in ("-f", "--force") for w in words) else ""

    def test_random_options(self) -> None:
        chance = random.Random(12)
        listed = page("help").split("Commands:\n")[1].split("\n\n")[0]
        commands = {name: options_of(name) for name in re.findall(r"(?m)^  ([a-z]+) ", listed)
                    if name not in ("render", "help", "version")}  # render: tests/gl/test_render.py
        self.assertGreater(sum(map(len, commands.values())), 150)
        lists = [self.list_words(chance, name, commands[name])
                 for name in (chance.choice(sorted(commands)) for _ in range(RUNS))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            faults = [f"{words}: {fault}" for words, fault in
                      zip(lists, pool.map(self.check_run, range(RUNS), lists)) if fault]
        self.assertFalse(faults, "\n".join(faults))

    def test_a_quiet_run_reports_why_it_failed(self) -> None:
        make_files(self.folder)
        for command in "uv", "convert":
            done = run(self.folder, [command, "-q", "--skin", "no_such", "folder", "-o", f"out/{command}/"])
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (1, "lerpmesh: --skin does not apply to 1 file\n"))

    def test_folders_of_any_name(self) -> None:
        """Output files are the same bytes, with the same names of related files; messages name the folder."""
        names = ("plain", "with space", "-o", "--json", "a[0-9]b", "{frame}", "star*", "what?", "%s%n", "'quote\"",
                 "tab\there", "line\nbreak", "back\\slash", "\xfcml\xe4ut", "\u4e16\u754c", "\U0001f600", "dot.",
                 "..dots", "~", "$HOME", "a:b", "x.pk3", "tick.md2", "n" * 200)
        made = set()
        for name in names:
            place = self.folder / "in" / name
            place.mkdir(parents=True)
            for sample in "tick.md2", "tick.pcx":
                shutil.copy(SAMPLES / sample, place)
            out = self.folder / "out" / name
            out.mkdir(parents=True)
            for words in (["convert", f"in/{name}/tick.md2", "-o", f"out/{name}/x.md3"],
                          ["convert", f"in/{name}/tick.md2", "-o", f"out/{name}/x.gltf"],
                          ["convert", f"in/{name}", "--format", "mdl", "-o", f"out/{name}/"],
                          ["edit", f"in/{name}/tick.md2", "--path", "s#players#models#", "-o", f"out/{name}/e.md2"],
                          ["check", f"in/{name}/tick.md2"], ["info", "--json", f"in/{name}/tick.md2"]):
                done = run(self.folder, words)
                self.assertEqual(done.returncode, 0, (words, done.stderr))
            made.add(tuple(sorted(tree(out).items())))
        self.assertEqual(len(made), 1, [[(k, len(v)) for k, v in m] for m in made])
