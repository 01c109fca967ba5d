// Tests KeyframeInstances in Chromium, with WebGLRenderer and with both backends of WebGPURenderer: positions and normals that the
// GPU computes agree with those of the sampler, in clips, fades and on tags.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { expectMotion, launchBrowser, newTab, runTests, serve } from './browsers.mjs';
import { builtFolder, samples, source } from './common.mjs';

const built = builtFolder('npm');
const three = join(dirname(createRequire(import.meta.url).resolve('three')), '..');
const page = `<!doctype html><meta charset="utf-8"><script type="importmap">{"imports": {
    "three": "/three/build/three.module.js", "three/webgpu": "/three/build/three.webgpu.js", "three/tsl": "/three/build/three.tsl.js"
}}</script><script type="module" src="/instances_page.mjs"></script>`;
// With fewer instances, and what the test reads.
const example = readFileSync(join(source, 'examples/web/instances.html'), 'utf8').replace('SIDE = 32', 'SIDE = 4').replace('4096, 4096', '256, 256')
    .replace('scene.add(ticks);', `$& window.ticks = ticks; window.where = (i) => {
        const { x, y } = new THREE.Vector3().setFromMatrixPosition(ticks.getMatrixAt(i, place)).project(camera);
        return { x: (x + 1) * innerWidth / 2, y: (1 - y) * innerHeight / 2 };
    };`);
const { origin } = await serve({
    '/': samples, '/lerpmesh/': built, '/three/': three, '/page.html': page, '/example.html': example, '/corpus/': process.env.LERPMESH_CORPUS ?? '',
    '/instances_page.mjs': readFileSync(join(source, 'tests/web/instances_page.mjs')),
});
const browser = await launchBrowser({
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
});
const errors = [];
const tab = await browser.newPage();
tab.on('pageerror', (error) => errors.push(error.message));
const HARMLESS = /404|GPU stall|fallback adapter|available adapters|does not belong to this context/; // the last: three.js, of a lost context
tab.on('console', (message) => ['error', 'warn'].includes(message.type()) && !HARMLESS.test(message.text()) && errors.push(message.text()));
await tab.goto(`${origin}/page.html`);
await tab.waitForFunction('window.ready', { timeout: 60000 });

// Chromium may lack WebGPU in software.
const webgpu = (await tab.evaluate('navigator.gpu?.requestAdapter().then(Boolean)')) ? ['webgpu'] : [];
if (webgpu.length === 0) console.log('skipped: instances in WebGPU: Chromium has no adapter');

const tick = { url: '/tick.md2', name: 'tick.md2' };
const head = { url: '/tick_head.mdc', name: 'tick_head.mdc', files: { 'tick_torch.mdl': '/tick_torch.mdl' }, attach: [{ tag: 'tag_hat', path: 'tick_torch.mdl', clip: 'flame' }] };
const corpus = (path) => (existsSync(join(process.env.LERPMESH_CORPUS ?? '/none', path)) ? [{ url: `/corpus/${path}`, name: path.split('/').pop() }] : []);

async function compare(model, options) {
    const result = await tab.evaluate(`compare(${JSON.stringify(model)}, ${JSON.stringify(options)})`);
    const what = `${model.name} ${JSON.stringify(options)}: ${JSON.stringify(result)}`;
    if (process.env.LERPMESH_VERBOSE) console.log(what);
    assert.ok(result.drawn > 500, what);
    assert.ok(result.different <= result.drawn / 500, what);
}

// Calls a function of the page.
const call = (name, ...args) => tab.evaluate(`${name}(...${JSON.stringify(args)})`);

const tests = {
    async 'positions and normals agree with the sampler'() {
        for (const path of ['md2/sydney.md2', 'md3/b-25.md3', 'mdc/spider.mdc'])
            for (const model of corpus(path)) await compare(model, { output: 'position' });
        for (const model of [tick, head])
            for (const output of ['position', 'normal']) await compare(model, { output });
    },

    async 'so do those of WebGPURenderer, on both of its backends'() {
        for (const backend of ['nodes', ...webgpu]) await compare(head, { output: 'position', backend });
        for (const backend of webgpu) await compare(head, { output: 'normal', backend });
    },

    async 'players of three parts animate, their torso on the legs'() {
        const player = { name: 'player', player: 'models/players/tick', names: ['lower.md3', 'upper.md3', 'head.md3', 'animation.cfg'] };
        for (const output of ['position', 'normal']) await compare(player, { output });
        await compare(player, { output: 'position', clip: 'LEGS_RUN+TORSO_ATTACK' });
    },

    async 'a part without a tag shows the frames of its parent'() {
        const files = { 'torch.mdl': '/tick_torch.mdl', 'head.mdc': '/tick_head.mdc' };
        await compare({ ...tick, files, attach: [{ path: 'head.mdc' }, { tag: 'tag_hat', path: 'torch.mdl' }] }, { output: 'position' });
    },

    async 'clips agree after hours, backwards in time, and with other loops'() {
        await compare(tick, { output: 'position', begin: 12345.6, elapsed: 7200.3 });
        await compare(tick, { output: 'position', begin: 1000, elapsed: -2.3 });
        for (const loop of [true, false]) await compare(tick, { output: 'position', loop });
    },

    async 'a surface is one draw, and playing uploads nothing'() {
        for (const model of [tick, head]) {
            const { calls, surfaces, uploads, afterChange } = await call('countCalls', model, 50);
            assert.equal(calls, surfaces);
            assert.deepEqual(uploads, []);
            assert.ok(afterChange.length > 0, 'the test sees no upload of a new clip');
        }
    },

    async 'shadows follow the poses, of the sun and of a lamp'() {
        for (const [lamp, backend] of [[false, 'webgl'], [true, 'webgl'], ...webgpu.map((backend) => [false, backend])]) {
            const { shadow, different, moved } = await call('compareShadows', tick, lamp, backend);
            assert.ok(shadow > 200, `only ${shadow} pixels differ from the ground`);
            assert.ok(different < shadow / 50, `${different} of ${shadow} pixels differ`);
            assert.ok(moved > shadow / 10, `only ${moved} pixels differ in another pose`);
        }
    },

    async 'rays hit the triangle of the pose, with its instance'() {
        for (const model of [tick, head]) {
            const { rays, hits, wrong } = await call('compareRays', model);
            assert.deepEqual(wrong, []);
            assert.ok(hits > rays / 10, `${hits} of ${rays} rays hit`);
        }
    },

    async 'each instance shows its skin and color'() {
        for (const backend of ['webgl', 'nodes', ...webgpu])
            assert.deepEqual(await call('showSkins', tick, backend), { skins: ['own', 'red', 'green', 'blue'], tinted: 'green' }, backend);
    },

    async 'instances outside of the view are not drawn'() {
        assert.deepEqual(await call('cull', tick), { inside: 1, outside: 0, moved: 1, fewer: 0 });
    },

    async 'wrong arguments throw errors'() {
        const wanted = {
            index: 'there is no instance 4: there are 4', negative: 'there is no instance -1: there are 4', fraction: 'there is no instance 0.5: there are 4',
            clip: 'there is no clip "fly"', rate: 'rate is NaN', fade: 'fade is Infinity', skin: 'there is no skin 1: there are 1',
            time: 'NaN is not a time', count: 'there cannot be 5 instances: there is room for 4', create: '-1 is not a number of instances',
            clone: 'instances cannot be cloned: create others of the same KeyframeModel', image: 'image: not an image that lerpmesh reads',
        };
        const got = await call('wrongArguments', tick);
        for (const [name, message] of Object.entries(wanted)) assert.match(got[name] ?? 'nothing', new RegExp(`^LerpmeshError .*${message}`), name);
    },

    async 'odd models: no vertices, one frame, no clips, no instances'() {
        for (const tags of corpus('mdc/v_luger_hand.mdc')) assert.deepEqual(await call('drawOdd', tags, 3), { calls: 0, hits: 0 });
        assert.deepEqual(await call('drawOdd', tick, 0), { calls: 0, hits: 0 });
        assert.deepEqual(await call('drawOdd', { ...tick, clips: 'none' }, 2), { calls: 1, hits: 2 });
    },

    async 'a restored context draws the same'() {
        assert.deepEqual(await call('loseContext', tick), { different: 0, drawn: true });
    },

    async 'dispose frees everything, once, and leaves what a KeyframeModel shares'() {
        for (const backend of ['webgl', ...webgpu]) {
            const { before, during, after, shared } = await call('disposeAll', tick, backend);
            assert.deepEqual(after, before);
            assert.ok(during.textures >= before.textures + 2 && during.geometries > before.geometries);
            assert.equal(shared, true);
        }
        assert.deepEqual(await call('disposeEarly', tick), { hit: 0, failed: 'mine', closed: ['disposed', 'disposed'] });
    },
};

tests['the example moves, and an instance that is clicked waves'] = async (tab) => {
    await tab.setViewport({ width: 320, height: 240 });
    await tab.reload();
    await tab.waitForFunction('window.ticks && window.ticks.time > 0', { timeout: 60000 });
    await expectMotion(tab, errors, 700); // the models are small: about 1,000 colours
    const { x, y } = await tab.evaluate('where(13)');
    await tab.mouse.click(x, y);
    assert.equal(await tab.evaluate('ticks.getClipAt(13).clip'), 'wave');
    await tab.waitForFunction('ticks.getClipAt(13).clip === "run"', { timeout: 10000 });
};

const failed = await runTests(tests, errors, () => newTab(browser, errors, `${origin}/example.html`));
await browser.close();
process.exit(failed ? 1 : 0);
