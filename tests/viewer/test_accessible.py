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
        # The display would reset, and refuse the viewer, when the bus has set its property and closes its connection.
        return subprocess.run(["xvfb-run", "-a", "-s", "-noreset", "dbus-run-session", "--", PYTHON, __file__],
                              env=environment, check=False).returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


class Accessible(unittest.TestCase):
    def start(self, *paths):
        viewer = subprocess.Popen([VIEWER, *paths], stdout=subprocess.DEVNULL)
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
    def describe(program, about):
        """Returns what `about` says of every widget, without those that are gone meanwhile."""
        found, left = [], [program]
        while left:
            widget = left.pop(0)
            try:
                found += filter(None, [about(widget)])
                left[:0] = filter(None, widget)
            except GLib.Error:
                pass
        return found

    def collect(self, program):
        """Returns the role and the name of every widget."""
        return self.describe(program, lambda found: (found.getRole(), found.name))

    def expect(self, program, wanted):
        """Waits until the program has these roles and names, and returns all."""
        missing, end = set(wanted), time.monotonic() + TIMEOUT
        while missing and time.monotonic() < end:
            found = self.collect(program)
            missing = set(wanted) - set(found)
        self.assertFalse(missing)
        return found

    def nameless(self, program):
        """Returns the widgets that can have the focus, and the items of lists, which have no name: GTK names these
        by their type."""
        containers = pyatspi.ROLE_SCROLL_PANE, pyatspi.ROLE_FILLER
        items = pyatspi.ROLE_LIST_ITEM, pyatspi.ROLE_TABLE_CELL, pyatspi.ROLE_PAGE_TAB

        def about(found):
            states, role, parent = found.getState(), found.getRole(), found.parent
            inner = parent and parent.getRole() in (pyatspi.ROLE_COMBO_BOX, pyatspi.ROLE_FILLER)
            focusable = states.contains(pyatspi.STATE_FOCUSABLE) and role not in containers and not inner
            is_nameless = (states.contains(pyatspi.STATE_VISIBLE) and (role in items or focusable) and
                           (not found.name or found.name.startswith(("Gtk", "Viewer"))))
            return is_nameless and (found.getRoleName(), found.name, parent and parent.name)
        return self.describe(program, about)

    @staticmethod
    def call(method, *arguments):
        """Calls an action of the window over the session bus."""
        subprocess.run(["gdbus", "call", "--session", "--dest", "org.lerpmesh.Viewer", "--object-path",
                        "/org/lerpmesh/Viewer/window/1", "--method", "org.gtk.Actions." + method, *arguments, "{}"],
                       check=True, capture_output=True)

    def expect_names(self, program, role, name):
        """Waits for a widget, and then expects all others to have names."""
        self.expect(program, [(role, name)])
        self.assertEqual(self.nameless(program), [], name)

    def test_names(self):
        """Every stop of the keyboard and every item of a list has a name: in the panel, the grid and dialogs. GTK's
        tables of the Information page are left out: their rows have none."""
        program = self.start(os.path.join(SAMPLES, "tick.md2"))
        self.expect_names(program, pyatspi.ROLE_LIST_ITEM, "stand")
        self.call("SetState", "thumbnails", "<true>")
        self.expect_names(program, pyatspi.ROLE_TABLE_CELL, "tick.md2")
        self.call("SetState", "thumbnails", "<false>")
        for action, title in ("export", "Export"), ("ask-attach", "Attached models"), ("edit-names", "Edit names"):
            self.call("Activate", action, "[]")
            self.expect_names(program, pyatspi.ROLE_FRAME, title)

    def test_panel(self):
        program = self.start(os.path.join(SAMPLES, "tick.md2"))
        rows = [(pyatspi.ROLE_LIST_ITEM, name) for name in ("stand", "Backwards", "Interpolate", "Edges")]
        lists = [(pyatspi.ROLE_LIST, name) for name in ("Clips", "Skins", "Models", "Problems", "Playback", "Show")]
        switches = [(pyatspi.ROLE_CHECK_BOX, name) for name in ("Backwards", "Interpolate", "Edges", "UV map")]
        found = self.expect(program, rows + lists + switches + [(pyatspi.ROLE_PAGE_TAB_LIST, "Pages")])
        self.assertEqual([name for role, name in found if role == pyatspi.ROLE_PAGE_TAB],
                         ["Clips", "Display", "Models", "Information", "Problems"])

    def test_error(self):
        program = self.start("/nowhere/missing.md2")
        self.wait_for("alert", lambda: [name for role, name in self.collect(program)
                                        if role == pyatspi.ROLE_ALERT and "missing.md2" in name])
        self.assertEqual(self.nameless(program), [])

    def test_empty_state(self):
        program = self.start()
        buttons = [(pyatspi.ROLE_PUSH_BUTTON, name) for name in ("Open…", "Open folder…", "Show Tick")]
        self.expect(program, buttons + [(pyatspi.ROLE_HEADING, "Open a model")])


if __name__ == "__main__":
    if "INSIDE" not in os.environ:
        missing = [program for program in ("xvfb-run", "xauth", "dbus-run-session") if not shutil.which(program)]
        if subprocess.run([PYTHON, "-c", "import pyatspi"], check=False, capture_output=True).returncode != 0:
            missing.append("pyatspi")
        if missing:
            print(f"skipped: test_accessible.py: not installed: {' '.join(missing)}")
            sys.exit(77)
        sys.exit(restart())
    import pyatspi
    from gi.repository import GLib
    unittest.main()
