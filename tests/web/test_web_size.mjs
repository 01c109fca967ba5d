// Measures the transfer size of the web's files. Fails if it exceeds tests/web/web_budget.json by
// a fifth, and prints the folders that grew from a twentieth on. LERPMESH_RENEW=1 writes the current
// sizes: review the difference before committing it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const web = join(process.env.LERPMESH_BUILD_DIR, '..', 'web');
const budget = join(process.env.LERPMESH_SOURCE_DIR, 'tests/web/web_budget.json');
if (!existsSync(join(web, 'npm/wasm.js'))) {
    console.log('skipped: sizes: `make web` has not built the module');
    process.exit(77);
}

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

// Each adapter has at most 12 kB.
for (const adapter of ['three.js', 'r3f.js', 'babylon.js']) {
    const size = packed(join(web, 'npm', adapter));
    assert.ok(size <= 12000, `${adapter} has ${size} bytes gzipped`);
}

// Returns the bytes of the first module by folder before gzip, from the linker's map.
function folders() {
    const found = {};
    for (const line of readFileSync(join(web, 'first.map'), 'utf8').split('\n')) {
        const [, size, name] = /^\s*\S+\s+\S+\s+([0-9a-f]+)\s+(\S.*):\(/.exec(line) ?? [];
        if (!name) continue;
        const path = name.replace(/^.*\/web\/objects\//, '');
        const folder = /\.a\(/.test(name) ? 'libc'
            : path.replace(/\/[^/]*$/, '').split('/').slice(0, 3).join('/');
        found[folder] = (found[folder] ?? 0) + parseInt(size, 16);
    }
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const now = folders();
assert.ok(Object.keys(now).length > 10 && now.libc > 0, 'the test cannot parse the map of the module');
const known = JSON.parse(readFileSync(budget, 'utf8'));
if (process.env.LERPMESH_RENEW) writeFileSync(budget, JSON.stringify({ ...known, folders: now }, null, 2) + '\n');
for (const [part, size] of Object.entries(sizes)) console.log(`${part}: ${size} bytes gzipped, budget ${known.most[part]}`);
const over = (share) => Object.keys(sizes).filter((part) => !(sizes[part] <= share * known.most[part]));
if (over(1.05).length > 0) {
    const grown = [...new Set([...Object.keys(now), ...Object.keys(known.folders)])]
        .map((folder) => [(now[folder] ?? 0) - (known.folders[folder] ?? 0), folder])
        .filter(([by]) => by !== 0).sort(([a], [b]) => b - a);
    for (const [by, folder] of grown) console.log(`  ${by > 0 ? '+' : ''}${by} bytes before gzip: ${folder}`);
}
assert.deepEqual(over(1.2), [], 'too large');
