// The command on files in memory. run.d.ts is the manual.

import { MemoryFiles, cleanPath } from "./files.js";
import { newEngine } from "./module.js";

/** A growing file. */
class GrowingFile {
  #bytes = new Uint8Array(1 << 12);
  size = 0;

  write(bytes) {
    if (this.size + bytes.length > this.#bytes.length) {
      const before = this.bytes;
      this.#bytes = new Uint8Array(2 * (this.size + bytes.length));
      this.#bytes.set(before);
    }
    this.#bytes.set(bytes, this.size);
    this.size += bytes.length;
  }

  get bytes() {
    return this.#bytes.subarray(0, this.size);
  }
}

/** A file system in memory, for reading and writing. */
class MemoryVfs extends MemoryFiles {
  written = new Map(); // path: GrowingFile
  streams = [null, new GrowingFile(), new GrowingFile()]; // standard input is empty

  constructor(args) {
    super();
    this.arguments = args;
  }

  openToWrite(path) {
    const content = new GrowingFile();
    const update = () => this.add(path, content.bytes);
    this.written.set(cleanPath(path), content);
    update();
    return {
      size: 0,
      write: (bytes) => {
        content.write(bytes);
        update();
      },
      flush: () => {},
    };
  }

  replace(from, to) {
    const content = this.written.get(cleanPath(from));
    this.remove(from);
    this.written.set(cleanPath(to), content);
    this.add(to, content.bytes);
  }

  remove(path) {
    super.remove(path);
    this.written.delete(cleanPath(path));
  }

  /** Returns a standard stream by its number. */
  standard(number) {
    return { at: 0, file: { read: () => 0, write: (bytes) => this.streams[number].write(bytes) } };
  }
}

export async function run(args, files = []) {
  const vfs = new MemoryVfs(["lerpmesh", ...args]);
  const asynchronous = typeof FileReaderSync !== "function"; // outside workers: reads Blobs first
  for (const [path, content] of files)
    vfs.add(path, asynchronous && content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content);
  const engine = await newEngine((self) => ({
    system_write: (stream, from, size) => vfs.streams[stream].write(self.view(from, size)) ?? 0,
    system_is_terminal: () => 0,
    system_seconds: () => performance.now() / 1000,
  }));
  await engine.loadMore();
  engine.files = vfs;
  const status = engine.call("main");
  return {
    status,
    output: vfs.streams[1].bytes.slice(),
    messages: new TextDecoder().decode(vfs.streams[2].bytes),
    files: [...vfs.written].map(([path, content]) => [path, content.bytes.slice()]),
  };
}
