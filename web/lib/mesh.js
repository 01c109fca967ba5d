// Plain arrays as models. index.d.ts is the manual: encode().

import { encodeBy, pairsOf, pathOf } from "./convert.js";
import { UPS, fail, fromUp, transformsFromUp } from "./mesh_data.js";

const ALPHAS = ["opaque", "mask", "blend"];
const MAX_IMAGE = 16384; // pixels per side

// ---- Arrays to models ----------------------------------------------------------------------------

const isTyped = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView) && typeof value[0] !== "bigint";
const isNumbers = (value) => isTyped(value) || (Array.isArray(value) && value.every((one) => typeof one === "number"));
const isWhole = (value, from, to) => Number.isInteger(value) && value >= from && value <= to;

/** @returns {any[]} */
function listOf(value, what) {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : fail`${what} is not an array`;
}

function textOf(value, what) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || value.includes("\0")) fail`${what} is not a string without NUL characters`;
  return value;
}

/** Returns rows: one array for each frame, from such a list or from one array of all frames. */
function rowsOf(value, frames, what) {
  if (Array.isArray(value) && value.length > 0 && typeof value[0] !== "number") {
    const wrong = value.findIndex((row) => !isNumbers(row) || row.length !== value[0].length);
    if (wrong >= 0) fail`${what}[${wrong}] is not an array of numbers as long as ${what}[0]`;
    if (value.length !== frames) fail`${what} has ${value.length} frames, but there are ${frames}`;
    return value;
  }
  if (!isNumbers(value)) fail`${what} is not an array of numbers, or of one such array for each frame`;
  const length = value.length / frames;
  if (!Number.isInteger(length)) fail`${what} has ${value.length} numbers, which ${frames} frames cannot share equally`;
  return Array.from({ length: frames }, (_, frame) =>
    isTyped(value)
      ? value.subarray(frame * length, (frame + 1) * length)
      : value.slice(frame * length, (frame + 1) * length),
  );
}

// The number of frames: `frames`, or that of the arrays.
function countFrames({ frames }, surfaces, tags) {
  const [first] = [surfaces[0]?.positions, tags[0]?.transforms];
  const found = Array.isArray(frames)
    ? frames.length
    : (frames ?? (Array.isArray(first) && typeof first[0] !== "number" ? first.length : 1));
  if (!isWhole(found, 1, 2 ** 20)) fail`there are ${found} frames: a model has 1 or more, and at most ${2 ** 20}`;
  return found;
}

/** Arrays in C's memory. */
class Arrays {
  #engine;
  #blocks = [];

  constructor(engine) {
    this.#engine = engine;
  }

  #keep(at) {
    this.#blocks.push(at);
    return at;
  }
  bytes(bytes) {
    return this.#keep(this.#engine.copyBytes(bytes));
  }
  text(text) {
    return this.#keep(this.#engine.copyText(text));
  }

  /** Copies rows of numbers. `change` converts them. */
  rows(Type, rows, change) {
    const length = rows[0]?.length ?? 0;
    if (4 * length * rows.length >= 2 ** 31) fail`the arrays are too large: each has at most 2 GiB`;
    const at = this.#keep(this.#engine.alloc(4 * length * rows.length));
    const all = this.#engine.array(Type, at, length * rows.length);
    rows.forEach((row, i) => all.set(row, i * length));
    change?.(all);
    return at;
  }

  /** Copies rows of 32-bit words; those of class Float are floats. */
  words(rows) {
    const words = rows.flat();
    const at = this.#keep(this.#engine.alloc(4 * words.length));
    const view = this.#engine.array(DataView, at);
    words.forEach((word, i) =>
      word instanceof Float ? view.setFloat32(4 * i, word.value, true) : view.setInt32(4 * i, word, true),
    );
    return at;
  }

  free() {
    if (!this.#engine.dead) for (const at of this.#blocks) this.#engine.call("free", at);
  }
}

class Float {
  constructor(value) {
    this.value = value;
  }
}

// ---- The rows of web_mesh, web_surface, web_tag, web_clip and web_pixels in web/wasm/convert.c

function checkIndices(indices, vertices, what) {
  if (!isNumbers(indices) || indices.length % 3 !== 0)
    fail`${what}indices is not an array of numbers, 3 for each triangle`;
  for (let i = 0; i < indices.length; i++)
    if (!isWhole(indices[i], 0, vertices - 1))
      fail`${what}indices[${i}] is ${indices[i]}, but there are ${vertices} vertices`;
}

function surfaceRow(arrays, surface, { up, frames, images }, what) {
  if (typeof surface !== "object" || surface === null) fail`${what} is not an object`;
  const { uvs, indices, material } = surface;
  const positions = rowsOf(surface.positions, frames, `${what}positions`);
  const vertices = positions[0].length / 3;
  if (!Number.isInteger(vertices)) fail`${what}positions has ${positions[0].length} numbers per frame: a vertex has 3`;
  const normals = surface.normals ? rowsOf(surface.normals, frames, `${what}normals`) : null;
  if (normals && normals[0].length !== 3 * vertices)
    fail`${what}normals has ${normals[0].length} numbers per frame, but there are ${vertices} vertices`;
  if (uvs && (!isNumbers(uvs) || uvs.length !== 2 * vertices))
    fail`${what}uvs is not an array of ${2 * vertices} numbers: 2 for each of the ${vertices} vertices`;
  checkIndices(indices, vertices, what);
  const { name, image = -1, alpha = "opaque" } = material ?? {};
  if (!isWhole(image, -1, images - 1)) fail`${what}material.image is ${image}, but there are ${images} images`;
  if (!ALPHAS.includes(alpha)) fail`${what}material.alpha is not "opaque", "mask" or "blend"`;
  const vectors = (rows) => arrays.rows(Float32Array, rows, (all) => fromUp(all, up));
  return [
    arrays.text(textOf(surface.name, `${what}name`)),
    vertices,
    indices.length / 3,
    vectors(positions),
    normals ? vectors(normals) : 0,
    uvs ? arrays.rows(Float32Array, [uvs]) : 0,
    arrays.rows(Uint32Array, [indices]),
    arrays.text(textOf(name, `${what}material.name`)),
    image,
    ALPHAS.indexOf(alpha),
  ];
}

function tagRow(arrays, tag, { up, frames }, what) {
  const transforms = rowsOf(tag?.transforms, frames, `${what}.transforms`);
  if (transforms[0].length !== 12)
    fail`${what}.transforms has ${transforms[0].length} numbers per frame: a transform has 12`;
  return [
    arrays.text(textOf(tag.name, `${what}.name`)),
    arrays.rows(Float32Array, transforms, (all) => transformsFromUp(all, up)),
  ];
}

function clipRow(arrays, clip, { frames }, what) {
  const { name, first = 0, count = frames - first, fps = 10, loopFrames = 0, backwards = false, times } = clip ?? {};
  if (!name) fail`${what}.name is missing`;
  if (!isWhole(first, 0, frames - 1) || !isWhole(count, 1, frames - first))
    fail`${what} has frames from ${first}, ${count} in number, but there are ${frames}`;
  if (!(typeof fps === "number" && fps > 0 && fps < Infinity)) fail`${what}.fps is ${fps}: it is not a positive number`;
  if (!isWhole(loopFrames, 0, count)) fail`${what}.loopFrames is ${loopFrames}, but the clip has ${count} frames`;
  if (times && (!isNumbers(times) || times.length !== count + 1))
    fail`${what}.times is not an array of ${count + 1} numbers`;
  return [
    arrays.text(textOf(name, `${what}.name`)),
    first,
    count,
    new Float(fps),
    loopFrames,
    backwards ? 1 : 0,
    times ? arrays.rows(Float32Array, [times]) : 0,
  ];
}

function imageRow(arrays, image, _, what) {
  const { width, height, pixels, name } = image ?? {};
  if (!isWhole(width, 1, MAX_IMAGE) || !isWhole(height, 1, MAX_IMAGE))
    fail`${what} has ${width} x ${height} pixels: an image has 1 to ${MAX_IMAGE} per side`;
  if (!(pixels instanceof Uint8Array || pixels instanceof Uint8ClampedArray) || pixels.length !== 4 * width * height)
    fail`${what}.pixels is not a Uint8Array or Uint8ClampedArray of ${4 * width * height} bytes`;
  return [arrays.text(textOf(name, `${what}.name`)), width, height, arrays.bytes(pixels)];
}

/** Copies a mesh to C's memory. Returns its address there. */
function meshWords(arrays, data) {
  if (typeof data !== "object" || data === null) fail`the mesh is not an object`;
  const { up = "z", grid } = data;
  if (!UPS.includes(up)) fail`there is no axis "${up}": choose "z" or "y"`;
  if (grid && (!isNumbers(grid) || grid.length !== 6)) fail`grid is not an array of 6 numbers`;
  const flat = data.surfaces === undefined;
  const surfaces = flat ? [data] : listOf(data.surfaces, "surfaces");
  const [tags, clips, images] = ["tags", "clips", "images"].map((key) => listOf(data[key], key));
  const context = { up, frames: countFrames(data, surfaces, tags), images: images.length };
  const list = (all, row, what) => [all.length, arrays.words(all.map((one, i) => row(arrays, one, context, what(i))))];
  const names = Array.isArray(data.frames)
    ? arrays.words(data.frames.map((name, i) => arrays.text(textOf(name, `frames[${i}]`))))
    : 0;
  return arrays.words([
    context.frames, names,
    list(surfaces, surfaceRow, (i) => (flat ? "" : `surfaces[${i}].`)), list(tags, tagRow, (i) => `tags[${i}]`),
    list(clips, clipRow, (i) => `clips[${i}]`), list(images, imageRow, (i) => `images[${i}]`),
    grid ? arrays.rows(Float32Array, [grid]) : 0,
  ]);
}

// ---- Encoding ------------------------------------------------------------------------------------

/**
 * @param {import("./engine.js").Engine} engine
 * @param {any} data
 * @param {string} format
 * @param {Record<string, any>} [options]
 */
export async function encodeArrays(engine, data, format, { name, signal, onProgress, ...options } = {}) {
  const arrays = new Arrays(engine);
  try {
    return await encodeBy(engine, { signal, onProgress }, () => {
      const mesh = meshWords(arrays, data);
      engine.check(
        engine.callWith(
          "convert_arrays",
          mesh,
          String(format),
          pathOf(name ?? (data.name || "model"), format),
          pairsOf(options),
        ),
      );
    });
  } finally {
    arrays.free();
  }
}
