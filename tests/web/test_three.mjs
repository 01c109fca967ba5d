// Compares three.js with the sampler: GLTFLoader loads every file, its animations are played, and
// the morphed vertices are compared with the command's OBJ of the same time.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimationMixer, Matrix3, Matrix4, Vector3 } from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { compresses, findModels, makeFolder, run } from './common.mjs';

globalThis.self ??= globalThis; // GLTFLoader uses it to detect the browser

const METRES = 0.0254;
const folder = makeFolder();

async function load(model, name, ...options) {
    const out = join(folder, name);
    run('convert', '-f', model.path, '-o', out, ...options);
    const bytes = readFileSync(out);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    return new Promise((resolve, reject) => loader.parse(data, '', resolve, reject));
}

// Reads the command's own pose as OBJ, one surface at a time; corners with equal indices are merged.
function readObj(path) {
    const objects = [], lists = { v: [], vt: [], vn: [] };
    const cornerOf = (last, word) => {
        if (!last.corners.has(word)) {
            last.corners.set(word, last.v.length);
            word.split('/').forEach((index, k) => {
                const key = ['v', 'vt', 'vn'][k];
                last[key].push(lists[key][parseInt(index, 10) - 1]);
            });
        }
        return last.corners.get(word);
    };
    for (const line of readFileSync(path, 'utf8').split('\n')) {
        const [key, ...words] = line.split(' ');
        const last = objects.at(-1);
        if (key === 'o') objects.push({ name: words.join(' '), corners: new Map(), v: [], vt: [], vn: [], f: [] });
        else if (key === 'f') last.f.push(words.map((word) => cornerOf(last, word)));
        else if (lists[key]) lists[key].push(words.map(Number));
    }
    return objects;
}

const toGltf = ([x, y, z], scale = 1) => [y * scale, z * scale, x * scale];

// Returns the pose in the file's own axes and units, converted here to glTF's: x forward, y left, z
// up becomes z forward, x left, y up. This is a rotation, not a mirroring.
function sample(model, frame, ...options) {
    const key = [frame, ...options].join(' ');
    model.poses ??= new Map(); // all variants have the same poses
    if (!model.poses.has(key)) model.poses.set(key, readPose(model, frame, options));
    return model.poses.get(key);
}

function readPose(model, frame, options) {
    const out = join(folder, 'pose.obj');
    run('convert', '-f', model.path, '-o', out, '--frames', String(frame), '--axes', 'model', ...options);
    const objects = readObj(out);
    for (const object of objects) {
        object.v = object.v.map((v) => toGltf(v, METRES));
        object.vn = object.vn.map((v) => toGltf(v));
    }
    return objects.filter(({ f }) => f.some(hasArea));
}

const hasArea = ([a, b, c]) => a !== b && b !== c && c !== a;

// The command's own conversion of axes and scale gives the same.
function checkAxes(model, frame, objects) {
    const out = join(folder, 'axes.obj');
    run('convert', '-f', model.path, '-o', out, '--frames', String(frame), '--axes', 'gltf', '--scale', `${METRES}`);
    const turned = readObj(out);
    const same = objects.map(({ name }) => turned.find((object) => object.name === name));
    if (new Set(same).size < same.length) return; // repeated names are ambiguous
    objects.forEach(({ v }, k) => v.forEach((wanted, i) =>
        assert(distance(new Vector3(...same[k].v[i]), wanted) < 1e-4, `${model.name}: axes`)));
}

const isShown = (object) => {
    for (let o = object; o; o = o.parent) if (o.scale.x === 0) return false;
    return true;
};

// Morphs like three's shaders: base + sum of weight * target, then the world matrix.
function morph(mesh) {
    const { attributes, morphAttributes } = mesh.geometry;
    assert(mesh.geometry.morphTargetsRelative || !morphAttributes.position);
    const weights = mesh.morphTargetInfluences ?? [];
    const normalMatrix = new Matrix3().getNormalMatrix(mesh.matrixWorld);
    const mix = (name, i) => {
        const out = new Vector3().fromBufferAttribute(attributes[name], i);
        weights.forEach((weight, target) => {
            if (weight === 0 || !morphAttributes[name]) return; // normals that do not change
            const delta = new Vector3().fromBufferAttribute(morphAttributes[name][target], i);
            out.addScaledVector(delta, weight);
        });
        return out;
    };
    const positions = [], normals = [];
    for (let i = 0; i < attributes.position.count; i++) {
        positions.push(mix('position', i).applyMatrix4(mesh.matrixWorld));
        normals.push(mix('normal', i).applyMatrix3(normalMatrix).normalize());
    }
    return { positions, normals };
}

const meshesOf = (gltf) => {
    const meshes = [];
    gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
    return meshes;
};

const distance = (v, [x, y, z]) => Math.hypot(v.x - x, v.y - y, v.z - z);

// The error of each quantised target is up to half a step. Between two targets both errors add up,
// and between nearly opposite normals they grow.
function tolerances(meshes, quantised) {
    const step = quantised ? Math.max(...meshes.map((mesh) => mesh.scale.x)) : 0;
    return { position: 1e-4, step: Math.sqrt(3) * step, normal: quantised ? 0.06 : 1e-4 };
}

const variants = [['plain.glb'], ['quantised.glb', '--quantize']];
if (compresses()) variants.push(['compressed.glb', '--compress', 'meshopt']);
const isRounded = (options) => options.includes('--quantize') || options.includes('--compress');

let comparisons = 0, welded = 0;

// Matches each vertex of a mesh with one of the OBJ, corner by corner. Equal vertices are merged
// here, and faces without area are skipped.
function pairVertices(mesh, positions, { name, v, vt, vn, f }, allowed, what) {
    const index = mesh.geometry.index.array, { uv } = mesh.geometry.attributes;
    const pairs = new Map();
    const isAt = (vertex, i) => distance(positions[vertex], v[i]) <= allowed.position + allowed.step &&
        Math.abs(uv.getX(vertex) - vt[i][0]) < 1e-4 && Math.abs(1 - uv.getY(vertex) - vt[i][1]) < 1e-4;
    const isSame = (i, k) => String([v[i], vt[i], vn[i]]) === String([v[k], vt[k], vn[k]]);
    let at = 0;
    for (const face of f.filter(hasArea)) {
        const corners = index.slice(at, at + 3);
        if (corners.length === 3 && face.every((i, k) => isAt(corners[k], i))) {
            face.forEach((i, k) => pairs.set(i, corners[k]));
            at += 3;
        } else {
            const [a, b, c] = face;
            assert(isSame(a, b) || isSame(b, c) || isSame(c, a), `${what} ${name}: face ${face}`);
        }
    }
    assert.equal(at, index.length, `${what} ${name}: faces`);
    welded += pairs.size - new Set(pairs.values()).size;
    return pairs;
}

function compare(gltf, objects, what, quantised) {
    gltf.scene.updateMatrixWorld(true);
    const meshes = meshesOf(gltf).filter(isShown);
    assert.equal(meshes.length, objects.length, `${what}: meshes shown`);
    const allowed = tolerances(meshes, quantised);
    meshes.forEach((mesh, k) => {
        const { positions, normals } = morph(mesh);
        const object = objects[k];
        const { userData } = mesh;
        userData.pairs ??= [...pairVertices(mesh, positions, object, allowed, what)];
        const off = (list, wanted) => userData.pairs.reduce((most, [i, vertex]) =>
            Math.max(most, distance(list[vertex], wanted[i])), 0);
        const size = object.v.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        const position = off(positions, object.v);
        assert(position <= allowed.position * Math.min(1, Math.max(size, 0.1)) + allowed.step || position <= 1e-6,
            `${what} ${object.name}: positions have an error of ${position} of ${size}`);
        const normal = off(normals, object.vn);
        assert(normal <= allowed.normal, `${what} ${object.name}: normals have an error of ${normal}`);
        comparisons++;
    });
}

// Returns the time of a clip's step, which may lie between two frames; a clip may have times of its own.
function timeOf({ fps, times }, step) {
    if (!times) return step / fps;
    const [from, to = from] = times.slice(Math.floor(step));
    return from + (step % 1) * (to - from);
}

function checkClips(gltf, model) {
    const { clips } = model.info;
    if (gltf.animations.length === 0) return;
    assert.deepEqual(gltf.animations.map(({ name }) => name).sort(),
        clips.map(({ name }) => name).sort(), `${model.name}: names of clips`);
    gltf.animations.forEach((animation) => {
        const clip = clips.find(({ name }) => name === animation.name);
        // A loop ends with its first frame; other clips end with their last.
        const ends = [clip.count, clip.count - 1].filter((keys) => keys > 0);
        assert(ends.some((keys) => Math.abs(animation.duration - timeOf(clip, keys)) < 1e-4),
            `${model.name} ${animation.name}: takes ${animation.duration} s`);
    });
}

// Returns some frames and some times between them; in a clip that must be split, between all of them.
function stepsOf({ count }) {
    if (count > 256) return Array.from({ length: count - 1 }, (_, i) => i + 0.5);
    const steps = [0, 0.25, 1, 1.5, Math.floor(count / 2), count * 0.63, count * 0.65, count - 1.25, count - 1];
    return [...new Set(steps.filter((step) => step >= 0 && step <= count - 1))];
}

function play(gltf, model, quantised) {
    const mixer = new AnimationMixer(gltf.scene);
    gltf.animations.forEach((animation) => {
        const clip = model.info.clips.find(({ name }) => name === animation.name);
        mixer.stopAllAction();
        const action = mixer.clipAction(animation);
        action.clampWhenFinished = true;
        action.setLoop(2200 /* LoopOnce */, 1).play();
        for (const step of stepsOf(clip)) {
            const time = timeOf(clip, step), frame = clip.first + step;
            mixer.setTime(0);
            action.reset().play();
            mixer.setTime(time);
            const what = `${model.name} ${animation.name} ${time} s`;
            compare(gltf, sample(model, frame), what, quantised);
            checkTags(gltf, model, frame, what);
        }
        if (animation.duration > timeOf(clip, clip.count - 0.5)) {
            action.reset().play();
            mixer.setTime(animation.duration);
            compare(gltf, sample(model, clip.first), `${model.name} ${animation.name} end`, quantised);
        }
    });
}

// Front faces are counter-clockwise, as in the OBJ, in the same order; the oracle checks the OBJ separately. The
// enclosed volume is opposite to the normals. Half of this real file's triangles face inwards.
const insideOut = new Set(['camera.md3']);

function checkFaces(gltf, model) {
    gltf.scene.updateMatrixWorld(true);
    let outward = 0, all = 0;
    meshesOf(gltf).filter(isShown).forEach((mesh) => {
        const { array } = mesh.geometry.index;
        const { positions, normals } = morph(mesh);
        for (let i = 0; i < array.length; i += 3) {
            const [a, b, c] = array.slice(i, i + 3);
            assert(hasArea([a, b, c]), `${model.name}: a face without area`);
            const side = new Vector3().subVectors(positions[b], positions[a])
                .cross(new Vector3().subVectors(positions[c], positions[a]));
            const sum = new Vector3().add(normals[a]).add(normals[b]).add(normals[c]);
            outward += side.dot(sum) > 0;
            all++;
        }
    });
    if (all > 0 && !insideOut.has(model.name))
        assert(outward > all * 0.75, `${model.name}: ${outward} of ${all} faces outward`);
    assert.equal(meshesOf(gltf).some((mesh) => mesh.matrixWorld.determinant() < 0), false);
}

// Tags: the file's own bytes, decoded separately here: position, and rotation in glTF's axes.
function readTag(bytes, tag, frame) {
    const read = bytes[3] === 0x33 ? readAxesTag : readAnglesTag;
    return read(bytes, Math.floor(frame) * bytes.readInt32LE(80) + tag);
}

// MDC (W. Prinz, 2.3).
function readAnglesTag(bytes, index) {
    const at = bytes.readInt32LE(100) + 12 * index;
    const word = (i) => bytes.readInt16LE(at + 2 * i);
    const [pitch, yaw, roll] = [3, 4, 5].map((i) => (word(i) * 360 / 32700) * Math.PI / 180);
    // Roll about forward, then pitch (down is positive), then yaw about up.
    const rotation = new Matrix4().makeRotationY(yaw)
        .multiply(new Matrix4().makeRotationX(pitch))
        .multiply(new Matrix4().makeRotationZ(roll));
    return { origin: [word(0) / 64, word(1) / 64, word(2) / 64], rotation };
}

// MD3: origin and axes as floats. Attached models are in glTF's axes too: x is the left axis, y up, z forward.
function readAxesTag(bytes, index) {
    const at = bytes.readInt32LE(96) + 112 * index + 64;
    const vector = (i) => [0, 4, 8].map((k) => bytes.readFloatLE(at + 12 * i + k));
    const column = ([x, y, z]) => new Vector3(y, z, x);
    const rotation = new Matrix4().makeBasis(...[2, 3, 1].map((i) => column(vector(i))));
    return { origin: vector(0), rotation };
}

function checkTags(gltf, model, frame, what) {
    if (!/\.md[c3]$/i.test(model.path) || frame !== Math.floor(frame)) return;
    const bytes = readFileSync(model.path);
    gltf.scene.updateMatrixWorld(true);
    const nodes = [];
    gltf.scene.traverse((object) => object.userData.tag !== undefined && nodes.push(object));
    assert.equal(nodes.length, bytes.readInt32LE(80), `${what}: tags`);
    nodes.forEach((node, i) => {
        const { origin: [x, y, z], rotation } = readTag(bytes, i, frame);
        const position = new Vector3().setFromMatrixPosition(node.matrixWorld);
        assert(distance(position, [y * METRES, z * METRES, x * METRES]) < 1e-4, `${what}: tag ${i}`);
        const off = rotation.elements.slice(0, 12).reduce((most, e, k) => k % 4 === 3 ? most
            : Math.max(most, Math.abs(e - node.matrixWorld.elements[k])), 0);
        assert(off < 1e-3, `${what}: tag ${i} is turned by ${off}`);
        comparisons++;
    });
}

// Makes an MD2 with more frames than one mesh may have targets: an asymmetric tetrahedron, different in each frame.
function writeMany(path, names) {
    const vertices = [[0, 0, 0], [200, 10, 20], [10, 120, 30], [20, 30, 60]];
    const faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    const frameSize = 40 + 4 * vertices.length;
    const st = 68, triangles = st + 4, frames = triangles + 12 * faces.length;
    const end = frames + names.length * frameSize;
    const out = Buffer.alloc(end);
    out.write('IDP2');
    [8, 64, 64, frameSize, 0, vertices.length, 1, faces.length, 0, names.length, 68, st, triangles,
        frames, end, end].forEach((value, i) => out.writeInt32LE(value, 4 + 4 * i));
    faces.flatMap((face) => [...face, 0, 0, 0]).forEach((value, i) => out.writeUInt16LE(value, triangles + 2 * i));
    names.forEach((name, f) => {
        const at = frames + f * frameSize;
        [0.5, 0.5, 0.5, -20, -30, -f / 8].forEach((value, i) => out.writeFloatLE(value, at + 4 * i));
        out.write(name, at + 24);
        vertices.forEach(([x, y, z], v) =>
            out.set([x + (f % 50), y + (f % 7), z + Math.floor(f / 10), (f * 5 + v) % 162],
                at + 40 + 4 * v));
    });
    writeFileSync(path, out);
    return { path, name: 'many.md2', info: JSON.parse(run('info', '--json', path)) };
}

function makeNames(clips) {
    return Object.entries(clips).flatMap(([name, count]) =>
        Array.from({ length: count }, (_, i) => `${name}${String(i + 1).padStart(4, '0')}`));
}

async function checkParts() {
    const model = writeMany(join(folder, 'many.md2'), makeNames({ walk: 100, run: 200, all: 400 }));
    assert(Math.max(...model.info.clips.map(({ count }) => count)) > 256, 'no long clip');
    for (const [name, ...options] of variants) {
        const gltf = await load(model, name, ...options);
        const targets = meshesOf(gltf).map((mesh) => mesh.geometry.morphAttributes.position.length);
        assert(targets.length > 2 && Math.max(...targets) <= 255, `targets: ${targets}`);
        compare(gltf, sample(model, 0), 'many.md2 frame 0', options.length > 0);
        checkClips(gltf, model);
        play(gltf, model, options.length > 0);
    }
}

const isWeapon = (model) => model.path.includes('/weapons2/'); // the command converts its parts together
const isPlayer = (model) => model.path.includes('/players/');
// One part of the samples' player suffices, and one variant: they have more frames than all other samples. The variants that
// round take turns.
for (const [i, model] of findModels().filter((one) => !isWeapon(one) && (!isPlayer(one) || one.name === 'lower.md3')).entries()) {
    const chosen = variants.filter((_, v) => v === 0 || (!isPlayer(model) && v === 1 + i % (variants.length - 1)));
    for (const [name, ...options] of chosen) {
        const quantised = isRounded(options);
        const gltf = await load(model, name, ...options);
        // At rest, the file shows the first frame of its first animation.
        const rest = model.info.clips.find((clip) => clip.name === gltf.animations[0]?.name)?.first ?? 0;
        const objects = sample(model, rest);
        compare(gltf, objects, `${model.name} frame ${rest}`, quantised);
        checkFaces(gltf, model);
        checkAxes(model, rest, objects);
        checkTags(gltf, model, rest, `${model.name} frame ${rest}`);
        checkClips(gltf, model);
        play(gltf, model, quantised);
    }
    const { frames, gl_commands: commands } = model.info;
    if (frames.length > 1) {
        const still = await load(model, 'still.glb', '--frames', '0.25');
        assert.equal(still.animations.length, 0);
        compare(still, sample(model, 0.25), `${model.name} still`, false);
        const range = await load(model, 'range.glb', '--frames', `1-${Math.min(9, frames.length - 1)}`);
        compare(range, sample(model, 1), `${model.name} from frame 1`, false);
    }
    if (commands?.integers) {
        const drawn = ['--topology', 'glcommands'];
        const gltf = await load(model, 'commands.glb', ...drawn);
        compare(gltf, sample(model, 0, ...drawn), `${model.name} GL commands`, false);
    }
    model.poses.clear();
}
await checkParts();
assert(comparisons > 0 && welded > 0);
console.log(`${comparisons} comparisons, ${welded} vertices welded`);
