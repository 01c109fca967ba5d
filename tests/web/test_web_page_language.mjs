// Tests the page in German and in French: no English text remains, numbers are theirs, and the choice is remembered.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { app, drop, finish, folder, openPage, player, press, says, source, text, until } from './page.mjs';

const { STRINGS: english } = await import(join(source, 'web/page/strings_later.js'));
const { formattersOf } = await import(join(source, 'web/page/strings.js'));
const catalogueOf = async (code) => ({ ...english, ...(await import(join(source, `web/page/strings_${code}.js`))).translate(formattersOf(code)) });
const german = await catalogueOf('de');

// Lists the texts of a catalogue that need no arguments, with those of the other.
const pairs = (a, b) => Object.keys(a).flatMap((key) => typeof a[key] === 'object' ? pairs(a[key], b[key]) : typeof a[key] === 'string' ? [[a[key], b[key]]] : []);
// Returns the English texts that a catalogue translates.
function translatedBy(catalogue) {
    const all = pairs(english, catalogue);
    const translated = new Set(all.filter(([one, other]) => one !== other).map(([one]) => one));
    for (const [, other] of all) translated.delete(other); // such as "Name"
    return translated;
}

// Returns the texts and labels of the page, also hidden ones.
const texts = (tab) => tab.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll('body *'))
        found.push(...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()),
            ...['aria-label', 'title', 'placeholder', 'aria-valuetext', 'data-tip'].map((name) => element.getAttribute(name)));
    return found.filter(Boolean);
});
async function checkTexts(tab, translated, part) {
    const found = await texts(tab);
    assert.ok(found.length > 30, `${part}: only ${found.length} texts`);
    assert.deepEqual(found.filter((one) => translated.has(one)), [], `English texts in ${part}`);
}

// Opens all tabs, the help and a player in the language that the browser prefers. Numbers and messages match the patterns.
async function checkLanguage(code, languages, bytes, archive) {
    const catalogue = await catalogueOf(code);
    const translated = translatedBy(catalogue);
    const tab = await openPage('', { before: `Object.defineProperty(navigator, "languages", { get: () => ${JSON.stringify(languages)} })` });
    assert.equal(await tab.evaluate('document.documentElement.lang'), code);
    await tab.waitForSelector('#panel dl');
    await tab.click('#more-controls');
    await tab.waitForSelector('#light select');
    for (const width of [360, 1261]) {
        await tab.setViewport({ width, height: 640, deviceScaleFactor: 0.25 });
        assert.deepEqual(await tab.$$eval('#tabs, #toolbar, header', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id)), [], `wider than ${width} pixels`);
    }
    assert.ok(await tab.$eval('#timeline', ({ clientHeight }) => clientHeight < 60), 'playback has several rows');
    for (const name of Object.values(catalogue.tabs)) {
        await press(tab, name);
        await until(tab, `document.querySelector("#tabs [aria-selected=true]").textContent === ${JSON.stringify(name)} && document.querySelector("#panel:not([aria-busy])")?.childElementCount > 0`);
        await checkTexts(tab, translated, name);
    }
    await press(tab, catalogue.tabs.model);
    await until(tab, `${bytes}.test(document.querySelector("#panel").textContent)`);
    assert.match(await text(tab, '#panel'), /0,8/); // seconds
    await tab.click('#help-button');
    await tab.waitForSelector('#help[open] #language');
    await checkTexts(tab, translated, 'the help');
    await tab.keyboard.press('Escape');
    await drop(tab, [player()]);
    await until(tab, 'import("./app.js").then((app) => app.library.models.length === 3)');
    await press(tab, catalogue.tabs.skins, '#attach');
    await checkTexts(tab, translated, 'a player');
    writeFileSync(join(folder, 'm.rar'), 'Rar!\x1a\x07\0');
    await drop(tab, [join(folder, 'm.rar')]);
    await says(tab, archive);
    await tab.close();
}

await finish({
    'is German if the browser prefers it': () => checkLanguage('de', ['it-IT', 'de-AT', 'en'], /[0-9]{2}\.[0-9]{3} Bytes/, /„m.rar“ ist ein RAR-Archiv/),
    'is French if the browser prefers it': () => checkLanguage('fr', ['fr-CA', 'en'], /[0-9]{2}\s[0-9]{3} octets/, /«\sm.rar\s» est une archive RAR/),

    async 'remembers the language that the user chooses'() {
        const tab = await openPage();
        assert.equal(await tab.evaluate('document.documentElement.lang'), 'en');
        const choose = async (code) => {
            await tab.click('#help-button');
            await tab.waitForSelector('#help[open] #language');
            await Promise.all([tab.waitForNavigation(), tab.evaluate(`setTimeout(() =>
                Object.assign(document.getElementById("language"), { value: "${code}" }).dispatchEvent(new Event("change")))`)]);
            await until(tab, `document.documentElement?.lang === "${code}" && document.documentElement.dataset.ready !== undefined`);
        };
        await choose('de');
        const other = await openPage();
        assert.equal(await text(other, '#pick'), german.openFiles);
        const named = await openPage('?lang=en-GB#model=whole/tick.md2');
        assert.equal(await text(named, '#pick'), english.openFiles);
        assert.equal(await app(named, 'app.state.model.name'), 'tick');
        const unknown = await openPage('?lang=xx');
        assert.equal(await text(unknown, '#pick'), german.openFiles);
        await tab.bringToFront(); // tabs in the background are not drawn
        await choose('en');
        for (const one of [tab, other, named, unknown]) await one.close();
    },
});
