#!/usr/bin/python3
"""Tests that the viewer follows the desktop's preference for dark windows, with a portal on a bus of its own."""
import os
import sys
import threading
import unittest

PYTHON = "/usr/bin/python3"  # for which Debian has gi
if os.path.realpath(sys.executable) != os.path.realpath(PYTHON):
    os.execv(PYTHON, [PYTHON, __file__])

try:
    from gi.repository import Gio, GLib
except ImportError:
    print("skipped: there is no python3-gi")
    sys.exit(77)

from viewer_window import SCREEN, ViewerWindow, wait_for

PORTAL = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE = ("org.freedesktop.appearance", "color-scheme")
NO_PREFERENCE, DARK, LIGHT = range(3)
INTERFACE = """<node><interface name="org.freedesktop.portal.Settings">
<method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
<signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
</interface></node>"""
STAGE, HEADER = (200, 150), (440, 8)  # points of the window without a model or a widget
DARK_BELOW = 90  # of 255


class Portal:
    """A portal that knows one setting."""

    def __init__(self, bus, scheme):
        self.scheme = scheme
        self.loop = GLib.MainLoop()
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(bus.get_bus_address(), flags, None, None)
        settings = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.connection.register_object(PATH, settings, self.read, None, None)
        owned = threading.Event()
        Gio.bus_own_name_on_connection(self.connection, PORTAL, Gio.BusNameOwnerFlags.NONE,
                                       lambda *_: owned.set(), None)
        self.thread = threading.Thread(target=self.loop.run)
        self.thread.start()
        owned.wait()

    def read(self, _connection, _sender, _path, _interface, _method, arguments, call):
        if arguments.unpack() == APPEARANCE:
            value = GLib.Variant("v", GLib.Variant("u", self.scheme))
            call.return_value(GLib.Variant.new_tuple(GLib.Variant("v", value)))
        else:
            call.return_dbus_error("org.freedesktop.portal.Error.NotFound", "no such setting")

    def change(self, scheme):
        self.scheme = scheme
        self.connection.emit_signal(None, PATH, SETTINGS, "SettingChanged",
                                    GLib.Variant("(ssv)", (*APPEARANCE, GLib.Variant("u", scheme))))

    def close(self):
        self.loop.quit()
        self.thread.join()
        self.connection.close_sync(None)


class ColorScheme(ViewerWindow):
    def start_with(self, scheme):
        bus = Gio.TestDBus.new(Gio.TestDBusFlags.NONE)
        bus.up()
        self.addCleanup(bus.stop)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.get_bus_address()
        portal = Portal(bus, scheme)
        self.addCleanup(portal.close)
        self.start(os.path.join(self.models, "tick.md2"))
        self.expect_title("tick.md2")
        return portal

    def is_dark(self, point):
        at = 4 * (point[1] * SCREEN[0] + point[0])
        return sum(self.screen()[at:at + 3]) / 3 < DARK_BELOW

    def expect(self, dark):
        wait_for("window that is " + ("dark" if dark else "light"),
                 lambda: self.is_dark(STAGE) == self.is_dark(HEADER) == dark)

    def test_dark_and_light(self):
        portal = self.start_with(DARK)
        self.expect(True)
        portal.change(LIGHT)
        self.expect(False)
        portal.change(DARK)
        self.expect(True)

    def test_no_preference(self):
        portal = self.start_with(NO_PREFERENCE)
        self.expect(False)
        portal.change(DARK)
        self.expect(True)


if __name__ == "__main__":
    unittest.main()
