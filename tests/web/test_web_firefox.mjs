// Tests the page in Firefox, on its own Xvfb display: it opens and shows Tick, accepts dropped files,
// and saves the command's files.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { firefox, launchFirefox, serve } from './browsers.mjs';
import { makeFolder, run } from './common.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const page = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'page');
if (!existsSync(join(page, 'index.html')) || !firefox || !existsSync('/usr/bin/Xvfb')) {
    console.log(`skipped: the page in Firefox: ${existsSync(join(page, 'index.html')) ? 'there is no Firefox, or no Xvfb' : '`make web` has not built it'}`);
    process.exit(77);
}
const folder = makeFolder();
const { origin } = await serve({
    '/': page, '/npm/': join(page, '../npm'), '/samples/': join(source, 'samples'),
    '/view.html': '<!doctype html><script type="module" src="npm/view.js"></script><lerpmesh-view src="samples/tick.md2" skin="none.pcx" clip="run" environment="day" controls></lerpmesh-view>',
});
const { browser, close } = await launchFirefox({ 'browser.download.folderList': 2, 'browser.download.dir': folder });
console.log(await browser.version());
const tab = await browser.newPage();
const errors = [];
tab.on('pageerror', (error) => errors.push(error.message));
tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
const until = (expression) => tab.waitForFunction(expression, { polling: 100, timeout: 120000 });
const app = (expression) => tab.evaluate(`import("./app.js").then((app) => (${expression}))`);

await tab.goto(`${origin}/`);
await until('document.documentElement.dataset.ready !== undefined');
assert.equal(await app('app.state.model.name'), 'tick');
assert.equal(await app('app.show.playing'), true);
const colors = await app(`app.show.screenshot().then((blob) => createImageBitmap(blob)).then((image) => {
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
})`);
assert.ok(colors > 1000, `the canvas is empty: ${colors} colours`);
console.log(`ok: shows Tick in ${colors} colours, drawn by ${await app('app.show.stage.driver')}`);

// Simulates a drop with our own event: BiDi cannot drag files.
const head = readFileSync(join(source, 'samples/tick_head.mdc')).toString('base64');
await tab.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob("${head}"), (c) => c.charCodeAt(0))], "tick_head.mdc"));
    document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}`);
await until('document.title.startsWith("tick_head")');
console.log('ok: opens a dropped file');

await tab.evaluate('[...document.querySelectorAll("#tabs button")].find((one) => one.textContent === "Save").click()');
await until('document.querySelector("#panel .choices button")');
await tab.evaluate('document.querySelector("#panel .choices button").click()');
const saved = join(folder, 'tick_head.glb'), native = join(folder, 'native.glb');
cpSync(join(source, 'samples/tick_head.mdc'), join(folder, 'tick_head.mdc')); // alone, as it was dropped
run('convert', '-q', join(folder, 'tick_head.mdc'), '-o', native);
async function waitFor(path) {
    const complete = () => existsSync(path) && readFileSync(path).length > 0 && !existsSync(`${path}.part`);
    for (let i = 0; i < 300 && !complete(); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(existsSync(path), `${path} was not saved`);
    return readFileSync(path);
}
await waitFor(saved);
assert.ok(readFileSync(saved).equals(readFileSync(native)), `${readFileSync(saved).length} bytes differ from those that the command writes: ${readFileSync(native).length}`);
console.log('ok: saves the glb that the command writes');

// An animated WebP, which Firefox shows
await tab.evaluate(`{
    const choose = (selector, value) => Object.assign(document.querySelector(selector), { value }).dispatchEvent(new Event("change"));
    choose("#picture-size", "other");
    choose("[aria-label=Width]", "64");
    choose("[aria-label=Height]", "48");
    document.getElementById("transparent").click();
    [...document.querySelectorAll(".choices button")].find((one) => one.textContent === "Clip WebP").click();
}`);
const webp = await waitFor(join(folder, `tick_head-${await app('app.state.model.clip.name')}.webp`));
assert.equal(webp.toString('latin1', 8, 16), 'WEBPVP8X');
assert.ok(webp.toString('latin1').split('ANMF').length > 5);
assert.deepEqual(await tab.evaluate(`(async () => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob("${webp.toString('base64')}"), (c) => c.charCodeAt(0))], { type: "image/webp" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return [image.width, image.height, context.getImageData(0, 0, 1, 1).data[3], context.getImageData(32, 24, 1, 1).data[3]];
})()`), [64, 48, 0, 255]);
console.log('ok: saves an animated WebP');
assert.deepEqual(errors, []);

await tab.goto(`${origin}/view.html`);
await until('document.querySelector("lerpmesh-view").shadowRoot?.querySelector(".note:not([hidden])")');
assert.match(await tab.evaluate('document.querySelector("lerpmesh-view").shadowRoot.querySelector(".note p").textContent'), /none\.pcx.*404/);
const bar = (expression) => tab.evaluate(`((view) => ((bar) => (${expression}))(view.shadowRoot.querySelector(".bar")))(document.querySelector("lerpmesh-view"))`);
await bar('bar.querySelector("button").click()');
await until('document.querySelector("lerpmesh-view").shadowRoot.querySelector("input").value > 0');
await bar('(bar.querySelector("[part~=clip]").value = "wave", bar.querySelector("[part~=clip]").dispatchEvent(new Event("change")))');
assert.deepEqual(await bar('[view.model.clip.name, view.playing, bar.querySelector("button").title, bar.querySelector("input").getBoundingClientRect().height]'), ['wave', true, 'Pause', 44]);
console.log('ok: the component plays, by its bar');
await close();
