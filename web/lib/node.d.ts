import type { FileSystem } from "./index.js";

/** Node's file system, read-only: `Files.from(new NodeFiles())`. Paths are Node's. */
export class NodeFiles implements FileSystem {
  kind(path: string): "file" | "folder" | "other" | undefined;
  list(path: string): string[];
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number; close(): void };
}
