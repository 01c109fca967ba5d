"""The operators of the File menu: import and export."""
from __future__ import annotations

import os
from typing import Any, Iterator

import blf
import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import archives, armatures, evaluate, exporter, importer, jobs, source, space
from .packages import lerpmesh

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
        ("ARMATURE", "Armature", "Bones, weights and an action for each clip, found from the movement of the vertices"),
        ("NONE", "First frame only", "A model without animation")))
    bones: IntProperty(name="Bones", default=40, min=1, max=lerpmesh.lib.LM_MAX_SKELETON_BONES,
                       description="The largest number of bones of an armature. Fewer are used if more do not help")
    constant_lengths: BoolProperty(name="Constant lengths", description="Bones of an armature never stretch. The error "
                                   "may be larger")
    skins: EnumProperty(name="Skins", description="The skins to load", items=(
        ("ALL", "All", "All skins that are found. Choose one of them in the sidebar"),
        ("FIRST", "First", "Only the skin that the game shows by default"),
        ("NONE", "None", "Load no images")))
    related: BoolProperty(name="Whole player", default=True,
                          description="For a part of a player, such as lower.md3, also import its other parts")
    cache_folder: StringProperty(name="Cache folder", subtype="DIR_PATH", description="Folder for cache files. If it is "
                                 "empty: next to the .blend, or in Blender's user data if that was not saved yet")
    set_scene: BoolProperty(name="Set up the scene", default=True,
                            description="Set the scene's frame rate, frame range, markers and clips from the model")

    def draw(self, context: Any) -> None:
        """Draws the options; those of armatures only for an armature."""
        self.layout.use_property_split, self.layout.use_property_decorate = True, False
        for name in ImportOptions.__annotations__:
            if name not in ("bones", "constant_lengths") or self.frames == "ARMATURE":
                self.layout.prop(self, name)

    def option_values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ImportOptions.__annotations__}

    def import_options(self, path: str) -> importer.Options:
        return importer.Options(path, SCALES[self.units], self.frames, self.bones, self.constant_lengths, self.related,
                                self.skins, self.set_scene, self.cache_folder)


DATA = ("objects", "collections", "meshes", "armatures", "actions", "materials", "images")


class ImportJob(ImportOptions, jobs.Job):
    """A mixin for operators that import. If they are cancelled, nothing is left."""

    def paths(self) -> list[str]:
        raise NotImplementedError

    def prepare(self) -> None:
        self.before = {block for kind in DATA for block in getattr(bpy.data, kind)}
        self.made: list[importer.Import] = []

    def steps(self, context: Any) -> Iterator[jobs.Step]:
        paths = self.paths()
        for i, path in enumerate(paths):
            self.made.append(importer.Import(context, self.import_options(only_member(path))))
            name = os.path.basename(path.rstrip("/"))
            for share, text in self.made[-1].run():
                yield (i + share) / len(paths), f"Importing {name}: {text}"

    def finish(self, context: Any) -> None:
        for made in self.made:
            made.finish()
        found = [d for made in self.made for d in made.result.diagnostics]
        report_diagnostics(self, found)
        lines = [f"{d.subject}: {d.text}" for d in found if d.code == armatures.CODE]
        if lines:
            self.show_report(context, "Imported", lines)

    def cancelled(self, context: Any) -> None:
        for data in (getattr(bpy.data, kind) for kind in DATA):
            for block in [block for block in data if block not in self.before]:
                data.remove(block)
        context.view_layer.update()
        for made in self.made:
            for path in made.result.files:
                path.unlink(missing_ok=True)


class LERPMESH_OT_import_files(bpy.types.Operator, ImportJob):
    """Import the chosen game models"""
    bl_idname = "lerpmesh.import_files"
    bl_label = "Import Game Model"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN"},
                              description="Paths of the files to import")

    def paths(self) -> list[str]:
        return [file.name for file in self.files]

    def execute(self, context: Any) -> set[str]:
        return self.start(context)


class ImportChoice(ImportJob):
    """A mixin for operators that ask for a model. They have no undo step: Blender pushes one as soon as a file is
    chosen, but the import has only begun then."""

    def execute(self, context: Any) -> set[str]:
        if not self.works_in_steps(context):
            return self.start(context)
        bpy.ops.lerpmesh.import_files("EXEC_DEFAULT", files=[{"name": path} for path in self.paths()],
                                      interactive=True, **self.option_values())
        return {"FINISHED"}


class IMPORT_SCENE_OT_lerpmesh(bpy.types.Operator, ImportHelper, ImportChoice):
    """Import a game model (MDL, MD2, MD3, MDC, MDS), a player's folder, or a model in a PAK or PK3"""
    bl_idname = "import_scene.lerpmesh"
    bl_label = "Import Game Model"
    bl_options = {"REGISTER", "PRESET"}

    filter_glob: StringProperty(default="*.md2;*.md3;*.mdc;*.mdl;*.mds;*.pk3;*.pak", options={"HIDDEN"},
                                description="Names of the files to list")
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"},
                              description="Names of several files to import")
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"},
                              description="Folder of the files to import")

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
        if self.interactive and len(paths) == 1 and archives.is_archive(paths[0]):
            member = archives.chosen(context, paths[0])
            if not member and archives.models_of(paths[0]):
                bpy.ops.lerpmesh.import_member("INVOKE_DEFAULT", archive=paths[0], **self.option_values())
                return {"FINISHED"}
            self.files.clear()
            self.filepath = member or paths[0]
        return super().execute(context)


def only_member(path: str) -> str:
    """Returns the path of the only model in an archive; any other path as it is."""
    if not archives.is_archive(path):
        return path
    models = lerpmesh.list_models(path)
    if len(models) > 1:
        raise ValueError(f"{os.path.basename(path)} has {len(models)} models. Choose one, such as {models[0]}")
    return models[0]


# ---- Archives ----------------------------------------------------------------------------------

_items: dict[str, list[tuple[str, str, str]]] = {}  # Blender needs the strings of a dynamic enum to stay alive


def members(operator: Any, context: Any) -> list[tuple[str, str, str]]:
    """Returns the models of an archive for a search popup."""
    if operator.archive not in _items:
        start = len(operator.archive) + 1
        _items[operator.archive] = [(path, path[start:], f"Import {path[start:]}")
                                    for path in archives.models_of(operator.archive)]
    return _items[operator.archive]


class LERPMESH_OT_import_member(bpy.types.Operator, ImportChoice):
    """Import a model from an archive of a game"""
    bl_idname = "lerpmesh.import_member"
    bl_label = "Import from Archive"
    bl_options = {"REGISTER"}
    bl_property = "member"

    archive: StringProperty(name="Archive", description="Path of the PAK or PK3", options={"HIDDEN"})
    member: EnumProperty(name="Model", description="The model to import", items=members)

    def invoke(self, context: Any, event: Any) -> set[str]:
        self.interactive = True
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def paths(self) -> list[str]:
        return [self.member]


# ---- Export ------------------------------------------------------------------------------------

FORMATS = (("md2", "MD2 (Quake II)", "Quake II and UFO: Alien Invasion. One surface, no tags"),
           ("md3", "MD3 (Quake III)", "Quake III and its descendants. Surfaces and tags"),
           ("mdc", "MDC (RtCW)", "Return to Castle Wolfenstein and Enemy Territory. As MD3, with smaller frames"),
           ("mdl", "MDL (Quake)", "Quake. One surface, with the skin inside the file"))
ENGINES = tuple((name, label, f"Keep the limits of {label}" if name != "any" else "The limits of no engine in particular")
                for name, label in (("any", "Any engine"), ("quake", "Quake"), ("glquake", "GLQuake"),
                                    ("quake2", "Quake II"), ("q2pro", "Q2PRO"), ("quake3", "Quake III"),
                                    ("rtcw", "RtCW multiplayer"), ("rtcw-sp", "RtCW single player"),
                                    ("et", "Enemy Territory"), ("ufoai", "UFO: Alien Invasion")))
KINDS = (("none", "Model", "One file with the chosen objects"),
         ("model", "Player's model", "One file; surfaces get the names that a player's .skin file needs"),
         ("quake2", "Quake II player", "The 198 frames and 20 clips of Quake II, found by the names of the clips"),
         ("quake3", "Quake III player", "A folder with lower, upper and head, their skins and animation.cfg"),
         ("weapon", "RtCW weapon", "A folder with v_NAME_hand, v_NAME, its barrels and weapon.cfg"))


KNOWN = [name for name, *_ in FORMATS]


def format_of(collection: Any) -> str:
    """Returns the format of an imported part, if the add-on writes it."""
    name = collection.get("lerpmesh_format", "") if collection else ""
    return name if name in KNOWN else ""


def fit_format(target: Any, context: Any) -> None:
    """Chooses a format that a player can have."""
    if target.player == "quake2":
        target.format = "md2"
    elif target.player in ("model", "quake3") and target.format in ("md2", "mdl"):
        target.format = "md3"
    elif target.player == "weapon" and target.format in ("md2", "mdl"):
        target.format = "mdc"


class Target:
    """The options of an export and of a check."""
    player: EnumProperty(name="Export as", items=KINDS, description="What the files are for", update=fit_format)
    format: EnumProperty(name="Format", items=FORMATS, description="Format of the file")
    engine: EnumProperty(name="Engine", items=ENGINES, description="The engine that will load the model")

    def set_target(self, other: Any) -> None:
        self.player, self.format, self.engine = other.player, other.format, other.engine


class EXPORT_SCENE_OT_lerpmesh(bpy.types.Operator, ExportHelper, Target, jobs.Job):
    """Export animated objects as a game model (MD2, MD3, MDC, MDL)"""
    bl_idname = "export_scene.lerpmesh"
    bl_label = "Export Game Model"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ".md2"
    check_extension = None
    filter_glob: StringProperty(default="*.md2;*.md3;*.mdc;*.mdl", options={"HIDDEN"},
                                description="Names of the files to list")
    content: EnumProperty(name="Objects", description="The objects to export", items=(
        ("SELECTED", "Selected", "The selected objects with their tags. If none is selected, all visible ones"),
        ("COLLECTION", "Collection", "All objects of the active collection"),
        ("VISIBLE", "Visible", "All visible objects, also those that are not selected")))
    images: EnumProperty(name="Images", description="The images to write next to the model", items=(
        ("AUTO", "New", "Images of materials without a path in the game"),
        ("ALL", "All", "Images of all materials"),
        ("NONE", "None", "Write no images")))
    folder: StringProperty(name="Game folder", description="Folder of the images in the game, such as "
                           "models/players/hero. If it is empty, the path of the file decides")
    use_source: BoolProperty(name="Keep unchanged frames", default=True,
                             description="Frames of an imported model that did not change keep their bytes")
    lods: IntProperty(name="Levels of detail", min=0, max=2,
                      description="Number of simplified models to write, each with half the triangles")
    smooth: BoolProperty(name="Smooth slow movements", description="MD2: round slow movements so that they do not jerk")
    high_precision: BoolProperty(name="High precision",
                                 description="MD2: store a second byte per coordinate, which some engines read")
    smallest: BoolProperty(name="Smallest file", description="MDC: smaller files; cracks of up to 0.05 units may open "
                           "between surfaces")
    replace: BoolProperty(name="Replace files", description="Replace existing images, clips and other files next to the "
                          "model. If it is off, files with other contents stay")
    merge: BoolProperty(name="Merge parts", description="Write the parts of an imported player, such as body and weapon, "
                        "into one file. If it is off, each part is a file of its own")
    palette: StringProperty(name="Palette", subtype="FILE_PATH", description="MD2: write images as PCX, in the palette of "
                            "this file, game's folder or PAK. If it is empty, Quake II's is searched in the game that the "
                            "file is in")
    more: StringProperty(name="More options", description="Options of lerpmesh convert, such as --decimate 50%")

    def invoke(self, context: Any, event: Any) -> set[str]:
        self.interactive = True
        self.set_target(context.scene.lerpmesh_checks)
        found = source.current(context)
        if found and self.player == "none":
            self.format = format_of(found) or self.format
        if not self.filepath and (found or self.player == "quake2"):
            name = "tris" if self.player == "quake2" else evaluate.plain_name(found.name)
            self.filepath = os.path.join(os.path.dirname(bpy.data.filepath), f"{name}.{self.format}")
        return super().invoke(context, event)

    def draw(self, context: Any) -> None:
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        palette = ("palette",) if self.format == "md2" else ()
        for names in (("player", "format", "engine", "content"), ("images", "folder", *palette, "lods", "more")):
            column = layout.column()
            for name in names:
                column.prop(self, name)
        layout.use_property_split = False
        column = layout.column()
        column.prop(self, "use_source")
        column.prop(self, "replace")
        column.prop(self, "merge")
        if self.format == "md2":
            column.prop(self, "smooth")
            column.prop(self, "high_precision")
        elif self.format == "mdc":
            column.prop(self, "smallest")

    def check(self, context: Any) -> bool:
        """Keeps the extension of the file that of the format."""
        stem, extension = os.path.splitext(self.filepath)
        wanted = "" if self.player in exporter.FOLDERS else f".{self.format}"
        if not os.path.basename(self.filepath) or extension.lower() == wanted:
            return False
        path = (stem if extension.lower()[1:] in KNOWN else self.filepath) + wanted
        changed = path != self.filepath
        self.filepath = path
        return changed

    def choose_format(self, context: Any) -> None:
        """Chooses the format that a script leaves open: by the extension, else as imported. Fails if both differ."""
        extension = os.path.splitext(self.filepath)[1].lower()[1:]
        if not self.properties.is_property_set("format"):
            found = [each.collection for each in source.find(objects_of(context, self.content))]
            self.format = extension if extension in KNOWN else format_of(found[0] if found else None) or self.format
            fit_format(self, context)
        if extension not in ("", self.format) and self.player not in exporter.FOLDERS:
            name = os.path.basename(self.filepath)
            raise ValueError(f"{name} cannot be {self.format.upper()}: its name ends in .{extension}" if extension in KNOWN
                             else f"{name}: its name ends in .{extension}, but exports are .{', .'.join(sorted(KNOWN))}")

    def execute(self, context: Any) -> set[str]:
        try:
            if not self.interactive:
                self.choose_format(context)
        except ValueError as reason:
            self.report({"ERROR"}, str(reason))
            return {"CANCELLED"}
        self.is_named = not self.check(context) or self.interactive
        if self.interactive:
            context.scene.lerpmesh_checks.set_target(self)
        return self.start(context)

    def steps(self, context: Any) -> Iterator[jobs.Step]:
        self.made = exporter.Export(context, exporter.Settings(
            self.filepath, objects_of(context, self.content), self.format, self.engine,
            1 / SCALES[context.scene.lerpmesh.units], self.player, self.folder, self.images, self.use_source,
            self.lods, self.smooth, self.high_precision, self.smallest, options=self.more, replace=self.replace,
            merge=self.merge, palette=bpy.path.abspath(self.palette), is_named=self.is_named))
        name = os.path.basename(self.filepath.rstrip("/\\"))
        for share, text in self.made.run():
            yield share, f"Exporting {name}: {text}"
        self.made.write()

    def finish(self, context: Any) -> None:
        made = self.made.made
        lines = [f"{os.path.basename(path)}: {len(data)} bytes" for path, data in made.files.items()]
        for name, report in made.reports:
            lines.append(f"{name}: maximum error {report.max_error:.3g} units, normals {report.mean_normal_error:.2g} "
                         f"degrees on average")
        for line in lines + made.notes:
            self.report({"INFO"}, line)
        for line in made.warnings:
            self.report({"WARNING"}, line)
        report_diagnostics(self, made.problems)
        self.show_report(context, "Exported", lines + made.notes + made.warnings + [problem.text for problem in made.problems])


def objects_of(context: Any, content: str) -> list[Any]:
    """Returns the objects to export, with the tags that belong to them."""
    if content == "VISIBLE":
        return [made for made in context.view_layer.objects if made.visible_get()]
    if content == "COLLECTION":
        return [made for made in context.collection.all_objects if made.name in context.view_layer.objects]
    chosen = list(context.selected_objects)
    if not any(made.type in evaluate.SHAPES or evaluate.makes_instances(made) or
               made.type == "EMPTY" and evaluate.find_tags([made]) for made in chosen):
        return objects_of(context, "VISIBLE")
    for made in list(chosen):
        part = None
        while made and source.part_of(made) in (None, part or source.part_of(made)):  # not in the part that carries it
            part = source.part_of(made) or part
            chosen += [child for child in (*made.children, made) if child not in chosen and evaluate.find_tags([child])]
            made = made.parent
    return chosen


WIDTH = 560  # of the report, in pixels


class LERPMESH_OT_show_report(bpy.types.Operator):
    """Show the report of the last import or export"""
    bl_idname = "lerpmesh.show_report"
    bl_label = "Report"
    title: StringProperty(name="Title", default="Exported", options={"HIDDEN"}, description="Title of the report")

    def invoke(self, context: Any, event: Any) -> set[str]:
        return context.window_manager.invoke_popup(self, width=WIDTH)

    def execute(self, context: Any) -> set[str]:
        return {"FINISHED"}

    def draw(self, context: Any) -> None:
        column = self.layout.column()
        column.label(text=self.title, icon="CHECKMARK")
        for line in context.window_manager.lerpmesh_report.splitlines()[:40]:
            draw_text(context, column, line, WIDTH - 40)


def draw_text(context: Any, layout: Any, text: str, width: float) -> None:
    """Draws a text as lines of at most `width` pixels at the normal size of the interface."""
    blf.size(0, context.preferences.ui_styles[0].widget.points)
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and blf.dimensions(0, longer)[0] > width:
            layout.label(text=line)
            longer = word
        line = longer
    layout.label(text=line)


def import_menu(self: Any, context: Any) -> None:
    self.layout.operator(IMPORT_SCENE_OT_lerpmesh.bl_idname, text="Game Model (.md2, .md3, .mdc, .mdl, .mds, .pk3, .pak)")


def export_menu(self: Any, context: Any) -> None:
    self.layout.operator(EXPORT_SCENE_OT_lerpmesh.bl_idname, text="Game Model (.md2, .md3, .mdc, .mdl)")


CLASSES = [EXPORT_SCENE_OT_lerpmesh, LERPMESH_OT_show_report, LERPMESH_OT_import_files, IMPORT_SCENE_OT_lerpmesh,
           LERPMESH_OT_import_member]

if hasattr(bpy.types, "FileHandler"):  # 4.1
    class IO_FH_lerpmesh(bpy.types.FileHandler):
        """Imports files that are dropped into Blender"""
        bl_idname = "IO_FH_lerpmesh"
        bl_label = "Game model"
        bl_import_operator = "import_scene.lerpmesh"
        bl_file_extensions = ".md2;.md3;.mdc;.mdl;.mds;.pk3;.pak"

        @classmethod
        def poll_drop(cls, context: Any) -> bool:
            return context.area is not None and context.area.type in ("VIEW_3D", "OUTLINER")

    CLASSES.append(IO_FH_lerpmesh)


def register() -> None:
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)
    bpy.types.WindowManager.lerpmesh_report = StringProperty(description="Report of the last import or export")


def unregister() -> None:
    del bpy.types.WindowManager.lerpmesh_report
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
