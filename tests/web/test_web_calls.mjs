// Calls the WebAssembly modules with damaged files and wrong arguments, in random order, through the package's functions:
// no call traps or writes outside of the memory that JavaScript reserved for it, and every exported function is reached.
// Arguments: the number of calls of exports, and the seed.
//     node test_web_calls.mjs 1000000 7
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { builtFolder, numbers, samples, source, unzipped } from './common.mjs';

const [wanted, seed] = [6000, 1].map((number, i) => Number(process.argv[2 + i] ?? number));
const next = numbers(seed);
const one = (list) => list[next(list.length)];
const chance = (percent) => next(100) < percent;

// ---- Exports: counted, and memory for JavaScript has a mark behind it -------------------------------

const counts = {};
let calls = 0;
const real = new WeakMap(); // the exports of an instance, by those that the package sees
const MARK = 0x7e57c0de;
const damaged = [];

function observe(exports) {
    const sizes = new Map(); // of the blocks of web_alloc
    const word = (at, size) => new DataView(exports.memory.buffer, (at >>> 0) + size, 4);
    const seen = { ...exports };
    for (const [name, call] of Object.entries(exports)) {
        if (!name.startsWith('web_')) continue;
        counts[name] ??= 0;
        seen[name] = (...args) => {
            counts[name]++;
            calls++;
            return call(...args);
        };
    }
    seen.web_alloc = (size) => {
        counts.web_alloc++;
        const at = exports.web_alloc(size + 4);
        if (at) word(at, size).setUint32(0, MARK, true);
        sizes.set(at, size);
        return at;
    };
    seen.web_free = (at) => {
        counts.web_free++;
        if (at && sizes.has(at) && word(at, sizes.get(at)).getUint32(0, true) !== MARK) damaged.push(action);
        sizes.delete(at);
        exports.web_free(at);
    };
    real.set(seen, exports);
    return seen;
}

const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (compiled, imports) => {
    const given = Object.fromEntries(Object.entries(imports).map(([name, value]) => [name, real.get(value) ?? value]));
    const instance = await instantiate.call(WebAssembly, compiled, given);
    return { exports: observe(instance.exports) };
};

const built = builtFolder('npm');
const lerpmesh = await import(join(built, 'index.js'));
const { getEngine } = await import(join(built, 'module.js'));
const { Stage, SHADES } = await import(join(built, 'stage.js'));
const { run } = await import(join(built, 'run.js'));

// ---- A graphics card that draws nothing --------------------------------------------------------------

const CONSTANTS = { VERSION: 0x1f02, RENDERER: 0x1f01, FLOAT: 0x1406, SHORT: 0x1402 };
const RESULTS = {
    getParameter: () => 32768, getExtension: () => null, getShaderParameter: () => true, getProgramParameter: () => true, getUniformLocation: () => ({}),
    getShaderInfoLog: () => '', getProgramInfoLog: () => '', checkFramebufferStatus: () => 0x8cd5, isContextLost: () => false, getSyncParameter: () => 0,
};
const context = new Proxy({}, {
    get: (_, name) => CONSTANTS[name] ?? RESULTS[name] ?? (/^[A-Z_0-9]+$/.test(String(name)) ? 1 : /^create|^fence/.test(String(name)) ? () => ({}) : () => undefined),
});
const canvas = { width: 64, height: 48, getContext: () => context };

// ---- Inputs ------------------------------------------------------------------------------------------

// The fuzzers' seeds, whose last bytes may choose options of a fuzzer (fuzz/fuzz.h), and a sample.
const kinds = ['md2', 'md3', 'mdc', 'mdl', 'mds', 'iqm', 'gltf', 'pcx', 'bmp', 'png', 'jpeg', 'tga', 'pak', 'pk3', 'skin', 'shader', 'clips'];
const archives = unzipped(kinds.map((kind) => join(source, `fuzz/seeds/${kind}.zip`)));
const inputs = Object.fromEntries(kinds.map((kind, i) => [kind, archives[i].map((bytes) => (bytes.at(-1) === 0xa5 ? bytes.slice(0, -5) : bytes))]));
inputs.mdl.push(new Uint8Array(readFileSync(join(samples, 'tick_torch.mdl'))));
const MODELS = ['md2', 'md3', 'mdc', 'mdl', 'mds'];
const NAMES = { jpeg: 'jpg', gltf: 'glb', clips: 'cfg' };
const FORMATS = ['md2', 'md3', 'mdc', 'mdl', 'glb', 'gltf', 'obj', 'iqm', 'mds', 'none', ''];

const TROUBLES = [0, 1, 2, 255, 256, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000, 0x40000000, 0x15555556];

/** Returns changed bytes; one in four stays. */
function mutate(bytes) {
    let changed = bytes.slice();
    for (let i = chance(25) ? 0 : 1 + next(4); i > 0 && changed.length > 8; i--) {
        const at = next(chance(60) ? Math.min(changed.length, 160) : changed.length);
        const view = new DataView(changed.buffer);
        if (chance(30)) changed[at] = next(256);
        else if (chance(70)) view.setUint32(Math.min(at & ~3, changed.length - 4), one(TROUBLES), true);
        else if (chance(40)) changed.copyWithin(at, next(changed.length), changed.length);
        else if (chance(50)) changed = changed.slice(0, at + 1);
        else changed = Uint8Array.from([...changed.subarray(0, at), ...one(inputs[one(kinds)])].slice(0, 1 << 16));
    }
    return changed;
}
const bytesOf = (kind) => mutate(one(inputs[kind]));
const anyBytes = () => (chance(3) ? new Uint8Array(next(9)) : bytesOf(one(kinds)));

const NUMBERS = [0, 0, 1, 1, 2, 3, 7, -1, 0.5, 1.5, NaN, Infinity, -Infinity, -0, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -(2 ** 31), 1e308, 1e-308, 0xffffffff, 65536, 32768];
const number = () => one(NUMBERS);
const small = () => (chance(85) ? next(4) : number());
const TEXTS = ['', 'stand', 'run', 'RUN', 'a', 'none', 'run+stand', 'tag_head', 'tag_hand', '%s%n', 'x'.repeat(5000), '\ud800', 'é', '0', '*', 'vertices', 'header', 'surface 0 triangles', 'a\0b'];
const text = () => one(TEXTS);
const anything = () => (chance(50) ? number() : one([undefined, null, {}, [], text(), true, -1, new Uint8Array(3), Symbol.iterator]));

// ---- State -------------------------------------------------------------------------------------------

let model = null, stage = null, files = null, names = [];

function dropModel() {
    if (stage && model) stage.remove(model);
    model?.dispose();
    model = null;
}

async function makeFiles() {
    files?.dispose();
    const kind = one(MODELS);
    names = [`models/a/a.${kind}`];
    const entries = [[names[0], bytesOf(kind)]];
    for (let i = next(5); i > 0; i--) {
        const other = one(kinds);
        const name = one(['models/a/a', 'models/a/animation', 'models/a/a_default', 'scripts/a', 'pak0', 'models/a/weapon', 'models/a/lower', 'models/a/head']);
        names.push(`${name}.${NAMES[other] ?? other}`);
        entries.push([names.at(-1), bytesOf(other)]);
    }
    files = await lerpmesh.Files.from(entries);
}

const openOptions = () => ({
    ...(chance(20) && { repair: true }), ...(chance(5) && { strict: true }), ...(chance(20) && { related: true }), ...(chance(20) && { glCommands: true }),
    ...(chance(20) && { normals: one(['stored', 'computed', 'auto', text()]) }), ...(chance(20) && { images: one(['none', 'found', 'pixels']) }),
    ...(chance(10) && { clips: chance(50) ? one(names) : text() }), ...(chance(10) && { skins: [chance(50) ? one(names) : text()] }),
    ...(chance(10) && { attach: [{ tag: text(), path: one(names), clip: text() }] }), ...(chance(10) && { palette: one(names) }),
    ...(chance(10) && { games: ['models'] }), ...(chance(10) && { listedSkin: number() }), ...(chance(10) && { alpha: text() }), ...(chance(10) && { transparent255: true }),
});

const convertOptions = () => ({
    ...(chance(15) && { fps: number() }), ...(chance(15) && { scale: number() }), ...(chance(15) && { decimate: one(['50%', 1, -1, text()]) }),
    ...(chance(15) && { frames: one(['0', '0-1', '1,0', text()]) }), ...(chance(15) && { maxError: number() }), ...(chance(10) && { quantize: true }),
    ...(chance(10) && { hd: true }), ...(chance(10) && { player: one(['quake3', 'quake2', text()]) }), ...(chance(10) && { engine: one(['quake3', 'rtcw', text()]) }),
    ...(chance(10) && { vat: one(['png', 'exr']) }), ...(chance(5) && { [text()]: text() }), ...(chance(5) && { options: text() }), ...(chance(5) && { skeleton: true }),
});

const part = () => one(model.parts);
const surfaceOf = (found) => (chance(70) && found.surfaces.length > 0 ? next(found.surfaces.length) : chance(50) ? number() : one(['length', '0', text()]));
const target = (found, surface) => new Float32Array(Math.max(3 * (found.surfaces[surface]?.vertices ?? next(3)) - (chance(5) ? 1 : 0), 0));

function meshData() {
    const frames = 1 + next(3), vertices = 3 + next(3);
    const rows = (length) => Array.from({ length: frames }, () => Float32Array.from({ length }, () => (chance(3) ? number() : next(64))));
    const data = {
        frames, name: text(), surfaces: [{
            name: text(), positions: rows(3 * vertices), ...(chance(30) && { normals: rows(3 * vertices) }), ...(chance(50) && { uvs: rows(2 * vertices)[0] }),
            indices: Array.from({ length: 6 }, () => (chance(2) ? number() : next(vertices))), ...(chance(30) && { material: { name: text(), image: chance(50) ? 0 : number() } }),
        }],
        ...(chance(30) && { tags: [{ name: text(), transforms: rows(12) }] }), ...(chance(30) && { clips: [{ name: text(), first: 0, count: frames, fps: chance(20) ? number() : 10 }] }),
        ...(chance(30) && { images: [{ name: text(), width: 2, height: 2, pixels: new Uint8Array(chance(90) ? 16 : 15) }] }), ...(chance(10) && { grid: rows(6)[0] }),
    };
    if (chance(20)) data[one(Object.keys(data))] = anything();
    if (chance(20) && data.surfaces?.[0]) data.surfaces[0][one(Object.keys(data.surfaces[0]))] = anything();
    return data;
}

// A skeleton's bytes with damage; of this model, so that some counts fit.
let skeletons = null;
async function skeletonsOf() {
    skeletons = chance(60) || !skeletons ? await model.skeletons(chance(20) ? { maxBones: number(), maxError: number(), constantLengths: chance(50) } : {}) : skeletons;
    return skeletons.map((found) => (found && chance(50) ? { ...found, bytes: mutate(found.bytes) } : found));
}

// ---- Actions -----------------------------------------------------------------------------------------

// Those that need a model.
const MODEL_ACTIONS = {
    play: () => model.play(chance(50) ? text() : chance(50) ? one([null, ...model.clips]) : { part: number(), number: number() }),
    playback: () => { model.playback = { mode: one(['clip', 'loop', 'once', 'ping-pong', text()]), backwards: chance(50), interpolate: chance(50), speed: number() }; },
    playing: () => { model.playing = !model.playing; },
    advance: () => model.advance(number()),
    position: () => { model.position = number(); return model.position; },
    step: () => [model.step(number()), model.seconds],
    pose: () => model.pose(one([null, ...model.clips.map(({ name }) => name)]), number(), { interpolate: chance(50) }),
    poseFrames: () => model.poseFrames(small(), small(), number(), small(), chance(20)),
    poseAs: async () => { await model.engine.loadMore(); return model.ask('pose_as', text(), number(), small()); },
    image: () => model.image(small()),
    info: () => [part().info, part().infoText],
    poseOf: () => [part().pose, part().worldTransform],
    tag: () => part().tag(chance(50) ? text() : one([...part().info.tags, ''])),
    bounds: () => part().bounds(small(), small()),
    sample: () => { const found = part(), surface = surfaceOf(found); found.sample(surface, { ...(chance(80) && { positions: target(found, surface) }), ...(chance(80) && { normals: target(found, surface) }) }); },
    arrays: () => { for (const { indices, st, fileVertices } of part().surfaces) assert.ok(indices && st && fileVertices); },
    uv: () => chance(20) && one(part().surfaces)?.uvMap(), // takes as long as dozens of others
    packFrames: async () => { await model.engine.loadMore(); model.ask('pack_frames', small(), small()); return [model.engine.result(), model.engine.second()]; },
    check: () => part().check({ engine: one(['any', 'quake3', 'ufoai', text()]), strict: chance(30) }),
    mark: () => part().mark(small(), number(), { engine: one(['any', 'ufoai', text()]) }),
    encode: () => part().encode(one(FORMATS), convertOptions()),
    meshData: async () => lerpmesh.encode(await part().toMeshData({ up: one(['z', 'y']), images: chance(50) }), one(MODELS), convertOptions()),
    convert: () => model.convert(one(FORMATS), { ...convertOptions(), ...(chance(30) && { name: text() }) }),
    exports: () => one([() => model.toGlb(convertOptions()), () => model.toObj(), () => model.toGltf(convertOptions()), () => model.toObjFiles()])(),
    bones: async () => model.showSkeletons(chance(20) ? null : await skeletonsOf()),
    skinned: async () => model.toGlb({ skeleton: await skeletonsOf() }),
    stage: async () => { stage?.dispose(); stage = null; stage = await Stage.on(canvas); return stage.driver; },
};
const STAGE_ACTIONS = {
    camera: () => { stage.camera = { azimuth: number(), elevation: number(), distance: number(), radius: number(), x: number(), fieldOfView: number() }; return stage.camera; },
    aim: () => (chance(50) ? stage.aim(model, chance(50) ? { aspect: number() } : {}) : stage.aimClip(model)),
    move: () => [stage.rotate(number(), number()), stage.zoom(number()), stage.pan(number(), number())],
    draw: () => stage.draw(model, { shade: one([...SHADES, text()]), ...Object.fromEntries(['box', 'grid', 'axes', 'tags', 'shadow', 'edges', 'eye', 'vertexNormals', 'glCommands'].map((name) => [name, chance(30)])), exposure: number(), seconds: number() }),
    screenshot: () => stage.screenshot(model, one([1, 7, 64, 32768, number()]), one([1, 9, 32768, number()]), {}, small()),
    remove: () => stage.remove(model),
    lost: () => chance(20) && stage.handleContextLoss(),
    dispose: () => { stage.dispose(); stage = null; },
};
const ACTIONS = {
    files: makeFiles,
    models: () => files.models(...(chance(50) ? [] : [chance(50) ? one(names) : text()])),
    read: () => files.read(chance(70) ? one(names) : text()),
    checkFile: () => files.check(one(names), { engine: one(['any', 'quake2', 'ufoai', text()]), strict: chance(30) }),
    open: async () => { dropModel(); model = await files.open(chance(90) ? names[0] : one([...names, 'models', text()]), openOptions()); },
    openPlain: async () => { dropModel(); skeletons = null; model = await lerpmesh.open(one(inputs[one(MODELS)]), { images: 'none' }); },
    check: () => lerpmesh.check(anyBytes()),
    examine: () => lerpmesh.examine(anyBytes()),
    lump: () => lerpmesh.examineLump(anyBytes(), text()),
    image: () => lerpmesh.readImage(bytesOf(one(['pcx', 'bmp', 'png', 'jpeg', 'tga']))),
    png: () => lerpmesh.writePng({ width: small(), height: small(), pixels: new Uint8Array(4 * next(12)) }),
    arrays: () => lerpmesh.encode(meshData(), one(FORMATS), convertOptions()),
    import: () => lerpmesh.fromGltf(bytesOf(one(['gltf', 'iqm', 'md3'])), one(FORMATS), { ...convertOptions(), ...(chance(20) && { name: text() }) }),
    lists: async () => [await lerpmesh.formats(), await lerpmesh.convertOptions(), await lerpmesh.version()],
};
const COMMANDS = [['info'], ['check'], ['examine'], ['convert', '-o', 'out.glb'], ['convert', '-o', 'out.md3'], ['edit', '--rename', 'frames:s/a/b/', '-o', 'out'], ['optimize', '-o', 'out'], ['compare'], ['ls'], ['extract', '-o', 'out'], ['pack', '-o', 'out.pk3'], ['uv', '-o', 'out.svg'], ['formats'], ['help']];
async function runCommand() {
    const kind = one(kinds), name = `a.${NAMES[kind] ?? kind}`;
    const { status } = await run([...one(COMMANDS), ...(chance(95) ? [name] : []), ...(chance(20) ? [text()] : [])].filter((word) => !word.includes('\0')), [[name, bytesOf(kind)]]);
    assert.ok([0, 1, 2].includes(status), `status ${status}`);
}

// ---- The run -----------------------------------------------------------------------------------------

const seconds = () => process.cpuUsage().user / 1e6; // of the processor, whatever else runs
let action = '', actions = 0, rejected = 0, started = seconds();
const traps = [], wrong = [], slow = [];
await makeFiles();
while (calls < wanted) {
    const table = stage && model && chance(25) ? STAGE_ACTIONS : model && chance(75) ? MODEL_ACTIONS : ACTIONS;
    const name = one(Object.keys(table));
    action = `${actions++}: ${name}`;
    try {
        await (chance(1) ? runCommand() : table[name]());
    } catch (error) {
        rejected++;
        const trapped = error.code === 'trap' || error instanceof WebAssembly.RuntimeError;
        if (trapped) traps.push(`${action}: ${error.message} ${error.cause?.stack ?? error.stack}`);
        else if (!(error instanceof lerpmesh.LerpmeshError || error instanceof TypeError)) wrong.push(`${action}: ${error.stack}`);
    }
    const ended = seconds();
    if (ended - started > 20) slow.push(`${action}: ${Math.round(ended - started)} s`);
    started = ended;
    if ((await getEngine()).dead || model?.engine.dead || files?.engine.dead || stage?.dead) {
        model = stage = skeletons = null;
        files = null;
        await makeFiles();
    }
}
stage?.dispose();
dropModel();
files.dispose();

console.log(`${calls} calls of ${Object.keys(counts).length} exports in ${actions} actions, of which ${rejected} failed as expected; ${traps.length} traps (seed ${seed})`);
assert.deepEqual(traps, []);
assert.deepEqual(damaged, [], 'memory was written behind a block');
assert.deepEqual(wrong, []);
assert.deepEqual(slow, []);
assert.deepEqual(Object.keys(counts).filter((name) => counts[name] === 0), [], 'exports that no call reached');
