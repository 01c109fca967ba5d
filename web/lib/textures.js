// Opens a model by URL with the textures in its folder.

import { Progress, fetchBytes, fetchContent } from "./fetch.js";
import { open } from "./index.js";

const IMAGES = [".png", ".jpg", ".tga", ".pcx"];
const MAX_TEXTURES = 16;

const stemOf = (path) => path.split(/[/\\]/).pop().replace(/\.[^.]*$/, "");

async function fetchIfFound(name, address, resolve, signal) {
  try {
    const response = await fetch(resolve(new URL(encodeURIComponent(name), address).href), { signal });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null; // or `address` is a blob: or data: URL, which has no folder
  }
}

/**
 * Fetches the textures that a model lacks: [name, bytes] each. Servers list no folders, so this tries their names with each
 * extension.
 */
export async function fetchTextures(model, address, resolve, signal) {
  const missing = model.parts.flatMap((part) => part.textures.filter((texture) => !texture.path).map((texture) => texture.name));
  const found = [];
  await Promise.all([...new Set(missing)].slice(0, MAX_TEXTURES).map(async (name) => {
    const file = name.split(/[/\\]/).pop();
    for (const candidate of new Set([file, ...IMAGES.map((extension) => stemOf(file) + extension)])) {
      const bytes = signal?.aborted ? null : await fetchIfFound(candidate, address, resolve, signal);
      if (bytes) return void found.push([candidate, bytes]);
    }
  }));
  signal?.throwIfAborted();
  return found;
}

/** Opens a model, and again if `find` returns files that it lacks: [path, bytes] each. */
export async function openAndFind(bytes, options, find) {
  const model = await open(bytes, options);
  try {
    const found = await find(model);
    if (found.length === 0) return model;
    model.dispose(); // the next one takes its memory
    return await open(bytes, { ...options, files: [...options.files, ...found] });
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** Opens a model from its bytes, with the textures in the folder of `address`: see openWithTextures. */
export async function openBytes(bytes, address, { files = [], name = decodeURIComponent(address.pathname.split("/").pop()), ...options } = {}, resolve = (url) => url) {
  const sidecars = files instanceof Map || Array.isArray(files) ? [...files] : Object.entries(files);
  const find = (model) => (options.images === "none" ? [] : fetchTextures(model, address, resolve, options.signal));
  return openAndFind(bytes, { ...options, name, files: sidecars }, find);
}

/**
 * Opens the model at a URL. Fetches the textures that the options of open() do not contain from the model's folder.
 * `resolve` maps each URL to the one to fetch.
 */
export async function openWithTextures(address, { files = [], onProgress, ...options } = {}, resolve = (url) => url) {
  const given = files instanceof Map || Array.isArray(files) ? [...files] : Object.entries(files);
  const fetching = { signal: options.signal, progress: onProgress && new Progress(onProgress) };
  const [bytes, ...contents] = await Promise.all([fetchBytes(resolve(address.href), fetching), ...given.map(([, source]) => fetchContent(source, fetching))]);
  return openBytes(bytes, address, { ...options, files: given.map(([path], i) => [path, contents[i]]) }, resolve);
}
