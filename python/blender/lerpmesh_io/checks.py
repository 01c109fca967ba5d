"""Checks before an export: limits of the engine, and the clips that a player needs. The library decides both."""
from __future__ import annotations

from typing import Any, NamedTuple

import mathutils
import numpy as np

from . import evaluate, exporter
from .packages import Clip, lerpmesh

PLAYERS = {"quake2": "Quake II player, 198 frames", "quake3": "Quake III player, 25 rows"}


def dummy_mesh(items: list[Any], player: str) -> Any:
    """Returns a mesh with the scene's clips and the smallest shape that the library accepts as a player."""
    counts = [len(item.frames()) for item in items]
    total = max(sum(counts), 1)
    corners = np.zeros((total, 3, 3), dtype=np.float32)
    corners[:, 1, 0] = corners[:, 2, 1] = 16
    names = ("lower", "upper", "head") if player == "quake3" else ("body",)
    surfaces = [lerpmesh.MeshSurface(name, corners, np.array([[0, 2, 1]]), body=name if player == "quake3" else "unknown")
                for name in names]
    tags = {f"tag_{name}": np.repeat(np.eye(4, dtype=np.float32)[None], total, axis=0)
            for name in ("torso", "head", "weapon")} if player == "quake3" else {}
    made, first = [], 0
    for item, count in zip(items, counts):
        made.append(Clip(item.name, first, count, item.fps, count if item.loop == "LOOP" else 0, item.reversed))
        first += count
    return lerpmesh.Mesh(surfaces, made, tags)


def player_notes(items: list[Any], player: str) -> list[str]:
    """Returns what a player misses: clips that are replaced, resampled or unused."""
    if not items:
        return ["The list has no clips"]
    try:
        return [note.text for note in lerpmesh.compose(dummy_mesh(items, player), player=player).notes]
    except lerpmesh.Error as error:
        return [str(error)]


def player_names(player: str) -> list[tuple[str, int, float, bool]]:
    """Returns the clips of a player in the game's order: name, number of frames (0: any), rate, loop."""
    if player == "quake2":
        return [(clip.name, clip.count, clip.fps, clip.loop_frames > 0) for clip in lerpmesh.quake2_clips()]
    found = lerpmesh.compose(dummy_mesh([_One()], "quake3"), player="quake3").player_clips
    return [(clip.name, 0, clip.fps, clip.loop_frames > 0) for clip in found]


class _One:
    """A clip of one frame."""
    name, fps, loop, reversed = "idle", 10.0, "ONCE", False

    @staticmethod
    def frames() -> list[float]:
        return [0.0]


# ---- Limits ------------------------------------------------------------------------------------

Places = list[tuple[Any, list[int]]]  # objects, each with vertices of its mesh
MAX_VERTICES = 10_000  # that one problem selects


class Problem(NamedTuple):
    """A problem of the current frame."""
    text: str
    severity: str
    places: Places = []


def check(context: Any, objects: list[Any], settings: exporter.Settings) -> tuple[list[Problem], str]:
    """Encodes the current frame for an engine. Returns its problems, and a line with its sizes."""
    evaluation = evaluate.Evaluation(objects, settings.scale)
    try:
        graph = context.evaluated_depsgraph_get()
        for sampled in evaluation.sampled:
            sampled.sample(graph, settings.scale, context.scene.frame_current)
        for tag in evaluation.tags:
            tag.sample(graph, settings.scale)
        evaluation.num_frames = 1
        export = exporter.Export(context, settings)
        export.made.surfaces = evaluation.surfaces()
        encoded = export.mesh(evaluation).encode(settings.format, engine=settings.engine, strips="fast",
                                                 sidecar_clips=True)
    except evaluate.ExportError as error:
        return [Problem(str(error), "error", [(error.made, list(error.vertices))] if error.made else [])], ""
    except lerpmesh.Error as error:
        return [Problem(str(error), "error", error_places(export.made.surfaces, error))], ""
    frames = sum(len(item.frames()) for item in context.scene.lerpmesh.clips) or 1
    report = encoded.report
    line = f"{report.num_vertices} vertices, {report.num_triangles} triangles, {frames} frames"
    finder = Finder(export.made.surfaces, lerpmesh.load(encoded.data)) if report.problems else None
    return [Problem(p.text, p.severity, finder.places(p)) for p in report.problems], line


def error_places(surfaces: list[Any], error: Any) -> Places:
    """Returns the object, and the vertices, that an error of a mesh names; the largest object, if the whole mesh is too
    large."""
    if not error.section.startswith("surface "):
        return [(max(surfaces, key=lambda s: len(s.triangles)).made, [])] if error.code == "limit" and surfaces else []
    surface = surfaces[error.surface]
    drawn = {"vertices": [error.index], "triangles": surface.triangles[error.index:error.index + 1].ravel()}
    return [(surface.made, [int(v) for v in surface.vertices[drawn.get(error.section.split(" ", 2)[2], [])]])]


class Finder:
    """Finds the objects and vertices that the problems of an encoded file concern. The encoder orders, merges and
    splits vertices, so they are found by their positions."""

    def __init__(self, surfaces: list[Any], model: Any) -> None:
        self.surfaces, self.model = surfaces, model
        self.owners = [(i, int(vertex)) for i, surface in enumerate(surfaces) for vertex in surface.vertices]
        self.tree = mathutils.kdtree.KDTree(len(self.owners))
        for number, position in enumerate(p for surface in surfaces for p in surface.positions[0]):
            self.tree.insert(position, number)
        self.tree.balance()

    def places(self, problem: Any) -> Places:
        where = problem.location
        if where is None or where.section in ("mesh", "frames", "tags", "clips", "skins"):
            return []
        if where.section == "surfaces":
            return [(self.surfaces[where.index].made, [])]
        found = self.model.locate(problem).triangles
        if not found and (where.section.startswith("surface ") or problem.code == "engine-limit"):
            every = np.arange(self.model.surfaces[where.surface].num_vertices)
            return [(made, []) for made, _ in self.at({where.surface: every})]
        return self.at(found)

    def at(self, drawn: dict[int, Any]) -> Places:
        """Returns the objects at vertices of the file."""
        found: dict[int, set[int]] = {}
        for surface, vertices in drawn.items():
            positions = self.model.sample(0.0, surface)[0]
            for vertex in np.unique(vertices)[:MAX_VERTICES]:
                owner, index = self.owners[self.tree.find(positions[vertex])[1]]
                found.setdefault(owner, set()).add(index)
        return [(self.surfaces[owner].made, sorted(indices)) for owner, indices in sorted(found.items())]
