// Vertex-animation textures with packed normals. The texture is imported without sRGB, filter and mipmaps.
shader_type spatial;

uniform sampler2D vat;
uniform vec3 vat_min;
uniform vec3 vat_max;
uniform float first; // frame of the clip, from 0
uniform float count; // frames of the clip
uniform float position; // frames since the clip began
uniform sampler2D albedo : hint_albedo;

vec3 read(vec2 pixel, float frame, int half_) {
	ivec2 size = textureSize(vat, 0);
	return texelFetch(vat, ivec2(pixel * vec2(size)) + ivec2(0, int(frame) + half_ * size.y / 2), 0).rgb;
}

// From Blender's axes to Godot's.
vec3 axes(vec3 v) {
	return vec3(v.x, v.z, -v.y);
}

void vertex() {
	float at = mod(position, count);
	float before = floor(at);
	float a = first + before;
	float b = first + mod(before + 1.0, count);
	vec3 offset = mix(read(UV2, a, 0), read(UV2, b, 0), at - before);
	vec3 normal = mix(read(UV2, a, 1), read(UV2, b, 1), at - before);
	VERTEX += axes(vat_min + offset * (vat_max - vat_min));
	NORMAL = normalize(axes(2.0 * normal - 1.0));
}

void fragment() {
	ALBEDO = texture(albedo, UV).rgb;
}
