// Helpers of browser tests: a server of folders, and Chromium or Firefox.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm' };

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

/** The path of each browser, or undefined. `browserPath` is the one that LERPMESH_BROWSER names: chromium or firefox. */
export const chromium = find('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome');
export const firefox = find('/usr/bin/firefox-esr', '/usr/bin/firefox');
export const inFirefox = process.env.LERPMESH_BROWSER === 'firefox';
export const browserPath = inFirefox ? firefox : chromium;

/** Ends a test in Firefox, which then counts as skipped: WebDriver BiDi lacks something that it needs. */
export function needChromium() {
    if (inFirefox) throw new UnsupportedOperation();
}
class UnsupportedOperation extends Error {
    name = 'UnsupportedOperation'; // puppeteer's name for it
}

/** Starts the browser that LERPMESH_BROWSER names. `options` are Chromium's, `preferences` Firefox's. */
export const launchBrowser = async (options, preferences) => (inFirefox ? (await launchFirefox(preferences)).browser : launchChromium(options));

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

// Headless Firefox has no WebGL 2 in software, so it runs on a virtual display.
function startDisplay() {
    return new Promise((resolve, reject) => {
        const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x960x24', '-noreset', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
        display.on('error', reject);
        display.stdio[3].once('data', (number) => {
            display.unref();
            display.stdio[3].unref();
            resolve({ display, name: `:${String(number).trim()}` });
        });
        process.on('exit', () => display.kill());
    });
}

/** Starts Firefox on its own Xvfb display. */
export async function launchFirefox(preferences = {}) {
    const { default: puppeteer } = await import('puppeteer-core');
    const { display, name } = await startDisplay();
    const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: firefox,
        headless: false,
        env: { ...process.env, DISPLAY: name, MOZ_WEBRENDER: '0', LIBGL_ALWAYS_SOFTWARE: '1' },
        extraPrefsFirefox: { ...preferences, 'webgl.force-enabled': true, 'browser.shell.checkDefaultBrowser': false },
        protocolTimeout: 240000,
    });
    process.on('exit', () => browser.process()?.kill('SIGKILL'));
    return { browser, close: async () => { await browser.close(); display.kill(); } };
}

/**
 * Runs { name: test }, or those whose names contain the program's argument. Returns the number of
 * failures. `errors` collects the tabs' errors; a test that leaves one there fails.
 */
export async function runTests(tests, errors) {
    const only = process.argv[2] ?? '';
    const selected = Object.entries(tests).filter(([name]) => name.includes(only));
    assert.ok(selected.length > 0, `there is no test "${only}"`);
    let failed = 0;
    for (const [name, test] of selected) {
        try {
            await test();
            assert.deepEqual(errors.splice(0), []);
            console.log(`ok: ${name}`);
        } catch (error) {
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
