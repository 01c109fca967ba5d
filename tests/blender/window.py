"""Draws the panels in a window: blender --python window.py -- PACKAGE FOLDER. Saves pictures of the sidebar, of the
options of import and export, and of the report, then quits. Errors while drawing go to standard error."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bpy  # noqa: E402
from windows import FOLDER, SAMPLE, in_view, run, view  # noqa: E402


def shoot(name):
    bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=2)
    window, area, _ = view()
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.screen.screenshot(filepath=str(Path(FOLDER) / f"{name}.png"))


def open_sidebar():
    window, area, region = view()
    area.spaces[0].show_region_ui = True
    area.spaces[0].shading.type = "SOLID"
    area.spaces[0].shading.color_type = "TEXTURE"


def mouse(kind, value, x, y):
    """Sends an event of the mouse: needs --enable-event-simulate."""
    bpy.context.window_manager.windows[0].event_simulate(type=kind, value=value, x=x, y=y)


def sidebar():
    _, area, _ = view()
    return next(region for region in area.regions if region.type == "UI")


def choose_tab():
    """Clicks on the fourth tab of the sidebar, after Item, Tool and View."""
    bar = sidebar()
    x, y = bar.x + bar.width - 10, bar.y + bar.height - 180
    mouse("MOUSEMOVE", "NOTHING", x, y)
    mouse("LEFTMOUSE", "PRESS", x, y)
    mouse("LEFTMOUSE", "RELEASE", x, y)


def steps():
    for made in list(bpy.data.objects):
        bpy.data.objects.remove(made)
    in_view(bpy.ops.import_scene.lerpmesh, filepath=str(SAMPLE))
    open_sidebar()
    yield
    choose_tab()
    yield
    in_view(bpy.ops.view3d.view_all)
    shoot("imported")
    bpy.context.scene.lerpmesh_checks.format = "md3"
    in_view(bpy.ops.lerpmesh.check)
    in_view(bpy.ops.lerpmesh.clips_preset, player="quake2")
    yield
    shoot("preset")
    in_view(bpy.ops.lerpmesh.add_tag)
    yield
    in_view(bpy.ops.export_scene.lerpmesh, filepath=str(Path(FOLDER) / "tick.md2"), content="SELECTED")
    window, area, region = view()
    for name, call in (("report", bpy.ops.lerpmesh.show_report), ("export", bpy.ops.export_scene.lerpmesh),
                       ("import", bpy.ops.import_scene.lerpmesh)):
        with bpy.context.temp_override(window=window, area=area, region=region):
            call("INVOKE_DEFAULT")
        yield
        yield
        shoot_all(name)
        for value in "PRESS", "RELEASE":
            bpy.context.window_manager.windows[-1].event_simulate(type="ESC", value=value, x=400, y=300)
        yield


def shoot_all(name):
    for i, window in enumerate(bpy.context.window_manager.windows):
        with bpy.context.temp_override(window=window):
            bpy.ops.screen.screenshot(filepath=str(Path(FOLDER) / f"{name}{i}.png"))


run(steps(), .7)
