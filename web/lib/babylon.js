// Keyframe meshes in Babylon.js: a plugin of its SceneLoader. babylon.d.ts is the manual.

import "@babylonjs/core/Animations/animatable.js";
import { Animation } from "@babylonjs/core/Animations/animation.js";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup.js";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer.js";
import { BoundingInfo } from "@babylonjs/core/Culling/boundingInfo.js";
import { RegisterSceneLoaderPlugin } from "@babylonjs/core/Loading/sceneLoader.js";
import { Material } from "@babylonjs/core/Materials/material.js";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial.js";
import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture.js";
import { Color3 } from "@babylonjs/core/Maths/math.color.js";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Mesh } from "@babylonjs/core/Meshes/mesh.js";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData.js";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode.js";
import { LoadFile } from "@babylonjs/core/Misc/fileTools.js";
import { FilesInputStore } from "@babylonjs/core/Misc/filesInputStore.js";
import { Observable } from "@babylonjs/core/Misc/observable.js";
import { AssetContainer } from "@babylonjs/core/assetContainer.js";
import { BlendedSurface, BlendedTag, blendPoses, reverse } from "./blend.js";
import { openAt, openBytes } from "./loading.js";
import { fetchBytes } from "./fetch.js";
import { nameOf } from "./input.js";

// ---- Poses ---------------------------------------------------------------------------------------

/** A weighted mean of poses, { name, seconds, weight }: the value that Babylon.js animates and blends. */
class Mix {
  constructor(poses) {
    this.poses = poses;
  }

  static Lerp(from, to, weight) {
    return new Mix([...from.scale(1 - weight).poses, ...to.scale(weight).poses]);
  }
  clone() {
    return new Mix([...this.poses]);
  }
  scale(factor) {
    return new Mix(this.poses.map((pose) => ({ ...pose, weight: pose.weight * factor })));
  }
  scaleAndAddToRef(factor, mix) {
    mix.poses.push(...this.scale(factor).poses);
    return this;
  }

  /** Returns { pose, weight }, whose weights sum to 1, the one of most weight last. */
  get shares() {
    const shown = this.poses.filter(({ weight }) => weight > 0);
    const sum = shown.reduce((total, { weight }) => total + weight, 0);
    return shown.map((pose) => ({ pose, weight: pose.weight / sum })).sort((a, b) => a.weight - b.weight);
  }
}

const poseAt = (name, seconds) => new Mix([{ name, seconds, weight: 1 }]);

/** A clip. Its keys are poses, between which its time runs. */
class ClipAnimation extends Animation {
  static of({ name, fps, duration }) {
    const animation = new ClipAnimation(
      name,
      "mix",
      fps,
      Animation.ANIMATIONTYPE_VECTOR2,
      Animation.ANIMATIONLOOPMODE_CYCLE,
    );
    const length = Math.max(duration * fps, 1); // a clip of one frame lasts, too
    animation.setKeys([{ frame: 0, value: poseAt(name, 0) }, { frame: length, value: poseAt(name, duration) }]);
    return animation;
  }

  // @ts-expect-error: Babylon.js declares a Vector2, of which a Mix has the methods
  vector2InterpolateFunction({ poses: [from] }, { poses: [to] }, share) {
    return poseAt(from.name, from.seconds + (to.seconds - from.seconds) * share);
  }

  // @ts-expect-error: Babylon.js' clones may leave out the keys
  clone() {
    const copy = new ClipAnimation(this.name, "mix", this.framePerSecond, this.dataType, this.loopMode);
    copy.setKeys(this.getKeys().map(({ frame, value }) => ({ frame, value })));
    return copy;
  }
}

// ---- Models --------------------------------------------------------------------------------------

/**
 * A transform: origin, then x, y and z axes.
 * @param {ArrayLike<number> & Iterable<number>} transform
 */
const matrixOf = ([x, y, z, ...a]) =>
  Matrix.FromValues(a[0], a[1], a[2], 0, a[3], a[4], a[5], 0, a[6], a[7], a[8], 0, x, y, z, 1);

function placeNode(node, matrix) {
  node.rotationQuaternion ??= new Quaternion();
  matrix.decompose(node.scaling, node.rotationQuaternion, node.position);
}

const players = new WeakMap(); // root: Player

/** A model in a scene. It samples the vertices when its poses have changed, before the scene is drawn. */
class Player {
  #surfaces = []; // { mesh, blended }
  #tags = []; // { node, blended }
  #textures = new Map();
  #mix = poseAt(null, 0);
  #changed = true;
  #observer;

  constructor(model, scene, { units = 1, meshNames = null }) {
    this.model = model;
    this.scene = scene;
    this.root = new Mesh(model.name, scene);
    this.base = this.#node("base", this.root);
    // The model's axes are x forward, y left, z up; Babylon.js' are x right or left, y up, z forward.
    const left = scene.useRightHandedSystem ? 1 : -1;
    placeNode(this.base, matrixOf([0, 0, 0, 0, 0, 1, left, 0, 0, 0, 1, 0].map((value) => value / units)));
    this.#build(
      model.parts,
      [meshNames ?? []].flat().filter((name) => name !== ""),
    );
    this.groups = [...new Map(model.clips.map((clip) => [clip.name, clip])).values()].map((clip) =>
      this.#makeGroup(clip),
    );
    this.#observer = scene.onBeforeRenderObservable.add(() => this.#update());
    this.root.onDisposeObservable.addOnce(() => this.#dispose());
    players.set(this.root, this);
    this.#update();
  }

  #node(name, parent) {
    const node = new TransformNode(name, this.scene);
    node.parent = parent;
    return node;
  }

  #build(parts, wanted) {
    this.nodes = [];
    for (const part of parts) {
      const tag = this.#tags.find(
        ({ blended }) => blended.part.index === part.parent && blended.name === part.parentTag,
      );
      const node = this.#node(part.name, tag?.node ?? this.nodes[part.parent] ?? this.base);
      this.nodes.push(node);
      for (const name of part.info.tags)
        this.#tags.push({ blended: new BlendedTag(part, name), node: this.#node(name, node) });
      for (const surface of part.surfaces)
        if (wanted.length === 0 || wanted.includes(surface.name) || wanted.includes(part.name))
          this.#addMesh(part, surface, node);
    }
  }

  #addMesh(part, surface, node) {
    const { scene } = this;
    const blended = new BlendedSurface(surface);
    const { positions, normals } = blended;
    const mesh = new Mesh(surface.name || part.name, scene);
    mesh.parent = node;
    mesh.sideOrientation = scene.useRightHandedSystem
      ? Material.CounterClockWiseSideOrientation
      : Material.ClockWiseSideOrientation; // as of glTF
    mesh.material = this.#makeMaterial(part.materials[surface.index], mesh.name);
    if (surface.vertices === 0) return;
    Object.assign(new VertexData(), {
      positions,
      normals,
      uvs: surface.st,
      indices: reverse(surface.indices),
    }).applyToMesh(mesh, true);
    const { min, max } = part.bounds();
    mesh.setBoundingInfo(new BoundingInfo(Vector3.FromArray(min), Vector3.FromArray(max))); // of all frames
    this.#surfaces.push({ mesh, blended });
  }

  #makeMaterial(source, name) {
    const material = new StandardMaterial(source?.name || name, this.scene);
    material.specularColor = Color3.Black();
    material.backFaceCulling = !source?.twoSided;
    if (!(source?.texture >= 0)) return material;
    material.diffuseTexture = this.#textureOf(source.texture);
    material.diffuseTexture.hasAlpha = source.alpha !== "opaque";
    material.useAlphaFromDiffuseTexture = source.alpha === "blend";
    material.transparencyMode = {
      opaque: Material.MATERIAL_OPAQUE,
      mask: Material.MATERIAL_ALPHATEST,
      blend: Material.MATERIAL_ALPHABLEND,
    }[source.alpha];
    material.alphaCutOff = 0.5;
    return material;
  }

  #textureOf(number) {
    if (!this.#textures.has(number)) {
      const { width, height, pixels } = this.model.image(number);
      this.#textures.set(
        number,
        RawTexture.CreateRGBATexture(new Uint8Array(pixels), width, height, this.scene, true, false),
      );
    }
    return this.#textures.get(number);
  }

  #makeGroup(clip) {
    const group = new AnimationGroup(clip.name, this.scene);
    group.addTargetedAnimation(/** @type {any} */ (ClipAnimation.of(clip)), this);
    group.loopAnimation = clip.loopFrames > 0;
    return group;
  }

  get textures() {
    return [...this.#textures.values()];
  }
  get meshes() {
    return [this.root, ...this.#surfaces.map(({ mesh }) => mesh)];
  }
  get transformNodes() {
    return [this.base, ...this.nodes, ...this.#tags.map(({ node }) => node)];
  }

  // Babylon.js reads and writes this property.
  get mix() {
    return this.#mix;
  }
  set mix(mix) {
    this.#mix = mix;
    this.#changed = true;
  }

  #update() {
    if (!this.#changed || !this.root.isEnabled()) return;
    this.#changed = false;
    try {
      this.#show();
    } catch (error) {
      this.scene.onBeforeRenderObservable.remove(this.#observer); // the model was closed
      console.error(error);
    }
  }

  #show() {
    const all = [...this.#surfaces, ...this.#tags].map(({ blended }) => blended);
    blendPoses(this.#mix.shares, all, ({ name, seconds }) => this.model.pose(name, seconds));
    for (const { mesh, blended: { positions, normals } } of this.#surfaces) {
      if (mesh.isDisposed()) continue;
      mesh.updateVerticesData(VertexBuffer.PositionKind, positions);
      mesh.updateVerticesData(VertexBuffer.NormalKind, normals);
    }
    for (const { node, blended } of this.#tags) placeNode(node, matrixOf(blended.transform));
  }

  #dispose() {
    this.scene.onBeforeRenderObservable.remove(this.#observer);
    for (const group of this.groups) group.dispose();
    for (const { mesh } of this.#surfaces) mesh.material?.dispose();
    for (const texture of this.#textures.values()) texture.dispose();
    this.model.dispose();
  }
}

function resultOf({ meshes, groups, transformNodes }) {
  return {
    meshes,
    animationGroups: groups,
    transformNodes,
    particleSystems: [],
    skeletons: [],
    geometries: [],
    lights: [],
    spriteManagers: [],
  };
}

/**
 * @param {import("./model.js").Model} model
 * @param {import("@babylonjs/core/scene.js").Scene} scene
 * @param {{ units?: number, autoplay?: boolean, meshNames?: any }} [options]
 */
export function addModel(model, scene, { autoplay = true, ...options } = {}) {
  const player = new Player(model, scene, options);
  if (autoplay) player.groups.find(({ name }) => name === model.restClip)?.start(true);
  return resultOf(player);
}

export function modelOf(root) {
  return players.get(root)?.model ?? null;
}

// ---- The plugin ----------------------------------------------------------------------------------

const EXTENSIONS = [".md2", ".md3", ".mdc", ".mdl", ".mds"];

/** Opens a model with the textures in the folder of its URL; a File with those that were dropped with it. */
function openData(data, source, url, options) {
  if (typeof source !== "string")
    return openBytes(data, {
      name: source.name || "model",
      files: source.name ? Object.entries(FilesInputStore.FilesToLoad) : [],
      ...options,
    });
  const address = new URL(url, globalThis.document?.baseURI);
  return openAt(address, { name: nameOf(address), ...options }, undefined, new Uint8Array(data));
}

class Loader {
  name = "lerpmesh";
  extensions = extensions;

  /** @param {{ [option: string]: any, units?: number, autoplay?: boolean }} [options] */
  constructor({ units, autoplay, ...options } = {}) {
    this.units = units;
    this.autoplay = autoplay;
    this.options = options;
  }

  // Babylon.js' own function has no bytes, and needs a browser.
  loadFile(scene, source, rootUrl, onSuccess, onProgress, useArrayBuffer, onError) {
    this.source = source;
    const ownRequest = !ArrayBuffer.isView(source) && typeof XMLHttpRequest === "function";
    if (ownRequest) return LoadFile(source, onSuccess, onProgress, scene.offlineProvider, true, onError);
    const controller = new AbortController();
    const request = { onCompleteObservable: new Observable(), abort: () => controller.abort() };
    const bytes =
      typeof source === "string" ? fetchBytes(source, { signal: controller.signal }) : new Blob([source]).arrayBuffer();
    bytes
      .then(
        (content) => onSuccess(content),
        (error) => onError(undefined, error),
      )
      .finally(() => request.onCompleteObservable.notifyObservers(request));
    return request;
  }

  async #add(scene, data, rootUrl, fileName, options) {
    const model = await openData(data, this.source, rootUrl + fileName, this.options);
    if (scene.isDisposed) {
      model.dispose();
      throw new Error("the scene was disposed of while the model was loaded");
    }
    return addModel(model, scene, { units: this.units, autoplay: this.autoplay, ...options });
  }

  async importMeshAsync(meshNames, scene, data, rootUrl, onProgress, fileName) {
    return this.#add(scene, data, rootUrl, fileName, { meshNames });
  }

  async loadAsync(scene, data, rootUrl, onProgress, fileName) {
    await this.#add(scene, data, rootUrl, fileName);
  }

  async loadAssetContainerAsync(scene, data, rootUrl, onProgress, fileName) {
    const { meshes, animationGroups, transformNodes } = await this.#add(scene, data, rootUrl, fileName, {
      autoplay: false,
    });
    const container = new AssetContainer(scene);
    const { textures } = players.get(meshes[0]);
    const materials = meshes.map(({ material }) => material).filter(Boolean);
    const geometries = meshes.map(({ geometry }) => geometry).filter(Boolean);
    Object.assign(container, { meshes, animationGroups, transformNodes, materials, textures, geometries });
    container.removeAllFromScene();
    return container;
  }
}

const extensions = Object.fromEntries(EXTENSIONS.map((extension) => [extension, { isBinary: true }]));

RegisterSceneLoaderPlugin({ name: "lerpmesh", extensions, createPlugin: (options) => new Loader(options.lerpmesh) });
