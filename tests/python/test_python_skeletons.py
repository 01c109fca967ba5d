"""Skeletons: what they say agrees with what they evaluate, for a known limb and a model."""
import gc
import json
import math
import struct
import unittest

import package
import numpy as np

import lerpmesh
from lerpmesh import Clip, Mesh, MeshSurface


def turn(axis, angle):
    """Returns a rotation about the y or the z axis."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]] if axis == "y" else [[c, -s, 0], [s, c, 0], [0, 0, 1]])


def limb(frames=24, parts=3, rows=6, around=5, normals=False):
    """Returns a tube of stiff parts, 20 units each, that bend at their joints."""
    length = np.repeat((np.arange(parts * rows) + 0.5) * 20 / rows, around)
    angle = np.tile(np.arange(around) * 2 * math.pi / around, parts * rows)
    rest = np.stack([length, 4 * np.cos(angle), 4 * np.sin(angle)], -1)
    positions = np.empty((frames, len(rest), 3), np.float32)
    for frame in range(frames):
        matrix, start = np.eye(3), np.zeros(3)
        for part in range(parts):
            matrix = matrix @ turn("yz"[part % 2], 0.5 * math.sin(frame * (part + 2) * math.pi / frames))
            own = length // 20 == part
            positions[frame, own] = start + (rest[own] - (20 * part, 0, 0)) @ matrix.T
            start = start + matrix @ (20, 0, 0)
    first = np.arange(parts * rows * around - around - 1)
    triangles = np.stack([first, first + 1, first + around], 1)
    half = frames // 2
    surface = MeshSurface("limb", positions, triangles, normals=positions + (0, 0, 100) if normals else None)
    return Mesh([surface], [Clip("up", 0, half), Clip("down", half, frames - half)])


def evaluate(skeleton, frame, surface=0):
    """Evaluates positions and normals of a frame in numpy, by the text of the documentation."""
    worlds = []
    for index, joint in enumerate(skeleton.joints):
        x, y, z, w = skeleton.rotations[frame, index].astype(float)
        matrix = np.eye(4)
        matrix[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        matrix[:3, 3] = skeleton.translations[frame, index]
        worlds.append(matrix if joint.parent is None else worlds[joint.parent] @ matrix)
    rest = skeleton.surfaces[surface]
    out, normals = np.zeros(rest.positions.shape), np.zeros(rest.positions.shape)
    for row, weights in zip(rest.joints.T, rest.weights.T):
        matrices = np.array(worlds)[row]
        own = rest.positions - np.array([joint.position for joint in skeleton.joints])[row]
        out += weights[:, None] * (np.einsum("vab,vb->va", matrices[:, :3, :3], own) + matrices[:, :3, 3])
        if rest.normals is not None:
            normals += weights[:, None] * np.einsum("vab,vb->va", matrices[:, :3, :3], rest.normals)
    return out, normals


class Skeletons(unittest.TestCase):
    def check(self, skeleton, mesh):
        """Compares what a skeleton has with the mesh, and with its own evaluation in numpy."""
        count = len(skeleton.joints)
        self.assertEqual([joint.parent is None for joint in skeleton.joints], [True] + [False] * (count - 1))
        self.assertEqual(skeleton.num_translating, sum(joint.translates for joint in skeleton.joints[1:]))
        self.assertEqual(skeleton.rotations.shape, (mesh.num_frames, count, 4))
        self.assertEqual(skeleton.translations.shape, (mesh.num_frames, count, 3))
        far = 0
        for index, surface in enumerate(mesh.surfaces):
            rest = skeleton.surfaces[index]
            np.testing.assert_allclose(rest.weights.sum(axis=1), 1, atol=1e-5)
            for frame in range(mesh.num_frames):
                found, normals = skeleton.evaluate(frame, index)
                size = max(float(np.abs(found).max(initial=0)), 1)
                wanted, turned = evaluate(skeleton, frame, index)
                np.testing.assert_allclose(found, wanted, atol=1e-5 * size)
                self.assertEqual(normals is None, rest.normals is None)
                if normals is not None:
                    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
                    np.testing.assert_allclose(normals * lengths, turned, atol=1e-5)
                gap = np.asarray(surface.positions)[frame].astype(float) - found
                far = max(far, np.linalg.norm(gap, axis=1).max(initial=0))
        np.testing.assert_allclose(skeleton.error.max, far, rtol=1e-3, atol=1e-5)
        self.assertEqual(max(error.max for error in skeleton.frame_errors), skeleton.error.max)
        self.assertEqual(len(skeleton.clip_errors), len(mesh.clips))
        self.assertEqual(skeleton.reason == "", skeleton.verdict == "accepted")

    def test_a_limb(self):
        for normals in False, True:
            mesh = limb(normals=normals)
            skeleton = mesh.skeleton()
            self.check(skeleton, mesh)
            self.assertEqual((len(skeleton.joints), skeleton.num_translating, skeleton.verdict), (3, 0, "accepted"))
            self.assertLess(skeleton.error.rms, 0.5 * skeleton.quantum)
            bends = sorted(joint.position[0] for joint in skeleton.joints[1:])
            np.testing.assert_allclose(bends, (20, 40), atol=0.5)
            self.assertEqual(skeleton.evaluate(3)[1] is not None, normals)

    def test_a_model(self):
        model = lerpmesh.load(package.TICK)
        skeleton = model.skeleton()
        self.check(skeleton, Mesh.from_model(model))
        self.assertIn("hips", [joint.name for joint in skeleton.joints])
        self.assertGreater(skeleton.quantum, 0)
        self.assertLess(skeleton.error.rms, 1.3 * skeleton.quantum)

    def test_bad_arguments(self):
        mesh = limb(4)
        for options in {"max_bones": 129}, {"max_error": -1.0}, {"quantum": math.nan}, {"max_error": math.inf}:
            with self.subTest(options), self.assertRaises(lerpmesh.Error) as caught:
                mesh.skeleton(**options)
            self.assertEqual(caught.exception.code, "bad-argument")
        for options in {"max_bones": -1}, {"max_bones": 2**40}, {"max_work": -1}:
            with self.assertRaises(OverflowError):
                mesh.skeleton(**options)
        for options in {"max_bones": 1.5}, {"max_error": "much"}, {"progress": 3}, {"bones": 4}:
            with self.assertRaises(TypeError):
                mesh.skeleton(**options)
        skeleton = mesh.skeleton()
        for frame, surface in (-1, 0), (4, 0), (0, 1), (0, -1):
            with self.assertRaises(lerpmesh.Error) as caught:
                skeleton.evaluate(frame, surface)
            self.assertEqual(caught.exception.code, "bad-argument")
        mesh.surfaces[0].triangles = [[0, 1, 999]]
        with self.assertRaises(lerpmesh.Error) as caught:
            mesh.skeleton()
        self.assertEqual(caught.exception.code, "vertex-index")


class Progress(unittest.TestCase):
    def test_shares_increase(self):
        shares = []
        lerpmesh.load(package.TICK).skeleton(progress=shares.append)
        self.assertGreater(len(shares), 4)
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(0 <= shares[0] and shares[-1] <= 1)

    def test_stopped(self):
        """False stops; None and 0 do not."""
        model = lerpmesh.load(package.TICK)
        calls = []
        with self.assertRaises(lerpmesh.Error) as caught:
            model.skeleton(progress=lambda share: calls.append(share) is not None)
        self.assertEqual((caught.exception.code, len(calls)), ("stopped", 1))
        limb().skeleton(progress=lambda share: 0)

    def test_exceptions_stop(self):
        for kind in KeyError, KeyboardInterrupt, SystemExit:
            calls = []

            def fail(share):
                calls.append(share)
                raise kind("planted")

            with self.assertRaisesRegex(kind, "planted"):
                limb().skeleton(progress=fail)
            self.assertEqual(len(calls), 1)


class Memory(unittest.TestCase):
    def test_arrays_outlive_a_skeleton(self):
        skeleton = limb().skeleton()
        rotations, weights, joints = skeleton.rotations, skeleton.surfaces[0].weights, skeleton.surfaces[0].joints
        before = rotations.copy(), weights.copy(), joints.copy()
        skeleton.close()
        with self.assertRaisesRegex(ValueError, "skeleton is closed"):
            skeleton.joints
        self.assertIn("closed", repr(skeleton))
        del skeleton
        gc.collect()
        others = [limb().skeleton() for _ in range(4)]
        for now, was in zip((rotations, weights, joints), before):
            np.testing.assert_array_equal(now, was)
        with self.assertRaises(ValueError):
            rotations[0, 0, 0] = 2
        del others


class Export(unittest.TestCase):
    def test_gltf(self):
        model = lerpmesh.load(package.TICK)
        skeleton = model.skeleton()
        data = lerpmesh.convert(model, "glb", skeletons=[skeleton]).data
        document = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
        joints = [document["nodes"][node]["name"] for node in document["skins"][0]["joints"]]
        self.assertEqual(joints, [joint.name for joint in skeleton.joints])
        self.assertEqual(len(document["animations"]), len(model.clips))
        self.assertFalse(b'"joints"' in lerpmesh.convert(model, "glb", skeletons=[None]).data)
        with lerpmesh.open(package.TICK) as scene:
            self.assertTrue(b'"joints"' in lerpmesh.convert(scene, "glb", skeletons=[skeleton]).data)

    def test_bad_skeletons(self):
        model, skeleton = lerpmesh.load(package.TICK), limb().skeleton()
        with self.assertRaises(lerpmesh.Error) as caught:
            lerpmesh.convert(model, "glb", skeletons=[skeleton])
        self.assertEqual(caught.exception.code, "bad-argument")
        with self.assertRaisesRegex(ValueError, "2 skeletons for 1 parts"):
            lerpmesh.convert(model, "glb", skeletons=[None, None])
        skeleton.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            lerpmesh.convert(model, "glb", skeletons=[skeleton])


if __name__ == "__main__":
    unittest.main()
