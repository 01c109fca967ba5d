// test_web_damage.mjs [COUNT]: damaged files by the thousand through the package, in one process: models of each
// format, archives, pictures, glTF. All end in what was opened or in a LerpmeshError; no instance dies of one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder, run } from './common.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const built = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'npm');
if (!existsSync(join(built, 'index.js'))) {
    console.log('skipped: damage: `make web` has not built the package');
    process.exit(77);
}
const { Files, LerpmeshError, check, fromGltf, open, readImage, writePng } = await import(join(built, 'index.js'));
const { getEngine } = await import(join(built, 'module.js'));
const count = Number(process.argv[2] ?? 3000);

// ---- Files that are whole ---------------------------------------------------------------------------

const folder = makeFolder();
const tick = join(source, 'samples/tick.md2'), skin = join(source, 'samples/tick.pcx');
const small = (name) => join(folder, name);
for (const name of ['small.md2', 'small.md3', 'small.mdc', 'small.mdl', 'small.glb'])
    run('convert', '-q', tick, '-o', small(name), '--frames', '0-2');
cpSync(tick, small('tick.md2'));
execFileSync('python3', ['-c', `
import sys, zipfile
folder, skin = sys.argv[1:]
shader = "models/tick { surfaceparm trans cull none { map models/tick.pcx blendFunc blend tcMod scroll 1 1 } }"
for name, method in (("stored.pk3", zipfile.ZIP_STORED), ("deflated.pk3", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(folder + "/" + name, "w", method) as z:
        for model in ("small.md2", "small.md3"):
            z.write(folder + "/" + model, "models/" + model)
        z.write(skin, "models/tick.pcx")
        z.writestr("models/small.skin", "tick,models/tick.pcx\\n")
        z.writestr("scripts/a.shader", shader)
        z.writestr("animation.cfg", "0 3 3 10\\n")
`, folder, skin]);
const image = await readImage(readFileSync(skin));
const png = Buffer.from(await writePng(image));

// ---- Damage -----------------------------------------------------------------------------------------

let state = 0x9e3779b9;
const below = (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
};
const NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];
// Most of it where headers are: the first bytes, and in archives the last.
function damage(bytes, ends) {
    const broken = Uint8Array.from(below(8) === 0 ? bytes.subarray(0, below(bytes.length + 1)) : bytes);
    const view = new DataView(broken.buffer);
    for (let k = below(6) + 1; k > 0 && broken.length > 8; k--) {
        const room = below(3) ? Math.min(400, broken.length) : broken.length;
        const at = Math.max(ends && below(2) ? broken.length - 1 - below(room) : below(room), 0);
        if (below(2)) broken[at] = below(256);
        else if (at + 4 <= broken.length) view.setUint32(at, NUMBERS[below(NUMBERS.length)], true);
    }
    return broken;
}

// ---- What is done with each -------------------------------------------------------------------------

async function useModel(bytes, i) {
    await check(bytes);
    const model = await open(bytes, { name: 'broken', repair: i % 2 === 0, glCommands: i % 3 === 0 });
    try {
        for (const surface of model.surfaces) {
            const positions = new Float32Array(3 * surface.vertices), normals = new Float32Array(3 * surface.vertices);
            model.poseFrames(0, model.frames.length - 1, 0.5);
            model.sample(surface.index, { positions, normals });
            assert.ok(surface.indices.every((index) => index < surface.vertices));
        }
        for (const clip of model.clips.slice(0, 2)) model.pose(clip.name, 0.3);
        for (const tag of model.tags.slice(0, 2)) model.tag(tag.name ?? tag);
        if (i % 7 === 0) await model.toGlb({ quantize: i % 2 === 0 });
        if (i % 11 === 0) await model.encode(['md2', 'md3', 'mdc'][i % 3]);
        if (i % 5 === 0) void model.parts[0].sheet;
    } finally {
        model.dispose();
    }
}

async function useArchive(bytes, i) {
    const files = await Files.from([['broken.pk3', i % 2 ? bytes : new Blob([bytes])]]);
    try {
        for (const one of (await files.models('broken.pk3')).slice(0, 2)) {
            const model = await files.open(one.path, { companions: true });
            model.dispose();
        }
    } finally {
        files.dispose();
    }
}

const kinds = [
    ...['small.md2', 'small.md3', 'small.mdc', 'small.mdl', 'tick.md2'].map((name) => [name, readFileSync(small(name)), useModel]),
    ...['stored.pk3', 'deflated.pk3'].map((name) => [name, readFileSync(small(name)), useArchive, true]),
    ['tick.pcx', readFileSync(skin), readImage, true],
    ['tick.png', png, readImage],
    ['small.glb', readFileSync(small('small.glb')), (bytes) => fromGltf(bytes, 'md3')],
];
const pictures = process.env.LERPMESH_CORPUS && join(process.env.LERPMESH_CORPUS, 'pictures');
if (pictures && existsSync(pictures))
    for (const name of readdirSync(pictures).filter((one) => /\.(jpe?g|tga)$/i.test(one)).slice(0, 4))
        kinds.push([name, readFileSync(join(pictures, name)), readImage, true]);

const engine = await getEngine();
const told = new Map(kinds.map(([name]) => [name, { whole: 0, refused: 0 }]));
for (let i = 0; i < count; i++) {
    const [name, bytes, use, ends] = kinds[i % kinds.length];
    const broken = damage(bytes, ends);
    try {
        await use(broken, i);
        told.get(name).whole++;
    } catch (error) {
        assert.ok(error instanceof LerpmeshError, `${name}, the ${i}th: ${error.stack}`);
        assert.notEqual(error.code, 'trap', `${name}, the ${i}th: ${error.message}`);
        assert.ok(error.message.length > 10, `${name}, the ${i}th: "${error.message}"`);
        told.get(name).refused++;
    }
    assert.equal(engine.dead, null, `${name}, the ${i}th`);
}
for (const [name, { whole, refused }] of told) {
    console.log(`${name}: ${whole} opened, ${refused} refused`);
    assert.ok(refused > 0, `no damage to ${name} was refused`);
}
assert.equal(await getEngine(), engine);

// ---- After a trap -----------------------------------------------------------------------------------

const victim = await open(readFileSync(tick), { name: 'tick.md2' });
assert.throws(() => engine.call('close', 0x7ffffff0), (error) => error.code === 'trap');
assert.throws(() => victim.pose('run', 0), (error) => error.code === 'trap');
victim.dispose();
const next = await open(readFileSync(tick), { name: 'tick.md2' });
assert.notEqual(next.engine, engine);
assert.equal(next.frames.length, 49);
next.dispose();
console.log(`ok: ${count} damaged files, no trap; and after one the next call works`);
