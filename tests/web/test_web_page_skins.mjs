// Tests the user's own skins on the page: dropped images and .skin files, for models with one image and
// with several, and the skins that a model lists itself.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { app, drop, finish, folder, openTick, press, says, source, until, upload } from './page.mjs';
import { makeMd2, makeMd3, makePcx, makePng } from './models.mjs';

const images = join(folder, 'images');
mkdirSync(images);
const put = (name, bytes) => {
    writeFileSync(join(images, name), bytes);
    return join(images, name);
};
const red = put('red.png', makePng(4, 4, () => [255, 0, 0, 255]));
const green = put('green=2.pcx', makePcx(4, 4, () => 0));

// Returns the colour of the first texel of each surface's texture, "r,g,b", or null.
const colours = (tab) => app(tab, `app.state.model.parts.flatMap((part) => part.materials.map(({ texture }) =>
    texture === null || texture < 0 ? null : app.state.model.image(texture).pixels.slice(0, 3).join()))`);
const pressed = (tab) => tab.$$eval('#panel [aria-pressed="true"]', (all) => all.map((one) => one.textContent));
const own = (tab) => app(tab, 'app.state.own.map(({ title, surfaces }) => [title, surfaces])');
const open = async (tab, ...paths) => {
    const before = await app(tab, 'app.state.model?.pointer');
    await upload(tab, ...paths);
    await until(tab, `import("./app.js").then((app) => app.state.model && app.state.model.pointer !== ${before})`);
};
const dropSkins = async (tab, count, ...paths) => {
    await drop(tab, paths);
    await until(tab, `import("./app.js").then((app) => app.state.own.length === ${count})`);
};

await finish({
    async 'shows a dropped image on a model with one image'(tab) {
        await openTick(tab);
        const [before] = await colours(tab);
        await app(tab, 'app.show.seek(3)');
        await dropSkins(tab, 1, red);
        assert.deepEqual(await colours(tab), ['255,0,0']);
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'run', 'the clip has changed');
        await press(tab, 'Skins', '#skin-input');
        assert.deepEqual(await pressed(tab), ['red.png']);
        await (await tab.$('#skin-input')).uploadFile(green);
        await until(tab, 'import("./app.js").then((app) => app.state.own.length === 2)');
        assert.deepEqual(await colours(tab), ['0,255,85']);
        // The model's own skin, then the first image again, also after a model was attached.
        const choose = (name) => app(tab, `[...document.querySelectorAll("#panel [aria-pressed]")].find((one) => one.textContent === "${name}").click()`);
        await choose('tick');
        await until(tab, 'document.querySelector("#panel [aria-pressed=true]")?.textContent === "tick"');
        assert.deepEqual(await colours(tab), [before]);
        await drop(tab, [join(source, 'samples/tick_head.mdc')], '#attach');
        await until(tab, 'document.querySelector(".attached + .attached, #attach") && import("./app.js").then((app) => app.state.attached.length === 1)');
        await choose('red.png');
        await until(tab, 'document.querySelector("#panel [aria-pressed=true]")?.textContent === "red.png"');
        assert.equal((await colours(tab))[0], '255,0,0');
        assert.ok((await app(tab, 'app.state.model.toGlb().then((glb) => glb.length)')) > 1e5);
        await app(tab, 'document.querySelector("[aria-label=\\"Remove red.png\\"]").click()');
        await until(tab, 'document.querySelector("#panel [aria-pressed=true]")?.textContent === "tick"');
        assert.deepEqual(await own(tab), [['green=2.pcx', []]]);
        // Another model starts with its own skins.
        await open(tab, join(source, 'samples/tick_torch.mdl'));
        assert.deepEqual(await own(tab), []);
    },

    async 'shows a weapon from the eye of the player, and suggests its flash'(tab) {
        const winder = join(source, 'samples/models/weapons2/winder');
        await open(tab, ...readdirSync(winder).map((name) => join(winder, name)));
        assert.equal(await app(tab, 'app.state.model.parts.length'), 4);
        const isAtEye = () => tab.$eval('#camera button', (button) => button.getAttribute('aria-pressed'));
        await app(tab, 'app.show.seek(0)');
        const picture = () => app(tab, 'app.show.screenshot().then((blob) => blob.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)].join())');
        const before = await picture();
        await tab.focus('#canvas');
        await tab.keyboard.press('0');
        assert.equal(await isAtEye(), 'true');
        assert.notEqual(await picture(), before);
        // The parts of the weapon that it does not show are at hand, each with its tag.
        await press(tab, 'Skins', '#attach');
        assert.deepEqual(await tab.$$eval('#attach optgroup:first-of-type option', (all) => all.map((one) => one.textContent)), ['v_winder_flash']);
        await tab.select('#attach select:nth-of-type(2)', await tab.$eval('#attach optgroup:first-of-type option', (one) => one.value));
        await until(tab, 'import("./app.js").then((app) => app.state.model.parts.length === 5)');
        assert.deepEqual(await app(tab, '[app.state.attached[0].tag, app.state.model.parts[4].parent, app.state.model.parts[4].parentTag]'), ['v_winder:tag_flash', 1, 'tag_flash']);
        await app(tab, 'app.show.rotate(0, 0)');
        assert.equal(await isAtEye(), 'false');
    },

    async 'selects one of the skins that a model lists'(tab) {
        const skins = ['a', 'b'].map((name, i) => put(`${name}.png`, makePng(64, 64, () => [0, 100 + i, 0, 255])));
        const model = put('listed.md2', makeMd2({ names: ['stand1', 'stand2'], skins: ['x/a.png', 'x/b.png'] }));
        await open(tab, model, ...skins);
        assert.deepEqual(await colours(tab), ['0,100,0']);
        await press(tab, 'Skins', '#skin-input');
        await app(tab, '[...document.querySelectorAll("#panel [aria-pressed]")][1].click()');
        await until(tab, 'document.querySelector("#panel [aria-pressed=true]")?.textContent === "b"');
        assert.deepEqual(await colours(tab), ['0,101,0']);
    },

    async 'shows dropped images on surfaces of a model with several images'(tab) {
        const surfaces = [{ name: 'l_legs', shader: 'models/x/legs.tga' }, { name: 'u_torso', shader: 'models/x/torso.tga' }, { name: 'h_head', shader: 'models/x/torso.tga' }];
        await open(tab, put('several.md3', makeMd3({ numFrames: 2, surfaces })));
        await dropSkins(tab, 1, red); // no surface's image has its name, so it covers all
        assert.deepEqual(await colours(tab), Array(3).fill('255,0,0'));
        await tab.waitForSelector('#panel .attached select');
        await tab.select('#panel .attached select', '3');
        await until(tab, 'import("./app.js").then((app) => app.state.own[0].surfaces.join() === "u_torso")');
        assert.deepEqual(await colours(tab), [null, '255,0,0', null]);
        await dropSkins(tab, 2, put('LEGS.png', makePng(4, 4, () => [0, 0, 9, 255])));
        assert.deepEqual(await colours(tab), ['0,0,9', '255,0,0', null]);
        await dropSkins(tab, 3, put('torso.webp', Buffer.from(await tab.evaluate(`(async () => {
            const canvas = new OffscreenCanvas(4, 4);
            const context = canvas.getContext("2d");
            context.fillStyle = "#0f0";
            context.fillRect(0, 0, 4, 4);
            return [...new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 1 })).arrayBuffer())]; })()`))));
        assert.deepEqual(await own(tab), [['red.png', ['u_torso']], ['LEGS.png', ['l_legs']], ['torso.webp', ['u_torso', 'h_head']]]);
        const isGreen = /^[0-9],25\d,[0-9]$/;
        assert.match((await colours(tab))[2], isGreen);
        // A .skin file with its image
        await app(tab, 'app.reopen({ own: [] })');
        await dropSkins(tab, 2, put('team.skin', 'l_legs,models/x/red.tga\r\nu_torso,models/x/none.tga\r\ntag_head,\r\n'), red);
        assert.deepEqual(await colours(tab), ['255,0,0', null, null]);
        assert.match(await app(tab, 'JSON.stringify(app.state.model.parts[0].textures)'), /none\.tga/);
        await open(tab, put('unnamed.md3', makeMd3({ numFrames: 1, surfaces: [{ name: '', shader: 'x.tga' }] })));
        await drop(tab, [red]);
        await says(tab, /surfaces have no names/);
    },

    async 'keeps the model if a dropped image is damaged, and explains images without a model'(tab) {
        await openTick(tab);
        await drop(tab, [put('bad.png', readFileSync(red).subarray(0, 40))]);
        await says(tab, /"bad.png" is damaged, or not an image/);
        assert.deepEqual(await own(tab), []);
        await app(tab, 'app.openFiles([["none.md2", new Uint8Array(3)]])');
        await until(tab, 'import("./app.js").then((app) => app.state.model === null)');
        await drop(tab, [red]);
        await says(tab, /"red.png" is an image. Open a model first/);
    },
});
