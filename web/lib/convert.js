// Converts models, and finds skeletons for them. index.d.ts is the manual.

import { abortable, terminated } from "./engine.js";
import { LerpmeshError, unexpected } from "./errors.js";
import { stem } from "./input.js";

// ---- Skeletons -----------------------------------------------------------------------------------

const NO_SKELETON = new Uint8Array(new Uint32Array([4]).buffer);

/**
 * Calls C, which reports its progress. `onProgress` stops it if it throws or the signal has aborted. `call` also reads
 * the result, before another call replaces it.
 * @param {import("./engine.js").Engine} engine
 * @param {{ signal?: AbortSignal, onProgress?: (share: number) => void }} steering
 * @param {() => any} call
 */
async function callLong(engine, { signal, onProgress }, call) {
  await abortable(engine.loadMore(), signal);
  let failure;
  engine.progress = (share) => {
    try {
      onProgress?.(share);
      signal?.throwIfAborted();
    } catch (error) {
      failure = { error };
    }
    return !failure;
  };
  try {
    return call();
  } catch (error) {
    throw failure ? failure.error : error;
  } finally {
    engine.progress = null;
  }
}

/**
 * @param {import("./model.js").Part} part
 * @param {Record<string, any>} [options]
 */
export function findSkeleton(
  { model, index },
  { maxBones = 0, maxError = 0, constantLengths = false, ...steering } = {},
) {
  const { engine } = model;
  return callLong(engine, steering, () => {
    model.ask("skeleton", index, maxBones, maxError, constantLengths);
    return { ...engine.json(), bytes: engine.second() };
  });
}

/**
 * @param {import("./model.js").Model} model
 * @param {Record<string, any>} [options]
 */
export async function skeletons(model, { onProgress, ...options } = {}) {
  const sizes = model.parts.map(
    ({ frames, surfaces }) => surfaces.reduce((sum, { vertices }) => sum + vertices, 1) * frames,
  );
  const all = sizes.reduce((sum, size) => sum + size);
  const found = [];
  let done = 0;
  for (const [i, part] of model.parts.entries()) {
    found.push(
      await findSkeleton(part, {
        ...options,
        onProgress: onProgress && ((share) => onProgress((done + share * sizes[i]) / all)),
      }),
    );
    done += sizes[i];
  }
  return found;
}

// Returns the option `skeleton` for C: skeletons of all parts, or options to find them with. Parts whose skeleton is
// refused or missing have none.
async function skeletonBytes(model, skeleton, signal) {
  if (!skeleton) return new Uint8Array();
  const { parts } = model;
  const given = Array.isArray(skeleton)
    ? skeleton
    : await skeletons(model, { signal, ...(skeleton === true ? {} : skeleton) });
  if (given.length !== parts.length)
    throw new LerpmeshError({
      code: "bad-argument",
      message: `${given.length} skeletons are given, but the model has ${parts.length} parts`,
    });
  const all = given.map((one) => (!one || one.verdict === "refused" ? NO_SKELETON : one.bytes));
  if (all.some((bytes) => !(bytes instanceof Uint8Array)))
    throw new LerpmeshError({ code: "bad-argument", message: "skeletons come from skeleton() or skeletons()" });
  return new Uint8Array(await new Blob(all).arrayBuffer());
}

/**
 * Makes stages draw the skeletons of all parts; null: none.
 * @param {import("./model.js").Model} model
 * @param {any} given
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function showSkeletons(model, given, { signal } = {}) {
  const bytes = await skeletonBytes(model, given, signal);
  await abortable(model.engine.loadMore(), signal);
  model.ask("bones", bytes, bytes.length);
}

// ---- Converting ----------------------------------------------------------------------------------

/**
 * Returns options for C: NUL-terminated names and values. `maxError: 0.1` is `--max-error 0.1` of the command.
 * @param {Record<string, any>} options
 */
export function pairsOf({ options, ...values }) {
  return terminated(Object.entries({ ...values, options }).flatMap(([key, value]) => {
    const name = key.replace(/[A-Z0-9]+/g, (part) => `-${part.toLowerCase()}`);
    const given = value === undefined || value === null || value === false ? [] : [value].flat();
    return given.flatMap((one) => [name, one === true ? "" : String(one)]);
  }));
}

/** Returns the path of a file with this name. */
export function pathOf(name, format) {
  if (typeof format !== "string") throw unexpected(format, "the name of a format");
  if (typeof name !== "string")
    throw new LerpmeshError({ code: "bad-argument", message: `name is a ${typeof name}, not a string` });
  return `${name}.${format}`;
}

// Calls a conversion of C. Returns its files, the main one first, and what was lost.
function convertBy(engine, steering, call) {
  return callLong(engine, steering, () => {
    try {
      call();
      const { files, ...losses } = engine.json();
      const contents = files.map((name, number) => {
        engine.check(engine.call("converted", number));
        return [name, engine.result()];
      });
      return { files: [contents.pop(), ...contents], losses };
    } finally {
      if (!engine.dead) engine.call("converted_free");
    }
  });
}

/** The same, as Encoded. */
export async function encodeBy(engine, steering, call) {
  const { files: [[, bytes], ...images], losses } = await convertBy(engine, steering, call);
  return { bytes, losses, images };
}

export function encode({ model, index, path }, format, given) {
  const { name = stem(path), signal, onProgress, ...options } = given ?? {};
  return encodeBy(model.engine, { signal, onProgress }, () =>
    model.ask("convert_part", index, String(format), pathOf(name, format), pairsOf(options)),
  );
}

/**
 * @param {import("./engine.js").Engine} engine
 * @param {Uint8Array} bytes
 * @param {string} format
 * @param {Record<string, any>} [options]
 */
export function fromGltf(engine, bytes, format, { name = "model", signal, onProgress, ...options } = {}) {
  return encodeBy(engine, { signal, onProgress }, () =>
    engine.check(
      engine.callWith(
        "convert_file",
        bytes,
        bytes.length,
        `${name}.glb`,
        String(format),
        pathOf(name, format),
        pairsOf(options),
      ),
    ),
  );
}

/** Converts a model with its parts. `path`: of the main file; "": there are no others. */
export async function convert(model, format, given) {
  const {
    name = stem(model.parts[0].path),
    path = pathOf(name, format),
    skeleton,
    signal,
    onProgress,
    ...options
  } = given ?? {};
  const bytes = await skeletonBytes(model, skeleton, signal);
  return convertBy(model.engine, { signal, onProgress }, () =>
    model.ask("convert", String(format), path, name, pairsOf(options), bytes, bytes.length),
  );
}

const filesOf = async (...args) => (await convert(...args)).files;

export const toGlb = async (model, options) => (await filesOf(model, "glb", { ...options, path: "" }))[0][1];
export const toObj = async (model, options) =>
  new TextDecoder().decode((await filesOf(model, "obj", { ...options, path: "" }))[0][1]);
export const toGltf = (model, options) => filesOf(model, "gltf", options);
export const toObjFiles = (model, options) => filesOf(model, "obj", options);
