"""Runs the command on every damaged model of the generator. It rejects exactly the invalid ones, names
the file and the place in one sentence, and never crashes, with and without --repair. It accepts what no
engine notices with a warning, and rejects that with --strict."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Iterator

import corpus

TOOL = os.environ["LERPMESH_BINARY"]
GENERATOR = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "tests", "oracle", "make_models.py")
DONE, FAILED = 0, 1
FORMATS = ("md2", "mdc", "md3", "mdl", "mds")
SENTENCE = re.compile(r"\w.{8,}")
BYTE = re.compile(r"byte [0-9]+")
WITHOUT_BYTE = re.compile(r"empty|cannot|memory|limit")


class Run:
    def __init__(self, *arguments: str) -> None:
        done = subprocess.run([TOOL, *arguments], capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        self.code = done.returncode
        self.out = done.stdout.decode(errors="replace")
        self.errors = done.stderr.decode(errors="replace")
        self.what = " ".join(arguments)


def crashes(runs: list[Run]) -> Iterator[str]:
    for run in runs:
        if run.code not in (DONE, FAILED):
            yield f"{run.what}: exit code {run.code}: {run.errors[-300:]}"


def wrong_verdicts(runs: list[Run], expect: str, reason: str) -> Iterator[str]:
    wanted = {"refuse": FAILED, "harmless": DONE, "accept": DONE, "either": runs[0].code}[expect]
    for run in runs:
        if run.code != wanted:
            yield f"{run.what}: exit code {run.code}, but {expect} is right: {reason}"


def silence(run: Run) -> Iterator[str]:
    """info states the reason in one line with the file and the byte."""
    lines = run.errors.strip().splitlines()
    if len(lines) != 1 or not SENTENCE.search(lines[0]):
        yield f"{run.what}: says {run.errors!r} instead of one sentence"
    elif not BYTE.search(lines[0]) and not WITHOUT_BYTE.search(lines[0]):
        yield f"{run.what}: says no byte: {lines[0]}"


def partial_outputs(out: pathlib.Path, run: Run) -> Iterator[str]:
    if run.code == FAILED and out.exists():
        yield f"{run.what}: failed, but left {out.name}"
    if run.code == DONE and out.stat().st_size == 0:
        yield f"{run.what}: wrote nothing"


def edited(path: pathlib.Path, repair: Run) -> Iterator[str]:
    """edit --fix damage writes a file without damage, or nothing. MD2 and MDL are repaired wherever loading is, except
    what no edit can add."""
    made = pathlib.Path(f"{path}.edited{path.suffix}")
    edit = Run("edit", "--fix", "damage", str(path), "-o", str(made))
    yield from crashes([edit])
    yield from partial_outputs(made, edit)
    if edit.code == DONE:
        again = Run("check", "--strict", str(made))
        if again.code != DONE and path.suffix in (".md2", ".mdl"):
            yield f"{path.name}: damage is left: {again.out}"
    elif repair.code == DONE and path.suffix in (".md2", ".mdl") and "the model has no " not in edit.errors:
        yield f"{path.name}: {edit.errors}"


def problems_of(path: pathlib.Path) -> list[str]:
    meaning = json.loads(pathlib.Path(f"{path}.json").read_text(encoding="utf-8"))
    plain = pathlib.Path(f"{path}.plain.obj")
    mended = pathlib.Path(f"{path}.mended.glb")
    info, check = Run("info", str(path)), Run("check", str(path))
    convert = Run("convert", str(path), "-o", str(plain))
    repair = Run("convert", "--repair", str(path), "-o", str(mended))
    strict = [Run("info", "--strict", str(path)), Run("check", "--strict", str(path))]
    others = [Run("examine", str(path)), Run("uv", str(path), "-o", f"{path}.svg")]
    found = list(crashes([info, check, convert, repair, *strict, *others]))
    found += wrong_verdicts([info, check, convert], meaning["expect"], meaning["reason"])
    if meaning["expect"] != "accept":  # "accept" may still replace something, such as a denormal scale
        found += wrong_verdicts(strict, {"harmless": "refuse"}.get(meaning["expect"], meaning["expect"]), meaning["reason"])
    if meaning["expect"] == "harmless":
        found += silence(strict[0])
        if "warning [" not in check.out or "Warnings" not in info.out:
            found.append(f"{path.name}: there is no warning: {check.out}")
    found += edited(path, repair)
    found += partial_outputs(plain, convert)
    found += partial_outputs(mended, repair)
    if info.code == FAILED:
        found += silence(info)
        for word in meaning.get("names", "").split():
            if word not in info.errors or word not in check.out + check.errors:
                found.append(f"{path.name}: {word} is not named: {info.errors.strip()}")
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(GENERATOR), folder, "--damaged", "--formats", ",".join(FORMATS)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        paths = corpus.models_below(pathlib.Path(folder), FORMATS)
        paths += [p for p in pathlib.Path(folder).iterdir() if p not in paths and pathlib.Path(f"{p}.json").is_file()]
        if len(paths) < 100:
            sys.exit(f"the generator made only {len(paths)} damaged models")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = [line for lines in pool.map(problems_of, paths) for line in lines]
    if found:
        sys.exit("\n".join(found))
    print(f"{len(paths)} damaged models: refused and accepted as they should be")


if __name__ == "__main__":
    main()
