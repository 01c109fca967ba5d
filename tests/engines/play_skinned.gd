# Runs in Godot 3: plays the only animation of the imported a.glb, and writes the positions of the vertices at times.
#     godot3 --path PROJECT -s play_skinned.gd -- OUT.json TIMES…
extends SceneTree

func find(node, type):
	if node is type:
		return node
	for child in node.get_children():
		var found = find(child, type)
		if found:
			return found
	return null

# The transforms of a skin's binds, from the mesh to the skeleton.
func bones(skeleton, skin):
	var all = []
	for i in skin.get_bind_count():
		var bone = skin.get_bind_bone(i)
		if bone < 0:
			bone = skeleton.find_bone(skin.get_bind_name(i))
		all.append(skeleton.get_bone_global_pose(bone) * skin.get_bind_pose(i))
	return all

# The vertices with the blend shapes of a mesh. Its mode is normalized: a shape holds positions.
func shaped(instance):
	var mesh = instance.mesh
	var rest = mesh.surface_get_arrays(0)[Mesh.ARRAY_VERTEX]
	var shapes = mesh.surface_get_blend_shape_arrays(0)
	var out = []
	for v in rest.size():
		out.append(rest[v])
	for i in mesh.get_blend_shape_count():
		var weight = instance.get("blend_shapes/" + mesh.get_blend_shape_name(i))
		var moved = shapes[i][Mesh.ARRAY_VERTEX]
		for v in rest.size():
			out[v] += weight * (moved[v] - rest[v])
	return out

func skinned(instance, skeleton):
	var arrays = instance.mesh.surface_get_arrays(0)
	var transforms = bones(skeleton, instance.skin)
	var out = []
	var points = shaped(instance)
	for v in points.size():
		var sum = Vector3()
		var total = 0.0
		for k in range(4 * v, 4 * v + 4):
			var weight = arrays[Mesh.ARRAY_WEIGHTS][k]
			sum += weight * transforms[arrays[Mesh.ARRAY_BONES][k]].xform(points[v])
			total += weight
		sum = skeleton.global_transform.xform(sum / total)
		out.append([sum.x, sum.y, sum.z])
	return out

func _initialize():
	var words = OS.get_cmdline_args()
	var first = Array(words).find("--") + 1
	var scene = load("res://a.glb").instance()
	root.add_child(scene)
	var player = find(scene, AnimationPlayer)
	var skeleton = find(scene, Skeleton)
	var instance = find(scene, MeshInstance)
	player.play(player.get_animation_list()[0])
	var poses = []
	for i in range(first + 1, words.size()):
		player.seek(float(words[i]), true)
		poses.append(skinned(instance, skeleton))
	var file = File.new()
	file.open(words[first], File.WRITE)
	file.store_string(to_json(poses))
	file.close()
	quit()
