// A page's script: draws a pose of a model with three.js and with Babylon.js, left- and right-handed, from one camera.
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
import { Engine } from "@babylonjs/core/Engines/engine.js";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
import "lerpmesh/babylon";
import { KeyframeLoader } from "lerpmesh/three";
import * as three from "three";

const SIZE = 400;
const EYE = [50, 25, 90]; // y up, z forward, x left

function addCanvas() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  document.body.append(canvas);
  return canvas;
}

// Pixels of a canvas that was just drawn, rows from the top.
function pixelsOf(canvas) {
  const context = new OffscreenCanvas(SIZE, SIZE).getContext("2d");
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, SIZE, SIZE).data;
}

async function drawThree(url, clip, seconds) {
  const renderer = new three.WebGLRenderer({ canvas: addCanvas(), antialias: true, preserveDrawingBuffer: true });
  const scene = new three.Scene();
  scene.background = new three.Color(0x0000ff);
  const camera = new three.PerspectiveCamera(40, 1, 1, 1000);
  camera.position.set(...EYE);
  camera.lookAt(0, 0, 0);
  const model = await new KeyframeLoader().loadAsync(url);
  model.traverse((one) => one.isMesh && (one.material = new three.MeshBasicMaterial({ map: one.material.map })));
  model.model.pose(clip, seconds);
  model.update();
  scene.add(model);
  renderer.render(scene, camera);
  return pixelsOf(renderer.domElement);
}

async function drawBabylon(url, clip, seconds, rightHanded) {
  const engine = new Engine(addCanvas(), true, { preserveDrawingBuffer: true });
  const scene = new Scene(engine);
  scene.useRightHandedSystem = rightHanded;
  scene.clearColor = new Color4(0, 0, 1, 1);
  const left = rightHanded ? 1 : -1;
  const camera = new FreeCamera("camera", new Vector3(left * EYE[0], EYE[1], EYE[2]), scene);
  camera.fov = (40 * Math.PI) / 180;
  camera.minZ = 1;
  camera.setTarget(Vector3.Zero());
  const { meshes, animationGroups } = await ImportMeshAsync(url, scene, { pluginOptions: { lerpmesh: { autoplay: false } } });
  for (const { material } of meshes) {
    if (!material) continue;
    material.emissiveTexture = material.diffuseTexture; // unlit
    material.emissiveColor = Color3.White();
    material.disableLighting = true;
  }
  const group = animationGroups.find(({ name }) => name === clip) ?? animationGroups[0];
  group.start(true).pause();
  group.goToFrame(seconds * group.targetedAnimations[0].animation.framePerSecond);
  await scene.whenReadyAsync();
  scene.render();
  return pixelsOf(engine.getRenderingCanvas());
}

// The share of pixels that differ clearly, of those that show the model in one of the pictures.
function difference(a, b) {
  let [shown, different] = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    if ([a, b].every((one) => one[i] === 0 && one[i + 1] === 0 && one[i + 2] === 255)) continue;
    shown++;
    different += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40) ? 1 : 0;
  }
  return { shown, different };
}

globalThis.comparePictures = async (url, clip, seconds) => {
  const expected = await drawThree(url, clip, seconds);
  const results = [];
  for (const rightHanded of [false, true]) results.push(difference(expected, await drawBabylon(url, clip, seconds, rightHanded)));
  return results;
};
