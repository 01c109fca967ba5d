// Helpers of the tests: the models, the command, and a folder for its output.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

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
    const sample = join(process.env.LERPMESH_SOURCE_DIR, 'samples', 'tick.md2');
    const { stderr } = spawnSync(binary(), ['convert', '--compress', 'meshopt', '--format', 'glb', '-o', '-', sample]);
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
    const source = process.env.LERPMESH_SOURCE_DIR;
    const folders = [process.env.LERPMESH_CORPUS, process.env.ASSIMP_MODELS, source && join(source, 'samples')];
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

export function makeFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'lerpmesh-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}
