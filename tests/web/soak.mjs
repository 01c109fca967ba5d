// Sends random events to the component and the page, in Chromium or in Firefox (LERPMESH_BROWSER), for LERPMESH_SOAK seconds (600): loads, drops, links,
// changed attributes, lost and restored contexts, resizes, removals, hidden tabs, keys, clicks. Fails on a trap, an
// unhandled rejection, an unexpected error, or a leak: from time to time, both return to a known state, and then the
// open models, C's memory, the objects of WebGL and the nodes must be as many as before. `make test-soak`.
// LERPMESH_SEED repeats an order of events, as far as the browser's timing does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeZip } from '../../web/page/zip.js';
import { inFirefox, launchBrowser, serve } from './browsers.mjs';
import { makeFolder } from './common.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const web = join(process.env.LERPMESH_BUILD_DIR, '..', 'web');
const seconds = Number(process.env.LERPMESH_SOAK ?? 600);
const EVENTS_PER_ROUND = 60;
const ROUNDS_TO_WARM_UP = 3;

// ---- Random choices ---------------------------------------------------------------------------------

let seed = Number(process.env.LERPMESH_SEED ?? Date.now() % 1e9);
console.log(`seed ${seed}`);
function random() {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = (limit) => Math.floor(random() * limit);
const pick = (items) => items[below(items.length)];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// ---- Files ------------------------------------------------------------------------------------------

const sample = (name) => readFileSync(join(source, 'samples', name));
const tick = sample('tick.md2');
const damaged = Buffer.from(tick);
damaged.writeUInt32LE(0x7fffffff, 4 * 12);
const zip = Buffer.from(await makeZip(['tick.md2', 'tick.pcx', 'tick_head.mdc', 'tick_torch.mdl'].map((name) => [`models/${name}`, sample(name)])).arrayBuffer());
const files = {
    'tick.md2': tick, 'tick.pcx': sample('tick.pcx'), 'tick_head.mdc': sample('tick_head.mdc'), 'tick_torch.mdl': sample('tick_torch.mdl'),
    'cut.md2': tick.subarray(0, 20000), 'damaged.md2': damaged, 'text.md2': Buffer.from('not a model'), 'empty.md2': Buffer.alloc(0),
    'all.pk3': zip, 'cut.pk3': zip.subarray(0, 9000), 'sky.hdr': Buffer.from(`#?RADIANCE\n\n-Y 1 +X 4\n${'abc\x80'.repeat(4)}`, 'latin1'),
};
const names = Object.keys(files);
const { origin } = await serve({
    ...Object.fromEntries(names.map((name) => [`/files/${name}`, files[name]])),
    '/lerpmesh/': join(web, 'npm'), '/': join(web, 'page'),
    '/component.html': '<!doctype html><meta charset="utf-8"><title>component</title><style>body { height: 5000px } lerpmesh-view { width: 200px }</style><script type="module" src="/lerpmesh/view.js"></script>',
});

// ---- Counts -----------------------------------------------------------------------------------------

// Runs in each tab before its scripts. Counts what C and WebGL hold; of lost contexts nothing is left. Without the
// registry, the garbage collector hides no model that was not disposed of.
const COUNT = `{
    const BLOCK = 8192;
    window.FinalizationRegistry = class { register() {} unregister() {} };
    const engines = [], contexts = [];
    const pairs = { models: ["web_open", "web_close"], stages: ["web_stage_new", "web_stage_free"], caches: ["web_vfs_new", "web_vfs_free"] };
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...given) => {
        const instance = await instantiate(...given);
        if (!instance.exports?.web_open) return instance;
        const live = { models: 0, stages: 0, caches: 0 };
        const exports = { ...instance.exports };
        for (const [name, call] of Object.entries(instance.exports))
            if (name.startsWith("web_")) exports[name] = (...args) => {
                try {
                    return call(...args);
                } catch (error) {
                    console.error("trap in " + name + ": " + error.stack);
                    throw error;
                }
            };
        for (const [name, [make, free]] of Object.entries(pairs)) {
            const { [make]: maker, [free]: freer } = exports;
            exports[make] = (...args) => { const made = maker(...args); if (made) live[name]++; return made; };
            exports[free] = (...args) => { if (args[0]) live[name]--; return freer(...args); };
        }
        engines.push({ live, exports: instance.exports });
        return { exports };
    };
    const kinds = ["Buffer", "Framebuffer", "Renderbuffer", "Texture", "VertexArray"];
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
        const context = getContext.call(this, kind, ...options);
        if (kind === "webgl2" && context && !contexts.some((one) => one.context.deref() === context)) {
            const entry = { context: new WeakRef(context), live: 0 };
            contexts.push(entry);
            this.addEventListener("webglcontextrestored", () => (entry.live = 0));
        }
        return context;
    };
    const entryOf = (context) => contexts.find((one) => one.context.deref() === context);
    for (const kind of kinds) {
        const prototype = WebGL2RenderingContext.prototype, make = prototype["create" + kind], free = prototype["delete" + kind];
        prototype["create" + kind] = function () { const made = make.call(this), entry = entryOf(this); if (made && entry) entry.live++; return made; };
        prototype["delete" + kind] = function (object) { const entry = entryOf(this); if (object && entry) entry.live--; return free.call(this, object); };
    }
    // The size of C's memory depends on the most that was ever open. So this allocates all that is free.
    const usedBy = ({ memory, web_alloc, web_free }) => {
        const size = memory.buffer.byteLength, blocks = [];
        while (memory.buffer.byteLength === size) blocks.push(web_alloc(BLOCK));
        for (const block of blocks) web_free(block);
        return size - (blocks.length - 1) * BLOCK;
    };
    // Choosers need a user.
    window.showOpenFilePicker = window.showDirectoryPicker = () => Promise.reject(new DOMException("cancelled", "AbortError"));
    window.sent = {};
    for (const name of ["loading", "load", "error", "warning"])
        document.addEventListener(name, ({ target, type }) => { if (target.localName === "lerpmesh-view") sent[type] = (sent[type] ?? 0) + 1; }, true);
    window.counts = () => {
        const used = contexts.filter((one) => one.context.deref() && !one.context.deref().isContextLost());
        const sum = (name) => engines.reduce((all, one) => all + one.live[name], 0);
        return { engines: engines.length, models: sum("models"), stages: sum("stages"), caches: sum("caches"),
            memory: engines.reduce((all, one) => all + usedBy(one.exports), 0), contexts: used.length, objects: used.reduce((all, one) => all + one.live, 0) };
    };
}`;

const errors = [];
const EXPECTED = /404|WebGL|context lost|CONTEXT_LOST|GPU stall|Failed to load resource|preload/i;
const browser = await launchBrowser({}, { 'browser.download.folderList': 2, 'browser.download.dir': makeFolder() });
async function openTab(path) {
    const tab = await browser.newPage();
    await tab.evaluateOnNewDocument(COUNT);
    // Firefox reports fetches that were aborted.
    tab.on('pageerror', (error) => /A ServiceWorker intercepted|Failed to read data from the ReadableStream/.test(error) || errors.push(`${path}: ${error?.stack ?? error}`));
    tab.on('console', (message) => message.type() === 'error' && !EXPECTED.test(message.text()) && errors.push(`${path}: ${message.text()}`));
    tab.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
    await tab.setViewport({ width: 900, height: 700 });
    await tab.goto(`${origin}/${path}`);
    if (inFirefox) return tab;
    tab.session = await tab.createCDPSession();
    await tab.session.send('Page.setDownloadBehavior', { behavior: 'deny' }).catch(() => {});
    await tab.session.send('Performance.enable');
    return tab;
}

// ---- Events that both know --------------------------------------------------------------------------

const CANVASES = '[...document.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot?.querySelectorAll("canvas") ?? [])]).filter((one) => one.localName === "canvas")';
const onCanvas = (tab, action) => tab.evaluate(`((canvas) => { if (canvas) { ${action} } })(((all) => all[${below(100)} % all.length])(${CANVASES}))`);
const LOSS = 'canvas.loss ??= canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");';
const KEYS = [' ', 'w', 'W', ',', '.', 'b', 'i', '[', ']', 'e', 'g', 'x', 't', 'o', 'n', 'c', 's', '1', '3', '7', '9', 'Enter', '+', '-', 'ArrowLeft', 'Escape', 'u', 'End', '?'];
const shared = {
    lose: (tab) => onCanvas(tab, `${LOSS} if (canvas.loss && !canvas.lost) { canvas.lost = true; canvas.loss.loseContext(); setTimeout(() => { canvas.lost = false; if (canvas.isConnected) canvas.loss.restoreContext(); }, ${below(120)}); }`),
    key: (tab) => onCanvas(tab, `canvas.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(pick(KEYS))}, shiftKey: ${below(4) === 0}, bubbles: true, cancelable: true }));`),
    drag: (tab) => onCanvas(tab, `canvas.setPointerCapture = () => {};
        for (const [type, x] of [["pointerdown", 10], ["pointermove", ${below(200)}], ["pointermove", 30], ["pointerup", 30]])
            canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 40, buttons: ${1 + below(2)}, bubbles: true }));`),
    wheel: (tab) => onCanvas(tab, `canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: ${below(400) - 200}, cancelable: true }));`),
    resize: (tab) => tab.setViewport({ width: 320 + below(900), height: 200 + below(700) }),
    freeze: async (tab) => {
        if (inFirefox) return;
        await tab.session.send('Page.setWebLifecycleState', { state: 'frozen' });
        await wait(below(60));
        await tab.session.send('Page.setWebLifecycleState', { state: 'active' });
    },
    wait: () => wait(below(150)),
};

// ---- The component ----------------------------------------------------------------------------------

const SOURCES = [...names.map((name) => `files/${name}`), 'files/all.pk3:models/tick.md2', 'files/all.pk3:models/none.md2', 'files/none.md2', 'http://[', ''];
const VALUES = {
    src: SOURCES, skin: ['files/tick.pcx', 'files/none.pcx', 'files/text.md2', 'tick', null], attach: ['files/tick_torch.mdl', 'tag_hat=files/tick_torch.mdl', 'tag_none=files/tick.md2', 'tag_hat=files/none.md2 files/cut.md2', null],
    clip: ['run', 'wave', 'fly', '', null], camera: ['30 15', '-100 80 3', 'x', null], autoplay: ['', null], speed: ['2', '0', '-1', 'x', null], poster: ['files/none.png', null], alt: ['Tick', null],
    shade: ['studio', 'texture', 'normals', 'wire', 'uv', 'engine', 'matt', null], background: ['studio', 'light', 'dark', 'none', null], controls: ['', null],
    environment: ['day', 'night', 'files/sky.hdr', 'files/text.md2', 'files/none.hdr', null], exposure: ['2', '0', '-1', 'x', null], style: ['width: 90px', 'width: 400px; height: 100px', 'width: 0', 'display: none', 'margin-top: 3000px', ''],
};
const setAttribute = (name, value) => (value === null ? `view.removeAttribute("${name}");` : `view.setAttribute("${name}", ${JSON.stringify(value)});`);
const randomAttribute = () => {
    const name = pick(Object.keys(VALUES));
    return setAttribute(name, pick(VALUES[name]));
};
// Half of the sources are a sound model, so that the other events have an effect.
const randomSource = () => setAttribute('src', below(2) ? 'files/tick.md2' : pick(SOURCES));
const onView = (tab, action) => tab.evaluate(`((view) => { if (view) { ${action} } })(((all) => all[${below(100)} % all.length])([...document.querySelectorAll("lerpmesh-view")]))`);
const component = {
    ...shared,
    add: (tab) => tab.evaluate(`{ if (document.querySelectorAll("lerpmesh-view").length < 5) { const view = document.createElement("lerpmesh-view"); ${randomSource()} ${randomAttribute()} ${randomAttribute()} document.body.append(view); } }`),
    remove: (tab) => onView(tab, '(window.removed ??= []).push(view); view.remove();'),
    reinsert: (tab) => tab.evaluate('{ const view = window.removed?.pop(); if (view) document.body.prepend(view); }'),
    move: (tab) => onView(tab, 'document.body.append(view);'),
    source: (tab) => onView(tab, randomSource()),
    attribute: (tab) => onView(tab, randomAttribute()),
    skin: (tab) => onView(tab, setAttribute('skin', pick(VALUES.skin)) + setAttribute('attach', pick(VALUES.attach))),
    attributes: (tab) => onView(tab, randomAttribute() + randomAttribute() + randomAttribute()),
    // Waits for a sound model, so that the events after it have an effect.
    show: (tab) => onView(tab, `view.removeAttribute("style"); view.scrollIntoView(); ${setAttribute('src', pick(['files/tick.md2', 'files/tick_head.mdc', 'files/all.pk3:models/tick.md2']))}
        return new Promise((resolve) => { view.addEventListener("load", resolve, { once: true }); setTimeout(resolve, 1500); });`),
    show2: (tab) => component.show(tab),
    scroll: (tab) => tab.evaluate(`scrollTo(0, ${pick([0, 0, 1500, 3000])})`),
    play: (tab) => onView(tab, pick(['view.play();', 'view.pause();', 'view.play("run");', 'view.play("fly");'])),
    load: (tab) => onView(tab, 'view.load();'),
    give: (tab) => tab.evaluate(`(async () => {
        const { open } = await import("/lerpmesh/index.js");
        const model = await open(new URL("files/${pick(['tick.md2', 'tick_head.mdc'])}", location.href));
        const view = document.querySelector("lerpmesh-view");
        if (view) view.load(model); else model.dispose();
    })()`),
    bar: (tab) => onView(tab, `const all = [...view.shadowRoot.querySelectorAll("button, select, input")], one = all[${below(100)} % all.length];
        if (!one || one.disabled) return;
        if (one.localName === "select") { one.selectedIndex = ${below(9)} % one.length; one.dispatchEvent(new Event("change")); }
        else if (one.type === "range") { one.value = ${below(9)}; one.dispatchEvent(new PointerEvent("pointerdown")); one.dispatchEvent(new Event("input")); one.dispatchEvent(new PointerEvent("pointerup")); }
        else one.click();`),
    screenshot: (tab) => onView(tab, 'view.show?.screenshot().catch((error) => { if (error.code !== "graphics") throw error; });'),
};

async function settleComponent(tab) {
    await tab.evaluate('{ for (const view of [...document.querySelectorAll("lerpmesh-view"), ...(window.removed ?? [])]) view.remove(); window.removed = []; scrollTo(0, 0); }');
    await wait(1500);
}

// ---- The page ---------------------------------------------------------------------------------------

const LINKS = ['model=files/tick.md2', 'model=files/tick.md2&clip=run&frame=2', 'model=files/tick_head.mdc', 'model=files/all.pk3', 'model=files/all.pk3:models/tick_torch.mdl', 'model=files/cut.md2', 'model=files/none.md2',
    'model=files/damaged.md2', 'model=files/cut.pk3', 'model=http://[', 'model=files/tick.md2&skin=files/none.pcx', 'model=files/tick.md2&clip=fly&camera=x', ''];
const drop = (tab, dropped) => tab.evaluate(`{
    const data = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(dropped.map((name) => [name, files[name].toString('base64')]))}) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    for (const type of ["dragenter", "dragover", "drop"]) (document.querySelector("canvas") ?? document.body).dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}`);
const page = {
    ...shared,
    link: (tab) => tab.evaluate(`(location.hash = ${JSON.stringify(pick(LINKS))})`),
    link2: (tab) => tab.evaluate(`(location.hash = ${JSON.stringify(pick(LINKS))}, setTimeout(() => (location.hash = ${JSON.stringify(pick(LINKS))}), ${below(40)}))`),
    drop: (tab) => drop(tab, [pick(names)]),
    dropAll: (tab) => drop(tab, names.filter(() => below(2))),
    // Any control that is visible, without its name: links, file choosers and the language would leave the page.
    control: (tab) => tab.evaluate(`{
        const all = [...document.querySelectorAll("button, select:not(#language), input:not([type=file])")].filter((one) => !one.disabled && one.checkVisibility()), one = all[${below(1000)} % all.length];
        if (one?.localName === "select") { one.selectedIndex = ${below(9)} % one.length; one.dispatchEvent(new Event("change", { bubbles: true })); }
        else if (one?.localName === "input" && one.type !== "checkbox") { one.value = ${below(9)}; one.dispatchEvent(new Event("input", { bubbles: true })); one.dispatchEvent(new Event("change", { bubbles: true })); }
        else if (one) { HTMLInputElement.prototype.showPicker = HTMLInputElement.prototype.click = function () {}; one.click(); }
    }`),
};
page.control2 = page.control;

// Shows the same two models again and again, in the same visit of the page.
async function settlePage(tab) {
    await tab.setViewport({ width: 900, height: 700 });
    for (let i = 0; i < 6; i++) {
        await tab.evaluate(`(location.hash = "model=files/${i % 2 ? 'tick.md2' : 'tick_head.mdc'}&frame=${i}")`);
        await wait(400);
    }
    await wait(2000);
}

// ---- Rounds -----------------------------------------------------------------------------------------

const stats = new Map();
async function sendEvents(tab, events, count) {
    await tab.bringToFront();
    for (let i = 0; i < count; i++) {
        const name = pick(Object.keys(events));
        stats.set(name, (stats.get(name) ?? 0) + 1);
        await events[name](tab).catch((error) => errors.push(error.stack));
        await wait(below(8) ? below(30) : below(800)); // sometimes long enough for a load
        if (errors.length > 0) throw new Error(`after ${name}: ${errors.join('\n')}`);
    }
}

async function countAll(tab) {
    if (inFirefox) return tab.evaluate('(({ contexts, objects, ...rest }) => rest)(counts())'); // it has no command that collects garbage
    for (let i = 0; i < 3; i++) await tab.session.send('HeapProfiler.collectGarbage');
    await wait(200);
    await tab.session.send('HeapProfiler.collectGarbage');
    const { metrics } = await tab.session.send('Performance.getMetrics');
    const metric = (name) => metrics.find((one) => one.name === name).value;
    return { ...(await tab.evaluate('counts()')), nodes: metric('Nodes'), heap: Math.round(metric('JSHeapUsedSize') / 1024) };
}

// `exact`: counts that must be those of the first settled state; the others may vary by as much.
const SLACK = { memory: 1 << 17, nodes: 400, heap: 3000, objects: 0, models: 0, stages: 0, caches: 0, contexts: 0, engines: 0 };
const PAGE_SLACK = { ...SLACK, memory: 1 << 20, nodes: 4000, heap: 8000, objects: 40 }; // the user's choices stay
const NOTHING = { models: 0, stages: 0, caches: 0, contexts: 0, objects: 0 }; // without components
const first = {};
function compare(what, counted, slack = SLACK) {
    console.log(`${what}: ${JSON.stringify(counted)}`);
    if (round >= ROUNDS_TO_WARM_UP) first[what] ??= counted;
    const limits = { ...first[what], ...(what === 'component' ? NOTHING : {}) };
    for (const [name, value] of Object.entries(counted))
        if (value > limits[name] + slack[name]) errors.push(`${what}: ${name} grew from ${limits[name]} to ${value}`);
}

const views = await openTab('component.html');
const app = await openTab('');
const end = Date.now() + 1000 * seconds;
let round = 0;
for (; Date.now() < end; round++) {
    await views.bringToFront();
    for (const name of ['add', 'add', 'show', 'show']) await component[name](views);
    await sendEvents(views, component, EVENTS_PER_ROUND);
    await settleComponent(views);
    compare('component', await countAll(views));
    assert.deepEqual(errors, []);
    await sendEvents(app, page, EVENTS_PER_ROUND);
    if (round % 3 === 2) {
        await settlePage(app);
        compare('page', await countAll(app), PAGE_SLACK);
    }
    assert.deepEqual(errors, []);
}
console.log(`the component sent ${JSON.stringify(await views.evaluate('sent'))}`);
console.log(`ok: ${round} rounds: ${[...stats].map(([name, count]) => `${name} ${count}`).join(', ')}`);
await browser.close();
process.exit(0);
