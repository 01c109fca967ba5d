// Tests saving models, images and videos on the page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { run } from './common.mjs';
import { app, browser, downloadTo, drop, finish, folder, openPage, openTick, press, source, text, until, waitForDownload } from './page.mjs';

// Returns the size of a video's first image; fails if the browser cannot play it.
async function playVideo(bytes) {
    const tab = await browser.newPage();
    const size = await tab.evaluate((base64) => new Promise((resolve, reject) => {
        const video = document.createElement('video');
        video.onloadeddata = () => resolve([video.videoWidth, video.videoHeight]);
        video.onerror = () => reject(new Error(video.error.message));
        video.src = `data:video/webm;base64,${base64}`;
    }), bytes.toString('base64'));
    await tab.close();
    return size;
}

await finish({
    async 'saves the files that the command writes'() {
        const tab = await openTick();
        const downloads = join(folder, 'downloads');
        const native = join(folder, 'native');
        for (const path of [downloads, native]) mkdirSync(path);
        await downloadTo(downloads);
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        const save = async (label, name) => {
            await app(tab, `[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "${label}").click()`);
            return waitForDownload(join(downloads, name));
        };
        const unzip = (name) => execFileSync('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', join(downloads, name), downloads]);
        const same = (...names) => names.forEach((name) => assert.ok(readFileSync(join(downloads, name)).equals(readFileSync(join(native, name))), name));
        const convert = (name, ...options) => run('convert', '-q', join(source, 'samples/tick.md2'), '-o', join(native, name), ...options);

        await save('GLB', 'tick.glb');
        convert('tick.glb');
        await save('glTF (.zip)', 'tick-gltf.zip');
        unzip('tick-gltf.zip');
        convert('tick.gltf');
        same('tick.glb', 'tick.gltf', 'tick.bin', 'tick_tick.png');
        await tab.click('#step-on'); // pauses
        await app(tab, 'app.show.seek(3)');
        await save('OBJ (.zip)', 'tick-obj.zip');
        unzip('tick-obj.zip');
        convert('tick.obj', '--frame', '15'); // the run begins at 12
        same('tick.obj', 'tick.mtl');
        for (const format of ['md2', 'md3', 'mdc', 'mdl']) {
            await save(format.toUpperCase(), `tick.${format}`);
            convert(`tick.${format}`);
            same(`tick.${format}`);
            assert.equal(JSON.parse(run('info', '--json', join(downloads, `tick.${format}`))).frames.length, 49);
            assert.match(await text(tab, '.losses'), new RegExp(`^tick.${format}: \\d+ bytes; maximum error [\\d.e-]+ units`));
        }
        assert.doesNotMatch(await text(tab, '.losses'), /a grey skin of/);
        assert.equal((await save('Screenshot', 'tick.png')).toString('latin1', 1, 4), 'PNG');
        await tab.close();
    },

    async 'requests a cancelled thumbnail again, and gives the files of a zip different names'() {
        const tab = await openPage();
        const downloads = join(folder, 'all');
        mkdirSync(downloads);
        await downloadTo(downloads);
        await app(tab, `(() => {
            const { library } = app, own = library.thumbnail;
            let count = 0;
            library.thumbnail = (entry) => (count++ === 0 ? Object.assign(Promise.resolve(undefined), { stop() {} }) : own.call(library, entry));
        })()`);
        mkdirSync(join(folder, 'two'));
        run('convert', '-q', join(source, 'samples/tick_head.mdc'), '-o', join(folder, 'two/one.md3'));
        run('convert', '-q', join(source, 'samples/tick_head.mdc'), '-o', join(folder, 'two/one.md2'));
        await drop(tab, [join(folder, 'two')]);
        await until(tab, 'document.querySelectorAll(".cell").length === 2');
        await until(tab, '[...document.querySelectorAll(".cell canvas")].every((canvas) => canvas.width === canvas.height)');
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        await app(tab, '[...document.querySelectorAll(".choices button")].find((one) => one.textContent === "All as GLB (.zip)").click()');
        const zip = join(downloads, 'models.zip');
        await waitForDownload(zip);
        const names = execFileSync('python3', ['-c', 'import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()))', zip], { encoding: 'utf8' });
        assert.equal(names.trim(), 'two/one-1.glb two/one.glb');
        await tab.close();
    },

    async 'records videos of a turntable and of the clip'() {
        const tab = await openPage();
        const downloads = join(folder, 'videos');
        mkdirSync(downloads);
        await downloadTo(downloads);
        await press(tab, 'Save');
        await tab.waitForSelector('.choices');
        const click = (...labels) => app(tab, `${JSON.stringify(labels)}.forEach((label) => [...document.querySelectorAll(".choices button")].find((one) => one.textContent === label).click())`);
        const { azimuth } = await app(tab, 'app.show.camera');
        await click('Turntable video', 'Cancel');
        await until(tab, 'document.querySelector("progress") === null');
        for (const [label, name] of [['Turntable video', 'tick.webm'], ['Clip video', 'tick-run.webm']]) {
            await click(label);
            const bytes = await waitForDownload(join(downloads, name));
            assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, 'no WebM');
            const size = await playVideo(bytes);
            assert.ok(size[0] > 200 && size[1] > 200, `${name} has ${size.join(' x ')} pixels`);
        }
        assert.deepEqual(readdirSync(downloads).sort(), ['tick-run.webm', 'tick.webm']);
        assert.ok(Math.abs(await app(tab, 'app.show.camera.azimuth') - azimuth) < 1e-3);
        await tab.evaluate('delete window.MediaRecorder');
        await click('Turntable video');
        await until(tab, '/cannot record video/.test(document.getElementById("message").textContent)');
        await tab.close();
    },
});
