"""Export: the evaluated scene as files of a game.

`Export.run` samples the frames of all clips, makes a lerpmesh.Mesh, and lets the library convert it.
Nothing is written before everything is encoded."""
from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generator, Iterator, Sequence

import bpy
import numpy as np

from . import archives, clips, evaluate, jobs, materials, source
from .evaluate import ExportError
from .jobs import Step
from .packages import Clip, lerpmesh

SAME_POSE = 1e-3  # units between two poses that are alike
PARTS = ("lower", "upper", "head")
FOLDERS = ("quake3", "weapon")  # kinds that are folders of models
TINY = 4  # units
COLORS = "pics/colormap.pcx"  # in the folder of Quake II
MAX_LISTED = 12  # frames in a message
WEAPON_CLIPS = 16  # of a player of Quake II, that its weapon has: those before the deaths


@dataclass
class Settings:
    """Settings of an export."""
    path: str  # of the file; of a player of Quake III or a weapon, the folder
    objects: Sequence[Any]
    format: str = "md2"
    engine: str = "any"
    scale: float = 1.0  # game units per Blender unit
    player: str = "none"  # none, model, quake2, quake3 or weapon
    folder: str = ""  # of the images in the game; empty: derived from the path
    images: str = "AUTO"  # AUTO: of materials without a path in the game; ALL or NONE
    use_source: bool = True  # imported frames that did not change keep their bytes
    lods: int = 0
    smooth: bool = False
    high_precision: bool = False
    smallest: bool = False
    options: str = ""  # more of `lerpmesh convert`
    replace: bool = False  # also files that were not named, with other contents
    is_named: bool = True  # the path, so that its file is replaced
    merge: bool = False  # the parts of an imported player become one file
    palette: str = ""  # of PCX images: a file, or the game's folder or archive; empty: the library decides
    body: Sequence[Any] = ()  # the objects of a player of Quake II, if those of the export are its weapon


@dataclass
class Written:
    """A result: the files, and the messages of the encoder."""
    files: dict[str, bytes] = field(default_factory=dict)  # by path
    optional: list[str] = field(default_factory=list)  # those of the files that stay if they exist
    reports: list[tuple[str, Any]] = field(default_factory=list)  # file name, lerpmesh.EncodeReport
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    problems: list[Any] = field(default_factory=list)  # lerpmesh.Diagnostic
    surfaces: list[evaluate.Surface] = field(default_factory=list)  # that the problems' numbers refer to

    def add(self, other: Written) -> None:
        """Adds the result of another file. What both wrote is that of the first."""
        self.files = {**other.files, **self.files}
        for each in fields(self)[1:]:
            getattr(self, each.name).extend(value for value in getattr(other, each.name)
                                            if each.name != "notes" or value not in self.notes)


# ---- Clips -------------------------------------------------------------------------------------

def clip_of(item: Any, first: int, count: int, is_loop: bool) -> Clip:
    """Returns the clip of an item of the list, whose frames were sampled."""
    loops = min(item.loop_frames or count, count) if is_loop else 0
    return Clip(item.name, first, count, item.fps, loops, item.reversed)


def frames_text(frames: Sequence[int]) -> str:
    """Returns the first frames of a list for a message."""
    more = f" and {len(frames) - MAX_LISTED} more" if len(frames) > MAX_LISTED else ""
    return f"frame{'s' if len(frames) > 1 else ''} {', '.join(str(frame) for frame in frames[:MAX_LISTED])}{more}"


def body_of(made: Any) -> str:
    """Returns the part of a player that an object belongs to: by the names of its collections and parents."""
    names = [c.name for c in bpy.data.collections if made.name in c.all_objects]
    for name in (*names, *(parent.name for parent in evaluate.family(made.parent))):
        if evaluate.plain_name(name).lower() in PARTS:
            return evaluate.plain_name(name).lower()
    return "unknown"


def piece_of(made: Any) -> str | None:
    """Returns the model of a weapon that an object belongs to: the nearest name v_..., of itself, of what it is below, or
    of its collection."""
    names = [each.name for each in (*evaluate.family(made), *made.users_collection)]
    return next((evaluate.plain_name(name) for name in names if name.lower().startswith("v_")), None)


def is_weapon(names: Sequence[str]) -> bool:
    """Returns whether these are the names of the models of one weapon."""
    hand = next((name for name in names if name.lower().endswith("_hand")), None)
    return hand is not None and all(name.lower().startswith(hand.lower()[:-5]) for name in names)


def is_quake2(part: source.Part, scene: Any) -> bool:
    """Returns whether the clips of a part are where Quake II plays them."""
    table = [(clip.name, clip.first, clip.count) for clip in lerpmesh.quake2_clips()]
    wanted = table[:WEAPON_CLIPS] if part.root() else table
    return [(clip.name, clip.first, clip.count) for clip in part.clips(scene)][:len(wanted)] == wanted


# ---- Images ------------------------------------------------------------------------------------

def bytes_of(values: np.ndarray, width: int, height: int) -> np.ndarray:
    """Returns pixels [height, width, 4] from Blender's, whose first row is the lowest."""
    rows = values.reshape(height, width, 4)[::-1]
    return (np.clip(rows, 0, 1) * 255 + .5).astype(np.uint8)


class Pixels:
    """The images of materials as arrays, each once."""

    def __init__(self) -> None:
        self.read: dict[str, Any] = {}

    def of(self, material: Any, step: Step) -> Generator[Step, None, Any]:
        """Returns a lerpmesh.SurfaceImage; None: the material has no image."""
        image = materials.image_of(material)
        if image is None or not image.size[0] or not image.size[1]:
            return None
        if image.name not in self.read:
            yield step
            width, height = image.size
            values = np.empty(4 * width * height, dtype=np.float32)
            image.pixels.foreach_get(values)
            self.read[image.name] = yield from jobs.in_background(lambda: bytes_of(values, width, height), step)
        return lerpmesh.SurfaceImage(os.path.splitext(evaluate.plain_name(image.name))[0], self.read[image.name],
                                     materials.alpha_of(material))


def palette_path(path: str) -> str:
    """Returns the path of a palette: itself, or the one of Quake II in a folder or an archive."""
    if os.path.isdir(path):
        path = os.path.join(path, "baseq2") if os.path.isdir(os.path.join(path, "baseq2")) else path
        loose = os.path.join(path, COLORS)
        return loose if os.path.exists(loose) else f"{os.path.join(path, 'pak0.pak')}:{COLORS}"
    return f"{path}:{COLORS}" if archives.is_archive(path) else path


_written: dict[str, int] = {}  # the contents that exports of this session wrote, by the paths of the files


def is_own(path: str) -> bool:
    """Returns whether an export of this session wrote a file as it is now, so that the next one may replace it."""
    try:
        with open(path, "rb") as file:
            return _written.get(os.path.abspath(path)) == hash(file.read())
    except OSError:
        return False


class Export:
    """An export. Its steps can be interrupted between two values of `run`; `close` then restores the scene."""

    def __init__(self, context: Any, settings: Settings) -> None:
        self.context, self.settings = context, settings
        self.made = Written()
        self.player = clips.Player(context.scene, context.scene.objects)
        self.clips: list[Clip] = []
        self.frame_names: list[str] | None = None  # None: those of the clips
        self.found = [source.Part(each) for each in source.find(settings.objects)]  # imported parts
        self.part = self.found[0] if len(self.found) == 1 else None  # the imported part whose file is written
        self.keeps_frames = self.part is not None and self.part.keeps_frames(context.scene, settings.objects)
        self.own = self.part if settings.player in ("none", "model") else None  # that the file has the space of

    # ---- All -----------------------------------------------------------------------------------

    def run(self) -> Iterator[Step]:
        """Exports, and yields the share that is done and the work that follows. The files are then in `made`."""
        parts = self.parts()
        if parts:
            yield from self.run_parts(parts)
            return
        scene = self.context.scene
        had_clips = len(scene.lerpmesh.clips) > 0
        if self.is_new_player():
            folder = os.path.dirname(self.settings.path)
            whole = Export(self.context, replace(self.settings, player="quake3", path=folder))
            yield from whole.run()
            self.made = whole.made
            return
        try:
            if self.part and self.is_as_imported():
                yield from self.run_imported(self.part, self.part.change_of_objects(self.settings.objects))
            else:
                yield from self.run_scene()
            self.add_skin_files()
        finally:
            self.player.restore()
            if not had_clips:
                scene.lerpmesh.clips.clear()
        yield 1.0, "writing"

    def parts(self) -> list[Settings]:
        """Returns the settings of the files of an imported player's parts, the named one first; none if the objects are
        encoded together. Objects that were not imported belong to the part of their parent, or to the first."""
        settings, is_folder = self.settings, self.settings.player in FOLDERS
        found = self.found if not settings.merge else []
        names = [part.name.lower() for part in found]
        if len(found) < 2 or len(set(names)) < len(names) or settings.player == "model" or \
                len({part.source.collection.get(source.PLAYER) for part in found}) > 1 or \
                source.PLAYER not in found[0].source.collection or (is_folder and not self.stay_parts(found)) or \
                (settings.player == "quake2" and any(part.format != "md2" for part in found)) or self.is_new_player():
            return []
        folder, name = (settings.path.rstrip("/\\"), "") if is_folder else os.path.split(settings.path)
        stem = os.path.splitext(name)[0].lower()
        found = sorted(found, key=lambda part: (part.name.lower() != stem, part.root() is not None))
        objects: list[list[Any]] = [[] for _ in found]
        for made in settings.objects:
            objects[self.number_of(made, found) or 0].append(made)
        carrier = next((i for i, part in enumerate(found) if not part.root()), 0)
        out = []
        for i, (part, own) in enumerate(zip(found, objects)):
            made = replace(settings, objects=own)
            if settings.player == "quake2" and i != carrier:
                made.body = objects[carrier]
            if is_folder:
                made.player, made.format = "none", part.format
            if settings.player == "quake3" and not settings.folder:
                made.folder = f"models/players/{os.path.basename(folder)}"
            if i or is_folder:
                made.path = os.path.join(folder, f"{part.name}.{made.format}")
            out.append(made)
        return out

    def is_new_player(self) -> bool:
        """Returns whether the objects are an imported player of Quake III whose clips have other frames now: the game reads
        the rows of animation.cfg by their order, so the library writes them with the models."""
        settings = self.settings
        return settings.player == "none" and settings.format in ("md3", "mdc") and not settings.merge and \
            sorted(part.name for part in self.found) == sorted(PARTS) and \
            os.path.splitext(os.path.basename(settings.path))[0].lower() in PARTS and \
            not source.same_clips(self.context.scene, self.found)

    @staticmethod
    def number_of(made: Any, parts: Sequence[source.Part]) -> int | None:
        """Returns the number of the part that an object or one of its parents belongs to; None: it belongs to none."""
        return next((i for each in evaluate.family(made) for i, part in enumerate(parts)
                     if each.name in part.source.collection.all_objects), None)

    def stay_parts(self, parts: list[source.Part]) -> bool:
        """Returns whether imported parts are the models of a folder, so that each can stay as it is."""
        settings = self.settings
        names = sorted(part.name for part in parts)
        fits = is_weapon(names) if settings.player == "weapon" else \
            names == sorted(PARTS) and all(part.format == settings.format for part in parts)
        return fits and settings.use_source and not settings.lods and not settings.options and \
            all(self.number_of(made, parts) is not None for made in settings.objects) and \
            source.same_clips(self.context.scene, parts)

    def run_parts(self, parts: list[Settings]) -> Iterator[Step]:
        """Writes each part as a file of its own."""
        exports = [Export(self.context, settings) for settings in parts]
        kept = [export.part for export in exports if export.part and export.is_as_imported()
                and not export.part.change_of_objects(export.settings.objects)]
        try:
            for share, text in source.sample(kept, self.context, self.player):
                yield share / 2, text
        finally:
            self.player.restore()
        for i, export in enumerate(exports):
            for share, text in export.run():
                yield .5 + (i + share) / len(parts) / 2, text
            self.made.add(export.made)
        if self.settings.player in FOLDERS:
            self.made.optional = []

    def is_as_imported(self) -> bool:
        """Returns whether the objects are just those of the imported part, in the format of its file."""
        part, settings = self.part, self.settings
        if not part or not self.keeps_frames or not settings.use_source or settings.lods or settings.options:
            return False
        others = [made for made in settings.objects if evaluate.makes_instances(made) or
                  (made.type in evaluate.SHAPES and made not in part.surfaces)]
        return not others and part.format == settings.format and \
            all(made in settings.objects for made in part.surfaces) and \
            (self.own is not None or (settings.player == "quake2" and is_quake2(part, self.context.scene)))

    def is_alike(self) -> bool:
        """Returns whether the format has the clips of the imported part in the same place."""
        both = {self.part.format, self.settings.format} if self.part else set()
        return len(both) == 1 or both == {"md3", "mdc"}

    def space(self, graph: Any) -> Any:
        """Returns the matrix from the world to the space of the file; None: it is the world."""
        return self.own.anchor_matrix(graph) if self.own else None

    def sampled_frame(self) -> evaluate.Evaluation:
        """Samples the current frame, without changing it."""
        evaluation = evaluate.Evaluation(self.settings.objects, self.settings.scale)
        graph = self.context.evaluated_depsgraph_get()
        evaluation.sample(graph, self.context.scene.frame_current, self.space(graph))
        return evaluation

    def run_imported(self, part: source.Part, reason: str) -> Iterator[Step]:
        """Writes the file of an imported part again, with the frames that changed. `reason`: why it cannot; empty: it
        can."""
        if reason:
            yield from self.run_again(part, reason)
            return
        has_images = part.format != "mdl" and (part.painted() or self.settings.images == "ALL")
        paths = (yield from self.new_paths(part)) if has_images and part.surfaces else {}
        if part.sampled is None:
            yield from source.sample([part], self.context, self.player)
        if part.unwritten:
            lost, read = zip(*part.unwritten)
            instead = ", ".join(dict.fromkeys(str(frame) for frame in read[:MAX_LISTED]))
            self.made.warnings.append(f"{part.name}: the edits on {frames_text(lost)} of the timeline are not written. The "
                                      f"file has the poses of frames {instead}")
        if part.format in ("md2", "mdl") and part.has_new_rates(self.context.scene):
            self.made.warnings.append(f"{part.name}: {part.format.upper()} stores no rates and loops of clips; the changed "
                                      "ones are not written")
        self.made.warnings += [
            f"{part.name}: keys of {bone.name} on {frames_text(frames)} of the timeline are not written: its rotation "
            f"mode, {bone.rotation_mode}, hides them" for bone, frames in part.hidden.items()]
        names = part.new_names(self.context.scene)
        data, changed = yield from jobs.in_background(lambda: part.data(paths, names), (1.0, f"{part.name}, encoding"))
        if data is None:
            yield from self.run_again(part, changed)
            return
        path = self.settings.path
        self.made.files = {path: data, **self.made.files}
        self.made.notes.append(f"{os.path.basename(path)}: {changed or 'no'} frames changed"
                               if changed != 1 else f"{os.path.basename(path)}: 1 frame changed")
        self.add_clips_file(part)

    def run_again(self, part: source.Part, reason: str) -> Iterator[Step]:
        """Encodes an imported part again."""
        self.made = Written(notes=[f"{part.name}: {reason}; the model is encoded again"], warnings=self.made.warnings)
        if part.model.surfaces and not part.surfaces:
            self.made.warnings.append(f"{part.name}: all its surfaces are gone; the file has tags only")
        yield from self.run_scene()

    def new_paths(self, part: source.Part) -> Generator[Step, None, dict[int, str]]:
        """Returns the paths of new materials by the numbers of their surfaces, and adds the images: those of a model of the
        current frame."""
        engine = "quake2" if self.settings.player == "quake2" else self.settings.engine
        still = Export(self.context, replace(self.settings, player="none", body=(), engine=engine))
        evaluation = self.sampled_frame()
        still.made.surfaces = evaluation.surfaces()
        yield from still.convert(evaluation)
        model = lerpmesh.load(still.made.files.pop(self.settings.path))
        self.made.files = {path: data for path, data in still.made.files.items() if path not in still.made.optional}
        self.made.notes = still.made.notes
        if part.format == "md2":
            return {0: model.skins[0]} if model.skins and part.painted() else {}
        numbers = {surface.name: surface.made.get("lerpmesh_surface") for surface in still.made.surfaces}
        return {numbers[surface.name]: surface.materials[0].name for surface in model.surfaces
                if surface.materials and numbers.get(surface.name) in part.painted()}

    def add_clips_file(self, part: source.Part) -> None:
        """Adds the clips file that the model came with."""
        name, data, is_changed = part.clips_file(self.context.scene)
        if name:
            path = os.path.join(os.path.dirname(self.settings.path), name)
            self.made.files[path] = data
            if is_changed:
                self.made.optional = [each for each in self.made.optional if each != path]
            elif self.settings.player == "none":
                self.made.optional.append(path)

    def add_skin_files(self) -> None:
        """Adds the .skin files of a part of a player."""
        settings, part = self.settings, self.part
        if part and source.PLAYER in part.source.collection and settings.player == "none" and \
                settings.format in ("md3", "mdc"):
            folder, written = os.path.dirname(settings.path), lerpmesh.load(self.made.files[settings.path])
            self.made.files.update((os.path.join(folder, name), text) for name, text in part.skin_files(written))

    def run_scene(self) -> Iterator[Step]:
        settings = self.settings
        objects = settings.objects
        if settings.player == "weapon":  # other models may repeat the tags of the hand, which hold them
            objects = sorted(objects, key=lambda made: not (piece_of(made) or "_hand").lower().endswith("_hand"))
        evaluation = evaluate.Evaluation([*objects, *settings.body], settings.scale)
        if not evaluation.sampled and not evaluation.tags and not evaluation.instancers:
            raise ExportError("There is nothing to export: no object has faces, and no empty is named tag_...")
        for done, total in self.sample(evaluation):
            yield .6 * done / total, f"frame {done} of {total}"
        self.made.notes += evaluation.left_out
        self.made.surfaces = yield from jobs.in_background(evaluation.surfaces, (.6, "vertices"))
        self.note_size()
        yield from self.convert(evaluation)

    def note_size(self) -> None:
        """Warns about a model that is probably in metres."""
        points = [s.positions[0] for s in self.made.surfaces]
        size = np.ptp(np.concatenate(points), axis=0).max() if points else TINY
        if self.settings.scale == 1 and size < TINY:
            self.made.notes.append(f"The model is {size:.3g} units large. If a unit of Blender is a metre, set Units to "
                                   "Metres")

    def sample(self, evaluation: evaluate.Evaluation) -> Iterator[tuple[int, int]]:
        """Samples the frames of all clips. Yields the number of the next frame, and of all frames."""
        frames = evaluate.Frames(self.context, self.player, evaluation.sampled, evaluation.tags,
                                 bool(evaluation.instancers))
        if self.own and self.keeps_frames:
            yield from self.sample_part(self.own, evaluation, frames)
        else:
            yield from self.sample_clips(evaluation, frames)

    def sample_part(self, part: source.Part, evaluation: evaluate.Evaluation,
                    frames: evaluate.Frames) -> Iterator[tuple[int, int]]:
        """Samples the frames of an imported file."""
        shown = part.frames()
        frames.begin()
        for number, frame in enumerate(self.context.scene.frame_start if each is None else each for each in shown):
            yield number + 1, len(shown)
            graph = frames.show(frame)
            evaluation.sample(graph, frame, self.space(graph))
        self.clips = part.clips(self.context.scene)
        self.frame_names = part.frame_names(self.context.scene) if self.is_alike() else None

    def sample_clips(self, evaluation: evaluate.Evaluation, frames: evaluate.Frames) -> Iterator[tuple[int, int]]:
        """Samples the frames of the scene's clips."""
        scene = self.context.scene
        if not scene.lerpmesh.clips:
            clips.fill(scene, scene.objects)
        items = list(scene.lerpmesh.clips)
        total = sum(len(item.frames()) for item in items)
        if total > lerpmesh.lib.LM_MAX_MESH_FRAMES:
            raise ExportError(f"The clips have {total} frames together. At most {lerpmesh.lib.LM_MAX_MESH_FRAMES} fit.")
        for item in items:
            first = evaluation.num_frames
            frames.begin(item)
            for frame in item.frames():
                yield evaluation.num_frames + 1, total
                graph = frames.show(frame)
                evaluation.sample(graph, frame, self.space(graph))
            count = evaluation.num_frames - first
            is_loop = item.loop == "LOOP"
            if item.loop == "AUTO" and count > 1 and evaluation.same(first, evaluation.num_frames - 1, SAME_POSE):
                moves = not evaluation.same(first, first + count // 2, SAME_POSE)
                if moves:
                    evaluation.drop_last()
                    count -= 1
                is_loop = True
            self.clips.append(clip_of(item, first, count, is_loop))

    def mesh(self, evaluation: evaluate.Evaluation) -> Any:
        """Returns the samples as a lerpmesh.Mesh."""
        surfaces = []
        for s in self.made.surfaces:
            path = materials.game_path(s.material)
            named = [lerpmesh.Material(path or (evaluate.plain_name(s.material.name) if s.material else ""))]
            surfaces.append(lerpmesh.MeshSurface(
                s.name, s.positions, s.triangles, s.st if len(s.st) else None,
                s.st_triangles if len(s.st) else None, s.normals, named if s.material else (), 0, body_of(s.made),
                piece_of(s.made)))
        tags = {}
        listed = list(self.part.model.tags) if self.part else []  # their order in the file
        for tag in sorted(evaluation.tags, key=lambda tag: listed.index(tag.name) if tag.name in listed else len(listed)):
            poses = np.zeros((evaluation.num_frames, 4, 4), dtype=np.float32)
            rows = np.array(tag.poses)
            poses[:, :3, 3], poses[:, :3, :3], poses[:, 3, 3] = rows[:, 0], rows[:, 1:].transpose(0, 2, 1), 1
            tags[tag.name] = poses
        name = os.path.splitext(os.path.basename(self.settings.path.rstrip("/\\")))[0]
        name = name if self.settings.format in ("md3", "mdc") else ""
        is_empty = not surfaces and not tags
        mesh = lerpmesh.Mesh(surfaces, self.clips if evaluation.num_frames > 1 and not is_empty else (), tags, name=name,
                             frame_names=[""] if is_empty else self.frame_names)
        if self.settings.body:
            mesh = self.weapon(mesh)
        if self.settings.format in ("md2", "mdl") and len(mesh.surfaces) == 1:
            mesh.surfaces[0].name = ""
        return mesh

    def weapon(self, mesh: Any) -> Any:
        """Returns the weapon of a player of Quake II. It has the frames of the player's table, and moves to the floor with
        the player."""
        whole = lerpmesh.compose(mesh, player="quake2").mesh
        own = [surface.made in self.settings.objects for surface in self.made.surfaces]
        self.made.surfaces = [surface for surface, is_own in zip(self.made.surfaces, own) if is_own]
        return lerpmesh.Mesh([surface for surface, is_own in zip(whole.surfaces, own) if is_own], whole.clips)

    # ---- Encoding ------------------------------------------------------------------------------

    def surface_images(self) -> Generator[Step, None, tuple[list[Any] | None, bool]]:
        """Returns the images that the library needs, and whether the names of materials are paths of a game."""
        settings = self.settings
        is_one = settings.format in ("md2", "mdl")  # one texture for all surfaces
        paths = [materials.game_path(s.material) for s in self.made.surfaces]
        if settings.images == "NONE":
            return None, True
        if settings.images == "AUTO" and all(paths) and settings.format != "mdl" and \
                (not is_one or len(set(paths)) == 1):
            return None, True
        pixels = Pixels()
        wanted = settings.images == "ALL" or is_one
        found = []
        for i, (s, path) in enumerate(zip(self.made.surfaces, paths)):
            step = .65, f"image {i + 1} of {len(paths)}"
            image = (yield from pixels.of(s.material, step)) if wanted or not path else None
            found.append(image)
            if not path and image is None:
                self.made.notes.append(f"{s.name}: its material has no image texture at Base Color")
        return (found if any(found) else None), bool(paths) and all(paths)

    def skins(self) -> list[str]:
        """Returns the paths of skins: those of the imported model, if it has the shown ones."""
        shown = list(dict.fromkeys(filter(None, (materials.game_path(s.material) for s in self.made.surfaces))))
        listed = list(self.part.model.skins) if self.part else []
        return listed if set(shown) <= set(listed) else shown

    def skin_size(self) -> tuple[int, int]:
        """Returns the size of the skin: of the imported model, else of the first image; 0: unknown."""
        for part in self.found:
            if any(part.model.skin_size):
                return tuple(part.model.skin_size)
        images = [materials.image_of(s.material) for s in self.made.surfaces]
        return next((tuple(image.size) for image in images if image), (0, 0))

    def folder(self) -> str:
        """Returns the folder of the images in the game; empty: the path of the file decides. Outside of a game, a part has
        that of its other images."""
        settings = self.settings
        if settings.folder or not self.part or settings.player != "none" or settings.format == "mdl" or \
                {"models", "players"} & set(os.path.normpath(settings.path).lower().split(os.sep)):
            return settings.folder
        paths = materials.shown_skin(self.part.source.collection).get("paths", {})
        folder = os.path.dirname(next(filter(None, paths.values()), ""))
        return folder if len(folder) <= lerpmesh.lib.LM_MAX_COMPOSED_FOLDER else ""

    def mesh_and_images(self, evaluation: evaluate.Evaluation) -> Generator[Step, None, tuple[Any, dict[str, Any]]]:
        """Returns the samples as a mesh, and the arguments that give it images."""
        mesh = self.mesh(evaluation)
        images, from_game = yield from self.surface_images()
        if images is None and self.settings.format == "md2" and self.made.surfaces:
            mesh.skins = self.skins()
            mesh.skin_size = self.skin_size()
        return mesh, {"textures": images or (), "from_game": from_game}

    def convert(self, evaluation: evaluate.Evaluation) -> Iterator[Step]:
        """Converts the samples, in a thread that stops if this does."""
        settings, path = self.settings, self.settings.path
        mesh, images = yield from self.mesh_and_images(evaluation)
        options: dict[str, Any] = {"lods": str(settings.lods) if settings.lods else None, "smooth": settings.smooth,
                                   "hd": settings.high_precision, "smallest": settings.smallest,
                                   "player": settings.player not in ("none", "weapon") and not settings.body,
                                   "weapon": settings.player == "weapon",
                                   "write_clips": settings.format in ("md3", "mdc"),
                                   "engine": None if settings.engine == "any" else settings.engine}
        part = self.own if self.keeps_frames else None
        if part and evaluation.num_frames > 1 and not settings.options:
            options["frames"] = f"0-{evaluation.num_frames - 1}"  # also if nothing moves
        if settings.player == "quake2":
            options["engine"] = "quake2"  # MD2 has players in no other engine
        if settings.body:
            options["clip"] = "all"  # the game plays frames by number, also if the weapon stands still
        if settings.palette and settings.format == "md2":
            options["palette"] = palette_path(settings.palette)
        if settings.player in FOLDERS:
            path = path.rstrip("/\\") + "/"
        if images["textures"] or settings.player == "quake3":  # which has no choice
            options["skin_path"] = self.folder() or None
        step: list[Step] = [(.7, "joining")]
        stopped = threading.Event()

        def follow(share: float, what: str) -> bool:
            step[0] = .7 + .3 * share, what
            return not stopped.is_set()

        try:
            made = yield from jobs.in_background(
                lambda: lerpmesh.convert(mesh, settings.format, path, progress=follow, options=settings.options,
                                         **images, **options), lambda: step[0])
        finally:
            stopped.set()
        self.made.notes += [note.text for note in made.notes]
        reports = made.reports or {os.path.basename(path): made.report}
        self.made.reports = list(reports.items())
        self.made.problems = [problem for report in reports.values() for problem in report.problems]
        folder = os.path.dirname(path)
        # The clips file of a part came with it, or with the part that carries it.
        is_kept = part is not None and self.is_alike() and not settings.options
        has_clips = is_kept or (part and part.root())
        optional = [] if has_clips else made.optional
        self.made.files = {os.path.join(folder, name): data for name, data in reversed(made.files.items())
                           if name in optional or name not in made.optional}
        self.made.optional = [os.path.join(folder, name) for name in optional]
        if part and is_kept:
            self.add_clips_file(part)
        for each in self.found if settings.player == "quake3" else ():
            name, text, _ = each.clips_file(self.context.scene)
            if os.path.join(folder, name) in self.made.files:
                self.made.files[os.path.join(folder, name)] = source.with_heading(
                    text, self.made.files[os.path.join(folder, name)])
            path = os.path.join(folder, f"{each.name}.md3")
            for name, text in each.skin_files(lerpmesh.load(self.made.files[path])) if path in self.made.files else ():
                self.made.files.setdefault(os.path.join(folder, name), text)

    # ---- Writing -------------------------------------------------------------------------------

    def write(self) -> None:
        """Writes all files, or none. The model is the first of them, and refers to the others. An existing file that the
        user did not name stops the export, or stays if it is optional."""
        files, settings = dict(reversed(self.made.files.items())), self.settings
        named = os.path.normpath(settings.path) if settings.is_named else ""
        others = [path for path in files if os.path.normpath(path) != named and not is_own(path)]
        for path in files:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        try:
            kept = lerpmesh.write_files(files, stop=() if settings.replace else others,
                                        optional=() if settings.replace else self.made.optional)
        except lerpmesh.Error as error:
            hint = ". Replace Files replaces it" if str(error).endswith("exists, with other contents") else ""
            raise ExportError(f"{error}{hint}") from error
        for path, data in files.items():
            if path not in kept:
                _written[os.path.abspath(path)] = hash(data)
        for path in kept:
            del self.made.files[path]
            self.made.notes.append(f"{os.path.basename(path)} exists and stays, because the model is no player. "
                                   "Replace Files replaces it")
