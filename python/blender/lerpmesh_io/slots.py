"""The curves of an action. Since Blender 4.4 an action has slots, one for each data block that it moves, and each slot
has its curves. Before, an action had one list of curves."""
from __future__ import annotations

from typing import Any, Sequence

import bpy

HAS_SLOTS = hasattr(bpy.types, "ActionSlot")


def new_action(name: str, block: Any, model: str) -> tuple[Any, Any]:
    """Makes an action for data blocks of the kind of `block`. Returns it and its curves. All actions of a model call
    their slots `model`, by which Blender finds the slot of another action that a user chooses."""
    action = bpy.data.actions.new(name)
    if not HAS_SLOTS:
        action.id_root = "KEY" if isinstance(block, bpy.types.Key) else "OBJECT"
        return action, action.fcurves
    slot = action.slots.new(id_type=block.id_type, name=model)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return action, strip.channelbag(slot, ensure=True).fcurves


def slot_of(block: Any, action: Any) -> Any:
    """Returns the slot by which an action moves a data block: that of the block's animation, or the first that fits;
    None: there is none."""
    if not HAS_SLOTS:
        return None
    data = block.animation_data
    for user in (data, *(strip for track in data.nla_tracks for strip in track.strips)) if data else ():
        if user.action == action and user.action_slot:
            return user.action_slot
    return next((slot for slot in action.slots if slot.target_id_type in (block.id_type, "UNSPECIFIED")), None)


def curves_of(action: Any, slot: Any) -> Sequence[Any]:
    """Returns the curves of a slot."""
    if not HAS_SLOTS:
        return action.fcurves
    bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips] if slot else []
    return [curve for bag in bags if bag for curve in bag.fcurves]


def assign(user: Any, action: Any, slot: Any) -> None:
    """Makes a strip, or the animation of a data block, use an action. Blender may choose no slot, or another."""
    if user.action != action:
        user.action = action
    if slot is not None:
        user.action_slot = slot


def prefer(block: Any, slot: Any) -> None:
    """Makes Blender choose a slot of this name when a data block gets an action."""
    if slot is not None:
        block.animation_data.last_slot_identifier = slot.identifier
