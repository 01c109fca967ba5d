// Tests that the page continues after failures: of a worker, the network, the graphics, a file.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { zip } from './common.mjs';
import { app, clickChoice, drawnShare, drop, errors, finish, folder, openPage, press, says, served, server, source, text, until, upload } from './page.mjs';

await finish({
    async 'starts a new worker after one fails'() {
        const tab = await openPage('', { before: `
            const Own = Worker;
            let started = 0, failed = 0;
            window.Worker = class extends Own {
                constructor(url, options) {
                    super(started++ < 2 ? "none.js" : url, options);
                    this.addEventListener("error", () => failed++);
                }
            };` });
        const head = join(source, 'samples/tick_head.mdc');
        await until(tab, 'failed === 1'); // that of the first frame, which has no requests
        assert.equal(await tab.$eval('#message', (one) => one.hidden), true);
        await drop(tab, [head]);
        await until(tab, 'failed === 2 && !document.getElementById("message").hidden');
        errors.length = 0; // the browser's own error message
        await drop(tab, [head]);
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'reports a failed download of a part, and tries again'() {
        const tab = await openPage('#model=whole/tick.md2');
        const network = await tab.createCDPSession();
        await network.send('Network.enable');
        await network.send('Network.setBypassServiceWorker', { bypass: true });
        await network.send('Network.setBlockedURLs', { urls: ['*/more.js'] });
        await press(tab, 'Problems');
        await until(tab, '/cannot fetch a part of lerpmesh/.test(document.querySelector("#panel").textContent)');
        errors.length = 0; // the browser's own error message
        assert.ok((await drawnShare(tab)) > 0.01, 'the page no longer draws the model');
        await network.send('Network.setBlockedURLs', { urls: [] });
        await press(tab, 'Model');
        await press(tab, 'Problems');
        await until(tab, 'document.querySelector("#panel .problem")');
        await tab.close();
    },

    async 'explains damaged models, and shows what can be read'(tab) {
        const sample = (name) => readFileSync(join(source, 'samples', name));
        const edit = (bytes, at, value) => (bytes.writeInt32LE(value, at), bytes);
        const [tick, head, torch] = ['tick.md2', 'tick_head.mdc', 'tick_torch.mdl'].map(sample);
        const cases = [ // the file, the message, the number of frames that it then shows
            ['empty.md2', '', /"empty.md2" is empty/, 0],
            ['header.md2', tick.subarray(0, 60), /"header.md2" is cut off after 60 bytes, within its header. Nothing of it/, 0],
            ['early.md2', tick.subarray(0, 300), /"early.md2" is cut off: 300 of 121,796 bytes are there. Nothing of it/, 0],
            ['cut.md2', tick.subarray(0, 85257), /"cut.md2" is cut off: 85,257 of 121,796 bytes are there. 37 of 49 frames can be shown/, 37],
            ['cut.mdc', head.subarray(0, 5000), /"cut.mdc" is cut off: 5,000 of .* bytes are there. 1 of 4 surfaces can be shown/, 42],
            ['count.md2', edit(sample('tick.md2'), 40, 2 ** 31 - 1), /"count.md2" is damaged. Its intact parts can be shown/, 56],
            ['frames.mdl', edit(sample('tick_torch.mdl'), 68, 50000), /"frames.mdl" is damaged. 7 of 50,000 frames/, 7],
            ['skin.mdl', torch.subarray(0, 300), /"skin.mdl" is damaged. Nothing of it/, 0],
            ['version.md2', edit(sample('tick.md2'), 4, 9), /Cannot open "version.md2".*version 9 is not supported/, 0],
        ];
        for (const [name, bytes, message, frames] of cases) {
            writeFileSync(join(folder, name), bytes);
            await upload(tab, join(folder, name));
            await says(tab, message);
            const offers = await tab.$$eval('#message button', (all) => all.filter((one) => one.textContent === 'Show what can be read').map((one) => one.click()).length);
            assert.equal(offers, frames > 0 ? 1 : 0, name);
            if (frames === 0) continue;
            await until(tab, `import("./app.js").then((app) => app.state.model?.parts[0].frames === ${frames})`);
        }
    },

    async 'names files of other formats'(tab) {
        const cases = [
            ['x.mdr', 'RDM5', /"x.mdr" is a skeletal model .*MDR., which this page does not read. Convert it/],
            ['renamed.md3', 'RDM5\x02\0\0\0', /"renamed.md3" is a skeletal model .*MDR/],
            ['v_gun.mdl', 'IDST\x0a\0\0\0', /"v_gun.mdl" is a model of Half-Life/],
            ['cube.obj', 'v 0 0 0\n', /"cube.obj" is an OBJ model, which/],
            ['m.rar', 'Rar!\x1a\x07\0', /"m.rar" is a RAR archive.* Unpack it/],
            ['m.7z', '7z\xbc\xaf\x27\x1c', /"m.7z" is a 7z archive.* Unpack it/],
            ['m.pk4', 'PK\x03\x04', /"m.pk4" is a ZIP archive. Give it/],
            ['m.bsp', 'IBSP\x26', /"m.bsp" is a map .BSP., not a model/],
        ];
        for (const [name, head, message] of cases) {
            writeFileSync(join(folder, name), Buffer.from(head.padEnd(100, '\0'), 'latin1'));
            await upload(tab, join(folder, name));
            await says(tab, message);
        }
        await drop(tab, ['x.mdr', 'm.rar'].map((name) => join(folder, name)));
        await says(tab, /None of these files.*x.mdr. is a skeletal.*m.rar. is a RAR/s);
        await drop(tab, [zip(join(folder, 'no_models.pk3'), { 'models/x.mdr': 'RDM5' })]);
        await says(tab, /No model in "no_models.pk3" can be opened.*contains no models/s);
    },

    async 'recovers from a trap, also in thumbnails, and from their lost context'(tab) {
        // The worker gets the files after the first model is drawn.
        await until(tab, 'import("./app.js").then((app) => app.worker.request("models", { paths: ["."] })).then(({ length }) => length > 0, () => false)');
        const thumbnail = () => app(tab, 'app.library.thumbnail(app.state.entry).then((pixels) => new Set(new Uint32Array(pixels.buffer)).size, (error) => error.code ?? String(error))');
        const first = await thumbnail();
        assert.ok(first > 100, `the first thumbnail: ${first}`);
        const trap = `(() => {
            const { prototype } = WebGL2RenderingContext, { drawElements } = prototype;
            prototype.drawElements = function () {
                prototype.drawElements = drawElements;
                throw new WebAssembly.RuntimeError("unreachable");
            };
        })()`;
        const [worker] = tab.workers();
        await worker.evaluate(trap);
        assert.equal(await thumbnail(), 'trap');
        assert.ok((await thumbnail()) > 100, 'no thumbnail after a trap');
        // The next drawing finds its context lost.
        await worker.evaluate(`(() => {
            const { prototype } = WebGL2RenderingContext, { flush } = prototype;
            prototype.flush = function () {
                prototype.flush = flush;
                flush.call(this);
                this.getExtension("WEBGL_lose_context").loseContext();
            };
        })()`);
        assert.equal(await thumbnail(), 'graphics');
        assert.ok((await thumbnail()) > 100, 'no thumbnail after the context was lost');
        await tab.evaluate(trap);
        await app(tab, 'app.show.draw()');
        await says(tab, /unreachable/);
        await app(tab, 'app.openEntry(app.state.entry)');
        await until(tab, 'document.getElementById("message").hidden');
        assert.ok((await drawnShare(tab)) > 0.01, 'the canvas is empty');
    },

    async 'works while its context is lost, and recovers'(tab) {
        await app(tab, `(window.loss = app.show.canvas.getContext("webgl2").getExtension("WEBGL_lose_context")).loseContext()`);
        await until(tab, '!document.getElementById("message").hidden');
        await tab.focus('#canvas');
        for (const key of ['w', 'e', 'c', '.', '1', '+', 'Enter']) await tab.keyboard.press(key);
        await tab.mouse.wheel({ deltaY: 100 });
        await press(tab, 'Problems', '.problem');
        assert.ok((await app(tab, 'app.state.model.toGlb().then((glb) => glb.length)')) > 1e5);
        await press(tab, 'Save', '.choices');
        await clickChoice(tab, 'Screenshot');
        await says(tab, /cannot draw/);
        await upload(tab, join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.evaluate('window.loss.restoreContext()');
        await until(tab, 'document.getElementById("message").hidden');
        assert.ok((await drawnShare(tab)) > 0.01, 'the canvas is empty');
    },

    async 'works without WebGL 2, except drawing'() {
        const before = `const get = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest); }`;
        const tab = await openPage('#model=whole/tick.md2&clip=wave', { before });
        assert.match(await text(tab, '#message'), /no WebGL 2/);
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        await until(tab, '/49/.test(document.getElementById("panel").textContent)');
        for (const [name, selector] of [['Problems', '.problem'], ['File', '.hex'], ['UV', '.uv'], ['Skins', '#attach'], ['Save', '.choices']]) {
            await press(tab, name);
            await tab.waitForSelector(selector);
        }
        assert.ok((await app(tab, 'app.state.model.toGlb().then((glb) => glb.length)')) > 1e5);
        for (const label of ['Screenshot', 'Turntable video']) {
            await app(tab, 'document.getElementById("message").textContent = ""');
            const button = `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${label}")`;
            await until(tab, `${button} !== undefined`); // the panel is drawn again after each save
            await app(tab, `${button}.click()`);
            await says(tab, /WebGL 2/);
        }
        await upload(tab, join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'ends the requests of a tab that is closed'() {
        const tab = await openPage();
        await until(tab, 'navigator.serviceWorker.controller !== null');
        const wait = async (count) => {
            for (const end = Date.now() + 20000; served.waiting.size !== count; await new Promise((resolve) => setTimeout(resolve, 50)))
                assert.ok(Date.now() < end, `${served.waiting.size} requests are open, not ${count}`);
        };
        await tab.evaluate('location.hash = "#model=slow/tick.md2"');
        await wait(1);
        await tab.close();
        await wait(0);
    },

    async 'works without the server'(tab) {
        await tab.evaluate('navigator.serviceWorker.ready');
        await until(tab, 'navigator.serviceWorker.controller !== null');
        for (const file of ['/', '/app.js', '/wasm.js', '/more.js']) // cached ones may be of another version
            assert.ok(served.uncached.has(file), `${file} was not fetched again`);
        await new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); });
        await tab.reload();
        await until(tab, 'document.documentElement.dataset.ready !== undefined');
        assert.equal(await app(tab, 'app.state.model.name'), 'tick');
    },
});
