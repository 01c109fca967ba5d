"""Families of hostile glTF."""
import json
import struct

from families import add, family, gltf_of, nodes_of
from small_files import glb

FLOAT, SHORT, BYTE = 5126, 5123, 5121


def accessor(made, data, kind, count, component=FLOAT, **more):
    """Adds an accessor with its own view. Returns its number."""
    made["data"] += bytes(-len(made["data"]) % 4)
    made["bufferViews"].append({"buffer": 0, "byteOffset": len(made["data"]), "byteLength": len(data)})
    made["data"] += data
    made["buffers"][0]["byteLength"] = len(made["data"])
    made["accessors"].append({"bufferView": len(made["bufferViews"]) - 1, "componentType": component, "count": count,
                              "type": kind, **more})
    return len(made["accessors"]) - 1


def floats(values):
    values = list(values)
    return struct.pack("<%df" % len(values), *values)


def square():
    """Makes a square without a material."""
    made = gltf_of(1)
    del made["materials"], made["images"], made["textures"]
    del made["meshes"][0]["primitives"][0]["material"]
    return made


def many_faces(n):
    """Makes a mesh of n vertices in a strip of triangles."""
    made = square()
    positions = accessor(made, floats(x for i in range(n) for x in (i % 5, i // 5 % 5, i % 7)), "VEC3", n)
    corners = struct.pack("<%dH" % (3 * n), *(x for i in range(n) for x in (i, (i + 1) % n, (i + 2) % n)))
    indices = accessor(made, corners, "SCALAR", 3 * n, SHORT)
    made["meshes"][0]["primitives"] = [{"attributes": {"POSITION": positions}, "indices": indices}]
    return made


def animate(made, seconds=0.3, keys=4, targets=("translation",), nodes=(0,), animations=1, names=None):
    """Adds animations, each of which moves all nodes, with one sampler per path."""
    times = accessor(made, floats(seconds * i / (keys - 1) for i in range(keys)), "SCALAR", keys)
    samplers, channels = [], []
    for path in targets:
        width = {"translation": 3, "scale": 3, "rotation": 4}[path]
        values = accessor(made, floats(1.0 if path == "scale" else i % width == 3 for i in range(width * keys)),
                     "VEC%d" % width, keys)
        samplers.append({"input": times, "output": values})
        channels += [{"sampler": len(samplers) - 1, "target": {"node": node, "path": path}} for node in nodes]
    made["animations"] = [{"samplers": samplers, "channels": channels, **({"name": names(i)} if names else {})}
                          for i in range(animations)]
    return made


# ---- Nodes ---------------------------------------------------------------------------------------

@family((750, 3000), "convert -q a.glb -o out.md3", memory=64)
def nodes_in_a_chain(n):
    made = square()
    made["nodes"] = [{"mesh": 0, "name": "a"}] + [{"children": [i]} for i in range(n - 1)]
    made["scenes"] = [{"nodes": [n - 1]}]
    return {"a.glb": glb(made)}


@family((750, 3000), "convert -q a.glb -o out.md3", memory=64)
def children_of_one_node(n):
    made = square()
    made["nodes"] = [{"mesh": 0, "children": list(range(1, n))}] + [{"translation": [1, 2, 3]}] * (n - 1)
    return {"a.glb": glb(made)}


@family(200, "convert -q a.glb -o out.md3")
def tags_of_one_name(n):
    made = square()
    made["nodes"] = [{"mesh": 0, "name": "tag_a"}] * n + [{"mesh": 0}]
    made["scenes"] = [{"nodes": list(range(n + 1))}]
    return {"a.glb": glb(made)}


@family(200, "convert -q a.glb -o out.md3", memory=200)
def tags_in_frames(n):
    """n tags in n/8 frames."""
    made = square()
    made["nodes"] = [{"name": "tag_%d" % i} for i in range(n)] + [{"mesh": 0}]
    made["scenes"] = [{"nodes": list(range(n + 1))}]
    return {"a.glb": glb(animate(made, seconds=1, nodes=range(n)))}


@family((75, 150), "convert -q a.glb -o out.md3", memory=64)
def surfaces_of_one_long_name(n):
    made = nodes_of(square(), n)
    for node in made["nodes"]:
        node["name"] = "s" * 500
    return {"a.glb": glb(made)}


@family(50000, "convert -q a.glb -o out.md3")
def a_long_name(n):
    made = square()
    made["nodes"][0]["name"] = "s" * n
    return {"a.glb": glb(made)}


@family((10000, 20000), "convert -q a.glb -o out.md3")
def escapes_in_a_name(n):
    made = square()
    made["nodes"][0]["name"] = "\u20ac\"\\" * n
    return {"a.glb": glb(made)}


add("empty arrays", (2500, 5000), "convert -q a.gltf -o out.md3",
    lambda n: {"a.gltf": b'{"asset":{"version":"2.0"},"nodes":[' + b"[]," * n + b"0]}"}, status=1, memory=1100)
add("members of one name", 5000, "convert -q a.gltf -o out.md3",
    lambda n: {"a.gltf": b'{"asset":{"version":"2.0"},' + b'"nodes":[],' * n + b'"x":0}'}, status=1, memory=64)

# ---- Meshes --------------------------------------------------------------------------------------

add("vertices of a gltf", 2000, "convert -q a.glb -o out.md3", lambda n: {"a.glb": glb(many_faces(n))})


@family(2000, "convert -q a.glb -o out.md3")
def sparse_elements(n):
    made = many_faces(n)
    indices = struct.pack("<%dH" % n, *range(n))
    at = len(made["data"]) + -len(made["data"]) % 4
    values = floats(i % 7 for i in range(3 * n))
    made["data"] = made["data"].ljust(at, b"\0") + values + indices
    made["buffers"][0]["byteLength"] = len(made["data"])
    made["bufferViews"] += [{"buffer": 0, "byteOffset": at, "byteLength": len(values)},
                            {"buffer": 0, "byteOffset": at + len(values), "byteLength": len(indices)}]
    positions = made["accessors"][made["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    positions["sparse"] = {"count": n, "indices": {"bufferView": len(made["bufferViews"]) - 1, "componentType": SHORT},
                          "values": {"bufferView": len(made["bufferViews"]) - 2}}
    return {"a.glb": glb(made)}


@family((75, 300), "convert -q a.glb -o out.md3", memory=64)
def sparse_accessors(n):
    """n accessors that change one vertex of a view that they share; each is a primitive's."""
    made = square()
    value = accessor(made, floats((1, 2, 3)), "VEC3", 1)
    index = accessor(made, b"\1\0\0\0", "SCALAR", 1, BYTE)
    primitive = made["meshes"][0]["primitives"][0]
    for i in range(n):
        made["accessors"].append({**made["accessors"][0], "sparse": {
            "count": 1, "indices": {"bufferView": made["accessors"][index]["bufferView"], "componentType": BYTE},
            "values": {"bufferView": made["accessors"][value]["bufferView"]}}})
    made["meshes"][0]["primitives"] = [
        {**primitive, "attributes": {**primitive["attributes"], "POSITION": len(made["accessors"]) - 1 - i}}
        for i in range(n)]
    return {"a.glb": glb(made)}


@family((500, 700), "convert -q a.glb -o out.md3", memory=64, status=1)
def accessors_of_one_sparse_list(n):
    """Each of n primitives has a sparse accessor of its own, with the elements of all others."""
    made, count = square(), 16 * n
    values = accessor(made, floats([1] * 3 * count), "VEC3", count)
    index = accessor(made, struct.pack("<%dH" % count, *range(count)), "SCALAR", count, SHORT)
    views = [made["accessors"][one]["bufferView"] for one in (index, values)]
    corners = accessor(made, struct.pack("<3H", 0, 1, 2), "SCALAR", 3, SHORT)
    first = len(made["accessors"])
    made["accessors"] += [{"componentType": 5126, "type": "VEC3", "count": count, "min": [0] * 3, "max": [1] * 3, "sparse": {
        "count": count, "indices": {"bufferView": views[0], "componentType": SHORT}, "values": {"bufferView": views[1]}}}] * n
    made["meshes"][0]["primitives"] = [{"attributes": {"POSITION": first + i}, "indices": corners} for i in range(n)]
    return {"a.glb": glb(made)}


def triangles_of_many(made, n, **attributes):
    """Makes n primitives, each a triangle of a strip of 16 n vertices that all of them share."""
    indices = accessor(made, struct.pack("<%dH" % (n + 2), *(i * 15 for i in range(n + 2))), "SCALAR", 3, SHORT)
    first = made["accessors"].pop(indices)
    made["meshes"][0]["primitives"] = []
    for i in range(n):
        made["accessors"].append({**first, "byteOffset": 2 * i})
        made["meshes"][0]["primitives"].append({"attributes": attributes, "indices": indices + i})
    return made


@family((100, 300), "convert -q a.glb -o out.md3", memory=64)
def primitives_of_one_accessor(n):
    made, count = skinned(1), 16 * n
    places = accessor(made, floats(x for i in range(count) for x in (i % 5, i // 5 % 5, i % 7)), "VEC3", count)
    zeros = accessor(made, bytes(8 * count), "VEC2", count)
    joints = accessor(made, bytes(4 * count), "VEC4", count, BYTE)
    weights = accessor(made, floats([1, 0, 0, 0] * count), "VEC4", count)
    return {"a.glb": glb(triangles_of_many(made, n, POSITION=places, NORMAL=places, TEXCOORD_0=zeros, JOINTS_0=joints,
                                           WEIGHTS_0=weights))}


@family((100, 300), "convert -q a.glb -o out.md3", memory=64)
def primitives_of_one_sparse_accessor(n):
    made, count = square(), 16 * n
    values = accessor(made, floats(x for i in range(count) for x in (i % 5, i // 5 % 5, i % 7)), "VEC3", count)
    index = accessor(made, struct.pack("<%dH" % count, *range(count)), "SCALAR", count, SHORT)
    places = made["accessors"][values]
    places["sparse"] = {"count": count, "values": {"bufferView": places.pop("bufferView")}, "indices": {
        "bufferView": made["accessors"][index]["bufferView"], "componentType": SHORT}}
    return {"a.glb": glb(triangles_of_many(made, n, POSITION=values))}


@family(100, "convert -q a.glb -o out.md3", memory=64)
def morph_targets(n):
    made = square()
    made["meshes"][0]["primitives"][0]["targets"] = [
        {"POSITION": accessor(made, floats([0.01] * 12), "VEC3", 4)} for _ in range(n)]
    made["meshes"][0]["weights"] = [0.5 / n] * n
    return {"a.glb": glb(made)}


@family(2000, "convert -q a.glb -o out.md3")
def morph_targets_of_one_accessor(n):
    made = square()
    target = accessor(made, floats(range(12)), "VEC3", 4)
    made["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": target}] * n
    return {"a.glb": glb(made)}


# ---- Skins ---------------------------------------------------------------------------------------

def skinned(joints, skins=1, nodes=1):
    """Makes nodes of a square, each with a skin of all joints."""
    made = square()
    weights = accessor(made, floats([1, 0, 0, 0] * 4), "VEC4", 4)
    numbers = accessor(made, bytes(16), "VEC4", 4, BYTE)
    made["meshes"][0]["primitives"][0]["attributes"] |= {"JOINTS_0": numbers, "WEIGHTS_0": weights}
    made["nodes"] = [{"mesh": 0, "skin": i % skins} for i in range(nodes)] + [{} for _ in range(joints)]
    made["skins"] = [{"joints": list(range(nodes, nodes + joints))}] * skins
    made["scenes"] = [{"nodes": list(range(nodes + joints))}]
    return made


add("joints", 1000, "convert -q a.glb -o out.md3", lambda n: {"a.glb": glb(skinned(n))}, memory=64)
add("skins of a joint", (150, 300), "convert -q a.glb -o out.md3", lambda n: {"a.glb": glb(skinned(1, n, n))}, memory=64)
add("nodes of a skin", (125, 500), "convert -q a.glb -o out.md3", lambda n: {"a.glb": glb(skinned(n, 1, n))}, memory=64)


@family((150, 300), "convert -q a.glb -o out.md3", memory=64)
def skins_of_one_accessor(n):
    """Skins whose joints are not listed twice, but whose matrices are."""
    made = skinned(1, n, 1)
    matrices = accessor(made, bytes(64 * 40 * n), "MAT4", 40 * n)
    made["skins"] = [{"joints": [1], "inverseBindMatrices": matrices} for _ in range(n)]
    return {"a.glb": glb(made)}


@family(60, "convert -q a.glb -o out.md3", memory=64)
def sets_of_joints(n):
    made = skinned(1)
    attributes = made["meshes"][0]["primitives"][0]["attributes"]
    for i in range(1, n):
        attributes |= {"JOINTS_%d" % i: attributes["JOINTS_0"], "WEIGHTS_%d" % i: attributes["WEIGHTS_0"]}
    return {"a.glb": glb(made)}


# ---- Animations ----------------------------------------------------------------------------------

add("animations", 300, "convert -q a.glb -o out.md3",
    lambda n: {"a.glb": glb(animate(square(), animations=n, names=lambda i: "a%d" % i))}, memory=64)
add("animations of one name", 300, "convert -q a.glb -o out.md3",
    lambda n: {"a.glb": glb(animate(square(), animations=n, names=lambda i: "run"))}, memory=64)
add("animations without a name", 300, "convert -q a.glb -o out.mdl",
    lambda n: {"a.glb": glb(animate(square(), animations=n))}, memory=64)


@family(300, "convert -q a.glb --player -f -o out.md3", memory=64)
def animations_of_a_player(n):
    made = animate(gltf_of(1), animations=n, names=lambda i: "LEGS_%d" % i)
    return {"a.glb": glb(made)}


def player_of(count, name):
    """Makes a player whose lower body has `count` squares of two materials."""
    made = gltf_of(2)
    made["nodes"] = [{"mesh": 0, "name": name(i)} for i in range(count)]
    made["nodes"] += [{"name": part, "mesh": 0} for part in ("u_torso", "h_head")]
    made["nodes"] += [{"name": tag, "translation": [0, 1, 0]} for tag in ("tag_torso", "tag_head", "tag_weapon")]
    made["scenes"] = [{"nodes": list(range(count + 5))}]
    return made


add("surfaces of a whole player", (50, 100), "convert -q a.glb --player -f -o out/hero/",
    lambda n: {"a.glb": glb(player_of(n, lambda i: "l_%c_%c" % (ord("a") + i % 7, ord("0") + i % 10)))}, memory=76)
add("equal surfaces of a player", (50, 100), "convert -q a.glb --player -f -o out/hero/",
    lambda n: {"a.glb": glb(player_of(n, lambda i: "l_same"))}, memory=77)


@family(200, "convert -q a.glb --player -f -o out/hero/")
def animations_of_a_whole_player(n):
    made = animate(player_of(1, lambda i: "l_legs"), animations=n, names=lambda i: "clip%d" % i if i else "run")
    return {"a.glb": glb(made)}


@family(1000, "convert -q a.glb --player -f -o out/hero/")
def bodies_in_a_chain(n):
    made = player_of(1, lambda i: "l_legs")
    made["nodes"] += [{"name": "upper"} for _ in range(n)]
    for i in range(6, n + 6):
        made["nodes"][i - 1]["children"] = [i] if i < n + 5 else []
    made["nodes"][n + 5]["mesh"] = 0
    return {"a.glb": glb(made)}


@family((200, 400), "convert -q a.glb --fps 10 -o out.md3")
def channels(n):
    made = square()
    made["nodes"] += [{} for _ in range(n)]
    return {"a.glb": glb(animate(made, targets=("translation", "rotation", "scale"), nodes=range(n)))}


add("channels of one node", (750, 1500), "convert -q a.glb --fps 10 -o out.md3",
    lambda n: {"a.glb": glb(animate(square(), nodes=[0] * n))})
add("keys of a channel", 3000, "convert -q a.glb --fps 10 -o out.md3",
    lambda n: {"a.glb": glb(animate(square(), keys=n))})


@family(200, "convert -q a.glb -o out.md3", memory=64)
def samplers_of_one_accessor(n):
    """n samplers of n keys each, all of the same bytes."""
    made = square()
    made["nodes"] += [{} for _ in range(n)]
    animate(made, keys=8 * n)
    sampler = made["animations"][0]["samplers"][0]
    made["animations"][0] = {"samplers": [sampler] * n, "channels": [
        {"sampler": i, "target": {"node": i, "path": "translation"}} for i in range(n)]}
    return {"a.glb": glb(made)}


@family(40, "convert -q a.glb -o out.md3", memory=64)
def weights_in_keys(n):
    made = square()
    target = accessor(made, floats(range(12)), "VEC3", 4)
    made["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": target}] * n
    times = accessor(made, floats(i / 10 for i in range(20)), "SCALAR", 20)
    values = accessor(made, floats(i % 7 / 7 / n for i in range(20 * n)), "SCALAR", 20 * n)
    made["animations"] = [{"samplers": [{"input": times, "output": values}],
                           "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}]
    return {"a.glb": glb(made)}


# ---- Files of ours ---------------------------------------------------------------------------------

def exported(made, frames, clips, **more):
    """Describes the frames and clips, as convert does."""
    made["scenes"][0]["extras"] = {"frames": [""] * frames, "clips": clips, **more}
    return {"a.glb": glb(made)}


def clip(first, count, **more):
    return {"first": first, "count": count, "fps": 10, **more}


@family(300, "convert -q a.glb -o out.md3", memory=64)
def clips_of_animations(n):
    """No animation has the length of its clip."""
    return exported(animate(square(), animations=n, names="a{}".format), n,
                    [clip(i, 1, name="c%d" % i, animation="a%d" % i) for i in range(n)])


@family(300, "convert -q a.glb -o out.md3", memory=64)
def clips_of_one_animation(n):
    """It has n channels."""
    made = square()
    made["nodes"] += [{}] * n
    return exported(animate(made, nodes=range(n), names="a{}".format), n,
                    [clip(i, 1, name="c%d" % i, animation="a0") for i in range(n)])


@family(300, "convert -q a.glb -o out.md3", memory=64)
def rows_of_animations(n):
    return exported(animate(square(), animations=n, names="a{}".format), n,
                    [clip(i, 1, name="a%d" % (n - i), animation="a") for i in range(n)], hand="a")


@family(1000, "convert -q a.glb -o out.md3", memory=64)
def clips_of_all_frames(n):
    """Only the last clip shows the last frame."""
    return exported(square(), n, [clip(0, n - (i < n - 1), name="c%d" % i) for i in range(n)])


# ---- Materials -----------------------------------------------------------------------------------

@family((100, 200), "convert -q a.glb -o out.md3", memory=64)
def materials_of_one_name(n):
    made = gltf_of(n)
    for material in made["materials"]:
        material["name"] = "skin"
    made["images"] = made["images"][:1]
    made["textures"] = [{"source": 0}] * n
    return {"a.glb": glb(made)}


@family((37, 150), "convert -q a.glb -o out.md3", memory=64)
def materials_with_a_transform(n):
    made = gltf_of(n)
    for material in made["materials"]:
        material["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {
            "KHR_texture_transform": {"offset": [1, 2], "scale": [3, 4], "rotation": 1}}
    return {"a.glb": glb(made)}


# ---- Compressed ----------------------------------------------------------------------------------

def compressed(made, count):
    """Makes every view of the positions a compressed one, of which `count` have the same bytes."""
    # EXT_meshopt_compression, attributes of 12 bytes: a block with no change for each of 16 vertices.
    data = b"\xa0" + bytes(12 * 1) + bytes(32)
    at = len(made["data"]) + -len(made["data"]) % 4
    made["data"] = made["data"].ljust(at, b"\0") + data
    made["buffers"][0]["byteLength"] = len(made["data"])
    made["extensionsUsed"] = made["extensionsRequired"] = ["EXT_meshopt_compression"]
    for _ in range(count):
        made["bufferViews"].append({"buffer": 0, "byteOffset": 0, "byteLength": 48, "extensions": {
            "EXT_meshopt_compression": {"buffer": 0, "byteOffset": at, "byteLength": len(data), "byteStride": 12,
                                        "mode": "ATTRIBUTES", "count": 4}}})
    return made


@family(300, "convert -q a.glb -o out.md3", memory=64)
def compressed_views(n):
    made = compressed(square(), n)
    made["accessors"][0]["bufferView"] = len(made["bufferViews"]) - 1
    return {"a.glb": glb(made)}


# ---- Several files -------------------------------------------------------------------------------

add("numbered files", 25, "convert -q 'walk_{frame}.glb' -o out.md3",
    lambda n: {"walk_%d.glb" % i: glb(square()) for i in range(n)}, memory=64)
add("clips of numbered files", 25, "convert -q '{clip}_{frame}.glb' -o out.md3",
    lambda n: {"%s_%d.glb" % ("abcdefgh"[i % 8] * (1 + i // 8), 1): glb(square()) for i in range(n)}, memory=64)


@family(300, "convert -q 'walk_{frame}.glb' -o out.md3", memory=64)
def tags_of_numbered_files(n):
    """The second file has them in the reverse order."""
    files = {}
    for frame, order in enumerate((range(n), range(n - 1, -1, -1))):
        made = square()
        made["nodes"] += [{"name": "tag_%d" % i} for i in order]
        made["scenes"] = [{"nodes": list(range(n + 1))}]
        files["walk_%d.glb" % frame] = glb(made)
    return files


@family(60, "convert -q a.gltf -o out.md3")
def buffers(n):
    made = square()
    data = made.pop("data")
    made["buffers"] = [{"byteLength": len(data), "uri": "b%d.bin" % i} for i in range(n)]
    return {"a.gltf": json.dumps(made).encode(), **{"b%d.bin" % i: data for i in range(n)}}
