import type { FileSystem } from "./index.js";

/** Node's disk: `Files.from(new NodeFiles())`. Paths are as node takes them. It only reads. */
export class NodeFiles implements FileSystem {
  kind(path: string): "file" | "folder" | "other" | undefined;
  list(path: string): string[];
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number; close(): void };
}
