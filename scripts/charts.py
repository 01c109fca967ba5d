#!/usr/bin/env python3
"""charts.py RESULTS.json FOLDER: draws two charts of a benchmark's results (`make bench BENCH_ARGS="--json FILE"`) with
gnuplot: sampling.svg and loading.svg. `make charts` draws those of docs/internals/performance.md."""
import json
import subprocess
import sys

MODEL = "sydney.md2"
SAMPLING = [("seed loop", "plain loop"), ("scalar, stride 24", "scalar"), ("sse2, stride 24", "SSE2"),
            ("avx2, stride 24", "AVX2"), ("lm_sample, stride 24", "lm_sample"),
            ("lm_sample, 16 bytes for the GPU (packed normals)", "lm_sample, 16 bytes per vertex")]
LOADING = [("three_us", "three.js, MD2Loader"), ("Irrlicht", "Irrlicht 1.8"),
           ("Assimp, its first frame", "Assimp 5.2, one frame of 198"),
           ("plain reader, file (fread)", "plain reader, no checks"), ("lm_load_file", "lerpmesh, lm_load_file")]


def medians(results, subject):
    times = {}
    for result in results:
        if result.get("subject", "").startswith(subject):
            times.update((time["name"], time["median"]) for time in result.get("times", []))
            times.update((key, result[key]) for key in ("three_us",) if key in result)
    return times


def draw(path, title, unit, bars, logarithmic):
    if not bars:
        sys.exit(f"charts.py: there are no figures for {path}")
    values = "\n".join(f'{len(bars) - i} {value} "{name}" "{value:{".2f" if value < 10 else ",.0f"}}"' for i, (name, value) in enumerate(bars))
    script = f"""
set terminal svg size 720,{70 + 36 * len(bars)} noenhanced font "sans-serif,14" background "#ffffff"
set output "{path}"
set title "{title}"
set xlabel "{unit}"
set xrange [{1 if logarithmic else 0}:{max(value for _, value in bars) * (4 if logarithmic else 1.15)}]
{"set logscale x" if logarithmic else ""}
set yrange [0.4:{len(bars) + 0.6}]
set style fill solid
set border 3
set tics nomirror
set grid xtics
$bars << end
{values}
end
plot $bars using 2:1:({1 if logarithmic else 0}):2:($1-0.35):($1+0.35):ytic(3) with boxxyerror linecolor "#3a6ea5" notitle, \\
     $bars using 2:1:4 with labels left offset 0.5,0 notitle
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    machine = f"{run['machine']['cpu']}, {run['machine']['date']}"
    for name, subject, wanted, title, unit, logarithmic in (
            ("sampling", "animate " + MODEL, SAMPLING, "One frame: positions and normals", "ns per vertex", False),
            ("loading", "load " + MODEL, LOADING, "Loading a model of 302 KB", "microseconds", True)):
        times = medians(run["results"], subject)
        bars = [(label, times[row]) for row, label in wanted if row in times]
        draw(f"{sys.argv[2]}/{name}.svg", title, f"{unit}, {MODEL}; {machine}", bars, logarithmic)


main()
