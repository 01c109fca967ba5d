// Tests models as plain arrays: toMeshData() and encode(). The command compares encoded files with
// their originals. Random arguments of encode() give files or errors, never a trap or a leak.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { builtFolder, makeFolder, run as command, samples as sampleFolder } from './common.mjs';

const folder = makeFolder();
const built = builtFolder('npm');
const { LerpmeshError, encode, fromGltf, open } = await import(join(built, 'index.js'));
const { getEngine } = await import(join(built, 'module.js'));
const { run } = await import(join(built, 'run.js'));
const FORMATS = ['md2', 'md3', 'mdc', 'mdl'];
const samples = ['tick.md2', 'tick_head.mdc', 'tick_torch.mdl'].map((name) => join(sampleFolder, name));
const corpus = process.env.LERPMESH_CORPUS;
const pick = (kind, names) => (corpus && existsSync(join(corpus, kind)) ? readdirSync(join(corpus, kind)).filter((name) => names.includes(name)).map((name) => join(corpus, kind, name)) : []);
const models = [...samples, ...pick('md2', 'faerie.md2'), ...pick('md3', ['camera.md3', 'v_mp34_hand.md3']), ...pick('mdc', ['spider.mdc'])];

// ---- Geometry -----------------------------------------------------------------------------------------

// Six times the volume that the triangles enclose: positive if they are counter-clockwise from outside.
function volumeOf({ indices, positions: [points] }) {
    let volume = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => points.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
        volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return volume;
}

// Applies a transform: origin, then the images of the x, y and z axis.
const apply = (t, [x, y, z]) => [0, 1, 2].map((k) => t[k] + x * t[3 + k] + y * t[6 + k] + z * t[9 + k]);
const turn = ([x, y, z]) => [y, z, x]; // from z up to y up

for (const path of models) {
    const model = await open(path);
    const [part] = model.parts;
    model.poseFrames(0, part.frames - 1, 0.25, 0, true); // hidden
    const before = part.pose;
    const z = await model.toMeshData(), y = await model.toMeshData({ up: 'y', images: false });
    assert.deepEqual(part.pose, before, `${path}: the pose has changed`);
    assert.deepEqual([z.up, y.up, z.frames.length, y.images], ['z', 'y', part.frames, []]);
    assert.deepEqual(z.frames, part.info.frames.map((frame) => frame.name));
    assert.deepEqual(z.clips.map(({ name, first, count, fps, duration }) => ({ name, first, count, fps, duration })),
        model.clips.map(({ name, first, count, fps, duration }) => ({ name, first, count, fps, duration })));
    let volume = 0;
    z.surfaces.forEach((surface, s) => {
        const expected = new Float32Array(3 * part.surfaces[s].vertices), normals = expected.slice();
        volume += volumeOf(surface);
        assert.deepEqual(y.surfaces[s].indices, surface.indices);
        for (const frame of [0, part.frames - 1]) {
            model.poseFrames(frame);
            model.sample(s, { positions: expected, normals });
            assert.deepEqual(surface.positions[frame], expected, `${path}: frame ${frame}`);
            assert.deepEqual(surface.normals[frame], normals);
            for (let v = 0; v < expected.length; v += 3) assert.deepEqual([...y.surfaces[s].positions[frame].slice(v, v + 3)], turn(expected.subarray(v, v + 3)));
        }
        assert.equal(surface.positions[0].buffer, surface.positions.at(-1).buffer, 'frames are in several buffers');
    });
    if (/tick\./.test(path)) assert.ok(volume > 0, `${path}: the triangles are clockwise`);
    // A point on an attached model has the same place in both sets of axes.
    z.tags.forEach(({ name, transforms }, t) => transforms.forEach((transform, frame) => {
        model.poseFrames(frame);
        assert.deepEqual(transform, model.tag(name));
        const [at, same] = [turn(apply(transform, [1, 2, 3])), apply(y.tags[t].transforms[frame], turn([1, 2, 3]))];
        at.forEach((value, k) => assert.ok(Math.abs(value - same[k]) < 1e-3, `${path}: tag ${name} in frame ${frame}`));
    }));
    model.dispose();
    await assert.rejects(model.toMeshData(), (error) => error.code === 'disposed');
}
await assert.rejects((await open(samples[0])).toMeshData({ up: 'x' }), /no axis "x"/);

// A part that shares its parent's frames has those of both.
{
    const files = samples.slice(0, 1).concat(samples[2]).map((path) => [path.split('/').pop(), readFileSync(path)]);
    const model = await open(files[0][1], { name: 'tick.md2', files: files.slice(1), attach: [{ path: 'tick_torch.mdl' }] });
    const alone = await open(files[1][1], { name: 'tick_torch.mdl' });
    assert.equal(model.parts[1].sharesFrames, true);
    const shared = await model.parts[1].toMeshData(), own = await alone.toMeshData();
    assert.ok(shared.frames.length > 0 && shared.frames.length === Math.min(own.frames.length, model.parts[0].frames));
    shared.surfaces[0].positions.forEach((row, frame) => assert.deepEqual(row, own.surfaces[0].positions[frame]));
    for (const clip of shared.clips) assert.ok(clip.first + clip.count <= shared.frames.length);
    for (const one of [model, alone]) one.dispose();
}

// ---- Round trips --------------------------------------------------------------------------------------

const distance = (a, b) => JSON.parse(command('compare', '--json', a, b));
let trips = 0;
for (const path of models) {
    const model = await open(path);
    const data = await model.toMeshData({ up: 'y' });
    const same = await model.toMeshData();
    for (const format of FORMATS) {
        const [direct, given] = await Promise.all([model.encode(format), encode(data, format)].map((result) => result.catch((error) => error)));
        if (direct instanceof Error) {
            assert.equal(given.message, direct.message);
            continue;
        }
        assert.deepEqual(Object.keys(given), Object.keys(direct));
        assert.ok(Buffer.from(given.bytes).equals((await encode(same, format)).bytes), `${path} to ${format}: the axes change the bytes`);
        const [one, other] = ['direct', 'given'].map((name) => join(folder, `${name}.${format}`));
        writeFileSync(one, direct.bytes);
        writeFileSync(other, given.bytes);
        const [best, found] = [distance(path, one), distance(path, other)];
        assert.ok(found.max_distance <= best.max_distance * 1.5 + 0.01, `${path} to ${format}: ${found.max_distance} units off, ${best.max_distance} directly`);
        assert.ok(Math.abs(given.losses.maxError - direct.losses.maxError) < 0.02);
        assert.ok(found.max_st <= best.max_st + 0.01, `${path} to ${format}: texture coordinates are ${found.max_st} off, ${best.max_st} directly`);
        if (/md3|mdc/.test(format)) assert.ok(found.max_tag_distance < 0.02 && found.max_tag_angle_error < 0.1, `${path}: tags`);
        assert.deepEqual(found.clips.map((clip) => clip.name), best.clips.map((clip) => clip.name), `${path} to ${format}`);
        const back = await open(given.bytes, { name: `a.${format}` });
        if (/md3|mdc/.test(format)) assert.deepEqual(back.surfaces.map((surface) => surface.triangles), data.surfaces.map((surface) => surface.indices.length / 3));
        if (same.surfaces.length > 0) assert.ok(volumeOf((await back.toMeshData()).surfaces[0]) * volumeOf(same.surfaces[0]) >= 0, 'the winding has changed');
        back.dispose();
        trips++;
    }
    model.dispose();
}
console.log(`${trips} models keep their shape through arrays`);

// The skin of an MDL is the texture, also after arrays and glTF; other formats refer to the image.
{
    const model = await open(samples[0]);
    const data = await model.toMeshData();
    const glb = await model.toGlb();
    for (const format of FORMATS) {
        const { files: expected, messages } = await run(['convert', '-q', 'tick.glb', '-o', `tick.${format}`], [['tick.glb', glb]]);
        const { bytes, images } = await fromGltf(glb, format, { name: 'tick' });
        const written = new Map([[`tick.${format}`, bytes], ...images]);
        assert.equal(written.size, expected.length, messages);
        for (const [name, content] of expected) assert.ok(Buffer.from(written.get(name)).equals(content), `${name} from glTF`);
        const encoded = await encode(data, format, { name: 'tick' });
        assert.deepEqual(encoded.images.map(([name]) => name), images.map(([name]) => name));
        const back = await open(encoded.bytes, { name: `tick.${format}`, files: encoded.images });
        const { pixels } = back.image(0);
        const original = data.images[0].pixels;
        const off = pixels.reduce((sum, value, i) => sum + Math.abs(value - original[i]), 0) / pixels.length;
        assert.ok(pixels.length === original.length && off < 8, `the skin of the ${format} is ${off} of 255 off`);
        back.dispose();
    }
    const [named] = (await encode({ ...data, images: [], surfaces: [{ ...data.surfaces[0], material: { name: 'models/a/b.tga' } }] }, 'md2')).images;
    assert.equal(named, undefined);
    model.dispose();
}

// ---- A program's own arrays ---------------------------------------------------------------------------

const triangle = { positions: [0, 0, 0, 8, 0, 0, 0, 8, 0], indices: [0, 1, 2], uvs: [0, 0, 1, 0, 0, 1] };
{
    // One surface at the top level, frames in one array or in several, plain or typed.
    const flag = { ...triangle, positions: [triangle.positions, triangle.positions.map((x) => x + 2)], clips: [{ name: 'rise' }] };
    const first = (await encode(flag, 'md3')).bytes;
    for (const positions of [flag.positions.flat(), Float32Array.from(flag.positions.flat()), flag.positions.map((row) => Float64Array.from(row))])
        assert.deepEqual((await encode({ ...flag, frames: 2, positions, indices: Uint16Array.of(0, 1, 2) }, 'md3')).bytes, first);
    const model = await open(first, { name: 'flag.md3' });
    assert.deepEqual([model.frames.length, model.clips[0].count, model.clips[0].fps], [2, 2, 10]);
    const data = await model.toMeshData();
    assert.deepEqual([...data.surfaces[0].normals[0].map(Math.round)], [0, 0, 1, 0, 0, 1, 0, 0, 1], 'the front is not counter-clockwise');
    assert.deepEqual([...data.surfaces[0].positions[1]].slice(0, 3), [2, 2, 2]);
    model.dispose();
    // Names, tags and several surfaces.
    const two = { frames: ['a1', 'a2'], surfaces: [{ ...flag, name: 'body', material: { name: 'models/x.tga' } }, { ...flag, name: 'head' }],
        tags: [{ name: 'tag_x', transforms: [1, 2].flatMap((x) => [x, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]) }] };
    const scene = await open((await encode(two, 'md3')).bytes, { name: 'two.md3' });
    assert.deepEqual([scene.surfaces.map((one) => one.name), scene.tags, scene.frames.map((one) => one.name)], [['body', 'head'], ['tag_x'], ['a1', 'a2']]);
    assert.deepEqual(scene.surfaces[0].materials, ['models/x.tga']);
    scene.poseFrames(1);
    assert.equal(scene.tag('tag_x')[0], 2);
    scene.dispose();
}

// ---- Invalid arguments --------------------------------------------------------------------------------

const WRONG = [
    [null, 'md2', /not an object/], [{}, 'md2', /positions is not an array/], [{ ...triangle, up: 'x' }, 'md2', /no axis "x"/],
    [triangle, 'obj', /a mesh becomes a model, not .obj/], [triangle, undefined, /expected the name of a format, not undefined/], [{ surfaces: {} }, 'md2', /surfaces is not an array/],
    [{ ...triangle, frames: 0 }, 'md2', /there are 0 frames/], [{ ...triangle, frames: [] }, 'md2', /there are 0 frames/], [{ ...triangle, frames: 1e9 }, 'md2', /at most 1048576/],
    [{ ...triangle, frames: 2 }, 'md2', /9 numbers, which 2 frames cannot share/], [{ ...triangle, positions: [1, 2, 3, 4] }, 'md2', /4 numbers per frame: a vertex has 3/],
    [{ ...triangle, positions: [triangle.positions, [1]] }, 'md2', /positions\[1\] is not an array of numbers as long as/], [{ ...triangle, positions: ['a', 'b', 'c'] }, 'md2', /positions\[0\]/],
    [{ ...triangle, positions: triangle.positions.with(4, NaN) }, 'md2', /position of vertex 1 in frame 0 is not a number/], [{ ...triangle, positions: triangle.positions.with(4, 1e300) }, 'mdc', /vertex 1 in frame 0/],
    [{ ...triangle, indices: [0, 1, 3] }, 'md2', /indices\[2\] is 3, but there are 3 vertices/], [{ ...triangle, indices: [0, 1, -1] }, 'md2', /indices\[2\] is -1/],
    [{ ...triangle, indices: [0, 1, 1.5] }, 'md2', /indices\[2\] is 1.5/], [{ ...triangle, indices: [0, 1] }, 'md2', /3 for each triangle/], [{ ...triangle, uvs: [0] }, 'md2', /uvs is not an array of 6 numbers/],
    [{ ...triangle, uvs: triangle.uvs.with(0, Infinity) }, 'md2', /texture coordinate 0/], [{ ...triangle, normals: [0, 0, 1] }, 'md2', /normals has 3 numbers/],
    [{ ...triangle, clips: [{}] }, 'md2', /clips\[0\].name is missing/], [{ ...triangle, clips: [{ name: 'a', count: 9 }] }, 'md2', /frames from 0, 9 in number, but there are 1/],
    [{ ...triangle, clips: [{ name: 'a', fps: 0 }] }, 'md2', /fps is 0/], [{ ...triangle, clips: [{ name: 'a', loopFrames: 2 }] }, 'md2', /loopFrames is 2/], [{ ...triangle, clips: [{ name: 'a', first: -1 }] }, 'md2', /frames from -1/],
    [{ ...triangle, tags: [{ name: 'a', transforms: [1] }] }, 'md3', /a transform has 12/], [{ ...triangle, name: 'a\0b' }, 'md3', /without NUL/],
    [{ ...triangle, images: [{ width: 0, height: 1, pixels: new Uint8Array() }] }, 'mdl', /0 x 1 pixels/], [{ ...triangle, images: [{ width: 2, height: 2, pixels: new Uint8Array(4) }] }, 'mdl', /16 bytes/],
    [{ ...triangle, material: { image: 0 } }, 'mdl', /image is 0, but there are 0 images/], [{ ...triangle, material: { alpha: 'x' } }, 'mdl', /alpha/],
    [{ surfaces: [triangle, { ...triangle, positions: [triangle.positions, triangle.positions] }] }, 'md3', /surfaces\[1\].positions has 2 frames, but there are 1/],
    [{ ...triangle, positions: new BigInt64Array(9) }, 'md2', /positions/],
];
for (const [data, format, message] of WRONG)
    await assert.rejects(encode(data, format), (error) => error instanceof LerpmeshError && error.code !== 'trap' && message.test(error.message) || assert.fail(`${message}: ${error.stack}`));

// Arrays are freed, whether they are encoded or rejected.
{
    const engine = await getEngine();
    const large = { ...triangle, frames: 1, positions: new Float32Array(300000), indices: [0, 1, 2], uvs: undefined };
    let grown = 0;
    for (let i = 0; i < 40; i++) {
        if (i === 10) grown = engine.memory.buffer.byteLength;
        await encode({ ...large, indices: i % 2 ? [0, 1, 2] : [0, 1, 1e6] }, 'md3').catch((error) => assert.match(error.message, /indices\[2\]|limit|vertices/));
    }
    assert.equal(engine.memory.buffer.byteLength, grown, 'arrays leak');
}

// Random changes of valid arrays.
{
    let seed = 1;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    const values = () => [undefined, null, NaN, -1, 0, 0, 1, 1, 1.5, 1000, 1e30, Infinity, 2 ** 31, 2 ** 32, '', 'a', 'x'.repeat(300), true, {}, [], [null], [[]], [[], []], [NaN], [1, 2, 3], Symbol('a'), 3n, new Float32Array(3), new Uint8Array(12), new DataView(new ArrayBuffer(12)), () => 1, new Map()];
    const any = () => values()[random(values().length)];
    const base = () => ({ name: 'a', up: 'z', frames: ['f1', 'f2'], clips: [{ name: 'c', first: 0, count: 2, fps: 10, loopFrames: 2, times: [0, 1, 2] }],
        surfaces: [{ ...triangle, positions: [[...triangle.positions], [...triangle.positions]], normals: [new Float32Array(9), new Float32Array(9)], indices: [0, 1, 2], uvs: [...triangle.uvs], material: { name: 'a', image: 0, alpha: 'mask' } }],
        tags: [{ name: 't', transforms: [new Array(12).fill(1), new Array(12).fill(0)] }], images: [{ name: 'i', width: 2, height: 2, pixels: new Uint8Array(16) }] });
    const objects = (value) => (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? [value, ...Object.values(value).flatMap(objects)] : []);
    const engine = await getEngine();
    const count = 600, results = { encoded: 0, rejected: 0 };
    let grown = 0;
    for (let i = 0; i < count; i++) {
        if (i === count / 3) grown = engine.memory.buffer.byteLength;
        const data = base();
        for (let changes = i % 3; changes > 0; changes--) {
            const all = objects(data), target = all[random(all.length)], keys = Object.keys(target);
            if (keys.length > 0) target[keys[random(keys.length)]] = any();
        }
        await encode(data, FORMATS[i % 4], random(9) === 0 ? { name: any() } : {}).then(() => results.encoded++, (error) => {
            assert.ok(error instanceof LerpmeshError && error.code !== 'trap', `${i}: ${error.stack}`);
            results.rejected++;
        });
    }
    assert.ok(results.encoded > 50 && results.rejected > 50, JSON.stringify(results));
    assert.equal(await getEngine(), engine);
    assert.equal(engine.memory.buffer.byteLength, grown, 'memory grows');
    console.log(`random arguments: ${results.encoded} encoded, ${results.rejected} rejected`);
}
