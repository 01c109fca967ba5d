// Tests KeyframeInstances in Chromium, with WebGLRenderer and with both backends of WebGPURenderer: positions and normals that the
// GPU computes agree with those of the sampler, in clips, fades and on tags.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { chromium, launchChromium, runTests, serve } from './browsers.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const built = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'npm');
if (!existsSync(join(built, 'instances.js')) || !chromium) {
    console.log(`skipped: instances: ${chromium ? '`make web` has not built them' : 'there is no Chromium'}`);
    process.exit(77);
}
const three = join(dirname(createRequire(import.meta.url).resolve('three')), '..');
const page = `<!doctype html><meta charset="utf-8"><script type="importmap">{"imports": {
    "three": "/three/build/three.module.js", "three/webgpu": "/three/build/three.webgpu.js", "three/tsl": "/three/build/three.tsl.js"
}}</script><script type="module" src="/instances_page.mjs"></script>`;
const { origin } = await serve({
    '/': join(source, 'samples'), '/lerpmesh/': built, '/three/': three, '/page.html': page, '/corpus/': process.env.LERPMESH_CORPUS ?? '',
    '/instances_page.mjs': readFileSync(join(source, 'tests/web/instances_page.mjs')),
});
const browser = await launchChromium({
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
});
const errors = [];
const tab = await browser.newPage();
tab.on('pageerror', (error) => errors.push(error.message));
tab.on('console', (message) => ['error', 'warn'].includes(message.type()) && !/404|GPU stall|fallback adapter/.test(message.text()) && errors.push(message.text()));
await tab.goto(`${origin}/page.html`);
await tab.waitForFunction('window.ready', { timeout: 60000 });

const tick = { url: '/tick.md2', name: 'tick.md2' };
const head = { url: '/tick_head.mdc', name: 'tick_head.mdc', files: { 'tick_torch.mdl': '/tick_torch.mdl' }, attach: [{ tag: 'tag_hat', path: 'tick_torch.mdl', clip: 'flame' }] };
const real = ['md2/sydney.md2', 'md2/faerie.md2', 'md3/b-25.md3', 'md3/knife.md3', 'mdc/spider.mdc', 'mdc/skull.mdc']
    .filter((path) => existsSync(join(process.env.LERPMESH_CORPUS ?? '/none', path)))
    .map((path) => ({ url: `/corpus/${path}`, name: path.split('/').pop() }));

async function compare(model, options) {
    const result = await tab.evaluate(`compare(${JSON.stringify(model)}, ${JSON.stringify(options)})`);
    const what = `${model.name} ${JSON.stringify(options)}: ${JSON.stringify(result)}`;
    if (process.env.LERPMESH_VERBOSE) console.log(what);
    assert.ok(result.drawn > 1000, what);
    assert.ok(result.different <= result.drawn / 500, what);
}

const tests = {
    async 'positions and normals agree with the sampler'() {
        for (const model of [tick, head, ...real])
            for (const output of ['position', 'normal']) await compare(model, { output });
    },
    async 'so do those of WebGPURenderer'() {
        for (const backend of ['nodes', 'webgpu'])
            for (const output of ['position', 'normal']) await compare(head, { output, backend });
    },
};

const failed = await runTests(tests, errors);
await browser.close();
process.exit(failed ? 1 : 0);
