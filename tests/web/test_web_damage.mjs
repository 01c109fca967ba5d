// test_web_damage.mjs [COUNT]: opens thousands of damaged files with the package, in one process
// and in one page, which draws the opened ones: models of each format, archives, images, glTF. Each
// opens or throws a LerpmeshError; no instance crashes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { browserPath, launchBrowser, serve } from './browsers.mjs';
import { makeFolder, run } from './common.mjs';
import { damageAll } from './damaged.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const built = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'npm');
if (!existsSync(join(built, 'index.js'))) {
    console.log('skipped: damage: `make web` has not built the package');
    process.exit(77);
}
const lib = await import(join(built, 'index.js'));
const { getEngine } = await import(join(built, 'module.js'));
const count = Number(process.argv[2] ?? 3000);

// ---- Valid files ------------------------------------------------------------------------------------

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
writeFileSync(small('tick.png'), await lib.writePng(await lib.readImage(readFileSync(skin))));
cpSync(skin, small('tick.pcx'));
const names = ['small.md2', 'small.md3', 'small.mdc', 'small.mdl', 'tick.md2', 'stored.pk3', 'deflated.pk3', 'tick.pcx', 'tick.png', 'small.glb'];
const images = process.env.LERPMESH_CORPUS && join(process.env.LERPMESH_CORPUS, 'pictures');
if (images && existsSync(images))
    for (const name of readdirSync(images).filter((one) => /\.(jpe?g|tga)$/i.test(one)).slice(0, 4)) {
        cpSync(join(images, name), small(name));
        names.push(name);
    }

// ---- In node ----------------------------------------------------------------------------------------

function printCounts(place, counts) {
    for (const [name, { opened, rejected }] of Object.entries(counts)) console.log(`${place}: ${name}: ${opened} opened, ${rejected} rejected`);
}

const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(small(name)))]));
printCounts('node', await damageAll({ lib, getEngine, files, count }));
const engine = await getEngine();

// ---- After a trap -----------------------------------------------------------------------------------

const victim = await lib.open(readFileSync(tick), { name: 'tick.md2' });
assert.throws(() => engine.call('close', 0x7ffffff0), (error) => error.code === 'trap');
assert.throws(() => victim.pose('run', 0), (error) => error.code === 'trap');
victim.dispose();
const next = await lib.open(readFileSync(tick), { name: 'tick.md2' });
assert.notEqual(next.engine, engine);
assert.equal(next.frames.length, 49);
next.dispose();
console.log(`ok: ${count} damaged files, no trap; after a forced trap the next call works`);

// ---- In a page --------------------------------------------------------------------------------------

const PAGE = `<!doctype html><canvas width="96" height="96"></canvas><script type="module">
import * as lib from "/npm/index.js";
import { getEngine } from "/npm/module.js";
import { Stage } from "/npm/stage.js";
import { damageAll } from "/node/damaged.mjs";
const bytes = async (name) => new Uint8Array(await (await fetch("/files/" + encodeURIComponent(name))).arrayBuffer());
globalThis.damage = async (names, count) => {
    const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await bytes(name)])));
    const stage = await Stage.on(document.querySelector("canvas"));
    let drawn = 0;
    const draw = async (model, i) => {
        stage.aim(model);
        for (const shade of ["studio", "wire", "engine"]) stage.draw(model, { shade, tags: true, box: true, vertexNormals: i % 2 === 0, glCommands: i % 3 === 0 });
        stage.remove(model);
        drawn++;
    };
    const counts = await damageAll({ lib, getEngine, files, count, draw });
    const tick = await lib.open(files["tick.md2"], { name: "tick.md2" });
    stage.aim(tick);
    const { pixels } = stage.screenshot(tick, 64, 64);
    return { counts, drawn, lost: stage.lost, colors: new Set(new Uint32Array(pixels.slice().buffer)).size };
};
</script>`;

if (!browserPath) {
    console.log('skipped: damage in a page: there is no Chromium');
} else {
    const { origin } = await serve({ '/npm/': built, '/node/': join(source, 'tests/web'), '/files/': folder, '/damage.html': PAGE });
    const browser = await launchBrowser();
    const tab = await browser.newPage();
    const errors = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    await tab.goto(`${origin}/damage.html`);
    await tab.waitForFunction('globalThis.damage');
    const { counts, drawn, lost, colors } = await tab.evaluate((...given) => globalThis.damage(...given), names, count);
    printCounts('page', counts);
    assert.deepEqual(errors, []);
    assert.ok(drawn > count / 10, `only ${drawn} were drawn`);
    assert.ok(!lost && colors > 100, `afterwards, Tick has ${colors} colours`);
    await browser.close();
    console.log(`ok: ${count} damaged files in one page, ${drawn} models drawn`);
}
process.exit(0);
