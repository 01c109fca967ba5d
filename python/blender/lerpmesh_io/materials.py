"""Skins as materials. A skin is a material for each surface; all skins of a model stay in the file and can be chosen."""
from __future__ import annotations

from typing import Any, Sequence

import bpy

PLAIN = (0.6, 0.6, 0.6, 1)
PLACEHOLDER = "Default"  # the skin of a model for which none was found


class Images:
    """Images of Blender, made from the bytes of PNG or JPEG files and packed into the .blend. Equal bytes once."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}

    def get(self, name: str, data: bytes, width: int, height: int) -> Any:
        key = hash(data)
        if key not in self.made:
            image = bpy.data.images.new(name, width or 1, height or 1)
            image.source = "FILE"
            image.filepath = f"//{name}"
            image.pack(data=data, data_len=len(data))
            self.made[key] = image
        return self.made[key]


def make_material(name: str, image: Any, alpha: str, two_sided: bool) -> Any:
    """Makes a material; `image` may be None. `alpha`: "opaque", "mask" or "blend"."""
    material = bpy.data.materials.new(name)
    if not material.node_tree:  # before 5.0
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Roughness"].default_value = 1
    specular = shader.inputs.get("Specular") or shader.inputs.get("Specular IOR Level")
    specular.default_value = 0
    material.use_backface_culling = not two_sided
    if image is None:
        shader.inputs["Base Color"].default_value = PLAIN
        material.diffuse_color = PLAIN
        return material
    node = nodes.new("ShaderNodeTexImage")
    node.image, node.location = image, (shader.location.x - 350, shader.location.y)
    links.new(node.outputs["Color"], shader.inputs["Base Color"])
    if alpha != "opaque":
        links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
        if not hasattr(material, "surface_render_method"):  # before 4.2
            material.blend_method = "CLIP" if alpha == "mask" else "BLEND"
        elif alpha == "blend":
            material.surface_render_method = "BLENDED"
    return material


def image_of(material: Any) -> Any:
    """Returns the image of a material's colour: of the node at Base Color, else the first image; None if it has
    none."""
    if material is None or not material.node_tree:
        return None
    for node in material.node_tree.nodes:
        for socket in node.inputs if node.type == "BSDF_PRINCIPLED" else ():
            for link in socket.links if socket.name == "Base Color" else ():
                if link.from_node.type == "TEX_IMAGE" and link.from_node.image:
                    return link.from_node.image
    return next((node.image for node in material.node_tree.nodes if node.type == "TEX_IMAGE" and node.image), None)


def alpha_of(material: Any) -> str:
    """Returns how a material uses the alpha of its image: "opaque", "mask" or "blend"."""
    if not hasattr(material, "surface_render_method"):  # before 4.2
        return {"CLIP": "mask", "HASHED": "blend", "BLEND": "blend"}.get(material.blend_method, "opaque")
    shaders = [node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"]
    if not any(node.inputs["Alpha"].is_linked for node in shaders):
        return "opaque"
    return "blend" if material.surface_render_method == "BLENDED" else "mask"


def game_path(material: Any) -> str:
    """Returns the path of a material's image or shader in the game; empty: it has none."""
    return str(material.get("lerpmesh_path", "")) if material else ""


# ---- Choosing a skin ---------------------------------------------------------------------------

def store_skins(collection: Any, skins: Sequence[tuple[str, Sequence[Any]]]) -> None:
    """Stores the skins of a part: names, and the material of each surface with its path."""
    collection["lerpmesh_skins"] = [
        {"name": name, "materials": {str(i): material for i, material in enumerate(materials)},
         "paths": {str(i): game_path(material) for i, material in enumerate(materials)}} for name, materials in skins]


def skins_of(collection: Any) -> list[tuple[str, dict[int, Any]]]:
    """Returns the names of the stored skins of a part, and the material of each surface, by its number."""
    return [(skin["name"], {int(i): material for i, material in skin["materials"].items() if material})
            for skin in collection.get("lerpmesh_skins", ())]


def shown_skin(collection: Any) -> Any:
    """Returns the stored skin that a part shows: "name", and "materials" and "paths" of the surfaces; empty: none."""
    skins, number = collection.get("lerpmesh_skins", ()), collection.get("lerpmesh_skin", 0)
    return skins[number] if number < len(skins) else {}


def is_imported(collection: Any, index: int, material: Any) -> bool:
    """Returns whether a material of a surface is none, or one of the part's skins with the path that it had."""
    return material is None or any(skin["materials"].get(str(index)) == material and
                                   skin["paths"].get(str(index)) == game_path(material)
                                   for skin in collection.get("lerpmesh_skins", ()))


def assign_skin(collection: Any, index: int) -> bool:
    """Gives all surfaces of a part the materials of one of its skins. Returns whether it exists."""
    skins = skins_of(collection)
    if not 0 <= index < len(skins):
        return False
    _, materials = skins[index]
    for made in collection.all_objects:
        material = materials.get(made.get("lerpmesh_surface"))
        if made.type == "MESH" and material:
            if not made.data.materials:
                made.data.materials.append(None)
            made.data.materials[0] = material
    collection["lerpmesh_skin"] = index
    return True
