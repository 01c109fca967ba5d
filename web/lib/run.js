// The command on files in memory. run.d.ts is the manual.

import { MemoryFiles, cleanPath } from "./files.js";
import { runOn } from "./main.js";

function concatenate(chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

class MemoryVfs extends MemoryFiles {
  written = new Map(); // path: bytes
  streams = [[], [], []]; // chunks; standard input is empty

  constructor(args) {
    super();
    this.arguments = args;
  }

  #write(path, bytes) {
    this.add(path, bytes);
    this.written.set(cleanPath(path), bytes);
  }

  openToWrite(path) {
    const chunks = [];
    const save = () => this.#write(path, concatenate(chunks));
    save();
    return { size: 0, write: (bytes) => void chunks.push(bytes.slice()), flush: () => {}, close: save };
  }

  replace(from, to) {
    const bytes = this.written.get(cleanPath(from));
    this.remove(from);
    this.#write(to, bytes);
  }

  remove(path) {
    super.remove(path);
    this.written.delete(cleanPath(path));
  }

  writeTo(stream, bytes) {
    this.streams[stream].push(bytes.slice());
  }

  /** Returns a standard stream by its number. */
  standard(number) {
    return { at: 0, file: { read: () => 0, write: (bytes) => this.writeTo(number, bytes) } };
  }
}

export async function run(args, files = []) {
  const vfs = new MemoryVfs(["lerpmesh", ...args]);
  const asynchronous = typeof FileReaderSync !== "function"; // outside workers: reads Blobs first
  for (const [path, content] of files)
    vfs.add(path, asynchronous && content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content);
  const status = await runOn(vfs, (stream, bytes) => vfs.writeTo(stream, bytes));
  const [, output, messages] = vfs.streams.map(concatenate);
  return { status, output, messages: new TextDecoder().decode(messages), files: [...vfs.written] };
}
