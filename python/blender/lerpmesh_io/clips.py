"""The list of clips of a scene, and the way in which Blender plays each of them."""
from __future__ import annotations

import json
import math
import re
from typing import Any, Iterator, Sequence

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty,
                       StringProperty)

from . import slots

SOURCES = (("TIMELINE", "Timeline", "Frames of the timeline, as the scene plays them"),
           ("ACTION", "Action", "One action, played alone by the objects that use it"),
           ("TRACK", "NLA track", "The NLA tracks of one name, played alone"))
LOOPS = (("AUTO", "Automatic", "Repeats if the last pose equals the first. That last frame is then left out"),
         ("LOOP", "Yes", "Repeats. All frames are kept"),
         ("ONCE", "No", "Stops on the last frame"))


class LerpmeshClip(bpy.types.PropertyGroup):
    """A clip: frames that the game plays as one animation"""
    name: StringProperty(name="Name", description="Name of the clip in the game, such as run or LEGS_WALK")
    source: EnumProperty(name="Source", items=SOURCES, description="Where the movement comes from")
    action: PointerProperty(name="Action", type=bpy.types.Action, description="The action that is played")
    track: StringProperty(name="NLA track", description="Name of the NLA tracks that are played")
    start: IntProperty(name="Start", description="First frame of Blender")
    end: IntProperty(name="End", description="Last frame of Blender; it belongs to the clip")
    step: FloatProperty(name="Step", default=1, min=.01, max=1000, precision=3,
                        description="Frames of Blender from one frame of the game to the next. "
                                    "2.4 makes 10 frames per second of an animation with 24")
    fps: FloatProperty(name="Rate", default=10, min=.001, max=10000, precision=2,
                       description="Frames per second in the game. Quake II plays 10")
    loop: EnumProperty(name="Loop", items=LOOPS, description="Whether the clip repeats in the game")
    loop_frames: IntProperty(name="Tail", min=0,
                             description="Number of the last frames that repeat; 0 means all of them")
    reversed: BoolProperty(name="Reverse", description="The game plays the clip backwards")

    def frames(self) -> list[float]:
        """Returns the frames of Blender that become frames of the game."""
        count = int(math.floor((max(self.end, self.start) - self.start) / self.step + 1e-4)) + 1
        return [self.start + i * self.step for i in range(count)]


def add(scene: Any, name: str, start: float, end: float, **values: Any) -> Any:
    item = scene.lerpmesh.clips.add()
    item.name, item.start, item.end = name, round(start), round(end)
    item.fps = scene.render.fps / scene.render.fps_base
    for key, value in values.items():
        setattr(item, key, value)
    return item


# ---- Finding clips -----------------------------------------------------------------------------

def animated_blocks(objects: Any) -> Iterator[Any]:
    """Returns the data blocks with actions or NLA tracks: objects, shape keys and object data. Each comes once."""
    seen = set()
    for made in objects:
        data = made.data
        for block in (made, data, getattr(data, "shape_keys", None)):
            if block is not None and block not in seen and block.animation_data:
                seen.add(block)
                yield block


def add_range(scene: Any, objects: Any) -> None:
    """Adds the scene's frame range as one clip."""
    add(scene, "frames", scene.frame_start, scene.frame_end)


def add_markers(scene: Any, objects: Any) -> None:
    """Adds a clip from each timeline marker to the next."""
    markers = sorted(scene.timeline_markers, key=lambda m: m.frame)
    ends = [m.frame - 1 for m in markers[1:]] + [max(scene.frame_end, markers[-1].frame)] if markers else []
    for marker, end in zip(markers, ends):
        if end >= marker.frame:
            add(scene, marker.name, marker.frame, end)


def clip_of(action: Any) -> Any:
    """Returns what the actions of a clip share: an import makes one for the surfaces and one for each tag."""
    return (action.get("lerpmesh_model"), action["lerpmesh_clip"]) if "lerpmesh_clip" in action else action


def add_actions(scene: Any, objects: Any) -> None:
    """Adds a clip for each action of the scene's objects; for those of one imported clip, once."""
    blocks = list(animated_blocks(objects))
    made = set()
    for action in bpy.data.actions:
        if clip_of(action) in made:
            continue
        if not any(plays(block, action) for block in blocks) and not any(fits(block, action) for block in blocks):
            continue
        start, end = action.frame_range
        values = {"source": "ACTION", "action": action}
        if "lerpmesh_fps" in action:
            values |= {"fps": action["lerpmesh_fps"], "reversed": bool(action.get("lerpmesh_backwards")),
                       "loop": "LOOP" if action.get("lerpmesh_loop_frames") else "ONCE",
                       "loop_frames": action.get("lerpmesh_loop_frames", 0)}
        made.add(clip_of(action))
        add(scene, action.get("lerpmesh_clip") or action.name, start, end, **values)


def add_strips(scene: Any, objects: Any) -> None:
    """Adds a clip for each NLA strip: a part of the timeline if strips follow one another, else its track alone. A
    track with Blender's own name, NlaTrack, is named as its strip."""
    blocks = list(animated_blocks(objects))
    tracks: dict[str, tuple[str, float, float]] = {}
    for block in blocks:
        rows = [[(s.frame_start, s.frame_end) for s in track.strips] for track in block.animation_data.nla_tracks]
        spans = [span for row in rows for span in row]
        overlap = any(a[0] < b[1] and b[0] < a[1] for i, a in enumerate(spans) for b in spans[:i])
        for track in block.animation_data.nla_tracks:
            if overlap and len(track.strips) == 1:
                strip = track.strips[0]
                name = strip.name if track.name.startswith("NlaTrack") else track.name
                name, start, end = tracks.get(track.name, (name, strip.frame_start, strip.frame_end))
                tracks[track.name] = name, min(start, strip.frame_start), max(end, strip.frame_end)
    for track, (name, start, end) in tracks.items():
        add(scene, name, start, end, source="TRACK", track=track)
    seen = set()
    for block in blocks:
        for track in block.animation_data.nla_tracks:
            for strip in track.strips if track.name not in tracks else ():
                if strip.name not in seen:
                    seen.add(strip.name)
                    add(scene, strip.name, strip.frame_start, strip.frame_end)


FILLS = {"NLA": add_strips, "ACTIONS": add_actions, "MARKERS": add_markers, "RANGE": add_range}


def best_fill(scene: Any, objects: Any) -> str:
    """Returns the source of clips that the scene offers."""
    blocks = list(animated_blocks(objects))
    strips = [s for block in blocks for track in block.animation_data.nla_tracks for s in track.strips]
    # An import places its strips one after another, and marks them.
    is_import = any(s.action and "lerpmesh_clip" in s.action for s in strips)
    if strips and not (is_import and scene.timeline_markers):
        return "NLA"
    if scene.timeline_markers:
        return "MARKERS"
    if len({block.animation_data.action for block in blocks if block.animation_data.action}) == 1 and \
            sum(any(fits(block, action) for block in blocks) for action in bpy.data.actions) > 1:
        return "ACTIONS"
    return "RANGE"


def fill(scene: Any, objects: Any, source: str = "") -> None:
    """Replaces the list by clips from a source; empty: the best."""
    scene.lerpmesh.clips.clear()
    FILLS[source or best_fill(scene, objects)](scene, objects)
    scene.lerpmesh.active_clip = 0


# ---- Playing -----------------------------------------------------------------------------------

def actions_of(block: Any) -> list[Any]:
    """Returns the actions that a data block uses."""
    data = block.animation_data
    used = [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]
    return [action for action in used if action]


def plays(block: Any, action: Any) -> bool:
    """Returns whether a data block uses an action."""
    return action in actions_of(block)


def action_for(block: Any, action: Any) -> Any:
    """Returns the action of a data block for the clip of an action: itself, or that of a tag; None: it has none."""
    used = actions_of(block)
    return action if action in used else next((a for a in used if clip_of(a) == clip_of(action)), None)


def fits(block: Any, action: Any) -> bool:
    """Returns whether a data block has all properties that an action moves."""
    curves = slots.curves_of(action, slots.slot_of(block, action))
    if not curves:
        return False
    try:
        for curve in curves:
            block.path_resolve(curve.data_path)
    except ValueError:
        return False
    return True


def owner_of(block: Any, path: str) -> tuple[Any, str]:
    """Returns what has the property of a path, and the name of the property; of a custom property in brackets."""
    custom = re.fullmatch(r"(.*)(\[\"(?:[^\"\\]|\\.)*\"\])", path)
    owner, name = custom.groups() if custom else path.rpartition(".")[::2]
    return block.path_resolve(owner) if owner else block, name


PLACE = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")  # of a bone


TIMELINE = "lerpmesh_timeline"  # a property of data blocks that play a clip


class Player:
    """Makes the objects of a scene play one clip after another, and then restores them."""

    def __init__(self, scene: Any, objects: Any) -> None:
        self.scene = scene
        self.blocks = list(animated_blocks(objects))
        self.saved = [self.state(block) for block in self.blocks]
        self.kept: dict[tuple[Any, str], Any] = {}  # values of properties that a clip moves
        self.frame = scene.frame_current, scene.frame_subframe
        self.has_changed = self.has_shown = False  # the animation; the frame
        self.timeline = [self.remembered(block) or state for block, state in zip(self.blocks, self.saved)]

    @staticmethod
    def state(block: Any) -> dict[str, Any]:
        data = block.animation_data
        return {"action": data.action, "slot": getattr(data, "action_slot", None), "use_nla": data.use_nla,
                "solo": [t.is_solo for t in data.nla_tracks],
                "pose": [[getattr(bone, name)[:] for name in PLACE] for bone in block.pose.bones]
                if getattr(block, "pose", None) else [],
                "values": [key.value for key in block.key_blocks] if isinstance(block, bpy.types.Key) else []}

    @staticmethod
    def restore_block(block: Any, state: dict[str, Any]) -> None:
        data = block.animation_data
        slots.assign(data, state["action"], state["slot"])
        data.use_nla = state["use_nla"]
        for track, solo in zip(data.nla_tracks, state["solo"]):
            if track.is_solo != solo:
                track.is_solo = solo
        for bone, place in zip(block.pose.bones if state["pose"] else (), state["pose"]):
            for name, value in zip(PLACE, place):
                setattr(bone, name, value)
        for key, value in zip(block.key_blocks if state["values"] else (), state["values"]):
            key.value = value

    def remembered(self, block: Any) -> dict[str, Any] | None:
        """Returns the state of a data block that plays a clip, before `play`; None: it plays none."""
        stored = block.get(TIMELINE)
        if stored is None or stored.get("played") != block.animation_data.action:
            return None
        self.has_changed = True
        state = json.loads(stored["state"])
        self.kept.update({(block, path): value for path, value in state.pop("kept").items()})
        action = stored.get("action")
        slot = action.slots.get(stored["slot"]) if action and "slot" in stored else None
        return {**state, "action": action, "slot": slot}

    def play(self, clip: Any) -> None:
        """Plays a clip until the next call. The data blocks remember how the timeline plays them."""
        self.begin(clip)
        for block, state in zip(self.blocks, self.timeline):
            if TIMELINE in block:
                del block[TIMELINE]
            if clip.source == "TIMELINE" or self.state(block) == state:
                continue
            rest = {key: value for key, value in state.items() if key not in ("action", "slot")}
            rest["kept"] = {path: value for (owner, path), value in self.kept.items() if owner == block}
            slot = state["slot"]
            found = {"action": state["action"], "slot": slot and slot.identifier, "played": block.animation_data.action,
                     "state": json.dumps(rest)}
            block[TIMELINE] = {key: value for key, value in found.items() if value}

    def restore_blocks(self) -> None:
        """Restores the animation and the values of all data blocks, as the timeline plays them."""
        if not self.has_changed:
            return
        self.has_changed = False
        for (block, path), value in self.kept.items():
            owner, name = owner_of(block, path)
            if name.startswith("["):
                owner[bpy.utils.unescape_identifier(name[2:-2])] = value
            else:
                setattr(owner, name, value)
        for block, state in zip(self.blocks, self.timeline):
            self.restore_block(block, state)

    def restore(self) -> None:
        """Restores the scene, and the clip that it played."""
        was_changed = self.has_changed
        self.restore_blocks()
        for block, state, timeline in zip(self.blocks, self.saved, self.timeline):
            if state is not timeline:
                self.restore_block(block, state)
        if was_changed or self.has_shown:
            self.scene.frame_set(self.frame[0], subframe=self.frame[1])
        self.has_shown = False

    def show(self, frame: float) -> None:
        """Changes the frame of the scene."""
        self.has_shown = True
        self.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))

    def silence(self, block: Any) -> None:
        """Stops the animation of a data block, until the next clip."""
        if not block.animation_data:
            return
        self.has_changed = True
        block.animation_data.action, block.animation_data.use_nla = None, False

    def begin(self, clip: Any = None) -> None:
        """Prepares a clip; None: the timeline."""
        self.restore_blocks()
        if clip is None or clip.source == "TIMELINE":
            return
        self.has_changed = True
        if clip.source == "ACTION" and clip.action:
            users = [(b, action_for(b, clip.action)) for b in self.blocks]
            users = [(b, action) for b, action in users if action]
            for block, action in users or [(b, clip.action) for b in self.blocks if fits(b, clip.action)]:
                self.play_action(block, action)
        elif clip.source == "TRACK":
            for block in self.blocks:
                for track in block.animation_data.nla_tracks:
                    if track.name == clip.track:
                        self.keep(block, [strip.action for strip in track.strips if strip.action])
                        block.animation_data.action = None
                        track.is_solo = True
                        self.reset(block)

    @staticmethod
    def reset(block: Any) -> None:
        """Removes the pose of an earlier clip."""
        for bone in block.pose.bones if getattr(block, "pose", None) else ():
            bone.matrix_basis.identity()
        if isinstance(block, bpy.types.Key) and block.use_relative:
            for key in block.key_blocks:
                key.value = 0

    def keep(self, block: Any, actions: Sequence[Any]) -> None:
        """Keeps the values of the properties that actions move."""
        paths = {curve.data_path for action in actions
                 for curve in slots.curves_of(action, slots.slot_of(block, action))}
        for path in paths if not isinstance(block, bpy.types.Key) else ():
            try:
                value = block.path_resolve(path)
            except ValueError:
                continue
            self.kept.setdefault((block, path), value[:] if hasattr(value, "__len__") else value)

    def play_action(self, block: Any, action: Any) -> None:
        self.keep(block, [action])
        self.reset(block)
        slots.assign(block.animation_data, action, slots.slot_of(block, action))
        block.animation_data.use_nla = False


# ---- The list in the interface -----------------------------------------------------------------

class LerpmeshScene(bpy.types.PropertyGroup):
    """Settings of a scene for game models"""
    clips: CollectionProperty(type=LerpmeshClip, description="The clips that an export writes")
    active_clip: IntProperty(name="Active clip", description="Number of the chosen clip")
    units: EnumProperty(name="Units", description="The unit of the scene, for import and export", items=(
        ("FILE", "Game units", "One unit of Blender is one unit of the game, an inch by convention"),
        ("METRES", "Metres", "One unit of Blender is a metre, or 39.37 units of the game")))


CLASSES = (LerpmeshClip, LerpmeshScene)


def register() -> None:
    bpy.types.Scene.lerpmesh = PointerProperty(type=LerpmeshScene, description="Settings for game models")


def unregister() -> None:
    del bpy.types.Scene.lerpmesh
