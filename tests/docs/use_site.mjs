// use_site.mjs SITE [TEST]: uses a built site in Chromium: by keyboard, in wide and narrow windows, light and dark.
import assert from 'node:assert/strict';

import { launchChromium, runTests, serve } from '../web/browsers.mjs';

const [site] = process.argv.splice(2, 1);
const { origin } = await serve({ '/': site });
const browser = await launchChromium();
const tab = await browser.newPage();
const errors = [];
tab.on('pageerror', (error) => errors.push(error.message));

async function open(page, width = 1280, theme = 'light') {
    await tab.setViewport({ width, height: 900 });
    await tab.goto(`${origin}/${page}`, { waitUntil: 'networkidle0' });
    await tab.evaluate((name) => { document.body.dataset.theme = name; }, theme);
}
async function press(...keys) {
    for (const key of keys) await tab.keyboard.press(key);
}
const focused = (selector) => tab.evaluate((one) => document.activeElement.matches(one), selector);
// Returns whether the focused element is inside the window, or a moving drawer brings it there.
const focusIsVisible = () => tab.waitForFunction(() => {
    const { left, right, top, bottom, width } = document.activeElement.getBoundingClientRect();
    return width > 0 && left >= 0 && right <= innerWidth && bottom > 0 && top < innerHeight;
}, { timeout: 5000 }).then(() => true, () => false);
async function search(words) {
    await open(`search.html?q=${encodeURIComponent(words)}`);
    await tab.waitForFunction(() => document.querySelector('.search-summary')?.textContent.trim());
    return tab.$$eval('ul.search a', (links) => links.map((link) => link.getAttribute('href')));
}
// Returns the share of bright pixels of an element.
async function brightness(selector) {
    const png = Buffer.from(await (await tab.$(selector)).screenshot()).toString('base64');
    return tab.evaluate(async (data) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
        return pixels.filter((value, i) => i % 4 === 1 && value > 150).length / (pixels.length / 4);
    }, png);
}
async function testDrawer(icon, drawer, width) {
    await open('reference/axes.html', width);
    assert.ok(await tab.$$eval(`${drawer} a`, (links) => links.every((link) => {
        link.focus();
        return document.activeElement !== link;
    })), 'a closed drawer takes the focus');
    for (let i = 0; i < 100 && !await focused(icon); i++) await press('Tab');
    for (const key of ['Enter', 'Space']) {
        assert.ok(await focused(`${icon}[role=button][aria-expanded=false]`), `${icon} does not have the focus`);
        await press(key);
        assert.ok(await focused(`${drawer} a`) && await focusIsVisible(), `${key} does not open the drawer`);
        assert.equal(await tab.$eval(icon, (one) => one.getAttribute('aria-expanded')), 'true');
        for (const last of [false, true]) {
            await tab.$$eval(`${drawer} a`, (links, end) => links.filter((link) => link.offsetParent).at(end).focus(), last ? -1 : 0);
            if (!last) await tab.keyboard.down('Shift');
            await press('Tab');
            await tab.keyboard.up('Shift');
            assert.ok(!await focused('.content *, .mobile-header *'), 'the focus moves to the covered page');
        }
        await press('Escape');
    }
    assert.ok(await focused(`${icon}[aria-expanded=false]`), 'Escape does not return the focus');
}

const tests = {
    async 'the first link skips the sidebar'() {
        for (const page of ['index.html', 'search.html', 'genindex.html']) {
            await open(page);
            await press('Tab');
            assert.ok(await focused('.skip-link') && await focusIsVisible());
            await press('Enter');
            assert.ok(await focused('article[role=main]'));
        }
        await press('Tab');
        assert.ok(await focused('article a'));
    },
    'icons open the drawer of the pages': () => testDrawer('.nav-overlay-icon', '.sidebar-drawer', 375),
    'icons open the drawer of the contents': () => testDrawer('.toc-header-icon', '.toc-drawer', 375),
    'icons open the drawer of the contents in a wider window': () => testDrawer('.toc-content-icon', '.toc-drawer', 1280),
    async 'the key / finds the search'() {
        for (const [width, theme] of [[375, 'light'], [375, 'dark'], [1280, 'light'], [1280, 'dark']]) {
            await open('index.html', width, theme);
            await press('/');
            assert.ok(await focused('.sidebar-search') && await focusIsVisible());
            assert.match(await tab.$eval('.sidebar-search', (one) => getComputedStyle(one).outline), /^rgb.* solid 2px$/);
        }
    },
    async 'results have the focus, and pages come before members'() {
        const texture = await search('texture');
        assert.ok(await focused('#search-results'));
        await press('Tab');
        assert.ok(await focused('ul.search li:first-child a'));
        assert.equal(texture[0], 'guides/textures.html');
        const members = texture.slice(0, 15).filter((link) => /reference\/api/.test(link));
        assert.deepEqual(members, []);
        assert.equal((await search('player quake3'))[0], 'tutorials/quake3-player.html');
        assert.equal((await search('lm_sample'))[0], 'reference/api/sample.html#c.lm_sample');
    },
    async 'targets have at least 24 pixels'() {
        for (const width of [375, 1280]) {
            await open('reference/axes.html', width);
            const sizes = await tab.$$eval('.theme-toggle, .nav-overlay-icon, .toc-overlay-icon',
                (all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.width).flatMap((box) => [box.width, box.height]));
            assert.ok(sizes.length >= 4 && Math.min(...sizes) >= 24, `${sizes}`);
        }
    },
    async 'headings wrap'() {
        await open('reference/api/sample.html', 375);
        assert.ok(await tab.$eval('h1', (one) => one.scrollWidth <= one.clientWidth));
        assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    },
    async 'wide tables scroll, and show it'() {
        await open('reference/json.html', 375);
        assert.ok(await tab.evaluate(() => document.documentElement.scrollHeight) < 22000);
        const tables = await tab.$$eval('.table-wrapper', (all) => all.map((one) => [one.getAttribute('role'), one.tabIndex,
            one.getAttribute('aria-label'), /gradient/.test(getComputedStyle(one).backgroundImage), one.querySelector('td:last-child').offsetWidth]));
        assert.ok(tables.length > 5);
        for (const [role, index, label, cue, width] of tables) {
            assert.deepEqual([role, index, cue], ['region', 0, true]);
            assert.match(label, /^Table: \w/);
            assert.ok(width > 180, `the last column is ${width} pixels wide`);
        }
        await open('which-tool.html', 1280);
        assert.equal(await tab.$eval('.table-wrapper', (one) => one.tabIndex), -1);
    },
    async 'a diagram is dark on dark pages, and scrolls in narrow windows'() {
        for (const [theme, scheme, dark] of [['light', 'dark', false], ['auto', 'light', false], ['dark', 'light', true], ['auto', 'dark', true]]) {
            await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            await open('reference/axes.html', 1280, theme);
            const bright = await brightness('img[src$=".svg"]');
            assert.ok(dark ? bright < 0.2 : bright > 0.6, `${bright} of the diagram are bright`);
        }
        await tab.emulateMediaFeatures([]);
        await open('reference/axes.html', 375);
        assert.ok(await tab.$eval('img[src$=".svg"]', (one) => one.width >= 640 && one.parentNode.tabIndex === 0 && one.parentNode.offsetWidth < 375));
    },
    async 'copied commands have no prompt'() {
        await open('tutorials/look-at-a-game.html');
        const copied = await tab.$$eval('.highlight-console pre', (all) => all.map((one) => {
            getSelection().selectAllChildren(one);
            return getSelection().toString();
        }));
        assert.ok(copied.length > 3);
        for (const text of copied) assert.doesNotMatch(text, /^[$>] /m);
    },
};

const failed = await runTests(tests, errors);
await browser.close();
process.exit(failed ? 1 : 0);
