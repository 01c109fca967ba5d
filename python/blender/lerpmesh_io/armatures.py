"""A skeleton of lerpmesh as an armature: bones, weights, poses, and tags that follow bones. All arrays are in Blender's
axes and units."""
from __future__ import annotations

from typing import Any, Sequence

import bpy
import mathutils
import numpy as np

from . import animation, slots, space

# The bone that begins at a joint, as Rigify and other tools of Blender call it.
BONES = {"hip": "thigh", "knee": "shin", "ankle": "foot", "shoulder": "upper_arm", "elbow": "forearm", "wrist": "hand",
         "hand": "fingers"}
CODE = "skeleton"  # of messages about a skeleton
SPINE = ("spine", "chest", "neck", "head")
SHORT = 0.02  # of the model's size: bones are longer
FRONT, UP = np.array((0.0, -1.0, 0.0)), np.array((0.0, 0.0, 1.0))
SAME_TURN = 1 - 1e-6  # the cosine of half the angle between two rotations that are alike
ALONG = 0.9  # the cosine of an angle between a bone and an axis that are almost parallel


def bone_name(joint: str) -> str:
    """Returns the name of a joint's bone: "shin.L" for "knee.L"."""
    word, dot, side = joint.partition(".")
    return BONES.get(word, word) + dot + side


def mirrored(vector: np.ndarray) -> np.ndarray:
    return vector * (-1, 1, 1)


class Rig:
    """The skeleton of a part."""

    def __init__(self, skeleton: Any, scale: float) -> None:
        self.skeleton = skeleton
        self.joints = skeleton.joints
        self.names = [bone_name(joint.name) for joint in self.joints]
        self.parents = [-1 if joint.parent is None else joint.parent for joint in self.joints]
        self.heads = space.to_blender(np.array([joint.position for joint in self.joints], np.float64), scale)
        self.rest = [space.to_blender(surface.positions, scale) for surface in skeleton.surfaces]
        rotations = np.asarray(skeleton.rotations, np.float64)
        self.rotations = np.concatenate((rotations[..., 3:], space.to_blender(rotations[..., :3], 1)), axis=-1)
        self.translations = space.to_blender(np.asarray(skeleton.translations, np.float64), scale)
        self.size = float(np.linalg.norm(np.ptp(np.concatenate(self.rest), axis=0)))
        self.influences = np.concatenate([surface.joints for surface in skeleton.surfaces]), \
            np.concatenate([surface.weights for surface in skeleton.surfaces])
        self.turns, self.origins = self.worlds()

    def worlds(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the rotations [frames, joints, 3, 3] and the origins [frames, joints, 3] of all joints."""
        w, x, y, z = np.moveaxis(self.rotations, -1, 0)
        turns = np.empty((*w.shape, 3, 3))
        turns[..., 0, :] = np.stack((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)), -1)
        turns[..., 1, :] = np.stack((2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)), -1)
        turns[..., 2, :] = np.stack((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), -1)
        origins = self.translations.copy()
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                origins[:, joint] = origins[:, parent] + np.einsum("fab,fb->fa", turns[:, parent], origins[:, joint])
                turns[:, joint] = turns[:, parent] @ turns[:, joint]
        return turns, origins

    # ---- Bones ---------------------------------------------------------------------------------

    def shares(self) -> np.ndarray:
        """Returns the sum of the weights [joints] of each joint's branch."""
        joints, weights = self.influences
        out = np.bincount(joints.ravel(), weights.ravel(), len(self.joints))
        for joint in range(len(self.joints) - 1, 0, -1):
            out[self.parents[joint]] += out[joint]
        return out

    def main_child(self, joint: int, shares: np.ndarray) -> int:
        """Returns the child that a bone points to: on the spine the next one, else the one with the largest branch; -1:
        none. Limbs on both sides of a joint are not its continuation, and neither is anything on the head."""
        if self.names[joint] == "head":
            return -1
        children = [child for child, parent in enumerate(self.parents) if parent == joint and
                    np.linalg.norm(self.heads[child] - self.heads[joint]) > SHORT * self.size and
                    (self.joints[child].mirror is None or self.parents[self.joints[child].mirror] != joint)]
        spine = [child for child in children if self.names[child].partition(".")[0] in SPINE]
        return max(spine or children, key=lambda child: shares[child], default=-1)

    def along_vertices(self, joint: int, before: np.ndarray) -> np.ndarray:
        """Returns the vector of a bone without a child: to the end of its vertices. `before`: that of its parent."""
        joints, weights = self.influences
        own = (weights * (joints == joint)).sum(axis=1)
        away = np.concatenate(self.rest).astype(np.float64) - self.heads[joint]
        middle = own @ away / max(own.sum(), 1e-9)
        if np.linalg.norm(middle) < SHORT / 4 * self.size:
            middle = before
        way = middle / np.linalg.norm(middle)
        reach = (away @ way)[own > 0.5 * own.max()] if own.any() else np.zeros(1)
        return way * max(float(reach.max()), SHORT * self.size)

    def tails(self) -> tuple[np.ndarray, list[int]]:
        """Returns the tails [joints, 3] of the bones, and the child that each points to."""
        shares = self.shares()
        mains = [self.main_child(joint, shares) for joint in range(len(self.joints))]
        ways = np.zeros_like(self.heads)
        for joint, (main, parent) in enumerate(zip(mains, self.parents)):
            before = ways[parent] if parent >= 0 else UP
            ways[joint] = self.heads[main] - self.heads[joint] if main >= 0 else self.along_vertices(joint, before)
        return self.heads + ways, mains

    def fronts(self, ways: np.ndarray) -> list[np.ndarray]:
        """Returns the vectors that the z axes of the bones face: the front, so that limbs bend about their x axes, or
        upwards for bones that point to the front. Both sides have the same."""
        out = []
        for joint, way in zip(self.joints, ways):
            both = way if joint.mirror is None else way + mirrored(ways[joint.mirror])
            length = np.linalg.norm(both)
            out.append(UP if length > 0 and abs(both @ FRONT) > ALONG * length else FRONT)
        return out

    def add_bones(self, context: Any, made: Any) -> None:
        """Adds the bones to an armature that is linked to the scene."""
        tails, mains = self.tails()
        fronts = self.fronts(tails - self.heads)
        objects = context.view_layer.objects
        active, chosen = objects.active, [each for each in objects if each.select_get()]
        for each in chosen:  # they would change their mode, too
            each.select_set(False)
        objects.active = made
        bpy.ops.object.mode_set(mode="EDIT")
        bones = [made.data.edit_bones.new(name) for name in self.names]
        for joint, bone in enumerate(bones):
            bone.head, bone.tail = self.heads[joint], tails[joint]
            bone.align_roll(fronts[joint])
            parent = self.parents[joint]
            if parent >= 0:
                bone.parent = bones[parent]
                bone.use_connect = mains[parent] == joint and not self.joints[joint].translates
        self.names = [bone.name for bone in bones]
        bpy.ops.object.mode_set(mode="OBJECT")
        objects.active = active
        for each in chosen:
            each.select_set(True)
        for joint, name in zip(self.joints, self.names):
            made.pose.bones[name].lock_location = [not (joint.translates or joint.parent is None)] * 3
        self.axes = np.array([made.data.bones[name].matrix_local.to_3x3() for name in self.names])
        self.lengths = [made.data.bones[name].length for name in self.names]

    # ---- Surfaces ------------------------------------------------------------------------------

    def add_weights(self, made: Any, index: int) -> None:
        """Adds the weights of a surface to its object."""
        surface = self.skeleton.surfaces[index]
        joints, weights = np.asarray(surface.joints), np.asarray(surface.weights)
        for joint in np.unique(joints[weights > 0]):
            group = made.vertex_groups.new(name=self.names[joint])
            own = (weights * (joints == joint)).sum(axis=1)
            for vertex in np.flatnonzero(own):
                group.add([int(vertex)], float(own[vertex]), "REPLACE")

    def shifts(self, index: int, positions: np.ndarray) -> np.ndarray:
        """Returns how far the armature moves a surface away from the positions [frames, vertices, 3] of the file."""
        return np.array([self.skeleton.evaluate(frame, index)[0] for frame in range(len(positions))]) - positions

    def rest_normals(self, index: int, vertices: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """Returns normals [triangles, 3, 3] of frame 0, of corners with the given vertices, in the rest pose. Blender
        splits vertices whose normals do not have length 1."""
        surface = self.skeleton.surfaces[index]
        joints, weights = np.asarray(surface.joints), np.asarray(surface.weights, np.float64)
        turns = np.einsum("vk,vkab->vab", weights, self.turns[0][joints])
        out = np.einsum("...ba,...b->...a", turns[vertices], normals)
        lengths = np.linalg.norm(out, axis=-1, keepdims=True)
        return np.divide(out, lengths, out=np.zeros_like(out), where=lengths > 0)

    # ---- Animation -----------------------------------------------------------------------------

    def write(self, curves: Any, frames: Sequence[int]) -> None:
        """Adds curves of some frames of the file to an action: of all that a user can key on a bone, its rotation also as
        Euler angles, so that a new key changes no other frame. The armature itself has none: a user may place it."""
        times, still = np.arange(len(frames)), np.zeros((len(frames), 3))
        offsets = self.heads - np.where(np.array(self.parents)[:, None] >= 0, self.heads[self.parents], 0)
        turned = np.einsum("jba,fjb->fja", self.axes, self.rotations[frames, :, 1:])
        moved = np.einsum("jba,fjb->fja", self.axes, self.translations[frames] - offsets)
        for joint, name in enumerate(self.names):
            rotation = np.concatenate((self.rotations[frames, joint, :1], turned[:, joint]), axis=1)
            moves = self.parents[joint] < 0 or self.joints[joint].translates
            path = f'pose.bones["{bpy.utils.escape_identifier(name)}"].'
            for kind, values in {"rotation_quaternion": rotation, "rotation_euler": euler_angles(rotation),
                                 "location": moved[:, joint] if moves else still, "scale": still + 1}.items():
                for i in range(values.shape[1]):
                    animation.add_curve(curves, path + kind, i, np.stack((times, values[:, i]), axis=1),
                                        animation.LINEAR, name)

    # ---- Tags ----------------------------------------------------------------------------------

    def follow(self, made: Any, armature: Any, matrices: np.ndarray) -> np.ndarray:
        """Makes a tag's empty a child of the bone relative to which it moves least. Returns its matrices [frames, 4, 4]
        relative to the head of the bone."""
        away = np.einsum("fjba,fjb->fja", self.turns, matrices[:, None, :3, 3] - self.origins)
        joint = int(away.var(axis=0).sum(axis=-1).argmin())
        made.parent, made.parent_type, made.parent_bone = armature, "BONE", self.names[joint]
        # Blender's children of a bone follow its tail.
        made.matrix_parent_inverse = mathutils.Matrix.Translation((0, -self.lengths[joint], 0))
        bones = np.zeros((len(matrices), 4, 4))
        bones[:, :3, :3], bones[:, :3, 3] = self.turns[:, joint] @ self.axes[joint], self.origins[:, joint]
        bones[:, 3, 3] = 1
        return np.linalg.inv(bones) @ matrices


def euler_angles(rotations: np.ndarray) -> np.ndarray:
    """Returns the XYZ angles [frames, 3] of quaternions [frames, 4], without jumps."""
    angles: list[Any] = []
    for rotation in rotations:
        angles.append(mathutils.Quaternion(rotation).to_euler("XYZ", *angles[-1:]))
    return np.array(angles)


def quaternions_of(angles: np.ndarray) -> np.ndarray:
    """Returns the quaternions [frames, 4] of XYZ angles [frames, 3]."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(angles / 2).T, np.sin(angles / 2).T
    return np.stack((cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz,
                     cx * cy * sz - sx * sy * cz), axis=-1)


def rivals(made: Any, count: int) -> dict[int, list[Any]]:
    """Returns, by the frames of the timeline below `count`, the pose bones of an armature whose quaternion and XYZ angles
    differ: only those of the bone's rotation mode are shown."""
    action = made.animation_data.action if made.animation_data else None
    curves = slots.curves_of(action, slots.slot_of(made, action)) if action else ()
    found, out = {(curve.data_path, curve.array_index): curve for curve in curves}, {}
    for bone in made.pose.bones:
        values = []
        for kind, number in ("rotation_quaternion", 4), ("rotation_euler", 3):
            own = [found.get((bone.path_from_id(kind), index)) for index in range(number)]
            values.append(np.stack([values_at(curve, count) for curve in own], axis=-1) if all(own) else None)
        if any(each is None for each in values):
            continue
        turned, angles = values[0] / np.linalg.norm(values[0], axis=1, keepdims=True), quaternions_of(values[1])
        for frame in np.flatnonzero(np.abs((turned * angles).sum(axis=1)) < SAME_TURN):
            out.setdefault(int(frame), []).append(bone)
    return out


def values_at(curve: Any, count: int) -> np.ndarray:
    """Returns the values of a curve on the first frames of the timeline, between keys those of lines."""
    points = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get("co", points)
    return np.interp(np.arange(count), points[::2], points[1::2])


def text_of(skeleton: Any) -> str:
    """Returns one sentence about a skeleton."""
    count, stretching = len(skeleton.joints), skeleton.num_translating
    bones = f"{count} bone{'' if count == 1 else 's'}" + (f", of which {stretching} stretch" if stretching else "")
    return (f"{bones}; error {skeleton.error.rms:.3g} units ({skeleton.error.rms / skeleton.quantum:.2f} times the "
            f"file's rounding), at most {skeleton.error.max:.3g}")
