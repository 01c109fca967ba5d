// Compares the page's display of a model with the command's: frames, thumbnails, players, overlays.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from './common.mjs';
import { app, drawnShare, drop, finish, folder, openPage, openTick, player, press, says, served, source, text, until, upload } from './page.mjs';

await finish({
    async 'draws the image of the command'(tab) {
        const png = join(folder, 'native.png');
        run('render', join(source, 'samples/tick.md2'), '--size', '400', '--samples', '1', '--view', '30,15', '--clip', 'run', '--time', '0.2', '-o', png);
        const data = readFileSync(png).toString('base64');
        const different = await app(tab, `(async () => {
            const { model } = app.state;
            app.show.playing = false;
            model.pose("run", 0.2);
            app.show.stage.camera = { azimuth: 30, elevation: 15 };
            app.show.stage.aim(model, { aspect: 1 });
            const ours = app.show.stage.screenshot(model, 400, 400, { backdrop: true, shadow: true, seconds: 0.2 }, 1);
            const image = await createImageBitmap(new Blob([Uint8Array.from(atob("${data}"), (c) => c.charCodeAt(0))]));
            const context = new OffscreenCanvas(400, 400).getContext("2d");
            context.drawImage(image, 0, 0);
            const theirs = context.getImageData(0, 0, 400, 400).data;
            let different = 0;
            for (let i = 0; i < theirs.length; i += 4)
                if ([0, 1, 2].some((c) => Math.abs(theirs[i + c] - ours.pixels[i + c]) > 2)) different++;
            return different;
        })()`);
        console.log(`  ${different} of 160000 pixels differ by more than 2 of 255`);
        assert.ok(different <= 160, `${different} pixels differ`);
    },

    async 'draws thumbnails without waiting for each'(tab) {
        await tab.evaluate('import("./app.js").then((app) => (app.show.playing = false))');
        const { waits, uploads, frames, off, opaque, lost } = await app(tab, `(async () => {
            const Stage = app.show.stage.constructor;
            const model = await app.state.files.open(app.state.entry.path);
            const canvas = new OffscreenCanvas(120, 120);
            const stage = await Stage.on(canvas);
            const counts = {};
            const all = WebGL2RenderingContext.prototype;
            // Those that wait for an answer of another process.
            const waiting = ["getError", "finish", "readPixels", "getParameter", "getShaderParameter", "getShaderInfoLog", "checkFramebufferStatus", "clientWaitSync"];
            for (const name of [...waiting, "bufferSubData"]) {
                const own = all[name];
                all[name] = function (...args) {
                    if (typeof args.at(-1) !== "number" || name !== "readPixels") counts[name] = (counts[name] ?? 0) + 1; // into a buffer it does not wait
                    return own.apply(this, args);
                };
            }
            const draw = async () => {
                stage.camera = { azimuth: 30, elevation: 15 };
                stage.aim(model, { aspect: 1 });
                stage.draw(model, { backdrop: true, shadow: true });
                const { pixels } = await stage.read();
                stage.remove(model);
                return pixels;
            };
            const pixels = await draw();
            const uploads = counts.bufferSubData;
            await draw();
            const waits = waiting.filter((name) => counts[name]).map((name) => name + " " + counts[name]).join();
            stage.camera = { azimuth: 30, elevation: 15 };
            stage.aim(model, { aspect: 1 });
            const other = stage.screenshot(model, 120, 120, { backdrop: true, shadow: true }).pixels;
            let off = 0;
            pixels.forEach((value, i) => (off += Math.abs(value - other[i]) > 8));
            stage.draw(model, { backdrop: true });
            const last = stage.read().then(() => null, (error) => error.code);
            canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
            return { waits, uploads, frames: model.frames.length, off, opaque: pixels.every((value, i) => i % 4 !== 3 || value === 255), lost: await last };
        })()`);
        assert.equal(waits, '', 'a call waited for the GPU');
        assert.ok(uploads >= 2 && uploads < frames / 4, `${uploads} uploads for ${frames} frames`);
        assert.ok(off < 120 && opaque, `${off} of 57600 bytes differ from the screenshot that was waited for`);
        assert.equal(lost, 'graphics');
        // Requests cancelled before their turn are not drawn, even if all were sent at once.
        const [first, ...others] = await app(tab, `(async () => {
            const requests = Array.from({ length: 20 }, () => app.library.thumbnail(app.state.entry));
            for (const one of requests.slice(1)) one.stop();
            return (await Promise.all(requests)).map((pixels) => pixels?.length ?? 0);
        })()`);
        assert.equal(first, 4 * 132 * 132);
        assert.ok(others.filter((length) => length > 0).length <= 1, `${others} were drawn although they were cancelled`);
        assert.equal(await app(tab, 'app.worker.busy'), false);
    },

    async 'draws fewer frames while the worker draws'(tab) {
        const draws = await app(tab, `(async () => {
            const Stage = app.show.stage.constructor;
            const draw = Stage.prototype.draw;
            const { requestAnimationFrame: request } = window;
            let refresh = 0; // of the screen, at 60 Hz for the page
            window.requestAnimationFrame = (call) => request(() => call(refresh * 1000 / 60));
            const countDraws = async (length) => { // in 40 refreshes, if each draw takes "length" of them
                let count = 0, ready = 0;
                Stage.prototype.draw = function (...args) { ready = refresh + length; count++; return draw.apply(this, args); };
                Object.defineProperty(Stage.prototype, "drawing", { configurable: true, get: () => refresh < ready });
                for (let i = 0; i < 40; i++, refresh++) await new Promise(request);
                return count;
            };
            const alone = await countDraws(3);
            app.show.yields = () => true;
            return [alone, await countDraws(3), await countDraws(0)];
        })()`);
        assert.ok(draws[0] > 25 && draws[1] <= 4 && draws[1] > 0 && draws[2] > 25, `${draws} frames were drawn`);
    },

    async 'shows the last requested model, and keeps it if another does not open'() {
        const tab = await openPage('#model=http://');
        await until(tab, '!document.getElementById("message").hidden');
        assert.match(await text(tab, '#message'), /http:.* is not the address of a model/);
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.title.startsWith("tick_head")');
        // A dropped file takes precedence over a slow link.
        await tab.evaluate('location.hash = "#model=slow/tick.md2"');
        await until(tab, '/Reading tick.md2/.test(document.getElementById("title").textContent)');
        await drop(tab, [join(source, 'samples/tick_torch.mdl')]);
        await until(tab, 'document.title.startsWith("tick_torch")');
        served.respond();
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.match(await tab.title(), /^tick_torch/);
        assert.equal(await app(tab, 'app.state.source'), null);
        // Files without a model change nothing.
        const notes = join(folder, 'notes.txt');
        writeFileSync(notes, 'no model');
        await drop(tab, [notes]);
        await says(tab, /notes.txt. is not a model or an archive/);
        assert.match(await tab.title(), /^tick_torch/);
        await press(tab, 'File', '.hex');
        assert.equal((await app(tab, 'app.worker.request("models", { paths: ["."] })')).length, 1, 'the worker has other files');
        // The keyboard pages through the bytes.
        await tab.focus('.bar button:last-of-type');
        await tab.keyboard.press('Enter');
        await tab.keyboard.press('Enter');
        assert.equal(await tab.$eval('.bar input', (input) => input.value), '384');
        // The browser's own shortcuts keep working.
        await tab.focus('#canvas');
        await tab.keyboard.down('Control');
        await tab.keyboard.press('u');
        await tab.keyboard.up('Control');
        assert.equal(await app(tab, 'app.state.tab'), 'file');
        await tab.keyboard.press('u');
        assert.equal(await app(tab, 'app.state.tab'), 'uv');
        await tab.close();
    },

    async 'plays separate clips on legs and torso, and attaches a weapon'(tab) {
        await upload(tab, player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2');
        assert.equal(await tab.$eval('#clips .field:nth-child(2) select', (list) => list.getAttribute('aria-label')), 'Clip of the torso');
        await tab.select('#clips select', 'LEGS_RUN');
        await tab.select('#clips .field:nth-child(2) select', 'TORSO_ATTACK');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'LEGS_RUN+TORSO_ATTACK');
        await app(tab, 'app.show.playing = false');
        assert.deepEqual(await app(tab, '(app.show.seek(1), app.state.model.parts.slice(0, 3).map((part) => part.pose.frameA))'), [9, 8, 0]);
        await tab.select('#clips select', 'BOTH_DEATH1'); // which both have
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'BOTH_DEATH1');
        await tab.select('#clips .field:nth-child(2) select', 'TORSO_GESTURE'); // the legs' death clip stops
        assert.match(await app(tab, 'app.state.model.clip.name'), /^LEGS_\w+\+TORSO_GESTURE$/);
        await tab.select('#clips select', '');
        assert.equal(await app(tab, 'app.state.model.clip'), null);
        await tab.select('#clips .field:nth-child(2) select', 'TORSO_GESTURE');

        const attached = () => app(tab, 'app.state.model.parts.slice(3).map((part) => [part.path.split("/").pop(), part.parentTag])');
        await app(tab, '[...document.querySelectorAll("#panel td button")].filter((one) => one.textContent.startsWith("TORSO_")).at(-1).click()');
        assert.match(await app(tab, 'app.state.model.clip.name'), /^LEGS_\w+\+TORSO_\w+$/);
        await tab.select('#clips .field:nth-child(2) select', 'TORSO_GESTURE');
        await press(tab, 'Skins', '#attach');
        await tab.select('#attach select + select', 'game.pk3:models/weapons2/gun/gun.md3');
        await until(tab, 'document.querySelectorAll(".attached").length === 2');
        assert.deepEqual(await attached(), [['gun.md3', 'tag_weapon'], ['gun_barrel.md3', 'tag_barrel']]);
        assert.match(await app(tab, 'app.state.model.clip.name'), /TORSO_GESTURE/);
        await tab.click('.attached button');
        await until(tab, 'document.querySelectorAll(".attached").length === 0');
        await tab.select('#attach-tag', 'tag_head');
        await drop(tab, [join(source, 'samples/tick_head.mdc')], '#attach');
        await until(tab, 'document.querySelectorAll(".attached").length === 1');
        assert.deepEqual(await attached(), [['tick_head.mdc', 'tag_head']]);
        await tab.select('#attach-tag', 'tag_head');
        await drop(tab, [join(source, 'samples/tick_torch.mdl')], '#attach'); // instead of the first
        await until(tab, 'document.querySelector(".attached")?.textContent.includes("tick_torch")');
        assert.deepEqual(await attached(), [['tick_torch.mdl', 'tag_head']]);
        assert.equal(await app(tab, 'app.library.models.length'), 3);
    },

    async 'replaces the weapon of an MD2 player'(tab) {
        const soldier = join(folder, 'baseq2/players/soldier');
        mkdirSync(soldier, { recursive: true });
        for (const name of ['tris.md2', 'weapon.md2', 'w_gun.md2']) cpSync(join(source, 'samples/tick.md2'), join(soldier, name));
        await drop(tab, [join(folder, 'baseq2')]);
        const parts = () => app(tab, 'app.state.model.parts.map((part) => part.path.split("/").pop())');
        await until(tab, 'import("./app.js").then((app) => app.state.model?.parts.length === 2)');
        assert.deepEqual(await parts(), ['tris.md2', 'weapon.md2']);
        await press(tab, 'Skins', '#attach');
        await app(tab, `(() => {
            const list = document.querySelector("#attach select + select");
            list.value = [...list.options].find((option) => option.text === "w_gun").value;
            list.dispatchEvent(new Event("change")); })()`);
        await tab.waitForSelector('.attached');
        assert.deepEqual(await parts(), ['tris.md2', 'w_gun.md2']);
        await app(tab, 'app.show.playing = false');
        assert.deepEqual(await app(tab, '(app.show.seek(2), app.state.model.parts.map((part) => part.pose.frameA))'), [2, 2]);
        await tab.click('.attached button');
        await until(tab, 'document.querySelectorAll(".attached").length === 0');
        assert.deepEqual(await parts(), ['tris.md2', 'weapon.md2']);
    },

    async 'shows normals, GL commands, texture coordinates and the location of a problem'(tab) {
        await openTick(tab);
        // Counts the pixels of the drawing that fit.
        const count = (fits) => app(tab, `(() => {
            const { pixels } = app.show.stage.screenshot(app.state.model, 300, 300, app.show.options);
            let count = 0;
            for (let i = 0; i < pixels.length; i += 4) { const [r, g, b] = pixels.subarray(i, i + 3); if (${fits}) count++; }
            return count; })()`);
        const isPink = 'r > 230 && g > 40 && g < 90 && b > 90 && b < 150';
        const isGreen = 'g > r + 60 && g > b + 60';
        await tab.focus('#canvas');
        await tab.keyboard.press(' ');
        await tab.keyboard.press('1');
        assert.ok((await count(isGreen)) < 50);
        await tab.keyboard.press('c');
        assert.ok((await count(isGreen)) > 1000, 'no strip is green');
        await tab.keyboard.press('c');
        await tab.keyboard.press('n');
        const lines = await count(isGreen);
        assert.ok(lines > 50 && lines < 1000, `${lines} pixels of green lines`);
        await tab.keyboard.press('n');

        await press(tab, 'Problems', '.problem');
        assert.equal(await count(isPink), 0);
        await app(tab, '[...document.querySelectorAll(".problem button")].find((one) => /seams/.test(one.textContent)).click()');
        assert.ok((await count(isPink)) > 100, 'no mark is visible');
        await app(tab, '[...document.querySelectorAll(".problem button")].find((one) => /frame 29/.test(one.textContent)).click()');
        assert.equal(await count(isPink), 0);
        assert.equal(await app(tab, 'app.state.model.position'), 29);
        await tab.keyboard.press('u');
        await tab.waitForSelector('.uv');
        assert.ok((await tab.$eval('.uv', (canvas) => canvas.width)) >= 1024);
        const blue = await tab.$eval('.uv', (canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return data.filter((value, i) => i % 4 === 2 && value > data[i - 2] + 100).length;
        });
        assert.ok(blue > 10000, `${blue} blue pixels`);
        const pinkInUv = () => tab.$eval('.uv', (canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return data.filter((value, i) => i % 4 === 0 && value > 230 && data[i + 1] < 110 && data[i + 2] > 90 && data[i + 2] < 170).length;
        });
        assert.ok((await pinkInUv()) < 10);
        const seams = await tab.$$eval('#panel div select option', (all) => all.find((one) => /seams/.test(one.text)).value);
        await tab.select('#panel div select', seams);
        for (let i = 0; (await pinkInUv()) < 1000; i++) {
            assert.ok(i < 100, 'the seams are not marked in the texture');
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
        await upload(tab, join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")'); // which has no GL commands
        assert.equal(await app(tab, '[...document.querySelectorAll("#views button")].some((one) => one.textContent === "GL commands" && !one.hidden)'), false);
    },

    async 'describes the model, and plays a clip selected there'(tab) {
        await openTick(tab);
        const info = JSON.parse(run('info', '--json', join(source, 'samples/tick.md2')));
        await tab.waitForSelector('#panel table');
        const rows = await tab.$$eval('#panel tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
        const facts = await text(tab, '.facts');
        for (const fact of [`MD2, version ${info.version}`, `${info.bytes.toLocaleString('en')} bytes`, `${info.gl_commands.strips} strips, ${info.gl_commands.fans} fans`])
            assert.ok(facts.includes(fact), fact);
        const [{ drawn_vertices: vertices, triangles }] = info.surfaces;
        assert.ok(rows.some((row) => row[1] === String(vertices) && row[2] === String(triangles)), 'the surface');
        for (const { name, first, count, fps, loop } of info.clips) {
            const [, frames, rate, seconds, end] = rows.find((row) => row[0] === name);
            assert.deepEqual([frames, rate, end], [`${first} – ${first + count - 1}`, String(fps), loop ? 'loops' : 'once'], name);
            assert.ok(Math.abs(seconds - (count - (loop ? 0 : 1)) / fps) < 0.006, name);
        }
        assert.match(await text(tab, '.named'), /players\/tick\/tick\.pcx\s*found: .*tick\.pcx/);
        await app(tab, '[...document.querySelectorAll("#panel td button")].find((one) => one.textContent === "wave").click()');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        await drop(tab, [join(source, 'samples/tick.md2')]);
        await until(tab, 'document.querySelector("#panel .missing")');
        assert.match(await text(tab, '.missing'), /^Texture ".*" not found \(\d+ paths tried\)$/);
    },

    async 'shows the layout and bytes of a file, even of a damaged one'(tab) {
        await openTick(tab);
        const path = join(source, 'samples/tick.md2');
        const bytes = readFileSync(path);
        const cells = () => tab.$$eval('#panel tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
        // The highlighted characters in the view of bytes.
        const highlighted = () => tab.$$eval('.hex mark', (marks) => marks.map((one) => one.textContent).join(''));
        await press(tab, 'File', '.hex');
        const layout = JSON.parse(run('examine', '--json', path));
        const shown = await cells();
        for (const { name, count } of layout.lumps) assert.ok(shown.some((row) => row[0] === name && row[2] === String(count)), name);
        for (const { name, value } of layout.fields) assert.ok(shown.some((row) => row[1] === name && row[2] === String(value)), name);
        await app(tab, '[...document.querySelectorAll("td button")].find((one) => one.textContent === "triangles").click()');
        await tab.waitForSelector('.lump');
        const lump = layout.lumps.find((one) => one.name === 'triangles');
        assert.ok(bytes.toString('hex', lump.offset, lump.end).startsWith(await highlighted()));
        assert.equal(await text(tab, '.lump'), run('examine', '--lump', 'triangles', path));
        await tab.focus('.bar input');
        await tab.$eval('.bar input', (input) => (input.value = ''));
        await tab.type('.bar input', '69108\n');
        assert.match(await text(tab, '.hex'), /^ {3}69104 .*·O··pain/);

        writeFileSync(join(folder, 'cut.md2'), bytes.subarray(0, 90000));
        await upload(tab, join(folder, 'cut.md2'));
        await until(tab, 'document.title.startsWith("cut")');
        await tab.waitForSelector('.problem.error');
        assert.equal(await tab.$eval('#timeline', (element) => element.clientHeight), 0);
        // The page offers to show its intact frames, with the command's message as details.
        await until(tab, 'document.querySelector("#message details")');
        const intact = JSON.parse(run('info', '--json', '--repair', join(folder, 'cut.md2'))).frames.length;
        const [offer, details] = await tab.$eval('#message', ({ firstChild, lastChild }) => [firstChild.textContent, lastChild.textContent]);
        assert.equal(offer, `"cut.md2" is cut off: 90,000 of 121,796 bytes are there. ${intact} of 49 frames can be shown.`);
        assert.match(details, /49 frames need bytes .* ends at 90000/);
        await tab.click('#message button');
        await until(tab, `import("./app.js").then((app) => app.state.model?.parts[0].frames === ${intact})`);
        assert.equal(await tab.$eval('#message', ({ hidden }) => hidden), true);
        await upload(tab, join(folder, 'cut.md2'));
        await until(tab, 'import("./app.js").then((app) => app.state.model === null)');
        await tab.waitForSelector('.problem.error');
        const { stdout } = spawnSync(process.env.LERPMESH_BINARY, ['check', '--json', join(folder, 'cut.md2')], { encoding: 'utf8' });
        const { problems } = JSON.parse(stdout);
        assert.equal(await tab.$$eval('.problem', (list) => list.length), problems.length);
        await tab.click('.problem .byte');
        await tab.waitForSelector('.hex mark');
        assert.equal(await highlighted(), bytes.toString('hex', problems[0].offset, problems[0].offset + 1));
        await upload(tab, path);
        await until(tab, 'document.title.startsWith("tick")');
        assert.ok((await drawnShare(tab)) > 0.05);
    },
});
