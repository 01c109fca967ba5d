#!/usr/bin/env python3
"""Compares two builds of the benchmark. Because the machine's speed drifts, their runs alternate, and each
ratio compares consecutive runs.

bench_compare.py BUILD BASE [PAIRS [ARGUMENT…]]  builds the commit BASE in BUILD/bench-base, and compares its
                                                 lerpmesh-bench with BUILD/release/lerpmesh-bench
bench_compare.py --programs OLD NEW [PAIRS [ARGUMENT…]]  compares two programs

ARGUMENTs are the benchmark's. Prints the ratio new / old of each family (a section's contender, all subjects)
and the rows whose median is off by more than 3 %. Contenders that the libraries are compared with do
not change, so their ratio shows the noise. `taskset -c 1 make bench-compare` keeps to one processor."""
import collections
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

LIMIT = 0.03
PAIRS = 5
Row = collections.namedtuple("Row", "section subject name")


def build_base(build: str, base: str) -> str:
    folder = os.path.join(build, "bench-base")
    source = os.path.join(folder, "source")
    shutil.rmtree(source, ignore_errors=True)
    os.makedirs(source)
    archive = subprocess.run(["git", "archive", base], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", source], check=True, input=archive)
    for command in (["-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DLERPMESH_BENCH=ON"],
                    ["--build", folder, "-j", str(os.cpu_count()), "--target", "lerpmesh-bench", "lerpmesh-tool"]):
        subprocess.run(["cmake", *command], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "lerpmesh-bench")


def run(program: str, arguments: list[str]) -> tuple[dict[Row, float], set[Row]]:
    """Returns the median times, and the libraries' own rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "times.json")
        subprocess.run([program, "--json", path, *arguments], check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            results = json.load(file)["results"]
    times = {Row(r["section"], r["subject"], t["name"]): t["median"] for r in results for t in r.get("times", ())}
    claims = [(r["section"], c) for r in results for c in r.get("claims", ())]
    ours = {(section, c["ours"]) for section, c in claims}
    others = {(section, c.get("other")) for section, c in claims} - ours
    return times, {row for row in times if (row.section, row.name) not in others}


def ratios_of(old: str, new: str, pairs: int, arguments: list[str]) -> tuple[dict[Row, list[float]], set[Row]]:
    ratios: dict[Row, list[float]] = collections.defaultdict(list)
    ours: set[Row] = set()
    for pair in range(pairs):
        first, second = (old, new) if pair % 2 == 0 else (new, old)
        runs = {program: run(program, arguments) for program in (first, second)}
        before, after = runs[old][0], runs[new][0]
        ours |= runs[new][1]
        for row in before.keys() & after.keys():
            ratios[row].append(after[row] / before[row])
    return ratios, ours


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def report(ratios: dict[Row, list[float]], ours: set[Row]) -> None:
    medians = {row: statistics.median(values) for row, values in ratios.items()}
    families: dict[tuple[str, str], list[float]] = collections.defaultdict(list)
    for row, median in medians.items():
        if row in ours:
            families[row.section, row.name].append(median)
    for kind, chosen in (("ours", ours & medians.keys()), ("others", medians.keys() - ours)):
        if chosen:
            print(f"{kind}: {len(chosen)} rows, {mean([medians[row] for row in chosen]):.3f}")
    print("\nnew / old per family:")
    for (section, name), values in sorted(families.items(), key=lambda family: -mean(family[1])):
        print(f"  {mean(values):.3f}  at most {max(values):.3f}  {section}: {name} ({len(values)})")
    different = sorted((row for row in ours & medians.keys() if abs(medians[row] - 1) > LIMIT), key=lambda row: -medians[row])
    print(f"\n{len(different)} rows that differ by more than {LIMIT:.0%}:")
    for row in different:
        low, high = min(ratios[row]), max(ratios[row])
        print(f"  {medians[row]:.3f} ({low:.3f} .. {high:.3f})  {row.section}: {row.subject}: {row.name}")


def main() -> None:
    arguments = sys.argv[1:]
    given = arguments[:1] == ["--programs"]
    first, second, *rest = arguments[1:] if given else arguments
    pairs = int(rest[0]) if rest and rest[0].isdigit() else PAIRS
    old, new = (first, second) if given else (build_base(first, second), os.path.join(first, "release/lerpmesh-bench"))
    ratios, ours = ratios_of(old, new, pairs, rest[1:] if rest and rest[0].isdigit() else rest)
    if not ratios:
        sys.exit("bench_compare: the two programs have no row in common")
    report(ratios, ours)


if __name__ == "__main__":
    main()
