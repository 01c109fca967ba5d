// Tests lerpmesh/babylon and the examples of Babylon.js, PlayCanvas and react-three-fiber in Chromium, with the real packages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { chromium, expectMotion, launchChromium, newTab, serve } from "../browsers.mjs";

// The pictures of three.js and Babylon.js agree, up to their texture filters.
async function checkPictures(tab) {
  await tab.waitForFunction("globalThis.comparePictures", { polling: 50, timeout: 60000 });
  for (const [model, clip, seconds] of [["tick.md2", "run", 0.33], ["tick_torch.mdl", null, 0]]) {
    const results = await tab.evaluate(`comparePictures(${JSON.stringify(model)}, ${JSON.stringify(clip)}, ${seconds})`);
    for (const { shown, different } of results) assert.ok(shown > 300 && different < 0.03 * shown, `${model}: ${different} of ${shown} pixels differ`);
  }
}

/** Runs the tests with bundles of pictures.js and the example of react-three-fiber. */
export async function checkInBrowser({ source, installed, bundle, r3f }) {
  if (!chromium) return false;
  const examples = join(source, "examples/web");
  const { origin, close } = await serve({
    "/": join(source, "samples"), "/lerpmesh/": join(installed, "lerpmesh"), "/babylonjs/": join(installed, "@babylonjs"), "/playcanvas/": join(installed, "playcanvas"),
    "/pictures.js": readFileSync(bundle, "utf8"), "/pictures.html": '<!doctype html><script type="module" src="/pictures.js"></script><body></body>',
    "/r3f.js": readFileSync(r3f, "utf8"), "/r3f.html": '<!doctype html><body style="margin: 0"><canvas></canvas><script type="module" src="/r3f.js"></script></body>',
    "/babylon.html": readFileSync(join(examples, "babylon.html"), "utf8"), "/playcanvas.html": readFileSync(join(examples, "playcanvas.html"), "utf8"),
  });
  const browser = await launchChromium();
  const errors = [];
  await checkPictures(await newTab(browser, errors, `${origin}/pictures.html`));
  // The models of the examples appear, move, and cause no errors.
  for (const name of ["babylon", "playcanvas", "r3f"]) await expectMotion(await newTab(browser, errors, `${origin}/${name}.html`), errors);
  await browser.close();
  close();
  return true;
}
