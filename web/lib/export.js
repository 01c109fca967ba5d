// Exports models, and finds skeletons for them. index.d.ts is the manual.

import { stem } from "./files.js";
import { LerpmeshError, abortable } from "./module.js";

// ---- Skeletons -----------------------------------------------------------------------------------

const NO_SKELETON = new Uint8Array(new Uint32Array([4]).buffer);

/** Finds the skeleton of a part. Progress is reported during the call, and stops it if the signal has aborted. */
export async function findSkeleton({ model, index }, { maxBones = 0, maxError = 0, constantLengths = false, signal, onProgress } = {}) {
  const { engine } = model;
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
    model.ask("skeleton", index, maxBones, maxError, constantLengths);
  } catch (error) {
    throw failure ? failure.error : error;
  } finally {
    engine.progress = null;
  }
  return { ...engine.json(), bytes: engine.second() };
}

/** Finds the skeletons of all parts. */
export async function skeletons(model, { onProgress, ...options } = {}) {
  const sizes = model.parts.map(({ frames, surfaces }) => surfaces.reduce((sum, { vertices }) => sum + vertices, 1) * frames);
  const all = sizes.reduce((sum, size) => sum + size);
  const found = [];
  let done = 0;
  for (const [i, part] of model.parts.entries()) {
    found.push(await findSkeleton(part, { ...options, onProgress: onProgress && ((share) => onProgress((done + share * sizes[i]) / all)) }));
    done += sizes[i];
  }
  return found;
}

// Returns the option `skeleton` for C: skeletons of all parts, or options to find them with. Parts whose skeleton is
// refused or missing have none.
async function skeletonBytes(model, skeleton, signal) {
  if (!skeleton) return new Uint8Array();
  const { parts } = model;
  const given = Array.isArray(skeleton) ? skeleton : await skeletons(model, { signal, ...(skeleton === true ? {} : skeleton) });
  if (given.length !== parts.length) throw new LerpmeshError({ code: "bad-argument", message: `${given.length} skeletons are given, but the model has ${parts.length} parts` });
  const all = given.map((one) => (!one || one.verdict === "refused" ? NO_SKELETON : one.bytes));
  if (all.some((bytes) => !(bytes instanceof Uint8Array))) throw new LerpmeshError({ code: "bad-argument", message: "skeletons come from skeleton() or skeletons()" });
  return new Uint8Array(await new Blob(all).arrayBuffer());
}

/** Makes stages draw the skeletons of all parts; null: none. */
export async function showSkeletons(model, given, { signal } = {}) {
  const bytes = await skeletonBytes(model, given, signal);
  await callMore(model, signal, "bones", bytes, bytes.length);
}

// ---- Exporters -----------------------------------------------------------------------------------

// Calls a function of the second module.
async function callMore(model, signal, name, ...args) {
  await abortable(model.engine.loadMore(), signal);
  model.ask(name, ...args);
}

export async function toGlb(model, { name = stem(model.parts[0].path), quantize = false, unlit = false, skeleton, signal } = {}) {
  const bytes = await skeletonBytes(model, skeleton, signal);
  await callMore(model, signal, "glb", name, (quantize ? 1 : 0) | (unlit ? 2 : 0), bytes, bytes.length);
  return model.engine.result();
}

export async function toObj(model, { name = stem(model.parts[0].path), frame = 0, signal } = {}) {
  await callMore(model, signal, "obj", name, frame);
  return model.engine.text();
}

/** Exports a .gltf, its .bin and its images: [name, bytes] each. */
export async function toGltf(model, { name = stem(model.parts[0].path), skeleton, signal } = {}) {
  const bytes = await skeletonBytes(model, skeleton, signal);
  await callMore(model, signal, "gltf", name, `${name}.bin`, bytes, bytes.length);
  return [[`${name}.gltf`, model.engine.result()], [`${name}.bin`, model.engine.second()], ...imagesOf(model)];
}

/** Exports a pose as OBJ, its materials and images: [name, bytes] each. */
export async function toObjFiles(model, { name = stem(model.parts[0].path), frame = 0, signal } = {}) {
  await callMore(model, signal, "obj_with_materials", name, `${name}.mtl`, frame);
  return [[`${name}.obj`, model.engine.result()], [`${name}.mtl`, model.engine.second()], ...imagesOf(model)];
}

// Returns the images, which the two exports above have named.
function imagesOf(model) {
  return Array.from({ length: model.engine.call("num_textures", model.pointer) }, (_, number) => {
    model.ask("texture_file", number);
    const bytes = model.engine.result();
    return [model.engine.textOf(model.engine.second()), bytes];
  });
}
