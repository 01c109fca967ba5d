#!/usr/bin/env python3
"""Measures the Python package: the cost of a call, and loading and baking in two threads.

PYTHONPATH=build/python/lib bench/python.py [MODEL…]

Each figure is the least of many runs, taken in turn. A run begins when other processes leave the processors idle."""
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import lerpmesh
import numpy as np

SYDNEY = "/usr/share/assimp/models/MD2/sydney.md2"
FILES = 141
PATIENCE = 60  # seconds to wait for idle processors, in total
waited = 0.0


def busy():
    """Returns the processor time used so far by all processes, in seconds."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:]]
    return (sum(ticks[:8]) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def wait_for_idle():
    global waited
    while waited < PATIENCE:
        before = busy()
        time.sleep(0.03)
        waited += 0.03
        if busy() - before < 0.011:
            return


def least(*calls, runs=25):
    """Returns the least time of each call, in seconds."""
    times = [float("inf")] * len(calls)
    for _ in range(runs):
        for index, call in enumerate(calls):
            wait_for_idle()
            start = time.perf_counter()
            result = call()
            times[index] = min(times[index], time.perf_counter() - start)
            del result  # not timed
    return times


def sampling():
    model = lerpmesh.load(SYDNEY)
    out = np.empty((model.surfaces[0].num_vertices, 3), np.float32)
    ffi, lib, count = lerpmesh.ffi, lerpmesh.lib, 2000
    poses = ffi.new("lm_pose[]", [(3, 4, 0.5)])
    target = ffi.new("lm_sample_target *", {"positions": ffi.from_buffer("float[]", out)})

    def by_cffi():
        for _ in range(count):
            lib.lm_sample(model._pointer, 0, poses, 1, target)

    def by_method():
        for _ in range(count):
            model.sample_into((3, 4, 0.5), 0, out)

    def empty():
        for _ in range(count):
            lib.lm_version_number()

    cffi, method, call = (seconds / count * 1e6 for seconds in least(by_cffi, by_method, empty))
    print(f"sampling: lm_sample {cffi:.2f} us, of which cffi takes {call:.2f}; sample_into() {method:.2f} us")


def bake_all(paths):
    for path in paths:
        model = lerpmesh.load(path)
        for surface in range(len(model.surfaces)):
            model.bake(surface)


def scale(name, alone, both):
    one, two = least(alone, both)
    print(f"{name}: {one * 1e3:.2f} ms, in two threads {two * 1e3:.2f} ms: {one / two:.2f} times as fast")


def threads(paths):
    sets = [paths[::2], paths[1::2]]
    pool = ThreadPoolExecutor(2)

    def shared(function):
        return lambda: list(pool.map(function, sets))

    model = lerpmesh.load(SYDNEY)
    scale("load_many", lambda: lerpmesh.load_many(paths, threads=1), lambda: lerpmesh.load_many(paths, threads=2))
    scale("load, a loop each", lambda: [lerpmesh.load(path) for path in paths],
          shared(lambda part: [lerpmesh.load(path) for path in part]))
    scale("load, a task each", lambda: [lerpmesh.load(path) for path in paths],
          lambda: list(pool.map(lerpmesh.load, paths)))
    scale("load and bake", lambda: bake_all(paths), shared(bake_all))
    scale("bake sydney", lambda: [model.bake() for _ in range(100)],
          lambda: list(pool.map(lambda _: [model.bake() for _ in range(50)], range(2))))
    mesh = lerpmesh.Mesh.from_model(model)
    scale("encode sydney as MD3", lambda: [mesh.encode("md3") for _ in range(4)],
          lambda: list(pool.map(lambda _: [mesh.encode("md3") for _ in range(2)], range(2))))


def main():
    paths = sys.argv[1:] or [SYDNEY]
    sampling()
    threads((paths * FILES)[:FILES])
    print(f"waited {waited:.0f} s for idle processors")


main()
