"""Skeletons: joints, weights and poses for meshes that never had a rig."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .library import (Floats, Handle, bad_argument, ffi, items, lib, new_error, owned, text, vec3,
                      view)

VERDICTS = {lib.LM_SKELETON_ACCEPTED: "accepted", lib.LM_SKELETON_WARNED: "warned", lib.LM_SKELETON_REFUSED: "refused"}
_INFLUENCE = np.dtype([("joints", "u2", lib.LM_SKELETON_WEIGHTS), ("weights", "f4", lib.LM_SKELETON_WEIGHTS)])

Progress = Callable[[float], object]
"""Is called with the finished share, 0 to 1. If it returns False, the call stops and raises Error ("stopped"); an
exception stops it, too."""


class Joint(NamedTuple):
    """A joint. In the rest pose, its axes are those of the mesh."""

    name: str
    """By role, as "hips", "spine" or "knee.L", else by number, as "bone.07" or "bone.07.L". ".L" is the model's left."""
    parent: Optional[int]
    """An earlier joint; None: it is the root."""
    position: tuple[float, float, float]
    """In the rest pose, in units."""
    translates: bool
    """Its distance to its parent changes."""
    mirror: Optional[int]
    """The joint on the other side."""


class SkeletonDistance(NamedTuple):
    """The distance between the mesh and the skinned rest pose over some frames, in units."""

    rms: float
    """Root mean square over all coordinates."""
    max: float
    """The largest distance of a vertex."""


class SkeletonSurface(NamedTuple):
    """The rest pose of a surface. Its arrays are views of the skeleton's memory, and keep it alive."""

    positions: Floats
    """[vertices, 3] units."""
    normals: Optional[Floats]
    """[vertices, 3] of length 1; None: the mesh has none."""
    joints: NDArray[np.uint16]
    """[vertices, 4] the joints that a vertex follows, the one with the largest weight first. A model's own skeleton may
    have more columns: 8, 12, ..."""
    weights: Floats
    """[vertices, 4] their weights, whose sum is 1; 0 where a vertex follows fewer."""


class Skeleton(Handle):
    """A skeleton with its animation, by Model.skeleton() or Mesh.skeleton(). It is constant, and any number of threads
    may use it. `close()` and `with` release it at once; arrays that were made from it stay valid.

    In a frame, a joint maps a point p of its space to translation + rotation * p in the space of its parent. The root
    maps to the space of the mesh. In the rest pose, p is the position of a vertex less that of the joint.

    >>> with load("samples/tick.md2").skeleton() as skeleton:
    ...     skeleton.verdict, skeleton.joints[0].parent, skeleton.rotations.shape[0], skeleton.error.rms < 0.1
    ('accepted', None, 49, True)
    """

    def __init__(self, skeleton: Any) -> None:
        """For this package: programs call Model.skeleton()."""
        super().__init__(skeleton)

    def __repr__(self) -> str:
        if not self._content:
            return "<Skeleton: closed>"
        return f"<Skeleton: {len(self.joints)} joints, {self.num_frames} frames, {self.verdict}>"

    @property
    def num_frames(self) -> int:
        """The number of frames."""
        return int(self._open.num_frames)

    # ---- Joints -------------------------------------------------------------------------------

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The joints, each after its parent."""
        return tuple(Joint(text(joint.name), None if joint.parent == lib.LM_SKELETON_NO_PARENT else joint.parent,
                           vec3(joint.position), joint.translates, None if joint.mirror == index else joint.mirror)
                     for index, joint in enumerate(items(self._open.joints, self._open.num_joints)))

    @cached_property
    def _poses(self) -> Floats:
        skeleton = self._open
        return view(skeleton.poses, (self.num_frames, skeleton.num_joints, 7), "f4", skeleton)

    @property
    def rotations(self) -> Floats:
        """[frames, joints, 4] quaternions x, y, z, w of length 1, relative to the parent."""
        return self._poses[..., :4]

    @property
    def translations(self) -> Floats:
        """[frames, joints, 3] relative to the parent, in units."""
        return self._poses[..., 4:]

    @property
    def num_translating(self) -> int:
        """The number of joints that translate, besides the root."""
        return int(self._open.num_translating)

    # ---- Surfaces -----------------------------------------------------------------------------

    @cached_property
    def surfaces(self) -> tuple[SkeletonSurface, ...]:
        """The rest pose and the weights of each surface."""
        skeleton = self._open
        return tuple(_surface_of(surface, skeleton.more_influences, skeleton)
                     for surface in items(skeleton.surfaces, skeleton.num_surfaces))

    def evaluate(self, frame: int, surface: int = 0) -> tuple[Floats, Optional[Floats]]:
        """Returns the positions [vertices, 3] of a frame, in units, and its normals, if the mesh has any."""
        skeleton = self._open
        if not 0 <= frame < self.num_frames or not 0 <= surface < skeleton.num_surfaces:
            raise bad_argument(f"the skeleton has {self.num_frames} frames and {skeleton.num_surfaces} surfaces, not "
                               f"frame {frame} of surface {surface}")
        shape = (skeleton.surfaces[surface].num_vertices, 3)
        positions = np.empty(shape, np.float32)
        normals = np.empty(shape, np.float32) if skeleton.surfaces[surface].normals else None
        pose = ffi.new("lm_pose *", (frame, frame, 0))
        lib.lm_skeleton_sample(skeleton, surface, pose, ffi.from_buffer("lm_vec3[]", positions),
                               ffi.NULL if normals is None else ffi.from_buffer("lm_vec3[]", normals))
        return positions, normals

    # ---- Errors -------------------------------------------------------------------------------

    @property
    def error(self) -> SkeletonDistance:
        """The error over all frames."""
        return _distance_of(self._open.all)

    @property
    def frame_errors(self) -> tuple[SkeletonDistance, ...]:
        """The error of each frame."""
        return tuple(map(_distance_of, items(self._open.frames, self.num_frames)))

    @property
    def clip_errors(self) -> tuple[SkeletonDistance, ...]:
        """The error of each clip of the mesh."""
        return tuple(map(_distance_of, items(self._open.clips, self._open.num_clips)))

    @property
    def quantum(self) -> float:
        """The root mean square error of a coordinate by rounding, in units, that `verdict` compares the error with."""
        return float(self._open.quantum)

    @property
    def verdict(self) -> str:
        """"accepted", "warned" (usable) or "refused" (no skeleton explains the movement)."""
        return VERDICTS[self._open.verdict]

    @property
    def reason(self) -> str:
        """One sentence that explains the verdict; "" if the skeleton is accepted."""
        return text(self._open.reason)


def _surface_of(surface: Any, more: int, owner: object) -> SkeletonSurface:
    shape = (surface.num_vertices, 3)
    rows = view(surface.influences, ((1 + more) * surface.num_vertices, _INFLUENCE.itemsize), "u1", owner)
    influences = rows.view(_INFLUENCE)[:, 0]
    if more:
        influences = influences.reshape(1 + more, -1).T
    return SkeletonSurface(view(surface.positions, shape, "f4", owner),
                           view(surface.normals, shape, "f4", owner) if surface.normals else None,
                           *(influences[name].reshape(surface.num_vertices, -1) for name in ("joints", "weights")))


def _distance_of(error: Any) -> SkeletonDistance:
    return SkeletonDistance(error.rms_error, error.max_error)


def fit(mesh: Any, max_bones: int, max_error: float, quantum: float, max_work: int, constant_lengths: bool,
        progress: Optional[Progress], find: Any = lib.lm_skeleton_fit) -> Skeleton:
    """Finds the skeleton of an lm_mesh, or with another function of an lm_model."""
    raised: list[BaseException] = []
    options = ffi.new("lm_skeleton_options *", {
        "max_bones": max_bones, "max_error": max_error, "quantum": quantum, "max_work": max_work,
        "constant_lengths": constant_lengths})
    if progress is not None:
        callback = ffi.callback("bool(void *, double)", lambda _, share: progress(share) is not False, error=False,
                                onerror=lambda _kind, exception, _trace: raised.append(exception))
        options.progress = callback
    error = new_error()
    found = find(mesh, options, error)
    if raised:
        lib.lm_skeleton_free(found)
        raise raised[0]
    return Skeleton(owned(found, lib.lm_skeleton_free, error))
