// The type definitions with a program that uses every part of the manual.
import { NullEngine, Scene } from "@babylonjs/core";
import { Files, LerpmeshError, MemoryFiles, check, encode, examine, examineLump, formats, fromGltf, open, readImage, useModule, version, writePng } from "lerpmesh";
import type { Clip, Encoded, Format, MeshData, MeshInput, Model, Report } from "lerpmesh";
import { addModel, modelOf } from "lerpmesh/babylon";
import type { KeyframePluginOptions } from "lerpmesh/babylon";
import { KeyframeInstances } from "lerpmesh/instances";
import { KeyframeInstances as NodeInstances } from "lerpmesh/instances/webgpu";
import { ENVIRONMENTS, loadEnvironment } from "lerpmesh/environment";
import { NodeFiles } from "lerpmesh/node";
import { Keyframes, useKeyframes } from "lerpmesh/r3f";
import type { KeyframesProps } from "lerpmesh/r3f";
import { run } from "lerpmesh/run";
import { Stage } from "lerpmesh/stage";
import { KeyframeLoader, KeyframeModel } from "lerpmesh/three";
import { LerpmeshView } from "lerpmesh/view";
import type { LerpmeshViewEventMap } from "lerpmesh/view";

export async function all(bytes: Uint8Array, canvas: HTMLCanvasElement, wasm: WebAssembly.Module): Promise<string> {
  useModule(wasm);
  using model: Model = await open(bytes, { name: "tris.md2", files: { "skin.pcx": bytes }, skins: "skin.pcx", normals: "stored" });
  const clip: Clip | undefined = model.clips.find((one) => one.loopFrames > 0);
  const positions = new Float32Array(3 * model.surfaces[0].vertices);
  model.pose(clip?.name ?? null, 0.5, { interpolate: false });
  model.sample(0, { positions });
  model.play(null);
  model.playback = { mode: "ping-pong", speed: 2 };
  const { min } = model.bounds(0, 1);
  const transform: Float32Array = model.parts[0].tag("tag_weapon");
  const report: Report = await model.check({ engine: "quake2" });
  const { frame, triangles } = await model.parts[0].mark(0, report.problems.length);
  const image = await model.surfaces[0].uvMap();
  const { losses } = await model.parts[0].encode("mdc");
  const { signal } = new AbortController();
  const downloads: Blob[] = [new Blob([await model.toGlb({ signal })]), new Blob([(await model.encode("md3", { name: "tris", signal })).bytes]), new Blob([await writePng(model.image(0))])];
  const data: MeshData = await model.toMeshData({ up: "y", images: false });
  const format: Format = (await formats())[downloads.length].name;
  const encoded: Encoded[] = [await encode(data, format), await encode({ positions: data.surfaces[0].positions, indices: [0, 1, 2] }, "md2")];
  const own: MeshInput = { surfaces: [{ positions: new Float32Array(18), indices: new Uint16Array(3), normals: [[1, 2, 3]] }], frames: ["a", "b"], clips: [{ name: "a", fps: 5 }] };
  encoded.push(await encode(own, "mdl", { signal }), await fromGltf(encoded[0].images[0][1], "mdl", { fps: 10, name: "a" }));
  // @ts-expect-error: there is no such format
  await model.encode("obj");
  // @ts-expect-error: there are no vertices
  await encode({ indices: [0, 1, 2] }, "md2");
  await open(new URL("file:///tris.md2"), { signal, onProgress: ({ loaded, total }) => void (loaded / total) });
  const scene = new Scene(new NullEngine());
  const plugin: KeyframePluginOptions = { units: 40, autoplay: false, files: { "tris.pcx": bytes } };
  const added = addModel(model, scene, { units: plugin.units });
  modelOf(added.meshes[0])?.play(added.animationGroups[0].name);
  const written: [string, Uint8Array][] = [...(await model.toGltf()), ...(await model.toObjFiles({ frames: `${frame + triangles}` }))];
  const lump: string = await examineLump(written[0][1], (await examine(bytes)).lumps[0].name);
  if (image.width === losses.maxError) return lump;
  const files = await Files.from([["pak0.pk3", new Blob([])], ["other", { size: 3, read: async () => new Uint8Array(3) }]]);
  await Files.from(new NodeFiles());
  await Files.from(new MemoryFiles());
  const listed = await files.models("pak0.pk3");
  const player = await files.open(listed[0].player ?? listed[0].path, { related: true, attach: [{ tag: "tag_weapon", path: "gun.md3" }] });
  const stage = await Stage.on(canvas);
  stage.camera = { azimuth: 30 };
  stage.aim(player, { aspect: 1 });
  stage.draw(player, { shade: "studio", backdrop: true, vertexNormals: true, glCommands: true });
  stage.draw(player, { exposure: 2, environment: await loadEnvironment("sky.hdr", "https://example.org/") });
  const png: Uint8Array = await writePng(stage.screenshot(player, 64, 64));
  const knight: KeyframeModel = await new KeyframeLoader().loadAsync("tris.md2");
  knight.step = 3;
  const loader = new KeyframeLoader();
  loader.options = { files: { "tick.pcx": new Blob([]), "other.pcx": new URL("https://example.org/"), "third.pcx": "third.pcx" }, units: 40 };
  const copy: KeyframeModel = knight.clone();
  await copy.setSkin(new Blob([]), "head");
  await copy.setSkin(null);
  const instances: KeyframeInstances = await KeyframeInstances.create(knight, 100, { skins: ["red.pcx", await readImage(bytes), model] });
  instances.setClipAt(1, "run", { fade: 0.3, rate: 2, time: 0.5, loop: true });
  instances.setMatrixAt(1, instances.getMatrixAt(0, knight.matrix));
  instances.setSkinAt(1, 2);
  instances.time += instances.getClipAt(1).time;
  const nodes: NodeInstances = await NodeInstances.create(model, 1, { units: 40, material: (plain) => plain });
  nodes.dispose();
  const props: KeyframesProps = { url: "tris.md2", clip: "run", position: [0, 1, 0], options: { units: 40 }, speed: 2 };
  useKeyframes("tris.md2").mixer.clipAction(Keyframes(props).key ?? "run")?.play();
  const view: LerpmeshView = document.createElement("lerpmesh-view");
  view.src = "tris.md2";
  view.autoplay = true;
  view.alt = null;
  view.addEventListener("load", () => view.model?.clips);
  view.addEventListener("error", (event) => event.detail.code.length);
  view.addEventListener("progress", ({ detail: { loaded, total } }) => loaded / total);
  view.addEventListener("click", (event) => event.clientX);
  const warn: (event: LerpmeshViewEventMap["warning"]) => void = (event) => console.warn(event.detail.message);
  view.removeEventListener("warning", warn);
  Object.assign(view, { controls: true, attach: "tag_weapon=gun.md3", environment: ENVIRONMENTS[0] });
  view.exposure = 1.5;
  Object.assign(LerpmeshView.texts, { play: "Abspielen", modes: { ...LerpmeshView.texts.modes, loop: "Wiederholen" } });
  view.play("run");
  const { status, messages, files: outputs } = await run(["convert", "robot.glb", "-o", "robot.md3"], [["robot.glb", bytes]]);
  if (status !== 0) return messages;
  for (const [path, content] of outputs) new MemoryFiles().add(path, content);
  try {
    await check(bytes, { engine: "quake3", strict: true, name: "tris.md2", files: new Map([["tris.pcx", bytes]]) });
    await files.check("pak0.pk3:tris.md2", { signal });
    await readImage(png);
    await fromGltf(await model.toGlb({ quantize: true }), "md3", { fps: 10 });
  } catch (error) {
    if (error instanceof LerpmeshError) return `${error.code} ${error.offset}`;
  }
  // @ts-expect-error: there is no such format of arrays
  model.sample(0, { positions: [1, 2, 3] });
  return `${await version()} ${(await formats()).length} ${min} ${transform} ${report.counts.errors}`;
}
