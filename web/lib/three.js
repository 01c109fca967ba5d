// Keyframe meshes in three.js: its materials and its AnimationMixer with our sampler. three.d.ts is the manual.

import {
  AnimationClip, Box3, BufferAttribute, BufferGeometry, DoubleSide, Group, Loader, LoopOnce, LoopRepeat, Matrix4, Mesh,
  MeshStandardMaterial, Sphere, VectorKeyframeTrack,
} from "three";
import { BlendedSurface, BlendedTag, blendPoses, reverse } from "./blend.js";
import { openAt, openBytes } from "./loading.js";
import { LerpmeshError } from "./errors.js";
import { boxOfFrames, readSkin, textureFrom } from "./three_parts.js";

// Maps x forward, y left, z up to three's z forward, x left, y up: (x, y, z) becomes (y, z, x).
const AXES = new Matrix4().set(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1);
/** Converts a transform: origin, then x, y and z axes. */
function matrixOf([x, y, z, ...a]) {
  return new Matrix4().set(a[0], a[3], a[6], x, a[1], a[4], a[7], y, a[2], a[5], a[8], z, 0, 0, 0, 1);
}

const WHOLE = 1 - 1e-5; // the least weight that leaves nothing to the pose at rest

// ---- What clones share ---------------------------------------------------------------------------

/** An open model with its clips, textures and materials. The last of its users frees it. */
class Shared {
  #users = 1;
  #textures = new Map();
  #boxes = new Map(); // part: { clip: box }
  ranges = []; // { name, begin, length, fps }: the clips on the track of all clips, one step per frame
  animations = [];

  constructor(model) {
    this.model = model;
    this.materials = model.parts.map((part) =>
      part.surfaces.map((surface) => this.#makeMaterial(part.materials[surface.index])),
    );
    for (const name of new Set(model.clips.map((clip) => clip.name)))
      this.#addClip(model.clips.find((one) => one.name === name));
  }

  #makeMaterial(source) {
    const material = new MeshStandardMaterial({ roughness: 0.9, metalness: 0 });
    if (source?.texture >= 0) {
      material.map = this.#textureOf(source.texture);
      if (source.alpha === "mask") material.alphaTest = 0.5;
      if (source.alpha === "blend") Object.assign(material, { transparent: true, depthWrite: false });
    }
    if (source?.twoSided) material.side = DoubleSide;
    return material;
  }

  #textureOf(number) {
    if (!this.#textures.has(number)) this.#textures.set(number, textureFrom(this.model.image(number)));
    return this.#textures.get(number);
  }

  // Each clip has its own track, of [weight, weight * seconds]: AnimationMixer's weighted means of these, and of [0, 0]
  // at rest, preserve both. Looping clips repeat their first frame at the end, so that AnimationMixer wraps without a
  // jump.
  #addClip({ name, count, fps, loopFrames }) {
    const loops = loopFrames > 0;
    const length = loops ? count : Math.max(count - 1, 0);
    const times = Array.from({ length: Math.max(length, 1) + 1 }, (_, step) => step / fps);
    const values = times.flatMap((seconds) => [1, Math.min(seconds, length / fps)]);
    const track = new VectorKeyframeTrack(`.mix[${this.ranges.length}].pose`, times, values);
    const animation = new AnimationClip(name, times.at(-1), [track]);
    animation.userData = { loop: loops ? LoopRepeat : LoopOnce };
    this.animations.push(animation);
    const { begin = 0, length: before = -1 } = this.ranges.at(-1) ?? {};
    this.ranges.push({ name, begin: begin + before + 1, length, fps });
  }

  /** Returns the box of a part in all frames of a clip; null: at rest. */
  boxOf(name, part) {
    if (!this.#boxes.has(part)) this.#boxes.set(part, new Map());
    const boxes = this.#boxes.get(part);
    if (!boxes.has(name)) boxes.set(name, this.#measure(name, part));
    return boxes.get(name);
  }

  #measure(name, part) {
    let player = part;
    while (player.sharesFrames) player = this.model.parts[player.parent];
    const find = (wanted) => this.model.clips.find((clip) => clip.part === player.index && clip.name === wanted);
    const { first, count } = find(name) ?? find(player.idle) ?? { first: 0, count: 1 };
    return boxOfFrames(part, first, Math.max(count, 1));
  }

  retain() {
    this.#users++;
    return this;
  }

  /** Returns true if no user is left. */
  release() {
    if (--this.#users > 0) return false;
    for (const texture of this.#textures.values()) texture.dispose();
    for (const material of this.materials.flat()) material.dispose();
    this.model.dispose();
    return true;
  }
}

// ---- Poses ---------------------------------------------------------------------------------------

/** A pose to blend: the clip `name` at `seconds`, or, without a name, the rest pose of the clips. */
class ClipPose {
  weight = 0;
  seconds = 0;
  #boxes = []; // of the parts

  constructor(shared, name, changed = null) {
    this.shared = shared;
    this.name = name;
    this.changed = changed;
  }

  show() {
    this.shared.model.pose(this.name, this.seconds);
  }
  boxOf(part) {
    return (this.#boxes[part.index] ??= this.shared.boxOf(this.name, part));
  }

  copy() {
    const copy = new ClipPose(this.shared, this.name);
    copy.seconds = this.seconds;
    return copy;
  }

  // AnimationMixer reads and writes the track's value.
  toArray(array, offset) {
    array[offset] = this.weight;
    array[offset + 1] = this.weight * this.seconds;
  }
  fromArray(array, offset) {
    const weight = array[offset];
    const product = array[offset + 1];
    if (weight <= 0 && product !== 0)
      throw new LerpmeshError({
        code: "bad-argument",
        message: `the clip "${this.name}" of a keyframe mesh cannot be additive`,
      });
    this.weight = weight;
    this.seconds = weight > 0 ? product / weight : 0;
    this.changed();
  }
}

/** The frames that a model shows now. */
class FramePose {
  constructor(model) {
    this.model = model;
    this.frames = model.parts.map((part) => part.pose);
  }

  show() {
    this.frames.forEach(({ frameA, frameB, t, hidden }, part) =>
      this.model.poseFrames(frameA, frameB, t, part, hidden),
    );
  }
  boxOf(part) {
    const { frameA, frameB } = this.frames[part.index];
    return boxOfFrames(part, frameA, 1).union(boxOfFrames(part, frameB, 1));
  }
  copy() {
    return this; // it never changes
  }
}

// ---- Geometry ------------------------------------------------------------------------------------

// Classes, because JavaScript engines are slow with objects that have accessors of their own. Clones are plain.

/** An attribute whose numbers are sampled when they are read. */
class PosedAttribute extends BufferAttribute {
  constructor(values, sample) {
    super(values, 3);
    this.values = values;
    this.sample = sample;
  }

  // @ts-expect-error: three.js declares a property
  get array() {
    this.sample();
    return this.values;
  }
  set array(_) {} // WebGPURenderer sets it

  clone() {
    return new BufferAttribute(this.array, 3).copy(this);
  }
}

/** A geometry whose bounds are computed when they are read. */
class PosedGeometry extends BufferGeometry {
  measure = () => ({ box: null, sphere: null });

  // @ts-expect-error: three.js declares a property
  get boundingBox() {
    return this.measure().box;
  }
  set boundingBox(_) {}

  // @ts-expect-error: three.js declares a property
  get boundingSphere() {
    return this.measure().sphere;
  }
  set boundingSphere(_) {}

  // @ts-expect-error: three.js declares a clone of the same class
  clone() {
    return new BufferGeometry().copy(this);
  }
}

// ---- Models --------------------------------------------------------------------------------------

/**
 * A model: a Group with a Mesh for each surface of each part. Vertices are sampled when they are read, so hidden models
 * cost nothing. Attached parts follow their tags. `units`: units of the model per unit of the scene.
 */
export class KeyframeModel extends Group {
  #shared;
  #surfaces = []; // { part, surface, mesh, blended, attributes, box, sphere, measured }
  #blended = []; // of the surfaces that have vertices
  #parts = []; // { part, group }
  #step = 0;
  #rest = []; // the poses without animations, with weights
  #version = 0; // counts poses
  #sampled = -1; // the version in the arrays
  #shares = { version: -1, poses: [] }; // of #poses()
  #skins = new Map(); // mesh: { material, texture }, of setSkin()
  #skinCalls = new Map();
  #disposed = false;

  /** `source`: an open model, or another KeyframeModel, with which clone() shares it. */
  constructor(source, { units = 1 } = {}) {
    super();
    const isCopy = source instanceof KeyframeModel;
    this.#shared = isCopy ? source.#shared.retain() : new Shared(source);
    this.model = this.#shared.model;
    this.mix = this.#shared.ranges.map(({ name }) => ({
      pose: new ClipPose(this.#shared, name, () => this.#change()),
    }));
    if (!isCopy) this.#build(units);
  }

  #build(units) {
    this.name = this.model.name;
    this.animations = this.#shared.animations;
    this.base = new Group();
    this.base.matrixAutoUpdate = false;
    this.base.quaternion.setFromRotationMatrix(AXES);
    this.base.scale.setScalar(1 / units);
    this.base.updateMatrix();
    this.add(this.base);
    for (const part of this.model.parts) {
      const group = new Group();
      group.name = part.name;
      group.matrixAutoUpdate = false;
      this.base.add(group);
      this.#parts.push({ part, group });
      for (const surface of part.surfaces) this.#addMesh(group, part, surface);
    }
    this.step = 0;
  }

  #addMesh(group, part, surface) {
    const geometry = new PosedGeometry();
    // DataTexture begins at the top left too: its flipY is false.
    geometry.setAttribute("uv", new BufferAttribute(surface.st, 2));
    geometry.setIndex(new BufferAttribute(reverse(surface.indices), 1));
    const mesh = new Mesh(geometry, this.#shared.materials[part.index][surface.index]);
    mesh.name = surface.name;
    group.add(mesh);
    this.#bind(mesh, part, surface);
  }

  // Gives a mesh arrays and bounds that are computed when they are read.
  #bind(mesh, part, surface) {
    const blended = new BlendedSurface(surface);
    const entry = { part, surface, mesh, blended, attributes: [], box: new Box3(), sphere: new Sphere(), measured: -1 };
    const sample = () => this.#sample();
    for (const [name, values] of [["position", blended.positions], ["normal", blended.normals]]) {
      const attribute = new PosedAttribute(values, sample);
      mesh.geometry.setAttribute(name, attribute);
      entry.attributes.push(attribute);
    }
    mesh.geometry.measure = () => this.#measure(entry);
    this.#surfaces.push(entry);
    if (surface.vertices > 0) this.#blended.push(blended);
  }

  /** @private */
  get surfaces() {
    return this.#surfaces;
  }

  clone(recursive = true) {
    const copy = new (/** @type {any} */ (this.constructor))(this).copy(this, false);
    for (const child of this.children) {
      if (!recursive && child !== this.base) continue;
      const copied = child.clone();
      copy.add(copied);
      if (child === this.base) copy.base = copied;
    }
    copy.#adopt(this, pairObjects(this, copy));
    return copy;
  }

  // Takes over the copies of another's groups and meshes, and its pose.
  #adopt(source, copies) {
    this.#parts = source.#parts.map(({ part, group }) => ({ part, group: copies.get(group) ?? group.clone(false) }));
    for (const { part, surface, mesh } of source.#surfaces) {
      const copy = copies.get(mesh);
      if (!copy) continue; // it was removed
      copy.geometry = shareGeometry(mesh.geometry);
      this.#bind(copy, part, surface);
    }
    this.#step = source.#step;
    this.setRest(source.#poses().map(({ pose, weight }) => ({ pose: pose.copy(), weight })));
  }

  #change() {
    this.#version++;
    for (const { attributes } of this.#surfaces) for (const attribute of attributes) attribute.needsUpdate = true;
  }

  /** @private Blends poses, { pose: { show(), boxOf(part) }, weight } each, while no animation plays. */
  setRest(poses) {
    this.#rest = poses;
    for (const { pose: mixed } of this.mix) mixed.weight = mixed.seconds = 0;
    this.#change();
  }

  get step() {
    return this.#step;
  }
  set step(step) {
    this.#step = step;
    const {
      name = null,
      begin,
      length,
      fps,
    } = this.#shared.ranges.findLast((one) => one.begin <= step) ?? this.#shared.ranges[0] ?? {};
    const pose = new ClipPose(this.#shared, name);
    if (name !== null) pose.seconds = Math.min(Math.max(step - begin, 0), length) / fps;
    pose.show();
    this.setRest([{ pose, weight: 1 }]);
  }

  update() {
    this.setRest([{ pose: new FramePose(this.model), weight: 1 }]);
  }

  // Returns the poses to blend, the one of most weight last. The weights sum to 1: at rest are those that animations
  // leave.
  #poses() {
    const shares = this.#shares;
    if (shares.version !== this.#version) {
      shares.version = this.#version;
      shares.poses = this.#weighPoses();
    }
    return shares.poses;
  }

  #weighPoses() {
    let sum = 0;
    let only = null; // the pose, if it has all the weight
    for (const one of this.mix) {
      const { weight } = one.pose;
      if (weight <= 0) continue;
      only = sum === 0 ? one : null;
      sum += weight;
    }
    if (only && sum >= WHOLE) return (only.alone ??= [{ pose: only.pose, weight: 1 }]);
    const poses = this.mix.map(({ pose }) => ({ pose, weight: pose.weight })).filter(({ weight }) => weight > 0);
    if (sum < WHOLE) for (const { pose, weight } of this.#rest) poses.push({ pose, weight: weight * (1 - sum) });
    const total = Math.max(sum, 1);
    return poses.map(({ pose, weight }) => ({ pose, weight: weight / total })).sort((a, b) => a.weight - b.weight);
  }

  #blend(all) {
    blendPoses(this.#poses(), all, (pose) => pose.show());
  }

  #sample() {
    if (this.#sampled === this.#version || this.#disposed) return;
    this.#sampled = this.#version;
    this.#blend(this.#blended);
    if (this.#parts.length > 1) this.#place();
  }

  // Places the parts on their tags, which are blended like vertices.
  #place() {
    const worlds = [];
    for (const { part, group } of this.#parts) {
      worlds.push(part.parent < 0 ? new Matrix4() : worlds[part.parent].clone());
      if (part.parentTag !== null && part.parent >= 0) worlds.at(-1).multiply(this.#tag(part.parent, part.parentTag));
      group.matrix.copy(worlds.at(-1)).decompose(group.position, group.quaternion, group.scale);
    }
  }

  #tag(part, name) {
    const tag = new BlendedTag(this.model.parts[part], name);
    this.#blend([tag]);
    return matrixOf(tag.transform);
  }

  // Attached parts move when the pose changes.
  #placeParts() {
    if (this.#parts.length > 1) this.#sample();
  }
  updateMatrixWorld(force) {
    this.#placeParts();
    super.updateMatrixWorld(force);
  }
  updateWorldMatrix(updateParents, updateChildren) {
    this.#placeParts();
    super.updateWorldMatrix(updateParents, updateChildren);
  }

  // The bounds contain all frames of the clips that are blended.
  #measure(entry) {
    if (entry.measured === this.#version || this.#disposed) return entry;
    entry.measured = this.#version;
    const poses = this.#poses();
    const only = poses.length === 1 ? poses[0].pose.boxOf(entry.part) : null;
    if (only && entry.only === only) return entry; // the same clip
    entry.only = only;
    entry.box.makeEmpty();
    for (const { pose } of poses) entry.box.union(pose.boxOf(entry.part));
    entry.box.getBoundingSphere(entry.sphere);
    return entry;
  }

  tagMatrix(part, name) {
    this.#sample();
    return this.base.matrix.clone().multiply(this.#parts[part].group.matrix).multiply(this.#tag(part, name));
  }

  async setSkin(skin, surface = null) {
    const call = (this.#skinCalls.get(surface) ?? 0) + 1;
    this.#skinCalls.set(surface, call);
    const made = skin && !skin.isTexture ? textureFrom(await readSkin(skin)) : null;
    if (this.#disposed || this.#skinCalls.get(surface) !== call) return made?.dispose();
    const meshes = this.#surfaces.filter(
      ({ part, mesh }) => part.index === 0 && (surface === null || mesh.name === surface),
    );
    if (meshes.length === 0)
      throw new LerpmeshError({ code: "bad-argument", message: `the model has no surface "${surface}"` });
    for (const {
      surface: { index },
      mesh,
    } of meshes)
      this.#dress(mesh, this.#shared.materials[0][index], made ?? skin, made);
  }

  #dress(mesh, plain, map, made) {
    const before = this.#skins.get(mesh);
    const material = map ? Object.assign(plain.clone(), { map }) : plain;
    mesh.material = material;
    if (map) this.#skins.set(mesh, { material, texture: made });
    else this.#skins.delete(mesh);
    free(before);
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    const last = this.#shared.release();
    for (const { mesh } of this.#surfaces) last ? mesh.geometry.dispose() : disposePose(mesh.geometry);
    for (const skin of this.#skins.values()) free(skin);
  }
}

function free(skin) {
  skin?.material.dispose();
  skin?.texture?.dispose();
}

/** Maps the objects below `from` to those below its copy. */
function pairObjects(from, to, pairs = new Map()) {
  pairs.set(from, to);
  from.children.forEach((child, i) => to.children[i] && pairObjects(child, to.children[i], pairs));
  return pairs;
}

/** Returns a geometry with the same indices and attributes, except those of the pose. */
function shareGeometry({ attributes, index, groups }) {
  const geometry = new PosedGeometry();
  const { position, normal, ...shared } = attributes;
  for (const [name, attribute] of Object.entries(shared)) geometry.setAttribute(name, attribute);
  geometry.setIndex(index);
  for (const { start, count, materialIndex } of groups) geometry.addGroup(start, count, materialIndex);
  return geometry;
}

/** Frees the attributes of the pose. Clones may draw with the others. */
function disposePose(geometry) {
  const { index, attributes } = geometry;
  const { position, normal } = attributes;
  Object.assign(geometry, { index: null, attributes: { position, normal } });
  geometry.dispose();
  Object.assign(geometry, { index, attributes });
}

export class KeyframeLoader extends Loader {
  options = {};

  load(url, onLoad, onProgress, onError) {
    this.loadAsync(url).then(onLoad, onError ?? console.error);
  }

  async loadAsync(url) {
    const { manager } = this;
    const { units, ...options } = this.options;
    const path = (this.path ?? "") + url;
    const item = manager.resolveURL(path);
    manager.itemStart(item);
    try {
      const address = new URL(path, globalThis.document?.baseURI);
      return new KeyframeModel(await openAt(address, options, (one) => manager.resolveURL(one)), { units });
    } catch (error) {
      manager.itemError(item);
      throw error;
    } finally {
      manager.itemEnd(item);
    }
  }

  async parseAsync(bytes, { units, ...options } = this.options) {
    return new KeyframeModel(await openBytes(bytes, options), { units });
  }
}
