"""The operators of the File menu: import and export."""
from __future__ import annotations

import os
from typing import Any, Iterator

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import importer, jobs, space
from .packages import lerpmesh

ARCHIVES = (".pk3", ".pak", ".zip")
UNITS = (("FILE", "Game units", "One unit of Blender is one unit of the game, an inch by convention"),
         ("METRES", "Metres", "One unit of Blender is a metre: 39.37 units of the game"))
SCALES = {"FILE": 1.0, "METRES": space.METRES_PER_UNIT}  # Blender units per game unit


def report_diagnostics(operator: Any, diagnostics: list[Any], limit: int = 12) -> None:
    """Reports warnings; Blender shows the reports of an operator in a popup and in the Info editor."""
    for diagnostic in diagnostics[:limit]:
        subject = f"{os.path.basename(diagnostic.subject)}: " if diagnostic.subject else ""
        operator.report({"INFO" if diagnostic.severity == "note" else "WARNING"}, subject + diagnostic.text)
    if len(diagnostics) > limit:
        operator.report({"WARNING"}, f"{len(diagnostics) - limit} more messages of this kind")


class ImportOptions:
    """The options of all import operators."""
    units: EnumProperty(name="Units", items=UNITS, description="Size of the model in Blender. Export with the same units")
    frames: EnumProperty(name="Frames as", description="How Blender stores the frames", items=(
        ("AUTO", "Automatic", "Shape keys up to 300 frames, a cache file beyond"),
        ("RELATIVE", "Shape keys", "A relative shape key for each frame. Each can be edited. Slow beyond 300 frames"),
        ("ABSOLUTE", "Absolute shape keys", "Shape keys that play by one value. Other exporters ignore them"),
        ("CACHE", "Cache file", "An MDD file next to the .blend, which Blender's Mesh Cache modifier plays. Fast"),
        ("NONE", "First frame only", "No animation")))
    skins: EnumProperty(name="Skins", description="The skins to load", items=(
        ("ALL", "All", "All skins that are found. Choose one of them in the sidebar"),
        ("FIRST", "First", "Only the skin that the game shows by default"),
        ("NONE", "None", "No images")))
    related: BoolProperty(name="Whole player", default=True,
                          description="For a part of a player, such as lower.md3, also import its other parts")
    set_scene: BoolProperty(name="Set up the scene", default=True,
                            description="Set the scene's frame rate, frame range, markers and clips from the model")

    def options(self, path: str) -> importer.Options:
        return importer.Options(path, SCALES[self.units], self.frames, self.related, "", self.skins, self.set_scene)


class IMPORT_SCENE_OT_lerpmesh(bpy.types.Operator, ImportHelper, ImportOptions, jobs.Job):
    """Import a game model (MDL, MD2, MD3, MDC), a player's folder, or a model in a PAK or PK3"""
    bl_idname = "import_scene.lerpmesh"
    bl_label = "Import Game Model"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filter_glob: StringProperty(default="*.md2;*.md3;*.mdc;*.mdl;*.pk3;*.pak", options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Any, event: Any) -> set[str]:
        self.interactive = True
        if self.files and self.directory:  # dropped files (4.1)
            return self.execute(context)
        return super().invoke(context, event)

    def paths(self) -> list[str]:
        """Returns the chosen files; a folder if no file was chosen."""
        chosen = [os.path.join(self.directory, file.name) for file in self.files if file.name]
        return chosen or [self.filepath]

    def execute(self, context: Any) -> set[str]:
        paths = self.paths()
        if self.interactive and len(paths) == 1 and paths[0].lower().endswith(ARCHIVES) and os.path.isfile(paths[0]):
            return bpy.ops.lerpmesh.import_member("INVOKE_DEFAULT", archive=paths[0], units=self.units,
                                                  frames=self.frames, skins=self.skins, related=self.related,
                                                  set_scene=self.set_scene)
        return self.start(context)

    def steps(self, context: Any) -> Iterator[float]:
        self.results = []
        paths = self.paths()
        for i, path in enumerate(paths):
            made = importer.Import(context, self.options(only_member(path)))
            self.made = made
            for share in made.run():
                yield (i + share) / len(paths)
            self.results.append(made.result)

    def finish(self, context: Any) -> None:
        report_diagnostics(self, [d for result in self.results for d in result.diagnostics])

    def cancelled(self, context: Any) -> None:
        remove(self.made.result.collection if getattr(self, "made", None) else None)


def only_member(path: str) -> str:
    """Returns the path of the only model in an archive; any other path as it is."""
    if not path.lower().endswith(ARCHIVES) or not os.path.isfile(path):
        return path
    models = lerpmesh.list_models(path)
    if len(models) > 1:
        raise ValueError(f"{os.path.basename(path)} has {len(models)} models. Choose one, such as {models[0]}")
    return models[0]


def remove(collection: Any) -> None:
    """Removes what a cancelled import made."""
    if collection is None:
        return
    for part in (*collection.children_recursive, collection):
        for made in list(part.objects):
            bpy.data.objects.remove(made)
        bpy.data.collections.remove(part)
    bpy.data.orphans_purge() if hasattr(bpy.data, "orphans_purge") else None


# ---- Archives ----------------------------------------------------------------------------------

_listed: dict[str, list[tuple[str, str, str]]] = {}  # Blender needs the strings of a dynamic enum to stay alive


def members(operator: Any, context: Any) -> list[tuple[str, str, str]]:
    """Returns the models of an archive for a search popup."""
    if operator.archive not in _listed:
        try:
            models = lerpmesh.list_models(operator.archive)
        except lerpmesh.Error:
            models = []
        start = len(operator.archive) + 1
        _listed[operator.archive] = [(path, path[start:], f"Import {path[start:]}") for path in models]
    return _listed[operator.archive]


class LERPMESH_OT_import_member(bpy.types.Operator, ImportOptions, jobs.Job):
    """Import a model from an archive of a game"""
    bl_idname = "lerpmesh.import_member"
    bl_label = "Import from Archive"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "member"

    archive: StringProperty(name="Archive", description="Path of the PAK or PK3", options={"HIDDEN"})
    member: EnumProperty(name="Model", description="The model to import", items=members)

    def invoke(self, context: Any, event: Any) -> set[str]:
        self.interactive = True
        if not members(self, context):
            self.report({"ERROR"}, f"{os.path.basename(self.archive)} contains no models")
            return {"CANCELLED"}
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set[str]:
        return self.start(context)

    def steps(self, context: Any) -> Iterator[float]:
        self.made = importer.Import(context, self.options(self.member))
        yield from self.made.run()

    def finish(self, context: Any) -> None:
        report_diagnostics(self, self.made.result.diagnostics)

    def cancelled(self, context: Any) -> None:
        remove(self.made.result.collection if getattr(self, "made", None) else None)


def import_menu(self: Any, context: Any) -> None:
    self.layout.operator(IMPORT_SCENE_OT_lerpmesh.bl_idname, text="Game Model (.md2, .md3, .mdc, .mdl, .pk3, .pak)")


CLASSES = [IMPORT_SCENE_OT_lerpmesh, LERPMESH_OT_import_member]

if hasattr(bpy.types, "FileHandler"):  # 4.1
    class IO_FH_lerpmesh(bpy.types.FileHandler):
        """Imports files that are dropped into Blender"""
        bl_idname = "IO_FH_lerpmesh"
        bl_label = "Game model"
        bl_import_operator = "import_scene.lerpmesh"
        bl_file_extensions = ".md2;.md3;.mdc;.mdl;.pk3;.pak"

        @classmethod
        def poll_drop(cls, context: Any) -> bool:
            return context.area is not None and context.area.type in ("VIEW_3D", "OUTLINER")

    CLASSES.append(IO_FH_lerpmesh)


def register() -> None:
    for made in CLASSES:
        bpy.utils.register_class(made)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
