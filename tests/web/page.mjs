// The page, as built by `make web`, in Chromium with WebGL 2 in software: its server, its tabs, and
// helpers of its tests. A program that imports this is skipped if the page or Chromium is missing.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';

import { inFirefox, launchBrowser, needChromium, runTests, TYPES } from './browsers.mjs';
import { builtFolder, makeFolder, readSample, run, samples, source, zip } from './common.mjs';

export { readSample, samples, source };
export const page = builtFolder('page');
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const folder = makeFolder();
// Served with the page: the files in `folder`, below whole/; below ranges/ with support for range
// requests; below slow/ only after respond() is called, unless they are cancelled.
export const served = { bytes: 0, requests: 0, uncached: new Set(), waiting: new Set(), respond: () => served.waiting.forEach((answer) => answer()) };
export const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    const [, mode, name] = /^\/(ranges|whole|slow)\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (mode) {
        if (!existsSync(join(folder, name))) return response.writeHead(404).end();
        const all = readFileSync(join(folder, name));
        const [, first, last] = (mode === 'ranges' && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range)) || [];
        const part = first ? all.subarray(Number(first), Number(last) + 1) : all;
        served.bytes += part.length;
        served.requests++;
        const range = first && { 'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${all.length}` };
        const respond = () => response.writeHead(first ? 206 : 200, { ...range, 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Content-Range' }).end(part);
        if (mode !== 'slow') return respond();
        served.waiting.add(respond);
        response.on('close', () => served.waiting.delete(respond));
        return;
    }
    if (request.headers['cache-control'] === 'no-cache') served.uncached.add(pathname);
    const path = join(page, decodeURIComponent(pathname));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
export const origin = `http://127.0.0.1:${server.address().port}/`;

// Firefox saves below the target of this link.
const downloads = join(folder, 'downloads-of-firefox');
export const browser = await launchBrowser({}, { 'browser.download.folderList': 2, 'browser.download.dir': downloads });

export const errors = []; // unexpected errors of the page
export async function openPage(hash = '', { width = 1200, height = 760, before = null } = {}) {
    const tab = await browser.newPage();
    if (before) await tab.evaluateOnNewDocument(before);
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', async (message) => message.type() === 'error' && errors.push(inFirefox ? await message.args()[0]?.evaluate(String) ?? message.text() : message.text()));
    tab.on('request', (request) => {
        const { protocol, origin: requested } = new URL(request.url());
        if (!['blob:', 'data:'].includes(protocol) && `${requested}/` !== origin) errors.push(`request for ${request.url()}`);
        if (request.method() !== 'GET') errors.push(`${request.method()} ${request.url()}`);
    });
    await tab.setViewport({ width, height, deviceScaleFactor: 0.25 }); // a sixteenth of the pixels, which software draws
    await tab.goto(origin + hash);
    await until(tab, 'document.documentElement.dataset.ready !== undefined');
    return tab;
}
export const until = (tab, expression) => tab.waitForFunction(expression, { polling: 50, timeout: 60000 });
export const app = (tab, expression) => tab.evaluate(`import("./app.js").then((app) => (${expression}))`);
export const text = (tab, selector) => tab.$eval(selector, (element) => element.textContent);

// Waits for a message.
export async function says(tab, pattern) {
    const matches = `${pattern}.test(document.getElementById("message").textContent)`;
    await until(tab, matches).catch(async () => assert.match(await text(tab, '#message'), pattern));
}

// Returns the share of the drawing's pixels that differ from the one in the corner.
export const drawnShare = (tab) => app(tab, `app.show.screenshot().then((blob) => createImageBitmap(blob)).then((image) => {
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[0]) > 40) count++;
    return count / (data.length / 4); })`);

// Tick as files of the server.
for (const name of ['tick.md2', 'tick.pcx']) cpSync(join(samples, name), join(folder, name));

// A player of three files, with weapons; legs and torso have clips of their own.
function makePlayer() {
    const player = join(folder, 'game/models/players/doll');
    const weapons = join(folder, 'game/models/weapons2/gun');
    for (const path of [player, weapons]) mkdirSync(path, { recursive: true });
    for (const [path, tags, ...options] of [
        [join(player, 'lower.md3'), ['tag_torso=0,0,40']],
        [join(player, 'upper.md3'), ['tag_head=0,0,40', 'tag_weapon=0,-20,20']],
        [join(player, 'head.md3'), [], '--frames', '0'],
        [join(weapons, 'gun.md3'), ['tag_barrel=0,0,10'], '--frames', '0'],
        [join(weapons, 'gun_barrel.md3'), [], '--frames', '0'],
    ]) {
        run('convert', '-q', join(samples, 'tick.md2'), '-o', path, ...options);
        for (const tag of tags) run('edit', '-q', '--in-place', '--add-tag', tag, path);
    }
    writeFileSync(join(player, 'animation.cfg'), ['BOTH_DEATH1', 'BOTH_DEAD1', 'BOTH_DEATH2', 'BOTH_DEAD2', 'BOTH_DEATH3',
        'BOTH_DEAD3', 'TORSO_GESTURE', 'TORSO_ATTACK', 'TORSO_ATTACK2', 'TORSO_DROP', 'TORSO_RAISE', 'TORSO_STAND',
        'TORSO_STAND2', 'LEGS_WALKCR', 'LEGS_WALK', 'LEGS_RUN'].map((name, i) => `${i} 2 0 10 // ${name}\n`).join(''));
    const files = ['animation.cfg', 'lower.md3', 'upper.md3', 'head.md3'].map((name) => `players/doll/${name}`);
    const all = [...files, 'weapons2/gun/gun.md3', 'weapons2/gun/gun_barrel.md3'].map((name) => `models/${name}`);
    return zip(join(folder, 'game.pk3'), Object.fromEntries(all.map((name) => [name, readFileSync(join(folder, 'game', name))])));
}

let playerPath = null;
export const player = () => (playerPath ??= makePlayer());

// Sends later downloads to that folder.
export async function downloadTo(path) {
    if (inFirefox) {
        rmSync(downloads, { force: true, recursive: true });
        return symlinkSync(path, downloads);
    }
    const client = await browser.target().createCDPSession();
    await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: path });
}

// Returns the bytes of a saved file as soon as it is complete: on a busy machine that may take minutes.
export async function waitForDownload(path, seconds = 240) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100)))
        if (existsSync(path) && !existsSync(`${path}.crdownload`) && !existsSync(`${path}.part`) && statSync(path).size > 0) return readFileSync(path);
    throw new Error(`${path} was not saved within ${seconds} seconds`);
}

// Drops files on the middle of an element, like a user. WebDriver BiDi cannot drag files, so the event is our own in Firefox.
export async function drop(tab, files, selector = '#stage') {
    if (inFirefox) return dropEvent(tab, files, selector);
    const { x, y } = await (await tab.$(selector)).clickablePoint();
    const client = await tab.createCDPSession();
    for (const type of ['dragEnter', 'dragOver', 'drop'])
        await client.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } });
}

function dropEvent(tab, files, selector) {
    if (files.some((path) => statSync(path).isDirectory() || statSync(path).size > 1e9)) needChromium();
    const contents = files.map((path) => [basename(path), readFileSync(path).toString('base64')]);
    return tab.evaluate(`{
        const data = new DataTransfer();
        for (const [name, text] of ${JSON.stringify(contents)}) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        for (const type of ["dragenter", "dragover", "drop"])
            document.querySelector("${selector}").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
}

// Opens Tick with all frames; the page's own copy has some of them.
export async function openTick(tab) {
    await drop(tab, ['tick.md2', 'tick.pcx'].map((name) => join(samples, name)));
    await until(tab, 'import("./app.js").then((app) => app.state.model?.parts[0].frames === 49)');
    await app(tab, 'app.show.play("run")');
}

// Opens a tab of the panel by its text; waits until it has an element.
export async function press(tab, name, selector = null) {
    await tab.evaluate(`[...document.querySelectorAll("#tabs button")].find((one) => one.textContent === "${name}").click()`);
    if (selector) await tab.waitForSelector(selector);
}

// Clicks a button of the tab "save".
export const clickChoice = (tab, label) => app(tab, `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${label}").click()`);

export const upload = async (tab, ...paths) => (await tab.$('#file-input')).uploadFile(...paths);

/** Runs the tests and ends the program, with 1 if one failed. A test with a parameter gets a page of its own. */
export async function finish(tests) {
    const failed = await runTests(tests, errors, openPage);
    await browser.close();
    process.exit(failed ? 1 : 0);
}
