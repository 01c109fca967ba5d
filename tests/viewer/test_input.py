#!/usr/bin/env python3
"""Tests the viewer as its users see it: with keys and a mouse."""
import hashlib
import os
import subprocess
import time
import unittest

import skipping
from viewer_window import HEIGHT, SCREEN, TIMEOUT, WIDTH, ViewerWindow, wait_for

MIDDLE = (350, 350)
ROW = (850, 330)  # a clip in the list
TABS = {"Clips": 742, "Display": 788, "Models": 841, "Information": 908, "Problems": 982}  # of the panel
TABS_Y = 73
PANEL = (708, 140, 1032, 470)  # below the search of the models, above "Edit clip…"
PANEL_WIDTH = 300  # at least


class Input(ViewerWindow):
    def drag(self, button, dx, dy):
        x, y = MIDDLE
        self.xdotool("mousemove", x, y, "mousedown", button)
        for part in 1, 2, 3:
            self.xdotool("mousemove", x + dx * part // 3, y + dy * part // 3)
        self.xdotool("mouseup", button)
        return self.screenshot()

    def start_paused(self):
        self.start(os.path.join(self.models, "tick.md2"))
        self.expect_title("tick.md2")
        self.xdotool("key", "space")
        wait_for("side panel", lambda: self.stage_size()[0] < WIDTH - PANEL_WIDTH)

    def test_time(self):
        self.start(os.path.join(self.models, "tick.md2"))
        self.expect_title("tick.md2")
        playing = self.screenshot()
        wait_for("different frame", lambda: self.screenshot() != playing)
        self.xdotool("key", "space")
        paused = self.screenshot()
        time.sleep(0.3)
        self.assertEqual(self.screenshot(), paused)
        run = self.press("w", "comma", "period")  # a selected clip plays; stepping pauses
        self.assertNotEqual(run, paused)
        second = self.press("period")
        self.assertNotEqual(second, run)
        self.assertEqual(self.press("comma"), run)
        chosen = self.press("shift+w")
        wait_for("different frame", lambda: self.screenshot() != chosen)

    def test_keys_and_mouse(self):
        self.start_paused()
        self.check_display()
        self.check_camera()
        self.check_models()

    def check_display(self):
        plain = self.screenshot()
        seen = {plain}
        for key in "e", "g", "x", "o":
            shown = self.press(key)
            self.assertNotIn(shown, seen, key)
            seen.add(shown)
            self.assertEqual(self.press(key), plain, key)
        for _ in range(4):
            shown = self.press("s")
            self.assertNotIn(shown, seen, "the next shading")
            seen.add(shown)
        self.assertEqual(self.press("s"), plain)

    def check_camera(self):
        home = self.screenshot()
        views = [self.press(key) for key in ("1", "3", "7", "9")]
        self.assertEqual(len(set(views)), 4)
        self.assertEqual(self.press("Return"), home)
        moved = [self.drag(1, 90, 30), self.drag(2, 60, -40)]
        for button in 4, 4, 5:  # the wheel
            self.xdotool("click", button)
        moved.append(self.screenshot())
        self.assertEqual(len(set(moved + [home])), 4)
        self.assertEqual(self.press("Return"), home)

    def check_models(self):
        first = self.screenshot()
        self.xdotool("key", "Right")
        self.expect_title("tick_head.mdc")
        self.assertNotEqual(self.screenshot(), first)
        self.xdotool("key", "Left")
        self.expect_title("tick.md2")

    def plays(self):
        shown = self.screenshot()
        time.sleep(0.3)
        return self.screenshot() != shown

    def wait_for_change(self, shown):
        """Returns the first screenshot that differs."""
        return wait_for("change", lambda: next((now for now in [self.screenshot()] if now != shown), None))

    def wait_for_pause(self):
        wait_for("pause", lambda: not self.plays())

    def test_list(self):
        """A list with the focus keeps arrows, Space and Return to itself; after Tab, they are the player's."""
        self.start_paused()
        self.xdotool("mousemove", *ROW, "click", 1)
        wait_for("playing clip", self.plays)
        self.xdotool("key", "comma")
        self.wait_for_pause()
        for key in "Right", "Down", "Left":
            self.xdotool("key", key)
        self.assertFalse(self.plays())
        self.assertEqual(self.title(), "tick.md2")
        self.xdotool("key", "space")
        wait_for("playing clip", self.plays)
        self.xdotool("key", "space")
        self.assertTrue(self.plays(), "Space does not pause")
        self.xdotool("key", "comma", "Home", "Return")  # a clip that repeats, which a busy machine does not miss
        wait_for("playing clip", self.plays)
        self.drag(1, 10, 0)  # on the stage
        self.xdotool("key", "space")
        self.wait_for_pause()
        self.xdotool("key", "Right")
        self.expect_title("tick_head.mdc")

    def test_button(self):
        """A button with the focus keeps Space and Return."""
        self.start_paused()
        self.assertFalse(self.plays())
        shown = self.screenshot()
        self.xdotool("mousemove", 95, HEIGHT - 22, "click", 1)  # the previous frame
        shown = self.wait_for_change(shown)
        for key in "space", "Return":
            self.xdotool("key", key)  # GTK presses the button for a quarter of a second
            shown = self.wait_for_change(shown)
            self.assertFalse(self.plays())

    def strip(self):
        """Returns the screen's lowest pixels, where the bar of a full screen is."""
        return self.screen()[-SCREEN[0] * 4 * 80:]

    def manage(self):
        """Starts a window manager."""
        skipping.need(self, "openbox")
        manager = subprocess.Popen(["openbox", "--sm-disable"], env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, manager)

    def area(self, left, top, right, bottom):
        """Returns a hash of the pixels of a part of the screen."""
        screen, width = self.screen(), SCREEN[0]
        rows = (screen[4 * (y * width + left):4 * (y * width + right)] for y in range(top, bottom))
        return hashlib.sha256(b"".join(rows)).hexdigest()

    def still_panel(self):
        """Returns the pixels of the panel when it rests, after the viewer has handled all keys and clicks."""
        self.screenshot()
        before = self.area(*PANEL)
        for _ in range(300):
            time.sleep(0.1)
            shown = self.area(*PANEL)
            if shown == before:
                return shown
            before = shown
        raise AssertionError("the panel does not rest")

    def open_tab(self, name):
        """Opens a tab of the panel with the mouse. Returns the panel's pixels."""
        self.xdotool("mousemove", TABS[name], TABS_Y, "click", 1)
        return self.still_panel()

    def enter(self, plain):
        """Presses Tab until a widget of the page has the focus. Returns the panel's pixels."""
        for _ in range(20):
            self.xdotool("key", "Tab")
            shown = self.still_panel()
            if shown != plain:
                return shown
        raise AssertionError("Tab does not enter the page")

    def expect_one_stop(self, plain):
        """Enters a list, leaves it with one Tab, and returns to it."""
        inside = self.enter(plain)
        self.xdotool("key", "Tab")
        self.assertEqual(self.still_panel(), plain, "Tab stays in the list")
        self.xdotool("key", "shift+Tab")
        self.assertEqual(self.still_panel(), inside)
        self.xdotool("key", "Home")
        first = self.still_panel()
        self.xdotool("key", "Down")
        self.assertNotEqual(self.still_panel(), first)
        self.xdotool("key", "Up")
        self.assertEqual(self.still_panel(), first, "arrows leave the list")

    def place(self, width, height):
        """Moves the window to the corner of the screen. The window manager may ignore what comes too early."""
        def is_placed():
            self.xdotool("windowmove", self.window, 0, 0, "windowsize", self.window, width, height)
            time.sleep(0.3)
            found = self.xdotool("getwindowgeometry", self.window)
            return "0,0" in found and found[-1] == "%dx%d" % (width, height)
        wait_for("window of that size", is_placed)

    def start_managed(self):
        self.manage()
        self.start_paused()
        self.place(WIDTH, HEIGHT)
        self.wait_for_pause()

    def test_tab_of_clips(self):
        self.start_managed()
        self.open_tab("Clips")
        self.xdotool("key", "w", "w", "comma")
        self.wait_for_pause()
        self.expect_one_stop(self.still_panel())
        self.xdotool("key", "Down", "Return")
        wait_for("playing clip", self.plays)

    def test_hover(self):
        """The mouse marks a row only while it is there."""
        self.start_managed()
        plain = self.open_tab("Clips")
        self.xdotool("mousemove", *ROW)
        wait_for("marked row", lambda: self.still_panel() != plain)
        self.xdotool("mousemove", *MIDDLE)
        wait_for("current row", lambda: self.still_panel() == plain)

    def test_tab_of_models(self):
        self.start_managed()
        self.expect_one_stop(self.open_tab("Models"))
        self.xdotool("key", "Down", "Return")
        self.expect_title("tick_head.mdc")

    def test_tab_of_problems(self):
        self.start_managed()
        plain = self.screenshot()
        self.expect_one_stop(self.open_tab("Problems"))
        self.xdotool("key", "Down", "Return")
        self.assertNotEqual(self.screenshot(), plain, "no marks")

    def test_tab_of_display(self):
        """The list of skins is one stop; Space and Return change a switch."""
        self.start_managed()
        plain = self.screenshot()
        skins = self.enter(self.open_tab("Display"))
        self.xdotool("key", "Tab")  # to the shading
        self.assertNotEqual(self.still_panel(), skins)
        self.xdotool("key", "Tab", "space")  # edges
        wait_for("edges", lambda: self.screenshot() != plain)
        self.xdotool("key", "Return")
        wait_for("model without edges", lambda: self.screenshot() == plain)

    def test_tab_of_information(self):
        """Tab enters the groups and tables, to which the page scrolls."""
        self.start_managed()
        seen = [self.enter(self.open_tab("Information"))]
        for _ in range(4):
            self.xdotool("key", "Tab")
            seen.append(self.still_panel())
        self.assertGreater(len(set(seen)), 3, "the focus is not seen")

    def test_overlay(self):
        """In a narrow window, F9 shows the panel over the model, and Escape hides it."""
        self.start_managed()
        self.place(640, 480)
        narrow = wait_for("narrow window", lambda: [size for size in [self.stage_size()] if 500 < size[0] < 650])[0]
        middle = (400, 100, 620, 400)
        plain = self.area(*middle)
        self.xdotool("key", "F9")
        wait_for("panel", lambda: self.area(*middle) != plain)
        self.assertEqual(self.stage_size(), narrow, "the panel is not over the model")
        self.xdotool("key", "Escape")
        wait_for("model alone", lambda: self.area(*middle) == plain)
        self.place(WIDTH, HEIGHT)
        wait_for("panel beside the model", lambda: 600 < self.stage_size()[0] < WIDTH - 300)

    def test_fullscreen(self):
        """Full screen shows the model alone. The mouse brings back a bar, which leaves when the mouse rests."""
        self.manage()
        self.start_paused()
        windowed = wait_for("window", self.stage_size)
        self.xdotool("mousemove", 700, 300)
        self.xdotool("key", "F11")
        wait_for("stage that covers the screen", lambda: self.stage_size() == SCREEN)
        time.sleep(6)  # until the report of the last screenshot and the bar are gone
        alone = self.strip()
        self.xdotool("mousemove", 720, 320)
        wait_for("bar", lambda: self.strip() != alone)
        wait_for("hidden bar", lambda: self.strip() == alone)
        self.xdotool("mousemove", 720, 330)
        wait_for("bar", lambda: self.strip() != alone)
        self.xdotool("mousemove", 75, SCREEN[1] - 40)
        time.sleep(4)
        self.assertNotEqual(self.strip(), alone, "the bar stays below the mouse")
        self.xdotool("key", "Escape")
        wait_for("window", lambda: self.stage_size() == windowed)

    def test_grid(self):
        """Arrows move in the grid, letters search it, Return opens a model, Escape returns to the grid."""
        self.start(self.models)
        self.expect_title("tick.md2")
        self.xdotool("key", "ctrl+g")
        self.expect_title("models")
        self.xdotool("key", "Right", "Return")
        self.expect_title("tick_head.mdc")
        self.xdotool("key", "Escape")
        self.expect_title("models")
        self.xdotool("key", "e", "a", "d", "Return")  # edges, in the view of the model
        self.expect_title("tick_head.mdc")
        self.xdotool("key", "Escape")
        self.expect_title("models")
        self.xdotool("key", "Escape")  # ends the search
        self.xdotool("key", "Home", "Return")
        self.expect_title("tick.md2")
        self.xdotool("key", "Right")
        self.expect_title("tick_head.mdc")

    def test_settings(self):
        """The next run has the settings of the last one."""
        self.start_paused()
        plain = self.screenshot()
        self.xdotool("key", "F9", "e")
        wide = wait_for("wide stage", lambda: [shot for shot in [self.screenshot()] if shot[16:20] != plain[16:20]])[0]
        self.xdotool("key", "ctrl+q")
        self.assertEqual(self.viewer.wait(TIMEOUT), 0)
        self.assertEqual(self.viewer.stderr.read(), b"")
        self.start(os.path.join(self.models, "tick.md2"))
        self.expect_title("tick.md2")  # before it, there is no model, and no screenshot
        wait_for("same stage", lambda: self.screenshot()[16:24] == wide[16:24])


if __name__ == "__main__":
    unittest.main()
