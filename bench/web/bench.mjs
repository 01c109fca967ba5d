// bench.mjs BUILD [ARCHIVE...]: `make bench-web`. Measures every row of the table in docs/internals/web.md in one run.
// Compared programs alternate, and each ratio compares consecutive runs. Figures are medians with both quartiles. Node and the native
// library are timed by processor time, browsers by wall time.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { chromium, launchChromium, serve } from '../../tests/web/browsers.mjs';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const build = resolve(process.argv[2]);
const three = join(source, 'tests/web/node_modules/three');
// Archives of OpenArena: those with the most models, and one of players, each of which unpacks to about 5 MB.
const archives = process.argv.length > 3 ? [process.argv.slice(3)] : [['pak0.pk3', 'pak5-TA.pk3', 'pak6-patch085.pk3'], ['pak2-players.pk3']]
    .map((names) => names.map((name) => join('/usr/share/games/openarena/baseoa', name)).filter(existsSync)).filter((paths) => paths.length > 0);
const sydney = [join(process.env.LERPMESH_CORPUS ?? '', 'md2/sydney.md2'), '/usr/share/assimp/models/MD2/sydney.md2'].find(existsSync);
const ROUNDS = 15;

// ---- Figures ----------------------------------------------------------------------------------------

const quartiles = (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    return [0.25, 0.5, 0.75].map((share) => sorted[Math.round(share * (sorted.length - 1))]);
};
const short = (number) => (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2));
const shown = (numbers) => {
    const [low, middle, high] = quartiles(numbers);
    return `${short(middle)} (${short(low)} .. ${short(high)})`;
};
// `good`: "<=" or ">=".
function verdict(numbers, good, bound) {
    const [low, , high] = quartiles(numbers);
    const [best, worst] = good === '<=' ? [low, high] : [high, low];
    const meets = (number) => (good === '<=' ? number <= bound : number >= bound);
    return meets(worst) ? 'met' : meets(best) ? 'undecided' : 'MISSED';
}
function row(name, numbers, unit, good, bound) {
    const judged = bound === undefined ? '' : `  ${good} ${bound}: ${verdict(numbers, good, bound)}`;
    console.log(`${name.padEnd(64)} ${shown(numbers)} ${unit}${judged}`);
}
const skip = (name, reason) => console.log(`skipped: ${name}: ${reason}`);
const ratios = (a, b) => a.map((number, i) => number / b[i]);

// Returns the processor time per run in microseconds. `count` runs should take about 20 ms.
async function timed(run, count) {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) await run(i);
    const used = process.cpuUsage(before);
    return (used.user + used.system) / count;
}
function timedNow(run, count) {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) run(i);
    const used = process.cpuUsage(before);
    return (used.user + used.system) / count;
}

// ---- Node -------------------------------------------------------------------------------------------

// Imports the package from node_modules, as a program does.
const folder = mkdtempSync(join(tmpdir(), 'lerpmesh-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'node_modules'));
cpSync(join(build, 'web/npm'), join(folder, 'node_modules/lerpmesh'), { recursive: true });
if (existsSync(three)) symlinkSync(three, join(folder, 'node_modules/three'));
const importPackage = (path) => import(pathToFileURL(join(folder, 'node_modules', path)));
const { open } = await importPackage('lerpmesh/index.js');
const { getEngine } = await importPackage('lerpmesh/module.js');

// Links the core alone, compiled like the module, with a program that loads models repeatedly.
async function core(bytes) {
    const out = join(folder, 'load.wasm');
    const objects = readdirSync(join(build, 'web/objects/src'), { recursive: true }).filter((name) => name.endsWith('.o'));
    execFileSync('clang', ['--target=wasm32-wasi', '-O2', '-nostartfiles', '-Wl,--no-entry',
        `-I${join(source, 'include')}`, `-I${join(source, 'src')}`, '-msimd128', join(source, 'bench/web/load.c'), join(build, 'web/objects/web/wasm/result.o'),
        ...objects.map((name) => join(build, 'web/objects/src', name)), '-o', out]);
    const { exports } = (await WebAssembly.instantiate(readFileSync(out), {})).instance;
    const at = exports.bench_alloc(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    const model = exports.bench_open(at, bytes.length), memory = exports.bench_alloc(bytes.length);
    const checkCount = (done, count) => {
        if (done !== count) throw new Error(`${done} of ${count} runs succeeded`);
    };
    return {
        load: (count) => checkCount(exports.bench_load(at, bytes.length, count), count),
        sample: (count) => checkCount(exports.bench_sample(model, memory, count), count),
    };
}

async function node(path) {
    const bytes = readFileSync(path);
    const ours = await core(bytes);
    const native = spawn(join(build, 'release/lerpmesh-bench-web'), [path], { stdio: ['pipe', 'pipe', 'ignore'] });
    const answers = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
    const measureNative = async (command, count) => {
        native.stdin.write(`${command} ${count}\n`);
        return Number((await answers.next()).value);
    };
    const loader = existsSync(three) && new (await importPackage('three/examples/jsm/loaders/MD2Loader.js')).MD2Loader();
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const load = async () => (await open(bytes, { name: 'sydney.md2', normals: 'stored' })).dispose();

    const model = await open(bytes, { name: 'sydney.md2' });
    const [{ vertices }] = model.surfaces;
    const positions = new Float32Array(3 * vertices), normals = new Float32Array(3 * vertices);
    const sampleModel = (i) => {
        model.poseFrames(i % 198, (i + 1) % 198, 0.3);
        model.sample(0, { positions, normals });
    };
    const times = { nativeLoad: [], core: [], load: [], three: [], native: [], own: [], sampleModel: [] };
    await timed(load, 300);
    ours.load(3000);
    ours.sample(30000);
    timedNow(sampleModel, 3000);
    for (let round = 0; round < ROUNDS; round++) {
        times.nativeLoad.push(await measureNative('load', 1000));
        times.core.push(timedNow(() => ours.load(1000), 1) / 1000);
        times.load.push(await timed(load, 60));
        if (loader) times.three.push(timedNow(() => loader.parse(buffer), 1));
        times.native.push(await measureNative('sample', 20000));
        times.own.push(timedNow(() => ours.sample(20000), 1) / 20000);
        times.sampleModel.push(timedNow(sampleModel, 10000));
    }
    native.stdin.end();
    row('load sydney: native', times.nativeLoad, 'us');
    row('load sydney: the same C code in node', times.core, 'us');
    row('  against native', ratios(times.core, times.nativeLoad), 'x', '<=', 2);
    row('load sydney: open() in node, including the description for JavaScript', times.load, 'us');
    if (loader) {
        row("load sydney: three.js' MD2Loader", times.three, 'us');
        row("  MD2Loader's time against the C code", ratios(times.three, times.core), 'x', '>=', 100);
        row("  MD2Loader's time against open()", ratios(times.three, times.load), 'x', '>=', 100);
    }
    row(`sample ${vertices} vertices: native, SSE2`, times.native, 'us');
    row('sample: the same C code in node', times.own, 'us');
    row('  against native', ratios(times.own, times.native), 'x', '<=', 1.6);
    row('sample: into JavaScript arrays', times.sampleModel, 'us');

    model.dispose();
    if (existsSync(three)) {
        const { KeyframeModel } = await importPackage('lerpmesh/three.js');
        const keyframeModel = new KeyframeModel(await open(bytes, { name: 'sydney.md2' }));
        const { position } = keyframeModel.base.children[0].children[0].geometry.attributes;
        const update = (i) => {
            keyframeModel.step = (i * 0.37) % 190;
            return position.array; // samples
        };
        timedNow(update, 3000);
        row(`three.js adapter: an update of ${vertices} vertices`, Array.from({ length: ROUNDS }, () => timedNow(update, 5000)), 'us', '<=', 10);
    }
    await memory(load);
}

async function memory(load) {
    for (let i = 0; i < 50; i++) await load();
    globalThis.gc?.();
    const before = [(await getEngine()).memory.buffer.byteLength, process.memoryUsage().heapUsed];
    for (let i = 0; i < 1000; i++) await load();
    globalThis.gc?.();
    const after = [(await getEngine()).memory.buffer.byteLength, process.memoryUsage().heapUsed];
    row('memory: growth of C after opening and closing 1,000 models', [(after[0] - before[0]) / 1024], 'KB', '<=', 0);
    row('memory: growth of JavaScript', [(after[1] - before[1]) / 1024], 'KB');
}

// ---- Chromium ---------------------------------------------------------------------------------------

const HTML = `<!doctype html><meta charset="utf-8"><title>bench</title>
<script type="importmap">{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<canvas width="640" height="480"></canvas>`;

async function inChromium() {
    const { origin } = await serve({
        '/': join(build, 'web/page'), '/lerpmesh/': join(build, 'web/npm'), '/three/': three, '/bench.html': HTML,
        '/models/': dirname(sydney), '/tick.md2': join(source, 'samples/tick.md2'), '/tick.pcx': join(source, 'samples/tick.pcx'),
    });
    const browser = await launchChromium();
    console.log(await browser.version());
    const waitFor = (tab, expression) => tab.waitForFunction(expression, { polling: 20, timeout: 120000 });

    // Measures the time from navigation to the first frame, with a warm cache.
    const first = [];
    for (let round = 0; round < 9; round++) {
        const tab = await browser.newPage();
        await tab.setViewport({ width: 1000, height: 700 });
        await tab.evaluateOnNewDocument(`addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
            if (document.documentElement.dataset.ready !== undefined && !window.drawn) requestAnimationFrame(() => (window.drawn = performance.now()));
        }).observe(document.documentElement, { attributes: true }));`);
        await tab.goto(`${origin}/`);
        await waitFor(tab, 'window.drawn');
        if (round > 1) first.push(await tab.evaluate('window.drawn'));
        await tab.close();
    }
    row('first frame of the page, warm', first, 'ms', '<=', 300);

    const tab = await browser.newPage();
    await tab.setViewport({ width: 640, height: 480 });
    await tab.goto(`${origin}/bench.html`);
    const frames = await tab.evaluate(FRAMES);
    row('a frame of Tick, 640 x 480, software GL: ours, studio', frames.ours, 'ms', '<=', 16.7);
    row('  ours, the texture alone', frames.plain, 'ms');
    row("  three.js with MD2Loader", frames.theirs, 'ms');
    await tab.close();

    for (const paths of archives) await thumbnails(browser, origin, waitFor, paths);
    if (archives.length === 0) skip('thumbnails', 'there is no archive of OpenArena (Debian: openarena-data)');
    await browser.close();
}

// Times draws, each completed by reading a pixel.
const FRAMES = `(async () => {
    const { open } = await import("/lerpmesh/index.js");
    const { Stage } = await import("/lerpmesh/stage.js");
    const THREE = await import("three");
    const { MD2Loader } = await import("three/addons/loaders/MD2Loader.js");
    const canvas = document.querySelector("canvas"), pixel = new Uint8Array(4);
    const model = await open("/tick.md2", { files: { "tick.pcx": "/tick.pcx" } });
    const stage = await Stage.on(canvas);
    model.play("run");
    stage.aimClip(model);
    const gl = canvas.getContext("webgl2");
    const wait = (gl) => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const ours = (options) => (i) => { model.position = (i * 0.31) % 6; stage.draw(model, options); wait(gl); };
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    renderer.setSize(640, 480);
    const scene = new THREE.Scene();
    scene.add(new THREE.HemisphereLight(0xffffff, 0x444444, 3));
    const camera = new THREE.PerspectiveCamera(40, 4 / 3, 1, 1000);
    camera.position.set(40, 30, 110);
    const geometry = await new MD2Loader().loadAsync("/tick.md2");
    const image = model.image(0);
    const map = new THREE.DataTexture(new Uint8Array(image.pixels), image.width, image.height);
    map.needsUpdate = true;
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ map }));
    mesh.rotation.y = -1.5;
    scene.add(mesh);
    const mixer = new THREE.AnimationMixer(mesh);
    mixer.clipAction(geometry.animations.find((one) => one.name.startsWith("run")) ?? geometry.animations[0]).play();
    const theirs = () => { mixer.update(0.031); renderer.render(scene, camera); wait(renderer.getContext()); };
    const renderers = { ours: ours({ backdrop: true, shadow: true }), plain: ours({ shade: "texture" }), theirs };
    const times = { ours: [], plain: [], theirs: [] };
    for (let round = 0; round < 12; round++)
        for (const [name, draw] of Object.entries(renderers)) {
            draw(round);
            const before = performance.now();
            for (let i = 0; i < 10; i++) draw(i);
            if (round > 1) times[name].push((performance.now() - before) / 10);
        }
    renderer.dispose();
    model.dispose();
    return times;
})()`;

async function thumbnails(browser, origin, waitFor, paths) {
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1200, height: 760 });
    await tab.goto(`${origin}/`);
    await waitFor(tab, 'document.documentElement.dataset.ready !== undefined');
    const before = Date.now();
    await (await tab.$('#file-input')).uploadFile(...paths);
    await waitFor(tab, 'import("./app.js").then((app) => app.library.models.length > 2)');
    const listed = Date.now() - before;
    const size = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
    row(`list of ${paths.map((path) => path.split('/').pop())} (${size.toFixed(0)} MB)`, [listed], 'ms');
    const { models, drawn, seconds, longest } = await tab.evaluate(`(async () => {
        const { library } = await import("./app.js");
        const models = library.models, wanted = Array.from({ length: 300 }, (_, i) => models[i % models.length]);
        let longest = 0, last = performance.now(), going = true;
        const tick = (now) => { longest = Math.max(longest, now - last); last = now; if (going) requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
        const before = performance.now();
        let drawn = 0;
        await Promise.all(wanted.map((one) => library.thumbnail(one).then(() => drawn++, () => 0)));
        going = false;
        return { models: models.length, drawn, seconds: (performance.now() - before) / 1000, longest };
    })()`);
    row(`300 thumbnails of ${models} models, ${drawn} drawn`, [seconds], 's', '<=', 10);
    row('  longest time between two frames of the page meanwhile', [longest], 'ms');
    await tab.close();
}

console.log(`${cpus().length} x ${cpus()[0].model}, node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
if (loadavg()[0] > cpus().length)
    console.log(`The machine is busy (load ${loadavg()[0].toFixed(0)}), so the browser's figures, measured by wall time, are unreliable.`);
if (sydney) await node(sydney);
else skip('sydney', 'not found (Debian: assimp-testmodels)');
if (!chromium) skip('the browser', 'there is no Chromium');
else if (!existsSync(three)) skip('the browser', 'there is no three.js');
else if (sydney) await inChromium();
process.exit(0);
