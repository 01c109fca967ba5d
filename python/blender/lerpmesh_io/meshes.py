"""A surface of a model as a mesh of Blender: one vertex for each vertex of the file, one face for each triangle."""
from __future__ import annotations

from typing import Any

import bpy
import numpy as np


def faces_of(triangles: np.ndarray) -> np.ndarray:
    """Returns the triangles that Blender can hold: those with three different vertices."""
    a, b, c = triangles.T
    return (a != b) & (b != c) & (a != c)


def make_mesh(name: str, positions: np.ndarray, normals: np.ndarray, corners: np.ndarray, uv: np.ndarray) -> Any:
    """Makes a mesh from positions and normals [vertices, 3], corners [faces, 3] (counter-clockwise from outside) and
    texture coordinates [faces, 3, 2], all in Blender's space."""
    mesh = bpy.data.meshes.new(name)
    count = len(corners)
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(positions, dtype=np.float32).ravel())
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(corners, dtype=np.int32).ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    if not mesh.polygons or mesh.polygons[0].loop_total == 0:
        mesh.polygons.foreach_set("loop_total", np.full(count, 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(count, dtype=bool))
    layer = mesh.uv_layers.new(name="UVMap", do_init=False)
    layer.data.foreach_set("uv", np.ascontiguousarray(uv, dtype=np.float32).ravel())
    mesh.update(calc_edges=True)
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1
        mesh.use_auto_smooth = True
    if count:
        mesh.normals_split_custom_set_from_vertices(np.ascontiguousarray(normals, dtype=np.float32))
    return mesh


def game_mesh(name: str, surface: Any, positions: np.ndarray, normals: np.ndarray) -> Any:
    """Makes the mesh of a lerpmesh.Surface. Positions and normals of its file's vertices are in Blender's space."""
    triangles = np.asarray(surface.triangles)
    vertices = np.asarray(surface.file_vertices).astype(np.int32)
    triangles = triangles[faces_of(vertices[triangles])][:, [0, 2, 1]]
    st = np.asarray(surface.uvs)[triangles]
    st = np.stack((st[..., 0], 1 - st[..., 1]), axis=-1)
    return make_mesh(name, positions, normals, vertices[triangles], st)
