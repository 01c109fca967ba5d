// The page of test_web_instances.mjs.
import * as THREE from 'three';
import * as GPU from 'three/webgpu';
import { modelWorldMatrix, normalLocal, positionLocal, varying, vec4 } from 'three/tsl';
import { Files, open, writePng } from '/lerpmesh/index.js';
import { KeyframeInstances } from '/lerpmesh/instances.js';
import { KeyframeInstances as NodeInstances } from '/lerpmesh/instances_webgpu.js';
import { KeyframeModel } from '/lerpmesh/three.js';

const SIZE = 256, COLUMNS = 4, COUNT = COLUMNS * COLUMNS;
let seed = 1;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const pick = (list) => list[Math.floor(random() * list.length)];

const contents = new Map();
const fetchBytes = async (url) => {
    if (!contents.has(url)) contents.set(url, new Uint8Array(await (await fetch(url)).arrayBuffer()));
    return contents.get(url);
};
window.openModel = async ({ url, files = {}, player, names, name, ...options }) => {
    if (player) {
        const entries = await Promise.all(names.map(async (name) => [`${player}/${name}`, await fetchBytes(`/${player}/${name}`)]));
        return (await Files.from(entries)).open(player, { related: true, images: 'none', ...options });
    }
    const sidecars = await Promise.all(Object.entries(files).map(async ([name, one]) => [name, await fetchBytes(one)]));
    return open(await fetchBytes(url), { images: 'none', ...options, name, files: sidecars });
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

// Draws an object, and returns the pixels.
async function draw(renderer, object, camera, type = THREE.UnsignedByteType) {
    const Target = renderer.isWebGLRenderer ? THREE.WebGLRenderTarget : THREE.RenderTarget;
    const target = new Target(SIZE, SIZE, { type }), scene = object.isScene ? object : new THREE.Scene();
    if (scene !== object) scene.add(object);
    renderer.setClearColor(0, 0);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    const pixels = renderer.isWebGLRenderer ? new (type === THREE.FloatType ? Float32Array : Uint8Array)(4 * SIZE * SIZE) : null;
    if (pixels) renderer.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, pixels);
    const result = pixels ?? await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE);
    target.dispose();
    return result;
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
function randomState(model, loop, clip) {
    const names = clip ? [clip] : [...new Set(model.clips.map((one) => one.name))];
    const to = { clip: pick(names), time: 6 * random() - 1, rate: pick([1, 0.5, 2, -1, 0]), loop };
    const from = { clip: pick(names), time: 6 * random() - 1, rate: pick([1, -2, 0]) };
    const fades = loop === undefined && random() < 0.5 && from.clip !== to.clip;
    return { to, from: fades ? from : null, fade: 1 + random() };
}

// Poses a KeyframeModel by the C library's times.
function poseReference(reference, { to, from, fade }, elapsed) {
    if (to.loop !== undefined) return poseLooped(reference, to, to.time + to.rate * elapsed);
    if (to.clip.includes('+')) {
        reference.model.pose(to.clip, to.time + to.rate * elapsed);
        return reference.update();
    }
    const weight = from ? Math.min(Math.max(elapsed / fade, 0), 1) : 1;
    for (const { pose } of reference.mix) pose.fromArray([0, 0], 0);
    for (const [clip, share] of [[to, weight], [from, 1 - weight]]) {
        if (!clip || share === 0) continue;
        const { pose } = reference.mix[reference.animations.findIndex(({ name }) => name === clip.clip)];
        pose.fromArray([share, share * (clip.time + clip.rate * elapsed)], 0);
    }
}

// Shows a clip that loops, or does not, against its own rule, by the library's playback.
function poseLooped(reference, { clip, loop }, seconds) {
    const { model } = reference;
    model.play(clip);
    model.playback = { mode: loop ? 'loop' : 'once' };
    const { fps, count } = model.clip, cycle = count / fps;
    model.playing = true;
    model.advance(loop ? seconds - cycle * Math.floor(seconds / cycle) : Math.max(seconds, 0));
    reference.update();
}

window.compare = async (spec, { output = 'position', backend = 'webgl', elapsed = 0.7, begin = 0, loop, clip }) => {
    seed = 1;
    const renderer = await rendererOf(backend);
    const own = new KeyframeModel(await openModel(spec)), material = outputMaterial(output, backend);
    const crowd = await (backend === 'webgl' ? KeyframeInstances : NodeInstances).create(own, COUNT, { material: () => outputMaterial(output, backend) });
    const step = crowd.computeBoundingSphere().radius * 1.5, models = new THREE.Group();
    crowd.time = begin;
    for (let i = 0; i < COUNT; i++) {
        const state = randomState(own.model, loop, clip), place = placeOf(i, step), model = own.clone();
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
    const pictures = [await draw(renderer, crowd, camera, THREE.FloatType), await draw(renderer, models, camera, THREE.FloatType)];
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
    return result;
};

// ---- One renderer -----------------------------------------------------------------------------------

const create = async (spec, count, options) => KeyframeInstances.create(await openModel(spec), count, options);
const moved = (x, y = 0, z = 0) => new THREE.Matrix4().makeTranslation(x, y, z);
const cameraAt = (x, distance = 300) => {
    const camera = new THREE.PerspectiveCamera(30, 1, 1, 10000);
    camera.position.set(x, 0, distance);
    camera.updateMatrixWorld();
    return camera;
};
const differences = (a, b, limit = 8) => a.reduce((sum, value, i) => sum + (i % 4 === 0 && [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > limit)), 0);

window.countCalls = async (spec, count) => {
    const renderer = await rendererOf(), crowd = await create(spec, count), camera = cameraAt(0);
    for (let i = 0; i < count; i++) crowd.setMatrixAt(i, moved(60 * ((i % 32) - 16), 0, -60 * Math.floor(i / 32)));
    await draw(renderer, crowd, camera);
    const gl = renderer.getContext(), uploads = [];
    for (const name of ['bufferData', 'bufferSubData', 'texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'])
        gl[name] = (...args) => (uploads.push(name), WebGL2RenderingContext.prototype[name].apply(gl, args));
    const target = new THREE.WebGLRenderTarget(SIZE, SIZE), scene = new THREE.Scene();
    scene.add(crowd);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    uploads.length = 0;
    let { calls } = renderer.info.render;
    for (let frame = 0; frame < 3; frame++) {
        crowd.time += 1 / 60;
        renderer.render(scene, camera);
        calls = renderer.info.render.calls;
    }
    const playing = uploads.splice(0), surfaces = crowd.model.parts.flatMap((part) => part.surfaces).length;
    crowd.setClipAt(1, crowd.model.clips.at(-1).name);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    for (const name of Object.keys(gl)) delete gl[name];
    target.dispose();
    crowd.dispose();
    return { calls, surfaces, uploads: playing, afterChange: uploads };
};

// A ground with shadows of two models, which a camera above sees.
function stageOf(objects, lamp) {
    const scene = new THREE.Scene(), light = lamp ? new THREE.PointLight(0xffffff, 40000) : new THREE.DirectionalLight(0xffffff, 3);
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(400, 400).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
    ground.position.y = -25;
    ground.receiveShadow = light.castShadow = true;
    light.position.set(60, 80, 30);
    if (!lamp) Object.assign(light.shadow.camera, { left: -150, right: 150, top: 150, bottom: -150 });
    light.shadow.mapSize.set(256, 256);
    scene.add(ground, light, ...objects);
    scene.traverse((one) => one.isMesh && one !== ground && (one.castShadow = true));
    return scene;
}

window.compareShadows = async (spec, lamp, backend) => {
    const renderer = await rendererOf(backend), own = new KeyframeModel(await openModel(spec));
    const crowd = await (backend === 'webgl' ? KeyframeInstances : NodeInstances).create(own, 2);
    renderer.shadowMap.enabled = true;
    const camera = cameraAt(0, 400);
    camera.position.set(0, 300, 200);
    camera.lookAt(0, 0, 0);
    const models = [own, own.clone()];
    const show = (clip, time) => models.forEach((model, i) => {
        crowd.setClipAt(i, clip, { time: time + i / 4 });
        crowd.setMatrixAt(i, moved(80 * i - 40));
        model.model.pose(clip, time + i / 4);
        model.update();
        model.position.x = 80 * i - 40;
    });
    show('run', 0.21);
    const pictures = [await draw(renderer, stageOf([crowd], lamp), camera), await draw(renderer, stageOf(models, lamp), camera)];
    const empty = await draw(renderer, stageOf([], lamp), camera);
    show('wave', 0.6);
    const other = await draw(renderer, stageOf([crowd], lamp), camera);
    renderer.shadowMap.enabled = false;
    crowd.dispose();
    for (const model of models) model.dispose();
    return { shadow: differences(pictures[1], empty), different: differences(...pictures), moved: differences(pictures[0], other) };
};

window.compareRays = async (spec) => {
    seed = 7;
    const own = new KeyframeModel(await openModel(spec)), crowd = await KeyframeInstances.create(own, 12), models = [];
    crowd.position.set(5, 6, 7);
    crowd.rotation.set(0.1, 0.2, 0.3);
    const step = crowd.computeBoundingSphere().radius;
    for (let i = 0; i < 12; i++) {
        const state = randomState(own.model), place = placeOf(i, step), model = own.clone();
        if (state.from) crowd.setClipAt(i, state.from.clip, state.from);
        crowd.setClipAt(i, state.to.clip, { ...state.to, fade: state.from ? state.fade : 0 });
        crowd.setMatrixAt(i, place);
        poseReference(model, state, 0.7);
        place.decompose(model.position, model.quaternion, model.scale);
        models.push(model);
    }
    crowd.time = 0.7;
    const group = new THREE.Group();
    group.position.copy(crowd.position);
    group.rotation.copy(crowd.rotation);
    group.add(...models);
    for (const one of [crowd, group]) one.updateMatrixWorld(true);
    const raycaster = new THREE.Raycaster(), center = new THREE.Vector3(2 * step, step, 0).applyMatrix4(crowd.matrixWorld);
    const result = { rays: 200, hits: 0, wrong: [] };
    for (let i = 0; i < result.rays; i++) {
        const from = new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).setLength(5 * step).add(center);
        const to = new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(3 * step).add(center);
        raycaster.set(from, to.sub(from).normalize());
        const describe = ({ distance, faceIndex }, number, mesh) => `${distance.toFixed(3)} ${faceIndex} of ${mesh}, instance ${number}`;
        const instanceOf = (object) => models.findIndex((model) => object.parent.parent.parent === model);
        const got = raycaster.intersectObject(crowd).map((hit) => describe(hit, hit.instanceId, hit.object.name));
        const wanted = raycaster.intersectObjects(models).map((hit) => describe(hit, instanceOf(hit.object), hit.object.name));
        const direct = raycaster.intersectObjects(crowd.children).length;
        result.hits += got.length > 0;
        if (String(got) !== String(wanted) || direct !== got.length) result.wrong.push([got, wanted, direct]);
    }
    crowd.dispose();
    for (const model of models) model.dispose();
    own.dispose();
    return result;
};

const imageOf = (width, height, ...color) => ({ width, height, pixels: Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => [...color, 255][i % 4]) });

window.showSkins = async (spec, backend) => {
    const renderer = await rendererOf(backend), Instances = backend === 'webgl' ? KeyframeInstances : NodeInstances;
    const Basic = backend === 'webgl' ? THREE.MeshBasicMaterial : GPU.MeshBasicNodeMaterial;
    const files = { 'tick.pcx': '/tick.pcx' };
    const blue = await open(await fetchBytes(spec.url), { name: spec.name, files: { 'tick.pcx': await writePng(imageOf(2, 2, 0, 0, 255)) } });
    const crowd = await Instances.create(await openModel({ ...spec, images: 'pixels', files }), 5, {
        skins: [imageOf(64, 32, 255, 0, 0), imageOf(512, 300, 0, 255, 0), blue], material: ({ map }) => new Basic({ map }),
    });
    blue.dispose();
    for (let i = 0; i < 5; i++) {
        crowd.setMatrixAt(i, moved(60 * i - 120));
        crowd.setSkinAt(i, Math.min(i, 3));
    }
    crowd.setSkinAt(4, 2);
    const camera = cameraAt(0, 700), names = new Map([[0xff, 'red'], [0xff00, 'green'], [0xff0000, 'blue']]);
    const look = async (instance) => {
        const pixels = new Uint32Array((await draw(renderer, crowd, camera)).buffer.slice(0)), counts = new Map();
        const left = Math.round(SIZE * (0.5 + (60 * instance - 120 - 25) / 375)), right = left + Math.round(SIZE * 50 / 375);
        for (let y = 0; y < SIZE; y++)
            for (let x = left; x < right; x++) {
                const color = pixels[y * SIZE + x] & 0xffffff;
                if (pixels[y * SIZE + x] >>> 24 !== 0) counts.set(color, (counts.get(color) ?? 0) + 1);
            }
        if (counts.size === 0) return 'nothing';
        return counts.size > 20 ? 'own' : names.get([...counts].sort((a, b) => b[1] - a[1])[0][0]) ?? String([...counts]);
    };
    const skins = [];
    for (let i = 0; i < 4; i++) skins.push(await look(i));
    crowd.setColorAt(4, new THREE.Color(0, 1, 0)); // also of an instance with a green skin
    crowd.setSkinAt(4, 2);
    crowd.setColorAt(1, new THREE.Color(0, 0, 0));
    const tinted = await look(4);
    crowd.dispose();
    return { skins, tinted };
};

window.cull = async (spec) => {
    const renderer = await rendererOf(), crowd = await create(spec, 2);
    const calls = async (camera) => (await draw(renderer, crowd, camera), renderer.info.render.calls);
    const result = { inside: await calls(cameraAt(0)), outside: await calls(cameraAt(5000)) };
    crowd.setMatrixAt(1, moved(5000));
    result.moved = await calls(cameraAt(5000));
    crowd.count = 1;
    result.fewer = await calls(cameraAt(5000));
    crowd.dispose();
    return result;
};

window.wrongArguments = async (spec) => {
    const crowd = await create(spec, 4), model = await openModel(spec), got = {};
    const tries = {
        index: () => crowd.setClipAt(4, 'run'), negative: () => crowd.setMatrixAt(-1, moved(0)), fraction: () => crowd.getSkinAt(0.5),
        clip: () => crowd.setClipAt(0, 'fly'), rate: () => crowd.setClipAt(0, 'run', { rate: NaN }), fade: () => crowd.setClipAt(0, 'run', { fade: Infinity }),
        skin: () => crowd.setSkinAt(0, 1), time: () => (crowd.time = NaN), count: () => (crowd.count = 5), clone: () => crowd.clone(),
        create: () => KeyframeInstances.create(model, -1), image: () => KeyframeInstances.create(model, 1, { skins: [new Uint8Array(3)] }),
    };
    for (const [name, attempt] of Object.entries(tries))
        try {
            await attempt();
        } catch (error) {
            got[name] = `${error.name} ${error.message}`;
        }
    crowd.dispose();
    model.dispose();
    return got;
};

window.drawOdd = async (spec, count) => {
    const renderer = await rendererOf(), crowd = await create(spec, count);
    for (let i = 0; i < count; i++) crowd.setClipAt(i, crowd.model.restClip, { fade: 1 });
    crowd.time = 100;
    const hits = new THREE.Raycaster(new THREE.Vector3(0, 0, 300), new THREE.Vector3(0, 0, -1)).intersectObject(crowd);
    await draw(renderer, crowd, cameraAt(0));
    const { calls } = renderer.info.render;
    crowd.dispose();
    return { calls, hits: new Set(hits.map((hit) => hit.instanceId)).size };
};

window.loseContext = async (spec) => {
    const renderer = new THREE.WebGLRenderer(), crowd = await create(spec, 3), camera = cameraAt(0);
    crowd.setClipAt(0, 'run', { time: 0.3 });
    const before = await draw(renderer, crowd, camera);
    const happened = (event) => new Promise((resolve) => renderer.domElement.addEventListener(event, resolve, { once: true }));
    const lost = happened('webglcontextlost'), restored = happened('webglcontextrestored');
    renderer.forceContextLoss();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 50));
    renderer.forceContextRestore();
    await restored;
    const after = await draw(renderer, crowd, camera);
    crowd.dispose();
    renderer.dispose();
    return { different: differences(before, after, 0), drawn: after.some((value) => value > 0) };
};

// A KeyframeModel that is disposed while its instances are created.
window.disposeEarly = async (spec) => {
    const own = new KeyframeModel(await openModel(spec)), created = KeyframeInstances.create(own, 2);
    own.dispose();
    const crowd = await created;
    await draw(await rendererOf(), crowd, cameraAt(0));
    const [hit] = new THREE.Raycaster(new THREE.Vector3(0, 0, 300), new THREE.Vector3(0, 0, -1)).intersectObject(crowd);
    crowd.dispose();
    const other = new KeyframeModel(await openModel(spec)), fails = () => { throw new Error('mine'); };
    const failed = await KeyframeInstances.create(other, 1, { material: fails }).catch((error) => error.message);
    other.dispose();
    return { hit: hit.instanceId, failed, closed: [crowd.model, other.model].map((model) => { try { model.pose(); } catch (error) { return error.code; } }) };
};

window.disposeAll = async (spec, backend) => {
    const renderer = await rendererOf(backend), own = new KeyframeModel(await openModel(spec)), camera = cameraAt(0);
    const memory = () => ({ ...renderer.info.memory });
    await draw(renderer, own, camera);
    const before = memory();
    const crowd = await (backend === 'webgl' ? KeyframeInstances : NodeInstances).create(own, 3);
    await draw(renderer, crowd, camera);
    const during = memory();
    crowd.dispose();
    crowd.dispose();
    const after = memory();
    await draw(renderer, own, camera);
    own.step = 4;
    const shared = own.base.children[0].children[0].geometry.attributes.position.array.some((value) => value !== 0);
    own.dispose();
    return { before, during, after, shared };
};

window.ready = true;
