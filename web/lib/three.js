// Keyframe meshes in three.js: its materials and its AnimationMixer with our sampler.

import {
  AnimationClip, BufferAttribute, BufferGeometry, DataTexture, DoubleSide, Group, Loader, LinearFilter, LinearMipmapLinearFilter,
  LoopOnce, LoopRepeat, Matrix4, Mesh, MeshStandardMaterial, NumberKeyframeTrack, RepeatWrapping, RGBAFormat, SRGBColorSpace,
} from "three";
import { open } from "./index.js";

// Maps x forward, y left, z up to three's z forward, x left, y up: (x, y, z) becomes (y, z, x).
const AXES = new Matrix4().set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1);

function textureOf(model, number, cache) {
  if (!cache.has(number)) {
    const { width, height, pixels } = model.image(number);
    const texture = new DataTexture(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength), width, height, RGBAFormat);
    Object.assign(texture, {
      colorSpace: SRGBColorSpace, wrapS: RepeatWrapping, wrapT: RepeatWrapping, magFilter: LinearFilter,
      minFilter: LinearMipmapLinearFilter, generateMipmaps: true, needsUpdate: true,
    });
    cache.set(number, texture);
  }
  return cache.get(number);
}

function materialOf(model, source, cache) {
  const material = new MeshStandardMaterial({ roughness: 0.9, metalness: 0 });
  if (source && source.texture >= 0) {
    material.map = textureOf(model, source.texture, cache);
    if (source.alpha === "mask") material.alphaTest = 0.5;
    if (source.alpha === "blend") Object.assign(material, { transparent: true, depthWrite: false });
  }
  if (source?.twoSided) material.side = DoubleSide;
  return material;
}

/**
 * A model: a Group with a Mesh for each surface of each part. Animations set `step`, the position on the track
 * of all its frames. Attached parts follow their tags. `units`: units of the model per unit of the scene.
 */
export class KeyframeModel extends Group {
  #surfaces = [];
  #parts = [];
  #step = 0;

  constructor(model, { units = 1 } = {}) {
    super();
    this.model = model;
    this.name = model.name;
    this.base = new Group();
    this.base.matrixAutoUpdate = false;
    this.base.matrix.copy(AXES).multiplyScalar(1 / units);
    this.add(this.base);
    const textures = new Map();
    for (const part of model.parts) this.#addPart(part, textures);
    this.track = new ClipTrack(model);
    this.animations = this.track.clips;
    this.step = 0;
  }

  #addPart(part, textures) {
    const group = new Group();
    group.name = part.name;
    group.matrixAutoUpdate = false;
    for (const surface of part.surfaces) {
      const geometry = new BufferGeometry();
      const positions = new BufferAttribute(new Float32Array(3 * surface.vertices), 3);
      const normals = new BufferAttribute(new Float32Array(3 * surface.vertices), 3);
      const uv = surface.st; // DataTexture begins at the top left too: its flipY is false
      geometry.setAttribute("position", positions);
      geometry.setAttribute("normal", normals);
      geometry.setAttribute("uv", new BufferAttribute(uv, 2));
      geometry.setIndex(new BufferAttribute(counterclockwise(surface.indices), 1));
      const mesh = new Mesh(geometry, materialOf(this.model, part.materials[surface.index], textures));
      mesh.name = surface.name;
      mesh.frustumCulled = false; // its bounds change with the pose
      group.add(mesh);
      this.#surfaces.push({ part, surface, positions, normals });
    }
    this.base.add(group);
    this.#parts.push({ part, group });
  }

  get step() {
    return this.#step;
  }
  set step(step) {
    this.#step = step;
    this.track.pose(step);
    this.update();
  }

  /** Shows the model's current pose, after you changed it (model.pose, model.advance). */
  update() {
    for (const { part, surface, positions, normals } of this.#surfaces) {
      if (surface.vertices === 0) continue;
      part.sample(surface.index, { positions: positions.array, normals: normals.array });
      positions.needsUpdate = normals.needsUpdate = true;
    }
    for (const { part, group } of this.#parts) {
      const [x, y, z, ...a] = part.worldTransform;
      group.matrix.set(a[0], a[3], a[6], x, a[1], a[4], a[7], y, a[2], a[5], a[8], z, 0, 0, 0, 1);
    }
  }

  /** Returns a tag's transform relative to this group, to attach objects. */
  tagMatrix(part, name) {
    const [x, y, z, ...a] = this.model.parts[part].tag(name);
    const own = new Matrix4().set(a[0], a[3], a[6], x, a[1], a[4], a[7], y, a[2], a[5], a[8], z, 0, 0, 0, 1);
    return this.base.matrix.clone().multiply(this.#parts[part].group.matrix).multiply(own);
  }

  dispose() {
    this.traverse((object) => {
      if (!object.isMesh) return;
      object.geometry.dispose();
      object.material.map?.dispose();
      object.material.dispose();
    });
    this.model.dispose();
  }
}

// Flips the winding: front faces are clockwise in the model, counterclockwise in three.js.
function counterclockwise(indices) {
  for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return indices;
}

/**
 * The model's clips on one track: clip after clip, one step per frame. Looping clips repeat their first frame
 * at the end, so that AnimationMixer wraps without a jump.
 */
class ClipTrack {
  constructor(model) {
    this.model = model;
    this.ranges = []; // { clip, begin, length } per name
    this.clips = [];
    let begin = 0;
    for (const name of new Set(model.clips.map((clip) => clip.name))) {
      const clip = model.clips.find((one) => one.name === name);
      const loops = clip.loopFrames > 0;
      const length = loops ? clip.count : Math.max(clip.count - 1, 0);
      this.ranges.push({ clip, begin, length });
      const seconds = Math.max(length, 1) / clip.fps;
      const track = new NumberKeyframeTrack(".step", [0, seconds], [begin, begin + length]);
      const animation = new AnimationClip(name, seconds, [track]);
      animation.userData = { loop: loops ? LoopRepeat : LoopOnce };
      this.clips.push(animation);
      begin += length + 1;
    }
  }

  pose(step) {
    const range = this.ranges.findLast((one) => one.begin <= step) ?? this.ranges[0];
    if (range) this.model.pose(range.clip.name, Math.min(Math.max(step - range.begin, 0), range.length) / range.clip.fps);
  }
}

/** Replaces three's MD2Loader: new KeyframeLoader().load("tris.md2", (model) => scene.add(model)). */
export class KeyframeLoader extends Loader {
  /** The options of open(), and `units`. */
  options = {};

  load(url, onLoad, onProgress, onError) {
    this.loadAsync(url).then(onLoad, onError ?? console.error);
  }

  async loadAsync(url) {
    const { manager } = this;
    const { units, ...options } = this.options;
    const item = manager.resolveURL((this.path ?? "") + url);
    manager.itemStart(item);
    try {
      return new KeyframeModel(await open(new URL(item, globalThis.document?.baseURI), options), { units });
    } catch (error) {
      manager.itemError(item);
      throw error;
    } finally {
      manager.itemEnd(item);
    }
  }

  async parseAsync(bytes, { units, ...options } = this.options) {
    return new KeyframeModel(await open(bytes, options), { units });
  }
}
