// Tests the package's adapter for three.js with the real three.js, in node: blended clips, clones, bounds, skins and the
// loader.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
    AdditiveAnimationBlendMode, AnimationClip, AnimationMixer, AnimationUtils, Box3, BufferAttribute, BufferGeometry, DoubleSide, Group,
    LoadingManager, LoopOnce, LoopPingPong, Matrix4, Mesh, MeshBasicMaterial, Object3D, Raycaster, Texture, Vector3,
} from 'three';
import { clone as cloneDeep } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { runTests } from './browsers.mjs';
import { builtFolder, findModels, makeFolder, readSample as sample, samples, source } from './common.mjs';

// The package finds three.js in node_modules, as installed packages do.
const installed = makeFolder();
cpSync(builtFolder('npm'), join(installed, 'lerpmesh'), { recursive: true });
symlinkSync(realpathSync(join(source, 'tests/web/node_modules')), join(installed, 'node_modules'));
const { open } = await import(join(installed, 'lerpmesh/index.js'));
const core = await import(join(installed, 'lerpmesh/core.js'));
const { KeyframeLoader, KeyframeModel } = await import(join(installed, 'lerpmesh/three.js'));
const { KeyframeInstances } = await import(join(installed, 'lerpmesh/instances.js'));

const openTick = () => open(sample('tick.md2'), { name: 'tick.md2', files: { 'tick.pcx': sample('tick.pcx') } });
// Tick's head with a torch on a tag.
const openHead = () => open(sample('tick_head.mdc'), {
    name: 'tick_head.mdc', files: { 'tick_torch.mdl': sample('tick_torch.mdl') }, attach: [{ tag: 'tag_hat', path: 'tick_torch.mdl', clip: 'flame' }],
});
const meshesOf = (object) => {
    const meshes = [];
    object.traverse((child) => child.isMesh && meshes.push(child));
    return meshes;
};
const positionsOf = (object, mesh = 0) => meshesOf(object)[mesh].geometry.attributes.position.array;
const normalsOf = (object) => meshesOf(object)[0].geometry.attributes.normal.array;
const actionOf = (mixer, name) => mixer.clipAction(AnimationClip.findByName(mixer.getRoot().animations, name));

// The independent poses: one of another open model.
function poseOf(model, clip, seconds, surface = 0) {
    const target = { positions: new Float32Array(3 * model.surfaces[surface].vertices), normals: new Float32Array(3 * model.surfaces[surface].vertices) };
    model.pose(clip, seconds);
    model.sample(surface, target);
    return target;
}
// The weighted mean of poses [weight, positions].
const mean = (...poses) => poses[0][1].map((_, i) => poses.reduce((sum, [weight, values]) => sum + weight * values[i], 0));
const farthest = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
function near(got, wanted, what, allowed = 1e-4) {
    assert.equal(got.length, wanted.length, what);
    assert.ok(farthest(got, wanted) < allowed, `${what}: off by ${farthest(got, wanted)}`);
}
async function withTick(test) {
    const knight = new KeyframeModel(await openTick()), other = await openTick();
    await test(knight, new AnimationMixer(knight), (clip, seconds) => poseOf(other, clip, seconds));
    knight.dispose();
    other.dispose();
}

const tests = {
    async 'a cross-fade shows the weighted mean of two poses'() {
        await withTick((knight, mixer, pose) => {
            const stand = actionOf(mixer, 'stand').play();
            mixer.update(0.25);
            const wave = actionOf(mixer, 'wave').play();
            stand.crossFadeTo(wave, 0.4);
            for (const [step, weight] of [[0.1, 0.25], [0.1, 0.5], [0.15, 0.875]]) {
                mixer.update(step);
                const a = pose('stand', stand.time), b = pose('wave', wave.time);
                assert.ok(farthest(a.positions, b.positions) > 1, 'the poses are too similar');
                near(positionsOf(knight), mean([1 - weight, a.positions], [weight, b.positions]), `fade at ${weight}`);
                const normals = mean([1 - weight, a.normals], [weight, b.normals]);
                for (let i = 0; i < normals.length; i += 3) {
                    const length = Math.hypot(...normals.slice(i, i + 3));
                    if (length > 0.1) near(normalsOf(knight).slice(i, i + 3), normals.slice(i, i + 3).map((x) => x / length), `normal ${i / 3} at ${weight}`, 1e-3);
                }
            }
            mixer.update(0.1);
            near(positionsOf(knight), pose('wave', wave.time).positions, 'after the fade');
        });
    },

    async 'three actions blend by their weights, of at most 1, and too much weight is scaled'() {
        await withTick((knight, mixer, pose) => {
            for (const weights of [[0.5, 0.3, 0.2], [1, 0.5, 1], [3, 0.5, 1]]) {
                const actions = ['stand', 'run', 'wave'].map((name, i) => actionOf(mixer, name).reset().setEffectiveWeight(weights[i]).play());
                mixer.update(0.33);
                const shares = weights.map((weight) => Math.min(weight, 1)), total = shares[0] + shares[1] + shares[2];
                near(positionsOf(knight), mean(...actions.map((action, i) => [shares[i] / total, pose(action.getClip().name, action.time).positions])), String(weights));
            }
        });
    },

    async 'a fade from nothing starts at the pose at rest'() {
        await withTick((knight, mixer, pose) => {
            knight.step = 14; // frame 1 of run: stand has 12 frames and its first one again
            const wave = actionOf(mixer, 'wave').fadeIn(0.5).play();
            mixer.update(0.2);
            near(positionsOf(knight), mean([0.6, pose('run', 0.1).positions], [0.4, pose('wave', wave.time).positions]), 'fade in');
            wave.stop();
            near(positionsOf(knight), pose('run', 0.1).positions, 'stopped');
            actionOf(mixer, 'wave').reset().setEffectiveWeight(0.3).play();
            knight.model.pose('jump', 0.5);
            knight.update();
            near(positionsOf(knight), pose('jump', 0.5).positions, 'update()');
            mixer.update(0.1);
            near(positionsOf(knight), mean([0.7, pose('jump', 0.5).positions], [0.3, pose('wave', 0.1).positions]), 'a fade from update()');
        });
    },

    async 'an update samples each pose once, when its vertices are read'() {
        await withTick((knight, mixer) => {
            const { engine } = knight.model, call = engine.call;
            let samples = 0;
            engine.call = (name, ...args) => ((samples += name === 'sample'), call.call(engine, name, ...args));
            actionOf(mixer, 'stand').play().crossFadeTo(actionOf(mixer, 'run').play(), 1);
            for (let i = 0; i < 5; i++) mixer.update(0.1);
            assert.equal(samples, 0);
            for (let i = 0; i < 3; i++) void [positionsOf(knight), normalsOf(knight)];
            assert.equal(samples, 2);
            engine.call = call;
        });
    },

    async 'geometries are alike to JavaScript engines, and their clones are plain'() {
        await withTick((knight, mixer) => {
            const [{ geometry }] = meshesOf(knight), { position, normal, uv } = geometry.attributes;
            for (const one of [geometry, position, normal]) assert.deepEqual(Object.values(Object.getOwnPropertyDescriptors(one)).filter(({ get }) => get), []);
            const copy = geometry.clone(), before = position.array.slice();
            actionOf(mixer, 'wave').play();
            mixer.update(0.5);
            assert.ok(farthest(position.array, before) > 1);
            near(copy.attributes.position.array, before, 'a clone keeps its pose');
            assert.equal(copy.constructor, BufferGeometry);
            assert.equal(copy.attributes.normal.constructor, BufferAttribute);
            assert.deepEqual(copy.attributes.uv.array, uv.array);
        });
    },

    async 'instances of a model of the core use its module'() {
        const options = { name: 'tick.md2', images: 'none' };
        const [small, complete] = await Promise.all([core.open(sample('tick.md2'), options), open(sample('tick.md2'), { ...options, files: [] })]);
        const knight = new KeyframeModel(small);
        const [ours, theirs] = await Promise.all([KeyframeInstances.create(knight, 3), KeyframeInstances.create(complete, 3)]);
        assert.equal(ours.model, small);
        for (const one of [ours, theirs]) one.setClipAt(1, 'run', { time: 0.3, fade: 0.1 });
        for (const name of ['frames', 'texels']) assert.deepEqual(ours.shader[name].image, theirs.shader[name].image, name);
        await assert.rejects(async () => ours.setClipAt(0, 'fly'), { code: 'bad-argument' });
        for (const one of [knight, ours, theirs]) one.dispose();
        assert.throws(() => small.pose(null), { code: 'disposed' });
    },

    async 'time scales, loops once and plays forth and back'() {
        await withTick((knight, mixer, pose) => {
            const wave = actionOf(mixer, 'wave').setLoop(LoopOnce);
            wave.clampWhenFinished = true;
            wave.setEffectiveTimeScale(2).play();
            mixer.update(0.3);
            near(positionsOf(knight), pose('wave', 0.6).positions, 'at twice the speed');
            mixer.update(5);
            near(positionsOf(knight), pose('wave', 1.1).positions, 'clamped');
            mixer.stopAllAction();
            actionOf(mixer, 'jump').setLoop(LoopPingPong, Infinity).play();
            for (const [step, at] of [[0.5, 0.5], [0.5, 0.6], [0.75, 0.15]]) { // jump takes 0.8 s
                mixer.update(step);
                near(positionsOf(knight), pose('jump', at).positions, `back and forth: ${at}`, 1e-3);
            }
            mixer.stopAllAction();
            const run = actionOf(mixer, 'run').play();
            run.setEffectiveTimeScale(-1);
            mixer.update(0.3);
            near(positionsOf(knight), pose('run', 0.5).positions, 'backwards', 1e-3);
        });
    },

    async 'a part of a clip plays by itself'() {
        await withTick((knight, mixer, pose) => {
            const part = AnimationUtils.subclip(AnimationClip.findByName(knight.animations, 'wave'), 'part', 3, 8, 10);
            mixer.clipAction(part).play();
            mixer.update(0.15);
            near(positionsOf(knight), pose('wave', 0.45).positions, 'frame 4.5');
        });
    },

    async 'additive clips throw an error'() {
        await withTick((knight, mixer) => {
            const wave = AnimationUtils.makeClipAdditive(AnimationClip.findByName(knight.animations, 'wave').clone());
            assert.equal(wave.blendMode, AdditiveAnimationBlendMode);
            actionOf(mixer, 'run').play();
            mixer.clipAction(wave).play();
            assert.throws(() => mixer.update(0.3), /"wave".*additive/);
        });
    },

    async 'attached parts follow their blended tags'() {
        const head = new KeyframeModel(await openHead()), other = await openHead();
        const mixer = new AnimationMixer(head);
        const talk = actionOf(mixer, 'talk').setEffectiveWeight(0.4).play(), laugh = actionOf(mixer, 'laugh').setEffectiveWeight(0.6).play();
        mixer.update(0.35);
        const tags = [[talk, 0.4], [laugh, 0.6]].map(([action, weight]) => {
            other.pose(action.getClip().name, action.time);
            return [weight, other.tag('tag_hat')];
        });
        const blended = mean(...tags);
        for (let i = 3; i < 12; i += 3) {
            const length = Math.hypot(...blended.slice(i, i + 3));
            for (let k = i; k < i + 3; k++) blended[k] /= length;
        }
        const [x, y, z, ...a] = blended;
        head.updateMatrixWorld(true);
        const torch = head.base.children[1];
        const wanted = head.base.matrixWorld.clone().multiply(new Matrix4().set(a[0], a[3], a[6], x, a[1], a[4], a[7], y, a[2], a[5], a[8], z, 0, 0, 0, 1));
        near(torch.matrixWorld.elements, wanted.elements, 'the torch');
        near(head.tagMatrix(0, 'tag_hat').elements, wanted.elements, 'the tag');
        const composed = new Matrix4().compose(torch.position, torch.quaternion, torch.scale);
        near(composed.elements, torch.matrix.elements, 'position, quaternion and scale', 0.05); // blended axes are not orthogonal
        head.dispose();
        other.dispose();
    },

    async 'clones have a place and animations of their own'() {
        await withTick((knight, mixer, pose) => {
            knight.position.set(1, 2, 3);
            actionOf(mixer, 'run').play();
            mixer.update(0.3);
            const clone = knight.clone();
            assert.ok(clone instanceof KeyframeModel);
            mixer.update(0.2);
            near(positionsOf(clone), pose('run', 0.3).positions, 'the clone begins in the pose of the original');
            const other = new AnimationMixer(clone);
            actionOf(other, 'wave').play();
            other.update(0.5);
            near(positionsOf(knight), pose('run', 0.5).positions, 'the original');
            near(positionsOf(clone), pose('wave', 0.5).positions, 'the clone');
            clone.updateMatrixWorld(true);
            knight.updateMatrixWorld(true);
            near(meshesOf(clone)[0].matrixWorld.elements, meshesOf(knight)[0].matrixWorld.elements, 'placed alike');
            const size = new Box3().setFromObject(clone, true).getSize(new Vector3());
            assert.ok(size.y > size.x && size.y > size.z, 'it lies on its side');
            clone.dispose();
            actionOf(mixer, 'wave').play();
            mixer.update(0.1);
            const blended = knight.clone(), third = new AnimationMixer(blended);
            actionOf(third, 'jump').setEffectiveWeight(0.5).play();
            third.update(0.2);
            near(positionsOf(blended), mean([0.25, pose('run', 0.6).positions], [0.25, pose('wave', 0.1).positions], [0.5, pose('jump', 0.2).positions]), 'a clone of a blend');
            blended.dispose();
        });
    },

    async 'position, quaternion and scale are those of the matrices'() {
        const knight = new KeyframeModel(await openTick(), { units: 40 });
        knight.traverse((object) => near(new Matrix4().compose(object.position, object.quaternion, object.scale).elements, object.matrix.elements, object.name, 1e-9));
        // drei's <Clone> builds other objects from these properties, with the same geometry.
        const build = (from) => {
            const to = from.isMesh ? new Mesh(from.geometry, from.material) : new Group();
            to.position.copy(from.position);
            to.rotation.copy(from.rotation);
            to.scale.copy(from.scale);
            for (const child of from.children) to.add(build(child));
            return to;
        };
        const clone = build(knight);
        const mixer = new AnimationMixer(knight);
        actionOf(mixer, 'wave').play();
        mixer.update(0.5);
        for (const object of [knight, clone]) object.updateMatrixWorld(true);
        near(meshesOf(clone)[0].matrixWorld.elements, meshesOf(knight)[0].matrixWorld.elements, 'upright', 1e-6);
        const [box, wanted] = [clone, knight].map((object) => new Box3().setFromObject(object, true));
        assert.ok(wanted.min.distanceTo(box.min) < 1e-6 && wanted.max.distanceTo(box.max) < 1e-6, 'it moves with the original');
        knight.dispose();
    },

    async 'a deep clone of a group contains working clones'() {
        const head = new KeyframeModel(await openHead()), group = new Group().add(head, new Object3D());
        const hat = new Mesh(new BufferGeometry(), new MeshBasicMaterial());
        head.base.children[0].add(hat);
        head.add(new Group().add(new KeyframeModel(await openTick())));
        const copy = cloneDeep(group), [clone] = copy.children;
        assert.notEqual(clone.base.children[0].children.at(-1), hat);
        assert.equal(meshesOf(clone).length, meshesOf(head).length);
        const mixer = new AnimationMixer(clone);
        actionOf(mixer, 'laugh').play();
        mixer.update(0.4);
        copy.updateMatrixWorld(true);
        group.updateMatrixWorld(true);
        const other = await openHead();
        near(positionsOf(clone, 1), poseOf(other, 'laugh', 0.4, 1).positions, 'the clone moves');
        near(positionsOf(head, 1), poseOf(other, 'idle', 0, 1).positions, 'the original does not');
        const knight = clone.children.at(-1).children[0];
        assert.ok(knight instanceof KeyframeModel && knight.model !== clone.model);
        assert.notEqual(positionsOf(knight), positionsOf(head.children.at(-1)));
        assert.equal(head.clone(false).children.length, 1);
        other.dispose();
        head.dispose();
    },

    async 'the last clone frees the model, textures and materials'() {
        const knight = new KeyframeModel(await openTick()), clones = [knight.clone(), knight.clone()], [mesh] = meshesOf(knight);
        const [{ geometry, material }] = meshesOf(clones[0]);
        const freed = [];
        for (const [name, object] of Object.entries({ geometry, material: mesh.material, texture: mesh.material.map, own: mesh.geometry }))
            object.addEventListener('dispose', () => freed.push(name));
        assert.equal(material, mesh.material);
        assert.notEqual(geometry, mesh.geometry);
        assert.equal(geometry.attributes.uv, mesh.geometry.attributes.uv);
        assert.equal(geometry.index, mesh.geometry.index);
        knight.dispose();
        knight.dispose();
        assert.deepEqual(freed.splice(0), ['own']);
        positionsOf(knight); // it keeps its last pose
        const mixer = new AnimationMixer(clones[1]);
        actionOf(mixer, 'run').play();
        mixer.update(0.5);
        const other = await openTick();
        near(positionsOf(clones[1]), poseOf(other, 'run', 0.5).positions, 'the clone of a disposed model');
        other.dispose();
        clones[0].dispose();
        assert.deepEqual(freed.splice(0), ['geometry']);
        clones[1].dispose();
        assert.deepEqual(freed.sort(), ['material', 'texture']);
        assert.throws(() => knight.model.pose(null), /disposed/);
    },

    async 'all vertices lie in the bounds of their clips'() {
        let checked = 0;
        const models = findModels().map(({ path }) => [path, () => open(readFileSync(path), { name: basename(path), images: 'none' })]);
        for (const [path, openModel] of [...models, ['a head with a torch', openHead]]) {
            const knight = new KeyframeModel(await openModel());
            const mixer = new AnimationMixer(knight), point = new Vector3();
            const check = (what) => {
                for (const { geometry, frustumCulled } of meshesOf(knight)) {
                    assert.equal(frustumCulled, true);
                    const { boundingBox, boundingSphere, attributes: { position } } = geometry;
                    for (let i = 0; i < position.count; i++) {
                        point.fromBufferAttribute(position, i);
                        assert.ok(boundingBox.containsPoint(point) && boundingSphere.containsPoint(point), `${path} ${what}: vertex ${i}`);
                        checked++;
                    }
                }
            };
            check('at rest');
            for (const clip of knight.animations) {
                mixer.stopAllAction();
                const action = mixer.clipAction(clip).reset().play();
                const times = Math.min(23, 3 * Math.ceil(clip.duration * 10));
                for (let i = 0; i <= times; i++) {
                    action.time = clip.duration * i / times;
                    mixer.update(0);
                    check(`${clip.name} at ${action.time}`);
                }
                const [other] = knight.animations;
                mixer.clipAction(other).setEffectiveWeight(0.5).play();
                mixer.update(0.1);
                check(`${clip.name} with ${other.name}`);
            }
            knight.dispose();
        }
        assert.ok(checked > 1e5, `${checked} vertices`);
    },

    async 'the bounds are those of the clip, not of all frames'() {
        await withTick((knight, mixer) => {
            actionOf(mixer, 'run').play();
            mixer.update(0.1);
            const [{ geometry }] = meshesOf(knight), { first, count } = knight.model.clips.find(({ name }) => name === 'run');
            near(geometry.boundingBox.max.toArray(), knight.model.bounds(first, count).max, 'run', 1e-3);
            assert.ok(geometry.boundingBox.max.z < knight.model.bounds().max[2] - 1);
            knight.model.poseFrames(30, 31, 0.5);
            knight.update();
            near(geometry.boundingBox.max.toArray(), knight.model.bounds(30, 2).max, 'update()', 1e-3);
        });
    },

    async 'rays hit the pose as they hit a static mesh of it'() {
        const names = ['tick.md2', 'tick_torch.mdl', 'tick_head.mdc'];
        let rays = 0, hits = 0, seed = 7;
        const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5;
        for (const name of names) {
            const knight = new KeyframeModel(await open(sample(name), { name, images: 'none' }));
            const mixer = new AnimationMixer(knight), raycaster = new Raycaster();
            knight.updateMatrixWorld(true);
            const radius = 2 * meshesOf(knight)[0].geometry.boundingSphere.radius;
            for (const clip of knight.animations)
                for (let at = 0; at < 4; at++) {
                    mixer.stopAllAction();
                    mixer.clipAction(clip).reset().play();
                    mixer.update(clip.duration * at / 4);
                    const own = meshesOf(knight);
                    const still = own.map((mesh) => {
                        const geometry = new BufferGeometry().setIndex(mesh.geometry.index);
                        geometry.setAttribute('position', new BufferAttribute(mesh.geometry.attributes.position.array.slice(), 3));
                        const copy = new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
                        copy.matrixWorld.copy(mesh.matrixWorld);
                        mesh.material.side = DoubleSide;
                        return copy;
                    });
                    for (let i = 0; i < 60; i++) {
                        const from = new Vector3(random(), random(), random()).setLength(radius);
                        const to = new Vector3(random(), random(), random()).multiplyScalar(radius);
                        raycaster.set(from, to.sub(from).normalize());
                        const [got, wanted] = [own, still].map((list) => raycaster.intersectObjects(list).map(({ distance, faceIndex }) => [distance, faceIndex]));
                        assert.deepEqual(got, wanted, `${name} ${clip.name}`);
                        rays++;
                        hits += got.length > 0;
                    }
                }
            knight.dispose();
        }
        assert.ok(hits > rays / 10, `${hits} of ${rays} rays hit`);
    },

    async 'the loader fetches the skin next to the model'() {
        const own = globalThis.fetch, requested = [];
        const address = (name) => pathToFileURL(join(samples, name)).href;
        globalThis.fetch = async (url) => {
            requested.push(String(url).split('/').pop());
            return existsSync(new URL(url)) ? new Response(readFileSync(new URL(url))) : new Response('', { status: 404 });
        };
        try {
            const knight = await new KeyframeLoader().loadAsync(address('tick.md2'));
            assert.equal(meshesOf(knight)[0].material.map.image.width, 256);
            assert.deepEqual(requested.splice(0), ['tick.md2', 'tick.pcx']);
            knight.dispose();
            // Bytes, Blobs and URLs; those are not fetched again.
            for (const files of [{ 'tick.pcx': sample('tick.pcx') }, new Map([['tick.pcx', new Blob([sample('tick.pcx')])]]), [['tick.pcx', address('tick.pcx')]]]) {
                const loader = new KeyframeLoader();
                loader.options = { files };
                const loaded = await loader.loadAsync(address('tick.md2'));
                assert.equal(meshesOf(loaded)[0].material.map.image.width, 256);
                loaded.dispose();
                assert.equal(requested.splice(0).filter((one) => one === 'tick.pcx').length, Array.isArray(files) ? 1 : 0);
            }
            const loader = new KeyframeLoader();
            loader.options = { images: 'none' };
            const plain = await loader.loadAsync(address('tick.md2'));
            assert.equal(meshesOf(plain)[0].material.map, null);
            assert.deepEqual(requested.splice(0), ['tick.md2']);
            plain.dispose();
            // A manager maps URLs, as with dropped files.
            const manager = new LoadingManager().setURLModifier((url) => address(url.split('/').pop()));
            const dropped = await new KeyframeLoader(manager).loadAsync('http://localhost/anywhere/tick.md2');
            assert.equal(meshesOf(dropped)[0].material.map.image.width, 256);
            dropped.dispose();
            // The manager is told of the begin, the end and failures.
            const events = [];
            const record = (name) => (url) => events.push(`${name} ${url?.split('/').pop()}`);
            const told = new LoadingManager(record('all'), undefined, record('failed'));
            told.onStart = record('began');
            (await new KeyframeLoader(told).loadAsync(address('tick.md2'))).dispose();
            await assert.rejects(new KeyframeLoader(told).loadAsync(address('none.md2')), /404/);
            assert.deepEqual(events, ['began tick.md2', 'all undefined', 'began none.md2', 'failed none.md2', 'all undefined']);
        } finally {
            globalThis.fetch = own;
        }
    },

    async 'one clone gets another skin'() {
        await withTick(async (knight) => {
            const clone = knight.clone(), [mesh] = meshesOf(clone), [{ material }] = meshesOf(knight), original = material.map;
            await clone.setSkin(new Blob([sample('tick.pcx')]));
            assert.notEqual(mesh.material.map, original);
            assert.deepEqual(mesh.material.map.image.data, original.image.data);
            assert.equal(meshesOf(knight)[0].material.map, original);
            const { map } = mesh.material, disposed = [];
            map.addEventListener('dispose', () => disposed.push('map'));
            const texture = new Texture();
            texture.addEventListener('dispose', () => disposed.push('mine'));
            // The last call wins, although its image is ready first.
            await Promise.all([clone.setSkin(sample('tick.pcx')), clone.setSkin(texture)]);
            assert.equal(mesh.material.map, texture);
            assert.deepEqual(disposed.splice(0), ['map']);
            await clone.setSkin(null);
            assert.equal(mesh.material, material);
            await assert.rejects(clone.setSkin(sample('tick.pcx'), 'none'), /no surface "none"/);
            await assert.rejects(clone.setSkin(new Uint8Array(4)));
            clone.dispose();
            assert.deepEqual(disposed, []);
        });
    },
};

process.exit((await runTests(tests, [])) ? 1 : 0);
