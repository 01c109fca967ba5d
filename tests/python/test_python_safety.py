"""The package's errors, its memory, and threads. The C tests and the fuzzers damage files."""
import gc
import pickle
import sys
import tempfile
import threading
import time
import unittest
import weakref
from pathlib import Path

import package
import numpy as np

import lerpmesh


def resident():
    """Returns the memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def use(call):
    """Calls; an Error is an answer, too. Returns whether it was one."""
    try:
        call()
        return False
    except lerpmesh.Error as error:
        assert str(error) and error.code not in ("ok", "unknown"), repr(error)
        return True


class Errors(unittest.TestCase):
    def test_errors_have_code_offset_and_section(self):
        data = bytearray(package.TICK.read_bytes())
        triangles = int.from_bytes(data[52:56], "little")
        data[triangles:triangles + 2] = b"\xff\xff"
        with self.assertRaises(lerpmesh.Error) as caught:
            lerpmesh.load(data)
        error = caught.exception
        self.assertEqual((error.code, error.section, error.offset), ("vertex-index", "triangles", triangles))
        self.assertIn("triangle 0", str(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), vars(again)), (str(error), vars(error)))
        problem = lerpmesh.check(bytes(data)).problems[0]
        self.assertEqual((problem.code, problem.severity, problem.location.offset), (error.code, "error", triangles))
        self.assertEqual((problem.location.surface, problem.location.index), (error.surface, error.index))
        with self.assertRaises(lerpmesh.Error) as caught:
            lerpmesh.open(package.SOURCE / "README.md")
        self.assertEqual(caught.exception.code, "unknown-format")
        self.assertIn("README.md", str(caught.exception))

    def test_errors_of_a_mesh_name_the_vertex(self):
        mesh = lerpmesh.Mesh.from_model(lerpmesh.load(package.TICK))
        positions = mesh.surfaces[0].positions.copy()
        positions[3, 17, 1] = np.nan
        mesh.surfaces[0].positions = positions
        with self.assertRaises(lerpmesh.Error) as caught:
            mesh.encode("md3")
        error = caught.exception
        self.assertEqual((error.section, error.surface, error.index), ("surface 0 vertices", 0, 17))

    def test_problems_are_located(self):
        """The triangles of a problem are those whose texture coordinates lie outside the skin."""
        data = bytearray(package.TICK.read_bytes())
        st, width = int.from_bytes(data[48:52], "little"), int.from_bytes(data[8:12], "little")
        data[st:st + 2] = (width + 5).to_bytes(2, "little")
        model, report = lerpmesh.load(data), lerpmesh.check(bytes(data))
        problem = next(p for p in report.problems if p.code == "st-outside")
        surface = model.surfaces[0]
        outside = (surface.uvs[surface.triangles] > 1).any(axis=(1, 2))
        self.assertTrue(outside.any())
        place = model.locate(problem)
        self.assertIsNone(place.frame)
        np.testing.assert_array_equal(place.triangles[0], surface.triangles[outside])
        data = bytearray(package.TICK.read_bytes())
        frames, size = int.from_bytes(data[56:60], "little"), int.from_bytes(data[16:20], "little")
        at = frames + 7 * size + 24 + 16
        for vertex in range(int.from_bytes(data[24:28], "little")):
            data[at + 4 * vertex + 3] = 0
        problem = next(p for p in lerpmesh.check(bytes(data)).problems if p.code == "identical-normals")
        self.assertEqual(lerpmesh.load(data).locate(problem).frame, 7)
        self.assertEqual(model.locate(lerpmesh.Diagnostic("skin-path", "warning", "", None, None, 1)), (None, {}))
        with self.assertRaises(ValueError):
            model.locate(lerpmesh.Diagnostic("none", "warning", "", None, None, 1))

    def test_closed_objects_are_rejected(self):
        model, scene = lerpmesh.load(package.TICK), lerpmesh.open(package.TICK)
        document = lerpmesh.Document(package.TICK)
        for thing in (model, scene, document):
            thing.close()
            thing.close()
        out = np.empty((538, 3), np.float32)
        for call in (lambda: model.sample(0), lambda: model.sample_into(0, 0, out), model.bake, model.bounds,
                     lambda: model.clips, lambda: model.surfaces, lambda: model.tag("a", 0), lambda: model.format,
                     lambda: lerpmesh.Mesh.from_model(model), lambda: lerpmesh.convert(model, "glb"),
                     lambda: scene.parts, lambda: scene.pose("run", 0), lambda: lerpmesh.compose(scene),
                     lambda: scene.skin_choices, document.encode, lambda: document.names("frames")):
            with self.assertRaises(ValueError):
                call()


    def test_models_of_tags_only_are_sampled(self):
        tag = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
        model = lerpmesh.load(lerpmesh.Mesh([], tags={"tag_a": tag}).encode("md3").data)
        self.assertEqual([array.shape for array in model.sample((0, 2, 0.5))], [(0, 3), (0, 3)])
        self.assertEqual(model.bake().shape, (3, 0, 3))
        for pose, surface in (((0, 3, 0.5), 0), (0, 1)):
            with self.assertRaises(lerpmesh.Error):
                model.sample(pose, surface)


class Memory(unittest.TestCase):
    def setUp(self):
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)

    def test_arrays_keep_what_they_show(self):
        model = lerpmesh.load(package.TICK)
        owner = weakref.ref(model._owner)
        triangles, want = model.surfaces[0].triangles, model.surfaces[0].triangles.copy()
        uvs = model.surfaces[0].uvs
        model.close()
        del model
        for _ in range(20):
            lerpmesh.load(package.TICK)
        np.testing.assert_array_equal(triangles, want)
        self.assertIsNotNone(owner())
        del triangles
        part = uvs[5:9, 0]
        del uvs
        self.assertIsNotNone(owner())
        del part
        self.assertIsNone(owner())  # at once, without the garbage collector

    def test_parts_and_images_keep_their_scene(self):
        scene = lerpmesh.open(package.TICK)
        owner = weakref.ref(scene._owner)
        part, pixels = scene.parts[0], scene.textures[0].pixels
        want = pixels.copy()
        scene.close()
        del scene
        self.assertEqual(part.model.sample(0)[0].shape, (538, 3))
        self.assertEqual(part.skin.materials[0].texture.size, (256, 256))
        del part
        np.testing.assert_array_equal(pixels, want)
        del pixels
        self.assertIsNone(owner())

    def test_meshes_keep_their_arrays(self):
        mesh = lerpmesh.Mesh.from_model(lerpmesh.load(package.TICK))
        positions, want = mesh.surfaces[0].positions, mesh.surfaces[0].positions.copy()
        del mesh
        made = lerpmesh.compose(lerpmesh.open(package.TICK), format="md3", path="models/a/tick.md3")
        composed = made.mesh.surfaces[0].positions
        del made
        for _ in range(20):
            lerpmesh.Mesh.from_model(lerpmesh.load(package.TICK))
        np.testing.assert_array_equal(positions, want)
        np.testing.assert_array_equal(composed, want)

    def test_nothing_leaks(self):
        data = package.TICK.read_bytes()
        damaged = data[:5000]
        with tempfile.TemporaryDirectory() as folder:
            glb = Path(folder) / "tick.glb"
            glb.write_bytes(lerpmesh.convert(package.TICK, "glb").data)

            def everything():
                model = lerpmesh.load(data)
                model.bake()
                model.surfaces[0].uvs.sum()
                mesh = lerpmesh.Mesh.from_model(model)
                mesh.encode("md3")
                scene = lerpmesh.open(package.TICK)
                lerpmesh.convert(scene, "glb")
                lerpmesh.compose(scene, format="mdl", path="tick.mdl")
                lerpmesh.Document(data).encode()
                lerpmesh.compare(model, mesh)
                lerpmesh.optimize(data, strips="fast")
                lerpmesh.import_mesh(glb, images=True)
                lerpmesh.load_many([package.TICK, glb])
                for call in (lerpmesh.load, lerpmesh.Document, lerpmesh.optimize):
                    self.assertTrue(use(lambda call=call: call(damaged)), call)
                self.assertTrue(use(lambda: lerpmesh.import_mesh(glb.read_bytes()[:5000])))

            for _ in range(15):
                everything()
            before = resident()
            for _ in range(40):
                everything()
            # An object that leaks takes 100 kB in each round.
            self.assertLess(resident() - before, 2_500_000)


class Threads(unittest.TestCase):
    def test_calls_release_the_interpreter(self):
        """While one thread encodes, another one runs Python. On a busy machine the first may end before the other one gets
        a processor, so that there are many attempts."""
        mesh = lerpmesh.Mesh.from_model(lerpmesh.load(package.TICK))
        steps = attempts = 0
        interval = sys.getswitchinterval()
        sys.setswitchinterval(60)  # a thread that does not release the interpreter keeps it
        try:
            while steps <= 100 and attempts < 300:
                steps, attempts = 0, attempts + 1
                worker = threading.Thread(target=lambda: mesh.encode("md2"))
                worker.start()
                while worker.is_alive():
                    steps += 1
                    time.sleep(0)  # lets the worker begin and return
        finally:
            sys.setswitchinterval(interval)
        self.assertGreater(steps, 100)

    def test_threads_share_a_model(self):
        model = lerpmesh.load(package.TICK)
        want = model.bake()
        wrong = []

        def sample(seed):
            out = np.empty_like(want[0])
            for frame in np.random.default_rng(seed).integers(0, model.num_frames, 300):
                model.sample_into(float(frame), 0, out)
                if not (out == want[frame]).all():
                    wrong.append(frame)

        threads = [threading.Thread(target=sample, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
