// Tests the page's order of events: drops, links, lost WebGL contexts, keys and tabs in random order, mostly before the
// previous ones have ended. After each sequence the page must still open a model, and it shows the last one that was
// dropped. An argument is the number of sequences; the second one is the first seed, which determines its sequence.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { numbers } from './common.mjs';
import { app, errors, finish, folder, openPage, origin, served, source, until } from './page.mjs';

const [sequences, firstSeed] = [3, 1].map((number, i) => Number(process.argv[2 + i] ?? number));
process.argv.length = 2; // runTests() takes the name of a test
const LENGTH = 14;
const STATE = '[...["title", "message"].map((id) => document.getElementById(id).textContent), document.visibilityState, app.worker.busy, app.state.model?.name, app.show.model?.name]';

writeFileSync(join(folder, 'cut.md2'), readFileSync(join(source, 'samples/tick.md2')).subarray(0, 300));
writeFileSync(join(folder, 'text.md2'), 'no model');
writeFileSync(join(folder, 'head.mdc'), readFileSync(join(source, 'samples/tick_head.mdc')));

const FILES = ['tick.md2', 'tick.pcx', 'head.mdc', 'cut.md2', 'text.md2'];
const prepare = (tab) => tab.evaluate(`window.turn = 0; window.losses = [];
    Promise.all(${JSON.stringify(FILES)}.map(async (name) => [name, new File([await (await fetch("whole/" + name)).blob()], name)]))
        .then((files) => { window.files = new Map(files); })`);

// Drops files without waiting for the page.
const drop = (...names) => `{
    const dataTransfer = new DataTransfer();
    for (const name of ${JSON.stringify(names)}) dataTransfer.items.add(files.get(name));
    document.querySelector("#view").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}`;
const link = (hash) => `location.hash = ${JSON.stringify(hash)}`;
const key = (name) => `document.getElementById("canvas").dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }))`;
const withShow = (expression) => `import("./app.js").then(({ show, state, library, openTab, sources }) => ${expression})`;

// The events, as expressions for the page.
const EVENTS = [
    drop('tick.md2', 'tick.pcx'), drop('tick.md2'), drop('head.mdc'), drop('cut.md2'), drop('text.md2', 'tick.pcx'), drop(),
    link('model=whole/tick.md2'), link('model=whole/missing.md2'), link('model=whole/head.mdc&clip=none'), link('model=whole/cut.md2'), link(''), link('model=slow/head.mdc'),
    withShow('losses.push(show.canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context")) && window.losses.at(-1)?.loseContext()'),
    'losses.pop()?.restoreContext()',
    key(' '), key('u'), key('ArrowRight'), key('w'), key('h'), '[...document.querySelectorAll("dialog[open]")].forEach((one) => one.close())',
    '{ const tabs = document.querySelectorAll("#tabs button"); tabs[window.turn++ % tabs.length].click(); }',
    // Hidden controls cannot be used.
    ...['#play', '#next', '#clips button', '#views button', '#grid button'].map(
        (selector) => `{ const found = [...document.querySelectorAll("${selector}")].filter((one) => one.checkVisibility()); found[window.turn++ % found.length]?.click(); }`),
    '{ const bar = document.querySelector("#scrubber"); if (bar.checkVisibility()) { bar.value = 1; bar.oninput(); } }',
];

// What a sequence has opened must not last: browsers fetch only six files of a server at once.
async function runSequence(seed) {
    const tab = await openPage();
    try {
        await sendEvents(tab, seed);
    } finally {
        await tab.close();
        served.respond();
        errors.length = 0;
    }
}

async function sendEvents(tab, seed) {
    const next = numbers(seed), sent = [];
    await prepare(tab);
    const caught = [];
    tab.on('pageerror', (error) => caught.push(error.message));
    for (let i = 0; i < LENGTH; i++) {
        const event = EVENTS[next(EVENTS.length)];
        sent.push(event);
        // Not awaited by the page: the next event comes while this one is being handled.
        await tab.evaluate(`{ ${event.startsWith('{') ? event : `void (${event})`} }`);
        if (next(3) === 0) await new Promise((resolve) => setTimeout(resolve, next(150)));
        if (next(12) === 0) { // closes or reloads while loading
            await tab.goto('about:blank');
            await tab.evaluate('history.back()').catch(() => {}); // the answer may be lost with the page
            await tab.waitForFunction(`location.href.startsWith("${origin}")`);
            await until(tab, 'document.documentElement.dataset.ready !== undefined || location.hash.includes("slow/")');
            await prepare(tab);
        }
    }
    const about = `seed ${seed}:\n${sent.join('\n')}`;
    await tab.evaluate('while (losses.length) losses.pop()?.restoreContext()');
    await tab.evaluate('[...document.querySelectorAll("dialog[open]")].forEach((one) => one.close())');
    if (next(2) === 0) await tab.evaluate(link('model=slow/head.mdc&clip=late'));
    await tab.evaluate('document.title = ""'); // which may be that of an earlier event
    await tab.evaluate(drop('tick.md2', 'tick.pcx'));
    await until(tab, 'document.title.startsWith("tick.md2") || document.title.startsWith("tick ")')
        .catch(async () => assert.fail(`opens no model any more, ${JSON.stringify(await app(tab, STATE))}, ${about}`));
    served.respond(); // earlier links: their answers come too late
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await app(tab, 'app.state.model?.parts[0].frames'), 49, about);
    assert.deepEqual(caught, [], about);
    // The browser reports each rejected download in its console.
    const own = errors.filter((text) => !/404|Failed to load resource|CONTEXT_LOST|context/i.test(text));
    assert.deepEqual(own, [], about);
}

const tests = {};
for (let seed = firstSeed; seed < firstSeed + sequences; seed++)
    tests[`survives the events of seed ${seed}`] = () => runSequence(seed);
assert.ok(Object.keys(tests).length > 0);
await finish(tests);
