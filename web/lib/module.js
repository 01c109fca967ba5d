// Instances of the WebAssembly module, and calls between JavaScript and C.

import { fileImports } from "./files.js";
import { graphicsImports } from "./graphics.js";

/** An error: C's lm_error. */
export class LerpmeshError extends Error {
  constructor({ code, offset = 0, section = null, message }, options) {
    super(message, options);
    this.name = "LerpmeshError";
    this.code = code; // "bad-offset", ...: docs/reference/diagnostics.md; "trap", "disposed" are JavaScript's
    this.offset = offset; // byte in the file
    this.section = section;
  }
}

/** Returns words for C, each with a NUL at its end. */
export function terminated(words) {
  if (words.some((word) => word.includes("\0"))) throw new LerpmeshError({ code: "bad-argument", message: "an option contains a NUL character" });
  return words.map((word) => word + "\0").join("");
}

/** Returns the promise's result, or rejects with the signal's reason once it aborts. */
export async function abortable(promise, signal) {
  if (!signal) return promise;
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Imports whose calls fail: of the second module before it is loaded, or of the command.
const absent = new Proxy({}, {
  get: (_, name) => () => {
    throw new WebAssembly.RuntimeError(`${name} is not available`);
  },
});

/** An instance of the module. After a trap it is dead, with everything opened in it. */
export class Engine {
  files = null; // the current file system; see files.js
  graphics = null; // the current Graphics
  dead = null; // the trap
  progress = null; // gets the share of a long call, from 0 to 1; returns false to stop it

  #second = null; // a promise of the second module
  #build = ""; // the import name that the second module uses

  /** `system`: the import "system", which only the command needs. */
  static async create(compiled, system = () => absent) {
    const engine = new Engine();
    const imports = { files: fileImports(engine), gl: graphicsImports(engine), math: Math, system: system(engine), web: { progress: (share) => Number(engine.progress(share)) } };
    // The other import belongs to the second module; its name identifies the build. Newer versions of wasm-split append
    // ".deferred" to it.
    const deferred = WebAssembly.Module.imports(compiled).find(({ module }) => !(module in imports))?.module;
    engine.#build = deferred?.split(".")[0];
    const instance = await WebAssembly.instantiate(compiled, { ...imports, [deferred]: absent });
    engine.exports = instance.exports;
    engine.memory = instance.exports.memory;
    return engine;
  }

  /** Adds the second module (web/wasm/more.c) to this instance. */
  loadMore() {
    return (this.#second ??= this.#addSecond().catch((error) => {
      this.#second = null;
      throw error;
    }));
  }

  async #addSecond() {
    const compiled = await load("more", () => import("./more.js"));
    if (WebAssembly.Module.imports(compiled).some(({ module }) => module !== this.#build))
      throw new LerpmeshError({ code: "bad-version", message: "useModule() received a module of another version than this lerpmesh" });
    await WebAssembly.instantiate(compiled, { [this.#build]: this.exports });
  }

  /** Throws an error after a trap. */
  assertLive() {
    if (this.dead)
      throw new LerpmeshError({ code: "trap", message: "an earlier failure ended this instance: open the model again" }, { cause: this.dead });
  }

  /** Calls web_NAME. */
  call(name, ...args) {
    this.assertLive();
    try {
      return this.exports[`web_${name}`](...args);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.dead = error;
      throw new LerpmeshError({ code: "trap", message: `the module failed: ${error.message}` }, { cause: error });
    }
  }

  /** Calls web_NAME. Strings and bytes among the arguments are valid in C during the call. */
  callWith(name, ...args) {
    const copies = [];
    const copy = (bytes) => {
      const at = this.copyBytes(bytes);
      copies.push(at);
      return at;
    };
    try {
      const passed = args.map((arg) =>
        typeof arg === "string" ? copy(encoder.encode(arg + "\0")) : arg instanceof Uint8Array ? copy(arg) : (arg ?? 0));
      return this.call(name, ...passed);
    } finally {
      if (!this.dead) for (const at of copies) this.call("free", at);
    }
  }

  /** Returns the result of a call; throws C's error if it is 0. */
  check(returned) {
    if (returned) return returned;
    this.call("error_json");
    throw new LerpmeshError(this.json());
  }

  /** Copies the result of the last call. */
  result() {
    const bytes = this.view(this.call("result_data"), this.call("result_size")).slice();
    if (bytes.length > 1 << 20) this.call("result_free");
    return bytes;
  }

  /** Copies the second result of the last call. */
  second() {
    this.call("result_next");
    return this.result();
  }

  text() {
    return decoder.decode(this.result());
  }

  json() {
    return JSON.parse(this.text());
  }

  // Views are valid until the next call, because growing memory detaches them. Addresses from 2 GiB on are negative.
  array(Type, at, count) {
    return new Type(this.memory.buffer, at >>> 0, count);
  }

  view(at, size) {
    return this.array(Uint8Array, at, size);
  }

  floats(at, count) {
    return this.array(Float32Array, at, count);
  }

  decode(at, size) {
    return decoder.decode(this.view(at, size));
  }

  string(at) {
    const bytes = this.view(at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  alloc(size) {
    const at = this.exports.web_alloc(size);
    if (!at) throw new LerpmeshError({ code: "out-of-memory", message: "out of memory" });
    return at;
  }

  copyBytes(bytes) {
    const at = this.alloc(bytes.length);
    this.view(at, bytes.length).set(bytes);
    return at;
  }

  copyText(text) {
    return this.copyBytes(encoder.encode(text + "\0"));
  }

  setPointer(at, value) {
    this.array(DataView, at).setUint32(0, value, true);
  }
}

const parts = {}; // promises of the modules `first` and `more`
let current; // a promise of the current Engine

/** Replaces the package's module with bytes, a Response, or a compiled module. */
export function useModule(source) {
  parts.first = compile(source);
  current = undefined;
}

async function compile(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  return WebAssembly.compile(given instanceof Uint8Array || given instanceof ArrayBuffer ? given : await given.arrayBuffer());
}

// After a failure, the next call tries again.
async function load(part, fetchScript) {
  const compiled = (parts[part] ??= compile(fetchScript().then((script) => script.bytes())));
  try {
    return await compiled;
  } catch (error) {
    if (parts[part] === compiled) parts[part] = null;
    throw new LerpmeshError({ code: "io", message: `cannot fetch a part of lerpmesh: ${error.message}` }, { cause: error });
  }
}

export async function newEngine(system) {
  return Engine.create(await load("first", () => import("./wasm.js")), system);
}

/** Returns the current instance, or a new one if that has trapped or failed to load. */
export async function getEngine() {
  const requested = (current ??= newEngine());
  let engine;
  try {
    engine = await requested;
  } finally {
    if (current === requested && engine?.dead !== null) current = undefined;
  }
  return engine.dead ? getEngine() : engine;
}
