"""A robot made of boxes as a .glb scene: a player with legs, body, arms and head, empties as tags, and animations."""
import math
import struct
from typing import Any

import image_files
from small_files import glb

CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
# Front faces counter-clockwise from outside.
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
COLOURS = {"red": (200, 40, 30), "green": (40, 180, 60), "blue": (40, 60, 200), "yellow": (220, 200, 40)}
# Name: parent, place in the parent (glTF: x left, y up, z forward), half sizes and materials of its boxes.
PARTS: dict[str, tuple[str, tuple[float, float, float], list[tuple[tuple[float, float, float], str]]]] = {
    "leg_l": ("Robot", (.12, .75, 0), [((.08, .375, .1), "red")]),
    "leg_r": ("Robot", (-.12, .75, 0), [((.08, .375, .1), "blue")]),
    "chest": ("Robot", (0, .8, 0), [((.25, .25, .12), "green"), ((.1, .1, .16), "yellow")]),
    "arm_l": ("chest", (.33, .4, 0), [((.07, .07, .3), "red")]),
    "arm_r": ("chest", (-.33, .4, 0), [((.07, .07, .3), "blue")]),
    "face": ("chest", (0, .55, 0), [((.12, .14, .12), "yellow")]),
    "tag_torso": ("Robot", (0, .8, 0), []),
    "tag_head": ("chest", (0, .55, 0), []),
    "tag_weapon": ("chest", (-.33, .4, .35), []),
}
BODY = {"leg_l": "lower", "leg_r": "lower", "chest": "upper", "arm_l": "upper", "arm_r": "upper", "face": "head"}
SWINGS = ("leg_l", "leg_r", "arm_l", "arm_r")


class Scene:
    def __init__(self, names: str = "prefix", textures: bool = True, floor: float = 0) -> None:
        """`names`: how the parts are marked: "prefix" (l_leg_l), "collection" (parents called lower ...), "none"."""
        self.data = b""
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], "meshes": [],
            "materials": [], "accessors": [], "bufferViews": [], "animations": []}
        self.index: dict[str, int] = {}
        self.add_node("Robot", None, (0, floor, 0))
        if names == "collection":
            for word in ("lower", "upper", "head"):
                self.add_node({"lower": "Lower", "upper": "UPPER.001", "head": "head"}[word], "Robot", (0, 0, 0))
        self.add_materials(textures)
        for name, (parent, place, boxes) in PARTS.items():
            self.add_part(name, parent, place, boxes, names)

    def add_materials(self, textures: bool) -> None:
        if textures:
            self.document |= {"images": [], "textures": []}
        for i, (name, colour) in enumerate(COLOURS.items()):
            material: dict[str, Any] = {"name": name, "pbrMetallicRoughness": {}}
            if textures:
                rows = [bytes(colour) * 8 for _ in range(8)]
                self.document["images"].append({"name": name, "mimeType": "image/png",
                                                "bufferView": self.add_view(image_files.png_write(rows, 2))})
                self.document["textures"].append({"source": i})
                material["pbrMetallicRoughness"]["baseColorTexture"] = {"index": i}
            self.document["materials"].append(material)

    def add_view(self, data: bytes) -> int:
        self.data += bytes(-len(self.data) % 4)
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        return len(self.document["bufferViews"]) - 1

    def add_floats(self, rows: list[tuple[float, ...]]) -> int:
        accessor = {"bufferView": self.add_view(b"".join(struct.pack(f"<{len(r)}f", *r) for r in rows)),
                    "componentType": 5126, "count": len(rows),
                    "type": ("SCALAR", "VEC2", "VEC3", "VEC4")[len(rows[0]) - 1],
                    "min": [min(r[i] for r in rows) for i in range(len(rows[0]))],
                    "max": [max(r[i] for r in rows) for i in range(len(rows[0]))]}
        self.document["accessors"].append(accessor)
        return len(self.document["accessors"]) - 1

    def add_node(self, name: str, parent: str | None, place: tuple[float, float, float]) -> dict[str, Any]:
        node: dict[str, Any] = {"name": name, "translation": list(place)}
        self.document["nodes"].append(node)
        self.index[name] = len(self.document["nodes"]) - 1
        if parent is not None:
            self.document["nodes"][self.index[parent]].setdefault("children", []).append(self.index[name])
        return node

    def add_part(self, name: str, parent: str, place: tuple[float, float, float],
                 boxes: list[tuple[tuple[float, float, float], str]], names: str) -> None:
        called = name
        if names == "prefix" and name in BODY:
            called = BODY[name][0] + "_" + name
        if names == "collection" and name in BODY and BODY.get(parent) != BODY[name]:
            # Parents stay where they are, so that the collection's own place does not matter.
            place = tuple(a + b for a, b in zip(place, PARTS[parent][1])) if parent in PARTS else place
            parent = {"lower": "Lower", "upper": "UPPER.001", "head": "head"}[BODY[name]]
        node = self.add_node(called, self.named(parent), place)
        self.index[name] = self.index[called]
        if not boxes:
            return
        primitives = []
        for (w, h, d), colour in boxes:
            lift = -h if name.startswith("leg") else 0 if name.startswith("arm") else h
            corners = [CORNERS[k] for side in SIDES for k in side]
            points = [(x * w, y * h + lift, z * d) for x, y, z in corners]
            st = [(u, v) for _ in SIDES for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
            order = [4 * side + k for side in range(6) for k in (0, 1, 2, 0, 2, 3)]
            indices = self.add_view(struct.pack(f"<{len(order)}H", *order))
            self.document["accessors"].append({"bufferView": indices, "componentType": 5123,
                                               "count": len(order), "type": "SCALAR"})
            at = len(self.document["accessors"]) - 1
            primitives.append({"attributes": {"POSITION": self.add_floats(points), "TEXCOORD_0": self.add_floats(st)},
                               "indices": at, "material": list(COLOURS).index(colour)})
        self.document["meshes"].append({"name": called, "primitives": primitives})
        node["mesh"] = len(self.document["meshes"]) - 1

    def named(self, name: str) -> str:
        return self.document["nodes"][self.index[name]]["name"] if name in self.index else name

    def animate(self, name: str, frames: int, fps: float, swing: float, fall: bool = False) -> None:
        """Swings legs and arms by so many degrees; or lets the robot fall backwards."""
        times = self.add_floats([(i / fps,) for i in range(frames)])
        channels, samplers = [], []
        for part in ("Robot",) if fall else SWINGS:
            rows = []
            for i in range(frames):
                share = i / (frames - 1) if frames > 1 else 0
                degrees = -90 * share if fall else swing * math.sin(2 * math.pi * share)
                degrees *= -1 if part in ("leg_r", "arm_l") else 1
                rows.append((math.sin(math.radians(degrees) / 2), 0.0, 0.0, math.cos(math.radians(degrees) / 2)))
            samplers.append({"input": times, "output": self.add_floats(rows)})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": self.index[part], "path": "rotation"}})
        self.document["animations"].append({"name": name, "channels": channels, "samplers": samplers})

    def animate_usual(self) -> None:
        for name, frames, swing in (("idle", 5, 2), ("run", 9, 40), ("walk", 9, 25), ("attack", 4, 8), ("jump", 6, 30)):
            self.animate(name, frames, 10, swing)
        self.animate("death", 10, 10, 0, fall=True)

    def glb(self) -> bytes:
        self.document["buffers"] = [{"byteLength": len(self.data)}]
        return glb({key: value for key, value in self.document.items() if value != []}, self.data)


def robot(names: str = "prefix", **options: Any) -> bytes:
    scene = Scene(names, **options)
    scene.animate_usual()
    return scene.glb()
