"""The viewer's program on a virtual display, with keys and a mouse from xdotool. F12 saves screenshots, which have
equal bytes for equal drawings."""
import os
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

VIEWER = os.path.join(os.environ["LERPMESH_BUILD_DIR"], "lerpmesh-viewer")
SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")
TIMEOUT = 120  # seconds, for a busy machine
WIDTH, HEIGHT = 1040, 720  # of the window, whose stage is left of the sidebar
SCREEN = (1400, 900)


def wait_for(what, find, timeout=TIMEOUT):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("there is no " + what)


class ViewerWindow(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home)
        read, write = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "%dx%dx24" % SCREEN, "-nolisten", "tcp",
             # Without it, a key that a busy machine releases late repeats.
             "-r",
             # Otherwise the server resets when its last client exits: xdotool, before the viewer starts.
             "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, screen)
        os.close(write)
        with os.fdopen(read) as number:
            display = ":" + number.readline().strip()
        self.environment = dict(os.environ, DISPLAY=display, GDK_BACKEND="x11", LIBGL_ALWAYS_SOFTWARE="1",
                                GSETTINGS_BACKEND="memory", GTK_A11Y="none", NO_AT_BRIDGE="1", HOME=self.home,
                                XDG_DATA_HOME=self.home, XDG_CONFIG_HOME=self.home, XDG_CACHE_HOME=self.home,
                                XDG_RUNTIME_DIR=self.home, DBUS_SESSION_BUS_ADDRESS="disabled:")
        os.mkdir(os.path.join(self.home, "gtk-4.0"))
        with open(os.path.join(self.home, "gtk-4.0", "settings.ini"), "w", encoding="utf-8") as settings:
            settings.write("[Settings]\ngtk-enable-animations=0\n")
        self.models = os.path.join(self.home, "models")
        os.mkdir(self.models)
        for name in "tick.md2", "tick_head.mdc", "tick.pcx":
            shutil.copy(os.path.join(SAMPLES, name), self.models)

    @staticmethod
    def end(process):
        process.terminate()
        process.wait(TIMEOUT)

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=False,
                              capture_output=True, text=True).stdout.split()

    def start(self, *paths):
        """Opens the viewer and waits for the first model; its window has the keyboard focus."""
        self.viewer = subprocess.Popen([VIEWER, *paths], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(self.viewer.stderr.close)
        self.addCleanup(self.end, self.viewer)
        self.window = wait_for("window", lambda: self.xdotool(
            "search", "--onlyvisible", "--name", r"\.m[dD][23cC]|lerpmesh"))[0]
        self.xdotool("windowmove", self.window, 0, 0)
        self.xdotool("windowsize", self.window, WIDTH, HEIGHT)
        self.xdotool("windowfocus", self.window)

    def title(self):
        return " ".join(self.xdotool("getwindowname", self.window))

    def expect_title(self, title):
        wait_for("window with the title " + title, lambda: self.title() == title)

    def screenshots(self):
        return {name for name in os.listdir(self.home) if name.endswith(".png")}

    def screenshot(self):
        """Saves a screenshot with F12 and returns its bytes."""
        before = self.screenshots()
        self.xdotool("key", "F12")
        name = wait_for("screenshot", lambda: self.screenshots() - before).pop()
        path = os.path.join(self.home, name)
        wait_for("complete screenshot", lambda: self.read(path).endswith(b"IEND\xaeB`\x82"))
        return self.read(path)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def press(self, *keys):
        for key in keys:
            self.xdotool("key", key)
        return self.screenshot()

    def stage_size(self):
        return struct.unpack(">II", self.screenshot()[16:24])

    def screen(self):
        """Returns the pixels of the screen, four bytes each."""
        dump = subprocess.run(["xwd", "-root", "-silent"], env=self.environment, check=True, capture_output=True).stdout
        header, colours = struct.unpack(">I", dump[:4])[0], struct.unpack(">I", dump[76:80])[0]
        return dump[header + 12 * colours:]
