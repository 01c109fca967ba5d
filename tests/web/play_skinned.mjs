// Plays the only animation of a skinned file in three.js: prints the positions of the vertices of
// its first mesh at the given times, as JSON.
import { readFileSync } from 'node:fs';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self ??= globalThis; // GLTFLoader uses it to detect the browser

const [path, ...times] = process.argv.slice(2);
const bytes = readFileSync(path);
const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const { scene, animations } = await new Promise((resolve, reject) => new GLTFLoader().parse(data, '', resolve, reject));
const mixer = new AnimationMixer(scene);
mixer.clipAction(animations[0]).play();
const meshes = [];
scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
const poses = times.map((time) => {
    mixer.setTime(Number(time));
    scene.updateMatrixWorld(true);
    const { position } = meshes[0].geometry.attributes;
    return Array.from({ length: position.count }, (_, i) =>
        meshes[0].getVertexPosition(i, new Vector3()).applyMatrix4(meshes[0].matrixWorld).toArray());
});
process.stdout.write(JSON.stringify(poses));
