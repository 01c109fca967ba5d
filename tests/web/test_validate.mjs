// Checks that Khronos' validator reports nothing for any file written by the command. It does not
// know EXT_meshopt_compression, so compressed files are also validated after decompression.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { compresses, findModels, makeFolder, run, validate } from './common.mjs';

// Accepted of a compressed file: the extension, and the buffer that only it refers to.
const acceptedPacked = ({ code, message, pointer }) =>
    (code === 'UNSUPPORTED_EXTENSION' && /EXT_meshopt_compression/.test(message)) ||
    (code === 'UNUSED_OBJECT' && pointer === '/buffers/0');

const folder = makeFolder();

const compressed = compresses() ? [['compressed.glb', '--compress', 'meshopt'],
    ['compressed.gltf', '--compress', 'meshopt', '--max-error', '0.1']] : [];

// Writes a compressed .glb again without compression, for the validator only.
async function decompress(path) {
    await MeshoptDecoder.ready;
    const glb = readFileSync(path), length = glb.readUInt32LE(12);
    const json = JSON.parse(glb.subarray(20, 20 + length)), binary = glb.subarray(28 + length);
    const parts = [];
    let size = 0;
    for (const view of json.bufferViews) {
        const packed = view.extensions?.EXT_meshopt_compression;
        const { byteOffset = 0, byteLength } = packed ?? view;
        let bytes = binary.subarray(byteOffset, byteOffset + byteLength);
        if (packed) {
            const { count, byteStride, mode, filter } = packed, data = bytes;
            bytes = new Uint8Array(count * byteStride);
            MeshoptDecoder.decodeGltfBuffer(bytes, count, byteStride, data, mode, filter);
        }
        delete view.extensions;
        Object.assign(view, { buffer: 0, byteOffset: size });
        const padding = new Uint8Array(-bytes.length & 3);
        parts.push(bytes, padding);
        size += bytes.length + padding.length;
    }
    json.buffers = [{ byteLength: size }];
    for (const key of ['extensionsUsed', 'extensionsRequired'])
        json[key] = json[key].filter((name) => name !== 'EXT_meshopt_compression');
    if (json.extensionsRequired.length === 0) delete json.extensionsRequired;
    if (json.extensionsUsed.length === 0) delete json.extensionsUsed;
    const text = Buffer.from(JSON.stringify(json)), out = Buffer.alloc(28);
    const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
    ['glTF', 2, 28 + padded.length + size, padded.length, 'JSON'].forEach((value, i) =>
        typeof value === 'string' ? out.write(value, 4 * i) : out.writeUInt32LE(value, 4 * i));
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32LE(size);
    chunk.write('BIN\0', 4);
    const plain = `${path}.plain.glb`;
    writeFileSync(plain, Buffer.concat([out.subarray(0, 20), padded, chunk, ...parts]));
    return plain;
}

function variants({ info }) {
    const all = [['plain.glb'], ['plain.gltf'], ['quantised.glb', '--quantize'],
        ['space ü.gltf', '--quantize'], ['still.glb', '--frames', '0'],
        ['model.glb', '--axes', 'model', '--unit', '1'], ['skeleton.glb', '--skeleton=8'],
        ['skeleton.gltf', '--skeleton=8', '--quantize'],
        ['corrected.glb', '--skeleton=8', '--correctives', '16'],
        ['corrected.gltf', '--skeleton=8', '--correctives', '4', '--quantize'], ...compressed];
    const last = info.frames.length - 1;
    if (last > 0) {
        all.push(['range.glb', '--frames', `1-${Math.min(last, 9)}`]);
        all.push(['between.glb', '--frames', '0.5', '--quantize']);
    }
    if (info.gl_commands?.integers) all.push(['commands.glb', '--topology', 'glcommands']);
    return all;
}

// Returns whether a file has a skin and corrective shapes. A skeleton that is refused leaves neither.
function isCorrected(path) {
    const bytes = readFileSync(path);
    const json = JSON.parse(path.endsWith('.glb') ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)) : bytes);
    return Boolean(json.skins && json.meshes[0].primitives[0].targets);
}

let count = 0;
const corrected = new Set();
const messages = [];
// Each model is written in every other variant, the next one in the others. Only few have corrective shapes.
for (const [i, model] of findModels().entries()) {
    for (const [name, ...options] of variants(model).filter(([name], v) => (v + i) % 2 === 0 || name.startsWith('corrected'))) {
        const out = join(folder, name);
        run('convert', '-f', model.path, '-o', out, ...options);
        const packed = options.includes('--compress');
        if (isCorrected(out)) corrected.add(name);
        const found = (await validate(out)).filter((one) => !packed || !acceptedPacked(one));
        if (packed && name.endsWith('.glb')) found.push(...await validate(await decompress(out)));
        for (const { code, message, pointer } of found)
            messages.push(`${model.name} ${[name, ...options].join(' ')}: ${code} ${message} ${pointer}`);
        count++;
    }
}
console.log(`${count} files validated`);
assert.deepEqual([...corrected].sort(), ['corrected.glb', 'corrected.gltf']);
assert.equal(messages.length, 0, messages.slice(0, 40).join('\n'));
