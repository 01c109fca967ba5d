// Tests the npm package, as built by `make web`, in node. For every model its output equals the command's, to the byte.
// Damaged files give errors, and a trap in the module affects only the open models.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, openAsBlob, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, parse } from 'node:path';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { builtFolder, findModels, makeFolder, readSample, samples, zip } from './common.mjs';

const folder = makeFolder();
const built = builtFolder('npm');
const { Files, LerpmeshError, MemoryFiles, check, formats, fromGltf, open, readImage, useModule, version, writePng } = await import(join(built, 'index.js'));
const { NodeFiles } = await import(join(built, 'node.js'));
const { run } = await import(join(built, 'run.js'));
const { getEngine } = await import(join(built, 'module.js'));
const binary = process.env.LERPMESH_BINARY;
const native = (...args) => spawnSync(binary, args, { maxBuffer: 1 << 30 });

assert.equal(await version(), native('version').stdout.toString().trim().split(' ').pop());

// ---- The same as the command ------------------------------------------------------------------------

const nodeFiles = await Files.from(new NodeFiles());
const without = (text) => JSON.stringify({ ...JSON.parse(text), file: null });
let compared = 0;
for (const { path } of findModels()) {
    const related = /_hand\.\w+$/.test(path); // the command opens the weapon of a hand
    const model = await nodeFiles.open(path, { normals: 'stored', related });
    const { counts, ...info } = JSON.parse(native('info', '--json', path).stdout);
    assert.deepEqual(without(JSON.stringify(info)), without(JSON.stringify(model.parts[0].info)), `${path}: info`);
    const { file, ...report } = JSON.parse(native('check', '--json', path).stdout);
    assert.equal(file, path);
    assert.deepEqual(report.counts, counts, `${path}: the problems that info counts`);
    assert.deepEqual(await model.check(), report, `${path}: check`);
    const glb = native('convert', '-q', path, '-o', '-', '--format', 'glb').stdout;
    model.dispose();
    const textured = await nodeFiles.open(path, { related });
    assert.ok(Buffer.from(await textured.toGlb()).equals(glb), `${path}: glb`);
    textured.dispose();
    compared++;
}
assert.ok(compared > 3, 'there are no models');
console.log(`${compared} models: info, check and glb are the command's`);

// Saves a part in each format with the images it names: from a model without embedded images, and
// from one with several.
const tick = join(samples, 'tick.md2'), embedded = join(folder, 'embedded.mdl');
native('convert', '-q', tick, '-o', embedded);
for (const path of [tick, embedded]) {
    const model = await nodeFiles.open(path, {});
    for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
        const written = join(folder, `${format}-of-${path.slice(-3)}`);
        mkdirSync(written);
        native('convert', '-q', path, '-o', join(written, `tick.${format}`));
        const { bytes, images } = await model.parts[0].encode(format, { name: 'tick' });
        const files = [[`tick.${format}`, bytes], ...images];
        assert.deepEqual(files.map(([name]) => name).sort(), readdirSync(written).sort(), `${format} of ${path}`);
        for (const [name, content] of files) assert.ok(readFileSync(join(written, name)).equals(Buffer.from(content)), `${name} of ${path}`);
    }
    const name = parse(path).name;
    for (const [format, options, words] of [
        ['md2', { maxError: 0.5 }, ['--max-error', '0.5']], ['md3', { fps: 5, clip: ['stand', 'run'] }, ['--fps', '5', '--clip', 'stand', '--clip', 'run']],
        ['mdc', { decimate: '50%', smallest: true, unlit: false }, ['--decimate', '50%', '--smallest']], ['glb', { quantize: true }, ['--quantize']],
        ['md3', { lods: 1, options: '--decimate 50% --clip "run"' }, ['--lods', '1', '--decimate', '50%', '--clip', 'run']],
        ['gltf', {}, []], ['obj', { frames: 2.5, axes: 'model' }, ['--frames', '2.5', '--axes', 'model']],
    ]) {
        const written = mkdtempSync(join(folder, 'options-'));
        native('convert', '-q', path, '-o', join(written, `${name}.${format}`), ...words);
        const { files } = await model.convert(format, { name, ...options });
        assert.equal(files[0][0], `${name}.${format}`);
        assert.deepEqual(files.map(([name]) => name).sort(), readdirSync(written).sort(), `${format} of ${path}`);
        for (const [file, content] of files) assert.ok(readFileSync(join(written, file)).equals(Buffer.from(content)), `${file} of ${path} with ${words}`);
    }
    for (const [format, options, message] of [['md3', { quantize: true }, /quantize does not apply to md3 files/], ['md3', { maxErorr: 1 }, /did you mean max-error/],
        ['md2', { maxError: -1 }, /max-error must be at least 0/], ['md2', { strips: 'most' }, /best, fast or none/], ['xyz', {}, /no format "xyz"/]])
        await assert.rejects(model.convert(format, options), (error) => error.code === 'bad-argument' && message.test(error.message) || assert.fail(error.message));
    model.dispose();
}

// ---- Arrays -------------------------------------------------------------------------------------------

const bytes = readSample('tick.md2');
const openTick = () => open(bytes, { name: 'tick.md2', files: { 'tick.pcx': readSample('tick.pcx') } });
{
    const model = await openTick();
    const [surface] = model.surfaces;
    const positions = new Float32Array(3 * surface.vertices), normals = new Float32Array(3 * surface.vertices);
    model.poseFrames(12);
    model.sample(0, { positions, normals });
    // An OBJ of that frame has the same positions: y, z, x.
    const lines = (await model.toObj({ frames: 12 })).match(/^v .*$/gm);
    const [x, y, z] = lines[0].split(' ').slice(1).map(Number);
    assert.deepEqual([z, x, y].map(Math.fround), [...positions.slice(0, 3)]);
    for (let v = 0; v < surface.vertices; v++)
        assert.ok(Math.abs(Math.hypot(...normals.slice(3 * v, 3 * v + 3)) - 1) < 1e-5);
    assert.ok(surface.indices.every((index) => index < surface.vertices));
    assert.equal(surface.st.length, 2 * surface.vertices);
    assert.throws(() => model.sample(0, { positions: new Float32Array(3) }), LerpmeshError);
    assert.throws(() => model.sample(7, { positions }), /no surface 7/);
    assert.throws(() => model.poseFrames(1000), LerpmeshError);
    assert.throws(() => model.play('none'), /no clip/);
    model.play('run');
    model.play('Run'); // names are case-insensitive
    assert.equal(model.clip.name, 'run');
    model.pose('RUN', 0);
    model.playing = true;
    assert.ok(model.advance(0.25));
    assert.ok(Math.abs(model.position - 2.5) < 1e-6);
    model.playback = { mode: 'once' };
    model.advance(100);
    assert.equal(model.playing, false);
    const image = model.image(0);
    const again = await readImage(await writePng(image));
    assert.deepEqual([...again.pixels], [...image.pixels]);
    const cut = { ...image, pixels: image.pixels.subarray(4) };
    await assert.rejects(writePng(cut), (error) => error.code === 'bad-argument' && /4 bytes, but there are 262140/.test(error.message));
    await assert.rejects(writePng({ ...image, width: -1 }), (error) => error.code === 'bad-argument');
    // Memory that grows for the name keeps all arrays valid.
    model.play('run' + '+run'.repeat(1 << 20));
    assert.equal(model.clip.name.length, 3 + (4 << 20));
    // A model converted to glTF and back keeps its clips.
    const { bytes: md3 } = await fromGltf(await model.toGlb(), 'md3');
    const back = await open(md3, { name: 'tick.md3' });
    assert.deepEqual(back.clips.map((clip) => clip.name), model.clips.map((clip) => clip.name));
    for (const one of [model, back]) one.dispose();
    assert.throws(() => model.pose(), (error) => error.code === 'disposed');
    model.dispose();
}

// ---- A custom module ----------------------------------------------------------------------------------

{
    const shipped = readFileSync(join(built, 'lerpmesh.wasm'));
    const build = WebAssembly.Module.imports(await WebAssembly.compile(shipped)).map((one) => one.module.split('.')[0]).find((name) => /^[0-9a-f]{8}$/.test(name));
    const other = Buffer.from(shipped.toString('latin1').replaceAll(build, '01234567'), 'latin1');
    for (const [given, fits] of [[other, false], [await WebAssembly.compile(shipped), true]]) {
        useModule(given);
        const model = await open(bytes, { name: 'tick.md2' });
        if (fits) assert.ok((await model.toObj()).length > 1000);
        else await assert.rejects(model.toObj(), (error) => error.code === 'bad-version' && /another version/.test(error.message));
        model.dispose();
    }
    // An error names the address and its answer.
    const server = createServer(({ url }, response) => response.writeHead(url === '/page.wasm' ? 200 : 404).end('<!doctype html>'));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${server.address().port}`;
    for (const [path, message] of [['none.wasm', 'cannot fetch %: the server returned 404 Not Found'], ['page.wasm', 'cannot use %: it is no WebAssembly module']]) {
        useModule(fetch(`${address}/${path}`));
        await assert.rejects(open(bytes), (error) => error.code === 'io' && error.message === message.replace('%', `${address}/${path}`));
    }
    server.close();
    server.closeAllConnections();
    useModule(new Response(shipped));
    (await open(bytes)).dispose();
    // After a module failed to load, it is requested again, and does not replace the next one.
    useModule(Promise.reject(new Error('no network')));
    await assert.rejects(open(bytes), /no network/);
    (await open(bytes)).dispose();
    useModule(Promise.reject(new Error('no network')));
    const rejection = assert.rejects(open(bytes), /no network/);
    useModule(shipped);
    const engine = await getEngine();
    await rejection;
    assert.equal(await getEngine(), engine, 'a new instance');
}

// ---- The command on files in memory -------------------------------------------------------------------

{
    const model = await openTick();
    const glb = await model.toGlb();
    model.dispose();
    writeFileSync(join(folder, 'robot.glb'), glb);
    assert.equal(native('convert', '-q', join(folder, 'robot.glb'), '-o', join(folder, 'robot.md2')).status, 0);
    for (const content of [glb, new Blob([glb])]) {
        const { status, messages, files } = await run(['convert', 'robot.glb', '-o', 'new/robot.md2'], [['robot.glb', content]]);
        assert.equal(status, 0, messages);
        assert.match(messages, /robot\.glb: wrote new\/robot\.md2: \d+ bytes/);
        assert.ok(files.length >= 1);
        for (const [path, written] of files) assert.ok(readFileSync(join(folder, path.slice(4))).equals(written), path);
    }
    const info = await run(['info', '--json', 'a/tick.md2'], [['a/tick.md2', bytes]]);
    assert.equal(JSON.parse(new TextDecoder().decode(info.output)).frames.length, 49);
    assert.deepEqual(info.files, []);
    const replaced = await run(['edit', '--in-place', '--add-skin', 'new.pcx', 'tick.md2'], [['tick.md2', bytes]]);
    assert.deepEqual([replaced.status, replaced.files.map(([path]) => path)], [0, ['tick.md2']], replaced.messages);
    const broken = await run(['convert', 'robot.glb', '-o', 'robot.md2'], [['robot.glb', glb.subarray(0, 3000)]]);
    assert.deepEqual([broken.status, broken.files], [1, []]);
    assert.match(broken.messages, /has 3000 of the/);
    assert.equal((await run(['convert'])).status, 2);
}

// ---- Input in pieces ----------------------------------------------------------------------------------

{
    const pak = zip(join(folder, 'pieces.pk3'), { filler: randomBytes(3000000), 'models/tick.md2': bytes, 'models/tick.pcx': readSample('tick.pcx') });
    const blob = await openAsBlob(pak);
    let read = 0;
    const reader = { size: blob.size, read: async (offset, length) => {
        read += length;
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    } };
    for (const content of [blob, reader, readFileSync(pak)]) {
        const files = await Files.from([['pieces.pk3', content]]);
        const [listed] = await files.models('pieces.pk3');
        assert.equal(listed.path, 'pieces.pk3:models/tick.md2');
        const model = await files.open(listed.path);
        assert.equal(model.parts[0].materials[0].texture, 0, 'the texture was found');
        files.dispose(); // the model stays
        assert.equal((await model.toGlb()).length > 0, true);
        model.dispose();
    }
    assert.ok(read > 0 && read < 2000000, `${read} bytes were read for a small member of a large archive`);
    const broken = await Files.from([['a.pk3', { size: 5000, read: async () => { throw new Error('gone'); } }]]);
    await assert.rejects(broken.open('a.pk3:x.md2'), /gone/);
}

// ---- Reads and caches ------------------------------------------------------------------------------------

// Counts the bytes read from a file system.
function counted(system) {
    const reads = [];
    return { reads, system: {
        kind: (path) => system.kind(path),
        list: (path) => system.list(path),
        open(path) {
            const file = system.open(path);
            return { size: file.size, read: (offset, target) => (reads.push(target.length), file.read(offset, target)) };
        },
    } };
}

{
    // An archive of many irrelevant files and two models.
    const pak = zip(join(folder, 'many.pk3'), {
        ...Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`sounds/a_name_that_makes_the_directory_long_${i}.wav`, ''])),
        'scripts/a.shader': 'models/x { }\n'.repeat(1000),
        ...Object.fromEntries(['a', 'b'].flatMap((model) => ['tick.md2', 'tick.pcx'].map((name) => [`models/${model}/${name}`, readSample(name)]))),
    });
    const memory = new MemoryFiles();
    memory.add('many.pk3', new Uint8Array(readFileSync(pak)));
    const { reads, system } = counted(memory);
    const sum = () => reads.splice(0).reduce((all, size) => all + size, 0);
    const files = await Files.from(system);
    const directory = 3000 * 80;
    await files.models('many.pk3');
    assert.ok(sum() > directory, 'the directory was not read');
    (await files.open('many.pk3:models/a/tick.md2')).dispose();
    const first = sum();
    (await files.open('many.pk3:models/b/tick.md2')).dispose();
    const second = sum();
    assert.ok(first < directory && second > 10000 && second < 120000, `the directory was read again for a model (${first}, ${second} bytes)`);
    // Two simultaneous requests get an answer each.
    const [one, other, bytesOfOne] = await Promise.all([files.models('many.pk3:models/a/*'), files.models('many.pk3:models/b/*'), files.read('many.pk3:models/a/tick.pcx')]);
    assert.deepEqual([one[0].path, other[0].path], ['many.pk3:models/a/tick.md2', 'many.pk3:models/b/tick.md2']);
    assert.ok(Buffer.from(bytesOfOne).equals(readSample('tick.pcx')));
    files.dispose();

    // In a worker a Blob is read in blocks, only the requested ones.
    class KnownBlob extends Blob {
        constructor(bytes) {
            super([bytes]);
            this.bytes = bytes;
        }
        slice(from, to) {
            return new KnownBlob(this.bytes.subarray(from, to));
        }
    }
    const blockReads = [];
    globalThis.FileReaderSync = class {
        readAsArrayBuffer({ bytes }) {
            blockReads.push(bytes.length);
            return bytes.slice().buffer;
        }
    };
    const all = new Uint8Array(readFileSync(pak));
    const inWorker = await Files.from([['many.pk3', new KnownBlob(all)]]);
    await inWorker.models('many.pk3');
    for (const name of ['a', 'b', 'a', 'b']) (await inWorker.open(`many.pk3:models/${name}/tick.md2`)).dispose();
    assert.equal(blockReads.length, Math.ceil(all.length / (1 << 19)), `${blockReads.length} reads of a Blob of ${all.length} bytes`);
    blockReads.length = 0;
    // Reads of any position and length give the file's bytes; the cache holds at most 64 blocks.
    const long = Uint8Array.from({ length: 40 << 20 }, (_, i) => (i * 2654435761) >>> 24);
    const blob = new MemoryFiles();
    blob.add('long', new KnownBlob(long));
    for (let i = 0; i < 400; i++) {
        const [offset, size] = [(i * 7919 * 1031) % (long.length - 5000), i % 50 === 0 ? 3 << 18 : (i * 104729) % 5000];
        const target = new Uint8Array(size);
        const count = Math.min(size, long.length - offset);
        assert.equal(blob.open('long').read(offset, target), count);
        assert.ok(Buffer.compare(target.subarray(0, count), long.subarray(offset, offset + count)) === 0, `${size} bytes at ${offset}`);
    }
    blockReads.length = 0;
    for (let round = 0; round < 2; round++)
        for (let at = 0; at < 64; at++) blob.open('long').read(at << 19, new Uint8Array(10));
    assert.ok(blockReads.length <= 64, 'cached blocks were read again');
    for (let at = 64; at < 80; at++) blob.open('long').read(at << 19, new Uint8Array(10));
    blockReads.length = 0;
    blob.open('long').read(0, new Uint8Array(10));
    assert.equal(blockReads.length, 1, 'the cache exceeds its limit');
    delete globalThis.FileReaderSync;
}

// ---- Damage -------------------------------------------------------------------------------------------

let rejected = 0, opened = 0;
const tries = [];
for (let end = 0; end < bytes.length; end += 997) tries.push(bytes.subarray(0, end));
for (let i = 0; i < 300; i++) {
    const damaged = Uint8Array.from(bytes.subarray(0, 60000));
    for (let k = 0; k < 4; k++) damaged[(i * 7919 + k * 104729) % 400] = (i * 31 + k * 17) & 255;
    tries.push(damaged);
}
const attack = process.env.LERPMESH_CORPUS && join(process.env.LERPMESH_CORPUS, 'attack');
if (attack && existsSync(attack))
    for (const name of readdirSync(attack, { recursive: true }))
        if (statSync(join(attack, name)).isFile() && statSync(join(attack, name)).size < 4e6)
            tries.push(readFileSync(join(attack, name)));
for (const damaged of tries) {
    try {
        await check(damaged);
        const model = await open(damaged, { name: 'damaged.md2', repair: rejected % 2 === 0 });
        await model.toGlb();
        model.dispose();
        opened++;
    } catch (error) {
        assert.ok(error instanceof LerpmeshError && error.code !== 'trap' && error.message, String(error.stack));
        rejected++;
    }
}
assert.ok(rejected > 100);
console.log(`${tries.length} damaged files: ${opened} opened, ${rejected} rejected`);

// ---- Without memory -----------------------------------------------------------------------------------

{
    const model = await openTick();
    await model.toGltf();
    const { engine } = model;
    const held = [];
    for (let size = 1 << 28; size >= 64; size >>= 1)
        for (let at; (at = engine.call('alloc', size)); ) held.push([at, size]);
    const codes = new Set();
    // With growing memory, first an early step fails, then a later one.
    for (let room = 0; codes.size < 2 && held.length > 0; room += 1) {
        for (let freed = 0; freed < 1 << 14 && held.length > 0; ) {
            const [at, size] = held.pop();
            engine.call('free', at);
            freed += size;
        }
        codes.add(await model.toGltf().then(() => 'done', (error) => error.code));
        await formats();
    }
    assert.deepEqual([...codes], ['out-of-memory', 'done']);
    model.dispose();
    useModule(readFileSync(join(built, 'lerpmesh.wasm'))); // that one keeps its 4 GiB
}

// ---- After a trap -------------------------------------------------------------------------------------

{
    const model = await open(bytes);
    const files = await Files.from([['tick.md2', bytes]]);
    const engine = await getEngine();
    assert.throws(() => engine.call('sample', 0xfffffff0, 0, 0, 0, 0), (error) => error.code === 'trap');
    assert.throws(() => model.pose('run', 0), (error) => error.code === 'trap');
    model.dispose();
    const next = await open(bytes);
    assert.equal(next.frames.length, 49);
    const [one, two] = await Promise.all([files.open('tick.md2'), files.open('tick.md2')]);
    assert.ok(one.engine === next.engine && two.engine === next.engine, 'Files still use the dead instance');
    for (const each of [one, two, files]) each.dispose();
    next.dispose();
    // After one, two simultaneous requests get the same instance.
    assert.throws(() => next.engine.call('close', 0x7ffffff0), (error) => error.code === 'trap');
    const engines = await Promise.all([getEngine(), getEngine()]);
    assert.ok(engines[0] === engines[1] && !engines[0].dead && engines[0] !== next.engine);
}

// ---- No leaks -----------------------------------------------------------------------------------------

{
    const engine = await getEngine();
    const once = async () => (await open(bytes)).dispose();
    for (let i = 0; i < 20; i++) await once();
    const before = engine.memory.buffer.byteLength;
    for (let i = 0; i < 300; i++) await once();
    assert.equal(engine.memory.buffer.byteLength, before, 'memory grows');
    // Objects that were never disposed do not leak either.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    let dropped = 0;
    const sizes = [];
    for (let round = 0; round < 6; round++) {
        for (let i = 0; i < 30; i++, dropped++) void (await open(bytes)).parts[0].info;
        for (let i = 0; i < 3; i++) {
            collect();
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        sizes.push(engine.memory.buffer.byteLength);
    }
    assert.ok(sizes.at(-1) < sizes[0] + 2e6, `${dropped} models without references hold memory: ${sizes}`);
}
