// Runs a WASI program that reads standard input and prints: node wasi.mjs PROGRAM. It implements
// the few calls of such a program itself: node's own WASI is experimental, and crashed.
import { readFileSync, readSync, writeSync } from "node:fs";

class Exit extends Error {}
let memory;
const view = () => new DataView(memory.buffer);
// Calls `each` with the parts of memory in a list, until one is incomplete. Returns the number of bytes.
function parts(list, count, out, each) {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const size = view().getUint32(list + 8 * i + 4, true);
    const done = each(new Uint8Array(memory.buffer, view().getUint32(list + 8 * i, true), size));
    sum += done;
    if (done < size) break;
  }
  view().setUint32(out, sum, true);
  return 0;
}
function read(bytes) {
  for (;;) {
    try {
      return bytes.length === 0 ? 0 : readSync(0, bytes);
    } catch (error) {
      if (error.code === "EOF") return 0;
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
function write(file, bytes) {
  for (let at = 0; at < bytes.length; at += writeSync(file, bytes, at));
  return bytes.length;
}
const BADF = 8;
const calls = {
  fd_read: (file, list, count, out) => (file === 0 ? parts(list, count, out, read) : BADF),
  fd_write: (file, list, count, out) => (file === 1 || file === 2 ? parts(list, count, out, (bytes) => write(file, bytes)) : BADF),
  fd_close: () => 0,
  fd_seek: () => BADF,
  fd_fdstat_get: (file, out) => {
    if (file > 2) return BADF;
    new Uint8Array(memory.buffer, out, 24).fill(0);
    view().setUint8(out, 2); // a terminal, or similar
    return 0;
  },
  proc_exit: (status) => {
    throw new Exit(status);
  },
};
const compiled = await WebAssembly.compile(readFileSync(process.argv[2]));
const { exports } = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: calls });
memory = exports.memory;
try {
  exports._start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = Number(error.message);
}
