// Tests the page's frame: start page, gallery, recent files, messages, themes, and targets of fingers.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { inFirefox, needChromium } from './browsers.mjs';
import { makeMd3 } from './models.mjs';
import { app, drop, finish, folder, openPage, player, press, says, source, text, until, upload } from './page.mjs';

// Returns whether an element is above the lower edge of the window, and below the upper one.
const isInWindow = (selector) => `(() => { const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect(); return top > -1 && top < innerHeight && bottom > 0; })()`;
const openPhone = async (width) => {
    needChromium();
    const tab = await openPage();
    await tab.setViewport({ width, height: 700, hasTouch: true, isMobile: true }); // reloads
    await until(tab, 'matchMedia("(pointer: coarse)").matches && document.querySelector(".sample")');
    return tab;
};

await finish({
    async 'opens samples, and scrolls to the model on phones'() {
        const tab = await openPhone(375);
        const list = JSON.parse(readFileSync(join(source, 'web/page/samples.json'), 'utf8'));
        assert.equal((await tab.$$('.sample')).length, list.length);
        assert.equal(await tab.$eval('.sample[aria-current]', (card) => card.textContent), 'tickMD2');
        for (const [i, [path]] of list.entries()) {
            await tab.evaluate(`document.querySelectorAll(".sample img")[${i}].scrollIntoView()`);
            await until(tab, `document.querySelectorAll(".sample img")[${i}].naturalWidth === 240`);
            await (await tab.$$('.sample'))[i].tap();
            await until(tab, `import("./app.js").then(({ state }) => state.entry?.path.includes("${path}"))`);
            await until(tab, isInWindow('#canvas'));
        }
        assert.equal(await app(tab, 'app.state.entries.length'), 1);
        assert.equal(await tab.$eval('#recent', (list) => list.hidden), true, 'a sample is a recent file');
        await tab.close();
    },

    async 'opens recent files again, also after it was closed'(tab) {
        await tab.waitForSelector('.sample');
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.querySelector(".recent")?.textContent === "tick_head.mdc"');
        // A handle that needs no permission, as others cannot be given here.
        const bytes = readFileSync(join(source, 'samples/tick_torch.mdl')).toString('base64');
        await app(tab, `(async () => {
            const handle = await (await navigator.storage.getDirectory()).getFileHandle("torch.mdl", { create: true });
            const writable = await handle.createWritable();
            await writable.write(Uint8Array.from(atob("${bytes}"), (c) => c.charCodeAt(0)));
            await writable.close();
            await app.openFiles([["torch.mdl", await handle.getFile()]], { handles: [handle] }); })()`);
        await until(tab, 'document.querySelectorAll(".recent").length === 2');
        await tab.reload();
        await until(tab, 'document.querySelectorAll(".recent").length > 0');
        await tab.evaluate('(window.before = document.querySelector(".recent")).click()');
        await until(tab, 'document.title.startsWith("torch") && !before.isConnected'); // the list is drawn again
        await app(tab, 'navigator.storage.getDirectory().then((folder) => folder.removeEntry("torch.mdl"))');
        await tab.evaluate('document.querySelector(".recent").click()');
        await says(tab, /no longer there/);
        await until(tab, '![...document.querySelectorAll(".recent")].some((one) => one.textContent === "torch.mdl")');
        await upload(tab, join(source, 'samples/tick_torch.mdl')); // without a handle
        await until(tab, 'document.querySelector(".recent")?.textContent === "tick_torch.mdl"');
        await drop(tab, [join(source, 'samples/tick_head.mdc')]);
        await until(tab, 'document.querySelector(".recent").textContent === "tick_head.mdc"');
        await tab.evaluate('document.querySelectorAll(".recent")[1].click()');
        await until(tab, 'document.querySelector(".recent").textContent === "tick_torch.mdl"');
        await tab.click('#recent h2 button');
        await until(tab, 'document.getElementById("recent").hidden');
    },

    async 'names players after their folders, and adds folders to equal names'(tab) {
        const many = join(folder, 'many');
        for (const name of ['axe/item', 'bow/item', 'bow/old']) mkdirSync(join(many, name), { recursive: true });
        for (const name of ['axe/item/model.md2', 'bow/item/model.md2', 'bow/old/model.md2', 'bow/other.md2']) cpSync(join(source, 'samples/tick_head.mdc'), join(many, name));
        cpSync(join(source, 'samples/models/players/tick'), join(many, 'players/ticker'), { recursive: true });
        await drop(tab, [many]);
        await until(tab, 'document.querySelectorAll(".cell").length === 5');
        await until(tab, 'document.title.startsWith("ticker")');
        const cells = await tab.$$eval('.cell', (all) => all.map((cell) => [...cell.children].slice(1).map((one) => one.textContent).join(' in ')));
        assert.deepEqual(cells.sort(), ['model in axe/item', 'model in bow/item', 'model in bow/old', 'other in bow', 'ticker in players']);

        await tab.focus('#tabs [aria-selected="true"]');
        await tab.keyboard.press('ArrowRight'); // in the tabs, arrows do not open the next model
        assert.equal(await app(tab, 'app.state.tab'), 'problems');
        assert.equal(await tab.$eval('.cell[aria-selected="true"] span', (span) => span.textContent), 'ticker');
        // The list by keyboard.
        await tab.focus('#grid');
        for (const [key, selected] of [['End', 'other'], ['Home', 'ticker'], ['PageDown', 'other']]) {
            await tab.keyboard.press(key);
            await until(tab, `document.title.startsWith("${selected}")`);
            assert.equal(await tab.$eval('.cell[aria-selected="true"] span', (span) => span.textContent), selected);
        }
        // Each model is shown from the same direction; another skin of one is not another model.
        await app(tab, 'app.show.rotate(50, 20)');
        await app(tab, 'app.openEntry(app.state.entry)');
        assert.ok(await app(tab, 'Math.abs(app.show.camera.azimuth - 80) < 1e-3'), 'the camera moved for the same model');
        await tab.keyboard.press('Home');
        await until(tab, 'document.title.startsWith("ticker")');
        assert.deepEqual(await app(tab, '[app.show.camera.azimuth, app.show.camera.elevation].map(Math.round)'), [30, 15]);

        await drop(tab, ['head', 'lower', 'upper'].map((name) => join(many, `players/ticker/${name}.md3`)));
        await until(tab, 'document.title.startsWith("lower")'); // they are in no folder
        await tab.setViewport({ width: 640, height: 400 }); // 1280 x 800 at 200 %
        assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 640);
    },

    async 'shows messages beside the model, until they are closed'(tab) {
        const notes = join(folder, 'notes.txt');
        writeFileSync(notes, 'no model');
        await drop(tab, [notes]);
        await until(tab, '!document.getElementById("message").hidden');
        const [canvas, message] = await tab.$$eval('#canvas, #message', (all) => all.map((one) => one.getBoundingClientRect().toJSON()));
        assert.ok(message.height > 20 && message.top >= canvas.bottom - 1, 'the message covers the model');
        await tab.click('#message .icon');
        assert.equal(await tab.$eval('#message', (one) => one.hidden), true);
        // Several reasons are one message.
        await app(tab, 'app.showMessage("2 files", { details: ["a: no", "b: no"] })');
        assert.deepEqual(await tab.$$eval('#message details p', (all) => all.map((one) => one.textContent)), ['a: no', 'b: no']);
    },

    async 'has colours of enough contrast, and a backdrop of the theme'(tab) {
        const corners = [];
        for (const scheme of ['light', 'dark']) {
            await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            await until(tab, `import("./app.js").then(({ show }) => show.options.dark === ${scheme === 'dark'})`);
            const ratios = await tab.evaluate(() => {
                const style = getComputedStyle(document.documentElement);
                const luminance = (name) => {
                    const hex = style.getPropertyValue(`--${name}`).trim();
                    const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ratio = (a, b) => {
                    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
                    return (light + 0.05) / (dark + 0.05);
                };
                const pairs = [['bar-ink', 'bar'], ['bar-quiet', 'bar'], ['accent-ink', 'accent']];
                for (const ink of ['ink', 'quiet', 'strong', 'error', 'warning']) for (const ground of ['panel', 'ground', 'field']) pairs.push([ink, ground]);
                for (const ink of ['ink', 'quiet', 'strong']) pairs.push([ink, 'tint']);
                const edges = [['edge', 'panel'], ['edge', 'field'], ['accent', 'bar']]; // of controls, and outlines
                return [...pairs.map((pair) => [pair, ratio(...pair), 4.5]), ...edges.map((pair) => [pair, ratio(...pair), 3])];
            });
            assert.ok(ratios.length > 20);
            for (const [pair, ratio, least] of ratios) assert.ok(ratio >= least, `${scheme}: ${pair.join(' on ')} has ${ratio.toFixed(2)}`);
            await tab.waitForSelector('.sample img');
            const [, edge] = (await tab.$eval('.sample img', (image) => getComputedStyle(image).backgroundImage)).match(/rgb\([^)]*\)/g).map((colour) => Number(/\d+/.exec(colour)[0]));
            corners.push(await app(tab, `app.show.screenshot().then(createImageBitmap).then((image) => {
                const context = new OffscreenCanvas(1, 1).getContext("2d");
                context.drawImage(image, 0, 0);
                return context.getImageData(0, 0, 1, 1).data[0]; })`));
            assert.ok(Math.abs(corners.at(-1) - edge) < 4, `${scheme}: the edge of a sample's picture is ${edge}, of the view ${corners.at(-1)}`);
        }
        assert.ok(corners[0] > 170 && corners[1] < 50, `the backdrop's corner is ${corners}`);
    },

    async 'shows a model of one frame without playback'(tab) {
        const still = join(folder, 'still.md3');
        writeFileSync(still, makeMd3({ numFrames: 1, surfaces: [{ name: 'block', shader: '' }] }));
        const shown = () => tab.$$eval('#timeline, #scrubber, #shading', (all) => all.filter((one) => one.checkVisibility()).map((one) => one.id));
        assert.deepEqual((await shown()).sort(), ['scrubber', 'shading', 'timeline']);
        const height = await tab.$eval('#toolbar', (bar) => bar.clientHeight);
        await drop(tab, [still]);
        await until(tab, 'document.title.startsWith("still") && document.querySelector(".facts")?.textContent.includes("MD3")');
        assert.deepEqual(await shown(), ['shading']);
        assert.ok((await tab.$eval('#toolbar', (bar) => bar.clientHeight)) < height - 20, 'the toolbar has a gap');
        assert.equal(await tab.$eval('#canvas', (canvas) => canvas.getAttribute('aria-label')), 'still');
        assert.equal(await tab.$$eval('#panel caption', (all) => all.map((one) => one.textContent).join()), 'Surfaces');
        await press(tab, 'Save', '.choices');
        assert.deepEqual(await tab.$$eval('#picture + .choices button', (all) => all.map((one) => one.textContent)), ['Screenshot', 'Turntable video', 'Turntable WebP']);
        await upload(tab, join(source, 'samples/tick.md2'));
        await until(tab, 'document.title.startsWith("tick") && !document.querySelector("#timeline").hidden');
    },

    async 'keeps playback in one row next to the list'() {
        const touched = inFirefox ? [] : [[1001, true], [1261, true]]; // WebDriver BiDi has no coarse pointer
        for (const language of ['en', 'de', 'fr']) {
            const tab = await openPage(`?lang=${language}`);
            for (const [width, hasTouch] of [[1001, false], [1200, false], ...touched]) {
                await tab.setViewport({ width, height: 760, hasTouch, deviceScaleFactor: 0.25 });
                await until(tab, `innerWidth === ${width} && matchMedia("(pointer: coarse)").matches === ${hasTouch}`);
                const middles = await tab.$$eval('#timeline > *', (all) => all.filter((one) => one.checkVisibility()).map((one) => {
                    const { top, bottom } = one.getBoundingClientRect();
                    return Math.round((top + bottom) / 2);
                }));
                assert.ok(middles.length >= 6 && middles.every((one) => Math.abs(one - middles[0]) <= 1), `${language}, ${width}${hasTouch ? ', touch' : ''}: ${middles}`);
            }
            await tab.setViewport({ width: 1001, height: 760, deviceScaleFactor: 0.25 });
            assert.equal(await tab.$eval('#mode', (one) => one.checkVisibility()), false);
            await tab.click('#more-controls');
            assert.equal(await tab.$eval('#mode', (one) => one.checkVisibility()), true);
            await tab.close();
        }
    },

    async 'lines up the buttons of a panel'(tab) {
        await press(tab, 'Save', '#skeleton button');
        for (const width of [1600, 1200, 390]) {
            await tab.setViewport({ width, height: 800, deviceScaleFactor: 0.25 });
            const grids = await tab.$$eval('.choices', (all) => all.map((grid) => [grid, ...grid.querySelectorAll('button')].map((one) => one.getBoundingClientRect()).map(({ left, right, top }) => [left, right, top].map(Math.round))));
            assert.equal(grids.length, 4);
            for (const [[left, right], ...buttons] of grids) // each row ends where the grid does
                for (const [, , top] of buttons) {
                    const row = buttons.filter((one) => one[2] === top);
                    assert.deepEqual([row[0][0], row.at(-1)[1]], [left, right], `a row of ${row.length} at ${width}`);
                }
            const [above, form, below] = await tab.$$eval('.choices, #skeleton, #skeleton + h2', (all) => all.slice(0, 3).map((one) => one.getBoundingClientRect().toJSON()));
            assert.ok(form.top - above.bottom >= 8 && below.top - form.bottom >= 16, 'the search for a skeleton has no margin');
        }
    },

    async 'shows the model and the list on one screen of a phone'() {
        const tab = await openPhone(390);
        await tab.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
        const below = (selector) => tab.evaluate(`document.querySelector("${selector}").getBoundingClientRect().bottom`);
        assert.equal(await text(tab, '.drop-card'), 'Choose filesNothing is uploaded.');
        assert.ok((await below('.drop-card')) < 844);
        await upload(tab, player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2 && document.querySelectorAll(".cell").length > 1');
        assert.equal(await tab.evaluate('scrollY'), 0);
        assert.ok((await tab.$eval('#canvas', (canvas) => canvas.clientHeight)) > 250);
        assert.ok((await below('#grid')) <= 844 && (await tab.$eval('#grid', (grid) => grid.clientHeight)) > 200, `the list ends at ${await below('#grid')}`);
        const shown = () => tab.$eval('#views', (views) => views.checkVisibility());
        assert.equal(await shown(), false);
        await tab.tap('#more-controls');
        assert.equal(await shown(), true);
        assert.equal(await tab.$eval('#more-controls', (button) => button.getAttribute('aria-expanded')), 'true');
        // The help begins with its first line; its button, which has the focus, is always on show.
        await tab.setViewport({ width: 360, height: 640, hasTouch: true, isMobile: true });
        await tab.tap('#help-button');
        await tab.waitForSelector('#help[open] #language');
        assert.deepEqual(await tab.$eval('#help', (dialog) => [dialog.scrollTop, dialog.scrollHeight > dialog.clientHeight, document.activeElement.textContent]), [0, true, 'Close']);
        assert.ok((await below('#help button')) < 640);
        await tab.close();
    },

    async 'has targets for fingers, and shows no more than fits'() {
        const tab = await openPhone(320);
        await upload(tab, player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2 && document.querySelectorAll(".cell").length > 1');
        await tab.evaluate('document.querySelectorAll(".cell")[1].scrollIntoView()');
        await (await tab.$$('.cell'))[1].tap();
        await until(tab, isInWindow('#canvas'));
        await (await tab.$$('.cell'))[0].tap();
        await until(tab, 'document.querySelectorAll("#clips select").length === 2');
        for (const width of [320, 375]) {
            await tab.setViewport({ width, height: 700, hasTouch: true, isMobile: true });
            for (const [name, selector] of Object.entries({ Model: 'details', Problems: 'h2', Skins: '#attach', UV: '.uv', File: '.hex', Save: '.choices' })) {
                await press(tab, name, `#panel ${selector}`);
                if (name === 'UV') await tab.$eval('#more-controls', (button) => button.click());
                const small = await tab.$$eval('button, select, input:not([type="file"]), summary, .cell', (all) => all.filter((one) => one.checkVisibility())
                    .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
                    .filter(([, { width: w, height: h }]) => Math.min(w, h) < 43.5).map(([one, { width: w, height: h }]) => `${one.id || one.textContent || one.tagName} ${w} x ${h}`));
                assert.deepEqual(small, [], `too small for a finger at ${width} pixels, ${name}`);
                assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), width, `${name} is too wide`);
            }
        }
        assert.match(await text(tab, '#title'), /^doll/);
        await tab.close();
    },
});
