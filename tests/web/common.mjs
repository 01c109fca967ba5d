// Helpers of the tests: the models, the package, the command, and a folder for its output.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export const source = process.env.LERPMESH_SOURCE_DIR;
export const samples = join(source, 'samples');
export const readSample = (name) => readFileSync(join(samples, name));
export const web = join(process.env.LERPMESH_BUILD_DIR, '..', 'web');

/** Returns the folder "npm" or "page" that `make web` has built. Ends the program, which counts as skipped, without it. */
export function builtFolder(name) {
    const folder = join(web, name);
    if (existsSync(folder)) return folder;
    console.log(`skipped: \`make web\` has not built ${folder}`);
    process.exit(77);
}

const formats = /\.(md2|mdc|md3|mdl)$/i;

// Half-Life's and other games' models have the extension .mdl as well.
const isOtherFormat = (path) => /\.mdl$/i.test(path) && readFileSync(path).subarray(0, 4).toString('latin1') !== 'IDPO';

function modelsBelow(folder) {
    if (!folder || !existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true })
        .map((name) => join(folder, name))
        .filter((path) => formats.test(path) && !isOtherFormat(path) && !/[/\\](broken|attack|node_modules|build)[/\\]/.test(path));
}

function binary() {
    assert(process.env.LERPMESH_BINARY, 'LERPMESH_BINARY is not set to the path of the command');
    return process.env.LERPMESH_BINARY;
}

export function run(...parameters) {
    return execFileSync(binary(), parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

// Returns whether the command can compress glTF, which needs meshoptimizer.
export function compresses() {
    const { stderr } = spawnSync(binary(), ['convert', '--compress', 'meshopt', '--format', 'glb', '-o', '-', join(samples, 'tick.md2')]);
    const can = !/needs meshoptimizer/.test(stderr);
    if (!can) console.log('skipped: compressed files: meshoptimizer is not installed');
    return can;
}

function readInfo(path) {
    try {
        return JSON.parse(run('info', '--json', path));
    } catch {
        return null;
    }
}

// Returns all models that the command can read, with its description of them. Formats that are not
// supported yet are skipped entirely; rejecting a model of another format is an error.
export function findModels() {
    const folders = [process.env.LERPMESH_CORPUS, process.env.ASSIMP_MODELS, samples];
    for (const name of ['LERPMESH_CORPUS', 'ASSIMP_MODELS'])
        if (!existsSync(process.env[name] ?? ''))
            console.log(`skipped: ${name}: it names no folder of models`);
    const models = [...new Set(folders.flatMap(modelsBelow))].sort()
        .map((path) => ({ path, name: basename(path), info: readInfo(path) }));
    const extension = ({ path }) => path.slice(-3).toLowerCase();
    const known = new Set(models.filter((model) => model.info).map(extension));
    const wanted = models.filter((model) => known.has(extension(model)));
    assert(wanted.length > 0, 'found no models to test');
    assert(known.has('md2') && known.has('mdc') && known.has('mdl'), `found models of ${[...known]} only`);
    for (const { path, info } of wanted) assert(info, `the command rejects ${path}`);
    return wanted;
}

// Packs files into a zip: names and their bytes or texts.
export function zip(path, files) {
    const entries = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
    execFileSync('python3', ['-c', `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for name, text in json.load(sys.stdin): z.writestr(name, base64.b64decode(text))`, path], { input: JSON.stringify(entries) });
    return path;
}

export function unzip(path, folder) {
    execFileSync('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', path, folder]);
}

// Returns the bytes of the files in each archive, in the order of their names. All archives take one start of Python.
export function unzipped(paths) {
    const packed = execFileSync('python3', ['-c', `
import base64, json, sys, zipfile
archives = map(zipfile.ZipFile, sys.argv[1:])
json.dump([[base64.b64encode(z.read(name)).decode() for name in sorted(z.namelist())] for z in archives], sys.stdout)`, ...paths], { maxBuffer: 1 << 26 });
    return JSON.parse(packed).map((files) => files.map((text) => new Uint8Array(Buffer.from(text, 'base64'))));
}

// Returns Khronos' validator's messages on a glTF, without those on texture coordinates that lack a texture, and on the
// size of images, which are those of the game.
export async function validate(path) {
    const { default: validator } = await import('gltf-validator');
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
        uri: path,
        maxIssues: 0,
        ignoredIssues: ['IMAGE_NPOT_DIMENSIONS'],
        externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
    });
    return report.issues.messages.filter(({ code, pointer }) => !(code === 'UNUSED_OBJECT' && /\/TEXCOORD_0$/.test(pointer)));
}

export function makeFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'lerpmesh-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

// Returns a generator of numbers below a limit (mulberry32).
export function numbers(seed) {
    let state = seed >>> 0;
    return (limit) => {
        state = (state + 0x6d2b79f5) >>> 0;
        let bits = Math.imul(state ^ (state >>> 15), state | 1);
        bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
        return ((bits ^ (bits >>> 14)) >>> 0) % limit;
    };
}
