// Fetches files by URL.

import { LerpmeshError } from "./module.js";

/** Returns the server's response, or throws a LerpmeshError. */
async function request(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    throw new LerpmeshError({ code: "io", message: `cannot fetch ${url}: the server does not respond, or does not allow other pages to read it (CORS). Download the file, then open it` }, { cause: error });
  }
  if (!response.ok) throw new LerpmeshError({ code: "io", message: `cannot fetch ${url}: the server returned ${response.status} ${response.statusText}`.trim() });
  return response;
}

const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

/** Fetches the bytes of a file. */
export async function fetchBytes(url) {
  return bytesOf(await request(url));
}

/** Fetches the bytes of a URL; returns any other source. */
export async function fetchContent(source) {
  return typeof source === "string" || source instanceof URL ? fetchBytes(source) : source;
}

/** A Reader of a file on a server that supports ranges. */
export class Remote {
  constructor(url, size) {
    this.url = url;
    this.size = size;
  }

  async read(offset, length) {
    const response = await request(this.url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    const bytes = await bytesOf(response);
    if (response.status === 206 && bytes.length === length) return bytes;
    throw new LerpmeshError({ code: "io", message: `cannot fetch ${this.url}: the server returned the wrong range of bytes` });
  }
}

/** Returns a Remote if the server supports ranges, else the bytes. */
export async function fetchPieces(url) {
  const response = await request(url, { headers: { Range: "bytes=0-0" } }).catch(() => null); // an empty file has no first byte
  const [, size] = /\/(\d+)$/.exec(response?.headers.get("content-range")) ?? [];
  if (response?.status === 206 && size) return new Remote(url, Number(size));
  if (response?.status === 200) return bytesOf(response);
  await response?.body?.cancel();
  return fetchBytes(url);
}
