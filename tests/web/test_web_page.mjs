// The page, as `make web` leaves it, in Chromium with WebGL 2 in software: what a person does, and what they see.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

import { chromium, launchChromium, runTests } from './browsers.mjs';
import { makeFolder, run } from './common.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const page = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'page');
if (!existsSync(join(page, 'index.html')) || !chromium) {
    console.log(`skipped: the page: ${chromium ? '`make web` has not built it' : 'there is no Chromium'}`);
    process.exit(77);
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = makeFolder();
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' };
// Beside the page: what lies in `folder`, below ranges/ by a server that gives parts of files,
// below slow/ when go() is called.
const served = { bytes: 0, requests: 0, anew: new Set(), go: null };
const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    const [, where, name] = /^\/(ranges|whole|slow)\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (where) {
        if (!existsSync(join(folder, name))) return response.writeHead(404).end();
        const all = readFileSync(join(folder, name));
        const [, first, last] = (where === 'ranges' && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range)) || [];
        const part = first ? all.subarray(Number(first), Number(last) + 1) : all;
        served.bytes += part.length;
        served.requests++;
        const range = first && { 'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${all.length}` };
        const give = () => response.writeHead(first ? 206 : 200, { ...range, 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Content-Range' }).end(part);
        if (where === 'slow') served.go = give;
        else give();
        return;
    }
    if (request.headers['cache-control'] === 'no-cache') served.anew.add(pathname);
    const path = join(page, decodeURIComponent(pathname));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}/`;

const browser = await launchChromium();

const said = []; // errors of the page that nobody expects
async function openPage(hash = '', { width = 1200, height = 760, before = null } = {}) {
    const tab = await browser.newPage();
    if (before) await tab.evaluateOnNewDocument(before);
    tab.on('pageerror', (error) => said.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    tab.on('request', (request) => {
        const { protocol, origin: of } = new URL(request.url());
        if (!['blob:', 'data:'].includes(protocol) && `${of}/` !== origin) said.push(`asks ${request.url()}`);
        if (request.method() !== 'GET') said.push(`${request.method()} ${request.url()}`);
    });
    await tab.setViewport({ width, height });
    await tab.goto(origin + hash);
    await until(tab, 'document.documentElement.dataset.ready !== undefined');
    return tab;
}
const until = (tab, expression) => tab.waitForFunction(expression, { polling: 50, timeout: 60000 });
const app = (tab, expression) => tab.evaluate(`import("./app.js").then((app) => (${expression}))`);
const text = (tab, selector) => tab.$eval(selector, (element) => element.textContent);

// How many pixels of the drawing differ from the one in the corner.
const drawn = (tab) => app(tab, `app.show.picture().then((blob) => createImageBitmap(blob)).then((image) => {
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[0]) > 40) count++;
    return count / (data.length / 4); })`);

// Tick at an address.
for (const name of ['tick.md2', 'tick.pcx']) cpSync(join(source, 'samples', name), join(folder, name));

// A player of three files, whose legs and torso have clips of their own, and weapons.
function makePlayer() {
    const player = join(folder, 'game/models/players/doll');
    const weapons = join(folder, 'game/models/weapons2/gun');
    for (const path of [player, weapons]) mkdirSync(path, { recursive: true });
    const tick = join(source, 'samples/tick.md2');
    const made = (path, tags, ...options) => {
        run('convert', '-q', tick, '-o', path, ...options);
        for (const tag of tags) run('edit', '-q', '--in-place', '--add-tag', tag, path);
    };
    made(join(player, 'lower.md3'), ['tag_torso=0,0,40']);
    made(join(player, 'upper.md3'), ['tag_head=0,0,40', 'tag_weapon=0,-20,20']);
    made(join(player, 'head.md3'), [], '--frame', '0');
    made(join(weapons, 'gun.md3'), ['tag_barrel=0,0,10'], '--frame', '0');
    made(join(weapons, 'gun_barrel.md3'), [], '--frame', '0');
    writeFileSync(join(player, 'animation.cfg'), ['BOTH_DEATH1', 'BOTH_DEAD1', 'BOTH_DEATH2', 'BOTH_DEAD2', 'BOTH_DEATH3',
        'BOTH_DEAD3', 'TORSO_GESTURE', 'TORSO_ATTACK', 'TORSO_ATTACK2', 'TORSO_DROP', 'TORSO_RAISE', 'TORSO_STAND',
        'TORSO_STAND2', 'LEGS_WALKCR', 'LEGS_WALK', 'LEGS_RUN'].map((name, i) => `${i} 2 0 10 // ${name}\n`).join(''));
    const pk3 = join(folder, 'game.pk3');
    execFileSync('python3', ['-c', 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])', pk3, join(folder, 'game')]);
    renameSync(`${pk3}.zip`, pk3);
    return pk3;
}

let made = null;
const player = () => (made ??= makePlayer());

// What is saved from now on lies in that folder.
async function downloadTo(path) {
    const client = await browser.target().createCDPSession();
    await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: path });
}

// As a person drops them, on the middle of an element.
async function drop(tab, files, selector = '#view') {
    const { x, y } = await (await tab.$(selector)).clickablePoint();
    const client = await tab.createCDPSession();
    for (const type of ['dragEnter', 'dragOver', 'drop'])
        await client.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } });
}

// With all his frames, of which the page's own has some.
async function openTick() {
    const tab = await openPage();
    await drop(tab, ['tick.md2', 'tick.pcx'].map((name) => join(source, 'samples', name)));
    await until(tab, 'import("./app.js").then((app) => app.state.model?.parts[0].frames === 49)');
    await app(tab, 'app.show.play("run")');
    return tab;
}

const press = (tab, name) => tab.evaluate(`[...document.querySelectorAll("#tabs button")].find((one) => one.textContent === "${name}").click()`);

const tests = {
    async 'opens with Tick, who plays'() {
        const tab = await openPage();
        assert.equal(await app(tab, 'app.state.model.name'), 'tick');
        assert.equal(await app(tab, 'app.show.playing'), true);
        const before = await app(tab, 'app.state.model.position');
        await until(tab, `import("./app.js").then((app) => app.state.model.position !== ${before})`);
        assert.ok((await drawn(tab)) > 0.05, 'the canvas is empty');
        assert.deepEqual(await app(tab, 'app.state.model.clips.map((clip) => clip.name)'), ['stand', 'run', 'wave']);
        await tab.close();
    },

    async 'does no more than it must before the first picture'() {
        const tab = await openPage('', { before: `
            window.counts = { workers: 0, compiled: 0, contexts: 0, sizes: 0, asked: [] };
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
                WebGL2RenderingContext.prototype[name] = function (...args) { counts.asked.push(name); return own.apply(this, args); };
            }` });
        const { workers, compiled, contexts, sizes, asked } = await tab.evaluate('counts');
        assert.deepEqual({ workers, compiled, contexts }, { workers: 0, compiled: 1, contexts: 1 });
        assert.equal(sizes, 0, 'the canvas changed its size, for which all that is drawn on is made anew');
        const before = asked.slice(0, asked.indexOf('drawElements')).filter((name) => name !== 'getParameter');
        assert.deepEqual(before, ['getExtension', 'getExtension'], 'what takes the graphics\' time to answer was asked');
        await until(tab, 'counts.workers === 0 && performance.getEntriesByType("resource").some((one) => one.name.endsWith("worker.js"))');
        assert.equal((await app(tab, 'app.work.ask("models", { paths: ["."] })')).length, 1, 'the worker was not told');
        await tab.close();
    },

    async 'is the picture of the command'() {
        const tab = await openPage();
        const png = join(folder, 'native.png');
        run('render', join(source, 'samples/tick.md2'), '--size', '400', '--samples', '1', '--view', '30,15', '--clip', 'run', '--time', '0.2', '-o', png);
        const data = readFileSync(png).toString('base64');
        const off = await app(tab, `(async () => {
            const { model } = app.state;
            app.show.playing = false;
            model.pose("run", 0.2);
            app.show.stage.camera = { azimuth: 30, elevation: 15 };
            app.show.stage.aim(model, { aspect: 1 });
            const ours = app.show.stage.picture(model, 400, 400, { backdrop: true, shadow: true, seconds: 0.2 }, 1);
            const image = await createImageBitmap(new Blob([Uint8Array.from(atob("${data}"), (c) => c.charCodeAt(0))]));
            const context = new OffscreenCanvas(400, 400).getContext("2d");
            context.drawImage(image, 0, 0);
            const theirs = context.getImageData(0, 0, 400, 400).data;
            let off = 0;
            for (let i = 0; i < theirs.length; i += 4)
                if ([0, 1, 2].some((c) => Math.abs(theirs[i + c] - ours.pixels[i + c]) > 2)) off++;
            return off;
        })()`);
        console.log(`  ${off} of 160000 pixels differ by more than 2 of 255`);
        assert.ok(off <= 160, `${off} pixels differ`);
        await tab.close();
    },

    async 'opens an archive, with pictures in the list'() {
        const tab = await openPage();
        const pk3 = join(folder, 'small.pk3');
        execFileSync('python3', ['-c', `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for name in ("tick.md2", "tick.pcx", "tick_head.mdc"):
        z.write(sys.argv[2] + "/" + name, "models/" + name)`, pk3, join(source, 'samples')]);
        await (await tab.$('#file-input')).uploadFile(pk3);
        await until(tab, 'document.querySelectorAll(".cell").length === 2');
        await until(tab, `[...document.querySelectorAll(".cell canvas")].every((c) => c.getContext("2d").getImageData(60, 60, 1, 1).data[3] === 255)`);
        await tab.type('#search', 'head');
        await until(tab, 'document.querySelectorAll(".cell").length === 1');
        await tab.click('.cell');
        await until(tab, 'document.title.startsWith("tick_head")');
        assert.ok((await drawn(tab)) > 0.01);
        await tab.close();
    },

    async 'draws thumbnails without waiting for each'() {
        const tab = await openPage();
        await tab.evaluate('import("./app.js").then((app) => (app.show.playing = false))');
        const { waits, uploads, frames, off, opaque, lost } = await app(tab, `(async () => {
            const Stage = app.show.stage.constructor;
            const model = await app.state.files.open(app.state.entry.path);
            const canvas = new OffscreenCanvas(120, 120);
            const stage = await Stage.on(canvas);
            const counts = {};
            const all = WebGL2RenderingContext.prototype;
            // Those that give what is known elsewhere, in another process.
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
            const other = stage.picture(model, 120, 120, { backdrop: true, shadow: true }).pixels;
            let off = 0;
            pixels.forEach((value, i) => (off += Math.abs(value - other[i]) > 8));
            stage.draw(model, { backdrop: true });
            const last = stage.read().then(() => null, (error) => error.code);
            canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
            return { waits, uploads, frames: model.frames.length, off, opaque: pixels.every((value, i) => i % 4 !== 3 || value === 255), lost: await last };
        })()`);
        assert.equal(waits, '', 'something that takes the graphics\' time to answer was asked');
        assert.ok(uploads >= 2 && uploads < frames / 4, `${uploads} uploads for ${frames} frames`);
        assert.ok(off < 120 && opaque, `${off} of 57600 bytes differ from the picture that was waited for`);
        assert.equal(lost, 'graphics');
        // What is taken back before its turn is not drawn, though the questions came in one go.
        const [first, ...others] = await app(tab, `(async () => {
            await app.work.ask("files", { entries: app.state.entries });
            const asked = Array.from({ length: 20 }, () => app.library.thumbnail(app.state.entry));
            for (const one of asked.slice(1)) one.stop();
            return (await Promise.all(asked)).map((pixels) => pixels?.length ?? 0);
        })()`);
        assert.equal(first, 4 * 120 * 120);
        assert.ok(others.filter((length) => length > 0).length <= 1, `${others} were drawn though they were taken back`);
        assert.equal(await app(tab, 'app.work.busy'), false);
        await tab.close();
    },

    async 'plays less often while others draw too'() {
        const tab = await openPage();
        const draws = await app(tab, `(async () => {
            const Stage = app.show.stage.constructor;
            const draw = Stage.prototype.draw;
            const { requestAnimationFrame: request } = window;
            let screen = 0; // its pictures, sixty a second as the page sees it
            window.requestAnimationFrame = (call) => request(() => call(screen * 1000 / 60));
            const counted = async (length) => { // drawn in 40 pictures of the screen, so many of which each takes
                let count = 0, ready = 0;
                Stage.prototype.draw = function (...args) { ready = screen + length; count++; return draw.apply(this, args); };
                Object.defineProperty(Stage.prototype, "drawing", { configurable: true, get: () => screen < ready });
                for (let i = 0; i < 40; i++, screen++) await new Promise(request);
                return count;
            };
            const alone = await counted(3);
            app.show.yields = () => true;
            return [alone, await counted(3), await counted(0)];
        })()`);
        assert.ok(draws[0] > 25 && draws[1] <= 4 && draws[1] > 0 && draws[2] > 25, `${draws} pictures were drawn`);
        await tab.close();
    },

    async 'takes what is dropped: a folder, and files'() {
        const tab = await openPage();
        const dropped = join(folder, 'dropped');
        mkdirSync(join(dropped, 'deep'), { recursive: true });
        for (const name of ['tick.md2', 'tick.pcx']) cpSync(join(source, 'samples', name), join(dropped, 'deep', name));
        await drop(tab, [dropped]);
        await until(tab, `import("./app.js").then((app) => app.state.entry?.path?.endsWith("deep/tick.md2"))`);
        assert.equal(await app(tab, 'app.state.model.parts[0].materials[0].texture'), 0);
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'takes other programs\' models, and saves them as games\''() {
        const robots = join(folder, 'robots');
        const downloads = join(folder, 'robots-saved');
        for (const path of [join(robots, 'native'), downloads]) mkdirSync(path, { recursive: true });
        run('convert', '-q', join(source, 'samples/tick.md2'), '-o', join(robots, 'robot.gltf'));
        // As another program would: our own say what they were.
        const gltf = JSON.parse(readFileSync(join(robots, 'robot.gltf'), 'utf8'), (key, value) => (key === 'extras' ? undefined : value));
        gltf.asset.generator = 'another program';
        writeFileSync(join(robots, 'robot.gltf'), JSON.stringify(gltf));
        const glb = join(folder, 'drone.glb');
        run('convert', '-q', join(source, 'samples/tick.md2'), '-o', glb);
        const broken = join(folder, 'broken.glb');
        writeFileSync(broken, readFileSync(glb).subarray(0, 5000));

        const tab = await openPage();
        await downloadTo(downloads);
        const wears = () => app(tab, 'app.state.model.parts[0].materials.map(({ texture }) => texture >= 0 && app.state.model.picture(texture).width)');
        await drop(tab, [glb]);
        await until(tab, 'document.title.startsWith("drone")');
        assert.deepEqual(await wears(), [256]);
        assert.deepEqual(await app(tab, 'app.state.model.clips.map((clip) => clip.name)'), ['stand', 'run', 'jump', 'pain1', 'pain2', 'wave']);
        await drop(tab, [broken]);
        await until(tab, '/5000 bytes/.test(document.querySelector("#message").textContent)');
        await drop(tab, [join(robots, 'robot.gltf')]);
        await until(tab, '/robot.bin.*drop them together/.test(document.querySelector("#message").textContent)');
        await drop(tab, [robots]); // a .gltf, its .bin and its picture
        await until(tab, 'import("./app.js").then((app) => app.state.model && document.title.startsWith("robot"))');
        assert.deepEqual(await wears(), [256]);
        assert.ok((await drawn(tab)) > 0.01);
        await press(tab, 'Model');
        assert.match(await text(tab, '#panel'), /robot\.gltf: wrote robot\.md3: \d+ bytes/);
        if (process.env.LERPMESH_PICTURES) await tab.screenshot({ path: join(process.env.LERPMESH_PICTURES, 'gltf.png') });

        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
            const name = format === 'mdl' ? 'robot.mdl' : `robot-${format}.zip`; // which has its skin in it
            await app(tab, `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${format.toUpperCase()}").click()`);
            for (let i = 0; i < 200 && !existsSync(join(downloads, name)); i++) await new Promise((resolve) => setTimeout(resolve, 100));
            if (format !== 'mdl') execFileSync('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', join(downloads, name), downloads]);
            run('convert', '-q', join(robots, 'robot.gltf'), '-o', join(robots, 'native', `robot.${format}`));
            assert.match(await text(tab, '.losses'), new RegExp(`robot.gltf: wrote robot.${format}: \\d+ bytes.* off by [\\d.e-]+ units`));
        }
        const made = readdirSync(join(robots, 'native'));
        assert.deepEqual(made.sort(), ['robot.md2', 'robot.md3', 'robot.mdc', 'robot.mdl', 'robot.png', 'robot.tga']);
        for (const name of made) assert.ok(readFileSync(join(downloads, name)).equals(readFileSync(join(robots, 'native', name))), name);
        await tab.close();
    },

    async 'a link brings others to the same view'() {
        const tab = await openPage('#model=whole/tick.md2&clip=wave&frame=3&camera=-40,20&skin=tick.pcx');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        assert.equal(await app(tab, 'app.show.playing'), false);
        assert.ok(Math.abs(await app(tab, 'app.state.model.position') - 3) < 1e-6);
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') + 40) < 1e-3);
        const link = await app(tab, 'app.linkToView()');
        assert.match(link, /clip=wave&skin=tick.pcx&frame=3&camera=-40%2C20$/);
        await tab.close();
    },

    async 'gives links to what is shown now'() {
        const tab = await openPage('#model=whole/tick.md2&clip=&skin=../whole/tick.pcx');
        assert.equal(await app(tab, 'app.state.model.clip'), null); // all frames
        assert.match(await app(tab, 'app.linkToView()'), /whole%2Ftick.md2&clip=&skin=..%2Fwhole%2Ftick.pcx/);
        await app(tab, 'app.wear("tick.pcx")');
        assert.equal(await app(tab, 'app.state.model.clip'), null); // still
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
        assert.ok(decodeURIComponent(await link()).includes(`whole/${path}&`), `${await link()} is not of ${path}`);
        // What cannot be copied is in the address line.
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        for (const [writes, says] of [['() => Promise.resolve()', /The link is copied/], ['() => Promise.reject(new Error("no"))', /address line has the link/]]) {
            await tab.evaluate(`navigator.clipboard.writeText = ${writes}; [...document.querySelectorAll(".choices button")].find((one) => one.textContent === "Copy a link").click()`);
            await until(tab, `${says}.test(document.getElementById("message").textContent)`);
        }
        assert.equal(await tab.evaluate('location.href'), await link());
        await tab.close();
    },

    async 'shows the last of what was asked for, and keeps what it shows'() {
        const tab = await openPage('#model=http://');
        await until(tab, '!document.getElementById("message").hidden');
        assert.match(await text(tab, '#message'), /no address of a model: http:/);
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.title.startsWith("tick_head")');
        // A link that is slow is overtaken by what is dropped meanwhile.
        await tab.evaluate('location.hash = "#model=slow/tick.md2"');
        await until(tab, '/Reading tick.md2/.test(document.getElementById("message").textContent)');
        await drop(tab, [join(source, 'samples/tick_torch.mdl')]);
        await until(tab, 'document.title.startsWith("tick_torch")');
        served.go();
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.match(await tab.title(), /^tick_torch/);
        assert.equal(await app(tab, 'app.state.source'), null);
        // What has no model changes nothing.
        const notes = join(folder, 'notes.txt');
        writeFileSync(notes, 'nothing');
        await drop(tab, [notes]);
        await until(tab, '/There is no model in this/.test(document.getElementById("message").textContent)');
        assert.match(await tab.title(), /^tick_torch/);
        await press(tab, 'File');
        await tab.waitForSelector('.hex');
        assert.equal((await app(tab, 'app.work.ask("models", { paths: ["."] })')).length, 1, 'the worker has other files');
        // Pages of bytes are turned by the keyboard.
        await tab.focus('.bar button:last-of-type');
        await tab.keyboard.press('Enter');
        await tab.keyboard.press('Enter');
        assert.equal(await tab.$eval('.bar input', (input) => input.value), '0x180');
        // The browser's own keys are its own.
        await tab.focus('#canvas');
        await tab.keyboard.down('Control');
        await tab.keyboard.press('u');
        await tab.keyboard.up('Control');
        assert.equal(await app(tab, 'app.state.tab'), 'file');
        await tab.keyboard.press('u');
        assert.equal(await app(tab, 'app.state.tab'), 'uv');
        await tab.close();
    },

    async 'asks again for a picture that was taken back, and names each in a zip'() {
        const tab = await openPage();
        const downloads = join(folder, 'all');
        mkdirSync(downloads);
        await downloadTo(downloads);
        await app(tab, `(() => {
            const { library } = app, own = library.thumbnail;
            let count = 0;
            library.thumbnail = (entry) => (count++ === 0 ? Object.assign(Promise.resolve(undefined), { stop() {} }) : own.call(library, entry));
        })()`);
        mkdirSync(join(folder, 'two'));
        run('convert', '-q', join(source, 'samples/tick_head.mdc'), '-o', join(folder, 'two/one.md3'));
        run('convert', '-q', join(source, 'samples/tick_head.mdc'), '-o', join(folder, 'two/one.md2'));
        await drop(tab, [join(folder, 'two')]);
        await until(tab, 'document.querySelectorAll(".cell").length === 2');
        await until(tab, '[...document.querySelectorAll(".cell canvas")].every((canvas) => canvas.width === canvas.height)');
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        await app(tab, '[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "All as GLB (.zip)").click()');
        const zip = join(downloads, 'models.zip');
        for (let i = 0; i < 200 && !existsSync(zip); i++) await new Promise((resolve) => setTimeout(resolve, 100));
        const names = execFileSync('python3', ['-c', 'import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()))', zip], { encoding: 'utf8' });
        assert.equal(names.trim(), 'two/one-1.glb two/one.glb');
        await tab.close();
    },

    async 'begins another worker when one fails'() {
        const tab = await openPage('', { before: `
            const Own = Worker;
            let count = 0;
            window.Worker = class extends Own { constructor(url, options) { super(count++ ? url : "none.js", options); } };` });
        await until(tab, '!document.getElementById("message").hidden');
        said.length = 0; // the browser's own complaint
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'plays legs and torso apart, and gives a player a weapon'() {
        const tab = await openPage();
        await (await tab.$('#file-input')).uploadFile(player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2');
        assert.equal(await tab.$eval('#clips select + select', (list) => list.getAttribute('aria-label')), 'Clip of the torso');
        await tab.select('#clips select', 'LEGS_RUN');
        await tab.select('#clips select + select', 'TORSO_ATTACK');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'LEGS_RUN+TORSO_ATTACK');
        await app(tab, 'app.show.playing = false');
        assert.deepEqual(await app(tab, '(app.show.seek(1), app.state.model.parts.slice(0, 3).map((part) => part.pose.frameA))'), [9, 8, 0]);
        await tab.select('#clips select', 'BOTH_DEATH1'); // which both have
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'BOTH_DEATH1');
        await tab.select('#clips select + select', 'TORSO_GESTURE'); // legs do not go on dying
        assert.match(await app(tab, 'app.state.model.clip.name'), /^LEGS_\w+\+TORSO_GESTURE$/);
        await tab.select('#clips select', '');
        assert.equal(await app(tab, 'app.state.model.clip'), null);
        await tab.select('#clips select + select', 'TORSO_GESTURE');

        const carried = () => app(tab, 'app.state.model.parts.slice(3).map((part) => [part.path.split("/").pop(), part.parentTag])');
        await app(tab, '[...document.querySelectorAll("#panel td button")].filter((one) => one.textContent.startsWith("TORSO_")).at(-1).click()');
        assert.match(await app(tab, 'app.state.model.clip.name'), /^LEGS_\w+\+TORSO_\w+$/);
        await tab.select('#clips select + select', 'TORSO_GESTURE');
        await press(tab, 'Wear');
        await tab.waitForSelector('#attach');
        await tab.select('#attach select + select', 'game.pk3:models/weapons2/gun/gun.md3');
        await until(tab, 'document.querySelectorAll(".carried").length === 2');
        assert.deepEqual(await carried(), [['gun.md3', 'tag_weapon'], ['gun_barrel.md3', 'tag_barrel']]);
        assert.match(await app(tab, 'app.state.model.clip.name'), /TORSO_GESTURE/);
        await tab.click('.carried button');
        await until(tab, 'document.querySelectorAll(".carried").length === 0');
        await tab.select('#attach-tag', 'tag_head');
        await drop(tab, [join(source, 'samples/tick_head.mdc')], '#attach');
        await until(tab, 'document.querySelectorAll(".carried").length === 1');
        assert.deepEqual(await carried(), [['tick_head.mdc', 'tag_head']]);
        await tab.select('#attach-tag', 'tag_head');
        await drop(tab, [join(source, 'samples/tick_torch.mdl')], '#attach'); // in place of the first
        await until(tab, 'document.querySelector(".carried")?.textContent.includes("tick_torch")');
        assert.deepEqual(await carried(), [['tick_torch.mdl', 'tag_head']]);
        assert.equal(await app(tab, 'app.library.models.length'), 3);
        await tab.close();
    },

    async 'gives an MD2 player another weapon of his folder'() {
        const tab = await openPage();
        const soldier = join(folder, 'baseq2/players/soldier');
        mkdirSync(soldier, { recursive: true });
        for (const name of ['tris.md2', 'weapon.md2', 'w_gun.md2']) cpSync(join(source, 'samples/tick.md2'), join(soldier, name));
        await drop(tab, [join(folder, 'baseq2')]);
        const parts = () => app(tab, 'app.state.model.parts.map((part) => part.path.split("/").pop())');
        await until(tab, 'import("./app.js").then((app) => app.state.model?.parts.length === 2)');
        assert.deepEqual(await parts(), ['tris.md2', 'weapon.md2']);
        await press(tab, 'Wear');
        await tab.waitForSelector('#attach');
        await app(tab, `(() => {
            const list = document.querySelector("#attach select + select");
            list.value = [...list.options].find((option) => option.text === "w_gun").value;
            list.dispatchEvent(new Event("change")); })()`);
        await tab.waitForSelector('.carried');
        assert.deepEqual(await parts(), ['tris.md2', 'w_gun.md2']);
        await app(tab, 'app.show.playing = false');
        assert.deepEqual(await app(tab, '(app.show.seek(2), app.state.model.parts.map((part) => part.pose.frameA))'), [2, 2]);
        await tab.click('.carried button');
        await until(tab, 'document.querySelectorAll(".carried").length === 0');
        assert.deepEqual(await parts(), ['tris.md2', 'weapon.md2']);
        await tab.close();
    },

    async 'shows normals, GL commands, texture coordinates, and where a problem is'() {
        const tab = await openTick();
        // How many pixels of the drawing fit.
        const count = (fits) => app(tab, `(() => {
            const { pixels } = app.show.stage.picture(app.state.model, 300, 300, app.show.look);
            let count = 0;
            for (let i = 0; i < pixels.length; i += 4) { const [r, g, b] = pixels.subarray(i, i + 3); if (${fits}) count++; }
            return count; })()`);
        const isPink = 'r > 230 && g > 40 && g < 90 && b > 90 && b < 150';
        const isGreen = 'g > r + 60 && g > b + 60';
        await tab.focus('#canvas');
        await tab.keyboard.press('Space');
        await tab.keyboard.press('1');
        assert.ok((await count(isGreen)) < 50);
        await tab.keyboard.press('c');
        assert.ok((await count(isGreen)) > 1000, 'no strip is green');
        await tab.keyboard.press('c');
        await tab.keyboard.press('n');
        const lines = await count(isGreen);
        assert.ok(lines > 50 && lines < 1000, `${lines} pixels of green lines`);
        await tab.keyboard.press('n');

        await press(tab, 'Check');
        await tab.waitForSelector('.problem');
        assert.equal(await count(isPink), 0);
        await app(tab, '[...document.querySelectorAll(".problem button")].find((one) => /seams/.test(one.textContent)).click()');
        assert.ok((await count(isPink)) > 100, 'no mark is to be seen');
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
        await (await tab.$('#file-input')).uploadFile(join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")'); // which has no GL commands
        assert.equal(await app(tab, '[...document.querySelectorAll("#views button")].some((one) => one.textContent === "GL commands" && !one.hidden)'), false);
        await tab.close();
    },

    async 'says what the model is, and plays the clip that is chosen there'() {
        const tab = await openTick();
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
        await until(tab, 'document.querySelector("#panel .lacking")');
        assert.match(await text(tab, '.lacking'), /^not found in \d+ places$/);
        await tab.close();
    },

    async 'shows what lies where in a file, and its bytes, of a damaged one too'() {
        const tab = await openTick();
        const path = join(source, 'samples/tick.md2');
        const bytes = readFileSync(path);
        const cells = () => tab.$$eval('#panel tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
        // The characters that the view has of the bytes that stand out.
        const marked = () => tab.$$eval('.hex mark', (marks) => marks.map((one) => one.textContent).join(''));
        await press(tab, 'File');
        await tab.waitForSelector('.hex');
        const layout = JSON.parse(run('examine', '--json', path));
        const shown = await cells();
        for (const { name, count } of layout.lumps) assert.ok(shown.some((row) => row[0] === name && row[2] === String(count)), name);
        for (const { name, value } of layout.fields) assert.ok(shown.some((row) => row[1] === name && row[2] === String(value)), name);
        await app(tab, '[...document.querySelectorAll("td button")].find((one) => one.textContent === "triangles").click()');
        await tab.waitForSelector('.lump');
        const lump = layout.lumps.find((one) => one.name === 'triangles');
        assert.ok(bytes.toString('hex', lump.offset, lump.end).startsWith(await marked()));
        assert.equal(await text(tab, '.lump'), run('examine', '--lump', 'triangles', path));
        await tab.focus('.bar input');
        await tab.$eval('.bar input', (input) => (input.value = ''));
        await tab.type('.bar input', '0x10df4\n');
        assert.match(await text(tab, '.hex'), /^00010df0 .*·O··pain/);

        writeFileSync(join(folder, 'cut.md2'), bytes.subarray(0, 90000));
        await (await tab.$('#file-input')).uploadFile(join(folder, 'cut.md2'));
        await until(tab, 'document.title.startsWith("cut")');
        await tab.waitForSelector('.problem.error');
        assert.equal(await tab.$eval('#timeline', (element) => element.clientHeight), 0);
        const told = spawnSync(process.env.LERPMESH_BINARY, ['check', '--json', join(folder, 'cut.md2')], { encoding: 'utf8' });
        const { problems } = JSON.parse(told.stdout);
        assert.equal(await tab.$$eval('.problem', (list) => list.length), problems.length);
        await tab.click('.problem .byte');
        await tab.waitForSelector('.hex mark');
        assert.equal(await marked(), bytes.toString('hex', problems[0].offset, problems[0].offset + 1));
        await (await tab.$('#file-input')).uploadFile(path);
        await until(tab, 'document.title.startsWith("tick")');
        assert.ok((await drawn(tab)) > 0.05);
        await tab.close();
    },

    async 'is played by keys alone'() {
        const tab = await openPage();
        await tab.focus('#canvas');
        await tab.keyboard.press('Space');
        assert.equal(await app(tab, 'app.show.playing'), false);
        const at = await app(tab, 'app.state.model.position');
        await tab.keyboard.press('.');
        assert.notEqual(await app(tab, 'app.state.model.position'), at);
        await tab.keyboard.press('w');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        await tab.keyboard.press('e');
        assert.equal(await tab.$eval('#views button', (button) => button.getAttribute('aria-pressed')), 'true');
        const { azimuth } = await app(tab, 'app.show.camera');
        await tab.keyboard.down('Shift');
        await tab.keyboard.press('ArrowRight');
        await tab.keyboard.up('Shift');
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth - 15) < 1e-3);
        await tab.close();
    },

    async 'saves what the command writes'() {
        const tab = await openTick();
        const downloads = join(folder, 'downloads');
        const native = join(folder, 'native');
        for (const path of [downloads, native]) mkdirSync(path);
        await downloadTo(downloads);
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        const save = async (label, name) => {
            await app(tab, `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${label}").click()`);
            for (let i = 0; i < 200 && !existsSync(join(downloads, name)); i++) await new Promise((resolve) => setTimeout(resolve, 100));
            return readFileSync(join(downloads, name));
        };
        const unzip = (name) => execFileSync('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', join(downloads, name), downloads]);
        const same = (...names) => names.forEach((name) => assert.ok(readFileSync(join(downloads, name)).equals(readFileSync(join(native, name))), name));
        const convert = (name, ...options) => run('convert', '-q', join(source, 'samples/tick.md2'), '-o', join(native, name), ...options);

        await save('GLB', 'tick.glb');
        convert('tick.glb');
        await save('glTF (.zip)', 'tick-gltf.zip');
        unzip('tick-gltf.zip');
        convert('tick.gltf');
        same('tick.glb', 'tick.gltf', 'tick.bin', 'tick_tick.png');
        await tab.click('#step-on'); // stops
        await app(tab, 'app.show.seek(3)');
        await save('OBJ (.zip)', 'tick-obj.zip');
        unzip('tick-obj.zip');
        convert('tick.obj', '--frame', '15'); // the run begins at 12
        same('tick.obj', 'tick.mtl');
        for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
            await save(format.toUpperCase(), `tick.${format}`);
            if (['md3', 'mdc'].includes(format)) {
                convert(`tick.${format}`);
                same(`tick.${format}`);
            }
            assert.equal(JSON.parse(run('info', '--json', join(downloads, `tick.${format}`))).frames.length, 49);
            assert.match(await text(tab, '.losses'), new RegExp(`^tick.${format}: \\d+ bytes; off by [\\d.e-]+ units at most`));
        }
        assert.match(await text(tab, '.losses'), /it gets a grey one/);
        assert.equal((await save('Picture', 'tick.png')).toString('latin1', 1, 4), 'PNG');
        await tab.close();
    },

    async 'says that a part of it cannot be fetched, and tries again'() {
        const tab = await openPage('#model=whole/tick.md2');
        const network = await tab.createCDPSession();
        await network.send('Network.enable');
        await network.send('Network.setBypassServiceWorker', { bypass: true });
        await network.send('Network.setBlockedURLs', { urls: ['*/more.js'] });
        await press(tab, 'Check');
        await until(tab, '/a part of lerpmesh could not be fetched/.test(document.querySelector("#panel").textContent)');
        said.length = 0; // the browser's own complaint
        assert.ok((await drawn(tab)) > 0.01, 'the model is no longer drawn');
        await network.send('Network.setBlockedURLs', { urls: [] });
        await press(tab, 'Model');
        await press(tab, 'Check');
        await until(tab, 'document.querySelector("#panel .problem")');
        await tab.close();
    },

    async 'records films of a turn and of the clip'() {
        const tab = await openPage();
        const downloads = join(folder, 'films');
        mkdirSync(downloads);
        await downloadTo(downloads);
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        const click = (...labels) => app(tab, `${JSON.stringify(labels)}.forEach((label) => [...document.querySelectorAll(".choices button")].find((one) => one.textContent === label).click())`);
        const { azimuth } = await app(tab, 'app.show.camera');
        await click('Film of a turn', 'Cancel');
        await until(tab, 'document.querySelector("progress") === null');
        for (const [label, name] of [['Film of a turn', 'tick.webm'], ['Film of the clip', 'tick-run.webm']]) {
            await click(label);
            for (let i = 0; i < 300 && !existsSync(join(downloads, name)); i++) await new Promise((resolve) => setTimeout(resolve, 100));
            const film = readFileSync(join(downloads, name));
            assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'no WebM');
            assert.ok(film.length > 3000, `${name} has ${film.length} bytes`);
        }
        assert.deepEqual(readdirSync(downloads).sort(), ['tick-run.webm', 'tick.webm']);
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth) < 1e-3);
        await tab.evaluate('delete window.MediaRecorder');
        await click('Film of a turn');
        await until(tab, '/records no films/.test(document.getElementById("message").textContent)');
        await tab.close();
    },

    async 'says what is wrong, and goes on'() {
        const tab = await openPage();
        writeFileSync(join(folder, 'broken.md2'), readFileSync(join(source, 'samples/tick.md2')).subarray(0, 300));
        await (await tab.$('#file-input')).uploadFile(join(folder, 'broken.md2'));
        await until(tab, '!document.getElementById("message").hidden && /ends at 300/.test(document.getElementById("message").textContent)');
        await (await tab.$('#file-input')).uploadFile(join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'opens again after a trap, and thumbnails after one or without their context'() {
        const tab = await openPage();
        const thumbnail = () => app(tab, 'app.library.thumbnail(app.state.entry).then((pixels) => new Set(new Uint32Array(pixels.buffer)).size, (error) => error.code)');
        assert.ok((await thumbnail()) > 100);
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
        await until(tab, '/unreachable/.test(document.getElementById("message").textContent)');
        await app(tab, 'app.openEntry(app.state.entry)');
        await until(tab, 'document.getElementById("message").hidden');
        assert.ok((await drawn(tab)) > 0.01, 'the canvas is empty');
        await tab.close();
    },

    async 'works on while its context is lost, and comes back'() {
        const tab = await openPage();
        await app(tab, `(window.loss = app.show.canvas.getContext("webgl2").getExtension("WEBGL_lose_context")).loseContext()`);
        await until(tab, '!document.getElementById("message").hidden');
        await tab.focus('#canvas');
        for (const key of ['w', 'e', 'c', '.', '1', '+', 'Enter']) await tab.keyboard.press(key);
        await tab.mouse.wheel({ deltaY: 100 });
        await press(tab, 'Check');
        await tab.waitForSelector('.problem');
        assert.ok((await app(tab, 'app.state.model.toGlb().then((glb) => glb.length)')) > 1e5);
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        await app(tab, '[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "Picture").click()');
        await until(tab, '/nothing can be drawn/.test(document.getElementById("message").textContent)');
        await (await tab.$('#file-input')).uploadFile(join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.evaluate('window.loss.restoreContext()');
        await until(tab, 'document.getElementById("message").hidden');
        assert.ok((await drawn(tab)) > 0.01, 'the canvas is empty');
        await tab.close();
    },

    async 'works without WebGL 2, but for pictures'() {
        const before = `const get = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest); }`;
        const tab = await openPage('#model=whole/tick.md2&clip=wave', { before });
        assert.match(await text(tab, '#message'), /no WebGL 2/);
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        assert.match(await text(tab, '#panel'), /49/);
        for (const [name, selector] of [['Check', '.problem'], ['File', '.hex'], ['UV', '.uv'], ['Wear', '#attach'], ['Save', '.choices']]) {
            await press(tab, name);
            await tab.waitForSelector(selector);
        }
        assert.ok((await app(tab, 'app.state.model.toGlb().then((glb) => glb.length)')) > 1e5);
        for (const label of ['Picture', 'Film of a turn']) {
            await app(tab, 'document.getElementById("message").textContent = ""');
            await app(tab, `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${label}").click()`);
            await until(tab, '/WebGL 2|Nothing can be drawn/.test(document.getElementById("message").textContent)');
        }
        await (await tab.$('#file-input')).uploadFile(join(source, 'samples/tick_head.mdc'));
        await until(tab, 'document.title.startsWith("tick_head")');
        await tab.close();
    },

    async 'takes a file of 2 GiB without holding it'() {
        const tab = await openPage();
        const model = join(folder, 'huge.md2');
        cpSync(join(source, 'samples/tick.md2'), model);
        truncateSync(model, 2 ** 31);
        const pk3 = join(folder, 'huge.pk3'); // its directory behind a hole of 2 GB
        execFileSync('python3', ['-c', `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.write(sys.argv[2] + "/tick.pcx", "models/tick.pcx")
    z.start_dir = 2140000000
    z.write(sys.argv[2] + "/tick.md2", "models/tick.md2")`, pk3, join(source, 'samples')]);
        await drop(tab, [model]);
        await until(tab, '/huge.md2: it has more than the limit/.test(document.getElementById("message").textContent)');
        assert.ok((await app(tab, 'app.state.files.engine.memory.buffer.byteLength')) < 64e6);
        await drop(tab, [pk3]);
        await until(tab, 'document.title.startsWith("tick")');
        assert.equal(await app(tab, 'app.state.model.parts[0].materials[0].texture'), 0);
        assert.ok((await app(tab, 'app.state.files.engine.memory.buffer.byteLength')) < 64e6);
        for (const path of [model, pk3]) rmSync(path);
        await tab.close();
    },

    async 'reads of an archive at an address what it needs, where the server gives parts'() {
        const pk3 = join(folder, 'served.pk3');
        execFileSync('python3', ['-c', `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in ("tick.pcx", "tick.md2"): z.write(sys.argv[2] + "/" + name, "models/" + name)
    z.writestr("maps/large.bsp", os.urandom(20 << 20))`, pk3, join(source, 'samples')]);
        const elsewhere = origin.replace('127.0.0.1', 'localhost'); // another site
        for (const [where, most, least] of [['ranges', 4e6, 2], ['whole', Infinity, 1], [`${elsewhere}ranges`, 4e6, 2]]) {
            Object.assign(served, { bytes: 0, requests: 0 });
            const tab = await openPage(`#model=${where}/served.pk3:models/tick.md2&clip=wave`);
            assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
            assert.equal(await app(tab, 'app.state.model.parts[0].materials[0].texture'), 0);
            assert.ok((await drawn(tab)) > 0.05);
            assert.match(await app(tab, 'app.linkToView()'), /served.pk3%3Amodels%2Ftick.md2&clip=wave/);
            assert.ok(served.bytes < most && served.requests >= least, `${where}: ${served.bytes} bytes by ${served.requests} requests`);
            await tab.close();
        }
        player();
        const armed = await openPage('#model=ranges/game.pk3:models/players/doll&clip=LEGS_RUN+TORSO_ATTACK&attach=tag_weapon=game.pk3:models/weapons2/gun/gun.md3');
        for (let i = 0; i < 2; i++) { // the second time by the link that it gives
            assert.equal(await app(armed, 'app.state.model.clip.name'), 'LEGS_RUN+TORSO_ATTACK');
            assert.equal(await app(armed, 'app.state.model.parts[3].path.split("/").pop()'), 'gun.md3');
            const link = await app(armed, 'app.linkToView()');
            await armed.goto('about:blank');
            await armed.goto(link);
            await until(armed, 'document.documentElement.dataset.ready !== undefined');
        }
        await armed.close();
        const tab = await openPage('#model=ranges/none.pk3');
        await until(tab, '/the server says 404/.test(document.getElementById("message").textContent)');
        await tab.close();
        const refused = await openPage(`#model=${elsewhere}tick.md2.pack`); // which lets no other site read it
        await until(refused, '/does not let other pages read it .CORS.; download it/.test(document.getElementById("message").textContent)');
        said.length = 0; // the browser tells of both too
        await refused.close();
    },

    async 'is turned by one finger, and pinched and moved by two'() {
        const tab = await openPage();
        await tab.setViewport({ width: 360, height: 640, hasTouch: true, isMobile: true });
        await app(tab, 'app.show.view("front")');
        const client = await tab.createCDPSession();
        const { x, y } = await (await tab.$('#canvas')).clickablePoint();
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([dx, dy], id) => ({ x: x + dx, y: y + dy, id })) });
        const before = await app(tab, 'app.show.camera');
        await touch('touchStart', [0, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [10 * i, 5 * i]);
        await touch('touchEnd');
        const turned = await app(tab, 'app.show.camera');
        assert.ok(Math.abs(turned.azimuth - before.azimuth + 20) < 1e-3, `turned by ${turned.azimuth - before.azimuth}`);
        assert.ok(Math.abs(turned.elevation - before.elevation - 10) < 1e-3);
        assert.equal(turned.distance, before.distance);
        await touch('touchStart', [-20, 0], [20, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [-20 - 5 * i, 0], [20 + 5 * i, 0]); // twice as far apart
        await touch('touchEnd');
        const nearer = await app(tab, 'app.show.camera');
        assert.ok(Math.abs(turned.distance / nearer.distance - 2) < 0.05, `nearer by ${turned.distance / nearer.distance}`);
        assert.ok(Math.abs(nearer.azimuth - turned.azimuth) < 1e-3);
        await touch('touchStart', [-20, 0], [20, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [-20, 10 * i], [20, 10 * i]);
        await touch('touchEnd');
        const moved = await app(tab, 'app.show.camera');
        assert.ok(moved.z > nearer.z + 1, `moved by ${moved.z - nearer.z}`);
        assert.ok(Math.abs(moved.distance / nearer.distance - 1) < 0.1);
        assert.equal(await tab.evaluate('scrollY'), 0);
        await tab.close();
    },

    async 'has nothing that axe finds on any tab, and fits 320 pixels'() {
        const client = async (tab, expression) => { // beside the page's own policy
            const { result } = await (await tab.createCDPSession()).send('Runtime.evaluate', { expression, awaitPromise: true });
            return result.value;
        };
        const tabs = { Model: '.facts', Check: 'h2 + p', Wear: '#attach', UV: '.uv', File: '.hex', Save: '.choices' };
        for (const scheme of ['light', 'dark']) {
            const tab = await openPage('', { width: 320, height: 640 });
            await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            await client(tab, `${axe}; 0`);
            await (await tab.$('#file-input')).uploadFile(player());
            await until(tab, 'document.querySelectorAll("#clips select").length === 2');
            for (const [name, selector] of Object.entries(tabs)) {
                await press(tab, name);
                await tab.waitForSelector(`#panel ${selector}`);
                assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 320, `${name} is wider than the screen`);
                const found = await client(tab, 'axe.run().then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 100))])))');
                assert.deepEqual(JSON.parse(found), [], `${scheme}, ${name}`);
            }
            await tab.setViewport({ width: 1200, height: 760 });
            const found = await client(tab, 'axe.run().then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 100))])))');
            assert.deepEqual(JSON.parse(found), [], scheme);
            await tab.close();
        }
    },

    async 'reaches everything by keys alone'() {
        const tab = await openPage();
        const reached = new Set();
        await tab.focus('#pick');
        for (let i = 0; i < 60; i++) {
            await tab.keyboard.press('Tab');
            reached.add(await tab.evaluate('document.activeElement.id || document.activeElement.textContent'));
        }
        for (const name of ['canvas', 'play', 'scrubber', 'Edges', 'GL commands', 'Model', 'Check', 'Wear', 'UV', 'File', 'Save', 'panel', 'help-button'])
            assert.ok(reached.has(name), `${name} is not reached: ${[...reached].join(', ')}`);
        await app(tab, '[...document.querySelectorAll("#tabs button")].find((one) => one.textContent === "Check").focus()');
        await tab.keyboard.press('Enter');
        await tab.waitForSelector('.problem');
        await tab.focus('.problem .byte');
        await tab.keyboard.press('Enter');
        await tab.waitForSelector('.hex mark');
        await tab.focus('#canvas');
        await tab.keyboard.press('?');
        assert.match(await text(tab, '#help-body'), /texture coordinates/);
        await tab.keyboard.press('Escape');
        assert.equal(await tab.$eval('#help', (dialog) => dialog.open), false);
        await tab.close();
    },

    async 'works when the server is gone'() {
        const tab = await openPage();
        await tab.evaluate('navigator.serviceWorker.ready');
        await until(tab, 'navigator.serviceWorker.controller !== null');
        for (const file of ['/', '/app.js', '/wasm.js', '/more.js']) // not what the browser kept of another version
            assert.ok(served.anew.has(file), `${file} was not fetched anew`);
        await new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); });
        await tab.reload();
        await until(tab, 'document.documentElement.dataset.ready !== undefined');
        assert.equal(await app(tab, 'app.state.model.name'), 'tick');
        await tab.close();
    },
};

const failed = await runTests(tests, said);
await browser.close();
process.exit(failed ? 1 : 0);
