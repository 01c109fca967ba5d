"""Imports and exports the keyframe meshes of Quake, Quake II, Quake III and Return to Castle Wolfenstein."""
bl_info = {
    "name": "Game models: MDL, MD2, MD3, MDC",
    "author": "The lerpmesh authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, 3D View > Sidebar > Game Model",
    "description": "Imports and exports animated models of Quake, Quake II, Quake III and RtCW",
    "category": "Import-Export",
}

import bpy  # noqa: E402

from . import archives, clips, operators, panels  # noqa: E402

# Each has CLASSES, and registers what uses them.
MODULES = (archives, clips, operators, panels)


def register() -> None:
    for module in MODULES:
        for made in module.CLASSES:
            bpy.utils.register_class(made)
        module.register()


def unregister() -> None:
    for module in reversed(MODULES):
        module.unregister()
        for made in reversed(module.CLASSES):
            bpy.utils.unregister_class(made)
