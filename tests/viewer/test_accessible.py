#!/usr/bin/env python3
"""Tests what a screen reader finds in the viewer: AT-SPI names and roles, on a session bus of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

VIEWER = os.path.join(os.environ["LERPMESH_BUILD_DIR"], "lerpmesh-viewer")
SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")
PYTHON = "/usr/bin/python3"  # for which Debian has pyatspi
TIMEOUT = 60  # seconds, for a busy machine


def restart():
    """Runs this script again, on a display and a bus that end with it."""
    home = tempfile.mkdtemp()
    environment = dict(os.environ, INSIDE="1", HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home,
                       XDG_RUNTIME_DIR=home, GDK_BACKEND="x11", LIBGL_ALWAYS_SOFTWARE="1", GTK_A11Y="atspi",
                       GSETTINGS_BACKEND="memory")
    for name in "NO_AT_BRIDGE", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS":
        environment.pop(name, None)
    try:
        return subprocess.run(["xvfb-run", "-a", "dbus-run-session", "--", PYTHON, __file__],
                              env=environment, check=False).returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


class Accessible(unittest.TestCase):
    def start(self, *paths):
        viewer = subprocess.Popen([VIEWER, *paths], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(viewer.wait, TIMEOUT)
        self.addCleanup(viewer.terminate)
        return self.wait_for("program", lambda: self.program(viewer.pid))

    def wait_for(self, what, find):
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                found = find()
            except Exception:  # a widget that is gone meanwhile
                found = None
            if found:
                return found
            time.sleep(0.1)
        self.fail("there is no " + what)

    @staticmethod
    def program(pid):
        desktop = pyatspi.Registry.getDesktop(0)
        return next((program for program in desktop if program and program.get_process_id() == pid and len(program)), None)

    @staticmethod
    def all(root, role):
        return pyatspi.findAllDescendants(root, lambda found: found.getRole() == role)

    def names(self, root, role):
        return [found.name for found in self.all(root, role)]

    def expect(self, root, role, name):
        """Finds a widget by its name, which GTK 4.8 repeats for buttons with a text."""
        return self.wait_for(f"{name} of the role {role}", lambda: next(
            (found for found in self.all(root, role) if found.name in (name, f"{name} {name}")), None))

    def test_panel(self):
        program = self.start(os.path.join(SAMPLES, "tick.md2"))
        self.expect(program, pyatspi.ROLE_LIST_ITEM, "stand")
        tabs = ["Clips", "Display", "Models", "Information", "Problems"]
        self.assertEqual(self.names(program, pyatspi.ROLE_PAGE_TAB), tabs)
        self.assertEqual(self.names(program, pyatspi.ROLE_PAGE_TAB_LIST), ["Pages"])
        for name in "Clips", "Skins", "Models", "Problems", "Playback":
            self.expect(program, pyatspi.ROLE_LIST, name)
        for name in "Backwards", "Interpolate":
            self.expect(program, pyatspi.ROLE_CHECK_BOX, name)  # a switch
            self.expect(program, pyatspi.ROLE_LIST_ITEM, name)

    def test_error(self):
        program = self.start("/nowhere/missing.md2")
        alert = self.wait_for("alert", lambda: next(
            (found for found in self.all(program, pyatspi.ROLE_NOTIFICATION) + self.all(program, pyatspi.ROLE_ALERT)
             if "missing.md2" in found.name), None))
        self.assertIn("missing.md2", alert.name)

    def test_empty_state(self):
        program = self.start()
        for name in "Open…", "Open folder…", "Show Tick":
            self.expect(program, pyatspi.ROLE_PUSH_BUTTON, name)
        self.expect(program, pyatspi.ROLE_HEADING, "Open a model")


if __name__ == "__main__":
    if "INSIDE" not in os.environ:
        if subprocess.run([PYTHON, "-c", "import pyatspi"], check=False, capture_output=True).returncode != 0:
            print("skipped: test_accessible.py: pyatspi is not installed")
            sys.exit(77)
        sys.exit(restart())
    import pyatspi
    unittest.main()
