// validate_all.mjs FOLDER: runs the glTF validator on every .glb below a folder. Fails on an error
// or a warning, and if there are no files. Tangents are left to the viewers, and
// a game's images keep their colour information (docs/reference/gltf.md).
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import validator from 'gltf-validator';

const counts = { files: 0, numErrors: 0, numWarnings: 0, numInfos: 0 };
const names = readdirSync(process.argv[2], { recursive: true }).map(String).sort();
for (const name of names.filter((name) => name.endsWith('.glb'))) {
    const bytes = new Uint8Array(readFileSync(join(process.argv[2], name)));
    const { issues } = await validator.validateBytes(bytes, {
        maxIssues: 10000,
        ignoredIssues: ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE', 'IMAGE_FEATURES_UNSUPPORTED'],
    });
    counts.files++;
    for (const kind of ['numErrors', 'numWarnings', 'numInfos']) counts[kind] += issues[kind];
    for (const { severity, code, message, pointer } of issues.messages)
        if (severity < 2) console.log(`${name}: ${code} ${pointer}: ${message}`);
}
console.log(
    `validator: ${counts.files} files, ${counts.numErrors} errors, ` +
        `${counts.numWarnings} warnings, ${counts.numInfos} infos`,
);
process.exit(counts.files > 0 && counts.numErrors + counts.numWarnings === 0 ? 0 : 1);
