"""Checks before an export: limits of the engine, and the clips that a player needs. The library decides both."""
from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, NamedTuple

import mathutils
import numpy as np

from . import evaluate, exporter, jobs
from .packages import Clip, lerpmesh

PLAYERS = {"quake2": "Quake II player, 198 frames", "quake3": "Quake III player, 25 rows"}


def dummy_mesh(items: list[Any], player: str) -> Any:
    """Returns a mesh with the scene's clips and the smallest shape that the library accepts as a player."""
    counts = [len(item.frames()) for item in items]
    total = max(sum(counts), 1)
    corners = np.zeros((total, 3, 3), dtype=np.float32)
    corners[:, 1, 0] = corners[:, 2, 1] = corners[:, :, 2] = 16  # not on the floor, from which players are moved
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


def check(context: Any, settings: exporter.Settings) -> tuple[list[Problem], str]:
    """Checks each file of an export. Returns the problems, and a line with the sizes."""
    parts = exporter.Export(context, settings).parts() if settings.player not in exporter.FOLDERS else []
    files = [replace(own, body=()) for own in parts] or [settings]
    found = [check_file(context, each) for each in files]
    problems: list[Problem] = []
    for each, _ in found:
        problems += [problem for problem in each if problem not in problems]  # the parts of a player share its clips
    return problems, "; ".join(line for _, line in found if line)


def check_file(context: Any, settings: exporter.Settings) -> tuple[list[Problem], str]:
    """Encodes the current frame for an engine, as an export does. Returns its problems, those of a player's clips, and
    a line with its sizes."""
    items = list(context.scene.lerpmesh.clips)
    export = exporter.Export(context, settings)
    notes = player_notes(items, settings.player) if settings.player in PLAYERS else []
    problems: list[Problem] = []
    line, surfaces, reports = "", [], []
    try:
        for model in composed(export, export.sampled_frame(), items):
            surfaces = surfaces_of(export, model)
            encoded = model.encode(settings.format, engine=settings.engine, strips="fast", sidecar_clips=True)
            reports.append(encoded.report)
            finder = Finder(surfaces, lerpmesh.load(encoded.data)) if encoded.report.problems and surfaces else None
            problems += [Problem(p.text, p.severity, finder.places(p) if finder else []) for p in encoded.report.problems]
        line = (f"{sum(r.num_vertices for r in reports)} vertices, {sum(r.num_triangles for r in reports)} triangles, "
                f"{sum(len(item.frames()) for item in items) or 1} frames")
    except evaluate.ExportError as error:
        problems.append(Problem(str(error), "error", [(error.made, list(error.vertices))] if error.made else []))
    except lerpmesh.Error as error:
        problems.append(Problem(str(error), "error", error_places(surfaces or export.made.surfaces, error)))
    return problems + [Problem(note, "warning") for note in export.made.notes + notes], line


def composed(export: exporter.Export, evaluation: evaluate.Evaluation, items: list[Any]) -> list[Any]:
    """Returns the meshes that an export writes, of one frame. Each clip of a player is then that frame."""
    export.made.surfaces = evaluation.surfaces()
    export.note_size()
    settings = export.settings
    mesh, images = jobs.result_of(export.mesh_and_images(evaluation))
    if settings.player in PLAYERS:
        mesh.clips = [Clip(item.name, 0, 1, item.fps) for item in items] or [Clip("stand", 0, 1)]
    composition = lerpmesh.compose(mesh, format=settings.format, path=settings.path, folder=os.path.dirname(settings.path),
                                   player=settings.player, **images)
    return list(composition.models.values()) or [composition.mesh]


def surfaces_of(export: exporter.Export, model: Any) -> list[Any]:
    """Returns the surfaces of Blender in a composed mesh, with its positions; empty: it has others."""
    names = {surface.name: surface for surface in export.made.surfaces}
    found = [names.get(made.name) for made in model.surfaces] if export.settings.player in exporter.FOLDERS else \
        export.made.surfaces
    if [len(s.vertices) if s else 0 for s in found] != [made.positions.shape[1] for made in model.surfaces]:
        return []
    return [replace(surface, positions=made.positions) for surface, made in zip(found, model.surfaces)]


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
