// Tests models with attached models, and their textures. In three.js the parts of a player of three
// MD3s have the transforms of the tags, computed here from the source data of the files. Textures
// and variants are those of the files next to the models.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { makeFolder, run, validate } from './common.mjs';
import { makeMd2, makeMd3, makePcx, makePng, makeTga, vertexOf } from './models.mjs';

// GLTFLoader expects parts of a browser: images are not decoded, their size is enough.
globalThis.self ??= globalThis;
globalThis.createImageBitmap = async (blob) => {
    const bytes = Buffer.from(await blob.arrayBuffer());
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), close() {} };
};

const METRES = 0.0254;
const folder = makeFolder();
const inFolder = (...names) => join(folder, ...names);
const write = (name, data) => {
    mkdirSync(dirname(inFolder(name)), { recursive: true });
    writeFileSync(inFolder(name), data);
};

async function convert(input, output, ...options) {
    const out = inFolder(output);
    run('convert', inFolder(input), '-o', out, '-q', ...options);
    assert.deepEqual(await validate(out), [], out);
    const bytes = readFileSync(out);
    if (out.endsWith('.gltf')) return { json: JSON.parse(bytes) };
    const size = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.subarray(20, 20 + size));
    const bin = bytes.subarray(28 + size);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new Promise((done, fail) => new GLTFLoader().parse(data, '', done, fail));
    return { json, bin, gltf };
}

// ---- The player --------------------------------------------------------------------------------

const rotate = (degrees, [i, j]) => {
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], a = degrees * Math.PI / 180;
    [axes[i][i], axes[i][j], axes[j][i], axes[j][j]] = [Math.cos(a), Math.sin(a), -Math.sin(a), Math.cos(a)];
    return axes;
};
const tag = (name, pose) => ({ name, pose });
const torso = tag('tag_torso', (f) => ({ origin: [f, 2 * f, 24], axes: rotate(7 * f, [0, 1]) }));
const head = tag('tag_head', (f) => ({ origin: [1, -f, 20], axes: rotate(-11 * f, [1, 2]) }));
// As in real files: mirrored, and with axes of three different lengths.
const hand = tag('tag_weapon', (f) => ({
    origin: [f, 9, 8],
    axes: rotate(30 + 5 * f, [0, 2]).map((axis, i) => axis.map((x) => x * [1, -1, 1][i] * (i === 0 && f % 2 ? 2 : 1))),
}));

write('ply/lower.md3', makeMd3({ numFrames: 10, tags: [torso],
    surfaces: [{ name: 'l_legs', shader: 'models/players/ply/legs.tga' }] }));
write('ply/UPPER.MD3', makeMd3({ numFrames: 9, tags: [hand, head],
    surfaces: [{ name: 'u_torso', shader: 'nowhere' }] }));
write('ply/head.md3', makeMd3({ numFrames: 1,
    surfaces: [{ name: 'h_head', shader: 'models\\players\\PLY\\Head.tga' }] }));
write('weapons/gun.md3', makeMd3({ numFrames: 3, surfaces: [{ name: 'w_gun', shader: 'guns/gun' }] }));
write('ply/animation.cfg', `sex m
0 2 0 10 // BOTH_DEATH1
2 4 0 10 // TORSO_GESTURE
6 3 2 10 // TORSO_STAND
9 6 6 10 // LEGS_WALKCR
15 2 2 10 // LEGS_IDLE
`);

// Clips of legs and torso by Quake III's rules.
const clips = {
    lower: { BOTH_DEATH1: [0, 2, 0], LEGS_WALKCR: [2, 6, 6], LEGS_IDLE: [8, 2, 2] },
    upper: { BOTH_DEATH1: [0, 2, 0], TORSO_GESTURE: [2, 4, 0], TORSO_STAND: [6, 3, 2] },
};
const idle = { lower: 'LEGS_IDLE', upper: 'TORSO_STAND' };

// Returns the frame `steps` tenths of a second into a clip.
function frameOf(part, name, steps) {
    const [first, count, loop] = clips[part]?.[name] ?? clips[part]?.[idle[part]] ?? [0, 1, 0];
    return first + (steps < count ? steps : loop ? count - loop + (steps - count) % loop : count - 1);
}

// Attaches a point like the engine: each axis gets length 1.
function apply({ origin, axes }, p) {
    const [x, y, z] = axes.map((axis) => axis.map((c) => c / Math.hypot(...axis)));
    return origin.map((o, i) => o + p[0] * x[i] + p[1] * y[i] + p[2] * z[i]);
}

// Returns the position of a surface's vertex, transformed tag by tag from the innermost.
function expected(surface, v, shown) {
    const chain = {
        l_legs: ['lower'],
        u_torso: ['upper', [torso, 'lower']],
        h_head: ['head', [head, 'upper'], [torso, 'lower']],
        w_gun: ['weapon', [hand, 'upper'], [torso, 'lower']],
    }[surface];
    const transform = (p, [{ pose }, part]) => apply(pose(shown[part]), p);
    return chain.slice(1).reduce(transform, vertexOf(shown[chain[0]], v));
}

function morphed(mesh, i) {
    const { attributes, morphAttributes } = mesh.geometry;
    const out = new Vector3().fromBufferAttribute(attributes.position, i);
    (mesh.morphTargetInfluences ?? []).forEach((weight, k) => out.addScaledVector(
        new Vector3().fromBufferAttribute(morphAttributes.position[k], i), weight));
    return out.applyMatrix4(mesh.matrixWorld);
}

let comparisons = 0;

function compare(gltf, shown, what, tolerance, surfaces) {
    gltf.scene.updateMatrixWorld(true);
    const found = [];
    gltf.scene.traverse((mesh) => {
        if (!mesh.isMesh) return;
        found.push(mesh.name);
        for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
            const [x, y, z] = expected(mesh.name, v, shown);
            const off = morphed(mesh, v).distanceTo(new Vector3(y * METRES, z * METRES, x * METRES));
            assert(off <= tolerance, `${what} ${mesh.name} vertex ${v} has an error of ${off}`);
            comparisons++;
        }
    });
    assert.deepEqual(found.sort(), surfaces, what);
}

async function checkPlayer(name, tolerance, ...options) {
    const surfaces = ['h_head', 'l_legs', 'u_torso', 'w_gun'];
    const { gltf } = await convert('ply', name, '--attach',
        `TAG_weapon=${inFolder('weapons/gun.md3')}`, ...options);
    const animations = ['BOTH_DEATH1', 'LEGS_IDLE', 'LEGS_WALKCR', 'TORSO_GESTURE', 'TORSO_STAND'];
    const gun = gltf.animations.map(({ name }) => name).filter((n) => !animations.includes(n));
    assert.deepEqual(gltf.animations.map(({ name }) => name).filter((n) => !gun.includes(n)).sort(), animations);
    assert.equal(gun.length, 1); // the gun's own frames
    // Without animation, the first frame of the idle clip is shown.
    const rest = { lower: frameOf('lower', 'LEGS_IDLE', 0), upper: frameOf('upper', 'LEGS_IDLE', 0) };
    assert(rest.lower > 0 && rest.upper > 0);
    compare(gltf, { ...rest, head: 0, weapon: 0 }, 'at rest', tolerance, surfaces);
    const mixer = new AnimationMixer(gltf.scene);
    for (const animation of gltf.animations) {
        const part = clips.lower[animation.name] ? 'lower' : 'upper';
        const [, count, loop] = clips[part][animation.name] ?? [0, 3, 3];
        const steps = loop ? count : count - 1;
        assert(Math.abs(animation.duration - steps / 10) < 1e-5, `${animation.name} duration`);
        mixer.stopAllAction();
        const action = mixer.clipAction(animation);
        action.clampWhenFinished = true;
        action.setLoop(2200 /* LoopOnce */, 1);
        for (let step = 0; step <= steps; step++) {
            mixer.setTime(0);
            action.reset().play();
            mixer.setTime(step / 10);
            const shown = {
                lower: frameOf('lower', animation.name, step),
                upper: frameOf('upper', animation.name, step),
                head: 0,
                weapon: gun.includes(animation.name) ? step % 3 : 0,
            };
            compare(gltf, shown, `${animation.name} step ${step}`, tolerance, surfaces);
        }
    }
}

// Two clip names joined with + give one animation: the legs walk, the torso gestures.
async function checkJoined() {
    const name = 'LEGS_WALKCR+TORSO_GESTURE';
    const { gltf } = await convert('ply', 'joined.glb', '--clip', `${name},LEGS_IDLE`);
    assert.deepEqual(gltf.animations.map((animation) => animation.name).sort(), ['LEGS_IDLE', name]);
    const mixer = new AnimationMixer(gltf.scene);
    const joined = gltf.animations.find((animation) => animation.name === name);
    const action = mixer.clipAction(joined);
    action.clampWhenFinished = true;
    action.setLoop(2200 /* LoopOnce */, 1);
    for (let step = 0; step <= 6; step++) {
        mixer.setTime(0);
        action.reset().play();
        mixer.setTime(step / 10);
        const shown = { lower: frameOf('lower', 'LEGS_WALKCR', step),
            upper: frameOf('upper', 'TORSO_GESTURE', step), head: 0 };
        compare(gltf, shown, `${name} step ${step}`, 1e-5, ['h_head', 'l_legs', 'u_torso']);
    }
}

// The same models with --attach alone. The torso plays another clip while the legs walk; it is
// longer, and is cut between two of its frames.
async function checkCut() {
    run('convert', inFolder('ply/lower.md3'), '-o', inFolder('cut.glb'), '-q', '--clip', 'LEGS_IDLE',
        '--attach', 'tag_torso=UPPER.MD3@TORSO_GESTURE,tag_head=head.md3');
    const { gltf } = await convert('ply/lower.md3', 'cut.glb', '--attach',
        'tag_torso=UPPER.MD3@TORSO_GESTURE', '--clip', 'LEGS_IDLE', '--fps', '10');
    assert.deepEqual(gltf.animations.map(({ name }) => name), ['LEGS_IDLE']);
    assert(Math.abs(gltf.animations[0].duration - 0.2) < 1e-5);
    // Legs of 3 frames in 0.25 s each, torso at 10 fps: at 0.75 s it is between two frames.
    write('cut/legs.md3', makeMd3({ numFrames: 3, tags: [torso], surfaces: [{ name: 'l_legs', shader: '' }] }));
    write('cut/legs.framegroups', '0 3 4 1 // slow\n');
    write('cut/body.md3', makeMd3({ numFrames: 9, surfaces: [{ name: 'u_torso', shader: '' }] }));
    write('cut/body.framegroups', '0 9 10 1 // quick\n');
    const cut = await convert('cut/legs.md3', 'cut.glb', '--attach', 'tag_torso=body.md3@quick', '--clip', 'slow');
    assert.deepEqual(cut.gltf.animations.map(({ name }) => name), ['slow']);
    const mixer = new AnimationMixer(cut.gltf.scene);
    const action = mixer.clipAction(cut.gltf.animations[0]);
    action.clampWhenFinished = true;
    action.setLoop(2200, 1).play();
    mixer.setTime(0.75);
    cut.gltf.scene.updateMatrixWorld(true);
    const mesh = cut.gltf.scene.getObjectByName('u_torso');
    for (let v = 0; v < 4; v++) {
        const a = vertexOf(7, v), b = vertexOf(8, v);
        const [x, y, z] = apply(torso.pose(0), a.map((p, i) => p + (b[i] - p) * 0.5));
        const off = morphed(mesh, v).distanceTo(new Vector3(y * METRES, z * METRES, x * METRES));
        assert(off < 1e-5, `cut: vertex ${v} has an error of ${off}`);
        comparisons++;
    }
}

// The gun follows the body's frames. It has fewer, so it then stays at its last frame.
async function checkFollower() {
    const skins = [];
    write('md2/tris.md2', makeMd2({ names: ['run1', 'run2', 'run3', 'jump1', 'jump2'], skins }));
    write('md2/weapon.md2', makeMd2({ names: ['a1', 'a2', 'a3', 'a4'], skins }));
    const { gltf } = await convert('md2', 'follow.glb');
    assert.deepEqual(gltf.animations.map(({ name }) => name), ['run', 'jump']);
    const meshes = [];
    gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
    const [body, gun] = meshes; // the scene has the body's name
    assert.deepEqual([meshes.length, gun.name], [2, 'weapon']);
    const mixer = new AnimationMixer(gltf.scene);
    gltf.animations.forEach((animation, i) => {
        mixer.stopAllAction();
        mixer.clipAction(animation).play();
        for (let step = 0; step < [3, 2][i]; step++) {
            mixer.setTime(step / 10);
            gltf.scene.updateMatrixWorld(true);
            const frame = [0, 3][i] + step;
            for (const [mesh, f] of [[body, frame], [gun, Math.min(frame, 3)]]) {
                const [x, y, z] = vertexOf(f, 1).map(Math.floor);
                const at = new Vector3(y * METRES, z * METRES, x * METRES);
                assert(morphed(mesh, 1).distanceTo(at) < 1e-5, `${animation.name} ${step}`);
                comparisons++;
            }
        }
    });
}

// ---- Textures ----------------------------------------------------------------------------------

const imageBytes = ({ json, bin }, image) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[json.images[image].bufferView];
    return bin.subarray(byteOffset, byteOffset + byteLength);
};

// Returns a pixel as RGBA. The oracle reads the PNG.
function pngPixel(png, x, y) {
    const read = 'import sys, image_files; sys.stdout.buffer.write(image_files.png_read(sys.stdin.buffer.read())[2])';
    const at = 4 * (y * png.readUInt32BE(16) + x);
    return [...execFileSync('python3', ['-c', read], { input: png }).subarray(at, at + 4)];
}

const png = makePng(4, 2, (x, y) => [x * 9, y * 9, 3, 255]);
const gradient = (x, y) => [x * 60, y * 30, 7, 40 * x + 20];

async function checkTextures() {
    write('ply/legs.png', png); // another extension, in the model's folder
    write('ply/HEAD.TGA', makeTga(4, 4, gradient));
    write('game/guns/gun.pcx', makePcx(8, 4, (x, y) => (x === 5 ? 255 : 8 * y + x)));
    const attach = ['--attach', `tag_weapon=${inFolder('weapons/gun.md3')}`];
    const made = await convert('ply', 'textured.glb', ...attach, '--game', inFolder('game'), '--transparent-255');
    const { json, gltf } = made;
    const materials = Object.fromEntries(json.meshes.map(({ name, primitives }) =>
        [name, json.materials[primitives[0].material]]));
    const imageOf = (mesh) => json.textures[materials[mesh].pbrMetallicRoughness.baseColorTexture.index].source;
    assert.equal(json.images.length, 3);
    assert.equal(materials.u_torso.pbrMetallicRoughness.baseColorTexture, undefined);
    assert.equal(materials.l_legs.alphaMode, undefined);
    assert.equal(materials.h_head.alphaMode, undefined); // games ignore a skin's alpha
    const masked = await convert('ply', 'masked.glb', '--alpha', 'mask');
    assert.ok(masked.json.materials.some(({ alphaMode }) => alphaMode === 'MASK'));
    assert.deepEqual(imageBytes(made, imageOf('l_legs')), png);
    const headPng = imageBytes(made, imageOf('h_head')), gunPng = imageBytes(made, imageOf('w_gun'));
    assert.deepEqual(pngPixel(headPng, 3, 2), gradient(3, 2));
    assert.deepEqual(pngPixel(gunPng, 2, 3), [26, 229, 26 ^ 85, 255]);
    assert.equal(pngPixel(gunPng, 5, 1)[3], 0);
    assert.deepEqual(json.samplers, [{ magFilter: 9729, minFilter: 9987, wrapS: 10497, wrapT: 10497 }]);
    const seen = [];
    gltf.scene.traverse(({ name, material }) => material?.map && seen.push(
        `${name} ${material.map.image.width}x${material.map.image.height}`));
    assert.deepEqual(seen.sort(), ['h_head 4x4', 'l_legs 4x2', 'w_gun 8x4']);
    assert(!JSON.stringify(json).includes(folder), 'a path of this machine is in the file');
    await checkSidecarImages(attach);
}

// Images next to a .gltf have their original bytes if glTF supports the format.
async function checkSidecarImages(attach) {
    mkdirSync(inFolder('out'));
    const { json } = await convert('ply', 'out/textured.gltf', ...attach);
    assert.deepEqual(json.images.map(({ uri }) => uri).sort(), ['textured_HEAD.png', 'textured_legs.png']);
    assert.deepEqual(readFileSync(inFolder('out/textured_legs.png')), png);
    assert(existsSync(inFolder('out/textured.bin')));
}

// Sets skins in order of increasing precedence: the model's .skin file, --skin FILE, and
// --skin SURFACE=FILE.
async function checkSkins() {
    write('red.png', makePng(2, 2, () => [255, 0, 0, 255]));
    write('ply/lower_default.skin', 'L_legs,models/players/ply/other.tga\ntag_torso,\n');
    write('ply/other.jpg', png); // whatever its name
    const images = async (...options) =>
        (await convert('ply/lower.md3', 'skin.glb', ...options)).json.images.map(({ name }) => name);
    assert.deepEqual(await images(), ['other.jpg']);
    write('mine.skin', 'l_legs,legs\n');
    assert.deepEqual(await images('--skin', inFolder('mine.skin')), ['legs.png']);
    assert.deepEqual(await images('--skin', inFolder('mine.skin'), '--skin',
        `L_LEGS=${inFolder('red.png')}`), ['red.png']);
}

async function checkVariants() {
    write('md2s/body.md2', makeMd2({ names: ['run1', 'run2'],
        skins: ['players/x/lost.pcx', 'players\\x\\Blue.pcx', 'players/x/green.pcx'] }));
    write('md2s/BLUE.PCX', makePcx(4, 4, (x) => x));
    write('md2s/green.png', png);
    const made = await convert('md2s/body.md2', 'variants.glb'), { json } = made;
    const { variants } = json.extensions.KHR_materials_variants;
    assert.deepEqual(variants.map(({ name }) => name),
        ['players/x/lost.pcx', 'players\\x\\Blue.pcx', 'players/x/green.pcx']);
    const [{ primitives: [primitive] }] = json.meshes;
    const { mappings } = primitive.extensions.KHR_materials_variants;
    assert.deepEqual(mappings.map(({ variants: list }) => list), [[0], [1], [2]]);
    const texture = (material) => json.materials[material].pbrMetallicRoughness.baseColorTexture?.index;
    assert.equal(texture(mappings[0].material), undefined); // no texture, and no dangling reference
    assert.equal(primitive.material, mappings[1].material); // the first found
    assert.deepEqual(imageBytes(made, json.textures[texture(mappings[2].material)].source), png);
    const one = await convert('md2s/body.md2', 'one.glb', '--skin', inFolder('md2s/green.png'));
    assert.equal(one.json.extensions, undefined);
    assert.deepEqual(imageBytes(one, 0), png);
}

await checkPlayer('player.glb', 1e-5);
await checkPlayer('small.glb', 1e-3, '--quantize');
await checkJoined();
await checkCut();
await checkFollower();
await checkTextures();
await checkSkins();
await checkVariants();
assert(comparisons > 0);
console.log(`${comparisons} comparisons`);
