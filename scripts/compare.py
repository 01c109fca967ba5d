#!/usr/bin/env python3
"""Compares two builds of the command on many models: output, messages, exit codes and files, byte for byte.
Use it for changes that must keep the behaviour.

Usage: compare.py OLD NEW FOLDER... [--every N[+K]] [--again]

OLD and NEW are builds of the command. The models are all model files below the FOLDERs, even damaged
ones, and generated ones of every kind that tests/oracle/make_models.py makes. One model is used with
each image of the fuzzers' seeds. Prints the first lines of each difference, and "N runs, N differ" at
the end. Fails if any differ, or if there was nothing to run.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
GENERATOR = HERE.parent / "tests" / "oracle" / "make_models.py"
SEEDS = HERE.parent / "fuzz" / "seeds"  # images of every kind, in zip archives
FORMATS = ("md2", "mdc", "md3", "mdl")  # known to every build
TIMEOUT = 120
TIME = re.compile(r"; \d+\.\d s$", re.MULTILINE)  # the duration of a batch
MAX_SHOWN = 12  # lines of each difference

# The commands for each model. MODEL stands for its path, OUT for the run's own folder.
EACH = [
    "info MODEL",
    "info -v MODEL",
    "info --json MODEL",
    "info --json --repair MODEL",
    "check MODEL",
    "check --json MODEL",
    "check --engine quake3 MODEL",
    "check --engine quake2 MODEL",
    "examine MODEL",
    "examine --json MODEL",
    "uv MODEL -o OUT/",
    "convert MODEL -o OUT/a.glb",
    "convert MODEL -o OUT/a.gltf",
    "convert MODEL -o OUT/a.obj",
    "convert MODEL --quantize -o OUT/q.glb",
    "convert MODEL --frames 0.5 -o OUT/f.glb",
    "convert MODEL --frames 0-2 --axes model --unit 1 --repair -o OUT/r.glb",
    "convert MODEL --topology glcommands --quirk mdc-prinz --clips-from none -o OUT/t.glb",
    # Skins, attachments, clips.
    "convert MODEL --skin extra/skin.pcx -v -o OUT/a.glb",
    "convert MODEL --skin part0=extra/skin.pcx --palette extra/skin.pcx -q -o OUT/a.glb",
    "convert MODEL --skin extra/some.skin --skin other --transparent-255 -o OUT/a.glb",
    "info --json --skin extra/some.skin --game extra --game extra/none.pak MODEL",
    "info --skin extra/skin.pcx --game extra --clips-from extra/clips.cfg MODEL",
    "convert MODEL --clips-from extra/clips.cfg --clip all,two -o OUT/a.glb",
    "convert MODEL --with MODEL --attach tag_0=MODEL,tag_haed=MODEL -o OUT/a.glb",
    "convert MODEL --attach tag_0=MODEL@stand --attach tag_1=nowhere.md3 -o OUT/a.obj",
]
# The commands for one model with each IMAGE as its skin.
WITH_SKIN = ["info --json --skin IMAGE MODEL", "uv MODEL --skin IMAGE --exact -o OUT/a.png",
        "convert MODEL --skin IMAGE -o OUT/a.gltf"]
# Commands that run once: on folders, on missing files, and with wrong arguments.
ONCE = [
    "info synthetic", "info --json --summary synthetic", "check damaged", "convert synthetic -o OUT/ -v",
    "convert synthetic -o OUT/a.glb", "info extra", "info nowhere", "info nowhere.pk3:*.md3",
    "uv synthetic", "examine synthetic", "ls synthetic", "convert nowhere -o OUT/", "info --skin = synthetic",
    "info --skin nowhere.skin synthetic", "info --game nowhere synthetic", "info --clips-from nowhere synthetic",
    "info --palette extra/clips.cfg synthetic", "convert synthetic --attach tag -o OUT/",
    "convert synthetic --attach tag=a@ -o OUT/", "convert - -o OUT/a.glb", "info --max-input 100 synthetic",
    "convert extra/skin.pcx -o OUT/a.glb",
]
LUMPS = ["header", "skins", "st", "triangles", "frames", "glcmds", "vertices", "frame 0 vertices",
         "tag names", "tags", "surface 0", "surface 0 triangles", "surface 1 shaders",
         "surface 0 st", "surface 0 xyz normals", "surface 0 base vertices",
         "surface 0 compressed vertices", "surface 0 base frame table",
         "surface 0 compressed frame table", "surface 99 st", "nothing"]


def runs_of_model(model: str) -> list[list[str]]:
    runs = [[word if word != "MODEL" else model for word in line.split()] for line in EACH]
    return runs + [["examine", "--lump", lump, model] for lump in LUMPS]


def runs_with_skins(model: str, images: list[str]) -> list[list[str]]:
    return [line.replace("IMAGE", image).replace("MODEL", model).split()
            for image in images for line in WITH_SKIN]


def digest(folder: pathlib.Path) -> list[str]:
    lines = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            lines.append(f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return lines


def run(program: str, words: list[str], folder: pathlib.Path, out: pathlib.Path) -> str:
    """Returns all observable results of one run as text."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    command = [program] + [word.replace("OUT", str(out.relative_to(folder))) for word in words]
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT, check=False)
        seen = [f"exit {done.returncode}", "-- out", done.stdout.decode("utf-8", "replace"),
                "-- err", TIME.sub("", done.stderr.decode("utf-8", "replace"))]
    except subprocess.TimeoutExpired:
        seen = ["ran out of time"]
    return "\n".join([*seen, "-- files", *digest(out), ""])


def compare(old: str, new: str, words: list[str], folder: pathlib.Path, number: int,
            times: int) -> tuple[str, str, int]:
    """Runs both builds with the same output folder, because their output contains its name. Returns both
    results, and how often the new build ran until they were equal."""
    out = folder / f"out{number}"
    before = run(old, words, folder, out)
    tried, after = 1, run(new, words, folder, out)
    while after != before and tried < times:
        tried, after = tried + 1, run(new, words, folder, out)
    shutil.rmtree(out, ignore_errors=True)
    return before, after, tried


def first_difference(before: str, after: str) -> list[str]:
    shown = []
    for old, new in zip(before.split("\n"), after.split("\n")):
        if old != new:
            shown += [f"  old: {old[:200]}", f"  new: {new[:200]}"]
        if len(shown) >= MAX_SHOWN:
            break
    return shown or ["  one output is longer"]


def make_extra(folder: pathlib.Path) -> None:
    """Makes files for options: images, a .skin file, a clips file, an invalid archive."""
    image = HERE.parent / "samples" / "tick.pcx"
    (folder / "models" / "test").mkdir(parents=True)
    for name in "skin.pcx", "models/test/part0.pcx", "skin0.pcx":
        shutil.copyfile(image, folder / name)
    (folder / "some.skin").write_text("part0,../../etc/passwd\npart1,skin0\ntag_head,\nwhat\n",
                                      encoding="utf-8")
    (folder / "clips.cfg").write_text("0 3 3 10 // all\n1 1 0 5 // two\n9 9 9 9 // far\n",
                                      encoding="utf-8")
    (folder / "none.pak").write_bytes(b"PACK\0\0")
    for kind in "pcx", "png", "jpeg", "tga":
        with zipfile.ZipFile(SEEDS / f"{kind}.zip") as seeds:
            for name in seeds.namelist():
                (folder / f"{name}.{kind}").write_bytes(seeds.read(name))


def gather(folders: list[str], where: pathlib.Path) -> list[str]:
    """Copies the models and everything in their folders to one folder. Returns the models' paths."""
    for number, folder in enumerate(folders):
        shutil.copytree(folder, where / f"in{number}", symlinks=True)
    for kind, arguments in {"synthetic": ["--count", "30"], "damaged": ["--damaged"]}.items():
        subprocess.run([sys.executable, str(GENERATOR), str(where / kind), "--seed", "7",
                        "--formats", ",".join(FORMATS), *arguments],
                       check=True, stdout=subprocess.DEVNULL)
    make_extra(where / "extra")
    return sorted(str(path.relative_to(where)) for path in where.rglob("*")
                  if path.suffix.lower()[1:] in FORMATS and path.is_file())


def part(text: str) -> slice:
    every, _, first = text.partition("+")
    return slice(int(first or 0), None, int(every))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--every", type=part, default=slice(None), metavar="N[+K]",
                        help="only every N-th run, from number K")
    parser.add_argument("--again", action="store_true",
                        help="repeat a run that differs once, because an emulator may fail to start the "
                        "new build, and count the repetitions")
    options = parser.parse_args()
    old, new = os.path.abspath(options.old), os.path.abspath(options.new)
    differ = again = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = gather(options.folders, folder)
        runs = [words for model in models for words in runs_of_model(model)]
        images = sorted(str(path.relative_to(folder)) for path in (folder / "extra").iterdir()
                        if path.suffix in (".pcx", ".png", ".jpeg", ".tga"))
        runs += runs_with_skins(next(model for model in models if model.startswith("synthetic/")), images)
        runs += [line.split() for line in ONCE]
        runs = runs[options.every]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            pairs = pool.map(lambda job: compare(old, new, job[1], folder, job[0],
                                                 1 + options.again), enumerate(runs))
            for words, (before, after, tried) in zip(runs, pairs):
                again += tried > 1
                if before == after:
                    continue
                differ += 1
                print(" ".join(words), *first_difference(before, after), sep="\n", flush=True)
    print(f"{len(runs)} runs, {differ} differ" + (f", {again} repeated" if again else ""))
    sys.exit(1 if differ or not runs else 0)


if __name__ == "__main__":
    main()
