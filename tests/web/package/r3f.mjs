// Plays models with react-three-fiber and a renderer that draws nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { act, createElement, StrictMode, Suspense } from "react";
import { advance, createRoot } from "@react-three/fiber";
import { open } from "lerpmesh";
import { Keyframes } from "lerpmesh/r3f";
import { KeyframeModel } from "lerpmesh/three";

/** Checks the components with the files in a folder. */
export async function checkComponents(samples) {
  const requested = [];
  globalThis.fetch = async (url) => {
    requested.push(String(url).split("/").pop());
    return new Response(readFileSync(`${samples}/${requested.at(-1)}`));
  };
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  const url = "http://localhost/tick.md2";
  const scene = (...all) => createElement(StrictMode, null, createElement(Suspense, { fallback: null }, ...all.map((props, key) => createElement(Keyframes, { key, url, ...props }))));
  const root = await makeRoot();
  let store;
  const render = (...all) => act(async () => (store = root.render(scene(...all))));
  const wait = (milliseconds) => act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  let time = 0;
  const play = (frames) => act(async () => {
    for (let i = 0; i < frames; i++) advance((time += 0.1), true, store.getState());
  });
  await render({ clip: "run", name: "first" }, { clip: "wave", position: [1, 2, 3] });
  const models = () => {
    const found = [];
    store.getState().scene.traverse((object) => object instanceof KeyframeModel && found.push(object));
    return found;
  };
  for (let i = 0; i < 200 && models().length < 2; i++) await wait(20);
  await wait(50); // strict mode has run all effects twice
  const [first, second] = models();
  assert.deepEqual(requested, ["tick.md2", "tick.pcx"]); // one of each for both
  assert.equal(first.model, second.model);
  assert.equal(first.name, "first");
  assert.deepEqual(second.position.toArray(), [1, 2, 3]);

  const other = await open(readFileSync(`${samples}/tick.md2`), { name: "tick.md2" });
  const pose = (clip, seconds) => {
    const positions = new Float32Array(3 * other.surfaces[0].vertices);
    other.pose(clip, seconds);
    other.sample(0, { positions });
    return positions;
  };
  const meshOf = (model) => model.base.children[0].children[0];
  const shown = (model) => meshOf(model).geometry.attributes.position.array;
  const { map } = meshOf(first).material;
  const near = (got, wanted, what) => {
    const worst = wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
    assert.ok(worst < 1e-3, `${what}: off by ${worst}`);
  };
  await play(2);
  near(shown(first), pose("run", 0.2), "run");
  near(shown(second), pose("wave", 0.2), "wave");
  // Another clip fades in, and the speed changes at once.
  await render({ clip: "jump", name: "first", fade: 0.4, speed: 0.5 }, { clip: "wave" });
  await play(4);
  const run = pose("run", 0.4), jump = pose("jump", 0.2);
  near(shown(first), run.map((value, i) => 0.5 * value + 0.5 * jump[i]), "the fade");
  await play(55);
  near(shown(first), pose("jump", 0.8), "the end of a clip that plays once");
  // Without a clip it returns to the pose at rest, and unmounting disposes of the clone only.
  const disposed = [];
  for (const [name, model] of Object.entries({ first, second })) meshOf(model).geometry.addEventListener("dispose", () => disposed.push(name));
  await render({ name: "first", fade: 0.4 });
  await wait(50);
  await play(20);
  near(shown(first), pose("stand", 0), "at rest");
  assert.deepEqual(disposed, ["second"]);
  await render({ name: "first", skin: readFileSync(`${samples}/tick.pcx`) });
  await wait(100);
  assert.notEqual(meshOf(first).material.map, map);
  await act(async () => root.unmount());
  await wait(50);
  assert.deepEqual(disposed, ["second", "first"]);
  other.dispose();
}

function makeRoot() {
  const ignore = () => {};
  const canvas = { width: 100, height: 100, addEventListener: ignore, removeEventListener: ignore };
  const gl = { domElement: canvas, render: ignore, setSize: ignore, setPixelRatio: ignore, dispose: ignore, shadowMap: {}, xr: canvas };
  return createRoot(canvas).configure({ gl: () => gl, frameloop: "never", size: { width: 100, height: 100, top: 0, left: 0 }, dpr: 1 });
}
