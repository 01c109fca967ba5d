// What models and images are read from: bytes, Blobs, Responses, URLs, and paths in Node.

import { unexpected } from "./errors.js";
import { Progress, fetchContent, readDisk } from "./fetch.js";

export function isBytes(source) {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source);
}

export function toBytes(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  throw unexpected(source, "an ArrayBuffer or a view of one");
}

export function checkSource(source) {
  if (isBytes(source) || typeof source === "string" || [Blob, Response, URL].some((one) => source instanceof one))
    return;
  throw unexpected(source, "bytes, a Blob, a Response, or a URL");
}

/** Returns the path of a file on Node's disk, if the source names one: a path, or a file: URL. */
export function diskPathOf(source) {
  const node = typeof window === "undefined" && globalThis.process?.getBuiltinModule;
  if (!node || !(typeof source === "string" || source instanceof URL)) return null;
  if (/^file:/i.test(String(source))) return node("node:url").fileURLToPath(source);
  return source instanceof URL || /^(https?|blob|data):/i.test(source) ? null : source; // a.pk3:b.md2 is a path
}

/** Returns bytes, or a Blob or Reader as it is. `fetches`: file: URLs are fetched like others. */
export async function contentOf(source, fetches, options) {
  if (isBytes(source)) return toBytes(source);
  if (typeof source?.then === "function") throw unexpected(source, "bytes, a Blob, a Response, a URL, or a Reader");
  const path = fetches && /^file:/i.test(source) ? null : diskPathOf(source);
  return path === null ? fetchContent(source, options) : readDisk(path, options);
}

/**
 * Returns the options of fetches.
 * @param {{ signal?: AbortSignal, onProgress?: (progress: object) => void }} options
 */
export const fetchOptions = ({ signal, onProgress }) => ({ signal, progress: onProgress && new Progress(onProgress) });

/** Returns the name of a URL's file; "": it has none. */
export const nameOfUrl = (url) => decodeURIComponent(url.pathname.split("/").pop());

/** Returns the file name of a source, or "model". */
export function nameOf(source) {
  if (typeof File === "function" && source instanceof File) return source.name;
  if (isBytes(source) || source instanceof Blob) return "model";
  const path = diskPathOf(source) ?? decodeURIComponent(new URL(source.url ?? source, "http://x/").pathname);
  return path.split(/[/\\]/).pop() || "model";
}

/** Returns the name of a file without its extension. */
export function stem(path) {
  return path.split(/[/:]/).pop().replace(/(.)\.[^.]*$/, "$1");
}

const IMAGES = [".png", ".jpg", ".tga", ".pcx"];

/** Returns the names that the file of a texture may have, the likeliest first. */
export function imageNamesOf(texture) {
  const name = texture.split(/[/\\]/).pop();
  return new Set([name, ...IMAGES.map((extension) => stem(name) + extension)]);
}

/** Returns the file names and sources of the option `files`. */
export const listOfFiles = (files) =>
  files instanceof Map || Array.isArray(files) ? [...files] : Object.entries(files);

/** Returns an image from C's result. */
export function imageOf(bytes) {
  const [width, height] = new Uint32Array(bytes.buffer, 0, 2);
  return { width, height, pixels: new Uint8ClampedArray(bytes.buffer, 8, 4 * width * height) };
}
