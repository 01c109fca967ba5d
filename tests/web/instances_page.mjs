// The page of test_web_instances.mjs.
import * as THREE from 'three';
import * as GPU from 'three/webgpu';
import { modelWorldMatrix, normalLocal, positionLocal, varying, vec4 } from 'three/tsl';
import { open } from '/lerpmesh/index.js';
import { KeyframeInstances } from '/lerpmesh/instances.js';
import { KeyframeInstances as NodeInstances } from '/lerpmesh/instances_webgpu.js';
import { KeyframeModel } from '/lerpmesh/three.js';

const SIZE = 384, COLUMNS = 5, COUNT = COLUMNS * COLUMNS;
let seed = 1;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const pick = (list) => list[Math.floor(random() * list.length)];

const contents = new Map();
const fetchBytes = async (url) => {
    if (!contents.has(url)) contents.set(url, new Uint8Array(await (await fetch(url)).arrayBuffer()));
    return contents.get(url);
};
window.openModel = async ({ url, files = {}, ...options }) => {
    const sidecars = await Promise.all(Object.entries(files).map(async ([name, one]) => [name, await fetchBytes(one)]));
    return open(await fetchBytes(url), { images: 'none', ...options, files: sidecars });
};

// ---- Renderers --------------------------------------------------------------------------------------

const renderers = {};
window.rendererOf = async (backend = 'webgl') => {
    if (!renderers[backend]) {
        const renderer = backend === 'webgl' ? new THREE.WebGLRenderer() : new GPU.WebGPURenderer({ forceWebGL: backend === 'nodes' });
        await renderer.init?.();
        if (backend === 'webgpu' && !renderer.backend.isWebGPUBackend) throw new Error('there is no WebGPU');
        renderers[backend] = renderer;
    }
    return renderers[backend];
};

async function read(renderer, target) {
    if (renderer.isWebGLRenderer) {
        const pixels = new Float32Array(4 * SIZE * SIZE);
        renderer.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, pixels);
        return pixels;
    }
    return renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE);
}

// A material that writes the position or normal in the world of a vertex of each triangle.
function outputMaterial(output, backend) {
    if (backend !== 'webgl') {
        const material = new GPU.MeshBasicNodeMaterial({ side: THREE.DoubleSide });
        const value = modelWorldMatrix.mul(output === 'normal' ? vec4(normalLocal, 0) : vec4(positionLocal, 1)).xyz;
        material.fragmentNode = vec4(varying(output === 'normal' ? value.normalize() : value).setInterpolation('flat'), 1);
        return material;
    }
    const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
    material.onBeforeCompile = (shader) => {
        const value = output === 'normal' ? 'normalize(mat3(modelMatrix * place) * objectNormal)' : '(modelMatrix * place * vec4(transformed, 1.0)).xyz';
        shader.vertexShader = `flat varying vec3 vOutput;\n${shader.vertexShader.replace('#include <project_vertex>', `$&
            mat4 place = mat4(1.0);
            #ifdef USE_INSTANCING
            place = instanceMatrix;
            #endif
            vOutput = ${value};`)}`;
        shader.fragmentShader = `flat varying vec3 vOutput;\n${shader.fragmentShader.replace('#include <dithering_fragment>', 'gl_FragColor = vec4(vOutput, 1.0);')}`;
    };
    material.customProgramCacheKey = () => output;
    return material;
}

// ---- Comparing --------------------------------------------------------------------------------------

function placeOf(i, step) {
    const turn = new THREE.Quaternion().setFromEuler(new THREE.Euler(random(), 6 * random(), random()));
    const place = new THREE.Vector3((i % COLUMNS) * step, Math.floor(i / COLUMNS) * step, 0);
    return new THREE.Matrix4().compose(place, turn, new THREE.Vector3().setScalar(0.7 + 0.3 * random()));
}

// Random clips, from which half of the instances fade to others.
function randomState(model) {
    const names = [...new Set(model.clips.map((clip) => clip.name))];
    const to = { clip: pick(names), time: 6 * random() - 1, rate: pick([1, 0.5, 2, -1, 0]) };
    const from = { clip: pick(names), time: 6 * random() - 1, rate: pick([1, -2, 0]) };
    const fades = random() < 0.5 && from.clip !== to.clip;
    return { to, from: fades ? from : null, fade: 1 + random() };
}

// Poses a KeyframeModel by the C library's times.
function poseReference(reference, { to, from, fade }, elapsed) {
    const weight = from ? Math.min(elapsed / fade, 1) : 1;
    for (const { pose } of reference.mix) pose.fromArray([0, 0], 0);
    for (const [clip, share] of [[to, weight], [from, 1 - weight]]) {
        if (!clip || share === 0) continue;
        const { pose } = reference.mix[reference.animations.findIndex(({ name }) => name === clip.clip)];
        pose.fromArray([share, share * (clip.time + clip.rate * elapsed)], 0);
    }
}

window.compare = async (spec, { output = 'position', backend = 'webgl', elapsed = 0.7, begin = 0 }) => {
    seed = 1;
    const renderer = await rendererOf(backend);
    const own = new KeyframeModel(await openModel(spec)), material = outputMaterial(output, backend);
    const crowd = await (backend === 'webgl' ? KeyframeInstances : NodeInstances).create(own, COUNT, { material: () => outputMaterial(output, backend) });
    const step = crowd.computeBoundingSphere().radius * 1.5, models = new THREE.Group();
    crowd.time = begin;
    for (let i = 0; i < COUNT; i++) {
        const state = randomState(own.model), place = placeOf(i, step), model = own.clone();
        if (state.from) crowd.setClipAt(i, state.from.clip, state.from);
        crowd.setClipAt(i, state.to.clip, { ...state.to, fade: state.from ? state.fade : 0 });
        crowd.setMatrixAt(i, place);
        poseReference(model, state, elapsed);
        model.traverse((child) => child.isMesh && (child.material = material));
        place.decompose(model.position, model.quaternion, model.scale);
        models.add(model);
    }
    crowd.time = begin + elapsed;
    const half = COLUMNS * step / 2, camera = new THREE.OrthographicCamera(-half, half, half, -half, 0, 8 * half);
    camera.position.set(half - step / 2, half - step / 2, 4 * half);
    const target = new THREE.RenderTarget(SIZE, SIZE, { type: THREE.FloatType });
    if (backend === 'webgl') Object.setPrototypeOf(target, THREE.WebGLRenderTarget.prototype), (target.isWebGLRenderTarget = true);
    const pictures = [];
    for (const object of [crowd, models]) {
        const scene = new THREE.Scene();
        scene.add(object);
        renderer.setRenderTarget(target);
        renderer.setClearColor(0, 0);
        renderer.render(scene, camera);
        pictures.push(await read(renderer, target));
    }
    renderer.setRenderTarget(null);
    const [a, b] = pictures, limit = output === 'normal' ? 0.03 : step * 1e-5;
    const result = { drawn: 0, different: 0, worst: 0, most: limit };
    for (let i = 0; i < a.length; i += 4) {
        if (b[i + 3] === 0 && a[i + 3] === 0) continue;
        result.drawn++;
        const off = a[i + 3] === b[i + 3] ? Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]) : Infinity;
        if (off > limit) result.different++;
        else result.worst = Math.max(result.worst, off);
    }
    crowd.dispose();
    for (const model of models.children) model.dispose();
    own.dispose();
    target.dispose();
    return result;
};

window.ready = true;
