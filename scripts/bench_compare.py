#!/usr/bin/env python3
"""bench_compare.py OLD NEW PAIRS [ARGUMENT…]: compares two builds of lerpmesh-bench, with its ARGUMENTs.

The machine's speed drifts, so their runs alternate, and each ratio compares two consecutive runs. Prints new / old for
each row that both have; contenders that do not change, such as the plain loops, show the noise."""
import math
import re
import statistics
import subprocess
import sys


def rows(program, arguments):
    """Returns the times in the benchmark's output."""
    text = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    times, subject = {}, ""
    for line in text.splitlines():
        if found := re.match(r"  (\S.*?) +([\d.]+) +\d+ %", line):
            times[subject, found[1]] = float(found[2])
        elif found := re.match(r"(\S.*?) +(?:us|ns|ms)\b.* spread", line):
            subject = found[1]
    return times


def main():
    old, new, pairs, *arguments = sys.argv[1:]
    ratios = {}
    for pair in range(int(pairs)):
        programs = (old, new) if pair % 2 == 0 else (new, old)
        times = {program: rows(program, arguments) for program in programs}
        for row in times[new].keys() & times[old].keys():
            ratios.setdefault(row, []).append(times[new][row] / times[old][row])
    if not ratios:
        sys.exit("bench_compare: the two programs have no row in common")
    for (subject, name), values in sorted(ratios.items(), key=lambda item: -statistics.median(item[1])):
        print(f"{statistics.median(values):6.3f} ({min(values):.3f} .. {max(values):.3f})  {subject}: {name}")
    mean = statistics.fmean(math.log(statistics.median(values)) for values in ratios.values())
    print(f"{math.exp(mean):6.3f}  geometric mean of {len(ratios)} rows")


main()
