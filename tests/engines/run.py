"""run.py BUILD: loads files that lerpmesh wrote in the engines that are installed, and compares their pictures
with those of the originals. The pictures and logs are in BUILD/engines/."""
import sys
import time
from pathlib import Path

import darkplaces
import openarena
import openarena_cases
import ufoai
from cases import Figures, judge, publish, summary
from engine import Shot, fresh


def run_openarena(build: Path) -> list[Figures]:
    maker = openarena_cases.Maker(build / "release/lerpmesh", fresh(build / "engines/openarena"))
    sessions = openarena_cases.sessions(maker)
    if not openarena_cases.has_blender():
        print("left out: a player of Blender: blender is not installed")
    results = []
    for renderer in ("opengl1", "opengl2"):
        figures = Figures(f"openarena, {renderer}")
        for commands, cases in sessions:
            empty = Shot("0empty", ["wait 1"])
            shots = [shot for one in cases for shot in one.shots()]
            figures.seconds += openarena.run([empty, Shot("0begin", commands), *shots], renderer, maker.home)
            judge(figures, cases, empty.picture)
        publish([one for _, cases in sessions for one in cases], build / "engines" / f"openarena-{renderer}")
        results.append(figures)
    return results


def run_ufoai(build: Path) -> list[Figures]:
    maker = ufoai.Maker(build / "release/lerpmesh", fresh(build / "engines/ufoai"))
    cases = ufoai.prepare(maker)
    empty = Shot("0empty", ["none/none", "1.000"])
    figures = Figures("ufoai")
    figures.seconds = ufoai.run([empty, *[shot for one in cases for shot in one.shots()]], maker.home)
    judge(figures, cases, empty.picture)
    publish(cases, build / "engines/ufoai-pictures")
    return [figures]


def run_darkplaces(build: Path) -> list[Figures]:
    maker = darkplaces.Maker(build / "release/lerpmesh", fresh(build / "engines/darkplaces"))
    cases = darkplaces.prepare(maker)
    empty = Shot("0empty", darkplaces.EMPTY)
    figures = Figures("darkplaces")
    figures.seconds = darkplaces.run([empty, *[shot for one in cases for shot in one.shots()]], maker.home)
    judge(figures, cases, empty.picture)
    publish(cases, build / "engines/darkplaces-pictures")
    return [figures]


ENGINES = [("openarena", openarena.lacking, run_openarena), ("ufoai", ufoai.lacking, run_ufoai),
           ("darkplaces", darkplaces.lacking, run_darkplaces)]


def main(build: Path) -> int:
    began = time.monotonic()
    results: list[Figures] = []
    skipped = 0
    for name, lacking, run in ENGINES:
        reason = lacking()
        if reason:
            print(f"left out: {name}: {reason}")
            skipped += 1
            continue
        results += run(build)
    failures = [line for figures in results for line in figures.failures]
    for line in failures:
        print("FAILED: " + line)
    for figures in results:
        print(f"{figures.title}, {figures.seconds:.0f} s:")
        for line in summary(figures):
            print("  " + line)
    passed = sum(n for figures in results for (_, outcome), n in figures.counts.items() if outcome != "failed")
    print(f"{passed} passed, {len(failures)} failed, {skipped} engines left out, "
          f"{time.monotonic() - began:.0f} s; pictures in {build}/engines/")
    if not results:
        print("test-engines: none of the engines is installed")
    return 1 if failures or not results else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
