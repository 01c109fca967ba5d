"""Imports and exports as a user does: progress, Esc, undo and redo. blender --python window_jobs.py -- PACKAGE FOLDER.
Writes the file "passed" if all is right."""
import shutil
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bpy  # noqa: E402
from windows import FOLDER, SAMPLE, find, in_area, in_view, press, run  # noqa: E402

import support  # noqa: E402
from lerpmesh_io import exporter, importer, jobs  # noqa: E402

HERE = Path(FOLDER)
shown = []  # the progress: share and text
show = jobs.show


def record(context, share, text):
    shown.append((share, text))
    show(context, share, text)


jobs.show = record


def slowed(call):
    """Makes each step of an import or an export take longer than a slice."""
    def steps(made):
        for step in call(made):
            yield step
            time.sleep(1.2 * jobs.SLICE)
    return steps


def undo_steps():
    """Returns the names of the undo steps."""
    output = HERE / "undo.txt"
    with support.captured(output):
        in_view(bpy.context.window_manager.print_undo_steps)
    return [line.split("name='")[1].rstrip("'\n") for line in output.read_text().splitlines() if "name='" in line]


def last_report():
    """Returns the last line of the Info editor."""
    _, area, _ = find("OUTLINER")
    area.type = "INFO"
    in_area("INFO", bpy.ops.info.select_all, action="SELECT")
    in_area("INFO", bpy.ops.info.report_copy)
    area.type = "OUTLINER"
    return bpy.context.window_manager.clipboard.strip().splitlines()[-1]


def choose(path, member=""):
    """Chooses a file in the open file browser, and a model in the panel that lists those of an archive."""
    parameters = find("FILE_BROWSER")[1].spaces.active.params
    parameters.directory, parameters.filename = str(path.parent).encode() + b"/", path.name
    yield .4
    if member:
        archive = bpy.context.window_manager.lerpmesh_archive
        yield from wait(lambda: archive.path == str(path))
        archive.active = archive.members.find(member)
    in_area("FILE_BROWSER", bpy.ops.file.execute)


def open_browser(operator, **options):
    assert in_view(operator, "INVOKE_DEFAULT", **options) == {"RUNNING_MODAL"}
    yield .7


def wait(condition):
    for _ in range(400):
        if condition():
            return
        yield .05
    raise AssertionError("waited in vain")


def user_scene():
    """A scene with settings of its own."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 17, 3, 44
    scene.timeline_markers.new("mine", frame=7)
    scene.frame_set(9)
    in_view(bpy.ops.lerpmesh.clip_add, "EXEC_DEFAULT", True)


def import_cancelled():
    """Esc removes everything, and the operator has no undo step."""
    whole = importer.Import.run
    for frames in "RELATIVE", "CACHE", "ARMATURE":
        before, steps = support.snapshot(), undo_steps()
        importer.Import.run = slowed(whole)
        shown.clear()
        yield from open_browser(bpy.ops.import_scene.lerpmesh, frames=frames, cache_folder=FOLDER)
        yield from choose(SAMPLE)
        kind = "armatures" if frames == "ARMATURE" else "meshes"
        yield from wait(lambda: len(shown) >= 4 and len(getattr(bpy.data, kind)) > len(before[kind]))
        press("ESC")
        yield .5
        importer.Import.run = whole
        count = len(shown)
        support.assert_same(before, support.snapshot())
        assert not list(HERE.glob("*.mdd"))
        assert last_report() == "Cancelled", last_report()
        assert undo_steps() == steps, undo_steps()
        yield .3
        assert len(shown) == count, "the import goes on"
        assert all(text.startswith("Importing tick.md2: ") for _, text in shown), shown
        assert [share for share, _ in shown] == sorted(share for share, _ in shown)


def import_done(path, choice=(), member="", frames="RELATIVE"):
    """One undo step, which undo and redo move to and fro."""
    before, steps = everything(), undo_steps()
    yield from open_browser(bpy.ops.import_scene.lerpmesh, frames=frames)
    yield from choose(path, member)
    yield from choice
    yield from wait(lambda: len(undo_steps()) > len(steps))
    after = everything()
    assert not member or Path(member).stem in bpy.data.collections, bpy.data.collections.keys()
    assert len(after["actions"]) == (1 if frames == "ARMATURE" else 6) and after["clips"] != before["clips"], after
    assert undo_steps() == [*steps, "Import Game Model"], undo_steps()
    yield from undo_and_redo(before, after)


def undo_and_redo(before, after):
    assert in_view(bpy.ops.ed.undo) == {"FINISHED"}
    yield .1
    support.assert_same(before, everything())
    assert in_view(bpy.ops.ed.redo) == {"FINISHED"}
    yield .1
    support.assert_same(after, everything())


def import_adjusted(path):
    """Adjust Last Operation imports again, at once."""
    steps = undo_steps()
    yield from open_browser(bpy.ops.import_scene.lerpmesh)
    yield from choose(path)
    yield from wait(lambda: len(undo_steps()) > len(steps))
    names = [o.name for o in bpy.data.objects]
    bpy.context.window_manager.operators[-1].units = "METRES"
    in_view(bpy.ops.ed.undo_redo)
    yield .3
    assert [o.name for o in bpy.data.objects] == names
    assert bpy.context.scene.lerpmesh.units == "METRES"


def each_operator():
    """An operator of each panel is one undo step with its name."""
    made = next(o for o in bpy.data.objects if "lerpmesh_surface" in o)
    bpy.context.view_layer.objects.active = made
    in_view(bpy.ops.ed.undo_push, message="ready")
    ops = bpy.ops.lerpmesh
    for call, name, options in (
            (ops.skin, "Skin", {"skin": "1"}), (ops.clip_add, "Add Clip", {}), (ops.clip_move, "Move Clip", {"by": -1}),
            (ops.clip_remove, "Remove Clip", {}), (ops.clips_preset, "Player Preset", {"player": "quake2"}),
            (ops.clips_fill, "Find Clips", {"source": "ACTIONS"}), (ops.clip_play, "Play Clip", {}),
            (ops.add_tag, "Add Tag", {"tag": "tag_a"}),
            (ops.shader_path, "Path in the Game", {"material": bpy.data.materials[-1].name, "path": "a/b"})):
        before, steps = everything(), undo_steps()
        assert in_view(call, "EXEC_DEFAULT", True, **options) == {"FINISHED"}, name
        in_view(bpy.ops.screen.animation_cancel, restore_frame=False)
        after = everything()
        assert before != after, name
        assert undo_steps() == [*steps, name], undo_steps()
        yield from undo_and_redo(before, after)


def everything():
    """The state with what the panels edit."""
    made = [o.name for o in bpy.data.objects if "lerpmesh_surface" in o]
    return {**support.snapshot(), "paths": [m.get("lerpmesh_path") for m in bpy.data.materials],
            "skins": [[slot.name for slot in bpy.data.objects[name].material_slots] for name in made]}


def export_cancelled():
    """Esc leaves the files and the scene as they were."""
    path = HERE / "old.md2"
    path.write_bytes(b"old")
    whole, files = exporter.Export.run, sorted(HERE.iterdir())
    before, steps = support.snapshot(), undo_steps()
    exporter.Export.run = slowed(whole)
    shown.clear()
    yield from open_browser(bpy.ops.export_scene.lerpmesh, content="VISIBLE", use_source=False)
    yield from choose(path)
    yield from wait(lambda: len(shown) >= 4)
    press("ESC")
    yield .5
    exporter.Export.run = whole
    support.assert_same(before, support.snapshot())
    assert last_report() == "Cancelled", last_report()
    assert (path.read_bytes(), sorted(HERE.iterdir()), undo_steps()) == (b"old", files, steps)
    assert all(text.startswith("Exporting old.md2: frame ") for _, text in shown), shown


def export_done():
    path = HERE / "new.md2"
    before, steps = support.snapshot(), undo_steps()
    yield from open_browser(bpy.ops.export_scene.lerpmesh, content="VISIBLE")
    yield from choose(path)
    yield from wait(path.exists)
    yield .3
    support.assert_same(before, support.snapshot())
    assert undo_steps() == steps, undo_steps()
    assert path.read_bytes() == SAMPLE.read_bytes()


def model_with_skins():
    folder = HERE / "players" / "tick"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE, folder)
    data = bytearray(SAMPLE.with_suffix(".pcx").read_bytes())
    for name in "tick", "gold":
        data[-600] ^= 255
        (folder / f"{name}.pcx").write_bytes(data)
    with zipfile.ZipFile(HERE / "pak0.pk3", "w") as archive:
        archive.write(SAMPLE, "models/a.md2")
        archive.write(SAMPLE, "models/b.md2")
    return folder / "tick.md2"


def from_popup():
    """Chooses the first model in the search popup."""
    yield .7
    press("RET")


def close_report():
    """Closes the popup with the errors of an armature."""
    window_manager = bpy.context.window_manager
    yield from wait(lambda: "bones; error" in window_manager.lerpmesh_report)
    yield .5
    press("ESC")
    yield .3


def steps():
    path = model_with_skins()
    user_scene()
    yield
    yield from import_cancelled()
    yield from import_done(path)
    yield from import_adjusted(path)
    yield from each_operator()
    yield from export_cancelled()
    in_view(bpy.ops.wm.read_homefile, use_factory_startup=True, use_empty=True)
    yield .5
    yield from import_done(HERE / "pak0.pk3", from_popup())
    in_view(bpy.ops.wm.read_homefile, use_factory_startup=True, use_empty=True)
    yield .5
    yield from import_done(HERE / "pak0.pk3", member="models/b.md2")
    yield from export_done()
    in_view(bpy.ops.wm.read_homefile, use_factory_startup=True, use_empty=True)
    yield .5
    yield from import_done(HERE / "pak0.pk3", close_report(), "models/b.md2", "ARMATURE")
    (HERE / "passed").touch()


run(steps(), .3)
