"""The sidebar of the 3D view: clips, skins, tags and checks."""
from __future__ import annotations

import math
from typing import Any

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty)

from . import checks, clips, evaluate, exporter, jobs, materials, operators, source


# ---- Properties of the window ------------------------------------------------------------------

class LerpmeshPlace(bpy.types.PropertyGroup):
    """An object that a problem concerns; its property "vertices" has the indices of vertices"""
    made: PointerProperty(name="Object", type=bpy.types.Object, description="The object that the problem concerns")


class LerpmeshProblem(bpy.types.PropertyGroup):
    """A problem that a check found"""
    text: StringProperty(name="Text", description="Description of the problem")
    severity: StringProperty(name="Severity", description="Severity of the problem: error, warning or note")
    places: CollectionProperty(name="Places", type=LerpmeshPlace, description="The objects that the problem concerns")

    def objects(self) -> list[tuple[Any, list[int]]]:
        """Returns the objects that still exist, with their vertices."""
        return [(place.made, list(place.get("vertices", []))) for place in self.places if place.made]


class LerpmeshChecks(operators.Target, bpy.types.PropertyGroup):
    """The target of checks and exports, and the results of the last check"""
    problems: CollectionProperty(name="Problems", type=LerpmeshProblem, description="The problems that the check found")
    sizes: StringProperty(name="Sizes", description="Numbers of vertices, triangles and frames")
    live: BoolProperty(name="Live", description="Check again after each change",
                       update=lambda self, context: set_live(self.live))


def counted(count: int, noun: str) -> str:
    return f"{count or 'No'} {noun}{'' if count == 1 else 's'}"


def results(context: Any) -> Any:
    return context.scene.lerpmesh_checks


def run_check(context: Any) -> None:
    state = results(context)
    chosen = operators.objects_of(context, "SELECTED")
    scale = 1 / operators.SCALES[context.scene.lerpmesh.units]
    found, state.sizes = checks.check(context, exporter.Settings(
        f"models/check/model.{state.format}", chosen, state.format, state.engine, scale, state.player))
    state.problems.clear()
    for problem in found:
        item = state.problems.add()
        item.text, item.severity = problem.text, problem.severity
        for made, vertices in problem.places:
            place = item.places.add()
            place.made, place["vertices"] = made, vertices


DELAY = 0.5  # seconds after a change


def check_later() -> None:
    if bpy.context.scene and results(bpy.context).live and bpy.context.mode == "OBJECT":
        run_check(bpy.context)


@bpy.app.handlers.persistent
def on_change(scene: Any, graph: Any) -> None:
    if any(update.is_updated_geometry or update.is_updated_transform for update in graph.updates) and \
            not bpy.app.timers.is_registered(check_later) and not bpy.context.screen.is_animation_playing:
        bpy.app.timers.register(check_later, first_interval=DELAY)


def set_live(is_live: bool) -> None:
    handlers = bpy.app.handlers.depsgraph_update_post
    if on_change in handlers:
        handlers.remove(on_change)
    if is_live:
        handlers.append(on_change)


# ---- Clips -------------------------------------------------------------------------------------

class LERPMESH_UL_clips(bpy.types.UIList):
    """The clips of the scene, in the order of the file"""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: int, active_data: Any,
                  active_property: str, index: int = 0, flt_flag: int = 0) -> None:
        layout.prop(item, "name", text="", emboss=False)
        row = layout.row()
        row.alignment = "RIGHT"
        row.label(text=str(len(item.frames())), icon="BACK" if item.reversed else "FILE_REFRESH" if item.loop != "ONCE"
                  else "NONE")


class ClipOperator:
    """A mixin for operators on the list."""
    bl_options = {"REGISTER", "UNDO"}


class LERPMESH_OT_clip_add(ClipOperator, bpy.types.Operator):
    """Add a clip with the frame range of the scene"""
    bl_idname = "lerpmesh.clip_add"
    bl_label = "Add Clip"

    def execute(self, context: Any) -> set[str]:
        scene = context.scene
        clips.add(scene, "clip", scene.frame_start, scene.frame_end)
        scene.lerpmesh.active_clip = len(scene.lerpmesh.clips) - 1
        return {"FINISHED"}


class LERPMESH_OT_clip_remove(ClipOperator, bpy.types.Operator):
    """Remove the clip from the list. Its animation stays"""
    bl_idname = "lerpmesh.clip_remove"
    bl_label = "Remove Clip"

    @classmethod
    def poll(cls, context: Any) -> bool:
        return len(context.scene.lerpmesh.clips) > 0

    def execute(self, context: Any) -> set[str]:
        settings = context.scene.lerpmesh
        settings.clips.remove(settings.active_clip)
        settings.active_clip = max(0, min(settings.active_clip, len(settings.clips) - 1))
        return {"FINISHED"}


class LERPMESH_OT_clip_move(ClipOperator, bpy.types.Operator):
    """Move the clip in the list. The file has the clips in this order"""
    bl_idname = "lerpmesh.clip_move"
    bl_label = "Move Clip"
    by: IntProperty(name="By", description="Number of places, downwards")

    def execute(self, context: Any) -> set[str]:
        settings = context.scene.lerpmesh
        to = settings.active_clip + self.by
        if not 0 <= to < len(settings.clips):
            return {"CANCELLED"}
        settings.clips.move(settings.active_clip, to)
        settings.active_clip = to
        return {"FINISHED"}


class LERPMESH_OT_clips_fill(ClipOperator, bpy.types.Operator):
    """Replace the list by the clips that the scene has"""
    bl_idname = "lerpmesh.clips_fill"
    bl_label = "Find Clips"
    source: EnumProperty(name="From", description="Where the clips come from", items=(
        ("AUTO", "Automatic", "NLA strips if there are any, else markers, actions, or the frame range"),
        ("NLA", "NLA strips", "One clip for each NLA strip"),
        ("ACTIONS", "Actions", "One clip for each action of the scene's objects"),
        ("MARKERS", "Markers", "One clip from each timeline marker to the next"),
        ("RANGE", "Frame range", "One clip for the scene's frame range")))

    def execute(self, context: Any) -> set[str]:
        clips.fill(context.scene, context.scene.objects, "" if self.source == "AUTO" else self.source)
        self.report({"INFO"}, counted(len(context.scene.lerpmesh.clips), "clip"))
        return {"FINISHED"}


class LERPMESH_OT_clips_preset(ClipOperator, bpy.types.Operator):
    """Set the order, rates and loops of the clips that a player of the game needs, and check for a player"""
    bl_idname = "lerpmesh.clips_preset"
    bl_label = "Player Preset"
    player: EnumProperty(name="Player", description="The game of the player", items=[
        (name, label, f"The clips of a {label.split(',')[0]}, with their rates") for name, label in
        checks.PLAYERS.items()])

    def execute(self, context: Any) -> set[str]:
        scene = context.scene
        if not scene.lerpmesh.clips:
            clips.fill(scene, scene.objects)
        order = {name.lower(): (i, *rest) for i, (name, *rest) in enumerate(checks.player_names(self.player))}
        listed = scene.lerpmesh.clips
        for to in range(len(listed)):
            places = [order.get(item.name.lower(), (len(order),))[0] for item in listed][to:]
            listed.move(to + places.index(min(places)), to)
        for item in listed:
            if item.name.lower() in order:
                self.set_clip(item, *order[item.name.lower()][1:])
        state = results(context)
        state.player, state.format = self.player, "md2" if self.player == "quake2" else "md3"
        state.engine = self.player
        return bpy.ops.lerpmesh.check()

    @staticmethod
    def set_clip(item: Any, count: int, fps: float, is_loop: bool) -> None:
        """A loop of one frame more than the game has ends with its first pose: that frame is left out. A `count` of 0: the
        game leaves frames, rate and loop to the player."""
        if not count:
            item.loop = "ONCE" if item.loop == "AUTO" and not is_loop else item.loop
            return
        item.fps = fps
        if not is_loop:
            item.loop = "ONCE"
        elif len(item.frames()) == count + 1 > 1:
            item.loop, item.end = "LOOP", math.ceil(item.start + (count - 1) * item.step)
        elif item.loop == "ONCE":
            item.loop = "LOOP"


class LERPMESH_OT_clip_play(bpy.types.Operator):
    """Play the clip: sets the preview range and the rate of the scene, and the action if it is one"""
    bl_idname = "lerpmesh.clip_play"
    bl_label = "Play Clip"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return len(context.scene.lerpmesh.clips) > 0

    def execute(self, context: Any) -> set[str]:
        scene = context.scene
        item = scene.lerpmesh.clips[scene.lerpmesh.active_clip]
        scene.use_preview_range = True
        scene.frame_preview_start, scene.frame_preview_end = item.start, max(item.end, item.start)
        rate = item.fps * item.step
        scene.render.fps = max(1, min(120, round(rate)))
        scene.render.fps_base = scene.render.fps / rate
        clips.Player(scene, scene.objects).play(item)
        scene.frame_set(item.start)
        if not bpy.app.background and not context.screen.is_animation_playing:
            bpy.ops.screen.animation_play()
        return {"FINISHED"}


# ---- Skins, checks -----------------------------------------------------------------------------

def skin_items(operator: Any, context: Any) -> list[tuple[str, str, str]]:
    collection = source.current(context)
    skins = materials.skins_of(collection) if collection else []
    _skin_items[:] = [(str(i), name, f"Show the skin {name}") for i, (name, _) in enumerate(skins)]
    return _skin_items


_skin_items: list[tuple[str, str, str]] = []  # Blender needs the strings of a dynamic enum to stay alive


class LERPMESH_OT_skin(bpy.types.Operator):
    """Show another skin of the imported model"""
    bl_idname = "lerpmesh.skin"
    bl_label = "Skin"
    bl_options = {"REGISTER", "UNDO"}
    skin: EnumProperty(name="Skin", description="The skin to show", items=skin_items)

    @classmethod
    def poll(cls, context: Any) -> bool:
        return source.current(context) is not None

    def execute(self, context: Any) -> set[str]:
        chosen = source.current(context)
        name, _ = materials.skins_of(chosen)[int(self.skin)]
        for collection in bpy.data.collections:
            # The other parts of a player have skins of the same names.
            if collection == chosen or any(chosen.name in c.children and collection.name in c.children
                                           for c in bpy.data.collections):
                names = [name for name, _ in materials.skins_of(collection)]
                if name in names:
                    materials.assign_skin(collection, names.index(name))
        return {"FINISHED"}


class LERPMESH_OT_check(bpy.types.Operator):
    """Encode the current frame of the selected objects, or of all visible ones, and list what the engine rejects"""
    bl_idname = "lerpmesh.check"
    bl_label = "Check"

    def execute(self, context: Any) -> set[str]:
        run_check(context)
        found = results(context).problems
        self.report({"INFO"}, counted(len(found), "problem"))
        return {"FINISHED"}


class LERPMESH_OT_select_problem(bpy.types.Operator):
    """Select the objects that the problem concerns, and their vertices"""
    bl_idname = "lerpmesh.select_problem"
    bl_label = "Select"
    bl_options = {"REGISTER", "UNDO"}
    index: IntProperty(name="Problem", description="Number of the problem in the list")

    def execute(self, context: Any) -> set[str]:
        found = results(context).problems
        places = found[self.index].objects() if 0 <= self.index < len(found) else []
        if not places:
            return {"CANCELLED"}
        jobs.select_places(context, places)
        return {"FINISHED"}


class LERPMESH_OT_add_tag(bpy.types.Operator):
    """Add a tag to the active object's model: an empty that other models are attached to. Its -y axis is forward"""
    bl_idname = "lerpmesh.add_tag"
    bl_label = "Add Tag"
    bl_options = {"REGISTER", "UNDO"}
    tag: StringProperty(name="Tag", default="tag_weapon", description="Name of the tag in the game")

    def execute(self, context: Any) -> set[str]:
        active = context.active_object
        part = source.part_of(active) if active else None
        made = bpy.data.objects.new(self.tag, None)
        (part or context.collection).objects.link(made)
        made.empty_display_type = "ARROWS"
        made["lerpmesh_tag"] = self.tag
        made[evaluate.NAME] = made.name
        made.location = context.scene.cursor.location
        if active and active.type == "ARMATURE" and context.active_bone:
            made.parent, made.parent_type, made.parent_bone = active, "BONE", context.active_bone.name
        elif part:
            made.parent = active.parent if active.parent and source.part_of(active.parent) == part else active
        if made.parent:
            context.view_layer.update()
            made.matrix_world.translation = context.scene.cursor.location
        for each in filter(None, (active, made)):  # an export of the selection has both
            each.select_set(True)
        return {"FINISHED"}


# ---- Panels ------------------------------------------------------------------------------------

class Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Game Model"


class LERPMESH_PT_files(Panel, bpy.types.Panel):
    """Import and export"""
    bl_label = "Game Model"

    def draw(self, context: Any) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.operator("import_scene.lerpmesh", text="Import", icon="IMPORT")
        row.operator("export_scene.lerpmesh", text="Export", icon="EXPORT")
        layout.prop(context.scene.lerpmesh, "units", text="")
        collection = source.current(context)
        if collection:
            box = layout.box()
            box.label(text=f"{collection.name} ({collection.get('lerpmesh_format', '').upper()})", icon="FILE_3D")
            if materials.skins_of(collection):
                name = materials.shown_skin(collection).get("name", "")
                box.operator_menu_enum("lerpmesh.skin", "skin", text=f"Skin: {name}", icon="MATERIAL")


class LERPMESH_PT_clips(Panel, bpy.types.Panel):
    """The animations of the game"""
    bl_label = "Clips"

    def draw(self, context: Any) -> None:
        layout, settings = self.layout, context.scene.lerpmesh
        row = layout.row()
        row.template_list("LERPMESH_UL_clips", "", settings, "clips", settings, "active_clip", rows=5)
        column = row.column(align=True)
        column.operator("lerpmesh.clip_add", text="", icon="ADD")
        column.operator("lerpmesh.clip_remove", text="", icon="REMOVE")
        column.separator()
        column.operator("lerpmesh.clip_move", text="", icon="TRIA_UP").by = -1
        column.operator("lerpmesh.clip_move", text="", icon="TRIA_DOWN").by = 1
        column.separator()
        column.operator("lerpmesh.clip_play", text="", icon="PLAY")
        layout.operator_menu_enum("lerpmesh.clips_fill", "source", text="Find clips", icon="VIEWZOOM")
        layout.operator_menu_enum("lerpmesh.clips_preset", "player", text="Player preset", icon="PRESET")
        if 0 <= settings.active_clip < len(settings.clips):
            self.draw_clip(layout.column(), settings.clips[settings.active_clip])

    @staticmethod
    def draw_clip(column: Any, item: Any) -> None:
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(item, "source")
        if item.source == "ACTION":
            column.prop(item, "action")
        elif item.source == "TRACK":
            column.prop(item, "track")
        row = column.row(align=True)
        row.prop(item, "start", text="Frames")
        row.prop(item, "end", text="")
        column.prop(item, "step")
        column.prop(item, "fps")
        column.prop(item, "loop")
        if item.loop == "LOOP":
            column.prop(item, "loop_frames")
        column.prop(item, "reversed")


TABS = 76  # pixels of the sidebar's width without text: its tabs and the margins of boxes


class LERPMESH_PT_check(Panel, bpy.types.Panel):
    """Limits of the engine"""
    bl_label = "Check"

    def draw(self, context: Any) -> None:
        layout, state = self.layout, results(context)
        for name in "player", "format", "engine":
            layout.prop(state, name, text="")
        row = layout.row(align=True)
        row.operator("lerpmesh.check", icon="CHECKMARK")
        row.prop(state, "live", toggle=True)
        width = context.region.width / context.preferences.system.ui_scale - TABS
        if state.sizes:
            operators.draw_text(context, layout.column(align=True), state.sizes, width)
        for i, problem in enumerate(state.problems[:20]):
            box = layout.box().column(align=True)
            operators.draw_text(context, box, problem.text, width)
            objects = problem.objects()
            if objects:
                label = objects[0][0].name if len(objects) == 1 else f"{len(objects)} objects"
                box.operator("lerpmesh.select_problem", text=f"Select {label}",
                             icon="ERROR" if problem.severity == "error" else "INFO").index = i


class LERPMESH_PT_tags(Panel, bpy.types.Panel):
    """Tags, and paths in the game"""
    bl_label = "Tags and Shaders"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        layout = self.layout
        layout.operator("lerpmesh.add_tag", icon="EMPTY_ARROWS")
        for tag in evaluate.find_tags(context.scene.objects)[:16]:
            holder = tag.bone or tag.made.name
            layout.label(text=tag.name if holder == tag.name else f"{tag.name}: {holder}", icon="EMPTY_ARROWS")
        made = context.active_object
        for slot in made.material_slots if made else ():
            if slot.material:
                column = layout.column(align=True)
                column.label(text=slot.material.name, icon="MATERIAL")
                if "lerpmesh_path" in slot.material:
                    column.prop(slot.material, '["lerpmesh_path"]', text="")
                else:
                    column.operator("lerpmesh.shader_path", text="Set path").material = slot.material.name


class LERPMESH_OT_shader_path(bpy.types.Operator):
    """Give a material the path of an image or a shader in the game, which the file then names"""
    bl_idname = "lerpmesh.shader_path"
    bl_label = "Path in the Game"
    bl_options = {"REGISTER", "UNDO"}
    material: StringProperty(name="Material", description="Name of the material", options={"HIDDEN"})
    path: StringProperty(name="Path", default="models/", description="Such as models/players/hero/body.tga")

    def invoke(self, context: Any, event: Any) -> set[str]:
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Any) -> set[str]:
        material = bpy.data.materials.get(self.material)
        if not material:
            return {"CANCELLED"}
        material["lerpmesh_path"] = self.path
        return {"FINISHED"}


CLASSES = (LerpmeshPlace, LerpmeshProblem, LerpmeshChecks, LERPMESH_UL_clips, LERPMESH_OT_clip_add,
           LERPMESH_OT_clip_remove, LERPMESH_OT_clip_move, LERPMESH_OT_clips_fill, LERPMESH_OT_clips_preset,
           LERPMESH_OT_clip_play, LERPMESH_OT_skin, LERPMESH_OT_check, LERPMESH_OT_select_problem, LERPMESH_OT_add_tag,
           LERPMESH_OT_shader_path, LERPMESH_PT_files, LERPMESH_PT_clips, LERPMESH_PT_check, LERPMESH_PT_tags)


def register() -> None:
    bpy.types.Scene.lerpmesh_checks = PointerProperty(type=LerpmeshChecks, description="Checks of game models")


def unregister() -> None:
    set_live(False)
    if bpy.app.timers.is_registered(check_later):
        bpy.app.timers.unregister(check_later)
    del bpy.types.Scene.lerpmesh_checks
