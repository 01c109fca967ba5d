"""Imported models against the independent decoder: the corpus, generated models, and models of UFO: Alien Invasion."""
import random
from pathlib import Path
from typing import Any

import bpy
import corpus
import make_models
import numpy as np
import oracle
import skipping
import support

import lerpmesh

FORMATS = ("md2", "md3", "mdc", "mdl")
UFO = Path("/usr/share/games/ufoai/base/0models.pk3")
UFO_MODELS = 50
GENERATED = 5  # of each format
FRAMES = 7  # compared, of each model


def some_frames(count: int) -> list[int]:
    return sorted({round(i * (count - 1) / (FRAMES - 1)) for i in range(FRAMES)})


class Models(support.Case):
    def compare(self, data: bytes, collection: Any) -> None:
        """Compares the frames of an imported model, and its faces, with the decoder."""
        model = oracle.load(data)
        surfaces = sorted((o for o in collection.all_objects if "lerpmesh_surface" in o),
                          key=lambda o: o["lerpmesh_surface"])
        self.assertEqual(len(surfaces), len(model.surfaces))
        for made, surface in zip(surfaces, model.surfaces):
            self.compare_faces(made, surface)
        for frame in some_frames(len(model.frames)):
            bpy.context.scene.frame_set(frame)
            for made, surface in zip(surfaces, model.surfaces):
                points = support.evaluated(made)
                # Vertices that no triangle uses have no corners.
                used = sorted({v for triangle in surface.triangles for v in triangle.vertices})
                wanted = np.array([surface.vertex(frame, v, None)[0] for v in used]).reshape(-1, 3)
                size = max(1.0, np.abs(wanted).max(initial=0))
                self.assertLess(np.abs(points[used] - wanted).max(initial=0), 1e-5 * size, f"frame {frame}")
            self.compare_tags(collection, model, frame)

    def compare_faces(self, made: Any, surface: Any) -> None:
        """Faces are those triangles that have three vertices, turned to be counter-clockwise."""
        wanted = [t for t in surface.triangles if len(set(t.vertices)) == 3]
        self.assertTrue([tuple(p.vertices) for p in made.data.polygons] ==
                        [(t.vertices[0], t.vertices[2], t.vertices[1]) for t in wanted], "other faces")
        uv = made.data.uv_layers.active.data
        found = np.array([[uv[i].uv for i in p.loop_indices] for p in made.data.polygons]).reshape(-1, 3, 2)
        st = np.array([[t.texcoords[i] for i in (0, 2, 1)] for t in wanted]).reshape(-1, 3, 2)
        np.testing.assert_allclose(np.stack((found[..., 0], 1 - found[..., 1]), axis=-1), st, atol=2e-5, rtol=1e-6)

    def compare_tags(self, collection: Any, model: Any, frame: int) -> None:
        tags = {o["lerpmesh_tag"]: o for o in collection.all_objects if "lerpmesh_tag" in o}
        self.assertLessEqual(set(tags), set(model.tag_names) | set(tags) if model.format == "md2" else
                             set(model.tag_names))
        graph = bpy.context.evaluated_depsgraph_get()
        for tag in model.pose(float(frame)).tags:
            matrix = np.array(tags[tag.name].evaluated_get(graph).matrix_world)
            origin = np.array([-matrix[1, 3], matrix[0, 3], matrix[2, 3]])
            self.assertLess(np.abs(origin - tag.position).max(), 1e-4)
            for wanted, column in zip(tag.axes, (-matrix[:3, 1], matrix[:3, 0], matrix[:3, 2])):
                self.assertLess(np.abs(np.array([-column[1], column[0], column[2]]) - wanted).max(), 1e-3)

    def test_corpus(self) -> None:
        found = [*corpus.real_models(FORMATS), *corpus.sample_models(FORMATS)]
        for path in found:
            with self.subTest(path.name):
                support.clear()
                self.compare(path.read_bytes(), self.load(path, related=False, cache_folder=str(self.folder)))
        self.assertGreater(len(found), 2)

    def test_generated_models(self) -> None:
        for kind in FORMATS:
            for index in range(GENERATED):
                data = make_models.make_model(kind, 28, index)[0]
                path = self.folder / f"m{index}.{kind}"
                path.write_bytes(data)
                with self.subTest(path.name):
                    support.clear()
                    self.compare(data, self.load(path, cache_folder=str(self.folder)))

    def test_kinds_of_frames(self) -> None:
        """Shape keys of both kinds and cache files show the same."""
        path = corpus.source_dir() / "samples" / "tick.md2"
        for frames in "RELATIVE", "ABSOLUTE", "CACHE":
            with self.subTest(frames):
                support.clear()
                self.compare(path.read_bytes(), self.load(path, frames=frames, cache_folder=str(self.folder)))
                self.assertEqual(bool(list(self.folder.glob("*.mdd"))), frames == "CACHE")

    def test_ufoai(self) -> None:
        if not UFO.exists():
            skipping.skip(self, "UFO: Alien Invasion is not installed")
        models = [path for path in lerpmesh.list_models(UFO) if path.endswith(".md2")]
        chosen = random.Random(28).sample(models, UFO_MODELS)
        for path in chosen:
            with self.subTest(path):
                support.clear()
                made = self.load(path, related=False, cache_folder=str(self.folder))
                self.compare(lerpmesh.read_file(path), made)


class Normals(support.Case):
    """The normals on the first frame are those of the file, up to Blender's 16 bits, on faces that have an area."""

    def compare(self, made: Any, wanted: np.ndarray, positions: np.ndarray) -> None:
        """`wanted`, `positions`: [faces, 3, 3], of the corners in the file's order."""
        mesh = made.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        if hasattr(mesh, "calc_normals_split"):
            mesh.calc_normals_split()
        found = np.array([loop.normal for loop in mesh.loops]).reshape(-1, 3, 3)[:, [0, 2, 1]]
        found = np.stack((-found[..., 1], found[..., 0], found[..., 2]), axis=-1)
        sides = positions[:, 1:] - positions[:, :1]
        solid = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) > 1e-5 * (sides ** 2).sum(axis=(1, 2))
        lengths = np.linalg.norm(wanted, axis=-1, keepdims=True)
        cosines = (found * wanted / np.maximum(lengths, 1e-9)).sum(axis=-1)[solid & (lengths > 0).all(axis=(1, 2))]
        self.assertGreater(cosines.min(initial=1), np.cos(np.radians(1)), made.name)

    def test_first_frame(self) -> None:
        for path in (*corpus.real_models(FORMATS), *corpus.sample_models(FORMATS)):
            support.clear()
            collection, model = self.load(path, related=False, cache_folder=str(self.folder)), oracle.load_file(str(path))
            bpy.context.scene.frame_set(0)
            for made in (o for o in collection.all_objects if "lerpmesh_surface" in o):
                surface = model.surfaces[made["lerpmesh_surface"]]
                corners = [surface.vertex(0, v, None) for t in surface.triangles if len(set(t.vertices)) == 3
                           for v in t.vertices]
                positions, normals = (np.array([c[i] for c in corners]).reshape(-1, 3, 3) for i in (0, 1))
                with self.subTest(f"{path.name} {made.name}"):
                    self.compare(made, normals, positions)

    def test_smoothing_of_ufoai(self) -> None:
        """The game computes its normals with the .mdx file next to the model; those of the MD2 are wrong."""
        if not UFO.exists():
            skipping.skip(self, "UFO: Alien Invasion is not installed")
        path = f"{UFO}:models/soldiers/male/body.md2"
        collection = self.load(path, related=False, frames="NONE", skins="NONE")
        model = lerpmesh.open(path, related=False, normals="auto").parts[0].model
        made, = (o for o in collection.all_objects if o.type == "MESH")
        corners = np.asarray(model.surfaces[0].triangles)
        self.assertEqual(len(corners), len(made.data.polygons))
        positions, normals = model.sample(0.0)
        self.compare(made, normals[corners], positions[corners])
