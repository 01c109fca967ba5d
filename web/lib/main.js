// The command on a file system.

import { answer } from "./files.js";
import { newEngine } from "./module.js";

/**
 * Runs the command in an instance of its own. `writeTo(stream, bytes)`, `isTerminal(stream)`: the system's calls.
 * @param {object} vfs
 * @param {(stream: number, bytes: Uint8Array) => unknown} writeTo
 * @param {(stream: number) => boolean} [isTerminal]
 */
export async function runOn(vfs, writeTo, isTerminal = () => false) {
  const engine = await newEngine((self) => ({
    system_write: (stream, from, size) => answer(() => writeTo(stream, self.view(from, size))),
    system_is_terminal: (stream) => Number(isTerminal(stream)),
    system_seconds: () => performance.now() / 1000,
  }));
  await engine.loadMore();
  engine.files = vfs;
  return engine.call("main");
}
