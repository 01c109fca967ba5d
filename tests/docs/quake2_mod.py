"""The clicks of docs/tutorials/quake2-mod.md, in Blender with hero.blend: calls the operators of the buttons that the
page names, in its order, and draws sidebar.png, export.png and report.png. run_page.py runs it."""
import os
import subprocess
import traceback
from pathlib import Path

import bpy
import numpy as np

ARCHIVE = Path.home() / "lerpmesh/build/blender/lerpmesh_io-addon.zip"
TARGET = Path("baseq2/players/hero/tris.md2").resolve()


def area_of(kind):
    """Returns the largest editor of a kind, and its window."""
    found = [(area, window) for window in bpy.context.window_manager.windows for area in window.screen.areas
             if area.type == kind]
    return max(found, key=lambda pair: pair[0].width * pair[0].height)


def press(operator, kind="VIEW_3D", **values):
    """Presses a button of an editor."""
    area, window = area_of(kind)
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        result = operator("INVOKE_DEFAULT", **values)
    assert "CANCELLED" not in result, f"{operator.idname()} is cancelled"


def mouse(x, y, *values):
    """Moves the mouse in the main window, and presses and releases its button."""
    window = bpy.context.window_manager.windows[0]
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    for value in values:
        window.event_simulate(type="LEFTMOUSE", value=value, x=x, y=y)


def resize(name, width, height):
    """Sets the size of a window, as a window manager does."""
    subprocess.run(["xdotool", "search", "--onlyvisible", "--name", name, "windowmove", "0", "0", "windowsize",
                    str(width), str(height)], check=True)


def draw(name, kind, left, top, width, height):
    """Writes a picture of a part of a window."""
    with bpy.context.temp_override(window=area_of(kind)[1]):
        bpy.ops.screen.screenshot(filepath=str(Path(name).resolve()))
    image = bpy.data.images.load(str(Path(name).resolve()))
    columns, rows = image.size
    pixels = np.array(image.pixels[:]).reshape(rows, columns, 4)[rows - top - height:rows - top, left:left + width]
    image.scale(width, height)
    image.pixels = pixels.ravel()
    image.save()
    bpy.data.images.remove(image)


def steps():
    bpy.ops.preferences.addon_install(filepath=str(ARCHIVE))
    bpy.ops.preferences.addon_enable(module="lerpmesh_io")
    press(bpy.ops.screen.screen_full_area)  # Ctrl+Space
    yield
    view, _ = area_of("VIEW_3D")
    view.spaces[0].show_region_ui = True  # N
    yield
    bar = next(region for region in view.regions if region.type == "UI")
    mouse(bar.x + bar.width - 10, bar.y + bar.height - 180, "PRESS", "RELEASE")  # the tab after Item, Tool and View
    yield
    scene = bpy.context.scene
    scene.lerpmesh.units = "METRES"
    press(bpy.ops.lerpmesh.clips_preset, player="quake2")
    assert [clip.name for clip in scene.lerpmesh.clips][:3] == ["stand", "run", "attack"]
    assert sum(len(clip.frames()) for clip in scene.lerpmesh.clips) == 198
    press(bpy.ops.lerpmesh.check)
    assert [problem.text[:6] for problem in scene.lerpmesh_checks.problems] == ["3 tags", "3 surf"]
    mouse(5, 5)
    yield
    draw("sidebar.png", "VIEW_3D", 496, 82, 224, 804)
    press(bpy.ops.lerpmesh.clip_play)
    yield
    press(bpy.ops.screen.animation_cancel)
    press(bpy.ops.export_scene.lerpmesh)
    yield
    resize("File View", 720, 380)
    yield
    browser = area_of("FILE_BROWSER")[0].spaces[0]
    assert (browser.operator.player, Path(browser.params.filename).name) == ("quake2", "tris.md2")
    browser.params.directory = bytes(TARGET.parent)
    browser.show_region_toolbar = False  # T
    yield
    draw("export.png", "FILE_BROWSER", 0, 0, 720, 380)
    mouse(300, 500)
    press(bpy.ops.file.execute, "FILE_BROWSER")
    for _ in range(60):
        if TARGET.exists():
            break
        yield
    assert TARGET.exists(), f"{TARGET} is not written"
    yield
    draw("report.png", "VIEW_3D", 100, 440, 620, 244)


running = steps()


def tick():
    try:
        next(running)
        return 1.0
    except StopIteration:
        bpy.ops.wm.quit_blender()
    except Exception:
        traceback.print_exc()
        os._exit(1)


bpy.app.timers.register(tick, first_interval=2)
