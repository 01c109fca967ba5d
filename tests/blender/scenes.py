"""Six scenes for the tests of the add-on, made in Blender, and the shapes that Blender itself evaluates for them.

`shape_at` is the reference: it reads the evaluated meshes of the dependency graph and shares no code with the add-on."""
import math
from dataclasses import dataclass
from typing import Any, Sequence

import bpy
import mathutils
import numpy as np

FPS = 10
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
# Counter-clockwise from outside.
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


@dataclass
class Clip:
    name: str
    start: int
    end: int  # included
    action: str = ""  # empty: the frames of the timeline


@dataclass
class Shape:
    """The triangles of a scene in one frame, in the axes and units of the games."""
    corners: np.ndarray  # [triangles, 3, 3], clockwise from outside
    normals: np.ndarray  # [triangles, 3, 3]
    st: np.ndarray  # [triangles, 3, 2]
    tags: dict[str, np.ndarray]  # [4, 3]: origin, forward, left, up


def reset() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS


def material(name: str, colour: Sequence[float]) -> Any:
    image = bpy.data.images.new(name, 16, 16)
    image.pixels = [*colour, 1] * 256
    image.pack()
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    node = made.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    made.node_tree.links.new(node.outputs["Color"], made.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    return made


def mesh_object(name: str, vertices: list[Any], faces: list[Any], materials: Sequence[Any] = (), uvs: bool = True,
                collection: Any = None) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    if uvs:
        layer = mesh.uv_layers.new()
        for polygon in mesh.polygons:
            for i, loop in enumerate(polygon.loop_indices):
                angle = 2 * math.pi * i / polygon.loop_total
                layer.data[loop].uv = 0.5 + 0.4 * math.cos(angle), 0.5 + 0.3 * math.sin(angle) + 0.01 * polygon.index
    for made in materials:
        mesh.materials.append(made)
    made = bpy.data.objects.new(name, mesh)
    (collection or bpy.context.collection).objects.link(made)
    return made


def boxes(parts: Sequence[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    """Returns vertices and faces of boxes (centre, half size)."""
    vertices: list[Any] = []
    faces: list[Any] = []
    for centre, half in parts:
        first = len(vertices)
        vertices += [tuple(c + h * s for c, h, s in zip(centre, half, corner)) for corner in CORNERS]
        faces += [[first + i for i in side] for side in SIDES]
    return vertices, faces


def empty(name: str, location: Any, rotation: Any = (0, 0, 0), collection: Any = None) -> Any:
    made = bpy.data.objects.new(name, None)
    (collection or bpy.context.collection).objects.link(made)
    made.location, made.rotation_euler = location, rotation
    return made


def armature(bones: dict[str, tuple[Any, Any, str | None]]) -> Any:
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail, parent) in bones.items():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def pose_action(rig: Any, name: str, poses: list[tuple[int, dict[str, float]]], stash: bool = True) -> Any:
    """An action that rotates bones around x [degrees], as a strip in an NLA track of its own."""
    action = bpy.data.actions.new(name)
    rig.animation_data_create().action = action
    for frame, angles in poses:
        for bone in rig.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = math.radians(angles.get(bone.name, 0)), 0, 0
            bone.keyframe_insert("rotation_euler", frame=frame)
    rig.animation_data.action = None
    if stash:
        track = rig.animation_data.nla_tracks.new()
        track.name = name
        track.strips.new(name, int(poses[0][0]), action)
    return action


def bind(part: Any, rig: Any, groups: dict[str, list[int]]) -> None:
    part.parent = rig
    part.modifiers.new("rig", "ARMATURE").object = rig
    for bone, members in groups.items():
        part.vertex_groups.new(name=bone).add(members, 1, "REPLACE")


def parent_to_bone(tag: Any, rig: Any, bone: str, place: Any) -> None:
    tag.parent, tag.parent_type, tag.parent_bone = rig, "BONE", bone
    bpy.context.view_layer.update()
    tag.matrix_world = mathutils.Matrix.Translation(place)


def rig_scene() -> list[Clip]:
    """A rig with three actions, two materials and a tag on a bone."""
    reset()
    rig = armature({"root": ((0, 0, 0), (0, 0, 1), None), "arm": ((0, 0, 1), (0, 0, 2), "root")})
    vertices, faces = boxes([((0, 0, .5), (.3, .2, .5)), ((0, 0, 1.5), (.2, .2, .5))])
    body = mesh_object("body", vertices, faces, [material("skin", (.8, .5, .4)), material("cloth", (.1, .2, .7))])
    for polygon in body.data.polygons[6:]:
        polygon.material_index = 1
    bind(body, rig, {"root": list(range(8)), "arm": list(range(8, 16))})
    parent_to_bone(empty("tag_hand", (0, 0, 0)), rig, "arm", (0, 0, 2))
    pose_action(rig, "idle", [(1, {}), (6, {"arm": 5}), (11, {})])
    pose_action(rig, "swing", [(1, {}), (8, {"arm": 80}), (15, {"arm": -40})])
    pose_action(rig, "fall", [(1, {}), (20, {"root": 90, "arm": 20})])
    return [Clip("idle", 1, 11, "idle"), Clip("swing", 1, 15, "swing"), Clip("fall", 1, 20, "fall")]


def keys_scene() -> list[Clip]:
    """Shape keys on a sphere."""
    reset()
    bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=8, radius=1)
    head = bpy.context.object
    head.name = "head"
    head.data.materials.append(material("face", (.9, .7, .6)))
    for polygon in head.data.polygons:
        polygon.use_smooth = True
    head.shape_key_add(name="Basis")
    for name, axis, by in ("wide", 0, 1.5), ("tall", 2, 1.8):
        block = head.shape_key_add(name=name)
        for point in block.data:
            point.co[axis] *= by
        for frame, value in (0, 0), (10, 1), (15, .25):
            block.value = value if name == "wide" else 1 - value
            block.keyframe_insert("value", frame=frame)
    bpy.context.scene.timeline_markers.new("stretch", frame=0)
    bpy.context.scene.timeline_markers.new("relax", frame=10)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 15
    return [Clip("stretch", 0, 9), Clip("relax", 10, 15)]


def objects_scene() -> list[Clip]:
    """Moving objects, one mirrored, with two tags."""
    reset()
    paint = material("paint", (.3, .6, .2))
    wedge = [(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, .5)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    left = mesh_object("left", *wedge, [paint])
    right = mesh_object("right", *wedge, [paint])
    right.scale = -1, 1, 1
    base = empty("tag_base", (0, 0, 0))
    gun = empty("tag_weapon", (1, 2, 3), (0, 0, math.pi / 6))
    gun.parent = left
    for made, offset in (left, 1), (right, -1):
        for frame, angle in (1, 0), (12, 1.2):
            made.location, made.rotation_euler = (offset * (1 + angle), 0, angle), (0, angle, angle / 2)
            made.keyframe_insert("location", frame=frame)
            made.keyframe_insert("rotation_euler", frame=frame)
    base.rotation_euler = .2, .3, .4
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 12
    return [Clip("turn", 1, 12)]


def modifiers_scene() -> list[Clip]:
    """Modifiers that move: a wave, a subdivision, a mirror, and a cast driven by keys."""
    reset()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=2)
    flag = bpy.context.object
    flag.name = "flag"
    flag.data.materials.append(material("flag", (.9, .1, .1)))
    wave = flag.modifiers.new("wave", "WAVE")
    wave.height, wave.width, wave.speed = .4, .8, .2
    flag.modifiers.new("mirror", "MIRROR").use_axis = False, True, False
    flag.modifiers.new("smooth", "SUBSURF").levels = 1
    cast = flag.modifiers.new("cast", "CAST")
    for frame, factor in (1, 0), (20, .8):
        cast.factor = factor
        cast.keyframe_insert("factor", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20
    return [Clip("wave", 1, 20)]


def ngons_scene() -> list[Clip]:
    """N-gons, flat and smooth faces, no texture coordinates, and an object that grows."""
    reset()
    count = 7
    ring = [(math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)) for i in range(count)]
    vertices = [(x, y, z) for z in (0, 1) for x, y in ring]
    faces = [list(range(count))[::-1], list(range(count, 2 * count))]
    faces += [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    made = mesh_object("prism", vertices, faces, uvs=False)
    for polygon in made.data.polygons:
        polygon.use_smooth = polygon.index >= 2
    concave = [(0, 0, 0), (3, 0, 0), (3, 3, 0), (1.5, .5, 0), (0, 3, 0)]
    star = mesh_object("arrow", [(x + 4, y, z) for x, y, z in concave], [list(range(5))], uvs=False)
    for frame, scale in (1, 1.0), (5, 1.5):
        star.scale = scale, scale, 1
        star.keyframe_insert("scale", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 5
    return [Clip("grow", 1, 5)]


PLAYER_CLIPS = {"idle": ({"spine": 3}, 12), "walk": ({"thigh.l": 20, "thigh.r": -20}, 12),
                "run": ({"thigh.l": 45, "thigh.r": -45}, 8), "jump": ({"thigh.l": 30, "thigh.r": 30}, 6),
                "attack": ({"arm": -25}, 5), "death": ({"hips": 80}, 12)}


def player_scene() -> list[Clip]:
    """A player in three parts: collections lower, upper and head, on one rig."""
    reset()
    rig = armature({"hips": ((0, 0, .62), (0, 0, .75), None), "spine": ((0, 0, .75), (0, 0, 1.15), "hips"),
                    "neck": ((0, 0, 1.15), (0, 0, 1.4), "spine"), "thigh.l": ((.1, 0, .62), (.1, 0, .05), "hips"),
                    "thigh.r": ((-.1, 0, .62), (-.1, 0, .05), "hips"), "arm": ((-.22, 0, 1.05), (-.22, -.4, 1), "spine")})
    parts = {"lower": ((.8, .1, .1), [("thigh.l", (.1, 0, .31), (.08, .09, .31)), ("thigh.r", (-.1, 0, .31), (.08, .09, .31)),
                                      ("hips", (0, 0, .68), (.18, .1, .08))]),
             "upper": ((.1, .7, .1), [("spine", (0, 0, .95), (.2, .12, .21)), ("arm", (-.23, -.22, 1), (.07, .27, .09))]),
             "head": ((.1, .2, .9), [("neck", (0, 0, 1.29), (.13, .13, .13))])}
    for name, (colour, shapes) in parts.items():
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        vertices, faces = boxes([shape[1:] for shape in shapes])
        part = mesh_object(f"{name}_mesh", vertices, faces, [material(name, colour)], collection=collection)
        bind(part, rig, {bone: list(range(8 * i, 8 * i + 8)) for i, (bone, *_) in enumerate(shapes)})
    for name, bone, place in (("tag_torso", "hips", (0, 0, .75)), ("tag_head", "spine", (0, 0, 1.15)),
                              ("tag_weapon", "arm", (-.23, -.45, 1))):
        parent_to_bone(empty(name, (0, 0, 0)), rig, bone, place)
    for name, (swing, length) in PLAYER_CLIPS.items():
        last = swing if name == "death" else {}
        pose_action(rig, name, [(1, {}), (1 + length // 2, swing), (1 + length, last)])
    return [Clip(name, 1, 1 + length, name) for name, (_, length) in PLAYER_CLIPS.items()]


SCENES = {"rig": rig_scene, "keys": keys_scene, "objects": objects_scene, "modifiers": modifiers_scene,
          "ngons": ngons_scene, "player": player_scene}


# ---- The reference ---------------------------------------------------------------------------

def to_game(points: np.ndarray, scale: float) -> np.ndarray:
    """Blender's left, back, up (x, y, z) to the games' forward, left, up: docs/reference/axes.md."""
    return np.stack((-points[..., 1], points[..., 0], points[..., 2]), axis=-1) * scale


def shape_at(frame: int, scale: float, action: str = "") -> Shape:
    """The triangles and the empties tag_* that Blender shows on a frame, with the rig in one of its actions."""
    scene = bpy.context.scene
    rigs = [o for o in scene.objects if o.type == "ARMATURE"] if action else []
    for rig in rigs:
        rig.animation_data.action = bpy.data.actions[action]
        rig.animation_data.use_nla = False
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    corners, normals, st = [], [], []
    for made in sorted((o for o in scene.objects if o.type == "MESH"), key=lambda o: o.name):
        mesh = made.evaluated_get(graph).to_mesh()
        if hasattr(mesh, "calc_normals_split"):
            mesh.calc_normals_split()
        mesh.calc_loop_triangles()
        matrix = np.array(made.matrix_world)
        turn = np.linalg.inv(matrix[:3, :3]).T
        mirrored = np.linalg.det(matrix[:3, :3]) < 0
        layer = mesh.uv_layers.active
        for triangle in mesh.loop_triangles:
            order = triangle.loops if mirrored else [triangle.loops[i] for i in (0, 2, 1)]
            points = np.array([mesh.vertices[mesh.loops[i].vertex_index].co for i in order])
            corners.append(to_game(points @ matrix[:3, :3].T + matrix[:3, 3], scale))
            turned = np.array([mesh.loops[i].normal for i in order]) @ turn.T
            normals.append(to_game(turned / np.linalg.norm(turned, axis=1)[:, None], 1))
            st.append([(layer.data[i].uv[0], 1 - layer.data[i].uv[1]) if layer else (0, 0) for i in order])
        made.evaluated_get(graph).to_mesh_clear()
    tags = {o.name: tag_axes(o, scale) for o in scene.objects if o.type == "EMPTY" and o.name.startswith("tag_")}
    for rig in rigs:
        rig.animation_data.action = None
        rig.animation_data.use_nla = True
    return Shape(np.array(corners), np.array(normals), np.array(st, dtype=float), tags)


def tag_axes(made: Any, scale: float) -> np.ndarray:
    matrix = np.array(made.matrix_world)
    axes = [-matrix[:3, 1], matrix[:3, 0], matrix[:3, 2]]  # forward, left, up
    return np.array([to_game(matrix[:3, 3], scale), *(to_game(a / np.linalg.norm(a), 1) for a in axes)])


def shapes(clips: list[Clip], scale: float) -> list[Shape]:
    """The shapes of all frames of clips, in the clips' order."""
    return [shape_at(frame, scale, clip.action) for clip in clips for frame in range(clip.start, clip.end + 1)]
