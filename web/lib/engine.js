// Instances of the WebAssembly modules, and calls between JavaScript and C.

import { LerpmeshError, unexpected } from "./errors.js";
import { checkStatus, readResponse } from "./fetch.js";

/** Returns words for C, each with a NUL at its end. */
export function terminated(words) {
  if (words.some((word) => word.includes("\0")))
    throw new LerpmeshError({ code: "bad-argument", message: "an option contains a NUL character" });
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

// ---- Modules -------------------------------------------------------------------------------------

async function compileResponse(response) {
  checkStatus(response);
  if (response.headers.get("content-type") === "application/wasm" && !response.bodyUsed)
    return WebAssembly.compileStreaming(response);
  const bytes = await readResponse(response);
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 4)) === "\0asm") return WebAssembly.compile(bytes);
  const message = `cannot use ${response.url || "the Response"}: it is no WebAssembly module`;
  throw new LerpmeshError({ code: "io", message });
}

async function compile(source) {
  /** @type {WebAssembly.Module | Response | BufferSource} */
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof Response) return compileResponse(given);
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  throw unexpected(given, "a WebAssembly.Module, bytes, or a Response");
}

async function compileFile(url) {
  if (url.protocol !== "file:") return compileResponse(await fetch(url));
  return WebAssembly.compile(await globalThis.process.getBuiltinModule("node:fs/promises").readFile(url));
}

/**
 * A module that is fetched on first use: the file that `urlOf` names, which most bundlers copy. Other bundlers leave
 * the file behind; then `importScript` gets a script with the same bytes.
 */
export class PackagedModule {
  static scripts = false; // true: the scripts only, which are small without a server that compresses
  #compiled = null; // a promise

  constructor(urlOf, importScript) {
    this.urlOf = urlOf;
    this.importScript = importScript;
  }

  /** Replaces the module with bytes, a Response, or a compiled one. */
  use(source) {
    this.#compiled = compile(source);
    this.#compiled.catch(() => {}); // get() reports the error
  }

  async #load() {
    try {
      if (!PackagedModule.scripts) return await compileFile(this.urlOf());
    } catch {} // it is not there
    return WebAssembly.compile(await (await this.importScript()).bytes());
  }

  /** Returns the compiled module. After a failure, the next call tries again. */
  async get() {
    const compiled = (this.#compiled ??= this.#load());
    try {
      return await compiled;
    } catch (error) {
      if (this.#compiled === compiled) this.#compiled = null;
      if (error instanceof LerpmeshError) throw error;
      throw new LerpmeshError(
        { code: "io", message: `cannot fetch a part of lerpmesh: ${error.message}` },
        { cause: error },
      );
    }
  }
}

/** Keeps the current instance that `create` makes. */
export class Current {
  #requested; // a promise of an Engine

  constructor(create) {
    this.create = create;
  }

  /** Returns the current instance, or a new one if that has trapped or failed to load. */
  async get() {
    const requested = (this.#requested ??= this.create());
    let engine;
    try {
      engine = await requested;
    } finally {
      if (this.#requested === requested && engine?.dead !== null) this.forget();
    }
    return engine.dead ? this.get() : engine;
  }

  forget() {
    this.#requested = undefined;
  }
}

// ---- Instances -----------------------------------------------------------------------------------

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Imports whose calls fail: of the second module before it is loaded, or of the command. */
export const absent = new Proxy({}, {
  get: (_, name) => () => {
    throw new WebAssembly.RuntimeError(`${String(name)} is not available`);
  },
});

/** An instance of a module. After a trap it is dead, with everything opened in it. */
export class Engine {
  files = null; // the current file system; see files.js
  graphics = null; // the current Graphics
  dead = null; // the trap
  progress = null; // gets the share of a long call, from 0 to 1; returns false to stop it
  /** @type {Record<string, any>} */
  functions = {}; // of C, by their names without "web_": joining strings costs more than many calls do
  /** @type {WebAssembly.Exports} */
  exports;
  /** @type {WebAssembly.Memory} */
  memory;
  more = null; // the PackagedModule of the second module, if there is one

  #second = null; // a promise of the second module
  #build = ""; // the import name that the second module uses
  #scratch = 0; // memory of the arrays of one call
  #scratchSize = 0;

  /**
   * `importsOf(engine)`: the imports. `more`: the second Module, if there is one.
   * @param {WebAssembly.Module} compiled
   * @param {(engine: Engine) => Record<string, any>} [importsOf]
   */
  static async create(compiled, importsOf = () => ({}), more = null) {
    const engine = new Engine();
    const imports = { math: Math, ...importsOf(engine) };
    // The other import belongs to the second module; its name identifies the build. Newer versions of wasm-split append
    // ".deferred" to it.
    const deferred = WebAssembly.Module.imports(compiled).find(({ module }) => !(module in imports))?.module;
    engine.#build = deferred?.split(".")[0];
    engine.more = more;
    /** @type {any} */
    const all = { ...imports, [deferred]: absent };
    const instance = await WebAssembly.instantiate(compiled, all);
    engine.functions = Object.fromEntries(
      Object.entries(instance.exports).map(([name, one]) => [name.replace(/^web_/, ""), one]),
    );
    engine.exports = instance.exports;
    engine.memory = engine.functions.memory;
    return engine;
  }

  /** Adds the second module (web/wasm/more.c) to this instance, if there is one. */
  async loadMore() {
    if (!this.more) return undefined;
    return (this.#second ??= this.#addSecond().catch((error) => {
      this.#second = null;
      throw error;
    }));
  }

  async #addSecond() {
    const compiled = await this.more.get();
    if (WebAssembly.Module.imports(compiled).some(({ module }) => module !== this.#build))
      throw new LerpmeshError({
        code: "bad-version",
        message: "useModule() received a module of another version than this lerpmesh",
      });
    await WebAssembly.instantiate(compiled, { [this.#build]: this.exports });
  }

  /** Throws an error after a trap. */
  assertLive() {
    if (this.dead)
      throw new LerpmeshError(
        { code: "trap", message: "an earlier failure ended this instance: open the model again" },
        { cause: this.dead },
      );
  }

  /** Calls web_NAME. */
  call(name, ...args) {
    this.assertLive();
    try {
      return this.functions[name](...args);
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
        typeof arg === "string" ? copy(encoder.encode(arg + "\0")) : arg instanceof Uint8Array ? copy(arg) : (arg ?? 0),
      );
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
    this.assertLive();
    const at = this.functions.alloc(size);
    if (!at) throw new LerpmeshError({ code: "out-of-memory", message: "out of memory" });
    return at;
  }

  /** Returns memory for the arrays of one call; the next one overwrites it. */
  scratch(size) {
    if (size > this.#scratchSize) {
      if (this.#scratch) this.call("free", this.#scratch);
      this.#scratch = this.#scratchSize = 0;
      this.#scratch = this.alloc(size);
      this.#scratchSize = size;
    }
    return this.#scratch;
  }

  /** Writes a text without a NUL. Returns its length. */
  write(at, text) {
    return encoder.encodeInto(text, this.view(at)).written;
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
