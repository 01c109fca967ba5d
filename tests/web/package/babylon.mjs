// Tests lerpmesh/babylon with the real Babylon.js, in Node with its NullEngine.
import assert from "node:assert/strict";
import { File } from "node:buffer";
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
import { Ray } from "@babylonjs/core/Culling/ray.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { AppendSceneAsync, ImportMeshAsync, LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { FilesInputStore } from "@babylonjs/core/Misc/filesInputStore.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
import { LerpmeshError, open } from "lerpmesh";
import { addModel, modelOf } from "lerpmesh/babylon";

globalThis.File ??= File; // Node 18 and 20 have it there

function serve(samples) {
  const server = createServer((request, response) => {
    const path = join(samples, decodeURIComponent(request.url.split("?")[0]));
    existsSync(path) ? response.end(readFileSync(path)) : response.writeHead(404).end();
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done({ server, origin: `http://127.0.0.1:${server.address().port}` })));
}

function makeScene(engine, rightHanded = false) {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = rightHanded;
  new FreeCamera("camera", new Vector3(0, 0, -100), scene);
  return scene;
}

// The vertices of a mesh in the scene.
function verticesOf(mesh) {
  const points = mesh.getVerticesData("position");
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: points.length / 3 }, (_, i) => Vector3.TransformCoordinates(Vector3.FromArray(points, 3 * i), world).asArray());
}

// The expected vertices: a weighted mean of poses of another instance, in Babylon.js' axes.
function expectedOf(model, poses, left, part = 0) {
  const all = poses.map(([clip, seconds, weight]) => {
    const positions = new Float32Array(3 * model.parts[part].surfaces[0].vertices);
    model.pose(clip, seconds);
    model.parts[part].sample(0, { positions });
    return positions.map((value) => value * weight);
  });
  const sum = all.reduce((total, one) => total.map((value, i) => value + one[i]));
  return Array.from({ length: sum.length / 3 }, (_, i) => [left * sum[3 * i + 1], sum[3 * i + 2], sum[3 * i]]);
}

function near(found, expected, what, tolerance = 2e-3) {
  assert.equal(found.length, expected.length, what);
  const worst = Math.max(...found.map((point, i) => Math.max(...point.map((value, k) => Math.abs(value - expected[i][k])))));
  assert.ok(worst < tolerance, `${what}: ${worst} units off`);
}

// Any order of events is played without an error, and leaves nothing.
async function checkEvents(url, engine) {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const scene = makeScene(engine);
  const shown = [];
  const events = [
    async () => shown.length < 4 && shown.push(await ImportMeshAsync(url, scene, { pluginOptions: { lerpmesh: { autoplay: random(2) === 0, images: "none" } } })),
    () => shown.length > 0 && shown.splice(random(shown.length), 1)[0].meshes[0].dispose(),
    (groups) => groups && groups[random(groups.length)].start(random(2) === 0, 0.1 + random(30) / 10),
    (groups) => groups && groups[random(groups.length)].stop(),
    (groups) => groups && groups[random(groups.length)].pause(),
    (groups) => groups && groups[random(groups.length)].reset(),
    (groups) => groups && groups[random(groups.length)].goToFrame(random(20)),
    (groups) => groups && groups[random(groups.length)].setWeightForAllAnimatables(random(5) / 4),
    (groups) => groups && (groups[random(groups.length)].enableBlending = random(2) === 0),
    (groups) => groups && shown.at(-1).meshes[0].setEnabled(random(3) > 0),
    () => scene.render(),
    () => scene.render(),
  ];
  for (let i = 0; i < 1500; i++) {
    await events[random(events.length)](shown.length > 0 ? shown[random(shown.length)].animationGroups : null);
    for (const { meshes } of shown) assert.ok(meshes[1].getVerticesData("position").every(Number.isFinite), `step ${i}: a vertex is no number`);
  }
  for (const { meshes } of shown) meshes[0].dispose();
  assert.deepEqual([scene.meshes, scene.transformNodes, scene.animationGroups, scene.textures, scene.materials, scene.animatables].map((list) => list.length), [0, 0, 0, 0, 0, 0]);
  scene.dispose();
}

/** Runs the tests on the folder of samples. */
export async function checkBabylon(samples) {
  const { server, origin } = await serve(samples);
  const engine = new NullEngine();
  const reference = await open(readFileSync(join(samples, "tick.md2")), { name: "tick.md2" });
  const url = `${origin}/tick.md2`;

  for (const rightHanded of [false, true]) {
    const left = rightHanded ? 1 : -1;
    const scene = makeScene(engine, rightHanded);
    const { meshes, animationGroups, transformNodes } = await ImportMeshAsync(url, scene);
    const [root, mesh] = meshes;
    assert.deepEqual([meshes.length, root.name, root.position.asArray()], [2, "tick", [0, 0, 0]]);
    assert.deepEqual(animationGroups.map(({ name, from, to }) => [name, from, Math.round(to)]), [["stand", 0, 12], ["run", 0, 8], ["jump", 0, 8], ["pain1", 0, 3], ["pain2", 0, 3], ["wave", 0, 11]]);
    assert.deepEqual(animationGroups.filter(({ isPlaying }) => isPlaying).map(({ name }) => name), ["stand"]);
    assert.equal(mesh.material.diffuseTexture.getSize().width, 256, "the texture next to the model was not found");
    assert.ok(transformNodes.length >= 2 && scene.meshes.length === 2);
    const [stand, run, jump] = animationGroups;
    stand.stop();
    // A clip at a time, also between two frames.
    run.start(true).pause();
    for (const frame of [0, 2, 3.25, 7.5]) {
      run.goToFrame(frame);
      scene.render();
      near(verticesOf(mesh), expectedOf(reference, [["run", frame / 10, 1]], left), `run at frame ${frame}`);
    }
    // Triangles face outwards: their normals agree with those of the vertices.
    const [points, normals, indices] = [verticesOf(mesh), mesh.getVerticesData("normal"), mesh.getIndices()];
    let agree = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => Vector3.FromArray(points[indices[i + k]]));
      const normal = Vector3.TransformNormal(Vector3.FromArray(normals, 3 * indices[i]), mesh.getWorldMatrix());
      agree += Vector3.Dot(Vector3.Cross(b.subtract(a), c.subtract(a)), normal) * left > 0 ? 1 : 0;
    }
    assert.ok(agree > 0.9 * (indices.length / 3), `${agree} of ${indices.length / 3} triangles face outwards`);
    // Two clips with weights blend; a sum over 1 is normalised, and what is missing is the original pose.
    run.stop();
    for (const [group, frame] of [[run, 3], [jump, 5]]) group.start(true, 1e-9, frame); // paused groups do not blend
    for (const [a, b, shares] of [[0.25, 0.75, [0.25, 0.75]], [1, 1, [0.5, 0.5]], [1, 0, [1, 0]]]) {
      run.setWeightForAllAnimatables(a);
      jump.setWeightForAllAnimatables(b);
      scene.render();
      near(verticesOf(mesh), expectedOf(reference, [["run", 0.3, shares[0]], ["jump", 0.5, shares[1]]], left), `weights ${a} and ${b}`);
      const unit = mesh.getVerticesData("normal");
      for (let i = 0; i < unit.length; i += 3) assert.ok(Math.abs(Math.hypot(unit[i], unit[i + 1], unit[i + 2]) - 1) < 1e-4, "a normal is no unit vector");
    }
    // Rays hit the pose, and the box contains all frames.
    const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
    for (const point of verticesOf(mesh)) point.forEach((value, k) => assert.ok(value >= minimumWorld.asArray()[k] - 1e-3 && value <= maximumWorld.asArray()[k] + 1e-3));
    for (const group of [run, jump]) group.stop();
    run.start(true).pause();
    run.goToFrame(7);
    scene.render();
    const target = Vector3.FromArray(verticesOf(mesh)[indices[0]]).add(Vector3.FromArray(verticesOf(mesh)[indices[1]])).add(Vector3.FromArray(verticesOf(mesh)[indices[2]])).scale(1 / 3);
    const ray = new Ray(new Vector3(target.x, target.y, 500), new Vector3(0, 0, -1), 1000);
    assert.ok(scene.pickWithRay(ray).hit, `a ray misses ${target}`);
    // The root moves the model, and its dispose() frees everything.
    root.position.x = 10;
    scene.render();
    assert.ok(Math.abs(verticesOf(mesh)[0][0] - expectedOf(reference, [["run", 0.7, 1]], left)[0][0] - 10) < 1e-3);
    const model = modelOf(root);
    root.dispose();
    assert.throws(() => model.pose(), (error) => error.code === "disposed");
    assert.deepEqual([scene.meshes, scene.transformNodes, scene.animationGroups, scene.textures, scene.materials].map((list) => list.length), [0, 0, 0, 0, 0], "something is left");
    scene.render();
    scene.dispose();
  }

  const before = console.error;
  console.error = (error) => assert.fail(error);
  await checkEvents(url, engine);
  console.error = before;

  // Containers, clones of groups, hidden models, bytes, files, options.
  const scene = makeScene(engine);
  const container = await LoadAssetContainerAsync(url, scene);
  assert.deepEqual([scene.meshes.length, scene.animationGroups.length, container.meshes.length, container.textures.length, container.materials.length], [0, 0, 2, 1, 1]);
  container.addAllToScene();
  assert.equal(scene.meshes.length, 2);
  const copy = container.animationGroups[1].clone("copy", undefined, true);
  copy.start(true).pause();
  copy.goToFrame(2);
  scene.render();
  near(verticesOf(container.meshes[1]), expectedOf(reference, [["run", 0.2, 1]], -1), "a cloned group");
  copy.dispose();
  container.dispose();
  assert.deepEqual([scene.meshes.length, scene.textures.length], [0, 0]);
  const bytes = readFileSync(join(samples, "tick.md2"));
  const skinned = await ImportMeshAsync(bytes, scene, { pluginExtension: ".md2", pluginOptions: { lerpmesh: { name: "tick.md2", files: { "tick.pcx": readFileSync(join(samples, "tick.pcx")) }, units: 2, autoplay: false } } });
  assert.ok(skinned.meshes[1].material.diffuseTexture && skinned.animationGroups.every((group) => !group.isPlaying));
  scene.render();
  near(verticesOf(skinned.meshes[1]), expectedOf(reference, [[null, 0, 1]], -1).map((point) => point.map((value) => value / 2)), "two units per unit");
  skinned.meshes[0].dispose();
  FilesInputStore.FilesToLoad["tick.pcx"] = new File([readFileSync(join(samples, "tick.pcx"))], "tick.pcx");
  const dropped = await ImportMeshAsync(new File([bytes], "tick.md2"), scene);
  assert.ok(dropped.meshes[1].material.diffuseTexture, "the dropped texture was not found");
  dropped.meshes[0].dispose();
  await AppendSceneAsync(`${origin}/tick_torch.mdl`, scene);
  assert.equal(scene.meshes.length, 2);
  assert.ok(scene.meshes[1].material.diffuseTexture, "an MDL has its own skin");
  scene.meshes[0].dispose();
  await assert.rejects(ImportMeshAsync(`${origin}/none.md2`, scene), /404|none\.md2/);
  await assert.rejects(ImportMeshAsync(new Uint8Array(100), scene, { pluginExtension: ".mdl" }), (error) => error.innerError instanceof LerpmeshError || /format|damaged|model/.test(error.message));
  assert.equal(scene.meshes.length, 0, "a failed load left meshes");
  await checkAttached(samples, scene);
  // A scene frees its models, also one that is still being loaded. A closed model stops, and the scene goes on.
  const closed = addModel(await open(bytes, { name: "tick.md2" }), scene);
  const other = addModel(await open(bytes, { name: "tick.md2" }), scene);
  modelOf(closed.meshes[0]).dispose();
  const errors = [];
  const { error } = console;
  console.error = (one) => errors.push(one);
  for (let i = 0; i < 3; i++) {
    for (const [group] of [closed.animationGroups, other.animationGroups]) group.pause().goToFrame(i);
    scene.render();
  }
  console.error = error;
  assert.deepEqual(errors.map(({ code }) => code), ["disposed"]);
  near(verticesOf(other.meshes[1]), expectedOf(reference, [["stand", 0.2, 1]], -1), "a model next to a closed one");
  const loading = [ImportMeshAsync(url, scene), LoadAssetContainerAsync(url, scene)];
  const last = modelOf(other.meshes[0]);
  scene.dispose();
  for (const result of await Promise.allSettled(loading)) assert.match(String(result.reason), /disposed/);
  assert.throws(() => last.pose(), (reason) => reason.code === "disposed");
  reference.dispose();
  server.close();
  server.closeAllConnections();
}

// An attached model follows its tag, and objects can follow tags.
async function checkAttached(samples, scene) {
  const read = (name) => [name, readFileSync(join(samples, name))];
  const head = await open(read("tick_head.mdc")[1], { name: "tick_head.mdc" });
  const [tag] = head.tags;
  head.dispose();
  const files = ["tick_torch.mdl", "tick.pcx"].map(read);
  const options = { name: "tick_head.mdc", files, attach: [{ tag, path: "tick_torch.mdl" }] };
  const [shown, reference] = [await open(read("tick_head.mdc")[1], options), await open(read("tick_head.mdc")[1], options)];
  const { meshes, animationGroups, transformNodes } = addModel(shown, scene, { autoplay: false });
  assert.ok(transformNodes.some(({ name }) => name === tag));
  const [group] = animationGroups;
  group.start(true).pause();
  for (const frame of [0, group.to / 3]) {
    group.goToFrame(frame);
    scene.render();
    reference.pose(group.name, frame / group.targetedAnimations[0].animation.framePerSecond);
    const torch = meshes.at(-1);
    const [ox, oy, oz, ...a] = reference.parts[1].worldTransform;
    const points = new Float32Array(3 * reference.parts[1].surfaces[0].vertices);
    reference.parts[1].sample(0, { positions: points });
    const expected = Array.from({ length: points.length / 3 }, (_, i) => {
      const [x, y, z] = points.subarray(3 * i);
      const [mx, my, mz] = [ox + x * a[0] + y * a[3] + z * a[6], oy + x * a[1] + y * a[4] + z * a[7], oz + x * a[2] + y * a[5] + z * a[8]];
      return [-my, mz, mx];
    });
    near(verticesOf(torch), expected, `the torch on ${tag} in frame ${frame}`, 0.02);
  }
  meshes[0].dispose();
  reference.dispose();
}
