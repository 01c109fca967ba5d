"""The package writes: meshes, documents, compositions, exports. Files are read back by the independent decoder."""
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import package
import make_models
import numpy as np
import oracle
from player_scene import robot

import lerpmesh
from lerpmesh import Clip, Document, Mesh, MeshSurface

FORMATS = ("md2", "md3", "mdc", "mdl")


def wave_mesh(frames=12, side=9, shift=0.0):
    """Returns a sheet [side * side] that waves, with a tag, two clips and a material."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) * 8
    phase = np.arange(frames)[:, None, None] * 2 * math.pi / frames
    z = 6 * np.sin(phase + x / 16) + shift
    positions = np.stack(np.broadcast_arrays(x, y, z), -1).reshape(frames, side * side, 3)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
    triangles = np.concatenate([np.stack([corner, corner + side, corner + 1], 1),
                                np.stack([corner + 1, corner + side, corner + side + 1], 1)])
    uvs = np.stack([x, y], -1).reshape(-1, 2) / (8 * (side - 1))
    tag = np.tile(np.eye(4, dtype=np.float32), (frames, 1, 1))
    tag[:, 2, 3] = np.arange(frames)
    surface = MeshSurface("sheet", positions, triangles, uvs, materials=[lerpmesh.Material("models/sheet.tga")])
    half = frames // 2
    return Mesh([surface], [Clip("up", 0, half, 12.0), Clip("down", half, half, 8.0, half)], {"tag_top": tag},
                name="sheet")


class Files(unittest.TestCase):
    def test_all_files_are_written_or_none(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            paths = [str(folder / each) for each in ("animation.cfg", "sk\u00efn.tga", "a.md3")]
            lerpmesh.write_files({path: path.encode() for path in paths})
            self.assertEqual([Path(path).read_bytes() for path in paths], [path.encode() for path in paths])
            (folder / "way").mkdir()
            with self.assertRaises(lerpmesh.Error) as caught:
                lerpmesh.write_files({str(folder / "way"): b"new", paths[2]: b"new"})
            self.assertEqual(caught.exception.code, "io")
            self.assertEqual(Path(paths[2]).read_bytes(), paths[2].encode())
            self.assertEqual(len(list(folder.iterdir())), 4)
            lerpmesh.write_files({})

    def test_existing_files(self):
        """What becomes of them: replaced, a reason to stop, or kept; with the same pixels, they stay in any case."""
        pixels = np.random.default_rng(3).integers(0, 256, (4, 4, 4), dtype=np.uint8)
        with tempfile.TemporaryDirectory() as name:
            model, clips, image = (str(Path(name) / each) for each in ("a.md3", "animation.cfg", "a.tga"))
            png = lerpmesh.write_image(pixels, "png")
            new = {clips: b"clips", image: lerpmesh.write_image(pixels, "tga"), model: b"model"}
            self.assertEqual(lerpmesh.write_files(new, stop=list(new), optional=[clips]), [])
            Path(image).write_bytes(png)  # the same pixels
            Path(clips).write_bytes(b"mine")
            Path(model).write_bytes(b"old")
            self.assertEqual(lerpmesh.write_files(new, stop=[image, clips], optional=[clips, "missing"]), [clips])
            self.assertEqual([Path(path).read_bytes() for path in (clips, image, model)], [b"mine", png, b"model"])
            Path(model).write_bytes(b"old")
            with self.assertRaisesRegex(lerpmesh.Error, "animation.cfg exists, with other contents"):
                lerpmesh.write_files(new, stop=[clips])
            self.assertEqual([Path(path).read_bytes() for path in (clips, image, model)], [b"mine", png, b"old"])
            self.assertEqual(lerpmesh.write_files(new), [])
            self.assertEqual([Path(path).read_bytes() for path in new], list(new.values()))


class Meshes(unittest.TestCase):
    def test_arrays_become_every_format(self):
        mesh = wave_mesh()
        for kind in FORMATS:
            encoded = mesh.encode(kind)
            got, report = oracle.load(encoded.data), encoded.report
            self.assertEqual((report.format, report.size), (kind, len(encoded.data)))
            self.assertEqual(len(got.frames), 12)
            for frame in (0, 5, 11):
                corners = [c.position for t in got.pose(frame).surfaces[0].triangles for c in t]
                want = mesh.surfaces[0].positions[frame][np.array(mesh.surfaces[0].triangles).reshape(-1)]
                self.assertEqual(len(corners), len(want))
                far = np.abs(np.sort(np.array(corners), 0) - np.sort(want, 0)).max()
                self.assertLessEqual(far, report.max_error + 1e-4, kind)
            lost = {each.subject for each in report.problems if each.code == "not-held"}
            self.assertEqual(bool(got.tag_names), kind in ("md3", "mdc"))
            self.assertEqual(bool(lost), True, kind)  # the tag, or the clips

    def test_tags_and_clips_survive(self):
        mesh = wave_mesh()
        model = lerpmesh.load(mesh.encode("md3", sidecar_clips=True).data)
        np.testing.assert_array_equal(model.bake_tag("tag_top"), mesh.tags["tag_top"])
        self.assertEqual(model.surfaces[0].materials[0].name, "models/sheet.tga")
        clips = lerpmesh.read_clips(lerpmesh.write_clips(mesh.clips, 12), 12).clips
        self.assertEqual([(c.name, c.fps, c.loop_frames) for c in clips], [("up", 12.0, 0), ("down", 8.0, 6)])

    def test_fixes(self):
        path = Document(package.TICK)
        path.rename("skins", 0, "Models\\X\\a.PCX")
        data = bytearray(path.encode())
        data[int.from_bytes(data[56:60], "little") + 39] = 7  # after a frame's name
        document = Document(bytes(data))
        problems = [p for p in lerpmesh.check(bytes(data)).problems if document.can_fix(p)]
        self.assertEqual({"skin-path", "name-junk"}, {p.code for p in problems})
        sentence = document.can_fix(next(p for p in problems if p.code == "skin-path"))
        self.assertIn('becomes "Models/X/a.PCX".', sentence)
        self.assertEqual(["name-junk"], [p.code for p in document.fix_all("name-junk")])
        self.assertEqual("Models\\X\\a.PCX", document.names("skins")[0])
        self.assertEqual(["skin-path"], [p.code for p in document.fix_all()])
        self.assertEqual("Models/X/a.PCX", document.names("skins")[0])
        self.assertEqual(2, len(document.changes))
        unfixable = [p for p in lerpmesh.check(document.encode()).problems if not document.can_fix(p)]
        with self.assertRaisesRegex(lerpmesh.Error, "no automatic fix"):
            document.fix(unfixable[0])

    def test_clip_of_a_file(self):
        text = b"// x\r\n0 30 30 20 // IDLE\r\n30 6 0 10 // RUN, fast\r\n"
        new = lerpmesh.change_clip(text, 50, 1, Clip("TROT", 31, 5, fps=12.5), file_name="animation.cfg")
        self.assertEqual(text.replace(b"30 6 0 10 // RUN", b"31 5 0 12.5 // TROT"), new)
        clips = lerpmesh.read_clips(new, 50, file_name="a.cfg").clips
        groups = lerpmesh.write_clips(clips, 50, format="framegroups")
        self.assertIn(b"31 5 12.5 0 // TROT\n", groups)
        self.assertEqual(clips, lerpmesh.read_clips(groups, 50, file_name="a.framegroups").clips)
        with self.assertRaises(lerpmesh.Error):
            lerpmesh.change_clip(text, 50, 2, Clip("TROT", 31, 5, fps=12.5))
        with self.assertRaisesRegex(lerpmesh.Error, "name"):
            lerpmesh.change_clip(text, 50, 1, Clip("two words", 30, 6, fps=10), file_name="animation.cfg")

    def test_views_of_a_mesh_are_edited_in_place(self):
        mesh = Mesh.from_model(lerpmesh.load(package.TICK))
        before = mesh.surfaces[0].positions.copy()
        mesh.surfaces[0].positions *= 2
        encoded = mesh.encode("md2")
        self.assertAlmostEqual(lerpmesh.compare(Mesh.from_model(lerpmesh.load(package.TICK)), mesh).all.max,
                               np.linalg.norm(before, axis=-1).max(), 3)
        self.assertLess(encoded.report.max_error, 0.3)
        kept = mesh.encode("md2", keep_numbers=True).report.sources
        np.testing.assert_array_equal(kept, [(0, vertex) for vertex in range(before.shape[1])])

    def test_meshes_are_changed(self):
        mesh = wave_mesh()
        chosen = mesh.select_frames([3, 0.5, (11, 0, 0.25)], [Clip("all", 0, 3)])
        p = mesh.surfaces[0].positions
        np.testing.assert_allclose(chosen.surfaces[0].positions, [p[3], (p[0] + p[1]) / 2, p[11] * 0.75 + p[0] * 0.25],
                                   atol=1e-5)
        self.assertEqual([clip.name for clip in chosen.clips], ["all"])
        self.assertEqual(mesh.resample(24).clips[0].fps, 24)
        matrix = np.diag([2, 2, 2, 1]).astype(np.float32)
        matrix[:3, 3] = 1, 2, 3
        np.testing.assert_allclose(mesh.transform(matrix).surfaces[0].positions, p * 2 + (1, 2, 3), atol=1e-5)
        self.assertLessEqual(len(mesh.decimate(60).surfaces[0].triangles), 62)
        for wrong in (np.zeros((4, 4)), np.eye(3)):
            with self.assertRaises((lerpmesh.Error, ValueError)):
                mesh.transform(wrong)
        with self.assertRaises(lerpmesh.Error):
            mesh.select_frames([99])

    def test_wrong_meshes_are_rejected(self):
        def broken(**changes):
            mesh = wave_mesh()
            for name, value in changes.items():
                setattr(mesh if hasattr(mesh, name) else mesh.surfaces[0], name, value)
            return mesh

        nan = wave_mesh().surfaces[0].positions.copy()
        nan[3, 3] = math.nan
        wrong = [broken(triangles=[[0, 1, 81]]), broken(triangles=np.array([[0, 1, -1]])), broken(triangles=[0, 1, 2]),
                 broken(positions=nan), broken(positions=nan[0]), broken(positions=nan[:, :, :2]),
                 broken(normals=nan[:5]), broken(uvs=[[0, 0]]), broken(uvs=[0.0]), broken(uv_triangles=[[0, 0, 0]]),
                 broken(clips=[Clip("far", 5, 99)]), broken(clips=[Clip("loop", 0, 2, loop_frames=3)]),
                 broken(clips=[Clip("rate", 0, 2, math.nan)]), broken(tags={"short": np.eye(4)[None]}),
                 broken(tags={"flat": np.zeros((12, 3, 3))}), broken(frame_names=["one"]), broken(skins=["a\0b"]),
                 broken(embedded_skins=[lerpmesh.EmbeddedSkin(np.zeros((1, 2, 2), np.uint8), None)]),
                 broken(surfaces=[]), Mesh([])]
        for number, mesh in enumerate(wrong):
            if number != len(wrong) - 2:
                with self.subTest(number), self.assertRaises((lerpmesh.Error, ValueError)):
                    mesh.encode("md3")
        for options in ({"engine": "doom"}, {"strips": "none at all"}):
            with self.assertRaises(ValueError):
                wave_mesh().encode("md2", **options)
        with self.assertRaises(ValueError):
            wave_mesh().encode("fbx")
        with self.assertRaises(lerpmesh.Error) as caught:
            wave_mesh().encode("md2", max_error=1e-9)
        self.assertEqual(caught.exception.code, "limit")

    def test_embedded_skins_become_an_mdl(self):
        mesh = wave_mesh()
        mesh.tags, mesh.skins, mesh.skin_size = {}, ["a", "b"], (8, 4)
        rng = np.random.default_rng(28)
        one, two = (rng.integers(0, 255, (count, 4, 8), np.uint8) for count in (1, 2))
        mesh.embedded_skins = [lerpmesh.EmbeddedSkin(one, None), lerpmesh.EmbeddedSkin(two, (0.0, 0.25, 0.5))]
        model = lerpmesh.load(mesh.encode("mdl").data)
        for skin, want in zip(model.embedded_skins, (one, two)):
            np.testing.assert_array_equal(skin.indices, want)
        self.assertEqual(model.embedded_skins[1].times, (0.0, 0.25, 0.5))
        self.assertEqual(model.palette.shape, (256, 3))

    def test_shared_grids(self):
        pieces = [wave_mesh(shift=shift) for shift in (0.0, 40.0)]
        models = [lerpmesh.load(piece.encode("md2", shared_grid=[pieces[1 - i]]).data)
                  for i, piece in enumerate(pieces)]
        self.assertEqual([f.scale for f in models[0].frames], [f.scale for f in models[1].frames])


class Documents(unittest.TestCase):
    def test_clips_of_a_file(self):
        document = Document(package.TICK)
        document.use_clips([Clip("IDLE1", 0, 1, fps=10), Clip("RELOAD1", 3, 4, fps=10)])
        names = document.names("frames")
        document.drop("clips", "idle1")
        document.keep("clips", "RELOAD1")
        self.assertEqual(document.names("frames"), names[3:7])
        with self.assertRaises(lerpmesh.Error):
            document.use_clips([Clip("far", 2, 4, fps=10)])

    def test_changes(self):
        document = Document(package.TICK)
        names = document.names("frames")
        clips = document.names("clips")
        document.rename("clips", 0, "greet")
        self.assertEqual(document.names("clips")[0], "greet")
        self.assertEqual(document.substitute("skins", "s,players/,models/,"), 1)
        self.assertEqual(document.names("skins"), ["models/tick/tick.pcx"])
        document.add_skin("models/tick/two.pcx")
        self.assertEqual(document.clip(1).start, document.clip(0).stop)
        document.reverse(clips[1])
        document.drop("clips", clips[2])
        self.assertNotIn(clips[2], document.names("clips"))
        document.append(Document(package.TICK))
        self.assertEqual(len(document.names("frames")), 2 * len(names) - sum(n.startswith(clips[2]) for n in names))
        document.select("frames", [1, 0])
        self.assertEqual(document.names("frames"), ["greet02", "greet01"])
        model = lerpmesh.load(document.encode())
        self.assertEqual((model.num_frames, len(model.skins)), (2, 2))
        self.assertIn(("skin 0", "players/tick/tick.pcx", "models/tick/tick.pcx"), document.changes)
        for call in (lambda: document.rename("tags", 0, "x"), lambda: document.rename("skins", 9, "x"),
                     lambda: document.rename("skins", 0, "x" * 99), lambda: document.substitute("skins", "s/(/"),
                     lambda: document.select("frames", []), lambda: document.append(Document(
                         make_models.make_model("md3", 28, 1)[0]))):
            with self.assertRaises(lerpmesh.Error):
                call()
        with self.assertRaises(ValueError):
            document.names("bones")

    def test_transforms_and_tags(self):
        document = Document(wave_mesh().encode("md3").data)
        self.assertEqual((document.format, document.names("tags")), ("md3", ["tag_top"]))
        document.add_tag("tag_new", (8, 8, 8))
        document.move_tag(0, (1, 0, 0))
        document.transform(quarter_turns=1, move=(0, 0, 1))
        with self.assertRaises(lerpmesh.Error) as caught:
            document.transform(scale=1.01)
        self.assertEqual(caught.exception.code, "rounding")
        model = lerpmesh.load(document.encode())
        np.testing.assert_allclose(model.tag("tag_new", 0)[:3, 3], (-8, 8, 9), atol=1e-4)
        np.testing.assert_allclose(model.tag("tag_top", 2)[:3, 3], (0, 1, 3), atol=1e-4)
        document.compute_normals()
        document.compute_bounds()
        document.remove_unused()
        self.assertLess(document.reencode(degrees=30, fps=6), 0.1)
        document.keep("tags", "tag_new")
        self.assertEqual(document.names("tags"), ["tag_new"])


class Scenes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def test_weapon(self):
        """A weapon of Return to Castle Wolfenstein: the models of the surfaces' pieces, which are read again."""
        sheet = wave_mesh().surfaces[0]
        still = [MeshSurface(name, np.repeat(sheet.positions[:1], 6, 0), sheet.triangles, piece=name)
                 for name in ("v_gun", "v_gun_barrel")]
        place = np.tile(np.eye(4, dtype=np.float32), (6, 1, 1))
        mesh = Mesh(still, [Clip("RELOAD1", 0, 6, 12.0)], {"tag_weapon": place, "tag_barrel": place})
        made = lerpmesh.compose(mesh, player="weapon")
        self.assertEqual([(name, model.num_frames) for name, model in made.models.items()],
                         [("v_gun_hand", 6), ("v_gun", 1), ("v_gun_barrel", 1)])
        self.assertEqual((len(made.player_clips), made.player_clips[7].count), (10, 6))
        made = lerpmesh.convert(mesh, "mdc", f"{self.root}/gun/", write=True, weapon=True)
        self.assertEqual(sorted(made.files), ["v_gun.mdc", "v_gun_barrel.mdc", "v_gun_hand.mdc", "weapon.cfg"])
        self.assertEqual(len(lerpmesh.open(f"{self.root}/gun").parts), 3)

    def player(self):
        """Writes a player of three parts, from a glTF scene, and returns its folder."""
        (self.root / "robot.glb").write_bytes(robot())
        imported = lerpmesh.import_mesh(self.root / "robot.glb", fps=10, images=True)
        textures = [lerpmesh.SurfaceImage(surface.name, lerpmesh.read_image(imported.images[index].data))
                    for surface, index in zip(imported.mesh.surfaces, imported.surface_images[0])]
        folder = self.root / "base" / "models" / "players" / "robot"
        steps: list[tuple[float, str]] = []
        made = lerpmesh.convert(imported.mesh, "md3", f"{folder}/", write=True, player=True, textures=textures,
                                progress=lambda *step: steps.append(step))
        self.assertEqual(list(made.reports), ["lower.md3", "upper.md3", "head.md3"])
        self.assertLessEqual({"opening", "composing", "encoding"}, {what for _, what in steps})
        self.assertEqual(steps, sorted(steps, key=lambda step: step[0]))
        parts = lerpmesh.compose(imported.mesh, player="quake3", textures=textures, format="md3", path="robot.md3",
                                 folder="models/players/robot")
        self.assertEqual({f"{name}.md3": model.encode("md3", sidecar_clips=True).data for name, model in parts.models.items()},
                         {name: data for name, data in made.files.items() if name.endswith(".md3")})
        self.assertEqual(len(parts.player_clips), 25)
        return folder

    def test_a_player_is_composed_and_opened(self):
        folder = self.player()
        with lerpmesh.open(folder / "lower.md3", related=True) as scene:
            self.assertEqual([(part.name, part.parent, part.tag) for part in scene.parts],
                             [("lower", None, None), ("upper", 0, "tag_torso"), ("head", 1, "tag_head")])
            self.assertTrue(all(material.texture for part in scene.parts for material in part.skin.materials))
            poses = scene.pose("LEGS_RUN+TORSO_ATTACK", 0.15)
            self.assertNotEqual(poses[0].frame_a, 0)
            world = scene.transforms(poses)
            torso = scene.parts[0].model.tag("tag_torso", poses[0])
            np.testing.assert_allclose(world[1], torso, atol=1e-5)
            np.testing.assert_allclose(world[2], torso @ scene.parts[1].model.tag("tag_head", poses[1]), atol=1e-4)
            self.assertIn("LEGS_RUN", [clip.name for clip in scene.parts[0].clips])
            self.assertTrue(scene.parts[0].clips_path.endswith("animation.cfg"))
            joined = lerpmesh.compose(scene)
            self.assertEqual(len(joined.mesh.surfaces), sum(len(part.model.surfaces) for part in scene.parts))
            with self.assertRaises(lerpmesh.Error):
                scene.transforms([(999, 0, 0.0)] * 3)
            with self.assertRaises(ValueError):
                scene.transforms(poses[:1])

    def test_archives(self):
        folder = self.player()
        with zipfile.ZipFile(self.root / "pak0.pk3", "w", zipfile.ZIP_DEFLATED) as pk3:
            for path in folder.iterdir():
                pk3.write(path, path.relative_to(self.root / "base"))
        with lerpmesh.Archive(self.root / "pak0.pk3") as archive:
            names = [member.path for member in archive.members]
            self.assertIn("models/players/robot/lower.md3", names)
            self.assertEqual(archive.read("MODELS/players/robot/lower.md3"), (folder / "lower.md3").read_bytes())
            with self.assertRaises(lerpmesh.Error):
                archive.read("none")
        with self.assertRaises(ValueError):
            archive.members
        models = lerpmesh.list_models(self.root / "pak0.pk3")
        lower = next(path for path in models if path.endswith("lower.md3"))
        self.assertEqual(lerpmesh.read_file(lower), (folder / "lower.md3").read_bytes())
        with lerpmesh.open(lower, related=True) as scene:
            self.assertEqual(len(scene.parts), 3)
            self.assertEqual(scene.parts[0].data, (folder / "lower.md3").read_bytes())
            self.assertTrue(scene.textures)
        (self.root / "empty").mkdir()
        with self.assertRaises(lerpmesh.Error):
            lerpmesh.list_models(self.root / "empty")

    def test_another_skin_reads_no_model_again(self):
        player = self.root / "models" / "players" / "tick"
        shutil.copytree(package.SOURCE / "samples/models/players/tick", player)
        for path in player, player / "lower.md3":
            with self.subTest(path=path):
                scene = lerpmesh.open(path, related=True)
                names = [texture.name for texture in scene.textures]
                models = {model: model.read_bytes() for model in player.glob("*.md3")}
                for model in models:
                    model.write_bytes(b"")
                red = scene.with_skin("red")
                scene.close()
                self.assertEqual(len(red.parts), 3)
                self.assertNotEqual([texture.name for texture in red.textures], names)
                self.assertTrue(np.isfinite(red.parts[2].model.sample(0)[0]).all())
                for model, data in models.items():
                    model.write_bytes(data)

    def test_skins_images_and_attachments(self):
        scene = lerpmesh.open(package.TICK)
        texture = scene.parts[0].skin.materials[0].texture
        self.assertEqual((texture.size, texture.alpha), ((256, 256), "opaque"))
        pixels = lerpmesh.read_image(package.TICK.with_suffix(".pcx"))
        np.testing.assert_array_equal(texture.pixels, pixels)
        self.assertFalse(texture.pixels.flags.writeable)
        for kind in ("png", "tga"):
            np.testing.assert_array_equal(lerpmesh.read_image(lerpmesh.write_image(pixels, kind)), pixels)
        palette = np.arange(768, dtype=np.uint8).reshape(256, 3)
        self.assertEqual(lerpmesh.read_image(lerpmesh.write_image(pixels, "pcx", palette)).shape, pixels.shape)
        self.assertEqual([choice.name for choice in scene.skin_choices], ["tick"])
        (self.root / "red.png").write_bytes(lerpmesh.write_image(pixels[:64, :32], "png"))
        red = lerpmesh.open(package.TICK, skin=str(self.root / "red.png"))
        self.assertEqual(red.textures[0].size, (32, 64))
        self.assertEqual(lerpmesh.open(package.TICK, skin=0, images="found").textures, ())
        torch = package.SOURCE / "samples" / "tick_torch.mdl"
        both = lerpmesh.open(package.TICK, attach=[(None, torch)], clips="none")
        self.assertEqual((both.parts[1].parent, both.parts[1].follows), (0, True))
        for options in ({"skin": "none.png"}, {"clips": "none.cfg"}, {"attach": [("tag_none", torch)]},
                        {"games": [self.root / "none"]}):
            try:
                found = lerpmesh.open(package.TICK, **options)
                self.assertTrue(any(each.severity == "error" for each in found.diagnostics), options)
            except lerpmesh.Error:
                pass
        for options in ({"images": "all"}, {"engine": "doom"}, {"alpha": "half"}):
            with self.assertRaises(ValueError):
                lerpmesh.open(package.TICK, **options)

    def test_conversions(self):
        """convert() gives and writes the same files as the command, with the same options, from every kind of source."""
        (self.root / "robot.glb").write_bytes(robot())
        mesh = Mesh.from_model(lerpmesh.load(package.TICK))
        for source, kind, words, options in (
                (package.TICK, "glb", ["--quantize", "--clip", "run", "--clip", "stand"],
                 {"quantize": True, "clip": ["run", "stand"]}),
                (package.TICK, "gltf", ["--for", "godot", "--unlit"], {"for_": "godot", "unlit": True}),
                (package.TICK, "obj", ["--frames", "3.5"], {"frames": 3.5}),
                (package.TICK, "mdl", ["--frames", "0-39", "--scale", "2"], {"frames": "0-39", "scale": 2}),
                (package.TICK, "md3", ["--player"], {"player": True}),
                (package.TICK, "mdc", ["--max-error", ".1", "--write-clips"], {"max_error": .1, "write_clips": True}),
                (self.root / "robot.glb", "md2", ["--fps", "10"], {"fps": 5, "options": "--fps 10"})):
            with self.subTest(kind=kind, options=options):
                ours, theirs = self.root / "ours" / kind, self.root / "theirs" / kind
                ours.mkdir(parents=True), theirs.mkdir(parents=True)
                made = lerpmesh.convert(source, kind, ours / f"a.{kind}", write=True, **options)
                subprocess.run([os.environ["LERPMESH_BINARY"], "convert", "-q", source, "-o", theirs / f"a.{kind}", *words],
                               check=True)
                expected = {path.name: path.read_bytes() for path in theirs.iterdir()}
                self.assertEqual(made.files, expected)
                self.assertEqual({path.name: path.read_bytes() for path in ours.iterdir()}, expected)
                self.assertEqual(made.data, expected[f"a.{kind}"])
        with lerpmesh.open(package.TICK) as scene:
            self.assertEqual(lerpmesh.convert(scene, "md3").data, lerpmesh.convert(package.TICK, "md3").data)
        self.assertEqual(lerpmesh.convert(mesh, "md3").data, mesh.encode("md3").data)
        model = lerpmesh.load(package.TICK)
        self.assertEqual(lerpmesh.convert(model, "glb").data[:4], b"glTF")
        obj = lerpmesh.convert(model, "obj", frames=3.5, axes="model").data.decode()
        first = np.array([line.split()[1:] for line in obj.splitlines() if line.startswith("v ")], float)
        np.testing.assert_allclose(first.max(0), model.sample(3.5)[0].max(0), atol=1e-3)
        for source, options, code in ((package.TICK, {"max_error": "x"}, "bad-argument"),
                                      (package.TICK, {"quantize": True}, "bad-argument"), ("missing.md2", {}, "io")):
            with self.assertRaises(lerpmesh.Error) as caught:
                lerpmesh.convert(source, "md3", **options)
            self.assertEqual(caught.exception.code, code, options)
        with self.assertRaises(ValueError):
            lerpmesh.convert(package.TICK, "md3", write=True)
        with self.assertRaises(TypeError):
            lerpmesh.convert(package.TICK, "md3", no_such_option=1)
        pixels = np.full((4, 4, 4), 255, np.uint8)
        for source, textures in ((mesh, [None, None]), (mesh, [pixels / 255]), (mesh, ["a.png"]), (package.TICK, [pixels])):
            with self.assertRaises(ValueError):
                lerpmesh.convert(source, "md3", "a.md3", textures=textures)
        self.assertIn("dropped", lerpmesh.convert(mesh, "md3", textures=[pixels]).notes[0].text)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.md2")
            content = bytearray(Path(package.TICK).read_bytes())
            triangles = int.from_bytes(content[52:56], "little")
            content[triangles:triangles + 2] = b"\x7f\x7f"
            Path(path).write_bytes(content)
            notes = lerpmesh.convert(path, "glb", repair=True).notes
            self.assertEqual([(note.code, note.subject) for note in notes], [("ok", path), ("vertex-index", path)])
        with self.assertRaises(lerpmesh.Error) as caught:
            lerpmesh.convert(mesh, "md3", progress=lambda share, what: what != "encoding")
        self.assertEqual(caught.exception.code, "stopped")
        with self.assertRaises(ZeroDivisionError):
            lerpmesh.convert(mesh, "md3", progress=lambda share, what: bool(1 / 0))

    def test_convert_check_optimize_compare(self):
        report = lerpmesh.check(package.TICK, engine="quake2")
        self.assertEqual((report.format, report.num_errors), ("md2", 0))
        self.assertEqual(lerpmesh.check(b"nothing").problems[0].code, "unknown-format")
        for kind in FORMATS:
            converted = lerpmesh.convert(package.TICK, kind)
            self.assertEqual(lerpmesh.load(converted.data).format, kind)
            self.assertEqual(converted.report.format, kind)
        large = Mesh.from_model(lerpmesh.load(package.TICK)).encode("md2", strips="fast").data
        small = lerpmesh.optimize(large)
        self.assertLess(len(small.data), small.size_before)
        self.assertEqual(small.size_before - sum(gain.bytes for gain in small.gains.values()), len(small.data))
        found = lerpmesh.compare(large, small.data)
        self.assertEqual((found.all.max, found.max_uv, found.differences), (0.0, 0.0, []))
        self.assertEqual(lerpmesh.compare(package.TICK, wave_mesh()).differences[0].severity, "note")

    def test_imports(self):
        data = robot()
        imported = lerpmesh.import_mesh(data, fps=10, tags=[("tag_extra", "h_face")], images=True, loops=["run"])
        self.assertIn("tag_extra", imported.mesh.tags)
        self.assertEqual(len(imported.images), 4)
        self.assertEqual(lerpmesh.read_image(imported.images[0].data).shape[2], 4)
        run = next(clip for clip in imported.mesh.clips if clip.name == "run")
        self.assertEqual(run.loop_frames, run.count)
        # A .gltf with its data in a file; a path outside of its folder is rejected.
        size = struct.unpack_from("<I", data, 12)[0]
        document = json.loads(data[20:20 + size])
        for uri, works in (("data.bin", True), ("../data.bin", False), ("none.bin", False)):
            document["buffers"][0]["uri"] = uri
            folder = self.root / "in"
            folder.mkdir(exist_ok=True)
            (folder / "a.gltf").write_text(json.dumps(document), encoding="utf-8")
            for place in (folder, self.root):
                (place / "data.bin").write_bytes(data[28 + size:])
            if works:
                again = lerpmesh.import_mesh(folder / "a.gltf", fps=10)
                np.testing.assert_array_equal(again.mesh.surfaces[0].positions, imported.mesh.surfaces[0].positions)
            else:
                with self.assertRaises(lerpmesh.Error) as caught:
                    lerpmesh.import_mesh(folder / "a.gltf")
                self.assertIn(Path(uri).name, str(caught.exception))
        with self.assertRaises(lerpmesh.Error):
            lerpmesh.import_mesh(data, tags=[("tag_x", "no such node")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
