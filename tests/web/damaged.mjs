// Opens thousands of damaged files with the package: test_web_damage.mjs does so in node and in a
// page.

function expect(condition, message) {
    if (!condition) throw new Error(message);
}

// ---- Damage -----------------------------------------------------------------------------------------

let state = 0x9e3779b9;
const randomBelow = (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
};
const NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];
// Most damage is in the headers: the first bytes, and in archives the last.
function damage(bytes, ends) {
    const broken = Uint8Array.from(randomBelow(8) === 0 ? bytes.subarray(0, randomBelow(bytes.length + 1)) : bytes);
    const view = new DataView(broken.buffer);
    for (let k = randomBelow(6) + 1; k > 0 && broken.length > 8; k--) {
        const range = randomBelow(3) ? Math.min(400, broken.length) : broken.length;
        const at = Math.max(ends && randomBelow(2) ? broken.length - 1 - randomBelow(range) : randomBelow(range), 0);
        if (randomBelow(2)) broken[at] = randomBelow(256);
        else if (at + 4 <= broken.length) view.setUint32(at, NUMBERS[randomBelow(NUMBERS.length)], true);
    }
    return broken;
}

// ---- Use of each file -------------------------------------------------------------------------------

async function useModel({ lib, draw }, bytes, i) {
    await lib.check(bytes);
    const model = await lib.open(bytes, { name: 'broken', repair: i % 2 === 0, glCommands: i % 3 === 0 });
    try {
        for (const surface of model.surfaces) {
            const positions = new Float32Array(3 * surface.vertices), normals = new Float32Array(3 * surface.vertices);
            model.poseFrames(0, model.frames.length - 1, 0.5);
            model.sample(surface.index, { positions, normals });
            expect(surface.indices.every((index) => index < surface.vertices), 'an index beyond the vertices');
        }
        for (const { index, vertices } of model.surfaces) { // of instances
            model.ask('pack_frames', 0, index);
            expect(model.engine.result().length === 8 * vertices * model.frames.length, 'not all frames are packed');
        }
        for (const clip of model.clips.slice(0, 2)) {
            model.pose(clip.name, 0.3);
            model.ask('pose_as', clip.name, 0.3, i % 3);
        }
        for (const tag of model.tags.slice(0, 2)) model.tag(tag.name ?? tag);
        if (i % 7 === 0) await model.toGlb({ quantize: i % 2 === 0 });
        if (i % 11 === 0) await model.encode(['md2', 'md3', 'mdc', 'mdl'][i % 4]);
        if (i % 11 === 1) await lib.encode(await model.toMeshData({ up: 'y' }), ['md2', 'md3', 'mdc', 'mdl'][i % 4]);
        if (i % 5 === 0) void model.parts[0].infoText;
        await draw(model, i);
    } finally {
        model.dispose();
    }
}

async function useArchive({ lib, draw }, bytes, i) {
    const files = await lib.Files.from([['broken.pk3', i % 2 ? bytes : new Blob([bytes])]]);
    try {
        for (const one of (await files.models('broken.pk3')).slice(0, 2)) {
            const model = await files.open(one.path, { related: true });
            await draw(model, i);
            model.dispose();
        }
    } finally {
        files.dispose();
    }
}

const USES = { md2: useModel, md3: useModel, mdc: useModel, mdl: useModel, pk3: useArchive };

/**
 * `lib`, `getEngine`: the package; `files`: names and bytes of valid ones; `draw(model, i)`.
 * Returns the numbers of opened and of rejected files. Fails on any other result, or if an instance
 * crashes.
 */
export async function damageAll({ lib, getEngine, files, count, draw = async () => {} }) {
    const engine = await getEngine();
    const kinds = Object.entries(files);
    const counts = Object.fromEntries(kinds.map(([name]) => [name, { opened: 0, rejected: 0 }]));
    for (let i = 0; i < count; i++) {
        const [name, bytes] = kinds[i % kinds.length];
        const kind = name.split('.').pop();
        const broken = damage(bytes, !/^(md|glb|png)/.test(kind));
        try {
            if (USES[kind]) await USES[kind]({ lib, draw }, broken, i);
            else if (kind === 'glb') await lib.fromGltf(broken, i % 2 ? 'md3' : 'mdl');
            else await lib.readImage(broken);
            counts[name].opened++;
        } catch (error) {
            expect(error instanceof lib.LerpmeshError, `${name}, number ${i}: ${error.stack}`);
            expect(error.code !== 'trap' && error.message.length > 10, `${name}, number ${i}: ${error.code}: "${error.message}"`);
            counts[name].rejected++;
        }
        expect(engine.dead === null, `${name}, number ${i}: ${engine.dead}`);
    }
    for (const [name, { rejected }] of Object.entries(counts)) expect(rejected > 0, `no damaged ${name} was rejected`);
    expect((await getEngine()) === engine, 'a new instance');
    return counts;
}
