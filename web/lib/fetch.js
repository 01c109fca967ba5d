// Fetches files by URL; reads those of Node.

import { LerpmeshError } from "./errors.js";

/** Throws a LerpmeshError unless the server has the file. */
export function checkStatus({ ok, url, status, statusText }) {
  if (!ok)
    throw new LerpmeshError({
      code: "io",
      message: `cannot fetch ${url || "the Response"}: the server returned ${status} ${statusText}`.trim(),
    });
}

/** Returns the server's response, or throws a LerpmeshError, or the reason of an aborted signal. */
async function request(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    options?.signal?.throwIfAborted();
    throw new LerpmeshError(
      {
        code: "io",
        message: `cannot fetch ${url}: the server does not respond, or does not allow other pages to read it (CORS). ` +
          `Download the file, then open it`,
      },
      { cause: error },
    );
  }
  checkStatus(response);
  return response;
}

const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

// Passes the bytes on, and reports their number.
function counted(response, progress) {
  const { headers } = response;
  const report = progress.add(headers.has("content-encoding") ? 0 : Number(headers.get("content-length")));
  const count = (chunk, controller) => {
    report(chunk.length);
    controller.enqueue(chunk);
  };
  return new Response(response.body.pipeThrough(new TransformStream({ transform: count })));
}

/** Sums up the progress of several fetches for `onProgress`: { loaded, total }, in bytes; total 0: unknown. */
export class Progress {
  #loaded = 0;
  #totals = [];

  constructor(onProgress) {
    this.onProgress = onProgress;
  }

  /** Adds a file of `total` bytes, or 0. Returns the function that receives the numbers of new bytes. */
  add(total) {
    this.#totals.push(total);
    return (bytes) => {
      this.#loaded += bytes;
      const known = this.#totals.every((one) => one > 0);
      this.onProgress({ loaded: this.#loaded, total: known ? this.#totals.reduce((all, one) => all + one) : 0 });
    };
  }
}

/**
 * Returns the bytes of a server's response.
 * @param {Response} response
 * @param {{ signal?: AbortSignal, progress?: Progress }} [options]
 */
export async function readResponse(response, { signal, progress } = {}) {
  checkStatus(response);
  if (response.bodyUsed)
    throw new LerpmeshError({ code: "bad-argument", message: "the Response has been read already" });
  try {
    return await bytesOf(progress && response.body ? counted(response, progress) : response);
  } catch (error) {
    signal?.throwIfAborted();
    throw new LerpmeshError(
      { code: "io", message: `cannot fetch ${response.url}: the connection ended early` },
      { cause: error },
    );
  }
}

/**
 * Fetches the bytes of a file.
 * @param {string | URL} url
 * @param {{ signal?: AbortSignal, progress?: Progress }} [options]
 */
export async function fetchBytes(url, options = {}) {
  return readResponse(await request(url, { signal: options.signal }), options);
}

/** Returns the bytes of a URL or of a Response; any other source as it is. */
export async function fetchContent(source, options) {
  if (source instanceof Response) return readResponse(source, options);
  return typeof source === "string" || source instanceof URL ? fetchBytes(source, options) : source;
}

/** Fetches a file beside an address. Returns its bytes, or null. `resolve` maps each URL to the one to fetch. */
export async function fetchBeside(name, address, resolve, signal) {
  try {
    const response = await fetch(resolve(new URL(encodeURIComponent(name), address).href), { signal });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null; // or `address` is a blob: or data: URL, which has no folder
  }
}

/**
 * Reads a file of Node.
 * @param {string | URL} path
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function readDisk(path, { signal } = {}) {
  try {
    return new Uint8Array(await process.getBuiltinModule("node:fs/promises").readFile(path, { signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw new LerpmeshError({ code: "io", message: `cannot open ${path}: ${error.message}` }, { cause: error });
  }
}

/** A Reader of a file on a server that supports ranges. */
export class Remote {
  constructor(url, size) {
    this.url = url;
    this.size = size;
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @param {{ signal?: AbortSignal }} [options]
   */
  async read(offset, length, { signal } = {}) {
    const response = await request(this.url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` }, signal });
    const bytes = await bytesOf(response);
    if (response.status === 206 && bytes.length === length) return bytes;
    throw new LerpmeshError({
      code: "io",
      message: `cannot fetch ${this.url}: the server returned the wrong range of bytes`,
    });
  }
}

/**
 * Returns a Remote if the server supports ranges, else the bytes.
 * @param {string} url
 * @param {{ signal?: AbortSignal, progress?: Progress }} [options]
 */
export async function fetchPieces(url, options = {}) {
  const { signal } = options;
  // An empty file has no first byte.
  const response = await request(url, { headers: { Range: "bytes=0-0" }, signal }).catch(() => null);
  const [, size] = /\/(\d+)$/.exec(response?.headers.get("content-range")) ?? [];
  if (response?.status === 206 && size) return new Remote(url, Number(size));
  if (response?.status === 200) return readResponse(response, options);
  await response?.body?.cancel();
  return fetchBytes(url, options);
}
