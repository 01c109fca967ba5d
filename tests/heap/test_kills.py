#!/usr/bin/env python3
"""Kills each command that writes: at the k-th of its calls that create, write, rename or remove a file, or after half
of the bytes of that call. Each file then has its content from before the run, or that from after it; only names that
begin with .lerpmesh- have others.

All k: test_kills.py --all. Otherwise only a sample, different for each command."""
import concurrent.futures
import os
import signal
import subprocess
import sys
import unittest

from command_cases import CASES, DRAWN, InFolders, files_of, without_case

TOOL = os.environ["LERPMESH_BINARY"]
HEAP = os.environ["LERPMESH_HEAP"]
JOBS = os.cpu_count() or 2
ALL = "--all" in sys.argv
# Without --all, about this many calls of each command are killed.
TRIES = 12


class Kills(InFolders):
    def run_case(self, arguments, kill_at=0):
        """Returns the status of a run, the number of its calls, and the files after it."""
        with self.own_folder() as place:
            status = subprocess.run(
                [TOOL, *arguments], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120,
                check=False, env={**os.environ, "LD_PRELOAD": HEAP, "FILES_COUNT": str(place / "count"),
                                  "FILES_KILL_AT": str(kill_at),
                                  "MESA_SHADER_CACHE_DISABLE": "true"}).returncode
            counted = place / "count"
            return status, int(counted.read_text()) if counted.exists() else 0, files_of(place)

    def fault_of(self, arguments, kill_at, after):
        status, _, files = self.run_case(arguments, kill_at)
        # The process that draws may be killed alone: then its file fails.
        drawing = arguments[0] == "render" or "--image" in arguments
        if status != -signal.SIGKILL and not (drawing and status == 1):
            return "ended with %d" % status
        for name, data in files.items():
            if data not in (self.before.get(name), after.get(name)) and not name.split("/")[-1].startswith(".lerpmesh-"):
                return "left %s with %d bytes" % (name, len(data))
        return "".join("lost " + name for name in self.before if name not in files)

    def kill_all(self, command, arguments):
        status, calls, after = self.run_case(arguments)
        self.assertIn(status, (0, 1))
        if after == self.before:
            return False
        which = range(1, calls + 1) if ALL else range(1 + len(command) % 3, calls + 1, max(1, calls // TRIES))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            faults = pool.map(lambda k: self.fault_of(arguments, k, after), which)
            told = ["FILES_KILL_AT=%d lerpmesh %s: %s" % (k, " ".join(arguments), fault)
                    for k, fault in zip(which, faults) if fault]
        self.assertFalse(told, "\n".join(told))
        return True

    def test_every_command_that_writes(self):
        self.assertEqual(without_case(), [])
        killed = set()
        for command, arguments in {**CASES, **DRAWN}.items():
            with self.subTest(command):
                if self.kill_all(command, arguments):
                    killed.add(arguments[0])
        self.assertEqual(killed, {"convert", "edit", "extract", "optimize", "pack", "render", "uv", "compare"})


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"], verbosity=1)
