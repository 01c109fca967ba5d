// Vertex-animation textures in three.js. Three files are loaded, from `lerpmesh convert X.md2 -o X.glb --vat exr`:
//
//     const walker = await loadVat('tick.glb');
//     scene.add(walker.root);
//     walker.show('run', seconds);
//
// The vertex shader of each material reads two frames of the texture and blends them.
import { FloatType, NearestFilter, NoColorSpace, Vector3 } from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const DECLARATIONS = `
attribute vec2 vatPixel; // the centre of the vertex's pixel in frame 0, from the top left
attribute float vatPhase; // of an instance, in frames; 0 without the attribute
uniform sampler2D vatTexture;
uniform vec3 vatMin, vatMax;
uniform float vatFirst, vatCount, vatPosition; // of the clip, in frames

vec3 vatColor(float frame, int half_) {
    ivec2 size = textureSize(vatTexture, 0);
    ivec2 at = ivec2(vatPixel * vec2(size)) + ivec2(0, int(frame) + half_ * size.y / 2);
    return texelFetch(vatTexture, ivec2(at.x, size.y - 1 - at.y), 0).rgb; // EXRLoader starts at the bottom
}

// From Blender's axes to glTF's.
vec3 vatAxes(vec3 v) { return vec3(v.x, v.z, -v.y); }

vec3 vatRead(int half_) {
    float at = mod(vatPosition + vatPhase, vatCount), before = floor(at);
    vec3 a = vatColor(vatFirst + before, half_), b = vatColor(vatFirst + mod(before + 1.0, vatCount), half_);
    return mix(a, b, at - before);
}
`;

function patch(material, uniforms) {
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = DECLARATIONS + shader.vertexShader
            .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = normalize(vatAxes(2.0 * vatRead(1) - 1.0));')
            .replace('#include <begin_vertex>', 'vec3 transformed = position + vatAxes(vatMin + vatRead(0) * (vatMax - vatMin));');
    };
}

/** Loads `X.glb`, `X_vat.exr` with packed normals, and `X-remap_info.json`. */
export async function loadVat(url) {
    const stem = url.replace(/\.glb$/, '');
    const [gltf, texture, info] = await Promise.all([
        new GLTFLoader().loadAsync(url),
        new EXRLoader().setDataType(FloatType).loadAsync(`${stem}_vat.exr`),
        fetch(`${stem}-remap_info.json`).then((response) => response.json()),
    ]);
    const remap = info['os-remap'], clips = info.animations ?? {};
    texture.magFilter = texture.minFilter = NearestFilter;
    texture.colorSpace = NoColorSpace;
    const uniforms = {
        vatTexture: { value: texture },
        vatMin: { value: new Vector3(...remap.Min) }, vatMax: { value: new Vector3(...remap.Max) },
        vatFirst: { value: 0 }, vatCount: { value: remap.Frames }, vatPosition: { value: 0 },
    };
    const meshes = [];
    gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
    for (const mesh of meshes) {
        mesh.geometry.setAttribute('vatPixel', mesh.geometry.getAttribute('uv1'));
        mesh.frustumCulled = false; // the bounds are those of the first frame
        patch(mesh.material, uniforms);
    }
    const setPosition = (first, count, position) => {
        uniforms.vatFirst.value = first;
        uniforms.vatCount.value = count;
        uniforms.vatPosition.value = position;
    };
    return {
        root: gltf.scene, meshes, clips, info,
        /** Shows frame `frame`, from 0; a fraction blends it with the next one. */
        setFrame: (frame) => setPosition(0, remap.Frames, frame),
        /** Shows a clip at a time. A clip that does not loop stays on its last frame. */
        show(name, seconds) {
            const { startFrame, endFrame, framerate, looping } = clips[name];
            const count = endFrame - startFrame + 1; // frames count from 1, the last included
            const position = seconds * framerate;
            setPosition(startFrame - 1, count, looping ? position : Math.min(position, count - 1));
        },
    };
}
