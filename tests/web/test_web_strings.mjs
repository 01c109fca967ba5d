// Tests that every text of the page is in its catalogue, web/page/strings*.js: no other script and no
// HTML contains a text that users read, and each name in the catalogue is used. Tests that the catalogues
// of other languages have the same names, and translate every text.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const page = join(process.env.LERPMESH_SOURCE_DIR, 'web/page');
const first = { ...(await import(join(page, 'strings.js'))).STRINGS };
const { STRINGS } = await import(join(page, 'strings_later.js')); // which adds to the first
const read = (name) => readFileSync(join(page, name), 'utf8');
const scripts = readdirSync(page).filter((name) => name.endsWith('.js') && !name.startsWith('strings'));

/** Returns the string literals of a script: { text, before: the code before it }. A `${...}` counts as ~. */
function literals(code) {
    const found = [];
    // Reads code from `at` up to the closing brace of a template's expression, or to the end.
    function readCode(at, inTemplate) {
        for (let depth = 0; at < code.length; at++) {
            const c = code[at], two = code.slice(at, at + 2);
            if (two === '//') at = (code.indexOf('\n', at) + code.length + 1) % (code.length + 1) - 1;
            else if (two === '/*') at = code.indexOf('*/', at) + 1;
            else if (c === '/' && /(^|[(=,:[!&|?{};\n]|=>|return)\s*$/.test(code.slice(Math.max(at - 20, 0), at))) at = readPattern(at + 1);
            else if (c === '"' || c === "'" || c === '`') at = readString(at);
            else if (c === '{') depth++;
            else if (c === '}' && inTemplate && depth-- === 0) return at;
        }
        return at;
    }
    function readPattern(at) {
        for (let inClass = false; code[at] !== '/' || inClass; at++) {
            if (code[at] === '\\') at++;
            else if ('[]'.includes(code[at])) inClass = code[at] === '[';
        }
        return at;
    }
    function readString(begin) {
        let at = begin + 1, text = '';
        for (; code[at] !== code[begin]; at++) {
            if (code[at] === '\\') text += code[++at];
            else if (code[begin] === '`' && code.startsWith('${', at)) {
                at = readCode(at + 2, true);
                text += '~';
            } else text += code[at];
        }
        found.push({ text, before: code.slice(Math.max(begin - 60, 0), begin) });
        return at;
    }
    readCode(0, false);
    return found;
}

// Code before texts that users read, and before strings that they do not.
const VISIBLE = /(makeElement\([^,()]*,|makeButton\([^,]*,|new Option\(|showMessage\(|(textContent|innerText|placeholder|alt|title|label|ariaLabel)( =|:)|"(aria-label|title|alt|placeholder)",)\s*$/;
const SELECTOR = /(querySelector(All)?|closest|matches|matchMedia)\($/;
const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', 'AltGraph']);
const SENTENCE = /\p{L}{2,}[,.:;!?]? \p{L}{2,}|^\p{Lu}\p{Ll}+/u;
const isVisible = ({ text, before }) => /\p{L}/u.test(text) && !SELECTOR.test(before) && !KEYS.has(text) &&
    (VISIBLE.test(before) || SENTENCE.test(text.replace(/<[^>]+>/g, ''))); // not HTML's tags

const outside = [];
let count = 0;
for (const name of scripts)
    for (const literal of literals(read(name))) {
        count++;
        if (isVisible(literal)) outside.push(`${name}: "${literal.text}"`);
    }
assert.ok(count > 400, `found only ${count} literals`);
const html = read('index.html').replace(/<!--.*?-->/gs, '');
const texts = [
    ...[...html.matchAll(/>([^<>]+)</g)].map(([, text]) => text),
    ...[...html.matchAll(/\b(?:alt|title|placeholder|aria-label)="([^"]*)"/g)].map(([, text]) => text),
    ...[...html.matchAll(/<meta name="description" content="([^"]*)"/g)].map(([, text]) => text),
    JSON.parse(read('manifest.webmanifest')).description,
];
assert.ok(texts.length > 10, `found only ${texts.length} texts in the HTML`);
for (const text of texts)
    if (/\p{L}/u.test(text) && !/^(lerpmesh|%\w+%)$/.test(text.trim())) outside.push(`index.html: "${text.trim()}"`);
assert.deepEqual(outside, [], 'texts outside of the catalogue');

const used = new Set([
    ...scripts.flatMap((name) => [...read(name).matchAll(/\bT\.(\w+)/g)].map(([, key]) => key)),
    ...[...html.matchAll(/data-(?:text|label)="(\w+)"|%(\w+)%/g)].map(([, label, text]) => label ?? text),
    'links', // inserted by scripts/web_pack.mjs
]);
used.delete('pageUrl'); // also by this
assert.deepEqual([...used].filter((key) => !(key in STRINGS)), [], 'names that the catalogue lacks');
assert.deepEqual(Object.keys(STRINGS).filter((key) => !used.has(key)), [], 'unused names in the catalogue');
// Scripts that import only the first part use no other texts.
for (const name of scripts.filter((one) => read(one).includes('"./strings.js"')))
    for (const [, key] of read(name).matchAll(/\bT\.(\w+)/g)) assert.ok(key in first, `${name} uses ${key} of strings_later.js`);
// ---- Other languages -------------------------------------------------------------------------

// Arguments for functions that do not take numbers.
const ARGUMENTS = { formatOf: ['md2', 8], summary: ['md2', 8, 2], problemCounts: [{ errors: 1, warnings: 2, notes: 1 }], uvOf: [2, ['skin']] };
// Texts that are the same in German: terms of the formats, names, and numbers.
const SAME = new Set(['shades.studio', 'toggles.tags', 'frameOf', 'clip', 'speeds', 'canvasLabel', 'tabs.skins', 'tabs.uv', 'format', 'number', 'frames',
    'skinSize', 'surfaceOf', 'surfaceHeads.0', 'surfaceHeads.3', 'clips', 'clipHeads.0', 'clipHeads.1', 'framesOf', 'tags', 'skins',
    'attachTag', 'header', 'fieldHeads.0', 'lumps', 'lumpHeads.0', 'spanHeads.0', 'saveAs.glb', 'saveAs.gltf', 'saveAs.obj', 'sizeOf',
    'languages.en', 'languages.de', ...[0, 1, 2, 3].flatMap((i) => [`openable.${i}.0`, `openable.${i}.1`]), 'openable.4.0', 'openable.5.0']);
const KEY_NAMES = /^keys\.\d+\.0$/; // some keys have the same name

function compare(path, english, other, problems) {
    const report = (text) => problems.push(`${path}: ${text}`);
    if (typeof english !== typeof other || Array.isArray(english) !== Array.isArray(other)) return report(`${typeof other} instead of ${typeof english}`);
    if (typeof english === 'object') {
        if (Object.keys(english).sort().join() !== Object.keys(other).sort().join()) report(`other names: ${Object.keys(other)}`);
        for (const key of Object.keys(english)) if (key in other) compare([...(path ? [path] : []), key].join('.'), english[key], other[key], problems);
        return;
    }
    if (typeof english === 'function' && english.length !== other.length) report(`${other.length} parameters instead of ${english.length}`);
    const call = (text) => (typeof text === 'function' ? text(...(ARGUMENTS[path] ?? [2, 3, 4, 5])) : text);
    const [before, after] = [english, other].map(call);
    if (before === after && !SAME.has(path) && !KEY_NAMES.test(path)) report(`not translated: ${before}`);
    if (before !== after && SAME.has(path)) report(`differs: ${after}`);
    if (/undefined|NaN/.test(after)) report(after);
    if ((before.match(/\d+/g) ?? []).length > (after.match(/\d+/g) ?? []).length) report(`lost a number: ${after}`);
}

for (const name of readdirSync(page).filter((one) => /^strings_\w\w\.js$/.test(one))) {
    const { STRINGS: other } = await import(join(page, name));
    const problems = [];
    compare('', STRINGS, other, problems);
    assert.deepEqual(problems, [], name);
    console.log(`ok: ${name}`);
}
console.log(`ok: ${Object.keys(STRINGS).length} names in the catalogue, ${count} literals outside of it`);
