// Tests what scripts/web_pack.mjs inserts into the page: its picture for social networks, and its links.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from './common.mjs';

const source = process.env.LERPMESH_SOURCE_DIR;
const page = join(process.env.LERPMESH_BUILD_DIR, '..', 'web', 'page');
if (!existsSync(join(page, 'index.html'))) {
    console.log('skipped: the page: `make web` has not built it');
    process.exit(77);
}

// Returns the page's HTML for these variables in the environment.
function pack(environment) {
    const folder = makeFolder();
    for (const name of ['index.html', 'manifest.webmanifest']) cpSync(join(source, 'web/page', name), join(folder, name));
    const { HOMEPAGE, PAGE_URL, ...others } = process.env;
    execFileSync('node', ['scripts/web_pack.mjs', 'html', folder], { cwd: source, env: { ...others, ...environment } });
    return readFileSync(join(folder, 'index.html'), 'utf8');
}
const property = (html, name) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
const links = (html) => [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]+)<\/a>/g)].map(([, address, text]) => [text, address]);

const html = pack({ HOMEPAGE: 'https://example.org/code', PAGE_URL: 'https://example.org/page/' });
assert.equal(property(html, 'og:image'), 'https://example.org/page/social.png');
assert.equal(property(html, 'og:title'), 'lerpmesh');
for (const name of ['og:description', 'og:image:alt', 'description']) assert.match(property(html, name), /^[A-Z][\w ,.;:]{30,}$/, name);
assert.deepEqual(links(html), [
    ['Source code', 'https://example.org/code'],
    ['Documentation', 'https://example.org/page/docs/'],
    ['npm package', 'https://www.npmjs.com/package/lerpmesh'],
]);
const local = pack({});
assert.equal(property(local, 'og:image'), 'social.png');
assert.deepEqual(links(local), []);
assert.doesNotMatch(html + local, /%\w+%|undefined/);

// The picture: large enough for social networks, small, and not among the files that the page caches.
const picture = readFileSync(join(page, 'social.png'));
assert.equal(picture.toString('latin1', 1, 4), 'PNG');
assert.ok(picture.readUInt32BE(16) >= 600 && picture.readUInt32BE(20) >= 315 && picture.length < 100000);
const worker = readFileSync(join(page, 'sw.js'), 'utf8');
assert.match(worker, /"app\.js"/);
assert.doesNotMatch(worker, /social/);
console.log('ok: the picture and the links of the page');
