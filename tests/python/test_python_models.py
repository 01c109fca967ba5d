"""The package reads models: compared with the independent decoder, for the corpus, samples and generated models."""
import dataclasses
import math
import random
import sys
import unittest

import package
import corpus
import make_models
import numpy as np
import oracle

import lerpmesh

FORMATS = ("md2", "md3", "mdc", "mdl")
GENERATED = 3  # for each format
POSITION, NORMAL, UV = 1e-5, 1e-3, 1e-6  # tolerances; the first is of the model's size


def cases():
    """Yields the name and bytes of every model."""
    for path in (*corpus.real_models(FORMATS), *corpus.sample_models(FORMATS)):
        yield path.name, path.read_bytes()
    for kind in FORMATS:
        for index in range(GENERATED):
            yield f"generated {kind} {index}", make_models.make_model(kind, 28, index)[0]


def frames_of(model):
    """Returns whole and fractional frames to compare."""
    last = model.num_frames - 1
    return sorted({0.0, float(last), last / 2, last * 0.3})


class Models(unittest.TestCase):
    def test_poses_agree_with_the_oracle(self):
        compared = 0
        for name, data in cases():
            with self.subTest(name), lerpmesh.load(data) as model:
                want = oracle.load(data)
                self.assertEqual(len(want.frames), model.num_frames)
                self.assertEqual([frame.name for frame in want.frames], [frame.name for frame in model.frames])
                for frame in frames_of(model):
                    compared += self.compare(model, want.pose(frame), frame)
        self.assertGreater(compared, 100)

    def compare(self, model, pose, frame):
        """Compares the corners of the triangles, and the tags, in a pose."""
        corners = [[c for triangle in surface.triangles for c in triangle] for surface in pose.surfaces]
        points = [c.position for surface in corners for c in surface]
        size = max([1e-3, *(abs(x) for point in points for x in point)])
        self.assertEqual(len(model.surfaces), len(corners))
        for index, (surface, want) in enumerate(zip(model.surfaces, corners)):
            positions, normals = model.sample(frame, index)
            drawn = surface.triangles.reshape(-1)
            self.assertEqual(len(drawn), len(want))
            if not want:
                continue
            np.testing.assert_allclose(positions[drawn], [c.position for c in want], atol=POSITION * size, rtol=0)
            uvs = np.array([c.texcoord for c in want])
            np.testing.assert_allclose(surface.uvs[drawn], uvs, atol=UV * max(1, np.abs(uvs).max()), rtol=0)
            known = np.array([c.normal_length > 0.02 for c in want])
            np.testing.assert_allclose(normals[drawn][known], np.array([c.normal for c in want])[known], atol=NORMAL)
        for tag in pose.tags:
            matrix = model.tag(tag.name, frame)
            np.testing.assert_allclose(matrix[:3, 3], tag.position, atol=1e-3)
            if all(math.isclose(oracle.length(axis), 1, abs_tol=1e-3) for axis in tag.axes):
                np.testing.assert_allclose(matrix[:3, :3].T, tag.axes, atol=1e-3)
        return len(corners)

    def test_bake_is_each_frame(self):
        for name, data in cases():
            model = lerpmesh.load(data)
            for index in range(len(model.surfaces)):
                baked, normals = model.bake(index), model.bake_normals(index)
                for frame in {0, model.num_frames // 2, model.num_frames - 1}:
                    with self.subTest(name, surface=index, frame=frame):
                        want, want_normals = model.sample(frame, index)
                        np.testing.assert_array_equal(baked[frame], want)
                        np.testing.assert_array_equal(normals[frame], want_normals)
            for index, tag in enumerate(model.tags):
                baked = model.bake_tag(index)
                self.assertEqual(baked.shape, (model.num_frames, 4, 4))
                if model.tags.count(tag) == 1 and tag:
                    np.testing.assert_array_equal(baked[-1], model.tag(tag, model.num_frames - 1))

    def test_sample_into_writes_into_any_rows(self):
        model = lerpmesh.load(package.TICK)
        positions, normals = model.sample((3, 4, 0.25))
        self.assertEqual(positions.tolist(), model.sample(3.25)[0].tolist())
        rows = np.full((len(positions), 8), 7, np.float32)
        model.sample_into(3.25, 0, rows[:, 0:3], rows[:, 4:7])
        np.testing.assert_array_equal(rows[:, 0:3], positions)
        np.testing.assert_array_equal(rows[:, 4:7], normals)
        self.assertTrue((rows[:, [3, 7]] == 7).all())
        plain = np.empty_like(positions)
        model.sample_into(3.25, 0, plain, rows[:, 0:3])  # different strides
        np.testing.assert_array_equal(plain, positions)
        np.testing.assert_array_equal(rows[:, 0:3], normals)

    def test_bake_into_an_array(self):
        model = lerpmesh.load(package.TICK)
        out = np.empty((49, 538, 3), np.float32)
        self.assertIs(model.bake(0, out), out)
        np.testing.assert_array_equal(out, model.bake())
        for wrong in (out[1:], out[:, :, ::-1], out.astype(np.float64), np.empty((98, 538, 3), np.float32)[::2]):
            with self.assertRaises(ValueError):
                model.bake(0, wrong)

    def test_wrong_arrays_and_poses_are_rejected(self):
        model = lerpmesh.load(package.TICK)
        vertices = model.surfaces[0].num_vertices
        constant = np.empty((vertices, 3), np.float32)
        constant.flags.writeable = False
        rows = np.empty((vertices, 8), np.float32)
        wrong = [np.empty((vertices, 3)), np.empty((vertices + 1, 3), np.float32), constant, constant[:, ::-1],
                 rows[:, 0:6:2], np.empty((3, vertices), np.float32).T, rows[::-1, :3],
                 np.empty(vertices * 12 + 1, np.uint8)[1:].view(np.float32).reshape(-1, 3),
                 np.lib.stride_tricks.as_strided(rows, (vertices, 3), (4, 4))]
        for array in wrong:
            with self.assertRaises((ValueError, TypeError, BufferError)):
                model.sample_into(0, 0, array)
        for pose in ((0, 99, 0.5), (0, 1, 2.0), (0, 1, math.nan)):
            with self.assertRaises(lerpmesh.Error) as caught:
                model.sample(pose)
            self.assertEqual(caught.exception.code, "bad-argument")
        for surface in (1, -1, 2**40):
            with self.assertRaises(lerpmesh.Error):
                model.sample(0, surface)
            with self.assertRaises(lerpmesh.Error):
                model.bake(surface)
        for tag in ("tag_none", 0, 99):
            with self.assertRaises(lerpmesh.Error):
                model.tag(tag, 0)
            with self.assertRaises(lerpmesh.Error):
                model.bake_tag(tag)
        with self.assertRaises(lerpmesh.Error):
            model.bounds(40, 99)

    def test_load_options(self):
        data = package.TICK.read_bytes()
        stored, computed = lerpmesh.load(data), lerpmesh.load(data, normals="computed")
        np.testing.assert_array_equal(stored.bake(), computed.bake())
        self.assertFalse((stored.bake_normals() == computed.bake_normals()).all())
        drawn = lerpmesh.load(data, topology="gl-commands")
        self.assertEqual(len(drawn.surfaces[0].triangles), len(stored.surfaces[0].triangles))
        for wrong in ({"normals": "none"}, {"topology": "fans"}):
            with self.assertRaises(ValueError):
                lerpmesh.load(data, **wrong)

    def test_load_many_gives_a_model_or_an_error_for_each_path(self):
        paths = [package.TICK, "no such file", package.SOURCE / "README.md", str(package.TICK)] * 5
        for threads in (1, 2, 7, 30):
            got = lerpmesh.load_many(paths, threads=threads)
            self.assertEqual([getattr(each, "code", "model") for each in got],
                             ["model", "io", "unknown-format", "model"] * 5)
            self.assertEqual(got[3].num_frames, 49)
        self.assertEqual(lerpmesh.load_many([]), [])

    def test_clips_play(self):
        wave = next(clip for clip in lerpmesh.load(package.TICK).clips if clip.name == "wave")
        self.assertEqual(wave.pose(0.0), lerpmesh.Pose(wave.first, wave.first + 1))
        self.assertTrue(dataclasses.replace(wave, hidden=True).pose(0.0).hidden)
        pose = wave.pose(1.5 / wave.fps)
        self.assertEqual((pose.frame_a, pose.frame_b), (wave.first + 1, wave.first + 2))
        self.assertAlmostEqual(pose.t, 0.5, 5)
        self.assertAlmostEqual(wave.duration("once"), (wave.count - 1) / wave.fps)
        with self.assertRaises(ValueError):
            wave.pose(0, "sometimes")
        with self.assertRaises(ValueError):
            lerpmesh.Clip("short", 0, 2, times=(0.0, 1.0)).pose(0)

    def test_clips_files_are_read_and_written(self):
        clips = [lerpmesh.Clip(f"clip{i}", 10 * i, 10, 15.0, 10 * (i % 2)) for i in range(5)]
        text = lerpmesh.write_clips(clips, 50)
        got = lerpmesh.read_clips(text, 50)
        self.assertEqual([(c.name, c.first, c.count, c.fps, c.loop_frames) for c in got.clips],
                         [(c.name, c.first, c.count, c.fps, c.loop_frames) for c in clips])
        self.assertEqual(got.clips[0].source, "file")
        self.assertIn("clip-frames", [each.code for each in lerpmesh.read_clips(text, 45).warnings])
        self.assertEqual(len(lerpmesh.quake2_clips()), 20)
        with self.assertRaises(lerpmesh.Error):
            lerpmesh.read_clips(b"nothing", 5)

    def test_names_that_are_not_utf8_keep_their_bytes(self):
        document = lerpmesh.Document(package.TICK)
        name = b"models/\xff\xe9.pcx".decode("utf-8", "surrogateescape")
        document.rename("skins", 0, name)
        model = lerpmesh.load(document.encode())
        self.assertEqual(model.skins[0], name)
        self.assertIn(b"models/\xff\xe9.pcx\0", lerpmesh.Mesh.from_model(model).encode("md2").data)


if __name__ == "__main__":
    random.seed(28)
    unittest.main(argv=sys.argv[:1])
