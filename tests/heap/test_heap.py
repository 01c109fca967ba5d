#!/usr/bin/env python3
"""Tests the command on a failing heap. For each k, with only the k-th allocation failing and with all from the k-th on,
a run ends as usual, or with status 1 and a message about it. On heaps with filled memory and inaccessible pages after
each block, outputs are the same.

All k: test_heap.py --all. Otherwise only a sample, different for each command, to keep the run short."""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import unittest

from command_cases import CASES, DRAWN, InFolders, files_of, without_case

TOOL = os.environ["LERPMESH_BINARY"]
HEAP = os.environ["LERPMESH_HEAP"]
JOBS = os.cpu_count() or 2
# Without --all, about this many allocations fail in each command.
TRIES = 8
# With --all, about this many of the driver's allocations fail.
DRAWN_TRIES = 500
DRIVER_ALLOCATIONS = 60_000
# Without memory, Mesa may wait for its own threads forever: seen in one of about 1,000 runs.
MAX_WAITING = 0.005
COMMANDS = CASES | DRAWN

Outcome = collections.namedtuple("Outcome", "status stdout stderr files allocations")
WAITING = "waits forever"


class Heap(InFolders):
    def run_command(self, command, **environment):
        """Returns the results of a run in its own folder with the tree."""
        with self.own_folder() as place:
            done = subprocess.run([TOOL, *COMMANDS[command]], cwd=place, capture_output=True, timeout=60, check=False,
                                  env={**os.environ, "LD_PRELOAD": HEAP, "HEAP_COUNT": str(place / "count"),
                                       **environment})
            files = files_of(place)
            counted = place / "count"
            # Without times and the driver's own warnings.
            stderr = re.sub(r"; \d+\.\d s(?=\n)|libEGL warning: .*\n+", "", done.stderr.decode())
            return Outcome(done.returncode, done.stdout, stderr, files,
                           int(counted.read_text()) if counted.exists() else -1)

    def fault_of(self, usual, failing):
        """Returns the faults in a run's result, or nothing."""
        if failing.status == usual.status and failing[1:4] == usual[1:4]:
            return ""
        if failing.status != 1:
            return "status %d" % failing.status
        if not re.search("memory|Assimp|graphics driver", failing.stderr):
            return "no word of memory: %r" % failing.stderr
        if not failing.stderr.endswith("\n"):
            return "half a sentence: %r" % failing.stderr
        for name, data in failing.files.items():
            if data not in (usual.files.get(name), self.before.get(name)):
                return "wrote another " + name
        return "".join("lost " + name for name in self.before if name not in failing.files)

    def try_one(self, command, usual, variable, k):
        """Returns the faults in the result of a run in which the k-th allocation fails."""
        try:
            return self.fault_of(usual, self.run_command(command, **{variable: str(k)}))
        except subprocess.TimeoutExpired:
            if command not in DRAWN:
                raise
            return WAITING

    def try_all(self, command):
        usual = self.run_command(command)
        self.assertGreater(usual.allocations, 0, command)
        self.assertIn(usual.status, (0, 1), usual.stderr)
        # The allocations of Assimp's and the graphics driver's processes follow those before; they are not counted.
        more = 800 if "Assimp" in command else DRIVER_ALLOCATIONS if command in DRAWN else 0
        which = range(1, usual.allocations + 1 + more)
        tries = TRIES if "--all" not in ARGUMENTS else DRAWN_TRIES if command in DRAWN else len(which)
        if tries < len(which):
            which = which[len(command) % 3::max(1, len(which) // tries)]
        runs = [(variable, k) for k in which for variable in ("HEAP_FAIL_AT", "HEAP_FAIL_FROM")]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            found = list(pool.map(lambda run: self.try_one(command, usual, *run), runs))
        self.assertLessEqual(found.count(WAITING), MAX_WAITING * len(runs))
        faults = ["%s=%d lerpmesh %s: %s" % (*run, " ".join(COMMANDS[command]), fault)
                  for run, fault in zip(runs, found) if fault not in ("", WAITING)]
        self.assertFalse(faults, "%d of %d runs:\n%s" % (len(faults), len(runs), "\n".join(faults)))

    def test_every_option_has_a_case(self):
        self.assertEqual(without_case(), [])

    def test_contents(self):
        """Results do not depend on uninitialised memory, and nothing is accessed past its end."""
        for command in CASES:
            with self.subTest(command):
                usual = self.run_command(command)
                for environment in {"HEAP_FILL": "0"}, {"HEAP_FILL": "255"}, {"HEAP_GUARD": "1"}:
                    self.assertEqual(self.run_command(command, **environment), usual, environment)


def add_cases():
    for command in COMMANDS:
        def case(self, command=command):
            self.try_all(command)
        setattr(Heap, "test_failing_" + command.replace(" ", "_"), case)


ARGUMENTS = [argument for argument in sys.argv if argument == "--all"]
add_cases()

if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"], verbosity=1)
