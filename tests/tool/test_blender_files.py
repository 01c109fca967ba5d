"""Files that Blender 3.4 wrote with its defaults, from scenes of a few cubes, tags and actions
(tests/support/blender/make.py), packed in files.zip. The same scene means the same model in every format."""
import json
import zipfile

from command import ImportCase
import corpus
import oracle
import skipping

FILES = corpus.source_dir() / "tests/support/blender/files.zip"
METRE = 1 / 0.0254


class BlenderFiles(ImportCase):
    def setUp(self) -> None:
        super().setUp()
        with zipfile.ZipFile(FILES) as archive:
            archive.extractall(self.folder)

    def imported(self, name: str, *options: str) -> tuple[oracle.Model, str]:
        out = self.folder / f"{name}.md3"
        done = self.call("convert", name, "-f", "-o", out, *options, status=None)
        if "built without Assimp" in done.stderr or "Assimp is not" in done.stderr:
            skipping.skip(self, "there is no Assimp")
        self.assertEqual(done.returncode, 0, done.stderr)
        return oracle.load_file(str(out)), done.stderr

    def clips(self, name: str) -> list[tuple[str, int]]:
        (self.folder / "clips").mkdir(exist_ok=True)
        out = self.folder / "clips" / "m.mdl"
        self.convert(name, "-f", "-o", out)
        told = self.call("info", "--json", out).stdout
        return [(clip["name"], clip["count"]) for clip in json.loads(told)["clips"]]

    def test_tags_point_along_the_axes_of_the_scene(self) -> None:
        """One tag is not turned, the other by 30 degrees around z."""
        for name in "tags.glb", "tags.fbx", "tags.dae":
            model, _ = self.imported(name)
            tags = {tag.name: tag for tag in model.pose(0).tags}
            for tag, turned in ("tag_identity", 0.0), ("tag_weapon", 0.5):
                axes = tags[tag].axes
                cosine = (1 - turned**2) ** 0.5
                for axis, right in zip(axes, ((cosine, turned, 0), (-turned, cosine, 0), (0, 0, 1))):
                    for a, b in zip(axis, right):
                        self.assertAlmostEqual(a, b, places=4, msg=f"{name}: {tag} {axes}")

    def test_shape_keys_with_the_value_0_are_not_applied(self) -> None:
        model, told = self.imported("keys0.fbx")
        surface = model.surfaces[0]
        for along in zip(*(surface.vertex(0, v, None)[0] for v in range(surface.num_vertices))):
            self.assertAlmostEqual(max(along) - min(along), 2 * METRE, delta=0.1)
        self.assertIn("shape keys in FBX", told)

    def test_copies_of_clips_are_left_out(self) -> None:
        for name in "rig.glb", "rig.fbx":
            self.assertEqual(sorted(self.clips(name)), [("Run", 11), ("Walk", 11)], name)
        self.assertIn("repeats an earlier one", self.imported("rig.fbx")[1])

    def test_missing_actions_have_a_hint(self) -> None:
        model, told = self.imported("rig.dae")
        self.assertEqual(len(model.frames), 1)
        self.assertIn("no NLA strips", told)

    def test_objects_that_hold_still_have_no_clips(self) -> None:
        self.assertEqual([name for name, _ in self.clips("still.glb")], ["lowerAction", "upperAction"])
        self.assertIn("holds one object still", self.imported("still.glb")[1])

    def test_clips_of_one_object_each_have_a_hint(self) -> None:
        self.assertIn("Group by NLA Track", self.imported("objects.glb")[1])
        self.assertNotIn("Group by NLA Track", self.imported("rig.glb")[1])

    def test_vertex_colours_are_reported(self) -> None:
        for name in "colour.glb", "colour.fbx":
            self.assertIn("vertex colours", self.imported(name)[1])
        self.assertNotIn("vertex colours", self.imported("tags.glb")[1])

    def test_sizes_in_metres_are_noticed(self) -> None:
        self.assertIn("states no unit", self.imported("cube.obj")[1])
        self.assertNotIn("states no unit", self.imported("cube.obj", "--scale", "39.37")[1])
        self.assertNotIn("states no unit", self.imported("tags.dae")[1])

    def test_morph_targets_without_normals_get_them(self) -> None:
        """A moved side of a cube turns its faces. The first and the last frame are whole targets,
        whose normals the other file has."""
        right, _ = self.imported("keysanim.glb")
        made, _ = self.imported("keysnonormal.glb")
        for frame in 0, len(right.frames) - 1:
            for a, b in zip(right.surfaces, made.surfaces):
                self.assertEqual(a.num_vertices, b.num_vertices)
                for v in range(a.num_vertices):
                    one, other = a.vertex(frame, v, None)[1], b.vertex(frame, v, None)[1]
                    self.assertGreater(sum(x * y for x, y in zip(one, other)), 0.999, f"{frame} {v}")

    def test_normals_are_computed(self) -> None:
        """Smooth normals of a cube are its diagonals."""
        model, _ = self.imported("tags.glb", "--normals", "computed")
        for v in range(model.surfaces[0].num_vertices):
            position, normal = model.surfaces[0].vertex(0, v, None)
            for p, n in zip(position, normal):
                self.assertAlmostEqual(n, p / abs(p) / 3**0.5, delta=0.03)
