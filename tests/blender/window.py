"""Draws the panels in a window: blender --python window.py -- PACKAGE FOLDER. Saves pictures of the sidebar, of the
options of import and export, and of the report, then quits. Errors while drawing go to standard error."""
import sys
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


def view():
    window = bpy.context.window_manager.windows[0]
    area = max((a for a in window.screen.areas if a.type == "VIEW_3D"), key=lambda a: a.width * a.height)
    return window, area, next(r for r in area.regions if r.type == "WINDOW")


def in_view(call, **keys):
    window, area, region = view()
    with bpy.context.temp_override(window=window, area=area, region=region):
        return call(**keys)


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


def click(x, y):
    """Clicks: needs --enable-event-simulate."""
    window = bpy.context.window_manager.windows[0]
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    for value in "PRESS", "RELEASE":
        window.event_simulate(type="LEFTMOUSE", value=value, x=x, y=y)


def choose_tab():
    """Clicks on the fourth tab of the sidebar, after Item, Tool and View."""
    _, area, _ = view()
    bar = next(r for r in area.regions if r.type == "UI")
    click(bar.x + bar.width - 10, bar.y + bar.height - 180)


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
    in_view(bpy.ops.export_scene.lerpmesh, filepath=str(Path(FOLDER) / "tick.md2"), content="SELECTED")
    window, area, region = view()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.lerpmesh.show_report("INVOKE_DEFAULT")
    yield
    shoot("report")
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.export_scene.lerpmesh("INVOKE_DEFAULT", filepath=str(Path(FOLDER) / "other.md3"))
    yield
    yield
    shoot_all("export")


def shoot_all(name):
    for i, window in enumerate(bpy.context.window_manager.windows):
        with bpy.context.temp_override(window=window):
            bpy.ops.screen.screenshot(filepath=str(Path(FOLDER) / f"{name}{i}.png"))


running = steps()


def tick():
    try:
        next(running)
        return 0.7
    except StopIteration:
        bpy.ops.wm.quit_blender()
        return None
    except Exception:
        import traceback
        traceback.print_exc()
        bpy.ops.wm.quit_blender()
        return None


bpy.app.timers.register(tick, first_interval=1.5)
