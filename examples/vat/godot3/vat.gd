# Plays a clip of tick.glb. Godot 3 with GLES 3; GLES 2 has no texelFetch.
# godot3 --path . -- FRAME FILE.png writes a screenshot of a frame and quits.
extends Spatial

const STEM = "res://tick"
const CLIP = "run"

var material = ShaderMaterial.new()
var clip
var seconds = 0.0
var still = null

func read_info():
	var file = File.new()
	file.open(STEM + "-remap_info.json", File.READ)
	return JSON.parse(file.get_as_text()).result

func vector(values):
	return Vector3(values[0], values[1], values[2])

func find_mesh(node):
	if node is MeshInstance:
		return node
	for child in node.get_children():
		var found = find_mesh(child)
		if found:
			return found
	return null

func pose(first, count, position):
	material.set_shader_param("first", first)
	material.set_shader_param("count", count)
	material.set_shader_param("position", position)

func _ready():
	var info = read_info()
	var remap = info["os-remap"]
	var model = load(STEM + ".glb").instance()
	var mesh = find_mesh(model)
	add_child(model)
	material.shader = load("res://vat.shader")
	material.set_shader_param("vat", load(STEM + "_vat.exr"))
	material.set_shader_param("vat_min", vector(remap["Min"]))
	material.set_shader_param("vat_max", vector(remap["Max"]))
	material.set_shader_param("albedo", mesh.mesh.surface_get_material(0).albedo_texture)
	for surface in mesh.mesh.get_surface_count():
		mesh.set_surface_material(surface, material)
	mesh.extra_cull_margin = 1.0 # the bounds are those of the first frame
	clip = info["animations"][CLIP]
	var words = OS.get_cmdline_args()
	if words.size() >= 2 and words[words.size() - 1].ends_with(".png"):
		still = words[words.size() - 1]
		pose(0.0, float(remap["Frames"]), float(words[words.size() - 2]))
		take_screenshot()

func _process(delta):
	seconds += delta
	if still == null: # frames count from 1, the last included
		pose(clip["startFrame"] - 1.0, clip["endFrame"] - clip["startFrame"] + 1.0, seconds * clip["framerate"])

func take_screenshot():
	for i in 3:
		yield(VisualServer, "frame_post_draw")
	var image = get_viewport().get_texture().get_data()
	image.flip_y()
	image.save_png(still)
	get_tree().quit()
