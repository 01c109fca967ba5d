// Skeletons: finding them, and passing them to C. index.d.ts is the manual.
import { LerpmeshError, abortable } from "./module.js";

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
export async function findSkeletons(model, { onProgress, ...options } = {}) {
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

/** Returns the skeletons of all parts for C. Parts whose skeleton is refused or missing have none. */
export function joinSkeletons({ parts }, skeletons) {
  if (skeletons.length !== parts.length) throw new LerpmeshError({ code: "bad-argument", message: `${skeletons.length} skeletons are given, but the model has ${parts.length} parts` });
  const all = skeletons.map((one) => (!one || one.verdict === "refused" ? NO_SKELETON : one.bytes));
  if (all.some((bytes) => !(bytes instanceof Uint8Array))) throw new LerpmeshError({ code: "bad-argument", message: "skeletons come from skeleton() or skeletons()" });
  const joined = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of all) {
    joined.set(bytes, at);
    at += bytes.length;
  }
  return joined;
}
