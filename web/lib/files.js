// File systems for the C code: files in memory or of a browser. A file system has
//   kind(path)   "file", "folder", "other" or undefined
//   list(path)   the names in a folder
//   open(path)   { size, read(offset, bytes) } of a file; read returns the number of bytes
// and optional methods (see node.js). All are synchronous, as C is. If data arrives later, it also has
//   missing      true if read() or open() failed because data is not there yet
//   fetch()      gets that data

import { unexpected } from "./errors.js";

// WASI's error numbers.
export const ERRORS = {
  EACCES: 2, EEXIST: 20, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33, ENAMETOOLONG: 37,
  ENOENT: 44, ENOMEM: 48, ENOSPC: 51, ENOTDIR: 54, ENOTEMPTY: 55, EPERM: 63, EROFS: 69,
};
const KINDS = { file: 1, folder: 2, other: 3 };

export class FileError extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Returns a path without "." and "..", and without leading or trailing "/". */
export function cleanPath(path) {
  const parts = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}

// Splits a clean path into folder and name.
function split(path) {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}

function readFromBytes(bytes) {
  return {
    size: bytes.length,
    read(offset, target) {
      const part = bytes.subarray(offset, offset + target.length);
      target.set(part);
      return part.length;
    },
  };
}

// A Blob in a worker; only workers can read Blobs synchronously. Each read is a request to another process, and most
// are small and close to the last one, so this reads in blocks.
class Blocks {
  static SIZE = 1 << 19;
  static MAX_CACHED = 64; // in all files of a file system
  static #last = 0;
  #name = ++Blocks.#last;

  /** `cache`: the cached blocks by name, most recently used last. */
  constructor(blob, cache) {
    this.blob = blob;
    this.size = blob.size;
    this.cache = cache;
  }

  #bytes(from, to) {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.blob.slice(from, to)));
  }

  #block(number) {
    const { cache } = this;
    const name = `${this.#name} ${number}`;
    const bytes = cache.get(name) ?? this.#bytes(number * Blocks.SIZE, (number + 1) * Blocks.SIZE);
    cache.delete(name);
    cache.set(name, bytes);
    if (cache.size > Blocks.MAX_CACHED) cache.delete(cache.keys().next().value);
    return bytes;
  }

  read(offset, target) {
    const end = Math.min(offset + target.length, this.size);
    if (target.length > Blocks.SIZE) target.set(this.#bytes(offset, end));
    else
      for (let at = offset, part; at < end; at += part.length) {
        part = this.#block(Math.floor(at / Blocks.SIZE)).subarray(at % Blocks.SIZE).subarray(0, end - at);
        target.set(part, at - offset);
      }
    return Math.max(end - offset, 0);
  }
}

/**
 * A Reader, { size, read(offset, length) }, which returns promises. C cannot wait: reading a missing piece fails and
 * records it; it succeeds after fetch().
 */
class Pieces {
  static SIZE = 1 << 18;
  #pieces = new Map(); // number: bytes
  #missing = new Set();

  /** `waiting`: the set of files with missing pieces. */
  constructor(source, waiting) {
    this.source = source;
    this.size = source.size;
    this.waiting = waiting;
  }

  read(offset, target) {
    const end = Math.min(offset + target.length, this.size);
    const first = Math.floor(offset / Pieces.SIZE);
    let complete = true;
    for (let number = first; number * Pieces.SIZE < end; number++) {
      const piece = this.#pieces.get(number);
      const at = number * Pieces.SIZE;
      if (!piece) this.#missing.add(number);
      else if (complete) target.set(piece.subarray(Math.max(offset - at, 0), end - at), Math.max(at - offset, 0));
      complete &&= Boolean(piece);
    }
    if (complete) return Math.max(end - offset, 0);
    this.waiting.add(this);
    throw new FileError("EIO");
  }

  /**
   * Reads the missing pieces, and reports the number of bytes of each.
   * @param {{ signal?: AbortSignal, report?: (bytes: number) => void }} [options]
   */
  async fetch({ signal, report } = {}) {
    const missing = [...this.#missing].sort((a, b) => a - b);
    this.#missing.clear();
    this.waiting.delete(this);
    for (let i = 0; i < missing.length; ) {
      let end = i + 1; // reads adjacent pieces together
      while (end < missing.length && missing[end] === missing[end - 1] + 1) end++;
      const at = missing[i] * Pieces.SIZE;
      const bytes = await this.source.read(at, Math.min((end - i) * Pieces.SIZE, this.size - at), { signal });
      signal?.throwIfAborted();
      report?.(bytes.length);
      for (let k = 0; i < end; i++, k++)
        this.#pieces.set(missing[i], bytes.slice(k * Pieces.SIZE, (k + 1) * Pieces.SIZE));
    }
  }
}

function contentOf(source, waiting, cache) {
  if (source instanceof Uint8Array) return source;
  if (typeof source?.read === "function" && source.size >= 0) return new Pieces(source, waiting);
  if (!(typeof Blob === "function" && source instanceof Blob))
    throw unexpected(source, "a Uint8Array, a Blob, or a Reader");
  if (typeof FileReaderSync === "function") return new Blocks(source, cache);
  const read = async (offset, length) => new Uint8Array(await source.slice(offset, offset + length).arrayBuffer());
  return new Pieces({ size: source.size, read }, waiting);
}

/** A file system in memory. Files are Uint8Array, Blob, or { size, read(offset, length) }. */
export class MemoryFiles {
  #files = new Map(); // path: Uint8Array, Blocks or Pieces
  #folders = new Map([["", new Set()]]); // path: names
  #waiting = new Set(); // Pieces
  #cache = new Map(); // of Blocks

  add(path, content) {
    const clean = cleanPath(path);
    this.#files.set(clean, contentOf(content, this.#waiting, this.#cache));
    this.#list(clean);
  }

  makeFolder(path) {
    const clean = cleanPath(path);
    if (this.kind(clean)) throw new FileError("EEXIST");
    this.#folders.set(clean, new Set());
    this.#list(clean);
  }

  // Adds a path to its parent folders.
  #list(clean) {
    for (let rest = clean; rest !== ""; ) {
      const [folder, name] = split(rest);
      if (!this.#folders.has(folder)) this.#folders.set(folder, new Set());
      this.#folders.get(folder).add(name);
      rest = folder;
    }
  }

  remove(path) {
    const clean = cleanPath(path);
    const [folder, name] = split(clean);
    if (!this.#files.delete(clean)) throw new FileError("ENOENT");
    this.#folders.get(folder).delete(name);
  }

  kind(path) {
    const clean = cleanPath(path);
    return this.#files.has(clean) ? "file" : this.#folders.has(clean) ? "folder" : undefined;
  }

  list(path) {
    const names = this.#folders.get(cleanPath(path));
    if (!names) throw new FileError("ENOENT");
    return names;
  }

  open(path) {
    const content = this.#files.get(cleanPath(path));
    if (content) return content instanceof Uint8Array ? readFromBytes(content) : content;
    throw new FileError(this.#folders.has(cleanPath(path)) ? "EISDIR" : "ENOENT");
  }

  get missing() {
    return this.#waiting.size > 0;
  }

  async fetch(options) {
    for (const pieces of [...this.#waiting]) await pieces.fetch(options);
  }
}

/** Returns the number that `call` returns (or 0), or -errno if it throws. */
export function answer(call) {
  try {
    return call() ?? 0;
  } catch (error) {
    return -(ERRORS[error.code] ?? ERRORS.EIO);
  }
}

/** Returns the module's import "files". It uses the current file system, `engine.files`. */
export function fileImports(engine) {
  const open = new Map(); // number: { file: the result of open(), at: read position }
  let last = 2; // the standard streams come first

  const optional = (name, ...args) => {
    if (!engine.files[name]) throw new FileError("EROFS");
    return engine.files[name](...args);
  };
  const entryOf = (number) => open.get(number) ?? optional("standard", number);
  const returnText = (text, out) => engine.setPointer(out, engine.copyText(text));
  const returnList = (names, out) => {
    returnText(names.map((name) => name + "\0").join(""), out);
    return names.length;
  };
  // Each returns a number, or nothing, or throws a FileError.
  const calls = {
    files_open(path, mode, like) {
      const name = engine.string(path);
      const file =
        mode === 0
          ? engine.files.open(name)
          : optional("openToWrite", name, mode === 2 ? engine.string(like) : undefined);
      open.set(++last, { file, at: 0 });
      return last;
    },
    files_close(number) {
      const { file } = open.get(number);
      open.delete(number);
      file.close?.();
    },
    files_read(number, offset, to, size) {
      const entry = entryOf(number);
      const count = entry.file.read(offset < 0 ? entry.at : offset, engine.view(to, size));
      if (offset < 0) entry.at += count;
      return count;
    },
    files_write: (number, from, size) => void entryOf(number).file.write(engine.view(from, size)),
    files_flush: (number) => open.get(number).file.flush(),
    files_make_folder: (path) => optional("makeFolder", engine.string(path)),
    files_arguments(out) {
      const texts = engine.files.arguments ?? [];
      return texts.length > 0 ? returnList(texts, out) : 0;
    },
    files_replace: (from, to) => optional("replace", engine.string(from), engine.string(to)),
    files_remove: (path) => optional("remove", engine.string(path)),
    files_remove_folder: (path) => optional("removeFolder", engine.string(path)),
    files_list: (path, out) => returnList([...engine.files.list(engine.string(path))], out),
    files_real_path(path, out) {
      const name = engine.string(path);
      if (!engine.files.kind(name)) throw new FileError("ENOENT");
      returnText(engine.files.realPath?.(name) ?? `/${cleanPath(name)}`.replace(/^\/$/, ""), out);
    },
  };
  return {
    ...Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, (...args) => answer(() => call(...args))]),
    ),
    files_kind: (path) => KINDS[engine.files.kind(engine.string(path))] ?? -ERRORS.ENOENT,
    files_kind_of_open: (number) => (open.has(number) ? KINDS[open.get(number).file.kind ?? "file"] : KINDS.other),
    files_size: (number) => open.get(number)?.file.size ?? 0,
    files_is_link: (path) => (engine.files.isLink?.(engine.string(path)) ? 1 : 0),
    files_process: () => engine.files.process?.() ?? 1,
  };
}
