"""Checks before an export: limits of the engine, and the clips that a player needs. The library decides both."""
from __future__ import annotations

from typing import Any

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

class Problem:
    """A problem of the current frame, and the object that it concerns."""

    def __init__(self, text: str, severity: str, surface: Any = None, vertex: int = -1) -> None:
        self.text, self.severity = text, severity
        self.made = surface.made if surface else None
        self.vertices = [int(surface.vertices[vertex])] if surface and 0 <= vertex < len(surface.vertices) else []


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
        problem = Problem(str(error), "error")
        problem.made, problem.vertices = error.made, list(error.vertices)
        return [problem], ""
    except lerpmesh.Error as error:
        return [Problem(str(error), "error", *located(export.made.surfaces, str(error)))], ""
    frames = sum(len(item.frames()) for item in context.scene.lerpmesh.clips) or 1
    report = encoded.report
    line = f"{report.num_vertices} vertices, {report.num_triangles} triangles, {frames} frames"
    return [Problem(p.text, p.severity, *located(export.made.surfaces, p.text)) for p in report.problems], line


def located(surfaces: list[Any], text: str) -> tuple[Any, int]:
    """Returns the surface and the vertex that a message of the library names: "surface 2: vertex 7 ..."."""
    words = text.replace(":", " ").replace(",", " ").split()
    numbers = {word: int(after) for word, after in zip(words, words[1:]) if after.isdigit()}
    surface = surfaces[numbers["surface"]] if numbers.get("surface", len(surfaces)) < len(surfaces) else \
        max(surfaces, key=lambda s: len(s.vertices), default=None)
    return surface, numbers.get("vertex", -1)


