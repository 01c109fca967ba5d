// The WebAssembly module: one instance of it, and how JavaScript and C talk.

import { fileImports } from "./files.js";
import { graphicsImports } from "./graphics.js";

/** Why something failed: what C says in lm_error. */
export class LerpmeshError extends Error {
  constructor({ code, offset = 0, section = null, message }, options) {
    super(message, options);
    this.name = "LerpmeshError";
    this.code = code; // "bad-offset", ...: docs/diagnostics.md; "trap", "disposed" are JavaScript's
    this.offset = offset; // byte in the file
    this.section = section;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What is not there yet, or not at all.
const absent = new Proxy({}, {
  get: (_, name) => () => {
    throw new WebAssembly.RuntimeError(`${name} is not there`);
  },
});

/** An instance of the module. After a trap it is dead, with all that was opened in it. */
export class Engine {
  files = null; // the system of files that paths are of; see files.js
  graphics = null; // the Graphics that is drawn on
  dead = null; // the trap

  #more = null; // a promise of the second module
  #build = ""; // what it calls this one

  /** `system`: the command's, which is run nowhere else. */
  static async create(compiled, system = () => absent) {
    const engine = new Engine();
    const imports = { files: fileImports(engine), gl: graphicsImports(engine), math: Math, system: system(engine) };
    // And, under a name that the build has given them, the second module's.
    engine.#build = WebAssembly.Module.imports(compiled).find(({ module }) => !(module in imports))?.module;
    const instance = await WebAssembly.instantiate(compiled, { ...imports, [engine.#build]: absent });
    engine.exports = instance.exports;
    engine.memory = instance.exports.memory;
    return engine;
  }

  /** Fetches the second module, which works on what is open here: web/wasm/more.c. */
  complete() {
    return (this.#more ??= this.#addMore().catch((error) => {
      this.#more = null;
      throw error;
    }));
  }

  async #addMore() {
    const compiled = await load("more", () => import("./more.js"));
    if (WebAssembly.Module.imports(compiled).some(({ module }) => module !== this.#build))
      throw new LerpmeshError({ code: "bad-version", message: "the module that useModule was given is of another version than this lerpmesh" });
    await WebAssembly.instantiate(compiled, { [this.#build]: this.exports });
  }

  /** Calls web_NAME. */
  call(name, ...args) {
    if (this.dead)
      throw new LerpmeshError({ code: "trap", message: "an earlier failure ended this instance; open again" }, { cause: this.dead });
    try {
      return this.exports[`web_${name}`](...args);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.dead = error;
      throw new LerpmeshError({ code: "trap", message: `the module failed: ${error.message}` }, { cause: error });
    }
  }

  /** The same with strings and bytes among the arguments, which C sees while it runs. */
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

  /** What a call returned, or why it returned 0. */
  check(returned) {
    if (returned) return returned;
    this.call("error_json");
    throw new LerpmeshError(this.json());
  }

  /** A copy of the result of the last call. */
  result() {
    const bytes = this.view(this.call("result_data"), this.call("result_size")).slice();
    if (bytes.length > 1 << 20) this.call("result_free");
    return bytes;
  }

  /** What the call gave behind its result. */
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

  // Views hold until the next call: memory that grows takes them away. In its upper half places are negative.
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

  copyBytes(bytes) {
    const at = this.exports.web_alloc(bytes.length);
    if (!at) throw new LerpmeshError({ code: "out-of-memory", message: "out of memory" });
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

const parts = {}; // promises of the WebAssembly.Module, `first`, and of the second one, `more`
let current; // a promise of the Engine that new things are opened in

/** Instead of the module that came with this package: its bytes, a Response, or a compiled one. */
export function useModule(source) {
  parts.first = compile(source);
  current = undefined;
}

async function compile(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  return WebAssembly.compile(given instanceof Uint8Array || given instanceof ArrayBuffer ? given : await given.arrayBuffer());
}

// One that could not be had is asked for again by the next.
async function load(part, bring) {
  const asked = (parts[part] ??= compile(bring().then((shipped) => shipped.bytes())));
  try {
    return await asked;
  } catch (error) {
    if (parts[part] === asked) parts[part] = null;
    throw new LerpmeshError({ code: "io", message: `a part of lerpmesh could not be fetched: ${error.message}` }, { cause: error });
  }
}

/** An instance of its own. */
export async function newEngine(system) {
  return Engine.create(await load("first", () => import("./wasm.js")), system);
}

/** The instance to work in: a new one if the last has trapped, or could not be made. */
export async function getEngine() {
  const asked = (current ??= newEngine());
  let engine;
  try {
    engine = await asked;
  } finally {
    if (current === asked && engine?.dead !== null) current = undefined;
  }
  return engine.dead ? getEngine() : engine;
}
