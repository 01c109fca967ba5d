// browse.mjs ADDRESS WIDTHxHEIGHT FILE OLD [moves]: writes a picture of a page in Chromium, once it has loaded and
// shows something. Fails if the page reports an error or stays blank. With `moves`, fails if the page does not move; if
// the picture OLD exists, it waits for a similar moment.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { launchChromium } from '../web/browsers.mjs';

const SECONDS = Number(process.env.BROWSE_SECONDS ?? 60); // for each condition
const SHARE = 0.02; // of a picture's pixels, to be different
const SIMILAR = 0.05; // at most

const [address, size, file, old, moves] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number);
const browser = await launchChromium({ defaultViewport: { width, height } });
const blank = await browser.newPage(); // compares the pictures: the page's own security policy may prevent that
const tab = await browser.newPage();
const errors = [];
tab.on('pageerror', (error) => errors.push(error.message));
// A model's texture may have several names, of which most do not exist.
tab.on('console', (message) => message.type() === 'error' && !/status of 404/.test(message.text()) && errors.push(message.text()));

// Returns the first true result of the condition, or false.
async function wait(condition) {
    for (const end = Date.now() + 1000 * SECONDS; Date.now() < end; await sleep(50)) {
        const result = await condition();
        assert.deepEqual(errors, [], `${address} reports errors`);
        if (result) return result;
    }
    return false;
}
async function until(condition, problem) {
    const result = await wait(condition);
    assert.ok(result, `${address} ${problem}`);
    return result;
}
// Returns the share of the pixels that differ clearly between two pictures, or from the colour of the corner.
const difference = (...pictures) => blank.evaluate(async (pngs) => {
    const [pixels, others] = await Promise.all(pngs.map(async (png) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]));
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
    }));
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4)
        count += [0, 1, 2].some((c) => Math.abs(pixels[i + c] - (others ? others[i + c] : pixels[c])) > 40);
    return count / (pixels.length / 4);
}, pictures.map((picture) => Buffer.from(picture).toString('base64')));

// A server that the page has just started may not be ready.
await until(() => tab.goto(address, { waitUntil: 'networkidle0' }).catch((error) => {
    if (!/CONNECTION_REFUSED/.test(error.message)) throw error;
    errors.length = 0;
}), 'does not answer');
let picture = null;
await until(async () => (await difference(picture = await tab.screenshot())) > SHARE, 'stays blank');
if (moves) {
    await until(async () => (await difference(picture, await tab.screenshot())) > SHARE, 'does not move');
    if (existsSync(old)) await wait(async () => (await difference(picture = await tab.screenshot(), readFileSync(old))) < SIMILAR);
}
writeFileSync(file, picture);
await browser.close();
