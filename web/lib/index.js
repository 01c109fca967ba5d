// lerpmesh: MD2, MD3, MDC and MDL in JavaScript, read by the C library itself. index.d.ts is the manual.

import { abortable, terminated } from "./engine.js";
import { LerpmeshError, unexpected } from "./errors.js";
import { MemoryFiles, cleanPath } from "./files.js";
import { checkSource, contentOf, diskPathOf, fetchOptions, imageOf, listOfFiles, nameOf, toBytes } from "./input.js";
import { Handle, Model as PlainModel, Part as PlainPart, Surface as PlainSurface } from "./model.js";
import { getEngine, useModule } from "./module.js";

export { LerpmeshError, MemoryFiles, useModule };

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

  /**
   * `entries`: items [path, bytes | Blob | URL | { size, read }], or a file system of your own.
   * @param {any} entries
   * @param {Record<string, any>} [options]
   */
  static async from(entries, { system = new MemoryFiles(), ...options } = {}) {
    if (typeof entries?.open !== "function" && (typeof entries === "string" || !entries?.[Symbol.iterator]))
      throw unexpected(entries, "a list of [path, contents], or a file system");
    const fetching = fetchOptions(options);
    const engine = await abortable(getEngine(), options.signal);
    if (typeof entries.open === "function") return new Files(engine, entries);
    const read = async ([path, source]) => [path, await contentOf(source, "complete" in system, fetching)];
    const contents = await abortable(Promise.all(Array.from(entries, read)), options.signal);
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
   * @param {string} name
   * @param {() => any[]} args
   * @param {(returned: number) => any} convert
   * @param {Record<string, any>} [options]
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

  async models(path = ".", options = undefined) {
    return this.ask("vfs_models", () => [path], () => this.engine.json(), options);
  }

  async read(path, options = undefined) {
    return this.ask("vfs_read", () => [path], () => this.engine.result(), options);
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} [options]
   */
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

  /**
   * @param {string} path
   * @param {Record<string, any>} [options]
   */
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

const VALUES = ["clips", "palette", "listedSkin", "normals", "alpha", "images"];
const FLAGS = ["repair", "strict", "related", "transparent255", "glCommands"];

// Encodes the options for C: NUL-terminated keys and values.
function encodeOptions({ games = [], skins = [], attach = [], ...others }) {
  const words = [];
  const unknown = Object.keys(others).find((key) => others[key] !== undefined && ![...VALUES, ...FLAGS].includes(key));
  if (unknown) throw new LerpmeshError({ code: "bad-argument", message: `open() has no option "${unknown}"` });
  for (const game of games) words.push("game", game);
  for (const skin of [skins].flat()) words.push("skin", skin);
  for (const { tag = "", path, clip = "" } of attach) words.push("attach", tag, path, clip);
  for (const key of VALUES) if (others[key] !== undefined) words.push(key, String(others[key]));
  for (const key of FLAGS) if (others[key]) words.push(key, "1");
  if (others.repair && others.strict)
    throw new LerpmeshError({ code: "bad-argument", message: "repair and strict cannot be combined" });
  return terminated(words);
}

// Calls `act` with the files of one model and its path in them. A model on Node's disk is opened with its folder.
/**
 * @param {any} source
 * @param {Record<string, any>} options
 * @param {(files: Files, path: string, rest: Record<string, any>) => Promise<any>} act
 */
async function withFiles(source, { name, files, system, ...rest }, act) {
  checkSource(source);
  const path = name === undefined && files === undefined ? diskPathOf(source) : null;
  const inMemory = (given) => [[cleanPath(name ?? nameOf(source)), source], ...listOfFiles(given)];
  const folder = await Files.from(
    path === null ? inMemory(files ?? []) : new (await import("./node.js")).NodeFiles(),
    { system, ...rest },
  );
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

/** An open scene. */
export class Model extends PlainModel {
  constructor(files, pointer, options) {
    const { engine } = files;
    const scene = new Handle(engine, "close", pointer, files.retainVfs());
    engine.check(engine.call("scene_json", pointer));
    super(scene, engine.json());
    this.files = files;
    this.options = options;
  }

  image(number) {
    this.ask("texture", number);
    return imageOf(this.engine.result());
  }
}

for (const name of ["check", "encode", "skeleton"])
  Model.prototype[name] = function (...args) { return this.parts[0][name](...args); };
for (const name of ["convert", "toGlb", "toGltf", "toObj", "toObjFiles", "skeletons", "showSkeletons"])
  Model.prototype[name] = async function (...args) { return (await import("./convert.js"))[name](this, ...args); };

/** One model of the scene. */
export class Part extends PlainPart {
  get infoText() {
    this.model.ask("part_info_text", this.index);
    return this.model.engine.text();
  }

  async check(options) {
    return this.model.files.check(this.path, options);
  }

  async encode(format, options) {
    return (await import("./convert.js")).encode(this, format, options);
  }

  async skeleton(options) {
    return (await import("./convert.js")).findSkeleton(this, options);
  }

  /**
   * @param {number} first
   * @param {number} [count]
   * @param {{ engine?: string, strict?: boolean, signal?: AbortSignal }} [options]
   */
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

class Surface extends PlainSurface {
  async uvMap() {
    const { model, index } = this.part;
    await model.engine.loadMore();
    model.ask("uv", index, this.index);
    return imageOf(model.engine.result());
  }
}

Part.Surface = Surface;
Model.Part = Part;

// ---- Without a model -----------------------------------------------------------------------------

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

export const writePng = async ({ width, height, pixels }) =>
  (await callWithBytes("png", pixels, [width, height])).result();

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
