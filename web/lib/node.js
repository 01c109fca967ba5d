// Node's file system: Files.from(new NodeFiles()).

if (globalThis.process?.versions?.node && !process.getBuiltinModule)
  throw new Error(`lerpmesh needs Node 20.16 or later, not ${process.version}`);

// Bundlers for browsers reject imports of Node's modules.
const { closeSync, fstatSync, lstatSync, openSync, readSync, readdirSync, realpathSync, statSync } =
  globalThis.process?.getBuiltinModule?.("node:fs") ?? {};

const kindOf = (stat) => (stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other");

export class NodeFiles {
  kind(path) {
    try {
      return kindOf(statSync(path));
    } catch {
      return undefined;
    }
  }

  list(path) {
    return readdirSync(path);
  }

  open(path) {
    const file = openSync(path, "r");
    const stat = fstatSync(file);
    return {
      kind: kindOf(stat),
      size: stat.isFile() ? stat.size : 0,
      // Pipes have no offsets.
      read: (offset, target) => readSync(file, target, 0, target.length, stat.isFile() ? offset : null),
      close: () => closeSync(file),
    };
  }

  isLink(path) {
    try {
      return lstatSync(path).isSymbolicLink();
    } catch {
      return false; // there is no such file
    }
  }

  realPath(path) {
    const real = realpathSync(path).replaceAll("\\", "/");
    return real === "/" ? "" : real;
  }
}
