// Tests <lerpmesh-view> and the examples of examples/web in Chromium: attributes, properties,
// events, keys, loading order, and the cleanup of removed components.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { countColors, expectMotion, launchBrowser, needChromium, newTab, runTests, serve } from './browsers.mjs';
import { builtFolder, readSample, samples, source } from './common.mjs';

const built = builtFolder('npm');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const three = join(dirname(createRequire(import.meta.url).resolve('three')), '..');
const examples = join(source, 'examples/web');
const page = (body) => `<!doctype html><meta charset="utf-8"><title>test</title><script type="module" src="/lerpmesh/view.js"></script>${body}`;
const pages = {
    '/empty.html': page(''),
    '/poster.html': page('<lerpmesh-view src="tick.md2" poster="poster.svg"></lerpmesh-view>'),
    '/clones.html': '<!doctype html><script type="importmap">{"imports": {"three": "/three/build/three.module.js"}}</script>',
    '/deep/page.html': page('<lerpmesh-view src="../tick.md2" skin="skins/other.pcx"></lerpmesh-view>'),
    '/fallback.html': page('<lerpmesh-view src="none.md2"><p slot="fallback">no model</p></lerpmesh-view><lerpmesh-view src="tick.md2"></lerpmesh-view>'),
    '/below.html': page('<div style="height: 9000px"></div><lerpmesh-view src="tick.md2" autoplay></lerpmesh-view>'),
};
// Tick with two skins in his own list: tick and blue.
function listTwoSkins() {
    const tick = readSample('tick.md2'), names = Buffer.alloc(128);
    const at = (field) => 4 * field;
    names.write('tick.pcx');
    names.write('blue.pcx', 64);
    const model = Buffer.concat([tick, names]);
    for (const [field, value] of [[5, 2], [11, tick.length], [16, model.length]]) model.writeInt32LE(value, at(field));
    return model;
}

// A picture of 4 x 2 pixels: blue above, brown below, and a bright pixel to the right of the middle.
const PIXELS = [[60, 90, 200], [60, 90, 200], [255, 255, 255], [60, 90, 200], [60, 40, 20], [60, 40, 20], [60, 40, 20], [60, 40, 20]];
function makeBmp() {
    const file = Buffer.alloc(54 + 24);
    file.write('BM');
    for (const [at, value] of [[2, file.length], [10, 54], [14, 40], [18, 4], [22, 2]]) file.writeUInt32LE(value, at);
    file.writeUInt16LE(1, 26);
    file.writeUInt16LE(24, 28);
    [...PIXELS.slice(4), ...PIXELS.slice(0, 4)].forEach(([r, g, b], i) => file.set([b, g, r], 54 + 3 * i));
    return file;
}
// The same in the format of Radiance, in rows that are run-length encoded if they have at least 8 pixels.
function makeHdr(scale = 4) {
    const linear = (byte) => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    const rows = [PIXELS.slice(0, 4), PIXELS.slice(4)].map((row) => {
        const pixels = row.flatMap((pixel) => Array(scale).fill(pixel.map((byte) => Math.round(linear(byte) * 255))));
        const channels = [0, 1, 2].flatMap((c) => [pixels.length, ...pixels.map((pixel) => pixel[c])]);
        return Buffer.from([2, 2, 0, pixels.length, ...channels, 128 + pixels.length, 128]);
    });
    const text = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${2 * scale} +X ${4 * scale}\n`;
    return Buffer.concat([Buffer.from(text), ...rows.flatMap((row) => Array(scale).fill(row))]);
}

const { origin, requested } = await serve({
    '/two.md2': listTwoSkins(), '/blue.pcx': readSample('tick.pcx'), '/deep/skins/other.pcx': readSample('tick.pcx'),
    '/tick torch.mdl': readSample('tick_torch.mdl'), '/sky.bmp': makeBmp(), '/sky.hdr': makeHdr(), '/short.hdr': makeHdr().subarray(0, 120),
    '/': samples, '/lerpmesh/': built, '/three/': three, '/view.html': readFileSync(join(examples, 'view.html')),
    '/three.html': readFileSync(join(examples, 'three.html')), '/poster.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>',
    ...pages,
});
const browser = await launchBrowser();

const errors = [];
async function go(tab, path, media = []) {
    if (media.length > 0) await tab.emulateMediaFeatures(media);
    requested.length = 0;
    await tab.goto(`${origin}/${path}`);
}
const until = (tab, expression) => tab.waitForFunction(expression, { polling: 50, timeout: 60000 });
const loaded = (tab) => until(tab, 'document.querySelector("lerpmesh-view").shadowRoot?.querySelector("canvas").getAttribute("aria-busy") === "false"');
// An expression with `view`, the first component of the page.
const view = (tab, expression) => tab.evaluate(`(async (view) => (${expression}))(document.querySelector("lerpmesh-view"))`);
// Adds a component with these attributes and records its events.
const add = (tab, attributes) => tab.evaluate(`new Promise((resolve) => {
    const view = document.createElement("lerpmesh-view");
    view.events = [];
    for (const name of ["loading", "progress", "load", "error", "warning", "frame", "change"])
        view.addEventListener(name, (event) => view.events.push(event.detail?.message ? \`\${name}: \${event.detail.message}\` : name));
    for (const name of ["load", "error"]) view.addEventListener(name, resolve, { once: true });
    Object.entries(${JSON.stringify(attributes)}).forEach(([name, value]) => view.setAttribute(name, value));
    document.body.append(view);
}).then(() => 1)`);
const colors = async (tab) => (await countColors(tab)).colors;

const tests = {
    async 'the example of five lines shows Tick with his skin, running'(tab) {
        assert.equal(readFileSync(join(examples, 'view.html'), 'utf8').trim().split('\n').length, 5);
        await go(tab, 'view.html');
        await loaded(tab);
        assert.equal(await view(tab, 'view.model.clip.name'), 'run');
        assert.equal(await view(tab, 'view.model.parts[0].materials[0].texture'), 0);
        assert.equal(await view(tab, 'view.playing'), true);
        await until(tab, 'document.querySelector("lerpmesh-view").model.position > 1');
        assert.ok((await colors(tab)) > 1000, 'the canvas is empty');
        assert.equal(await view(tab, 'view.shadowRoot.querySelector("canvas").getAttribute("aria-label")'), 'Tick, a knight, runs');
    },

    async 'attributes are properties, and apply at once'(tab) {
        await add(tab, { src: 'tick.md2', camera: '-40 20', speed: '2', clip: 'FLY+wave' });
        assert.equal(await view(tab, 'view.model.clip.name + (view.shadowRoot.querySelector("p:not([hidden])")?.textContent ?? "")'), 'FLY+wave');
        assert.equal(await view(tab, 'view.playing'), false);
        assert.equal(await view(tab, 'Math.round(view.show.camera.azimuth)'), -40);
        assert.equal(await view(tab, 'Math.round(view.show.camera.elevation)'), 20);
        assert.deepEqual(await view(tab, '[(view.camera = "eye", view.show.options.eye), (view.camera = "30 15", view.show.options.eye)]'), [true, false]);
        assert.equal(await view(tab, 'view.model.playback.speed'), 2);
        assert.equal(await view(tab, '(view.clip = "run", view.getAttribute("clip") + view.model.clip.name)'), 'runrun');
        assert.equal(await view(tab, '(view.autoplay = true, view.playing)'), true);
        assert.equal(await view(tab, '(view.autoplay = false, view.hasAttribute("autoplay") || view.playing)'), false);
        assert.equal(await view(tab, '(view.speed = 0.5, view.model.playback.speed)'), 0.5);
        assert.equal(await view(tab, '(view.shade = "wire", view.show.options.shade)'), 'wire');
        assert.equal(await view(tab, '(view.background = "none", view.show.options.backdrop)'), false);
        assert.equal(await view(tab, '(view.background = null, view.show.options.backdrop)'), true);
        assert.equal(await view(tab, '(view.alt = "a knight", view.shadowRoot.querySelector("canvas").getAttribute("aria-label"))'), 'a knight');
        assert.equal(await view(tab, '(view.play("jump"), view.model.clip.name + view.playing)'), 'jumptrue');
        assert.equal(await view(tab, '(view.pause(), view.playing)'), false);
        await view(tab, 'view.src = "tick_head.mdc"');
        await until(tab, 'document.querySelector("lerpmesh-view").model?.format === "mdc"');
    },

    async 'begins at a frame, of a clip or of all, with a skin of the list of the model'(tab) {
        await add(tab, { src: 'two.md2', clip: '', frame: '30.5', skin: '#2' });
        const state = () => view(tab, '[view.model.clip?.name ?? null, view.model.position, view.model.currentSkin, view.playing]');
        assert.deepEqual(await state(), [null, 30.5, 1, false]);
        await view(tab, '(view.frame = 7, view.frame = "x", view.frame = "-1")');
        assert.deepEqual(await state(), [null, 7, 1, false]);
        await view(tab, '(view.skin = "#1", view.clip = "run")');
        await until(tab, 'document.querySelector("lerpmesh-view").model.currentSkin === 0');
        assert.equal(await view(tab, 'view.model.clip.name + (view.clip = null, view.model.clip.name)'), 'runstand');
    },

    async 'events report poses and errors, and the element shows the error'(tab) {
        await add(tab, { src: 'tick.md2', clip: 'run', autoplay: '' });
        await until(tab, 'document.querySelector("lerpmesh-view").events.includes("frame")');
        assert.ok((await view(tab, 'view.events')).includes('load'));
        assert.ok((await view(tab, '(view.events.length = 0, view.pause(), view.events)')).includes('change'));
        await view(tab, '(view.events.length = 0, view.src = "none.md2")');
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /404/.test(one))');
        assert.match(await view(tab, 'view.shadowRoot.querySelector("p:not([hidden])").textContent'), /none\.md2.*404/);
        assert.ok((await view(tab, 'view.events')).some((one) => /^error: .*404/.test(one)));
        assert.equal(await view(tab, 'view.shadowRoot.querySelector("canvas").getAttribute("aria-busy")'), 'false');
        await view(tab, '(view.clip = "fly", view.src = "tick.md2")');
        await loaded(tab);
        await until(tab, '/There is no clip .fly.. The clips are .*run/.test(document.querySelector("lerpmesh-view").shadowRoot.querySelector(".note:not([hidden]) p")?.textContent)');
    },

    async 'plays by keys'(tab) {
        await go(tab, 'view.html');
        await loaded(tab);
        await tab.keyboard.press('Tab');
        await tab.keyboard.press(' ');
        assert.equal(await view(tab, 'view.playing'), false);
        const at = await view(tab, 'view.model.position');
        await tab.keyboard.press('.');
        assert.notEqual(await view(tab, 'view.model.position'), at);
        await tab.keyboard.press('w');
        assert.notEqual(await view(tab, 'view.model.clip.name'), 'run');
        for (const [key, option] of [['i', 'interpolate'], ['b', 'backwards'], ['[', 'speed']]) {
            const before = await view(tab, `(view.changed = 0, view.onchanged ??= view.addEventListener("change", () => view.changed++) ?? 1, view.model.playback.${option})`);
            await tab.keyboard.press(key);
            assert.notEqual(await view(tab, `view.model.playback.${option}`), before);
            assert.equal(await view(tab, 'view.changed'), 1, `${key} sent no event`);
        }
    },

    async 'accepts a model before it is in a document'(tab) {
        await tab.evaluate(`(async () => {
            const { open } = await import("/lerpmesh/index.js");
            const bytes = new Uint8Array(await (await fetch("/tick.md2")).arrayBuffer());
            const view = document.createElement("lerpmesh-view");
            window.models = [await open(bytes), await open(bytes)];
            for (const model of models) await view.load(model);
            document.body.append(view);
        })()`);
        await loaded(tab);
        assert.equal(await view(tab, 'view.model === models[1]'), true);
        assert.equal(await tab.evaluate('(() => { try { return models[0].position; } catch (error) { return error.code; } })()'), 'disposed');
        await view(tab, '(view.skin = "none.pcx", new Promise(requestAnimationFrame))');
        assert.equal(await view(tab, 'view.model === models[1]'), true);
    },

    async 'draws the next model after a trap'(tab) {
        await add(tab, { src: 'tick.md2', clip: 'run' });
        const before = await colors(tab);
        await view(tab, `(async () => {
            const { Files } = await import("/lerpmesh/index.js");
            window.files = await Files.from(["tick.md2", "tick.pcx"].map((name) => [name, new URL(name, location.href)]));
            try { view.model.engine.call("close", 0x7ffffff0); } catch (error) { return error.code; }
        })()`);
        assert.equal(await view(tab, '(() => { try { return String(view.model.position); } catch (error) { return error.code; } })()'), 'trap');
        // A context restored meanwhile requests the pending work.
        await view(tab, `(async () => {
            const loss = view.show.canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
            view.events.length = 0;
            view.show.canvas.addEventListener("webglcontextlost", () => setTimeout(() => loss.restoreContext(), 50));
            loss.loseContext();
        })()`);
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /open the model again/.test(one))');
        for (const load of ['view.load()', 'view.load(await files.open("tick.md2"))']) {
            await view(tab, `(view.events.length = 0, await ${load}, await new Promise(requestAnimationFrame))`);
            assert.deepEqual(await view(tab, 'view.events.filter((one) => !["change", "frame", "progress"].includes(one))'), ['loading', 'load']);
            assert.ok(Math.abs((await colors(tab)) - before) < before / 20, 'it looks different');
        }
    },

    async 'loads while its context is lost, and draws once it is restored'(tab) {
        await add(tab, { src: 'tick.md2' });
        const before = await colors(tab);
        await view(tab, `(view.events.length = 0, window.loss = view.show.canvas.getContext("webgl2").getExtension("WEBGL_lose_context"), loss.loseContext(), view.load())`);
        assert.equal(await view(tab, 'view.show.stage'), null);
        await view(tab, 'loss.restoreContext()');
        await until(tab, 'document.querySelector("lerpmesh-view").show.stage');
        await view(tab, 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
        assert.ok(Math.abs((await colors(tab)) - before) < before / 20, 'it looks different');
        assert.deepEqual(await view(tab, 'view.events.filter((one) => /^(load|error|warning)/.test(one))'), ['loading', 'load']);
    },

    async 'a stage reports that its context is lost'(tab) {
        const result = await tab.evaluate(`(async () => {
            const { open } = await import("/lerpmesh/index.js");
            const { Stage } = await import("/lerpmesh/stage.js");
            const model = await open(new Uint8Array(await (await fetch("/tick.md2")).arrayBuffer()));
            const canvas = new OffscreenCanvas(64, 64);
            const stage = await Stage.on(canvas);
            stage.aim(model);
            stage.draw(model);
            const gl = canvas.getContext("webgl2");
            gl.fenceSync = () => null; // some browsers' answer without a context
            gl.getExtension("WEBGL_lose_context").loseContext();
            return stage.read().catch((error) => [error.code ?? error.message, stage.lost]);
        })()`);
        assert.deepEqual(result, ['graphics', true]);
    },

    async 'collecting models of one stage does not affect another'(tab) {
        await tab.evaluate(`(async () => {
            const { open } = await import("/lerpmesh/index.js");
            const { Stage } = await import("/lerpmesh/stage.js");
            const bytes = new Uint8Array(await (await fetch("/tick.md2")).arrayBuffer());
            window.show = async () => {
                const stage = await Stage.on(new OffscreenCanvas(64, 64)), model = await open(bytes);
                stage.aim(model);
                return { stage, model, draw: () => String(stage.screenshot(model, 64, 64).pixels) };
            };
            const { getEngine } = await import("/lerpmesh/module.js");
            const engine = await getEngine(), call = engine.call;
            window.freed = 0;
            engine.call = (name, ...args) => ((freed += name === "close"), call.call(engine, name, ...args));
            for (let i = 0; i < 3; i++) (await show()).draw();
            window.remaining = await show();
            window.expected = remaining.draw();
        })()`);
        const session = await tab.createCDPSession();
        for (let i = 0; i < 40 && !(await tab.evaluate('freed')); i++) await session.send('HeapProfiler.collectGarbage');
        assert.ok((await tab.evaluate('freed')) > 0, 'no model was collected');
        assert.equal(await tab.evaluate('remaining.draw() === expected'), true);
    },

    async 'loads near the viewport, and plays while visible'(tab) {
        await go(tab, 'below.html');
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.ok(!requested.includes('/tick.md2') && !requested.includes('/lerpmesh/wasm.js'), `${requested} were requested`);
        await tab.evaluate('scrollTo(0, 9000)');
        await loaded(tab);
        await until(tab, 'document.querySelector("lerpmesh-view").playing');
        await tab.evaluate('scrollTo(0, 0)');
        await until(tab, '!document.querySelector("lerpmesh-view").playing');
        // Changes meanwhile have no more effect than being off screen.
        await view(tab, '(view.shade = "wire", view.clip = "run")');
        await tab.evaluate('scrollTo(0, 9000)');
        await until(tab, 'document.querySelector("lerpmesh-view").playing');
        await tab.evaluate('scrollTo(0, 0)');
        await until(tab, '!document.querySelector("lerpmesh-view").playing');
        assert.equal(await view(tab, '(view.play(), view.playing)'), false);
        await view(tab, 'view.pause()');
        await tab.evaluate('scrollTo(0, 9000)');
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal(await view(tab, 'view.playing'), false);
    },

    async 'does not play if it leaves the viewport while loading'(tab) {
        await go(tab, 'below.html');
        await tab.evaluate('(window.own = fetch, window.fetch = async (...given) => { await new Promise((go) => (window.go = go)); return own(...given); })');
        await tab.evaluate('scrollTo(0, 9000)');
        await until(tab, 'window.go');
        await tab.evaluate('scrollTo(0, 0)');
        await new Promise((resolve) => setTimeout(resolve, 300));
        await tab.evaluate('(window.fetch = own, go())');
        await loaded(tab);
        assert.equal(await view(tab, 'view.playing'), false);
        await tab.evaluate('scrollTo(0, 9000)');
        await until(tab, 'document.querySelector("lerpmesh-view").playing');
    },

    async 'shows a poster until the model is loaded'(tab) {
        await go(tab, 'poster.html');
        const shown = 'document.querySelector("lerpmesh-view").shadowRoot.querySelector("img").hidden';
        await until(tab, `${shown} || document.querySelector("lerpmesh-view").shadowRoot.querySelector("img").complete`);
        await loaded(tab);
        await until(tab, shown);
        await view(tab, 'view.src = null');
        await view(tab, 'view.load()');
        assert.equal(await view(tab, 'view.shadowRoot.querySelector("img").hidden'), false);
    },

    async 'starts paused if the user prefers reduced motion'(tab) {
        await go(tab, 'view.html', [{ name: 'prefers-reduced-motion', value: 'reduce' }]);
        await loaded(tab);
        await until(tab, 'document.querySelector("lerpmesh-view").shadowRoot.querySelector("img").hidden');
        assert.equal(await view(tab, 'view.playing'), false);
        assert.equal(await view(tab, '(view.play(), view.playing)'), true);
    },

    async 'frees its memory when it is removed'(tab) {
        const cycle = `(async () => {
            const view = document.createElement("lerpmesh-view");
            view.src = "tick.md2";
            const done = new Promise((resolve) => view.addEventListener("load", resolve));
            document.body.append(view);
            await done;
            window.last = view.model;
            view.remove();
            return (await (await import("/lerpmesh/module.js")).getEngine()).memory.buffer.byteLength;
        })()`;
        let size = 0;
        // The heap has its final size after some elements, in which its free blocks divide: it grows by one page at most.
        for (let i = 0; i < 25; i++) size = await tab.evaluate(cycle);
        for (let i = 0; i < 30; i++) assert.equal(await tab.evaluate(cycle), size, `memory grew after ${i} elements`);
        assert.match(await tab.evaluate('(() => { try { return String(last.position); } catch (error) { return error.code; } })()'), /disposed/);
        // A restored component is drawn again, and rotated once, not twice.
        await add(tab, { src: 'tick.md2' });
        await view(tab, '(window.remaining = view, view.remove())');
        await tab.evaluate('document.body.append(remaining)');
        await loaded(tab);
        const angle = await view(tab, `(() => {
            const canvas = view.shadowRoot.querySelector("canvas"), before = view.show.camera.azimuth;
            canvas.setPointerCapture = () => {};
            for (const [type, clientX] of [["pointerdown", 100], ["pointermove", 120]])
                canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX, clientY: 100, buttons: 1 }));
            return view.show.camera.azimuth - before; })()`);
        assert.ok(Math.abs(Math.abs(angle) - 10) < 1e-3, `20 pixels rotated it by ${angle} degrees`);
        assert.equal(await view(tab, 'view.shadowRoot.querySelectorAll("canvas").length'), 1);
    },

    async 'the control bar plays, seeks, and chooses clips, skins and speeds'(tab) {
        await tab.setViewport({ width: 800, height: 700 });
        await add(tab, { src: 'two.md2', clip: 'run', controls: '', style: 'width: 640px' });
        const inBar = (expression) => view(tab, `((bar) => (${expression}))(view.shadowRoot.querySelector(".bar"))`);
        const choose = (part, value) => inBar(`((list) => { list.value = "${value}"; list.dispatchEvent(new Event("change")); })(bar.querySelector("[part~=${part}]"))`);
        assert.equal(await inBar('bar.querySelector("[part~=play]").getAttribute("aria-label")'), 'Play');
        await inBar('bar.querySelector("[part~=play]").click()');
        assert.deepEqual(await inBar('[view.playing, bar.querySelector("[part~=play]").getAttribute("aria-label")]'), [true, 'Pause']);
        await until(tab, 'document.querySelector("lerpmesh-view").shadowRoot.querySelector("input").value > 0');
        await inBar('bar.querySelector("[part~=play]").click()');
        await inBar('bar.querySelector("input").focus()');
        await tab.keyboard.press('Home');
        await tab.keyboard.press('ArrowRight');
        assert.deepEqual(await inBar('[view.model.position, bar.querySelector("input").getAttribute("aria-valuetext")]'), [1, 'frame 2 of 8']);
        await choose('clip', 'wave');
        assert.equal(await view(tab, 'view.model.clip.name'), 'wave');
        await choose('clip', '');
        assert.equal(await view(tab, 'view.model.clip'), null);
        await choose('speed', '0.5');
        await choose('mode', 'ping-pong');
        const press = (part) => inBar(`bar.querySelector("[part~=${part}]").click()`);
        await press('interpolate');
        const pressed = () => inBar('bar.querySelector("[part~=interpolate]").getAttribute("aria-pressed")');
        assert.deepEqual([await view(tab, '[view.model.playback.speed, view.model.playback.mode, view.model.playback.interpolate]'), await pressed()], [[0.5, 'ping-pong', false], 'false']);
        await view(tab, '(view.show.playback = { mode: "loop", interpolate: true })'); // no clip ends, however slow the machine is
        assert.deepEqual([await inBar('bar.querySelector("[part~=mode]").value'), await pressed()], ['loop', 'true']);
        // Steps pause.
        await view(tab, '(view.clip = "wave", view.pause(), view.show.seek(3))');
        const frames = [];
        for (const part of ['next', 'next', 'back']) {
            await press(part);
            frames.push(await inBar('[view.model.position, view.playing, bar.querySelector("output").value].join()'));
        }
        await view(tab, 'view.play()');
        await press('next');
        assert.equal(await view(tab, 'view.playing'), false);
        assert.deepEqual(frames, ['4,false,5 / 12', '5,false,6 / 12', '4,false,5 / 12']);
        // Another skin: the same view of the model.
        await view(tab, '(view.clip = "wave", view.show.seek(3), view.show.camera = { azimuth: 77 }, view.play(), view.first = view.model, view.events.length = 0)');
        requested.length = 0;
        await choose('skin', '1');
        await until(tab, 'document.querySelector("lerpmesh-view").events.includes("load")');
        assert.ok(requested.includes('/blue.pcx') && !requested.includes('/two.md2'), `${requested} were requested`);
        assert.deepEqual(await view(tab, '[view.model !== view.first, view.model.currentSkin, view.model.parts[0].textures.find(({ image }) => image === view.model.parts[0].materials[0].texture).name, view.model.clip.name, Math.round(view.show.camera.azimuth), view.playing, view.model.playback.speed]'), [true, 1, 'blue.pcx', 'wave', 77, true, 0.5]);
        assert.equal(await view(tab, '(() => { try { return view.first.position; } catch (error) { return error.code; } })()'), 'disposed');
        await choose('speed', '2');
        assert.equal(await inBar('bar.querySelector("[part~=skin]").value'), '1');
        // Translated, removed, added.
        await view(tab, '(view.constructor.texts.pause = "Anhalten", view.controls = false)');
        assert.equal(await inBar('bar.hidden'), true);
        await view(tab, 'view.controls = true');
        assert.deepEqual(await inBar('[bar.hidden, bar.querySelector("[part~=play]").title]'), [false, 'Anhalten']);
    },

    async 'the control bar is usable by touch, by keyboard, and in any width'(tab) {
        needChromium();
        await tab.setViewport({ width: 1000, height: 700 });
        await tab.evaluate('document.body.insertAdjacentHTML("beforebegin", "<style>body { margin: 0 } lerpmesh-view { width: var(--width) }</style>")');
        await add(tab, { src: 'two.md2', clip: 'run', controls: '' });
        await tab.evaluate(axe);
        for (const width of [640, 320]) for (const scheme of ['light', 'dark']) {
            await tab.evaluate(`(document.documentElement.style.cssText = "--width: ${width}px; color-scheme: ${scheme}")`);
            if (width === 320 && scheme === 'light') await view(tab, 'view.shadowRoot.querySelector("[part~=more]").click()');
            const small = await view(tab, `[...view.shadowRoot.querySelectorAll(".bar :is(button, select, input)")].map((one) => one.getBoundingClientRect())
                .filter((box) => box.width > 0).filter(({ width, height, left, right, bottom }) => width < 44 || height < 44 || left < 0 || right > ${width} || bottom > view.getBoundingClientRect().bottom).length`);
            assert.equal(small, 0, `${width}: ${small} controls are too small or outside`);
            const seen = await view(tab, '[...view.shadowRoot.querySelectorAll(".bar :is(button, select, input)")].filter((one) => one.checkVisibility()).length');
            assert.equal(seen, width === 320 ? 10 : 8);
            assert.equal(await view(tab, 'getComputedStyle(view.shadowRoot.querySelector(".row")).backgroundColor'), scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 18, 18)');
            const { violations } = await tab.evaluate('axe.run("lerpmesh-view")');
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
        }
        await view(tab, 'view.shadowRoot.querySelector("[part~=clip]").focus()');
        await tab.keyboard.press('Escape');
        assert.deepEqual(await view(tab, '[view.shadowRoot.activeElement.part[1], view.shadowRoot.querySelector("[part~=clip]").checkVisibility()]'), ['more', false]);
        // The focus goes to the first of the controls that appear: they are before the button.
        for (const [width, part] of [[320, 'clip'], [640, 'mode']]) {
            await tab.evaluate(`document.documentElement.style.setProperty("--width", "${width}px")`);
            await view(tab, 'view.shadowRoot.querySelector("[part~=more]").click()');
            assert.equal(await view(tab, 'view.shadowRoot.activeElement.part[1]'), part);
            await tab.keyboard.press('Escape');
        }
        await view(tab, 'view.style.setProperty("--lerpmesh-controls-background", "rgb(1, 2, 3)")');
        assert.equal(await view(tab, 'getComputedStyle(view.shadowRoot.querySelector(".row")).backgroundColor'), 'rgb(1, 2, 3)');
    },

    async 'reports loading and its progress'(tab) {
        await tab.evaluate('document.addEventListener("progress", (event) => (window.progress ??= []).push(event.detail), true)');
        await add(tab, { src: 'tick.md2' });
        const events = (await view(tab, 'view.events')).filter((one) => !['change', 'frame'].includes(one));
        assert.deepEqual([events[0], events[1], events.at(-1)], ['loading', 'progress', 'load']);
        const progress = await tab.evaluate('window.progress');
        assert.equal(progress.at(-1).loaded, readFileSync(join(source, 'samples/tick.md2')).length);
    },

    async 'a wrong skin, attachment or clip leaves the model on show, with a note'(tab) {
        // The notes have the order of the attributes, also if the skin's answer is the last.
        await tab.evaluate(`window.fetch = ((fetch) => async (url, ...options) => {
            if (String(url).endsWith("none.pcx")) await new Promise((resolve) => setTimeout(resolve, 300));
            return fetch(url, ...options);
        })(window.fetch)`);
        await add(tab, { src: 'tick_head.mdc', skin: 'none.pcx', attach: 'tag_hat=none.mdl tag_mouth=tick_torch.mdl' });
        await until(tab, 'document.querySelector("lerpmesh-view").events.filter((one) => one.startsWith("warning")).length === 2');
        assert.deepEqual(await view(tab, '[view.model.parts.length, view.model.parts[1].parentTag, view.events.some((one) => one.startsWith("error"))]'), [2, 'tag_mouth', false]);
        assert.match(await view(tab, 'view.shadowRoot.querySelector(".note:not([hidden]) p").textContent'), /none\.pcx.*404[^]*none\.mdl.*404/);
        await view(tab, 'view.shadowRoot.querySelector("[part~=dismiss]").click()');
        assert.equal(await view(tab, 'view.shadowRoot.querySelector(".note").hidden'), true);
        await view(tab, '(view.skin = null, view.attach = "tag%5Fmouth=tick%20torch.mdl", view.first = view.model)');
        await until(tab, '((view) => view.model !== view.first && view.model.parts[1]?.parentTag === "tag_mouth")(document.querySelector("lerpmesh-view"))');
        // Later, one after the other.
        await view(tab, '(view.skin = null, view.attach = "tag_nose=tick_torch.mdl", view.first = view.model, view.events.length = 0)');
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /^warning: .*tag_nose/.test(one))');
        assert.deepEqual(await view(tab, '[view.model !== view.first, view.model.parts.length]'), [true, 1]);
        await view(tab, '(view.attach = "http://[", view.events.length = 0)');
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /^warning: .*is not a URL/.test(one))');
        await view(tab, '(view.attach = null, view.skin = "tick.md2", view.events.length = 0)');
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /^warning: skin tick.md2: /.test(one))');
        await view(tab, '(view.clip = "fly", view.events.length = 0)');
        await view(tab, 'view.clip = "sing"');
        await until(tab, 'document.querySelector("lerpmesh-view").events.some((one) => /^warning: .*"sing"/.test(one))');
        await view(tab, '(view.shade = "matt", view.events.length = 0)');
        await view(tab, 'view.shade = "satin"');
        assert.match(await view(tab, 'view.events.find((one) => one.startsWith("warning"))'), /Ignored shade="satin": it takes studio, /);
        assert.deepEqual(await view(tab, '[view.show.options.shade, view.shadowRoot.querySelector(".fallback").hidden]'), ['studio', true]);
    },

    async 'wrong values of attributes leave the usual ones, with a note'(tab) {
        const wrong = { exposure: 'bright', background: 'sea', speed: '-1', mode: 'twice', frame: 'last', camera: '30', shade: 'satin' };
        const usual = '[view.show.options.exposure, view.show.options.backdrop, view.model.playback.speed, view.model.playback.mode, Math.round(view.show.camera.azimuth), view.show.options.shade]';
        await add(tab, { src: 'tick.md2', skin: '#9', ...wrong });
        assert.deepEqual(await view(tab, usual), [1, true, 1, 'clip', 30, 'studio']);
        const warnings = () => view(tab, 'view.events.filter((one) => one.startsWith("warning")).sort()');
        assert.deepEqual((await warnings()).map((one) => /Ignored (\w+)|skin number 9/.exec(one)).map((found) => found?.[1] ?? found?.[0]), [...Object.keys(wrong).sort(), 'skin number 9']);
        for (const [name, value] of Object.entries({ exposure: '2', background: 'none', speed: '0.5', mode: 'once', camera: '-40, 20', shade: 'wire' })) {
            await view(tab, `(view.events.length = 0, view.${name} = "x")`);
            assert.match(String(await warnings()), new RegExp(`^warning: Ignored ${name}="x": it takes [^:]*$`));
            await view(tab, `(view.events.length = 0, view.${name} = "${value}")`);
            assert.deepEqual(await warnings(), []);
        }
        assert.deepEqual(await view(tab, usual), [2, false, 0.5, 'once', -40, 'wire']);
    },

    async 'skins are relative to the page'(tab) {
        await go(tab, 'deep/page.html');
        await loaded(tab);
        assert.ok(requested.includes('/deep/skins/other.pcx') && requested.includes('/tick.md2'), `${requested} were requested`);
        assert.equal(await view(tab, 'view.model.parts[0].materials[0].texture'), 0);
    },

    async 'shows the fallback if loading or WebGL fails'(tab) {
        await tab.evaluateOnNewDocument('HTMLCanvasElement.prototype.getContext = () => null;');
        await tab.goto(`${origin}/fallback.html`);
        await until(tab, '[...document.querySelectorAll("lerpmesh-view")].every((one) => one.shadowRoot?.querySelector(".fallback:not([hidden])"))');
        assert.deepEqual(await tab.evaluate('[...document.querySelectorAll("lerpmesh-view")].map((one) => [one.querySelector("p")?.checkVisibility() ?? null, one.shadowRoot.querySelector(".fallback p").checkVisibility()])'), [[true, false], [null, true]]);
        assert.match(await tab.evaluate('document.querySelectorAll("lerpmesh-view")[1].shadowRoot.querySelector(".fallback p").textContent'), /WebGL 2/);
    },

    async 'an environment and the exposure light the model'(tab) {
        await add(tab, { src: 'tick.md2', camera: '0 0', background: 'none', style: 'width: 160px' });
        // The sums of red, green and blue of the left and the right half of the picture.
        const light = (attributes) => view(tab, `(async () => {
            view.events.length = 0;
            const before = view.show.options.environment;
            for (const name of ["environment", "exposure", "shade"]) view.removeAttribute(name);
            for (const [name, value] of Object.entries(${JSON.stringify(attributes)})) view.setAttribute(name, value);
            const isLit = () => view.events.some((one) => one.startsWith("warning")) || Boolean(view.show.options.environment) === ${'environment' in attributes} && view.show.options.environment !== before;
            while (!isLit() && (before || ${'environment' in attributes})) await new Promise((resolve) => setTimeout(resolve, 10));
            const image = await createImageBitmap(await view.show.screenshot());
            const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
            context.drawImage(image, 0, 0);
            const sums = [0, 0, 0, 0, 0, 0];
            context.getImageData(0, 0, image.width, image.height).data.forEach((value, i) => { if (i % 4 < 3) sums[i % 4 + ((i >> 2) % image.width * 2 < image.width ? 0 : 3)] += value / 1000; });
            return sums;
        })()`);
        const total = (sums) => sums.reduce((all, one) => all + one);
        const blue = ([r1, , b1, r2, , b2]) => (b1 + b2) / (r1 + r2);
        const studio = await light({});
        assert.ok(total(await light({ exposure: '0.5' })) < total(studio) * 0.9 && total(await light({ exposure: '2' })) > total(studio) * 1.1);
        assert.deepEqual(await light({ exposure: 'bright' }), studio);
        assert.deepEqual(await light({ exposure: '0', shade: 'texture' }), await light({ shade: 'texture' }));
        assert.ok(total(await light({ exposure: '0' })) < total(studio) / 100);
        const [day, sunset] = [await light({ environment: 'day' }), await light({ environment: 'sunset' })];
        assert.ok(blue(sunset) < blue(day) * 0.9, `${sunset} is not redder than ${day}`);
        // The bright pixel is to the right of the image's middle, which is in front of the model.
        const picture = await light({ environment: 'sky.bmp' }), radiance = await light({ environment: 'sky.hdr' });
        const [left, right] = [total(picture.slice(0, 3)), total(picture.slice(3))];
        assert.ok(left > right * 1.03, `${left} on the left, ${right} on the right`);
        assert.ok(Math.abs(total(radiance) - total(picture)) < total(picture) / 20, `${picture} of the picture, ${radiance} of the .hdr`);
        assert.deepEqual(await view(tab, 'view.events.filter((one) => one.startsWith("warning"))'), []);
        for (const [wrong, message] of [['short.hdr', /cut off|too long/], ['tick.md2', /cannot read the environment/], ['none.jpg', /404/]]) {
            assert.deepEqual(await light({ environment: wrong }), studio);
            assert.match(await view(tab, 'view.events.find((one) => one.startsWith("warning"))'), message);
        }
    },

    async 'the three.js example draws Tick, moving'(tab) {
        await go(tab, 'three.html');
        await until(tab, 'performance.getEntriesByName(new URL("tick.pcx", location.href).href).length');
        await expectMotion(tab, errors);
        if (process.env.LERPMESH_IMAGES) await tab.screenshot({ path: join(process.env.LERPMESH_IMAGES, 'three.png') });
    },

    async 'three.js draws a clone, also without the original, and nothing outside of the view'(tab) {
        await go(tab, 'clones.html');
        const result = await tab.evaluate(`(async () => {
            const THREE = await import("three");
            const { KeyframeLoader } = await import("/lerpmesh/three.js");
            const renderer = new THREE.WebGLRenderer(), scene = new THREE.Scene(), gl = renderer.getContext();
            renderer.setSize(200, 100, false);
            scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 4));
            const camera = new THREE.OrthographicCamera(-80, 80, 40, -40, 1, 1000);
            camera.position.z = 300;
            const knight = await new KeyframeLoader().loadAsync("tick.md2"), clone = knight.clone();
            scene.add(knight, clone);
            knight.position.x = -40;
            clone.position.x = 40;
            const mixer = new THREE.AnimationMixer(clone);
            mixer.clipAction("wave").play();
            const draw = (x) => {
                renderer.render(scene, camera);
                const pixels = new Uint8Array(4 * 100 * 100);
                gl.readPixels(x, 0, 100, 100, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
                return [pixels.reduce((sum, value, i) => sum + (i % 4 < 3 ? value : 0), 0), renderer.info.render.calls];
            };
            const results = { left: draw(0), right: draw(100) };
            mixer.update(0.4);
            results.moved = draw(100);
            scene.remove(knight);
            knight.dispose();
            results.empty = draw(0);
            results.alone = draw(100);
            clone.position.x = 200;
            results.outside = draw(100);
            clone.position.x = 40;
            mixer.update(0.3);
            results.again = draw(100);
            return results;
        })()`);
        const [light] = result.left;
        assert.ok(light > 1e5, `the original has ${light}`);
        assert.ok(Math.abs(result.right[0] - light) < light / 20, JSON.stringify(result));
        assert.ok(Math.abs(result.moved[0] - light) > light / 1000, JSON.stringify(result));
        assert.deepEqual([result.left[1], result.moved[1]], [2, 2]);
        assert.deepEqual([result.empty, result.alone], [[0, 1], [result.moved[0], 1]]);
        assert.deepEqual(result.outside, [0, 0]);
        assert.ok(result.again[0] > light / 2 && result.again[0] !== result.alone[0], JSON.stringify(result));
    },
};

const failed = await runTests(tests, errors, () => newTab(browser, errors, `${origin}/empty.html`));
await browser.close();
process.exit(failed ? 1 : 0);
