// Open models: their clips, poses and arrays. index.js adds what the complete module can do, loading.js the textures.

import { LerpmeshError, unexpected } from "./errors.js";

// Frees C memory whose JavaScript object was garbage-collected.
const registry = new FinalizationRegistry((resource) => {
  resource.engine.graphics = nullGraphics;
  free(resource);
});

// Stands in for the context of a collected model: a model on a stage is collected only together with the stage.
const nullGraphics = { objects: [], remove() {}, gl: new Proxy({}, { get: () => () => {} }) };

function free({ engine, name, pointer, vfs, texts }) {
  if (!engine.dead) for (const at of texts.values()) engine.call("free", at);
  if (!engine.dead) engine.call(name, pointer);
  vfs?.release();
}

/** An object in C's memory, which the C function `name` frees. It keeps `vfs` alive. */
export class Handle {
  #resource;

  constructor(engine, name, pointer, vfs = null) {
    this.engine = engine;
    this.pointer = pointer;
    this.#resource = { engine, name, pointer, vfs, texts: new Map() };
    registry.register(this, this.#resource, this);
  }

  get live() {
    if (!this.pointer) throw new LerpmeshError({ code: "disposed", message: "the object is disposed" });
    return this.pointer;
  }

  /** Returns the address of a text in C, which lives as long as the object. */
  text(text) {
    const { texts } = this.#resource;
    if (!texts.has(text)) texts.set(text, this.engine.copyText(text));
    return texts.get(text);
  }

  free() {
    if (this.pointer) free(this.#resource);
    this.pointer = 0;
    registry.unregister(this);
  }
}

/* Names are case-insensitive, as in lm_scene_find_clip: only ASCII letters have case. */
const lowerOf = (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const isSameName = (a, b) => lowerOf(a) === lowerOf(b);

// ---- Models --------------------------------------------------------------------------------------

export const MODES = ["clip", "loop", "once", "ping-pong"];

/** An open scene: one model, or several attached to each other's tags. */
export class Model {
  #scene;
  #known = new Set(); // names of clips that pose() has accepted
  #playback = { mode: "clip", backwards: false, interpolate: true, speed: 1 };
  clip = null; // the current clip; see play()
  clips = [];
  restClip = null;
  skins = [];
  currentSkin = -1;
  game = null;
  diagnostics = [];

  /** `properties`: those above, and those of the parts. */
  constructor(scene, { parts, ...properties }) {
    this.#scene = scene;
    Object.assign(this, properties);
    this.parts = parts.map((part, index) => new (/** @type {any} */ (this.constructor).Part)(this, index, part));
  }

  get engine() {
    return this.#scene.engine;
  }

  get pointer() {
    return this.#scene.live;
  }

  ask(name, ...args) {
    return this.engine.check(this.engine.callWith(name, this.pointer, ...args));
  }

  hasClip(name) {
    return [name, ...name.split("+")].some((one) => this.clips.some((clip) => isSameName(clip.name, one)));
  }

  play(clip) {
    if (typeof clip === "string") {
      const [part, number] = this.engine.array(Uint32Array, this.ask("play_named", clip), 2);
      const found = this.clips.find((one) => one.part === part && one.number === number);
      this.clip = isSameName(found.name, clip) ? found : { ...found, name: clip };
    } else {
      this.ask("play", clip?.part ?? 0, clip?.number ?? 0xffffffff);
      this.clip = clip;
    }
  }

  set playback(playback) {
    this.#playback = { ...this.#playback, ...playback };
    const { mode, backwards, interpolate, speed } = this.#playback;
    this.engine.call("set_playback", this.pointer, Math.max(MODES.indexOf(mode), 0), backwards, interpolate, speed);
  }
  get playback() {
    return this.#playback;
  }

  get playing() {
    return Boolean(this.engine.call("is_playing", this.pointer));
  }
  set playing(playing) {
    this.engine.call("set_playing", this.pointer, playing);
  }

  advance(seconds) {
    return Boolean(this.engine.call("advance", this.pointer, seconds));
  }

  get position() {
    return this.engine.call("position", this.pointer);
  }
  set position(position) {
    this.engine.call("seek", this.pointer, position);
  }
  get seconds() {
    return this.engine.call("seconds", this.pointer);
  }

  step(frames) {
    this.engine.call("step", this.pointer, frames);
  }

  pose(clip = null, seconds = 0, { interpolate = true } = {}) {
    const { engine, live } = this.#scene;
    if (clip !== null && !this.#known.has(clip)) {
      if (!this.hasClip(clip)) throw new LerpmeshError({ code: "bad-argument", message: `there is no clip "${clip}"` });
      this.#known.add(clip);
    }
    engine.check(engine.call("pose", live, clip === null ? 0 : this.#scene.text(clip), seconds, !interpolate));
  }

  poseFrames(frameA, frameB = frameA, t = 0, part = 0, hidden = false) {
    this.ask("pose_part", part, frameA, frameB, t, hidden);
  }

  dispose() {
    this.#scene.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.dispose();
  }
}

// A model has the properties and methods of its first part, the only one unless `related` or `attach` added others.
const ofFirstPart = (name, get) => Object.defineProperty(Model.prototype, name, { get });
for (const name of ["name", "format", "surfaces"]) ofFirstPart(name, function () { return this.parts[0][name]; });
for (const name of ["frames", "tags", "warnings"]) ofFirstPart(name, function () { return this.parts[0].info[name]; });
for (const name of ["sample", "tag", "bounds", "toMeshData"])
  Model.prototype[name] = function (...args) { return this.parts[0][name](...args); };

function checkTarget(target, count) {
  if (typeof target !== "object" || target === null)
    throw unexpected(target, "an object with positions, normals or both");
  for (const name in target) {
    const array = target[name];
    if (name !== "positions" && name !== "normals")
      throw new LerpmeshError({ code: "bad-argument", message: `sample() fills positions and normals, not "${name}"` });
    if (array !== undefined && !(array instanceof Float32Array)) throw unexpected(array, `a Float32Array of ${name}`);
    if (array?.length < count)
      throw new LerpmeshError({
        code: "bad-argument",
        message: `an array has ${array.length} numbers, but the surface needs ${count}`,
      });
  }
}

/** One model of the scene. */
export class Part {
  #info;
  name = "";
  path = "";
  format = "";
  parent = -1;
  parentTag = null;
  sharesFrames = false;
  frames = 0; // their number
  idle = null;
  textures = [];
  surfaceList = null;

  constructor(model, index, properties) {
    this.model = model;
    this.index = index;
    Object.assign(this, properties);
  }

  get info() {
    if (!this.#info) {
      this.model.ask("part_json", this.index);
      this.#info = this.model.engine.json();
    }
    return this.#info;
  }

  get surfaces() {
    const { Surface: Own } = /** @type {any} */ (this.constructor);
    this.surfaceList ??= this.info.surfaces.map((info, index) => new Own(this, index, info));
    return this.surfaceList;
  }

  get pose() {
    const [frameA, frameB, t, hidden] = this.model.engine.array(Float64Array, this.model.ask("pose_of", this.index), 4);
    return { frameA, frameB, t, hidden: hidden > 0 };
  }

  get worldTransform() {
    return this.model.engine.floats(this.model.ask("world_transform", this.index), 12).slice();
  }

  tag(name) {
    return this.model.engine.floats(this.model.ask("tag", this.index, name), 12).slice();
  }

  bounds(first = 0, count = this.frames - first) {
    const [minX, minY, minZ, maxX, maxY, maxZ] = this.model.engine.floats(
      this.model.ask("bounds", this.index, first, count),
      6,
    );
    return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] };
  }

  sample(surface, target) {
    const found = this.surfaces[surface];
    if (!(found instanceof Surface))
      throw new LerpmeshError({
        code: "bad-argument",
        message: `there is no surface ${surface}: there are ${this.surfaces.length}`,
      });
    checkTarget(target, 3 * found.vertices);
    found.fill(target.positions, target.normals);
  }

  async toMeshData(options) {
    return (await import("./mesh_data.js")).meshDataOf(this, options);
  }
}

export class Surface {
  #sampled = null; // { at, positions, normals }: views of C's memory, which are empty once that has grown

  constructor(part, index, info) {
    this.part = part;
    this.index = index;
    this.name = info.name;
    this.materials = info.materials;
    this.vertices = info.drawn_vertices; // includes copies at seams
    this.triangles = info.triangles;
  }

  #array(name, Type, count) {
    const { model, index } = this.part;
    return model.engine.array(Type, model.ask(name, index, this.index), count).slice();
  }

  /** Samples without checks, for this package: into arrays of 3 numbers per vertex, of which one may be missing. */
  fill(positions, normals) {
    const { model, index } = this.part;
    const { engine } = model;
    const count = 3 * this.vertices;
    const at = engine.scratch(8 * count);
    const normalsAt = at + 4 * count;
    engine.check(
      engine.call("sample", model.pointer, index, this.index, positions ? at : 0, normals ? normalsAt : 0),
    );
    if (this.#sampled?.at !== at || this.#sampled.positions.length === 0)
      this.#sampled = { at, positions: engine.floats(at, count), normals: engine.floats(normalsAt, count) };
    positions?.set(this.#sampled.positions);
    normals?.set(this.#sampled.normals);
  }

  get indices() {
    return this.triangles ? this.#array("triangles", Uint32Array, 3 * this.triangles) : new Uint32Array();
  }

  get st() {
    return this.vertices ? this.#array("st", Float32Array, 2 * this.vertices) : new Float32Array();
  }

  get fileVertices() {
    return this.vertices ? this.#array("file_vertices", Uint32Array, this.vertices) : new Uint32Array();
  }
}

Part.Surface = Surface;
Model.Part = Part;
