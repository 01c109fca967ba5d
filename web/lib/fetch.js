// Fetches files by URL.

import { LerpmeshError } from "./module.js";

/** Returns the server's response, or throws a LerpmeshError. */
async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    throw new LerpmeshError({ code: "io", message: `${url} cannot be fetched: the server is not there, or does not let other pages read it (CORS); download it and open the file` }, { cause: error });
  }
  if (!response.ok) throw new LerpmeshError({ code: "io", message: `${url}: the server says ${response.status} ${response.statusText}`.trim() });
  return response;
}

const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

/** Fetches the bytes of a file. */
export async function fetchBytes(url) {
  return bytesOf(await ask(url));
}

/** A Reader of a file on a server that supports ranges. */
export class Remote {
  constructor(url, size) {
    this.url = url;
    this.size = size;
  }

  async read(offset, length) {
    const response = await ask(this.url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    const bytes = await bytesOf(response);
    if (response.status === 206 && bytes.length === length) return bytes;
    throw new LerpmeshError({ code: "io", message: `${this.url}: the server gave other bytes than were asked for` });
  }
}

/** Returns a Remote if the server supports ranges, else the bytes. */
export async function fetchPieces(url) {
  const response = await ask(url, { headers: { Range: "bytes=0-0" } }).catch(() => null); // an empty file has no first byte
  const [, size] = /\/(\d+)$/.exec(response?.headers.get("content-range")) ?? [];
  if (response?.status === 206 && size) return new Remote(url, Number(size));
  if (response?.status === 200) return bytesOf(response);
  await response?.body?.cancel();
  return fetchBytes(url);
}
