#!/usr/bin/env python3
"""Tests the viewer with random keys, clicks, drags and sizes on damaged files, which also change on the disk meanwhile:
it neither crashes nor hangs. The fuzzers' seeds are the files.

    test_events.py SECONDS [SEED]          runs sequences of events for a time, from this seed on

The viewer runs as nobody, who may only write to the folder of the test: random clicks also save files."""
import os
import random
import shutil
import subprocess
import sys
import time
import unittest
import zipfile

import skipping
from viewer_window import SAMPLES, SCREEN, VIEWER, ViewerWindow, wait_for

SEEDS = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "fuzz", "seeds")
NOBODY = 65534
SEQUENCES = 2
BATCHES, EVENTS = 12, 24  # of a sequence, of a batch
KINDS = {"md2": "md2", "md3": "md3", "mdc": "mdc", "mdl": "mdl", "mds": "mds", "iqm": "iqm", "gltf": "glb", "pcx": "pcx",
         "bmp": "bmp", "png": "png", "jpeg": "jpg", "tga": "tga", "pak": "pak", "pk3": "pk3", "skin": "skin", "clips": "cfg",
         "shader": "shader"}
MODELS = ("md2", "md3", "mdc", "mdl", "mds")
KEYS = ("space comma period Left Right Up Down Home End Page_Up Page_Down Return Escape Tab shift+Tab BackSpace Delete F1 F2 "
        "F5 F9 F11 F12 F10 Menu ctrl+o ctrl+shift+o ctrl+r ctrl+e ctrl+z ctrl+shift+z ctrl+s ctrl+c ctrl+v ctrl+g ctrl+a "
        "ctrl+f plus minus slash").split() + list("abcdefghijklmnopqrstuvwxyz0123456789")
CLOSING = "ctrl+w ctrl+q".split()
# Functions that only GTK itself calls: of a popover whose window has left the screen, and of rows that a list moves. The
# same seeds pass when they run again.
OF_GTK = ("gdk_monitor_get_geometry: assertion", "gtk_css_node_insert_after: assertion")


def damaged(rng, data):
    """Returns changed bytes; a third stays."""
    changed = bytearray(data)
    for _ in range(rng.choice((0, 1, 2, 4, 8))):
        if len(changed) < 8:
            break
        at = rng.randrange(min(len(changed), rng.choice((100, len(changed)))))
        if rng.random() < 0.5:
            changed[at] = rng.randrange(256)
        elif rng.random() < 0.8:
            changed[at & ~3:(at & ~3) + 4] = rng.choice((0, 1, 255, 2**31 - 1, 2**31, 2**32 - 1)).to_bytes(4, "little")
        else:
            del changed[at:]
    return bytes(changed)


class Events(ViewerWindow):
    def setUp(self):
        if os.geteuid() != 0:
            skipping.skip(self, "only root may run the viewer as nobody")
        super().setUp()
        self.log = os.path.join(self.home, "log")
        self.seeds = {}
        for kind in KINDS:
            with zipfile.ZipFile(os.path.join(SEEDS, kind + ".zip")) as archive:
                self.seeds[kind] = [archive.read(name) for name in sorted(archive.namelist())]
        for name in MODELS:  # whole models, too
            self.seeds[name] += [self.read(os.path.join(SAMPLES, sample)) for sample in sorted(os.listdir(SAMPLES))
                                 if sample.endswith(name)]
        for folder, _, names in os.walk(self.home):
            for name in (".", *names):
                os.chown(os.path.join(folder, name), NOBODY, NOBODY)

    def write_some(self, rng, count):
        """Writes damaged files, over others or new ones."""
        for _ in range(count):
            kind = rng.choice(MODELS if rng.random() < 0.5 else sorted(KINDS))
            name = rng.choice(("a", "b", "tick", "animation", "a_default", "lower", "upper", "head", "weapon"))
            path = os.path.join(self.models, f"{name}.{KINDS[kind]}")
            if os.path.isdir(path):  # which a dialog made
                continue
            with open(path, "wb") as file:
                file.write(damaged(rng, rng.choice(self.seeds[kind])))

    def launch(self):
        with open(self.log, "wb") as log:
            self.viewer = subprocess.Popen([VIEWER, self.models], env=self.environment, cwd=self.home, stdout=log, stderr=log,
                                           user=NOBODY, group=NOBODY, extra_groups=[])
        self.window = wait_for("window", lambda: self.viewer.poll() is not None or self.xdotool(
            "search", "--onlyvisible", "--pid", self.viewer.pid))
        if isinstance(self.window, list):
            self.window = self.window[0]
            self.xdotool("windowmove", self.window, 0, 0)
            self.xdotool("windowfocus", self.window)

    def batch(self, rng):
        """Returns events as words for xdotool."""
        words = []
        for _ in range(EVENTS):
            kind = rng.random()
            x, y = rng.randrange(SCREEN[0]), rng.randrange(SCREEN[1])
            if kind < 0.45:
                words += ["key", rng.choice(CLOSING if rng.random() < 0.004 else KEYS)]
            elif kind < 0.75:
                words += ["mousemove", x, y, "click", *(("--repeat", 2) if rng.random() < 0.3 else ()),
                          rng.choice((1, 1, 1, 1, 3, 2, 4, 5))]
            elif kind < 0.9:
                words += ["mousemove", x, y, "mousedown", 1, "mousemove", rng.randrange(SCREEN[0]), rng.randrange(SCREEN[1]),
                          "mouseup", 1]
            elif kind < 0.95:
                words += ["type", "--delay", 1, "".join(rng.choice("ab1. -") for _ in range(rng.randrange(1, 8)))]
            elif kind < 0.97:
                words += ["windowsize", self.window, rng.randrange(200, 1400), rng.randrange(200, 900)]
            else:
                words += ["windowfocus", self.window, "key", "Escape"]
        return words

    def expect_well(self, seed, events):
        status = self.viewer.poll()
        with open(self.log, encoding="utf-8", errors="replace") as log:
            text = "".join(line for line in log if not any(words in line for words in OF_GTK))
        bad = status not in (None, 0) or any(word in text for word in ("Sanitizer", "runtime error", "CRITICAL"))
        if bad:
            self.fail(f"seed {seed}: status {status}\n{text[-6000:]}\nlast events: {events[-2:]}")
        return status is None

    def run_sequence(self, seed):
        rng = random.Random(seed)
        shutil.rmtree(self.models)
        os.mkdir(self.models)
        os.chown(self.models, NOBODY, NOBODY)
        self.write_some(rng, 24)
        self.launch()
        events = []
        for _ in range(BATCHES):
            words = self.batch(rng)
            events.append(" ".join(map(str, words)))
            self.xdotool(*words)
            self.write_some(rng, 3)
            if not self.expect_well(seed, events):
                self.launch()
        # It still answers, on a busy machine after minutes.
        for _ in range(600):
            self.xdotool("windowfocus", self.window, "key", "Escape", "key", "Escape", "key", "ctrl+q")
            if self.viewer.poll() is not None:
                break
            time.sleep(1)
        hangs = self.viewer.poll() is None
        if hangs:
            self.end(self.viewer)
        else:
            self.expect_well(seed, events)
        self.assertFalse(hangs, f"seed {seed}: the viewer does not end")

    def test_events(self):
        if seconds:
            end, seed = time.monotonic() + seconds, first
            while time.monotonic() < end:
                self.run_sequence(seed)
                seed += 1
            print(f"{seed - first} sequences of {BATCHES * EVENTS} events in {seconds} s")
        else:
            for seed in range(first, first + SEQUENCES):
                self.run_sequence(seed)


if __name__ == "__main__":
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    unittest.main(argv=sys.argv[:1])
