// Helpers of browser tests: a server of folders, and Chromium or Firefox.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

export const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm' };

/**
 * Serves { "/prefix/": folder, "/name.html": text }. Returns { origin, requested: paths in the order
 * of the requests }. Other paths get 404.
 */
export async function serve(routes) {
    const requested = [];
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
        requested.push(path);
        const prefix = Object.keys(routes).filter((one) => path.startsWith(one)).sort((a, b) => b.length - a.length)[0];
        const target = routes[prefix];
        let body = null;
        if (prefix === path && !existsSync(target)) body = target;
        else if (target !== undefined) {
            const file = join(target, path.slice(prefix.length));
            const index = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
            if (existsSync(index)) body = readFileSync(index);
        }
        if (body === null) return response.writeHead(404).end();
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? (path.endsWith('/') ? 'text/html' : 'application/octet-stream') }).end(body);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    return { origin: `http://127.0.0.1:${server.address().port}`, requested, close: () => server.close() };
}

const find = (...paths) => paths.find(existsSync);

/** The path of each browser, or undefined. LERPMESH_BROWSER names the one that runs the tests: chromium or firefox. */
export const chromium = find('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome');
export const firefox = find('/usr/bin/firefox-esr', '/usr/bin/firefox');
export const inFirefox = process.env.LERPMESH_BROWSER === 'firefox';
const browserPath = inFirefox ? firefox : chromium;

/** Ends a test in Firefox, which then counts as skipped: WebDriver BiDi lacks something that it needs. */
export function needChromium() {
    if (inFirefox) throw new UnsupportedOperation();
}
class UnsupportedOperation extends Error {
    name = 'UnsupportedOperation'; // puppeteer's name for it
}

/**
 * Starts the browser that LERPMESH_BROWSER names. `options` are Chromium's, `preferences` Firefox's. Ends the program, which
 * counts as skipped, if there is none.
 */
export async function launchBrowser(options, preferences) {
    if (browserPath) return inFirefox ? launchFirefox(preferences) : launchChromium(options);
    console.log('skipped: there is no browser');
    process.exit(77);
}

/** Starts Chromium with WebGL 2 in software. */
export async function launchChromium(options = {}) {
    const { default: puppeteer } = await import('puppeteer-core');
    const browser = await puppeteer.launch({
        executablePath: chromium,
        args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
        protocolTimeout: 240000,
        ...options,
    });
    process.on('exit', () => browser.process()?.kill('SIGKILL'));
    return browser;
}

/** Opens an address in a tab, whose errors `errors` collects. */
export async function newTab(browser, errors, address) {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && !/404/.test(message.text()) && errors.push(message.text()));
    await tab.setViewport({ width: 640, height: 480 });
    await tab.goto(address);
    return tab;
}

/** Returns the number of colours in a tab's picture, and the picture. */
export async function countColors(tab) {
    const picture = Buffer.from(await tab.screenshot());
    const colors = await tab.evaluate(`createImageBitmap(new Blob([Uint8Array.from(atob("${picture.toString('base64')}"), (c) => c.charCodeAt(0))])).then((image) => {
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size; })`);
    return { colors, picture };
}

/** Waits until a tab's picture has more colours than an empty one, and then until it changes. */
export async function expectMotion(tab, errors, most = 1000) {
    let before = null;
    for (const end = Date.now() + 60000; ; ) {
        const { colors, picture } = await countColors(tab);
        assert.deepEqual(errors, []);
        if (before && !before.equals(picture)) return;
        assert.ok(Date.now() < end, before ? 'nothing moves' : `the picture has only ${colors} colours`);
        if (colors > most) before ??= picture;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

// Headless Firefox has no WebGL 2 in software, so it runs on a virtual display. Returns its name.
function startDisplay() {
    return new Promise((resolve, reject) => {
        const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x960x24', '-noreset', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
        display.on('error', reject);
        display.stdio[3].once('data', (number) => {
            display.unref();
            display.stdio[3].unref();
            resolve(`:${String(number).trim()}`);
        });
        process.on('exit', () => display.kill());
    });
}

async function launchFirefox(preferences = {}) {
    const { default: puppeteer } = await import('puppeteer-core');
    const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: firefox,
        headless: false,
        env: { ...process.env, DISPLAY: await startDisplay(), MOZ_WEBRENDER: '0', LIBGL_ALWAYS_SOFTWARE: '1' },
        extraPrefsFirefox: { ...preferences, 'webgl.force-enabled': true, 'browser.shell.checkDefaultBrowser': false },
        protocolTimeout: 240000,
    });
    process.on('exit', () => browser.process()?.kill('SIGKILL'));
    return browser;
}

/**
 * Runs { name: test }, or those whose names contain the program's argument. Returns the number of
 * failures. `errors` collects the tabs' errors; a test that leaves one there fails. A test with a
 * parameter gets a tab from `open`, which is then closed.
 */
export async function runTests(tests, errors, open) {
    const only = process.argv[2] ?? '';
    const selected = Object.entries(tests).filter(([name]) => name.includes(only));
    assert.ok(selected.length > 0, `there is no test "${only}"`);
    let failed = 0;
    for (const [name, test] of selected) {
        const start = performance.now();
        let tab = null;
        try {
            tab = test.length > 0 ? await open() : null;
            await test(tab);
            await tab?.close();
            assert.deepEqual(errors.splice(0), []);
            console.log(`ok: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
        } catch (error) {
            await tab?.close().catch(() => {});
            errors.length = 0;
            if (inFirefox && error.name === 'UnsupportedOperation') {
                console.log(`skipped: ${name}: WebDriver BiDi lacks what it needs`);
                continue;
            }
            failed++;
            console.log(`FAILED: ${name}: ${error.stack}`);
        }
    }
    return failed;
}
