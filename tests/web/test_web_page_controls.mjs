// Tests the page with keyboard, touch and screen readers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { needChromium } from './browsers.mjs';
import { zip } from './common.mjs';
import { app, axe, clickChoice, drop, errors, finish, folder, openPage, origin, player, press, readSample, says, text, until, upload } from './page.mjs';

await finish({
    async 'plays by keys'(tab) {
        await tab.focus('#canvas');
        await tab.keyboard.press(' ');
        assert.equal(await app(tab, 'app.show.playing'), false);
        const at = await app(tab, 'app.state.model.position');
        await tab.keyboard.press('.');
        assert.notEqual(await app(tab, 'app.state.model.position'), at);
        await tab.keyboard.press('w');
        assert.equal(await app(tab, 'app.state.model.clip.name'), 'wave');
        await tab.keyboard.press('e');
        assert.equal(await tab.$eval('#views button', (button) => button.getAttribute('aria-pressed')), 'true');
        await tab.focus('#scrubber');
        for (const [key, value] of [['End', 'frame 12 of 12'], ['Home', 'frame 1 of 12'], ['ArrowRight', /^frame \d+ of 12$/]]) {
            await tab.keyboard.press(key);
            const words = await tab.$eval('#scrubber', (bar) => bar.getAttribute('aria-valuetext'));
            assert.ok(words === value || value.test?.(words), `${key}: ${words}`);
        }
        await tab.focus('#canvas');
        const { azimuth } = await app(tab, 'app.show.camera');
        await tab.keyboard.down('Shift');
        await tab.keyboard.press('ArrowRight');
        await tab.keyboard.up('Shift');
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth - 15) < 1e-3);
    },

    async 'rotates by one finger, zooms and pans by two'(tab) {
        await tab.setViewport({ width: 360, height: 640, hasTouch: true, isMobile: true });
        await app(tab, 'app.show.view("front")');
        const client = await tab.createCDPSession();
        const { x, y } = await (await tab.$('#canvas')).clickablePoint();
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([dx, dy], id) => ({ x: x + dx, y: y + dy, id })) });
        const before = await app(tab, 'app.show.camera');
        await touch('touchStart', [0, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [10 * i, 5 * i]);
        await touch('touchEnd');
        const rotated = await app(tab, 'app.show.camera');
        assert.ok(Math.abs(rotated.azimuth - before.azimuth + 20) < 1e-3, `rotated by ${rotated.azimuth - before.azimuth}`);
        assert.ok(Math.abs(rotated.elevation - before.elevation - 10) < 1e-3);
        assert.equal(rotated.distance, before.distance);
        await touch('touchStart', [-20, 0], [20, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [-20 - 5 * i, 0], [20 + 5 * i, 0]); // twice the distance
        await touch('touchEnd');
        const zoomed = await app(tab, 'app.show.camera');
        assert.ok(Math.abs(rotated.distance / zoomed.distance - 2) < 0.05, `zoomed by ${rotated.distance / zoomed.distance}`);
        assert.ok(Math.abs(zoomed.azimuth - rotated.azimuth) < 1e-3);
        await touch('touchStart', [-20, 0], [20, 0]);
        for (let i = 1; i <= 4; i++) await touch('touchMove', [-20, 10 * i], [20, 10 * i]);
        await touch('touchEnd');
        const panned = await app(tab, 'app.show.camera');
        assert.ok(panned.z > zoomed.z + 1, `panned by ${panned.z - zoomed.z}`);
        assert.ok(Math.abs(panned.distance / zoomed.distance - 1) < 0.1);
        assert.equal(await tab.evaluate('scrollY'), 0);
    },

    async 'has no accessibility violations on any tab, and fits 320 pixels'(tab) {
        const session = await tab.createCDPSession();
        const evaluate = async (expression) => { // in addition to the page's own policy
            const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
            return result.value;
        };
        // Only colours depend on the theme.
        const check = async (what) => {
            for (const [scheme, options] of [['light', {}], ['dark', { runOnly: ['color-contrast'] }]]) {
                await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
                const found = await evaluate(`axe.run(${JSON.stringify(options)}).then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 100))])))`);
                assert.deepEqual(JSON.parse(found), [], `${scheme}, ${what}`);
            }
        };
        await tab.setViewport({ width: 320, height: 640, deviceScaleFactor: 0.25 });
        await evaluate(`${axe}; 0`);
        await upload(tab, player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2');
        for (const [name, selector] of Object.entries({ Model: '.facts', Problems: 'h2 + p', Skins: '#attach', UV: '.uv', File: '.hex', Save: '.choices' })) {
            await press(tab, name, `#panel ${selector}`);
            assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 320, `${name} is wider than the screen`);
            await check(name);
        }
        await tab.setViewport({ width: 1200, height: 760, deviceScaleFactor: 0.25 });
        await check('on a wide screen');
    },

    async 'lights the model by environments, with an exposure, before any backdrop'(tab) {
        const state = () => app(tab, '[app.show.options.environment?.length ?? 0, app.show.options.exposure ?? 1, app.show.options.backdrop, app.show.options.dark, app.show.options.light]');
        await tab.click('#more-controls');
        await tab.waitForSelector('#light select');
        const choose = (name, value) => tab.select(`#light select[aria-label="${name}"]`, value);
        await choose('Light', 'sunset');
        await choose('Exposure', '2');
        await choose('Backdrop', 'dark');
        await until(tab, 'import("./app.js").then(({ show }) => show.options.environment)');
        assert.deepEqual(await state(), [18, 2, true, true, false]);
        await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
        const link = await app(tab, 'app.linkToView()');
        assert.match(link, /&environment=sunset&exposure=2&background=dark$/);
        await choose('Light', '');
        await choose('Backdrop', '');
        await until(tab, 'import("./app.js").then(({ show }) => !show.options.environment)');
        assert.deepEqual(await state(), [0, 2, true, false, true]);
        await tab.select('#shading select', 'wire');
        assert.deepEqual(await tab.$$eval('#light select', (all) => all.map((one) => one.disabled)), [true, true, false]);
        // The link sets all three; what it does not know is reported.
        await tab.evaluate(`location.href = ${JSON.stringify(link)}`);
        await until(tab, 'import("./app.js").then(({ show }) => show.options.environment && show.options.dark)');
        assert.deepEqual(await tab.$$eval('#light select', (all) => all.map((one) => one.value)), ['sunset', '2', 'dark']);
        await tab.evaluate('location.hash = "#sample=tick&environment=fog&exposure=-1&background=none"');
        await until(tab, '/environment=fog. of the link: it takes neutral, day.* .exposure=-1. of the link/.test(document.getElementById("message").textContent)');
        assert.equal(await app(tab, 'app.show.options.backdrop'), false);
    },

    async 'lights the model by an image: chosen, dropped, or of a link'(tab) {
        writeFileSync(join(folder, 'my sky.hdr'), Buffer.concat([Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n'), Buffer.from([255, 90, 20, 129, 20, 30, 90, 128])]));
        const light = () => tab.$eval('#light select', (list) => list.selectedOptions[0].text);
        const isLitBy = (name) => until(tab, `import("./app.js").then(({ show }) => show.options.environment && document.querySelector("#light select")?.selectedOptions[0].text === "${name}")`);
        await tab.click('#more-controls');
        await (await tab.waitForSelector('#environment-input')).uploadFile(join(folder, 'my sky.hdr'));
        await isLitBy('my sky.hdr');
        const values = await app(tab, '[...app.show.options.environment]');
        assert.doesNotMatch(await app(tab, 'app.linkToView()'), /environment/); // nobody else has it
        await tab.select('#light select', 'night');
        await until(tab, 'import("./app.js").then(({ state }) => state.environment === "night")');
        assert.match(await app(tab, 'app.linkToView()'), /&environment=night/);
        await tab.select('#light select', 'image');
        await isLitBy('my sky.hdr');
        assert.deepEqual(await app(tab, '[...app.show.options.environment]'), values);
        // What is no image changes nothing.
        await drop(tab, [join(folder, 'tick.pcx')], '#light');
        await says(tab, /cannot read the environment tick.pcx/);
        assert.equal(await light(), 'my sky.hdr');
        await tab.select('#light select', '');
        await until(tab, 'import("./app.js").then(({ show }) => !show.options.environment)');
        await drop(tab, [join(folder, 'my sky.hdr')]); // on the view, where images are skins
        await isLitBy('my sky.hdr');
        // Links have addresses, relative to the model.
        await tab.evaluate('location.hash = "#model=whole/tick.md2&environment=my%20sky.hdr"');
        await until(tab, 'import("./app.js").then(({ state }) => String(state.environment).startsWith("http"))');
        assert.equal(await light(), 'my sky.hdr');
        assert.deepEqual(await app(tab, '[...app.show.options.environment]'), values);
        assert.match(decodeURIComponent(await app(tab, 'app.linkToView()')), new RegExp(`&environment=${origin}whole/my%20sky.hdr`));
        await press(tab, 'Save', '.choices');
        await clickChoice(tab, 'Copy embed code');
        await tab.waitForSelector('.embed');
        assert.ok((await tab.$eval('.embed', (box) => box.value)).includes(` environment="${origin}whole/my%20sky.hdr"`));
        await tab.evaluate('location.hash = "#model=whole/tick.md2&environment=none.hdr"');
        await says(tab, /environment=none.hdr. of the link: .*404/);
        errors.length = 0; // the browser's own error message
    },

    async 'keeps the speed and the end for later models, and shows a speed set by keys'(tab) {
        await tab.select('#speed', '0.25');
        await tab.select('#mode', 'loop');
        await upload(tab, player());
        await until(tab, 'document.querySelectorAll("#clips select").length === 2');
        assert.deepEqual(await app(tab, '[app.show.playback.speed, app.show.playback.mode, document.getElementById("speed").value]'), [0.25, 'loop', '0.25']);
        await tab.focus('#canvas');
        await tab.keyboard.press(']');
        assert.equal(await tab.$eval('#speed', (list) => list.selectedOptions[0].text), '0.31 ×');
        const label = () => tab.$eval('#play', (button) => button.getAttribute('aria-label') + button.dataset.tip);
        assert.equal(await label(), 'PausePause');
        await tab.keyboard.press(' ');
        assert.equal(await label(), 'PlayPlay');
    },

    async 'needs the focus on the view for keys that are signs'(tab) {
        const state = () => app(tab, 'JSON.stringify([app.show.options, app.show.playback, app.state.model.clip.name, document.getElementById("help").open, app.state.tab])');
        const before = await state();
        for (const selector of ['#tabs [aria-selected="true"]', '#help-button', '.drop-card']) {
            await tab.focus(selector);
            for (const key of 'ewshub?,.[]10+=-') await tab.keyboard.press(key);
            assert.equal(await state(), before, selector);
        }
        await tab.evaluate('document.activeElement.blur()');
        for (const key of 'es') await tab.keyboard.press(key);
        assert.equal(await state(), before, 'without a focus');
        await tab.keyboard.press(' '); // no sign
        assert.equal(await app(tab, 'app.show.playing'), false);
        for (const selector of ['#canvas', '#camera button', '#play']) {
            await tab.focus(selector);
            await tab.keyboard.press('e');
        }
        assert.equal(await app(tab, 'app.show.options.edges'), true, 'pressed three times');
        await tab.click('#help-button');
        await tab.waitForSelector('#help[open] #language');
        assert.match(await text(tab, '#help-body'), /Letters, digits and signs work while the view/);
    },

    async 'skips to the view, reaches the list in few steps, and tells its size'() {
        needChromium();
        const tab = await openPage('#model=whole/tick.md2');
        const hash = await tab.evaluate('location.hash');
        await tab.keyboard.press('Tab');
        assert.equal(await tab.evaluate('document.activeElement.textContent'), 'Skip to the model');
        assert.equal(await tab.$eval('#skip', (link) => link.getBoundingClientRect().top >= 0), true, 'the focus is not visible');
        await tab.keyboard.press('Enter');
        assert.deepEqual(await tab.evaluate('[document.activeElement.id, location.hash]'), ['canvas', hash]);
        const head = readSample('tick_head.mdc');
        await upload(tab, zip(join(folder, 'heads.pk3'), Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`models/head${i + 10}.mdc`, head]))));
        await until(tab, 'document.querySelectorAll(".cell").length > 5');
        const cells = () => tab.$$eval('.cell', (all) => all.map((cell) => [cell.getAttribute('aria-setsize'), cell.getAttribute('aria-posinset'), cell.textContent]));
        assert.ok((await cells()).length < 80, 'all cells exist');
        for (const [size, position, name] of await cells()) assert.deepEqual([size, name], ['80', `head${Number(position) + 9}`]);
        await tab.focus('#pick');
        let stops = 0;
        for (; (await tab.evaluate('document.activeElement.id')) !== 'search'; stops++) {
            assert.ok(stops < 9, 'more than 8 stops before the search');
            await tab.keyboard.press('Tab');
        }
        await tab.type('#search', 'head2');
        await until(tab, 'document.querySelector(".cell").ariaSetSize === "10"');
        for (const [size, position, name] of await cells()) assert.deepEqual([size, name], ['10', `head2${position - 1}`]);
        assert.equal(await tab.$eval('#grid', (grid) => grid.getAttribute('aria-activedescendant')), null, 'names a cell that is not there');
        await tab.focus('#grid');
        await tab.keyboard.press('End');
        assert.equal(await tab.$eval('#grid', (grid) => document.getElementById(grid.getAttribute('aria-activedescendant')).textContent), 'head29');
        await tab.close();
    },

    async 'reaches everything by keyboard'(tab) {
        needChromium(); // in Firefox, Tab goes on to the browser's own controls
        const reached = new Set();
        await tab.focus('#pick');
        for (let i = 0; i < 60; i++) {
            await tab.keyboard.press('Tab');
            reached.add(await tab.evaluate('document.activeElement.id || document.activeElement.textContent'));
        }
        for (const name of ['canvas', 'play', 'scrubber', 'Edges', 'GL commands', 'tab-model', 'panel', 'help-button'])
            assert.ok(reached.has(name), `the focus does not reach ${name}: ${[...reached].join(', ')}`);
        assert.ok(!reached.has('tab-problems'), 'the focus reaches tabs that are closed');
        // Arrows, Home and End open tabs.
        await tab.focus('#tabs [aria-selected="true"]');
        for (const [key, name] of [['ArrowRight', 'Problems'], ['End', 'Save'], ['ArrowRight', 'Model'], ['ArrowLeft', 'Save'], ['Home', 'Model'], ['ArrowRight', 'Problems']]) {
            await tab.keyboard.press(key);
            assert.deepEqual(await tab.$$eval('#tabs [aria-selected="true"], #tabs :focus', (all) => all.map((one) => one.textContent)), [name], key);
        }
        assert.equal(await tab.$eval('#panel', (panel) => document.getElementById(panel.getAttribute('aria-labelledby')).textContent), 'Problems');
        await tab.waitForSelector('#panel:not([aria-busy]) .problem'); // not those of the first visit
        await tab.focus('.problem .byte');
        await tab.keyboard.press('Enter');
        await tab.waitForSelector('.hex mark');
        await tab.focus('#canvas');
        await tab.keyboard.press('?');
        await tab.waitForSelector('#help[open] #language');
        assert.match(await text(tab, '#help-body'), /texture coordinates/);
        await tab.keyboard.press('Escape');
        assert.equal(await tab.$eval('#help', (dialog) => dialog.open), false);
    },
});
