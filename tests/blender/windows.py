"""Helpers for tests in a window: blender --python NAME.py -- PACKAGE FOLDER, with --enable-event-simulate."""
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE, FOLDER = sys.argv[sys.argv.index("--") + 1:][:2]
sys.path[:0] = [PACKAGE, str(HERE.parents[1] / "python" / "blender"), str(HERE)]

import bpy  # noqa: E402

import lerpmesh_io  # noqa: E402

lerpmesh_io.register()
bpy.context.preferences.view.show_splash = False
bpy.context.preferences.view.ui_scale = 1
SAMPLE = HERE.parents[1] / "samples" / "tick.md2"


def find(kind):
    """Returns the largest area of a kind, with its window and its main region; None: there is none."""
    found = [(w, a) for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == kind]
    if not found:
        return None
    window, area = max(found, key=lambda pair: pair[1].width * pair[1].height)
    return window, area, next(r for r in area.regions if r.type == "WINDOW")


def view():
    return find("VIEW_3D")


def in_area(kind, call, *values, **keys):
    window, area, region = find(kind)
    with bpy.context.temp_override(window=window, area=area, region=region):
        return call(*values, **keys)


def in_view(call, *values, **keys):
    return in_area("VIEW_3D", call, *values, **keys)


def press(key):
    window = view()[0]
    for value in "PRESS", "RELEASE":
        window.event_simulate(type=key, value=value)


def run(steps, seconds):
    """Runs a generator; it yields to let Blender handle events, for some seconds."""
    def tick():
        try:
            return next(steps) or seconds
        except StopIteration:
            pass
        except Exception:
            traceback.print_exc()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(tick, first_interval=1.5, persistent=True)
