// lerpmesh: MD2, MD3, MDC and MDL in JavaScript, read by the C library itself. index.d.ts is the manual.

import { Progress, fetchContent } from "./fetch.js";
import { MemoryFiles, cleanPath } from "./files.js";
import { LerpmeshError, abortable, getEngine, terminated, useModule } from "./module.js";

export { LerpmeshError, MemoryFiles, useModule };

// Frees C memory whose JavaScript object was garbage-collected.
const registry = new FinalizationRegistry((resource) => {
  resource.engine.graphics = nullGraphics;
  free(resource);
});

// Stands in for the context of a collected model: a model on a stage is collected only together with the stage.
const nullGraphics = { objects: [], remove() {}, gl: new Proxy({}, { get: () => () => {} }) };

function free({ engine, name, pointer, vfs }) {
  if (!engine.dead) engine.call(name, pointer);
  vfs?.release();
}

/** An object in C's memory, which the C function `name` frees. It keeps `vfs` alive. */
class Handle {
  #resource;

  constructor(engine, name, pointer, vfs) {
    this.engine = engine;
    this.pointer = pointer;
    this.#resource = { engine, name, pointer, vfs };
    registry.register(this, this.#resource, this);
  }

  get live() {
    if (!this.pointer) throw new LerpmeshError({ code: "disposed", message: "the object is disposed" });
    return this.pointer;
  }

  free() {
    if (this.pointer) free(this.#resource);
    this.pointer = 0;
    registry.unregister(this);
  }
}

// ---- Input ---------------------------------------------------------------------------------------

function isBytes(source) {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source);
}

function toBytes(source) {
  return source instanceof ArrayBuffer ? new Uint8Array(source) : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

/** Returns the path of a file on Node's disk, if the source names one: a path, or a file: URL. */
function diskPathOf(source) {
  const node = typeof window === "undefined" && globalThis.process?.getBuiltinModule;
  if (!node || !(typeof source === "string" || source instanceof URL)) return null;
  if (/^file:/i.test(source)) return node("node:url").fileURLToPath(source);
  return source instanceof URL || /^(https?|blob|data):/i.test(source) ? null : source; // a.pk3:b.md2 is a path
}

/** `fetches`: file: URLs are fetched like others. */
async function contentOf(source, fetches, options) {
  if (isBytes(source)) return toBytes(source);
  const path = fetches && /^file:/i.test(source) ? null : diskPathOf(source);
  return path === null ? fetchContent(source, options) : (await import("./node.js")).readDisk(path, options);
}

/** Returns the options of fetches. */
const fetchOptions = ({ signal, onProgress }) => ({ signal, progress: onProgress && new Progress(onProgress) });

/* Names are case-insensitive, as in lm_scene_find_clip: only ASCII letters have case. */
const lowerOf = (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const isSameName = (a, b) => lowerOf(a) === lowerOf(b);

function nameOf(source) {
  if (typeof File === "function" && source instanceof File) return source.name;
  if (isBytes(source) || source instanceof Blob) return "model";
  const path = diskPathOf(source) ?? decodeURIComponent(new URL(source, "http://x/").pathname);
  return path.split(/[/\\]/).pop() || "model";
}

/** C's cache of paths: archives, folders, shader scripts. */
class Vfs extends Handle {
  #users = 1; // its Files and the models opened from it

  constructor(engine) {
    super(engine, "vfs_free", engine.check(engine.call("vfs_new")));
  }

  retain() {
    this.#users++;
    return this;
  }

  release() {
    if (--this.#users === 0) this.free();
  }
}

// ---- Files ---------------------------------------------------------------------------------------

/** Files to open models from: a dropped folder, an archive, or Node's file system. */
export class Files {
  #vfs;
  #system;

  constructor(engine, system) {
    this.#system = system;
    this.#vfs = new Vfs(engine);
  }

  /** `entries`: items [path, bytes | Blob | URL | { size, read }], or a file system of your own. */
  static async from(entries, { system = new MemoryFiles(), ...options } = {}) {
    const fetching = fetchOptions(options);
    const engine = await abortable(getEngine(), options.signal);
    if (typeof entries.open === "function") return new Files(engine, entries);
    const contents = await Promise.all(Array.from(entries, async ([path, source]) => [path, await contentOf(source, "complete" in system, fetching)]));
    options.signal?.throwIfAborted();
    for (const [path, content] of contents) system.add(path, content);
    return new Files(engine, system);
  }

  get engine() {
    return this.#vfs.engine;
  }

  get system() {
    return this.#system;
  }

  /**
   * @private Calls web_NAME(vfs, ...args()) again until no data is missing. `convert` reads the result before any other
   * call. `discard` frees a result that was found without that data.
   */
  async ask(name, args, convert, { discard, ...options } = {}) {
    const fetching = fetchOptions(options);
    const report = fetching.progress?.add(0);
    for (;;) {
      options.signal?.throwIfAborted();
      if (this.engine.dead) this.#vfs = new Vfs(await getEngine());
      const vfs = this.#vfs;
      this.engine.files = this.#system;
      const returned = this.engine.callWith(name, vfs.live, ...args());
      if (!this.#system.missing) return convert(this.engine.check(returned));
      if (returned) discard?.(returned);
      this.#forget();
      await abortable(this.#system.fetch({ signal: options.signal, report }), options.signal);
    }
  }

  // Replaces the Vfs, which remembers failed look-ups.
  #forget() {
    const vfs = this.#vfs;
    this.#vfs = new Vfs(this.engine);
    if (!this.disposed) vfs.release(); // else a model is its last user
  }

  async models(path = ".", options = {}) {
    return this.ask("vfs_models", () => [path], () => this.engine.json(), options);
  }

  async read(path, options = {}) {
    return this.ask("vfs_read", () => [path], () => this.engine.result(), options);
  }

  async open(path, { signal, onProgress, ...options } = {}) {
    const convert = (pointer) => new Model(this, pointer, options);
    const encoded = encodeOptions(options);
    const discard = (pointer) => this.engine.call("close", pointer);
    for (;;) {
      const model = await this.ask("open", () => [path, encoded], convert, { signal, onProgress, discard });
      let found = true; // files that the model lacked
      try {
        found = options.images !== "none" && (await this.#system.complete?.(model, { signal }));
        if (!found) return model;
      } finally {
        if (found) model.dispose(); // the next one takes its memory
      }
      this.#forget();
    }
  }

  async check(path, { engine = "any", strict = false, ...options } = {}) {
    await abortable(this.engine.loadMore(), options.signal);
    return this.ask("vfs_check", () => [path, engine, strict], () => this.engine.json(), options);
  }

  /** Returns the Vfs with one more user, who must call release(). */
  retainVfs() {
    return this.#vfs.retain();
  }

  dispose() {
    if (!this.disposed) this.#vfs.release();
    this.disposed = true;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.dispose();
  }
}

// Encodes the options for C: NUL-terminated keys and values.
function encodeOptions({ games = [], skins = [], attach = [], ...others }) {
  const words = [];
  for (const game of games) words.push("game", game);
  for (const skin of [skins].flat()) words.push("skin", skin);
  for (const { tag = "", path, clip = "" } of attach) words.push("attach", tag, path, clip);
  for (const key of ["clips", "palette", "listedSkin", "normals", "alpha", "images"])
    if (others[key] !== undefined) words.push(key, String(others[key]));
  for (const key of ["repair", "strict", "related", "transparent255", "glCommands"]) if (others[key]) words.push(key, "1");
  if (others.repair && others.strict) throw new LerpmeshError({ code: "bad-argument", message: "repair and strict cannot be combined" });
  return terminated(words);
}

// Calls `act` with the files of one model and its path in them. A model on Node's disk is opened with its folder.
async function withFiles(source, { name, files, ...rest }, act) {
  const path = name === undefined && files === undefined ? diskPathOf(source) : null;
  const inMemory = (given) => [[cleanPath(name ?? nameOf(source)), source], ...(given instanceof Map || Array.isArray(given) ? given : Object.entries(given))];
  const folder = await Files.from(path === null ? inMemory(files ?? []) : new (await import("./node.js")).NodeFiles(), rest);
  try {
    return await act(folder, path ?? cleanPath(name ?? nameOf(source)), rest);
  } finally {
    folder.dispose();
  }
}

export async function open(source, options = {}) {
  return withFiles(source, options, (folder, path, rest) => folder.open(path, rest));
}

// ---- Models --------------------------------------------------------------------------------------

const MODES = ["clip", "loop", "once", "ping-pong"];

/** An open scene: one model, or several attached to each other's tags. */
export class Model {
  #scene;
  #playback = { mode: "clip", backwards: false, interpolate: true, speed: 1 };
  clip = null; // the current clip; see play()

  constructor(files, pointer, options) {
    const { engine } = files;
    this.#scene = new Handle(engine, "close", pointer, files.retainVfs());
    this.files = files;
    this.options = options;
    engine.check(engine.call("scene_json", pointer));
    const { parts, ...properties } = engine.json();
    Object.assign(this, properties); // clips, restClip, skins, currentSkin, game, diagnostics
    this.parts = parts.map((part, index) => new Part(this, index, part));
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
    if (clip !== null && !this.hasClip(clip)) throw new LerpmeshError({ code: "bad-argument", message: `there is no clip "${clip}"` });
    this.ask("pose", clip, seconds, !interpolate);
  }

  poseFrames(frameA, frameB = frameA, t = 0, part = 0, hidden = false) {
    this.ask("pose_part", part, frameA, frameB, t, hidden);
  }

  image(number) {
    this.ask("texture", number);
    return imageOf(this.engine.result());
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
for (const name of ["sample", "tag", "bounds", "check", "encode", "toMeshData", "skeleton"])
  Model.prototype[name] = function (...args) { return this.parts[0][name](...args); };
for (const name of ["convert", "toGlb", "toGltf", "toObj", "toObjFiles", "skeletons", "showSkeletons"])
  Model.prototype[name] = async function (...args) { return (await import("./convert.js"))[name](this, ...args); };

/** One model of the scene. */
export class Part {
  #info;

  constructor(model, index, properties) {
    this.model = model;
    this.index = index;
    Object.assign(this, properties); // name, path, format, parent, parentTag, sharesFrames, frames (their number), idle, textures
  }

  get info() {
    if (!this.#info) {
      this.model.ask("part_json", this.index);
      this.#info = this.model.engine.json();
    }
    return this.#info;
  }

  get infoText() {
    this.model.ask("part_info_text", this.index);
    return this.model.engine.text();
  }

  get surfaces() {
    this.surfaceList ??= this.info.surfaces.map((info, index) => new Surface(this, index, info));
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

  bounds(first = 0, count = this.info.frames.length - first) {
    const [minX, minY, minZ, maxX, maxY, maxZ] = this.model.engine.floats(this.model.ask("bounds", this.index, first, count), 6);
    return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] };
  }

  sample(surface, { positions, normals } = {}) {
    const { engine } = this.model;
    const found = this.surfaces[surface];
    if (!(found instanceof Surface)) throw new LerpmeshError({ code: "bad-argument", message: `there is no surface ${surface}: there are ${this.surfaces.length}` });
    const { vertices, index } = found;
    for (const target of [positions, normals])
      if (target && target.length < 3 * vertices)
        throw new LerpmeshError({ code: "bad-argument", message: `an array has ${target.length} numbers, but the surface needs ${3 * vertices}` });
    engine.assertLive();
    const memory = engine.alloc(24 * vertices);
    try {
      engine.check(engine.call("sample", this.model.pointer, this.index, index, positions ? memory : 0, normals ? memory + 12 * vertices : 0));
      positions?.set(engine.floats(memory, 3 * vertices));
      normals?.set(engine.floats(memory + 12 * vertices, 3 * vertices));
    } finally {
      if (!engine.dead) engine.call("free", memory);
    }
  }

  async check(options) {
    return this.model.files.check(this.path, options);
  }

  async encode(format, options) {
    return (await import("./convert.js")).encode(this, format, options);
  }

  async toMeshData(options) {
    return (await import("./mesh.js")).meshDataOf(this, options);
  }

  async skeleton(options) {
    return (await import("./convert.js")).findSkeleton(this, options);
  }

  async mark(first, count = 1, { engine = "any", strict = false, signal } = {}) {
    const { model } = this;
    await abortable(model.engine.loadMore(), signal);
    const args = () => {
      model.engine.assertLive();
      return [model.pointer, this.index, engine, strict, first, count];
    };
    return model.files.ask("mark", args, () => model.engine.json(), { signal });
  }
}

class Surface {
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

  get indices() {
    return this.triangles ? this.#array("triangles", Uint32Array, 3 * this.triangles) : new Uint32Array();
  }

  get st() {
    return this.vertices ? this.#array("st", Float32Array, 2 * this.vertices) : new Float32Array();
  }

  get fileVertices() {
    return this.vertices ? this.#array("file_vertices", Uint32Array, this.vertices) : new Uint32Array();
  }

  async uvMap() {
    const { model, index } = this.part;
    await model.engine.loadMore();
    model.ask("uv", index, this.index);
    return imageOf(model.engine.result());
  }
}

// ---- Without a model -----------------------------------------------------------------------------

function imageOf(bytes) {
  const [width, height] = new Uint32Array(bytes.buffer, 0, 2);
  return { width, height, pixels: new Uint8ClampedArray(bytes.buffer, 8, 4 * width * height) };
}

// Calls web_NAME(bytes, size, ...args). Returns the engine, which has the result. `more`: it is in the second module.
async function callWithBytes(name, source, args = [], more = true) {
  const engine = await getEngine();
  if (more) await engine.loadMore();
  const bytes = toBytes(source);
  engine.check(engine.callWith(name, bytes, bytes.length, ...args));
  return engine;
}

export async function check(source, options = {}) {
  return withFiles(source, options, (folder, path, rest) => folder.check(path, rest));
}

export const examine = async (source) => (await callWithBytes("layout", source)).json();

export const examineLump = async (source, lump) => (await callWithBytes("layout_table", source, [lump])).text();

export const readImage = async (source) => imageOf((await callWithBytes("image", source, [], false)).result());

export const writePng = async ({ width, height, pixels }) => (await callWithBytes("png", pixels, [width, height])).result();

export async function encode(data, format, options) {
  return (await import("./mesh.js")).encodeArrays(await getEngine(), data, format, options);
}

export async function fromGltf(source, format, options) {
  return (await import("./convert.js")).fromGltf(await getEngine(), toBytes(source), format, options);
}

async function listOf(name) {
  const engine = await getEngine();
  await engine.loadMore();
  engine.check(engine.call(name));
  return engine.json();
}

export const formats = () => listOf("formats");

export const convertOptions = () => listOf("options");

export async function version() {
  const engine = await getEngine();
  return engine.string(engine.call("version"));
}
