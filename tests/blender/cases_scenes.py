"""Six scenes, exported in each format, against the meshes that Blender evaluates, in every frame."""
import math
from typing import Any

import bpy
import corpus
import numpy as np
import oracle
import scenes
import support

METRE = 1 / 0.0254
# Units: MD3 rounds each axis by half of 1/64, MDC by half of 0.05; MD2 and MDL by half a step of the model's size / 255.
ROUNDING = {"md3": math.sqrt(3) / 128 + 1e-3, "mdc": math.sqrt(3) * .025 + 1e-3}


def frames_kept(clips: list[scenes.Clip], shapes: list[scenes.Shape]) -> list[int]:
    """Returns the frames without the last ones of clips that end as they began, and move in between."""
    kept, first = [], 0
    for clip in clips:
        count = clip.end - clip.start + 1
        ends = np.abs(shapes[first].corners - shapes[first + count - 1].corners).max() < 1e-3
        kept += range(first, first + count - (1 if ends and count > 1 else 0))
        first += count
    return kept


def match(wanted: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Finds for each wanted triangle [frames, triangles, 3, 3] the nearest one over all frames. Returns its index and
    the turn of its corners."""
    best = np.full(wanted.shape[1], np.inf)
    index, turn = np.zeros(wanted.shape[1], int), np.zeros(wanted.shape[1], int)
    for shift in range(3):
        turned = np.roll(found, -shift, axis=2)
        for i in range(wanted.shape[1]):
            distances = np.abs(turned - wanted[:, i:i + 1]).max(axis=(0, 2, 3))
            nearest = int(distances.argmin())
            if distances[nearest] < best[i]:
                best[i], index[i], turn[i] = distances[nearest], nearest, shift
    return index, turn


def angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.degrees(np.arccos(np.clip((a * b).sum(axis=-1), -1, 1)))


class Scenes(support.Case):
    def export(self, name: str, kind: str, **options: Any) -> tuple[list[scenes.Shape], Any]:
        clips = scenes.SCENES[name]()
        shapes = scenes.shapes(clips, METRE)
        shapes = [shapes[i] for i in frames_kept(clips, shapes)]
        bpy.context.scene.lerpmesh.units = "METRES"
        path = self.save(f"{name}.{kind}", **options)
        return shapes, oracle.load_file(str(path))

    def compare(self, name: str, kind: str) -> None:
        shapes, model = self.export(name, kind)
        self.assertEqual(len(model.frames), len(shapes))
        posed = [support.corners_of(model, f) for f in range(len(shapes))]
        wanted, found = np.array([s.corners for s in shapes]), np.array([p[0] for p in posed])
        self.assertEqual(wanted.shape, found.shape)
        index, turn = match(wanted, found)
        self.assertEqual(len(set(index)), len(index))
        columns = (np.arange(3) + turn[:, None]) % 3
        size = np.ptp(wanted.reshape(-1, 3), axis=0).max()
        most = ROUNDING.get(kind, math.sqrt(3) / 2 * size / 255 + 1e-3)
        for frame, (points, normals, st) in enumerate(posed):
            error = np.linalg.norm(points[index[:, None], columns] - shapes[frame].corners, axis=-1).max()
            self.assertLess(error, most, f"{name}.{kind}: frame {frame}")
            off = angles(normals[index[:, None], columns], shapes[frame].normals)
            self.assertLess(off.mean(), 1 if kind == "md3" else 8, f"{name}.{kind}: frame {frame}")
            if kind == "md3":
                self.assertLess(off.max(), 2.5, f"{name}.{kind}: frame {frame}")
                uv = np.abs(st[index[:, None], columns] - shapes[frame].st).max()
                self.assertLess(uv, 1e-4)
        if kind in ("md3", "mdc"):
            self.compare_tags(shapes, model)

    def compare_tags(self, shapes: list[scenes.Shape], model: Any) -> None:
        self.assertEqual(sorted(model.tag_names), sorted(shapes[0].tags))
        for frame, shape in enumerate(shapes):
            for tag in model.pose(float(frame)).tags:
                wanted = shape.tags[tag.name]
                self.assertLess(np.abs(np.array(tag.position) - wanted[0]).max(), .01)
                self.assertLess(np.abs(np.array(tag.axes) - wanted[1:]).max(), 1e-3)

    def test_md3(self) -> None:
        for name in scenes.SCENES:
            with self.subTest(name):
                self.compare(name, "md3")

    def test_mdc(self) -> None:
        for name in scenes.SCENES:
            with self.subTest(name):
                self.compare(name, "mdc")

    def test_md2(self) -> None:
        for name in scenes.SCENES:
            with self.subTest(name):
                self.compare(name, "md2")

    def test_mdl(self) -> None:
        for name in "rig", "keys", "objects":
            with self.subTest(name):
                self.compare(name, "mdl")

    def test_clips(self) -> None:
        """Clips have the names and lengths of NLA tracks and markers; those that end as they began loop."""
        for name, wanted in (("rig", ["0 10 10 10 // idle", "10 15 0 10 // swing", "25 20 0 10 // fall"]),
                             ("keys", ["0 10 0 10 // stretch", "10 6 0 10 // relax"])):
            scenes.SCENES[name]()
            self.save(f"{name}.md3", replace=True)
            text = (self.folder / "animation.cfg").read_text()
            self.assertEqual([" ".join(line.split()) for line in text.splitlines()[1:] if line.strip()], wanted)


def brick(collection: Any) -> Any:
    vertices, faces = scenes.boxes([((0, 0, .5), (.2, .3, .5))])
    clay = bpy.data.materials.get("clay") or scenes.material("clay", (.7, .3, .2))
    return scenes.mesh_object("brick", vertices, faces, [clay], collection=collection)


def wall_scene(made: Any) -> None:
    """A collection with two objects, shown by an empty that moves, and again inside another collection."""
    inner, outer = bpy.data.collections.new("inner"), bpy.data.collections.new("outer")
    for i in range(2):
        made = brick(inner)
        made.location.x = i
        for loop in made.data.uv_layers.active.data:
            loop.uv[0] /= 1 + i
    for name, holder, shown in ("pair", outer, inner), ("wall", bpy.context.scene.collection, outer):
        holder_object = scenes.empty(name, (0, 0, 1), (.1, .2, .3), collection=holder)
        holder_object.instance_type, holder_object.instance_collection = "COLLECTION", shown
    for frame, x in (1, 0), (6, 3):
        holder_object.location.x = x
        holder_object.keyframe_insert("location", frame=frame)


def faces_scene(made: Any) -> None:
    """An object on the vertices of another one, mirrored."""
    made.instance_type = "VERTS"
    child = brick(bpy.context.scene.collection)
    child.parent = made
    made.scale.x = -1


def nodes_scene(made: Any) -> None:
    """Geometry nodes that show meshes of their own at points, and keep those."""
    group = bpy.data.node_groups.new("scatter", "GeometryNodeTree")
    for kind in "INPUT", "OUTPUT":
        if hasattr(group, "interface"):  # 4.0
            group.interface.new_socket("Geometry", in_out=kind, socket_type="NodeSocketGeometry")
        else:
            getattr(group, f"{kind.lower()}s").new("NodeSocketGeometry", "Geometry")
    add = group.nodes.new
    begin, end, join = add("NodeGroupInput"), add("NodeGroupOutput"), add("GeometryNodeJoinGeometry")
    scatter, cone = add("GeometryNodeInstanceOnPoints"), add("GeometryNodeMeshCone")
    for a, b in ((begin.outputs[0], scatter.inputs["Points"]), (cone.outputs[0], scatter.inputs["Instance"]),
                 (scatter.outputs[0], join.inputs[0]), (begin.outputs[0], join.inputs[0]),
                 (join.outputs[0], end.inputs[0])):
        group.links.new(a, b)
    cone.inputs["Vertices"].default_value = 5
    made.modifiers.new("scatter", "NODES").node_group = group
    for frame, size in (1, .5), (6, 1.5):
        scatter.inputs["Scale"].default_value = size, size, size
        scatter.inputs["Scale"].keyframe_insert("default_value", frame=frame)


def hair_scene(made: Any) -> None:
    """Hair that shows an object."""
    made.modifiers.new("hair", "PARTICLE_SYSTEM")
    settings = made.particle_systems[0].settings
    settings.type, settings.count, settings.render_type = "HAIR", 4, "OBJECT"
    settings.use_advanced_hair = True
    settings.instance_object = brick(bpy.context.scene.collection)


class Instances(support.Case):
    """Instances of collections, on vertices, by nodes and of particles."""

    def make(self, change: Any) -> Any:
        scenes.reset()
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=1, y_subdivisions=1, size=3)
        bpy.context.object.name = "ground"
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 6
        change(bpy.context.object)
        return bpy.context.object

    @staticmethod
    def corners(frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions and texture coordinates of all triangles that Blender shows."""
        bpy.context.scene.frame_set(frame)
        out, st = [], []
        for shown in bpy.context.evaluated_depsgraph_get().object_instances:
            mesh = shown.object.to_mesh() if shown.object.type == "MESH" else None
            for triangle in mesh.loop_triangles if mesh and not mesh.calc_loop_triangles() else ():
                order = (0, 2, 1) if shown.matrix_world.determinant() > 0 else (0, 1, 2)
                points = [shown.matrix_world @ mesh.vertices[triangle.vertices[i]].co for i in order]
                out.append(scenes.to_game(np.array(points), 1))
                layer = mesh.uv_layers.active
                uv = [layer.data[triangle.loops[i]].uv if layer else (0, 1) for i in order]
                st.append([(u, 1 - v) for u, v in uv])
            shown.object.to_mesh_clear()
        return np.array(out), np.array(st)

    def test_kinds(self) -> None:
        for change, instancer in ((wall_scene, "wall"), (faces_scene, "ground"), (nodes_scene, "ground"),
                                  (hair_scene, "ground")):
            with self.subTest(change.__name__):
                self.make(change)
                st = self.corners(1)[1]
                wanted = np.array([self.corners(frame)[0] for frame in range(1, 7)])
                model = oracle.load_file(str(self.save("out.md3")))
                self.assertLessEqual(len(model.surfaces), 3)
                self.assertIn(instancer, [surface.name for surface in model.surfaces])
                last = len(model.frames) - 1  # 0 if nothing moves
                found = np.array([support.corners_of(model, min(frame, last))[0] for frame in range(6)])
                self.assertEqual(wanted.shape, found.shape)
                index, turn = match(wanted, found)
                self.assertEqual(len(set(index)), len(index))
                columns = (np.arange(3) + turn[:, None]) % 3
                self.assertLess(np.abs(found[:, index[:, None], columns] - wanted).max(), 1 / 64)
                mapped = support.corners_of(model, 0)[2][index[:, None], columns]
                self.assertLess(np.abs(mapped - st).max(), 1e-5)

    def test_a_changing_number(self) -> None:
        """Particles that are born or die are left out; the report names their object."""
        for start, end, lifetime in (0, 4, 50), (-1, 0, 4):
            made = self.make(hair_scene)
            settings = made.particle_systems[0].settings
            settings.type, settings.frame_start, settings.frame_end, settings.lifetime = "EMITTER", start, end, lifetime
            model = oracle.load_file(str(self.save("out.md3")))
            self.assertEqual([surface.name for surface in model.surfaces], ["ground", "brick"])
            self.assertRegex(bpy.context.window_manager.lerpmesh_report,
                             r"ground has \d+ instances on the first frame and \d+ on frame \d+\. They are left out")

    def test_a_still_instancer(self) -> None:
        """The objects of a collection move, and nothing else."""
        self.make(wall_scene)
        wall = bpy.data.objects["wall"]
        wall.animation_data_clear()
        made = bpy.data.objects["brick"]
        for frame, x in (1, 0), (6, 3):
            made.location.x = x
            made.keyframe_insert("location", frame=frame)
        for each in bpy.context.scene.objects:
            each.select_set(each == wall)
        model = oracle.load_file(str(self.save("out.md3", content="SELECTED")))
        points = [support.corners_of(model, frame)[0] for frame in (0, 5)]
        self.assertGreater(np.abs(points[0] - points[1]).max(), 2)

    def test_a_selected_instance(self) -> None:
        """Only those of the chosen objects, also by a check, and next to an imported model."""
        self.make(wall_scene)
        self.load(corpus.source_dir() / "samples" / "tick.md2", set_scene=False)
        other = scenes.empty("other", (5, 0, 0))
        other.instance_type, other.instance_collection = "COLLECTION", bpy.data.collections["outer"]
        for made in bpy.context.scene.objects:
            made.select_set(made.name == "wall")
        model = oracle.load_file(str(self.save("out.md3", content="SELECTED")))
        self.assertEqual([(s.name, len(s.triangles)) for s in model.surfaces], [("wall", 24)])
        bpy.ops.lerpmesh.check()
        self.assertIn("24 triangles", bpy.context.scene.lerpmesh_checks.sizes)
        bpy.context.scene.lerpmesh_checks.engine = "quake"
        bpy.context.scene.lerpmesh_checks.format = "mdl"
        bpy.data.objects["brick"].modifiers.new("many", "SUBSURF").levels = 4
        bpy.ops.lerpmesh.check()
        self.assertTrue(any(made.name == "wall" for problem in bpy.context.scene.lerpmesh_checks.problems
                            for made, _ in problem.objects()))
        bpy.data.objects["brick"].modifiers.clear()
        for made in bpy.context.scene.objects:
            made.select_set(made.name in ("wall", "tick"))
        model = oracle.load_file(str(self.save("out.md2", content="SELECTED")))
        self.assertEqual(len(model.surfaces[0].triangles), 24 + len(bpy.data.objects["tick"].data.polygons))


class Weapon(support.Case):
    def test_a_weapon_of_objects_and_empties(self) -> None:
        """The bolt moves with its empty; the hand has the frames, and the other models are in place."""
        scenes.reset()
        wedge = [(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, .5)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
        paint = scenes.material("paint", (.3, .6, .2))
        for name, tag, place in ("v_x", "tag_weapon", (1, 2, 3)), ("v_x_barrel", "tag_barrel", (4, 2, 3)):
            holder = scenes.empty(tag, place)
            scenes.mesh_object(name, *wedge, [paint]).parent = holder
            for frame in 1, 5:
                holder.location.x = place[0] + (frame - 1) / 4
                holder.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 5
        bpy.context.scene.timeline_markers.new("RELOAD1", frame=1)
        folder = self.save("x", format="mdc", player="weapon")
        self.assertEqual({path.suffix for path in folder.iterdir()}, {".mdc", ".cfg", ".tga"})
        hand = oracle.load_file(str(folder / "v_x_hand.mdc"))
        self.assertEqual((sorted(hand.tag_names), len(hand.frames)), (["tag_barrel", "tag_weapon"], 5))
        at = hand.tag(4, hand.tag_names.index("tag_barrel"), None).position
        self.assertLess(np.abs(np.array(at) - (-2, 5, 3)).max(), .02)
        for name in "v_x", "v_x_barrel":
            points = support.corners_of(oracle.load_file(str(folder / f"{name}.mdc")), 0)[0].reshape(-1, 3)
            self.assertLess(np.abs(points.max(axis=0) - (0, 2, .5)).max(), .02, name)


class Player(support.Case):
    def test_three_parts(self) -> None:
        """The parts, put together at their tags as the game does, are the scene in each frame of a clip."""
        clips = scenes.player_scene()
        bpy.context.scene.lerpmesh.units = "METRES"
        folder = self.save("hero", format="md3", player="quake3")
        models = {name: oracle.load_file(str(folder / f"{name}.md3")) for name in ("lower", "upper", "head")}
        rows = {line.split("//")[1].strip(): [int(float(n)) for n in line.split("//")[0].split()]
                for line in (folder / "animation.cfg").read_text().splitlines() if "//" in line[1:]}
        self.assertEqual(len(rows), 25)
        death = next(clip for clip in clips if clip.name == "death")
        first, count = rows["BOTH_DEATH1"][:2]
        self.assertEqual(count, death.end - death.start + 1)
        for step in range(count):
            wanted = scenes.shape_at(death.start + step, METRE, "death")
            found = self.assembled(models, first + step)
            index, turn = match(wanted.corners[None], found[None])
            columns = (np.arange(3) + turn[:, None]) % 3
            error = np.linalg.norm(found[index[:, None], columns] - wanted.corners, axis=-1)
            self.assertLess(error.max(), .05, f"frame {step}")

    def assembled(self, models: dict[str, Any], frame: int) -> np.ndarray:
        torso = self.placed(np.eye(3), np.array([0, 0, 24.0]), models["lower"], frame, "tag_torso")
        head = self.placed(*torso, models["upper"], frame, "tag_head")
        parts = [(models["lower"], np.eye(3), np.array([0, 0, 24.0]), frame), (models["upper"], *torso, frame),
                 (models["head"], *head, 0)]
        return np.concatenate([support.corners_of(model, at)[0] @ axes + origin for model, axes, origin, at in parts])

    @staticmethod
    def placed(axes: np.ndarray, origin: np.ndarray, model: Any, frame: int, name: str) -> Any:
        tag = next(tag for tag in model.pose(float(frame)).tags if tag.name == name)
        return np.array(tag.axes) @ axes, origin + np.array(tag.position) @ axes

    def test_files(self) -> None:
        scenes.player_scene()
        folder = self.save("hero", format="md3", player="quake3")
        names = {path.name for path in folder.iterdir()}
        self.assertLessEqual({"lower.md3", "upper.md3", "head.md3", "animation.cfg", "lower_default.skin",
                              "upper_default.skin", "head_default.skin", "icon_default.tga"}, names)
        skin = (folder / "upper_default.skin").read_text()
        self.assertIn("tag_head,", skin)
        image = skin.splitlines()[0].split(",")[1]
        self.assertIn(image.rsplit("/", 1)[1], names)

    def test_quake2(self) -> None:
        scenes.player_scene()
        bpy.context.scene.lerpmesh.units = "METRES"
        model = oracle.load_file(str(self.save("tris.md2", player="quake2")))
        self.assertEqual(len(model.frames), 198)
        self.assertEqual([model.frames[i].name.rstrip("0123456789") for i in (0, 40, 197)], ["stand", "run", "death"])
