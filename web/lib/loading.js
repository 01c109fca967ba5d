// Opens models with the core, and finds their textures. core.d.ts is the manual.

import { Current, Engine, PackagedModule, abortable } from "./engine.js";
import { LerpmeshError } from "./errors.js";
import { fetchBeside } from "./fetch.js";
import {
  checkSource,
  contentOf,
  fetchOptions,
  imageNamesOf,
  imageOf,
  listOfFiles,
  nameOf,
  stem,
  toBytes,
} from "./input.js";
import { Handle, Model } from "./model.js";

const core = new PackagedModule(() => new URL("./core.wasm", import.meta.url), () => import("./core_wasm.js"));

// Rounds to some digits as printf does: ties to even.
function rounded(value, digits) {
  const exact = value.toPrecision(digits + 1);
  const isTie = Number(exact) === value && /[02468]\.?5(e|$)/.test(exact);
  return Number(isTie ? exact.replace(/5(e|$)/, "$1") : value.toPrecision(digits));
}

// Returns the shortest number that reads back as the same: as a float if `single`.
function shortest(value, single) {
  if (!Number.isFinite(value)) return 0;
  for (let digits = 6; single && digits <= 9; digits++) {
    const short = rounded(value, digits);
    if (Math.fround(short) === value) return short;
  }
  return value;
}

const importsOf = (engine) => ({
  web: { number: (value, single, at) => engine.write(at, String(shortest(value, single))) },
});
const current = new Current(async () => Engine.create(await core.get(), importsOf));

export function useModule(source) {
  core.use(source);
  current.forget();
}

const bytesOf = async (content) =>
  content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;

// ---- Images --------------------------------------------------------------------------------------

const PNG = 0x89504e47;
const JPEG = 0xffd8ff;
const TYPE = 25; // the offset of a PNG's type of colour, whose bit 4 is alpha

// Returns whether the pixels of a PNG may be transparent.
function hasAlpha(view) {
  if (view.byteLength > TYPE && view.getUint8(TYPE) & 4) return true;
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const name = view.getUint32(at + 4);
    if (name === 0x74524e53) return true; // "tRNS"
    if (name === 0x49444154) return false; // "IDAT"
  }
  return false;
}

// Decodes a PNG or JPEG. A canvas has exact colours only where they are opaque; the complete lerpmesh decodes the
// others.
async function decodeByBrowser(bytes, view) {
  const isPng = view.getUint32(0) === PNG;
  if (typeof OffscreenCanvas !== "function" || (isPng && hasAlpha(view)))
    return (await import("./index.js")).readImage(bytes);
  const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: "none" }).catch((error) => {
    throw new LerpmeshError(
      { code: "bad-image", message: `cannot decode the image: ${error.message}` },
      { cause: error },
    );
  });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  return { width, height, pixels: context.getImageData(0, 0, width, height).data };
}

async function decode(engine, bytes, transparent255) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = bytes.length < 4 ? 0 : view.getUint32(0);
  if (head === PNG || head >>> 8 === JPEG) return decodeByBrowser(bytes, view);
  engine.check(engine.callWith("image", bytes, bytes.length, transparent255));
  return imageOf(engine.result());
}

export const readImage = async (source) => decode(await current.get(), toBytes(source), false);

const ALPHAS = ["opaque", "mask", "blend"];
const alphaOf = (engine, { pixels }) => ALPHAS[engine.callWith("alpha", toBytes(pixels), pixels.length)];

// ---- Textures ------------------------------------------------------------------------------------

/** The textures of a model. */
class Textures {
  images = []; // of CoreModel.image()
  diagnostics = [];
  list = new Map(); // name: { name, path, shader, image }

  /** `find(name)` returns the bytes of a file beside the model, or null. */
  constructor(engine, { files = [], images = "pixels", transparent255 = false }, fetching, find) {
    this.engine = engine;
    this.mode = images;
    this.transparent255 = transparent255;
    this.fetching = fetching;
    this.find = find;
    this.files = new Map(listOfFiles(files).map((file) => [file[0].split("/").pop().toLowerCase(), file]));
  }

  async #read(texture) {
    for (const name of imageNamesOf(texture)) {
      const [path, source] = this.files.get(name.toLowerCase()) ?? [];
      if (path) {
        checkSource(source);
        const content = await contentOf(source, this.find !== null, this.fetching);
        return { path, bytes: await bytesOf(content) };
      }
    }
    for (const name of this.find ? imageNamesOf(texture) : []) {
      const bytes = await this.find(name);
      if (bytes) return { path: name, bytes };
    }
    return null;
  }

  #add(name, path, image) {
    this.images.push(image);
    const texture = { name, path, shader: null, image: image ? this.images.length - 1 : -1 };
    this.list.set(name, texture);
    return texture;
  }

  /** Adds a skin that is in the model's file. */
  embedded(pointer, name) {
    if (this.mode !== "pixels") return this.#add(name, name, null);
    this.engine.check(this.engine.call("embedded", pointer, 0, this.transparent255));
    return this.#add(name, name, imageOf(this.engine.result()));
  }

  /** Returns the texture of a name. Without its file, or with a broken one, it has no image. */
  async get(name) {
    if (this.list.has(name)) return this.list.get(name);
    if (this.mode === "none") return this.#add(name, null, null);
    const found = await this.#read(name);
    if (!found || this.mode === "found") return this.#add(name, found?.path ?? null, null);
    try {
      return this.#add(name, found.path, await decode(this.engine, found.bytes, this.transparent255));
    } catch (error) {
      this.fetching.signal?.throwIfAborted();
      const message = `cannot use texture ${found.path}: ${error.message}`;
      this.diagnostics.push({ code: error.code, severity: "warning", subject: "texture", path: found.path, message });
      return this.#add(name, found.path, null);
    }
  }
}

// ---- Models --------------------------------------------------------------------------------------

const OPTIONS = [
  "alpha",
  "files",
  "glCommands",
  "images",
  "name",
  "normals",
  "onProgress",
  "repair",
  "signal",
  "strict",
  "transparent255",
];
const NORMALS = ["stored", "computed", "auto"];
const FLAGS = { repair: 1, strict: 2, glCommands: 4 };

/** Returns the names of options that only the complete lerpmesh has. */
const othersOf = (options) =>
  Object.keys(options).filter((name) => options[name] !== undefined && !OPTIONS.includes(name));

/** Returns whether these options need the complete lerpmesh: others, or files that are not images, such as scripts. */
export function needsMore(options) {
  const isImage = ([path]) => /\.(png|jpe?g|tga|pcx|bmp)$/i.test(path);
  return othersOf(options).length > 0 || !listOfFiles(options.files ?? []).every(isImage);
}

/** One model with its textures. */
class CoreModel extends Model {
  #images;

  /**
   * @param {Handle} scene
   * @param {any} properties
   * @param {() => Promise<object>} full
   */
  constructor(scene, { images, ...properties }, full) {
    super(scene, properties);
    this.#images = images;
    this.full = full;
  }

  image(number) {
    const image = this.#images[number];
    if (image) return image;
    throw new LerpmeshError({ code: "bad-argument", message: `there is no image ${number}` });
  }
}

/** Finds the texture of each surface. */
async function dress(model, pointer, description, textures, alpha) {
  const { embedded, hasSurfaces, skins } = description;
  const whole = []; // skins of the whole model, up to one with an image
  if (embedded > 0) whole.push(textures.embedded(pointer, skins[0]));
  else for (const name of skins) if (whole.push(await textures.get(name)) && whole.at(-1).image >= 0) break;
  const skin = whole.find(({ image }) => image >= 0) ?? whole[0];
  const materials = [];
  for (const { materials: [name] } of model.parts[0].surfaces) {
    const texture = name ? await textures.get(name) : skin;
    const image = textures.images[texture?.image ?? -1];
    const own = image && !hasSurfaces ? alphaOf(textures.engine, image) : "opaque";
    materials.push({
      name: texture?.name ?? "",
      texture: texture?.image ?? -1,
      alpha: alpha === "auto" ? own : alpha,
      twoSided: false,
    });
  }
  Object.assign(model.parts[0], { materials, textures: [...textures.list.values()] });
}

/** `find`: see Textures. `full` opens the same model with the complete lerpmesh. */
export async function openFound(source, options, find, full) {
  const { name = nameOf(source), normals = "auto", alpha = "auto" } = options;
  if (options.repair && options.strict)
    throw new LerpmeshError({ code: "bad-argument", message: "repair and strict cannot be combined" });
  const fetching = fetchOptions(options);
  const [engine, content] = await abortable(
    Promise.all([current.get(), contentOf(source, find !== null, fetching)]),
    options.signal,
  );
  const bytes = await bytesOf(content);
  const flags = Object.entries(FLAGS).reduce((sum, [key, flag]) => (options[key] ? sum | flag : sum), 0);
  const pointer = engine.check(
    engine.callWith("open", bytes, bytes.length, Math.max(NORMALS.indexOf(normals), 0), flags),
  );
  const scene = new Handle(engine, "close", pointer);
  try {
    engine.check(engine.call("scene_json", pointer));
    const { format, frames, grid, clips, restClip, ...description } = engine.json();
    const textures = new Textures(engine, options, fetching, find);
    const part = {
      name: stem(name),
      path: name,
      format,
      parent: -1,
      parentTag: null,
      sharesFrames: false,
      frames,
      idle: null,
      grid,
    };
    const { images, diagnostics } = textures;
    const model = new CoreModel(
      scene,
      { parts: [part], clips, restClip, skins: [], currentSkin: -1, game: null, diagnostics, images },
      () => full(bytes),
    );
    await dress(model, pointer, description, textures, alpha);
    return model;
  } catch (error) {
    scene.free();
    throw error;
  }
}

export async function open(source, options = {}) {
  checkSource(source);
  const [other] = othersOf(options);
  if (other)
    throw new LerpmeshError({
      code: "bad-argument",
      message: `lerpmesh/core has no option "${other}": open the model with lerpmesh`,
    });
  const full = async (bytes) =>
    (await import("./index.js")).open(bytes, { files: [], ...options, name: options.name ?? nameOf(source) });
  return openFound(source, options, null, full);
}

// ---- For other libraries -------------------------------------------------------------------------

/**
 * Opens the model at a URL with the textures in its folder; with the complete lerpmesh if the options need it.
 * `resolve` maps each URL to the one to fetch. `source`: the model's bytes, if they are fetched already.
 */
export async function openAt(address, { full = false, ...options }, resolve = (url) => url, source = undefined) {
  const openFull = async (bytes) => (await import("./sources.js")).openWithTextures(address, options, resolve, bytes);
  if (full || needsMore(options)) return openFull(source);
  const find = (name) => fetchBeside(name, address, resolve, options.signal);
  return openFound(source ?? resolve(address.href), { name: nameOf(address), ...options }, find, openFull);
}

/** Opens a model from its bytes; with the complete lerpmesh if the options need it. */
export async function openBytes(bytes, { full = false, ...options }) {
  return full || needsMore(options) ? (await import("./index.js")).open(bytes, options) : open(bytes, options);
}
