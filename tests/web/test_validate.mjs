// Checks that Khronos' validator reports nothing for any file written by the command.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';
import { findModels, makeFolder, run } from './common.mjs';

// Accepted: texture coordinates without a texture, which these files lack.
const accepted = ({ code, pointer }) => code === 'UNUSED_OBJECT' && /\/TEXCOORD_0$/.test(pointer);

const folder = makeFolder();

async function validate(path) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
        uri: path,
        maxIssues: 0,
        externalResourceFunction: async (uri) =>
            new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
    });
    return report.issues.messages.filter((message) => !accepted(message));
}

function variants({ info }) {
    const all = [['plain.glb'], ['plain.gltf'], ['quantised.glb', '--quantize'],
        ['space ü.gltf', '--quantize'], ['still.glb', '--frame', '0'],
        ['model.glb', '--axes', 'model', '--scale', '1']];
    const last = info.frames.length - 1;
    if (last > 0) {
        all.push(['range.glb', '--frames', `1-${Math.min(last, 9)}`]);
        all.push(['between.glb', '--frame', '0.5', '--quantize']);
    }
    if (info.gl_commands?.integers) all.push(['commands.glb', '--topology', 'glcommands']);
    return all;
}

let count = 0;
const messages = [];
for (const model of findModels()) {
    for (const [name, ...options] of variants(model)) {
        const out = join(folder, name);
        run('convert', model.path, '-o', out, ...options);
        for (const { code, message, pointer } of await validate(out))
            messages.push(`${model.name} ${[name, ...options].join(' ')}: ${code} ${message} ${pointer}`);
        count++;
    }
}
console.log(`${count} files validated`);
assert.equal(messages.length, 0, messages.slice(0, 40).join('\n'));
