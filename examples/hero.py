"""Blender 3.4: `blender -b --python hero.py -- OUT.glb [quake2]` makes a character for Quake III and exports it with the
exporter's defaults, or saves it as OUT.blend: a rig, three meshes named after the parts of a player, empties for the
tags, and a strip for each clip. With `quake2`, the clips are the 20 of Quake II, at its 10 frames per second. The legs
are red, the torso is green, the head blue; the character looks along -y, as Blender's characters do."""
import math
import os
import sys

import bpy
import mathutils

OUT, *GAME = sys.argv[sys.argv.index("--") + 1:]
# Bones: head, tail, parent [m]
BONES = {"hips": ((0, 0, 0.62), (0, 0, 0.75), None), "spine": ((0, 0, 0.75), (0, 0, 1.15), "hips"),
         "neck": ((0, 0, 1.15), (0, 0, 1.4), "spine"), "thigh.l": ((0.1, 0, 0.62), (0.1, 0, 0.05), "hips"),
         "thigh.r": ((-0.1, 0, 0.62), (-0.1, 0, 0.05), "hips"), "arm.r": ((-0.22, 0, 1.05), (-0.22, -0.45, 0.95), "spine"),
         "arm.l": ((0.22, 0, 1.05), (0.22, 0, 0.6), "spine")}
# Boxes of each mesh: bone, lowest corner, highest corner
PARTS = {"l_legs": ((0.8, 0.1, 0.1), [("thigh.l", (0.02, -0.09, 0), (0.18, 0.09, 0.62)),
                                      ("thigh.r", (-0.18, -0.09, 0), (-0.02, 0.09, 0.62)),
                                      ("hips", (-0.18, -0.1, 0.6), (0.18, 0.1, 0.76))]),
         "u_torso": ((0.1, 0.7, 0.1), [("spine", (-0.2, -0.12, 0.74), (0.2, 0.12, 1.16)),
                                       ("arm.r", (-0.3, -0.5, 0.9), (-0.16, 0.05, 1.08)),
                                       ("arm.l", (0.16, -0.07, 0.58), (0.3, 0.07, 1.1))]),
         "h_head": ((0.1, 0.2, 0.9), [("neck", (-0.13, -0.14, 1.16), (0.13, 0.12, 1.42))])}
# The corners of a box's sides, counter-clockwise from outside
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
TAGS = {"tag_torso": ("hips", (0, 0, 0.75)), "tag_head": ("spine", (0, 0, 1.15)), "tag_weapon": ("arm.r", (-0.23, -0.48, 0.98))}
# Clips: the swing of bones around x [degrees] in the middle, their length [frames]
CLIPS = {"idle": ({"spine": 3}, 24), "walk": ({"thigh.l": 20, "thigh.r": -20}, 24),
         "run": ({"thigh.l": 45, "thigh.r": -45, "spine": 10}, 16), "jump": ({"thigh.l": 30, "thigh.r": 30}, 12),
         "attack": ({"arm.r": -25}, 8), "death": ({"hips": 80}, 24)}
CROUCH = {"thigh.l": 60, "thigh.r": 60, "hips": -10}
# The same for Quake II; a loop of 40 frames has 40 steps, any other clip of 8 frames 7
QUAKE2 = {"stand": ({"spine": 3}, 40), "run": ({"thigh.l": 45, "thigh.r": -45, "spine": 10}, 6),
          "attack": ({"arm.r": -25}, 7), "pain1": ({"spine": -20}, 3), "pain2": ({"spine": 20}, 3),
          "pain3": ({"neck": -30}, 3), "jump": ({"thigh.l": 30, "thigh.r": 30}, 5), "flip": ({"arm.l": -90}, 11),
          "salute": ({"arm.l": -120}, 10), "taunt": ({"arm.l": -60, "spine": 10}, 16), "wave": ({"arm.l": -150}, 10),
          "point": ({"arm.l": -80}, 11), "crstnd": (CROUCH, 19), "crwalk": ({**CROUCH, "thigh.l": 80}, 6),
          "crattak": ({**CROUCH, "arm.r": -25}, 8), "crpain": ({**CROUCH, "spine": -20}, 3),
          "crdeath": ({"hips": 80}, 4), "death1": ({"hips": 80}, 5), "death2": ({"hips": -80}, 5),
          "death3": ({"hips": 70, "spine": 20}, 7)}


def make_rig():
    data = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail, parent) in BONES.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def make_material(name, colour):
    image = bpy.data.images.new(name, 16, 16)
    image.pixels = [*colour, 1] * 256
    image.pack()
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.links.new(node.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    return material


def make_part(rig, name, colour, boxes):
    vertices, faces, groups = [], [], []
    for bone, low, high in boxes:
        first = len(vertices)
        vertices += [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        faces += [[first + i for i in face] for face in FACES]
        groups.append((bone, list(range(first, first + 8))))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.uv_layers.new()
    mesh.materials.append(make_material(name, colour))
    part = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(part)
    part.parent = rig
    part.modifiers.new("rig", "ARMATURE").object = rig
    for bone, members in groups:
        part.vertex_groups.new(name=bone).add(members, 1, "REPLACE")


def make_tag(rig, name, bone, place):
    tag = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(tag)
    tag.empty_display_size = 0.2
    tag.parent, tag.parent_type, tag.parent_bone = rig, "BONE", bone
    bpy.context.view_layer.update()
    tag.matrix_world = mathutils.Matrix.Translation(place)  # not rotated: -y is forward


def make_clip(rig, name, swings, length):
    action = bpy.data.actions.new(name)
    rig.animation_data_create().action = action
    for frame, share in ((1, 0), (1 + length // 2, 1), (1 + length, 1 if "death" in name else 0)):
        for bone in rig.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (math.radians(swings.get(bone.name, 0)) * share, 0, 0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    rig.animation_data.action = None
    rig.animation_data.nla_tracks.new().strips.new(name, 1, action)
    rig.animation_data.nla_tracks[-1].name = name


bpy.ops.wm.read_factory_settings(use_empty=True)
made = make_rig()
for key, value in PARTS.items():
    make_part(made, key, *value)
for key, value in TAGS.items():
    make_tag(made, key, *value)
if GAME:
    bpy.context.scene.render.fps = 10
for key, value in (QUAKE2 if GAME else CLIPS).items():
    make_clip(made, key, *value)
# In a saved file, the 3D view shows the character, and below it an NLA editor its strips.
view = next(area for area in bpy.data.screens["Layout"].areas if area.type == "VIEW_3D")
view.spaces.active.shading.color_type = "TEXTURE"
view.spaces.active.region_3d.view_distance = 4.5
view.spaces.active.region_3d.view_location = 0, 0, 0.7
with bpy.context.temp_override(area=view):
    bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.45)
view.type = "NLA_EDITOR"
if OUT.endswith(".blend"):
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(OUT))
else:
    bpy.ops.export_scene.gltf(filepath=OUT)
