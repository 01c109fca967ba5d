// Models of a server with the textures in their folders.

import { MemoryFiles, stem } from "./files.js";
import { open } from "./index.js";

const IMAGES = [".png", ".jpg", ".tga", ".pcx"];
const MAX_TEXTURES = 16; // at once

async function fetchIfFound(name, address, resolve, signal) {
  try {
    const response = await fetch(resolve(new URL(encodeURIComponent(name), address).href), { signal });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null; // or `address` is a blob: or data: URL, which has no folder
  }
}

/**
 * Files of a server. Servers list no folders, so Files.open() asks for the textures that a model lacks: complete() tries
 * their names with each extension.
 */
export class WebFiles extends MemoryFiles {
  #folders = new Map(); // path: URL
  #tried = new Set(); // paths of textures

  /** `resolve` maps each URL to the one to fetch. */
  constructor(resolve = (url) => url) {
    super();
    this.resolve = resolve;
  }

  /** Textures of the models in a folder are fetched from the folder of `address`. */
  addFolder(folder, address) {
    this.#folders.set(folder, address);
  }

  // Fetches a texture. Returns true if it is there.
  async #fetch(folder, file, signal) {
    for (const name of new Set([file, ...IMAGES.map((extension) => stem(file) + extension)])) {
      const bytes = signal?.aborted ? null : await fetchIfFound(name, this.#folders.get(folder), this.resolve, signal);
      if (bytes) this.add(folder + name, bytes);
      if (bytes) return true;
    }
    return false;
  }

  /** Fetches textures that a model lacks. Returns true if it found some. */
  async complete({ parts }, { signal }) {
    const missing = new Map();
    for (const { path, textures } of parts) {
      const folder = path.replace(/[^/]*$/, "");
      for (const texture of this.#folders.has(folder) ? textures : []) {
        const file = texture.name.split(/[/\\]/).pop();
        if (!texture.path && !this.#tried.has(folder + file)) missing.set(folder + file, [folder, file]);
      }
    }
    const wanted = [...missing].slice(0, MAX_TEXTURES);
    for (const [path] of wanted) this.#tried.add(path);
    const found = await Promise.all(wanted.map(([, [folder, file]]) => this.#fetch(folder, file, signal)));
    signal?.throwIfAborted();
    return found.includes(true);
  }
}

/**
 * Opens the model at a URL. Fetches the textures that the options of open() do not contain from the model's folder.
 * `resolve` maps each URL to the one to fetch. `source`: the model's bytes, if they are fetched already.
 */
export async function openWithTextures(address, options, resolve, source) {
  const { name = decodeURIComponent(address.pathname.split("/").pop()) } = options;
  const system = new WebFiles(resolve);
  system.addFolder(name.replace(/[^/]*$/, ""), address);
  return open(source ?? system.resolve(address.href), { ...options, name, files: options.files ?? [], system });
}
