"""Runs in Blender: imports a skinned file, plays its only animation, and writes the positions of the vertices at the
given times, or saves the file again."""
import json
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's add-on for glTF uses this name, which its numpy lacks
source, out, *times = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
if not times:
    bpy.ops.export_scene.gltf(filepath=out, export_format="GLB", export_animations=True, export_frame_range=False)
    sys.exit()
scene = bpy.context.scene
mesh = next(o for o in scene.objects if o.type == "MESH" and o.find_armature())
poses = []
for time in times:
    frame = float(time) * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame % 1)
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = [evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices]
    poses.append([(p.x, p.z, -p.y) for p in places])
    evaluated.to_mesh_clear()
with open(out, "w", encoding="utf-8") as file:
    json.dump(poses, file)
