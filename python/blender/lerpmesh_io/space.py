"""Axes and units: docs/reference/axes.md. The games have x forward, y left, z up. A model faces Blender's -y, so
Blender's x is left and its y is back. A conversion rotates and never mirrors."""
from __future__ import annotations

import numpy as np

METRES_PER_UNIT = 0.0254  # a unit is an inch by convention


def to_blender(points: np.ndarray, scale: float) -> np.ndarray:
    """Converts points [..., 3] of the games to Blender's; `scale`: Blender units per game unit."""
    out = np.empty(points.shape, dtype=np.float32)
    np.multiply(points[..., 1], scale, out=out[..., 0])
    np.multiply(points[..., 0], -scale, out=out[..., 1])
    np.multiply(points[..., 2], scale, out=out[..., 2])
    return out


def to_game(points: np.ndarray, scale: float) -> np.ndarray:
    """Converts points [..., 3] of Blender to the games'; `scale`: game units per Blender unit."""
    out = np.empty(points.shape, dtype=points.dtype)
    np.multiply(points[..., 1], -scale, out=out[..., 0])
    np.multiply(points[..., 0], scale, out=out[..., 1])
    np.multiply(points[..., 2], scale, out=out[..., 2])
    return out


def tag_matrices(origins: np.ndarray, axes: np.ndarray, scale: float) -> np.ndarray:
    """Returns the Blender matrices [frames, 4, 4] of a tag: origins [frames, 3], axes [frames, 3, 3] (forward, left,
    up)."""
    out = np.zeros((len(origins), 4, 4), dtype=np.float64)
    turned = to_blender(np.asarray(axes, dtype=np.float64), 1)
    out[:, :3, 0] = turned[:, 1]
    out[:, :3, 1] = -turned[:, 0]
    out[:, :3, 2] = turned[:, 2]
    out[:, :3, 3] = to_blender(np.asarray(origins, dtype=np.float64), scale)
    out[:, 3, 3] = 1
    return out


def tag_pose(matrix: np.ndarray, scale: float) -> np.ndarray:
    """Returns [4, 3]: the origin and the axes of a tag (forward, left, up), of length 1, from a Blender matrix."""
    columns = np.array([-matrix[:3, 1], matrix[:3, 0], matrix[:3, 2]])
    lengths = np.linalg.norm(columns, axis=1, keepdims=True)
    columns = np.divide(columns, lengths, out=np.zeros_like(columns), where=lengths > 0)
    return np.concatenate((to_game(matrix[None, :3, 3], scale), to_game(columns, 1)))
