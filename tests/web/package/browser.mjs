// Tests lerpmesh/babylon and the examples of Babylon.js, PlayCanvas and react-three-fiber in Chromium, with the real packages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { chromium, launchChromium, serve } from "../browsers.mjs";

// The number of colours on the page.
const countColors = (tab, png) => tab.evaluate(`createImageBitmap(new Blob([Uint8Array.from(atob("${Buffer.from(png).toString("base64")}"), (c) => c.charCodeAt(0))])).then((image) => {
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size; })`);

async function openPage(browser, url) {
  const tab = await browser.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  tab.on("console", (message) => message.type() === "error" && !/404/.test(message.text()) && errors.push(message.text()));
  await tab.setViewport({ width: 640, height: 480 });
  await tab.goto(url);
  return { tab, errors };
}

// The pictures of three.js and Babylon.js agree, up to their texture filters.
async function checkPictures(browser, origin) {
  const { tab, errors } = await openPage(browser, `${origin}/pictures.html`);
  await tab.waitForFunction("globalThis.comparePictures", { polling: 50, timeout: 60000 });
  for (const [model, clip, seconds] of [["tick.md2", "run", 0.33], ["tick_torch.mdl", null, 0]]) {
    const results = await tab.evaluate(`comparePictures(${JSON.stringify(model)}, ${JSON.stringify(clip)}, ${seconds})`);
    for (const { shown, different } of results) assert.ok(shown > 300 && different < 0.03 * shown, `${model}: ${different} of ${shown} pixels differ`);
  }
  assert.deepEqual(errors, []);
  await tab.close();
}

// The model of an example appears, moves, and the page reports no errors.
async function checkExample(browser, url) {
  const { tab, errors } = await openPage(browser, url);
  for (let i = 0, colors = 0; colors < 1000; i++) {
    assert.deepEqual(errors, []);
    assert.ok(i < 120, `${url}: the page shows ${colors} colours`);
    await new Promise((done) => setTimeout(done, 500));
    colors = await countColors(tab, await tab.screenshot());
  }
  const [first, second] = [await tab.screenshot(), await new Promise((done) => setTimeout(done, 400)).then(() => tab.screenshot())];
  assert.ok(Buffer.compare(first, second) !== 0, `${url}: the model stands still`);
  await tab.close();
  return second;
}

/** Runs the tests with bundles of pictures.js and the example of react-three-fiber. */
export async function checkInBrowser({ source, installed, bundle, r3f, save }) {
  if (!chromium) return false;
  const examples = join(source, "examples/web");
  const { origin, close } = await serve({
    "/": join(source, "samples"), "/lerpmesh/": join(installed, "lerpmesh"), "/babylonjs/": join(installed, "@babylonjs"), "/playcanvas/": join(installed, "playcanvas"),
    "/pictures.js": readFileSync(bundle, "utf8"), "/pictures.html": '<!doctype html><script type="module" src="/pictures.js"></script><body></body>',
    "/r3f.js": readFileSync(r3f, "utf8"), "/r3f.html": '<!doctype html><body style="margin: 0"><canvas></canvas><script type="module" src="/r3f.js"></script></body>',
    "/babylon.html": readFileSync(join(examples, "babylon.html"), "utf8"), "/playcanvas.html": readFileSync(join(examples, "playcanvas.html"), "utf8"),
  });
  const browser = await launchChromium();
  await checkPictures(browser, origin);
  for (const name of ["babylon", "playcanvas", "r3f"]) save?.(name, await checkExample(browser, `${origin}/${name}.html`));
  await browser.close();
  close();
  return true;
}
