"""Operators that work in steps: with a progress cursor, cancelled by Esc, and at once when a script calls them."""
from __future__ import annotations

import time
from typing import Any, Iterator, Sequence

import bpy
from bpy.props import BoolProperty

from .evaluate import ExportError
from .packages import lerpmesh

SLICE = 0.05  # seconds of work between two events


class Job:
    """A mixin for operators. Subclasses have `steps`, which yields the share that is done, and `finish`."""

    interactive: BoolProperty(options={"HIDDEN", "SKIP_SAVE"},
                              description="Works in steps, so that Blender stays responsive")

    def steps(self, context: Any) -> Iterator[float]:
        raise NotImplementedError

    def finish(self, context: Any) -> None:
        """Called after the last step."""

    def cancelled(self, context: Any) -> None:
        """Called if the job fails or is cancelled."""

    def start(self, context: Any) -> set[str]:
        """Runs the job. The result of `execute`."""
        self.running = self.steps(context)
        if bpy.app.background or not self.interactive or not context.window:
            return self.advance(context, float("inf"))
        self.timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def advance(self, context: Any, seconds: float) -> set[str]:
        """Works for some time."""
        end = time.monotonic() + seconds
        try:
            for share in self.running:
                if time.monotonic() > end:
                    context.window_manager.progress_update(int(100 * share))
                    return {"RUNNING_MODAL"}
        except (lerpmesh.Error, ExportError, OSError, ValueError) as reason:
            self.cancelled(context)
            self.report({"ERROR"}, str(reason))
            if getattr(reason, "made", None):
                select_places(context, [(reason.made, reason.vertices)])
            return {"CANCELLED"}
        self.finish(context)
        return {"FINISHED"}

    def modal(self, context: Any, event: Any) -> set[str]:
        if event.type == "ESC":
            self.running.close()
            self.cancelled(context)
            self.report({"WARNING"}, "Cancelled")
            return self.end(context, {"CANCELLED"})
        if event.type == "TIMER":
            state = self.advance(context, SLICE)
            if state != {"RUNNING_MODAL"}:
                return self.end(context, state)
        return {"RUNNING_MODAL"}

    def end(self, context: Any, state: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        return state


def select_places(context: Any, places: Sequence[tuple[Any, Sequence[int]]]) -> None:
    """Selects objects, and the given vertices of their meshes."""
    chosen = [made for made, _ in places if made.name in context.view_layer.objects]
    for made in context.view_layer.objects:
        made.select_set(made in chosen)
    if chosen:
        context.view_layer.objects.active = chosen[0]
    for made, vertices in places:
        if made in chosen and made.type == "MESH" and len(vertices):
            select_vertices(made.data, vertices)


def select_vertices(mesh: Any, vertices: Sequence[int]) -> None:
    for collection in mesh.polygons, mesh.edges, mesh.vertices:
        collection.foreach_set("select", [False] * len(collection))
    for index in vertices:
        if index < len(mesh.vertices):
            mesh.vertices[index].select = True
