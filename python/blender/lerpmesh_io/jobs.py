"""Operators that work in steps: with a progress cursor, cancelled by Esc, and at once when a script calls them."""
from __future__ import annotations

import threading
import time
from typing import Any, Callable, Generator, Iterator, Sequence

import bpy
from bpy.props import BoolProperty

from .evaluate import ExportError
from .packages import lerpmesh

SLICE = 0.05  # seconds of work between two events
FRAMES = 64  # of a step that handles many

Step = tuple[float, str]  # the share that is done, and the work that follows: "frame 3 of 198"


def in_background(call: Callable[[], Any], step: Any) -> Generator[Any, None, Any]:
    """Runs a call that does not use bpy in a thread. Yields `step`, or the result of calling it, until it ends, and
    returns its result."""
    done: list[Any] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(call())
        except BaseException as reason:  # raised again below
            failed.append(reason)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        thread.join(0.02)
        yield step() if callable(step) else step
    if failed:
        raise failed[0]
    return done[0]


def result_of(steps: Generator[Any, None, Any]) -> Any:
    """Runs steps at once, and returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


class Job:
    """A mixin for operators. Subclasses have `steps` and `finish`."""

    interactive: BoolProperty(options={"HIDDEN", "SKIP_SAVE"},
                              description="Works in steps, so that Blender stays responsive")

    def prepare(self) -> None:
        """Called before the first step."""

    def steps(self, context: Any) -> Iterator[Step]:
        raise NotImplementedError

    def finish(self, context: Any) -> None:
        """Called after the last step."""

    def cancelled(self, context: Any) -> None:
        """Called if the job fails or is cancelled."""

    def show_report(self, context: Any, title: str, lines: Sequence[str]) -> None:
        """Keeps a report, and shows it to a user of the interface."""
        context.window_manager.lerpmesh_report = "\n".join(lines)
        if not bpy.app.background and self.interactive:
            bpy.ops.lerpmesh.show_report("INVOKE_DEFAULT", title=title)

    def works_in_steps(self, context: Any) -> bool:
        return self.interactive and not bpy.app.background and not self.options.is_repeat and bool(context.window)

    def start(self, context: Any) -> set[str]:
        """Runs the job. The result of `execute`."""
        self.prepare()
        self.running = self.steps(context)
        if not self.works_in_steps(context):
            return self.advance(context, float("inf"))
        self.timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def advance(self, context: Any, seconds: float) -> set[str]:
        """Works for some time."""
        end = time.monotonic() + seconds
        try:
            for share, text in self.running:
                if time.monotonic() > end:
                    show(context, share, text)
                    return {"RUNNING_MODAL"}
            self.finish(context)
        except (lerpmesh.Error, ExportError, OSError, ValueError) as reason:
            self.cancelled(context)
            self.report({"ERROR"}, str(reason))
            if getattr(reason, "made", None):
                select_places(context, [(reason.made, reason.vertices)])
            return {"CANCELLED"}
        except BaseException:
            self.cancelled(context)
            raise
        return {"FINISHED"}

    def modal(self, context: Any, event: Any) -> set[str]:
        if event.type == "ESC" and event.value == "PRESS":
            self.stop(context)
            self.report({"WARNING"}, "Cancelled")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        state = {"CANCELLED"}
        try:
            state = self.advance(context, SLICE)
        finally:
            if state != {"RUNNING_MODAL"}:
                self.end(context)
        return state

    def cancel(self, context: Any) -> None:
        """Blender calls this when it closes the file browser, the window or the file."""
        if hasattr(self, "running"):
            self.stop(context)

    def stop(self, context: Any) -> None:
        self.running.close()
        self.cancelled(context)
        self.end(context)

    def end(self, context: Any) -> None:
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


def show(context: Any, share: float, text: str) -> None:
    """Shows the progress at the pointer and in the status bar."""
    context.window_manager.progress_update(int(100 * share))
    context.workspace.status_text_set(f"{text} (Esc cancels)")


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
