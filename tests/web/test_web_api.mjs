// Tests functions of the npm package that need no model's details: imports on servers, paths in
// Node, reports and repairs as the command makes them, aborts and progress.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { builtFolder, makeFolder, samples, source } from './common.mjs';
import { makePng } from './models.mjs';

const folder = makeFolder();
const built = builtFolder('npm');
const { Files, LerpmeshError, MemoryFiles, check, encode, examine, fromGltf, open, readImage } = await import(join(built, 'index.js'));
const { openWithTextures } = await import(join(built, 'sources.js'));
const { getEngine } = await import(join(built, 'module.js'));
const tick = join(samples, 'tick.md2');
const bytes = readFileSync(tick);
const native = (...args) => spawnSync(process.env.LERPMESH_BINARY, args, { maxBuffer: 1 << 30 });

// ---- Imports on servers -------------------------------------------------------------------------------

// Every export of the package can be imported without a browser, also if a library defines `document`.
{
    mkdirSync(join(folder, 'node_modules'));
    cpSync(built, join(folder, 'node_modules/lerpmesh'), { recursive: true });
    for (const name of ['three', '@babylonjs', 'react', '@react-three'])
        if (existsSync(join(source, 'tests/web/node_modules', name))) symlinkSync(join(source, 'tests/web/node_modules', name), join(folder, 'node_modules', name));
    const { exports, peerDependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    const scripts = Object.entries(exports).filter(([, target]) => target.default?.endsWith('.js'));
    assert.ok(scripts.length >= 7);
    let imported = 0;
    // Its declarations name what a script exports, and nothing else.
    const declared = (text) => [...text.matchAll(/^export (?:class|function|const) (\w+)/gm), ...text.matchAll(/^export \{([^}]*)\}/gm)]
        .flatMap(([, names]) => names.split(',').map((name) => name.trim()));
    for (const [name, target] of scripts) {
        // Optional libraries that are not installed here, but in `make test-web`.
        const needs = [...readFileSync(join(built, target.default), 'utf8').matchAll(/^\} from "([^.][^"]*)"|^import .* from "([^.][^"]*)"/gm)].map(([, a, b]) => a ?? b);
        const missing = needs.find((one) => !existsSync(join(folder, 'node_modules', ...one.split('/').slice(0, one[0] === '@' ? 2 : 1))));
        if (missing) {
            assert.ok(Object.keys(peerDependencies).some((peer) => missing === peer || missing.startsWith(`${peer}/`)), `${name} imports ${missing}`);
            continue;
        }
        const exported = spawnSync(process.execPath, ['--input-type=module', '-e', `console.log(Object.keys(await import("${join('lerpmesh', name)}")).join())`], { cwd: folder, encoding: 'utf8' });
        assert.deepEqual(exported.stdout.trim().split(',').sort(), declared(readFileSync(join(built, target.types), 'utf8')).sort(), `${target.types} and ${target.default}`);
        for (const globals of ['', 'globalThis.document = undefined; globalThis.window = undefined;', 'globalThis.window = globalThis; globalThis.self = globalThis;']) {
            const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `${globals} await import("${join('lerpmesh', name)}")`], { cwd: folder, encoding: 'utf8' });
            assert.equal(status, 0, `import "${join('lerpmesh', name)}" after "${globals}": ${stderr}`);
        }
        imported++;
    }
    console.log(`${imported} of ${scripts.length} exports were imported without a browser`);
}

// ---- Paths --------------------------------------------------------------------------------------------

{
    const pak = join(folder, 'a b#%41.pk3');
    assert.equal(native('pack', '-q', '-o', pak, samples).status, 0);
    const [member] = await (await Files.from(new (await import(join(built, 'node.js'))).NodeFiles())).models(pak);
    const expected = [...(await (await open(tick)).toGlb())];
    for (const name of [tick, relative(process.cwd(), tick), pathToFileURL(tick), pathToFileURL(tick).href]) {
        const model = await open(name);
        assert.equal(model.parts[0].materials[0].texture, 0, `${name}: the texture in the folder was not found`);
        assert.deepEqual([...(await model.toGlb())], expected);
        model.dispose();
    }
    cpSync(pak, join(folder, 'b.pk3'));
    const before = process.cwd();
    process.chdir(folder);
    for (const name of [member.path, member.path.replace(pak, 'b.pk3')]) (await open(name)).dispose(); // in an archive
    process.chdir(before);
    const given = await open(tick, { files: { 'other.pcx': join(samples, 'tick.pcx') }, skins: 'other.pcx' });
    assert.equal(given.parts[0].textures.find((one) => one.path)?.path, 'other.pcx', 'given files replace the folder');
    given.dispose();
    for (const name of [join(folder, 'none.md2'), pathToFileURL(join(folder, 'none.md2'))]) {
        await assert.rejects(open(name), (error) => error instanceof LerpmeshError && error.code === 'io' && /none\.md2.*No such file/i.test(error.message));
        await assert.rejects(open(name, { files: {} }), (error) => error instanceof LerpmeshError && error.code === 'io' && /none\.md2/.test(error.message));
    }
    // A page is no place for paths.
    globalThis.window = globalThis;
    await assert.rejects(open(tick), /cannot fetch/);
    delete globalThis.window;
}

// ---- Arguments ----------------------------------------------------------------------------------------

// Arguments of another type are errors that name what is expected.
{
    const model = await open(new Response(bytes), { name: 'tick.md2' });
    const loaded = [];
    (await open(new Response(bytes, { headers: { 'content-length': bytes.length } }), { onProgress: (progress) => loaded.push(progress) })).dispose();
    assert.deepEqual(loaded.at(-1), { loaded: bytes.length, total: bytes.length });
    const used = new Response(bytes);
    await used.arrayBuffer();
    await assert.rejects(open(used), (error) => error.code === 'bad-argument' && /has been read already/.test(error.message));
    await assert.rejects(open(tick, { skin: 'tick.pcx' }), { code: 'bad-argument', message: 'open() has no option "skin"' });
    (await open(tick, { skins: undefined, other: undefined })).dispose();
    await assert.rejects(open(new Response(null, { status: 404, statusText: 'Not Found' })), { code: 'io', message: /returned 404 Not Found/ });
    const never = new Response(new ReadableStream({}));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(open(never, { signal: controller.signal }), { name: 'AbortError' });
    const wrong = [[Promise.resolve(bytes), 'a promise: await it'], [[...bytes], 'an array'], [undefined, 'undefined'], [null, 'null'], [5, 'a number'], [{}, 'an Object']];
    const acts = [open, check, (one) => Files.from([['a.md2', one]]), (one) => open(bytes, { files: { 'a.pcx': one } }), async (one) => new MemoryFiles().add('a', one), readImage, examine, (one) => fromGltf(one, 'md3')];
    for (const [given, name] of wrong)
        for (const act of acts)
            await assert.rejects(act(given), (error) => error instanceof LerpmeshError && error.code === 'bad-argument' && error.message.startsWith('expected ') && error.message.endsWith(`, not ${name}`), `${act} of ${name}`);
    for (const [given, name] of [[undefined, 'undefined'], [null, 'null'], ['a.pk3', 'a string'], [{}, 'an Object']])
        await assert.rejects(Files.from(given), { code: 'bad-argument', message: `expected a list of [path, contents], or a file system, not ${name}` });
    for (const [given, name] of [[undefined, 'undefined'], [['md3'], 'an array']])
        await assert.rejects(async () => model.convert(given), { code: 'bad-argument', message: `expected the name of a format, not ${name}` });
    const count = 3 * model.surfaces[0].vertices;
    for (const [target, message] of [[undefined, /object with positions/], [{ position: new Float32Array(count) }, /positions and normals, not "position"/],
        [new Float32Array(count), /not "0"/], [{ positions: [1, 2] }, /Float32Array of positions, not an array/], [{ normals: new Float64Array(count) }, /not a Float64Array/],
        [{ normals: new Float32Array(count - 1) }, /the surface needs/]])
        assert.throws(() => model.sample(0, target), (error) => error.code === 'bad-argument' && message.test(error.message), String(message));
    model.dispose();
}

// ---- Reports and repairs ------------------------------------------------------------------------------

{
    const corpus = process.env.LERPMESH_CORPUS;
    const below = (name) => (corpus && existsSync(join(corpus, name)) ? readdirSync(join(corpus, name)).map((one) => join(corpus, name, one)) : []);
    const paths = [...below('attack'), ...below('broken'), ...below('md3'), tick, join(samples, 'tick_torch.mdl'), join(samples, 'tick_head.mdc')]
        .filter((path) => /\.(md2|md3|mdc|mdl)$/.test(path) && statSync(path).size < 2e6);
    for (let i = 0; i < 24; i++) { // damaged headers and lumps
        const damaged = Uint8Array.from(bytes);
        for (let k = 0; k < 3; k++) damaged[(i * 7919 + k * 104729) % (i % 2 ? 68 : 30000)] = (i * 31 + k * 17) & 255;
        writeFileSync(join(folder, `damaged-${i}.md2`), damaged);
        paths.push(join(folder, `damaged-${i}.md2`));
    }
    const nodeFiles = await Files.from(new (await import(join(built, 'node.js'))).NodeFiles());
    let checked = 0, repaired = 0;
    for (const path of paths) {
        for (const [flags, options] of [[[], {}], [['--strict'], { strict: true }], [['--engine', 'quake2'], { engine: 'quake2' }], [['--engine', 'ufoai'], { engine: 'ufoai' }]]) {
            if (checked > 60 && flags.length > 0 && checked++ % 3) continue;
            const { file, ...report } = JSON.parse(native('check', '--json', ...flags, path).stdout);
            assert.deepEqual(await nodeFiles.check(path, options), report, `${path}: check ${flags}`);
            if (flags.length === 0) assert.deepEqual(await check(readFileSync(path)), report, `${path}: check of bytes`);
            if (flags.length === 0) assert.deepEqual(await check(path), report, `${path}: check of a path`);
            checked++;
        }
        for (const [flag, options] of [['--repair', { repair: true }], ['--strict', { strict: true }]]) {
            const expected = native('info', '--json', flag, path);
            const model = await nodeFiles.open(path, { ...options, normals: 'stored' }).catch((error) => error);
            const { file, counts, error, ...info } = JSON.parse(expected.stdout);
            if (model instanceof Error) {
                assert.notEqual(expected.status, 0, `${path}: ${model.message}`);
                assert.deepEqual([model.code, model.message], [error.code, error.message], `${path} ${flag}`);
            } else {
                assert.equal(expected.status, 0, `${path}: ${expected.stderr}`);
                const { file: _, ...own } = model.parts[0].info;
                assert.deepEqual(own, info, `${path} ${flag}`);
                repaired += own.warnings.length > 0 ? 1 : 0;
                model.dispose();
            }
        }
    }
    assert.ok(checked > 60 && repaired > 3, `${checked} checked, ${repaired} with warnings`);
    console.log(`${checked} reports and ${paths.length} repaired files are the command's`);
    await assert.rejects(open(bytes, { repair: true, strict: true }), /repair and strict cannot be combined/);
    // Files around a model that the engine demands.
    const alone = await check(bytes, { engine: 'ufoai' });
    const complete = await check(bytes, { engine: 'ufoai', name: 'players/tick/tick.md2', files: { 'players/tick/tick.png': makePng(4, 4, () => [1, 2, 3, 255]) } });
    assert.ok(alone.counts.errors > complete.counts.errors, `${alone.counts.errors} errors without files, ${complete.counts.errors} with`);
    const model = await open(bytes, { name: 'tick.md2' });
    const report = await model.check({ engine: 'ufoai' });
    assert.deepEqual(report, await check(bytes, { engine: 'ufoai', name: 'tick.md2' }));
    assert.deepEqual(await model.parts[0].mark(0, 1, { engine: 'ufoai' }), { frame: -1, triangles: 0, marks: [] }, 'a problem of another file has a place on the model');
    assert.ok((await model.parts[0].mark(1, report.problems.length, { engine: 'ufoai' })).triangles > 0);
    await assert.rejects(model.check({ engine: 'doom' }), /no engine "doom"/);
    // Unknown clips.
    for (const act of [() => model.pose('fly', 0), () => model.play('fly')]) assert.throws(act, (error) => error.code === 'bad-argument' && /no clip "fly"/.test(error.message));
    for (const name of ['run', 'fly+run', null]) model.pose(name, 0.1);
    model.dispose();
    await assert.rejects(model.parts[0].mark(0), (error) => error.code === 'disposed');
}

// ---- Aborts and progress ------------------------------------------------------------------------------

const slow = new Set(); // connections that send half a file and wait
const server = createServer((request, response) => {
    const name = request.url.slice(1).split('?')[0];
    if (!existsSync(join(samples, name))) return response.writeHead(404).end();
    const content = readFileSync(join(samples, name));
    response.writeHead(200, request.url.includes('unknown') ? {} : { 'content-length': content.length });
    if (!request.url.includes('slow')) return response.end(content);
    slow.add(request.socket);
    request.socket.on('close', () => slow.delete(request.socket));
    response.write(content.subarray(0, 5000));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;
const until = async (condition, what) => {
    for (let i = 0; i < 400 && !condition(); i++) await new Promise((done) => setTimeout(done, 10));
    assert.ok(condition(), what);
};

// Starts a task, aborts it while it waits, and expects the reason.
async function expectAbort(what, start, waiting = () => slow.size > 0) {
    for (const reason of [undefined, new Error('enough'), 'a text']) {
        const controller = new AbortController();
        const task = start(controller.signal);
        task.catch(() => {});
        await until(waiting, `${what}: it does not wait`);
        controller.abort(reason);
        const late = new Promise((done) => setTimeout(done, 5000, 'late').unref());
        const error = await Promise.race([task.then(() => 'it succeeded', (reason) => reason), late]);
        assert.equal(error, controller.signal.reason, what);
        await until(() => slow.size === 0, `${what}: it still fetches`);
        await assert.rejects(start(AbortSignal.abort('before')), (error) => error === 'before');
        await until(() => slow.size === 0, `${what}: it fetches after an abort`);
    }
}
await expectAbort('open', (signal) => open(`${origin}/tick.md2?slow`, { signal }));
await expectAbort('a sidecar file', (signal) => open(bytes, { name: 'tick.md2', files: { 'tick.pcx': `${origin}/tick.pcx?slow` }, signal }));
await expectAbort('Files.from', (signal) => Files.from([['a', `${origin}/tick.md2?slow`], ['b', `${origin}/tick.pcx?slow`]], { signal }));
await expectAbort('textures', (signal) => openWithTextures(new URL(`${origin}/tick.md2`), { signal }, (url) => (url.endsWith('.pcx') ? `${url}?slow` : url)));
{
    // A Reader that never answers, and one that does.
    let asked = 0, passed;
    const reader = { size: bytes.length, read: (offset, length, { signal }) => (asked++, passed = signal, new Promise(() => {})) };
    for (const act of ['open', 'read', 'check']) {
        const files = await Files.from([['tick.md2', reader]]);
        await expectAbort(`Files.${act}`, (signal) => (asked = 0, files[act]('tick.md2', { signal })), () => asked > 0);
        assert.equal(passed.aborted, true, 'the reader does not see the abort');
        files.dispose();
    }
    const shared = { size: bytes.length, read: async (offset, length) => (await new Promise((done) => setTimeout(done, 20)), bytes.subarray(offset, offset + length)) };
    const files = await Files.from([['tick.md2', shared]]);
    const controller = new AbortController();
    const [one, other] = [files.open('tick.md2', { signal: controller.signal }), files.open('tick.md2')];
    one.catch(() => {});
    controller.abort();
    assert.equal((await other).frames.length, 49, 'an abort stopped another call');
    await assert.rejects(one, (error) => error.name === 'AbortError');
    (await other).dispose();
    files.dispose();
}
{
    const model = await open(bytes, { name: 'tick.md2' });
    const signal = AbortSignal.abort('no');
    for (const act of [() => model.toGlb({ signal }), () => model.toGltf({ signal }), () => model.toObj({ signal }), () => model.toObjFiles({ signal }), () => model.encode('md3', { signal }),
        () => encode({ positions: new Float32Array(9), indices: [0, 1, 2] }, 'md2', { signal }), () => model.check({ signal }), () => open(bytes, { signal }), () => open(tick, { signal }), () => model.parts[0].mark(0, 1, { signal })])
        await assert.rejects(act(), (error) => error === 'no', String(act));
    assert.ok((await model.toGlb({ signal: new AbortController().signal })).length > 0);
    model.dispose();
}
{
    // Aborted calls leave no memory behind.
    const engine = await getEngine();
    let grown = 0;
    for (let i = 0; i < 200; i++) {
        if (i === 50) grown = engine.memory.buffer.byteLength;
        const controller = new AbortController();
        const task = i % 2 ? openWithTextures(new URL(`${origin}/tick.md2`), { signal: controller.signal }) : open(`${origin}/tick.md2`, { signal: controller.signal });
        setTimeout(() => controller.abort('late'), i % 7);
        await task.then((model) => model.dispose(), (error) => assert.equal(error, 'late'));
    }
    assert.equal(engine.memory.buffer.byteLength, grown, 'aborted calls leak');
}
{
    const size = bytes.length, skin = statSync(join(samples, 'tick.pcx')).size;
    for (const [start, total] of [
        [(options) => open(`${origin}/tick.md2`, options), size],
        [(options) => open(`${origin}/tick.md2`, { ...options, files: { 'tick.pcx': `${origin}/tick.pcx` } }), size + skin],
        [(options) => openWithTextures(new URL(`${origin}/tick.md2`), { ...options, files: { 'tick.pcx': `${origin}/tick.pcx` } }), size + skin],
        [(options) => open(`${origin}/tick.md2?unknown`, options), 0],
        [(options) => Files.from([['tick.md2', `${origin}/tick.md2`]], options), size],
    ]) {
        const events = [];
        (await start({ onProgress: (event) => events.push(event) })).dispose();
        assert.ok(events.length > 0 && events.every((event, i) => event.loaded > (events[i - 1]?.loaded ?? 0)), 'progress goes back');
        assert.deepEqual(events.at(-1), { loaded: total || size, total });
    }
    const files = await Files.from([['tick.md2', { size, read: async (offset, length) => bytes.subarray(offset, offset + length) }]]);
    const events = [];
    (await files.open('tick.md2', { onProgress: (event) => events.push(event) })).dispose();
    assert.equal(events.at(-1).loaded, size);
    files.dispose();
    // The connection ends early.
    const task = open(`${origin}/tick.md2?slow`);
    task.catch(() => {});
    await until(() => slow.size > 0, 'it does not fetch');
    for (const socket of slow) socket.destroy();
    await assert.rejects(task, (error) => error instanceof LerpmeshError && error.code === 'io' && /ended early/.test(error.message));
}
server.close();
server.closeAllConnections();

// Skeletons: the file is the command's, also of a skeleton that another thread found; progress can end the search.
{
    const model = await open(tick);
    const shares = [];
    const found = await model.skeleton({ onProgress: (share) => shares.push(share) });
    assert.ok(shares.length > 2 && shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1), 'progress');
    assert.equal(found.verdict, 'accepted');
    assert.equal(found.joints[0].parent, -1);
    for (const [i, { name, parent, position, mirror }] of found.joints.entries()) {
        assert.ok(parent < i && position.every(Number.isFinite) && found.joints[mirror].mirror === i, name);
    }
    assert.ok(found.rmsError < 2 * found.quantum && found.maxError >= found.rmsError);
    assert.deepEqual(found.clips.map(({ name }) => name), model.clips.map(({ name }) => name));
    const file = join(folder, 'skeleton.glb');
    native('convert', '-q', tick, '--skeleton', '-o', file);
    for (const skeleton of [true, {}, [structuredClone(found)]])
        assert.ok(Buffer.from(await model.toGlb({ skeleton })).equals(readFileSync(file)), 'not the file of the command');
    const plain = await model.toGlb();
    for (const skeleton of [false, [null], [{ ...found, verdict: 'refused' }]])
        assert.ok(Buffer.from(await model.toGlb({ skeleton })).equals(Buffer.from(plain)));
    const [gltf] = await model.toGltf({ skeleton: [found] });
    assert.equal(JSON.parse(new TextDecoder().decode(gltf[1])).skins[0].joints.length, found.joints.length);

    const controller = new AbortController();
    await assert.rejects(model.skeleton({ signal: controller.signal, onProgress: () => controller.abort('enough') }), (error) => error === 'enough');
    const steps = [];
    await model.convert('md3', { onProgress: (share) => steps.push(share) });
    assert.ok(steps.length >= 3 && steps.every((share, i) => share >= (steps[i - 1] ?? 0) && share < 1), steps);
    const bare = await open(readFileSync(tick), { name: 'tick.md2' }); // without its texture
    assert.deepEqual((await bare.convert('glb', null)).losses.problems.map(({ severity }) => severity), ['note']);
    bare.dispose();
    for (const act of [(options) => model.convert('md3', options), (options) => model.toGlb(options), (options) => model.parts[0].encode('md2', options),
        (options) => fromGltf(plain, 'mdc', options)]) {
        const stopper = new AbortController();
        await assert.rejects(act({ signal: stopper.signal, onProgress: () => stopper.abort('enough') }), (error) => error === 'enough');
        await assert.rejects(act({ onProgress: () => { throw new RangeError('mine'); } }), RangeError);
        await act();
    }
    await assert.rejects(model.skeletons({ onProgress: () => { throw new RangeError('mine'); } }), RangeError);
    await assert.rejects(model.skeleton({ signal: AbortSignal.abort('no') }), (error) => error === 'no');
    for (const options of [{ maxBones: 129 }, { maxBones: -1 }, { maxError: -1 }, { maxError: NaN }])
        await assert.rejects(model.skeleton(options), { code: 'bad-argument' });

    const damaged = (at, value) => {
        const bytes = found.bytes.slice();
        new DataView(bytes.buffer).setUint32(at, value, true);
        return [{ ...found, bytes }];
    };
    const joint = 20, parent = joint + 104; // of the second joint
    for (const bad of [[], [found, found], [{}], [{ verdict: 'accepted', bytes: found.bytes.slice(0, 400) }], [{ bytes: new Uint8Array(3) }],
        [{ bytes: new Uint8Array([...found.bytes, ...found.bytes]) }], damaged(0, 0xfffffff0), damaged(4, 0), damaged(4, 0xffffffff), damaged(8, 50), damaged(12, 2), damaged(16, 1), damaged(16, 0xffffffff), damaged(parent, 1),
        damaged(joint + 20, found.joints.length), damaged(joint + 100, 0xffffffff), damaged(found.bytes.length - 24, 0xffffffff)])
        await assert.rejects(model.toGlb({ skeleton: bad }), { code: 'bad-argument' }, JSON.stringify(bad).slice(0, 80));
    for (const bad of [[], [found, found], damaged(4, 0)])
        await assert.rejects(model.showSkeletons(bad), { code: 'bad-argument' });
    await model.showSkeletons([found]);
    await model.showSkeletons(null);

    const few = await model.skeleton({ maxBones: 6 });
    assert.equal(few.joints.length, 6);
    assert.ok(few.joints.slice(1).some(({ translates }) => translates));
    assert.ok((await model.skeleton({ maxBones: 6, constantLengths: true })).joints.slice(1).every(({ translates }) => !translates));
    assert.equal((await model.skeleton({ maxBones: 6, maxError: 1e-4 })).verdict, 'refused');
    model.dispose();
}

// The skeletons of a player, whose parts have different numbers of frames.
{
    const doll = join(folder, 'doll');
    mkdirSync(doll);
    for (const [name, tag, ...options] of [['lower.md3', 'tag_torso=0,0,40', '--frames', '0-15'], ['upper.md3', 'tag_head=0,0,40'], ['head.md3', null, '--frames', '0']]) {
        native('convert', '-q', tick, '-o', join(doll, name), ...options);
        if (tag) native('edit', '-q', '--in-place', '--add-tag', tag, join(doll, name));
    }
    const model = await (await Files.from(readdirSync(doll).map((name) => [`doll/${name}`, readFileSync(join(doll, name))]))).open('doll');
    const shares = [];
    const found = await model.skeletons({ maxBones: 8, onProgress: (share) => shares.push(share) });
    assert.ok(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1), 'the progress of all parts');
    native('convert', '-q', doll, '-o', `${doll}.glb`, '--skeleton=8');
    assert.ok(Buffer.from(await model.toGlb({ name: 'doll', skeleton: found })).equals(readFileSync(`${doll}.glb`)), "not the command's file of the player");
    model.dispose();
}
