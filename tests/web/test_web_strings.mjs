// Tests that the page's catalogue, web/page/strings*.js, has each name that the page uses and no other, and
// that the catalogues of other languages have the same names, and translate every text. Tests what
// scripts/web_pack.mjs inserts into the page: its picture for social networks, and its links.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { builtFolder, makeFolder, source } from './common.mjs';

const page = join(source, 'web/page');
const { LANGUAGES, STRINGS: early, formattersOf } = await import(join(page, 'strings.js'));
const first = { ...early };
const { STRINGS } = await import(join(page, 'strings_later.js')); // which adds to the first
const read = (name) => readFileSync(join(page, name), 'utf8');
const scripts = readdirSync(page).filter((name) => name.endsWith('.js') && !name.startsWith('strings'));

const html = read('index.html').replace(/<!--.*?-->/gs, '');
const used = new Set([
    ...scripts.flatMap((name) => [...read(name).matchAll(/\bT\.(\w+)/g)].map(([, key]) => key)),
    ...[...html.matchAll(/data-(?:text|label)="(\w+)"|%(\w+)%/g)].map(([, label, text]) => label ?? text),
    // The playback of the component and the page.
    ...[...readFileSync(join(page, '../lib/controls.js'), 'utf8').matchAll(/\btexts\.(\w+)/g)].map(([, key]) => key),
    'links', // inserted by scripts/web_pack.mjs
]);
used.delete('pageUrl'); // also by this
assert.deepEqual([...used].filter((key) => !(key in STRINGS)), [], 'names that the catalogue lacks');
assert.deepEqual(Object.keys(STRINGS).filter((key) => !used.has(key)), [], 'unused names in the catalogue');
// Scripts that import only the first part use no other texts.
for (const name of scripts.filter((one) => read(one).includes('T } from "./strings.js"')))
    for (const [, key] of read(name).matchAll(/\bT\.(\w+)/g)) assert.ok(key in first, `${name} uses ${key} of strings_later.js`);

// ---- Other languages -------------------------------------------------------------------------

// Arguments for functions that do not take numbers.
const ARGUMENTS = { formatOf: ['md2', 8], summary: ['md2', 8, 2], problemCounts: [{ errors: 1, warnings: 2, notes: 1 }], uvOf: [2, ['skin']] };
// Texts that are the same in other languages: terms of the formats, names, and numbers. The catalogues lack those that
// are not in a list.
const FORMATS = ['frameShort', 'clip', 'pause', 'speedOf', 'canvasLabel', 'tabs.skins', 'tabs.uv', 'shades.studio', 'format', 'number', 'skinSize', 'surfaceOf',
    'clips', 'framesOf', 'skins', 'saveAs.glb', 'saveAs.gltf', 'saveAs.iqm', 'saveAs.obj', 'sizeOf', 'languages',
    ...[0, 1, 2, 3].flatMap((i) => [`openable.${i}.0`, `openable.${i}.1`]), 'openable.4.0', 'openable.5.0', 'openable.6.0'];
const SAME = {
    de: new Set([...FORMATS, 'toggles.tags', 'frames', 'surfaceHeads.0', 'surfaceHeads.3', 'clipHeads.0', 'clipHeads.1', 'tags', 'attachTag', 'header', 'fieldHeads.0',
        'lumps', 'lumpHeads.0', 'spanHeads.0']),
    fr: new Set([...FORMATS, 'shades.texture', 'toggles.axes', 'formatOf', 'pixelsOf', 'surfaces', 'surfaceHeads.2', 'textures', 'surface', 'uvOf']),
};
const KEY_NAMES = /^keys\.\d+\.0$/; // some keys have the same name

function compare(path, english, other, same, problems) {
    const report = (text) => problems.push(`${path}: ${text}`);
    if (typeof english !== typeof other || Array.isArray(english) !== Array.isArray(other)) return report(`${typeof other} instead of ${typeof english}`);
    if (typeof english === 'object') {
        const names = Object.keys(english).filter((key) => path || !same.has(key) || key in other); // without those that are the same
        if (names.sort().join() !== Object.keys(other).sort().join()) report(`other names: ${Object.keys(other)}`);
        for (const key of Object.keys(english)) if (key in other) compare([...(path ? [path] : []), key].join('.'), english[key], other[key], same, problems);
        return;
    }
    if (typeof english === 'function' && english.length !== other.length) report(`${other.length} parameters instead of ${english.length}`);
    const call = (text) => (typeof text === 'function' ? text(...(ARGUMENTS[path] ?? [2, 3, 4, 5])) : text);
    const [before, after] = [english, other].map(call);
    if (before === after && !(same.has(path) && path.includes('.')) && !KEY_NAMES.test(path)) report(`not translated: ${before}`);
    if (before !== after && same.has(path)) report(`differs: ${after}`);
    if (/undefined|NaN/.test(after)) report(after);
    if ((before.match(/\d+/g) ?? []).length > (after.match(/\d+/g) ?? []).length) report(`lost a number: ${after}`);
}

const catalogues = readdirSync(page).filter((one) => /^strings_\w\w\.js$/.test(one));
for (const codes of [LANGUAGES, STRINGS.languages]) assert.deepEqual(Object.keys(codes), ['en', ...catalogues.map((name) => name.slice(8, 10))]);
for (const name of catalogues) {
    const { translate } = await import(join(page, name));
    const language = /_(\w\w)\.js$/.exec(name)[1];
    const other = translate(formattersOf(language));
    const problems = [];
    compare('', STRINGS, other, SAME[language], problems);
    assert.deepEqual(problems, [], name);
    console.log(`ok: ${name}`);
}
console.log(`ok: ${Object.keys(STRINGS).length} names in the catalogue`);

// ---- The packed page -------------------------------------------------------------------------

// Returns the page's HTML for these variables in the environment.
function pack(environment) {
    const folder = makeFolder();
    for (const name of ['index.html', 'manifest.webmanifest']) cpSync(join(page, name), join(folder, name));
    const { HOMEPAGE, PAGE_URL, ...others } = process.env;
    execFileSync('node', ['scripts/web_pack.mjs', 'html', folder], { cwd: source, env: { ...others, ...environment } });
    return readFileSync(join(folder, 'index.html'), 'utf8');
}
const property = (html, name) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
const links = (html) => [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]+)<\/a>/g)].map(([, address, text]) => [text, address]);

const packed = pack({ HOMEPAGE: 'https://example.org/code', PAGE_URL: 'https://example.org/page/' });
assert.equal(property(packed, 'og:image'), 'https://example.org/page/social.png');
assert.equal(property(packed, 'og:title'), 'lerpmesh');
for (const name of ['og:description', 'og:image:alt', 'description']) assert.match(property(packed, name), /^[A-Z][\w ,.;:]{30,}$/, name);
assert.deepEqual(links(packed), [
    ['Source code', 'https://example.org/code'],
    ['Documentation', 'https://example.org/page/docs/'],
    ['npm package', 'https://www.npmjs.com/package/lerpmesh'],
]);
const local = pack({});
assert.equal(property(local, 'og:image'), 'social.png');
assert.deepEqual(links(local), []);
assert.doesNotMatch(packed + local, /%\w+%|undefined/);

// The picture: large enough for social networks, small, and not among the files that the page caches.
const picture = readFileSync(join(page, 'social.png'));
assert.equal(picture.toString('latin1', 1, 4), 'PNG');
assert.ok(picture.readUInt32BE(16) >= 600 && picture.readUInt32BE(20) >= 315 && picture.length < 100000);
const worker = readFileSync(join(builtFolder('page'), 'sw.js'), 'utf8');
assert.match(worker, /"app\.js"/);
assert.doesNotMatch(worker, /social/);
console.log('ok: the picture and the links of the page');
