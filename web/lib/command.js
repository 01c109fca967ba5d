#!/usr/bin/env node
// `npx lerpmesh …`: the command, with the same output as the native one.
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { isatty } from "node:tty";

import { runOn } from "./main.js";
import { NodeFiles } from "./node.js";

// A pipe with a slow reader fails with EAGAIN.
function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function readSome(file, target, offset) {
  for (;;) {
    try {
      return readSync(file, target, 0, target.length, offset);
    } catch (error) {
      if (error.code === "EOF") return 0; // Windows
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** Creates a file with the owner and permissions of another one, as far as the system allows. */
function createLike(path, like) {
  const old = statSync(like, { throwIfNoEntry: false });
  if (!old?.isFile()) return openSync(path, "wx");
  const file = openSync(path, "wx", 0o600);
  let mode = old.mode & 0o777;
  try {
    fchownSync(file, old.uid, old.gid);
  } catch {
    mode = (mode & 0o707) | ((mode & 0o007) << 3);
  }
  fchmodSync(file, mode);
  return file;
}

/** Node's file system, for reading and writing. */
class NodeVfs extends NodeFiles {
  constructor(args) {
    super();
    this.arguments = args;
  }

  makeFolder(path) {
    mkdirSync(path);
  }

  openToWrite(path, like) {
    const file = like === undefined ? openSync(path, "r+") : createLike(path, like);
    return {
      size: 0,
      write: (bytes) => writeAll(file, bytes),
      flush: () => fsyncSync(file),
      close: () => closeSync(file),
    };
  }

  replace(from, to) {
    renameSync(from, to);
  }

  remove(path) {
    unlinkSync(path);
  }

  removeFolder(path) {
    rmdirSync(path);
  }

  /** Returns a standard stream by its number. */
  standard(number) {
    return {
      at: 0,
      file: { read: (_, target) => readSome(number, target, null), write: (bytes) => writeAll(number, bytes) },
    };
  }

  process() {
    return process.pid;
  }
}

/** Runs the command with arguments such as ["info", "tris.md2"]. Returns its exit status. */
export async function run(args) {
  return runOn(new NodeVfs(["lerpmesh", ...args]), writeAll, isatty);
}

if (process.argv[1] && import.meta.url.endsWith("command.js")) process.exitCode = await run(process.argv.slice(2));
