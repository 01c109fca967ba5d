// Tests the page with its own models, dropped files, archives, and addresses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run, unzip, zip } from './common.mjs';
import { app, clickChoice, downloadTo, drawnShare, drop, errors, finish, folder, openPage, origin, page, player, press, readSample, says, served, source, text, until, upload, waitForDownload } from './page.mjs';

await finish({
    async 'opens with Tick and plays'(tab) {
        assert.equal(await app(tab, 'app.state.model.name'), 'tick');
        assert.equal(await app(tab, 'app.show.playing'), true);
        const before = await app(tab, 'app.state.model.position');
        await until(tab, `import("./app.js").then((app) => app.state.model.position !== ${before})`);
        assert.ok((await drawnShare(tab)) > 0.05, 'the canvas is empty');
        assert.deepEqual(await app(tab, 'app.state.model.clips.map((clip) => clip.name)'), ['run', 'wave']);
    },

    async 'does nothing superfluous before the first frame'() {
        const tab = await openPage('', { before: `
            window.counts = { workers: 0, compiled: 0, contexts: 0, sizes: 0, calls: [], fetched: null };
            new MutationObserver(() => {
                if ("ready" in document.documentElement.dataset) counts.fetched ??= performance.getEntriesByType("resource").map((one) => one.name.split("/").pop());
            }).observe(document, { attributes: true, subtree: true });
            const { Worker: OwnWorker, WebAssembly: { compile } } = window;
            window.Worker = class extends OwnWorker { constructor(...args) { super(...args); counts.workers += document.documentElement.dataset.ready === undefined; } };
            WebAssembly.compile = (...args) => (counts.compiled++, compile(...args));
            const of = HTMLCanvasElement.prototype, { getContext } = of;
            of.getContext = function (...args) { counts.contexts++; return getContext.apply(this, args); };
            for (const side of ["width", "height"]) {
                const { get, set } = Object.getOwnPropertyDescriptor(of, side);
                Object.defineProperty(of, side, { get, set(value) { counts.sizes += counts.contexts > 0; set.call(this, value); } });
            }
            for (const name of ["getError", "getExtension", "getParameter", "getShaderParameter", "drawElements"]) {
                const own = WebGL2RenderingContext.prototype[name];
                WebGL2RenderingContext.prototype[name] = function (...args) { counts.calls.push(name); return own.apply(this, args); };
            }` });
        const { workers, compiled, contexts, sizes, calls, fetched } = await tab.evaluate('counts');
        assert.deepEqual({ workers, compiled, contexts }, { workers: 0, compiled: 1, contexts: 1 });
        assert.equal(sizes, 0, 'the canvas changed its size, which reallocates its buffers');
        // Those that test_web_size.mjs measures.
        const named = [...readFileSync(join(page, 'index.html'), 'utf8').matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(([, name]) => name);
        assert.deepEqual(fetched.filter((name) => ![...named, 'tick.md2.pack', 'tick.pcx.pack'].includes(name)), [], 'fetched before the first frame');
        assert.ok(fetched.length > 8, `only ${fetched}`);
        const before = calls.slice(0, calls.indexOf('drawElements')).filter((name) => name !== 'getParameter');
        assert.deepEqual(before, ['getExtension', 'getExtension'], 'a query blocked on the GPU');
        await until(tab, 'counts.workers === 0 && performance.getEntriesByType("resource").some((one) => one.name.endsWith("worker.js"))');
        assert.equal((await app(tab, 'app.worker.request("models", { paths: ["."] })')).length, 1, 'the worker has no files');
        // A request is about the files of its own time, whatever is opened before the answer.
        const answers = await app(tab, `(async () => {
            const { worker, state: { entries: own } } = app;
            const ask = (entries) => worker.request("models", { paths: ["."] }, { entries });
            const all = await Promise.all([ask([["other.md2", own[0][1]]]), ask(own), ask([["third.md2", own[0][1]]]), ask(own)]);
            return all.map((list) => list.map((one) => one.path).join()); })()`);
        assert.deepEqual(answers, ['./other.md2', './tick.md2', './third.md2', './tick.md2']);
        await tab.close();
    },

    async 'opens an archive, and lists its models with thumbnails'(tab) {
        await upload(tab, zip(join(folder, 'small.pk3'), Object.fromEntries(['tick.md2', 'tick.pcx', 'tick_head.mdc'].map((name) => [`models/${name}`, readSample(name)]))));
        await until(tab, 'document.querySelectorAll(".cell").length === 2');
        await until(tab, `[...document.querySelectorAll(".cell canvas")].every((c) => c.getContext("2d").getImageData(60, 60, 1, 1).data[3] === 255)`);
        await tab.type('#search', 'head');
        await until(tab, 'document.querySelectorAll(".cell").length === 1');
        await tab.click('.cell');
        await until(tab, 'document.title.startsWith("tick_head")');
        assert.ok((await drawnShare(tab)) > 0.01);
    },

    async 'opens what the scripts of UFO: Alien Invasion compose'() {
        const archives = ['0models.pk3', '0ufos.pk3'].map((name) => join(folder, name));
        execFileSync('python3', ['-c', `
import sys, zipfile
import ufoai
from small_files import make_md2
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in "body", "head": z.writestr("models/soldiers/" + name + ".md2", make_md2())
    z.writestr("models/soldiers/body.tag", ufoai.make_tags([ufoai.Tag("tag_head", [(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 50)] * 3)]))
with zipfile.ZipFile(sys.argv[2], "w") as z:
    z.writestr("ufos/team_x.ufo", 'team squad { models { male("soldiers" "body" "head" 0 0) } }')
    z.writestr("ufos/models.ufo", 'menu_model bust { model "soldiers/head" }')`, ...archives]);
        const tab = await openPage();
        await drop(tab, archives);
        await until(tab, 'document.querySelectorAll(".cell").length === 4');
        assert.deepEqual(await app(tab, 'app.library.models.map(({ title }) => title)'), ['body', 'bust', 'head', 'male1']);
        await tab.click('.cell[title="0ufos.pk3:ufos/team_x.ufo/squad/male1"]');
        await until(tab, 'document.title.startsWith("male1")');
        assert.deepEqual(await app(tab, 'app.state.model.parts.map(({ path }) => path)'), ['body', 'head'].map((name) => `./0models.pk3:models/soldiers/${name}.md2`));
        assert.ok((await drawnShare(tab)) > 0.001);
        await tab.close();
    },

    async 'opens glTF models, and saves them in the formats of the games'() {
        const robots = join(folder, 'robots');
        const downloads = join(folder, 'robots-saved');
        for (const path of [join(robots, 'native'), downloads]) mkdirSync(path, { recursive: true });
        run('convert', '-q', join(source, 'samples/tick.md2'), '-o', join(robots, 'robot.gltf'));
        // As written by another program: our own files record their origin.
        const gltf = JSON.parse(readFileSync(join(robots, 'robot.gltf'), 'utf8'), (key, value) => (key === 'extras' ? undefined : value));
        gltf.asset.generator = 'another program';
        writeFileSync(join(robots, 'robot.gltf'), JSON.stringify(gltf));
        const glb = join(folder, 'drone.glb');
        run('convert', '-q', join(source, 'samples/tick.md2'), '-o', glb);
        const broken = join(folder, 'broken.glb');
        writeFileSync(broken, readFileSync(glb).subarray(0, 5000));

        const tab = await openPage();
        await downloadTo(downloads);
        const textureWidths = () => app(tab, 'app.state.model.parts[0].materials.map(({ texture }) => texture >= 0 && app.state.model.image(texture).width)');
        await drop(tab, [glb]);
        await until(tab, 'document.title.startsWith("drone")');
        assert.deepEqual(await textureWidths(), [256]);
        assert.deepEqual(await app(tab, 'app.state.model.clips.map((clip) => clip.name)'), ['stand', 'run', 'jump', 'pain1', 'pain2', 'wave']);
        assert.match(await text(tab, '#title'), /^droneGLB · /);
        await until(tab, '/GLB, shown as MD3, version 15/.test(document.querySelector(".facts").textContent)');
        await drop(tab, [broken]);
        await says(tab, /has 5000 of the/);
        await drop(tab, [join(robots, 'robot.gltf')]);
        await says(tab, /drop them together.*robot.bin/);
        await drop(tab, [robots]); // a .gltf, its .bin and its image
        await until(tab, 'import("./app.js").then((app) => app.state.model && document.title.startsWith("robot"))');
        assert.deepEqual(await textureWidths(), [256]);
        assert.ok((await drawnShare(tab)) > 0.01);
        await press(tab, 'Model');
        assert.match(await text(tab, '#panel'), /robot\.gltf: wrote robot\.md3: \d+ bytes/);
        if (process.env.LERPMESH_IMAGES) await tab.screenshot({ path: join(process.env.LERPMESH_IMAGES, 'gltf.png') });

        await press(tab, 'Save', '.choices');
        for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
            const name = format === 'mdl' ? 'robot.mdl' : `robot-${format}.zip`; // with its skin inside
            await clickChoice(tab, format.toUpperCase());
            await waitForDownload(join(downloads, name));
            if (format !== 'mdl') unzip(join(downloads, name), downloads);
            run('convert', '-q', join(robots, 'robot.gltf'), '-o', join(robots, 'native', `robot.${format}`));
            assert.match(await text(tab, '.losses'), new RegExp(`robot.gltf: wrote robot.${format}: \\d+ bytes.* maximum error [\\d.e-]+ units`));
        }
        const names = readdirSync(join(robots, 'native'));
        assert.deepEqual(names.sort(), ['robot.md2', 'robot.md3', 'robot.mdc', 'robot.mdl', 'robot.png', 'robot.tga']);
        for (const name of names) assert.ok(readFileSync(join(downloads, name)).equals(readFileSync(join(robots, 'native', name))), name);
        await tab.close();
    },

    async 'opens a link with its view'() {
        const tab = await openPage('#model=whole/tick.md2&clip=wave&frame=3&camera=-40,20&skin=tick.pcx');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        assert.equal(await app(tab, 'app.show.playing'), false);
        assert.ok(Math.abs(await app(tab, 'app.state.model.position') - 3) < 1e-6);
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') + 40) < 1e-3);
        const link = await app(tab, 'app.linkToView()');
        assert.match(link, /clip=wave&skin=tick.pcx&frame=3&camera=-40%2C20$/);
        assert.equal(await tab.$eval('#message', ({ hidden }) => hidden), true);
        await app(tab, 'app.show.set({ shade: "wire", shadow: false, grid: true, axes: true })');
        const next = await openPage((await app(tab, 'app.linkToView()')).slice(origin.length));
        const { shade, grid, axes, shadow, box } = await app(next, 'app.show.options');
        assert.deepEqual({ shade, grid, axes, shadow, box }, { shade: 'wire', grid: true, axes: true, shadow: false, box: false });
        assert.match(await app(next, 'app.linkToView()'), /&shade=wire&show=grid%2Caxes$/);
        await app(next, 'app.show.view("eye")');
        await next.select('#speed', '0.25');
        await next.select('#mode', 'ping-pong');
        const paced = await app(next, 'app.linkToView()');
        assert.match(paced, /&speed=0.25&mode=ping-pong&camera=eye&/);
        const third = await openPage(paced.slice(origin.length));
        assert.equal(await app(third, 'app.show.options.eye'), true);
        const { speed, mode } = await app(third, 'app.state.model.playback');
        assert.deepEqual([speed, mode, await third.$eval('#speed', (list) => list.value), await third.$eval('#mode', (list) => list.value)], [0.25, 'ping-pong', '0.25', 'ping-pong']);
        assert.equal(await app(third, 'app.linkToView()'), paced);
        await third.close();
        for (const one of [tab, next]) await one.close();
    },

    async 'ignores the wrong parts of a link, and reports them'(tab) {
        player();
        const armed = 'attach=tag_weapon=game.pk3:models/weapons2/gun/gun.md3';
        const cases = { // the wrong parts: the messages
            'clip=swim&skin=none.tga&frame=99&camera=left&shade=toon&show=grid,fog': [
                /"clip=swim" of the link: the model has the clips .*LEGS_RUN/, /"skin=none.tga" of the link: .*no such file/, /"frame=99" of the link: the frames are 0 to \d/,
                /"camera=left" of the link: it takes two angles/, /"shade=toon" of the link: it takes studio, .*wire/, /"show=fog" of the link: it takes edges, grid/],
            'attach=tag_tail=game.pk3:models/weapons2/gun/gun.md3&attach=tag_weapon=game.pk3:models/none.md3&frame=x&camera=1,': [
                /"attach=tag_tail=game.pk3:models.*" of the link: .*tag_tail/, /"attach=tag_weapon=game.pk3:models.none.md3" of the link/, /"frame=x" of the link/, /"camera=1," of the link/],
            'clip=LEGS_RUN+swim': [/"clip=swim" of the link: the model has the clips/],
            'listedSkin=9': [/"listedSkin=9" of the link: skin number 9: the model lists/],
            'listedSkin=x&speed=fast&mode=twice&exposure=much': [/"listedSkin=x" of the link: it takes a number from 1/, /"speed=fast" of the link: it takes a factor/,
                /"mode=twice" of the link: it takes clip, loop, once, ping-pong/, /"exposure=much" of the link: it takes a factor/],
            'colour=red&sample': [/"colour=red" of the link: the parts of a link are model, clip, skin, .*show/, /"sample=" of the link/],
        };
        for (const [parts, messages] of Object.entries(cases)) {
            await tab.evaluate(`location.hash = "#model=whole/game.pk3:models/players/doll&${armed}&${parts}"`);
            await until(tab, 'import("./app.js").then(({ state }) => state.model)');
            for (const message of messages) await says(tab, message);
            assert.equal(await app(tab, 'app.state.attached.map(({ tag }) => tag).join()'), 'tag_weapon');
            assert.equal(await app(tab, 'app.state.model.parts.length'), 4, parts);
            const link = await app(tab, 'app.linkToView()');
            assert.match(link, /attach=tag_weapon%3Dgame.pk3%3Amodels%2Fweapons2%2Fgun%2Fgun.md3/);
            assert.doesNotMatch(link, /&(listedSkin|speed|mode|exposure)=/);
            await app(tab, '(app.state.model = null, document.getElementById("message").textContent = "", location.hash = "")');
        }
        await tab.evaluate('location.hash = "#modell=whole/tick.md2&clip=wave"');
        await says(tab, /names no model=ADDRESS and no sample=NAME, but modell, clip/);
        const missing = await openPage('#model=whole/tick.md2&skin=none.pcx&clip=wave');
        await says(missing, /"skin=none.pcx" of the link: cannot fetch .*404/);
        assert.equal(await app(missing, 'app.state.model.clip.name'), 'wave');
        errors.length = 0; // the browser's own error message
        await missing.close();
    },

    async 'makes links to the current view'() {
        const tab = await openPage('#model=whole/tick.md2&clip=&skin=../whole/tick.pcx');
        assert.equal(await app(tab, 'app.state.model.clip'), null); // all frames
        assert.match(await app(tab, 'app.linkToView()'), /whole%2Ftick.md2&clip=&skin=..%2Fwhole%2Ftick.pcx/);
        await app(tab, 'app.reopen({ skin: "tick.pcx" })');
        assert.equal(await app(tab, 'app.state.model.clip'), null); // paused
        player();
        await tab.evaluate('location.hash = "#model=whole/game.pk3"');
        await until(tab, 'document.querySelectorAll(".cell").length === 3');
        await until(tab, 'import("./app.js").then((app) => app.state.model?.parts[0].path.includes("game.pk3"))');
        const link = () => app(tab, 'app.linkToView()');
        const before = await link();
        await app(tab, '(document.activeElement.blur(), app.library.move(1))');
        await until(tab, `import("./app.js").then(async (app) => app.state.entry === app.library.models[1] && (await app.linkToView()) !== ${JSON.stringify(before)})`);
        assert.equal(await tab.evaluate('document.getElementById(document.getElementById("grid").getAttribute("aria-activedescendant")).getAttribute("aria-selected")'), 'true');
        const path = await app(tab, 'app.state.entry.player ?? app.state.entry.path');
        assert.ok(decodeURIComponent(await link()).includes(`whole/${path}&`), `${await link()} does not name ${path}`);
        // If copying is impossible, the link is in the address bar.
        await press(tab, 'Save', '.choices');
        for (const [writes, message] of [['() => Promise.resolve()', /Link copied/], ['() => Promise.reject(new Error("no"))', /the link is in its address bar/]]) {
            await tab.evaluate(`navigator.clipboard.writeText = ${writes}; [...document.querySelectorAll(".choices button")].find((one) => one.textContent === "Copy link").click()`);
            await says(tab, message);
        }
        assert.equal(await tab.evaluate('location.href'), await link());
        await tab.close();
    },

    async 'opens samples by links'() {
        const tab = await openPage();
        await app(tab, '(app.show.playing = false, app.show.seek(2))');
        assert.match(await app(tab, 'app.linkToView()'), /\/#sample=tick&clip=run&frame=2&camera=30%2C15$/);
        await tab.waitForSelector('.sample');
        await until(tab, 'document.querySelector("#recent").childElementCount > 0');
        const recent = (await tab.$$('.recent')).length;
        await tab.click('.sample:nth-child(2)');
        await until(tab, 'import("./app.js").then(({ state }) => state.model?.parts.length === 3)');
        await app(tab, '(app.show.play("LEGS_RUN"), app.show.set({ shade: "wire" }))');
        const link = await app(tab, 'app.linkToView()');
        assert.match(link, /\/#sample=models%2Fplayers%2Ftick&clip=LEGS_RUN&camera=30%2C15&shade=wire$/);
        const linked = await openPage(link.slice(origin.length));
        assert.deepEqual(await app(linked, '[app.state.model.clip.name, app.state.model.parts.length, app.show.options.shade, app.show.playing]'), ['LEGS_RUN', 3, 'wire', true]);
        assert.equal(await app(linked, 'app.linkToView()'), link);
        await linked.waitForSelector('.sample[aria-current]');
        assert.equal(await linked.$eval('.sample[aria-current]', (card) => card.dataset.name), 'models/players/tick');
        await until(linked, `document.querySelectorAll(".recent").length === ${recent}`); // samples are no recent files
        await linked.evaluate('location.hash = "#sample=tock"');
        await says(linked, /There is no sample "tock". The samples are tick, models.players.tick, /);
        await drop(linked, [join(source, 'samples/tick.md2')]);
        await until(linked, '!document.querySelector(".sample[aria-current]")');
        for (const one of [tab, linked]) await one.close();
    },

    async 'opens a file of 2 GiB without copying it to memory'(tab) {
        const model = join(folder, 'huge.md2');
        cpSync(join(source, 'samples/tick.md2'), model);
        truncateSync(model, 2 ** 31);
        const pk3 = join(folder, 'huge.pk3'); // its directory after a hole of 2 GB
        execFileSync('python3', ['-c', `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.write(sys.argv[2] + "/tick.pcx", "models/tick.pcx")
    z.start_dir = 2140000000
    z.write(sys.argv[2] + "/tick.md2", "models/tick.md2")`, pk3, join(source, 'samples')]);
        await drop(tab, [model]);
        await says(tab, /huge.md2.*limit/);
        assert.ok((await app(tab, 'app.state.files.engine.memory.buffer.byteLength')) < 64e6);
        await drop(tab, [pk3]);
        await until(tab, 'document.title.startsWith("tick")');
        assert.equal(await app(tab, 'app.state.model.parts[0].materials[0].texture'), 0);
        assert.ok((await app(tab, 'app.state.files.engine.memory.buffer.byteLength')) < 64e6);
        for (const path of [model, pk3]) rmSync(path);
    },

    async 'fetches only the needed parts of an archive, if the server supports ranges'() {
        zip(join(folder, 'served.pk3'), { 'models/tick.pcx': readSample('tick.pcx'), 'models/tick.md2': readSample('tick.md2'), 'maps/large.bsp': randomBytes(6 << 20) });
        const otherOrigin = origin.replace('127.0.0.1', 'localhost'); // another site
        const tab = await openPage();
        for (const [mode, maxBytes, minRequests] of [['ranges', 4e6, 2], ['whole', Infinity, 1], [`${otherOrigin}ranges`, 4e6, 2]]) {
            Object.assign(served, { bytes: 0, requests: 0 });
            await tab.evaluate(`location.hash = "#model=${mode}/served.pk3:models/tick.md2&clip=wave"`);
            await until(tab, `import("./app.js").then(({ state }) => state.source?.href?.includes("${mode}/") && state.model?.clip.name === "wave")`);
            assert.equal(await app(tab, 'app.state.model.parts[0].materials[0].texture'), 0);
            assert.ok((await drawnShare(tab)) > 0.05);
            assert.match(await app(tab, 'app.linkToView()'), /served.pk3%3Amodels%2Ftick.md2&clip=wave/);
            assert.ok(served.bytes < maxBytes && served.requests >= minRequests, `${mode}: ${served.bytes} bytes by ${served.requests} requests`);
        }
        player();
        const armed = await openPage('#model=ranges/game.pk3:models/players/doll&clip=LEGS_RUN+TORSO_ATTACK&attach=tag_weapon=game.pk3:models/weapons2/gun/gun.md3');
        for (let i = 0; i < 2; i++) { // the second time by the generated link
            assert.equal(await app(armed, 'app.state.model.clip.name'), 'LEGS_RUN+TORSO_ATTACK');
            assert.equal(await app(armed, 'app.state.model.parts[3].path.split("/").pop()'), 'gun.md3');
            const link = await app(armed, 'app.linkToView()');
            await armed.goto('about:blank');
            await armed.goto(link);
            await until(armed, 'document.documentElement.dataset.ready !== undefined');
        }
        await armed.close();
        for (const [address, message] of [['ranges/none.pk3', /the server returned 404/],
            [`${otherOrigin}tick.md2.pack`, /does not allow other pages to read it .CORS.. Download the file/]]) { // denies access to other sites
            await tab.evaluate(`location.hash = "#model=${address}"`);
            await says(tab, message);
        }
        errors.length = 0; // the browser reports both too
        await tab.close();
    },
});
