"""The models of an archive: in a search popup, and in a panel of the file browser."""
from __future__ import annotations

import os
from typing import Any

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty

from .packages import lerpmesh

EXTENSIONS = (".pk3", ".pak", ".zip")


def is_archive(path: str) -> bool:
    return path.lower().endswith(EXTENSIONS) and os.path.isfile(path)


def models_of(path: str) -> list[str]:
    """Returns the paths of the models in an archive, each with that of the archive; none if it is unreadable."""
    try:
        return [model for model in lerpmesh.list_models(path) if model.startswith(f"{path}:")]
    except lerpmesh.Error:
        return []


class LerpmeshMember(bpy.types.PropertyGroup):
    """A model in an archive; its name is its path there"""


class LerpmeshArchive(bpy.types.PropertyGroup):
    """The archive that is selected in the file browser"""
    path: StringProperty(name="Path", description="Path of the archive")
    members: CollectionProperty(name="Models", type=LerpmeshMember, description="The models in the archive")
    active: IntProperty(name="Model", description="The model to import", default=-1)


def selected(context: Any) -> str:
    """Returns the path of the archive that is selected in the file browser; empty: none is."""
    space = context.space_data
    params = space.params if space and space.type == "FILE_BROWSER" else None
    path = os.path.join(os.fsdecode(params.directory), params.filename) if params else ""
    return path if is_archive(path) else ""


def fill(path: str) -> None:
    """Lists the models of an archive. A panel must not change data while it is drawn, so a timer calls this."""
    state = bpy.context.window_manager.lerpmesh_archive
    if state.path == path:  # the panel was drawn again before the timer
        return
    state.path, state.active = path, -1
    state.members.clear()
    for model in models_of(path):
        state.members.add().name = model[len(path) + 1:]
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "FILE_BROWSER":
                area.tag_redraw()


def chosen(context: Any, path: str) -> str:
    """Returns the path of the model that is chosen in the panel; empty: none of this archive is."""
    state = context.window_manager.lerpmesh_archive
    if state.path != path or not 0 <= state.active < len(state.members):
        return ""
    return f"{path}:{state.members[state.active].name}"


class LERPMESH_UL_members(bpy.types.UIList):
    """The models of an archive"""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: int, active: Any, name: str) -> None:
        layout.label(text="/".join(item.name.split("/")[-2:]))  # the end, because the panel is narrow


class LERPMESH_PT_archive(bpy.types.Panel):
    """The models of the selected archive"""
    bl_space_type = "FILE_BROWSER"
    bl_region_type = "TOOL_PROPS"
    bl_parent_id = "FILE_PT_operator"
    bl_label = "Models in the Archive"

    @classmethod
    def poll(cls, context: Any) -> bool:
        operator = context.space_data.active_operator
        return operator is not None and operator.bl_idname == "IMPORT_SCENE_OT_lerpmesh"

    def draw(self, context: Any) -> None:
        state, path = context.window_manager.lerpmesh_archive, selected(context)
        if not path:
            self.layout.label(text="Select a PAK or PK3")
        elif state.path != path:
            bpy.app.timers.register(lambda: fill(path))
        elif not state.members:
            self.layout.label(text="The archive contains no models", icon="ERROR")
        else:
            self.layout.template_list("LERPMESH_UL_members", "", state, "members", state, "active", rows=12)


CLASSES = (LerpmeshMember, LerpmeshArchive, LERPMESH_UL_members, LERPMESH_PT_archive)


def register() -> None:
    bpy.types.WindowManager.lerpmesh_archive = PointerProperty(
        type=LerpmeshArchive, description="The archive that is selected in the file browser")


def unregister() -> None:
    del bpy.types.WindowManager.lerpmesh_archive
