// Tests vertex-animation textures in three.js, in Chromium: examples/vat draws each frame as three.js draws the
// same frame of a static glTF.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { expectMotion, launchBrowser, newTab, runTests, serve } from './browsers.mjs';
import { makeFolder, run, samples, source } from './common.mjs';

const examples = join(source, 'examples/vat');
const three = join(dirname(createRequire(import.meta.url).resolve('three')), '..');
const folder = makeFolder();
const models = { tick: join(samples, 'tick.md2'), head: join(samples, 'tick_head.mdc') };
const frames = [0, 7, 20, 33.5];
for (const [name, path] of Object.entries(models)) {
    run('convert', path, '-o', join(folder, `${name}.glb`), '--vat', 'exr');
    for (const frame of frames) run('convert', path, '-o', join(folder, `${name}-${frame}.glb`), '--frames', String(frame));
}
const example = readFileSync(join(examples, 'three.html'), 'utf8');
const imports = example.match(/<script type="importmap">[^]*?<\/script>/)[0];
// Draws a model in the frame, and the static one of that frame, into textures.
const compare = `<!doctype html><meta charset="utf-8">${imports}<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { loadVat } from './vat.js';
const size = 256, renderer = new THREE.WebGLRenderer(), target = new THREE.WebGLRenderTarget(size, size);
function draw(root) {
    const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100), sun = new THREE.DirectionalLight(0xffffff, 3);
    sun.position.set(1, 2, 3);
    scene.background = new THREE.Color(0x808080);
    scene.add(root, sun);
    camera.position.set(1, 1, 2);
    camera.lookAt(0, 0, 0);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    const pixels = new Uint8Array(4 * size * size);
    renderer.readRenderTargetPixels(target, 0, 0, size, size, pixels);
    return pixels;
}
// The number of pixels of the model, and of those that differ.
window.compare = async (name, frame, shown) => {
    const vat = await loadVat(name + '.glb');
    const still = await new GLTFLoader().loadAsync(name + '-' + shown + '.glb');
    vat.setFrame(frame);
    const a = draw(vat.root), b = draw(still.scene);
    let drawn = 0, different = 0;
    for (let i = 0; i < a.length; i += 4) {
        drawn += b[i] !== b[0] || b[i + 1] !== b[1] || b[i + 2] !== b[2];
        different += Math.max(...[0, 1, 2].map((k) => Math.abs(a[i + k] - b[i + k]))) > 8;
    }
    return [drawn, different];
};
</script>`;
const { origin } = await serve({
    '/': folder, '/three/': three, '/three.html': example.replace('side = 20', 'side = 8'), '/compare.html': compare, '/vat.js': readFileSync(join(examples, 'vat.js')),
});
const browser = await launchBrowser(), errors = [];

const tests = {
    async 'each frame looks like a static glTF of it'(tab) {
        await tab.waitForFunction('window.compare', { timeout: 60000 });
        for (const name of Object.keys(models))
            for (const frame of frames) {
                const [drawn, different] = await tab.evaluate(`compare("${name}", ${frame}, ${frame})`);
                assert.ok(drawn > 3000, `${name} ${frame}: only ${drawn} pixels are drawn`);
                assert.ok(different < drawn / 200, `${name} ${frame}: ${different} of ${drawn} pixels differ`);
            }
        const [drawn, different] = await tab.evaluate('compare("tick", 0, 20)');
        assert.ok(different > drawn / 10, 'two frames look alike');
    },

    async 'the example draws a crowd that runs'(tab) {
        await tab.goto(`${origin}/three.html`);
        await expectMotion(tab, errors);
        if (process.env.LERPMESH_IMAGES) await tab.screenshot({ path: join(process.env.LERPMESH_IMAGES, 'vat.png') });
    },
};

const failed = await runTests(tests, errors, () => newTab(browser, errors, `${origin}/compare.html`));
await browser.close();
process.exit(failed ? 1 : 0);
