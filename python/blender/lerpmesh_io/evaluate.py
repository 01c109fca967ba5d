"""Evaluates objects of Blender frame by frame, with armatures, shape keys, modifiers and constraints, as arrays in the
axes and units of the games."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from . import clips, keys, space

SHAPES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
NO_VERTEX = 2 ** 31 - 1  # of the object: a vertex of an instance
SAME_NORMAL = 2e-3  # normals that differ less on each axis are those of one vertex


class ExportError(Exception):
    """The scene cannot be exported. `made`: the object at fault; `vertices`: of its mesh."""

    def __init__(self, text: str, made: Any = None, vertices: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.made = made
        self.vertices = vertices


@dataclass
class Surface:
    """A surface as lm_mesh_surface has it: a part of an object with one material."""
    name: str
    made: Any
    material: Any  # of Blender; may be None
    positions: np.ndarray  # [frames, vertices, 3]
    normals: np.ndarray  # the same
    st: np.ndarray  # [coordinates, 2]
    triangles: np.ndarray  # [triangles, 3], clockwise from outside
    st_triangles: np.ndarray  # [triangles, 3]
    vertices: np.ndarray  # [vertices] of the evaluated mesh; NO_VERTEX


def plain_name(name: str) -> str:
    """Removes the number that Blender appends to names that exist already."""
    return re.sub(r"\.\d{3,}$", "", name)


def read(collection: Any, name: str, width: int, kind: Any) -> np.ndarray:
    out = np.empty(len(collection) * width, dtype=kind)
    collection.foreach_get(name, out)
    return out.reshape(-1, width) if width > 1 else out


def corner_normals(mesh: Any) -> np.ndarray:
    if hasattr(mesh, "corner_normals"):  # 4.1
        return read(mesh.corner_normals, "vector", 3, np.float32)
    mesh.calc_normals_split()
    return read(mesh.loops, "normal", 3, np.float32)


@dataclass
class Sampled:
    """An object with its frames so far."""
    made: Any
    corners: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int32))  # [triangles, 3] loops
    loop_vertices: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    materials: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))  # of each triangle
    uv: np.ndarray | None = None  # [loops, 2]
    is_instance: bool = False  # of `made`
    name: str = ""
    slots: list[tuple[Any, str]] = field(default_factory=list)  # materials and their names
    mirrored: bool = False
    positions: list[np.ndarray] = field(default_factory=list)
    normals: list[Any] = field(default_factory=list)
    blend: keys.Blend | None = None  # computes the positions; None: Blender does

    def begin(self, mesh: Any, mirrored: bool) -> None:
        mesh.calc_loop_triangles()
        self.corners = read(mesh.loop_triangles, "loops", 3, np.int32)
        polygons = read(mesh.loop_triangles, "polygon_index", 1, np.int32)
        indices = read(mesh.polygons, "material_index", 1, np.int32)
        self.materials = indices[polygons] if len(polygons) else indices[:0]
        self.loop_vertices = read(mesh.loops, "vertex_index", 1, np.int32)
        layer = mesh.uv_layers.active
        self.uv = read(layer.data, "uv", 2, np.float32) if layer else None
        self.name = plain_name(self.made.name)
        self.slots = [(material.original, plain_name(material.name)) if material else (None, "")
                      for material in mesh.materials]
        self.mirrored = mirrored

    def sample(self, graph: Any, scale: float, frame: float, back: Any = None,
               needs_normals: Callable[[np.ndarray], bool] | None = None) -> None:
        """Adds the current frame. `back`: a matrix from the world to another space. `needs_normals` receives the
        positions; if it returns False, the frame's normals are None."""
        evaluated = self.made.evaluated_get(graph)
        self.add(evaluated, evaluated.matrix_world, scale, frame, back, needs_normals)

    def add(self, evaluated: Any, place: Any, scale: float, frame: float, back: Any = None,
            needs_normals: Callable[[np.ndarray], bool] | None = None) -> None:
        """Adds a frame of an evaluated object or instance, whose matrix is `place`."""
        matrix = np.array(place, dtype=np.float64)
        matrix = matrix if back is None else back @ matrix
        turn = matrix[:3, :3]
        mirrored = bool(np.linalg.det(turn) < 0)
        mesh = evaluated.to_mesh() if not self.blend or not self.positions else None
        if not self.positions:
            if mesh is None:
                return
            self.begin(mesh, mirrored)
        elif mesh and (len(mesh.loops) != len(self.loop_vertices) or len(mesh.vertices) != len(self.positions[0])):
            raise ExportError(f"{self.made.name} has {len(mesh.vertices)} vertices on frame {frame:g} and "
                              f"{len(self.positions[0])} on the first one. All frames need the same vertices.",
                              self.made)
        elif mirrored != self.mirrored:
            raise ExportError(f"{self.made.name} turns inside out on frame {frame:g}: its scale changes sign.",
                              self.made)
        local = self.blend.positions(frame) if self.blend else read(mesh.vertices, "co", 3, np.float32)
        points = local.astype(np.float64) @ turn.T + matrix[:3, 3]
        self.positions.append(space.to_game(points, scale).astype(np.float32))
        if not needs_normals or needs_normals(self.positions[-1]):
            mesh = mesh or evaluated.to_mesh()
            if self.blend:
                mesh.vertices.foreach_set("co", local.ravel())
                mesh.update()
            normals = corner_normals(mesh).astype(np.float64) @ np.linalg.pinv(turn)
            lengths = np.linalg.norm(normals, axis=1, keepdims=True)
            normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
            self.normals.append(space.to_game(normals, 1).astype(np.float32))
        else:
            self.normals.append(None)
        evaluated.to_mesh_clear()

    def split(self) -> np.ndarray:
        """Returns the drawn vertex of each loop: loops of one vertex share it if their normals are equal in all
        frames. Drawn vertices are in the order of their vertices."""
        groups = self.loop_vertices.astype(np.int64)
        for normals in self.normals:
            while len(groups):
                _, first, groups = np.unique(groups, return_index=True, return_inverse=True)
                differs = np.abs(normals - normals[first[groups]]).max(axis=1) > SAME_NORMAL
                if not differs.any():
                    break
                groups = 2 * groups + differs
        return groups

    def surfaces(self) -> Iterator[Surface]:
        """Returns a surface for each material that triangles use."""
        if not self.positions or not len(self.corners):
            return
        groups = self.split()
        positions, normals = np.array(self.positions), np.array(self.normals)
        used = np.unique(self.materials)
        for slot in used:
            material, label = self.slots[slot] if slot < len(self.slots) else (None, "")
            corners = self.corners[self.materials == slot]
            if not self.mirrored:
                corners = corners[:, [0, 2, 1]]
            _, loops, triangles = np.unique(groups[corners], return_index=True, return_inverse=True)
            loops = corners.ravel()[loops]
            vertices = self.loop_vertices[loops]
            name = f"{self.name}_{label}" if len(used) > 1 and material else self.name
            if self.uv is None:
                st, st_triangles = np.zeros((0, 2), np.float32), np.zeros((0, 3), np.uint32)
            else:
                coordinates = self.uv[corners.ravel()]
                st, st_triangles = np.unique(coordinates, axis=0, return_inverse=True)
                st = np.stack((st[:, 0], 1 - st[:, 1]), axis=1)
            yield Surface(name, self.made, material, np.ascontiguousarray(positions[:, vertices]),
                          np.ascontiguousarray(normals[:, loops]), st.astype(np.float32),
                          triangles.reshape(-1, 3).astype(np.uint32),
                          st_triangles.reshape(-1, 3).astype(np.uint32), vertices)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Returns one surface with the triangles of several: instances that one object shows with one material."""
    out = Surface(surfaces[0].name, surfaces[0].made, surfaces[0].material,
                  np.concatenate([s.positions for s in surfaces], axis=1),
                  np.concatenate([s.normals for s in surfaces], axis=1), np.concatenate([s.st for s in surfaces]),
                  np.zeros((0, 3), np.uint32), np.zeros((0, 3), np.uint32), np.zeros(0, np.int32))
    out.vertices = np.full(out.positions.shape[1], NO_VERTEX)
    first = np.cumsum([0, *(s.positions.shape[1] for s in surfaces)])
    first_st = np.cumsum([0, *(len(s.st) for s in surfaces)])
    out.triangles = np.concatenate([s.triangles + at for s, at in zip(surfaces, first)]).astype(np.uint32)
    out.st_triangles = np.concatenate([s.st_triangles + at for s, at in zip(surfaces, first_st)]).astype(np.uint32)
    return out


# ---- Tags --------------------------------------------------------------------------------------

NAME = "lerpmesh_name"  # of an object, when it was made


def is_renamed(made: Any) -> bool:
    """Returns whether an object has another name than when it was made. A number of Blender at the end does not count."""
    return NAME in made and plain_name(made.name) != plain_name(made[NAME])


def tag_name(thing: Any) -> str:
    """Returns the tag that an empty or a bone stands for; empty: none."""
    name = plain_name(thing.name) if is_renamed(thing) else str(thing.get("lerpmesh_tag", "")) or plain_name(thing.name)
    return name if name.startswith("tag_") or "lerpmesh_tag" in thing else ""


@dataclass
class Tag:
    name: str
    made: Any
    bone: str = ""
    poses: list[np.ndarray] = field(default_factory=list)  # [4, 3]: origin, axes

    def sample(self, graph: Any, scale: float, back: Any = None) -> None:
        evaluated = self.made.evaluated_get(graph)
        matrix = evaluated.matrix_world
        if self.bone:
            matrix = matrix @ evaluated.pose.bones[self.bone].matrix
        matrix = np.array(matrix, dtype=np.float64)
        self.poses.append(space.tag_pose(matrix if back is None else back @ matrix, scale))


def find_tags(objects: Sequence[Any]) -> list[Tag]:
    """Returns the tags among objects: empties, and bones of armatures, named tag_... or with the property
    lerpmesh_tag."""
    found: dict[str, Tag] = {}
    for made in objects:
        if made.type == "EMPTY" and tag_name(made):
            found.setdefault(tag_name(made), Tag(tag_name(made), made))
        for bone in made.data.bones if made.type == "ARMATURE" else ():
            if tag_name(bone):
                found.setdefault(tag_name(bone), Tag(tag_name(bone), made, bone.name))
    return list(found.values())


# ---- All ---------------------------------------------------------------------------------------

def family(made: Any) -> Iterator[Any]:
    """Returns an object, its parent, and so on."""
    while made:
        yield made
        made = made.parent


def makes_instances(made: Any) -> bool:
    """Returns whether an object may show other objects: as a collection, on its faces, as particles or by nodes."""
    kinds = {modifier.type for modifier in made.modifiers}
    return made.instance_type != "NONE" or not kinds.isdisjoint(("NODES", "PARTICLE_SYSTEM"))


class Frames:
    """Shows the frames of a scene to objects and tags that are sampled. Keys that `keys.Blend` computes stand still
    meanwhile, and the scene stays on its frame if nothing else moves."""

    def __init__(self, context: Any, player: clips.Player, sampled: Sequence[Sampled], tags: Sequence[Tag],
                 has_instances: bool = False) -> None:
        self.context, self.player, self.sampled, self.tags = context, player, sampled, tags
        self.blends = [(each, keys.Blend(each.made)) for each in sampled if keys.are_keys_alone(each.made)
                       and keys.is_modelled(context.scene)]
        self.has_instances = has_instances
        self.unneeded = keys.unneeded([each.made for each, _ in self.blends])

    def begin(self, clip: Any = None) -> None:
        """Prepares a clip of the scene; None: the timeline."""
        self.player.begin(clip)
        actions: dict[Any, keys.Curves] = {}
        for each, blend in self.blends:
            each.blend = blend if blend.read(actions) else None
        self.is_still = all(each.blend for each in self.sampled) and not any(tag.bone for tag in self.tags) and \
            not self.has_instances and all(keys.is_still(each.made) for each in (*self.sampled, *self.tags))
        for each, _ in self.blends if not self.is_still else ():
            if each.blend and each.made in self.unneeded:
                self.player.silence(each.made.data.shape_keys)

    def show(self, frame: float) -> Any:
        """Returns the evaluated scene on a frame."""
        if not self.is_still:
            self.player.show(frame)
        return self.context.evaluated_depsgraph_get()


class Evaluation:
    """Samples objects on the frames that `sample` is called for. `scale`: game units per Blender unit."""

    def __init__(self, objects: Sequence[Any], scale: float) -> None:
        self.scale = scale
        self.sampled = [Sampled(made) for made in objects if made.type in SHAPES]
        self.instancers = {made for made in objects if makes_instances(made)}
        self.instances: dict[Any, Sampled] = {}
        self.left_out: list[str] = []  # messages
        self.tags = find_tags(objects)
        self.num_frames = 0

    def sample(self, graph: Any, frame: float, back: Any = None) -> None:
        """Adds the current frame. `back`: as Sampled.sample has it."""
        for sampled in self.sampled:
            if not sampled.is_instance:
                sampled.sample(graph, self.scale, frame, back)
        if self.instancers:
            self.sample_instances(graph, frame, back)
        for tag in self.tags:
            tag.sample(graph, self.scale, back)
        self.num_frames += 1

    def sample_instances(self, graph: Any, frame: float, back: Any) -> None:
        """Adds the instances, and removes those of objects whose instances are not the same ones on all frames."""
        counts = {made: 0 for made in self.instancers}
        changed = set()
        for instance in graph.object_instances:
            made = instance.parent.original if instance.is_instance else None
            if made not in self.instancers or instance.object.type not in SHAPES:
                continue
            counts[made] += 1
            key = made, instance.object.original, tuple(instance.persistent_id)
            if not self.num_frames:
                self.instances[key] = Sampled(made, is_instance=True)
                self.sampled.append(self.instances[key])
            if key in self.instances:
                self.instances[key].add(instance.object, instance.matrix_world, self.scale, frame, back)
            else:
                changed.add(made)
        changed |= {each.made for each in self.instances.values() if len(each.positions) <= self.num_frames}
        for made in changed:
            was = sum(key[0] == made for key in self.instances)
            self.left_out.append(f"{made.name} has {was} instances on the first frame and {counts[made]} on frame "
                                 f"{frame:g}. They are left out: all frames need the same instances")
        self.instancers -= changed
        self.instances = {key: each for key, each in self.instances.items() if each.made not in changed}
        self.sampled = [each for each in self.sampled if not each.is_instance or each.made not in changed]

    def drop_last(self) -> None:
        """Forgets the last frame."""
        for sampled in self.sampled:
            if sampled.positions:
                sampled.positions.pop()
                sampled.normals.pop()
        for tag in self.tags:
            tag.poses.pop()
        self.num_frames -= 1

    def same(self, a: int, b: int, tolerance: float) -> bool:
        """Returns whether two frames are alike, within units."""
        return all(np.abs(s.positions[a] - s.positions[b]).max(initial=0) <= tolerance
                   for s in self.sampled if s.positions) and \
            all(np.abs(t.poses[a] - t.poses[b]).max() <= tolerance for t in self.tags)

    def surfaces(self) -> list[Surface]:
        """Returns all surfaces. Does not use bpy, so it may run in a thread."""
        out = [surface for sampled in self.sampled if not sampled.is_instance for surface in sampled.surfaces()]
        shown: dict[Any, list[Surface]] = {}
        for sampled in self.instances.values():
            for surface in sampled.surfaces():
                shown.setdefault((surface.made, surface.material, len(surface.st) > 0), []).append(surface)
        out += [joined(surfaces) for surfaces in shown.values()]
        seen: dict[str, int] = {}
        for surface in out:
            number = seen[surface.name] = seen.get(surface.name, 0) + 1
            if number > 1:
                surface.name = f"{surface.name}_{number}"
        return out
