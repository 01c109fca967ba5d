// Compares models of lerpmesh/core with those of lerpmesh: descriptions, arrays, samples and textures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { builtFolder, findModels, readSample } from './common.mjs';
import { makePng } from './models.mjs';

const built = builtFolder('npm');
const core = await import(join(built, 'core.js'));
const complete = await import(join(built, 'index.js'));

// Opens the same with both: { ours, theirs }.
async function openBoth(bytes, options) {
    const [ours, theirs] = await Promise.all([core.open(bytes, options), complete.open(bytes, { files: [], ...options })]);
    return { ours, theirs, close: () => [ours, theirs].forEach((one) => one.dispose()) };
}

const posesOf = ({ clips }) => [[null, 0], ...clips.slice(0, 3).flatMap(({ name, duration }) => [[name, 0.3 * duration], [name, duration]])];

function samplesOf(model, surface, [clip, seconds]) {
    model.pose(clip, seconds);
    const target = { positions: new Float32Array(3 * surface.vertices), normals: new Float32Array(3 * surface.vertices) };
    model.sample(surface.index, target);
    return target;
}

function compare(ours, theirs, name) {
    for (const key of ['name', 'format', 'clips', 'restClip', 'frames', 'tags']) assert.deepEqual(ours[key], theirs[key], `${name}: ${key}`);
    const describe = ({ name: own, materials, vertices, triangles, indices, st, fileVertices }) => ({ own, materials, vertices, triangles, indices, st, fileVertices });
    assert.deepEqual(ours.surfaces.map(describe), theirs.surfaces.map(describe), `${name}: surfaces`);
    for (const pose of posesOf(theirs)) {
        for (const surface of theirs.surfaces) if (surface.vertices) assert.deepEqual(samplesOf(ours, surface, pose), samplesOf(theirs, surface, pose), `${name}: surface ${surface.index} at ${pose}`);
        for (const tag of theirs.tags) assert.deepEqual(ours.tag(tag), theirs.tag(tag), `${name}: ${tag}`);
    }
    if (theirs.surfaces.some(({ vertices }) => vertices > 0)) assert.deepEqual(ours.bounds(), theirs.bounds(), `${name}: bounds`);
}

// All models, as plain files.
{
    let count = 0;
    for (const { path, name } of findModels()) {
        const both = await openBoth(readFileSync(path), { name, images: 'none' });
        compare(both.ours, both.theirs, path);
        both.close();
        count++;
    }
    console.log(`${count} models are the same in both`);
}

// Textures: by the file's name, in the formats that games have; skins in the file; alpha.
{
    const tga = Uint8Array.of(0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 40, 1, 2, 3, 255, 4, 5, 6, 0);
    const png = makePng(2, 2, (x, y) => [10 * x, 20 * y, 30, x ? 255 : 128]);
    for (const [model, files] of [['tick.md2', { 'tick.pcx': readSample('tick.pcx') }], ['tick.md2', { 'TICK.TGA': tga }], ['tick.md2', { 'tick.png': png }],
        ['tick_torch.mdl', {}], ['tick_head.mdc', {}], ['tick.md2', {}]]) {
        for (const options of [{}, { alpha: 'opaque' }, { transparent255: true }, { images: 'found' }]) {
            const { ours, theirs, close } = await openBoth(readSample(model), { name: model, files, ...options });
            const what = `${model} with ${Object.keys(files)} and ${JSON.stringify(options)}`;
            const [own, other] = [ours, theirs].map(({ parts: [{ materials }] }) => materials.map(({ texture, alpha, twoSided }) => ({ found: texture >= 0, alpha, twoSided })));
            if (options.images !== 'found') assert.deepEqual(own, other.length ? other : own.map(() => ({ found: false, alpha: 'opaque', twoSided: false })), what);
            assert.equal(own.some(({ found }) => found), options.images !== 'found' && (Object.keys(files).length > 0 || model.endsWith('mdl')), what);
            ours.parts[0].materials.forEach(({ texture }, i) => texture < 0 || assert.deepEqual(ours.image(texture), theirs.image(theirs.parts[0].materials[i].texture), what));
            const [data, expected] = await Promise.all([ours, theirs].map((one) => one.toMeshData({ up: 'y', images: false })));
            for (const all of [data, expected]) for (const { material } of all.surfaces) delete material.name;
            assert.deepEqual(data, expected, what);
            close();
        }
    }
    const broken = await core.open(readSample('tick.md2'), { files: { 'tick.pcx': tga.slice(0, 19) } });
    assert.deepEqual(broken.diagnostics.map(({ severity, path }) => [severity, path]), [['warning', 'tick.pcx']]);
    assert.equal(broken.parts[0].materials[0].texture, -1);
    assert.throws(() => broken.image(0), { code: 'bad-argument' });
    broken.dispose();
    assert.throws(() => broken.pose(), { code: 'disposed' });
}

// What it lacks.
{
    const bytes = readSample('tick.md2');
    await assert.rejects(core.open(bytes, { related: true }), { code: 'bad-argument', message: /no option "related"/ });
    await assert.rejects(core.open(bytes, { repair: true, strict: true }), { code: 'bad-argument' });
    await assert.rejects(core.open(undefined), { code: 'bad-argument' });
    const cut = bytes.subarray(0, 1000);
    const { code, message } = await complete.open(cut).catch((error) => error);
    await assert.rejects(core.open(cut), { code, message });
    const model = await core.open(bytes, { name: 'tick.md2', files: { 'tick.pcx': readSample('tick.pcx') } });
    assert.equal(model.toGlb, undefined);
    const full = await model.full();
    const expected = await complete.open(bytes, { name: 'tick.md2', files: { 'tick.pcx': readSample('tick.pcx') } });
    assert.deepEqual(await full.toGlb(), await expected.toGlb());
    assert.equal((await full.check()).counts.errors, 0);
    for (const one of [model, full, expected]) one.dispose();
}
