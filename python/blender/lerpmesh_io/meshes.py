"""A surface of a model as a mesh of Blender: one vertex for each vertex of the file, one face for each triangle."""
from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from . import space
from .packages import lerpmesh


FLAT = 1e-6  # a face without area: twice its area, by the squares of two sides


def faces_of(triangles: np.ndarray) -> np.ndarray:
    """Returns the triangles that Blender can hold: those with three different vertices."""
    a, b, c = triangles.T
    return (a != b) & (b != c) & (a != c)


def make_mesh(name: str, positions: np.ndarray, corners: np.ndarray, normals: np.ndarray, uv: np.ndarray) -> Any:
    """Makes a mesh from positions [vertices, 3], corners [faces, 3] (counter-clockwise from outside), and their normals
    [faces, 3, 3] and texture coordinates [faces, 3, 2], all in Blender's space."""
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
        set_normals(mesh, positions[corners], normals)
    return mesh


def set_normals(mesh: Any, positions: np.ndarray, normals: np.ndarray) -> None:
    """Sets custom normals. Blender measures them from the faces around a vertex, and a face without area turns all of
    them; its edges are sharp, so that it stands alone."""
    sides = positions[:, 1:] - positions[:, :1]
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    flat = np.flatnonzero(areas <= FLAT * (sides ** 2).sum(axis=(1, 2)))
    if len(flat):
        edges = np.empty(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("edge_index", edges)
        for edge in np.unique(edges.reshape(-1, 3)[flat]):
            mesh.edges[edge].use_edge_sharp = True
    mesh.normals_split_custom_set(np.ascontiguousarray(normals, dtype=np.float32).reshape(-1, 3))


def smoothed(part: Any) -> Any:
    """Returns the first frame of a part with the normals that UFO: Alien Invasion computes with an .mdx file; the part's
    own model, if there is none."""
    path = os.path.splitext(part.path)[0] + ".mdx"
    try:
        files = {"model.mdx": lerpmesh.read_file(path) if part.model.format == "md2" else b""}
    except lerpmesh.Error:
        return part.model
    if not files["model.mdx"]:
        return part.model
    document = lerpmesh.Document(lerpmesh.read_file(part.path))
    document.select("frames", [0])
    files["model.md2"] = document.encode()
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        model = lerpmesh.open(Path(folder, "model.md2"), related=False, normals="auto", images="none").parts[0].model
    return model if len(model.surfaces[0].triangles) == len(part.model.surfaces[0].triangles) else part.model


def game_normals(model: Any, index: int) -> np.ndarray:
    """Returns the normals of the corners of a surface on the first frame: [triangles, 3, 3], in Blender's space."""
    return space.to_blender(model.sample(0.0, index)[1][model.surfaces[index].triangles], 1)


def game_mesh(name: str, surface: Any, positions: np.ndarray, normals: np.ndarray) -> Any:
    """Makes the mesh of a lerpmesh.Surface. Positions of its file's vertices, and normals of its corners, are in
    Blender's space."""
    triangles = np.asarray(surface.triangles)
    vertices = np.asarray(surface.file_vertices).astype(np.int32)
    chosen = faces_of(vertices[triangles])
    triangles, normals = triangles[chosen][:, [0, 2, 1]], normals[chosen][:, [0, 2, 1]]
    st = np.asarray(surface.uvs)[triangles]
    st = np.stack((st[..., 0], 1 - st[..., 1]), axis=-1)
    return make_mesh(name, positions, vertices[triangles], normals, st)
