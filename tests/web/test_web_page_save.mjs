// Tests saving models, images and videos on the page.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { inFirefox, serve } from './browsers.mjs';
import { run, unzip, zip } from './common.mjs';
import { makeMd2, makeMd3, makePng } from './models.mjs';
import { app, browser, clickChoice, downloadTo, drop, finish, folder, openPage, openTick, origin, page, player, press, readSample, says, served, source, text, until, waitForDownload } from './page.mjs';

// Yields the boxes of an MP4: name and content.
function* boxesOf(bytes) {
    for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) yield [bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + bytes.readUInt32BE(at))];
}

// Reads a number of EBML, without its marker if it is a size: the number, and the offset behind it.
function readNumber(bytes, at, isSize) {
    const length = Math.clz32(bytes[at]) - 23;
    const value = [...bytes.subarray(at + 1, at + length)].reduce((sum, byte) => 256 * sum + byte, isSize ? bytes[at] & (0xff >> length) : bytes[at]);
    return [value, at + length];
}

// Yields the elements of a WebM: number and content.
function* elementsOf(bytes) {
    for (let at = 0; at < bytes.length;) {
        const [id, begin] = readNumber(bytes, at, false);
        const [size, content] = readNumber(bytes, begin, true);
        at = content + size;
        yield [id, bytes.subarray(content, at)];
    }
}

// Returns the number of frames and the duration that a video's container names: { frames, seconds }.
function measureVideo(bytes, type) {
    const find = (list, ...path) => path.reduce((content, name) => [...list(content)].find(([one]) => one === name)[1], bytes);
    if (type === 'mp4') {
        const header = find(boxesOf, 'moov', 'trak', 'mdia', 'mdhd');
        const at = header[0] === 1 ? 20 : 12; // of the scale; the length follows
        const length = header[0] === 1 ? Number(header.readBigUInt64BE(at + 4)) : header.readUInt32BE(at + 4);
        return { frames: find(boxesOf, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz').readUInt32BE(8), seconds: length / header.readUInt32BE(at) };
    }
    const [SEGMENT, INFO, DURATION, CLUSTER, BLOCKS] = [0x18538067, 0x1549a966, 0x4489, 0x1f43b675, [0xa3, 0xa0]];
    const clusters = [...elementsOf(find(elementsOf, SEGMENT))].filter(([id]) => id === CLUSTER);
    const duration = find(elementsOf, SEGMENT, INFO, DURATION);
    const frames = clusters.reduce((sum, [, content]) => sum + [...elementsOf(content)].filter(([id]) => BLOCKS.includes(id)).length, 0);
    return { frames, seconds: (duration.length === 8 ? duration.readDoubleBE() : duration.readFloatBE()) / 1000 };
}

const validator = createRequire(import.meta.url)('gltf-validator');
const { readImage } = await import(join(page, '../npm/index.js'));

// Returns the size of a video's first image; fails if the browser cannot play it.
async function playVideo(bytes, type) {
    const tab = await browser.newPage();
    const size = await tab.evaluate((base64, mime) => new Promise((resolve, reject) => {
        const video = document.createElement('video');
        video.onloadeddata = () => resolve([video.videoWidth, video.videoHeight]);
        video.onerror = () => reject(new Error(video.error.message));
        video.src = `data:${mime};base64,${base64}`;
    }), bytes.toString('base64'), type);
    await tab.close();
    return size;
}

// Decodes an animated WebP: { repeats, frames: [milliseconds, alpha in the corner and in the middle] each }.
async function decodeWebp(tab, bytes) {
    return tab.evaluate(async (base64) => {
        const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const decoder = new ImageDecoder({ data, type: 'image/webp' });
        await decoder.tracks.ready;
        const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
        const frames = [];
        for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
            const { image } = await decoder.decode({ frameIndex });
            const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
            context.drawImage(image, 0, 0);
            const size = [image.displayWidth, image.displayHeight];
            const all = context.getImageData(0, 0, ...size).data;
            const middle = all[4 * (size[0] * (size[1] >> 1) + (size[0] >> 1)) + 3];
            frames.push({ size, duration: image.duration / 1000, corner: all[3], middle, sum: all.reduce((a, b) => a + b, 0) });
            image.close();
        }
        return { repetitions: String(repetitionCount), frames };
    }, bytes.toString('base64'));
}

const enter = (tab, label, value) => tab.$eval(`[aria-label="${label}"]`, (input, number) => { input.value = number; input.dispatchEvent(new Event('change')); }, value);
async function chooseSize(tab, width, height) {
    await tab.select('#picture-size', 'other');
    await enter(tab, 'Width', width);
    await enter(tab, 'Height', height);
}

// Opens the tab "save"; returns a function that clicks a button and returns the bytes of the download.
async function openSave(tab, name) {
    const downloads = join(folder, name);
    mkdirSync(downloads, { recursive: true });
    await downloadTo(downloads);
    await press(tab, 'Save', '.choices');
    return async (label, file) => {
        await clickChoice(tab, label);
        return file && waitForDownload(join(downloads, file));
    };
}

const pixels = (tab) => app(tab, 'new Promise((done) => requestAnimationFrame(() => { app.show.draw(); requestAnimationFrame(() => done(app.show.canvas.toDataURL())); }))');
const cancel = (tab) => tab.$eval('#task button', (button) => button.click());
// Cancels the next task as soon as it begins: on a busy machine it may end before another message gets to the page.
const cancelNext = (tab) => tab.evaluate(`new MutationObserver((changes, self) => {
    const button = document.querySelector("#task button");
    if (!button) return;
    self.disconnect();
    button.click();
    window.cancelled = true;
}).observe(document.body, { childList: true, subtree: true })`);
const byLabel = (tab, label) => app(tab, `[...document.querySelectorAll("#skeleton button")].find((one) => one.textContent === "${label}").click()`);

await finish({
    async 'finds a skeleton, shows it and saves with it'(tab) {
        await openTick(tab);
        const save = await openSave(tab, 'skeleton');
        const native = join(folder, 'native-skeleton.glb');
        run('convert', '-q', join(source, 'samples/tick.md2'), '-o', native, '--skeleton');
        await tab.click('#next'); // pauses
        await cancelNext(tab);
        await byLabel(tab, 'Find a skeleton…');
        await until(tab, 'window.cancelled && !document.querySelector("#task") && !document.querySelector("#skeleton button").disabled');
        assert.equal(await app(tab, 'document.querySelector("#with-skeleton")'), null, 'a cancelled search found a skeleton');
        const plain = await pixels(tab);
        await byLabel(tab, 'Find a skeleton…');
        await tab.waitForSelector('#with-skeleton', { timeout: 120000 });
        assert.match(await text(tab, '#skeleton .losses'), /^Skeleton of \d+ joints; error 0\.\d+ units \(\d\.?\d* × the file's rounding\), at most 0\.\d+$/);
        assert.notEqual(await pixels(tab), plain, 'the skeleton is not drawn');
        assert.ok((await save('GLB', 'tick.glb')).equals(readFileSync(native)), 'not the file of the command');
        await tab.click('#show-skeleton');
        await until(tab, '!document.querySelector("#show-skeleton").checked');
        assert.equal(await pixels(tab), plain, 'the skeleton is still drawn');
    },
    async 'saves the files that the command writes'(tab) {
        await openTick(tab);
        const downloads = join(folder, 'downloads');
        const native = join(folder, 'native');
        mkdirSync(native);
        const save = await openSave(tab, 'downloads');
        const same = (...names) => names.forEach((name) => assert.ok(readFileSync(join(downloads, name)).equals(readFileSync(join(native, name))), name));
        const convert = (name, ...options) => run('convert', '-q', join(source, 'samples/tick.md2'), '-o', join(native, name), ...options);

        await save('GLB', 'tick.glb');
        convert('tick.glb');
        const zipped = await save('glTF (.zip)', 'tick-gltf.zip');
        unzip(join(downloads, 'tick-gltf.zip'), downloads);
        convert('tick.gltf');
        same('tick.glb', 'tick.gltf', 'tick.bin', 'tick_tick.png');
        assert.ok(zipped.length < 0.8 * readFileSync(join(native, 'tick.bin')).length, `the zip has ${zipped.length} bytes`);
        await tab.click('#next'); // pauses
        await app(tab, 'app.show.seek(3)');
        await save('OBJ (.zip)', 'tick-obj.zip');
        unzip(join(downloads, 'tick-obj.zip'), downloads);
        convert('tick.obj', '--frames', '15'); // the run begins at 12
        same('tick.obj', 'tick.mtl');
        for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
            await save(format.toUpperCase(), `tick.${format}`);
            convert(`tick.${format}`);
            same(`tick.${format}`);
            assert.equal(JSON.parse(run('info', '--json', join(downloads, `tick.${format}`))).frames.length, 49);
            assert.match(await text(tab, '.losses'), new RegExp(`^tick.${format}: [\\d,]+ bytes; maximum error [\\d.e-]+ units`));
        }
        assert.doesNotMatch(await text(tab, '.losses'), /a grey skin of/);
        await tab.type('#more-options', '--decimate 50% --clip "run"');
        rmSync(join(downloads, 'tick.md3'));
        await save('MD3', 'tick.md3');
        const fewer = JSON.parse(run('info', '--json', join(downloads, 'tick.md3')));
        assert.deepEqual([fewer.frames.length, fewer.surfaces[0].triangles], [8, 444]);
        for (const [options, message] of [['scale 2', /begin with --/], ['--no-such 1', /no-such/], ['--quantize', /quantize/]]) {
            await app(tab, `Object.assign(document.querySelector('#more-options'), { value: '${options}' }).dispatchEvent(new Event('input'))`);
            await save('MD2');
            await says(tab, message);
        }
    },

    async 'requests a cancelled thumbnail again, and gives the files of a zip different names'(tab) {
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
        await (await openSave(tab, 'all'))('All as GLB (.zip)', 'models.zip');
        unzip(join(folder, 'all/models.zip'), join(folder, 'all'));
        assert.deepEqual(readdirSync(join(folder, 'all/two')).sort(), ['one-1.glb', 'one.glb']);
    },

    async 'saves pictures in any size, also without a background'(tab) {
        await openTick(tab);
        await app(tab, '(app.show.playing = false)');
        const save = await openSave(tab, 'pictures');
        const view = await readImage(await save('Screenshot', 'tick.png'));
        assert.deepEqual([view.width, view.height], await app(tab, '[app.show.canvas.width, app.show.canvas.height]'));
        const choose = async (size) => {
            await tab.select('#picture-size', size);
            rmSync(join(folder, 'pictures/tick.png'));
            return readImage(await save('Screenshot', 'tick.png'));
        };
        const camera = await app(tab, 'app.show.camera');
        const alphas = ({ pixels }) => new Set(pixels.filter((_, i) => i % 4 === 3));
        const square = await choose('0');
        assert.deepEqual([square.width, square.height, ...alphas(square)], [512, 512, 255]);
        await chooseSize(tab, 100, 301);
        await enter(tab, 'Height', 99999); // out of range
        assert.equal(await tab.$eval('[aria-label="Height"]', (input) => input.value), '301');
        await tab.click('#transparent');
        const narrow = await choose('other');
        assert.deepEqual([narrow.width, narrow.height], [100, 301]);
        assert.ok(alphas(narrow).has(0) && alphas(narrow).has(255));
        assert.equal(narrow.pixels[3], 0);
        // The whole width of the model is in the picture.
        for (const x of [0, 99]) for (let y = 0; y < 301; y++) assert.notEqual(narrow.pixels[4 * (100 * y + x) + 3], 255, `the model is cut off at ${x}, ${y}`);
        assert.deepEqual(await app(tab, 'app.show.camera'), camera);
    },

    async 'saves animated WebP of a turntable and of the clip'(tab) {
        const save = await openSave(tab, 'webp');
        await app(tab, '(document.querySelector("#transparent").checked || document.querySelector("#transparent").click(), app.show.play("run"))');
        await chooseSize(tab, 161, 120);
        const { azimuth } = await app(tab, 'app.show.camera');
        const { repetitions, frames } = await decodeWebp(tab, await save('Clip WebP', 'tick-run.webp'));
        assert.equal(repetitions, 'Infinity');
        assert.equal(frames.length, 20); // of 40 ms: 0.8 seconds
        for (const one of frames) assert.deepEqual([...one.size, one.duration, one.corner, one.middle], [161, 120, 40, 0, 255]);
        assert.equal(new Set(frames.map(({ sum }) => sum)).size, 20, 'some frames are equal');
        await save('Turntable WebP');
        await until(tab, 'document.querySelector("progress").value > 0.05');
        await cancel(tab);
        await until(tab, 'document.querySelector("progress") === null');
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth) < 1e-3);
        assert.equal(await app(tab, 'app.show.playing'), true);
        // Opening another model ends the recording.
        await save('Turntable WebP');
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await says(tab, /recording ended/);
        assert.deepEqual(readdirSync(join(folder, 'webp')).sort(), ['tick-run.webp']);
        await app(tab, '(HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob([], { type: "image/png" })), 0)');
        await press(tab, 'Save', '.choices');
        await save('Turntable WebP');
        await says(tab, /cannot encode WebP/);
    },

    async 'saves a player with its images, under its own name'() {
        const game = join(folder, 'q3');
        const models = join(game, 'models/players/hero');
        mkdirSync(models, { recursive: true });
        const still = { origin: [0, 0, 10], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
        const put = (name, tags) => writeFileSync(join(models, `${name}.md3`), makeMd3({
            numFrames: 20, tags: tags.map((tag) => ({ name: tag, pose: () => still })), surfaces: [{ name: `s_${name}`, shader: '' }] }));
        put('lower', ['tag_torso']);
        put('upper', ['tag_torso', 'tag_head', 'tag_weapon']);
        put('head', ['tag_head']);
        for (const [skin, face, suit] of [['default', 'face', 'suit'], ['red', 'red_face', 'red_suit'], ['blue', 'missing', 'blue_suit']])
            for (const name of ['lower', 'upper', 'head']) writeFileSync(join(models, `${name}_${skin}.skin`), `s_${name},models/players/hero/${name === 'head' ? face : suit}.png\n`);
        for (const name of ['face', 'suit', 'red_face', 'red_suit', 'blue_suit', 'unused']) writeFileSync(join(models, `${name}.png`), makePng(4, 4, () => [200, 100, 50, 255]));
        writeFileSync(join(models, 'animation.cfg'), Array.from({ length: 20 }, (_, i) => `${i} 1 0 15\n`).join(''));
        const tab = await openPage();
        const open = async (paths, first) => {
            await app(tab, '(window.before = app.state.model, 0)'); // which may have three parts, too
            await drop(tab, paths);
            await until(tab, `import("./app.js").then(({ state }) => state.model !== before && state.entries[0][0].includes(${JSON.stringify(first)}) && state.model?.parts.length === 3)`);
        };
        await open([game], 'q3/');
        const save = await openSave(tab, 'players');
        const report = await validator.validateBytes(new Uint8Array(await save('GLB', 'hero.glb')));
        assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages));
        assert.equal(report.info.resources.filter(({ pointer }) => pointer.startsWith('/images/')).length, 2);
        await save('MDC', 'hero-mdc.zip');
        const unpacked = join(folder, 'players/unpacked');
        unzip(join(folder, 'players/hero-mdc.zip'), unpacked);
        const found = JSON.parse(run('info', '--json', join(unpacked, 'q3/models/players/hero/upper.mdc')));
        assert.equal(found.textures[0].found?.split('/').pop(), 'suit.png');
        // The models of the command, and what every skin needs; the clips' rates are not lost.
        run('convert', '-q', models, '--format', 'mdc', '-o', `${join(folder, 'players/native')}/`);
        const skins = ['default', 'red', 'blue'].flatMap((skin) => ['lower', 'upper', 'head'].map((name) => `${name}_${skin}.skin`));
        assert.deepEqual(readdirSync(join(unpacked, 'q3/models/players/hero')).sort(),
            [...readdirSync(join(folder, 'players/native')), ...skins, 'animation.cfg', 'face.png', 'suit.png', 'red_face.png', 'red_suit.png', 'blue_suit.png'].sort());
        assert.ok(readFileSync(join(unpacked, 'q3/models/players/hero/animation.cfg')).equals(readFileSync(join(models, 'animation.cfg'))));
        assert.deepEqual(await tab.$$eval('.losses .quiet', (all) => all.map((one) => one.textContent)), []);
        await open([join(folder, 'players/hero-mdc.zip')], 'hero-mdc.zip');
        assert.ok(await app(tab, 'app.state.model.parts.every(({ format, textures }) => format === "mdc" && textures.every(({ path }) => path))'));
        // Files without a folder
        await open(readdirSync(models).map((name) => join(models, name)), 'animation.cfg');
        await press(tab, 'Save', '.choices');
        await save('MD3', 'player-md3.zip');
        await tab.close();
    },

    async 'saves a player whose skins name models with all of them'(tab) {
        const game = process.env.LERPMESH_CORPUS && join(process.env.LERPMESH_CORPUS, '../rtcw/main');
        if (!game || !existsSync(game)) return console.log('skipped: there is no RtCW');
        const inside = 'models/players/multi', from = join(game, inside);
        const files = readdirSync(from, { recursive: true }).filter((name) => statSync(join(from, name)).isFile());
        zip(join(folder, 'rtcw.pk3'), Object.fromEntries(files.map((name) => [`${inside}/${name}`, readFileSync(join(from, name))])));
        await drop(tab, [join(folder, 'rtcw.pk3')]);
        await until(tab, 'import("./app.js").then(({ state }) => state.model?.parts.length === 4)');
        const save = await openSave(tab, 'rtcw');
        await save('MDC', 'multi-mdc.zip');
        unzip(join(folder, 'rtcw/multi-mdc.zip'), join(folder, 'rtcw/unpacked'));
        run('convert', '-q', from, '--format', 'mdc', '-o', `${join(folder, 'rtcw/native')}/`);
        const list = (path, pattern) => readdirSync(path, { recursive: true }).filter((name) => pattern.test(name)).sort();
        const saved = join(folder, 'rtcw/unpacked', inside);
        assert.deepEqual(list(saved, /\.mdc$/), list(join(folder, 'rtcw/native'), /\.mdc$/));
        assert.deepEqual(list(saved, /\.skin$/), list(from, /^(body|head)_.*\.skin$/));
        const named = list(saved, /\.skin$/).flatMap((name) => [...readFileSync(join(saved, name), 'latin1').matchAll(/,\s*"?models\/players\/multi\/([\w/]+)\.\w+/g)].map(([, image]) => image));
        const images = new Set(list(saved, /\.(tga|jpg)$/).map((name) => name.replace(/\.\w+$/, '')));
        assert.ok(named.length > 20);
        const there = (image) => existsSync(join(from, `${image}.tga`)) || existsSync(join(from, `${image}.jpg`));
        assert.deepEqual(named.filter((image) => there(image) && !images.has(image)), []);
        assert.ok(existsSync(join(saved, 'animation.cfg')));
    },

    async 'makes HTML that shows the model on another page'(tab) {
        await press(tab, 'Save', '.choices');
        await clickChoice(tab, 'Copy embed code');
        await says(tab, /Embed code works for models on a server/);
        await tab.evaluate('location.hash = "#model=whole/tick.md2&clip=run&skin=tick.pcx&camera=-40,20&shade=wire"');
        await until(tab, 'import("./app.js").then(({ show, state }) => state.source && show.options.shade === "wire")');
        await press(tab, 'Save', '.choices');
        await tab.evaluate('navigator.clipboard.writeText = (text) => ((window.copied = text), Promise.resolve())');
        await clickChoice(tab, 'Copy embed code');
        await says(tab, /Embed code copied/);
        const code = await tab.evaluate('window.copied');
        assert.equal(await tab.$eval('.embed', (box) => box.value), code);
        assert.match(code, new RegExp(`<lerpmesh-view src="${origin}whole/tick.md2" clip="run" skin="${origin}whole/tick.pcx" camera="-40 20" shade="wire" autoplay>`));
        const other = await serve({ '/lerpmesh/': join(page, '../npm'), '/embed.html': `<!doctype html>\n${code}` });
        const embedding = await browser.newPage();
        await embedding.goto(`${other.origin}/embed.html`);
        await embedding.waitForFunction('document.querySelector("lerpmesh-view").model?.clip.name === "run"', { polling: 100 });
        assert.equal(await embedding.evaluate('document.querySelector("lerpmesh-view").playing'), true);
        await embedding.close();
        other.close();
    },

    async 'makes HTML with the skin, the attached models, and the frame of a paused view'(tab) {
        player();
        writeFileSync(join(folder, 'listed.md2'), makeMd2({ names: ['stand1', 'stand2', 'stand3', 'run1', 'run2'], skins: ['x/a.png', 'x/b.png'] }));
        const soldier = Object.fromEntries(['tris', 'weapon', 'w_gun'].map((name) => [`players/soldier/${name}.md2`, readFileSync(join(source, 'samples/tick.md2'))]));
        zip(join(folder, 'soldier.pk3'), soldier);
        const describe = '{ parts: model.parts.map(({ path, parentTag }) => [path.split(/[/:]/).pop(), parentTag]), clip: model.clip?.name, speed: model.playback.speed, mode: model.playback.mode, position: Math.round(10 * model.position), skin: model.currentSkin }';
        const gun = 'attach=tag_weapon=game.pk3:models/weapons2/gun/gun.md3&attach=tag_barrel=game.pk3:models/weapons2/gun/gun_barrel.md3';
        // Names with blanks, a sign %, and those of encodings.
        const [body, torch, twin] = ['tick_head.mdc', 'tick_torch.mdl', 'tick_torch.mdl'].map((name) => readFileSync(join(source, 'samples', name)));
        zip(join(folder, 'blanks.pk3'), { 'my models/head.mdc': body, 'my models/a 100% torch.mdl': torch, 'my models/%41=b.mdl': twin });
        const cases = { // links: attributes of the element, besides src and camera
            [`whole/game.pk3:models/players/doll&clip=LEGS_RUN+TORSO_ATTACK&frame=1&${gun}`]:
                'clip="LEGS_RUN+TORSO_ATTACK" attach="tag_weapon=models/weapons2/gun/gun.md3 tag_barrel=models/weapons2/gun/gun_barrel.md3" frame="1"',
            'whole/soldier.pk3:players/soldier/tris.md2&frame=2&attach==soldier.pk3:players/soldier/w_gun.md2': 'clip="stand" attach="players/soldier/w_gun.md2" frame="2"',
            'whole/blanks.pk3:my%20models/head.mdc&frame=0&attach=tag_mouth=blanks.pk3:my%20models/a%20100%25%20torch.mdl&attach==blanks.pk3:my%20models/%2541=b.mdl':
                'clip="idle" attach="tag_mouth=my%20models/a%20100%25%20torch.mdl my%20models/%2541%3Db.mdl" frame="0"',
            'whole/listed.md2&clip=&frame=3.5&listedSkin=2&speed=0.5&mode=once': 'clip="" skin="#2" frame="3.5" speed="0.5" mode="once"',
        };
        const elements = [];
        for (const [link, attributes] of Object.entries(cases)) {
            await tab.evaluate(`(location.hash = "", location.hash = "#model=${link}")`);
            await until(tab, `import("./app.js").then(({ state, show }) => state.source?.href?.includes("${link.split(/[&:]/)[0]}") && state.model && !show.playing)`);
            await press(tab, 'Save', '.choices');
            await clickChoice(tab, 'Copy embed code');
            await tab.waitForSelector('.embed');
            const code = await tab.$eval('.embed', (box) => box.value);
            const [, src, rest] = /<lerpmesh-view src="([^"]*)" (.*)><\/lerpmesh-view>/.exec(code);
            assert.equal(src, `${origin}${link.split('&')[0]}`);
            assert.equal(rest.replace(/ camera="30 15"/, ''), attributes);
            elements.push([`<lerpmesh-view src="${src}" ${rest}></lerpmesh-view>`, await app(tab, `((model) => (${describe}))(app.state.model)`)]);
        }
        const other = await serve({ '/lerpmesh/': join(page, '../npm'),
            '/embed.html': `<!doctype html>\n<script type="module" src="lerpmesh/view.js"></script>${elements.map(([code]) => code).join('\n')}` });
        const embedding = await browser.newPage();
        await embedding.goto(`${other.origin}/embed.html`);
        for (const [i, [code, view]] of elements.entries()) {
            const element = `document.querySelectorAll("lerpmesh-view")[${i}]`;
            await embedding.evaluate(`${element}.scrollIntoView()`);
            await embedding.waitForFunction(`${element}.shadowRoot.querySelector("canvas").getAttribute("aria-busy") === "false"`, { polling: 100 });
            assert.deepEqual(await embedding.evaluate(`((model) => (${describe}))(${element}.model)`), view, code);
            assert.equal(await embedding.evaluate(`${element}.playing`), false);
        }
        await embedding.close();
        other.close();
    },

    async 'reads the parts of an archive that another page needs, if the server supports ranges'() {
        zip(join(folder, 'embedded.pk3'), { 'models/tick.pcx': readSample('tick.pcx'), 'models/tick.md2': readSample('tick.md2'), 'maps/large.bsp': randomBytes(6 << 20) });
        const other = await serve({ '/lerpmesh/': join(page, '../npm'), '/empty.html': '<!doctype html><script type="module" src="lerpmesh/view.js"></script>' });
        const embedding = await browser.newPage();
        await embedding.goto(`${other.origin}/empty.html`);
        const show = (src) => embedding.evaluate((address) => new Promise((resolve) => {
            const view = document.createElement('lerpmesh-view');
            const last = {};
            for (const name of ['progress', 'load', 'error'])
                view.addEventListener(name, ({ detail }) => {
                    last[name] = detail?.message ?? detail ?? true;
                    if (name !== 'progress') resolve({ ...last, textures: view.model?.parts[0].textures.map(({ path }) => path) });
                });
            view.src = address;
            document.body.replaceChildren(view);
        }), src);
        for (const [mode, maxBytes] of [['ranges', 4e6], ['whole', Infinity]]) {
            Object.assign(served, { bytes: 0, requests: 0 });
            const { load, progress, textures } = await show(`${origin}${mode}/embedded.pk3:models/tick.md2`);
            assert.deepEqual([load, textures], [true, ['embedded.pk3:models/tick.pcx']]);
            assert.ok(served.bytes < maxBytes && served.bytes > 1000, `${mode}: ${served.bytes} bytes`);
            assert.ok(Math.abs(progress.loaded - served.bytes) <= 1, `${mode}: ${progress.loaded} of ${served.bytes} bytes reported`);
            const { error } = await show(`${origin}${mode}/embedded.pk3:models/none.md2`);
            assert.match(error, /no file models\/none\.md2 in embedded\.pk3/);
        }
        await embedding.close();
        other.close();
    },

    async 'goes on with an export while the panel shows something else'(tab) {
        const save = await openSave(tab, 'tasks');
        await chooseSize(tab, 160, 120);
        // Makes 3 frames, and others as they are released.
        await tab.evaluate(`{
            const own = HTMLCanvasElement.prototype.toBlob, waiting = [];
            let free = 3;
            window.release = (count) => {
                for (free += count; free > 0 && waiting.length > 0; free--) waiting.shift()();
            };
            HTMLCanvasElement.prototype.toBlob = function (...args) {
                const go = () => own.apply(this, args);
                if (free > 0) (free--, go());
                else waiting.push(go);
            };
        }`);
        await save('Turntable WebP');
        await until(tab, 'document.querySelector("#task progress")?.value >= 0.03');
        await press(tab, 'Model', '.facts');
        assert.equal(await tab.$eval('#task span', (one) => one.textContent), 'Turntable WebP');
        await tab.evaluate('release(2)');
        await until(tab, 'document.querySelector("#task progress").value >= 0.05');
        await press(tab, 'Save', '.choices');
        const disabled = () => tab.$$eval('#panel button', (buttons) => buttons.filter((one) => one.disabled).map((one) => one.textContent));
        assert.deepEqual(await disabled(), ['Find a skeleton…', 'Turntable video', 'Clip video', 'Turntable WebP', 'Clip WebP', 'All as GLB (.zip)']);
        await save('Turntable video');
        assert.equal(await tab.$$eval('#task', (all) => all.length), 1);
        await cancel(tab);
        await tab.evaluate('release(1000)');
        await until(tab, 'document.querySelector("#task") === null');
        assert.deepEqual(await disabled(), []);
        await save('Turntable WebP');
        await press(tab, 'Model', '.facts');
        await waitForDownload(join(folder, 'tasks/tick.webp'));
        assert.deepEqual(readdirSync(join(folder, 'tasks')), ['tick.webp']);
    },

    async 'makes videos frame by frame, in a hidden tab too'(tab) {
        const save = await openSave(tab, 'films');
        await chooseSize(tab, 160, 120);
        const type = await tab.evaluate('VideoEncoder.isConfigSupported({ codec: "avc1.640028", width: 160, height: 120 }).then(({ supported }) => (supported ? "mp4" : "webm"))');
        for (const hidden of [false, true]) {
            const other = hidden ? await browser.newPage() : null;
            await other?.bringToFront();
            if (hidden) await until(tab, 'document.hidden');
            for (const [label, name, frames, seconds] of [['Turntable video', 'tick', 120, 4], ['Clip video', 'tick-run', 72, 2.4]]) {
                const bytes = await save(label, `${name}.${type}`);
                const measured = measureVideo(bytes, type);
                console.log(`${label}, ${type}, ${hidden ? 'hidden' : 'visible'}: ${measured.frames} frames in ${measured.seconds} s`);
                assert.equal(measured.frames, frames, label);
                assert.ok(Math.abs(measured.seconds - seconds) < 0.002, `${label}: ${measured.seconds} s`);
                rmSync(join(folder, `films/${name}.${type}`));
            }
            await other?.close();
        }
    },

    async 'makes videos of a turntable and of the clip'(tab) {
        const save = await openSave(tab, 'videos');
        const { azimuth } = await app(tab, 'app.show.camera');
        await cancelNext(tab);
        await save('Turntable video');
        await until(tab, 'window.cancelled && document.querySelector("progress") === null');
        const type = await tab.evaluate('VideoEncoder.isConfigSupported({ codec: "avc1.640028", width: 160, height: 120 }).then(({ supported }) => (supported ? "mp4" : "webm"))');
        const first = await save('Turntable video', `tick.${type}`);
        if (type === 'mp4') assert.equal(first.toString('latin1', 4, 8), 'ftyp', 'no MP4');
        assert.deepEqual(await playVideo(first, `video/${type}`), (await app(tab, '[app.show.canvas.width, app.show.canvas.height]')).map((side) => side & ~1));
        // Without WebCodecs, the browser records what it draws.
        await tab.evaluate('delete window.VideoEncoder');
        await tab.select('#picture-size', '0');
        await app(tab, '((of) => (MediaRecorder.isTypeSupported = (type) => !/mp4/.test(type) && of.call(MediaRecorder, type)))(MediaRecorder.isTypeSupported), 0');
        await save('Clip video');
        await says(tab, /keep this tab visible/);
        const webm = await waitForDownload(join(folder, 'videos/tick-run.webm'));
        await until(tab, 'document.getElementById("message").hidden');
        assert.equal(webm.readUInt32BE(0), 0x1a45dfa3, 'no WebM');
        assert.deepEqual(await playVideo(webm, 'video/webm'), [512, 512]);
        assert.deepEqual(readdirSync(join(folder, 'videos')).sort(), ['tick-run.webm', `tick.${type}`]);
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth) < 1e-3);
        await tab.evaluate('delete window.MediaRecorder');
        await save('Turntable video');
        await says(tab, /cannot record video/);
    },
});
