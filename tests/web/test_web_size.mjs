// Measures the transfer size of the web's files. Fails if it exceeds tests/web/web_budget.json by a fifth.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { builtFolder, makeFolder, source, web } from './common.mjs';

builtFolder('npm');

// A module is sent in base64 and gzipped again, which undoes the growth by a third.
const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).length;
const inside = (script) => {
    const text = /"([A-Za-z0-9+/=]{1000,})"/.exec(readFileSync(join(web, 'npm', script), 'utf8'))[1];
    return Buffer.from(text, 'base64').length;
};
const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
const sum = (paths) => paths.reduce((all, path) => all + packed(path), 0);
// The page's files up to its first frame: those that its HTML names, and the model.
// tests/web/test_web_page_open.mjs tests that the page fetches no other ones before.
const html = readFileSync(join(web, 'page/index.html'), 'utf8');
const first = ['index.html', 'tick.md2.pack', 'tick.pcx.pack', ...[...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(([, name]) => name)];
assert.ok(first.includes('app.js') && first.includes('style.css') && first.length > 9, `the page names other files: ${first}`);
const sizes = {
    module: inside('wasm.js'),
    more: inside('more.js'),
    page: sum(first.map((name) => join(web, 'page', name))), // up to its first frame
    package: sum(files(join(web, 'npm'))),
};

// What a minimal application downloads: the scripts that it needs at first, minified, and the module. three.js itself and
// the model do not count.
function downloadOf(code) {
    const folder = makeFolder();
    writeFileSync(join(folder, 'app.js'), code.replaceAll('lerpmesh/', `${join(web, 'npm')}/`));
    execFileSync('esbuild', ['app.js', '--bundle', '--minify', '--splitting', '--format=esm', '--target=es2022', '--external:three', '--log-level=error',
        '--outdir=out', '--metafile=meta.json'], { cwd: folder });
    const { outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const scripts = new Set(['out/app.js']); // grows during the loop
    for (const script of scripts) for (const { path, kind } of outputs[script].imports) if (kind === 'import-statement' && outputs[path]) scripts.add(path);
    return [...scripts].map((script) => join(folder, script));
}
const wasm = (name) => join(web, 'npm', `${name}.wasm`);
const brotli = (paths) => paths.reduce((all, path) => all + brotliCompressSync(readFileSync(path)).length, 0);
const applications = {
    core: [wasm('core')],
    'core, open()': [wasm('core'), ...downloadOf('import { open } from "lerpmesh/core.js"; open("a.md2");')],
    three: [wasm('core'), ...downloadOf('import { KeyframeLoader } from "lerpmesh/three.js"; new KeyframeLoader().loadAsync("a.md2");')],
    'lerpmesh, open()': [wasm('lerpmesh'), ...downloadOf('import { open } from "lerpmesh/index.js"; open("a.md2");')],
    view: [wasm('lerpmesh'), ...downloadOf('import "lerpmesh/view.js";')],
};
for (const [name, paths] of Object.entries(applications)) console.log(`${name}: ${sum(paths)} bytes gzipped, ${brotli(paths)} with brotli`);
assert.ok(sum(applications.core) <= 80000, 'the core is too large');
assert.ok(sum(applications.three) <= 95000, 'a minimal three.js application downloads too much');

// Each adapter has at most 12 kB.
for (const adapter of ['three.js', 'r3f.js', 'babylon.js']) {
    const size = packed(join(web, 'npm', adapter));
    assert.ok(size <= 12000, `${adapter} has ${size} bytes gzipped`);
}

const { most } = JSON.parse(readFileSync(join(source, 'tests/web/web_budget.json'), 'utf8'));
for (const [part, size] of Object.entries(sizes)) console.log(`${part}: ${size} bytes gzipped, budget ${most[part]}`);
assert.deepEqual(Object.keys(sizes).filter((part) => !(sizes[part] <= 1.2 * most[part])), [], 'too large');
