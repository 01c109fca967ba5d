import type { AnimationClip, Group, Loader, Matrix4 } from "three";
import type { Bytes, Model, OpenOptions } from "./index.js";

/** A Group with a Mesh for each surface of each part. */
export class KeyframeMesh extends Group {
  constructor(model: Model, options?: { units?: number });
  readonly model: Model;
  readonly animations: AnimationClip[];
  /** Where on the row of all clips it is; animations drive it. */
  step: number;
  /** Takes over a pose that you gave the model. */
  update(): void;
  /** Where a tag of a part is, relative to this. */
  tagMatrix(part: number, name: string): Matrix4;
  /** Frees geometry, textures and the model. */
  dispose(): void;
}

type KeyframeOptions = OpenOptions & { units?: number; files?: Record<string, Bytes>; name?: string };

export class KeyframeLoader extends Loader<KeyframeMesh> {
  options: KeyframeOptions;
  parseAsync(bytes: Bytes, options?: KeyframeOptions): Promise<KeyframeMesh>;
}
